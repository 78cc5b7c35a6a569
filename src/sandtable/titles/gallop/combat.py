"""XIV.A The attack phase: who must attack, and how an attack is put together."""

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
)
from sandtable.titles.gallop.battle import Battle, strain
from sandtable.titles.gallop.disruption import Forced
from sandtable.titles.gallop.duty import Duty, duty, feasible, full, strikers, unknown
from sandtable.titles.gallop.reckoning import battle_odds, reckon
from sandtable.titles.gallop.setup import sleepers
from sandtable.titles.gallop.state import UNKNOWN, Game


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
        names = ", ".join(map(game.place_name, bits(self.duty(game).hexes)))
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
        kinds, odds = {type(action) for action in self.actions(game)}, self.standing_odds(game)
        more = [word for kind, word in ((Join, "units"), (Also, "hexes")) if kind in kinds]
        if not more:
            return f"Resolve the attack on {where}{odds}."
        enough = ", or resolve it" if Resolve in kinds else ""
        return f"Add {' or '.join(more)} to the attack on {where}{enough}{odds}."

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
            # What can grow with few factors can with more, so the fewest often answer for all.
            least = task.can_grow(targets, (*joined, (unit, 1)))
            for factors in range(game.book[unit].attack, 0, -1):
                if not least and not task.can_grow(targets, (*joined, (unit, factors))):
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
        if isinstance(action, Cancel) or unknown(game, self.targets):
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
