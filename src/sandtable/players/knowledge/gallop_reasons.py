"""What an opponent of The Gazala Gallop says of an action: the tactic that it serves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.words import listed
from sandtable.players.knowledge.reasons import at_odds, because, refusal
from sandtable.titles.gallop.actions import (
    Activate,
    Airlift,
    Airstrike,
    Arrive,
    Attack,
    Cancel,
    Convoy,
    Done,
    Drive,
    Intercept,
    Join,
    Loiter,
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

if TYPE_CHECKING:
    from sandtable.players.knowledge.gallop import Thumb

SAYINGS: dict[type[Action], str] = {
    Activate: "Wakes who is nearest to the fight.",
    Airlift: "Feeds by air who cannot be fed by land.",
    Cancel: "Gathers the attack in another way.",
    Intercept: "Meets the enemy's aircraft before they strike.",
    Join: "Concentrates before attacking.",
    Loiter: "Keeps its aircraft over the front.",
    PickWeather: "Any number is as good as another.",
    RetreatTo: "Falls back to where it is least in danger.",
    Truck: "Takes to trucks to be there in time.",
}
"""What is said of actions whose tactic is always the same."""


def tactic(mind: Thumb, action: Action) -> str:
    """The tactic that an action serves, as a sentence."""
    game = mind.game
    match action:
        case MoveTo(unit, hex):
            return goes(mind, unit, hex)
        case Attack(hex):
            return attacks(mind, (hex,), action)
        case Resolve() if isinstance(game.step, Assault):
            return attacks(mind, game.step.targets, action)
        case Airstrike(hex):
            return f"Strikes {game.place_name(hex)} from the air, fresh troops near our attackers."
        case Convoy(unit):
            return f"Sends a convoy to {game.name(unit)}, so that it does not starve."
        case Place(_, hex) | Arrive(_, hex) | Post(_, hex):
            works = game.works(mind.side) >> hex & 1
            return "Holds the works." if works else "Stands as far forward as is safe."
        case Drive(hexes):
            return "Drives the beaten back." if hexes else "Lets the beaten stay where they are."
        case Stand(unit):
            return "Holds the works." if game.in_works(unit) else "Stands and takes the losses."
        case Done():
            return ends(mind)
    return SAYINGS.get(type(action), "")


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


def goes(mind: Thumb, unit: UnitId, hex: Space) -> str:
    """Why a unit goes to a hex."""
    game, field = mind.game, mind.field
    place, start = game.place_name(hex), game.pieces[unit].hex
    aim = mind.muster.aim.get(unit, -1)
    if aim >= 0 and aim in field.beside[hex]:
        return f"Concentrates before attacking {game.place_name(field.targets[aim].hex)}."
    if hex in field.guards:
        return f"Guards {place}, so that supply can pass and nobody walks in."
    if hex in field.prizes:
        return f"Makes for {place}, which counts."
    if game.works(mind.side) >> hex & 1:
        return f"Holds the works at {place}."
    if mind.fed[hex] <= mind.length < mind.fed[start]:
        return f"Goes back into supply at {place}."
    if field.pull[hex] > field.pull[start]:
        return f"Goes up to {place}, nearer to what counts."
    return "Keeps away from the enemy until it can attack him with others."


def ends(mind: Thumb) -> str:
    """Why nothing more is done."""
    match mind.game.step:
        case Movement():
            return "Has moved whom it wants to move."
        case NoRetreat():
            return "Lets units give ground if the dice say so."
        case Attacks():
            return refusal(mind.game, mind.tempts, Attack, "No enemy is left to attack.")
    return ""
