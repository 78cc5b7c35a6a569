"""IX Disrupted units that end an attack phase beside an enemy nobody attacked."""

from __future__ import annotations

from typing import Any, ClassVar

from sandtable.boards import bits
from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.duty import due, obliged
from sandtable.titles.gallop.retreat import Beaten, Rout
from sandtable.titles.gallop.stacking import Overstacked
from sandtable.titles.gallop.state import Game


class Forced(Step["Game"], frozen=True):
    """IX.B, ruling R29 Units left beside an undisrupted enemy that nobody attacked take an AR."""

    rule: ClassVar[str] = "IX.B"
    side: Side
    attacked: tuple[Space, ...]
    handled: tuple[UnitId, ...] = ()

    def begin(self, game: Game) -> None:
        """Deal with one such unit after the other."""
        for unit in game.on_map(self.side):
            away = self.idle_beside(game, unit)
            if unit not in self.handled and away:
                piece = game.pieces[unit]
                number = "IX.B" if piece.disrupted else "XIV.A.2"
                game.log(ev.MustRetreat(unit, piece.hex, rule=number))
                may = 0 if piece.disrupted else 1
                game.become_step(Forced(self.side, self.attacked, (*self.handled, unit)))
                game.push(
                    Rout(
                        game.enemy(self.side),
                        (Beaten(unit, "AR", 1, may, piece.hex, away, rule=number),),
                    )
                )
                return
        game.swap(Overstacked(self.side))

    def resume(self, game: Game, result: Any) -> None:
        """Look for the next one."""
        game.swap(self)

    def idle_beside(self, game: Game, unit: UnitId) -> tuple[Space, ...]:
        """XIV.A.2 The enemy hexes that hold an obliged unit to account."""
        hex = game.pieces[unit].hex
        if not game.pieces[unit].active or not obliged(game, self.side) >> hex & 1:
            return ()
        left = due(game, self.side, self.attacked)
        return tuple(Space(foe) for foe in bits(left) if game.facts.must_from[foe] >> hex & 1)
