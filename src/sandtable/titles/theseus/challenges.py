"""5.5.2 Secret assignments and the challenge that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import Challenge, Decline
from sandtable.titles.theseus.facts import FormationId
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.state import Game


def assignable(game: Game, unit: int) -> bool:
    """5.5.2 Whether a unit is an independent one without a white stripe."""
    return unit < game.data.count and game.data.units[unit].formation == "independent"


def hidden_parents(game: Game, units: Iterable[int]) -> tuple[int, ...]:
    """5.5.2 Units among these whose assignment the enemy has not been shown."""
    return tuple(unit for unit in units if assignable(game, unit) and unit not in game.shown)


def show(game: Game, units: Iterable[int]) -> None:
    """5.5.2 Units that act with a formation in plain sight give their assignment away."""
    fresh = hidden_parents(game, units)
    if fresh:
        game.shown = tuple(sorted({*game.shown, *fresh}))


class Challenges(Step[Game], frozen=True):
    """5.5.2 Ask to be shown the assignment of units met in combat."""

    rule: ClassVar[str] = "5.5.2"
    interrupt: ClassVar[str] = "challenge"

    side: int
    units: tuple[int, ...]

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        return f"Challenge the assignment of {game.names(self.units)}?"

    def actions(self, game: Game) -> Sequence[Action]:
        return [Decline(), *(Challenge(UnitId(unit)) for unit in self.units)]

    def standing(self, game: Game, setting: str) -> Action | None:
        if setting.startswith("always"):
            return Challenge(UnitId(self.units[0]))
        return Decline()

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, Challenge):
            return Refusal("5.5.2", f"{game.name(action.unit)} has no secret assignment here.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        if not isinstance(action, Challenge):
            game.pop()
            return
        unit = action.unit
        show(game, (unit,))
        parent = FormationId(game.pieces[unit].parent)
        game.log(ev.AssignmentShown(unit, parent, rule="5.5.2"))
        left = tuple(each for each in self.units if each != unit)
        if left:
            game.become_step(Challenges(self.side, left))
        else:
            game.pop()
