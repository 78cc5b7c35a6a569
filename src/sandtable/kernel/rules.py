"""Rules as named predicates, and the list of every rule number of a title."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, ParamSpec

from msgspec import Struct

from sandtable.kernel.errors import BadMessage, Refusal

P = ParamSpec("P")


class Rule(Generic[P]):
    """A predicate that is true while the rule is kept; knows its number and its sentence."""

    __slots__ = ("holds", "name", "number", "text")

    def __init__(self, holds: Callable[P, bool]) -> None:
        number, _, text = (holds.__doc__ or "").partition(" ")
        if not number or not text:
            raise TypeError(
                f"{holds.__qualname__}: a rule's docstring is its number and a sentence"
            )
        self.holds = holds
        self.name = holds.__name__
        self.number = number
        self.text = " ".join(text.split())

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        return self.holds(*args, **kwargs)

    def refusal(self, what: str = "") -> Refusal:
        """The refusal that quotes this rule, after what was asked."""
        return Refusal(self.number, f"{what}: {lower_first(self.text)}" if what else self.text)


def rule(holds: Callable[P, bool]) -> Rule[P]:
    """Turn a predicate whose docstring starts with a rule number into a Rule.

    >>> @rule
    ... def stacking(units: int) -> bool:
    ...     '''7.1 At most four units of a side may stand in an Area.'''
    ...     return units <= 4
    >>> stacking(5), stacking.number
    (False, '7.1')
    """
    return Rule(holds)


def first_broken(rules: Iterable[Rule[P]], *args: P.args, **kwargs: P.kwargs) -> Rule[P] | None:
    """The first rule, in the rulebook's order, that these arguments break."""
    for one in rules:
        if not one.holds(*args, **kwargs):
            return one
    return None


def lower_first(text: str) -> str:
    """The sentence as the second half of a longer one, leaving names and AV, DV, MF alone.

    >>> lower_first("Units stand still."), lower_first("Axis units stand still.")
    ('units stand still.', 'Axis units stand still.')
    """
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first in COMMON_OPENINGS else text


COMMON_OPENINGS = frozenset(
    "A All An Anti-tank At Before Both Each Every Headquarters If In Infantry Isolated Movement No"
    " Of On Once One Only The There This To Two Units Until".split()
)


class RuleEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One numbered rule of a book: heading, our own words, and why it needs no code, if so."""

    number: str
    heading: str
    text: str
    reason: str = ""


class RulesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of a title's rules.toml."""

    source: str
    rule: tuple[RuleEntry, ...]


class RuleBook:
    """Every rule of a title by number, in the book's order."""

    def __init__(self, entries: Iterable[RuleEntry]) -> None:
        self._entries: dict[str, RuleEntry] = {}
        for entry in entries:
            if entry.number in self._entries:
                raise BadMessage(f"rules.toml lists {entry.number} twice; remove one")
            self._entries[entry.number] = entry

    def __contains__(self, number: object) -> bool:
        return number in self._entries

    def __getitem__(self, number: str) -> RuleEntry:
        return self._entries[number]

    def __iter__(self) -> Iterator[RuleEntry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)
