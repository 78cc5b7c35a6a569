"""What wargamers know of Operation Battleaxe: points on three evenings, and who can take them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import ClassVar

from msgspec.structs import replace

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Side
from sandtable.players.effort import NEVER, Effort
from sandtable.players.knowledge.battleaxe_absurd import blunders, circles, follies
from sandtable.players.knowledge.battleaxe_inputs import INPUTS, inputs
from sandtable.players.knowledge.battleaxe_reading import (
    AIR,
    FEATURES,
    GUNS,
    IMPULSES_LEFT,
    Prospect,
    Reading,
    Support,
    defense,
    evenings,
    features,
    impulses_left,
    prospect,
    stand,
    strength,
    support_of,
    time_left,
    unit_of,
)
from sandtable.players.knowledge.battleaxe_reasons import marks_time, tactic
from sandtable.players.knowledge.net import Foresight
from sandtable.titles.battleaxe import combat, impulses, losses, movement
from sandtable.titles.battleaxe.actions import (
    Absorb,
    Activate,
    Advance,
    Attack,
    CallArtillery,
    Consolidate,
    DeclareAssault,
    DeclareFuelShortage,
    DeclareRegroup,
    DeclareRommel,
    EndImpulse,
    EndRefit,
    ExtraReplacement,
    Intercept,
    Join,
    LeadDefense,
    Move,
    Pass,
    Rebuild,
    Recover,
    Refit,
    Reserves,
    RetreatTo,
    SetUp,
    Shift,
    SpendAdvantage,
    Stand,
    TigerCubs,
    UseAir,
    UseRommel,
    Withdraw,
)
from sandtable.titles.battleaxe.data import ALLIED, AXIS, SIDES
from sandtable.titles.battleaxe.refit import tank
from sandtable.titles.battleaxe.state import Game
from sandtable.titles.battleaxe.support import Battle
from sandtable.titles.battleaxe.victory import LAST_DAY, automatic_victory, needed

HOPELESS = 0.6
"""How likely an attack may be thrown back."""
ROAD = 28
"""The points that an Automatic Victory counts for those who learn from it."""
LAST_CHANCE = 0.85
"""The same on the last day, when Allied losses no longer count and points do."""
WON, HIT, FLIP = 1.35, 0.3, 0.9
"""What a won attack is worth without its prize, an Attrition Point, and a unit that is flipped."""
LATE = 5
"""The Impulse from which the day may end any time, so that waking the panzers costs little."""
MARCH = 0.5
"""How much more a general's units are drawn out of their Zones in the first Impulse."""
WAKES = "wakes the panzers early"
GATHER = 1.0
"""How much less an attack tempts a general for each unit that could still join it."""


class Battleaxe(Foresight):
    """Knowledge of the title."""

    title: ClassVar[str] = "battleaxe"
    names: ClassVar[tuple[str, ...]] = FEATURES
    inputs: ClassVar[tuple[str, ...]] = INPUTS
    whim: ClassVar[float | None] = 1.0
    open: ClassVar[bool] = True
    arrivals: ClassVar[tuple[type[Action], ...]] = (SetUp,)
    look: ClassVar[Effort] = Effort(plans=4, worlds=8, rounds=0, heat=0.5)
    search: ClassVar[Effort] = Effort(plans=24, worlds=16, units=2, rounds=2)
    signs: ClassVar[dict[str, int]] = {
        "points": 1,
        "held": 1,
        "in_danger": -1,
        "in_reach": 1,
        "losses": 1,
        "wrecks": 1,
        "allied_armor": 1,
        "allied_foot": 1,
        "german_armor": -1,
        "axis_foot": -1,
        "advantage": 1,
        "guns": 1,
        "fifteenth": -1,
        "fifth": -1,
        "road": 1,
        "unfed": 1,
    }

    clock: ClassVar[tuple[str, ...]] = ("turn", "impulse")
    words: ClassVar[dict[str, str]] = {
        "points": "more/fewer Allied Victory Points",
        "held": "more/fewer Areas that score for the Allies",
        "in_danger": "more/less danger to Areas that score for the Allies",
        "in_reach": "better/poorer Allied chances to take Areas that score",
        "losses": "more/fewer German units lost",
        "wrecks": "more/fewer Reduced panzers",
        "allied_armor": "stronger/weaker Allied tanks",
        "allied_foot": "stronger/weaker Allied infantry and guns",
        "german_armor": "stronger/weaker Axis tanks",
        "axis_foot": "stronger/weaker Axis infantry and guns",
        "advantage": "the Advantage nearer to the Allies/Axis",
        "guns": "a balance of artillery better for the Allies/Axis",
        "fifteenth": "15th Panzer awake/asleep",
        "fifth": "5th Light awake/asleep",
        "road": "an easier/harder road to Tobruk",
        "unfed": "a balance of supply better for the Allies/Axis",
    }

    @cached_property
    def keener(self) -> Battleaxe | None:
        return Keen()

    def unit(self, game: Game) -> Hashable:
        return unit_of(game)

    def features(self, game: Game) -> list[float]:
        return features(game)

    def read(self, game: Game) -> list[float]:
        return inputs(game)

    def points(self, game: Game) -> float:
        """17.1 An open road counts as more points than anybody needs."""
        won_at_once = game.outcome is not None and game.outcome.level == "automatic"
        return max(game.vp, ROAD) if won_at_once else game.vp

    def goal(self, game: Game) -> float:
        return needed(game)

    def phase(self, game: Game) -> int:
        """Each day has weights of its own."""
        return min(game.turn, LAST_DAY) - 1

    def blunders(self, game: Game, action: Action) -> Iterator[str]:
        return blunders(game, action)

    def circles(self, eve: Game, game: Game, action: Action) -> bool:
        return circles(eve, game, action)

    def follies(self, before: Game, after: Game, side: Side) -> Iterator[str]:
        return follies(before, after, side)

    def tactic(self, game: Game, action: Action, plan: Sequence[Action] = ()) -> str:
        return tactic(self.thumb(game), action, plan)

    def idle(self, plan: Sequence[Action]) -> bool:
        return marks_time(plan) or super().idle(plan)

    def thumb(self, game: Game) -> Thumb:
        """The rules of thumb to go by."""
        return Thumb(game)

    def priors(self, game: Game, actions: Sequence[Action]) -> list[float]:
        """How tempting each action looks, by rules of thumb."""
        mind = self.thumb(game)
        return [mind.tempts(action) for action in actions]


class Thumb:
    """Rules of thumb in one position."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.side = SIDES.index(game.actor) if game.actor else ALLIED
        self.nights = evenings(game)
        self.step = game.step
        self._calm: dict[int, float] = {}
        self._wants: dict[int, float] = {}
        self._defends: dict[int, float] = {}
        self._targets: dict[int, tuple[int, Support]] = {}
        self._ready: dict[int, tuple[UnitId, ...]] = {}

    def tempts(self, action: Action) -> float:
        """One action's temptation."""
        game = self.game
        match action:
            case DeclareAssault(spaces):
                found = max(self._best_target(space) for space in spaces)
                return found + 1.5 * (len(spaces) > 1)
            case Activate(space):
                return self._best_target(space) - 0.5
            case Move(unit, to):
                return self._move(unit, to)
            case Attack(space, lead):
                return self._attack(space, lead)
            case Advance(unit, to):
                return self._go(to, game.units_in(self.side, game.units[unit].space))
            case EndImpulse():
                return 0.4
            case Pass():
                return -2.0
            case DeclareRegroup():
                return 0.0
            case Shift(unit, to):
                return self._stand_in(to) - self._stand_in(game.units[unit].space)
            case Consolidate(unit, cost):
                return -0.5 + 0.3 * (game.cv(unit) - game.cv(cost))
            case Join(unit):
                return self._join(unit)
            case LeadDefense(unit):
                return float(game.cv(unit))
            case UseAir(use) | UseRommel(use) | CallArtillery(use):
                return 2.0 * use
            case SpendAdvantage(spend):
                return self._advantage() if spend else 0.0
            case Absorb(unit, how):
                return self._absorb(unit, how)
            case Withdraw(unit):
                return -1.0 if game.data.side_of[unit] == AXIS else -2.0
            case Stand():
                return 0.0
            case RetreatTo(unit, to):
                return self._stand_in(to)
            case SetUp(unit, to):
                return 1.0 if game.data.spaces[to].id == "D" else 0.0
        return self._administer(action)

    def _administer(self, action: Action) -> float:
        """Replacements and declarations."""
        game = self.game
        match action:
            case Rebuild(unit, to):
                german = game.data.german[unit]
                strong = game.data.unit_facts[unit].cv[1] + 3 * german
                return strong + 0.3 * self._stand_in(to)
            case Refit(unit) | Recover(unit) | TigerCubs(unit) | Reserves(unit):
                worth = game.data.unit_facts[unit].cv[0] - game.cv(unit)
                wreck = game.data.german[unit] and tank(game, unit)
                return 2.0 + worth + 2.0 * wreck
            case ExtraReplacement():
                return 3.0 if game.turn == LAST_DAY else -1.0
            case EndRefit():
                return -3.0
            case DeclareFuelShortage():
                return -1.5
            case DeclareRommel():
                return 0.0
            case Intercept():
                return 0.5
        return 0.0

    # Going somewhere.

    def _fresh(self, space: int) -> tuple[UnitId, ...]:
        """The units there that could still act this Impulse."""
        if space not in self._ready:
            game = self.game
            units = [
                unit
                for unit in game.units_in(self.side, Space(space))
                if game.mf(unit) and not game.held_back(unit)
            ]
            if isinstance(self.step, movement.Assault):
                used = self.step.done | self.step.fought | self.step.finished
                active = self.step.activated & ~used
                units = [unit for unit in units if active >> unit & 1]
            self._ready[space] = tuple(units)
        return self._ready[space]

    def _best_target(self, space: Space) -> float:
        """The most that the units of a space could do, in it or beside it."""
        best = max(worth for worth, _ in self.targets(space))
        return best if self.game.occupied[1 - self.side] >> space & 1 else max(-3.0, best)

    def targets(self, space: Space) -> Iterator[tuple[float, Space]]:
        """What the units of a space could do where, in it or beside it."""
        game = self.game
        units = [u for u in game.units_in(self.side, space) if not game.held_back(u)]
        if game.occupied[1 - self.side] >> space & 1:
            yield self._fight(space, units), space
        for to in map(Space, spots(game.data.near[space])):
            yield self._go(to, units), to

    def _go(self, to: Space, units: Sequence[UnitId]) -> float:
        """What it is worth that these units go there together."""
        game, side = self.game, self.side
        if game.occupied[1 - side] >> to & 1:
            room = game.data.tables.stacking - len(game.units_in(side, to))
            if room <= 0 and not game.is_zone(to):
                return -5.0
            movers = sorted(units, key=lambda unit: -game.cv(unit))[: max(room, 1)]
            here = game.units_in(side, to)
            return self._fight(to, (*movers, *here))
        found = self._calm.get(to)
        if found is None:
            if game.holder(to) == side:
                found = -1.0 + 0.25 * self._stand_in(to)
            else:
                found = 0.6 + 1.2 * game.data.spaces[to].vp * self.nights - self._wakes(to)
            self._calm[to] = found
        return found

    def _wakes(self, to: Space) -> float:
        """16.1, 16.2 The price of waking the panzers on the first day."""
        game = self.game
        if game.turn > 1 or self.side == AXIS:
            return 0.0
        price = 0.0
        data = game.data
        # The table counts the present Impulse too; here only those after it do.
        after_this = IMPULSES_LEFT[min(game.impulse, len(IMPULSES_LEFT) - 1)]
        if not game.released[0] and (to == data.halfaya or data.near[data.panzer_area] >> to & 1):
            price += 0.35 * after_this
        if data.western_zones >> to & 1:
            price += 0.4 * after_this * (2 - sum(game.released))
        return price

    def _fight(self, space: Space, units: Sequence[UnitId]) -> float:
        """What an attack there by these units is worth, at a glance."""
        game, side = self.game, self.side
        if not units:
            return -5.0
        found = self.prospect(space, units)
        facts = game.data.spaces[space]
        last_chance = game.turn == LAST_DAY and side == ALLIED and facts.vp
        if found.repulse > (LAST_CHANCE if last_chance else HOPELESS):
            return NEVER
        prize = facts.vp * self.nights if game.holder(space) != side else facts.vp
        price = FLIP * (len(units) * found.repulse + 1 - found.win - found.repulse)
        if game.turn == LAST_DAY and side == ALLIED:
            price *= 0.4
        gain = found.win * (WON + 1.15 * prize - self._wakes(space))
        return gain + HIT * found.hits - price

    def prospect(self, space: Space, units: Sequence[UnitId]) -> Prospect:
        """11.4.4 The chances of an attack there by these units."""
        game, side = self.game, self.side
        if space not in self._targets:
            contested = bool(game.contested_before >> space & 1)
            battle = Battle(space, side, units[0], tuple(units), contested)
            short = 2 * (side == AXIS and game.fuel_low)
            held = stand(game, 1 - side, space) + short
            self._targets[space] = held, support_of(game, battle)
        held, helped = self._targets[space]
        return prospect(strength(game, units, attacking=True) - held, helped)

    def _against(self, space: Space) -> float:
        """The enemy's Defense Value there."""
        found = self._defends.get(space)
        if found is None:
            found = self._defends[space] = defense(self.game, 1 - self.side, space)
        return found

    def _help(self) -> float:
        """What support still adds to an attack in this Impulse; `help_for` looks to later ones."""
        game, side = self.game, self.side
        value = GUNS if game.artillery[side] else 0.0
        if side == ALLIED:
            return value + AIR * (not game.air_used)
        rommel = game.rommel and not game.rommel_used
        return value + AIR * rommel - 2 * game.fuel_low

    def _move(self, unit: UnitId, to: Space) -> float:
        """A single move: follow friends into a fight, take what is free, mind what is left."""
        game, side, step = self.game, self.side, self.step
        start = game.units[unit].space
        moving = isinstance(step, movement.Assault) and step.mover == unit
        if game.occupied[1 - side] >> to & 1:
            friends = game.units_in(side, to)
            if friends:
                edge = strength(game, friends, attacking=True) + self._help()
                edge -= self._against(to)
                follow = 2.5 - 0.4 * edge + 0.3 * game.cv(unit) - self._leaves(start)
                return follow + self._arms(unit, friends)
            others = self._fresh(start)
            lead = 0.2 * game.cv(unit) - 2.0 * (game.data.unit_facts[unit].kind == "at")
            worth = self._go(to, others if unit in others else (unit,))
            return worth if worth <= NEVER else worth + lead - self._leaves(start)
        if game.holder(to) == side:
            gain = self._stand_in(to) - self._stand_in(start)
            return gain - 0.5 - 0.5 * moving - self._leaves(start)
        return self._go(to, (unit,)) + 0.1 * game.mf(unit) - self._leaves(start)

    def _arms(self, unit: UnitId, friends: Sequence[UnitId]) -> float:
        """11.4.2E A unit that completes combined arms is wanted more."""
        facts = self.game.data.unit_facts
        kinds = {facts[each].kind for each in friends}
        return 0.5 * (facts[unit].kind not in kinds)

    def _leaves(self, start: Space) -> float:
        """What it costs to leave a place that scores or is needed."""
        game, side = self.game, self.side
        if len(game.units_in(side, start)) > 1 and not game.contested() >> start & 1:
            return 0.1 * game.data.spaces[start].vp
        facts = game.data.spaces[start]
        near = game.data.near[start] & game.occupied[1 - side]
        return (1.2 if near else 0.3) * facts.vp

    def _stand_in(self, space: Space) -> float:
        """How much a place wants a unit: it scores, enemies are near, and it is not full."""
        found = self._wants.get(space)
        if found is None:
            found = self._wants[space] = self._wanted(space)
        return found

    def _wanted(self, space: Space) -> float:
        game, side = self.game, self.side
        facts = game.data.spaces[space]
        near = (game.data.near[space] & game.occupied[1 - side]).bit_count()
        here = len(game.units_in(side, space))
        value = facts.vp * (1.0 + 0.4 * near) / (1 + 0.5 * here) + 0.2 * near + 0.1 * facts.tem
        return value - 0.6 * game.is_zone(space)

    # Fighting.

    def _attack(self, space: Space, lead: UnitId) -> float:
        """Attack with everybody there; the strongest leads unless it is precious."""
        game, side, step = self.game, self.side, self.step
        units = game.units_in(side, space)
        if isinstance(step, movement.Assault):
            active = step.activated & ~(step.fought | step.finished)
            units = tuple(unit for unit in units if active >> unit & 1)
        guns = game.data.unit_facts[lead].kind == "at"
        if guns and any(game.data.unit_facts[unit].kind != "at" for unit in units):
            # An AT/FLAK unit leads only its own kind (10.3).
            return NEVER
        worth = self._fight(space, units)
        if worth <= NEVER:
            return worth
        return worth + 0.5 * (game.cv(lead) - max(game.cv(unit) for unit in units))

    def _join(self, unit: UnitId) -> float:
        """Concentrate; a group is made up in the order of its units, so in one way only."""
        step = self.step
        assert isinstance(step, combat.Muster)
        if unit < max(step.battle.units[1:], default=-1):
            return -9.0
        edge = strength(self.game, step.battle.units, attacking=True) + self._help()
        edge -= self._against(step.battle.space)
        return 2.0 - 0.3 * edge

    def _advantage(self) -> float:
        """The Advantage has a price that falls to nothing at the end."""
        game, step = self.game, self.step
        price = 0.5 + 1.5 * time_left(game) / 3
        match step:
            case combat.FanaticalDefense():
                vp = game.data.spaces[step.battle.space].vp
                return 0.5 * step.points + 0.6 * vp - price - 0.5
            case combat.MaximumAttack():
                return 0.6 * len(step.battle.units) - price
            case impulses.EndOfImpulse():
                return -1.0
        return -1.0

    def _absorb(self, unit: UnitId, how: str) -> float:
        """Lose what is worth least; Germans rather go back than die."""
        game = self.game
        german = game.data.german[unit]
        worth = 0.3 * game.cv(unit)
        if how == losses.ELIMINATE:
            return -worth - 1.0 - 2.0 * german
        if how == losses.FLIP:
            return -worth - 1.0 * (german and tank(game, unit))
        return -0.5 - 0.8 * game.data.spaces[game.units[unit].space].vp


class MassedThumb(Thumb):
    """The Allies of a general march out together and gather before they strike."""

    def _move(self, unit: UnitId, to: Space) -> float:
        """16.3 In the first Impulse everybody may leave the Zones, so everybody does."""
        game = self.game
        found = super()._move(unit, to)
        first = self.side == ALLIED and game.turn == game.impulse == 1
        leaves = game.data.frontier_zones >> game.units[unit].space & 1
        return found + MARCH * (first and leaves and not game.occupied[AXIS] >> to & 1)

    def _attack(self, space: Space, lead: UnitId) -> float:
        """Who could still join the attack should come first."""
        worth = super()._attack(space, lead)
        if self.side == AXIS or worth <= NEVER:
            return worth
        game = self.game
        beside = spots(game.data.near[space] & ~game.occupied[AXIS])
        room = game.data.tables.stacking - len(game.units_in(ALLIED, space))
        return worth - GATHER * min(room, sum(len(self._fresh(at)) for at in beside))


class Keen(Battleaxe):
    """What generals know besides: to mass, the road to Tobruk, to let the panzers sleep."""

    keener = None
    lasting: ClassVar[frozenset[str]] = frozenset({WAKES})
    search: ClassVar[Effort] = replace(Battleaxe.search, swerve=True)

    def thumb(self, game: Game) -> Thumb:
        return MassedThumb(game)

    def measure(self, game: Game, side: Side, effort: Effort) -> Effort:
        """16.3 The Allies' first Impulse moves everybody: it is worth more thought."""
        first = game.turn == game.impulse == 1 and side == SIDES[ALLIED]
        return (
            replace(effort, plans=2 * effort.plans, rounds=3 * effort.rounds) if first else effort
        )

    def obvious(self, game: Game, actions: Sequence[Action]) -> Action | None:
        """Support comes back: what is not used is lost. Rommel's first ride costs the Advantage."""
        for action in actions:
            match action:
                case UseAir(True) | CallArtillery(True):
                    return action
                case UseRommel(True) if game.rommel:
                    return action
        return None

    def judge(self, game: Game, side: Side) -> float:
        """17.1 With the road open, night would end the game."""
        chance = super().judge(game, side)
        if game.outcome or not automatic_victory(game):
            return chance
        return chance + (float(side == SIDES[ALLIED]) - chance) / impulses_left(game)

    def blunders(self, game: Game, action: Action) -> Iterator[str]:
        yield from super().blunders(game, action)
        if isinstance(action, Advance) and self._quits(game, action):
            yield "leaves a prize behind"

    def _quits(self, game: Game, action: Advance) -> bool:
        """Whether the last unit leaves a scoring Area to an enemy beside it, for less."""
        side = game.data.side_of[action.unit]
        start = game.units[action.unit].space
        if game.data.spaces[action.space].vp or game.occupied[1 - side] >> action.space & 1:
            return False
        if not game.data.spaces[start].vp or len(game.units_in(side, start)) > 1:
            return False
        return any(game.data.near[start] >> at & 1 for at in Reading(game).ready[1 - side])

    def follies(self, before: Game, after: Game, side: Side) -> Iterator[str]:
        yield from super().follies(before, after, side)
        if before.turn != after.turn:
            return
        if side == SIDES[ALLIED]:
            # 16.1 Halfaya is worth waking them.
            taken = after.held_by(ALLIED) >> after.data.halfaya & 1
            if after.released[0] and not before.released[0] and after.impulse < LATE and not taken:
                yield WAKES
            return
        if automatic_victory(after) and not automatic_victory(before):
            yield "opens the road to Tobruk"
        tobruk = after.data.tobruk
        if before.units_in(AXIS, tobruk) and not after.units_in(AXIS, tobruk):
            yield "leaves Tobruk"


KNOWLEDGE = Battleaxe()
