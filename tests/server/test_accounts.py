"""Accounts, sessions and claimed seats."""

from __future__ import annotations

import httpx

from tests.server.harness import Server

SECRET = "correct horse battery"


def register(client: httpx.Client, name: str) -> httpx.Response:
    """A new account, signed in."""
    return client.post("/api/account/register", json={"name": name, "password": SECRET})


def test_an_account_is_made_once_and_signed_in_with_its_password(server: Server) -> None:
    with server.http() as client, server.http() as other:
        made = register(client, "Anne A.")
        assert made.status_code == 200
        cookie = made.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=lax" in cookie and SECRET not in made.text
        assert client.get("/api/account").json()["account"] == {"name": "Anne A."}
        assert register(other, "ANNE  a.").status_code == 400
        login = {"name": "anne a.", "password": "wrong password"}
        assert other.post("/api/account/login", json=login).status_code == 403
        unknown = {"name": "nobody at all", "password": SECRET}
        assert other.post("/api/account/login", json=unknown).status_code == 403
        login["password"] = SECRET
        assert other.post("/api/account/login", json=login).status_code == 200
        assert len(client.get("/api/account/sessions").json()) == 2
        assert client.post("/api/account/revoke", json={}).json()["revoked"] == 1
        assert other.get("/api/account").json()["account"] is None
        assert client.post("/api/account/logout", json={}).status_code == 200
        assert client.get("/api/account").json()["account"] is None
        assert client.get("/api/account/sessions").status_code == 403


def test_a_guests_seat_is_claimed_and_then_opens_without_its_link(server: Server) -> None:
    made = server.create(mode="link")
    claim = {"game": made["game"], "seat": made["seats"]["axis"]}
    with server.http() as client, server.http() as thief:
        assert client.post("/api/seats/claim", json=claim).status_code == 403
        register(client, "Claimant")
        register(thief, "Thief")
        wrong = {**claim, "seat": "guess"}
        assert client.post("/api/seats/claim", json=wrong).status_code == 403
        assert client.post("/api/seats/claim", json=claim).json()["sides"] == ["axis"]
        assert thief.post("/api/seats/claim", json=claim).status_code == 403
        (mine,) = client.get("/api/games?mine").json()
        assert mine["game"] == made["game"] and mine["sides"] == ["axis"]
        assert client.get(f"/api/games/{made['game']}").json()["you"] == "axis"
        assert thief.get(f"/api/games/{made['game']}").json()["you"] is None
    with server.http() as guest:
        assert guest.get("/api/games?mine").status_code == 403


def test_a_game_made_while_signed_in_belongs_to_the_account(server: Server) -> None:
    with server.http() as client:
        register(client, "Maker")
        made = client.post("/api/games", json={"title": "battleaxe", "mode": "link"}).json()
        header = client.get(f"/api/games/{made['game']}").json()
        assert header["you"] == "allied" and header["players"]["allied"]["name"] == "Maker"
