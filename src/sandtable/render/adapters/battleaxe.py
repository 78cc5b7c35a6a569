"""Operation Battleaxe: areas of real ground under a lens, zones as boxes round the frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import atan2, degrees, dist, exp, hypot
from random import Random
from typing import Literal

from msgspec import Struct

from sandtable.boards.areas import Area
from sandtable.render import geography
from sandtable.render.adapters import notes
from sandtable.render.geometry import (
    Line,
    Point,
    catmull,
    chaikin,
    inside,
    normal,
    resample,
    roughen,
    segment_distance,
)
from sandtable.render.spec import (
    Border,
    Ident,
    Label,
    MapSpec,
    Scarp,
    Space,
    Way,
    ZoneBox,
)
from sandtable.titles.battleaxe.data import Data, SpaceFacts

Anchor = Literal["start", "middle", "end"]
WINDS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split()
EAST_KM, SOUTH_KM = 94.8, 110.9
"""Kilometres in a degree here."""


class AreaNotes(Struct, frozen=True, forbid_unknown_fields=True):
    """Where an area's lettering and counters go."""

    ident: Point
    stack: Point
    room: float
    name: Point | None = None
    anchor: Anchor = "start"
    rows: tuple[str, ...] = ()
    scale: float = 1.0
    deep: int = 1


class WaterName(Struct, frozen=True, forbid_unknown_fields=True):
    """A name on the sea."""

    text: str
    at: Point
    size: float
    spacing: float


class LineName(Struct, frozen=True, forbid_unknown_fields=True):
    """A name that follows a line of the geography."""

    line: str
    text: str
    offset: float
    shift: float
    size: float


class Rise(Struct, frozen=True, forbid_unknown_fields=True):
    """Higher ground in degrees."""

    points: tuple[Point, ...]
    height: float


class Notes(Struct, frozen=True, forbid_unknown_fields=True):
    """maps/battleaxe.toml"""

    width: float
    height: float
    unit: float
    counter: float
    kilometres: float
    scale: Point
    origin: Point
    lens_at: Point
    lens_strength: float
    lens_radius: float
    seed: int
    tracks: tuple[float, float, float, float]
    compass: Point
    scale_bar: tuple[float, float, int]
    roads: tuple[str, ...]
    paths: tuple[str, ...]
    wire: str
    folds: tuple[tuple[str, float], ...]
    ridges: tuple[Rise, ...]
    water: tuple[WaterName, ...]
    along: tuple[LineName, ...]
    joins: tuple[tuple[Point, ...], ...]
    links: tuple[tuple[Point, ...], ...]
    area: dict[str, AreaNotes]
    zone: dict[str, tuple[float, float, float, float]]


class Lens:
    """Degrees to kilometres, and kilometres to map units with the corner enlarged."""

    def __init__(self, notes: Notes, data: Data) -> None:
        self.notes, self.frame = notes, data.map.frame
        self.middle = self.km(notes.lens_at)
        self.corner = self.km((self.frame.south, self.frame.east))

    def km(self, spot: Point) -> Point:
        """Kilometres east and south of the frame's north-western corner."""
        north, west = self.frame.north, self.frame.west
        return (spot[1] - west) * EAST_KM, (north - spot[0]) * SOUTH_KM

    def warp(self, spot: Point) -> Point:
        """Kilometres to map units."""
        (cx, cy), given = self.middle, self.notes
        dx, dy = spot[0] - cx, spot[1] - cy
        far = hypot(dx, dy) / given.lens_radius
        grown = 1 + given.lens_strength * exp(-far * far)
        return (
            given.origin[0] + (cx + dx * grown) * given.scale[0],
            given.origin[1] + (cy + dy * grown) * given.scale[1],
        )

    def framed(self, spot: Point) -> Point:
        """A point kept within the straight frame, which the lens bulges a little."""
        (left, top), (right, bottom) = self.warp((0, 0)), self.warp(self.corner)
        x, y = max(left, min(spot[0], right)), max(top, min(spot[1], bottom))
        return round(x, 1), round(y, 1)

    def line(self, name: str, share: float = 0.05, seed: int = 1) -> tuple[Point, ...]:
        """A line of the geography, smooth and slightly rough; "-" turns it round."""
        spots = geography.points(name.removeprefix("-"))
        return self.through(spots[::-1] if name.startswith("-") else spots, share, seed)

    def through(self, spots: Sequence[Point], share: float, seed: int) -> tuple[Point, ...]:
        """A line through points in degrees."""
        points = resample(catmull([self.km(spot) for spot in spots], 6), 1.0)
        return tuple(self.warp(spot) for spot in roughen(points, Random(seed), 1, share))


class Outlines:
    """The areas as rings that share their borders point by point."""

    def __init__(self, data: Data, lens: Lens) -> None:
        areas = [space for space in data.spaces if not space.zone]
        raw = {each.id: [lens.km(spot) for spot in each.polygon] for each in areas}
        self.corner = lens.corner
        self.raw = {name: _split(ring, raw) for name, ring in raw.items()}
        self.borders: dict[tuple[str, str], list[Line]] = {}
        self.shores: list[Line] = []
        self.rings: dict[str, Line] = {}
        arcs: dict[object, Line] = {}
        for name, ring in self.raw.items():
            whole: Line = []
            for beyond, run in self._runs(name, ring):
                back = run[0] > run[-1]
                given = run[::-1] if back else run
                ends = (_round(given[0]), _round(given[-1]))
                key = (frozenset((name, beyond)), ends)
                if key not in arcs:
                    arcs[key] = [lens.warp(spot) for spot in _shape(given, beyond, ends)]
                    if beyond == "sea":
                        self.shores.append(arcs[key])
                    elif beyond != "frame":
                        pair = (min(name, beyond), max(name, beyond))
                        self.borders.setdefault(pair, []).append(arcs[key])
                whole += (arcs[key][::-1] if back else arcs[key])[:-1]
            self.rings[name] = whole

    def _runs(self, name: str, ring: Line) -> list[tuple[str, Line]]:
        """The ring cut where the neighbour changes."""
        beyond = [self._beyond(name, a, b) for a, b in pairwise([*ring, ring[0]])]
        start = next((at for at in range(len(ring)) if beyond[at] != beyond[at - 1]), 0)
        ring, beyond = ring[start:] + ring[:start], beyond[start:] + beyond[:start]
        runs: list[tuple[str, Line]] = []
        for at, who in enumerate(beyond):
            if at and beyond[at - 1] == who:
                runs[-1][1].append(ring[(at + 1) % len(ring)])
            else:
                runs.append((who, [ring[at], ring[(at + 1) % len(ring)]]))
        return runs

    def _beyond(self, name: str, a: Point, b: Point) -> str:
        """What lies on the other side of a border: an area, the sea or the frame."""
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        nx, ny = normal(a, b)
        for spot in ((x + nx * 0.05, y + ny * 0.05), (x - nx * 0.05, y - ny * 0.05)):
            if not inside(spot, self.raw[name]):
                for other, ring in self.raw.items():
                    if other != name and inside(spot, ring):
                        return other
        edge = 0.2
        at_edge = x < edge or y < edge or x > self.corner[0] - edge or y > self.corner[1] - edge
        return "frame" if at_edge else "sea"

    def coast(self) -> Line:
        """The shores joined, with the sea to the left: from the north-west to the east."""
        left = list(self.shores)
        line = left.pop(min(range(len(left)), key=lambda at: min(y for _, y in left[at])))
        if line[0][1] > line[-1][1]:
            line = line[::-1]
        while left:
            at = min(
                range(len(left)),
                key=lambda at: min(dist(line[-1], left[at][0]), dist(line[-1], left[at][-1])),
            )
            piece = left.pop(at)
            line = (
                line
                + (piece if dist(line[-1], piece[0]) < dist(line[-1], piece[-1]) else piece[::-1])[
                    1:
                ]
            )
        return line


def _round(spot: Point) -> Point:
    return round(spot[0], 2), round(spot[1], 2)


def _split(ring: Line, raw: Mapping[str, Line]) -> Line:
    """The ring with the corners that other areas have on its sides."""
    corners = {spot for each in raw.values() for spot in each}
    out: Line = []
    for a, b in pairwise([*ring, ring[0]]):
        between = [
            spot
            for spot in corners
            if dist(spot, a) > 0.02 and dist(spot, b) > 0.02 and segment_distance(spot, a, b) < 0.03
        ]
        out += [a, *sorted(between, key=lambda spot: dist(spot, a))]
    return out


def _shape(run: Line, beyond: str, ends: object) -> Line:
    """A border as it looks on the ground."""
    random = Random(str(ends))
    if beyond == "frame":
        return resample(run, 2.0)
    if beyond == "sea":
        return resample(roughen(catmull(run, 4), random, 2, 0.09), 0.5)
    return resample(roughen(chaikin(resample(run, 1.2), 2), random, 1, 0.06), 0.5)


def build(data: Data) -> MapSpec:
    """The map."""
    given = notes("battleaxe", Notes)
    lens = Lens(given, data)
    outlines = Outlines(data, lens)
    (left, top), (right, bottom) = lens.warp((0, 0)), lens.warp(lens.corner)
    shore = outlines.coast()
    coast = [(shore[0][0], top - 60), *shore, (right + 60, shore[-1][1])]
    steep = {(min(pair), max(pair)) for pair in data.map.escarpment}
    scarps = [
        Scarp("escarpment", tuple(line), 0.0, "Sollum escarpment")
        for pair, lines in outlines.borders.items()
        if pair in steep
        for line in (_seaward(each) for each in lines)
    ]
    return MapSpec(
        title="battleaxe",
        kind="area",
        width=given.width,
        height=given.height,
        unit=given.unit,
        counter=given.counter,
        kilometres=given.kilometres,
        spaces=tuple(_space(data, each, given, outlines, lens) for each in data.spaces),
        coast=tuple(coast),
        sea=(*coast, (right + 60, top - 60)),
        water_lines=(0.065, 0.145, 0.26, 0.40, 0.58),
        scarps=tuple(scarps),
        folds=(
            *(Scarp("escarpment", lens.line(name, 0.06, 3), rise) for name, rise in given.folds),
            *(Scarp("ridge", lens.through(e.points, 0.1, 5), e.height) for e in given.ridges),
        ),
        ways=(
            *(Way("road", lens.line(name, seed=2), name) for name in given.roads),
            *(Way("track", lens.line(name), name) for name in given.paths),
            Way("wire", lens.line(given.wire, 0.0), given.wire),
        ),
        labels=tuple(_labels(data, given, lens)),
        frame=(left, top, right - left, bottom - top),
        borders=tuple(
            Border(tuple(line), "escarpment" if (a, b) in steep else "open")
            for (a, b), lines in outlines.borders.items()
            for line in lines
        ),
        idents=tuple(
            Ident(
                each.id,
                given.area[each.id].ident,
                each.id,
                f"+{each.tem}",
                each.stutzpunkt,
                given.area[each.id].scale * 0.94,
            )
            for each in data.spaces
            if not each.zone
        ),
        zones=tuple(
            ZoneBox(
                each.id, each.name, given.zone[each.id], f"+{each.tem}", each.control == "allied"
            )
            for each in data.spaces
            if each.zone
        ),
        links=given.links,
        joins=given.joins,
        compass=given.compass,
        scale_bar=None,
        tracks=given.tracks,
        seed=given.seed,
    )


def _seaward(line: Line) -> Line:
    """North to south, so that the sea and the low ground are on the left."""
    return line if line[0][1] < line[-1][1] else line[::-1]


def _labels(data: Data, given: Notes, lens: Lens) -> list[Label]:
    labels = [
        Label(text=each.text, at=each.at, size=each.size, style="water", spacing=each.spacing)
        for each in given.water
    ]
    for each in given.along:
        line = lens.line(each.line, 0.0)
        labels.append(
            Label(
                text=each.text,
                at=line[0],
                size=each.size,
                style="way",
                along=line,
                offset=each.offset,
                shift=each.shift,
                spacing=0.04,
            )
        )
    for space in data.spaces:
        if space.zone:
            continue
        area = given.area[space.id]
        rows = area.rows if " ".join(area.rows) == space.name else (space.name,)
        x, y = area.ident
        labels.append(
            Label(
                text="|".join(rows),
                at=area.name or (x + 19 * area.scale, y + 4),
                size=15 if space.vp else 13.5,
                style="victory" if space.vp else "minor",
                anchor=area.anchor,
                stars=space.vp,
            )
        )
    return labels


def _space(data: Data, facts: SpaceFacts, given: Notes, outlines: Outlines, lens: Lens) -> Space:
    here = data.space(facts.id)
    near = {
        data.spaces[there].id: data.board.boundary(Area(here), there)
        for there in data.board.neighbours[here]
    }
    directions = _directions(facts, [data.spaces[data.space(name)] for name in near])
    sides: dict[str, tuple[str, ...]] = {
        wind: ("escarpment",) for wind, name in directions.items() if near[name] == "escarpment"
    }
    if facts.zone:
        x, y, w, h = given.zone[facts.id]
        return Space(
            id=facts.id,
            name=facts.name,
            at=(x + w / 2, y + 36 + given.counter / 2),
            polygon=((x, y), (x + w, y), (x + w, y + h), (x, y + h)),
            terrain=("zone",),
            neighbours=directions,
            status=facts.status,
            off_map=True,
            room=w - 14,
            rows=int((h - 34) // given.counter),
        )
    area = given.area[facts.id]
    ring = outlines.rings[facts.id]
    return Space(
        id=facts.id,
        name=facts.name,
        at=area.stack,
        polygon=tuple(lens.framed(spot) for spot in ring),
        terrain=("stützpunkt" if facts.stutzpunkt else "clear",),
        neighbours=directions,
        sides=sides,
        vp=facts.vp,
        status=facts.status,
        room=area.room,
        rows=area.deep,
    )


def _directions(here: SpaceFacts, near: Sequence[SpaceFacts]) -> dict[str, str]:
    """Each neighbour under the free compass point nearest to its bearing."""
    bearings = {
        each.id: degrees(
            atan2(
                (each.anchor[1] - here.anchor[1]) * EAST_KM,
                (each.anchor[0] - here.anchor[0]) * SOUTH_KM,
            )
        )
        % 360
        for each in near
    }
    taken: dict[int, str] = {}
    for name, bearing in sorted(bearings.items(), key=lambda item: item[1]):
        exact = bearing / 22.5
        free = (at for at in range(16) if at not in taken)
        best = min(free, key=lambda at: min(abs(at - exact), 16 - abs(at - exact)))
        taken[best] = name
    return {WINDS[at]: taken[at] for at in sorted(taken)}
