"""Evaluations fitted from games: named features, weights for each phase, and the recipe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from math import exp, log
from typing import Any, ClassVar

import msgspec

from sandtable.kernel.actions import Action
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.players.effort import LOOK, SEARCH, Effort
from sandtable.players.knowledge.reasons import figures


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of a file of weights: one table for each phase of the game."""

    recipe: str
    """How this file was made, so that it can be made again."""
    phase: tuple[dict[str, float], ...]


class Lesson(msgspec.Struct, frozen=True):
    """How far to trust a forecast, and how much better the first side does than it says."""

    slope: float = 1.0
    shift: float = 0.0


class ChanceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of a `<title>.chance.toml`: for each scenario a lesson for each `chapter`."""

    recipe: str
    scenario: dict[str, tuple[Lesson, ...]]


class Fitted:
    """Knowledge whose value is a fitted sum of features, good for the first side if positive."""

    title: ClassVar[str]
    names: ClassVar[tuple[str, ...]]
    """What the features are called, in order."""
    look: ClassVar[Effort] = LOOK
    search: ClassVar[Effort] = SEARCH
    search_of: ClassVar[Mapping[Side, Effort]] = {}
    """What an officer and a general spend on a decision of this title."""
    whim: ClassVar[float | None] = None
    whim_of: ClassVar[Mapping[Side, float]] = {}
    """How far a recruit strays from what tempts; None if it goes by odds alone."""
    open: ClassVar[bool] = False
    """Whether nothing is hidden, so that sampled worlds differ in their dice alone."""
    interrupted: ClassVar[bool] = False
    """Whether plans are judged as if the enemy, asked in their midst, lets them be."""
    lasting: ClassVar[frozenset[str]] = frozenset()
    """Follies that nothing takes back."""
    signs: ClassVar[dict[str, int]] = {}
    """Where the meaning fixes the sign of a weight: +1 or -1 for the first side."""

    words: ClassVar[dict[str, str]] = {}
    """What people say when a feature rises/falls, of those whose meaning fixes a sign."""
    clock: ClassVar[tuple[str, ...]] = ("turn",)
    """What tells the time in a game: many features count for less as it passes."""

    @property
    def schooled(self) -> dict[Side, Any]:
        """What an officer of some side knows instead of a recruit; a title may have it."""
        return {}

    @property
    def keener(self) -> Any:
        """What a general knows instead; a title may have it."""
        return None

    @property
    def postures(self) -> Sequence[Any]:
        """Frames of mind in which a general may plan; a title may know some."""
        return ()

    def sees_all(self, game: Any, side: Side) -> bool:
        """Whether nothing is hidden from a side just now; a title may know."""
        return False

    def features(self, game: Any) -> list[float]:
        """The position in numbers of about one."""
        raise NotImplementedError

    def phase(self, game: Any) -> int:
        """Which weights serve: 0 early, then later."""
        raise NotImplementedError

    @cached_property
    def weights(self) -> list[list[float]]:
        """The weights of each phase, in the order of the names."""
        return self.read_weights(f"{self.title}.weights.toml")

    def weighs(self, side: Side) -> Sequence[Sequence[float]]:
        """The weights that choices are explained by; a title's officers may have their own."""
        return self.weights

    @property
    def prior(self) -> list[list[float]]:
        """Weights set by hand to which a fit is drawn, the constant last; a title may have some."""
        return []

    def read_weights(self, file: str) -> list[list[float]]:
        """The weights of a file."""
        text = files(__package__).joinpath(file).read_text("utf-8")
        fitted = file == f"{self.title}.weights.toml"
        remedy = f"run scripts/fit {self.title}" if fitted else "mend it by hand"
        try:
            found = msgspec.toml.decode(text, type=WeightsFile)
        except msgspec.DecodeError as error:
            raise BadMessage(f"{file}: {error}; {remedy}") from None
        for at, phase in enumerate(found.phase):
            if set(phase) != set(self.names):
                odd = min(set(phase) ^ set(self.names))
                raise BadMessage(f"{file}, phase {at + 1}: {odd!r} is missing or unknown; {remedy}")
        if not found.phase:
            raise BadMessage(f"{file} has no phase; {remedy}")
        return [[phase[name] for name in self.names] for phase in found.phase]

    def value(self, game: Any, side: Side) -> float:
        """The chance that a side wins."""
        return self.chance(game, side, self.weights)

    def chance(self, game: Any, side: Side, weights: Sequence[Sequence[float]]) -> float:
        """The same by given weights."""
        first = game.title.sides[0]
        if game.outcome:
            winner = game.outcome.winner
            return 0.5 if winner is None else float(winner == side)
        used = weights[min(self.phase(game), len(weights) - 1)]
        chance = logistic(weighed(used, self.features(game)))
        return chance if side == first else 1 - chance

    def priors(self, game: Any, actions: Sequence[Action]) -> list[float]:
        """How tempting each action looks at a glance."""
        raise NotImplementedError

    def favourite(self, game: Any, actions: Sequence[Action]) -> int:
        """The most tempting of the actions."""
        tempting = self.priors(game, actions)
        return tempting.index(max(tempting))

    arrivals: ClassVar[tuple[type[Action], ...]] = ()
    """What brings counters onto the map: that there are more of them is no merit."""

    def idle(self, plan: Sequence[Action]) -> bool:
        """Whether counters come on; a title may know plans that do nothing besides."""
        return any(isinstance(each, self.arrivals) for each in plan)

    def obvious(self, game: Any, actions: Sequence[Action]) -> Action | None:
        """An action that needs no thought; a title may know some."""
        return None

    def measure(self, game: Any, side: Side, effort: Effort) -> Effort:
        """How much of an effort a decision deserves: all of it, unless a title knows better."""
        return effort

    def judge(self, game: Any, side: Side) -> float:
        """What a general thinks of the chance; the same unless a title knows better."""
        return self.value(game, side)

    def forecast(self, game: Any, side: Side) -> float:
        """The chance that a side wins, by the games that the weights were fitted to."""
        return self.chance(game, side, self.weights)

    def chapter(self, game: Any) -> int:
        """Before the first dice, when the forecast knows least, and then by phases."""
        return 1 + self.phase(game) if game.dice.count else 0

    @cached_property
    def lessons(self) -> Mapping[str, Sequence[Lesson]]:
        """What games of officers taught about the forecast, by scenario and chapter, if any did."""
        file = files(__package__).joinpath(f"{self.title}.chance.toml")
        if not file.is_file():
            return {}
        return msgspec.toml.decode(file.read_text("utf-8"), type=ChanceFile).scenario

    def outlook(self, game: Any, side: Side) -> float:
        """The chance that people are shown: the forecast as games of officers bore it out."""
        chance = self.forecast(game, side)
        taught = self.lessons.get(game.scenario, ())
        if game.outcome or not taught:
            return chance
        lesson = taught[min(self.chapter(game), len(taught) - 1)]
        shift = lesson.shift if side == game.title.sides[0] else -lesson.shift
        return logistic(lesson.slope * logit(chance) + shift)

    def blunders(self, game: Any, action: Action) -> Iterable[str]:
        """What is absurd about an action; a title may know."""
        return ()

    def circles(self, eve: Any, game: Any, action: Action) -> bool:
        """Whether it leads a unit back to where it began; a title may know."""
        return False

    def follies(self, before: Any, after: Any, side: Side) -> Iterable[str]:
        """What is absurd about a planning unit as a whole; a title may know."""
        return ()

    def tactic(self, game: Any, action: Action, plan: Sequence[Action] = ()) -> str:
        """The tactic that an action serves, as a sentence; a title may know."""
        return ""

    def chances(self, game: Any, action: Action, plan: Sequence[Action] = ()) -> str:
        """The exact chances of an action that leads to dice, in words; a title may know more."""
        return figures(game.odds(action), game.actor)

    def merits(self, before: Any, after: Any, side: Side) -> str:
        """What gets better for a side from one position to another: the two that count most.

        Time that passes by itself is no merit, nor is a change that hardly anybody would notice.
        """
        if before.outcome or after.outcome:
            return ""
        then = after.copy()
        for hand in self.clock:
            setattr(then, hand, getattr(before, hand))
        weights = self.weighs(side)
        used = weights[min(self.phase(before), len(weights) - 1)]
        sign = 1 if side == before.title.sides[0] else -1
        changes = [
            (sign * weight * (new - old), worded(self.words[name], rises=new > old))
            for weight, old, new, name in zip(
                used, self.features(before), self.features(then), self.names, strict=True
            )
            if name in self.words
        ]
        best = (words for gain, words in sorted(changes, reverse=True) if gain > NOTICED)
        return ", and ".join(list(dict.fromkeys(best))[:2])


NOTICED = 0.04
"""The least change that is told: about one in a hundred of the chance to win."""


def worded(text: str, *, rises: bool) -> str:
    """What is said of a feature that rises or falls.

    >>> worded("more/fewer Allied tanks", rises=False)
    'fewer Allied tanks'
    """
    pairs = (word.split("/") for word in text.split(" "))
    return " ".join(pair[0] if rises else pair[-1] for pair in pairs)


MARGIN = 0.03
"""How much of a decided game's worth is its margin, so that lost games are played on well."""


def decided(game: Any, ahead: float) -> float:
    """What a finished game is worth to the first side, which ended so many points ahead."""
    winner = game.outcome.winner
    sure = 0.5 if winner is None else float(winner == game.title.sides[0])
    return (1 - MARGIN) * sure + MARGIN * logistic(ahead / 3)


def weighed(weights: Sequence[float], features: Sequence[float]) -> float:
    """The sum of features by their weights."""
    return sum([weight * each for weight, each in zip(weights, features, strict=True)])


def logistic(number: float) -> float:
    """From any number to a chance."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, number))))


def logit(chance: float) -> float:
    """From a chance back to the number."""
    sure = min(1 - 1e-6, max(1e-6, chance))
    return log(sure / (1 - sure))


def weights_text(recipe: str, names: Sequence[str], phases: Sequence[Sequence[float]]) -> str:
    """A weights file."""
    lines = [f"recipe = {msgspec.json.encode(recipe).decode()}"]
    for phase in phases:
        lines += ["", "[[phase]]"]
        lines += [f"{name} = {value:.4f}" for name, value in zip(names, phase, strict=True)]
    return "\n".join(lines) + "\n"


def chance_text(recipe: str, lessons: Mapping[str, Sequence[Lesson]]) -> str:
    """A file of lessons."""
    lines = [f"recipe = {msgspec.json.encode(recipe).decode()}"]
    for scenario, phases in lessons.items():
        for each in phases:
            lines += ["", f"[[scenario.{scenario}]]"]
            lines += [f"slope = {each.slope:.3f}", f"shift = {each.shift:.3f}"]
    return "\n".join(lines) + "\n"
