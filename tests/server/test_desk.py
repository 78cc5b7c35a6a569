"""The desk: lines in, messages out, and nothing in them that their reader may not know."""

from __future__ import annotations

import random

import msgspec
import pytest

import sandtable
from sandtable.kernel.errors import BadMessage, Refused
from sandtable.server.desk import BOTH, Desk, Eye, rebuild
from sandtable.server.journal import BLOCK, Journal
from sandtable.server.models import PLAYING, GameRow
from sandtable.server.store import Stored


def row(title: str, seed: str) -> GameRow:
    """A game that has just begun."""
    found = sandtable.title(title)
    return GameRow(
        id="g", created=0, title=title, scenario=found.scenarios[0].id,
        options=found.check_options({}), position="", seed=seed, words=[], mode="link",
        status=PLAYING, clock=None, data="", digest="", version=found.version, bids={}, seq=0,
        actor="", moved=0, deadline=0, result="", rematch="", parent="", begun=1,
    )  # fmt: skip


def quiet_lines(desk: Desk, eye: Eye) -> list[bytes]:
    """What an eye is told while units move, pass and give orders, without dice."""
    luck, told = random.Random(4), []
    for number in range(12):
        game = desk.game
        if game.actor is None:
            break
        quiet = [game.text(each) for each in game.actions() if each.kind in ("move", "pass")]
        line, by = luck.choice(quiet), game.actor
        if number % 4 == 3:
            interrupt = desk.title.interrupts[0]
            line = f"!order blue {interrupt.id} {interrupt.settings[0]}"
            by = "blue"
        applied = desk.apply(line, by, 0)
        told.append(desk.update(applied, eye, 0))
    told.append(msgspec.json.encode(desk.log(eye)))
    told.append("\n".join(line.text for line in desk.record(eye).lines).encode())
    return told


def test_what_a_side_cannot_see_changes_nothing_that_it_is_told() -> None:
    card: dict[str, list[Desk]] = {"shield": [], "feint": []}
    for seed in range(40):
        desk = Desk(row("toy", f"seed {seed}"), {})
        cards = desk.game.cards  # type: ignore[attr-defined]
        if cards["red"] == "shield":
            card[cards["blue"]].append(desk)
    for eye in ("red", None):
        one, other = card["shield"].pop(), card["feint"].pop()
        assert quiet_lines(one, eye) == quiet_lines(other, eye)
    one, other = card["shield"].pop(), card["feint"].pop()
    assert quiet_lines(one, "blue") != quiet_lines(other, "blue"), "blue knows its own card"


def test_the_other_side_gets_events_but_no_action_texts_nor_orders() -> None:
    desk = Desk(row("toy", "x"), {})
    actor = desk.game.actor
    assert actor is not None
    other = desk.title.other(actor)
    action = desk.game.text(desk.game.actions()[0])
    applied = desk.apply(action, actor, 0)
    mine, theirs = (msgspec.json.decode(desk.update(applied, eye, 0)) for eye in (actor, other))
    assert mine["action"] == action and theirs["action"] is None
    assert mine["events"] == theirs["events"]


def test_a_game_is_rebuilt_from_its_lines_with_its_take_backs() -> None:
    desk, luck, lines = Desk(row("battleaxe", "again"), {}), random.Random(2), list[Stored]()
    for _ in range(300):
        game = desk.game
        if game.actor is None:
            break
        take_back = desk.table.can_undo and luck.random() < 0.2
        by = game.actor
        text = f"!undo {by}" if take_back else game.text(luck.choice(game.actions()))
        applied = desk.apply(text, by, 0)
        lines.append(Stored(applied.seq, applied.text, applied.dice, by, 0, ""))
    again = rebuild(row("battleaxe", "again"), {}, lines)
    assert again.game.digest() == desk.game.digest()
    assert again.log(BOTH) == desk.log(BOTH) and again.alive == desk.alive
    assert again.table.can_undo == desk.table.can_undo
    assert any(line.text.startswith("!undo") for line in lines)
    changed = [*lines[:-1], Stored(len(lines), "pass pass pass", "", "allied", 0, "")]
    with pytest.raises(BadMessage):
        rebuild(row("battleaxe", "again"), {}, changed)


def test_a_refused_line_changes_nothing() -> None:
    desk = Desk(row("battleaxe", "x"), {})
    before = desk.update(desk.apply(desk.game.text(desk.game.actions()[0]), "allied", 0), BOTH, 0)
    for line in ("nonsense", "!undo", "!offer axis peace", "!answer axis draw yes", "!order a b c"):
        digest, seq = desk.game.digest(), desk.seq
        if line == "!undo":
            desk.apply(line, "allied", 0)
            digest, seq = desk.game.digest(), desk.seq
        with pytest.raises((Refused, BadMessage)):
            desk.apply(line, "allied", 0)
        assert (desk.game.digest(), desk.seq) == (digest, seq)
    assert before


def test_the_journal_gives_back_what_it_was_given_whatever_its_age() -> None:
    journal = Journal()
    for seq in range(1, 5 * BLOCK):
        journal.add(msgspec.json.encode([{"seq": seq, "text": f"line {seq}"}]))
    for since in (0, 1, BLOCK - 1, BLOCK, 3 * BLOCK + 5, 5 * BLOCK):
        found = [entry["seq"] for entry in journal.entries(since)]
        assert found == list(range(since + 1, 5 * BLOCK))
    journal.undone.add(7)
    assert 7 not in [entry["seq"] for entry in journal.entries()]


def test_a_reason_is_read_whole_by_its_own_side_and_by_all_at_the_end() -> None:
    desk = Desk(row("toy", "why"), {})
    by = desk.game.actor
    assert by is not None
    enemy = desk.title.other(by)
    quiet = next(each for each in desk.game.actions() if each.kind in ("move", "pass"))
    applied = desk.apply(desk.game.text(quiet), by, 0, "60% with my shield.", "A good place.")

    def read(eye: Eye) -> list[str]:
        return [line["text"] for line in desk.log(eye) if line["kind"] == "Reason"]

    told = {eye: msgspec.json.decode(desk.update(applied, eye, 0)) for eye in (by, enemy, None)}
    assert told[by]["reason"] == "60% with my shield." and read(by) == read(BOTH)
    for eye in (enemy, None):
        assert told[eye]["reason"] == "A good place." and read(eye) == ["A good place."]
        assert "shield" not in str(desk.log(eye))
    desk.apply(f"!resign {enemy}", enemy, 0)
    assert read(enemy) == read(None) == ["60% with my shield."]


def test_a_reason_that_nobody_else_may_read_leaves_no_line() -> None:
    desk = Desk(row("toy", "why"), {})
    by = desk.game.actor
    assert by is not None
    quiet = next(each for each in desk.game.actions() if each.kind in ("move", "pass"))
    applied = desk.apply(desk.game.text(quiet), by, 0, "60% with my shield.")
    enemy = desk.title.other(by)
    assert msgspec.json.decode(desk.update(applied, enemy, 0))["reason"] is None
    assert not [line for line in desk.log(enemy) if line["kind"] == "Reason"]
