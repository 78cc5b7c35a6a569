"""V Setting up, and the activation of Allied units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.steps import Step
from sandtable.kernel.words import counted
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import Activate, Done, Place
from sandtable.titles.gallop.stacking import too_many
from sandtable.titles.gallop.state import OFF_MAP, UNKNOWN, Game


def to_place(game: Game, side: Side) -> list[UnitId]:
    """V.A, V.B The counters a side still has to set up; dummies come last."""
    facts = game.facts
    free = facts.scenarios[game.scenario].free
    units = [facts.index[name] for name in free]
    return sorted(
        unit
        for unit in units
        if game.side_of(unit) == side and game.pieces[unit].hex == OFF_MAP and used(game, unit)
    )


def used(game: Game, unit: UnitId) -> bool:
    """XV.A.3 Flak Gruppe takes part only if the players use it."""
    return bool(game.options.get("flak_gruppe", True)) or game.name(unit) != "Flak"


@rule
def own_counter(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """V.A Each player sets up those of his units that have no printed hex."""
    return unit in to_place(game, side)


@rule
def in_zone(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """V.A Units are set up on their own side of the Gazala line, or in its columns south of it."""
    return not game.historical or bool(game.facts.zones[side] >> hex & 1)


@rule
def in_free_zone(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """V.B Units are set up on their own side of the Gazala line, or in its columns south of it."""
    return game.historical or bool(game.facts.zones[side] >> hex & 1)


@rule
def stacks(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XII.A.2 At most three units stand in a hex, two of them divisions."""
    return not too_many(game, (*game.stack_at(hex), unit))


@rule
def dummy_has_cover(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """V.B A dummy must be with a real unit or in a box."""
    covered = game.lay.real["allied"] | game.facts.works["allied"]
    return unit < len(game.facts.counters) or bool(covered >> hex & 1)


SET_UP_RULES = (own_counter, in_zone, in_free_zone, stacks, dummy_has_cover)


class SetUp(Step["Game"], frozen=True):
    """V.A, V.B A side places its free units, one at a time."""

    rule: ClassVar[str] = "V"
    side: Side

    def actor(self, game: Game) -> Side:
        """The side that sets up."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for the next unit; says nothing that the enemy may not hear."""
        return f"Set up: {counted(len(to_place(game, self.side)), 'counter')} to place."

    def begin(self, game: Game) -> None:
        """V.B Leave when all are placed; only then the enemy sees where face-down ones stand."""
        if to_place(game, self.side):
            return
        if self.side == "allied":
            for hex in sorted(piece.hex for piece in game.pieces if piece.hidden):
                game.log(ev.PlacedFaceDown(hex, rule="V.B"))
        game.pop()

    def actions(self, game: Game) -> Sequence[Action]:
        """Any unit left to any hex of the zone with room; dummies once the units stand."""
        units = to_place(game, self.side)
        real = [unit for unit in units if unit < len(game.facts.counters)]
        hexes = [Space(hex) for hex in bits(game.facts.zones[self.side])]
        free = {
            division: [hex for hex in hexes if not too_many(game, (*game.stack_at(hex), unit))]
            for division, unit in {game.book[unit].division: unit for unit in real}.items()
        }
        if real:
            return [Place(unit, hex) for unit in real for hex in free[game.book[unit].division]]
        return [
            Place(unit, hex)
            for unit in units
            for hex in hexes
            if dummy_has_cover(game, self.side, unit, hex)
        ]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """The first rule of set-up that a placement breaks."""
        if not isinstance(action, Place):
            return None
        what = f"{game.name(action.unit)} cannot be set up in {game.hex_name(action.hex)}"
        broken = first_broken(SET_UP_RULES, game, self.side, action.unit, action.hex)
        if broken:
            return broken.refusal(what)
        return Refusal("V.B", f"{what}: place the units before the dummies.")

    def apply(self, game: Game, action: Action) -> None:
        """Place a counter; Allied ones go face down."""
        assert isinstance(action, Place)
        unit, hex = action.unit, action.hex
        if self.side == "allied":
            game.place(unit, hex, hidden=UNKNOWN, active=False)
            game.log(ev.Placed(unit, hex, rule="V.B", only="allied"))
        else:
            game.place(unit, hex)
            game.log(ev.Placed(unit, hex, rule="V.A" if game.historical else "V.B"))
        game.swap(self)


def sleepers(game: Game) -> list[UnitId]:
    """V.A, V.B Allied units on the map that are not activated."""
    return [unit for unit in game.on_map("allied") if not game.pieces[unit].active]


class Activation(Step["Game"], frozen=True):
    """V.A Two units a turn, and one more for each lost in the Axis player-turn before."""

    rule: ClassVar[str] = "V.A"
    left: int

    def actor(self, game: Game) -> Side:
        """The Allied player."""
        return "allied"

    def prompt(self, game: Game) -> str:
        """Ask for units."""
        return f"Activate up to {counted(self.left, 'unit')}."

    def begin(self, game: Game) -> None:
        """V.B In the nonhistorical game units wake at any time, so not here."""
        if not game.historical or self.left <= 0 or not sleepers(game):
            game.pop()

    def actions(self, game: Game) -> Sequence[Action]:
        """Any sleeping unit, or none."""
        return [*(Activate(unit) for unit in sleepers(game)), Done()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Only sleeping Allied units can be woken."""
        return Refusal("V.A", "Choose an Allied unit on the map that is not activated yet.")

    def apply(self, game: Game, action: Action) -> None:
        """Wake a unit, or stop."""
        if isinstance(action, Activate):
            game.activate(action.unit, "V.A")
            game.swap(Activation(self.left - 1))
        else:
            game.pop()
