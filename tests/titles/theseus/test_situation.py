"""5.4, 5.7, 5.8 Zones of control, supply and command."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sandtable.titles.theseus.situation import IN_COMMAND, ISOLATED, OUT_OF_COMMAND
from sandtable.titles.theseus.stacking import HqDisplacement, Overstack
from sandtable.titles.theseus.state import Game
from tests.titles.theseus.tables import acting, enter, ids, play, position, refused, texts


def state(game: Game, unit: str) -> int:
    return game.situation.state(game, ids(game, unit)[0])


def supplied(game: Game, unit: str) -> bool:
    return game.situation.in_supply(game, ids(game, unit)[0])


def controls(game: Game, side: int, hex: str) -> bool:
    return bool(game.situation.zoc[side] >> game.data.hex(hex) & 1)


def test_5_4_the_hex_and_the_six_around_it() -> None:
    game = position("I/5 3018")
    found = set(game.data.board.text(game.situation.zoc[0]))
    assert found == {"3018", "3017", "3019", "2917", "2918", "3117", "3118"} - {"2917"}
    # 2917 is an unbreached Commonwealth minefield.
    assert controls(position("I/5 3018", breached=["2917"]), 0, "2917")


@pytest.mark.parametrize(
    "unit", ["18.Flak 3018 of:21Pz", "KG.Hecker 3018 of:21Pz", "21Pz.HQ 3018", "I/5 3018 disrupted"]
)
def test_5_4_units_without_a_zone(unit: str) -> None:
    assert position(unit).situation.zoc[0] == 0


def test_5_4_not_into_enemy_mines_but_into_ones_own() -> None:
    game = position("FF.1 2521, Ariete.8 2523")
    assert controls(game, 1, "2522") and not controls(game, 0, "2522")
    assert controls(game, 0, "2423")


def test_5_4_1_zones_from_both_sides_coexist() -> None:
    game = position("I/5 3018, 3.RTR/4 3020")
    assert controls(game, 0, "3019") and controls(game, 1, "3019")


def test_5_8_command_states_by_path_length() -> None:
    """5.8.3, 5.8.4"""
    hq = "50Div.HQ 3020"
    assert state(position(f"{hq}, 50Div.69 3025"), "50Div.69") == IN_COMMAND
    assert state(position(f"{hq}, 50Div.69 3026"), "50Div.69") == OUT_OF_COMMAND
    assert state(position("50Div.HQ 3016, 50Div.69 3026"), "50Div.69") == OUT_OF_COMMAND
    assert state(position("50Div.HQ 3015, 50Div.69 3026"), "50Div.69") == ISOLATED
    assert state(position("50Div.HQ 3015, 42.RTR 3026 of:50Div"), "42.RTR") == ISOLATED
    assert state(position("7Armd.HQ 3015, 7.Mot 3026"), "7.Mot") == OUT_OF_COMMAND
    assert state(position("90Le.HQ 2823, KG.Hecker 4123 of:90Le"), "KG.Hecker") == OUT_OF_COMMAND


def test_5_8_2_example_friends_keep_a_path_open_and_enemies_break_it() -> None:
    units = "50Div.HQ 3020, 50Div.151 3022, 42.RTR 3023 of:50Div, Trieste.65 3122, Trieste.HQ 3123"
    game = position(units)
    assert controls(game, 0, "3022") and controls(game, 0, "3023")
    # Every way round is an EZOC; only the occupied hexes can be passed.
    assert state(game, "50Div.151") == IN_COMMAND
    assert state(game, "42.RTR") == IN_COMMAND
    ring = "Trieste.66 2922, Trieste.9 2924, Trieste.XI 3124"
    cut = position(units.replace("50Div.151 3022, ", "") + f", {ring}")
    assert state(cut, "42.RTR") == ISOLATED
    held = position(units + f", {ring}")
    assert state(held, "42.RTR") == IN_COMMAND


def test_5_8_2_example_a_minefield_and_an_ezoc_isolate_within_range() -> None:
    game = position("Trieste.HQ 2215, Trieste.65 2514, 50Div.150 2414, 50Div.HQ 2612")
    assert game.data.distance(game.data.hex("2215"), game.data.hex("2514")) <= 5
    assert state(game, "Trieste.65") == ISOLATED


def test_5_8_examples_range_and_a_path_that_friends_keep_open() -> None:
    """5.8.2, 5.8.4"""
    units = (
        "50Div.HQ 3218, 50Div.69 3212, 50Div.150 3620, 50Div.151 3320,"
        "Trieste.HQ 3424, Trieste.XI 3420"
    )
    game = position(f"{units}, Trieste.66 3421")
    data = game.data
    for hq in ("50Div", "Trieste"):
        assert data.hqs[data.formation(hq)].command == 5
    # A: one hex short. B: both within range, with a way to their HQ.
    assert data.distance(data.hex("3218"), data.hex("3212")) == 6
    assert state(game, "50Div.69") == OUT_OF_COMMAND
    assert state(game, "50Div.150") == state(game, "50Div.151") == IN_COMMAND
    # C: a friend keeps the way through the zone of 151 open.
    assert controls(game, 1, "3421")
    assert state(game, "Trieste.XI") == IN_COMMAND
    assert state(position(units), "Trieste.XI") == OUT_OF_COMMAND


def test_5_8_2_into_one_minefield_but_not_through() -> None:
    inside = position("Ariete.HQ 2524, Ariete.8 2522")
    assert state(inside, "Ariete.8") == IN_COMMAND
    behind = position("Trieste.HQ 2215, Trieste.65 2515")
    assert state(behind, "Trieste.65") != IN_COMMAND
    breached = position("Trieste.HQ 2215, Trieste.65 2515", breached=["2415", "2416"])
    assert state(breached, "Trieste.65") == IN_COMMAND


def test_5_8_2_one_bare_ridge_besides_those_at_the_ends() -> None:
    game = position("1Armd.HQ 2811, QB/2 2807")
    data = game.data
    assert (data.hex("2808"), data.hex("2809")) in data.ridges
    assert state(game, "QB/2") == IN_COMMAND
    # Beyond the coastal escarpment a second bare ridge would be needed.
    two = position("1Armd.HQ 3109, QB/2 3102")
    assert state(two, "QB/2") != IN_COMMAND


def test_5_8_1_unassigned_units_have_no_command_state() -> None:
    game = position("Kst.Kiehl 3018")
    assert state(game, "Kst.Kiehl") == IN_COMMAND
    assert not game.situation.in_command(game, ids(game, "Kst.Kiehl")[0])


def test_5_8_3_out_of_command_units_move_and_attack_for_two_points() -> None:
    units = "I/5 3018, II/5 3018 disrupted, 21Pz.HQ 2024, 7.Mot 3118, 7Armd.HQ 3217"
    game = acting("21Pz", units, ap=4)
    refit = refused(game, "refit II/5")
    assert refit.rule == "5.8.3" and "it cannot act" in str(refit)
    assert refused(game, "improve 3018").rule in ("5.6.3", "5.8.3")
    play(game, "move I/5", "halt")
    assert game.ap[0] == 2
    poor = acting("21Pz", units, ap=1)
    assert refused(poor, "move I/5").rule == "6.3.4"
    alone = acting("21Pz", units.replace(", II/5 3018 disrupted", ""), ap=4)
    assert refused(alone, "improve 3018").rule == "5.8.3"


def test_5_8_4_isolated_units_must_pass_a_check_to_act() -> None:
    ring = "7.Mot 3117, 3.RTR/4 3119, 5.RTR/4 2919, 8.H/4 2916, QB/2 2819"
    units = f"I/5 3018, 21Pz.HQ 0024, II/5 0024, {ring}"
    game = acting("21Pz", units, ap=6, dice=[7])
    assert state(game, "I/5") == ISOLATED
    play(game, "attack 3018 3117")
    assert game.pieces[ids(game, "I/5")[0]].disrupted
    assert game.ap[0] == 4
    assert "refit I/5" not in texts(game)


def test_5_7_2_supply_by_kind_of_headquarters() -> None:
    """5.7"""
    assert supplied(position("Pavia.HQ 1012"), "Pavia.HQ")
    assert supplied(position("Pavia.HQ 1011"), "Pavia.HQ")
    assert not supplied(position("Pavia.HQ 1009"), "Pavia.HQ")
    assert supplied(position("21Pz.HQ 1026"), "21Pz.HQ")
    assert not supplied(position("21Pz.HQ 1028"), "21Pz.HQ")
    assert supplied(position("Kst.Kiehl 1028"), "Kst.Kiehl")


def test_5_7_4_enemies_zones_and_mines_break_the_road() -> None:
    hq = "21Pz.HQ 1522"
    assert supplied(position(hq), "21Pz.HQ")
    assert not supplied(position(f"{hq}, 3.RTR/4 1320, 5.RTR/4 1322, 8.H/4 1515"), "21Pz.HQ")
    assert supplied(position(f"{hq}, 3.RTR/4 1319, I/5 1320, II/5 1221"), "21Pz.HQ")
    assert not supplied(position("Ariete.HQ 2722"), "Ariete.HQ")
    assert supplied(position("Ariete.HQ 2722", breached=["2421", "2521", "2622"]), "Ariete.HQ")


def test_5_7_3_boxes_supply_commonwealth_leg_units_until_breached() -> None:
    ring = "Ariete.8 2723, Ariete.VIII 2721, Ariete.X 2518"
    assert supplied(position(f"FF.HQ 2521, FF.1 2521, {ring}"), "FF.HQ")
    gone = position(f"FF.HQ 2521, FF.1 2521, {ring}", breached=["2521", "2622"])
    assert not supplied(gone, "FF.HQ")


def test_5_7_3_blocked_sources_and_their_relief() -> None:
    units = "3.RTR/4 0121, 7Armd.HQ 0322, Ariete.8 0219, Ariete.HQ 0319"
    game = acting("7Armd", units)
    play(game, "move 3.RTR/4", "to 0021")
    if "halt" in texts(game):
        play(game, "halt")
    assert [game.data.board.names[h] for h in game.blocked] == ["0021"]
    freed = acting("Ariete", units.replace("3.RTR/4 0121", "3.RTR/4 0525"), blocked=["0021"])
    assert not freed.situation.connected(freed, 0, False) >> freed.data.hex("0021") & 1
    play(freed, "move Ariete.8", "to 0021")
    assert freed.blocked == ()
    displaced = acting(
        "7Armd", "Ariete.8 0021, Ariete.HQ 0219, 7.Mot 3318, 7Armd.HQ 3417", blocked=["0021"]
    )
    enter(displaced, HqDisplacement((displaced.data.formation("Ariete"),)))
    assert displaced.blocked == ()
    crowded = acting(
        "7Armd", "Ariete.8 0121, Trieste.65 0121, 7.Mot 3318, 7Armd.HQ 3417", blocked=["0021"]
    )
    enter(crowded, Overstack((crowded.data.hex("0121"),)))
    play(crowded, "displace Ariete.8 0021")
    assert crowded.blocked == ()


def test_5_7_3_tobruk_supplies_inside_and_changes_hands_next_turn() -> None:
    west = "21Pz.HQ 4203, 21Pz.104 4203"
    taken = position(west, tobruk="axis")
    assert supplied(taken, "21Pz.HQ")
    assert not supplied(position(west, tobruk="commonwealth"), "21Pz.HQ")
    outside = position("21Pz.HQ 4208, 21Pz.104 4208", tobruk="axis", breached=["4207", "4106"])
    assert not supplied(outside, "21Pz.HQ")
    game = acting("21Pz", "I/5 4204, 21Pz.HQ 4203, 21Pz.104 4203")
    play(game, "move I/5", "to 4303")
    if "halt" in texts(game):
        play(game, "halt")
    assert game.tobruk == 1 and game.tobruk_next == 0
    track = next(each for each in game.view(None).tracks if each.id == "tobruk")
    assert (track.value, track.detail) == ("Commonwealth", "Axis from the next turn on")


def test_3_1_5_sources_lie_on_the_map_edge() -> None:
    game = position("")
    for side in (0, 1):
        sources = game.data.sources[side]
        assert sources and not sources & ~game.data.board.rim


def path_of(game: Game, formation: str) -> tuple[str, tuple[str, ...]]:
    """What the overlay of a formation's supply says, and its line."""
    overlays = game.view("axis").overlays
    found = next(each for each in overlays if each.id == f"supply-{formation}")
    return found.text, found.lines[0] if found.lines else ()


def test_5_7_2_the_supply_path_runs_over_neighbours_from_the_hq_to_a_source() -> None:
    game = position("21Pz.HQ 1924, Pavia.HQ 1714")
    for formation in ("21Pz", "Pavia"):
        text, line = path_of(game, formation)
        board = game.data.board
        hexes = [game.data.hex(name) for name in line]
        assert all(board.distance(a, b) == 1 for a, b in pairwise(hexes))
        assert game.data.sources[0] >> hexes[-1] & 1
        off, most = (int(word) for word in text.split(" of "))
        roads = game.situation.connected(game, 0, False)
        assert [bool(roads >> hex & 1) for hex in hexes].index(True) == off <= most
        assert supplied(game, f"{formation}.HQ")


def test_5_7_2_a_path_that_is_too_long_says_how_far_the_road_is() -> None:
    game = position("Pavia.HQ 1717")
    text, line = path_of(game, "Pavia")
    assert not supplied(game, "Pavia.HQ")
    assert text == f"too long: {len(line) - 1}, range 1" and len(line) > 2
