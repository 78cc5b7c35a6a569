"""Opponents for every title. They see a Seat (view, legal actions, samples), never the game."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.kernel.errors import BadMessage
from sandtable.players.general import General
from sandtable.players.officer import Officer
from sandtable.players.random import Random
from sandtable.players.recruit import Recruit
from sandtable.players.seat import Choice, Player, Seat

__all__ = ["LEVELS", "Choice", "Player", "Seat", "player"]

LEVELS: dict[str, Callable[[str], Player]] = {"random": Random, "recruit": Recruit, "officer": Officer, "general": General}
"""Every level by name, weakest first; each makes a player from the seed of its own luck."""


def player(level: str, seed: str) -> Player:
    """A player of this level.

    >>> player("colonel", "1")
    Traceback (most recent call last):
    ...
    sandtable.kernel.errors.BadMessage: no opponent is called 'colonel'; use random, recruit, officer, general
    """
    if level not in LEVELS:
        raise BadMessage(f"no opponent is called {level!r}; use {', '.join(LEVELS)}")
    return LEVELS[level](seed)
