"""What a player can choose, one click each."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.titles.cauldron.printed import ChitId, FormationId


class Place(Action, frozen=True):
    """15.0, 17.0 Put a unit on the map."""

    verb: ClassVar[str] = "place"
    unit: UnitId
    hex: Space


class Breach(Action, frozen=True):
    """14.1 Begin a breach from a unit's hex towards a neighbour."""

    verb: ClassVar[str] = "breach"
    unit: UnitId
    hex: Space


class Pass(Action, frozen=True):
    """Do no more of what is asked."""

    verb: ClassVar[str] = "pass"


class StepUp(Action, frozen=True):
    """13.3 Replace one lost step of an armor unit on the map."""

    verb: ClassVar[str] = "replace"
    unit: UnitId


class Rebuild(Action, frozen=True):
    """13.3 Bring an eliminated armor unit back with one step."""

    verb: ClassVar[str] = "rebuild"
    unit: UnitId
    hex: Space


class GoFirst(Action, frozen=True):
    """6.0 Name the side that acts first this turn."""

    verb: ClassVar[str] = "first"
    side: str


class AirAttack(Action, frozen=True):
    """13.4 Send the aircraft against a unit."""

    verb: ClassVar[str] = "air"
    unit: UnitId


class Activate(Action, frozen=True):
    """7.0 Activate the formation or formations of one face of the chit."""

    verb: ClassVar[str] = "activate"
    formations: tuple[FormationId, ...]


class ActivateUnit(Action, frozen=True):
    """7.0 Activate a single unit."""

    verb: ClassVar[str] = "activate-unit"
    unit: UnitId


class ExtraMove(Action, frozen=True):
    """13.2 Play Extra Move on a unit."""

    verb: ClassVar[str] = "extra"
    unit: UnitId


class Withdraw(Action, frozen=True):
    """13.7 Play Withdraw/Attack to withdraw a formation."""

    verb: ClassVar[str] = "withdraw"
    formation: FormationId


class PromiseAttack(Action, frozen=True):
    """13.7 Play Withdraw/Attack as a mandatory attack."""

    verb: ClassVar[str] = "promise-attack"


class Select(Action, frozen=True):
    """8.0 Make an activated unit the active unit."""

    verb: ClassVar[str] = "select"
    unit: UnitId


class EndPhase(Action, frozen=True):
    """7.0 End the action phase."""

    verb: ClassVar[str] = "end"


class MoveTo(Action, frozen=True):
    """8.0 Move the active unit by the cheapest way."""

    verb: ClassVar[str] = "move"
    unit: UnitId
    hex: Space


class Attack(Action, frozen=True):
    """11.0 Attack all adjacent enemies."""

    verb: ClassVar[str] = "attack"
    unit: UnitId
    intensity: str


class Exit(Action, frozen=True):
    """8.3 Leave the map by movement."""

    verb: ClassVar[str] = "exit"
    unit: UnitId


class Done(Action, frozen=True):
    """8.0 Complete the active unit's movement."""

    verb: ClassVar[str] = "done"
    unit: UnitId


class Join(Action, frozen=True):
    """11.0 Include another unit in the attack."""

    verb: ClassVar[str] = "join"
    unit: UnitId


class Resolve(Action, frozen=True):
    """11.0 Include no more units and go on to the die."""

    verb: ClassVar[str] = "resolve"


class PlayChit(Action, frozen=True):
    """13.1, 13.6 Play a tactical chit on this combat."""

    verb: ClassVar[str] = "chit"
    chit: ChitId


class Lose(Action, frozen=True):
    """11.0 Take a step loss on a unit."""

    verb: ClassVar[str] = "lose"
    unit: UnitId


class Disrupt(Action, frozen=True):
    """11.0 Take a D result on a unit."""

    verb: ClassVar[str] = "disrupt"
    unit: UnitId


class RetreatUnits(Action, frozen=True):
    """11.1 Retreat a unit, or two stacked units together, next."""

    verb: ClassVar[str] = "retreat"
    units: tuple[UnitId, ...]


class RetreatTo(Action, frozen=True):
    """11.1 Retreat into a hex."""

    verb: ClassVar[str] = "retreat-to"
    hex: Space


class RetreatOff(Action, frozen=True):
    """11.1.5 Retreat off the map."""

    verb: ClassVar[str] = "retreat-off"


class Eliminate(Action, frozen=True):
    """10.0 Eliminate a unit of an over-stacked hex."""

    verb: ClassVar[str] = "eliminate"
    unit: UnitId


class Advance(Action, frozen=True):
    """11.2 Advance into a vacated hex."""

    verb: ClassVar[str] = "advance"
    unit: UnitId
    hex: Space


ALL: tuple[type[Action], ...] = (
    Place,
    Breach,
    Pass,
    StepUp,
    Rebuild,
    GoFirst,
    AirAttack,
    Activate,
    ActivateUnit,
    ExtraMove,
    Withdraw,
    PromiseAttack,
    Select,
    EndPhase,
    MoveTo,
    Attack,
    Exit,
    Done,
    Join,
    Resolve,
    PlayChit,
    Lose,
    Disrupt,
    RetreatUnits,
    RetreatTo,
    RetreatOff,
    Eliminate,
    Advance,
)
