"""Opponents against each other: many games, sides swapped, the same result for the same seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from math import sqrt

from msgspec import Struct

import sandtable
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import OptionValue
from sandtable.players import Seat, player

LONGEST_GAME = 50_000


class Pairing(Struct, frozen=True):
    """Who plays what: game n and n + 1 share their dice with the sides swapped."""

    title: str
    scenario: str
    options: dict[str, OptionValue]
    a: str
    b: str
    seed: str
    data: str | None = None


class Result(Struct, frozen=True):
    """One game: which side `a` played, who won, and how."""

    number: int
    side_of_a: Side
    winner: Side | None
    level: str
    decisions: int


def play_one(task: tuple[Pairing, int]) -> Result:
    """Play game `number` of a pairing; everything depends on these two alone."""
    pairing, number = task
    title = sandtable.title(pairing.title)
    seed = f"{pairing.seed}-{number // 2}"
    game = title.start(pairing.scenario, pairing.options, seed, data=pairing.data)
    side_of_a = title.sides[number % 2]
    levels = {side_of_a: pairing.a, title.other(side_of_a): pairing.b}
    players = {side: player(level, f"{seed}|{side}") for side, level in levels.items()}
    decisions = 0
    while game.outcome is None:
        side = game.actor
        assert side is not None
        game.play(players[side].choose(Seat(game, side)).action)
        decisions += 1
        if decisions > LONGEST_GAME:
            raise BadMessage(f"game {number} does not end after {LONGEST_GAME} decisions")
    return Result(number, side_of_a, game.outcome.winner, game.outcome.level, decisions)


def play_all(
    pairing: Pairing, games: int, workers: int, tell: Callable[[int], None] = lambda done: None
) -> list[Result]:
    """All games of a pairing, in order, on one or more processes; a lost one loses no game."""
    tasks = [(pairing, number) for number in range(games)]
    done: list[Result] = []
    if workers > 1:
        with ProcessPoolExecutor(workers) as pool, suppress(BrokenProcessPool):
            _gather(pool.map(play_one, tasks), done, tell)
    _gather(map(play_one, tasks[len(done) :]), done, tell)
    return done


def _gather(results: Iterable[Result], done: list[Result], tell: Callable[[int], None]) -> None:
    for each in results:
        done.append(each)
        tell(len(done))


class Share(Struct, frozen=True):
    """Wins, draws and losses of one side or player, with the points they make."""

    name: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win counts one, a draw a half, as a share of all games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share of points."""
        return wilson(self.points, self.games)


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval in which the true share lies, after so many games.

    >>> low, high = wilson(0.7, 200)
    >>> round(low, 3), round(high, 3)
    (0.633, 0.759)
    """
    if games == 0:
        return 0.0, 1.0
    z = 1.959964
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    below = 1 + z * z / games
    # The share is never outside, whatever the last digit of a division says.
    return min(share, (middle - spread) / below), max(share, (middle + spread) / below)


def names(pairing: Pairing) -> tuple[str, str]:
    """What the two players are called in the table, apart even if they are the same level."""
    return pairing.a, pairing.b if pairing.b != pairing.a else f"{pairing.b} (b)"


def shares(pairing: Pairing, results: list[Result]) -> Iterator[Share]:
    """By player, by side, and by player on each side."""
    title = sandtable.title(pairing.title)
    a, b = names(pairing)
    yield _share(a, results, lambda each: each.side_of_a)
    yield _share(b, results, lambda each: title.other(each.side_of_a))
    for side in title.sides:
        yield _share(title.side_names[side], results, _always(side))
    for side in title.sides:
        mine = [each for each in results if each.side_of_a == side]
        yield _share(f"{a} as {title.side_names[side]}", mine, _always(side))


def _always(side: Side) -> Callable[[Result], Side]:
    return lambda _: side


def _share(name: str, results: list[Result], side: Callable[[Result], Side]) -> Share:
    wins = sum(each.winner == side(each) for each in results)
    draws = sum(each.winner is None for each in results)
    return Share(name, wins, draws, len(results) - wins - draws)
