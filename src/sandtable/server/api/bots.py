"""Play over plain HTTP and newline-delimited JSON, for bots."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from typing import Any

from starlette.responses import Response, StreamingResponse

from sandtable.kernel.events import Side
from sandtable.server import guard, wire
from sandtable.server.api.asking import GAME, Ask, Endpoint, Part
from sandtable.server.desk import Eye
from sandtable.server.live import MOST_QUEUED, request_of
from sandtable.server.rooms import Room, Who


class Bots(Part):
    """What a websocket does, without one."""

    async def state(self, ask: Ask) -> Any:
        """Everything the seat sees now, as on the websocket."""
        room, sides, eye = await self.seat(ask)
        async with room.lock:
            raw = room.state(eye, sides, wire.number(ask.query, "since"))
        return Response(raw, media_type="application/json")

    async def play(self, ask: Ask) -> Any:
        """Play an action for the seat whose token is given."""
        room, sides, _ = await self.seat(ask)
        if not sides:
            raise guard.Forbidden("give the seat's token as `Authorization: Bearer ...`")
        actor = room.desk.game.actor
        side = actor if actor in sides else sides[0]
        request = request_of(sides, ask.body.id)
        known = room.requests.get(request)
        if known is None:
            known = await self.rooms.play(
                room,
                wire.action(ask.body.action),
                side,
                request=request,
                seq=ask.body.seq,
            )
        return {"seq": known, "actor": room.desk.game.actor, "over": bool(room.desk.game.outcome)}

    async def stream(self, ask: Ask) -> Any:
        """State, then every update, one JSON object a line."""
        room, sides, eye = await self.seat(ask)
        since = wire.number(ask.query, "since")
        listener = LineListener(Who(ask.token, ask.account, ask.session), eye, sides)
        return StreamingResponse(
            listener.lines(room, since, self.limits.connected(guard.client(ask.request))),
            media_type="application/x-ndjson",
            headers={"X-Accel-Buffering": "no"},
        )


class LineListener:
    """A bot that reads lines instead of websocket messages."""

    def __init__(self, who: Who, eye: Eye, sides: tuple[Side, ...]) -> None:
        self.who, self.eye, self.sides = who, eye, sides
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._queued = 0

    def send(self, message: bytes) -> None:
        """Queue a line; a reader that cannot keep up is cut off and may come back."""
        self._queued += len(message)
        if self._queued > MOST_QUEUED:
            self.hang_up(0)
        else:
            self._queue.put_nowait(message)

    def hang_up(self, code: int) -> None:
        """End the answer."""
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    async def lines(
        self, room: Room, since: int | None, counted: AbstractContextManager[None]
    ) -> AsyncIterator[bytes]:
        """Everything that comes, and an empty line now and then to keep the connection."""
        try:
            with counted:
                async for line in self._lines(room, since):
                    yield line
        except guard.TooMany as error:
            yield wire.encode({"type": "error", "id": None, "error": str(error), "rule": None})

    async def _lines(self, room: Room, since: int | None) -> AsyncIterator[bytes]:
        try:
            async with room.lock:
                room.listeners.add(self)
                self.send(room.state(self.eye, self.sides, since))
            while True:
                try:
                    message = await asyncio.wait_for(self._queue.get(), 20)
                except TimeoutError:
                    yield b"\n"
                    continue
                if message is None:
                    return
                self._queued -= len(message)
                yield message + b"\n"
        finally:
            room.listeners.discard(self)


ENDPOINTS = (
    Endpoint("GET", f"{GAME}/state", "state", "All the seat sees.", query=("since",), seat=True),
    Endpoint("POST", f"{GAME}/play", "play", "Play an action.", body=wire.PlayBody, seat=True),
    Endpoint(
        "GET",
        f"{GAME}/stream",
        "stream",
        "State and updates, one JSON object a line.",
        query=("since",),
        returns="application/x-ndjson",
        seat=True,
    ),
)
