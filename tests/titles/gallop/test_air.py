"""X Air attacks."""

from __future__ import annotations

from fractions import Fraction

from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.air import targets
from tests.titles.gallop.tables import (
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

USED = {"allied": {"used": True}}
"""The enemy's air unit has flown: nobody intercepts."""


def test_X_A_an_air_unit_is_used_once_a_game_turn() -> None:
    game = position("15Pz J14, 4Arm J16", "axis airstrike", [5], air=USED)
    play(game, "airstrike J16", "done")
    assert game.air[0].used
    while game.turn == 2 and type(game.step).__name__ != "Interception":
        legal = texts(game)
        assert game.phasing != "axis" or not any(t.startswith("air") for t in legal)
        play(game, "done" if "done" in legal else sorted(legal)[0])
    assert game.turn == 3 and not game.air[0].used


def test_X_A_airstrikes_need_an_undisrupted_enemy() -> None:
    game = position("15Pz J14, 4Arm J16 disrupted, 7Mot M16", "axis airstrike")
    assert texts(game) == {"airstrike M16", "done"}
    assert refused(game, "airstrike J16").rule == "X.B.1"


def test_X_B_1_each_unit_is_attacked_aa_units_first() -> None:
    game = position("15Pz J14, 2SA C13, 4AA C13, 11Ind C13", "axis airstrike", [6, 2, 5], air=USED)
    order = [game.name(unit) for unit in targets(game, game.facts.board.at("C13"))]
    assert order == ["4AA", "2SA", "11Ind"]
    told = play(game, "airstrike C13")
    assert [e.result for e in told if isinstance(e, ev.AirStruck)] == ["D", "-", "D"]
    assert outcome(told) == "Disrupted: 4AA, 11Ind"
    assert piece(game, "4AA").disrupted and not piece(game, "2SA").disrupted
    play(game, "loiter")
    assert game.hex_name(game.air[0].over) == "C13"


def test_X_B_1_the_top_of_the_stack_comes_first() -> None:
    game = position("15Pz J14, 7Mot J16, 4Arm J16", "axis airstrike")
    order = [game.name(unit) for unit in targets(game, game.facts.board.at("J16"))]
    assert order == ["4Arm", "7Mot"]  # the last to arrive lies on top
    # AA units come before AA-capable ones, even from below; in the open 2SA is like any other.
    for units, expected in (
        ("4AA C13, 2SA C13, 11Ind C13", ["4AA", "2SA", "11Ind"]),
        ("2SA J16, 11Ind J16", ["11Ind", "2SA"]),
        ("2SA C13, 11Ind C13", ["2SA", "11Ind"]),
    ):
        game = position(f"15Pz J14, {units}", "axis airstrike")
        hex = game.facts.board.at(units.split(",")[0].split()[1])
        assert [game.name(unit) for unit in targets(game, hex)] == expected


def test_X_B_1_anti_aircraft_fire_by_nation_and_box() -> None:
    """X.B.1, AIR Who shoots down whom (rulings R10 and R28)."""
    for units, hex, die, shot in (
        ("2SA C13", "C13", 1, True),  # a British division in a box
        ("2SA J16", "J16", 1, False),  # in the open it has no guns
        ("11Ind C13", "C13", 1, False),
        ("4AA J16", "J16", 1, True),
        ("4AA J16", "J16", 2, False),
    ):
        game = position(f"15Pz M5, {units}", "axis airstrike", [die], air=USED)
        told = play(game, f"airstrike {hex}")
        assert (game.air[0].out == 2) == shot, (units, die)
        assert (outcome(told) == "shot down") == shot
    for units, hex, die, shot in (
        ("15Pz J16", "J16", 1, True),
        ("15Pz J16", "J16", 2, False),
        ("Ariete J16", "J16", 1, False),  # Italians have none
        ("Flak J16", "J16", 2, True),
        ("Sabratha A5", "A5", 1, False),
        ("15Pz A5", "A5", 1, True),
    ):
        game = position(
            f"4Arm N16, {units}", "allied airstrike", [die], air={"axis": {"used": True}}
        )
        play(game, f"airstrike {hex}")
        assert (game.air[1].out > 0) == shot, (units, die)


def test_AIR_as_printed() -> None:
    table = position("").facts.tables.air
    assert table.box == ["4AA/Flak", "-", "-", "-", "D", "D"]  # from die 1 to die 6
    assert table.allied == ["4AA", "-", "D", "D", "D", "D"]
    assert table.axis == ["AAg", "Flak", "-", "D", "D", "D"]
    assert table.intercept_british == ["AA", "-", "Int", "Int", "EAX", "EAX"]
    assert table.intercept_german == ["AA", "AA", "-", "Int", "Int", "EAX"]


def test_X_B_1_odds_cover_the_whole_stack() -> None:
    game = position("15Pz J14, 4Arm J16, 4AA J16", "axis airstrike", air=USED)
    odds = game.odds(game.parse("airstrike J16"))
    assert odds is not None
    chances = {c.text: c.probability for c in odds.outcomes}
    assert sum(chances.values()) == 1
    assert chances["shot down"] == Fraction(1, 6)
    assert chances["Disrupted: 4AA, 4Arm"] == Fraction(2, 3) * Fraction(2, 3)


def test_X_B_1_a_unit_disrupted_from_the_air_may_not_retreat() -> None:
    game = position("15Pz J14, 4Arm J16", "axis airstrike", [5], air=USED)
    play(game, "airstrike J16")
    assert game.actor == "axis" and where(game, "4Arm") == "J16"


def test_X_B_1_air_units_that_stay_attack_movers() -> None:
    over = {"axis": {"used": True, "over": "M12"}, "allied": {"used": True}}
    game = position("4Arm M10, 7Mot N11, 15Pz C2", "allied movement", [5, 2], air=over)
    told = play(game, "move 4Arm M12")
    assert piece(game, "4Arm").disrupted and outcome(told) == "Disrupted: 4Arm"
    assert refused(game, "move 4Arm M13").rule == "X.B.1"
    play(game, "move 7Mot M12", "move 7Mot M13")  # missed, so it goes on
    assert where(game, "7Mot") == "M13"


def test_X_B_1_disrupted_movers_are_left_alone() -> None:
    over = {"axis": {"used": True, "over": "M12"}, "allied": {"used": True}}
    game = position("4Arm M11 disrupted, 15Pz C2", "allied movement", air=over)
    assert game.odds(game.parse("move 4Arm M12")) is None
    told = play(game, "move 4Arm M12", "move 4Arm M13")  # no die is scripted, and none is rolled
    assert where(game, "4Arm") == "M13" and not rules(told, ev.AirStruck)


def test_X_B_1_the_suggested_way_avoids_the_aircraft() -> None:
    over = {"axis": {"used": True, "over": "M12"}, "allied": {"used": True}}
    game = position("4Arm M10, 15Pz C2", "allied movement", air=over)
    assert "M12" in reach(game, "4Arm")
    edge = {**over, "axis": {"used": True, "over": "N4"}}
    edge_game = position("4Arm N2 5-4-3, 15Pz C2", "allied movement", air=edge)
    assert refused(edge_game, "move 4Arm N6").rule == "X.B.1"  # straight through, step by step
    told = play(game, "move 4Arm M13")
    moved = next(event for event in told if isinstance(event, ev.Moved))
    assert "M12" not in [game.hex_name(hex) for hex in moved.path]


def test_X_B_1_a_crusader_brigade_may_go_through() -> None:
    """X.B.1, XIII.D, ruling R14 The declared route leads under the aircraft, which attack there."""
    over = {"axis": {"used": True, "over": "L16"}, "allied": {"used": True}}
    for die, end in ((2, "L17"), (5, "L16")):
        game = position("2Arm L15, 15Pz A2", "allied movement", [6, die], air=over)
        play(game, "route 2Arm L16")
        odds = game.odds(game.parse("move 2Arm L17"))
        assert odds is not None and "L16" in odds.assumes[0]
        told = play(game, "move 2Arm L17")
        assert where(game, "2Arm") == end and len(rules(told, ev.AirStruck)) == 1
        assert piece(game, "2Arm").disrupted == (die == 5)


def test_X_B_3_a_die_keeps_its_result_when_only_dummies_were_hit() -> None:
    units = "15Pz C5, Dummy1 M5 down, 4Arm J17"
    game = position(units, "axis airstrike", [3], scenario="nonhistorical")
    assert outcome(play(game, "airstrike M5", "intercept")) == "no effect"


def test_X_B_1_knocked_out_for_this_turn_and_the_next() -> None:
    out = {"axis": {"out": 2, "used": True}, "allied": {"used": True}}
    game = position("15Pz C2, 4Arm N16", "allied movement", [2], air=out)
    play(game, "done")
    while game.turn == 2:
        play(game, "done")
    assert game.air[0].out == 1
    play(game, "weather 1 6")
    while game.turn == 3:
        play(game, "done")
    assert game.air[0].out == 0


def test_X_B_2_luftwaffe_resupplies_and_may_be_intercepted() -> None:
    game = position("Ariete N12 disrupted, 1FF K7, 150 H6, 4Arm N16", "axis recovery", [4])
    told = play(game, "airlift N12")
    assert game.actor == "allied"
    told = play(game, "intercept")
    assert outcome(told) == "the enemy aircraft turn back" and not rules(told, ev.SupplyFound)
    assert piece(game, "Ariete").disrupted and not piece(game, "Ariete").supplied


def test_X_B_3_interception_results() -> None:
    """X.B.3, AIR EAX and Int stop a mission, AA knocks the interceptor out."""
    for die, result in enumerate(("AA", "AA", "-", "Int", "Int", "EAX"), 1):
        game = position("15Pz J14, 4Arm J16", "axis airstrike", [die, 6])
        play(game, "airstrike J16")
        assert texts(game) == {"intercept", "done"}
        told = play(game, "intercept")
        flown = [e for e in told if isinstance(e, ev.Intercepted)]
        assert flown[0].result == result
        assert piece(game, "4Arm").disrupted == (result in ("AA", "-"))
        assert (game.air[0].out > 0) == (result == "EAX")
        assert (game.air[1].out > 0) == (result == "AA")
    for die, result in enumerate(("AA", "-", "Int", "Int", "EAX", "EAX"), 1):
        game = position("15Pz J14, 4Arm N16", "allied airstrike", [die, 6])
        play(game, "airstrike J14")
        told = play(game, "intercept")
        assert next(e for e in told if isinstance(e, ev.Intercepted)).result == result


def test_X_B_3_an_interdictor_may_be_intercepted_in_ones_own_turn() -> None:
    over = {"axis": {"used": True, "over": "M12"}}
    game = position("4Arm M10, 15Pz C2", "allied movement", [4], air=over)
    odds = game.odds(game.parse("intercept"))
    assert odds is not None and sum(c.probability for c in odds.outcomes) == 1
    told = play(game, "intercept")
    assert game.air[0].over < 0 and rules(told, ev.AirWentHome) == ["X.B.3"]
    assert refused(game, "intercept").rule == "X.B.3"


def test_X_B_3_standing_orders_for_interception() -> None:
    game = position("15Pz J14, 4Arm J16", "axis airstrike", [6])
    game.order("allied", "interception", "always")
    play(game, "airstrike J16")
    assert game.air[0].out == 2
    game = position("15Pz J14, 4Arm J16", "axis airstrike", [6])
    game.order("allied", "interception", "never")
    play(game, "airstrike J16")
    assert piece(game, "4Arm").disrupted


def test_V_A_units_attacked_from_the_air_wake() -> None:
    game = position("15Pz J14, 4Arm J16 asleep", "axis airstrike", [2], air=USED)
    play(game, "airstrike J16")
    assert piece(game, "4Arm").active


def test_V_A_units_that_the_aircraft_never_attacks_sleep_on() -> None:
    """V.A, X.B.1 It is shot down over the first; Disrupted units are no targets."""
    units = "15Pz J14, 2SA C13 asleep, 4AA C13 asleep, 11Ind C13 asleep disrupted"
    game = position(units, stage="axis airstrike", dice=[1])
    play(game, "airstrike C13", "done")
    assert piece(game, "4AA").active
    assert not piece(game, "2SA").active and not piece(game, "11Ind").active
