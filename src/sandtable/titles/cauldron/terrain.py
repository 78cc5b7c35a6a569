"""8.0, 14.0 The map: hexes, ways, escarpments, zones, and minefields as they are breached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.boards import BoardError, Edges, Exits, HexBoard, mask_of
from sandtable.kernel.actions import Space
from sandtable.kernel.events import Side
from sandtable.titles.cauldron import files
from sandtable.titles.cauldron.charts import Charts
from sandtable.titles.cauldron.printed import ALLIED, AXIS, CLASSES, Pair

KEPT_GROUNDS = 100
"""How many patterns of breaches are remembered, baked, for games to come."""


class Terrain:
    """14.0 The ground as it is now: which hexsides are mined, and what that does to each side."""

    def __init__(self, data: MapFacts, mined: frozenset[Pair]) -> None:
        self.data = data
        self.mined = mined
        """Unbreached mined hexsides in force, each in both directions."""
        board = data.board
        self.exits: dict[Side, Exits] = {
            AXIS: board.exits(one_way=[*data.cliffs, *mined]),
            ALLIED: board.exits(one_way=data.cliffs),
        }
        """5.0, 14.0 The hexsides over which each side may trace supply."""
        self._edges: dict[tuple[Side, str], Edges[Space]] = {}

    def edges(self, side: Side, move_class: files.MoveClass) -> Edges[Space]:
        """8.0 What each step costs a class of movement; baked when first needed."""
        key = (side, move_class)
        if key not in self._edges:
            self._edges[key] = self._bake(side, move_class)
        return self._edges[key]

    def _bake(self, side: Side, move_class: files.MoveClass) -> Edges[Space]:
        def cost(here: Space, direction: int, there: Space) -> int | None:
            return self.cost(side, move_class, here, there)

        return self.data.board.edges(cost)

    def cost(
        self, side: Side, move_class: files.MoveClass, here: Space, there: Space
    ) -> int | None:
        """8.0, 14.0 What a step costs; None where it is barred."""
        data, step = self.data, (here, there)
        if step in data.cliffs:
            return None
        way = data.ways.get(step)
        points = data.way_cost[move_class][way] if way else data.enter[move_class][there]
        if step in self.mined:
            return None if side == AXIS else points + data.mine_cost
        return points


class Breached(Terrain):
    """14.1 Ground with some hexsides breached, made from the ground without."""

    def __init__(self, base: Terrain, opened: frozenset[Pair]) -> None:
        self.data = base.data
        self.mined = base.mined - opened
        self._base = base
        self._opened = opened & base.mined
        self._edges = {}
        board = self.data.board
        axis = list(base.exits[AXIS])
        for here, there in self._opened - self.data.cliffs:
            axis[board.direction_between(here, there)] |= 1 << here
        self.exits = {AXIS: tuple(axis), ALLIED: base.exits[ALLIED]}

    def _bake(self, side: Side, move_class: files.MoveClass) -> Edges[Space]:
        return self._base.edges(side, move_class).changed(
            {step: self.cost(side, move_class, *step) for step in self._opened}
        )


class MapFacts(Charts):
    """What map.toml says, ready for use."""

    map: files.MapFile

    def read_map(self) -> None:
        """8.0, 14.0 The hexes, hexsides, zones and minefields."""
        grid, zones = self.map.grid, self.map.zones
        names = [
            f"{column:02}{row:02}"
            for column in range(1, grid.columns + 1)
            for row in range(1, (grid.rows_odd if column % 2 else grid.rows_even) + 1)
        ]
        self.board = board = HexBoard(names, "flat", "odd")
        rows = {0: grid.rows_even, 1: grid.rows_odd}
        self.edge: dict[str, int] = {
            "north": mask_of(h for h in board.spaces if board.row[h] == 1),
            "south": mask_of(h for h in board.spaces if board.row[h] == rows[board.column[h] % 2]),
            "west": mask_of(h for h in board.spaces if board.column[h] == 1),
            "east": mask_of(h for h in board.spaces if board.column[h] == grid.columns),
        }
        self.ridge = mask_of(board.at(h) for each in self.map.ground for h in each.hexes)
        self.enter: dict[str, tuple[int, ...]] = {
            name: tuple(
                self.points["ridge" if self.ridge >> space & 1 else "desert", name]
                for space in range(board.size)
            )
            for name in CLASSES
        }
        self.fortified = mask_of(board.at(h) for each in self.map.fortified for h in each.hexes)
        for place in self.map.place:
            board.at(place.hex)
        self.place_names = {board.at(each.hex): each.name for each in self.map.place}
        self.place_names |= {
            board.at(h): each.name for each in self.map.fortified for h in each.hexes
        }
        self.prohibited = self.span(zones.prohibited.hexes)
        self.brigade_69 = self.span(zones.brigade_69.hexes)
        self.axis_supply = self.span(zones.axis_supply.hexes)
        self.allied_supply = self.edge["north"] | self.edge["east"]
        self.loc_hexes = tuple(board.at(h) for h in zones.loc.hexes)
        self.boxes = mask_of(board.at(h) for each in self.map.minefield for h in each.boxes)
        self.mine_hexes = self.boxes | mask_of(
            board.at(inside) for each in self.map.minefield for inside, _ in each.sides
        )
        """14.1 The mined hexes that a breach can go straight through."""
        self.fields = tuple(
            (each.from_turn, frozenset(self._field(each))) for each in self.map.minefield
        )
        self.ways: dict[Pair, str] = {}
        for kind in ("track", "road"):
            for way in self.map.way:
                if way.kind == kind:
                    for a, b in board.run(way.run):
                        self.ways[a, b] = self.ways[b, a] = kind
        low_high = board.sides(self.map.escarpments.sides)
        self.climbs: frozenset[Pair] = frozenset(low_high)
        """Steps up an escarpment, crossed by a way or not."""
        self.cliffs: frozenset[Pair] = frozenset(
            side for a, b in low_high if (a, b) not in self.ways for side in ((a, b), (b, a))
        )
        """Steps over an escarpment that no road or track crosses."""
        self.zoc_exits = board.exits(one_way=low_high)
        self.touching: tuple[tuple[Space, ...], ...] = tuple(
            tuple(b for b in beside if (Space(a), b) not in self.cliffs)
            for a, beside in enumerate(board.neighbours)
        )
        """11.0 The hexes that can be attacked from a hex."""
        self._grounds: dict[int, Terrain] = {}
        self._breached: dict[tuple[int, tuple[Pair, ...]], Terrain] = {}

    def _field(self, field: files.Minefield) -> Iterable[Pair]:
        for name in field.boxes:
            here = self.board.at(name)
            for there in self.board.neighbours[here]:
                yield here, there
                yield there, here
        for a, b in field.sides:
            here, there = self.board.side(a, b)
            yield here, there
            yield there, here

    def span(self, names: Sequence[str]) -> int:
        """The hexes of a list that may hold spans down a column such as "0105-0121"."""
        mask = 0
        for name in names:
            first, _, last = name.partition("-")
            last = last or first
            if first[:2] != last[:2] or len(last) != 4 or not last.isdigit() or first > last:
                raise BoardError(f"{name!r} is no span of hexes down one column: check it")
            for row in range(int(first[2:]), int(last[2:]) + 1):
                mask |= 1 << self.board.at(f"{first[:2]}{row:02}")
        return mask

    def terrain(self, laid: int, breached: tuple[Pair, ...]) -> Terrain:
        """14.0 The ground with the fields completed up to a turn, less the breached hexsides."""
        stage = sum(turn <= laid for turn, _ in self.fields)
        if stage not in self._grounds:
            mined = frozenset().union(*(sides for turn, sides in self.fields if turn <= laid))
            self._grounds[stage] = Terrain(self, mined)
        base = self._grounds[stage]
        if not breached:
            return base
        key = (stage, breached)
        if key not in self._breached:
            if len(self._breached) >= KEPT_GROUNDS:
                del self._breached[next(iter(self._breached))]
            opened = frozenset(side for a, b in breached for side in ((a, b), (b, a)))
            self._breached[key] = Breached(base, opened)
        return self._breached[key]
