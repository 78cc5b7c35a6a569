"""11.4.4, 11.5, 11.6.3 What a combat costs: its result, Attrition Points and withdrawals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.battleaxe import retreats
from sandtable.titles.battleaxe.actions import (
    Absorb,
    Stand,
    Withdraw,
)
from sandtable.titles.battleaxe.data import ALLIED, AXIS, SIDES
from sandtable.titles.battleaxe.state import Game
from sandtable.titles.battleaxe.support import Battle
from sandtable.titles.battleaxe.values import REPULSE, STALEMATE, SUCCESS, absorbable


class Finished(Struct, frozen=True):
    """What a combat leaves behind for the Impulse."""

    space: Space
    attacked: int
    fought: int
    overran: int = 0
    """The units that may activate a second time."""
    air: bool = False
    rommel: bool = False


class CombatStep(Step["Game"], frozen=True):
    """A step of one combat; the attacker decides unless it says otherwise."""

    rule: ClassVar[str] = "11.4"
    battle: Battle

    def actor(self, game: Game) -> Side:
        return SIDES[self.battle.side]

    def where(self, game: Game) -> str:
        """The Area of the combat by name."""
        return game.data.called(self.battle.space)


def apply_result(game: Game, battle: Battle, result: str, points: int) -> None:
    """11.4.4 Carry out a Repulse, Stalemate, Success or Overrun."""
    assert battle.defending_lead is not None
    if result == REPULSE:
        game.flip(*battle.units, rule="11.4.4")
        left = tuple(unit for unit in battle.units if game.units[unit].space >= 0)
        game.swap(Aftermath(battle))
        if left and not battle.contested:
            game.push(retreats.Repulsed(battle, left))
    elif result == STALEMATE:
        game.flip(battle.lead, battle.defending_lead, rule="11.4.4")
        game.swap(Aftermath(battle))
    elif result == SUCCESS:
        if not game.units[battle.lead].reduced or game.options["reduced_lead_dies"]:
            game.flip(battle.lead, rule="11.4.4")
        game.swap(Aftermath(battle))
        if points > absorbable(game, 1 - battle.side, battle.space):
            destroy_defenders(game, battle)
        else:
            game.push(Attrition(battle, points, first=True))
    else:
        stutzpunkt = axis_stutzpunkt(game, battle.space)
        destroy_defenders(game, battle)
        game.swap(Aftermath(battle, overran=not (battle.side == ALLIED and stutzpunkt)))


def axis_stutzpunkt(game: Game, space: Space) -> bool:
    """3.1.2 Whether a space is a Stützpunkt under Axis control."""
    return game.data.spaces[space].stutzpunkt and game.holder(space) == AXIS


def destroy_defenders(game: Game, battle: Battle) -> None:
    """11.4.4 More Attrition Points than they can absorb eliminate all defenders."""
    game.eliminate(*game.units_in(1 - battle.side, battle.space), rule="11.4.4")


FLIP, ELIMINATE, RETREAT = "flip", "eliminate", "retreat"
COST = {FLIP: 1, ELIMINATE: 2, RETREAT: 1}


class Attrition(CombatStep, frozen=True):
    """11.5 The defender absorbs Attrition Points: the lead first, and exactly if possible."""

    rule: ClassVar[str] = "11.5"
    points: int
    first: bool = False

    def actor(self, game: Game) -> Side:
        return SIDES[1 - self.battle.side]

    def prompt(self, game: Game) -> str:
        who = ""
        if self.first and self.battle.defending_lead is not None:
            who = f" {game.data.unit_facts[self.battle.defending_lead].id} takes the first."
        return f"Absorb {self.points} Attrition Points in {self.where(game)}.{who}"

    def defenders(self, game: Game) -> tuple[UnitId, ...]:
        """The defending units still in the Area."""
        return game.units_in(1 - self.battle.side, self.battle.space)

    def ways(self, game: Game, unit: UnitId) -> list[str]:
        """11.5.1 How a unit may take the next points."""
        reduced = game.units[unit].reduced
        ways = [ELIMINATE] if reduced else [FLIP]
        if retreats.may_retreat_for_points(game, unit):
            ways.append(RETREAT)
        return ways

    def actions(self, game: Game) -> Sequence[Action]:
        units = self.defenders(game)
        room = retreats.room(game, units)
        ways = {unit: _absorption(game, unit) for unit in units}
        takers = [self.battle.defending_lead] if self.first else units
        offers: list[tuple[int, Action]] = []
        for unit in takers:
            assert unit is not None
            others = [ways[each] for each in units if each != unit]
            for how in self.ways(game, unit):
                # A unit that flipped may still retreat or be eliminated for more points.
                more = [_REDUCED] if how == FLIP else []
                excess = _least_excess(
                    [*more, *others], self.points - COST[how], room - (how == RETREAT)
                )
                if excess is not None:
                    offers.append((excess, Absorb(unit, how)))
        least = min(excess for excess, _ in offers)
        return [action for excess, action in offers if excess == least]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Absorb)
        left = self.points - COST[action.how]
        if left > 0:
            game.become_step(Attrition(self.battle, left))
        else:
            game.pop()
        if action.how == FLIP:
            game.flip(action.unit, rule="11.5")
        elif action.how == ELIMINATE:
            game.eliminate(action.unit, rule="11.5")
        else:
            # The retreat is carried out before anything else is decided.
            game.push(retreats.Retreat(action.unit, rule_number="11.5"))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if not isinstance(action, Absorb):
            return None
        name = game.data.unit_facts[action.unit].id
        if action.unit not in self.defenders(game):
            return Refusal("11.5", f"{name} is not one of the defenders.")
        if self.first and action.unit != self.battle.defending_lead:
            return Refusal("11.5", "The Lead Defending Unit must take the first Attrition Point.")
        if action.how == RETREAT:
            return retreats.retreat_refusal(game, action.unit)
        is_reduced = game.units[action.unit].reduced
        if action.how == FLIP and is_reduced:
            return Refusal("11.5", f"{name} is reduced already.")
        if action.how == ELIMINATE and not is_reduced:
            return Refusal("11.5", f"Reduce {name} first, then eliminate it: 3 AP in all.")
        return Refusal("11.5", f"{name} cannot take the points so: losses must be exact.")


Absorption = tuple[tuple[int, int], ...]
"""The ways one unit can take points, each as (points, retreats)."""

_REDUCED: Absorption = ((0, 0), (1, 1), (2, 0))


def _absorption(game: Game, unit: UnitId) -> Absorption:
    """11.5, 11.5.1 What a unit can absorb: flip, flip and retreat, be eliminated, or retreat."""
    if game.units[unit].reduced:
        return _REDUCED
    # A full German unit's retreat takes one point, as its flip does without needing room.
    return ((0, 0), (1, 0), (2, 1), (3, 0))


def _least_excess(ways: Sequence[Absorption], points: int, room: int) -> int | None:
    """11.5 How far the smallest total that covers the points exceeds them; None if none does."""
    if room < 0:
        return None
    reachable = {(0, 0)}
    for options in ways:
        reachable = {
            (total_points + taken, used + retreat)
            for total_points, used in reachable
            for taken, retreat in options
            if used + retreat <= room
        }
    return min((done - points for done, _ in reachable if done >= points), default=None)


class Aftermath(CombatStep, frozen=True):
    """11.6.3 Defenders may retreat of their own will after any result."""

    rule: ClassVar[str] = "11.6.3"
    interrupt: ClassVar[str] = "withdraw"
    overran: bool = False

    def actor(self, game: Game) -> Side:
        return SIDES[1 - self.battle.side]

    def prompt(self, game: Game) -> str:
        return f"Withdraw defenders from {self.where(game)}, or let them stand."

    def actions(self, game: Game) -> Sequence[Action]:
        willing = [
            Withdraw(unit)
            for unit in game.units_in(1 - self.battle.side, self.battle.space)
            if retreats.may_withdraw(game, unit)
        ]
        return [*willing, Stand()]

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Withdraw):
            game.push(retreats.Retreat(action.unit, rule_number="11.6.3"))
            return
        battle = self.battle
        fought = sum(1 << unit for unit in battle.units)
        left = [unit for unit in battle.units if game.units[unit].space == battle.space]
        overran = sum(1 << unit for unit in left) if self.overran else 0
        game.pop(
            Finished(
                battle.space, 1 << battle.space, fought, overran, battle.air > 0, battle.rommel > 0
            )
        )

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if not isinstance(action, Withdraw):
            return None
        if action.unit not in game.units_in(1 - self.battle.side, self.battle.space):
            name = game.data.unit_facts[action.unit].id
            return Refusal("11.6.3", f"{name} is not one of the defenders.")
        return retreats.retreat_refusal(game, action.unit, voluntary=True)

    def standing(self, game: Game, setting: str) -> Action | None:
        return Stand()
