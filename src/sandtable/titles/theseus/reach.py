"""7.3 Where a stack can go and what that costs: terrain, roads, screens and minefields."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from sandtable.boards import Hex, Reach, bits
from sandtable.titles.theseus.facts import Data
from sandtable.titles.theseus.schema import QUARTERS
from sandtable.titles.theseus.state import Game

Kind = Literal["action", "withdrawal", "reinforcement"]

HQ_ALONE = frozenset(["hq"])


class March(Struct):
    """Where a stack can go from a hex with the points it has: costs in quarter points."""

    start: int
    cost: dict[int, int]
    reach: Reach[Hex]
    whole: set[int]
    """Hexes that take all Movement Points: ridges, screens, mines, the one hex always allowed."""
    screened: bool = False
    """7.3.4 Whether it matters here that the stack can screen its movement."""


def mover(game: Game, piece: int) -> str:
    """3.1.1 The class a piece pays for terrain in."""
    return "hq" if game.data.is_hq(piece) else game.card[piece].mobility


def allowance(game: Game, pieces: Sequence[int]) -> int:
    """7.3.1, 7.3.2 The slowest piece's allowance in quarters; halved while unsupplied (5.7.5)."""
    least = 10_000
    for piece in pieces:
        if game.data.is_hq(piece):
            points = game.data.hqs[piece - game.data.count].movement * QUARTERS
        else:
            points = game.card[piece].movement * QUARTERS
            if game.unsupplied(piece):
                points //= 2
        least = min(least, points)
    return least


def screens(game: Game, hex: int, side: int) -> bool:
    """7.3.4 Twice the Tank Points of the Tank and Anti-Tank Points whose ZOC covers the hex."""
    pieces, cards = game.pieces, game.card
    ours = sum(
        game.points(unit)
        for unit in game.combat_units(hex)
        if cards[unit].afv and not pieces[unit].disrupted
    )
    if not ours or game.situation.mines[side] >> hex & 1:
        # No enemy ZOC reaches into an unbreached minefield of ours, so there is none to screen.
        return bool(ours)
    theirs = sum(
        game.points(unit)
        for near in bits(game.data.zoc_from[hex] & game.situation.combat[1 - side])
        for unit in game.combat_units(near)
        if not pieces[unit].disrupted and not cards[unit].no_zoc
    )
    return ours >= 2 * theirs


def march(game: Game, pieces: Sequence[int], points: int, fresh: bool, kind: Kind) -> March:
    """7.3 Every hex a stack can move to with these points; found once a situation."""
    known = game.situation.marches
    key = (tuple(pieces), points, fresh, kind)
    if key not in known:
        known[key] = find_march(game, pieces, points, fresh, kind)
    found = known[key]
    assert isinstance(found, March)
    return found


def find_march(
    game: Game, pieces: Sequence[int], points: int, fresh: bool, kind: Kind, avoid: int = 0
) -> March:
    """7.3 Every hex a stack can move to with these points, and what that costs."""
    here = game.situation
    start = game.pieces[pieces[0]].hex
    side = game.side(pieces[0])
    ezoc, mines = here.zoc[1 - side], here.mines[1 - side]
    combat = here.combat[1 - side]
    barred = combat | mines | avoid
    mix = frozenset([mover(game, piece) for piece in pieces])
    if mix == HQ_ALONE:
        # 3.3: an HQ enters EZOC only where a friendly combat unit stands; it displaces nobody.
        barred |= here.occupied[1 - side] | ezoc & ~here.combat[side]
    if kind == "reinforcement":
        barred |= ezoc
    action = kind == "action"
    screen = action and fresh and bool(ezoc >> start & 1) and screens(game, start, side)
    return _march(game.data, mix, start, points, fresh, action, screen, barred, ezoc, mines, combat)


@lru_cache(maxsize=512)
def _march(
    data: Data,
    mix: frozenset[str],
    start: int,
    points: int,
    fresh: bool,
    action: bool,
    screen: bool,
    barred: int,
    ezoc: int,
    mines: int,
    combat: int,
) -> March:
    """The same for classes of movers: remembered while the enemy stands as he does."""
    fast, slow = data.edges(mix, fresh)
    reach = data.board.reach(
        fast,
        Hex(start),
        points,
        barred=barred,
        stop=ezoc,
        no_step=(ezoc, ezoc),
        slow=(slow, ezoc | mines, ezoc),
    )
    cost: dict[int, int] = {hex: spent for hex, spent in reach.cost.items()}
    del cost[start]
    whole: set[int] = set()
    screened = False
    if fresh:
        steps = slow.step[start]
        in_ezoc = ezoc >> start & 1
        for there in data.board.neighbours[start]:
            if there not in steps:
                continue
            if mines >> there & 1:
                # 7.3.6: combat units only, and never from EZOC to EZOC (7.3.4).
                if (
                    "hq" not in mix
                    and action
                    and not combat >> there & 1
                    and not (in_ezoc and ezoc >> there & 1)
                ):
                    cost[there] = points
                    whole.add(there)
            elif there not in cost and not barred >> there & 1:
                if in_ezoc and ezoc >> there & 1:
                    screened = action
                    if not screen:
                        continue
                cost[there] = points
                whole.add(there)
    return March(start, cost, reach, whole, screened)


def way(found: March, to: int) -> tuple[tuple[int, int], ...]:
    """7.3 The hexes entered on the way, each with what has been spent by then."""
    if to in found.whole:
        return ((to, found.cost[to]),)
    path = found.reach.path(Hex(to))[1:]
    return tuple((int(hex), found.reach.cost[hex]) for hex in path)
