"""What an opponent of Operation Theseus says of an action: the tactic that it serves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.boards import bits
from sandtable.kernel.actions import Action
from sandtable.players.knowledge.reasons import at_odds, because, by_odds, refusal
from sandtable.titles.theseus.actions import (
    Activate,
    ActivateUnit,
    Assault,
    Attack,
    AttackWith,
    Breach,
    Decline,
    DigIn,
    Displace,
    End,
    FallBack,
    Halt,
    Hold,
    Join,
    Keep,
    Move,
    MoveStack,
    Pass,
    React,
    Refit,
    Reroll,
    RetreatTo,
    Schwerpunkt,
    Stand,
    Strike,
    To,
    Transfer,
    Withdraw,
)
from sandtable.titles.theseus.choices import Escalation
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.schema import AXIS

if TYPE_CHECKING:
    from sandtable.players.knowledge.theseus import Thumb

COVERED = "Keeps the HQ fed, covered and near its units."
SAYINGS: dict[type[Action], str] = {
    Assault: "Goes in with all that stand there.",
    Join: "Concentrates before attacking.",
    Refit: "Refits what is disrupted while there is time.",
    React: "Answers at once, with a level to spare.",
    Decline: "Keeps its levels for activations of its own.",
    Transfer: "Waits to see what the enemy does.",
    Keep: "Keeps SNAFU for a die that matters more.",
    Reroll: "Spends SNAFU on a die that matters.",
    FallBack: "Falls back rather than lose more.",
    Hold: "Holds the place at the price of losses.",
    Withdraw: "Retreats before combat: the fight would be lost.",
    Stand: "Stands and fights.",
    RetreatTo: "Gets out of the enemy's reach.",
    Displace: "Goes where it is fed and covered.",
    Schwerpunkt: "Gives the weight of the attack to the strongest.",
}
"""What is said of actions whose tactic is always the same."""


def tactic(mind: Thumb, action: Action) -> str:
    """The tactic that an action serves, as a sentence."""
    game, pieces = mind.game, mind.game.pieces
    match action:
        case Activate(formation):
            name = game.data.hqs[formation].name
            return f"Activates {name} {purpose(mind, formation) or 'where it stands'}."
        case Move(unit) | ActivateUnit(unit):
            return COVERED if unit >= game.data.count else marches(mind, unit)
        case MoveStack(hex):
            return marches(mind, min(game.at[hex]))
        case To(hex):
            return goes(mind, hex)
        case Attack(_, target) | AttackWith(_, target):
            why = gain(mind, target) or by_odds(game, action, Attack, AttackWith)
            comma = "," if why else ""
            odds = f"{at_odds(game, action)} if hasty"
            return f"Attacks {game.hexname(target)},{odds}{comma}{because(why)}."
        case Strike(kind) if isinstance(game.step, Escalation):
            why = gain(mind, game.step.battle.target) or by_odds(game, action, Strike)
            return f"Makes the {kind} attack{at_odds(game, action)}{because(why)}."
        case Breach(unit):
            return f"Opens a breach at {game.hexname(pieces[unit].hex)} {lane(mind, unit)}."
        case DigIn(hex):
            held = "the place counts" if hex in mind.field.prizes else "the enemy is near"
            return f"Digs in at {game.hexname(hex)}: {held}."
        case Pass():
            over = game.turn == game.script.file.last_turn
            return "Has done what it could." if over else "Saves its levels for the next turn."
        case End() | Halt():
            return stops(mind, action)
    return SAYINGS.get(type(action), "")


def purpose(mind: Thumb, formation: int) -> str:
    """What a formation is sent to do."""
    goal = mind.orders.goal.get(formation, -1)
    if goal < 0:
        return ""
    place = mind.game.hexname(goal)
    objective = any(goal == hex for hex, _ in mind.game.script.objectives)
    if goal == mind.orders.lane and not objective:
        return f"to open a lane through the mines at {place}"
    if mind.side == AXIS:
        if objective:
            held = mind.here.combat[AXIS] >> goal & 1
            return f"to {'hold' if held else 'take'} {place}"
        if goal in mind.orders.menaces:
            return f"against the enemy in {place}, who threatens the supply line"
        verb = "open" if mind.orders.posts.get(goal, 0.0) >= 1 else "guard"
        return f"to {verb} the supply line at {place}"
    return f"to cover {place}" if objective else f"to cut the enemy's supply line at {place}"


def marches(mind: Thumb, piece: int) -> str:
    """Why a unit moves at all."""
    if piece >= mind.game.data.count:
        return COVERED
    found = purpose(mind, mind.game.pieces[piece].parent)
    return f"Marches {found}." if found else "Looks for a better place."


def goes(mind: Thumb, hex: int) -> str:
    """Why units go to a hex: the strongest of the reasons that draw them there."""
    game, step = mind.game, mind.game.step
    if not isinstance(step, Movement):
        return ""
    units = [unit for unit in step.units if unit < game.data.count]
    if not units:
        return COVERED
    place, start = game.hexname(hex), game.pieces[units[0]].hex
    if hex in mind.orders.posts:
        if mind.side != AXIS:
            return f"Cuts the enemy's supply line at {place}."
        return (
            f"{'Clears' if mind.orders.posts[hex] >= 1 else 'Guards'} the supply line at {place}."
        )
    if hex in mind.field.prizes:
        verb = "Takes" if mind.side == AXIS and not game.combat_units(hex) else "Holds"
        return f"{verb} {place}, which counts."
    if mind.here.mines[1 - mind.side] >> hex & 1:
        return f"Goes into the mines at {place} to open a breach."
    foes = bits(game.data.beside[hex] & mind.here.combat[1 - mind.side])
    if foes:
        foe = max(foes, key=lambda at: mind.field.against.get(at, 0.0))
        ours = mind.here.combat[mind.side] & ~(1 << start)
        together = game.data.beside[foe] & ours
        verb = "Concentrates against" if together else "Closes up to"
        return f"{verb} the enemy in {game.hexname(foe)}."
    goal = mind.orders.goal.get(game.pieces[units[0]].parent, -1)
    if goal >= 0 and mind.way(goal)[hex] < mind.way(goal)[start]:
        return marches(mind, units[0])
    if mind.field.fire[hex] < mind.field.fire[start]:
        return "Draws back from the enemy."
    return "Keeps within command of its HQ."


def gain(mind: Thumb, target: int) -> str:
    """What speaks for an attack on a hex, whatever its odds."""
    if target in mind.field.prizes:
        return "the place counts"
    if target in mind.orders.posts:
        return "it clears the supply line"
    beside = mind.game.data.beside[target]
    if target in mind.orders.menaces or any(beside >> hex & 1 for hex in mind.orders.posts):
        return "the enemy there threatens the supply line"
    return ""


def lane(mind: Thumb, unit: int) -> str:
    """What a breach is for."""
    if mind.game.pieces[unit].hex == mind.orders.lane:
        return "so that supply can follow"
    return "on the way to its objective"


def stops(mind: Thumb, action: Action) -> str:
    """Why nothing more is done: bad odds, or nothing that is worth its price."""
    if isinstance(action, Halt):
        return "Goes no farther for now."
    rest = "Nothing left to do is worth an Action Point."
    return refusal(mind.game, mind.tempts, Attack, rest)
