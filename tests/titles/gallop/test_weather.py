"""VIII Weather."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.titles.gallop import events as ev
from tests.titles.gallop.tables import (
    cost,
    outcome,
    play,
    position,
    reach,
    refused,
    rules,
    texts,
    where,
)


def test_VIII_the_allied_player_picks_two_numbers() -> None:
    game = position("15Pz C2, 4Arm N16", "weather", [3])
    assert game.actor == "allied" and len(game.actions()) == 30
    assert refused(game, "weather 3 3").rule == "VIII"
    told = play(game, "weather 1 2")
    assert outcome(told) == "clear" and game.weather == "clear"


def test_VIII_the_first_turn_is_fair() -> None:
    game = position("15Pz C2, 4Arm N16", "weather", turn=1)
    assert game.weather == "clear" and game.actor == "axis"


@pytest.mark.parametrize(
    ("dice", "weather"),
    [
        ([1, 4], "sandstorm"),
        ([1, 3], "clear"),
        ([2, 2], "rainstorm"),
        ([2, 3], "clear"),
        ([5], "clear"),
    ],
)
def test_VIII_A_and_B_second_rolls(dice: list[int], weather: str) -> None:
    """VIII.A, VIII.B A storm needs its number and then a second roll."""
    rest = [1, 1, 1]
    game = position("15Pz C2, 4Arm N16", "weather", [*dice, *rest])
    told = play(game, "weather 1 2")
    assert game.weather == weather and outcome(told[: len(dice) + 2]) == weather


def test_VIII_odds_of_the_weather() -> None:
    game = position("15Pz C2, 4Arm N16", "weather")
    odds = game.odds(game.parse("weather 1 2"))
    assert odds is not None
    assert {c.text: c.probability for c in odds.outcomes} == {
        "sandstorm": Fraction(1, 12),
        "rainstorm": Fraction(1, 36),
        "clear": Fraction(8, 9),
    }


def test_VIII_A_1_no_flying_and_no_repair_in_a_sandstorm() -> None:
    game = position("15Pz C2, 4Arm N16", "axis airstrike", weather="sandstorm", storm_die=1)
    assert not texts(game, "airstrike")
    air = {"axis": {"out": 1}, "allied": {"over": "C2"}}
    game = position("15Pz C2, 4Arm N16", "weather", [1, 4, 1], air=air)
    told = play(game, "weather 1 2")
    assert game.air[1].over < 0 and rules(told, ev.AirWentHome) == ["VIII.A.1"]
    air = {"axis": {"out": 1}}
    game = position("15Pz C2, 4Arm N16", "allied movement", air=air, weather="sandstorm")
    play(game, "done")
    assert game.turn == 3 and game.air[0].out == 1


def test_VIII_A_1_a_view_says_when_aircraft_fly_again() -> None:
    """VIII.A.1 A sandstorm delays repairs by a turn and grounds the rest."""
    air = {"axis": {"out": 1}}
    game = position("15Pz C2, 4Arm N16", "allied movement", air=air, weather="sandstorm")
    shown = {track.id: (track.value, track.detail) for track in game.view("axis").tracks}
    assert shown["air-axis"] == ("knocked out", "back on turn 4")
    assert shown["air-allied"] == ("grounded", "by the sandstorm")
    play(game, "done")
    shown = {track.id: (track.value, track.detail) for track in game.view("axis").tracks}
    assert game.turn == 3 and shown["air-axis"] == ("knocked out", "back on turn 4")
    assert shown["air-allied"] == ("ready", "for one mission")


def test_VIII_A_2_one_factor_in_a_sandstorm() -> None:
    game = position("15Pz M3, 4Arm N16", weather="sandstorm", storm_die=1)
    assert "M5" in reach(game, "15Pz") and "M6" not in reach(game, "15Pz")
    game = position("15Pz G1, 4Arm N16", weather="sandstorm", storm_die=1)
    assert cost(game, "15Pz", "G4") == "1"  # tracks boost as usual


def test_VIII_A_3_hexes_do_not_combine_in_a_sandstorm() -> None:
    units = "15Pz J14, 21Pz I15, Recce J14, 4Arm J15"
    game = position(units, "axis attacks", weather="sandstorm", storm_die=1)
    play(game, "attack J15", "join 15Pz 7")
    assert "join Recce 2" in texts(game)
    assert refused(game, "join 21Pz 7").rule == "VIII.A.3"


def test_VIII_A_4_zones_do_not_stop_movement_in_a_sandstorm() -> None:
    game = position("15Pz G13, 4Arm F15", weather="sandstorm", storm_die=1)
    assert cost(game, "15Pz", "G16") == "1"  # by the track, through the zone
    game = position("15Pz M10, 4Arm M12", weather="sandstorm", storm_die=1)
    play(game, "move 15Pz M11")
    assert refused(game, "move 15Pz N11").rule == "XIII.A.2"  # the bonus is gone


def test_VIII_A_4_ways_in_and_out_of_zones_are_kept_apart() -> None:
    """XIII.C, ruling R56 The one step to C11 touches no zone, whatever runs by C10 might save."""
    works = ["F8", "G12", "C10", "D9", "L10", "L13", "C12", "C13", "D12", "D13"]
    units = "15Pz D10, 4Arm G10, 1Tank D9, 32Tank L13"
    game = position(units, weather="sandstorm", storm_die=1, eliminated=works)
    told = play(game, "move 15Pz C11")
    moved = next(event for event in told if isinstance(event, ev.Moved))
    assert [game.hex_name(hex) for hex in moved.path] == ["D10", "C11"]
    assert "B11" in reach(game, "15Pz")  # the bonus is not lost


def test_VIII_B_1_flying_in_rain_on_an_even_chance() -> None:
    game = position("15Pz C2, 4Arm N16", "axis supply", [3, 4], weather="rainstorm")
    assert texts(game, "airstrike")
    assert game.air[1].grounded
    game = position("15Pz C2, 4Arm N16", "axis supply", [4, 3], weather="rainstorm")
    assert not texts(game, "airstrike") and game.air[0].grounded
    over = {"allied": {"over": "M6"}}  # one that stayed rolls too
    game = position("15Pz M4, 4Arm J17", "axis supply", [1, 3], weather="rainstorm", air=over)
    assert game.hex_name(game.air[1].over) == "M6"
    game = position("15Pz M4, 4Arm J17", "axis supply", [1, 4], weather="rainstorm", air=over)
    assert game.air[1].over < 0 and game.air[1].grounded
    air = {"axis": {"out": 1, "used": True}}
    game = position("15Pz C2, 4Arm N16", "allied recovery", weather="rainstorm", air=air)
    assert game.turn == 3 and game.air[0].out == 0


def test_VIII_B_2_tracks_in_rain() -> None:
    game = position("15Pz G1, 4Arm N16", weather="rainstorm")
    assert cost(game, "15Pz", "G2") == "0.5"
    game = position("4Arm L8, 15Pz C2", "allied movement", weather="rainstorm")
    assert cost(game, "4Arm", "L9") == "1"
    game = position("4Arm E15, 15Pz C2", "allied movement", weather="rainstorm")
    assert cost(game, "4Arm", "E16") == "0.25"
    game = position("15Pz M10, 4Arm M12", weather="rainstorm")
    play(game, "move 15Pz M11")
    assert where(game, "15Pz") == "M11" and refused(game, "move 15Pz M10").rule == "XIII.B.1"
