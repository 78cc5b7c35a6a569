"""Fit a title's net from quick games: `scripts/fit TITLE --net --games N --seed A,B`.

Both sides play the most tempting action, and now and then another one, N games for each seed. The
net learns how many points are still to come, which says more than who won. Needs NumPy.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import msgspec

import sandtable
from sandtable.kernel.errors import BadMessage
from sandtable.players.fitting import Handicap, at_a_glance
from sandtable.players.knowledge import knowledge
from sandtable.players.knowledge.net import Foresight, Net
from sandtable.players.worlds import Chooser

HEATS = (0.0, 0.25, 0.5)
"""How far a side strays at each decision; drawn for each game and side."""
LEAPS = (0.0, 0.1, 0.2)
"""The share of decisions at which it strays by 1.0 instead."""
BENDS, EPOCHS, BATCH, RATE, DECAY = 16, 14, 512, 3e-3, 1e-4
SCALE = 5.0
"""Points are learned in fives, which are of about the size of the inputs."""

Row = tuple[int, list[float], float, float]
"""Phase, inputs, points in hand, and points needed."""
QuickGame = tuple[list[Row], float, float]
"""The rows of a game, its points at the end, and what the first side made of it."""


def quick_game(task: tuple[str, str, int]) -> QuickGame:
    """Play a game at a glance; a row for each planning unit."""
    name, seed, number = task
    title = sandtable.title(name)
    know: Any = knowledge(name)
    luck = Chooser(f"{seed}|{number}")
    options = Handicap(8, 24).draw(name, luck)
    scenario = title.scenarios[0].id
    game: Any = title.start(scenario, options, f"fitnet-{seed}-{number}")
    game = game.resample(title.sides[0], "x")
    heats = {side: HEATS[luck.below(len(HEATS))] for side in title.sides}
    leaps = {side: LEAPS[luck.below(len(LEAPS))] for side in title.sides}
    rows = [
        (know.phase(game), know.read(game), know.points(game), know.goal(game))
        for _ in at_a_glance(know, game, luck, heats, leaps)
    ]
    won = float(game.outcome.winner == title.sides[0])
    return rows, know.points(game), won


def numpy() -> Any:
    """NumPy, which is missed before the games are played, not after."""
    try:
        return import_module("numpy")
    except ImportError:
        raise BadMessage(
            f"fitting a net needs NumPy; run {sys.executable} -m pip install numpy"
        ) from None


def fit_net(know: Foresight, games: Sequence[QuickGame], recipe: str) -> Net:
    """A net for these games, each fifth of which only tells when to stop and how sure to be."""
    np = numpy()
    test, train = _table(np, games[::5]), _table(np, [g for at, g in enumerate(games) if at % 5])
    middle, size = train.inputs.mean(0), train.inputs.std(0)
    size[size < 0.02] = 1.0
    seen, unseen = ((each.inputs - middle) / size for each in (train, test))
    target = train.to_come / SCALE
    rng = np.random.default_rng(0)
    width = len(know.inputs)
    layers = [
        rng.normal(0, 1 / np.sqrt(width), (width, BENDS)),
        np.zeros(BENDS),
        rng.normal(0, 0.3 / np.sqrt(BENDS), BENDS),
        np.array([target.mean()]),
        np.zeros(width),
    ]
    first = [np.zeros_like(each) for each in layers]
    second = [np.zeros_like(each) for each in layers]
    best, kept, steps = float("inf"), layers, 0
    for epoch in range(EPOCHS):
        order = rng.permutation(len(seen))
        rate = RATE * (1 + np.cos(np.pi * epoch / EPOCHS)) / 2
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            steps += 1
            slopes = _slopes(np, layers, seen[batch], target[batch])
            for k, slope in enumerate(slopes):  # Adam
                first[k] = 0.9 * first[k] + 0.1 * slope
                second[k] = 0.999 * second[k] + 0.001 * slope**2
                size_of_step = np.sqrt(second[k] / (1 - 0.999**steps)) + 1e-8
                layers[k] = layers[k] - rate * first[k] / (1 - 0.9**steps) / size_of_step
        missed = float(((_guess(np, layers, unseen)[1] * SCALE - test.to_come) ** 2).mean())
        told = f"epoch {epoch + 1}: mean square error {missed:.3f} on unseen games"
        print(told, file=sys.stderr)
        if missed < best:
            best, kept = missed, [each.copy() for each in layers]
    guess = _guess(np, kept, unseen)[1] * SCALE
    spread, losses = _spread(np, test, guess)
    return _net(np, know, kept, middle, size, spread, f"{recipe}; unseen log-loss {losses:.4f}")


class _table:
    """Rows of games as arrays."""

    def __init__(self, np: Any, games: Sequence[QuickGame]) -> None:
        rows = [(*row, points, won) for found, points, won in games for row in found]
        self.phase = np.array([row[0] for row in rows])
        self.inputs = np.array([row[1] for row in rows], float)
        self.to_come = np.array([row[4] - row[2] for row in rows], float)
        self.ahead = np.array([row[2] - row[3] for row in rows], float)
        self.won = np.array([row[5] for row in rows], float)


def _guess(np: Any, layers: Sequence[Any], inputs: Any) -> tuple[Any, Any]:
    into, bias, out, constant, straight = layers
    bends = np.tanh(inputs @ into + bias)
    return bends, bends @ out + constant + inputs @ straight


def _slopes(np: Any, layers: Sequence[Any], inputs: Any, target: Any) -> list[Any]:
    into, _, out, _, straight = layers
    bends, guess = _guess(np, layers, inputs)
    miss = np.clip(guess - target, -2, 2) / len(target)
    back = np.outer(miss, out) * (1 - bends * bends)
    return [
        inputs.T @ back + DECAY * into,
        back.sum(0),
        bends.T @ miss + DECAY * out,
        np.array([miss.sum()]),
        inputs.T @ miss + DECAY * straight,
    ]


def _spread(np: Any, test: _table, guess: Any) -> tuple[list[float], float]:
    """For each phase the spread that foretells the winners best, and the loss with them."""
    found, total = [], 0.0
    for phase in range(int(test.phase.max()) + 1):
        here = test.phase == phase
        ahead, won = (test.ahead + guess + 0.5)[here], test.won[here]
        losses = {}
        for tenths in range(4, 50):
            chance = np.clip(1 / (1 + np.exp(-ahead * 10 / tenths)), 1e-6, 1 - 1e-6)
            losses[tenths / 10] = float(
                -(won * np.log(chance) + (1 - won) * np.log(1 - chance)).sum()
            )
        best = min(losses, key=lambda each: losses[each])
        found.append(best)
        total += losses[best]
    return found, total / len(test.won)


def _net(
    np: Any, know: Foresight, layers: Any, middle: Any, size: Any, spread: list[float], recipe: str
) -> Net:
    """The same net for inputs as they come, and for whole points."""
    into, bias, out, constant, straight = layers
    into, straight = into / size[:, None], straight / size
    bias, constant = bias - middle @ into, constant - middle @ straight
    return Net(
        recipe=recipe,
        inputs=know.inputs,
        straight=tuple(_round(SCALE * each) for each in (constant[0], *straight)),
        hidden=tuple(
            tuple(_round(each) for each in (bias[at], *into[:, at])) for at in range(len(out))
        ),
        out=tuple(_round(SCALE * each) for each in out),
        spread=tuple(spread),
    )


def _round(number: float) -> float:
    return round(float(number), 4)


def net_text(net: Net) -> str:
    """A net as TOML, a row of weights a line."""

    def row(values: Sequence[object]) -> str:
        return "[" + ", ".join(f'"{v}"' if isinstance(v, str) else str(v) for v in values) + "]"

    lines = [
        f"recipe = {msgspec.json.encode(net.recipe).decode()}",
        f"inputs = {row(net.inputs)}",
        f"straight = {row(net.straight)}",
        "hidden = [",
        *(f"  {row(each)}," for each in net.hidden),
        "]",
        f"out = {row(net.out)}",
        f"spread = {row(net.spread)}",
    ]
    return "\n".join(lines) + "\n"
