"""8.0 What an action costs or gives up, in words."""

from __future__ import annotations

from sandtable.kernel.actions import Action
from sandtable.kernel.words import counted
from sandtable.titles.battleaxe import actions as do
from sandtable.titles.battleaxe.data import SIDES
from sandtable.titles.battleaxe.state import Game


def price(game: Game, action: Action) -> str:
    """8.1 Who comes with a choice, and what it uses up."""
    side = SIDES.index(game.actor or SIDES[0])
    match action:
        case do.EndImpulse():
            return "the other side is next"
        case do.Pass():
            return "you do nothing in this Impulse"
        case do.CallArtillery(True):
            left = game.artillery[side]
            return f"{counted(left, 'marker')} left; one that answers is used for the day"
        case do.Resolve():
            return "the dice are rolled at once"
    return ""
