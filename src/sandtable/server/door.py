"""The front door: uvicorn's HTTP protocol with limits on the size and time of a request's head.

Without it a stranger could send a header without an end, or one letter a minute on many lines.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST_HEAD = 64_000
HEAD_SECONDS = 20.0


class Door(HttpToolsProtocol):
    """A connection whose requests must begin properly and soon."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._in_head, self._head = True, 0
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody comes: the head of their first request is awaited."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody goes."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what comes before a head is complete."""
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > LONGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The request's head is too long.")

    def on_message_begin(self) -> None:
        """Another request begins."""
        super().on_message_begin()
        self._in_head = True
        self._wait()

    def on_headers_complete(self) -> None:
        """The head is there; the application reads the body in its own time."""
        self._in_head, self._head = False, 0
        self._stop()
        super().on_headers_complete()

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
