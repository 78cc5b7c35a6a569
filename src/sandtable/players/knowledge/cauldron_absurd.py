"""What no sensible commander does in Gazala: The Cauldron; a list to check whole games by."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.cauldron.actions import (
    Attack,
    EndPhase,
    Exit,
    MoveTo,
    Resolve,
    RetreatOff,
    RetreatTo,
)
from sandtable.titles.cauldron.orders import Operations, can_act
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.stacking import fits, overstacked
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.supply import supplied
from sandtable.titles.cauldron.victory import TOBRUK_ROAD
from sandtable.titles.cauldron.zoc import enemy

HOPELESS = 0.85
"""The chance that an attack goes badly from which nobody would make it."""
CALM = 3
"""A hex that counts with no enemy within so many hexes is not threatened."""


CROWDS = "crowds a hex, where units of its own are lost"


def blunders(game: Game, action: Action) -> Iterator[str]:
    """A hopeless attack, a unit that leaves the map without need, or too many in a hex."""
    side = game.actor
    assert side is not None
    match action:
        case MoveTo(unit, space):
            stay = [each for each in game.here(space) if not goes_yet(game, each)]
            if stay and not fits(game, (unit, *stay)):
                yield CROWDS
        case Attack() | EndPhase():
            if any(game.occupied[side] >> space & 1 for space in overstacked(game)):
                yield CROWDS
        case Resolve():
            odds = game.odds(action)
            if odds and odds.chance_for(enemy(side)) > HOPELESS:
                yield "attacks at hopeless odds"
        case RetreatOff():
            if any(isinstance(other, RetreatTo) for other in game.actions()):
                yield "retreats off the map past a free hex"
        case Exit(unit):
            if game.units[unit].supply == 0 and not game.units[unit].disrupted:
                yield "leaves the map without need"


def goes_yet(game: Game, unit: UnitId) -> bool:
    """8.0 Whether a unit may still move away in this action phase."""
    for step in game.stack:
        if isinstance(step, Operations):
            waiting = unit in step.ready or unit in step.declined
            return waiting and can_act(game, unit, step.storm)
    return False


def follies(before: Game, after: Game, side: Side) -> Iterator[str]:
    """An action in which units left supply, or a hex that counts, and got nothing for it."""
    if before.turn != after.turn:
        return
    if list(leavers(before, after, side)):
        yield "leaves supply for nothing"
    if list(abandoned(before, after, side)):
        yield "abandons a hex that counts and nobody threatens"


def busy(before: Game, after: Game, unit: UnitId) -> bool:
    """Whether a unit fought or was hurt, opens a minefield, or took a hex that counts."""
    if hurt(before, after, unit) or after.builder_of(unit):
        return True
    side, there = after.side_of(unit), after.units[unit].at
    if (counting(after, side) & ~before.occupied[side]) >> there & 1:
        return True
    foes = before.occupied[enemy(side)]
    near = after.facts.board.within(1 << there, 1)
    return bool(near & foes) and any(hurt(before, after, foe) for foe in before.on_map(enemy(side)))


def hurt(before: Game, after: Game, unit: UnitId) -> bool:
    """Whether a unit lost steps, was disrupted or driven off, or came onto the map."""
    old, new = before.units[unit], after.units[unit]
    return old.steps != new.steps or old.disrupted != new.disrupted or (old.at < 0) != (new.at < 0)


def counting(game: Game, side: Side) -> int:
    """16.0, 17.0 The hexes that give or keep points."""
    found = 1 << game.facts.board.at(TOBRUK_ROAD)
    for space, _ in game.facts.scenarios[game.scenario].objectives:
        found |= 1 << space
    return found | (game.facts.edge["north"] if side == AXIS else 0)


def leavers(before: Game, after: Game, side: Side) -> Iterator[UnitId]:
    """Units that moved to where no supply path led or leads."""
    was, now = supplied(before, side), supplied(after, side)
    for unit in after.on_map(side):
        old, new = before.units[unit].at, after.units[unit].at
        left = old >= 0 and old != new and was >> old & 1 and not (was | now) >> new & 1
        if left and not busy(before, after, unit):
            yield unit


def abandoned(before: Game, after: Game, side: Side) -> Iterator[int]:
    """Hexes that count, left empty for nothing though nobody was near enough to force it."""
    data = after.facts
    worth = 1 << data.board.at(TOBRUK_ROAD) if side == AXIS else 0
    for space, _ in data.scenarios[after.scenario].objectives:
        worth |= 1 << space if side == ALLIED else 0
    foes = before.occupied[enemy(side)] | after.occupied[enemy(side)]
    for left in bits(worth & before.occupied[side] & ~after.occupied[side]):
        if data.board.within(1 << left, CALM) & foes:
            continue
        if not any(busy(before, after, unit) for unit in before.here(Space(left))):
            yield left
