"""7.5.1.2 to 7.5.1.4 Battles: strengths, column shifts and the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from sandtable.kernel.odds import Modifier
from sandtable.titles.theseus.challenges import hidden_parents
from sandtable.titles.theseus.facts import Result
from sandtable.titles.theseus.schema import AXIS, CARRIED_INFANTRY, INFANTRY, Chit, Terrain
from sandtable.titles.theseus.state import Game

HASTY, REGULAR, PREPARED = "hasty", "regular", "prepared"
KINDS = (HASTY, REGULAR, PREPARED)

Helpers = tuple[tuple[int, tuple[int, ...]], ...]
"""Hexes with units that can give Combat Support, each with the formations of these units."""


class Battle(Struct, frozen=True):
    """7.5.1 One combat as far as it has been decided."""

    side: int
    units: tuple[int, ...]
    hex: int
    target: int
    defenders: tuple[int, ...]
    kind: str = HASTY
    failed_retreat: bool = False
    attack_chit: int = -1
    defence_chit: int = -1
    air: int = 0
    lead: int = -1
    """7.5.1.5.A The defenders' Lead Formation."""
    attack_unit: int = -1
    """7.5.1.5.C The unit whose Tank Points the attacker uses, if any."""
    defence_unit: int = -1
    face_value: bool = False
    """A forecast before the attack is declared: enemies count with their printed strength."""
    helpers: tuple[Helpers, Helpers] | None = None
    """7.5.1.5.A Hexes that can support either side, announced when the combat is fought."""

    @property
    def enemy(self) -> int:
        return 1 - self.side


def new_battle(game: Game, side: int, units: Iterable[int], hex: int, target: int) -> Battle:
    """7.5.1.A The battle a declaration begins; all units in the hex defend."""
    return Battle(side, tuple(units), hex, target, game.combat_units(target))


# 7.5.1.2 Strength.


def in_improved_defence(game: Game, battle: Battle) -> bool:
    """7.7 A marker, or an unbreached minefield of the defender's own."""
    own_mines = game.situation.mines[battle.enemy] >> battle.target & 1
    return bool(own_mines) or battle.target in game.improved


def ground(game: Game, battle: Battle) -> Terrain:
    """7.5.1.2, 3.1.1 The line of the Terrain Effects Chart the defenders fight on."""
    data, table = game.data, game.data.tables.terrain
    bit = 1 << battle.target
    mines = game.situation.mines
    if mines[battle.enemy] & bit:
        return table["own_minefield"]
    if mines[battle.side] & bit:
        return table["enemy_minefield"]
    # Ruling R22: a breached box is broken ground, a breached minefield what it was before.
    if battle.target in game.breached and data.boxes & bit:
        return table["breached_box"]
    return table[data.terrain[battle.target]]


def over_ridge(game: Game, battle: Battle) -> bool:
    """3.1.2 Whether the attack crosses a ridge or wadi hexside."""
    return (battle.hex, battle.target) in game.data.ridges


def multiplier(chit: Chit, column: str, effectiveness: int) -> int:
    """7.5.1.2 The chit's figure for a column and an Effectiveness Rating."""
    figures: tuple[int, ...] = getattr(chit, column)
    return figures[max(2, min(effectiveness, 7)) - 2]


def attack_column(kind: str) -> str:
    """7.5.1.2 Red for hasty, plain for regular, green for prepared attacks."""
    return {HASTY: "red", REGULAR: "plain", PREPARED: "green"}[kind]


def defence_column(game: Game, battle: Battle, unit: int) -> str:
    """5.6.3, 7.5.1.2 Green in Improved Defence and own mines, else red if disrupted."""
    if in_improved_defence(game, battle):
        return "green"
    return "red" if game.pieces[unit].disrupted else "plain"


def has_infantry(game: Game, units: Iterable[int]) -> bool:
    """7.5.1.2 Whether any of these is an infantry type unit."""
    return any(game.card[unit].type in INFANTRY for unit in units)


def full_strength(game: Game, battle: Battle, unit: int, attacking: bool) -> int:
    """7.5.1.2 A unit's combat strength, of a defender not yet shown the printed one."""
    known = attacking or not battle.face_value
    return game.pieces[unit].strength if known else game.card[unit].strength


def half_strength(game: Game, battle: Battle, unit: int, attacking: bool) -> int:
    """7.5.1.2 A unit's combat strength in half points: Flak alone counts one (same rule)."""
    strength = full_strength(game, battle, unit, attacking)
    if game.card[unit].type == "flak":
        stack = game.combat_units(battle.hex) if attacking else battle.defenders
        if not has_infantry(game, stack):
            strength = min(strength, game.data.tables.combat.flak_alone_strength)
    # 5.7.5: unsupplied units attack with half their strength, but defend with all of it.
    return strength if attacking and game.unsupplied(unit) else 2 * strength


def attack_strength(game: Game, battle: Battle, chit: Chit) -> int:
    """5.1, 7.5.1.2 The attackers' Battle Strength; fractions are rounded up at the end."""
    column = attack_column(battle.kind)
    halves = sum(
        half_strength(game, battle, unit, True) * multiplier(chit, column, game.effectiveness(unit))
        for unit in battle.units
    )
    return -(-halves // 2)


def defence_strength(game: Game, battle: Battle, chit: Chit) -> int:
    """5.1, 7.5.1.2 The defenders' Battle Strength."""
    halves = sum(
        half_strength(game, battle, unit, False)
        * multiplier(chit, defence_column(game, battle, unit), game.effectiveness(unit))
        for unit in battle.defenders
    )
    return -(-halves // 2)


# 7.5.1.3, 7.5.1.4 Column shifts.


def combined_arms(game: Game, units: Sequence[int]) -> bool:
    """7.5.1.3 A tank and carried infantry of one formation, both undisrupted."""
    tanks, carried = set(), set()
    for unit in units:
        card, piece = game.card[unit], game.pieces[unit]
        if piece.disrupted or piece.parent < 0:
            continue
        if card.type in ("tank", "heavy_tank") and not card.no_combined_arms:
            tanks.add(piece.parent)
        elif card.type in CARRIED_INFANTRY:
            carried.add(piece.parent)
    return bool(tanks & carried)


def shifts(game: Game, battle: Battle) -> list[Modifier]:
    """7.5.1.3, 7.5.1.4 Column shifts, right for the attacker."""
    found: list[Modifier] = []
    bonus = game.data.tables.combat.combined_arms
    if combined_arms(game, battle.units):
        found.append(
            Modifier("Combined Arms of the attacker, column", bonus, "7.5.1.3", adds="column")
        )
    if combined_arms(game, followers(game, battle)):
        found.append(
            Modifier("Combined Arms of the defender, column", -bonus, "7.5.1.3", adds="column")
        )
    if battle.air:
        found.append(Modifier("Axis air units, column", battle.air, "7.5.1.4", adds="column"))
    return found


def air_limit(game: Game, battle: Battle) -> int:
    """3.4, 7.5.1.4 How many air units an Axis attack may use; never in defence."""
    limits = game.data.tables.combat.air
    return min(getattr(limits, battle.kind), game.air) if battle.side == AXIS else 0


# 5.3.4, 5.5.2 What is known of the enemy.


def known_units(game: Game, hex: int, viewer: int) -> list[int]:
    """5.3.4, 5.5.2 Enemy units a side can see whose formation it knows."""
    from sandtable.titles.theseus.intelligence import visible

    units = [unit for unit in visible(game, hex, viewer) if unit < game.data.count]
    secret = hidden_parents(game, units)
    return [unit for unit in units if unit not in secret]


def followers(game: Game, battle: Battle) -> tuple[int, ...]:
    """5.5.2 Defenders that count for their formation: a forecast knows no secret assignment."""
    secret = hidden_parents(game, battle.defenders) if battle.face_value else ()
    return tuple(unit for unit in battle.defenders if unit not in secret)


# 7.5.1.E, 7.5.1.H The table.


def find_column(game: Game, battle: Battle, attack: int, defence: int) -> int:
    """7.5.1.E, 7.5.1.F The column after all shifts, which never leave the table; -1 below it."""
    column = game.data.column(ground(game, battle).row, attack, max(defence, 1))
    if column < 0:
        return -1
    column += sum(each.value for each in shifts(game, battle))
    return max(0, min(column, len(game.data.crt[0]) - 1))


def odds_name(game: Game, battle: Battle, column: int) -> str:
    """7.5.1.E The heading of a column on this ground."""
    if column < 0:
        return "below the table"
    headings: tuple[str, ...] = getattr(game.data.tables.crt, ground(game, battle).row)
    return headings[column]


def result(game: Game, column: int, face: int, drm: int) -> Result:
    """7.5.1.H, 7.5.1.5 The cell for a column and a modified roll between 1 and 20."""
    if column < 0:
        return game.data.below_table
    return game.data.crt[max(1, min(face + drm, 20)) - 1][column]


def cup(game: Game) -> tuple[Chit, ...]:
    """7.5.1.2 The chits in play: the standard set or the linear one."""
    return game.data.cups[game.option("linear_chits")]


def strengths(game: Game, battle: Battle) -> tuple[int, int]:
    """7.5.1.2 Both Battle Strengths with the chits drawn."""
    chits = cup(game)
    return (
        attack_strength(game, battle, chits[battle.attack_chit]),
        defence_strength(game, battle, chits[battle.defence_chit]),
    )
