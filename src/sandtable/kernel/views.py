"""What a side may see. Hidden things are absent here, not flagged: a View holds no secrets."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from sandtable.kernel.events import Side


class Piece(Struct, frozen=True, omit_defaults=True):
    """A counter as its viewer sees it; an unidentified one has an id like "?3" and no name."""

    id: str
    side: Side
    space: str | None = None
    """None for a counter off the map, whose `place` then says where it is."""
    place: str = ""
    name: str = ""
    kind: str = ""
    """infantry, armor, recon, at, flak, artillery, engineer, hq, air, dummy, ..."""
    size: str = ""
    nation: str = ""
    formation: str = ""
    steps: int = 0
    full_steps: int = 0
    ratings: dict[str, str] = {}
    """Current values as printed on the counter, by label, in reading order."""
    states: tuple[str, ...] = ()
    """reduced, disrupted, used, out of supply, out of command, isolated, dug in, held, ..."""
    status: str = ""
    """`known` or `reconstructed`: where the printed values come from."""
    standing: str = ""
    """How it stands with command and supply, in a few words, as far as the viewer may know."""


class Marker(Struct, frozen=True, omit_defaults=True):
    """Something on the map that is not a unit, in a space or on the side between two."""

    kind: str
    space: str
    beside: str | None = None
    side: Side | None = None
    text: str = ""


class Card(Struct, frozen=True, omit_defaults=True):
    """A chit or air unit in a box beside the map; one without a name is still to come."""

    name: str = ""
    note: str = ""
    """What it does, or where it is."""
    state: Literal["", "now", "done"] = ""
    """Whether it is being used, or is used up for now."""


class Track(Struct, frozen=True, omit_defaults=True):
    """A track or box beside the map."""

    id: str
    name: str
    value: str
    number: int | None = None
    maximum: int | None = None
    notes: tuple[str, ...] = ()
    """What is printed below each box, from the first on."""
    noted: str = ""
    """What those notes are."""
    boxes: tuple[str, ...] = ()
    """What is printed in the boxes from 0 on, where that is not their number."""
    detail: str = ""
    """More about the value: what it brings, or when it changes."""
    sign: Literal["", "weather", "supply", "air", "points", "losses", "marker"] = ""
    """What it is about."""
    spent: bool = False
    """Whether it is something to spend, so that what is left counts."""
    cards: tuple[Card, ...] = ()
    """What lies there, in order."""


class Overlay(Struct, frozen=True, omit_defaults=True):
    """Spaces and lines to show on demand: supply, command, zones of control."""

    id: str
    name: str
    side: Side | None = None
    spaces: tuple[str, ...] = ()
    lines: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    rule: str = ""
    formation: str = ""
    """Whose it is, as pieces name their formation, where it belongs to one."""
    cut: bool = False
    """Whether supply does not come through: the line is too long or there is none."""
    length: int | None = None
    """How many spaces of a line count against its range, from its beginning."""


class Points(Struct, frozen=True):
    """One line of the score as it stands."""

    text: str
    value: int
    rule: str


class View(Struct, frozen=True, omit_defaults=True):
    """One side's whole sight of a game."""

    title: str
    scenario: str
    side: Side | None
    actor: Side | None
    prompt: str
    rule: str
    turn: str
    phase: str = ""
    """Which part of the turn this is, in a few words."""
    phase_side: Side | None = None
    """The side whose part of the turn it is and that `phase` names, if it names one."""
    caution: str = ""
    """For the side to act: what it would lose by going on as things stand."""
    options: dict[str, bool | int | str] = {}
    tracks: tuple[Track, ...] = ()
    pieces: tuple[Piece, ...] = ()
    control: dict[str, Side] = {}
    markers: tuple[Marker, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    reach: dict[str, dict[str, str]] = {}
    """For the side to act: unit, then space it may go to, then what that costs."""
    stops: dict[str, dict[str, str]] = {}
    """For the side to act: unit, then space in its reach where it must stop, then the rule."""
    score: tuple[Points, ...] = ()
    orders: dict[str, str] = {}
    over: bool = False
