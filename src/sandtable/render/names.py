"""Lettering: hex numbers, names with halos, and the small pictures of places."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.render.geometry import Line, catmull, number, part, path, text
from sandtable.render.layers import STAR, group
from sandtable.render.lettering import Face, width
from sandtable.render.palette import FIGURES, NATIONS, SERIF, Theme
from sandtable.render.spec import Label, MapSpec, Spot


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
    face: Face = "italic" if label.style in ("way", "feature", "water") else "serif"
    if label.style == "unit":
        face = "figures"
    rows = label.text.split("|")
    widest = max(width(row, label.size, face) for row in rows)
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
        piece = part(line, label.offset / 100, long * 1.3)
        return (
            f'<path id="{name}" d="{path(piece)}" fill="none" stroke="none"/>'
            f'<text {size} dy="{number(label.shift)}" text-anchor="middle">'
            f'<textPath href="#{name}" startOffset="50%">{text(label.text)}</textPath></text>'
        )
    x, y = label.at
    rows = label.text.split("|")
    if len(rows) == 1:
        words = text(label.text)
    else:
        words = "".join(
            f'<tspan x="{number(x)}" dy="{number(down * label.size * 1.02)}">{text(row)}</tspan>'
            for down, row in zip((0, *(1 for _ in rows)), rows, strict=False)
        )
    shift = label.stars * label.size * 0.4 if label.anchor == "middle" else 0.0
    stars = ""
    if label.stars:
        right = label_box(label)[2]
        k, high = label.size * 0.19, number(y - label.size * 0.3)
        spots = [right - label.size * 0.8 * (at + 0.38) for at in range(label.stars)]
        stars = "".join(
            f'<path transform="translate({number(spot)} {high}) scale({k:.2f})" '
            f'stroke-width="{0.24 * label.size / k:.1f}" d="{STAR}"/>'
            for spot in spots
        )
    return (
        f'<text x="{number(x - shift)}" y="{number(y)}" {size} text-anchor="{label.anchor}">'
        f"{words}</text>{stars}"
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


def bow(a: Spot, b: Spot, rise: float) -> Line:
    """A gently bent line between two points, for a name to follow."""
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2 - rise
    return catmull([a, (x, y), b], 6)
