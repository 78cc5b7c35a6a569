"""3.5 The state of a game: pieces, stacks, tracks and markers, and the few ways they change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Event, March, Rolled, Side
from sandtable.kernel.game import Game as KernelGame
from sandtable.kernel.game import Rung
from sandtable.kernel.odds import Odds
from sandtable.kernel.sheets import Sheet
from sandtable.kernel.views import View
from sandtable.kernel.words import listed
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.facts import Data, FormationId, Scenario
from sandtable.titles.theseus.schema import AXIS, SIDES, Unit
from sandtable.titles.theseus.situation import Situation

POOL, GONE = -1, -2
"""Off the map: not yet arrived, and out of play."""


class Piece(Struct, frozen=True):
    """A counter: where it is and in what state. An HQ's strength is its Attack Support."""

    hex: int = POOL
    strength: int = 0
    parent: int = -1
    """The formation it belongs to now, -1 for an unassigned unit."""
    disrupted: bool = False
    spent: bool = False
    """5.7.5 An HQ showing its Emergency Supply side."""
    low: bool = False
    """5.7.5 Unsupplied when last checked (HQs and unassigned units)."""
    acts: int = 0
    """6.4 Activations of an unassigned unit this turn."""
    depth: int = 0
    """5.3.1 Units above it in its stack."""


class Overrides(Struct, frozen=True, omit_defaults=True):
    """Printed values a position asks to be read differently."""

    effectiveness: tuple[int, int] | None = None
    strength: int | None = None
    points: tuple[int, int] | None = None
    movement: int | None = None
    type: str | None = None


class Game(KernelGame, kw_only=True):
    """Operation Theseus in progress."""

    data: Data
    pieces: list[Piece]
    levels: list[int]
    turn: int = 1
    drm: int = 0
    """6.1 Space of the Initiative DRM track."""
    drm_side: int = AXIS
    passed: tuple[bool, bool] = (False, False)
    ap: tuple[int, int] = (0, 0)
    snafu: int = AXIS
    air: int = 0
    schwerpunkt: int = -1
    breached: tuple[int, ...] = ()
    improved: tuple[int, ...] = ()
    blocked: tuple[int, ...] = ()
    tobruk: int = 1
    """Whose supply source Tobruk is."""
    tobruk_next: int = -1
    released: tuple[int, ...] = ()
    """Formations freed from a restriction by an attack."""
    last_in: list[int]
    """10.2 The side last in each objective."""
    scored: list[int]
    """10.2 The best value earned so far by objective."""
    penalty: int = 0
    dummies: list[int]
    """5.5.2 Dummy markers by formation."""
    shown: tuple[int, ...] = ()
    """5.5.2 Units whose assignment a challenge has shown since it was last secret."""
    overrides: dict[str, Overrides]
    entered: tuple[int, ...] = ()
    """9.4 Reinforcements that have come."""

    at: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Pieces by hex, top of the stack first; follows from the pieces."""
    sit: Situation | None = None
    before: Situation | None = None
    """The situation found last, and the hexes that changed since."""
    changed: tuple[int, ...] = ()
    cards: tuple[Unit, ...] | None = None

    mutable: ClassVar[tuple[str, ...]] = ("pieces", "at", "levels", "last_in", "scored", "dummies")
    transient: ClassVar[frozenset[str]] = KernelGame.transient | {
        "at",
        "sit",
        "before",
        "changed",
        "cards",
    }

    # Facts.

    @property
    def card(self) -> tuple[Unit, ...]:
        """The combat units as printed, or as a position overrides them."""
        if self.cards is None:
            self.cards = self.data.units
            if self.overrides:
                changed = list(self.data.units)
                for name, over in self.overrides.items():
                    at = self.data.piece(name)
                    new = {
                        part: value
                        for part in over.__struct_fields__
                        if (value := getattr(over, part)) is not None
                    }
                    changed[at] = replace(changed[at], **new)
                self.cards = tuple(changed)
        return self.cards

    @property
    def script(self) -> Scenario:
        """The scenario in numbers."""
        return self.data.scenarios[self.scenario]

    def option(self, name: str) -> bool:
        """Whether an optional rule is in force."""
        return bool(self.options[name])

    def static(self, side: int) -> bool:
        """10.1 Whether this side only sits and absorbs hits."""
        return self.script.solo == 1 - side

    @property
    def situation(self) -> Situation:
        """What follows from where the pieces stand; computed when first asked for."""
        if self.sit is None:
            self.sit = self.before = Situation(self, self.before, self.changed)
            self.changed = ()
        return self.sit

    # Pieces.

    def side(self, piece: int) -> int:
        """The side of a piece, as a number."""
        return self.data.side_of[piece]

    def name(self, piece: int) -> str:
        """What the counter prints."""
        data = self.data
        if piece < data.count:
            return data.units[piece].name
        return f"{data.hqs[piece - data.count].short} HQ"

    def names(self, pieces: Iterable[int]) -> str:
        """Counters as a list in words."""
        return listed(map(self.name, pieces))

    def hexname(self, at: int) -> str:
        """The printed number, with the name of the place if it has one."""
        number = self.data.board.names[at]
        place = self.data.places.get(at)
        return f"{number} {place}" if place else number

    def combat_units(self, at: int) -> tuple[int, ...]:
        """The combat units in a hex, top first."""
        count = self.data.count
        return tuple([piece for piece in self.at.get(at, ()) if piece < count])

    def formation_pieces(self, formation: int) -> list[int]:
        """The HQ and the units of a formation on the map, assigned ones included (5.5.1)."""
        return [
            at
            for at, piece in enumerate(self.pieces)
            if piece.parent == formation and piece.hex >= 0
        ]

    def effectiveness(self, unit: int) -> int:
        """3.2 The rating on the side the counter shows."""
        return self.card[unit].effectiveness[self.pieces[unit].disrupted]

    def points(self, unit: int) -> int:
        """3.2 Tank or Anti-Tank Points on the side the counter shows."""
        return self.card[unit].points[self.pieces[unit].disrupted]

    def hex_of_hq(self, formation: int) -> int:
        """Where a formation's HQ is."""
        return self.pieces[self.data.hq_of(formation)].hex

    def unsupplied(self, piece: int) -> bool:
        """5.7.5 Whether the unit's HQ, or the unassigned unit itself, was found out of supply."""
        parent = self.pieces[piece].parent
        judge = piece if parent < 0 else self.data.hq_of(parent)
        return self.pieces[judge].low

    def secret(self, piece: int) -> bool:
        """5.3.4 Whether the enemy cannot see which counter this is."""
        from sandtable.titles.theseus.intelligence import visible

        hex = self.pieces[piece].hex
        return hex >= 0 and piece not in visible(self, hex, 1 - self.side(piece))

    def tell(self, event: Event, unit: int, unnamed: Event) -> None:
        """5.3.4 Log what happened to a unit; an enemy who cannot see it hears no name."""
        if self.secret(unit):
            self.log(unnamed)
            event = replace(event, only=SIDES[self.side(unit)])
        self.log(event)

    def mined(self, side: int) -> int:
        """3.1.3 Unbreached minefields that this side laid."""
        return self.situation.mines[side]

    # The only writers of pieces and stacks.

    def alter(self, piece: int, **changes: Any) -> None:
        """Change a counter without moving it."""
        self.pieces[piece] = replace(self.pieces[piece], **changes)
        if "disrupted" in changes or "parent" in changes:
            self.sit = None
            if self.pieces[piece].hex >= 0:
                self.changed = (*self.changed, self.pieces[piece].hex)

    def place(self, piece: int, hex: int, passing: bool = False) -> None:
        """Put a counter into a hex, or off the map; HQs lie on top (5.3.1).

        7.7 Who leaves a hex that it is only passing through was not dug in there (ruling R93).
        """
        old = self.pieces[piece].hex
        if old >= 0:
            self._stack(old, [each for each in self.at[old] if each != piece])
            if not passing:
                self.lapse(old)
        self.pieces[piece] = replace(self.pieces[piece], hex=hex, depth=0)
        if hex >= 0:
            self._stack(hex, self._on_top(piece, self.at.get(hex, ())))
        self.changed += tuple([each for each in (old, hex) if each >= 0])
        self.sit = None

    def bring_to_top(self, piece: int) -> None:
        """5.3.1 Stack a piece above the others, units beneath an HQ."""
        hex = self.pieces[piece].hex
        self._stack(hex, self._on_top(piece, [each for each in self.at[hex] if each != piece]))

    def _on_top(self, piece: int, others: Iterable[int]) -> list[int]:
        count = self.data.count
        others = list(others)
        above = [each for each in others if each >= count] if piece < count else []
        return [*above, piece, *(each for each in others if each not in above)]

    def _stack(self, hex: int, order: list[int]) -> None:
        if not order:
            del self.at[hex]
            return
        self.at[hex] = tuple(order)
        for depth, piece in enumerate(order):
            if self.pieces[piece].depth != depth:
                self.pieces[piece] = replace(self.pieces[piece], depth=depth)

    def derive(self) -> None:
        """Rebuild the stacks from the pieces."""
        stacks: dict[int, list[int]] = {}
        order = sorted(range(len(self.pieces)), key=lambda at: self.pieces[at].depth)
        for at in order:
            if self.pieces[at].hex >= 0:
                stacks.setdefault(self.pieces[at].hex, []).append(at)
        self.at = {hex: tuple(stack) for hex, stack in stacks.items()}
        self.sit = self.before = self.cards = None

    def lapse(self, hex: int) -> None:
        """7.7 Take away the Improved Defence marker of a hex, if it has one."""
        if hex in self.improved:
            self.improved = tuple([each for each in self.improved if each != hex])
            self.log(ev.DefenceLapsed(Space(hex), rule="7.7"))

    def disrupt(self, unit: int, rule: str) -> None:
        """5.6.2 Flip a unit to its disrupted side; it leaves Improved Defence (7.7)."""
        if not self.pieces[unit].disrupted:
            hex = self.pieces[unit].hex
            self.alter(unit, disrupted=True)
            self.tell(ev.Disrupted(UnitId(unit), rule=rule), unit, ev.Shaken(Space(hex), rule=rule))
            self.lapse(hex)

    def recover(self, unit: int, rule: str) -> None:
        """5.6.4 Flip a unit back to its good side."""
        self.alter(unit, disrupted=False)
        hex = Space(self.pieces[unit].hex)
        self.tell(ev.Recovered(UnitId(unit), rule=rule), unit, ev.Rallied(hex, rule=rule))

    def lose(self, unit: int, points: int, rule: str) -> None:
        """7.5.2.1 Reduce a unit's strength; at nothing left it is eliminated."""
        piece = self.pieces[unit]
        taken = min(points, piece.strength)
        if taken <= 0 or piece.hex < 0:
            return
        left = piece.strength - taken
        side = SIDES[self.side(unit)]
        lost = ev.Lost(UnitId(unit), taken, left, rule=rule)
        suffered = ev.Suffered(side, taken, rule=rule)
        if self.option("roster"):
            self.log(suffered)
            self.log(replace(lost, only=side))
        else:
            self.tell(lost, unit, suffered)
        self.alter(unit, strength=left)
        if not left:
            self.eliminate(unit, rule)

    def eliminate(self, unit: int, rule: str) -> None:
        """7.5.2.1 Take a unit out of play, and its HQ when that has no unit left (3.3)."""
        self.log(ev.Eliminated(UnitId(unit), rule=rule))
        parent = self.pieces[unit].parent
        self.place(unit, GONE)
        self.alter(unit, strength=0, disrupted=False)
        if parent >= 0:
            self.retire_hq(parent)

    def retire_hq(self, formation: int) -> None:
        """3.3 An HQ is removed once all its subordinate and assigned units are eliminated."""
        hq = self.data.hq_of(formation)
        if self.pieces[hq].hex < 0:
            return
        coming = self.script.arrival
        if any(
            piece.parent == formation and (piece.hex >= 0 or (piece.hex == POOL and at in coming))
            for at, piece in enumerate(self.pieces[: self.data.count])
        ):
            return
        self.retire(formation, "3.3")

    def retire(self, formation: int, rule: str) -> None:
        """3.3 Take an HQ out of play."""
        self.place(self.data.hq_of(formation), GONE)
        self.levels[formation] = 0
        self.log(ev.HqRemoved(FormationId(formation), rule=rule))
        if self.schwerpunkt == formation:
            # 5.9: it waits on the turn track for the next Organisation Segment.
            self.schwerpunkt = -1

    def reduce_support(self, hq: int, rule: str) -> None:
        """5.3.1, 5.3.2 An HQ loses one Attack Support Point, to a minimum of none."""
        left = max(self.pieces[hq].strength - 1, 0)
        self.alter(hq, strength=left)
        only = SIDES[self.side(hq)] if self.option("roster") else None
        self.log(ev.SupportLost(UnitId(hq), left, rule=rule, only=only))

    def lower_level(self, formation: int, by: int = 1) -> None:
        """6.3.2 Move a Formation Activation marker down its track."""
        self.levels[formation] = max(self.levels[formation] - by, 0)

    def spend(self, side: int, points: int) -> None:
        """6.3.4 Take Action Points off a side's track."""
        left = list(self.ap)
        left[side] -= points
        assert left[side] >= 0
        self.ap = (left[0], left[1])

    def set_points(self, side: int, points: int) -> None:
        """6.3.1 Place a side's Action Points marker."""
        left = list(self.ap)
        left[side] = points
        self.ap = (left[0], left[1])

    def breach(self, hex: int) -> None:
        """7.4 A minefield stays breached for the rest of the game."""
        self.breached = tuple(sorted({*self.breached, hex}))
        self.sit = self.before = None

    def come_to(self, hex: int, side: int) -> None:
        """5.7.3, 10.2 A unit has entered a hex: its side was last there, and frees its source."""
        at = self.script.objective_at.get(hex)
        if at is not None:
            self.last_in[at] = side
        if hex in self.blocked and self.data.sources[side] >> hex & 1:
            self.blocked = tuple(each for each in self.blocked if each != hex)
            self.sit = None
            self.log(ev.SourceFreed(Space(hex), rule="5.7.3"))

    # The contract.

    def ladder(self) -> Sequence[Rung]:
        """10 The levels of victory."""
        from sandtable.titles.theseus.victory import ladder

        return ladder(self)

    def view(self, side: Side | None) -> View:
        """5.3.4 What a side may see."""
        from sandtable.titles.theseus.views import view

        return view(self, side)

    def redraw(self, side: Side) -> None:
        """5.3.4 Draw anew what the side cannot see."""
        from sandtable.titles.theseus.resample import redraw

        redraw(self, SIDES.index(side))

    def position_text(self) -> str:
        """This position as TOML."""
        from sandtable.titles.theseus.positions import write

        return write(self)

    def when(self) -> str:
        """The turn and its date."""
        turns = self.script.turns
        dates = (
            f", {turns[self.turn].dates}" if self.turn in turns and turns[self.turn].dates else ""
        )
        return f"Game Turn {self.turn} of {self.script.file.last_turn}{dates}"

    def price(self, action: Any) -> str:
        """What an action costs or gives up, in words."""
        from sandtable.titles.theseus.prices import price

        return price(self, action)

    def label(self, action: Any) -> str:
        """An action in words."""
        from sandtable.titles.theseus.text import label

        return label(self, action)

    def about(self, action: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What an action concerns; one that names a formation concerns all its pieces."""
        units, spaces = KernelGame.about(self, action)
        formation = getattr(action, "formation", None)
        if units or formation is None:
            return units, spaces
        names = self.data.piece_names
        return tuple(names[piece] for piece in self.formation_pieces(formation)), spaces

    def lay_out(self, odds: Odds) -> Sheet | None:
        """7.5.1 A combat laid out before it is fought."""
        from sandtable.titles.theseus.sheets import lay_out

        return lay_out(self, odds)

    def sentence(self, event: Event) -> str:
        """An event in words."""
        from sandtable.titles.theseus.text import sentence

        return sentence(self, event)

    def rolled_for(self, roll: Rolled) -> str:
        from sandtable.titles.theseus.text import rolled_for

        return rolled_for(self, roll)

    def march(self, event: Event) -> March | None:
        from sandtable.titles.theseus.text import march

        return march(self, event)

    def check(self) -> None:
        """Invariants: stacks equal places, strengths in range, HQs on top of their stacks."""
        data = self.data
        seen: dict[int, set[int]] = {}
        for at, piece in enumerate(self.pieces):
            if piece.hex >= 0:
                seen.setdefault(piece.hex, set()).add(at)
                assert data.board.names[piece.hex], f"{self.name(at)} stands off the map"
            if at < data.count:
                full = self.card[at].strength
                assert 0 <= piece.strength <= full, f"{self.name(at)} has {piece.strength}"
                assert (piece.strength > 0) == (piece.hex != GONE), f"{self.name(at)} {piece}"
            else:
                assert not piece.disrupted
                formation = at - data.count
                assert 0 <= self.levels[formation] <= data.hqs[formation].level
        assert seen == {hex: set(stack) for hex, stack in self.at.items()}
        for stack in self.at.values():
            assert [self.pieces[piece].depth for piece in stack] == list(range(len(stack)))
        for hex, stack in self.at.items():
            assert len({self.side(piece) for piece in stack}) == 1, f"both sides in {hex}"
            kinds = [piece >= data.count for piece in stack]
            assert kinds == sorted(kinds, reverse=True), "an HQ lies beneath a unit"
        fresh = Situation(self)
        assert self.situation.zoc == fresh.zoc and self.situation.occupied == fresh.occupied
        for hex in self.improved:
            assert hex in self.at
            assert not any(self.pieces[unit].disrupted for unit in self.at[hex])
        assert min(self.ap) >= 0 and 0 <= self.air <= len(self.script.air)
