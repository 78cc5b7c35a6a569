"""Chapter 10: air, artillery, AT/FLAK."""

from __future__ import annotations

from typing import Any

from sandtable.titles.battleaxe.state import Game

from .tables import names, play, position, refused, texts, value

QUIET: dict[str, Any] = {"advantage": "nobody", "allied_artillery": 0, "axis_artillery": 0}


def at_206(**fields: Any) -> Game:
    """7RTR and 65AT stand before Point 206, held by 33PAK and 15MC(-)."""
    return position("7RTR 4, 65AT 4, 33PAK 9, 15MC(-) 9", **{**QUIET, **fields})


def test_10_1_air_support_is_allied_only() -> None:
    """10.1, 10.1.1 The Allied attacker may commit it; the Axis has none."""
    game = at_206()
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK")
    assert texts(game) == {"air yes", "air no"}
    axis = position("7RTR 4, 1/8 10", side="axis", **QUIET)
    play(axis, "assault 10", "move 1/8 4", "attack 4 1/8")
    assert texts(axis) == {"resolve"}


def test_10_1_1_once_an_impulse() -> None:
    """10.1.1, 10.1.2 A second attack in the same Impulse has no air."""
    game = position(
        "7RTR 4, 2RTR 4, 33PAK 9, 1/62 8",
        **QUIET,
        dice=(6, 1, 1, 6, 6),
    )
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR", "air yes", "resolve")
    play(game, "move 2RTR 8", "attack 8 2RTR")
    assert texts(game) == {"resolve"}, "committed until the next Impulse"


def test_10_1_2_air_is_ready_again_next_impulse() -> None:
    game = position("7RTR 4, 33PAK 9, 1/62 8", **QUIET, dice=(4, 4))
    game.air_used = True
    play(game, "pass", "pass")
    assert not game.air_used and game.actor == "allied"


def test_10_1_3_air_may_follow_an_overrun() -> None:
    """10.1.3, 11.4.4 Used in the first combat, it may come again with a new die."""
    game = position(
        "7RTR 4, 2RTR 4, 1/62 8 reduced, 2/62 17, 33PAK 9",
        **QUIET,
        dice=(6, 6, 6, 1, 1, 3),
    )
    play(game, "assault 4", "move 7RTR 8", "move 2RTR 8", "attack 8 7RTR", "air yes", "resolve")
    assert "advance 7RTR 17" in texts(game)
    play(game, "advance 7RTR 17", "attack 17 7RTR")
    assert texts(game) == {"air yes", "air no"}
    play(game, "air yes")
    assert names(game, "resolve")["Air Support"] == 3


def test_10_1_3_air_kept_back_in_the_first_combat_of_another_area_does_not_return() -> None:
    """10.1.3 Spent in an earlier attack that was no Overrun, it is gone."""
    game = position(
        "7RTR 4, 2RTR 4, 33PAK 9, 1/62 8 reduced, 2/62 17",
        **QUIET,
        dice=(6, 1, 1, 6, 6, 6, 6, 1, 1),
    )
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR", "air yes", "resolve")
    play(game, "move 2RTR 8", "attack 8 2RTR", "resolve", "advance 2RTR 17", "attack 17 2RTR")
    assert texts(game) == {"resolve"}


def test_10_1_4_minus_one_where_contested_before_never_under_one() -> None:
    held = [*"ABCDH", "4"]
    game = position("7RTR 9, 33PAK 9", **QUIET, allied_held=held, dice=(1,))
    play(game, "assault 9", "attack 9 7RTR", "air yes")
    assert value(game, "resolve", "Air Support") == 1
    more = position("7RTR 9, 33PAK 9", **QUIET, allied_held=held, dice=(5,))
    play(more, "assault 9", "attack 9 7RTR", "air yes")
    assert value(more, "resolve", "Air Support") == 4
    open_ground = at_206(dice=(5,))
    play(open_ground, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK", "air yes")
    assert value(open_ground, "resolve", "Air Support") == 5


def test_10_2_markers_are_used_up_by_answered_calls_only() -> None:
    """10.2, 10.2.1, 10.2.3 Three Allied and two Axis markers; a failed call costs nothing."""
    game = at_206(allied_artillery=3, axis_artillery=2, dice=(3, 3))
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK", "air no")
    play(game, "artillery yes")
    assert game.artillery == (3, 2), "3 is no answer for the Allies"
    assert game.actor == "axis"
    play(game, "artillery yes")
    assert game.artillery == (3, 1), "3 + 1 answers in an Axis-held Stützpunkt"
    assert value(game, "resolve", "defender's artillery") == -2


def test_10_2_1_modifiers_of_the_call() -> None:
    """10.2.1 +1 for an Axis Stützpunkt, +1 for the Allied garrison of Tobruk."""
    game = at_206(allied_artillery=3, axis_artillery=2, dice=(4,))
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK", "air no")
    odds = game.odds(game.parse("artillery yes"))
    assert odds and [float(chance.probability) for chance in odds.outcomes] == [0.5, 0.5]
    play(game, "artillery yes")
    axis = game.odds(game.parse("artillery yes"))
    assert axis and axis.outcomes[0].probability * 6 == 4
    tobruk = position("9AUS H, XX H", advantage="nobody", dice=(3,))
    play(tobruk, "assault H", "attack H 9AUS", "air no", "artillery yes")
    assert tobruk.artillery[0] == 2, "3 + 1 answers in Tobruk"


def test_10_2_1_no_bonus_once_the_strongpoint_is_allied() -> None:
    held = [*"ABCDH", "4", "9"]
    game = position("7RTR 9, 33PAK 9, 15MC(-) 9", allied_held=held, advantage="nobody")
    play(game, "assault 9", "attack 9 7RTR", "lead 33PAK", "air no", "artillery no")
    odds = game.odds(game.parse("artillery yes"))
    assert odds and odds.outcomes[0].probability * 6 == 3 and not odds.modifiers


def test_10_2_2_no_calls_in_overrun_combat() -> None:
    game = position(
        "7RTR 4, 2RTR 4, 1/62 8 reduced, 2/62 17, 33PAK 9",
        advantage="nobody",
        dice=(6, 6, 1, 1),
    )
    play(game, "assault 4", "move 7RTR 8", "move 2RTR 8", "attack 8 7RTR", "air no")
    play(game, "artillery no", "artillery no", "resolve", "advance 7RTR 17", "attack 17 7RTR")
    play(game, "air no")
    assert texts(game) == {"resolve"}


def test_10_3_at_units_do_not_lead_attacks_but_may_attack_alone() -> None:
    game = at_206()
    play(game, "assault 4", "move 7RTR 9", "move 65AT 9")
    assert refused(game, "attack 9 65AT").rule == "10.3"
    alone = position("65AT 4, 33PAK 9, 15MC(-) 9", **QUIET)
    play(alone, "assault 4", "move 65AT 9", "attack 9 65AT", "lead 33PAK", "air no")
    assert value(alone, "resolve", "65AT leads, AT/FLAK on their own") == 1
    weak = position("65AT 4 reduced, 33PAK 9, 15MC(-) 9", **QUIET)
    play(weak, "assault 4", "move 65AT 9", "attack 9 65AT", "lead 33PAK", "air no")
    assert value(weak, "resolve", "65AT leads, AT/FLAK on their own") == 0


def test_10_3_at_units_lead_the_defense_only_in_company() -> None:
    game = at_206()
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK", "air no")
    assert value(game, "resolve", "33PAK leads") == -5
    alone = position("7RTR 4, 33PAK 9, 1/33B 9", **QUIET)
    play(alone, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK", "air no")
    assert names(alone, "resolve")["33PAK leads, AT/FLAK on their own"] == -1
    assert names(alone, "resolve")["other defending units"] == -1


def test_10_3_at_units_may_enter_a_vacant_area_first() -> None:
    game = position("65AT C, 1/8 18")
    play(game, "assault C", "move 65AT 3")
    assert game.holder(game.data.space("3")) == 0
