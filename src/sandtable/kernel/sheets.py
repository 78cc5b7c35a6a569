"""A combat laid out before it is fought: who takes part, the column, and what each face does.

Odds are asked for thousands of times by opponents; a sheet only when a person looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from sandtable.kernel.events import Side


class Part(Struct, frozen=True, omit_defaults=True):
    """A unit in a combat with what it brings, or why it is left out."""

    unit: str
    value: str = ""
    why: str = ""
    rule: str = ""
    side: Side | None = None
    """Whose it is, where that is not plain from the force it stands in."""


class Force(Struct, frozen=True, omit_defaults=True):
    """One side of a combat: who counts with what, the sum, and who is left out."""

    side: Side
    total: str
    parts: tuple[Part, ...]
    left_out: tuple[Part, ...] = ()
    note: str = ""
    """Which of its values counts, and why."""
    rule: str = ""


class Column(Struct, frozen=True, omit_defaults=True):
    """A column of the combat table and how likely it is the one."""

    name: str
    probability: float = 0


class Columns(Struct, frozen=True, omit_defaults=True):
    """The odds as they read on the table, and what the next column would take."""

    columns: tuple[Column, ...]
    ratio: str
    rule: str
    next: str = ""


def after_shifts(shifted: bool) -> str:
    """What to add to a ratio that does not read as its column, so that nobody wonders."""
    return " after shifts" if shifted else ""


class Effect(Struct, frozen=True, omit_defaults=True):
    """What a result does to a side: as a note, as a sign, and said of one or of several."""

    text: str
    sign: Literal["step", "disrupted", "retreat", "gone", "hit", "check"]
    """What sort of thing it is: steps or hits lost, eliminated (`gone`), a die still to roll."""
    one: str
    """What follows "the defender" in a sentence; effects that differ in degree share it."""
    many: str
    """What follows "you" or "they"."""
    key: str
    """What the sign stands for."""
    count: str = ""
    """The figure that stands by the sign."""


def told(effects: Sequence[Effect]) -> str:
    """Effects in a row, or that there are none."""
    return ", ".join(each.text for each in effects) or "nothing"


class Result(Struct, frozen=True, omit_defaults=True):
    """An outcome in plain words for both, and what the table makes each lose."""

    text: str
    attacker: tuple[Effect, ...] = ()
    defender: tuple[Effect, ...] = ()
    attacker_loss: float = 0
    defender_loss: float = 0
    band: str = ""
    """What all results of its sort are called and bring, where they differ only in degree."""


class Face(Struct, frozen=True):
    """What a face of the die, or a difference of dice, brings."""

    face: str
    result: str


class Sheet(Struct, frozen=True, omit_defaults=True):
    """Everything about one combat that a player weighs before the dice."""

    attacker: Force
    defender: Force
    dice: str
    faces: tuple[Face, ...]
    results: tuple[Result, ...]
    measure: str
    """What losses are counted in."""
    columns: Columns | None = None
    later: tuple[Part, ...] = ()
    """What may still be added before the dice: its name, what it changes, and the rule."""


class Leg(Struct, frozen=True):
    """A space on the way of a move, and what has been spent on arriving there."""

    space: str
    cost: str
