"""11.0 Combat: from the declared attack to the dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds, gather
from sandtable.titles.battleaxe import support
from sandtable.titles.battleaxe.actions import (
    Begin,
    CallArtillery,
    Join,
    LeadDefense,
    Resolve,
    SpendAdvantage,
    UseAir,
    UseRommel,
)
from sandtable.titles.battleaxe.data import AXIS, SIDES
from sandtable.titles.battleaxe.events import (
    AttackDeclared,
    LeadNamed,
    SupportGiven,
    Totals,
)
from sandtable.titles.battleaxe.losses import CombatStep, apply_result
from sandtable.titles.battleaxe.state import Game
from sandtable.titles.battleaxe.support import Battle
from sandtable.titles.battleaxe.values import (
    REPULSE,
    STALEMATE,
    SUCCESS,
    absorbable,
    attack_value,
    best_lead,
    combat_odds,
    defense_value,
    forecast,
    outcome_label,
    result_of,
    total,
)

if TYPE_CHECKING:
    from sandtable.titles.battleaxe.overruns import Overrun


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


def led_by(game: Game, lead: UnitId, units: Iterable[UnitId]) -> tuple[UnitId, ...]:
    """10.3 Those of these units that a lead unit may lead: AT/FLAK leads only its own kind."""
    kinds = game.data.unit_facts
    only_guns = kinds[lead].kind == "at"
    return tuple(unit for unit in units if not only_guns or kinds[unit].kind == "at")


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
        return [*(Join(unit) for unit in led_by(game, self.battle.lead, self.others)), Begin()]

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Join(unit):
                battle = replace(self.battle, units=(*self.battle.units, unit))
                others = tuple(other for other in self.others if other != unit)
                game.become_step(Muster(battle, others))
            case Begin():
                game.swap(LeadDefender(self.battle))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, Join):
            name = game.data.unit_facts[action.unit].id
            if action.unit in self.others:
                return Refusal(
                    "10.3", f"{name} cannot join: AT/FLAK lead only AT/FLAK (ruling R23)."
                )
            return Refusal("11.2", f"{name} cannot join this attack.")
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
        return f"Name the unit that leads the defence of {self.where(game)}."

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
        faces = range(1, 7)
        return Odds((), tuple(Chance(f"Rommel +{face}", Fraction(1, 6), (face,)) for face in faces))


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
            game.spend_advantage(1 - self.battle.side, "Fanatical Defence", "12.1A")
        result = STALEMATE if action.spend else SUCCESS
        apply_result(game, self.battle, result, self.points)

    def standing(self, game: Game, setting: str) -> Action | None:
        if setting == "from-3-ap":
            return None if self.points >= 3 else SpendAdvantage(False)
        return SpendAdvantage(False)
