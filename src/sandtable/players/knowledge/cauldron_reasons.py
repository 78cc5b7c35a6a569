"""What an opponent of Gazala: The Cauldron says of an action: the tactic that it serves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.words import listed
from sandtable.players.knowledge.cauldron_lines import mines
from sandtable.players.knowledge.reasons import (
    at_odds,
    because,
    by_odds,
    favoured,
    refusal,
    way_back,
)
from sandtable.titles.cauldron.actions import (
    Activate,
    ActivateUnit,
    Advance,
    AirAttack,
    Attack,
    Breach,
    Disrupt,
    Done,
    Eliminate,
    EndPhase,
    Exit,
    ExtraMove,
    GoFirst,
    Join,
    Lose,
    MoveTo,
    Pass,
    Place,
    PlayChit,
    PromiseAttack,
    Rebuild,
    Resolve,
    RetreatOff,
    RetreatTo,
    RetreatUnits,
    Select,
    StepUp,
    Withdraw,
)
from sandtable.titles.cauldron.advance import AdvanceAfterCombat
from sandtable.titles.cauldron.battle import Battle, open_battle
from sandtable.titles.cauldron.combat import Assault, Chits
from sandtable.titles.cauldron.minefields import MinefieldPhase
from sandtable.titles.cauldron.printed import AXIS
from sandtable.titles.cauldron.text import named

if TYPE_CHECKING:
    from sandtable.players.knowledge.cauldron import Thumb

SAYINGS: dict[type[Action], str] = {
    Eliminate: "Gives up one of too many in a hex.",
    Exit: "Leaves the map.",
    Join: "Concentrates before attacking.",
    PlayChit: "Plays a chit where it moves the result.",
    PromiseAttack: "Gives its word to attack.",
    RetreatOff: "Goes back off the map.",
    RetreatUnits: "Turns to the next who have to go back.",
    Select: "Turns to the next unit that may act.",
    Withdraw: "Takes them out of the battle.",
}
"""What is said of actions whose tactic is always the same."""


def tactic(mind: Thumb, action: Action, plan: Sequence[Action] = ()) -> str:
    """The tactic that an action serves, as a sentence; `plan` is what follows it."""
    game = mind.game
    match action:
        case Activate(formations):
            names = listed(game.facts.formations[each].name for each in formations)
            units = [
                unit
                for unit in game.facts.of_side[mind.side]
                if game.kind(unit).formation in formations
            ]
            why = merit(mind, action, units)
            return f"Activates {names}{why and f', {why}'}."
        case ActivateUnit(unit) | Select(unit) if plan:
            return calls(mind, action, unit, plan)
        case ActivateUnit(unit):
            return uses(mind, action, unit)
        case AirAttack(unit):
            return strikes(mind, unit)
        case RetreatTo(space):
            return falls_back(mind, space)
        case StepUp(unit):
            best = favoured(game, action, mind.tempts)
            return f"Brings {'the strongest' if best else game.name(unit)} up to strength."
        case MoveTo(unit, space):
            return goes(mind, unit, space)
        case Attack(unit, intensity):
            return attacks(mind, open_battle(game, unit, intensity), action)
        case Resolve() if isinstance(game.step, Assault):
            return attacks(mind, game.step.battle, action)
        case Breach(_, space):
            line = "the line of communication that is lacking" * bool(mines(game).lacking())
            return f"Opens a breach in the mines at {named(game, space)} for {line or 'supply'}."
        case Place(unit, space) | Rebuild(unit, space):
            return stands(mind, unit, space)
        case ExtraMove(unit):
            return f"Moves {game.name(unit)} once more."
        case Disrupt() | Lose():
            bears = "be shaken" if isinstance(action, Disrupt) else "bear the loss"
            choice = sum(type(each) is type(action) for each in game.actions()) > 1
            return f"Lets this unit {bears}{' rather than another' * choice}."
        case Advance(_, space):
            return f"Exploits: goes after the enemy to {named(game, space)}."
        case GoFirst(side):
            own = side == mind.side
            return "Strikes before the enemy can." if own else "Lets the enemy begin."
        case Pass():
            return passes(game.step)
        case Done() | EndPhase():
            return refusal(game, mind.tempts, Attack, "Stays: no place in reach is better.")
    return SAYINGS.get(type(action), "")


def stands(mind: Thumb, unit: UnitId, space: Space) -> str:
    """Why a unit is placed in a hex: for its works, the mines, or how near it is to the enemy."""
    game = mind.game
    if space in mind.openings(unit):
        return "Stands where the mines can be breached."
    if game.facts.fortified >> space & 1:
        return "Holds the works."
    if not mind.field.foes:
        return "Takes its place before the enemy comes."
    ring = game.facts.board.ring(space)
    far = min(ring[foe] for foe in bits(mind.field.foes))
    place = named(game, space)
    return f"Stands at {place}, {f'{far} hexes from' if far > 1 else 'beside'} the enemy."


def passes(step: object) -> str:
    """What it means to let a chance go by."""
    match step:
        case Chits():
            return "Keeps its tactical chits for another combat."
        case AdvanceAfterCombat():
            return "Stays where it is rather than go after the enemy."
        case MinefieldPhase():
            return "Begins no breach."
    return "Lets the chance go by."


def merit(mind: Thumb, action: Action, units: Sequence[UnitId]) -> str:
    """What speaks for those who are activated: what they can do, or how near the enemy is."""
    game = mind.game
    if favoured(game, action, mind.tempts):
        return "who can do most just now"
    rings = [game.facts.board.ring(at) for unit in units if (at := game.units[unit].at) >= 0]
    far = min((ring[foe] for ring in rings for foe in bits(mind.field.foes)), default=0)
    if far > 1:
        return f"{far} hexes from the enemy"
    return "beside the enemy" if far else ""


def uses(mind: Thumb, action: Action, unit: UnitId) -> str:
    """Why a unit is activated while it is open what it is going to do."""
    if mind.game.units[unit].at < 0:
        return "Brings up a fresh unit."
    why = merit(mind, action, [unit])
    if why.startswith("who"):
        return f"Uses {why}."
    return f"Uses {mind.game.name(unit)}{why and f', {why}'}."


def strikes(mind: Thumb, unit: UnitId) -> str:
    """13.4 Whom the aircraft strike: the strongest, or at least one who is not shaken yet."""
    game = mind.game
    if game.units[unit].disrupted:
        return f"Strikes {game.name(unit)}, which is shaken already."
    power = {
        each.unit: max(game.hard(each.unit), game.soft(each.unit))
        for each in game.actions()
        if isinstance(each, AirAttack) and not game.units[each.unit].disrupted
    }
    if power.get(unit) == max(power.values(), default=0):
        return "Strikes the strongest enemy who is not shaken yet."
    return f"Strikes {game.name(unit)}, which is not shaken yet."


def falls_back(mind: Thumb, space: Space) -> str:
    """11.1 What speaks for a hex on the way back."""
    game, field = mind.game, mind.field
    offered = [each.hex for each in game.actions() if isinstance(each, RetreatTo)]
    apart = not field.touching(game.facts, space)
    return way_back(named(game, space), space, offered, field.fire, field.pull, apart=apart)


def calls(mind: Thumb, action: Action, unit: UnitId, plan: Sequence[Action]) -> str:
    """Why a unit is activated: what it is going to do, if anything."""
    if all(isinstance(each, Select | Done) for each in plan):
        return "Lets the activation go by: nobody has anything better to do."
    if mind.game.units[unit].at < 0:
        return "Brings up a fresh unit."
    acts = [each for each in plan if isinstance(each, MoveTo | Attack | Done) and each.unit == unit]
    match acts[:1]:
        case [MoveTo(_, space)]:
            return goes(mind, unit, space)
        case [Attack()]:
            return "Attacks from where it stands."
        case [Done()]:
            return "Leaves it where it is."
    return SAYINGS.get(type(action), "") or uses(mind, action, unit)


def attacks(mind: Thumb, battle: Battle, action: Action) -> str:
    """An attack, its odds and what speaks for it."""
    game = mind.game
    hexes = sorted({game.units[each].at for each in battle.defenders})
    names = listed(named(game, Space(hex)) for hex in hexes)
    counts = any(hex in mind.field.prizes for hex in hexes)
    why = "the place counts" if counts else by_odds(game, action, Attack)
    return f"Attacks {names}{at_odds(game, action)}{because(why)}."


def goes(mind: Thumb, unit: UnitId, space: Space) -> str:
    """Why a unit goes to a hex."""
    game, data, field = mind.game, mind.game.facts, mind.field
    place, start = named(game, space), game.units[unit].at
    foes = field.touching(data, space)
    if space in mind.openings(unit):
        return f"Goes to {place}, where the mines can be breached."
    if space in field.posts:
        verb = "Guards" if mind.side == AXIS else "Bars"
        return f"{verb} the line of communication at {place}."
    if space in field.prizes:
        held = game.occupied[mind.side] >> space & 1
        return f"{'Holds' if held else 'Takes'} {place}, which counts."
    if foes:
        ours = game.occupied[mind.side] & ~(1 << start)
        together = any(ours >> near & 1 for foe in foes for near in data.touching[foe])
        verb = "Concentrates against" if together else "Closes up to"
        return f"{verb} the enemy in {named(game, Space(foes[0]))}."
    if data.fortified >> space & 1:
        return f"Holds the works at {place}."
    if field.pull[space] > field.pull[start]:
        return f"Goes up to {place}, nearer to what counts."
    if field.fire[space] < field.fire[start]:
        return "Draws back from the enemy."
    return f"Goes to {place}."
