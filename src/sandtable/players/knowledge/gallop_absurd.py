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
    """A player-turn that left supply, or a hex that counts, and got nothing for it."""
    if gained(before, after, side):
        return
    if list(leavers(before, after, side)):
        yield "leaves supply for nothing"
    if list(abandoned(before, after, side)):
        yield "abandons a hex that counts and nobody threatens"


def gained(before: Game, after: Game, side: Side) -> bool:
    """Whether the turn fought, cost the enemy something, or took a hex that counts."""
    if before.eliminated != after.eliminated or before.axis_holds != after.axis_holds:
        return True
    return any(
        old.attacked < new.attacked if card.side == side else old.disrupted != new.disrupted
        # Dummies, which have no counter in the book, come last.
        for card, old, new in zip(after.book, before.pieces, after.pieces, strict=False)
    )


def leavers(before: Game, after: Game, side: Side) -> Iterator[UnitId]:
    """Units that marched out of supply without an enemy at hand."""
    was, now = lines(before, side), lines(after, side)
    length = basic_length(before)  # The next turn's weather was not known.
    for unit in after.on_map(side):
        old, new = before.pieces[unit].hex, after.pieces[unit].hex
        if old < 0 or old == new or after.works(side) >> new & 1:
            continue
        if after.pieces[unit].attacked:  # thrown back by its own attack
            continue
        if was[old] <= length < now[new] and not at_hand(after, side, new):
            yield unit


def at_hand(game: Game, side: Side, hex: int) -> bool:
    """Whether an enemy stands beside a hex whom the side can attack.

    After its turn: whether one is so near that a unit there may have been thrown back from him.
    """
    foes = game.lay.seen[game.enemy(side)]
    if game.phasing != side:
        return bool(game.facts.board.within(1 << hex, THROWN + 1) & foes)
    beside = bits(game.facts.strike_from[hex] & foes)
    return any(duty(game, side, ()).can_grow((Space(foe),), ()) for foe in beside)


def abandoned(before: Game, after: Game, side: Side) -> Iterator[int]:
    """Hexes that count, left empty though nobody was near enough to force it."""
    data = after.facts
    worth = [data.dump, data.tobruk, *after.eastern_sources()]
    foes = bits(after.lay.seen[after.enemy(side)])
    for hex in worth:
        if (hex in after.axis_holds) == (side == "allied"):
            continue
        if not own(before, hex, side) or own(after, hex, side):
            continue
        near = min((data.distance(hex, foe) for foe in foes), default=99)
        if CALM < near <= GRASP:
            yield hex


def own(game: Game, hex: int, side: Side) -> bool:
    """Whether a unit of the side stands in a hex."""
    return any(game.book[unit].side == side for unit in game.stack_at(hex))
