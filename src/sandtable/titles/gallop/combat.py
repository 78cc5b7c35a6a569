"""XIV.A-C Ground combat: who must attack, the odds, no-retreat orders and the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.boards import bits, mask_of
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.steps import Step
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import (
    Activate,
    Also,
    Attack,
    Cancel,
    Done,
    Join,
    Resolve,
    Stand,
)
from sandtable.titles.gallop.disruption import Forced
from sandtable.titles.gallop.duty import Duty, duty, feasible, full, strikers, unknown
from sandtable.titles.gallop.movement import sleepers
from sandtable.titles.gallop.reckoning import battle_odds, reckon
from sandtable.titles.gallop.retreat import Beaten, Rout, can_retreat
from sandtable.titles.gallop.state import UNKNOWN, Game
from sandtable.titles.gallop.terrain import defense, spared

DEFENDERS = {"DE": "DE", "R2": "R2", "R1": "R1", "D": "D", "DAR": "D", "DAE": "D"}
ATTACKERS = {"AR": "AR", "DAR": "AR", "AE": "AE", "DAE": "AE"}
SOFTENED = {"R1": "D", "R2": "R1", "DE": "R2"}
"""XI.A.1 Results against a box or fort."""


class Attacks(Step["Game"], frozen=True):
    """XIV.A.2, XIV.C.1 The attack phase: battles in any order until all that must be are fought."""

    rule: ClassVar[str] = "XIV.A.2"
    shown: ClassVar[bool] = True
    side: Side
    attacked: tuple[Space, ...] = ()
    called_off: tuple[Space, ...] = ()
    """XIV.A.6, ruling R64 Hexes whose attack was cancelled since the latest battle."""

    def actor(self, game: Game) -> Side:
        """The phasing player."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for an attack; name what must be attacked."""
        names = ", ".join(game.facts.board.text(self.duty(game).hexes))
        return f"Attack; you must still attack {names}." if names else "Attack, or end the phase."

    def duty(self, game: Game) -> Duty:
        """XIV.A.2 What must still be attacked."""
        return duty(game, self.side, self.attacked)

    def targets(self, game: Game) -> list[Space]:
        """Enemy hexes that one's available units can attack at 1:4 or better."""
        task = self.duty(game)
        beside = game.facts.board.spread(mask_of(game.pieces[unit].hex for unit in task.everyone))
        seen = game.lay.seen[game.enemy(self.side)] & beside
        return [Space(hex) for hex in bits(seen) if task.can_grow((Space(hex),), ())]

    def actions(self, game: Game) -> Sequence[Action]:
        """The hexes that can be attacked; to end once nothing is due."""
        found: list[Action] = [Attack(hex) for hex in self.targets(game)]
        if self.side == "allied" and not game.historical:
            found += [Activate(unit) for unit in sleepers(game)]
        return found if self.duty(game).hexes else [*found, Done()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Why an attack cannot be made, or the phase not be ended."""
        if isinstance(action, Done):
            return Refusal("XIV.A.2", self.prompt(game))
        if isinstance(action, Activate):
            if game.historical:
                return Refusal("V.A", "Units are activated at the start of the Allied player-turn.")
            return Refusal("V.B", "Only Allied units that sleep can be activated.")
        if not isinstance(action, Attack):
            return None
        what = f"{game.hex_name(action.hex)} cannot be attacked"
        if not game.lay.seen[game.enemy(self.side)] >> action.hex & 1:
            return Refusal("XIV.A.2", f"{what}: no enemy unit is there.")
        task = self.duty(game)
        if not strikers(game, task.everyone, [action.hex]):
            return Refusal("XIV.A.2", f"{what}: no unit that may still attack is next to it.")
        if not task.groups((action.hex,), (), mask_of(task.everyone)):
            return Refusal("XIV.B.4", f"{what}: attacks below 1:4 are not allowed.")
        return Refusal("XIV.A.2", f"{what}: its units must attack other hexes.")

    def apply(self, game: Game, action: Action) -> None:
        """Plan an attack, wake a unit, or end the phase."""
        match action:
            case Attack(hex):
                game.push(Assault(self.side, (hex,)))
            case Activate(unit):
                game.activate(unit, "V.B")
            case _:
                game.swap(Forced(self.side, self.attacked))

    def begin(self, game: Game) -> None:
        """XIV.C.1 The phase is over when nothing is left to attack."""
        if self.actions(game) == [Done()]:
            game.swap(Forced(self.side, self.attacked))

    def resume(self, game: Game, result: Any) -> None:
        """Remember what was attacked, or that an attack was called off."""
        if isinstance(result, int):
            game.swap(replace(self, called_off=(*self.called_off, Space(result))))
        else:
            game.swap(Attacks(self.side, (*self.attacked, *result)))


class Assault(Step["Game"], frozen=True):
    """XIV.A.4, XIV.A.6, XIV.B.1 Put an attack together: hexes, units, factors."""

    rule: ClassVar[str] = "XIV.A.4"
    shown: ClassVar[bool] = True
    side: Side
    targets: tuple[Space, ...]
    joined: tuple[tuple[UnitId, int], ...] = ()

    def actor(self, game: Game) -> Side:
        """The attacker."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for units, and show what stands."""
        where = ", ".join(game.hex_name(hex) for hex in self.targets)
        if not self.joined:
            return f"Choose the units that attack {where}."
        return f"Add units to the attack on {where}, or resolve it{self.standing_odds(game)}."

    def standing_odds(self, game: Game) -> str:
        """The odds as they are, in brackets."""
        if unknown(game, self.targets):
            return ""
        now = reckon(game, self.targets, self.joined)
        names = game.facts.tables.gcrt.columns
        return f" (now {names[now.column]})" if now else " (now below 1:4)"

    def phase(self, game: Game) -> Attacks:
        """The attack phase this attack is part of."""
        return next(step for step in game.stack if isinstance(step, Attacks))

    def task(self, game: Game) -> Duty:
        """XIV.A.2 What must be attacked, in this battle or after it."""
        return duty(game, self.side, self.phase(game).attacked)

    def pool(self, game: Game) -> list[UnitId]:
        """VIII.A.3 Units that can still join; in a sandstorm only from one hex."""
        task, used = self.task(game), mask_of(unit for unit, _ in self.joined)
        pools = task.pools(self.targets, self.joined, mask_of(task.everyone) & ~used)
        return sorted(unit for pool in pools for unit in pool)

    def actions(self, game: Game) -> Sequence[Action]:
        """Units with all or some of their factors, more hexes, the battle itself, or call it off.

        Every plan offered can be brought to a battle.
        """
        targets, joined, task = self.targets, self.joined, self.task(game)
        found: list[Action] = []
        for unit in self.pool(game):
            for factors in range(game.book[unit].attack, 0, -1):
                if not task.can_grow(targets, (*joined, (unit, factors))):
                    break
                found.append(Join(unit, factors))
        if joined:
            found += [Also(hex) for hex in self.more(game)]
            if feasible(game, targets, joined) and task.allows(targets, joined):
                found.append(Resolve())
        if targets[0] not in self.phase(game).called_off:
            found.append(Cancel())
        return found

    def more(self, game: Game) -> list[Space]:
        """XIV.A.4 Other enemy hexes that every attacking unit is next to."""
        task, seen = self.task(game), game.lay.seen[game.enemy(self.side)]
        for unit, _ in self.joined:
            seen &= game.facts.board.spread(1 << game.pieces[unit].hex)
        units = [unit for unit, _ in self.joined]
        return [
            Space(hex)
            for hex in bits(seen & ~mask_of(self.targets))
            if len(strikers(game, units, [Space(hex)])) == len(units)
            and task.can_grow((*self.targets, Space(hex)), self.joined)
        ]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Why a unit or hex cannot be part of this attack."""
        match action:
            case Resolve():
                if not feasible(game, self.targets, self.joined):
                    return Refusal("XIV.B.4", "Add units: attacks below 1:4 are not allowed.")
                rest = self.task(game).hexes & ~mask_of(self.targets)
                names = ", ".join(game.facts.board.text(rest))
                return Refusal(
                    "XIV.A.2",
                    f"This attack would leave too few units for what must be attacked ({names}): "
                    "add a hex, or call it off and plan anew.",
                )
            case Cancel():
                return Refusal(
                    "XIV.A.6",
                    "The attack on this hex was called off once already; take the steps of the "
                    "plan back instead.",
                )
            case Also(hex):
                return Refusal(
                    "XIV.A.4",
                    f"{game.hex_name(hex)} cannot be added: every attacking unit must be next to "
                    "every hex attacked, at 1:4 or better.",
                )
            case Join(unit, factors):
                what = f"{game.name(unit)} cannot join with {factors}"
                if unit not in game.facts.of_side[self.side]:
                    return Refusal("XIV.A.2", f"{what}: it is not yours.")
                piece = game.pieces[unit]
                if not piece.active:
                    return Refusal("V.A", f"{what}: it is not activated.")
                if piece.disrupted:
                    return Refusal("IX.B", f"{what}: a Disrupted unit may not attack.")
                if piece.attacked or unit in {one for one, _ in self.joined}:
                    return Refusal("XIV.A.1", f"{what}: a unit attacks once in a turn.")
                if piece.hex < 0 or not strikers(game, [unit], self.targets):
                    return Refusal("XIV.A.4", f"{what}: it is not next to every hex attacked.")
                if unit not in self.pool(game):
                    return Refusal(
                        "VIII.A.3", f"{what}: in a sandstorm hexes do not attack together."
                    )
                if not 1 <= factors <= game.book[unit].attack:
                    return Refusal("XIV.B.1", f"{what}: it has {game.book[unit].attack} factors.")
                others = [other for other in self.pool(game) if other != unit]
                plan = [*self.joined, (unit, factors), *full(game, others)]
                if not feasible(game, self.targets, plan):
                    return Refusal("XIV.B.4", f"{what}: the attack would stay below 1:4.")
                return Refusal("XIV.A.2", f"{what}: it is needed against another hex.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        """Add a unit or a hex, or fight."""
        match action:
            case Join(unit, factors):
                game.become_step(replace(self, joined=(*self.joined, (unit, factors))))
            case Also(hex):
                game.become_step(replace(self, targets=(*self.targets, hex)))
            case Cancel():
                game.pop(self.targets[0])
            case _:
                self.fight(game)

    def fight(self, game: Game) -> None:
        """V.A, V.B, XIV.A.1 Attacked units wake and turn up; then the odds are known."""
        units = tuple(unit for unit, _ in self.joined)
        for unit in units:
            game.put(unit, attacked=True)
        known = not any(p.hidden == UNKNOWN and p.hex in self.targets for p in game.pieces)
        game.wake_attacked(self.targets)
        targets = tuple(hex for hex in self.targets if game.stack_at(hex))
        reckoning = reckon(game, targets, self.joined) if targets else None
        if reckoning is None:
            why, number = "only dummies", "XIV.B.6" if known else "V.B"
            if targets:
                why, number = "below 1:4", "XIV.B.4"
            game.log(ev.AttackFailed(units, self.targets, why, rule=number))
            strain(game, units)
            game.pop(())
            return
        column = game.facts.tables.gcrt.columns[reckoning.column]
        game.log(ev.AttackMade(units, targets, column, rule="XIV.B.3"))
        game.swap(Battle(self.side, targets, self.joined))

    def odds(self, game: Game, action: Action) -> Odds | None:
        """The chances if this is done and the battle fought with nothing more."""
        if unknown(game, self.targets):
            return None
        targets, joined = self.targets, self.joined
        assumes = ["the defender gives no NO RETREAT orders"]
        match action:
            case Join(unit, factors):
                joined = (*joined, (unit, factors))
                assumes.append("the attack is resolved without more units")
            case Also(hex):
                if unknown(game, [hex]):
                    return None
                targets = (*targets, hex)
                assumes.append("the attack is resolved without more units")
        reckoning = reckon(game, targets, joined)
        return battle_odds(game, reckoning, self.side, *assumes) if reckoning else None


class NoRetreat(Step["Game"], frozen=True):
    """XIV.B.5 The defender may forbid units with half the factors of a hex to retreat."""

    rule: ClassVar[str] = "XIV.B.5"
    interrupt: ClassVar[str] = "no-retreat"
    shown: ClassVar[bool] = True
    side: Side
    hexes: tuple[Space, ...]
    chosen: tuple[UnitId, ...] = ()

    def actor(self, game: Game) -> Side:
        """The defender."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for orders."""
        return f"Give NO RETREAT orders to units in {game.hex_name(self.hexes[0])}, or go on."

    def begin(self, game: Game) -> None:
        """Done when every hex has had its answer."""
        if not self.hexes:
            if self.chosen:
                game.log(ev.OrderedToStand(self.chosen, rule="XIV.B.5"))
            game.pop(self.chosen)

    def battle(self, game: Game) -> Battle:
        """The battle the orders are for."""
        return next(step for step in reversed(game.stack) if isinstance(step, Battle))

    def here(self, game: Game) -> list[UnitId]:
        """The units that are asked for now."""
        return game.stack_at(self.hexes[0])

    def enough(self, game: Game) -> bool:
        """XIV.B.5 No orders at all, or orders to at least half the terrain-modified factors."""
        units = self.here(game)
        ordered = [unit for unit in units if unit in self.chosen]
        if not ordered or len(ordered) == len(units):
            return True
        shares = defense(game, self.hexes[0], self.battle(game).joined).shares
        return 2 * sum(shares[unit] for unit in ordered) >= sum(shares.values())

    def actions(self, game: Game) -> Sequence[Action]:
        """Units without orders yet; to go on when they are enough."""
        found: list[Action] = [Stand(u) for u in self.here(game) if u not in self.chosen]
        return [*found, Done()] if self.enough(game) else found

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Orders must bind half of the hex."""
        if isinstance(action, Done):
            return Refusal("XIV.B.5", "Orders must go to at least half the factors in the hex.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        """Note an order, or go to the next hex."""
        now = self
        if isinstance(action, Stand):
            now = replace(self, chosen=(*self.chosen, action.unit))
            if not now.chosen_all(game):
                game.become_step(now)
                return
        game.swap(replace(now, hexes=self.hexes[1:]))

    def chosen_all(self, game: Game) -> bool:
        """Whether every unit of the hex has its orders."""
        return all(unit in self.chosen for unit in self.here(game))

    def odds(self, game: Game, action: Action) -> Odds | None:
        """The battle's chances, once the last hex is answered."""
        if not isinstance(action, Done) or len(self.hexes) > 1:
            return None
        battle = self.battle(game)
        reckoning = reckon(game, battle.targets, battle.joined)
        return battle_odds(game, reckoning, battle.side) if reckoning else None

    def standing(self, game: Game, setting: str) -> Action | None:
        """Standing orders: never stand, or always."""
        waiting = [unit for unit in self.here(game) if unit not in self.chosen]
        return Stand(waiting[0]) if setting == "always" and waiting else Done()


class Battle(Step["Game"], frozen=True):
    """XIV.C.2 A battle: orders, the die, the defenders' fate, then the attackers'."""

    rule: ClassVar[str] = "XIV.C.2"
    side: Side
    targets: tuple[Space, ...]
    joined: tuple[tuple[UnitId, int], ...]
    result: str = ""
    attackers_done: bool = False

    def begin(self, game: Game) -> None:
        """Ask the defender for orders first."""
        game.push(NoRetreat(game.enemy(self.side), self.targets))

    def resume(self, game: Game, result: Any) -> None:
        """After the orders roll; after the defenders' retreats come the attackers'."""
        if not self.result:
            self.roll(game, tuple(result))
        elif not self.attackers_done:
            game.become_step(replace(self, attackers_done=True))
            self.beat_attackers(game)
        else:
            strain(game, [unit for unit, _ in self.joined])
            game.pop(self.targets)

    def roll(self, game: Game, orders: tuple[UnitId, ...]) -> None:
        """XIV.C.2, GCRT One die under the final odds."""
        reckoning = reckon(game, self.targets, self.joined)
        assert reckoning is not None
        place = game.hex_name(self.targets[0])
        (face,) = game.roll("attack", self.side, "XIV.C.2", place=place)
        result = game.facts.gcrt[reckoning.column][face - 1]
        game.conclude(result)
        game.become_step(replace(self, result=result))
        away = tuple(sorted({game.pieces[unit].hex for unit, _ in self.joined}))
        if ATTACKERS.get(result) == "AE":
            for unit in self.exposed(game):
                game.eliminate(unit, result, "GCRT")
        beaten = self.beat_defenders(game, DEFENDERS.get(result, "-"), orders, away)
        game.push(Rout(self.side, beaten))

    def beat_defenders(
        self, game: Game, result: str, orders: tuple[UnitId, ...], away: tuple[Space, ...]
    ) -> tuple[Beaten, ...]:
        """XIV.C.2, XI.A.1, XIV.B.5, XIV.D.3, XIV.D.5 What the result does to each defender."""
        if result == "-":
            return ()
        lost: list[tuple[UnitId, str]] = []
        beaten: list[Beaten] = []
        for hex in self.targets:
            for unit in game.stack_at(hex):
                kind, fixed, number = fate(game, unit, result, unit in orders, away)
                if kind == "DE":
                    lost.append((unit, number))
                    continue
                tired = game.pieces[unit].disrupted
                bound = unit in orders
                must = {"R2": 2, "R1": 1}.get(kind, 0)
                may = 0 if bound else {"R1": 0 if tired else 1, "D": 1 if tired else 2}.get(kind, 0)
                beaten.append(Beaten(unit, kind, must, may, hex, away, fixed))
        for unit, number in lost:
            game.eliminate(unit, result, number)
        for each in beaten:
            game.disrupt(each.unit, result, "GCRT")
        return tuple(beaten)

    def exposed(self, game: Game) -> list[UnitId]:
        """XI.D The attackers whom a bad result can harm."""
        units = [unit for unit, _ in self.joined if game.pieces[unit].hex >= 0]
        return [unit for unit in units if not spared(game, unit, self.targets)]

    def beat_attackers(self, game: Game) -> None:
        """XIV.C.2 Attackers retreat after the defenders; those eliminated have gone before."""
        beaten: tuple[Beaten, ...] = ()
        if ATTACKERS.get(self.result) == "AR":
            beaten = tuple(
                Beaten(unit, "AR", 1, 1, game.pieces[unit].hex, self.targets)
                for unit in self.exposed(game)
            )
        game.push(Rout(game.enemy(self.side), beaten))


def strain(game: Game, units: Sequence[UnitId]) -> None:
    """XV.B, ruling R44 Attacking out of supply Disrupts a unit, even if only dummies were there."""
    for unit in units:
        if game.pieces[unit].hex >= 0 and not game.pieces[unit].supplied:
            game.disrupt(unit, "attacked out of supply", "XV.B")


def fate(
    game: Game, unit: UnitId, result: str, ordered: bool, away: tuple[Space, ...]
) -> tuple[str, bool, str]:
    """XI.A.1, XIV.B.5, XIV.D.3, XIV.D.5 A defender's own result, if compulsory, and its rule."""
    kind, fixed, number = result, False, "GCRT"
    if game.in_works(unit) and kind in SOFTENED:
        kind, fixed = SOFTENED[kind], kind != "R1"
    if kind == "DE" and unit in game.facts.survivors and not ordered:
        kind, number = "R2", "XIV.D.5"
    if ordered and kind in ("R1", "R2"):
        kind, number = ("D" if kind == "R1" else "DE"), "XIV.B.5"
    hex = game.pieces[unit].hex
    if kind == "R2" and not can_retreat(game, Beaten(unit, "R2", 2, 0, hex, away), hex, 2):
        kind, number = "DE", "XIV.D.3"
    return kind, fixed and kind in ("R1", "R2"), number
