"""An opponent that searches: many plans, many worlds, and the enemy's answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.events import Side
from sandtable.players.cores import best_of_all
from sandtable.players.effort import WORLDS, Effort, Unhurried
from sandtable.players.knowledge import Knowledge, knowledge
from sandtable.players.officer import Officer
from sandtable.players.planner import Plan, Search

ROUNDS = 10_000
"""More than any budget allows: with a time limit only the clock ends a search."""

BRIEF = 1.0
"""A budget, in seconds, that is better spent as an officer would where trials take long."""


class Deadline(Unhurried):
    """Says when it is too late to begin another trial, by the longest one so far."""

    def __init__(self, seconds: float, now: Callable[[], float]) -> None:
        self._now = now
        self._last = now()
        self._end = self._last + seconds
        self._longest = 0.0

    def late(self) -> bool:
        now = self._now()
        self._longest = max(self._longest, now - self._last)
        self._last = now
        # One more trial is played in the end, to say what the plan is good for.
        return now + 2 * self._longest >= self._end

    def up(self) -> bool:
        return self._now() >= self._end


class General(Officer):
    """An officer who thinks longer and asks what the enemy will do about it.

    Without a budget it counts tries, so that the same seed plays the same game on any machine.
    With one it may think on several cores at a time.
    """

    def __init__(
        self,
        seed: str,
        seconds: float | None = None,
        now: Callable[[], float] = time.monotonic,
        cores: int = 1,
    ) -> None:
        super().__init__(seed)
        self._seconds = seconds
        self.cores = cores
        self._now = now

    def effort(self, know: Knowledge, side: Side) -> Effort:
        search = know.search_of.get(side, know.search)
        if self._seconds is None:
            return search
        if know.open:
            # Trials are quick here: many worlds from the start.
            search = replace(search, worlds=max(WORLDS, search.worlds))
        elif self._seconds < BRIEF:
            search = know.look
        return replace(search, rounds=ROUNDS, patient=self._seconds >= BRIEF)

    def knowledge(self, title: str, side: Side) -> Knowledge:
        known = knowledge(title)
        return known.keener or known

    def judgement(self, know: Knowledge) -> Callable[[Any, Side], float]:
        return know.judge

    def clock(self) -> Unhurried:
        if self._seconds is None:
            return super().clock()
        return Deadline(self._seconds, self._now)

    def search(self, search: Search) -> Plan:
        if self.cores == 1 or self._seconds is None:
            return search.best()
        return best_of_all(search, self.cores)
