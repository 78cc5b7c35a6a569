"""Counts of legal action sequences, and odds against simulation."""

from __future__ import annotations

import pytest

from sandtable import conformance
from sandtable.kernel.game import Game
from tests.titles.gallop.tables import TITLE, position


def sequences(game: Game, depth: int) -> int:
    """How many ways there are to play so many actions."""
    if depth == 0 or game.outcome:
        return 1
    if depth == 1:
        return len(game.actions())
    total = 0
    for action in game.actions():
        after = game.copy()
        after.play(action)
        total += sequences(after, depth - 1)
    return total


def test_set_up_sequences() -> None:
    game = TITLE.start("historical", seed="counts")
    assert sequences(game, 1) == 6 * game.facts.zones["axis"].bit_count()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("units", "stage", "counts"),
    [
        ("15Pz J13, 21Pz I12, 4Arm J14, 7Mot I11, 1FF K7", "axis movement", (145, 11975)),
        ("15Pz J14, 21Pz I15, Recce J14, 4Arm J15, 7Mot I14", "axis attacks", (2, 34, 408)),
        ("Recce G5, 50 F5, 150 H6, 151 E5", "axis movement", (63, 1308)),
        ("150 H6, 50 F5, Pavia G4, 15Pz H5", "allied movement", (77, 3785)),
    ],
)
def test_sequences_from_hard_positions(units: str, stage: str, counts: tuple[int, ...]) -> None:
    game = position(units, stage)
    assert tuple(sequences(game, depth + 1) for depth in range(len(counts))) == counts


@pytest.mark.parametrize(
    ("units", "stage", "before", "action"),
    [
        ("15Pz J14, 4Arm J15", "axis attacks", "attack J15; join 15Pz 7; resolve", "done"),
        ("15Pz C2, 4Arm N16", "weather", "", "weather 1 2"),
        ("Ariete N9, 1FF K7, 150 H6, 4Arm N16", "axis supply", "", "convoy Ariete"),
        ("2Arm N10, 15Pz C2", "allied movement", "", "move 2Arm N14"),
        ("15Pz J14, 4Arm J16", "axis airstrike", "airstrike J16", "intercept"),
    ],
)
def test_odds_match_simulation(units: str, stage: str, before: str, action: str) -> None:
    game = TITLE.position(position(units, stage).position_text(), seed="odds")
    for text in filter(None, before.split("; ")):
        game.play(game.parse(text))
    choice = game.parse(action)
    odds = game.odds(choice)
    assert odds is not None and not odds.assumes
    assert conformance.frequencies(game, choice, odds, 600, "simulation") < 4


def test_airstrike_odds_match_simulation() -> None:
    air = {"allied": {"used": True}}
    text = position("15Pz J14, 4Arm J16, 4AA J16", "axis airstrike", air=air).position_text()
    game = TITLE.position(text, seed="odds")
    choice = game.parse("airstrike J16")
    odds = game.odds(choice)
    assert odds is not None
    assert conformance.frequencies(game, choice, odds, 600, "simulation") < 4
