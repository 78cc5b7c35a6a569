"""What a stranger with bad intentions tries: others' seats, floods, slow lines, odd texts."""

from __future__ import annotations

import os
import socket
import stat
import threading
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from sandtable.kernel.errors import BadMessage
from sandtable.server import door, guard, live, notices
from sandtable.server.guard import Bucket, Limits, TooMany, client
from sandtable.server.rooms import Room, Who
from tests.server.harness import PATIENCE, Cluster, Seat, Server, running
from tests.server.test_accounts import register
from tests.server.test_correspondence import listening, wait


def closed(seat: Seat) -> int:
    """Read until the server hangs up; its code."""
    try:
        while True:
            seat.socket.recv(timeout=PATIENCE)
    except ConnectionClosed as end:
        assert end.rcvd is not None
        return int(end.rcvd.code)


# Seats.


def test_a_token_opens_its_own_seat_of_its_own_game_and_nothing_else(server: Server) -> None:
    made, other = server.create(mode="link"), server.create(mode="link")
    for path in ("", "/state", "/record", "/history", "/stream"):
        server.get(f"/api/games/{made['game']}{path}", other["seats"]["allied"], status=403)
    wrong = server.sit(made["game"], other["seats"]["allied"])
    assert wrong.first["type"] == "error" and closed(wrong) == 1008
    axis = server.sit(made["game"], made["seats"]["axis"])
    for message in (
        {"type": "resign", "side": "allied"},
        {"type": "order", "side": "allied", "interrupt": "withdraw", "setting": "never"},
        {"type": "offer", "side": "allied", "what": "draw"},
        {"type": "odds", "action": "pass"},
        {"type": "hint"},
    ):
        assert axis.ask(**message)["type"] == "error", message
    watcher = server.sit(made["game"])
    for kind in ("undo", "resign", "hint"):
        assert watcher.ask(kind)["type"] == "error"
    assert watcher.ask("offer", what="draw")["type"] == "error"
    assert watcher.ask("order", interrupt="withdraw", setting="never")["type"] == "error"
    server.post(f"/api/games/{made['game']}/rotate", {}, status=403)
    server.post(f"/api/games/{made['game']}/branch", {}, status=400)
    assert server.get(f"/api/games/{made['game']}")["seq"] == 0
    for each in (axis, watcher):
        each.close()


def test_the_bids_give_the_side_to_who_won_it_on_open_connections_too(server: Server) -> None:
    made = server.create(mode="link", seats={"allied": {"name": "Anne"}}, bid=7)
    anne = server.sit(made["game"], made["seats"]["allied"])
    assert anne.state["you"] == "allied"
    path = f"/api/games/{made['game']}/join"
    again = server.post(path, {"seat": made["seats"]["allied"], "bid": 30}, status=400)
    assert "taken" in again["error"], "nobody changes a bid that was made"
    server.post(path, {"seat": made["seats"]["axis"], "bid": 14})
    begun = anne.hear("state")
    assert begun["you"] == "axis" and begun["actions"] == []
    bert = server.sit(made["game"], made["seats"]["axis"])
    assert bert.state["you"] == "allied" and bert.texts
    assert anne.ask("play", action=bert.texts[0])["type"] == "error"
    for each in (anne, bert):
        each.close()


def test_a_new_secret_ends_every_other_hold_on_the_seat(server: Server) -> None:
    made = server.create(mode="link")
    token = made["seats"]["axis"]
    with server.http() as thief:
        register(thief, "Maker of the link")
        claim = {"game": made["game"], "seat": token}
        assert thief.post("/api/seats/claim", json=claim).status_code == 200
        lurker = server.sit(made["game"], token)
        fresh = server.post(f"/api/games/{made['game']}/rotate", {}, token)["seats"]["axis"]
        assert closed(lurker) == 1008
        assert thief.get(f"/api/games/{made['game']}").json()["you"] is None
    seat = server.sit(made["game"], fresh)
    assert seat.state["you"] == "axis"
    seat.close()


def test_a_session_that_is_signed_out_loses_its_open_connections(server: Server) -> None:
    made = server.create(mode="link")
    claim = {"game": made["game"], "seat": made["seats"]["axis"]}
    url = f"ws://127.0.0.1:{server.port}/api/games/{made['game']}/live"
    with server.http() as here, server.http() as there:
        register(here, "Forgetful")
        assert here.post("/api/seats/claim", json=claim).status_code == 200
        login = {"name": "Forgetful", "password": "correct horse battery"}
        assert there.post("/api/account/login", json=login).status_code == 200
        cookie = {"Cookie": f"sandtable={there.cookies['sandtable']}"}
        with connect(url, additional_headers=cookie, open_timeout=PATIENCE) as left_open:
            assert msgspec.json.decode(left_open.recv(timeout=PATIENCE))["you"] == "axis"
            assert here.post("/api/account/revoke", json={}).json()["revoked"] == 1
            with pytest.raises(ConnectionClosed) as end:
                while True:
                    left_open.recv(timeout=PATIENCE)
            assert end.value.rcvd is not None and end.value.rcvd.code == 1008


def test_the_seed_of_a_game_between_people_is_told_to_nobody_before_the_end(
    server: Server,
) -> None:
    made = server.create(mode="link")
    with server.http() as client_:
        register(client_, "Holds both seats")
        for token in made["seats"].values():
            claim = {"game": made["game"], "seat": token}
            assert client_.post("/api/seats/claim", json=claim).status_code == 200
        record = client_.get(f"/api/games/{made['game']}/record?seed")
        assert record.status_code == 200 and "\nseed " not in record.text


def test_a_friend_cannot_stuff_the_words_or_take_a_seat_twice(server: Server) -> None:
    made = server.create(mode="link", words="mine")
    path = f"/api/games/{made['game']}/join"
    for _ in range(3):
        server.post(path, {"seat": made["seats"]["allied"], "words": "more"}, status=400)
    server.post(path, {"seat": made["seats"]["axis"], "words": "theirs"})
    assert server.get(f"/api/games/{made['game']}")["words"] == ["mine", "theirs"]


# Texts.

HOSTILE = {
    "deep arrays": "x = " + "[" * 40_000,
    "deep tables": "x = " + "{a=" * 5000,
    "a key of many parts": "a" + ".a" * 20_000 + " = 1",
    "quoted parts": '"a"' + '."a"' * 9000 + " = 1",
    "many tables": "[[a]]\n" * 8000,
    "no end": 'x = """' + "a" * 40_000,
    "too long": "#" * 60_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_positions_that_would_keep_the_server_busy_are_refused(server: Server, name: str) -> None:
    answer = server.post(
        "/api/games", {"title": "battleaxe", "position": HOSTILE[name]}, status=400
    )
    assert len(answer["error"].splitlines()) == 1


def odd_texts(server: Server) -> None:
    """Texts that a database may choke on give a clear line and spoil nothing."""
    made = server.create(mode="link")
    seat = server.sit(made["game"], made["seats"]["allied"])
    for id in ("\0", "a\0b", "é", " ", "", "x" * 65):
        seat.socket.send(
            msgspec.json.encode({"type": "play", "id": id, "action": seat.texts[0]}).decode()
        )
        assert "cannot be read" in seat.hear("error")["error"]
    for text in ("a\0b", "\u202e\u0000", "\x1b[31m"):
        assert seat.ask("chat", text=text + "x")["type"] == "ack"
        assert seat.ask("note", text=text)["type"] == "ack"
        assert seat.ask("play", action=text)["type"] == "error"
    with server.http() as client_:
        for path in ("/api/games/%00", "/api/games/a%00b/state", "/api/games/..%2f..%2fetc"):
            assert client_.get(path).status_code == 404
        assert client_.get("/api/notices/confirm?token=%00").status_code == 400
        name = f"\0 Null {made['game']}"
        assert register(client_, name).status_code == 200
        revoke = client_.post("/api/account/revoke", json={"session": "\0"})
        assert revoke.status_code == 400
        hook = {"kind": "webhook", "target": "http://a\0b.example/"}
        assert client_.post("/api/notices", json=hook).status_code == 400
    assert seat.ask("play", action=seat.texts[0])["type"] == "ack"
    assert server.get("/health")["ok"] is True
    seat.close()


def test_texts_that_a_database_may_choke_on_spoil_nothing_on_sqlite(server: Server) -> None:
    odd_texts(server)


@pytest.mark.heavy
def test_texts_that_a_database_may_choke_on_spoil_nothing_on_postgresql(cluster: Cluster) -> None:
    with running(cluster.database("odd"), "--no-limits") as server:
        odd_texts(server)


def test_the_database_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with running(f"sqlite:///{tmp_path}/games.sqlite", "--no-limits") as server:
            server.create()
            for file in tmp_path.iterdir():
                assert not stat.S_IMODE(file.stat().st_mode) & 0o077, file
    finally:
        os.umask(before)


# Floods and slow lines.


def raw(server: Server, text: bytes) -> socket.socket:
    """A connection that has sent something."""
    line = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    line.sendall(text)
    return line


def rest(line: socket.socket) -> bytes:
    """What comes until the other end closes."""
    parts = []
    try:
        while part := line.recv(65_536):
            parts.append(part)
    except ConnectionResetError:
        pass
    line.close()
    return b"".join(parts)


def test_a_head_without_an_end_is_cut_off(server: Server) -> None:
    line = raw(server, b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
    try:
        for _ in range(200):
            line.sendall(b"a" * 100_000)
    except OSError:
        line.close()
    else:
        assert b"400" in rest(line)[:40]
    # Heads as browsers send them, several on one connection, are fine.
    request = b"GET /api/account HTTP/1.1\r\nHost: x\r\nX-Some: " + b"a" * 8000
    line = raw(server, (request + b"\r\n\r\n") * 5 + request + b"\r\nConnection: close\r\n\r\n")
    assert rest(line).count(b"HTTP/1.1 200") == 6


SHORT = """
import sys
from sandtable.server import door, guard
door.HEAD_SECONDS, guard.BODY_SECONDS = 4.0, 1.0
from sandtable.cli import main
sys.exit(main())
"""


def test_lines_that_say_nothing_are_cut_off(tmp_path: Path) -> None:
    """With shorter times than usual, in the same code."""
    assert door.HEAD_SECONDS == 20 and guard.BODY_SECONDS == 30
    with running(f"sqlite:///{tmp_path}/games.sqlite", script=SHORT) as server:
        silent, slow = raw(server, b""), raw(server, b"GET / HTTP/1.1\r\nHo")
        head = b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        body = raw(server, head + b'Content-Length: 100\r\n\r\n{"title":')
        assert rest(silent) == b"" and rest(slow) == b""
        assert b" 408 " in body.recv(100)
        body.close()


def test_a_flood_of_messages_is_slowed_down_and_disturbs_nobody(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/games.sqlite") as server:
        made = server.create(mode="link")
        flood = server.sit(made["game"])
        refused: list[Any] = []
        for _ in range(30):  # as many as it takes, however slow this machine is
            for _ in range(100):
                flood.send("ping")
            answers = [flood.hear("ack", "error") for _ in range(100)]
            refused = [each for each in answers if each["type"] == "error"]
            if refused:
                break
        assert "too many" in refused[0]["error"] and len(refused) < 100
        talk = server.sit(made["game"])
        said = talk.ask("chat", text="spam")
        for _ in range(80):
            if said["type"] == "error":
                break
            said = talk.ask("chat", text="spam")
        assert "too fast" in said["error"]
        seat = server.sit(made["game"], made["seats"]["allied"])
        assert seat.ask("play", action=seat.texts[0])["type"] == "ack"
        for each in (flood, talk, seat):
            each.close()


def test_one_visitor_has_only_so_many_websockets(tmp_path: Path) -> None:
    script = SHORT.replace("HEAD_SECONDS, guard.BODY_SECONDS = 4.0, 1.0", "HEAD_SECONDS = 20.0")
    script = script.replace(
        "from sandtable.cli", "guard.Limits.MOST_CONNECTIONS = 3\nfrom sandtable.cli"
    )
    with running(f"sqlite:///{tmp_path}/games.sqlite", script=script) as server:
        made = server.create()
        bad = f"ws://127.0.0.1:{server.port}/api/games/{made['game']}/live?since=x"
        for _ in range(5):  # what is refused does not count
            with connect(bad, open_timeout=PATIENCE) as refused:
                assert "whole number" in str(refused.recv(timeout=PATIENCE))
        watching = [server.sit(made["game"]) for _ in range(3)]
        assert all(each.first["type"] == "state" for each in watching)
        more = server.sit(made["game"])
        assert "too many connections" in more.first["error"] and closed(more) == 1013
        watching.pop().close()
        while (again := server.sit(made["game"])).first["type"] == "error":
            closed(again)  # the server has not noticed yet that one has gone
        for each in (*watching, again):
            each.close()


def test_connections_hints_and_letters_are_counted_for_each_visitor() -> None:
    limits = Limits(on=True)
    limits.MOST_CONNECTIONS = 3
    with limits.connected("one"), limits.connected("one"), limits.connected("one"):
        with pytest.raises(TooMany), limits.connected("one"):
            pass
        with limits.connected("other"):
            pass
    with limits.connected("one"):
        pass
    for kind, most in (("think", 20), ("mail", 3), ("history", 200)):
        for _ in range(most):
            limits.check(kind, "one")
        with pytest.raises(TooMany):
            limits.check(kind, "one")


def test_a_whole_side_is_placed_by_advice_for_one_hint_of_the_allowance(tmp_path: Path) -> None:
    """Each counter asks anew; who asks others about the same one again and again is charged."""
    with running(f"sqlite:///{tmp_path}/games.sqlite") as server:
        made = server.create(title="gallop", scenario="nonhistorical", mode="hotseat")
        seat = server.sit(made["game"], next(iter(made["seats"].values())))
        for placed in range(30):
            hint = seat.ask("hint", level="officer")
            assert hint["type"] == "ack", f"{placed} placed: {hint}"
            seat.until(seat.ask("play", action=hint["action"])["seq"])
        same = [seat.ask("hint", level="officer") for _ in range(30)]
        assert {each["action"] for each in same} == {same[0]["action"]}, "known, and so for nothing"
        levels = ("recruit", "officer") * 15
        answers = [seat.ask("hint", level=level) for level in levels]
        refused = [each["error"] for each in answers if each["type"] == "error"]
        assert refused and all("too many requests" in each for each in refused)
        seat.close()


def test_one_ipv6_customer_is_one_visitor() -> None:
    def asks(host: str) -> str:
        return client(SimpleNamespace(client=SimpleNamespace(host=host)))  # type: ignore[arg-type]

    assert asks("2001:db8:1:2::1") == asks("2001:db8:1:2:ffff::9") != asks("2001:db8:1:3::1")
    assert asks("192.0.2.1") != asks("192.0.2.2") and asks("fe80::1%eth0") == asks("fe80::2")
    assert asks("not:an address") == "not:an address"


def test_a_reader_that_does_not_read_is_cut_off_before_it_costs_memory() -> None:
    socket_: Any = None
    room: Any = SimpleNamespace(listeners=set[Room]())
    reader = live.Live(SimpleNamespace(), room, Who(), (), socket_, Limits(on=True))  # type: ignore[arg-type]
    for _ in range(1000):
        reader.send(b"x" * 100_000)
    assert reader._queued <= live.MOST_QUEUED + 100_000 and reader._closing == live.SLOW


def test_a_bucket_lets_through_what_it_holds_and_no_more() -> None:
    bucket = Bucket(rate=0.0, size=3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


# Webhooks.


class Dripping(BaseHTTPRequestHandler):
    """A webhook that answers a letter at a time and never ends."""

    def do_POST(self) -> None:
        """Drip until the other end has gone."""
        try:
            while True:
                self.wfile.write(b"H")
                self.server.stopped.wait(0.05)  # type: ignore[attr-defined]
        except OSError:
            self.server.gone.set()  # type: ignore[attr-defined]

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


def test_a_webhook_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "TIMEOUT", 0.5)
    hook = HTTPServer(("127.0.0.1", 0), Dripping)
    hook.gone, hook.stopped = threading.Event(), threading.Event()  # type: ignore[attr-defined]
    with listening(hook):
        url = f"http://127.0.0.1:{hook.server_address[1]}/"
        with pytest.raises((OSError, HTTPException)):
            notices.post(url, b"{}", private=True)
        wait(hook.gone.is_set)  # type: ignore[attr-defined]


def test_a_webhook_does_not_follow_to_another_place() -> None:
    for target in ("http://exa mple.org/", "http://example.org/\r\nX: y", "http://é.example/"):
        with pytest.raises(BadMessage):
            notices.check_url(target)
