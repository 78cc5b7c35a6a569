"""Exact chances, with every modifier named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Literal

from msgspec import Struct

from sandtable.kernel.events import Side


class Modifier(Struct, frozen=True, omit_defaults=True):
    """One line of a sum: what it is, what it adds, and the rule that says so."""

    name: str
    value: int
    rule: str
    side: Side | None = None
    """Whose sum it counts in, where two sums are set against each other."""
    adds: Literal["die", "strength", "column"] = "die"
    """What it is added to: the roll, a strength that odds are made of, or the column they read."""


class Chance(Struct, frozen=True):
    """One outcome: its label, its probability, whom it favours, and dice that bring it about."""

    text: str
    probability: Fraction
    faces: tuple[int, ...]
    favours: Side | None = None


class Margin(Struct, frozen=True):
    """A difference between two totals, exactly how likely it is, and the outcome it brings."""

    value: int
    probability: Fraction
    outcome: str


class Odds(Struct, frozen=True):
    """The whole distribution of an action, and what it takes for granted about later choices."""

    modifiers: tuple[Modifier, ...]
    outcomes: tuple[Chance, ...]
    assumes: tuple[str, ...] = ()
    about: object = None
    """The battle these are the odds of, as the title keeps it, for `Game.sheet`."""
    margins: tuple[Margin, ...] = ()
    """Every difference from the lowest up, where dice of both sides are compared; else empty."""

    def chance_for(self, side: Side) -> float:
        """The probability of the outcomes that favour this side."""
        return float(sum(each.probability for each in self.outcomes if each.favours == side))

    def edge_for(self, side: Side) -> float:
        """How much likelier the dice help this side than hurt it."""
        against = sum(
            each.probability for each in self.outcomes if each.favours not in (side, None)
        )
        return self.chance_for(side) - float(against)


Pmf = Mapping[int, Fraction]


@cache
def dice_sum(number: int, sides: int = 6) -> Pmf:
    """The distribution of the sum of some dice.

    >>> dice_sum(2)[7]
    Fraction(1, 6)
    """
    sums: dict[int, Fraction] = {0: Fraction(1)}
    for _ in range(number):
        sums = convolve(sums, {face: Fraction(1, sides) for face in range(1, sides + 1)})
    return sums


def convolve(one: Pmf, other: Pmf) -> dict[int, Fraction]:
    """The distribution of the sum of two independent numbers."""
    sums: dict[int, Fraction] = {}
    for a, p in one.items():
        for b, q in other.items():
            sums[a + b] = sums.get(a + b, Fraction(0)) + p * q
    return sums


def gather(chances: Iterable[Chance]) -> tuple[Chance, ...]:
    """Add up chances with the same label, keeping the first one's dice and the given order.

    >>> half = Fraction(1, 2)
    >>> [c.probability for c in gather([Chance("hit", half, (6,)), Chance("hit", half, (5,))])]
    [Fraction(1, 1)]
    """
    found: dict[str, Chance] = {}
    for each in chances:
        known = found.get(each.text)
        if known:
            each = Chance(
                each.text, known.probability + each.probability, known.faces, known.favours
            )
        found[each.text] = each
    return tuple(found.values())
