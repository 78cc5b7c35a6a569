"""XIV.A.2 Who may attack, what must be attacked, and whether a plan leaves all of that possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from sandtable.boards import bits, mask_of
from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.gallop.reckoning import reckon
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.terrain import Attackers
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
    return unknown(game, targets) or reckon(game, targets, attackers) is not None


MOST_HELPERS, MOST_MORE = 2, 2
"""Larger groups are taken whole, and no more hexes than this are added: bounds the search."""


class Duty:
    """XIV.A.2, ruling R67 What must still be attacked, and how much of it a plan leaves possible.

    As many of those hexes must be attacked as can be, by the units that are not exempt.
    """

    def __init__(self, game: Game, side: Side, attacked: Sequence[Space]) -> None:
        # Copies share what was worked out, so it must not follow the game it was worked out for.
        self.game, self.side = game.copy(), side
        self.everyone = available(game, side)
        self.hexes = 0
        self.units = 0
        self._most: dict[tuple[int, int], int] = {}
        self._groups: dict[tuple[object, object, int], list[int]] = {}
        left = due(game, side, attacked)
        if left:
            bound = obliged(game, side)
            self.units = mask_of(u for u in self.everyone if bound >> game.pieces[u].hex & 1)
            self.hexes = mask_of(h for h in bits(left) if self.groups((Space(h),), (), self.units))

    def groups(self, targets: Sequence[Space], joined: Attackers, units: int) -> list[int]:
        """XIV.B.4, VIII.A.3 The smallest sets of units that bring an attack to 1:4, as masks."""
        key = (targets, joined, units)
        if key not in self._groups:
            self._groups[key] = list(self._smallest(targets, joined, units))
        return self._groups[key]

    def _smallest(self, targets: Sequence[Space], joined: Attackers, units: int) -> Iterator[int]:
        if feasible(self.game, targets, joined):
            yield 0
            return
        for pool in self.pools(targets, joined, units):
            if not feasible(self.game, targets, [*joined, *full(self.game, pool)]):
                continue
            found: list[int] = []
            for number in range(1, min(len(pool), MOST_HELPERS) + 1):
                for group in combinations(pool, number):
                    mask = mask_of(group)
                    if any(mask & less == less for less in found):
                        continue
                    if feasible(self.game, targets, [*joined, *full(self.game, group)]):
                        found.append(mask)
            yield from found or [mask_of(pool)]

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
        if not hexes or not units:
            return 0
        key = (hexes, units)
        if key not in self._most:
            self._most[key] = self._count(hexes, units)
        return self._most[key]

    def _count(self, hexes: int, units: int) -> int:
        goal, first = hexes.bit_count(), Space((hexes & -hexes).bit_length() - 1)
        best = 0
        for targets in self.wider((first,), (), hexes):
            left = hexes & ~mask_of(targets)
            for group in self.groups(targets, (), units):
                best = max(best, len(targets) + self.most(left, units & ~group))
                if best == goal:
                    return best
        return max(best, self.most(hexes & ~(1 << first), units))

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
                if len(so_far) - len(targets) == MOST_MORE:
                    return
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
