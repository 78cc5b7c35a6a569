"""Actions: small frozen values with a stable one-line text form.

The text of an action is its verb and its fields, separated by spaces: `move 7RTR 4`. Inside,
units and spaces are small whole numbers; the lexicon of the data pack names them outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, NewType, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from sandtable.kernel.errors import BadMessage, whole

UnitId = NewType("UnitId", int)
Space = NewType("Space", int)


class Action(Struct, frozen=True, tag=True):
    """A choice a player can make. Subclasses give their verb and typed fields."""

    verb: ClassVar[str]

    @property
    def kind(self) -> str:
        """The verb, for those who sort actions."""
        return self.verb


class Names:
    """The printed names of one sort of thing, each with its small number."""

    def __init__(self, what: str, names: Sequence[str]) -> None:
        """Names in order of their numbers; an empty one is a number that is not used."""
        self.what = what
        self.names = tuple(names)
        self.index: dict[str, int] = {}
        for at, name in enumerate(self.names):
            if name in self.index:
                raise BadMessage(f"{what} {name!r} is listed twice; remove one")
            if any(mark in name for mark in " \t\n,#") or name == "-":
                raise BadMessage(
                    f"{what} {name!r} cannot be used in action texts: "
                    "no spaces, commas or '#', and not '-' alone"
                )
            if name:
                self.index[name] = at

    def find(self, name: str) -> int:
        """The number of a name, or BadMessage."""
        try:
            return self.index[name]
        except KeyError:
            near = get_close_matches(name, self.index, 1)
            hint = f"did you mean {near[0]}?" if near else "check the spelling"
            raise BadMessage(f"no {self.what} is called {name!r}; {hint}") from None


class Lexicon:
    """Names by the NewType that marks a field: UnitId, Space, and what a title adds."""

    def __init__(self, names: Mapping[Any, Names]) -> None:
        self.names: dict[Any, Names] = dict(names)

    def units(self) -> Names:
        """The names of the units."""
        return self.names[UnitId]

    def spaces(self) -> Names:
        """The names of the spaces."""
        return self.names[Space]


def text_of(action: Action, lexicon: Lexicon) -> str:
    """The stable one-line form of an action."""
    words = [action.verb]
    for name, sort in sorts_of(type(action)):
        words.append(_write(getattr(action, name), sort, lexicon))
    return " ".join(words)


def parse(text: str, kinds: Iterable[type[Action]], lexicon: Lexicon) -> Action:
    """The action that a line of text names; BadMessage if it names none."""
    words = text.split()
    if not words:
        raise BadMessage("the action is empty; choose one of the listed actions")
    if len(text) > 500:
        raise BadMessage("the action is longer than 500 characters; choose a listed action")
    verb, *rest = words
    found = [kind for kind in kinds if kind.verb == verb]
    if not found:
        raise BadMessage(f"no action starts with {verb!r}; choose one of the listed actions")
    fits = [kind for kind in found if len(fields_of(kind)) == len(rest)]
    if not fits:
        wanted = " ".join((verb, *(f"<{name}>" for name, _ in fields_of(found[0]))))
        raise BadMessage(f"{text!r} does not have the form '{wanted}'")
    pairs = zip(rest, fields_of(fits[0]), strict=True)
    return fits[0](*(_read(word, hint, lexicon) for word, (_, hint) in pairs))


def mentions(value: Struct, what: Any, lexicon: Lexicon) -> tuple[str, ...]:
    """The names of all units (or spaces, or another sort) in the fields of an action or event."""
    names = lexicon.names.get(what)
    if names is None:
        return ()
    found: list[str] = []
    for name in fields_with(type(value), what):
        content = getattr(value, name)
        if isinstance(content, tuple):
            found.extend([names.names[one] for one in content if one is not None])
        elif content is not None:
            found.append(names.names[content])
    return tuple(found)


def plain(value: Struct, lexicon: Lexicon) -> dict[str, Any]:
    """The fields of an action or event as JSON values, with names for units and spaces."""
    out: dict[str, Any] = {}
    for name, hint in fields_of(type(value)):
        content = getattr(value, name)
        names = lexicon.names.get(sort_of(hint))
        if names is None or content is None:
            out[name] = content
        elif isinstance(content, tuple):
            out[name] = [names.names[one] for one in content]
        else:
            out[name] = names.names[content]
    return out


@cache
def fields_of(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """The names and type hints of the fields of an action or event."""
    hints = get_type_hints(kind)
    return tuple((name, hints[name]) for name in kind.__struct_fields__)


@cache
def sorts_of(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """The names of the fields of an action or event and the sorts of thing they hold."""
    return tuple((name, sort_of(hint)) for name, hint in fields_of(kind))


@cache
def fields_with(kind: type[Struct], what: Any) -> tuple[str, ...]:
    """The fields of an action or event that hold a sort of thing."""
    return tuple(name for name, sort in sorts_of(kind) if sort is what)


@cache
def sort_of(hint: Any) -> Any:
    """The sort of thing a field holds, without Optional and tuple."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return sort_of(next(arg for arg in get_args(hint) if arg is not NoneType))
    if origin is tuple:
        return sort_of(get_args(hint)[0])
    return hint


def _write(value: Any, sort: Any, lexicon: Lexicon) -> str:
    if value is None:
        return "-"
    if isinstance(value, tuple):
        return ",".join([_write(one, sort, lexicon) for one in value]) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    names = lexicon.names.get(sort)
    return names.names[value] if names else str(value)


def _read(word: str, hint: Any, lexicon: Lexicon) -> Any:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return None if word == "-" else _read(word, sort_of(hint), lexicon)
    if origin is tuple:
        inner = sort_of(hint)
        return () if word == "-" else tuple(_read(one, inner, lexicon) for one in word.split(","))
    names = lexicon.names.get(hint)
    if names:
        return names.find(word)
    if hint is bool:
        if word not in ("yes", "no"):
            raise BadMessage(f"{word!r} is neither yes nor no")
        return word == "yes"
    if hint is int:
        number = whole(word)
        if number is None:
            raise BadMessage(f"{word!r} is not a whole number")
        return number
    return word
