"""An opponent that searches: many plans, many worlds, and the enemy's answer."""

from __future__ import annotations

from sandtable.players.effort import Effort
from sandtable.players.knowledge import Knowledge
from sandtable.players.officer import Officer


class General(Officer):
    """An officer who thinks longer and asks what the enemy will do about it."""

    def effort(self, know: Knowledge) -> Effort:
        return know.search
