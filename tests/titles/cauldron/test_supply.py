"""5.0, 6.0, 3.0, 15.0 Supply, initiative, the turn, reinforcements and tank replacements."""

from __future__ import annotations

import pytest

from sandtable.titles.cauldron.initiative import Initiative
from sandtable.titles.cauldron.movement import Move
from sandtable.titles.cauldron.orders import Orders
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.reinforcements import Arrive, arrival_hexes, can_arrive
from sandtable.titles.cauldron.replacements import TankReplacements
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.supply import check_supply, supplied

from .helpers import DATA, at, on_map, play, position, refused, sentences, texts, uid, unit


def supply_phase(*lines: str, turn: str = "May 28", tail: str = "") -> Game:
    return position(on_map(*lines, head=f'turn = "{turn}"\nphase = "supply"', tail=tail), 3, 5)


RING = ("10-Hus 2016", "Bays 2018", "9-Lan 1916", "5-RTR 1917", "3-RTR 2116", "8-Hus 2117")


def test_5_0_a_ring_of_enemies_cuts_supply_but_zoc_does_not() -> None:
    game = supply_phase("5/1 2017", *RING)
    assert unit(game, "5/1").supply == 1
    gap = supply_phase("5/1 2017", *RING[:-1])
    assert unit(gap, "5/1").supply == 0  # one hex open, though in enemy ZOC


def test_5_0_the_second_check_isolates_and_a_path_restores() -> None:
    game = supply_phase("5/1 2017 oos", *RING)
    assert unit(game, "5/1").supply == 2
    again = supply_phase("5/1 2017 isolated", *RING)
    assert unit(again, "5/1").supply == 2
    free = supply_phase("5/1 2017 isolated")
    assert unit(free, "5/1").supply == 0


def test_5_0_axis_sources_are_the_west_edge_south_of_0105() -> None:
    game = supply_phase("5/1 2017")
    fed = supplied(game, AXIS)
    assert fed >> DATA.board.at("0106") & 1
    assert fed >> DATA.board.at("0105") & 1  # fed through 0106
    assert DATA.board.text(DATA.axis_supply) == [f"01{row:02}" for row in range(6, 22)]


def test_5_0_allied_sources_are_the_north_and_east_edges() -> None:
    ring = ("5/1 2016", "5/2 2018", "8/1 1916", "8/2 1917", "132/8 2116", "132/9 2117")
    assert unit(supply_phase("10-Hus 2017", *ring), "10-Hus").supply == 1
    assert unit(supply_phase("10-Hus 2017", *ring[:-1]), "10-Hus").supply == 0
    assert unit(supply_phase("10-Hus 3017"), "10-Hus").supply == 0


def test_5_0_mines_stop_axis_supply_only() -> None:
    game = supply_phase("104/1 1016", "5-GH 1017")
    assert unit(game, "104/1").supply == 1
    assert unit(game, "5-GH").supply == 0


def test_5_0_a_breach_lets_axis_supply_through() -> None:
    tail = '[[breaches]]\nsides = [["0916", "1016"]]'
    assert unit(supply_phase("104/1 1016", tail=tail), "104/1").supply == 0


def test_5_0_an_uncrossed_escarpment_is_impassable_for_supply() -> None:
    exits = supply_phase("5/1 2017").terrain.exits
    a, b = DATA.board.at("1701"), DATA.board.at("1702")
    south = DATA.board.direction_between(a, b)
    for side in (AXIS, ALLIED):
        assert not exits[side][south] >> a & 1
    road_low, road_high = DATA.board.at("1901"), DATA.board.at("1902")
    assert exits[AXIS][DATA.board.direction_between(road_low, road_high)] >> road_low & 1


def test_5_0_allied_supply_may_cross_the_prohibited_zone() -> None:
    game = supply_phase("10-Hus 2017")
    assert supplied(game, ALLIED) >> DATA.board.at("0517") & 1


def test_5_0_status_changes_only_in_the_supply_phase() -> None:
    # 8 Hus closes the ring, and nothing happens until supply is checked.
    ring = (*RING[:-1], "8-Hus 2119")
    text = on_map("5/1 2017", *ring, head='side = "allied"\nactivated = ["8-Hus"]')
    game = position(text, *[1] * 9)
    assert supplied(game, AXIS) >> unit(game, "5/1").at & 1
    play(game, "select 8-Hus", "move 8-Hus 2117", "done 8-Hus")
    assert not supplied(game, AXIS) >> unit(game, "5/1").at & 1
    assert unit(game, "5/1").supply == 0
    check_supply(game)
    assert unit(game, "5/1").supply == 1


def test_6_0_the_higher_die_decides_and_ties_are_rolled_again() -> None:
    text = on_map("5/1 2017", "10-Hus 2001", head='turn = "May 28"\nphase = "initiative"')
    game = position(text, 4, 4, 2, 7, 1, 1)
    assert isinstance(game.stack[-1], Initiative)
    assert game.actor == ALLIED
    assert texts(game) == {"first axis", "first allied"}
    play(game, "first axis")
    assert game.actor == AXIS


def test_6_0_no_roll_on_may_27_am_and_the_axis_acts_twice() -> None:
    """6.0 The order is Axis, Axis, Allied, Axis, Allied, Axis."""
    text = on_map(
        "5/1 2017",
        "5/2 2018",
        "132/8 1321",
        "10-Hus 2001",
        "5-RTR 2615",
        head='turn = "May 27 AM"\nphase = "initiative"',
        tail="""
[axis]
cup = ["15-PZ/21-PZ", "15-PZ/21-PZ", "Ariete/Trieste", "90-Lt/Brescia+Pavia"]
[allied]
cup = ["2-Arm", "4-Arm", "22-Arm"]
""",
    )
    game = position(text, *[1] * 6, 3, 5)
    order = []
    while game.turn == 1 and not isinstance(game.stack[-1], Initiative):
        if isinstance(game.stack[-1], Orders):
            order.append(game.actor)
            single = sorted(texts(game, "activate-unit"))
            play(game, *single[:1])
            continue
        play(game, "end")
    assert order == [AXIS, AXIS, ALLIED, AXIS, ALLIED, AXIS]


def test_3_0_recovery_ends_disruption_and_turns_units_back() -> None:
    text = on_map("5/1 2017 used disrupted", "10-Hus 2001 used", head='phase = "recovery"')
    game = position(text, 3, 5)
    assert game.turn == 2
    now = unit(game, "5/1")
    assert not now.used
    assert not now.disrupted
    assert not unit(game, "10-Hus").used


def test_3_0_the_other_side_goes_on_when_one_is_out_of_actions() -> None:
    text = on_map(
        "5/1 2017",
        "5/2 2018",
        "10-Hus 2001",
        head='turn = "May 28"\nphase = "actions"\nside = "axis"',
        tail='[axis]\ncup = ["15-PZ/21-PZ", "15-PZ/21-PZ"]\nactions = 2\n[allied]\nactions = 0',
    )
    game = position(text, 1, 1)
    play(game, "activate 21-PZ", "end")
    assert game.actor == AXIS
    assert game.players[AXIS].actions == 0


def test_3_0_activation_counts_start_anew_each_turn() -> None:
    head = 'phase = "recovery"\nformations_activated = ["21-PZ", "21-PZ"]\nbroken_word = true'
    game = position(on_map("5/1 2017", head=head), 3, 5)
    assert game.activated == ()
    assert not game.broken_word


# 15.0


def test_15_0_reinforcements_are_placed_when_their_formation_is_activated() -> None:
    text = on_map("132/8 1321", head='chit = "15-PZ/21-PZ"\nothers = "schedule"')
    game = position(text)
    play(game, "activate 21-PZ")
    assert isinstance(game.stack[-1], Arrive)
    assert texts(game) == {
        f"place 5/1 {number}" for number in ("1321", "1422", "1521", "1622", "1721")
    }
    for name in ("5/1", "5/2", "104/1", "104/2", "104/3", "3-Rec", "39-AT"):
        play(game, f"place {name} 1622")  # over-stacking may wait
    play(game, "select 5/1")
    step = game.stack[-1]
    assert isinstance(step, Move)
    assert DATA.show_points(step.left(game)) == "24"


def test_15_0_over_stacked_reinforcements_are_thinned_out_at_the_end_of_the_phase() -> None:
    text = on_map("132/8 1321", head='chit = "15-PZ/21-PZ"\nothers = "schedule"')
    game = position(text, 1)
    play(game, "activate 21-PZ")
    for name in ("5/1", "5/2", "104/1", "104/2", "104/3", "3-Rec", "39-AT"):
        play(game, f"place {name} {'1622' if name != '39-AT' else '1721'}")
    play(game, "end")
    assert texts(game) == {
        f"eliminate {name}" for name in ("5/1", "5/2", "104/1", "104/2", "104/3", "3-Rec")
    }
    play(game, "eliminate 3-Rec", "eliminate 104/1", "eliminate 104/2")
    assert game.stack[-1].rule == "10.0"


def test_15_0_not_on_the_enemy_but_in_its_zoc() -> None:
    text = on_map("10-Hus 1622", head='chit = "15-PZ/21-PZ"\nothers = "schedule"')
    game = position(text)
    play(game, "activate 21-PZ")
    offered = texts(game)
    assert "place 5/1 1622" not in offered
    assert "place 5/1 1721" in offered
    assert refused(game, "place 5/1 1622").rule == "15.1"


def test_15_0_blocked_units_wait_for_a_later_turn() -> None:
    enemies = ("10-Hus 1321", "Bays 1422", "9-Lan 1521", "5-RTR 1622", "3-RTR 1721")
    text = on_map(*enemies, "132/8 1219", head='chit = "15-PZ/21-PZ"\nothers = "schedule"')
    game = position(text)
    assert "activate 21-PZ" not in texts(game)
    assert not can_arrive(game, uid("5/1"))
    later = position(
        on_map("132/8 1219", head='turn = "May 29"\nchit = "15-PZ/21-PZ"\nothers = "schedule"')
    )
    assert "activate 21-PZ" in texts(later)


def test_15_0_a_single_reinforcement_may_come_by_another_chit() -> None:
    text = on_map("132/8 1321", head='chit = "Ariete/Trieste"\nothers = "schedule"')
    game = position(text)
    play(game, "activate-unit 8/1", "place 8/1 2022")
    assert texts(game, "select") == {"select 8/1"}


@pytest.mark.parametrize(
    ("name", "turn", "hexes"),
    [
        ("8/1", 1, "1622 1721 1822 1921 2022"),
        ("155/1", 1, "1721 1822 1921 2022 2121"),
        ("19", 9, "0108 0109 0110"),
    ],
)
def test_15_1_axis_arrivals(name: str, turn: int, hexes: str) -> None:
    game = position(on_map("132/8 1321", head='chit = "Ariete/Trieste"\nothers = "schedule"'))
    assert game.units[uid(name)].due == turn
    assert DATA.board.text(arrival_hexes(game, uid(name))) == hexes.split()


@pytest.mark.parametrize(
    ("name", "turn"),
    [
        ("2-KRR", 2),
        ("1-Wor", 4),
        ("9-Dur-Lt", 6),
        ("2-HLI", 7),
        ("3/9-Jat", 7),
        ("Cumber", 7),
        ("4-RTR", 8),
    ],
)
def test_15_1_allied_arrivals_on_the_north_and_east_edges(name: str, turn: int) -> None:
    assert DATA.due[uid(name)] == turn
    assert DATA.arrival_hexes[uid(name)] == DATA.edge["north"] | DATA.edge["east"]


def test_15_0_a_unit_is_not_there_before_its_turn() -> None:
    text = on_map(
        "Bays 2701",
        "10-Hus 2801",
        head='turn = "May 28"\nside = "allied"\nchit = "Double-Move"\nothers = "schedule"',
    )
    game = position(text)
    assert "activate-unit 1-Wor" not in texts(game)
    assert "activate-unit 2-KRR" in texts(game)


def test_8_3_units_that_left_come_back_as_reinforcements() -> None:
    head = 'turn = "May 29"\nside = "allied"\nchit = "Double-Move"'
    text = on_map("Bays 2701", "10-Hus off due=4", "9-Lan off due=5", head=head)
    game = position(text)
    assert texts(game, "activate-unit") == {"activate-unit Bays", "activate-unit 10-Hus"}
    axis = position(
        on_map("5/1 off due=4", "5/2 1321", head='turn = "May 29"\nchit = "Ariete/Trieste"')
    )
    play(axis, "activate-unit 5/1")
    hexes = {text.split()[-1] for text in texts(axis, "place")}
    assert hexes == {f"01{row:02}" for row in range(6, 22)} | {
        "1321",
        "1422",
        "1521",
        "1622",
        "1721",
    }


@pytest.mark.parametrize(("turn", "number"), [("May 29", 3), ("June 1-2", 2), ("June 9-10", 1)])
def test_15_0_tank_replacements_arrive_in_the_supply_phase(turn: str, number: int) -> None:
    game = supply_phase("10-Hus 2701 steps=1", "Bays eliminated", "Marine eliminated", turn=turn)
    step = game.stack[-1]
    assert isinstance(step, TankReplacements)
    assert step.left == number
    assert game.actor == ALLIED
    assert "replace 10-Hus" in texts(game)
    assert not any("Marine" in text for text in texts(game))


def test_15_0_two_replacements_bring_back_a_two_step_unit() -> None:
    game = supply_phase("Bays eliminated", turn="May 29")
    play(game, "rebuild Bays 2801", "replace Bays")
    assert unit(game, "Bays").steps == 2
    assert at(game, "Bays") == "2801"


def test_15_0_replacements_may_be_declined_and_are_lost() -> None:
    game = supply_phase("10-Hus 2701 steps=1", turn="May 29")
    play(game, "pass")
    assert isinstance(game.stack[-1], Initiative)


def test_15_0_without_losses_nobody_is_asked() -> None:
    assert isinstance(supply_phase("10-Hus 2701", turn="May 29").stack[-1], Initiative)


def test_5_0_the_log_tells_of_supply() -> None:
    game = position(on_map("5/1 2017", *RING, head="", tail=""), 1)
    game.events = []
    check_supply(game)
    assert "5/1 is out of supply." in sentences(game, game.events)


def test_8_3_a_unit_that_left_the_map_may_come_back_but_need_not() -> None:
    """8.3, 15.0 It may enter (R62); reinforcements of the schedule must."""
    head = 'turn = "May 29"\nside = "allied"\nchit = "2-Arm"\nothers = "schedule"'
    text = on_map("Bays off due=3", "10-Hus 2801", "5/1 1622", head=head)
    game = position(text)
    play(game, "activate 2-Arm")
    assert isinstance(game.stack[-1], Arrive)
    assert {"place Bays 2901", "pass"} <= texts(game)
    play(game, "pass")
    assert at(game, "Bays") == "off"
    assert texts(game, "select") == {"select 10-Hus"}
    fresh = position(text)
    play(fresh, "activate-unit 1-Wor")
    assert refused(fresh, "pass").rule == "15.0"
