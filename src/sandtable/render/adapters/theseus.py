"""Operation Theseus: 55 columns of three-kilometre hexes from Temrad to Gambut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from sandtable.render.adapters import notes
from sandtable.render.adapters.hexes import Notes, Sheet, Sides, runs
from sandtable.render.geometry import Point, roughen
from sandtable.render.spec import MapSpec, Minefield, Scarp, Space, WayKind

if TYPE_CHECKING:
    from sandtable.titles.theseus.facts import Data

NEAR_KM = 94.51, 110.9
"""Kilometres in a degree east and north, here."""


def build(data: Data) -> MapSpec:
    """The map."""
    given, file = notes("theseus", Notes), data.map
    first = data.board.names[min(data.board.spaces)]
    column, row = int(first[:2]), int(first[2:])
    lower = (column % 2 == 1) == (file.lower_columns == "odd")
    sheet = Sheet(data.board, given, (0.8660 * column, row + (0.5 if lower else 0)))

    (a, b, c), (d, e, f) = file.georeference.east_km, file.georeference.north_km

    def project(lat: float, lon: float) -> Point:
        east, north = (lon - 23.5) * NEAR_KM[0] - c, (lat - 31.9) * NEAR_KM[1] - f
        whole = a * e - b * d
        return (e * east - b * north) / whole, -(a * north - d * east) / whole

    random = Random(given.seed)
    coast, sea = sheet.coast(project)
    listed: list[tuple[WayKind, str, Sequence[str]]] = [
        *(("road", way.name, way.hexes) for way in file.road),
        *(("track", way.name, way.hexes) for way in file.trail),
    ]
    ways, named = sheet.ways(listed)
    scarps: list[Scarp] = []
    for ridge in file.ridge:
        height = given.heights.get(ridge.name, 0.85)
        scarps += sheet.scarps(
            ridge.hexsides, random, height=height, name=ridge.name, low_first=False
        )
    for wadi in file.wadi:
        for line in sheet.scarps(wadi.hexsides, random, "wadi", 0.2, wadi.name, low_first=False):
            rough = tuple(roughen(list(line.line), random, 1, 0.12))
            scarps.append(Scarp("wadi", rough, 0.2, wadi.name))
    land = {name for name in sheet.names if int(name[2:]) >= file.first_land_row[int(name[:2])]}
    fields = {
        side: sorted(
            {name for field in file.minefield if field.side == side for name in field.hexes}
        )
        for side in ("commonwealth", "axis")
    }
    places = {place.hex: place.name for place in file.place}
    return MapSpec(
        title="theseus",
        kind="hex",
        width=sheet.width,
        height=sheet.height,
        unit=given.unit,
        counter=round(given.unit * 0.78, 1),
        kilometres=given.kilometres,
        spaces=tuple(_spaces(data, sheet, land, places)),
        coast=tuple(coast),
        sea=tuple(sea),
        scarps=tuple(scarps),
        ways=ways,
        minefields=tuple(
            Minefield(rings=sheet.belt(hexes, 0.06), side="axis" if side == "axis" else "allied")
            for side, hexes in fields.items()
            if hexes
        ),
        boxes=tuple(ring for box in file.box for ring in sheet.belt([box.hex], 0.1, 0.13)),
        broken=file.terrain.broken,
        glyphs=(
            *sheet.glyphs(places),
            *sheet.sources("axis", file.supply.axis),
            *sheet.sources("allied", file.supply.commonwealth),
        ),
        labels=(*sheet.labels(places, named), *sheet.water(project)),
        number_size=given.number_size,
        compass=sheet.compass,
        scale_bar=sheet.scale_bar,
        seed=given.seed,
    )


def _spaces(data: Data, sheet: Sheet, land: set[str], places: dict[str, str]) -> Iterator[Space]:
    file = data.map
    sides = Sides(data.board)
    for kind, group in (("road", file.road), ("trail", file.trail)):
        for way in group:
            for a, b in runs(way.hexes):
                sides.add(a, b, kind)
    for kind, group in (("ridge", file.ridge), ("wadi", file.wadi)):
        for feature in group:
            for a, b in feature.hexsides:
                sides.add(a, b, kind)
    for a, b in file.tobruk.sea_hexsides:
        sides.add(a, b, "sea")
    kinds = {
        "village": set(file.terrain.villages),
        "point of interest": set(file.terrain.points_of_interest),
        "broken ground": set(file.terrain.broken),
        "box": {box.hex for box in file.box},
        "Axis minefield": {n for f in file.minefield if f.side == "axis" for n in f.hexes},
        "Commonwealth minefield": {n for f in file.minefield if f.side != "axis" for n in f.hexes},
        "Tobruk perimeter": set(file.tobruk.perimeter),
        "inside Tobruk": set(file.tobruk.inside),
        "Axis supply source": set(file.supply.axis),
        "Commonwealth supply source": set(file.supply.commonwealth),
    }
    worth: dict[str, int] = {}
    for scenario in data.scenarios.values():
        for objective in scenario.file.objective:
            most = max(value for _, _, *both in objective.values for value in both)
            worth[objective.hex] = max(worth.get(objective.hex, 0), most)
    known = {place.hex for place in file.place if place.status == "known"}
    for name in sheet.names:
        terrain = [word for word, hexes in kinds.items() if name in hexes]
        if name not in land:
            terrain = ["sea"]
        elif not {"village", "broken ground"} & set(terrain):
            terrain.insert(0, "clear")
        yield sheet.space(
            name,
            places.get(name, ""),
            terrain,
            sides.of(name),
            worth.get(name, 0),
            "known" if name in known else "reconstructed",
            name in land,
        )
