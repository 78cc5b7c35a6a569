"""8, 10 Scenarios, Victory Points and endings."""

from __future__ import annotations

import pytest

from sandtable.titles.theseus.victory import losses, objective_value, score
from tests.titles.theseus.tables import (
    TITLE,
    acting,
    give,
    ids,
    play,
    position,
    strength,
    texts,
    where,
)

END = {"phase": "end of turn"}
CW = "7.Mot 4819, 7Armd.HQ 4820, 1Armd.HQ 5013, QB/2 5013"


@pytest.mark.parametrize(
    ("hex", "turn", "inside", "outside"),
    [
        ("4303", 1, 10, 8),
        ("4303", 5, 7, 6),
        ("4303", 8, 6, 5),
        ("3012", 3, 3, 2),
        ("3012", 5, 2, 1),
        ("3012", 6, 1, 0),
        ("3305", 4, 2, 1),
        ("4112", 4, 2, 1),
        ("4112", 5, 1, 0),
        ("2521", 8, 1, 0),
        ("2100", 2, 1, 0),
    ],
)
def test_10_3_objectives_by_turn_and_command(
    hex: str, turn: int, inside: int, outside: int
) -> None:
    near = position(f"21Pz.104 {hex}, 21Pz.HQ {hex}", turn=turn)
    values = dict(near.script.objectives)[near.data.hex(hex)].values
    assert objective_value(near, near.data.hex(hex), values) == inside
    far = position(f"21Pz.104 {hex}, 21Pz.HQ 1028", turn=turn)
    assert objective_value(far, far.data.hex(hex), values) == outside
    hq = position(f"21Pz.HQ {hex}", turn=turn)
    assert objective_value(hq, hq.data.hex(hex), values) == 0


def test_10_2_scenario_two_values_and_levels() -> None:
    game = position("21Pz.104 4303, 21Pz.HQ 4303", turn=3, scenario="opening")
    values = dict(game.script.objectives)[game.data.hex("4303")].values
    assert objective_value(game, game.data.hex("4303"), values) == 6
    # Levels at the end of turn 4, with a supplied Axis HQ and Bir Hacheim held.
    for scored, winner, name in [
        (8, "axis", "decisive"),
        (7, "axis", "substantial"),
        (6, "axis", "minor"),
        (5, None, "draw"),
        (4, "commonwealth", "minor"),
        (3, "commonwealth", "substantial"),
        (2, "commonwealth", "decisive"),
    ]:
        end = position(
            f"21Pz.HQ 1020, I/5 1020, {CW}",
            turn=4,
            scenario="opening",
            point=END,
            scored={"4112": scored},
        )
        assert end.outcome is not None
        assert (end.outcome.winner, end.outcome.level) == (winner, name)


def test_10_2_forfeits_and_lost_sources() -> None:
    units = f"21Pz.HQ 1020, I/5 1020, 3.RTR/4 0021, {CW}"
    end = position(
        units,
        turn=8,
        point=END,
        scored={"3012": 3, "4112": 2},
        last_in={"3012": "commonwealth"},
    )
    assert end.outcome is not None
    lines = {line.text: line.value for line in end.outcome.score}
    assert lines["Knightsbridge, forfeited"] == 0
    assert lines["El Adem"] == 2
    assert lines["Axis supply sources held"] == -2
    kept = position(units, turn=8, point=END, scored={"3012": 3}, last_in={"3012": "axis"})
    assert kept.outcome is not None
    assert {line.text: line.value for line in kept.outcome.score}["Knightsbridge"] == 3


def test_10_2_the_last_to_pass_through_counts() -> None:
    game = acting("7Armd", "3.RTR/4 3011, 7Armd.HQ 3210", last_in={"3012": "axis"})
    play(game, "move 3.RTR/4", "to 3013")
    at = game.script.objective_at[game.data.hex("3012")]
    assert game.last_in[at] == 1 and where(game, "3.RTR/4") == "3013"


def test_10_3_axis_headquarters_and_losses_at_the_end() -> None:
    units = f"21Pz.HQ 4420, I/5 1020, 15Pz.HQ gone, {CW}, 3.RTR/4 gone, 5.RTR/4 gone"
    end = position(units, turn=8, point=END)
    assert end.outcome is not None
    lines = {line.text: line.value for line in end.outcome.score}
    assert lines["15 Pz HQ removed from play"] == -1
    game = position("3.RTR/4 gone, 50Div.69 gone, I/5 1020 2, Ariete.8 gone, 15Schtz.200 gone")
    assert losses(game, "commonwealth_motorised") == 4
    assert losses(game, "dak_and_xx_corps") == 5 + 7


def test_10_3_loss_steps() -> None:
    gone = [
        unit.id for unit in TITLE.data().units if unit.side == "commonwealth" and unit.motorised
    ]
    text = ", ".join(f"{name} gone" for name in gone)
    game = position(f"{text}, 21Pz.HQ 1020, I/5 1020, 50Div.HQ 5013, 50Div.69 5013", turn=8)
    assert losses(game, "commonwealth_motorised") == 107
    lines = {line.text: line.value for line in score(game, True)}
    assert lines["Commonwealth motorised losses: 107"] == 2


def test_10_3_automatic_victory_needs_tobruk_and_no_supplied_enemy() -> None:
    """8"""
    axis = "I/5 4303, 21Pz.HQ 4204"
    won = position(f"{axis}, 7Armd.HQ 5413, 7.Mot 5413", point=END)
    assert won.outcome is not None and won.outcome.level == "automatic"
    assert won.outcome.winner == "axis"
    two = position(f"{axis}, 7Armd.HQ 5413, 7.Mot 5413, 1Armd.HQ 5410, QB/2 5410", point=END)
    assert two.outcome is None and two.turn == 3
    none = position("I/5 4204, 21Pz.HQ 4204, 7Armd.HQ 5413, 7.Mot 5413", point=END)
    assert none.outcome is None


def test_10_each_hex_scores_once_at_its_best() -> None:
    units = f"21Pz.104 3012, 21Pz.HQ 3012, {CW}"
    game = position(units, turn=6, point=END, scored={"3012": 3})
    at = game.script.objective_at[game.data.hex("3012")]
    assert game.scored[at] == 3
    better = position(units, turn=2, point=END, scored={"3012": 2})
    assert better.scored[at] == 3


def test_10_1_the_solitaire_assault() -> None:
    game = TITLE.start("bir-hacheim", seed="solo")
    assert game.actor == "axis"
    assert game.air == 1  # type: ignore[attr-defined]
    units = "Ariete.8 2522, Ariete.VIII 2523, Ariete.HQ 2524, FF.1 2521 1, FF.HQ 2521"
    solo = acting(
        "Ariete",
        units,
        scenario="bir-hacheim",
        turn=1,
        snafu="commonwealth",
        ap=7,
        orders={},
        breached=["2522"],
    )
    give(solo, 7, 23, 10, 1, 1, 1)
    play(solo, "attack 2522 2521", "strike prepared", "air 1")
    assert where(solo, "FF.1") == "gone" and where(solo, "FF.HQ") == "gone"
    give(solo, 1, 1, 1)
    if "end" in texts(solo) and not any(t == "move Ariete.8" for t in texts(solo)):
        play(solo, "end")
    play(solo, "move Ariete.8", "to 2521")
    assert solo.outcome is not None and solo.outcome.level == "automatic"


@pytest.mark.parametrize(
    ("points", "winner", "name"),
    [
        (6, "axis", "far better than history"),
        (5, "axis", "better than history"),
        (4, None, "as in history"),
        (3, "commonwealth", "worse than history"),
    ],
)
def test_10_1_levels_of_performance(points: int, winner: str | None, name: str) -> None:
    units = f"Ariete.8 2523, Ariete.HQ 2524, FF.1 2521 {6 - points + 1}, FF.2 2521, FF.HQ 2521"
    game = position(
        units,
        scenario="bir-hacheim",
        turn=1,
        point={"phase": "solitaire"},
        levels={"Ariete": 0},
        breached=["2522"],
    )
    assert game.outcome is not None
    assert sum(line.value for line in game.outcome.score) == points
    assert (game.outcome.winner, game.outcome.level) == (winner, name)


def test_10_1_static_defenders_absorb_and_never_answer() -> None:
    units = "Ariete.8 2522, Ariete.VIII 2523, Ariete.HQ 2524, FF.1 2521, FF.2 2521, FF.HQ 2521"
    game = acting(
        "Ariete", units, scenario="bir-hacheim", turn=1, orders={}, breached=["2522"], air=0
    )
    give(game, 7, 23, 10, 1, 1, 1, 1, 1)
    play(game, "attack 2522 2521", "strike prepared")
    while game.actor == "axis" and "keep" in texts(game):
        play(game, "keep")
    assert game.actor == "axis"
    assert strength(game, "FF.1") + strength(game, "FF.2") < 12
    assert all(game.pieces[u].hex >= 0 for u in ids(game, "FF.1", "FF.2"))
