"""8.0-8.3 Movement of the active unit, in which it may also attack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.boards import Reach
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.sheets import Leg
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import Attack, Done, Exit, MoveTo
from sandtable.titles.cauldron.battle import open_battle
from sandtable.titles.cauldron.combat import Assault, attacks, forecast, no_attack
from sandtable.titles.cauldron.events import Attacked, Finished, Moved
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.reinforcements import leave_map
from sandtable.titles.cauldron.stacking import crowding
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.terrain import Terrain
from sandtable.titles.cauldron.zoc import enemy, zoc


def allowance(game: Game, unit: UnitId, storm: bool) -> int:
    """5.0, 12.0, 13.5 Movement points in thirds: supply, disruption and sandstorm add up (R26)."""
    now = game.units[unit]
    thirds = 3 - now.supply - now.disrupted - 2 * storm
    return game.kind(unit).movement * game.facts.scale * thirds // 3 if thirds > 0 else 0


def closed(game: Game, unit: UnitId) -> int:
    """8.1, 8.2 The hexes a unit may never enter: the enemy's, and zones forbidden to it."""
    kind = game.kind(unit)
    mask = game.occupied[enemy(kind.side)]
    if kind.side == ALLIED:
        mask |= game.facts.prohibited
        if kind.bracketed:
            mask |= game.facts.board.all & ~game.facts.brigade_69
    return mask


def reach(game: Game, unit: UnitId, points: int) -> Reach[Space]:
    """8.0, 9.0 Every hex the unit can move to for its points, with what it costs."""
    known = game.reached
    if known is not None and known[0] == unit and known[1] == points:
        return known[2]
    found = reach_over(game, game.terrain, unit, points)
    game.reached = (unit, points, found)
    return found


def reach_over(game: Game, ground: Terrain, unit: UnitId, points: int) -> Reach[Space]:
    """8.0, 9.0 The same over other ground."""
    kind = game.kind(unit)
    zone = zoc(game, enemy(kind.side))
    return game.facts.board.reach(
        ground.edges(kind.side, kind.move_class),
        game.units[unit].at,
        points,
        barred=closed(game, unit),
        no_step=(zone, zone),
        leave_extra=(zone, game.facts.leave_zoc),
    )


def exit_edges(game: Game, unit: UnitId) -> int:
    """8.3 The map edges a unit may leave by: the Axis south, the Allies any but the west."""
    edge = game.facts.edge
    kind = game.kind(unit)
    if kind.side == AXIS:
        return edge["south"]
    return 0 if kind.bracketed else edge["north"] | edge["east"] | edge["south"]


def exit_cost(game: Game, unit: UnitId) -> int:
    """8.3, 9.0 Leaving the map costs the ground of the last hex, and more out of a ZOC."""
    at, kind = game.units[unit].at, game.kind(unit)
    toll = game.facts.leave_zoc if zoc(game, enemy(kind.side)) >> at & 1 else 0
    return game.facts.enter[kind.move_class][at] + toll


def no_exit(game: Game, unit: UnitId) -> Refusal:
    """8.2, 8.3 Why a unit may not leave the map by movement."""
    what = f"{game.name(unit)} cannot leave the map"
    if game.kind(unit).bracketed:
        return stays_with_69.refusal(what)
    if not exit_edges(game, unit) >> game.units[unit].at & 1:
        edges = "south edge" if game.side_of(unit) == AXIS else "north, east or south edge"
        return Refusal("8.3", f"{what} here: it leaves by the {edges}.")
    cost = game.facts.show_points(exit_cost(game, unit))
    return Refusal("8.3", f"{what}: that costs {cost} movement points.")


# The rules of a move, asked in the book's order when a destination is not in reach.


@rule
def on_the_map(game: Game, step: Move, to: Space) -> bool:
    """8.0 A unit moves to a hex of the map other than its own."""
    return to in game.facts.board.spaces and to != game.units[step.unit].at


@rule
def not_occupied(game: Game, step: Move, to: Space) -> bool:
    """8.0 No unit may enter a hex that holds enemy units."""
    return not game.occupied[enemy(game.side_of(step.unit))] >> to & 1


@rule
def not_prohibited(game: Game, step: Move, to: Space) -> bool:
    """8.1 No Allied unit may move west of the minefield line."""
    return game.side_of(step.unit) == AXIS or not game.facts.prohibited >> to & 1


@rule
def stays_with_69(game: Game, step: Move, to: Space) -> bool:
    """8.2 The two bracketed units of 69 Brigade never leave their area."""
    return not game.kind(step.unit).bracketed or bool(game.facts.brigade_69 >> to & 1)


@rule
def mines_let_pass(game: Game, step: Move, to: Space) -> bool:
    """14.0 No Axis unit may move across a minefield hexside that is not breached."""
    left = step.left(game)
    if game.side_of(step.unit) == ALLIED or to in reach(game, step.unit, left):
        return True
    bare = game.facts.terrain(0, ())
    beside = (game.units[step.unit].at, to) in game.terrain.mined
    return not beside and to not in reach_over(game, bare, step.unit, left)


@rule
def escarpments_let_pass(game: Game, step: Move, to: Space) -> bool:
    """8.0 An escarpment is crossed only along a road or track."""
    beside = (game.units[step.unit].at, to) in game.facts.cliffs
    return not beside or to in reach(game, step.unit, step.left(game))


@rule
def zoc_lets_pass(game: Game, step: Move, to: Space) -> bool:
    """9.0 No unit may move from one hex in an enemy ZOC straight into another."""
    plenty = 99 * game.facts.scale
    edges = game.terrain.edges(game.side_of(step.unit), game.kind(step.unit).move_class)
    barred = closed(game, step.unit)
    at = game.units[step.unit].at
    free = game.facts.board.reach(edges, at, plenty, barred=barred)
    return to in reach(game, step.unit, plenty) or to not in free


@rule
def enough_points(game: Game, step: Move, to: Space) -> bool:
    """8.0 A unit needs movement points for each hex, hexside, ZOC and attack of its move."""
    return to in reach(game, step.unit, step.left(game))


MOVE_RULES = (
    on_the_map,
    not_occupied,
    not_prohibited,
    stays_with_69,
    escarpments_let_pass,
    mines_let_pass,
    zoc_lets_pass,
    enough_points,
)


class Move(Step[Game], frozen=True):
    """8.0 The active unit moves and attacks until it is done."""

    rule: ClassVar[str] = "8.0"
    unit: UnitId
    storm: bool = False
    spent: int = 0
    fought: bool = False

    def left(self, game: Game) -> int:
        """8.0 The movement points the unit has left; a fresh disruption cuts them (R43)."""
        return max(0, allowance(game, self.unit, self.storm) - self.spent)

    def actor(self, game: Game) -> Side:
        return game.side_of(self.unit)

    def prompt(self, game: Game) -> str:
        left = self.left(game)
        storm = " in the sandstorm" if self.storm else ""
        fight = ", attack," if attacks(game, self.unit, left) else ""
        name, points = game.name(self.unit), game.facts.points_left(left)
        return f"Move {name} ({points}{storm}){fight} or finish."

    def caution(self, game: Game) -> str:
        return crowding(game, ": those too many at an attack or the end of the phase are lost.")

    def actions(self, game: Game) -> Sequence[Action]:
        unit, left = self.unit, self.left(game)
        start = game.units[unit].at
        found: list[Action] = [Done(unit)]
        found += [Attack(unit, level) for level in attacks(game, unit, left)]
        if exit_edges(game, unit) >> start & 1 and exit_cost(game, unit) <= left:
            found.append(Exit(unit))
        spaces = iter(reach(game, unit, left))
        next(spaces, None)
        found += [MoveTo(unit, space) for space in spaces]
        return found

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        name = game.name(self.unit)
        match action:
            case MoveTo(unit, to) if unit == self.unit:
                broken = first_broken(MOVE_RULES, game, self, to)
                return broken.refusal(f"{name} cannot go to {game.hex(to)}") if broken else None
            case Attack(unit, level) if unit == self.unit:
                return no_attack(game, unit, level, self.left(game))
            case Exit(unit) if unit == self.unit:
                return no_exit(game, unit)
            case MoveTo() | Attack() | Exit() | Done():
                return Refusal("8.0", f"{name} is the active unit; finish its move first.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        unit = self.unit
        match action:
            case MoveTo(_, to):
                found = reach(game, unit, self.left(game))
                cost = found.cost[to]
                path = found.path(to)
                game.change(unit, at=to)
                game.log(Moved(unit, path, game.facts.show_points(cost), rule="8.0"))
                game.become_step(replace(self, spent=self.spent + cost))
            case Attack(_, level):
                battle = open_battle(game, unit, level)
                cost = game.facts.attack_cost[level, game.kind(unit).move_class]
                game.log(Attacked(unit, level, battle.defenders, rule="11.0"))
                game.become_step(replace(self, spent=self.spent + cost))
                game.push(Assault(battle))
            case Exit():
                cost = exit_cost(game, unit)
                leave_map(game, unit, "8.3")
                game.pop(replace(self, spent=self.spent + cost))
            case _:
                self.finish(game)

    def resume(self, game: Game, result: Any) -> None:
        """11.0, 11.2 Go on after an attack unless the unit was lost or had to retreat (R1)."""
        # An active unit lost before the die, to over-stacking, has not attacked (R39).
        step = replace(self, fought=self.fought or result != "lost")
        game.become_step(step)
        gone = game.units[self.unit].at < 0 or result == "retreated"
        strict = game.options["strict_advance"] and result != "eligible"
        if gone or strict:
            step.finish(game)

    def finish(self, game: Game) -> None:
        """8.0 A unit that spent movement points is flipped to its used side."""
        if game.units[self.unit].at >= 0 and self.spent:
            game.change(self.unit, used=True)
            game.log(Finished(self.unit, rule="8.0"))
        game.pop(self)

    def way(self, game: Game, action: Action) -> Sequence[Leg]:
        if not isinstance(action, MoveTo):
            return ()
        found, show = reach(game, self.unit, self.left(game)), game.facts.show_points
        return [Leg(game.hex(hex), show(found.cost[hex])) for hex in found.path(action.hex)]

    def odds(self, game: Game, action: Action) -> Odds | None:
        if isinstance(action, Attack):
            battle = open_battle(game, self.unit, action.intensity)
            return forecast(game, battle, alone=True)
        return None
