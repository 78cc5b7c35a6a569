"""An opponent with rules of thumb and one look ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.kernel.actions import Action
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game
from sandtable.kernel.words import counted
from sandtable.players.effort import Effort, Unhurried
from sandtable.players.eve import Eve
from sandtable.players.knowledge import Knowledge, knowledge
from sandtable.players.planner import Plan, Search
from sandtable.players.seat import Choice, Seat
from sandtable.players.worlds import Chooser, Worlds


class Officer:
    """Draws a few plans for the present unit, tries each on a few worlds, plays the best."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._thoughts = 0
        self._plan: Plan | None = None
        self._at = 0
        self._eve = Eve()
        self._effort = self._reason = self._heard = ""
        self._telling = self._silent = False

    def knowledge(self, title: str, side: Side) -> Knowledge:
        """What it knows of a title; a trial of other weights gives it another."""
        known = knowledge(title)
        return known.schooled.get(side, known)

    def effort(self, know: Knowledge, side: Side) -> Effort:
        """How hard to think."""
        return know.look

    def judgement(self, know: Knowledge) -> Callable[[Any, Side], float]:
        """What it judges positions by."""
        return know.value

    def clock(self) -> Unhurried:
        """The time for a plan, from now on; an officer counts tries instead."""
        return Unhurried()

    def choose(self, seat: Seat) -> Choice:
        """The next action of the plan, or of a new plan if something came in between."""
        actions = seat.actions()
        if len(actions) == 1:
            return Choice(actions[0], "There is no other choice.", telling=False)
        action = self._next(seat)
        anew = action is None
        if action is None:
            action = self._think(seat)
        know = self.knowledge(seat.title.id, seat.side)
        rest = self._plan.actions[self._at :] if self._plan else ()
        told = anew or seat.asked
        here = seat.sample(f"{self._seed}|why") if told or seat.odds(action) else None
        chances = know.chances(here, action, rest) if here else ""
        # The actions of a plan share its reason; what begins one or rolls dice has its own.
        if here is None or not (told or chances):
            return Choice(action, self._reason, self._telling, self._heard)
        own = [each for each in (know.tactic(here, action, rest), chances) if each]
        reason = " ".join([*own, self._reason])
        # Where things are hidden the enemy hears what anybody could say of the action alone.
        shown = rest if know.open else ()
        plain = _in_the_open(seat, here, lambda game: know.tactic(game, action, shown))
        heard = self._heard
        if plain:
            figures = _in_the_open(seat, here, lambda game: know.chances(game, action, shown))
            heard = " ".join(filter(None, (plain, figures, heard or self._effort)))
        return Choice(action, reason, (bool(own) and not self._silent) or self._telling, heard)

    def _next(self, seat: Seat) -> Action | None:
        """The plan's next action, while everything goes as planned."""
        plan = self._plan
        while plan and self._at < len(plan.actions):
            action, offer = plan.actions[self._at], plan.offers[self._at]
            self._at += 1
            if len(offer) > 1:
                same = list(offer) == list(seat.actions())
                return action if same and not self._overtaken(seat, action) else None
        return None

    def _overtaken(self, seat: Seat, action: Action) -> bool:
        """Whether the enemy, asked meanwhile, made nonsense of an action that made sense."""
        know = self.knowledge(seat.title.id, seat.side)
        if not know.interrupted:
            return False
        return any(know.blunders(seat.sample(f"{self._seed}|overtaken"), action))

    def _think(self, seat: Seat) -> Action:
        """Search for a plan and remember why it is good."""
        self._thoughts += 1
        clock = self.clock()
        seed = f"{self._seed}|{self._thoughts}"
        know = self.knowledge(seat.title.id, seat.side)
        effort = self.effort(know, seat.side)
        worlds = Worlds(seat, seed, effort.worlds)
        obvious = know.obvious(worlds[0], seat.actions())
        # What is a matter of course and changes nothing keeps nobody waiting who watches.
        self._silent = obvious is not None and know.idle((obvious,))
        if obvious is not None:
            self._plan, self._effort, self._telling = None, "It is a matter of course.", False
            self._reason, self._heard = self._effort, ""
            return obvious
        judge = self.judgement(know)
        effort = know.measure(worlds[0], seat.side, effort)
        eve = self._eve.recall(seat, know, worlds[0])
        search = Search(worlds, seat.side, know, effort, Chooser(seed), clock, judge, eve)
        plan = self.search(search)
        # A plan that leads to a folly is begun for want of a better one, and then thought over.
        self._plan, self._at = None if plan.absurd else plan.bare(), 1
        before, after = worlds[0], search.follow(plan)
        merits = "" if know.idle(plan.actions) else know.merits(before, after, seat.side)
        why = f"It should lead to {merits}. " if merits else ""
        often = f", each tried up to {len(plan.scores)} times" if len(plan.scores) > 1 else ""
        self._effort = f"It is the best of {counted(search.drawn, 'plan')}{often}."
        if search.drawn == 1:
            self._effort = "No other plan was tried."
        self._reason, self._telling, self._heard = f"{why}{self._effort}", bool(merits), ""
        if merits and seat.in_the_open(
            lambda start, end: know.merits(start, end, seat.side), before, after
        ):
            self._heard = self._reason
        return plan.actions[0]

    def search(self, search: Search) -> Plan:
        """Run a search."""
        return search.best()


def _in_the_open(seat: Seat, game: Game, tell: Callable[[Game], str]) -> str:
    """What is told of a game, if the enemy could tell it as well."""
    told = tell(game) if seat.listened else ""
    return told if told and seat.in_the_open(tell, game) else ""
