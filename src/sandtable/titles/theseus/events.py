"""What happened: past tense, each with the rule that caused it."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Event, Headline, Rolled
from sandtable.titles.theseus.facts import FormationId


class TurnBegan(Headline, frozen=True):
    turn: int
    dates: str

    opens: ClassVar[bool] = True


class InitiativeWon(Headline, frozen=True):
    side: str
    axis: int
    commonwealth: int


class InitiativeTransferred(Event, frozen=True):
    side: str


class Passed(Headline, frozen=True):
    side: str


class Activated(Headline, frozen=True):
    formation: FormationId
    points: int
    level: int
    reaction: bool = False


class UnitActivated(Event, frozen=True):
    unit: UnitId
    marker: int


class EmergencySupplySpent(Event, frozen=True):
    formation: FormationId


class OutOfSupply(Event, frozen=True):
    unit: UnitId


class Moved(Event, frozen=True):
    """What everybody sees of a movement: the top unit and how many go."""

    unit: UnitId
    number: int
    origin: Space
    hex: Space


class MovedWith(Event, frozen=True):
    """What lies beneath, for the owner."""

    units: tuple[UnitId, ...]
    hex: Space

    aside: ClassVar[bool] = True


class Disrupted(Event, frozen=True):
    unit: UnitId
    reveals: ClassVar[bool] = True


class Shaken(Event, frozen=True):
    """A disruption as the enemy hears of it who cannot see the unit."""

    hex: Space


class Rallied(Event, frozen=True):
    """A recovery as the enemy hears of it who cannot see the unit."""

    hex: Space


class RolledFor(Event, frozen=True):
    """Which unit the next die is for, where only its owner may know."""

    unit: UnitId


class Recovered(Event, frozen=True):
    unit: UnitId


class Lost(Event, frozen=True):
    unit: UnitId
    points: int
    left: int
    reveals: ClassVar[bool] = True


class Suffered(Event, frozen=True):
    """Losses as the enemy hears of them when strengths are kept on roster sheets."""

    side: str
    points: int


class Eliminated(Event, frozen=True):
    unit: UnitId
    reveals: ClassVar[bool] = True


class HqRemoved(Event, frozen=True):
    formation: FormationId


class Displaced(Event, frozen=True):
    unit: UnitId
    hex: Space


class Overstacked(Event, frozen=True):
    hex: Space


class SupportLost(Event, frozen=True):
    unit: UnitId
    left: int


class ReactionTried(Event, frozen=True):
    formation: FormationId
    succeeded: bool


class SnafuUsed(Event, frozen=True):
    side: str


class AttackDeclared(Event, frozen=True):
    hex: Space
    target: Space
    defenders: tuple[UnitId, ...]
    reveals: ClassVar[bool] = True


class AttackersShown(Event, frozen=True):
    units: tuple[UnitId, ...]
    reveals: ClassVar[bool] = True


class CalledOff(Event, frozen=True):
    """No unit was left to take part, or its side gave the action up."""


class RetreatBeforeCombat(Event, frozen=True):
    hex: Space
    attacker: int
    defender: int
    succeeded: bool


class Escalated(Event, frozen=True):
    kind_of_attack: str


class ChitsDrawn(Event, frozen=True):
    attacker: str
    defender: str
    attack: int
    defence: int
    odds: str


class AirCommitted(Event, frozen=True):
    number: int


class CombatResolved(Event, frozen=True):
    target: Space
    result: str
    odds: str
    roll: int
    drm: int
    modifiers: tuple[str, ...]


class Retreated(Event, frozen=True):
    units: tuple[UnitId, ...]
    hex: Space


class RetreatBarred(Event, frozen=True):
    units: tuple[UnitId, ...]


class BattleWon(Event, frozen=True):
    side: str
    points: int


class MinefieldEntered(Event, frozen=True):
    unit: UnitId
    hex: Space


class BreachTried(Event, frozen=True):
    unit: UnitId
    hex: Space
    succeeded: bool


class BreachSeen(Event, frozen=True):
    """A breach attempt as the enemy hears of it who cannot see the unit."""

    hex: Space
    succeeded: bool


class DefenceImproved(Event, frozen=True):
    hex: Space


class DefenceLapsed(Event, frozen=True):
    hex: Space


class Assigned(Event, frozen=True):
    unit: UnitId
    formation: FormationId


class AssignmentShown(Event, frozen=True):
    unit: UnitId
    formation: FormationId
    reveals: ClassVar[bool] = True


class SchwerpunktPlaced(Event, frozen=True):
    formation: FormationId


class SourceBlocked(Event, frozen=True):
    hex: Space


class SourceFreed(Event, frozen=True):
    hex: Space


class TobrukTaken(Headline, frozen=True):
    side: str


class TobrukSupplies(Event, frozen=True):
    side: str


class LevelRecovered(Event, frozen=True):
    formation: FormationId
    level: int


class Replaced(Event, frozen=True):
    unit: UnitId
    left: int


class Restored(Event, frozen=True):
    """A replacement as the enemy hears of it who may not know which unit it is for."""

    side: str


class BrokenUp(Event, frozen=True):
    unit: UnitId
    points: int


class Entered(Event, frozen=True):
    unit: UnitId
    hex: Space


class Scored(Event, frozen=True):
    hex: Space
    points: int


class SourceHeld(Event, frozen=True):
    hex: Space
    points: int


EVENTS: tuple[type[Event], ...] = (
    Rolled,
    TurnBegan,
    InitiativeWon,
    InitiativeTransferred,
    Passed,
    Activated,
    UnitActivated,
    EmergencySupplySpent,
    OutOfSupply,
    Moved,
    MovedWith,
    Disrupted,
    Shaken,
    Rallied,
    RolledFor,
    Recovered,
    Lost,
    Suffered,
    Eliminated,
    HqRemoved,
    Displaced,
    Overstacked,
    SupportLost,
    ReactionTried,
    SnafuUsed,
    AttackDeclared,
    AttackersShown,
    CalledOff,
    RetreatBeforeCombat,
    Escalated,
    ChitsDrawn,
    AirCommitted,
    CombatResolved,
    Retreated,
    RetreatBarred,
    BattleWon,
    MinefieldEntered,
    BreachTried,
    BreachSeen,
    DefenceImproved,
    DefenceLapsed,
    Assigned,
    AssignmentShown,
    SchwerpunktPlaced,
    SourceBlocked,
    SourceFreed,
    TobrukTaken,
    TobrukSupplies,
    LevelRecovered,
    Replaced,
    Restored,
    BrokenUp,
    Entered,
    Scored,
    SourceHeld,
)
