"""Area maps: named areas, and the kind of each boundary between two of them."""

from collections.abc import Callable, Collection, Iterable
from typing import NewType

from .bits import bits, mask_of
from .board import Board, Exits
from .paths import BoardError, Edges

Area = NewType("Area", int)


class AreaBoard(Board[Area]):
    """Areas numbered as listed, and which touch.

    >>> board = AreaBoard(["1", "2", "3"], [("1", "2", "escarpment"), ("2", "3", "open")])
    >>> board.boundary(board.at("2"), board.at("1"))
    'escarpment'
    >>> board.text(board.flood(board.mask(["3"]), exits=board.exits({"open"})))
    ['2', '3']
    """

    kind = "area"

    def __init__(self, names: Iterable[str], boundaries: Iterable[tuple[str, str, str]]) -> None:
        names = list(names)
        if not names:
            raise BoardError("a map needs at least one area: list their names")
        self._number(names, [Area(number) for number in range(len(names))], len(names))
        self.boundaries: dict[tuple[Area, Area], str] = {}
        """The kind of boundary between two areas that touch, both ways round."""
        for a, b, kind in boundaries:
            here, there = self.at(a), self.at(b)
            if here == there:
                raise BoardError(f"area {a} cannot touch itself: check the boundary")
            if (here, there) in self.boundaries:
                raise BoardError(f"side {a}-{b} is listed twice: keep one")
            self.boundaries[here, there] = self.boundaries[there, here] = kind
        self.kinds = frozenset(self.boundaries.values())
        self.neighbours = tuple(
            tuple(there for there in self.spaces if (here, there) in self.boundaries)
            for here in self.spaces
        )
        self.open = tuple(mask_of(near) for near in self.neighbours)
        self._steps = [self.distances(1 << area) for area in self.spaces]

    def boundary(self, a: Area, b: Area) -> str:
        """The kind of boundary between two areas that touch."""
        try:
            return self.boundaries[a, b]
        except KeyError:
            raise BoardError(f"area {self.names[a]} does not touch {self.names[b]}") from None

    def distance(self, a: Area, b: Area) -> int:
        """Steps between two areas with nothing in the way; -1 where there is no way."""
        return self._steps[a][b]

    def exits(
        self, kinds: Collection[str] | None = None, barred: Iterable[tuple[Area, Area]] = ()
    ) -> Exits:
        """For each area the areas it may be left for: over these kinds, not over barred sides."""
        if kinds is not None and (unknown := set(kinds) - self.kinds):
            raise BoardError(
                f"no boundary on this map is of kind {min(unknown)!r}:"
                f" use {', '.join(sorted(self.kinds))}"
            )
        masks = [0] * self.size
        for (here, there), kind in self.boundaries.items():
            if kinds is None or kind in kinds:
                masks[here] |= 1 << there
        for here, there in barred:
            self.boundary(here, there)
            masks[here] &= ~(1 << there)
            masks[there] &= ~(1 << here)
        return tuple(masks)

    def against(self, exits: Exits) -> Exits:
        """The same barriers for someone walking backwards."""
        masks = [0] * self.size
        for here, out in enumerate(exits):
            for there in bits(out):
                masks[there] |= 1 << here
        return tuple(masks)

    def spread(self, mask: int, exits: Exits | None = None) -> int:
        """The areas one step away from any of these; may hold some of them again."""
        exits = exits or self.open
        out = 0
        while mask:
            top = mask.bit_length() - 1
            out |= exits[top]
            mask ^= 1 << top
        return out

    def edges(self, cost: Callable[[Area, str, Area], int | None]) -> Edges[Area]:
        """Bake the cost of each step; asked (here, kind of boundary, there) once for each.

        >>> board = AreaBoard(["1", "2", "3"], [("1", "2", "escarpment"), ("2", "3", "open")])
        >>> trucks = board.edges(lambda here, kind, there: {"open": 1, "escarpment": 3}[kind])
        >>> board.reach(trucks, board.at("3"), 4).cost
        {2: 0, 1: 1, 0: 4}
        """
        return Edges(
            [
                [(there, cost(here, self.boundaries[here, there], there)) for there in near]
                for here, near in zip(self.spaces, self.neighbours, strict=True)
            ]
        )
