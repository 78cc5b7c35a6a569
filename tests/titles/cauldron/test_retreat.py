"""11.1 Retreats and their five priorities."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandtable.kernel.actions import UnitId
from sandtable.titles.cauldron.printed import ALLIED
from sandtable.titles.cauldron.retreat import (
    Retreat,
    Retreats,
    Way,
    may_enter,
    ways,
    ways_off,
)
from sandtable.titles.cauldron.state import Game

from .helpers import DATA, at, on_map, play, position, refused, texts, uid, unit


def retreating(*lines: str, units: str, head: str = "", tail: str = "") -> Game:
    """A game in which some units must retreat now."""
    game = position(on_map(*lines, "8/2 0118", head=f'activated = ["8/2"]\n{head}', tail=tail))
    game.push(Retreats(tuple(uid(name) for name in units.split())))
    game.events = []
    game.settle()
    return game


def ends(game: Game, *names: str) -> set[str]:
    """The hexes two away that the priorities leave."""
    units: tuple[UnitId, ...] = tuple(map(uid, names))
    origin = game.units[units[0]].at
    return {game.hex(way[-1]) for way in ways(game, units, origin)}


def test_11_1_a_retreat_ends_two_hexes_away() -> None:
    game = retreating("10-Hus 2010", units="10-Hus")
    assert isinstance(game.stack[-1], Retreat)
    while isinstance(game.stack[-1], Retreat):
        play(game, min(texts(game, "retreat-to")))
    here = DATA.board.at(at(game, "10-Hus"))
    assert DATA.board.distance(here, DATA.board.at("2010")) == 2


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("10-Hus", {"1908", "2008", "2108", "2209", "2210", "2211", "1809", "1810"}),
        ("5/1", {"1811", "1911", "2012", "2111", "2211", "2210"}),
    ],
)
def test_11_1_3_directions_home(name: str, good: set[str]) -> None:
    """11.1.3 Allied N, NW, NE, SE; Axis S, SW, SE: both steps in these directions."""
    game = retreating(f"{name} 2010", units=name)
    board = DATA.board
    steps = {"10-Hus": ("N", "NW", "NE", "SE"), "5/1": ("S", "SW", "SE")}[name]
    expected = set()
    start = board.at("2010")
    for one in steps:
        for two in steps:
            end = board.around[board.around[start][board.direction(one)]][board.direction(two)]
            if board.distance(start, end) == 2:
                expected.add(board.names[end])
    assert ends(game, name) == expected
    assert expected & good


def test_11_1_3_the_wrong_way_is_refused_while_a_right_one_is_open() -> None:
    game = retreating("10-Hus 2010", units="10-Hus")
    assert refused(game, "retreat-to 2011").rule == "11.1.3"
    assert refused(game, "retreat-to 1910").rule == "11.1.3"


def test_11_1_3_the_wrong_way_without_penalty_if_nothing_else_is_open() -> None:
    # Enemies north hold all hexes with their ZOC; south is open.
    game = retreating(
        "10-Hus 2010", "5/1 2009", "5/2 1909", "104/1 2109", "104/2 2208", units="10-Hus"
    )
    while isinstance(game.stack[-1], Retreat):
        play(game, min(texts(game)))
    now = unit(game, "10-Hus")
    assert DATA.board.row[now.at] > 10
    assert not now.disrupted


def test_11_1_1_no_retreat_into_enemies_or_over_escarpments() -> None:
    game = retreating("10-Hus 1903", "Bays 2010", "5/1 2009 disrupted", units="Bays")
    board = DATA.board
    assert not may_enter(game, uid("10-Hus"), board.at("1702"), board.at("1701"))
    assert may_enter(game, uid("10-Hus"), board.at("1902"), board.at("1901"))  # by the track
    assert refused(game, "retreat-to 2009").rule == "11.1.1"


def test_11_1_1_axis_units_do_not_retreat_over_mines() -> None:
    game = retreating("104/1 1216", units="104/1")
    assert refused(game, "retreat-to 1315").rule == "11.1.1"
    assert refused(game, "retreat-to 1316").rule == "11.1.1"


def test_11_1_1_allied_units_do_not_retreat_into_the_prohibited_zone() -> None:
    game = retreating("10-Hus 1220", units="10-Hus")
    assert refused(game, "retreat-to 1120").rule == "11.1.1"


def test_11_1_1_a_unit_with_no_way_out_is_eliminated() -> None:
    ring = ("5/1 2009", "5/2 2011", "104/1 1909", "104/2 1910", "8/1 2109", "115/1 2110")
    game = retreating("10-Hus 2010", *ring, units="10-Hus")
    assert at(game, "10-Hus") == "eliminated"


def test_11_1_2_enemy_zoc_is_avoided_if_possible() -> None:
    game = retreating("10-Hus 2010", "5/1 2007", units="10-Hus")
    assert "2008" not in ends(game, "10-Hus")
    assert "2008" in ends(retreating("10-Hus 2010", units="10-Hus"), "10-Hus")
    play(game, "retreat-to 2009")
    assert refused(game, "retreat-to 2008").rule == "11.1.2"


RING_OF_ZOC = ("5/1 2007", "5/2 1808", "104/1 2208", "104/2 1811", "8/1 2211", "115/1 2012")


def test_11_1_2_a_zoc_disrupts_then_costs_a_step() -> None:
    game = retreating("10-Hus 2010", *RING_OF_ZOC, units="10-Hus")
    while isinstance(game.stack[-1], Retreat):
        game.play(game.actions()[0])
    now = unit(game, "10-Hus")
    assert now.disrupted
    again = retreating("10-Hus 2010 disrupted", *RING_OF_ZOC, units="10-Hus")
    while isinstance(again.stack[-1], Retreat):
        again.play(again.actions()[0])
    assert unit(again, "10-Hus").steps == 1


def test_11_1_2_each_zoc_hex_counts() -> None:
    # Both hexes of every way are in ZOC: first disrupted, then a step lost.
    close = ("5/1 2008", "5/2 1809", "104/1 2209", "104/2 1811", "8/1 2211", "115/1 2012")
    game = retreating("10-Hus 2010", *close, units="10-Hus")
    while isinstance(game.stack[-1], Retreat):
        game.play(game.actions()[0])
    now = unit(game, "10-Hus")
    assert now.disrupted
    assert now.steps == 1


def test_11_1_2_friendly_units_negate_zoc() -> None:
    open_way = ("Bays 2009", "9-Lan 2008")
    game = retreating("10-Hus 2010", *RING_OF_ZOC, *open_way, units="10-Hus")
    # The only way without a ZOC is through friends, and is taken at once.
    assert at(game, "10-Hus") == "2008"
    assert not unit(game, "10-Hus").disrupted


def test_11_1_2_a_stack_of_two_disrupted_units_loses_one_step() -> None:
    game = retreating(
        "10-Hus 2010 disrupted", "Bays 2010 disrupted", *RING_OF_ZOC, units="10-Hus Bays"
    )
    assert "retreat 10-Hus,Bays" in texts(game)
    play(game, "retreat 10-Hus,Bays")
    while isinstance(game.stack[-1], Retreat):
        game.play(game.actions()[0])
    assert game.actor == ALLIED
    assert texts(game) == {"lose 10-Hus", "lose Bays"}
    assert (game.rule, "ZOC" in game.prompt) == ("11.1.2", True)
    play(game, "lose Bays")
    assert unit(game, "10-Hus").steps + unit(game, "Bays").steps == 3


def test_11_1_2_apart_they_lose_one_each() -> None:
    game = retreating(
        "10-Hus 2010 disrupted", "Bays 2010 disrupted", *RING_OF_ZOC, units="10-Hus Bays"
    )
    play(game, "retreat 10-Hus")
    while isinstance(game.stack[-1], Retreat):
        game.play(game.actions()[0])
    assert unit(game, "10-Hus").steps == 1


def test_11_1_2_in_a_mixed_stack_one_is_disrupted_and_one_loses_a_step() -> None:
    game = retreating("10-Hus 2010", "Bays 2010 disrupted", *RING_OF_ZOC, units="10-Hus Bays")
    play(game, "retreat 10-Hus,Bays")
    while isinstance(game.stack[-1], Retreat):
        game.play(game.actions()[0])
    assert unit(game, "10-Hus").disrupted
    assert unit(game, "10-Hus").steps == 2
    assert unit(game, "Bays").steps == 1


def test_11_1_4_room_is_sought_among_the_ways_that_are_left() -> None:
    full = ("Bays 2008", "9-Lan 2008")
    game = retreating("10-Hus 2010", *full, units="10-Hus")
    assert "2008" not in ends(game, "10-Hus")
    assert ends(game, "10-Hus")


def crowded() -> Game:
    # Only the way through 2009 to 2008 is free of ZOC, and 2008 is full.
    lines = ("Bays 2009", "9-Lan 2008", "3-RTR 2008", "5-RTR 2007")
    return retreating("10-Hus 2010", *RING_OF_ZOC[1:], "5/1 2106", *lines, units="10-Hus")


def test_11_1_4_without_room_the_retreat_may_go_on() -> None:
    game = crowded()
    step = game.stack[-1]
    assert isinstance(step, Retreat)
    assert step.gone == 2
    assert at(game, "10-Hus") == "2008"
    assert "pass" in texts(game)
    assert texts(game, "retreat-to") == {"retreat-to 2007"}
    assert refused(game, "retreat-to 1907").rule == "11.1.2"
    assert refused(game, "retreat-to 2009").rule == "11.1"
    play(game, "retreat-to 2007")
    assert at(game, "10-Hus") == "2007"
    assert not isinstance(game.stack[-1], Retreat)


def test_11_1_4_or_stop_over_stacked() -> None:
    game = crowded()
    play(game, "pass")
    assert at(game, "10-Hus") == "2008"


@pytest.mark.parametrize("start", ["2001", "3010", "2022"])
def test_11_1_5_off_any_edge_is_always_open(start: str) -> None:
    game = retreating(f"10-Hus {start}", units="10-Hus", head='turn = "May 28"')
    assert "retreat-off" in texts(game)
    play(game, "retreat-off")
    gone = unit(game, "10-Hus")
    assert (gone.at, gone.due) == (-1, 5)


def test_11_1_5_axis_off_the_west_edge() -> None:
    game = retreating("104/1 0110 disrupted oos", units="104/1")
    play(game, "retreat-off")
    gone = unit(game, "104/1")
    assert (gone.disrupted, gone.supply) == (False, 0)


def test_11_1_5_off_the_map_by_the_second_hex() -> None:
    game = retreating("10-Hus 2002", units="10-Hus")
    first = [text for text in texts(game, "retreat-to") if text.endswith("01")]
    assert first
    play(game, first[0])
    assert "retreat-off" in texts(game) or at(game, "10-Hus") == "off"
    assert refused(retreating("10-Hus 2010", units="10-Hus"), "retreat-off").rule == "11.1.5"


def first_hexes(game: Game, name: str, found: Callable[..., list[Way]]) -> set[str]:
    """The first hexes of the ways a unit has."""
    return {game.hex(way[0]) for way in found(game, (uid(name),), unit(game, name).at) if way}


def test_11_1_2_a_zoc_is_not_entered_to_leave_the_map_while_it_can_be_avoided() -> None:
    """11.1.2, 11.1.5 Leaving is the last priority (R59)."""
    text = on_map("10-Hus 2912", "5/1 3011", "5/2 3013", "8/2 0118", head='activated = ["8/2"]')
    game = position(text)
    assert first_hexes(game, "10-Hus", ways) == {"2812"}
    assert first_hexes(game, "10-Hus", ways_off) == set()
    # Where every way on the map is as bad, the way off is open again.
    shut = position(text.replace("[units]", '[units]\n"104/1" = { at = "2812" }'))
    assert first_hexes(shut, "10-Hus", ways_off) == {"3012"}


def test_11_1_3_nor_is_the_edge_sought_in_the_wrong_direction() -> None:
    """11.1.3, 11.1.5 The Axis does not go north to leave while south is open (R59)."""
    game = position(on_map("104/1 2002", "8/2 0118", head='activated = ["8/2"]'))
    assert first_hexes(game, "104/1", ways_off) == set()
    south = position(on_map("104/1 2021", "8/2 0118", head='activated = ["8/2"]'))
    assert first_hexes(south, "104/1", ways_off) == {"1921", "2022", "2121"}


def test_11_1_5_a_hex_open_only_to_leave_the_map_leads_off_it() -> None:
    # 2001 is free of ZOC, every hex two away is not: the way on the map is worse.
    foes = ("5/1 1802", "5/2 2202", "104/1 1804", "104/2 2204", "8/1 2005")
    game = retreating("10-Hus 2002", *foes, units="10-Hus")
    only_off = first_hexes(game, "10-Hus", ways_off) - first_hexes(game, "10-Hus", ways)
    assert only_off
    play(game, f"retreat-to {min(only_off)}")
    assert at(game, "10-Hus") == "off"  # nothing else to choose


def test_11_1_4_an_over_stacked_retreat_on_the_edge_may_leave_the_map() -> None:
    """11.1.4, 11.1.5 It may go on, off the map too (R60); not 69 Brigade's bracketed units."""
    for name, start, origin in (("10-Hus", "2001", "2003"), ("5-EY", "0301", "0303")):
        lines = (f"{name} {start}", f"Bays {start}", f"9-Lan {start}", "8/2 0118")
        game = position(on_map(*lines, head='activated = ["8/2"]'))
        game.push(Retreat((uid(name),), DATA.board.at(origin), gone=2))
        game.settle()
        assert ("retreat-off" in texts(game)) is (name == "10-Hus")
    assert refused(game, "retreat-off").rule == "8.2"


def test_11_1_stacked_units_do_not_go_together_to_their_death() -> None:
    """11.1 7 GH has a way, 5 EY has none: together they would both be lost (R58)."""
    ring = ("104/1 0601", "104/2 0602", "5/1 0701")
    game = retreating("5-EY 0801", "7-GH 0801", *ring, units="5-EY 7-GH")
    assert texts(game) == {"retreat 5-EY", "retreat 7-GH"}
    assert refused(game, "retreat 5-EY,7-GH").rule == "11.1"
    play(game, "retreat 7-GH")
    assert "retreat-off" in texts(game)
    while isinstance(game.stack[-1], Retreat):
        play(game, min(texts(game, "retreat-to")))
    assert at(game, "5-EY") == "eliminated"
    assert unit(game, "7-GH").at >= 0


def test_8_2_bracketed_units_never_retreat_out_of_their_area() -> None:
    game = retreating("5-EY 0301", units="5-EY")
    assert refused(game, "retreat-off").rule == "8.2"
    area = set(DATA.board.text(DATA.brigade_69))
    assert ends(game, "5-EY") <= area


def test_14_1_a_breaching_unit_does_not_retreat() -> None:
    tail = '[[breaches]]\nsides = [["1216", "1315"]]\nunit = "65/1"'
    game = retreating("65/1 1216", units="65/1", tail=tail, head='turn = "May 28"')
    assert at(game, "65/1") == "1216"
    assert not isinstance(game.stack[-1], Retreat)


def test_11_1_the_owner_chooses_the_order() -> None:
    game = retreating("10-Hus 2010", "Bays 2012", "9-Lan 2012", units="10-Hus Bays 9-Lan")
    assert texts(game) == {"retreat 10-Hus", "retreat Bays", "retreat 9-Lan", "retreat Bays,9-Lan"}
    assert refused(game, "retreat 10-Hus,Bays").rule == "11.1"


def test_11_1_two_hexes_away_not_round_the_corner() -> None:
    game = retreating("10-Hus 2010", units="10-Hus")
    play(game, "retreat-to 2009")
    for text in texts(game, "retreat-to"):
        there = DATA.board.at(text.split()[-1])
        assert DATA.board.distance(there, DATA.board.at("2010")) == 2
    refusal = refused(game, "retreat-to 2109")
    assert (refusal.rule, "farther" in refusal.text) == ("11.1", True)
