"""16.0, 17.0 Victory points and the end."""

from __future__ import annotations

import pytest

from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.victory import steps_lost

from .helpers import on_map, play, position

NORTH = ("5/1 2001", "5/2 2001", "8/1 2101", "8/2 2201")


def end_of(
    turn: str, *lines: str, scenario: str = "campaign", head: str = "", tail: str = ""
) -> Game:
    first = f'scenario = "{scenario}"\nturn = "{turn}"\nphase = "victory"\n{head}'
    return position(on_map(*lines, head=first, tail=tail), 3, 5)


def test_16_0_four_supplied_units_on_the_north_edge() -> None:
    assert end_of("May 28", *NORTH).points == 1
    assert end_of("May 28", *NORTH[:3]).points == 0
    assert end_of("May 28", *NORTH[:3], "8/2 2201 oos").points == 0
    assert end_of("May 28", *NORTH[:3], "8/2 2202").points == 0
    assert end_of("May 28", *NORTH[:3], "8/2 2201 disrupted used").points == 1


def test_16_0_a_unit_in_2803() -> None:
    assert end_of("May 28", "5/1 2803 isolated").points == 1
    assert end_of("May 28", *NORTH, "115/1 2803").points == 2
    assert end_of("May 28", "10-Hus 2803").points == 0


def test_16_0_never_more_than_nineteen_on_the_track() -> None:
    assert end_of("May 28", *NORTH, "115/1 2803", head="points = 18").points == 19


def test_16_0_steps_count_at_the_end_two_for_the_allies() -> None:
    game = end_of(
        "June 13-14",
        "5/1 2010 steps=1",
        "104/1 eliminated",
        "Bays 2015 steps=1",
        "Marine eliminated",
    )
    assert game.outcome is not None
    assert (steps_lost(game, AXIS), steps_lost(game, ALLIED)) == (3, 2)
    assert game.outcome.winner == ALLIED
    assert "2 Axis points to 6 Allied" in game.outcome.text
    assert {line.text: line.value for line in game.outcome.score} == {
        "Axis victory point track": 0,
        "Allied steps eliminated: 2": 2,
        "Axis steps eliminated: 3": -6,
    }


def test_16_0_equal_points_are_a_tie() -> None:
    game = end_of(
        "June 13-14", "104/1 eliminated", "Marine eliminated", "Bays eliminated", head="points = 0"
    )
    assert game.outcome is not None  # 3 Allied steps against 2 points for the Axis one
    assert game.outcome.winner == AXIS
    tie = end_of("June 13-14", "104/1 eliminated", "Marine eliminated", "2-Leg eliminated")
    assert tie.outcome is not None
    assert (tie.outcome.winner, tie.outcome.level) == (None, "tie")


def test_16_0_replaced_steps_do_not_count() -> None:
    head = 'turn = "May 28"\nside = "allied"\nchit = "2-Arm"'
    tail = '[allied]\nheld = ["replacement", "replacement"]'
    lines = ("Bays 2801 steps=1", "10-Hus eliminated", "5-RTR 2615", "5/1 1622")
    game = position(on_map(*lines, head=head, tail=tail))
    lost = steps_lost(game, ALLIED)
    play(game, "replace Bays")
    assert steps_lost(game, ALLIED) == lost - 1
    play(game, "rebuild 10-Hus 2901")
    assert steps_lost(game, ALLIED) == lost - 2 == 1  # the step it came back without


@pytest.mark.parametrize(
    ("hex_number", "one", "campaign"),
    [
        ("1504", 1, 2),
        ("1605", 1, 2),
        ("2705", 1, 2),
        ("1118", 1, 3),
        ("1218", 1, 3),
        ("1219", 1, 3),
        ("1318", 1, 3),
    ],
)
def test_17_0_allied_points_for_hexes(hex_number: str, one: int, campaign: int) -> None:
    short = end_of("June 1-2", f"Marine {hex_number}", scenario="scenario-one", head="points = 0")
    assert short.outcome is not None
    assert short.outcome.score[-1].value == -one
    long = end_of("June 13-14", f"Marine {hex_number}")
    assert long.outcome is not None
    assert long.outcome.score[-1].value == -campaign


def test_17_0_an_axis_unit_in_a_fort_gives_the_allies_nothing() -> None:
    game = end_of("June 1-2", "104/1 1504", scenario="scenario-one")
    assert game.outcome is not None
    assert game.outcome.winner == AXIS


def test_17_0_scenario_one_ends_after_june_1_2_and_the_campaign_goes_on() -> None:
    assert end_of("June 1-2", "5/1 2010", scenario="scenario-one").outcome is not None
    assert end_of("June 1-2", "5/1 2010").outcome is None
    assert end_of("May 30-31", "5/1 2010", scenario="scenario-one").outcome is None


def test_16_0_units_that_left_the_map_are_not_eliminated() -> None:
    game = end_of("June 13-14", "5/1 off", "Marine withdrawn")
    assert (steps_lost(game, AXIS), steps_lost(game, ALLIED)) == (0, 0)
