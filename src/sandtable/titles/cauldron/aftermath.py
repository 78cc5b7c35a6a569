"""11.0, 12.0 What a combat result does: steps, disruption, retreat, advance, in that order."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.advance import GROUND_RULES, AdvanceAfterCombat
from sandtable.titles.cauldron.battle import Battle
from sandtable.titles.cauldron.losses import AntiTankLosses, Disruptions, StepLosses, alive
from sandtable.titles.cauldron.printed import ALLIED, Result
from sandtable.titles.cauldron.retreat import Retreats
from sandtable.titles.cauldron.stacking import Overstacked
from sandtable.titles.cauldron.state import Game

DISRUPTED_BY_D = 2
STAGES = (
    "anti-tank",
    "defender steps",
    "defender disruption",
    "defender retreat",
    "attacker steps",
    "attacker disruption",
    "attacker retreat",
    "stacking",
    "advance",
)


class Aftermath(Step[Game], frozen=True):
    """11.0 The defender bears everything first; for each side steps, then D, then R."""

    rule: ClassVar[str] = "11.0"
    battle: Battle
    row: int
    column: int
    stage: int = 0
    hexes: tuple[Space, ...] = ()
    """Where the defenders stood when the die was rolled."""

    def begin(self, game: Game) -> None:
        hexes = dict.fromkeys(game.units[unit].at for unit in self.battle.defenders)
        start = replace(self, hexes=tuple(hexes))
        game.become_step(start)
        start.go_on(game)

    def resume(self, game: Game, result: Any) -> None:
        self.go_on(game)

    def actor(self, game: Game) -> Side:
        return game.side_of(self.battle.active)

    def prompt(self, game: Game) -> str:
        return "Carry out the combat result."

    def go_on(self, game: Game) -> None:
        """Carry out stages until one needs a choice."""
        for stage in range(self.stage, len(STAGES)):
            game.become_step(replace(self, stage=stage + 1))
            step = self.enter(game, STAGES[stage])
            if step is not None:
                game.push(step)
                return
        game.pop(self.verdict(game))

    def enter(self, game: Game, stage: str) -> Step[Game] | None:
        """The step that carries out a stage, or None if there is nothing to it."""
        battle, found = self.battle, game.facts.crt[self.row][self.column]
        match stage:
            case "anti-tank":
                return self.anti_tank(game)
            case "defender steps":
                return losses(battle.defenders, found.defender.steps)
            case "defender disruption":
                return disruption(battle.defenders, found.defender)
            case "defender retreat":
                return retreat(game, battle.defenders, found.defender)
            case "attacker steps":
                return self.attacker_steps(game, found.attacker.steps)
            case "attacker disruption":
                return self.attacker_disruption(game, found.attacker)
            case "attacker retreat":
                return retreat(game, battle.attackers, found.attacker)
            case "stacking":
                return Overstacked()
            case _:
                return None if found.attacker.retreat else self.advance(game)

    def anti_tank(self, game: Game) -> Step[Game] | None:
        """13.6 Each Anti-Tank chit costs Allied armor in the combat a step, before all else."""
        units = (*self.battle.attackers, *self.battle.defenders)
        armor = tuple(
            unit for unit in units if game.side_of(unit) == ALLIED and game.is_armor(unit)
        )
        count = self.battle.anti_tank
        return AntiTankLosses(armor, count) if count and armor else None

    def attacker_steps(self, game: Game, count: int) -> Step[Game] | None:
        """11.0 The attacker's first step loss falls on the active unit."""
        active = self.battle.active
        if count and game.units[active].at >= 0:
            game.lose_step(active, "11.0")
            count -= 1
        return losses(self.battle.attackers, count)

    def attacker_disruption(self, game: Game, result: Result) -> Step[Game] | None:
        """11.0 The attacker's first D falls on the active unit, unless it is Disrupted (R45)."""
        if not result.disrupted:
            return None
        active = self.battle.active
        count = DISRUPTED_BY_D
        if game.units[active].at >= 0 and not game.units[active].disrupted:
            game.disrupt(active, "11.0")
            count -= 1
        return Disruptions(self.battle.attackers, count)

    def vacated(self, game: Game) -> tuple[Space, ...]:
        """11.2 The defenders' hexes that hold nobody any more."""
        return tuple(space for space in self.hexes if not game.here(space))

    def advance(self, game: Game) -> Step[Game] | None:
        """11.2 Any attacker may advance into a vacated hex."""
        units = alive(game, self.battle.attackers)
        hexes = self.vacated(game)
        return AdvanceAfterCombat(units, hexes) if units and hexes else None

    def verdict(self, game: Game) -> str:
        """11.0, 11.2 What the active unit needs to know to go on: retreated, eligible or held."""
        found = game.facts.crt[self.row][self.column]
        if found.attacker.retreat:
            return "retreated"
        active, defenders = self.battle.active, self.battle.defenders
        # After an advance the hex may be taken again, so this looks for defenders.
        eligible = game.units[active].at in self.hexes or any(
            all(each.holds(game, active, space) for each in GROUND_RULES)
            for space in self.hexes
            if not any(unit in defenders for unit in game.here(space))
        )
        return "eligible" if eligible else "held"


def losses(units: tuple[UnitId, ...], count: int) -> Step[Game] | None:
    """11.0 Each * is a step."""
    return StepLosses(units, count) if count else None


def disruption(units: tuple[UnitId, ...], result: Result) -> Step[Game] | None:
    """11.0 A D disrupts two of the units involved."""
    return Disruptions(units, DISRUPTED_BY_D) if result.disrupted else None


def retreat(game: Game, units: tuple[UnitId, ...], result: Result) -> Step[Game] | None:
    """11.0 An R makes all of a side's units involved retreat."""
    left = alive(game, units)
    return Retreats(left) if result.retreat and left else None
