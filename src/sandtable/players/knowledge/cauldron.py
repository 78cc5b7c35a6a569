"""What wargamers know of Gazala: The Cauldron: steps as points, rings, breaches, the north edge."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import ClassVar

from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Side
from sandtable.players.effort import NEVER, Effort
from sandtable.players.knowledge.cauldron_absurd import blunders, follies
from sandtable.players.knowledge.cauldron_lines import mines
from sandtable.players.knowledge.cauldron_reading import (
    STEP_WORTH,
    around,
    chances,
    driven_out,
    fading,
    gain,
    margin,
    odds_column,
    time_left,
    to_come,
    turns_left,
)
from sandtable.players.knowledge.cauldron_reasons import tactic
from sandtable.players.knowledge.weights import Fitted, decided
from sandtable.titles.cauldron.actions import (
    Activate,
    ActivateUnit,
    Advance,
    AirAttack,
    Attack,
    Breach,
    Disrupt,
    Done,
    Eliminate,
    EndPhase,
    Exit,
    ExtraMove,
    GoFirst,
    Join,
    Lose,
    MoveTo,
    Pass,
    Place,
    PlayChit,
    PromiseAttack,
    Rebuild,
    Resolve,
    RetreatOff,
    RetreatTo,
    Select,
    StepUp,
    Withdraw,
)
from sandtable.titles.cauldron.battle import (
    Battle,
    attack_strength,
    candidates,
    defence_strength,
    modifiers,
    open_battle,
)
from sandtable.titles.cauldron.combat import Assault, Chits
from sandtable.titles.cauldron.data import Data
from sandtable.titles.cauldron.movement import Move, reach
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.stacking import fits
from sandtable.titles.cauldron.state import IN_SUPPLY, Game
from sandtable.titles.cauldron.victory import TOBRUK_ROAD, tally
from sandtable.titles.cauldron.zoc import enemy

LEVELS = ("heavy", "medium", "light")
RESTLESS = 3.0
"""How much better a hex must be for a unit that has marched already to march on."""
TAKING = 0.6
"""How much of a hex's worth an attack brings that drives the enemy out of it."""
OPENING = 1.5
"""What it is worth to infantry to stand where the best way through the mines can be opened."""
PARTIES = 2
"""Parties told off for each way through that is lacking."""


def fight(game: Game, battle: Battle) -> float:
    """What an attack as it stands is worth."""
    side = game.side_of(battle.active)
    total = sum(each.value for each in modifiers(game, battle))
    at = odds_column(game.facts, attack_strength(game, battle), defence_strength(game, battle))
    prizes = field_of(game, side).prizes
    prize = sum(prizes.get(at, 0.0) for at in {game.units[each].at for each in battle.defenders})
    freed = prize * driven_out(game.facts, at, total) if prize else 0.0
    return gain(game.facts, side, at, total) + TAKING * freed


def with_all(game: Game, battle: Battle) -> float:
    """What an attack is worth with everybody who can help and does not hurt."""
    helpers = [unit for unit in candidates(game, battle) if not game.units[unit].disrupted]
    return fight(
        game,
        Battle(battle.active, battle.intensity, battle.defenders, (*battle.helpers, *helpers)),
    )


@lru_cache(maxsize=64)
def drawn(data: Data, prizes: Sequence[tuple[int, float]]) -> Sequence[float]:
    """How much prizes draw units to each hex."""
    found = [0.0] * data.board.size
    for space, value in prizes:
        worth = 0.4 * value
        felt = fading(data, space)
        found = [pull + worth * share for pull, share in zip(found, felt, strict=True)]
    return found


class Field:
    """What draws a side's units while the enemy stands as he does."""

    def __init__(self, game: Game, side: Side) -> None:
        data, foe = game.facts, enemy(side)
        self.fire = [0.0] * data.board.size
        self.prizes = self._prizes(game, side)
        self.posts = mines(game).posts(side)
        self.pull = list(drawn(data, tuple(self.prizes.items())))
        self._alone: dict[int, list[float]] = {}
        self.foes = game.occupied[foe]
        self.contact = 0
        """The hexes beside the enemy."""
        self._touching: dict[int, tuple[int, ...]] = {}
        pull, fire = self.pull, self.fire
        for space in bits(self.foes):
            for near in data.touching[space]:
                self.contact |= 1 << near
            stack = game.here(Space(space))
            steps = sum(game.units[unit].steps for unit in stack)
            power = sum(max(game.hard(unit), game.soft(unit)) for unit in stack)
            weak = sum(
                1.0 * game.units[unit].used + 1.0 * game.units[unit].disrupted for unit in stack
            )
            fixed = 0.6 if data.fortified >> space & 1 else 1.0
            value = STEP_WORTH[foe] * steps * fixed * (1 + 0.3 * weak) / (1 + 0.08 * power)
            worth = 0.2 * value
            for other, far, share in around(data, space):
                pull[other] += worth * share
                if far <= 5:
                    fire[other] += power / (1 + 0.5 * far)

    def touching(self, data: Data, space: int) -> tuple[int, ...]:
        """The enemy's hexes beside a hex."""
        found = self._touching.get(space)
        if found is None:
            found = self._touching[space] = tuple(
                at for at in data.touching[space] if self.foes >> at & 1
            )
        return found

    def alone(self, data: Data, side: Side, power: int) -> list[float]:
        """What each hex is worth to a unit of this strength with nobody else in it or beside it."""
        found = self._alone.get(power)
        if found is None:
            found = self._alone[power] = [
                self.shelter(data, side, space, power, pull + self.held(space))
                for space, pull in enumerate(self.pull)
            ]
        return found

    def held(self, space: int) -> float:
        """What it is worth that somebody stands in a hex: a post draws nobody from afar."""
        return self.prizes.get(space, 0.0) + self.posts.get(space, 0.0)

    def shelter(self, data: Data, side: Side, space: int, guard: int, total: float) -> float:
        """What a hex is still worth under fire to units of this strength."""
        over = self.fire[space] - (1.8 if data.fortified >> space & 1 else 1.2) * guard
        return total - 0.02 * over * STEP_WORTH[side] if over > 0 else total

    def _prizes(self, game: Game, side: Side) -> dict[int, float]:
        """Hexes worth standing on."""
        data = game.facts
        left = turns_left(game)
        found: dict[int, float] = {}
        for space, points in data.scenarios[game.scenario].objectives:
            held = game.occupied[side] >> space & 1
            found[space] = points * (0.3 if held and side == AXIS else 1.0)
        road = data.board.at(TOBRUK_ROAD)
        found[road] = 0.8 * left
        if side == AXIS:
            found |= {edge: 0.12 * left for edge in bits(data.edge["north"])}
        return found


class Front:
    """Enemy hexes that one hex touches, and who could attack them."""

    def __init__(self, game: Game, side: Side, touching: tuple[int, ...]) -> None:
        data = game.facts
        foes = [each for at in touching for each in game.here(Space(at))]
        self.armor = any(map(game.is_armor, foes))
        self.friends = {
            each
            for at in touching
            for near in data.touching[at]
            if game.occupied[side] >> near & 1
            for each in game.here(near)
            if not game.units[each].disrupted
        }
        self.attack = sum(map(game.hard if self.armor else game.soft, self.friends))
        self.tanks = any(map(game.is_armor, self.friends))
        self.hard, self.soft = sum(map(game.hard, foes)), sum(map(game.soft, foes))
        self.modifier = 0
        spots = sum(1 << at for at in touching)
        if spots & data.fortified:
            self.modifier += data.tables.modifiers.fortified
        elif spots & data.ridge:
            self.modifier += data.tables.modifiers.ridge
        if any(game.units[each].disrupted for each in foes):
            self.modifier += data.tables.modifiers.defender_disrupted


def field_of(game: Game, side: Side) -> Field:
    """The field, remembered while the enemy stands as he does."""
    key = ("field", side, game.turn, game.occupied[enemy(side)], game.markers)
    found: Field | None = game.memory.get(key)
    if found is None:
        found = game.memory[key] = Field(game, side)
    return found


class Thumb:
    """Rules of thumb in one position."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.side: Side = game.actor or AXIS
        self.field = field_of(game, self.side)
        self._power = self._left = self._crowded = self._hard = self._soft = 0
        self._armor = self._arrived = False
        self._levels: list[tuple[int, int]] = []
        self._alone: list[float] = []
        self._cost: Mapping[Space, int] = {}
        self._fronts: dict[tuple[int, ...], Front] = {}
        self._ways: Mapping[int, float] = {}

    def openings(self, unit: UnitId) -> Mapping[int, float]:
        """14.1 Where a unit could open a way through the mines that is lacking, and its worth."""
        return self._openings if self.game.kind(unit).type == "infantry" else {}

    @cached_property
    def _openings(self) -> Mapping[int, float]:
        """The same of Axis infantry; once parties enough stand ready nobody else is sent."""
        game, ways = self.game, mines(self.game)
        lacking = ways.lacking() if self.side == AXIS else 0
        if not lacking:
            return {}
        found: dict[int, float] = {}
        for lane, good in ways.sites.items():
            found[lane.start] = max(OPENING * good, found.get(lane.start, 0.0))
        held = {
            space: worth
            for space, worth in found.items()
            if any(game.kind(each).type == "infantry" for each in game.here(Space(space)))
        }
        return held if len(held) >= PARTIES * lacking else found

    def tempts(self, action: Action) -> float:
        """One action's temptation."""
        game = self.game
        match action:
            case Attack(unit, intensity):
                worth = with_all(game, open_battle(game, unit, intensity))
                return 0.1 + 2.0 * worth
            case Done():
                return 0.0
            case Select(unit):
                return self._select(unit)
            case EndPhase():
                return -2.0
            case Join(unit):
                return self._join(unit)
            case Resolve():
                return 0.0
            case PlayChit():
                return self._chit(action)
            case Pass():
                return 0.0
            case Activate(formations):
                units = [
                    unit
                    for unit in game.facts.of_side[self.side]
                    if game.kind(unit).formation in formations
                ]
                return 0.5 + sum(max(0.1, self._use(unit)) for unit in units)
            case ActivateUnit(unit):
                return self._use(unit)
            case ExtraMove(unit):
                return self._use(unit) - 0.3
        return self._rest(action)

    def _rest(self, action: Action) -> float:
        """Everything that is not moving and fighting."""
        game = self.game
        match action:
            case Place(unit, space) | Rebuild(unit, space):
                return 0.5 + self._place(unit, space)
            case Breach(unit, space):
                return self._breach(game.units[unit].at, space)
            case StepUp(unit):
                return 2.0 + 0.1 * game.hard(unit)
            case GoFirst(side):
                return 0.5 * (side == self.side)
            case AirAttack(unit):
                now = game.units[unit]
                return 0.1 * now.steps + 0.1 * game.hard(unit) - 0.5 * now.disrupted
            case Lose(unit):
                return -0.1 * max(game.hard(unit), game.soft(unit)) - 0.2 * (
                    game.units[unit].steps == 1
                )
            case Disrupt(unit):
                return -0.1 * game.hard(unit) + 1.0 * game.units[unit].disrupted
            case Eliminate(unit):
                return -0.3 * game.units[unit].steps
            case Advance(unit, space):
                return self.field.pull[space] - self.field.pull[game.units[unit].at] - 0.1
            case RetreatTo(space):
                return self.field.pull[space] - 0.05 * self.field.fire[space]
            case RetreatOff():
                return NEVER
            case Exit():
                return -4.0
            case Withdraw():
                return 0.6
            case PromiseAttack():
                return 0.5
        return 0.0

    def _breach(self, start: Space, mined: Space) -> float:
        """14.1, 14.2 A way through is worth most where the Axis needs it for its actions."""
        game, ways = self.game, mines(self.game)
        worth = 0.5 + 0.5 * (not game.occupied[ALLIED] >> mined & 1) + 0.1 * self.field.pull[mined]
        if ways.lacking():
            goods = (good for lane, good in ways.sites.items() if lane[:2] == (start, mined))
            worth += OPENING * max(goods, default=0.0)
        return worth

    def _use(self, unit: UnitId) -> float:
        """What a unit could do if it were activated."""
        game = self.game
        now = game.units[unit]
        if now.at < 0:
            return 0.8
        power = max(game.hard(unit), game.soft(unit))
        near = min(map(game.facts.board.ring(now.at).__getitem__, self._enemies), default=20)
        lively = 1.0 if near <= 1 else 0.7 if near <= 6 else 0.3
        return lively * (0.1 + 0.06 * power) * (0.4 if now.disrupted else 1.0)

    @cached_property
    def _enemies(self) -> list[int]:
        return bits(self.game.occupied[enemy(self.side)])

    def _select(self, unit: UnitId) -> float:
        """Who moves next: those away from the enemy first, so that the strikers find help."""
        return 1.0 - 0.2 * self._use(unit)

    def moves(self, actions: Sequence[Action]) -> Iterator[float]:
        """The temptations of all actions; a move is worth the difference of two places."""
        mover, stay = -1, 0.0
        for action in actions:
            if type(action) is not MoveTo:
                yield self.tempts(action)
                continue
            unit, space = action.unit, action.hex
            if unit != mover:
                mover = unit
                self._know(unit)
                stay = self._stand(unit, self.game.units[unit].at) + 0.12
                if self._arrived:
                    stay += RESTLESS
            if self._crowded >> space & 1:
                yield self._stand(unit, space) - stay
            else:
                yield self._alone[space] + self._ways.get(space, 0.0) - stay

    def _know(self, unit: UnitId) -> None:
        """What is the same for all hexes a unit may go to."""
        game, data, step = self.game, self.game.facts, self.game.step
        self._hard, self._soft = game.hard(unit), game.soft(unit)
        self._power = max(self._hard, self._soft)
        self._armor = game.is_armor(unit)
        move_class = game.kind(unit).move_class
        self._levels = [
            (data.attack_cost[each, move_class], data.attack_modifier[each]) for each in LEVELS
        ]
        self._left, self._cost = 99, {}
        self._arrived = False
        if isinstance(step, Move):
            self._arrived = step.spent > 0 and not step.fought
            self._left = step.left(game)
            self._cost = reach(game, unit, self._left).cost
        self._alone = self.field.alone(data, self.side, self._power)
        self._ways = self.openings(unit)
        self._crowded = game.occupied[self.side] | self.field.contact

    def _stand(self, unit: UnitId, space: Space) -> float:
        """What it is worth that a unit stands in a hex."""
        game, field, data = self.game, self.field, self.game.facts
        total = field.pull[space] + self._ways.get(space, 0.0)
        guard = self._power
        others: Sequence[UnitId] = ()
        if game.occupied[self.side] >> space & 1:
            others = [each for each in game.here(space) if each != unit]
            guard += sum(max(game.hard(each), game.soft(each)) for each in others)
            if len(others) == 1 and game.is_armor(others[0]) != self._armor:
                total += 0.15
            if not fits(game, (unit, *others)):
                total -= 2.0 + STEP_WORTH[self.side]
        if not others:
            total += field.held(space)
        total = field.shelter(data, self.side, space, guard, total)
        touching = field.touching(data, space)
        return total + self._contact(unit, space, touching) if touching else total

    def _contact(self, unit: UnitId, space: Space, touching: tuple[int, ...]) -> float:
        """What an attack from a hex would be worth, if points are left for one."""
        game, data = self.game, self.game.facts
        front = self._fronts.get(touching)
        if front is None:
            front = self._fronts[touching] = Front(game, self.side, touching)
        left = self._left - self._cost.get(space, 0)
        attack = front.attack
        if unit not in front.friends:
            attack += self._hard if front.armor else self._soft
        defence = front.hard if front.tanks or self._armor else front.soft
        level = next((each for cost, each in self._levels if cost <= left), None)
        if level is None:
            # Next to the enemy with nothing to do there is the enemy's chance.
            return -0.25 + 0.05 * (attack > 2 * defence)
        modifier = level + front.modifier
        mined = game.terrain.mined
        if mined and any((space, at) in mined for at in touching):
            modifier += data.tables.modifiers.minefield
        column = odds_column(data, attack, defence)
        worth = gain(data, self.side, column, modifier)
        prize = sum(self.field.prizes.get(at, 0.0) for at in touching)
        if prize:
            worth += TAKING * prize * driven_out(data, column, modifier)
        return worth if worth > 0 else worth - 0.1

    def _join(self, unit: UnitId) -> float:
        """Join if it makes the attack better."""
        game, step = self.game, self.game.step
        assert isinstance(step, Assault)
        battle = step.battle
        wider = Battle(battle.active, battle.intensity, battle.defenders, (*battle.helpers, unit))
        now = fight(game, battle)
        if with_all(game, battle) <= now:
            return -0.5
        more = attack_strength(game, wider) - attack_strength(game, battle)
        return 5 * (fight(game, wider) - now) + 0.02 * more

    def _chit(self, action: PlayChit) -> float:
        """13.1 A chit is played where it moves the result."""
        game, step = self.game, self.game.step
        if not isinstance(step, Chits):
            return 0.2
        after = step.with_chit(game, action)
        if after.anti_tank == step.battle.anti_tank and fight(game, after) == fight(
            game, step.battle
        ):
            return -0.5
        return 0.3 if len(step.battle.defenders) > 1 else 0.1

    def _place(self, unit: UnitId, space: Space) -> float:
        """Set-up and arrival: forward, in the works, near friends."""
        game, data = self.game, self.game.facts
        total = 0.6 * self.field.pull[space]
        if data.fortified >> space & 1:
            total += 1.0
        total += self.openings(unit).get(space, 0.0)
        total -= 0.02 * self.field.fire[space]
        if not fits(game, (unit, *game.here(space))):
            total -= 2.0 + STEP_WORTH[self.side]
        return total - 0.3 * len(game.here(space))


FEATURES = (
    "margin", "margin_late", "north", "road", "forts", "allied_armor", "allied_foot",
    "axis_armor", "axis_foot", "allied_spent", "axis_spent", "allied_unfed", "axis_unfed",
    "breaches", "actions", "allied_chances", "axis_chances", "word", "ahead", "to_come",
    "allied_blows", "axis_blows", "fighting", "one",
)  # fmt: skip

WAITING = 0.4
"""What attacks at hand are worth to a side that has no action left this turn."""


class Cauldron(Fitted):
    """Knowledge of the title; the Allies are the first side."""

    title: ClassVar[str] = "cauldron"
    keen: ClassVar[bool] = False
    """Whether it is a general's: it explains its choices by the points still to come."""
    names: ClassVar[tuple[str, ...]] = FEATURES
    whim: ClassVar[float | None] = 0.6
    arrivals: ClassVar[tuple[type[Action], ...]] = (Place,)
    look: ClassVar[Effort] = Effort(plans=6, worlds=1, rounds=0, heat=0.3)
    search: ClassVar[Effort] = Effort(48, worlds=8, rounds=3, heat=0.3, swerve=True)
    # The Axis leads by holding on, so it asks what the enemy will do about it.
    search_of: ClassVar[Mapping[Side, Effort]] = {
        AXIS: Effort(24, worlds=4, units=2, rounds=2, heat=0.3)
    }
    signs: ClassVar[dict[str, int]] = {
        "margin": 1, "margin_late": 1, "north": -1, "road": -1, "forts": 1, "allied_armor": 1,
        "allied_foot": 1, "axis_armor": -1, "axis_foot": -1, "allied_spent": -1, "axis_spent": 1,
        "allied_unfed": -1, "axis_unfed": 1, "breaches": -1, "actions": 1, "allied_chances": 1,
        "axis_chances": -1, "word": -1, "ahead": 1, "to_come": -1, "allied_blows": 1,
        "axis_blows": -1,
    }  # fmt: skip

    words: ClassVar[dict[str, str]] = {
        "margin": "a score better for the Allies/Axis",
        "margin_late": "a score better for the Allies/Axis",
        "north": "more/fewer Axis units on the north edge",
        "road": "Axis units nearer/farther to/from the road to Tobruk (2803)",
        "forts": "more/fewer objectives in Allied hands",
        "allied_armor": "stronger/weaker Allied armor",
        "allied_foot": "stronger/weaker Allied infantry",
        "axis_armor": "stronger/weaker Axis armor",
        "axis_foot": "stronger/weaker Axis infantry",
        "allied_spent": "more/fewer Allied units used or disrupted",
        "axis_spent": "more/fewer Axis units used or disrupted",
        "allied_unfed": "worse/better Allied supply",
        "axis_unfed": "worse/better Axis supply",
        "breaches": "more/fewer breaches in the mines",
        "actions": "a balance of actions left better for the Allies/Axis",
        "allied_chances": "better/poorer Allied attacks to come",
        "axis_chances": "better/poorer Axis attacks to come",
        "word": "an Allied promise to attack broken/kept",
        "ahead": "a score better for the Allies/Axis",
        "to_come": "more/fewer points still to come for the Axis",
        "allied_blows": "better/poorer Allied attacks to come",
        "axis_blows": "better/poorer Axis attacks to come",
    }

    clock: ClassVar[tuple[str, ...]] = ("turn", "players")
    """Actions are spent as time passes."""

    @cached_property
    def keener(self) -> Cauldron | None:
        return None if self.keen else Keen()

    def weighs(self, side: Side) -> list[list[float]]:
        return self.weights if self.keen else self.plain

    def unit(self, game: Game) -> Hashable:
        """An action phase of one side, or another phase of the turn."""
        phase = getattr(game.stack[0], "phase", "") if game.stack else ""
        if phase == "actions":
            left = tuple(game.players[side].actions for side in (AXIS, ALLIED))
            return game.turn, left, len(game.players[AXIS].cup), len(game.players[ALLIED].cup)
        return game.turn, phase

    def phase(self, game: Game) -> int:
        done = game.turn / game.last_turn
        return 0 if done <= 0.34 else 1 if done <= 0.75 else 2

    def tactic(self, game: Game, action: Action, plan: Sequence[Action] = ()) -> str:
        return tactic(Thumb(game), action, plan)

    def priors(self, game: Game, actions: Sequence[Action]) -> list[float]:
        return list(Thumb(game).moves(actions))

    @cached_property
    def prior(self) -> list[list[float]]:
        """The points that the Allies will be ahead by at the end, as reckoned by hand."""
        return self.read_weights("cauldron.hand.toml")

    @cached_property
    def plain(self) -> list[list[float]]:
        """What officers judge by: they think little of the points still to come."""
        return self.read_weights("cauldron.officer.toml")

    def value(self, game: Game, side: Side) -> float:
        """The chance to win as an officer sees it."""
        return self.chance(game, side, self.plain)

    def judge(self, game: Game, side: Side) -> float:
        """The same by the points still to come: who holds the north edge and 2803, who can strike.

        A lost game is still worth its margin.
        """
        if not game.outcome:
            return self.chance(game, side, self.weights)
        chance = decided(game, -sum(line.value for line in game.outcome.score))
        return chance if side == ALLIED else 1 - chance

    def blunders(self, game: Game, action: Action) -> Iterator[str]:
        """What is absurd about an action."""
        return blunders(game, action)

    def follies(self, before: Game, after: Game, side: Side) -> Iterator[str]:
        """What is absurd about a planning unit as a whole."""
        return follies(before, after, side)

    def features(self, game: Game) -> list[float]:
        data = game.facts
        left = turns_left(game) / game.last_turn
        turns = turns_left(game)
        ahead = margin(game)
        forts = sum(line.value for _, line in tally(game) if line.rule == "17.0")
        power = {(side, armor): 0.0 for side in (ALLIED, AXIS) for armor in (False, True)}
        spent, unfed = {AXIS: 0.0, ALLIED: 0.0}, {AXIS: 0.0, ALLIED: 0.0}
        north, edge = 0.0, data.edge["north"]
        road = data.board.ring(data.board.at(TOBRUK_ROAD))
        nearest = 99
        for unit, now in enumerate(game.units):
            if now.at < 0:
                continue
            one = UnitId(unit)
            side = game.side_of(one)
            worth = max(game.hard(one), game.soft(one))
            power[side, game.is_armor(one)] += worth
            if now.used or now.disrupted:
                spent[side] += worth * (now.used + now.disrupted)
            if now.supply != IN_SUPPLY:
                unfed[side] += now.supply
            if side == AXIS:
                north += bool(edge >> now.at & 1)
                nearest = min(nearest, road[now.at])
        at_hand = {side: chances(game, side) for side in (ALLIED, AXIS)}
        blows = {
            side: worth * (1.0 if game.players[side].actions else WAITING)
            for side, worth in at_hand.items()
        }
        fighting = time_left(game)
        sure = 1 / (0.6 + 0.5 * fighting)  # The more is still to happen, the less a point decides.
        return [
            ahead / 10 * left,
            ahead / 10 * (1 - left),
            min(1.0, north / data.tables.limits.north_edge_units) * turns / 5,
            0.6**nearest * turns / 5,
            forts / 5,
            power[ALLIED, True] / 60 * left,
            power[ALLIED, False] / 60 * left,
            power[AXIS, True] / 60 * left,
            power[AXIS, False] / 60 * left,
            spent[ALLIED] / 60,
            spent[AXIS] / 60,
            unfed[ALLIED] / 8,
            unfed[AXIS] / 8,
            sum(marker.unit is None for marker in game.markers) / 3,
            (game.players[ALLIED].actions - game.players[AXIS].actions) / 4,
            at_hand[ALLIED] / 4,
            at_hand[AXIS] / 4,
            float(game.broken_word),
            ahead * sure,
            to_come(game) * sure,
            blows[ALLIED] * sure,
            blows[AXIS] * sure,
            fighting * sure,
            1.0,
        ]


class Keen(Cauldron):
    """What generals know."""

    keen: ClassVar[bool] = True


KNOWLEDGE = Cauldron()
