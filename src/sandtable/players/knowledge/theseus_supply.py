"""The lifeline in Operation Theseus: which trail feeds whom, and what cuts it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from heapq import heappop, heappush

from sandtable.boards import bits
from sandtable.titles.theseus.facts import Data
from sandtable.titles.theseus.state import Game

CUT = 1.0
"""What an enemy Zone of Control on the trail costs: a unit of ours must stand there."""
MINES = 5.0
"""What a minefield costs: a lane must be opened."""
HELD = 2.0
"""What an enemy in the trail costs besides his strength: he must be driven off."""
STEP = 0.05
"""What every hex of trail costs, so that short ways are better."""
STRONG = 8
"""The strength that is twice as hard to drive off."""
MEAN = 5
"""The strength of a unit, by its looks."""
RAID = 6
"""From how near motorised enemies may be expected to cut a trail; infantry comes half as far."""
GUARDS = 4
"""How many hexes of a trail are guarded before the enemy comes."""


@lru_cache(maxsize=2)
def trail_neighbours(data: Data) -> tuple[tuple[int, ...], ...]:
    """The hexes that a road or trail leads to from each hex."""
    spread = data.board.spread
    return tuple(tuple(bits(spread(1 << hex, data.road_exits))) for hex in range(data.board.size))


@lru_cache(maxsize=2)
def trails(data: Data) -> int:
    """All hexes of roads and trails."""
    near = trail_neighbours(data)
    return sum(1 << hex for hex in range(data.board.size) if near[hex])


def trails_of(game: Game, side: int) -> Trails:
    """The trails of a side, remembered while nothing changes on them."""
    data, here, foe = game.data, game.situation, 1 - side
    roads = trails(data)
    start = data.sources[side]
    for hex in game.blocked:
        start &= ~(1 << hex)
    passable = here.passable[side]
    held = here.occupied[foe] & roads & ~passable
    strengths = [(hex, MEAN * len(game.combat_units(hex))) for hex in bits(held)]
    mines = here.mines[foe] & roads
    return find_trails(data, start & passable, passable & roads, mines, tuple(strengths))


@lru_cache(maxsize=256)
def find_trails(
    data: Data, start: int, passable: int, mines: int, strengths: tuple[tuple[int, int], ...]
) -> Trails:
    return Trails(data, start, passable, mines, strengths)


class Trails:
    """The cheapest way along roads and trails from a side's sources to everywhere."""

    def __init__(
        self,
        data: Data,
        start: int,
        passable: int,
        mines: int,
        strengths: tuple[tuple[int, int], ...],
    ) -> None:
        self._before: dict[int, int] = {}
        self.cost: dict[int, float] = {}
        self.block: dict[int, float] = {}
        """What stands in the way in each hex that a path of supply cannot pass now."""
        neighbours = trail_neighbours(data)
        price = dict.fromkeys(bits(trails(data) & ~passable), CUT)
        for hex in bits(mines):
            if hex in price:
                price[hex] = MINES
        for hex, strength in strengths:
            price[hex] += HELD + strength / STRONG
        queue = [(0.0, hex, -1) for hex in bits(start)]
        while queue:
            cost, hex, before = heappop(queue)
            if hex in self.cost:
                continue
            self.cost[hex], self._before[hex] = cost, before
            for there in neighbours[hex]:
                if there not in self.cost:
                    heappush(queue, (cost + STEP + price.get(there, 0.0), there, hex))
                    if there in price:
                        self.block[there] = price[there]

    def way(self, goals: Iterable[int]) -> list[int]:
        """The trail to the cheapest of the goals, from its end to the source."""
        hex = min(
            (each for each in goals if each in self.cost), key=self.cost.__getitem__, default=-1
        )
        found = []
        while hex >= 0:
            found.append(hex)
            hex = self._before[hex]
        return found
