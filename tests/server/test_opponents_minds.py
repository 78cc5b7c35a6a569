"""Opponents at the server keep a plan from one action to the next."""

from __future__ import annotations

import pytest

import sandtable
from sandtable.kernel import codec
from sandtable.players.planner import Search
from sandtable.server.workers import choose


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
