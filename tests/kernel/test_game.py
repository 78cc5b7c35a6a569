"""Steps, orders, refusals, samples and the codec, on the toy title."""

from __future__ import annotations

import pytest

import sandtable
from sandtable.kernel import codec
from sandtable.kernel.errors import BadMessage, Refused, ScriptEnded
from sandtable.kernel.events import Rolled
from sandtable.kernel.game import Game

TOY = sandtable.title("toy")


def facing() -> Game:
    """A duel in which red R2 stands beside blue B1."""
    game = TOY.start("duel", {"deal": "shields"}, "facing", scripted=[6, 6, 6, 6])
    for text in ("move R2 c", "pass"):
        game.play(game.parse(text))
    return game


def test_actions_can_be_counted_iterated_and_tested() -> None:
    game = TOY.start(seed="1")
    actions = game.actions()
    assert len(actions) == 6
    assert game.parse("move R1 b") in actions
    assert game.parse("move R1 e") not in actions
    texts = [game.text(each) for each in actions]
    assert texts == ["pass", "aim R1", "aim R2", "move R1 b", "move R2 a", "move R2 c"]


def test_what_is_not_listed_is_refused_with_its_rule_and_changes_nothing() -> None:
    game = TOY.start(seed="1")
    before = codec.dump(game)
    with pytest.raises(Refused) as caught:
        game.play(game.parse("move B1 c"))
    assert caught.value.refusal.rule == "2.2"
    assert codec.dump(game) == before


def test_an_interrupt_asks_the_other_side_and_then_the_attack_goes_on() -> None:
    game = facing()
    assert not game.play(game.parse("attack R2 B1"))
    assert (game.actor, game.rule) == ("blue", "3.2")
    events = game.play(game.parse("card no"))
    assert [type(event).__name__ for event in events] == ["Rolled", "Killed"]
    assert isinstance(events[0], Rolled)
    assert events[0].outcome == "hit"
    assert game.outcome and game.outcome.winner == "red"
    assert game.actor is None and not game.actions()


def test_a_choice_with_one_answer_is_played_by_the_engine() -> None:
    game = facing()
    game.play(game.parse("attack R2 B1"))
    game.play(game.parse("card yes"))  # the shield holds, and is spent
    assert game.actor == "blue"
    game.play(game.parse("pass"))
    events = game.play(game.parse("attack R2 B1"))
    assert game.outcome, events


def test_a_standing_order_answers_until_it_is_withdrawn() -> None:
    game = facing()
    game.order("blue", "card", "never")
    assert game.orders == {"blue card": "never"}
    game.play(game.parse("attack R2 B1"))
    assert game.outcome and game.outcome.level == "rout"
    game = facing()
    game.order("blue", "card", "never")
    game.order("blue", "card", "ask")
    game.play(game.parse("attack R2 B1"))
    assert game.actor == "blue"


def test_an_order_given_at_the_question_answers_it() -> None:
    game = facing()
    game.play(game.parse("attack R2 B1"))
    game.order("blue", "card", "never")
    assert game.outcome


@pytest.mark.parametrize(
    ("order", "match"),
    [
        (("green", "card", "never"), "no side"),
        (("red", "nap", "never"), "no interrupt"),
        (("red", "card", "maybe"), "cannot be set"),
    ],
)
def test_bad_orders_are_refused(order: tuple[str, str, str], match: str) -> None:
    game = facing()
    with pytest.raises(BadMessage, match=match):
        game.order(*order)


def test_an_order_that_needs_dice_nobody_gave_changes_nothing() -> None:
    game = TOY.start("duel", {"deal": "shields"}, "1", scripted=[])
    for text in ("move R2 c", "pass", "attack R2 B1"):
        game.play(game.parse(text))
    before = codec.dump(game)
    with pytest.raises(ScriptEnded):
        game.order("blue", "card", "never")
    assert codec.dump(game) == before


@pytest.mark.parametrize("face", [0, 7])
def test_a_face_that_is_not_on_the_die_changes_nothing(face: int) -> None:
    game = TOY.start("duel", {"deal": "shields"}, "1", scripted=[face])
    for text in ("move R2 c", "pass", "attack R2 B1"):
        game.play(game.parse(text))
    before = codec.dump(game)
    with pytest.raises(BadMessage, match="does not fit"):
        game.play(game.parse("card no"))
    assert codec.dump(game) == before
    assert game.actor == "blue"


def test_outcomes_are_chosen_on_samples_only() -> None:
    game = facing()
    game.play(game.parse("attack R2 B1"))
    game.play(game.parse("card yes"))
    game.play(game.parse("pass"))
    attack = game.parse("attack R2 B1")
    odds = game.odds(attack)
    assert odds is not None and odds.assumes == ()
    with pytest.raises(BadMessage, match="resample"):
        game.play(attack, outcome=odds.outcomes[0])
    for chance, over in zip(odds.outcomes, (True, False), strict=True):
        sample = game.resample("red", "s")
        sample.play(attack, outcome=chance)
        assert bool(sample.outcome) is over


def test_a_sample_deals_hidden_cards_anew_and_forgets_the_enemys_orders() -> None:
    game = TOY.start(seed="1")
    game.order("blue", "card", "never")
    game.order("red", "card", "never")
    cards = {codec.state(game.resample("red", str(n)))["cards"]["blue"] for n in range(20)}
    own = {codec.state(game.resample("red", str(n)))["cards"]["red"] for n in range(20)}
    assert cards == {"shield", "feint"}
    assert len(own) == 1
    assert game.resample("red", "1").orders == {"red card": "never"}


def test_luck_after_a_sample_is_not_the_luck_that_dealt_it() -> None:
    game = TOY.start(seed="1")
    dealt, drawn = [], []
    for n in range(40):
        sample = game.resample("red", str(n))
        dealt.append(codec.state(sample)["cards"]["blue"] == "shield")
        drawn.append(sample.draw("deal", (2,), "blue")[0] == 1)
    assert dealt != drawn


def test_a_state_without_sense_is_refused() -> None:
    with pytest.raises(BadMessage, match="not a state of toy"):
        TOY.load(b"{}")


def test_the_digest_says_nothing_of_the_seed() -> None:
    games = [TOY.start(options={"deal": "shields"}, seed=seed) for seed in ("1", "2")]
    assert games[0].digest() == games[1].digest()
    games[0].play(games[0].parse("pass"))
    assert games[0].digest() != games[1].digest()
