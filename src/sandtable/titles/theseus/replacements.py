"""9.3 The Replacement Segment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.kernel.words import counted
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import (
    BreakUp,
    Done,
    Replace,
)
from sandtable.titles.theseus.reinforcements import Reinforcements
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH, SIDES
from sandtable.titles.theseus.situation import ISOLATED
from sandtable.titles.theseus.state import GONE, Game


def no_replacement(game: Game, unit: int, side: int, kinds: tuple[str, ...]) -> Refusal | None:
    """9.3 Undisrupted, reduced, In Command of a supplied HQ and out of EZOCs."""
    if game.data.is_hq(unit) or game.side(unit) != side:
        return Refusal("9.3", f"{game.name(unit)} is not a combat unit of yours.")
    piece, card, name = game.pieces[unit], game.card[unit], game.name(unit)
    if card.type not in kinds:
        return Refusal("9.3", f"{name} is not of the sort these points are for.")
    if piece.hex < 0 or piece.strength >= card.strength:
        return Refusal("9.3", f"{name} is at full strength or not on the map.")
    if piece.disrupted:
        return Refusal("5.6.3", f"{name} is disrupted and cannot receive replacements.")
    if game.situation.zoc[1 - side] >> piece.hex & 1:
        return Refusal("5.4.1", f"{name} is in an EZOC.")
    if not game.situation.in_command(game, unit):
        return Refusal("5.8.3", f"{name} is not In Command.")
    if not game.situation.in_supply(game, game.data.hq_of(piece.parent)):
        return Refusal("9.3", f"The HQ of {name} is out of supply.")
    return None


class PanzerReplacements(Step[Game], frozen=True):
    """9.3 The Axis gives its Panzer Replacement Points to German tanks or armoured cars."""

    rule: ClassVar[str] = "9.3"

    left: int

    def actor(self, game: Game) -> Side:
        return SIDES[AXIS]

    def prompt(self, game: Game) -> str:
        points = counted(self.left, "Panzer Replacement Point")
        return f"Give {points} to German tank units, or finish."

    def no(self, game: Game, unit: int) -> Refusal | None:
        """9.3 Why a unit cannot have the point."""
        refused = no_replacement(game, unit, AXIS, ("tank", "armoured_car"))
        if refused:
            return refused
        parent = game.data.own_formation[unit]
        if parent < 0 or game.data.hqs[parent].nation != "german":
            return Refusal("9.3", f"{game.name(unit)} is not a German tank unit.")
        return None

    def actions(self, game: Game) -> Sequence[Action]:
        units = range(game.data.count) if self.left else ()
        return [Done(), *(Replace(UnitId(u)) for u in units if not self.no(game, u))]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        return self.no(game, action.unit) if isinstance(action, Replace) else None

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Replace):
            restore(game, action.unit)
            game.become_step(PanzerReplacements(self.left - 1))
        else:
            game.swap(Replacements())


def restore(game: Game, unit: UnitId) -> None:
    """9.3 One point gives one Strength Point back."""
    left = game.pieces[unit].strength + 1
    game.alter(unit, strength=left)
    side = SIDES[game.side(unit)]
    replaced, restored = ev.Replaced(unit, left, rule="9.3"), ev.Restored(side, rule="9.3")
    if game.option("roster"):
        game.log(restored)
        game.log(replace(replaced, only=side))
    else:
        game.tell(replaced, unit, restored)


class Replacements(Step[Game], frozen=True):
    """9.3.1, 9.3.2 The Commonwealth breaks units up and passes their strength on."""

    rule: ClassVar[str] = "9.3"

    tank: int = 0
    heavy_tank: int = 0
    infantry: int = 0

    def actor(self, game: Game) -> Side:
        return SIDES[COMMONWEALTH]

    def prompt(self, game: Game) -> str:
        words = [
            f"{number} {name}"
            for number, name in (
                (self.tank, "tank"),
                (self.heavy_tank, "heavy tank"),
                (self.infantry, "leg infantry"),
            )
            if number
        ]
        if words:
            return f"Give out the Replacement Points ({', '.join(words)}), or finish."
        return "Break up units for Replacement Points, or finish."

    def no_break_up(self, game: Game, unit: int) -> Refusal | None:
        """9.3.1, 9.3.2 Whether a unit may be broken up."""
        name = game.name(unit)
        if game.data.is_hq(unit) or game.side(unit) != COMMONWEALTH or game.pieces[unit].hex < 0:
            return Refusal("9.3", f"{name} cannot be broken up.")
        piece, card = game.pieces[unit], game.card[unit]
        rule = "9.3.2" if card.cannibal else "9.3.1"
        if not card.cannibal:
            if card.type not in ("tank", "heavy_tank"):
                return Refusal("9.3.1", f"{name} is not a tank unit, StopCol or SeaCol.")
            if 2 * piece.strength > card.strength:
                return Refusal("9.3.1", f"{name} has not lost half its printed strength.")
        if game.situation.state(game, unit) == ISOLATED:
            return Refusal(rule, f"{name} is Isolated.")
        if game.situation.zoc[AXIS] >> piece.hex & 1:
            return Refusal(rule, f"{name} is in an EZOC.")
        return None

    def no_replace(self, game: Game, unit: int) -> Refusal | None:
        """9.3.1, 9.3.2 Points go to units of the same sort."""
        kinds = tuple(kind for kind in ("tank", "heavy_tank", "infantry") if getattr(self, kind))
        return no_replacement(game, unit, COMMONWEALTH, kinds)

    def actions(self, game: Game) -> Sequence[Action]:
        listed: list[Action] = [Done()]
        if not game.script.turns[game.turn].break_up:
            return listed
        units = [u for u in range(game.data.count) if game.side(u) == COMMONWEALTH]
        listed += [BreakUp(UnitId(u)) for u in units if not self.no_break_up(game, u)]
        if self.tank or self.heavy_tank or self.infantry:
            listed += [Replace(UnitId(u)) for u in units if not self.no_replace(game, u)]
        return listed

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if not game.script.turns[game.turn].break_up:
            return Refusal("9.3", "Units are broken up only on even turns from Game Turn 4.")
        match action:
            case BreakUp(unit=unit):
                return self.no_break_up(game, unit)
            case Replace(unit=unit):
                return self.no_replace(game, unit)
        return None

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case BreakUp(unit=unit):
                kind, points = game.card[unit].type, game.pieces[unit].strength
                parent = game.pieces[unit].parent
                rule = "9.3.2" if game.card[unit].cannibal else "9.3.1"
                game.log(ev.BrokenUp(unit, points, rule=rule))
                game.place(unit, GONE)
                game.alter(unit, strength=0, disrupted=False)
                if parent >= 0:
                    game.retire_hq(parent)
                more = {kind: getattr(self, kind) + points}
                game.become_step(replace(self, **more))
            case Replace(unit=unit):
                kind = game.card[unit].type
                restore(game, unit)
                less = {kind: getattr(self, kind) - 1}
                game.become_step(replace(self, **less))
            case Done():
                game.swap(Reinforcements(COMMONWEALTH))
