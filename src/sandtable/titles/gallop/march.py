"""XIII.A-C What a move costs, where zones of control stop it, and every hex it can reach."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise

from sandtable.boards import bits, flags, mask_of
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Side
from sandtable.titles.gallop import air
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import MoveTo
from sandtable.titles.gallop.data import WHOLE
from sandtable.titles.gallop.flight import EASTWARD
from sandtable.titles.gallop.printed import Class
from sandtable.titles.gallop.stacking import full_hexes
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.zoc import zone


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
        "zoned",
    )

    def __init__(self, game: Game, side: Side, hopeful: bool = False) -> None:
        """Hopeful: friends make room in time, and nobody is stopped from the air."""
        facts, size = game.facts, game.facts.board.size
        enemy = game.enemy(side)
        self.enemy = game.lay.seen[enemy]
        self.boxed = self.enemy & game.works(enemy)
        self.by_box = flags(facts.board.spread(self.boxed, facts.zoc_exits), size)
        self.sandstorm = game.weather == "sandstorm"
        self.zoned = zoned = zone(game, side)
        self.zone = flags(zoned, size)
        self.full, self.full_division = (0, 0) if hopeful else full_hexes(game, side)
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
        halt = stops | (1 << over if over >= 0 and not hopeful else 0)
        self.halt = flags(halt, size)
        self.cleared = mask_of(game.eliminated) if side == "axis" else facts.board.all
        self.key = (self.enemy, self.boxed, zoned, stops, halt, self.cleared, game.weather)

    def around(self, local: int, division: bool) -> tuple[int, int]:
        """What friends mean for moves within some hexes: company in zones, and full stacks."""
        full = self.full_division if division else self.full
        return self.friends & self.zoned & local, full & local


MARCHES = 4096
"""Units in their state and ground whose marches are remembered."""

LOST, MINED, HEX = 1 << 9, 1 << 10, (1 << 9) - 1
"""A place of the search: a hex, and whether the way there has lost the bonus (VIII.A.4)."""


class March:
    """Where a move can end: sixtieths spent by hex, and the place each way comes from."""

    __slots__ = ("came", "cost", "direct", "last", "moves", "routes", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.cost: dict[int, int] = {}
        self.came: dict[int, int] = {}
        self.last: dict[int, int] = {}
        """The place of hexes first reached by a way that has lost the bonus."""
        self.direct: dict[int, int] = {}
        """Ruling R45 Neighbours of the start, with the cost of the one step there."""
        self.moves: list[Action] = []
        self.routes: list[Action] | None = None
        """XIII.D Declared routes of a Crusader brigade, once asked for."""

    def path(self, to: int) -> list[int]:
        """The step to a neighbour, else a cheapest way; first the start and last `to`."""
        if to in self.direct:
            return [self.start, to]
        way = [self.last.get(to, to)]
        while way[-1] & HEX != self.start:
            way.append(self.came[way[-1]])
        return [place & HEX for place in reversed(way)]

    def last_step(self, to: int) -> list[int]:
        """The last two hexes of the path."""
        if to in self.direct:
            return [self.start, to]
        return [self.came[self.last.get(to, to)] & HEX, to]


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
    best = [long + 1] * (LOST + MINED + board.size)
    place = start | LOST if tainted else start
    best[place] = spent
    heap = [spent << 11 | place]
    while heap:
        top = heappop(heap)
        place, spent = top & 2047, top >> 11
        if best[place] != spent:
            continue
        here, lost = place & HEX, place & LOST
        if here not in cost:
            cost[here] = spent
            if place != here:
                found.last[here] = place
        if here != start and (halt[here] or place & MINED):
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
                    if same and within_one_zone(game, kin, here, there):
                        continue
                    if by_box[here] and by_box[there] and between_boxes(game, boxed, here, there):
                        continue
                total = spent + on if on and sandstorm else rounded + off
                limit = short
            else:
                total = spent + on if on else rounded + off
                limit = most
            crosses = mine and not cleared >> mines[here, there] & 1
            if crosses:
                total = rounded + off + crossing
            if total > limit:
                continue
            if here == start:
                found.direct[there] = total
            goal = there | LOST if sandstorm and (lost or zoned[there]) else there
            if crosses:
                goal |= MINED
            if total >= best[goal] or total >= best[there]:
                continue
            best[goal] = total
            came[goal] = place
            heappush(heap, total << 11 | goal)
    cost.update(found.direct)
    cost.pop(start)
    return found


def recall(
    game: Game, ground: Ground, unit: UnitId, start: int, spent: int = 0, tainted: bool = False
) -> March:
    """A unit's march, remembered as long as nothing that bears on it has changed."""
    piece, division = game.pieces[unit], game.book[unit].division
    state = (unit, start, spent, tainted, piece.disrupted, piece.trucked, piece.galloping)
    key = (state, ground.key)
    known: list[tuple[int, tuple[int, int], March]] | None = game.marches.get(key)
    if known is None:
        if len(game.marches) > MARCHES:
            game.marches.clear()
        known = game.marches[key] = []
    for local, around, remembered in known:
        if ground.around(local, division) == around:
            return remembered
    found = march(game, ground, unit, start, spent, tainted)
    found.moves = [MoveTo(unit, Space(hex)) for hex in found.cost]
    reached = mask_of(found.cost) | 1 << start
    local = reached | game.facts.board.spread(reached)
    known.append((local, ground.around(local, division), found))
    return found


def within_one_zone(game: Game, kin: int, here: int, there: int) -> bool:
    """XIII.B.3 Whether both ends of a step lie in the zone of one enemy unit."""
    cliffs = game.facts.cliffs
    if not cliffs:
        return True
    return any(
        (hex, here) not in cliffs and (hex, there) not in cliffs
        for hex in bits(kin & game.lay.seen[game.enemy(game.phasing)])
    )


def between_boxes(game: Game, boxed: int, here: int, there: int) -> bool:
    """XI.A.3, XI.D Whether a step leads from the zone of one enemy box into that of another."""
    cliffs, board = game.facts.cliffs, game.facts.board
    a, b = (
        mask_of(box for box in bits(board.spread(1 << hex) & boxed) if (box, hex) not in cliffs)
        for hex in (here, there)
    )
    return bool(a and b) and (a | b).bit_count() > 1


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
