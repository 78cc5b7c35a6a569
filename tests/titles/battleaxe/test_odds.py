"""Forecasts say what they take for granted; only the roll itself is certain."""

from __future__ import annotations

from sandtable import conformance

from .tables import play, position


def test_11_4_3A_naming_the_lead_is_a_forecast_even_where_no_support_can_come() -> None:
    game = position(
        "7RTR 4, 2RTR 4, 33PAK 9, 1/62 8, 2/62 8",
        advantage="nobody",
        allied_artillery=0,
        axis_artillery=0,
        dice=(1, 1, 1, 6, 6),
    )
    play(game, "assault 4", "move 2RTR 9", "attack 9 2RTR", "air yes", "resolve")
    play(game, "move 7RTR 8", "attack 8 7RTR")
    assert game.actor == "axis"
    for action in game.actions():
        odds = conformance.odds(game, action)
        assert odds is not None and odds.assumes == ("the attack goes ahead",)
    play(game, "lead 2/62")
    odds = conformance.odds(game, game.parse("resolve"))
    assert odds is not None and not odds.assumes
