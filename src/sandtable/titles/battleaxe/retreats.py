"""11.6 Retreats: who may, where to, and what happens to those who cannot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sandtable.boards.bits import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.rules import Rule, rule
from sandtable.kernel.steps import Step
from sandtable.titles.battleaxe.actions import RetreatTo, Withdraw
from sandtable.titles.battleaxe.data import AXIS, SIDES
from sandtable.titles.battleaxe.events import Retreated
from sandtable.titles.battleaxe.state import Game
from sandtable.titles.battleaxe.support import Battle


def least_exposed(game: Game, side: int, spaces: int) -> int:
    """11.6.2A Free Areas, those adjacent to the fewest enemy-controlled Areas first."""
    enemy = game.held_by(1 - side)
    free = bits(spaces & game.free_for(side))
    exposure = {space: (game.data.near[space] & enemy).bit_count() for space in free}
    least = min(exposure.values(), default=0)
    return sum(1 << space for space, number in exposure.items() if number == least)


def friendly_contested(game: Game, side: int, spaces: int) -> int:
    """11.6.2B Contested Areas under friendly control."""
    return spaces & game.contested() & game.held_by(side)


def enemy_contested(game: Game, side: int, spaces: int) -> int:
    """11.6.2C Contested Areas under enemy control."""
    return spaces & game.contested() & game.held_by(1 - side)


PRIORITIES = (least_exposed, friendly_contested, enemy_contested)


def choices(game: Game, side: int, start: Space, avoid: int = 0) -> int:
    """11.6.2, 11.6.2D, 11.6.1 The spaces of the best priority that a unit may retreat to.

    A fully-stacked Area is only passed through, when nothing better is near.
    """
    passed, front = avoid | 1 << start, 1 << start
    while front:
        near = 0
        for space in bits(front):
            near |= game.data.near[space]
        near &= ~passed & (game.free_for(side) | game.contested())
        full = sum(1 << space for space in bits(near) if game.full(side, Space(space)))
        for priority in PRIORITIES:
            best = priority(game, side, near & ~full)
            if best:
                return best
        passed |= front | full
        front = full
    return 0


def destinations(game: Game, unit: UnitId) -> int:
    """11.6.2 Where a unit may retreat to."""
    return choices(game, game.side_of(unit), game.units[unit].space)


def room(game: Game, units: Sequence[UnitId]) -> int:
    """11.6.1 How many of these units could retreat, one after another."""
    trial = game.copy()
    for number, unit in enumerate(units):
        options = destinations(trial, unit)
        if not options:
            return number
        trial.place(unit, Space(bits(options)[0]))
    return len(units)


@rule
def germans_hold_strongpoints(game: Game, unit: UnitId) -> bool:
    """11.5.1 A Full-Strength German unit in an Axis-controlled Stützpunkt may not retreat."""
    one = game.units[unit]
    strong = game.data.spaces[one.space].stutzpunkt and game.holder(one.space) == AXIS
    return not (game.data.german[unit] and not one.reduced and strong)


@rule
def only_reduced_units(game: Game, unit: UnitId) -> bool:
    """11.5 Only Reduced-Strength units, and Full-Strength German ones, absorb by retreating."""
    return game.units[unit].reduced or game.data.german[unit]


@rule
def full_allied_stand(game: Game, unit: UnitId) -> bool:
    """11.6.3 Full-Strength Allied units may not retreat of their own will."""
    return game.units[unit].reduced or game.side_of(unit) == AXIS


@rule
def somewhere_to_go(game: Game, unit: UnitId) -> bool:
    """11.6.4 There is no Area to retreat to."""
    return bool(destinations(game, unit))


ABSORBING: tuple[Rule[[Game, UnitId]], ...] = (
    germans_hold_strongpoints,
    only_reduced_units,
    somewhere_to_go,
)
WITHDRAWING: tuple[Rule[[Game, UnitId]], ...] = (
    full_allied_stand,
    germans_hold_strongpoints,
    somewhere_to_go,
)


def may_retreat_for_points(game: Game, unit: UnitId) -> bool:
    """11.5, 11.5.1 Whether a unit may absorb a point by retreating."""
    return all(each.holds(game, unit) for each in ABSORBING)


def may_withdraw(game: Game, unit: UnitId) -> bool:
    """11.6.3 Whether a defender may retreat of its own will."""
    return all(each.holds(game, unit) for each in WITHDRAWING)


def retreat_refusal(game: Game, unit: UnitId, *, voluntary: bool = False) -> Refusal | None:
    """Which rule keeps a unit from retreating."""
    if game.units[unit].space < 0:
        return Refusal("11.6", "This unit is not on the map.")
    name = game.data.unit_facts[unit].id
    for each in WITHDRAWING if voluntary else ABSORBING:
        if not each.holds(game, unit):
            return each.refusal(f"{name} cannot retreat")
    return Refusal("11.5", f"{name} cannot retreat here: losses must be exact.")


class Retreat(Step["Game"], frozen=True):
    """11.6, 11.6.2 A unit retreats; its owner chooses between equal Areas."""

    rule: ClassVar[str] = "11.6.2"
    unit: UnitId
    rule_number: str
    start: Space = Space(-1)
    """For attackers thrown back: the Area they came from (11.6), if it is not full."""

    def actor(self, game: Game) -> Side:
        return SIDES[game.side_of(self.unit)]

    def prompt(self, game: Game) -> str:
        return f"Retreat {game.data.unit_facts[self.unit].id}."

    def options(self, game: Game) -> int:
        """The spaces to choose from."""
        side = game.side_of(self.unit)
        if self.start < 0:
            return destinations(game, self.unit)
        if not game.full(side, self.start):
            return 1 << self.start
        return choices(game, side, self.start, avoid=1 << game.units[self.unit].space)

    def begin(self, game: Game) -> None:
        """11.6.4 A unit with nowhere to go is eliminated."""
        if not self.options(game):
            game.pop()
            game.eliminate(self.unit, rule="11.6.4")

    def actions(self, game: Game) -> Sequence[Action]:
        return [RetreatTo(self.unit, Space(to)) for to in bits(self.options(game))]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, RetreatTo)
        start = game.units[self.unit].space
        game.log(Retreated(self.unit, start, action.space, rule=self.rule_number))
        game.pop()
        game.place(self.unit, action.space)

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if not isinstance(action, RetreatTo) or action.unit != self.unit:
            return None
        start, to = game.units[self.unit].space, action.space
        side = game.side_of(self.unit)
        where = game.data.called(to)
        if self.start >= 0 and not game.full(side, self.start):
            home = game.data.called(self.start)
            return Refusal("11.6", f"Attackers go back where they came from, to {home}.")
        if game.data.beyond_scarp[start] >> to & 1:
            return Refusal("11.6.4", "No unit may retreat across an Escarpment.")
        if game.full(side, to):
            return Refusal("7.1", f"No retreat may end in {where}: it holds four units.")
        if not (game.free_for(side) | game.contested()) >> to & 1:
            return Refusal("11.6.2", f"{where} is in enemy hands.")
        if not game.data.near[start] >> to & 1:
            return Refusal("3.1", f"{where} is not adjacent.")
        return Refusal("11.6.2", "Another Area has priority for this retreat.")


class Repulsed(Step["Game"], frozen=True):
    """11.1, 11.6.1 Attackers thrown back from a Mandatory Attack retreat one at a time."""

    rule: ClassVar[str] = "11.6.1"
    battle: Battle
    units: tuple[UnitId, ...]

    def actor(self, game: Game) -> Side:
        return SIDES[self.battle.side]

    def prompt(self, game: Game) -> str:
        return "There is not room for all: choose the next unit to retreat."

    def begin(self, game: Game) -> None:
        if not self.units:
            game.pop()

    def resume(self, game: Game, result: object) -> None:
        self.begin(game)

    def actions(self, game: Game) -> Sequence[Action]:
        units = self.units if self.crowded(game) else self.units[:1]
        return [Withdraw(unit) for unit in units]

    def crowded(self, game: Game) -> bool:
        """11.6.1 Whether the order matters, because an Area would become fully-stacked."""
        side = self.battle.side
        came = dict(self.battle.came)
        homes = [came[unit] for unit in self.units]
        limit = game.data.tables.stacking
        return any(
            len(game.units_in(side, home)) + homes.count(home) > limit and not game.is_zone(home)
            for home in homes
        )

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Withdraw)
        rest = tuple(unit for unit in self.units if unit != action.unit)
        game.become_step(Repulsed(self.battle, rest))
        home = dict(self.battle.came)[action.unit]
        game.push(Retreat(action.unit, rule_number="11.6.1", start=home))
