"""XIII Operational movement: costs, zones of control, the bonus, breakdown and the flight."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from typing import ClassVar

from msgspec.structs import replace

from sandtable.boards import bits, flags, mask_of
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.sheets import Leg
from sandtable.kernel.steps import Step
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
from sandtable.titles.gallop.data import WHOLE, Class
from sandtable.titles.gallop.stacking import Overstacked, full_hexes, too_many
from sandtable.titles.gallop.state import FACE_UP, OFF_MAP, Game
from sandtable.titles.gallop.zoc import zone

EASTWARD = 3
"""XIII.E The first three directions of the board are NE, E and SE."""


def movement_class(game: Game, unit: UnitId) -> Class:
    """XIII.A.2.c Infantry on truck convoys moves as motorized."""
    return "motorized" if game.pieces[unit].trucked else game.book[unit].cls


def allowance(game: Game, unit: UnitId) -> tuple[int, int]:
    """XIII.C, VIII.A.2, VIII.B.2, IX.A, XIII.E Sixtieths for a move into a zone, and for others."""
    table, piece = game.facts.tables.movement, game.pieces[unit]
    factors = table.trucked_mf if piece.trucked else game.book[unit].movement
    if piece.disrupted:
        factors = min(factors, table.disrupted_mf)
    if game.weather != "clear":
        factors = min(factors, table.storm_mf)
    times = 2 if piece.galloping else 1
    return WHOLE * factors * times, WHOLE * (factors + table.bonus) * times


def mined(game: Game, unit: UnitId, here: int, there: int) -> bool:
    """Ruling R12 Whether an Axis unit crosses a minefield whose box still stands."""
    inner = game.facts.mined.get((here, there))
    return inner is not None and inner not in game.eliminated and game.side_of(unit) == "axis"


class Ground:
    """What one side's moves must heed just now, gathered once for all its units."""

    __slots__ = (
        "barred",
        "barred_division",
        "boxed",
        "by_box",
        "cleared",
        "enemy",
        "friends",
        "full",
        "full_division",
        "halt",
        "key",
        "sandstorm",
        "stops",
        "zone",
    )

    def __init__(self, game: Game, side: Side) -> None:
        facts, size = game.facts, game.facts.board.size
        enemy = game.enemy(side)
        self.enemy = game.lay.seen[enemy]
        self.boxed = self.enemy & game.works(enemy)
        self.by_box = flags(facts.board.spread(self.boxed, facts.zoc_exits), size)
        self.sandstorm = game.weather == "sandstorm"
        zoned = zone(game, side)
        self.zone = flags(zoned, size)
        self.full, self.full_division = full_hexes(game, side)
        self.barred = flags(self.enemy | self.full, size)
        self.barred_division = flags(self.enemy | self.full_division, size)
        self.friends = game.lay.real[side]
        # XI.A.4 An empty enemy box stops a move; XIII.B.1, VIII.A.4 so does a zone in fair weather.
        stops = game.works(enemy) & ~(self.enemy | self.friends)
        if not self.sandstorm:
            stops |= zoned
        self.stops = flags(stops, size)
        # Ruling R14 The suggested way does not lead on under an enemy air unit.
        over = game.air_of(enemy).over
        halt = stops | (1 << over if over >= 0 else 0)
        self.halt = flags(halt, size)
        self.cleared = mask_of(game.eliminated) if side == "axis" else facts.board.all
        self.key = (self.enemy, self.boxed, zoned, halt, self.cleared, game.weather)

    def around(self, local: int, division: bool) -> tuple[int, int]:
        """What friends mean for moves within some hexes: company, and stacks without room."""
        return self.friends & local, (self.full_division if division else self.full) & local


LOST, HEX = 1 << 9, (1 << 9) - 1
"""A place of the search: a hex, and whether the way there has lost the bonus (VIII.A.4)."""


class March:
    """Where a move can end: sixtieths spent by hex, and the place each way comes from."""

    __slots__ = ("came", "cost", "direct", "last", "moves", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.cost: dict[int, int] = {}
        self.came: dict[int, int] = {}
        self.last: dict[int, int] = {}
        """The place of hexes first reached by a way that has lost the bonus."""
        self.direct: dict[int, int] = {}
        """Ruling R45 Neighbours of the start, with the cost of the one step there."""
        self.moves: list[Action] = []

    def path(self, to: int) -> list[int]:
        """The step to a neighbour, else a cheapest way; first the start and last `to`."""
        if to in self.direct:
            return [self.start, to]
        way = [self.last.get(to, to)]
        while way[-1] & HEX != self.start:
            way.append(self.came[way[-1]])
        return [place & HEX for place in reversed(way)]


def march(
    game: Game, ground: Ground, unit: UnitId, start: int, spent: int = 0, tainted: bool = False
) -> March:
    """XIII.A.2, XIII.B.1, XIII.B.2, XIII.B.4, VIII.A.4 Every hex in reach after so much is spent.

    `tainted` says that the move has entered an enemy zone in a sandstorm, and lost its bonus.
    """
    facts = game.facts
    board = facts.board
    galloping = game.pieces[unit].galloping
    exits = facts.steps[movement_class(game, unit), game.weather == "rainstorm"]
    short, long = allowance(game, unit)
    zoned, halt, sandstorm = ground.zone, ground.halt, ground.sandstorm
    enemy, friends, boxed, by_box = ground.enemy, ground.friends, ground.boxed, ground.by_box
    mines, cleared = facts.mined, ground.cleared
    crossing = WHOLE * facts.tables.movement.mined_crossing
    barred = ground.barred_division if game.book[unit].division else ground.barred
    found = March(start)
    cost, came = found.cost, found.came
    best = [long + 1] * (LOST + board.size)
    place = start | LOST if tainted else start
    best[place] = spent
    heap = [spent << 10 | place]
    while heap:
        top = heappop(heap)
        place, spent = top & 1023, top >> 10
        if best[place] != spent:
            continue
        here, lost = place & HEX, place & LOST
        if here not in cost:
            cost[here] = spent
            if lost:
                found.last[here] = place
        if here != start:
            if halt[here]:
                continue
            inner = mines.get((came[place] & HEX, here))
            if inner is not None and not cleared >> inner & 1:
                continue
        most = short if lost else long
        rounded = -(-spent // WHOLE) * WHOLE
        steps = exits[here]
        if galloping:
            steps = tuple(step for step in steps if step[1] < EASTWARD)
        for there, _, on, off, mine, kin in steps:
            if barred[there]:
                continue
            if zoned[there]:
                if not friends >> there & 1:
                    same = zoned[here] and not sandstorm and kin & enemy
                    if same and _same(game, kin, here, there):
                        continue
                    if by_box[here] and by_box[there] and _between(game, boxed, here, there):
                        continue
                total = spent + on if on and sandstorm else rounded + off
                limit = short
            else:
                total = spent + on if on else rounded + off
                limit = most
            if mine and not cleared >> mines[here, there] & 1:
                total = rounded + off + crossing
            if total > limit:
                continue
            if here == start:
                found.direct[there] = total
            goal = there | LOST if sandstorm and (lost or zoned[there]) else there
            if total >= best[goal] or total >= best[there]:
                continue
            best[goal] = total
            came[goal] = place
            heappush(heap, total << 10 | goal)
    cost.update(found.direct)
    cost.pop(start)
    return found


def recall(
    game: Game, ground: Ground, unit: UnitId, start: int, spent: int = 0, tainted: bool = False
) -> March:
    """A unit's march, remembered as long as nothing that bears on it has changed."""
    piece, division = game.pieces[unit], game.book[unit].division
    state = (start, spent, tainted, piece.disrupted, piece.trucked, piece.galloping)
    known = game.marches.get(unit)
    if known is not None and known[0] == state and known[1] == ground.key:
        local = known[2]
        if ground.around(local, division) == known[3]:
            remembered: March = known[4]
            return remembered
    found = march(game, ground, unit, start, spent, tainted)
    found.moves = [MoveTo(unit, Space(hex)) for hex in found.cost]
    reached = mask_of(found.cost) | 1 << start
    local = reached | game.facts.board.spread(reached)
    around = ground.around(local, division)
    game.marches[unit] = (state, ground.key, local, around, found)
    return found


def _same(game: Game, kin: int, here: int, there: int) -> bool:
    """XIII.B.3 Whether both ends of a step lie in the zone of one enemy unit."""
    cliffs = game.facts.cliffs
    if not cliffs:
        return True
    return any(
        (hex, here) not in cliffs and (hex, there) not in cliffs
        for hex in bits(kin & game.lay.seen[game.enemy(game.phasing)])
    )


def _between(game: Game, boxed: int, here: int, there: int) -> bool:
    """XI.A.3, XI.D Whether a step leads from the zone of one enemy box into that of another."""
    cliffs, board = game.facts.cliffs, game.facts.board
    a, b = (
        mask_of(box for box in bits(board.spread(1 << hex) & boxed) if (box, hex) not in cliffs)
        for hex in (here, there)
    )
    return bool(a and b) and (a | b).bit_count() > 1


# The rules a move is measured by, in the book's order; the last word has `march`.


@rule
def own_unit(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XIII.A.1 A player moves his own units, those on the map."""
    return unit in game.facts.of_side[side] and game.pieces[unit].hex >= 0


@rule
def activated(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """V.A An Allied unit cannot move or attack until it is activated."""
    return game.pieces[unit].active


@rule
def on_land(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """III.A Units move on the land hexes of the map."""
    return bool(game.facts.land >> hex & 1)


@rule
def only_one_side(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XIII.A.3 No unit enters a hex that holds enemy units."""
    return not game.lay.seen[game.enemy(side)] >> hex & 1


@rule
def one_side_only(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XII.A.1 Only one side's units may be in a hex."""
    return only_one_side(game, side, unit, hex)


@rule
def room(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XII.A.2 At most three units stand in a hex at any time, two of them divisions."""
    there = [other for other in game.stack_at(hex) if other != unit]
    return not too_many(game, (*there, unit))


@rule
def eastward(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XIII.E A unit in flight moves NE, E or SE with every hex, until it is east of Tobruk."""
    here = game.pieces[unit].hex
    if not game.pieces[unit].galloping or game.facts.distance(here, hex) != 1:
        return True
    return game.facts.direction(here, hex) < EASTWARD


@rule
def not_up_a_cliff(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XI.D A towering escarpment cannot be crossed except by road or track."""
    here = game.pieces[unit].hex
    return game.facts.distance(here, hex) != 1 or game.facts.passable(here, hex)


@rule
def not_within_one_zone(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XIII.B.3 No direct step from one hex to another in the zone of the same enemy unit."""
    here, facts = game.pieces[unit].hex, game.facts
    if facts.distance(here, hex) != 1 or game.weather == "sandstorm":
        return True
    zoned = zone(game, side)
    if not zoned >> here & zoned >> hex & 1 or game.lay.real[side] >> hex & 1:
        return True
    kin = facts.board.spread(1 << here) & facts.board.spread(1 << hex)
    return not (kin & game.lay.seen[game.enemy(side)] and _same(game, kin, here, hex))


@rule
def not_between_boxes(game: Game, side: Side, unit: UnitId, hex: Space) -> bool:
    """XI.A.3 No direct step from the zone of one enemy box or fort into that of another."""
    here, enemy = game.pieces[unit].hex, game.enemy(side)
    boxed = game.lay.seen[enemy] & game.works(enemy)
    if game.facts.distance(here, hex) != 1 or not _between(game, boxed, here, hex):
        return True
    return bool(game.lay.real[side] >> hex & 1) or not zone(game, side) >> hex & 1


MOVE_RULES = (
    own_unit,
    activated,
    on_land,
    only_one_side,
    room,
    eastward,
    not_up_a_cliff,
    not_between_boxes,
    not_within_one_zone,
)


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

    def actor(self, game: Game) -> Side:
        """The phasing player."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for a move."""
        if self.via:
            return f"Finish the route of {game.name(self.unit)}: move it to its last hex."
        return "Move your units, or end the movement phase."

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
            found += [Route(self.unit, hex) for hex in self.waypoints(game, ground, self.unit)]
            return found
        crusaders = game.facts.crusaders
        for unit in self.movable(game):
            found += self.march(game, ground, unit).moves
            if unit in crusaders:
                found += [Route(unit, hex) for hex in self.waypoints(game, ground, unit)]
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

    def waypoints(self, game: Game, ground: Ground, unit: UnitId) -> list[Space]:
        """XIII.D Hexes a declared route can lead through and beyond."""
        reach = self.march(game, ground, unit)
        most = allowance(game, unit)[1]
        return [
            Space(hex)
            for hex, spent in reach.cost.items()
            if spent < most
            and not ground.stops[hex]
            and not mined(game, unit, reach.path(hex)[-2], hex)
        ]

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
                f"attack factor; {game.convoys} are left.",
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
            here = game.pieces[unit].hex
            if ground.zone[here] and not ground.sandstorm:
                return Refusal("XIII.B.1", f"{what}: it has moved, and stopped in an enemy zone.")
            if game.works(game.enemy(self.side)) >> here & 1 and game.stack_at(here) == [unit]:
                return Refusal("XI.A.4", f"{what}: it has moved, and stopped in an enemy box.")
            return Refusal("XIII.A.1", f"{what}: a unit moves once in a turn.")
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
        for zoned, number, why in (
            (ground.zone, "XIII.B.1", "it has to stop on the way, in a zone or box"),
            (flags(ground.zone[hex] << hex, size), "XIII.B.3", "enemy zones close the way"),
            (flags(0, size), "XIII.C", "neither the bonus nor a road helps into an enemy zone"),
        ):
            ground.halt, ground.zone = flags(0, size), zoned
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
        if unit in game.facts.crusaders and self.breakdown(game, ground, unit, way, total):
            game.become_step(Movement(self.side))
            return
        going = walk(game, ground, unit, way, "XIII.A", total)
        stopped = (
            unit in game.facts.crusaders
            or bool(ground.stops[hex])
            or (len(way) > 1 and mined(game, unit, way[-2], way[-1]))
        )
        tainted = ground.sandstorm and (
            (self.tainted and unit == self.unit) or any(ground.zone[each] for each in way[1:])
        )
        now = Movement(self.side, unit, total, tainted)
        if not going or stopped or total >= allowance(game, unit)[1]:
            now.close(game)
            now = Movement(self.side)
        game.become_step(now)

    def way_to(self, game: Game, ground: Ground, unit: UnitId, hex: Space) -> tuple[list[int], int]:
        """XIII.D The whole path of a move, with its declared part, and what it costs."""
        if self.via and hex == self.via[-1]:
            return list(self.via), self.spent
        reach = self.march(game, ground, unit)
        path = reach.path(hex)
        return [*self.via[:-1], *path] if self.via else path, reach.cost[hex]

    def breakdown(
        self, game: Game, ground: Ground, unit: UnitId, way: list[int], total: int
    ) -> bool:
        """XIII.D Crusaders risk a breakdown for each factor above the first."""
        factors = -(-total // WHOLE)
        if factors < 2:
            return False
        (face,) = game.roll("breakdown", self.side, "XIII.D", place=game.name(unit))
        if face >= factors:
            game.conclude("arrives")
            return False
        stop = breakdown_hex(game, ground, unit, way, face)
        game.conclude(f"breaks down in {game.hex_name(way[stop])}")
        part = way[: stop + 1]
        if len(part) > 1 and not walk(game, ground, unit, part, "XIII.D"):
            return True
        game.log(ev.BrokeDown(unit, Space(part[-1]), rule="XIII.D"))
        game.disrupt(unit, "breakdown", "XIII.D")
        return True

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


def walk(
    game: Game, ground: Ground, unit: UnitId, way: list[int], number: str, total: int = -1
) -> bool:
    """X.B.1, ruling R14 Go a whole path; False if an air attack on the way ended the move."""
    if total < 0:
        total = costs_along(game, ground, unit, way)[-1]
    over = game.air_of(game.enemy(game.side_of(unit))).over
    if over in way[1:-1]:
        at = way.index(over)
        enter(game, unit, way[: at + 1], costs_along(game, ground, unit, way)[at], number)
        if air.interdict(game, unit):
            return False
        way = way[at:]
    enter(game, unit, way, total, number)
    return not air.interdict(game, unit)


def enter(game: Game, unit: UnitId, way: list[int], total: int, number: str) -> None:
    """XVI Walk a path, taking control of what lies on it."""
    path = tuple(Space(hex) for hex in way)
    if game.pieces[unit].hidden:
        game.activate(unit, "V.B")
    if len(path) > 1:
        game.place(unit, path[-1])
    game.log(ev.Moved(unit, path, total, rule=number))
    game.take_control(path[1:], game.side_of(unit))


def costs_along(
    game: Game, ground: Ground, unit: UnitId, way: list[int], before: int = 0
) -> list[int]:
    """XIII.A.2.d Sixtieths spent at each hex of a path, fractions lost on leaving the net."""
    exits = game.facts.steps[movement_class(game, unit), game.weather == "rainstorm"]
    spent = [before]
    for here, there in pairwise(way):
        on, off = next((step[2], step[3]) for step in exits[here] if step[0] == there)
        whole = -(-spent[-1] // WHOLE) * WHOLE
        if mined(game, unit, here, there):
            spent.append(whole + off + WHOLE * game.facts.tables.movement.mined_crossing)
        elif on and (not ground.zone[there] or ground.sandstorm):
            spent.append(spent[-1] + on)
        else:
            spent.append(whole + off)
    return spent


def breakdown_hex(game: Game, ground: Ground, unit: UnitId, way: list[int], face: int) -> int:
    """XIII.D How far along its path a brigade gets: to the end of the movement factor rolled."""
    spent = costs_along(game, ground, unit, way)
    return max(at for at, cost in enumerate(spent) if cost <= face * WHOLE)


def breakdown_odds(
    game: Game, ground: Ground, unit: UnitId, way: list[int], total: int
) -> Odds | None:
    """XIII.D Where a Crusader brigade may break down."""
    factors = -(-total // WHOLE)
    if factors < 2:
        return None
    sixth = Fraction(1, 6)
    enemy = game.enemy(game.side_of(unit))
    chances: dict[str, Chance] = {}
    for face in range(1, 7):
        favours: Side | None = None
        if face < factors:
            stop = way[breakdown_hex(game, ground, unit, way, face)]
            text, favours = f"breaks down in {game.hex_name(stop)}", enemy
        else:
            text = "arrives"
        old = chances.get(text)
        chances[text] = (
            Chance(text, old.probability + sixth, old.faces, favours)
            if old
            else Chance(text, sixth, (face,), favours)
        )
    modifier = Modifier("movement factors above the first", factors - 1, "XIII.D")
    over = game.air_of(enemy).over
    apart = () if over not in way[1:] else (f"the air attack in {game.hex_name(over)} comes apart",)
    return Odds((modifier,), tuple(chances.values()), apart)


def in_flight(game: Game, start: int) -> int:
    """XIII.E All that lies ahead of a unit that moves NE, E or SE with every hex."""
    around, found, edge = game.facts.board.around, 0, {start}
    while edge:
        edge = {hex for here in edge for hex in around[here][:EASTWARD] if hex >= 0}
        found |= mask_of(edge)
    return found


def sleepers(game: Game) -> list[UnitId]:
    """V.A, V.B Allied units on the map that are not activated."""
    return [unit for unit in game.on_map("allied") if not game.pieces[unit].active]


def runners(game: Game) -> list[UnitId]:
    """XIII.E Allied units on the Gazala line or next to it that can still flee."""
    facts = game.facts
    near = facts.board.within(facts.line, 1)
    return [
        unit
        for unit in game.on_map("allied")
        if near >> game.pieces[unit].hex & 1
        and not game.pieces[unit].moved
        and facts.board.column[game.pieces[unit].hex] <= facts.map.objectives.flight_column
    ]


def flee(game: Game) -> None:
    """XIII.E Activate the units on the line; they move at twice their factors, eastward only."""
    units = tuple(runners(game))
    game.galloped = True
    game.log(ev.Galloped(units, rule="XIII.E"))
    for unit in units:
        game.activate(unit, "XIII.E")
        game.put(unit, galloping=True, hidden=FACE_UP)


def end_flight(game: Game, unit: UnitId) -> None:
    """XIII.E A flight is over east of Tobruk, however the unit came there."""
    hex = game.pieces[unit].hex
    if game.pieces[unit].galloping and hex >= 0:
        column = game.facts.board.column[hex]
        if column > game.facts.map.objectives.flight_column:
            game.put(unit, galloping=False)


def fresh_turn(game: Game, side: Side) -> None:
    """XIII.A.1, XIV.A.1 Units may move once and attack once in each game turn."""
    for unit in game.facts.of_side[side]:
        end_flight(game, unit)
        piece = game.pieces[unit]
        if piece.hex != OFF_MAP and (piece.moved or piece.attacked or piece.trucked):
            game.put(unit, moved=False, attacked=False, trucked=False)
