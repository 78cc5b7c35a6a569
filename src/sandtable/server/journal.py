"""The log of a game in little memory: JSON by the action, older ones compressed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import msgspec

BLOCK = 32
_decoder = msgspec.json.Decoder(list[list[dict[str, Any]]])


class Journal:
    """What each line of play brought about, in order."""

    def __init__(self) -> None:
        self.old: list[bytes] = []
        self.new: list[bytes] = []
        self.undone: set[int] = set()

    def add(self, entries: bytes) -> None:
        """Note the events of one line, as a JSON list."""
        self.new.append(entries)
        if len(self.new) == 2 * BLOCK:
            self.old.append(zlib.compress(self._join(self.new[:BLOCK]), 1))
            del self.new[:BLOCK]

    def entries(self, since: int = 0) -> Iterator[dict[str, Any]]:
        """The events of the lines after a number that were not taken back."""
        for at, block in enumerate(self.old):
            if (at + 1) * BLOCK > since:
                yield from self._read(zlib.decompress(block), since)
        yield from self._read(self._join(self.new), since)

    def _read(self, raw: bytes, since: int) -> Iterator[dict[str, Any]]:
        for entries in _decoder.decode(raw):
            for entry in entries:
                if entry["seq"] > since and entry["seq"] not in self.undone:
                    yield entry

    @staticmethod
    def _join(parts: list[bytes]) -> bytes:
        return b"[" + b",".join(parts) + b"]"
