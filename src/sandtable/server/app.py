"""Wires everything together: routes, guards, background work."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from typing import Any

import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

import sandtable
from sandtable.kernel.errors import BadMessage, Refused
from sandtable.server import art, guard, models, schema, wire
from sandtable.server.accounts import Accounts
from sandtable.server.api import ENDPOINTS, Api, Ask, Endpoint, sides_of
from sandtable.server.live import Live, error_body
from sandtable.server.metrics import Metrics
from sandtable.server.models import PLAYING
from sandtable.server.notices import Notices
from sandtable.server.rooms import POLICY, NotFound, Room, Rooms, Who
from sandtable.server.settings import Settings
from sandtable.server.static import Static
from sandtable.server.store import Conflict, Store, Unsaved, now
from sandtable.server.telegraph import Telegraph
from sandtable.server.workers import Workers

log = logging.getLogger("sandtable")
GONE = 4404
EXPECTED = (guard.Forbidden, guard.TooMany, NotFound, BadMessage, Unsaved)


class Server:
    """One server process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        for name in sandtable.titles():
            # Now, in one thread: see models.py on types that are worked out at first use.
            sandtable.title(name).data()
        self.metrics = Metrics()
        self.store = Store(settings.database)
        self.workers = Workers(settings.workers)
        self.rooms = Rooms(self.store, self.workers, settings, self.metrics)
        self.accounts = Accounts(self.store, settings)
        self.notices = Notices(self.store, settings, self.metrics)
        self.rooms.on_turn = self.notices.on_turn
        self.limits = guard.Limits(settings.limits)
        self.api = Api(settings, self.rooms, self.accounts, self.notices, self.limits)
        self.telegraph = Telegraph(self.store, self.rooms)
        self.static = Static(settings.web)
        self._closed: set[str] = set()
        self._looked, self._problem = 0, ""

    def app(self) -> ASGIApp:
        """The ASGI application."""
        routes: list[Any] = [
            Route(each.path, self._endpoint(each), methods=[each.method]) for each in ENDPOINTS
        ]
        routes += [
            WebSocketRoute("/api/games/{game}/live", self.live),
            Route("/health", self.health),
            Route("/metrics", self.show_metrics),
            Route("/", self.static.page),
            Route("/static/{path:path}", self.static.file),
        ]
        app = Starlette(
            routes=routes,
            lifespan=self.lifespan,
            exception_handlers={404: self._http_error, 405: self._http_error},
        )
        return Headers(app, self)

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Begin and end with the server."""
        # Commits come back from another thread; let it have its turn soon.
        sys.setswitchinterval(0.001)
        art.prepare()
        # What is loaded now stays; looking through it again and again only makes players wait.
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        await self.store.start()
        self.telegraph.start()
        chores = [
            asyncio.create_task(self._every(seconds, chore))
            for seconds, chore in (
                (1.0, self.call_time),
                (10.0, self.wake_opponents),
                (5.0, self.notices.send_due),
                (3.0, self.store.checkpoint),
                (25.0, self.rooms.note_presence),
                (30.0, self.keep_house),
            )
        ]
        try:
            yield
        finally:
            for chore in chores:
                chore.cancel()
            for task in list(self.rooms.tasks):
                task.cancel()
            self.telegraph.stop()
            self.workers.stop()
            await self.store.stop()

    async def _every(self, seconds: float, chore: Callable[[], Awaitable[Any]]) -> None:
        while True:
            try:
                await chore()
            except (Unsaved, Conflict) as error:
                log.warning("a chore must wait: %s", error)
            except Exception:
                self.metrics.failures += 1
                log.exception("a chore failed")
            await asyncio.sleep(seconds)

    # Chores.

    async def call_time(self) -> None:
        """Play the neutral action for whoever has run out of time, or end the game."""
        games = schema.games
        query = (
            sa.select(games.c.id)
            .where(games.c.deadline > 0, games.c.deadline <= now(), games.c.status == PLAYING)
            .limit(100)
        )
        for (game,) in await self.store.read(lambda db: list(db.execute(query))):
            room = await self._opened(game)
            if room is None:
                continue
            clock, actor = room.desk.clock, room.desk.game.actor
            if clock is None or actor is None or clock.deadline > now():
                continue
            if clock.wish.out == "loss":
                line, reason = f"!time {actor}", ""
            else:
                line = room.desk.game.text(room.desk.game.neutral())
                reason = "Time is up: the neutral action is played."
            try:
                await self.rooms.play(
                    room, line, actor, seq=room.desk.seq, reason=reason, heard=reason
                )
            except (BadMessage, Refused) as error:
                log.info("time of game %s: %s", game, error)

    async def _opened(self, game: str) -> Room | None:
        """A game for a chore; one that cannot be opened must not keep others waiting."""
        try:
            return await self.rooms.get(game)
        except (BadMessage, NotFound) as error:
            if game not in self._closed:
                self._closed.add(game)
                log.warning("game %s cannot be opened: %s", game, error)
            return None

    async def wake_opponents(self) -> None:
        """Pick up games in which an opponent is to move and nobody lets it think."""
        games, seats = schema.games, schema.seats
        query = (
            sa.select(games.c.id)
            .join(seats, (seats.c.game == games.c.id) & (seats.c.side == games.c.actor))
            .where(
                games.c.status == PLAYING,
                seats.c.kind == "opponent",
                games.c.moved < now() - (10_000 if self.store.postgres else 0),
            )
            .limit(500)
        )
        for (game,) in await self.store.read(lambda db: list(db.execute(query))):
            room = await self._opened(game)
            if room is not None:
                self.rooms.nudge(room)

    async def keep_house(self) -> None:
        """Let go of idle games."""
        self.rooms.drop_idle()

    # Requests.

    def _endpoint(self, each: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        handler = self.api.handlers[each.name]

        async def answer(request: Request) -> Response:
            try:
                result = await handler(await self._ask(each, request))
            except Exception as error:
                return self._failed(error)
            if isinstance(result, Response):
                return result
            return Response(wire.encode(result), media_type="application/json")

        return answer

    async def _ask(self, each: Endpoint, request: Request) -> Ask:
        who = guard.client(request)
        self.limits.check("any", who)
        if each.limit != "any":
            self.limits.check(each.limit, who)
        body: Any = None
        if each.method != "GET":
            if not guard.same_origin(request, self.settings):
                raise guard.Forbidden("this request does not come from our page")
            largest = wire.RECORD_BODY if each.body is str else wire.SMALL_BODY
            if each.name == "create":
                largest = wire.GAME_BODY
            raw = await guard.body(request, largest)
            if each.body is str:
                body = wire.read_text(raw)
            else:
                guard.require_json(request)
                body = None if each.body is None else wire.read_body(raw, each.body)
        return Ask(request, body, await self.accounts.visitor(request))

    def _failed(self, error: Exception) -> Response:
        status = 500
        match error:
            case BadMessage():
                status = 400
            case Refused() | Conflict():
                status = 409
            case guard.Forbidden():
                status = 403
            case NotFound():
                status = 404
            case guard.TooSlow():
                status = 408
            case guard.TooLarge():
                status = 413
            case guard.TooMany():
                status = 429
            case Unsaved():
                status = 503
        if status == 500:
            self.metrics.failures += 1
            log.error("a request failed", exc_info=error)
            error = BadMessage("the server made a mistake; nothing was changed")
        elif status == 409 and isinstance(error, Conflict):
            error = BadMessage("somebody else was faster; look again")
        headers = {"Retry-After": "5"} if status in (429, 503) else {}
        return Response(
            wire.encode(error_body(error)), status, headers, media_type="application/json"
        )

    async def _http_error(self, request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", 500)
        text = {404: "there is nothing here; see /api/openapi.json", 405: "use another method"}
        headers = getattr(error, "headers", None)
        body = {"error": text.get(status, "the server made a mistake"), "rule": None}
        return Response(wire.encode(body), status, headers, media_type="application/json")

    async def live(self, socket: WebSocket) -> None:
        """The websocket of a game."""
        counted = ExitStack()
        try:
            if not guard.same_origin(socket, self.settings):
                raise guard.Forbidden("this page is not ours")
            self.limits.check("any", guard.client(socket))
            game = socket.path_params["game"]
            room = await self.rooms.get(game)
            token = socket.query_params.get("seat", "")[:100]
            visitor = await self.accounts.visitor(socket)
            sides = sides_of(room, token, visitor)
            who = Who(token, visitor.account, visitor.session) if visitor else Who(token)
            since = wire.number(socket.query_params, "since")
            counted.enter_context(self.limits.connected(guard.client(socket)))
        except Exception as error:
            if not isinstance(error, EXPECTED):
                self.metrics.failures += 1
                log.error("a websocket failed", exc_info=error)
                error = Unsaved("the server made a mistake")
            await socket.accept()
            await socket.send_text(
                wire.encode({"type": "error", "id": None} | error_body(error)).decode()
            )
            busy = isinstance(error, (Unsaved, guard.TooMany))
            await socket.close(1013 if busy else GONE if isinstance(error, NotFound) else POLICY)
            return
        with counted:
            await socket.accept()
            await Live(self.rooms, room, who, sides, socket, self.limits).run(since)

    async def health(self, request: Request) -> Response:
        """Whether the server can read and write; tried at most once a second."""
        if now() - self._looked > 1000 or self._problem or self.store.failing:
            self._looked, self._problem = now(), await self._try_to_write()
        problem = self._problem
        body = {"ok": not problem, "problem": problem}
        return Response(wire.encode(body), 503 if problem else 200, media_type="application/json")

    async def _try_to_write(self) -> str:
        row = sa.update(schema.meta).where(schema.meta.c.key == "health").values(value=str(now()))
        try:
            async with asyncio.timeout(5):
                await self.store.write(lambda db: db.execute(row).rowcount)
        except (Unsaved, Conflict, TimeoutError) as error:
            return str(error) or "the database does not answer"
        return ""

    async def show_metrics(self, request: Request) -> Response:
        """Counters for Prometheus; only for this machine unless opened."""
        host = guard.client(request)
        if not self.settings.metrics_open and host not in ("127.0.0.1", "::1", "testclient"):
            return self._failed(guard.Forbidden("metrics are for this machine; see --metrics"))
        from sandtable.server.admin import metrics_text

        return Response(metrics_text(self), media_type="text/plain; version=0.0.4")


class Headers:
    """Adds the security headers to every answer, and counts them."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self.app, self.metrics = app, server.metrics
        fixed = guard.HEADERS | (guard.HTTPS if server.settings.secure else {})
        self.fixed = [(name.lower().encode(), value.encode()) for name, value in fixed.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        api = scope["path"].startswith("/api/")

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *self.fixed]
                if api and not any(name == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = headers
                self.metrics.requests[str(message["status"])] += 1
            await send(message)

        await self.app(scope, receive, with_headers)


def create(settings: Settings) -> ASGIApp:
    """The application for these settings."""
    return Server(settings).app()


__all__ = ["HTTPConnection", "Server", "create", "models"]
