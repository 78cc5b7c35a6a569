"""Headers, origins, sizes, rates and secrets."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from sandtable.server.guard import Limits, TooMany
from tests.server.harness import PATIENCE, Server, running


def test_every_answer_has_the_headers_of_a_careful_server(server: Server) -> None:
    with server.http() as client:
        for path in ("/", "/api/titles", "/nothing", "/static/none.js", "/api/games/none"):
            headers = client.get(path).headers
            policy = headers["content-security-policy"]
            assert "script-src 'self'" in policy and "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy and "default-src 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert "server" not in headers
        assert client.get("/api/account").headers["cache-control"] == "no-store"


def test_another_sites_page_can_neither_post_nor_open_a_websocket(server: Server) -> None:
    made = server.create()
    body = {"title": "battleaxe"}
    evil = {"Origin": "https://evil.example"}
    with server.http() as client:
        assert client.post("/api/games", json=body, headers=evil).status_code == 403
        cross = {"Sec-Fetch-Site": "cross-site"}
        assert client.post("/api/games", json=body, headers=cross).status_code == 403
        plain = {"Content-Type": "text/plain"}
        form = client.post("/api/games", content='{"title":"battleaxe"}', headers=plain)
        assert form.status_code == 400
        ours = {"Origin": server.url}
        assert client.post("/api/games", json=body, headers=ours).status_code == 200
    url = f"ws://127.0.0.1:{server.port}/api/games/{made['game']}/live"
    foreign = Origin("https://evil.example")
    with connect(url, origin=foreign, open_timeout=PATIENCE) as socket:
        assert "not ours" in str(socket.recv())
        with pytest.raises(ConnectionClosed):
            socket.recv()


@pytest.mark.heavy
def test_cookies_are_for_https_where_people_use_https(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with running(database, "--origin", "https://games.example.org") as server:
        with server.http() as client:
            made = client.post(
                "/api/account/register", json={"name": "Anne", "password": "long enough"}
            )
            assert made.headers["set-cookie"].startswith("__Host-sandtable=")
            assert "secure" in made.headers["set-cookie"].lower()
            assert "max-age" in made.headers["strict-transport-security"]
            links = client.post("/api/games", json={"title": "battleaxe", "mode": "link"}).json()
        assert links["links"]["axis"].startswith("https://games.example.org/#/game/")
        # With limits on, guessing passwords and flooding the lobby come to an end.
        wrong = {"name": "Anne", "password": "not it, not it"}
        assert until_too_many(server, "/api/account/login", wrong) == 403
        assert until_too_many(server, "/api/games", {"title": "battleaxe"}) == 200


def until_too_many(server: Server, path: str, body: object) -> int:
    """Ask until it is too much, however slow this machine is; the status of the first answer."""
    with server.http() as client:
        first = client.post(path, json=body).status_code
        while (status := client.post(path, json=body).status_code) != 429:
            assert status == first
    return first


def test_large_bodies_are_refused_before_they_are_read(server: Server) -> None:
    with server.http() as client:
        big = {"title": "battleaxe", "words": "x" * 300_000}
        assert client.post("/api/games", json=big).status_code == 413

        def endless() -> object:
            for _ in range(200):
                yield b"x" * 100_000

        try:
            answer = client.post("/api/games/upload", content=endless())  # type: ignore[arg-type]
            assert answer.status_code == 413
        except httpx.WriteError:
            pass  # cut off while sending: as good
    made = server.create()
    seat = server.sit(made["game"], made["seats"]["axis"])
    assert seat.ask("chat", text="x" * 3000)["type"] == "error"
    seat.close()


def test_secrets_are_never_written_down_in_the_clear(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    with running(f"sqlite:///{file}", "--no-limits") as server:
        made = server.create(mode="link")
        token = made["seats"]["axis"]
        server.sit(made["game"], token).close()
        server.get(f"/api/games/{made['game']}?seat={token}")
        server.get(f"/api/games/{made['game']}?seat={token}x", status=403)
        with server.http() as client:
            password = {"name": "Anne", "password": "a password to look for"}
            session = client.post("/api/account/register", json=password).cookies["sandtable"]
        log = server.said()
        kept = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    for secret in (token, session, password["password"]):
        assert secret not in log and secret.encode() not in kept


def test_names_and_chat_come_back_as_text_never_as_markup(server: Server) -> None:
    name = "<img src=x onerror=alert(1)>"
    made = server.create(mode="link", seats={"allied": {"name": name}})
    with server.http() as client:
        answer = client.get(f"/api/games/{made['game']}")
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()["players"]["allied"]["name"] == name
        record = client.get(f"/api/games/{made['game']}/record")
        assert record.headers["content-type"].startswith("text/plain")
        assert record.headers["content-disposition"].startswith("attachment")


def test_static_files_stay_inside_their_folder(server: Server) -> None:
    with server.http() as client:
        for path in ("/static/../app.py", "/static/%2e%2e/server/app.py", "/static//etc/passwd"):
            assert client.get(path).status_code == 404


def test_limits_forget_and_count_each_visitor_alone() -> None:
    limits = Limits(on=True)
    for _ in range(10):
        limits.check("sign-in", "one")
    with pytest.raises(TooMany):
        limits.check("sign-in", "one")
    limits.check("sign-in", "other")
