"""How fast random legal play is, slice by slice beside python-chess doing the same."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

from msgspec import Struct

from sandtable.kernel import codec
from sandtable.kernel.game import Game
from sandtable.kernel.table import Table
from sandtable.kernel.title import Title

SLICE = 0.1
LONGEST_GAME = 50_000
COPIES = 1000


class Pace(Struct):
    """Decisions made, actions listed for them, and the time that took."""

    decisions: int = 0
    listed: int = 0
    seconds: float = 0.0

    def add(self, other: Pace) -> None:
        """Count another one too."""
        self.decisions += other.decisions
        self.listed += other.listed
        self.seconds += other.seconds

    @property
    def per_second(self) -> tuple[float, float]:
        """Decisions, and listed actions, per second."""
        seconds = self.seconds or 1.0
        return self.decisions / seconds, self.listed / seconds


def walk(pace: Pace, one: Callable[[], int]) -> None:
    """Make decisions for one slice of time; `one` makes one and says how many were listed."""
    began = process_time()
    until = began + SLICE
    decisions = listed = 0
    while process_time() < until:
        for _ in range(8):
            listed += one()
        decisions += 8
    pace.add(Pace(decisions, listed, process_time() - began))


class TitleWalker:
    """Random play of one scenario, game after game."""

    def __init__(self, title: Title, scenario: str) -> None:
        self.title, self.scenario = title, scenario
        self.random = Random(f"{title.id} {scenario}")
        self.games = 0
        self._next()

    def _next(self) -> None:
        self.game: Game = self.title.start(self.scenario, seed=f"bench {self.games}")
        self.games += 1

    def __call__(self) -> int:
        if self.game.outcome:
            self._next()
        actions = self.game.actions()
        number = len(actions)
        self.game.play(actions[int(self.random.random() * number)])
        return number


class ChessWalker:
    """Random play of python-chess, the same way."""

    def __init__(self) -> None:
        import chess

        self.new = chess.Board
        self.random = Random("chess")
        self.board = chess.Board()

    def __call__(self) -> int:
        if self.board.is_game_over():
            self.board = self.new()
        moves = list(self.board.legal_moves)
        number = len(moves)
        self.board.push(moves[int(self.random.random() * number)])
        return number


class Sizes(Struct):
    """What a whole game costs to copy, record and write down."""

    copies: list[float]
    record_bytes: int
    decisions: int
    state_bytes: int


def sizes(title: Title, scenario: str) -> Sizes:
    """Play one random game and measure it now and then."""
    random = Random(f"sizes {title.id} {scenario}")
    table = Table(title.start(scenario, seed="bench sizes"))
    found = Sizes([], 0, 0, 0)
    while table.game.outcome is None and found.decisions < LONGEST_GAME:
        if found.decisions % 50 == 0:
            found.state_bytes = max(found.state_bytes, len(codec.dump(table.game)))
            if len(found.copies) < 20:
                found.copies.append(_copy_time(table.game))
        table.play(random.choice(table.game.actions()))
        found.decisions += 1
    found.record_bytes = len(table.record().print().encode())
    return found


def _copy_time(game: Game) -> float:
    best = float("inf")
    for _ in range(3):
        began = perf_counter()
        for _ in range(COPIES):
            game.copy()
        best = min(best, perf_counter() - began)
    return best / COPIES * 1e6


def measure(title: Title, scenarios: list[str], seconds: float) -> dict[str, Any]:
    """Every figure of a title, and of each scenario."""
    parts = {each: _scenario(title, each, seconds) for each in scenarios}
    whole, chess = Pace(), Pace()
    for pace, beside, _ in parts.values():
        whole.add(pace)
        chess.add(beside)
    return _figures(whole, chess, [size for _, _, size in parts.values()]) | {
        "scenarios": {
            name: _figures(pace, beside, [size]) for name, (pace, beside, size) in parts.items()
        }
    }


def _scenario(title: Title, scenario: str, seconds: float) -> tuple[Pace, Pace, Sizes]:
    ours, theirs = TitleWalker(title, scenario), ChessWalker()
    pace, chess = Pace(), Pace()
    for warm in (ours, theirs):
        walk(Pace(), warm)
    while pace.seconds < seconds:
        walk(pace, ours)
        walk(chess, theirs)
    return pace, chess, sizes(title, scenario)


def _figures(pace: Pace, chess: Pace, found: list[Sizes]) -> dict[str, Any]:
    (decisions, listed), (moves, listed_moves) = pace.per_second, chess.per_second
    return {
        "decisions_per_second": round(decisions),
        "listed_actions_per_second": round(listed),
        "ratio_to_python_chess": round(max(decisions / moves, listed / listed_moves), 3),
        "decisions_ratio": round(decisions / moves, 3),
        "listed_actions_ratio": round(listed / listed_moves, 3),
        "chess_decisions_per_second": round(moves),
        "chess_listed_actions_per_second": round(listed_moves),
        "copy_microseconds": round(median(one for each in found for one in each.copies), 2),
        "record_bytes_per_decision": round(
            sum(each.record_bytes for each in found) / sum(each.decisions for each in found), 1
        ),
        "state_json_bytes": max(each.state_bytes for each in found),
    }
