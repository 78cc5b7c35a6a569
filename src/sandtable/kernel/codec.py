"""State as JSON and back, and its fingerprint."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING, Any, Union, get_args, get_type_hints

import msgspec
from msgspec import Struct

from sandtable.kernel.actions import Lexicon, fields_of, sort_of
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import BadMessage

if TYPE_CHECKING:
    from sandtable.kernel.game import Game
    from sandtable.kernel.title import Title

_ENCODER = msgspec.json.Encoder(order="deterministic")


def state(game: Game, *, secret: bool = True) -> dict[str, Any]:
    """The saved fields of a game; without the seed and the script unless asked for secrets."""
    fields = {
        name: _by_text(getattr(game, name))
        for name in game.__struct_fields__
        if name not in game.transient
    }
    if not secret:
        fields["dice"] = Dice(count=game.dice.count)
    return fields


def _by_text(value: Any) -> Any:
    """JSON has texts as keys, and only those can be put in order: a unit's number becomes one."""
    return {str(key): each for key, each in value.items()} if isinstance(value, dict) else value


def dump(game: Game) -> bytes:
    """The whole state as JSON."""
    return _ENCODER.encode(state(game))


def digest(game: Game) -> str:
    """32 hexadecimal digits that two games share only if their states are equal."""
    return hashlib.sha256(_ENCODER.encode(state(game, secret=False))).hexdigest()[:32]


def load(title: Title, raw: bytes, data: Any) -> Game:
    """The game that `dump` wrote, played with this data pack."""
    try:
        saved = msgspec.json.decode(raw, type=_saved(title))
    except msgspec.MsgspecError as error:
        raise BadMessage(f"not a state of {title.id}: {error}; use one that dump wrote") from None
    fields = {name: getattr(saved, name) for name in saved.__struct_fields__}
    game = title.game(title=title, data=data, **fields)
    game.derive()
    return game


def stack_text(game: Game) -> str:
    """The point of the sequence of play as JSON, for positions."""
    return _ENCODER.encode(game.point).decode()


def read_stack(title: Title, text: str, lexicon: Lexicon) -> tuple[Any, ...]:
    """The steps that `stack_text` wrote, with units and spaces that there are."""
    try:
        steps: tuple[Any, ...] = msgspec.json.decode(text, type=_stack_type(title))
    except msgspec.MsgspecError as error:
        raise BadMessage(f"stack: {error}; use what position_text wrote") from None
    if not steps:
        raise BadMessage("the stack is empty; leave it out or list its steps")
    for step in steps:
        _check_numbers(step, type(step), lexicon)
    return steps


def _check_numbers(value: Any, hint: Any, lexicon: Lexicon) -> None:
    """Refuse numbers of units and spaces that there are not; -1 and -2 stand for none."""
    if isinstance(value, Struct):
        for name, inner in fields_of(type(value)):
            _check_numbers(getattr(value, name), inner, lexicon)
    elif isinstance(value, tuple):
        inside = get_args(hint)
        for at, each in enumerate(value):
            _check_numbers(each, inside[0 if inside[-1] is ... else at], lexicon)
    elif value is not None and (names := lexicon.names.get(sort_of(hint))):
        if -2 <= value < len(names.names):
            return
        raise BadMessage(
            f"stack: no {names.what} has the number {value}; use what position_text wrote"
        )


@cache
def _stack_type(title: Title) -> Any:
    step: Any = Union[(*title.steps, title.end)]
    return tuple[step, ...]


@cache
def _saved(title: Title) -> Any:
    """A Struct with the saved fields of a title's game and exact types for its steps."""
    hints = get_type_hints(title.game, localns={"Title": Any, "Data": Any})
    fields: list[tuple[str, Any]] = [
        (name, _stack_type(title) if name == "stack" else hints[name])
        for name in title.game.__struct_fields__
        if name not in title.game.transient
    ]
    return msgspec.defstruct("Saved", fields, forbid_unknown_fields=True, kw_only=True)
