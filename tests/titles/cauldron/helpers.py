"""Positions in a few lines, and play by action texts."""

from __future__ import annotations

from collections.abc import Sequence

import sandtable
from sandtable.kernel.actions import UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Event
from sandtable.titles.cauldron import TITLE
from sandtable.titles.cauldron.data import Data
from sandtable.titles.cauldron.state import Game, Unit

DATA: Data = TITLE.data()


def position(text: str, *dice: int) -> Game:
    """The game of a position; dice are the faces to come."""
    game = sandtable.title("cauldron").position(text, scripted=dice)
    assert isinstance(game, Game)
    game.check()
    return game


def on_map(*lines: str, head: str = "", tail: str = "") -> str:
    """A position with units given as "5/1 1622 used steps=2", after some head lines."""
    units = []
    for line in lines:
        name, at, *states = line.split()
        fields = [f'at = "{at}"']
        for state in states:
            key, _, value = state.partition("=")
            if key in ("oos", "isolated"):
                fields.append(f'supply = "{"out of supply" if key == "oos" else key}"')
            else:
                fields.append(f"{key} = {value or 'true'}")
        units.append(f'"{name}" = {{ {", ".join(fields)} }}')
    body = "\n".join(units)
    return f"{head}\n[units]\n{body}\n{tail}"


def active(
    unit: str, *lines: str, head: str = "", tail: str = "", dice: Sequence[int] = ()
) -> Game:
    """A game in which a unit has just been selected to move."""
    side = DATA.units[DATA.unit_index[unit]].side
    first = f'phase = "actions"\nside = "{side}"\nactive = "{unit}"\n{head}'
    return position(on_map(*lines, head=first, tail=tail), *dice)


def play(game: Game, *texts: str) -> list[Event]:
    """Play actions by their texts; returns all events."""
    events: list[Event] = []
    for text in texts:
        events += game.play(game.parse(text))
        game.check()
    return events


def texts(game: Game, verb: str = "") -> set[str]:
    """The legal actions, all or of one verb."""
    found = {game.text(action) for action in game.actions()}
    return {text for text in found if not verb or text.split()[0] == verb}


def refused(game: Game, text: str) -> Refusal:
    """The refusal of an action that must not be legal."""
    refusal = game.why_not(game.parse(text))
    assert refusal is not None, f"{text} is legal"
    assert refusal.rule in TITLE.rules
    return refusal


def unit(game: Game, name: str) -> Unit:
    """A unit's state by its id."""
    return game.units[uid(name)]


def uid(name: str) -> UnitId:
    """A unit's number."""
    return DATA.unit_index[name]


def at(game: Game, name: str) -> str:
    """The hex a unit is in, or the word for where it is."""
    where = unit(game, name).at
    words = {-1: "off", -2: "eliminated", -3: "withdrawn"}
    return words[where] if where < 0 else game.hex(where)


def sentences(game: Game, events: Sequence[Event]) -> list[str]:
    """Events in words."""
    return [game.sentence(event) for event in events]
