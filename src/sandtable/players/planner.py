"""Search over whole plans: draw them from tempting actions, try them on worlds, halve, repeat.

A plan is what a side does from now to the first roll of dice; after that, and for the enemy, the
most tempting action is played. Plans are judged when the planning unit (an impulse, a phase) ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import exp
from typing import Any

from sandtable.kernel.actions import Action
from sandtable.kernel.events import Side
from sandtable.players.effort import NEVER, Effort, Unhurried
from sandtable.players.knowledge import Knowledge
from sandtable.players.worlds import Chooser, Worlds

LONGEST_TRIAL = 400
"""Decisions after which a trial is judged where it stands."""

IDLE = 2
"""Rounds without a new plan after which a search ends, or looks farther afield."""

PATIENCE = 4
"""How many times as many first actions are tried while every plan is absurd."""


class OutOfTime(Exception):
    """Time ran out in the midst of a trial."""


class Plan:
    """Actions up to the first dice, and how they did in each world tried."""

    __slots__ = (
        "absurd", "actions", "asked", "blunder", "eves", "game", "offers", "scores", "unit_end",
    )  # fmt: skip

    def __init__(self, game: Any) -> None:
        self.actions: list[Action] = []
        self.offers: list[Sequence[Action]] = []
        self.scores: list[float] = []
        self.absurd = False
        """Whether it does what no sensible commander does: it is played only if all others do."""
        self.game = game
        """Where the plan led in the world it was drawn in."""
        self.unit_end: Any = None
        """The position when the planning unit ended, if the plan was followed further."""
        self.asked: Any = None
        """The position when the enemy is asked whether to interrupt its last action."""
        self.eves: list[Any] = []
        """The position before each action, where nothing is hidden: the same in all worlds."""
        self.blunder: int | None = None
        """Which of its actions was the first absurd one."""

    def bare(self) -> Plan:
        """The plan alone, which can be kept and sent elsewhere."""
        plan = Plan(None)
        plan.actions, plan.scores, plan.absurd = self.actions, self.scores, self.absurd
        plan.offers = [list(offer) for offer in self.offers]
        return plan

    def until(self, cut: int) -> Plan | None:
        """The same plan up to one of its actions, to go on from there; None if that is not kept."""
        if cut >= len(self.eves):
            return None
        plan = Plan(self.eves[cut].copy())
        plan.actions, plan.offers = self.actions[:cut], self.offers[:cut]
        plan.eves = self.eves[:cut]
        plan.absurd = self.blunder is not None and self.blunder < cut
        plan.blunder = self.blunder if plan.absurd else None
        return plan

    def rank(self, shared: int) -> tuple[bool, float]:
        """Sorts sane plans before absurd ones, the best by so many worlds first."""
        return self.absurd, -sum(self.scores[:shared])


class Search:
    """One search, from one position, for one side."""

    def __init__(
        self,
        worlds: Worlds,
        side: Side,
        know: Knowledge,
        effort: Effort,
        luck: Chooser,
        clock: Unhurried | None = None,
        judge: Callable[[Any, Side], float] | None = None,
        eve: Any = None,
    ) -> None:
        self.worlds, self.side, self.know = worlds, side, know
        self.eve = eve
        """Where the planning unit began, if that was before: it is judged as a whole."""
        self.effort, self.luck = effort, luck
        clock = clock or Unhurried()
        self.late, self.up = clock.late, clock.up
        self.judge = judge or know.value
        self.open = know.open or know.sees_all(worlds[0], side)
        """Whether worlds differ in their dice alone."""
        self.part = (0, 1)
        """Which of how many searches this is, so that each begins with actions of its own."""
        self.trials = self.drawn = 0
        self.plans: list[Plan] = []
        self._seen: set[tuple[Action, ...]] = set()
        self._main: Plan | None = None
        """A plan that is compared to the end, lest luck alone makes another look better."""

    def best(self) -> Plan:
        """The best plan found; a trial that time runs out on does not count."""
        with suppress(OutOfTime):
            self._look()
        self._keep(1)
        return self.plans[0]

    def _look(self) -> None:
        """Drawn plans first, then variations of the leaders."""
        self._draw()
        tried = min(2, self.effort.worlds)
        self._try_all(self.plans, tried)
        idle = 0
        for _ in range(self.effort.rounds):
            if self.late():
                break
            if idle > IDLE:
                farther = self.effort.farther()
                if farther is None:
                    break
                self.effort, idle = farther, 0
            self._keep(max(2, len(self.plans) // 2))
            fresh = self._vary(max(2, len(self.plans) // 2), tried)
            idle = 0 if fresh or tried < self.effort.worlds else idle + 1
            tried = min(self.effort.worlds, tried * 2)
            self._keep(max(2, len(self.plans) // 2))
            self._try_all(self.plans, tried)
        while len(self.plans) > 1 and tried < self.effort.worlds and not self.late():
            self._keep(max(2, len(self.plans) // 2))
            tried = min(self.effort.worlds, tried * 2)
            self._try_all(self.plans, tried)

    def follow(self, plan: Plan) -> Any:
        """The position that a plan leads to in the first world."""
        if plan.game is not None:
            return plan.game
        self.up = Unhurried().up
        return self._play(self.worlds[0], plan.actions, 0.0).game

    def _draw(self) -> None:
        """The first plans: every tempting first action, and then what luck brings."""
        root = self.worlds[0]
        actions = root.actions()
        tempting = self.know.priors(root, actions)
        order = sorted(range(len(actions)), key=lambda at: -tempting[at])
        sane = [at for at in order if tempting[at] > NEVER]
        order = sane or order
        first, step = self.part
        swerve = self.effort.swerve
        firsts = max(min(2, self.effort.plans), self.effort.plans * (1 if swerve else 2) // 3)
        # With more cores than first actions, some begin as the others do.
        for number, at in enumerate(order[first::step] or order):
            if len(self.plans) >= 2 and self.late():
                return
            if number >= firsts and (number >= PATIENCE * firsts or not self._all_absurd()):
                break
            self._add((actions[at],), 0.0)
        if self._all_absurd():
            # Whatever else is done leads to the folly: then rather let it be.
            for action in actions:
                if not any(root.about(action)):
                    self._add((action,), 0.0)
        if swerve:
            for mind in self.know.postures:
                self._add((), 0.0, mind=mind)
            self._swerve(self.effort.plans - len(self.plans))
            return
        for _ in range(self.effort.plans // 3):
            if self.late():
                return
            at = pick(self.luck, tempting, self.effort.heat)
            self._add((actions[at],), self.effort.heat)

    def _all_absurd(self) -> bool:
        return all(plan.absurd for plan in self.plans)

    def _swerve(self, number: int) -> None:
        """Leave the most tempting plan at one point; a short plan has few of them."""
        self._main = self.plans[0]
        main = self._main.actions
        for _ in range(min(number, len(main) - 1)):
            if self.late():
                return
            cut = 1 + self.luck.below(len(main) - 1)
            self._add(main, self.effort.heat, cut, self._main.until(cut))

    def _vary(self, number: int, tried: int) -> int:
        """Leave good plans at some point, and go on differently; how many new ones came of it."""
        parents = list(self.plans)
        swerve = self.effort.swerve
        if swerve:
            number = min(number, max(len(parent.actions) - 1 for parent in parents))
        for count in range(number):
            if self.late():
                break
            parent = parents[count % len(parents)]
            cut = self.luck.below(len(parent.actions))
            begun = parent.until(cut)
            if swerve:
                plan = self._add(parent.actions, self.effort.heat, cut, begun)
            else:
                plan = self._add(parent.actions[:cut], self.effort.heat, begun=begun)
            if plan:
                self._try_all([plan], tried)
        return len(self.plans) - len(parents)

    def _add(
        self,
        prefix: Sequence[Action],
        heat: float,
        swerve: int = -1,
        begun: Plan | None = None,
        mind: Knowledge | None = None,
    ) -> Plan | None:
        """Try a plan that begins so in the first world; None if it is known already."""
        plan = self._draw_plan(prefix, heat, swerve, begun, mind)
        actions = tuple(plan.actions)
        if actions in self._seen or not actions:
            return None
        self._seen.add(actions)
        self.drawn += 1
        self.plans.append(plan)
        return plan

    def _draw_plan(
        self,
        prefix: Sequence[Action],
        heat: float,
        swerve: int,
        begun: Plan | None,
        mind: Knowledge | None,
    ) -> Plan:
        self.trials += 1
        root = self.worlds[0]
        rolls = root.dice.count
        start = begun.game if begun else root.copy()
        plan = self._play(start, prefix, heat, swerve, begun, mind)
        score = self.judge(plan.game, self.side)
        plan.absurd = plan.absurd or self._foolish(root, plan.unit_end or plan.game)
        if plan.asked and not plan.absurd:
            plan.absurd = self._foolish_undisturbed(root, plan.asked)
        # Where nothing is hidden and no dice fell, every world is this one.
        sure = self.open and plan.game.dice.count == rolls
        plan.scores = [score] * (self.effort.worlds if sure else 1)
        plan.unit_end = plan.asked = None
        return plan

    def _blunder(self, game: Any, action: Action) -> bool:
        """Whether an action is absurd in itself, or after what its unit did since the eve."""
        eve = self.eve or self.worlds[0]
        return any(self.know.blunders(game, action)) or self.know.circles(eve, game, action)

    def _foolish(self, root: Any, end: Any) -> bool:
        """Whether it makes no sense to have come to this, from here or from the unit's eve."""
        if end.outcome:
            return False
        if any(self.know.follies(root, end, self.side)):
            return True
        if self.eve is None:
            return False
        bygone = self.know.lasting.intersection(self.know.follies(self.eve, root, self.side))
        return not bygone.issuperset(self.know.follies(self.eve, end, self.side))

    def _foolish_undisturbed(self, root: Any, asked: Any) -> bool:
        """Whether it makes no sense unless the enemy interrupts, if the unit ends otherwise."""
        calm = undisturbed(self.know, root, asked, self.side)
        return self.know.unit(calm) != self.know.unit(root) and self._foolish(root, calm)

    def _try_all(self, plans: Sequence[Plan], worlds: int) -> None:
        for which in range(worlds):
            for plan in plans:
                if len(plan.scores) == which:
                    if which and self.late():
                        return
                    plan.scores.append(self._trial(which, plan))

    def _keep(self, number: int) -> None:
        """Only plans tried in equally many worlds compare fairly, so judge by the shared ones."""
        shared = min(len(plan.scores) for plan in self.plans)
        self.plans.sort(key=lambda plan: plan.rank(shared))
        if self._main in self.plans[number:] and number > 1:
            self.plans[number - 1] = self._main
        del self.plans[number:]

    def _trial(self, which: int, plan: Plan) -> float:
        """What a plan comes to in a world."""
        self.trials += 1
        if not plan.eves:
            return self.judge(self._play(self.worlds[which], plan.actions, 0.0).game, self.side)
        game = plan.eves[-1].copy()
        game.dice = self.worlds.dice(which, game.dice.count)
        return self.judge(self._play(game, plan.actions[-1:], 0.0).game, self.side)

    def _play(
        self,
        game: Any,
        prefix: Sequence[Action],
        heat: float,
        swerve: int = -1,
        begun: Plan | None = None,
        mind: Knowledge | None = None,
    ) -> Plan:
        """Play on from here, first as planned, until the plan can be judged.

        A plan that swerves does something else at that point, and then what it can of the rest.
        What is not planned yet is planned in a frame of mind, if one is given.
        """
        know, side = self.know, self.side
        unit, units, rolls = know.unit(game), 0, game.dice.count
        plan = begun or Plan(game)
        planned = plan.actions
        for _ in range(LONGEST_TRIAL):
            if game.outcome:
                break
            if self.plans and self.up():
                raise OutOfTime
            now = know.unit(game)
            if now != unit:
                units += 1
                unit = now
                if units >= self.effort.units:
                    break
                if units == 1:
                    plan.unit_end = game.copy()
            actions = game.actions()
            certain = units == 0 and game.dice.count == rolls
            planning = game.actor == side and certain
            if know.interrupted and certain and not (planning or plan.asked):
                plan.asked = game.copy()
            at = len(planned)
            known = planning and at < len(prefix) and prefix[at] in actions
            if len(actions) == 1:
                action = actions[0]
            elif known and at == swerve:
                others = [each for each in actions if each != prefix[at]]
                action = others[pick(self.luck, know.priors(game, others), heat)]
            elif known and (at < swerve or swerve < 0 or any(game.about(prefix[at]))):
                action = prefix[at]
            else:
                thinks = mind if mind and planning else know
                if heat and planning and swerve < 0:
                    chosen = pick(self.luck, thinks.priors(game, actions), heat)
                else:
                    chosen = thinks.favourite(game, actions)
                action = actions[chosen]
            ours = game.actor == side and units == 0 and len(actions) > 1
            if ours and not plan.absurd and self._blunder(game, action):
                plan.absurd, plan.blunder = True, len(planned)
            if planning:
                plan.asked = None
                planned.append(action)
                plan.offers.append(actions)
                if self.open:
                    plan.eves.append(game.copy())
            game.play(action)
        return plan


def pick(luck: Chooser, tempting: Sequence[float], heat: float) -> int:
    """The most tempting, or with heat another one now and then."""
    most = max(tempting)
    if not heat:
        return tempting.index(most)
    weights = [
        exp((each - most) / heat) if each > NEVER or most <= NEVER else 0.0 for each in tempting
    ]
    mark = luck.share() * sum(weights)
    for at, weight in enumerate(weights):
        mark -= weight
        if mark <= 0:
            return at
    return len(weights) - 1


def undisturbed(know: Knowledge, root: Any, game: Any, side: Side) -> Any:
    """Where a position leads if the enemy, asked in the midst of something, lets it be.

    It is followed while more is under way than at the root, short of dice within its planning unit.
    """
    unit, depth = know.unit(root), len(root.stack)
    while game.actor not in (None, side) and know.unit(game) == unit and len(game.stack) > depth:
        calm = [each for each in game.actions() if not any(game.about(each))]
        if not calm:
            break
        after = game.copy()
        after.play(calm[0])
        # Dice after the end of the unit are for what comes next.
        if after.dice.count != game.dice.count and know.unit(after) == unit:
            break
        game = after
    return game
