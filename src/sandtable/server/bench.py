"""The load generator: many games over real websockets against a real server on this machine."""

from __future__ import annotations

import asyncio
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

import sandtable
from sandtable.kernel.errors import BadMessage


class Choice(Struct):
    """As much of an action as a random player reads."""

    text: str


class Heard(Struct):
    """As much of a message as a random player reads."""

    type: str
    seq: int = 0
    actions: list[Choice] = []
    error: str = ""
    outcome: dict[str, Any] | None = None


_decode = msgspec.json.Decoder(Heard).decode


class Socket(asyncio.Protocol):
    """A lean websocket client: the generator must not be slower than the server."""

    def __init__(self, bot: Bot, side: str) -> None:
        self.bot, self.side = bot, side
        self.buffer = bytearray()
        self.open = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask to become a websocket."""
        self.transport = cast(asyncio.Transport, transport)
        token, game = self.bot.tokens[self.side], self.bot.game
        self.transport.write(
            f"GET /api/games/{game}/live?seat={token} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Take frames apart."""
        self.buffer += data
        if not self.open:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if b" 101 " not in self.buffer[:20]:
                raise BadMessage(f"the server refused a websocket: {bytes(self.buffer[:60])!r}")
            del self.buffer[: end + 4]
            self.open = True
        while len(self.buffer) >= 2:
            kind, size, at = self.buffer[0] & 15, self.buffer[1] & 127, 2
            if size == 126:
                if len(self.buffer) < 4:
                    return
                size, at = struct.unpack_from(">H", self.buffer, 2)[0], 4
            elif size == 127:
                if len(self.buffer) < 10:
                    return
                size, at = struct.unpack_from(">Q", self.buffer, 2)[0], 10
            if len(self.buffer) < at + size:
                return
            if kind == 1:
                self.bot.hear(self.side, bytes(memoryview(self.buffer)[at : at + size]))
            elif kind == 9:
                self.transport.write(_frame(10, bytes(self.buffer[at : at + size])))
            del self.buffer[: at + size]

    def send(self, message: bytes) -> None:
        """Send a text."""
        self.transport.write(_frame(1, message))


def _frame(kind: int, content: bytes) -> bytes:
    """A masked frame; a mask of zeros is a mask."""
    size = len(content)
    head = (
        bytes([128 | kind, 128 | size])
        if size < 126
        else struct.pack(">BBH", 128 | kind, 254, size)
    )
    return head + b"\0\0\0\0" + content


class Bot:
    """Both players of one game."""

    def __init__(self, load: Load, game: str, tokens: dict[str, str]) -> None:
        self.load, self.game, self.tokens = load, game, tokens
        self.sockets: dict[str, Socket] = {}
        self.actions: dict[str, list[Choice]] = {}
        self.seq = self.count = 0
        self.sent = 0.0
        self.awaited = 0
        self.over = False

    @property
    def ready(self) -> bool:
        """Whether the game waits for us."""
        return not self.awaited and not self.over and any(self.actions.values())

    def play(self) -> None:
        """Play any legal action."""
        side = next(side for side, actions in self.actions.items() if actions)
        action = random.choice(self.actions[side]).text
        self.count += 1
        self.awaited, self.sent = 3, time.perf_counter()
        message = {"type": "play", "id": f"r{self.count}", "seq": self.seq, "action": action}
        self.sockets[side].send(msgspec.json.encode(message))

    def hear(self, side: str, raw: bytes) -> None:
        """Read a message; an action is done when it is acknowledged and both seats know."""
        message = _decode(raw)
        if message.type in ("update", "state"):
            self.actions[side], self.seq = message.actions, message.seq
            self.over = message.outcome is not None
        if message.type in ("update", "ack") and self.awaited:
            self.awaited -= 1
            if not self.awaited:
                self.load.done(self, time.perf_counter() - self.sent)
        if message.type == "error":
            self.load.errors.append(message.error)
            self.awaited = 0


class Load:
    """The games of one run."""

    def __init__(self, port: int, title: str = "battleaxe") -> None:
        self.port, self.title = port, title
        self.bots: list[Bot] = []
        self.times: list[float] = []
        self.errors: list[str] = []
        self.chain = False
        self.until = 0.0

    def done(self, bot: Bot, seconds: float) -> None:
        """One action came back everywhere."""
        self.times.append(seconds)
        if self.chain and time.perf_counter() < self.until:
            if bot.ready:
                bot.play()
            else:
                self._another()

    def _another(self) -> None:
        for _ in range(50):
            bot = random.choice(self.bots)
            if bot.ready:
                bot.play()
                return

    async def open(self, number: int) -> None:
        """Make games and take both seats of each."""
        loop = asyncio.get_running_loop()
        body = msgspec.json.encode({"title": self.title, "mode": "link"})
        for at in range(number):
            made = await asyncio.to_thread(ask, self.port, "/api/games", body)
            bot = Bot(self, made["game"], made["seats"])
            for side in bot.tokens:
                _, socket = await loop.create_connection(
                    lambda bot=bot, side=side: Socket(bot, side),  # type: ignore[misc]
                    "127.0.0.1",
                    self.port,
                )
                bot.sockets[side] = socket
            self.bots.append(bot)
            if at % 20 == 0:
                await asyncio.sleep(0)
        async with asyncio.timeout(60):
            while not all(bot.ready for bot in self.bots):
                await asyncio.sleep(0.05)

    async def paced(self, rate: float, seconds: float) -> None:
        """Actions at a steady rate, spread over all games."""
        self.chain = False
        began = time.perf_counter()
        played = 0
        while (passed := time.perf_counter() - began) < seconds:
            while played < passed * rate:
                self._another()
                played += 1
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.5)

    async def saturate(self, seconds: float, together: int) -> float:
        """As many actions as come back, with so many games waiting at once; the rate."""
        self.chain, began = True, time.perf_counter()
        self.until = began + seconds
        before = len(self.times)
        for _ in range(together):
            self._another()
        await asyncio.sleep(seconds)
        rate = (len(self.times) - before) / (time.perf_counter() - began)
        await asyncio.sleep(0.5)
        return rate

    def close(self) -> None:
        """Hang up."""
        for bot in self.bots:
            for socket in bot.sockets.values():
                socket.transport.abort()


def ask(port: int, path: str, body: bytes | None = None) -> Any:
    """One HTTP request."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", data=body, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return msgspec.json.decode(answer.read())


@contextmanager
def serving(database: str, *more: str) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """A real server on a free port."""
    command = [sys.executable, "-m", "sandtable", "serve", "--database", database, "--port", "0"]
    process = subprocess.Popen(
        [*command, "--no-limits", *more], stdout=subprocess.PIPE, text=True, bufsize=1
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        if "http" not in line:
            raise BadMessage("the server did not start; see its message above")
        yield int(line.rsplit(":", 1)[1]), process
    finally:
        process.terminate()
        process.wait(10)


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def processor(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(
    database: str, games: int, rate: float, seconds: float, together: int
) -> dict[str, Any]:
    """All figures of the server."""
    began = time.perf_counter()
    with serving(database) as (port, process):
        load = Load(port)
        await load.open(1)
        load.bots[0].play()
        async with asyncio.timeout(30):
            while not load.times:
                await asyncio.sleep(0.002)
        first = time.perf_counter() - began
        empty = resident(process.pid)
        await load.open(games - 1)
        opened = resident(process.pid)
        await load.paced(rate, min(3.0, seconds))  # warm up
        load.times.clear()
        await load.paced(rate, seconds)
        paced = sorted(load.times)
        load.times.clear()
        spent = processor(process.pid)
        saturated = await load.saturate(seconds, together)
        spent = processor(process.pid) - spent
        busy = sorted(load.times)
        used = resident(process.pid)
        lines = sum(bot.seq for bot in load.bots)
        load.close()
    return {
        "database": database.split(":")[0],
        "games": games,
        "websockets": 2 * games,
        "start_to_first_move_s": round(first, 2),
        "rate_asked": rate,
        "rate_kept": round(len(paced) / seconds, 1),
        **{f"p{p}_ms": round(1000 * paced[len(paced) * p // 100], 2) for p in (50, 95, 99)},
        "saturated_actions_per_second": round(saturated),
        "server_cpu_ms_an_action": round(1000 * spent / max(1, len(busy)), 3),
        "saturated_p95_ms": round(1000 * busy[len(busy) * 95 // 100], 2),
        "kB_a_game_opened": round((opened - empty) / games / 1000),
        "kB_a_game_played": round((used - empty) / games / 1000),
        "lines_a_game": round(lines / games),
        "load_average": round(os.getloadavg()[0], 1),
        "errors": load.errors[:5],
    }


def long_game() -> dict[str, Any]:
    """How long a game of Theseus by two recruits takes to open, without and with a snapshot."""
    from sandtable.players import Seat, player
    from sandtable.server import models, snapshots
    from sandtable.server.desk import Desk
    from sandtable.server.store import Stored

    title = sandtable.title("theseus")
    row = models.GameRow(
        id="long", created=0, title=title.id, scenario="campaign", options=title.check_options({}),
        position="", seed="a" * 64, words=[], mode="link", status=models.PLAYING, clock=None,
        data="", digest=title.data().digest, version=title.version, bids={}, seq=0, actor="",
        moved=0, deadline=0, result="", rematch="", parent="", begun=1,
    )  # fmt: skip
    desk, lines = Desk(row, {}), list[Stored]()
    recruits = {side: player("recruit", side) for side in title.sides}
    kept: snapshots.Snapshot | None = None
    while (side := desk.game.actor) is not None:
        sample = desk.game.resample(side, "look")
        text = desk.game.text(recruits[side].choose(Seat(sample, side)).action)
        applied = desk.apply(text, side, 0)
        lines.append(Stored(applied.seq, applied.text, applied.dice, side, 0, ""))
        if snapshots.due(desk, kept.seq if kept else 0):
            kept = snapshots.packed(snapshots.take(desk))

    def opened(snapshot: snapshots.Snapshot | None) -> float:
        times = []
        for _ in range(3):
            began = time.perf_counter()
            again = snapshots.open_desk(row, {}, lines, "", snapshot)
            times.append(time.perf_counter() - began)
            assert again.game.digest() == desk.game.digest()
        return round(min(times), 3)

    return {
        "long_game_lines": len(lines),
        "long_game_replayed_s": opened(None),
        "long_game_opened_s": opened(kept),
        "snapshot_kB": round(len(kept.content) / 1000) if kept else 0,
    }


def run(
    database: str = "",
    games: int = 1000,
    rate: float = 500,
    seconds: float = 10,
    together: int = 64,
) -> dict[str, Any]:
    """Measure a server on a new database."""
    with tempfile.TemporaryDirectory() as folder:
        where = database or f"sqlite:///{folder}/bench.sqlite"
        try:
            import uvloop

            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                found = runner.run(measure(where, games, rate, seconds, together))
        except ImportError:
            found = asyncio.run(measure(where, games, rate, seconds, together))
    return found | long_game()
