from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.boards import (
    WHOLE_MOVE,
    BoardError,
    Edges,
    Hex,
    HexBoard,
    bits,
    has,
    rectangle,
)

from .reference import cheapest
from .strategies import hex_boards, some

BOARD = HexBoard(rectangle(range(1, 8), range(1, 8)))
DESERT = BOARD.edges(lambda here, direction, there: 2)


def costs(names: str, **hooks: int) -> dict[str, int]:
    """Reach over open desert from 0404, looked at in some hexes."""
    march = BOARD.reach(DESERT, BOARD.at("0404"), 6, **hooks)  # type: ignore[arg-type]
    return {name: march.cost[BOARD.at(name)] for name in names.split() if BOARD.at(name) in march}


@st.composite
def edges_of(draw: st.DrawFn, board: HexBoard) -> Edges[Hex]:
    """Costs from 1 to 5, barred steps and steps that take the whole move."""
    prices = st.sampled_from([0, 1, 1, 1, 2, 3, 5, None, WHOLE_MOVE])
    pool = draw(st.lists(prices, min_size=7, max_size=60))
    return board.edges(lambda here, direction, there: pool[(here * 7 + direction) % len(pool)])


@settings(max_examples=300)
@given(hex_boards(), st.data())
def test_reach_is_dijkstra_under_the_same_rules(board: HexBoard, data: st.DataObject) -> None:
    edges, slow_edges = data.draw(edges_of(board)), data.draw(edges_of(board))
    start = data.draw(st.sampled_from(board.spaces))
    limit = data.draw(st.integers(0, 12))
    sets = st.one_of(st.just(0), some(board.spaces))
    barred, stop, no_leave, no_enter, dear_leave, dear_enter, slow_leave, slow_enter = (
        data.draw(sets) for _ in range(8)
    )
    leave_points, enter_points = data.draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    whole = data.draw(st.sampled_from([1, 1, 2, 3]))

    def price(spent: int, here: int, there: int) -> int | None:
        step = edges.cost(Hex(here), Hex(there))
        if step is not None and (has(slow_leave, here) or has(slow_enter, there)):
            step = slow_edges.cost(Hex(here), Hex(there))
        if step is None or has(barred, there) or (has(no_leave, here) and has(no_enter, there)):
            return None
        if step == WHOLE_MOVE:
            return limit if here == start and limit else None
        while step >= whole and spent % whole:
            spent += 1
        spent += leave_points if has(dear_leave, here) else 0
        spent += enter_points if has(dear_enter, there) else 0
        return spent + step

    march = board.reach(
        edges,
        start,
        limit,
        barred=barred,
        stop=stop,
        no_step=(no_leave, no_enter),
        leave_extra=(dear_leave, leave_points),
        enter_extra=(dear_enter, enter_points),
        slow=(slow_edges, slow_leave, slow_enter),
        whole=whole,
    )
    ways = dict(enumerate(board.neighbours))
    assert march.cost == cheapest(start, limit, ways, price, set(bits(stop)))
    assert list(march.cost.values()) == sorted(march.cost.values())
    assert bits(march.mask) == sorted(march)
    for to in march:
        way = march.path(to)
        assert way[0] == start and way[-1] == to
        for here, there in pairwise(way):
            assert price(march.cost[here], here, there) == march.cost[there]
            assert here == start or not has(stop, here)


@given(hex_boards(), st.data())
def test_plain_reach_is_dijkstra(board: HexBoard, data: st.DataObject) -> None:
    table = data.draw(
        st.lists(
            st.lists(st.integers(0, 4), min_size=6, max_size=6),
            min_size=board.size,
            max_size=board.size,
        )
    )
    start = data.draw(st.sampled_from(board.spaces))

    def price(spent: int, here: int, there: int) -> int | None:
        step = table[here][board.direction_between(Hex(here), Hex(there))]
        return spent + step if step else None

    march = board.reach(board.edges(table), start, 9)
    assert march.cost == cheapest(start, 9, dict(enumerate(board.neighbours)), price)


def test_movement_stops_on_entering_a_stop_hex_but_may_start_there() -> None:
    stop = BOARD.mask(["0403", "0404"])
    assert costs("0403 0402 0502", stop=stop) == {"0403": 2, "0402": 6, "0502": 4}


def test_barred_hexes_are_walked_round() -> None:
    assert costs("0403 0402", barred=BOARD.mask(["0403"])) == {"0402": 6}


def test_no_step_forbids_only_the_pair() -> None:
    zone = BOARD.mask(["0404", "0403"])
    march = BOARD.reach(DESERT, BOARD.at("0404"), 6, no_step=(zone, zone))
    assert march.cost[BOARD.at("0403")] == 4
    assert BOARD.at("0402") in march


def test_extra_points_to_leave_and_to_enter() -> None:
    start, north = BOARD.at("0404"), BOARD.at("0403")
    march = BOARD.reach(DESERT, start, 6, leave_extra=(1 << start, 2), enter_extra=(1 << north, 1))
    assert march.cost[north] == 5
    assert march.cost[BOARD.at("0405")] == 4


def test_no_road_rate_beside_the_enemy() -> None:
    road = BOARD.run(["0401", "0402", "0403", "0404"])
    steps = {*road, *((b, a) for a, b in road)}
    roads = BOARD.edges(lambda here, _, there: 1 if (here, there) in steps else 2)
    start = BOARD.at("0401")
    zone = BOARD.mask(["0403"])
    assert BOARD.reach(roads, start, 9).cost[BOARD.at("0404")] == 3
    assert BOARD.reach(roads, start, 9, slow=(DESERT, 0, zone)).cost[BOARD.at("0404")] == 4
    assert BOARD.reach(roads, start, 9, slow=(DESERT, zone, zone)).cost[BOARD.at("0404")] == 5


def test_parts_of_a_point_are_lost_on_leaving_a_road() -> None:
    road = BOARD.run(["0401", "0402", "0403"])
    sixtieths = BOARD.edges(lambda here, _, there: 20 if (here, there) in road else 60)
    march = BOARD.reach(sixtieths, BOARD.at("0401"), 120, whole=60)
    assert march.cost[BOARD.at("0403")] == 40
    assert march.cost[BOARD.at("0404")] == 120
    assert BOARD.at("0405") not in march


def test_a_whole_move_step_is_the_first_or_none() -> None:
    ridge = BOARD.sides([("0404", "0403"), ("0403", "0402")])
    edges = BOARD.edges(lambda a, _, b: WHOLE_MOVE if (a, b) in ridge else 1 if a < b else None)
    march = BOARD.reach(edges, BOARD.at("0404"), 6)
    assert march.cost[BOARD.at("0403")] == 6
    assert BOARD.at("0402") not in march
    assert len(BOARD.reach(edges, BOARD.at("0404"), 0)) == 1


def test_asking_the_way_out_of_reach_is_an_error() -> None:
    march = BOARD.reach(DESERT, BOARD.at("0101"), 2)
    assert march.before(march.start) is None
    with pytest.raises(BoardError, match="not in reach"):
        march.path(BOARD.at("0707"))
