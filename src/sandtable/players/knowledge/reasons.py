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
