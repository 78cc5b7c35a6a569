"""Lists of games: the lobby, and one's own with what happened since one last looked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from sandtable.kernel.events import Side
from sandtable.server import models, schema, wire
from sandtable.server.desk import BOTH
from sandtable.server.models import OVER, PLAYING, WAITING
from sandtable.server.rooms import Room, Rooms
from sandtable.server.store import now

MOST = 100
NEWS = 20


class Lists:
    """What is going on."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms, self.store = rooms, rooms.store

    async def lobby(self) -> list[dict[str, Any]]:
        """Open games that wait for a player."""
        games = schema.games
        return await self._newest(games.c.status == WAITING, games.c.mode == "open")

    async def watchable(self) -> list[dict[str, Any]]:
        """Running games whose creators let anybody watch, the liveliest first."""
        games = schema.games
        found = await self._newest(games.c.status == PLAYING, games.c.watch == 1)
        return sorted(found, key=lambda each: each["moved"], reverse=True)

    async def _newest(self, *where: sa.ColumnElement[bool]) -> list[dict[str, Any]]:
        games = schema.games

        def work(connection: Connection) -> list[dict[str, Any]]:
            query = sa.select(games).where(*where).order_by(games.c.created.desc()).limit(MOST)
            return [
                self._summary(row, models.read_seats(connection, row["id"]))
                for row in connection.execute(query).mappings()
            ]

        return await self.store.read(work)

    async def mine(self, account: str | None, given: Sequence[wire.Claim]) -> list[dict[str, Any]]:
        """The games of an account and of some seats, those that wait for you first."""
        tokens = {claim.game: claim.seat for claim in given}

        def work(connection: Connection) -> list[dict[str, Any]]:
            seats, games = schema.seats, schema.games
            wanted = set(tokens)
            if account is not None:
                query = (
                    sa.select(seats.c.game)
                    .join(games, games.c.id == seats.c.game)
                    .where(seats.c.account == account)
                    .order_by(games.c.moved.desc())
                    .limit(MOST)
                )
                wanted |= {row[0] for row in connection.execute(query)}
            found = []
            rows = connection.execute(sa.select(games).where(games.c.id.in_(wanted)))
            for row in rows.mappings():
                held = models.read_seats(connection, row["id"])
                token = tokens.get(row["id"], "")
                sides = [
                    side
                    for side, seat in held.items()
                    if (token and seat.opens_with(token))
                    or (account is not None and seat.account == account)
                ]
                if sides:
                    looked = max(held[side].looked for side in sides)
                    found.append(
                        self._summary(row, held)
                        | {"sides": sides, "new": max(0, row["seq"] - looked), "looked": looked}
                    )
            return found

        found = await self.store.read(work)
        for each in found:
            each["your_turn"] = each["status"] == "playing" and each["actor"] in each["sides"]
            each["news"] = []
            if each["new"] and each["status"] != WAITING:
                room = await self.rooms.get(each["game"])
                eye = each["sides"][0] if len(each["sides"]) == 1 else BOTH
                each["news"] = room.desk.log(eye, each["looked"])[-NEWS:]
        found.sort(key=lambda each: (each["status"] == OVER, not each["your_turn"], -each["moved"]))
        return found

    @staticmethod
    def _summary(row: Any, seats: dict[Side, models.SeatRow]) -> dict[str, Any]:
        game = models.game_row(row)
        return {
            "game": game.id,
            "title": game.title,
            "scenario": game.scenario,
            "options": game.options,
            "mode": game.mode,
            "status": game.status,
            "players": {
                side: {
                    "name": seat.name,
                    "kind": seat.kind,
                    "level": seat.level,
                    "joined": bool(seat.joined),
                }
                for side, seat in seats.items()
            },
            "free": [side for side, seat in seats.items() if not seat.joined and not seat.token],
            "bidding": bool(game.bids),
            "seq": game.seq,
            "actor": game.actor or None,
            "created": game.created,
            "moved": game.moved,
            "now": now(),
            "deadline": game.deadline or None,
            "clock": game.clock,
            "watch": bool(game.watch),
            "result": game.result,
            "rematch": game.rematch or None,
        }

    async def rotate(
        self, room: Room, sides: tuple[Side, ...], account: str | None
    ) -> dict[str, Any]:
        """A new secret for seats, so that nobody else opens them: not who made the link, nor an
        account that claimed the seat before, nor a connection that is open already."""
        token = models.new_token()
        kept = models.fingerprint(token)

        def work(connection: Connection) -> None:
            for side in sides:
                models.update_seat(connection, room.id, side, token=kept, account=account)
            self.store.notify(connection, f"begun {room.id}:0")

        await self.store.write(work)
        for side in sides:
            room.seats[side].token, room.seats[side].account = kept, account
        room.reseat()
        return {"game": room.id, "seats": dict.fromkeys(sides, token)}
