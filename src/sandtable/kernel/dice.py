"""Dice anyone can check: each draw is a keyed hash of the secret seed, its number and its purpose.

Draw *n* reads the bytes of HMAC-SHA-256(key, "n|purpose|place|block"), block 0, 1, ..., as
32-bit big-endian numbers. A die of *s* sides takes the next number below the largest multiple of
*s* (the rest are thrown away, so that every face is equally likely) and shows 1 + number mod *s*.
A die whose faces count from zero is asked for as minus its sides and shows number mod *s*.
The key is the seed followed by the words the players added, each after a newline.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from sandtable.kernel.errors import BadMessage, ScriptEnded

D10_FROM_ZERO = -10
"""A ten-sided die printed 0 to 9 whose 0 counts as zero."""


class Dice(Struct, frozen=True):
    """The source of every random thing in a game; drawing returns faces and the next source."""

    seed: str = ""
    words: tuple[str, ...] = ()
    count: int = 0
    script: tuple[int, ...] | None = None
    """Faces still to come in a scripted game; None when the dice are real."""
    tally: dict[str, int] | None = None
    """On a sample: draws so far by purpose and place, so that two plans share their luck."""

    def draw(self, purpose: str, place: str, sides: Sequence[int]) -> tuple[tuple[int, ...], Dice]:
        """The faces of one roll of dice with these sides, and the dice afterwards.

        >>> faces, after = Dice("demo").draw("attack", "6", (6, 6))
        >>> faces, after.count
        ((2, 1), 1)
        """
        if self.script:
            faces = self.script[: len(sides)]
            rest = self.script[len(sides) :]
            if len(faces) == len(sides):
                _check(faces, sides, purpose)
                # A chosen outcome on a sample runs out into ordinary luck.
                script = rest if rest or self.tally is None else None
                return faces, replace(self, count=self.count + 1, script=script)
        if self.script is not None:
            missing = len(sides) - len(self.script)
            raise ScriptEnded(
                f"the scripted dice end before the roll for {purpose}: "
                f"give {missing} more face(s) of {_kinds(sides)}"
            )
        if self.tally is None:
            key = f"{self.count}|{purpose}|{place}"
            after = replace(self, count=self.count + 1)
        else:
            spot = f"{purpose}|{place}"
            earlier = self.tally.get(spot, 0)
            key = f"{spot}|{earlier}"
            after = replace(self, count=self.count + 1, tally={**self.tally, spot: earlier + 1})
        numbers = self._numbers(key)
        return tuple([_face(numbers, each) for each in sides]), after

    def _numbers(self, key: str) -> Iterator[int]:
        secret = "\n".join((self.seed, *self.words)).encode()
        block = 0
        while True:
            digest = hmac.digest(secret, f"{key}|{block}".encode(), "sha256")
            for at in range(0, 32, 4):
                yield int.from_bytes(digest[at : at + 4], "big")
            block += 1

    def sample(self, seed: str) -> Dice:
        """Independent dice for a copy that a search may try things on."""
        return Dice(seed=seed, count=self.count, tally={})

    def scripted(self, faces: Sequence[int]) -> Dice:
        """These dice with more faces to come at the end of the script."""
        return replace(self, script=(self.script or ()) + tuple(faces))


def commitment(seed: str) -> str:
    """What is shown at the start so that the seed cannot be changed later.

    >>> commitment("demo")[:16]
    '2a97516c354b6884'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def _face(numbers: Iterator[int], sides: int) -> int:
    size = abs(sides)
    limit = 2**32 - 2**32 % size
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % size + (sides > 0)


def _check(faces: Sequence[int], sides: Sequence[int], purpose: str) -> None:
    for face, die in zip(faces, sides, strict=True):
        low, top = (1, die) if die > 0 else (0, -die - 1)
        if not low <= face <= top:
            raise BadMessage(
                f"scripted face {face} for {purpose} does not fit a die of {abs(die)} sides; "
                f"give {low} to {top}"
            )


def _kinds(sides: Sequence[int]) -> str:
    return ", ".join(f"d{each}" if each > 0 else f"d{-each} from 0" for each in sides)
