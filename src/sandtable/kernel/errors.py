"""The two failures a caller must expect: malformed input, and a move the rules forbid."""

from __future__ import annotations

from msgspec import Struct


class Refusal(Struct, frozen=True):
    """Why an action is not legal: the rule that forbids it and one sentence."""

    rule: str
    text: str


class BadMessage(ValueError):
    """Malformed input; the text says in one line what is wrong, where, and what to do."""


class ScriptEnded(BadMessage):
    """A scripted game needs a die face that nobody gave."""


class Refused(ValueError):
    """A player asked for something the rules forbid."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.text} [{refusal.rule}]")
        self.refusal = refusal
