"""Markers on the map: breaches, flags, dumps, victory stars and what else a view lists."""

from __future__ import annotations

from math import atan2, degrees

from sandtable.kernel.views import Marker
from sandtable.render.geometry import middle, number, text
from sandtable.render.layers import STAR
from sandtable.render.palette import FIGURES, NATIONS, Theme
from sandtable.render.spec import MapSpec, Space, Spot

SILENT = frozenset(["box", "fort", "minefield", "improved defence"])
"""Printed on the map already, or shown by the counters."""
SWORDS = "M-6-6 6 6M6-6-6 6M-7 3l4 4M7 3l-4 4"
PLANE = (
    "M0-9l1.6 6L10 2v2.4L1.6 2.2l-.7 5.2L3.6 9v1.6L0 9.6l-3.6 1V9l2.7-1.6-.7-5.2L-10 4.4V2l8.4-5z"
)


def markers(spec: MapSpec, theme: Theme, shown: tuple[Marker, ...]) -> str:
    """All markers of a view."""
    spaces = {space.id: space for space in spec.spaces}
    used: dict[str, int] = {}
    out = []
    for marker in shown:
        if marker.kind in SILENT or marker.space not in spaces:
            continue
        space = spaces[marker.space]
        if marker.beside in spaces:
            out.append(_breach(spec, theme, marker, space, spaces[marker.beside or ""]))
        elif marker.kind in ("breached", "box eliminated", "fort eliminated"):
            out.append(_over_hex(spec, theme, marker, space))
        else:
            if marker.kind == "victory" and spec.kind == "hex":
                x, y = space.at
                wide = (5 + 6.2 * len(marker.text)) / 120 * spec.unit
                out.append(_badge(spec, theme, marker, (x - wide, y - spec.unit * 0.5)))
                continue
            at = used[marker.space] = used.get(marker.space, -1) + 1
            x, y = corner(spec, space)
            by = spec.unit * (0.27 if spec.kind == "hex" else 0.34)
            out.append(_badge(spec, theme, marker, (x + by * at, y)))
    return "".join(out)


def corner(spec: MapSpec, space: Space) -> Spot:
    """Where a space's markers begin: below the identifier, or in the upper left of a hex."""
    x, y = space.at
    if spec.kind == "hex":
        return x - spec.unit * 0.4, y - spec.unit * 0.32
    for ident in spec.idents:
        if ident.space == space.id:
            return ident.at[0], ident.at[1] + 26
    return space.polygon[1][0] - 18, space.polygon[0][1] + 17


def _side_colour(marker: Marker) -> str:
    return NATIONS["german" if marker.side == "axis" else "british"].ground


def _breach(spec: MapSpec, theme: Theme, marker: Marker, here: Space, there: Space) -> str:
    """A clear gap with two brackets across a hexside; dashed while it is being made."""
    x, y = middle(here.at, there.at)
    turn = degrees(atan2(there.at[1] - here.at[1], there.at[0] - here.at[0]))
    k = spec.unit / 60
    dash = ' stroke-dasharray="4 3"' if marker.kind != "breach" else ""
    return (
        f'<g class="marker" transform="translate({number(x)} {number(y)}) rotate({turn:.0f}) '
        f'scale({k:.2f})"><path d="M-15-8h30v16h-30z" fill="{theme.halo}" fill-opacity=".9"/>'
        f'<path d="M-14-11v3h28v-3M-14 11V8h28v3" fill="none" stroke="{theme.mine}" '
        f'stroke-width="2.6"{dash}/></g>'
    )


def _over_hex(spec: MapSpec, theme: Theme, marker: Marker, space: Space) -> str:
    x, y = space.at
    k = spec.unit / 60
    place = f'<g class="marker" transform="translate({number(x)} {number(y)}) scale({k:.2f})">'
    if marker.kind == "breached":
        return (
            f'{place}<path d="M-27-9h54V9h-54z" fill="{theme.halo}" fill-opacity=".85"/>'
            f'<path d="M-26-13v4h52v-4M-26 13V9h52v4" fill="none" stroke="{theme.mine}" '
            'stroke-width="2.6"/></g>'
        )
    return (
        f'{place}<path d="M-20-20 20 20M20-20-20 20" stroke="{theme.halo}" stroke-width="7"/>'
        f'<path d="M-20-20 20 20M20-20-20 20" stroke="{theme.threat}" stroke-width="3.4"/></g>'
    )


def _badge(spec: MapSpec, theme: Theme, marker: Marker, at: Spot) -> str:
    k = spec.unit / 60 if spec.kind == "hex" else 0.9
    place = (
        f'<g class="marker" transform="translate({number(at[0])} {number(at[1])}) scale({k:.2f})">'
    )
    edge = f'stroke="{theme.ink}" stroke-width="1.4"'
    match marker.kind:
        case "contested":
            inner = (
                f'<circle r="9.5" fill="{theme.card}" stroke="{theme.threat}" stroke-width="1.8"/>'
                f'<path transform="scale(.72)" d="{SWORDS}" fill="none" stroke="{theme.threat}" '
                'stroke-width="2.4" stroke-linecap="round"/>'
            )
        case "victory":
            words = marker.text
            wide = 15 + 6.2 * len(words)
            inner = (
                f'<rect x="-10" y="-9" width="{wide:g}" height="18" rx="9" fill="{theme.card}" '
                f'stroke="{theme.accent}" stroke-width="1.6"/>'
                f'<path transform="scale(2.9)" d="{STAR}" fill="{theme.accent}"/>'
                f'<text x="8" y="4.6" font-family="{FIGURES}" font-weight="700" font-size="13" '
                f'fill="{theme.ink}">{text(words)}</text>'
            )
        case "air":
            inner = (
                f'<circle r="12" fill="{_side_colour(marker)}" {edge}/>'
                f'<path transform="scale(.85)" d="{PLANE}" fill="{_ink(marker)}"/>'
            )
        case "supply dump":
            inner = (
                f'<path d="M-9-1h8v8h-8zM1-1h8v8H1zM-4-9h8v8h-8z" fill="{_side_colour(marker)}" '
                f"{edge}/>"
            )
        case "supply blocked":
            inner = (
                f'<rect x="-10" y="-10" width="20" height="20" rx="4" fill="#F4B63F" {edge}/>'
                '<path d="M-6 0H5M1-4l4 4-4 4M-7 7 7-7" fill="none" stroke="#2A1C08" '
                'stroke-width="2.2"/>'
            )
        case "control" | "tobruk control":
            inner = flag(_side_colour(marker), theme, marker.side == "axis")
        case _:
            words = marker.text or marker.kind
            wide = 10 + 6.2 * len(words)
            inner = (
                f'<rect x="-6" y="-9" width="{wide:g}" height="18" rx="4" fill="{theme.card}" '
                f'{edge}/><text x="-1" y="4.6" font-family="{FIGURES}" font-weight="600" '
                f'font-size="13" fill="{theme.ink}">{text(words)}</text>'
            )
    return f"{place}{inner}</g>"


def _ink(marker: Marker) -> str:
    return NATIONS["german" if marker.side == "axis" else "british"].figures


def flag(colour: str, theme: Theme, square: bool) -> str:
    """Who holds a place: a square flag for the Axis, a pointed one for the Allies."""
    shape = "M-5-10H8V0H-5z" if square else "M-5-10 9-5-5 0z"
    return (
        f'<path d="M-5 10V-11" stroke="{theme.ink}" stroke-width="2"/>'
        f'<path d="{shape}" fill="{colour}" stroke="{theme.ink}" stroke-width="1.4" '
        'stroke-linejoin="round"/>'
    )
