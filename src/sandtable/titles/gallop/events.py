"""What can happen in The Gazala Gallop, in the past tense."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Event, Headline, Rolled, Side
from sandtable.titles.gallop.data import AirId


class TurnBegan(Headline, frozen=True):
    turn: int

    opens: ClassVar[bool] = True


class PhaseBegan(Headline, frozen=True):
    side: Side
    phase: str


class Placed(Event, frozen=True):
    unit: UnitId
    hex: Space


class PlacedFaceDown(Event, frozen=True):
    hex: Space


class NumbersPicked(Event, frozen=True):
    sandstorm: int
    rainstorm: int


class WeatherCame(Headline, frozen=True):
    weather: str


class LineSet(Event, frozen=True):
    """The length of basic supply lines in a sandstorm was settled."""

    side: Side
    length: int


class Grounded(Event, frozen=True):
    air: AirId


class GarrisonTurned(Headline, frozen=True):
    """The garrison of Tobruk went face down and was spread anew."""


class Posted(Event, frozen=True):
    unit: UnitId
    hex: Space


class Activated(Event, frozen=True):
    unit: UnitId


class Revealed(Event, frozen=True):
    unit: UnitId
    hex: Space

    reveals: ClassVar[bool] = True


class DummyRemoved(Event, frozen=True):
    hex: Space

    reveals: ClassVar[bool] = True


class Galloped(Headline, frozen=True):
    units: tuple[UnitId, ...]


class Arrived(Event, frozen=True):
    unit: UnitId
    hex: Space


class AirSent(Event, frozen=True):
    air: AirId
    hex: Space
    mission: str


class AirStruck(Event, frozen=True):
    air: AirId
    unit: UnitId
    result: str


class AirStayed(Event, frozen=True):
    air: AirId
    hex: Space


class AirWentHome(Event, frozen=True):
    air: AirId


class AirKnockedOut(Event, frozen=True):
    air: AirId


class AirRepaired(Event, frozen=True):
    air: AirId


class Intercepted(Event, frozen=True):
    air: AirId
    target: AirId
    result: str


class Routed(Event, frozen=True):
    """The route of a Crusader brigade was declared through a hex."""

    unit: UnitId
    hex: Space


class Moved(Event, frozen=True):
    unit: UnitId
    path: tuple[Space, ...]
    spent: int


class BrokeDown(Event, frozen=True):
    unit: UnitId
    hex: Space


class Trucked(Event, frozen=True):
    unit: UnitId
    convoys: int


class BecameDisrupted(Event, frozen=True):
    unit: UnitId
    hex: Space
    why: str


class Recovered(Event, frozen=True):
    unit: UnitId
    hex: Space


class Eliminated(Event, frozen=True):
    unit: UnitId
    hex: Space
    why: str


class AttackMade(Event, frozen=True):
    units: tuple[UnitId, ...]
    targets: tuple[Space, ...]
    column: str


class AttackFailed(Event, frozen=True):
    """An attack on face-down counters turned out to be none."""

    units: tuple[UnitId, ...]
    targets: tuple[Space, ...]
    why: str


class OrderedToStand(Event, frozen=True):
    units: tuple[UnitId, ...]


class Driven(Event, frozen=True):
    side: Side
    hexes: int


class Retreated(Event, frozen=True):
    unit: UnitId
    start: Space
    hex: Space


class MustRetreat(Event, frozen=True):
    unit: UnitId
    hex: Space


class SupplyFound(Event, frozen=True):
    unit: UnitId
    hex: Space
    how: str


class SupplyFailed(Event, frozen=True):
    unit: UnitId
    hex: Space
    how: str


class OutOfSupply(Event, frozen=True):
    units: tuple[UnitId, ...]


class BoxEliminated(Event, frozen=True):
    hex: Space


class ControlPassed(Event, frozen=True):
    hex: Space
    side: Side


class GameOver(Event, frozen=True):
    text: str


EVENTS: tuple[type[Event], ...] = (
    Rolled,
    TurnBegan,
    PhaseBegan,
    Placed,
    PlacedFaceDown,
    NumbersPicked,
    WeatherCame,
    LineSet,
    Grounded,
    GarrisonTurned,
    Posted,
    Activated,
    Revealed,
    DummyRemoved,
    Galloped,
    Arrived,
    AirSent,
    AirStruck,
    AirStayed,
    AirWentHome,
    AirKnockedOut,
    AirRepaired,
    Intercepted,
    Routed,
    Moved,
    BrokeDown,
    Trucked,
    BecameDisrupted,
    Recovered,
    Eliminated,
    AttackMade,
    AttackFailed,
    OrderedToStand,
    Driven,
    Retreated,
    MustRetreat,
    SupplyFound,
    SupplyFailed,
    OutOfSupply,
    BoxEliminated,
    ControlPassed,
    GameOver,
)
