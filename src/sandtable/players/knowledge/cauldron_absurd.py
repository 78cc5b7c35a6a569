"""What no sensible commander does in Gazala: The Cauldron; a list to check whole games by."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.boards import bits
from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.cauldron.actions import Exit, Resolve, RetreatOff, RetreatTo
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import ELIMINATED, Game
from sandtable.titles.cauldron.supply import supplied
from sandtable.titles.cauldron.victory import TOBRUK_ROAD
from sandtable.titles.cauldron.zoc import enemy

HOPELESS = 0.85
"""The chance that an attack goes badly from which nobody would make it."""
CALM = 3
"""A hex that counts with no enemy within so many hexes is not threatened."""


def blunders(game: Game, action: Action) -> Iterator[str]:
    """An attack that cannot go well, or a unit that leaves the map without need."""
    side = game.actor
    assert side is not None
    match action:
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


def follies(before: Game, after: Game, side: Side) -> Iterator[str]:
    """An action phase that left supply, or a hex that counts, and got nothing for it."""
    if before.turn != after.turn or gained(before, after, side):
        return
    if list(leavers(before, after, side)):
        yield "leaves supply for nothing"
    if list(abandoned(before, after, side)):
        yield "abandons a hex that counts and nobody threatens"


def gained(before: Game, after: Game, side: Side) -> bool:
    """Whether the phase cost the enemy something, fought, or took a hex that counts."""
    if any(
        old.steps != new.steps
        or old.disrupted != new.disrupted
        or old.at < 0 <= new.at
        or old.at != ELIMINATED == new.at
        for old, new in zip(before.units, after.units, strict=True)
    ):
        return True
    took = after.occupied[side] & ~before.occupied[side]
    return bool(took & counting(after, side)) or before.markers != after.markers


def counting(game: Game, side: Side) -> int:
    """16.0, 17.0 The hexes that give or keep points."""
    found = 1 << game.facts.board.at(TOBRUK_ROAD)
    for space, _ in game.facts.scenarios[game.scenario].objectives:
        found |= 1 << space
    return found | (game.facts.edge["north"] if side == AXIS else 0)


def leavers(before: Game, after: Game, side: Side) -> Iterator[UnitId]:
    """Units that moved to where no supply path leads, with the enemy standing as he did."""
    if before.occupied[enemy(side)] != after.occupied[enemy(side)]:
        return
    was, now = supplied(before, side), supplied(after, side)
    for unit in after.on_map(side):
        old, new = before.units[unit].at, after.units[unit].at
        if old >= 0 and old != new and was >> old & 1 and not now >> new & 1:
            yield unit


def abandoned(before: Game, after: Game, side: Side) -> Iterator[int]:
    """Hexes that count, left empty though nobody was near enough to force it."""
    data = after.facts
    worth = 1 << data.board.at(TOBRUK_ROAD) if side == AXIS else 0
    for space, _ in data.scenarios[after.scenario].objectives:
        worth |= 1 << space if side == ALLIED else 0
    foes = bits(after.occupied[enemy(side)])
    for left in bits(worth & before.occupied[side] & ~after.occupied[side]):
        near = min((data.board.distance(left, foe) for foe in foes), default=99)  # type: ignore[arg-type]
        if near > CALM:
            yield left
