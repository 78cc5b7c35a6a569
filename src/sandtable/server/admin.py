"""What whoever runs a server needs: lists, backups, exports, deletion, figures."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from sandtable.kernel.errors import BadMessage
from sandtable.server import models, schema
from sandtable.server.desk import BOTH, rebuild
from sandtable.server.models import WAITING
from sandtable.server.store import Store, copy_tables, lines_of, open_engine

if TYPE_CHECKING:
    from sandtable.server.app import Server


def games(store: Store, status: str = "") -> list[dict[str, Any]]:
    """Every game, newest first."""
    table = schema.games
    query = sa.select(
        table.c.id,
        table.c.title,
        table.c.scenario,
        table.c.mode,
        table.c.status,
        table.c.seq,
        table.c.actor,
        table.c.created,
        table.c.moved,
        table.c.result,
    ).order_by(table.c.created.desc())
    if status:
        query = query.where(table.c.status == status)
    return store.query(lambda db: [dict(row) for row in db.execute(query).mappings()])


def delete(store: Store, game: str) -> None:
    """Delete a game with everything that belongs to it."""

    def work(db: Connection) -> int:
        gone = db.execute(sa.delete(schema.games).where(schema.games.c.id == game)).rowcount
        store.notify(db, f"lines {game}:{2**53}")
        return int(gone)

    if not store.change(work):
        raise BadMessage(f"there is no game {game!r}; see `sandtable admin list`")


def backup(store: Store, target: Path) -> int:
    """Copy everything into a SQLite file that can itself be served; the number of rows."""
    if target.exists():
        raise BadMessage(f"{target} exists; give a new file name")
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    engine = open_engine(f"sqlite:///{partial}")
    try:
        rows = copy_tables(store.engine, engine)
        with engine.connect() as connection:
            # One plain file, complete when it gets its name.
            connection.exec_driver_sql("PRAGMA journal_mode=DELETE")
    finally:
        engine.dispose()
    partial.rename(target)
    return rows


def restore(source: Path, store: Store) -> int:
    """Copy a backup into an empty database of either kind; the number of rows."""
    if not source.is_file():
        raise BadMessage(f"there is no backup at {source}")
    engine = open_engine(f"sqlite:///{source}")
    try:
        return copy_tables(engine, store.engine)
    except sa.exc.DatabaseError as error:
        raise BadMessage(f"{source} cannot be restored: {error.orig}") from None
    finally:
        engine.dispose()


def records(store: Store, packs: str = "") -> Iterator[tuple[str, str]]:
    """The name and text of every game's record; running games without their seed."""
    for row in games(store):
        if row["status"] == WAITING:
            continue

        def read(db: Connection, id: str = row["id"]) -> Any:
            return models.read_game(db, id), models.read_seats(db, id), lines_of(db, id)

        game, seats, lines = store.query(read)
        names = {side: seat.name for side, seat in seats.items() if seat.name}
        desk = rebuild(game, names, lines, packs)
        yield f"{game.title}-{game.id}.sand", desk.record(BOTH).print()


def export(store: Store, target: Path, packs: str = "") -> int:
    """Write all records into a new zip file; how many."""
    if target.exists():
        raise BadMessage(f"{target} exists; give a new file name")
    count = 0
    with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as archive:
        for name, text in records(store, packs):
            archive.writestr(name, text)
            count += 1
    return count


def metrics_text(server: Server) -> str:
    """Every counter in the text form of Prometheus."""
    metrics, store, rooms = server.metrics, server.store, server.rooms
    rows: list[tuple[str, str, str, float]] = [
        ("actions_total", "counter", "Lines of play kept.", metrics.actions),
        ("actions_unsaved_total", "counter", "Lines that could not be kept.", metrics.unsaved),
        ("commits_total", "counter", "Database transactions.", store.commits),
        ("commit_seconds_total", "counter", "Time in transactions.", store.commit_seconds),
        ("rooms", "gauge", "Games in memory.", len(rooms.rooms)),
        ("rooms_rebuilt_total", "counter", "Games rebuilt from their lines.", metrics.rebuilt),
        ("websockets", "gauge", "Open websockets.", metrics.websockets),
        ("opponents_thinking", "gauge", "Opponents at work.", server.workers.thinking),
        ("worker_deaths_total", "counter", "Worker processes lost.", server.workers.deaths),
        ("refused_total", "counter", "Messages refused.", metrics.refused),
        ("failures_total", "counter", "Mistakes of the server.", metrics.failures),
        ("games_created_total", "counter", "Games made.", metrics.created),
        ("notices_total", "counter", "Notices sent.", metrics.notices),
        ("notices_failed_total", "counter", "Notices that failed.", metrics.notices_failed),
        ("database_failing", "gauge", "1 while nothing can be saved.", bool(store.failing)),
    ]
    lines = []
    for name, kind, text, value in rows:
        lines += [f"# HELP sandtable_{name} {text}", f"# TYPE sandtable_{name} {kind}"]
        lines.append(f"sandtable_{name} {value if value % 1 else int(value)}")
    lines += ["# HELP sandtable_http_total HTTP answers.", "# TYPE sandtable_http_total counter"]
    for status, count in sorted(metrics.requests.items()):
        lines.append(f'sandtable_http_total{{status="{status}"}} {count}')
    return "\n".join(lines) + "\n"
