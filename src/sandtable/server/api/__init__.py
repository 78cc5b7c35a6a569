"""The HTTP interface: tables of endpoints, which are also the OpenAPI description."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sandtable.server.api import bots, games, people, titles
from sandtable.server.api.asking import Ask, Endpoint, sides_of

ENDPOINTS = (
    *titles.ENDPOINTS,
    *games.ENDPOINTS,
    *bots.ENDPOINTS,
    *people.ENDPOINTS,
    Endpoint("GET", "/api/openapi.json", "openapi", "This description."),
)


class Api:
    """Every endpoint's answer, by the name in its table."""

    def __init__(self, *given: Any) -> None:
        self.handlers: dict[str, Callable[[Ask], Awaitable[Any]]] = {"openapi": openapi}
        for part, table in (
            (titles.Titles(*given), titles.ENDPOINTS),
            (games.Tables(*given), games.ENDPOINTS),
            (bots.Bots(*given), bots.ENDPOINTS),
            (people.People(*given), people.ENDPOINTS),
        ):
            self.handlers |= {each.name: getattr(part, each.name) for each in table}


async def openapi(ask: Ask) -> Any:
    """This description."""
    from sandtable.server.openapi import describe

    return describe(ENDPOINTS)


__all__ = ["ENDPOINTS", "Api", "Ask", "Endpoint", "sides_of"]
