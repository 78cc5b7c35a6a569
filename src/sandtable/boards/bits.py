"""Sets of spaces as Python ints: bit *n* is set when space *n* is in the set."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import compress

_DENSE = 300  # above this many bits one pass over all of them is quicker than one at a time
_TRUTH = bytes.maketrans(b"01", b"\0\1")


def bits(mask: int) -> list[int]:
    """The numbers of the set bits, lowest first.

    >>> bits(0b100101)
    [0, 2, 5]
    """
    if mask < 0:
        raise ValueError("a negative number is no set")
    if mask.bit_count() > _DENSE:
        return list(compress(range(mask.bit_length()), bin(mask)[:1:-1].encode().translate(_TRUTH)))
    found = []
    while mask:
        top = mask.bit_length() - 1
        found.append(top)
        mask ^= 1 << top
    found.reverse()
    return found


@lru_cache(maxsize=1 << 15)
def spots(mask: int) -> tuple[int, ...]:
    """The same, remembered: for small sets that are asked for again and again.

    >>> spots(0b100101)
    (0, 2, 5)
    """
    return tuple(bits(mask))


def mask_of(spaces: Iterable[int]) -> int:
    """The set of these spaces.

    >>> bin(mask_of([0, 2, 5]))
    '0b100101'
    """
    mask = 0
    for space in spaces:
        mask |= 1 << space
    return mask


def has(mask: int, space: int) -> bool:
    """Whether the space is in the set.

    >>> has(0b100, 2), has(0b100, 1)
    (True, False)
    """
    return bool(mask >> space & 1)


def flags(mask: int, size: int) -> bytes:
    """One byte a space, 0 or 1: for loops that look up many spaces of one set.

    >>> list(flags(0b101, 4))
    [1, 0, 1, 0]
    """
    return f"{mask:0{size}b}"[::-1].encode().translate(_TRUTH)
