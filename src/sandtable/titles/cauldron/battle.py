"""11.0 An attack on paper: who takes part, the odds, and every modifier of the die."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds, gather
from sandtable.kernel.rules import rule
from sandtable.titles.cauldron.printed import AXIS, Cell
from sandtable.titles.cauldron.state import ISOLATED, OUT_OF_SUPPLY, Game
from sandtable.titles.cauldron.zoc import enemy


class Battle(Struct, frozen=True):
    """11.0 One attack: the active unit, its intensity, all it attacks, and who helps."""

    active: UnitId
    intensity: str
    defenders: tuple[UnitId, ...]
    helpers: tuple[UnitId, ...] = ()
    attacker_chit: bool = False
    defender_chit: bool = False
    anti_tank: int = 0

    @property
    def attackers(self) -> tuple[UnitId, ...]:
        """The active unit and its helpers."""
        return (self.active, *self.helpers)


def adjacent_enemies(game: Game, unit: UnitId) -> tuple[UnitId, ...]:
    """11.0 All enemy units next to a unit, except across an escarpment that nothing crosses."""
    side = enemy(game.side_of(unit))
    taken = game.occupied[side]
    return tuple(
        each
        for space in game.facts.touching[game.units[unit].at]
        if taken >> space & 1
        for each in game.here(space)
    )


def open_battle(game: Game, unit: UnitId, intensity: str) -> Battle:
    """11.0 The attack of an active unit before anybody joins it."""
    return Battle(unit, intensity, adjacent_enemies(game, unit))


# Who may take part, in the book's order. `starts` is true for the active unit.


@rule
def supplied_to_attack(
    game: Game, unit: UnitId, defenders: tuple[UnitId, ...], starts: bool
) -> bool:
    """5.0 Isolated units may not attack."""
    return game.units[unit].supply != ISOLATED


@rule
def next_to_the_enemy(
    game: Game, unit: UnitId, defenders: tuple[UnitId, ...], starts: bool
) -> bool:
    """11.0 A unit attacks enemies next to it, not across an escarpment that nothing crosses."""
    beside = game.facts.touching[game.units[unit].at] if game.units[unit].at >= 0 else ()
    return any(game.units[each].at in beside for each in defenders)


@rule
def infantry_spares_armor(
    game: Game, unit: UnitId, defenders: tuple[UnitId, ...], starts: bool
) -> bool:
    """11.0 Infantry takes no part in an attack in which a defender is armour."""
    return game.kind(unit).type != "infantry" or not any(map(game.is_armor, defenders))


@rule
def anti_tank_only_joins(
    game: Game, unit: UnitId, defenders: tuple[UnitId, ...], starts: bool
) -> bool:
    """11.0 Anti-tank units start no attack and join only attacks on armour."""
    if game.kind(unit).type != "at":
        return True
    return not starts and any(map(game.is_armor, defenders))


@rule
def not_breaching(game: Game, unit: UnitId, defenders: tuple[UnitId, ...], starts: bool) -> bool:
    """14.1 A unit that is breaching a minefield may not attack."""
    return not game.builder_of(unit)


ATTACK_RULES = (
    supplied_to_attack,
    next_to_the_enemy,
    infantry_spares_armor,
    anti_tank_only_joins,
    not_breaching,
)


def may_attack(game: Game, unit: UnitId, defenders: tuple[UnitId, ...], starts: bool) -> bool:
    """11.0 Whether every rule lets the unit attack these defenders."""
    return all(each.holds(game, unit, defenders, starts) for each in ATTACK_RULES)


def candidates(game: Game, battle: Battle) -> list[UnitId]:
    """11.0 The friendly units next to a defender that may still join the attack."""
    side = game.side_of(battle.active)
    taken = game.occupied[side]
    seen: dict[Space, None] = {}
    for defender in battle.defenders:
        for space in game.facts.touching[game.units[defender].at]:
            if taken >> space & 1:
                seen[space] = None
    present = battle.attackers
    return [
        unit
        for space in seen
        for unit in game.here(space)
        if unit not in present and may_attack(game, unit, battle.defenders, False)
    ]


def attack_strength(game: Game, battle: Battle) -> int:
    """11.0 Hard values if a defender is armor, soft values otherwise."""
    value = game.hard if any(map(game.is_armor, battle.defenders)) else game.soft
    return sum(map(value, battle.attackers))


def defence_strength(game: Game, battle: Battle) -> int:
    """11.0 Hard values if an attacker is armor, soft values otherwise."""
    value = game.hard if any(map(game.is_armor, battle.attackers)) else game.soft
    return sum(map(value, battle.defenders))


def column(game: Game, attack: int, defence: int) -> int:
    """11.0 The highest odds column not above the ratio, at least the first."""
    ratio = Fraction(attack, max(1, defence))
    return max(0, sum(each <= ratio for each in game.facts.columns) - 1)


def crosses_mines(game: Game, battle: Battle) -> bool:
    """14.0 Whether any attacker attacks across an unbreached minefield hexside."""
    mined, units = game.terrain.mined, game.units
    return any(
        (units[attacker].at, units[defender].at) in mined
        for attacker in battle.attackers
        for defender in battle.defenders
    )


def modifiers(game: Game, battle: Battle) -> list[Modifier]:
    """11.0 All modifiers of the die, each type once whoever brings it in."""
    facts, units = game.facts, game.units
    table = facts.tables.modifiers
    side = game.side_of(battle.active)
    spots = 0
    for defender in battle.defenders:
        spots |= 1 << units[defender].at
    found = [
        Modifier(f"{battle.intensity} attack", facts.attack_modifier[battle.intensity], "11.0")
    ]

    def add(holds: bool, name: str, value: int, number: str) -> None:
        if holds:
            found.append(Modifier(name, value, number))

    # The terrain most beneficial to the defender, one of them only.
    ground = [
        ("fortified hex", table.fortified, facts.fortified),
        ("ridge", table.ridge, facts.ridge),
    ]
    terrain = [(name, value) for name, value, mask in ground if spots & mask]
    if terrain:
        name, value = min(terrain, key=lambda each: each[1])
        add(True, name, value, "11.0")
    add(crosses_mines(game, battle), "minefield", table.minefield, "14.0")
    attackers = [units[unit] for unit in battle.attackers]
    defenders = [units[unit] for unit in battle.defenders]
    add(
        any(unit.disrupted for unit in attackers),
        "attacker disrupted",
        table.attacker_disrupted,
        "12.0",
    )
    add(
        any(unit.disrupted for unit in defenders),
        "defender disrupted",
        table.defender_disrupted,
        "12.0",
    )
    add(
        any(unit.supply == OUT_OF_SUPPLY for unit in attackers),
        "attacker out of supply",
        table.attacker_out_of_supply,
        "5.0",
    )
    add(
        any(unit.supply == ISOLATED for unit in defenders),
        "defender isolated",
        table.defender_isolated,
        "5.0",
    )
    bonus = table.combat_chit_axis_attack if side == AXIS else table.combat_chit_allied_attack
    add(battle.attacker_chit, "attacker's Combat chit", bonus, "13.1")
    add(battle.defender_chit, "defender's Combat chit", table.combat_chit_defence, "13.1")
    return found


def cells(game: Game, battle: Battle) -> list[tuple[int, int]]:
    """11.0 Row and column of the combat results table for each die from 0 to 9, all modified."""
    total = sum(each.value for each in modifiers(game, battle))
    at = column(game, attack_strength(game, battle), defence_strength(game, battle))
    return [(min(10, max(0, die + total)), at) for die in range(10)]


def exact_odds(game: Game, battle: Battle, assumes: tuple[str, ...]) -> Odds:
    """11.0, 13.6 The distribution of results with every modifier and Anti-Tank step named."""
    if battle.anti_tank:
        steps = "a step" if battle.anti_tank == 1 else f"{battle.anti_tank} steps"
        assumes = (*assumes, f"Allied armour first loses {steps} to Anti-Tank [13.6]")
    chances = []
    for die, (row, at) in enumerate(cells(game, battle)):
        found = game.facts.crt[row][at]
        chances.append(Chance(found.text, Fraction(1, 10), (die,), favours(game, battle, found)))
    return Odds(tuple(modifiers(game, battle)), gather(chances), assumes, battle)


def favours(game: Game, battle: Battle, found: Cell) -> Side | None:
    """Whom a result hurts less: steps weigh more than retreats, retreats more than disruption."""
    weigh = [
        8 * half.steps + 3 * half.retreat + 2 * half.disrupted
        for half in (found.attacker, found.defender)
    ]
    attacker = game.side_of(battle.active)
    weigh[attacker == AXIS] += 8 * battle.anti_tank
    if weigh[0] == weigh[1]:
        return None
    return attacker if weigh[0] < weigh[1] else enemy(attacker)
