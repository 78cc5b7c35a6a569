"""XV.A Supply lines: sources, lengths, what closes them, and who lives from whom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from sandtable.boards import flags, mask_of
from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.gallop.printed import LineLength
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.zoc import sheltered

FAR = 99
"""More Movement Factors than any supply line has."""


def sources(game: Game, side: Side) -> list[Space]:
    """XV.A.1.a, XV.A.1.b The sources a side still controls; Tobruk comes last."""
    if side == "axis":
        return [hex for hex in game.facts.axis_sources if hex in game.axis_holds]
    found = (*game.eastern_sources(), game.facts.tobruk)
    return [hex for hex in found if hex not in game.axis_holds]


def table(game: Game) -> LineLength:
    """XV.A.2 The row of the supply table for this weather."""
    found: LineLength = getattr(game.facts.tables.supply, game.weather)
    return found


def basic_length(game: Game) -> int:
    """XV.A.2 7 MF in normal weather, 3 and a die in a sandstorm, 5 in rain."""
    return table(game).length + (game.storm_die if game.weather == "sandstorm" else 0)


def closed(game: Game, side: Side) -> tuple[int, int]:
    """XV.A.2, XI.A.4 Hexes a line cannot enter, and hexes that cost it one more."""
    lay, facts = game.lay, game.facts
    enemy = game.enemy(side)
    friends, foes = lay.real[side], lay.seen[enemy]
    spread = facts.board.spread
    fresh = spread(lay.fresh[enemy] & foes, facts.zoc_exits)
    zoned = spread(foes, facts.zoc_exits)
    safe = friends | sheltered(game, side)
    villages = facts.villages["axis"] | facts.villages["allied"]
    axis_held = mask_of(game.axis_holds)
    hostile = villages & (axis_held if side == "allied" else ~axis_held)
    shut = foes | (game.works(enemy) | hostile) & ~friends
    if game.weather == "sandstorm":
        dear = zoned
    else:
        shut |= fresh & ~safe
        dear = zoned & ~fresh
    return shut, dear & ~safe


def mined(game: Game, side: Side) -> frozenset[tuple[int, int]]:
    """Ruling R12 The steps that minefields close to an Axis line."""
    if side == "allied":
        return frozenset()
    friends, gone = game.lay.real["axis"], game.eliminated
    return frozenset(
        step
        for step, inner in game.facts.mined.items()
        if inner not in gone and not friends >> step[0] & friends >> step[1] & 1
    )


TRACES = 2048
"""Supply lines that are remembered."""


def trace(game: Game, side: Side, starts: Iterable[int]) -> list[int]:
    """XV.A.2 Movement Factors of supply line to every hex, from these sources; remembered."""
    shut, dear = closed(game, side)
    key = (tuple(starts), shut, dear, mined(game, side))
    known = game.traces.get(key)
    if known is None:
        if len(game.traces) > TRACES:
            game.traces.clear()
        known = game.traces[key] = spend(game, *key)
    return known


def spend(
    game: Game,
    starts: tuple[int, ...],
    shut: int,
    dear: int,
    mines: frozenset[tuple[int, int]],
) -> list[int]:
    """XV.A.2, ruling R30 What a line costs that enters no shut hex and crosses no mines.

    Along roads and tracks joined to a source a line costs nothing; where it has left them, each
    hex costs one, and more uphill; an enemy zone it may pass at all costs one more.
    """
    facts = game.facts
    lines, size = facts.lines, facts.board.size
    barred, tolls = flags(shut, size), flags(dear, size)
    on_net, best = [FAR] * size, [FAR] * size
    layers: list[list[tuple[int, bool]]] = [[] for _ in range(FAR + 8)]
    for hex in starts:
        if not barred[hex]:
            extra = tolls[hex]
            on_net[hex] = best[hex] = extra
            layers[extra].append((hex, True))
    behind = {here for here, _ in mines}
    for spent, layer in enumerate(layers):
        if spent > 30:
            break
        for here, riding in layer:
            if spent > (on_net if riding else best)[here]:
                continue
            mine = here in behind
            for there, net, step in lines[here]:
                if barred[there] or (mine and (here, there) in mines):
                    continue
                so_far = spent + tolls[there]
                if riding and net and so_far < on_net[there]:
                    on_net[there] = so_far
                    if so_far < best[there]:
                        best[there] = so_far
                    layers[so_far].append((there, True))
                total = so_far + step
                if total < best[there]:
                    best[there] = total
                    layers[total].append((there, False))
    return best


def lines(game: Game, side: Side, which: Literal["all", "eastern", "tobruk"] = "all") -> list[int]:
    """XV.A.1 Line lengths by hex from all sources of a side, or from some of the Allied ones."""
    cache = game.lay.lines
    key = f"{side} {which} {game.phasing}"
    if key not in cache:
        found = sources(game, side)
        tobruk = game.facts.tobruk
        if which == "eastern":
            found = [hex for hex in found if hex != tobruk]
        elif which == "tobruk":
            found = [hex for hex in found if hex == tobruk]
        cache[key] = trace(game, side, found)
    return cache[key]


def tobruk_linked(game: Game) -> bool:
    """XV.A.1.b, ruling R32 Whether a line reaches Tobruk from the eastern edge."""
    return lines(game, "allied", "eastern")[game.facts.tobruk] <= basic_length(game)


def served(game: Game, side: Side) -> int:
    """XIV.D.2.g The hexes that friendly supply reaches now."""
    length = basic_length(game)
    found = lines(game, side)
    reached = mask_of(hex for hex in game.facts.board.spaces if found[hex] <= length)
    return reached | (game.works("allied") if side == "allied" else 0)


def supplied_units(game: Game, side: Side, wanted: Iterable[UnitId] = ()) -> set[UnitId]:
    """XV.A The units of a side that are in supply without convoys.

    `wanted` come first where Tobruk, cut off, can feed no more than seven.
    """
    units, length = game.on_map(side), basic_length(game)
    pieces = game.pieces
    if side == "axis":
        reach = lines(game, "axis")
        fed = {unit for unit in units if reach[pieces[unit].hex] <= length}
        return fed | by_divisions(game, fed)
    east = lines(game, "allied", "eastern")
    fed = {unit for unit in units if east[pieces[unit].hex] <= length}
    own_boxes = game.works("allied")
    if game.facts.tobruk not in game.axis_holds:
        own_boxes &= ~game.facts.fortress
    fed |= {unit for unit in units if own_boxes >> pieces[unit].hex & 1}
    port = lines(game, "allied", "tobruk")
    besieged = [unit for unit in units if unit not in fed and port[pieces[unit].hex] <= length]
    if not tobruk_linked(game):
        first = set(wanted)
        besieged.sort(key=lambda unit: (unit not in first, port[pieces[unit].hex]))
        besieged = besieged[: game.facts.tables.supply.tobruk_units]
    return fed | set(besieged)


def by_divisions(game: Game, fed: set[UnitId]) -> set[UnitId]:
    """XV.A.3 German small units live from a supplied German division in or next to their hex."""
    near = game.facts.board.within(
        mask_of(
            game.pieces[unit].hex
            for unit in fed
            if game.book[unit].nation == "german" and game.book[unit].division
        ),
        1,
    )
    return {unit for unit in small_germans(game) if near >> game.pieces[unit].hex & 1}


def small_germans(game: Game) -> list[UnitId]:
    """XV.A.3 Recce Gruppe, 15. Mot, KG Hecker and Flak Gruppe."""
    book = game.book
    return [
        unit
        for unit in game.on_map("axis")
        if book[unit].nation == "german" and not book[unit].division
    ]


def sharers(game: Game, unit: UnitId) -> list[UnitId]:
    """XV.A.4 Other brigades of a British armoured division within two hexes of the recipient."""
    formation = game.book[unit].formation
    if not formation:
        return []
    shut, _ = closed(game, "allied")
    facts = game.facts
    near = facts.board.flood(
        1 << game.pieces[unit].hex,
        facts.land & ~shut,
        facts.line_exits,
        facts.tables.supply.shared_convoy_hexes,
    )
    return [
        other
        for other in game.on_map("allied")
        if other != unit
        and game.book[other].formation == formation
        and near >> game.pieces[other].hex & 1
    ]


def dependants(game: Game, unit: UnitId) -> Iterable[UnitId]:
    """XV.A.3, XV.A.4 The units that live from what reaches this one."""
    return by_divisions(game, {unit}) if game.side_of(unit) == "axis" else sharers(game, unit)


def convoy_dice(game: Game, unit: UnitId) -> int:
    """XV.A.3, XV.A.4, ruling R13 Dice for an extended line; Recce Gruppe has one more."""
    return table(game).convoy_dice + (unit in game.facts.recce)


def shortfall(game: Game, unit: UnitId) -> int:
    """XV.A.4 Movement Factors a unit lies beyond the basic line.

    XV.A.1.b, ruling R58 No convoy sets out from a Tobruk that is cut off.
    """
    side = game.side_of(unit)
    cut_off = side == "allied" and not tobruk_linked(game)
    reach = lines(game, side, "eastern" if cut_off else "all")
    return reach[game.pieces[unit].hex] - basic_length(game)
