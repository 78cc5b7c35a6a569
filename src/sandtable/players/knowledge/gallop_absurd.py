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


def near_enemy(before: Game, after: Game, unit: UnitId) -> bool:
    """Whether a unit went to meet an enemy, or was perhaps thrown back from him."""
    side = before.book[unit].side
    # In the unit's own turn enemies move only when they are beaten: whoever is driven towards it
    # by others is not the one whom it went to meet.
    seen = before if before.phasing == side else after
    near = after.facts.board.within(1 << after.pieces[unit].hex, THROWN + 1)
    return bool(near & seen.lay.seen[before.enemy(side)])


def leavers(before: Game, after: Game, side: Side) -> Iterator[UnitId]:
    """Units that marched to where supply did not reach and does not, without an enemy at hand."""
    was, now = lines(before, side), lines(after, side)
    length = basic_length(before)  # The next turn's weather was not known.
    unguarded = open_posts(before, side)
    for unit in after.on_map(side):
        old, new = before.pieces[unit].hex, after.pieces[unit].hex
        if old < 0 or old == new or after.works(side) >> new & 1 or busy(before, after, unit):
            continue
        if new in unguarded:  # Somebody should guard it, and a guard needs no supply (XV.B).
            continue
        if was[old] <= length < min(was[new], now[new]) and not at_hand(before, after, side, unit):
            yield unit


def at_hand(before: Game, after: Game, side: Side, unit: UnitId) -> bool:
    """Whether an enemy stands beside a unit whom the side can attack.

    After its turn: whether one was so near that the unit may have been thrown back from him.
    """
    if after.phasing != side:
        return near_enemy(before, after, unit)
    foes = after.facts.strike_from[after.pieces[unit].hex] & after.lay.seen[after.enemy(side)]
    return any(duty(after, side, ()).can_grow((Space(foe),), ()) for foe in bits(foes))


def abandoned(before: Game, after: Game, side: Side) -> Iterator[int]:
    """Hexes that count, left empty for nothing to an enemy who was not near enough to force it."""
    data, foe = after.facts, after.enemy(side)
    near = before.lay.seen[foe] | after.lay.seen[foe]
    # An enemy with units of ours beside him does not just walk away from them, and in a side's own
    # turn one moves only when he is beaten: nobody counts on where he falls back to.
    ours, foes = after.lay.seen[side], after.lay.seen[foe]
    if before.phasing == side:
        foes &= before.lay.seen[foe]
    loose = [hex for hex in bits(foes) if not data.strike_from[hex] & ours]
    unguarded = open_posts(before, side)
    for hex, points in posts(before, side).items():
        garrison = garrison_of(before, hex, side)
        if not garrison or garrison_of(after, hex, side):
            continue
        if data.board.within(1 << hex, CALM) & near:
            continue
        if any(
            called(before, after, unit) or unguarded.get(after.pieces[unit].hex, 0) > points
            for unit in garrison
        ):
            continue
        if any(data.distance(hex, each) <= GRASP for each in loose):
            yield hex


def called(before: Game, after: Game, unit: UnitId) -> bool:
    """Whether a unit had something to do, or went to meet an enemy and was fit to fight him."""
    fit = not before.pieces[unit].disrupted
    return busy(before, after, unit) or (fit and near_enemy(before, after, unit))


def prizes(game: Game) -> dict[int, int]:
    """Hexes that count, and the points they give."""
    data, table = game.facts, game.facts.tables.victory
    worth: dict[int, int] = {data.dump: table.supply_dump, data.tobruk: table.tobruk_taken}
    return worth | dict.fromkeys(game.eastern_sources(), table.eastern_source)


def posts(game: Game, side: Side) -> dict[int, int]:
    """Those in a side's hands and in reach of an enemy."""
    foes = list(bits(game.lay.seen[game.enemy(side)]))
    return {
        hex: points
        for hex, points in prizes(game).items()
        if (hex in game.axis_holds) == (side == "axis")
        and any(game.facts.distance(hex, foe) <= GRASP for foe in foes)
    }


def open_posts(game: Game, side: Side) -> dict[int, int]:
    """Those that nobody guards."""
    found = posts(game, side)
    return {hex: found[hex] for hex in found if not garrison_of(game, hex, side)}


def guarded(game: Game, unit: UnitId, side: Side) -> int:
    """The points that a unit alone keeps from an enemy who is not near yet, if it does."""
    hex = game.pieces[unit].hex
    if len(game.stack_at(hex)) > 1:
        return 0
    near = game.facts.board.within(1 << hex, CALM)
    return 0 if near & game.lay.seen[game.enemy(side)] else posts(game, side).get(hex, 0)


def garrison_of(game: Game, hex: int, side: Side) -> list[UnitId]:
    """The units of a side in a hex."""
    return [unit for unit in game.stack_at(hex) if game.book[unit].side == side]
