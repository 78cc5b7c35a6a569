"""What an opponent of Operation Battleaxe says of an action: the tactic that it serves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.players.knowledge.reasons import at_odds, refusal
from sandtable.titles.battleaxe.actions import (
    Activate,
    Advance,
    Attack,
    CallArtillery,
    Consolidate,
    DeclareAssault,
    DeclareRegroup,
    EndImpulse,
    Join,
    LeadDefense,
    Move,
    Pass,
    Refit,
    Resolve,
    RetreatTo,
    Shift,
    SpendAdvantage,
    Stand,
    UseAir,
    UseRommel,
    Withdraw,
)
from sandtable.titles.battleaxe.combat import RollDice

if TYPE_CHECKING:
    from sandtable.players.knowledge.battleaxe import Thumb

SAYINGS: dict[type[Action], str] = {
    Consolidate: "Brings one unit up to strength at the expense of another.",
    DeclareRegroup: "Closes up rather than attack.",
    Join: "Concentrates before attacking.",
    Pass: "Saves its strength: no attack within reach is worth its losses.",
    Refit: "Brings back what is worth most.",
    RetreatTo: "Falls back to where it is wanted.",
    Stand: "Holds the place.",
    Withdraw: "Saves the unit rather than the place.",
}
"""What is said of actions whose tactic is always the same."""


def tactic(mind: Thumb, action: Action, plan: Sequence[Action]) -> str:
    """The tactic that an action serves, as a sentence."""
    game = mind.game
    match action:
        case DeclareAssault(spaces):
            return assaults(mind, spaces, plan)
        case Activate(space):
            return assaults(mind, (space,), plan)
        case Move(unit, to):
            on = [each.space for each in plan if isinstance(each, Move) and each.unit == unit]
            return goes(mind, unit, on[-1] if on else to)
        case Attack(space, _):
            return attacks(mind, space, action)
        case Resolve() if isinstance(game.step, RollDice):
            return attacks(mind, game.step.battle.space, action)
        case Advance(_, to):
            back = game.holder(to) == mind.side
            return f"{'Goes back' if back else 'Exploits: goes on'} to {game.data.called(to)}."
        case LeadDefense(unit):
            best = max(
                game.cv(each.unit) for each in game.actions() if isinstance(each, LeadDefense)
            )
            if game.cv(unit) == best:
                return "Lets the strongest lead the defence."
            return "Spares the strongest: another leads the defence."
        case Shift(_, to):
            return f"Guards {game.data.called(to)}{worth(mind, to)}."
        case UseAir(True) | UseRommel(True) | CallArtillery(True):
            return "Brings up support, now that it counts."
        case UseAir() | UseRommel() | CallArtillery():
            return "Saves its support for a better moment."
        case SpendAdvantage(spend):
            return "Spends the Advantage where it counts." if spend else "Keeps the Advantage."
        case EndImpulse():
            return refusal(game, mind.tempts, Attack, "Nothing more is worth doing here.")
    return SAYINGS.get(type(action), "")


def marks_time(plan: Sequence[Action]) -> bool:
    """Whether a plan stirs nobody."""
    stirs = any(isinstance(each, Attack | Move | Shift | Consolidate) for each in plan)
    return bool(plan) and isinstance(plan[-1], EndImpulse) and not stirs


def worth(mind: Thumb, space: int) -> str:
    """What a place brings, if anything."""
    return ", which scores" if mind.game.data.spaces[space].vp else ""


def assaults(mind: Thumb, spaces: Sequence[Space], plan: Sequence[Action]) -> str:
    """Where the blow is to fall: where the plan leads; without one, what those units look to."""
    game = mind.game
    stirs = [each for each in plan if isinstance(each, Attack | Move | Activate)]
    # What another Area does that is activated later is said then.
    ours = list(takewhile(lambda each: not isinstance(each, Activate), stirs)) or stirs
    fights = {each.space for each in ours if isinstance(each, Attack)}
    ends = {each.unit: each.space for each in ours if isinstance(each, Move)}
    goals = fights or {*ends.values()}
    if marks_time(plan):
        return "Marks time: nothing within reach is worth stirring for."
    if not goals:
        best = max(each for space in spaces for each in mind.targets(space))[1]
        return f"Has an eye on {game.data.called(best)}{worth(mind, best)}."
    to = max(goals, key=lambda goal: game.data.spaces[goal].vp)
    if to not in ends.values():
        return f"Attacks {game.data.called(to)}{worth(mind, to)}."
    verb = "hold" if game.holder(to) == mind.side else "take"
    if game.occupied[1 - mind.side] >> to & 1:
        verb = "join the fight for" if ends and not fights else "attack"
    return f"Moves to {verb} {game.data.called(to)}{worth(mind, to)}."


def goes(mind: Thumb, unit: UnitId, to: Space) -> str:
    """Why a unit goes to a place."""
    game, side = mind.game, mind.side
    if game.occupied[1 - side] >> to & 1:
        together = any(each != unit for each in game.units_in(side, to))
        verb = "Concentrates before attacking" if together else "Goes in to attack"
        return f"{verb} {game.data.called(to)}{worth(mind, to)}."
    if game.holder(to) == side:
        return f"Guards {game.data.called(to)}{worth(mind, to)}."
    return f"Takes {game.data.called(to)}{worth(mind, to)}."


def attacks(mind: Thumb, space: Space, action: Action) -> str:
    """An attack, its strengths and what speaks for it."""
    game = mind.game
    scores = game.data.spaces[space].vp and game.holder(space) != mind.side
    why = "the place scores" if scores else "the enemy there has to be driven out"
    return f"Attacks {game.data.called(space)}{at_odds(game, action)} because {why}."
