"""8.0-8.3, 9.0, 12.0 Movement, zones and ZOC."""

from __future__ import annotations

import pytest

from sandtable.boards import Reach
from sandtable.kernel.actions import Space
from sandtable.titles.cauldron.movement import Move, allowance, reach
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.zoc import enemy, zoc

from .helpers import DATA, active, at, on_map, play, position, refused, texts, uid, unit


def left(game: Game) -> str:
    step = next(step for step in reversed(game.stack) if isinstance(step, Move))
    return DATA.show_points(step.left(game))


def costs(game: Game) -> dict[str, str]:
    step = game.stack[-1]
    assert isinstance(step, Move)
    found: Reach[Space] = reach(game, step.unit, step.left(game))
    return {game.hex(space): DATA.show_points(cost) for space, cost in found.cost.items()}


@pytest.mark.parametrize(
    ("name", "start", "to", "cost"),
    [
        ("5/1", "2018", "2017", "1"),  # desert
        ("5/1", "1009", "1109", "2"),  # ridge, tracked
        ("104/1", "1009", "1109", "3"),  # ridge, wheeled
        ("27", "1009", "1109", "1"),  # ridge, foot
        ("5/1", "1105", "1206", "1"),  # track
        ("5/1", "2604", "2704", "1/2"),  # road
        ("27", "2604", "2704", "1"),  # road, foot
        ("104/1", "1503", "1403", "1"),  # track into a ridge hex
        ("104/1", "1302", "1303", "3"),  # ridge beside
    ],
)
def test_8_0_what_a_hex_costs(name: str, start: str, to: str, cost: str) -> None:
    assert costs(active(name, f"{name} {start}"))[to] == cost


def test_8_0_half_points_add_up_along_a_road() -> None:
    game = active("5/1", "5/1 2705")
    play(game, "move 5/1 2704")
    assert left(game) == "23 1/2"
    play(game, "move 5/1 2604")
    assert left(game) == "23"


def test_8_0_one_movement_point_left_is_told_as_one() -> None:
    game = active("5/1", "5/1 1622", head="spent = 23")
    assert "(1 movement point left)" in game.prompt
    assert game.price(game.parse("done 5/1")) == "the 1 movement point left is lost"
    game = active("5/1", "5/1 1622", head="spent = 22")
    assert "(2 movement points left)" in game.prompt
    assert game.price(game.parse("done 5/1")) == "the 2 movement points left are lost"


def test_8_0_an_escarpment_is_crossed_only_by_road() -> None:
    game = active("5/1", "5/1 1902")
    assert costs(game)["1901"] == "1"  # the Raml track
    game = active("5/1", "5/1 1702", head="spent = 22")
    refusal = refused(game, "move 5/1 1701")
    assert (refusal.rule, "escarpment" in refusal.text) == ("8.0", True)
    rich = active("5/1", "5/1 1702")
    assert costs(rich)["1701"] == "4 1/2"  # round by the road


def test_8_0_units_move_through_friends_and_may_pause_in_a_full_hex() -> None:
    game = active("5/1", "5/1 2018", "5/2 2017", "8/1 2017", "8/2 2016")
    assert "move 5/1 2017" in texts(game)
    play(game, "move 5/1 2017", "move 5/1 2016")
    assert at(game, "5/1") == "2016"


def test_8_0_enemy_hexes_are_closed() -> None:
    game = active("5/1", "5/1 2018", "5-RTR 2014 disrupted")
    refusal = refused(game, "move 5/1 2014")
    assert (refusal.rule, "enemy" in refusal.text) == ("8.0", True)


def test_8_0_points_run_out() -> None:
    game = active("27", "27 0520")
    assert left(game) == "6"
    assert max(costs(game).values(), key=float) == "6"
    assert refused(game, "move 27 0513").rule == "8.0"


def test_8_0_only_the_active_unit_moves() -> None:
    game = active("5/1", "5/1 2018", "5/2 2017", head='activated = ["5/1", "5/2"]')
    assert refused(game, "move 5/2 2016").rule == "8.0"
    assert refused(game, "done 5/2").rule == "8.0"


def test_8_1_allied_units_stay_out_of_the_prohibited_zone() -> None:
    game = active("5-RTR", "5-RTR 1221")
    reached = set(costs(game))
    assert not reached & set(DATA.board.text(DATA.prohibited))
    assert refused(game, "move 5-RTR 1121").rule == "8.1"


def test_8_1_axis_units_may_enter_it() -> None:
    assert "1121" in costs(active("5/1", "5/1 1221"))


def test_8_2_bracketed_units_stay_in_their_corner() -> None:
    game = active("5-EY", "5-EY 0301")
    reached = set(costs(game))
    assert reached <= set(DATA.board.text(DATA.brigade_69))
    assert "0501" in reached
    assert refused(game, "move 5-EY 0404").rule == "8.2"
    free = active("7-GH", "7-GH 0301")
    assert "0404" in costs(free)


def test_8_2_bracketed_units_do_not_leave_the_map() -> None:
    assert refused(active("5-EY", "5-EY 0301"), "exit 5-EY").rule == "8.2"
    assert "exit 7-GH" in texts(active("7-GH", "7-GH 0301"))


@pytest.mark.parametrize(
    ("name", "start", "may"),
    [
        ("5-RTR", "2001", True),  # north
        ("5-RTR", "3010", True),  # east
        ("5-RTR", "2022", True),  # south
        ("5/1", "2022", True),
        ("5/1", "2001", False),
        ("5/1", "3010", False),
        ("5/1", "0110", False),
        ("5/1", "2010", False),
    ],
)
def test_8_3_which_edges_a_side_may_leave_by(name: str, start: str, may: bool) -> None:
    game = active(name, f"{name} {start}")
    assert (f"exit {name}" in texts(game)) is may
    if not may:
        refusal = refused(game, f"exit {name}")
        assert (refusal.rule, "south edge" in refusal.text) == ("8.3", True)


def test_8_3_leaving_costs_the_hex_and_the_unit_returns_fresh_two_turns_later() -> None:
    lines = ("5-RTR 3010 disrupted oos", "3-RTR 2020")
    game = active("5-RTR", *lines, head='turn = "May 28"\nactivated = ["3-RTR"]\nspent = 7')
    assert left(game) == "1"
    play(game, "exit 5-RTR")
    gone = unit(game, "5-RTR")
    assert (gone.at, gone.due, gone.disrupted, gone.supply) == (-1, 5, False, 0)


def test_8_3_no_points_no_exit() -> None:
    assert "exit 5-RTR" not in texts(
        active("5-RTR", "5-RTR 3010", "3-RTR 2020", head='activated = ["3-RTR"]\nspent = 24')
    )


def test_8_3_leaving_a_zoc_costs_two_more() -> None:
    lines = ("5-RTR 3010", "5/1 3009", "3-RTR 2020")
    game = active("5-RTR", *lines, head='activated = ["3-RTR"]\nspent = 22')
    assert "exit 5-RTR" not in texts(game)
    game = active("5-RTR", *lines, head="spent = 21")
    assert "exit 5-RTR" in texts(game)


def test_9_0_no_step_from_zoc_to_zoc_and_leaving_costs_two() -> None:
    game = active("5/1", "5/1 2018", "5-RTR 2016")
    play(game, "move 5/1 2017")  # into the ZOC
    around = costs(game)
    assert around["2018"] == "3"  # 1 + 2
    # 1916 and 2116 are also next to 2016: reached only by going round, 3 for 1917 and 1 more.
    assert (around["1917"], around["1916"], around["2116"]) == ("3", "4", "4")
    assert "1915" in around


def test_9_0_a_unit_ringed_by_zoc_cannot_step_on() -> None:
    game = active("5/1", "5/1 2017", "5-RTR 2016", "3-RTR 1918", "8-Hus 2118")
    assert texts(game, "move") == set()
    assert refused(game, "move 5/1 2018").rule == "9.0"


def test_9_0_zoc_does_not_go_up_an_escarpment_but_goes_down() -> None:
    low, high = DATA.board.at("1701"), DATA.board.at("1702")
    below = active("5-RTR", "5-RTR 2020", "5/1 1701")
    assert not zoc(below, AXIS) >> high & 1
    above = active("5-RTR", "5-RTR 2020", "5/1 1702")
    assert zoc(above, AXIS) >> low & 1


@pytest.mark.parametrize(
    ("state", "exerts"), [("oos", True), ("isolated", True), ("disrupted", False)]
)
def test_9_0_who_exerts_zoc(state: str, exerts: bool) -> None:
    game = active("5/1", "5/1 2020", f"5-RTR 2016 {state}")
    assert bool(zoc(game, ALLIED) >> DATA.board.at("2017") & 1) is exerts


def test_9_0_used_units_exert_zoc_too() -> None:
    game = active("5/1", "5/1 2020", "5-RTR 2016 used")
    assert zoc(game, ALLIED) >> DATA.board.at("2015") & 1


def test_9_0_friendly_units_do_not_negate_zoc_in_movement() -> None:
    game = active("5/1", "5/1 2017", "5/2 1916", "5-RTR 2016")
    assert costs(game)["1916"] == "4"  # by 1917, though a friend is in 1916


@pytest.mark.parametrize(
    ("states", "points"),
    [
        ("", "24"),
        ("oos", "16"),
        ("isolated", "8"),
        ("disrupted", "16"),
        ("oos disrupted", "8"),
        ("isolated disrupted", "0"),
    ],
)
def test_12_0_reductions_add_up_in_thirds(states: str, points: str) -> None:
    game = position(on_map(f"5/1 2018 {states}", "5/2 2020", head='activated = ["5/1", "5/2"]'))
    assert DATA.show_points(allowance(game, uid("5/1"), False)) == points


def test_12_0_a_foot_unit_loses_two_points() -> None:
    game = active("27", "27 0520 disrupted")
    assert left(game) == "4"


def test_14_0_axis_units_do_not_cross_mines_and_roads_do_not_help() -> None:
    game = active("5/1", "5/1 0110")
    assert "0510" not in costs(game)
    assert refused(game, "move 5/1 0511").rule == "14.0"  # on the Trigh el Abd
    assert refused(game, "move 5/1 1014").rule == "14.0"  # behind the belt
    assert refused(game, "move 5/1 3001").rule == "8.0"  # too far in any case
    spent = active("5/1", "5/1 1216", "5/2 2018", head='activated = ["5/2"]\nspent = 23')
    assert refused(spent, "move 5/1 1315").rule == "14.0"


def test_14_0_allied_units_pay_twelve_more() -> None:
    game = active("5-RTR", "5-RTR 1214")
    found = costs(game)
    assert found["1313"] == "1"
    assert found["1314"] == "13"
    foot = active("5-GH", "5-GH 1214")
    assert "1314" not in costs(foot)


def test_14_0_a_breached_hexside_is_as_if_it_were_not_mined() -> None:
    tail = '[[breaches]]\nsides = [["1216", "1315"], ["1315", "1415"]]'
    axis = active("5/1", "5/1 1216", tail=tail)
    assert costs(axis)["1315"] == "1"
    assert costs(axis)["1415"] == "2"
    allied = active("5-RTR", "5-RTR 1216", tail=tail)
    assert costs(allied)["1315"] == "1"


def slow_reach(game: Game, name: str, points: int) -> dict[Space, int]:
    """Dijkstra by the rules one step at a time, to compare with the fast search."""
    kind = DATA.units[uid(name)]
    zone = zoc(game, enemy(kind.side))
    edges = game.terrain.edges(kind.side, kind.move_class)
    best = {game.units[uid(name)].at: 0}
    todo = [game.units[uid(name)].at]
    while todo:
        here = todo.pop()
        for there in DATA.board.neighbours[here]:
            step = edges.cost(here, there)
            in_zoc = zone >> here & 1
            if step is None or (in_zoc and zone >> there & 1):
                continue
            if game.occupied[enemy(kind.side)] >> there & 1:
                continue
            if kind.side == ALLIED and DATA.prohibited >> there & 1:
                continue
            total = best[here] + step + (DATA.leave_zoc if in_zoc else 0)
            if total <= points and total < best.get(there, points + 1):
                best[there] = total
                todo.append(there)
    return best


@pytest.mark.parametrize("name", ["5/1", "104/1", "5-RTR", "1-RB", "27"])
def test_8_0_the_fast_search_agrees_with_the_rules(name: str) -> None:
    lines = [
        f"{name} 1510",
        "8/1 1408",
        "10-Hus 1612 disrupted",
        "Bays 1708",
        "8/2 1812",
        "2-Leg 1314",
    ]
    lines = [line for line in lines if not line.startswith(f"{name} ") or line.endswith("1510")]
    game = active(name, *lines)
    step = game.stack[-1]
    assert isinstance(step, Move)
    points = step.left(game)
    assert dict(reach(game, uid(name), points).cost) == slow_reach(game, name, points)
