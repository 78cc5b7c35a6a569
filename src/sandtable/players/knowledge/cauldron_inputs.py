"""A position of Gazala: The Cauldron in finer numbers, for the net that generals judge by."""

from __future__ import annotations

from sandtable.boards import bits
from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import IN_SUPPLY, Game
from sandtable.titles.cauldron.zoc import enemy

PLACES = ("1118", "1218", "1219", "1318", "1504", "1605", "2705", "2803")
"""The hexes that count, and the road to Tobruk."""
OF_A_SIDE = (
    "steps",
    "armor_steps",
    "used_steps",
    "disrupted_steps",
    "unfed_steps",
    "weak_units",
    "touching_steps",
    "alone",
    "outnumbered",
    "actions",
    "chits",
)
INPUTS = (
    "turns",
    "last_turn",
    "axis_acts",
    *(f"allied_{name}" for name in OF_A_SIDE),
    *(f"axis_{name}" for name in OF_A_SIDE),
    *(f"axis_in_{place}" for place in PLACES),
    *(f"allied_in_{place}" for place in PLACES),
    *(f"axis_near_{place}" for place in PLACES),
)


def inputs(game: Game) -> list[float]:
    """The inputs of a position; about one in size."""
    data = game.facts
    spots = [data.board.at(place) for place in PLACES]
    axis = bits(game.occupied[AXIS])
    near = [
        min((data.board.distance(at, Space(other)) for other in axis), default=20) for at in spots
    ]
    return [
        (game.last_turn + 1 - game.turn) / 6,
        float(game.turn >= game.last_turn),
        float(game.actor == AXIS),
        *of_a_side(game, ALLIED),
        *of_a_side(game, AXIS),
        *(float(game.occupied[AXIS] >> at & 1) for at in spots),
        *(float(game.occupied[ALLIED] >> at & 1) for at in spots),
        *(0.7**far for far in near),
    ]


def of_a_side(game: Game, side: Side) -> list[float]:
    """How a side stands: what it has left, what of it is spent, and what the enemy can get at."""
    data, foes = game.facts, game.occupied[enemy(side)]
    steps = armor = used = disrupted = unfed = weak = touching = alone = outnumbered = 0
    for space in bits(game.occupied[side]):
        stack = game.here(Space(space))
        here = sum(game.units[unit].steps for unit in stack)
        around = [at for at in data.touching[space] if foes >> at & 1]
        if around:
            touching += here
            alone += len(stack) == 1
            power = sum(best(game, unit) for at in around for unit in game.here(at))
            outnumbered += here * (power > 2 * sum(best(game, unit) for unit in stack))
        for unit in stack:
            now = game.units[unit]
            steps += now.steps
            armor += now.steps * game.is_armor(unit)
            used += now.steps * now.used
            disrupted += now.steps * now.disrupted
            unfed += now.steps * (now.supply != IN_SUPPLY)
            weak += now.steps == 1
    player = game.players[side]
    return [
        steps / 40,
        armor / 20,
        used / 20,
        disrupted / 5,
        unfed / 5,
        weak / 10,
        touching / 15,
        alone / 8,
        outnumbered / 8,
        player.actions / 4,
        len(player.cup) / 10,
    ]


def best(game: Game, unit: UnitId) -> int:
    """The better of a unit's two strengths."""
    return max(game.hard(unit), game.soft(unit))
