"""11.2 Advance after combat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import Advance, Pass
from sandtable.titles.cauldron.events import Advanced
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.stacking import fits
from sandtable.titles.cauldron.state import Game


@rule
def next_to_it(game: Game, unit: UnitId, to: Space) -> bool:
    """11.2 A unit advances into a hex next to it, not over an escarpment that nothing crosses."""
    at = game.units[unit].at
    return at >= 0 and to in game.facts.touching[at]


@rule
def room_left(game: Game, unit: UnitId, to: Space) -> bool:
    """10.0 At most two units may advance into a hex, a regiment of Pavia or Brescia alone."""
    return fits(game, (*game.here(to), unit))


@rule
def not_into_the_zone(game: Game, unit: UnitId, to: Space) -> bool:
    """8.1 No Allied unit may advance west of the minefield line."""
    return game.side_of(unit) == AXIS or not game.facts.prohibited >> to & 1


@rule
def not_out_of_the_area(game: Game, unit: UnitId, to: Space) -> bool:
    """8.2 The two bracketed units of 69 Brigade never leave their area."""
    return not game.kind(unit).bracketed or bool(game.facts.brigade_69 >> to & 1)


@rule
def mines_stop_vehicles(game: Game, unit: UnitId, to: Space) -> bool:
    """14.0 Of the Axis only infantry advances across an unbreached minefield hexside."""
    if game.side_of(unit) == ALLIED or game.kind(unit).type == "infantry":
        return True
    return (game.units[unit].at, to) not in game.terrain.mined


ADVANCE_RULES = (next_to_it, room_left, not_into_the_zone, not_out_of_the_area, mines_stop_vehicles)
GROUND_RULES = tuple(each for each in ADVANCE_RULES if each is not room_left)
"""11.2 What makes a unit eligible to advance, whether or not others have filled the hex."""


class AdvanceAfterCombat(Step[Game], frozen=True):
    """11.2 The attackers may occupy what the defenders left; ZOC and points do not matter."""

    rule: ClassVar[str] = "11.2"
    units: tuple[UnitId, ...]
    hexes: tuple[Space, ...]

    def actor(self, game: Game) -> Side:
        return game.side_of(self.units[0]) if self.units else AXIS

    def prompt(self, game: Game) -> str:
        hexes = ", ".join(game.hex(space) for space in self.hexes)
        return f"Advance attacking units into {hexes}, or pass."

    def actions(self, game: Game) -> Sequence[Action]:
        found: list[Action] = [
            Advance(unit, space)
            for unit in self.units
            for space in self.hexes
            if all(each.holds(game, unit, space) for each in ADVANCE_RULES)
        ]
        return [*found, Pass()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Advance(unit, space) if unit in self.units and space in self.hexes:
                broken = first_broken(ADVANCE_RULES, game, unit, space)
                what = f"{game.name(unit)} cannot advance into {game.hex(space)}"
                return broken.refusal(what) if broken else None
        return None

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Advance(unit, space):
                game.change(unit, at=space)
                game.log(Advanced(unit, space, rule="11.2"))
                left = tuple(each for each in self.units if each != unit)
                game.swap(AdvanceAfterCombat(left, self.hexes))
            case _:
                game.pop()
