"""The HTTP interface: one table of endpoints, which is also the OpenAPI description."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

import sandtable
from sandtable.kernel.dice import commitment
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.players import LEVELS
from sandtable.server import art, guard, wire
from sandtable.server.accounts import Accounts, Visitor
from sandtable.server.desk import BOTH, Eye
from sandtable.server.games import Created, Games
from sandtable.server.lists import Lists
from sandtable.server.live import request_of
from sandtable.server.models import WAITING
from sandtable.server.notices import Notices
from sandtable.server.rooms import NotFound, Room, Rooms, eye_of
from sandtable.server.settings import Settings
from sandtable.server.store import now

IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
REVALIDATE = {"Cache-Control": "no-cache"}


class Ask:
    """One request with its parsed body and its visitor."""

    def __init__(self, request: Request, body: Any, visitor: Visitor | None) -> None:
        self.request, self.body, self.visitor = request, body, visitor
        self.query = request.query_params
        self.path = request.path_params

    @property
    def token(self) -> str:
        """The seat's token, from the header or the query."""
        header = self.request.headers.get("authorization", "")
        if header.lower().startswith("bearer "):
            return header[7:].strip()[:100]
        return self.query.get("seat", "")[:100]

    @property
    def account(self) -> str | None:
        """The signed-in account's id."""
        return self.visitor.account if self.visitor else None

    @property
    def name(self) -> str:
        """The signed-in account's name."""
        return self.visitor.name if self.visitor else ""


class Endpoint(Struct, frozen=True):
    """One way to ask: for the router, the guard and the description."""

    method: str
    path: str
    name: str
    text: str
    body: Any = None
    """The type of the JSON body; `str` for a text body; None for none."""
    query: tuple[str, ...] = ()
    limit: str = "any"
    returns: str = "application/json"
    seat: bool = False
    """Whether a seat's token may be given."""


class Api:
    """The endpoints; each method is named by the table below."""

    def __init__(
        self,
        settings: Settings,
        rooms: Rooms,
        accounts: Accounts,
        notices: Notices,
        limits: guard.Limits,
    ) -> None:
        self.settings, self.rooms, self.accounts = settings, rooms, accounts
        self.notices, self.limits = notices, limits
        self.games = Games(rooms)
        self.lists = Lists(rooms)

    def handler(self, name: str) -> Callable[[Ask], Awaitable[Any]]:
        """The method behind an endpoint."""
        found: Callable[[Ask], Awaitable[Any]] = getattr(self, name)
        return found

    # Titles and pictures.

    async def titles(self, ask: Ask) -> Any:
        """Every title with what can be chosen."""
        return [
            {
                "id": title.id,
                "name": title.name,
                "sides": title.sides,
                "side_names": dict(title.side_names),
                "scenarios": title.scenarios,
                "options": title.options,
                "interrupts": title.interrupts,
                "credits": title.credits,
                "version": title.version,
                "bids": any(option.id == "bid" for option in title.options),
                "levels": list(LEVELS),
                "packs": self.games.pack_names(),
            }
            for title in map(sandtable.title, sandtable.titles())
        ]

    def _title(self, ask: Ask) -> str:
        name = ask.path["title"]
        if name not in sandtable.titles():
            raise NotFound(f"no title is called {name!r}")
        return str(name)

    async def board(self, ask: Ask) -> Any:
        """What the page must know of the map."""
        return cached(ask, await asyncio.to_thread(art.board, self._title(ask)), "application/json")

    async def board_svg(self, ask: Ask) -> Any:
        """The map, drawn."""
        theme = wire.choice(ask.query, "theme", ("day", "night"))
        drawn = await asyncio.to_thread(art.board_svg, self._title(ask), theme)
        return cached(ask, drawn.encode(), "image/svg+xml")

    async def relief(self, ask: Ask) -> Any:
        """The shaded relief below the map."""
        theme = wire.choice(ask.query, "theme", ("day", "night"))
        found = await asyncio.to_thread(art.relief, self._title(ask), theme)
        if found is None:
            raise NotFound("this map has no relief")
        return cached(ask, found, "image/webp")

    async def rules(self, ask: Ask) -> Any:
        """Every numbered rule in our own words."""
        book = sandtable.title(self._title(ask)).rules
        rows = [
            {"number": each.number, "heading": each.heading, "text": each.text} for each in book
        ]
        return cached(ask, wire.encode(rows), "application/json")

    async def art_one(self, ask: Ask) -> Any:
        """The picture of a counter."""
        drawn = art.counter(self._title(ask), ask.path["key"].removesuffix(".svg"))
        if drawn is None:
            raise NotFound("no counter of that look was shown lately; load the game again")
        return Response(drawn, media_type="image/svg+xml", headers=IMMUTABLE)

    async def art_many(self, ask: Ask) -> Any:
        """Pictures of many counters at once."""
        title = self._title(ask)
        if ask.body.game is not None and not all(art.known(title, key) for key in ask.body.keys):
            # Another server process showed these counters: look at the game from here.
            room = await self.rooms.get(ask.body.game)
            room.desk.view(eye_of(self.sides(room, ask.body.seat, ask.visitor)))
        drawn = {key: art.counter(title, key) for key in ask.body.keys}
        return {key: svg for key, svg in drawn.items() if svg is not None}

    # Games.

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
        base = self.settings.origin or str(ask.request.base_url).rstrip("/")
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

    async def seat(self, ask: Ask, token: str = "") -> tuple[Room, tuple[Side, ...], Eye]:
        """The game asked about, and the sides the visitor may play there."""
        room = await self.rooms.get(ask.path["game"])
        sides = self.sides(room, token or ask.token, ask.visitor)
        return room, sides, eye_of(sides)

    @staticmethod
    def sides(room: Room, token: str, visitor: Visitor | None) -> tuple[Side, ...]:
        """The sides that a token opens, or else that the account has claimed."""
        if token:
            sides = room.sides_of(token)
            if not sides:
                raise guard.Forbidden("the seat's secret does not fit this game; check the link")
            return sides
        if visitor is None:
            return ()
        return tuple(side for side, seat in room.seats.items() if seat.account == visitor.account)

    async def games_list(self, ask: Ask) -> Any:
        """The lobby, or the signed-in visitor's games."""
        if "mine" in ask.query:
            if ask.account is None:
                raise guard.Forbidden("sign in to see your games")
            return await self.lists.mine(ask.account, [])
        return await self.lists.lobby()

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
        if "seed" in ask.query and eye == BOTH:
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
            "view": art.with_keys(game.view(who), desk.title.id),
            "log": [entry for entry in desk.log(eye) if entry["seq"] <= at],
            "outcome": game.outcome,
        }

    async def rotate(self, ask: Ask) -> Any:
        """Give the seat a new secret; the old link no longer opens it."""
        room, sides, _ = await self.seat(ask)
        if not sides:
            raise guard.Forbidden("only a seat can change its secret")
        return await self.lists.rotate(room, sides)

    # Bots.

    async def state(self, ask: Ask) -> Any:
        """Everything the seat sees now, as on the websocket."""
        room, sides, eye = await self.seat(ask)
        async with room.lock:
            raw = room.state(eye, sides, wire.number(ask.query, "since"))
        return Response(raw, media_type="application/json")

    async def play(self, ask: Ask) -> Any:
        """Play an action for the seat whose token is given."""
        room, sides, _ = await self.seat(ask)
        if not sides:
            raise guard.Forbidden("give the seat's token as `Authorization: Bearer ...`")
        actor = room.desk.game.actor
        side = actor if actor in sides else sides[0]
        request = request_of(sides, ask.body.id)
        known = room.requests.get(request)
        if known is None:
            known = await self.rooms.play(
                room,
                wire.action(ask.body.action),
                side,
                request=request,
                seq=ask.body.seq,
            )
        return {"seq": known, "actor": room.desk.game.actor, "over": bool(room.desk.game.outcome)}

    async def stream(self, ask: Ask) -> Any:
        """State, then every update, one JSON object a line."""
        room, sides, eye = await self.seat(ask)
        listener = LineListener(eye, sides)
        async with room.lock:
            room.listeners.add(listener)
            listener.send(room.state(eye, sides, wire.number(ask.query, "since")))
        return StreamingResponse(
            listener.lines(room),
            media_type="application/x-ndjson",
            headers={"X-Accel-Buffering": "no"},
        )

    # Accounts.

    async def register(self, ask: Ask) -> Any:
        """A new account, signed in at once."""
        return await self.accounts.register(ask.request, ask.body)

    async def login(self, ask: Ask) -> Any:
        """Sign in."""
        self.limits.check("sign-in", f"name {ask.body.name.casefold()}")
        return await self.accounts.login(ask.request, ask.body)

    async def logout(self, ask: Ask) -> Any:
        """Sign out here."""
        return await self.accounts.logout(ask.visitor)

    async def account(self, ask: Ask) -> Any:
        """Who is signed in."""
        return {"account": None if ask.visitor is None else {"name": ask.visitor.name}}

    async def sessions(self, ask: Ask) -> Any:
        """Where the account is signed in."""
        return await self.accounts.sessions(ask.visitor)

    async def revoke(self, ask: Ask) -> Any:
        """Sign out one session, or all others."""
        return await self.accounts.revoke(ask.visitor, ask.body.session)

    async def claim(self, ask: Ask) -> Any:
        """Tie a guest's seat to the account."""
        room = await self.rooms.get(ask.body.game)
        sides = room.sides_of(ask.body.seat)
        if not sides:
            raise guard.Forbidden("the seat's secret does not fit this game; check the link")
        return await self.accounts.claim(ask.visitor, room, sides)

    # Notices.

    async def notices_list(self, ask: Ask) -> Any:
        """Where the visitor is told that it is their turn."""
        return await self.notices.addresses(ask.account, None, ())

    async def notices_add(self, ask: Ask) -> Any:
        """Add an e-mail address or a webhook."""
        room, sides = await self._notice_seat(ask)
        return await self.notices.add(ask.account, room, sides, ask.body, self._base(ask))

    async def notices_remove(self, ask: Ask) -> Any:
        """Remove an address."""
        room, sides = await self._notice_seat(ask)
        return await self.notices.remove(ask.account, room, sides, ask.body.id)

    async def notices_confirm(self, ask: Ask) -> Any:
        """Confirm an e-mail address by the link that was sent to it."""
        return await self.notices.confirm(ask.query.get("token", "")[:100])

    def _base(self, ask: Ask) -> str:
        return self.settings.origin or str(ask.request.base_url).rstrip("/")

    async def _notice_seat(self, ask: Ask) -> tuple[Room | None, tuple[Side, ...]]:
        if ask.body.game is None:
            if ask.account is None:
                raise guard.Forbidden("sign in, or give a game and its seat")
            return None, ()
        room = await self.rooms.get(ask.body.game)
        sides = self.sides(room, ask.body.seat, ask.visitor)
        if not sides:
            raise guard.Forbidden("give the seat's secret")
        return room, sides

    async def openapi(self, ask: Ask) -> Any:
        """This description."""
        from sandtable.server.openapi import describe

        return describe(ENDPOINTS)


class LineListener:
    """A bot that reads lines instead of websocket messages."""

    def __init__(self, eye: Eye, sides: tuple[Side, ...]) -> None:
        self.eye, self.sides = eye, sides
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(1000)

    def send(self, message: bytes) -> None:
        """Queue a line; a reader that cannot keep up is cut off and may come back."""
        try:
            self._queue.put_nowait(message)
        except asyncio.QueueFull:
            while not self._queue.empty():
                self._queue.get_nowait()
            self._queue.put_nowait(None)

    async def lines(self, room: Room) -> AsyncIterator[bytes]:
        """Everything that comes, and an empty line now and then to keep the connection."""
        try:
            while True:
                try:
                    message = await asyncio.wait_for(self._queue.get(), 20)
                except TimeoutError:
                    yield b"\n"
                    continue
                if message is None:
                    return
                yield message + b"\n"
        finally:
            room.listeners.discard(self)


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
        "clocks": desk.clock.show(now()) if desk.clock else None,
        "rematch": row.rematch or None,
        "parent": row.parent or None,
        "data": row.data,
        "rules": row.version,
    }


def cached(ask: Ask, content: bytes, kind: str) -> Response:
    """Content that changes only with a release: the browser asks whether it is still the same."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Vary": "Accept-Encoding"}
    headers |= IMMUTABLE if ask.query.get("v") else REVALIDATE
    if tag in ask.request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if kind != "image/webp" and "gzip" in ask.request.headers.get("accept-encoding", ""):
        return Response(
            packed(content), media_type=kind, headers=headers | {"Content-Encoding": "gzip"}
        )
    return Response(content, media_type=kind, headers=headers)


@lru_cache(maxsize=64)
def packed(content: bytes) -> bytes:
    """Content compressed, once for each release."""
    return gzip.compress(content, 9, mtime=0)


GAME = "/api/games/{game}"
TITLE = "/api/titles/{title}"
ENDPOINTS = (
    Endpoint("GET", "/api/titles", "titles", "Every title with what can be chosen."),
    Endpoint("GET", f"{TITLE}/board", "board", "What the page must know of the map."),
    Endpoint(
        "GET",
        f"{TITLE}/board.svg",
        "board_svg",
        "The map.",
        query=("theme",),
        returns="image/svg+xml",
    ),
    Endpoint(
        "GET",
        f"{TITLE}/relief.webp",
        "relief",
        "The relief.",
        query=("theme",),
        returns="image/webp",
    ),
    Endpoint("GET", f"{TITLE}/rules", "rules", "Every rule in our own words."),
    Endpoint("GET", "/api/art/{title}/{key}", "art_one", "One counter.", returns="image/svg+xml"),
    Endpoint("POST", "/api/art/{title}", "art_many", "Many counters.", body=wire.Keys),
    Endpoint("POST", "/api/games", "create", "A new game.", body=wire.NewGame, limit="create"),
    Endpoint(
        "GET",
        "/api/games",
        "games_list",
        "The lobby, or your games.",
        query=("lobby", "mine"),
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
        "GET", f"{GAME}/history", "history", "The game after a line.", query=("at",), seat=True
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
    Endpoint("GET", f"{GAME}/state", "state", "All the seat sees.", query=("since",), seat=True),
    Endpoint("POST", f"{GAME}/play", "play", "Play an action.", body=wire.PlayBody, seat=True),
    Endpoint(
        "GET",
        f"{GAME}/stream",
        "stream",
        "State and updates, one JSON object a line.",
        query=("since",),
        returns="application/x-ndjson",
        seat=True,
    ),
    Endpoint(
        "POST",
        "/api/account/register",
        "register",
        "A new account.",
        body=wire.Credentials,
        limit="sign-in",
    ),
    Endpoint(
        "POST", "/api/account/login", "login", "Sign in.", body=wire.Credentials, limit="sign-in"
    ),
    Endpoint("POST", "/api/account/logout", "logout", "Sign out."),
    Endpoint("GET", "/api/account", "account", "Who is signed in."),
    Endpoint("GET", "/api/account/sessions", "sessions", "Where the account is signed in."),
    Endpoint("POST", "/api/account/revoke", "revoke", "Sign out other sessions.", body=wire.Revoke),
    Endpoint("POST", "/api/seats/claim", "claim", "Tie a seat to the account.", body=wire.Claim),
    Endpoint("GET", "/api/notices", "notices_list", "Where you are told of your turn."),
    Endpoint(
        "POST", "/api/notices", "notices_add", "Add an address.", body=wire.Address, limit="create"
    ),
    Endpoint(
        "POST",
        "/api/notices/remove",
        "notices_remove",
        "Remove an address.",
        body=wire.AddressGone,
    ),
    Endpoint(
        "GET",
        "/api/notices/confirm",
        "notices_confirm",
        "Confirm an address.",
        query=("token",),
        limit="sign-in",
    ),
    Endpoint("GET", "/api/openapi.json", "openapi", "This description."),
)

__all__ = ["ENDPOINTS", "Api", "Ask", "Endpoint", "msgspec"]
