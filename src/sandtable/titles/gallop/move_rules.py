"""XIII.A, XIII.B The rules of a single move, in the book's order; `march` has the last word."""

from __future__ import annotations

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.rules import rule
from sandtable.titles.gallop.flight import EASTWARD
from sandtable.titles.gallop.march import between_boxes, within_one_zone
from sandtable.titles.gallop.stacking import too_many
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.zoc import zone


@rule
def own_unit(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XIII.A.1 A player moves his own units, those on the map."""
    return unit in game.facts.of_side[side] and game.pieces[unit].hex >= 0


@rule
def activated(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """V.A An Allied unit cannot move or attack until it is activated."""
    return game.pieces[unit].active


@rule
def on_land(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """III.A Units move on the land hexes of the map."""
    return bool(game.facts.land >> hex & 1)


@rule
def only_one_side(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XIII.A.3 No unit enters a hex that holds enemy units."""
    return not game.lay.seen[game.enemy(side)] >> hex & 1


@rule
def one_side_only(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XII.A.1 Only one side's units may be in a hex."""
    return only_one_side(game, side, unit, hex)


@rule
def room(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XII.A.2 At most three units stand in a hex at any time, two of them divisions."""
    there = [other for other in game.stack_at(hex) if other != unit]
    return not too_many(game, (*there, unit))


@rule
def eastward(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XIII.E A unit in flight moves NE, E or SE with every hex, until it is east of Tobruk."""
    here = game.pieces[unit].hex
    if not game.pieces[unit].galloping or game.facts.distance(here, hex) != 1:
        return True
    return game.facts.direction(here, hex) < EASTWARD


@rule
def not_up_a_cliff(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XI.D A towering escarpment cannot be crossed except by road or track."""
    here = game.pieces[unit].hex
    return game.facts.distance(here, hex) != 1 or game.facts.passable(here, hex)


@rule
def not_within_one_zone(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XIII.B.3 No direct step from one hex to another in the zone of the same enemy unit."""
    here, facts = game.pieces[unit].hex, game.facts
    if facts.distance(here, hex) != 1 or game.weather == "sandstorm":
        return True
    zoned = zone(game, side)
    if not zoned >> here & zoned >> hex & 1 or game.lay.real[side] >> hex & 1:
        return True
    kin = facts.board.spread(1 << here) & facts.board.spread(1 << hex)
    return not (kin & game.lay.seen[game.enemy(side)] and within_one_zone(game, kin, here, hex))


@rule
def not_between_boxes(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XI.A.3 No direct step from the zone of one enemy box or fort into that of another."""
    here, enemy = game.pieces[unit].hex, game.enemy(side)
    boxed = game.lay.seen[enemy] & game.works(enemy)
    if game.facts.distance(here, hex) != 1 or not between_boxes(game, boxed, here, hex):
        return True
    return bool(game.lay.real[side] >> hex & 1) or not zone(game, side) >> hex & 1


MOVE_RULES = (
    own_unit,
    activated,
    on_land,
    only_one_side,
    room,
    eastward,
    not_up_a_cliff,
    not_between_boxes,
    not_within_one_zone,
)
