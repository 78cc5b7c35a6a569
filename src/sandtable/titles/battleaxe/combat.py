"""11.0 Combat: from the declared attack to the last retreat."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from sandtable.boards.bits import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds, Pmf, convolve, dice_sum, gather
from sandtable.kernel.steps import Step
from sandtable.titles.battleaxe import retreats, support
from sandtable.titles.battleaxe.actions import (
    Absorb,
    Advance,
    Attack,
    Begin,
    CallArtillery,
    EndImpulse,
    Join,
    LeadDefense,
    Resolve,
    SpendAdvantage,
    Stand,
    UseAir,
    UseRommel,
    Withdraw,
)
from sandtable.titles.battleaxe.data import ALLIED, AXIS, SIDES
from sandtable.titles.battleaxe.events import (
    AttackDeclared,
    Declared,
    LeadNamed,
    Moved,
    SupportGiven,
    Totals,
)
from sandtable.titles.battleaxe.state import Game
from sandtable.titles.battleaxe.support import Battle

REPULSE, STALEMATE, SUCCESS, OVERRUN = "repulse", "stalemate", "success", "overrun"


class Finished(Struct, frozen=True):
    """What a combat leaves behind for the Impulse."""

    space: Space
    attacked: int
    fought: int
    overran: int = 0
    """The units that may activate a second time."""
    air: bool = False
    rommel: bool = False


def possible_leads(game: Game, units: Sequence[UnitId], optional: bool) -> list[UnitId]:
    """10.3 AT/FLAK units do not lead an attack, unless only AT/FLAK units take part."""
    if optional:
        return list(units)
    others = [unit for unit in units if game.data.unit_facts[unit].kind != "at"]
    return others or list(units)


def declare(
    game: Game,
    side: int,
    space: Space,
    lead: UnitId,
    fighters: Sequence[UnitId],
    contested: bool,
    came: tuple[tuple[UnitId, Space], ...],
    *,
    after: Overrun | None = None,
) -> Muster | LeadDefender:
    """11.1, 11.2 Begin an attack; only in an Area contested before may units stay out."""
    battle = Battle(
        space=space,
        side=side,
        lead=lead,
        units=(lead,) if contested else tuple(fighters),
        contested=contested,
        came=tuple((unit, start) for unit, start in came if unit in fighters),
        second=after is not None,
        air_again=after is not None and after.air,
        rommel_again=after is not None and after.rommel,
    )
    if contested:
        return Muster(battle, tuple(unit for unit in fighters if unit != lead))
    return LeadDefender(battle)


# Values.


def lead_value(
    game: Game, lead: UnitId, units: Sequence[UnitId], rule: str = "11.4.2A"
) -> list[Modifier]:
    """10.3, 11.4.2A, 11.4.3A, 14.2.2 The Combat Value of a lead unit, line by line.

    AT/FLAK units that fight on their own count 1 at Full-Strength and 0 when Reduced.
    """
    facts = game.data.unit_facts
    name, one = facts[lead].id, game.units[lead]
    if all(facts[unit].kind == "at" for unit in units):
        lines = [Modifier(f"{name} leads, AT/FLAK on their own", int(not one.reduced), "10.3")]
    else:
        lines = [Modifier(f"{name} leads", game.cv(lead) + one.out_of_supply, rule)]
    if one.out_of_supply:
        lines.append(Modifier(f"{name} out of supply", -1, "14.2.2"))
    return lines


def attack_value(game: Game, battle: Battle) -> list[Modifier]:
    """11.4.2, 11.4.2B, 11.4.2C, 11.4.2D The Attack Value, line by line."""
    lines = lead_value(game, battle.lead, battle.units)
    if len(battle.units) > 1:
        lines.append(Modifier("other attacking units", len(battle.units) - 1, "11.4.2B"))
    if battle.air:
        lines.append(Modifier("Air Support", battle.air, "11.4.2C"))
    if battle.rommel:
        lines.append(Modifier("Rommel", battle.rommel, "11.4.2C"))
    if battle.attacker_guns:
        lines.append(Modifier("attacker's artillery", support.GUNS, "11.4.2D"))
    if combined_arms(game, battle):
        lines.append(Modifier("combined arms", 1, "11.4.2E"))
    if battle.defending_lead is not None and italians_shaken(game, battle):
        lines.append(Modifier("armor against Italian infantry", 2, "19.5"))
    return lines


def combined_arms(game: Game, battle: Battle) -> bool:
    """11.4.2E Armor, infantry and AT/FLAK take part together."""
    kinds = set()
    for unit in battle.units:
        facts = game.data.unit_facts[unit]
        italian = facts.nation == "italian" and facts.kind == "infantry"
        if not (italian and game.options["italian_reliability"]):
            kinds.add("armor" if facts.armored else facts.kind)
    return kinds >= {"armor", "infantry", "at"}


def italians_shaken(game: Game, battle: Battle) -> bool:
    """19.5 Allied armor leads against Italian infantry."""
    assert battle.defending_lead is not None
    lead = game.data.unit_facts[battle.lead]
    against = game.data.unit_facts[battle.defending_lead]
    return (
        bool(game.options["italian_reliability"])
        and battle.side == ALLIED
        and lead.armored
        and against.nation == "italian"
        and against.kind == "infantry"
    )


def defense_value(game: Game, battle: Battle) -> list[Modifier]:
    """11.4.3, 11.4.3B, 11.4.3C, 11.4.3D, 11.4.3E The Defense Value, line by line."""
    assert battle.defending_lead is not None
    defenders = game.units_in(1 - battle.side, battle.space)
    lines = lead_value(game, battle.defending_lead, defenders, "11.4.3A")
    if len(defenders) > 1:
        lines.append(Modifier("other defending units", len(defenders) - 1, "11.4.3B"))
    lines.append(Modifier("terrain", game.tem(battle.space), "11.4.3C"))
    if battle.defender_guns:
        lines.append(Modifier("defender's artillery", support.GUNS, "11.4.3D"))
    if game.fuel_low and battle.side == AXIS:
        lines.append(Modifier("Axis short of fuel", 2, "11.4.3E"))
    return lines


def total(lines: Sequence[Modifier]) -> int:
    """11.4 The sum of a value's lines."""
    return sum(line.value for line in lines)


def absorbable(game: Game, side: int, space: Space) -> int:
    """11.5 The most Attrition Points that the units in a space can take."""
    return sum(2 if game.units[unit].reduced else 3 for unit in game.units_in(side, space))


def result_of(margin: int, most: int, second: bool) -> str:
    """11.4.4 The result for an Attack Total this much above the Defense Total.

    There is no Overrun in the combat that follows an Overrun.
    """
    if margin < 0:
        return REPULSE
    if margin == 0:
        return STALEMATE
    return OVERRUN if margin > most and not second else SUCCESS


def outcome_label(result: str, margin: int) -> str:
    """The words for a result in odds and log."""
    return f"success, {margin} AP" if result == SUCCESS else result


# The steps of 11.4, in order.


class CombatStep(Step["Game"], frozen=True):
    """A step of one combat; the attacker decides unless it says otherwise."""

    rule: ClassVar[str] = "11.4"
    battle: Battle

    def actor(self, game: Game) -> Side:
        return SIDES[self.battle.side]

    def where(self, game: Game) -> str:
        """The Area of the combat by name."""
        return game.data.called(self.battle.space)


class Muster(CombatStep, frozen=True):
    """11.2, 11.3 In a Contested Area the attacker chooses who takes part."""

    rule: ClassVar[str] = "11.2"
    shown: ClassVar[bool] = True
    others: tuple[UnitId, ...]

    def begin(self, game: Game) -> None:
        if self.actions(game) == [Begin()] and len(self.battle.units) == 1:
            game.swap(LeadDefender(self.battle))

    def prompt(self, game: Game) -> str:
        return f"Add units to the attack in {self.where(game)}, or begin it."

    def actions(self, game: Game) -> Sequence[Action]:
        kinds = game.data.unit_facts
        # An AT/FLAK unit leads only its own kind (10.3).
        only_guns = kinds[self.battle.lead].kind == "at"
        allowed = [unit for unit in self.others if not only_guns or kinds[unit].kind == "at"]
        return [*(Join(unit) for unit in allowed), Begin()]

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Join(unit):
                # Units are added in order, so that each group can be chosen in one way only.
                at = self.others.index(unit)
                battle = replace(self.battle, units=(*self.battle.units, unit))
                game.become_step(Muster(battle, self.others[at + 1 :]))
            case Begin():
                game.swap(LeadDefender(self.battle))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, Join):
            name = game.data.unit_facts[action.unit].id
            return Refusal("11.2", f"{name} cannot join this attack, or was passed over.")
        return None

    def odds(self, game: Game, action: Action) -> Odds | None:
        if isinstance(action, Join):
            units = (*self.battle.units, action.unit)
            return forecast(game, replace(self.battle, units=units))
        return forecast(game, self.battle)


class LeadDefender(CombatStep, frozen=True):
    """11.4.3A The defender names the Lead Defending Unit."""

    rule: ClassVar[str] = "11.4.3A"
    interrupt: ClassVar[str] = "lead"

    def begin(self, game: Game) -> None:
        battle = self.battle
        game.log(
            AttackDeclared(SIDES[battle.side], battle.space, battle.lead, battle.units, rule="11.4")
        )

    def actor(self, game: Game) -> Side:
        return SIDES[1 - self.battle.side]

    def prompt(self, game: Game) -> str:
        return f"Name the unit that leads the defense of {self.where(game)}."

    def actions(self, game: Game) -> Sequence[Action]:
        return [
            LeadDefense(unit) for unit in game.units_in(1 - self.battle.side, self.battle.space)
        ]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, LeadDefense)
        game.log(LeadNamed(action.unit, rule="11.4.3A"))
        game.swap(AirSupport(replace(self.battle, defending_lead=action.unit)))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, LeadDefense):
            return Refusal("11.4.3A", "That unit is not one of the defenders.")
        return None

    def standing(self, game: Game, setting: str) -> Action | None:
        """The strongest defender leads."""
        return LeadDefense(best_lead(game, self.battle))

    def odds(self, game: Game, action: Action) -> Odds | None:
        if not isinstance(action, LeadDefense):
            return None
        return forecast(game, replace(self.battle, defending_lead=action.unit))


class AirSupport(CombatStep, frozen=True):
    """10.1, 19.2 The attacker may commit an Air Support marker and roll for it."""

    rule: ClassVar[str] = "10.1.1"

    def prompt(self, game: Game) -> str:
        return f"Commit Air Support over {self.where(game)}?"

    def actions(self, game: Game) -> Sequence[Action]:
        if not support.air_ready(game, self.battle):
            return [UseAir(False)]
        return [UseAir(True), UseAir(False)]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, UseAir)
        battle = self.battle
        if action.use:
            game.air_used = True
            (face,) = game.roll("air", SIDES[battle.side], "10.1.4")
            value = support.air_value(game, battle, face)
            game.conclude(f"Air Support +{value}")
            game.log(SupportGiven(SIDES[battle.side], "Air Support", value, rule="10.1.4"))
            battle = replace(battle, air=value)
        game.swap(RommelLeads(battle))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        return support.air_refusal(game, self.battle) if isinstance(action, UseAir) else None

    def odds(self, game: Game, action: Action) -> Odds | None:
        if action != UseAir(True):
            return None
        return Odds(
            tuple(support.air_modifiers(game, self.battle)),
            gather(
                Chance(
                    f"Air Support +{support.air_value(game, self.battle, face)}",
                    Fraction(1, 6),
                    (face,),
                    SIDES[self.battle.side],
                )
                for face in range(1, 7)
            ),
        )


class RommelLeads(CombatStep, frozen=True):
    """12.1E One Axis attack an Impulse may be led by Rommel, once he has been declared."""

    rule: ClassVar[str] = "12.1E"

    def prompt(self, game: Game) -> str:
        if game.rommel:
            return f"Let Rommel lead the attack on {self.where(game)}?"
        return f"Spend the Advantage so that Rommel leads the attack on {self.where(game)}?"

    def actions(self, game: Game) -> Sequence[Action]:
        if not support.rommel_ready(game, self.battle):
            return [UseRommel(False)]
        return [UseRommel(True), UseRommel(False)]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, UseRommel)
        battle = self.battle
        if action.use:
            if not game.rommel:
                support.declare_rommel(game)
            game.rommel_used = True
            (face,) = game.roll("rommel", SIDES[AXIS], "12.1E")
            game.conclude(f"Rommel +{face}")
            game.log(SupportGiven(SIDES[AXIS], "Rommel", face, rule="12.1E"))
            battle = replace(battle, rommel=face)
        game.swap(AttackerGuns(battle))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, UseRommel):
            return Refusal("12.1E", "Rommel leads one Axis attack an Impulse, once declared.")
        return None

    def odds(self, game: Game, action: Action) -> Odds | None:
        if action != UseRommel(True):
            return None
        chances = (
            Chance(f"Rommel +{face}", Fraction(1, 6), (face,), SIDES[AXIS]) for face in range(1, 7)
        )
        return Odds((), tuple(chances))


class GunStep(CombatStep, frozen=True):
    """10.2, 10.2.1, 10.2.2 One side may make an Artillery Call, but not after an Overrun."""

    rule: ClassVar[str] = "10.2.1"

    def caller(self) -> int:
        """The side that may call."""
        raise NotImplementedError

    def heard(self, game: Game, available: bool) -> None:
        """Go on with the answer to the call."""
        raise NotImplementedError

    def actor(self, game: Game) -> Side:
        return SIDES[self.caller()]

    def prompt(self, game: Game) -> str:
        need = 4 - support.call_bonus(game, self.battle, self.caller())
        return f"Call for artillery in {self.where(game)}? It answers on {need} or more."

    def actions(self, game: Game) -> Sequence[Action]:
        if self.battle.second or not game.artillery[self.caller()]:
            return [CallArtillery(False)]
        return [CallArtillery(True), CallArtillery(False)]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, CallArtillery)
        answered = action.call and support.call(game, self.battle, self.caller())
        self.heard(game, answered)

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if not isinstance(action, CallArtillery):
            return None
        if self.battle.second:
            return Refusal("10.2.2", "There are no Artillery Calls in Overrun combat.")
        return Refusal("10.2.1", "No Artillery Support marker is available.")

    def odds(self, game: Game, action: Action) -> Odds | None:
        if action != CallArtillery(True):
            return None
        return support.call_odds(game, self.battle, self.caller())


class AttackerGuns(GunStep, frozen=True):
    """10.2.1 The attacker's Artillery Call."""

    def caller(self) -> int:
        return self.battle.side

    def heard(self, game: Game, available: bool) -> None:
        game.swap(DefenderGuns(replace(self.battle, attacker_guns=available)))


class DefenderGuns(GunStep, frozen=True):
    """10.2.1 The defender's Artillery Call."""

    interrupt: ClassVar[str] = "artillery"

    def caller(self) -> int:
        return 1 - self.battle.side

    def heard(self, game: Game, available: bool) -> None:
        game.swap(RollDice(replace(self.battle, defender_guns=available)))

    def standing(self, game: Game, setting: str) -> Action | None:
        return CallArtillery(setting == "always")


class RollDice(CombatStep, frozen=True):
    """11.4.1, 11.4.4 Both sides roll, and the result is read."""

    rule: ClassVar[str] = "11.4.1"
    shown: ClassVar[bool] = True

    def prompt(self, game: Game) -> str:
        av, dv = (total(lines) for lines in self.values(game))
        return f"Roll the attack on {self.where(game)}: Attack Value {av} against {dv}."

    def values(self, game: Game) -> tuple[list[Modifier], list[Modifier]]:
        """The lines of the Attack Value and of the Defense Value."""
        return attack_value(game, self.battle), defense_value(game, self.battle)

    def actions(self, game: Game) -> Sequence[Action]:
        return [Resolve()]

    def apply(self, game: Game, action: Action) -> None:
        battle = self.battle
        av, dv = (total(lines) for lines in self.values(game))
        faces = game.roll(
            "attack",
            SIDES[battle.side],
            "11.4.1",
            dice=(6,) * 4,
            place=game.data.spaces[battle.space].id,
        )
        at, dt = av + faces[0] + faces[1], dv + faces[2] + faces[3]
        most = absorbable(game, 1 - battle.side, battle.space)
        result = result_of(at - dt, most, battle.second)
        game.conclude(outcome_label(result, at - dt))
        game.log(Totals(av, dv, at, dt, result, rule="11.4.4"))
        if battle.side == AXIS:
            support.read_sunset(game, faces[0] + faces[1])
        if result == REPULSE and game.advantage == battle.side:
            game.swap(MaximumAttack(battle))
        elif result == SUCCESS and game.advantage == 1 - battle.side:
            game.swap(FanaticalDefense(battle, at - dt))
        else:
            apply_result(game, battle, result, at - dt)

    def odds(self, game: Game, action: Action) -> Odds | None:
        if action != Resolve():
            return None
        return combat_odds(game, self.battle, {0: Fraction(1)}, {0: Fraction(1)}, ())


class MaximumAttack(CombatStep, frozen=True):
    """12.1B The attacker may turn a Repulse into a Stalemate."""

    rule: ClassVar[str] = "12.1B"

    def prompt(self, game: Game) -> str:
        return "Spend the Advantage to turn this Repulse into a Stalemate?"

    def actions(self, game: Game) -> Sequence[Action]:
        return [SpendAdvantage(True), SpendAdvantage(False)]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, SpendAdvantage)
        if action.spend:
            game.spend_advantage(self.battle.side, "Maximum Attack", "12.1B")
        apply_result(game, self.battle, STALEMATE if action.spend else REPULSE, 0)


class FanaticalDefense(CombatStep, frozen=True):
    """12.1A The defender may turn a Success that is no Overrun into a Stalemate."""

    rule: ClassVar[str] = "12.1A"
    interrupt: ClassVar[str] = "fanatical-defense"
    points: int

    def actor(self, game: Game) -> Side:
        return SIDES[1 - self.battle.side]

    def prompt(self, game: Game) -> str:
        return f"Spend the Advantage to turn this Success ({self.points} AP) into a Stalemate?"

    def actions(self, game: Game) -> Sequence[Action]:
        return [SpendAdvantage(True), SpendAdvantage(False)]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, SpendAdvantage)
        if action.spend:
            game.spend_advantage(1 - self.battle.side, "Fanatical Defense", "12.1A")
        result = STALEMATE if action.spend else SUCCESS
        apply_result(game, self.battle, result, self.points)

    def standing(self, game: Game, setting: str) -> Action | None:
        if setting == "from-3-ap":
            return None if self.points >= 3 else SpendAdvantage(False)
        return SpendAdvantage(False)


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


class Overrun(Step["Game"], frozen=True):
    """11.4.4 Units that overran an Area activate again, into one adjacent Area."""

    rule: ClassVar[str] = "11.4.4"
    shown: ClassVar[bool] = True

    side: int
    home: Space
    units: int
    """The units that may still advance."""
    contested: int
    attacked: int
    waiting: int
    """Other units of the Impulse that may still attack: they join where the advance attacks."""
    target: Space = Space(-1)
    came: tuple[tuple[UnitId, Space], ...] = ()
    air: bool = False
    """10.1.3 Whether the first combat used Air Support, which may then come again."""
    rommel: bool = False

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        if self.target < 0:
            where = game.data.called(self.home)
            return f"The units that overran {where} may go on to one more Area."
        where = game.data.called(self.target)
        if self.must_attack(game):
            return f"Send more units to {where}, or attack there."
        return f"Send more units to {where}, or end the advance."

    def begin(self, game: Game) -> None:
        if self.actions(game) == [EndImpulse()]:
            game.pop(Finished(self.home, 0, 0))

    def fighters(self, game: Game) -> list[UnitId]:
        """Everybody who attacks with the advance: those who came now, and those who waited."""
        came = {unit for unit, _ in self.came if game.units[unit].space == self.target}
        return [
            unit
            for unit in game.units_in(self.side, self.target)
            if self.waiting >> unit & 1 or unit in came
        ]

    def must_attack(self, game: Game) -> bool:
        """11.1 Whether the advance ran into enemies in an Area that was not Contested."""
        entered = self.target >= 0 and game.occupied[1 - self.side] >> self.target & 1
        return bool(entered) and not self.contested >> self.target & 1

    def actions(self, game: Game) -> Sequence[Action]:
        found: list[Action] = [
            Advance(UnitId(at), Space(to))
            for at in bits(self.units)
            if game.mf(UnitId(at)) > 0
            for to in bits(self.targets(game))
        ]
        if self.target >= 0 and game.occupied[1 - self.side] >> self.target & 1:
            before = bool(self.contested >> self.target & 1)
            leads = possible_leads(game, self.fighters(game), before)
            found += [Attack(self.target, lead) for lead in leads]
        if not self.must_attack(game):
            found.append(EndImpulse())
        return found

    def targets(self, game: Game) -> int:
        """9.2.1, 9.3.1 The spaces the advance may enter, Movement Factors aside."""
        near = game.data.near[self.home] & ~self.attacked
        if self.target >= 0:
            near &= 1 << self.target
        return sum(1 << to for to in bits(near) if not game.full(self.side, Space(to)))

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Advance(unit, to):
                game.log(Moved(unit, self.home, to, 0, rule="11.4.4"))
                game.place(unit, to)
                came = (*(each for each in self.came if each[0] != unit), (unit, self.home))
                game.become_step(
                    replace(self, target=to, units=self.units & ~(1 << unit), came=came)
                )
            case Attack(lead=lead):
                game.push(self._battle(game, lead))
            case EndImpulse():
                game.log(Declared(SIDES[self.side], "end", rule="11.4.4"))
                game.pop(Finished(self.home, 0, 0))

    def _battle(self, game: Game, lead: UnitId) -> Muster | LeadDefender:
        before = bool(self.contested >> self.target & 1)
        return declare(
            game, self.side, self.target, lead, self.fighters(game), before, self.came, after=self
        )

    def resume(self, game: Game, result: Finished) -> None:
        game.pop(Finished(result.space, result.attacked, result.fought))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Advance(unit, to):
                return self._advance_refusal(game, unit, to)
            case EndImpulse():
                return Refusal("11.1", "Units that entered an Area with enemies must attack.")
        return None

    def _advance_refusal(self, game: Game, unit: UnitId, to: Space) -> Refusal:
        name, where = game.data.unit_facts[unit].id, game.data.called(to)
        if not self.units >> unit & 1:
            return Refusal("11.4.4", f"{name} is not free to go on after this Overrun.")
        if not game.mf(unit):
            return Refusal("9.1", f"{name} has no Movement Factor.")
        if game.data.beyond_scarp[self.home] >> to & 1:
            return Refusal("9.3.2", f"{name} cannot cross an Escarpment.")
        if not game.data.near[self.home] >> to & 1:
            return Refusal("3.1", f"{where} is not adjacent to {game.data.called(self.home)}.")
        if self.attacked >> to & 1:
            return Refusal("9.2.1", f"{where} was attacked in this Impulse.")
        if game.full(self.side, to):
            return Refusal("9.3.1", f"{where} holds four units.")
        return Refusal("11.4.4", "An Overrun goes on into one Area, the same for all.")

    def odds(self, game: Game, action: Action) -> Odds | None:
        if not isinstance(action, Attack):
            return None
        return forecast(game, self._battle(game, action.lead).battle)


# Odds.


def best_lead(game: Game, battle: Battle) -> UnitId:
    """The defender with the highest value as lead; the first of equals."""
    defenders = game.units_in(1 - battle.side, battle.space)
    return max(defenders, key=lambda unit: (total(lead_value(game, unit, defenders)), -unit))


def forecast(game: Game, battle: Battle) -> Odds:
    """The odds before lead and support are settled, with what they take for granted."""
    assumes = []
    if battle.defending_lead is None:
        lead = best_lead(game, battle)
        battle = replace(battle, defending_lead=lead)
        assumes.append(f"{game.data.unit_facts[lead].id} leads the defense")
    plus: Pmf = {0: Fraction(1)}
    minus: Pmf = {0: Fraction(1)}
    if support.air_ready(game, battle):
        assumes.append("Air Support is committed")
        faces: dict[int, Fraction] = {}
        for face in range(1, 7):
            value = support.air_value(game, battle, face)
            faces[value] = faces.get(value, Fraction(0)) + Fraction(1, 6)
        plus = convolve(plus, faces)
    if game.rommel and support.rommel_ready(game, battle):
        assumes.append("Rommel leads")
        plus = convolve(plus, dice_sum(1))
    for side, what in ((battle.side, "attacker"), (1 - battle.side, "defender")):
        if game.artillery[side] and not battle.second:
            assumes.append(f"the {what} calls for artillery")
            chance = support.call_chance(game, battle, side)
            guns = {0: 1 - chance, support.GUNS: chance}
            if side == battle.side:
                plus = convolve(plus, guns)
            else:
                minus = convolve(minus, guns)
    # The dice fall only when the attack is resolved, whatever support there is.
    return combat_odds(game, battle, plus, minus, tuple(assumes) or ("the attack goes ahead",))


def combat_odds(
    game: Game, battle: Battle, plus: Pmf, minus: Pmf, assumes: tuple[str, ...]
) -> Odds:
    """11.4.4 The exact chances of each result, given what support may still add."""
    attack, defense = attack_value(game, battle), defense_value(game, battle)
    base = total(attack) - total(defense)
    most = absorbable(game, 1 - battle.side, battle.space)
    attacker, defender = SIDES[battle.side], SIDES[1 - battle.side]
    margins: dict[int, Fraction] = {}
    example: dict[int, tuple[int, int]] = {}
    extra = convolve(plus, {-value: chance for value, chance in minus.items()})
    for dice, chance in convolve(dice_sum(2), {-k: p for k, p in dice_sum(2).items()}).items():
        for more, likely in extra.items():
            margin = base + dice + more
            margins[margin] = margins.get(margin, Fraction(0)) + chance * likely
            example.setdefault(margin, (dice, more))
    chances = []
    for margin in sorted(margins):
        result = result_of(margin, most, battle.second)
        favours = {REPULSE: defender, STALEMATE: None}.get(result, attacker)
        faces = () if assumes else _faces_for(example[margin][0])
        chances.append(Chance(outcome_label(result, margin), margins[margin], faces, favours))
    minus_lines = [Modifier(line.name, -line.value, line.rule) for line in defense]
    return Odds((*attack, *minus_lines), gather(chances), assumes, battle)


def _faces_for(difference: int) -> tuple[int, int, int, int]:
    """Four dice whose first pair is this much above the second."""
    attack = min(12, 7 + max(0, difference)) if difference >= 0 else max(2, 7 + difference)
    defense = attack - difference
    while not 2 <= defense <= 12:
        attack += 1 if defense < 2 else -1
        defense = attack - difference
    return (attack - attack // 2, attack // 2, defense - defense // 2, defense // 2)
