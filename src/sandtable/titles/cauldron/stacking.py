"""10.0 Stacking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.kernel.words import listed
from sandtable.titles.cauldron.actions import Eliminate
from sandtable.titles.cauldron.state import Game


def fits(game: Game, units: Iterable[UnitId]) -> bool:
    """10.0 At most two units may stack, and a regiment of Pavia or Brescia only alone."""
    stack = list(units)
    limit = game.facts.tables.limits.stack
    return len(stack) <= limit and not (
        len(stack) > 1 and any(game.kind(unit).large for unit in stack)
    )


def overstacked(game: Game) -> list[Space]:
    """10.0 The hexes that hold more units than may stack, in order."""
    return sorted(
        space for space, units in game.stacks.items() if len(units) > 1 and not fits(game, units)
    )


def crowding(game: Game, then: str) -> str:
    """10.0 Which hexes hold too many units and what comes of it; empty if none does."""
    crowded = overstacked(game)
    if not crowded:
        return ""
    limit = game.facts.tables.limits.stack
    large = any(game.kind(unit).large for space in crowded for unit in game.here(space))
    alone = ", and a regiment of Pavia or Brescia stacks with nobody" if large else ""
    names = listed(map(game.hex, crowded))
    return f"Over-stacked: {names}. At most {limit} units may share a hex{alone}{then}"


class Overstacked(Step[Game], frozen=True):
    """10.0 Stacking is judged: owners thin out hexes that hold too many units."""

    rule: ClassVar[str] = "10.0"

    def begin(self, game: Game) -> None:
        if not overstacked(game):
            game.pop()

    def actor(self, game: Game) -> Side:
        return game.side_of(self._units(game)[0])

    def prompt(self, game: Game) -> str:
        units = self._units(game)
        names = listed(map(game.name, units))
        where = game.hex(game.units[units[0]].at)
        return f"Choose which unit in over-stacked {where} is lost: {names}."

    def caution(self, game: Game) -> str:
        return crowding(game, ": those too many are lost.")

    def actions(self, game: Game) -> Sequence[Action]:
        return [Eliminate(unit) for unit in self._units(game)]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        return Refusal("10.0", f"{self.prompt(game)} Nothing else comes first.")

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Eliminate)
        game.eliminate(action.unit, "10.0")
        if not overstacked(game):
            game.pop()

    def _units(self, game: Game) -> tuple[UnitId, ...]:
        return game.here(overstacked(game)[0])
