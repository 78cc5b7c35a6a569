"""XIII Operational movement: one unit after another, on foot, by truck, by road, or in flight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from sandtable.boards import flags
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.rules import first_broken
from sandtable.kernel.sheets import Leg
from sandtable.kernel.steps import Step
from sandtable.kernel.words import counted
from sandtable.titles.gallop import air
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import (
    Activate,
    Done,
    Gallop,
    Intercept,
    MoveTo,
    Route,
    Truck,
)
from sandtable.titles.gallop.breakdown import breakdown_odds, breaks_down
from sandtable.titles.gallop.data import WHOLE
from sandtable.titles.gallop.flight import end_flight, flee, in_flight, runners
from sandtable.titles.gallop.march import (
    Ground,
    March,
    allowance,
    costs_along,
    march,
    mined,
    recall,
    walk,
)
from sandtable.titles.gallop.move_rules import MOVE_RULES
from sandtable.titles.gallop.setup import sleepers
from sandtable.titles.gallop.stacking import Overstacked, crowding
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.zoc import zone

STOPS = {
    "XIII.B.1": "it has moved, and stopped in an enemy zone",
    "XI.A.4": "it has moved, and stopped in an enemy box or fort",
    "VIII.A.4": "it has crossed a minefield, and stopped behind it",
    "X.B.1": "it was Disrupted from the air, which ended its move",
    "XIII.D": "it has broken down",
}
"""Why a unit that has moved goes no further, by the rule that stopped it."""


class Movement(Step["Game"], frozen=True):
    """XIII.A.1 One unit after another moves; a unit in motion may go on until another starts."""

    rule: ClassVar[str] = "XIII.A.1"
    shown: ClassVar[bool] = True
    side: Side
    unit: UnitId = UnitId(-1)
    spent: int = 0
    tainted: bool = False
    via: tuple[Space, ...] = ()
    """XIII.D The hexes declared so far for a Crusader brigade that has not moved yet."""
    stopped: tuple[tuple[UnitId, str], ...] = ()
    """Units that were stopped on their move, each with the rule that did it."""

    def actor(self, game: Game) -> Side:
        """The phasing player."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for a move."""
        if self.via:
            return f"Finish the route of {game.name(self.unit)}: move it to its last hex."
        return "Move your units, or end the movement phase."

    def caution(self, game: Game) -> str:
        """XII.B Who stands too high now is lost when the phase ends."""
        crowded = crowding(game, self.side)
        return f"{crowded}: those too many when the phase ends are lost." if crowded else ""

    def begin(self, game: Game) -> None:
        """Skip the phase when nobody can move."""
        if len(self.actions(game)) == 1:
            game.swap(Overstacked(self.side))

    def movable(self, game: Game) -> list[UnitId]:
        """XIII.A.1 Units that have not moved yet, and the one in motion."""
        pieces = game.pieces
        return [
            unit
            for unit in game.facts.of_side[self.side]
            if (piece := pieces[unit]).hex >= 0
            and piece.active
            and (not piece.moved or unit == self.unit)
        ]

    def march(self, game: Game, ground: Ground, unit: UnitId) -> March:
        """Where a unit can go from here, going on if it is in motion."""
        if unit != self.unit:
            return recall(game, ground, unit, game.pieces[unit].hex)
        start = self.via[-1] if self.via else game.pieces[unit].hex
        return recall(game, ground, unit, start, self.spent, self.tainted)

    def actions(self, game: Game) -> Sequence[Action]:
        """Every destination of every unit, and the orders that go with movement."""
        ground = Ground(game, self.side)
        found: list[Action] = []
        if self.via:
            reach = self.march(game, ground, self.unit).cost
            found += [MoveTo(self.unit, Space(hex)) for hex in (self.via[-1], *reach)]
            found += self.routes(game, ground, self.unit)
            return found
        crusaders = game.facts.crusaders
        for unit in self.movable(game):
            found += self.march(game, ground, unit).moves
            if unit in crusaders:
                found += self.routes(game, ground, unit)
            elif self.can_truck(game, unit):
                found.append(Truck(unit))
        if self.side == "allied":
            if not game.historical:
                found += [Activate(unit) for unit in sleepers(game)]
            if not game.galloped and runners(game):
                found.append(Gallop())
        if air.can_intercept_interdictor(game, self.side):
            found.append(Intercept())
        found.append(Done())
        return found

    def routes(self, game: Game, ground: Ground, unit: UnitId) -> list[Action]:
        """XIII.D Through which hexes a declared route can lead, and beyond."""
        reach = self.march(game, ground, unit)
        if reach.routes is None:
            most = allowance(game, unit)[1]
            reach.routes = [
                Route(unit, Space(hex))
                for hex, spent in reach.cost.items()
                if spent < most
                and not ground.stops[hex]
                and not mined(game, unit, reach.path(hex)[-2], hex)
            ]
        return reach.routes

    def can_truck(self, game: Game, unit: UnitId) -> bool:
        """XIII.A.2.c A convoy carries one attack factor of walking infantry."""
        piece, counter = game.pieces[unit], game.book[unit]
        return (
            counter.cls == "infantry"
            and not piece.moved
            and not piece.trucked
            and counter.attack <= game.convoys
        )

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """The first rule of movement that an order breaks."""
        if isinstance(action, Truck):
            return Refusal(
                "XIII.A.2.c",
                f"Only walking infantry that has not moved can be trucked, one convoy for each "
                f"attack factor; you have {counted(game.convoys, 'convoy')} left.",
            )
        if isinstance(action, Gallop):
            return Refusal(
                "XIII.E", "The Gazala line can be abandoned once, by Allied units on it."
            )
        if isinstance(action, Activate):
            return Refusal(
                "V.A" if game.historical else "V.B",
                "Only Allied units that sleep can be activated, when the rules allow it.",
            )
        if isinstance(action, Intercept):
            return Refusal("X.B.3", "There is no enemy air unit to intercept, or none of yours.")
        if isinstance(action, Route) and action.unit not in game.facts.crusaders:
            return Refusal("XIII.D", "Only 2nd and 22nd Armoured Brigades declare a route.")
        if not isinstance(action, MoveTo | Route):
            return None
        unit, hex = action.unit, action.hex
        what = f"{game.name(unit)} cannot move to {game.hex_name(hex)}"
        broken = first_broken(MOVE_RULES, game, self.side, unit, hex)
        if broken:
            return broken.refusal(what)
        if self.via and unit != self.unit:
            return Refusal("XIII.D", f"{what}: finish the declared route first.")
        ground = Ground(game, self.side)
        if game.pieces[unit].moved and unit != self.unit:
            number = dict(self.stopped).get(unit, "XIII.A.1")
            return Refusal(number, f"{what}: {STOPS.get(number, 'a unit moves once in a turn')}.")
        if hex in self.march(game, ground, unit).cost:  # a waypoint, but a move would go
            number = "XIII.B.1" if ground.zone[hex] else "XIII.A.2"
            return Refusal(number, f"{what} and on from there: its route can only end there.")
        return self.out_of_reach(game, ground, unit, hex, what)

    def out_of_reach(
        self, game: Game, ground: Ground, unit: UnitId, hex: Space, what: str
    ) -> Refusal:
        """The rule but for which a unit could go there: asked of ground that knows fewer rules."""
        mine = unit == self.unit
        start = self.via[-1] if mine and self.via else game.pieces[unit].hex
        spent, tainted = (self.spent, self.tainted) if mine else (0, False)
        if game.pieces[unit].galloping and not in_flight(game, start) >> hex & 1:
            return Refusal("XIII.E", f"{what}: a unit in flight moves NE, E or SE with every hex.")
        size = game.facts.board.size
        none, at_end = flags(0, size), flags(ground.zone[hex] << hex, size)
        in_zones = none if ground.sandstorm else ground.zone
        mines, cleared = ground.cleared, game.facts.board.all
        for halt, zoned, lanes, number, why in (
            (ground.stops, ground.zone, mines, "X.B.1", "move it under the enemy aircraft first"),
            (in_zones, ground.zone, mines, "XI.A.4", "it has to stop in a box or fort on the way"),
            (none, ground.zone, mines, "XIII.B.1", "it has to stop in a zone on the way"),
            (none, at_end, mines, "XIII.B.3", "enemy zones close the way"),
            (none, none, mines, "XIII.C", "neither the bonus nor a road helps into an enemy zone"),
            (none, none, cleared, "VIII.A.4", "a minefield costs a factor more and stops it"),
        ):
            ground.halt, ground.zone, ground.cleared = halt, zoned, lanes
            if hex in march(game, ground, unit, start, spent, tainted).cost:
                return Refusal(number, f"{what}: {why}.")
        return Refusal("XIII.A.2", f"{what}: that is beyond its movement factor.")

    def apply(self, game: Game, action: Action) -> None:
        """Carry out an order."""
        match action:
            case MoveTo(unit, hex):
                self.move(game, unit, hex)
            case Route(unit, hex):
                self.declare(game, unit, hex)
            case Truck(unit):
                convoys = game.book[unit].attack
                game.convoys -= convoys
                game.put(unit, trucked=True)
                game.log(ev.Trucked(unit, convoys, rule="XIII.A.2.c"))
            case Activate(unit):
                game.activate(unit, "V.B")
            case Gallop():
                flee(game)
            case Intercept():
                air.intercept_interdictor(game, self.side)
            case _:
                self.close(game)
                game.swap(Overstacked(self.side))

    def declare(self, game: Game, unit: UnitId, hex: Space) -> None:
        """XIII.D The route of a Crusader brigade is specified before it is moved."""
        if unit != self.unit:
            self.close(game)
        reach = self.march(game, Ground(game, self.side), unit)
        start = self.via if unit == self.unit and self.via else (game.pieces[unit].hex,)
        way = tuple(Space(each) for each in reach.path(hex)[1:])
        tainted = self.tainted if unit == self.unit else False
        if game.weather == "sandstorm":
            tainted |= any(zone(game, self.side) >> each & 1 for each in way)
        game.log(ev.Routed(unit, hex, rule="XIII.D"))
        game.become_step(
            replace(self, unit=unit, spent=reach.cost[hex], tainted=tainted, via=(*start, *way))
        )

    def move(self, game: Game, unit: UnitId, hex: Space) -> None:
        """XIII.A, XIII.B.1 Move a unit; it stops for good where a zone, box or mine stops it."""
        if self.unit >= 0 and unit != self.unit:
            self.close(game)
        ground = Ground(game, self.side)
        way, total = self.way_to(game, ground, unit, hex)
        game.put(unit, moved=True)
        if unit in game.facts.crusaders and breaks_down(game, ground, unit, way, total):
            game.become_step(self.over(unit, "XIII.D"))
            return
        going = walk(game, ground, unit, way, "XIII.A", total)
        number = stop_rule(game, ground, unit, way) if going else "X.B.1"
        tainted = ground.sandstorm and (
            (self.tainted and unit == self.unit) or any(ground.zone[each] for each in way[1:])
        )
        now = Movement(self.side, unit, total, tainted, (), self.stopped)
        if number or unit in game.facts.crusaders or total >= allowance(game, unit)[1]:
            now.close(game)
            now = self.over(unit, number)
        game.become_step(now)

    def over(self, unit: UnitId, number: str) -> Movement:
        """The phase after a unit's move has ended, by this rule if one has stopped it."""
        more = ((unit, number),) if number else ()
        return Movement(self.side, stopped=(*self.stopped, *more))

    def way_to(self, game: Game, ground: Ground, unit: UnitId, hex: Space) -> tuple[list[int], int]:
        """XIII.D The whole path of a move, with its declared part, and what it costs."""
        if self.via and hex == self.via[-1]:
            return list(self.via), self.spent
        reach = self.march(game, ground, unit)
        path = reach.path(hex)
        return [*self.via[:-1], *path] if self.via else path, reach.cost[hex]

    def close(self, game: Game) -> None:
        """XV.B, XIII.E When a unit's move is over, strain tells and a flight may have ended."""
        unit = self.unit
        if unit < 0 or game.pieces[unit].hex < 0:
            return
        piece = game.pieces[unit]
        if not piece.supplied and 2 * self.spent > WHOLE * game.book[unit].movement:
            game.disrupt(unit, "moved out of supply", "XV.B")
        end_flight(game, unit)

    def way(self, game: Game, action: Action) -> Sequence[Leg]:
        """XIII.A, XIII.D The path of a move or a declared route."""
        if not isinstance(action, MoveTo | Route):
            return ()
        from sandtable.titles.gallop.views import factors

        ground, unit = Ground(game, self.side), action.unit
        way, total = self.way_to(game, ground, unit, action.hex)
        before = self.spent if unit == self.unit and not self.via else 0
        spent = [*costs_along(game, ground, unit, way, before)[:-1], total]
        return [
            Leg(game.hex_name(Space(hex)), factors(cost))
            for hex, cost in zip(way, spent, strict=True)
        ]

    def odds(self, game: Game, action: Action) -> Odds | None:
        """XIII.D, X.B.1 Chances of a move that risks breakdown or air attack."""
        if isinstance(action, Intercept):
            return air.interception_odds(game, self.side)
        if not isinstance(action, MoveTo):
            return None
        unit, hex = action.unit, action.hex
        ground = Ground(game, self.side)
        if unit in game.facts.crusaders:
            way, total = self.way_to(game, ground, unit, hex)
            risk = breakdown_odds(game, ground, unit, way, total)
            if risk:
                return risk
            if game.air_of(game.enemy(self.side)).over in way[1:-1]:
                return None  # one factor, but through the hex of the air attack
        return air.interdiction_odds(game, unit, hex)


def stop_rule(game: Game, ground: Ground, unit: UnitId, way: list[int]) -> str:
    """XIII.B.1, XI.A.4, VIII.A.4 The rule that ends a move where this path ends, or none."""
    hex = way[-1]
    if ground.stops[hex]:
        return "XIII.B.1" if ground.zone[hex] and not ground.sandstorm else "XI.A.4"
    return "VIII.A.4" if len(way) > 1 and mined(game, unit, way[-2], hex) else ""
