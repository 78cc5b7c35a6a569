"""Slow, literal readings of the rules on paths and zones, against the bitboards."""

from __future__ import annotations

from collections import deque
from random import Random

from sandtable.titles.theseus.situation import IN_COMMAND, ISOLATED, OUT_OF_COMMAND
from sandtable.titles.theseus.state import Game
from tests.titles.theseus.tables import TITLE


def positions(seed: str, number: int) -> list[Game]:
    """Games taken now and then out of random play."""
    random = Random(seed)
    found: list[Game] = []
    while len(found) < number:
        game = TITLE.start("campaign", seed=f"{seed} {len(found)}")
        for _ in range(random.randrange(100, 700)):
            if game.outcome:
                break
            game.play(random.choice(game.actions()))
        if game.outcome is None:
            assert isinstance(game, Game)
            found.append(game)
    return found


def zoc_hexes(game: Game, side: int) -> set[int]:
    """5.4 Hex by hex and unit by unit."""
    found: set[int] = set()
    for unit in range(game.data.count):
        piece, card = game.pieces[unit], game.card[unit]
        if piece.hex < 0 or game.side(unit) != side or piece.disrupted or card.no_zoc:
            continue
        for there in (piece.hex, *game.data.board.neighbours[piece.hex]):
            step = (piece.hex, there)
            if step in game.data.ridges or step in game.data.sea_sides:
                continue
            enemy_mines = game.data.mines[1 - side] >> there & 1 and there not in game.breached
            if not enemy_mines:
                found.add(there)
    return found


def passable(game: Game, side: int, zoc: set[int], hex: int) -> bool:
    """5.7.4, 5.8.2 Whether a path may run through a hex."""
    stack = game.at.get(hex, ())
    if stack and game.side(stack[0]) != side:
        return False
    if game.data.mines[1 - side] >> hex & 1 and hex not in game.breached:
        return False
    return hex not in zoc or bool(stack)


def path_length(game: Game, unit: int, zoc: set[int], limit: int) -> int | None:
    """5.8, 5.8.2 The shortest command path from a unit to its HQ, counted step by step."""
    data = game.data
    side, start = game.side(unit), game.pieces[unit].hex
    goal = game.hex_of_hq(game.pieces[unit].parent)
    if goal < 0:
        return None
    ways = data.roads | data.trails
    seen = {(start, 0)}
    queue = deque([(start, 0, 0)])
    while queue:
        here, crossed, length = queue.popleft()
        if here == goal:
            return length
        if length == limit:
            continue
        for there in data.board.neighbours[here]:
            step = (here, there)
            if step in data.sea_sides or (there != goal and not passable(game, side, zoc, there)):
                continue
            bare = step in data.ridges and step not in ways
            counted = crossed + (bare and here != start and there != goal)
            if counted <= 1 and (there, counted) not in seen:
                seen.add((there, counted))
                queue.append((there, counted, length + 1))
    return None


def test_5_4_zones_equal_the_slow_reading() -> None:
    for game in positions("zones", 8):
        for side in (0, 1):
            fast = set(game.data.board.each(game.situation.zoc[side]))
            assert fast == zoc_hexes(game, side)


def test_5_8_command_equals_the_slow_reading() -> None:
    """5.8.2, 5.8.4"""
    for game in positions("command", 6):
        zones = [zoc_hexes(game, 1 - side) for side in (0, 1)]
        for unit in range(game.data.count):
            piece = game.pieces[unit]
            if piece.hex < 0 or piece.parent < 0:
                continue
            card = game.card[unit]
            limit = 10 if card.mobility == "leg" or card.type == "heavy_tank" else 20
            length = path_length(game, unit, zones[game.side(unit)], limit)
            if length is None:
                expected = ISOLATED
            elif length <= game.data.hqs[piece.parent].command:
                expected = IN_COMMAND
            else:
                expected = OUT_OF_COMMAND
            assert game.situation.state(game, unit) == expected, game.name(unit)


def test_5_7_2_supply_equals_the_slow_reading() -> None:
    """5.7.3, 5.7.4"""
    for game in positions("supply", 6):
        for formation, hq in enumerate(game.data.hqs):
            piece = game.data.hq_of(formation)
            if game.pieces[piece].hex >= 0:
                assert game.situation.in_supply(game, piece) is slow_supply(game, piece), hq.short


def slow_supply(game: Game, piece: int) -> bool:
    """5.7.2, 5.7.3, 5.7.4 An HQ's path: cross-country, then along roads to a source."""
    data = game.data
    side, start = game.side(piece), game.pieces[piece].hex
    hq = data.hqs[piece - data.count]
    near = {start, *data.board.neighbours[start]}
    boxed = any(data.boxes >> hex & 1 and hex not in game.breached for hex in near)
    if side == 1 and hq.kind == "leg" and boxed:
        return True
    zoc = zoc_hexes(game, 1 - side)
    ways = data.roads | data.trails
    sources: set[int] = {
        hex for hex in data.board.each(data.sources[side]) if hex not in game.blocked
    }
    if game.tobruk == side and data.perimeter >> start & 1:
        sources.add(data.hex("4303"))
    joined: set[int] = set()
    queue: deque[int] = deque(hex for hex in sources if passable(game, side, zoc, hex))
    joined.update(queue)
    while queue:
        here = queue.popleft()
        for there in data.board.neighbours[here]:
            if (here, there) in ways and there not in joined and passable(game, side, zoc, there):
                joined.add(there)
                queue.append(there)
    steps = 1 if hq.kind == "leg" else hq.command
    seen = {(start, 0)}
    walk = deque([(start, 0, 0)])
    while walk:
        here, crossed, length = walk.popleft()
        if here in joined:
            return True
        if length == steps:
            continue
        for there in data.board.neighbours[here]:
            step = (here, there)
            if step in data.sea_sides or not passable(game, side, zoc, there):
                continue
            bare = step in data.ridges and step not in ways
            counted = crossed + (bare and here != start)
            if counted <= 1 and (there, counted) not in seen:
                seen.add((there, counted))
                walk.append((there, counted, length + 1))
    return False
