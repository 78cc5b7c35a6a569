"""Events and actions of The Gazala Gallop in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.events import Event, March, Rolled
from sandtable.kernel.words import counted
from sandtable.titles.gallop import actions as do
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.views import factors

SIDES = {"axis": "Axis", "allied": "Allied"}
RESULTS = {"D": "is Disrupted", "-": "is not harmed", "AA": "shoots the aircraft down"}
ENOUGH = {
    "AirPhase": "Keep the air unit back",
    "Interception": "Let it pass",
    "Station": "Send the air unit home",
    "Movement": "End the movement phase",
    "Attacks": "End the attack phase",
    "NoRetreat": "Give no more orders",
    "FallBack": "Stay",
    "Supply": "Send no more convoys",
    "Activation": "Activate no more units",
    "Siege": "Leave the garrison as it is",
}
"""What going on means at each step."""
INTERCEPTIONS = {
    "EAX": "stops it and knocks it out",
    "Int": "turns it back",
    "-": "achieves nothing",
    "AA": "is knocked out itself",
}

PURPOSES = {
    "air attack": "the air attack on",
    "attack": "the attack on",
    "breakdown": "the breakdown of",
    "convoy": "the truck convoy to",
    "flying in rain": "flying in the rain",
    "interception": "the interception",
    "rainstorm": "whether a rainstorm comes",
    "sandstorm": "whether a sandstorm comes",
    "weather": "the weather",
}
"""What dice are for, before their place."""
PHASES = {"attacks": "attack"}
"""Phases whose name in a sentence is not that of their stage."""


def verb(units: Sequence[UnitId], plural: str) -> str:
    """The verb for one unit or for several."""
    return plural + "s" if len(units) == 1 else plural


def demand(hexes: int) -> str:
    """What the winner of a battle asks of the losers."""
    return f"a retreat of {counted(hexes, 'hex', 'hexes')}" if hexes else "no retreat"


def rolled_for(game: Game, roll: Rolled) -> str:
    """What dice are for."""
    return f"{PURPOSES.get(roll.purpose, roll.purpose)} {roll.place}".strip()


def march(game: Game, event: Event) -> March | None:
    """XIII A move, from where it began to where it ended."""
    if not isinstance(event, ev.Moved):
        return None
    start, end = (game.hex_name(event.path[at]) for at in (0, -1))
    return March(game.name(event.unit), start, end)


def sentence(game: Game, event: Event) -> str:
    """What happened, in a sentence."""
    name, hex = game.name, game.hex_name

    def names(units: Sequence[UnitId]) -> str:
        return ", ".join(name(unit) for unit in units)

    def air(number: int) -> str:
        return game.facts.air[number].name

    match event:
        case Rolled():
            dice = ", ".join(map(str, event.faces))
            word = "die" if len(event.faces) == 1 else "dice"
            came = (
                f": {'no effect' if event.outcome == '-' else event.outcome}"
                if event.outcome
                else ""
            )
            return f"{SIDES[event.by]} {word} for {rolled_for(game, event)}: {dice}{came}."
        case ev.TurnBegan(turn):
            return f"Turn {turn} begins, {game.facts.tables.turns.dates[turn - 1]} 1942."
        case ev.PhaseBegan(side, phase):
            return f"{SIDES[side]} {PHASES.get(phase, phase)} phase."
        case ev.Placed(unit, at):
            return f"{name(unit)} is set up in {hex(at)}."
        case ev.PlacedFaceDown(at):
            return f"An Allied counter is set up face down in {hex(at)}."
        case ev.NumbersPicked(sand, rain):
            return f"The Allies pick {sand} for sandstorm and {rain} for rainstorm."
        case ev.WeatherCame(weather):
            return {"clear": "The weather is fair."}.get(weather, f"A {weather} breaks loose.")
        case ev.LineSet(side, length):
            return f"{SIDES[side]} supply lines reach {length} MF in the sandstorm."
        case ev.Grounded(which):
            return f"{air(which)} cannot fly in the rain this player-turn."
        case ev.GarrisonTurned():
            return "The garrison of Tobruk goes face down and is spread anew."
        case ev.Posted(unit, at):
            return f"{name(unit)} is posted to {hex(at)}."
        case ev.Activated(unit):
            return f"{name(unit)} is activated."
        case ev.Revealed(unit, at):
            return f"{name(unit)} is turned up in {hex(at)}."
        case ev.DummyRemoved(at):
            return f"A dummy is removed from {hex(at)}."
        case ev.Galloped(units):
            return f"The Allies abandon the Gazala line: {names(units)} {verb(units, 'flee')}."
        case ev.Arrived(unit, at):
            return f"{name(unit)} arrives in {hex(at)}."
        case ev.AirSent(which, at, mission):
            what = "attack" if mission == "strike" else "resupply"
            return f"{air(which)} flies to {what} {hex(at)}."
        case ev.AirStruck(which, unit, result):
            return f"{air(which)} attacks {name(unit)}, which {RESULTS[result]}."
        case ev.AirStayed(which, at):
            return f"{air(which)} stays over {hex(at)}."
        case ev.AirWentHome(which):
            return f"{air(which)} goes home."
        case ev.AirKnockedOut(which):
            return f"{air(which)} is out for the rest of this turn and the next."
        case ev.AirRepaired(which):
            return f"{air(which)} is repaired."
        case ev.Intercepted(which, target, result):
            return f"{air(which)} intercepts {air(target)} and {INTERCEPTIONS[result]}."
        case ev.Routed(unit, at):
            return f"The route of {name(unit)} leads through {hex(at)}."
        case ev.Moved(unit, path, spent):
            way = f" by {', '.join(map(hex, path[1:-1]))}" if len(path) > 2 else ""
            ends = f"from {hex(path[0])} to {hex(path[-1])}"
            return f"{name(unit)} moves {ends}{way} ({factors(spent)} MF)."
        case ev.BrokeDown(unit, at):
            return f"{name(unit)} breaks down in {hex(at)}."
        case ev.Trucked(unit, convoys):
            return f"{name(unit)} mounts {counted(convoys, 'truck convoy')}."
        case ev.BecameDisrupted(unit, at, why):
            return f"{name(unit)} is Disrupted in {hex(at)} ({why})."
        case ev.Recovered(unit, at):
            return f"{name(unit)} recovers in {hex(at)}."
        case ev.Eliminated(unit, at, why):
            return f"{name(unit)} is eliminated in {hex(at)} ({why})."
        case ev.AttackMade(units, targets, column):
            where = ", ".join(map(hex, targets))
            return f"{names(units)} {verb(units, 'attack')} {where} at {column}."
        case ev.AttackFailed(units, targets, why):
            return f"The attack of {names(units)} on {', '.join(map(hex, targets))} fails: {why}."
        case ev.OrderedToStand(units):
            return f"NO RETREAT: {names(units)} must stand."
        case ev.Driven(side, hexes):
            who = {"axis": "The Axis demands", "allied": "The Allies demand"}[side]
            return f"{who} {demand(hexes)}."
        case ev.Retreated(unit, start, at):
            return f"{name(unit)} retreats from {hex(start)} to {hex(at)}."
        case ev.MustRetreat(unit, at):
            return f"{name(unit)} in {hex(at)} must give way to an enemy nobody attacked."
        case ev.SupplyFound(unit, at, how):
            return f"{name(unit)} in {hex(at)} is supplied {how}."
        case ev.SupplyFailed(unit, at, how):
            return f"{name(unit)} in {hex(at)} is not reached {how}."
        case ev.OutOfSupply(units):
            return f"Out of supply: {names(units)}."
        case ev.BoxEliminated(at):
            return f"The works in {hex(at)} are eliminated."
        case ev.ControlPassed(at, side):
            return f"{SIDES[side]} control of {game.place_name(at)}."
        case ev.GameOver(text):
            return text
    return type(event).__name__


def label(game: Game, action: Action) -> str:
    """An action as a menu line."""
    name, hex = game.name, game.hex_name
    match action:
        case do.Place(unit, at):
            return f"Set up {name(unit)} in {hex(at)}"
        case do.PickWeather(sand, rain):
            return f"Sandstorm on {sand}, rainstorm on {rain}"
        case do.Besiege():
            return "Turn the garrison of Tobruk face down and spread it"
        case do.Post(unit, at):
            return f"Post {name(unit)} to {hex(at)}"
        case do.Activate(unit):
            return f"Activate {name(unit)}"
        case do.Gallop():
            return "Abandon the Gazala line"
        case do.Arrive(unit, at):
            return f"Bring {name(unit)} on in {hex(at)}"
        case do.Airstrike(at):
            return f"Airstrike on {hex(at)}"
        case do.Airlift(at):
            return f"Resupply {hex(at)} by air"
        case do.Intercept():
            return "Intercept"
        case do.Loiter():
            return "Stay over the hex"
        case do.MoveTo(unit, at):
            return f"Move {name(unit)} to {hex(at)}"
        case do.Route(unit, at):
            return f"Declare the route of {name(unit)} through {hex(at)}"
        case do.Truck(unit):
            convoys = game.book[unit].attack
            return f"Put {name(unit)} on {counted(convoys, 'truck convoy')}"
        case do.Attack(at):
            return f"Attack {hex(at)}"
        case do.Also(at):
            return f"Attack {hex(at)} as well"
        case do.Join(unit, number):
            most = game.book[unit].attack
            share = f"all {most}" if number == most else f"{number} of its {most}"
            return f"{name(unit)} attacks with {share} attack factor{'s' * (most > 1)}"
        case do.Cancel():
            return "Call the attack off"
        case do.Resolve():
            return "Resolve the attack"
        case do.Stand(unit):
            return f"NO RETREAT for {name(unit)}"
        case do.Drive(hexes):
            return f"Demand {demand(hexes)}"
        case do.RetreatTo(unit, at):
            return f"Retreat {name(unit)} to {hex(at)}"
        case do.Convoy(unit):
            return f"Send a truck convoy to {name(unit)}"
        case do.Lose(unit):
            return f"Give up {name(unit)}"
    return ENOUGH.get(type(game.step).__name__, "Go on") if game.stack else "Go on"
