"""XIV.A.2 Who may attack, what must be attacked, and whether a plan leaves all of that possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.boards import bits, mask_of
from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.gallop.reckoning import within_table
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.terrain import SCALE, Attackers
from sandtable.titles.gallop.zoc import sheltered


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


def feasible(game: Game, targets: Sequence[Space], attackers: Attackers) -> bool:
    """XIV.B.4 Whether these units reach 1:4; against face-down counters any will do."""
    if not attackers:
        return False
    return unknown(game, targets) or within_table(game, targets, attackers)


class Duty:
    """XIV.A.2, ruling R67 What must still be attacked, and how much of it a plan leaves possible.

    As many of those hexes must be attacked as can be, by the units that are not exempt. The search
    for the most is exact: it tries, hex by hex, every smallest group of units that could attack it,
    alone or with more hexes, and remembers what it has found.
    """

    def __init__(self, game: Game, side: Side, attacked: Sequence[Space]) -> None:
        # Copies share what was worked out, so it must not follow the game it was worked out for.
        self.game, self.side = game.copy(), side
        self.everyone = available(game, side)
        self.hexes = 0
        self.units = 0
        self._most: dict[tuple[int, int], int] = {}
        self._groups: dict[tuple[object, object, int], list[int]] = {}
        self._grown: dict[tuple[object, object], bool] = {}
        self._reach: dict[int, int] = {}
        """By hex that must be attacked, the units that can."""
        left = due(game, side, attacked)
        if left:
            bound = obliged(game, side)
            self.units = mask_of(u for u in self.everyone if bound >> game.pieces[u].hex & 1)
            self.hexes = mask_of(
                h
                for h in bits(left)
                if any(self.groups(w, (), self.units) for w in self.wider((Space(h),), (), left))
            )
            self._reach = {
                hex: mask_of(strikers(game, self.everyone, [Space(hex)]))
                for hex in bits(self.hexes)
            }

    def groups(self, targets: Sequence[Space], joined: Attackers, units: int) -> list[int]:
        """XIV.B.4, VIII.A.3 The smallest sets of units that bring an attack to 1:4, as masks."""
        key = (targets, joined, units)
        if key not in self._groups:
            if feasible(self.game, targets, joined):
                self._groups[key] = [0]
            else:
                pools = self.pools(targets, joined, units)
                found = [mask for pool in pools for mask in self._smallest(targets, joined, pool)]
                self._groups[key] = found
        return self._groups[key]

    def _smallest(
        self, targets: Sequence[Space], joined: Attackers, pool: list[UnitId]
    ) -> list[int]:
        """Sets of one unit, then of two, and so on, without those that hold a smaller one."""
        needed, power = self._bounds(targets, joined, pool)
        found: list[int] = []
        short: list[tuple[int, ...]] = [()]
        while short:
            longer: list[tuple[int, ...]] = []
            for group in short:
                so_far = power[0] + sum(power[1 + at] for at in group)
                for at in range(group[-1] + 1 if group else 0, len(pool)):
                    if so_far + sum(power[1 + at :]) < needed:
                        break
                    more = (*group, at)
                    mask = mask_of(pool[each] for each in more)
                    if any(mask & less == less for less in found):
                        continue
                    attackers = [*joined, *full(self.game, [pool[each] for each in more])]
                    if feasible(self.game, targets, attackers):
                        found.append(mask)
                    else:
                        longer.append(more)
            short = longer
        return found

    def _bounds(
        self, targets: Sequence[Space], joined: Attackers, pool: list[UnitId]
    ) -> tuple[int, list[int]]:
        """Quarters no attack can do without, and the most of those joined and of each unit.

        Ground can only help defenders, and an escarpment gives an attacker one factor at most.
        """
        if unknown(self.game, targets):
            return 0, [0] * (1 + len(pool))
        book, (attack, defense) = self.game.book, self.game.facts.columns[0]
        foes = [unit for hex in targets for unit in self.game.stack_at(hex)]
        least = sum(
            SCALE * book[unit].defense // (2 if book[unit].aa == "special" else 1) for unit in foes
        )
        edge = SCALE * self.game.facts.tables.defense.escarpment_attack
        most = [sum(SCALE * factors + edge for _, factors in joined)]
        most += [SCALE * book[unit].attack + edge for unit in pool]
        return -(-least * attack // defense), most

    def pools(self, targets: Sequence[Space], joined: Attackers, units: int) -> list[list[UnitId]]:
        """VIII.A.3 Units that can attack together: all, but in a sandstorm those of one hex."""
        pieces = self.game.pieces
        pool = strikers(self.game, [UnitId(unit) for unit in bits(units)], targets)
        if self.game.weather != "sandstorm":
            return [pool]
        origins = {pieces[unit].hex for unit, _ in joined} or {pieces[unit].hex for unit in pool}
        return [[unit for unit in pool if pieces[unit].hex == hex] for hex in sorted(origins)]

    def most(self, hexes: int, units: int) -> int:
        """How many of these hexes these units can attack, each unit once."""
        total = 0
        while hexes:
            part, team = self._part(hexes, units)
            hexes &= ~part
            if team:
                key = (part, team)
                if key not in self._most:
                    self._most[key] = self._count(part, team)
                total += self._most[key]
        return total

    def _part(self, hexes: int, units: int) -> tuple[int, int]:
        """Hexes that hang together by units that can attack several, with all those units."""
        part, team, size = hexes & -hexes, 0, 0
        while part.bit_count() > size:
            size = part.bit_count()
            for hex in bits(part):
                team |= self._reach[hex] & units
            part |= mask_of(hex for hex in bits(hexes) if self._reach[hex] & team)
        return part, team

    def _count(self, hexes: int, units: int) -> int:
        """The hex with the fewest attackers goes first: attacked somehow, or left out."""
        goal = hexes.bit_count()
        first = Space(min(bits(hexes), key=lambda hex: (self._reach[hex] & units).bit_count()))
        best = 0
        for targets in self.wider((first,), (), hexes):
            left = hexes & ~mask_of(targets)
            for group in self.groups(targets, (), units):
                best = max(best, len(targets) + self.most(left, units & ~group))
                if best == goal:
                    return best
        if best < goal - 1:
            best = max(best, self.most(hexes & ~(1 << first), units))
        return best

    def wider(
        self, targets: tuple[Space, ...], joined: Attackers, hexes: int
    ) -> Iterator[tuple[Space, ...]]:
        """XIV.A.4 These targets, alone or with others that the same units could attack too."""
        strike_from = self.game.facts.strike_from
        units = [unit for unit, _ in joined] or self.everyone
        reach = mask_of(self.game.pieces[unit].hex for unit in strikers(self.game, units, targets))

        def grow(so_far: tuple[Space, ...], reach: int, others: int) -> Iterator[tuple[Space, ...]]:
            yield so_far
            for hex in bits(others):
                others &= ~(1 << hex)
                common = reach & strike_from[hex]
                if common and (common == reach or not joined):
                    yield from grow((*so_far, Space(hex)), common, others)

        return grow(targets, reach, hexes & ~mask_of(targets))

    def allows(self, targets: tuple[Space, ...], joined: Attackers) -> bool:
        """Whether this battle, as it stands, leaves as much of the duty as can be done."""
        left = self.hexes & ~mask_of(targets)
        if not left:
            return True
        done = (self.hexes & ~left).bit_count()
        units = self.units & ~mask_of(unit for unit, _ in joined)
        return done + self.most(left, units) >= self.most(self.hexes, self.units)

    def can_grow(self, targets: tuple[Space, ...], joined: Attackers) -> bool:
        """Whether a plan can still become a battle of 1:4 or better that the duty allows."""
        key = (targets, tuple(joined))
        if key not in self._grown:
            self._grown[key] = self._can_grow(targets, joined)
        return self._grown[key]

    def _can_grow(self, targets: tuple[Space, ...], joined: Attackers) -> bool:
        free = mask_of(self.everyone) & ~mask_of(unit for unit, _ in joined)
        if not self.hexes:
            return any(
                feasible(self.game, targets, [*joined, *full(self.game, pool)])
                for pool in self.pools(targets, joined, free)
            )
        return any(
            self.allows(wide, (*joined, *full(self.game, [UnitId(u) for u in bits(group)])))
            for wide in self.wider(targets, joined, self.hexes)
            for group in self.groups(wide, joined, free)
        )


def duty(game: Game, side: Side, attacked: tuple[Space, ...]) -> Duty:
    """XIV.A.2 The duty of a side just now, worked out once as long as no piece changes."""
    known = game.lay.duties
    if attacked not in known:
        known[attacked] = Duty(game, side, attacked)
    found: Duty = known[attacked]
    return found
