"""Positions: every example of the documentation, round trips, and bad ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sandtable.engine import Engine
from sandtable.kernel.errors import BadMessage
from sandtable.titles.cauldron import TITLE
from sandtable.titles.cauldron.movement import Move
from sandtable.titles.cauldron.orders import Orders
from sandtable.titles.cauldron.state import Game

from .helpers import DATA, active, at, on_map, play, position, uid, unit

DOCS = Path(__file__).parents[3] / "docs" / "titles" / "cauldron.md"
EXAMPLES = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES)
def test_documented_positions_are_read_and_written_back(text: str) -> None:
    game = TITLE.position(text, scripted=[3, 5, 6, 1])
    again = TITLE.position(game.position_text(), scripted=[6, 1])
    again.dice = game.dice
    assert again.digest() == game.digest()
    assert list(again.actions()) == list(game.actions())


def test_the_documented_question_works_over_the_protocol() -> None:
    (line,) = re.findall(r"```json\n(.*?)\n```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    engine = Engine(TITLE)
    assert json.loads(json.dumps(engine.answer(line)))["ok"]
    assert engine.answer('{"cmd": "play", "action": "attack 5/1 light"}')["ok"]


def test_a_zero_of_the_die_is_scripted_over_the_protocol() -> None:
    engine = Engine(TITLE)
    head = 'turn = "May 28"\nactive = "5/1"\nactivated = ["5/2"]'
    text = on_map("5/1 2018", "5/2 2020", "2-Lan 2017", head=head)
    command = json.dumps({"cmd": "position", "text": text, "scripted": [0]})
    assert engine.answer(command)["ok"]
    assert engine.answer('{"cmd": "play", "action": "attack 5/1 medium"}')["ok"]
    played = engine.answer('{"cmd": "play", "action": "resolve"}')
    assert "The Axis rolls 0" in str(played)


def test_printed_names_and_ids_both_work() -> None:
    game = position(
        'activated = ["5/1"]\n[units]\n"5/1" = { at = "1622" }\n"10 Hus" = { at = "2001" }'
    )
    assert at(game, "10-Hus") == "2001"


def test_printed_values_may_be_overridden() -> None:
    game = active("5/1", "5/1 2018 values=[[9,8,4,4],[5,4,2,2]] movement=12 type='infantry'")
    assert (game.hard(uid("5/1")), game.soft(uid("5/1"))) == (9, 8)
    step = game.stack[-1]
    assert isinstance(step, Move)
    assert DATA.show_points(step.left(game)) == "12"
    again = TITLE.position(game.position_text())
    assert isinstance(again, Game)
    assert again.kind(uid("5/1")) == game.kind(uid("5/1"))


def test_every_track_can_be_set() -> None:
    text = on_map(
        "5/1 1622",
        "132/8 1321",
        head="""
turn = 5
chit = "Ariete/Trieste"
points = 7
formations_activated = ["21-PZ"]
withdrawn = ["3-Ind"]
broken_word = true
storm = true
""",
        tail='[axis]\nactions = 2\nheld = ["combat"]\nplayed = ["air"]\n'
        "[options]\nstrict_advance = true",
    )
    game = position(text)
    assert isinstance(game.stack[-1], Orders)
    assert (game.turn, game.points, game.broken_word) == (5, 7, True)
    assert game.options["strict_advance"] is True
    assert game.players["axis"].actions == 2
    assert DATA.tactical["air"] in game.players["axis"].played
    assert DATA.tactical["combat"] in game.players["axis"].held


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("turn = 13", "turn"),
        ('scenario = "scenario-one"\nturn = 7', "turn"),
        ('turn = "June 31"', "June 31"),
        ('scenario = "nowhere"', "nowhere"),
        ('phase = "lunch"', "phase"),
        ("points = 20", "points"),
        ('side = "german"', "side"),
        ('chit = "combat"', "action chit"),
        ('chit = "2-Arm"', "no chit"),
        ('phase = "supply"\nchit = "15-PZ/21-PZ"', "actions"),
        ('active = "5/1"', "hex"),
        ('activated = ["5/1"]\n[units]\n"5/1" = { at = "eliminated" }', "arrive"),
        ('activated = ["5/1"]\n[units]\n"5/1" = { at = "withdrawn" }', "arrive"),
        ('activated = ["5/1"]\n[units]\n"5/1" = { at = "off" }', "arrive"),
        ('active = "10-Hus"\n[units]\n10-Hus = { at = "2001" }', "not of the axis"),
        ('[units]\n"9/9" = { at = "1622" }', "9/9"),
        ('[units]\n"5/1" = { at = "9999" }', "9999"),
        ('[units]\n"5/1" = { at = "1622", steps = 4 }', "steps"),
        ('[units]\n"5/1" = { at = "1622", supply = "hungry" }', "supply"),
        ('[units]\n"5/1" = { at = "1622", due = 4 }', "due"),
        ('[units]\n"5/1" = { at = "1622", mood = 4 }', "mood"),
        ('[units]\n"5/1" = { at = "1622", movement = 100 }', "movement"),
        ('[units]\n"5/1" = { at = "1622", values = [] }', "values"),
        ('[units]\n"5/1" = { at = "1622" }\n"10-Hus" = { at = "1622" }', "both sides"),
        ('[units]\n"10-Hus" = { at = "0517" }', "8.1"),
        ('[units]\n"5-EY" = { at = "2001" }', "8.2"),
        ('[axis]\nheld = ["15-PZ/21-PZ"]', "cannot be held"),
        ('[axis]\nheld = ["withdraw-attack"]', "no chit"),
        ("[axis]\nactions = -1", "actions"),
        ('[[breaches]]\nsides = [["1217", "1416"]]', "touch"),
        ("[[breaches]]\nsides = []", "sides"),
        ('[[breaches]]\nsides = [["1217", "1316"]]\nunit = "66/1"', "66/1"),
        ('stack = "nonsense"', "stack"),
        ('stack = "[]"', "stack"),
        ('stack = \'[{"type":"Move","unit":900}]\'', "stack"),
        ('spent = -1\nactive = "5/1"\n[units]\n"5/1" = { at = "1622" }', "spent"),
        ("nothing", "TOML"),
        (
            'active = "65/1"\n[units]\n"65/1" = { at = "1217" }\n'
            '[[breaches]]\nsides = [["1217", "1316"]]\nunit = "65/1"',
            "65/1 breaches and cannot be active",
        ),
    ],
)
def test_bad_positions_are_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(BadMessage) as error:
        TITLE.position(text, scripted=[])
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_deep_point_reads_back_exactly() -> None:
    game = active("5/1", "5/1 2018", "2-Lan 2017", "104/1 1917", dice=[6, 1])
    play(game, "attack 5/1 light", "join 104/1")
    again = TITLE.position(game.position_text(), scripted=[6, 1])
    assert isinstance(again, Game)
    assert again.stack == game.stack
    play(again, "resolve")
    play(game, "resolve")
    assert again.stack == game.stack
    assert unit(again, "2-Lan") == unit(game, "2-Lan")
