"""Counters: NATO symbols in historical colours, laid out as each title prints its own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import resources

import msgspec
from msgspec import Struct

from sandtable.kernel.errors import BadMessage
from sandtable.kernel.views import Piece
from sandtable.render.badges import badges
from sandtable.render.geometry import text
from sandtable.render.layers import STAR
from sandtable.render.lettering import fitting
from sandtable.render.palette import (
    FIGURES,
    NATIONS,
    PLAIN_BOX,
    SYMBOL_INK,
    Nation,
    formation_colour,
    mix,
)

BASE = 92.5
"""The line the figures stand on."""

KINDS = {
    "motorised infantry": "motorized",
    "motorized infantry": "motorized",
    "armoured infantry": "mechanized",
    "panzergrenadier": "mechanized",
    "heavy armor": "armor",
    "armored_car": "recon",
    "tank": "armor",
}
SIZES = {
    "company": "I",
    "battery": "I",
    "squadron": "I",
    "battalion": "II",
    "regiment": "III",
    "brigade": "X",
    "division": "XX",
    "corps": "XXX",
}


class Symbols(Struct, frozen=True):
    """symbols.toml"""

    kind: dict[str, str]
    size: dict[str, str]


class Printing(Struct, frozen=True, forbid_unknown_fields=True):
    """counters.toml: what a counter shows that a view does not tell."""

    label: dict[str, str] = {}
    nation: dict[str, str] = {}
    kind: dict[str, str] = {}
    size: dict[str, str] = {}
    flak: list[str] = []
    strip: list[str] = []


def _read(name: str) -> str:
    return resources.files("sandtable.render").joinpath(name).read_text(encoding="utf-8")


@cache
def _symbols() -> Symbols:
    return msgspec.toml.decode(_read("symbols.toml"), type=Symbols)


@cache
def _printing() -> dict[str, Printing]:
    return msgspec.toml.decode(_read("counters.toml"), type=dict[str, Printing])


def look(piece: Piece) -> tuple[object, ...]:
    """All that a counter's picture depends on."""
    return (
        "?" if piece.id.startswith("?") else piece.id,
        piece.side,
        piece.name,
        piece.kind,
        piece.size,
        piece.nation,
        piece.formation,
        piece.steps,
        piece.full_steps,
        tuple(piece.ratings.items()),
        piece.states,
    )


def art_key(title: str | Piece, piece: Piece | None = None) -> str:
    """A short name for a counter's picture, equal for equal looks; the title may be left out."""
    shown = title if isinstance(title, Piece) else piece
    assert shown is not None
    return hashlib.sha256(repr(look(shown)).encode()).hexdigest()[:16]


def counter_svg(title: str, piece: Piece) -> str:
    """A counter as a document of 100 by 100; signs and shadow reach a little beyond."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" overflow="visible">'
        f"{counter(title, piece)}</svg>"
    )


def counter(title: str, piece: Piece) -> str:
    """The inside of a counter's picture."""
    return _drawn(title, *look(piece))


@lru_cache(maxsize=4096)
def _drawn(title: str, *parts: object) -> str:
    piece = _piece(parts)
    if title not in LAYOUTS:
        raise BadMessage(f"no counters are drawn for {title!r}; use {', '.join(sorted(LAYOUTS))}")
    if not piece.name and not piece.ratings:
        return back(piece)
    if piece.kind == "dummy":
        return _frame(piece, nation_of(title, piece), _dummy(nation_of(title, piece)))
    nation = nation_of(title, piece)
    under, over = LAYOUTS[title](title, piece, nation)
    return _frame(piece, nation, under, over)


def _piece(parts: tuple[object, ...]) -> Piece:
    names = "id side name kind size nation formation steps full_steps ratings states".split()
    fields = dict(zip(names, parts, strict=True))
    ratings = fields["ratings"]
    assert isinstance(ratings, tuple)
    return msgspec.convert(fields | {"ratings": dict(ratings)}, Piece)


def nation_of(title: str, piece: Piece) -> Nation:
    """The colours of a counter, from its nation or at least its side."""
    name = _printing().get(title, Printing()).nation.get(piece.id, piece.nation).lower()
    name = {"french": "free french"}.get(name, name)
    return NATIONS.get(name) or NATIONS["german" if axis(piece) else "british"]


def axis(piece: Piece) -> bool:
    """Axis counters have square corners and light figures."""
    return piece.side == "axis"


def label_of(title: str, piece: Piece) -> str:
    """The short name a counter prints."""
    printing = _printing().get(title, Printing())
    if piece.id in printing.label:
        return printing.label[piece.id]
    name = re.sub(r"[.]", " ", piece.id)
    for word in printing.strip:
        name = re.sub(rf"^{word} (?=.)", "", name)
    name = re.sub(r"(?<=[a-zA-Z])-|-(?=[a-zA-Z])", " ", name)
    return re.sub(r"(?<=\d)(?=[A-Z][A-Za-z])", " ", name)


def kind_of(title: str, piece: Piece) -> str:
    """Which symbol a counter shows."""
    given = _printing().get(title, Printing()).kind.get(piece.id, piece.kind)
    found = KINDS.get(given, given)
    return found if found in _symbols().kind else "infantry"


def words(
    x: float,
    y: float,
    what: str,
    size: float,
    ink: str,
    anchor: str = "middle",
    weight: int = 700,
    extra: str = "",
) -> str:
    """Figures or a name."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{FIGURES}" font-weight="{weight}" '
        f'font-size="{size:.3g}" fill="{ink}" text-anchor="{anchor}"{extra}>{text(what)}</text>'
    )


def symbol(title: str, piece: Piece, fill: str, ink: str, y: float = 30.5) -> str:
    """The NATO symbol in its box, with the size mark above."""
    shapes = _symbols()
    printing = _printing().get(title, Printing())
    given = printing.size.get(piece.id, piece.size)
    mark = shapes.size.get(SIZES.get(given, given), "")
    scale = 54 / 150
    box = f'<path d="M25 50h150v100H25z" fill="{fill}"/>'
    inner = f'{box}<path d="{shapes.kind[kind_of(title, piece)]}"/>'
    above = f'<path d="{mark}" stroke="{ink}"/>' if mark else ""
    return (
        f'<g transform="translate({23 - 25 * scale:g} {y - 50 * scale:g}) scale({scale:g})" '
        f'fill="none" stroke="{SYMBOL_INK}" stroke-width="6">{inner}{above}</g>'
    )


def plate(x: float, what: str, nation: Nation, filled: bool) -> str:
    """A figure on a plate: filled where it may attack or is armour, hollow where it defends."""
    wide = 24 if len(what) < 2 else 30
    left, top, ink = x - wide / 2, BASE - 21.5, nation.figures
    if filled:
        return (
            f'<rect x="{left:g}" y="{top:g}" width="{wide}" height="25.5" rx="6" fill="{ink}"/>'
            + words(x, BASE - 0.5, what, 26, nation.ground)
        )
    return (
        f'<rect x="{left + 1:g}" y="{top + 1:g}" width="{wide - 2}" height="23.5" rx="5" '
        f'fill="none" stroke="{ink}" stroke-width="2.2"/>' + words(x, BASE - 0.5, what, 26, ink)
    )


def used_up(piece: Piece) -> bool:
    """Whether a counter has done what it may."""
    return bool({"used", "no-act", "attacked"} & set(piece.states))


def _label_end(piece: Piece) -> float:
    """Where a name ends: short of a turned corner."""
    return 73 if used_up(piece) or "moved" in piece.states else 95


Layout = Callable[[str, Piece, Nation], tuple[str, str]]
"""What lies below the washes of a state, and what must stay plain above them."""


def _battleaxe(title: str, piece: Piece, nation: Nation) -> tuple[str, str]:
    """Unit centred; box filled by type; combat value, star for guns, movement or a bar."""
    ink = nation.figures
    fill = {"armor": "#F2D98A", "at": "#E7C9B8", "recon": "#CFE3E8"}.get(piece.kind, "#FBF6E8")
    name = label_of(title, piece)
    under = symbol(title, piece, fill, ink, 31)
    under += words(50, 15.4, name, fitting(name, 15.5, 88), ink, weight=600)
    value = piece.ratings.get("CV", "")
    over = words(22, 94, value.rstrip("*"), 33, ink, weight=800)
    if value.endswith("*"):
        over += f'<path transform="translate(42 80) scale(3)" d="{STAR}" fill="{ink}"/>'
    moves = piece.ratings.get("MF", "–")
    if moves.isdigit():
        over += words(80, 93, moves, 28, ink, weight=600)
    else:
        over += f'<path d="M72 84h16" stroke="{ink}" stroke-width="3"/>'
    return under, over


def _gallop(title: str, piece: Piece, nation: Nation) -> tuple[str, str]:
    """Anti-aircraft sign left, unit right; a gold box is armour; attack-defence-movement."""
    ink = nation.figures
    fill = "#F2D98A" if kind_of(title, piece) == "armor" else "#FBF6E8"
    name = label_of(title, piece)
    under = symbol(title, piece, fill, ink)
    right = _label_end(piece)
    flak = piece.id in _printing()[title].flak
    room = right - (30 if flak else 8)
    under += words(right, 17.8, name, fitting(name, 19, room), ink, "end", 600)
    if flak:
        under += (
            f'<path d="M8 21a8 8 0 0 1 16 0M16 21V8M12 12l4-5 4 5" fill="none" stroke="{ink}" '
            'stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    line = "-".join(piece.ratings.get(key, "?") for key in ("attack", "defence", "movement"))
    return under, words(50, 94, line, 31, ink, extra=' letter-spacing="1"')


def _cauldron(title: str, piece: Piece, nation: Nation) -> tuple[str, str]:
    """Formation left, unit right; step pips; hard plate, soft plate, movement."""
    ink = nation.figures
    under = symbol(title, piece, formation_colour(piece.formation), ink)
    name = label_of(title, piece)
    used = "used" in piece.states
    if used:
        over = words(6, 17, name, fitting(name, 17, 60), ink, "start")
    else:
        size = fitting(name, 18.5, 48)
        room = 88 - min(48.0, len(name) * size * 0.46)
        over = words(
            6, 17, piece.formation, fitting(piece.formation, 14.5, room), ink, "start", 500
        )
        over += words(95, 17.5, name, size, ink, "end")
    kind = kind_of(title, piece)
    over += plate(19, piece.ratings.get("hard", "–"), nation, kind in ("armor", "at", "recon"))
    over += plate(51, piece.ratings.get("soft", "–"), nation, kind != "at")
    moves = piece.ratings.get("movement", "–")
    moves = "–" if used else moves
    over += words(82, BASE, moves, fitting(moves, 26, 32), ink)
    if piece.full_steps > 1:
        over += "".join(
            f'<rect x="9" y="{58 - at * 11}" width="8" height="8" rx="1.5" '
            f'fill="{ink if at < piece.steps else "none"}" stroke="{ink}" stroke-width="1.8"/>'
            for at in range(piece.full_steps)
        )
    return under, over


def _theseus(title: str, piece: Piece, nation: Nation) -> tuple[str, str]:
    """Effectiveness in a ring, unit; strength, tank or anti-tank points on a plate, movement."""
    if piece.kind == "hq":
        return _headquarters(piece, nation)
    ink, ratings = nation.figures, piece.ratings
    under = symbol(title, piece, formation_colour(piece.formation), ink)
    name = label_of(title, piece)
    over = f'<circle cx="17" cy="17.5" r="11.5" fill="none" stroke="{ink}" stroke-width="2.2"/>'
    over += words(17, 24.6, ratings.get("effectiveness", "?"), 20.5, ink)
    right = _label_end(piece)
    over += words(right, 17.8, name, fitting(name, 19.5, right - 33), ink, "end", 600)
    strength = ratings.get("strength")
    if strength is None:
        over += words(20, BASE, "?", 28, ink, weight=600, extra=' fill-opacity=".55"')
    elif piece.steps < piece.full_steps:
        wide = 30 if len(strength) > 1 else 26
        over += (
            f'<rect x="6" y="69" width="{wide}" height="26" rx="4" fill="#FFF6DC" '
            'stroke="#8E2A12" stroke-width="2"/>'
        )
        over += words(6 + wide / 2, BASE - 1, strength, 28, "#8E2A12", weight=800)
    else:
        over += words(20, BASE, strength, 30, ink)
    tank = ratings.get("tank")
    over += plate(52, tank or ratings.get("anti-tank", "0"), nation, tank is not None)
    moves = ratings.get("movement", "–")
    over += words(83, BASE, moves, 30, ink)
    if kind_of(title, piece) == "infantry":
        over += f'<path d="M74 96.2h18" stroke="{ink}" stroke-width="2.6"/>'
    return under, over


def _headquarters(piece: Piece, nation: Nation) -> tuple[str, str]:
    """Reaction in a block, engineers in a bracket, the formation; range, support, movement."""
    ink, ratings, short = nation.figures, piece.ratings, piece.formation
    under = (
        f'<rect x="9" y="29" width="82" height="37" fill="{formation_colour(short)}" '
        f'stroke="{SYMBOL_INK}" stroke-width="2.6"/>'
    )
    over = words(50, 57.5, short, fitting(short, 30, 76), SYMBOL_INK)
    over += f'<path d="M11 6.5h24v19H11z" fill="{ink}"/>'
    over += words(23, 23, ratings.get("reaction", "–"), 20, nation.ground)
    over += words(50, 23, "HQ", 17, ink, weight=600)
    over += (
        f'<path d="M66 24V9h26v15M79 9v9" fill="none" stroke="{ink}" stroke-width="2.4"/>'
        + words(72.6, 23.5, ratings.get("engineers", "–"), 15, ink)
    )
    over += words(20, BASE, ratings.get("range", "–"), 30, ink)
    over += plate(51, ratings.get("support", "?"), nation, True)
    over += words(82, BASE, ratings.get("movement", "–"), 30, ink)
    return under, over


LAYOUTS: dict[str, Layout] = {
    "battleaxe": _battleaxe,
    "cauldron": _cauldron,
    "gallop": _gallop,
    "theseus": _theseus,
}


def _dummy(nation: Nation) -> str:
    return (
        f'<rect x="23" y="30.5" width="54" height="36" fill="{PLAIN_BOX}" stroke="{SYMBOL_INK}" '
        'stroke-width="2.2" stroke-dasharray="5 4"/>'
        + words(50, 57, "?", 27, SYMBOL_INK)
        + words(50, 92, "Dummy", 22, nation.figures, weight=600)
    )


def back(piece: Piece) -> str:
    """A counter seen from behind: only its side shows."""
    nation = NATIONS["german" if axis(piece) else "british"]
    ink = nation.figures
    pattern = "".join(
        f'<path d="M{12 + at * 13} 10v80M10 {12 + at * 13}h80" stroke="{ink}" stroke-opacity=".09" '
        'stroke-width="3"/>'
        for at in range(7)
    )
    middle = (
        f'<circle cx="50" cy="50" r="27" fill="{nation.ground}" stroke="{ink}" stroke-width="3"/>'
        + words(50, 66, "?", 46, ink)
    )
    return _frame(piece, nation, pattern + middle)


def _frame(piece: Piece, nation: Nation, under: str, over: str = "") -> str:
    """Shadow, ground, edge and bevel; then washes, figures and signs."""
    states = piece.states
    round_ = 3 if axis(piece) else 13
    ground = f'<rect x="2" y="2" width="96" height="96" rx="{round_}" fill="{nation.ground}"/>'
    out = [_shadow(round_), ground, under, _bevel(nation, round_)]
    if nation is NATIONS["italian"]:
        out.append('<path d="M3.4 4h4.2v92H3.4z" fill="#fff" fill-opacity=".9"/>')
    used = used_up(piece)
    if used:
        out.append(
            f'<rect x="2" y="2" width="96" height="96" rx="{round_}" fill="#9B927F" '
            'fill-opacity=".48"/>'
        )
    if "reduced" in states and piece.full_steps < 3 and "strength" not in piece.ratings:
        out.append('<path d="M2 70L70 2h22L2 92z" fill="#fff" fill-opacity=".34"/>')
    if "disrupted" in states:
        out.append(_hatch(round_))
    out.append(over)
    if used or "moved" in states:
        out.append(
            '<path d="M75 1h24v24z" fill="#E9DDBF"/><path d="M75 2v18q0 5 5 5h18z" '
            f'fill="#F6EFE0" stroke="{nation.edge}" stroke-width="2"/>'
        )
    if "isolated" in states:
        box = f'x="-4" y="-4" width="108" height="108" rx="{round_ + 5}" fill="none"'
        out.append(
            f'<g stroke-dasharray="9 6"><rect {box} stroke="#1B1712" stroke-width="4.5"/>'
            f'<rect {box} stroke="#F4B63F" stroke-width="1.8"/></g>'
        )
    if "dug in" in states or "improved defence" in states:
        wall = "M-4 92v14h108V92"
        out.append(
            f'<g fill="none"><path d="{wall}" stroke="#fff" stroke-width="8"/><path d="{wall}'
            'M14 106v6m18-6v6m18-6v6m18-6v6m18-6v6" stroke="#1B1712" stroke-width="4.5"/></g>'
        )
    out.append(badges(states))
    return "".join(out)


def _shadow(round_: int) -> str:
    return "".join(
        f'<rect x="{2 - away * 0.5:g}" y="{2 + away * 0.9:g}" width="{96 + away}" '
        f'height="{96 + away * 0.8:g}" rx="{round_ + away * 0.6:g}" fill="#2A1C08" '
        f'fill-opacity="{strength}"/>'
        for away, strength in ((3, 0.10), (2, 0.12), (1, 0.16))
    )


def _bevel(nation: Nation, round_: int) -> str:
    """Light along the upper edge, shade along the lower one, painted with strokes."""
    r = max(1.0, round_ - 2.0)
    top = f"M4 {4 + r:g}q0-{r:g} {r:g}-{r:g}H{96 - r:g}q{r:g} 0 {r:g} {r:g}"
    low = f"M4 {96 - r:g}q0 {r:g} {r:g} {r:g}H{96 - r:g}q{r:g} 0 {r:g}-{r:g}"
    return (
        f'<g fill="none"><path d="{top}" stroke="#fff" stroke-opacity=".32" stroke-width="2.6"/>'
        f'<path d="{low}" stroke="#000" stroke-opacity=".2" stroke-width="2.6"/>'
        f'<rect x="2" y="2" width="96" height="96" rx="{round_}" stroke="{nation.edge}" '
        'stroke-width="2.6"/></g>'
    )


def _hatch(round_: int) -> str:
    """Slanting lines over the upper part, cut off by hand at its edges."""
    left, top, right, bottom = 3.5, 3.5, 96.5, 68.0
    lines = []
    for start in range(-60, 100, 13):
        # From (start, bottom) up to the right at 45 degrees, clipped to the box.
        x0, y0 = float(start), bottom
        if x0 < left:
            y0 -= left - x0
            x0 = left
        x1, y1 = start + (bottom - top), top
        if x1 > right:
            y1 += x1 - right
            x1 = right
        if round_ > 5:
            # Round corners: stay clear of the two upper ones.
            if x0 == left and y0 < top + 6:
                continue
            if x1 == right and y1 < top + 4:
                y1 += 3
                x1 -= 3
        if y0 > y1:
            lines.append(f"M{x0:g} {y0:g}L{x1:g} {y1:g}")
    return (
        f'<path d="{"".join(lines)}" stroke="#7A1E08" stroke-opacity=".55" stroke-width="4.4" '
        'fill="none"/>'
    )


def stack_edges(title: str, piece: Piece, count: int) -> str:
    """The counters below the top one, up and to the right."""
    nation, round_ = nation_of(title, piece), 3 if axis(piece) else 13
    return "".join(
        f'<rect x="{2 + at * 5}" y="{2 - at * 5}" width="96" height="96" rx="{round_}" '
        f'fill="{mix(nation.ground, "#000000", 0.10 + 0.07 * at)}" stroke="{nation.edge}" '
        'stroke-width="2.4"/>'
        for at in range(min(count - 1, 3), 0, -1)
    )


def stack_count(count: int) -> str:
    """How many counters lie here, in a black disc."""
    if count < 2:
        return ""
    return (
        '<g transform="translate(97 95)"><circle r="14" fill="#1B1712" stroke="#fff" '
        f'stroke-width="2.4"/>{words(0, 6.5, str(count), 19, "#fff")}</g>'
    )
