"""Strange input: schemathesis over HTTP, and a fuzzer on the websocket."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from sandtable.server.api import ENDPOINTS
from sandtable.server.openapi import describe
from tests.server.harness import Server, play_on

schema = schemathesis.openapi.from_dict(describe(ENDPOINTS))


@pytest.fixture(scope="module")
def made(server: Server) -> dict[str, Any]:
    """A game that all the strange requests may ask about."""
    return server.create(mode="link")


@schema.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_http_never_fails(case: Any, server: Server, made: dict[str, Any]) -> None:
    """Whatever is sent, the answer is 200 or one clear line, and never a mistake of the server."""
    if case.path_parameters and "game" in case.path_parameters:
        case.path_parameters["game"] = random.Random(str(case.body)).choice(
            [made["game"], case.path_parameters["game"]]
        )
    if case.operation.path.endswith("/stream"):
        case.path_parameters["game"] = "none"  # a stream has no end to wait for
    case.headers = {**(case.headers or {}), "Authorization": f"Bearer {made['seats']['axis']}"}
    response = case.call(base_url=server.url, timeout=120)
    assert response.status_code < 500, response.text
    if response.status_code >= 400:
        problem = response.json()
        assert problem["error"] and len(problem["error"].splitlines()) == 1
        assert set(problem) == {"error", "rule"}


def test_the_description_is_served_and_names_every_endpoint(server: Server) -> None:
    found = server.get("/api/openapi.json")
    named = {
        (path, method.upper()) for path, methods in found["paths"].items() for method in methods
    }
    assert named == {(each.path, each.method) for each in ENDPOINTS}


TYPES = "play undo odds why order hint chat note offer answer resign ping fly".split()
VALUES: list[Any] = [
    None, True, -1, 10**30, 1.5, "", "x", "\u0000", "é" * 50, "!undo", "!resign axis",
    "!offer allied draw", "set-up 11H A", "pass", [], {}, [[[[]]]], {"type": "play"}, "a" * 600,
]  # fmt: skip


def strange(luck: random.Random, texts: list[str]) -> str | bytes:
    """A message that is nearly right, or not at all."""
    kind = luck.random()
    if kind < 0.1:
        return bytes(luck.randrange(256) for _ in range(luck.randrange(40)))
    if kind < 0.2:
        return luck.choice(["", "{", "[]", "null", '"x"', "[" * 5000, '{"type":"play"', "1" * 400])
    message: dict[str, Any] = {"type": luck.choice(TYPES), "id": f"f{luck.randrange(30)}"}
    for name in luck.sample(["action", "seq", "interrupt", "setting", "side", "text", "what"], 3):
        message[name] = luck.choice([*VALUES, *texts[:3], "draw", "end", "axis", "allied"])
    if luck.random() < 0.3:
        message["yes"] = luck.choice([True, False, "yes"])
    if luck.random() < 0.1:
        message["id"] = luck.choice(VALUES)
    return msgspec.json.encode(message).decode()


@pytest.mark.parametrize("seed", range(4))
def test_the_websocket_answers_whatever_comes(server: Server, seed: int) -> None:
    """Every message is answered or refused in one line, and the game stays playable and sound."""
    luck = random.Random(seed)
    made = server.create(mode="link")
    seats = {side: server.sit(made["game"], token) for side, token in made["seats"].items()}
    everybody = [*seats.values(), server.sit(made["game"])]
    for _ in range(150):
        seat = luck.choice(everybody)
        message = strange(luck, seat.texts)
        if isinstance(message, str) and '"type":"resign"' in message:
            continue
        seat.socket.send(message)
        answer = seat.hear("ack", "error")
        if answer["type"] == "error":
            assert len(answer["error"].splitlines()) == 1
            assert "mistake" not in answer["error"], (message, answer)
    for seat in everybody:
        assert seat.ask("ping")["type"] == "ack"
    last = max(seat.ask("ping")["seq"] for seat in everybody)
    for seat in everybody:
        seat.until(last)
    if not seats["allied"].state["outcome"]:
        play_on(seats, 5)
        seats["axis"].ask("resign")
    assert server.get(f"/api/games/{made['game']}/verify")["ok"] is True
    for seat in everybody:
        seat.close()
