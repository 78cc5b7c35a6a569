"""11.0, 12.0 Step losses and disruption, on units their owner chooses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import Disrupt, Lose
from sandtable.titles.cauldron.state import Game


def alive(game: Game, units: Iterable[UnitId]) -> tuple[UnitId, ...]:
    """Those of some units that are still on the map."""
    return tuple(unit for unit in units if game.units[unit].at >= 0)


class StepLosses(Step[Game], frozen=True):
    """11.0 The owner chooses who takes each step loss; what nobody is left to take is ignored."""

    rule: ClassVar[str] = "11.0"
    units: tuple[UnitId, ...]
    left: int

    def begin(self, game: Game) -> None:
        if sum(game.units[unit].steps for unit in alive(game, self.units)) <= self.left:
            for unit in alive(game, self.units):
                game.eliminate(unit, self.rule)
        if not alive(game, self.units) or not self.left:
            game.pop()

    def actor(self, game: Game) -> Side:
        return game.side_of(self.units[0])

    def prompt(self, game: Game) -> str:
        return f"Choose a unit to lose a step ({self.left} to lose)."

    def actions(self, game: Game) -> Sequence[Action]:
        return [Lose(unit) for unit in alive(game, self.units)]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Lose)
        game.lose_step(action.unit, self.rule)
        game.swap(type(self)(self.units, self.left - 1))


class AntiTankLosses(StepLosses, frozen=True):
    """13.6 The Allied player chooses which armor pays for Anti-Tank chits."""

    rule: ClassVar[str] = "13.6"

    def prompt(self, game: Game) -> str:
        return f"Choose the armour that loses a step to Anti-Tank ({self.left} to lose)."


class RetreatLosses(StepLosses, frozen=True):
    """11.1.2 A stack of Disrupted units that retreats into an enemy ZOC loses one step."""

    rule: ClassVar[str] = "11.1.2"

    def prompt(self, game: Game) -> str:
        return "Choose the Disrupted unit that loses a step in the enemy ZOC."


class Disruptions(Step[Game], frozen=True):
    """11.0 The owner chooses which of the units that are not yet Disrupted suffer a D result."""

    rule: ClassVar[str] = "11.0"
    units: tuple[UnitId, ...]
    left: int

    def open(self, game: Game) -> list[UnitId]:
        """12.0 The units a D result can still hurt."""
        return [unit for unit in alive(game, self.units) if not game.units[unit].disrupted]

    def begin(self, game: Game) -> None:
        exposed = self.open(game)
        if len(exposed) <= self.left:
            for unit in exposed:
                game.disrupt(unit, "11.0")
        if len(exposed) <= self.left or not self.left:
            game.pop()

    def actor(self, game: Game) -> Side:
        return game.side_of(self.units[0])

    def prompt(self, game: Game) -> str:
        return f"Choose a unit to be Disrupted ({self.left} to choose)."

    def actions(self, game: Game) -> Sequence[Action]:
        return [Disrupt(unit) for unit in self.open(game)]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Disrupt)
        game.disrupt(action.unit, "11.0")
        game.swap(Disruptions(self.units, self.left - 1))
