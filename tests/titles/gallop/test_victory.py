"""IV Victory."""

from __future__ import annotations

import pytest

from sandtable.kernel.game import Outcome
from tests.titles.gallop.tables import position

EAST = ["A5", "B1", "G1"]


def final(units: str, **fields: object) -> Outcome:
    """The outcome of a game that ends here."""
    fields.setdefault("turn", 14)
    game = position(units, "allied recovery", **fields)  # type: ignore[arg-type]
    assert game.outcome is not None
    return game.outcome


def lines(outcome: Outcome) -> dict[str, int]:
    """The score by rule number."""
    found: dict[str, int] = {}
    for line in outcome.score:
        found[line.rule] = found.get(line.rule, 0) + line.value
    return found


@pytest.mark.parametrize("hex", ["A5", "G1"])
def test_IV_A_1_an_allied_unit_on_A5_or_G1_wins_at_once(hex: str) -> None:
    game = position(f"4Arm {hex}, 15Pz M5", "allied victory", turn=4)
    assert game.outcome is not None and game.outcome.winner == "allied"
    assert game.outcome.level == "Major Victory" and lines(game.outcome) == {"IV.A.1": -10}


def test_IV_A_1_only_in_the_allied_victory_phase() -> None:
    game = position("4Arm A5, 15Pz M5", "allied movement", turn=4)
    assert game.outcome is None


def test_IV_A_2_axis_units_destroyed() -> None:
    outcome = final("15Pz dead, 90Lt dead, Ariete dead, Trento dead, Recce dead, 21Pz C2, 4Arm N16")
    assert lines(outcome)["IV.A.2"] == -(5 + 5 + 2 + 1 + 1)
    assert outcome.winner == "allied" and outcome.level == "Strategic Victory"


def test_IV_A_3_gazala_held_and_the_line_to_tobruk() -> None:
    outcome = final("1SA B6, 15Pz C2")
    assert lines(outcome) == {"IV.A.3": -5}
    outcome = final("4Arm N16, 15Pz C2")
    assert lines(outcome) == {"IV.A.3": -2}
    ring = "15Pz B5, 21Pz C7, Ariete B8"  # the box is gone, and no line is open to B6
    assert lines(final(f"1SA B6, {ring}", eliminated=["B6"])) == {"IV.A.3": -2}


def test_IV_B_1_tobruk_surrounded() -> None:
    outcome = final("2SA C13, 15Pz E14, 21Pz E13, 90Lt C11, 4Arm N16")
    assert lines(outcome) == {"IV.B.1": 3}


def test_IV_A_3_lines_in_a_sandstorm_are_as_long_as_the_last_die() -> None:
    """XV.A.2, IV.A.3, IV.B.1 The score is counted by the lines of the last player-turn."""
    units = "2SA C13, 11Ind D13, 15Pz F14, 21Pz F16, Ariete G12, 90Lt G3, Trento C11, Brescia E11"
    found = {}
    for die in (0, 1):
        storm = {"weather": "sandstorm", "storm_die": die, "axis_holds": EAST}
        found[die] = lines(final(units, **storm))
    assert found[1]["IV.A.3"] == -2 and "IV.B.1" not in found[1]  # four factors reach Tobruk
    assert found[0]["IV.B.1"] == 3 and "IV.A.3" not in found[0]


def test_IV_B_2_tobruk_taken() -> None:
    """IV.B, IV.B.2 Six points, more than four: a Tactical Victory."""
    outcome = final("15Pz C13, 4Arm N16")
    assert lines(outcome) == {"IV.B.2": 6} and outcome.level == "Tactical Victory"


def test_IV_B_3_IV_B_4_sources_and_the_dump() -> None:
    """IV.B.3, IV.B.4 Two points a source, five for the dump."""
    outcome = final("15Pz C2, 4Arm N16", axis_holds=[*EAST, "G18", "K18", "E18", "F14"])
    assert lines(outcome)["IV.B.3"] == 6 and lines(outcome)["IV.B.4"] == 5
    off = {"fourth_source": False}  # then three sources feed, and three count (ruling R1)
    outcome = final("15Pz C2, 4Arm N16", axis_holds=[*EAST, "G18", "E18"], options=off)
    assert lines(outcome)["IV.B.3"] == 2


def test_IV_B_5_allied_units_destroyed() -> None:
    outcome = final("15Pz C2, 4Arm N16, 1SA dead, 150 dead, 7Mot dead")
    assert lines(outcome)["IV.B.5"] == 2 + 1 + 1


@pytest.mark.parametrize(
    ("dead", "level"),
    [
        ("", "No victory level"),
        ("150, 151, 29Ind", "Tactical Victory"),
        ("150, 151, 29Ind, 1FF, 7Mot, 2Arm, 22Arm", "Tactical Victory"),
        ("150, 151, 29Ind, 1FF, 7Mot, 2Arm, 22Arm, 1Tank", "Major Victory"),
        ("150, 151, 29Ind, 1FF, 7Mot, 2Arm, 22Arm, 1Tank, 32Tank, 1SA, 50", "Strategic Victory"),
    ],
)
def test_IV_C_levels(dead: str, level: str) -> None:
    units = "".join(f", {name} dead" for name in dead.split(", ") if name)
    outcome = final(f"15Pz C2, 4Arm N16{units}", axis_holds=[*EAST, "K18", "N17"])
    margin = sum(lines(outcome).values())
    assert outcome.winner == "axis" and outcome.level == level, margin


def test_IV_C_higher_levels_and_a_draw() -> None:
    taken = [*EAST, "C13", "F14", "G18", "K18", "N17"]  # 6 + 5 + 6
    assert final("15Pz C2, 4Arm N16", axis_holds=taken).level == "Strategic Victory"
    dead = "1SA dead, 50 dead"
    assert final(f"15Pz C2, 4Arm N16, {dead}", axis_holds=taken).level == (
        "Crushing Strategic Victory"
    )
    outcome = final("15Pz C2, 4Arm N16", axis_holds=[*EAST, "N17"])
    assert outcome.winner is None and outcome.level == "Draw"


def test_IV_D_the_free_set_up_halves_and_doubles() -> None:
    free = {"scenario": "nonhistorical"}
    outcome = final("15Pz C13, 4Arm N16", **free)
    assert outcome.level == "Major Victory" and "12 GVP" in outcome.text
    outcome = final("15Pz dead, 21Pz C2, 1SA B6, 150 dead", **free)
    # 5 + 5 - 1 = 9, halved 4½: still more than 4.
    assert outcome.winner == "allied" and outcome.level == "Tactical Victory"
    assert "4½ GVP" in outcome.text
    game = position("4Arm A5, 15Pz M5", "allied victory", turn=4, scenario="nonhistorical")
    assert game.outcome is not None and "5 GVP" in game.outcome.text
