"""The state of a game: units, cups, markers and tracks, and the one place that changes units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from sandtable.boards import Reach
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Event, March, Rolled, Side
from sandtable.kernel.game import Game as KernelGame
from sandtable.kernel.game import Rung
from sandtable.kernel.odds import Odds
from sandtable.kernel.sheets import Sheet
from sandtable.kernel.views import View
from sandtable.titles.cauldron.data import Data
from sandtable.titles.cauldron.events import Disrupted, Eliminated, LostStep
from sandtable.titles.cauldron.printed import ALLIED, AXIS, ChitId, FormationId, Kind, Pair
from sandtable.titles.cauldron.terrain import Terrain

OFF_MAP, ELIMINATED, WITHDRAWN = Space(-1), Space(-2), Space(-3)
"""Where a unit is when it is in no hex; one that is off the map has a turn it is due."""
IN_SUPPLY, OUT_OF_SUPPLY, ISOLATED = 0, 1, 2
NEVER = 99
"""The turn a unit is due that does not come back."""


class Unit(Struct, frozen=True, array_like=True):
    """A unit as it stands. Steps are what is left; a unit lost or withdrawn keeps its last."""

    at: Space
    steps: int
    used: bool = False
    disrupted: bool = False
    supply: int = IN_SUPPLY
    due: int = 0


class Player(Struct, frozen=True):
    """4.0 One side's cup, its tactical chits kept and played this turn, and its actions left."""

    cup: tuple[ChitId, ...] = ()
    held: tuple[ChitId, ...] = ()
    played: tuple[ChitId, ...] = ()
    actions: int = 0


class Marker(Struct, frozen=True):
    """14.1 A breach marker: under construction by a unit, or on the hexsides it has breached."""

    sides: tuple[Pair, ...]
    unit: UnitId | None = None


class Game(KernelGame, kw_only=True):
    """A game of Gazala: The Cauldron."""

    turn: int
    units: list[Unit]
    players: dict[Side, Player]
    points: int = 0
    """16.0 The Axis victory point track."""
    activated: tuple[FormationId, ...] = ()
    """7.0 Formations activated this turn, once for each time."""
    markers: tuple[Marker, ...] = ()
    laid: int = 0
    """14.0 The minefields of this turn and earlier are in force."""
    withdrawn: tuple[FormationId, ...] = ()
    broken_word: bool = False
    """R39 A mandatory attack was announced this turn and not made."""
    printed: dict[UnitId, Kind] = field(default_factory=dict)
    """Printed values that a position overrides."""

    # Derived; `put` and `mark` keep them true and `check` recomputes them.
    stacks: dict[Space, tuple[UnitId, ...]] = field(default_factory=dict)
    occupied: dict[Side, int] = field(default_factory=dict)
    ground: Any = None
    zones: dict[Side, int] = field(default_factory=dict)
    reached: tuple[UnitId, int, Reach[Space]] | None = None

    mutable: ClassVar[tuple[str, ...]] = ("units", "players")
    transient: ClassVar[frozenset[str]] = KernelGame.transient | {
        "stacks",
        "occupied",
        "ground",
        "zones",
        "reached",
    }

    def __post_init__(self) -> None:
        self.stacks, self.occupied = index(self)
        self.ground = self.data.terrain(self.laid, self.breached)

    @property
    def facts(self) -> Data:
        """The printed facts."""
        data: Data = self.data
        return data

    @property
    def terrain(self) -> Terrain:
        """14.0 The ground with its minefields as they are now."""
        ground: Terrain = self.ground
        return ground

    @property
    def breached(self) -> tuple[Pair, ...]:
        """14.1 The mined hexsides that are breached."""
        return tuple(
            sorted(side for marker in self.markers if marker.unit is None for side in marker.sides)
        )

    # Units: `put` alone changes one.

    def put(self, unit: UnitId, new: Unit) -> None:
        """Replace a unit's state; keeps the derived fields true."""
        old = self.units[unit]
        self.units[unit] = new
        self.zones = {}
        self.reached = None
        if old.at == new.at:
            return
        self.stacks = stacks = self.stacks.copy()
        side = self.data.units[unit].side
        taken = self.occupied[side]
        if old.at >= 0:
            left = tuple(each for each in stacks[old.at] if each != unit)
            if left:
                stacks[old.at] = left
            else:
                del stacks[old.at]
                taken &= ~(1 << old.at)
        if new.at >= 0:
            stacks[new.at] = tuple(sorted((*stacks.get(new.at, ()), unit)))
            taken |= 1 << new.at
        self.occupied = {**self.occupied, side: taken}

    def change(self, unit: UnitId, **fields: Any) -> None:
        """Replace some fields of a unit."""
        self.put(unit, replace(self.units[unit], **fields))

    def mark(self, markers: Iterable[Marker], laid: int | None = None) -> None:
        """14.0 Change the breach markers, or lay the fields up to a turn."""
        self.markers = tuple(markers)
        if laid is not None:
            self.laid = laid
        self.ground = self.data.terrain(self.laid, self.breached)
        self.reached = None

    def kind(self, unit: UnitId) -> Kind:
        """What is printed on a unit's counters."""
        kind: Kind = self.printed.get(unit) or self.data.units[unit]
        return kind

    def here(self, space: Space) -> tuple[UnitId, ...]:
        """The units in a hex, in the order of the list."""
        return self.stacks.get(space, ())

    def side_of(self, unit: UnitId) -> Side:
        """Whose unit it is."""
        side: Side = self.data.units[unit].side
        return side

    def name(self, unit: UnitId) -> str:
        """The printed name of a unit."""
        return self.kind(unit).name

    def hex(self, space: Space) -> str:
        """The printed number of a hex."""
        return self.facts.lexicon.spaces().names[space]

    @property
    def last_turn(self) -> int:
        """17.0 The last turn of the scenario."""
        return self.facts.scenarios[self.scenario].file.last_turn

    def turn_name(self, turn: int) -> str:
        """The printed name of a turn of this scenario, or nothing after the last."""
        return self.facts.turn_names[turn - 1] if turn <= self.last_turn else ""

    def on_map(self, side: Side) -> list[UnitId]:
        """The units of a side that are in a hex."""
        units = self.units
        return [unit for unit in self.facts.of_side[side] if units[unit].at >= 0]

    def hard(self, unit: UnitId) -> int:
        """2.2.3 The hard value of the side of the counter that is up."""
        now, kind = self.units[unit], self.kind(unit)
        return kind.steps[len(kind.steps) - now.steps][2 if now.used else 0]

    def soft(self, unit: UnitId) -> int:
        """2.2.3 The soft value of the side of the counter that is up."""
        now, kind = self.units[unit], self.kind(unit)
        return kind.steps[len(kind.steps) - now.steps][3 if now.used else 1]

    def is_armor(self, unit: UnitId) -> bool:
        """11.0 Whether a unit counts as armor."""
        return self.kind(unit).type == "armor"

    def builder_of(self, unit: UnitId) -> bool:
        """14.1 Whether the unit is bound to a breach under construction."""
        return any(marker.unit == unit for marker in self.markers)

    def eliminate(self, unit: UnitId, rule: str) -> None:
        """11.0 Remove a unit; a breach it was building comes back to the pool (R28)."""
        self.log(Eliminated(unit, self.units[unit].at, rule=rule))
        self.change(unit, at=ELIMINATED, disrupted=False, used=False, supply=IN_SUPPLY)
        if self.builder_of(unit):
            self.mark(marker for marker in self.markers if marker.unit != unit)

    def lose_step(self, unit: UnitId, rule: str) -> None:
        """11.0 Take one step from a unit, which is eliminated with its last."""
        left = self.units[unit].steps - 1
        if left:
            self.log(LostStep(unit, left, rule=rule))
            self.change(unit, steps=left)
        else:
            self.eliminate(unit, rule)

    def disrupt(self, unit: UnitId, rule: str) -> None:
        """12.0 Mark a unit Disrupted; one that is already takes no notice."""
        if not self.units[unit].disrupted:
            self.change(unit, disrupted=True)
            self.log(Disrupted(unit, rule=rule))

    # What the kernel asks for, written beside the chapters it belongs to.

    def ladder(self) -> Sequence[Rung]:
        from sandtable.titles.cauldron.victory import ladder

        return ladder()

    def view(self, side: Side | None) -> View:
        from sandtable.titles.cauldron.views import view

        return view(self, side)

    def lay_out(self, odds: Odds) -> Sheet | None:
        from sandtable.titles.cauldron.sheets import lay_out

        return lay_out(self, odds)

    def sentence(self, event: Event) -> str:
        from sandtable.titles.cauldron.text import sentence

        return sentence(self, event)

    def rolled_for(self, roll: Rolled) -> str:
        from sandtable.titles.cauldron.text import rolled_for

        return rolled_for(self, roll)

    def march(self, event: Event) -> March | None:
        from sandtable.titles.cauldron.text import march

        return march(self, event)

    def when(self) -> str:
        """The turn and its date."""
        return f"Turn {self.turn} of {self.last_turn}, {self.facts.turn_names[self.turn - 1]}"

    def price(self, action: Action) -> str:
        """What an action costs or gives up, in words."""
        from sandtable.titles.cauldron.prices import price

        return price(self, action)

    def label(self, action: Action) -> str:
        from sandtable.titles.cauldron.text import label

        return label(self, action)

    def about(self, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]]:
        from sandtable.titles.cauldron.text import about

        units, spaces = KernelGame.about(self, action)
        return units or about(self, action), spaces

    def position_text(self) -> str:
        from sandtable.titles.cauldron.positions import write

        return write(self)

    def redraw(self, side: Side) -> None:
        """13.0 Deal anew which tactical chits the other side keeps face down."""
        from sandtable.titles.cauldron.chits import redeal

        redeal(self, AXIS if side == ALLIED else ALLIED)

    def check(self) -> None:
        """Recompute what is derived and look for what can never be."""
        stacks, occupied = index(self)
        assert stacks == self.stacks, "stacks differ from the units"
        assert occupied == self.occupied, "occupied hexes differ from the units"
        assert self.terrain.mined == self.facts.terrain(self.laid, self.breached).mined
        assert not occupied[AXIS] & occupied[ALLIED], "both sides in one hex"
        assert 0 <= self.points <= self.facts.tables.limits.track_points
        assert len(self.markers) <= self.facts.tables.minefields.breach_markers
        for unit, now in enumerate(self.units):
            kind = self.kind(UnitId(unit))
            assert 1 <= now.steps <= len(kind.steps), f"{kind.id} has {now.steps} steps"
            if now.at >= 0 and kind.side == ALLIED:
                assert not self.facts.prohibited >> now.at & 1, f"{kind.id} is in the zone of 8.1"
            if now.at >= 0 and kind.bracketed:
                assert self.facts.brigade_69 >> now.at & 1, f"{kind.id} left its area (8.2)"


def index(game: Game) -> tuple[dict[Space, tuple[UnitId, ...]], dict[Side, int]]:
    """Stacks by hex and occupied hexes by side, from the units alone."""
    stacks: dict[Space, tuple[UnitId, ...]] = {}
    occupied = {AXIS: 0, ALLIED: 0}
    for at, unit in enumerate(game.units):
        if unit.at >= 0:
            stacks[unit.at] = (*stacks.get(unit.at, ()), UnitId(at))
            occupied[game.data.units[at].side] |= 1 << unit.at
    return stacks, occupied
