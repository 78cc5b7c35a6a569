"""Games in memory with those who sit and watch, rebuilt from their lines when needed."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct
from sqlalchemy.engine import Connection

import sandtable
from sandtable.kernel.dice import commitment
from sandtable.kernel.errors import BadMessage, Refusal, Refused
from sandtable.kernel.events import Side
from sandtable.server import models, snapshots
from sandtable.server.desk import BOTH, Applied, Desk, Eye, begin, verify_rules
from sandtable.server.metrics import Metrics
from sandtable.server.models import OVER, PLAYING, WAITING, GameRow, SeatRow
from sandtable.server.settings import Settings
from sandtable.server.store import Append, Conflict, Store, Unsaved, lines_of, now
from sandtable.server.wire import encode
from sandtable.server.workers import Workers

log = logging.getLogger("sandtable")
T = TypeVar("T")
REMEMBERED = 256
GAME_ID = re.compile("[A-Za-z0-9_-]{1,40}")
ONLINE = 60_000
POLICY = 1008
"""The close code for whoever may not be here."""
PACE = 0.8
"""Seconds between the lines of two opponents, so that people can follow them."""


class NotFound(Exception):
    """There is no such game, or the seat does not open it."""


class Who(Struct, frozen=True):
    """What somebody showed when they came: a seat's token, or an account's session."""

    token: str = ""
    account: str | None = None
    session: str = ""


class Listener(Protocol):
    """A connection that hears of everything its eye may see."""

    who: Who
    eye: Eye
    sides: tuple[Side, ...]

    def send(self, message: bytes) -> None:
        """Queue a message."""

    def hang_up(self, code: int) -> None:
        """End the connection."""


class Thought(Struct, frozen=True):
    """Which opponent thinks, about which line, and since when."""

    side: Side
    level: str
    seq: int
    since: float

    def told(self) -> dict[str, Any]:
        """As everybody may know it: `level` names the seconds it has for a plan, if they count."""
        elapsed = round(time.monotonic() - self.since, 1)
        return {"side": self.side, "level": self.level, "seq": self.seq, "elapsed": elapsed}


class Room:
    """One game, its seats, and everybody connected to it here."""

    def __init__(self, row: GameRow, seats: dict[Side, SeatRow], desk: Desk) -> None:
        self.row, self.seats, self.desk = row, seats, desk
        self.id = row.id
        self.listeners: set[Listener] = set()
        self.lock = asyncio.Lock()
        self.requests: OrderedDict[str, int] = OrderedDict()
        """The line that each request of late led to, so that none is carried out twice."""
        self.chat: list[dict[str, Any]] = []
        self.stale = False
        self.snapped = 0
        """The line of the last snapshot."""
        self.thinking: asyncio.Task[None] | None = None
        self.thought: Thought | None = None
        """What an opponent thinks about here, if one does."""
        self.touched = time.monotonic()

    def remember(self, request: str, seq: int) -> None:
        """Note which line a request led to."""
        if request:
            self.requests[request] = seq
            if len(self.requests) > REMEMBERED:
                self.requests.popitem(last=False)

    def sides_of(self, token: str) -> tuple[Side, ...]:
        """The sides that a token opens."""
        return tuple(side for side, seat in self.seats.items() if seat.opens_with(token))

    def reseat(self) -> None:
        """Give everybody here the seats that what they showed still opens; or hang up."""
        for each in list(self.listeners):
            token, account = each.who.token, each.who.account
            sides = self.sides_of(token) if token else self.claimed(account)
            if sides == each.sides:
                continue
            lost = bool(each.sides) and not sides
            each.sides, each.eye = sides, eye_of(sides)
            if lost:
                self.listeners.discard(each)
                each.hang_up(POLICY)

    def claimed(self, account: str | None) -> tuple[Side, ...]:
        """The sides that belong to an account."""
        if account is None:
            return ()
        return tuple(side for side, seat in self.seats.items() if seat.account == account)

    def connected(self, side: Side) -> bool:
        """Whether somebody sits on a side, here or at another server process."""
        here = any(side in each.sides for each in self.listeners)
        return here or self.seats[side].seen > now() - ONLINE

    def players(self) -> dict[Side, dict[str, Any]]:
        """Who plays, for everybody to see."""
        return {
            side: {
                "name": seat.name,
                "kind": seat.kind,
                "level": seat.level,
                "joined": bool(seat.joined),
                "account": seat.account is not None,
                "online": seat.kind == "opponent" or self.connected(side),
            }
            for side, seat in self.seats.items()
        }

    def broadcast(self, message: dict[str, Any]) -> None:
        """Tell everybody the same."""
        if self.listeners:
            raw = encode(message)
            for each in list(self.listeners):
                each.send(raw)

    def tell(self, applied: Applied) -> None:
        """Tell everybody about a line, each what they may see; encoded once for each eye."""
        eyes = list({each.eye for each in self.listeners})
        if eyes:
            ready = dict(zip(eyes, self.desk.updates(applied, eyes, now()), strict=True))
            for each in list(self.listeners):
                each.send(ready[each.eye])

    def state(self, eye: Eye, sides: Iterable[Side] = (), since: int | None = None) -> bytes:
        """All that a connection needs to begin, or what is newer than a line it knows."""
        desk = self.desk
        resume = since is not None and since <= desk.seq
        if since is not None and any(seq <= since for seq in desk.journal.undone):
            # Something the client knows may have been taken back since.
            resume = False
        message = {
            "type": "resume" if resume else "state",
            "version": sandtable.__version__,
            "game": self.id,
            "title": self.row.title,
            "mode": self.row.mode,
            "status": self.row.status,
            "waiting": self.row.status == WAITING,
            "hash": commitment(self.row.seed),
            "you": eye,
            "players": self.players(),
            "chat": self.chat,
            "note": next((self.seats[side].note for side in sides), ""),
            "rematch": self.row.rematch or None,
            "thinking": self.thought.told() if self.thought else None,
            "log": desk.log(eye, since or 0 if resume else 0),
            **desk.now(eye, now()),
        }
        if self.row.status == WAITING:
            message |= {"actions": [], "can_undo": False}
        return encode(message)


class Rooms:
    """All games in memory."""

    def __init__(
        self, store: Store, workers: Workers, settings: Settings, metrics: Metrics
    ) -> None:
        self.store, self.workers, self.settings, self.metrics = store, workers, settings, metrics
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._replays = ThreadPoolExecutor(1, thread_name_prefix="replay")
        self.tasks: set[asyncio.Task[Any]] = set()
        self.on_turn: Callable[[Room, Applied], None] = lambda room, applied: None

    async def replay(self, work: Callable[..., T], *args: Any) -> T:
        """Play lines again beside the event loop, one game at a time."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._replays, work, *args)

    # Finding games.

    async def get(self, game: str) -> Room:
        """A game, from memory or rebuilt."""
        room = self.rooms.get(game)
        if room is not None and not room.stale:
            room.touched = time.monotonic()
            return room
        if not GAME_ID.fullmatch(game):
            raise NotFound("there is no such game; check the link")
        if game in self._loading:
            return await asyncio.shield(self._loading[game])
        future = asyncio.ensure_future(self._load(game))
        self._loading[game] = future
        try:
            return await asyncio.shield(future)
        finally:
            self._loading.pop(game, None)

    async def _load(self, game: str) -> Room:
        def work(connection: Connection) -> Any:
            row = models.read_game(connection, game)
            if row is None:
                return None
            seats = models.read_seats(connection, game)
            lines = lines_of(connection, game)
            kept = snapshots.read(connection, game)
            return row, seats, lines, models.read_chat(connection, game), kept

        found = await self.store.read(work)
        if found is None:
            raise NotFound(f"there is no game {game!r}; check the link")
        row, seats, lines, chat, kept = found
        verify_rules(row)
        names = {side: seat.name for side, seat in seats.items() if seat.name}
        desk = await self.replay(
            snapshots.open_desk, preview(row), names, lines, self.settings.packs, kept
        )
        room = self.rooms.get(game)
        if room is None:
            room = self.rooms[game] = Room(row, seats, desk)
            # While the lines were replayed nobody here listened for what other processes write.
            self.spawn(self.catch_up(room))
        room.row, room.seats, room.desk, room.stale = row, seats, desk, False
        room.chat, room.snapped = chat, kept.seq if kept and snapshots.fits(kept, row) else 0
        for line in lines[-REMEMBERED:]:
            room.remember(line.request, line.seq)
        self.metrics.rebuilt += 1
        room.reseat()
        for each in list(room.listeners):
            # Whoever was here before may have missed something.
            each.send(room.state(each.eye, each.sides))
        self.nudge(room)
        return room

    def hang_up(self, sessions: set[str]) -> None:
        """End the connections of sessions that were signed out."""
        for room in self.rooms.values():
            for each in [each for each in room.listeners if each.who.session in sessions]:
                # A seat's link opens the seat with or without a session.
                if each.who.session and not each.who.token:
                    each.sides, each.eye = (), None
                    room.listeners.discard(each)
                    each.hang_up(POLICY)

    # Changing games.

    async def play(
        self,
        room: Room,
        text: str,
        by: Side | None,
        *,
        request: str = "",
        seq: int | None = None,
        reason: str = "",
        heard: str = "",
        check: Callable[[], None] | None = None,
    ) -> int:
        """Carry out a line, keep it, and tell everybody; the line's number.

        The line is told only when it is safe. If it cannot be kept, the game in memory is thrown
        away and rebuilt from what was kept.
        """
        async with room.lock:
            if room.stale:
                await self._load(room.id)
            known = room.requests.get(request) if request else None
            if known is not None:
                return known
            desk = room.desk
            if room.row.status == WAITING:
                raise Refused(Refusal(desk.game.rule, "The game has not begun: a seat is free."))
            if seq is not None and seq != desk.seq:
                raise BadMessage(
                    f"the game has moved on to line {desk.seq}, your message was about line {seq}; "
                    "look again"
                )
            if check is not None:
                check()
            at = max(now(), room.row.moved)
            applied = desk.apply(text, by, at, reason, heard)
            line = self._line(room, applied, at, request)
            try:
                await self.store.append(line)
            except BaseException as error:
                room.stale = True
                self.metrics.unsaved += 1
                if isinstance(error, Conflict):
                    await self._load(room.id)
                    raise BadMessage("another move came first; look again") from None
                raise
            room.row.seq, room.row.actor, room.row.moved = line.seq, line.actor, line.at
            room.row.status, room.row.result = line.status, line.result
            room.row.deadline = line.deadline
            room.remember(request, applied.seq)
            self.metrics.actions += 1
            room.tell(applied)
            if snapshots.due(desk, room.snapped):
                room.snapped = desk.seq
                self.spawn(self._snap(room.id, snapshots.take(desk)))
        self.on_turn(room, applied)
        self.nudge(room)
        return applied.seq

    async def _snap(self, game: str, snapshot: snapshots.Snapshot) -> None:
        try:
            packed = await asyncio.to_thread(snapshots.packed, snapshot)
            await self.store.write(lambda db: snapshots.write(db, game, packed))
        except (Unsaved, Conflict) as error:
            log.warning("game %s: a snapshot was not kept: %s", game, error)

    @staticmethod
    def _line(room: Room, applied: Applied, at: int, request: str) -> Append:
        desk = room.desk
        outcome = desk.game.outcome
        return Append(
            game=room.id,
            seq=applied.seq,
            text=applied.text,
            dice=applied.dice,
            by=applied.by or "",
            at=at,
            request=request,
            reason=applied.reason,
            heard=applied.heard,
            actor=desk.game.actor or "",
            status=OVER if outcome else PLAYING,
            result=f"{outcome.winner or 'draw'} {outcome.level}" if outcome else "",
            deadline=desk.clock.deadline if desk.clock else 0,
        )

    async def catch_up(self, room: Room) -> None:
        """Play what other server processes wrote meanwhile."""
        async with room.lock:
            if room.stale:
                await self._load(room.id)
                return
            seq = room.desk.seq

            def work(connection: Connection) -> Any:
                row = models.read_game(connection, room.id)
                return row, lines_of(connection, room.id, seq)

            row, lines = await self.store.read(work)
            if row is None:
                self.rooms.pop(room.id, None)
                return
            room.row = row
            for line in lines:
                applied = room.desk.apply(
                    line.text, line.by or None, line.at, line.reason, line.heard
                )
                room.remember(line.request, line.seq)
                room.tell(applied)
        self.nudge(room)

    async def refresh(self, room: Room) -> None:
        """Load a game anew and tell everybody connected."""
        async with room.lock:
            await self._load(room.id)

    # Opponents.

    def nudge(self, room: Room) -> None:
        """Let an opponent think if it is to move."""
        actor = room.desk.game.actor
        if (
            actor is not None
            and room.row.status == PLAYING
            and room.seats[actor].kind == "opponent"
            and (room.thinking is None or room.thinking.done())
        ):
            room.thinking = self.spawn(self._think(room))

    async def _think(self, room: Room) -> None:
        """Play for an opponent until somebody else must decide."""
        minds: dict[tuple[Side, str], bytes] = {}
        while True:
            actor, seq, game = room.desk.game.actor, room.desk.seq, room.desk.game
            if actor is None or room.seats[actor].kind != "opponent" or room.stale:
                return
            data = f"{self.settings.packs}/{room.row.data}" if room.row.data else None
            who = actor, room.seats[actor].level
            room.thought = Thought(*who, seq, time.monotonic())
            room.broadcast({"type": "thinking"} | room.thought.told())
            try:
                try:
                    thought = await self.workers.choose(game, *who, data, minds.get(who, b""))
                finally:
                    room.thought = None
                minds[who] = thought.mind
                told, heard = thought.told, thought.heard
                await self.play(room, thought.text, actor, seq=seq, reason=told, heard=heard)
                if all(seat.kind == "opponent" for seat in room.seats.values()):
                    await asyncio.sleep(PACE)
            except (Unsaved, OSError) as error:
                log.warning("game %s: the opponent's move was not saved: %s", room.id, error)
                await asyncio.sleep(2)
                room.thinking = None
                room = await self.get(room.id)
                room.thinking = asyncio.current_task()
            except BadMessage as error:
                if room.desk.seq == seq and not room.stale:
                    # Nobody came first. Whoever moves on or comes back lets it try again.
                    self.metrics.failures += 1
                    log.error("game %s: the opponent %s cannot move: %s", room.id, who[1], error)
                    return
                # Another process or a take-back came first: look again.
                await asyncio.sleep(0)

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        """Run something beside everything else, and say so if it fails."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.metrics.failures += 1
            log.error("a task failed", exc_info=task.exception())

    # Keeping house.

    async def note_presence(self) -> None:
        """Note which seats are taken here, a few at a time so that no move waits for it."""
        at = now()
        taken = [
            (room, side)
            for room in list(self.rooms.values())
            for side in {side for each in room.listeners for side in each.sides}
        ]
        for start in range(0, len(taken), 50):
            rows = []
            for room, side in taken[start : start + 50]:
                seat = room.seats[side]
                seat.seen, seat.looked = at, room.row.seq
                rows.append((at, seat.looked, room.id, side))
            await self.store.write(lambda db, rows=rows: self.store.seen(db, rows))  # type: ignore[misc]
            await asyncio.sleep(0.05)

    def drop_idle(self) -> None:
        """Let go of games nobody looks at."""
        limit = time.monotonic() - self.settings.idle
        for game, room in list(self.rooms.items()):
            busy = room.listeners or room.lock.locked()
            thinks = room.thinking is not None and not room.thinking.done()
            if not busy and not thinks and room.touched < limit:
                del self.rooms[game]


def preview(row: GameRow) -> GameRow:
    """A game that waits for a player is shown with dice that will never be rolled."""
    if row.status != WAITING:
        return row
    return msgspec.structs.replace(row, seed="preview", words=[])


def eye_of(sides: tuple[Side, ...]) -> Eye:
    """What somebody with these sides sees."""
    return None if not sides else sides[0] if len(sides) == 1 else BOTH


__all__ = ["NotFound", "Room", "Rooms", "begin", "eye_of"]
