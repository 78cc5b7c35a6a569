"""9 The Admin Phase and reinforcements."""

from __future__ import annotations

import pytest

from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.organisation import Organisation
from sandtable.titles.theseus.reinforcements import Reinforcements, entry_hexes, waiting
from sandtable.titles.theseus.replacements import PanzerReplacements, Replacements
from sandtable.titles.theseus.state import Game
from tests.titles.theseus.tables import (
    TITLE,
    disrupted,
    enter,
    give,
    goals,
    ids,
    level,
    play,
    position,
    refused,
    strength,
    texts,
    where,
)

ADMIN = {"phase": "admin"}


def test_9_1_1_levels_recover_in_supply_only() -> None:
    """9.1, 9.1.2, 5.7.1"""
    units = (
        "21Pz.HQ 1020 spent low, I/5 1020, 15Pz.HQ 3120 spent, I/8 3120, 7.Mot 3118, 7Armd.HQ 3417"
    )
    game = position(units, point=ADMIN, levels={"21Pz": 1, "15Pz": 1, "7Armd": 5}, air=0)
    hqs = ids(game, "21Pz.HQ", "15Pz.HQ")
    assert (
        level(game, "21Pz") == 5 and not game.pieces[hqs[0]].spent and not game.pieces[hqs[0]].low
    )
    assert level(game, "15Pz") == 1 and game.pieces[hqs[1]].spent and game.pieces[hqs[1]].low
    assert level(game, "7Armd") == 6
    assert game.air == 5


def test_9_1_3_units_in_command_recover_whatever_the_supply() -> None:
    """5.6.4, 9.1.4"""
    units = (
        "15Pz.HQ 3120, I/8 3120 disrupted, II/8 3920 disrupted, 7.Mot 3018, 7Armd.HQ 3417,"
        "Kst.Kiehl 1020 disrupted acts:3"
    )
    game = position(units, point=ADMIN, dice=[9, 5, 5])
    assert not disrupted(game, "I/8")
    assert disrupted(game, "II/8")
    assert not disrupted(game, "Kst.Kiehl")
    assert game.pieces[ids(game, "Kst.Kiehl")[0]].acts == 0
    lost = position(
        "Kst.Kiehl 3424 disrupted acts:2, 7.Mot 3118, 7Armd.HQ 3417", point=ADMIN, dice=[5, 5]
    )
    assert disrupted(lost, "Kst.Kiehl")
    assert lost.pieces[ids(lost, "Kst.Kiehl")[0]].acts == 2


def test_9_1_5_attrition_of_isolated_disrupted_units() -> None:
    """5.8.4"""
    units = "Pavia.HQ 1012, Pavia.27 3018 disrupted, Pavia.28 1012"
    game = position(units, point=ADMIN, dice=[6])
    assert strength(game, "Pavia.27") == 7 - (6 - 2)
    passed = position(units, point=ADMIN, dice=[2])
    assert strength(passed, "Pavia.27") == 7
    dead = position(units.replace("disrupted", "disrupted 3"), point=ADMIN, dice=[10])
    assert where(dead, "Pavia.27") == "gone"


@pytest.mark.parametrize(("die", "asked"), [(3, True), (10, False)])
def test_9_1_5_the_more_a_check_fails_by_the_worse(die: int, asked: bool) -> None:
    """5.2"""
    units = "Pavia.HQ 1012, Pavia.27 3018 disrupted, Pavia.28 1012"
    orders = {"commonwealth snafu": "when-it-can-hurt"}
    game = position(units, point=ADMIN, orders=orders, snafu="commonwealth", dice=[die])
    assert (game.actor == "commonwealth") is asked
    free = position(units, point=ADMIN, orders={}, snafu="commonwealth", dice=[die])
    assert ("no die could be worse for it" in free.prompt) is not asked


def test_9_2_assignment_needs_both_headquarters() -> None:
    """5.5.2, 5.8.1"""
    units = (
        "21Pz.HQ 1020, I/5 1020, 15Pz.HQ 1023, I/8 1023, 18.Flak 1021 of:21Pz, 35.Flak 1032"
    ).replace("1032", "1029")
    game = position(units + " of:15Pz, Ariete.HQ 1022", point={"phase": "organisation"})
    assert "assign 18.Flak 15Pz" in texts(game)
    assert refused(game, "assign 18.Flak Ariete").rule == "5.5.2"
    assert refused(game, "assign 35.Flak 21Pz").rule == "5.5.2"
    assert refused(game, "assign I/5 15Pz").rule == "5.5.2"
    play(game, "assign 18.Flak 15Pz")
    assert game.pieces[ids(game, "18.Flak")[0]].parent == game.data.formation("15Pz")
    assert refused(game, "assign 18.Flak 21Pz").rule == "5.5.2"
    shaken = position(
        units.replace("18.Flak 1021", "18.Flak 1021 disrupted") + " of:15Pz",
        point={"phase": "organisation"},
    )
    assert refused(shaken, "assign 18.Flak 15Pz").rule == "5.6.3"


def test_9_2_dummies_hide_what_is_assigned() -> None:
    game = position(
        "21Pz.HQ 1020, I/5 1020, 15Pz.HQ 1023, I/8 1023",
        point={"phase": "organisation"},
        dice=[5, 5],
    )
    play(game, "dummy 15Pz", "dummy 15Pz", "dummy 21Pz")
    assert not any(text.startswith("dummy") for text in texts(game))
    assert refused(game, "dummy 21Pz").rule == "5.5.2"
    play(game, "done")
    boxes = {t.id: t.value for t in game.view("commonwealth").tracks if t.id.startswith("assigned")}
    assert boxes == {"assigned-15Pz": "2 markers", "assigned-21Pz": "1 marker"}


def test_5_5_2_dummies_may_be_placed_at_set_up() -> None:
    game = TITLE.start("campaign", seed="dummies")
    assert isinstance(game, Game)
    assert "dummy 21Pz" in texts(game)
    play(game, "schwerpunkt 21Pz", "dummy Ariete", "done")
    boxes = {t.id: t.value for t in game.view("commonwealth").tracks if t.id.startswith("assigned")}
    assert boxes["assigned-Ariete"] == "1 marker"


def test_5_9_the_schwerpunkt_goes_to_a_supplied_formation() -> None:
    units = "21Pz.HQ 1020, I/5 1020, 15Pz.HQ 3120, I/8 3120, 7.Mot 3118, 7Armd.HQ 3417"
    game = position(units, point={"phase": "organisation"}, schwerpunkt="15Pz")
    assert {t for t in texts(game) if t.startswith("schwerpunkt")} == {"schwerpunkt 21Pz"}
    assert refused(game, "schwerpunkt 7Armd").rule == "5.9"
    play(game, "schwerpunkt 21Pz")
    assert game.schwerpunkt == game.data.formation("21Pz")
    dead = position("21Pz.HQ 1020, I/5 1020 1", schwerpunkt="21Pz")
    dead.lose(ids(dead, "I/5")[0], 1, "7.5.2.1")
    assert dead.schwerpunkt == -1 and where(dead, "21Pz.HQ") == "gone"


def test_5_9_a_marker_that_lost_its_hq_waits_for_the_next_turn() -> None:
    """5.9, 9.1.5 Ariete's last unit dies in the Recovery Segment."""
    units = (
        "Ariete.VIII gone, Ariete.IX gone, Ariete.X gone, Ariete.8 gone,"
        "Ariete.III 3018 disrupted 1, Ariete.HQ 1921, 21Pz.HQ 1924, I/5 1924, 7.Mot 3117,"
        "3.RTR/4 3119, 5.RTR/4 2919, 8.H/4 3016, 7Armd.HQ 3421"
    )
    game = position(units, turn=3, schwerpunkt="Ariete", point=ADMIN, dice=[10])
    assert where(game, "Ariete.HQ") == "gone" and isinstance(game.step, Organisation)
    assert refused(game, "schwerpunkt 21Pz").rule == "5.9"
    free = position(units, turn=3, point=ADMIN, dice=[10])
    assert "schwerpunkt 21Pz" in texts(free)


def test_3_3_an_hq_whose_last_unit_is_reassigned_is_removed() -> None:
    """3.3, 9.2 When the segment ends: until then another unit may be assigned to it."""
    units = "29.Ind gone, 10.Ind gone, 5Ind.HQ 4321, 9.Ind 4322 of:5Ind, 2SA.HQ 4320"
    point = {"phase": "organisation", "side": "commonwealth"}
    game = position(f"{units}, 6.SA.Bde 4319", turn=4, point=point, dice=[5, 5])
    play(game, "assign 9.Ind 2SA")
    assert where(game, "5Ind.HQ") == "4321"
    play(game, "done")
    assert where(game, "5Ind.HQ") == "gone" and where(game, "2SA.HQ") == "4320"


def test_9_3_the_panzer_point() -> None:
    units = (
        "21Pz.HQ 1020, I/5 1020 5, II/5 1020, 21Pz.3 1020 1 disrupted, Ariete.HQ 1023,"
        "Ariete.IX 1023 2, 15Pz.HQ 3120, I/8 3121 4, 90Le.HQ 1010, 90Le.580 1010 1, 7.Mot 1011,"
        "7Armd.HQ 1412"
    )
    game = enter(position(units, turn=4), PanzerReplacements(1))
    assert texts(game) == {"done", "replace I/5"}
    assert game.prompt == "Give 1 Panzer Replacement Point to German tank units, or finish."
    assert refused(game, "replace II/5").rule == "9.3"
    assert refused(game, "replace 21Pz.3").rule == "5.6.3"
    assert refused(game, "replace Ariete.IX").rule == "9.3"
    assert refused(game, "replace 7.Mot").rule == "9.3"
    assert refused(game, "replace I/8").rule == "9.3"
    give(game, 5, 5)
    (event,) = [e for e in play(game, "replace I/5") if isinstance(e, ev.Replaced)]
    assert strength(game, "I/5") == 6
    assert game.sentence(event) == "I/5 receives a Replacement Point, strength 6."


def test_9_3_1_tanks_are_broken_up_for_tanks() -> None:
    """9.3.2"""
    units = (
        "7Armd.HQ 3820, 3.RTR/4 3820 2, 5.RTR/4 3820 3, 8.H/4 3720 1, 2SA.HQ 4204,"
        "4.RTR 4204 2 of:2SA,"
        "StopCol 3305 of:2SA, 4.SA.Bde 4204 8, KDG 3821 1, I/5 3620, 21Pz.HQ 3420"
    )
    game = enter(position(units, turn=4), Replacements())
    assert "break-up 3.RTR/4" in texts(game)
    assert "break-up StopCol" in texts(game)
    assert refused(game, "break-up 5.RTR/4").rule == "9.3.1"
    assert refused(game, "break-up 8.H/4").rule == "9.3.1"  # in the ZOC of I/5
    assert refused(game, "break-up KDG").rule == "9.3.1"
    (broken,) = [e for e in play(game, "break-up 3.RTR/4") if isinstance(e, ev.BrokenUp)]
    one = ev.BrokenUp(broken.unit, 1, rule=broken.rule)
    assert game.sentence(one) == "3 RTR/4 is broken up for 1 Replacement Point."
    assert {t for t in texts(game) if t.startswith("replace")} == {"replace 5.RTR/4"}
    play(game, "replace 5.RTR/4")
    assert strength(game, "5.RTR/4") == 4
    told = play(game, "break-up StopCol")
    assert [event.rule for event in told if isinstance(event, ev.BrokenUp)] == ["9.3.2"]
    assert {t for t in texts(game) if t.startswith("replace")} == {"replace 4.SA.Bde"}
    play(game, "replace 4.SA.Bde", "replace 4.SA.Bde")
    assert strength(game, "4.SA.Bde") == 10
    assert where(game, "StopCol") == "gone"
    odd = enter(position(units, turn=5), Replacements())
    assert not isinstance(odd.step, Replacements)


def test_9_4_reinforcements_enter_or_wait() -> None:
    """9.4.1, 9.4.2"""
    units = "1Armd.HQ 3313, QB/2 3313, 50Div.HQ 3316, 50Div.69 3316, I/5 5211, 21Pz.HQ 4811"
    game = enter(position(units, turn=5), Reinforcements(1))
    assert {game.name(p) for p in waiting(game, 1)} >= {"1 RTR/1", "6 RTR/1", "11 Ind"}
    hexes = {t.split()[2] for t in texts(game) if t.startswith("enter 1.RTR/1")}
    assert hexes == {"5410", "5413", "5422", "5427"}
    assert refused(game, "enter 11.Ind 5427").rule == "5.5.2"
    assert refused(game, "enter 21.Ind 5427").rule == "9.4"
    assert refused(game, "enter 1.RTR/1 5400".replace("5400", "5408")).rule == "9.4.1"
    play(game, "assign 11.Ind 50Div", "enter 11.Ind 5427")
    assert "halt" in texts(game)
    play(game, "halt")
    play(game, "enter 1.RTR/1 5410")
    ezoc = set(game.data.board.text(game.situation.zoc[0]))
    assert not goals(game) & ezoc
    give(game, 5, 5)
    play(game, "halt", "done")
    assert where(game, "6.RTR/1") == "pool"
    late = enter(position(units, turn=6), Reinforcements(1))
    assert "6 RTR/1" in {late.name(p) for p in waiting(late, 1)}


def test_9_4_1_blocked_entries_move_to_the_nearest_edge() -> None:
    units = "1Armd.HQ 5220, QB/2 5220"
    shut = ["5410", "5413", "5422", "5427"]
    game = enter(position(units, turn=5, blocked=shut), Reinforcements(1))
    piece = ids(game, "1.RTR/1")[0]
    found = [game.data.board.names[h] for h in entry_hexes(game, piece)]
    assert found == ["5421", "5423"]  # beside 5422, the only source in command range
    assert refused(game, "enter 1.RTR/1 5422").rule == "9.4.1"
    give(game, 5, 5)
    play(game, "enter 1.RTR/1 5421", "to 5422", "halt")
    assert game.data.hex("5422") not in game.blocked


def test_9_4_1_the_coast_is_no_map_edge() -> None:
    units = (
        "2SA.HQ 4204, 4.SA.Bde 3904, 6.SA.Bde 4106, 20.Ind pool of:2SA, I/5 5409, II/5 5412,"
        "I/8 5422, II/8 5427, 21Pz.HQ 5408, 15Pz.HQ 5421"
    )
    game = position(units, turn=6)
    assert entry_hexes(game, game.data.piece("20.Ind")) == []


def test_9_4_3_a_new_formation_begins_at_its_maximum() -> None:
    game = enter(position("21Pz.HQ 1020, I/5 1020", turn=7), Reinforcements(0))
    assert refused(game, "enter Littorio.XII 0006").rule == "9.4"
    play(game, "enter Littorio.HQ 0006", "halt")
    assert level(game, "Littorio") == 5
    told = play(game, "enter Littorio.XII 0006")
    assert any(isinstance(event, ev.Entered) for event in told)


def test_9_the_initiative_marker_returns_to_zero() -> None:
    """4, 8, 5.7.3"""
    units = "21Pz.HQ 1020, I/5 1020, 7.Mot 3118, 7Armd.HQ 3417"
    game = position(
        units,
        point={"phase": "end of turn"},
        initiative_space=3,
        tobruk_next="axis",
        passed=["axis"],
    )
    assert game.turn == 3 and game.drm == 0 and game.passed == (False, False)
    assert game.tobruk == 0 and game.tobruk_next == -1
    assert isinstance(game.step, Organisation)


def test_7_7_replacements_do_not_end_improved_defence() -> None:
    game = enter(
        position("21Pz.HQ 1020, I/5 1021 5", turn=4, improved=["1021"]), PanzerReplacements(1)
    )
    give(game, 5, 5)
    play(game, "replace I/5")
    assert game.improved
