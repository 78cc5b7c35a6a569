"""Clocks, notices by e-mail and webhook, and their guard."""

from __future__ import annotations

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from sandtable.kernel.errors import BadMessage
from sandtable.server.clocks import Clock
from sandtable.server.notices import check_email, check_url
from sandtable.server.store import open_engine
from sandtable.server.wire import ClockWish
from tests.server.harness import PATIENCE, Server, play_on, running


def test_clocks_charge_the_side_that_decides_and_add_the_increment_when_it_passes() -> None:
    clock = Clock.start(ClockWish(seconds=100, increment=5), ("red", "blue"), "red", 0)
    clock.press("red", 10_000)
    assert clock.left == {"red": 90_000, "blue": 100_000} and clock.deadline == 100_000
    clock.press("blue", 20_000)
    assert clock.left == {"red": 85_000, "blue": 100_000} and clock.running == "blue"
    clock.press("red", 130_000)
    assert clock.left["blue"] == 5_000
    clock.press(None, 140_000)
    assert clock.deadline == 0


def test_a_side_that_has_run_out_gets_a_little_for_each_further_decision() -> None:
    clock = Clock.start(ClockWish(seconds=10), ("red", "blue"), "red", 0)
    clock.press("red", 11_000)
    assert clock.left["red"] == 10_000 and clock.deadline == 21_000


def test_when_time_is_up_the_neutral_action_is_played(server: Server) -> None:
    made = server.create(mode="link", clock={"seconds": 1}, words="")
    seat = server.sit(made["game"], made["seats"]["allied"])
    assert seat.state["waiting"] and seat.state["clocks"] is None
    server.post(f"/api/games/{made['game']}/join", {"seat": made["seats"]["axis"]})
    begun = seat.hear("state")
    assert begun["clocks"]["left"]["allied"] == 1000 and begun["clocks"]["running"] == "allied"
    told = seat.hear("update")
    assert told["by"] == "allied" and "Time is up" in told["reason"]
    assert told["clocks"]["left"]["allied"] >= 10_000
    seat.close()


def test_or_the_game_is_lost_if_that_was_agreed(server: Server) -> None:
    made = server.create(mode="link", clock={"seconds": 1, "out": "loss"})
    seat = server.sit(made["game"], made["seats"]["axis"])
    seat.until(1)
    assert seat.state["outcome"]["winner"] == "axis" and seat.state["outcome"]["level"] == "time"
    assert server.get(f"/api/games/{made['game']}/verify")["ok"] is True
    seat.close()


def test_a_game_that_cannot_be_opened_stops_nobody_elses_clock(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with running(database, "--no-limits") as server:
        stuck = server.create(mode="link", clock={"seconds": 3600})
        engine = open_engine(database)
        with engine.begin() as db:  # as if begun with other rules, long ago
            sql = "UPDATE games SET version = 99, deadline = 1 WHERE id = :id"
            db.execute(sa.text(sql), {"id": stuck["game"]})
        engine.dispose()
        made = server.create(mode="link", clock={"seconds": 1, "out": "loss"})
        seat = server.sit(made["game"], made["seats"]["axis"])
        seat.until(1)
        assert seat.state["outcome"]["level"] == "time"
        seat.close()
        assert "rules version 99" in server.get(f"/api/games/{stuck['game']}", status=400)["error"]
        assert server.said().count("cannot be opened") == 1


class Mailbox(socketserver.BaseRequestHandler):
    """A mail server that keeps what it is given."""

    def handle(self) -> None:
        """As much SMTP as a sender needs."""
        lines = self.request.makefile("rb")
        self.request.sendall(b"220 test\r\n")
        while line := lines.readline():
            word = line.split()[0].upper()
            if word == b"DATA":
                self.request.sendall(b"354 go on\r\n")
                text = b""
                while (part := lines.readline()) != b".\r\n":
                    text += part
                mail = message_from_bytes(text, policy=default)
                self.server.mails.append(mail["subject"] + "\n" + mail.get_content())  # type: ignore[attr-defined]
            elif word == b"QUIT":
                self.request.sendall(b"221 bye\r\n")
                return
            self.request.sendall(b"250 fine\r\n")


class Hook(BaseHTTPRequestHandler):
    """A webhook that keeps what it is sent."""

    def do_POST(self) -> None:
        """Keep the body."""
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.bodies.append(msgspec.json.decode(body))  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def listening(service: Any) -> Iterator[Any]:
    """A service in a thread."""
    thread = threading.Thread(target=service.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.shutdown()
        service.server_close()


def wait(true: Any) -> None:
    """Wait for something to become true."""
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.heavy
def test_notices_go_to_confirmed_addresses_of_players_who_are_not_there(tmp_path: Path) -> None:
    mail = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mailbox)
    mail.daemon_threads = True
    mail.mails = []  # type: ignore[attr-defined]
    hook = HTTPServer(("127.0.0.1", 0), Hook)
    hook.bodies = []  # type: ignore[attr-defined]
    env = {"SANDTABLE_SMTP": f"smtp://127.0.0.1:{mail.server_address[1]}"}
    options = ("--no-limits", "--notice-delay", "0.1", "--private-webhooks")
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with listening(mail), listening(hook), running(database, *options, env=env) as server:
        made = server.create(mode="link")
        seat = {"game": made["game"], "seat": made["seats"]["axis"]}
        url = f"http://127.0.0.1:{hook.server_address[1]}/turn"
        server.post("/api/notices", {**seat, "kind": "webhook", "target": url})
        server.post("/api/notices", {**seat, "kind": "email", "target": "axis@example.org"})
        server.post("/api/notices", {**seat, "kind": "email", "target": "a@b\nc"}, status=400)
        (confirm,) = mail.mails  # type: ignore[attr-defined]
        link = next(word for word in confirm.split() if "/api/notices/confirm?token=" in word)
        path = link.removeprefix(server.url)
        assert server.get(path)["confirmed"] is True
        server.get(path, status=400)
        both = server.sit(made["game"], made["seats"]["allied"])
        while both.state["view"]["actor"] == "allied":
            play_on({"allied": both, "axis": both}, 1)
        wait(lambda: hook.bodies and len(mail.mails) > 1)  # type: ignore[attr-defined]
        assert hook.bodies[0]["side"] == "axis" and hook.bodies[0]["kind"] == "turn"  # type: ignore[attr-defined]
        assert "your turn" in mail.mails[1]  # type: ignore[attr-defined]
        assert made["seats"]["axis"] not in mail.mails[1]  # type: ignore[attr-defined]
        # Somebody who is there is not told: the axis player comes, and nothing more is sent.
        told = len(hook.bodies)  # type: ignore[attr-defined]
        there = server.sit(made["game"], made["seats"]["axis"])
        both.ask("resign")
        time.sleep(6)
        assert len(hook.bodies) == told  # type: ignore[attr-defined]
        for each in (both, there):
            each.close()


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:192.168.0.1]/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0.0.0.0/",
        "ftp://example.org/",
        "http://user:password@example.org/",
        "http://93.184.216.34:22/",
        "https:///nothing",
        "http://93.184.216.34:x/",
    ],
)
def test_webhooks_cannot_point_inside(url: str) -> None:
    with pytest.raises(BadMessage):
        check_url(url)


def test_a_public_webhook_is_allowed() -> None:
    assert check_url("https://93.184.216.34/turn?x=1") == ["93.184.216.34"]


def test_addresses_that_are_not_one_address() -> None:
    check_email("anne.b+games@mail.example.org")
    for wrong in ("anne", "a@b", "a@b.c,d@e.f", "a@b.c\r\nBcc: x@y.z", "<a@b.c>", "a@@b.c"):
        with pytest.raises(BadMessage):
            check_email(wrong)
