"""XIII, XIV What an action costs or gives up, in words."""

from __future__ import annotations

from sandtable.kernel.actions import Action
from sandtable.kernel.words import counted
from sandtable.titles.gallop import actions as do
from sandtable.titles.gallop.movement import Movement
from sandtable.titles.gallop.state import Game


def price(game: Game, action: Action) -> str:
    """XIII.A.1, XIII.A.2.c, XV.A.4 What it takes, and who is left behind by going on."""
    match action:
        case do.Truck(unit):
            return f"{game.convoys - game.book[unit].attack} of {game.convoys} convoys are left"
        case do.Convoy():
            return f"{game.convoys - 1} of {game.convoys} convoys are left"
        case do.Done() if isinstance(game.step, Movement):
            still = [unit for unit in game.step.movable(game) if not game.pieces[unit].moved]
            return f"{counted(len(still), 'unit')} not moved yet" if still else ""
        case do.Resolve():
            return "the die is rolled at once"
        case do.Join(unit, number) if number < game.book[unit].attack:
            return f"{game.book[unit].attack - number} of its factors are kept back"
    return ""
