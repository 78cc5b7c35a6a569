"""What no sensible commander does in Operation Battleaxe; a list to check whole games by."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.players.knowledge.battleaxe_reading import Reading, defense, valuable
from sandtable.titles.battleaxe.actions import Attack
from sandtable.titles.battleaxe.data import ALLIED, AXIS, SIDES
from sandtable.titles.battleaxe.logistics import in_supply, supplied_spaces
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


def follies(before: Game, after: Game, name: str) -> Iterator[str]:
    """An Impulse that left supply, or a scoring Area, and got nothing for it."""
    side = SIDES.index(name)
    if before.turn != after.turn or gained(before, after, side):
        return
    if list(leavers(before, after, side)):
        yield "leaves supply for nothing"
    if list(abandoned(before, after, side)):
        yield "abandons a safe scoring Area"


def gained(before: Game, after: Game, side: int) -> bool:
    """Whether the Impulse took a space, cost the enemy something, or fought at all.

    An attack that was thrown back leaves no other mark than its dice; the Axis rolls once more,
    for Sunset.
    """
    if after.held_by(side) & ~before.held_by(side):
        return True
    if after.dice.count - before.dice.count > (side == AXIS):
        return True
    return any(
        old != new and after.data.side_of[at] != side
        for at, (old, new) in enumerate(zip(before.units, after.units, strict=True))
    ) or bool(after.occupied[side] & after.occupied[1 - side] & ~before.contested())


def leavers(before: Game, after: Game, side: int) -> Iterator[UnitId]:
    """Units that moved out of supply of their own will."""
    was, now = (supplied_spaces(game, side) for game in (before, after))
    for at, (old, new) in enumerate(zip(before.units, after.units, strict=True)):
        unit = UnitId(at)
        if after.data.side_of[at] != side or old.space < 0 or new.space < 0:
            continue
        moved = old.space != new.space
        if moved and in_supply(before, unit, was) and not in_supply(after, unit, now):
            yield unit


def abandoned(before: Game, after: Game, side: int) -> Iterator[Space]:
    """Scoring Areas left empty to an enemy who could not have taken them by force."""
    threats, now = Reading(before), Reading(after)
    enemy_near = 0
    for at in now.ready[1 - side]:
        enemy_near |= after.data.near[at]
    held = before.occupied[side] & ~before.occupied[1 - side] & ~after.occupied[side]
    for at in spots(held & enemy_near & ~after.occupied[1 - side]):
        if at not in valuable(before):
            continue
        space = Space(at)
        if threats.threat(1 - side, at) - defense(before, side, space) < SAFE_EDGE:
            yield space
