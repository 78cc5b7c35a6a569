"""Chapter 12: the Advantage."""

from __future__ import annotations

from typing import Any

from .tables import names, play, position, reduced, refused, texts, where

QUIET: dict[str, Any] = {"allied_artillery": 0, "axis_artillery": 0}


def test_12_1A_fanatical_defense_turns_success_into_stalemate() -> None:
    """12.1A, 12.1, 12.2 The defender with the Advantage; it then passes to the attacker."""
    game = position("7RTR 4, 33PAK 9, 15MC(-) 9", **QUIET, advantage="axis", dice=(5, 5, 3, 3))
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK", "air no", "resolve")
    assert game.actor == "axis" and game.rule == "12.1A"
    play(game, "advantage yes", "stand")
    assert reduced(game, "7RTR") and reduced(game, "33PAK") and where(game, "7RTR") == "9"
    assert game.advantage == -1, "nobody's until the Impulse ends"
    play(game, "end")
    assert game.advantage == 0


def test_12_1A_not_against_an_overrun() -> None:
    game = position("7RTR 4, 1/62 8 reduced, 2/62 17", **QUIET, advantage="axis", dice=(6, 6, 1, 1))
    play(game, "assault 4", "move 7RTR 8", "attack 8 7RTR", "air no", "resolve")
    assert where(game, "1/62") == "eliminated"


def test_12_1B_maximum_attack_turns_repulse_into_stalemate() -> None:
    game = position("7RTR 4, 33PAK 9, 15MC(-) 9", **QUIET, dice=(1, 1, 6, 6))
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK", "air no", "resolve")
    assert game.actor == "allied" and game.rule == "12.1B"
    play(game, "advantage yes", "stand")
    assert reduced(game, "7RTR") and reduced(game, "33PAK") and where(game, "7RTR") == "9"


def test_12_1C_prolonged_daylight_by_the_holder() -> None:
    """12.1C, 12.2 The roll is ignored, the marker advances, the Advantage changes hands."""
    for holder, other in (("allied", 1), ("axis", 0)):
        game = position("7RTR C, 1/8 18", side="axis", impulse=8, advantage=holder, dice=(1, 1))
        if holder == "allied":
            play(game, "advantage no")
        play(game, "pass")
        assert game.actor == holder and game.rule == "12.1C"
        play(game, "advantage yes")
        assert game.impulse == 9 and game.turn == 2 and game.advantage == other


def test_12_1C_not_asked_when_the_day_goes_on() -> None:
    game = position("7RTR C, 1/8 18", side="axis", impulse=8, advantage="axis", dice=(6, 6))
    play(game, "pass")
    assert game.impulse == 9 and game.advantage == 1


def test_12_1D_fuel_shortage_in_either_impulse() -> None:
    """12.1D, 14.1, 14.1.1 In the Allied Impulse, or before the Axis one."""
    own = position("7RTR C, 1/8 18, 33 14")
    play(own, "fuel-shortage", "pass")
    assert own.fuel_low and own.advantage == 1
    play(own, "assault 18")
    assert refused(own, "activate 14").rule == "14.1.1"
    before = position("7RTR C, 1/8 18, 33 14")
    play(before, "pass", "advantage yes")
    assert before.fuel_low and before.actor == "axis" and before.advantage == -1
    axis = position("7RTR C, 1/8 18", side="axis", advantage="axis")
    assert refused(axis, "fuel-shortage").rule == "12.1D"


def test_14_1_2_a_matching_sunset_roll_ends_the_shortage() -> None:
    """14.1.2, 12.1D Equal to the Impulse number ends it, nothing else but the phase does."""
    for dice, low in (((2, 3), False), ((3, 3), True)):
        game = position(
            "7RTR C, 1/8 18", side="axis", impulse=5, advantage="nobody", fuel_low=True, dice=dice
        )
        play(game, "pass")
        assert game.fuel_low is low and game.impulse == 6
    night = position(
        "7RTR C, 1/8 18", side="axis", impulse=5, advantage="nobody", fuel_low=True, dice=(1, 2)
    )
    play(night, "pass")
    assert not night.fuel_low


def test_12_1E_rommel_leads_one_attack_each_impulse() -> None:
    """12.1E, 11.4.2C Declared once, he adds a die to one Axis attack an Impulse all day."""
    game = position(
        "7RTR 15, 2RTR 14, 1/8 18, 2/8 18",
        side="axis",
        advantage="axis",
        **QUIET,
        dice=(4, 6, 6, 1, 1),
    )
    play(game, "assault 18", "move 1/8 15", "attack 15 1/8")
    assert game.rule == "12.1E"
    play(game, "rommel yes")
    assert names(game, "resolve")["Rommel"] == 4 and game.rommel and game.advantage == -1
    play(game, "resolve")
    while game.rule != "8.1.1":
        play(game, sorted(texts(game))[0])
    play(game, "move 2/8 14", "attack 14 2/8")
    assert texts(game) == {"resolve"}, "once an Impulse"
    later = position("7RTR 15, 1/8 18", side="axis", advantage="nobody", rommel=True, **QUIET)
    play(later, "assault 18", "move 1/8 15", "attack 15 1/8")
    assert texts(later) == {"rommel yes", "rommel no"}


def test_12_1E_declared_before_the_impulse_and_gone_at_night() -> None:
    game = position("7RTR 15, 1/8 18", side="axis", advantage="axis", impulse=9, dice=(1, 1))
    play(game, "declare-rommel")
    assert game.rommel and refused(game, "declare-rommel").rule == "12.1E"
    play(game, "pass")
    assert not game.rommel
    allied = position("7RTR 15, 1/8 18")
    assert refused(allied, "declare-rommel").rule == "12.1E"


def test_12_1F_increased_replacements() -> None:
    """12.1F, 13.2 The Advantage buys one more point, and passes at the end of the phase."""
    game = position(
        "7RTR C reduced, 2RTR C reduced, 6RTR C reduced, 22GDS C, 1/8 18", phase="refit"
    )
    play(game, "refit 7RTR", "refit 2RTR")
    assert refused(game, "refit 6RTR").rule == "13.2"
    play(game, "replacement", "refit 6RTR", "end-refit")
    assert game.turn == 3 and game.advantage == 1


def test_12_2_a_spent_advantage_answers_nothing_in_the_same_impulse() -> None:
    game = position("7RTR 4, 1/8 10", side="axis", advantage="axis", **QUIET, dice=(1, 1, 1, 6, 6))
    play(game, "assault 10", "move 1/8 4", "attack 4 1/8", "rommel yes", "resolve")
    assert reduced(game, "1/8"), "no Maximum Attack is offered"
    assert game.shift_to == 0


def test_12_0_one_side_holds_it_at_the_start_of_each_impulse() -> None:
    game = position("7RTR C, 1/8 18, 33 14")
    play(game, "fuel-shortage")
    assert game.advantage == -1
    play(game, "pass")
    assert game.advantage == 1
