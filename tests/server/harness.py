"""Real servers, real clients and a PostgreSQL cluster of our own, for the tests of the server."""

from __future__ import annotations

import os
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from glob import glob
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

SOURCE = Path(__file__).parents[2] / "src"
PATIENCE = 120.0
Message = dict[str, Any]


class Server:
    """A server process."""

    def __init__(
        self, database: str, *more: str, env: dict[str, str] | None = None, script: str = ""
    ) -> None:
        """`script` is Python that calls the command line, for tests that change something first."""
        self.database, self.more, self.env = database, more, env or {}
        self.program = [sys.executable, *(("-c", script) if script else ("-m", "sandtable"))]
        self.log = tempfile.NamedTemporaryFile("w+", suffix=".log")  # noqa: SIM115
        self.port = free_port()
        self.start()

    def start(self) -> None:
        """Start, on the same port as before if there was one."""
        command = [*self.program, "serve", "--database", self.database]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), "--workers", "1", *self.more],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env={**os.environ, "PYTHONPATH": str(SOURCE), **self.env},
        )
        assert self.process.stdout
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        line = self.process.stdout.readline() if ready else ""
        assert "http" in line, f"the server did not start: {self.said()}"

    def said(self) -> str:
        """What the server wrote to its log."""
        return Path(self.log.name).read_text()

    def kill(self) -> None:
        """kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
        assert self.process.stdout
        self.process.stdout.close()

    def stop(self) -> None:
        """Stop as a careful person does."""
        if not self.log.closed:
            # pytest shows it if the test failed.
            print(f"server exit code {self.process.poll()}, log:\n{self.said()}")
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(PATIENCE)
        if self.process.stdout:
            self.process.stdout.close()
        self.log.close()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def http(self, **more: Any) -> httpx.Client:
        """A client with cookies of its own."""
        return httpx.Client(base_url=self.url, timeout=PATIENCE, **more)

    def create(self, **wish: Any) -> Message:
        """A new game."""
        with self.http() as client:
            answer = client.post("/api/games", json={"title": "battleaxe", **wish})
        assert answer.status_code == 200, answer.text
        made: Message = answer.json()
        return made

    def get(self, path: str, token: str = "", status: int = 200) -> Any:
        """An answer, as JSON."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with self.http() as client:
            answer = client.get(path, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json() if "json" in answer.headers["content-type"] else answer.text

    def post(self, path: str, body: Any, token: str = "", status: int = 200) -> Any:
        """An answer to a request with a body, as JSON."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with self.http() as client:
            answer = client.post(path, json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    def sit(self, game: str, token: str = "", since: int | None = None) -> Seat:
        """Take a seat, or watch."""
        return Seat(self, game, token, since)


class Seat:
    """A client on a websocket."""

    def __init__(self, server: Server, game: str, token: str, since: int | None = None) -> None:
        self.server, self.game, self.token = server, game, token
        self.count = 0
        self.state: Message = {}
        self.session = f"{random.getrandbits(40):x}"
        self.connect(since)

    def connect(self, since: int | None = None) -> Message:
        """Connect, or connect again."""
        query = f"seat={self.token}" if self.token else ""
        if since is not None:
            query += f"&since={since}"
        url = f"ws://127.0.0.1:{self.server.port}/api/games/{self.game}/live?{query}"
        self.opened = connect(
            url, max_size=None, max_queue=None, open_timeout=PATIENCE, close_timeout=1
        )
        self.socket: ClientConnection = self.opened.__enter__()
        self.first = self.hear("state", "resume", "error")
        self.state = {**self.state, **self.first}
        return self.first

    def close(self) -> None:
        """Hang up."""
        self.socket.close()

    def hear(self, *types: str, where: Callable[[Message], bool] = lambda _: True) -> Message:
        """The next message of some type."""
        until = time.monotonic() + PATIENCE
        while True:
            left = until - time.monotonic()
            message: Message = msgspec.json.decode(self.socket.recv(timeout=max(0.01, left)))
            if message["type"] in ("state", "resume", "update"):
                self.state = {**self.state, **message}
            if message["type"] in types and where(message):
                return message

    def send(self, type: str, id: str = "", **fields: Any) -> str:
        """Send a message; its id."""
        self.count += 1
        id = id or f"{self.session}-{self.count}"
        self.socket.send(msgspec.json.encode({"type": type, "id": id, **fields}).decode())
        return id

    def ask(self, type: str, **fields: Any) -> Message:
        """Send a message and wait for its answer."""
        id = self.send(type, **fields)
        return self.hear("ack", "error", where=lambda message: message["id"] == id)

    def until(self, seq: int) -> Message:
        """Read until the state of a line is known."""
        while self.state["seq"] < seq:
            self.hear("update", "state", "resume")
        return self.state

    @property
    def texts(self) -> list[str]:
        """The actions offered."""
        return [action["text"] for action in self.state["actions"]]


def play_on(seats: dict[str, Seat], lines: int, seed: int = 1) -> int:
    """Random play by two seats for so many lines, or to the end; the number of the last line."""
    luck = random.Random(seed)
    one = next(iter(seats.values()))
    for _ in range(lines):
        actor = one.state["view"]["actor"]
        if actor is None:
            break
        seat = seats[actor]
        answer = seat.ask("play", action=luck.choice(seat.texts), seq=seat.state["seq"])
        assert answer["type"] == "ack", answer
        for each in seats.values():
            each.until(answer["seq"])
    return int(one.state["seq"])


def free_port() -> int:
    """A port that no outgoing connection will be given while its server is down."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


# PostgreSQL.


def postgres_programs() -> Path | None:
    """Where initdb and pg_ctl are."""
    found = [Path(each).parent for each in sorted(glob("/usr/lib/postgresql/*/bin/initdb"))]
    on_path = shutil.which("initdb")
    if on_path and not found:
        # Debian's wrappers on the path look for its own clusters: they come second.
        found.append(Path(on_path).resolve().parent)
    return found[-1] if found else None


class Cluster:
    """A PostgreSQL cluster in a temporary folder, run by a user who is not root."""

    def __init__(self) -> None:
        programs = postgres_programs()
        if programs is None:
            missing("initdb was not found; install it with `apt-get install postgresql`")
        self.programs = programs
        self.prefix = []
        if os.geteuid() == 0:
            if shutil.which("runuser") is None:
                missing("runuser was not found, and PostgreSQL does not run as root")
            with open("/etc/passwd") as users:
                if not any(line.startswith("postgres:") for line in users):
                    missing("there is no user `postgres`; install PostgreSQL's own package")
            self.prefix = ["runuser", "-u", "postgres", "--"]
        self.folder = Path(tempfile.mkdtemp(prefix="sandtable-pg-", dir="/tmp"))
        if self.prefix:
            shutil.chown(self.folder, "postgres")
        self.port = free_port()
        self._run("initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "sandtable", "-N")
        self.start()

    def start(self) -> None:
        """Start the cluster."""
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-o", options, "-l",
                  f"{self.folder}/log", "start")  # fmt: skip

    def stop(self) -> None:
        """Stop it at once, as a power cut would."""
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        """Stop it and leave nothing behind."""
        with suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def database(self, name: str) -> str:
        """A new empty database."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "sandtable", name)
        return f"postgresql://sandtable@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *args: str) -> None:
        command = [*self.prefix, str((self.programs or Path()) / program), *args]
        # pg_ctl leaves a child behind that keeps our pipes open; files do not wait for it.
        subprocess.run(
            command,
            check=True,
            cwd="/tmp",
            timeout=60,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def missing(what: str) -> None:
    """Say what is missing; an error where everything must be there."""
    if os.environ.get("SANDTABLE_REQUIRE_POSTGRES"):
        pytest.fail(f"PostgreSQL tests cannot run: {what}")
    pytest.skip(f"PostgreSQL tests are left out: {what}")


@contextmanager
def running(
    database: str, *more: str, env: dict[str, str] | None = None, script: str = ""
) -> Iterator[Server]:
    """A server for a while."""
    server = Server(database, *more, env=env, script=script)
    try:
        yield server
    finally:
        server.stop()


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found.append(int(status.parent.name))
    return found


def command(pid: int) -> str:
    """What a process runs."""
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
