"""Hex maps: printed numbers, directions, distance, hexsides and geometry.

Both kinds of map are one grid seen from two sides. A *line* is a column of flat-topped or a row
of pointy-topped hexes; a *place* is where a hex stands in its line. Every second line stands half
a hex further on. A hex's number is its bit in sets: line x stride + place - line // 2, so that a
step in a given direction adds the same to it everywhere, and one unused number between lines
keeps steps over the edge from wrapping round.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from math import cos, pi, sin, sqrt
from typing import Literal, TypeVar

from sandtable.kernel.actions import Space

from .bits import mask_of
from .board import FAR, Board, Exits
from .paths import BoardError, Edges

Hex = Space
T = TypeVar("T")

Shape = Literal["flat", "pointy"]
Stagger = Literal["odd", "even"]
Numbering = Literal["ccrr", "rrcc", "row-letter", "column-letter"]

OFF = Hex(-1)
"""Stands for the neighbour of a hex on the edge of the map."""

CostTable = Sequence[Sequence[int | None]]

_COMPASS = {
    "flat": ("N", "NE", "SE", "S", "SW", "NW"),
    "pointy": ("NE", "E", "SE", "SW", "W", "NW"),
}
# Steps in (line, place along the slanted axis), clockwise as the compass names.
_STEPS = {
    "flat": ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)),
    "pointy": ((-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)),
}


def opposite(direction: int) -> int:
    """The direction back.

    >>> opposite(1)
    4
    """
    return (direction + 3) % 6


def column_row(name: str, numbering: Numbering) -> tuple[int, int]:
    """Column and row of a printed number; letters count from A = 1.

    >>> column_row("1521", "ccrr"), column_row("C13", "row-letter")
    ((15, 21), (13, 3))
    """
    pattern = r"(\d\d)(\d\d)" if numbering in ("ccrr", "rrcc") else r"([A-Z])([1-9]\d?)"
    parts = re.fullmatch(pattern, name, re.ASCII)
    if not parts:
        raise BoardError(f"hex {name!r} is not numbered {numbering}: write it as on the map")
    first, second = parts.groups()
    a = int(first) if first.isdigit() else ord(first) - ord("A") + 1
    return (a, int(second)) if numbering in ("ccrr", "column-letter") else (int(second), a)


def printed(column: int, row: int, numbering: Numbering) -> str:
    """The printed number of a column and row.

    >>> printed(15, 21, "ccrr"), printed(13, 3, "row-letter")
    ('1521', 'C13')
    """
    a, b = (column, row) if numbering in ("ccrr", "column-letter") else (row, column)
    if numbering in ("ccrr", "rrcc"):
        return f"{a:02}{b:02}"
    return f"{chr(ord('A') + a - 1)}{b}"


def rectangle(columns: range, rows: range, numbering: Numbering = "ccrr") -> list[str]:
    """The printed numbers of a full rectangle.

    >>> rectangle(range(1, 3), range(1, 3))
    ['0101', '0102', '0201', '0202']
    """
    return [printed(column, row, numbering) for column in columns for row in rows]


class HexBoard(Board[Hex]):
    """The hexes of a map, from their printed numbers.

    `stagger` says which lines stand half a hex further (columns further south, rows further
    east): those with odd or those with even numbers, where the letter A counts as 1.

    >>> board = HexBoard(rectangle(range(12, 15), range(14, 18)), "flat", "odd")
    >>> board.directions
    ('N', 'NE', 'SE', 'S', 'SW', 'NW')
    >>> [board.names[hex] for hex in board.neighbours[board.at("1316")]]
    ['1315', '1416', '1417', '1317', '1217', '1216']
    >>> board.distance(board.at("1214"), board.at("1417"))
    4
    """

    kind = "hex"

    def __init__(
        self,
        names: Iterable[str],
        shape: Shape = "flat",
        stagger: Stagger = "odd",
        numbering: Numbering = "ccrr",
    ) -> None:
        names = list(names)
        if not names:
            raise BoardError("a map needs at least one hex: list their printed numbers")
        self.shape = shape
        self.stagger = stagger
        self.numbering = numbering
        self.directions = _COMPASS[shape]
        spots = [column_row(name, numbering) for name in names]
        lines, places = zip(
            *(spot if shape == "flat" else spot[::-1] for spot in spots), strict=True
        )
        # The first line counted is one that does not stand further on.
        base = min(lines)
        base -= base % 2 == (stagger == "odd")
        top = min(places)
        self._stride = stride = max(places) - top + 3
        slanted = [
            (line - base, place - top - (line - base) // 2)
            for line, place in zip(lines, places, strict=True)
        ]
        spaces = [q * stride + r for q, r in slanted]
        least = min(spaces)
        hexes = [Hex(space - least) for space in spaces]
        self._number(names, hexes, max(hexes) + 1)

        self.axial: tuple[tuple[int, int], ...] = self._table(hexes, slanted, (0, 0))
        self._rings: dict[int, tuple[int, ...]] = {}
        """Axial coordinates (line, slanted place) by hex."""
        self.column = self._table(hexes, [column for column, _ in spots], 0)
        self.row = self._table(hexes, [row for _, row in spots], 0)
        self.shifts: tuple[int, ...] = tuple(q * stride + r for q, r in _STEPS[shape])
        """What a step in each direction adds to a hex's number."""
        # Directions 1, 2, 3 add to the number and 4, 5, 0 take the same away, in both shapes.
        self._one: int
        self._two: int
        self._three: int
        self._one, self._two, self._three = self.shifts[1:4]
        found = set(hexes)
        self.around: tuple[tuple[Hex, ...], ...] = tuple(
            tuple(
                Hex(space + shift) if space in found and space + shift in found else OFF
                for shift in self.shifts
            )
            for space in range(self.size)
        )
        """The six neighbours by direction, OFF where the map ends."""
        self.neighbours = tuple(tuple(h for h in six if h != OFF) for six in self.around)
        self.rim = mask_of(h for h in hexes if len(self.neighbours[h]) < 6)
        """The hexes on the edge of the map."""
        self.open = tuple(
            mask_of(h for h in hexes if self.around[h][direction] != OFF) for direction in range(6)
        )

    def _table(self, hexes: list[Hex], values: Iterable[T], empty: T) -> tuple[T, ...]:
        table = [empty] * self.size
        for space, value in zip(hexes, values, strict=True):
            table[space] = value
        return tuple(table)

    # Directions and distance.

    def direction(self, name: str) -> int:
        """The number of a compass direction.

        >>> HexBoard(["0101"]).direction("SE")
        2
        """
        if name not in self.directions:
            raise BoardError(
                f"{name!r} is no direction on this map: use one of {', '.join(self.directions)}"
            )
        return self.directions.index(name)

    def direction_between(self, here: Hex, there: Hex) -> int:
        """The direction of the step from a hex to its neighbour."""
        if there == OFF or there not in self.around[here]:
            raise BoardError(f"hex {self.names[here]} does not touch {self.names[there]}")
        return self.around[here].index(there)

    def ray(self, here: Hex, direction: int) -> list[Hex]:
        """The hexes in a straight line from this one, without it, to the edge of the map.

        >>> board = HexBoard(rectangle(range(12, 15), range(14, 18)), "flat", "odd")
        >>> [board.names[h] for h in board.ray(board.at("1217"), board.direction("NE"))]
        ['1316', '1416']
        """
        line = []
        while (here := self.around[here][direction]) != OFF:
            line.append(here)
        return line

    def distance(self, a: Hex, b: Hex) -> int:
        """Steps between two hexes with nothing in the way and no edge to the map."""
        aq, ar = self.axial[a]
        bq, br = self.axial[b]
        q, r = aq - bq, ar - br
        return max(abs(q), abs(r), abs(q + r))

    def ring(self, hex: int) -> tuple[int, ...]:
        """The distance of every hex from this one, remembered.

        >>> board = HexBoard(rectangle(range(1, 4), range(1, 4)))
        >>> board.ring(board.at("0101"))[board.at("0303")]
        3
        """
        if hex not in self._rings:
            q0, r0 = self.axial[hex]
            far = self._far
            self._rings[hex] = tuple([far[q - q0][r - r0] for q, r in self.axial])
        return self._rings[hex]

    @cached_property
    def _far(self) -> list[list[int]]:
        """The distance by what lies between, [q][r]; less than nothing counts from the end."""
        spans = []
        for axis in zip(*self.axial, strict=True):
            most = max(axis) - min(axis)
            spans.append([*range(most + 1), *range(-most, 0)])
        return [[max(abs(q), abs(r), abs(q + r)) for r in spans[1]] for q in spans[0]]

    # Sets and hexsides.

    def exits(
        self, barred: Iterable[tuple[Hex, Hex]] = (), one_way: Iterable[tuple[Hex, Hex]] = ()
    ) -> Exits:
        """Hexside barriers as six sets: the hexes that may be left in each direction.

        `barred` closes both ways, `one_way` only the step from the first hex to the second.

        >>> board = HexBoard(["0101", "0102", "0103"])
        >>> south = board.exits(one_way=board.sides([("0103", "0102")]))
        >>> board.text(board.flood(board.mask(["0101"]), exits=south))
        ['0101', '0102', '0103']
        >>> board.text(board.flood(board.mask(["0103"]), exits=south))
        ['0103']
        """
        masks = list(self.open)
        both = list(barred)
        for here, there in [*both, *((b, a) for a, b in both), *one_way]:
            masks[self.direction_between(here, there)] &= ~(1 << here)
        return tuple(masks)

    def against(self, exits: Exits) -> Exits:
        """The same barriers for someone walking backwards."""
        back = [0] * 6
        for direction, shift in enumerate(self.shifts):
            mask = exits[direction]
            back[opposite(direction)] = mask << shift if shift > 0 else mask >> -shift
        return tuple(back)

    def spread(self, mask: int, exits: Exits | None = None) -> int:
        """The hexes one step away from any of these; may hold some of them again."""
        a, b, c = self._one, self._two, self._three
        if exits is None:
            return (
                mask << a | mask << b | mask << c | mask >> a | mask >> b | mask >> c
            ) & self.all
        e0, e1, e2, e3, e4, e5 = exits
        return (
            (mask & e1) << a
            | (mask & e2) << b
            | (mask & e3) << c
            | (mask & e4) >> a
            | (mask & e5) >> b
            | (mask & e0) >> c
        )

    def flood(
        self, start: int, free: int | None = None, exits: Exits | None = None, limit: int = FAR
    ) -> int:
        """The start set and all that can be entered from it in `limit` steps.

        >>> board = HexBoard(rectangle(range(1, 4), range(1, 4)))
        >>> wall = board.mask(["0201", "0202"])
        >>> board.text(board.flood(board.mask(["0101"]), board.all & ~wall, limit=2))
        ['0101', '0102', '0103', '0203']
        """
        # `spread` written out: the loop runs some sixty times for a supply line.
        a, b, c = self._one, self._two, self._three
        e0, e1, e2, e3, e4, e5 = exits or self.open
        unseen = (self.all if free is None else free) & ~start
        fill = front = start
        while front and limit > 0:
            front = (
                (front & e1) << a
                | (front & e2) << b
                | (front & e3) << c
                | (front & e4) >> a
                | (front & e5) >> b
                | (front & e0) >> c
            ) & unseen
            unseen ^= front
            fill |= front
            limit -= 1
        return fill

    # Movement.

    def edges(self, cost: CostTable | Callable[[Hex, int, Hex], int | None]) -> Edges[Hex]:
        """Bake the cost of each step, from a table [hex][direction] or a function.

        The function is asked (here, direction, there) once for each step on the map.

        >>> board = HexBoard(rectangle(range(1, 4), range(1, 4)))
        >>> desert = board.edges(lambda here, direction, there: 2)
        >>> march = board.reach(desert, board.at("0101"), 4, stop=board.mask(["0102"]))
        >>> {board.names[hex]: cost for hex, cost in march.cost.items()}
        {'0101': 0, '0201': 2, '0202': 2, '0102': 2, '0301': 4, '0302': 4, '0203': 4}
        >>> [board.names[hex] for hex in march.path(board.at("0203"))]
        ['0101', '0202', '0203']
        """
        if callable(cost):
            rule = cost
        else:
            table = cost
            if len(table) != self.size:
                raise BoardError(f"cost table has {len(table)} rows: the map needs {self.size}")

            def rule(here: Hex, direction: int, there: Hex) -> int | None:
                return table[here][direction]

        return Edges(
            [
                [
                    (there, rule(Hex(here), direction, there))
                    for direction, there in enumerate(six)
                    if there != OFF
                ]
                for here, six in enumerate(self.around)
            ]
        )

    # Geometry, for whoever draws the map: hexes of radius 1, x to the east and y to the south.

    def centre(self, hex: Hex) -> tuple[float, float]:
        """The middle of a hex.

        >>> HexBoard(["0101", "0201"]).centre(Hex(0))
        (1.5, 0.8660254037844386)
        """
        q, r = self.axial[hex]
        across, along = 1.5 * q, sqrt(3) * (r + q / 2)
        return (across, along) if self.shape == "flat" else (along, across)

    def corners(self, hex: Hex) -> list[tuple[float, float]]:
        """The six corners clockwise; the side in direction d runs from corner d to d + 1."""
        x, y = self.centre(hex)
        first = 240 if self.shape == "flat" else 270
        turns = [(first + 60 * corner) * pi / 180 for corner in range(6)]
        return [(x + cos(turn), y + sin(turn)) for turn in turns]

    def hexside(self, hex: Hex, direction: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """The two ends of the side in this direction."""
        corners = self.corners(hex)
        return corners[direction], corners[(direction + 1) % 6]
