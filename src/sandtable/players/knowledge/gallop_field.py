"""What a side of The Gazala Gallop sees: enemies, prizes, supply, and what they are worth."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from itertools import islice

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Side
from sandtable.players.knowledge.gallop_muster import Target
from sandtable.titles.gallop.actions import MoveTo
from sandtable.titles.gallop.data import WHOLE, Data
from sandtable.titles.gallop.lines import lines, mined
from sandtable.titles.gallop.printed import Class, Counter
from sandtable.titles.gallop.reckoning import odds_column
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.terrain import SCALE, defense
from sandtable.titles.gallop.zoc import zone

LAST_TURN = 14
LEASH = 0.25
"""What it costs each attack factor to leave supply."""
UNLEASHED = 6
"""Supply matters less and less in so many last turns,"""
DEAR = 5.0
"""but always to units worth so many points."""
UNHEALED = 0.3
"""What it costs a Disrupted unit to be where it cannot recover, as a share of its worth."""
WINNING = 20.0
"""What it is worth to stand where one wins at once."""
UNREACHED = 60 * WHOLE
RESULTS = {
    "DE": 1.0, "R2": 0.45, "R1": 0.3, "D": 0.22, "-": 0.0,
    "AR": -0.3, "DAR": -0.05, "DAE": -0.6, "AE": -1.0,
}  # fmt: skip
"""What a result is worth to the attacker, as a share of the defender's worth."""


@lru_cache(maxsize=64)
def column_worth(data: Data, shut: bool) -> tuple[float, ...]:
    """The mean worth of each column of the combat table; XIV.D.3 if retreat is shut, R2 kills."""
    worth = RESULTS | ({"R2": 1.0} if shut else {})
    return tuple(sum(worth[face] for face in faces) / 6 for faces in data.gcrt)


@lru_cache(maxsize=1024)
def fading(data: Data, hex: int, strength: float, rate: float) -> tuple[float, ...]:
    """What reaches every hex of a pull from this one that weakens with each hex."""
    return tuple(strength * rate**far for far in data.board.ring(hex))


@lru_cache(maxsize=1024)
def under_fire(data: Data, hex: int, reach: int) -> tuple[tuple[int, int], ...]:
    """The hexes that units in this one threaten, with what their factors are divided by."""
    far = data.board.ring(hex)
    return tuple(
        (other, 1 if far[other] <= 2 else 2) for other in spots(data.board.within(1 << hex, reach))
    )


@lru_cache(maxsize=1 << 16)
def ratio(data: Data, attack: int, against: int, shut: bool = False) -> float:
    """The worth of an attack with so many quarter factors against so many."""
    column = odds_column(data, attack, against)
    return -1.0 if column is None else column_worth(data, shut)[column]


@lru_cache(maxsize=64)
def journeys(data: Data, goal: int, cls: Class) -> tuple[int, ...]:
    """XIII.A.2 About what it costs units of a class to come to a hex from others, unopposed."""
    steps = data.steps[cls, False]
    found = [UNREACHED] * data.board.size
    found[goal] = 0
    heap = [(0, goal)]
    while heap:
        spent, here = heappop(heap)
        if spent > found[here]:
            continue
        for there in data.board.neighbours[here]:
            for to, _, on, off, _, _ in steps[there]:
                if to == here and spent + (on or off) < found[there]:
                    found[there] = spent + (on or off)
                    heappush(heap, (found[there], there))
    return tuple(found)


def raid(game: Game, goal: int) -> float:
    """IV.A.1 How near the Allies are to a hex that wins them the game: 1 within a turn."""
    data, table = game.facts, game.facts.tables.movement
    nearest = UNREACHED / WHOLE
    for unit in game.on_map("allied"):
        counter, piece = game.book[unit], game.pieces[unit]
        factors = min(counter.movement, table.disrupted_mf) if piece.disrupted else counter.movement
        far = journeys(data, goal, counter.cls)[piece.hex]
        nearest = min(nearest, far / (WHOLE * (factors + table.bonus)))
    return 1.0 if nearest <= 1 else max(0.0, 1.6 - 0.6 * nearest)


_WORTHS: dict[int, tuple[tuple[Counter, ...], tuple[float, ...]]] = {}


def worths(book: tuple[Counter, ...], data: Data) -> tuple[float, ...]:
    """IV The points that the loss of each unit gives the enemy, and its use in the field."""
    known = _WORTHS.get(id(book))
    if known is None:
        if len(_WORTHS) > 16:
            _WORTHS.clear()
        found = tuple(worth(book, data, UnitId(unit)) for unit in range(len(book)))
        known = _WORTHS[id(book)] = (book, found)
    return known[1]


def worth(book: tuple[Counter, ...], data: Data, unit: UnitId) -> float:
    """The same of one unit."""
    counter, table = book[unit], data.tables.victory
    if counter.side == "allied":
        points = table.allied_division if counter.division else table.allied_brigade
    elif counter.nation == "german" and counter.division:
        points = table.german_division
    else:
        points = table.ariete if unit == data.ariete else table.other_axis
    return points + 0.15 * counter.attack


def sentry(attack: int) -> float:
    """How fit a unit is to guard a hex: the weak are, the strong are wanted elsewhere."""
    return max(0.2, 1.2 - 0.2 * attack)


class Group:
    """The moves open to one unit, as a field looks at them; the rules keep them together."""

    def __init__(self, field: Field, moves: Sequence[MoveTo]) -> None:
        self.unit, self.first, self.last = moves[0].unit, moves[0], moves[-1]
        self.hexes = [move.hex for move in moves]
        self.spots = [at for at, hex in enumerate(self.hexes) if field.special[hex]]
        """Which of the hexes are special,"""
        self.special = [self.hexes[at] for at in self.spots]
        """and those hexes."""
        self.rooms: dict[int, set[int]] = {}
        """The hexes beside each target that it reaches."""
        for hex in self.special:
            for target in field.beside[hex]:
                self.rooms.setdefault(target, set()).add(hex)


class Field:
    """What does not change while one side moves: enemies, prizes, and what they draw on."""

    def __init__(self, game: Game, side: Side, zeal: float) -> None:
        data = game.facts
        enemy = game.enemy(side)
        self.side, self.zeal = side, zeal
        self._game = game.copy()
        self.targets: list[Target] = []
        self.worth = worths(game.book, data)
        self.beside: list[list[int]] = [[] for _ in range(data.board.size)]
        """The targets beside each hex."""
        self.prizes = self._prizes(game)
        for hex in spots(game.lay.seen[enemy]):
            stack = game.stack_at(hex)
            total = 2.0
            if stack:
                total = defense(game, Space(hex), (), told=False).total / SCALE
            value = sum(self.worth[unit] for unit in stack) + 0.5 * self.prizes.get(hex, 0.0)
            if side == "axis" and stack and data.allied_win >> hex & 1:
                value += data.tables.victory.immediate
            broken = bool(stack) and all(game.pieces[unit].disrupted for unit in stack)
            for other in spots(data.strike_from[hex]):
                self.beside[other].append(len(self.targets))
            works = bool(game.works(enemy) >> hex & 1)
            shut = not self.way_out(game, hex)
            self.targets.append(Target(hex, max(1.0, total), value, broken, works, shut))
        self._fed: dict[int, tuple[list[int], list[int]]] = {}
        self._ground: dict[tuple[UnitId, bool], list[float]] = {}
        self._groups: dict[int, Group] = {}

    @cached_property
    def fire(self) -> list[float]:
        """Attack factors that the enemy could bring near each hex."""
        game = self._game
        found = [0.0] * game.facts.board.size
        for target in self.targets:
            stack = game.stack_at(target.hex)
            power = sum(
                game.book[unit].attack
                for unit in stack
                if game.pieces[unit].active and not game.pieces[unit].disrupted
            )
            slow = not any(game.book[unit].cls == "armor" for unit in stack)
            if power:
                for other, share in under_fire(game.facts, target.hex, 2 if slow else 4):
                    found[other] += power / share
        return found

    @cached_property
    def pull(self) -> list[float]:
        """How much each hex draws units on."""
        data = self._game.facts
        pulls = [fading(data, hex, 0.5 * value, 0.8) for hex, value in self.prizes.items()]
        for each in self.targets:
            ease = (1.5 if each.broken else 1.0) * min(1.0, 3 / each.defense)
            pulls.append(fading(data, each.hex, 0.35 * ease * each.worth, 0.7))
        return list(map(sum, zip(*pulls, strict=True)))

    @cached_property
    def special(self) -> list[bool]:
        """Hexes where it matters who else is there: beside enemies, or to be guarded."""
        found = [bool(beside) for beside in self.beside]
        for hex in self.guards:
            found[hex] = True
        return found

    def fed(self, game: Game) -> list[int]:
        """The supply line to each hex with a unit in it, worked out once for the present lines."""
        now = lines(game, self.side)
        known = self._fed.get(id(now))
        if known is None:
            known = self._fed[id(now)] = (now, within_reach(game, self.side))
        return known[1]

    def group(self, actions: Sequence[Action], at: int) -> Group:
        """The moves of one unit that begin here; the rules offer the same ones again and again."""
        first = actions[at]
        assert isinstance(first, MoveTo)
        known = self._groups.get(id(first))
        if known:
            end = at + len(known.hexes)
            if end <= len(actions) and actions[end - 1] is known.last:
                return known
        moves = []
        for action in islice(actions, at, None):
            if type(action) is not MoveTo or action.unit != first.unit:
                break
            moves.append(action)
        found = Group(self, moves)
        return found if known else self._groups.setdefault(id(first), found)

    def leash(self, game: Game, unit: UnitId) -> float:
        """What it costs a unit to be out of supply."""
        price = self.worth[unit]
        leash = 0.5 + LEASH * game.book[unit].attack
        if price < DEAR:
            leash *= min(1.0, (LAST_TURN + 1 - game.turn) / UNLEASHED)
        if game.pieces[unit].disrupted:
            leash += UNHEALED * price
        return leash

    def ground(self, game: Game, unit: UnitId) -> list[float]:
        """What each hex is worth to a unit, supply and contact with the enemy aside."""
        key = (unit, game.pieces[unit].disrupted)
        found = self._ground.get(key)
        if found is None:
            found = self._ground[key] = self._survey(game, unit)
        return found

    def _survey(self, game: Game, unit: UnitId) -> list[float]:
        counter = game.book[unit]
        mobile = counter.cls == "armor" or counter.movement > 2
        drawn = 0.9 if self.side == "axis" else 0.6 if mobile else 0.25
        frail = self.worth[unit] * (1.0 if game.pieces[unit].disrupted else 0.7)
        drawn *= self.zeal
        found = [drawn * pull for pull in self.pull]
        for hex, prize in self.prizes.items():
            found[hex] += prize
        if self.side == "allied":
            for hex in spots(game.facts.allied_win):
                found[hex] += WINNING
        works = () if counter.cls == "armor" else spots(game.works(self.side))
        for hex in works:
            found[hex] += 0.7
        for hex, fire in enumerate(self.fire):
            if fire and not self.beside[hex]:
                guard = counter.defense + (3.0 if hex in works else 1.0)
                risk = ratio(game.facts, round(fire * 2.4), round(guard * 4))
                if risk > 0:
                    found[hex] -= risk * frail
        return found

    def _prizes(self, game: Game) -> dict[int, float]:
        """Hexes worth standing on, by the points they give or keep."""
        data, table = game.facts, game.facts.tables.victory
        found: dict[int, float] = {}
        held = set(game.axis_holds)
        if self.side == "axis":
            found[data.dump] = table.supply_dump * (0.15 if data.dump in held else 1.0)
            found[data.tobruk] = table.tobruk_taken * (0.15 if data.tobruk in held else 1.0)
            for hex in game.eastern_sources():
                found[hex] = table.eastern_source * (0.1 if hex in held else 1.0)
        else:
            found[data.dump] = table.supply_dump * (1.0 if data.dump in held else 0.4)
            found[data.tobruk] = table.tobruk_taken * (1.0 if data.tobruk in held else 0.4)
            for hex in game.eastern_sources():
                found[hex] = table.eastern_source * (1.0 if hex in held else 0.2)
            found[data.gazala_position] = 0.4 * table.gazala_position
            found |= {hex: 3.0 for hex in spots(data.allied_win)}
        return found

    @cached_property
    def guards(self) -> dict[int, float]:
        """Hexes that should not stand empty, the more so the nearer the enemy."""
        game = self._game
        data, table = game.facts, game.facts.tables.victory
        if self.side == "axis":
            found = {hex: float(table.immediate) for hex in spots(data.allied_win)}
            taken = {data.dump: float(table.supply_dump), data.tobruk: float(table.tobruk_taken)}
            taken |= {hex: float(table.eastern_source) for hex in game.eastern_sources()}
            found |= {hex: worth for hex, worth in taken.items() if hex in game.axis_holds}
        else:
            found = {data.dump: float(table.supply_dump), data.tobruk: float(table.tobruk_taken)}
            found |= {hex: float(table.eastern_source) for hex in game.eastern_sources()}
        for hex in found:
            if data.allied_win >> hex & 1:
                found[hex] *= 0.1 + 0.6 * raid(game, hex)
                continue
            far = min((data.board.ring(hex)[each.hex] for each in self.targets), default=20)
            found[hex] *= 0.1 + 0.6 * 0.85 ** max(0, far - 2)
        return found

    def ratio(self, game: Game, attack: float, against: float, *, shut: bool = False) -> float:
        """The worth of an attack with so many factors against so many, who may have no way out."""
        return ratio(game.facts, round(attack * 4), round(against * 4), shut)

    def way_out(self, game: Game, hex: int) -> bool:
        """XIV.D.2 Whether an enemy there could retreat at all: to a free hex, or to friends."""
        data, enemy = game.facts, game.enemy(self.side)
        open_ = data.land & ~zone(game, enemy) | game.lay.real[enemy]
        return bool(data.board.spread(1 << hex) & open_ & ~game.lay.seen[self.side])


def within_reach(game: Game, side: Side) -> list[int]:
    """XV.A.2 How long the line to each hex would be with a unit in it, whom enemy zones spare."""
    fed, steps = lines(game, side), game.facts.lines
    mines = mined(game, side)
    foes = game.lay.seen[game.enemy(side)]
    found = list(fed)
    for hex in spots(game.facts.board.spread(foes) & ~foes):
        for there, net, step in steps[hex]:
            if (there, hex) not in mines:
                found[hex] = min(found[hex], fed[there] + (0 if net and not fed[there] else step))
    return found


def field_of(game: Game, side: Side, zeal: float = 1.0) -> Field:
    """The field as this side sees it, remembered while the enemy stands as he does.

    Zeal is how much the side is drawn on by what lies before it.
    """
    enemy = game.enemy(side)
    pieces = game.pieces
    key = (
        id(game.book), side, zeal, game.lay.seen[enemy], game.axis_holds, game.eliminated,
        game.eastern_sources(),
        tuple([
            (piece.hex, piece.disrupted, piece.active)
            for unit in game.facts.of_side[enemy]
            for piece in (pieces[unit],)
        ]),
    )  # fmt: skip
    known: dict[Hashable, Field] = game.memory.setdefault("fields", {})
    found = known.get(key)
    if found is None:
        if len(known) > 128:
            known.clear()
        found = known[key] = Field(game, side, zeal)
    return found
