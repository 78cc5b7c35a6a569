"""XIV.B The odds of a battle: factors, ground, the column of the table and its chances."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds, gather
from sandtable.titles.gallop.data import Data
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.terrain import Attackers, attack, defense, exposed


class Reckoning(Struct, frozen=True):
    """The odds of a battle: sums in quarters, the column of the table, and every line of it."""

    attack: int
    defense: int
    column: int
    modifiers: tuple[Modifier, ...]
    shares: dict[UnitId, int]
    targets: tuple[Space, ...]
    attackers: tuple[tuple[UnitId, int], ...]
    ordered: tuple[UnitId, ...] = ()
    """XIV.B.5 Defenders that have orders not to retreat."""


def odds_column(data: Data, attackers: int, defenders: int) -> int | None:
    """XIV.B.3, XIV.B.4 The nearest printed odds not above the true ones; None below 1:4."""
    found = None
    for at, (a, d) in enumerate(data.columns):
        if attackers * d >= defenders * a:
            found = at
    return found


def reckon(game: Game, targets: Sequence[Space], attackers: Attackers) -> Reckoning | None:
    """XIV.A.5, XIV.B The odds of a battle with whole stacks, or None below the lowest column."""
    strength, modifiers = attack(game, targets, attackers)
    shares: dict[UnitId, int] = {}
    for hex in targets:
        one = defense(game, hex, attackers)
        shares.update(one.shares)
        modifiers += one.modifiers
    total = sum(shares.values())
    column = odds_column(game.facts, strength, total)
    if column is None or not shares:
        return None
    names = game.facts.tables.gcrt.columns
    modifiers.append(Modifier(f"basic odds {names[column]}", 0, "XIV.B.3", adds="column"))
    if half_disrupted(game, shares) and column < len(names) - 1:
        column += 1
        modifiers.append(
            Modifier(f"defenders Disrupted: {names[column]}", 1, "IX.C", adds="column")
        )
    lines = tuple(modifiers)
    return Reckoning(strength, total, column, lines, shares, tuple(targets), tuple(attackers))


def within_table(game: Game, targets: Sequence[Space], attackers: Attackers) -> bool:
    """XIV.B.4 Whether a battle reaches the lowest column: the same sums as `reckon`, untold."""
    if not any(map(game.stack_at, targets)):
        return False
    against = sum(defense(game, hex, attackers, told=False).total for hex in targets)
    strength, _ = attack(game, targets, attackers, told=False)
    lowest, least = game.facts.columns[0]
    return strength * least >= against * lowest


def half_disrupted(game: Game, shares: dict[UnitId, int]) -> bool:
    """IX.C Half the terrain-modified factors Disrupted make the whole defense so."""
    broken = sum(part for unit, part in shares.items() if game.pieces[unit].disrupted)
    return broken > 0 and 2 * broken >= sum(shares.values())


def battle_odds(game: Game, reckoning: Reckoning, side: Side, *assumes: str) -> Odds:
    """XIV.C.2 The chances of each result at these odds, and who takes it more lightly."""
    enemy = game.enemy(side)
    harms = bool(exposed(game, reckoning.attackers, reckoning.targets))
    chances = []
    for face, result in enumerate(game.facts.gcrt[reckoning.column], 1):
        favours = None
        if result in ("DE", "R2", "R1", "D") or (result.startswith("DA") and not harms):
            favours = side
        elif result != "-" and harms:
            favours = enemy
        chances.append(Chance(result, Fraction(1, 6), (face,), favours))
    notes = [
        Modifier(f"for {game.name(unit)} in works R1 counts as D, R2 as R1, DE as R2", 0, "XI.A.1")
        if game.in_works(unit)
        else Modifier(f"for {game.name(unit)} DE counts as R2", 0, "XIV.D.5")
        for unit in reckoning.shares
        if game.in_works(unit) or unit in game.facts.survivors
    ]
    return Odds((*reckoning.modifiers, *notes), gather(chances), assumes, reckoning)
