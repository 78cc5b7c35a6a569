"""Boards: where things stand and how far apart; no game knowledge."""

from .areas import Area, AreaBoard
from .bits import bits, flags, has, mask_of
from .board import Board, Exits
from .hexes import (
    OFF,
    CostTable,
    Hex,
    HexBoard,
    Numbering,
    Shape,
    Stagger,
    column_row,
    opposite,
    printed,
    rectangle,
)
from .paths import WHOLE_MOVE, BoardError, Edges, Reach

__all__ = [
    "OFF",
    "WHOLE_MOVE",
    "Area",
    "AreaBoard",
    "Board",
    "BoardError",
    "CostTable",
    "Edges",
    "Exits",
    "Hex",
    "HexBoard",
    "Numbering",
    "Reach",
    "Shape",
    "Stagger",
    "bits",
    "column_row",
    "flags",
    "has",
    "mask_of",
    "opposite",
    "printed",
    "rectangle",
]
