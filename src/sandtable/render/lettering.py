"""How wide words are, without asking a browser."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import msgspec

Face = Literal["serif", "italic", "figures", "labels"]


@cache
def _metrics() -> dict[str, dict[str, int]]:
    text = resources.files(__package__).joinpath("metrics.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=dict[str, dict[str, int]])


def width(words: str, size: float, face: Face = "serif") -> float:
    """The width of a line of text in units of the size.

    >>> 20 < width("Halfaya", 10) < 40
    True
    """
    widths = _metrics()[face]
    return sum(widths.get(letter, 550) for letter in words) * size / 1000


def fitting(words: str, size: float, room: float, face: Face = "figures") -> float:
    """The largest type size up to `size` at which the words fit."""
    needed = width(words, size, face)
    return size if needed <= room else size * room / needed
