"""The layers of a map, each a group with a class of its own, bottom to top."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

from sandtable.render.geometry import (
    Line,
    Point,
    area,
    inside,
    normal,
    number,
    offshore,
    path,
    resample,
    simplify,
    text,
)
from sandtable.render.palette import Theme
from sandtable.render.spec import MapSpec, Minefield, Scarp

STAR = "M0-2 .55-.65 2-.6.9.3 1.25 1.7 0 .9-1.25 1.7-.9.3-2-.6-.55-.65z"
"""A star of radius 2."""


def group(name: str, inner: str, **attributes: object) -> str:
    """A layer; the page finds it by its class."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"' for key, value in attributes.items()
    )
    return f'<g class="{name}"{given}>{inner}</g>' if inner else ""


def ground(spec: MapSpec, theme: Theme) -> str:
    """Flat colours below the relief, so that the map reads without it."""
    land = (
        f'<path d="M0 0h{number(spec.width)}v{number(spec.height)}H0z" fill="{theme.ground_low}"/>'
    )
    sea = (
        f'<path d="{path(spec.sea, closed=True)}" fill="{theme.sea_shallow}"/>' if spec.sea else ""
    )
    return group("base", land + sea)


def relief(spec: MapSpec, theme: Theme, href: str) -> str:
    """The shaded picture."""
    if not href:
        return ""
    size = f'width="{number(spec.width)}" height="{number(spec.height)}"'
    return f'<image class="relief" href="{text(href)}" {size} preserveAspectRatio="none"/>'


def water(spec: MapSpec, theme: Theme) -> str:
    """Lines off shore, fading."""
    out = []
    far = 2 * spec.unit
    shore = [
        (x, y)
        for x, y in spec.coast
        if -far < x < spec.width + far and -far < y < spec.height + far
    ]
    for away, strength in zip(spec.water_lines, (0.42, 0.30, 0.21, 0.14, 0.08), strict=False):
        lines = offshore(shore, away * spec.unit) if shore else []
        if lines:
            data = "".join(path(line) for line in lines)
            out.append(f'<path d="{data}" stroke-opacity="{strength}"/>')
    width = number(max(0.7, 0.016 * spec.unit))
    return group("water", "".join(out), fill="none", stroke=theme.sea_ink, stroke_width=width)


def coast(spec: MapSpec, theme: Theme) -> str:
    """The shore itself."""
    if not spec.coast:
        return ""
    line = f'<path d="{path(simplify(spec.coast, 0.08))}"/>'
    return group(
        "coast",
        line,
        fill="none",
        stroke=theme.coast,
        stroke_width=number(0.03 * spec.unit),
        stroke_linejoin="round",
    )


def broken(spec: MapSpec, theme: Theme) -> str:
    """Small angular strokes on broken ground."""
    unit, random, marks = spec.unit, Random(11), []
    rings = {space.id: space.polygon for space in spec.spaces}
    spots = {space.id: space.at for space in spec.spaces}
    for name in spec.broken:
        x0, y0 = spots[name]
        for _ in range(11):
            x, y = x0 + random.uniform(-0.5, 0.5) * unit, y0 + random.uniform(-0.45, 0.45) * unit
            a = random.uniform(0.035, 0.075) * unit
            b = a * random.uniform(0.45, 0.8)
            if inside((x, y), rings[name]):
                marks.append(
                    f"M{number(x - a)} {number(y + b * 0.6)}l{number(a * 0.9)} {number(-b * 1.5)} "
                    f"{number(a * 0.8)} {number(b * 1.1)}"
                )
    return group(
        "broken",
        f'<path d="{"".join(marks)}"/>' if marks else "",
        fill="none",
        stroke=theme.broken,
        stroke_opacity=0.62,
        stroke_width=number(0.02 * unit),
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def mine_pattern(spec: MapSpec, name: str, colour: str) -> str:
    """Dots and crosses, turned a little."""
    u = spec.unit * 0.165
    r = u * 0.15
    cross = f"l{u * 0.28:.2f} {u * 0.28:.2f}m0 {-u * 0.28:.2f}l{-u * 0.28:.2f} {u * 0.28:.2f}"
    return (
        f'<pattern id="{name}" width="{u * 2:.2f}" height="{u * 1.5:.2f}" '
        'patternUnits="userSpaceOnUse" patternTransform="rotate(-8)">'
        f'<g fill="{colour}"><circle cx="{u * 0.5:.2f}" cy="{u * 0.4:.2f}" r="{r:.2f}"/>'
        f'<circle cx="{u * 1.5:.2f}" cy="{u * 1.15:.2f}" r="{r:.2f}"/></g>'
        f'<path stroke="{colour}" stroke-width="{u * 0.1:.2f}" stroke-linecap="round" '
        f'd="M{u * 1.36:.2f} {u * 0.26:.2f}{cross}M{u * 0.36:.2f} {u * 1.01:.2f}{cross}"/>'
        "</pattern>"
    )


def mine_colour(theme: Theme, side: str) -> str:
    """Allied fields in red, Axis fields in grey ink."""
    return theme.ink2 if side == "axis" else theme.mine


def minefields(spec: MapSpec, theme: Theme, laid: frozenset[str] = frozenset()) -> str:
    """Belts that end at the shore; hexside fields as beads; fields not yet laid are faint."""
    fields = "".join(_minefield(spec, theme, field, laid) for field in spec.minefields)
    clip = {"clip_path": f"url(#{spec.title}-land)"} if spec.sea else {}
    return group("minefields", fields, **clip)


def _minefield(spec: MapSpec, theme: Theme, field: Minefield, laid: frozenset[str]) -> str:
    colour, unit = mine_colour(theme, field.side), spec.unit
    out = []
    if field.rings:
        data = "".join(path(ring, closed=True) for ring in field.rings)
        dash = f"{number(unit * 0.09)} {number(unit * 0.055)}"
        out.append(
            f'<path d="{data}" fill="{colour}" fill-opacity=".07" fill-rule="evenodd"/>'
            f'<path d="{data}" fill="url(#{spec.title}-mines-{field.side})" fill-opacity=".7" '
            f'fill-rule="evenodd" stroke="{colour}" stroke-opacity=".75" '
            f'stroke-width="{unit * 0.022:.2f}" stroke-dasharray="{dash}"/>'
        )
    if field.lines:
        wash = "".join(path(line) for line in field.lines)
        dots, crosses, k = [], [], unit * 0.03
        for line in field.lines:
            for at, (x, y) in enumerate(resample(line, unit * 0.105)):
                if at % 2:
                    dots.append(f"M{number(x)} {number(y)}h0")
                else:
                    crosses.append(
                        f"M{number(x - k)} {number(y - k)}l{number(2 * k)} {number(2 * k)}"
                        f"m0-{number(2 * k)}l-{number(2 * k)} {number(2 * k)}"
                    )
        out.append(
            f'<g fill="none" stroke="{colour}" stroke-linecap="round">'
            f'<path d="{wash}" stroke-opacity=".16" stroke-width="{number(unit * 0.15)}"/>'
            f'<path d="{"".join(dots)}" stroke-width="{number(unit * 0.052)}"/>'
            f'<path d="{"".join(crosses)}" stroke-width="{number(unit * 0.018)}"/></g>'
        )
    if not field.key:
        return f'<g class="minefield">{"".join(out)}</g>'
    faint = "" if field.key in laid else ' opacity=".35"'
    return f'<g class="minefield later" data-key="{text(field.key)}"{faint}>{"".join(out)}</g>'


def grid(spec: MapSpec, theme: Theme) -> str:
    """Hex outlines, each side once, in long zigzags; or the borders of areas."""
    if spec.kind == "area":
        return _borders(spec, theme)
    sides: dict[tuple[tuple[int, int], tuple[int, int]], tuple[Point, Point]] = {}
    for space in spec.spaces:
        if space.land:
            for a, b in pairwise([*space.polygon, space.polygon[0]]):
                first, second = sorted(((round(a[0]), round(a[1])), (round(b[0]), round(b[1]))))
                sides[first, second] = (a, b)
    data = "".join(path(line) for line in _trails(list(sides.values())))
    return group(
        "grid",
        f'<path d="{data}"/>',
        fill="none",
        stroke=theme.grid,
        stroke_opacity=theme.grid_opacity,
        stroke_width=number(max(0.7, spec.unit * 0.013)),
    )


def _trails(sides: list[tuple[Point, Point]]) -> list[Line]:
    """All sides in few long walks, so that the grid is short to write down."""
    ends: dict[tuple[int, int], list[int]] = {}
    for at, (a, b) in enumerate(sides):
        for spot in (a, b):
            ends.setdefault((round(spot[0]), round(spot[1])), []).append(at)
    used = [False] * len(sides)
    lines: list[Line] = []
    for start in range(len(sides)):
        if used[start]:
            continue
        used[start] = True
        line = list(sides[start])
        while True:
            here = (round(line[-1][0]), round(line[-1][1]))
            free = [at for at in ends[here] if not used[at]]
            if not free:
                break
            used[free[0]] = True
            a, b = sides[free[0]]
            line.append(b if (round(a[0]), round(a[1])) == here else a)
        lines.append(line)
    return lines


def _borders(spec: MapSpec, theme: Theme) -> str:
    data = "".join(path(simplify(b.line, 0.1)) for b in spec.borders if b.kind == "open")
    inner = (
        f'<path d="{data}" stroke="{theme.border_case}" stroke-width="4" stroke-opacity=".55"/>'
        f'<path d="{data}" stroke="{theme.border}" stroke-width="1.7" stroke-opacity=".85"/>'
    )
    return group("grid", inner, fill="none", stroke_linejoin="round", **_clip(spec))


def _clip(spec: MapSpec) -> dict[str, str]:
    return {"clip_path": f"url(#{spec.title}-frame)"} if spec.frame else {}


def escarpments(spec: MapSpec, theme: Theme) -> str:
    """Toothed lines; ridges have strokes on both sides, wadis cross strokes."""
    draw: dict[str, Callable[[MapSpec, Theme, Scarp, Random], str]] = {
        "escarpment": _escarpment,
        "towering": _escarpment,
        "ridge": _ridge,
        "wadi": _wadi,
    }
    random = Random(5)
    inner = "".join(draw[scarp.kind](spec, theme, scarp, random) for scarp in spec.scarps)
    return group(
        "escarpments", inner, stroke_linecap="round", stroke_linejoin="round", **_clip(spec)
    )


def _escarpment(spec: MapSpec, theme: Theme, scarp: Scarp, random: Random) -> str:
    unit = spec.unit
    towering = scarp.kind == "towering"
    area_map = spec.kind == "area"
    pen, tooth, step = (0.035, 0.22, 0.06) if towering else (0.026, 0.20, 0.085)
    if area_map:
        pen, tooth, step = 0.05, 0.24, 0.10
    points = resample(scarp.line, unit * 0.04)
    whole = unit * 0.04 * (len(points) - 1)
    teeth, following = [], 0.0
    for at in range(1, len(points) - 1):
        walked = at * unit * 0.04
        if walked < following:
            continue
        following = walked + unit * step * random.uniform(0.82, 1.18)
        before, after = points[max(0, at - 2)], points[min(len(points) - 1, at + 2)]
        nx, ny = normal(before, after)
        tx, ty = -ny, nx
        taper = min(1.0, walked / (unit * 0.6), (whole - walked) / (unit * 0.6))
        k = unit * tooth * (0.55 + 0.45 * taper) * random.uniform(0.75, 1.15)
        skew = random.uniform(-0.12, 0.12)
        half = unit * pen * 0.75
        x, y = points[at]
        tip = (x + (nx + tx * skew) * k, y + (ny + ty * skew) * k)
        base = [(x - tx * half, y - ty * half), (x + tx * half, y + ty * half)]
        teeth.append(path([*base, tip], closed=True))
    line = path(simplify(points, 0.12))
    return (
        f'<path d="{line}" fill="none" stroke="{theme.scarp}" stroke-width="{unit * pen:.2f}"/>'
        f'<path d="{"".join(teeth)}" fill="{theme.scarp}" fill-opacity=".88"/>'
    )


def _ridge(spec: MapSpec, theme: Theme, scarp: Scarp, random: Random) -> str:
    unit, marks = spec.unit, []
    points = resample(scarp.line, unit * 0.05)
    for at in range(1, len(points) - 1):
        nx, ny = normal(points[at - 1], points[at + 1])
        share = min(at, len(points) - 1 - at) / (len(points) / 2)
        for side in (1, -1):
            start = unit * 0.07 * side * (0.4 + 0.6 * share)
            long = unit * random.uniform(0.10, 0.18) * (0.5 + 0.5 * share) * side
            a = (points[at][0] + nx * start, points[at][1] + ny * start)
            marks.append(path([a, (a[0] + nx * long, a[1] + ny * long)]))
    return (
        f'<path d="{"".join(marks)}" stroke="{theme.scarp}" stroke-width="{unit * 0.022:.2f}" '
        'stroke-opacity=".75"/>'
    )


def _wadi(spec: MapSpec, theme: Theme, scarp: Scarp, random: Random) -> str:
    unit, line = spec.unit, path(scarp.line)
    dash = f"{unit * 0.018:.2f} {unit * 0.06:.2f}"
    return (
        f'<g fill="none" stroke="{theme.scarp}"><path d="{line}" stroke-width="{unit * 0.03:.2f}"/>'
        f'<path d="{line}" stroke-linecap="butt" stroke-width="{unit * 0.14:.2f}" '
        f'stroke-dasharray="{dash}"/></g>'
    )


def tracks(spec: MapSpec, theme: Theme) -> str:
    """Dashed ways and the frontier wire."""
    unit, out = spec.unit, []
    for kind, pen, dash in (("track", 0.024, (0.10, 0.05)), ("major", 0.034, (0.20, 0.06))):
        data = "".join(path(simplify(w.line, 0.1)) for w in spec.ways if w.kind == kind)
        if data:
            marks = " ".join(number(unit * part) for part in dash)
            out.append(
                f'<path class="{kind}" d="{data}" stroke-width="{unit * pen:.2f}" '
                f'stroke-dasharray="{marks}"/>'
            )
    for way in spec.ways:
        if way.kind == "wire":
            k = unit * 0.039
            crosses = "".join(
                f"M{number(x - k)} {number(y - k)}l{number(2 * k)} {number(2 * k)}"
                f"m0-{number(2 * k)}l-{number(2 * k)} {number(2 * k)}"
                for x, y in resample(way.line, unit * 0.145)
            )
            data = path(simplify(way.line, 0.1)) + crosses
            out.append(
                f'<path class="wire" d="{data}" stroke="{theme.ink}" stroke-opacity=".75" '
                f'stroke-width="{unit * 0.016:.2f}"/>'
            )
    inner = "".join(out)
    return group(
        "tracks", inner, fill="none", stroke=theme.track, stroke_linejoin="round", **_clip(spec)
    )


def roads(spec: MapSpec, theme: Theme) -> str:
    """Cased lines."""
    data = "".join(path(simplify(way.line, 0.1)) for way in spec.ways if way.kind == "road")
    if not data:
        return ""
    inner = "".join(
        f'<path d="{data}" stroke="{colour}" stroke-width="{spec.unit * pen:.2f}"/>'
        for colour, pen in ((theme.road_case, 0.072), (theme.road, 0.040))
    )
    return group(
        "roads", inner, fill="none", stroke_linejoin="round", stroke_linecap="round", **_clip(spec)
    )


def boxes(spec: MapSpec, theme: Theme) -> str:
    """Defended boxes, teeth outward."""
    unit, out = spec.unit, []
    for ring in spec.boxes:
        closed = list(ring) if area(ring) > 0 else list(ring)[::-1]
        points = resample([*closed, closed[0]], unit * 0.135)
        teeth = []
        for before, spot, after in zip(
            [points[-2], *points], points, [*points[1:], points[1]], strict=False
        ):
            nx, ny = normal(before, after)
            k = unit * 0.075
            teeth.append(path([spot, (spot[0] + nx * k, spot[1] + ny * k)]))
        out.append(
            f'<path d="{path(closed, closed=True)}" fill="{theme.halo}" fill-opacity=".3" '
            f'stroke-width="{unit * 0.036:.2f}"/>'
            f'<path d="{"".join(teeth)}" stroke-width="{unit * 0.032:.2f}"/>'
        )
    return group("boxes", "".join(out), stroke=theme.fort, stroke_linejoin="round")
