"""Snapshots of long games: the same game as a replay of all its lines, and only a cache."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from sandtable.server import schema, snapshots
from sandtable.server.clocks import Clock
from sandtable.server.desk import BOTH, Desk, rebuild
from sandtable.server.models import GameRow
from sandtable.server.store import Stored, open_engine
from sandtable.server.wire import ClockWish, encode
from tests.server.harness import play_on, running
from tests.server.test_desk import row


def stroll(desk: Desk, lines: list[Stored], number: int, luck: random.Random) -> None:
    """Random play with take-backs, orders and an offer."""
    for _ in range(number):
        game = desk.game
        if game.actor is None:
            return
        by, text = game.actor, game.text(luck.choice(game.actions()))
        if desk.table.can_undo and luck.random() < 0.15:
            text = f"!undo {by}"
        elif luck.random() < 0.02 and not desk.offers:
            text = f"!offer {by} draw"
        elif luck.random() < 0.02 and desk.title.interrupts:
            interrupt = luck.choice(desk.title.interrupts)
            text = f"!order {by} {interrupt.id} {interrupt.settings[0]}"
        at = 1000 * desk.seq
        applied = desk.apply(text, by, at)
        lines.append(Stored(applied.seq, applied.text, applied.dice, by, at, ""))


def same(one: Desk, other: Desk) -> None:
    """Nobody could tell these desks apart."""
    assert one.game.digest() == other.game.digest() and one.seq == other.seq
    for eye in (*one.title.sides, BOTH, None):
        told = [msgspec.json.decode(encode(desk.now(eye, 0))) for desk in (one, other)]
        assert told[0] == told[1]
        assert one.log(eye) == other.log(eye) and one.record(eye) == other.record(eye)
    assert one.alive == other.alive and one.table.can_undo == other.table.can_undo


def clocked(title: str) -> GameRow:
    """A game with a clock, whose time is part of what must come back."""
    wish = ClockWish(seconds=100_000, increment=5)
    return msgspec.structs.replace(row(title, f"snapshot {title}"), clock=wish)


@pytest.mark.parametrize("title", ["battleaxe", "gallop", "cauldron", "theseus"])
def test_a_game_from_its_snapshot_is_the_game_from_its_lines(title: str) -> None:
    start, luck = clocked(title), random.Random(title)
    desk, lines = Desk(start, {}), list[Stored]()
    stroll(desk, lines, 60, luck)
    while desk.table.can_undo:
        stroll(desk, lines, 1, luck)
    found = snapshots.packed(snapshots.take(desk))
    stroll(desk, lines, 30, luck)
    assert desk.seq > found.seq and desk.game.outcome is None
    opened = snapshots.open_desk(start, {}, lines, "", found)
    whole = rebuild(start, {}, lines)
    same(opened, whole)
    assert isinstance(opened.clock, Clock) and opened.clock == whole.clock == desk.clock
    # They go on alike, dice and all.
    further, again = list[Stored](), list[Stored]()
    stroll(opened, further, 60, random.Random(1))
    stroll(whole, again, 60, random.Random(1))
    assert further == again
    same(opened, whole)


def test_a_snapshot_of_other_code_or_one_that_cannot_be_read_is_not_used() -> None:
    start, luck = row("battleaxe", "cache"), random.Random(3)
    desk, lines = Desk(start, {}), list[Stored]()
    stroll(desk, lines, 60, luck)
    while desk.table.can_undo:
        stroll(desk, lines, 1, luck)
    found = snapshots.packed(snapshots.take(desk))
    replace = msgspec.structs.replace
    for wrong in (
        None,
        replace(found, stamp="other code"),
        replace(found, content=b"nonsense"),
        replace(found, content=snapshots.packed(replace(found, content=b"\x93")).content),
        replace(found, seq=len(lines) + 1),
    ):
        same(snapshots.open_desk(start, {}, lines, "", wrong), desk)
    # With the stamp of today its content is believed, so this shows that it is looked at.
    other = Desk(row("battleaxe", "another"), {})
    lie = replace(snapshots.packed(snapshots.take(other)), seq=found.seq)
    assert snapshots.open_desk(start, {}, lines, "", lie).game.digest() != desk.game.digest()


def test_a_restarted_server_opens_a_long_game_from_its_snapshot(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    table = schema.snapshots
    with running(database, "--no-limits") as server:
        made = server.create(title="theseus", mode="hotseat")
        token = made["seats"]["axis"]
        seat = server.sit(made["game"], token)
        both = dict.fromkeys(made["seats"], seat)
        while True:
            last = play_on(both, 20, seed=int(seat.state["seq"]))
            assert seat.state["view"]["actor"], "the game ended before its first snapshot"
            if last > snapshots.EVERY:
                engine = open_engine(database)
                with engine.connect() as db:
                    kept = db.execute(sa.select(table.c.seq, table.c.game)).one_or_none()
                engine.dispose()
                if kept:
                    break
        assert kept.game == made["game"] and snapshots.EVERY <= kept.seq <= last
        state = server.get(f"/api/games/{made['game']}/state", token)
        server.kill()
        server.start()
        again = server.get(f"/api/games/{made['game']}/state", token)
        assert again.pop("players") and state.pop("players")  # who is there has changed
        assert again == state
        seat = server.sit(made["game"], token)
        play_on(dict.fromkeys(made["seats"], seat), 5)
        seat.ask("resign", side="axis")
        assert server.get(f"/api/games/{made['game']}/verify")["ok"] is True
        seat.close()
