"""Titles, maps, rules and the pictures of counters."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from functools import lru_cache
from typing import Any

from starlette.responses import Response

import sandtable
from sandtable.players import LEVELS
from sandtable.server import art, wire
from sandtable.server.api.asking import TITLE, Ask, Endpoint, Part, sides_of
from sandtable.server.games import pack_names
from sandtable.server.rooms import NotFound, eye_of

IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
REVALIDATE = {"Cache-Control": "no-cache"}


class Titles(Part):
    """What is the same for every game of a title."""

    async def titles(self, ask: Ask) -> Any:
        """Every title with what can be chosen."""
        return [
            {
                "id": title.id,
                "name": title.name,
                "sides": title.sides,
                "side_names": dict(title.side_names),
                "scenarios": title.scenarios,
                "options": title.options,
                "interrupts": title.interrupts,
                "credits": title.credits,
                "action_rules": title.action_rules,
                "spends": title.spends,
                "goes_on": title.goes_on,
                "places": title.places,
                "meanings": title.meanings(),
                "version": title.version,
                "bids": any(option.id == "bid" for option in title.options),
                "levels": list(LEVELS),
                "packs": pack_names(self.settings.packs),
            }
            for title in map(sandtable.title, sandtable.titles())
        ]

    def _title(self, ask: Ask) -> str:
        name = ask.path["title"]
        if name not in sandtable.titles():
            raise NotFound(f"no title is called {name!r}")
        return str(name)

    async def board(self, ask: Ask) -> Any:
        """What the page must know of the map."""
        return cached(ask, await asyncio.to_thread(art.board, self._title(ask)), "application/json")

    async def board_svg(self, ask: Ask) -> Any:
        """The map, drawn."""
        theme = wire.choice(ask.query, "theme", ("day", "night"))
        drawn = await asyncio.to_thread(art.board_svg, self._title(ask), theme)
        return cached(ask, drawn.encode(), "image/svg+xml")

    async def relief(self, ask: Ask) -> Any:
        """The shaded relief below the map."""
        theme = wire.choice(ask.query, "theme", ("day", "night"))
        found = await asyncio.to_thread(art.relief, self._title(ask), theme)
        if found is None:
            raise NotFound("this map has no relief")
        return cached(ask, found, "image/webp")

    async def counters(self, ask: Ask) -> Any:
        """How to read a counter: its parts, states and nations."""
        found = await asyncio.to_thread(art.reading, self._title(ask))
        return cached(ask, found, "application/json")

    async def rules(self, ask: Ask) -> Any:
        """Every numbered rule in our own words."""
        book = sandtable.title(self._title(ask)).rules
        rows = [
            {"number": each.number, "heading": each.heading, "text": each.text} for each in book
        ]
        return cached(ask, wire.encode(rows), "application/json")

    async def art_one(self, ask: Ask) -> Any:
        """The picture of a counter."""
        drawn = art.counter(self._title(ask), ask.path["key"].removesuffix(".svg"))
        if drawn is None:
            raise NotFound("no counter of that look was shown lately; load the game again")
        return Response(drawn, media_type="image/svg+xml", headers=IMMUTABLE)

    async def art_many(self, ask: Ask) -> Any:
        """Pictures of many counters at once."""
        title = self._title(ask)
        if ask.body.game is not None and not all(art.known(title, key) for key in ask.body.keys):
            # Another server process showed these counters: look at the game from here.
            room = await self.rooms.get(ask.body.game)
            room.desk.views([eye_of(sides_of(room, ask.body.seat, ask.visitor))])
        drawn = {key: art.counter(title, key) for key in ask.body.keys}
        return {key: svg for key, svg in drawn.items() if svg is not None}


def cached(ask: Ask, content: bytes, kind: str) -> Response:
    """Content that changes only with a release: the browser asks whether it is still the same."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Vary": "Accept-Encoding"}
    headers |= IMMUTABLE if ask.query.get("v") else REVALIDATE
    if tag in ask.request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if kind != "image/webp" and "gzip" in ask.request.headers.get("accept-encoding", ""):
        return Response(
            packed(content), media_type=kind, headers=headers | {"Content-Encoding": "gzip"}
        )
    return Response(content, media_type=kind, headers=headers)


@lru_cache(maxsize=64)
def packed(content: bytes) -> bytes:
    """Content compressed, once for each release."""
    return gzip.compress(content, 9, mtime=0)


ENDPOINTS = (
    Endpoint("GET", "/api/titles", "titles", "Every title with what can be chosen."),
    Endpoint("GET", f"{TITLE}/board", "board", "What the page must know of the map."),
    Endpoint(
        "GET",
        f"{TITLE}/board.svg",
        "board_svg",
        "The map.",
        query=("theme",),
        returns="image/svg+xml",
    ),
    Endpoint(
        "GET",
        f"{TITLE}/relief.webp",
        "relief",
        "The relief.",
        query=("theme",),
        returns="image/webp",
    ),
    Endpoint("GET", f"{TITLE}/counters", "counters", "How to read a counter."),
    Endpoint("GET", f"{TITLE}/rules", "rules", "Every rule in our own words."),
    Endpoint("GET", "/api/art/{title}/{key}", "art_one", "One counter.", returns="image/svg+xml"),
    Endpoint("POST", "/api/art/{title}", "art_many", "Many counters.", body=wire.Keys),
)
