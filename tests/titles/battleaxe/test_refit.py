"""Chapters 13 and 14: refit and logistics."""

from __future__ import annotations

from typing import Any

from sandtable.titles.battleaxe.logistics import in_supply, supplied_spaces
from sandtable.titles.battleaxe.values import lead_value, total

from .tables import holder, play, position, reduced, refused, rules_of, texts, where

DONE: dict[str, Any] = {"phase": "refit", "advantage": "nobody"}


def test_13_1_allies_first_then_axis() -> None:
    """13.1, 13.2, 6.3 One point each."""
    game = position("7RTR C reduced, 1/8 18 reduced", **DONE)
    assert game.actor == "allied" and "1 Replacement Point" in game.prompt
    play(game, "end-refit")
    assert game.actor == "axis"


def test_13_3_1_only_units_in_supply() -> None:
    game = position("7RTR 19 reduced, 2RTR C reduced, 1/8 18", **DONE)
    assert refused(game, "refit 7RTR").rule == "13.3.1"
    assert "refit 2RTR" in texts(game)


def test_13_3_2_one_point_flips_two_or_rebuilds_one() -> None:
    game = position("7RTR C reduced, 2RTR C reduced, 6RTR eliminated, 1/8 18", **DONE)
    play(game, "refit 7RTR")
    assert refused(game, "rebuild 6RTR C").rule == "13.2"
    play(game, "refit 2RTR")
    assert refused(game, "rebuild 6RTR C").rule == "13.2"
    other = position("7RTR C reduced, 6RTR eliminated, 1/8 18", **DONE)
    play(other, "rebuild 6RTR C")
    assert where(other, "6RTR") == "C" and reduced(other, "6RTR")
    assert refused(other, "refit 7RTR").rule == "13.2"


def test_13_3_3_rebuilt_allied_units() -> None:
    """13.3.3 Any supplied Allied Area; the garrison in Zone H alone, though it is contested."""
    game = position("7RTR eliminated, 9AUS eliminated, 18BDE H, XX H, 2RTR 4, 1/8 18", **DONE)
    assert {"rebuild 7RTR 4", "rebuild 7RTR A", "rebuild 9AUS H"} <= texts(game)
    assert refused(game, "rebuild 7RTR H").rule == "13.3.3"
    assert refused(game, "rebuild 9AUS A").rule == "13.3.3"
    full = position("7RTR eliminated, 2RTR 4, 6RTR 4, 1/KRR 4, 2/RB 4, 1/8 18", **DONE)
    assert refused(full, "rebuild 7RTR 4").rule == "7.1"


def test_13_3_4_rebuilt_axis_units() -> None:
    game = position("1/62 eliminated, 1/8 18, 7RTR 15, 2/62 15", **DONE)
    assert game.actor == "axis"
    assert "rebuild 1/62 G" in texts(game)
    assert refused(game, "rebuild 1/62 15").rule == "13.3.4", "contested"
    assert refused(game, "rebuild 1/62 H").rule == "13.3.4", "Allied-controlled"
    siege = position("XX eliminated, 1/8 18, 7RTR 15, 2/62 15", **DONE)
    assert "contested" in refused(siege, "rebuild XX 15").text, "no garrison of Tobruk"


def test_13_3_5_german_recovery_at_the_end() -> None:
    game = position("7RTR C, 1/8 18 reduced, 2/8 18 reduced, 1/104 6 reduced", **DONE)
    play(game, "end-refit")
    assert game.rule == "13.3.5"
    assert texts(game) == {"recover 1/8", "recover 2/8", "end-refit"}
    assert refused(game, "recover 1/104").rule == "13.3.5"
    play(game, "recover 1/8")
    assert not reduced(game, "1/8") and reduced(game, "2/8")


def test_13_4_points_do_not_accumulate() -> None:
    game = position("7RTR C reduced, 2RTR C reduced, 1/8 18", **DONE)
    play(game, "end-refit")
    assert game.turn == 3
    later = position("7RTR C reduced, 1/8 18", turn=3, phase="refit", advantage="nobody")
    assert "1 Replacement Point left" in later.prompt


def test_14_2_1_lines_pass_friendly_areas_only() -> None:
    """14.2, 14.2.1 Contested friendly Areas carry a line, vacant enemy ones block it."""
    held = [*"ABCDH", "4", "8"]
    game = position("7RTR 8, 2RTR 4, 33PAK 4, 1/8 18", allied_held=held)
    assert in_supply(game, game.data.unit("7RTR"))
    cut = position("7RTR 8, 1/8 18", allied_held=[*"ABCDH", "8"])
    assert not in_supply(cut, cut.data.unit("7RTR"))


def test_14_2_1_tobruk_supplies_its_garrison_and_besiegers_trace_to_g() -> None:
    game = position("9AUS H, XX H, 1/8 18")
    assert in_supply(game, game.data.unit("9AUS")) and in_supply(game, game.data.unit("XX"))
    assert supplied_spaces(game, 0) >> game.data.tobruk & 1


def test_14_2_units_are_marked_at_the_end_of_maneuvers() -> None:
    """14.2, 14.2.2, 14.2.3 Marked, weakened, and checked after the Refit."""
    game = position(
        "7RTR 20, 1/8 18, 1/5 G",
        side="axis",
        impulse=9,
        advantage="nobody",
        dice=(1, 1, 4),
        allied_held=[*"ABCDH", "20"],
    )
    told = play(game, "pass")
    assert "14.2" in rules_of(told) and "14.2.3" in rules_of(told)
    unit = game.data.unit("7RTR")
    assert game.units[unit].out_of_supply and not game.units[unit].reduced
    assert game.cv(unit) == 5 and game.mf(unit) == 3


def test_14_2_2_at_units_alone_and_unsupplied() -> None:
    game = position("33PAK 9 unsupplied, 7RTR 4")
    unit = game.data.unit("33PAK")
    assert total(lead_value(game, unit, [unit])) == 0
    weak = position("33PAK 9 reduced unsupplied, 7RTR 4")
    assert total(lead_value(weak, unit, [unit])) == -1


def test_14_2_3_surrender_on_1_to_3_with_one_for_the_advantage() -> None:
    for face, advantage, lost in ((3, "nobody", True), (3, "allied", False), (4, "axis", False)):
        game = position(
            "7RTR 20 unsupplied, 1/8 18, 1/5 G",
            phase="refit",
            advantage=advantage,
            dice=(face,),
            allied_held=[*"ABCDH", "20"],
        )
        while game.turn == 2:
            play(game, "end-refit")
        assert reduced(game, "7RTR") is lost, (face, advantage)
    gone = position(
        "7RTR 20 reduced unsupplied, 1/8 18", phase="refit", advantage="nobody", dice=(1,)
    )
    if gone.turn == 2:
        play(gone, "end-refit")
    assert where(gone, "7RTR") == "eliminated"


def test_14_2_4_cut_off_vacant_areas_change_hands() -> None:
    """14.2.4, 7.2 An empty Area that its holder cannot supply passes to a side that can."""
    game = position(
        "2RTR 4, 1/8 18",
        side="axis",
        impulse=9,
        advantage="nobody",
        dice=(1, 1),
        allied_held=[*"ABCDH", "4", "14"],
    )
    play(game, "pass")
    assert holder(game, "14") == "axis" and holder(game, "4") == "allied"
