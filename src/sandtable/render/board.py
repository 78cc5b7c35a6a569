"""Boards for the page: the static map as SVG, and its spaces as plain data."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Any

from sandtable.kernel.errors import BadMessage
from sandtable.kernel.title import Title
from sandtable.render import frames, key, layers, names
from sandtable.render.adapters import map_spec
from sandtable.render.geometry import number, path
from sandtable.render.markers import corner
from sandtable.render.palette import FORMATIONS, Theme, theme_of
from sandtable.render.spec import MapSpec, Space

JSON = dict[str, Any]


@lru_cache(maxsize=16)
def _spec(title: str, digest: str, holder: _Holder) -> MapSpec:
    return map_spec(title, holder.data)


class _Holder:
    """Carries a title's data past the cache, which knows it by its digest."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Holder)

    def __hash__(self) -> int:
        return 0


def spec_of(title: Title | str, data: Any) -> MapSpec:
    """The map of a title, built once for each data pack."""
    name = title if isinstance(title, str) else title.id
    return _spec(name, data.digest, _Holder(data))


def relief_href(title: str, theme: str) -> str:
    """Where the server keeps a relief picture."""
    return f"/api/titles/{title}/relief.webp?theme={theme}"


def relief(title: Title | str, theme: str = "day") -> bytes:
    """The shaded relief of a title as WebP."""
    name = title if isinstance(title, str) else title.id
    file = resources.files("sandtable.render").joinpath(
        "relief", f"{name}-{theme_of(theme).name}.webp"
    )
    if not file.is_file():
        raise BadMessage(f"{name} has no relief picture; make one with scripts/relief")
    return file.read_bytes()


def board_data(title: Title | str, data: Any) -> JSON:
    """What a page must know of a map to place counters and catch clicks."""
    spec = spec_of(title, data)
    return {
        "title": spec.title,
        "kind": {"hex": "hexes", "area": "areas"}[spec.kind],
        "width": spec.width,
        "height": spec.height,
        "unit": spec.unit,
        "hex": spec.unit,
        "counter": spec.counter,
        "kilometres": spec.kilometres,
        "frame": spec.frame,
        "tracks": spec.tracks,
        "layers": list(spec.layers),
        "formations": [list(each) for each in FORMATIONS],
        "key": [[entry.kind, entry.text] for entry in key.entries(spec)],
        "spaces": [_space(spec, each) for each in spec.spaces],
    }


def _space(spec: MapSpec, space: Space) -> JSON:
    found = {
        "id": space.id,
        "name": space.name,
        "x": round(space.at[0], 1),
        "y": round(space.at[1], 1),
        "polygon": [[round(x, 1), round(y, 1)] for x, y in space.polygon],
        "terrain": list(space.terrain),
        "neighbours": dict(space.neighbours),
        "sides": {wind: list(words) for wind, words in space.sides.items()},
        "vp": space.vp,
        "status": space.status,
        "land": space.land,
        "off_map": space.off_map,
        "marks": [round(each, 1) for each in corner(spec, space)],
    }
    if space.room:
        found["slot"] = {
            "x": round(space.at[0] - space.room / 2, 1),
            "y": round(space.at[1] - spec.counter / 2, 1),
            "w": space.room,
            "h": round(space.rows * (spec.counter + 2), 1),
        }
    return found


def board_svg(
    title: Title | str, data: Any, theme: str = "day", *, relief_url: str | None = None
) -> str:
    """The static map. `relief_url` is the relief picture's address; "" leaves it out."""
    spec = spec_of(title, data)
    colours = theme_of(theme)
    href = relief_href(spec.title, colours.name) if relief_url is None else relief_url
    return svg(
        spec.width,
        spec.height,
        defs(spec, colours) + key.symbols(spec, colours) + static(spec, colours, href),
        spec.title,
    )


def svg(width: float, height: float, inner: str, label: str) -> str:
    """A whole document."""
    size = f"{number(width)} {number(height)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board {label}" viewBox="0 0 {size}" '
        f'width="{number(width)}" height="{number(height)}">{inner}</svg>'
    )


def defs(spec: MapSpec, theme: Theme) -> str:
    """Patterns and clips, named after the title so that pages can hold several maps."""
    out = [
        layers.mine_pattern(spec, f"{spec.title}-mines-{side}", layers.mine_colour(theme, side))
        for side in sorted({field.side for field in spec.minefields})
    ]
    if spec.sea:
        land = f"M0 0H{number(spec.width)}V{number(spec.height)}H0z{path(spec.sea, closed=True)}"
        out.append(
            f'<clipPath id="{spec.title}-land"><path clip-rule="evenodd" d="{land}"/></clipPath>'
        )
    if spec.frame:
        x, y, w, h = (number(each) for each in spec.frame)
        out.append(
            f'<clipPath id="{spec.title}-frame">'
            f'<rect x="{x}" y="{y}" width="{w}" height="{h}"/></clipPath>'
        )
    return f"<defs>{''.join(out)}</defs>"


def static(
    spec: MapSpec,
    theme: Theme,
    href: str,
    control: str = "",
    held: frozenset[str] = frozenset(),
    laid: frozenset[str] = frozenset(),
) -> str:
    """Every layer below the counters; `control` is a tint that lies on the bare ground."""
    return "".join(
        (
            layers.ground(spec, theme),
            layers.relief(spec, theme, href),
            layers.water(spec, theme),
            layers.coast(spec, theme),
            layers.broken(spec, theme),
            control,
            layers.minefields(spec, theme, laid),
            layers.grid(spec, theme),
            layers.escarpments(spec, theme),
            layers.tracks(spec, theme),
            layers.roads(spec, theme),
            layers.boxes(spec, theme),
            names.numbers(spec, theme),
            frames.margin(spec, theme),
            frames.frame(spec, theme),
            frames.furniture(spec, theme),
            frames.idents(spec, theme, held),
            names.names(spec, theme),
        )
    )
