"""Lines on paper: smoothing, roughness, offsets, and path data; no drawing library needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from math import atan2, cos, dist, floor, sin
from random import Random

Point = tuple[float, float]
Line = list[Point]


def number(value: float) -> str:
    """A coordinate to one decimal, as short as it can be written.

    >>> number(3.04), number(-0.5), number(-0.01)
    ('3', '-.5', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    if text in ("-0", "0"):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def path(line: Sequence[Point], closed: bool = False) -> str:
    """Path data in relative steps, rounded so that errors never add up.

    >>> path([(0, 0), (10, 5), (10, 6.25)], closed=True)
    'M0 0l10 5 0 1.2z'
    """
    spots = [(round(x * 10), round(y * 10)) for x, y in line]
    (x, y), *rest = spots
    out = [f"M{number(x / 10)} {number(y / 10)}"]
    for at, (a, b) in enumerate(rest):
        if (a, b) != (x, y) or len(rest) == 1:
            step = f"{number((a - x) / 10)} {number((b - y) / 10)}"
            out.append(("l" if at == 0 or len(out) == 1 else " ") + step)
            x, y = a, b
    return "".join(out) + ("z" if closed else "")


def text(value: object) -> str:
    """Safe between tags and in attributes."""
    return escape(str(value), quote=True)


def along(a: Point, b: Point, share: float) -> Point:
    """A point on the way from a to b."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def middle(a: Point, b: Point) -> Point:
    """Half-way."""
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)


def chaikin(line: Sequence[Point], times: int = 2, closed: bool = False) -> Line:
    """Corners cut, so that a zigzag becomes a curve."""
    points = list(line)
    for _ in range(times):
        pairs = list(pairwise([*points, points[0]] if closed else points))
        cut = [spot for a, b in pairs for spot in (along(a, b, 0.25), along(a, b, 0.75))]
        points = cut if closed else [points[0], *cut, points[-1]]
    return points


def catmull(line: Sequence[Point], parts: int = 8) -> Line:
    """A smooth curve through all points."""
    if len(line) < 3:
        return list(line)
    held = [line[0], *line, line[-1]]
    curve: Line = []
    for p0, p1, p2, p3 in zip(held, held[1:], held[2:], held[3:], strict=False):
        for part in range(parts):
            t = part / parts
            curve.append(
                (
                    _hermite(p0[0], p1[0], p2[0], p3[0], t),
                    _hermite(p0[1], p1[1], p2[1], p3[1], t),
                )
            )
    return [*curve, line[-1]]


def _hermite(a: float, b: float, c: float, d: float, t: float) -> float:
    bend = (2 * a - 5 * b + 4 * c - d) * t * t + (-a + 3 * b - 3 * c + d) * t**3
    return 0.5 * (2 * b + (c - a) * t + bend)


def relaxed(line: Sequence[Point], times: int = 2) -> Line:
    """A way through hexes without their zigzag; its ends stay.

    >>> relaxed([(0, 0), (1, 1), (2, 0)], 1)
    [(0, 0), (1.0, 0.5), (2, 0)]
    """
    points = list(line)
    for _ in range(times):
        between = [
            ((a[0] + 2 * b[0] + c[0]) / 4, (a[1] + 2 * b[1] + c[1]) / 4)
            for a, b, c in zip(points, points[1:], points[2:], strict=False)
        ]
        points = [*points[:1], *between, *points[max(1, len(points) - 1) :]]
    return points


def roughen(line: Sequence[Point], random: Random, times: int = 3, share: float = 0.16) -> Line:
    """Middles moved sideways, as a surveyor would have found the line."""
    points = list(line)
    for _ in range(times):
        rough = [points[0]]
        for a, b in pairwise(points):
            aside = random.uniform(-1, 1) * share
            x, y = middle(a, b)
            rough += [(x - (b[1] - a[1]) * aside, y + (b[0] - a[0]) * aside), b]
        points = rough
    return points


def resample(line: Sequence[Point], step: float) -> Line:
    """Points at even distances along the line, with its last one."""
    out = [line[0]]
    carried = 0.0
    for a, b in pairwise(line):
        length = dist(a, b)
        if not length:
            continue
        at = step - carried
        while at <= length:
            out.append(along(a, b, at / length))
            at += step
        carried = (carried + length) % step
    if dist(out[-1], line[-1]) > step * 0.01:
        out.append(line[-1])
    return out


def simplify(line: Sequence[Point], tolerance: float) -> Line:
    """Fewer points, none of the dropped ones further off than the tolerance."""
    # In pieces, since the time grows with the square of a piece's length.
    ends = [*range(0, len(line) - 1, 48), len(line) - 1]
    keep = set(ends)
    spans = list(pairwise(ends))
    while spans:
        first, last = spans.pop()
        far, where = tolerance, -1
        for at in range(first + 1, last):
            away = segment_distance(line[at], line[first], line[last])
            if away > far:
                far, where = away, at
        if where >= 0:
            keep.add(where)
            spans += [(first, where), (where, last)]
    return [line[at] for at in sorted(keep)]


def segment_distance(spot: Point, a: Point, b: Point) -> float:
    """How far a point is from a straight piece."""
    (x, y), dx, dy = spot, b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    share = ((x - a[0]) * dx + (y - a[1]) * dy) / length if length else 0.0
    share = 0.0 if share < 0 else 1.0 if share > 1 else share
    return dist(spot, (a[0] + dx * share, a[1] + dy * share))


def inside(spot: Point, ring: Sequence[Point]) -> bool:
    """Whether a point lies in a polygon.

    >>> inside((1, 1), [(0, 0), (3, 0), (0, 3)])
    True
    """
    x, y = spot
    odd = False
    for (ax, ay), (bx, by) in pairwise([*ring, ring[0]]):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd


def area(ring: Sequence[Point]) -> float:
    """Signed: positive for a ring that runs clockwise on the screen."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*ring, ring[0]])) / 2


def length_of(line: Sequence[Point]) -> float:
    """The length of a line."""
    return sum(dist(a, b) for a, b in pairwise(line))


def part(line: Sequence[Point], share: float, long: float) -> Line:
    """The piece of a line that is so long and lies round a point of it."""
    step = max(long / 40, 1.0)
    points = resample(line, step)
    middle_at = round(share * (len(points) - 1))
    reach = round(long / 2 / step) + 1
    first = max(0, min(middle_at - reach, len(points) - 1 - 2 * reach))
    return simplify(points[first : first + 2 * reach + 1], 0.1)


def normal(a: Point, b: Point) -> Point:
    """The unit vector to the left of a step, as seen on the screen."""
    far = dist(a, b) or 1.0
    return ((b[1] - a[1]) / far, -(b[0] - a[0]) / far)


def inset(ring: Sequence[Point], by: float) -> Line:
    """A ring moved inward (outward if negative), corner by corner."""
    if area(ring) < 0:
        return inset(ring[::-1], by)
    out: Line = []
    count = len(ring)
    for at, spot in enumerate(ring):
        one = normal(ring[at - 1], spot)
        two = normal(spot, ring[(at + 1) % count])
        x, y = one[0] + two[0], one[1] + two[1]
        scale = 1 + one[0] * two[0] + one[1] * two[1]
        if scale < 0.05:
            x, y, scale = two[0], two[1], 1.0
        out.append((spot[0] - x / scale * by, spot[1] - y / scale * by))
    return out


def round_corners(ring: Sequence[Point], radius: float) -> Line:
    """A ring whose corners are arcs, so that hexes keep their shape."""
    out: Line = []
    count = len(ring)
    for at, spot in enumerate(ring):
        before, after = ring[at - 1], ring[(at + 1) % count]
        one = along(spot, before, min(0.5, radius / (dist(spot, before) or 1.0)))
        two = along(spot, after, min(0.5, radius / (dist(spot, after) or 1.0)))
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            out.append(along(along(one, spot, share), along(spot, two, share), share))
    return out


def principal(spots: Sequence[Point]) -> Point:
    """The direction in which points spread most."""
    count = len(spots)
    x0, y0 = sum(x for x, _ in spots) / count, sum(y for _, y in spots) / count
    xx = sum((x - x0) ** 2 for x, _ in spots)
    yy = sum((y - y0) ** 2 for _, y in spots)
    xy = sum((x - x0) * (y - y0) for x, y in spots)
    turn = 0.5 * atan2(2 * xy, xx - yy)
    return cos(turn), sin(turn)


def offshore(coast: Sequence[Point], away: float) -> list[Line]:
    """A line at a distance to the left of the coast; points too near the land are left out."""
    spots = resample(coast, max(away * 0.16, 2.0))
    cell = away
    near: dict[tuple[int, int], list[Point]] = defaultdict(list)
    for spot in spots:
        near[floor(spot[0] / cell), floor(spot[1] / cell)].append(spot)
    kept: list[Line] = [[]]
    last = -1
    for at in range(1, len(spots) - 1):
        left = normal(spots[max(0, at - 2)], spots[min(len(spots) - 1, at + 2)])
        moved = (spots[at][0] + left[0] * away, spots[at][1] + left[1] * away)
        column, row = floor(moved[0] / cell), floor(moved[1] / cell)
        close = (
            other
            for x in (column - 1, column, column + 1)
            for y in (row - 1, row, row + 1)
            for other in near.get((x, y), ())
        )
        if any(dist(moved, other) < away * 0.985 for other in close):
            continue
        if kept[-1] and last >= 0 and dist(kept[-1][-1], moved) > away * 3:
            kept.append([])
        kept[-1].append(moved)
        last = at
    return [simplify(chaikin(line, 1), 0.15) for line in kept if len(line) > 4]


def chains(pieces: Iterable[tuple[Point, Point]]) -> list[Line]:
    """Straight pieces joined end to end into the longest runs."""
    segments = list(pieces)
    ends: dict[tuple[int, int], list[int]] = defaultdict(list)
    for at, (a, b) in enumerate(segments):
        ends[_key(a)].append(at)
        ends[_key(b)].append(at)
    used: set[int] = set()
    lines: list[Line] = []

    def walk(at: int, spot: Point) -> Line:
        line = [spot]
        piece: int | None = at
        while piece is not None:
            used.add(piece)
            a, b = segments[piece]
            line.append(b if _key(a) == _key(line[-1]) else a)
            free = [each for each in ends[_key(line[-1])] if each not in used]
            piece = free[0] if free else None
        return line

    for at, (a, b) in enumerate(segments):
        for spot in (a, b):
            if at not in used and len(ends[_key(spot)]) != 2:
                lines.append(walk(at, spot))
    for at, (a, _) in enumerate(segments):
        if at not in used:
            lines.append(walk(at, a))
    return lines


def _key(spot: Point) -> tuple[int, int]:
    return round(spot[0]), round(spot[1])
