"""XI Terrain and fortification."""

from __future__ import annotations

from sandtable.kernel.actions import Space
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.reckoning import reckon
from sandtable.titles.gallop.state import Game
from tests.titles.gallop.tables import (
    cost,
    outcome,
    piece,
    play,
    position,
    reach,
    refused,
    rules,
    texts,
    where,
)


def sums(game: Game, target: str, *attackers: str) -> tuple[float, float]:
    """Attack and defense of a battle at full factors."""
    units = [game.facts.index[name] for name in attackers]
    found = reckon(
        game,
        [Space(game.facts.board.at(target))],
        [(unit, game.book[unit].attack) for unit in units],
    )
    assert found is not None
    return found.attack / 4, found.defense / 4


def test_XI_terrain_must_be_matched_by_infantry_factors() -> None:
    game = position("15Pz J6, 21Pz K6, 1FF K7 2-2-3", "axis attacks")
    assert sums(game, "K7", "15Pz") == (7, 4)
    game = position("15Pz J6, 21Pz K6, 4Arm K7", "axis attacks")
    assert sums(game, "K7", "15Pz") == (7, 4)  # armor matches nothing


def test_XI_A_1_a_box_adds_three_and_softens_results() -> None:
    game = position("15Pz J6, 21Pz K6, 1FF K7", "axis attacks", [5])
    assert sums(game, "K7", "15Pz", "21Pz") == (14, 6)
    # 2:1 and a 5 is R2, in a box a compulsory R1.
    play(game, "attack K7", "join 15Pz 7", "join 21Pz 7", "resolve", "done")
    assert game.actor == "allied" and not texts(game, "drive")
    assert "done" not in texts(game)
    play(game, sorted(texts(game))[0])
    assert piece(game, "1FF").disrupted and where(game, "1FF") != "K7"


def test_XI_A_1_R1_in_a_box_is_D_and_DE_a_compulsory_R2() -> None:
    game = position("15Pz J6, 21Pz K6, 1FF K7", "axis attacks", [3])
    play(game, "attack K7", "join 15Pz 7", "join 21Pz 7", "resolve", "done")
    assert game.actor == "allied" and "done" in texts(game)
    game = position("15Pz J6, 21Pz K6, 1FF K7 disrupted", "axis attacks", [6])
    play(game, "attack K7", "join 15Pz 7", "join 21Pz 7", "resolve", "done")
    play(game, sorted(texts(game))[0])
    if where(game, "1FF") in ("K8", "L7", "J7"):
        play(game, sorted(texts(game))[0])
    board = game.facts.board
    assert game.facts.distance(board.at("K7"), piece(game, "1FF").hex) == 2


def test_XI_A_1_a_compulsory_retreat_is_not_for_the_winner_to_shorten() -> None:
    """XI.A.1, XIV.D.1, ruling R9 One battle against a box and the open: R2, and the word is 0."""
    game = position("15Pz L7, 21Pz L7, 1FF K7, 3IndMot K8 1-4-3", "axis attacks", [6])
    play(game, "attack K7", "join 15Pz 7", "join 21Pz 7", "also K8", "resolve", "done", "done")
    assert texts(game) == {"drive 0", "drive 1", "drive 2"}
    play(game, "drive 0")
    assert texts(game, "retreat 1FF") and "done" not in texts(game)
    while texts(game, "retreat 1FF") and "done" not in texts(game):
        play(game, sorted(texts(game))[0])
    assert where(game, "1FF") != "K7" and where(game, "3IndMot") == "K8"


def test_XI_A_1_a_surrounded_box_falls() -> None:
    """XI.A.1, XIV.D.3, ruling R8: DE is softened to R2, which cannot be carried out."""
    ring = "90Lt J8, Ariete L8, Trieste L6"
    game = position(f"15Pz J6, 21Pz K6, 1FF K7 disrupted, {ring}", "axis attacks", [6])
    play(game, "attack K7", "join 15Pz 7", "join 21Pz 7")
    told = play(game, "resolve", "done")
    assert where(game, "1FF") == "dead" and rules(told, ev.Eliminated) == ["XIV.D.3"]


def test_XI_A_2_boxes_are_no_use_to_the_enemy() -> None:
    game = position("90Lt K7, 1FF K8, 3IndMot L7", "allied attacks")
    assert sums(game, "K7", "1FF", "3IndMot") == (3, 4)


def test_XI_A_3_zones_do_not_enter_a_held_box() -> None:
    game = position("150 H6, Pavia H5, 15Pz I6", "allied movement")
    # Leaving a held box into a zone is just that, even into that of the unit beside the box.
    assert cost(game, "150", "G6") == "1"
    game = position("150 H6 disrupted, Pavia H5, 15Pz I6", "allied movement", held=[])
    assert "G6" not in reach(game, "150")
    assert refused(game, "move 150 I7").rule == "XIII.B.3"


def test_XI_A_3_in_the_enemy_player_turn_the_box_must_be_held_now() -> None:
    for units, zoned in (("150 H6, Pavia H5", False), ("150 H7, Pavia H5", True)):
        game = position(units, "axis movement")
        overlay = next(o for o in game.view("axis").overlays if o.id == "zoc-axis")
        assert ("H6" in overlay.spaces) == zoned


def test_XI_A_3_never_from_one_box_zone_into_another() -> None:
    game = position("Recce E4 disrupted, 151 E5, 2SABde D5", "axis movement")
    assert refused(game, "move Recce D4").rule == "XI.A.3"
    # 1SA below the cliff has no zone in C7, so the step to D6 leaves none (XI.D).
    game = position("15Pz C7 disrupted, 1SA B6, 2SABde D5", "axis movement")
    assert "D6" in reach(game, "15Pz")


def test_XI_A_4_a_unit_stops_in_an_empty_enemy_box() -> None:
    game = position("15Pz L9", "axis movement")
    play(game, "move 15Pz L10")
    assert refused(game, "move 15Pz L11").rule == "XI.A.4"
    assert refused(position("15Pz L8 7-6-2"), "move 15Pz L12").rule == "XI.A.4"  # by the track
    game = position("15Pz L9, 90Lt L10", "axis movement")  # not empty: a friend is in it
    play(game, "move 15Pz L10", "move 15Pz L11")
    game = position("15Pz L9", "axis movement", eliminated=["L10"])
    play(game, "move 15Pz L10", "move 15Pz L11")


def test_XI_A_5_a_division_eliminates_a_box_in_its_victory_phase() -> None:
    game = position("15Pz L10, 21Pz K7 disrupted, Recce H6", "axis victory")
    names = [game.hex_name(hex) for hex in game.eliminated]
    assert names == ["L10"]
    game = position("5Ind G4, 4Arm F3", "allied victory")
    assert [game.hex_name(hex) for hex in game.eliminated] == ["G4"]


def test_XI_B_hills_and_ridges_add_one() -> None:
    game = position("15Pz D4, 2SABde D5", "axis attacks", eliminated=["D5"])
    assert sums(game, "D5", "15Pz") == (7, 3)
    game = position("15Pz D4, 4Arm D5", "axis attacks", eliminated=["D5"])
    assert sums(game, "D5", "15Pz") == (7, 4)  # a hill is for infantry (ruling R5)
    game = position("15Pz F7, 4Arm G8", "axis attacks")
    assert sums(game, "G8", "15Pz") == (7, 5)
    game = position("15Pz F7, 21Pz H8, 4Arm G8", "axis attacks")
    assert sums(game, "G8", "15Pz", "21Pz") == (14, 5)
    assert sums(game, "G8", "21Pz") == (7, 4)


def test_XI_C_escarpments_cost_the_climber() -> None:
    game = position("4Arm E17, 29Ind E17, 7Mot E17", "allied movement")
    assert cost(game, "4Arm", "F17") == "3"
    assert cost(game, "7Mot", "F17") == "3"
    assert cost(game, "29Ind", "F17") == "2"
    game = position("4Arm F17", "allied movement")
    assert cost(game, "4Arm", "E17") == "1"
    game = position("7Mot F11", "allied movement")
    assert cost(game, "7Mot", "G12") == "0.25"  # by the track


def test_XI_C_escarpments_help_those_on_top_unless_flanked() -> None:
    game = position("15Pz F10, 21Pz G9, 4Arm G10", "axis attacks")
    assert sums(game, "G10", "15Pz") == (7, 6)
    assert sums(game, "G10", "15Pz", "21Pz") == (14, 4)
    game = position("15Pz G10, 21Pz G11, 4Arm F10", "axis attacks")
    assert sums(game, "F10", "15Pz") == (8, 4)
    assert sums(game, "F10", "15Pz", "21Pz") == (16, 4)
    game = position("Flak G10 1-3-3, 151 F10 2-2-2", "axis attacks")
    assert sums(game, "F10", "Flak") == (1, 2)  # half a factor, matched by half a factor (TEC)


def test_XI_D_towering_escarpments() -> None:
    game = position("15Pz B7, 21Pz B9, 4Arm C8", "axis movement")
    assert refused(game, "move 15Pz C7").rule == "XI.D"
    game = position("15Pz B7, 21Pz C9, 4Arm C8", "axis attacks")
    play(game, "attack C8")
    assert refused(game, "join 15Pz 7").rule == "XIV.A.4"  # nothing below may attack up
    assert "join 21Pz 7" in texts(game)
    game = position("15Pz C8, 1SA B7 4-2-2", "axis attacks", [1])
    assert "done" in texts(game)  # may, need not
    play(game, "attack B7", "join 15Pz 7")
    odds = game.odds(game.parse("resolve"))
    assert odds is not None
    assert ("15Pz halved: down a towering escarpment (-3½)", -3, "XI.D") in [
        (m.name, m.value, m.rule) for m in odds.modifiers
    ]
    play(game, "resolve", "done")
    assert where(game, "15Pz") == "C8"


def test_XI_D_one_target_below_the_cliff_halves_and_spares_the_whole_attack() -> None:
    """XI.D, XIV.A.4, ruling R72 15Pz attacks down to B7 and along to D7 in one battle."""
    game = position("15Pz C8, 1SA B7 4-2-2, 50 D7 3-2-2", "axis attacks", [1])
    play(game, "attack D7", "join 15Pz 7", "also B7")
    odds = game.odds(game.parse("resolve"))
    assert odds is not None and [m.name for m in odds.modifiers if m.rule == "XI.D"] == [
        "15Pz halved: down a towering escarpment (-3½)"
    ]
    assert outcome(play(game, "resolve", "done", "done")) == "DAE"  # 3½ to 4 is 1:2
    assert where(game, "15Pz") == "C8"


def test_XI_D_zones_reach_down_but_not_up() -> None:
    game = position("15Pz M5, 4Arm C8")
    below = next(o for o in game.view("axis").overlays if o.id == "zoc-allied").spaces
    assert "B7" in below
    game = position("15Pz M5, 4Arm B7")
    above = next(o for o in game.view("axis").overlays if o.id == "zoc-allied").spaces
    assert "C7" not in above and "C8" not in above and "B8" in above


def test_TEC_bonuses_add_up() -> None:
    game = position("15Pz D4, 2SABde D5", "axis attacks")
    assert sums(game, "D5", "15Pz") == (7, 5)  # 2, box 2 matched, hill 1


def test_R12_minefields() -> None:
    """VIII.A.4, ruling R12 Mines cost a factor, stop, and give no road rates."""
    game = position("Recce G5", "axis movement")
    assert cost(game, "Recce", "G6") == "2"
    play(game, "move Recce G6")
    refusal = refused(game, "move Recce G7")
    assert refusal.rule == "VIII.A.4" and "minefield" in refusal.text
    for weather in ("clear", "sandstorm"):  # and in one go
        game = position("Recce G5", "axis movement", weather=weather, storm_die=1)
        assert refused(game, "move Recce G7").rule == "VIII.A.4"
    game = position("Recce H5", "axis movement", eliminated=["H6"])
    assert cost(game, "Recce", "H6") == "0.25"
    game = position("4Arm G6", "allied movement")
    assert cost(game, "4Arm", "G5") == "0.33"
