"""13.0 Fog: cups and held chits are hidden; views carry supply, ZOC, reach and score."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.kernel.events import Rolled
from sandtable.titles.cauldron.chits import AT_ONCE
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import Game

from .helpers import DATA, active, on_map, play, position, uid

TWO_HANDS = '[axis]\nheld = [{}]\n[allied]\nheld = ["combat"]'


def game_with(held: str) -> Game:
    text = on_map(
        "5/1 1622",
        "5/2 1521",
        "10-Hus 1421",
        head='turn = "May 28"\nactivated = ["5/1", "5/2"]',
        tail=TWO_HANDS.format(held),
    )
    return position(text)


def test_13_0_two_hands_look_the_same_to_the_other_side() -> None:
    """13.0 Only the number of chits face down is seen."""
    one, two = game_with('"combat", "anti-tank"'), game_with('"extra-move", "replacement"')
    for side in (ALLIED, None):
        assert msgspec.json.encode(one.view(side)) == msgspec.json.encode(two.view(side))
    assert msgspec.json.encode(one.view(AXIS)) != msgspec.json.encode(two.view(AXIS))


def test_13_0_prompts_and_refusals_tell_the_other_side_nothing() -> None:
    one, two = game_with('"combat", "anti-tank"'), game_with('"extra-move", "replacement"')
    assert (one.prompt, one.rule, one.actor) == (two.prompt, two.rule, two.actor)


@pytest.mark.parametrize("side", [AXIS, ALLIED])
def test_13_0_resampling_keeps_what_the_side_knows(side: str) -> None:
    game = game_with('"combat", "anti-tank"')
    other = AXIS if side == ALLIED else ALLIED
    seen = set()
    for seed in range(40):
        sample = game.resample(side, str(seed))
        sample.check()
        assert sample.players[side] == game.players[side]
        mine, theirs = game.players[other], sample.players[other]
        assert sorted((*mine.cup, *mine.held)) == sorted((*theirs.cup, *theirs.held))
        assert len(mine.held) == len(theirs.held)
        assert all(DATA.chits[chit].tactical not in ("", *AT_ONCE) for chit in theirs.held)
        seen.add(theirs.held)
        assert msgspec.json.encode(sample.view(side)) == msgspec.json.encode(game.view(side))
    assert len(seen) > 1


def test_13_0_resampled_hands_are_as_likely_as_the_draw() -> None:
    """13.0 Every chit that can be kept is equally likely to lie face down."""
    game = game_with('"combat", "anti-tank"')
    counts = dict.fromkeys(("combat", "anti-tank", "extra-move", "replacement"), 0)
    samples = 600
    for seed in range(samples):
        for chit in game.resample(ALLIED, str(seed)).players[AXIS].held:
            counts[DATA.chits[chit].tactical] += 1
    # Two of six chits: combat 2, anti-tank 2, extra move 1, replacement 1.
    for name, copies in (("combat", 2), ("anti-tank", 2), ("extra-move", 1), ("replacement", 1)):
        expected = samples * 2 * copies / 6
        assert abs(counts[name] - expected) < 5 * expected**0.5, counts


def test_views_carry_reach_supply_zoc_and_score() -> None:
    game = active("5/1", "5/1 2018", "10-Hus 2010")
    view = game.view(AXIS)
    assert view.reach["5/1"]["2017"] == "1"
    assert "2018" not in view.reach["5/1"]
    assert not game.view(ALLIED).reach
    overlays = {each.id: each for each in view.overlays}
    assert "2009" in overlays["zoc-allied"].spaces
    assert "0106" in overlays["supply-axis"].spaces
    assert overlays["minefields"].lines
    assert [each.rule for each in view.score] == ["16.0", "16.0", "16.0"]


def test_views_show_values_of_the_side_that_is_up_and_every_state() -> None:
    game = active("5/1", "5/1 2018", "10-Hus 2010 used disrupted oos steps=1", "5-EY 0201")
    pieces = {each.id: each for each in game.view(None).pieces}
    hussars = pieces["10-Hus"]
    assert hussars.ratings == {"hard": "3", "soft": "2", "movement": "0"}
    assert hussars.states == ("reduced", "used", "disrupted", "out of supply")
    assert pieces["5-EY"].ratings["movement"] == "[6]"
    assert pieces["Marine"].space is None
    assert {each.status for each in pieces.values()} <= {"known", "reconstructed"}
    assert len(pieces) == 83


def test_views_show_breaches_and_fields() -> None:
    text = on_map(
        "65/1 1216",
        "5/1 1622",
        head='turn = "June 9-10"\nactivated = ["5/1"]',
        tail='[[breaches]]\nsides = [["1216", "1315"]]\nunit = "65/1"\n'
        '[[breaches]]\nsides = [["1217", "1316"]]',
    )
    view = position(text).view(None)
    kinds = {(each.kind, each.space, each.beside) for each in view.markers}
    assert ("breach-begun", "1216", "1315") in kinds
    assert ("breach", "1217", "1316") in kinds
    assert ("minefield", "1102", None) in kinds
    assert "breaching" in next(each for each in view.pieces if each.id == "65/1").states


def test_13_0_the_draw_is_a_fair_pick_from_the_cup() -> None:
    seen = []
    for seed in range(60):
        game = position(on_map("5/1 1622", head='turn = "May 28"\nphase = "initiative"'), 3, 5)
        game.dice = type(game.dice)(seed=str(seed))
        play(game, "first axis")
        seen.append(game.players[AXIS].played)
    assert len(set(seen)) > 3
    assert uid("5/1") == 0


def test_dice_name_their_unit_as_its_counter_does() -> None:
    roll = Rolled("air", (3,), "axis", "10-Hus", rule="13.4")
    assert game_with("").rolled_for(roll) == "the air attack on 10 Hus"


def test_one_chit_is_not_called_chits() -> None:
    game = game_with("")
    one = (DATA.action_chits[AXIS][0],)
    game.players = {**game.players, AXIS: replace(game.players[AXIS], cup=one)}
    assert {each.value for each in game.view(AXIS).tracks if each.id == "axis-cup"} == {"1 chit"}
