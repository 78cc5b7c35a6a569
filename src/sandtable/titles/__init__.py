"""The titles, found by their folders."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from sandtable.kernel.errors import BadMessage
from sandtable.kernel.title import Title


def names() -> list[str]:
    """The ids of all titles."""
    return sorted(each.name for each in pkgutil.iter_modules(__path__) if each.ispkg)


@cache
def title(name: str) -> Title:
    """The title with this id."""
    if name not in names():
        raise BadMessage(f"no title is called {name!r}; use {', '.join(names())}")
    found = import_module(f"sandtable.titles.{name}").TITLE
    assert isinstance(found, Title)
    return found
