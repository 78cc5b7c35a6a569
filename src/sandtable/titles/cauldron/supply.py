"""5.0 Supply."""

from __future__ import annotations

from typing import Literal

from sandtable.kernel.events import Side
from sandtable.titles.cauldron.events import SupplyChanged
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import IN_SUPPLY, ISOLATED, Game
from sandtable.titles.cauldron.zoc import enemy

State = Literal["in supply", "out of supply", "isolated"]
NAMES: tuple[State, ...] = ("in supply", "out of supply", "isolated")


def supplied(game: Game, side: Side) -> int:
    """5.0 The hexes with a supply path: any length, no enemy units, escarpments or Axis mines."""
    facts = game.facts
    free = facts.board.all & ~game.occupied[enemy(side)]
    sources = facts.axis_supply if side == AXIS else facts.allied_supply
    return facts.board.flood(sources & free, free, game.terrain.exits[side])


def check_supply(game: Game) -> None:
    """5.0 Mark every unit: in supply, out of supply, or isolated if it already was without."""
    for side in (AXIS, ALLIED):
        fed = supplied(game, side)
        for unit in game.on_map(side):
            now = game.units[unit]
            state = IN_SUPPLY if fed >> now.at & 1 else min(now.supply + 1, ISOLATED)
            if state != now.supply:
                game.change(unit, supply=state)
                game.log(SupplyChanged(unit, NAMES[state], rule="5.0"))
