"""Opponents at the server keep a plan from one action to the next."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

import sandtable
from sandtable.kernel import codec
from sandtable.players.planner import Plan, Search
from sandtable.server.workers import Workers, choose
from tests.server.harness import PATIENCE, children, command


@pytest.mark.parametrize("title", ["battleaxe", "cauldron", "gallop", "theseus"])
def test_a_plan_is_followed_without_thinking_again(
    title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = sandtable.title(title).start(seed="mind")
    thoughts = 0
    think = Search.best

    def best(self: Search) -> object:
        nonlocal thoughts
        thoughts += 1
        return think(self)

    monkeypatch.setattr(Search, "best", best)
    mind, side, decisions = b"", game.actor, 0
    assert side is not None
    while game.actor == side and decisions < 10:
        decisions += len(game.actions()) > 1
        raw = codec.dump(game.resample(side, str(decisions)))
        thought = choose(title, raw, side, "officer", None, mind)
        game.play(game.parse(thought.text))
        mind = thought.mind
    assert 0 < thoughts < decisions


def test_a_general_with_a_budget_thinks_on_the_cores_that_are_idle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that counts its tries does not: the same seed plays the same game anywhere."""
    game = sandtable.title("battleaxe").start("june", {"historical_setup": True}, "cores")
    side = game.actor
    assert side is not None
    used = []

    def count(search: Search, cores: int) -> Plan:
        used.append(cores)
        return search.best()

    monkeypatch.setattr("sandtable.players.general.best_of_all", count)
    raw = codec.dump(game.resample(side, "cores"))
    for level in ("general:0.2", "general", "officer"):
        assert choose("battleaxe", raw, side, level, None, b"", 3).text
    assert used == [3]


def test_workers_that_think_on_two_cores_and_die_lose_no_answer() -> None:
    """The twin of a dead worker ends at once, and another worker thinks anew."""
    game = sandtable.title("battleaxe").start("june", {"historical_setup": True}, "dies")
    side = game.actor
    assert side is not None
    twins: list[int] = []

    async def kill() -> None:
        while True:
            for worker in children(os.getpid()):
                twins.extend(children(worker) if "spawn_main" in command(worker) else ())
                if twins:
                    os.kill(worker, signal.SIGKILL)
                    return
            await asyncio.sleep(0.02)

    async def think() -> str:
        workers = Workers(2)
        try:
            async with asyncio.timeout(PATIENCE):
                choice = workers.choose(game, side, "general:2", None)
                thought, _ = await asyncio.gather(choice, kill())
            assert workers.deaths == 1
        finally:
            workers.stop()
        return thought.text

    assert game.parse(asyncio.run(think())) in game.actions()
    assert twins and not any(Path(f"/proc/{twin}").exists() for twin in twins)


def test_a_thought_that_nobody_waits_for_still_keeps_its_worker_busy() -> None:
    """Who disconnects cancels the wait, not the process: no other general may count on its core."""
    game = sandtable.title("battleaxe").start("june", {"historical_setup": True}, "gone")
    side = game.actor
    assert side is not None

    async def leave() -> tuple[int, int, int]:
        workers = Workers(1)
        try:
            await workers.warm()
            asked = asyncio.ensure_future(workers.advise(game, side, "general:2", None))
            while not workers.thinking:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
            after = workers.thinking
            await workers.choose(game, side, "random", None)
            return after, workers.thinking, workers.deaths
        finally:
            workers.stop()

    assert asyncio.run(leave()) == (1, 0, 0)
