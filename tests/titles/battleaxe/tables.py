"""Positions from a few words, and play by action texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest
import tomli_w

import sandtable
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Event
from sandtable.titles.battleaxe.state import Game

TITLE = sandtable.title("battleaxe")


def position(units: str, *, dice: Sequence[int] = (), **fields: Any) -> Game:
    """A game from "7RTR C, 33PAK 9 reduced, XX H unsupplied" and fields of a position file."""
    placed: dict[str, dict[str, Any]] = {}
    for entry in filter(None, (part.strip() for part in units.split(","))):
        name, at, *states = entry.split()
        placed[name] = {"at": at}
        if "reduced" in states:
            placed[name]["reduced"] = True
        if "unsupplied" in states:
            placed[name]["out_of_supply"] = True
    fields.setdefault("turn", 2)
    text = tomli_w.dumps({**fields, "units": placed})
    return cast(Game, TITLE.position(text, seed="test", scripted=dice))


def play(game: Game, *actions: str) -> list[Event]:
    """Play some actions and return all that happened."""
    told: list[Event] = []
    for text in actions:
        told += game.play(game.parse(text))
    return told


def texts(game: Game) -> set[str]:
    """The legal actions as texts."""
    return {game.text(action) for action in game.actions()}


def refused(game: Game, action: str) -> Refusal:
    """Why an action is not legal; fails if it is."""
    refusal = game.why_not(game.parse(action))
    assert refusal is not None, f"{action} is legal"
    assert refusal.rule in TITLE.rules
    return refusal


def where(game: Game, unit: str) -> str:
    """The space of a unit, or "eliminated"."""
    space = game.units[game.data.unit(unit)].space
    return game.data.spaces[space].id if space >= 0 else "eliminated"


def reduced(game: Game, unit: str) -> bool:
    """Whether a unit is on its Reduced-Strength side."""
    return game.units[game.data.unit(unit)].reduced


def rules_of(events: Sequence[Event]) -> set[str]:
    """The rule numbers that some events carry."""
    return {event.rule for event in events}


def holder(game: Game, space: str) -> str:
    """The side that controls a space."""
    return ("allied", "axis")[game.holder(game.data.space(space))]


def value(game: Game, action: str, name: str) -> int:
    """A named modifier in the odds of an action."""
    odds = game.odds(game.parse(action))
    assert odds is not None
    found = [line.value for line in odds.modifiers if line.name == name]
    if len(found) != 1:
        pytest.fail(f"{name} not once among {odds.modifiers}")
    return found[0]


def names(game: Game, action: str) -> dict[str, int]:
    """All modifiers in the odds of an action."""
    odds = game.odds(game.parse(action))
    assert odds is not None
    return {line.name: line.value for line in odds.modifiers}
