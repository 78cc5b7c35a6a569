"""One adapter a title: its printed map as a `MapSpec`. Titles are imported only when drawn."""

from __future__ import annotations

from importlib import import_module, resources
from typing import Any, TypeVar

import msgspec

from sandtable.kernel.errors import BadMessage
from sandtable.render.spec import MapSpec

T = TypeVar("T")
DRAWN = ("battleaxe", "cauldron", "gallop", "theseus")


def map_spec(title: str, data: Any) -> MapSpec:
    """The map of a title, from its own data."""
    if title not in DRAWN:
        raise BadMessage(f"no map can be drawn of {title!r}; use {', '.join(DRAWN)}")
    spec = import_module(f"sandtable.render.adapters.{title}").build(data)
    assert isinstance(spec, MapSpec)
    return spec


def notes(title: str, kind: type[T]) -> T:
    """The drawing notes of a title, from maps/."""
    file = resources.files("sandtable.render").joinpath("maps", f"{title}.toml")
    return msgspec.toml.decode(file.read_text(encoding="utf-8"), type=kind)
