"""How hard a player thinks."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class Effort(Struct, frozen=True):
    """Counts, not seconds, so that the same seed gives the same play on any machine."""

    plans: int
    """Plans drawn at first."""
    worlds: int
    """Worlds that the best plans are tried on; a power of two."""
    units: int = 1
    """Planning units to look ahead: 2 lets the enemy answer."""
    rounds: int = 2
    """How often the best plans are varied."""
    heat: float = 1.0
    """How far plans stray from the most tempting actions."""
    swerve: bool = False
    """Whether variations change one action and keep the rest, instead of all that follows."""
    patient: bool = False
    """Whether to look farther afield, on more worlds, once nothing new is found."""

    def farther(self) -> Effort | None:
        """More of it, or None if that is all there is."""
        if not self.patient or (self.worlds >= WORLDS and self.heat >= HOTTEST):
            return None
        worlds, heat = max(self.worlds, min(WORLDS, 2 * self.worlds)), min(HOTTEST, 2 * self.heat)
        return replace(self, worlds=worlds, heat=heat)


class Unhurried:
    """The clock of those who count their tries: time never runs out."""

    def late(self) -> bool:
        """Whether it is too late to begin another trial."""
        return False

    def up(self) -> bool:
        """Whether time is up, in the midst of a trial."""
        return False


WORLDS = 64
"""Worlds that the best plans may be tried on when there is time."""
HOTTEST = 2.0
"""Heat at which plans hardly follow any temptation."""
NEVER = -9.0
"""A temptation that marks an action as absurd: it is played only where nothing else is legal."""
LOOK = Effort(plans=6, worlds=2, units=1, rounds=0)
SEARCH = Effort(plans=40, worlds=16, units=2, rounds=3)
