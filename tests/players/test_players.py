"""Opponents: the seat they get, and what a recruit calls sensible."""

from __future__ import annotations

import os

import msgspec
import pytest

import sandtable
from sandtable import match
from sandtable.kernel.actions import Action
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.game import Game
from sandtable.match import Pairing, Share, play_all, wilson
from sandtable.players import LEVELS, Seat, player
from sandtable.players.knowledge import knowledge
from sandtable.players.seat import Luck

TOY = sandtable.title("toy")


def facing(*texts: str) -> Game:
    """A duel in which red R2 stands beside blue B1, whose card is spent; red decides."""
    game = TOY.start("duel", {"deal": "shields"}, "facing")
    for text in ("move R2 c", "pass", "attack R2 B1", "card yes", "pass", *texts):
        game.play(game.parse(text))
    return game


def chosen(level: str, game: Game, times: int = 40) -> list[str]:
    """What players of a level choose, each with luck of their own."""
    assert game.actor is not None
    seat = Seat(game, game.actor)
    return [game.text(player(level, str(n)).choose(seat).action) for n in range(times)]


def test_random_chooses_anything() -> None:
    game = TOY.start(seed="1")
    assert set(chosen("random", game, 100)) == {game.text(each) for each in game.actions()}


def test_a_recruit_takes_good_odds_often_and_does_not_pass() -> None:
    texts = chosen("recruit", facing())
    assert "pass" not in texts
    assert texts.count("attack R2 B1") > 20


def test_a_recruit_avoids_an_attack_that_more_likely_hurts(monkeypatch: pytest.MonkeyPatch) -> None:
    game = facing()
    attack = game.parse("attack R2 B1")
    odds = game.odds(attack)
    assert odds is not None
    bad = msgspec.structs.replace(
        odds,
        outcomes=tuple(msgspec.structs.replace(each, favours="blue") for each in odds.outcomes),
    )
    monkeypatch.setattr(
        TOY.game, "odds", lambda game, action: bad if action.kind == "attack" else None
    )
    assert "attack R2 B1" not in chosen("recruit", game)


def test_a_recruit_explains_itself() -> None:
    choice = player("recruit", "1").choose(Seat(facing(), "red"))
    assert choice.reason.endswith(".")


def test_a_player_is_made_from_its_seed_alone() -> None:
    game = TOY.start(seed="1")
    assert chosen("recruit", game) == chosen("recruit", game)
    assert len(set(chosen("random", game))) > 1


def test_levels_are_known_by_name() -> None:
    assert list(LEVELS)[:2] == ["random", "recruit"]
    with pytest.raises(BadMessage, match="no opponent is called 'colonel'"):
        player("colonel", "1")


def test_a_seat_samples_worlds_that_look_the_same() -> None:
    game = TOY.start(seed="1")
    seat = Seat(game, "red")
    samples = [seat.sample(str(n)) for n in range(8)]
    assert all(sample.sampled for sample in samples)
    assert all(sample.view("red") == seat.view for sample in samples)
    assert len({sample.digest() for sample in samples}) > 1


@pytest.mark.parametrize("name", ["cauldron", "gallop", "theseus"])
def test_what_is_worked_out_on_one_sample_is_unknown_in_another(name: str) -> None:
    """Else a side would profit from what its enemy thought, and a seed would not settle a game."""
    game = sandtable.title(name).start(seed="memory")
    side = game.actor
    assert side is not None
    first, second = (game.resample(side, seed) for seed in "12")
    know = knowledge(name)
    while not first.memory:
        tempting = know.priors(first, first.actions())
        first.play(first.actions()[tempting.index(max(tempting))])
    assert first.copy().memory is first.memory
    assert not second.memory
    assert not first.resample(side, "3").memory


def test_pointing_actions_are_told_from_passing_ones() -> None:
    game = TOY.start(seed="1")
    seat = Seat(game, "red")

    def points(text: str) -> bool:
        action: Action = game.parse(text)
        return seat.points_at_something(action)

    assert points("move R1 b") and points("aim R1")
    assert not points("pass")


def test_luck_is_even() -> None:
    luck = Luck("even")
    counts = [0] * 5
    for _ in range(5000):
        counts[luck.below(5)] += 1
    assert all(abs(count - 1000) < 4 * 28.3 for count in counts)


def test_sides_are_swapped_and_pairs_share_their_dice() -> None:
    pairing = Pairing("toy", "row", {}, "recruit", "random", "swap")
    results = play_all(pairing, 6, 1)
    assert [each.side_of_a for each in results] == ["red", "blue"] * 3
    assert play_all(pairing, 4, 1) == results[:4]


def test_a_lost_worker_loses_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    pairing = Pairing("toy", "row", {}, "recruit", "random", "lost")
    results = play_all(pairing, 6, 1)
    here = os.getpid()
    original = match.play_one

    def die(task: tuple[Pairing, int]) -> match.Result:
        if os.getpid() != here and task[1] == 3:
            os._exit(9)
        return original(task)

    # Workers find the function by its name, in a module that is already in their memory.
    monkeypatch.setattr(match, "play_one", die)
    die.__module__, die.__qualname__ = match.__name__, "play_one"
    assert play_all(pairing, 6, 2) == results


def test_an_interval_holds_the_share() -> None:
    for games in (1, 10, 1000):
        for wins in (0, games // 2, games):
            low, high = wilson(wins / games, games)
            assert 0 <= low <= wins / games <= high <= 1
    share = Share("x", wins=140, draws=0, losses=60)
    assert share.points == 0.7
    assert share.interval[0] > 0.6
