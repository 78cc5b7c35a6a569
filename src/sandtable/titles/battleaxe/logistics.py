"""14.0 Logistics: supply lines, Out of Supply, surrender and the control of cut-off Areas."""

from __future__ import annotations

from sandtable.boards.bits import bits
from sandtable.kernel.actions import Space, UnitId
from sandtable.titles.battleaxe.data import ALLIED, AXIS, SIDES
from sandtable.titles.battleaxe.events import OutOfSupply, SurrenderChecked
from sandtable.titles.battleaxe.state import Game, Unit


def supplied_spaces(game: Game, side: int, sources: int | None = None) -> int:
    """14.2.1 Friendly-controlled spaces that a supply line reaches, from sources in our hands.

    A line passes through friendly-controlled Areas only, contested or not, and no Escarpment.
    """
    held = game.held_by(side)
    start = (game.data.sources[side] if sources is None else sources) & held
    return game.data.board.flood(start, held, game.data.near)


def in_supply(game: Game, unit: UnitId, supplied: int | None = None) -> bool:
    """14.2, 14.2.1 Whether a unit can trace supply now; its own space need not be friendly."""
    side = game.side_of(unit)
    space = game.units[unit].space
    reached = supplied_spaces(game, side) if supplied is None else supplied
    return bool((reached >> space & 1) or (reached & game.data.near[space]))


def end_of_maneuvers(game: Game) -> None:
    """14.2, 14.2.4 Mark units Out of Supply, and turn over Areas that the enemy cannot supply."""
    supplied = tuple(supplied_spaces(game, side) for side in (ALLIED, AXIS))
    for at, one in enumerate(game.units):
        if one.space < 0:
            continue
        unit = UnitId(at)
        without = not in_supply(game, unit, supplied[game.side_of(unit)])
        if without != one.out_of_supply:
            game.units[at] = Unit(one.space, one.reduced, without)
        if without:
            game.log(OutOfSupply(unit, rule="14.2"))
    turn_over(game)


def turn_over(game: Game) -> None:
    """14.2.4 Empty Areas that their holder cannot supply go to a side whose supply gets there.

    One look for both sides, before anything changes hands.
    """
    supplied = tuple(supplied_spaces(game, side) for side in (ALLIED, AXIS))
    empty = ~(game.occupied[ALLIED] | game.occupied[AXIS])
    changes = []
    for side in (ALLIED, AXIS):
        cut_off = game.held_by(1 - side) & ~supplied[1 - side] & empty
        reached = game.data.board.flood(supplied[side], cut_off | supplied[side], game.data.near)
        changes += [(Space(space), side) for space in bits(cut_off & reached)]
    for space, side in changes:
        game.take(space, side, "14.2.4")


def surrender_checks(game: Game) -> None:
    """14.2.3 Each Out of Supply unit loses a step on 1-3; the Advantage adds one to the roll."""
    losing = []
    for at, one in enumerate(game.units):
        if one.space < 0 or not one.out_of_supply:
            continue
        unit, side = UnitId(at), game.data.side_of[at]
        (face,) = game.roll("surrender", SIDES[side], "14.2.3", place=game.data.unit_facts[at].id)
        roll = face + (game.advantage == side)
        game.log(SurrenderChecked(unit, roll, roll <= 3, rule="14.2.3"))
        if roll <= 3:
            losing.append(unit)
    game.flip(*losing, rule="14.2.3")
