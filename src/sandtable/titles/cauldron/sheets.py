"""11.0 An attack laid out for the player who weighs it."""

from __future__ import annotations

from math import ceil

from msgspec.structs import replace

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.odds import Odds
from sandtable.kernel.rules import first_broken
from sandtable.kernel.sheets import Column, Columns, Effect, Face, Force, Part, Sheet, told
from sandtable.kernel.sheets import Result as Shown
from sandtable.titles.cauldron.actions import PlayChit
from sandtable.titles.cauldron.battle import (
    ATTACK_RULES,
    Battle,
    attack_strength,
    cells,
    column,
    defence_strength,
    modifiers,
)
from sandtable.titles.cauldron.combat import playable
from sandtable.titles.cauldron.data import Data
from sandtable.titles.cauldron.printed import Cell, Result
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.zoc import enemy

DISRUPTED = Effect(
    "two units disrupted",
    "disrupted",
    "has up to two units disrupted",
    "have up to two units disrupted",
    "two units disrupted",
)
BACK = Effect("retreat", "retreat", "retreats", "retreat", "retreats")
RETREAT, DISRUPTION = 3 / 8, 2 / 8
"""What a retreat and a disruption weigh in steps, as in `battle.favours`."""


def lay_out(game: Game, odds: Odds) -> Sheet | None:
    """11.0 The attack that these are the odds of."""
    battle = odds.about
    if not isinstance(battle, Battle):
        return None
    rows = cells(game, battle)
    crt = game.facts.crt
    found = {crt[row][at].text: crt[row][at] for row, at in rows}
    return Sheet(
        attacker=_attacker(game, battle),
        defender=_defender(game, battle),
        dice="One die from 0 to 9, with what is added to it",
        faces=tuple(Face(str(die), crt[row][at].text) for die, (row, at) in enumerate(rows)),
        results=tuple(_shown(cell) for cell in found.values()),
        measure="steps; a retreat counts three eighths of one, a disruption a quarter",
        columns=_columns(game, battle),
        later=tuple(_later(game, battle)),
    )


def meanings(facts: Data) -> dict[str, str]:
    """11.0 Every result of the table in words."""
    halves = [_shown(cell) for row in facts.crt for cell in row]
    return {
        each.text: f"attackers: {told(each.attacker)}; defenders: {told(each.defender)}"
        for each in halves
    }


def _later(game: Game, battle: Battle) -> list[Part]:
    """13.1, 13.6 The chits in hand that may still be played on this combat."""
    found, now = [], modifiers(game, battle)
    attacks = game.actor == game.side_of(battle.active)
    for action in playable(game, game.actor or "", battle):
        if not isinstance(action, PlayChit):
            continue
        chit = game.facts.chits[action.chit]
        name = f"Your {chit.name} chit, if played"
        if chit.tactical == "anti-tank":
            found.append(Part(name, "1 step", "One more Allied armour step is lost.", "13.6"))
            continue
        played = replace(
            battle,
            attacker_chit=attacks or battle.attacker_chit,
            defender_chit=not attacks or battle.defender_chit,
        )
        change = sum(each.value for each in modifiers(game, played)) - sum(x.value for x in now)
        found.append(Part(name, f"{change:+d}".replace("-", "−"), "", "13.1"))
    return found


def _shown(cell: Cell) -> Shown:
    ours, theirs = cell.attacker, cell.defender
    return Shown(cell.text, _words(ours), _words(theirs), _loss(ours), _loss(theirs))


def _words(half: Result) -> tuple[Effect, ...]:
    found = []
    if half.steps:
        text = "step lost" if half.steps == 1 else f"{half.steps} steps lost"
        figure = str(half.steps) if half.steps > 1 else ""
        found.append(Effect(text, "step", "loses a step", "lose a step", "a step lost", figure))
    if half.disrupted:
        found.append(DISRUPTED)
    if half.retreat:
        found.append(BACK)
    return tuple(found)


def _loss(half: Result) -> float:
    return half.steps + RETREAT * half.retreat + DISRUPTION * half.disrupted


def _columns(game: Game, battle: Battle) -> Columns:
    attack, defence = attack_strength(game, battle), defence_strength(game, battle)
    at, names = column(game, attack, defence), game.facts.tables.crt.columns
    more = "the highest column"
    if at + 1 < len(names):
        points = ceil(game.facts.columns[at + 1] * max(1, defence)) - attack
        makes = "points make" if points > 1 else "point makes"
        more = f"{points} more {makes} {names[at + 1]}"
    return Columns(
        tuple(Column(name, float(each == at)) for each, name in enumerate(names)),
        f"{attack} to {defence}",
        "11.0",
        more,
    )


def _value(game: Game, hard: bool, unit: UnitId) -> Part:
    return Part(game.kind(unit).id, str(game.hard(unit) if hard else game.soft(unit)))


def _attacker(game: Game, battle: Battle) -> Force:
    hard = any(map(game.is_armor, battle.defenders))
    return Force(
        game.side_of(battle.active),
        str(attack_strength(game, battle)),
        tuple(_value(game, hard, unit) for unit in battle.attackers),
        tuple(_left_out(game, battle)),
        "A defender is armour: hard values count."
        if hard
        else "No defender is armour: soft values count.",
        "11.0",
    )


def _defender(game: Game, battle: Battle) -> Force:
    hard = any(map(game.is_armor, battle.attackers))
    return Force(
        enemy(game.side_of(battle.active)),
        str(defence_strength(game, battle)),
        tuple(_value(game, hard, unit) for unit in battle.defenders),
        (),
        "Armour attacks: hard values count." if hard else "No armour attacks: soft values count.",
        "11.0",
    )


def _left_out(game: Game, battle: Battle) -> list[Part]:
    """Units of the attacker next to a defender that take no part, with the rule or the choice."""
    side, near = game.side_of(battle.active), set[Space]()
    for defender in battle.defenders:
        near |= set(game.facts.touching[game.units[defender].at])
    found = []
    for space in sorted(near):
        if not game.occupied[side] >> space & 1:
            continue
        for unit in game.here(space):
            if unit in battle.attackers:
                continue
            broken = first_broken(ATTACK_RULES, game, unit, battle.defenders, False)
            why = broken.text if broken else "May still be added before the die."
            found.append(Part(game.kind(unit).id, "", why, broken.number if broken else "11.0"))
    return found
