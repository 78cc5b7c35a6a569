"""XIV.A-C Ground combat: who must attack, the odds, no-retreat orders and the results."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from sandtable.boards import bits, mask_of
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds, gather
from sandtable.kernel.steps import Step
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import Activate, Also, Attack, Done, Join, Resolve, Stand
from sandtable.titles.gallop.disruption import Forced
from sandtable.titles.gallop.movement import sleepers
from sandtable.titles.gallop.retreat import Beaten, Rout, can_retreat
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.terrain import Attackers, attack, defense, spared
from sandtable.titles.gallop.zoc import sheltered

DEFENDERS = {"DE": "DE", "R2": "R2", "R1": "R1", "D": "D", "DAR": "D", "DAE": "D"}
ATTACKERS = {"AR": "AR", "DAR": "AR", "AE": "AE", "DAE": "AE"}
SOFTENED = {"R1": "D", "R2": "R1", "DE": "R2"}
"""XI.A.1 Results against a box or fort."""


class Reckoning(Struct, frozen=True):
    """The odds of a battle: sums in quarters, the column of the table, and every line of it."""

    attack: int
    defense: int
    column: int
    modifiers: tuple[Modifier, ...]
    shares: dict[UnitId, int]


def odds_column(game: Game, attackers: int, defenders: int) -> int | None:
    """XIV.B.3, XIV.B.4 The nearest printed odds not above the true ones; None below 1:4."""
    found = None
    for at, (a, d) in enumerate(game.facts.columns):
        if attackers * d >= defenders * a:
            found = at
    return found


def reckon(game: Game, targets: Sequence[Space], attackers: Attackers) -> Reckoning | None:
    """XIV.A.5, XIV.B The odds of a battle with whole stacks, or None below the lowest column."""
    strength, modifiers = attack(game, targets, attackers)
    shares: dict[UnitId, int] = {}
    for hex in targets:
        one = defense(game, hex, attackers)
        shares.update(one.shares)
        modifiers += one.modifiers
    total = sum(shares.values())
    column = odds_column(game, strength, total)
    if column is None or not shares:
        return None
    names = game.facts.tables.gcrt.columns
    modifiers.append(Modifier(f"basic odds {names[column]}", 0, "XIV.B.3"))
    if half_disrupted(game, shares) and column < len(names) - 1:
        column += 1
        modifiers.append(Modifier(f"defenders Disrupted: {names[column]}", 1, "IX.C"))
    return Reckoning(strength, total, column, tuple(modifiers), shares)


def half_disrupted(game: Game, shares: dict[UnitId, int]) -> bool:
    """IX.C Half the terrain-modified factors Disrupted make the whole defense so."""
    broken = sum(part for unit, part in shares.items() if game.pieces[unit].disrupted)
    return broken > 0 and 2 * broken >= sum(shares.values())


def battle_odds(game: Game, reckoning: Reckoning, side: Side, assumes: str = "") -> Odds:
    """XIV.C.2 The chances of each result at these odds."""
    enemy = game.enemy(side)
    chances = []
    for face, result in enumerate(game.facts.gcrt[reckoning.column], 1):
        favours = side if result in ("DE", "R2", "R1", "D") else enemy if result != "-" else None
        chances.append(Chance(result, Fraction(1, 6), (face,), favours))
    return Odds(reckoning.modifiers, gather(chances), (assumes,) if assumes else ())


# Who attacks whom.


def available(game: Game, side: Side) -> list[UnitId]:
    """IX.B, XIV.A.1, XIV.A.3 Units that may attack: awake, undisrupted, not yet used."""
    pieces = game.pieces
    return [
        unit
        for unit in game.facts.of_side[side]
        if (piece := pieces[unit]).hex >= 0
        and piece.active
        and not piece.disrupted
        and not piece.attacked
    ]


def obliged(game: Game, side: Side) -> int:
    """XIV.A.2, rulings R11, R18 Hexes of units that must not stand idle beside an enemy.

    Exempt are units in works held since the start of the player-turn, and sleeping units.
    """
    awake = mask_of(game.pieces[unit].hex for unit in game.on_map(side) if game.pieces[unit].active)
    return awake & ~sheltered(game, side)


def due(game: Game, side: Side, attacked: Sequence[Space]) -> int:
    """XIV.A.2 Hexes with undisrupted enemies beside one's units that must still be attacked."""
    enemy = game.enemy(side)
    bound, must_from = obliged(game, side), game.facts.must_from
    fresh = game.lay.fresh[enemy] & game.lay.seen[enemy] & ~mask_of(attacked)
    fresh &= game.facts.board.spread(bound)
    return mask_of(hex for hex in bits(fresh) if must_from[hex] & bound)


def strikers(game: Game, units: Sequence[UnitId], targets: Sequence[Space]) -> list[UnitId]:
    """XIV.A.2, XIV.A.4 Those of some units that can attack all these hexes."""
    reach = -1
    for hex in targets:
        reach &= game.facts.strike_from[hex]
    return [unit for unit in units if reach >> game.pieces[unit].hex & 1]


def full(game: Game, units: Sequence[UnitId]) -> list[tuple[UnitId, int]]:
    """Units at their whole attack factors."""
    return [(unit, game.book[unit].attack) for unit in units]


def unknown(game: Game, targets: Sequence[Space]) -> bool:
    """V.B Whether face-down counters make the odds unknown until the battle."""
    return any(game.lay.hidden >> hex & 1 for hex in targets)


def feasible(
    game: Game, targets: Sequence[Space], joined: Attackers, pool: Sequence[UnitId]
) -> bool:
    """XIV.B.4, VIII.A.3 Whether these units, with help from others, can reach 1:4."""
    if unknown(game, targets):
        return bool(joined or pool)
    if game.weather == "sandstorm" and not joined:
        hexes = {game.pieces[unit].hex for unit in pool}
        groups = [[u for u in pool if game.pieces[u].hex == hex] for hex in hexes]
    else:
        groups = [list(pool)]
    return any(
        reckon(game, targets, [*joined, *full(game, group)]) is not None
        for group in groups
        if joined or group
    )


class Attacks(Step["Game"], frozen=True):
    """XIV.A.2, XIV.C.1 The attack phase: battles in any order until all that must be are fought."""

    rule: ClassVar[str] = "XIV.A.2"
    shown: ClassVar[bool] = True
    side: Side
    attacked: tuple[Space, ...] = ()

    def actor(self, game: Game) -> Side:
        """The phasing player."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for an attack; name what must be attacked."""
        names = ", ".join(game.facts.board.text(self.duty(game)))
        return f"Attack; you must still attack {names}." if names else "Attack, or end the phase."

    def targets(self, game: Game) -> list[Space]:
        """Enemy hexes that one's available units can attack at 1:4 or better."""
        units = available(game, self.side)
        beside = game.facts.board.spread(mask_of(game.pieces[unit].hex for unit in units))
        seen = game.lay.seen[game.enemy(self.side)] & beside
        return [
            Space(hex)
            for hex in bits(seen)
            if (group := strikers(game, units, [Space(hex)]))
            and feasible(game, [Space(hex)], [], group)
        ]

    def duty(self, game: Game) -> int:
        """XIV.A.2 The hexes that must be attacked and still can be, by units not exempt."""
        left = due(game, self.side, self.attacked)
        if not left:
            return 0
        bound = obliged(game, self.side)
        units = [u for u in available(game, self.side) if bound >> game.pieces[u].hex & 1]
        return mask_of(
            hex
            for hex in bits(left)
            if (group := strikers(game, units, [Space(hex)]))
            and feasible(game, [Space(hex)], [], group)
        )

    def actions(self, game: Game) -> Sequence[Action]:
        """The hexes that can be attacked; to end once nothing is due."""
        found: list[Action] = [Attack(hex) for hex in self.targets(game)]
        if self.side == "allied" and not game.historical:
            found += [Activate(unit) for unit in sleepers(game)]
        return found if self.duty(game) else [*found, Done()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Why an attack cannot be made, or the phase not be ended."""
        if isinstance(action, Done):
            return Refusal("XIV.A.2", self.prompt(game))
        if isinstance(action, Activate):
            return Refusal("V.A", "Units are activated at the start of the Allied player-turn.")
        if not isinstance(action, Attack):
            return None
        what = f"{game.hex_name(action.hex)} cannot be attacked"
        if not game.lay.seen[game.enemy(self.side)] >> action.hex & 1:
            return Refusal("XIV.A.2", f"{what}: no enemy unit is there.")
        units = available(game, self.side)
        if strikers(game, units, [action.hex]):
            return Refusal("XIV.B.4", f"{what}: attacks below 1:4 are not allowed.")
        return Refusal("XIV.A.2", f"{what}: no unit that may still attack is next to it.")

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
        """Remember what was attacked."""
        game.swap(replace(self, attacked=(*self.attacked, *result)))


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

    def pool(self, game: Game, targets: Sequence[Space]) -> list[UnitId]:
        """VIII.A.3 Units that can still join; in a sandstorm only from one hex."""
        used = {unit for unit, _ in self.joined}
        units = [unit for unit in available(game, self.side) if unit not in used]
        units = strikers(game, units, targets)
        if game.weather == "sandstorm" and self.joined:
            hex = game.pieces[self.joined[0][0]].hex
            units = [unit for unit in units if game.pieces[unit].hex == hex]
        return units

    def actions(self, game: Game) -> Sequence[Action]:
        """Units with all or some of their factors, more hexes, and the battle itself."""
        targets, joined = self.targets, self.joined
        pool = self.pool(game, targets)
        ready = bool(joined) and feasible(game, targets, joined, [])
        found: list[Action] = []
        for unit in pool:
            if ready and self.needed_elsewhere(game, unit):
                continue
            rest = [other for other in pool if other != unit]
            if game.weather == "sandstorm" and not joined:
                rest = [u for u in rest if game.pieces[u].hex == game.pieces[unit].hex]
            for factors in range(game.book[unit].attack, 0, -1):
                if not ready and not feasible(game, targets, [(unit, factors), *joined], rest):
                    break
                found.append(Join(unit, factors))
        more = self.more(game) if joined else []
        found += [Also(hex) for hex in more]
        if ready and not self.stranded(game, ()) & mask_of(more):
            found.append(Resolve())
        return found

    def stranded(self, game: Game, more: tuple[UnitId, ...]) -> int:
        """XIV.A.2 Hexes due that nobody could attack any more after this battle."""
        attacks = next(step for step in game.stack if isinstance(step, Attacks))
        left = due(game, self.side, (*attacks.attacked, *self.targets))
        if not left:
            return 0
        used = {*more, *(unit for unit, _ in self.joined)}
        bound = obliged(game, self.side)
        units = [
            unit
            for unit in available(game, self.side)
            if unit not in used and bound >> game.pieces[unit].hex & 1
        ]
        return mask_of(
            hex
            for hex in bits(left)
            if not feasible(game, [Space(hex)], [], strikers(game, units, [Space(hex)]))
        )

    def needed_elsewhere(self, game: Game, unit: UnitId) -> bool:
        """XIV.A.2 Whether this attack, good without a unit, would keep it from its duty."""
        lost = self.stranded(game, (unit,)) & ~self.stranded(game, ())
        return any(
            game.facts.strike_from[hex] >> game.pieces[unit].hex & 1
            and not all(
                game.facts.strike_from[hex] >> game.pieces[one].hex & 1 for one, _ in self.joined
            )
            for hex in bits(lost)
        )

    def more(self, game: Game) -> list[Space]:
        """XIV.A.4 Other enemy hexes that every attacking unit is next to."""
        seen = game.lay.seen[game.enemy(self.side)]
        for unit, _ in self.joined:
            seen &= game.facts.board.spread(1 << game.pieces[unit].hex)
        found = []
        units = [unit for unit, _ in self.joined]
        for hex in bits(seen & ~mask_of(self.targets)):
            wider = (*self.targets, Space(hex))
            if len(strikers(game, units, [Space(hex)])) == len(units) and feasible(
                game, wider, self.joined, self.pool(game, wider)
            ):
                found.append(Space(hex))
        return found

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Why a unit or hex cannot be part of this attack."""
        match action:
            case Resolve():
                lost = self.stranded(game, ()) & mask_of(self.more(game)) if self.joined else 0
                if lost:
                    names = ", ".join(game.facts.board.text(lost))
                    return Refusal("XIV.A.2", f"{names} must be attacked too: add it.")
                return Refusal("XIV.B.4", "Add units: attacks below 1:4 are not allowed.")
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
                if unit not in self.pool(game, self.targets):
                    return Refusal(
                        "VIII.A.3", f"{what}: in a sandstorm hexes do not attack together."
                    )
                if not 1 <= factors <= game.book[unit].attack:
                    return Refusal("XIV.B.1", f"{what}: it has {game.book[unit].attack} factors.")
                if self.joined and self.needed_elsewhere(game, unit):
                    return Refusal("XIV.A.2", f"{what}: it must attack another hex.")
                return Refusal("XIV.B.4", f"{what}: the attack would stay below 1:4.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        """Add a unit or a hex, or fight."""
        match action:
            case Join(unit, factors):
                game.become_step(replace(self, joined=(*self.joined, (unit, factors))))
            case Also(hex):
                game.become_step(replace(self, targets=(*self.targets, hex)))
            case _:
                self.fight(game)

    def fight(self, game: Game) -> None:
        """V.A, V.B, XIV.A.1 Attacked units wake and turn up; then the odds are known."""
        units = tuple(unit for unit, _ in self.joined)
        for unit in units:
            game.put(unit, attacked=True)
        game.wake_attacked(self.targets)
        targets = tuple(hex for hex in self.targets if game.stack_at(hex))
        reckoning = reckon(game, targets, self.joined) if targets else None
        if reckoning is None:
            why = "below 1:4" if targets else "only dummies"
            game.log(ev.AttackFailed(units, self.targets, why, rule="XIV.B.4"))
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
        assumes = "the defender gives no NO RETREAT orders"
        match action:
            case Join(unit, factors):
                joined = (*joined, (unit, factors))
                assumes = "the attack is resolved without more units"
            case Also(hex):
                if unknown(game, [hex]):
                    return None
                targets = (*targets, hex)
                assumes = "the attack is resolved without more units"
        reckoning = reckon(game, targets, joined)
        return battle_odds(game, reckoning, self.side, assumes) if reckoning else None


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
            self.strain(game)
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
        beaten = self.beat_defenders(game, DEFENDERS.get(result, "-"), orders)
        game.push(Rout(self.side, beaten))

    def beat_defenders(
        self, game: Game, result: str, orders: tuple[UnitId, ...]
    ) -> tuple[Beaten, ...]:
        """XIV.C.2, XI.A.1, XIV.B.5, XIV.D.3, XIV.D.5 What the result does to each defender."""
        if result == "-":
            return ()
        away = tuple(sorted({game.pieces[unit].hex for unit, _ in self.joined}))
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

    def beat_attackers(self, game: Game) -> None:
        """XIV.C.2, XI.D What the result does to the attackers."""
        result = ATTACKERS.get(self.result, "-")
        units = [unit for unit, _ in self.joined if game.pieces[unit].hex >= 0]
        units = [unit for unit in units if not spared(game, unit, self.targets)]
        beaten: tuple[Beaten, ...] = ()
        if result == "AE":
            for unit in units:
                game.eliminate(unit, self.result, "GCRT")
        elif result == "AR":
            beaten = tuple(
                Beaten(unit, "AR", 1, 1, game.pieces[unit].hex, self.targets) for unit in units
            )
        game.push(Rout(game.enemy(self.side), beaten))

    def strain(self, game: Game) -> None:
        """XV.B Attacking out of supply Disrupts a unit."""
        for unit, _ in self.joined:
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
