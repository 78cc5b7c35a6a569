"""8.0 What an action costs or gives up, in words."""

from __future__ import annotations

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.words import counted
from sandtable.titles.cauldron import actions as do
from sandtable.titles.cauldron.movement import Move, allowance
from sandtable.titles.cauldron.orders import Operations, Orders, can_act, present
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
                return f"it has spent nothing and {_later(game, step)}"
            left = step.left(game)
            are = "is" if left == game.facts.scale else "are"
            return f"the {game.facts.points_left(left)} {are} lost"
        case do.Activate(each):
            units = map(UnitId, range(len(game.units)))
            ready = [u for u in units if game.kind(u).formation in each and present(game, u)]
            storm = isinstance(step, Orders) and step.storm
            able = sum(game.units[u].at < 0 or can_act(game, u, storm) for u in ready)
            return f"{counted(able, 'unit')} may act"
    return ""


def _later(game: Game, move: Move) -> str:
    """7.0, 8.0 What becomes of a unit that is passed over (R63)."""
    for step in game.stack:
        if isinstance(step, Operations) and step.after(move).actions(game) == [do.EndPhase()]:
            return "the action phase ends, since no other unit may act"
    return "may act later"
