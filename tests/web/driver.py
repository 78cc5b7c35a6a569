"""A real server and a real Chromium for the browser tests."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Server:
    """`sandtable serve` on a free port with a database of its own."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.folder = tempfile.TemporaryDirectory()
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.folder.cleanup()

    def start(self) -> None:
        """Serve, and wait until it answers."""
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "sandtable", "serve", "--port", str(self.port)),
                *("--database", f"sqlite:///{self.folder.name}/games.sqlite"),
                *("--no-limits", "--workers", "1"),
            ],
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            stdout=subprocess.DEVNULL,
        )
        patience = time.monotonic() + 180
        while self.process.poll() is None and time.monotonic() < patience:
            try:
                urllib.request.urlopen(f"{self.base}/health", timeout=5).close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server does not start")

    def stop(self) -> None:
        """End the server; one that ended by itself is a failure."""
        if self.process:
            ended = self.process.poll()
            self.process.terminate()
            self.process.wait(20)
            self.process = None
            assert ended is None, f"the server ended by itself with {ended}"

    def ask(self, path: str, body: Any = None) -> Any:
        """One request of the HTTP interface."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.base}/api/{path}", data, {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=180) as answer:
            return json.load(answer)

    def new(self, title: str, mode: str = "hotseat", **more: Any) -> Any:
        """A new game."""
        return self.ask("games", {"title": title, "mode": mode, **more})

    def stroll(self, made: Any, steps: int, seed: int = 1, until: str = "") -> None:
        """Play at random for both sides, perhaps until the prompt matches something."""
        random, token = Random(seed), next(iter(made["seats"].values()))
        for step in range(steps):
            state = self.ask(f"games/{made['game']}/state?seat={token}")
            if not state["actions"] or (until and re.search(until, state["view"]["prompt"])):
                return
            action = random.choice(state["actions"])["text"]
            self.ask(
                f"games/{made['game']}/play?seat={token}", {"action": action, "id": f"s{step}"}
            )

    def seat(self, made: Any, side: str = "") -> str:
        """The address of a seat, as the server gives it to people."""
        links: dict[str, str] = made["links"]
        return links[side] if side else next(iter(links.values()))
