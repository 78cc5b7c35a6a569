"""Positions from a few words, and play by action texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import tomli_w

import sandtable
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Event, Rolled
from sandtable.titles.gallop.state import Game, Piece

TITLE = sandtable.title("gallop")
WORDS: dict[str, tuple[str, Any]] = {
    "disrupted": ("disrupted", True),
    "asleep": ("active", False),
    "unsupplied": ("supplied", False),
    "moved": ("moved", True),
    "attacked": ("attacked", True),
    "trucked": ("trucked", True),
    "galloping": ("galloping", True),
    "down": ("face", "down"),
    "turned": ("face", "turned"),
}


def position(units: str, stage: str = "axis movement", dice: Sequence[int] = (), **f: Any) -> Game:
    """A game from "15Pz H4, 4Arm I10 asleep disrupted" and fields of a position file."""
    placed: dict[str, dict[str, Any]] = {}
    for entry in filter(None, (part.strip() for part in units.split(","))):
        name, at, *states = entry.split()
        placed[name] = {"at": at}
        for state in states:
            if "-" in state:
                placed[name]["factors"] = [int(part) for part in state.split("-")]
            else:
                key, value = WORDS[state]
                placed[name][key] = value
    f.setdefault("turn", 2)
    text = tomli_w.dumps({"stage": stage, **f, "units": placed})
    return cast(Game, TITLE.position(text, seed="test", scripted=dice))


def play(game: Game, *actions: str) -> list[Event]:
    """Play some actions and return all that happened."""
    told: list[Event] = []
    for text in actions:
        told += game.play(game.parse(text))
        game.check()
    return told


def texts(game: Game, start: str = "") -> set[str]:
    """The legal actions as texts, or those that start so."""
    return {text for text in map(game.text, game.actions()) if text.startswith(start)}


def reach(game: Game, unit: str) -> set[str]:
    """The hexes a unit may move to."""
    return {text.split()[2] for text in texts(game, f"move {unit} ")}


def refused(game: Game, action: str) -> Refusal:
    """Why an action is not legal; fails if it is."""
    refusal = game.why_not(game.parse(action))
    assert refusal is not None, f"{action} is legal"
    assert refusal.rule in TITLE.rules, refusal
    return refusal


def piece(game: Game, unit: str) -> Piece:
    """A counter."""
    return game.pieces[game.facts.index[unit]]


def where(game: Game, unit: str) -> str:
    """The hex of a unit, "dead" or "off"."""
    hex = piece(game, unit).hex
    return {-1: "off", -2: "dead"}.get(hex) or game.hex_name(hex)


def outcome(events: list[Event]) -> str:
    """The label of the last roll."""
    return [event.outcome for event in events if isinstance(event, Rolled)][-1]


def rules(events: list[Event], kind: type[Event]) -> list[str]:
    """The rule numbers of the events of a kind."""
    return [event.rule for event in events if isinstance(event, kind)]


def cost(game: Game, unit: str, hex: str) -> str:
    """What the view says a move costs."""
    return game.view(game.actor).reach[unit][hex]
