"""Positions: round trips, and one clear line for what is wrong."""

from __future__ import annotations

import random

import pytest

from sandtable.kernel.errors import BadMessage
from tests.titles.gallop.tables import TITLE, position


@pytest.mark.parametrize("scenario", ["historical", "nonhistorical"])
def test_positions_round_trip_all_game_long(scenario: str) -> None:
    game = TITLE.start(scenario, seed="round")
    rng = random.Random(5)
    while game.outcome is None:
        for _ in range(rng.randrange(1, 40)):
            legal = game.actions()
            game.play(legal[rng.randrange(len(legal))])
            if game.outcome:
                return
        again = TITLE.position(game.position_text(), seed="round")
        assert again.digest() == game.digest()
        assert again.prompt == game.prompt
        assert list(map(again.text, again.actions())) == list(map(game.text, game.actions()))


def test_positions_override_printed_factors() -> None:
    game = position("15Pz J14 9-8-5")
    assert game.book[game.facts.index["15Pz"]].attack == 9
    piece = next(p for p in game.view("axis").pieces if p.id == "15Pz")
    assert piece.ratings == {"attack": "9", "defence": "8", "movement": "5"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("turn = ", "not TOML"),
        ("turns = 3", "unknown field"),
        ("turn = 15", "turn cannot be 15"),
        ('stage = "lunch"', "stage cannot be 'lunch'"),
        ('weather = "snow"', "weather cannot be 'snow'"),
        ('scenario = "x"', "scenario cannot be 'x'"),
        ('units.15Pz.at = "Z9"', "no hex is called 'Z9'"),
        ('units.15Pz.at = "A9"', "is sea"),
        ('units.16Pz.at = "J9"', "no unit is called '16Pz'"),
        ('units.15Pz = { at = "J9", factors = [7, 6, 60] }', "cannot be 60"),
        ('units.15Pz = { at = "J9", face = "down" }', "cannot be face down"),
        ('units.15Pz = { at = "J9", active = false }', "neither sleep nor flee"),
        ('units.15Pz = { at = "J9", galloping = true }', "neither sleep nor flee"),
        ('units.15Pz = { at = "J9", trucked = true }', "cannot be trucked"),
        ('units.Dummy1 = { at = "J9" }', "needs face"),
        ('units.15Pz.at = "J9"\nunits.4Arm.at = "J9"', "both sides have units in J9"),
        ('eliminated = ["J9"]', "no box or fort"),
        ('axis_holds = ["J9"]', "is not recorded"),
        ("air.french.used = true", "use axis, allied"),
        ("options.fog = true", "no option 'fog'"),
        ('stack = "[]"', "stack"),
        ('orders = { "axis lunch" = "never" }', "an order cannot be"),
        ('orders = { "axis siege" = "often" }', "cannot be 'often'"),
        (
            """stack = '[{"type":"Turn","stage":"axis movement"},"""
            """{"type":"Movement","side":"axis","unit":77,"via":[3]}]'""",
            "no unit has the number 77",
        ),
        ('stack = "[{\\"type\\": \\"Supper\\"}]"', "stack"),
    ],
)
def test_bad_positions_get_one_clear_line(text: str, says: str) -> None:
    with pytest.raises(BadMessage) as error:
        TITLE.position(text)
    assert says in str(error.value) and "\n" not in str(error.value)
