"""An opponent that searches: many plans, many worlds, and the enemy's answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from sandtable.kernel.events import Side
from sandtable.players.effort import Effort
from sandtable.players.knowledge import Knowledge
from sandtable.players.officer import Officer

ROUNDS = 10_000
"""More than any budget allows: with a time limit only the clock ends a search."""

WORLDS = 64
"""Worlds that the best plans may be tried on when there is time, where trials are quick."""


class General(Officer):
    """An officer who thinks longer and asks what the enemy will do about it.

    Without a budget it counts tries, so that the same seed plays the same game on any machine.
    """

    def __init__(
        self,
        seed: str,
        seconds: float | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(seed)
        self._seconds = seconds
        self._now = now

    def effort(self, know: Knowledge) -> Effort:
        if self._seconds is None:
            return know.search
        worlds = max(WORLDS, know.search.worlds) if know.open else know.search.worlds
        return replace(know.search, rounds=ROUNDS, worlds=worlds, crowd=0)

    def judgement(self, know: Knowledge) -> Callable[[Any, Side], float]:
        return know.judge

    def clock(self) -> Callable[[], bool]:
        if self._seconds is None:
            return super().clock()
        now, end = self._now, self._now() + self._seconds
        return lambda: now() >= end
