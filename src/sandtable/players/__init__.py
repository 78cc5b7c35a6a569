"""Opponents for every title. They see a Seat (view, legal actions, samples), never the game."""

from __future__ import annotations

import time
from collections.abc import Callable

from sandtable.kernel.errors import BadMessage
from sandtable.players.cores import cores_here
from sandtable.players.general import General
from sandtable.players.ismcts import Ismcts
from sandtable.players.officer import Officer
from sandtable.players.random import Random
from sandtable.players.recruit import Recruit
from sandtable.players.seat import Choice, Player, Seat

__all__ = ["BUDGETED", "LEVELS", "Choice", "Player", "Seat", "player"]

LEVELS: dict[str, Callable[[str], Player]] = {
    "random": Random,
    "recruit": Recruit,
    "officer": Officer,
    "general": General,
}
"""Every level by name, weakest first; each makes a player from the seed of its own luck."""

Clock = Callable[[], float]
BUDGETED: dict[str, Callable[[str, float | None, Clock], Player]] = {
    "general": General,
    "ismcts": Ismcts,
}
"""Players that may be given seconds for each plan, as in "general:5"; ismcts is for comparison."""

SHORTEST, LONGEST = 0.2, 3600.0
MOST_CORES = 64
LONG = 20
"""Signs that no sensible number has."""


def player(
    level: str, seed: str, now: Clock = time.monotonic, *, longest: float = LONGEST
) -> Player:
    """A player of this level; "general:5x2" thinks five seconds on two cores, if there are two.

    A budget is counted by the clock `now`; several cores have only that on the wall in common.

    >>> player("colonel", "1")
    Traceback (most recent call last):
    ...
    sandtable.kernel.errors.BadMessage: no opponent is called 'colonel'; use random, recruit, \
officer, general, or general:5 for five seconds
    """
    name, colon, budget = level.partition(":")
    if name not in LEVELS and name not in BUDGETED:
        known = ", ".join(LEVELS)
        raise BadMessage(
            f"no opponent is called {level!r}; use {known}, or general:5 for five seconds"
        )
    if not colon:
        return BUDGETED[name](seed, None, now) if name in BUDGETED else LEVELS[name](seed)
    if name not in BUDGETED:
        raise BadMessage(f"{name} thinks as long as it needs; only a general takes a budget")
    seconds, times, cores = budget.partition("x")
    if not times:
        return BUDGETED[name](seed, _seconds(seconds, longest), now)
    if name != "general":
        raise BadMessage(f"{name} thinks on one core; only a general takes more: general:5x2")
    number = int(cores) if cores.isdecimal() and len(cores) < LONG else 0
    if not 1 <= number <= MOST_CORES:
        raise BadMessage(
            f"{cores[:LONG]!r} is no number of cores; give 1 to {MOST_CORES}: general:5x2"
        )
    return General(seed, _seconds(seconds, longest), cores=min(number, cores_here()))


def _seconds(text: str, longest: float) -> float:
    try:
        seconds = float(text) if len(text) < LONG and text.split() == [text] else 0.0
    except ValueError:
        seconds = 0.0
    if not SHORTEST <= seconds <= longest:
        raise BadMessage(
            f"{text[:LONG]!r} is no budget; "
            f"give seconds from {SHORTEST} to {longest:.0f}: general:5"
        )
    return seconds
