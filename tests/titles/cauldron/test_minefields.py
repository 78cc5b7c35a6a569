"""14.0-14.2 Minefields, breaches and lines of communication."""

from __future__ import annotations

import pytest

from sandtable.titles.cauldron.initiative import Initiative
from sandtable.titles.cauldron.minefields import (
    finish_breaches,
    line_units,
    lines_needed,
    lines_traced,
)
from sandtable.titles.cauldron.printed import ALLIED, AXIS, CLASSES
from sandtable.titles.cauldron.sequence import check_lines
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.terrain import Terrain
from sandtable.titles.cauldron.zoc import zoc

from .helpers import DATA, at, on_map, play, position, refused, texts, uid, unit
from .test_movement import costs


def phase(*lines: str, turn: str = "May 28", head: str = "", tail: str = "") -> Game:
    first = f'turn = "{turn}"\nphase = "minefields"\n{head}'
    return position(on_map(*lines, head=first, tail=tail), 3, 5)


def mined(game: Game, a: str, b: str) -> bool:
    here, there = DATA.board.at(a), DATA.board.at(b)
    found = (here, there) in game.terrain.mined
    assert ((there, here) in game.terrain.mined) is found
    return found


def begun(unit_name: str, a: str, b: str) -> str:
    return f'[[breaches]]\nsides = [["{a}", "{b}"]]\nunit = "{unit_name}"\n'


def done(*pairs: tuple[str, str]) -> str:
    sides = ", ".join(f'["{a}", "{b}"]' for a, b in pairs)
    return f"[[breaches]]\nsides = [{sides}]\n"


def test_14_0_later_fields_take_effect_in_their_phase() -> None:
    before = phase("65/1 1216", turn="June 3-4")
    assert not mined(before, "1102", "1103")
    june_5 = phase("65/1 1216", turn="June 5-6")
    assert mined(june_5, "1102", "1103")
    assert not mined(june_5, "0303", "0304")
    june_9 = phase("65/1 1216", turn="June 9-10")
    assert mined(june_9, "0303", "0304")
    assert mined(june_9, "0204", "0303")
    assert mined(june_9, "0801", "0901")


def test_14_0_before_that_they_have_no_effect() -> None:
    text = on_map("5/1 1103", head='turn = "June 3-4"\nactive = "5/1"')
    assert costs(position(text))["1102"] == "1"
    text = on_map("5/1 1103", head='turn = "June 5-6"\nactive = "5/1"')
    assert "1102" not in costs(position(text))


def test_14_0_a_unit_caught_in_a_new_field_needs_a_breach() -> None:
    text = on_map(
        "5/1 1102", "5/2 1622", head='turn = "June 5-6"\nactive = "5/1"\nactivated = ["5/2"]'
    )
    game = position(text)
    assert texts(game) == {"select 5/2", "end"}  # nowhere to go, so its move is over


def test_14_1_breaching_starts_on_may_28() -> None:
    assert isinstance(phase("65/1 1216", turn="May 27 PM").stack[-1], Initiative)
    assert texts(phase("65/1 1216"), "breach")


def test_14_1_only_infantry_at_a_mined_hexside() -> None:
    game = phase("65/1 0517", "5/1 1216", "39-AT 1216", "104/1 1215", "5-GH 1217")
    assert {text.split()[1] for text in texts(game, "breach")} == {"104/1"}
    assert refused(game, "breach 5/1 1315").rule == "14.1"
    assert refused(game, "breach 104/1 1214").rule == "14.1"
    assert refused(game, "breach 5-GH 1316").rule == "14.1"


def test_14_1_two_attempts_a_turn() -> None:
    game = phase("65/1 1215", "65/2 1216", "66/1 1217")
    play(game, "breach 65/1 1314", "breach 65/2 1315")
    assert isinstance(game.stack[-1], Initiative)
    assert len(game.markers) == 2


def test_14_1_the_phase_may_be_passed() -> None:
    game = phase("65/1 1215")
    play(game, "pass")
    assert game.markers == ()


def test_14_1_the_number_of_markers_is_limited() -> None:
    five = "".join(done(pair) for pair in find_lanes(5)[:5])
    game = phase("65/1 1215", "65/2 1216", tail=five)
    play(game, "breach 65/1 1314")
    assert len(game.markers) == 6
    assert isinstance(game.stack[-1], Initiative)  # none left to place


def test_14_1_no_second_marker_on_a_hexside() -> None:
    game = phase("65/1 1215", "65/2 1215")
    play(game, "breach 65/1 1314")
    assert "breach 65/2 1314" not in texts(game)
    assert refused(game, "breach 65/2 1314").rule == "14.1"


def test_14_1_a_unit_breaches_one_hexside_at_a_time() -> None:
    game = phase("65/1 1215", "65/2 0816")
    play(game, "breach 65/1 1314")
    assert not any(text.startswith("breach 65/1") for text in texts(game))
    assert "one hexside at a time" in refused(game, "breach 65/1 1315").text


def test_14_1_an_allied_unit_beyond_blocks_and_the_marker_comes_back() -> None:
    game = phase("65/1 1215", "2-Leg 1314", turn="May 29", tail=begun("65/1", "1215", "1314"))
    assert game.markers == ()
    assert mined(game, "1215", "1314")


def test_14_1_opposite_side_opens_unless_an_allied_unit_is_next_to_it() -> None:
    free = phase("65/1 1216", turn="May 29", tail=begun("65/1", "1216", "1315"))
    assert not mined(free, "1315", "1415")
    held = phase("65/1 1216", "2-Leg 1415", turn="May 29", tail=begun("65/1", "1216", "1315"))
    assert mined(held, "1315", "1415")
    assert not mined(held, "1216", "1315")
    for a, b in (("1315", "1416"), ("1315", "1314"), ("1315", "1316"), ("1215", "1315")):
        assert mined(free, a, b)


def test_14_1_a_unit_that_breaches_its_way_out_opens_the_side_behind_it_too() -> None:
    """R74 The minefield hex is its own where it leaves the mines."""
    free = phase("65/1 1316", turn="May 29", tail=begun("65/1", "1316", "1416"))
    assert not mined(free, "1316", "1416") and not mined(free, "1217", "1316")
    assert [len(marker.sides) for marker in free.markers] == [2]
    held = phase("65/1 1316", "2-Leg 1217", turn="May 29", tail=begun("65/1", "1316", "1416"))
    assert not mined(held, "1316", "1416") and mined(held, "1217", "1316")


def test_14_1_straight_on_into_another_mined_hex_opens_one_side_only() -> None:
    # From 0309 south-east... the next hex in line is mined itself.
    board = DATA.board
    found = None
    for here in board.each(DATA.prohibited):
        for way, box in enumerate(board.around[here]):
            if box >= 0 and DATA.boxes >> box & 1:
                beyond = board.around[box][way]
                if beyond >= 0 and DATA.boxes >> beyond & 1 and beyond in board.spaces:
                    found = (board.names[here], board.names[box], board.names[beyond], way)
    assert found is not None
    here_name, box_name, beyond_name, way = found
    assert beyond_name not in ("1102", "0801"), "these are mined later"
    game = phase(f"65/1 {here_name}", turn="May 29", tail=begun("65/1", here_name, box_name))
    further = board.names[board.around[board.at(beyond_name)][way]]
    assert (board.at(box_name), board.at(beyond_name)) not in game.terrain.mined
    assert mined(game, beyond_name, further)


def test_14_1_markers_on_opposite_sides_of_a_mined_hex_become_one() -> None:
    tail = done(("1216", "1315")) + begun("65/1", "1315", "1415")
    game = phase("65/1 1315", turn="May 29", tail=tail)
    assert len(game.markers) == 1
    assert len(game.markers[0].sides) == 2
    assert not mined(game, "1315", "1415")


def test_14_1_a_breach_outwards_does_not_open_the_next_field() -> None:
    game = phase(
        "65/1 1315", turn="May 29", tail=done(("1216", "1315")) + begun("65/1", "1315", "1314")
    )
    # 1314 is a mined hex itself: its opposite side opens as for any breach into it, no other.
    assert not mined(game, "1315", "1314")
    assert not mined(game, "1314", "1313")
    for number in ("1214", "1215", "1414", "1415"):
        assert mined(game, "1314", number)
    outward = phase("65/1 0813", turn="May 29", tail=begun("65/1", "0813", "0814"))
    assert not mined(outward, "0813", "0814")
    assert mined(outward, "0814", "0815")


def test_14_1_a_lost_unit_gives_its_marker_back() -> None:
    game = phase("65/1 1216", "65/2 1215", turn="May 28")
    play(game, "breach 65/1 1315")
    assert len(game.markers) == 1
    game.eliminate(uid("65/1"), "11.0")
    assert not game.markers


def test_14_1_a_breaching_unit_may_not_join_attacks() -> None:
    text = on_map(
        "65/1 1216",
        "5/1 1214",
        "2-Leg 1215",
        head='turn = "May 28"\nactive = "5/1"',
        tail=begun("65/1", "1216", "1315"),
    )
    game = position(text)
    play(game, "attack 5/1 light")
    assert "join 65/1" not in texts(game)
    assert refused(game, "join 65/1").rule == "14.1"


def test_14_1_a_breach_opens_the_way_for_all() -> None:
    game = phase("65/1 1216", turn="May 29", tail=begun("65/1", "1216", "1315"))
    (marker,) = game.markers
    assert marker.unit is None
    assert unit(game, "65/1").at == DATA.board.at("1216")
    # The position goes on with armor of either side on the lane.
    lane_open = done(("1216", "1315"), ("1315", "1415"))
    for name, start, end, cost in (("5/1", "1216", "1415", "2"), ("5-RTR", "1415", "1216", "2")):
        side = DATA.units[uid(name)].side
        head = f'turn = "May 29"\nside = "{side}"\nactive = "{name}"'
        mover = position(on_map(f"{name} {start}", head=head, tail=lane_open))
        assert mover.markers == game.markers
        assert costs(mover)[end] == cost
        play(mover, f"move {name} {end}")
        assert at(mover, name) == end


# 14.2

EIGHT = (
    "5/1 1510",
    "5/2 1510",
    "104/1 1511",
    "104/2 1511",
    "104/3 1512",
    "8/1 1512",
    "8/2 1610",
    "115/1 1610",
)
SIXTEEN = (
    *EIGHT,
    "115/2 1611",
    "115/3 1611",
    "155/1 1612",
    "155/2 1612",
    "361/1 1710",
    "361/2 1710",
    "288 1711",
    "33-Rec 1711",
)


def lane(here: str, box: str) -> tuple[tuple[str, str], ...]:
    board = DATA.board
    way = board.direction_between(board.at(here), board.at(box))
    beyond = board.around[board.at(box)][way]
    return ((here, box), (box, board.names[beyond]))


def find_lanes(count: int) -> list[tuple[str, str]]:
    """Ways straight through the front belt, one for each of some mined hexes."""
    board = DATA.board
    lanes = []
    for box in DATA.loc_hexes:
        for way, here in enumerate(board.around[box]):
            beyond = board.around[box][(way + 3) % 6]
            if here < 0 or beyond < 0 or DATA.fortified >> box & 1:
                continue
            inside = DATA.prohibited >> beyond & 1 or DATA.mine_hexes >> beyond & 1
            if DATA.prohibited >> here & 1 and not inside:
                lanes.append((board.names[here], board.names[box]))
                break
    assert len(lanes) >= count
    return lanes


def test_14_2_how_many_lines_are_needed() -> None:
    wanted = {"May 28": 0, "May 29": 1, "May 30-31": 1, "June 1-2": 2, "June 13-14": 2}
    for turn, number in wanted.items():
        game = position(on_map("5/1 1622", head=f'turn = "{turn}"\nphase = "initiative"'), 3, 5)
        assert lines_needed(game, game.turn) == number


def supply(*lines: str, turn: str, lanes: int) -> Game:
    tail = "".join(done(*lane(*each)) for each in find_lanes(lanes)[:lanes])
    text = on_map(*lines, head=f'turn = "{turn}"\nphase = "supply"', tail=tail)
    return position(text, 3, 5)


def test_14_2_one_line_to_eight_units_from_may_29() -> None:
    game = supply(*EIGHT, turn="May 29", lanes=1)
    assert game.players[AXIS].actions == 4
    assert lines_traced(game) is not None
    short = supply(*EIGHT[:-1], turn="May 29", lanes=1)
    assert short.players[AXIS].actions == 3
    none = supply(*EIGHT, turn="May 29", lanes=0)
    assert none.players[AXIS].actions == 3


def test_14_2_an_action_that_is_lost_is_not_counted() -> None:
    text = on_map(*EIGHT, head='turn = "May 29"\nphase = "supply"')
    game = position(text, 3, 5, 1, 1, 1, 1)
    play(game, "first axis")
    view = game.view(None)
    assert view.phase.startswith("Axis action 1 of 3")
    track = next(each for each in view.tracks if each.id == "axis-actions")
    assert (track.number, track.maximum) == (2, 3)


def test_14_2_two_lines_to_sixteen_different_units_from_june_1() -> None:
    assert supply(*SIXTEEN, turn="June 1-2", lanes=2).players[AXIS].actions == 4
    assert supply(*SIXTEEN[:-1], turn="June 1-2", lanes=2).players[AXIS].actions == 3
    assert supply(*SIXTEEN, turn="June 1-2", lanes=1).players[AXIS].actions == 3
    assert supply(*SIXTEEN, turn="June 1-2", lanes=0).players[AXIS].actions == 3  # one, never two


def test_14_2_a_line_does_not_go_round_the_south() -> None:
    game = supply(*EIGHT, turn="May 29", lanes=0)
    assert all(not line_units(game, box) for box in DATA.loc_hexes)


def test_14_2_enemy_units_block_a_line_zoc_does_not() -> None:
    here, box = find_lanes(1)[0]
    beyond = lane(here, box)[1][1]
    blocked = supply(*EIGHT, f"10-Hus {beyond}", turn="May 29", lanes=1)
    assert blocked.players[AXIS].actions == 3
    on_box = supply(*EIGHT, f"10-Hus {box}", turn="May 29", lanes=1)
    assert on_box.players[AXIS].actions == 3
    # Beside the lane: its hexes are in ZOC, and the line runs all the same.
    board = DATA.board
    near = next(
        space
        for space in board.neighbours[board.at(beyond)]
        if not (DATA.prohibited | DATA.mine_hexes) >> space & 1
    )
    beside = supply(*EIGHT, f"10-Hus {board.names[near]}", turn="May 29", lanes=1)
    assert zoc(beside, ALLIED) >> board.at(beyond) & 1
    assert beside.players[AXIS].actions == 4


def test_14_2_units_west_of_the_belt_do_not_count() -> None:
    west = [f"{line.split()[0]} 0{3 + at}18" for at, line in enumerate(EIGHT[:4])]
    game = supply(*west, *EIGHT[4:], turn="May 29", lanes=1)
    assert game.players[AXIS].actions == 3


def test_14_2_never_below_zero() -> None:
    text = on_map(
        "5/1 1622", head='turn = "May 29"\nphase = "initiative"', tail="[axis]\nactions = 0"
    )
    game = position(text, 3, 5)
    check_lines(game)
    assert game.players[AXIS].actions == 0
    assert at(game, "5/1") == "1622"


def test_14_1_patched_ground_equals_ground_baked_anew() -> None:
    """14.1 A breach changes costs and supply exactly as if the mines had never been there."""
    here, there = DATA.board.side("1216", "1315")
    quick = DATA.terrain(1, ((here, there),))
    slow = Terrain(DATA, DATA.terrain(1, ()).mined - {(here, there), (there, here)})
    assert quick.mined == slow.mined
    assert quick.exits == slow.exits
    for side in ("axis", "allied"):
        for name in CLASSES:
            one, other = quick.edges(side, name), slow.edges(side, name)
            assert one.step == other.step
            assert [set(row) for row in one.out] == [set(row) for row in other.out]


def test_14_1_a_hexside_opened_from_both_sides_takes_one_marker() -> None:
    tail = begun("65/1", "1216", "1315") + begun("65/2", "1415", "1315")
    game = phase("65/1 1216", "65/2 1415", turn="May 29", tail=tail)
    assert len(game.markers) == 1
    assert not mined(game, "1216", "1315")
    assert not mined(game, "1415", "1315")


MEETING = (("66/1", "0307", "0306"), ("66/2", "0306", "0305"))


@pytest.mark.parametrize("order", [1, -1])
def test_14_1_two_breaches_that_meet_open_both_ways_in_any_order(order: int) -> None:
    """14.1 The first opens 0306-0305 too, which the second one breaches and goes on (R69)."""
    tail = "".join(begun(*each) for each in MEETING[::order])
    game = phase("66/1 0307", "66/2 0306", turn="May 29", tail=tail)
    for a, b in (("0307", "0306"), ("0306", "0305"), ("0305", "0304")):
        assert not mined(game, a, b)
    assert len(game.markers) == 2


@pytest.mark.parametrize("order", [1, -1])
def test_14_1_a_breach_that_another_one_opens_frees_its_marker(order: int) -> None:
    tail = "".join(begun(*each) for each in MEETING[::order])
    game = phase("66/1 0307", "66/2 0306", "10-Hus 0304", turn="May 29", tail=tail)
    assert not mined(game, "0306", "0305")
    assert mined(game, "0305", "0304")
    assert len(game.markers) == 1


def test_14_1_two_breaches_that_meet_from_one_turn_to_the_next() -> None:
    game = phase("66/1 0307", "66/2 0306")
    play(game, "breach 66/1 0306", "breach 66/2 0305")
    finish_breaches(game)
    assert not mined(game, "0305", "0304")
