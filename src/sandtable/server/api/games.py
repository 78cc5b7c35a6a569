"""Games: new ones, lists, and what is known of one."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from sandtable.kernel.dice import commitment
from sandtable.kernel.errors import BadMessage
from sandtable.server import art, guard, wire
from sandtable.server.api.asking import GAME, Ask, Endpoint, Part
from sandtable.server.desk import BOTH, Eye
from sandtable.server.games import Created, Games
from sandtable.server.lists import Lists
from sandtable.server.models import WAITING
from sandtable.server.rooms import Room
from sandtable.server.store import now


class Tables(Part):
    """Everything about games but the play itself."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.games, self.lists = Games(self.rooms), Lists(self.rooms)

    async def create(self, ask: Ask) -> Any:
        """A new game."""
        return self._created(ask, await self.games.create(ask.body, ask.account, ask.name))

    async def upload(self, ask: Ask) -> Any:
        """A new game that goes on from a record."""
        return self._created(ask, await self.games.upload(ask.body, ask.account, ask.name))

    async def join(self, ask: Ask) -> Any:
        """Take a seat before the start."""
        game = ask.path["game"]
        await self.rooms.get(game)
        return self._created(ask, await self.games.join(game, ask.body, ask.account, ask.name))

    async def branch(self, ask: Ask) -> Any:
        """A sandbox from a point of a game."""
        room, _, eye = await self.seat(ask, ask.body.seat)
        made = await self.games.branch(room, eye, ask.body, ask.account, ask.name)
        return self._created(ask, made)

    def _created(self, ask: Ask, made: Created) -> dict[str, Any]:
        base = self.base(ask)
        return {
            "game": made.game,
            "seats": made.seats,
            "links": {
                side: f"{base}/#/game/{made.game}?seat={token}"
                for side, token in made.seats.items()
            },
            "hash": made.hash,
            "status": made.status,
        }

    async def games_list(self, ask: Ask) -> Any:
        """The lobby, the games to watch, or the signed-in visitor's games."""
        if "mine" in ask.query:
            if ask.account is None:
                raise guard.Forbidden("sign in to see your games")
            return await self.lists.mine(ask.account, [])
        return await (self.lists.watchable() if "watch" in ask.query else self.lists.lobby())

    async def games_mine(self, ask: Ask) -> Any:
        """The games of the signed-in visitor and of the seats given."""
        return await self.lists.mine(ask.account, ask.body.seats)

    async def header(self, ask: Ask) -> Any:
        """What everybody may know of a game."""
        room, _, eye = await self.seat(ask)
        return header(room, eye)

    async def record(self, ask: Ask) -> Any:
        """The record as a text file; the seed is in it when the game is over."""
        room, _, eye = await self.seat(ask)
        if room.row.status == WAITING:
            raise BadMessage("the game has not begun")
        record = room.desk.record(eye)
        if "seed" in ask.query and room.row.mode == "hotseat" and eye == BOTH:
            record = room.desk.table.record(reveal=True)
        name = f"{room.row.title}-{room.id}.sand"
        disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(record.print(), media_type="text/plain; charset=utf-8", headers=disposition)

    async def verify(self, ask: Ask) -> Any:
        """Replay a finished game and say whether every die is as it was promised."""
        room = await self.rooms.get(ask.path["game"])
        if room.desk.game.outcome is None:
            return {
                "over": False,
                "ok": None,
                "hash": commitment(room.row.seed),
                "text": "The seed is shown when the game is over; this hash promises it.",
            }
        record = room.desk.table.record()
        try:
            text, fine = await self.rooms.workers.check(record.print()), True
        except BadMessage as error:
            text, fine = str(error), False
        return {"over": True, "ok": fine, "hash": record.hash, "seed": record.seed, "text": text}

    async def report(self, ask: Ask) -> Any:
        """Luck by roll and losses by turn of a finished game."""
        room = await self.rooms.get(ask.path["game"])
        if room.desk.game.outcome is None:
            raise BadMessage("the report is made when the game is over")
        found = await self.rooms.workers.report(room.desk.table.record().print())
        for point in found["luck"]:
            point["seq"] = room.desk.alive[point["seq"] - 1]
        return found

    async def history(self, ask: Ask) -> Any:
        """What the seat saw after a line."""
        room, _, eye = await self.seat(ask)
        at = wire.number(ask.query, "at")
        desk = room.desk
        at = desk.seq if at is None else min(at, desk.seq)
        game = await self.games.game_at(room, at)
        who = (game.actor or desk.title.sides[0]) if eye == BOTH else eye
        return {
            "at": at,
            "seq": desk.seq,
            "you": eye,
            "view": art.with_keys([game.view(who)], desk.title.id)[0],
            "log": [entry for entry in desk.log(eye) if entry["seq"] <= at],
            "outcome": game.outcome,
        }

    async def rotate(self, ask: Ask) -> Any:
        """Give the seat a new secret; the old link no longer opens it."""
        room, sides, _ = await self.seat(ask)
        if not sides:
            raise guard.Forbidden("only a seat can change its secret")
        return await self.lists.rotate(room, sides, ask.account)


def header(room: Room, eye: Eye) -> dict[str, Any]:
    """What everybody may know of a game, and who the visitor is in it."""
    row, desk = room.row, room.desk
    return {
        "game": row.id,
        "title": row.title,
        "scenario": row.scenario,
        "options": row.options,
        "mode": row.mode,
        "status": row.status,
        "you": eye,
        "players": room.players(),
        "seq": desk.seq,
        "actor": desk.game.actor if row.status != WAITING else None,
        "created": row.created,
        "begun": row.begun,
        "moved": row.moved,
        "now": now(),
        "result": row.result,
        "outcome": desk.game.outcome,
        "hash": commitment(row.seed),
        "words": row.words if row.status != WAITING else [],
        "bids": row.bids if row.status != WAITING else {},
        "bidding": bool(row.bids),
        "clock": row.clock,
        "watch": bool(row.watch),
        "clocks": desk.clock.show(now()) if desk.clock else None,
        "rematch": row.rematch or None,
        "parent": row.parent or None,
        "data": row.data,
        "rules": row.version,
    }


ENDPOINTS = (
    Endpoint("POST", "/api/games", "create", "A new game.", body=wire.NewGame, limit="create"),
    Endpoint(
        "GET",
        "/api/games",
        "games_list",
        "The lobby, games to watch, or your games.",
        query=("lobby", "mine", "watch"),
        limit="search",
    ),
    Endpoint(
        "POST",
        "/api/games/mine",
        "games_mine",
        "Your games, by account and seats.",
        body=wire.Mine,
        limit="search",
    ),
    Endpoint(
        "POST",
        "/api/games/upload",
        "upload",
        "Go on from a .sand record.",
        body=str,
        limit="upload",
    ),
    Endpoint("GET", GAME, "header", "What is known of a game.", seat=True),
    Endpoint("POST", f"{GAME}/join", "join", "Take a seat.", body=wire.Join, limit="create"),
    Endpoint(
        "GET",
        f"{GAME}/record",
        "record",
        "The record.",
        query=("seed",),
        returns="text/plain",
        seat=True,
    ),
    Endpoint(
        "GET", f"{GAME}/verify", "verify", "Check every die of a finished game.", limit="search"
    ),
    Endpoint(
        "GET", f"{GAME}/report", "report", "Luck and losses of a finished game.", limit="search"
    ),
    Endpoint(
        "GET",
        f"{GAME}/history",
        "history",
        "The game after a line.",
        query=("at",),
        seat=True,
        limit="history",
    ),
    Endpoint(
        "POST",
        f"{GAME}/branch",
        "branch",
        "A sandbox.",
        body=wire.Branch,
        limit="create",
        seat=True,
    ),
    Endpoint("POST", f"{GAME}/rotate", "rotate", "A new secret for the seat.", seat=True),
)
