"""What must survive: kill -9 under load, a full disk, a lost database, several processes."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from websockets.exceptions import WebSocketException

from sandtable.kernel import record as records
from sandtable.server import schema
from sandtable.server.metrics import Metrics
from sandtable.server.rooms import Rooms
from sandtable.server.schema import actions
from sandtable.server.settings import Settings
from sandtable.server.store import Store, open_engine
from sandtable.server.workers import Workers
from tests.server.harness import (
    PATIENCE,
    Cluster,
    Seat,
    Server,
    children,
    command,
    play_on,
    running,
)

GAMES = 6


class Player(threading.Thread):
    """Plays both sides at one screen, through crashes, and notes what was acknowledged."""

    def __init__(self, server: Server, made: dict[str, Any], seed: int) -> None:
        super().__init__(daemon=True)
        self.server, self.game = server, made["game"]
        self.token = made["seats"]["allied"]
        self.luck = random.Random(seed)
        self.acknowledged: dict[str, tuple[int, str]] = {}
        self.resent = 0
        self.done = threading.Event()
        self.trouble: list[str] = []

    def run(self) -> None:
        """Play until told to stop; after a crash, send the unanswered request again."""
        seat: Seat | None = None
        pending: tuple[str, str, int] | None = None
        while not self.done.is_set():
            try:
                if seat is None:
                    seat = self.server.sit(self.game, self.token)
                    if seat.first["type"] == "error":
                        raise ConnectionError(seat.first["error"])
                if pending is None:
                    if not seat.texts:
                        return
                    id = f"{self.game}-{len(self.acknowledged)}"
                    pending = (id, self.luck.choice(seat.texts), seat.state["seq"])
                else:
                    self.resent += 1
                id, action, seq = pending
                answer = seat.ask("play", id=id, action=action, seq=seq)
                if answer["type"] == "error":
                    self.trouble.append(answer["error"])
                    return
                self.acknowledged[id] = (answer["seq"], action)
                pending = None
                seat.until(answer["seq"])
            except (OSError, WebSocketException, TimeoutError):
                seat = None
                time.sleep(0.05)
        if seat:
            seat.close()


def play_some_more(players: list[Player]) -> None:
    """Wait until some more lines were acknowledged, or a player is in trouble."""

    def acknowledged() -> int:
        return sum(len(player.acknowledged) for player in players)

    before = acknowledged()
    wait_for(lambda: acknowledged() > before + 40 or any(each.trouble for each in players))


def kill_under_load(database: str, kills: int) -> None:
    """Kill the server while games are played, start it again, and count what was kept."""
    server = Server(database, "--no-limits")
    try:
        players = [Player(server, server.create(mode="hotseat"), n) for n in range(GAMES)]
        for player in players:
            player.start()
        for _ in range(kills):
            play_some_more(players)
            server.kill()
            server.start()
        play_some_more(players)
        for player in players:
            player.done.set()
        for player in players:
            player.join(PATIENCE)
        assert not any(player.trouble for player in players), [p.trouble for p in players]
        engine = open_engine(database)
        with engine.connect() as connection:
            for player in players:
                rows = connection.execute(
                    sa.select(actions.c.seq, actions.c.text, actions.c.request)
                    .where(actions.c.game == player.game)
                    .order_by(actions.c.seq)
                ).all()
                assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
                requests = {row.request.partition(":")[2]: row for row in rows}
                assert max(Counter(row.request for row in rows).values()) == 1, "doubled"
                for id, (seq, text) in player.acknowledged.items():
                    assert requests[id].seq == seq and requests[id].text == text, "lost"
        engine.dispose()
        for player in players[:2]:
            seat = server.sit(player.game, player.token)
            assert seat.state["seq"] >= len(player.acknowledged)
            play_on({"allied": seat, "axis": seat}, 3)
            seat.ask("resign", side="axis")
            seat.close()
            assert server.get(f"/api/games/{player.game}/verify")["ok"] is True
    finally:
        server.stop()


def test_kill_9_loses_nothing_acknowledged_and_doubles_nothing_on_sqlite(tmp_path: Path) -> None:
    kill_under_load(f"sqlite:///{tmp_path}/games.sqlite", 3)


@pytest.mark.heavy
def test_kill_9_loses_nothing_acknowledged_and_doubles_nothing_on_postgresql(
    cluster: Cluster,
) -> None:
    kill_under_load(cluster.database("killed"), 3)


@pytest.mark.heavy
def test_a_restarted_server_lets_its_opponents_think_on(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/games.sqlite", "--no-limits") as server:
        wish = {side: {"kind": "opponent", "level": "random"} for side in ("allied", "axis")}
        made = server.create(mode="opponent", seats=wish)
        path = f"/api/games/{made['game']}"
        wait_for(lambda: server.get(path)["seq"] > 3)
        server.kill()
        server.start()
        before = server.get("/metrics")
        assert "sandtable_actions_total" in before
        seq = server.get(path)["seq"]
        wait_for(lambda: server.get(path)["seq"] > seq + 3)


def test_an_opponent_that_thinks_or_dies_holds_up_no_other_game(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/games.sqlite", "--no-limits") as server:
        wish = {"allied": {"kind": "opponent", "level": "random"}}
        path = f"/api/games/{server.create(mode='opponent', seats=wish)['game']}"
        wait_for(lambda: server.get(path)["actor"] == "axis")  # the worker is there, and idle
        workers = [pid for pid in children(server.process.pid) if "spawn_main" in command(pid)]
        assert workers
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)  # it thinks as long as we like
        path = f"/api/games/{server.create(mode='opponent', seats=wish)['game']}"
        wait_for(lambda: "sandtable_opponents_thinking 1\n" in server.get("/metrics"))
        made = server.create(mode="hotseat")
        seat = server.sit(made["game"], made["seats"]["allied"])
        play_on({"allied": seat, "axis": seat}, 40)
        seat.close()
        assert server.get(path)["seq"] == 0
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: server.get(path)["seq"] > 0)
        assert "sandtable_worker_deaths_total 1\n" in server.get("/metrics")


def test_an_opponent_that_cannot_move_is_told_of_and_does_not_spin(tmp_path: Path) -> None:
    """A level of an earlier release, say; the game waits, and the host reads why."""
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with running(database, "--no-limits") as server:
        wish = {"allied": {"kind": "opponent", "level": "general:30"}}
        game = server.create(mode="opponent", seats=wish)["game"]
    engine = sa.create_engine(database)
    with engine.begin() as connection:
        old = sa.update(schema.seats).where(schema.seats.c.level != "")
        connection.execute(old.values(level="general:0.05"))
    engine.dispose()
    with running(database, "--no-limits") as server:
        wait_for(lambda: "sandtable_failures_total 1\n" in server.get("/metrics"))
        assert server.get(f"/api/games/{game}")["seq"] == 0
        assert "sandtable_opponents_thinking 0\n" in server.get("/metrics")
        time.sleep(0.5)
        assert "sandtable_failures_total 1\n" in server.get("/metrics"), "it is not tried again"
        server.process.terminate()
        server.process.wait(PATIENCE)
        assert "general:0.05 cannot move: '0.05' is no budget" in server.said()


def test_a_server_that_ends_while_an_opponent_thinks_leaves_nothing_behind(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/games.sqlite", "--no-limits") as server:
        general = {"kind": "opponent", "level": "general"}
        wish = {"axis": general, "commonwealth": general}
        server.create(title="theseus", mode="opponent", seats=wish)
        wait_for(lambda: "sandtable_opponents_thinking 1\n" in server.get("/metrics"))
        server.process.terminate()
        server.process.wait(PATIENCE)
        assert "leaked" not in server.said()


def test_a_full_disk_is_said_clearly_and_the_game_goes_on_after(tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/games.sqlite", "--no-limits") as server:
        made = server.create(mode="hotseat")
        seat = server.sit(made["game"], made["seats"]["allied"])
        kept = play_on({"allied": seat, "axis": seat}, 10)
        time.sleep(0.3)
        _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, hard))
        try:
            failed = seat.ask("play", id="full", action=seat.texts[0])
            assert failed["type"] == "error" and "cannot save" in failed["error"]
            assert server.get("/health", status=503)["ok"] is False
            # A second try fails as clearly.
            assert seat.ask("play", action=seat.texts[0])["type"] == "error"
        finally:
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        done = seat.ask("play", id="full", action=seat.texts[0])
        assert done["type"] == "ack" and done["seq"] == kept + 1
        assert server.get("/health")["ok"] is True
        seat.until(kept + 1)
        play_on({"allied": seat, "axis": seat}, 5)
        seat.ask("resign")
        assert server.get(f"/api/games/{made['game']}/verify")["ok"] is True
        seat.close()


def test_a_database_file_that_is_taken_away_is_missed_and_the_game_goes_on_after(
    tmp_path: Path,
) -> None:
    """No line is acknowledged that would be lost with the server."""
    file, away = tmp_path / "games.sqlite", tmp_path / "away.sqlite"
    with running(f"sqlite:///{file}", "--no-limits") as server:
        made = server.create(mode="hotseat")
        seat = server.sit(made["game"], made["seats"]["allied"])
        kept = play_on({"allied": seat, "axis": seat}, 10)
        time.sleep(0.3)
        file.rename(away)
        for _ in range(2):
            failed = seat.ask("play", id="gone", action=seat.texts[0])
            assert failed["type"] == "error" and "database file is gone" in failed["error"]
        assert server.get("/health", status=503)["ok"] is False
        assert not file.exists()
        away.rename(file)
        done = seat.ask("play", id="gone", action=seat.texts[0])
        assert done["type"] == "ack" and done["seq"] == kept + 1
        assert server.get("/health")["ok"] is True
        seat.close()


@pytest.mark.heavy
def test_a_lost_database_is_said_clearly_and_the_game_goes_on_after(cluster: Cluster) -> None:
    with running(cluster.database("lost"), "--no-limits") as server:
        made = server.create(mode="hotseat")
        seat = server.sit(made["game"], made["seats"]["allied"])
        kept = play_on({"allied": seat, "axis": seat}, 5)
        cluster.stop()
        try:
            failed = seat.ask("play", id="lost", action=seat.texts[0])
            assert failed["type"] == "error" and "cannot save" in failed["error"]
            assert server.get("/health", status=503)["ok"] is False
            server.get(f"/api/games/{made['game']}", status=503)
        finally:
            cluster.start()
        wait_for(lambda: httpx_ok(server))
        done = seat.ask("play", id="lost", action=seat.texts[0])
        assert done["type"] == "ack" and done["seq"] == kept + 1
        seat.until(kept + 1)
        play_on({"allied": seat, "axis": seat}, 5)
        seat.close()


@pytest.mark.heavy
def test_two_processes_on_one_postgresql_play_one_game(cluster: Cluster) -> None:
    database = cluster.database("shared")
    with running(database, "--no-limits") as one, running(database, "--no-limits") as two:
        made = one.create(mode="link", seats={"allied": {"name": "Anne"}}, words="one")
        waiting = one.sit(made["game"], made["seats"]["allied"])
        two.post(f"/api/games/{made['game']}/join", {"seat": made["seats"]["axis"], "words": "two"})
        assert waiting.hear("state")["waiting"] is False
        seats = {"allied": waiting, "axis": two.sit(made["game"], made["seats"]["axis"])}
        play_on(seats, 25)
        seats["axis"].ask("chat", text="hello from the other server")
        assert waiting.hear("chat")["text"].startswith("hello")
        # The same seat at both servers: only one of two moves for the same line is taken.
        other = two.sit(made["game"], made["seats"]["allied"])
        actor = seats["allied"].state["view"]["actor"]
        here = seats[actor]
        there = (two if actor == "allied" else one).sit(made["game"], made["seats"][actor])
        for n in range(10):
            if here.state["view"]["actor"] != actor:
                break
            seq, action = here.state["seq"], here.texts[0]
            a = here.send("play", id=f"a{n}", action=action, seq=seq)
            b = there.send("play", id=f"b{n}", action=action, seq=seq)
            answers = [
                here.hear("ack", "error", where=lambda m, a=a: m["id"] == a),  # type: ignore[misc]
                there.hear("ack", "error", where=lambda m, b=b: m["id"] == b),  # type: ignore[misc]
            ]
            kinds = sorted(answer["type"] for answer in answers)
            assert kinds == ["ack", "error"], answers
            here.until(seq + 1)
            there.until(seq + 1)
        play_on_until_over(seats)
        texts = [server.get(f"/api/games/{made['game']}/record") for server in (one, two)]
        assert texts[0] == texts[1] and records.parse(texts[0]).words == ("one", "two")
        assert two.get(f"/api/games/{made['game']}/verify")["ok"] is True
        for each in (*seats.values(), other, there):
            each.close()


@pytest.mark.heavy
def test_a_line_written_while_another_process_opens_the_game_is_not_missed(
    cluster: Cluster,
) -> None:
    """The notice comes before the game is known there, so it must look again by itself."""
    database = cluster.database("opening")
    with running(database, "--no-limits") as one:
        made = one.create(mode="hotseat")
        seat = one.sit(made["game"], made["seats"]["allied"])
        kept = play_on({"allied": seat, "axis": seat}, 3)

        async def open_slowly() -> int:
            store = Store(database)
            await store.start()
            rooms = Rooms(store, Workers(1), Settings(database=database), Metrics())
            replay = rooms.replay

            async def late(work: Any, *args: Any) -> Any:
                """One more line is written between reading the lines and knowing the game."""
                await asyncio.to_thread(seat.ask, "play", action=seat.texts[0])
                return await replay(work, *args)

            rooms.replay = late  # type: ignore[method-assign]
            room = await rooms.get(made["game"])
            rooms.replay = replay  # type: ignore[method-assign]
            await asyncio.gather(*rooms.tasks)
            await store.stop()
            return room.desk.seq

        assert asyncio.run(open_slowly()) == kept + 1
        seat.close()


def play_on_until_over(seats: dict[str, Seat]) -> None:
    """A whole game; both seats have read everything first."""
    last = max(seat.state["seq"] for seat in seats.values())
    for seat in seats.values():
        seat.until(last)
    play_on(seats, 10_000)
    assert seats["axis"].state["outcome"]


def httpx_ok(server: Server) -> bool:
    """Whether the server says it is well."""
    with server.http() as client:
        return client.get("/health").status_code == 200


def wait_for(true: Any, seconds: float = 2 * PATIENCE) -> None:
    """Wait until something is true."""
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            pytest.fail("it did not happen in time")
        time.sleep(0.02)
