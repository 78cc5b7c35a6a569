"""What an opponent knows of a title beyond its rules: where a plan ends, what tempts, what counts.

Each title may have a module here with an object `KNOWLEDGE`; without one the generic knowledge
serves. Whoever plays shows it only sampled games, never the real one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Protocol

from sandtable.kernel.actions import Action
from sandtable.kernel.events import Side
from sandtable.players.effort import Effort


class Knowledge(Protocol):
    """One title's knowledge; `game` is a sample."""

    look: ClassVar[Effort]
    search: ClassVar[Effort]
    search_of: ClassVar[Mapping[Side, Effort]]
    """How a general of some side searches, where that side's game asks for another way."""
    whim: ClassVar[float | None]
    """How far a recruit strays from what tempts; None if it goes by odds alone."""
    whim_of: ClassVar[Mapping[Side, float]]
    """How far a recruit of some side strays, where that side's game forgives less or more."""
    open: ClassVar[bool]
    """Whether nothing is ever hidden, so that sampled worlds differ in their dice alone."""
    lasting: ClassVar[frozenset[str]]
    """Follies that nothing takes back: done once, they are no reason against what follows."""
    interrupted: ClassVar[bool]
    """Whether the enemy is often asked in the midst of a plan: it must make sense without him."""

    @property
    def schooled(self) -> Mapping[Side, Knowledge]:
        """What an officer of some side knows instead of what a recruit does, if that is more."""

    @property
    def keener(self) -> Knowledge | None:
        """What a general knows instead, if that is more."""

    @property
    def postures(self) -> Sequence[Knowledge]:
        """Frames of mind, such as caution, in which a general may plan."""

    def sees_all(self, game: Any, side: Side) -> bool:
        """Whether nothing is hidden from a side just now, in a title that hides some things."""

    def unit(self, game: Any) -> Hashable:
        """The planning unit (an impulse, an activation) that the game is in."""

    def priors(self, game: Any, actions: Sequence[Action]) -> list[float]:
        """How tempting each action looks at a glance; a point more is e times as likely."""

    def favourite(self, game: Any, actions: Sequence[Action]) -> int:
        """Which of them tempts most, the first of equals; a title may know without all of them."""

    def idle(self, plan: Sequence[Action]) -> bool:
        """Whether a plan does nothing, or counters come on: what changes then is not its merit."""

    def obvious(self, game: Any, actions: Sequence[Action]) -> Action | None:
        """An action that needs no thought, or None where plans should be tried."""

    def measure(self, game: Any, side: Side, effort: Effort) -> Effort:
        """How much of an effort a decision deserves."""

    def value(self, game: Any, side: Side) -> float:
        """The chance that the side wins, from 0 to 1."""

    def judge(self, game: Any, side: Side) -> float:
        """The same, as well as it can be said: for those who try many plans."""

    def outlook(self, game: Any, side: Side) -> float:
        """The same as finished games bore it out, to tell people how a position stands."""

    def blunders(self, game: Any, action: Action) -> Iterable[str]:
        """What is absurd about an action; `sandtable.absurd` asks it of the real game."""

    def circles(self, eve: Any, game: Any, action: Action) -> bool:
        """Whether it leads a unit back to where it began the planning unit, and for nothing."""

    def follies(self, before: Any, after: Any, side: Side) -> Iterable[str]:
        """What is absurd about a planning unit as a whole, from its beginning to its end."""

    def tactic(self, game: Any, action: Action, plan: Sequence[Action] = ()) -> str:
        """The tactic that an action serves, as a sentence, or nothing; `plan` is what follows."""

    def chances(self, game: Any, action: Action, plan: Sequence[Action] = ()) -> str:
        """The exact chances of an action that leads to dice, as its plan means it, in words."""

    def merits(self, before: Any, after: Any, side: Side) -> str:
        """What gets better from one position to the other, in a few words or none."""


@cache
def knowledge(title: str) -> Knowledge:
    """What is known of a title."""
    name = f"{__name__}.{title}"
    if find_spec(name) is None:
        name = f"{__name__}.generic"
    found: Knowledge = import_module(name).KNOWLEDGE
    return found
