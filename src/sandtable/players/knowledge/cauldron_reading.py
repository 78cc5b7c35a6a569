"""What a position of Gazala: The Cauldron holds at a glance: odds, distances, points to come."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from sandtable.boards import bits
from sandtable.kernel.actions import Space
from sandtable.kernel.events import Side
from sandtable.players.knowledge.cauldron_lines import mines
from sandtable.titles.cauldron.chits import holds
from sandtable.titles.cauldron.data import Data
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import IN_SUPPLY, Game
from sandtable.titles.cauldron.victory import TOBRUK_ROAD, tally
from sandtable.titles.cauldron.zoc import enemy

STEP_WORTH = {AXIS: 2.0, ALLIED: 1.0}
"""16.0 What a lost step of each side gives the other."""


@lru_cache(maxsize=4096)
def gain(data: Data, side: Side, at: int, modifier: int) -> float:
    """The mean points that an attack of a side makes in a column with a die modifier."""
    total = 0.0
    for die in range(10):
        found = data.crt[min(10, max(0, die + modifier))][at]
        for half, owner, sign in (
            (found.defender, enemy(side), 1.0),
            (found.attacker, side, -1.0),
        ):
            worth = STEP_WORTH[owner]
            total += sign * worth * (half.steps + 0.15 * half.retreat + 0.12 * half.disrupted)
    return total / 10


@lru_cache(maxsize=4096)
def driven_out(data: Data, at: int, modifier: int) -> float:
    """The chance that the defender retreats in a column with a die modifier."""
    faces = (data.crt[min(10, max(0, die + modifier))][at] for die in range(10))
    return sum(found.defender.retreat for found in faces) / 10


@lru_cache(maxsize=8192)
def odds_column(data: Data, attack: int, defence: int) -> int:
    """11.0 The column of a ratio of strengths."""
    ratio = Fraction(attack, max(1, defence))
    return max(0, sum(each <= ratio for each in data.columns) - 1)


@lru_cache(maxsize=1024)
def fading(data: Data, space: int) -> tuple[float, ...]:
    """How much of what draws to a hex is felt in every other."""
    return tuple(0.85**far for far in data.board.ring(space))


@lru_cache(maxsize=4096)
def around(data: Data, space: int) -> tuple[tuple[int, int, float], ...]:
    """The hexes from which an enemy in this one matters: each with its distance and a share."""
    far = data.board.ring(space)
    return tuple((other, away, 0.75**away) for other, away in enumerate(far) if away <= 8)


def chances(game: Game, side: Side) -> float:
    """What a side could gain by attacks where it stands, at a glance."""
    data, foe = game.facts, enemy(side)
    mine = game.occupied[side]
    total = 0.0
    for space in bits(game.occupied[foe]):
        near = [at for at in data.touching[space] if mine >> at & 1]
        if not near:
            continue
        foes = game.here(Space(space))
        armor = any(map(game.is_armor, foes))
        units = [each for at in near for each in game.here(at)]
        attack = sum(map(game.hard if armor else game.soft, units))
        tanks = any(map(game.is_armor, units))
        defence = sum(map(game.hard if tanks else game.soft, foes))
        modifier = 0
        if data.fortified >> space & 1:
            modifier += data.tables.modifiers.fortified
        if any(game.units[each].disrupted for each in foes):
            modifier += data.tables.modifiers.defender_disrupted
        total += max(0.0, gain(data, side, odds_column(data, attack, defence), modifier))
    return total


def margin(game: Game) -> int:
    """16.0 The points that the Allies are ahead by as things stand."""
    return sum(line.value if side == ALLIED else -line.value for side, line in tally(game))


HOLDING = 0.9
"""How likely the Axis goes on holding what it holds, turn by turn."""
BARRED = 0.15
"""The same of 2803 while an Allied unit stands there."""
OPEN = 0.7
"""The same while nobody does and an Axis unit is beside it; less with each hex."""
FADING = 0.6
LINES = 0.5
"""14.2 What the action is worth that the Axis keeps by its lines of communication."""
ACTIONS = 6
"""The actions of both sides in a turn."""


def to_come(game: Game) -> float:
    """The points that the Axis will still get for the north edge, 2803 and a word not kept.

    The actions that its lines of communication save it count as well.
    """
    data = game.facts
    road = data.board.at(TOBRUK_ROAD)
    far = data.board.ring(road)
    north, nearest = 0, 99
    for unit in game.on_map(AXIS):
        now = game.units[unit]
        north += bool(data.edge["north"] >> now.at & 1) and now.supply == IN_SUPPLY
        nearest = min(nearest, far[now.at])
    held = HOLDING * min(1.0, north / data.tables.limits.north_edge_units)
    if nearest == 0:
        held += HOLDING
    elif game.occupied[ALLIED] >> road & 1:
        held += BARRED
    else:
        held += OPEN * FADING ** (nearest - 1)
    idle = holds(game, ALLIED, "withdraw-attack") or game.broken_word
    lines = LINES * mines(game).share() * (game.last_turn - game.turn)
    found = turns_left(game) * held + idle + lines
    return min(found, data.tables.limits.track_points - game.points)


def time_left(game: Game) -> float:
    """The turns to fight in, this one by the actions left in it."""
    actions = sum(game.players[side].actions for side in (AXIS, ALLIED))
    return game.last_turn - game.turn + min(1.0, actions / ACTIONS)


def turns_left(game: Game) -> int:
    """The turns still to be scored, this one included."""
    return game.last_turn + 1 - game.turn
