"""An opponent with rules of thumb and one look ahead."""

from __future__ import annotations

from sandtable.kernel.actions import Action
from sandtable.players.effort import Effort
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
        self._reason = ""

    def effort(self, know: Knowledge) -> Effort:
        """How hard to think."""
        return know.look

    def choose(self, seat: Seat) -> Choice:
        """The next action of the plan, or of a new plan if something came in between."""
        actions = seat.actions()
        if len(actions) == 1:
            return Choice(actions[0], "There is no other choice.")
        follow = self._next(seat)
        if follow is not None:
            return Choice(follow, self._reason)
        return self._think(seat)

    def _next(self, seat: Seat) -> Action | None:
        """The plan's next action, while everything goes as planned."""
        plan = self._plan
        while plan and self._at < len(plan.actions):
            action, offer = plan.actions[self._at], plan.offers[self._at]
            self._at += 1
            if len(offer) == 1:
                continue
            return action if list(offer) == list(seat.actions()) else None
        return None

    def _think(self, seat: Seat) -> Choice:
        self._thoughts += 1
        seed = f"{self._seed}|{self._thoughts}"
        know = knowledge(seat.title.id)
        effort = self.effort(know).for_offer(len(seat.actions()))
        worlds = Worlds(seat, seed, effort.worlds)
        search = Search(worlds, seat.side, know, effort, Chooser(seed))
        plan = search.best()
        self._plan, self._at = plan, 1
        self._reason = f"It looks best of {search.trials} tries: {plan.mean:.0%} to win."
        return Choice(plan.actions[0], self._reason)
