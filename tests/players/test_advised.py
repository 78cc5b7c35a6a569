"""Advice that is followed goes on with its plan."""

from __future__ import annotations

import pytest

import sandtable
from sandtable.kernel.table import Table
from sandtable.players import Seat, player
from sandtable.players.advised import Advised
from sandtable.players.planner import Plan, Search

Patch = pytest.MonkeyPatch


def june() -> Table:
    """A table after the first decisions, which are no plans."""
    title = sandtable.title("battleaxe")
    table = Table(title.start("june", {"historical_setup": True, "bid": 10}, "advised"))
    while table.game.actor != "allied" or len(table.game.actions()) < 10:
        table.play(table.game.actions()[0])
    return table


def test_who_follows_advice_hears_the_rest_of_the_plan_and_why(monkeypatch: Patch) -> None:
    thought = []
    best = Search.best

    def counted(search: Search) -> Plan:
        thought.append(search)
        return best(search)

    monkeypatch.setattr(Search, "best", counted)
    table, adviser = june(), player("officer", "advice")
    for _ in range(4):
        choice = adviser.choose(Seat(table.game, "allied", listened=True, asked=True))
        table.play(choice.action)
    assert len(thought) == 1, "the rest of the plan takes no thought"
    table.undo()
    table.play(next(each for each in table.game.actions() if each != choice.action))
    adviser.choose(Seat(table.game, "allied", listened=True, asked=True))
    assert len(thought) == 2, "who does something else is advised anew"


def test_each_action_of_a_plan_is_explained_to_who_asks_and_told_once_to_who_watches() -> None:
    reasons: dict[bool, list[str]] = {True: [], False: []}
    for asked, heard in reasons.items():
        table, officer = june(), player("officer", "advice")
        for _ in range(4):
            choice = officer.choose(Seat(table.game, "allied", listened=True, asked=asked))
            heard.append(choice.reason)
            table.play(choice.action)
    assert len(set(reasons[True])) > len(set(reasons[False]))


def test_advice_stands_where_nothing_happened_and_is_followed_by_its_own_action() -> None:
    table = june()
    first, other = (table.game.text(each) for each in table.game.actions()[:2])
    lines, digest = len(table.history), table.game.digest()
    given = Advised("allied", "officer", lines, digest, first)
    assert given.stands("allied", "officer", table)
    assert not given.stands("allied", "general", table)
    assert not given.followed("allied", "officer", table)
    table.play(table.game.parse(first))
    assert given.followed("allied", "officer", table)
    assert not given.followed("axis", "officer", table)
    assert not given.stands("allied", "officer", table)
    table.undo()
    assert given.stands("allied", "officer", table), "taken back, all is as it was"
    table.play(table.game.parse(other))
    assert not given.followed("allied", "officer", table)
