"""The shapes of the printed facts: map, counters, tables and scenarios as TOML holds them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from sandtable.kernel.packs import Status

Side = Literal["axis", "allied"]
Class = Literal["armor", "motorized", "infantry"]
Pairs = list[tuple[str, str]]
Runs = dict[str, list[str] | str]


class Strict(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a data file that refuses fields it does not know."""


class GridPart(Strict, frozen=True):
    status: Status
    rows: str
    wide: int
    narrow: int


class FitPart(Strict, frozen=True):
    status: Status
    north: float
    lat_row: float
    east: float
    lon_hex: float
    lon_row: float


class KnownPart(Strict, frozen=True):
    hexes: list[str]


class GroundPart(Strict, frozen=True):
    status: Status
    sea: list[str]
    hills: list[str]
    gazala_line: list[str]
    tobruk: list[str]


class ZonesPart(Strict, frozen=True):
    status: Status
    axis: list[str]
    allied: list[str]


class SourcesPart(Strict, frozen=True):
    status: Status
    axis: list[str]
    tobruk: str
    eastern: list[str]
    fourth_source: str


class ObjectivesPart(Strict, frozen=True):
    status: Status
    allied_win: list[str]
    gazala_position: str
    supply_dump: str
    flight_column: int


class FortsPart(Strict, frozen=True):
    status: Status
    boxes: list[str]
    forts: list[str]


class VillagesPart(Strict, frozen=True):
    status: Status
    axis: list[str]
    allied: list[str]


class HexsidesPart(Strict, frozen=True):
    status: Status
    minefields: Pairs
    escarpments: Pairs
    towering_escarpments: Pairs
    ridges: Pairs


class MapFile(Strict, frozen=True):
    """map.toml"""

    grid: GridPart
    fit: FitPart
    known: KnownPart
    ground: GroundPart
    zones: ZonesPart
    supply: SourcesPart
    objectives: ObjectivesPart
    forts: FortsPart
    villages: VillagesPart
    roads: Runs
    major_tracks: Runs
    minor_tracks: Runs
    hexsides: HexsidesPart
    places: dict[str, str]


class Counter(Strict, frozen=True):
    """A ground unit as printed."""

    id: str
    name: str
    side: Side
    nation: Literal["german", "italian", "british"]
    cls: Class = field(name="class")
    level: Literal["division", "subdivisional"]
    attack: int
    defense: int
    movement: int
    status: dict[str, Status]
    aa: Literal["none", "division", "box", "special"] = "none"
    formation: str = ""
    notes: list[Literal["crusader", "survivor", "recce"]] = []

    @property
    def division(self) -> bool:
        """Whether it counts as a division for stacking and victory."""
        return self.level == "division"


class AirCounter(Strict, frozen=True):
    id: str
    name: str
    side: Side
    status: Status


class DummyCounter(Strict, frozen=True):
    id: str
    side: Side
    status: Status


class UnitsFile(Strict, frozen=True):
    """units.toml"""

    unit: list[Counter]
    air: list[AirCounter]
    dummy: list[DummyCounter]


class Gcrt(Strict, frozen=True):
    status: Status
    columns: list[str]
    one: list[str] = field(name="1")
    two: list[str] = field(name="2")
    three: list[str] = field(name="3")
    four: list[str] = field(name="4")
    five: list[str] = field(name="5")
    six: list[str] = field(name="6")


class AirTable(Strict, frozen=True):
    status: Status
    box: list[str]
    allied: list[str]
    axis: list[str]
    intercept_british: list[str]
    intercept_german: list[str]


class ByClass(Strict, frozen=True):
    armor: int
    motorized: int
    infantry: int

    def of(self, cls: Class) -> int:
        """The figure for a class of unit."""
        found: int = getattr(self, cls)
        return found


class MovementTable(Strict, frozen=True):
    status: Status
    off_road: ByClass
    minor_track: ByClass
    major_track: ByClass
    road: ByClass
    trucked_mf: int
    bonus: int
    storm_mf: int
    disrupted_mf: int
    climb: ByClass
    mined_crossing: int


class DefenseTable(Strict, frozen=True):
    status: Status
    box: int
    hill: int
    ridge: int
    escarpment: int
    escarpment_attack: int


class LineLength(Strict, frozen=True):
    length: int
    dice: int
    convoy_dice: int


class BySide(Strict, frozen=True):
    axis: int
    allied: int

    def of(self, side: str) -> int:
        """The figure for a side."""
        return self.axis if side == "axis" else self.allied


class SupplyTable(Strict, frozen=True):
    status: Status
    clear: LineLength
    sandstorm: LineLength
    rainstorm: LineLength
    convoys: BySide
    tobruk_units: int
    climb: int
    shared_convoy_hexes: int


class StackingTable(Strict, frozen=True):
    status: Status
    units: int
    divisions: int


class VictoryTable(Strict, frozen=True):
    status: Status
    immediate: int
    german_division: int
    ariete: int
    other_axis: int
    gazala_position: int
    tobruk_line: int
    tobruk_surrounded: int
    tobruk_taken: int
    eastern_source: int
    supply_dump: int
    allied_division: int
    allied_brigade: int
    levels: dict[str, int]


class TurnsTable(Strict, frozen=True):
    status: Status
    last: int
    activations: int
    dates: list[str]


class TablesFile(Strict, frozen=True):
    """tables.toml"""

    gcrt: Gcrt
    air: AirTable
    movement: MovementTable
    defense: DefenseTable
    supply: SupplyTable
    stacking: StackingTable
    victory: VictoryTable
    turns: TurnsTable


class ScenarioFile(Strict, frozen=True):
    """scenarios/*.toml"""

    id: str
    name: str
    summary: str
    status: Status
    free_allied_setup: bool
    free: list[str]
    place: dict[str, str]
    reinforce: dict[str, int]
