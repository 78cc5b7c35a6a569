"""What a side of The Gazala Gallop sees: enemies, prizes, supply, and what they are worth."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property, lru_cache
from itertools import islice

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Side
from sandtable.players.knowledge.gallop_muster import Target
from sandtable.titles.gallop.actions import MoveTo
from sandtable.titles.gallop.data import Data
from sandtable.titles.gallop.lines import lines, mined
from sandtable.titles.gallop.printed import Counter
from sandtable.titles.gallop.reckoning import odds_column
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.terrain import SCALE, defense

LAST_TURN = 14
LEASH = 0.25
"""What it costs each attack factor to leave supply."""
UNLEASHED = 6
"""Supply matters less and less in so many last turns,"""
DEAR = 5.0
"""but always to units worth so many points."""
UNHEALED = 0.3
"""What it costs a Disrupted unit to be where it cannot recover, as a share of its worth."""
RESULTS = {
    "DE": 1.0, "R2": 0.45, "R1": 0.3, "D": 0.22, "-": 0.0,
    "AR": -0.3, "DAR": -0.05, "DAE": -0.6, "AE": -1.0,
}  # fmt: skip
"""What a result is worth to the attacker, as a share of the defender's worth."""


@lru_cache(maxsize=64)
def column_worth(data: Data) -> tuple[float, ...]:
    """The mean worth of each column of the combat table."""
    return tuple(sum(RESULTS.get(face, 0.0) for face in faces) / 6 for faces in data.gcrt)


@lru_cache(maxsize=4096)
def ring(data: Data, hex: int) -> tuple[int, ...]:
    """The distance of every hex from this one."""
    return tuple(data.distance(hex, other) for other in range(data.board.size))


@lru_cache(maxsize=1024)
def fading(data: Data, hex: int, strength: float, rate: float) -> tuple[float, ...]:
    """What reaches every hex of a pull from this one that weakens with each hex."""
    return tuple(strength * rate**far for far in ring(data, hex))


@lru_cache(maxsize=1024)
def under_fire(data: Data, hex: int, reach: int) -> tuple[tuple[int, int], ...]:
    """The hexes that units in this one threaten, with what their factors are divided by."""
    far = ring(data, hex)
    return tuple(
        (other, 1 if far[other] <= 2 else 2) for other in spots(data.board.within(1 << hex, reach))
    )


@lru_cache(maxsize=1 << 16)
def ratio(data: Data, attack: int, against: int) -> float:
    """The worth of an attack with so many quarter factors against so many."""
    column = odds_column(data, attack, against)
    return -1.0 if column is None else column_worth(data)[column]


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
        self.special = [(at, hex) for at, hex in enumerate(self.hexes) if field.special[hex]]
        self.rooms: dict[int, set[int]] = {}
        """The hexes beside each target that it reaches."""
        for _, hex in self.special:
            for target in field.beside[hex]:
                self.rooms.setdefault(target, set()).add(hex)


class Field:
    """What does not change while one side moves: enemies, prizes, and what they draw on."""

    def __init__(self, game: Game, side: Side) -> None:
        data = game.facts
        enemy = game.enemy(side)
        self.side = side
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
            self.targets.append(Target(hex, max(1.0, total), value, broken))
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
        found = [drawn * pull for pull in self.pull]
        for hex, prize in self.prizes.items():
            found[hex] += prize
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
            far = min((ring(data, hex)[each.hex] for each in self.targets), default=20)
            found[hex] *= 0.1 + 0.6 * 0.85 ** max(0, far - 2)
        return found

    def ratio(self, game: Game, attack: float, against: float) -> float:
        """The worth of an attack with so many factors against so many."""
        return ratio(game.facts, round(attack * 4), round(against * 4))


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


_FIELDS: dict[Hashable, Field] = {}


def field_of(game: Game, side: Side) -> Field:
    """The field as this side sees it, remembered while the enemy stands as he does."""
    enemy = game.enemy(side)
    pieces = game.pieces
    key = (
        id(game.book), side, game.lay.seen[enemy], game.axis_holds, game.eliminated,
        game.eastern_sources(),
        tuple([
            (piece.hex, piece.disrupted, piece.active)
            for unit in game.facts.of_side[enemy]
            for piece in (pieces[unit],)
        ]),
    )  # fmt: skip
    found = _FIELDS.get(key)
    if found is None:
        if len(_FIELDS) > 128:
            _FIELDS.clear()
        found = _FIELDS[key] = Field(game, side)
    return found
