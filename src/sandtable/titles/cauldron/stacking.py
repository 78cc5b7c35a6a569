"""10.0 Stacking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import Eliminate
from sandtable.titles.cauldron.state import Game


def fits(game: Game, units: Iterable[UnitId]) -> bool:
    """10.0 At most two units may stack, and a regiment of Pavia or Brescia only alone."""
    stack = list(units)
    limit = game.facts.tables.limits.stack
    return len(stack) <= limit and not (
        len(stack) > 1 and any(game.kind(unit).large for unit in stack)
    )


def overstacked(game: Game) -> Space | None:
    """10.0 The first hex that holds more units than may stack."""
    for space, units in sorted(game.stacks.items()):
        if len(units) > 1 and not fits(game, units):
            return space
    return None


class Overstacked(Step[Game], frozen=True):
    """10.0 Stacking is judged: owners thin out hexes that hold too many units."""

    rule: ClassVar[str] = "10.0"

    def begin(self, game: Game) -> None:
        if overstacked(game) is None:
            game.pop()

    def actor(self, game: Game) -> Side:
        return game.side_of(self._units(game)[0])

    def prompt(self, game: Game) -> str:
        units = self._units(game)
        names = ", ".join(game.name(unit) for unit in units)
        return f"Eliminate a unit in over-stacked {game.hex(game.units[units[0]].at)}: {names}."

    def actions(self, game: Game) -> Sequence[Action]:
        return [Eliminate(unit) for unit in self._units(game)]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        return Refusal("10.0", f"{self.prompt(game)} Nothing else comes first.")

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Eliminate)
        game.eliminate(action.unit, "10.0")
        if overstacked(game) is None:
            game.pop()

    def _units(self, game: Game) -> tuple[UnitId, ...]:
        space = overstacked(game)
        assert space is not None
        return game.here(space)
