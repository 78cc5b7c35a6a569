"""The ground shared by all maps: places and lines in degrees."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from sandtable.kernel.packs import Status


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """A named point."""

    name: str
    at: tuple[float, float]
    kind: str
    accuracy: str
    status: Status


class GroundLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A named line of points [latitude, longitude]."""

    id: str
    name: str
    kind: str
    accuracy: str
    status: Status
    points: tuple[tuple[float, float], ...]


class Geography(Struct, frozen=True, forbid_unknown_fields=True):
    """geography.toml"""

    place: tuple[Place, ...]
    line: tuple[GroundLine, ...]


@cache
def geography() -> Geography:
    """The file, read once."""
    text = resources.files(__package__).joinpath("geography.toml").read_text(encoding="utf-8")
    return msgspec.toml.decode(text, type=Geography)


def points(line: str) -> tuple[tuple[float, float], ...]:
    """The points of a line by its id."""
    return next(each.points for each in geography().line if each.id == line)


@cache
def place_kinds() -> dict[str, str]:
    """What stands at each named place."""
    return {each.name: each.kind for each in geography().place}
