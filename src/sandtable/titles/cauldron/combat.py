"""11.0, 13.1, 13.6 An attack carried out: helpers, chits before the die, and the roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.dice import D10_FROM_ZERO
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.rules import first_broken
from sandtable.kernel.steps import Step
from sandtable.kernel.words import listed
from sandtable.titles.cauldron.actions import Join, Pass, PlayChit, Resolve
from sandtable.titles.cauldron.aftermath import Aftermath
from sandtable.titles.cauldron.battle import (
    ATTACK_RULES,
    Battle,
    adjacent_enemies,
    attack_strength,
    candidates,
    cells,
    column,
    defence_strength,
    exact_odds,
    may_attack,
    modifiers,
)
from sandtable.titles.cauldron.chits import holds, spend
from sandtable.titles.cauldron.events import Fought, Joined, OddsSet
from sandtable.titles.cauldron.printed import ALLIED, AXIS, INTENSITIES
from sandtable.titles.cauldron.stacking import Overstacked
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.zoc import enemy


def attacks(game: Game, unit: UnitId, left: int) -> list[str]:
    """11.0 The intensities at which an active unit may attack from where it stands."""
    defenders = adjacent_enemies(game, unit)
    if not defenders or not may_attack(game, unit, defenders, True):
        return []
    move_class = game.kind(unit).move_class
    return [level for level in INTENSITIES if game.facts.attack_cost[level, move_class] <= left]


def no_attack(game: Game, unit: UnitId, level: str, left: int) -> Refusal:
    """11.0 Why an active unit may not attack so."""
    what = f"{game.name(unit)} cannot make a {level} attack"
    broken = first_broken(ATTACK_RULES, game, unit, adjacent_enemies(game, unit), True)
    if broken:
        return broken.refusal(what)
    if level not in INTENSITIES:
        return Refusal("11.0", f"{what}: attacks are {', '.join(INTENSITIES)}.")
    cost = game.facts.attack_cost[level, game.kind(unit).move_class]
    show = game.facts.show_points
    return Refusal(
        "11.0", f"{what}: it costs {show(cost)} movement points and {show(left)} are left."
    )


def forecast(game: Game, battle: Battle, *, alone: bool) -> Odds:
    """11.0 The odds of a battle as it stands, saying what later choices could change."""
    assumes = ["the attack is resolved with these units"] if alone else []
    sides = (game.side_of(battle.active), enemy(game.side_of(battle.active)))
    if any(game.players[side].held for side in sides):
        played = battle.attacker_chit or battle.defender_chit or battle.anti_tank
        which = "no further tactical chit is played"
        assumes.append(which if played else "neither side plays a tactical chit")
    return exact_odds(game, battle, tuple(assumes))


class Assault(Step[Game], frozen=True):
    """11.0 The attacker decides unit by unit who joins the attack, and sees the final odds."""

    rule: ClassVar[str] = "11.0"
    shown: ClassVar[bool] = True
    battle: Battle

    def begin(self, game: Game) -> None:
        # Stacking is judged at the moment of combat (10.0).
        game.push(Overstacked())

    def resume(self, game: Game, result: Any) -> None:
        active = self.battle.active
        if game.units[active].at < 0:
            game.pop("lost")
        else:
            defenders = adjacent_enemies(game, active)
            game.become_step(Assault(replace(self.battle, defenders=defenders)))

    def actor(self, game: Game) -> Side:
        return game.side_of(self.battle.active)

    def prompt(self, game: Game) -> str:
        battle = self.battle
        attack, defence = attack_strength(game, battle), defence_strength(game, battle)
        odds = game.facts.tables.crt.columns[column(game, attack, defence)]
        if not candidates(game, battle):
            return f"Resolve the attack ({attack} to {defence}, {odds})."
        return f"Add units to the attack ({attack} to {defence}, {odds}), or resolve it."

    def actions(self, game: Game) -> Sequence[Action]:
        return [*map(Join, candidates(game, self.battle)), Resolve()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Join(unit) if unit in self.battle.attackers:
                return Refusal("11.0", f"{game.name(unit)} is in the attack already.")
            case Join(unit) if game.side_of(unit) == self.actor(game):
                broken = first_broken(ATTACK_RULES, game, unit, self.battle.defenders, False)
                return broken.refusal(f"{game.name(unit)} cannot join") if broken else None
        return None

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Join(unit):
                game.log(Joined(unit, rule="11.0"))
                helpers = (*self.battle.helpers, unit)
                game.become_step(Assault(replace(self.battle, helpers=helpers)))
            case _:
                battle = self.battle
                attack, defence = attack_strength(game, battle), defence_strength(game, battle)
                name = game.facts.tables.crt.columns[column(game, attack, defence)]
                total = sum(each.value for each in modifiers(game, battle))
                game.log(OddsSet(attack, defence, name, total, rule="11.0"))
                game.swap(AttackerChits(battle))

    def odds(self, game: Game, action: Action) -> Odds | None:
        match action:
            case Join(unit):
                helpers = (*self.battle.helpers, unit)
                return forecast(game, replace(self.battle, helpers=helpers), alone=True)
            case Resolve():
                return forecast(game, self.battle, alone=False)
        return None


def playable(game: Game, side: Side, battle: Battle) -> list[Action]:
    """13.1, 13.6 The chits a side may play on this combat before the die."""
    found: list[Action] = []
    attacks_now = side == game.side_of(battle.active)
    played = battle.attacker_chit if attacks_now else battle.defender_chit
    # Two modifiers of one type do not add up (11.0), so a second Combat chit is useless (R44).
    if holds(game, side, "combat") and not played:
        found.append(PlayChit(game.facts.tactical["combat"]))
    if side == AXIS and holds(game, side, "anti-tank") and anti_tank_allowed(game, battle):
        found.append(PlayChit(game.facts.tactical["anti-tank"]))
    return found


def anti_tank_allowed(game: Game, battle: Battle) -> bool:
    """13.6 Allied armor takes part, and not only Pavia, Brescia or Trieste on the Axis side."""
    units = (*battle.attackers, *battle.defenders)
    axis = [game.kind(unit).formation for unit in units if game.side_of(unit) == AXIS]
    armor = any(game.side_of(unit) == ALLIED and game.is_armor(unit) for unit in units)
    return armor and not all(each in game.facts.no_anti_tank for each in axis)


class Chits(Step[Game], frozen=True):
    """13.1 A side may play tactical chits once the odds are known and before the die."""

    rule: ClassVar[str] = "13.1"
    battle: Battle

    def prompt(self, game: Game) -> str:
        battle = self.battle
        who, whom = (listed(map(game.name, each)) for each in (battle.attackers, battle.defenders))
        attack, defence = attack_strength(game, battle), defence_strength(game, battle)
        odds = game.facts.tables.crt.columns[column(game, attack, defence)]
        verb = "attacks" if len(battle.attackers) == 1 else "attack"
        where = listed(dict.fromkeys(game.hex(game.units[unit].at) for unit in battle.defenders))
        return f"{who} {verb} {whom} in {where} at {odds}: play a tactical chit on it, or pass?"

    def actions(self, game: Game) -> Sequence[Action]:
        return [*playable(game, self.actor(game), self.battle), Pass()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, PlayChit):
            name = game.facts.chits[action.chit].name
            number = "13.6" if name == "Anti-Tank" else "13.1"
            return Refusal(number, f"{name} cannot be played on this combat by this side now.")
        return None

    def with_chit(self, game: Game, action: PlayChit) -> Battle:
        """The battle after a chit is played on it."""
        if game.facts.chits[action.chit].tactical == "anti-tank":
            return replace(self.battle, anti_tank=self.battle.anti_tank + 1)
        if self.actor(game) == game.side_of(self.battle.active):
            return replace(self.battle, attacker_chit=True)
        return replace(self.battle, defender_chit=True)

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, PlayChit):
            number = "13.6" if game.facts.chits[action.chit].tactical == "anti-tank" else "13.1"
            battle = self.with_chit(game, action)
            spend(game, self.actor(game), action.chit, number)
            after = type(self)(battle)
            game.become_step(after)
            if not game.players[self.actor(game)].held:
                after.go_on(game)
        else:
            self.go_on(game)

    def go_on(self, game: Game) -> None:
        """The next to announce, or the die."""
        raise NotImplementedError


class AttackerChits(Chits, frozen=True):
    """13.1 The attacker announces first."""

    def begin(self, game: Game) -> None:
        if not game.players[self.actor(game)].held:
            self.go_on(game)

    def actor(self, game: Game) -> Side:
        return game.side_of(self.battle.active)

    def go_on(self, game: Game) -> None:
        game.swap(DefenderChits(self.battle))

    def odds(self, game: Game, action: Action) -> Odds | None:
        battle = self.with_chit(game, action) if isinstance(action, PlayChit) else self.battle
        return forecast(game, battle, alone=False)


class DefenderChits(Chits, frozen=True):
    """13.1 The defender answers, asked whenever chits lie face down: silence tells nothing."""

    shown: ClassVar[bool] = True
    interrupt: ClassVar[str] = "chits"

    def begin(self, game: Game) -> None:
        if not game.players[self.actor(game)].held:
            self.go_on(game)

    def actor(self, game: Game) -> Side:
        return enemy(game.side_of(self.battle.active))

    def standing(self, game: Game, setting: str) -> Action | None:
        return Pass()

    def go_on(self, game: Game) -> None:
        roll(game, self.battle)

    def odds(self, game: Game, action: Action) -> Odds | None:
        if isinstance(action, PlayChit):
            return forecast(game, self.with_chit(game, action), alone=False)
        return exact_odds(game, self.battle, ())


def roll(game: Game, battle: Battle) -> None:
    """11.0 Roll the die, read the table, and let both sides bear the result."""
    side = game.side_of(battle.active)
    place = game.facts.units[battle.active].id
    (die,) = game.roll("attack", by=side, rule="11.0", dice=(D10_FROM_ZERO,), place=place)
    row, at = cells(game, battle)[die]
    result = game.facts.crt[row][at].text
    total = sum(each.value for each in modifiers(game, battle))
    game.conclude(result)
    game.log(Fought(die, die + total, result, rule="11.0"))
    game.swap(Aftermath(battle, row, at))
