"""Everything a player can do, in the order of the rulebook."""

from __future__ import annotations

from typing import ClassVar

from sandtable.kernel.actions import Action, Space, UnitId


class SetUp(Action, frozen=True):
    """5.2.1 Place a unit that sets up freely."""

    verb: ClassVar[str] = "setup"
    unit: UnitId
    space: Space


class DeclareAssault(Action, frozen=True):
    """8.1.1, 16.3 Begin an Assault Impulse with these Active Areas."""

    verb: ClassVar[str] = "assault"
    spaces: tuple[Space, ...]


class Activate(Action, frozen=True):
    """9.1.2 Activate a second Area by Combined Operations."""

    verb: ClassVar[str] = "activate"
    space: Space


class Move(Action, frozen=True):
    """9.1 Move a unit to an adjacent Area."""

    verb: ClassVar[str] = "move"
    unit: UnitId
    space: Space


class Attack(Action, frozen=True):
    """11.4 Attack the enemies in an Area, with a Lead Attacking Unit."""

    verb: ClassVar[str] = "attack"
    space: Space
    lead: UnitId


class Join(Action, frozen=True):
    """11.2 Add a unit to an optional attack."""

    verb: ClassVar[str] = "join"
    unit: UnitId


class Begin(Action, frozen=True):
    """11.2 Attack with the units chosen so far."""

    verb: ClassVar[str] = "begin"


class EndImpulse(Action, frozen=True):
    """8.0 End the Impulse."""

    verb: ClassVar[str] = "end"


class DeclareRegroup(Action, frozen=True):
    """8.1.2a Begin a Regroup."""

    verb: ClassVar[str] = "regroup"


class Shift(Action, frozen=True):
    """8.1.2a Move a unit one Area in a Regroup."""

    verb: ClassVar[str] = "shift"
    unit: UnitId
    space: Space


class Consolidate(Action, frozen=True):
    """8.1.2b Restore a unit at the cost of another."""

    verb: ClassVar[str] = "consolidate"
    unit: UnitId
    cost: UnitId


class Pass(Action, frozen=True):
    """8.1.3 Take no action this Impulse."""

    verb: ClassVar[str] = "pass"


class LeadDefense(Action, frozen=True):
    """11.4.3A Name the Lead Defending Unit."""

    verb: ClassVar[str] = "lead"
    unit: UnitId


class UseAir(Action, frozen=True):
    """10.1.1 Commit the Air Support marker, or keep it."""

    verb: ClassVar[str] = "air"
    use: bool


class UseRommel(Action, frozen=True):
    """12.1E Let Rommel lead this attack, or not."""

    verb: ClassVar[str] = "rommel"
    use: bool


class CallArtillery(Action, frozen=True):
    """10.2.1 Make an Artillery Call, or do without."""

    verb: ClassVar[str] = "artillery"
    call: bool


class Resolve(Action, frozen=True):
    """11.4.1 Roll the dice of an attack."""

    verb: ClassVar[str] = "resolve"


class SpendAdvantage(Action, frozen=True):
    """12.1 Answer whether to spend the Advantage now."""

    verb: ClassVar[str] = "advantage"
    spend: bool


class Absorb(Action, frozen=True):
    """11.5 Take Attrition Points by flipping, eliminating or retreating a unit."""

    verb: ClassVar[str] = "absorb"
    unit: UnitId
    how: str


class RetreatTo(Action, frozen=True):
    """11.6 Retreat a unit."""

    verb: ClassVar[str] = "retreat"
    unit: UnitId
    space: Space


class Withdraw(Action, frozen=True):
    """11.6.3 Retreat a defender of one's own will."""

    verb: ClassVar[str] = "withdraw"
    unit: UnitId


class Stand(Action, frozen=True):
    """11.6.3 Let the remaining defenders stay."""

    verb: ClassVar[str] = "stand"


class Advance(Action, frozen=True):
    """11.4.4 Move a unit on after an Overrun."""

    verb: ClassVar[str] = "advance"
    unit: UnitId
    space: Space


class Refit(Action, frozen=True):
    """13.3.2 Flip a Reduced-Strength unit."""

    verb: ClassVar[str] = "refit"
    unit: UnitId


class Rebuild(Action, frozen=True):
    """13.3.2 Rebuild an eliminated unit at Reduced-Strength."""

    verb: ClassVar[str] = "rebuild"
    unit: UnitId
    space: Space


class ExtraReplacement(Action, frozen=True):
    """12.1F Spend the Advantage for one more Replacement Point."""

    verb: ClassVar[str] = "replacement"


class TigerCubs(Action, frozen=True):
    """19.1G Spend the Advantage to restore an Allied armored unit."""

    verb: ClassVar[str] = "tiger-cubs"
    unit: UnitId


class Reserves(Action, frozen=True):
    """19.4 Restore a unit in Zone A or H for free."""

    verb: ClassVar[str] = "reserves"
    unit: UnitId


class Recover(Action, frozen=True):
    """13.3.5 Restore a German armored unit for free."""

    verb: ClassVar[str] = "recover"
    unit: UnitId


class EndRefit(Action, frozen=True):
    """13.1 End one's Refit."""

    verb: ClassVar[str] = "end-refit"


class DeclareFuelShortage(Action, frozen=True):
    """12.1D Spend the Advantage to declare an Axis Fuel Shortage."""

    verb: ClassVar[str] = "fuel-shortage"


class DeclareRommel(Action, frozen=True):
    """12.1E Spend the Advantage to bring Rommel to the front."""

    verb: ClassVar[str] = "declare-rommel"


class Intercept(Action, frozen=True):
    """19.1H Spend the Advantage for the other kind of Impulse as well."""

    verb: ClassVar[str] = "wireless-intercept"
