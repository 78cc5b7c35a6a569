"""5.1 Odds of single dice, with every modifier named."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sandtable.kernel.odds import Chance, Modifier, Odds, gather
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.state import Game

GOOD = frozenset(["passes", "reacts", "enters", "breached", "recovers"])


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
        Chance(label, Fraction(1, 10), (face,), by if label in GOOD else enemy)
        for face, label in enumerate(labels, 1)
    ]
    return Odds(tuple(modifiers), gather(chances), (*assumes, *snafu_note(game, by)))


def snafu_note(game: Game, by: str) -> tuple[str, ...]:
    """5.2 A forecast says so when the enemy could force a re-roll."""
    if SIDES[game.snafu] != by and not game.static(game.snafu):
        return ("the enemy does not use SNAFU",)
    return ()
