"""9.2 The Organisation Segment: assignments, dummies and the Schwerpunkt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import (
    Assign,
    Done,
    Dummy,
    Schwerpunkt,
)
from sandtable.titles.theseus.challenges import assignable
from sandtable.titles.theseus.facts import FormationId
from sandtable.titles.theseus.replacements import PanzerReplacements
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH, SIDES
from sandtable.titles.theseus.state import Game


def no_assignment(game: Game, unit: int, formation: int, anywhere: bool = False) -> Refusal | None:
    """5.5.2 Whether an independent unit may join a formation: undisrupted, in range of both HQs."""
    name, hq = game.name(unit), game.data.hqs[formation]
    if not assignable(game, unit):
        return Refusal("5.5.2", f"{name} is not an independent unit that can be assigned.")
    if formation not in game.data.may_join[unit]:
        return Refusal("5.5.2", f"{name} may not join {hq.short}.")
    if game.hex_of_hq(formation) < 0:
        return Refusal("5.5.2", f"{hq.short} has no HQ on the map.")
    piece = game.pieces[unit]
    if anywhere:
        return None
    if piece.hex < 0 or piece.parent == formation:
        return Refusal("5.5.2", f"{name} is not on the map, or belongs to {hq.short} already.")
    if piece.disrupted:
        return Refusal("5.6.3", f"{name} is disrupted and cannot be assigned.")
    here = game.situation
    old = piece.parent
    for each in {old, formation} - {-1}:
        reach = game.data.hqs[each].command
        if game.hex_of_hq(each) < 0:
            # Ruling R56: an HQ out of play gives no order to stay.
            continue
        if not here.command_layers(game, each, reach)[reach] >> piece.hex & 1:
            rule = "5.5.2" if each == formation else "5.8.3"
            return Refusal(rule, f"{name} is not in Command Range of {game.data.hqs[each].short}.")
    return None


def dummy_markers(game: Game, side: int) -> int:
    """5.5.2 How many dummy markers a side has."""
    table = game.data.tables.dummies
    return table.axis if side == AXIS else table.commonwealth


class Organisation(Step[Game], frozen=True):
    """5.5.2, 5.9, 9.2 Assign independents in secret, place dummies and the Schwerpunkt."""

    rule: ClassVar[str] = "9.2"

    side: int
    setup: bool = False
    moved: tuple[int, ...] = ()
    """Units assigned in this segment; each once."""
    dummies: int = -1
    """Dummy markers still to place."""
    marked: bool = False

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def begin(self, game: Game) -> None:
        # Assigned markers are picked up, so that what was shown is secret again.
        mine = {u for u in game.shown if game.side(u) == self.side}
        game.shown = tuple(unit for unit in game.shown if unit not in mine)
        own = [f for f, hq in enumerate(game.data.hqs) if hq.side == SIDES[self.side]]
        for formation in own:
            game.dummies[formation] = 0
        game.become_step(replace(self, dummies=dummy_markers(game, self.side)))

    def prompt(self, game: Game) -> str:
        if self.must_mark(game):
            return "Place the Schwerpunkt, and assign independent units if you wish."
        return "Assign independent units, or finish."

    def must_mark(self, game: Game) -> bool:
        """5.9 During set-up the Schwerpunkt marker has to be placed."""
        return self.side == AXIS and self.setup and not self.marked and bool(self.marks(game))

    def marks(self, game: Game) -> list[int]:
        """5.9 Axis formations with a supplied HQ; each segment the marker moves once at most."""
        if self.side != AXIS or self.marked:
            return []
        return [
            formation
            for formation, hq in enumerate(game.data.hqs)
            if hq.side == SIDES[AXIS]
            and formation != game.schwerpunkt
            and game.hex_of_hq(formation) >= 0
            and game.situation.in_supply(game, game.data.hq_of(formation))
        ]

    def boxes(self, game: Game) -> list[int]:
        """5.5.2 Formations whose box can take a dummy marker."""
        joined: set[int] = set()
        for unit, card in enumerate(game.data.units):
            if card.side == SIDES[self.side]:
                joined |= game.data.may_join[unit]
        return sorted(each for each in joined if game.hex_of_hq(each) >= 0)

    def actions(self, game: Game) -> Sequence[Action]:
        listed: list[Action] = []
        for unit in range(game.data.count):
            if game.side(unit) != self.side or not assignable(game, unit) or unit in self.moved:
                continue
            for formation in sorted(game.data.may_join[unit]):
                if not no_assignment(game, unit, formation):
                    listed.append(Assign(UnitId(unit), FormationId(formation)))
        listed += [Schwerpunkt(FormationId(each)) for each in self.marks(game)]
        if self.dummies > 0:
            listed += [Dummy(FormationId(each)) for each in self.boxes(game)]
        if not self.must_mark(game):
            listed.append(Done())
        return listed

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Assign(unit=unit, formation=formation):
                if game.data.is_hq(unit) or game.side(unit) != self.side:
                    return Refusal("5.5.2", f"{game.name(unit)} is not yours to assign.")
                if unit in self.moved:
                    return Refusal("5.5.2", f"{game.name(unit)} was assigned in this segment.")
                return no_assignment(game, unit, formation)
            case Schwerpunkt():
                return Refusal("5.9", "The marker goes once to an Axis formation in supply.")
            case Dummy():
                return Refusal("5.5.2", "No dummy marker is left, or the box takes none.")
            case Done():
                return Refusal("5.9", "Place the Schwerpunkt marker first.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Assign(unit=unit, formation=formation):
                game.alter(unit, parent=formation)
                only = SIDES[self.side]
                game.log(ev.Assigned(unit, formation, rule="5.5.2", only=only))
                game.become_step(replace(self, moved=(*self.moved, unit)))
            case Schwerpunkt(formation=formation):
                game.schwerpunkt = formation
                game.log(ev.SchwerpunktPlaced(formation, rule="5.9"))
                game.become_step(replace(self, marked=True))
            case Dummy(formation=formation):
                game.dummies[formation] += 1
                game.become_step(replace(self, dummies=self.dummies - 1))
            case Done():
                for each, hq in enumerate(game.data.hqs):
                    if hq.side == SIDES[self.side]:
                        game.retire_hq(each)
                if self.setup:
                    game.pop()
                elif self.side == AXIS:
                    game.swap(Organisation(COMMONWEALTH))
                else:
                    game.swap(PanzerReplacements(game.script.turns[game.turn].axis_rp))
