"""Standard outputs that take nothing."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress


class Terminal(io.StringIO):
    """Somebody watches."""

    def isatty(self) -> bool:
        return True


@contextmanager
def nobody_reads() -> Iterator[None]:
    """Whoever read has gone."""
    here, there = os.pipe()
    os.close(here)
    with open(there, "w", buffering=1) as gone, redirect_stdout(gone):
        yield


@contextmanager
def no_room() -> Iterator[None]:
    """The disk is full."""
    with suppress(OSError), open("/dev/full", "w", buffering=1) as full, redirect_stdout(full):
        yield
