"""What a map looks like, in map units: the one shape every title's adapter fills in.

Rules never appear here. A line runs with its low or seaward side to the left.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

Spot = tuple[float, float]
Curve = tuple[Spot, ...]

WayKind = Literal["road", "major", "track", "wire"]
ScarpKind = Literal["escarpment", "towering", "ridge", "wadi"]
LabelStyle = Literal["victory", "place", "minor", "feature", "water", "way", "unit"]


class Space(Struct, frozen=True, kw_only=True):
    """A hex, an area or a box beside the map."""

    id: str
    name: str
    at: Spot
    """Where its counters stand."""
    polygon: Curve
    terrain: tuple[str, ...]
    neighbours: dict[str, str]
    """Compass direction, then the space that lies there."""
    sides: dict[str, tuple[str, ...]] = {}
    """Compass direction, then what runs along or across that side."""
    vp: int = 0
    status: str = "reconstructed"
    land: bool = True
    off_map: bool = False
    room: float = 0.0
    """How wide a row of counters may be; 0 where they are always stacked."""
    rows: int = 1
    """How many rows of counters there is room for, downwards from `at`."""


class Scarp(Struct, frozen=True):
    """A line of steep ground; teeth point to the left."""

    kind: ScarpKind
    line: Curve
    height: float = 0.9
    name: str = ""


class Way(Struct, frozen=True):
    """A road, track or wire."""

    kind: WayKind
    line: Curve
    name: str = ""


class Minefield(Struct, frozen=True):
    """A belt of mined hexes, or mined hexsides as lines."""

    rings: tuple[Curve, ...] = ()
    lines: tuple[Curve, ...] = ()
    side: str = "allied"
    key: str = ""
    """Tells a field that is laid later apart, so that a page can hide it till then."""


class Glyph(Struct, frozen=True):
    """A small picture of what stands at a place."""

    kind: str
    at: Spot


class Label(Struct, frozen=True, kw_only=True):
    """A name on the map; `along` makes it follow a line."""

    text: str
    at: Spot
    size: float
    style: LabelStyle = "place"
    anchor: Literal["start", "middle", "end"] = "middle"
    spacing: float = 0.0
    along: Curve = ()
    offset: float = 50.0
    shift: float = 0.0
    stars: int = 0


class Border(Struct, frozen=True):
    """The line between two areas."""

    line: Curve
    kind: Literal["open", "escarpment"] = "open"


class Ident(Struct, frozen=True):
    """The identifier of an area: number over modifier."""

    space: str
    at: Spot
    number: str
    modifier: str
    strong: bool
    scale: float = 1.0


class ZoneBox(Struct, frozen=True):
    """A zone as a box beside the frame."""

    space: str
    name: str
    box: tuple[float, float, float, float]
    note: str
    allied: bool


class MapSpec(Struct, frozen=True, kw_only=True):
    """A title's map, ready to draw."""

    title: str
    kind: Literal["hex", "area"]
    width: float
    height: float
    unit: float
    """H: the height of a hex from flat to flat, or what stands for it."""
    counter: float
    """The side of a counter."""
    kilometres: float
    """How many kilometres one unit is."""
    spaces: tuple[Space, ...]
    coast: Curve = ()
    sea: Curve = ()
    """A closed ring; empty where the map has no sea."""
    water_lines: tuple[float, ...] = (0.08, 0.19, 0.34, 0.53, 0.78)
    scarps: tuple[Scarp, ...] = ()
    folds: tuple[Scarp, ...] = ()
    """Steep ground that only the relief shows."""
    ways: tuple[Way, ...] = ()
    minefields: tuple[Minefield, ...] = ()
    boxes: tuple[Curve, ...] = ()
    broken: tuple[str, ...] = ()
    glyphs: tuple[Glyph, ...] = ()
    labels: tuple[Label, ...] = ()
    number_size: float = 0.135
    frame: tuple[float, float, float, float] | None = None
    borders: tuple[Border, ...] = ()
    idents: tuple[Ident, ...] = ()
    zones: tuple[ZoneBox, ...] = ()
    links: tuple[Curve, ...] = ()
    """Lines from zones; an arrow head stands at the end of each."""
    joins: tuple[Curve, ...] = ()
    """Lines between zones, without heads."""
    compass: Spot | None = None
    scale_bar: tuple[float, float, int] | None = None
    """Left end of the bar and its kilometres."""
    tracks: tuple[float, float, float, float] | None = None
    """Free water where tracks may lie."""
    seed: int = 1
    layers: tuple[str, ...] = field(
        default=(
            "relief",
            "water",
            "coast",
            "broken",
            "control",
            "minefields",
            "grid",
            "escarpments",
            "tracks",
            "roads",
            "boxes",
            "numbers",
            "names",
        )
    )
