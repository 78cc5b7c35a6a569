"""The engine protocol: what it promises, and that nothing a client sends can break it."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

import sandtable
from sandtable.engine import LONGEST_LINE, Engine
from sandtable.kernel import codec
from tests import transcript


@pytest.fixture
def engine() -> Engine:
    return Engine(sandtable.title("toy"))


def say(engine: Engine, **command: object) -> dict[str, Any]:
    """One command and its answer, through bytes as on the wire."""
    out = io.BytesIO()
    engine.serve(io.BytesIO(json.dumps(command).encode() + b"\n"), out)
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def duel(engine: Engine, *actions: str, **start: object) -> dict[str, Any]:
    """A duel with shields after these actions."""
    answer = say(engine, cmd="start", scenario="duel", options={"deal": "shields"}, **start)
    for action in actions:
        answer = say(engine, cmd="play", action=action)
        assert answer["ok"], answer
    return answer


def test_start_says_who_decides_what_by_which_rule(engine: Engine) -> None:
    assert say(engine, cmd="start", scenario="duel", seed="1") == {
        "ok": True,
        "actor": "red",
        "prompt": "Move or attack with one unit, or pass.",
        "rule": "1.1",
        "over": False,
    }


def test_actions_are_listed_with_kind_units_and_spaces(engine: Engine) -> None:
    duel(engine, seed="1")
    listed = say(engine, cmd="actions")["actions"]
    assert {"text": "pass", "kind": "pass", "label": "Pass.", "units": [], "spaces": []} in listed
    assert [each for each in listed if each["text"] == "move R2 c"] == [
        {
            "text": "move R2 c",
            "kind": "move",
            "label": "move R2 c",
            "units": ["R2"],
            "spaces": ["c"],
        }
    ]


def test_why_names_the_rule_that_is_broken(engine: Engine) -> None:
    duel(engine, seed="1")
    legal = say(engine, cmd="why", action="move R2 c")
    assert legal["ok"] and legal["legal"] and legal["text"] == ""
    illegal = say(engine, cmd="why", action="move R2 e")
    assert illegal["ok"] and not illegal["legal"]
    assert illegal["rule"] == "2.1"
    assert "next space" in illegal["text"]
    unread = say(engine, cmd="why", action="fly R2 e")
    assert unread["ok"] and not unread["legal"] and unread["rule"] == "1.1"


def test_a_refused_action_says_why_and_changes_nothing(engine: Engine) -> None:
    duel(engine, seed="1")
    before = say(engine, cmd="state")
    refused = say(engine, cmd="play", action="move R2 e")
    assert refused == {
        "ok": False,
        "error": "move R2 e is not possible: only the next space can be reached.",
        "rule": "2.1",
    }
    wrong_side = say(engine, cmd="play", action="pass", side="blue")
    assert not wrong_side["ok"] and wrong_side["rule"] == "1.1"
    assert say(engine, cmd="play", action="pass", side="green")["ok"] is False
    assert say(engine, cmd="state") == before


def test_scripted_dice_are_given_in_advance_and_never_guessed(engine: Engine) -> None:
    duel(engine, "move R2 c", "pass", "attack R2 B1", scripted=True)
    before = say(engine, cmd="state")
    missing = say(engine, cmd="play", action="card no")
    assert not missing["ok"] and "give 1 more face(s) of d6" in missing["error"]
    assert say(engine, cmd="state") == before
    assert say(engine, cmd="dice", faces=[9])["ok"]
    wrong = say(engine, cmd="play", action="card no")
    assert not wrong["ok"] and "does not fit" in wrong["error"]
    duel(engine, "move R2 c", "pass", "attack R2 B1", scripted=[5])
    played = say(engine, cmd="play", action="card no")
    assert played["events"] == [
        {
            "rule": "3.2",
            "only": None,
            "purpose": "attack",
            "faces": [5],
            "by": "red",
            "place": "2",
            "outcome": "hit",
            "text": "attack: 5.",
            "kind": "Rolled",
        },
        {"rule": "3.2", "only": None, "unit": "B1", "text": "B1 is lost.", "kind": "Killed"},
    ]
    assert played["over"] and played["actor"] is None
    assert played["outcome"] == {
        "winner": "red",
        "level": "rout",
        "text": "red wins.",
        "rule": "4.2",
        "score": [
            {"text": "Units of red alive", "value": 1, "rule": "4.1"},
            {"text": "Units of blue alive", "value": 0, "rule": "4.1"},
        ],
    }
    after = say(engine, cmd="play", action="pass")
    assert not after["ok"] and after["rule"] == "4.2"
    assert say(engine, cmd="actions")["actions"] == []


def test_dice_are_refused_in_a_game_with_real_ones(engine: Engine) -> None:
    duel(engine, seed="1")
    assert "not scripted" in say(engine, cmd="dice", faces=[6])["error"]


def test_odds_are_exact_and_name_their_modifiers(engine: Engine) -> None:
    duel(engine, "move R2 c", "pass", "aim R2", seed="1")
    odds = say(engine, cmd="odds", action="attack R2 B1")
    assert odds["modifiers"] == [{"name": "strength", "value": 3, "rule": "3.2"}]
    assert [(each["text"], each["exact"]) for each in odds["outcomes"]] == [
        ("hit", "5/6"),
        ("miss", "1/6"),
    ]
    assert sum(each["probability"] for each in odds["outcomes"]) == pytest.approx(1)
    assert say(engine, cmd="odds", action="pass")["outcomes"] == []
    assert not say(engine, cmd="odds", action="move R2 e")["ok"]


def test_undo_takes_back_within_the_policy(engine: Engine) -> None:
    duel(engine, "aim R2", seed="1")
    assert say(engine, cmd="undo")["ok"]
    refused = say(engine, cmd="undo")
    assert not refused["ok"] and refused["rule"] == "1.1"


def test_a_record_loads_and_goes_on(engine: Engine) -> None:
    duel(engine, "move R2 c", "pass", seed=7)
    digest = say(engine, cmd="state")["digest"]
    text = say(engine, cmd="record")["text"]
    other = Engine(sandtable.title("toy"))
    assert say(other, cmd="load", text=text)["actor"] == "red"
    assert say(other, cmd="state")["digest"] == digest
    broken = say(other, cmd="load", text=text.replace("move R2 c", "move R2 e"))
    assert not broken["ok"] and "action 1" in broken["error"]
    assert say(other, cmd="state")["digest"] == digest


def test_a_position_is_placed(engine: Engine) -> None:
    text = sandtable.title("toy").start("duel", seed="1").position_text()
    assert say(engine, cmd="position", text=text, scripted=[6])["ok"]
    refused = say(engine, cmd="position", text="nonsense = 1")
    assert not refused["ok"] and refused["rule"] is None


def test_views_hide_what_a_side_may_not_see(engine: Engine) -> None:
    say(engine, cmd="start", seed="1")
    cards = {
        side: [
            track["id"] for track in say(engine, cmd="view", side=side)["view"].get("tracks", [])
        ]
        for side in ("red", "blue")
    }
    assert cards == {"red": ["card-red"], "blue": ["card-blue"]}
    assert "tracks" not in say(engine, cmd="view")["view"]
    assert set(say(engine, cmd="state")["state"]["cards"]) == {"red", "blue"}
    assert not say(engine, cmd="view", side="green")["ok"]


def test_orders_are_listed_given_and_recorded(engine: Engine) -> None:
    duel(engine, seed="1")
    assert say(engine, cmd="orders")["orders"][1] == {
        "side": "blue",
        "interrupt": "card",
        "name": "Turn the card over",
        "rule": "3.3",
        "setting": "ask",
        "settings": ["ask", "never", "never-now"],
    }
    assert say(engine, cmd="order", side="blue", interrupt="card", setting="never")["ok"]
    assert say(engine, cmd="orders")["orders"][1]["setting"] == "never"
    assert "!order blue card never" in say(engine, cmd="record")["text"]
    assert not say(engine, cmd="order", side="blue", interrupt="tea", setting="never")["ok"]


def test_rules_are_told_before_a_game(engine: Engine) -> None:
    assert len(say(engine, cmd="rules")["rules"]) == 10
    assert say(engine, cmd="rules", number="2.1")["rules"][0]["heading"] == "Moving"
    assert not say(engine, cmd="rules", number="99")["ok"]


def test_a_side_resigns(engine: Engine) -> None:
    duel(engine, seed="1")
    answer = say(engine, cmd="resign", side="red")
    assert answer["over"] and answer["outcome"]["winner"] == "blue"


def test_the_id_of_a_command_comes_back(engine: Engine) -> None:
    assert say(engine, cmd="start", seed="1", id=12)["id"] == 12
    assert say(engine, cmd="play", action="fly", id="x")["id"] == "x"


BAD = [
    b"",
    b"hello",
    b"[]",
    b"3",
    b'"start"',
    b"null",
    b"{}",
    b'{"cmd": "start"',
    b'{"cmd": "dance"}',
    b'{"cmd": 3}',
    b'{"cmd": null}',
    b'{"cmd": "start", "scenario": ["duel"]}',
    b'{"cmd": "start", "options": []}',
    b'{"cmd": "start", "options": {"turns": []}}',
    b'{"cmd": "start", "options": {"turns": 1.5}}',
    b'{"cmd": "start", "options": {"turns": 1e99}}',
    b'{"cmd": "start", "opitons": {}}',
    b'{"cmd": "start", "seed": {}}',
    b'{"cmd": "start", "seed": "two\\nlines"}',
    b'{"cmd": "start", "seed": "\\ud800"}',
    b'{"cmd": "start", "scripted": "6"}',
    b'{"cmd": "start", "scripted": [-1]}',
    b'{"cmd": "start", "scripted": ["6"]}',
    b'{"cmd": "start", "scripted": [99999999999999999999999999]}',
    b'{"cmd": "play"}',
    b'{"cmd": "play", "action": 4}',
    b'{"cmd": "play", "action": ""}',
    b'{"cmd": "play", "action": "move R2 c", "side": 1}',
    b'{"cmd": "play", "action": "move R2 --1"}',
    b'{"cmd": "play", "action": "move \\u0000 \\u2028"}',
    b'{"cmd": "view", "side": "x"}',
    b'{"cmd": "load", "text": ""}',
    b'{"cmd": "load", "text": "sandtable 1\\ntitle battleaxe"}',
    b'{"cmd": "position", "text": "a = ' + b"[" * 5000 + b'"}',
    b'{"cmd": "position"}',
    b'{"cmd": "dice", "faces": 6}',
    b'{"cmd": "why"}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"cmd": "play", "action": "' + b"x" * LONGEST_LINE + b'"}',
    b"\xff\xfe\x00",
    b'{"cmd": "start", "seed": "\xff"}',
]


@pytest.mark.parametrize("line", BAD[1:], ids=lambda line: repr(line[:40]))
def test_bad_lines_get_an_error_and_the_engine_goes_on(engine: Engine, line: bytes) -> None:
    duel(engine, seed="1")
    state = say(engine, cmd="state")
    out = io.BytesIO()
    engine.serve(io.BytesIO(line + b'\n\n{"cmd": "state"}\n'), out)
    error, after = (json.loads(each) for each in out.getvalue().splitlines())
    assert set(error) == {"ok", "error", "rule"}
    assert error["ok"] is False
    assert error["error"] and "\n" not in error["error"]
    assert "bug" not in error["error"]
    assert after == state


def test_quit_answers_and_ends(engine: Engine) -> None:
    out = io.BytesIO()
    engine.serve(io.BytesIO(b'{"cmd": "quit"}\n{"cmd": "rules"}\n'), out)
    assert json.loads(out.getvalue())["ok"] is True


def test_commands_before_a_game_say_what_to_do(engine: Engine) -> None:
    for command in ("actions", "state", "undo", "record", "view", "orders"):
        answer = say(engine, cmd=command)
        assert "send start, position or load first" in answer["error"]


def test_a_bug_in_a_title_costs_no_game(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    duel(engine, seed="1")
    state = say(engine, cmd="state")

    def crash(step: Any, game: Any, action: Any) -> None:
        game.left -= 5
        raise KeyError("boom")

    def dumb(step: Any, game: Any) -> str:
        if game.dice.count == 0 and game.left == left:
            return "Here all is well."
        raise KeyError("boom")

    left, record = state["state"]["left"], say(engine, cmd="record")
    for name, broken in (("apply", crash), ("prompt", dumb)):
        with monkeypatch.context() as patch:
            patch.setattr(sandtable.title("toy").steps[0], name, broken)
            answer = say(engine, cmd="play", action="pass")
        assert not answer["ok"] and "a bug in the rules" in answer["error"]
        assert say(engine, cmd="state") == state
        assert say(engine, cmd="record") == record


def test_a_die_that_counts_from_zero_is_scripted_so() -> None:
    engine = Engine(sandtable.title("cauldron"))
    text = 'turn = "May 28"\nphase = "initiative"\n'
    assert not say(engine, cmd="position", text=text, scripted=[10, 3])["ok"]
    assert say(engine, cmd="position", text=text, scripted=[0, 3])["ok"]
    assert say(engine, cmd="start", scripted=True)["ok"]
    assert say(engine, cmd="dice", faces=[0])["ok"]


def test_a_wrong_face_is_mended_in_the_record(engine: Engine) -> None:
    duel(engine, "move R2 c", "pass", "attack R2 B1", scripted=[9, 4])
    for _ in range(2):
        assert "face 9" in say(engine, cmd="play", action="card no")["error"]
    text = say(engine, cmd="record")["text"].replace("faces 9 4", "faces 2 4")
    assert say(engine, cmd="load", text=text)["ok"]
    assert say(engine, cmd="play", action="card no")["ok"]


def test_the_transcript_in_the_document_is_true() -> None:
    engine = Engine(sandtable.title("battleaxe"))
    pages = transcript.read()
    assert len(pages) > 15
    for said, shown in pages:
        real = transcript.answer(engine, said)
        assert transcript.agrees(shown, real), f"{said}\nshown {shown}\nreal  {real}"


def test_the_transcript_notices_a_difference() -> None:
    assert transcript.agrees({"a": [1, "..."], "...": "..."}, {"a": [1, 2], "b": 3})
    assert not transcript.agrees({"a": [2, "..."], "...": "..."}, {"a": [1, 2], "b": 3})
    assert not transcript.agrees({"a": 1}, {"a": 1, "b": 3})
    assert not transcript.agrees({"a": "x..."}, {"a": "yes"})


STACK = (
    '[{"type":"Maneuvers"},{"type":"Impulse","side":1},{"type":"Assault","side":1,"active":4,'
    '"activated":MASK,"contested":0,"second":false,"acted":true,"finished":0,"done":0,"fought":0,'
    '"attacked":0,"mover":UNIT,"spent":0,"came":[]}]'
)
SENSELESS = {
    "a set that never ends": ("battleaxe", STACK.replace("MASK", "-1").replace("UNIT", "-1")),
    "a unit without end": (
        "battleaxe",
        STACK.replace("MASK", "0").replace("UNIT", "10000000000"),
    ),
    "no such side": ("battleaxe", '[{"type":"Maneuvers"},{"type":"Impulse","side":7}]'),
    "nobody decides": ("battleaxe", '[{"type":"Maneuvers"}]'),
    "no such phase": ("cauldron", '[{"type":"Turn","phase":"actions"},{"type":"Pull","side":""}]'),
}


@pytest.mark.parametrize("name", SENSELESS)
def test_steps_that_make_no_sense_are_refused_and_not_run_into(name: str) -> None:
    id, stack = SENSELESS[name]
    engine = Engine(sandtable.title(id))
    answer = say(engine, cmd="position", text=f"stack = '{stack}'\n")
    assert not answer["ok"] and "\n" not in answer["error"]
    assert "bug" not in answer["error"]


@pytest.mark.parametrize("order", ['"" = "x"', '"axis" = "never"', '"axis artillery" = "tea"'])
def test_a_position_gives_no_standing_order_that_there_is_not(order: str) -> None:
    engine = Engine(sandtable.title("battleaxe"))
    answer = say(engine, cmd="position", text=f"[orders]\n{order}\n")
    assert "no standing order" in answer["error"]
    assert say(engine, cmd="position", text='[orders]\n"axis artillery" = "never"\n')["ok"]


def test_a_position_reads_back_from_its_record_whatever_is_in_it() -> None:
    engine = Engine(sandtable.title("battleaxe"))
    score = 'score = [{ text = "a\u2028b", points = 1 }]\n'
    assert "U+2028" in say(engine, cmd="position", text=score)["error"]
    assert say(engine, cmd="position", text='turn = 2\r\nallied_held = ["A", "A"]\r\n')["ok"]
    assert say(engine, cmd="load", text=say(engine, cmd="record")["text"])["ok"]
    assert 'allied_held = [\n    "A",\n]' in engine.table.game.position_text()


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("battleaxe", 'tem = { 6 = 4 }\n[units]\n7RTR = { at = "6", cv = [9, 3] }\n'),
        ("cauldron", '[units]\n"5/1" = { at = "2018", movement = 9 }\n'),
        ("gallop", '[units]\n15Pz = { at = "J9", factors = [9, 9, 9] }\n'),
        ("theseus", '[pieces]\n"I/5" = { hex = "3019", printed_strength = 9 }\n'),
    ],
)
def test_a_position_with_values_of_its_own_has_a_record_and_a_state(title: str, text: str) -> None:
    engine = Engine(sandtable.title(title))
    assert say(engine, cmd="position", text=text)["ok"], say(engine, cmd="position", text=text)
    state = say(engine, cmd="state")
    assert state["ok"]
    assert say(engine, cmd="load", text=say(engine, cmd="record")["text"])["ok"]
    assert say(engine, cmd="state")["digest"] == state["digest"]
    game = engine.table.game
    assert game.title.load(codec.dump(game)).digest() == state["digest"]
