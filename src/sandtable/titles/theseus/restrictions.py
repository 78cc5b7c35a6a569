"""3.5 Restricted Activation markers: formations that a scenario holds back."""

from __future__ import annotations

from sandtable.titles.theseus.schema import AXIS
from sandtable.titles.theseus.state import Game


def restriction(game: Game, formation: int) -> str:
    """3.5 How a formation is held back now: no_activation, attack_only, stay, or nothing."""
    found = game.script.restrictions.get(formation)
    if found is None or game.turn > found.through_turn or formation in game.released:
        return ""
    for word in found.released_by:
        what, _, distance = word.partition(":")
        if what == "axis_near_perimeter" and axis_near_perimeter(game, int(distance)):
            return ""
    return found.kind


def axis_near_perimeter(game: Game, distance: int) -> bool:
    """3.5 Whether an Axis unit is within so many hexes of the Tobruk perimeter."""
    near = game.data.board.within(game.data.perimeter_line, distance)
    return bool(near & game.situation.occupied[AXIS])


def release_by_attack(game: Game, target: int) -> None:
    """3.5 An attack frees the formations whose orders it ends."""
    number = game.data.board.names[target]
    struck = {game.pieces[unit].parent for unit in game.combat_units(target)}
    freed = [
        formation
        for formation, each in game.script.restrictions.items()
        if formation not in game.released
        and (
            f"attacked:{number}" in each.released_by
            or ("attacked" in each.released_by and formation in struck)
        )
    ]
    if freed:
        game.released = tuple(sorted({*game.released, *freed}))
