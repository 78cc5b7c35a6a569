"""Slow, plain versions of what the boards do fast, over offset coordinates, sets and dicts."""

from collections.abc import Callable, Collection, Mapping
from heapq import heappop, heappush

Spot = tuple[int, int]
Ways = Mapping[int, Collection[int]]


def offset_neighbours(spot: Spot, shape: str, stagger: str) -> list[Spot]:
    """Neighbours of (column, row), clockwise from north or north-east, by cases."""
    column, row = spot
    line = column if shape == "flat" else row
    further = (line % 2 == 1) == (stagger == "odd")
    if shape == "flat":
        up, down = (row, row + 1) if further else (row - 1, row)
        return [
            (column, row - 1),
            (column + 1, up),
            (column + 1, down),
            (column, row + 1),
            (column - 1, down),
            (column - 1, up),
        ]
    west, east = (column, column + 1) if further else (column - 1, column)
    return [
        (east, row - 1),
        (column + 1, row),
        (east, row + 1),
        (west, row + 1),
        (column - 1, row),
        (west, row - 1),
    ]


def walk(start: Collection[int], free: Collection[int], ways: Ways, limit: int) -> dict[int, int]:
    """Steps to everything that can be entered from the start, breadth first."""
    steps = dict.fromkeys(start, 0)
    queue = list(start)
    for here in queue:
        for there in ways[here]:
            if there in free and there not in steps and steps[here] < limit:
                steps[there] = steps[here] + 1
                queue.append(there)
    return steps


def cheapest(
    start: int,
    limit: int,
    ways: Ways,
    price: Callable[[int, int, int], int | None],
    stop: Collection[int] = (),
) -> dict[int, int]:
    """Dijkstra with a heap; price(spent, here, there) gives the new total."""
    done: dict[int, int] = {}
    heap = [(0, start)]
    while heap:
        spent, here = heappop(heap)
        if here in done:
            continue
        done[here] = spent
        if here in stop and here != start:
            continue
        for there in ways[here]:
            total = price(spent, here, there)
            if total is not None and total <= limit:
                heappush(heap, (total, there))
    return done
