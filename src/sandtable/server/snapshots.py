"""Where a long game stood: a cache, so that opening it does not play thousands of lines again.

The lines remain the truth. A snapshot counts only for the very code and data that made it; one
that is missing, older or cannot be read costs time and nothing else.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection

import sandtable
from sandtable.kernel import codec
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.record import Line
from sandtable.kernel.table import Entry
from sandtable.server import schema
from sandtable.server.desk import Desk, rebuild
from sandtable.server.models import GameRow
from sandtable.server.store import Stored

EVERY = 200
"""Lines between two snapshots of a game."""


class Kept(Struct, frozen=True, array_like=True):
    """A desk at a moment when nothing can be taken back."""

    game: bytes
    history: list[tuple[str, str, Side | None]]
    alive: list[int]
    log: tuple[list[bytes], list[bytes], list[int]]
    offers: dict[str, Side]
    clock: tuple[dict[Side, int], Side | None, int] | None


class Snapshot(Struct, frozen=True):
    """What is stored of a game: the line it was taken after, by which code, and the desk."""

    seq: int
    stamp: str
    content: bytes


_decoder = msgspec.msgpack.Decoder(Kept)


def due(desk: Desk, last: int) -> bool:
    """Whether a desk whose last snapshot is of a line should be kept now."""
    return desk.seq >= last + EVERY and not desk.table.can_undo


def take(desk: Desk) -> Snapshot:
    """The desk as it stands."""
    journal, clock = desk.journal, desk.clock
    kept = Kept(
        codec.dump(desk.game),
        [(entry.line.text, entry.line.comment, entry.by) for entry in desk.table.history],
        desk.alive,
        (journal.old, journal.new, sorted(journal.undone)),
        desk.offers,
        (clock.left, clock.running, clock.since) if clock else None,
    )
    return Snapshot(desk.seq, stamp(desk.row), msgspec.msgpack.encode(kept))


def packed(snapshot: Snapshot) -> Snapshot:
    """The same, small enough to keep; apart from `take`, because it needs no look at the desk."""
    return msgspec.structs.replace(snapshot, content=zlib.compress(snapshot.content, 1))


def fits(snapshot: Snapshot | None, row: GameRow) -> bool:
    """Whether a snapshot was made by this code with this data."""
    return snapshot is not None and snapshot.stamp == stamp(row)


def open_desk(
    row: GameRow,
    players: dict[Side, str],
    lines: Sequence[Stored],
    packs: str,
    snapshot: Snapshot | None,
) -> Desk:
    """A desk with all its lines, from the snapshot if it fits."""
    desk = None
    if snapshot is not None and fits(snapshot, row) and snapshot.seq <= len(lines):
        desk = _restore(row, players, packs, snapshot)
    if desk is None:
        return rebuild(row, players, lines, packs)
    return rebuild(row, players, lines[desk.seq :], packs, desk)


def _restore(row: GameRow, players: dict[Side, str], packs: str, snapshot: Snapshot) -> Desk | None:
    desk = Desk(row, players, packs)
    try:
        kept = _decoder.decode(zlib.decompress(snapshot.content))
        data = Path(packs) / row.data if row.data else None
        desk.table.game = desk.title.load(kept.game, data)
    except (zlib.error, msgspec.MsgspecError, BadMessage):
        return None
    desk.seq, desk.alive, desk.offers = snapshot.seq, kept.alive, kept.offers
    desk.table.history = [Entry(Line(text, dice), by, ()) for text, dice, by in kept.history]
    desk.journal.old, desk.journal.new = kept.log[0], kept.log[1]
    desk.journal.undone = set(kept.log[2])
    if desk.clock and kept.clock:
        desk.clock.left, desk.clock.running, desk.clock.since = kept.clock
    return desk


def stamp(row: GameRow) -> str:
    """What a snapshot depends on: our code, the title's, and the data of the game."""
    return f"{_code(row.title)}{row.digest}"


@cache
def _code(title: str) -> str:
    top = Path(sandtable.__file__).parent
    folders = (top / "kernel", top / "boards", top / "titles" / title, top / "server")
    found = hashlib.sha256(sandtable.__version__.encode())
    for file in sorted(each for folder in folders for each in folder.rglob("*.py")):
        found.update(file.read_bytes())
    return found.hexdigest()[:32]


# In the database.


def read(connection: Connection, game: str) -> Snapshot | None:
    """The snapshot of a game, if there is one."""
    table = schema.snapshots
    query = sa.select(table.c.seq, table.c.stamp, table.c.content).where(table.c.game == game)
    row = connection.execute(query).one_or_none()
    return None if row is None else Snapshot(*row)


def write(connection: Connection, game: str, snapshot: Snapshot) -> None:
    """Keep a snapshot in place of the one before."""
    table = schema.snapshots
    connection.execute(sa.delete(table).where(table.c.game == game))
    connection.execute(
        sa.insert(table).values(game=game, **msgspec.structs.asdict(snapshot)),
    )
