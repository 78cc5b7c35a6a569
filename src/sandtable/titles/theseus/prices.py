"""7 What an action costs or gives up, in words."""

from __future__ import annotations

from sandtable.kernel.actions import Action
from sandtable.kernel.words import counted
from sandtable.titles.theseus import actions as do
from sandtable.titles.theseus.acting import Acting
from sandtable.titles.theseus.activation import action_points
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.schema import QUARTERS
from sandtable.titles.theseus.state import Game


def price(game: Game, action: Action) -> str:
    """6.3.4, 7 Action Points, what they buy, and what is lost by stopping."""
    step, costs = game.step, game.data.tables.action_costs
    match action:
        case do.Activate(formation=formation) | do.React(formation=formation):
            reaction = isinstance(action, do.React)
            rolls = [action_points(game, formation, face, reaction) for face in range(1, 11)]
            paid = f"{min(rolls)} to {points(max(rolls))}; {level_price(game, formation)}"
            return f"{paid}; nothing if it fails" if reaction else paid  # 6.5.4
        case do.ActivateUnit():
            return "one action, without Action Points"
        case do.Strike(kind_of_attack=kind):
            return f"{points(getattr(costs, kind))} in all"
        case do.Halt() if isinstance(step, Movement) and step.moved:
            left = step.left(game) / QUARTERS
            return f"{left:g} Movement Points are left unused" if left else ""
    return acting_price(game, step, action) if isinstance(step, Acting) else ""


def level_price(game: Game, formation: int) -> str:
    """6.3.3, 6.5.2 What becomes of a formation's level, and of its Emergency Supply."""
    hq = game.data.hq_of(formation)
    falls = f"its level falls to {max(0, game.levels[formation] - 1)}"
    if game.situation.in_supply(game, hq):
        return falls
    if game.pieces[hq].spent:
        return "its level falls to 0, since its Emergency Supply is used up"
    return f"{falls}, and its Emergency Supply is used"


def acting_price(game: Game, step: Acting, action: Action) -> str:
    """5.8.3, 7.2 What the choice of an action costs the formation that acts."""
    costs = game.data.tables.action_costs
    match action:
        case do.Move(unit=unit):
            return points(step.cost(game, unit))
        case do.MoveStack(hex=hex):
            movers = [piece for piece in step.pieces(game) if game.pieces[piece].hex == hex]
            able = [piece for piece in movers if not step.no_move(game, piece)]
            return points(max(step.cost(game, each) for each in able))
        case do.Attack(hex=hex, target=target):
            first = step.attackers(game, hex, target)[0]
            return attack_price(game, step, first)
        case do.AttackWith(unit=unit):
            return attack_price(game, step, unit)
        case do.Breach():
            return points(0 if step.single else costs.breach)
        case do.Refit():
            return points(0 if step.single else costs.refit)
        case do.DigIn(hex=hex):
            paid = points(0 if step.single else costs.improved_defence)
            return f"{paid}; lasts until a unit there acts"
        case do.Top():
            return "costs nothing"
        case do.End() if not step.single:
            left = step.bonus if step.is_bonus else step.points(game)
            return f"the {points(left)} left {'is' if left == 1 else 'are'} lost"
    return ""


def attack_price(game: Game, step: Acting, unit: int) -> str:
    """7.5.1.C An attack begins as a hasty one; points and command may allow more."""
    first, costs = step.cost(game, unit), game.data.tables.action_costs
    dearer = [
        f"{kind} {cost}"
        for kind, cost in (("regular", costs.regular), ("prepared", costs.prepared))
        if first == costs.hasty and cost <= step.points(game)
    ]
    if not dearer:
        return points(first)
    return f"{' or '.join((', '.join((f'hasty {first}', *dearer[:-1])), dearer[-1]))} Action Points"


def points(number: int) -> str:
    """Action Points in words."""
    return counted(number, "Action Point") if number else "no Action Points"
