"""An opponent that searches: many plans, many worlds, and the enemy's answer."""

from __future__ import annotations

from sandtable.players.officer import Officer
from sandtable.players.planner import Effort

SEARCH = Effort(plans=40, worlds=16, units=2, rounds=3)


class General(Officer):
    """An officer who thinks longer and asks what the enemy will do about it."""

    effort = SEARCH
