"""4, 5.2, 6 The turn: initiative, activation, independents, reaction and SNAFU."""

from __future__ import annotations

import pytest

from sandtable.kernel.events import Rolled
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import Strike
from sandtable.titles.theseus.activation import action_points
from sandtable.titles.theseus.choices import Escalation
from sandtable.titles.theseus.sequence import won
from sandtable.titles.theseus.strength import new_battle
from tests.titles.theseus.tables import (
    QUIET,
    TITLE,
    acting,
    disrupted,
    give,
    ids,
    level,
    play,
    position,
    refused,
    strength,
    texts,
    where,
)

FIELD = "I/5 3018, 21Pz.HQ 2920, 7.Mot 3318, 7Armd.HQ 3417, Kst.Kiehl 2524"
OPS = {"phase": "operations"}


def test_4_every_scenario_starts_with_operations_and_the_axis() -> None:
    """6.1, 10"""
    game = TITLE.start("campaign", seed="x")
    assert game.actor == "axis" and "Schwerpunkt" in game.prompt
    play(game, "schwerpunkt 21Pz", "done")  # type: ignore[arg-type]
    assert game.actor == "axis" and game.rule == "6.2"
    assert game.turn == 1  # type: ignore[attr-defined]
    assert (game.drm, game.drm_side) == (1, 1)  # type: ignore[attr-defined]


def test_6_1_initiative_marker_and_ties() -> None:
    game = position(FIELD, point=OPS, dice=[5, 5])
    assert game.actor == "axis"
    assert (game.drm, game.drm_side) == (1, 1)
    game = position(
        FIELD, point=OPS, dice=[5, 4], initiative_space=1, initiative_side="commonwealth"
    )
    assert game.actor == "commonwealth"
    assert (game.drm, game.drm_side) == (1, 0)
    game = position(
        FIELD, point=OPS, dice=[9, 2], initiative_space=2, initiative_side="commonwealth"
    )
    assert game.actor == "axis"
    assert (game.drm, game.drm_side) == (3, 1)
    assert game.data.tables.initiative.track[3] == 6
    for _ in range(9):
        won(game, 0)
    assert game.drm == 5


def test_6_1_the_totals_told_are_those_that_won() -> None:
    """The marker that the loser gets counts from the next roll on."""
    game = TITLE.start("campaign", seed="totals")
    told: list[ev.InitiativeWon] = []
    for turn in range(400):
        actions = game.actions()
        events = game.play(actions[turn * 7 % len(actions)])
        told += [each for each in events if isinstance(each, ev.InitiativeWon)]
    assert len(told) > 10
    assert all((each.axis >= each.commonwealth) == (each.side == "axis") for each in told)


def test_10_the_axis_adds_three_on_turn_one() -> None:
    game = position(FIELD, point=OPS, turn=1, dice=[3, 6])
    assert game.actor == "axis"
    game = position(FIELD, point=OPS, turn=2, dice=[3, 6])
    assert game.actor == "commonwealth"


def test_6_2_act_transfer_or_pass() -> None:
    game = position(FIELD)
    assert texts(game) == {"activate 21Pz", "activate-unit Kst.Kiehl", "transfer", "pass"}
    play(game, "transfer")
    assert game.actor == "commonwealth"
    assert texts(game) == {"activate 7Armd", "pass"}
    assert refused(game, "transfer").rule == "6.2"
    assert refused(game, "activate 21Pz").rule == "6.3"
    play(game, "pass")
    # The other side goes on alone, without a roll and without giving the initiative back.
    assert game.actor == "axis"
    assert "transfer" not in texts(game)


def test_6_both_passing_ends_the_phase() -> None:
    """8"""
    game = position(FIELD, turn=8)
    play(game, "pass", "pass")
    assert game.outcome is not None


def test_6_3_1_action_points_by_level_and_die() -> None:
    """5.9"""
    game = position(FIELD, levels={"21Pz": 6}, dice=[5], schwerpunkt="21Pz")
    play(game, "activate 21Pz")
    assert game.ap[0] == 6 and level(game, "21Pz") == 5
    formation = game.data.formation("21Pz")
    for marker, row in enumerate(game.data.action_points):
        if not marker:
            continue
        game.levels[formation] = marker
        black = [action_points(game, formation, face, False) - 1 for face in range(1, 11)]
        red = [action_points(game, formation, face, True) - 1 for face in range(1, 11)]
        assert tuple(black) == row
        assert red == [-(-each // 2) for each in black]


def test_6_3_1_level_two_patterned_is_an_option() -> None:
    game = position(FIELD, options={"level_2_patterned": True}, levels={"21Pz": 2})
    formation = game.data.formation("21Pz")
    assert [action_points(game, formation, face, False) for face in (2, 3, 4, 5)] == [2, 2, 2, 2]
    plain = position(FIELD, levels={"21Pz": 2})
    assert action_points(plain, formation, 4, False) == 1


def test_6_3_2_level_zero_cannot_be_activated() -> None:
    """6.3"""
    game = position(FIELD, levels={"21Pz": 0})
    assert refused(game, "activate 21Pz").rule == "6.3.2"
    assert refused(game, "activate Ariete").rule == "6.3"


def test_6_3_3_emergency_supply_first_and_level_zero_after() -> None:
    """5.7.5, 5.7.1"""
    units = "I/5 3018, 21Pz.HQ 3120, 7.Mot 3118, 7Armd.HQ 3417"
    game = position(units, dice=[5])
    hq = ids(game, "21Pz.HQ")[0]
    assert not game.situation.in_supply(game, hq)
    play(game, "activate 21Pz")
    assert game.pieces[hq].spent and not game.pieces[hq].low
    assert level(game, "21Pz") == 6
    again = position(units.replace("21Pz.HQ 3120", "21Pz.HQ 3120 spent"), dice=[5])
    play(again, "activate 21Pz")
    assert again.pieces[hq].low and level(again, "21Pz") == 0
    assert again.ap[0] == 5
    assert again.unsupplied(ids(again, "I/5")[0])


def test_6_3_4_points_are_spent_and_the_rest_is_lost() -> None:
    """7.2, 7"""
    game = acting("21Pz", FIELD, ap=3)
    play(game, "move I/5", "halt")
    assert game.ap[0] == 2
    give(game, 5, 5)
    play(game, "end")
    assert game.ap[0] == 0


def test_6_4_independents_act_three_times_without_points() -> None:
    game = position(FIELD)
    assert refused(game, "activate-unit I/5").rule == "6.4"
    for marker in ("ACT-1", "ACT-2", "NO-ACT"):
        give(game, 9, 1)  # the next initiative
        told = play(game, "activate-unit Kst.Kiehl", "move Kst.Kiehl", "halt")
        marked = next(event for event in told if isinstance(event, ev.UnitActivated))
        assert game.sentence(marked).endswith(f"marked {marker}.")
        assert game.ap == (0, 0) and game.actor == "axis"
    assert "activate-unit Kst.Kiehl" not in texts(game)
    assert refused(game, "activate-unit Kst.Kiehl").rule == "6.4"


def test_6_4_only_white_stripes_act_alone() -> None:
    """Ruling R9."""
    game = position("18.Flak 3018, KG.Hecker 3018 of:21Pz, 21Pz.HQ 2920, 7.Mot 3424")
    for unit in ("18.Flak", "KG.Hecker", "21Pz.HQ"):
        assert refused(game, f"activate-unit {unit}").rule == "6.4"


def test_6_4_independents_attack_only_hastily() -> None:
    """7.5.1.C"""
    game = position("Kst.Kiehl 3018, 50Div.69 3118, 50Div.HQ 3417, 21Pz.HQ 2024, I/5 2024")
    play(game, "activate-unit Kst.Kiehl")
    assert "attack 3018 3118" in texts(game)
    unit = ids(game, "Kst.Kiehl")
    made = new_battle(game, 0, unit, game.data.hex("3018"), game.data.hex("3118"))
    escalation = Escalation(made)
    assert [game.text(action) for action in escalation.actions(game)] == ["strike hasty"]
    for kind in ("regular", "prepared"):
        refusal = escalation.refusal(game, Strike(kind))
        assert refusal is not None and refusal.rule == "6.4"
    give(game, 1, 1, 1, 1, 1, 5, 5, 5)
    told = play(game, "attack 3018 3118", "air 0")
    assert any(isinstance(event, ev.CombatResolved) for event in told)


def test_5_2_snafu_forces_a_real_reroll_once() -> None:
    game = position(FIELD, orders={}, snafu="commonwealth", dice=[10])
    play(game, "activate 21Pz")
    assert game.actor == "commonwealth"
    assert "rolled 10 for action points (7 AP)" in game.prompt
    assert texts(game) == {"keep", "reroll"}
    give(game, 1)
    play(game, "reroll")
    assert game.snafu == 0
    assert game.actor == "axis" and game.ap[0] == 1


def test_5_2_standing_orders_answer_for_the_holder() -> None:
    orders = {"commonwealth snafu": "combat-only"}
    game = position(FIELD, orders=orders, snafu="commonwealth", dice=[10])
    play(game, "activate 21Pz")
    assert game.actor == "axis" and game.snafu == 1
    assert game.view("commonwealth").orders == {"snafu": "combat-only"}
    assert game.view("axis").orders == {}


@pytest.mark.parametrize(("die", "asked"), [(10, True), (1, False)])
def test_5_2_an_order_asks_only_about_dice_that_could_fall_worse(die: int, asked: bool) -> None:
    orders = {"commonwealth snafu": "when-it-can-hurt"}
    game = position(FIELD, orders=orders, snafu="commonwealth", dice=[die])
    play(game, "activate 21Pz")
    assert (game.actor == "commonwealth") is asked
    free = position(FIELD, orders={}, snafu="commonwealth", dice=[die])
    play(free, "activate 21Pz")
    assert ("no die could be worse for it" in free.prompt) is not asked


REACT = "I/5 3015, 21Pz.HQ 2914, 7.Mot 3019, 7Armd.HQ 3222, 3.RTR/4 3318"
ASK = {key: way for key, way in QUIET.items() if "reaction" not in key}


def test_6_5_1_entering_and_leaving_offer_one_attempt() -> None:
    game = acting("21Pz", REACT, orders=ASK, dice=[9])
    play(game, "move I/5", "to 3018")
    assert game.actor == "commonwealth" and "has entered" in game.prompt
    assert texts(game) == {"decline", "react 7Armd"}
    play(game, "decline")
    assert game.actor == "axis"
    play(game, "move I/5", "to 3017")
    assert game.actor == "commonwealth" and "wants to leave" in game.prompt
    assert where(game, "I/5") == "3018"
    price = game.price(game.parse("react 7Armd"))
    assert price.endswith("; its level falls to 5; nothing if it fails")
    play(game, "react 7Armd")
    # 6.5.4: nine misses; the movement goes on and is not answered again.
    assert game.actor == "axis" and where(game, "I/5") == "3017"
    assert level(game, "7Armd") == 6
    play(game, "to 3018")
    assert game.actor == "axis"


def test_6_5_3_success_stops_the_mover_and_gives_the_red_points() -> None:
    """6.5.2, 6.5.4"""
    game = acting("21Pz", REACT, ap=3, orders=ASK, dice=[2, 7])
    play(game, "move I/5", "to 3018", "react 7Armd")
    assert game.actor == "commonwealth" and "7 Armd: 3 AP" in game.prompt
    assert level(game, "7Armd") == 5
    # No counter-reaction while it moves next to I/5.
    play(game, "move 7.Mot", "to 3118")
    assert game.actor == "commonwealth"
    play(game, "end")
    assert game.actor == "axis" and game.ap[0] == 2


def test_6_5_3_a_stack_stopped_at_the_start_has_spent_its_action() -> None:
    units = REACT.replace("I/5 3015", "I/5 3018")
    game = acting("21Pz", units, ap=3, orders=ASK, dice=[2, 7])
    play(game, "move I/5", "to 3015", "react 7Armd", "end")
    assert where(game, "I/5") == "3018" and game.ap[0] == 2


@pytest.mark.parametrize(
    "change",
    [
        ("7.Mot 3019", "7.Mot 3019 disrupted"),
        ("7Armd.HQ 3222", "7Armd.HQ 4822"),
        ("7.Mot 3019", "Kst.Kiehl 1515"),
    ],
)
def test_6_5_1_who_cannot_react(change: tuple[str, str]) -> None:
    """5.6.3, 5.8.3"""
    game = acting("21Pz", REACT.replace(*change), orders=ASK)
    play(game, "move I/5", "to 3018")
    assert game.actor == "axis"


def test_6_5_1_level_zero_and_standing_orders() -> None:
    game = acting("21Pz", REACT, orders=ASK, levels={"7Armd": 0})
    play(game, "move I/5", "to 3018")
    assert game.actor == "axis"
    only = {**ASK, "commonwealth reaction": "leaving-only"}
    game = acting("21Pz", REACT, orders=only)
    play(game, "move I/5", "to 3018")
    assert game.actor == "axis"
    play(game, "move I/5", "to 3017")
    assert game.actor == "commonwealth"


def test_6_5_2_an_unsupplied_reactor_burns_emergency_supply() -> None:
    # Every eastern source is blocked, so no road leads anywhere.
    shut = ["5410", "5413", "5422", "5427"]
    game = acting("21Pz", REACT, orders=ASK, dice=[2, 7], blocked=shut)
    hq = ids(game, "7Armd.HQ")[0]
    assert not game.situation.in_supply(game, hq)
    told = play(game, "move I/5", "to 3018", "react 7Armd")
    assert game.pieces[hq].spent and not game.pieces[hq].low and level(game, "7Armd") == 5
    rolls = [(event.purpose, event.rule) for event in told if isinstance(event, Rolled)]
    assert rolls == [("reaction", "6.5.2"), ("action points", "6.5.2")]
    spent = REACT.replace("7Armd.HQ 3222", "7Armd.HQ 3222 spent")
    again = acting("21Pz", spent, orders=ASK, dice=[2, 7], blocked=shut)
    play(again, "move I/5", "to 3018", "react 7Armd")
    assert again.pieces[hq].low and level(again, "7Armd") == 0


def test_5_7_1_supply_is_checked_before_a_reaction_attempt() -> None:
    low = REACT.replace("7Armd.HQ 3222", "7Armd.HQ 3222 low")
    game = acting("21Pz", low, orders=ASK, dice=[9])
    hq = ids(game, "7Armd.HQ")[0]
    assert game.situation.in_supply(game, hq)
    play(game, "move I/5", "to 3018", "react 7Armd")
    assert not game.pieces[hq].low and level(game, "7Armd") == 6


def test_6_the_phase_ends_when_only_a_side_that_passed_has_formations() -> None:
    game = position(FIELD, levels={"21Pz": 0}, passed=["commonwealth"], point=OPS, turn=8)
    assert game.outcome is not None
    rest = position(FIELD, levels={"21Pz": 0}, passed=["axis"], point=OPS, turn=8)
    assert rest.actor == "commonwealth"


def test_6_1_the_holder_of_snafu_sees_both_dice() -> None:
    """5.2"""
    for holder, dice in (("axis", [4, 9]), ("commonwealth", [9, 4])):
        game = position(FIELD, point=OPS, dice=dice, orders={}, snafu=holder)
        # He rolled the first die himself and is asked about the second.
        assert game.actor == holder and f"rolled {dice[1]} for initiative" in game.prompt
        play(game, "keep")
        assert game.actor == "commonwealth"


def test_3_5_restricted_formations_wait_for_their_orders() -> None:
    game = TITLE.start("campaign", seed="x")
    play(game, "schwerpunkt 21Pz", "done", "transfer")  # type: ignore[arg-type]
    refusal = refused(game, "activate 2SA")  # type: ignore[arg-type]
    assert refusal.rule == "10.3"
    assert refused(game, "activate 5Ind").rule == "10.3"  # type: ignore[arg-type]
    # 6.3: nothing that its orders allow can be done; with an enemy near it may attack.
    assert refused(game, "activate FF").rule == "6.3"  # type: ignore[arg-type]
    garrison = "FF.1 2521, FF.2 2521, FF.HQ 2521, 21Pz.HQ 1924"
    for enemy, able in (("I/5 2024", False), ("I/5 2621", True)):
        point = {"phase": "initiative", "side": "commonwealth"}
        french = position(f"{garrison}, {enemy}", turn=1, point=point)
        assert ("activate FF" in texts(french)) is able
    shaken = position(f"{garrison}, I/5 2024".replace("FF.2 2521", "FF.2 2521 disrupted"),
                      turn=1, point=point)  # fmt: skip
    assert "activate FF" in texts(shaken)
    near = position("4.SA.Bde 3904, 2SA.HQ 4204, I/5 3708, 21Pz.HQ 3508", turn=1)
    play(near, "transfer")
    assert "activate 2SA" in texts(near)


def test_3_5_an_attack_releases_and_a_garrison_stays() -> None:
    units = "1.SA 1707, 1SA.HQ 1903, Trento.61 1607, Trento.HQ 1407"
    held = position(f"{units}, 7.Mot 3318, 7Armd.HQ 3417", turn=1)
    play(held, "transfer")
    assert texts(held) == {"activate 7Armd", "pass"}
    assert refused(held, "activate 1SA").rule == "10.3"
    game = acting("Trento", units, turn=1, dice=[1, 1, 1, 1, 1, 1, 1])
    play(game, "attack 1607 1707")
    assert game.data.formation("1SA") in game.released
    garrison = acting("FF", "FF.1 2521, FF.2 2521 disrupted, FF.HQ 2521", turn=2)
    assert not any(text.startswith("move") for text in texts(garrison))
    assert refused(garrison, "move FF.1").rule == "10.3"
    free = acting("FF", "FF.1 2521, FF.2 2521, FF.HQ 2521", turn=3)
    assert "move FF.1" in texts(free)


def test_5_5_1_only_the_activated_formation_acts() -> None:
    game = acting("21Pz", "I/5 3018, 21Pz.HQ 2920, 15Pz.115 3020, 18.Flak 3018 of:21Pz")
    assert {"move I/5", "move 18.Flak", "move 21Pz.HQ"} <= texts(game)
    assert refused(game, "move 15Pz.115").rule == "5.5.1"


def test_5_6_1_checks_compare_with_the_side_shown() -> None:
    """5.6.2, 7.6"""
    units = "I/5 3018 disrupted, II/5 3018, 21Pz.HQ 2920"
    game = acting("21Pz", units, dice=[4])
    assert game.effectiveness(ids(game, "I/5")[0]) == 4
    play(game, "refit I/5")
    assert not disrupted(game, "I/5") and game.ap[0] == 6
    failed = acting("21Pz", units, dice=[5])
    play(failed, "refit I/5")
    assert disrupted(failed, "I/5") and strength(failed, "I/5") == 7
    assert refused(failed, "refit II/5").rule == "7.6"
    odds = failed.odds(failed.parse("refit I/5"))
    assert odds is not None and odds.outcomes[0].probability * 10 == 4


def test_5_6_3_a_disrupted_unit_may_only_refit() -> None:
    units = "I/5 3018 disrupted, 21Pz.HQ 2920, 7.Mot 3118, 7Armd.HQ 3417"
    game = acting("21Pz", units)
    assert refused(game, "move I/5").rule == "5.6.3"
    assert refused(game, "attack-with I/5 3118").rule == "5.6.3"
    assert refused(game, "improve 3018").rule == "5.6.3"
    assert {text for text in texts(game) if "I/5" in text} == {"refit I/5"}


def test_3_9_a_die_runs_from_one_to_ten() -> None:
    game = TITLE.start("campaign", seed="dice")
    faces = {
        game.copy().roll("test", "axis", "3.9", dice=(10,), place=str(n))[0] for n in range(99)
    }
    assert faces == set(range(1, 11))


def test_5_5_2_assignment_is_secret_and_may_be_challenged() -> None:
    units = "8.RTR 3118 of:1SA, 1.SA 3118, 1SA.HQ 3217, I/5 3018, 21Pz.HQ 2920"
    orders = {key: way for key, way in QUIET.items() if "challenge" not in key}
    game = acting("21Pz", units, orders=orders)
    seen = next(piece for piece in game.view("axis").pieces if piece.id == "8.RTR")
    assert seen.formation == ""
    boxes = [track.value for track in game.view("axis").tracks if track.id == "assigned-1SA"]
    assert boxes == ["1 marker"]
    play(game, "attack 3018 3118")
    assert texts(game) == {"decline", "challenge 8.RTR"}
    told = play(game, "challenge 8.RTR")
    assert any(isinstance(event, ev.AssignmentShown) for event in told)
    seen = next(piece for piece in game.view("axis").pieces if piece.id == "8.RTR")
    assert seen.formation == "1 SA"


def test_6_5_1_an_order_for_now_lapses_with_the_activation() -> None:
    now = {**ASK, "commonwealth reaction": "never-now"}
    game = acting("21Pz", REACT, orders=now, dice=[5, 5])
    play(game, "move I/5", "to 3018")
    assert game.actor == "axis"
    assert game.view("commonwealth").orders["reaction"] == "never-now"
    play(game, "end")
    assert "reaction" not in game.view("commonwealth").orders


def test_7_5_1_1_standing_orders_decide_withdrawals() -> None:
    units = "II/5 3018, 21Pz.HQ 2920, KDG 3118, 7Armd.HQ 3217"
    for setting, gone in (("always", True), ("even-odds", True), ("never", False)):
        orders = {**QUIET, "commonwealth withdraw": setting}
        game = acting("21Pz", units, orders=orders, dice=[1, 9, 1, 1, 1, 1, 1])
        told = play(game, "attack 3018 3118")
        tried = [event for event in told if isinstance(event, ev.RetreatBeforeCombat)]
        assert bool(tried) is gone


def test_7_5_1_1_an_order_to_withdraw_homewards_finds_the_way() -> None:
    units = "I/5 3018, 21Pz.HQ 2920, 7.Mot 3118, 3.RTR/4 3118, 7Armd.HQ 3321, Ariete.8 3218"
    orders = {"commonwealth withdraw": "always-home", "axis snafu": "never"}
    game = acting("21Pz", units, dice=[1, 10], orders=orders)
    play(game, "attack 3018 3118")
    assert game.actor == "axis"  # nothing was asked
    here = game.data.hex(where(game, "7.Mot"))
    assert where(game, "3.RTR/4") == where(game, "7.Mot") != "3118"
    assert not game.situation.zoc[0] >> here & 1
    assert game.data.home[1][here] < game.data.home[1][game.data.hex("3118")] - 2


def test_3_5_orders_bar_activation_and_limit_reaction() -> None:
    """6.5.3"""
    units = "1.SA 1504, 1SA.HQ 1706, Sabratha.86 1404, Sabratha.85 1402 disrupted, Sabratha.HQ 1203"
    point = {"phase": "activation", "formation": "Sabratha", "reaction": True}
    game = position(units, turn=1, point=point, dice=[10])
    assert texts(game) == {"attack 1404 1504", "end"}
    assert refused(game, "move Sabratha.86").rule == refused(game, "refit Sabratha.85").rule
    assert refused(game, "move Sabratha.86").rule == "10.3"
    # 1 SA may not be activated yet, but it reacts as it likes.
    held = position(units, turn=1, point={**point, "formation": "1SA"}, dice=[10])
    assert "move 1.SA" in texts(held)


@pytest.mark.parametrize(
    ("hq", "price", "left"),
    [
        ("1020", "its level falls to 6", 6),
        ("3017", "its level falls to 6, and its Emergency Supply is used", 6),
        ("3017 spent", "its level falls to 0, since its Emergency Supply is used up", 0),
    ],
)
def test_6_3_3_the_price_of_an_activation_is_what_it_costs(hq: str, price: str, left: int) -> None:
    """5.7.5, 6.5.2"""
    units = f"I/5 3018, 21Pz.HQ {hq}, 7.Mot 4020, 7Armd.HQ 4021"
    game = position(units, levels={"21Pz": 7, "7Armd": 3}, dice=[5])
    assert game.price(game.parse("activate 21Pz")).endswith(f"; {price}")
    play(game, "activate 21Pz")
    assert level(game, "21Pz") == left


def test_6_4_what_an_unassigned_unit_does_has_no_price() -> None:
    units = "Kst.Kiehl 2420, 21Pz.HQ 3017, 7Armd.HQ 4020, 7.Mot 4019"
    game = position(units)
    play(game, "activate-unit Kst.Kiehl")
    for action in ("breach Kst.Kiehl", "improve 2420", "move Kst.Kiehl"):
        assert game.price(game.parse(action)).startswith("no Action Points")
    worn = position(units.replace("2420", "2420 disrupted"))
    play(worn, "activate-unit Kst.Kiehl")
    assert worn.price(worn.parse("refit Kst.Kiehl")) == "no Action Points"
