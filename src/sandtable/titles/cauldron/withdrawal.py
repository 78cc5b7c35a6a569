"""13.7 Withdrawing an Allied formation from the battle."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.kernel.actions import UnitId
from sandtable.titles.cauldron.chits import without
from sandtable.titles.cauldron.events import Withdrew
from sandtable.titles.cauldron.printed import ALLIED, AXIS, FormationId
from sandtable.titles.cauldron.reinforcements import returns
from sandtable.titles.cauldron.state import (
    ELIMINATED,
    IN_SUPPLY,
    NEVER,
    OFF_MAP,
    WITHDRAWN,
    Game,
)


def withdrawable(game: Game) -> list[FormationId]:
    """13.7 Any Allied formation in the game, even one that is all lost, but only once (R54)."""
    return [
        FormationId(at)
        for at, each in enumerate(game.facts.formations)
        if each.side == ALLIED
        and at not in game.withdrawn
        and any(takes_part(game, unit) for unit in each.units)
    ]


def takes_part(game: Game, unit: UnitId) -> bool:
    """15.1, 17.0 Whether a unit has been in the game or comes in before its end (R54)."""
    now = game.units[unit]
    if now.at != OFF_MAP or now.due <= game.last_turn:
        return True
    return now.due != NEVER and returns(game, unit)


def free_to_go(game: Game, unit: UnitId) -> bool:
    """13.7 A unit on the map needs a path free of Axis units to the north, east or south (R38)."""
    facts = game.facts
    now = game.units[unit]
    if now.at < 0:
        return now.at != ELIMINATED
    free = facts.board.all & ~game.occupied[AXIS] & ~facts.prohibited
    path = facts.board.flood(1 << now.at, free, game.terrain.exits[ALLIED])
    return bool(path & (facts.edge["north"] | facts.edge["east"] | facts.edge["south"]))


def withdraw(game: Game, formation: FormationId) -> None:
    """13.7 Remove a formation's units that can go, and its action chit, for good."""
    units = tuple(unit for unit in game.facts.formations[formation].units if free_to_go(game, unit))
    for unit in units:
        game.change(unit, at=WITHDRAWN, due=0, used=False, disrupted=False, supply=IN_SUPPLY)
    game.withdrawn = (*game.withdrawn, formation)
    player = game.players[ALLIED]
    for chit in player.cup:
        if (formation,) in game.facts.chits[chit].faces:
            player = replace(player, cup=without(player.cup, chit))
    game.players[ALLIED] = player
    game.log(Withdrew(formation, units, rule="13.7"))
