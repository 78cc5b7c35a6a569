"""2.2.1, 2.2.2, 2.2.3 What is printed on counters, chits and charts, as values the rules use."""

from __future__ import annotations

from typing import NewType

from msgspec import Struct

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.cauldron import files

AXIS, ALLIED = "axis", "allied"
CLASSES: tuple[files.MoveClass, ...] = ("tracked", "wheeled", "foot")
TACTICAL: tuple[files.Tactical, ...] = (
    "combat",
    "extra-move",
    "replacement",
    "air",
    "sandstorm",
    "anti-tank",
    "withdraw-attack",
)
INTENSITIES: tuple[str, ...] = ("light", "medium", "heavy")
SCENARIOS = ("scenario-one", "campaign")
FormationId = NewType("FormationId", int)
ChitId = NewType("ChitId", int)
Pair = tuple[Space, Space]


class Kind(Struct, frozen=True):
    """2.2.3 What is printed on the counters of one unit."""

    id: str
    name: str
    long_name: str
    formation: FormationId
    side: Side
    type: files.UnitType
    movement: int
    steps: tuple[files.Level, ...]
    bracketed: bool
    large: bool
    status: str

    @property
    def move_class(self) -> files.MoveClass:
        """8.0 Armor is tracked, infantry with six movement points goes on foot, all else rolls."""
        if self.type == "armor":
            return "tracked"
        return "foot" if self.type == "infantry" and self.movement == 6 else "wheeled"


class Formation(Struct, frozen=True):
    """A division or brigade and its units."""

    id: str
    name: str
    long_name: str
    side: Side
    nation: str
    colour: str
    units: tuple[UnitId, ...]


class Chit(Struct, frozen=True):
    """2.2.1, 2.2.2 A chit: the faces and cup numbers of an action chit, or a tactical type."""

    id: str
    name: str
    faces: tuple[tuple[FormationId, ...], ...] = ()
    double: bool = False
    cup: tuple[int, ...] = ()
    tactical: str = ""


class Result(Struct, frozen=True):
    """One side's half of a combat result."""

    steps: int
    disrupted: bool
    retreat: bool


class Cell(Struct, frozen=True):
    """A cell of the combat results table."""

    text: str
    attacker: Result
    defender: Result


class Placement(Struct, frozen=True):
    """17.0 Where one unit may be set up."""

    unit: UnitId
    hexes: int
    stack: int
    used: bool


class ScenarioData(Struct, frozen=True):
    """17.0 A scenario, ready for use."""

    file: files.ScenarioFile
    setup: tuple[Placement, ...]
    objectives: tuple[tuple[Space, int], ...]
