"""Fitted weights of a title's evaluation, with the recipe that made them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from math import exp

import msgspec

from sandtable.kernel.errors import BadMessage


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of a `<title>.weights.toml`: one table of weights for each phase of the game."""

    recipe: str
    """How to make this file again: the command, the games, the date of nothing."""
    phase: tuple[dict[str, float], ...]

    @classmethod
    def load(cls, title: str, names: Sequence[str]) -> Fitted:
        """The weights of a title, in the order of these names."""
        text = files(__package__).joinpath(f"{title}.weights.toml").read_text(encoding="utf-8")
        found = msgspec.toml.decode(text, type=cls)
        for at, phase in enumerate(found.phase):
            if set(phase) != set(names):
                odd = min(set(phase) ^ set(names))
                raise BadMessage(
                    f"{title}.weights.toml, phase {at + 1}: {odd!r} is missing or unknown; fit anew"
                )
        return Fitted([[phase[name] for name in names] for phase in found.phase])


class Fitted:
    """Weights ready for use."""

    def __init__(self, phases: list[list[float]]) -> None:
        self.phases = phases

    def chance(self, phase: int, features: Sequence[float]) -> float:
        """The chance to win of the side that features speak for."""
        weights = self.phases[min(phase, len(self.phases) - 1)]
        total = sum(weight * each for weight, each in zip(weights, features, strict=True))
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))
