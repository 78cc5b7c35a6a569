"""Chapter 11.6: retreats."""

from __future__ import annotations

from typing import Any

from sandtable.titles.battleaxe import retreats

from .tables import play, position, refused, texts, where

QUIET: dict[str, Any] = {"advantage": "nobody", "allied_artillery": 0, "axis_artillery": 0}


def spaces(game: Any, unit: str) -> set[str]:
    """Where a unit may retreat to."""
    return set(game.data.board.text(retreats.destinations(game, game.data.unit(unit))))


def test_11_6_attackers_go_back_where_they_came_from() -> None:
    """11.6, 11.6.1 Units of two Areas each return to their own."""
    game = position(
        "7RTR 15, 1/8 18, 2/8 14",
        side="axis",
        **QUIET,
        dice=(1, 1, 6, 6),
    )
    play(
        game, "assault 18", "activate 14", "move 1/8 15", "move 2/8 15", "attack 15 1/8", "resolve"
    )
    assert (where(game, "1/8"), where(game, "2/8")) == ("18", "14")


def test_11_6_1_a_full_area_is_passed_through() -> None:
    """11.6.1, 11.6.2D Others filled the Area meanwhile: the unit goes on, by the priorities."""
    held = [*"ABCDH", "3", "4", "7"]
    game = position(
        "7RTR 4, 2RTR 3, 6RTR 3, 1/KRR 3, 2/RB 3, 33PAK 9, 15MC(-) 9",
        **QUIET,
        allied_held=held,
        dice=(1, 1, 6, 6),
        side="allied",
    )
    play(game, "assault 4", "move 7RTR 9", "attack 9 7RTR", "lead 33PAK", "air no")
    for unit in ("2RTR", "6RTR", "1/KRR", "2/RB"):
        game.place(game.data.unit(unit), game.data.space("4"))
    play(game, "resolve")
    assert where(game, "7RTR") == "C", "through Sidi Suleiman to the least exposed place"


def test_11_6_2A_the_least_exposed_free_area_first() -> None:
    """11.6.2, 11.6.2A Fewest enemy-controlled neighbours wins."""
    held = [*"ABCDH", "1", "2", "3", "4", "5", "7", "8", "10"]
    game = position("7RTR 4, 33PAK 9", **QUIET, allied_held=held)
    assert spaces(game, "7RTR") == {"3", "C"}, "no enemy-controlled neighbour at all"


def test_11_6_2B_then_friendly_contested_then_enemy_contested() -> None:
    """11.6.2B, 11.6.2C Contested Areas serve when no Free Area is near."""
    friendly = position(
        "7RTR 21, BARDIA1 21, 2RTR 22, BARDIA2 22", **QUIET, allied_held=[*"ABCDH", "22"]
    )
    assert spaces(friendly, "7RTR") == {"22"}
    enemy = position("7RTR 21, BARDIA1 21, 2RTR 22, BARDIA2 22", **QUIET)
    assert spaces(enemy, "7RTR") == {"22"}
    assert spaces(enemy, "BARDIA1") == {"22"}


def test_11_6_2_never_into_a_vacant_enemy_area() -> None:
    """11.6.2, 11.6.4 Nothing but vacant enemy ground: there is no retreat."""
    game = position("7RTR 21, BARDIA1 21", **QUIET, allied_held=[*"ABCDH"])
    assert spaces(game, "7RTR") == set()


def test_11_6_3_who_may_withdraw() -> None:
    """11.6.3 Reduced Allied and Axis units may; Full-Strength Allied units may not."""
    held = [*"ABCDH", "3", "4", "5"]
    game = position(
        "2RTR 4, 6RTR 4 reduced, 1/8 10",
        side="axis",
        **QUIET,
        allied_held=held,
        dice=(1, 1, 6, 6),
    )
    play(game, "assault 10", "move 1/8 4", "attack 4 1/8", "lead 2RTR", "resolve")
    assert texts(game) == {"withdraw 6RTR", "stand"}
    assert refused(game, "withdraw 2RTR").rule == "11.6.3"
    play(game, "withdraw 6RTR")
    assert where(game, "6RTR") == "C"


def test_11_6_3_italians_may_withdraw_at_full_strength() -> None:
    game = position("7RTR 4, 1/62 8, 2/62 17", **QUIET, dice=(1, 1, 6, 6))
    play(game, "assault 4", "move 7RTR 8", "attack 8 7RTR", "air no", "resolve")
    assert "withdraw 1/62" in texts(game)


def test_11_6_4_thrown_back_with_no_place_left_is_eliminated() -> None:
    held = [*"ABCDH", "4"]
    game = position(
        "7RTR 21, BARDIA1 21, BARDIA2 22",
        **QUIET,
        allied_held=held,
        dice=(6, 6, 1, 1),
        side="axis",
    )
    play(game, "assault 21", "attack 21 BARDIA1", "resolve")
    assert where(game, "7RTR") == "eliminated"


def test_11_6_4_no_retreat_across_an_escarpment() -> None:
    held = [*"ABCDH", "1", "2", "3", "7"]
    game = position("1/11 1, 33PAK 6", **QUIET, allied_held=held)
    assert spaces(game, "1/11") == {"A"}
