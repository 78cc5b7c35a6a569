"""What happens in a game."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Event, Headline, Side


class SetUpIn(Event, frozen=True):
    """A unit was placed at the start."""

    unit: UnitId
    space: Space


class TurnBegan(Headline, frozen=True):
    """A day began."""

    turn: int

    opens: ClassVar[bool] = True


class ImpulseBegan(Headline, frozen=True):
    """A side's half of an Impulse began."""

    side: Side
    impulse: int


class Declared(Event, frozen=True):
    """A side said what it does: assault, regroup, pass, end, or halt an advance."""

    side: Side
    what: str
    spaces: tuple[Space, ...] = ()


class Moved(Event, frozen=True):
    """A unit moved one Area."""

    unit: UnitId
    start: Space
    space: Space
    cost: int


class ControlChanged(Event, frozen=True):
    """An Area or Zone changed hands."""

    space: Space
    side: Side


class Released(Headline, frozen=True):
    """A division held back on June 15 may act."""

    division: str


class AttackDeclared(Event, frozen=True):
    """An attack began."""

    side: Side
    space: Space
    lead: UnitId
    units: tuple[UnitId, ...]


class LeadNamed(Event, frozen=True):
    """The defender named the Lead Defending Unit."""

    unit: UnitId


class SupportGiven(Event, frozen=True):
    """Air Support, Rommel or artillery added to a side's total, or the call failed (0)."""

    side: Side
    what: str
    value: int


class Totals(Event, frozen=True):
    """The two values and the two totals of an attack."""

    av: int
    dv: int
    at: int
    dt: int
    result: str


class AdvantageSpent(Event, frozen=True):
    """A side used the Advantage."""

    side: Side
    what: str


class AdvantageShifted(Event, frozen=True):
    """The Advantage went to the side that had not used it."""

    side: Side


class Reduced(Event, frozen=True):
    """A unit was flipped to its Reduced-Strength side."""

    unit: UnitId


class Eliminated(Event, frozen=True):
    """A unit was removed."""

    unit: UnitId


class Restored(Event, frozen=True):
    """A unit was flipped to its Full-Strength side."""

    unit: UnitId


class Rebuilt(Event, frozen=True):
    """An eliminated unit came back at Reduced-Strength."""

    unit: UnitId
    space: Space


class Retreated(Event, frozen=True):
    """A unit retreated."""

    unit: UnitId
    start: Space
    space: Space


class FuelChanged(Headline, frozen=True):
    """The Axis ran short of fuel, or no longer is."""

    low: bool


class SunsetRead(Event, frozen=True):
    """An Axis roll was read as the Sunset roll."""

    total: int
    impulse: int
    ends: bool

    @property
    def headline(self) -> bool:
        return self.ends


class OutOfSupply(Event, frozen=True):
    """A unit could not trace supply at the end of the Maneuvers Phase."""

    unit: UnitId


class SurrenderChecked(Event, frozen=True):
    """An Out of Supply unit checked for surrender."""

    unit: UnitId
    roll: int
    lost: bool


class Scored(Event, frozen=True):
    """Victory Points were added."""

    what: str
    points: int
    total: int


class GameEnded(Event, frozen=True):
    """The game is over."""

    text: str
