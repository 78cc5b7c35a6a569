"""Knowledge for a title that has none of its own: count steps and points, like good odds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import exp
from typing import ClassVar

from sandtable.kernel.actions import Action
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game
from sandtable.players.effort import LOOK, SEARCH, Effort
from sandtable.players.knowledge.reasons import at_odds, figures


class Generic:
    """Judges by what every view shows."""

    look = LOOK
    search = SEARCH
    search_of: ClassVar[Mapping[Side, Effort]] = {}
    whim = None
    whim_of: ClassVar[Mapping[Side, float]] = {}
    open = interrupted = False
    lasting: ClassVar[frozenset[str]] = frozenset()

    @property
    def schooled(self) -> dict[Side, Generic]:
        return {}

    @property
    def keener(self) -> Generic | None:
        return None

    @property
    def postures(self) -> Sequence[Generic]:
        return ()

    def sees_all(self, game: Game, side: Side) -> bool:
        return False

    def unit(self, game: Game) -> Hashable:
        return (game.actor, game.dice.count)

    def priors(self, game: Game, actions: Sequence[Action]) -> list[float]:
        side = game.actor
        found = []
        for action in actions:
            odds = game.odds(action) if len(actions) <= 12 else None
            if odds is None or side is None:
                found.append(0.0)
            else:
                found.append(2 * odds.edge_for(side))
        return found

    def favourite(self, game: Game, actions: Sequence[Action]) -> int:
        tempting = self.priors(game, actions)
        return tempting.index(max(tempting))

    def idle(self, plan: Sequence[Action]) -> bool:
        """A title may know plans that do nothing."""
        return False

    def obvious(self, game: Game, actions: Sequence[Action]) -> Action | None:
        return None

    def measure(self, game: Game, side: Side, effort: Effort) -> Effort:
        return effort

    def value(self, game: Game, side: Side) -> float:
        if game.outcome:
            return 0.5 if game.outcome.winner is None else float(game.outcome.winner == side)
        view = game.view(side)
        balance = 0.0
        for piece in view.pieces:
            worth = piece.steps if piece.space is not None else 0
            balance += worth if piece.side == side else -worth
        return 1 / (1 + exp(-balance / 10))

    def judge(self, game: Game, side: Side) -> float:
        return self.value(game, side)

    def outlook(self, game: Game, side: Side) -> float:
        return self.value(game, side)

    def blunders(self, game: Game, action: Action) -> Iterable[str]:
        return ()

    def circles(self, eve: Game, game: Game, action: Action) -> bool:
        return False

    def follies(self, before: Game, after: Game, side: Side) -> Iterable[str]:
        return ()

    def tactic(self, game: Game, action: Action, plan: Sequence[Action] = ()) -> str:
        return f"Attacks{at_odds(game, action)}." if game.sheet(action) else ""

    def chances(self, game: Game, action: Action, plan: Sequence[Action] = ()) -> str:
        return figures(game.odds(action), game.actor)

    def merits(self, before: Game, after: Game, side: Side) -> str:
        return ""


KNOWLEDGE = Generic()
