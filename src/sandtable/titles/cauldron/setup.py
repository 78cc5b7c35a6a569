"""17.0 Free set-up: the Allies first, then the Axis, a unit at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sandtable.kernel.actions import Action, Space
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import Place
from sandtable.titles.cauldron.events import Placed
from sandtable.titles.cauldron.printed import Placement
from sandtable.titles.cauldron.stacking import fits
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.zoc import enemy


class SetUp(Step[Game], frozen=True):
    """17.0 Each unit of the list is placed where the scenario allows."""

    rule: ClassVar[str] = "17.0"
    number: int = 0

    def spot(self, game: Game) -> Placement:
        """Which unit is next, and its hexes."""
        return game.facts.scenarios[game.scenario].setup[self.number]

    def begin(self, game: Game) -> None:
        if self.number == len(game.facts.scenarios[game.scenario].setup):
            game.pop()

    def actor(self, game: Game) -> Side:
        return game.side_of(self.spot(game).unit)

    def prompt(self, game: Game) -> str:
        kind = game.kind(self.spot(game).unit)
        formation = game.facts.formations[kind.formation].name
        return f"Set up {kind.name} of {formation}."

    def actions(self, game: Game) -> Sequence[Action]:
        spot = self.spot(game)
        spaces = game.facts.board.each(spot.hexes)
        return [Place(spot.unit, space) for space in spaces if self.room(game, spot, space)]

    def room(self, game: Game, spot: Placement, space: Space) -> bool:
        """10.0, 17.0 Stacking holds in the set-up, one unit a hex where the scenario says so."""
        here = game.here(space)
        if game.occupied[enemy(game.side_of(spot.unit))] >> space & 1:
            return False
        return len(here) < spot.stack and fits(game, (*here, spot.unit))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Place(unit, space) if unit == self.spot(game).unit:
                name = game.hex(space)
                return Refusal("17.0", f"{game.name(unit)} may not be set up in {name}.")
            case Place():
                return Refusal("17.0", self.prompt(game))
        return None

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Place)
        game.change(action.unit, at=action.hex, used=self.spot(game).used, due=0)
        game.log(Placed(action.unit, action.hex, rule="17.0"))
        game.swap(SetUp(self.number + 1))
