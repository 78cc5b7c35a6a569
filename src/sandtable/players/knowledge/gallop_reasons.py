"""What an opponent of The Gazala Gallop says of an action: the tactic that it serves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.words import listed
from sandtable.players.knowledge.reasons import at_odds, because, figures, refusal, way_back
from sandtable.titles.gallop.actions import (
    Activate,
    Airlift,
    Airstrike,
    Also,
    Arrive,
    Attack,
    Besiege,
    Cancel,
    Convoy,
    Done,
    Drive,
    Gallop,
    Intercept,
    Join,
    Loiter,
    Lose,
    MoveTo,
    PickWeather,
    Place,
    Post,
    Resolve,
    RetreatTo,
    Stand,
    Truck,
)
from sandtable.titles.gallop.battle import NoRetreat
from sandtable.titles.gallop.combat import Assault, Attacks
from sandtable.titles.gallop.movement import Movement
from sandtable.titles.gallop.retreat import FallBack
from sandtable.titles.gallop.siege import Siege
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.supply import Supply

if TYPE_CHECKING:
    from sandtable.players.knowledge.gallop import Thumb

SAYINGS: dict[type[Action], str] = {
    Airlift: "Feeds by air who cannot be fed by land.",
    Besiege: "Hides anew who stands where in Tobruk.",
    Cancel: "Gathers the attack in another way.",
    Gallop: "Gives up the Gazala line to save those who hold it.",
    Intercept: "Meets the enemy's aircraft before they strike.",
    Join: "Concentrates before attacking.",
    Loiter: "Keeps its aircraft over the front.",
    Lose: "Gives up one of too many in a hex.",
    PickWeather: "Any number is as good as another.",
    Truck: "Takes to trucks to be there in time.",
}
"""What is said of actions whose tactic is always the same."""
BREAKDOWN, STRUCK = "breaks down", "Disrupted"
"""XIII.D, X.B.1 How the outcomes begin that a move may come to on its way."""


def tactic(mind: Thumb, action: Action, plan: Sequence[Action] = ()) -> str:
    """The tactic that an action serves, as a sentence; `plan` is what follows it."""
    game = mind.game
    match action:
        case Activate(unit):
            return wakes(mind, unit)
        case MoveTo(unit, hex):
            return goes(mind, unit, hex, plan)
        case Attack(hex):
            return attacks(mind, (hex,), action)
        case Also(hex):
            return f"Attacks {game.place_name(hex)} in the same battle."
        case Resolve() if isinstance(game.step, Assault):
            return attacks(mind, game.step.targets, action)
        case Airstrike(hex):
            return f"Strikes {game.place_name(hex)} from the air{struck(mind, hex)}."
        case Convoy(unit):
            return f"Sends a convoy to {game.name(unit)}, so that {fed(game, unit)}."
        case Place(_, hex) | Arrive(_, hex) | Post(_, hex):
            return stands(mind, hex)
        case RetreatTo(unit, hex):
            return falls_back(mind, unit, hex)
        case Drive(hexes):
            return "Drives the beaten back." if hexes else "Lets the beaten stay where they are."
        case Stand(unit):
            return "Holds the works." if game.in_works(unit) else "Stands and takes the losses."
        case Done():
            return ends(mind)
    return SAYINGS.get(type(action), "")


def chances(game: Game, action: Action) -> str:
    """What may become of a move on its way; of an answer to an attack nothing, as it rolls none."""
    odds, side = game.odds(action), game.actor
    if isinstance(action, Done):
        return ""
    if isinstance(action, MoveTo) and odds is not None and side is not None:
        down = sum(each.probability for each in odds.outcomes if each.text.startswith(BREAKDOWN))
        if down:
            return f"{float(down):.0%} to break down."
        hit = sum(each.probability for each in odds.outcomes if each.text.startswith(STRUCK))
        return f"{float(hit):.0%} to be Disrupted from the air."
    return figures(odds, side)


def wakes(mind: Thumb, unit: UnitId) -> str:
    """V.A What speaks for the unit that is woken: how near the enemy is, or its own strength."""
    game = mind.game
    far = {
        each.unit: nearest(mind, game.pieces[each.unit].hex)
        for each in game.actions()
        if isinstance(each, Activate)
    }
    own = nearest(mind, game.pieces[unit].hex)
    if own <= min(far.values(), default=own):
        return "Wakes who is nearest to the enemy."
    # V.B How strong those are who lie face down is nobody else's business.
    power = game.book[unit].attack
    if not game.lay.hidden and all(game.book[each].attack <= power for each in far):
        return "Wakes the strongest who is still asleep."
    return f"Wakes who is {own} hexes from the enemy."


def attacks(mind: Thumb, hexes: Sequence[Space], action: Action) -> str:
    """An attack, its odds and what speaks for it."""
    names = listed(map(mind.game.place_name, hexes))
    game, odds = mind.game, mind.game.odds(action)
    bad = odds is not None and odds.chance_for(mind.side) < 0.5
    duties = [step.duty(game).hexes for step in game.stack if isinstance(step, Attacks)]
    if bad and any(duty >> hex & 1 for duty in duties for hex in hexes):
        why = "it stands beside the enemy and has to"
    elif any(hex in mind.field.prizes for hex in hexes):
        why = "the place counts"
    else:
        why = ""
    return f"Attacks {names}{at_odds(mind.game, action)}{because(why)}."


def struck(mind: Thumb, hex: int) -> str:
    """X.B.1 Whom an air attack falls on, and where."""
    if not mind.fresh(hex):
        return ""
    return f", fresh troops{' near our attackers' if mind.near(hex) else ''}"


def fed(game: Game, unit: UnitId) -> str:
    """XV.B What a convoy is for: it feeds a unit, or through it others, to move or to recover."""
    step = game.step
    if not (isinstance(step, Supply) and step.recovery):
        return "it does not starve"
    return "it may recover" if game.pieces[unit].disrupted else "those it feeds may recover"


def goes(mind: Thumb, unit: UnitId, hex: Space, plan: Sequence[Action]) -> str:
    """Why a unit goes to a hex."""
    game, field = mind.game, mind.field
    place, start = game.place_name(hex), game.pieces[unit].hex
    planned = {each.hex for each in plan if isinstance(each, Attack | Also)}
    for at in field.beside[hex]:
        if field.targets[at].hex in planned:
            return f"Concentrates before attacking {game.place_name(field.targets[at].hex)}."
    aim = mind.muster.aim.get(unit, -1)
    if aim >= 0 and aim in field.beside[hex]:
        return f"Concentrates against {game.place_name(field.targets[aim].hex)}."
    if hex in field.guards or hex in field.prizes:
        return objective(mind, hex)
    if game.works(mind.side) >> hex & 1:
        return f"Holds the works at {place}."
    if mind.fed[hex] <= mind.length < mind.fed[start]:
        return f"Goes back into supply at {place}."
    if field.pull[hex] > field.pull[start]:
        return f"Goes up to {place}, nearer to what counts."
    after, before = (nearest(mind, each) for each in (hex, start))
    if after <= 1:
        return f"Goes to {place}, beside the enemy."
    if after >= before:
        return "Keeps away from the enemy until it can attack him with others."
    return f"Goes to {place}, {after} hexes from the enemy."


def objective(mind: Thumb, hex: int) -> str:
    """IV Why a unit goes to a hex that counts: to take it from the enemy, or to keep him out."""
    game, field = mind.game, mind.field
    place, what = game.place_name(hex), meaning(game, hex)
    wins = game.facts.allied_win >> hex & 1
    axis = bool(wins) or hex in game.axis_holds
    if axis != (mind.side == "axis"):
        if field.beside[hex]:
            return f"Makes for {place}, {what}."
        return f"Exploits: nobody bars the way into {place}, {what}."
    if hex in field.guards:
        return f"Guards {place}, {what}, so that nobody walks in."
    return f"Holds {place}, {what}."


def meaning(game: Game, hex: int) -> str:
    """IV What a hex is that counts."""
    if game.facts.allied_win >> hex & 1:
        return "where the Allies would win at once"
    if hex == game.facts.dump:
        return "the supply dump"
    return "a source of supply" if hex in game.eastern_sources() else "which counts"


def stands(mind: Thumb, hex: Space) -> str:
    """Why a unit is placed in a hex: for its works, or how near it is to the enemy."""
    if mind.game.works(mind.side) >> hex & 1:
        return "Holds the works."
    if not mind.field.targets:
        return "Takes its place before the enemy comes."
    far = nearest(mind, hex)
    return f"Stands {far} hexes from the enemy." if far > 1 else "Stands beside the enemy."


def falls_back(mind: Thumb, unit: UnitId, hex: Space) -> str:
    """XIV.D.2 What speaks for a hex on the way back."""
    game, field = mind.game, mind.field
    offers = [each for each in game.actions() if isinstance(each, RetreatTo)]
    offered = [each.hex for each in offers if each.unit == unit]
    return way_back(game.place_name(hex), hex, offered, field.fire, field.pull)


def nearest(mind: Thumb, hex: int) -> int:
    """How far off the nearest enemy is."""
    far = mind.game.facts.board.ring(hex)
    return min((far[each.hex] for each in mind.field.targets), default=len(far))


def ends(mind: Thumb) -> str:
    """Why nothing more is done."""
    match mind.game.step:
        case Movement():
            return "Has moved whom it wants to move."
        case FallBack():
            return "Goes back no farther."
        case NoRetreat():
            return "Gives no order to stand, which would bar a retreat."
        case Siege(begun=False):
            return "Leaves the garrison of Tobruk as it stands."
        case Attacks():
            return refusal(mind.game, mind.tempts, Attack, "No enemy is left to attack.")
    return ""
