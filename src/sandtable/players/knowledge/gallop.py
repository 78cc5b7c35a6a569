"""What wargamers know of The Gazala Gallop: columns of the table, roads of supply, prizes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.events import Side
from sandtable.players.effort import NEVER, Effort
from sandtable.players.knowledge.gallop_absurd import blunders, follies, guarded, open_posts, prizes
from sandtable.players.knowledge.gallop_field import (
    LAST_TURN,
    Field,
    Group,
    field_of,
    raid,
    sentry,
)
from sandtable.players.knowledge.gallop_muster import Muster
from sandtable.players.knowledge.gallop_reasons import chances, tactic
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
    PickWeather,
    Place,
    Post,
    Resolve,
    RetreatTo,
    Route,
    Stand,
    Truck,
)
from sandtable.titles.gallop.combat import Assault, Attacks
from sandtable.titles.gallop.lines import basic_length, lines
from sandtable.titles.gallop.stacking import too_many
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.victory import allied_lines, axis_lines
from sandtable.titles.gallop.views import in_secret

MOVING = 0.15
"""What a move must bring to be worth the trouble."""
CROWDED = 2.0
"""XII.B What it costs to stay in a stack that is too high, beside the unit that is lost."""
AIMED = 1.0
"""How much a unit is drawn to the attack it is sent to, as a share of what the attack brings."""
LONELY = 1.2
"""What it costs to go beside an enemy whom nobody else is sent to attack."""
EXPOSED = 0.1
"""What it costs a unit to stand beside enemies, who strike back, as a share of its worth."""
AIMING = 0.05
"""The same for the enemy that it is sent to attack; half of that if others attack him."""
UNFIT = 0.3
"""The same for units that cannot attack, and may be thrown back."""


class Posture(Struct, frozen=True):
    """A frame of mind."""

    zeal: float = 1.0
    """How much what lies before a side draws it on."""
    caution: float = 1.0
    """How much its own losses weigh."""


CALM = Posture()
POSTURES = (Posture(0.0, 3.0), Posture(0.5, 1.7), Posture(1.6, 0.6))


class Thumb:
    """Rules of thumb in one position."""

    def __init__(self, game: Game, actions: Sequence[Action], posture: Posture = CALM) -> None:
        self.game = game
        self.posture = posture
        self.actions = actions
        self.side: Side = game.actor or "axis"
        self.stays: dict[int, float] = {}

    @cached_property
    def field(self) -> Field:
        """What is before this side."""
        return field_of(self.game, self.side, self.posture.zeal)

    @cached_property
    def price(self) -> Sequence[float]:
        """What the loss of each unit weighs."""
        caution = self.posture.caution
        return [caution * each for each in self.field.worth]

    @cached_property
    def muster(self) -> Muster:
        """Who should attack whom."""
        game, field = self.game, self.field
        sentries = {game.stack_at(hex)[0] for hex in field.guards if len(game.stack_at(hex)) == 1}
        return Muster(
            game, self.side, field.targets, field.beside, self.price, self.groups, sentries
        )

    @cached_property
    def groups(self) -> dict[int, Group]:
        """The moves of each unit, by the number of the first of them."""
        actions, found, at = self.actions, {}, 0
        while at < len(actions):
            if type(actions[at]) is MoveTo:
                group = found[at] = self.field.group(actions, at)
                at += len(group.hexes)
            else:
                at += 1
        return found

    def tempts(self, action: Action) -> float:
        """One action's temptation."""
        game = self.game
        match action:
            case Done():
                return 0.0
            case Route():
                # A way chosen hex by hex ends in a move that nobody is asked about.
                return NEVER
            case Attack(hex):
                # What brings nothing is left alone, unless it must be attacked.
                profit = self.attack(hex)
                if profit > 0 or self.must_attack(hex):
                    return 0.3 + 2 * profit
                return max(NEVER, 2 * profit - 5.0)
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
                return -self.field.worth[unit]
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
            hex = self.game.pieces[unit].hex
            total = self.stand(unit, hex)
            if too_many(self.game, self.game.stack_at(hex)):
                total -= CROWDED + self.field.worth[unit]
            self.stays[unit] = total
        return self.stays[unit]

    def stand(self, unit: UnitId, hex: int, *, flee: bool = False) -> float:
        """What it is worth that a unit stands in a hex."""
        total = self.field.ground(self.game, unit)[hex]
        if self.fed[hex] > self.length:
            total -= self.field.leash(self.game, unit)
        return total + self._company(unit, [hex], flee=flee)[0]

    def moves(self, group: Group) -> list[float]:
        """How tempting a unit's moves are: most lead neither beside an enemy nor to guard."""
        game, field, unit = self.game, self.field, group.unit
        fed, length = self.fed, self.length
        ground = field.ground(game, unit)
        less = self.stay(unit) + MOVING
        unfed = less + field.leash(game, unit)
        found = [ground[hex] - (unfed if fed[hex] > length else less) for hex in group.hexes]
        if group.special:
            more = self._company(unit, group.special)
            for at, extra in zip(group.spots, more, strict=True):
                found[at] += extra
        if game.pieces[unit].hex in field.guards and (points := guarded(game, unit, self.side)):
            for at, hex in enumerate(group.hexes):
                if not self._calls(unit, hex, points):
                    found[at] = NEVER
        return found

    def _calls(self, unit: UnitId, hex: int, points: int) -> bool:
        """Whether a guard may go there: to fight, to take as good a prize, or to guard a dearer.

        Supply is no reason: to stand where it is a unit needs none (XV.B).
        """
        game, field = self.game, self.field
        if field.beside[hex]:
            return not game.pieces[unit].disrupted
        theirs = (hex in game.axis_holds) == (self.side == "allied")
        if theirs and hex in field.prizes:
            return prizes(game).get(hex, points) >= points
        return self.open_posts.get(hex, 0) > points

    @cached_property
    def open_posts(self) -> dict[int, int]:
        """Hexes that count, with nobody to keep the enemy out, and their points."""
        return open_posts(self.game, self.side)

    @cached_property
    def fed(self) -> list[int]:
        """The length of the supply line to each hex."""
        return self.field.fed(self.game)

    @cached_property
    def length(self) -> int:
        """How long it may be."""
        return basic_length(self.game)

    def _company(self, unit: UnitId, hexes: Sequence[int], *, flee: bool = False) -> list[float]:
        """What those already in or beside each of these hexes make of it for a unit."""
        game, field, piece = self.game, self.field, self.game.pieces[unit]
        guards, beside = field.guards, field.beside
        fit = not piece.disrupted and piece.active and not flee
        unfit = 0.5 + UNFIT * field.worth[unit]
        works = game.works(self.side)
        known: dict[int, tuple[float, float]] = {}
        found = []
        for hex in hexes:
            total = self._guard(unit, hex) if hex in guards else 0.0
            if beside[hex]:
                if fit:
                    boxed = works >> hex & 1
                    for at in beside[hex]:
                        if at not in known:
                            known[at] = self._contact(unit, at)
                        total += known[at][boxed]
                else:
                    total -= unfit
            found.append(total)
        return found

    def _guard(self, unit: UnitId, hex: int) -> float:
        """What it is worth that a unit guards a hex, unless others do."""
        game, field = self.game, self.field
        others = sum(game.book[each].defense for each in game.stack_at(hex) if each != unit)
        if others and others >= 0.5 * field.fire[hex]:
            return 0.0
        return field.guards[hex] * sentry(game.book[unit].attack)

    def _contact(self, unit: UnitId, at: int) -> tuple[float, float]:
        """XIV.A.2 Who stands beside enemies must attack them: its worth in the open, in works."""
        field, muster = self.field, self.muster
        power, price = self.game.book[unit].attack, self.price[unit]
        if muster.aim.get(unit) == at:
            total = AIMED * muster.profit(at) + 0.08 * power - AIMING * price
            return total, total
        if muster.attack[at] and muster.profit(at) > 0:
            return -AIMING * price * 0.5, -AIMING * price * 0.5
        if field.targets[at].broken:
            return 0.0, 0.0
        return min(0.0, muster.profit(at, power, price)) - LONELY - EXPOSED * price, 0.0

    def must_attack(self, hex: int) -> bool:
        """XIV.A.2 Whether a hex has to be attacked."""
        step = self.game.step
        return isinstance(step, Attacks) and bool(step.duty(self.game).hexes >> hex & 1)

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
        game, fresh = self.game, self.fresh(hex)
        if not fresh:
            return -1.0
        boxed = game.works(game.enemy(self.side)) >> hex & 1
        value = sum(self.field.worth[unit] for unit in fresh[:1]) + 0.3 * len(fresh)
        return 0.5 + value * (0.4 if boxed else 0.8) * (1.0 if self.near(hex) else 0.4)

    def fresh(self, hex: int) -> list[UnitId]:
        """The units in a hex that are not Disrupted."""
        return [unit for unit in self.game.stack_at(hex) if not self.game.pieces[unit].disrupted]

    def near(self, hex: int) -> bool:
        """Whether units of this side are near enough to a hex to make use of a strike there."""
        game, far = self.game, self.game.facts.board.ring(hex)
        return any(far[game.pieces[unit].hex] <= 4 for unit in game.on_map(self.side))

    def place(self, unit: UnitId, hex: int) -> float:
        """Set-up: works first for those who hold, the open flank for those who strike."""
        kinds = self.kinds
        if unit >= len(kinds):
            return 0.0
        sites = self.sites[kinds[unit]]
        if hex not in sites:
            sites[hex] = self._site(hex, *kinds[unit])
        return sites[hex]

    @cached_property
    def kinds(self) -> list[tuple[bool, bool]]:
        """Whether each unit is mobile, and whether it is armour."""
        return [(each.movement > 2, each.cls == "armor") for each in self.game.book]

    @cached_property
    def sites(self) -> dict[tuple[bool, bool], dict[int, float]]:
        """What each hex is worth to units of a kind, once it was asked for."""
        return {kind: {} for kind in self.kinds}

    def _site(self, hex: int, mobile: bool, armour: bool) -> float:
        game = self.game
        total = self.field.pull[hex] * (0.8 if mobile else 0.3)
        total += self.field.prizes.get(hex, 0.0) * (0.5 if self.side == "allied" else 0.0)
        if game.works(self.side) >> hex & 1 and not armour:
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
    arrivals: ClassVar[tuple[type[Action], ...]] = (Place, Arrive, Post)
    signs: ClassVar[dict[str, int]] = {
        "margin": 1, "margin_late": 1, "german_fresh": 1, "italian_fresh": 1,
        "allied_armour": -1, "allied_foot": -1, "axis_disrupted": -1, "allied_disrupted": 1,
        "axis_unfed": -1, "allied_unfed": 1, "to_dump": 1, "to_tobruk": 1, "to_sources": 1,
        "raid": -1, "axis_chances": 1, "allied_chances": -1,
    }  # fmt: skip

    words: ClassVar[dict[str, str]] = {
        "margin": "a score better for the Axis/Allies",
        "margin_late": "a score better for the Axis/Allies",
        "german_fresh": "more/less fresh German strength",
        "italian_fresh": "more/less fresh Italian strength",
        "allied_armour": "more/less fresh Allied armour",
        "allied_foot": "more/less fresh Allied infantry",
        "axis_disrupted": "more/less Axis strength Disrupted",
        "allied_disrupted": "more/less Allied strength Disrupted",
        "axis_unfed": "worse/better Axis supply",
        "allied_unfed": "worse/better Allied supply",
        "to_dump": "more/less Axis strength near a supply dump still to take",
        "to_tobruk": "more/less Axis strength near a Tobruk still to take",
        "to_sources": "more/less Axis strength near eastern supply sources still to take",
        "raid": "A5 and G1 easier/harder for the Allies to take",
        "axis_chances": "better/poorer Axis attacks to come",
        "allied_chances": "better/poorer Allied attacks to come",
    }

    def __init__(self, posture: Posture = CALM) -> None:
        self.posture = posture

    @cached_property
    def postures(self) -> Sequence[GazalaGallop]:
        """To hold, to be careful, to be bold."""
        return [GazalaGallop(each) for each in POSTURES]

    def obvious(self, game: Game, actions: Sequence[Action]) -> Action | None:
        """VIII All numbers for the weather are as likely; XIV.B.5 who may retreat seldom stands."""
        match actions[0]:
            case PickWeather():
                return actions[0]
            case Stand(unit) if Done() in actions and not game.in_works(unit):
                field, hex = field_of(game, game.book[unit].side), game.pieces[unit].hex
                return None if hex in field.guards or hex in field.prizes else Done()
        return None

    def measure(self, game: Game, side: Side, effort: Effort) -> Effort:
        """In the enemy's player-turn look to its end; one's own asks for the answer too."""
        return effort if game.phasing == side else replace(effort, units=1)

    def sees_all(self, game: Game, side: Side) -> bool:
        """V.B, XIV.B.6 Only the Axis has counters face down before it, and not always."""
        return side == "allied" or not (game.lay.hidden or in_secret(game))

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

    def tactic(self, game: Game, action: Action, plan: Sequence[Action] = ()) -> str:
        return tactic(Thumb(game, game.actions(), self.posture), action, plan)

    def chances(self, game: Game, action: Action, plan: Sequence[Action] = ()) -> str:
        return chances(game, action)

    def priors(self, game: Game, actions: Sequence[Action]) -> list[float]:
        mind = Thumb(game, actions, self.posture)
        found: list[float] = []
        while len(found) < len(actions):
            action = actions[len(found)]
            if type(action) is MoveTo:
                found += mind.moves(mind.groups[len(found)])
            elif type(action) is Place:
                found.append(mind.place(action.unit, action.hex))
            else:
                found.append(mind.tempts(action))
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
                        near[hex] += counter.attack * 0.75 ** data.board.ring(hex)[piece.hex]
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
            max(
                0.0 if game.lay.real["axis"] >> hex & 1 else raid(game, hex)
                for hex in spots(data.allied_win)
            ),
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
            far = data.board.ring(target.hex)
            power = sum(attack for at, attack, reach in units if far[at] <= reach)
            if power:
                shut = not field.way_out(game, target.hex)
                ratio = field.ratio(game, 0.7 * power, target.defense, shut=shut)
                total += max(0.0, ratio) * target.worth
        return total


KNOWLEDGE = GazalaGallop()
