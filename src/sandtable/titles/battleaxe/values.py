"""11.4.2, 11.4.3, 11.4.4 Attack and Defense Values, results, and the odds of a combat."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.odds import Chance, Margin, Modifier, Odds, Pmf, convolve, dice_sum, gather
from sandtable.titles.battleaxe import support
from sandtable.titles.battleaxe.data import ALLIED, AXIS, SIDES
from sandtable.titles.battleaxe.state import Game
from sandtable.titles.battleaxe.support import Battle

AIR, ROMMEL = "Air Support is committed", "Rommel leads"
CALLS = ("the attacker calls for artillery", "the defender calls for artillery")
"""What a forecast may take for granted."""

SHAKEN = 2
"""19.5 What Allied armor gains against Italian infantry."""

REPULSE, STALEMATE, SUCCESS, OVERRUN = "repulse", "stalemate", "success", "overrun"


def lead_value(
    game: Game, lead: UnitId, units: Sequence[UnitId], rule: str = "11.4.2A"
) -> list[Modifier]:
    """10.3, 11.4.2A, 11.4.3A, 14.2.2 The Combat Value of a lead unit, line by line.

    AT/FLAK units that fight on their own count 1 at Full-Strength and 0 when Reduced.
    """
    facts = game.data.unit_facts
    name, one = facts[lead].id, game.units[lead]
    if all(facts[unit].kind == "at" for unit in units):
        lines = [Modifier(f"{name} leads, AT/FLAK on their own", int(not one.reduced), "10.3")]
    else:
        lines = [Modifier(f"{name} leads", game.cv(lead) + one.out_of_supply, rule)]
    if one.out_of_supply:
        lines.append(Modifier(f"{name} out of supply", -1, "14.2.2"))
    return lines


def attack_value(game: Game, battle: Battle) -> list[Modifier]:
    """11.4.2, 11.4.2B, 11.4.2C, 11.4.2D The Attack Value, line by line."""
    lines = lead_value(game, battle.lead, battle.units)
    if len(battle.units) > 1:
        lines.append(Modifier("other attacking units", len(battle.units) - 1, "11.4.2B"))
    if battle.air:
        lines.append(Modifier("Air Support", battle.air, "11.4.2C"))
    if battle.rommel:
        lines.append(Modifier("Rommel", battle.rommel, "11.4.2C"))
    if battle.attacker_guns:
        lines.append(Modifier("attacker's artillery", support.GUNS, "11.4.2D"))
    if combined_arms(game, battle):
        lines.append(Modifier("combined arms", 1, "11.4.2E"))
    against = battle.defending_lead
    if against is not None and italians_shaken(game, battle, against):
        lines.append(Modifier("armour against Italian infantry", SHAKEN, "19.5"))
    return lines


def combined_arms(game: Game, battle: Battle) -> bool:
    """11.4.2E Armor, infantry and AT/FLAK take part together."""
    kinds = set()
    for unit in battle.units:
        facts = game.data.unit_facts[unit]
        italian = facts.nation == "italian" and facts.kind == "infantry"
        if not (italian and game.options["italian_reliability"]):
            kinds.add("armor" if facts.armored else facts.kind)
    return kinds >= {"armor", "infantry", "at"}


def italians_shaken(game: Game, battle: Battle, defending_lead: UnitId) -> bool:
    """19.5 Allied armor leads against Italian infantry."""
    lead = game.data.unit_facts[battle.lead]
    against = game.data.unit_facts[defending_lead]
    return (
        bool(game.options["italian_reliability"])
        and battle.side == ALLIED
        and lead.armored
        and against.nation == "italian"
        and against.kind == "infantry"
    )


def defense_value(game: Game, battle: Battle) -> list[Modifier]:
    """11.4.3, 11.4.3B, 11.4.3C, 11.4.3D, 11.4.3E The Defense Value, line by line."""
    assert battle.defending_lead is not None
    defenders = game.units_in(1 - battle.side, battle.space)
    lines = lead_value(game, battle.defending_lead, defenders, "11.4.3A")
    if len(defenders) > 1:
        lines.append(Modifier("other defending units", len(defenders) - 1, "11.4.3B"))
    lines.append(Modifier("terrain", game.tem(battle.space), "11.4.3C"))
    if battle.defender_guns:
        lines.append(Modifier("defender's artillery", support.GUNS, "11.4.3D"))
    if game.fuel_low and battle.side == AXIS:
        lines.append(Modifier("Axis short of fuel", 2, "11.4.3E"))
    return lines


def total(lines: Sequence[Modifier]) -> int:
    """11.4 The sum of a value's lines."""
    return sum(line.value for line in lines)


def absorbable(game: Game, side: int, space: Space) -> int:
    """11.5 The most Attrition Points that the units in a space can take."""
    return sum(2 if game.units[unit].reduced else 3 for unit in game.units_in(side, space))


def result_of(margin: int, most: int, second: bool) -> str:
    """11.4.4 The result for an Attack Total this much above the Defense Total.

    There is no Overrun in the combat that follows an Overrun.
    """
    if margin < 0:
        return REPULSE
    if margin == 0:
        return STALEMATE
    return OVERRUN if margin > most and not second else SUCCESS


def outcome_label(result: str, margin: int) -> str:
    """The words for a result in odds and log."""
    return f"success, {margin} AP" if result == SUCCESS else result


def best_lead(game: Game, battle: Battle) -> UnitId:
    """The defender that makes most of the defence as lead, 19.5 included; the first of equals."""
    defenders = game.units_in(1 - battle.side, battle.space)

    def worth(lead: UnitId) -> int:
        shaken = italians_shaken(game, battle, lead)
        return total(lead_value(game, lead, defenders)) - SHAKEN * shaken

    return max(defenders, key=lambda unit: (worth(unit), -unit))


def forecast(game: Game, battle: Battle) -> Odds:
    """The odds before lead and support are settled, with what they take for granted."""
    assumes = []
    if battle.defending_lead is None:
        lead = best_lead(game, battle)
        battle = replace(battle, defending_lead=lead)
        assumes.append(f"{game.data.unit_facts[lead].id} leads the defence")
    plus: Pmf = {0: Fraction(1)}
    minus: Pmf = {0: Fraction(1)}
    if support.air_ready(game, battle):
        assumes.append(AIR)
        faces: dict[int, Fraction] = {}
        for face in range(1, 7):
            value = support.air_value(game, battle, face)
            faces[value] = faces.get(value, Fraction(0)) + Fraction(1, 6)
        plus = convolve(plus, faces)
    if game.rommel and support.rommel_ready(game, battle):
        assumes.append(ROMMEL)
        plus = convolve(plus, dice_sum(1))
    for side, what in zip((battle.side, 1 - battle.side), CALLS, strict=True):
        if game.artillery[side] and not battle.second:
            assumes.append(what)
            chance = support.call_chance(game, battle, side)
            guns = {0: 1 - chance, support.GUNS: chance}
            if side == battle.side:
                plus = convolve(plus, guns)
            else:
                minus = convolve(minus, guns)
    # The dice fall only when the attack is resolved, whatever support there is.
    return combat_odds(game, battle, plus, minus, tuple(assumes) or ("the attack goes ahead",))


def combat_odds(
    game: Game, battle: Battle, plus: Pmf, minus: Pmf, assumes: tuple[str, ...]
) -> Odds:
    """11.4.4 The exact chances of each result, given what support may still add."""
    attack, defense = attack_value(game, battle), defense_value(game, battle)
    base = total(attack) - total(defense)
    most = absorbable(game, 1 - battle.side, battle.space)
    attacker, defender = SIDES[battle.side], SIDES[1 - battle.side]
    margins: dict[int, Fraction] = {}
    example: dict[int, tuple[int, int]] = {}
    extra = convolve(plus, {-value: chance for value, chance in minus.items()})
    for dice, chance in convolve(dice_sum(2), {-k: p for k, p in dice_sum(2).items()}).items():
        for more, likely in extra.items():
            margin = base + dice + more
            margins[margin] = margins.get(margin, Fraction(0)) + chance * likely
            example.setdefault(margin, (dice, more))
    chances = []
    for margin in sorted(margins):
        result = result_of(margin, most, battle.second)
        favours = {REPULSE: defender, STALEMATE: None}.get(result, attacker)
        faces = () if assumes else _faces_for(example[margin][0])
        chances.append(Chance(outcome_label(result, margin), margins[margin], faces, favours))
    plus_lines = [Modifier(line.name, line.value, line.rule, attacker) for line in attack]
    minus_lines = [Modifier(line.name, -line.value, line.rule, defender) for line in defense]
    spread = tuple(
        Margin(margin, chance.probability, chance.text)
        for margin, chance in zip(sorted(margins), chances, strict=True)
    )
    return Odds((*plus_lines, *minus_lines), gather(chances), assumes, battle, spread)


def _faces_for(difference: int) -> tuple[int, int, int, int]:
    """Four dice whose first pair is this much above the second."""
    attack = min(12, 7 + max(0, difference)) if difference >= 0 else max(2, 7 + difference)
    defense = attack - difference
    while not 2 <= defense <= 12:
        attack += 1 if defense < 2 else -1
        defense = attack - difference
    return (attack - attack // 2, attack // 2, defense - defense // 2, defense // 2)
