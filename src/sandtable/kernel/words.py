"""Small words for sentences."""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "counter"), counted(2, "counter"), counted(0, "hex", "hexes")
    ('1 counter', '2 counters', '0 hexes')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(words: Iterable[str]) -> str:
    """Words with commas and an "and".

    >>> listed([]), listed(["tanks"]), listed(["tanks", "guns", "foot"])
    ('', 'tanks', 'tanks, guns and foot')
    """
    *first, last = [*words] or [""]
    return f"{', '.join(first)} and {last}" if first else last
