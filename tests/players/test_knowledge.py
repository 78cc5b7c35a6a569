"""What opponents know of each title: it loads, judges, and looks at nothing hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.kernel.game import Game, Outcome, ScoreLine
from sandtable.players import Player, Seat, player
from sandtable.players.effort import NEVER, Effort
from sandtable.players.fitting import Fit, borne_out, fit, foretold, loss, share
from sandtable.players.general import General
from sandtable.players.knowledge import Knowledge, knowledge
from sandtable.players.knowledge.weights import (
    Fitted,
    WeightsFile,
    logistic,
    weights_text,
    worded,
)
from sandtable.players.officer import Officer
from sandtable.players.outlook import outlook
from sandtable.players.recruit import Recruit
from sandtable.titles.battleaxe.data import AXIS
from sandtable.titles.battleaxe.state import ELIMINATED

TITLES = [name for name in sandtable.titles() if name != "toy"]


def some_way_in(name: str, decisions: int) -> Game:
    """A game that recruits have played for a while."""
    (game,) = moments(name, "", [decisions])
    return game


def moments(name: str, scenario: str, decisions: Sequence[int]) -> Iterator[Game]:
    """A game of recruits after each of so many decisions, or at its end if that is sooner."""
    title = sandtable.title(name)
    game = title.start(scenario, seed="way")
    players = {side: player("recruit", f"way|{side}") for side in title.sides}
    played = 0
    for number in decisions:
        while played < number and not game.outcome:
            side = game.actor
            assert side is not None
            game.play(players[side].choose(Seat(game, side)).action)
            played += 1
        yield game.copy()


@pytest.mark.parametrize("name", TITLES)
def test_the_chance_to_win_is_what_the_side_can_see_of_it(name: str) -> None:
    game = some_way_in(name, 80)
    title = game.title
    chances = {side: outlook(Seat(game, side)) for side in title.sides}
    assert all(0 < each < 1 for each in chances.values())
    for side, chance in chances.items():
        other = game.resample(side, "elsewhere")
        assert outlook(Seat(other, side)) == pytest.approx(chance)
    know = knowledge(name)
    assert sum(know.outlook(game, side) for side in title.sides) == pytest.approx(1)
    game.outcome = Outcome(title.sides[1], "toy", "over", "1")
    assert [know.outlook(game, side) for side in title.sides] == [0, 1]


@pytest.mark.parametrize("name", TITLES)
def test_features_have_names_weights_and_a_chance(name: str) -> None:
    know = knowledge(name)
    assert isinstance(know, Fitted)
    game = some_way_in(name, 60).resample(sandtable.title(name).sides[0], "x")
    assert len(know.features(game)) == len(know.names)
    assert all(len(phase) == len(know.names) for phase in know.weights)
    chances = [know.judge(game, side) for side in game.title.sides]
    assert sum(chances) == pytest.approx(1)
    assert 0 <= know.phase(game) < len(know.weights)
    signs = [know.signs.get(each, 0) for each in know.names]
    assert all(
        sign * weight >= 0
        for phase in know.weights
        for sign, weight in zip(signs, phase, strict=True)
    )


@pytest.mark.parametrize("name", TITLES)
def test_what_is_good_for_a_side_is_told_whichever_way_it_goes(name: str) -> None:
    know = knowledge(name)
    assert isinstance(know, Fitted)
    assert set(know.words) == set(know.signs)
    for words in know.words.values():
        assert worded(words, rises=True) != worded(words, rises=False)


@pytest.mark.parametrize("name", TITLES)
def test_neither_standing_still_nor_time_is_a_merit(name: str) -> None:
    know = knowledge(name)
    assert isinstance(know, Fitted)
    before = some_way_in(name, 60)
    after: Any = before.copy()
    assert not any(know.merits(before, after, side) for side in before.title.sides)
    for hand in know.clock:
        if isinstance(now := getattr(after, hand), int):
            setattr(after, hand, now + 1)
    assert know.features(after) != know.features(before)
    assert not any(know.merits(before, after, side) for side in before.title.sides)


def test_a_merit_says_what_gets_better_for_whom() -> None:
    before: Any = some_way_in("battleaxe", 60)
    after = before.copy()
    for unit in after.units_in(AXIS, after.data.tobruk):
        after.place(unit, ELIMINATED)
    know = knowledge("battleaxe")
    assert "weaker Axis infantry and guns" in know.merits(before, after, "allied")
    assert not know.merits(before, after, "axis")
    assert "stronger Axis infantry and guns" in know.merits(after, before, "axis")


@pytest.mark.parametrize("name", TITLES)
def test_an_officer_plays_legally_from_the_set_up_on(name: str) -> None:
    title = sandtable.title(name)
    game = title.start(seed="legal")
    players = {side: player("officer", f"legal|{side}") for side in title.sides}
    for _ in range(60):
        if game.outcome:
            break
        side = game.actor
        assert side is not None
        choice = players[side].choose(Seat(game, side))
        assert game.why_not(choice.action) is None
        assert choice.reason.endswith(".")
        game.play(choice.action)


class Brisk(General):
    """A general with few tries."""

    def effort(self, know: Knowledge, side: str) -> Effort:
        return replace(super().effort(know, side), plans=3, worlds=2, rounds=1)


MINDS: tuple[Callable[[str], Player], ...] = (Recruit, Officer)

hidden = pytest.mark.parametrize(
    ("name", "scenario", "side", "decisions"),
    [
        ("cauldron", "campaign", "allied", (162, 205, 333)),
        ("cauldron", "campaign", "axis", (307, 313)),
        ("gallop", "nonhistorical", "axis", (25, 29, 33)),
        ("theseus", "campaign", "axis", (0, 28, 70)),
        ("theseus", "campaign", "commonwealth", (82, 116, 192)),
    ],
)
"""Who cannot see what: chits in cup and hand, a set-up face down, units in another's fog."""


def alike(minds: Iterable[Callable[[str], Player]], side: str, games: Iterable[Game]) -> bool:
    """Whether what players answer, and say of it, hangs on nothing that their side cannot see."""
    for game in games:
        assert game.actor == side and len(game.actions()) > 1
        worlds = [game, *(game.resample(side, str(n)) for n in range(3))]
        differing = {world.digest(): world for world in worlds}
        assert len(differing) > 1
        for mind in minds:
            seats = (Seat(world, side, listened=True) for world in differing.values())
            if len({mind("luck").choose(seat) for seat in seats}) > 1:
                return False
    return True


@hidden
def test_opponents_answer_and_speak_the_same_whatever_is_hidden(
    name: str, scenario: str, side: str, decisions: Sequence[int]
) -> None:
    assert alike(MINDS, side, moments(name, scenario, decisions))


@hidden
def test_an_opponent_who_peeked_would_be_caught(
    name: str,
    scenario: str,
    side: str,
    decisions: Sequence[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = list(moments(name, scenario, decisions))
    monkeypatch.setattr(Seat, "sample", lambda seat, seed: seat._game.copy())
    assert not alike(MINDS, side, games)


@pytest.mark.heavy
@hidden
def test_a_general_answers_and_speaks_the_same_whatever_is_hidden(
    name: str, scenario: str, side: str, decisions: Sequence[int]
) -> None:
    assert alike((Brisk,), side, moments(name, scenario, decisions))


def test_nothing_is_hidden_in_battleaxe() -> None:
    """So its opponents have nothing to peek at."""
    assert knowledge("battleaxe").open
    for decisions in (30, 75):
        game = some_way_in("battleaxe", decisions)
        for side in game.title.sides:
            assert game.resample(side, "other").digest() == game.digest()


@pytest.mark.parametrize("name", TITLES)
def test_something_is_always_tempting(name: str) -> None:
    know = knowledge(name)
    for decisions in (1, 20, 40):
        game = some_way_in(name, decisions)
        if game.outcome is None:
            tempting = know.priors(game, game.actions())
            assert len(tempting) == len(game.actions())
            assert max(tempting) > NEVER or len(game.actions()) == 1


def test_a_fit_finds_the_weights_that_made_the_games() -> None:
    true = [2.0, -1.0, 0.0]
    games = []
    for n in range(400):
        features = [((n * 37) % 101) / 50 - 1, ((n * 53) % 97) / 48 - 1, 1.0]
        chance = logistic(sum(w * x for w, x in zip(true, features, strict=True)))
        games.append(([(0, features)] * 4, float((n * 29 % 89) / 89 < chance)))
    (found,) = fit(games, [1, -1, 0], [[0.0] * 3])
    assert found[0] == pytest.approx(2.0, abs=0.6)
    assert found[1] == pytest.approx(-1.0, abs=0.6)
    assert loss(games, [found]) < loss(games, [[0.0, 0.0, 0.0]])


def test_one_sided_games_move_a_weight_only_so_far_from_where_it_set_out() -> None:
    """Five games won of five, with many rows each, say little more than with one row each."""
    for rows in (1, 60):
        games = [([(0, [1.0])] * rows, 1.0)] * 5
        ((found,),) = fit(games, [0], [[0.0]], against=5)
        assert 1 < found < 2


def test_a_fit_is_drawn_to_weights_set_by_hand_that_are_as_sure_as_games_are() -> None:
    """Nine games of ten are won where the first feature is 1, one of ten where it is -1."""
    games = [([(0, [each, 0.0, 1.0])], float((n < 9) == (each > 0))) for n in range(10)
             for each in (1.0, -1.0)] * 20  # fmt: skip
    hand = [20.0, 10.0, 5.0]
    ((first, second, shift),) = borne_out(games, [hand])
    assert first == pytest.approx(2.2, abs=0.3)
    assert second == pytest.approx(first / 2)
    assert abs(shift) < 0.5
    (found,) = fit(games, [0, 0, 0], [[first, second, shift]], against=40)
    assert found == pytest.approx([2.2, second, 0.0], abs=0.3), "games say nothing of the second"
    # A phase that no game has stays as it was set.
    assert borne_out(games, [hand, hand])[1] == hand


def test_games_are_foretold_from_the_others_alone() -> None:
    games = [([(0, [1.0])], float(n < 5)) for n in range(10)]

    def learn(others: Sequence[Fit]) -> list[list[float]]:
        assert len(others) == 8
        return fit(others, [0], [[0.0]])

    assert foretold(games, learn) == pytest.approx(0.693, abs=0.01)


def test_a_fit_keeps_the_signs_that_meaning_fixes() -> None:
    games = [([(0, [1.0])], 0.0), ([(0, [-1.0])], 1.0)] * 20
    assert fit(games, [1], [[0.0]]) == [[0.0]]


def test_weights_are_written_as_they_are_read() -> None:
    import msgspec

    text = weights_text('with "quotes"', ["a", "b"], [[1.0, -2.5]])
    found = msgspec.toml.decode(text, type=WeightsFile)
    assert found.recipe == 'with "quotes"'
    assert found.phase == ({"a": 1.0, "b": -2.5},)


def test_an_automatic_victory_is_a_victory_whatever_its_points() -> None:
    won = Outcome("axis", "automatic", "", "10.3", (ScoreLine("Tobruk", 1, "10.3"),))
    assert share(won, "axis", ("axis", 10)) == 1
    assert share(replace(won, level="minor"), "axis", ("axis", 10)) < 0.5
