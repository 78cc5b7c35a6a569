"""Sampled worlds to try plans on, with dice spread evenly over them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from msgspec.structs import replace

from sandtable.kernel.dice import Dice
from sandtable.players.seat import Seat

GOLDEN = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1


def mix(number: int) -> int:
    """Scramble 64 bits (splitmix64), so that near numbers become unlike ones."""
    number = number + GOLDEN & MASK
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & MASK
    number = (number ^ number >> 27) * 0x94D049BB133111EB & MASK
    return number ^ number >> 31


class SpreadDice(Dice, frozen=True):
    """Dice of world `which` of `worlds`: each die takes every part of its range once among them.

    Draws are keyed by purpose and place, so that plans tried in one world share their luck.
    """

    key: int = 0
    which: int = 0
    worlds: int = 1

    def draw(self, purpose: str, place: str, sides: Sequence[int]) -> tuple[tuple[int, ...], Dice]:
        if self.script is not None:
            return super().draw(purpose, place, sides)
        spot = f"{purpose}|{place}"
        tally = self.tally or {}
        earlier = tally.get(spot, 0)
        seed = mix(self.key + crc32(f"{spot}|{earlier}".encode()))
        faces = []
        for top in sides:
            seed = mix(seed)
            # A part of the range by a permutation of the worlds, then a place inside that part.
            part = (self.which * (seed | 1) + (seed >> 32)) % self.worlds
            inside = (mix(seed + self.which) >> 40) / (1 << 24)
            # A die whose faces count from zero is asked for as minus its sides.
            faces.append(int((part + inside) / self.worlds * abs(top)) + (top > 0))
        after = replace(self, count=self.count + 1, tally={**tally, spot: earlier + 1})
        return tuple(faces), after


class Worlds:
    """Samples of one position, made when first needed; a power of two keeps dice spread evenly."""

    def __init__(self, seat: Seat, seed: str, number: int) -> None:
        self._seat = seat
        self._seed = seed
        self.number = number
        self._made: dict[int, Any] = {}

    def __getitem__(self, which: int) -> Any:
        """A fresh copy of a world."""
        if which not in self._made:
            game = self._seat.sample(f"{self._seed}|{which}")
            game.dice = self.dice(which, game.dice.count)
            self._made[which] = game
        return self._made[which].copy()

    def dice(self, which: int, count: int) -> SpreadDice:
        """The dice of a world, after so many rolls."""
        return SpreadDice(
            count=count,
            tally={},
            key=mix(crc32(self._seed.encode())),
            which=which,
            worlds=self.number,
        )


class Chooser:
    """A player's own quick luck for trying things, the same for the same seed."""

    def __init__(self, seed: str) -> None:
        self._state = mix(crc32(seed.encode()))

    def twin(self, number: int) -> Chooser:
        """Another luck, for thinking beside this one."""
        return Chooser(f"{self._state}|{number}")

    def share(self) -> float:
        """A number from 0 up to 1."""
        self._state = mix(self._state)
        return (self._state >> 11) / (1 << 53)

    def below(self, number: int) -> int:
        """A whole number from 0, below this one."""
        return int(self.share() * number)
