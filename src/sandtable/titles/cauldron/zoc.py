"""9.0 Zones of control."""

from __future__ import annotations

from sandtable.kernel.events import Side
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import Game


def enemy(side: Side) -> Side:
    """The other side."""
    return ALLIED if side == AXIS else AXIS


def zoc(game: Game, side: Side) -> int:
    """9.0, 12.0 The hexes around a side's units that are not Disrupted, but never uphill."""
    found = game.zones.get(side)
    if found is None:
        units = game.units
        standing = 0
        for unit in game.facts.of_side[side]:
            now = units[unit]
            if now.at >= 0 and not now.disrupted:
                standing |= 1 << now.at
        found = game.zones[side] = game.facts.board.spread(standing, game.facts.zoc_exits)
    return found
