"""7.1 What players may choose, each with its one-line form."""

from __future__ import annotations

from typing import ClassVar, Literal

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.titles.theseus.facts import FormationId


class Activate(Action, frozen=True):
    """6.3 Activate a formation."""

    verb: ClassVar[str] = "activate"
    formation: FormationId


class ActivateUnit(Action, frozen=True):
    """6.4 Activate an unassigned independent unit."""

    verb: ClassVar[str] = "activate-unit"
    unit: UnitId


class Transfer(Action, frozen=True):
    """6.2 Give the initiative to the opponent."""

    verb: ClassVar[str] = "transfer"


class Pass(Action, frozen=True):
    """6.2 Conduct no further activations this turn."""

    verb: ClassVar[str] = "pass"


class End(Action, frozen=True):
    """7.1, 7.5.3 End the activation, or let bonus points go; what is unused is lost."""

    verb: ClassVar[str] = "end"


class Move(Action, frozen=True):
    """7.3 Begin a Movement Action with one unit; others may join it."""

    verb: ClassVar[str] = "move"
    unit: UnitId


class MoveStack(Action, frozen=True):
    """7.3.1 Begin a Movement Action with all units of the formation in a hex."""

    verb: ClassVar[str] = "move-stack"
    hex: Space


class Join(Action, frozen=True):
    """7.3.1, 7.5.1.A Add a unit of the same hex to the movement or attack being formed."""

    verb: ClassVar[str] = "join"
    unit: UnitId


class To(Action, frozen=True):
    """7.3 Move to a hex by the cheapest way."""

    verb: ClassVar[str] = "to"
    hex: Space


class Halt(Action, frozen=True):
    """7.3.2 End the movement here."""

    verb: ClassVar[str] = "halt"


class Attack(Action, frozen=True):
    """7.5.1.A Declare a Hasty Attack with all able units of the formation in a hex."""

    verb: ClassVar[str] = "attack"
    hex: Space
    target: Space


class AttackWith(Action, frozen=True):
    """7.5.1.A Begin to form an attack with one unit; others may join it."""

    verb: ClassVar[str] = "attack-with"
    unit: UnitId
    target: Space


class Assault(Action, frozen=True):
    """7.5.1.A Declare the attack that was formed."""

    verb: ClassVar[str] = "assault"


class CallOff(Action, frozen=True):
    """5.8.4 Give an attack up before it is declared; its Action Points are spent."""

    verb: ClassVar[str] = "call-off"


class Breach(Action, frozen=True):
    """7.4 Try to breach the enemy minefield a unit stands in."""

    verb: ClassVar[str] = "breach"
    unit: UnitId


class Refit(Action, frozen=True):
    """7.6 Try to recover from disruption."""

    verb: ClassVar[str] = "refit"
    unit: UnitId


class DigIn(Action, frozen=True):
    """7.7 Put the units of a hex in Improved Defence."""

    verb: ClassVar[str] = "improve"
    hex: Space


class Top(Action, frozen=True):
    """5.3.1 Put a unit on top of its stack, beneath an HQ."""

    verb: ClassVar[str] = "top"
    unit: UnitId


class React(Action, frozen=True):
    """6.5.1 Attempt a Formation Reaction."""

    verb: ClassVar[str] = "react"
    formation: FormationId


class Decline(Action, frozen=True):
    """6.5.1 Let the chance go by."""

    verb: ClassVar[str] = "decline"


class Reroll(Action, frozen=True):
    """5.2 Give the SNAFU marker away to have the die rolled again."""

    verb: ClassVar[str] = "reroll"


class Keep(Action, frozen=True):
    """5.2 Let the die stand."""

    verb: ClassVar[str] = "keep"


class Challenge(Action, frozen=True):
    """5.5.2 Ask to be shown which formation a unit is assigned to."""

    verb: ClassVar[str] = "challenge"
    unit: UnitId


class Withdraw(Action, frozen=True):
    """7.5.1.1 Attempt to retreat before combat."""

    verb: ClassVar[str] = "withdraw"


class Stand(Action, frozen=True):
    """7.5.1.1 Await the attack."""

    verb: ClassVar[str] = "stand"


class Strike(Action, frozen=True):
    """7.5.1.C Attack hastily, regularly or after preparation."""

    verb: ClassVar[str] = "strike"
    kind_of_attack: Literal["hasty", "regular", "prepared"]


class Air(Action, frozen=True):
    """7.5.1.4 Commit this many air units."""

    verb: ClassVar[str] = "air"
    number: int


class Lead(Action, frozen=True):
    """7.5.1.5.A Choose the defenders' Lead Formation."""

    verb: ClassVar[str] = "lead"
    formation: FormationId


class Oppose(Action, frozen=True):
    """7.5.1.5.C Use this unit's Tank or Anti-Tank Points for Armour Superiority."""

    verb: ClassVar[str] = "oppose"
    unit: UnitId


class Lose(Action, frozen=True):
    """7.5.2.1 Take a Strength Point loss with this unit."""

    verb: ClassVar[str] = "lose"
    unit: UnitId


class Hold(Action, frozen=True):
    """7.5.2 Take the remaining hits as losses and stay."""

    verb: ClassVar[str] = "hold"


class FallBack(Action, frozen=True):
    """7.5.2 Turn remaining hits into a voluntary retreat."""

    verb: ClassVar[str] = "fall-back"


class HoldWith(Action, frozen=True):
    """7.5.2 This unit holds while disrupted ones retreat."""

    verb: ClassVar[str] = "hold-with"
    unit: UnitId


class Follow(Action, frozen=True):
    """7.5.2 This unit follows the forced retreat."""

    verb: ClassVar[str] = "follow"
    unit: UnitId


class RetreatTo(Action, frozen=True):
    """7.5.2.2 Retreat into this hex."""

    verb: ClassVar[str] = "retreat"
    hex: Space


class Displace(Action, frozen=True):
    """5.3.3 Displace an overstacked unit into a hex."""

    verb: ClassVar[str] = "displace"
    unit: UnitId
    hex: Space


class Remove(Action, frozen=True):
    """5.3.1 Eliminate an overstacked unit that cannot be displaced."""

    verb: ClassVar[str] = "remove"
    unit: UnitId


class Assign(Action, frozen=True):
    """5.5.2 Assign an independent unit to a formation."""

    verb: ClassVar[str] = "assign"
    unit: UnitId
    formation: FormationId


class Dummy(Action, frozen=True):
    """5.5.2 Put a dummy Assigned marker on a formation's box."""

    verb: ClassVar[str] = "dummy"
    formation: FormationId


class Schwerpunkt(Action, frozen=True):
    """5.9 Place the Schwerpunkt marker."""

    verb: ClassVar[str] = "schwerpunkt"
    formation: FormationId


class Done(Action, frozen=True):
    """9 Finish this segment."""

    verb: ClassVar[str] = "done"


class Replace(Action, frozen=True):
    """9.3 Give a unit one Replacement Point."""

    verb: ClassVar[str] = "replace"
    unit: UnitId


class BreakUp(Action, frozen=True):
    """9.3.1, 9.3.2 Break a Commonwealth unit up for replacements."""

    verb: ClassVar[str] = "break-up"
    unit: UnitId


class Enter(Action, frozen=True):
    """9.4.1 Bring a reinforcement onto the map."""

    verb: ClassVar[str] = "enter"
    unit: UnitId
    hex: Space


ACTIONS: tuple[type[Action], ...] = (
    Activate,
    ActivateUnit,
    Transfer,
    Pass,
    End,
    Move,
    MoveStack,
    Join,
    To,
    Halt,
    Attack,
    AttackWith,
    Assault,
    CallOff,
    Breach,
    Refit,
    DigIn,
    Top,
    React,
    Decline,
    Reroll,
    Keep,
    Challenge,
    Withdraw,
    Stand,
    Strike,
    Air,
    Lead,
    Oppose,
    Lose,
    Hold,
    FallBack,
    HoldWith,
    Follow,
    RetreatTo,
    Displace,
    Remove,
    Assign,
    Dummy,
    Schwerpunkt,
    Done,
    Replace,
    BreakUp,
    Enter,
)
