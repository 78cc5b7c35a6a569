"""What opponents of every title say alike when they name the tactic that an action serves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import accumulate

from sandtable.kernel.actions import Action
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game
from sandtable.kernel.odds import Odds
from sandtable.kernel.sheets import Columns

HALF = 0.5 - 1e-9
"""Half of all chances, as sums of floats come to it."""


def at_odds(game: Game, action: Action) -> str:
    """How an attack reads on its table: " at 3:1", or both strengths where it has no columns."""
    return reads(game, game.odds(action))


def reads(game: Game, odds: Odds | None) -> str:
    """The same of the odds of an attack."""
    sheet = game.lay_out(odds) if odds and odds.about is not None else None
    if sheet is None:
        return ""
    if sheet.columns is None:
        support = " before support" if sheet.later else ""
        return f" with {sheet.attacker.total} against {sheet.defender.total}{support}"
    return in_the_middle(sheet.columns)


def in_the_middle(found: Columns) -> str:
    """The column that as many chances lie above as below, where it is not known yet which it is."""
    shares = accumulate(column.probability for column in found.columns)
    both = zip(found.columns, shares, strict=True)
    middle = next(column for column, share in both if share >= HALF)
    if middle.name == "below":
        return " below the table"
    about = "" if middle.probability == 1 else "about "
    return f" at {about}{middle.name}"


def figures(odds: Odds | None, side: Side | None) -> str:
    """The exact chances of an action that leads to dice, for who decides."""
    if odds is None or side is None:
        return ""
    ours = odds.chance_for(side)
    theirs = ours - odds.edge_for(side)
    return f"{ours:.0%} to go well and {theirs:.0%} to go badly." if ours or theirs else ""


def because(why: str) -> str:
    """A reason as the end of a sentence, if there is one."""
    return f" because {why}" if why else ""


def by_odds(game: Game, action: Action, *kinds: type[Action]) -> str:
    """What odds alone say for one of several attacks on offer: nothing if another has better.

    Nor is it a reason for an attack that is likelier to go badly than well.
    """
    rivals = [each for each in game.actions() if isinstance(each, kinds) and each != action]
    if not rivals or not isinstance(action, kinds):
        return ""
    own = edge(game, action)
    best = own > 0 and all(edge(game, rival) <= own for rival in rivals)
    return "no attack at hand has better odds" if best else ""


def favoured(game: Game, action: Action, tempts: Callable[[Action], float]) -> bool:
    """Whether no other action of its kind at hand tempts more."""
    own = tempts(action)
    return all(tempts(each) <= own for each in game.actions() if type(each) is type(action))


def way_back(
    place: str,
    hex: int,
    offered: Collection[int],
    fire: Sequence[float],
    pull: Sequence[float],
    *,
    apart: bool = False,
) -> str:
    """What speaks for a hex to retreat to: the enemy's fire, what counts, or no contact.

    >>> way_back("Acroma", 1, (0, 1), fire=(2.0, 1.0), pull=(0.0, 0.0))
    'Falls back to Acroma, where the enemy can do least.'
    """
    if not fire[hex]:
        return "Gets out of the enemy's reach."
    why = ", out of contact with the enemy" if apart else ""
    if all(fire[hex] <= fire[each] for each in offered):
        why = ", where the enemy can do least"
    elif all(pull[hex] >= pull[each] for each in offered):
        why = ", still near what counts"
    return f"Falls back to {place}{why}."


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
    odds = at_odds(game, best)
    if edge(game, best) < 0:
        return f"Refuses bad odds: the best attack would be{odds or ' a poor one'}."
    return f"The best attack{odds and f',{odds},'} is not worth its price."
