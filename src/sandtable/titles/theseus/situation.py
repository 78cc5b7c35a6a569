"""5.4, 5.7, 5.8 What follows from where the pieces stand: zones of control, command and supply.

A Situation belongs to one placement of the pieces; every change throws it away. Parts are
computed when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH

if TYPE_CHECKING:
    from sandtable.titles.theseus.facts import Data
    from sandtable.titles.theseus.state import Game

IN_COMMAND, OUT_OF_COMMAND, ISOLATED = 0, 1, 2
LEG_LIMIT, MOT_LIMIT = 10, 20


class Situation:
    """Sets of hexes as bitboards, by side where both have one."""

    __slots__ = (
        "_command",
        "_connected",
        "_reach",
        "_states",
        "_supply",
        "combat",
        "grip",
        "marches",
        "mines",
        "occupied",
        "passable",
        "zoc",
    )

    def __init__(
        self, game: Game, before: Situation | None = None, changed: tuple[int, ...] = ()
    ) -> None:
        """Read the whole map, or what changed in some hexes since the situation before."""
        data = game.data
        bit = data.bit
        occupied, combat, zoc = [0, 0], [0, 0], [0, 0]
        grip: tuple[dict[int, int], dict[int, int]] = ({}, {})
        if before is None:
            breached = 0
            for hex in game.breached:
                breached |= bit[hex]
            self.mines = (data.mines[AXIS] & ~breached, data.mines[COMMONWEALTH] & ~breached)
            """3.1.3 Unbreached minefields by the side that laid them."""
            changed = tuple(game.at)
        else:
            self.mines = before.mines
            others = data.board.all
            for hex in changed:
                others &= ~bit[hex]
            occupied = [mask & others for mask in before.occupied]
            combat = [mask & others for mask in before.combat]
            grip = (before.grip[AXIS].copy(), before.grip[COMMONWEALTH].copy())
            for hex in changed:
                grip[AXIS].pop(hex, None)
                grip[COMMONWEALTH].pop(hex, None)
        count, side_of, silent = data.count, data.side_of, data.no_zoc
        pieces, stacks = game.pieces, game.at
        for hex in changed:
            if hex not in stacks:
                continue
            stack = stacks[hex]
            side = side_of[stack[0]]
            occupied[side] |= bit[hex]
            if stack[-1] < count:
                combat[side] |= bit[hex]
                for at in stack:
                    if at < count and not silent[at] and not pieces[at].disrupted:
                        grip[side][hex] = data.zoc_from[hex]
                        break
        self.grip: tuple[dict[int, int], dict[int, int]] = grip
        """5.4 What each stack controls, by side and hex, before minefields."""
        for side in (AXIS, COMMONWEALTH):
            for zone in grip[side].values():
                zoc[side] |= zone
        self.occupied: tuple[int, ...] = tuple(occupied)
        """Hexes with any unit of a side."""
        self.combat: tuple[int, ...] = tuple(combat)
        """Hexes with a combat unit of a side."""
        self.zoc = (zoc[AXIS] & ~self.mines[COMMONWEALTH], zoc[COMMONWEALTH] & ~self.mines[AXIS])
        """5.4 Controlled hexes: never an unbreached minefield of the enemy."""
        self.passable = tuple(
            data.board.all
            & ~occupied[1 - side]
            & ~(self.zoc[1 - side] & ~occupied[side])
            & ~self.mines[1 - side]
            for side in (AXIS, COMMONWEALTH)
        )
        """5.7.4, 5.8.2 Hexes a command or supply path of a side may run through."""
        self._command: dict[int, list[int]] = {}
        self._connected: dict[tuple[int, bool], int] = {}
        self._reach: dict[tuple[int, int, int], int] = {}
        self._states: dict[int, int] = {}
        self._supply: dict[int, bool] = {}
        self.marches: dict[tuple[object, ...], object] = {}
        """Reaches found in this situation, by stack and points (7.3)."""

    # 5.8 Command.

    def command_layers(self, game: Game, formation: int, limit: int) -> list[int]:
        """5.8, 5.8.2 Hexes a unit of the formation could stand in, by path length up to a limit.

        A path may cross one bare ridge or wadi hexside; those at its two ends do not count.
        """
        found = self._command.get(formation)
        if found is not None and len(found) > limit:
            return found
        data = game.data
        hq = game.hex_of_hq(formation)
        if hq < 0:
            return [0] * (limit + 1)
        passable = self.passable[data.side_of[data.hq_of(formation)]]
        ends = self._command[formation] = _layers(data, hq, passable, limit)
        return ends

    def state(self, game: Game, unit: int) -> int:
        """5.8, 5.8.4 Whether a unit is In Command, Out of Command or Isolated."""
        known = self._states.get(unit)
        if known is not None:
            return known
        piece = game.pieces[unit]
        state = IN_COMMAND
        if piece.parent >= 0 and unit < game.data.count:
            reach = game.data.hqs[piece.parent].command
            ends = self.command_layers(game, piece.parent, reach)
            if not ends[reach] >> piece.hex & 1:
                state = OUT_OF_COMMAND
                card = game.card[unit]
                leg = card.mobility == "leg" or card.type == "heavy_tank"
                limit = LEG_LIMIT if leg else MOT_LIMIT
                ends = self.command_layers(game, piece.parent, limit)
                if not ends[limit] >> piece.hex & 1:
                    state = ISOLATED
        self._states[unit] = state
        return state

    def isolated(self, game: Game, units: Iterable[int]) -> tuple[int, ...]:
        """5.8.4 Those of some units that are Isolated."""
        return tuple(unit for unit in units if self.state(game, unit) == ISOLATED)

    def in_command(self, game: Game, unit: int) -> bool:
        """5.8.1 Whether a formation's unit is In Command; unassigned units have no such state."""
        return game.pieces[unit].parent >= 0 and self.state(game, unit) == IN_COMMAND

    # 5.7 Supply.

    def connected(self, game: Game, side: int, tobruk: bool) -> int:
        """5.7.2, 5.7.3 Road and trail hexes joined to a Major source of the side, or to Tobruk."""
        key = (side, tobruk)
        if key not in self._connected:
            data = game.data
            passable = self.passable[side]
            start = 1 << data.tobruk if tobruk else data.sources[side]
            for hex in () if tobruk else game.blocked:
                start &= ~(1 << hex)
            self._connected[key] = _roads(data, start & passable, passable)
        return self._connected[key]

    def cross_country(self, game: Game, hex: int, side: int, steps: int) -> int:
        """5.7.2, 5.7.4 Hexes a supply path can cover off the road.

        It may cross one bare ridge or wadi hexside besides those of the hex it starts in.
        """
        key = (hex, side, steps)
        if key not in self._reach:
            self._reach[key] = _cross_country(game.data, hex, self.passable[side], steps)
        return self._reach[key]

    def in_supply(self, game: Game, piece: int) -> bool:
        """5.7 Whether an HQ or an unassigned unit can trace a Supply Path now."""
        known = self._supply.get(piece)
        if known is None:
            known = self._supply[piece] = self._trace(game, piece)
        return known

    def _trace(self, game: Game, piece: int) -> bool:
        data = game.data
        hex, side = game.pieces[piece].hex, data.side_of[piece]
        if piece in game.script.always_supplied:
            return True
        if data.is_hq(piece):
            hq = data.hqs[piece - data.count]
            leg, steps = hq.kind == "leg", 1 if hq.kind == "leg" else hq.command
        else:
            leg = game.card[piece].leg_infantry
            steps = game.card[piece].effectiveness[0]
        here = 1 << hex
        if side == COMMONWEALTH and leg:
            boxes = data.boxes & self.mines[COMMONWEALTH]
            if boxes & (here | data.around[hex]):
                return True
        reach = self.cross_country(game, hex, side, steps)
        if reach & self.connected(game, side, False):
            return True
        inside = bool(data.perimeter & here)
        return inside and game.tobruk == side and bool(reach & self.connected(game, side, True))


# The same while the same hexes are passable, in whichever situation.


@lru_cache(maxsize=4096)
def _layers(data: Data, hq: int, passable: int, limit: int) -> list[int]:
    """5.8, 5.8.2 Hexes within each length of a command path."""
    spread = data.board.spread
    start = 1 << hq
    ends = [start]
    clean = start  # reached without counting a ridge
    crossed = start  # reached with at most one
    for step in range(limit):
        last = crossed
        if step == 0:
            clean = crossed = start | spread(start, data.any_exits) & passable
        else:
            clean, crossed = _further(data, clean, crossed, passable)
        ends.append(ends[-1] | spread(last, data.any_exits))
    return ends


def _further(data: Data, clean: int, crossed: int, passable: int) -> tuple[int, int]:
    """5.7.4, 5.8.2 Paths one hex on: without a counted ridge, and with one at most."""
    spread = data.board.spread
    over = spread(clean, data.ridge_exits) & passable if clean & data.ridge_rim else 0
    further = clean | spread(clean, data.open_exits) & passable
    if crossed == clean:
        return further, further | over
    return further, crossed | spread(crossed, data.open_exits) & passable | over | further


@lru_cache(maxsize=4096)
def _cross_country(data: Data, hex: int, passable: int, steps: int) -> int:
    """5.7.2, 5.7.4 Hexes that a supply path of this length covers off the road."""
    start = clean = crossed = 1 << hex
    for step in range(steps):
        if step == 0:
            clean = crossed = start | data.board.spread(start, data.any_exits) & passable
        else:
            clean, crossed = _further(data, clean, crossed, passable)
    return crossed


@lru_cache(maxsize=1024)
def _roads(data: Data, start: int, passable: int) -> int:
    """5.7.3 Road and trail hexes joined to these."""
    return data.board.flood(start, passable, data.road_exits)
