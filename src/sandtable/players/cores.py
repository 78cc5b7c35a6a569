"""One search on several cores: each process draws plans of its own, in the same worlds.

The worlds and their dice follow from the seed alone, so that scores of plans found in different
processes compare as if one had found them all.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from typing import cast

from sandtable.players.planner import Plan, Search
from sandtable.processes import end_with_parent

Found = tuple[Plan, int, int]
"""A plan, and how many were drawn and tried."""


def cores_here() -> int:
    """How many cores this process may use; more twins would only take time from each other."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def best_of_all(search: Search, cores: int) -> Plan:
    """The best plan of this search and of its twins on other cores; a lost twin is done without.

    Twins are forks, which know the position already; where a system has none, one core thinks.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        return search.best()
    fork = multiprocessing.get_context("fork")
    twins = []
    for number in range(1, cores):
        here, there = fork.Pipe(duplex=False)
        twin = fork.Process(target=_begin, args=(search, number, cores, there), daemon=True)
        twin.start()
        there.close()
        twins.append((twin, here))
    search.part = (0, cores)
    best = search.best()
    for twin, here in twins:
        try:
            plan, drawn, trials = cast(Found, here.recv())
        except (EOFError, OSError):
            continue
        finally:
            here.close()
            twin.join()
        search.drawn += drawn
        search.trials += trials
        shared = min(len(plan.scores), len(best.scores))
        best = min(best, plan, key=lambda each: each.rank(shared))
    return best


def _begin(search: Search, number: int, cores: int, there: Connection) -> None:
    """A twin's process, which Ctrl-C ends without a word."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _think(search, number, cores, there)


def _think(search: Search, number: int, cores: int, there: Connection) -> None:
    """A twin's work: search with luck of its own, and send what it found."""
    search.part = (number, cores)
    search.luck = search.luck.twin(number)
    there.send((search.best().bare(), search.drawn, search.trials))
    there.close()
