"""The layers of a map, each a group with a class of its own, bottom to top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import cos, dist, radians, sin
from random import Random

from sandtable.render.geometry import (
    Line,
    Point,
    area,
    catmull,
    inside,
    normal,
    number,
    offshore,
    part,
    path,
    resample,
    simplify,
    text,
)
from sandtable.render.lettering import width
from sandtable.render.palette import FIGURES, LABELS, NATIONS, SERIF, Theme
from sandtable.render.spec import Label, MapSpec, Minefield, Scarp, Spot

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
    return group("ground", land + sea)


def relief(spec: MapSpec, theme: Theme, href: str) -> str:
    """The shaded picture."""
    if not href:
        return ""
    size = f'width="{number(spec.width)}" height="{number(spec.height)}"'
    return f'<image class="relief" href="{text(href)}" {size} preserveAspectRatio="none"/>'


def water(spec: MapSpec, theme: Theme) -> str:
    """Lines off shore, fading."""
    out = []
    for away, strength in zip(spec.water_lines, (0.42, 0.30, 0.21, 0.14, 0.08), strict=False):
        lines = offshore(spec.coast, away * spec.unit) if spec.coast else []
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
        f'd="M{u * 1.36:.2f} {u * 0.26:.2f}{cross}M{u * 0.36:.2f} {u * 1.01:.2f}{cross}"/></pattern>'
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


def numbers(spec: MapSpec, theme: Theme) -> str:
    """Hex numbers near the upper side, where no name stands on them."""
    if spec.kind == "area":
        return ""
    size = spec.unit * spec.number_size
    taken = [label_box(label) for label in spec.labels if not label.along]
    out = []
    for space in spec.spaces:
        x, y = space.at[0], _number_line(spec, space.polygon)
        half = width(space.id, size, "figures") / 2
        box = (x - half, y - size * 0.7, x + half, y)
        if space.land and not any(_overlap(box, other) for other in taken):
            out.append(f'<text x="{number(x)}" y="{number(y)}">{text(space.id)}</text>')
    return group(
        "numbers",
        "".join(out),
        font_family=FIGURES,
        font_weight=500,
        font_size=number(size),
        fill=theme.number,
        text_anchor="middle",
        letter_spacing=".02em",
    )


Box = tuple[float, float, float, float]


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _number_line(spec: MapSpec, ring: Sequence[Spot]) -> float:
    top = min(y for _, y in ring)
    flat = sum(1 for _, y in ring if y - top < 0.5) == 2
    return top + spec.unit * (0.115 if flat else 0.20)


def names(spec: MapSpec, theme: Theme) -> str:
    """Pictures of places, then all lettering with halos."""
    pictures = "".join(glyph(theme, spec.unit, each.kind, each.at) for each in spec.glyphs)
    styles = {
        "minor": (SERIF, 500, "normal", theme.place),
        "place": (SERIF, 600, "normal", theme.place),
        "way": (SERIF, 500, "italic", theme.track),
        "feature": (SERIF, 500, "italic", theme.feature),
        "water": (SERIF, 500, "italic", theme.sea_ink),
        "unit": (FIGURES, 600, "normal", theme.fort),
        "victory": (SERIF, 700, "normal", theme.accent),
    }
    out = [group("glyphs", pictures)]
    for style, (family, weight, slant, colour) in styles.items():
        inner = "".join(
            _label(spec, theme, at, each)
            for at, each in enumerate(spec.labels)
            if each.style == style
        )
        halo = theme.sea_shallow if style == "water" else theme.halo
        out.append(
            group(
                f"names {style}",
                inner,
                font_family=family,
                font_weight=weight,
                font_style=slant,
                fill=colour,
                stroke=halo,
                stroke_opacity=0.88 if style != "water" else 0.5,
                stroke_linejoin="round",
                paint_order="stroke",
            )
        )
    return group("lettering", "".join(out))


def label_box(label: Label) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a label that follows no line."""
    face = "italic" if label.style in ("way", "feature", "water") else "serif"
    rows = label.text.split("|")
    widest = max(
        width(row, label.size, "figures" if label.style == "unit" else face) for row in rows
    )
    widest *= 1.03 if label.style == "victory" else 1.0
    widest += label.spacing * label.size * max(len(row) for row in rows)
    widest += label.stars * label.size * 0.8
    x = label.at[0] - {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * widest
    top = label.at[1] - label.size * 0.72
    return x, top, x + widest, top + label.size * (0.92 + 1.02 * (len(rows) - 1))


def _label(spec: MapSpec, theme: Theme, at: int, label: Label) -> str:
    size = f'font-size="{number(label.size)}" stroke-width="{label.size * 0.24:.1f}"'
    if label.spacing:
        size += f' letter-spacing="{label.spacing:g}em"'
    if label.along:
        line = label.along if label.along[0][0] <= label.along[-1][0] else label.along[::-1]
        name = f"{spec.title}-line-{at}"
        long = width(label.text, label.size, "italic")
        long += label.spacing * label.size * len(label.text)
        line = part(line, label.offset / 100, long * 1.3)
        return (
            f'<path id="{name}" d="{path(line)}" fill="none" stroke="none"/>'
            f'<text {size} dy="{number(label.shift)}" text-anchor="middle">'
            f'<textPath href="#{name}" startOffset="50%">{text(label.text)}</textPath></text>'
        )
    x, y = label.at
    rows = label.text.split("|")
    if len(rows) == 1:
        words = text(label.text)
    else:
        words = "".join(
            f'<tspan x="{number(x)}" dy="{number(label.size * 1.02) if at else 0}">{text(row)}</tspan>'
            for at, row in enumerate(rows)
        )
    shift = label.stars * label.size * 0.4 if label.anchor == "middle" else 0.0
    stars = ""
    if label.stars:
        right = label_box(label)[2]
        k = label.size * 0.19
        stars = "".join(
            f'<path transform="translate({number(right - label.size * 0.8 * (label.stars - star - 0.62))} '
            f'{number(y - label.size * 0.3)}) scale({k:.2f})" stroke-width="{0.24 * label.size / k:.1f}" '
            f'd="{STAR}"/>'
            for star in range(label.stars)
        )
    return (
        f'<text x="{number(x - shift)}" y="{number(y)}" {size} text-anchor="{label.anchor}">{words}</text>'
        + stars
    )


def glyph(theme: Theme, unit: float, kind: str, at: Spot) -> str:
    """A village, well, tomb, cairn, crossing, airfield or port."""
    u = unit * 0.05
    place = f'<g transform="translate({number(at[0])} {number(at[1])}) scale({u:.2f})"'
    ink, halo = theme.fort, theme.halo
    halved = f'fill="{ink}" stroke="{halo}" stroke-width=".8" paint-order="stroke"'
    match kind:
        case "village":
            blocks = (
                "M-2.1-1.6h1.5v1.3h-1.5zM-.3-1.9h1.2v1.5h-1.2zM1.1-1.2h1.4v1.1h-1.4z"
                "M-1.5.1h1.7v1.2h-1.7zM.6.3h1.2v1.4h-1.2z"
            )
            return f'{place} {halved}><path d="{blocks}"/></g>'
        case "well":
            return (
                f'{place}><circle r="1.15" fill="{halo}" stroke="{theme.sea_ink}" '
                f'stroke-width=".55"/><circle r=".38" fill="{theme.sea_ink}"/></g>'
            )
        case "tomb":
            return f'{place} {halved}><path d="M-1.3 1v-.9a1.3 1.3 0 0 1 2.6 0v.9z"/></g>'
        case "cross":
            line = f'stroke="{ink}" stroke-width=".7"'
            return f'{place}><path d="M-1.2 0h2.4M0-1.2v2.4" {line}/></g>'
        case "air":
            plane = (
                "M0-1.5L.35-.4 1.6.3v.4L.35.35.25 1.1l.5.4v.3L0 1.55l-.75.25v-.3l.5-.4-.1-.75"
                "L-1.6.7V.3L-.35-.4z"
            )
            return (
                f'{place}><circle r="2.1" fill="{halo}" stroke="{ink}" stroke-width=".45"/>'
                f'<path d="{plane}" fill="{ink}"/></g>'
            )
        case "port":
            return (
                f'{place} fill="none" stroke="{theme.sea_ink}" stroke-width=".55" '
                'stroke-linecap="round"><circle cy="-1.7" r=".5"/>'
                '<path d="M0-1.2V1.8M-1.1-.5h2.2M-1.8.6A1.9 1.9 0 0 0 1.8.6"/></g>'
            )
        case "source-axis" | "source-allied":
            ground = NATIONS["german" if kind == "source-axis" else "british"]
            corner = ".3" if kind == "source-axis" else "1.3"
            return (
                f'{place}><rect x="-1.7" y="-1.7" width="3.4" height="3.4" rx="{corner}" '
                f'fill="{ground.ground}" stroke="{ground.edge}" stroke-width=".3"/>'
                f'<path d="M-.8-.7h.9l.6.6v1.3h-1.5zM-.5-.7v-.5h.5v.5" fill="none" '
                f'stroke="{ground.figures}" stroke-width=".3" stroke-linejoin="round"/></g>'
            )
        case _:
            return f'{place} {halved}><path d="M-1.2 1L0-1.3 1.2 1z"/></g>'


def frame(spec: MapSpec, theme: Theme) -> str:
    """The neat line of an area map, its zones and the arrows between them."""
    if spec.frame is None:
        return ""
    x, y, w, h = spec.frame
    neat = (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}" '
        f'fill="none" stroke="{theme.ink}" stroke-width="2"/>'
        f'<rect x="{number(x - 5)}" y="{number(y - 5)}" width="{number(w + 10)}" '
        f'height="{number(h + 10)}" fill="none" stroke="{theme.line2}"/>'
    )
    return group("frame", neat) + _zones(spec, theme)


def margin(spec: MapSpec, theme: Theme) -> str:
    """The paper round an area map's frame, drawn over whatever reaches beyond it."""
    if spec.frame is None:
        return ""
    x, y, w, h = spec.frame
    hole = (
        f"M0 0H{number(spec.width)}V{number(spec.height)}H0z"
        f"M{number(x)} {number(y)}v{number(h)}h{number(w)}v{number(-h)}z"
    )
    return group("margin", f'<path d="{hole}" fill="{theme.well}"/>')


def _zones(spec: MapSpec, theme: Theme) -> str:
    joins = "".join(path(line) for line in spec.joins)
    stems = "".join(path(line) for line in spec.links)
    heads = "".join(_head(line) for line in spec.links)
    lines = (
        f'<path d="{joins}{stems}" fill="none" stroke="{theme.ink2}" stroke-width="2.4" '
        f'stroke-linejoin="round"/><path d="{heads}" fill="{theme.ink2}" stroke="{theme.card}" '
        'stroke-width="1.5" paint-order="stroke"/>'
    )
    out = []
    for zone in spec.zones:
        x, y, w, h = zone.box
        colour = theme.accent if zone.allied else theme.ink
        on = theme.on_accent if zone.allied else theme.paper
        fill = theme.zone_allied if zone.allied else theme.zone_axis
        out.append(
            f'<g class="zone" data-space="{text(zone.space)}">'
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}" rx="8" '
            f'fill="{fill}" stroke="{colour}" stroke-width="2"/>'
            f'<circle cx="{number(x + 17)}" cy="{number(y + 17)}" r="12" fill="{colour}"/>'
            f'<text x="{number(x + 17)}" y="{number(y + 22)}" text-anchor="middle" '
            f'font-family="{FIGURES}" font-weight="700" font-size="15" fill="{on}">'
            f"{text(zone.space)}</text>"
            f'<text x="{number(x + 35)}" y="{number(y + 16)}" font-family="{SERIF}" '
            f'font-weight="600" font-size="13" fill="{theme.ink}">{text(zone.name)}</text>'
            f'<text x="{number(x + 35)}" y="{number(y + 29)}" font-family="{LABELS}" '
            f'font-weight="500" font-size="11.5" fill="{theme.ink2}">{text(zone.note)}</text></g>'
        )
    return group("links", lines) + group("zones", "".join(out))


def _head(line: Sequence[Spot]) -> str:
    (ax, ay), (bx, by) = line[-2], line[-1]
    far = dist((ax, ay), (bx, by)) or 1.0
    tx, ty = (bx - ax) / far, (by - ay) / far
    tip = (bx + tx * 8, by + ty * 8)
    return path([tip, (bx - ty * 6, by + tx * 6), (bx + ty * 6, by - tx * 6)], closed=True)


def idents(spec: MapSpec, theme: Theme, held: frozenset[str] = frozenset()) -> str:
    """Identifiers of areas: a circle, or a hexagon for a strongpoint; gold where Allied-held."""
    out = []
    corners = [(17.5 * cos(radians(t)), 17.5 * sin(radians(t))) for t in range(0, 360, 60)]
    hexagon = path(corners, closed=True)
    for each in spec.idents:
        fill = theme.gold if each.space in held else theme.plain
        shape = (
            f'<path d="{hexagon}" fill="{fill}" stroke="{theme.ink}" stroke-width="2.6"/>'
            if each.strong
            else f'<circle r="15" fill="{fill}" stroke="{theme.ink}" stroke-width="1.6"/>'
        )
        x, y = each.at
        out.append(
            f'<g class="ident" data-space="{text(each.space)}" transform="translate({number(x)} '
            f'{number(y)}) scale({each.scale:g})">{shape}<path d="M-10 1H10" stroke="{theme.ink}"/>'
            f'<text y="-1.5" font-weight="700" font-size="13.5">{text(each.number)}</text>'
            f'<text y="12" font-weight="500" font-size="11.5">{text(each.modifier)}</text></g>'
        )
    return group("idents", "".join(out), font_family=FIGURES, fill=theme.ink, text_anchor="middle")


def furniture(spec: MapSpec, theme: Theme) -> str:
    """Compass and scale."""
    out = ""
    if spec.compass:
        x, y = spec.compass
        ink = theme.sea_ink if spec.sea else theme.feature
        k = spec.unit / 62
        out += (
            f'<g class="compass" transform="translate({number(x)} {number(y)}) scale({k:.2f})" '
            f'fill="none" stroke="{ink}"><circle r="28" stroke-opacity=".7"/>'
            f'<path d="M0-38 6 0 0 38-6 0zM-34 0H34" stroke-width="1.2"/>'
            f'<path d="M0-38 6 0H-6z" fill="{ink}"/><text y="-43" text-anchor="middle" '
            f'font-family="{SERIF}" font-weight="600" font-size="15" fill="{ink}" stroke="none">N'
            "</text></g>"
        )
    if spec.scale_bar:
        x, y, long = spec.scale_bar
        full = long / spec.kilometres * spec.unit
        parts = "".join(
            f'<rect x="{number(x + full * part / 4)}" y="{number(y)}" width="{number(full / 4)}" '
            f'height="{number(spec.unit * 0.08)}" fill="{theme.ink if part % 2 else theme.card}"/>'
            for part in range(4)
        )
        size = spec.unit * 0.2
        words = "".join(
            f'<text x="{number(x + full * share)}" y="{number(y - size * 0.35)}" '
            f'text-anchor="middle">{text(word)}</text>'
            for share, word in ((0, "0"), (0.5, f"{long / 2:g}"), (1, f"{long} km"))
        )
        out += (
            f'<g class="scale" font-family="{FIGURES}" font-weight="600" font-size="{number(size)}" '
            f'fill="{theme.ink}"><g stroke="{theme.ink}" stroke-width="1">{parts}</g>{words}</g>'
        )
    return group("furniture", out)


def bow(a: Spot, b: Spot, rise: float) -> Line:
    """A gently bent line between two points, for a name to follow."""
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2 - rise
    return catmull([a, (x, y), b], 6)
