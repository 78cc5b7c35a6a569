"""15.0, 8.3 Units that come onto the map and units that leave it for a while."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import Pass, Place
from sandtable.titles.cauldron.events import LeftMap, Placed
from sandtable.titles.cauldron.stacking import crowding
from sandtable.titles.cauldron.state import IN_SUPPLY, OFF_MAP, Game
from sandtable.titles.cauldron.zoc import enemy


def available(game: Game, unit: UnitId) -> bool:
    """15.0 Whether a unit waits beside the map and its turn has come, now or earlier."""
    now = game.units[unit]
    return now.at == OFF_MAP and now.due <= game.turn


def returns(game: Game, unit: UnitId) -> bool:
    """8.3, 11.1.5 Whether a waiting unit has left the map before."""
    return game.units[unit].due != game.facts.due.get(unit)


def arrival_hexes(game: Game, unit: UnitId) -> int:
    """15.0, 15.1 Where a waiting unit may be placed: its hexes less those the enemy occupies."""
    facts = game.facts
    hexes = facts.return_hexes[unit] if returns(game, unit) else facts.arrival_hexes[unit]
    return hexes & ~game.occupied[enemy(game.side_of(unit))]


def can_arrive(game: Game, unit: UnitId) -> bool:
    """15.0 Whether a waiting unit may be activated and placed now."""
    return available(game, unit) and bool(arrival_hexes(game, unit))


class Arrive(Step[Game], frozen=True):
    """15.0 Activated reinforcements are placed before anything moves; over-stacking may wait.

    A unit that left the map may come back but need not (R62).
    """

    rule: ClassVar[str] = "15.0"
    units: tuple[UnitId, ...]

    def actor(self, game: Game) -> Side:
        return game.side_of(self.units[0])

    def prompt(self, game: Game) -> str:
        choice = ", or pass." if returns(game, self.units[0]) else "."
        return f"Place {game.name(self.units[0])} in one of its arrival hexes{choice}"

    def caution(self, game: Game) -> str:
        return crowding(game, ": those who have not moved on when the phase ends are lost.")

    def actions(self, game: Game) -> Sequence[Action]:
        unit = self.units[0]
        spaces = game.facts.board.each(arrival_hexes(game, unit))
        found: list[Action] = [Place(unit, space) for space in spaces]
        return [*found, Pass()] if returns(game, unit) else found

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Place(unit, space) if unit == self.units[0]:
                name = game.hex(space)
                return Refusal("15.1", f"{game.name(unit)} may not arrive in {name}.")
            case Pass():
                return Refusal("15.0", "Reinforcements of the schedule must be placed.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Place):
            game.change(action.unit, at=action.hex, due=0)
            game.log(Placed(action.unit, action.hex, rule="15.0"))
        if self.units[1:]:
            game.swap(Arrive(self.units[1:]))
        else:
            game.pop()


def leave_map(game: Game, unit: UnitId, number: str) -> None:
    """8.3, 11.1.5 Put a unit on the turn track two turns ahead, fresh and in supply."""
    due = game.turn + 2
    game.log(LeftMap(unit, game.turn_name(due), rule=number))
    game.change(unit, at=OFF_MAP, due=due, used=False, disrupted=False, supply=IN_SUPPLY)
