"""Sentences for events and short labels for actions."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Event, March, Rolled
from sandtable.kernel.words import counted
from sandtable.titles.battleaxe import actions as do
from sandtable.titles.battleaxe import events as told
from sandtable.titles.battleaxe.data import SIDE_NAMES, SIDES
from sandtable.titles.battleaxe.movement import Assault, price
from sandtable.titles.battleaxe.state import Game

PURPOSES = {
    "air": "Air Support",
    "rommel": "Rommel",
    "artillery": "an Artillery Call",
    "sunset": "Sunset",
    "surrender": "the surrender",
}


def side_name(side: str) -> str:
    """How a side is spoken of at the start of a sentence."""
    name = SIDE_NAMES[SIDES.index(side)]
    return name[0].upper() + name[1:]


def march(game: Game, event: Event) -> March | None:
    """9.1 A move of one Area."""
    if not isinstance(event, told.Moved):
        return None
    called = game.data.called
    return March(game.data.unit_facts[event.unit].id, called(event.start), called(event.space))


def sentence(game: Game, event: Event) -> str:
    """An event in words."""
    unit_facts, called = game.data.unit_facts, game.data.called

    def name(unit: UnitId) -> str:
        return unit_facts[unit].id

    match event:
        case Rolled():
            return _rolled(game, event, side_name(event.by))
        case told.SetUpIn(unit, space):
            return f"{name(unit)} sets up in {called(space)}."
        case told.TurnBegan(turn):
            return f"{game.data.tables.days[turn - 1]} begins."
        case told.ImpulseBegan(side, impulse):
            return f"Impulse {impulse}: {SIDE_NAMES[SIDES.index(side)]}."
        case told.Declared(side, what, spaces):
            return _declared(game, side_name(side), what, spaces)
        case told.Moved(unit, start, space, cost):
            paid = f" for {cost} MF" if cost else ""
            return f"{name(unit)} moves from {called(start)} to {called(space)}{paid}."
        case told.ControlChanged(space, side):
            return f"{side_name(side)} control{_s(side)} {called(space)}."
        case told.Released(division):
            return f"The {division} is released."
        case told.AttackDeclared(side, space, lead, units):
            helpers = [name(unit) for unit in units if unit != lead]
            more = f" with {', '.join(helpers)}" if helpers else ""
            return f"{side_name(side)} attack{_s(side)} {called(space)}: {name(lead)} leads{more}."
        case told.LeadNamed(unit):
            return f"{name(unit)} leads the defence."
        case told.SupportGiven(side, what, value):
            if value == 0:
                return f"No {what} answers {SIDE_NAMES[SIDES.index(side)]}."
            return f"{what[0].upper()}{what[1:]} adds {value} for {SIDE_NAMES[SIDES.index(side)]}."
        case told.Totals(av, dv, at, dt, result):
            return (
                f"Attack Value {av} + {at - av} = {at} against Defence Value "
                f"{dv} + {dt - dv} = {dt}: {_result(result, at - dt)}."
            )
        case told.AdvantageSpent(side, what):
            return f"{side_name(side)} spend{_s(side)} the Advantage: {what}."
        case told.AdvantageShifted(side):
            return f"The Advantage passes to {SIDE_NAMES[SIDES.index(side)]}."
        case told.Reduced(unit):
            return f"{name(unit)} is reduced."
        case told.Eliminated(unit):
            return f"{name(unit)} is eliminated."
        case told.Restored(unit):
            return f"{name(unit)} returns to full strength."
        case told.Rebuilt(unit, space):
            return f"{name(unit)} is rebuilt, reduced, in {called(space)}."
        case told.Retreated(unit, start, space):
            return f"{name(unit)} retreats from {called(start)} to {called(space)}."
        case told.FuelChanged(low):
            return "The Axis runs short of fuel." if low else "The Axis has fuel again."
        case told.SunsetRead(total, impulse, ends):
            sign = "less than" if ends else "not less than"
            night = ": night falls" if ends else ""
            return f"Sunset roll {total}, {sign} Impulse {impulse}{night}."
        case told.OutOfSupply(unit):
            return f"{name(unit)} is out of supply."
        case told.SurrenderChecked(unit, roll, lost):
            return (
                f"{name(unit)} checks for surrender: {roll}, {'a step lost' if lost else 'holds'}."
            )
        case told.Scored(what, points, total):
            return f"{what}: {counted(points, 'Victory Point')}, {total} in all."
        case told.GameEnded(text):
            return text
    raise AssertionError(f"no sentence for {event}")


def _s(side: str) -> str:
    return "s" if side == "axis" else ""


def rolled_for(game: Game, roll: Rolled) -> str:
    """What dice are for."""
    if roll.purpose == "attack":
        return f"the attack on {game.data.called(game.data.space(roll.place))}"
    return PURPOSES[roll.purpose] + (f" of {roll.place}" if roll.place else "")


def _rolled(game: Game, roll: Rolled, by: str) -> str:
    what = rolled_for(game, roll)
    if roll.purpose == "attack":
        attack, defense = roll.faces[:2], roll.faces[2:]
        return (
            f"Dice for {what}: {attack[0]} and {attack[1]} against {defense[0]} and {defense[1]}."
        )
    faces = " and ".join(map(str, roll.faces))
    return f"{by} roll{'s' if by.endswith('Axis') else ''} for {what}: {faces}."


def _declared(game: Game, who: str, what: str, spaces: Sequence[Space]) -> str:
    s = "es" if what == "pass" else "s"
    end = s if who.endswith("Axis") else ""
    where = ", ".join(game.data.called(space) for space in spaces)
    words = {
        "assault": f"begin{end} an Assault from {where}",
        "activate": f"activate{end} {where} as well",
        "regroup": f"regroup{end}",
        "consolidate": f"consolidate{end}",
        "pass": f"pass{end}",
        "end": f"end{end} the move",
        "halt": f"end{end} the advance",
    }
    return f"{who} {words[what]}."


def _result(result: str, margin: int) -> str:
    if result == "success":
        return f"success, {counted(margin, 'Attrition Point')}"
    return result


def label(game: Game, action: Action) -> str:
    """An action in a menu."""
    unit_facts, called = game.data.unit_facts, game.data.called

    def name(unit: UnitId) -> str:
        return unit_facts[unit].id

    match action:
        case do.SetUp(unit, space):
            return f"Set up {name(unit)} in {called(space)}"
        case do.DeclareAssault(spaces):
            return f"Assault from {', '.join(called(space) for space in spaces)}"
        case do.Activate(space):
            return f"Activate {called(space)} as well (Combined Operations)"
        case do.Move(unit, space):
            return f"Move {name(unit)} to {called(space)}{_price(game, unit, space)}"
        case do.Attack(space, lead):
            return f"Attack in {called(space)}, {name(lead)} leading"
        case do.Join(unit):
            return f"Add {name(unit)} to the attack"
        case do.Begin():
            return "Begin the attack with the units chosen"
        case do.EndImpulse():
            return "End here"
        case do.DeclareRegroup():
            return "Regroup: every unit may move one Area"
        case do.Shift(unit, space):
            return f"Regroup {name(unit)} to {called(space)}"
        case do.Consolidate(unit, cost):
            loss = "eliminating" if game.units[cost].reduced else "reducing"
            return f"Consolidate: restore {name(unit)} by {loss} {name(cost)}"
        case do.Pass():
            return "Pass"
        case do.LeadDefense(unit):
            return f"{name(unit)} leads the defence"
        case do.UseAir(use):
            return "Commit Air Support" if use else "Keep Air Support back"
        case do.UseRommel(use):
            if not use:
                return "Without Rommel"
            return "Rommel leads" if game.rommel else "Spend the Advantage: Rommel leads"
        case do.CallArtillery(call):
            return "Call for artillery" if call else "No Artillery Call"
        case do.Resolve():
            return "Roll the dice"
        case do.SpendAdvantage(spend):
            return "Spend the Advantage" if spend else "Keep the Advantage"
        case do.Absorb(unit, how):
            words = {"flip": "Reduce {} (1 AP)", "eliminate": "Eliminate {} (2 AP)"}
            return words.get(how, "Retreat {} (1 AP)").format(name(unit))
        case do.RetreatTo(unit, space):
            return f"Retreat {name(unit)} to {called(space)}"
        case do.Withdraw(unit):
            return f"Withdraw {name(unit)}"
        case do.Stand():
            return "Stand"
        case do.Advance(unit, space):
            return f"Advance {name(unit)} to {called(space)}"
        case do.Refit(unit):
            return f"Restore {name(unit)} to full strength"
        case do.Rebuild(unit, space):
            return f"Rebuild {name(unit)} in {called(space)} for 1 RP"
        case do.ExtraReplacement():
            return "Spend the Advantage for one more Replacement Point"
        case do.TigerCubs(unit):
            return f"Spend the Advantage: Tiger Cubs restore {name(unit)}"
        case do.Reserves(unit):
            return f"Reserves restore {name(unit)} for free"
        case do.Recover(unit):
            return f"Recover {name(unit)} for free"
        case do.EndRefit():
            return "End the Refit"
        case do.DeclareFuelShortage():
            return "Spend the Advantage: Axis Fuel Shortage"
        case do.DeclareRommel():
            return "Spend the Advantage: Rommel an der Spitze"
        case do.Intercept():
            return "Spend the Advantage: Wireless Intercepts"
    raise AssertionError(f"no label for {action}")


def _price(game: Game, unit: UnitId, space: Space) -> str:
    step = game.stack[-1] if game.stack else None
    if not isinstance(step, Assault):
        return ""
    spent = step.spent if unit == step.mover else 0
    cost = price(game, step.side, unit, spent, space)
    return "" if cost is None else f" ({cost} of {game.mf(unit) - spent} MF)"
