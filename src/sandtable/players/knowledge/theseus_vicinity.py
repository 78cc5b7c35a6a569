"""How far the enemy is felt in Operation Theseus: sums over the map, one number a map.

Each hex has 32 bits of one large number, so that a stack's share in all hexes around it is added
at once, and the sum is the same in whatever order stacks come.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from sys import byteorder

from sandtable.titles.theseus.facts import Data

SHARE = 1024
"""What a stack is felt with in its own hex; a fifth less with every hex, as far as eight."""
RANGE = 420
"""The same for its fire: a half in the next hex, a third in the one after, as far as six."""
LANE = 4
"""Bytes for a hex."""


@lru_cache(maxsize=512)
def vicinity(data: Data, hex: int) -> tuple[int, int]:
    """How much a stack here is felt in every hex, and how much its fire."""
    far = data.board.ring(hex)
    felt = [round(SHARE * 0.8**away) if away <= 8 else 0 for away in far]
    fire = [RANGE // (1 + away) if away <= 6 else 0 for away in far]
    return packed(felt), packed(fire)


def packed(figures: list[int]) -> int:
    """A figure for each hex, as one number."""
    return int.from_bytes(array("I", figures).tobytes(), byteorder)


def unpacked(number: int, size: int) -> memoryview:
    """The figures again."""
    return memoryview(number.to_bytes(LANE * size, byteorder)).cast("I")
