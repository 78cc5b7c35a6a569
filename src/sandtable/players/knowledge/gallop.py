"""What wargamers know of The Gazala Gallop: columns of the table, roads of supply, prizes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

from sandtable.boards import bits
from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.events import Side
from sandtable.players.effort import Effort
from sandtable.players.knowledge.gallop_absurd import blunders, follies
from sandtable.players.knowledge.gallop_muster import Muster, Target
from sandtable.players.knowledge.weights import Fitted
from sandtable.titles.gallop.actions import (
    Activate,
    Airlift,
    Airstrike,
    Also,
    Arrive,
    Attack,
    Besiege,
    Convoy,
    Done,
    Drive,
    Gallop,
    Intercept,
    Join,
    Lose,
    MoveTo,
    Place,
    Post,
    Resolve,
    RetreatTo,
    Route,
    Stand,
    Truck,
)
from sandtable.titles.gallop.combat import Assault
from sandtable.titles.gallop.data import Data
from sandtable.titles.gallop.lines import basic_length, lines, mined
from sandtable.titles.gallop.reckoning import odds_column
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.terrain import SCALE, defense
from sandtable.titles.gallop.victory import allied_lines, axis_lines

LAST_TURN = 14
MOVING = 0.15
"""What a move must bring to be worth the trouble."""
LEASH = 0.25
"""What it costs each attack factor to leave supply."""
UNLEASHED = 6
"""Supply matters less and less in so many last turns,"""
DEAR = 5.0
"""but always to units worth so many points."""
UNHEALED = 0.3
"""What it costs a Disrupted unit to be where it cannot recover, as a share of its worth."""
AIMED = 1.0
"""How much a unit is drawn to the attack it is sent to, as a share of what the attack brings."""
EXPOSED = 0.1
"""What it costs a unit to stand beside enemies, who strike back, as a share of its worth."""
AIMING = 0.05
"""The same for the enemy that it is sent to attack; half of that if others attack him."""
UNFIT = 0.3
"""The same for units that cannot attack, and may be thrown back."""
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


@lru_cache(maxsize=4096)
def fading(data: Data, hex: int, rate: float) -> tuple[float, ...]:
    """What reaches every hex of a pull from this one that weakens with each hex."""
    return tuple(rate**far for far in ring(data, hex))


@lru_cache(maxsize=1 << 16)
def ratio(data: Data, attack: int, against: int) -> float:
    """The worth of an attack with so many quarter factors against so many."""
    column = odds_column(data, attack, against)
    return -1.0 if column is None else column_worth(data)[column]


def worth(game: Game, unit: UnitId) -> float:
    """IV The points that the loss of a unit gives the enemy, and its use in the field."""
    counter, table = game.book[unit], game.facts.tables.victory
    if counter.side == "allied":
        points = table.allied_division if counter.division else table.allied_brigade
    elif counter.nation == "german" and counter.division:
        points = table.german_division
    else:
        points = table.ariete if unit == game.facts.ariete else table.other_axis
    return points + 0.15 * counter.attack


def sentry(attack: int) -> float:
    """How fit a unit is to guard a hex: the weak are, the strong are wanted elsewhere."""
    return max(0.2, 1.2 - 0.2 * attack)


class Field:
    """What does not change while one side moves: enemies, prizes, supply."""

    def __init__(self, game: Game, side: Side) -> None:
        data = game.facts
        enemy = game.enemy(side)
        self.side = side
        self.length = basic_length(game)
        self.fed = within_reach(game, side)
        self.targets: list[Target] = []
        self.worth = [worth(game, UnitId(unit)) for unit in range(len(game.book))]
        self.beside: list[list[int]] = [[] for _ in range(data.board.size)]
        self.fire = [0.0] * data.board.size
        """Attack factors that the enemy could bring near each hex."""
        self.pull = [0.0] * data.board.size
        """How much each hex draws units on."""
        prizes = self._prizes(game)
        for hex in bits(game.lay.seen[enemy]):
            stack = game.stack_at(hex)
            total = defense(game, hex, ()).total / SCALE if stack else 2.0  # type: ignore[arg-type]
            value = sum(worth(game, unit) for unit in stack) + 0.5 * prizes.get(hex, 0.0)
            if side == "axis" and stack and data.allied_win >> hex & 1:
                value += data.tables.victory.immediate
            broken = bool(stack) and all(game.pieces[unit].disrupted for unit in stack)
            for other in bits(data.strike_from[hex]):
                self.beside[other].append(len(self.targets))
            self.targets.append(Target(hex, max(1.0, total), value, broken))
            power = sum(
                game.book[unit].attack
                for unit in stack
                if game.pieces[unit].active and not game.pieces[unit].disrupted
            )
            slow = not any(game.book[unit].cls == "armor" for unit in stack)
            if power:
                for other in bits(data.board.within(1 << hex, 2 if slow else 4)):
                    self.fire[other] += power / (1 if ring(data, hex)[other] <= 2 else 2)
        pulls = [(hex, 0.5 * value, 0.8) for hex, value in prizes.items()]
        for each in self.targets:
            ease = (1.5 if each.broken else 1.0) * min(1.0, 3 / each.defense)
            pulls.append((each.hex, 0.35 * ease * each.worth, 0.7))
        for hex, strength, rate in pulls:
            near = fading(data, hex, rate)
            self.pull = [pull + strength * far for pull, far in zip(self.pull, near, strict=True)]
        self.prizes = prizes
        self.guards = self._guards(game)
        self.special = [bool(beside) for beside in self.beside]
        """Hexes where it matters who else is there: beside enemies, or to be guarded."""
        for hex in self.guards:
            self.special[hex] = True
        self.known: dict[UnitId, list[float]] = {}
        """For units away from enemies, what each hex is worth to them."""

    def places(self, game: Game, unit: UnitId) -> list[float]:
        """What each hex is worth to a unit, contact with the enemy aside."""
        found = self.known.get(unit)
        if found is None:
            found = self.known[unit] = self._places(game, unit)
        return found

    def _places(self, game: Game, unit: UnitId) -> list[float]:
        counter = game.book[unit]
        mobile = counter.cls == "armor" or counter.movement > 2
        drawn = 0.9 if self.side == "axis" else 0.6 if mobile else 0.25
        works = game.works(self.side)
        price, frail = worth(game, unit), 1.0 if game.pieces[unit].disrupted else 0.7
        leash = 0.5 + LEASH * counter.attack
        if price < DEAR:
            leash *= min(1.0, (LAST_TURN + 1 - game.turn) / UNLEASHED)
        if game.pieces[unit].disrupted:
            leash += UNHEALED * price
        found = []
        for hex, pull in enumerate(self.pull):
            total = self.prizes.get(hex, 0.0) + drawn * pull
            guard = counter.defense + 1.0
            if works >> hex & 1 and counter.cls != "armor":
                total += 0.7
                guard += 2
            if self.fed[hex] > self.length:
                total -= leash
            if self.fire[hex] and not self.beside[hex]:
                risk = self.ratio(game, self.fire[hex] * 0.6, guard)
                total -= max(0.0, risk) * price * frail
            found.append(total)
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
            found |= {hex: 3.0 for hex in bits(data.allied_win)}
        return found

    def _guards(self, game: Game) -> dict[int, float]:
        """Hexes that should not stand empty, the more so the nearer the enemy."""
        data, table = game.facts, game.facts.tables.victory
        if self.side == "axis":
            found = {hex: float(table.immediate) for hex in bits(data.allied_win)}
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
    for hex in bits(game.facts.board.spread(foes) & ~foes):
        for there, net, step in steps[hex]:
            if (there, hex) not in mines:
                found[hex] = min(found[hex], fed[there] + (0 if net and not fed[there] else step))
    return found


def field_of(game: Game, side: Side) -> Field:
    """The field as this side sees it, remembered while the enemy stands as he does."""
    enemy = game.enemy(side)
    lay = game.lay
    key = (
        "field", side, game.turn, game.phasing, game.weather, lay.seen[enemy],
        lay.fresh[enemy], game.axis_holds, game.eliminated,
    )  # fmt: skip
    found: Field | None = game.memory.get(key)
    if found is None:
        found = game.memory[key] = Field(game, side)
    return found


class Thumb:
    """Rules of thumb in one position."""

    def __init__(self, game: Game, actions: Sequence[Action]) -> None:
        self.game = game
        self.side: Side = game.actor or "axis"
        self.field = field_of(game, self.side)
        self.stays: dict[int, float] = {}
        field = self.field
        sentries = {game.stack_at(hex)[0] for hex in field.guards if len(game.stack_at(hex)) == 1}
        self.muster = Muster(
            game, self.side, field.targets, field.beside, field.worth, actions, sentries
        )

    def tempts(self, action: Action) -> float:
        """One action's temptation."""
        game = self.game
        match action:
            case Done():
                return 0.0
            case Route():
                return -6.0
            case Attack(hex):
                return 0.3 + 2 * self.attack(hex)
            case Join(unit, factors):
                return self.join(unit, factors)
            case Resolve():
                return 0.5
            case Also():
                return -0.5
            case Airstrike(hex):
                return self.bomb(hex)
            case Place(unit, hex) | Arrive(unit, hex) | Post(unit, hex):
                return self.place(unit, hex)
            case Activate(unit):
                near = self.field.pull[max(0, game.pieces[unit].hex)]
                return 0.3 * game.book[unit].attack + 0.3 * near
            case RetreatTo(unit, hex):
                return self.stand(unit, hex, flee=True)
            case Drive(hexes):
                return float(hexes)
            case Lose(unit):
                return -worth(game, unit)
            case Convoy(unit):
                return 0.5 + 0.1 * game.book[unit].attack
            case Airlift() | Intercept():
                return 0.4
            case Stand(unit):
                return 0.3 if game.in_works(unit) else -0.6
            case Gallop():
                return -3.0
            case Truck():
                return -1.0
            case Besiege():
                return 0.3
        return 0.0

    def stay(self, unit: UnitId) -> float:
        """What it is worth that a unit stays where it is."""
        if unit not in self.stays:
            self.stays[unit] = self.stand(unit, self.game.pieces[unit].hex)
        return self.stays[unit]

    def stand(self, unit: UnitId, hex: int, *, flee: bool = False) -> float:
        """What it is worth that a unit stands in a hex."""
        field = self.field
        total = field.places(self.game, unit)[hex]
        if hex in field.guards:
            game = self.game
            others = sum(game.book[each].defense for each in game.stack_at(hex) if each != unit)
            if not others or others < 0.5 * field.fire[hex]:
                total += field.guards[hex] * sentry(game.book[unit].attack)
        if field.beside[hex]:
            piece = self.game.pieces[unit]
            fit = not piece.disrupted and piece.active and not flee
            works = bool(self.game.works(self.side) >> hex & 1)
            total += self._contact(unit, hex, works) if fit else -0.5 - UNFIT * field.worth[unit]
        return total

    def _contact(self, unit: UnitId, hex: int, works: bool) -> float:
        """XIV.A.2 Whoever stands beside enemies must attack them: what that is worth."""
        field, muster = self.field, self.muster
        power, price = self.game.book[unit].attack, field.worth[unit]
        total = 0.0
        for at in field.beside[hex]:
            if muster.aim.get(unit) == at:
                total += AIMED * muster.profit(at) + 0.08 * power - AIMING * price
                continue
            if muster.attack[at] and muster.profit(at) > 0:
                total -= AIMING * price * 0.5
                continue
            if not works and not field.targets[at].broken:
                total += min(0.0, muster.profit(at, power, price)) - 0.4 - EXPOSED * price
        return total

    def attack(self, hex: int) -> float:
        """The worth of attacking a hex with everybody beside it."""
        for at, target in enumerate(self.field.targets):
            if target.hex == hex:
                return self.muster.profit(at)
        return 0.0

    def join(self, unit: UnitId, factors: int) -> float:
        """Whole units, strong ones first, as long as the column can still rise."""
        game, step = self.game, self.game.step
        assert isinstance(step, Assault)
        whole = game.book[unit].attack
        if factors < whole:
            return -1.0
        now = sum(used for _, used in step.joined)
        against = (
            sum(each.defense for each in self.field.targets if each.hex in step.targets) or 2.0
        )
        enough = now >= 7 * against
        return -0.5 if enough else 1.0 + 0.1 * factors

    def bomb(self, hex: int) -> float:
        """X.B.1 Strike the strong and fresh, near our own attackers."""
        game = self.game
        fresh = [unit for unit in game.stack_at(hex) if not game.pieces[unit].disrupted]
        if not fresh:
            return -1.0
        boxed = game.works(game.enemy(self.side)) >> hex & 1
        near = any(
            ring(game.facts, hex)[game.pieces[unit].hex] <= 4 for unit in game.on_map(self.side)
        )
        value = sum(worth(game, unit) for unit in fresh[:1]) + 0.3 * len(fresh)
        return 0.5 + value * (0.4 if boxed else 0.8) * (1.0 if near else 0.4)

    def place(self, unit: UnitId, hex: int) -> float:
        """Set-up: works first for those who hold, the open flank for those who strike."""
        game, data = self.game, self.game.facts
        if unit >= len(data.counters):
            return 0.0
        counter = game.book[unit]
        total = self.field.pull[hex] * (0.8 if counter.movement > 2 else 0.3)
        total += self.field.prizes.get(hex, 0.0) * (0.5 if self.side == "allied" else 0.0)
        if game.works(self.side) >> hex & 1 and counter.cls != "armor":
            total += 2.0
        total -= 0.6 * len(game.stack_at(hex))
        if self.field.beside[hex]:
            total -= 2.0
        return total


FEATURES = (
    "margin", "margin_late", "german_fresh", "italian_fresh", "allied_armour", "allied_foot",
    "axis_disrupted", "allied_disrupted", "axis_unfed", "allied_unfed", "to_dump", "to_tobruk",
    "to_sources", "raid", "axis_chances", "allied_chances", "asleep", "one",
)  # fmt: skip


class GazalaGallop(Fitted):
    """Knowledge of the title; the Axis is the first side."""

    title: ClassVar[str] = "gallop"
    names: ClassVar[tuple[str, ...]] = FEATURES
    look: ClassVar[Effort] = Effort(plans=2, worlds=1, rounds=0, heat=0.3)
    search: ClassVar[Effort] = Effort(plans=16, worlds=8, units=2, rounds=1, heat=0.4, swerve=True)
    whim: ClassVar[float | None] = 1.2
    signs: ClassVar[dict[str, int]] = {
        "margin": 1, "margin_late": 1, "german_fresh": 1, "italian_fresh": 1,
        "allied_armour": -1, "allied_foot": -1, "axis_disrupted": -1, "allied_disrupted": 1,
        "axis_unfed": -1, "allied_unfed": 1, "to_dump": 1, "to_tobruk": 1, "to_sources": 1,
        "raid": -1, "axis_chances": 1, "allied_chances": -1,
    }  # fmt: skip

    words: ClassVar[dict[str, str]] = {
        "margin": "Victory Points", "margin_late": "Victory Points", "raid": "A5 and G1",
        "german_fresh": "fresh German units", "italian_fresh": "fresh Italian units",
        "allied_armour": "Allied armour", "allied_foot": "Allied infantry",
        "axis_disrupted": "Disrupted Axis units", "allied_disrupted": "Disrupted Allied units",
        "axis_unfed": "Axis supply", "allied_unfed": "Allied supply", "to_dump": "the supply dump",
        "to_tobruk": "Tobruk", "to_sources": "the eastern supply sources",
        "axis_chances": "Axis attacks to come", "allied_chances": "Allied attacks to come",
        "asleep": "sleeping units",
    }  # fmt: skip

    def unit(self, game: Game) -> Hashable:
        """A player-turn; set-up and weather stand alone."""
        turn = game.stack[0] if game.stack else None
        stage = getattr(turn, "stage", "")
        if stage.startswith(("axis", "allied")) and "set-up" not in stage:
            return game.turn, game.phasing
        return game.turn, stage

    def phase(self, game: Game) -> int:
        stage = 0 if game.turn <= 4 else 1 if game.turn <= 9 else 2
        return 2 * stage + (game.phasing == "allied")

    def priors(self, game: Game, actions: Sequence[Action]) -> list[float]:
        mind = Thumb(game, actions)
        special = mind.field.special
        found = []
        mover, places, stay = -1, [0.0], 0.0
        for action in actions:
            if type(action) is not MoveTo:
                found.append(mind.tempts(action))
                continue
            unit, hex = action.unit, action.hex
            if unit != mover:
                mover, places = unit, mind.field.places(game, unit)
                stay = mind.stay(unit)
            # Most hexes are neither beside an enemy nor to be guarded.
            here = mind.stand(unit, hex) if special[hex] else places[hex]
            found.append(here - stay - MOVING)
        return found

    def blunders(self, game: Game, action: Action) -> Iterator[str]:
        """What is absurd about an action."""
        return blunders(game, action)

    def follies(self, before: Game, after: Game, side: Side) -> Iterator[str]:
        """What is absurd about a planning unit as a whole."""
        return follies(before, after, side)

    def features(self, game: Game) -> list[float]:
        data = game.facts
        left = (LAST_TURN + 1 - game.turn) / LAST_TURN
        margin = sum(line.value for line in axis_lines(game))
        margin -= sum(line.value for line in allied_lines(game))
        fresh = {"german": 0.0, "italian": 0.0, "armor": 0.0, "foot": 0.0}
        disrupted, unfed = {"axis": 0.0, "allied": 0.0}, {"axis": 0.0, "allied": 0.0}
        asleep = 0.0
        near = {hex: 0.0 for hex in (data.dump, data.tobruk, *game.eastern_sources())}
        raid = 0.0
        for unit, counter in enumerate(game.book):
            piece = game.pieces[unit]
            if piece.hex < 0:
                continue
            side = counter.side
            power = counter.attack + counter.defense
            if piece.disrupted:
                disrupted[side] += power
            elif side == "axis":
                fresh["german" if counter.nation == "german" else "italian"] += power
            else:
                fresh["armor" if counter.cls == "armor" else "foot"] += power
            lines_ = lines(game, side)
            if lines_[piece.hex] > basic_length(game) and not game.in_works(UnitId(unit)):
                unfed[side] += power
            if not piece.active:
                asleep += power
            if side == "axis":
                for hex in near:
                    if hex not in game.axis_holds:
                        near[hex] += counter.attack * 0.75 ** ring(data, hex)[piece.hex]
            else:
                for edge in bits(data.allied_win):
                    raid = max(raid, 0.6 ** ring(data, edge)[piece.hex])
        chances = [self._chances(game, side) for side in ("axis", "allied")]
        return [
            margin / 10 * left,
            margin / 10 * (1 - left),
            fresh["german"] / 30 * left,
            fresh["italian"] / 30 * left,
            fresh["armor"] / 30 * left,
            fresh["foot"] / 40 * left,
            disrupted["axis"] / 15,
            disrupted["allied"] / 15,
            unfed["axis"] / 15,
            unfed["allied"] / 15,
            near[data.dump] / 5,
            near[data.tobruk] / 5,
            sum(near[hex] for hex in game.eastern_sources()) / 8,
            raid,
            chances[0] / 5,
            chances[1] / 5,
            asleep / 30,
            1.0,
        ]

    def _chances(self, game: Game, side: Side) -> float:
        """What a side could gain by attacks next turn, at a glance."""
        field = field_of(game, side)
        data = game.facts
        total = 0.0
        units = [
            (game.pieces[unit].hex, game.book[unit].attack, game.book[unit].movement)
            for unit in game.on_map(side)
            if not game.pieces[unit].disrupted
        ]
        for target in field.targets:
            far = ring(data, target.hex)
            power = sum(attack for at, attack, reach in units if far[at] <= reach)
            if power:
                total += max(0.0, field.ratio(game, 0.7 * power, target.defense)) * target.worth
        return total


KNOWLEDGE = GazalaGallop()
