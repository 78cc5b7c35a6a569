"""Foresight: a small net that says how many points are still to come, for those who search.

An officer judges by a weighted sum of what a player can name. A general tries many more plans, and
so finds every plan that such a sum likes for wrong reasons; it judges by a net over finer inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from math import tanh
from operator import mul
from typing import Any, ClassVar

import msgspec

from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.players.knowledge.weights import Fitted, decided, logistic


class Net(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of a `<title>.net.toml`: a sum of the inputs, and of a layer of bends of them.

    >>> Net("by hand", ("x",), (1.0, 2.0), ((0.0, 1.0),), (3.0,), (1.0,)).expect([0.0])
    1.0
    """

    recipe: str
    """How this file was made, so that it can be made again."""
    inputs: tuple[str, ...]
    straight: tuple[float, ...]
    """A constant, then a weight for each input."""
    hidden: tuple[tuple[float, ...], ...]
    """For each bend a constant, then a weight for each input."""
    out: tuple[float, ...]
    """What each bend counts."""
    spread: tuple[float, ...]
    """How far off the points may be, for each phase of the game."""

    def expect(self, inputs: Sequence[float]) -> float:
        """The points still to come."""
        row = (1.0, *inputs)
        found: float = sum(map(mul, self.straight, row))
        for weights, counts in zip(self.hidden, self.out, strict=True):
            found += counts * tanh(sum(map(mul, weights, row)))
        return found


class Foresight(Fitted):
    """Knowledge with a net beside its weights; points are those of the title's first side."""

    inputs: ClassVar[tuple[str, ...]]
    """What the net's inputs are called, in order."""

    def read(self, game: Any) -> list[float]:
        """The inputs of a position."""
        raise NotImplementedError

    def points(self, game: Any) -> float:
        """The points scored so far; at the end, what the game was worth."""
        raise NotImplementedError

    def goal(self, game: Any) -> float:
        """The points that win."""
        raise NotImplementedError

    @cached_property
    def net(self) -> Net:
        """The net of the title's file."""
        text = files(__package__).joinpath(f"{self.title}.net.toml").read_text("utf-8")
        found = msgspec.toml.decode(text, type=Net)
        if found.inputs != self.inputs:
            odd = min(set(found.inputs) ^ set(self.inputs), default="their order")
            raise BadMessage(
                f"{self.title}.net.toml: {odd} does not fit; run scripts/fit {self.title} --net"
            )
        return found

    def judge(self, game: Any, side: Side) -> float:
        """The chance that a side wins, by the points that the net expects."""
        goal = self.goal(game)
        if game.outcome:
            chance = decided(game, self.points(game) - goal)
        else:
            spread = self.net.spread[min(self.phase(game), len(self.net.spread) - 1)]
            ahead = self.points(game) + self.net.expect(self.read(game)) - goal + 0.5
            chance = logistic(ahead / spread)
        return chance if side == game.title.sides[0] else 1 - chance

    def forecast(self, game: Any, side: Side) -> float:
        """The same; a finished game is won or lost, by however much."""
        return (super().forecast if game.outcome else self.judge)(game, side)
