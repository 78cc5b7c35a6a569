"""Gazala: The Cauldron: the ground between Bir Hacheim, Knightsbridge and El Adem."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from sandtable.render.adapters import notes
from sandtable.render.adapters.hexes import Notes, Sheet, Sides, runs
from sandtable.render.spec import MapSpec, Minefield, Scarp, Space

if TYPE_CHECKING:
    from sandtable.titles.cauldron.data import Data


def build(data: Data) -> MapSpec:
    """The map."""
    given, file = notes("cauldron", Notes), data.map
    first = data.board.names[min(data.board.spaces)]
    column, row = int(first[:2]), int(first[2:])
    sheet = Sheet(data.board, given, (0.8660 * column, row + (0.5 if column % 2 else 0)))
    random = Random(given.seed)
    ways, named = sheet.ways([(way.kind, way.name, way.run) for way in file.way])
    ridges = [
        Scarp(
            "ridge", sheet.crest(each.hexes, random), given.heights.get(each.name, 0.55), each.name
        )
        for each in file.ground
    ]
    rings = {each.name: each.hexes for each in file.fortified}
    places = {each.hex: each.name for each in file.place}
    return MapSpec(
        title="cauldron",
        kind="hex",
        width=sheet.width,
        height=sheet.height,
        unit=given.unit,
        counter=round(given.unit * 0.78, 1),
        kilometres=given.kilometres,
        spaces=tuple(_spaces(data, sheet)),
        scarps=(*ridges, *sheet.scarps(file.escarpments.sides, random, height=0.95)),
        ways=ways,
        minefields=tuple(_minefields(data, sheet)),
        boxes=tuple(ring for hexes in rings.values() for ring in sheet.belt(hexes, 0.07, 0.13)),
        glyphs=sheet.glyphs(places),
        labels=tuple(sheet.labels(places, named)),
        number_size=given.number_size,
        compass=sheet.compass,
        scale_bar=sheet.scale_bar,
        seed=given.seed,
    )


def _minefields(data: Data, sheet: Sheet) -> Iterator[Minefield]:
    """Belts there from the start in one outline; later ones apart, so that a page can hide them."""
    early = [name for field in data.map.minefield if field.from_turn == 1 for name in field.boxes]
    yield Minefield(rings=sheet.belt(early, 0.06))
    for field in data.map.minefield:
        if field.from_turn > 1:
            yield Minefield(rings=sheet.belt(field.boxes, 0.06), key=field.name)
        if field.sides:
            inner = {a for a, _ in field.sides}
            yield Minefield(lines=tuple((*ring, ring[0]) for ring in sheet.belt(inner, -0.04, 0.1)))


def _spaces(data: Data, sheet: Sheet) -> Iterator[Space]:
    file = data.map
    sides = Sides(data.board)
    for way in file.way:
        for a, b in runs(way.run):
            sides.add(a, b, way.kind)
    for low, high in file.escarpments.sides:
        sides.add(low, high, "escarpment up", "escarpment down")
    for field in file.minefield:
        for a, b in field.sides:
            sides.add(a, b, "minefield")
    terrain: dict[str, list[str]] = {name: [] for name in sheet.names}
    words: dict[str, str] = {}
    for ground in file.ground:
        for name in ground.hexes:
            terrain[name].append(ground.kind)
            words[name] = ground.name
    for fort in file.fortified:
        for name in fort.hexes:
            terrain[name].append("fortified")
            words[name] = fort.name
    for field in file.minefield:
        for name in field.boxes:
            later = f" from {data.turn_names[field.from_turn - 1]}" if field.from_turn > 1 else ""
            terrain[name].append(f"minefield{later}")
    words |= {each.hex: each.name for each in file.place}
    worth: dict[str, int] = {}
    for scenario in data.scenarios.values():
        for objective in scenario.file.objective:
            for name in objective.hexes:
                worth[name] = max(worth.get(name, 0), objective.points)
    known = {name for each in file.fortified if each.status == "known" for name in each.hexes}
    for name in sheet.names:
        yield sheet.space(
            name,
            words.get(name, ""),
            terrain[name] if "ridge" in terrain[name] else ["desert", *terrain[name]],
            sides.of(name),
            worth.get(name, 0),
            "known" if name in known else "reconstructed",
            True,
        )
