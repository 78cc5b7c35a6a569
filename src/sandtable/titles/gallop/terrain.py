"""XI What ground and works are worth to attacker and defender."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.odds import Modifier
from sandtable.titles.gallop.state import Game

SCALE = 4
"""Combat factors are counted in quarters, for those that are halved, and halved again."""

Attackers = Sequence[tuple[UnitId, int]]
"""Units with the attack factors they use."""


class Defense(Struct, frozen=True):
    """The defense of one hex: each unit's part with its terrain, in quarters, and the sum."""

    shares: dict[UnitId, int]
    modifiers: tuple[Modifier, ...]

    @property
    def total(self) -> int:
        """All the quarters together."""
        return sum(self.shares.values())


def show(quarters: int) -> str:
    """Quarters as a mixed number.

    >>> show(6), show(-8), show(1)
    ('1½', '-2', '¼')
    """
    sign, whole, part = ("-" if quarters < 0 else ""), abs(quarters) // 4, abs(quarters) % 4
    return sign + (str(whole) if whole or not part else "") + ("", "¼", "½", "¾")[part]


def line(name: str, quarters: int, rule: str) -> Modifier:
    """A modifier; one that is no whole number says so in its name."""
    exact = "" if quarters % SCALE == 0 else f" ({show(quarters)})"
    return Modifier(name + exact, int(quarters / SCALE), rule, adds="strength")


def halved_aa(game: Game, unit: UnitId, foes: Sequence[UnitId]) -> bool:
    """XIV.B.7 Flak Gruppe and 4th AA count half where no enemy armor is in the fight."""
    book = game.book
    return book[unit].aa == "special" and all(book[foe].cls != "armor" for foe in foes)


def defense(game: Game, hex: Space, attackers: Attackers, *, told: bool = True) -> Defense:
    """XI.A.1, XI.B, XI.C, XIV.B.2, TEC Defense factors of a hex with what its ground adds.

    Each line is told unless only the sum is asked for, as it is again and again in planning.
    """
    facts, table, book = game.facts, game.facts.tables.defense, game.book
    units = game.stack_at(hex)
    foes = [unit for unit, _ in attackers]
    modifiers: list[Modifier] = []
    values: dict[UnitId, int] = {}
    for unit in units:
        value = SCALE * book[unit].defense
        if told:
            modifiers.append(line(f"defence of {game.name(unit)}", -value, "XIV.B.2"))
        if halved_aa(game, unit, foes):
            value //= 2
            what = f"{game.name(unit)} halved: no armour attacks"
            modifiers.append(line(what, value, "XIV.B.7"))
        values[unit] = value
    shares = dict(values)
    on_foot = [unit for unit in units if book[unit].cls != "armor"]
    origins = [game.pieces[foe].hex for foe in foes]
    ridge = any((origin, hex) in facts.ridges for origin in origins)
    uphill = bool(origins) and all((origin, hex) in facts.up for origin in origins)
    side = game.side_of(units[0]) if units else "axis"
    for name, most, number, takers in (
        ("box" if side == "allied" else "fort", table.box, "XI.A.1", on_foot)
        if game.works(side) >> hex & 1
        else ("", 0, "", on_foot),
        ("hill", table.hill if facts.hills >> hex & 1 else 0, "XI.B", on_foot),
        ("ridge hexside", table.ridge if ridge else 0, "XI.B", units),
        ("attacked up the escarpment", table.escarpment if uphill else 0, "XI.C", units),
    ):
        left = SCALE * most
        if not left:
            continue
        given = 0
        for unit in sorted(takers, key=lambda each: game.pieces[each].disrupted):
            part = min(left - given, values[unit])
            shares[unit] += part
            given += part
        if given and told:
            modifiers.append(line(name, -given, number))
    return Defense(shares, tuple(modifiers))


def attack(
    game: Game, targets: Sequence[Space], attackers: Attackers, *, told: bool = True
) -> tuple[int, list[Modifier]]:
    """XI.C, XI.D, XIV.B.1 Attack factors in quarters, with each line that makes them up if told."""
    facts, table = game.facts, game.facts.tables.defense
    foes = [unit for hex in targets for unit in game.stack_at(hex)]
    modifiers: list[Modifier] = []
    total = 0
    by_hex: dict[int, int] = {}
    for unit, factors in attackers:
        origin = game.pieces[unit].hex
        value = SCALE * factors
        if told:
            modifiers.append(line(f"attack of {game.name(unit)}", value, "XIV.B.1"))
        if halved_aa(game, unit, foes):
            value //= 2
            modifiers.append(line(f"{game.name(unit)} halved: no armour there", -value, "XIV.B.7"))
        if any((hex, origin) in facts.cliffs for hex in targets):
            value //= 2
            modifiers.append(
                line(f"{game.name(unit)} halved: down a towering escarpment", -value, "XI.D")
            )
        total += value
        by_hex[origin] = by_hex.get(origin, 0) + value
    for high, value in by_hex.items():
        if any((hex, high) in facts.up for hex in targets):
            extra = min(SCALE * table.escarpment_attack, value)
            total += extra
            where = game.hex_name(high)
            modifiers.append(line(f"down the escarpment from {where}", extra, "XI.C"))
    return total, modifiers


def spared(game: Game, unit: UnitId, targets: Sequence[Space]) -> bool:
    """XI.D Nothing bad comes to units that attack down a towering escarpment."""
    origin = game.pieces[unit].hex
    return any((hex, origin) in game.facts.cliffs for hex in targets)


def exposed(game: Game, attackers: Attackers, targets: Sequence[Space]) -> list[tuple[UnitId, int]]:
    """XI.D The attackers on the map whom a bad result can harm, with their factors."""
    return [
        (unit, factors)
        for unit, factors in attackers
        if game.pieces[unit].hex >= 0 and not spared(game, unit, targets)
    ]
