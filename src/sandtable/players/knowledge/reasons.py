"""What opponents of every title say alike when they name the tactic that an action serves."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.kernel.actions import Action
from sandtable.kernel.game import Game


def at_odds(game: Game, action: Action) -> str:
    """How an attack reads on its table: " at 3:1", or both strengths where it has no columns."""
    sheet = game.sheet(action)
    if sheet is None:
        return ""
    if sheet.columns is None:
        support = " before support" if sheet.later else ""
        return f" with {sheet.attacker.total} against {sheet.defender.total}{support}"
    likely = max(sheet.columns.columns, key=lambda column: column.probability)
    if likely.name == "below":
        return " below the table"
    about = "" if likely.probability == 1 else "about "
    return f" at {about}{likely.name}"


def because(why: str) -> str:
    """A reason as the end of a sentence, if there is one."""
    return f" because {why}" if why else ""


def by_odds(game: Game, action: Action, *kinds: type[Action]) -> str:
    """What odds alone say for one of several attacks on offer: nothing if another has better."""
    rivals = [each for each in game.actions() if isinstance(each, kinds) and each != action]
    if not rivals or not isinstance(action, kinds):
        return ""
    own = edge(game, action)
    best = all(edge(game, rival) <= own for rival in rivals)
    return "no attack at hand has better odds" if best else ""


def edge(game: Game, action: Action) -> float:
    """How much likelier the dice of an action, if any, help who decides than hurt him."""
    odds, side = game.odds(action), game.actor
    if odds is None or side is None:
        return 0.0
    return odds.edge_for(side)


def refusal(game: Game, tempts: Callable[[Action], float], kind: type[Action], rest: str) -> str:
    """Why nothing more is done: the best attack is a bad one, or there is none to make."""
    best = max(
        (each for each in game.actions() if isinstance(each, kind)), key=tempts, default=None
    )
    if best is None:
        return rest
    if tempts(best) > 0:
        return "Leaves it at that."
    return f"Refuses bad odds: the best attack would be{at_odds(game, best) or ' a poor one'}."
