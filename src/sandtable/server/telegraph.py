"""News between server processes on one PostgreSQL, by LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
import logging
import threading

import psycopg

from sandtable.server import models
from sandtable.server.rooms import Room, Rooms
from sandtable.server.store import CHANNEL, Store, Unsaved

log = logging.getLogger("sandtable")


class Telegraph:
    """Listens for lines, chats and changes that other processes wrote."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self.store, self.rooms = store, rooms
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Listen, where there can be other processes."""
        if self.store.postgres:
            self._loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._listen, name="telegraph", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop listening."""
        self._stop.set()

    def _listen(self) -> None:
        url = self.store.engine.url.set(drivername="postgresql")
        while not self._stop.is_set():
            try:
                with psycopg.connect(
                    url.render_as_string(hide_password=False), autocommit=True, connect_timeout=5
                ) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    # Something may have been missed while nobody listened.
                    self._call("all")
                    while not self._stop.is_set():
                        for notice in connection.notifies(timeout=1.0):
                            self._call(notice.payload)
            except psycopg.Error as error:
                log.warning("the telegraph is down: %s", str(error).splitlines()[0])
                self._stop.wait(1)

    def _call(self, payload: str) -> None:
        assert self._loop
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.hear, payload)

    def hear(self, payload: str) -> None:
        """Act on news; what is ours already costs nothing."""
        kind, _, rest = payload.partition(" ")
        if kind == "all":
            for room in list(self.rooms.rooms.values()):
                self.rooms.spawn(self._safely(self.rooms.catch_up(room)))
            return
        if kind == "revoked":
            self.rooms.hang_up(set(rest.split()))
            return
        for word in rest.split():
            game, _, number = word.partition(":")
            found = self.rooms.rooms.get(game)
            if found is None or not number.isdigit():
                continue
            self._hear(kind, found, int(number))

    def _hear(self, kind: str, room: Room, number: int) -> None:
        if kind == "lines":
            if number > room.desk.seq:
                self.rooms.spawn(self._safely(self.rooms.catch_up(room)))
        elif kind == "chat":
            if all(each["n"] != number for each in room.chat):
                self.rooms.spawn(self._safely(self._chat(room)))
        elif kind == "begun":
            self.rooms.spawn(self._safely(self.rooms.refresh(room)))

    async def _chat(self, room: Room) -> None:
        last = room.chat[-1]["n"] if room.chat else 0
        found = await self.store.read(lambda db: models.read_chat(db, room.id, last))
        for entry in found:
            if all(each["n"] != entry["n"] for each in room.chat):
                room.chat = [*room.chat, entry][-200:]
                room.broadcast({"type": "chat"} | entry)

    @staticmethod
    async def _safely(work: object) -> None:
        try:
            await work  # type: ignore[misc]
        except Unsaved as error:
            log.warning("news must wait: %s", error)
