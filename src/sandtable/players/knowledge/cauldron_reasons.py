"""What an opponent of Gazala: The Cauldron says of an action: the tactic that it serves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.words import listed
from sandtable.players.knowledge.reasons import at_odds, because, by_odds, refusal
from sandtable.titles.cauldron.actions import (
    Activate,
    ActivateUnit,
    Advance,
    AirAttack,
    Attack,
    Breach,
    Done,
    EndPhase,
    ExtraMove,
    Join,
    MoveTo,
    Place,
    PlayChit,
    PromiseAttack,
    Rebuild,
    Resolve,
    RetreatTo,
    Select,
    StepUp,
    Withdraw,
)
from sandtable.titles.cauldron.battle import Battle, open_battle
from sandtable.titles.cauldron.combat import Assault
from sandtable.titles.cauldron.text import named

if TYPE_CHECKING:
    from sandtable.players.knowledge.cauldron import Thumb

BEST = "Uses who can do most just now."
SAYINGS: dict[type[Action], str] = {
    ActivateUnit: BEST,
    AirAttack: "Strikes the strongest enemy who is not shaken yet.",
    ExtraMove: "Exploits with one that can still do harm.",
    Join: "Concentrates before attacking.",
    PlayChit: "Plays a chit where it moves the result.",
    PromiseAttack: "Promises an attack that it means to make anyway.",
    RetreatTo: "Gets out of the enemy's reach.",
    Select: "Helpers go before strikers, who then find them beside the enemy.",
    StepUp: "Brings the strongest up to strength.",
    Withdraw: "Takes out what it can best do without.",
}
"""What is said of actions whose tactic is always the same."""


def tactic(mind: Thumb, action: Action, plan: Sequence[Action] = ()) -> str:
    """The tactic that an action serves, as a sentence; `plan` is what follows it."""
    game = mind.game
    match action:
        case Activate(formations):
            names = listed(game.facts.formations[each].name for each in formations)
            return f"Activates {names}, who can do most just now."
        case ActivateUnit(unit) if plan:
            return calls(mind, unit, plan)
        case MoveTo(unit, space):
            return goes(mind, unit, space)
        case Attack(unit, intensity):
            return attacks(mind, open_battle(game, unit, intensity), action)
        case Resolve() if isinstance(game.step, Assault):
            return attacks(mind, game.step.battle, action)
        case Breach(_, space):
            return (
                f"Opens a breach in the mines at {named(game, space)}, so that supply can follow."
            )
        case Place(_, space) | Rebuild(_, space):
            works = game.facts.fortified >> space & 1
            return "Holds the works." if works else "Stands as far forward as is safe."
        case Advance(_, space):
            return f"Exploits: goes after the enemy to {named(game, space)}."
        case Done() | EndPhase():
            return refusal(game, mind.tempts, Attack, "Stays: no place in reach is better.")
    return SAYINGS.get(type(action), "")


def calls(mind: Thumb, unit: UnitId, plan: Sequence[Action]) -> str:
    """Why a unit is activated: what it is going to do, if anything."""
    if all(isinstance(each, Select | Done) for each in plan):
        return "Lets the activation go by: nobody has anything better to do."
    if mind.game.units[unit].at < 0:
        return "Brings up a fresh unit."
    move = next((each for each in plan if isinstance(each, MoveTo) and each.unit == unit), None)
    return (goes(mind, unit, move.hex) if move else "") or BEST


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
    return "Draws back from the enemy." if field.fire[space] < field.fire[start] else ""
