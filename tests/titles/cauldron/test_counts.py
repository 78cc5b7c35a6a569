"""Numbers of legal action sequences from a few positions: cheap, and silent changes show."""

from __future__ import annotations

import pytest

from sandtable.titles.cauldron.state import Game

from .helpers import active, position
from .test_examples import EXAMPLE_1, EXAMPLE_2, FIRST_ILLUSTRATION


def count(game: Game, depth: int) -> int:
    """How many sequences of so many decisions there are."""
    if depth == 0 or game.outcome:
        return 1
    if depth == 1:
        return len(game.actions())
    total = 0
    for action in game.actions():
        after = game.copy()
        after.play(action)
        total += count(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("text", "dice", "counts"),
    [
        (EXAMPLE_1, (6,) * 30, (2, 565)),
        (EXAMPLE_2, (7,) * 30, (3, 1168)),
        (FIRST_ILLUSTRATION, (3, 5) * 15, (9, 50, 102)),
    ],
)
def test_counts_of_legal_sequences(
    text: str, dice: tuple[int, ...], counts: tuple[int, ...]
) -> None:
    game = position(text, *dice)
    assert tuple(count(game, depth) for depth in range(1, len(counts) + 1)) == counts


def test_counts_of_a_foot_unit_on_open_ground() -> None:
    game = active("27", "27 0520", "28 0110", head='activated = ["28"]')
    assert (count(game, 1), count(game, 2)) == (71, 1559)
