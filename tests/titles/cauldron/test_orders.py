"""7.0, 13.2, 13.3, 13.7, 13.8 What an action chit activates, and the chits played after it."""

from __future__ import annotations

import pytest

from sandtable.titles.cauldron.events import Forgone
from sandtable.titles.cauldron.orders import Operations, Orders
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.reinforcements import Arrive
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.victory import outcome, steps_lost, victory_phase

from .helpers import DATA, at, on_map, play, position, refused, sentences, texts, uid, unit

AXIS_UNITS = (
    "5/1 1622",
    "5/2 1521 used",
    "8/1 1721",
    "155/1 1822",
    "132/8 1321",
    "65/1 0517",
    "27 0110",
)


def axis_chit(chit: str, *lines: str, turn: str = "May 28", head: str = "", tail: str = "") -> Game:
    first = f'turn = "{turn}"\nside = "axis"\nchit = "{chit}"\n{head}'
    return position(on_map(*(lines or AXIS_UNITS), "10-Hus 2801", head=first, tail=tail))


def allied_chit(
    chit: str,
    *lines: str,
    turn: str = "May 28",
    head: str = "",
    tail: str = "",
    dice: tuple[int, ...] = (),
) -> Game:
    first = f'turn = "{turn}"\nside = "allied"\nchit = "{chit}"\n{head}'
    return position(on_map(*lines, "5/1 1622", head=first, tail=tail), *dice)


def test_7_0_a_two_sided_chit_offers_both_formations() -> None:
    game = axis_chit("15-PZ/21-PZ")
    assert texts(game, "activate") == {"activate 15-PZ", "activate 21-PZ"}
    play(game, "activate 21-PZ")
    assert texts(game, "select") == {"select 5/1", "select 5/2"}


def test_7_0_activation_turns_units_to_their_unused_side() -> None:
    game = axis_chit("15-PZ/21-PZ")
    assert unit(game, "5/2").used
    play(game, "activate 21-PZ")
    assert not unit(game, "5/2").used


def test_7_0_brescia_and_pavia_are_activated_together() -> None:
    game = axis_chit("90-Lt/Brescia+Pavia", "27 0110", "19 0109", "155/1 1822")
    assert texts(game, "activate") == {"activate 90-Lt", "activate Brescia,Pavia"}
    play(game, "activate Brescia,Pavia")
    assert texts(game, "select") == {"select 27", "select 19"}


def test_7_0_pavia_moves_alone_before_brescia_is_there() -> None:
    game = axis_chit("90-Lt/Brescia+Pavia")
    assert "activate Pavia" in texts(game)


def test_7_0_one_unit_of_another_formation_instead() -> None:
    game = axis_chit("Ariete/Trieste")
    play(game, "activate-unit 5/2")
    assert texts(game, "select") == {"select 5/2"}
    assert not unit(game, "5/2").used
    assert game.activated == ()  # single units do not count for the formation


def test_7_0_an_allied_chit_activates_a_unit_of_another_formation_only() -> None:
    game = allied_chit("2-Arm", "10-Hus 2801", "Bays 2701", "5-RTR 2615")
    assert texts(game, "activate-unit") == {"activate-unit 5-RTR"}
    assert "own formation" in refused(game, "activate-unit 10-Hus").text
    assert "not on the map" in refused(game, "activate-unit 3-RTR").text
    assert "enemy" in refused(game, "activate-unit 5/1").text
    assert "units on the map" in refused(game, "activate 22-Arm").text


def test_7_0_no_formation_more_than_twice_a_turn_but_its_units_may() -> None:
    game = axis_chit("15-PZ/21-PZ", head='formations_activated = ["21-PZ", "21-PZ"]')
    assert texts(game, "activate") == {"activate 15-PZ"}
    assert "twice" in refused(game, "activate 21-PZ").text
    assert "no face" in refused(game, "activate Ariete").text
    assert "activate-unit 5/1" in texts(game)


@pytest.mark.parametrize("turn", ["May 27 AM", "May 27 PM"])
def test_7_0_panzer_divisions_once_on_may_27(turn: str) -> None:
    game = axis_chit("15-PZ/21-PZ", turn=turn, head='formations_activated = ["21-PZ"]')
    assert texts(game, "activate") == {"activate 15-PZ"}
    assert "activate-unit 5/1" in texts(game)


@pytest.mark.parametrize(
    ("turn", "barred"), [("May 27 AM", True), ("May 27 PM", True), ("May 28", False)]
)
def test_7_0_some_formations_do_not_act_on_may_27(turn: str, barred: bool) -> None:
    game = axis_chit("Ariete/Trieste", turn=turn)
    assert ("activate Trieste" not in texts(game)) is barred
    assert ("activate-unit 65/1" not in texts(game)) is barred
    assert ("activate-unit 27" not in texts(game)) is barred
    if barred:
        assert "May 27" in refused(game, "activate Trieste").text
        assert "May 27" in refused(game, "activate-unit 27").text
    allied = allied_chit(
        "Double-Move",
        "Marine 1318",
        "3-Cold 1504",
        "5-GH 0810",
        "7-GH 0201",
        "3/12-FR 2705",
        "10-Hus 2801",
        turn=turn,
    )
    # With one unit to choose the choice makes itself.
    assert (texts(allied) == {"select 10-Hus", "end"}) is barred


def test_7_0_the_double_move_activates_any_two_units() -> None:
    game = allied_chit("Double-Move", "10-Hus 2801", "5-RTR 2615", "Bays 2701")
    assert not texts(game, "activate")
    play(game, "activate-unit 10-Hus")
    assert texts(game) == {"activate-unit 5-RTR", "activate-unit Bays", "pass"}
    play(game, "activate-unit Bays")
    assert texts(game, "select") == {"select 10-Hus", "select Bays"}


def test_7_0_the_double_move_may_bring_reinforcements() -> None:
    game = allied_chit("Double-Move", "10-Hus 2801", turn="May 29", head='others = "schedule"')
    assert "activate-unit 1-Wor" in texts(game)
    play(game, "activate-unit 1-Wor", "activate-unit 2-KRR")
    assert isinstance(game.stack[-1], Arrive)
    play(game, "place 1-Wor 3005", "place 2-KRR 3005")
    assert texts(game, "select") == {"select 1-Wor", "select 2-KRR"}


def test_7_0_a_double_move_may_stop_at_one_unit() -> None:
    game = allied_chit("Double-Move", "10-Hus 2801", "5-RTR 2615")
    play(game, "activate-unit 10-Hus", "pass")
    assert texts(game, "select") == {"select 10-Hus"}


def test_7_0_a_chit_nobody_can_use_is_spent() -> None:
    head = '[allied]\nheld = ["withdraw-attack"]\nactions = 0\n[axis]\nactions = 0'
    game = allied_chit("3-Ind", head=head, dice=(3, 5))
    assert isinstance(game.stack[-1], Orders)
    assert texts(game) == {"pass", "promise-attack"}
    events = play(game, "pass")
    assert any(isinstance(event, Forgone) for event in events)
    assert game.turn == 4  # no action was left: the turn is over


def test_7_0_selected_units_act_one_at_a_time_in_any_order() -> None:
    game = axis_chit("15-PZ/21-PZ")
    play(game, "activate 21-PZ", "select 5/2", "done 5/2")
    assert texts(game) == {"select 5/1", "end"}
    assert refused(game, "select 5/2").rule == "8.0"
    assert refused(game, "select 8/1").rule == "8.0"


def test_8_0_a_unit_that_spends_nothing_stays_unused() -> None:
    game = axis_chit("15-PZ/21-PZ", "5/1 1622", "5/2 1521 used", "104/1 1721")
    play(game, "activate 21-PZ", "select 5/2", "done 5/2", "select 5/1", "move 5/1 1621")
    play(game, "done 5/1")
    assert not unit(game, "5/2").used
    assert unit(game, "5/1").used


def test_13_2_extra_move_adds_a_unit_before_anything_moves() -> None:
    game = axis_chit("15-PZ/21-PZ", tail='[axis]\nheld = ["extra-move"]')
    play(game, "activate 21-PZ")
    assert "extra 132/8" in texts(game)
    play(game, "extra 132/8")
    assert texts(game, "select") == {"select 5/1", "select 5/2", "select 132/8"}
    assert DATA.tactical["extra-move"] in game.players[AXIS].played
    assert not texts(game, "extra")


def test_13_2_extra_move_is_too_late_once_a_unit_moves() -> None:
    game = axis_chit("15-PZ/21-PZ", tail='[axis]\nheld = ["extra-move"]')
    play(game, "activate 21-PZ", "select 5/1", "move 5/1 1621", "done 5/1")
    assert not texts(game, "extra")
    refusal = refused(game, "extra 132/8")
    assert (refusal.rule, "before" in refusal.text) == ("13.2", True)


def test_13_2_a_unit_that_spent_nothing_has_not_moved() -> None:
    """8.0, 13.2 Extra Move is still open, and the unit may act after another (R63)."""
    game = axis_chit("15-PZ/21-PZ", tail='[axis]\nheld = ["extra-move"]')
    play(game, "activate 21-PZ", "select 5/1", "done 5/1")
    assert {"extra 8/1", "select 5/2"} <= texts(game)
    assert "extra 5/1" not in texts(game)
    assert "after another" in refused(game, "select 5/1").text
    play(game, "extra 8/1", "select 8/1", "move 8/1 1720", "done 8/1")
    assert texts(game) == {"select 5/1", "select 5/2", "end"}
    assert refused(game, "select 8/1").rule == "8.0"


def test_8_0_the_price_of_passing_over_the_last_unit_is_the_end_of_the_phase() -> None:
    game = axis_chit("15-PZ/21-PZ", "5/1 1622", "5/2 1521")
    play(game, "activate 21-PZ", "select 5/1")
    assert game.price(game.parse("done 5/1")) == "it has spent nothing and may act later"
    play(game, "done 5/1", "select 5/2")
    assert "the action phase ends" in game.price(game.parse("done 5/2"))


def test_14_1_the_price_of_a_chit_counts_no_unit_that_breaches() -> None:
    head = 'breaches = [{ sides = [["1217", "1316"]], unit = "66/1" }]'
    game = axis_chit("Ariete/Trieste", "66/1 1217", "65/1 1218", head=head)
    assert game.price(game.parse("activate Trieste")) == "1 unit may act"


def test_13_2_extra_move_is_too_late_once_a_unit_has_left_the_map() -> None:
    game = axis_chit("15-PZ/21-PZ", "5/1 1622", "5/2 1521", tail='[axis]\nheld = ["extra-move"]')
    play(game, "activate 21-PZ", "select 5/1", "exit 5/1")
    assert not texts(game, "extra")


def test_8_0_a_lost_unit_is_not_selected() -> None:
    game = axis_chit("15-PZ/21-PZ")
    play(game, "activate 21-PZ")
    game.eliminate(uid("5/1"), "11.0")
    game.legal = None
    assert "not on the map" in refused(game, "select 5/1").text


def test_13_2_extra_move_may_bring_a_reinforcement() -> None:
    game = axis_chit(
        "Ariete/Trieste",
        "132/8 1321",
        head='others = "schedule"',
        tail='[axis]\nheld = ["extra-move"]',
    )
    play(game, "activate Ariete", "extra 8/1", "place 8/1 1921")
    assert texts(game, "select") == {"select 132/8", "select 8/1"}


def test_13_2_without_the_chit_there_is_no_extra_move() -> None:
    game = axis_chit("15-PZ/21-PZ")
    assert refused(game, "extra 132/8").rule == "13.2"


def test_13_3_a_replacement_restores_one_step_of_armor() -> None:
    game = axis_chit(
        "15-PZ/21-PZ", "5/1 0517 steps=1", "104/1 0617", tail='[axis]\nheld = ["replacement"]'
    )
    assert texts(game, "replace") == {"replace 5/1"}
    play(game, "replace 5/1")
    assert unit(game, "5/1").steps == 2
    assert not texts(game, "replace")
    assert "needs a Replacement chit" in refused(game, "replace 5/1").text


def test_13_3_full_units_and_infantry_take_no_replacement() -> None:
    game = axis_chit(
        "15-PZ/21-PZ", "5/1 0517", "104/1 eliminated", tail='[axis]\nheld = ["replacement"]'
    )
    assert not texts(game, "replace")
    assert not texts(game, "rebuild")


def test_13_3_the_hex_must_be_in_supply_and_out_of_enemy_zoc() -> None:
    # 2020 is cut off from the west by nothing: supplied. Beside an enemy it gets nothing.
    near = axis_chit(
        "15-PZ/21-PZ", "5/1 2019 steps=1", "3-RTR 2018", tail='[axis]\nheld = ["replacement"]'
    )
    assert not texts(near, "replace")
    far = axis_chit(
        "15-PZ/21-PZ", "5/1 2019 steps=1", "3-RTR 2015", tail='[axis]\nheld = ["replacement"]'
    )
    assert texts(far, "replace")
    cut = axis_chit(
        "15-PZ/21-PZ", "5/1 1016 steps=1", tail='[axis]\nheld = ["replacement"]'
    )  # inside a mined hex, nothing breached
    assert not texts(cut, "replace")


def test_13_3_an_eliminated_axis_unit_returns_in_the_prohibited_zone_with_one_step() -> None:
    game = axis_chit(
        "15-PZ/21-PZ",
        "5/1 eliminated",
        "8/1 0517",
        "65/1 0518",
        "65/2 0518",
        "27 0110",
        tail='[axis]\nheld = ["replacement"]',
    )
    offered = {text.split()[-1] for text in texts(game, "rebuild")}
    zone = set(DATA.board.text(DATA.prohibited))
    assert offered == zone - {"0518", "0110"}  # full stacks and Pavia have no room
    events = play(game, "rebuild 5/1 0517")
    assert "5/1 in 0517 is built up to 1 step." in sentences(game, events)
    assert (at(game, "5/1"), unit(game, "5/1").steps) == ("0517", 1)
    # It may be activated in the same action phase.
    play(game, "activate 21-PZ")
    assert "select 5/1" in texts(game)


def test_13_3_an_eliminated_allied_unit_returns_on_the_north_or_east_edge() -> None:
    game = allied_chit(
        "2-Arm", "10-Hus eliminated", "Bays 2701", tail='[allied]\nheld = ["replacement"]'
    )
    offered = {text.split()[-1] for text in texts(game, "rebuild")}
    assert offered == set(DATA.board.text(DATA.edge["north"] | DATA.edge["east"]))


def test_13_3_units_of_any_formation_may_be_replaced() -> None:
    game = allied_chit(
        "2-Arm", "5-RTR 2615 steps=1", "Bays 2701", tail='[allied]\nheld = ["replacement"]'
    )
    assert texts(game, "replace") == {"replace 5-RTR"}


def test_13_3_only_before_units_are_activated() -> None:
    game = axis_chit("15-PZ/21-PZ", "5/1 0517 steps=1", tail='[axis]\nheld = ["replacement"]')
    play(game, "activate 21-PZ")
    assert not texts(game, "replace")


@pytest.mark.parametrize("phase", ["chit", "supply"])
def test_13_3_a_unit_that_could_not_withdraw_takes_replacements(phase: str) -> None:
    """13.3, 13.7 It stays an ordinary unit; lost units of its formation stay lost (R54)."""
    lines = ("10-Hus 2801 steps=1", "Bays eliminated", "3-CLY 1310")
    if phase == "chit":
        head = 'turn = "June 3-4"\nside = "allied"\nchit = "22-Arm"\nwithdrawn = ["2-Arm"]'
    else:
        head = 'turn = "May 29"\nphase = "supply"\nwithdrawn = ["2-Arm"]'
    game = position(on_map(*lines, head=head, tail='[allied]\nheld = ["replacement"]'), 3, 5)
    assert texts(game, "replace") | texts(game, "rebuild") == {"replace 10-Hus"}


WITHDRAW = '[allied]\nheld = ["withdraw-attack"]'


def test_13_7_withdrawal_removes_a_formation_and_its_chit_for_good() -> None:
    game = allied_chit(
        "2-Arm", "2-Lan 1520", "11-Cav 1519", "18-Cav eliminated", "Bays 2701", tail=WITHDRAW
    )
    assert "withdraw 3-Ind" in texts(game)
    events = play(game, "withdraw 3-Ind")
    assert "3 Ind is withdrawn: 2 Lan and 11 Cav leave the battle." in sentences(game, events)
    assert at(game, "2-Lan") == "withdrawn"
    assert at(game, "18-Cav") == "eliminated"
    names = [DATA.chits[chit].id for chit in game.players[ALLIED].cup]
    assert "3-Ind" not in names
    assert steps_lost(game, ALLIED) == 1  # withdrawn units are not lost, the dead one is


def test_13_7_units_without_a_free_path_stay() -> None:
    ring = ["5/2 1519", "104/1 1521", "104/2 1420", "104/3 1421", "3-Rec 1620", "39-AT 1621"]
    game = allied_chit("2-Arm", "2-Lan 1520", *ring, tail=WITHDRAW)
    play(game, "withdraw 3-Ind")
    assert at(game, "2-Lan") == "1520"
    assert DATA.formation_index["3-Ind"] in game.withdrawn


def test_13_7_no_formation_is_withdrawn_twice() -> None:
    game = allied_chit("2-Arm", "Bays 2701", head='withdrawn = ["3-Ind"]', tail=WITHDRAW)
    assert "withdraw 3-Ind" not in texts(game)
    assert refused(game, "withdraw 3-Ind").rule == "13.7"


def test_13_7_a_formation_that_is_not_in_the_scenario_is_not_withdrawn() -> None:
    """17.0 10 Indian Brigade comes after the end of Scenario One (R54)."""
    late = ("10-Ind", "32-ATB", "Indep")
    for scenario, offered in (("campaign", 3), ("scenario-one", 0)):
        head = f'scenario = "{scenario}"\nothers = "schedule"'
        game = allied_chit("2-Arm", "Bays 2701", head=head, tail=WITHDRAW)
        assert sum(f"withdraw {each}" in texts(game) for each in late) == offered
        assert "withdraw 22-Arm" not in texts(game)  # neither on the map nor on the way
    assert refused(game, "withdraw 10-Ind").rule == "13.7"


def test_13_7_a_dead_formation_may_be_withdrawn() -> None:
    dead = ("2-Lan eliminated", "11-Cav eliminated", "18-Cav eliminated")
    game = allied_chit("2-Arm", "Bays 2701", *dead, tail=WITHDRAW)
    play(game, "withdraw 3-Ind")
    assert steps_lost(game, ALLIED) == 3


@pytest.mark.parametrize(
    ("head", "points"),
    [("", 0), ("broken_word = true", 1)],
)
def test_13_7_a_promise_not_kept_gives_the_axis_a_point(head: str, points: int) -> None:
    game = allied_chit("2-Arm", "Bays 2701", head=head)
    victory_phase(game)
    assert game.points == points


def test_13_7_the_chit_drawn_and_kept_gives_the_axis_a_point() -> None:
    game = allied_chit("2-Arm", "Bays 2701", tail=WITHDRAW)
    victory_phase(game)
    assert game.points == 1


def test_13_7_a_mandatory_attack_must_be_made_in_the_phase() -> None:
    game = allied_chit(
        "2-Arm", "Bays 1620", "10-Hus 2701", "5-RTR 2615", tail=WITHDRAW, dice=(1, 1, 1)
    )
    play(game, "promise-attack", "activate 2-Arm")
    step = game.stack[-1]
    assert isinstance(step, Operations)
    assert step.promised
    play(game, "select 10-Hus", "done 10-Hus", "end")
    assert game.broken_word


def test_13_7_a_mandatory_attack_that_was_made_is_enough() -> None:
    game = allied_chit(
        "2-Arm", "Bays 1621", "10-Hus 2701", "5-RTR 2615", tail=WITHDRAW, dice=(5, 1, 1, 1)
    )
    play(game, "promise-attack", "activate 2-Arm", "select Bays", "attack Bays light")
    while not isinstance(game.stack[-1], Operations):
        game.play(game.actions()[-1])
    play(game, "end")
    assert not game.broken_word


def test_13_7_an_attacker_lost_before_the_die_has_not_attacked() -> None:
    """13.7, 10.0 The owner removes the active unit from an over-stacked hex (R39)."""
    stack = ("10-Hus 1621", "Bays 1621", "9-Lan 1621")
    game = allied_chit("2-Arm", *stack, tail=WITHDRAW, dice=(1, 1, 1))
    play(game, "promise-attack", "select 10-Hus")
    play(game, "attack 10-Hus light", "eliminate 10-Hus", "end")
    assert game.broken_word


def test_10_0_every_over_stacked_hex_is_named_before_units_are_lost() -> None:
    crowds = ("10-Hus 2701", "Bays 2701", "9-Lan 2701", "5-RTR 2801", "3-RTR 2801", "8-Hus 2801")
    game = allied_chit("2-Arm", *crowds, tail=WITHDRAW)
    play(game, "activate 2-Arm")
    assert game.caution.startswith("Over-stacked: 2701 and 2801. At most 2 units may share a hex")
    assert game.view(ALLIED).caution == game.caution
    assert game.view(AXIS).caution == game.view(None).caution == ""
    play(game, "end")
    assert "in over-stacked 2701 is lost: 10 Hus" in game.prompt
    assert "2701 and 2801" in game.caution
    play(game, "eliminate Bays")
    assert game.caution.startswith("Over-stacked: 2801.")


def test_13_8_several_chits_after_one_action_chit_in_any_order() -> None:
    """13.8 The book's example: withdraw 4 Arm, extra move for 5 GH, a step for 2 Arm."""
    game = allied_chit(
        "22-Arm",
        "3-CLY 1310",
        "5-RTR 2615",
        "5-GH 0810",
        "10-Hus 2801 steps=1",
        tail='[allied]\nheld = ["withdraw-attack", "extra-move", "replacement"]',
    )
    play(game, "withdraw 4-Arm", "extra 5-GH", "replace 10-Hus", "activate 22-Arm")
    assert texts(game, "select") == {"select 3-CLY", "select 5-GH"}
    assert at(game, "5-RTR") == "withdrawn"
    assert unit(game, "10-Hus").steps == 2
    assert game.players[ALLIED].held == ()


def test_16_0_withdrawn_units_with_lost_steps_count_those_steps() -> None:
    game = allied_chit("2-Arm", "5-RTR 2615 steps=1", "Bays 2701", tail=WITHDRAW)
    play(game, "withdraw 4-Arm")
    assert steps_lost(game, ALLIED) == 1
    assert outcome(game).winner == AXIS


def test_14_1_a_breaching_unit_is_activated_but_cannot_act() -> None:
    text = on_map(
        "65/1 1216",
        "65/2 0517",
        head='turn = "May 28"\nside = "axis"\nactivated = ["65/1", "65/2"]',
        tail='[[breaches]]\nsides = [["1216", "1315"]]\nunit = "65/1"',
    )
    game = position(text)
    assert texts(game, "select") == {"select 65/2"}
    assert refused(game, "select 65/1").rule == "14.1"
    assert uid("65/1") in game.stack[-1].ready


def test_13_3_nor_between_the_two_units_of_a_double_move() -> None:
    game = allied_chit(
        "Double-Move",
        "5-RTR 2615 steps=1",
        "Bays 2701",
        "10-Hus 2801",
        tail='[allied]\nheld = ["replacement", "withdraw-attack", "extra-move"]',
    )
    assert texts(game, "replace") and texts(game, "withdraw")
    play(game, "activate-unit Bays")
    assert "before the choice" in refused(game, "replace 5-RTR").text
    assert not texts(game, "replace") | texts(game, "withdraw") | texts(game, "promise-attack")
    assert texts(game, "extra")


def test_7_0_an_activation_tells_which_units_it_concerns() -> None:
    game = axis_chit("15-PZ/21-PZ")
    told = game.describe(game.parse("activate 21-PZ"))
    assert told["units"] == ["5/1", "5/2"]
    gone = ("10-Hus 2801", "Bays eliminated", "9-Lan withdrawn")
    game = allied_chit("2-Arm", *gone)
    assert game.describe(game.parse("activate 2-Arm"))["units"] == ["10-Hus"]
