"""Movement: which spaces can be reached for how many points, and by which way."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from .bits import flags, mask_of

S = TypeVar("S", bound=int)

WHOLE_MOVE = -1
"""Cost of a step that takes the whole allowance and so can only be a move's first."""


class BoardError(ValueError):
    """A space, side or cost that the board does not know; one line for the reader."""


class Edges(Generic[S]):
    """What each step costs one class of movement; baked once, when a map is loaded."""

    __slots__ = ("none", "out", "step", "whole")

    def __init__(self, steps: Sequence[Iterable[tuple[S, int | None]]]) -> None:
        """Take for each space the spaces beside it with the cost; 0 or None bars the step."""
        self.step: tuple[dict[S, int], ...] = tuple(
            {there: cost for there, cost in row if cost} for row in steps
        )
        self.out = tuple(
            tuple((there, cost) for there, cost in row.items() if cost != WHOLE_MOVE)
            for row in self.step
        )
        self.whole = tuple(
            tuple(there for there, cost in row.items() if cost == WHOLE_MOVE) for row in self.step
        )
        self.none = bytes(len(self.step))  # flags of the empty set
        for row in self.step:
            for there, cost in row.items():
                if cost < WHOLE_MOVE:
                    raise BoardError(
                        f"a step into space {there} costs {cost}: use whole points from 1 up,"
                        " 0 or None where barred, WHOLE_MOVE for all points"
                    )

    def changed(self, steps: Mapping[tuple[S, S], int | None]) -> "Edges[S]":
        """The same costs but for some steps; all other rows are shared.

        >>> flat = Edges([[(1, 2)], [(0, 2)]])
        >>> flat.changed({(0, 1): None}).cost(0, 1), flat.cost(0, 1)
        (None, 2)
        """
        rows: dict[S, dict[S, int | None]] = {}
        for (here, there), cost in steps.items():
            rows.setdefault(here, dict(self.step[here]))[there] = cost
        new = Edges([row.items() for row in rows.values()])
        for name in self.__slots__:
            table = list(getattr(self, name))
            for here, row in zip(rows, getattr(new, name), strict=True):
                table[here] = row
            setattr(new, name, tuple(table))
        return new

    def cost(self, here: S, there: S) -> int | None:
        """Points for this step, WHOLE_MOVE, or None where barred."""
        return self.step[here].get(there)


class Reach(Generic[S]):
    """Where a move can end: `cost` by space, nearest first, with the way there.

    The start is in it at cost 0.
    """

    __slots__ = ("_came", "cost", "start")

    def __init__(self, start: S, cost: dict[S, int], came: list[S]) -> None:
        self.start = start
        self.cost = cost
        self._came = came

    def __contains__(self, space: S) -> bool:
        return space in self.cost

    def __iter__(self) -> Iterator[S]:
        return iter(self.cost)

    def __len__(self) -> int:
        return len(self.cost)

    @property
    def mask(self) -> int:
        """The spaces in reach as a set."""
        return mask_of(self.cost)

    def before(self, space: S) -> S | None:
        """The space a cheapest way comes from; None at the start."""
        if space not in self.cost:
            raise BoardError(f"space {space} is not in reach of {self.start}")
        return None if space == self.start else self._came[space]

    def path(self, to: S) -> tuple[S, ...]:
        """A cheapest way, first the start and last `to`."""
        way = [to]
        while (before := self.before(way[-1])) is not None:
            way.append(before)
        return tuple(reversed(way))


def search(
    edges: Edges[S],
    start: S,
    limit: int,
    *,
    barred: int = 0,
    stop: int = 0,
    no_step: tuple[int, int] = (0, 0),
    leave_extra: tuple[int, int] = (0, 0),
    enter_extra: tuple[int, int] = (0, 0),
    slow: tuple[Edges[S], int, int] | None = None,
    whole: int = 1,
    spread: Callable[[int], int],
) -> Reach[S]:
    """Bucket-queue search; `Board.reach` explains the arguments.

    Most spaces lie away from every set named and take the short loop; only those in a set that
    is left, or beside one that is entered, are looked at step by step.
    """
    size = len(edges.out)
    out = edges.out
    no_leave, no_enter = no_step
    leaving, leave_points = leave_extra
    entering, enter_points = enter_extra
    slow_edges, slow_leave, slow_enter = slow or (edges, 0, 0)
    special = leaving | slow_leave
    if no_leave and no_enter:
        special |= no_leave & spread(no_enter)
    if entering or slow_enter:
        special |= spread(entering | slow_enter)
    if edges.whole[start]:
        special |= 1 << start
    here_bit = 1 << start
    careful, stopped, closed, no_entry, dear, slow_entry = (
        flags(mask, size) if mask else edges.none
        for mask in (special, stop & ~here_bit, barred & ~here_bit, no_enter, entering, slow_enter)
    )

    best = [limit + 1] * size
    best[start] = 0
    came = [start] * size
    cost: dict[S, int] = {}
    buckets: list[list[S]] = [[] for _ in range(limit + 1)]
    if limit >= 0:
        buckets[0].append(start)
    for spent, bucket in enumerate(buckets):
        for here in bucket:
            if closed[here] or best[here] != spent:
                continue
            cost[here] = spent
            if stopped[here]:
                continue
            if not careful[here] and not spent % whole:
                for there, step in out[here]:
                    total = spent + step
                    if total < best[there]:
                        best[there] = total
                        came[there] = here
                        buckets[total].append(there)
                continue
            rounded = -(-spent // whole) * whole
            toll = leave_points if leaving >> here & 1 else 0
            bound = no_leave >> here & 1
            slowed = slow_leave >> here & 1
            for there, step in edges.step[here].items():
                if bound and no_entry[there]:
                    continue
                if slowed or slow_entry[there]:
                    slow_step = slow_edges.step[here].get(there)
                    if slow_step is None:
                        continue
                    step = slow_step
                if step == WHOLE_MOVE:
                    if here != start or not limit:
                        continue
                    total = limit
                else:
                    total = (rounded if step >= whole else spent) + step + toll
                    if dear[there]:
                        total += enter_points
                if total < best[there]:
                    best[there] = total
                    came[there] = here
                    buckets[total].append(there)
    return Reach(start, cost, came)
