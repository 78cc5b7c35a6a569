"""Corners that a rules lawyer looks into first."""

from __future__ import annotations

from typing import Any

from .tables import holder, names, play, position, reduced, refused, texts, where

QUIET: dict[str, Any] = {"advantage": "nobody", "allied_artillery": 0, "axis_artillery": 0}


def test_11_4_4_a_stalemate_takes_both_leads_at_once() -> None:
    """11.4.4, 7.2 Two last reduced units destroy each other: control does not change."""
    game = position("9AUS H reduced, XX H reduced, 1/5 G", **QUIET, dice=(4, 4, 3, 3))
    play(game, "assault H", "attack H 9AUS", "air no", "resolve")
    assert where(game, "9AUS") == where(game, "XX") == "eliminated"
    assert holder(game, "H") == "allied"


def test_19_6_no_bonus_between_two_losses_of_one_result() -> None:
    game = position(
        "9AUS H reduced, 18BDE H, XX H reduced, XXI H",
        side="axis",
        **QUIET,
        options={"tobruk_bonus": True},
        dice=(6, 6, 4, 4),
    )
    play(game, "assault H", "attack H XX", "join XXI", "begin", "lead 9AUS", "resolve")
    assert where(game, "9AUS") == where(game, "XX") == "eliminated" and game.vp == 0


def test_11_1_an_overrun_does_not_excuse_units_that_wait_to_attack() -> None:
    """11.1, 11.4.4 Who waits in the Area attacks with the advance, and goes back with it."""
    game = position(
        "2RTR 4, 11H 4, 1/62 15, 2/62 8 reduced",
        **QUIET,
        allied_held=[*"ABCDH", "4", "9"],
        dice=(6, 6, 1, 1, 1, 1, 6, 6),
    )
    play(game, "assault 4", "move 11H 9", "move 11H 15", "move 2RTR 8", "attack 8 2RTR")
    play(game, "air no", "resolve", "advance 2RTR 15", "attack 15 2RTR", "air no")
    assert names(game, "resolve")["other attacking units"] == 1
    play(game, "resolve")
    assert (where(game, "11H"), where(game, "2RTR")) == ("9", "8")


def test_14_1_1_fuel_in_mid_impulse_opens_combined_operations() -> None:
    """14.1.1, 14.1.2, 9.1.2 The shared Sunset roll ends the shortage before the second Area."""
    game = position(
        "XX H, 9AUS H, 1/5 G, 1/8 18",
        side="axis",
        impulse=6,
        fuel_low=True,
        **QUIET,
        dice=(3, 3, 3, 3),
    )
    play(game, "assault H")
    assert refused(game, "activate G").rule == "14.1.1"
    play(game, "attack H XX", "resolve")
    assert "activate G" in texts(game)


def test_16_1_a_division_woken_in_the_axis_impulse_waits_for_the_next() -> None:
    game = position(
        "1/62 15 reduced, 7RTR 15, 1/8 18, 1/33C 18",
        turn=1,
        impulse=2,
        side="axis",
        **QUIET,
        dice=(1, 1, 6, 6),
    )
    play(game, "assault 15", "attack 15 1/62", "resolve")
    assert game.released[0] and holder(game, "15") == "allied"
    assert "activate 18" not in texts(game)
    play(game, "end", "pass")
    assert "assault 18" in texts(game)


def test_11_5_exactness_knows_how_many_can_leave() -> None:
    """11.5, 11.6.1 One place to retreat to: two retreats are not a way to take two points."""
    game = position(
        "1/8 21, 1/11 21 reduced, 2/11 21 reduced, 3/11 22, SQ-A 22, SQ-B 22",
        side="axis",
        impulse=2,
        **QUIET,
        allied_held=[*"ABCDH", "21", "22"],
        dice=(5, 4, 4, 3),
    )
    play(game, "assault 21", "attack 21 1/8", "lead 1/11", "resolve")
    assert where(game, "1/11") == "eliminated", "two points exactly"
    assert where(game, "2/11") == "21"


def test_11_6_1_thrown_back_attackers_find_the_way_through_full_areas() -> None:
    """11.6.1, 11.6.2D The attacked Area is no way out, but what lies behind full Areas is."""
    game = position(
        "11H 22, 6RTR 20, 7RTR 20, 12AT 20, 3/11 20, 1/KRR 22, 2/RB 22, 22GDS 22, BARDIA1 21",
        **QUIET,
        allied_held=[*"ABCDHG", "20", "22", "19", "12", "10", "4"],
        dice=(1, 1, 6, 6),
    )
    play(game, "assault 22", "move 11H 21", "attack 21 11H", "air no")
    game.place(game.data.unit("SQ-A"), game.data.space("22"))
    play(game, "resolve")
    assert where(game, "11H") not in ("eliminated", "21")


def test_14_2_4_cut_off_areas_pass_one_behind_another() -> None:
    game = position(
        "1/8 18, 9AUS H, XX H",
        side="axis",
        impulse=12,
        **QUIET,
        allied_held=[*"ABCDH", "21", "22", "23"],
        dice=(1, 1),
    )
    play(game, "pass")
    assert {holder(game, area) for area in ("21", "22", "23")} == {"axis"}


def test_10_3_guns_may_attack_alone_beside_others_in_a_contested_area() -> None:
    game = position("65AT 9, 7RTR 9, 33PAK 9", **QUIET, allied_held=[*"ABCDH", "4"])
    play(game, "assault 9", "attack 9 65AT")
    assert game.rule != "11.2", "nobody else may join AT/FLAK on their own"
    play(game, "air no")
    assert names(game, "resolve")["65AT leads, AT/FLAK on their own"] == 1


def test_10_3_who_cannot_join_guns_that_lead_is_told_why() -> None:
    game = position("65AT 9, 12AT 9, 7RTR 9, 33PAK 9", **QUIET, allied_held=[*"ABCDH", "4"])
    play(game, "assault 9", "attack 9 65AT")
    assert refused(game, "join 7RTR").rule == "10.3"
    assert refused(game, "join 2RTR").rule == "11.2"


def test_19_1H_contested_counts_from_the_start_of_the_axis_impulse() -> None:
    game = position(
        "1/8 15, 7RTR 15, 2/8 14",
        side="axis",
        advantage="axis",
        allied_artillery=0,
        axis_artillery=0,
        options={"advantage_uses": True},
        dice=(1, 1, 6, 6),
    )
    play(game, "regroup", "shift 1/8 18", "end", "wireless-intercept", "assault 14")
    play(game, "move 2/8 15", "attack 15 2/8", "resolve")
    assert where(game, "2/8") == "15" and reduced(game, "2/8"), "optional, so no retreat"


def test_14_2_3_surrender_of_both_sides_at_once() -> None:
    """14.2.3, 7.2 Both cut off in one Area: control is judged after all have rolled."""
    game = position(
        "SQ-A 15 reduced unsupplied, 1/62 15 reduced unsupplied, 1/8 G, 7RTR C",
        phase="refit",
        side="axis",
        **QUIET,
        dice=(1, 1),
    )
    play(game, "end-refit")
    assert where(game, "SQ-A") == where(game, "1/62") == "eliminated"
    assert holder(game, "15") == "axis"


def test_refusals_name_the_real_reason() -> None:
    """11.6.3, 11.5, 8.1.2a, 9.2 A refusal cites the rule that stands in the way."""
    game = position("7RTR 4, 1/62 8, 33PAK 9, 2/62 17", **QUIET, dice=(1, 1, 6, 6))
    play(game, "assault 4", "move 7RTR 8", "attack 8 7RTR", "air no", "resolve")
    assert refused(game, "withdraw 33PAK").rule == "11.6.3"
    zone = position("2RTR 4, 1/8 18")
    play(zone, "assault 4", "move 2RTR 5")
    assert "whole Movement Factor" in refused(zone, "move 2RTR D").text


def test_11_2_units_join_in_any_order_and_the_sheet_says_who_was_left_out() -> None:
    """11.3"""
    units = "4RTR(-) 9, 7RTR 9, 22GDS 9, 2RTR 9, 33PAK 9"
    game = position(units, **QUIET, allied_held=[*"ABCDH", "4"])
    play(game, "assault 9", "attack 9 7RTR", "join 2RTR")
    assert {"join 22GDS", "join 4RTR(-)", "begin"} <= texts(game)
    play(game, "join 4RTR(-)", "begin", "air no")
    sheet = game.sheet(game.parse("resolve"))
    assert sheet is not None
    (left,) = sheet.attacker.left_out
    assert (left.unit, left.rule) == ("22GDS", "11.3")


def test_10_3_the_sheet_of_guns_that_lead_promises_no_tanks() -> None:
    game = position("65AT 9, 7RTR 9, 33PAK 9", **QUIET, allied_held=[*"ABCDH", "4"])
    play(game, "assault 9")
    sheet = game.sheet(game.parse("attack 9 65AT"))
    assert sheet is not None
    (left,) = sheet.attacker.left_out
    assert (left.unit, left.rule) == ("7RTR", "10.3")


def test_14_2_1_a_counter_tells_that_its_line_is_cut() -> None:
    units = "7RTR 16, 9AUS H, XX 15 unsupplied"
    game = position(units, **QUIET, allied_held=[*"ABCDH", "16"])
    standing = {piece.id: piece.standing for piece in game.view(None).pieces}
    assert standing["7RTR"].startswith("cut off")
    assert standing["9AUS"] == "in supply"
    assert standing["XX"] == "out of supply"


def test_14_2_4_what_the_day_would_score_knows_areas_that_change_hands() -> None:
    """17.2"""
    game = position(
        "1/8 19, 7RTR 15, 2RTR 17, 6RTR 18, 9AUS H, XX H",
        **QUIET,
        allied_held=[*"ABCDH", "4", "8", "15", "17", "18"],
        impulse=12,
        side="axis",
        dice=(6, 6),
    )
    shown = next(track for track in game.view(None).tracks if track.id == "evening")
    before = game.vp
    play(game, "pass")
    assert shown.number == game.vp - before == 4
