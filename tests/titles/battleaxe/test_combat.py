"""Chapter 11.0 to 11.5: attacks, values, results, attrition."""

from __future__ import annotations

from typing import Any

from sandtable.titles.battleaxe import retreats
from sandtable.titles.battleaxe.state import Game

from .tables import holder, names, play, position, reduced, refused, texts, where

QUIET: dict[str, Any] = {"advantage": "nobody", "allied_artillery": 0, "axis_artillery": 0}


def assault_206(dice: tuple[int, ...], units: str = "", **fields: Any) -> Game:
    """7RTR attacks Point 206 from Sidi Suleiman without help, up to the roll."""
    defenders = units or "33PAK 9, 15MC(-) 9"
    game = position(f"7RTR 4, {defenders}", **{**QUIET, **fields}, dice=dice)
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR")
    if game.actor == "axis":
        play(game, "lead 33PAK" if "33PAK 9" in defenders else sorted(texts(game))[0])
    play(game, "air no")
    return game


def test_11_0_only_active_units_attack_and_not_twice() -> None:
    held = [*"ABCDH", "4"]
    game = position("7RTR 4, 2RTR 9, 33PAK 9, 1/62 8", **QUIET, allied_held=held)
    play(game, "assault 4", "move 7RTR 9")
    assert refused(game, "attack 9 2RTR").rule == "11.0"
    assert refused(game, "attack 8 7RTR").rule == "11.0"


def test_11_1_a_mandatory_attack_takes_all_who_entered_and_repulse_throws_them_back() -> None:
    game = position(
        "7RTR 4, 2RTR 4, 33PAK 9, 15MC(-) 9",
        **QUIET,
        dice=(1, 1, 6, 6),
    )
    play(game, "assault 4", "move 7RTR 9", "move 2RTR 9")
    assert refused(game, "end").rule == "11.1"
    play(game, "attack 9 7RTR", "lead 33PAK", "air no")
    assert names(game, "resolve")["other attacking units"] == 1
    play(game, "resolve")
    assert where(game, "7RTR") == where(game, "2RTR") == "4"
    assert reduced(game, "7RTR") and reduced(game, "2RTR")


def test_11_2_in_a_contested_area_some_may_stay_out() -> None:
    """11.2, 11.3 All, some or none attack; a Repulse does not throw them out."""
    held = [*"ABCDH", "4"]
    game = position("7RTR 9, 2RTR 9, 33PAK 9", **QUIET, allied_held=held, dice=(1, 1, 6, 6))
    play(game, "assault 9")
    assert "end" in texts(game)
    sheet = game.sheet(game.parse("attack 9 7RTR"))
    assert sheet is not None
    (stays,) = sheet.attacker.left_out
    assert (stays.unit, stays.why) == ("2RTR", "May still be added to the attack.")
    play(game, "attack 9 7RTR", "begin", "air no", "resolve")
    assert where(game, "7RTR") == "9" and reduced(game, "7RTR") and not reduced(game, "2RTR")


def test_11_3_units_that_join_a_contested_area_combine() -> None:
    """11.3, 9.2 Combined Operations bring units into a Contested Area for one attack."""
    held = [*"ABCDH", "8"]
    game = position("7RTR 8, 2/62 8, 1/8 15", side="axis", **QUIET, allied_held=held)
    play(game, "assault 8", "activate 15", "move 1/8 8", "attack 8 1/8", "join 2/62", "begin")
    assert names(game, "resolve")["other attacking units"] == 1


def test_11_4_order_of_the_steps() -> None:
    """11.4 Lead attacker, lead defender, air, attacker's guns, defender's guns, dice."""
    game = position("7RTR 4, 33PAK 9, 15MC(-) 9", advantage="nobody", dice=(4, 4, 4))
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR")
    order = []
    for action in ("lead 33PAK", "air yes", "artillery yes", "artillery yes"):
        order.append((game.actor, game.rule))
        play(game, action)
    assert order == [
        ("axis", "11.4.3A"),
        ("allied", "10.1.1"),
        ("allied", "10.2.1"),
        ("axis", "10.2.1"),
    ]
    assert game.rule == "11.4.1" and texts(game) == {"resolve"}


def test_11_4_2_attack_value_line_by_line() -> None:
    """11.4.2, 11.4.2A, 11.4.2B, 11.4.2C, 11.4.2D, 11.4.2E All five lines of the Attack Value."""
    game = position(
        "7RTR 4, 4RTR(-) 4, 22GDS 4, 65AT 4, 33PAK 9, 15MC(-) 9, 206A 9, 206B 9",
        advantage="nobody",
        axis_artillery=0,
        dice=(3, 4),
    )
    moves = [f"move {unit} 9" for unit in ("7RTR", "4RTR(-)", "22GDS", "65AT")]
    play(game, "assault 4", *moves, "attack 9 7RTR", "lead 33PAK", "air yes", "artillery yes")
    assert names(game, "resolve") == {
        "7RTR leads": 6,
        "other attacking units": 3,
        "Air Support": 3,
        "attacker's artillery": 2,
        "combined arms": 1,
        "33PAK leads": -5,
        "other defending units": -3,
        "terrain": -3,
    }
    assert "Attack Value 15 against 11" in game.prompt


def test_11_4_2E_combined_arms_needs_all_three() -> None:
    game = position("7RTR 4, 65AT 4, 33PAK 9, 15MC(-) 9", **QUIET)
    play(game, "assault 4", "move 7RTR 9", "move 65AT 9", "attack 9 7RTR", "lead 33PAK", "air no")
    assert "combined arms" not in names(game, "resolve")


def test_11_4_3_defense_value_line_by_line() -> None:
    """11.4.3, 11.4.3A, 11.4.3B, 11.4.3C, 11.4.3D, 11.4.3E All five lines of the Defense Value."""
    game = position(
        "22GDS 15, 4RTR(-) 15, 65AT 15, 1/8 18",
        side="axis",
        advantage="nobody",
        axis_artillery=0,
        fuel_low=True,
        dice=(4,),
    )
    play(game, "assault 18", "move 1/8 15", "attack 15 1/8", "lead 22GDS", "artillery yes")
    assert names(game, "resolve") == {
        "1/8 leads": 5,
        "22GDS leads": -5,
        "other defending units": -2,
        "terrain": -2,
        "defender's artillery": -2,
        "Axis short of fuel": -2,
    }


def test_11_4_1_both_sides_roll_two_dice() -> None:
    """11.4.1, 11.4.4 The two totals and their difference are told."""
    game = assault_206((6, 5, 2, 1))
    told = play(game, "resolve")
    totals = [event for event in told if type(event).__name__ == "Totals"]
    assert game.sentence(totals[0]) == (
        "Attack Value 6 + 11 = 17 against Defence Value 9 + 3 = 12: success, 5 Attrition Points."
    )


def test_11_4_4_repulse_eliminates_reduced_attackers() -> None:
    game = position("7RTR 4 reduced, 33PAK 9, 15MC(-) 9", **QUIET, dice=(1, 1, 6, 6))
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK", "air no", "resolve")
    assert where(game, "7RTR") == "eliminated"
    assert not reduced(game, "33PAK")


def test_11_4_4_stalemate_costs_both_leads_and_contests_the_area() -> None:
    game = assault_206((5, 4, 3, 3))
    play(game, "resolve", "stand")
    assert reduced(game, "7RTR") and reduced(game, "33PAK") and not reduced(game, "15MC(-)")
    assert where(game, "7RTR") == "9" and holder(game, "9") == "axis"


def test_11_4_4_success_flips_the_lead_but_spares_one_already_reduced() -> None:
    """11.4.4 The option reads the silent point the other way."""
    game = assault_206((5, 5, 3, 3))
    play(game, "resolve")
    assert reduced(game, "7RTR")
    for option, fate in ((False, "9"), (True, "eliminated")):
        weak = position(
            "7RTR 4 reduced, 33PAK 9, 15MC(-) 9",
            **QUIET,
            dice=(6, 6, 1, 1),
            options={"reduced_lead_dies": option},
        )
        play(weak, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK", "air no", "resolve")
        assert where(weak, "7RTR") == fate


def test_11_4_4_overrun_spares_the_lead_and_goes_on_into_one_area() -> None:
    game = position(
        "7RTR 4, 2RTR 4, 1/62 8 reduced, 33PAK 9, 15MC(-) 9",
        **QUIET,
        dice=(6, 6, 1, 1),
    )
    play(game, "assault 4", "move 7RTR 8", "move 2RTR 8", "attack 8 7RTR", "air no", "resolve")
    assert where(game, "1/62") == "eliminated" and not reduced(game, "7RTR")
    assert holder(game, "8") == "allied"
    play(game, "advance 7RTR 17")
    assert refused(game, "advance 2RTR 7").rule == "11.4.4", "one Area for all"
    told = play(game, "advance 2RTR 17", "end")
    assert "The Allies end the advance." in map(game.sentence, told), "the Impulse goes on"
    assert where(game, "2RTR") == "17"
    assert refused(game, "move 2RTR 16").rule in ("9.1", "11.0")


def test_11_4_4_an_overrun_may_run_into_another_fight_but_not_a_third() -> None:
    game = position(
        "7RTR 4, 2RTR 4, 1/62 8 reduced, 2/62 17 reduced, 3/62 16",
        **QUIET,
        dice=(6, 6, 1, 1, 6, 6, 1, 1),
    )
    play(game, "assault 4", "move 7RTR 8", "move 2RTR 8", "attack 8 7RTR", "air no", "resolve")
    play(game, "advance 7RTR 17", "advance 2RTR 17")
    assert refused(game, "end").rule == "11.1"
    play(game, "attack 17 7RTR", "air no", "resolve")
    assert where(game, "2/62") == "eliminated"
    assert reduced(game, "7RTR"), "the second time it is a Success, not an Overrun"
    assert not any(text.startswith("advance") for text in texts(game))


def test_11_4_4_allies_do_not_go_on_from_an_axis_strongpoint() -> None:
    game = assault_206((6, 6, 1, 1), "206B 9 reduced")
    play(game, "resolve")
    assert where(game, "206B") == "eliminated" and not reduced(game, "7RTR")
    assert not any(text.startswith("advance") for text in texts(game))
    assert holder(game, "9") == "allied"


def test_11_5_the_lead_takes_the_first_point() -> None:
    """11.5 Another unit is refused first; afterwards it may share."""
    game = position("7RTR 4, 15MC(-) 8, 1/62 8, 2/62 17", **QUIET, dice=(4, 4, 3, 3))
    play(game, "assault 4", "move 7RTR 8", "attack 8 7RTR", "lead 15MC(-)", "air no", "resolve")
    assert "Absorb 3 " in game.prompt and "15MC(-) takes the first" in game.prompt
    assert "first Attrition Point" in refused(game, "absorb 1/62 flip").text
    play(game, "absorb 15MC(-) flip")
    assert "absorb 1/62 flip" in texts(game)


def test_11_5_losses_are_exact_where_possible() -> None:
    """11.5 Two points do not eliminate a full unit while they can be shared exactly."""
    game = assault_206((4, 4, 1, 2), "33PAK 9, 15MC(-) 9 reduced")
    play(game, "resolve")
    assert reduced(game, "33PAK"), "the only way to take the first point"
    assert "Absorb 1 " in game.prompt
    assert refused(game, "absorb 33PAK eliminate").rule == "11.5"
    assert texts(game) == {"absorb 33PAK retreat", "absorb 15MC(-) retreat"}


def test_11_5_exactly_all_points_kill_everybody_without_an_overrun() -> None:
    """11.5, 11.4.4 What the defenders can just absorb is a Success: the lead flips."""
    game = assault_206((6, 5, 2, 1), "33PAK 9, 15MC(-) 9 reduced")
    play(game, "resolve", "absorb 33PAK eliminate")
    assert where(game, "33PAK") == where(game, "15MC(-)") == "eliminated"
    assert reduced(game, "7RTR") and holder(game, "9") == "allied"


def test_11_5_1_german_units_retreat_at_full_strength_but_not_from_strongpoints() -> None:
    one = position("7RTR 4, 15MC(-) 8, 1/62 15", **QUIET, dice=(2, 2, 2, 3))
    play(one, "assault 4", "move 7RTR 8", "attack 8 7RTR", "air no", "resolve")
    assert texts(one) == {"absorb 15MC(-) flip", "absorb 15MC(-) retreat"}
    strong = assault_206((4, 4, 2, 2))
    refusal = retreats.retreat_refusal(strong, strong.data.unit("33PAK"))
    assert refusal and refusal.rule == "11.5.1"
    play(strong, "resolve")
    assert reduced(strong, "33PAK"), "it could only flip"


def test_11_4_4_one_point_may_be_a_retreat_of_a_reduced_lead() -> None:
    game = position("7RTR 4, 1/62 8 reduced, 2/62 17", **QUIET, dice=(1, 2, 2, 4))
    play(game, "assault 4", "move 7RTR 8", "attack 8 7RTR", "air no", "resolve")
    assert game.rule == "11.6.2", "one point is a retreat, exactly"
    assert all(text.startswith("retreat 1/62") for text in texts(game))
