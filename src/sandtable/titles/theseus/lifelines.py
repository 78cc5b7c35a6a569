"""5.7.2 Which way supply comes: off the road to a Headquarters, and along the road to it."""

from __future__ import annotations

from sandtable.boards import Exits
from sandtable.boards.bits import bits
from sandtable.titles.theseus.situation import MOT_LIMIT
from sandtable.titles.theseus.state import Game


def lifeline(game: Game, formation: int) -> tuple[tuple[int, ...], int, int] | None:
    """5.7.2 The hexes from a Headquarters to its source, how many are off the road, and the most.

    Where the road is too far the line ends at the nearest supplied hex of it; None where it cannot
    be reached at all, or where no line is needed.
    """
    data, situation = game.data, game.situation
    piece = data.hq_of(formation)
    hex, side = game.pieces[piece].hex, data.side_of[piece]
    hq = data.hqs[formation]
    limit = 1 if hq.kind == "leg" else hq.command
    roads = situation.connected(game, side, False)
    far = next(
        (
            steps
            for steps in range(MOT_LIMIT + 1)
            if situation.cross_country(game, hex, side, steps) & roads
        ),
        None,
    )
    if far is None:
        return None
    layers = [situation.cross_country(game, hex, side, steps) for steps in range(far + 1)]
    off = _back(game, bits(layers[far] & roads)[0], layers, data.open_exits)[::-1]
    if far > limit:
        return tuple(off), far, limit
    return (*off, *_along(game, off[-1], side)[1:]), far, limit


def _back(game: Game, end: int, layers: list[int], liked: Exits) -> list[int]:
    """A shortest way back from a hex through layers of reach, by open sides where it can."""
    board, way = game.data.board, [end]
    for layer in reversed(layers[:-1]):
        here = 1 << way[-1]
        if layer & here:
            continue
        near = board.spread(here, liked) & layer or board.spread(here) & layer
        way.append(bits(near)[0])
    return way


def _along(game: Game, start: int, side: int) -> list[int]:
    """The shortest way along supplied roads and trails from a hex to a source."""
    data = game.data
    free = game.situation.connected(game, side, False)
    sources = data.sources[side] & free
    for hex in game.blocked:
        sources &= ~(1 << hex)
    layers = [sources]
    while not layers[-1] >> start & 1:
        grown = layers[-1] | data.board.spread(layers[-1], data.road_exits) & free
        if grown == layers[-1]:
            return [start]
        layers.append(grown)
    return _back(game, start, layers, data.road_exits)
