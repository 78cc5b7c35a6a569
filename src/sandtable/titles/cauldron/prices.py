"""8.0 What an action costs or gives up, in words."""

from __future__ import annotations

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.words import counted
from sandtable.titles.cauldron import actions as do
from sandtable.titles.cauldron.movement import Move, allowance
from sandtable.titles.cauldron.orders import Operations, present
from sandtable.titles.cauldron.state import Game


def price(game: Game, action: Action) -> str:
    """7.0, 8.0 Movement points, units that come with a choice, and what is lost by stopping."""
    step, show = game.step, game.facts.show_points
    match action:
        case do.Select(unit):
            storm = isinstance(step, Operations) and step.storm
            return f"{show(allowance(game, unit, storm))} movement points"
        case do.Done() if isinstance(step, Move):
            if not step.spent:
                return "it has spent nothing and may act later"
            return f"the {show(step.left(game))} movement points left are lost"
        case do.Activate(each):
            units = map(UnitId, range(len(game.units)))
            ready = [u for u in units if game.kind(u).formation in each and present(game, u)]
            return f"{counted(len(ready), 'unit')} may act"
    return ""
