"""What people who watch a terminal are told while games are played; nothing of it is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(games: int) -> Iterator[Callable[[int], None]]:
    """Tells how many games are done: a line that grows, and ends with them or without."""
    last = games

    def tell(done: int) -> None:
        nonlocal last
        if sys.stderr.isatty():
            last = done
            end = "\n" if done == games else ""
            bar = "#" * (40 * done // games)
            print(f"\r[{bar:40}] {done} of {games}", end=end, file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        if last < games:
            print(file=sys.stderr)


def warn(message: str) -> None:
    """A line of its own, instead of the line that grows."""
    clear = "\r\033[K" if sys.stderr.isatty() else ""
    print(f"{clear}{message}", file=sys.stderr)
