"""The two failures a caller must expect: malformed input, and a move the rules forbid."""

from __future__ import annotations

import re

from msgspec import Struct

LONGEST_ERROR = 1000


class Refusal(Struct, frozen=True):
    """Why an action is not legal: the rule that forbids it and one sentence."""

    rule: str
    text: str


class BadMessage(ValueError):
    """Malformed input; the text says in one line what is wrong, where, and what to do.

    >>> print(BadMessage("no unit \\x1b[2J\\r\\nhere"))
    no unit ?[2J??here
    >>> len(str(BadMessage(f"no unit {'x' * 5000}; check the spelling")))
    1000
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST_ERROR:
            # What to do comes last, after what is quoted.
            text = f"{text[: LONGEST_ERROR - 305]} ... {text[-300:]}"
        # What is quoted from the input may hold line ends or orders to a terminal.
        super().__init__("".join(each if each.isprintable() else "?" for each in text))


class ScriptEnded(BadMessage):
    """A scripted game needs a die face that nobody gave."""


def whole(word: str) -> int | None:
    """The whole number that a word writes, or None.

    >>> whole("-12"), whole("--1"), whole("²"), whole("1" * 5000)
    (-12, None, None, None)
    """
    return int(word) if re.fullmatch("-?[0-9]{1,9}", word) else None


class Refused(ValueError):
    """A player asked for something the rules forbid."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.text} [{refusal.rule}]")
        self.refusal = refusal
