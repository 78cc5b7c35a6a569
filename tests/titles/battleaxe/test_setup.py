"""Chapters 3 to 7: map, set-up, sequence of play, stacking and control."""

from __future__ import annotations

import pytest

from sandtable.kernel.errors import BadMessage

from .tables import TITLE, holder, play, position, reduced, refused, rules_of, texts, where

DATA = TITLE.data()


def test_3_1_areas_and_zones() -> None:
    """3.1, 3.1.1, 3.1.5 23 Areas, 9 Zones, 14 Victory Points on the map."""
    zones = [space.id for space in DATA.spaces if space.zone]
    assert "".join(zones) == "ABCDEFGHI"
    assert [space.id for space in DATA.spaces if not space.zone] == [str(n) for n in range(1, 24)]
    assert sum(space.vp for space in DATA.spaces) == 14
    red = {space.id for space in DATA.spaces if space.control == "allied"}
    assert red == set("ABCDH")


def test_3_1_2_strongpoints_and_modifiers() -> None:
    """3.1.2, 3.1.3 The Stützpunkte, and modifiers from +1 to +3."""
    strong = {space.id for space in DATA.spaces if space.stutzpunkt}
    assert strong == {"6", "9", "13", "22"}
    assert {space.tem for space in DATA.spaces} <= {1, 2, 3}


def test_3_1_4_escarpments_part_areas() -> None:
    """3.1.4, 9.3.2 Areas across an escarpment are not adjacent."""
    one, two = DATA.space("1"), DATA.space("2")
    assert DATA.beyond_scarp[one] >> two & 1
    assert not DATA.near[one] >> two & 1


def test_5_1_markers_at_the_start() -> None:
    """5.1, 3.2, 3.3, 3.4, 3.5, 12.0 Markers stand where the rules put them."""
    game = position("7RTR C, 33PAK 9", turn=1)
    tracks = {track.id: track.value for track in game.view(None).tracks}
    assert tracks["turn"] == "June 15" and tracks["impulse"] == "1" and tracks["vp"] == "0"
    assert tracks["advantage"] == "allied" and tracks["fuel"] == "enough"
    assert tracks["allied-artillery"] == "3" and tracks["axis-artillery"] == "2"
    assert tracks["held"] == "15th Panzer, 5th Light"
    impulse = next(track for track in game.view(None).tracks if track.id == "impulse")
    assert impulse.notes[:4] == ("0 %", "0 %", "3 %", "8 %") and impulse.notes[-1] == "100 %"
    assert {holder(game, zone) for zone in "ABCDH"} == {"allied"}
    assert {holder(game, zone) for zone in "EFGI"} == {"axis"}


def test_5_2_1_allied_setup_and_free_units() -> None:
    """5.2, 5.2.1 Units stand as listed; 11H and CIH are decisions."""
    game = TITLE.start(seed="s")
    assert game.actor == "allied"
    assert texts(game) == {f"setup 11H {zone}" for zone in "ABCD"}  # type: ignore[arg-type]
    play(game, "setup 11H D", "setup CIH B")  # type: ignore[arg-type]
    view = game.view("allied")
    at = {piece.id: piece.space for piece in view.pieces}
    assert at["11H"] == "D" and at["CIH"] == "B" and at["7RTR"] == "C" and at["9AUS"] == "H"
    assert "4RTR*" not in at
    assert all(piece.steps == 2 for piece in view.pieces)
    historical = TITLE.start(options={"historical_setup": True}, seed="s")
    assert {piece.id: piece.space for piece in historical.view(None).pieces} == at


def test_5_2_2_axis_setup() -> None:
    """5.2.2 The Axis stands in its strongpoints, with two divisions held back."""
    at = {piece.id: piece.space for piece in TITLE.start(seed="s").view(None).pieces}
    assert [at[unit] for unit in ("1/104", "1/33A", "deFR")] == ["6"] * 3
    assert (at["1/62"], at["2/62"], at["3/62"]) == ("15", "17", "16")
    assert [at[unit] for unit in ("1/8", "2/8", "1/33C", "33")] == ["18"] * 4
    assert [at[unit] for unit in ("1/5", "2/5", "3")] == ["G"] * 3
    assert [at[unit] for unit in ("XX", "XXI", "15BDE")] == ["H"] * 3
    assert (at["BARDIA1"], at["BARDIA2"]) == ("21", "22")


def test_6_0_phases_follow_each_other() -> None:
    """6.0, 6.1, 6.2, 6.3, 6.4 Allied half, Axis half, then Refit of both, then the next day."""
    game = position("7RTR C, 1/8 18", impulse=7, dice=(1, 1), advantage="nobody")
    assert game.actor == "allied"
    play(game, "pass")
    assert game.actor == "axis" and "Impulse 7" in game.prompt
    told = play(game, "pass")
    assert {"6.2.1", "6.0"} <= rules_of(told)
    assert game.turn == 3 and game.impulse == 1 and game.actor == "allied"


def test_6_2_allied_player_goes_first_then_the_marker_moves() -> None:
    """6.2, 8.0, 3.3 After both halves the marker advances."""
    game = position("7RTR C, 1/8 18", impulse=2, dice=(1, 1), advantage="nobody")
    play(game, "pass", "pass")
    assert game.impulse == 3 and game.actor == "allied"


def test_6_2_1_sunset_ends_the_phase_only_below_the_impulse() -> None:
    """6.2.1 Equal to the Impulse number goes on; less ends the day."""
    equal = position("7RTR C, 1/8 18", impulse=7, dice=(3, 4), advantage="nobody")
    play(equal, "pass", "pass")
    assert equal.impulse == 8 and equal.turn == 2
    less = position("7RTR C, 1/8 18", impulse=7, dice=(3, 3), advantage="nobody")
    play(less, "pass", "pass")
    assert less.turn == 3


def test_6_2_1_first_axis_attack_is_the_sunset_roll() -> None:
    """6.2.1 The attack dice of the Axis serve, and no other roll is made."""
    game = position(
        "7RTR 4, 1/8 9, 2RTR C",
        side="axis",
        impulse=5,
        advantage="nobody",
        axis_artillery=0,
        allied_artillery=0,
        dice=(1, 1, 1, 1),
    )
    play(game, "assault 9", "move 1/8 4", "attack 4 1/8", "resolve")
    assert game.sunset == 2
    play(game, "end")
    assert game.rule == "13.1", "2 is less than 5, so the day ends after the Impulse"


def test_6_2_1_off_the_track_ends_the_phase() -> None:
    """6.2.1, 3.3 Beyond the last space of the track the day always ends."""
    game = position("7RTR C, 1/8 18", impulse=12, dice=(6, 6), side="axis", advantage="axis")
    play(game, "pass")
    assert game.turn == 2 and game.actor == "axis", "the Axis refits, holding the Advantage"


def test_6_4_end_phase_resets_the_markers() -> None:
    """6.4 Artillery is ready again and the fuel shortage over on the next day."""
    game = position(
        "7RTR C, 1/8 18",
        impulse=9,
        dice=(1, 1),
        side="axis",
        advantage="nobody",
        allied_artillery=0,
        axis_artillery=1,
        fuel_low=True,
    )
    play(game, "pass")
    assert game.artillery == (3, 2) and not game.fuel_low and game.impulse == 1


def test_7_1_four_units_to_an_area() -> None:
    """7.1, 9.3.1 The fifth unit may not enter."""
    game = position("2RTR D, 6RTR 4, 7RTR 4, 1/KRR 4, 2/RB 4, 1/8 18")
    play(game, "assault D")
    assert refused(game, "move 2RTR 4").rule == "9.3.1"
    with pytest.raises(BadMessage, match=r"7\.1"):
        position("2RTR 4, 6RTR 4, 7RTR 4, 1/KRR 4, 2/RB 4")


def test_7_2_control_is_taken_in_passing() -> None:
    """7.2, 7.4, 7.5 A unit that moves through a Vacant Area takes it."""
    game = position("2RTR D, 1/8 18")
    assert holder(game, "5") == "axis"
    play(game, "assault D", "move 2RTR 5", "move 2RTR 4")
    assert holder(game, "5") == holder(game, "4") == "allied"
    free = game.free_for(0)
    assert free >> game.data.space("5") & 1 and not free >> game.data.space("18") & 1


def test_7_3_contesting_does_not_change_control() -> None:
    """7.3 Both sides in Tobruk leave it Allied."""
    game = position("9AUS H, XX H")
    assert holder(game, "H") == "allied"
    assert game.contested() == 1 << game.data.space("H")
    assert not reduced(game, "9AUS") and where(game, "XX") == "H"
