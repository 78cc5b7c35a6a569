"""6.0, 8.0 The sequence of play: set-up, Impulses, Sunset, and what ends a Turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.steps import Step
from sandtable.titles.battleaxe.actions import (
    Consolidate,
    DeclareAssault,
    DeclareFuelShortage,
    DeclareRegroup,
    DeclareRommel,
    EndImpulse,
    Intercept,
    Pass,
    SetUp,
    Shift,
    SpendAdvantage,
)
from sandtable.titles.battleaxe.data import ALLIED, AXIS, NOBODY, SIDES
from sandtable.titles.battleaxe.events import (
    Declared,
    FuelChanged,
    GameEnded,
    ImpulseBegan,
    Moved,
    SetUpIn,
    TurnBegan,
)
from sandtable.titles.battleaxe.logistics import end_of_maneuvers, in_supply, supplied_spaces
from sandtable.titles.battleaxe.movement import Assault, fresh_units, spaces_to_activate
from sandtable.titles.battleaxe.refit import RefitPhase
from sandtable.titles.battleaxe.state import Game
from sandtable.titles.battleaxe.support import declare_rommel, read_sunset
from sandtable.titles.battleaxe.victory import end_of_turn


class FreeSetUp(Step["Game"], frozen=True):
    """5.2.1, 19.3 The Allied player places the units that set up freely, one after another."""

    rule: ClassVar[str] = "5.2.1"
    waiting: tuple[tuple[UnitId, tuple[Space, ...]], ...]

    def actor(self, game: Game) -> Side:
        return SIDES[ALLIED]

    def prompt(self, game: Game) -> str:
        unit, spaces = self.waiting[0]
        names = ", ".join(game.data.spaces[space].id for space in spaces)
        return f"Set up {game.data.unit_facts[unit].name} in one of Zones {names}."

    def actions(self, game: Game) -> Sequence[Action]:
        unit, spaces = self.waiting[0]
        return [SetUp(unit, space) for space in spaces]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, SetUp)
        game.log(SetUpIn(action.unit, action.space, rule="5.2.1"))
        game.place(action.unit, action.space)
        if len(self.waiting) > 1:
            game.swap(FreeSetUp(self.waiting[1:]))
        else:
            game.swap(Maneuvers())


class Maneuvers(Step["Game"], frozen=True):
    """6.1, 6.2 The phases of a Turn; the step at the bottom while a day is played."""

    rule: ClassVar[str] = "6.2"

    def begin(self, game: Game) -> None:
        if game.impulse == 1:
            game.log(TurnBegan(game.turn, rule="6.0"))
        game.push(Impulse(ALLIED))

    def resume(self, game: Game, result: object) -> None:
        match result:
            case "impulse":
                game.push(Impulse(AXIS))
            case "next":
                game.impulse += 1
                game.push(Impulse(ALLIED))
            case "sunset":
                self._end_maneuvers(game)
            case "refit":
                self._end_phase(game)

    def _end_maneuvers(self, game: Game) -> None:
        """6.2.1, 12.1D, 12.1E The day's fighting ends, and with it fuel shortage and Rommel."""
        if game.fuel_low:
            game.fuel_low = False
            game.log(FuelChanged(False, rule="14.1.2"))
        game.rommel = False
        end_of_maneuvers(game)
        game.push(RefitPhase(ALLIED))

    def _end_phase(self, game: Game) -> None:
        """6.4, 12.2 Score the day; if the game goes on, reset the markers for the next one."""
        game.shift_advantage()
        outcome = end_of_turn(game)
        if outcome:
            game.log(GameEnded(outcome.text, rule=outcome.rule))
            game.finish(outcome)
            return
        if game.turn == 1:
            game.release(0, "16.1")
            game.release(1, "16.2")
        game.turn += 1
        game.impulse = 1
        game.artillery = (game.data.tables.allied_artillery, game.data.tables.axis_artillery)
        game.swap(Maneuvers())


class ImpulseStep(Step["Game"], frozen=True):
    """A step of one side's Impulse."""

    side: int

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]


class Impulse(ImpulseStep, frozen=True):
    """8.0, 8.1, 8.1.2 A side chooses what to do with its half of an Impulse."""

    rule: ClassVar[str] = "8.1"

    def begin(self, game: Game) -> None:
        game.air_used = game.rommel_used = False
        game.just_released = 0
        game.contested_before = game.contested()
        game.sunset = 0
        game.log(ImpulseBegan(SIDES[self.side], game.impulse, rule="8.0"))
        if self.side == AXIS and game.advantage == ALLIED and not game.fuel_low:
            game.push(FuelShortage())

    def prompt(self, game: Game) -> str:
        day = game.data.tables.days[game.turn - 1]
        return f"{day}, Impulse {game.impulse}: assault, regroup, consolidate or pass."

    def actions(self, game: Game) -> Sequence[Action]:
        found: list[Action] = []
        if first_activation(game, self.side):
            zones = spots(game.data.frontier_zones & game.occupied[ALLIED])
            if len(zones) > 1:
                found.append(DeclareAssault(tuple(Space(zone) for zone in zones)))
        found += [DeclareAssault((space,)) for space in spaces_to_activate(game, self.side)]
        if next(Regroup(self.side).shifts(game), None):
            found.append(DeclareRegroup())
        found += consolidations(game, self.side)
        if self.side == game.advantage == ALLIED and not game.fuel_low:
            found.append(DeclareFuelShortage())
        if self.side == game.advantage == AXIS and not game.rommel:
            found.append(DeclareRommel())
        return [*found, Pass()]

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case DeclareAssault(spaces):
                game.push(begin_assault(game, self.side, spaces))
            case DeclareRegroup():
                game.log(Declared(SIDES[self.side], "regroup", rule="8.1.2a"))
                game.push(Regroup(self.side))
            case Consolidate(unit, cost):
                game.log(Declared(SIDES[self.side], "consolidate", rule="8.1.2b"))
                game.restore(unit, "8.1.2b")
                game.flip(cost, rule="8.1.2b")
                game.swap(EndOfImpulse(self.side))
            case DeclareFuelShortage():
                declare_fuel_shortage(game)
            case DeclareRommel():
                declare_rommel(game)
            case Pass():
                game.log(Declared(SIDES[self.side], "pass", rule="8.1.3"))
                game.swap(EndOfImpulse(self.side))

    def resume(self, game: Game, result: object) -> None:
        if result == "fuel":
            return
        if wireless_intercepts(game, self.side):
            game.swap(WirelessIntercept(self.side, regroup=result == "assault"))
        else:
            game.swap(EndOfImpulse(self.side))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case DeclareAssault(spaces):
                return self._assault_refusal(game, spaces)
            case Consolidate(unit, cost):
                broken = first_broken(CONSOLIDATION_RULES, game, self.side, unit, cost)
                return broken.refusal() if broken else None
            case DeclareFuelShortage():
                text = "Only the Allies declare it, with the Advantage, while there is fuel."
                return Refusal("12.1D", text)
            case DeclareRommel():
                text = "Only the Axis declares it, with the Advantage, while Rommel is away."
                return Refusal("12.1E", text)
            case DeclareRegroup():
                return Refusal("8.1.2a", "No unit could be regrouped.")
        return None

    def _assault_refusal(self, game: Game, spaces: tuple[Space, ...]) -> Refusal:
        if len(spaces) != 1:
            if self.side == ALLIED:
                return Refusal("16.3", "Only Zones A to D together, in the first Impulse.")
            return Refusal("9.1.2", "Activate one Area first, then a second one.")
        where = game.data.called(spaces[0])
        if not game.units_in(self.side, spaces[0]):
            return Refusal("8.1.1", f"You have no units in {where}.")
        return Refusal("16.0", f"The units in {where} are not released yet.")


def first_activation(game: Game, side: int) -> bool:
    """16.3 In Impulse 1 of June 15 the Allies may activate Zones A to D together."""
    return side == ALLIED and game.turn == 1 and game.impulse == 1


def begin_assault(game: Game, side: int, spaces: tuple[Space, ...]) -> Assault:
    """8.1.1, 9.1.2, 16.2 Activate Areas; a sortie from Tobruk wakes the 5th Light Division."""
    game.log(Declared(SIDES[side], "assault", spaces, rule="8.1.1"))
    if side == ALLIED and game.data.tobruk in spaces:
        game.release(1, "16.2")
    activated = 0
    for space in spaces:
        activated |= fresh_units(game, side, space, 0)
    return Assault(
        side=side,
        active=sum(1 << space for space in spaces),
        activated=activated,
        contested=game.contested_before,
        second=side == AXIS,
    )


# 8.1.2a Regroup.


@rule
def has_movement(game: Game, side: int, unit: UnitId, to: Space) -> bool:
    """8.1.2a Units without a printed Movement Factor may not regroup."""
    return game.mf(unit) > 0


@rule
def not_held_back(game: Game, side: int, unit: UnitId, to: Space) -> bool:
    """16.0 This division may not move until it is released."""
    return not game.held_back(unit)


@rule
def no_escarpment(game: Game, side: int, unit: UnitId, to: Space) -> bool:
    """9.3.2 Units may never cross an Escarpment."""
    return not game.data.beyond_scarp[game.units[unit].space] >> to & 1


@rule
def adjacent(game: Game, side: int, unit: UnitId, to: Space) -> bool:
    """8.1.2a A regrouping unit moves to an adjacent Area only."""
    return bool(game.data.near[game.units[unit].space] >> to & 1)


@rule
def friendly_and_empty(game: Game, side: int, unit: UnitId, to: Space) -> bool:
    """8.1.2a A regrouping unit enters no enemy-controlled or enemy-occupied Area."""
    return bool(game.free_for(side) >> to & 1)


@rule
def room(game: Game, side: int, unit: UnitId, to: Space) -> bool:
    """9.3.1 No unit may enter an Area that holds four friendly units."""
    return not game.full(side, to)


@rule
def halfaya_road(game: Game, side: int, unit: UnitId, to: Space) -> bool:
    """8.1.2a Allied units in an Axis-controlled Halfaya Pass may not regroup to Musaid."""
    from_halfaya = game.units[unit].space == game.data.halfaya and to == game.data.musaid
    return not (from_halfaya and side == ALLIED and game.holder(game.data.halfaya) == AXIS)


REGROUP_RULES = (
    has_movement,
    not_held_back,
    no_escarpment,
    adjacent,
    friendly_and_empty,
    room,
    halfaya_road,
)


class Regroup(ImpulseStep, frozen=True):
    """8.1.2a Every friendly unit may move one Area."""

    rule: ClassVar[str] = "8.1.2a"
    shown: ClassVar[bool] = True
    moved: int = 0

    def prompt(self, game: Game) -> str:
        return "Regroup: move units one Area each, then end the Impulse."

    def shifts(self, game: Game) -> Iterator[Action]:
        """Every regroup move that keeps REGROUP_RULES."""
        side = self.side
        open_to = game.free_for(side) & ~game.full_areas(side)
        for start in spots(game.occupied[side]):
            targets = game.data.near[start] & open_to
            if not targets:
                continue
            for unit in game.units_in(side, Space(start)):
                if self.moved >> unit & 1 or not game.mf(unit) or game.held_back(unit):
                    continue
                for to in spots(targets):
                    if start != game.data.halfaya or halfaya_road(game, side, unit, Space(to)):
                        yield Shift(unit, Space(to))

    def actions(self, game: Game) -> Sequence[Action]:
        return [*self.shifts(game), EndImpulse()]

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Shift(unit, to):
                game.log(Moved(unit, game.units[unit].space, to, 0, rule="8.1.2a"))
                game.place(unit, to)
                game.become_step(Regroup(self.side, self.moved | 1 << unit))
            case EndImpulse():
                game.log(Declared(SIDES[self.side], "end", rule="8.1.2a"))
                game.pop("regroup")

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if not isinstance(action, Shift):
            return None
        unit, to = action.unit, action.space
        if game.side_of(unit) != self.side or game.units[unit].space < 0:
            return Refusal("8.1.2a", "This unit is not yours to move, or not on the map.")
        name = game.data.unit_facts[unit].id
        if self.moved >> unit & 1:
            return Refusal("8.1.2a", f"{name} has regrouped already.")
        broken = first_broken(REGROUP_RULES, game, self.side, unit, to)
        where = game.data.called(to)
        return broken.refusal(f"{name} cannot regroup to {where}") if broken else None


# 8.1.2b Consolidation.


@rule
def both_in_one_area(game: Game, side: int, unit: UnitId, cost: UnitId) -> bool:
    """8.1.2b Two of your units in the same Area are needed."""
    same = game.units[unit].space == game.units[cost].space >= 0 and unit != cost
    return same and game.side_of(unit) == game.side_of(cost) == side


@rule
def restores_reduced(game: Game, side: int, unit: UnitId, cost: UnitId) -> bool:
    """8.1.2b Only a Reduced-Strength unit can be restored."""
    return game.units[unit].reduced


@rule
def same_type(game: Game, side: int, unit: UnitId, cost: UnitId) -> bool:
    """8.1.2b Both must be armour or both infantry; no AT/FLAK units or armoured cars."""
    kind = game.data.unit_facts[unit].kind
    return kind in ("armor", "infantry") and kind == game.data.unit_facts[cost].kind


@rule
def same_army(game: Game, side: int, unit: UnitId, cost: UnitId) -> bool:
    """8.1.2b German and Italian units may not consolidate with each other."""
    return side == ALLIED or game.data.german[unit] == game.data.german[cost]


@rule
def supplied(game: Game, side: int, unit: UnitId, cost: UnitId) -> bool:
    """8.1.2b Both units must be in supply."""
    return in_supply(game, unit)


CONSOLIDATION_RULES = (both_in_one_area, restores_reduced, same_type, same_army, supplied)


def consolidations(game: Game, side: int) -> list[Action]:
    """8.1.2b Every legal Consolidation."""
    found: list[Action] = []
    reached: int | None = None
    for at, one in enumerate(game.units):
        if not one.reduced or one.space < 0 or game.data.side_of[at] != side:
            continue
        partners = game.units_in(side, one.space)
        if len(partners) < 2:
            continue
        if reached is None:
            reached = supplied_spaces(game, side)
        if in_supply(game, UnitId(at), reached):
            found += [
                Consolidate(UnitId(at), other)
                for other in partners
                if other != at
                and same_type.holds(game, side, UnitId(at), other)
                and same_army.holds(game, side, UnitId(at), other)
            ]
    return found


# What may follow, and the end of the Impulse.


def wireless_intercepts(game: Game, side: int) -> bool:
    """19.1, 19.1H Whether the Axis may spend the Advantage on a second kind of Impulse."""
    return bool(game.options["advantage_uses"]) and side == game.advantage == AXIS


class WirelessIntercept(ImpulseStep, frozen=True):
    """19.1H After a Regroup an Assault, after an Assault a Regroup, for the Advantage."""

    rule: ClassVar[str] = "19.1H"
    regroup: bool = False

    def prompt(self, game: Game) -> str:
        more = "regroup" if self.regroup else "assault"
        return f"Spend the Advantage to {more} as well, or end the Impulse."

    def actions(self, game: Game) -> Sequence[Action]:
        if self.regroup:
            possible = next(Regroup(self.side).shifts(game), None) is not None
        else:
            possible = bool(spaces_to_activate(game, self.side))
        return [Intercept(), EndImpulse()] if possible else [EndImpulse()]

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, EndImpulse):
            game.swap(EndOfImpulse(self.side))
            return
        game.spend_advantage(AXIS, "Wireless Intercepts", "19.1H")
        game.swap(EndOfImpulse(self.side))
        game.push(Regroup(self.side) if self.regroup else ChooseAssault(self.side))


class ChooseAssault(ImpulseStep, frozen=True):
    """19.1H, 8.1.1 Choose the Active Area of the Assault that follows a Regroup."""

    rule: ClassVar[str] = "8.1.1"

    def prompt(self, game: Game) -> str:
        return "Choose the Active Area of your Assault."

    def actions(self, game: Game) -> Sequence[Action]:
        return [DeclareAssault((space,)) for space in spaces_to_activate(game, self.side)]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, DeclareAssault)
        game.swap(begin_assault(game, self.side, action.spaces))


def declare_fuel_shortage(game: Game) -> None:
    """12.1D, 14.1, 14.1.1 The Allies turn the Turn marker to Fuel Low."""
    game.spend_advantage(ALLIED, "Axis Fuel Shortage", "12.1D")
    game.fuel_low = True
    game.log(FuelChanged(True, rule="14.1"))


class FuelShortage(Step["Game"], frozen=True):
    """12.1D, 14.1 Before an Axis Impulse the Allies may declare a Fuel Shortage."""

    rule: ClassVar[str] = "12.1D"
    interrupt: ClassVar[str] = "fuel-shortage"

    def actor(self, game: Game) -> Side:
        return SIDES[ALLIED]

    def prompt(self, game: Game) -> str:
        return (
            "Spend the Advantage on an Axis Fuel Shortage, so that the Axis activates one Area "
            "at a time and you defend with 2 more?"
        )

    def actions(self, game: Game) -> Sequence[Action]:
        return [SpendAdvantage(True), SpendAdvantage(False)]

    def apply(self, game: Game, action: Action) -> None:
        if action == SpendAdvantage(True):
            declare_fuel_shortage(game)
        game.pop("fuel")

    def standing(self, game: Game, setting: str) -> Action | None:
        return SpendAdvantage(False)


class EndOfImpulse(ImpulseStep, frozen=True):
    """6.2.1, 12.1C The Impulse ends: Sunset after the Axis half, and then the Advantage shifts."""

    rule: ClassVar[str] = "12.1C"
    interrupt: ClassVar[str] = "prolonged-daylight"

    def begin(self, game: Game) -> None:
        if self.side == AXIS and not game.sunset:
            faces = game.roll("sunset", SIDES[AXIS], "6.2.1", dice=(6, 6))
            read_sunset(game, sum(faces))

    def resume(self, game: Game, result: object) -> None:
        self.begin(game)

    def darkens(self, game: Game) -> bool:
        """6.2.1 Whether the Sunset roll ends the Maneuvers Phase."""
        return self.side == AXIS and game.sunset < game.impulse

    def actor(self, game: Game) -> Side:
        return SIDES[game.advantage if game.advantage != NOBODY else self.side]

    def prompt(self, game: Game) -> str:
        return "Night falls. Spend the Advantage on Prolonged Daylight, so that the day goes on?"

    def actions(self, game: Game) -> Sequence[Action]:
        """Only the holder of the Advantage can keep the day going, and not beyond the track."""
        track_ends = game.impulse >= game.data.tables.impulses
        if self.darkens(game) and game.advantage != NOBODY and not track_ends:
            return [SpendAdvantage(True), SpendAdvantage(False)]
        return [SpendAdvantage(False)]

    def apply(self, game: Game, action: Action) -> None:
        prolonged = action == SpendAdvantage(True)
        if prolonged:
            game.spend_advantage(game.advantage, "Prolonged Daylight", "12.1C")
        track_ends = self.side == AXIS and game.impulse >= game.data.tables.impulses
        night = (self.darkens(game) and not prolonged) or track_ends
        game.shift_advantage()
        game.expire_orders()
        if self.side == ALLIED:
            game.pop("impulse")
        else:
            game.pop("sunset" if night else "next")

    def standing(self, game: Game, setting: str) -> Action | None:
        return SpendAdvantage(False)
