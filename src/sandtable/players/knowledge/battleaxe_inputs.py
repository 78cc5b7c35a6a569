"""A position of Operation Battleaxe in finer numbers, for the net that generals judge by."""

from __future__ import annotations

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Space
from sandtable.players.knowledge.battleaxe_reading import (
    FEATURES,
    Reading,
    defense,
    evenings,
    features,
    impulses_left,
    unit_of,
    valuable,
)
from sandtable.titles.battleaxe.data import ALLIED, AXIS
from sandtable.titles.battleaxe.state import Game

PLACES = ("6", "9", "11", "13", "15", "16", "19", "21", "22", "23")
"""The Areas that score, by number."""

PLAIN = FEATURES[1:-1]
"""The officers' features, but for the points in hand and the constant."""

INPUTS = (
    *PLAIN,
    "day_2",
    "day_3",
    "impulse",
    "allied_impulse",
    "axis_impulse",
    "refit",
    "if_all_stays",
    "tonight",
    "tonight_surely",
    "linked_out_of_reach",
    "linked_far_out_of_reach",
    "linked_out_of_reach_to_come",
    "empty_in_reach",
    "empty_in_danger",
    "rommel",
    "fuel_low",
    "released",
    *(f"held_{place}" for place in PLACES),
    *(f"defense_{place}" for place in PLACES),
    *(f"threat_{place}" for place in PLACES),
)


def inputs(game: Game) -> list[float]:
    """The inputs of a position; about one in size."""
    data = game.data
    reading = Reading(game)
    plain = features(game, reading)[1:-1]
    unit = unit_of(game)
    refitting = len(unit) > 1 and unit[1] == "refit"
    mover = unit[2] if len(unit) > 2 and not refitting else None
    nights = evenings(game)
    allied, axis = game.occupied
    linked = reading.linked
    near, far = _reach(game, reading, AXIS)
    mine, _ = _reach(game, reading, ALLIED)
    safe, very_safe = (_linked(game, allied | ~reached) for reached in (near, far))
    tonight = safe_points = very_safe_points = to_grab = to_lose = 0
    held, stands, threats = [], [], []
    for at in valuable(game):
        points = data.spaces[at].vp
        bit = 1 << at
        if linked & bit:
            tonight += points
            safe_points += points if safe & bit else 0
            very_safe_points += points if very_safe & bit else 0
            to_lose += points if near & bit & ~allied else 0
        elif mine & bit & ~axis:
            to_grab += points
        held.append(float(bool(linked & bit)))
        stands.append((defense(game, ALLIED, Space(at)) - defense(game, AXIS, Space(at))) / 8)
        threats.append((reading.threat(ALLIED, at) - reading.threat(AXIS, at)) / 8)
    lost = 5 * (plain[PLAIN.index("losses")] + plain[PLAIN.index("wrecks")])
    return [
        *plain,
        float(game.turn == 2),
        float(game.turn >= 3),
        game.impulse / 8,
        float(mover == ALLIED),
        float(mover == AXIS),
        float(refitting),
        (tonight * nights + lost) / 8,
        tonight / 5,
        tonight / 5 / (1.0 if refitting else impulses_left(game)),
        safe_points / 5,
        very_safe_points / 5,
        safe_points * nights / 5,
        to_grab * nights / 5,
        to_lose * nights / 5,
        float(game.rommel),
        float(game.fuel_low),
        sum(game.released) / 2,
        *held,
        *stands,
        *threats,
    ]


def _reach(game: Game, reading: Reading, side: int) -> tuple[int, int]:
    """The spaces that a side's ready units could enter in one step, and in two."""
    near = game.data.near
    one = 0
    for at in reading.ready[side]:
        one |= near[at]
    two = one
    for at in spots(one & ~game.occupied[1 - side]):
        two |= near[at]
    return one, two


def _linked(game: Game, through: int) -> int:
    """The Allied spaces that Zones A to D reach through these."""
    held = game.allied_held
    return game.data.board.flood(game.data.frontier_zones & held, held & through, game.data.near)
