"""9, 9.1 to 9.3 The Admin Phase: recovery, organisation and replacements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import (
    Assign,
    BreakUp,
    Done,
    Dummy,
    Replace,
    Schwerpunkt,
)
from sandtable.titles.theseus.challenges import assignable
from sandtable.titles.theseus.effectiveness import Checks
from sandtable.titles.theseus.facts import FormationId
from sandtable.titles.theseus.reinforcements import Reinforcements
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH, SIDES
from sandtable.titles.theseus.situation import ISOLATED
from sandtable.titles.theseus.state import GONE, Game


class Recovery(Step[Game], frozen=True):
    """9.1 Levels, air units, disrupted units and markers recover; isolated units suffer."""

    rule: ClassVar[str] = "9.1"

    def actor(self, game: Game) -> Side:
        return SIDES[AXIS]

    def begin(self, game: Game) -> None:
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
        game.swap(Organisation(AXIS))


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
    game.air = len(game.data.tables.air.units)


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


# 9.2 Organisation.


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
        if self.dummies > 0 and not self.setup:
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
                if self.setup:
                    game.pop()
                elif self.side == AXIS:
                    game.swap(Organisation(COMMONWEALTH))
                else:
                    game.swap(PanzerReplacements(game.script.turns[game.turn].axis_rp))


# 9.3 Replacements.


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
        return f"Give {self.left} Panzer Replacement Points to German tank units, or finish."

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
    game.alter(unit, strength=game.pieces[unit].strength + 1)
    side = SIDES[game.side(unit)]
    replaced, restored = ev.Replaced(unit, rule="9.3"), ev.Restored(side, rule="9.3")
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
