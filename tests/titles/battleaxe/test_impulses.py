"""Chapter 8: the types of Impulses."""

from __future__ import annotations

from .tables import play, position, reduced, refused, texts, where


def test_8_1_choices_of_an_impulse() -> None:
    """8.1, 8.0 Assault, Non-Assault or Pass."""
    game = position("7RTR C, 22GDS C, 1/8 18")
    assert {"assault C", "regroup", "pass", "fuel-shortage"} <= texts(game)
    assert not any(text.startswith("consolidate") for text in texts(game))


def test_8_1_1_only_an_occupied_area_can_be_active() -> None:
    game = position("7RTR C, 1/8 18")
    assert refused(game, "assault D").rule == "8.1.1"
    assert refused(game, "assault 18").rule == "8.1.1"


def test_8_1_2_only_one_kind_of_non_assault() -> None:
    """8.1.2 After a Regroup the Impulse is over."""
    game = position("7RTR C, 22GDS C, 1/8 18")
    play(game, "regroup", "shift 7RTR B", "end")
    assert game.actor == "allied" and "Fuel Shortage" in game.prompt
    play(game, "advantage no")
    assert game.actor == "axis"


def test_8_1_2a_regroup_moves_each_unit_once_into_free_areas() -> None:
    game = position("7RTR C, 22GDS C, 1/8 18, 33PAK 9")
    play(game, "regroup")
    assert refused(game, "shift 7RTR 4").rule == "8.1.2a", "enemy-controlled"
    assert refused(game, "shift 7RTR 12").rule == "8.1.2a", "not adjacent"
    play(game, "shift 7RTR D", "shift 22GDS B")
    assert refused(game, "shift 7RTR C").rule == "8.1.2a", "moved already"
    assert where(game, "7RTR") == "D" and where(game, "22GDS") == "B"


def test_8_1_2a_no_regroup_into_contested_areas_or_without_movement() -> None:
    game = position("9AUS H, XX H, 1/5 G, BARDIA1 21, 1/8 22", side="axis", advantage="nobody")
    play(game, "regroup")
    assert refused(game, "shift 1/5 H").rule == "8.1.2a"
    assert refused(game, "shift BARDIA1 22").rule == "8.1.2a"
    assert "shift XX G" in texts(game), "besiegers may leave to a Free Zone"


def test_8_1_2a_halfaya_road() -> None:
    """8.1.2a Allied units in an Axis-held Halfaya may not regroup to Musaid."""
    held = [*"ABCDH", "17"]
    game = position("1/11 6, 1/33A 6, 7RTR 17, 2RTR C", allied_held=held)
    play(game, "regroup")
    assert refused(game, "shift 1/11 17").rule == "8.1.2a"
    ours = position("1/11 6, 7RTR 17", allied_held=[*held, "6"])
    play(ours, "regroup")
    assert "shift 1/11 17" in texts(ours)


def test_8_1_2b_consolidation_reduces_or_eliminates_the_other() -> None:
    game = position("7RTR C reduced, 2RTR C, 6RTR C reduced, 1/8 18")
    play(game, "consolidate 7RTR 2RTR")
    assert not reduced(game, "7RTR") and reduced(game, "2RTR")
    again = position("7RTR C reduced, 6RTR C reduced, 1/8 18")
    play(again, "consolidate 7RTR 6RTR")
    assert where(again, "6RTR") == "eliminated"


def test_8_1_2b_limits_of_consolidation() -> None:
    """8.1.2b Same type, same Area, same army, in supply; no AT, no armored cars."""
    game = position(
        "7RTR C reduced, 22GDS C reduced, 65AT C reduced, 12AT C, 11H C reduced, CIH C,"
        " 2RTR D, 1/8 18"
    )
    assert refused(game, "consolidate 7RTR 22GDS").rule == "8.1.2b"
    assert refused(game, "consolidate 7RTR 2RTR").rule == "8.1.2b"
    assert refused(game, "consolidate 65AT 12AT").rule == "8.1.2b"
    assert "armour" in refused(game, "consolidate 65AT 12AT").text, "spelt as everywhere"
    assert refused(game, "consolidate 11H CIH").rule == "8.1.2b"
    assert refused(game, "consolidate 2RTR 7RTR").rule == "8.1.2b"
    axis = position("1/104 6 reduced, deFR 6, 7RTR C", side="axis", advantage="nobody")
    assert refused(axis, "consolidate 1/104 deFR").rule == "8.1.2b"
    cut = position("2RTR 19 reduced, 6RTR 19, 1/8 18")
    assert "in supply" in refused(cut, "consolidate 2RTR 6RTR").text


def test_8_1_3_the_axis_rolls_for_sunset_even_when_passing() -> None:
    game = position("7RTR C, 1/8 18", side="axis", impulse=1, dice=(4, 3), advantage="nobody")
    told = play(game, "pass")
    assert any(event.rule == "6.2.1" for event in told)
    allied = position("7RTR C, 1/8 18", impulse=1, advantage="nobody")
    assert not any(event.rule == "6.2.1" for event in play(allied, "pass"))
