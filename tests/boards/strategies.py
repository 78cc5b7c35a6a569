"""Random maps and sets of their spaces."""

from collections.abc import Collection

from hypothesis import strategies as st

from sandtable.boards import Board, Hex, HexBoard, Numbering, Shape, Stagger, mask_of, rectangle

NUMBERINGS: tuple[Numbering, ...] = ("ccrr", "rrcc", "row-letter", "column-letter")
SHAPES: tuple[Shape, ...] = ("flat", "pointy")
STAGGERS: tuple[Stagger, ...] = ("odd", "even")


@st.composite
def hex_boards(draw: st.DrawFn, holes: bool = True) -> HexBoard:
    """Small maps of any shape, stagger and numbering, some with hexes missing."""
    numbering = draw(st.sampled_from(NUMBERINGS))
    first_column, first_row = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    columns = range(first_column, first_column + draw(st.integers(1, 9)))
    rows = range(first_row, first_row + draw(st.integers(1, 9)))
    names = rectangle(columns, rows, numbering)
    if holes:
        missing = draw(st.sets(st.sampled_from(names), max_size=len(names) // 3))
        names = [name for name in names if name not in missing]
    shape, stagger = draw(st.sampled_from(SHAPES)), draw(st.sampled_from(STAGGERS))
    return HexBoard(names, shape, stagger, numbering)


def some(spaces: Collection[int], least: int = 0) -> st.SearchStrategy[int]:
    """A set of these spaces, as a mask."""
    return st.sets(st.sampled_from(sorted(spaces)), min_size=least).map(mask_of)


@st.composite
def one_way_sides(draw: st.DrawFn, board: Board[Hex]) -> list[tuple[Hex, Hex]]:
    """Some steps of the map, each in one direction."""
    sides = [(here, there) for here in board.spaces for there in board.neighbours[here]]
    return draw(st.lists(st.sampled_from(sides), max_size=12)) if sides else []
