"""IX Disrupted units, XII stacking, XVI control."""

from __future__ import annotations

from sandtable.kernel.actions import Space
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.reckoning import half_disrupted, reckon
from tests.titles.gallop.tables import (
    cost,
    piece,
    play,
    position,
    reach,
    refused,
    rules,
    texts,
    where,
)


def test_IX_disrupted_units_keep_their_zones() -> None:
    game = position("15Pz J12, 4Arm J14 disrupted")
    play(game, "move 15Pz J13")
    assert refused(game, "move 15Pz I13").rule == "XIII.B.1"


def test_IX_A_a_disrupted_unit_has_one_factor() -> None:
    game = position("15Pz M3 disrupted, 4Arm N16")
    assert "M5" in reach(game, "15Pz") and "M6" not in reach(game, "15Pz")
    game = position("15Pz G1 disrupted, 4Arm N16")
    assert cost(game, "15Pz", "G4") == "1"


def test_IX_B_a_disrupted_unit_may_not_attack() -> None:
    game = position("15Pz J14 disrupted, 21Pz I15, 4Arm J15", "axis attacks")
    play(game, "attack J15")
    assert refused(game, "join 15Pz 7").rule == "IX.B"


def test_IX_B_left_beside_an_enemy_nobody_attacked_it_takes_an_AR() -> None:
    game = position("15Pz J14 disrupted, 4Arm J15", "axis attacks")
    assert game.actor == "allied" and texts(game) == {"drive 0", "drive 1"}
    play(game, "drive 1")
    assert game.actor == "axis" and texts(game, "retreat 15Pz")
    told = play(game, "retreat 15Pz J13")
    assert where(game, "15Pz") == "J13" and rules(told, ev.Retreated) == ["XIV.D.2"]
    assert not texts(game, "retreat")  # no voluntary hex for a Disrupted unit


def test_IX_B_it_is_eliminated_if_it_cannot_retreat() -> None:
    ring = "7Mot J12, 1Tank I12, 32Tank K12, 22Arm H14 4-3-4"
    game = position(f"15Pz J14 disrupted, 4Arm J15, {ring}, 2Arm L14", "axis attacks")
    told = play(game, "drive 1")
    assert where(game, "15Pz") == "dead" and rules(told, ev.Eliminated) == ["IX.B"]


def test_IX_B_not_if_another_unit_attacked_the_enemy() -> None:
    game = position("15Pz J14 disrupted, 21Pz I15, 4Arm J15", "axis attacks", [3])
    told = play(game, "attack J15", "join 21Pz 4", "resolve", "done")
    assert not rules(told, ev.MustRetreat)


def test_IX_B_not_in_a_held_box() -> None:
    game = position("150 H6 disrupted, Pavia H5", "allied attacks")
    assert where(game, "150") == "H6" and game.turn == 3


def test_R18_a_sleeping_unit_does_not_suffer_with_its_neighbour() -> None:
    """IX.B, V.A 7Mot is Disrupted and must give way; 4Arm beside it has not been activated."""
    game = position("4Arm J15 asleep, 7Mot J15 disrupted, 15Pz J14", "allied attacks")
    assert game.actor == "axis" and "7Mot" in game.prompt and "4Arm" not in game.prompt
    told = play(game, "drive 1")
    while texts(game, "retreat 7Mot"):
        told += play(game, sorted(texts(game))[0])
    assert not rules(told, ev.MustRetreat) and where(game, "4Arm") == "J15"


def test_R29_an_undisrupted_unit_below_one_to_four_takes_an_AR_too() -> None:
    game = position("Hecker J14, 4Arm J15 9-9-4", "axis attacks")
    assert game.actor == "allied" and texts(game) == {"drive 0", "drive 1"}
    ring = "7Mot J12, 1Tank I12, 32Tank K12, 22Arm H14 4-3-4, 2Arm L14"
    game = position(f"Hecker J14, 4Arm J15 9-9-4, {ring}", "axis attacks")
    assert rules(play(game, "drive 1"), ev.Eliminated) == ["XIV.A.2"]


def test_IX_C_half_the_terrain_modified_factors_make_all_disrupted() -> None:
    units = "15Pz J14, 4Arm J15 4-3-4 disrupted, 7Mot J15 1-3-3"
    game = position(units, "axis attacks")
    target, attackers = [Space(game.facts.board.at("J15"))], [(game.facts.index["15Pz"], 6)]
    found = reckon(game, target, attackers)
    assert found is not None and half_disrupted(game, found.shares)
    assert game.facts.tables.gcrt.columns[found.column] == "3:2"  # 1:1 and one more
    game = position(units.replace("1-3-3", "1-4-3"), "axis attacks")
    found = reckon(game, target, attackers)
    assert found is not None and not half_disrupted(game, found.shares)


def test_IX_C_terrain_counts_for_the_half() -> None:
    # The box strengthens fresh units first (ruling R48), whoever lies on top.
    game = position("15Pz K6, 201Gds K7, 1FF K7 disrupted", "axis attacks")
    found = reckon(game, [Space(game.facts.board.at("K7"))], [(game.facts.index["15Pz"], 7)])
    assert found is not None and not half_disrupted(game, found.shares)
    # 1FF with 3 and the box's 3 outweighs 4 Disrupted factors of armor.
    game = position("15Pz K6, 1FF K7, 4Arm K7 disrupted", "axis attacks")
    found = reckon(game, [Space(game.facts.board.at("K7"))], [(game.facts.index["15Pz"], 7)])
    assert found is not None and not half_disrupted(game, found.shares)


def test_IX_C_ten_to_one_stays() -> None:
    game = position("15Pz J14, 21Pz J14, 3IndMot J15 disrupted", "axis attacks")
    play(game, "attack J15", "join 15Pz 7", "join 21Pz 7")
    odds = game.odds(game.parse("resolve"))
    assert odds is not None and odds.modifiers[-1].name == "basic odds 10:1"


def test_IX_D_disrupted_again_is_just_disrupted() -> None:
    game = position("15Pz J14, 4Arm J15 4-6-4 disrupted", "axis attacks", [4])
    told = play(game, "attack J15", "join 15Pz 4", "resolve", "done")
    assert piece(game, "4Arm").disrupted and not rules(told, ev.BecameDisrupted)


def test_IX_E_recovery_in_the_owners_phase_and_in_supply() -> None:
    game = position("15Pz G2 disrupted, 4Arm N16", "axis recovery")
    assert not piece(game, "15Pz").disrupted


def test_XII_A_1_only_one_side_in_a_hex() -> None:
    game = position("15Pz J14, 4Arm J15")
    assert refused(game, "move 15Pz J15").rule == "XIII.A.3"


def test_XII_A_2_three_units_two_divisions() -> None:
    game = position("15Pz M4, 21Pz M5, 90Lt M5, Recce M3, Hecker M6, 15Mot M6, Flak M6, 4Arm N16")
    assert refused(game, "move 15Pz M5").rule == "XII.A.2"
    assert "M5" in reach(game, "Recce")
    assert refused(game, "move Recce M6").rule == "XII.A.2"


def test_XII_A_3_dummies_are_free() -> None:
    units = "15Pz C2, 4Arm M12, 7Mot M12, 2SA M13, Dummy1 M12 down, 1Tank N16"
    game = position(units, "allied movement", scenario="nonhistorical")
    assert "M12" in reach(game, "2SA")


def test_XII_B_units_above_the_limit_are_lost_by_choice() -> None:
    units = "15Pz M4, 21Pz M4, 90Lt M4, Recce M3, 4Arm N16"
    game = position(units, "axis movement")
    assert game.caution.startswith("Too many units in M4. At most 3 units, 2 of them divisions")
    assert game.view("axis").caution == game.caution and not game.view("allied").caution
    play(game, "done")
    assert texts(game) == {"lose 15Pz", "lose 21Pz", "lose 90Lt"}
    assert refused(game, "lose Recce").rule == "XII.B"
    told = play(game, "lose 90Lt")
    assert where(game, "90Lt") == "dead" and rules(told, ev.Eliminated) == ["XII.B"]
    game = position(units, "axis movement")
    play(game, "move 90Lt M5")
    assert game.caution == ""
    play(game, "done")
    assert where(game, "90Lt") == "M5"  # sorted out in time


def test_XII_B_also_at_the_end_of_the_attack_phase() -> None:
    game = position("15Pz M4, 21Pz M4, Hecker M4, Recce M4, 4Arm N16", "axis attacks")
    assert texts(game) == {f"lose {unit}" for unit in ("15Pz", "21Pz", "Hecker", "Recce")}


def test_XVI_the_last_side_through_a_village_controls_it() -> None:
    game = position("Recce G13, 4Arm N16")
    told = play(game, "move Recce G15")
    assert Space(game.facts.board.at("G14")) in game.axis_holds
    assert rules(told, ev.ControlPassed) == ["XVI"]
    assert game.view("allied").control["G14"] == "axis"
    assert game.view(None).control["L13"] == "allied"
