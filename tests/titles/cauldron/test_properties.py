"""Fast paths against slow readings of the rules, on positions from fighting random play."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.rules import first_broken
from sandtable.titles.cauldron import TITLE
from sandtable.titles.cauldron.actions import MoveTo
from sandtable.titles.cauldron.battle import ATTACK_RULES, candidates
from sandtable.titles.cauldron.combat import Assault
from sandtable.titles.cauldron.movement import MOVE_RULES, Move
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.retreat import may_enter, ways
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.supply import supplied
from sandtable.titles.cauldron.zoc import enemy, zoc

from .helpers import DATA
from .test_fuzz import choose

BOARD = DATA.board


def states(seed: str, every: int) -> Iterator[Game]:
    """Some moments of a game."""
    random = Random(seed)
    game = TITLE.start("campaign", seed=seed)
    assert isinstance(game, Game)
    while game.outcome is None:
        if random.random() * every < 1:
            yield game
        game.play(choose(game, random))


def slow_supply(game: Game, side: Side) -> set[Space]:
    """5.0 Hex by hex from the sources."""
    sources = DATA.axis_supply if side == AXIS else DATA.edge["north"] | DATA.edge["east"]
    foes = {now.at for unit, now in enumerate(game.units) if game.side_of(UnitId(unit)) != side}
    fed = {space for space in BOARD.each(sources) if space not in foes}
    todo = list(fed)
    while todo:
        here = todo.pop()
        for there in BOARD.neighbours[here]:
            step = (here, there)
            mined = side == AXIS and step in game.terrain.mined
            if there not in fed and there not in foes and step not in DATA.cliffs and not mined:
                fed.add(there)
                todo.append(there)
    return fed


def slow_zoc(game: Game, side: Side) -> set[Space]:
    """9.0 The neighbours of each unit that is not Disrupted, but never uphill."""
    return {
        there
        for unit in game.on_map(side)
        if not game.units[unit].disrupted
        for there in BOARD.neighbours[game.units[unit].at]
        if (game.units[unit].at, there) not in DATA.climbs
    }


@pytest.mark.parametrize("seed", ["supply 1", "supply 2"])
def test_5_0_supply_and_9_0_zoc_agree_with_slow_readings(seed: str) -> None:
    """5.0, 9.0 Bitboards against sets."""
    for game in states(seed, 60):
        for side in (AXIS, ALLIED):
            assert set(BOARD.each(supplied(game, side))) == slow_supply(game, side)
            assert set(BOARD.each(zoc(game, side))) == slow_zoc(game, side)


@pytest.mark.parametrize("seed", ["moves 1", "moves 2"])
def test_8_0_listed_moves_break_no_rule_and_all_others_do(seed: str) -> None:
    """8.0, 8.1, 8.2, 9.0, 14.0 The search and the predicates agree hex by hex."""
    random = Random(seed)
    checked = 0
    for game in states(seed, 15):
        step = game.stack[-1]
        if not isinstance(step, Move):
            continue
        legal = {action.hex for action in game.actions() if isinstance(action, MoveTo)}
        for space in random.sample(BOARD.spaces, 25):
            broken = first_broken(MOVE_RULES, game, step, space)
            assert (broken is None) == (space in legal), (game.hex(space), broken and broken.number)
            checked += 1
    assert checked > 200


@pytest.mark.parametrize("seed", ["helpers 1", "helpers 2"])
def test_11_0_helpers_are_exactly_those_no_rule_forbids(seed: str) -> None:
    for game in states(seed, 3):
        step = game.stack[-1]
        if not isinstance(step, Assault):
            continue
        battle = step.battle
        side = game.side_of(battle.active)
        allowed = {
            unit
            for unit in game.on_map(side)
            if unit not in battle.attackers
            and first_broken(ATTACK_RULES, game, unit, battle.defenders, False) is None
        }
        assert set(candidates(game, battle)) == allowed


def slow_ways(game: Game, unit: UnitId) -> set[tuple[Space, ...]]:
    """11.1 All pairs of hexes, sorted by how they break the priorities in order."""
    side = game.side_of(unit)
    at = game.units[unit].at
    foes = slow_zoc(game, enemy(side))
    friends = {game.units[other].at for other in game.on_map(side) if other != unit}
    good = {AXIS: {2, 3, 4}, ALLIED: {0, 1, 2, 5}}[side]
    ranked: dict[tuple[int, int, bool], set[tuple[Space, ...]]] = {}
    for one, first in enumerate(BOARD.around[at]):
        for two, second in enumerate(BOARD.around[first]) if first >= 0 else ():
            if second < 0 or BOARD.distance(at, second) != 2:
                continue
            if not may_enter(game, unit, at, first) or not may_enter(game, unit, first, second):
                continue
            zones = sum(space in foes and space not in friends for space in (first, second))
            wrong = (one not in good) + (two not in good)
            others = [other for other in game.here(second) if other != unit]
            large = any(game.kind(other).large for other in (*others, unit))
            crowded = len(others) >= 2 or (large and bool(others))
            ranked.setdefault((zones, wrong, crowded), set()).add((first, second))
    return ranked[min(ranked)] if ranked else set()


@pytest.mark.parametrize("seed", ["retreats 1", "retreats 2"])
def test_11_1_priorities_in_order(seed: str) -> None:
    """11.1, 11.1.1, 11.1.2, 11.1.3, 11.1.4 Filters one after another equal one sorted list."""
    random = Random(seed)
    for game in states(seed, 40):
        units = [*game.on_map(AXIS), *game.on_map(ALLIED)]
        for unit in random.sample(units, min(8, len(units))):
            assert set(ways(game, (unit,), game.units[unit].at)) == slow_ways(game, unit)
