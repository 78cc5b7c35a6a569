"""Fit the weights of a title's evaluation from games that officers play against each other.

`scripts/fit TITLE --games N` plays, fits and writes `knowledge/<title>.weights.toml`; the same
arguments give the same file with the same code, whose commit the recipe names: officers play by the
weights they have. Only a match decides whether new weights are better.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import log
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

from msgspec import Struct

import sandtable
from sandtable.commands import run_script, try_to_write, whole_number
from sandtable.kernel.actions import Action
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import OptionValue, Outcome
from sandtable.match import handicap, spread
from sandtable.players import MOST_CORES, Seat, player
from sandtable.players.guest import known_code
from sandtable.players.knowledge import knowledge
from sandtable.players.knowledge.net import Foresight
from sandtable.players.knowledge.weights import (
    Fitted,
    Lesson,
    chance_text,
    logistic,
    logit,
    weighed,
    weights_text,
)
from sandtable.players.planner import pick
from sandtable.players.worlds import Chooser
from sandtable.progress import progress

T = TypeVar("T")
U = TypeVar("U")

STRAY = 0.08
"""The share of decisions left to a recruit, so that games differ."""

QUICK = "quick"
"""A level for fitting alone: both sides follow their nose, without a sample for each decision."""
STEADY = "steady"
"""The same with a cooler head: fewer kinds of positions, but chances as in sensible games."""

HEATS = (0.0, 0.15, 0.3, 0.5)
"""How far each side of a quick game strays from what tempts it most."""

STRIDE = 0.5
"""The most that a weight changes at a time: forecasts that were sure and wrong throw it far off."""

ROWS = 400
"""Rows that count for as much as the weights from which a fit sets out."""
FOLDS = 5
"""Parts of which each is foretold from the others."""
AS_TOLD = (1.0, 0.0)
"""Slope and shift of a forecast that needs no correction."""
WORTHS = (1, 4, 16, 64)
"""How many games that may be worth; what foretells unseen games best is taken."""
SPREAD = 5
"""Points above par that make a game 73 % won."""

SERVES = {
    "level": ("weights", "chance"),
    "par": ("weights",),
    "against": ("weights",),
    "without": ("weights",),
}
"""What the arguments are for that not every kind of fit heeds."""

Row = tuple[int, list[float]]
"""A phase and the features of a position."""
Fit = tuple[list[Row], float]
"""The rows of a game, and what the first side made of it."""


class Task(Struct, frozen=True):
    """A game to learn from."""

    title: str
    level: str
    seed: str
    number: int
    par: tuple[Side, int] | None = None
    """Count a game by its points, more or less than these, instead of by its winner."""
    scenario: str = ""


def one_game(task: Task) -> Fit:
    """Play a game with some strange moves; a row for each planning unit."""
    if task.level in (QUICK, STEADY):
        return quick_game(task)
    name, level, seed, number = task.title, task.level, task.seed, task.number
    title = sandtable.title(name)
    know: Any = knowledge(name)
    luck = Chooser(f"{seed}|{number}")
    scenario = title.scenarios[luck.below(len(title.scenarios))].id
    game = title.start(scenario, Handicap(6, 18).draw(name, luck), f"{seed}-{number}")
    players = {side: player(level, f"{seed}|{number}|{side}") for side in title.sides}
    strays = {side: player("recruit", f"{seed}|{number}|{side}|stray") for side in title.sides}

    def decide(side: Side) -> Action:
        who = strays if luck.share() < STRAY else players
        return who[side].choose(Seat(game, side)).action

    rows = [(know.phase(game), know.features(game)) for _ in by_units(know, game, decide)]
    assert game.outcome
    return rows, share(game.outcome, title.sides[0], task.par)


def quick_game(task: Task) -> Fit:
    """A game at a glance: the most tempting actions, with more or less heat, and some leaps."""
    title = sandtable.title(task.title)
    know: Any = knowledge(task.title)
    seed = f"{task.seed}-{task.number}"
    luck = Chooser(seed)
    game: Any = title.start(title.scenarios[0].id, Handicap(6, 18).draw(task.title, luck), seed)
    game = game.resample(title.sides[0], seed)
    steady = task.level == STEADY
    used = HEATS[:2] if steady else HEATS
    heats = {side: used[luck.below(len(used))] for side in title.sides}
    leaps = dict.fromkeys(title.sides, 0.0 if steady else STRAY)
    rows = [
        (know.phase(game), know.features(game)) for _ in at_a_glance(know, game, luck, heats, leaps)
    ]
    return rows, share(game.outcome, title.sides[0], task.par)


def watched_game(task: Task) -> Fit:
    """A game of two equals; a row with the forecast for each planning unit."""
    title = sandtable.title(task.title)
    know: Any = knowledge(task.title)
    first, seed = title.sides[0], f"{task.seed}-{task.number}"
    game = title.start(task.scenario, Handicap(6, 18).draw(task.title, Chooser(seed)), seed)
    players = {side: player(task.level, f"{seed}|{side}") for side in title.sides}
    rows = [
        (know.chapter(game), [logit(know.forecast(game, first)), 1.0])
        for _ in by_units(know, game, lambda side: players[side].choose(Seat(game, side)).action)
    ]
    assert game.outcome
    return rows, share(game.outcome, first, None)


def by_units(know: Any, game: Any, decide: Callable[[Side], Action]) -> Iterator[None]:
    """Play a game to its end, pausing where a planning unit begins."""
    unit: object = None
    while game.outcome is None:
        now = know.unit(game)
        if now != unit:
            unit = now
            yield
        game.play(decide(game.actor))


def at_a_glance(
    know: Any, game: Any, luck: Chooser, heats: dict[Side, float], leaps: dict[Side, float]
) -> Iterator[None]:
    """The same by what tempts.

    Each side strays by its heat, and in some share of its decisions it leaps farther.
    """

    def decide(side: Side) -> Action:
        actions: Sequence[Action] = game.actions()
        if len(actions) == 1:
            return actions[0]
        heat = 1.0 if luck.share() < leaps[side] else heats[side]
        return actions[pick(luck, know.priors(game, actions), heat)]

    return by_units(know, game, decide)


def share(outcome: Outcome, first: Side, par: tuple[Side, int] | None) -> float:
    """What the first side made of a game: with par every point counts, those near it most."""
    if par is None or outcome.level == "automatic":
        return 0.5 if outcome.winner is None else float(outcome.winner == first)
    side, points = par
    ahead = sum(line.value for line in outcome.score) - points
    return logistic((ahead if side == first else -ahead) / SPREAD)


class Handicap(Struct, frozen=True):
    """A handicap drawn around the usual one, so that weights know close games of every kind."""

    low: int
    high: int

    def draw(self, title: str, luck: Chooser) -> dict[str, OptionValue]:
        """Options of one game."""
        bid = self.low + luck.below(self.high - self.low + 1)
        return {"bid": bid} if title == "battleaxe" else {}


def fit(
    games: Sequence[Fit],
    signs: Sequence[int],
    prior: Sequence[Sequence[float]],
    against: float = ROWS,
) -> list[list[float]]:
    """Logistic regression for each phase by Newton's method, drawn to its prior weights.

    Rows of one game are alike, so that the prior counts for one in so many of them.
    """
    found = []
    for phase, start in enumerate(prior):
        rows = [
            (features, result) for fits, result in games for at, features in fits if at == phase
        ]
        found.append(_newton(rows, signs, start, max(1.0, len(rows) / against)))
    return found


def _newton(
    rows: Sequence[tuple[list[float], float]],
    signs: Sequence[int],
    prior: Sequence[float],
    strength: float,
) -> list[float]:
    weights, width = list(prior), len(prior)
    fixed: set[int] = set()
    for _ in range(100):
        slope = [strength * (prior[i] - weights[i]) for i in range(width)]
        bend = [[strength if i == j else 0.0 for j in range(width)] for i in range(width)]
        for features, result in rows:
            chance = logistic(weighed(weights, features))
            miss, spread = result - chance, chance * (1 - chance)
            for i, x in enumerate(features):
                if x:
                    slope[i] += miss * x
                    line, scaled = bend[i], spread * x
                    for j in range(i + 1):
                        line[j] += scaled * features[j]
        for i in range(width):
            for j in range(i):
                bend[j][i] = bend[i][j]
        for i in fixed:
            slope[i] = 0.0
            bend[i] = [float(i == j) for j in range(width)]
            for j in range(width):
                bend[j][i] = float(i == j)
        step = [max(-STRIDE, min(STRIDE, each)) for each in _solve(bend, slope)]
        weights = [w + s for w, s in zip(weights, step, strict=True)]
        for i, sign in enumerate(signs):
            if sign * weights[i] < 0:
                weights[i] = 0.0
                fixed.add(i)
        if max(abs(each) for each in step) < 1e-4:
            break
    return weights


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss's elimination."""
    size = len(right)
    table = [[*line, right[at]] for at, line in enumerate(matrix)]
    for at in range(size):
        best = max(range(at, size), key=lambda row: abs(table[row][at]))
        table[at], table[best] = table[best], table[at]
        for row in range(size):
            if row != at and table[row][at]:
                factor = table[row][at] / table[at][at]
                table[row] = [a - factor * b for a, b in zip(table[row], table[at], strict=True)]
    return [table[at][size] / table[at][at] for at in range(size)]


def loss(games: Sequence[Fit], phases: Sequence[Sequence[float]]) -> float:
    """The mean log-loss: 0.693 knows nothing."""
    total, number = 0.0, 0
    for rows, result in games:
        for phase, features in rows:
            chance = logistic(weighed(phases[phase], features))
            chance = min(1 - 1e-6, max(1e-6, chance))
            total -= result * log(chance) + (1 - result) * log(1 - chance)
            number += 1
    return total / max(1, number)


def foretold(
    games: Sequence[Fit], learn: Callable[[Sequence[Fit]], Sequence[Sequence[float]]]
) -> float:
    """The mean log-loss of games by weights that were learned from the others alone."""
    parts = [games[at::FOLDS] for at in range(min(FOLDS, len(games)))]
    losses = [
        loss(part, learn([each for other in parts if other is not part for each in other]))
        for part in parts
    ]
    return sum(losses) / max(1, len(losses))


def main(arguments: Sequence[str] | None = None) -> int:
    """`scripts/fit`."""
    parser = ArgumentParser(prog="scripts/fit", description=__doc__)
    parser.add_argument("title")
    parser.add_argument("--games", type=whole_number(1), default=400)
    parser.add_argument(
        "--level", help=f"who plays, officer if not given; {QUICK} and {STEADY} are the fastest"
    )
    parser.add_argument("--seed", default="fit")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "--net", action="store_true", help="fit the net that generals judge by, from quick games"
    )
    kinds.add_argument(
        "--chance",
        action="store_true",
        help="fit how the forecast is borne out, from so many games of each scenario",
    )
    parser.add_argument(
        "--par", metavar="SIDE:POINTS", help="learn from points above or below these, not from wins"
    )
    parser.add_argument(
        "--against",
        type=whole_number(1),
        help="how many rows count for as much as the weights from which the fit sets out, "
        f"{ROWS} if not given",
    )
    parser.add_argument(
        "--without",
        metavar="NAME,NAME",
        help="features that are to count for nothing: what an officer knows less than a general",
    )
    parser.add_argument("--workers", type=whole_number(1, MOST_CORES), default=1)
    parser.add_argument("--out", type=Path, help="where to write; over the title's file otherwise")
    args = parser.parse_args(arguments)
    return run_script(parser, lambda: _make(args))


def _make(args: Namespace) -> int:
    """The file that the arguments ask for, if they make sense."""
    kind = "net" if args.net else "chance" if args.chance else "weights"
    for name, kinds in SERVES.items():
        if kind not in kinds and getattr(args, name) is not None:
            raise BadMessage(f"--{name} is for {' and '.join(kinds)}; leave it out with --{kind}")
    seeds = args.seed.split(",") if args.net else [args.seed]
    if args.games * len(seeds) < 2:
        raise BadMessage("a fit learns from some games and is tested by others; give --games 2")
    args.level = "officer" if args.level is None else args.level
    args.against = args.against or ROWS
    title = sandtable.title(args.title)
    par = handicap(title, args.par) if args.par is not None else None
    if args.chance or args.level not in (QUICK, STEADY):
        player(args.level, "")
    out = args.out or Path(__file__).parent / "knowledge" / f"{title.id}.{kind}.toml"
    try_to_write(out)
    know = knowledge(title.id)
    if not isinstance(know, Fitted):
        raise BadMessage(f"{title.id} has no fitted evaluation; give it a knowledge module first")
    if args.net:
        made, told = _fit_net(know, args)
    elif args.chance:
        made, told = _fit_chance(args)
    else:
        made, told = _fit_weights(know, args, par)
    out.write_text(made, encoding="utf-8")
    print(f"{told}\nwrote {out}")
    return 0


Made = tuple[str, str]
"""A file, and what is said of it: after it is written, since whoever reads that may have gone."""


def _play(work: Callable[[T], U], tasks: Sequence[T], workers: int) -> list[U]:
    """All games, on so many processes."""
    played = []
    with progress(len(tasks)) as tell:
        for game in spread(work, tasks, workers):
            played.append(game)
            tell(len(played))
    return played


def _fit_weights(know: Fitted, args: Namespace, par: tuple[Side, int] | None) -> Made:
    """Weights for each phase, drawn to those set by hand."""
    unknown = args.without.split(",") if args.without else []
    for name in unknown:
        if name not in know.names:
            raise BadMessage(
                f"--without: {args.title} has no feature {name!r}; it has {', '.join(know.names)}"
            )
    kept = [float(name not in unknown) for name in know.names]
    hand, old = [blind(kept, weights) for weights in know.prior], know.weights
    tasks = [Task(args.title, args.level, args.seed, number, par) for number in range(args.games)]
    played = _play(one_game, tasks, args.workers)
    games = [([(phase, blind(kept, row)) for phase, row in rows], won) for rows, won in played]
    phases = 1 + max(phase for rows, _ in games for phase, _ in rows)
    signs = [know.signs.get(name, 0) for name in know.names]

    def learn(some: Sequence[Fit]) -> list[list[float]]:
        prior = borne_out(some, extended(hand, phases)) if hand else [[0.0] * len(signs)] * phases
        return fit(some, signs, prior, args.against)

    test, train = games[::5], [each for at, each in enumerate(games) if at % 5]
    tried = learn(train)
    before = loss(played[::5], extended(old, phases))
    after = loss(test, tried)
    final = learn(games)
    counted = f" --par {args.par}" if args.par else ""
    counted += f" --against {args.against}" if args.against != ROWS else ""
    counted += f" --without {args.without}" if args.without else ""
    counted += f" --out {args.out}" if args.out else ""
    recipe = (
        f"scripts/fit {args.title} --games {args.games} --level {args.level} --seed {args.seed}"
        f"{counted}; {_code()}; log-loss on unseen games {after:.4f}"
    )
    told = f"log-loss on unseen games: {before:.4f} before, {after:.4f} after"
    return weights_text(recipe, know.names, final), told


def _code() -> str:
    """Which code plays the games, as a recipe tells it."""
    return f"code of {known_code() or 'no known commit'}"


def _fit_chance(args: Namespace) -> Made:
    """Slope and shift of the forecast for each scenario and chapter."""
    lessons, told = {}, []
    for scenario in sandtable.title(args.title).scenarios:
        tasks = [
            Task(args.title, args.level, args.seed, number, scenario=scenario.id)
            for number in range(args.games)
        ]
        games = _play(watched_game, tasks, args.workers)
        last = max(at for rows, _ in games for at, _ in rows)
        chapters = [_chapter(games, at) for at in range(last + 1)]
        sizes = [sum(len(rows) for rows, _ in each) for each in chapters]
        learned, before, after = zip(*map(_correction, chapters), strict=True)
        told.append(f"{scenario.id} {fmean(before, sizes):.3f} to {fmean(after, sizes):.3f}")
        lessons[scenario.id] = learned
    recipe = (
        f"scripts/fit {args.title} --chance --games {args.games} --level {args.level} "
        f"--seed {args.seed}; {_code()}; log-loss on unseen games: {', '.join(told)}"
    )
    return chance_text(recipe, lessons), recipe


def _chapter(games: Sequence[Fit], at: int) -> list[Fit]:
    """The games that have positions of a chapter, with those alone."""
    found = [([(0, row) for chapter, row in rows if chapter == at], won) for rows, won in games]
    return [each for each in found if each[0]]


def _correction(games: Sequence[Fit]) -> tuple[Lesson, float, float]:
    """How a chapter's forecast is told, and the log-loss of unseen games before and after.

    It stays as it is unless what is learned from some games foretells the others better.
    """
    before = foretold(games, lambda some: [AS_TOLD])
    lesson, after = _lesson(games)
    return (lesson, before, after) if after < before else (Lesson(*AS_TOLD), before, before)


def _lesson(games: Sequence[Fit]) -> tuple[Lesson, float]:
    """What the games of a chapter teach, and the log-loss of games that it was not taught by.

    The forecast as it is told counts for as many games as foretells the others best.
    """

    def learn(worth: int, some: Sequence[Fit]) -> list[list[float]]:
        return fit(some, (0, 0), [AS_TOLD], against=max(1, len(some)) / worth)

    after, worth = min((foretold(games, partial(learn, worth)), worth) for worth in WORTHS)
    return Lesson(*learn(worth, games)[0]), after


def blind(kept: Sequence[float], row: Sequence[float]) -> list[float]:
    """The numbers that are kept, and nothing for the others."""
    return [keep * each for keep, each in zip(kept, row, strict=True)]


def extended(weights: list[list[float]], phases: int) -> list[list[float]]:
    """The last weights serve all further phases."""
    return weights + weights[-1:] * (phases - len(weights))


def borne_out(games: Sequence[Fit], hand: Sequence[Sequence[float]]) -> list[list[float]]:
    """Weights set by hand, made as sure of each phase as its games are; the last is the shift."""
    told = [
        ([(phase, [weighed(hand[phase], each), 1.0]) for phase, each in rows], won)
        for rows, won in games
    ]
    found = []
    for phase, weights in enumerate(hand):
        lesson, _ = _lesson(_chapter(told, phase))
        *rest, shift = (lesson.slope * weight for weight in weights)
        found.append([*rest, shift + lesson.shift])
    return found


def _fit_net(know: Fitted, args: Namespace) -> Made:
    """A net, from so many games of each seed."""
    from sandtable.players import netfit

    if not isinstance(know, Foresight):
        raise BadMessage(f"{args.title} has no net; give its knowledge inputs first")
    netfit.numpy()
    seeds = args.seed.split(",")
    tasks = [(args.title, seed, number) for seed in seeds for number in range(args.games)]
    games = _play(netfit.quick_game, tasks, args.workers)
    recipe = f"scripts/fit {args.title} --net --games {args.games} --seed {args.seed}; {_code()}"
    net = netfit.fit_net(know, games, recipe)
    return netfit.net_text(net), net.recipe


if __name__ == "__main__":
    raise SystemExit(main())
