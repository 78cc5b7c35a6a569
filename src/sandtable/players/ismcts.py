"""Plain information-set Monte Carlo tree search, to measure the others against.

It knows nothing but the rules: UCB1 over the actions of sampled worlds, then random play to the
end, or until time is up and what every view shows must do.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import log, sqrt

from sandtable.kernel.actions import Action
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game
from sandtable.players.knowledge.generic import KNOWLEDGE
from sandtable.players.seat import Choice, Seat
from sandtable.players.worlds import Chooser

TRIES = 200
EXPLORE = 0.7
LONGEST_PLAYOUT = 3000


class Node:
    """An action and what followed it in the worlds where it was tried."""

    __slots__ = ("children", "offered", "visits", "wins")

    def __init__(self) -> None:
        self.children: dict[Action, Node] = {}
        self.visits = 0
        self.offered = 0
        self.wins = 0.0


class Ismcts:
    """Searches a tree of action sequences, one sampled world for each try."""

    def __init__(
        self,
        seed: str,
        seconds: float | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seed = seed
        self._seconds = seconds
        self._now = now
        self._end = 0.0
        self._luck = Chooser(seed)
        self._samples = 0

    def choose(self, seat: Seat) -> Choice:
        """The action tried most."""
        actions = seat.actions()
        if len(actions) == 1:
            return Choice(actions[0], "There is no other choice.", telling=False)
        root = Node()
        self._end = self._now() + (self._seconds or 0.0)
        tries = 0
        while not tries or (tries < TRIES if self._seconds is None else not self._late()):
            tries += 1
            self._samples += 1
            self._try(root, seat.sample(f"{self._seed}|{self._samples}"), seat.side)
        best = max(root.children, key=lambda each: root.children[each].visits)
        share = root.children[best].wins / root.children[best].visits
        return Choice(best, f"It won {share:.0%} of its tries, {tries} in all.")

    def _late(self) -> bool:
        return self._seconds is not None and self._now() >= self._end

    def _try(self, root: Node, game: Game, side: Side) -> None:
        path: list[tuple[Node, Side]] = []
        node = root
        while game.outcome is None:
            actor = game.actor
            assert actor is not None
            actions = game.actions()
            fresh = [each for each in actions if each not in node.children]
            for each in actions:
                if each in node.children:
                    node.children[each].offered += 1
            action = fresh[self._luck.below(len(fresh))] if fresh else self._best(node, actions)
            child = node.children.setdefault(action, Node())
            child.offered += not child.offered
            game.play(action)
            path.append((child, actor))
            node = child
            if fresh:
                break
        won = self._playout(game, side)
        for child, actor in path:
            child.visits += 1
            child.wins += won if actor == side else 1 - won

    def _best(self, node: Node, actions: object) -> Action:
        """UCB1, counting how often each action was on offer."""

        def bound(action: Action) -> float:
            child = node.children[action]
            return child.wins / child.visits + EXPLORE * sqrt(log(child.offered) / child.visits)

        offered: list[Action] = list(actions)  # type: ignore[call-overload]
        return max(offered, key=bound)

    def _playout(self, game: Game, side: Side) -> float:
        """What random play comes to for a side, from 0 to 1."""
        for _ in range(LONGEST_PLAYOUT):
            if game.outcome or self._late():
                break
            actions = game.actions()
            game.play(actions[self._luck.below(len(actions))])
        return KNOWLEDGE.value(game, side)
