"""Dice anyone can check."""

from __future__ import annotations

import doctest
import hashlib
import hmac
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.kernel.dice import Dice, commitment
from sandtable.kernel.errors import BadMessage, ScriptEnded


def by_hand(seed: str, words: list[str], count: int, purpose: str, place: str, side: int) -> int:
    """The first die of a draw, as docs/records.md tells a player to compute it."""
    key = "\n".join([seed, *words]).encode()
    message = f"{count}|{purpose}|{place}|0".encode()
    digest = hmac.new(key, message, hashlib.sha256).digest()
    return 1 + int.from_bytes(digest[:4], "big") % side


@given(st.text(max_size=20), st.lists(st.text(max_size=9), max_size=3), st.integers(0, 10**6))
def test_a_draw_can_be_recomputed_by_hand(seed: str, words: list[str], count: int) -> None:
    faces, after = Dice(seed, tuple(words), count).draw("attack", "6", (6, 6))
    # A rejected number would make the by-hand value differ; 2**32 % 6 is 4, so it is rare.
    assert faces[0] == by_hand(seed, words, count, "attack", "6", 6)
    assert after.count == count + 1


@given(st.integers(1, 300), st.integers(1, 20))
def test_faces_are_on_the_die(sides: int, number: int) -> None:
    faces, _ = Dice("range").draw("test", "", [sides] * number)
    assert len(faces) == number
    assert all(1 <= face <= sides for face in faces)


def test_faces_are_equally_likely() -> None:
    dice, counts = Dice("fair"), [0] * 6
    for _ in range(3000):
        faces, dice = dice.draw("test", "", (6, 6))
        for face in faces:
            counts[face - 1] += 1
    # 6000 dice: 1000 of each face, sigma 29.
    assert all(abs(count - 1000) < 4 * 29 for count in counts)


def test_scripted_faces_come_in_order_and_never_by_guess() -> None:
    dice = Dice(script=(6, 3, 1))
    faces, dice = dice.draw("attack", "", (6, 6))
    assert faces == (6, 3)
    with pytest.raises(ScriptEnded, match="give 1 more"):
        dice.draw("defense", "", (6, 6))
    faces, dice = dice.scripted((2,)).draw("defense", "", (6, 6))
    assert faces == (1, 2)


def test_a_scripted_face_must_fit_the_die() -> None:
    with pytest.raises(BadMessage, match="does not fit a die of 6"):
        Dice(script=(7,)).draw("attack", "", (6,))


def test_samples_share_their_luck_by_purpose_and_place() -> None:
    one, other = Dice("a").sample("s"), Dice("b", count=5).sample("s")
    _, other = other.draw("weather", "", (6,))
    assert one.draw("attack", "6", (6,) * 8)[0] == other.draw("attack", "6", (6,) * 8)[0]
    assert one.draw("attack", "6", (6,) * 8)[0] != one.draw("attack", "7", (6,) * 8)[0]


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment("demo") == hashlib.sha256(b"demo").hexdigest()


def test_the_recipe_in_the_document_is_true() -> None:
    document = Path(__file__).parents[2] / "docs" / "records.md"
    result = doctest.testfile(str(document), module_relative=False)
    assert result.attempted >= 3
    assert result.failed == 0
