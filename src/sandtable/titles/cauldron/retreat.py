"""11.1 Retreat, by numbered priorities: each is one filter over the ways that are left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import Pass, RetreatOff, RetreatTo, RetreatUnits
from sandtable.titles.cauldron.events import Retreated, StoodFast
from sandtable.titles.cauldron.losses import RetreatLosses, alive
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.reinforcements import leave_map
from sandtable.titles.cauldron.stacking import fits
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.zoc import enemy, zoc

DISTANCE = 2
HOMEWARD = {ALLIED: ("N", "NW", "NE", "SE"), AXIS: ("S", "SW", "SE")}
Way = tuple[Space, ...]
"""The hexes of a retreat, without the one it starts in."""


class Retreats(Step[Game], frozen=True):
    """11.1 The owner decides the order; stacked units may go together."""

    rule: ClassVar[str] = "11.1"
    units: tuple[UnitId, ...]

    def begin(self, game: Game) -> None:
        bound = tuple(unit for unit in self.units if game.builder_of(unit))
        for unit in bound:
            game.log(StoodFast(unit, rule="14.1"))
        self.go_on(game, bound)

    def resume(self, game: Game, result: Any) -> None:
        self.go_on(game, ())

    def go_on(self, game: Game, without: tuple[UnitId, ...]) -> None:
        """Drop those who need not go, and end when nobody is left."""
        left = tuple(unit for unit in alive(game, self.units) if unit not in without)
        game.become_step(Retreats(left))
        if not left:
            game.pop()

    def actor(self, game: Game) -> Side:
        return game.side_of(self.units[0])

    def prompt(self, game: Game) -> str:
        return "Choose the unit or stack that retreats next."

    def actions(self, game: Game) -> Sequence[Action]:
        found: list[Action] = [RetreatUnits((unit,)) for unit in self.units]
        for at, first in enumerate(self.units):
            for second in self.units[at + 1 :]:
                if self.together(game, first, second):
                    found.append(RetreatUnits((first, second)))
        return found

    def together(self, game: Game, *pair: UnitId) -> bool:
        """11.1 Stacked units may go together, unless only one of them has a way at all (R58)."""
        at = game.units[pair[0]].at
        return game.units[pair[1]].at == at and (
            has_way(game, pair, at) or not any(has_way(game, (unit,), at) for unit in pair)
        )

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, RetreatUnits)
        left = tuple(unit for unit in self.units if unit not in action.units)
        game.become_step(Retreats(left))
        game.push(Retreat(action.units, game.units[action.units[0]].at))


class Retreat(Step[Game], frozen=True):
    """11.1 A unit or stack retreats hex by hex until it is two hexes from where it stood."""

    rule: ClassVar[str] = "11.1"
    units: tuple[UnitId, ...]
    origin: Space
    gone: int = 0
    then: tuple[Space, ...] = ()
    """The second hexes that the way chosen so far leaves."""
    off: bool = False
    """Whether that way may leave the map now."""

    def actor(self, game: Game) -> Side:
        return game.side_of(self.units[0])

    def prompt(self, game: Game) -> str:
        names = " and ".join(game.name(unit) for unit in alive(game, self.units))
        if self.gone >= DISTANCE:
            return f"{names} would end over-stacked: retreat on, or stop."
        return f"Retreat {names}: hex {self.gone + 1} of {DISTANCE}."

    def begin(self, game: Game) -> None:
        if not has_way(game, self.units, self.origin):
            for unit in self.units:
                game.eliminate(unit, "11.1.1")
            game.pop()

    def actions(self, game: Game) -> Sequence[Action]:
        units = alive(game, self.units)
        found: list[Action]
        if self.gone >= DISTANCE:
            found = [*map(RetreatTo, onward(game, units, self.origin, self.gone)), Pass()]
            return [*found, RetreatOff()] if may_leave(game, units) else found
        if self.gone:
            spaces, off = dict.fromkeys(self.then), self.off
        else:
            leaving = ways_off(game, units, self.origin)
            spaces = dict.fromkeys(way[0] for way in ways(game, units, self.origin))
            spaces |= dict.fromkeys(way[0] for way in leaving if way)
            off = () in leaving
        found = [RetreatTo(space) for space in spaces]
        return [*found, RetreatOff()] if off else found

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case RetreatTo(space):
                return why_not_there(game, self, space)
            case RetreatOff() if any(game.kind(unit).bracketed for unit in self.units):
                return Refusal("8.2", "The bracketed units of 69 Brigade never leave their area.")
            case RetreatOff():
                return Refusal("11.1.5", "A unit leaves the map only from a hex on its edge.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        units = alive(game, self.units)
        match action:
            case RetreatTo(space):
                self.follow(game, units, space).enter(game, units, space)
            case RetreatOff():
                for unit in units:
                    leave_map(game, unit, "11.1.5")
                game.pop()
            case _:
                game.pop()

    def follow(self, game: Game, units: tuple[UnitId, ...], space: Space) -> Retreat:
        """Remember what the first hex leaves open for the second."""
        then: tuple[Space, ...] = ()
        off = False
        if not self.gone:
            then = tuple(way[1] for way in ways(game, units, self.origin) if way[0] == space)
            off = may_leave(game, units, space)
        step = replace(self, gone=self.gone + 1, then=then, off=off)
        game.become_step(step)
        return step

    def enter(self, game: Game, units: tuple[UnitId, ...], space: Space) -> None:
        """11.1.2 Go into a hex; an enemy ZOC disrupts, or costs Disrupted units a step."""
        caught = in_zoc(game, units[0], space)
        for unit in units:
            game.change(unit, at=space)
        game.log(Retreated(units, space, rule="11.1"))
        if caught:
            weak = tuple(unit for unit in units if game.units[unit].disrupted)
            for unit in units:
                if unit not in weak:
                    game.disrupt(unit, "11.1.2")
            if len(weak) > 1:
                # A stack whose units are both Disrupted loses one step, not two.
                game.push(RetreatLosses(weak, 1))
                return
            for unit in weak:
                game.lose_step(unit, "11.1.2")
        self.arrive(game)

    def resume(self, game: Game, result: Any) -> None:
        self.arrive(game)

    def arrive(self, game: Game) -> None:
        """11.1.4 The retreat ends two hexes away, or goes on from a hex with no room."""
        units = alive(game, self.units)
        if not units or (
            self.gone >= DISTANCE
            and (
                fits(game, game.here(game.units[units[0]].at))
                or not (onward(game, units, self.origin, self.gone) or may_leave(game, units))
            )
        ):
            game.pop()


def in_zoc(game: Game, unit: UnitId, space: Space) -> bool:
    """11.1.2 Whether a hex is in an enemy ZOC that no friendly unit there negates."""
    side = game.side_of(unit)
    return bool(zoc(game, enemy(side)) >> space & 1) and not game.occupied[side] >> space & 1


def may_enter(game: Game, unit: UnitId, here: Space, there: Space) -> bool:
    """11.1.1 Whether a unit could ever move this way: enemies, escarpments, mines and zones."""
    facts, side = game.facts, game.side_of(unit)
    if (here, there) in facts.cliffs or game.occupied[enemy(side)] >> there & 1:
        return False
    if side == AXIS:
        return (here, there) not in game.terrain.mined
    if game.kind(unit).bracketed and not facts.brigade_69 >> there & 1:
        return False
    return not facts.prohibited >> there & 1


def all_ways(game: Game, units: tuple[UnitId, ...], origin: Space) -> list[Way]:
    """11.1.1 Every way of two hexes that ends two hexes from the start."""
    board = game.facts.board
    return [
        (first, second)
        for first in board.neighbours[origin]
        if all(may_enter(game, unit, origin, first) for unit in units)
        for second in board.neighbours[first]
        if board.distance(origin, second) == DISTANCE
        and all(may_enter(game, unit, first, second) for unit in units)
    ]


def fewest(ways: list[Way], faults: Callable[[Way], int]) -> list[Way]:
    """The ways that break a priority least often."""
    if not ways:
        return ways
    counts = [faults(way) for way in ways]
    least = min(counts)
    return [way for way, count in zip(ways, counts, strict=True) if count == least]


def hexes_in_zoc(game: Game, unit: UnitId, way: Way) -> int:
    """11.1.2 How many hexes of a way are in an enemy ZOC."""
    return sum(in_zoc(game, unit, space) for space in way)


def wrong_turns(game: Game, unit: UnitId, origin: Space, way: Way) -> int:
    """11.1.3 How many steps of a way lead in a wrong direction."""
    board = game.facts.board
    good = {board.direction(name) for name in HOMEWARD[game.side_of(unit)]}
    return sum(
        board.direction_between(here, there) not in good
        for here, there in zip((origin, *way[:-1]), way, strict=True)
    )


def avoid_zoc(game: Game, unit: UnitId, ways: list[Way]) -> list[Way]:
    """11.1.2 A unit avoids hexes in an enemy ZOC if it can."""
    return fewest(ways, lambda way: hexes_in_zoc(game, unit, way))


def go_home(game: Game, unit: UnitId, origin: Space, ways: list[Way]) -> list[Way]:
    """11.1.3 The Allies retreat N, NW, NE or SE, the Axis S, SW or SE, if they can."""
    return fewest(ways, lambda way: wrong_turns(game, unit, origin, way))


def find_room(game: Game, units: tuple[UnitId, ...], ways: list[Way]) -> list[Way]:
    """11.1.4 A unit avoids ending where it would over-stack, if it can."""

    def crowded(way: Way) -> int:
        others = [unit for unit in game.here(way[-1]) if unit not in units]
        return not fits(game, (*others, *units))

    return fewest(ways, crowded)


def ways(game: Game, units: tuple[UnitId, ...], origin: Space) -> list[Way]:
    """11.1 The ways on the map that the priorities leave, each filter after the last."""
    found = all_ways(game, units, origin)
    found = avoid_zoc(game, units[0], found)
    found = go_home(game, units[0], origin, found)
    return find_room(game, units, found)


def may_leave(game: Game, units: tuple[UnitId, ...], at: Space | None = None) -> bool:
    """11.1.5, 8.2 Whether units may leave the map from a hex: any edge, but not out of an area."""
    at = game.units[units[0]].at if at is None else at
    rim = bool(game.facts.board.rim >> at & 1)
    return rim and not any(game.kind(unit).bracketed for unit in units)


def ways_off(game: Game, units: tuple[UnitId, ...], origin: Space) -> list[Way]:
    """11.1.5 The ways off the map, by their hexes before the edge.

    Those hexes may break priorities 2 and 3 no more than the ways on the map do (R59).
    """
    if may_leave(game, units, origin):
        return [()]
    unit = units[0]
    near: list[Way] = [
        (space,)
        for space in game.facts.board.neighbours[origin]
        if may_leave(game, units, space)
        and all(may_enter(game, each, origin, space) for each in units)
    ]
    inland = ways(game, units, origin)
    if not inland:
        return go_home(game, unit, origin, avoid_zoc(game, unit, near))

    def faults(way: Way) -> tuple[int, int]:
        return hexes_in_zoc(game, unit, way), wrong_turns(game, unit, origin, way)

    return [way for way in near if faults(way) <= faults(inland[0])]


def has_way(game: Game, units: tuple[UnitId, ...], origin: Space) -> bool:
    """11.1 Whether units can retreat from a hex at all."""
    return bool(ways(game, units, origin) or ways_off(game, units, origin))


def farther(game: Game, units: tuple[UnitId, ...], origin: Space, gone: int) -> list[Way]:
    """11.1.1 The additional hexes of a retreat, each farther from its start (R53)."""
    board = game.facts.board
    at = game.units[units[0]].at
    return [
        (space,)
        for space in board.neighbours[at]
        if board.distance(origin, space) == gone + 1
        and all(may_enter(game, unit, at, space) for unit in units)
    ]


def onward(game: Game, units: tuple[UnitId, ...], origin: Space, gone: int) -> list[Space]:
    """11.1.4 The hexes farther away into which a retreat without room may go on."""
    found = avoid_zoc(game, units[0], farther(game, units, origin, gone))
    found = go_home(game, units[0], game.units[units[0]].at, found)
    return [way[0] for way in find_room(game, units, found)]


def why_not_there(game: Game, step: Retreat, space: Space) -> Refusal:
    """11.1 The first priority that keeps a retreat out of a hex."""
    units = alive(game, step.units)
    at = game.units[units[0]].at
    name = game.hex(space)
    if space not in game.facts.board.neighbours[at]:
        return Refusal("11.1", f"{name} is not next to the retreating units.")
    if not all(may_enter(game, unit, at, space) for unit in units):
        return Refusal("11.1.1", f"No unit may retreat into {name}: it could not move there.")
    if game.facts.board.distance(step.origin, space) != step.gone + 1:
        return Refusal("11.1", f"{name} does not lead farther from where the units stood.")
    if step.gone == 1 and not step.then:
        return Refusal("11.1.5", "From here the retreat can only leave the map.")
    way: Way = (at, space) if step.gone == 1 else (space,)
    if step.gone >= DISTANCE:
        start, found = at, farther(game, units, step.origin, step.gone)
    else:
        start, found = step.origin, all_ways(game, units, step.origin)

    def open_among(found: list[Way]) -> bool:
        return any(each[: len(way)] == way for each in found)

    if not open_among(found):
        return Refusal("11.1.1", f"From {name} the retreat could not go on.")
    found = avoid_zoc(game, units[0], found)
    if not open_among(found):
        return Refusal("11.1.2", f"{name} leads through an enemy ZOC that can be avoided.")
    found = go_home(game, units[0], start, found)
    if not open_among(found):
        return Refusal("11.1.3", f"{name} is in the wrong direction while a right one is open.")
    return Refusal("11.1.4", f"{name} leads to a hex without room while another has it.")
