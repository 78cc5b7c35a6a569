"""Words: actions for menus and events for the log."""

from __future__ import annotations

from sandtable.kernel.actions import Action
from sandtable.kernel.events import Event, March, Rolled
from sandtable.kernel.words import counted
from sandtable.titles.theseus import actions as do
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.state import Game


def label(game: Game, action: Action) -> str:
    """An action as a short phrase."""
    name, hexname = game.name, game.hexname
    hqs = game.data.hqs
    match action:
        case do.Activate(formation=formation):
            return f"Activate {hqs[formation].name} (level {game.levels[formation]})"
        case do.ActivateUnit(unit=unit):
            return f"Activate {name(unit)}"
        case do.Transfer():
            return "Transfer the initiative"
        case do.Pass():
            return "Pass for the rest of the turn"
        case do.End():
            bonus = getattr(game.step, "is_bonus", False)
            return "Let the bonus points go" if bonus else "End the activation"
        case do.Move(unit=unit):
            return f"Move {name(unit)}"
        case do.MoveStack(hex=hex):
            return f"Move the stack in {hexname(hex)}"
        case do.Join(unit=unit):
            return f"Add {name(unit)}"
        case do.To(hex=hex):
            return f"Go to {hexname(hex)}"
        case do.Halt():
            return "Halt here"
        case do.Attack(hex=hex, target=target):
            return f"Attack {hexname(target)} from {hexname(hex)}"
        case do.AttackWith(unit=unit, target=target):
            return f"Attack {hexname(target)} with {name(unit)}"
        case do.Assault():
            return "Declare the attack"
        case do.CallOff():
            return "Call the attack off"
        case do.Breach(unit=unit):
            return f"Breach the minefield with {name(unit)}"
        case do.Refit(unit=unit):
            return f"Refit {name(unit)}"
        case do.DigIn(hex=hex):
            return f"Improve the defence of {hexname(hex)}"
        case do.Top(unit=unit):
            return f"Put {name(unit)} on top of its stack"
        case do.React(formation=formation):
            return f"React with {hqs[formation].name}"
        case do.Decline():
            return "Decline"
        case do.Reroll():
            return "Give away SNAFU and have it rolled again"
        case do.Keep():
            return "Let the die stand"
        case do.Challenge(unit=unit):
            return f"Challenge {name(unit)}"
        case do.Withdraw():
            return "Withdraw before combat"
        case do.Stand():
            return "Stand and fight"
        case do.Strike(kind_of_attack=kind):
            extra = ("hasty", "regular", "prepared").index(kind)
            return f"{kind.capitalize()} Attack (+{extra} AP)"
        case do.Air(number=number):
            units = "unit" if number == 1 else "units"
            return f"Commit {number} air {units}" if number else "No air units"
        case do.Lead(formation=formation):
            return f"{hqs[formation].name} leads"
        case do.Oppose(unit=unit):
            sort = "Tank" if game.card[unit].afv else "Anti-Tank"
            return f"{sort} Points of {name(unit)}"
        case do.Lose(unit=unit):
            return f"{name(unit)} loses a Strength Point"
        case do.Hold():
            return "Hold and take the losses"
        case do.FallBack():
            return "Fall back"
        case do.HoldWith(unit=unit):
            return f"{name(unit)} holds"
        case do.Follow(unit=unit):
            return f"{name(unit)} follows the retreat"
        case do.RetreatTo(hex=hex):
            return f"Retreat to {hexname(hex)}"
        case do.Displace(unit=unit, hex=hex):
            return f"Displace {name(unit)} to {hexname(hex)}"
        case do.Remove(unit=unit):
            return f"Remove {name(unit)}"
        case do.Assign(unit=unit, formation=formation):
            return f"Assign {name(unit)} to {hqs[formation].name}"
        case do.Dummy(formation=formation):
            return f"Dummy marker on {hqs[formation].name}"
        case do.Schwerpunkt(formation=formation):
            return f"Schwerpunkt on {hqs[formation].name}"
        case do.Done():
            return "Done"
        case do.Replace(unit=unit):
            return f"One Replacement Point for {name(unit)}"
        case do.BreakUp(unit=unit):
            return f"Break up {name(unit)}"
        case do.Enter(unit=unit, hex=hex):
            return f"{name(unit)} enters in {hexname(hex)}"
    return game.text(action)


PURPOSES = {
    "action points": "the Action Points of",
    "breach": "a breach by",
    "combat": "the combat at",
    "combat chit": "the combat chits at",
    "effectiveness": "the Effectiveness Check of",
    "initiative": "the initiative",
    "minefield check": "the Minefield Check of",
    "reaction": "the reaction of",
    "retreat before combat": "the retreat before combat at",
}
"""What dice are for, before their place or unit."""


def rolled_for(game: Game, roll: Rolled) -> str:
    """What a die is for; of a unit that is not named only the hex is told (5.3.4)."""
    what, place = PURPOSES.get(roll.purpose, roll.purpose), roll.place
    if place and place in game.data.board.names and not what.endswith("at"):
        place = f"a unit in {place}"
    names = {each.id: each.name for each in game.data.units}
    names |= {hq.id: hq.short for hq in game.data.hqs}
    return f"{what} {names.get(place, place)}".strip()


def march(game: Game, event: Event) -> March | None:
    """7.3 A move as everybody sees it: the top unit and how many go with it."""
    if not isinstance(event, ev.Moved):
        return None
    return March(_group(game, event), game.hexname(event.origin), game.hexname(event.hex))


def _group(game: Game, event: ev.Moved) -> str:
    return game.name(event.unit) + (f" and {event.number - 1} more" if event.number > 1 else "")


def sentence(game: Game, event: Event) -> str:
    """An event as a sentence."""
    name, hexname = game.name, game.hexname
    hqs, sides = game.data.hqs, game.title.side_names
    match event:
        case Rolled(purpose=purpose, faces=faces, by=by, place=place):
            words = " ".join(map(str, faces))
            if purpose == "combat chit":
                return f"{sides[by]} draws combat chit {words} of those left ({place})."
            return f"{sides[by]} rolls {words} for {rolled_for(game, event)}."
        case ev.TurnBegan(turn=turn, dates=dates):
            return f"Game Turn {turn} begins: {dates}."
        case ev.InitiativeWon(side=side, axis=axis, commonwealth=other):
            return f"{sides[side]} wins the initiative, Axis {axis} to Commonwealth {other}."
        case ev.InitiativeTransferred(side=side):
            return f"{sides[side]} transfers the initiative."
        case ev.Passed(side=side):
            return f"{sides[side]} passes for the rest of the turn."
        case ev.Activated(formation=formation, points=points, level=level, reaction=reaction):
            verb = "reacts" if reaction else "is activated"
            return f"{hqs[formation].name} {verb} with {points} AP; its level is now {level}."
        case ev.UnitActivated(unit=unit, marker=marker):
            return (
                f"{name(unit)} is activated and marked {('ACT-1', 'ACT-2', 'NO-ACT')[marker - 1]}."
            )
        case ev.EmergencySupplySpent(formation=formation):
            return f"{hqs[formation].name} spends its Emergency Supply."
        case ev.OutOfSupply(unit=unit):
            return f"{name(unit)} is out of supply."
        case ev.Moved(origin=origin, hex=hex):
            return f"{_group(game, event)}: {hexname(origin)} to {hexname(hex)}."
        case ev.MovedWith(units=units, hex=hex):
            return f"In {hexname(hex)} are now {game.names(units)}."
        case ev.Disrupted(unit=unit):
            return f"{name(unit)} is disrupted."
        case ev.Shaken(hex=hex):
            return f"A unit in {hexname(hex)} is disrupted."
        case ev.Rallied(hex=hex):
            return f"A unit in {hexname(hex)} recovers from disruption."
        case ev.RolledFor(unit=unit):
            return f"The die is for {name(unit)}."
        case ev.Recovered(unit=unit):
            return f"{name(unit)} recovers from disruption."
        case ev.Lost(unit=unit, points=points, left=left):
            return f"{name(unit)} loses {points}, {left} left."
        case ev.Suffered(side=side, points=points):
            return f"{sides[side]} loses {counted(points, 'Strength Point')}."
        case ev.Eliminated(unit=unit):
            return f"{name(unit)} is eliminated."
        case ev.HqRemoved(formation=formation):
            return f"{hqs[formation].name} HQ is removed from play."
        case ev.Displaced(unit=unit, hex=hex):
            return f"{name(unit)} is displaced to {hexname(hex)}."
        case ev.Overstacked(hex=hex):
            return f"Too many units stand in {hexname(hex)}."
        case ev.SupportLost(unit=unit, left=left):
            return f"{name(unit)} has {counted(left, 'Attack Support Point')} left."
        case ev.ReactionTried(formation=formation, succeeded=succeeded):
            return f"{hqs[formation].name} " + ("reacts." if succeeded else "fails to react.")
        case ev.SnafuUsed(side=side):
            return f"{sides[side]} gives the SNAFU marker away: the die is rolled again."
        case ev.AttackDeclared(hex=hex, target=target, defenders=defenders):
            return f"Attack from {hexname(hex)} on {hexname(target)}: {game.names(defenders)}."
        case ev.AttackersShown(units=units):
            return f"The attackers are {game.names(units)}."
        case ev.CalledOff():
            return "The action is called off; its AP are spent."
        case ev.RetreatBeforeCombat(attacker=attacker, defender=defender, succeeded=succeeded):
            verb = "get away" if succeeded else "fail to get away"
            return f"The defenders {verb} before combat, {defender} to {attacker}."
        case ev.Escalated(kind_of_attack=kind):
            return f"It is a {kind} attack."
        case ev.ChitsDrawn(
            attacker=attacker, defender=defender, attack=attack, defence=defence, odds=odds
        ):
            return f"Chits {attacker} and {defender}: strengths {attack} to {defence}, odds {odds}."
        case ev.AirCommitted(number=number):
            verb = "supports" if number == 1 else "support"
            return f"{counted(number, 'Axis air unit')} {verb} the attack."
        case ev.CombatResolved(
            target=target, result=result, odds=odds, roll=roll, drm=drm, modifiers=modifiers
        ):
            sums = f" ({', '.join(modifiers)})" if modifiers else ""
            rolled = f", roll {roll}{drm:+}{sums}" if roll else ""
            return f"Combat in {hexname(target)} at {odds}{rolled}: {result}."
        case ev.Retreated(units=units, hex=hex):
            verb = "retreats" if len(units) == 1 else "retreat"
            return f"{game.names(units)} {verb} to {hexname(hex)}."
        case ev.RetreatBarred(units=units):
            return f"{game.names(units)} cannot retreat."
        case ev.BattleWon(side=side, points=points):
            gains = f"gains {points} bonus AP" if points else "has no unit In Command to go on"
            return f"{sides[side]} wins the battle and {gains}."
        case ev.MinefieldEntered(unit=unit, hex=hex):
            return f"{name(unit)} finds a way into the minefield in {hexname(hex)}."
        case ev.BreachTried(unit=unit, hex=hex, succeeded=succeeded):
            verb = "breaches" if succeeded else "does not breach"
            return f"{name(unit)} {verb} the minefield in {hexname(hex)}."
        case ev.BreachSeen(hex=hex, succeeded=succeeded):
            verb = "breaches" if succeeded else "does not breach"
            return f"A unit {verb} the minefield in {hexname(hex)}."
        case ev.DefenceImproved(hex=hex):
            return f"The units in {hexname(hex)} are in Improved Defence."
        case ev.DefenceLapsed(hex=hex):
            return f"Improved Defence in {hexname(hex)} lapses."
        case ev.Assigned(unit=unit, formation=formation):
            return f"{name(unit)} is assigned to {hqs[formation].name}."
        case ev.AssignmentShown(unit=unit, formation=formation):
            return f"Challenged: {name(unit)} is assigned to {hqs[formation].name}."
        case ev.SchwerpunktPlaced(formation=formation):
            return f"The Schwerpunkt is with {hqs[formation].name}."
        case ev.SourceBlocked(hex=hex):
            return f"The supply source {hexname(hex)} is blocked."
        case ev.SourceFreed(hex=hex):
            return f"The supply source {hexname(hex)} works again."
        case ev.TobrukTaken(side=side):
            return f"{sides[side]} holds Tobruk; it supplies that side from the next turn."
        case ev.TobrukSupplies(side=side):
            return f"Tobruk supplies {sides[side]} now."
        case ev.LevelRecovered(formation=formation, level=level):
            return f"{hqs[formation].name} recovers to level {level}."
        case ev.Replaced(unit=unit, left=left):
            return f"{name(unit)} receives a Replacement Point, strength {left}."
        case ev.Restored(side=side):
            return f"{sides[side]} regains a Strength Point."
        case ev.BrokenUp(unit=unit, points=points):
            return f"{name(unit)} is broken up for {counted(points, 'Replacement Point')}."
        case ev.Entered(unit=unit, hex=hex):
            return f"{name(unit)} arrives in {hexname(hex)}."
        case ev.Scored(hex=hex, points=points):
            return f"The Axis scores {points} for {hexname(hex)}."
        case ev.SourceHeld(hex=hex, points=points):
            return f"The Commonwealth holds {hexname(hex)}: {points} for the Axis."
    raise AssertionError(f"no words for {event}")
