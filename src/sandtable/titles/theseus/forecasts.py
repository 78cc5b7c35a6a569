"""5.1 Odds of single dice, with every modifier named."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sandtable.kernel.odds import Chance, Modifier, Odds, gather
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.state import Game

CHECKED = "isolated units pass their checks"
"""5.8.4 What a forecast of their actions takes for granted."""
GOOD = frozenset(["passes", "reacts", "enters", "breached"])
BAD = frozenset(["fails", "disrupted", "disrupted, loses 1"])


def die_odds(
    game: Game,
    labels: Sequence[str],
    modifiers: Sequence[Modifier],
    by: str,
    assumes: Sequence[str] = (),
) -> Odds:
    """5.2 The chances of one d10 by what each face brings about."""
    enemy = SIDES[1 - SIDES.index(by)]
    chances = [
        Chance(
            label,
            Fraction(1, 10),
            (face,),
            by if label in GOOD else enemy if label in BAD else None,
        )
        for face, label in enumerate(labels, 1)
    ]
    return Odds(tuple(modifiers), gather(chances), (*assumes, *snafu_note(game, by)))


def number_odds(
    game: Game,
    each: Sequence[Fraction],
    modifiers: Sequence[Modifier],
    by: str,
    word: str,
    assumes: Sequence[str],
) -> Odds:
    """7.3.6 How many of several units succeed that roll one after the other."""
    chances = {0: Fraction(1)}
    for p in each:
        chances = {
            number: chances.get(number, Fraction(0)) * (1 - p)
            + chances.get(number - 1, Fraction(0)) * p
            for number in range(len(chances) + 1)
        }
    outcomes = tuple(
        Chance(f"{number} of {len(each)} {word}", p, (), by if 2 * number > len(each) else None)
        for number, p in chances.items()
        if p
    )
    return Odds(tuple(modifiers), outcomes, ("each unit rolls", *assumes, *snafu_note(game, by)))


def snafu_note(game: Game, by: str) -> tuple[str, ...]:
    """5.2 A forecast says so when the enemy could force a re-roll."""
    if SIDES[game.snafu] != by and not game.static(game.snafu):
        return ("the enemy does not use SNAFU",)
    return ()
