"""XIII Operational movement."""

from __future__ import annotations

import random
from typing import cast

import pytest

from sandtable.kernel.actions import Space
from sandtable.kernel.rules import first_broken
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.march import Ground, allowance, march, mined
from sandtable.titles.gallop.move_rules import MOVE_RULES
from sandtable.titles.gallop.movement import Movement
from sandtable.titles.gallop.state import Game
from tests.titles.gallop.tables import (
    TITLE,
    cost,
    outcome,
    piece,
    play,
    position,
    reach,
    refused,
    rules,
    texts,
    where,
)


def test_XIII_A_1_a_unit_moves_once_and_others_in_turn() -> None:
    """XIII.A, XIII.A.1 A unit in motion goes on until another starts."""
    game = position("15Pz J2, 21Pz K2")
    play(game, "move 15Pz J3", "move 15Pz J4", "move 21Pz K3")
    assert refused(game, "move 15Pz J5").rule == "XIII.A.1"
    assert refused(game, "move 4Arm J5").rule == "XIII.A.1"
    play(game, "move 21Pz K4")
    assert where(game, "15Pz") == "J4" and where(game, "21Pz") == "K4"


def test_XIII_A_2_each_hex_off_the_road_costs_one_factor() -> None:
    game = position("90Lt M3")
    assert cost(game, "90Lt", "M4") == "1"
    assert "M7" in reach(game, "90Lt") and "M8" not in reach(game, "90Lt")
    assert refused(game, "move 90Lt M8").rule == "XIII.A.2"


@pytest.mark.parametrize(
    ("unit", "road", "major", "minor"),
    [("4Arm", "0.25", "0.33", "0.5"), ("7Mot", "0.2", "0.25", "0.33"), ("29Ind", *["0.5"] * 3)],
)
def test_XIII_A_2_a_XIII_A_2_b_rates_by_class(unit: str, road: str, major: str, minor: str) -> None:
    """XIII.A.2.a, XIII.A.2.b, XIII.A.2.c, TEC Rates on road, major and minor track."""
    game = position(f"{unit} E15", "allied movement")
    assert cost(game, unit, "E16") == road
    game = position(f"{unit} G15", "allied movement")
    assert cost(game, unit, "G16") == major
    game = position(f"{unit} L8", "allied movement")
    assert cost(game, unit, "L9") == minor


def test_XIII_A_2_c_trucks_carry_infantry_at_three_factors() -> None:
    game = position("150 M10", "allied movement")
    assert "M14" not in reach(game, "150") and "M13" in reach(game, "150")
    play(game, "truck 150")
    assert game.convoys == 6 - 2
    assert "M14" in reach(game, "150")
    assert refused(game, "truck 150").rule == "XIII.A.2.c"
    play(game, "move 150 M14")
    assert piece(game, "150").trucked


def test_XIII_A_2_c_a_convoy_carries_one_attack_factor() -> None:
    game = position("Brescia M3, Trento M5, 15Pz M4")
    play(game, "truck Brescia")
    assert game.convoys == 1
    assert refused(game, "truck Trento").rule == "XIII.A.2.c"
    assert refused(game, "truck 15Pz").rule == "XIII.A.2.c"


def test_XIII_A_2_d_fractions_add_up_on_the_net_and_are_lost_off_it() -> None:
    game = position("90Lt G1")
    # G1 G2 is a quarter, and the next hex off the track a whole factor after rounding up.
    assert cost(game, "90Lt", "G2") == "0.25"
    assert cost(game, "90Lt", "F1") == "1"
    game = position("90Lt E3", axis_holds=["E3"])
    # Two thirds on the minor track, then a quarter on the major one.
    assert cost(game, "90Lt", "G3") == "0.67"
    assert cost(game, "90Lt", "G4") == "0.92"
    assert cost(game, "90Lt", "F4") == "2"  # off the track, the fraction is gone


def test_XIII_A_2_d_rounding_happens_before_the_step_off_the_road() -> None:
    game = position("4Arm E16", "allied movement")
    assert cost(game, "4Arm", "D13") == "0.75"
    assert cost(game, "4Arm", "D12") == "2"


def test_XIII_A_3_no_unit_enters_an_enemy_hex() -> None:
    game = position("15Pz J12, 4Arm J14")
    assert "J14" not in reach(game, "15Pz")
    assert refused(game, "move 15Pz J14").rule == "XIII.A.3"


def test_XIII_B_1_a_unit_stops_on_entering_a_zone() -> None:
    game = position("15Pz J12, 4Arm J14")
    play(game, "move 15Pz J13")
    assert refused(game, "move 15Pz I13").rule == "XIII.B.1"
    game = position("15Pz N3 7-6-1, 4Arm M2, 2Arm M5")
    assert refused(game, "move 15Pz L3").rule == "XIII.B.1"
    game = position("15Pz K2, 4Arm K4")
    assert refused(game, "move 15Pz K5").rule == "XIII.B.3"


def test_XIII_B_2_a_unit_may_leave_a_zone_freely() -> None:
    game = position("15Pz J13, 4Arm J14")
    assert {"J12", "J11", "J10"} <= reach(game, "15Pz")


def test_XIII_B_3_no_direct_step_within_the_zone_of_one_unit() -> None:
    game = position("15Pz J13, 4Arm J14")
    # I14 and K14 touch both J13 and J14.
    play(game, "move 15Pz I13", "move 15Pz I14")
    assert where(game, "15Pz") == "I14"  # out of the zone and back is allowed
    game = position("15Pz J13 disrupted 7-6-1, 4Arm J14")
    assert "I14" not in reach(game, "15Pz") and "I13" in reach(game, "15Pz")
    assert refused(game, "move 15Pz I14").rule == "XIII.B.3"


def test_XIII_B_3_exception_a_hex_held_by_a_friend() -> None:
    game = position("15Pz J13, 21Pz I14, 4Arm J14")
    assert "I14" in reach(game, "15Pz")


def test_XIII_B_3_zones_of_different_units_may_be_stepped_between() -> None:
    # I14 lies in the zone of 4Arm, I15 in that of 7Mot alone; one factor allows a single step.
    game = position("15Pz I14 disrupted, 4Arm H13, 7Mot I16")
    assert "I15" in reach(game, "15Pz")


def test_XIII_B_4_the_step_into_a_zone_is_not_boosted() -> None:
    game = position("4Arm G15, 15Pz G18", "allied movement")
    assert cost(game, "4Arm", "G16") == "0.33"
    assert cost(game, "4Arm", "G17") == "2"


def test_XIII_C_the_bonus_is_for_moves_into_no_zone() -> None:
    game = position("90Lt M3, 7Mot M8")
    assert "M6" in reach(game, "90Lt")
    assert "M7" not in reach(game, "90Lt")  # four factors into a zone
    assert refused(game, "move 90Lt M7").rule == "XIII.C"
    assert cost(game, "90Lt", "N6") == "4"


def test_XIII_D_crusaders_may_break_down_on_the_way() -> None:
    game = position("2Arm N10", "allied movement", [2])
    action = game.parse("move 2Arm N14")
    odds = game.odds(action)
    assert odds is not None
    assert {c.text: c.probability.numerator for c in odds.outcomes}["arrives"] == 1
    assert sum(c.probability for c in odds.outcomes) == 1
    told = play(game, "move 2Arm N14")
    assert where(game, "2Arm") == "N12" and piece(game, "2Arm").disrupted
    assert outcome(told) == "breaks down in N12"
    assert rules(told, ev.BrokeDown) == ["XIII.D"]


def test_XIII_D_a_high_roll_arrives_and_one_factor_is_safe() -> None:
    game = position("2Arm M10, 22Arm N12", "allied movement", [4])
    play(game, "move 2Arm M14", "move 22Arm N13")
    assert where(game, "2Arm") == "M14" and not piece(game, "2Arm").disrupted
    assert where(game, "22Arm") == "N13"
    assert refused(game, "move 2Arm M15").rule == "XIII.A.1"


def test_XIII_D_on_a_road_breakdown_comes_at_the_end_of_that_factor() -> None:
    game = position("2Arm G18", "allied movement", [1])
    play(game, "move 2Arm G13")  # five hexes of a third: two factors begun
    assert where(game, "2Arm") == "G15" and piece(game, "2Arm").disrupted


def test_XIII_D_a_route_is_declared_before_the_move() -> None:
    game = position("2Arm M10, 4Arm N15", "allied movement", [6])
    play(game, "route 2Arm N10")
    assert where(game, "2Arm") == "M10"
    assert refused(game, "move 4Arm N16").rule == "XIII.D"
    assert refused(game, "route 4Arm N16").rule == "XIII.D"
    assert refused(game, "route 2Arm N14").rule == "XIII.A.2"  # its last factor is spent there
    told = play(game, "move 2Arm M11")
    moved = next(event for event in told if isinstance(event, ev.Moved))
    assert [game.hex_name(hex) for hex in moved.path] == ["M10", "N10", "M11"]


def test_XIII_E_the_gallop_doubles_movement_eastward_only() -> None:
    game = position("1SA B6 asleep, 150 H6 asleep, 4Arm I10 asleep, Pavia G4", "allied movement")
    assert "gallop" in texts(game)
    told = play(game, "gallop")
    assert piece(game, "1SA").active and piece(game, "1SA").galloping
    assert not piece(game, "4Arm").active
    assert rules(told, ev.Galloped) == ["XIII.E"]
    assert "gallop" not in texts(game)
    found = reach(game, "1SA")
    assert "B12" not in found and "B11" in found  # 11 half factors of road, twice 3 factors
    assert "B5" not in found and refused(game, "move 150 H5").rule == "XIII.E"
    board = game.facts.board
    assert all(board.column[board.at(hex)] >= 6 for hex in reach(game, "150"))


def test_XIII_E_on_the_line_or_a_hex_from_it_and_not_moved_yet() -> None:
    """XIII.E, ruling R60 D5 is on the line, D6 beside it, D7 two hexes away; 150 has moved."""
    units = "2SABde D5, 1Tank D6, 32Tank D7, 150 H6 moved, 15Pz A2"
    game = position(units, "allied movement")
    play(game, "gallop")
    fleeing = {name for name in game.facts.index if piece(game, name).galloping}
    assert fleeing == {"2SABde", "1Tank"}


def test_XIII_E_the_flight_ends_east_of_column_13() -> None:
    game = position("150 M13 galloping, 201Gds M9 galloping", "allied movement")
    play(game, "move 150 M14", "move 201Gds M12", "done")
    assert not piece(game, "150").galloping and piece(game, "201Gds").galloping


def test_XIII_E_the_flight_ends_by_retreat_too() -> None:
    game = position("4Arm J13 4-6-4 galloping, 15Pz J12", "axis attacks", [5], galloped=True)
    play(game, "attack J13", "join 15Pz 7", "resolve", "done", "drive 1", "retreat 4Arm J14")
    while not (game.actor == "allied" and texts(game, "move 4Arm")):
        play(game, "done")
    assert not piece(game, "4Arm").galloping and "J13" in reach(game, "4Arm")
    game = position("150 M10 galloping", "allied movement", galloped=True)
    assert refused(game, "move 150 M8").rule == "XIII.E"


def to_allied_movement(game: Game) -> None:
    """Let everything pass until the Allies move in the next game turn."""
    turn = game.turn
    while game.turn == turn or not (game.actor == "allied" and isinstance(game.step, Movement)):
        legal = texts(game)
        play(game, "done" if "done" in legal else sorted(legal)[0])


CRUSADER = "2Arm N12 galloping, 15Pz A2"
"""XIII.E A brigade of Crusaders in flight, with column 13 one hex ahead; N is open desert."""


@pytest.mark.parametrize(
    ("die", "end", "broken", "fleeing"),
    [
        (1, "N13", True, True),  # column 13: not yet east of Tobruk
        (2, "N14", True, False),
        (3, "N15", False, False),  # more than the two factors above the first
        (6, "N15", False, False),
    ],
)
def test_XIII_E_a_breakdown_east_of_column_13_ends_the_flight_too(
    die: int, end: str, broken: bool, fleeing: bool
) -> None:
    """XIII.D, XIII.E The declared route of three factors, broken off or not."""
    game = position(CRUSADER, "allied movement", [die, 5], galloped=True)
    play(game, "route 2Arm N13")
    odds = game.odds(game.parse("move 2Arm N15"))
    assert odds is not None
    assert {c.text: c.probability * 6 for c in odds.outcomes} == {
        "breaks down in N13": 1,
        "breaks down in N14": 1,
        "arrives": 4,
    }
    told = play(game, "move 2Arm N15")
    assert where(game, "2Arm") == end and piece(game, "2Arm").disrupted == broken
    assert rules(told, ev.BrokeDown) == ["XIII.D"] * broken
    expected = "XIII.D" if broken else "XIII.A.1"
    assert refused(game, "move 2Arm N16").rule == expected
    to_allied_movement(game)
    assert piece(game, "2Arm").galloping == fleeing
    west = f"N{int(end[1:]) - 1}"
    if fleeing:
        assert refused(game, f"move 2Arm {west}").rule == "XIII.E"
        assert refused(game, f"route 2Arm {west}").rule == "XIII.E"
    else:
        assert west in reach(game, "2Arm")


def test_XIII_E_a_crusader_brigade_in_flight_declares_its_route_eastward() -> None:
    """XIII.D, XIII.E It breaks down on the way it has declared, not on the shortest."""
    units = "2Arm N4 galloping, 15Pz A2"
    for die, end in ((1, "M5"), (2, "L5"), (3, "L6"), (4, "M7"), (5, "N7")):
        game = position(units, "allied movement", [die], galloped=True)
        assert refused(game, "route 2Arm N3").rule == "XIII.E"  # west
        assert refused(game, "route 2Arm M4").rule == "XIII.E"  # north-west
        play(game, "route 2Arm M5", "route 2Arm L5")
        assert refused(game, "route 2Arm M5").rule == "XIII.E"  # back, south-west
        play(game, "route 2Arm L6", "route 2Arm M7", "move 2Arm N7")  # five factors
        assert where(game, "2Arm") == end and piece(game, "2Arm").disrupted == (die < 5)
        assert piece(game, "2Arm").galloping


def test_XIII_E_crusaders_in_flight_have_twice_their_factors_and_risk_them_all() -> None:
    units = "2Arm N4 galloping, 15Pz A2"
    game = position(units, "allied movement", [6], galloped=True)
    unit = game.facts.index["2Arm"]
    assert allowance(game, unit) == (8 * 60, 10 * 60)  # twice four, and twice the bonus
    odds = game.odds(game.parse("move 2Arm N11"))
    assert odds is not None and "arrives" not in {c.text for c in odds.outcomes}  # seven factors
    odds = game.odds(game.parse("move 2Arm N10"))
    assert odds is not None
    assert next(c.probability for c in odds.outcomes if c.text == "arrives") * 6 == 1
    play(game, "move 2Arm N11")
    assert where(game, "2Arm") == "N10" and piece(game, "2Arm").disrupted
    # A Disrupted brigade has one factor, doubled, and the doubled bonus; one factor is no risk.
    game = position("2Arm N4 disrupted galloping, 15Pz A2", "allied movement", galloped=True)
    found = reach(game, "2Arm")
    assert "N8" in found and "N9" not in found
    play(game, "route 2Arm N5", "move 2Arm N5")  # no die is scripted, and none is rolled
    assert where(game, "2Arm") == "N5"


def test_XIII_E_units_in_flight_may_attack_on_the_way() -> None:
    """XIII.E, XIII.B.1, XIV.A.2 Beside an enemy the flight stops, and he must be attacked."""
    units = "4Arm N4 galloping, 90Lt N8"
    game = position(units, "allied movement", [3], galloped=True)
    assert refused(game, "move 4Arm N9").rule != "XIII.E"
    play(game, "move 4Arm N7", "done", "done")
    assert texts(game) == {"attack N8"}
    play(game, "attack N8", "join 4Arm 5", "resolve", "done")
    assert piece(game, "4Arm").attacked and piece(game, "4Arm").galloping


def test_R45_a_move_to_a_neighbour_is_the_one_step() -> None:
    works = ["C10", "D9", "C12", "C13", "D12", "D13"]
    game = position("15Pz D10, 4Arm N16", eliminated=works)
    told = play(game, "move 15Pz C11")
    moved = next(event for event in told if isinstance(event, ev.Moved))
    assert [game.hex_name(hex) for hex in moved.path] == ["D10", "C11"]
    assert cost(position("15Pz D10, 4Arm N16", eliminated=works), "15Pz", "C11") == "1"


def test_III_A_units_stay_on_land() -> None:
    game = position("15Pz B5")
    assert refused(game, "move 15Pz A6").rule == "III.A"


def test_III_C_a_zone_is_every_hex_beside_a_unit() -> None:
    game = position("4Arm J15, 15Pz M5")
    overlay = next(o for o in game.view("axis").overlays if o.id == "zoc-allied")
    assert set(overlay.spaces) == {"J14", "J16", "I15", "I16", "K15", "K16"}


@pytest.mark.parametrize("weather", ["clear", "sandstorm", "rainstorm"])
def test_fast_reach_and_rules_agree_on_single_steps(weather: str) -> None:
    """Every first step the search offers breaks no rule, and every one it denies is explained."""
    units = "15Pz J13, 21Pz I12, 90Lt G5, Recce H7, 4Arm J14, 7Mot I11, 50 F5, 150 H6, 1FF K7"
    game = position(units, weather=weather)
    ground = Ground(game, "axis")
    for unit in game.on_map("axis"):
        found = march(game, ground, unit, game.pieces[unit].hex)
        for hex in game.facts.board.neighbours[game.pieces[unit].hex]:
            broken = first_broken(MOVE_RULES, game, "axis", unit, Space(hex))
            start = game.pieces[unit].hex
            if hex in found.direct:
                assert broken is None, (game.name(unit), game.hex_name(hex), broken)
            elif broken is None:  # beyond its factors, by a climb or a minefield
                steps = game.facts.steps[game.book[unit].cls, weather == "rainstorm"]
                price = next(step[3] for step in steps[start] if step[0] == hex)
                price += 60 * mined(game, unit, start, hex)
                assert price > allowance(game, unit)[not ground.zone[hex]]


@pytest.mark.parametrize("scenario", ["historical", "nonhistorical"])
def test_remembered_marches_equal_fresh_ones(scenario: str) -> None:
    """What `recall` remembers is what `march` would find, at every moment of a random game."""
    game = cast(Game, TITLE.start(scenario, seed="memory"))
    rng = random.Random(3)
    compared = 0
    while game.outcome is None and compared < 4000:
        legal = game.actions()
        step = game.step
        if isinstance(step, Movement) and not step.via:
            ground = Ground(game, step.side)
            for unit in step.movable(game):
                known = step.march(game, ground, unit)
                spent, tainted = (step.spent, step.tainted) if unit == step.unit else (0, False)
                fresh = march(game, ground, unit, game.pieces[unit].hex, spent, tainted)
                assert known.cost == fresh.cost and known.came == fresh.came
                compared += 1
        game.play(legal[rng.randrange(len(legal))])
    assert compared > 500
