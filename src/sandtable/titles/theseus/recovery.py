"""9.1 The Recovery Segment."""

from __future__ import annotations

from typing import Any, ClassVar

from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.effectiveness import Checks
from sandtable.titles.theseus.facts import FormationId
from sandtable.titles.theseus.organisation import Organisation
from sandtable.titles.theseus.schema import AXIS, SIDES
from sandtable.titles.theseus.situation import ISOLATED
from sandtable.titles.theseus.state import Game


class Recovery(Step[Game], frozen=True):
    """9.1 Levels, air units, disrupted units and markers recover; isolated units suffer."""

    rule: ClassVar[str] = "9.1"

    def actor(self, game: Game) -> Side:
        return SIDES[AXIS]

    schwerpunkt: int = -1
    """The formation that had the marker when the segment began."""

    def begin(self, game: Game) -> None:
        game.become_step(Recovery(game.schwerpunkt))
        recover_levels(game)
        recover_air(game)
        refit_formations(game)
        refit_lone_units(game)
        suffering = tuple(
            unit
            for unit in range(game.data.count)
            if game.pieces[unit].hex >= 0
            and game.pieces[unit].disrupted
            and game.situation.state(game, unit) == ISOLATED
        )
        if suffering:
            game.push(Attrition(suffering))
        else:
            game.swap(Organisation(AXIS))

    def resume(self, game: Game, result: Any) -> None:
        # 5.9: if its HQ has just been removed, the marker waits for the next turn.
        game.swap(Organisation(AXIS, marked=game.schwerpunkt != self.schwerpunkt))


def recover_levels(game: Game) -> None:
    """9.1.1 Supplied HQs climb their tracks and regain Emergency Supply."""
    for formation, hq in enumerate(game.data.hqs):
        piece = game.data.hq_of(formation)
        if game.pieces[piece].hex < 0:
            continue
        supplied = game.situation.in_supply(game, piece)
        if game.pieces[piece].low == supplied:
            game.alter(piece, low=not supplied)
        if not supplied:
            continue
        if game.pieces[piece].spent:
            game.alter(piece, spent=False)
        level = min(game.levels[formation] + hq.recovery, hq.level)
        if level != game.levels[formation]:
            game.levels[formation] = level
            game.log(ev.LevelRecovered(FormationId(formation), level, rule="9.1.1"))


def recover_air(game: Game) -> None:
    """9.1.2 All Axis air units are available again."""
    game.air = len(game.script.air)


def refit_formations(game: Game) -> None:
    """5.6.4, 9.1.3 Disrupted units in Command Range recover, whatever their HQ's supply."""
    ready = [
        unit
        for unit in range(game.data.count)
        if game.pieces[unit].disrupted and game.situation.in_command(game, unit)
    ]
    for unit in ready:
        game.recover(unit, "9.1.3")


def refit_lone_units(game: Game) -> None:
    """9.1.4 Supplied unassigned units lose their markers and refit."""
    for unit in range(game.data.count):
        piece = game.pieces[unit]
        if piece.hex < 0 or piece.parent >= 0:
            continue
        supplied = game.situation.in_supply(game, unit)
        if piece.low == supplied:
            game.alter(unit, low=not supplied)
        if supplied:
            if piece.acts:
                game.alter(unit, acts=0)
            if piece.disrupted:
                game.recover(unit, "9.1.4")


class Attrition(Step[Game], frozen=True):
    """5.8.4, 9.1.5 Units still disrupted and isolated lose what their check fails by."""

    rule: ClassVar[str] = "9.1.5"

    units: tuple[int, ...]

    def actor(self, game: Game) -> Side:
        return SIDES[AXIS]

    def begin(self, game: Game) -> None:
        game.push(Checks(self.units, "9.1.5"))

    def resume(self, game: Game, result: Any) -> None:
        for unit, excess in result:
            game.lose(unit, excess, "9.1.5")
        game.pop()
