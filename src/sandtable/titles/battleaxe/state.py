"""The state of a game of Operation Battleaxe, and the few functions that change it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import ModuleType
from typing import ClassVar

from msgspec import Struct, field

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Event, March, Rolled, Side
from sandtable.kernel.game import Game as BaseGame
from sandtable.kernel.game import Rung, ScoreLine
from sandtable.kernel.odds import Odds
from sandtable.kernel.sheets import Sheet
from sandtable.kernel.views import View
from sandtable.titles.battleaxe.data import ALLIED, AXIS, NOBODY, SIDES, Data
from sandtable.titles.battleaxe.events import (
    AdvantageShifted,
    AdvantageSpent,
    ControlChanged,
    Eliminated,
    Reduced,
    Released,
    Restored,
    Scored,
)

ELIMINATED = Space(-1)
ABSENT = Space(-2)
DIVISIONS = ("15th Panzer Division", "5th Light Division")


class Unit(Struct, frozen=True, omit_defaults=True):
    """A counter: where it is and which side is up."""

    space: Space
    reduced: bool = False
    out_of_supply: bool = False


class Printed(Struct, frozen=True):
    """Values that a position gives a unit instead of the printed ones."""

    cv: tuple[int, int]
    mf: int


class Game(BaseGame, kw_only=True):
    """One game in progress. `here` and `occupied` are derived from `units` by `place` alone."""

    data: Data
    units: list[Unit]
    here: list[tuple[UnitId, ...]] = field(default_factory=list)
    """The units of a side in a space, at index 2 * space + side, in order of their numbers."""
    occupied: tuple[int, int] = (0, 0)
    """The set of spaces with Allied units, and the one with Axis units."""
    allied_held: int = 0
    turn: int = 1
    impulse: int = 1
    advantage: int = ALLIED
    shift_to: int = NOBODY
    fuel_low: bool = False
    rommel: bool = False
    rommel_used: bool = False
    air_used: bool = False
    artillery: tuple[int, int] = (0, 0)
    released: tuple[bool, bool] = (False, False)
    just_released: int = 0
    """Divisions released in the present Impulse: they act from the next one on."""
    contested_before: int = 0
    """Spaces that were contested when the Impulse began (11.1, 11.3, 10.1.4)."""
    sunset: int = 0
    vp: int = 0
    scored: tuple[ScoreLine, ...] = ()
    tobruk_scored: bool = False
    printed: dict[int, Printed] = field(default_factory=dict)
    tems: dict[int, int] = field(default_factory=dict)

    mutable: ClassVar[tuple[str, ...]] = ("units", "here")
    transient: ClassVar[frozenset[str]] = BaseGame.transient | {"here", "occupied"}

    # Questions.

    def side_of(self, unit: UnitId) -> int:
        """The side a unit belongs to."""
        return self.data.side_of[unit]

    def units_in(self, side: int, space: Space) -> tuple[UnitId, ...]:
        """The units of a side in a space."""
        return self.here[2 * space + side]

    def held_by(self, side: int) -> int:
        """The set of spaces a side controls."""
        return self.allied_held if side == ALLIED else self.data.board.all & ~self.allied_held

    def holder(self, space: Space) -> int:
        """The side that controls a space."""
        return ALLIED if self.allied_held >> space & 1 else AXIS

    def is_zone(self, space: Space) -> bool:
        """Whether a space is a Zone."""
        return bool(self.data.zones >> space & 1)

    def full(self, side: int, space: Space) -> bool:
        """7.1, 15.2 Whether a side's stacking limit is reached; Zones have none."""
        limit = self.data.tables.stacking
        return len(self.here[2 * space + side]) >= limit and not self.is_zone(space)

    def full_areas(self, side: int) -> int:
        """7.1 The set of Areas where a side's stacking limit is reached."""
        limit, here = self.data.tables.stacking, self.here
        return sum(
            1 << space
            for space in spots(self.occupied[side] & self.data.areas)
            if len(here[2 * space + side]) >= limit
        )

    def contested(self) -> int:
        """7.3 The set of spaces with units of both sides."""
        return self.occupied[ALLIED] & self.occupied[AXIS]

    def free_for(self, side: int) -> int:
        """7.4, 7.5 The set of spaces that are Vacant of enemies and under friendly control."""
        return self.held_by(side) & ~self.occupied[1 - side]

    def tem(self, space: Space) -> int:
        """3.1.3 The Terrain Effects Modifier of a space."""
        return self.tems.get(space, self.data.spaces[space].tem)

    def cv(self, unit: UnitId) -> int:
        """4.3, 14.2.2 The Combat Value of a unit as it stands."""
        one = self.units[unit]
        values = self.printed[unit].cv if unit in self.printed else self.data.unit_facts[unit].cv
        return values[one.reduced] - one.out_of_supply

    def mf(self, unit: UnitId) -> int:
        """4.3, 14.2.2 The Movement Factor of a unit as it stands; 0 where none is printed."""
        value = self.printed[unit].mf if unit in self.printed else self.data.unit_facts[unit].mf
        return max(0, value - self.units[unit].out_of_supply)

    def held_back(self, unit: UnitId) -> bool:
        """16.0 Whether a unit's division may not move or attack yet."""
        fifteenth, fifth = self.released
        if fifteenth and fifth and not self.just_released:
            return False
        return any(
            unit in division and (not self.released[at] or self.just_released >> at & 1)
            for at, division in enumerate(self.data.divisions)
        )

    # Changes.

    def place(self, unit: UnitId, space: Space) -> None:
        """Put a unit somewhere, and see who then controls the spaces it left and entered."""
        start = self.units[unit].space
        self._put(unit, space)
        self._presence(start)
        self._presence(space)

    def _put(self, unit: UnitId, space: Space) -> None:
        """The only writer of positions and occupancy."""
        before = self.units[unit]
        side = self.data.side_of[unit]
        gone = space < 0
        self.units[unit] = Unit(space, before.reduced, before.out_of_supply and not gone)
        masks = list(self.occupied)
        if before.space >= 0:
            at = 2 * before.space + side
            self.here[at] = tuple([each for each in self.here[at] if each != unit])
            if not self.here[at]:
                masks[side] &= ~(1 << before.space)
        if not gone:
            at = 2 * space + side
            self.here[at] = tuple(sorted((*self.here[at], unit)))
            masks[side] |= 1 << space
        self.occupied = (masks[0], masks[1])

    def _presence(self, space: Space) -> None:
        """7.2 A side alone in an Area that the enemy controls takes control of it."""
        if space < 0:
            return
        allied, axis = (mask >> space & 1 for mask in self.occupied)
        if allied != axis and self.holder(space) != (ALLIED if allied else AXIS):
            self.take(space, ALLIED if allied else AXIS, "7.2")
        if allied and self.data.western_zones >> space & 1:
            self.release(0, "16.1")
            self.release(1, "16.2")
        if space == self.data.tobruk:
            self._tobruk_bonus()

    def take(self, space: Space, side: int, rule: str) -> None:
        """Change control of a space."""
        self.allied_held ^= 1 << space
        self.log(ControlChanged(space, SIDES[side], rule=rule))
        near_panzers = self.data.near[self.data.panzer_area] & self.data.areas
        if side == ALLIED and (space == self.data.halfaya or near_panzers >> space & 1):
            self.release(0, "16.1")

    def release(self, division: int, rule: str) -> None:
        """16.1, 16.2 Let a division act; a release is final."""
        if not self.released[division]:
            fifteenth, fifth = self.released
            self.released = (True, fifth) if division == 0 else (fifteenth, True)
            self.just_released |= 1 << division
            self.log(Released(DIVISIONS[division], rule=rule))

    def _tobruk_bonus(self) -> None:
        """19.6 More Allied than Axis units in Tobruk: one Victory Point, once a game."""
        if not self.options["tobruk_bonus"] or self.tobruk_scored:
            return
        allied, axis = (len(self.units_in(side, self.data.tobruk)) for side in (ALLIED, AXIS))
        if allied > axis:
            self.tobruk_scored = True
            self.score("More Allied than Axis units in Tobruk", 1, "19.6")

    def score(self, what: str, points: int, rule: str) -> None:
        """17.2, 3.4 Add Victory Points to the track."""
        self.vp += points
        self.scored = (*self.scored, ScoreLine(what, points, rule))
        self.log(Scored(what, points, self.vp, rule=rule))

    def flip(self, *units: UnitId, rule: str) -> None:
        """Take a step from units at the same time: reduce them, or eliminate the reduced."""
        lost = []
        for unit in units:
            one = self.units[unit]
            if one.reduced:
                lost.append(unit)
            else:
                self.units[unit] = Unit(one.space, True, one.out_of_supply)
                self.log(Reduced(unit, rule=rule))
        self.eliminate(*lost, rule=rule)

    def eliminate(self, *units: UnitId, rule: str) -> None:
        """Remove units at the same time, then see who controls the spaces they leave."""
        left = {self.units[unit].space for unit in units}
        for unit in units:
            self.log(Eliminated(unit, rule=rule))
            self._put(unit, ELIMINATED)
        for space in sorted(left):
            self._presence(space)

    def restore(self, unit: UnitId, rule: str) -> None:
        """Flip a unit to its Full-Strength side."""
        one = self.units[unit]
        self.units[unit] = Unit(one.space, False, one.out_of_supply)
        self.log(Restored(unit, rule=rule))

    def spend_advantage(self, side: int, what: str, rule: str) -> None:
        """12.0, 12.1, 12.2 Use the Advantage: nobody has it until the Impulse or Phase ends."""
        self.advantage = NOBODY
        self.shift_to = 1 - side
        self.log(AdvantageSpent(SIDES[side], what, rule=rule))

    def shift_advantage(self) -> None:
        """12.2 A spent Advantage goes to the side that did not use it."""
        if self.shift_to != NOBODY:
            self.advantage, self.shift_to = self.shift_to, NOBODY
            self.log(AdvantageShifted(SIDES[self.advantage], rule="12.2"))

    def derive(self) -> None:
        here: list[tuple[UnitId, ...]] = [()] * (2 * len(self.data.spaces))
        masks = [0, 0]
        for at, unit in enumerate(self.units):
            if unit.space >= 0:
                side = self.data.side_of[at]
                here[2 * unit.space + side] += (UnitId(at),)
                masks[side] |= 1 << unit.space
        self.here = here
        self.occupied = (masks[0], masks[1])

    # The contract's words and views live in modules of their own.

    def ladder(self) -> Sequence[Rung]:
        from sandtable.titles.battleaxe.victory import ladder

        return ladder(self)

    def view(self, side: Side | None) -> View:
        from sandtable.titles.battleaxe.views import view

        return view(self, side)

    def views(self, sides: Sequence[Side | None]) -> list[View]:
        from sandtable.titles.battleaxe.views import views

        return views(self, sides)

    def lay_out(self, odds: Odds) -> Sheet | None:
        from sandtable.titles.battleaxe.sheets import lay_out

        return lay_out(self, odds)

    def sentence(self, event: Event) -> str:
        words: str = _text().sentence(self, event)
        return words

    def rolled_for(self, roll: Rolled) -> str:
        words: str = _text().rolled_for(self, roll)
        return words

    def march(self, event: Event) -> March | None:
        found: March | None = _text().march(self, event)
        return found

    def when(self) -> str:
        """The turn and its date."""
        return f"{self.data.tables.days[self.turn - 1]}, Impulse {self.impulse}"

    def price(self, action: Action) -> str:
        """What an action costs or gives up, in words."""
        from sandtable.titles.battleaxe.prices import price

        return price(self, action)

    def label(self, action: Action) -> str:
        words: str = _text().label(self, action)
        return words

    def position_text(self) -> str:
        from sandtable.titles.battleaxe.position import position_text

        return position_text(self)

    def check(self) -> None:
        """Recompute what is derived, and assert what must always hold."""
        derived = self.copy()
        derived.derive()
        assert derived.here == self.here, "units by space"
        assert derived.occupied == self.occupied, "occupied spaces"
        here = self.here
        for side in (ALLIED, AXIS):
            for space in self.data.board.spaces:
                alone = here[2 * space + side] and not here[2 * space + 1 - side]
                assert not alone or self.holder(Space(space)) == side, "control by presence"
                over = len(here[2 * space + side]) > self.data.tables.stacking
                assert not over or self.is_zone(Space(space)), "stacking"
        assert self.vp == sum(line.value for line in self.scored), "victory points"


@cache
def _text() -> ModuleType:
    """The words, which import this module; asked for often, so looked up once."""
    from sandtable.titles.battleaxe import text

    return text
