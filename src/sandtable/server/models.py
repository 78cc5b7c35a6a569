"""Games and seats as they are kept, and how they are read and written."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.engine import Connection

from sandtable.kernel.events import Side
from sandtable.kernel.game import OptionValue
from sandtable.server import schema
from sandtable.server.wire import ClockWish

WAITING, PLAYING, OVER = "waiting", "playing", "over"


class GameRow(Struct, kw_only=True):
    """A row of `games`, with its JSON columns read."""

    id: str
    created: int
    title: str
    scenario: str
    options: dict[str, OptionValue]
    position: str
    seed: str
    words: list[str]
    mode: str
    status: str
    clock: ClockWish | None
    data: str
    digest: str
    version: int
    bids: dict[Side, int]
    seq: int
    actor: str
    moved: int
    deadline: int
    result: str
    rematch: str
    parent: str
    begun: int
    watch: int = 0
    """1 if the game is listed for anybody to watch."""


class SeatRow(Struct, kw_only=True):
    """A row of `seats`."""

    game: str
    side: Side
    token: str
    kind: str
    level: str
    name: str
    account: str | None
    joined: int
    seen: int
    looked: int
    note: str

    def opens_with(self, token: str) -> bool:
        """Whether this token is the seat's, in constant time."""
        return bool(self.token) and hmac.compare_digest(self.token, fingerprint(token))


# msgspec works out a type at its first use, which must not happen in two threads at once (it
# crashes). Rows are read in several, so their types are worked out here.
for _type in (GameRow, SeatRow):
    msgspec.json.Decoder(_type)

JSON_COLUMNS = ("options", "words", "clock", "bids")


def fingerprint(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """A secret nobody can guess."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """A short public name."""
    return secrets.token_urlsafe(9).replace("-", "a").replace("_", "b")


def read_game(connection: Connection, game: str) -> GameRow | None:
    """A game by its id."""
    row = (
        connection.execute(sa.select(schema.games).where(schema.games.c.id == game))
        .mappings()
        .one_or_none()
    )
    return None if row is None else game_row(row)


def game_row(row: Any) -> GameRow:
    """A row of the table as a value."""
    fields = {str(name): value for name, value in row.items()}
    for name in JSON_COLUMNS:
        fields[name] = msgspec.json.decode(fields[name])
    return msgspec.convert(fields, GameRow)


def read_seats(connection: Connection, game: str) -> dict[Side, SeatRow]:
    """The seats of a game by side."""
    found = connection.execute(sa.select(schema.seats).where(schema.seats.c.game == game))
    rows = [
        msgspec.convert({str(name): value for name, value in row.items()}, SeatRow)
        for row in found.mappings()
    ]
    return {row.side: row for row in rows}


def insert_game(connection: Connection, game: GameRow, seats: list[SeatRow]) -> None:
    """Keep a new game and its seats."""
    fields = msgspec.structs.asdict(game)
    for name in JSON_COLUMNS:
        fields[name] = msgspec.json.encode(fields[name]).decode()
    connection.execute(sa.insert(schema.games).values(fields))
    connection.execute(sa.insert(schema.seats), [msgspec.structs.asdict(seat) for seat in seats])


def update_game(connection: Connection, game: str, **fields: Any) -> None:
    """Change columns of a game."""
    values = {
        name: msgspec.json.encode(value).decode() if name in JSON_COLUMNS else value
        for name, value in fields.items()
    }
    connection.execute(sa.update(schema.games).where(schema.games.c.id == game).values(values))


def update_seat(connection: Connection, game: str, side: Side, **fields: Any) -> None:
    """Change columns of a seat."""
    where = (schema.seats.c.game == game) & (schema.seats.c.side == side)
    connection.execute(sa.update(schema.seats).where(where).values(fields))


def read_chat(connection: Connection, game: str, since: int = 0) -> list[dict[str, Any]]:
    """The last things said at a table."""
    chat = schema.chat
    query = (
        sa.select(chat.c.n, chat.c.by, chat.c.name, chat.c.text, chat.c.at)
        .where(chat.c.game == game, chat.c.n > since)
        .order_by(chat.c.n.desc())
        .limit(200)
    )
    return [
        {str(name): value for name, value in row.items()}
        for row in connection.execute(query).mappings()
    ][::-1]
