"""What the three hex maps share: from printed numbers to lines on the paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import dist, sqrt
from random import Random
from typing import Literal

from msgspec import Struct

from sandtable.boards import HexBoard
from sandtable.render import geography
from sandtable.render.geometry import (
    Line,
    Point,
    catmull,
    chaikin,
    chains,
    inset,
    middle,
    normal,
    principal,
    roughen,
    round_corners,
)
from sandtable.render.names import bow
from sandtable.render.spec import (
    Curve,
    Glyph,
    Label,
    LabelStyle,
    Scarp,
    ScarpKind,
    Space,
    Way,
    WayKind,
)

Pair = tuple[str, str]
ROOT3 = sqrt(3)


class Name(Struct, frozen=True, forbid_unknown_fields=True):
    """How a place is lettered; `text` replaces the name in the data, "" hides it."""

    text: str | None = None
    glyph: str = ""
    style: LabelStyle = "minor"
    size: float = 0.165
    shift: Point = (0.0, 0.575)
    anchor: Literal["start", "middle", "end"] = "middle"


class WayName(Struct, frozen=True, forbid_unknown_fields=True):
    """A name along a road or track, `offset` in hundredths of its length."""

    way: str
    text: str
    offset: float
    size: float = 0.155
    shift: float = -0.07


class Feature(Struct, frozen=True, forbid_unknown_fields=True):
    """A name that bows between two hexes."""

    text: str
    start: str
    end: str
    size: float = 0.17
    shift: float = 0.4


class Water(Struct, frozen=True, forbid_unknown_fields=True):
    """A name on the sea, `at` in degrees."""

    text: str
    at: Point
    size: float
    spacing: float = 0.3
    anchor: Literal["start", "middle", "end"] = "middle"


class Notes(Struct, frozen=True, forbid_unknown_fields=True):
    """maps/<title>.toml of a hex map."""

    unit: float
    margin: tuple[float, float, float, float]
    """Hex heights left free on the left, above, on the right and below."""
    kilometres: float
    seed: int
    number_size: float
    coast: tuple[int, int] = (0, 0)
    """First and last point of the coast on this map."""
    compass: Point | None = None
    """In hex heights from the upper left corner."""
    scale_bar: tuple[float, float, int] | None = None
    heights: dict[str, float] = {}
    names: dict[str, Name] = {}
    along: tuple[WayName, ...] = ()
    feature: tuple[Feature, ...] = ()
    water: tuple[Water, ...] = ()


class Sheet:
    """A hex board laid on paper; `plane` coordinates are hex heights."""

    def __init__(self, board: HexBoard, notes: Notes, origin: Point) -> None:
        """`origin` is where the plane of the georeference has the first listed hex."""
        self.board, self.notes, self.unit = board, notes, notes.unit
        first = min(board.spaces)
        x, y = board.centre(first)
        self._shift = (origin[0] - x / ROOT3, origin[1] - y / ROOT3)
        spots = [self.plane(name) for name in self.names]
        half = (1 / ROOT3, 0.5) if board.shape == "flat" else (0.5, 1 / ROOT3)
        left, above, right, below = notes.margin
        self._corner = (
            min(x for x, _ in spots) - half[0] - left,
            min(y for _, y in spots) - half[1] - above,
        )
        far = (
            max(x for x, _ in spots) + half[0] + right,
            max(y for _, y in spots) + half[1] + below,
        )
        self.width = round((far[0] - self._corner[0]) * self.unit)
        self.height = round((far[1] - self._corner[1]) * self.unit)

    @property
    def names(self) -> list[str]:
        """Every printed number."""
        return [self.board.names[hex] for hex in self.board.spaces]

    def plane(self, name: str) -> Point:
        """The middle of a hex in hex heights."""
        x, y = self.board.centre(self.board.at(name))
        return x / ROOT3 + self._shift[0], y / ROOT3 + self._shift[1]

    def paper(self, spot: Point) -> Point:
        """From the plane to map units."""
        return (spot[0] - self._corner[0]) * self.unit, (spot[1] - self._corner[1]) * self.unit

    def centre(self, name: str) -> Point:
        """The middle of a hex in map units."""
        return self.paper(self.plane(name))

    def ring(self, name: str) -> Line:
        """The corners of a hex, clockwise."""
        x, y = self.centre(name)
        middle_x, middle_y = self.board.centre(self.board.at(name))
        return [
            (x + (a - middle_x) * self.unit / ROOT3, y + (b - middle_y) * self.unit / ROOT3)
            for a, b in self.board.corners(self.board.at(name))
        ]

    def side(self, a: str, b: str) -> tuple[Point, Point]:
        """The hexside between two neighbours."""
        direction = self.board.direction_between(self.board.at(a), self.board.at(b))
        ring = self.ring(a)
        return ring[direction], ring[(direction + 1) % 6]

    @property
    def compass(self) -> Point | None:
        """Where the compass stands."""
        spot = self.notes.compass
        return (spot[0] * self.unit, spot[1] * self.unit) if spot else None

    @property
    def scale_bar(self) -> tuple[float, float, int] | None:
        """Where the scale stands, and how many kilometres it shows."""
        if self.notes.scale_bar is None:
            return None
        x, y, long = self.notes.scale_bar
        return x * self.unit, y * self.unit, long

    # Ground.

    def coast(self, project: Callable[[float, float], Point]) -> tuple[Line, Line]:
        """The shore with the sea on its left, and the sea as a ring beyond all edges."""
        first, last = self.notes.coast
        spots = [self.paper(project(*spot)) for spot in geography.points("coast")[first:last]]
        shore = roughen(catmull(spots, 4), Random(self.notes.seed), 2, 0.10)
        far = 20 * self.unit
        west = (min(shore[0][0], 0) - far, shore[0][1])
        east = (max(shore[-1][0], self.width) + far, shore[-1][1])
        coast = [west, *shore, east] if shore[0][0] > 0 else [*shore, east]
        ring = [(west[0], -far), *coast, (east[0], -far)]
        if shore[0][0] <= 0:
            ring.insert(1, (shore[0][0], -far))
        return coast, ring

    def scarps(
        self,
        pairs: Sequence[Pair],
        random: Random,
        kind: ScarpKind = "escarpment",
        height: float = 0.9,
        name: str = "",
        low_first: bool = True,
    ) -> list[Scarp]:
        """Hexsides joined into lines through their middles; teeth point to the low side."""
        low = {frozenset(pair): pair[0] for pair in pairs}
        sides = {self._key(*self.side(a, b)): frozenset((a, b)) for a, b in pairs}
        found = []
        for chain in chains(self.side(a, b) for a, b in pairs):
            if low_first:
                votes = 0
                for a, b in pairwise(chain):
                    pair = sides[self._key(a, b)]
                    x, y = self.centre(low[pair])
                    spot, left = middle(a, b), normal(a, b)
                    votes += 1 if (x - spot[0]) * left[0] + (y - spot[1]) * left[1] > 0 else -1
                if votes < 0:
                    chain = chain[::-1]
            elif chain[0][0] > chain[-1][0]:
                chain = chain[::-1]
            found.append(Scarp(kind, tuple(self._smooth(chain, random)), height, name))
        return found

    def _smooth(self, chain: Line, random: Random, rough: float = 0.10) -> Line:
        """Never along the zigzag: through the middles of the sides, a little unsteady."""
        if len(chain) < 3:
            return list(chain)
        k = 0.05 * self.unit
        mids = [
            (x + random.uniform(-k, k), y + random.uniform(-k, k))
            for x, y in (middle(a, b) for a, b in pairwise(chain))
        ]
        line = [chain[0], *mids, chain[-1]]
        return chaikin(roughen(catmull(line, 4), random, 1, rough), 1)

    def _key(self, a: Point, b: Point) -> frozenset[tuple[int, int]]:
        return frozenset((round(x), round(y)) for x, y in (a, b))

    def crest(self, hexes: Sequence[str], random: Random) -> Curve:
        """A line along ridge hexes, a little longer than they are."""
        unit = self.unit
        spots = [self.centre(name) for name in hexes]
        if len(spots) > 1:
            dx, dy = principal(spots)
            spots.sort(key=lambda spot: spot[0] * dx + spot[1] * dy)
            # Hexes side by side would make the crest turn back on itself.
            mids = [middle(a, b) for a, b in pairwise(spots)]
            spots = [spots[0], *mids, spots[-1]]
            if spots[0][0] > spots[-1][0]:
                spots.reverse()
        if len(spots) == 1:
            x, y = spots[0]
            spots = [(x - 0.4 * unit, y + 0.05 * unit), (x, y), (x + 0.4 * unit, y - 0.1 * unit)]
        else:
            (ax, ay), (bx, by) = spots[0], spots[-1]
            far = dist(spots[0], spots[-1])
            dx, dy = (bx - ax) / far * 0.35 * unit, (by - ay) / far * 0.35 * unit
            spots = [(ax - dx, ay - dy), *spots, (bx + dx, by + dy)]
        return tuple(catmull(spots, 8))

    def belt(self, hexes: Iterable[str], by: float, radius: float = 0.2) -> tuple[Curve, ...]:
        """The outline of a set of hexes, drawn in by a part of a hex and rounded."""
        count: dict[frozenset[tuple[int, int]], int] = defaultdict(int)
        sides: dict[frozenset[tuple[int, int]], tuple[Point, Point]] = {}
        for name in sorted(hexes):
            ring = self.ring(name)
            for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
                count[self._key(a, b)] += 1
                sides[self._key(a, b)] = (a, b)
        rings = chains(sides[key] for key, times in count.items() if times == 1)
        return tuple(
            tuple(round_corners(inset(ring[:-1], by * self.unit), radius * self.unit))
            for ring in rings
            if len(ring) > 3
        )

    # Ways.

    def net(self, edges: Iterable[Pair], most: float = 0.33) -> dict[str, Point]:
        """Where ways pass through their hexes: relaxed, so that lines run smoothly."""
        near: dict[str, set[str]] = defaultdict(set)
        for a, b in edges:
            near[a].add(b)
            near[b].add(a)
        centres = {name: self.centre(name) for name in near}
        others_of = {name: sorted(others) for name, others in near.items()}
        spots, order = dict(centres), sorted(near)
        limit = most * self.unit
        for _ in range(60):
            moved = {}
            for name in order:
                # In a fixed order, or the last digits would differ from run to run.
                (x, y), others = spots[name], others_of[name]
                if len(others) > 1:
                    ends = [spots[other] for other in others]
                    x += (sum(a for a, _ in ends) / len(ends) - x) * 0.6
                    y += (sum(b for _, b in ends) / len(ends) - y) * 0.6
                centre = centres[name]
                off = dist((x, y), centre)
                if off > limit:
                    k = limit / off
                    x, y = centre[0] + (x - centre[0]) * k, centre[1] + (y - centre[1]) * k
                moved[name] = (x, y)
            spots = moved
        random, k = Random(4), 0.045 * self.unit
        return {
            name: (spots[name][0] + random.uniform(-k, k), spots[name][1] + random.uniform(-k, k))
            for name in order
        }

    def ways(
        self, listed: Sequence[tuple[WayKind, str, Sequence[str]]]
    ) -> tuple[tuple[Way, ...], dict[str, Curve]]:
        """The lines to draw, each stretch once, and the whole of each way for its name.

        Where two ways run together, the one listed first is drawn.
        """
        net = self.net(edge for _, _, hexes in listed for edge in runs(hexes))
        seen: set[frozenset[str]] = set()
        drawn: list[Way] = []
        for kind, name, hexes in listed:
            stretch: list[str] = []
            for a, b in runs(hexes):
                if frozenset((a, b)) in seen:
                    drawn += self._way(kind, name, stretch, net)
                    stretch = []
                else:
                    seen.add(frozenset((a, b)))
                    stretch = stretch or [a]
                    stretch.append(b)
            drawn += self._way(kind, name, stretch, net)
        whole = {name: tuple(catmull([net[hex] for hex in hexes], 8)) for _, name, hexes in listed}
        return tuple(drawn), whole

    def _way(
        self, kind: WayKind, name: str, hexes: Sequence[str], net: Mapping[str, Point]
    ) -> list[Way]:
        line = tuple(catmull([net[hex] for hex in hexes], 8)) if hexes else ()
        return [Way(kind, line, name)] if line else []

    # Lettering.

    def labels(self, places: Mapping[str, str], ways: Mapping[str, Curve]) -> list[Label]:
        """Names of places, ways and features."""
        given, unit = self.notes, self.unit
        found = []
        for name, words in {**places, **{n: "" for n in given.names if n not in places}}.items():
            how = given.names.get(name, Name())
            words = words if how.text is None else how.text
            if words:
                x, y = self.centre(name)
                found.append(
                    Label(
                        text=words,
                        at=(x + how.shift[0] * unit, y + how.shift[1] * unit),
                        size=how.size * unit,
                        style=how.style,
                        anchor=how.anchor,
                    )
                )
        for each in given.along:
            if each.way in ways:
                line = ways[each.way]
                found.append(
                    Label(
                        text=each.text,
                        at=line[0],
                        size=each.size * unit,
                        style="way",
                        spacing=0.06,
                        along=line,
                        offset=each.offset,
                        shift=each.shift * unit,
                    )
                )
        for feature in given.feature:
            # The line itself is moved aside: letters set far off a bent line would crowd.
            start, end = self.centre(feature.start), self.centre(feature.end)
            nx, ny = normal(start, end)
            away = -feature.shift * unit
            moved = [(x + nx * away, y + ny * away) for x, y in (start, end)]
            line = tuple(bow(moved[0], moved[1], 0.06 * unit))
            found.append(
                Label(
                    text=feature.text,
                    at=line[0],
                    size=feature.size * unit,
                    style="feature",
                    spacing=0.08,
                    along=line,
                )
            )
        return found

    def water(self, project: Callable[[float, float], Point]) -> list[Label]:
        """Names on the sea."""
        return [
            Label(
                text=each.text,
                at=self.paper(project(*each.at)),
                size=each.size * self.unit,
                style="water",
                spacing=each.spacing,
                anchor=each.anchor,
            )
            for each in self.notes.water
        ]

    def glyphs(self, places: Mapping[str, str]) -> tuple[Glyph, ...]:
        """A small picture at each place: what the notes say, or what the ground has there."""
        found = []
        for name, words in places.items():
            how = self.notes.names.get(name, Name())
            kind = how.glyph or glyph_kind(words)
            if kind and kind != "none":
                found.append(Glyph(kind, self.centre(name)))
        return tuple(found)

    def sources(self, side: str, hexes: Iterable[str]) -> tuple[Glyph, ...]:
        """Signs of supply sources, low in their hexes and clear of the counters."""
        k = 0.36 if self.board.shape == "flat" else 0.42
        spots = [self.centre(name) for name in hexes]
        return tuple(Glyph(f"source-{side}", (x, y + k * self.unit)) for x, y in spots)

    def space(
        self,
        name: str,
        words: str,
        terrain: Sequence[str],
        sides: Mapping[str, Sequence[str]],
        vp: int,
        status: str,
        land: bool,
    ) -> Space:
        """A hex for the page."""
        around = self.board.around[self.board.at(name)]
        return Space(
            id=name,
            name=words,
            at=self.centre(name),
            polygon=tuple(self.ring(name)),
            terrain=tuple(terrain),
            neighbours={
                wind: self.board.names[hex]
                for wind, hex in zip(self.board.directions, around, strict=True)
                if hex >= 0
            },
            sides={wind: tuple(words) for wind, words in sides.items()},
            vp=vp,
            status=status,
            land=land,
        )


class Sides:
    """What runs along or across hexsides, collected for the text of a map."""

    def __init__(self, board: HexBoard) -> None:
        self._board = board
        self._words: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))

    def add(self, a: str, b: str, from_a: str, from_b: str = "") -> None:
        """Words for the side as seen from a and, if different, from b."""
        one, two = self._board.at(a), self._board.at(b)
        for here, there, word in ((one, two, from_a), (two, one, from_b or from_a)):
            wind = self._board.directions[self._board.direction_between(here, there)]
            words = self._words[self._board.names[here]][wind]
            if word not in words:
                words.append(word)

    def of(self, name: str) -> dict[str, list[str]]:
        """The words of a hex by direction."""
        return {wind: list(words) for wind, words in self._words.get(name, {}).items()}


def runs(hexes: Sequence[str]) -> list[Pair]:
    """The steps of a run of hexes."""
    return list(pairwise(hexes))


def glyph_kind(place: str) -> str:
    """The picture for a place of the geography, by its name."""
    kind = geography.place_kinds().get(place, "")
    for word, glyph in (
        ("airfield", "air"),
        ("port", "village"),
        ("village", "village"),
        ("well", "well"),
        ("tomb", "tomb"),
        ("track crossing", "cross"),
        ("hill", "cairn"),
        ("cairn", "cairn"),
        ("box", "cairn"),
        ("fort", "tomb"),
    ):
        if word in kind:
            return glyph
    return "well" if place.startswith("Bir ") else "cairn" if place else ""
