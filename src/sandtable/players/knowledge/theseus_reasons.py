"""What an opponent of Operation Theseus says of an action: the tactic that it serves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.boards import bits
from sandtable.kernel.actions import Action
from sandtable.kernel.odds import Odds
from sandtable.kernel.words import listed
from sandtable.players.knowledge.reasons import (
    at_odds,
    because,
    by_odds,
    favoured,
    reads,
    refusal,
    way_back,
)
from sandtable.titles.theseus.actions import (
    Activate,
    ActivateUnit,
    Air,
    Assault,
    Assign,
    Attack,
    AttackWith,
    Breach,
    BreakUp,
    CallOff,
    Challenge,
    Decline,
    DigIn,
    Displace,
    End,
    Enter,
    FallBack,
    Follow,
    Halt,
    Hold,
    HoldWith,
    Join,
    Keep,
    Lead,
    Lose,
    Move,
    MoveStack,
    Oppose,
    Pass,
    React,
    Refit,
    Remove,
    Replace,
    Reroll,
    RetreatTo,
    Schwerpunkt,
    Stand,
    Strike,
    To,
    Top,
    Transfer,
    Withdraw,
)
from sandtable.titles.theseus.activation import Acting
from sandtable.titles.theseus.challenges import Challenges
from sandtable.titles.theseus.choices import ArmourChoice, Escalation, escalations
from sandtable.titles.theseus.combat import FormAttack
from sandtable.titles.theseus.combat_odds import attack_odds, combat_odds
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.schema import AXIS
from sandtable.titles.theseus.snafu import Roll
from sandtable.titles.theseus.strength import Battle, new_battle

if TYPE_CHECKING:
    from sandtable.players.knowledge.theseus import Thumb

NEAR = 3
"""How many hexes off an enemy is near who digs in."""
HQ_MOVES = "Looks for a better place for the HQ."
SAYINGS: dict[type[Action], str] = {
    Enter: "Brings up a fresh unit.",
    Follow: "Goes back with those who have to.",
    HoldWith: "Holds the place with who still can.",
    Join: "Concentrates before attacking.",
    Refit: "Refits what is disrupted while there is time.",
    Replace: "Makes losses good.",
    Transfer: "Waits to see what the enemy does.",
    Reroll: "Spends SNAFU on a die that matters.",
    FallBack: "Falls back rather than lose more.",
    Hold: "Holds the place at the price of losses.",
    Withdraw: "Retreats before combat rather than stand and fight.",
    Stand: "Stands and fights.",
    CallOff: "Gives the attack up before it is declared.",
    Top: "Puts this unit on top of its stack.",
    BreakUp: "Breaks a unit up to make the losses of others good.",
    Displace: "Makes room for the others.",
    Lose: "Lets this unit bear the loss.",
    Challenge: "Asks to be shown whom the unit is assigned to.",
    Remove: "Gives up one of too many in a hex.",
}
"""What is said of actions whose tactic is always the same."""


def tactic(mind: Thumb, action: Action, plan: Sequence[Action] = ()) -> str:
    """The tactic that an action serves, as a sentence; `plan` is what follows it."""
    game, pieces = mind.game, mind.game.pieces
    match action:
        case Activate(formation):
            name = game.data.hqs[formation].name
            return f"Activates {name} {purpose(mind, formation) or 'where it stands'}."
        case Move(unit) | ActivateUnit(unit):
            return marches(mind, unit, plan)
        case MoveStack(hex):
            return marches(mind, min(game.at[hex]), plan)
        case To(hex):
            return goes(mind, hex, plan)
        case Attack(_, target) | AttackWith(_, target):
            why = gain(mind, target) or by_odds(game, action, Attack, AttackWith)
            comma = "," if why else ""
            odds = reads(game, meant(mind, action, plan))
            kind = chosen_kind(plan) or "hasty"
            return f"Attacks {game.hexname(target)},{odds} if {kind}{comma}{because(why)}."
        case Strike(kind) if isinstance(game.step, Escalation):
            why = gain(mind, game.step.battle.target) or by_odds(game, action, Strike)
            return f"Makes the {kind} attack{at_odds(game, action)}{because(why)}."
        case Breach(unit):
            return f"Opens a breach at {game.hexname(pieces[unit].hex)} {lane(mind, unit)}."
        case DigIn(hex):
            return f"Digs in at {game.hexname(hex)}: {stays(mind, hex)}."
        case Pass():
            over = game.turn == game.script.file.last_turn
            return "Has done what it could." if over else "Saves its levels for the next turn."
        case End() | Halt():
            return stops(mind, action)
    return answers(mind, action) or SAYINGS.get(type(action), "")


def answers(mind: Thumb, action: Action) -> str:
    """What is decided in the midst of something, and between activations."""
    game, step = mind.game, mind.game.step
    match action:
        case Assault():
            whole = isinstance(step, FormAttack) and not step.joiners(game)
            return f"Goes in with {'all that stand there' if whole else 'these alone'}."
        case Decline():
            if isinstance(step, Challenges):
                return "Does not doubt it."
            return "Keeps its levels for activations of its own."
        case React(formation):
            spare = ": it has a level to spare" if mind.can_react(formation) else ""
            return f"Tries to react{spare}."
        case Keep():
            if isinstance(step, Roll) and step.spoilt():
                return "No die could be worse for the enemy."
            return "Keeps SNAFU for a die that matters more."
        case Displace(piece) if game.side(piece) != mind.side:
            return "Sends it where it does least harm."
        case Displace(piece, hex) if piece >= game.data.count:
            return posts(mind, (piece,), hex)
        case RetreatTo(hex):
            return falls_back(mind, hex)
        case Schwerpunkt(formation):
            strongest = favoured(game, action, mind.tempts)
            whom = "the strongest" if strongest else game.data.hqs[formation].name
            return f"Gives the weight of the attack to {whom}."
        case Lead(formation):
            return f"Lets {game.data.hqs[formation].name} lead the defence."
        case Oppose(unit):
            attacking = isinstance(step, ArmourChoice) and step.attacking
            return f"Lets {game.name(unit)} {'lead' if attacking else 'meet'} the attack."
        case Air(number):
            return "Commits aircraft to better the odds." if number else "Keeps its aircraft back."
        case Assign(unit, formation):
            name = game.data.hqs[formation].name
            return f"Lets {game.name(unit)} act with {name}."
    return ""


# An attack is declared before its kind is chosen.


def chosen_kind(plan: Sequence[Action]) -> str:
    """7.5.1.C The kind of attack that a plan goes on to choose, if it does."""
    before = takewhile(lambda each: not isinstance(each, Attack | AttackWith), plan)
    return next((each.kind_of_attack for each in before if isinstance(each, Strike)), "")


def meant(mind: Thumb, action: Action, plan: Sequence[Action]) -> Odds | None:
    """The odds of an attack with all that its plan adds: units that join, and the kind."""
    game = mind.game
    found = game.odds(action)
    if isinstance(action, AttackWith):
        joined = takewhile(lambda each: isinstance(each, Join), plan)
        units = (action.unit, *(each.unit for each in joined if isinstance(each, Join)))
        hex = game.pieces[action.unit].hex
        found = attack_odds(game, new_battle(game, mind.side, units, hex, action.target))
    kind = chosen_kind(plan)
    if not kind or found is None or not isinstance(found.about, Battle):
        return found
    return combat_odds(game, replace(found.about, kind=kind))


def still_open(mind: Thumb, action: Action, plan: Sequence[Action]) -> bool:
    """7.5.1.C Whether an attack may yet become a better one than the hasty one declared."""
    odds = mind.game.odds(action)
    if chosen_kind(plan) or odds is None or not isinstance(odds.about, Battle):
        return False
    return escalations(mind.game, odds.about, action) > 0


def purpose(mind: Thumb, formation: int) -> str:
    """What a formation is sent to do."""
    goal = mind.orders.goal.get(formation, -1)
    if goal < 0:
        return ""
    place = mind.game.hexname(goal)
    objective = any(goal == hex for hex, _ in mind.game.script.objectives)
    enemy = mind.here.combat[1 - mind.side] >> goal & 1
    if goal == mind.orders.lane and not objective:
        return f"to open a lane through the mines at {place}"
    if mind.side == AXIS:
        if objective:
            held = mind.here.combat[AXIS] >> goal & 1
            return f"to {'hold' if held else 'take'} {place}"
        if goal in mind.orders.menaces:
            return f"against the enemy in {place}, who threatens the supply line"
        verb = "open" if enemy or mind.orders.posts.get(goal, 0.0) >= 1 else "guard"
        return f"to {verb} the supply line at {place}"
    if objective:
        return f"to {'win back' if enemy else 'cover'} {place}"
    return f"to cut the enemy's supply line at {place}"


def marches(mind: Thumb, piece: int, plan: Sequence[Action] = ()) -> str:
    """Why a unit moves at all."""
    hex = last_hex(plan)
    if piece >= mind.game.data.count:
        with_it = takewhile(lambda each: isinstance(each, Join), plan)
        joined = [each.unit for each in with_it if isinstance(each, Join)]
        return posts(mind, (piece, *joined), hex) if hex >= 0 else HQ_MOVES
    if hex >= 0 and exploits(mind, piece, hex):
        return f"Exploits its victory: goes on to {mind.game.hexname(hex)}."
    found = purpose(mind, mind.game.pieces[piece].parent)
    return f"Marches {found}." if found else "Looks for a better place."


def last_hex(plan: Sequence[Action], hex: int = -1) -> int:
    """Where a movement ends that a plan goes on with; `hex` if it goes on nowhere."""
    on = takewhile(lambda each: isinstance(each, Join | To), plan)
    return next((each.hex for each in reversed([*on]) if isinstance(each, To)), hex)


def posts(mind: Thumb, pieces: Sequence[int], hex: int) -> str:
    """5.7, 5.8 What the place of an HQ, and of whoever goes with it, is good for."""
    game = mind.game.copy()
    hq = max(pieces)
    start = game.pieces[hq].hex
    for piece in pieces:
        game.place(piece, hex)
    formation = hq - game.data.count
    units = [each for each in game.formation_pieces(formation) if each < game.data.count]
    heed = sum(game.situation.in_command(game, unit) for unit in units)
    fed = game.situation.in_supply(game, hq)
    reasons = ["fed"] * fed
    reasons += ["covered"] * bool(game.combat_units(hex))
    if heed:
        whom = "its units" if heed == len(units) else f"{heed} of its {len(units)} units"
        reasons.append(f"in reach of {whom}")
    if reasons:
        hungry = "" if fed else ", out of supply for now"
        return f"Keeps the HQ {listed(reasons)}{hungry}."
    goal = mind.orders.goal.get(formation, -1)
    nearer = goal >= 0 and start >= 0 and mind.way(goal)[hex] < mind.way(goal)[start]
    return f"Moves the HQ to {game.hexname(hex)}{', nearer to its objective' * nearer}."


def exploits(mind: Thumb, unit: int, hex: int) -> bool:
    """7.5.3 Whether the victors of an attack go on at once, nearer to what they are after."""
    game = mind.game
    acting = next((each for each in reversed(game.stack) if isinstance(each, Acting)), None)
    if acting is None or not (acting.is_bonus and acting.own_points):
        return False
    goal = mind.orders.goal.get(game.pieces[unit].parent, -1)
    nearer = goal >= 0 and mind.way(goal)[hex] < mind.way(goal)[game.pieces[unit].hex]
    return nearer or hex in mind.field.prizes


def falls_back(mind: Thumb, hex: int) -> str:
    """7.5.2.2 What speaks for a hex on the way back."""
    game, field = mind.game, mind.field
    offered = [each.hex for each in game.actions() if isinstance(each, RetreatTo)]
    apart = not game.data.beside[hex] & mind.here.combat[1 - mind.side]
    return way_back(game.hexname(hex), hex, offered, field.fire, field.pull, apart=apart)


def goes(mind: Thumb, hex: int, plan: Sequence[Action] = ()) -> str:
    """Why units go to a hex: the strongest of the reasons that draw them there."""
    game, step = mind.game, mind.game.step
    if not isinstance(step, Movement):
        return ""
    units = [unit for unit in step.units if unit < game.data.count]
    if not units:
        return posts(mind, step.units, last_hex(plan, hex))
    place, start = game.hexname(hex), game.pieces[units[0]].hex
    if step.kind == "withdrawal":
        return f"Falls back to {place}."
    onward = exploits(mind, units[0], hex)
    if hex in mind.orders.posts:
        if mind.side != AXIS:
            return f"Cuts the enemy's supply line at {place}."
        return (
            f"{'Clears' if mind.orders.posts[hex] >= 1 else 'Guards'} the supply line at {place}."
        )
    if hex in mind.field.prizes:
        verb = "Takes" if mind.side == AXIS and not game.combat_units(hex) else "Holds"
        lead = "Exploits its victory: takes" if verb == "Takes" and onward else verb
        return f"{lead} {place}, which counts."
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
        if onward:
            return f"Exploits its victory: goes on to {place}."
        return marches(mind, units[0])
    if mind.field.fire[hex] < mind.field.fire[start]:
        return "Draws back from the enemy."
    parent = game.pieces[units[0]].parent
    if parent < 0:
        return f"Goes to {place}."
    reach = game.data.hqs[parent].command
    if mind.here.command_layers(game, parent, reach)[reach] >> hex & 1:
        return "Keeps within command of its HQ."
    return f"Goes to {place}, out of its HQ's reach for now."


def stays(mind: Thumb, hex: int) -> str:
    """7.7 Why units dig in: for the place, or for how far off the enemy is."""
    if hex in mind.field.prizes:
        return "the place counts"
    far = mind.game.data.board.ring(hex)
    nearest = min((far[foe] for foe in bits(mind.here.combat[1 - mind.side])), default=NEAR)
    return "the enemy is near" if nearest <= NEAR else f"the enemy is {nearest} hexes off"


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
