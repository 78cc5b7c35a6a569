"""What happened: typed, past tense, each with the rule that caused it and who may see it."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

Side = str


class Event(Struct, frozen=True, tag=True, kw_only=True):
    """Something that happened. `only` names the one side that may see it, if not everybody."""

    rule: str
    only: Side | None = None

    reveals: ClassVar[bool] = False
    """True where the event shows somebody a hidden thing, after which nothing is taken back."""

    opens: ClassVar[bool] = False
    """True where a turn begins, over which a log writes its heading."""

    aside: ClassVar[bool] = False
    """True where it is worth telling only at the end of a march: who is there, who is done."""

    @property
    def headline(self) -> bool:
        """Whether everybody should look up: a turn, a phase, night, a release."""
        return False


class March(Struct, frozen=True):
    """A move as a log gathers it: who goes, from where, and to where."""

    who: str
    start: str
    end: str


class Headline(Event, frozen=True):
    """An event that is always a headline."""

    @property
    def headline(self) -> bool:
        return True


class Rolled(Event, frozen=True):
    """Dice fell. `outcome` is the label that `odds` gave to what came of them, if it did."""

    purpose: str
    faces: tuple[int, ...]
    by: Side
    place: str = ""
    outcome: str = ""

    reveals: ClassVar[bool] = True
