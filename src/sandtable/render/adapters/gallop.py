"""The Gazala Gallop: pointed hexes from Gazala to beyond Tobruk, mines and scarps on hexsides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from sandtable.boards import bits
from sandtable.render.adapters import notes
from sandtable.render.adapters.hexes import Notes, Sheet, Sides, runs
from sandtable.render.geometry import Point
from sandtable.render.spec import MapSpec, Minefield, Space, WayKind

if TYPE_CHECKING:
    from sandtable.titles.gallop.data import Data

ROW = sqrt(3) / 2
"""The distance of two rows, in hex heights."""


def build(data: Data) -> MapSpec:
    """The map."""
    given, file = notes("gallop", Notes), data.map
    first = data.board.names[min(data.board.spaces)]
    row, at = ord(first[0]) - 65, int(first[1:]) - 1
    sheet = Sheet(data.board, given, (at + (0.5 if row % 2 else 0), ROW * row))
    fit = file.fit

    def project(lat: float, lon: float) -> Point:
        down = 10 - (lat - fit.north) / fit.lat_row
        across = 6 + (lon - fit.east - fit.lon_row * (down - 10)) / fit.lon_hex
        return across, ROW * down

    random = Random(given.seed)
    coast, sea = sheet.coast(project)
    groups: list[tuple[WayKind, Mapping[str, list[str] | str]]] = [
        ("road", file.roads),
        ("major", file.major_tracks),
        ("track", file.minor_tracks),
    ]
    ways, named = sheet.ways(
        [
            (kind, name, hexes)
            for kind, group in groups
            for name, hexes in group.items()
            if isinstance(hexes, list)
        ]
    )
    sides = file.hexsides
    places = {name: words for name, words in file.places.items() if name != "status"}
    works = [
        ring
        for name in (*file.forts.boxes, *file.forts.forts)
        for ring in sheet.belt([name], 0.14, 0.13)
    ]
    return MapSpec(
        title="gallop",
        kind="hex",
        width=sheet.width,
        height=sheet.height,
        unit=given.unit,
        counter=round(given.unit * 0.78, 1),
        kilometres=given.kilometres,
        spaces=tuple(_spaces(data, sheet, places)),
        coast=tuple(coast),
        sea=tuple(sea),
        water_lines=(0.05, 0.12, 0.21, 0.33, 0.48),
        scarps=(
            *sheet.scarps(sides.escarpments, random, height=0.95),
            *sheet.scarps(sides.towering_escarpments, random, "towering", 1.3),
            *sheet.scarps(sides.ridges, random, "ridge", 0.4, low_first=False),
        ),
        ways=ways,
        minefields=(
            Minefield(
                lines=tuple(
                    scarp.line
                    for scarp in sheet.scarps(
                        [(outer, inner) for inner, outer in sides.minefields], random
                    )
                )
            ),
        ),
        boxes=tuple(works),
        glyphs=(
            *sheet.glyphs(places),
            *sheet.sources("axis", file.supply.axis),
            *sheet.sources("allied", (*file.supply.eastern, file.supply.fourth_source)),
        ),
        labels=(*sheet.labels(places, named), *sheet.water(project)),
        number_size=given.number_size,
        compass=sheet.compass,
        scale_bar=sheet.scale_bar,
        seed=given.seed,
    )


def _spaces(data: Data, sheet: Sheet, places: Mapping[str, str]) -> Iterator[Space]:
    file, board = data.map, data.board
    sides = Sides(board)
    for kind, group in (
        ("road", file.roads),
        ("major track", file.major_tracks),
        ("minor track", file.minor_tracks),
    ):
        for hexes in group.values():
            if isinstance(hexes, list):
                for a, b in runs(hexes):
                    sides.add(a, b, kind)
    for low, high in file.hexsides.escarpments:
        sides.add(low, high, "escarpment up", "escarpment down")
    for low, high in file.hexsides.towering_escarpments:
        sides.add(low, high, "towering escarpment up", "towering escarpment down")
    for a, b in file.hexsides.ridges:
        sides.add(a, b, "ridge")
    for inner, outer in file.hexsides.minefields:
        sides.add(inner, outer, "minefield")
    land = {board.names[hex] for hex in bits(data.land)}
    kinds = {
        "hill": set(file.ground.hills),
        "box": set(file.forts.boxes),
        "fort": set(file.forts.forts),
        "village": {*file.villages.axis, *file.villages.allied},
        "Tobruk fortress": set(file.ground.tobruk),
        "Gazala line": set(file.ground.gazala_line),
        "Axis supply source": set(file.supply.axis),
        "Allied supply source": {*file.supply.eastern, file.supply.tobruk},
    }
    worth = {
        file.objectives.gazala_position: data.tables.victory.gazala_position,
        file.supply.tobruk: data.tables.victory.tobruk_taken,
        file.objectives.supply_dump: data.tables.victory.supply_dump,
    }
    worth |= {name: data.tables.victory.eastern_source for name in file.supply.eastern}
    for name in sheet.names:
        terrain = [word for word, hexes in kinds.items() if name in hexes]
        if name not in land:
            terrain = ["sea"]
        elif "hill" not in terrain:
            terrain.insert(0, "desert")
        yield sheet.space(
            name,
            places.get(name, ""),
            terrain,
            sides.of(name),
            worth.get(name, 0),
            "known" if name in file.known.hexes else "reconstructed",
            name in land,
        )
