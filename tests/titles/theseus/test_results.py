"""7.5.2, 7.5.3 Hits, retreats and Battle Victory."""

from __future__ import annotations

from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.results import Hits, bonus_points
from sandtable.titles.theseus.retreat import Retreat, retreat_hexes
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import new_battle
from tests.titles.theseus.tables import (
    QUIET,
    acting,
    disrupted,
    enter,
    give,
    ids,
    play,
    refused,
    strength,
    texts,
    where,
)

PAIR = "7.Mot 3118, 3.RTR/4 3118, 7Armd.HQ 3421, I/5 3018, 21Pz.HQ 2920"


def hit(
    hits: int, red: bool = False, *, units: str = PAIR, dice: list[int] | None = None,
    who: str = "7.Mot 3.RTR/4", armour: str = "3.RTR/4", attacking: bool = False
) -> Game:  # fmt: skip
    game = acting("21Pz", units, dice=dice or [])
    unit = ids(game, armour)[0] if armour else -1
    return enter(game, Hits(ids(game, *who.split()), hits, red, unit, attacking))


def test_7_5_2_black_results_hold_or_fall_back() -> None:
    game = hit(3)
    assert strength(game, "3.RTR/4") == 3
    assert texts(game) == {"hold", "fall-back"}
    play(game, "hold")
    # 7.5.2.1: the next loss goes to the other unit, the third is a free choice.
    assert strength(game, "7.Mot") == 11
    assert texts(game) == {"lose 7.Mot", "lose 3.RTR/4"}
    play(game, "lose 7.Mot")
    assert strength(game, "7.Mot") == 10 and where(game, "7.Mot") == "3118"


def test_7_5_2_a_defender_turns_every_remaining_hit_into_a_hex() -> None:
    game = hit(3)
    play(game, "fall-back")
    while any(text.startswith("retreat") for text in texts(game)):
        play(game, min(texts(game)))
    here, start = game.data.hex(where(game, "7.Mot")), game.data.hex("3118")
    assert game.data.distance(here, start) == 2
    assert strength(game, "7.Mot") == 12 and strength(game, "3.RTR/4") == 3


def test_7_5_2_an_attacker_turns_only_the_first_into_a_hex() -> None:
    game = hit(4, attacking=True)
    play(game, "fall-back")
    while any(text.startswith("retreat") for text in texts(game)):
        play(game, min(texts(game)))
    assert strength(game, "7.Mot") == 11
    assert texts(game) == {"lose 7.Mot", "lose 3.RTR/4"}


def test_7_5_2_held_hits_send_units_disrupted_before_back() -> None:
    units = PAIR.replace("3.RTR/4 3118", "3.RTR/4 3118 disrupted")
    game = hit(2, units=units)
    play(game, "hold")
    while any(text.startswith("retreat") for text in texts(game)):
        play(game, min(texts(game)))
    assert where(game, "7.Mot") == "3118" and where(game, "3.RTR/4") != "3118"


def test_7_5_2_case_B_all_failed() -> None:
    game = hit(3, True, dice=[9, 9])
    assert disrupted(game, "7.Mot") and disrupted(game, "3.RTR/4")
    while any(text.startswith("retreat") for text in texts(game)):
        play(game, min(texts(game)))
    here, start = game.data.hex(where(game, "7.Mot")), game.data.hex("3118")
    assert game.data.distance(here, start) == 2
    attack = hit(3, True, dice=[9, 9], attacking=True)
    while any(text.startswith("retreat") for text in texts(attack)):
        play(attack, min(texts(attack)))
    here = attack.data.hex(where(attack, "7.Mot"))
    assert attack.data.distance(here, start) == 1 and strength(attack, "7.Mot") == 11


def test_7_5_2_case_C_holding_units_take_all_remaining_hits() -> None:
    game = hit(3, True, dice=[1, 9])
    assert texts(game) == {"hold-with 7.Mot", "follow 7.Mot"}
    play(game, "hold-with 7.Mot")
    while any(text.startswith("retreat") for text in texts(game)):
        play(game, min(texts(game)))
    assert where(game, "7.Mot") == "3118" and strength(game, "7.Mot") == 10
    assert where(game, "3.RTR/4") != "3118"


def test_7_5_2_case_C_following_counts_as_one_hit() -> None:
    game = hit(3, True, dice=[1, 9])
    play(game, "follow 7.Mot")
    while any(text.startswith("retreat") for text in texts(game)):
        play(game, min(texts(game)))
    assert strength(game, "7.Mot") == 12
    here, start = game.data.hex(where(game, "7.Mot")), game.data.hex("3118")
    assert game.data.distance(here, start) == 2


def test_7_5_2_one_red_hit_checks_but_does_not_retreat() -> None:
    game = hit(1, True, dice=[9, 9])
    assert disrupted(game, "7.Mot") and where(game, "7.Mot") == "3118"


def test_5_6_2_a_disrupted_unit_that_fails_in_combat_loses_a_point() -> None:
    units = PAIR.replace("7.Mot 3118", "7.Mot 3118 disrupted")
    game = hit(1, True, units=units, dice=[9, 1])
    assert strength(game, "7.Mot") == 11


def test_7_5_2_1_a_unit_without_strength_is_eliminated() -> None:
    units = PAIR.replace("3.RTR/4 3118", "3.RTR/4 3118 1")
    game = hit(1, units=units)
    assert where(game, "3.RTR/4") == "gone"
    free = hit(1, armour="")
    assert texts(free) == {"lose 7.Mot", "lose 3.RTR/4"}
    play(free, "lose 7.Mot")
    assert strength(free, "7.Mot") == 11


def test_7_5_2_2_retreats_lead_home_and_avoid_losses() -> None:
    game = acting("21Pz", PAIR)
    units = ids(game, "7.Mot", "3.RTR/4")
    found = {game.data.board.names[h] for h in retreat_hexes(game, units, False, ())}
    assert found <= {"3218", "3219"}
    axis = acting("7Armd", "I/5 3018, 21Pz.HQ 2822, 7.Mot 3118, 7Armd.HQ 3421")
    tank = ids(axis, "I/5")
    assert {axis.data.board.names[h] for h in retreat_hexes(axis, tank, True, ())} == {"3017"}


def test_7_5_2_2_what_bars_a_retreat() -> None:
    # Ridges to the north, sea none, an enemy HQ whose neighbours are shut.
    game = acting("7Armd", "I/5 2404, 21Pz.HQ 2007, 7.Mot 2504, 7Armd.HQ 2605")
    hexes = {game.data.board.names[h] for h in retreat_hexes(game, ids(game, "I/5"), True, ())}
    assert "2403" not in hexes
    near = acting("7Armd", "I/5 3018, 21Pz.HQ 2822, 7.Mot 3118, 7Armd.HQ 2917", breached=["2917"])
    hexes = {near.data.board.names[h] for h in retreat_hexes(near, ids(near, "I/5"), True, ())}
    assert not hexes & {"2918", "3017", "2917"}
    mined = acting("7Armd", "I/5 2820, 21Pz.HQ 2422, 7.Mot 2920, 7Armd.HQ 3120")
    hexes = {mined.data.board.names[h] for h in retreat_hexes(mined, ids(mined, "I/5"), True, ())}
    assert not hexes & {"2719", "2819"}


def test_7_5_2_3_example_forced_retreat_into_an_ezoc() -> None:
    ring = "3.RTR/4 3119, 5.RTR/4 2916, 8.H/4 2819"
    game = acting(
        "7Armd",
        f"I/5 3018, II/5 3018, 21Pz.HQ 2522, 7.Mot 3117, {ring}, 7Armd.HQ 3421",
        breached=["2917", "2916"],
    )
    enter(game, Retreat(ids(game, "I/5", "II/5"), 1, True))
    if any(text.startswith("retreat") for text in texts(game)):
        play(game, min(texts(game)))
    assert where(game, "I/5") != "3018"
    assert strength(game, "I/5") == strength(game, "II/5") == 6


def test_7_5_2_3_example_no_way_out_costs_two_points_a_hex() -> None:
    ring = "3.RTR/4 3017, 5.RTR/4 3019, 8.H/4 3117, QB/2 3118, 9.L/2 2918"
    game = acting("7Armd", f"I/5 3018, II/5 3018, 21Pz.HQ 2522, {ring}, 7Armd.HQ 3421")
    enter(game, Retreat(ids(game, "I/5", "II/5"), 1, True))
    assert where(game, "I/5") == "3018"
    assert strength(game, "I/5") == strength(game, "II/5") == 5
    # Voluntary retreats do not enter EZOCs: the option is not even offered.
    held = acting("7Armd", f"I/5 3018, 21Pz.HQ 2522, {ring}, 7Armd.HQ 3421")
    enter(held, Hits(ids(held, "I/5"), 2, False, ids(held, "I/5")[0], False))
    assert strength(held, "I/5") == 5


def test_7_5_2_2_examples_a_clear_way_and_a_way_shut_by_ridges() -> None:
    game = acting("7Armd", "I/5 3018, II/5 3018, 21Pz.HQ 2522, 7.Mot 3118, 7Armd.HQ 3421")
    enter(game, Retreat(ids(game, "I/5", "II/5"), 1, False))
    assert where(game, "I/5") == where(game, "II/5") == "3017"
    assert strength(game, "I/5") == strength(game, "II/5") == 7
    # Three ridges and three enemies leave 4817 no way out: two points each, and they stay.
    shut = acting(
        "7Armd",
        "I/5 4817, II/5 4817, 21Pz.HQ 2522, 7.Mot 4816, 3.RTR/4 4916, 5.RTR/4 4716, 7Armd.HQ 4616",
    )
    data = shut.data
    for ridge in ("4917", "4818", "4717"):
        assert (data.hex("4817"), data.hex(ridge)) in data.ridges
        assert data.hex(ridge) not in shut.at
    enter(shut, Retreat(ids(shut, "I/5", "II/5"), 1, True))
    assert where(shut, "I/5") == where(shut, "II/5") == "4817"
    assert strength(shut, "I/5") == strength(shut, "II/5") == 5


def test_7_5_2_2_falling_back_needs_a_free_hex() -> None:
    ring = "3.RTR/4 3016, 5.RTR/4 3020, 8.H/4 3217, QB/2 2819, 9.L/2 3219"
    game = acting("7Armd", f"I/5 3018, 21Pz.HQ 2522, {ring}, 7Armd.HQ 3421")
    enter(game, Hits(ids(game, "I/5"), 3, False, ids(game, "I/5")[0], False))
    # Held without being asked: three hits are three points.
    assert strength(game, "I/5") == 4 and where(game, "I/5") == "3018"


def test_7_5_3_the_winner_acts_at_once_in_command() -> None:
    units = "I/5 3018, 21Pz.HQ 2920, 7.Mot 3118, 7Armd.HQ 3417"
    game = acting("21Pz", units, ap=3)
    battle = new_battle(game, 0, ids(game, "I/5"), game.data.hex("3018"), game.data.hex("3118"))
    step = bonus_points(game, battle, "1/2*")
    assert step is not None
    enter(game, step)
    assert "1 bonus AP and 3" in game.prompt
    assert refused(game, "move 21Pz.HQ").rule == "7.5.3"
    play(game, "improve 3018")
    assert game.ap[0] == 3 and not getattr(game.step, "units", ())
    assert bonus_points(game, battle, "2/2") is None
    far = acting("21Pz", units.replace("2920", "2024"))
    assert bonus_points(far, battle, "1/2") is None


def test_7_5_3_the_schwerpunkt_gives_two_and_a_defender_cannot_add() -> None:
    units = "I/5 3018, 21Pz.HQ 2920, 7.Mot 3118, 7Armd.HQ 3417"
    game = acting("7Armd", units, ap=3, schwerpunkt="21Pz", orders={})
    battle = new_battle(game, 1, ids(game, "7.Mot"), game.data.hex("3118"), game.data.hex("3018"))
    step = bonus_points(game, battle, "2/1")
    assert step is not None
    enter(game, step)
    assert game.actor == "axis" and "2 bonus AP with" in game.prompt
    play(game, "move I/5", "to 2918")
    if "halt" in texts(game):
        play(game, "halt")
    assert game.actor == "axis" and "1 bonus AP" in game.prompt
    play(game, "end")
    assert game.actor == "commonwealth" and game.ap[1] == 3


def test_7_5_3_a_bonus_point_is_for_units_in_command_when_it_is_spent() -> None:
    units = "21Pz.3 3018, 21Pz.HQ 2920, 7.Mot 3118 disrupted, 7Armd.HQ 3417"
    game = acting("21Pz", units, ap=3, schwerpunkt="21Pz")
    here, there = game.data.hex("3018"), game.data.hex("3118")
    step = bonus_points(game, new_battle(game, 0, ids(game, "21Pz.3"), here, there), "1/2")
    assert step is not None
    enter(game, step)
    play(game, "move 21Pz.3", "to 3820")
    assert game.prompt.startswith("Choose an action for 21 Pz: 3 AP"), "the bonus is over"


def test_7_5_3_a_second_victory_forfeits_the_unspent_bonus() -> None:
    units = "I/5 3018, 21Pz.HQ 2920, 50Div.69 3118 1, 50Div.HQ 3417, 50Div.150 3217"
    game = acting("21Pz", units, ap=3, schwerpunkt="21Pz", air=0)
    battle = new_battle(game, 0, ids(game, "I/5"), game.data.hex("3018"), game.data.hex("3118"))
    step = bonus_points(game, battle, "1/2")
    assert step is not None
    enter(game, step)
    give(game, 7, 23, 10, 1, 1)
    told = play(game, "attack 3018 3118", "strike hasty")
    won = [event for event in told if isinstance(event, ev.BattleWon)]
    assert [event.points for event in won] == [2]
    play(game, "end")
    assert not getattr(game.step, "units", ()) and game.ap[0] == 3


def test_8_roster_sheets_hide_which_unit_lost() -> None:
    game = acting("21Pz", PAIR, options={"roster": True})
    game.events = []
    game.lose(ids(game, "7.Mot")[0], 2, "7.5.2.1")
    shown = [event for event in game.events if event.only is None]
    assert [type(event) for event in shown] == [ev.Suffered]
    assert game.sentence(shown[0]) == "Commonwealth loses 2 Strength Points."
    own = [event for event in game.events if event.only == "commonwealth"]
    assert isinstance(own[0], ev.Lost) and own[0].left == 10
    plain = acting("21Pz", PAIR)
    plain.events = []
    plain.lose(ids(plain, "7.Mot")[0], 2, "7.5.2.1")
    assert [type(event) for event in plain.events] == [ev.Lost]


def test_7_5_2_disrupted_units_that_die_in_the_check_leave_the_others_to_choose() -> None:
    units = PAIR.replace("3.RTR/4 3118", "3.RTR/4 3118 2 disrupted")
    game = hit(3, True, units=units, dice=[1, 9])
    assert where(game, "3.RTR/4") == "gone"
    # All that are left passed: case A with its voluntary retreat, not case C.
    assert texts(game) == {"hold", "fall-back"} and ", 2 hits left: hold" in game.prompt
    play(game, "hold")
    assert strength(game, "7.Mot") == 10 and where(game, "7.Mot") == "3118"


def test_5_7_3_a_retreat_into_a_blocked_source_frees_it() -> None:
    units = "Ariete.8 0121, Ariete.HQ 0519, 7.Mot 0221, 7Armd.HQ 0421"
    game = acting("7Armd", units, blocked=["0021"])
    enter(game, Retreat(ids(game, "Ariete.8"), 1, True))
    told = play(game, "retreat 0021")
    assert game.blocked == () and any(isinstance(event, ev.SourceFreed) for event in told)


def test_7_5_3_a_victory_out_of_command_gains_nothing() -> None:
    game = acting("21Pz", "I/5 3018, 21Pz.HQ 2024, 7.Mot 3118, 7Armd.HQ 3417")
    battle = new_battle(game, 0, ids(game, "I/5"), game.data.hex("3018"), game.data.hex("3118"))
    game.events = []
    assert bonus_points(game, battle, "1/2") is None
    assert "no unit In Command" in game.sentence(game.events[-1])


def test_5_6_3_a_disrupted_unit_ends_the_cover_of_those_it_retreats_through() -> None:
    """Ruling R93"""
    units = (
        "I/5 3018, 21Pz.HQ 2817, 7.Mot 4020, 7Armd.HQ 3320, 3.RTR/4 3119, 5.RTR/4 3019, QB/2 3318"
    )
    game = acting("21Pz", units, improved=["3119", "3318"], dice=[10])
    retreating = ids(game, "5.RTR/4")
    enter(game, Hits(retreating, 3, True, retreating[0], False))
    assert where(game, "5.RTR/4") == "3119" and disrupted(game, "5.RTR/4")
    assert [game.data.board.names[hex] for hex in game.improved] == ["3318"]
    game.check()


def test_7_7_a_retreat_ends_the_cover_of_those_where_it_ends_alone() -> None:
    """Ruling R93"""
    units = (
        "I/5 3018, 21Pz.HQ 2817, 7.Mot 3019, 7Armd.HQ 3320, 3.RTR/4 3119, 5.RTR/4 3019, QB/2 3318"
    )
    game = acting("21Pz", units, improved=["3119", "3318"])
    enter(game, Retreat(ids(game, "5.RTR/4"), 3, False))
    dug_in = [[game.data.board.names[hex] for hex in game.improved]]
    for hex in ("3119", "3219", "3318"):
        if f"retreat {hex}" in texts(game):
            play(game, f"retreat {hex}")
        dug_in.append([game.data.board.names[hex] for hex in game.improved])
    assert where(game, "5.RTR/4") == "3318"
    assert dug_in[0] == ["3119", "3318"] and dug_in[-1] == ["3119"]


def test_7_5_3_ending_a_battle_victory_gives_up_the_bonus_alone() -> None:
    units = "I/5 3020, 21Pz.HQ 3018, 21Pz.104 3020, 3.Ind.Mot 3021 1, 7Armd.HQ 3126"
    dice = [1, 1, 10, 1, 1, 10, 10, 10, 10, 10]
    orders = {key: way for key, way in QUIET.items() if key != "axis bonus"}
    game = acting("21Pz", units, ap=6, dice=dice, air=0, orders=orders)
    play(game, "attack 3020 3021", "strike hasty")
    assert game.price(game.parse("end")) == "the 1 Action Point left is lost"
