"""7.5, 7.5.1 The Combat Action, steps A to I."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import (
    Assault,
    CallOff,
    Join,
)
from sandtable.titles.theseus.challenges import Challenges, hidden_parents, show
from sandtable.titles.theseus.choices import (
    AirSupport,
    ArmourChoice,
    Escalation,
    LeadChoice,
    pay_escalation,
)
from sandtable.titles.theseus.combat_odds import attack_odds
from sandtable.titles.theseus.drms import (
    attack_choices,
    defence_choices,
    defence_support,
    helping,
    leads,
    modifiers,
)
from sandtable.titles.theseus.effectiveness import Checks, fail
from sandtable.titles.theseus.facts import read_result
from sandtable.titles.theseus.restrictions import release_by_attack
from sandtable.titles.theseus.results import Hits, bonus_points
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.snafu import Roll
from sandtable.titles.theseus.stacking import Displacements
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import (
    HASTY,
    Battle,
    air_limit,
    cup,
    find_column,
    new_battle,
    odds_name,
    result,
    shifts,
    strengths,
)
from sandtable.titles.theseus.withdrawal import RetreatBefore, can_withdraw


class FormAttack(Step[Game], frozen=True):
    """7.5.1.A Choose which units of the hex take part, then declare the attack."""

    rule: ClassVar[str] = "7.5.1.A"

    side: int
    units: tuple[int, ...]
    target: int

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        who, where = game.names(self.units), game.hexname(self.target)
        return f"Attack {where} with {who}, or add another unit."

    def joiners(self, game: Game) -> list[int]:
        """7.5.1.A Other able units of the same formation in the hex."""
        acting = game.stack[-2]
        first = game.pieces[self.units[0]]
        allowed: tuple[int, ...] = getattr(acting, "units", ())
        return [
            unit
            for unit in game.combat_units(first.hex)
            if unit not in self.units
            and first.parent >= 0
            and game.pieces[unit].parent == first.parent
            and not game.pieces[unit].disrupted
            and (not allowed or unit in allowed)
        ]

    def actions(self, game: Game) -> Sequence[Action]:
        return [Assault(), *(Join(UnitId(unit)) for unit in self.joiners(game))]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, Join):
            return Refusal(
                "7.5.1.A",
                f"{game.name(action.unit)} cannot join: only undisrupted units of the same "
                "formation in the same hex attack together.",
            )
        return None

    def battle(self, game: Game) -> Battle:
        """7.5.1.A The battle that would be declared."""
        hex = game.pieces[self.units[0]].hex
        return new_battle(game, self.side, self.units, hex, self.target)

    def odds(self, game: Game, action: Action) -> Odds | None:
        return attack_odds(game, self.battle(game)) if isinstance(action, Assault) else None

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Join):
            game.become_step(replace(self, units=(*self.units, action.unit)))
        else:
            game.swap(Combat(self.battle(game)))


Stage = Literal[
    "isolated", "depleted", "challenge", "withdraw", "gone", "escalate", "air", "lead",
    "armour", "roll", "defender", "lone", "attacker", "after", "victory",
]  # fmt: skip


def in_company(game: Game) -> Iterator[tuple[int, int]]:
    """5.3.2 Formations whose HQ shares its hex with combat units, and the hex."""
    for formation in range(len(game.data.hqs)):
        hex = game.hex_of_hq(formation)
        if hex >= 0 and game.combat_units(hex):
            yield formation, hex


class Combat(Step[Game], frozen=True):
    """7.5.1 One combat from declaration to Battle Victory, stage by stage."""

    rule: ClassVar[str] = "7.5.1"

    battle: Battle
    stage: Stage = "isolated"
    outcome: str = ""
    company: tuple[tuple[int, int], ...] = ()
    """Formations whose HQ shared its hex with combat units before the combat, and the hex."""

    def actor(self, game: Game) -> Side:
        return SIDES[self.battle.side]

    def go(self, game: Game, stage: Stage, **changes: Any) -> Combat:
        """Enter a stage with what has been decided since."""
        step = replace(self, battle=replace(self.battle, **changes), stage=stage)
        game.become_step(step)
        return step

    def begin(self, game: Game) -> None:
        """7.5.1.A Declare: the attackers leave their cover, isolated ones are checked (5.8.4)."""
        battle = self.battle
        game.lapse(battle.hex)
        isolated = game.situation.isolated(game, battle.units)
        if isolated:
            game.push(Checks(isolated, "5.8.4"))
        else:
            self.declare(game)

    def resume(self, game: Game, result: Any) -> None:
        match self.stage:
            case "isolated":
                self.checked(game, [unit for unit, _ in result])
            case "challenge":
                self.offer_retreat(game)
            case "withdraw":
                self.withdrawn(game, result)
            case "escalate":
                self.escalated(game, result)
            case "air":
                self.supported(game, result)
            case "lead":
                self.go(game, "lead", lead=result).attack_armour(game)
            case "armour":
                self.armoured(game, result)
            case "roll":
                self.rolled(game, result)
            case "defender":
                self.clear_target(game)
            case "lone":
                self.hit_attacker(game)
            case "attacker":
                self.after(game)
            case "after":
                self.victory(game)
            case "gone" | "victory":
                game.pop()

    def checked(self, game: Game, failed: list[int]) -> None:
        """5.8.4 Isolated units that fail disrupt and take no part; AP are spent all the same."""
        for unit in failed:
            fail(game, unit, "5.8.4")
        left = tuple(unit for unit in self.battle.units if unit not in failed)
        if not left:
            game.log(ev.CalledOff(rule="5.8.4"))
            game.pop()
        elif failed:
            self.go(game, "depleted", units=left)
        else:
            self.declare(game)

    # The only choice of its own: whether those that passed attack without the others.

    def prompt(self, game: Game) -> str:
        where, who = game.hexname(self.battle.target), game.names(self.battle.units)
        return f"Attack {where} with {who} alone, or call the attack off."

    def actions(self, game: Game) -> Sequence[Action]:
        return [Assault(), CallOff()]

    def odds(self, game: Game, action: Action) -> Odds | None:
        assault = isinstance(action, Assault)
        return attack_odds(game, self.battle, checked=True) if assault else None

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Assault):
            self.declare(game)
        else:
            game.log(ev.CalledOff(rule="5.8.4"))
            game.pop()

    def declare(self, game: Game) -> None:
        """5.3.4, 7.5.1.A The declaration shows the attacker what defends; assignments may be challenged."""  # noqa: E501
        battle = self.battle
        release_by_attack(game, battle.target)
        defenders = tuple(UnitId(unit) for unit in battle.defenders)
        game.log(
            ev.AttackDeclared(Space(battle.hex), Space(battle.target), defenders, rule="7.5.1.A")
        )
        step = replace(self, company=tuple(in_company(game))).go(game, "challenge")
        units = hidden_parents(game, battle.defenders)
        if units and not game.static(battle.side):
            game.push(Challenges(battle.side, units))
        else:
            step.offer_retreat(game)

    def offer_retreat(self, game: Game) -> None:
        """7.5.1.B The defender may try to retreat before combat."""
        step = self.go(game, "withdraw")
        if can_withdraw(game, self.battle):
            game.push(RetreatBefore(self.battle))
        else:
            step.withdrawn(game, "stands")

    def withdrawn(self, game: Game, result: str) -> None:
        """7.5.1.B Gone, the attack is over; failed, the attacker gains a DRM."""
        if result == "gone":
            lone = self.lone_hqs(game)
            self.go(game, "gone")
            if lone:
                game.push(Displacements(lone))
            else:
                game.pop()
            return
        battle = self.battle
        shown = tuple(UnitId(unit) for unit in battle.units)
        game.log(ev.AttackersShown(shown, rule="7.5.1.1"))
        # Ruling R61: support, Combined Arms and the Schwerpunkt give assignments away.
        show(game, (*battle.units, *battle.defenders))
        helpers = tuple(helping(game, battle, side) for side in (0, 1))
        step = self.go(game, "escalate", failed_retreat=result == "failed", helpers=helpers)
        game.push(Escalation(step.battle))

    def escalated(self, game: Game, kind: str) -> None:
        """7.5.1.C, 7.5.1.D Pay for the kind of attack; each side draws a chit from one cup."""
        pay_escalation(game, kind)
        if kind != HASTY:
            game.log(ev.Escalated(kind, rule="7.5.1.C"))
        sides = len(cup(game))
        place = game.data.board.names[self.battle.target]
        first, second = (
            game.roll("combat chit", SIDES[side], "7.5.1.2", dice=(left,), place=place)[0] - 1
            for side, left in ((self.battle.side, sides), (self.battle.enemy, sides - 1))
        )
        second += second >= first  # the first chit is out of the cup
        step = self.go(game, "air", kind=kind, attack_chit=first, defence_chit=second)
        step.compare(game)

    def compare(self, game: Game) -> None:
        """7.5.1.E, 7.5.1.F Work out the odds; an Axis attacker may add air units."""
        battle = self.battle
        attack, defence = strengths(game, battle)
        column = find_column(game, battle, attack, defence)
        chits = cup(game)
        game.log(
            ev.ChitsDrawn(
                chits[battle.attack_chit].id,
                chits[battle.defence_chit].id,
                attack,
                defence,
                odds_name(game, battle, column),
                rule="7.5.1.E",
            )
        )
        if air_limit(game, battle):
            game.push(AirSupport(battle))
        else:
            self.supported(game, 0)

    def supported(self, game: Game, number: int) -> None:
        """7.5.1.4, 7.5.1.5.A Air units fly; the defender names a Lead Formation if it matters."""
        if number:
            game.air -= number
            game.log(ev.AirCommitted(number, rule="7.5.1.4"))
        step = self.go(game, "lead", air=number)
        battle = step.battle
        if find_column(game, battle, *strengths(game, battle)) < 0:
            step.below_table(game)
            return
        able = leads(game, battle)
        worth = {sum(m.value for m in defence_support(game, battle, each)) for each in able}
        if len(worth) > 1:
            game.push(LeadChoice(battle))
        else:
            step.go(game, "lead", lead=able[0] if able else -1).attack_armour(game)

    def below_table(self, game: Game) -> None:
        """7.5.1.E Odds below the table are a 5/0 whatever else was committed (ruling R70)."""
        game.conclude(game.data.below_table.text)
        self.go(game, "roll").resolved(game, 0, ())

    def attack_armour(self, game: Game) -> None:
        """7.5.1.5.C The attacker names his tank unit first."""
        step = self.go(game, "armour")
        choices = attack_choices(game, self.battle)
        if len(choices) > 1:
            game.push(ArmourChoice(self.battle, True))
        else:
            step.armoured(game, (True, choices[0] if choices else -1))

    def armoured(self, game: Game, chosen: tuple[bool, int]) -> None:
        """7.5.1.5.C Then the defender chooses between Tank and Anti-Tank Points."""
        attacking, unit = chosen
        step = self
        if attacking:
            step = self.go(game, "armour", attack_unit=unit)
            choices = defence_choices(game, step.battle)
            if len(choices) > 1:
                game.push(ArmourChoice(step.battle, False))
                return
            unit = choices[0] if choices else -1
        step.go(game, "roll", defence_unit=unit).roll(game)

    def roll(self, game: Game) -> None:
        """7.5.1.G The attacker rolls with all DRMs."""
        battle = self.battle
        column = find_column(game, battle, *strengths(game, battle))
        drm = sum(each.value for each in modifiers(game, battle))
        labels = tuple(result(game, column, face, drm).text for face in range(1, 11))
        place = game.data.board.names[battle.target]
        game.push(Roll(battle.side, "combat", "7.5.1.G", place, labels))

    def rolled(self, game: Game, face: int) -> None:
        """7.5.1.H The modified roll finds the result."""
        named = (*modifiers(game, self.battle), *shifts(game, self.battle))
        self.resolved(game, face, tuple(f"{each.name} {each.value:+}" for each in named))

    def resolved(self, game: Game, face: int, words: tuple[str, ...]) -> None:
        """7.5.1.I The defender takes his hits in full before the attacker."""
        battle = self.battle
        column = find_column(game, battle, *strengths(game, battle))
        drm = sum(each.value for each in modifiers(game, battle)) if face else 0
        cell = result(game, column, face, drm)
        game.log(
            ev.CombatResolved(
                Space(battle.target),
                cell.text,
                odds_name(game, battle, column),
                face,
                drm,
                words,
                rule="7.5.1.H",
            )
        )
        replace(self, outcome=cell.text).go(game, "defender")
        units = battle.defenders
        game.push(Hits(units, cell.defender, cell.defender_red, battle.defence_unit, False))

    def clear_target(self, game: Game) -> None:
        """5.3.2, 7.5 An HQ left alone by the defenders goes at once, before the attacker's hits."""
        step = self.go(game, "lone")
        lone = self.lone_hqs(game)
        if lone:
            game.push(Displacements(lone))
        else:
            step.hit_attacker(game)

    def hit_attacker(self, game: Game) -> None:
        """7.5.2 The attacker's turn to take hits."""
        cell = read_result(self.outcome)
        self.go(game, "attacker")
        battle = self.battle
        game.push(Hits(battle.units, cell.attacker, cell.attacker_red, battle.attack_unit, True))

    def after(self, game: Game) -> None:
        """7.5 An HQ left alone by the combat is displaced, even with no enemy near."""
        step = self.go(game, "after")
        lone = self.lone_hqs(game)
        if lone:
            game.push(Displacements(lone))
        else:
            step.victory(game)

    def lone_hqs(self, game: Game) -> tuple[int, ...]:
        """5.3.2 Formations whose HQ is suddenly alone: where it was fought, or on a retreat."""
        found = [
            piece - game.data.count
            for hex in (self.battle.target, self.battle.hex)
            if not game.combat_units(hex)
            for piece in game.at.get(hex, ())
        ]
        found += (
            formation
            for formation, hex in self.company
            if game.hex_of_hq(formation) == hex and not game.combat_units(hex)
        )
        return tuple(dict.fromkeys(found))

    def victory(self, game: Game) -> None:
        """7.5.3 The side with fewer hits wins and acts at once with a bonus point."""
        step = bonus_points(game, self.battle, self.outcome)
        self.go(game, "victory")
        if step is None:
            game.pop()
        else:
            game.push(step)
