"""The shapes of the data files; unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Side = Literal["axis", "allied"]
MoveClass = Literal["tracked", "wheeled", "foot"]
Positive = Annotated[int, Meta(ge=1, le=99)]
Count = Annotated[int, Meta(ge=0, le=99)]
Points = int | str
"""Movement points, whole or as a fraction such as "1/2"."""


class Strict(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of a data file."""


class Sourced(Strict, frozen=True, kw_only=True):
    """A table that says where it comes from; `note` tells what of it is known."""

    status: Literal["known", "reconstructed"]
    note: str = ""


class Grid(Sourced, frozen=True, kw_only=True):
    columns: Annotated[int, Meta(ge=2, le=99)]
    rows_odd: Annotated[int, Meta(ge=2, le=99)]
    rows_even: Annotated[int, Meta(ge=2, le=99)]


class Ground(Sourced, frozen=True, kw_only=True):
    kind: Literal["ridge"]
    name: str
    hexes: tuple[str, ...]


class Place(Sourced, frozen=True, kw_only=True):
    name: str
    hex: str


class Fortified(Sourced, frozen=True, kw_only=True):
    name: str
    hexes: tuple[str, ...]


class Minefield(Sourced, frozen=True, kw_only=True):
    name: str
    from_turn: Positive
    boxes: tuple[str, ...] = ()
    sides: tuple[tuple[str, str], ...] = ()


class Way(Sourced, frozen=True, kw_only=True):
    kind: Literal["road", "track"]
    name: str
    run: tuple[str, ...]


class Escarpments(Sourced, frozen=True, kw_only=True):
    sides: tuple[tuple[str, str], ...]


class Zone(Sourced, frozen=True, kw_only=True):
    hexes: tuple[str, ...]


class Zones(Strict, frozen=True, kw_only=True):
    prohibited: Zone
    brigade_69: Zone
    axis_supply: Zone
    loc: Zone


class Projection(Sourced, frozen=True, kw_only=True):
    origin_lat: float
    origin_lon: float
    east_km: tuple[float, float, float]
    north_km: tuple[float, float, float]


class MapFile(Strict, frozen=True, kw_only=True):
    grid: Grid
    ground: tuple[Ground, ...]
    place: tuple[Place, ...]
    fortified: tuple[Fortified, ...]
    minefield: tuple[Minefield, ...]
    way: tuple[Way, ...]
    escarpments: Escarpments
    zones: Zones
    projection: Projection


class FormationEntry(Strict, frozen=True, kw_only=True):
    id: str
    name: str
    long_name: str
    side: Side
    nation: str
    colour: str
    large: bool = False


UnitType = Literal["armor", "infantry", "at"]
Level = tuple[Count, Count, Count, Count]
"""Hard and soft value unused, then hard and soft value used."""


class UnitEntry(Sourced, frozen=True, kw_only=True):
    id: str
    name: str
    long_name: str
    formation: str
    type: UnitType
    movement: Count
    steps: tuple[Level, ...]
    bracketed: bool = False


class UnitsFile(Strict, frozen=True, kw_only=True):
    formation: tuple[FormationEntry, ...]
    unit: tuple[UnitEntry, ...]


class ActionChit(Sourced, frozen=True, kw_only=True):
    id: str
    name: str
    side: Side
    faces: tuple[tuple[str, ...], ...]
    counters: Positive
    cup: tuple[Count, ...]
    double: bool = False


Tactical = Literal[
    "combat", "extra-move", "replacement", "air", "sandstorm", "anti-tank", "withdraw-attack"
]


class TacticalChit(Sourced, frozen=True, kw_only=True):
    type: Tactical
    name: str
    side: Side
    counters: Positive


class ChitsFile(Strict, frozen=True, kw_only=True):
    action: tuple[ActionChit, ...]
    tactical: tuple[TacticalChit, ...]


class Crt(Sourced, frozen=True, kw_only=True):
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Intensity(Sourced, frozen=True, kw_only=True):
    tracked: Positive
    wheeled: Positive
    foot: Positive
    modifier: int


class Attacks(Strict, frozen=True, kw_only=True):
    light: Intensity
    medium: Intensity
    heavy: Intensity


class Modifiers(Sourced, frozen=True, kw_only=True):
    fortified: int
    ridge: int
    minefield: int
    attacker_disrupted: int
    defender_disrupted: int
    attacker_out_of_supply: int
    defender_isolated: int
    combat_chit_axis_attack: int
    combat_chit_allied_attack: int
    combat_chit_defence: int


class Costs(Sourced, frozen=True, kw_only=True):
    tracked: Points
    wheeled: Points
    foot: Points


class ExtraCosts(Sourced, frozen=True, kw_only=True):
    allied_minefield: Count
    leave_zoc: Count


class Movement(Strict, frozen=True, kw_only=True):
    desert: Costs
    ridge: Costs
    track: Costs
    road: Costs
    extra: ExtraCosts


class Minefields(Sourced, frozen=True, kw_only=True):
    breach_markers: Count
    attempts_a_turn: Count
    first_breach_turn: Positive
    first_loc_turn: Positive
    second_loc_turn: Positive
    units_a_loc: Positive


Face = Annotated[int, Meta(ge=0, le=9)]


class Air(Sourced, frozen=True, kw_only=True):
    axis_step: tuple[Face, ...]
    axis_disrupted: tuple[Face, ...]
    axis_fortified: int
    allied_disrupted: tuple[Face, ...]


class Limits(Sourced, frozen=True, kw_only=True):
    stack: Positive
    activations: Positive
    track_points: Count
    north_edge_units: Positive


class TurnEntry(Sourced, frozen=True, kw_only=True):
    name: str
    axis: Count
    allied: Count
    replacements: Count = 0


class TablesFile(Strict, frozen=True, kw_only=True):
    crt: Crt
    attack: Attacks
    modifiers: Modifiers
    movement: Movement
    minefields: Minefields
    air: Air
    limits: Limits
    turn: tuple[TurnEntry, ...]


class Arrival(Sourced, frozen=True, kw_only=True):
    turn: Positive
    formation: str
    units: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    edges: tuple[Literal["north", "east", "south", "west"], ...] = ()


class Returns(Sourced, frozen=True, kw_only=True):
    axis_hexes: tuple[str, ...]
    allied_edges: tuple[Literal["north", "east", "south", "west"], ...]


class ReinforcementsFile(Strict, frozen=True, kw_only=True):
    arrival: tuple[Arrival, ...]
    returns: Returns


class Objective(Sourced, frozen=True, kw_only=True):
    hexes: tuple[str, ...]
    points: int


class SetUpEntry(Strict, frozen=True, kw_only=True):
    side: Side
    formation: str
    stack: Positive
    units: tuple[str, ...] = ()
    of: str = ""
    range: Count = 0
    hexes: tuple[str, ...] = ()
    used: bool = False


class ScenarioFile(Sourced, frozen=True, kw_only=True):
    id: str
    name: str
    description: str
    first_turn: Positive
    last_turn: Positive
    axis_points: Count
    objective: tuple[Objective, ...]
    setup: tuple[SetUpEntry, ...] = ()
    setup_from: str = ""
