"""Odds against simulation, and counts of action sequences that catch silent changes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest

from sandtable.kernel.game import Game
from sandtable.kernel.sheets import told

from .tables import TITLE, play, position

ROLLS = 4000


@pytest.mark.parametrize("action", ["attack 9 7RTR", "attack 9 22GDS"])
def test_11_4_the_forecast_of_an_attack_equals_its_simulation(action: str) -> None:
    """11.4, 10.1.4, 10.2.1 With the support it takes for granted, each result as often as said."""
    game = position(
        "7RTR 4, 4RTR(-) 4, 22GDS 4, 65AT 4, 33PAK 9, 15MC(-) 9, 206A 9, 206B 9",
        advantage="nobody",
    )
    moves = [f"move {unit} 9" for unit in ("7RTR", "4RTR(-)", "22GDS", "65AT")]
    play(game, "assault 4", *moves)
    odds = game.odds(game.parse(action))
    assert odds is not None
    assert odds.assumes == (
        "33PAK leads the defence",
        "Air Support is committed",
        "the attacker calls for artillery",
        "the defender calls for artillery",
    )
    seen: Counter[str] = Counter()
    for number in range(ROLLS):
        trial = game.resample("allied", str(number))
        play(trial, action, "lead 33PAK", "air yes", "artillery yes", "artillery yes")
        events = play(trial, "resolve")
        seen.update(getattr(event, "outcome", "") for event in events)
    del seen[""]
    assert sum(seen.values()) == ROLLS
    assert abs(sum(float(each.probability) for each in odds.outcomes) - 1) < 1e-9
    for each in odds.outcomes:
        chance = float(each.probability)
        spread = sqrt(chance * (1 - chance) / ROLLS)
        assert abs(seen[each.text] / ROLLS - chance) <= 4.5 * spread, each


def test_5_1_of_the_dossier_difference_table() -> None:
    """11.4.4 Equal values: 44 % repulsed, 11 % stalemate, 44 % success or better."""
    game = position("7RTR 4, 1/62 8", advantage="nobody", allied_artillery=0, axis_artillery=0,
                    tem={"8": 4})  # fmt: skip
    play(game, "assault 4", "move 7RTR 8", "attack 8 7RTR", "air no")
    odds = game.odds(game.parse("resolve"))
    assert odds is not None
    chances = {each.text: round(100 * float(each.probability)) for each in odds.outcomes}
    assert chances["repulse"] == 44 and chances["stalemate"] == 11
    assert 44 <= sum(chances.values()) - 44 - 11 <= 46


def test_11_4_4_each_difference_has_its_exact_chance_and_what_it_means() -> None:
    """11.4.4 Counted by hand over all 1,296 throws of four dice, with terrain of every sort."""
    for terrain in (1, 4, 9):
        game = position("7RTR 4, 1/62 8", advantage="nobody", allied_artillery=0,
                        axis_artillery=0, tem={"8": terrain})  # fmt: skip
        play(game, "assault 4", "move 7RTR 8", "attack 8 7RTR", "air no")
        odds = game.odds(game.parse("resolve"))
        assert odds is not None
        lead = sum(each.value for each in odds.modifiers)
        throws = Counter(lead + a + b - c - d for a, b, c, d in product(range(1, 7), repeat=4))
        assert {each.value: each.probability for each in odds.margins} == {
            difference: Fraction(number, 1296) for difference, number in throws.items()
        }
        assert [each.value for each in odds.margins] == list(range(lead - 10, lead + 11))
        for each in odds.margins:
            if each.value < 0:
                assert each.outcome == "repulse"
            elif each.value == 0:
                assert each.outcome == "stalemate"
            else:  # A full-strength unit takes three points; one more overruns it.
                assert each.outcome == (
                    f"success, {each.value} AP" if each.value <= 3 else "overrun"
                )
        sheet = game.sheet(game.parse("resolve"))
        assert sheet is not None
        bands = {result.text: result.band for result in sheet.results}
        assert all(bands[each.outcome] for each in odds.margins)


@pytest.mark.parametrize(
    ("units", "repulse", "lead"),
    [
        ("7RTR, 2RTR", "every unit reduced, retreat", "lead unit reduced"),
        (
            "7RTR, 2RTR reduced",
            "every unit reduced, reduced ones eliminated, retreat",
            "lead unit reduced",
        ),
        ("7RTR reduced, 2RTR reduced", "all eliminated", "lead unit eliminated"),
    ],
)
def test_11_4_4_the_sheet_says_who_is_eliminated(units: str, repulse: str, lead: str) -> None:
    """11.4.4, 10.3 A Reduced unit has no step left; an AT unit alone defends with one."""
    placed = units.replace("RTR", "RTR 4")
    game = position(f"{placed}, 33PAK 9", advantage="nobody")
    play(game, "assault 4", "move 7RTR 9", "move 2RTR 9")
    sheet = game.sheet(game.parse("attack 9 7RTR"))
    assert sheet is not None
    results = {each.text: told(each.attacker) for each in sheet.results}
    assert results["repulse"] == repulse
    assert results["stalemate"] == lead
    assert [each.value for each in sheet.defender.parts] == ["leads, 1"]


def test_11_4_4_differences_hold_what_support_may_still_add() -> None:
    """10.1.4, 10.2.1 Before support is settled the spread is as wide as support can make it."""
    game = position("7RTR 4, 33PAK 9", advantage="nobody")
    play(game, "assault 4", "move 7RTR 9")
    odds = game.odds(game.parse("attack 9 7RTR"))
    assert odds is not None and odds.assumes
    lead = sum(each.value for each in odds.modifiers)
    assert odds.margins[0].value == lead - 10 + 1 - 2  # The least of the air, guns for the defence.
    assert odds.margins[-1].value == lead + 10 + 6 + 2
    assert sum(each.probability for each in odds.margins) == 1
    sides = {each.side for each in odds.modifiers}
    assert sides == {"allied", "axis"}


def sequences(game: Game, depth: int) -> int:
    """The number of legal action sequences of a length."""
    if depth == 0 or game.outcome is not None:
        return 1
    found = 0
    for action in game.actions():
        after = game.copy()
        after.play(action)
        found += sequences(after, depth - 1)
    return found


def test_counts_of_action_sequences() -> None:
    """8.1, 9.1 Fixed counts from the start and from a tight spot."""
    start = TITLE.start(seed="count", options={"historical_setup": True})
    assert [sequences(start, depth) for depth in (1, 2, 3)] == COUNTS_AT_START
    tight = position("7RTR 9, 65AT 9, 33PAK 9, 15MC(-) 9, 2RTR 4, 1/8 18, XX H, 9AUS H")
    assert [sequences(tight, depth) for depth in (1, 2)] == COUNTS_IN_A_TIGHT_SPOT


COUNTS_AT_START = [9, 171, 5977]
COUNTS_IN_A_TIGHT_SPOT = [6, 28]
