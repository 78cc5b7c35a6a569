"""Round the map: the neat line, zones with their links, identifiers, compass and scale."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, dist, radians, sin

from sandtable.render.geometry import number, path, text
from sandtable.render.layers import group
from sandtable.render.palette import FIGURES, LABELS, SERIF, Theme
from sandtable.render.spec import MapSpec, Spot


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
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}" '
            f'rx="8" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
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
            f'<g class="scale" font-family="{FIGURES}" font-weight="600" '
            f'font-size="{number(size)}" fill="{theme.ink}"><g stroke="{theme.ink}">{parts}</g>'
            f"{words}</g>"
        )
    return group("furniture", out)
