"""The printed facts: read from TOML, checked for sense, and baked into what the rules ask for."""

from __future__ import annotations

from itertools import pairwise
from typing import NewType

from sandtable.boards import BoardError, Hex, HexBoard, mask_of
from sandtable.kernel import packs
from sandtable.kernel.actions import Lexicon, Names, Space, UnitId
from sandtable.kernel.packs import Pack
from sandtable.titles.gallop.printed import (
    ByClass,
    Class,
    MapFile,
    ScenarioFile,
    TablesFile,
    UnitsFile,
)

AirId = NewType("AirId", int)
CLASSES: tuple[Class, ...] = ("armor", "motorized", "infantry")
SCENARIOS = ("scenarios/historical.toml", "scenarios/nonhistorical.toml")
WEATHERS = ("clear", "sandstorm", "rainstorm")
WHOLE = 60
"""One Movement Factor; the fractions of XIII.A.2 are whole numbers of sixtieths."""

Exit = tuple[Hex, int, int, int, bool, int]
"""A step: hex, direction, cost on the net (0: no net), cost off it (0: barred), mined, kin.

`kin` is the set of the two hexes that touch both ends of the step."""


class Data(packs.Data):
    """All printed facts, in the form the rules ask for them."""

    def __init__(self, pack: Pack) -> None:
        self.map = pack.read("map.toml", MapFile)
        self.tables = pack.read("tables.toml", TablesFile)
        units = pack.read("units.toml", UnitsFile)
        try:
            self._lay_out(self.map)
        except BoardError as error:
            raise pack.wrong("map.toml", f"{error}") from None
        self._muster(pack, units)
        self._check_tables(pack)
        self._plan(pack)
        super().__init__(
            pack,
            Lexicon(
                {
                    UnitId: Names("unit", self.unit_ids),
                    Space: Names("hex", self.board.names),
                    AirId: Names("air unit", [each.id for each in self.air]),
                }
            ),
        )

    def _lay_out(self, map: MapFile) -> None:
        """Bake the map: ground, hexsides and what each step costs."""
        names = [
            f"{row}{number}"
            for at, row in enumerate(map.grid.rows)
            for number in range(1, (map.grid.narrow if at % 2 else map.grid.wide) + 1)
        ]
        self.board = board = HexBoard(names, "pointy", "even", "row-letter")
        self.sea = self._runs(map.ground.sea)
        self.land = board.all & ~self.sea
        self.hills = board.mask(map.ground.hills)
        self.line = board.mask(map.ground.gazala_line)
        self.fortress = board.mask(map.ground.tobruk)
        self.zones = {"axis": self._runs(map.zones.axis), "allied": self._runs(map.zones.allied)}
        self.tobruk = Space(board.at(map.supply.tobruk))
        self.axis_sources = tuple(Space(board.at(name)) for name in map.supply.axis)
        self.eastern = tuple(Space(board.at(name)) for name in map.supply.eastern)
        self.fourth_source = Space(board.at(map.supply.fourth_source))
        self.allied_win = board.mask(map.objectives.allied_win)
        self.gazala_position = Space(board.at(map.objectives.gazala_position))
        self.dump = Space(board.at(map.objectives.supply_dump))
        self.works = {"allied": board.mask(map.forts.boxes), "axis": board.mask(map.forts.forts)}
        self.villages = {
            "axis": board.mask(map.villages.axis),
            "allied": board.mask(map.villages.allied),
        }
        self.edge = mask_of(
            hex
            for hex in board.spaces
            if self.land >> hex & 1
            and (min(board.around[hex]) < 0 or board.spread(1 << hex) & self.sea)
        )
        self.mined: dict[tuple[int, int], int] = {
            pair: board.at(inner)
            for inner, outer in map.hexsides.minefields
            for pair in (board.side(inner, outer), board.side(outer, inner))
        }
        self.up: frozenset[tuple[int, int]] = frozenset(board.sides(map.hexsides.escarpments))
        self.towering_up: frozenset[tuple[int, int]] = frozenset(
            board.sides(map.hexsides.towering_escarpments)
        )
        ridges = board.sides(map.hexsides.ridges)
        self.ridges: frozenset[tuple[int, int]] = frozenset([*ridges, *((b, a) for a, b in ridges)])
        self.net: dict[tuple[int, int], int] = {}
        for grade, runs in enumerate((map.minor_tracks, map.major_tracks, map.roads), 1):
            for run in runs.values():
                if isinstance(run, str):
                    continue
                for here, there in pairwise(run):
                    a, b = board.side(here, there)
                    best = max(grade, self.net.get((a, b), 0))
                    self.net[a, b] = self.net[b, a] = best
        towering = board.sides(map.hexsides.towering_escarpments)
        cliffs = [pair for pair in towering if pair not in self.net]
        self.zoc_exits = board.exits(one_way=cliffs)
        self.line_exits = board.exits(barred=cliffs)
        self.strike_from = [board.spread(1 << hex) & self.land for hex in range(board.size)]
        """XI.D By hex, from where it can be attacked: not from below a towering escarpment."""
        self.must_from = list(self.strike_from)
        """XIV.A.2, ruling R41 By hex, from where it must be: neither from above nor below one."""
        for low, high in cliffs:
            self.strike_from[high] &= ~(1 << low)
            self.must_from[high] &= ~(1 << low)
            self.must_from[low] &= ~(1 << high)
        self.cliffs: frozenset[tuple[int, int]] = frozenset(cliffs)
        self.net_hexes = mask_of(hex for pair in self.net for hex in pair)
        for what, mask in (
            ("a road or track", self.net_hexes),
            ("a box", self.works["allied"]),
            ("a fort", self.works["axis"]),
            ("a set-up zone", self.zones["axis"] | self.zones["allied"]),
            ("a supply source", self.all_sources),
        ):
            if mask & self.sea:
                raise BoardError(f"{what} lies in the sea at {board.text(mask & self.sea)[0]}")
        self.steps = {
            (cls, rain): self._bake(cls, rain) for cls in CLASSES for rain in (False, True)
        }
        self.lines = self._bake_lines()

    @property
    def all_sources(self) -> int:
        """Every hex that can be a supply source."""
        return mask_of((*self.axis_sources, *self.eastern, self.tobruk, self.fourth_source))

    def _runs(self, runs: list[str]) -> int:
        """The hexes of runs such as "A6-A18"."""
        found = []
        for run in runs:
            first, _, last = run.partition("-")
            self.board.at(first), self.board.at(last or first)
            found += [f"{first[0]}{n}" for n in range(int(first[1:]), int((last or first)[1:]) + 1)]
        return self.board.mask(found)

    def distance(self, a: int, b: int) -> int:
        """Hexes between two hexes."""
        return self.board.distance(Hex(a), Hex(b))

    def direction(self, here: int, there: int) -> int:
        """The direction of the step to a neighbour: 0 NE, 1 E, 2 SE, 3 SW, 4 W, 5 NW."""
        return self.board.direction_between(Hex(here), Hex(there))

    def passable(self, here: int, there: int) -> bool:
        """XI.D A towering escarpment is closed both ways, except by road or track."""
        return bool(self.land >> there & 1) and (
            (here, there) in self.net
            or not ((here, there) in self.towering_up or (there, here) in self.towering_up)
        )

    def _bake(self, cls: Class, rain: bool) -> tuple[tuple[Exit, ...], ...]:
        """XIII.A.2.a, XIII.A.2.b, XIII.A.2.c, XI.C, VIII.B.2, TEC What each step costs a class."""
        board, table = self.board, self.tables.movement
        by_grade = (0, table.minor_track, table.major_track, table.road)
        rows: list[tuple[Exit, ...]] = []
        for at in range(board.size):
            row = []
            for direction, there in enumerate(board.around[at]):
                if there < 0 or not self.land >> at & 1 or not self.passable(at, there):
                    continue
                grade = self.net.get((at, there), 0)
                if rain and 0 < grade < 3:
                    grade -= 1
                rates = by_grade[grade]
                on = WHOLE // rates.of(cls) if isinstance(rates, ByClass) else 0
                climb = (at, there) in self.up and (at, there) not in self.net
                off = WHOLE * (table.off_road.of(cls) + (table.climb.of(cls) if climb else 0))
                kin = board.spread(1 << at) & board.spread(1 << there)
                row.append((there, direction, on, off, (at, there) in self.mined, kin))
            rows.append(tuple(row))
        return tuple(rows)

    def _bake_lines(self) -> tuple[tuple[tuple[Hex, bool, int], ...], ...]:
        """XV.A.2 Steps of a supply line from a source outwards: hex, on the net, cost off it."""
        extra = self.tables.supply.climb
        return tuple(
            tuple(
                (there, net, 1 + (extra if (at, there) in self.up and not net else 0))
                for there, net in ((hex, (at, hex) in self.net) for hex in self.board.around[at])
                if there >= 0 and self.land >> at & 1 and self.passable(at, there)
            )
            for at in range(self.board.size)
        )

    def _muster(self, pack: Pack, file: UnitsFile) -> None:
        """Number the counters: ground units, then dummies; air units apart."""
        self.counters = tuple(file.unit)
        self.air = tuple(sorted(file.air, key=lambda each: each.side != "axis"))
        self.unit_ids = [each.id for each in file.unit] + [each.id for each in file.dummy]
        self.index = {name: UnitId(at) for at, name in enumerate(self.unit_ids)}
        for name in self.unit_ids:
            if self.unit_ids.count(name) > 1:
                raise pack.wrong("units.toml", f"unit {name} is listed twice; keep one")
        if [each.side for each in self.air] != ["axis", "allied"]:
            raise pack.wrong("units.toml", "each side needs exactly one air unit")
        if any(each.side != "allied" for each in file.dummy):
            raise pack.wrong("units.toml", "dummies belong to the Allied side; correct `side`")
        for each in file.unit:
            if min(each.attack, each.defense, each.movement) < 1 or each.movement > 9:
                raise pack.wrong("units.toml", f"unit {each.id}: factors are 1 or more, MF 1 to 9")
            if "factors" not in each.status:
                raise pack.wrong("units.toml", f"unit {each.id}: status needs an entry factors")
        self.units = tuple(UnitId(at) for at in range(len(file.unit)))
        self.dummies = tuple(
            UnitId(at) for at in range(len(file.unit), len(file.unit) + len(file.dummy))
        )
        self.of_side = {
            side: tuple(at for at in self.units if self.counters[at].side == side)
            for side in ("axis", "allied")
        }
        if "Ariete" not in self.index:
            raise pack.wrong("units.toml", "unit Ariete is missing: IV.A.2 counts it by name")
        self.ariete = self.index["Ariete"]
        self.crusaders = frozenset(at for at in self.units if "crusader" in file.unit[at].notes)
        self.survivors = frozenset(at for at in self.units if "survivor" in file.unit[at].notes)
        self.recce = frozenset(at for at in self.units if "recce" in file.unit[at].notes)

    def _check_tables(self, pack: Pack) -> None:
        """Rows as long as their header, odds that rise, results that exist."""
        gcrt, air = self.tables.gcrt, self.tables.air
        self.columns = tuple(self._ratio(pack, text) for text in gcrt.columns)
        if any(a * d >= c * b for (a, b), (c, d) in pairwise(self.columns)):
            raise pack.wrong("tables.toml", "gcrt.columns must rise from left to right")
        rows = (gcrt.one, gcrt.two, gcrt.three, gcrt.four, gcrt.five, gcrt.six)
        results = {"DE", "R2", "R1", "D", "-", "AR", "DAR", "DAE", "AE"}
        for face, row in enumerate(rows, 1):
            if len(row) != len(gcrt.columns) or not results.issuperset(row):
                raise pack.wrong(
                    "tables.toml",
                    f"gcrt row {face} needs {len(gcrt.columns)} results of {sorted(results)}",
                )
        self.gcrt = tuple(tuple(row[column] for row in rows) for column in range(len(gcrt.columns)))
        allowed = {
            "box": {"D", "-", "4AA/Flak"},
            "allied": {"D", "-", "4AA"},
            "axis": {"D", "-", "AAg", "Flak"},
            "intercept_british": {"AA", "-", "Int", "EAX"},
            "intercept_german": {"AA", "-", "Int", "EAX"},
        }
        for name, words in allowed.items():
            faces: list[str] = getattr(air, name)
            if len(faces) != 6 or not words.issuperset(faces):
                raise pack.wrong("tables.toml", f"air.{name} needs six results of {sorted(words)}")
        if len(self.tables.turns.dates) != self.tables.turns.last:
            raise pack.wrong("tables.toml", f"turns.dates needs {self.tables.turns.last} entries")
        for kind in ("off_road", "minor_track", "major_track", "road"):
            rates: ByClass = getattr(self.tables.movement, kind)
            if any(rates.of(cls) not in (1, 2, 3, 4, 5, 6) for cls in CLASSES):
                raise pack.wrong("tables.toml", f"movement.{kind}: 1 to 6 hexes to a factor")

    @staticmethod
    def _ratio(pack: Pack, text: str) -> tuple[int, int]:
        a, _, b = text.partition(":")
        if not (a.isdigit() and b.isdigit() and int(a) and int(b)):
            raise pack.wrong("tables.toml", f"gcrt column {text!r} is not a ratio such as 3:2")
        return int(a), int(b)

    def _plan(self, pack: Pack) -> None:
        """Every unit of a scenario known, placed once, on land of its own zone."""
        self.scenarios: dict[str, ScenarioFile] = {}
        for name in SCENARIOS:
            plan = pack.read(name, ScenarioFile)
            if name != f"scenarios/{plan.id}.toml":
                raise pack.wrong(name, "id is the name of the file; put it back")
            seen: set[str] = set()
            for unit in (*plan.free, *plan.place, *plan.reinforce):
                if unit not in self.index:
                    raise pack.wrong(name, f"no unit is called {unit!r}; see units.toml")
                if unit in seen:
                    raise pack.wrong(name, f"unit {unit} is placed twice; keep one")
                seen.add(unit)
            for each in self.counters:
                if each.id not in seen:
                    raise pack.wrong(name, f"unit {each.id} has no place; add it")
            for unit, hex in plan.place.items():
                if hex not in self.board or not self.land >> self.board.at(hex) & 1:
                    raise pack.wrong(name, f"unit {unit} stands on {hex!r}, which is no land hex")
            self.scenarios[plan.id] = plan
