"""Absurd moves, looked for while a game is played.

What is absurd a title's knowledge says (`blunders` of an action, where another was no blunder,
and `follies` of a planning unit); moves that lead back to where the unit began are absurd in
every title.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from sandtable.kernel.actions import Action
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game
from sandtable.players.knowledge import knowledge

CIRCLE = "moves in a circle"


class Absurdity(Struct, frozen=True):
    """One absurd thing, and where to find it."""

    what: str
    who: str
    decision: int
    side: Side
    action: str

    def __str__(self) -> str:
        return f"{self.what}: {self.who} as {self.side}, decision {self.decision}: {self.action}"


class Watch:
    """Looks over the shoulder of whoever plays: each action, and each planning unit as a whole."""

    def __init__(self, game: Game, players: Mapping[Side, str]) -> None:
        self._know = knowledge(game.title.id)
        self._players = players
        self._decisions = 0
        self.found: list[Absurdity] = []
        self._begin(game)

    def _begin(self, game: Game) -> None:
        self._unit = self._know.unit(game)
        self._before = game.copy()
        self._side: Side | None = None
        self._rolls = game.dice.count
        self._seen = {game.digest()}

    def play(self, game: Game, action: Action) -> None:
        """Play an action, and note what is absurd about it or the unit that it ends."""
        side = game.actor
        assert side is not None
        self._side = self._side or side
        said = game.text(action)
        blunders = self._blunders(game, action)
        if blunders and not all(self._blunders(game, each) for each in game.actions()):
            self._note(side, said, blunders)
        game.play(action)
        if game.outcome:
            return
        if self._know.unit(game) != self._unit:
            self._note(self._side, said, self._know.follies(self._before, game, self._side))
            self._begin(game)
        elif game.dice.count != self._rolls:
            self._rolls = game.dice.count
            self._seen = {game.digest()}
        else:
            digest = game.digest()
            if digest in self._seen:
                self._note(side, said, [CIRCLE])
            self._seen.add(digest)
        self._decisions += 1

    def _blunders(self, game: Game, action: Action) -> list[str]:
        """What is absurd about an action in itself, or after what its unit did."""
        circle = self._know.circles(self._before, game, action)
        return [*self._know.blunders(game, action), *[CIRCLE] * circle]

    def _note(self, side: Side, said: str, what: Iterable[str]) -> None:
        who = self._players[side]
        self.found += (Absurdity(each, who, self._decisions, side, said) for each in what)
