"""The websocket of a seat or a spectator: messages in, answers and updates out."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from starlette.websockets import WebSocket, WebSocketDisconnect

from sandtable.kernel.errors import BadMessage, Refusal, Refused
from sandtable.kernel.events import Rolled, Side
from sandtable.kernel.odds import Odds
from sandtable.players import LEVELS
from sandtable.players.advised import Advised
from sandtable.server import models, schema, wire
from sandtable.server.desk import BOTH, Eye
from sandtable.server.games import Games, check_level
from sandtable.server.guard import Bucket, Limits, TooMany, client
from sandtable.server.models import WAITING
from sandtable.server.rooms import Room, Rooms, Who, eye_of
from sandtable.server.store import Unsaved, now
from sandtable.server.workers import Advice

log = logging.getLogger("sandtable")
MOST_QUEUED = 8_000_000
"""Bytes that may wait for a slow reader."""
LONGEST_ADVICE = 5
"""Seconds that a general may be granted for advice here."""
PLACER = "officer"
"""Whose advice places counters, one after another, for one hint of the allowance."""
AGAIN = 1012
SLOW = 1013


class Live:
    """One connection to one game."""

    def __init__(
        self,
        rooms: Rooms,
        room: Room,
        who: Who,
        sides: tuple[Side, ...],
        socket: WebSocket,
        limits: Limits,
    ) -> None:
        self.rooms, self.room, self.sides, self.socket = rooms, room, sides, socket
        self.who, self.limits = who, limits
        self.eye: Eye = eye_of(sides)
        self._out: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._closing = 0
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._queued = 0
        self._bucket = Bucket(rate=40, size=200)
        self._talk = Bucket(rate=0.5, size=20)
        self._advice: asyncio.Task[None] | None = None
        self._advised: tuple[Advised, Advice] | None = None
        """What was last advised here, whose plan goes on if it is followed."""
        self._placing = -1
        """The line at which advice was last given on where to place a counter."""

    def send(self, message: bytes) -> None:
        """Queue a message; a connection that cannot keep up is closed and may resume."""
        if self._queued > MOST_QUEUED:
            self._closing = SLOW
        else:
            self._out.append(message)
            self._queued += len(message)
        self._wake.set()

    def hang_up(self, code: int) -> None:
        """Close the connection once what waits is sent."""
        self._closing = code
        self._wake.set()

    async def run(self, since: int | None) -> None:
        """Serve until the client goes."""
        room = self.room
        async with room.lock:
            # Under the lock, so that nothing is shown that is not yet kept.
            room.listeners.add(self)
            self.send(room.state(self.eye, self.sides, since))
        self.rooms.metrics.websockets += 1
        writer = asyncio.create_task(self._write())
        self._presence()
        try:
            if self.sides:
                await self._seen(now())
            await self._read()
        except WebSocketDisconnect:
            pass
        finally:
            self.rooms.metrics.websockets -= 1
            room.listeners.discard(self)
            writer.cancel()
            if self._advice:
                self._advice.cancel()
            if self.sides:
                await self._leave()
            self._presence()

    async def _write(self) -> None:
        try:
            while True:
                while self._out:
                    message = self._out.popleft()
                    self._queued -= len(message)
                    await self.socket.send_text(message.decode())
                if self._closing:
                    await self.socket.close(self._closing)
                    return
                self._wake.clear()
                await self._wake.wait()
        except (WebSocketDisconnect, RuntimeError, OSError):
            return

    async def _leave(self) -> None:
        if not any(set(each.sides) & set(self.sides) for each in self.room.listeners):
            await self._seen(0)

    async def _seen(self, at: int) -> None:
        room, sides = self.room, self.sides
        looked = room.desk.seq
        for side in sides:
            room.seats[side].seen, room.seats[side].looked = at, looked

        def work(connection: Connection) -> None:
            for side in sides:
                models.update_seat(connection, room.id, side, seen=at, looked=looked)

        try:
            await self.rooms.store.write(work)
        except Unsaved as error:
            log.warning("presence was not saved: %s", error)

    def _presence(self) -> None:
        if self.sides:
            self.room.broadcast({"type": "presence", "players": self.room.players()})

    # Messages.

    async def _read(self) -> None:
        while True:
            received = await self.socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            raw = received.get("text") or received.get("bytes") or ""
            await self._handle(raw)

    async def _handle(self, raw: str | bytes) -> None:
        try:
            if self.rooms.settings.limits and not self._bucket.take():
                # Not reading on is what slows a flood down.
                await asyncio.sleep(0.1)
                raise BadMessage("too many messages; wait a moment")
            message = wire.read_message(raw)
        except BadMessage as error:
            self._error(wire.message_id(raw), error)
            return
        answered = self._answers.get(message.id)
        if answered is not None:
            self.send(answered)
            return
        if isinstance(message, wire.Hint):
            # Advice takes its time: the seat plays on meanwhile.
            if self._advice and not self._advice.done():
                self._error(message.id, BadMessage("advice is on its way; wait for it"))
            else:
                self._advice = self.rooms.spawn(self._reply(message))
            return
        await self._reply(message)

    async def _reply(self, message: wire.Messages) -> None:
        try:
            result = await self._answer(message)
        except (Refused, BadMessage, Unsaved, TooMany) as error:
            self._error(message.id, error)
            return
        except Exception:
            log.exception("game %s: a message failed", self.room.id)
            self.rooms.metrics.failures += 1
            self._error(message.id, BadMessage("the server made a mistake; nothing was changed"))
            return
        answer = wire.encode({"type": "ack", "id": message.id} | result)
        self._answers[message.id] = answer
        if len(self._answers) > 64:
            self._answers.popitem(last=False)
        self.send(answer)

    def _error(self, id: str | None, error: Exception) -> None:
        self.rooms.metrics.refused += 1
        self.send(wire.encode({"type": "error", "id": id} | error_body(error)))

    async def _answer(self, message: wire.Messages) -> dict[str, Any]:
        match message:
            case wire.Ping():
                return {"seq": self.room.desk.seq}
            case wire.Chat(text=text):
                return await self._chat(message.id, text)
        if not self.sides:
            raise BadMessage("spectators only watch and talk; open a seat's link to play")
        room = self.room = await self.rooms.get(self.room.id)
        room.listeners.add(self)
        known = room.requests.get(request_of(self.sides, message.id))
        if known is not None:
            # Done before the connection broke, or by the other server process.
            return {"seq": known}
        match message:
            case wire.Play(action=action, seq=seq):
                return await self._line(message.id, wire.action(action), self._turn(), seq)
            case wire.Undo(seq=seq):
                return await self._line(message.id, "!undo", self._turn(), seq)
            case wire.Order(interrupt=interrupt, setting=setting, side=side):
                side = self._side(side)
                line = f"!order {side} {_word(interrupt)} {_word(setting)}"
                return await self._line(message.id, line, side)
            case wire.Resign(side=side):
                side = self._side(side)
                return await self._line(message.id, f"!resign {side}", side)
            case wire.Offer(what=what, side=side):
                return await self.offer(message.id, what, self._side(side))
            case wire.Answer(what=what, yes=yes, side=side):
                return await self.answer(message.id, what, yes, self._side(side))
            case wire.SaveNote(text=text):
                return await self._note(text)
            case wire.Hint(level=level):
                return await self._hint(level)
            case wire.OddsOf(action=action):
                return self._odds(action, self._turn())
            case wire.Way(action=action):
                self._turn()
                desk = self.room.desk
                return {"way": desk.game.way(desk.table.read(action))}
            case wire.Why(action=action):
                return self._why(action)
        raise AssertionError(message)

    def _turn(self) -> Side:
        """The side that decides now, if it is ours."""
        game = self.room.desk.game
        if game.actor is None:
            raise Refused(Refusal(game.rule, "The game is over."))
        if game.actor not in self.sides:
            name = game.title.side_names[game.actor]
            raise Refused(Refusal(game.rule, f"It is not your decision now, but that of {name}."))
        return game.actor

    def _side(self, given: str) -> Side:
        """The side a message is for: our only one, or the one it names."""
        if given:
            if given not in self.sides:
                raise BadMessage(f"you do not sit on side {given!r}; leave it out")
            return given
        actor = self.room.desk.game.actor
        return actor if actor in self.sides else self.sides[0]

    async def _line(self, id: str, text: str, side: Side, seq: int | None = None) -> dict[str, Any]:
        request = request_of(self.sides, id)
        if text == "!undo":
            text = f"!undo {side}"
        return {"seq": await self.rooms.play(self.room, text, side, request=request, seq=seq)}

    async def offer(self, id: str, what: str, side: Side) -> dict[str, Any]:
        """Offer something, or do at once what needs nobody's consent."""
        room = self.room
        if what == "undo":
            return await self._line(id, "!undo", self._turn())
        alone = self.eye == BOTH or any(seat.kind == "opponent" for seat in room.seats.values())
        if what == "rematch" and room.desk.game.outcome and (alone or room.row.rematch):
            return {"rematch": await self.rematch(room)}
        if alone and what != "rematch":
            if self.eye == BOTH:
                return await self._line(id, f"!agree {what}", side)
            raise BadMessage("an opponent never agrees; play on or resign")
        return await self._line(id, f"!offer {side} {what}", side)

    async def answer(self, id: str, what: str, yes: bool, side: Side) -> dict[str, Any]:
        """Answer an offer; an accepted rematch names the new game."""
        line = f"!answer {side} {what} {'yes' if yes else 'no'}"
        result = await self._line(id, line, side)
        if what == "rematch" and yes:
            result["rematch"] = await self.rematch(self.room)
        return result

    async def rematch(self, room: Room) -> str:
        """The new game with sides swapped; everybody keeps their token."""
        return await Games(self.rooms).rematch(room)

    async def _chat(self, id: str, text: str) -> dict[str, Any]:
        said = wire.one_line(text)
        if self.rooms.settings.limits and not self._talk.take():
            raise BadMessage("you talk too fast; wait a moment")
        if not said:
            raise BadMessage("nothing is said; write something")
        if self.room.row.status == WAITING and not self.sides:
            raise BadMessage("the game has not begun")
        room = self.room
        side = self.sides[0] if self.sides else ""
        name = room.seats[side].name if side else "Spectator"
        request = request_of(self.sides, id) if self.sides else ""
        entry = {"by": side or None, "name": name, "text": said, "at": now()}

        def work(connection: Connection) -> int:
            chat = schema.chat
            if request:
                known = connection.execute(
                    sa.select(chat.c.n).where(chat.c.game == room.id, chat.c.request == request)
                ).scalar_one_or_none()
                if known is not None:
                    return -int(known)
            last = connection.execute(
                sa.select(sa.func.max(chat.c.n)).where(chat.c.game == room.id)
            ).scalar_one()
            n = int(last or 0) + 1
            connection.execute(
                sa.insert(chat).values(game=room.id, n=n, request=request, **(entry | {"by": side}))
            )
            self.rooms.store.notify(connection, f"chat {room.id}:{n}")
            return n

        n = await self.rooms.store.write(work)
        if n > 0 and all(each["n"] != n for each in room.chat):
            room.chat = [*room.chat, {"n": n} | entry][-200:]
            room.broadcast({"type": "chat", "n": n} | entry)
        return {"n": abs(n)}

    async def _note(self, text: str) -> dict[str, Any]:
        room, sides, note = self.room, self.sides, wire.paragraphs(text)

        def work(connection: Connection) -> None:
            for side in sides:
                models.update_seat(connection, room.id, side, note=note)

        await self.rooms.store.write(work)
        for side in sides:
            room.seats[side].note = note
        return {"saved": True}

    async def _hint(self, level: str) -> dict[str, Any]:
        side, room = self._turn(), self.room
        level = level or list(LEVELS)[-1]
        check_level(level, LONGEST_ADVICE)
        game, table = room.desk.game, room.desk.table
        mind = b""
        if self._advised:
            last, before = self._advised
            if last.stands(side, level, table):
                return advice_body(before, level)
            if last.followed(side, level, table):
                mind = before.mind
        self._charge(level)
        data = f"{self.rooms.settings.packs}/{room.row.data}" if room.row.data else None
        lines, digest = len(table.history), game.digest()
        found = await self.rooms.workers.advise(game, side, level, data, mind)
        self._advised = Advised(side, level, lines, digest, found.text), found
        return advice_body(found, level)

    def _charge(self, level: str) -> None:
        """Count a hint; a run of them by which a whole side is placed counts as one."""
        desk = self.room.desk
        places = desk.title.places
        placing = level == PLACER and all(each.kind in places for each in desk.game.actions())
        # Only who has placed something since goes on with the run.
        if not (placing and 0 <= self._placing < desk.seq):
            self.limits.check("think", client(self.socket))
        self._placing = desk.seq if placing else -1

    def _odds(self, text: str, side: Side) -> dict[str, Any]:
        """The chances of an action, and why it could not be taken back: dice and what they are for,
        something seen, or the turn passes.

        Tried on a sample that looks the same to the side, so that nothing hidden shows.
        """
        game = self.room.desk.game
        action = self.room.desk.table.read(text)
        odds, final = game.odds(action), None
        rolls: list[str] = []
        caution = ""
        if action in game.actions():
            sample = game.resample(side, "look")
            shown = [event for event in sample.play(action) if event.reveals]
            caution = sample.caution if sample.actor == side else ""
            if shown:
                rolls = [game.rolled_for(each) for each in shown if isinstance(each, Rolled)]
                final = "dice" if rolls else "seen"
            elif sample.actor != side:
                final = "turn"
        sheet = game.sheet(action) if odds is not None else None
        told = {"odds": plain_odds(odds), "sheet": sheet, "final": final}
        # Later rolls depend on the first.
        return told | {"rolls": rolls[:1], "caution": caution}

    def _why(self, action: str) -> dict[str, Any]:
        self._turn()
        desk = self.room.desk
        try:
            refusal = desk.game.why_not(desk.table.read(action))
        except Refused as error:
            refusal = error.refusal
        if refusal is None:
            return {"legal": True, "rule": None, "text": ""}
        return {"legal": False, "rule": refusal.rule, "text": refusal.text}


def request_of(sides: tuple[Side, ...], id: str) -> str:
    """What a request is remembered by: who sent it, and its id."""
    return f"{'+'.join(sides)}:{id}"


def plain_odds(odds: Odds | None) -> dict[str, Any] | None:
    """Chances as the page shows them."""
    if odds is None:
        return None
    return {
        "modifiers": odds.modifiers,
        "outcomes": [
            {
                "text": each.text,
                "probability": float(each.probability),
                "fraction": str(each.probability),
                "favours": each.favours,
            }
            for each in odds.outcomes
        ],
        "assumes": odds.assumes,
        "margins": [[each.value, float(each.probability), each.outcome] for each in odds.margins],
    }


def advice_body(advice: Advice, level: str) -> dict[str, Any]:
    """Advice as an answer."""
    chance = round(advice.chance, 2)
    return {"action": advice.text, "reason": advice.reason, "chance": chance, "level": level}


def error_body(error: Exception) -> dict[str, Any]:
    """An error as every interface shows it: one line, and the rule where there is one."""
    if isinstance(error, Refused):
        return {"error": error.refusal.text, "rule": error.refusal.rule}
    if isinstance(error, Unsaved):
        return {
            "error": f"The server cannot save now ({error}); nothing has changed. Try again soon.",
            "rule": None,
        }
    return {"error": str(error), "rule": None}


def _word(text: str) -> str:
    if not text or len(text.split()) != 1:
        raise BadMessage(f"{text!r} is not one word; use a listed setting")
    return text
