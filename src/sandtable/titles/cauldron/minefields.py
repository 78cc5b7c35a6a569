"""14.0-14.2 Minefields, their breaches, and the Axis lines of communication."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import ClassVar

from sandtable.boards import OFF, opposite
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import Breach, Pass
from sandtable.titles.cauldron.events import (
    BreachBegun,
    BreachBlocked,
    Breached,
    MarkerFreed,
    MinefieldLaid,
)
from sandtable.titles.cauldron.printed import ALLIED, AXIS, Pair
from sandtable.titles.cauldron.state import Game, Marker


def finish_breaches(game: Game) -> None:
    """14.1 Breaches under construction open, unless an Allied unit stands on the far side."""
    kept = [marker for marker in game.markers if marker.unit is None]
    opened: list[Marker] = []
    # All are judged by the ground as it was, so that their order does not matter.
    for marker in game.markers:
        if marker.unit is None:
            continue
        ((here, there),) = marker.sides
        if game.occupied[ALLIED] >> there & 1:
            game.log(BreachBlocked(marker.unit, there, rule="14.1"))
            continue
        further = opposite_side(game, here, there)
        opened.append(Marker(((here, there), further) if further else ((here, there),)))
        beyond = further[1] if further else None
        game.log(Breached(marker.unit, there, beyond, rule="14.1"))
    for marker in sorted(opened, key=lambda each: -len(each.sides)):
        known = {frozenset(side) for each in kept for side in each.sides}
        if all(frozenset(side) in known for side in marker.sides):
            game.log(MarkerFreed(marker.sides[0][1], rule="14.1"))
        else:
            kept.append(marker)
    game.mark(kept)
    merge_markers(game)


def opposite_side(game: Game, here: Space, there: Space) -> Pair | None:
    """14.1 The hexside opposite a breached one of a mined hex, if it opens too.

    The mined hex is the one ahead, or else that of a unit which breaches its way out (R74).
    """
    board, facts = game.facts.board, game.facts
    if facts.mine_hexes >> there & 1:
        side = there, board.around[there][board.direction_between(here, there)]
    elif facts.mine_hexes >> here & 1:
        side = here, board.around[here][board.direction_between(there, here)]
    else:
        return None
    far = side[1]
    if far == OFF or side not in game.terrain.mined or game.occupied[ALLIED] >> far & 1:
        return None
    return side


def merge_markers(game: Game) -> None:
    """14.1 Two markers on opposite hexsides of one mined hex become one (R46)."""
    single = [each for each in game.markers if each.unit is None and len(each.sides) == 1]
    for one, other in combinations(single, 2):
        box = across(game, one.sides[0], other.sides[0])
        if box is not None:
            rest = [each for each in game.markers if each not in (one, other)]
            game.mark([*rest, Marker((*one.sides, *other.sides))])
            game.log(MarkerFreed(box, rule="14.1"))
            merge_markers(game)
            return


def across(game: Game, one: Pair, other: Pair) -> Space | None:
    """14.1 The mined hex that has these two hexsides opposite each other."""
    board = game.facts.board
    for box in set(one) & set(other):
        (a,) = set(one) - {box}
        (b,) = set(other) - {box}
        way = board.direction_between(box, a)
        if board.direction_between(box, b) == opposite(way) and game.facts.mine_hexes >> box & 1:
            return box
    return None


def lay_fields(game: Game) -> None:
    """14.0 Minefields built during the battle take effect in the phase of their turn."""
    for field in game.facts.map.minefield:
        if game.laid < field.from_turn <= game.turn:
            game.log(MinefieldLaid(field.name, rule="14.0"))
    game.mark(game.markers, laid=game.turn)


# What a new breach needs, in the book's order.


@rule
def by_axis_infantry(game: Game, unit: UnitId, to: Space) -> bool:
    """14.1 Only an Axis infantry unit on the map breaches a minefield."""
    return (
        game.side_of(unit) == AXIS
        and game.kind(unit).type == "infantry"
        and game.units[unit].at >= 0
    )


@rule
def not_breaching(game: Game, unit: UnitId, to: Space) -> bool:
    """14.1 A unit breaches one hexside at a time."""
    return not game.builder_of(unit)


@rule
def at_a_mined_hexside(game: Game, unit: UnitId, to: Space) -> bool:
    """14.1 A breach is begun at an unbreached minefield hexside of the unit's hex."""
    return (game.units[unit].at, to) in game.terrain.mined


@rule
def not_begun_there(game: Game, unit: UnitId, to: Space) -> bool:
    """14.1 One marker is enough for a hexside."""
    side = {game.units[unit].at, to}
    return all(set(each) != side for marker in game.markers for each in marker.sides)


@rule
def markers_left(game: Game, unit: UnitId, to: Space) -> bool:
    """14.1 The breach markers of the game are all there are."""
    return len(game.markers) < game.facts.tables.minefields.breach_markers


BREACH_RULES = (
    by_axis_infantry,
    not_breaching,
    at_a_mined_hexside,
    not_begun_there,
    markers_left,
)


class MinefieldPhase(Step[Game], frozen=True):
    """14.1 From May 28 the Axis may begin two breaches in each minefield phase."""

    rule: ClassVar[str] = "14.1"
    left: int

    def begin(self, game: Game) -> None:
        if not self.left or game.turn < game.facts.tables.minefields.first_breach_turn:
            game.pop()

    def actor(self, game: Game) -> Side:
        return AXIS

    def prompt(self, game: Game) -> str:
        return f"Begin a minefield breach with infantry ({self.left} left), or pass."

    def actions(self, game: Game) -> Sequence[Action]:
        found: list[Action] = []
        for unit in game.on_map(AXIS):
            if game.kind(unit).type == "infantry":
                found += [
                    Breach(unit, space)
                    for space in game.facts.board.neighbours[game.units[unit].at]
                    if all(each.holds(game, unit, space) for each in BREACH_RULES)
                ]
        return [*found, Pass()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Breach(unit, space):
                broken = first_broken(BREACH_RULES, game, unit, space)
                return broken.refusal(f"{game.name(unit)} cannot breach") if broken else None
        return None

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Breach(unit, space):
                marker = Marker(((game.units[unit].at, space),), unit)
                game.mark([*game.markers, marker])
                game.log(BreachBegun(unit, space, rule="14.1"))
                game.swap(MinefieldPhase(self.left - 1))
            case _:
                game.pop()


# 14.2 Lines of communication.


def line_units(game: Game, through: Space) -> frozenset[UnitId]:
    """14.2 The Axis units that a line through a breached mined hex reaches beyond the belt."""
    board, facts = game.facts.board, game.facts
    exits = game.terrain.exits[AXIS]
    free = board.all & ~game.occupied[ALLIED]
    zone = facts.prohibited & free
    west = board.flood(facts.edge["west"] & zone, zone, exits)
    if not board.spread(west, exits) & free & 1 << through:
        return frozenset()
    reached = board.flood(1 << through, free & ~facts.prohibited, exits)
    return frozenset(unit for unit in game.on_map(AXIS) if reached >> game.units[unit].at & 1)


def lines_needed(game: Game, turn: int) -> int:
    """14.2 One line of communication from May 29, two from June 1-2."""
    table = game.facts.tables.minefields
    return (turn >= table.first_loc_turn) + (turn >= table.second_loc_turn)


def lines_traced(game: Game) -> tuple[Space, ...] | None:
    """14.2 Mined hexes whose lines meet the need, eight units each and none twice; else None."""
    needed = lines_needed(game, game.turn)
    eight = game.facts.tables.minefields.units_a_loc
    found = {space: line_units(game, space) for space in game.facts.loc_hexes}
    good = {space: units for space, units in found.items() if len(units) >= eight}
    for chosen in combinations(good, needed):
        if len(frozenset().union(*(good[space] for space in chosen))) >= eight * needed:
            return chosen
    return None
