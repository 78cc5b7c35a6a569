"""The sequence of play as a stack of small frozen steps.

A step is one box of the flow chart: it says who decides, what they may do and what happens then.
`begin` does what needs no choice, `apply` carries out a choice, `resume` receives the result of a
step that was pushed on top and popped again. They push, swap or pop steps, or finish the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from sandtable.kernel.actions import Action
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.sheets import Leg

G = TypeVar("G")


class Step(Struct, Generic[G], frozen=True, tag=True):
    """One box of the sequence of play."""

    rule: ClassVar[str]
    """The number shown with the prompt, and with refusals that nothing more exact explains."""
    shown: ClassVar[bool] = False
    """True where a player must see even a choice with one answer."""
    interrupt: ClassVar[str] = ""
    """The id of the standing order that may answer for the player."""

    def actor(self, game: G) -> Side:
        """The side that decides."""
        raise NotImplementedError

    def prompt(self, game: G) -> str:
        """One sentence: what to do."""
        raise NotImplementedError

    def caution(self, game: G) -> str:
        """What the player would lose by going on as things stand, and where; empty if nothing."""
        return ""

    def actions(self, game: G) -> Sequence[Action]:
        """Every legal action, each once."""
        raise NotImplementedError

    def refusal(self, game: G, action: Action) -> Refusal | None:
        """Which rule an action that is not listed would break; None if nothing better is known."""
        return None

    def begin(self, game: G) -> None:
        """Do what needs no choice when the step comes to the top for the first time."""

    def apply(self, game: G, action: Action) -> None:
        """Carry out a legal action."""
        raise NotImplementedError

    def resume(self, game: G, result: Any) -> None:
        """Go on after the step above was popped with this result."""

    def odds(self, game: G, action: Action) -> Odds | None:
        """The exact chances of an action that rolls dice."""
        return None

    def way(self, game: G, action: Action) -> Sequence[Leg]:
        """The spaces a legal move leads through, the start first; empty if it is no move."""
        return ()

    def standing(self, game: G, setting: str) -> Action | None:
        """The action that a standing order takes here, or None to ask after all."""
        return None
