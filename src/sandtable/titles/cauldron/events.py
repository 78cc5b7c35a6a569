"""What can happen, in the past tense."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Event, Headline, Side
from sandtable.titles.cauldron.printed import ChitId, FormationId


class TurnBegan(Headline, frozen=True):
    turn: str

    opens: ClassVar[bool] = True


class Placed(Event, frozen=True):
    unit: UnitId
    hex: Space


class CupFilled(Event, frozen=True):
    side: Side
    chits: int
    actions: int


class Drew(Headline, frozen=True):
    """A chit that everybody sees: an action chit, Air or Sandstorm."""

    side: Side
    chit: ChitId

    reveals: ClassVar[bool] = True


class DrewUnseen(Event, frozen=True):
    """A tactical chit went face down into the box."""

    side: Side

    reveals: ClassVar[bool] = True


class Kept(Event, frozen=True):
    """Which tactical chit it was, for its owner alone."""

    side: Side
    chit: ChitId


class ChitPlayed(Event, frozen=True):
    side: Side
    chit: ChitId


class AirGrounded(Event, frozen=True):
    side: Side


class AirMissed(Event, frozen=True):
    unit: UnitId


class ActionsWasted(Event, frozen=True):
    side: Side
    actions: int


class ActionsLost(Event, frozen=True):
    side: Side
    needed: int


class LineTraced(Event, frozen=True):
    through: tuple[Space, ...]


class InitiativeWon(Event, frozen=True):
    side: Side


class FirstPlayer(Headline, frozen=True):
    side: Side


class Activated(Event, frozen=True):
    side: Side
    formations: tuple[FormationId, ...]


class UnitActivated(Event, frozen=True):
    unit: UnitId


class Forgone(Event, frozen=True):
    side: Side


class PhaseEnded(Event, frozen=True):
    side: Side


class Moved(Event, frozen=True):
    unit: UnitId
    path: tuple[Space, ...]
    cost: str


class LeftMap(Event, frozen=True):
    unit: UnitId
    due: str


class Finished(Event, frozen=True):
    unit: UnitId

    aside: ClassVar[bool] = True


class Attacked(Event, frozen=True):
    unit: UnitId
    intensity: str
    defenders: tuple[UnitId, ...]


class Joined(Event, frozen=True):
    unit: UnitId


class OddsSet(Event, frozen=True):
    attack: int
    defence: int
    column: str
    modifier: int


class Fought(Event, frozen=True):
    die: int
    modified: int
    result: str


class Eliminated(Event, frozen=True):
    unit: UnitId
    hex: Space


class LostStep(Event, frozen=True):
    unit: UnitId
    left: int


class Disrupted(Event, frozen=True):
    unit: UnitId


class Retreated(Event, frozen=True):
    units: tuple[UnitId, ...]
    hex: Space


class StoodFast(Event, frozen=True):
    unit: UnitId


class Advanced(Event, frozen=True):
    unit: UnitId
    hex: Space


class SupplyChanged(Event, frozen=True):
    unit: UnitId
    supply: str


class BreachBegun(Event, frozen=True):
    unit: UnitId
    hex: Space


class BreachBlocked(Event, frozen=True):
    unit: UnitId
    hex: Space


class Breached(Event, frozen=True):
    unit: UnitId
    hex: Space
    beyond: Space | None


class MarkerFreed(Event, frozen=True):
    hex: Space


class MinefieldLaid(Event, frozen=True):
    name: str


class Rebuilt(Event, frozen=True):
    unit: UnitId
    steps: int
    hex: Space


class Withdrew(Event, frozen=True):
    formation: FormationId
    units: tuple[UnitId, ...]


class AttackPromised(Event, frozen=True):
    side: Side


class PromiseBroken(Event, frozen=True):
    side: Side


class Recovered(Event, frozen=True):
    turn: str


class Scored(Event, frozen=True):
    points: int
    total: int
    why: str


ALL: tuple[type[Event], ...] = (
    TurnBegan,
    Placed,
    CupFilled,
    Drew,
    DrewUnseen,
    Kept,
    ChitPlayed,
    AirGrounded,
    AirMissed,
    ActionsWasted,
    ActionsLost,
    LineTraced,
    InitiativeWon,
    FirstPlayer,
    Activated,
    UnitActivated,
    Forgone,
    PhaseEnded,
    Moved,
    LeftMap,
    Finished,
    Attacked,
    Joined,
    OddsSet,
    Fought,
    Eliminated,
    LostStep,
    Disrupted,
    Retreated,
    StoodFast,
    Advanced,
    SupplyChanged,
    BreachBegun,
    BreachBlocked,
    Breached,
    MarkerFreed,
    MinefieldLaid,
    Rebuilt,
    Withdrew,
    AttackPromised,
    PromiseBroken,
    Recovered,
    Scored,
)
