"""What no sensible commander does in The Gazala Gallop; a list to check whole games by."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.gallop.actions import Airstrike, Resolve
from sandtable.titles.gallop.combat import Assault, Attacks
from sandtable.titles.gallop.duty import duty
from sandtable.titles.gallop.lines import basic_length, lines
from sandtable.titles.gallop.state import Game

HOPELESS = 0.6
"""The chance that an attack goes badly from which nobody would make it of his own will."""
CALM = 3
"""A hex that counts with no enemy within so many hexes is not threatened."""
GRASP = 8
"""An enemy so near could walk into an empty one."""
THROWN = 2
"""How far a unit falls back from an enemy whom nobody could attack (IX.B, XIV.A.2)."""


def blunders(game: Game, action: Action) -> Iterator[str]:
    """An attack that cannot go well and that no duty asks for, or bombs on the beaten."""
    side = game.actor
    assert side is not None
    match action:
        case Resolve():
            odds = game.odds(action)
            if odds and odds.chance_for(game.enemy(side)) > HOPELESS and not bidden(game):
                yield "attacks at hopeless odds"
        case Airstrike(hex):
            stack = game.stack_at(hex)
            if stack and all(game.pieces[unit].disrupted for unit in stack):
                yield "bombs a stack that is Disrupted already"


def bidden(game: Game) -> bool:
    """XIV.A.2 Whether the attack in hand is one that must be made."""
    step, below = game.stack[-1], game.stack[-2]
    if not isinstance(step, Assault) or not isinstance(below, Attacks):
        return True
    return any(below.duty(game).hexes >> hex & 1 for hex in step.targets)


def follies(before: Game, after: Game, side: Side) -> Iterator[str]:
    """A player-turn in which units left supply, or a hex that counts, and got nothing for it."""
    if list(leavers(before, after, side)):
        yield "leaves supply for nothing"
    if list(abandoned(before, after, side)):
        yield "abandons a hex that counts and nobody threatens"


def busy(before: Game, after: Game, unit: UnitId) -> bool:
    """Whether a unit attacked, was lost, or stands where its side took a hex that counts."""
    new = after.pieces[unit]
    taken = set(before.axis_holds) ^ set(after.axis_holds)
    return new.attacked or new.hex < 0 or new.hex in taken


def near_enemy(game: Game, unit: UnitId) -> bool:
    """Whether a unit went to meet an enemy, or was perhaps thrown back from him."""
    foes = game.lay.seen[game.enemy(game.book[unit].side)]
    return bool(game.facts.board.within(1 << game.pieces[unit].hex, THROWN + 1) & foes)


def leavers(before: Game, after: Game, side: Side) -> Iterator[UnitId]:
    """Units that marched to where supply did not reach and does not, without an enemy at hand."""
    was, now = lines(before, side), lines(after, side)
    length = basic_length(before)  # The next turn's weather was not known.
    for unit in after.on_map(side):
        old, new = before.pieces[unit].hex, after.pieces[unit].hex
        if old < 0 or old == new or after.works(side) >> new & 1 or busy(before, after, unit):
            continue
        if was[old] <= length < min(was[new], now[new]) and not at_hand(after, side, unit):
            yield unit


def at_hand(game: Game, side: Side, unit: UnitId) -> bool:
    """Whether an enemy stands beside a unit whom the side can attack.

    After its turn: whether one is so near that the unit may have been thrown back from him.
    """
    if game.phasing != side:
        return near_enemy(game, unit)
    foes = game.facts.strike_from[game.pieces[unit].hex] & game.lay.seen[game.enemy(side)]
    return any(duty(game, side, ()).can_grow((Space(foe),), ()) for foe in bits(foes))


def abandoned(before: Game, after: Game, side: Side) -> Iterator[int]:
    """Hexes that count, left empty for nothing to an enemy who was not near enough to force it."""
    data, foe = after.facts, after.enemy(side)
    near = before.lay.seen[foe] | after.lay.seen[foe]
    # An enemy with units of ours beside him does not just walk away from them.
    ours = after.lay.seen[side]
    loose = [hex for hex in bits(after.lay.seen[foe]) if not data.strike_from[hex] & ours]
    for hex in (data.dump, data.tobruk, *after.eastern_sources()):
        garrison = garrison_of(before, hex, side)
        if (hex in after.axis_holds) == (side == "allied") or not garrison:
            continue
        if garrison_of(after, hex, side) or data.board.within(1 << hex, CALM) & near:
            continue
        called = any(busy(before, after, unit) or near_enemy(after, unit) for unit in garrison)
        if not called and any(data.distance(hex, each) <= GRASP for each in loose):
            yield hex


def garrison_of(game: Game, hex: int, side: Side) -> list[UnitId]:
    """The units of a side in a hex."""
    return [unit for unit in game.stack_at(hex) if game.book[unit].side == side]
