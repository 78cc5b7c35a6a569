"""What is kept: one append-only table of actions, written in groups, acknowledged after commit."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
)

from sandtable.kernel.errors import BadMessage
from sandtable.server.schema import (
    SCHEMA_VERSION,
    actions,
    games,
    meta,
    metadata,
    snapshots,
    upgrade,
)

T = TypeVar("T")
Now = int
CHANNEL = "sandtable"


def now() -> Now:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Unsaved(Exception):
    """The database could not do its part; nothing was changed, or it is not known."""


class Conflict(Exception):
    """Another server process wrote this game's next line first."""


class Append(Struct, frozen=True):
    """One line of play on its way to the database, and what the list of games shows after it."""

    game: str
    seq: int
    text: str
    dice: str
    by: str
    at: Now
    request: str
    reason: str
    heard: str
    actor: str
    status: str
    result: str
    deadline: Now


class Stored(Struct, frozen=True):
    """One line of play as read back."""

    seq: int
    text: str
    dice: str
    by: str
    at: Now
    request: str
    reason: str = ""
    heard: str = ""


Job = tuple["Append | Callable[[Connection], Any]", "asyncio.Future[Any]"]

# The two statements of every move, in plain SQL: they are most of what the database does.
APPEND = "INSERT INTO actions (game, seq, text, dice, by, at, request, reason, heard) VALUES ({})"
TOUCH = (
    "UPDATE games SET seq = ?, actor = ?, moved = ?, status = ?, result = ?, deadline = ? "
    "WHERE id = ?"
)

SEEN = "UPDATE seats SET seen = ?, looked = ? WHERE game = ? AND side = ?"


class Store:
    """A database with one writer thread that commits what came in meanwhile as one group."""

    def __init__(self, url: str, *, exclusive: bool = True) -> None:
        self.engine = open_engine(url)
        self.postgres = self.engine.dialect.name == "postgresql"
        self._lock = None if self.postgres or not exclusive else _lock_file(self.engine)
        sign = "%s" if self.postgres else "?"
        self._append_sql = APPEND.format(", ".join([sign] * 9))
        self._touch_sql = TOUCH.replace("?", sign)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(4, thread_name_prefix="read")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._writer: threading.Thread | None = None
        self._connection: Connection | None = None
        self.commits = self.appended = 0
        self.commit_seconds = 0.0
        self.failing = ""
        with self._errors():
            upgrade(self.engine)
        self._file = _identity(self.engine)

    # What the event loop uses.

    async def start(self) -> None:
        """Begin to write."""
        self._loop = asyncio.get_running_loop()
        self._writer = threading.Thread(target=self._write, name="write", daemon=True)
        self._writer.start()

    async def stop(self) -> None:
        """Write what is waiting and let go of the database."""
        if self._writer:
            self._jobs.put(None)
            await asyncio.to_thread(self._writer.join)
        self._readers.shutdown()
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    async def append(self, line: Append) -> None:
        """Keep a line of play; returns when it is safe on disk."""
        await self._submit(line)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run any other change inside a transaction."""
        result: T = await self._submit(work)
        return result

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a query beside the event loop."""
        assert self._loop
        return await self._loop.run_in_executor(self._readers, self.query, work)

    async def checkpoint(self) -> None:
        """Move SQLite's log into its file beside the writer."""
        if not self.postgres:
            await self.read(lambda db: db.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)").all())

    def query(self, work: Callable[[Connection], T]) -> T:
        """Run a query here and now."""
        with self._errors(), self.engine.connect() as connection:
            return work(connection)

    def change(self, work: Callable[[Connection], T]) -> T:
        """Run a change here and now, for commands without a server."""
        with self._errors(), self.engine.begin() as connection:
            return work(connection)

    def _submit(self, work: Append | Callable[[Connection], Any]) -> asyncio.Future[Any]:
        assert self._loop
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put((work, future))
        return future

    # The writer thread.

    def _write(self) -> None:
        while True:
            job = self._jobs.get()
            group: list[Job] = []
            while job is not None:
                group.append(job)
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            if group:
                self._deliver(self._commit(group))
            if job is None:
                return

    def _commit(self, group: Sequence[Job]) -> list[tuple[asyncio.Future[Any], Any]]:
        """Commit a group at once; if that fails, each job alone, so that one spoils no other."""
        began = time.perf_counter()
        try:
            done = self._transaction(group)
            self.failing = ""
        except IntegrityError as error:
            if len(group) > 1:
                return [each for job in group for each in self._commit([job])]
            done = [(group[0][1], Conflict(str(error.orig)))]
        except (BadMessage, DataError) as error:
            # DataError: a value that the database cannot hold, such as a letter of code zero.
            if len(group) > 1:
                return [each for job in group for each in self._commit([job])]
            if isinstance(error, DataError):
                error = BadMessage("the database cannot hold this text; write it otherwise")
            done = [(group[0][1], error)]
        except (DBAPIError, OSError) as error:
            self._drop_connection()
            self.failing = _plain(error)
            done = [(future, Unsaved(self.failing)) for _, future in group]
        except Exception as error:  # a bug in a job must not end the writer
            if len(group) > 1:
                return [each for job in group for each in self._commit([job])]
            done = [(group[0][1], error)]
        self.commits += 1
        self.commit_seconds += time.perf_counter() - began
        return done

    def _transaction(self, group: Sequence[Job]) -> list[tuple[asyncio.Future[Any], Any]]:
        if _identity(self.engine) != self._file:
            # SQLite would go on writing to a file without a name, which ends with the server.
            raise OSError("the database file is gone or another one: put it back, or restart")
        if self._connection is None or self._connection.closed:
            self._connection = self.engine.connect()
        connection, results = self._connection, []
        with connection.begin():
            lines = [work for work, _ in group if isinstance(work, Append)]
            if lines:
                self._append(connection, lines)
            for work, future in group:
                results.append((future, None if isinstance(work, Append) else work(connection)))
        self.appended += len(lines)
        return results

    def _append(self, connection: Connection, lines: Sequence[Append]) -> None:
        connection.exec_driver_sql(self._append_sql, [_row(line) for line in lines])
        connection.exec_driver_sql(self._touch_sql, [_after(line) for line in lines])
        if self.postgres:
            for at in range(0, len(lines), 200):  # a payload holds 8000 bytes
                self.notify(
                    connection,
                    "lines " + " ".join(f"{each.game}:{each.seq}" for each in lines[at : at + 200]),
                )

    def seen(self, connection: Connection, rows: Sequence[tuple[int, int, str, str]]) -> None:
        """Note when seats were last taken, and up to which line their players have looked."""
        sql = SEEN if not self.postgres else SEEN.replace("?", "%s")
        connection.exec_driver_sql(sql, list(rows))

    def notify(self, connection: Connection, payload: str) -> None:
        """Tell the other server processes, once this transaction is committed."""
        if self.postgres:
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, payload)))

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.invalidate()
                connection.close()
            except DBAPIError:
                pass

    def _deliver(self, results: Sequence[tuple[asyncio.Future[Any], Any]]) -> None:
        assert self._loop

        def deliver() -> None:
            for future, result in results:
                if future.done():
                    continue
                if isinstance(result, BaseException):
                    future.set_exception(result)
                else:
                    future.set_result(result)

        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(deliver)

    class _Errors:
        """Turns database failures into Unsaved, in plain words."""

        def __enter__(self) -> None: ...

        def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
            if isinstance(error, DataError):
                raise BadMessage("the database cannot hold this text; write it otherwise") from None
            if isinstance(error, DBAPIError):
                raise Unsaved(_plain(error)) from None

    _errors = _Errors


def lines_of(connection: Connection, game: str, since: int = 0) -> list[Stored]:
    """The lines of a game after a number, in order."""
    query = (
        sa.select(
            actions.c.seq,
            actions.c.text,
            actions.c.dice,
            actions.c.by,
            actions.c.at,
            actions.c.request,
            actions.c.reason,
            actions.c.heard,
        )
        .where(actions.c.game == game, actions.c.seq > since)
        .order_by(actions.c.seq)
    )
    return [Stored(*row) for row in connection.execute(query)]


def open_engine(url: str) -> Engine:
    """A database from its address, set up for many small safe commits."""
    try:
        address = make_url(url)
        if address.drivername in ("postgresql", "postgres"):
            address = address.set(drivername="postgresql+psycopg")
        if address.get_backend_name() not in ("sqlite", "postgresql"):
            raise BadMessage(
                f"the database cannot be {address.drivername}; use sqlite or postgresql"
            )
        if address.get_backend_name() == "sqlite":
            return _sqlite(address)
        return sa.create_engine(
            address,
            pool_pre_ping=True,
            pool_size=8,
            connect_args={"connect_timeout": 5},
            hide_parameters=True,
        )
    except (ArgumentError, NoSuchModuleError):
        raise BadMessage(
            "the database address cannot be read; use sqlite:///file or postgresql://user@host/name"
        ) from None


def _sqlite(address: sa.URL) -> Engine:
    if address.database:
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)
        if address.database != ":memory:":
            # Seeds of running games are in it: nobody else on this machine may read it.
            os.close(os.open(address.database, os.O_RDWR | os.O_CREAT, 0o600))
    engine = sa.create_engine(
        address,
        connect_args={"timeout": 10, "check_same_thread": False},
        hide_parameters=True,
    )

    @sa.event.listens_for(engine, "connect")
    def configure(connection: Any, _: Any) -> None:
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "busy_timeout=10000",
            # A chore moves the log into the file every few seconds, so that no move waits for it.
            "wal_autocheckpoint=20000",
        ):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _identity(engine: Engine) -> tuple[int, int] | None:
    """Which file a SQLite database is in; None if there is none."""
    path = engine.url.database
    if engine.dialect.name != "sqlite" or not path or path == ":memory:":
        return None
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _lock_file(engine: Engine) -> int | None:
    """Keep a second server off the same SQLite file: it would not hear of the first one's moves."""
    path = engine.url.database
    if not path or path == ":memory:":
        return None
    try:
        import fcntl
    except ImportError:
        return None
    handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise BadMessage(
            f"another server uses {path}; stop it, or use PostgreSQL for several servers"
        ) from None
    return handle


def _row(line: Append) -> tuple[Any, ...]:
    return (
        line.game,
        line.seq,
        line.text,
        line.dice,
        line.by,
        line.at,
        line.request,
        line.reason,
        line.heard,
    )


def _after(line: Append) -> tuple[Any, ...]:
    return (
        line.seq,
        line.actor,
        line.at,
        line.status,
        line.result,
        line.deadline,
        line.game,
    )


def _plain(error: BaseException) -> str:
    """A database error without its SQL and values."""
    text = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return " ".join(text.split())[:200]


def copy_tables(source: Engine, target: Engine) -> int:
    """Copy every table into an empty database of either kind, as of one moment; count the rows."""
    upgrade(target)
    rows = 0
    with source.connect() as old, target.begin() as new:
        if source.dialect.name == "postgresql":
            old = old.execution_options(isolation_level="REPEATABLE READ")
        if new.execute(sa.select(sa.func.count()).select_from(games)).scalar_one():
            raise BadMessage("the target already holds games; give a new one")
        for table in metadata.sorted_tables:
            if table in (meta, snapshots):  # a cache need not be kept
                continue
            for batch in _batches(old.execute(sa.select(table)).mappings()):
                new.execute(sa.insert(table), batch)
                rows += len(batch)
    return rows


def _batches(found: Iterable[Any]) -> Iterable[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in found:
        batch.append(dict(row))
        if len(batch) == 500:
            yield batch
            batch = []
    if batch:
        yield batch


__all__ = ["SCHEMA_VERSION", "Append", "Conflict", "Store", "Stored", "Unsaved", "now"]
