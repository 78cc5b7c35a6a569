from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.boards import Area, AreaBoard, BoardError, bits

from .reference import cheapest, walk
from .strategies import some

PRICES = {"open": 1, "escarpment": 3, "wire": 0}


@st.composite
def area_boards(draw: st.DrawFn) -> AreaBoard:
    names = [str(number) for number in range(1, draw(st.integers(1, 12)) + 1)]
    pairs = [(a, b) for a in names for b in names if a < b]
    touching = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    kinds = st.sampled_from(sorted(PRICES))
    return AreaBoard(names, [(a, b, draw(kinds)) for a, b in sorted(touching)])


@given(area_boards(), st.data())
def test_floods_are_a_walk_over_open_boundaries(board: AreaBoard, data: st.DataObject) -> None:
    start, free = data.draw(some(board.spaces)), data.draw(some(board.spaces))
    kinds = data.draw(st.sets(st.sampled_from(sorted(board.kinds)))) if board.kinds else set()
    sides = sorted(board.boundaries)
    barred = data.draw(st.lists(st.sampled_from(sides), max_size=4)) if sides else []
    limit = data.draw(st.sampled_from([0, 1, 99]))
    shut = {*barred, *((b, a) for a, b in barred)}
    ways: dict[int, list[Area]] = {
        here: [
            there
            for there in board.neighbours[here]
            if board.boundary(here, there) in kinds and (here, there) not in shut
        ]
        for here in board.spaces
    }
    exits = board.exits(kinds, barred)
    assert set(bits(board.flood(start, free, exits, limit))) == set(
        walk(bits(start), set(bits(free)), ways, limit)
    )
    assert board.against(exits) == exits


@given(area_boards(), st.data())
def test_reach_is_dijkstra_and_distance_a_walk(board: AreaBoard, data: st.DataObject) -> None:
    start = data.draw(st.sampled_from(board.spaces))
    stop = data.draw(some(board.spaces))
    edges = board.edges(lambda here, kind, there: PRICES[kind])

    def price(spent: int, here: int, there: int) -> int | None:
        step = PRICES[board.boundary(Area(here), Area(there))]
        return spent + step if step else None

    ways = dict(enumerate(board.neighbours))
    march = board.reach(edges, start, 7, stop=stop)
    assert march.cost == cheapest(start, 7, ways, price, set(bits(stop)))
    steps = walk([start], board.spaces, ways, 99)
    for there in board.spaces:
        assert board.distance(start, there) == board.distance(there, start)
        assert board.distance(start, there) == steps.get(there, -1)


def test_exits_may_close_one_way_when_made_by_hand() -> None:
    board = AreaBoard(["1", "2"], [("1", "2", "open")])
    downhill = (0b10, 0)
    assert board.against(downhill) == (0, 0b01)
    assert board.nearest(0b01, 0b10, exits=downhill) == 0b01
    assert board.nearest(0b10, 0b01, exits=downhill) == 0


def test_bad_maps_are_refused_in_one_line() -> None:
    board = AreaBoard(["1", "2", "3"], [("1", "2", "open")])
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: board.at("9"), "no area '9' on this map: it has 3, 1 to 3"),
        (lambda: board.side("1", "3"), "area 1 does not touch 3"),
        (lambda: board.boundary(board.at("1"), board.at("3")), "area 1 does not touch 3"),
        (lambda: board.exits({"swamp"}), "no boundary on this map is of kind 'swamp': use open"),
        (lambda: AreaBoard([], []), "at least one area"),
        (lambda: AreaBoard(["1", "1"], []), "area 1 is listed twice"),
        (lambda: AreaBoard(["1"], [("1", "2", "open")]), "no area '2'"),
        (lambda: AreaBoard(["1"], [("1", "1", "open")]), "cannot touch itself"),
        (lambda: AreaBoard(["1", "2"], [("1", "2", "open"), ("2", "1", "x")]), "listed twice"),
    ]
    for call, words in calls:
        with pytest.raises(BoardError) as refused:
            call()
        assert words in str(refused.value)
        assert "\n" not in str(refused.value)
