"""What no sensible commander does in Operation Battleaxe; a list to check whole games by."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.players.knowledge.battleaxe_reading import (
    Reading,
    defense,
    unit_of,
    valuable,
)
from sandtable.titles.battleaxe.actions import Attack, Move
from sandtable.titles.battleaxe.data import ALLIED, SIDES
from sandtable.titles.battleaxe.logistics import in_supply, supplied_spaces
from sandtable.titles.battleaxe.movement import Assault
from sandtable.titles.battleaxe.state import Game
from sandtable.titles.battleaxe.victory import LAST_DAY

THROWN_BACK = 0.7
"""The chance of a repulse from which an attack is hopeless."""
SAFE_EDGE = -3.0
"""By how much the best attack falls short of a garrison that nobody threatens."""


def blunders(game: Game, action: Action) -> Iterator[str]:
    """An attack that is thrown back in most cases.

    Units that stand in a contested Area already may fight on, and the Allies' last day is for
    points at any price.
    """
    if not isinstance(action, Attack) or game.contested_before >> action.space & 1:
        return
    if game.actor == SIDES[ALLIED] and game.turn >= LAST_DAY:
        return
    odds = game.odds(action)
    if odds is None:
        return
    back = sum(float(each.probability) for each in odds.outcomes if each.text == "repulse")
    if back > THROWN_BACK:
        yield "attacks at hopeless odds"


def circles(eve: Game, game: Game, action: Action) -> bool:
    """A unit that drives back to where the Impulse found it, while nothing was taken."""
    step = game.step
    if not isinstance(action, Move) or not isinstance(step, Assault) or not step.spent:
        return False
    back = step.mover == action.unit and eve.units[action.unit].space == action.space
    return back and game.held_by(step.side) == eve.held_by(step.side)


def follies(before: Game, after: Game, name: str) -> Iterator[str]:
    """An own Impulse in which units left supply, or a scoring Area, and got nothing for it."""
    side = SIDES.index(name)
    if before.turn != after.turn or unit_of(before)[-1] != side:
        return
    if list(leavers(before, after, side)):
        yield "leaves supply for nothing"
    if list(abandoned(before, after, side)):
        yield "abandons a safe scoring Area"


def busy(before: Game, after: Game, unit: UnitId) -> bool:
    """Whether a unit went to take or contest a space, or was hurt in trying."""
    old, new = before.units[unit], after.units[unit]
    if new.space < 0 or old.reduced != new.reduced:
        return True
    side = after.data.side_of[unit]
    there = Space(new.space)
    return before.holder(there) != side or bool(before.occupied[1 - side] >> there & 1)


def leavers(before: Game, after: Game, side: int) -> Iterator[UnitId]:
    """Units that moved out of supply of their own will, and not to fight or take anything."""
    units = [unit for unit in movers(before, after, side) if not busy(before, after, unit)]
    if not units:
        return
    was, now = (supplied_spaces(game, side) for game in (before, after))
    left = [u for u in units if in_supply(before, u, was) and not in_supply(after, u, now)]
    if left:
        # Whom an attack of others was to open the road for did not leave it for nothing.
        hoped = hoped_for(before, after, side)
        yield from (unit for unit in left if not in_supply(after, unit, hoped))


def hoped_for(before: Game, after: Game, side: int) -> int:
    """14.2.1 The spaces that supply would reach if every attack had driven the enemy out."""
    fought = 0
    for at, (old, new) in enumerate(zip(before.units, after.units, strict=True)):
        if after.data.side_of[at] != side or old.space < 0:
            continue
        if new.space < 0 or (new.reduced and not old.reduced):
            fought |= after.data.near[old.space]  # 11.4.4 It was thrown back from there.
        elif new.space != old.space:
            fought |= 1 << new.space
    held = after.held_by(side) | (fought & after.occupied[1 - side])
    return after.data.board.flood(after.data.sources[side] & held, held, after.data.near)


def movers(before: Game, after: Game, side: int) -> Iterator[UnitId]:
    """Units of a side that are elsewhere now."""
    for at, (old, new) in enumerate(zip(before.units, after.units, strict=True)):
        if old.space != new.space and old.space >= 0 and after.data.side_of[at] == side:
            yield UnitId(at)


def abandoned(before: Game, after: Game, side: int) -> Iterator[Space]:
    """Scoring Areas left empty, for nothing, to an enemy who could not have taken them by force."""
    held = before.occupied[side] & ~before.occupied[1 - side]
    left = [
        Space(at)
        for at in spots(held & ~after.occupied[side] & ~after.occupied[1 - side])
        if at in valuable(before)
        and not any(busy(before, after, unit) for unit in before.units_in(side, Space(at)))
    ]
    if not left:
        return
    threats, now = Reading(before), Reading(after)
    for space in left:
        if not any(after.data.near[at] >> space & 1 for at in now.ready[1 - side]):
            continue
        if threats.threat(1 - side, space) - defense(before, side, space) < SAFE_EDGE:
            yield space
