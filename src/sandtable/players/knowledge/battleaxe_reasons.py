"""What an opponent of Operation Battleaxe says of an action: the tactic that it serves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.players.knowledge.reasons import at_odds, favoured, refusal
from sandtable.titles.battleaxe.actions import (
    Absorb,
    Activate,
    Advance,
    Attack,
    Begin,
    CallArtillery,
    Consolidate,
    DeclareAssault,
    DeclareFuelShortage,
    DeclareRegroup,
    DeclareRommel,
    EndImpulse,
    EndRefit,
    ExtraReplacement,
    Intercept,
    Join,
    LeadDefense,
    Move,
    Pass,
    Rebuild,
    Recover,
    Refit,
    Reserves,
    Resolve,
    RetreatTo,
    SetUp,
    Shift,
    SpendAdvantage,
    Stand,
    TigerCubs,
    UseAir,
    UseRommel,
    Withdraw,
)
from sandtable.titles.battleaxe.combat import RollDice
from sandtable.titles.battleaxe.impulses import WirelessIntercept
from sandtable.titles.battleaxe.losses import ELIMINATE, RETREAT
from sandtable.titles.battleaxe.victory import LAST_DAY

if TYPE_CHECKING:
    from sandtable.players.knowledge.battleaxe import Thumb

SAYINGS: dict[type[Action], str] = {
    Begin: "Goes in with these alone.",
    Consolidate: "Brings one unit up to strength at the expense of another.",
    DeclareFuelShortage: "Starves the Axis of fuel: one Area at a time, and weaker attacks.",
    DeclareRegroup: "Closes up rather than attack.",
    DeclareRommel: "Brings Rommel to the front, to lead attacks until night.",
    EndRefit: "Leaves the rest as it is.",
    Join: "Concentrates before attacking.",
    Pass: "Saves its strength: no attack within reach is worth its losses.",
    Stand: "Holds the place.",
    Withdraw: "Saves the unit rather than the place.",
}
"""What is said of actions whose tactic is always the same."""
MARKS_TIME = "Marks time: nothing within reach is worth stirring for."


def tactic(mind: Thumb, action: Action, plan: Sequence[Action]) -> str:
    """The tactic that an action serves, as a sentence."""
    game = mind.game
    match action:
        case DeclareAssault(spaces):
            return assaults(mind, spaces, plan)
        case Activate(space):
            return assaults(mind, (space,), plan)
        case DeclareRegroup() if marks_time(plan):
            return MARKS_TIME
        case Move(unit, to):
            on = [each.space for each in plan if isinstance(each, Move) and each.unit == unit]
            if not on:
                return goes(mind, unit, to)
            return f"{goes(mind, unit, on[-1])[:-1]}, by way of {game.data.called(to)}."
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
        case SetUp(_, to):
            return starts(mind, to)
        case Absorb(unit, how):
            return bears(mind, unit, how)
        case Rebuild(unit, to):
            return rebuilds(mind, unit, to)
        case Refit(unit) | Recover(unit) | TigerCubs(unit) | Reserves(unit):
            return restores(mind, action, unit)
        case ExtraReplacement():
            if game.turn > LAST_DAY - (not game.options["extended"]):
                return "Spends the Advantage while it still counts: this is the last night."
            return "Brings back more tonight rather than keep the Advantage for tomorrow."
        case Intercept():
            more = isinstance(game.step, WirelessIntercept) and game.step.regroup
            return f"{'Regroups' if more else 'Attacks'} as well before the enemy can answer."
        case RetreatTo(_, to):
            return f"Falls back to {game.data.called(to)}{worth(mind, to)}."
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


def starts(mind: Thumb, to: Space) -> str:
    """5.2.1 Why a unit sets up in a place: for what lies before it."""
    data = mind.game.data
    before = [Space(each) for each in spots(data.near[to] & ~data.zones)]
    best = max(before, key=lambda each: data.spaces[each].vp, default=None)
    if best is None or not data.spaces[best].vp:
        return f"Starts from {data.called(to)}."
    return f"Starts beside {data.called(best)}, which scores."


def bears(mind: Thumb, unit: UnitId, how: str) -> str:
    """11.5 How a loss is taken, and rather than what."""
    game = mind.game
    name = game.data.unit_facts[unit].id
    others = [each for each in game.actions() if isinstance(each, Absorb)]
    if how == RETREAT:
        stays = any(each.unit == unit and each.how != RETREAT for each in others)
        return f"Gives ground{' rather than lose strength' if stays else ''}."
    rather = ""
    if any(each.how == RETREAT for each in others):
        rather = " rather than give ground"
    elif any(each.unit != unit for each in others):
        rather = " rather than another"
    verb = "Gives up" if how == ELIMINATE else "Reduces"
    return f"{verb} {name}{rather}."


def rebuilds(mind: Thumb, unit: UnitId, to: Space) -> str:
    """13.3.2 Whom a Replacement Point brings back, and where to."""
    game = mind.game
    facts = game.data.unit_facts
    lost = [each.unit for each in game.actions() if isinstance(each, Rebuild)]
    best = all(facts[each].cv[1] <= facts[unit].cv[1] for each in lost)
    whom = "the strongest it has lost" if best else facts[unit].id
    front = game.data.near[to] & game.occupied[1 - mind.side]
    where = worth(mind, to) or (", beside the enemy" if front else "")
    return f"Rebuilds {whom} in {game.data.called(to)}{where}."


def restores(mind: Thumb, action: Action, unit: UnitId) -> str:
    """13.3, 19.1G, 19.4 Whom a refit brings up to strength, and at what price."""
    name = mind.game.data.unit_facts[unit].id
    whom = "what is worth most" if favoured(mind.game, action, mind.tempts) else name
    match action:
        case Recover():
            return f"Recovers {name} from the battlefield for nothing."
        case TigerCubs():
            return f"Gives the Advantage for new tanks: {name} is at full strength again."
        case Reserves():
            return f"Fills up {name} from the reserves for nothing."
    return f"Brings back {whom}."


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
        return MARKS_TIME
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
