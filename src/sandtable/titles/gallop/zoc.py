"""XI.A.3, XIII.B Zones of control: who is beside whom, and where that counts."""

from __future__ import annotations

from sandtable.boards import mask_of
from sandtable.kernel.events import Side
from sandtable.titles.gallop.state import Game


def sheltered(game: Game, side: Side) -> int:
    """XI.A.3 Own works that enemy zones do not enter.

    Those occupied now in the enemy's player-turn; in one's own, those occupied when it began.
    """
    if game.phasing == side:
        return game.works(side) & mask_of(game.held)
    return game.works(side) & game.lay.real[side]


def zone(game: Game, side: Side) -> int:
    """III.C, XI.D The hexes in enemy zones of control, as this side feels them."""
    zones = game.lay.zones
    if side not in zones:
        facts = game.facts
        enemy = game.lay.seen[game.enemy(side)]
        zones[side] = facts.board.spread(enemy, facts.zoc_exits) & ~sheltered(game, side)
    return zones[side]
