"""Making games: new ones, joined, uploaded, branched and played again with sides swapped."""

from __future__ import annotations

import secrets
from bisect import bisect_right
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

import sandtable
from sandtable.kernel import record as records
from sandtable.kernel.dice import commitment
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game, OptionValue
from sandtable.kernel.table import Table
from sandtable.kernel.title import Title
from sandtable.players import LEVELS, player
from sandtable.server import models, schema, wire
from sandtable.server.desk import BOTH, Eye, begin
from sandtable.server.models import OVER, PLAYING, WAITING, GameRow, SeatRow
from sandtable.server.rooms import NotFound, Room, Rooms
from sandtable.server.store import Store, now

DEFAULT_LEVEL = "recruit"
LONGEST_PLAN = 30
"""Seconds for a plan that an opponent may be granted here."""
MARK = 64
"""A scrubbed game keeps a copy every so many lines."""


class Created(msgspec.Struct, frozen=True):
    """A new game and the tokens of its seats."""

    game: str
    seats: dict[Side, str]
    hash: str
    status: str


class Games:
    """Everything that makes a game or looks into its past."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.store: Store = rooms.store
        self.packs = rooms.settings.packs

    # New games.

    async def create(self, wish: wire.NewGame, account: str | None, name: str) -> Created:
        """A new game as its creator asked for it."""
        title = sandtable.title(wish.title)
        row = self._row(title, wish)
        mine = self._creator(title, wish)
        seats, tokens = self._seats(title, wish, row, mine, account, name)
        if wish.bid is not None:
            option = _bid_option(title)
            if wish.mode not in ("link", "open"):
                raise BadMessage("bids are for games between two people; use mode link or open")
            title.check_options({**wish.options, option: wish.bid})
            row.bids = {mine: wish.bid}
        if wish.words:
            row.words = [wire.one_line(wish.words, 200)]
        humans = [seat for seat in seats if seat.kind == "human"]
        waits = wish.mode == "open" or (
            wish.mode == "link" and (wish.words is not None or wish.bid is not None)
        )
        if waits and len(humans) > 1:
            row.status = WAITING
            await self._beside(row, begin, msgspec.structs.replace(row, seed="preview"), self.packs)
        else:
            await self._beside(row, self._begin, row)
        await self.store.write(lambda connection: models.insert_game(connection, row, seats))
        self.rooms.metrics.created += 1
        if row.status == PLAYING and seats and any(seat.kind == "opponent" for seat in seats):
            await self.rooms.get(row.id)
        return Created(row.id, tokens, commitment(row.seed), row.status)

    async def _beside(self, row: GameRow, work: Callable[..., Game], *args: Any) -> None:
        """Begin a game, beside the event loop if there is a position to be read."""
        if row.position:
            await self.rooms.replay(work, *args)
        else:
            work(*args)

    def _row(self, title: Title, wish: wire.NewGame) -> GameRow:
        """The row of a new game; every choice is checked."""
        if wish.data:
            known = pack_names(self.packs)
            if wish.data not in known:
                names = ", ".join(known) or "this server has none"
                raise BadMessage(f"no data pack is called {wish.data!r}; use {names}")
        scenario = wish.scenario or title.scenarios[0].id
        options: dict[str, OptionValue] = title.check_options(dict(wish.options))
        facts = title.data(Path(self.packs) / wish.data if wish.data else None)
        if scenario not in {each.id for each in title.scenarios}:
            names = ", ".join(each.id for each in title.scenarios)
            raise BadMessage(f"{title.id} has no scenario {scenario!r}; use {names}")
        return GameRow(
            id=models.new_id(),
            created=now(),
            title=title.id,
            scenario=scenario,
            options=options,
            position=wish.position,
            seed=secrets.token_hex(32),
            words=[],
            mode=wish.mode,
            status=PLAYING,
            clock=wish.clock,
            data=wish.data,
            digest=facts.digest,
            version=title.version,
            bids={},
            seq=0,
            actor="",
            moved=now(),
            deadline=0,
            result="",
            rematch="",
            parent="",
            begun=0,
            watch=int(wish.mode == "open" if wish.watch is None else wish.watch),
        )

    def _begin(self, row: GameRow) -> Game:
        """Let a game begin: the first side may decide."""
        game = begin(row, self.packs)
        row.status, row.begun, row.moved = PLAYING, now(), now()
        row.actor = game.actor or ""
        row.scenario = game.scenario
        if row.clock and game.actor:
            row.deadline = row.begun + row.clock.seconds * 1000
        if game.outcome:
            row.status = OVER
        return game

    @staticmethod
    def _creator(title: Title, wish: wire.NewGame) -> Side:
        """The side that the creator takes: the first human one that was described."""
        for side in wish.seats:
            if side not in title.sides:
                raise BadMessage(f"no side is called {side!r}; use {' or '.join(title.sides)}")
        for side, seat in wish.seats.items():
            if seat.kind == "human":
                return side
        return next((side for side in title.sides if side not in wish.seats), title.sides[0])

    def _seats(
        self,
        title: Title,
        wish: wire.NewGame,
        row: GameRow,
        mine: Side,
        account: str | None,
        name: str,
    ) -> tuple[list[SeatRow], dict[Side, str]]:
        seats, tokens = [], {}
        shared = models.new_token()
        for side in title.sides:
            asked = wish.seats.get(side, wire.SeatWish())
            kind = asked.kind
            if wish.mode == "opponent" and side not in wish.seats and side != mine:
                kind = "opponent"
            if wish.mode in ("link", "open") and kind == "opponent":
                raise BadMessage(f"mode {wish.mode} is for two people; use mode opponent")
            level = (asked.level or DEFAULT_LEVEL) if kind == "opponent" else ""
            if level:
                check_level(level)
            own = side == mine or wish.mode == "hotseat"
            token = ""
            if kind == "human" and (own or wish.mode != "open"):
                token = shared if wish.mode == "hotseat" else models.new_token()
                tokens[side] = token
            seats.append(
                SeatRow(
                    game=row.id,
                    side=side,
                    token=models.fingerprint(token) if token else "",
                    kind=kind,
                    level=level,
                    name=wire.one_line(asked.name, 40)
                    or (level.partition(":")[0].capitalize() if level else name if own else ""),
                    account=account if own and kind == "human" else None,
                    joined=now() if own or kind == "opponent" else 0,
                    seen=0,
                    looked=0,
                    note="",
                )
            )
        if wish.mode == "opponent" and all(seat.kind == "human" for seat in seats):
            raise BadMessage("mode opponent needs an opponent on one side; name its level")
        return seats, tokens

    # Joining.

    async def join(self, game: str, wish: wire.Join, account: str | None, name: str) -> Created:
        """Take a seat; when all are taken, the game begins."""
        token = wish.seat or models.new_token()

        def work(connection: Connection) -> tuple[GameRow, Side]:
            row, seats = self._waiting(connection, game)
            side = _free_seat(seats, wish)
            seat = seats[side]
            if seat.joined:
                raise BadMessage("this seat is taken already; wait for the other side")
            if row.bids and wish.bid is None:
                raise BadMessage("this game decides sides by bids; give yours")
            if wish.bid is not None:
                title = sandtable.title(row.title)
                title.check_options({**row.options, _bid_option(title): wish.bid})
                row.bids[side] = wish.bid
            if wish.words:
                row.words.append(wire.one_line(wish.words, 200))
            seat.joined, seat.token = now(), models.fingerprint(token)
            seat.name = wire.one_line(wish.name, 40) or seat.name or name
            seat.account = account
            if all(each.joined for each in seats.values()):
                side = self._settle_bids(row, seats, side)
                self._begin(row)
            _save(connection, row, seats)
            self.store.notify(connection, f"begun {game}:0")
            return row, side

        row, side = await self.store.write(work)
        if game in self.rooms.rooms:
            await self.rooms.refresh(self.rooms.rooms[game])
        return Created(game, {side: token}, commitment(row.seed), row.status)

    @staticmethod
    def _waiting(connection: Connection, game: str) -> tuple[GameRow, dict[Side, SeatRow]]:
        query = sa.select(schema.games.c.id).where(schema.games.c.id == game)
        if connection.dialect.name == "postgresql":
            query = query.with_for_update()
        connection.execute(query)
        row = models.read_game(connection, game)
        if row is None:
            raise BadMessage(f"there is no game {game!r}; check the link")
        if row.status != WAITING:
            raise BadMessage("the game has begun; open your seat's link")
        return row, models.read_seats(connection, game)

    @staticmethod
    def _settle_bids(row: GameRow, seats: dict[Side, SeatRow], joined: Side) -> Side:
        """18.1 The higher bid takes the first side at its price; a tie goes by the hidden seed."""
        if not row.bids:
            return joined
        title = sandtable.title(row.title)
        first, second = title.sides
        # The seed is committed to and unknown to both, so nobody can steer the tie.
        tie = commitment(f"tie {row.seed}")[0] in "01234567"
        ours, theirs = row.bids[first], row.bids[second]
        row.options[_bid_option(title)] = max(ours, theirs)
        if ours > theirs or (ours == theirs and tie):
            return joined
        seats[first], seats[second] = seats[second], seats[first]
        seats[first].side, seats[second].side = first, second
        row.bids = {first: theirs, second: ours}
        return title.other(joined)

    # Past and future of a game.

    async def rematch(self, room: Room) -> str:
        """A new game with sides swapped, in which every token opens the other side."""
        old, seats = room.row, room.seats
        title = sandtable.title(old.title)
        row = msgspec.structs.replace(
            old,
            id=models.new_id(),
            created=now(),
            seed=secrets.token_hex(32),
            words=[],
            bids={},
            seq=0,
            result="",
            rematch="",
            parent=old.id,
            deadline=0,
        )
        self._begin(row)
        swap = room.row.mode != "hotseat"
        fresh = [
            msgspec.structs.replace(
                seat,
                game=row.id,
                side=title.other(side) if swap else side,
                joined=now(),
                seen=0,
                looked=0,
                note="",
            )
            for side, seat in seats.items()
        ]

        def work(connection: Connection) -> str:
            known = models.read_game(connection, old.id)
            if known is None:
                raise BadMessage("the game is gone")
            if known.rematch:
                return known.rematch
            models.insert_game(connection, row, fresh)
            models.update_game(connection, old.id, rematch=row.id)
            self.store.notify(connection, f"begun {old.id}:0")
            return row.id

        room.row.rematch = await self.store.write(work)
        room.broadcast({"type": "rematch", "game": room.row.rematch})
        await self.rooms.get(room.row.rematch)
        return room.row.rematch

    async def game_at(self, room: Room, at: int) -> Game:
        """The game as it was after a line, without what was taken back."""
        desk = room.desk
        count = bisect_right(desk.alive, at)
        lines = [entry.line.text for entry in desk.table.history[:count]]
        marks: dict[int, Game] = room.__dict__.setdefault("marks", {})
        for known in [known for known in marks if known > len(desk.alive)]:
            del marks[known]
        start = max((known for known in marks if known <= count), default=0)
        base = marks[start] if start else desk.begin()
        return await self.rooms.replay(_replay_on, base.copy(), lines, start, marks)

    async def branch(
        self, room: Room, eye: Eye, wish: wire.Branch, account: str | None, name: str
    ) -> Created:
        """A sandbox from any point: what the seat cannot see is drawn anew, and so are dice."""
        over = room.desk.game.outcome is not None
        if eye is None and not over:
            raise BadMessage("spectators can branch off when the game is over")
        at = room.desk.seq if wish.at is None else wish.at
        game = await self.game_at(room, at)
        if game.outcome:
            raise BadMessage("the game is over at that point; go back a little")
        if eye not in (None, BOTH) and not over:
            game = game.resample(eye, secrets.token_hex(16))
        opponents = any(seat.kind == "opponent" for seat in wish.seats.values())
        fresh = wire.NewGame(
            title=room.row.title,
            scenario=room.row.scenario,
            mode="opponent" if opponents else "hotseat",
            seats=wish.seats,
            data=room.row.data,
            position=game.position_text(),
        )
        return await self.create(fresh, account, name)

    async def upload(self, text: str, account: str | None, name: str) -> Created:
        """Go on with a game that was played elsewhere, at one screen."""
        record = records.parse(text)
        if len(record.lines) > wire.MOST_LINES:
            raise BadMessage(f"the record has more than {wire.MOST_LINES} lines")
        if record.faces is not None:
            raise BadMessage("games with scripted dice cannot be played here")
        title = sandtable.title(record.title)
        played = await self.rooms.workers.played(text)
        wish = wire.NewGame(
            title=record.title,
            scenario=record.scenario,
            options=record.options,
            position=record.position,
        )
        row = self._row(title, wish)
        seats, tokens = self._seats(title, wish, row, title.sides[0], account, name)
        for seat in seats:
            seat.name = wire.one_line(record.players.get(seat.side, ""), 40) or seat.name
        row.seed, row.words = record.seed or "", list(record.words)
        await self._beside(row, self._begin, row)
        row.seq, row.actor, row.result = len(played.lines), played.actor, played.result
        row.status = OVER if played.result else PLAYING
        at = now()
        lines = [
            {"game": row.id, "seq": n, "text": text, "dice": dice, "by": by, "at": at}
            for n, (text, dice, by) in enumerate(played.lines, 1)
        ]

        def work(connection: Connection) -> None:
            models.insert_game(connection, row, seats)
            if lines:
                connection.execute(sa.insert(schema.actions), lines)

        await self.store.write(work)
        return Created(row.id, tokens, commitment(row.seed), row.status)


def pack_names(folder: str) -> list[str]:
    """The edited data packs that a server with this folder offers."""
    if not folder or not Path(folder).is_dir():
        return []
    return sorted(each.name for each in Path(folder).iterdir() if each.is_dir())


def _replay_on(game: Game, lines: Sequence[str], start: int, marks: dict[int, Game]) -> Game:
    """Play lines on a copy, keeping further copies on the way."""
    table = Table(game)
    for number, text in enumerate(lines[start:], start + 1):
        match text.split():
            case ["!order", side, interrupt, setting]:
                table.order(side, interrupt, setting)
            case ["!resign", side]:
                table.resign(side)
            case ["!agree", what]:
                table.agree(what)
            case ["!time", side]:
                table.forfeit(side)
            case _:
                table.play(text)
        if number % MARK == 0 and number not in marks:
            marks[number] = table.game.copy()
    return table.game


def check_level(level: str, longest: float = LONGEST_PLAN) -> None:
    """Refuse a level that nobody has, or one that would take too much of the server."""
    name, _, budget = level.partition(":")
    if name not in LEVELS:
        known = ", ".join(LEVELS)
        raise BadMessage(
            f"no opponent is called {level!r}; use {known}, or general:5 for 5 seconds"
        )
    if "x" in budget:
        raise BadMessage(
            f"{level!r}: a general thinks on all idle cores here; leave them out: general:5"
        )
    player(level, "", longest=longest)


def _free_seat(seats: dict[Side, SeatRow], wish: wire.Join) -> Side:
    if wish.seat:
        for side, seat in seats.items():
            if seat.opens_with(wish.seat):
                return side
        raise BadMessage("the link does not open a seat of this game; ask for a new one")
    for side, seat in seats.items():
        if not seat.token and not seat.joined and wish.side in ("", side):
            return side
    raise BadMessage("no seat is free; choose another game")


def _save(connection: Connection, row: GameRow, seats: dict[Side, SeatRow]) -> None:
    fields = msgspec.structs.asdict(row)
    models.update_game(connection, fields.pop("id"), **fields)
    for side, seat in seats.items():
        columns = msgspec.structs.asdict(seat)
        del columns["game"], columns["side"]
        models.update_seat(connection, row.id, side, **columns)


def _bid_option(title: Title) -> str:
    if all(option.id != "bid" for option in title.options):
        raise BadMessage(f"{title.id} has no bids for sides; leave the bid out")
    return "bid"


__all__ = ["Created", "Games", "NotFound"]
