"""Tactics of The Cauldron that a wargamer would recognise."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.titles.cauldron.helpers import DATA, active, on_map, play, position

from sandtable.kernel.actions import UnitId
from sandtable.players.knowledge.cauldron import KNOWLEDGE, fight
from sandtable.players.knowledge.cauldron_reading import driven_out, time_left, to_come
from sandtable.titles.cauldron.battle import open_battle
from sandtable.titles.cauldron.printed import ALLIED, AXIS


def test_the_points_of_2803_count_for_every_turn_to_come() -> None:
    """16.0 The Axis in it is dear to the Allies, and an Allied unit in it bars the way."""
    taken, free, barred = (
        active("5/1", "5/1 2803", "10-Hus 2404"),
        active("5/1", "5/1 2801", "10-Hus 2404"),
        active("5/1", "5/1 2801", "10-Hus 2803"),
    )
    assert to_come(taken) > to_come(free) > to_come(barred)
    assert KNOWLEDGE.judge(taken, ALLIED) < KNOWLEDGE.judge(barred, ALLIED)
    assert KNOWLEDGE.judge(taken, ALLIED) + KNOWLEDGE.judge(taken, AXIS) == 1


def test_generals_judge_by_the_points_still_to_come_and_officers_do_not() -> None:
    taken, free = active("5/1", "5/1 2803", "10-Hus 2404"), active("5/1", "5/1 2801", "10-Hus 2404")
    names, general = KNOWLEDGE.names, KNOWLEDGE.keener
    assert general is not None
    for game in (taken, free):
        found = dict(zip(names, KNOWLEDGE.features(game), strict=True))
        assert found["to_come"] == pytest.approx(to_come(game) / (0.6 + 0.5 * time_left(game)))
        for judged, weights in (
            (KNOWLEDGE.value, KNOWLEDGE.plain),
            (general.judge, general.weights),
        ):
            assert judged(game, AXIS) == KNOWLEDGE.chance(game, AXIS, weights)
    assert KNOWLEDGE.weighs(AXIS) == KNOWLEDGE.plain != general.weights == general.weighs(AXIS)
    come, officers = names.index("to_come"), KNOWLEDGE.plain
    assert all(phase[come] < 0 for phase in general.weights) and not any(p[come] for p in officers)


def test_attacks_at_hand_count_for_less_without_an_action() -> None:
    ready = active("10-Hus", "3-Rec 2404", "10-Hus 2405")
    waiting = ready.copy()
    waiting.players[ALLIED] = replace(ready.players[ALLIED], actions=0)
    blows, chance = (KNOWLEDGE.names.index(each) for each in ("allied_blows", "allied_chances"))
    now, later = KNOWLEDGE.features(ready), KNOWLEDGE.features(waiting)
    sure = [1 / (0.6 + 0.5 * time_left(game)) for game in (ready, waiting)]
    assert now[blows] > 0
    assert now[blows] == pytest.approx(4 * now[chance] * sure[0])
    assert later[blows] == pytest.approx(0.4 * 4 * later[chance] * sure[1])


def test_who_spends_an_action_does_not_claim_a_better_score() -> None:
    """The fewer actions are left, the more a point decides; nobody won one by that."""
    before = active("5/1", "5/1 2803", "10-Hus 2404")
    after = before.copy()
    for side in (ALLIED, AXIS):
        after.players[side] = replace(before.players[side], actions=0)
    for know in (KNOWLEDGE, KNOWLEDGE.keener):
        assert know is not None
        assert not know.merits(before, after, ALLIED) and not know.merits(before, after, AXIS)


def test_driving_the_enemy_out_of_2803_is_worth_more_than_out_of_a_desert_hex() -> None:
    def worth(target: str, beside: str) -> float:
        game = active("10-Hus", f"5/1 {target}", f"10-Hus {beside}")
        return fight(game, open_battle(game, UnitId(DATA.unit_index["10-Hus"]), "heavy"))

    assert worth("2803", "2804") > worth("2404", "2405") + 0.1


def test_better_odds_drive_out_more_often() -> None:
    shares = [driven_out(DATA, column, 0) for column in range(len(DATA.columns))]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1] <= 1


def test_an_exchange_in_a_hex_that_counts_abandons_nothing() -> None:
    """11.0 Who dies there with his enemy has fought for it; who walks away has not."""
    before = active("10-Hus", "5/1 2704", "10-Hus 2705")
    lost = before.copy()
    for unit in ("10-Hus", "5/1"):
        lost.eliminate(UnitId(DATA.unit_index[unit]), "11.0")
    assert not list(KNOWLEDGE.follies(before, lost, ALLIED))
    before = active("10-Hus", "5/1 1509", "10-Hus 2705")
    left = before.copy()
    left.change(UnitId(DATA.unit_index["10-Hus"]), at=left.facts.board.at("2708"))
    assert list(KNOWLEDGE.follies(before, left, ALLIED)) == [
        "abandons a hex that counts and nobody threatens"
    ]


def test_a_fight_excuses_who_fought_and_nobody_else() -> None:
    """10th Hussars leave 2705 for nothing, whatever becomes of a unit elsewhere."""
    before = active("10-Hus", "5/1 1509", "10-Hus 2705", "9-Lan 1612")
    left = before.copy()
    hussars, lancers = (UnitId(DATA.unit_index[name]) for name in ("10-Hus", "9-Lan"))
    left.change(hussars, at=left.facts.board.at("2708"))
    left.change(lancers, disrupted=True)
    folly = ["abandons a hex that counts and nobody threatens"]
    assert list(KNOWLEDGE.follies(before, left, ALLIED)) == folly
    left.change(hussars, disrupted=True)
    assert not list(KNOWLEDGE.follies(before, left, ALLIED))
    # Who went to fight beside the enemy that is hurt now had a reason.
    left.change(hussars, disrupted=False, at=left.facts.board.at("1609"))
    assert list(KNOWLEDGE.follies(before, left, ALLIED)) == folly
    left.change(UnitId(DATA.unit_index["5/1"]), disrupted=True)
    assert not list(KNOWLEDGE.follies(before, left, ALLIED))


def test_nobody_crowds_a_hex_where_units_would_be_lost() -> None:
    """10.0 More than two in a hex are lost when the phase ends."""
    head = 'turn = "May 28"\nphase = "actions"\nside = "axis"\nactivated = ["5/1", "5/2"]'
    game = position(on_map("5/1 1622", "5/2 1521", "8/1 1521", "10-Hus 2801", head=head))
    play(game, "select 5/1")
    crowd = game.parse("move 5/1 1521")
    assert not list(KNOWLEDGE.blunders(game, crowd)), "5/2 may still make room"
    assert max(KNOWLEDGE.priors(game, [crowd])) < -2
    play(game, "move 5/1 1521", "done 5/1")
    assert list(KNOWLEDGE.blunders(game, game.parse("end")))
    head = head.replace('"5/1", "5/2"', '"5/1"')
    late = position(on_map("5/1 1622", "8/2 1521", "8/1 1521", "10-Hus 2801", head=head))
    play(late, "select 5/1")
    assert list(KNOWLEDGE.blunders(late, late.parse("move 5/1 1521")))


def test_a_unit_that_has_marched_does_not_march_on() -> None:
    game = active("5/1", "5/1 1622", "10-Hus 2801")
    there, on = game.parse("move 5/1 1621"), game.parse("move 5/1 1720")
    fresh = KNOWLEDGE.priors(game, [on])[0]
    play(game, game.text(there))
    assert KNOWLEDGE.priors(game, [on])[0] < min(fresh, 0) - 1


def test_who_joins_an_attack_makes_it_better() -> None:
    """A joining unit shares the losses, so nobody joins at the highest odds."""
    game = active("5/1", "5/1 1622", "5/2 1622", "8/1 1521", "8/2 1521", "11-Cav 1621")
    play(game, "attack 5/1 light")
    assert KNOWLEDGE.priors(game, [game.parse("join 5/2")])[0] > 1
    play(game, "join 5/2", "join 8/1")
    assert "9-1" in game.prompt
    assert KNOWLEDGE.priors(game, [game.parse("join 8/2")])[0] < 0
