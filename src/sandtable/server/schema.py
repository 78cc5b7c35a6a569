"""The tables, and how an older database becomes one of today.

Times are milliseconds since 1970. Secrets are kept as SHA-256 (tokens) or argon2 (passwords); the
seed of a running game is the only secret in the clear, because the dice need it.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from sandtable.kernel.errors import BadMessage

metadata = sa.MetaData()


def text(name: str, default: str | None = "") -> sa.Column[str]:
    """A column of text that is never null."""
    return sa.Column(name, sa.Text, nullable=False, server_default=default)


def whole(name: str) -> sa.Column[int]:
    """A column of whole numbers that is never null."""
    return sa.Column(name, sa.BigInteger, nullable=False, server_default="0")


meta = sa.Table("meta", metadata, sa.Column("key", sa.Text, primary_key=True), text("value"))

games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    whole("created"),
    text("title"),
    text("scenario"),
    text("options"),
    text("position"),
    text("seed"),
    text("words"),
    text("mode"),
    text("status"),
    text("clock"),
    text("data"),
    text("digest"),
    whole("version"),
    text("bids"),
    whole("seq"),
    text("actor"),
    whole("moved"),
    whole("deadline"),
    text("result"),
    text("rematch"),
    text("parent"),
    whole("begun"),
    whole("watch"),
    sa.Index("games_by_status", "status", "created"),
    sa.Index("games_by_deadline", "deadline"),
)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    text("name"),
    sa.Column("folded", sa.Text, nullable=False, unique=True),
    text("password"),
    whole("created"),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("side", sa.Text, primary_key=True),
    text("token"),
    text("kind"),
    text("level"),
    text("name"),
    sa.Column("account", sa.Text, sa.ForeignKey("accounts.id", ondelete="SET NULL")),
    whole("joined"),
    whole("seen"),
    whole("looked"),
    text("note"),
    sa.Index("seats_by_account", "account"),
)

actions = sa.Table(
    "actions",
    metadata,
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    text("text"),
    text("dice"),
    text("by"),
    whole("at"),
    text("request"),
    text("reason"),
    text("heard"),
    sqlite_with_rowid=False,
)

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    whole("seq"),
    text("stamp"),
    sa.Column("content", sa.LargeBinary, nullable=False),
)
"""A cache: where a long game stood some lines ago, so that it opens without playing them again."""

chat = sa.Table(
    "chat",
    metadata,
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("n", sa.BigInteger, primary_key=True, autoincrement=False),
    text("by"),
    text("name"),
    text("text"),
    whole("at"),
    text("request"),
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("token", sa.Text, nullable=False, unique=True),
    sa.Column("account", sa.Text, sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    whole("created"),
    whole("seen"),
    text("agent"),
    sa.Index("sessions_by_account", "account"),
)

addresses = sa.Table(
    "addresses",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, sa.ForeignKey("accounts.id", ondelete="CASCADE")),
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE")),
    text("side"),
    text("kind"),
    text("target"),
    text("token"),
    whole("confirmed"),
    sa.Index("addresses_by_account", "account"),
    sa.Index("addresses_by_game", "game"),
)

notices = sa.Table(
    "notices",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    text("side"),
    text("kind"),
    whole("seq"),
    whole("due"),
    whole("tries"),
    sa.UniqueConstraint("game", "side", "kind", "seq"),
    sa.Index("notices_by_due", "due"),
)


def _watchers_and_snapshots(connection: Connection) -> None:
    """2: games that anybody may watch; snapshots of long games."""
    blob = "BYTEA" if connection.dialect.name == "postgresql" else "BLOB"
    for statement in (
        "ALTER TABLE games ADD COLUMN watch BIGINT DEFAULT '0' NOT NULL",
        f"""CREATE TABLE snapshots (
            game TEXT NOT NULL,
            seq BIGINT DEFAULT '0' NOT NULL,
            stamp TEXT DEFAULT '' NOT NULL,
            content {blob} NOT NULL,
            PRIMARY KEY (game),
            FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE)""",
    ):
        connection.exec_driver_sql(statement)


def _reasons(connection: Connection) -> None:
    """3: why an opponent played a line."""
    connection.exec_driver_sql("ALTER TABLE actions ADD COLUMN reason TEXT DEFAULT '' NOT NULL")


def _heard(connection: Connection) -> None:
    """4: what the other side may read of such a reason before the end."""
    connection.exec_driver_sql("ALTER TABLE actions ADD COLUMN heard TEXT DEFAULT '' NOT NULL")


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_watchers_and_snapshots, _reasons, _heard)
"""Step n brings a database from version n + 1 to n + 2. Once released, a step never changes."""

SCHEMA_VERSION = 1 + len(MIGRATIONS)
ADVISORY_LOCK = 0x5A4D


def upgrade(engine: Engine) -> None:
    """Bring the database to today's version, all or nothing; several servers may start at once."""
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY_LOCK)))
        else:
            # Python's driver begins a transaction only before rows change, not before tables do.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        meta.create(connection, checkfirst=True)
        found = connection.execute(
            sa.select(meta.c.value).where(meta.c.key == "schema")
        ).scalar_one_or_none()
        version = int(found or 0)
        if version > SCHEMA_VERSION:
            raise BadMessage(
                f"the database has schema {version}, this release knows {SCHEMA_VERSION}; "
                "use a newer release"
            )
        if found is None:
            metadata.create_all(connection)
            # Written by whoever asks after the server's health, to see that writing works.
            connection.execute(sa.insert(meta).values(key="health", value=""))
            connection.execute(sa.insert(meta).values(key="schema", value=str(SCHEMA_VERSION)))
            return
        for migrate in MIGRATIONS[version - 1 :]:
            migrate(connection)
        if version < SCHEMA_VERSION:
            connection.execute(
                sa.update(meta).where(meta.c.key == "schema").values(value=str(SCHEMA_VERSION))
            )
