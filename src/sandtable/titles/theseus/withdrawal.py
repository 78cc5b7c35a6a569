"""7.5.1.1 Retreat before Combat."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, Space
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds, gather
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import Stand, Withdraw
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.reach import allowance, march
from sandtable.titles.theseus.restrictions import restriction
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.snafu import Roll
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import Battle


def moving_stack(game: Game, battle: Battle) -> tuple[int, ...]:
    """7.5.1.1 The whole stack goes, with its own HQ if that is there (ruling R54)."""
    parent = game.pieces[battle.defenders[0]].parent
    return tuple(piece for piece in game.at[battle.target] if game.pieces[piece].parent == parent)


def can_withdraw(game: Game, battle: Battle) -> bool:
    """7.5.1.B, 7.5.1.1 All undisrupted, none isolated, one formation, one of them motorised."""
    units = battle.defenders
    parents = {game.pieces[unit].parent for unit in units}
    if game.static(battle.enemy) or len(parents) > 1 or -1 in parents:
        return False
    if any(game.pieces[unit].disrupted for unit in units):
        return False
    if game.situation.isolated(game, units):
        return False
    if not any(game.card[unit].motorised for unit in units):
        return False
    if restriction(game, parents.pop()) == "stay":
        return False
    stack = moving_stack(game, battle)
    return bool(march(game, stack, allowance(game, stack), True, "withdrawal").cost)


def scouts(game: Game, units: Sequence[int]) -> list[int]:
    """7.5.1.1 Undisrupted armoured car or recce units."""
    return [
        unit
        for unit in units
        if game.card[unit].type == "armoured_car" and not game.pieces[unit].disrupted
    ]


def attack_bonus(game: Game, stack: Sequence[int]) -> list[Modifier]:
    """7.5.1.1 Half the rating of the best scout in the attacker's stack, rounded up (5.1)."""
    best = max((game.card[unit].effectiveness[0] for unit in scouts(game, stack)), default=0)
    return [Modifier("attacking armoured cars", -(-best // 2), "7.5.1.1")] if best else []


def defence_bonus(game: Game, battle: Battle) -> list[Modifier]:
    """7.5.1.1 Half a scout's rating; against leg attackers a motorised unit's whole rating too.

    Ruling R17: one unit serves for one of the two.
    """

    def rating(unit: int) -> int:
        return game.card[unit].effectiveness[0]

    cars = scouts(game, battle.defenders)
    on_foot = all(not game.card[unit].motorised for unit in battle.units)
    carried = [unit for unit in battle.defenders if game.card[unit].motorised] if on_foot else []
    pairs = [
        (scout, carrier)
        for scout in (*cars, -1)
        for carrier in (*carried, -1)
        if scout != carrier or scout < 0
    ]

    def worth(pair: tuple[int, int]) -> int:
        scout, carrier = pair
        half = -(-rating(scout) // 2) if scout >= 0 else 0
        return half + (rating(carrier) if carrier >= 0 else 0)

    scout, carrier = max(pairs, key=worth)
    found: list[Modifier] = []
    if scout >= 0:
        name = f"{game.name(scout)} scouting"
        found.append(Modifier(name, -(-rating(scout) // 2), "7.5.1.1"))
    if carrier >= 0:
        found.append(Modifier(f"{game.name(carrier)} on wheels", rating(carrier), "7.5.1.1"))
    return found


class RetreatBefore(Step[Game], frozen=True):
    """7.5.1.1 The defender decides; both roll; a higher total gets him away.

    Pops "stands", "failed" or "gone".
    """

    rule: ClassVar[str] = "7.5.1.1"
    interrupt: ClassVar[str] = "withdraw"

    battle: Battle
    first: int = -1
    """The side that rolls first."""
    rolls: tuple[int, ...] = ()
    going: bool = False

    def actor(self, game: Game) -> Side:
        return SIDES[self.battle.enemy]

    def prompt(self, game: Game) -> str:
        where = game.hexname(self.battle.target)
        return f"{where} is attacked: withdraw before combat, or stand?"

    def actions(self, game: Game) -> Sequence[Action]:
        return [Stand(), Withdraw()]

    def standing(self, game: Game, setting: str) -> Action | None:
        if setting.startswith("always"):
            return Withdraw()
        if setting.startswith("even-odds"):
            odds = self.odds(game, Withdraw())
            assert odds is not None
            return Withdraw() if odds.chance_for(SIDES[self.battle.enemy]) >= 0.5 else Stand()
        return Stand()

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        return None

    def odds(self, game: Game, action: Action) -> Odds | None:
        """7.5.1.1 The defender must roll higher; he counts with the attackers he sees."""
        from sandtable.titles.theseus.intelligence import visible

        if not isinstance(action, Withdraw):
            return None
        stack = game.combat_units(self.battle.hex)
        here = visible(game, self.battle.hex, self.battle.enemy)
        seen = tuple(unit for unit in stack if unit in here)
        ours = defence_bonus(game, replace(self.battle, units=seen))
        theirs = attack_bonus(game, seen)
        edge = sum(m.value for m in ours) - sum(m.value for m in theirs)
        enemy, own = SIDES[self.battle.side], SIDES[self.battle.enemy]
        chances = [
            Chance(
                "withdraws" if defence + edge > attack else "fails",
                Fraction(1, 100),
                (attack, defence) if game.snafu == self.battle.side else (defence, attack),
                own if defence + edge > attack else enemy,
            )
            for attack in range(1, 11)
            for defence in range(1, 11)
        ]
        named = (*ours, *(Modifier(m.name, -m.value, m.rule) for m in theirs))
        notes = ["nobody uses SNAFU"]
        if len(stack) > 1:
            notes.append("all attackers seen take part")
        if len(seen) < len(stack):
            notes.append("those beneath are no scouts, and on foot if the top unit is")
        return Odds(named, gather(chances), tuple(notes))

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Withdraw):
            place = game.data.board.names[self.battle.target]
            # Ruling R76: the holder of SNAFU rolls first and then answers, knowing both dice.
            game.become_step(replace(self, first=game.snafu))
            game.push(Roll(game.snafu, "retreat before combat", "7.5.1.1", place))
        else:
            game.pop("stands")

    def resume(self, game: Game, result: Any) -> None:
        battle = self.battle
        if self.going:
            game.pop("gone")
            return
        bonus = [0, 0]
        bonus[battle.side] = sum(m.value for m in attack_bonus(game, game.combat_units(battle.hex)))
        bonus[battle.enemy] = sum(m.value for m in defence_bonus(game, battle))
        rolls = (*self.rolls, result)
        step = replace(self, rolls=rolls)
        game.become_step(step)
        second = 1 - self.first
        if len(rolls) == 1:
            place = game.data.board.names[battle.target]
            lead = rolls[0] + bonus[self.first] - bonus[second]
            labels = tuple(
                "withdraws" if (face > lead if second == battle.enemy else face < lead) else "fails"
                for face in range(1, 11)
            )
            game.push(Roll(second, "retreat before combat", "7.5.1.1", place, labels))
            return
        totals = [0, 0]
        totals[self.first] = rolls[0] + bonus[self.first]
        totals[second] = rolls[1] + bonus[second]
        attack, defence = totals[battle.side], totals[battle.enemy]
        done = defence > attack
        game.log(
            ev.RetreatBeforeCombat(Space(battle.target), attack, defence, done, rule="7.5.1.1")
        )
        if not done:
            game.pop("failed")
            return
        game.become_step(replace(step, going=True))
        stack = moving_stack(game, battle)
        game.push(Movement(battle.enemy, stack, "withdrawal", reactable=False))
