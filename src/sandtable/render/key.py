"""The key of a map: what each sign means, each drawn by the very layer that draws it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from sandtable.render import frames, layers
from sandtable.render.geometry import catmull, number, text
from sandtable.render.names import glyph
from sandtable.render.palette import SERIF, Theme
from sandtable.render.spec import Ident, MapSpec, Minefield, Scarp, Space, Way

WIDE, HIGH = 56.0, 26.0
"""Room for a sample."""
UNIT = 40.0
"""The size of a hex in samples."""

WAYS = {"road": "Road", "major": "Main track", "track": "Track", "wire": "Frontier wire"}
SCARPS = {
    "escarpment": "Escarpment, teeth downhill",
    "towering": "Towering escarpment",
    "ridge": "Ridge",
    "wadi": "Wadi",
}
GLYPHS = {
    "village": "Village or town",
    "well": "Well (bir)",
    "tomb": "Tomb (sidi)",
    "cairn": "Hill or landmark",
    "air": "Airfield",
    "source-axis": "Axis supply source",
    "source-allied": "Allied supply source",
}


class Entry(Struct, frozen=True):
    """One line of the key."""

    kind: str
    text: str


def entries(spec: MapSpec) -> list[Entry]:
    """What this map shows, in the order it is read."""
    return [Entry(kind, words) for kind, words in _found(spec)]


def _found(spec: MapSpec) -> Iterator[tuple[str, str]]:
    ways = {way.kind for way in spec.ways}
    yield from ((kind, words) for kind, words in WAYS.items() if kind in ways)
    scarps = {scarp.kind for scarp in spec.scarps}
    yield from ((kind, words) for kind, words in SCARPS.items() if kind in scarps)
    if spec.broken:
        yield "broken", "Broken ground"
    fields = {field.side for field in spec.minefields if field.rings}
    yield from (
        (f"mines-{side}", "Minefield" if len(fields) == 1 else f"Minefield, {side.capitalize()}")
        for side in sorted(fields)
    )
    if any(field.lines for field in spec.minefields):
        yield "mined-side", "Minefield along a side"
    if spec.boxes:
        yield "box", "Box: a fortified place"
    glyphs = {each.kind for each in spec.glyphs}
    yield from ((kind, words) for kind, words in GLYPHS.items() if kind in glyphs)
    if spec.idents:
        yield "clear", "Area: number over modifier"
        yield "strong", "Strongpoint"
        yield "held", "Held by the Allies"
        yield "stars", "Scores, a point for each star"
    elif any(label.style == "victory" for label in spec.labels):
        yield "name", "Scores victory points"


def symbols(spec: MapSpec, theme: Theme) -> str:
    """Every sample as a symbol, for a page to use in its own key."""
    return "".join(
        f'<symbol id="{spec.title}-key-{entry.kind}" viewBox="0 0 {WIDE:g} {HIGH:g}">'
        f"{sample(spec, theme, entry.kind)}</symbol>"
        for entry in entries(spec)
    )


def sample(spec: MapSpec, theme: Theme, kind: str) -> str:
    """A sign on its own, 56 by 26."""
    across, middle = ((4.0, 15.0), (20.0, 11.0), (36.0, 15.0), (52.0, 11.0)), (WIDE / 2, HIGH / 2)
    ring = ((16.0, 13.0), (22.0, 3.0), (34.0, 3.0), (40.0, 13.0), (34.0, 23.0), (22.0, 23.0))
    line = tuple(catmull(across, 8))
    # Teeth hang to the left of a line: drawn westward they point down.
    falling = tuple((x, y - 4.5) for x, y in line[::-1])
    bare = MapSpec(
        title=f"{spec.title}-sample",
        kind="hex",
        width=WIDE,
        height=HIGH,
        unit=UNIT,
        counter=UNIT * 0.78,
        kilometres=1,
        spaces=(),
    )
    draw: dict[str, Callable[[], str]] = {
        "road": lambda: layers.roads(replace(bare, ways=(Way("road", line),)), theme),
        "broken": lambda: _broken(bare, theme),
        "mined-side": lambda: layers.minefields(
            replace(bare, minefields=(Minefield(lines=(line,)),)), theme
        ),
        "box": lambda: layers.boxes(replace(bare, boxes=(ring,)), theme),
        "clear": lambda: _ident(theme, False, False),
        "strong": lambda: _ident(theme, True, False),
        "held": lambda: _ident(theme, False, True),
        "stars": lambda: (
            f'<path transform="translate({number(middle[0])} {number(middle[1])}) scale(4)" '
            f'd="{layers.STAR}" fill="{theme.accent}"/>'
        ),
        "name": lambda: (
            f'<text x="{number(middle[0])}" y="18" text-anchor="middle" font-family="{SERIF}" '
            f'font-weight="700" font-size="15" fill="{theme.accent}">{text("Name")}</text>'
        ),
    }
    if kind in draw:
        return draw[kind]()
    if kind in WAYS:
        return layers.tracks(replace(bare, ways=(Way(kind, line),)), theme)  # type: ignore[arg-type]
    if kind in SCARPS:
        shape = line if kind in ("ridge", "wadi") else falling
        return layers.escarpments(replace(bare, scarps=(Scarp(kind, shape),)), theme)  # type: ignore[arg-type]
    if kind.startswith("mines-"):
        side = kind.removeprefix("mines-")
        belt = ((5.0, 13.0), (9.0, 3.0), (47.0, 3.0), (51.0, 13.0), (47.0, 23.0), (9.0, 23.0))
        pattern = layers.mine_pattern(bare, f"{bare.title}-{kind}", layers.mine_colour(theme, side))
        field = Minefield(rings=(belt,), side=side)
        return (
            f"<defs>{pattern}</defs>{layers.minefields(replace(bare, minefields=(field,)), theme)}"
        )
    return glyph(theme, UNIT * 1.5, kind, middle)


def _broken(bare: MapSpec, theme: Theme) -> str:
    spots = tuple(
        Space(
            id=str(x),
            name="",
            at=(x, HIGH / 2),
            polygon=((x - 14, 3), (x + 14, 3), (x + 14, 23), (x - 14, 23)),
            terrain=(),
            neighbours={},
        )
        for x in (18.0, 38.0)
    )
    return layers.broken(replace(bare, spaces=spots, broken=("18.0", "38.0")), theme)


def _ident(theme: Theme, strong: bool, held: bool) -> str:
    one = Ident("7", (WIDE / 2, HIGH / 2), "7", "+3" if strong else "+1", strong, 0.74)
    bare = MapSpec(
        title="key",
        kind="area",
        width=WIDE,
        height=HIGH,
        unit=UNIT,
        counter=UNIT,
        kilometres=1,
        spaces=(),
        idents=(one,),
    )
    return frames.idents(bare, theme, frozenset("7") if held else frozenset())
