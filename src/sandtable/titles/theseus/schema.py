"""3 The shape of the data files; every field is explained in the files themselves."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from sandtable.kernel.events import Side

AXIS, COMMONWEALTH = 0, 1
SIDES: tuple[Side, Side] = ("axis", "commonwealth")
QUARTERS = 4
"""Movement Points are counted in quarters, so that they are never rounded (5.1)."""

SideName = Literal["axis", "commonwealth"]
UnitType = Literal[
    "infantry",
    "mot_infantry",
    "panzergrenadier",
    "armoured_car",
    "tank",
    "heavy_tank",
    "flak",
    "engineer",
]
INFANTRY = frozenset(["infantry", "mot_infantry", "panzergrenadier"])
MOVERS = ("leg", "mot", "hq", "hybrid")
CARRIED_INFANTRY = frozenset(["mot_infantry", "panzergrenadier"])


class Strict(Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a data file; unknown fields are errors."""


class Unit(Strict, frozen=True):
    """3.2 A combat unit as printed."""

    id: str
    name: str
    side: SideName
    formation: str
    type: UnitType
    mobility: Literal["leg", "mot", "hybrid"]
    effectiveness: tuple[int, int]
    strength: int
    arm: Literal["tank", "at"]
    points: tuple[int, int]
    movement: int
    status: str
    corps: str = ""
    no_zoc: bool = False
    free_stacking: bool = False
    no_combined_arms: bool = False
    counts_as: str = ""
    cannibal: bool = False
    may_join: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()
    note: str = ""

    @property
    def motorised(self) -> bool:
        """3.2 Motorised units have their Movement Points in a red hexagon."""
        return self.mobility == "mot"

    @property
    def afv(self) -> bool:
        """3.2 AFV type units have Tank Points."""
        return self.arm == "tank"

    @property
    def leg_infantry(self) -> bool:
        """5.3.1 Infantry on foot."""
        return self.type == "infantry"


class Headquarters(Strict, frozen=True):
    """3.3 A headquarters as printed, and its formation's track."""

    id: str
    name: str
    short: str
    side: SideName
    nation: str
    kind: Literal["leg", "mot"]
    reaction: int
    engineer: int
    command: int
    support: int
    movement: int
    level: int
    recovery: int
    start_level: int
    status: str
    corps: str = ""
    cw_independents: bool = False
    known: tuple[str, ...] = ()


class Feature(Strict, frozen=True):
    name: str
    status: str
    hexes: tuple[str, ...] = ()
    hexsides: tuple[tuple[str, str], ...] = ()
    side: SideName | Literal[""] = ""


class Box(Strict, frozen=True):
    hex: str
    name: str
    side: SideName
    status: str


class Place(Strict, frozen=True):
    hex: str
    name: str
    status: str


class Georeference(Strict, frozen=True):
    east_km: tuple[float, float, float]
    north_km: tuple[float, float, float]
    status: str


class TerrainLists(Strict, frozen=True):
    villages: tuple[str, ...]
    points_of_interest: tuple[str, ...]
    broken: tuple[str, ...]
    status: str


class SupplySources(Strict, frozen=True):
    axis: tuple[str, ...]
    commonwealth: tuple[str, ...]
    status: str


class Tobruk(Strict, frozen=True):
    hex: str
    perimeter: tuple[str, ...]
    inside: tuple[str, ...]
    sea_hexsides: tuple[tuple[str, str], ...]
    status: str


class MapFile(Strict, frozen=True):
    columns: int
    rows: int
    lower_columns: Literal["odd", "even"]
    first_land_row: tuple[int, ...]
    status: str
    georeference: Georeference
    terrain: TerrainLists
    supply: SupplySources
    tobruk: Tobruk
    minefield: tuple[Feature, ...]
    box: tuple[Box, ...]
    road: tuple[Feature, ...]
    trail: tuple[Feature, ...]
    ridge: tuple[Feature, ...]
    wadi: tuple[Feature, ...]
    place: tuple[Place, ...]


class UnitsFile(Strict, frozen=True):
    unit: tuple[Unit, ...]


class HqsFile(Strict, frozen=True):
    hq: tuple[Headquarters, ...]


class Chit(Strict, frozen=True):
    """7.5.1.2 A combat multiplier chit: multipliers for Effectiveness 2 to 7 by column."""

    id: str
    red: tuple[int, ...]
    plain: tuple[int, ...]
    green: tuple[int, ...]
    replaces: str = ""


class ChitsFile(Strict, frozen=True):
    status: str
    chit: tuple[Chit, ...]


class Costs(Strict, frozen=True):
    status: str
    movement: int
    breach: int
    refit: int
    improved_defence: int
    hasty: int
    regular: int
    prepared: int


class CheckTable(Strict, frozen=True):
    status: str
    rolls: tuple[int, ...]
    leg: tuple[str, ...]
    mot: tuple[str, ...]
    tank: tuple[str, ...]
    hecker: int
    schwerpunkt: int


class BreachTable(Strict, frozen=True):
    status: str
    rolls: tuple[int, ...]
    minefield: tuple[str, ...]
    box: tuple[str, ...]
    hecker: int
    in_ezoc: int
    schwerpunkt: int


class AirLimits(Strict, frozen=True):
    hasty: int
    regular: int
    prepared: int


class CombatTable(Strict, frozen=True):
    status: str
    drm_limit: int
    failed_retreat: int
    schwerpunkt: int
    flak_attack: int
    flak_defence: int
    flak_alone_strength: int
    combined_arms: int
    support_regular: tuple[int, int]
    support_prepared: tuple[int, int]
    support_regular_defence: tuple[int, int]
    support_improved_defence: tuple[int, int]
    air: AirLimits


class CrtTable(Strict, frozen=True):
    status: str
    below_table: str
    clear: tuple[str, ...]
    broken: tuple[str, ...]
    minefield: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Terrain(Strict, frozen=True):
    status: str
    leg: float = 0
    mot: float = 0
    hq: float = 0
    row: Literal["clear", "broken", "minefield", ""] = ""
    tank_half: bool = False
    at: int = 0


class InitiativeTrack(Strict, frozen=True):
    track: tuple[int, ...]
    first_turn_axis: int
    status: str


class AirUnits(Strict, frozen=True):
    units: tuple[str, ...]
    status: str


class Dummies(Strict, frozen=True):
    axis: int
    commonwealth: int
    status: str


class TablesFile(Strict, frozen=True):
    action_points: dict[str, str | tuple[int, ...]]
    action_costs: Costs
    minefield_check: CheckTable
    minefield_breach: BreachTable
    combat: CombatTable
    crt: CrtTable
    terrain: dict[str, Terrain]
    initiative: InitiativeTrack
    air: AirUnits
    dummies: Dummies


class TurnEntry(Strict, frozen=True):
    number: int
    dates: str
    status: str
    axis: tuple[str, ...] = ()
    commonwealth: tuple[str, ...] = ()
    axis_rp: int = 0
    break_up: bool = False


class Restriction(Strict, frozen=True):
    formation: str
    through_turn: int
    kind: Literal["no_activation", "attack_only", "stay"]
    status: str
    released_by: tuple[str, ...] = ()


class Objective(Strict, frozen=True):
    hex: str
    name: str
    values: tuple[tuple[int, int, int, int], ...]
    status: str
    keep: bool = False


class Losses(Strict, frozen=True):
    who: Literal["commonwealth_motorised", "dak_and_xx_corps"]
    name: str
    steps: tuple[tuple[int, int], ...]
    status: str


class Level(Strict, frozen=True):
    at_least: int
    winner: SideName | Literal[""]
    name: str


class Automatic(Strict, frozen=True):
    hex: str
    supplied_hqs: int


class SoloScore(Strict, frozen=True):
    breach: int
    free_french_loss: int
    free_french_disrupted: int


class ScenarioFile(Strict, frozen=True):
    id: str
    name: str
    rule: str
    first_turn: int
    last_turn: int
    start: dict[str, str]
    level: tuple[Level, ...]
    assigned: dict[str, str] = field(default_factory=dict)
    turn: tuple[TurnEntry, ...] = ()
    restriction: tuple[Restriction, ...] = ()
    objective: tuple[Objective, ...] = ()
    losses: tuple[Losses, ...] = ()
    source_held: int = 0
    hq_out_of_supply: int = 0
    hq_removed_counts: bool = False
    automatic: Automatic | None = None
    solo: SideName | Literal[""] = ""
    formation: str = ""
    always_supplied: tuple[str, ...] = ()
    air: tuple[str, ...] = ()
    goal: str = ""
    score: SoloScore | None = None
