"""4.0, 7.0, 13.0, 13.4, 13.5 Cups, draws, and the chits played at once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.titles.cauldron.chits import fill_cups, has_action_chits
from sandtable.titles.cauldron.events import AirMissed, DrewUnseen, Kept
from sandtable.titles.cauldron.orders import Operations, Orders
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import Game

from .helpers import DATA, active, at, on_map, play, position, refused, sentences, texts, uid, unit


def chit_names(game: Game, side: str) -> list[str]:
    return [DATA.chits[chit].id for chit in game.players[side].cup]


def test_4_0_the_cup_holds_the_chits_of_the_turn_and_all_tactical_chits() -> None:
    game = position('turn = "May 28"\nphase = "initiative"', 3, 5)
    fill_cups(game)
    cup = chit_names(game, AXIS)
    assert cup.count("15-PZ/21-PZ") == 2
    assert cup.count("Ariete/Trieste") == 1
    assert cup.count("combat") == 2
    assert cup.count("anti-tank") == 2
    assert len(cup) == 4 + 9
    allied = chit_names(game, ALLIED)
    assert "150-Inf" in allied
    assert "69-Inf" not in allied
    assert (game.players[AXIS].actions, game.players[ALLIED].actions) == (3, 4)


def test_4_0_there_may_be_more_action_chits_than_actions() -> None:
    for turn in range(12):
        for side in (AXIS, ALLIED):
            chits = sum(DATA.chits[chit].cup[turn] for chit in DATA.action_chits[side])
            entry = DATA.tables.turn[turn]
            assert chits >= (entry.axis if side == AXIS else entry.allied)


def test_4_0_a_withdrawn_formation_has_no_chit_any_more() -> None:
    game = position('turn = "May 28"\nphase = "initiative"\nwithdrawn = ["3 Ind"]', 3, 5)
    fill_cups(game)
    assert "3-Ind" not in chit_names(game, ALLIED)


DRAW = """
turn = "May 28"
phase = "actions"
side = "axis"
[axis]
cup = [{}]
actions = 1
[units]
"5/1" = {{ at = "1622" }}
"10-Hus" = {{ at = "1318" }}
"1-RB" = {{ at = "1901" }}
"""


def draw(cup: str, *dice: int) -> Game:
    return position(DRAW.format(cup), *dice)


def test_7_0_draws_go_on_until_an_action_chit_and_tactical_chits_are_kept() -> None:
    game = draw('"15-PZ/21-PZ", "combat", "extra-move"', 3, 2, 1)
    step = game.stack[-1]
    assert isinstance(step, Orders)
    player = game.players[AXIS]
    assert [DATA.chits[chit].id for chit in player.held] == ["combat", "extra-move"]
    assert player.cup == ()
    assert player.actions == 0


def test_13_0_the_other_side_sees_that_a_chit_was_kept_but_not_which() -> None:
    text = DRAW.format('"15-PZ/21-PZ", "combat"') + "[allied]\nactions = 0\n"
    game = position(text.replace("phase", 'activated = ["5/1"]\nphase'), 2, 1)
    events = play(game, "end")
    unseen = [event for event in events if isinstance(event, DrewUnseen)]
    kept = [event for event in events if isinstance(event, Kept)]
    assert [event.only for event in unseen] == [None]
    assert [(event.only, event.chit) for event in kept] == [(AXIS, DATA.tactical["combat"])]
    public = sentences(game, [event for event in events if event.only is None])
    assert "Combat" not in " ".join(public)
    view = game.view(ALLIED)
    assert not any(track.id in ("axis-hand", "axis-left") for track in view.tracks)
    assert any(track.id == "axis-hand" for track in game.view(AXIS).tracks)


def test_13_5_sandstorm_takes_two_thirds_of_the_following_action() -> None:
    game = draw('"15-PZ/21-PZ", "sandstorm"', 2, 1)
    play(game, "activate 21-PZ", "select 5/1")
    assert DATA.show_points(game.stack[-1].left(game)) == "8"
    assert texts(game, "attack") == set()
    assert DATA.tactical["sandstorm"] in game.players[AXIS].played


@pytest.mark.parametrize("state", ["disrupted", "oos", "isolated"])
def test_13_5_in_a_sandstorm_a_weakened_unit_does_not_move(state: str) -> None:
    text = on_map(
        f"5/1 1622 {state}",
        "5/2 1521",
        head='side = "axis"\nturn = "May 28"\nactivated = ["5/1", "5/2"]\nstorm = true',
    )
    game = position(text)
    assert texts(game, "select") == {"select 5/2"}
    assert "no movement points" in refused(game, "select 5/1").text


def test_13_4_air_is_played_the_moment_it_is_drawn() -> None:
    game = draw('"15-PZ/21-PZ", "air"', 2, 1, 1)
    assert game.actor == AXIS
    assert texts(game) == {"air 10-Hus", "air 1-RB", "pass"}
    play(game, "air 1-RB")  # die 1: a step, the only one
    assert at(game, "1-RB") == "eliminated"
    assert isinstance(game.stack[-1], Orders)


@pytest.mark.parametrize(
    ("die", "steps", "disrupted"),
    [(0, 2, True), (4, 2, True), (5, 2, False), (9, 2, False)],
)
def test_13_4_a_fortified_hex_adds_two_to_the_axis_die(
    die: int, steps: int, disrupted: bool
) -> None:
    game = draw('"15-PZ/21-PZ", "air"', 2, die, 1)
    odds = game.odds(game.parse("air 10-Hus"))
    assert odds is not None
    assert [(each.name, each.value) for each in odds.modifiers] == [("fortified hex", 2)]
    assert {each.text: each.probability for each in odds.outcomes} == {
        "disrupted": Fraction(1, 2),
        "no effect": Fraction(1, 2),
    }
    play(game, "air 10-Hus")
    assert unit(game, "10-Hus").steps == steps
    assert unit(game, "10-Hus").disrupted is disrupted


def test_13_4_axis_air_in_the_open() -> None:
    game = draw('"15-PZ/21-PZ", "air"', 2, 6, 1)
    odds = game.odds(game.parse("air 1-RB"))
    assert odds is not None
    assert {each.text: each.probability for each in odds.outcomes} == {
        "step lost": Fraction(2, 10),
        "disrupted": Fraction(5, 10),
        "no effect": Fraction(3, 10),
    }
    play(game, "air 1-RB")
    assert unit(game, "1-RB").disrupted


def test_12_0_air_does_nothing_more_to_a_unit_that_is_disrupted() -> None:
    text = DRAW.format('"15-PZ/21-PZ", "air"')
    text = text.replace('at = "1901"', 'at = "1901", disrupted = true')
    game = position(text, 2, 6, 1)
    odds = game.odds(game.parse("air 1-RB"))
    assert odds is not None
    assert {each.text: each.probability for each in odds.outcomes} == {
        "step lost": Fraction(2, 10),
        "no effect": Fraction(8, 10),
    }
    events = play(game, "air 1-RB")
    assert any(isinstance(event, AirMissed) for event in events)


def test_13_4_allied_air_only_disrupts() -> None:
    text = DRAW.format('"15-PZ/21-PZ"').replace('side = "axis"', 'side = "allied"')
    text += '[allied]\ncup = ["2-Arm", "air"]\nactions = 1\n'
    game = position(text, 2, 2, 1)
    odds = game.odds(game.parse("air 5/1"))
    assert odds is not None
    assert {each.text: each.probability for each in odds.outcomes} == {
        "disrupted": Fraction(3, 10),
        "no effect": Fraction(7, 10),
    }
    play(game, "air 5/1")
    assert unit(game, "5/1").disrupted
    assert unit(game, "5/1").steps == 3


def test_13_4_air_may_be_declined() -> None:
    game = draw('"15-PZ/21-PZ", "air"', 2, 1)
    play(game, "pass")
    assert isinstance(game.stack[-1], Orders)
    assert DATA.tactical["air"] in game.players[AXIS].played


def test_13_4_a_sandstorm_drawn_before_grounds_the_aircraft() -> None:
    game = draw('"15-PZ/21-PZ", "air", "sandstorm"', 3, 2, 1)
    step = game.stack[-1]
    assert isinstance(step, Orders)
    assert step.storm


def test_13_4_air_drawn_before_the_sandstorm_flies() -> None:
    game = draw('"15-PZ/21-PZ", "air", "sandstorm"', 2, 9, 2, 1)
    play(game, "air 1-RB")
    step = game.stack[-1]
    assert isinstance(step, Orders)
    assert step.storm


def test_13_4_no_unit_of_ones_own_is_a_target() -> None:
    game = draw('"15-PZ/21-PZ", "air"', 2, 9, 1)
    assert refused(game, "air 5/1").rule == "13.4"


def test_13_0_all_tactical_chits_return_to_the_cup_each_turn() -> None:
    game = position('turn = "May 28"\nphase = "chits"\n[axis]\nheld = ["combat"]', 3, 5)
    assert game.players[AXIS].held == ()
    assert chit_names(game, AXIS).count("combat") == 2


def test_13_7_actions_without_an_action_chit_are_wasted() -> None:
    text = """
turn = "May 28"
phase = "actions"
side = "allied"
[allied]
cup = ["combat"]
actions = 2
[axis]
cup = ["15-PZ/21-PZ"]
actions = 1
[units]
"5/1" = { at = "1622" }
"""
    game = position(text, 1)
    assert not has_action_chits(game, ALLIED)
    assert game.players[ALLIED].actions == 0
    assert game.actor == AXIS


def test_13_5_extra_move_units_are_slowed_too() -> None:
    text = on_map(
        "5/1 1622",
        "8/1 1721",
        head='side = "axis"\nturn = "May 28"\nactivated = ["5/1"]\nstorm = true',
        tail='[axis]\nheld = ["extra-move"]',
    )
    game = position(text)
    play(game, "extra 8/1", "select 8/1")
    assert DATA.show_points(game.stack[-1].left(game)) == "8"


def test_13_0_sentences_name_the_chit_for_its_owner() -> None:
    game = active("5/1", "5/1 1622")
    events = [Kept(AXIS, DATA.tactical["combat"], rule="13.0", only=AXIS)]
    assert sentences(game, events) == ["It is Combat."]
    assert isinstance(game.stack[-2], Operations)
    assert uid("5/1") == game.stack[-1].unit
