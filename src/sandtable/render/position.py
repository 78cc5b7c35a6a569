"""A whole position: the map with counters, markers and the overlays asked for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game
from sandtable.kernel.views import Overlay, Piece, Track, View
from sandtable.render import key
from sandtable.render.board import defs, relief, spec_of, static, svg
from sandtable.render.counters import counter, stack_count, stack_edges
from sandtable.render.export import data_uri
from sandtable.render.geometry import Line, catmull, chains, number, path, relaxed, text
from sandtable.render.layers import group
from sandtable.render.lettering import width
from sandtable.render.markers import flag, markers
from sandtable.render.palette import LABELS, NATIONS, SERIF, Theme, formation_colour, theme_of
from sandtable.render.seatracks import sea_tracks
from sandtable.render.spec import MapSpec, Space, Spot

LEAST = 0.74
"""How small counters of a crowded area may be drawn before they overlap."""
LOWERED = 0.055
"""Counters sit a little below the middle of a hex, so that its number shows."""


def position_svg(
    game: Game,
    side: Side | None = None,
    theme: str = "day",
    *,
    overlays: Sequence[str] = (),
    caption: bool = True,
) -> str:
    """A game as a side sees it, as one drawing that needs no other file."""
    spec = spec_of(game.title, game.data)
    colours = theme_of(theme)
    view = game.view(side)
    known = {each.id: each for each in view.overlays}
    for name in overlays:
        if name not in known:
            raise BadMessage(f"no overlay is called {name!r}; use {', '.join(sorted(known))}")
    held = frozenset(name for name, who in view.control.items() if who == "allied")
    laid = frozenset(marker.text for marker in view.markers if marker.kind == "minefield")
    href = data_uri(relief(game.title, theme))
    below, foot = _caption(spec, colours, game, view) if caption else ("", 0.0)
    inner = (
        defs(spec, colours)
        + _hatches(spec, colours)
        + static(spec, colours, href, _control(spec, colours, held), held, laid)
        + _flags(spec, colours, view)
        + group("overlays", "".join(_overlay(spec, colours, known[name]) for name in overlays))
        + group("tracks-on-map", sea_tracks(spec, colours, view.tracks))
        + group("markers", markers(spec, colours, view.markers))
        + group("counters", _counters(spec, view))
        + below
    )
    return svg(spec.width, spec.height + foot, inner, spec.title)


def _control(spec: MapSpec, theme: Theme, held: frozenset[str]) -> str:
    """Allied-held areas are warmer."""
    if spec.kind != "area":
        return ""
    rings = "".join(
        path(space.polygon, closed=True)
        for space in spec.spaces
        if space.id in held and not space.off_map
    )
    if not rings:
        return ""
    clip = f"url(#{spec.title}-frame)"
    tint = f'<path d="{rings}" fill="{theme.held}" fill-opacity=".15"/>'
    return group("control", tint, clip_path=clip)


def _flags(spec: MapSpec, theme: Theme, view: View) -> str:
    """Who controls the places that count, on a hex map."""
    if spec.kind == "area":
        return ""
    spaces = {space.id: space for space in spec.spaces}
    k = spec.unit / 75
    out = []
    for name, side in view.control.items():
        if name in spaces:
            x, y = spaces[name].at
            axis = side == "axis"
            ground = NATIONS["german" if axis else "british"].ground
            out.append(
                f'<g transform="translate({number(x + spec.unit * 0.38)} '
                f'{number(y - spec.unit * 0.34)}) scale({k:.2f})">{flag(ground, theme, axis)}</g>'
            )
    return group("flags", "".join(out))


# Counters.


def _counters(spec: MapSpec, view: View) -> str:
    stacks: dict[str, list[Piece]] = defaultdict(list)
    for piece in view.pieces:
        if piece.space is not None:
            stacks[piece.space].append(piece)
    spaces = {space.id: space for space in spec.spaces}
    draw = _row if spec.kind == "area" else _stack
    return "".join(
        draw(spec, spaces[name], pieces) for name, pieces in stacks.items() if name in spaces
    )


def _placed(at: Spot, size: float, inner: str) -> str:
    x, y = number(at[0] - size / 2), number(at[1] - size / 2)
    return f'<g transform="translate({x} {y}) scale({size / 100:.3f})">{inner}</g>'


def _stack(spec: MapSpec, space: Space, pieces: list[Piece]) -> str:
    """The top counter, the edges of those below, and how many there are."""
    top, count = pieces[0], len(pieces)
    inner = stack_edges(spec.title, top, count) + counter(spec.title, top) + stack_count(count)
    return _placed((space.at[0], space.at[1] + LOWERED * spec.unit), spec.counter, inner)


def _row(spec: MapSpec, space: Space, pieces: list[Piece]) -> str:
    """Counters side by side, a row for each side if there is room; smaller if many share it."""
    full = spec.counter
    room = max(space.room, full)
    sides = [
        [p for p in pieces if p.side == side] for side in dict.fromkeys(p.side for p in pieces)
    ]
    ordered = [piece for row in sides for piece in row]
    half = (len(ordered) + 1) // 2
    rows = [ordered]
    if len(sides) > 1 and (space.rows > 1 or (len(ordered) > 3 and not space.off_map)):
        rows = sides
    elif space.rows > 1 and len(ordered) > room / (full * 0.9):
        rows = [ordered[:half], ordered[half:]]
    longest, squeezed = max(map(len, rows)), len(rows) > space.rows
    if not space.off_map:
        # On open ground a crowd may stand a little wider than a row usually does.
        room = min(max(room, longest * (full * LEAST + 1)), room * 1.35)
    fitting = (room - 2 * (longest - 1)) / longest
    size = full * LEAST if squeezed else min(full, max(full * LEAST, fitting))
    gap = 2 if squeezed else 4
    top = space.at[1] - ((len(rows) - 1) * (size + gap) / 2 if squeezed else 0)
    out = []
    for line, row in enumerate(rows):
        step = min(size + 2, (room - size) / (len(row) - 1)) if len(row) > 1 else 0.0
        left = space.at[0] - step * (len(row) - 1) / 2
        for at, piece in enumerate(row):
            spot = (left + at * step, top + line * (size + gap))
            out.append(_placed(spot, size, counter(spec.title, piece)))
    return "".join(out)


# Overlays.


def _hatches(spec: MapSpec, theme: Theme) -> str:
    """Hatching for zones, one slant a side."""
    u = spec.unit * 0.16
    return (
        "<defs>"
        + "".join(
            f'<pattern id="{spec.title}-zone-{name}" width="{u:.1f}" height="{u:.1f}" '
            f'patternUnits="userSpaceOnUse" patternTransform="rotate({turn})">'
            f'<path d="M0 0v{u:.1f}" stroke="{colour}" stroke-width="{u * 0.34:.1f}"/></pattern>'
            for name, turn, colour in (
                ("axis", 45, theme.threat),
                ("allied", -45, theme.threat),
                ("supply", 0, theme.supply),
            )
        )
        + "</defs>"
    )


def _overlay(spec: MapSpec, theme: Theme, overlay: Overlay) -> str:
    """Spaces washed and hatched; lines thick with a pale casing."""
    spaces = {space.id: space for space in spec.spaces}
    rings = "".join(
        path(spaces[name].polygon, closed=True) for name in overlay.spaces if name in spaces
    )
    calm = overlay.id.startswith(("supply", "lines"))
    colour = theme.supply if calm else theme.threat
    hatch = "supply" if calm else ("axis" if overlay.side == "axis" else "allied")
    out = ""
    if overlay.id == "supply-roads":
        out = _lit_ways(spec, theme, rings)
    elif overlay.id.startswith("command"):
        out = _dash_dot(spec, overlay, _outline(spaces, overlay.spaces))
    elif rings:
        out = (
            f'<path d="{rings}" fill="{colour}" fill-opacity=".08"/>'
            f'<path d="{rings}" fill="url(#{spec.title}-zone-{hatch})" fill-opacity=".32"/>'
            f'<path d="{_outline(spaces, overlay.spaces)}" fill="none" stroke="{colour}" '
            f'stroke-width="{spec.unit * 0.035:.1f}" stroke-linejoin="round"/>'
        )
    for line in overlay.lines:
        points = relaxed([spaces[name].at for name in line if name in spaces])
        if len(points) > 1:
            out += _line(spec, theme, points, overlay.text)
    return f'<g class="overlay" data-overlay="{text(overlay.id)}">{out}</g>'


def _lit_ways(spec: MapSpec, theme: Theme, rings: str) -> str:
    """Roads and tracks in the colour of supply where they run through some hexes."""
    ways = "".join(path(way.line) for way in spec.ways if way.kind != "wire")
    pen = spec.unit * 0.045
    return (
        f'<clipPath id="{spec.title}-lit"><path d="{rings}"/></clipPath>'
        f'<g fill="none" clip-path="url(#{spec.title}-lit)"><path d="{ways}" stroke="#14120E" '
        f'stroke-opacity=".5" stroke-width="{pen * 1.9:.1f}"/><path d="{ways}" '
        f'stroke="{theme.supply}" stroke-width="{pen:.1f}"/></g>'
    )


def _dash_dot(spec: MapSpec, overlay: Overlay, edge: str) -> str:
    """The edge of a command range in its formation's colour."""
    colour, pen = formation_colour(overlay.name.split(" of ")[-1]), spec.unit * 0.045
    return (
        f'<g fill="none" stroke-linejoin="round"><path d="{edge}" stroke="#1B1712" '
        f'stroke-opacity=".8" stroke-width="{pen * 1.9:.1f}"/><path d="{edge}" stroke="{colour}" '
        f'stroke-width="{pen:.1f}" stroke-dasharray="12 5 2 5"/></g>'
    )


def _line(spec: MapSpec, theme: Theme, points: Line, words: str) -> str:
    """A supply path: cased, ticked, its length beside it; amber dashes where it is too long."""
    cut = words.startswith("too long")
    data, pen = path(catmull(points, 6)), spec.unit * 0.11
    colour = "#F4B63F" if cut else theme.supply
    dash = f' stroke-dasharray="{pen * 1.8:.1f} {pen * 1.2:.1f}" stroke-linecap="butt"'
    ticks = f'stroke-dasharray="1 {pen * 1.2:.1f}" stroke-width="{pen * 0.3:.1f}"'
    drawn = (
        f'<g fill="none" stroke-linecap="round"><path d="{data}" stroke="#14120E" '
        f'stroke-opacity=".75" stroke-width="{pen * 1.45:.1f}"/><path d="{data}" '
        f'stroke="{colour}" stroke-width="{pen:.1f}"{dash if cut else ""}/>'
        + ("" if cut else f'<path d="{data}" stroke="#102030" stroke-opacity=".6" {ticks}/>')
        + "</g>"
    )
    found = re.match(r"(?:too long: )?(\d+)", words)
    if not found or found[1] == "0":
        return drawn
    x, y = points[min((int(found[1]) + 1) // 2, len(points) - 1)]
    size = spec.unit * 0.22
    wide = width(words, size, "labels") + size * 1.6
    ink = "#14120E" if cut or theme.name == "night" else "#FFFFFF"
    x += spec.unit * 0.35
    return drawn + (
        f'<rect x="{number(x)}" y="{number(y - size)}" width="{number(wide)}" '
        f'height="{number(size * 2)}" rx="{number(size)}" fill="{colour}" stroke="#14120E" '
        f'stroke-width="1.6"/><text x="{number(x + wide / 2)}" y="{number(y + size * 0.36)}" '
        f'text-anchor="middle" font-family="{LABELS}" font-weight="600" '
        f'font-size="{number(size)}" fill="{ink}">{text(words)}</text>'
    )


def _outline(spaces: dict[str, Space], names: Sequence[str]) -> str:
    """The edge of a set of spaces: the sides that only one of them has."""
    sides: dict[frozenset[tuple[int, int]], tuple[Spot, Spot] | None] = {}
    for name in names:
        ring = spaces[name].polygon if name in spaces else ()
        for a, b in pairwise((*ring, *ring[:1])):
            key = frozenset((round(x), round(y)) for x, y in (a, b))
            sides[key] = None if key in sides else (a, b)
    return "".join(path(line) for line in chains(side for side in sides.values() if side))


# Caption.


def _caption(spec: MapSpec, theme: Theme, game: Game, view: View) -> tuple[str, float]:
    """Title, turn and tracks in one line below the map, then the key; and how high that is."""
    top, size = spec.height, max(spec.unit * 0.225, spec.width / 120)
    gap = size * 1.1
    x, y = gap, top + size * 2.1
    head = game.title.name
    out = [
        f'<text x="{number(x)}" y="{number(y)}" font-family="{SERIF}" font-weight="700" '
        f'font-size="{number(size * 1.15)}" fill="{theme.ink}">{text(head)}</text>'
    ]
    x += width(head, size * 1.15) * 1.04 + gap
    out.append(
        f'<text x="{number(x)}" y="{number(y)}" font-family="{SERIF}" font-weight="600" '
        f'font-size="{number(size)}" fill="{theme.accent}">{text(view.turn)}</text>'
    )
    x += width(view.turn, size) + gap
    for track in view.tracks:
        words = _words(track)
        if words is None:
            continue
        long = width(f"{words[0]} {words[1]}", size * 0.9, "labels") + gap
        if x + long > spec.width - gap:
            break
        out.append(
            f'<text x="{number(x)}" y="{number(y)}" font-family="{LABELS}" font-size='
            f'"{number(size * 0.9)}" font-weight="500" fill="{theme.ink2}">{text(words[0])} '
            f'<tspan font-weight="600" fill="{theme.ink}">{text(words[1])}</tspan></text>'
        )
        x += long
    drawn, y = _key(spec, theme, size, gap, y + size * 1.2)
    foot = y + size * 0.9 - top
    paper = (
        f'<path d="M0 {number(top)}h{number(spec.width)}v{number(foot)}H0z" fill="{theme.paper}"/>'
        f'<path d="M0 {number(top)}h{number(spec.width)}" stroke="{theme.line2}"/>'
    )
    return group("caption", paper + "".join(out) + drawn), foot


def _key(spec: MapSpec, theme: Theme, size: float, gap: float, top: float) -> tuple[str, float]:
    """What each sign of the map means, in as many rows as it takes; and where they end."""
    k = size / 15
    wide, high = key.WIDE * k, key.HIGH * k
    x, y, out = gap, top, []
    for entry in key.entries(spec):
        long = wide + size * 0.4 + width(entry.text, size * 0.9, "labels")
        if x + long > spec.width - gap and x > gap:
            x, y = gap, y + high + size * 0.3
        out.append(
            f'<g transform="translate({number(x)} {number(y)}) scale({k:.3f})">'
            f"{key.sample(spec, theme, entry.kind)}</g>"
            f'<text x="{number(x + wide + size * 0.4)}" y="{number(y + high / 2 + size * 0.32)}" '
            f'font-family="{LABELS}" font-size="{number(size * 0.9)}" font-weight="500" '
            f'fill="{theme.ink2}">{text(entry.text)}</text>'
        )
        x += long + gap
    return group("key", "".join(out)), y + high


def _words(track: Track) -> tuple[str, str] | None:
    """A track in a few words; long ones are left to the page."""
    if len(track.name) + len(track.value) > 42 or track.id in ("turn", "impulse"):
        return None
    value = track.value
    if track.maximum and track.number is not None and value == str(track.number):
        value = f"{track.number} of {track.maximum}"
    return track.name, value
