"""2.0 The printed facts of the game, loaded from the data files and checked for sense."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import NewType

from msgspec import Struct

from sandtable.boards import BoardError, Edges, Exits, HexBoard, mask_of
from sandtable.kernel import packs
from sandtable.kernel.actions import Lexicon, Names, Space, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.cauldron import files

AXIS, ALLIED = "axis", "allied"
CLASSES: tuple[files.MoveClass, ...] = ("tracked", "wheeled", "foot")
TACTICAL: tuple[files.Tactical, ...] = (
    "combat",
    "extra-move",
    "replacement",
    "air",
    "sandstorm",
    "anti-tank",
    "withdraw-attack",
)
SCENARIOS = ("scenario-one", "campaign")
FormationId = NewType("FormationId", int)
ChitId = NewType("ChitId", int)
Pair = tuple[Space, Space]


class Kind(Struct, frozen=True):
    """2.2.3 What is printed on the counters of one unit."""

    id: str
    name: str
    long_name: str
    formation: FormationId
    side: Side
    type: files.UnitType
    movement: int
    steps: tuple[files.Level, ...]
    bracketed: bool
    large: bool
    status: str

    @property
    def move_class(self) -> files.MoveClass:
        """8.0 Armor is tracked, infantry with six movement points goes on foot, all else rolls."""
        if self.type == "armor":
            return "tracked"
        return "foot" if self.type == "infantry" and self.movement == 6 else "wheeled"


class Formation(Struct, frozen=True):
    """A division or brigade and its units."""

    id: str
    name: str
    long_name: str
    side: Side
    nation: str
    colour: str
    units: tuple[UnitId, ...]


class Chit(Struct, frozen=True):
    """2.2.1, 2.2.2 A chit: the faces and cup numbers of an action chit, or a tactical type."""

    id: str
    name: str
    faces: tuple[tuple[FormationId, ...], ...] = ()
    double: bool = False
    cup: tuple[int, ...] = ()
    tactical: str = ""


class Result(Struct, frozen=True):
    """One side's half of a combat result."""

    steps: int
    disrupted: bool
    retreat: bool


class Cell(Struct, frozen=True):
    """A cell of the combat results table."""

    text: str
    attacker: Result
    defender: Result


class Placement(Struct, frozen=True):
    """17.0 Where one unit may be set up."""

    unit: UnitId
    hexes: int
    stack: int
    used: bool


class ScenarioData(Struct, frozen=True):
    """17.0 A scenario, ready for use."""

    file: files.ScenarioFile
    setup: tuple[Placement, ...]
    objectives: tuple[tuple[Space, int], ...]


class Terrain:
    """14.0 The ground as it is now: which hexsides are mined, and what that does to each side."""

    def __init__(self, data: Data, mined: frozenset[Pair]) -> None:
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


class Data(packs.Data):
    """Everything printed, with ids turned into small numbers."""

    def __init__(self, pack: packs.Pack) -> None:
        self.pack = pack
        self.map = pack.read("map.toml", files.MapFile)
        self.tables = pack.read("tables.toml", files.TablesFile)
        try:
            self._read_map()
        except BoardError as error:
            raise pack.wrong("map.toml", str(error)) from None
        self._read_tables()
        self._read_units(pack.read("units.toml", files.UnitsFile))
        self._read_chits(pack.read("chits.toml", files.ChitsFile))
        board_names = [name or f"?{at}" for at, name in enumerate(self.board.names)]
        super().__init__(
            pack,
            Lexicon(
                {
                    UnitId: Names("unit", [kind.id for kind in self.units]),
                    Space: Names("hex", board_names),
                    FormationId: Names("formation", [each.id for each in self.formations]),
                    ChitId: Names("chit", [each.id for each in self.chits]),
                }
            ),
        )
        try:
            self._read_reinforcements()
            self._read_scenarios()
        except BoardError as error:
            raise pack.wrong("reinforcements.toml or scenarios", str(error)) from None
        self._grounds: dict[int, Terrain] = {}
        self._breached: dict[tuple[int, tuple[Pair, ...]], Terrain] = {}

    # Map.

    def _read_map(self) -> None:
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

    # Tables.

    def _read_tables(self) -> None:
        movement = self.tables.movement
        costs = {
            (ground, name): self._fraction(getattr(getattr(movement, ground), name))
            for ground in ("desert", "ridge", "track", "road")
            for name in CLASSES
        }
        self.scale = scale = lcm(*(each.denominator for each in costs.values()))
        whole = {key: int(each * scale) for key, each in costs.items()}
        board = self.board
        self.enter: dict[str, tuple[int, ...]] = {
            name: tuple(
                whole["ridge" if self.ridge >> h & 1 else "desert", name] for h in range(board.size)
            )
            for name in CLASSES
        }
        self.way_cost = {
            name: {kind: whole[kind, name] for kind in ("track", "road")} for name in CLASSES
        }
        self.leave_zoc = movement.extra.leave_zoc * scale
        self.mine_cost = movement.extra.allied_minefield * scale
        attack = self.tables.attack
        self.attack_cost = {
            (level, name): getattr(getattr(attack, level), name) * scale
            for level in INTENSITIES
            for name in CLASSES
        }
        self.attack_modifier = {level: getattr(attack, level).modifier for level in INTENSITIES}
        crt = self.tables.crt
        self.columns = tuple(self._odds(each) for each in crt.columns)
        if list(self.columns) != sorted(self.columns):
            raise self.pack.wrong("tables.toml", "crt columns must rise from left to right")
        if len(crt.rows) != 11 or any(len(row) != len(crt.columns) for row in crt.rows):
            raise self.pack.wrong(
                "tables.toml", f"crt needs 11 rows of {len(crt.columns)} cells, one a column"
            )
        self.crt = tuple(tuple(self._cell(text) for text in row) for row in crt.rows)
        self.turn_names = tuple(each.name for each in self.tables.turn)

    def _fraction(self, points: files.Points) -> Fraction:
        try:
            found = Fraction(points)
        except (ValueError, ZeroDivisionError):
            found = Fraction(0)
        if not 0 < found <= 99:
            raise self.pack.wrong(
                "tables.toml", f"movement cost {points!r} is no number of points such as 2 or '1/2'"
            )
        return found

    def show_points(self, scaled: int) -> str:
        """Movement points as a player counts them."""
        whole, part = divmod(scaled, self.scale)
        if not part:
            return str(whole)
        return f"{whole or ''} {Fraction(part, self.scale)}".strip()

    def _odds(self, text: str) -> Fraction:
        a, _, b = text.partition("-")
        if not (a.isdigit() and b.isdigit() and int(a) and int(b)):
            raise self.pack.wrong("tables.toml", f"crt column {text!r} is no odds such as 2-1")
        return Fraction(int(a), int(b))

    def _cell(self, text: str) -> Cell:
        attacker, slash, defender = text.partition("/")
        if not slash:
            raise self.pack.wrong("tables.toml", f"crt cell {text!r} has no '/'")
        return Cell(text, self._result(attacker, text), self._result(defender, text))

    def _result(self, half: str, text: str) -> Result:
        rest = half.lstrip("*")
        if rest not in ("", "-", "D", "R", "DR") or (rest == "-" and half != "-"):
            raise self.pack.wrong("tables.toml", f"crt cell {text!r}: use *, D, R or -")
        return Result(half.count("*"), "D" in rest, "R" in rest)

    # Units and chits.

    def _read_units(self, read: files.UnitsFile) -> None:
        index = {each.id: FormationId(at) for at, each in enumerate(read.formation)}
        members: list[list[UnitId]] = [[] for _ in read.formation]
        kinds: list[Kind] = []
        for entry in read.unit:
            if entry.formation not in index:
                raise self.pack.wrong(
                    "units.toml", f"unit {entry.id} names no formation {entry.formation!r}"
                )
            if not entry.steps:
                raise self.pack.wrong("units.toml", f"unit {entry.id} needs at least one step")
            at = index[entry.formation]
            formation = read.formation[at]
            members[at].append(UnitId(len(kinds)))
            kinds.append(
                Kind(
                    id=entry.id,
                    name=entry.name,
                    long_name=entry.long_name,
                    formation=at,
                    side=formation.side,
                    type=entry.type,
                    movement=entry.movement,
                    steps=entry.steps,
                    bracketed=entry.bracketed,
                    large=formation.large,
                    status=entry.status,
                )
            )
        self.units = tuple(kinds)
        self.unit_index = {kind.id: UnitId(at) for at, kind in enumerate(kinds)}
        self.formation_index = index
        self.formations = tuple(
            Formation(
                each.id,
                each.name,
                each.long_name,
                each.side,
                each.nation,
                each.colour,
                tuple(members[at]),
            )
            for at, each in enumerate(read.formation)
        )
        self.of_side: dict[Side, tuple[UnitId, ...]] = {
            side: tuple(UnitId(at) for at, kind in enumerate(kinds) if kind.side == side)
            for side in (AXIS, ALLIED)
        }
        self.barred_at_first = self._formations(
            ("9-Ind", "69-Inf", "150-Inf", "201-Gd", "1-FF", "Pavia", "Trieste")
        )
        self.once_at_first = self._formations(("15-PZ", "21-PZ"))
        self.no_anti_tank = self._formations(("Pavia", "Brescia", "Trieste"))

    def _formations(self, ids: Sequence[str]) -> frozenset[FormationId]:
        missing = [each for each in ids if each not in self.formation_index]
        if missing:
            raise self.pack.wrong("units.toml", f"formation {missing[0]!r} is missing; add it")
        return frozenset(self.formation_index[each] for each in ids)

    def _read_chits(self, read: files.ChitsFile) -> None:
        chits: list[Chit] = []
        side_of: list[Side] = []
        for each in read.action:
            if len(each.cup) != len(self.tables.turn):
                raise self.pack.wrong(
                    "chits.toml", f"chit {each.id} needs {len(self.tables.turn)} numbers in cup"
                )
            if bool(each.faces) == each.double or max(each.cup) > each.counters:
                raise self.pack.wrong(
                    "chits.toml", f"chit {each.id} needs faces or double, and counters enough"
                )
            for name in (name for face in each.faces for name in face):
                if name not in self.formation_index:
                    raise self.pack.wrong("chits.toml", f"chit {each.id}: no formation {name!r}")
            faces = tuple(tuple(self.formation_index[name] for name in face) for face in each.faces)
            chits.append(Chit(each.id, each.name, faces, each.double, each.cup))
            side_of.append(each.side)
        self.action_chits: dict[Side, tuple[ChitId, ...]] = {
            side: tuple(ChitId(at) for at, owner in enumerate(side_of) if owner == side)
            for side in (AXIS, ALLIED)
        }
        names = {each.type: each.name for each in read.tactical}
        self.tactical: dict[str, ChitId] = {}
        for kind in TACTICAL:
            self.tactical[kind] = ChitId(len(chits))
            chits.append(Chit(kind, names.get(kind, kind), tactical=kind))
        self.tactical_cup: dict[Side, tuple[ChitId, ...]] = {AXIS: (), ALLIED: ()}
        for tactic in read.tactical:
            self.tactical_cup[tactic.side] += (self.tactical[tactic.type],) * tactic.counters
        self.chits = tuple(chits)
        self.chit_index = {each.id: ChitId(at) for at, each in enumerate(chits)}

    # Reinforcements and scenarios.

    def _read_reinforcements(self) -> None:
        read = self.pack.read("reinforcements.toml", files.ReinforcementsFile)
        self.due: dict[UnitId, int] = {}
        self.arrival_hexes: dict[UnitId, int] = {}
        for each in read.arrival:
            units = self._units_of(each.formation, each.units, "reinforcements.toml")
            hexes = self.span(each.hexes)
            for edge in each.edges:
                hexes |= self.edge[edge]
            if not hexes:
                raise self.pack.wrong(
                    "reinforcements.toml", f"{each.formation} has no arrival hexes"
                )
            for unit in units:
                self.due[unit] = each.turn
                self.arrival_hexes[unit] = hexes
        back = {AXIS: self.span(read.returns.axis_hexes), ALLIED: 0}
        for edge in read.returns.allied_edges:
            back[ALLIED] |= self.edge[edge]
        formation_hexes: dict[FormationId, int] = {}
        for unit, hexes in self.arrival_hexes.items():
            formation_hexes[self.units[unit].formation] = hexes
        self.return_hexes: tuple[int, ...] = tuple(
            back[kind.side] | formation_hexes.get(kind.formation, 0) for kind in self.units
        )
        """R33 Where each unit comes back after leaving the map."""

    def _units_of(self, formation: str, ids: Sequence[str], file: str) -> tuple[UnitId, ...]:
        if formation not in self.formation_index:
            raise self.pack.wrong(file, f"no formation is called {formation!r}")
        members = self.formations[self.formation_index[formation]].units
        if not ids:
            return members
        for name in ids:
            if self.unit_index.get(name) not in members:
                raise self.pack.wrong(file, f"{formation} has no unit {name!r}")
        return tuple(self.unit_index[name] for name in ids)

    def _read_scenarios(self) -> None:
        names = [f"scenarios/{each}.toml" for each in SCENARIOS]
        read = [self.pack.read(name, files.ScenarioFile) for name in names]
        if tuple(each.id for each in read) != SCENARIOS:
            raise self.pack.wrong("scenarios", f"the files must keep their ids {SCENARIOS}")
        by_id = {each.id: each for each in read}
        self.scenarios: dict[str, ScenarioData] = {}
        for each in read:
            entries = each.setup
            if each.setup_from:
                if each.setup_from not in by_id:
                    raise self.pack.wrong(
                        f"scenarios/{each.id}.toml", f"no scenario {each.setup_from!r}"
                    )
                entries = by_id[each.setup_from].setup
            if not each.first_turn <= each.last_turn <= len(self.tables.turn):
                raise self.pack.wrong(f"scenarios/{each.id}.toml", "turns are not on the track")
            self.scenarios[each.id] = ScenarioData(
                each,
                tuple(spot for entry in entries for spot in self._placements(each.id, entry)),
                tuple(
                    (self.board.at(name), objective.points)
                    for objective in each.objective
                    for name in objective.hexes
                ),
            )
            self._check_everybody_is_somewhere(each.id)

    def _placements(self, scenario: str, entry: files.SetUpEntry) -> Iterable[Placement]:
        file = f"scenarios/{scenario}.toml"
        if bool(entry.of) == bool(entry.hexes):
            raise self.pack.wrong(file, f"set-up of {entry.formation}: give hexes, or of and range")
        if entry.of:
            # Ruling R24: nobody sets up inside a mined hex, Bir Hacheim excepted.
            hexes = self.board.within(1 << self.board.at(entry.of), entry.range) & ~self.start_boxes
        else:
            hexes = self.span(entry.hexes)
        units = self._units_of(entry.formation, entry.units, file)
        if hexes.bit_count() * entry.stack < len(units):
            raise self.pack.wrong(file, f"set-up of {entry.formation} has too few hexes")
        for unit in units:
            yield Placement(unit, hexes, entry.stack, entry.used)

    @property
    def start_boxes(self) -> int:
        """The mined hexes that are there when the game begins."""
        return mask_of(
            self.board.at(h)
            for each in self.map.minefield
            if each.from_turn == 1
            for h in each.boxes
        )

    def _check_everybody_is_somewhere(self, scenario: str) -> None:
        placed = [spot.unit for spot in self.scenarios[scenario].setup]
        for at, kind in enumerate(self.units):
            count = placed.count(UnitId(at)) + (UnitId(at) in self.due)
            if count != 1:
                raise self.pack.wrong(
                    f"scenarios/{scenario}.toml",
                    f"unit {kind.id} must be set up or arrive exactly once, not {count} times",
                )


INTENSITIES: tuple[str, ...] = ("light", "medium", "heavy")
KEPT_GROUNDS = 100
"""How many patterns of breaches are remembered, baked, for games to come."""
