"""5.3.4 Limited intelligence: which counters a side can look at."""

from __future__ import annotations

from sandtable.titles.theseus.combat import Combat
from sandtable.titles.theseus.results import Hits
from sandtable.titles.theseus.stacking import Overstack
from sandtable.titles.theseus.state import Game

UNDECLARED = ("isolated", "depleted")
UNFOUGHT = (*UNDECLARED, "challenge", "withdraw", "gone")


def announced(game: Game) -> set[int]:
    """5.3.4, 7.5.1.1 Units in a combat: defenders once it is declared, attackers once it is fought.

    Their strength is announced as well (ruling R48).
    """
    found: set[int] = set()
    for step in game.stack:
        if isinstance(step, Combat):
            if step.stage not in UNDECLARED:
                found |= set(step.battle.defenders)
            if step.stage not in UNFOUGHT:
                found |= set(step.battle.units)
        elif isinstance(step, Hits):
            found |= set(step.units)
    return found


def exposed(game: Game) -> set[int]:
    """5.3.3, 5.3.4 Units that both sides see: those in combat, and those in an overstacked hex."""
    found = announced(game)
    for step in game.stack:
        if isinstance(step, Overstack) and step.hexes:
            found |= set(game.at.get(step.hex, ()))
    return found


def visible(game: Game, hex: int, side: int | None) -> tuple[int, ...]:
    """5.3.4 The pieces of a stack that a side can see.

    All of its own; of an enemy stack the topmost unit, everything beneath an HQ, and what is
    exposed. Alone against static units nothing is hidden (10.1).
    """
    stack = game.at.get(hex, ())
    if not stack or game.side(stack[0]) == side or game.data.is_hq(stack[0]):
        return stack
    if len(stack) == 1 or game.script.solo >= 0:
        return stack
    shown = exposed(game)
    return tuple(piece for at, piece in enumerate(stack) if at == 0 or piece in shown)


def exerts_zoc(game: Game, piece: int) -> bool:
    """5.4 Whether a piece exerts a Zone of Control in the state it is in."""
    count = game.data.count
    return piece < count and not game.data.no_zoc[piece] and not game.pieces[piece].disrupted
