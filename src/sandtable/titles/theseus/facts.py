"""3 The printed facts: map, counters, chits, tables and scenarios, read and checked once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from typing import NewType

from msgspec import Struct

from sandtable.boards import WHOLE_MOVE, BoardError, Edges, Hex, HexBoard, mask_of, printed
from sandtable.kernel import packs
from sandtable.kernel.actions import Lexicon, Names, Space, UnitId
from sandtable.titles.theseus.schema import (
    AXIS,
    COMMONWEALTH,
    MOVERS,
    QUARTERS,
    SIDES,
    ChitsFile,
    Feature,
    HqsFile,
    MapFile,
    Objective,
    Restriction,
    ScenarioFile,
    TablesFile,
    UnitsFile,
)

FormationId = NewType("FormationId", int)
SCENARIOS = ("campaign", "opening", "bir-hacheim")


class Result(Struct, frozen=True):
    """7.5.2 A cell of the Combat Results Table; `*` stands for red print."""

    text: str
    attacker: int
    attacker_red: bool
    defender: int
    defender_red: bool


def read_result(text: str) -> Result:
    """7.5.2 The hits of both sides in a cell such as `2*/1`."""
    found = re.fullmatch(r"(\d)(\*?)/(\d)(\*?)", text)
    if not found:
        raise ValueError(f"{text!r} is not a combat result such as 2*/1")
    a, a_red, d, d_red = found.groups()
    return Result(text, int(a), bool(a_red), int(d), bool(d_red))


class Scenario:
    """A scenario with hexes and pieces as numbers."""

    def __init__(self, file: ScenarioFile, data: Data) -> None:
        self.file = file
        self.start = {data.piece(name): data.hex(at) for name, at in file.start.items()}
        self.assigned = {data.piece(u): data.formation(f) for u, f in file.assigned.items()}
        self.turns = {turn.number: turn for turn in file.turn}
        self.arrivals: dict[int, tuple[int, ...]] = {
            turn.number: tuple(data.piece(name) for name in (*turn.commonwealth, *turn.axis))
            for turn in file.turn
        }
        self.arrival = {piece: turn for turn, each in self.arrivals.items() for piece in each}
        self.objectives: tuple[tuple[int, Objective], ...] = tuple(
            (data.hex(each.hex), each) for each in file.objective
        )
        self.objective_at = {hex: at for at, (hex, _) in enumerate(self.objectives)}
        self.restrictions: dict[int, Restriction] = {
            data.formation(each.formation): each for each in file.restriction
        }
        for each in file.restriction:
            for word in each.released_by:
                what, _, which = word.partition(":")
                if what == "attacked" and which:
                    data.hex(which)
                elif not (
                    word == "attacked" or (what == "axis_near_perimeter" and which.isdigit())
                ):
                    raise ValueError(f"released_by {word!r} is not known; see the comment above")
        self.always_supplied = frozenset(data.piece(name) for name in file.always_supplied)
        self.air = file.air or data.tables.air.units
        self.solo = SIDES.index(file.solo) if file.solo else -1
        self.goal = data.hex(file.goal) if file.goal else -1
        self.formation = data.formation(file.formation) if file.formation else -1
        self.pieces = frozenset(self.start) | frozenset(self.arrival)
        twice = [data.piece_names[p] for p in self.start if p in self.arrival]
        if twice:
            raise ValueError(f"{twice[0]} both starts and arrives: keep one")


class Data(packs.Data):
    """Everything printed, shared by all games of the title."""

    def __init__(self, pack: packs.Pack) -> None:
        self.map = pack.read("map.toml", MapFile)
        self.units = pack.read("units.toml", UnitsFile).unit
        self.hqs = pack.read("hqs.toml", HqsFile).hq
        self.chits_file = pack.read("chits.toml", ChitsFile)
        self.tables = pack.read("tables.toml", TablesFile)
        self.count = len(self.units)
        self.piece_names = tuple(
            chain((unit.id for unit in self.units), (f"{hq.id}.HQ" for hq in self.hqs))
        )
        self.pieces = len(self.piece_names)
        self._index = {name: at for at, name in enumerate(self.piece_names)}
        self._formations = {hq.id: FormationId(at) for at, hq in enumerate(self.hqs)}
        for name, make in (
            ("map.toml", self._read_map),
            ("units.toml", self._read_units),
            ("chits.toml", self._read_chits),
            ("tables.toml", self._read_tables),
        ):
            try:
                make()
            except (BoardError, ValueError, KeyError) as error:
                raise pack.wrong(name, _words(error)) from None
        self.scenarios: dict[str, Scenario] = {}
        for each in SCENARIOS:
            name = f"scenarios/{each}.toml"
            file = pack.read(name, ScenarioFile)
            if file.id != each:
                raise pack.wrong(name, f"id is {file.id!r}; write {each!r}")
            try:
                self.scenarios[file.id] = Scenario(file, self)
            except (BoardError, ValueError, KeyError) as error:
                raise pack.wrong(name, _words(error)) from None
        super().__init__(
            pack,
            Lexicon(
                {
                    UnitId: Names("unit", self.piece_names),
                    Space: Names("hex", self.board.names),
                    FormationId: Names("formation", [hq.id for hq in self.hqs]),
                }
            ),
        )

    # Looking things up by printed name.

    def hex(self, name: str) -> Hex:
        """The hex with this printed number."""
        return self.board.at(name)

    def piece(self, name: str) -> int:
        """The piece with this id."""
        if name not in self._index:
            raise ValueError(f"no unit is called {name!r}; see units.toml and hqs.toml")
        return self._index[name]

    def formation(self, name: str) -> FormationId:
        """The formation with this id."""
        if name not in self._formations:
            raise ValueError(f"no formation is called {name!r}; see hqs.toml")
        return self._formations[name]

    def distance(self, a: int, b: int) -> int:
        """Hexes from one to another, nothing in the way."""
        return self.board.distance(Hex(a), Hex(b))

    def is_hq(self, piece: int) -> bool:
        """3.3 Whether a piece is a headquarters."""
        return piece >= self.count

    def hq_of(self, formation: int) -> int:
        """3.3 The headquarters piece of a formation."""
        return self.count + formation

    # The map.

    def _read_map(self) -> None:
        """3.1, 3.1.5 Hexes, terrain, hexsides, roads, minefields and supply sources."""
        file = self.map
        if len(file.first_land_row) != file.columns:
            raise ValueError(f"first_land_row has {len(file.first_land_row)} entries, not columns")
        numbers = [
            printed(column, row, "ccrr")
            for column in range(file.columns)
            for row in range(file.first_land_row[column], file.rows)
        ]
        board = self.board = HexBoard(numbers, "flat", file.lower_columns)
        outer = range(1, file.columns - 1), range(1, file.rows - 1)
        self.edge = board.mask(
            name
            for name in numbers
            if int(name[:2]) not in outer[0] or int(name[2:]) not in outer[1]
        )
        """9.4.1 The hexes on the map's edge; the coast is none."""
        self.terrain: list[str] = ["clear"] * board.size
        for kind, names in (
            ("village", file.terrain.villages),
            ("point_of_interest", file.terrain.points_of_interest),
            ("broken", file.terrain.broken),
        ):
            for name in names:
                self.terrain[board.at(name)] = kind
        self.boxes = board.mask(box.hex for box in file.box)
        mines = [0, 0]
        for each in file.minefield:
            mines[SIDES.index(each.side or "axis")] |= board.mask(each.hexes)
        for box in file.box:
            mines[SIDES.index(box.side)] |= 1 << board.at(box.hex)
        if mines[AXIS] & mines[COMMONWEALTH]:
            raise ValueError("a hex is mined by both sides: keep one owner")
        self.mines = tuple(mines)
        self.roads = self._runs(file.road)
        self.trails = self._runs(file.trail)
        ridges = [pair for each in (*file.ridge, *file.wadi) for pair in each.hexsides]
        self.ridges = _both_ways(board.sides(ridges))
        self.sea_sides = _both_ways(board.sides(file.tobruk.sea_hexsides))
        ways = self.roads | self.trails
        bare = [pair for pair in self.ridges if pair not in ways]
        self.sources = (
            board.mask(file.supply.axis),
            board.mask(file.supply.commonwealth),
        )
        self.tobruk = board.at(file.tobruk.hex)
        self.perimeter_line = board.mask(file.tobruk.perimeter)
        self.perimeter = self.perimeter_line | board.mask(file.tobruk.inside)
        for place in file.place:
            board.at(place.hex)
        self.places: dict[int, str] = {board.at(place.hex): place.name for place in file.place}
        self.any_exits = board.exits(self.sea_sides)
        self.open_exits = board.exits([*self.sea_sides, *bare])
        self.ridge_exits = tuple(
            a & ~b for a, b in zip(self.any_exits, self.open_exits, strict=True)
        )
        self.ridge_rim = mask_of(here for here, _ in bare)
        """Hexes with a ridge or wadi hexside that no road or trail crosses."""
        self.zoc_exits = board.exits([*self.sea_sides, *self.ridges])
        off_road = [
            (here, there)
            for here in board.spaces
            for there in board.neighbours[here]
            if (here, there) not in ways
        ]
        self.road_exits = board.exits(one_way=off_road)
        self.road_hexes = mask_of(here for here, _ in ways)
        self.around = tuple(
            board.spread(1 << at) if name else 0 for at, name in enumerate(board.names)
        )
        """The neighbours of each hex as a set, sea hexsides or not."""
        self.beside = tuple(
            board.spread(1 << at, self.any_exits) if name else 0
            for at, name in enumerate(board.names)
        )
        """The neighbours that can be entered or attacked: sea hexsides bar the way."""
        self.zoc_from = tuple(
            1 << at | board.spread(1 << at, self.zoc_exits) if name else 0
            for at, name in enumerate(board.names)
        )
        """5.4 What a unit in each hex controls, before minefields."""
        self.bit = tuple(1 << at for at in range(board.size))
        west = mask_of(at for at in board.spaces if board.column[at] == 0)
        east = mask_of(at for at in board.spaces if board.column[at] == file.columns - 1)
        self.home = tuple(
            board.distances(self.sources[side] | edge)
            for side, edge in ((AXIS, west), (COMMONWEALTH, east))
        )
        """7.5.2.2 Hexes to the nearest own Major source or own map edge."""

    def _runs(self, features: Iterable[Feature]) -> frozenset[tuple[Hex, Hex]]:
        return frozenset(
            pair for each in features for pair in _both_ways(self.board.run(each.hexes))
        )

    # Counters, chits and tables.

    def _read_units(self) -> None:
        for unit in self.units:
            striped = unit.formation not in ("independent", "permanent")
            if striped and self.hqs[self.formation(unit.formation)].side != unit.side:
                raise ValueError(f"{unit.id} and its formation are on different sides")
            if not 1 <= unit.strength <= 15 or unit.movement < 1:
                raise ValueError(f"{unit.id}: strength 1 to 15 and movement from 1, please")
            if any(not 2 <= each <= 7 for each in unit.effectiveness):
                raise ValueError(f"{unit.id}: effectiveness runs from 2 to 7")
        self.side_of = tuple(
            SIDES.index(side)
            for side in chain((u.side for u in self.units), (hq.side for hq in self.hqs))
        )
        self.own_formation = tuple(
            -1 if unit.formation in ("independent", "permanent") else self.formation(unit.formation)
            for unit in self.units
        ) + tuple(range(len(self.hqs)))
        self.may_join = tuple(
            frozenset(
                at
                for at, hq in enumerate(self.hqs)
                if hq.side == unit.side and (hq.id in unit.may_join or "any" in unit.may_join)
            )
            for unit in self.units
        )
        self.loners = tuple(
            at for at, unit in enumerate(self.units) if unit.formation == "permanent"
        )
        """5.5.2 Units with a white stripe; those without one are always assigned (ruling R9)."""
        self.no_zoc = tuple(unit.no_zoc for unit in self.units)
        self.hecker = self._index.get("KG.Hecker", -1)

    def _read_chits(self) -> None:
        chits = self.chits_file.chit
        for chit in chits:
            if any(len(column) != 6 for column in (chit.red, chit.plain, chit.green)):
                raise ValueError(f"chit {chit.id} needs six multipliers in each column")
        standard = [chit for chit in chits if not chit.replaces]
        linear = {chit.replaces: chit for chit in chits if chit.replaces}
        missing = set(linear) - {chit.id for chit in standard}
        if missing:
            raise ValueError(f"chit {min(missing)} is replaced but not in the set")
        self.cups = (
            tuple(standard),
            tuple(linear.get(chit.id, chit) for chit in standard),
        )

    def _read_tables(self) -> None:
        tables = self.tables
        rows = {name: value for name, value in tables.action_points.items() if name != "status"}
        if any(len(row) != 10 for row in rows.values()):
            raise ValueError("each row of action_points needs ten figures")
        self.action_points = tuple(
            tuple(map(int, rows[str(level)])) if level else () for level in range(8)
        )
        self.action_points_patterned = tuple(map(int, rows["2_patterned"]))
        self.crt = tuple(tuple(read_result(cell) for cell in row) for row in tables.crt.rows)
        self.below_table = read_result(tables.crt.below_table)
        self.headings = {
            name: tuple(_ratio(word) for word in getattr(tables.crt, name))
            for name in ("clear", "broken", "minefield")
        }
        width = len(tables.crt.clear)
        if len(self.crt) != 20 or any(len(row) != width for row in self.crt):
            raise ValueError(f"the crt needs 20 rows of {width} results")
        if any(len(heads) != width for heads in self.headings.values()):
            raise ValueError("the three heading rows of the crt differ in length")
        for name, table in (("check", tables.minefield_check), ("breach", tables.minefield_breach)):
            lines = [
                v
                for v in (getattr(table, f) for f in table.__struct_fields__)
                if isinstance(v, tuple)
            ]
            if len({len(line) for line in lines}) != 1:
                raise ValueError(f"the lines of minefield_{name} differ in length")
        self._bake_costs()

    def _bake_costs(self) -> None:
        """3.1.1 Movement costs in quarter points for each mixture of classes in a stack."""
        table = self.tables.terrain

        def points(kind: str, mover: str) -> int:
            value = getattr(table[kind], mover) * QUARTERS
            if value != int(value) or value < 1:
                raise ValueError(f"terrain.{kind}.{mover} must be quarters of a point")
            return int(value)

        def one(mover: str, here: Hex, there: Hex, by_road: bool) -> int | None:
            if (here, there) in self.sea_sides:
                return None
            ground = "leg" if mover == "hybrid" else mover
            wheels = "mot" if mover == "hybrid" else mover
            if by_road and (here, there) in self.roads:
                return points("road", wheels)
            if by_road and (here, there) in self.trails:
                return points("trail", wheels)
            if (here, there) in self.ridges:
                return WHOLE_MOVE
            mined = (self.mines[AXIS] | self.mines[COMMONWEALTH]) >> there & 1
            kind = "own_minefield" if mined else self.terrain[there]
            return points(kind, ground)

        self._step_cost = one
        self._edges: dict[tuple[frozenset[str], bool], tuple[Edges[Hex], Edges[Hex]]] = {}
        for mover in MOVERS:
            self.edges(frozenset([mover]), True)

    def edges(self, mix: frozenset[str], fresh: bool) -> tuple[Edges[Hex], Edges[Hex]]:
        """7.3.1 What steps cost a stack of these classes, with and without roads; baked once.

        Steps that take all Movement Points are open only to a stack that is still fresh (3.1.2).
        """
        key = mix, fresh
        if key not in self._edges:
            if fresh:
                self._edges[key] = (self._bake(mix, True), self._bake(mix, False))
            else:
                by_road, off_road = self.edges(mix, True)
                self._edges[key] = (_tired(by_road), _tired(off_road))
        return self._edges[key]

    def _bake(self, mix: frozenset[str], by_road: bool) -> Edges[Hex]:
        """7.3.3 One cost a step: the road or trail rate, or the terrain without it."""

        if len(mix) == 1:
            (mover,) = mix
            one = self._step_cost
            return self.board.edges(lambda here, _, there: one(mover, here, there, by_road))
        # Ruling R50: a mixed stack pays in each hex what its slowest class pays.
        parts = [self.edges(frozenset([mover]), True)[not by_road] for mover in mix]

        first, *others = parts

        def slowest(here: int) -> list[tuple[Hex, int | None]]:
            row: list[tuple[Hex, int | None]] = []
            for there, cost in first.step[here].items():
                steps = [cost, *(part.step[here].get(there, 0) for part in others)]
                whole = WHOLE_MOVE in steps
                row.append((there, 0 if 0 in steps else WHOLE_MOVE if whole else max(steps)))
            return row

        return Edges([slowest(here) for here in range(self.board.size)])

    def column(self, terrain_row: str, attack: int, defence: int) -> int:
        """7.5.1.2 The column of the odds, rounded down; -1 below the table."""
        found = -1
        for at, heading in enumerate(self.headings[terrain_row]):
            if attack * heading.denominator >= heading.numerator * defence:
                found = at
        return found


def _tired(edges: Edges[Hex]) -> Edges[Hex]:
    """3.1.2 Without the steps that take all Movement Points, for a stack that has spent some."""
    return edges.changed(
        {(Hex(here), there): None for here, row in enumerate(edges.whole) for there in row}
    )


def _ratio(word: str) -> Fraction:
    a, _, d = word.partition(":")
    if not (a.isdigit() and d.isdigit() and int(d)):
        raise ValueError(f"{word!r} is not a ratio such as 3:2")
    return Fraction(int(a), int(d))


def _both_ways(pairs: Iterable[tuple[Hex, Hex]]) -> frozenset[tuple[Hex, Hex]]:
    return frozenset(each for a, b in pairs for each in ((a, b), (b, a)))


def _words(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)
