"""XIV.A-C Ground combat."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.kernel.actions import Space
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.reckoning import odds_column, reckon
from sandtable.titles.gallop.state import Game
from tests.titles.gallop.tables import (
    outcome,
    piece,
    play,
    position,
    refused,
    rules,
    texts,
    where,
)


def column(game: Game, targets: str, attackers: str) -> str | None:
    """The odds column of a battle: hexes, and units with factors ("15Pz 7, Recce 2")."""
    hexes = [Space(game.facts.board.at(name)) for name in targets.split()]
    joined = []
    for entry in attackers.split(", "):
        name, factors = entry.split()
        joined.append((game.facts.index[name], int(factors)))
    found = reckon(game, hexes, joined)
    return game.facts.tables.gcrt.columns[found.column] if found else None


@pytest.mark.parametrize(
    ("attack", "defense", "odds"),
    [
        (5, 1, "5:1"),
        (5, 3, "3:2"),
        (2, 5, "1:3"),
        (14, 6, "2:1"),
        (6, 1, "5:1"),
        (8, 1, "7:1"),
        (23, 2, "10:1"),
        (1, 4, "1:4"),
        (1, 5, None),
    ],
)
def test_XIV_B_3_examples_of_odds(attack: int, defense: int, odds: str | None) -> None:
    """XIV.B.3, XIV.B.4 The book's three examples, and the ends of the table."""
    game = position("")
    found = odds_column(game.facts, attack, defense)
    assert (None if found is None else game.facts.tables.gcrt.columns[found]) == odds


def test_GCRT_as_printed() -> None:
    game = position("")
    faces = dict(zip(game.facts.tables.gcrt.columns, game.facts.gcrt, strict=True))
    assert faces == {  # from die 1 to die 6
        "1:4": ("AE", "AE", "AE", "DAE", "AR", "D"),
        "1:3": ("AE", "DAE", "AR", "-", "D", "D"),
        "1:2": ("DAE", "AR", "-", "D", "R1", "R2"),
        "1:1": ("AR", "DAR", "-", "D", "R1", "R2"),
        "3:2": ("DAR", "-", "D", "R1", "R1", "R2"),
        "2:1": ("-", "D", "R1", "R1", "R2", "R2"),
        "3:1": ("D", "R1", "R1", "R2", "R2", "DE"),
        "4:1": ("R1", "R1", "R2", "R2", "DE", "DE"),
        "5:1": ("R1", "R2", "R2", "DE", "DE", "DE"),
        "7:1": ("R2", "R2", "DE", "DE", "DE", "DE"),
        "10:1": ("R2", "DE", "DE", "DE", "DE", "DE"),
    }


def test_GCRT_each_result_of_the_table() -> None:
    """GCRT Every letter of the table, on units in the open with room to retreat."""
    for die, result in enumerate(("AE", "DAE", "AR", "-", "D", "D"), 1):
        game = position("Recce J14, 4Arm J15 4-6-4", "axis attacks", [die])
        told = play(game, "attack J15", "join Recce 2", "resolve", "done")
        assert outcome(told) == result
        if result in ("D", "DAE"):
            play(game, "done")  # no voluntary retreat
        assert (where(game, "Recce") == "dead") == (result in ("AE", "DAE"))
        if result != "AR":
            assert piece(game, "4Arm").disrupted == (result in ("DAE", "D"))
    game = position("15Pz J14, 7Mot J15 1-1-3", "axis attacks", [6])
    play(game, "attack J15", "join 15Pz 7", "resolve", "done")
    assert game.stack and where(game, "7Mot") == "J15"  # DE becomes R2: the winner is asked
    game = position("15Pz J14, 3IndMot J15", "axis attacks", [6])
    told = play(game, "attack J15", "join 15Pz 7", "resolve", "done")
    assert where(game, "3IndMot") == "dead" and rules(told, ev.Eliminated) == ["GCRT"]


def test_XIV_A_1_a_unit_attacks_once_but_may_be_attacked_twice() -> None:
    game = position("15Pz J14, 21Pz I16, 4Arm J15", "axis attacks", [3])
    play(game, "attack J15", "join 15Pz 4", "resolve", "done")
    play(game, "attack J15")
    assert refused(game, "join 15Pz 7").rule == "XIV.A.1"
    assert "join 21Pz 7" in texts(game)


def test_XIV_A_2_undisrupted_neighbours_must_be_attacked() -> None:
    game = position("15Pz J14, 4Arm J15", "axis attacks")
    assert texts(game) == {"attack J15"}
    assert refused(game, "done").rule == "XIV.A.2"
    game = position("15Pz J14, 4Arm J15 disrupted", "axis attacks")
    assert texts(game) == {"attack J15", "done"}


def test_XIV_A_2_units_in_a_box_held_since_the_start_need_not_attack() -> None:
    game = position("150 H6, Pavia H5", "allied attacks")
    assert "done" in texts(game)
    game = position("150 H6, Pavia H5", "allied attacks", held=[])
    assert refused(game, "done").rule == "XIV.A.2"
    # Ruling R11: the same for Axis forts.
    game = position("150 G5, Pavia G4", "axis attacks")
    assert "done" in texts(game)


def test_XIV_A_2_only_neighbours_can_be_attacked() -> None:
    game = position("15Pz J13, 4Arm J15, 21Pz J16", "axis attacks")
    play(game, "attack J15")
    assert refused(game, "join 15Pz 7").rule == "XIV.A.4"


def test_XIV_A_2_a_hex_that_must_be_attacked_may_not_be_stranded() -> None:
    game = position("15Pz J14, 4Arm J15, 7Mot I15", "axis attacks")
    play(game, "attack J15", "join 15Pz 7")
    assert refused(game, "resolve").rule == "XIV.A.2"
    play(game, "also I15")
    assert "resolve" in texts(game)
    game = position("15Pz J14, 21Pz I16, 4Arm J15, 7Mot I14", "axis attacks")
    play(game, "attack J15", "join 21Pz 7")
    assert refused(game, "join 15Pz 7").rule == "XIV.A.2"
    assert "resolve" in texts(game)


@pytest.mark.parametrize("first", ["21Pz", "15Pz"])
def test_XIV_A_2_not_by_the_order_of_joining_either(first: str) -> None:
    """XIV.A.2, ruling R67 K2 can be attacked by 21Pz alone, so 21Pz is not spent on L3 alone."""
    game = position("21Pz K3, 15Pz K4, 4Arm L3, 1Tank K2", "axis attacks", [3, 3])
    play(game, "attack L3", f"join {first} 7")
    if first == "21Pz":
        assert refused(game, "resolve").rule == refused(game, "join 15Pz 7").rule == "XIV.A.2"
        assert texts(game) == {"also K2", "cancel"}
    else:
        assert refused(game, "join 21Pz 1").rule == "XIV.A.2"
        play(game, "resolve", "done", "done")
        assert texts(game, "attack") == {"attack K2", "attack L3"}
        assert refused(game, "done").rule == "XIV.A.2"


def test_XIV_A_2_not_by_fewer_factors_either() -> None:
    game = position("21Pz K3, 4Arm L3, 1Tank K2", "axis attacks")
    play(game, "attack L3")
    assert refused(game, "join 21Pz 1").rule == "XIV.A.2"
    assert texts(game) == {*(f"join 21Pz {n}" for n in range(2, 8)), "cancel"}
    play(game, "join 21Pz 2")
    assert texts(game) == {"also K2", "cancel"}


def test_XIV_A_2_as_many_hexes_as_can_be() -> None:
    """Ruling R67 One unit that cannot attack both at 1:4 attacks one, and may choose which."""
    game = position("Hecker J14, 4Arm J15 9-4-4, 7Mot I15 1-4-3", "axis attacks")
    assert texts(game) == {"attack J15", "attack I15"}
    play(game, "attack I15", "join Hecker 1")
    assert texts(game) == {"resolve", "cancel"}
    # A Disrupted neighbour is no duty, and no way out of one.
    game = position("Hecker J14, 4Arm J15 9-4-4, 7Mot I15 1-4-3 disrupted", "axis attacks")
    assert texts(game) == {"attack J15"} and refused(game, "attack I15").rule == "XIV.A.2"


def test_XIV_A_2_units_in_works_need_not_help() -> None:
    """Ruling R68 150 in its box may join, but nobody waits for it."""
    game = position("150 H6, 4Arm I6, Pavia H5 3-24-2", "allied attacks")
    assert texts(game) == {"attack H5", "done"}
    assert refused(game, "attack G5").rule == "XIV.A.2"


def test_XIV_A_3_an_attacker_need_not_be_in_supply() -> None:
    game = position("15Pz J14 unsupplied, 4Arm J15", "axis attacks", [3])
    told = play(game, "attack J15", "join 15Pz 7", "resolve", "done")
    assert rules(told, ev.AttackMade) == ["XIV.B.3"]


def test_XIV_A_4_units_of_several_hexes_attack_together_and_several_hexes_at_once() -> None:
    game = position("15Pz J14, 21Pz I15, 4Arm J15, 7Mot I14", "axis attacks")
    play(game, "attack J15", "join 15Pz 7", "join 21Pz 7", "also I14")
    assert "resolve" in texts(game)
    odds = game.odds(game.parse("resolve"))
    assert odds is not None
    names = [modifier.name for modifier in odds.modifiers]
    assert "defence of 4Arm" in names and "defence of 7Mot" in names


def test_XIV_A_4_every_attacker_is_next_to_every_target() -> None:
    game = position("15Pz J14, 21Pz J16, 4Arm J15, 7Mot I14", "axis attacks")
    play(game, "attack J15", "join 21Pz 7")
    assert refused(game, "also I14").rule == "XIV.A.4"


def test_XIV_A_5_the_whole_stack_defends() -> None:
    game = position("15Pz J14, 4Arm J15, 7Mot J15", "axis attacks")
    assert column(game, "J15", "15Pz 7") == "1:1"


def test_XIV_A_6_attacks_are_planned_freely_until_resolved() -> None:
    """XIV.A.6 Nothing is rolled, so nothing is final, before `resolve`."""
    game = position("15Pz J6, 1FF K7 disrupted", "axis attacks")
    rolls = game.dice.count
    play(game, "attack K7", "join 15Pz 7")
    assert game.dice.count == rolls and not piece(game, "15Pz").attacked
    assert game.odds(game.parse("resolve")) and game.odds(game.parse("cancel")) is None
    play(game, "cancel")
    assert texts(game) == {"attack K7", "done"}
    play(game, "attack K7")  # the second time only by taking back (ruling R64)
    assert refused(game, "cancel").rule == "XIV.A.6"


def test_XIV_A_6_what_must_be_attacked_stays_so() -> None:
    game = position("15Pz J14, 21Pz I15, 4Arm J15", "axis attacks", [3])
    play(game, "attack J15", "join 15Pz 7", "cancel")
    assert refused(game, "done").rule == "XIV.A.2"
    play(game, "attack J15", "join 21Pz 4", "resolve", "done")  # re-allocated
    assert piece(game, "21Pz").attacked and not piece(game, "15Pz").attacked


def test_XIV_B_1_a_unit_may_use_fewer_factors() -> None:
    game = position("15Pz J14, 4Arm J15", "axis attacks")
    play(game, "attack J15")
    assert {"join 15Pz 7", "join 15Pz 1"} <= texts(game)
    assert refused(game, "join 15Pz 8").rule == "XIV.B.1"
    odds = game.odds(game.parse("join 15Pz 4"))
    assert odds is not None and odds.modifiers[0].value == 4
    assert any("1:1" in modifier.name for modifier in odds.modifiers)


def test_XIV_B_2_terrain_factors_join_the_defense() -> None:
    game = position("15Pz J6, 21Pz K6, 1FF K7", "axis attacks")
    assert column(game, "K7", "15Pz 7, 21Pz 7") == "2:1"
    game = position("15Pz I6, 21Pz H5, 150 H6", "axis attacks")
    assert column(game, "H6", "15Pz 7, 21Pz 7") == "3:1"


def test_XIV_B_4_attacks_below_one_to_four_are_not_allowed() -> None:
    game = position("Hecker J14, 4Arm J15 9-9-4", "axis attacks")
    assert "attack J15" not in texts(game)
    game = position("Hecker J14, 15Pz J14, 4Arm J15 9-9-4, 7Mot I15", "axis attacks")
    play(game, "attack J15")
    assert refused(game, "resolve").rule == "XIV.B.4"
    play(game, "join Hecker 1")
    # 9 factors need 2¼, so 2 beside Hecker's 1, and 7Mot in I15 must be left for nobody.
    assert "join 15Pz 2" in texts(game) and "join 15Pz 1" not in texts(game)
    assert refused(game, "join 15Pz 1").rule == "XIV.B.4"


def test_XIV_B_5_no_retreat_orders_bind_half_the_factors() -> None:
    game = position("15Pz J14, 4Arm J15, 7Mot J15", "axis attacks", [5])
    play(game, "attack J15", "join 15Pz 7", "resolve")
    assert game.actor == "allied"
    assert texts(game) == {"stand 4Arm", "stand 7Mot", "done"}
    play(game, "stand 7Mot")
    assert refused(game, "done").rule == "XIV.B.5"
    told = play(game, "stand 4Arm")  # R1 becomes D for both; nobody retreats
    assert rules(told, ev.OrderedToStand) == ["XIV.B.5"]
    assert where(game, "4Arm") == "J15" and piece(game, "4Arm").disrupted
    assert not texts(game, "retreat")  # not of their own will either (ruling R53)
    game = position("15Pz J14, 4Arm J15 4-3-4, 7Mot J15 1-3-3", "axis attacks", [5])
    play(game, "attack J15", "join 15Pz 7", "resolve", "stand 7Mot")
    assert "done" in texts(game)  # exactly half will do
    play(game, "done")
    assert game.prompt == "How many hexes must 4Arm retreat?"  # 7Mot stands


def test_XIV_B_5_no_retreat_turns_R2_into_DE() -> None:
    game = position("15Pz J14, 4Arm J15, 7Mot J15", "axis attacks", [6])
    told = play(game, "attack J15", "join 15Pz 7", "resolve", "stand 4Arm", "done")
    assert where(game, "4Arm") == "dead" and rules(told, ev.Eliminated) == ["XIV.B.5"]
    assert game.actor == "axis"  # the winner says how far 7Mot goes
    assert where(game, "7Mot") == "J15"


def test_XIV_B_5_standing_orders_answer_for_the_defender() -> None:
    game = position("15Pz J14, 4Arm J15", "axis attacks", [3])
    game.order("allied", "no-retreat", "never")
    told = play(game, "attack J15", "join 15Pz 4", "resolve")
    assert outcome(told) == "-" and not rules(told, ev.OrderedToStand)
    game = position("15Pz J14, 4Arm J15", "axis attacks", [5])
    game.order("allied", "no-retreat", "always")
    told = play(game, "attack J15", "join 15Pz 7", "resolve")
    assert rules(told, ev.OrderedToStand) == ["XIV.B.5"]


def test_XIV_B_7_flak_and_4th_aa_are_halved_without_armor() -> None:
    game = position("Flak J14, 15Pz I15, 7Mot J15", "axis attacks")
    assert column(game, "J15", "Flak 3") == "1:2"  # 1½ to 2
    game = position("Flak J14, 4Arm J15 4-3-4", "axis attacks")
    assert column(game, "J15", "Flak 3") == "1:1"
    game = position("90Lt J14, 4AA J15", "axis attacks")
    assert column(game, "J15", "90Lt 4") == "4:1"
    game = position("15Pz J14, 4AA J15", "axis attacks")
    assert column(game, "J15", "15Pz 4") == "2:1"


def test_XIV_C_1_attacks_in_any_order() -> None:
    game = position("15Pz J14, 21Pz M10, 4Arm J15, 7Mot M11", "axis attacks")
    assert texts(game) == {"attack J15", "attack M11"}


def test_XIV_C_2_odds_are_exact_and_name_every_modifier() -> None:
    game = position("15Pz J6, 21Pz K6, 1FF K7 disrupted", "axis attacks", [6])
    play(game, "attack K7", "join 15Pz 7", "join 21Pz 7")
    odds = game.odds(game.parse("resolve"))
    assert odds is not None
    assert [(m.name, m.value, m.rule) for m in odds.modifiers] == [
        ("attack of 15Pz", 7, "XIV.B.1"),
        ("attack of 21Pz", 7, "XIV.B.1"),
        ("defence of 1FF", -3, "XIV.B.2"),
        ("box", -3, "XI.A.1"),
        ("basic odds 2:1", 0, "XIV.B.3"),
        ("defenders Disrupted: 3:1", 1, "IX.C"),
        ("for 1FF in works R1 counts as D, R2 as R1, DE as R2", 0, "XI.A.1"),
    ]
    assert {c.text: c.probability for c in odds.outcomes} == {
        "D": Fraction(1, 6),
        "R1": Fraction(1, 3),
        "R2": Fraction(1, 3),
        "DE": Fraction(1, 6),
    }


def test_V_A_an_attacked_unit_is_activated() -> None:
    game = position("15Pz J14, 4Arm J15 asleep", "axis attacks", [3])
    told = play(game, "attack J15", "join 15Pz 7", "resolve")
    assert piece(game, "4Arm").active and rules(told, ev.Activated) == ["V.A"]


@pytest.mark.parametrize(
    ("units", "target", "attackers", "odds"),
    [
        ("15Pz L8, 21Pz L8, 3IndMot K8", "K8", "15Pz 7, 21Pz 7", "10:1"),
        ("15Pz I9, 21Pz I9, 4Arm I10", "I10", "15Pz 7, 21Pz 7", "3:1"),
        ("15Pz M10, 21Pz M10, 7Mot L10", "L10", "15Pz 7, 21Pz 7", "3:1"),
        ("15Pz M10, 4Arm M11, 2Arm M11, 22Arm L9", "M10", "4Arm 5, 2Arm 4, 22Arm 4", "2:1"),
        ("Brescia E4, Trento E4, 151 E5", "E5", "Brescia 3, Trento 3", "3:2"),
    ],
)
def test_XIV_B_3_odds_of_the_campaign(units: str, target: str, attackers: str, odds: str) -> None:
    side = "allied attacks" if attackers.startswith("4Arm") else "axis attacks"
    assert column(position(units, side, [3] * 5), target, attackers) == odds


def test_XIV_A_2_a_duty_worked_out_on_one_copy_is_true_on_another() -> None:
    """XIV.A.2 Copies share the duty; what happens in one of them changes nothing in the other."""
    game = position("15Pz K3, 4Arm L3, 1Tank K2", "axis attacks")
    other = game.copy()
    before = texts(other)
    game.place(game.facts.index["15Pz"], Space(-1))
    other.legal = None
    assert texts(other) == before


def on_sheet(game: Game, action: str, result: str) -> tuple[list[str], float]:
    """What a result means for the defenders, and what it costs the attacker."""
    sheet = game.sheet(game.parse(action))
    assert sheet is not None
    found = next(each for each in sheet.results if each.text == result)
    return [each.text for each in found.defender], found.attacker_loss


def test_XIV_D_3_the_sheet_knows_who_cannot_retreat() -> None:
    ring = "15Pz H9, 21Pz H10, 90Lt G11, Ariete F10, Trieste F9, Recce G9"
    game = position(f"{ring}, 1Tank G10", stage="axis attacks")
    play(game, "attack G10", "join 15Pz 7")
    assert on_sheet(game, "join 21Pz 5", "R2")[0] == ["eliminated"]


def test_XIV_B_5_the_sheet_knows_who_was_ordered_to_stand() -> None:
    game = position("15Pz H9, 21Pz H10, 1Tank G10, 3IndMot G10", stage="axis attacks")
    play(game, "attack G10", "join 15Pz 7", "join 21Pz 7", "resolve", "stand 1Tank")
    assert on_sheet(game, "done", "R2")[0] == ["retreat 2", "eliminated"]


def test_XI_D_the_sheet_charges_nobody_who_attacks_down_an_escarpment() -> None:
    game = position("15Pz C7, 1Tank B7", stage="axis attacks")
    play(game, "attack B7")
    odds = game.odds(game.parse("join 15Pz 7"))
    assert odds is not None
    assert on_sheet(game, "join 15Pz 7", "AR")[1] == 0
    assert all(each.favours != "allied" for each in odds.outcomes)
