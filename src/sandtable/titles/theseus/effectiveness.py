"""5.6 Effectiveness Checks."""

from __future__ import annotations

from typing import Any, ClassVar

from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.snafu import unit_roll
from sandtable.titles.theseus.state import Game


def check_labels(game: Game, unit: int, passed: str, failed: str) -> tuple[str, ...]:
    """5.6.1 What each face of a unit's check means."""
    rating = game.effectiveness(unit)
    return tuple(passed if face <= rating else failed for face in range(1, 11))


class Checks(Step[Game], frozen=True):
    """5.6.1 Roll for each unit in turn; a roll above its rating fails. Pops the failures."""

    rule: ClassVar[str] = "5.6.1"

    units: tuple[int, ...]
    why: str
    failed: tuple[tuple[int, int], ...] = ()
    """Units that failed, each with how far the roll exceeded the rating."""
    done: int = 0

    def actor(self, game: Game) -> Side:
        return SIDES[game.side(self.units[0])]

    def begin(self, game: Game) -> None:
        if self.done == len(self.units):
            game.pop(self.failed)
            return
        unit = self.units[self.done]
        labels = check_labels(game, unit, "passes", "fails")
        game.push(unit_roll(game, unit, "effectiveness", self.why, labels))

    def resume(self, game: Game, result: Any) -> None:
        unit = self.units[self.done]
        excess = result - game.effectiveness(unit)
        failed = (*self.failed, (unit, excess)) if excess > 0 else self.failed
        game.swap(Checks(self.units, self.why, failed, self.done + 1))


def fail(game: Game, unit: int, rule: str, *, in_combat: bool = False) -> None:
    """5.6.2 A failed check disrupts; in combat a disrupted unit loses a Strength Point instead."""
    if not game.pieces[unit].disrupted:
        game.disrupt(unit, rule)
    elif in_combat:
        game.lose(unit, 1, "5.6.2")
