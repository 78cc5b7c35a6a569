"""Positions from a few words, and play by action texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import tomli_w

import sandtable
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Event
from sandtable.kernel.steps import Step
from sandtable.titles.theseus.state import Game

TITLE = sandtable.title("theseus")
QUIET = {
    f"{side} {what}": "never"
    for side in TITLE.sides
    for what in ("snafu", "reaction", "withdraw", "challenge", "bonus")
}


def position(units: str, *, dice: Sequence[int] = (), quiet: bool = True, **fields: Any) -> Game:
    """A game from "I/5 2024 disrupted 3, 18.Flak 2024 of:21Pz" and fields of a position.

    Units of a hex are listed top first; a number is the strength left.
    """
    pieces: dict[str, dict[str, Any]] = {}
    stacks: dict[str, list[str]] = {}
    for entry in filter(None, (part.strip() for part in units.split(","))):
        name, at, *states = entry.split()
        piece: dict[str, Any] = {"hex": at}
        for state in states:
            if state.isdigit():
                piece["strength"] = int(state)
            elif state.startswith("of:"):
                piece["formation"] = state[3:]
            elif state.startswith("acts:"):
                piece["activations"] = int(state[5:])
            else:
                piece[{"spent": "emergency_spent", "low": "unsupplied"}.get(state, state)] = True
        pieces[name] = piece
        if at not in ("pool", "gone"):
            stacks.setdefault(at, []).append(name)
    fields.setdefault("turn", 2)
    fields.setdefault("point", {"phase": "initiative", "side": "axis"})
    if quiet:
        fields.setdefault("orders", QUIET)
    text = tomli_w.dumps({**fields, "pieces": pieces, "stacks": stacks})
    return cast(Game, TITLE.position(text, seed="test", scripted=dice))


def acting(
    formation: str, units: str, *, ap: int = 7, dice: Sequence[int] = (), **fields: Any
) -> Game:
    """A position in the middle of a formation's activation."""
    side = TITLE.data().hqs[TITLE.data().formation(formation)].side
    fields.setdefault("action_points", {side: ap})
    point = {"phase": "acting", "formation": formation}
    return position(units, dice=dice, point=point, **fields)


def enter(game: Game, step: Step[Game]) -> Game:
    """The same game gone into a step."""
    game.push(step)
    game.settle()
    return game


def give(game: Game, *faces: int) -> None:
    """More faces for a scripted game."""
    game.dice = game.dice.scripted(faces)


def play(game: Game, *actions: str) -> list[Event]:
    """Play some actions and return all that happened."""
    told: list[Event] = []
    for text in actions:
        told += game.play(game.parse(text))
        game.check()
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
    """The hex of a piece, "pool" or "gone"."""
    hex = game.pieces[game.data.piece(unit)].hex
    return game.data.board.names[hex] if hex >= 0 else ("pool" if hex == -1 else "gone")


def strength(game: Game, unit: str) -> int:
    """What a unit, or an HQ's support, has left."""
    return game.pieces[game.data.piece(unit)].strength


def disrupted(game: Game, unit: str) -> bool:
    """Whether a unit shows its disrupted side."""
    return game.pieces[game.data.piece(unit)].disrupted


def ids(game: Game, *names: str) -> tuple[int, ...]:
    """The numbers of pieces."""
    return tuple(game.data.piece(name) for name in names)


def level(game: Game, formation: str) -> int:
    """A formation's Activation Level."""
    return game.levels[game.data.formation(formation)]


def goals(game: Game) -> set[str]:
    """The hexes a stack on the move can go to."""
    return {text.split()[1] for text in texts(game) if text.startswith("to ")}
