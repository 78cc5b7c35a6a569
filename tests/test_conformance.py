"""The conformance checks and the fuzzer find what they look for: each test breaks one promise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable import conformance
from sandtable.conformance import Fault
from sandtable.fuzz import Failure, Fuzzer
from sandtable.kernel.errors import Refusal
from sandtable.kernel.game import Game
from sandtable.kernel.table import replay
from sandtable.kernel.views import View

TOY = sandtable.title("toy")
IMPULSE = TOY.steps[0]
Patch = pytest.MonkeyPatch


def fuzz_until_failure() -> Failure:
    with pytest.raises(Failure) as caught:
        Fuzzer(TOY, "broken", mutation_rate=1, every=3, rolls=200).run(3000, tell=lambda _: None)
    return caught.value


def replace_method(patch: Patch, kind: Any, name: str, change: Callable[..., Any]) -> None:
    """Put `change(original, self, *args)` in the place of a method."""
    original = getattr(kind, name)
    patch.setattr(kind, name, lambda *args: change(original, *args))


def test_a_sound_title_passes() -> None:
    fuzzer = Fuzzer(TOY, "sound", mutation_rate=1, every=3, rolls=100)
    fuzzer.run(500, tell=lambda _: None)
    assert fuzzer.counts.mutations > 400
    assert fuzzer.counts.thorough > 100
    assert fuzzer.counts.odds > 5


def test_a_hidden_card_in_the_view_is_found(monkeypatch: Patch) -> None:
    def leak(view: Any, game: Any, side: str | None) -> View:
        seen: View = view(game, side)
        return msgspec.structs.replace(seen, turn=str(game.cards))

    replace_method(monkeypatch, TOY.game, "view", leak)
    assert "depends on what it cannot see" in str(fuzz_until_failure())


def test_a_prompt_that_gives_a_card_away_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(IMPULSE, "prompt", lambda step, game: str(sorted(game.cards.items())))
    assert "depends on what it cannot see" in str(fuzz_until_failure())


def test_an_action_listed_twice_is_found(monkeypatch: Patch) -> None:
    replace_method(
        monkeypatch, IMPULSE, "actions", lambda listed, *args: [*listed(*args), *listed(*args)]
    )
    assert "listed twice" in str(fuzz_until_failure())


def test_a_refusal_by_an_unknown_rule_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(IMPULSE, "refusal", lambda *args: Refusal("99.9", "No."))
    assert "is refused by rule '99.9'" in str(fuzz_until_failure())


def test_an_illegal_action_that_is_accepted_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(TOY.game, "why_not", lambda game, action: None)
    assert "yet not refused" in str(fuzz_until_failure())


def test_a_why_not_that_changes_the_game_is_found(monkeypatch: Patch) -> None:
    def meddle(why_not: Any, game: Any, action: Any) -> Any:
        game.left += 1
        return why_not(game, action)

    replace_method(monkeypatch, TOY.game, "why_not", meddle)
    assert fuzz_until_failure()


def test_a_copy_that_shares_its_pieces_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(TOY.game, "mutable", ("cards",))
    game = TOY.start(seed="shared")
    with pytest.raises(Fault):
        for seed in range(20):
            conformance.isolation(game, Random(seed))


class Lazy(Sequence[Any]):
    """Actions that are listed when they are looked at, of a game that may have gone on."""

    def __init__(self, *found: Any) -> None:
        self.listed, self.step, self.game = found

    def __len__(self) -> int:
        return len(self.listed(self.step, self.game))

    def __getitem__(self, at: Any) -> Any:
        return self.listed(self.step, self.game)[at]


def test_a_copy_that_follows_its_original_is_found(monkeypatch: Patch) -> None:
    replace_method(monkeypatch, IMPULSE, "actions", Lazy)
    with pytest.raises(Fault, match="a copy left behind reads back with other actions"):
        for seed in range(50):
            conformance.isolation(TOY.start(seed=str(seed)), Random(seed))


def test_wrong_odds_are_found(monkeypatch: Patch) -> None:
    def wrong(odds: Any, step: Any, game: Any, action: Any) -> Any:
        right = odds(step, game, action)
        if right is None:
            return None
        first, second = right.outcomes
        return msgspec.structs.replace(
            right,
            outcomes=(
                msgspec.structs.replace(first, probability=second.probability),
                msgspec.structs.replace(second, probability=first.probability),
            ),
        )

    replace_method(monkeypatch, IMPULSE, "odds", wrong)
    assert "sigma from its odds" in str(fuzz_until_failure())


def test_dice_that_do_not_bring_their_outcome_are_found(monkeypatch: Patch) -> None:
    def wrong(odds: Any, step: Any, game: Any, action: Any) -> Any:
        right = odds(step, game, action)
        return right and msgspec.structs.replace(
            right,
            outcomes=tuple(msgspec.structs.replace(each, faces=(1,)) for each in right.outcomes),
        )

    replace_method(monkeypatch, IMPULSE, "odds", wrong)
    assert "bring miss, not hit" in str(fuzz_until_failure())


def test_a_position_that_forgets_something_is_found(monkeypatch: Patch) -> None:
    replace_method(
        monkeypatch,
        TOY.game,
        "position_text",
        lambda text, game: text(game).replace(f"left = {game.left}", "left = 5"),
    )
    assert "different left" in str(fuzz_until_failure())


def test_a_broken_invariant_is_found_and_its_record_replays(monkeypatch: Patch) -> None:
    with monkeypatch.context() as broken:

        def check(game: Any) -> None:
            assert len(game.alive("red")) == 2, "red has lost a unit"

        broken.setattr(TOY.game, "check", check)
        failure = fuzz_until_failure()
    assert "red has lost a unit" in str(failure)
    game: Game = replay(TOY, failure.record).game
    assert len(game.view(None).pieces) == 4
    assert sum(piece.space is None for piece in game.view(None).pieces) >= 1


def test_a_crash_in_an_action_leaves_a_record_that_ends_with_it(monkeypatch: Patch) -> None:
    def crash(apply: Any, step: Any, game: Any, action: Any) -> None:
        if action.kind == "attack":
            raise KeyError("boom")
        apply(step, game, action)

    replace_method(monkeypatch, IMPULSE, "apply", crash)
    failure = fuzz_until_failure()
    assert "boom" in str(failure)
    assert failure.record.lines
