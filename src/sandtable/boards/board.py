"""What hex maps and area maps have in common: names, sets, floods and reach."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Generic, TypeVar, cast

from .bits import bits, mask_of
from .paths import BoardError, Edges, Reach, search

S = TypeVar("S", bound=int)

Exits = tuple[int, ...]
"""Barriers, as the board's kind needs them; made by `exits()` and passed back as they are."""

FAR = 1 << 30


class Board(ABC, Generic[S]):
    """Spaces numbered from 0; some numbers may be unused (`""` in names), so list `spaces`."""

    kind: str

    names: tuple[str, ...]  # by space number
    spaces: tuple[S, ...]  # all of them
    all: int  # all of them as a set
    size: int  # length of a table indexed by space number
    neighbours: tuple[tuple[S, ...], ...]
    open: Exits  # no barriers
    _ids: dict[str, S]

    @abstractmethod
    def spread(self, mask: int, exits: Exits | None = None) -> int:
        """The spaces one step away from any of these; may hold some of them again."""

    @abstractmethod
    def against(self, exits: Exits) -> Exits:
        """The same barriers for someone walking backwards."""

    def _number(self, names: Sequence[str], spaces: Sequence[S], size: int) -> None:
        table = [""] * size
        self._ids = {}
        for name, space in zip(names, spaces, strict=True):
            if name in self._ids:
                raise BoardError(f"{self.kind} {name} is listed twice: keep one")
            self._ids[name] = space
            table[space] = name
        self.names = tuple(table)
        self.spaces = tuple(sorted(spaces))
        self.all = mask_of(spaces)
        self.size = size

    def __len__(self) -> int:
        return len(self.spaces)

    def __contains__(self, name: str) -> bool:
        return name in self._ids

    def at(self, name: str) -> S:
        """The space with this printed name."""
        try:
            return self._ids[name]
        except KeyError:
            raise BoardError(
                f"no {self.kind} {name!r} on this map: it has {len(self)},"
                f" {self.names[self.spaces[0]]} to {self.names[self.spaces[-1]]}"
            ) from None

    def mask(self, names: Iterable[str]) -> int:
        """The set of the spaces with these printed names."""
        return mask_of(self.at(name) for name in names)

    def each(self, mask: int) -> list[S]:
        """The spaces in a set, lowest number first."""
        return cast(list[S], bits(mask))

    def text(self, mask: int) -> list[str]:
        """The printed names of the spaces in a set."""
        return [self.names[space] for space in bits(mask)]

    def side(self, a: str, b: str) -> tuple[S, S]:
        """Two named spaces that touch."""
        here, there = self.at(a), self.at(b)
        if there not in self.neighbours[here]:
            raise BoardError(f"{self.kind} {a} does not touch {b}: check the pair")
        return here, there

    def sides(self, pairs: Iterable[Sequence[str]]) -> tuple[tuple[S, S], ...]:
        """Pairs of named spaces that touch, each pair once."""
        found: dict[tuple[S, S], None] = {}
        for pair in pairs:
            if len(pair) != 2:
                raise BoardError(f"a side needs two names, not {list(pair)}")
            side = self.side(*pair)
            if side in found or side[::-1] in found:
                raise BoardError(f"side {pair[0]}-{pair[1]} is listed twice: keep one")
            found[side] = None
        return tuple(found)

    def run(self, names: Sequence[str]) -> tuple[tuple[S, S], ...]:
        """The sides crossed by a run of named spaces (a road)."""
        return self.sides(pairwise(names))

    # Sets. In all of these `free` is where one may go (default: anywhere), and the spaces one
    # starts from need not be free.

    def layers(
        self, start: int, free: int | None = None, exits: Exits | None = None, limit: int = FAR
    ) -> list[int]:
        """Sets of spaces 0, 1, 2 ... steps from the start set."""
        unseen = (self.all if free is None else free) & ~start
        found = [start]
        while len(found) <= limit and (front := self.spread(found[-1], exits) & unseen):
            unseen ^= front
            found.append(front)
        return found

    def flood(
        self, start: int, free: int | None = None, exits: Exits | None = None, limit: int = FAR
    ) -> int:
        """The start set and all that can be entered from it in `limit` steps."""
        unseen = (self.all if free is None else free) & ~start
        fill = front = start
        while limit > 0 and (front := self.spread(front, exits) & unseen):
            unseen ^= front
            fill |= front
            limit -= 1
        return fill

    def within(self, mask: int, steps: int) -> int:
        """The spaces at most so many steps from any of these, the set included."""
        for _ in range(steps):
            mask |= self.spread(mask)
        return mask

    def distances(
        self, start: int, free: int | None = None, exits: Exits | None = None
    ) -> list[int]:
        """Steps from the start set by space number; -1 where there is no way."""
        field = [-1] * self.size
        for steps, layer in enumerate(self.layers(start, free, exits)):
            for space in bits(layer):
                field[space] = steps
        return field

    def nearest(
        self, among: int, to: int, free: int | None = None, exits: Exits | None = None
    ) -> int:
        """Those `among` a set that have the shortest way to another set; empty if none has any.

        The spaces a way passes through are free; its two ends need not be.
        """
        if among & to:
            return among & to
        back = self.against(exits) if exits else None
        free = self.all if free is None else free
        unseen = self.all & ~to
        front = to
        while front := self.spread(front, back) & unseen:
            if front & among:
                return front & among
            unseen &= ~front
            front &= free
        return 0

    def steps_between(
        self, here: S, to: int, free: int | None = None, exits: Exits | None = None
    ) -> int | None:
        """Length of the shortest way from a space to a set, None without any."""
        goal = to
        unseen = (self.all if free is None else free) & ~(1 << here)
        front, steps = 1 << here, 0
        while front and not front & goal:
            front = self.spread(front, exits) & (unseen | goal)
            unseen &= ~front
            steps += 1
        return steps if front else None

    def farther(self, here: S, away_from: int) -> int:
        """The neighbours farther than `here` from the nearest of a set, nothing in the way."""
        return self._beside(here, away_from)[1]

    def nearer(self, here: S, to: int) -> int:
        """The neighbours nearer than `here` to the nearest of a set, nothing in the way."""
        return self._beside(here, to)[0]

    def _beside(self, here: S, mask: int) -> tuple[int, int]:
        around = self.spread(1 << here)
        inside, outside = 0, mask
        while not outside >> here & 1:
            inside, outside = outside, outside | self.spread(outside)
            if inside == outside:  # the set is empty, or on another island
                return 0, 0
        return around & inside, around & ~outside

    def reach(
        self,
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
    ) -> Reach[S]:
        """What can be reached from `start` for `limit` points at the costs of `edges`.

        barred: may not be entered. stop: movement ends on entry; one may start there.
        no_step=(a, b): no step from a into b. leave_extra=(a, n): n more to leave a.
        enter_extra=(b, n): n more to enter b. slow=(edges, a, b): steps out of a or into b cost
        this instead (no road rate beside the enemy). whole=n: a step of n or more first rounds
        what was spent up to a multiple of n (parts of a point are lost on leaving a road).
        """
        return search(
            edges,
            start,
            limit,
            barred=barred,
            stop=stop,
            no_step=no_step,
            leave_extra=leave_extra,
            enter_extra=enter_extra,
            slow=slow,
            whole=whole,
            spread=self.spread,
        )
