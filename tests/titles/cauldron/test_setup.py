"""17.0 Set-up and the two scenarios."""

from __future__ import annotations

import pytest

from sandtable.titles.cauldron import TITLE
from sandtable.titles.cauldron.actions import Place
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.setup import SetUp
from sandtable.titles.cauldron.state import Game

from .helpers import DATA, at, play, refused, texts, uid, unit


def start(scenario: str = "scenario-one") -> Game:
    game = TITLE.start(scenario, seed="set-up")
    assert isinstance(game, Game)
    return game


def set_up(game: Game) -> None:
    """Place everybody in the first hex offered."""
    while isinstance(game.stack[-1], SetUp):
        game.play(game.actions()[0])
        game.check()


@pytest.mark.parametrize("scenario", ["scenario-one", "campaign"])
def test_17_0_the_allies_set_up_first_one_unit_a_hex(scenario: str) -> None:
    game = start(scenario)
    assert game.actor == ALLIED
    seen = []
    while isinstance(game.stack[-1], SetUp):
        seen.append(game.actor)
        game.play(game.actions()[-1])
    assert seen == sorted(seen)  # "allied" before "axis"
    for space, units in game.stacks.items():
        if game.side_of(units[0]) == ALLIED:
            assert len(units) == (2 if game.hex(space) in ("1504", "1605") else 1)


def test_17_0_units_stay_within_their_circles() -> None:
    game = start()
    set_up(game)
    for name, centre, radius in [
        ("11-Cav", "1520", 1),
        ("2-RB", "2720", 2),
        ("5-GH", "0810", 2),
        ("3-CLY", "1310", 1),
        ("5-RTR", "2615", 3),
        ("10-Hus", "1901", 1),
        ("44-RTR", "0806", 1),
        ("7-GH", "0201", 3),
        ("65/1", "0517", 3),
        ("132/9", "1321", 1),
        ("27", "0110", 2),
    ]:
        here = DATA.board.at(at(game, name))
        assert DATA.board.distance(here, DATA.board.at(centre)) <= radius, name
    assert at(game, "3/12-FR") == "2705"
    french = {at(game, name) for name in ("Marine", "2-Leg", "3-Leg", "BM-2")}
    assert french == {"1118", "1218", "1219", "1318"}


def test_17_0_seven_motor_starts_used() -> None:
    game = start()
    set_up(game)
    assert unit(game, "2-RB").used
    assert unit(game, "9-KRR").used
    assert not unit(game, "10-Hus").used


def test_17_0_one_unit_a_hex_is_enforced() -> None:
    game = start()
    play(game, "place 2-Lan 1520")
    assert "place 11-Cav 1520" not in texts(game)
    assert refused(game, "place 11-Cav 1520").rule == "17.0"
    assert refused(game, "place 11-Cav 1522" if "1522" in DATA.board else "place 11-Cav 1518")
    assert refused(game, "place 18-Cav 1519").rule == "17.0"


def test_17_0_axis_may_stack_but_not_pavia() -> None:
    game = start()
    while game.actor == ALLIED:
        game.play(game.actions()[0])
    while game.actor == AXIS and isinstance(game.stack[-1], SetUp):
        step = game.stack[-1]
        first = game.actions()[0]
        assert isinstance(first, Place)
        if step.spot(game).unit == uid("28"):
            assert f"place 28 {at(game, '27')}" not in texts(game)
        game.play(first)
    assert any(len(stack) == 2 for stack in game.stacks.values())


def test_17_0_no_axis_unit_sets_up_on_the_enemy() -> None:
    game = start()
    play(game, "place 2-Lan 1421")
    while game.actor == ALLIED:
        game.play(game.actions()[-1])
    while (
        game.data.units[game.stack[-1].spot(game).unit].formation != DATA.formation_index["Ariete"]
    ):
        game.play(game.actions()[0])
    assert "place 132/8 1421" not in texts(game)
    assert "place 132/8 1321" in texts(game)


def test_17_0_scenario_one_gives_the_axis_two_points() -> None:
    assert start("scenario-one").points == 2
    assert start("campaign").points == 0
    assert DATA.scenarios["scenario-one"].file.last_turn == 6
    assert DATA.scenarios["campaign"].file.last_turn == 12


def test_17_0_the_game_goes_on_with_the_axis_action_phase() -> None:
    game = start()
    set_up(game)
    assert game.turn == 1
    assert game.actor == AXIS
    assert game.players[ALLIED].actions == 2
    assert game.players[AXIS].actions in (3, 4)  # four before the first chit
