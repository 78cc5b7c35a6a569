"""A game of The Gazala Gallop: pieces, tracks, and the one writer of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from sandtable.boards import bits, mask_of
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Event, March, Rolled, Side
from sandtable.kernel.game import Game as KernelGame
from sandtable.kernel.game import Rung
from sandtable.kernel.odds import Odds
from sandtable.kernel.sheets import Sheet
from sandtable.kernel.views import View
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.data import AirId, Data
from sandtable.titles.gallop.printed import Counter

OFF_MAP = Space(-1)
"""Not (yet) on the map."""
DEAD = Space(-2)
"""Eliminated."""

FACE_UP, UNKNOWN, TURNED = 0, 1, 2
"""Which side of a counter the Axis sees: V.B never seen yet; XIV.B.6 known, but turned down."""

SIDES: tuple[Side, Side] = ("axis", "allied")


class Piece(Struct, frozen=True, omit_defaults=True):
    """Where a counter is and what has become of it."""

    hex: Space = OFF_MAP
    since: int = 0
    """When it came here: the latest arrival is on top of its stack (X.B.1)."""
    disrupted: bool = False
    active: bool = True
    """V.A False for an Allied unit that has not been activated."""
    supplied: bool = True
    moved: bool = False
    attacked: bool = False
    trucked: bool = False
    galloping: bool = False
    hidden: int = FACE_UP


class Air(Struct, frozen=True, omit_defaults=True):
    """X An air unit: used this turn, over a hex, out for some turns, held down by rain."""

    used: bool = False
    over: Space = OFF_MAP
    out: int = 0
    grounded: bool = False


class Ratings(Struct, frozen=True):
    """Factors of a unit that a position sets otherwise than printed."""

    attack: int
    defense: int
    movement: int


class Lay:
    """What stands where, worked out from the pieces when first asked and dropped on any change."""

    __slots__ = ("at", "duties", "fresh", "hidden", "lines", "real", "retreats", "seen", "zones")

    def __init__(self, game: Game) -> None:
        at: dict[int, list[UnitId]] = {}
        real = {"axis": 0, "allied": 0}
        fresh = {"axis": 0, "allied": 0}
        hidden = dummies = 0
        book, first_dummy = game.book, len(game.data.counters)
        for number, piece in enumerate(game.pieces):
            if piece.hex < 0:
                continue
            bit = 1 << piece.hex
            if piece.hidden:
                hidden |= bit
                fresh["allied"] |= bit
            if number >= first_dummy:
                dummies |= bit
                continue
            at.setdefault(piece.hex, []).append(UnitId(number))
            side = book[number].side
            real[side] |= bit
            if not piece.disrupted:
                fresh[side] |= bit
        for stack in at.values():
            if len(stack) > 1:
                stack.sort(key=lambda unit: -game.pieces[unit].since)
        self.at = at
        """Real units by hex, the top of the stack first."""
        self.real = real
        self.seen = {"axis": real["axis"], "allied": real["allied"] | dummies}
        """Where the other side sees counters, dummies included (ruling R39)."""
        self.fresh = fresh
        """Where a side has undisrupted units, face-down counters counting as such."""
        self.hidden = hidden
        self.zones: dict[Side, int] = {}
        self.lines: dict[str, list[int]] = {}
        self.duties: dict[tuple[Space, ...], Any] = {}
        """XIV.A.2 What must be attacked, by what has been; see `duty.duty`."""
        self.retreats: dict[Any, list[int]] = {}
        """XIV.D.2 Where beaten units may go, by unit and hexes to go; see `retreat.retreats`."""


class Game(KernelGame, kw_only=True):
    """The state: pieces, air units, weather, works, control, and the tracks of the turn."""

    pieces: list[Piece]
    air: tuple[Air, Air] = (Air(), Air())
    turn: int = 1
    phasing: Side = "axis"
    """Whose player-turn it is."""
    weather: str = "clear"
    storm_die: int = 0
    """XV.A.2 What a sandstorm adds to basic supply lines in this player-turn."""
    clock: int = 0
    """Counts arrivals, for the order of stacks."""
    axis_holds: tuple[Space, ...] = ()
    """XVI Villages, sources and objectives that the Axis controls; the rest are Allied."""
    eliminated: tuple[Space, ...] = ()
    """XI.A.5 Boxes and forts that are no more."""
    held: tuple[Space, ...] = ()
    """XI.A.3 Works of the phasing side that it occupied at the start of its player-turn."""
    convoys: int = 0
    """XV.A.4 Truck convoys left to the phasing side."""
    losses: int = 0
    """V.A Allied units eliminated in the latest Axis player-turn."""
    galloped: bool = False
    overrides: dict[str, Ratings] = field(default_factory=dict)

    marches: dict[Any, list[Any]] = field(default_factory=dict)
    """Where units could go, shared with copies; see `march.recall`, which checks what changed."""
    traces: dict[Any, list[int]] = field(default_factory=dict)
    """Supply lines worked out so far, shared with copies; see `lines.trace`."""
    cache: Lay | None = None
    counters: tuple[Counter, ...] | None = None

    mutable: ClassVar[tuple[str, ...]] = ("pieces",)
    transient: ClassVar[frozenset[str]] = KernelGame.transient | {
        "cache", "counters", "marches", "traces"
    }  # fmt: skip

    # Facts.

    @property
    def facts(self) -> Data:
        """The printed facts, typed."""
        data: Data = self.data
        return data

    @property
    def book(self) -> tuple[Counter, ...]:
        """The counters by unit, with the factors this game gives them."""
        if self.counters is None:
            book = self.facts.counters
            if self.overrides:
                book = tuple(
                    replace(
                        each,
                        attack=self.overrides[each.id].attack,
                        defense=self.overrides[each.id].defense,
                        movement=self.overrides[each.id].movement,
                    )
                    if each.id in self.overrides
                    else each
                    for each in book
                )
            self.counters = book
        return self.counters

    @property
    def lay(self) -> Lay:
        """What stands where."""
        if self.cache is None:
            self.cache = Lay(self)
        return self.cache

    @property
    def historical(self) -> bool:
        """V.A Whether the historical set-up is played."""
        return not self.facts.scenarios[self.scenario].free_allied_setup

    def enemy(self, side: Side) -> Side:
        """The other side."""
        return "allied" if side == "axis" else "axis"

    def side_of(self, unit: UnitId) -> Side:
        """Whose counter it is."""
        return self.book[unit].side if unit < len(self.facts.counters) else "allied"

    def on_map(self, side: Side) -> list[UnitId]:
        """The real units a side has on the map."""
        pieces = self.pieces
        return [unit for unit in self.facts.of_side[side] if pieces[unit].hex >= 0]

    def stack_at(self, hex: int) -> list[UnitId]:
        """The real units in a hex, the top first."""
        return self.lay.at.get(hex, [])

    def works(self, side: Side) -> int:
        """XI.A.1 The boxes or forts a side still has."""
        if not self.eliminated:
            return self.facts.works[side]
        return self.facts.works[side] & ~mask_of(self.eliminated)

    def in_works(self, unit: UnitId) -> bool:
        """XI.A.1, XI.A.2 Whether a unit stands in a box or fort of its own side."""
        return bool(self.works(self.side_of(unit)) >> self.pieces[unit].hex & 1)

    def eastern_sources(self) -> tuple[Space, ...]:
        """XV.A.1.b The Allied sources on the eastern edge, the fourth one by option (ruling R1)."""
        facts = self.facts
        extra = (facts.fourth_source,) if self.options.get("fourth_source", True) else ()
        return (*extra, *facts.eastern)

    def watched(self) -> int:
        """XVI, ruling R33 The hexes whose control is remembered."""
        facts = self.facts
        return (
            facts.villages["axis"] | facts.villages["allied"] | facts.all_sources | 1 << facts.dump
        )

    def name(self, unit: UnitId) -> str:
        """The stable id of a unit."""
        return self.facts.unit_ids[unit]

    def hex_name(self, hex: int) -> str:
        """The printed number of a hex."""
        return self.facts.board.names[hex] if hex >= 0 else "off the map"

    def place_name(self, hex: int) -> str:
        """A hex by the name of its place, where it has one, and its printed number."""
        number = self.hex_name(hex)
        known = self.facts.map.places.get(number)
        return f"{known} ({number})" if known else number

    # Writers: nothing else changes pieces, air units, works and control.

    def put(self, unit: UnitId, **changes: Any) -> None:
        """Change a piece."""
        self.pieces[unit] = replace(self.pieces[unit], **changes)
        self.cache = None

    def place(self, unit: UnitId, hex: Space, **changes: Any) -> None:
        """Put a counter on top of the stack in a hex."""
        self.clock += 1
        self.put(unit, hex=hex, since=self.clock, **changes)

    def set_air(self, side: Side, **changes: Any) -> None:
        """Change an air unit."""
        axis, allied = self.air
        if side == "axis":
            self.air = (replace(axis, **changes), allied)
        else:
            self.air = (axis, replace(allied, **changes))

    def air_of(self, side: Side) -> Air:
        """A side's air unit."""
        return self.air[0] if side == "axis" else self.air[1]

    def air_id(self, side: Side) -> AirId:
        """The number of a side's air unit."""
        return AirId(0 if side == "axis" else 1)

    def disrupt(self, unit: UnitId, why: str, rule: str) -> None:
        """IX.D Disrupt a unit; one that is Disrupted already just stays so."""
        if not self.pieces[unit].disrupted:
            self.put(unit, disrupted=True)
            self.log(ev.BecameDisrupted(unit, self.pieces[unit].hex, why, rule=rule))

    def eliminate(self, unit: UnitId, why: str, rule: str) -> None:
        """Take a unit off the map for good; V.A counts Allied losses of an Axis player-turn."""
        hex = self.pieces[unit].hex
        self.put(unit, hex=DEAD, disrupted=False, hidden=FACE_UP, galloping=False)
        if self.phasing == "axis" and self.book[unit].side == "allied":
            self.losses += 1
        self.log(ev.Eliminated(unit, hex, why, rule=rule))

    def reveal(self, hexes: Iterable[int]) -> None:
        """V.B, XIV.B.6 Turn the counters of some hexes up; dummies are removed."""
        targets = mask_of(hexes)
        if not self.lay.hidden & targets:
            return
        for number, piece in enumerate(self.pieces):
            if piece.hex < 0 or not piece.hidden or not targets >> piece.hex & 1:
                continue
            unit = UnitId(number)
            rule = "V.B" if piece.hidden == UNKNOWN else "XIV.B.6"
            if unit >= len(self.facts.counters):
                self.put(unit, hex=OFF_MAP, hidden=FACE_UP)
                self.log(ev.DummyRemoved(piece.hex, rule=rule))
            else:
                self.turn_up(unit, rule)

    def turn_up(self, unit: UnitId, rule: str) -> None:
        """XIV.B.6, XVI Turn a unit up; only now is it seen whose the village under it is."""
        self.put(unit, hidden=FACE_UP)
        self.log(ev.Revealed(unit, self.pieces[unit].hex, rule=rule))
        self.take_control([self.pieces[unit].hex], "allied")

    def activate(self, unit: UnitId, rule: str) -> None:
        """V.A, V.B Wake an Allied unit, turning it up."""
        piece = self.pieces[unit]
        if piece.hidden:
            self.turn_up(unit, "V.B")
        if not piece.active:
            self.put(unit, active=True)
            self.log(ev.Activated(unit, rule=rule))

    def wake_attacked(self, hexes: Iterable[int]) -> None:
        """V.A Units that are attacked, from the air or the ground, are activated."""
        hexes = tuple(hexes)
        self.reveal(hexes)
        for hex in hexes:
            for unit in self.stack_at(hex):
                if not self.pieces[unit].active:
                    self.activate(unit, "V.A")

    def take_control(self, hexes: Iterable[int], side: Side) -> None:
        """XVI Villages and objectives belong to the last side to have had a unit there."""
        watched = self.watched()
        for hex in hexes:
            if watched >> hex & 1 and (hex in self.axis_holds) != (side == "axis"):
                rest = set(self.axis_holds) ^ {Space(hex)}
                self.axis_holds = tuple(sorted(rest))
                self.cache = None
                self.log(ev.ControlPassed(Space(hex), side, rule="XVI"))

    def eliminate_works(self, hex: Space) -> None:
        """XI.A.5 Strike a box or fort off the map."""
        self.eliminated = tuple(sorted((*self.eliminated, hex)))
        self.cache = None
        self.log(ev.BoxEliminated(hex, rule="XI.A.5"))

    def set_held(self) -> None:
        """XI.A.3 Note which works the phasing side holds as its player-turn starts."""
        held = self.works(self.phasing) & self.lay.real[self.phasing]
        self.held = tuple(Space(hex) for hex in bits(held))
        self.cache = None

    # What the contract asks.

    def ladder(self) -> Sequence[Rung]:
        """IV.C The levels of victory."""
        from sandtable.titles.gallop.victory import ladder

        return ladder(self)

    def view(self, side: Side | None) -> View:
        """What a side may see."""
        from sandtable.titles.gallop.views import view

        return view(self, side)

    def lay_out(self, odds: Odds) -> Sheet | None:
        """XIV A battle laid out before it is fought."""
        from sandtable.titles.gallop.sheets import lay_out

        return lay_out(self, odds)

    def sentence(self, event: Event) -> str:
        """An event in plain words."""
        from sandtable.titles.gallop.text import sentence

        return sentence(self, event)

    def rolled_for(self, roll: Rolled) -> str:
        from sandtable.titles.gallop.text import rolled_for

        return rolled_for(self, roll)

    def march(self, event: Event) -> March | None:
        from sandtable.titles.gallop.text import march

        return march(self, event)

    def when(self) -> str:
        """The turn and its date."""
        turns = self.facts.tables.turns
        return f"Turn {self.turn} of {turns.last}, {turns.dates[self.turn - 1]} 1942"

    def price(self, action: Action) -> str:
        """What an action costs or gives up, in words."""
        from sandtable.titles.gallop.prices import price

        return price(self, action)

    def label(self, action: Action) -> str:
        """An action in plain words."""
        from sandtable.titles.gallop.text import label

        return label(self, action)

    def position_text(self) -> str:
        """This position as TOML."""
        from sandtable.titles.gallop.position import write

        return write(self)

    def redraw(self, side: Side) -> None:
        """V.B, XIV.B.6 Deal the face-down counters anew for a side that cannot see them."""
        from sandtable.titles.gallop.views import redraw

        redraw(self, side)

    def check(self) -> None:
        """Invariants that hold after every action."""
        from sandtable.titles.gallop.views import check

        check(self)
