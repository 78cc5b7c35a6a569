from collections import defaultdict
from collections.abc import Callable
from math import dist, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.boards import (
    OFF,
    BoardError,
    Hex,
    HexBoard,
    Numbering,
    bits,
    column_row,
    mask_of,
    opposite,
    printed,
    rectangle,
)

from .reference import offset_neighbours, walk
from .strategies import NUMBERINGS, hex_boards, one_way_sides, some

COLUMNS_ODD_LOWER = HexBoard(rectangle(range(0, 55), range(0, 30)), "flat", "odd")
LETTERED_ROWS = HexBoard(
    [
        f"{letter}{number}"
        for row, letter in enumerate("ABCDEFGHIJKLMN")
        for number in range(1, 19 - row % 2)
    ],
    "pointy",
    "even",
    "row-letter",
)


def around(board: HexBoard, name: str) -> dict[str, str]:
    six = zip(board.directions, board.around[board.at(name)], strict=True)
    return {direction: board.names[there] for direction, there in six if there != OFF}


def test_flat_topped_columns_with_odd_ones_lower() -> None:
    assert around(COLUMNS_ODD_LOWER, "2521") == {
        "N": "2520",
        "NE": "2621",
        "SE": "2622",
        "S": "2522",
        "SW": "2422",
        "NW": "2421",
    }
    assert around(COLUMNS_ODD_LOWER, "0000") == {"SE": "0100", "S": "0001"}


def test_pointy_topped_lettered_rows_of_18_and_17() -> None:
    assert len(LETTERED_ROWS) == 245
    assert around(LETTERED_ROWS, "C13") == {
        "NE": "B13",
        "E": "C14",
        "SE": "D13",
        "SW": "D12",
        "W": "C12",
        "NW": "B12",
    }
    assert around(LETTERED_ROWS, "H4") == {
        "NE": "G5",
        "E": "H5",
        "SE": "I5",
        "SW": "I4",
        "W": "H3",
        "NW": "G4",
    }
    assert around(LETTERED_ROWS, "G18") == {"SW": "H17", "W": "G17", "NW": "F17"}


@given(
    st.integers(1, 26),
    st.integers(1, 26),
    st.sampled_from(NUMBERINGS),
)
def test_printed_numbers_round_trip(column: int, row: int, numbering: Numbering) -> None:
    assert column_row(printed(column, row, numbering), numbering) == (column, row)


@given(hex_boards())
def test_names_and_hexes_round_trip(board: HexBoard) -> None:
    assert len(set(board.spaces)) == len(board) == board.all.bit_count()
    for hex in board.spaces:
        assert board.at(board.names[hex]) == hex
        assert printed(board.column[hex], board.row[hex], board.numbering) == board.names[hex]


@given(hex_boards(), st.data())
def test_neighbours_are_those_of_offset_coordinates(board: HexBoard, data: st.DataObject) -> None:
    found = {(board.column[hex], board.row[hex]): hex for hex in board.spaces}
    hex = data.draw(st.sampled_from(board.spaces))
    spots = offset_neighbours((board.column[hex], board.row[hex]), board.shape, board.stagger)
    assert board.around[hex] == tuple(found.get(spot, OFF) for spot in spots)


@given(hex_boards())
def test_directions_lead_back_and_sides_are_shared(board: HexBoard) -> None:
    for hex in board.spaces:
        for there in board.neighbours[hex]:
            direction = board.direction_between(hex, there)
            assert board.around[there][opposite(direction)] == hex
            assert isclose(dist(board.centre(hex), board.centre(there)), sqrt(3))
            a, b = board.hexside(hex, direction)
            c, d = board.hexside(there, opposite(direction))
            assert dist(a, d) < 1e-9 and dist(b, c) < 1e-9


@pytest.mark.parametrize(
    ("direction", "x", "y"),
    [("N", 0, -1), ("NE", 1, -1), ("SE", 1, 1), ("S", 0, 1), ("SW", -1, 1), ("NW", -1, -1)],
)
def test_compass_names_point_that_way_on_flat_tops(direction: str, x: int, y: int) -> None:
    board = COLUMNS_ODD_LOWER
    here = board.at("2010")
    there = board.around[here][board.direction(direction)]
    (ax, ay), (bx, by) = board.centre(here), board.centre(there)
    assert (sign(bx - ax), sign(by - ay)) == (x, y)


@pytest.mark.parametrize(
    ("direction", "x", "y"),
    [("NE", 1, -1), ("E", 1, 0), ("SE", 1, 1), ("SW", -1, 1), ("W", -1, 0), ("NW", -1, -1)],
)
def test_compass_names_point_that_way_on_pointy_tops(direction: str, x: int, y: int) -> None:
    board = LETTERED_ROWS
    here = board.at("F8")
    there = board.around[here][board.direction(direction)]
    (ax, ay), (bx, by) = board.centre(here), board.centre(there)
    assert (sign(bx - ax), sign(by - ay)) == (x, y)


def sign(value: float) -> int:
    return 0 if abs(value) < 1e-9 else 1 if value > 0 else -1


@given(hex_boards(holes=False), st.data())
def test_distance_is_symmetric_and_equals_steps_on_an_open_board(
    board: HexBoard, data: st.DataObject
) -> None:
    here = data.draw(st.sampled_from(board.spaces))
    steps = walk([here], set(board.spaces), dict(enumerate(board.neighbours)), 99)
    for there in board.spaces:
        assert board.distance(here, there) == board.distance(there, here) == steps[there]
        ball = board.within(1 << here, steps[there])
        assert ball >> there & 1
        assert set(bits(ball)) == {hex for hex in steps if steps[hex] <= steps[there]}


def test_a_ray_runs_straight_to_the_edge() -> None:
    board = COLUMNS_ODD_LOWER
    ray = board.ray(board.at("5002"), board.direction("NE"))
    assert [board.names[hex] for hex in ray] == ["5101", "5201", "5300", "5400"]
    assert [board.distance(board.at("5002"), hex) for hex in ray] == [1, 2, 3, 4]


def test_the_rim_is_the_hexes_with_fewer_than_six_neighbours() -> None:
    board = HexBoard(rectangle(range(1, 5), range(1, 5)))
    assert set(board.text(board.all & ~board.rim)) == {"0202", "0203", "0302", "0303"}


@given(hex_boards(), st.data())
def test_floods_and_layers_are_a_walk_with_barriers(board: HexBoard, data: st.DataObject) -> None:
    start = data.draw(some(board.spaces))
    free = data.draw(some(board.spaces))
    barred = data.draw(one_way_sides(board))
    closed = data.draw(one_way_sides(board))
    limit = data.draw(st.sampled_from([0, 1, 2, 99]))
    exits = board.exits(barred, closed)
    shut = {*barred, *((b, a) for a, b in barred), *closed}
    ways: dict[int, list[Hex]] = {
        here: [there for there in board.neighbours[here] if (here, there) not in shut]
        for here in board.spaces
    }
    steps = walk(bits(start), set(bits(free)), ways, limit)
    assert set(bits(board.flood(start, free, exits, limit))) == set(steps)
    by_steps = defaultdict(set)
    for hex, count in steps.items():
        by_steps[count].add(hex)
    layers = board.layers(start, free, exits, limit)
    assert [set(bits(layer)) for layer in layers] == [by_steps[n] for n in range(len(layers))]
    assert sum(map(len, by_steps.values())) == sum(layer.bit_count() for layer in layers)
    if limit == 99:
        assert board.distances(start, free, exits) == [
            steps.get(hex, -1) for hex in range(board.size)
        ]


@given(hex_boards(), st.data())
def test_spread_is_the_union_of_neighbours(board: HexBoard, data: st.DataObject) -> None:
    mask = data.draw(some(board.spaces))
    union = {there for here in bits(mask) for there in board.neighbours[here]}
    assert set(bits(board.spread(mask))) == set(bits(board.spread(mask, board.open))) == union


@given(hex_boards(), st.data())
def test_nearest_are_those_with_the_shortest_way(board: HexBoard, data: st.DataObject) -> None:
    among, to, free = (data.draw(some(board.spaces)) for _ in range(3))
    closed = data.draw(one_way_sides(board))
    exits = board.exits(one_way=closed)
    ways: dict[int, list[Hex]] = {
        here: [there for there in board.neighbours[here] if (here, there) not in closed]
        for here in board.spaces
    }
    lengths = {}
    for here in bits(among):
        steps = walk([here], set(bits(free)), ways, 99)
        ends = [
            0 if there == here else min(steps[near] for near in entries) + 1
            for there in bits(to)
            if (entries := [n for n in board.spaces if there in ways[n] and n in steps])
            or there == here
        ]
        if ends:
            lengths[here] = min(ends)
        assert board.steps_between(Hex(here), to, free, exits) == lengths.get(here)
    best = [here for here in lengths if lengths[here] == min(lengths.values())]
    assert bits(board.nearest(among, to, free, exits)) == best


@given(hex_boards(holes=False), st.data())
def test_nearer_and_farther_neighbours_follow_the_distance(
    board: HexBoard, data: st.DataObject
) -> None:
    here = data.draw(st.sampled_from(board.spaces))
    mask = data.draw(some(board.spaces, least=1))

    def away(hex: Hex) -> int:
        return min(board.distance(hex, Hex(other)) for other in bits(mask))

    around = board.neighbours[here]
    assert board.farther(here, mask) == mask_of(h for h in around if away(h) > away(here))
    assert board.nearer(here, mask) == mask_of(h for h in around if away(h) < away(here))
    assert board.farther(here, 0) == board.nearer(here, 0) == 0


def test_bad_maps_are_refused_in_one_line() -> None:
    board = HexBoard(rectangle(range(1, 4), range(1, 4)))
    a, b = board.at("0101"), board.at("0303")
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: board.at("9999"), "no hex '9999' on this map: it has 9, 0101 to 0303"),
        (lambda: board.mask(["0101", "1"]), "no hex '1'"),
        (lambda: board.side("0101", "0103"), "hex 0101 does not touch 0103"),
        (lambda: board.side("0101", "0101"), "does not touch"),
        (lambda: board.sides([("0101", "0102"), ("0102", "0101")]), "0102-0101 is listed twice"),
        (lambda: board.sides([["0101"]]), "a side needs two names"),
        (lambda: board.run(["0101", "0102", "0302"]), "hex 0102 does not touch 0302"),
        (lambda: board.direction_between(a, b), "hex 0101 does not touch 0303"),
        (lambda: board.exits([(a, b)]), "hex 0101 does not touch 0303"),
        (lambda: board.direction("E"), "use one of N, NE, SE, S, SW, NW"),
        (lambda: board.edges([[1] * 6]), "cost table has 1 rows"),
        (lambda: board.edges(lambda *_: -2), "costs -2"),
        (lambda: HexBoard(["0101", "0101"]), "hex 0101 is listed twice"),
        (lambda: HexBoard(["A1"]), "hex 'A1' is not numbered ccrr"),
        (lambda: HexBoard(["a1"], numbering="row-letter"), "is not numbered row-letter"),
        (lambda: HexBoard([]), "at least one hex"),
    ]
    for call, words in calls:
        with pytest.raises(BoardError) as refused:
            call()
        assert words in str(refused.value)
        assert "\n" not in str(refused.value)
