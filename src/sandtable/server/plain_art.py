"""Plain pictures, until the drawn ones are there."""

from __future__ import annotations

import hashlib
from html import escape
from typing import Any

from sandtable.kernel.title import Title
from sandtable.kernel.views import Piece


def board_data(title: Title, data: Any) -> dict[str, Any]:
    """Spaces in rows."""
    spaces = []
    for at, name in enumerate(name for name in data.lexicon.spaces().names if name):
        x, y = 60 + at % 12 * 110, 60 + at // 12 * 110
        box = [[x - 50, y - 50], [x + 50, y - 50], [x + 50, y + 50], [x - 50, y + 50]]
        spaces.append({"id": name, "name": name, "x": x, "y": y, "polygon": box, "terrain": ""})
    return {"width": 1400, "height": 1400, "spaces": spaces}


def board_svg(title: Title, data: Any, theme: str) -> str:
    """Boxes with names."""
    shapes = "".join(
        f'<rect x="{each["x"] - 50}" y="{each["y"] - 50}" width="100" height="100" '
        f'fill="#ddc" stroke="#665"/><text x="{each["x"]}" y="{each["y"]}">'
        f"{escape(each['name'])}</text>"
        for each in board_data(title, data)["spaces"]
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1400 1400">{shapes}</svg>'


def relief(title: Title, theme: str) -> bytes | None:
    """No relief."""
    return None


def art_key(piece: Piece) -> str:
    """A short hash of how a counter looks."""
    looks = (piece.side, piece.name, piece.kind, piece.size, piece.ratings, piece.steps)
    return hashlib.sha256(repr(looks).encode()).hexdigest()[:12]


def counter_svg(title_id: str, piece: Piece) -> str:
    """A square with a name."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 60"><rect width="60" height="60" '
        f'fill="#cb8"/><text x="4" y="34" font-size="11">{escape(piece.name)}</text></svg>'
    )
