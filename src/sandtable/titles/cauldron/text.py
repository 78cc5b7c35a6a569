"""Sentences for events and short labels for actions."""

from __future__ import annotations

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Event, March, Rolled, Side
from sandtable.kernel.words import counted, listed
from sandtable.titles.cauldron import actions as do
from sandtable.titles.cauldron import events as told
from sandtable.titles.cauldron.printed import AXIS, FormationId
from sandtable.titles.cauldron.reinforcements import available
from sandtable.titles.cauldron.state import Game

PURPOSES = {
    "attack": "the attack of",
    "air": "the air attack on",
    "initiative axis": "initiative",
    "initiative allied": "initiative",
}


def side_name(side: Side) -> str:
    """A side at the start of a sentence."""
    return "The Axis" if side == AXIS else "The Allies"


def s(side: Side) -> str:
    """The ending of a verb after a side."""
    return "s" if side == AXIS else ""


def rolled_for(game: Game, roll: Rolled) -> str:
    """What a die is for; its unit is named as its counter is."""
    names = {each.id: each.name for each in game.data.units}
    return f"{PURPOSES.get(roll.purpose, roll.purpose)} {names.get(roll.place, roll.place)}".strip()


def march(game: Game, event: Event) -> March | None:
    """8.0 A move, from where it began to where it ended."""
    if not isinstance(event, told.Moved):
        return None
    start, end = (named(game, event.path[at]) for at in (0, -1))
    return March(game.name(event.unit), start, end)


def sentence(game: Game, event: Event) -> str:
    """An event in words."""
    name = game.name

    def hex_(space: Space) -> str:
        return named(game, space)

    def formations(each: tuple[FormationId, ...]) -> str:
        return listed(game.facts.formations[one].name for one in each)

    def chit(one: int) -> str:
        return game.facts.chits[one].name

    match event:
        case Rolled(_, faces, by):
            dice = " ".join(map(str, faces))
            return f"{side_name(by)} roll{s(by)} {dice} for {rolled_for(game, event)}."
        case told.TurnBegan(turn):
            return f"{turn} begins."
        case told.Placed(unit, space):
            return f"{name(unit)} is placed in {hex_(space)}."
        case told.CupFilled(side, chits, actions):
            cup, taken = counted(chits, "chit"), counted(actions, "action")
            return f"{side_name(side)} put{s(side)} {cup} in the cup; {taken}."
        case told.Drew(side, one):
            return f"{side_name(side)} draw{s(side)} {chit(one)}."
        case told.DrewUnseen(side):
            return (
                f"{side_name(side)} draw{s(side)} a tactical chit and keep{s(side)} it face down."
            )
        case told.Kept(_, one):
            return f"It is {chit(one)}."
        case told.ChitPlayed(side, one):
            return f"{side_name(side)} play{s(side)} {chit(one)}."
        case told.AirGrounded():
            return "The sandstorm grounds the aircraft."
        case told.AirMissed(unit):
            return f"The air attack on {name(unit)} has no effect."
        case told.ActionsWasted(side, actions):
            return f"{side_name(side)} waste{s(side)} {actions} actions: no action chit is left."
        case told.ActionsLost(side, needed):
            lines = "a line" if needed == 1 else f"{needed} lines"
            return f"{side_name(side)} lose{s(side)} an action without {lines} of communication."
        case told.LineTraced(through):
            return f"Axis lines of communication run through {listed(map(hex_, through))}."
        case told.InitiativeWon(side):
            return f"{side_name(side)} win{s(side)} the initiative."
        case told.FirstPlayer(side):
            return f"{side_name(side)} act{s(side)} first this turn."
        case told.Activated(_, each):
            return f"{formations(each)} {'is' if len(each) == 1 else 'are'} activated."
        case told.UnitActivated(unit):
            return f"{name(unit)} is activated."
        case told.Forgone(side):
            return f"{side_name(side)} can activate nobody; the action is spent."
        case told.PhaseEnded(side):
            return f"{side_name(side)} end{s(side)} the action phase."
        case told.Moved(unit, path, cost):
            points = "point" if cost == "1" else "points"
            way = f"from {hex_(path[0])} to {hex_(path[-1])}"
            return f"{name(unit)} moves {way} for {cost} {points}."
        case told.LeftMap(unit, due):
            back = f"back on {due}" if due else "not to return"
            return f"{name(unit)} leaves the map, {back}."
        case told.Finished(unit):
            return f"{name(unit)} is used."
        case told.Attacked(unit, intensity, defenders):
            return f"{name(unit)} makes a {intensity} attack on {listed(map(name, defenders))}."
        case told.Joined(unit):
            return f"{name(unit)} joins the attack."
        case told.OddsSet(attack, defence, column, modifier):
            return f"{attack} to {defence}: {column}, die {modifier:+}."
        case told.Fought(die, modified, result):
            return f"Die {die}, modified {modified}: {result}."
        case told.Eliminated(unit):
            return f"{name(unit)} is eliminated."
        case told.LostStep(unit, left):
            return f"{name(unit)} loses a step and has {left} left."
        case told.Disrupted(unit):
            return f"{name(unit)} is Disrupted."
        case told.Retreated(units, space):
            verb = "retreats" if len(units) == 1 else "retreat"
            return f"{listed(map(name, units))} {verb} to {hex_(space)}."
        case told.StoodFast(unit):
            return f"{name(unit)} is breaching a minefield and does not retreat."
        case told.Advanced(unit, space):
            return f"{name(unit)} advances into {hex_(space)}."
        case told.SupplyChanged(unit, supply):
            return f"{name(unit)} is {supply}."
        case told.BreachBegun(unit, space):
            return f"{name(unit)} begins a breach towards {hex_(space)}."
        case told.BreachBlocked(unit, space):
            return f"The breach of {name(unit)} fails: the Allies hold {hex_(space)}."
        case told.Breached(unit, space, beyond):
            more = f" and out into {hex_(beyond)}" if beyond is not None else ""
            return f"{name(unit)} has breached the minefield into {hex_(space)}{more}."
        case told.MarkerFreed(space):
            return f"One marker is enough for the breaches of {hex_(space)}; the other is free."
        case told.MinefieldLaid(field):
            return f"The minefield '{field}' is in force."
        case told.Rebuilt(unit, steps, space):
            return f"{name(unit)} in {hex_(space)} is built up to {counted(steps, 'step')}."
        case told.Withdrew(formation, units):
            went = listed(map(name, units)) or "no unit"
            verb = "leave" if len(units) > 1 else "leaves"
            return f"{formations((formation,))} is withdrawn: {went} {verb} the battle."
        case told.AttackPromised(side):
            return f"{side_name(side)} must attack in this action phase."
        case told.PromiseBroken(side):
            return f"{side_name(side)} made no attack; Withdraw/Attack counts as not played."
        case told.Recovered(turn):
            return f"{turn} ends: units recover."
        case told.Scored(points, total, why):
            return f"The Axis scores {points} for {why}: {total} on the track."
    raise TypeError(f"no sentence for {event!r}")


def named(game: Game, space: Space) -> str:
    """A hex number, with its place name if it has one."""
    place = game.facts.place_names.get(space)
    return f"{game.hex(space)} ({place})" if place else game.hex(space)


def label(game: Game, action: Action) -> str:
    """An action as a short sentence for a menu."""
    name, facts = game.name, game.facts

    def hex_(space: Space) -> str:
        return named(game, space)

    match action:
        case do.Place(unit, space):
            return f"Place {name(unit)} in {hex_(space)}"
        case do.Breach(unit, space):
            return f"Begin a breach from {where(game, unit)} into {hex_(space)} with {name(unit)}"
        case do.Pass():
            return "Pass"
        case do.StepUp(unit):
            return f"Replace a step of {name(unit)}"
        case do.Rebuild(unit, space):
            return f"Rebuild {name(unit)} in {hex_(space)}"
        case do.GoFirst(side):
            return f"{side_name(side)} act{s(side)} first"
        case do.AirAttack(unit):
            return f"Air attack on {name(unit)} in {where(game, unit)}"
        case do.Activate(each):
            return f"Activate {listed(facts.formations[one].name for one in each)}"
        case do.ActivateUnit(unit):
            return f"Activate {name(unit)} alone"
        case do.ExtraMove(unit):
            return f"Play Extra Move: activate {name(unit)} too"
        case do.Withdraw(formation):
            return f"Play Withdraw/Attack: withdraw {facts.formations[formation].name}"
        case do.PromiseAttack():
            return "Play Withdraw/Attack: attack in this action phase"
        case do.Select(unit):
            return f"Move {name(unit)} in {where(game, unit)}"
        case do.EndPhase():
            return "End the action phase"
        case do.MoveTo(unit, space):
            return f"Move {name(unit)} to {hex_(space)}"
        case do.Attack(unit, intensity):
            cost = game.facts.attack_cost[intensity, game.kind(unit).move_class]
            price = f"{game.facts.show_points(cost)} MP"
            return f"{intensity.capitalize()} attack with {name(unit)} ({price})"
        case do.Exit(unit):
            return f"Move {name(unit)} off the map"
        case do.Done(unit):
            return f"Finish the move of {name(unit)}"
        case do.Join(unit):
            return f"Add {name(unit)} in {where(game, unit)} to the attack"
        case do.Resolve():
            return "Resolve the attack"
        case do.PlayChit(chit):
            return f"Play the {facts.chits[chit].name} chit"
        case do.Lose(unit):
            return f"{name(unit)} loses a step"
        case do.Disrupt(unit):
            return f"{name(unit)} is Disrupted"
        case do.RetreatUnits(units):
            return f"Retreat {listed(map(name, units))} next"
        case do.RetreatTo(space):
            return f"Retreat to {hex_(space)}"
        case do.RetreatOff():
            return "Retreat off the map"
        case do.Eliminate(unit):
            return f"Eliminate {name(unit)}"
        case do.Advance(unit, space):
            return f"Advance {name(unit)} into {hex_(space)}"
    raise TypeError(f"no label for {action!r}")


def about(game: Game, action: Action) -> tuple[str, ...]:
    """The units of a formation that an action names, those on the map or about to arrive."""
    match action:
        case do.Activate(formations):
            chosen = formations
        case do.Withdraw(formation):
            chosen = (formation,)
        case _:
            return ()
    return tuple(
        game.kind(unit).id
        for each in chosen
        for unit in game.facts.formations[each].units
        if game.units[unit].at >= 0 or available(game, unit)
    )


def where(game: Game, unit: UnitId) -> str:
    """The hex a unit is in, or that it waits beside the map."""
    at = game.units[unit].at
    return game.hex(at) if at >= 0 else "reserve"
