"""The pictures: maps and counters from `sandtable.render`, and a key for each counter's looks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import Any

import msgspec

import sandtable
from sandtable import render
from sandtable.kernel.views import Piece, View
from sandtable.render.counters import art_key, counter_svg
from sandtable.server.wire import encode

MOST_KEPT = 60_000
MOST_SAME = 20_000

# Types are made known to msgspec at their first use, which two threads must not do at once.
_drawing = Lock()

_pieces: dict[bytes, bytes] = {}
_same: dict[int, bytes] = {}
_alive: list[Piece] = []
"""The counters in `_same`: while they are kept, nothing else can have their `id`."""
_looks: dict[tuple[str, str], Piece] = {}


def with_keys(views: Sequence[View], title: str) -> list[Any]:
    """Views whose counters carry `art`, the key of their picture; they encode to JSON.

    Equal counters are common (most do not change with an action), so their JSON is kept; so is
    that of the very same object, which titles that make each look once give again and again.
    """
    found, last, pieces = list[Any](), None, None
    for view in views:
        if view.pieces is not last:
            last, pieces = view.pieces, msgspec.Raw(b"[" + _with_keys(view.pieces, title) + b"]")
        found.append(msgspec.structs.replace(view, pieces=pieces))
    return found


def _with_keys(given: Sequence[Piece], title: str) -> bytes:
    found = [_same.get(id(piece)) for piece in given]
    for at, raw in enumerate(found):
        if raw is None:
            found[at] = _new(given[at], title)
    return b",".join(found)  # type: ignore[arg-type]


def _new(piece: Piece, title: str) -> bytes:
    plain = encode(piece)
    raw = _pieces.get(plain) or _with_key(piece, plain, title)
    if len(_same) > MOST_SAME:
        _same.clear()
        _alive.clear()
    _same[id(piece)] = raw
    _alive.append(piece)
    return raw


def _with_key(piece: Piece, raw: bytes, title: str) -> bytes:
    if len(_pieces) > MOST_KEPT:
        _pieces.clear()
        _looks.clear()
    key = art_key(title, piece)
    _looks[title, key] = piece
    found = _pieces[raw] = raw[:-1] + b',"art":' + encode(key) + b"}"
    return found


def known(title: str, key: str) -> bool:
    """Whether a counter of this look was shown by this process lately."""
    return (title, key) in _looks


def counter(title: str, key: str) -> str | None:
    """The picture for a key, if a counter of that look was shown lately."""
    piece = _looks.get((title, key))
    return None if piece is None else counter_svg(title, piece)


def prepare() -> None:
    """Read every title's data before threads begin."""
    with _drawing:
        for name in sandtable.titles():
            sandtable.title(name).data()


@lru_cache(maxsize=32)
def board(title: str) -> bytes:
    """What the page must know of the map."""
    with _drawing:
        found = sandtable.title(title)
        return encode(render.board_data(found, found.data()))


@lru_cache(maxsize=32)
def board_svg(title: str, theme: str) -> str:
    """The map, drawn."""
    with _drawing:
        found = sandtable.title(title)
        return render.board_svg(found, found.data(), theme)


@lru_cache(maxsize=32)
def reading(title: str) -> bytes:
    """How to read a counter."""
    with _drawing:
        return encode(render.reading(sandtable.title(title)))


@lru_cache(maxsize=32)
def relief(title: str, theme: str) -> bytes | None:
    """The shaded relief below the map, where there is one."""
    with _drawing:
        return render.relief(sandtable.title(title), theme)
