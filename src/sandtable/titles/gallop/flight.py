"""XIII.E The Gazala Gallop: the flight of the units on the line, eastward and at twice the pace."""

from __future__ import annotations

from sandtable.boards import mask_of
from sandtable.kernel.actions import UnitId
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.state import FACE_UP, Game

EASTWARD = 3
"""XIII.E The first three directions of the board are NE, E and SE."""


def in_flight(game: Game, start: int) -> int:
    """XIII.E All that lies ahead of a unit that moves NE, E or SE with every hex."""
    around, found, edge = game.facts.board.around, 0, {start}
    while edge:
        edge = {hex for here in edge for hex in around[here][:EASTWARD] if hex >= 0}
        found |= mask_of(edge)
    return found


def runners(game: Game) -> list[UnitId]:
    """XIII.E Allied units on the Gazala line or next to it that can still flee."""
    facts = game.facts
    near = facts.board.within(facts.line, 1)
    return [
        unit
        for unit in game.on_map("allied")
        if near >> game.pieces[unit].hex & 1
        and not game.pieces[unit].moved
        and facts.board.column[game.pieces[unit].hex] <= facts.map.objectives.flight_column
    ]


def flee(game: Game) -> None:
    """XIII.E Activate the units on the line; they move at twice their factors, eastward only."""
    units = tuple(runners(game))
    game.galloped = True
    game.log(ev.Galloped(units, rule="XIII.E"))
    for unit in units:
        game.activate(unit, "XIII.E")
        game.put(unit, galloping=True, hidden=FACE_UP)


def end_flight(game: Game, unit: UnitId) -> None:
    """XIII.E A flight is over east of Tobruk, however the unit came there."""
    hex = game.pieces[unit].hex
    if game.pieces[unit].galloping and hex >= 0:
        column = game.facts.board.column[hex]
        if column > game.facts.map.objectives.flight_column:
            game.put(unit, galloping=False)
