"""What an opponent gets: its own side's sight of a game, and nothing more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Struct

from sandtable.kernel.actions import Action
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game
from sandtable.kernel.odds import Odds
from sandtable.kernel.title import Title
from sandtable.kernel.views import View

LISTENS = 4
"""Samples of what the enemy cannot see, in which a reason must be the same to be told."""


class Choice(Struct, frozen=True):
    """What a player does, and why in a sentence."""

    action: Action
    reason: str
    telling: bool = True
    """Whether the reason tells others something: a forced or careless choice has none to tell."""
    heard: str = ""
    """What the enemy may hear of it before the game is over: what it could work out itself."""


class Seat:
    """One side's place at the table, the only thing a player sees."""

    def __init__(
        self, game: Game, side: Side, *, listened: bool = False, asked: bool = False
    ) -> None:
        self._game = game
        self.side = side
        self.listened = listened
        """Whether the enemy listens, so that choices say what it may hear."""
        self.asked = asked
        """Whether a person asks for advice, so that each action of a plan has its own reason."""

    @property
    def title(self) -> Title:
        """The title being played."""
        return self._game.title

    @property
    def data(self) -> Any:
        """The printed facts, which everybody knows."""
        return self._game.data

    @property
    def view(self) -> View:
        """What this side sees."""
        return self._game.view(self.side)

    @property
    def prompt(self) -> str:
        """What to do now."""
        return self._game.prompt

    def actions(self) -> Sequence[Action]:
        """Every legal action; none while the other side decides."""
        return self._game.actions() if self._game.actor == self.side else ()

    def text(self, action: Action) -> str:
        """The stable one-line form of an action."""
        return self._game.text(action)

    def label(self, action: Action) -> str:
        """An action as a short sentence."""
        return self._game.label(action)

    def odds(self, action: Action) -> Odds | None:
        """The chances of an action that rolls dice."""
        return self._game.odds(action) if self._game.actor == self.side else None

    def points_at_something(self, action: Action) -> bool:
        """Whether an action names a unit or a space; those that do not mostly end or decline."""
        return any(self._game.about(action))

    def in_the_open(self, tell: Callable[..., object], *games: Game) -> bool:
        """Whether what is told of some games is the same whatever the enemy cannot see of them."""
        if not self.listened:
            return False
        games, enemy = games or (self._game,), self.title.other(self.side)
        told = tell(*games)
        samples = ([game.resample(enemy, f"heard|{n}") for game in games] for n in range(LISTENS))
        return all(tell(*each) == told for each in samples)

    def sample(self, seed: str) -> Game:
        """A whole game that looks the same from this seat, to try things on."""
        return self._game.resample(self.side, seed)


class Player(Protocol):
    """An opponent of some level."""

    def choose(self, seat: Seat) -> Choice:
        """One of the seat's legal actions."""


class Luck:
    """A player's own dice, which have nothing to do with those of the game."""

    def __init__(self, seed: str) -> None:
        self._dice = Dice(seed)

    def below(self, number: int) -> int:
        """A whole number from 0, below this one."""
        (face,), self._dice = self._dice.draw("player", "", (number,))
        return face - 1
