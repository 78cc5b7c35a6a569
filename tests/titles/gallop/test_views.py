"""V.B, XIV.B.6 Fog: what a side may see, and samples that agree with it."""

from __future__ import annotations

import random

import msgspec
import pytest

from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.state import Game
from tests.titles.gallop.tables import TITLE, outcome, piece, play, position, texts, where


def same_to(game: Game, other: Game, side: str) -> None:
    """Two games look the same to a side: view, prompt, actions."""
    encode = msgspec.json.Encoder(order="deterministic").encode
    assert encode(game.view(side)) == encode(other.view(side))
    assert game.actor == other.actor and game.prompt == other.prompt and game.rule == other.rule
    if game.actor == side:
        assert set(map(game.text, game.actions())) == set(map(other.text, other.actions()))


def random_play(game: Game, seed: int, steps: int) -> None:
    """Play random legal actions."""
    rng = random.Random(seed)
    for _ in range(steps):
        if game.outcome:
            return
        legal = game.actions()
        game.play(legal[rng.randrange(len(legal))])


@pytest.mark.parametrize("seed", range(4))
def test_V_B_samples_look_the_same_to_the_axis_all_game_long(seed: int) -> None:
    game = TITLE.start("nonhistorical", seed=str(seed))
    assert isinstance(game, Game)
    for turn in range(40):
        random_play(game, 100 * seed + turn, 11)
        if game.outcome:
            break
        sample = game.resample("axis", f"s{turn}")
        sample.check()
        same_to(game, sample, "axis")
        own = game.resample("allied", f"s{turn}")
        assert own.pieces == game.pieces


def test_V_B_a_sample_follows_from_what_is_seen_alone() -> None:
    """Wherever the face-down counters really lie, the same luck deals them alike."""
    game = TITLE.start("nonhistorical", seed="deal")
    assert isinstance(game, Game)
    for turn in range(15):
        random_play(game, turn, 8)
        worlds = [game, game.resample("axis", "one"), game.resample("axis", "two")]
        assert len({world.resample("axis", "luck").digest() for world in worlds}) == 1


def test_V_B_samples_differ_in_what_is_hidden() -> None:
    game = TITLE.start("nonhistorical", seed="x")
    assert isinstance(game, Game)
    while any(step.__class__.__name__ == "SetUp" and step.side == "allied" for step in game.stack):
        random_play(game, game.clock, 1)
    places = {where(game.resample("axis", str(n)), "4Arm") for n in range(20)}
    assert len(places) > 3


def test_V_B_the_axis_sees_counters_but_not_which() -> None:
    units = "15Pz C2, 4Arm N16 asleep down, 7Mot M12 asleep down, Dummy1 M12 down, 1Tank J15"
    game = position(units, scenario="nonhistorical")
    shown = {p.id: p.space for p in game.view("axis").pieces if p.side == "allied" and p.space}
    assert sorted(shown) == ["1Tank", "?1", "?2", "?3"]
    assert sorted(hex or "" for name, hex in shown.items() if name[0] == "?") == [
        "M12",
        "M12",
        "N16",
    ]
    text = msgspec.json.encode(game.view("axis")).decode()
    assert "4Arm" not in text and "Dummy" not in text
    text = msgspec.json.encode(game.view(None)).decode()
    assert "4Arm" not in text
    assert "4Arm" in msgspec.json.encode(game.view("allied")).decode()


def counters_seen(game: Game, side: str | None) -> list[str]:
    """The hexes of the face-down counters in a view; who sees none of them sees no zones."""
    view = game.view(side)
    found = [p.space or "" for p in view.pieces if p.id.startswith("?")]
    assert found or not view.overlays
    return found


def test_V_B_nobody_looks_on_while_the_allies_set_up() -> None:
    """V.B, ruling R65 Dummies are placed last: the order of counters would tell where they are."""
    game = TITLE.start("nonhistorical", seed="order")
    assert isinstance(game, Game)
    names = [n for n in map(game.name, game.facts.of_side["allied"]) if n != "1Arm"]
    spots = [f"{row}{number}" for row in "JIHGFE" for number in range(8, 14)]
    todo = [f"place {n} {s}" for n, s in zip(names, spots, strict=False)]
    for text in (*todo, "place Dummy1 J8"):
        assert not [event for event in play(game, text) if event.only is None]
        assert not counters_seen(game, "axis") and not counters_seen(game, None)
    told = play(game, "place Dummy2 J9")
    public = [event.hex for event in told if isinstance(event, ev.PlacedFaceDown)]
    assert len(public) == 21 and public == sorted(public)
    assert len(counters_seen(game, "axis")) == 21


def test_XIV_B_6_nobody_looks_on_while_the_garrison_is_posted() -> None:
    """XIV.B.6, ruling R43 The garrison is posted in a known order, dummies last."""
    game = position("15Pz D11, 2SA C13, 11Ind D13, 4AA C13", "siege")
    play(game, "redeploy")
    for text in ("post 2SA D12", "post 11Ind C12", "post 4AA D12", "post Dummy1 C13"):
        assert not counters_seen(game, "axis") and not counters_seen(game, None)
        assert game.view("allied").overlays
        play(game, text)
    play(game, "post Dummy2 D13")
    assert counters_seen(game, "axis") == ["C12", "C13", "D12", "D12", "D13"]


def test_XIV_B_6_nobody_is_told_how_many_counters_of_a_hidden_garrison_are_units() -> None:
    """V.B, XIV.B.6, ruling R43 Dummies that lie there already stay, and are not counted out."""
    others = "7Mot L10 asleep down, Dummy2 L10 down, 15Pz D11"
    for seen in ("2SA C13 asleep down", "2SA C13"):
        prompts = set()
        for unseen in ("5Ind C13 asleep down", "Dummy1 C13 down"):
            game = position(f"{seen}, {unseen}, {others}", "siege", scenario="nonhistorical")
            play(game, "redeploy")
            prompts.add(game.prompt)
        assert len(prompts) == 1


def test_R39_a_dummy_looks_and_acts_like_a_unit_until_turned_up() -> None:
    """V.B Moves beside a dummy tell nothing."""
    real = position("15Pz M9, 7Mot L10 asleep down, 1Tank N16", scenario="nonhistorical")
    fake = position(
        "15Pz M9, Dummy1 L10 down, 7Mot L14 asleep down, 1Tank N16", scenario="nonhistorical"
    )
    assert texts(real, "move 15Pz L9") == texts(fake, "move 15Pz L9")
    assert "move 15Pz L10" not in texts(fake)


def test_XIV_B_6_a_turned_garrison_is_shuffled_within_the_fortress() -> None:
    game = position("2SA D12 turned, 11Ind C12 turned, Dummy1 D13 turned, 15Pz E13, 4Arm N16")
    seen = set()
    for n in range(20):
        sample = game.resample("axis", str(n))
        same_to(game, sample, "axis")
        seen.add(where(sample, "2SA"))
    assert seen == {"D12", "C12", "D13"}


def test_views_carry_reach_supply_and_zones() -> None:
    game = position("15Pz H4, 150 H6, 1FF K7")
    view = game.view("axis")
    assert view.reach["15Pz"]["I5"] == "1" and game.view("allied").reach == {}
    assert {o.id for o in view.overlays} == {
        "supply-axis",
        "supply-allied",
        "zoc-axis",
        "zoc-allied",
    }
    assert next(p for p in view.pieces if p.id == "15Pz").status == "reconstructed"
    assert any(m.kind == "box" and m.space == "K7" for m in view.markers)


def test_orders_are_seen_by_their_giver_only() -> None:
    game = position("15Pz H4, 150 H6")
    game.order("allied", "no-retreat", "always")
    assert game.view("allied").orders and not game.view("axis").orders
    assert piece(game, "15Pz").active


def test_odds_match_simulated_rolls() -> None:
    """XIV.C.2 The frequencies of samples come near the odds shown."""
    game = position("15Pz J14, 4Arm J15 asleep", "axis attacks", None)  # type: ignore[arg-type]
    game = TITLE.position(game.position_text(), seed="real")  # type: ignore[assignment]
    play(game, "attack J15", "join 15Pz 7", "resolve")
    odds = game.odds(game.parse("done"))
    assert odds is not None
    count = {chance.text: 0 for chance in odds.outcomes}
    runs = 1200
    for n in range(runs):
        sample = game.resample("axis", str(n))
        events = sample.play(sample.parse("done"))
        count[outcome(events)] += 1
    for chance in odds.outcomes:
        p = float(chance.probability)
        assert abs(count[chance.text] - runs * p) < 3.5 * (runs * p * (1 - p)) ** 0.5


def test_a_sample_can_be_told_its_outcome() -> None:
    game = position("15Pz J14, 4Arm J15 asleep", "axis attacks")
    play(game, "attack J15", "join 15Pz 7", "resolve")
    odds = game.odds(game.parse("done"))
    assert odds is not None
    for chance in odds.outcomes:
        sample = game.resample("axis", "x")
        events = sample.play(sample.parse("done"), outcome=chance)
        assert outcome(events) == chance.text
