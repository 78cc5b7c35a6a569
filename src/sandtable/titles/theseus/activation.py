"""6.3, 6.4 Activating formations and single units."""

from __future__ import annotations

from typing import Any, ClassVar

from sandtable.kernel.actions import UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.acting import Acting as Acting
from sandtable.titles.theseus.facts import FormationId
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.snafu import Roll
from sandtable.titles.theseus.state import Game


def action_points(game: Game, formation: int, face: int, reaction: bool) -> int:
    """6.3.1, 6.5.2, 5.9 Points by level and die; half in reaction; one more for the Schwerpunkt."""
    level = game.levels[formation]
    row = game.data.action_points[level]
    if level == 2 and game.option("level_2_patterned"):
        row = game.data.action_points_patterned
    points = row[face - 1]
    if reaction:
        points = -(-points // 2)
    return points + (game.schwerpunkt == formation)


class FormationActivation(Step[Game], frozen=True):
    """6.3 Check supply, roll for Action Points and lower the Activation Level."""

    rule: ClassVar[str] = "6.3"

    formation: int
    reaction: bool = False

    def actor(self, game: Game) -> Side:
        return SIDES[game.side(game.data.hq_of(self.formation))]

    def begin(self, game: Game) -> None:
        self.check_supply(game)
        labels = tuple(
            f"{action_points(game, self.formation, face, self.reaction)} AP"
            for face in range(1, 11)
        )
        side = game.side(game.data.hq_of(self.formation))
        place = game.data.hqs[self.formation].id
        rule = "6.5.2" if self.reaction else "6.3.1"
        game.push(Roll(side, "action points", rule, place, labels))

    def check_supply(self, game: Game) -> None:
        """5.7.1, 5.7.5, 6.3.3 An unsupplied HQ burns Emergency Supply, then its units suffer."""
        hq = game.data.hq_of(self.formation)
        if game.situation.in_supply(game, hq):
            game.alter(hq, low=False)
        elif not game.pieces[hq].spent:
            game.alter(hq, spent=True, low=False)
            game.log(ev.EmergencySupplySpent(FormationId(self.formation), rule="5.7.5"))
        else:
            game.alter(hq, low=True)
            rule = "6.5.2" if self.reaction else "6.3.3"
            game.log(ev.OutOfSupply(UnitId(hq), rule=rule))

    def resume(self, game: Game, result: Any) -> None:
        formation = self.formation
        hq = game.data.hq_of(formation)
        side = game.side(hq)
        points = action_points(game, formation, result, self.reaction)
        game.set_points(side, points)
        game.lower_level(formation, game.levels[formation] if game.pieces[hq].low else 1)
        level = game.levels[formation]
        rule = "6.5.2" if self.reaction else "6.3.1"
        event = ev.Activated(FormationId(formation), points, level, self.reaction, rule=rule)
        game.log(event)
        game.swap(Acting(side, formation, reactable=not self.reaction))


class UnitActivation(Step[Game], frozen=True):
    """6.4 An unassigned independent unit conducts one action without Action Points."""

    rule: ClassVar[str] = "6.4"

    unit: int

    def actor(self, game: Game) -> Side:
        return SIDES[game.side(self.unit)]

    def begin(self, game: Game) -> None:
        marker = game.pieces[self.unit].acts + 1
        # Ruling R89: its marker lies on it for all to see.
        game.bring_to_top(self.unit)
        low = not game.situation.in_supply(game, self.unit)
        game.alter(self.unit, acts=marker, low=low)
        game.log(ev.UnitActivated(UnitId(self.unit), marker, rule="6.4"))
        if low:
            game.log(ev.OutOfSupply(UnitId(self.unit), rule="5.7.5"))
        game.swap(Acting(game.side(self.unit), -1, (self.unit,), single=True))
