"""Ways through the mines of The Cauldron: where to open one, who keeps it, who bars it."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import NamedTuple

from sandtable.boards import OFF, bits
from sandtable.kernel.actions import Space
from sandtable.kernel.events import Side
from sandtable.titles.cauldron.data import Data
from sandtable.titles.cauldron.minefields import line_units, lines_needed
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import Game

KEEPING = 0.5
"""What it is worth to the Axis to stand in a way through that its actions hang on."""
BARRING = 0.5
"""What it is worth to the Allies to stand there, or before a way that is being opened."""
SAFE = 4
"""Hexes from the nearest Allied unit at which a way can be opened in peace."""
SHUT = 0.3
"""How good a way is at which an Allied unit stands."""


class Lane(NamedTuple):
    """14.1 A way straight through the belt: from the Axis side, over a mined hex, and out."""

    start: Space
    mined: Space
    beyond: Space


@lru_cache(maxsize=4)
def lanes(data: Data) -> tuple[Lane, ...]:
    """14.2 Every such way that may serve as a line of communication."""
    board, found = data.board, []
    for mined in data.loc_hexes:
        for start in board.neighbours[mined]:
            beyond = board.around[mined][board.direction_between(start, mined)]
            inside = beyond == OFF or (data.prohibited | data.boxes) >> beyond & 1
            if data.prohibited >> start & 1 and not (data.boxes >> start & 1 or inside):
                found.append(Lane(start, mined, beyond))
    return tuple(found)


class Way(NamedTuple):
    """A way through that is open or being opened, by the mined hex that it crosses."""

    keep: Space
    """Where the Axis keeps it: a mined hex that is being opened is closed to it."""
    serves: float
    """How much of the eight units that a line of communication needs it reaches."""


class Mines:
    """The ways through as they stand, and those to open."""

    def __init__(self, game: Game) -> None:
        self._game = game.copy()
        self._reached: dict[Space, float] = {}
        self.ways: dict[Space, Way] = {}
        done = (each.sides for each in game.markers if each.unit is None)
        breached = {space for sides in done for side in sides for space in side}
        for mined in breached.intersection(game.facts.loc_hexes):
            self.ways[mined] = Way(mined, self._enough(len(line_units(game, mined))))
        begun = {each.sides[0] for each in game.markers if each.unit is not None}
        for lane in lanes(game.facts):
            if lane[:2] in begun and lane.mined not in self.ways:
                self.ways[lane.mined] = Way(lane.beyond, self._serves(lane))

    @cached_property
    def sites(self) -> dict[Lane, float]:
        """Ways that could be opened, and how good they are."""
        mined, allied = self._game.terrain.mined, self._game.occupied[ALLIED]
        begun = {each.sides[0] for each in self._game.markers}
        return {
            lane: self._good(lane)
            for lane in lanes(self._game.facts)
            if lane[:2] in mined and lane[:2] not in begun and not allied >> lane.start & 1
        }

    def _good(self, lane: Lane) -> float:
        """How good it would be to open a way: whom it serves, and who would disturb it."""
        far = self._game.facts.board.ring(lane.mined)
        apart = min((far[foe] for foe in bits(self._game.occupied[ALLIED])), default=SAFE)
        peace = SHUT if self._barred(lane) else 0.5 + 0.5 * min(1.0, apart / SAFE)
        return (0.4 + 0.6 * self._serves(lane)) * peace

    def _barred(self, lane: Lane) -> bool:
        """14.1 Whether an Allied unit keeps it from being opened all the way."""
        return bool(self._game.occupied[ALLIED] & (1 << lane.mined | 1 << lane.beyond))

    def _serves(self, lane: Lane) -> float:
        """14.2 How much of the eight units a line that comes out there would reach."""
        game, data, beyond = self._game, self._game.facts, lane.beyond
        if self._barred(lane):
            return 0.0
        if beyond not in self._reached:
            free = data.board.all & ~game.occupied[ALLIED] & ~data.prohibited
            found = data.board.flood(1 << beyond, free, game.terrain.exits[AXIS])
            units = sum(found >> game.units[unit].at & 1 for unit in game.on_map(AXIS))
            # All ways that come out on the same open ground serve alike.
            here = {each.beyond for each in lanes(data) if found >> each.beyond & 1}
            self._reached |= dict.fromkeys(here, self._enough(units))
        return self._reached[beyond]

    def _enough(self, units: int) -> float:
        return min(1.0, units / self._game.facts.tables.minefields.units_a_loc)

    def lacking(self) -> int:
        """Ways that ought to be begun by the next minefield phase."""
        game = self._game
        opening = max(game.turn + 1, game.facts.tables.minefields.first_breach_turn) + 1
        if opening > game.last_turn:
            return 0
        return max(0, lines_needed(game, opening) - len(self._serving()))

    def _serving(self) -> list[Space]:
        """The mined hexes of ways that serve, or will when they are open."""
        return [mined for mined, way in self.ways.items() if way.serves >= 1]

    def share(self) -> float:
        """How much of what the next turn asks for there is."""
        needed = lines_needed(self._game, self._game.turn + 1)
        serves = sorted((way.serves for way in self.ways.values()), reverse=True)
        return sum(serves[:needed]) / needed if needed else 0.0

    def posts(self, side: Side) -> dict[int, float]:
        """Hexes in the ways that the actions of the next turn hang on, to keep or to bar."""
        game, serving = self._game, self._serving()
        spare = len(serving) - lines_needed(game, game.turn + 1)
        if game.turn >= game.last_turn or spare > 0:
            return {}
        if side == AXIS:
            return {self.ways[mined].keep: KEEPING for mined in serving}
        # An action is lost with the first line that is lacking, and no other with the next.
        return dict.fromkeys(serving, BARRING / (1 - spare))


def mines(game: Game) -> Mines:
    """The ways through, remembered while the Allies and the breaches stay as they are."""
    key = ("mines", game.turn, game.occupied[ALLIED], game.markers)
    found: Mines | None = game.memory.get(key)
    if found is None:
        found = game.memory[key] = Mines(game)
    return found
