"""11.0, 11.2, 12.0, 13.1, 13.6, 10.0 Attacks, their odds and results, and advances."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from sandtable.titles.cauldron.battle import Battle, column, crosses_mines, modifiers
from sandtable.titles.cauldron.combat import Assault, AttackerChits, DefenderChits
from sandtable.titles.cauldron.events import Fought
from sandtable.titles.cauldron.movement import Move
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.zoc import zoc

from .helpers import DATA, active, at, on_map, play, position, refused, texts, uid, unit


def battle_of(game: Game) -> Battle:
    step = game.stack[-1]
    assert isinstance(step, Assault)
    return step.battle


def named(game: Game) -> dict[str, int]:
    return {each.name: each.value for each in modifiers(game, battle_of(game))}


def left(game: Game) -> str:
    step = game.stack[-1]
    assert isinstance(step, Move)
    return DATA.show_points(step.left(game))


@pytest.mark.parametrize(
    ("attack", "defence", "name"),
    [
        (1, 9, "1-3"),
        (1, 3, "1-3"),
        (1, 2, "1-2"),
        (16, 17, "1-2"),
        (1, 1, "1-1"),
        (19, 10, "1-1"),
        (2, 1, "2-1"),
        (39, 10, "3-1"),
        (20, 3, "5-1"),
        (69, 10, "5-1"),
        (7, 1, "7-1"),
        (89, 10, "7-1"),
        (9, 1, "9-1"),
        (40, 1, "9-1"),
    ],
)
def test_11_0_odds_round_down_and_stop_at_both_ends(attack: int, defence: int, name: str) -> None:
    game = active("5/1", "5/1 2018")
    assert DATA.tables.crt.columns[column(game, attack, defence)] == name


@pytest.mark.parametrize(
    ("name", "costs"),
    [("5/1", ("8", "16", "24")), ("104/1", ("8", "16", "24")), ("27", ("2", "4", "6"))],
)
def test_11_0_what_an_attack_costs(name: str, costs: tuple[str, ...]) -> None:
    move_class = DATA.units[uid(name)].move_class
    shown = tuple(
        DATA.show_points(DATA.attack_cost[level, move_class])
        for level in ("light", "medium", "heavy")
    )
    assert shown == costs


def test_11_0_all_adjacent_enemies_are_attacked() -> None:
    game = active("5/1", "5/1 2018", "2-Lan 2017", "11-Cav 2017", "18-Cav 2118", "1-RB 2015")
    play(game, "attack 5/1 light")
    assert set(battle_of(game).defenders) == {uid("2-Lan"), uid("11-Cav"), uid("18-Cav")}


def test_11_0_helpers_join_unit_by_unit_moved_or_not() -> None:
    game = active("5/1", "5/1 2018", "2-Lan 2017", "104/1 2016 used", "104/2 1917", "104/3 2020")
    play(game, "attack 5/1 light")
    assert texts(game) == {"join 104/1", "join 104/2", "resolve"}
    assert refused(game, "join 104/3").rule == "11.0"
    play(game, "join 104/1")
    assert texts(game) == {"join 104/2", "resolve"}
    assert "already" in refused(game, "join 104/1").text


def test_11_0_hard_and_soft_values() -> None:
    # Armor among the defenders: hard values and no infantry.
    game = active("5/1", "5/1 2018", "2-Lan 2017", "10-Hus 2017", "104/1 2016", "39-AT 2016")
    play(game, "attack 5/1 light")
    assert texts(game) == {"join 39-AT", "resolve"}
    assert "14 to 15" in game.prompt  # 14 hard against 3 + 12 hard
    play(game, "join 39-AT")
    assert "22 to 15" in game.prompt
    # No armor on either side: soft against soft, and no anti-tank units.
    game = active("104/1", "104/1 2018", "2-Lan 2017", "39-AT 2016", "104/2 2016")
    play(game, "attack 104/1 light")
    assert texts(game) == {"join 104/2", "resolve"}
    assert "8 to 4" in game.prompt
    assert "nti-tank" in refused(game, "join 39-AT").text
    # Armor joins infantry: the defender turns to hard values.
    game = active("104/1", "104/1 2018", "2-Lan 2017", "5/1 2016")
    play(game, "attack 104/1 light", "join 5/1")
    assert "20 to 3" in game.prompt


def test_11_0_infantry_does_not_start_an_attack_next_to_armor() -> None:
    game = active("104/1", "104/1 2018", "2-Lan 2017", "10-Hus 2118")
    assert not texts(game, "attack")
    refusal = refused(game, "attack 104/1 light")
    assert (refusal.rule, "nfantry" in refusal.text) == ("11.0", True)


def test_11_0_anti_tank_units_never_start() -> None:
    game = active("39-AT", "39-AT 2018", "10-Hus 2017")
    assert not texts(game, "attack")
    assert "nti-tank" in refused(game, "attack 39-AT light").text


def test_11_0_no_attack_without_an_adjacent_enemy() -> None:
    game = active("5/1", "5/1 2018", "10-Hus 2016")
    assert not texts(game, "attack")
    assert refused(game, "attack 5/1 light").rule == "11.0"


def test_11_0_no_attack_across_an_escarpment_unless_a_road_crosses_it() -> None:
    assert not texts(active("5/1", "5/1 1702", "10-Hus 1701"), "attack")
    assert texts(active("5/1", "5/1 1902", "10-Hus 1901"), "attack")
    # The enemy behind the escarpment is left out, the other one is attacked.
    game = active("5/1", "5/1 1702", "10-Hus 1701", "Bays 1703")
    play(game, "attack 5/1 light")
    assert battle_of(game).defenders == (uid("Bays"),)
    # And no helper joins across it.
    game = active("5/1", "5/1 1601", "2-Lan 1701", "5/2 1702")
    play(game, "attack 5/1 light")
    assert texts(game) == {"resolve"}


def test_5_0_isolated_units_neither_attack_nor_join() -> None:
    assert not texts(active("5/1", "5/1 2018 isolated", "2-Lan 2017"), "attack")
    assert (
        refused(active("5/1", "5/1 2018 isolated", "2-Lan 2017"), "attack 5/1 light").rule == "5.0"
    )
    game = active("5/1", "5/1 2018", "2-Lan 2017", "104/1 2016 isolated", "104/2 1917 oos")
    play(game, "attack 5/1 light")
    assert texts(game) == {"join 104/2", "resolve"}
    assert refused(game, "join 104/1").rule == "5.0"


def test_11_0_each_modifier_once_however_many_bring_it() -> None:
    game = active(
        "5/1",
        "5/1 1418 disrupted",
        "104/1 1418 disrupted",
        "2-Leg 1318 disrupted isolated",
        "104/2 1319 oos",
        "104/3 1319 oos",
    )
    play(game, "attack 5/1 medium", "join 104/1", "join 104/2", "join 104/3")
    assert named(game) == {
        "medium attack": 0,
        "fortified hex": -2,
        "minefield": -2,
        "attacker disrupted": -2,
        "defender disrupted": 2,
        "attacker out of supply": -2,
        "defender isolated": 2,
    }


def test_12_0_disruption_on_both_sides_cancels() -> None:
    game = active("5/1", "5/1 2018 disrupted", "2-Lan 2017 disrupted")
    play(game, "attack 5/1 light")
    found = named(game)
    assert found["attacker disrupted"] + found["defender disrupted"] == 0


def test_11_0_terrain_is_the_best_for_the_defender_and_counts_once() -> None:
    # 1109 and 1209 are ridge.
    game = active("5/1", "5/1 1108", "2-Lan 1109", "11-Cav 1209")
    play(game, "attack 5/1 light")
    assert named(game) == {"light attack": -2, "ridge": -1}
    # 1504 is fortified, 1403 is ridge: the fort is better.
    game = active("5/1", "5/1 1404", "2-Lan 1504", "11-Cav 1403")
    play(game, "attack 5/1 light")
    assert named(game) == {"light attack": -2, "fortified hex": -2}


def test_5_0_out_of_supply_defenders_are_not_affected() -> None:
    game = active("5/1", "5/1 2018", "2-Lan 2017 oos")
    play(game, "attack 5/1 medium")
    assert named(game) == {"medium attack": 0}


def test_14_0_the_minefield_modifier_applies_if_anybody_attacks_across_it() -> None:
    # 5/1 attacks 1314 (mined all round) and 1313 from 1214: only one modifier.
    game = active("5/1", "5/1 1214", "2-Lan 1313", "11-Cav 1314")
    play(game, "attack 5/1 light")
    assert crosses_mines(game, battle_of(game))
    assert named(game) == {"light attack": -2, "minefield": -2}
    # A helper across mines brings it in as well.
    game = active("5/1", "5/1 1214", "2-Lan 1313", "104/1 1314")
    play(game, "attack 5/1 light")
    assert named(game) == {"light attack": -2}
    play(game, "join 104/1")
    assert named(game) == {"light attack": -2, "minefield": -2}
    # Allied attacks suffer too; a breach lifts it.
    game = active("10-Hus", "10-Hus 1314", "5/1 1214")
    play(game, "attack 10-Hus light")
    assert named(game)["minefield"] == -2
    game = active(
        "10-Hus", "10-Hus 1314", "5/1 1214", tail='[[breaches]]\nsides = [["1214", "1314"]]'
    )
    play(game, "attack 10-Hus light")
    assert "minefield" not in named(game)


# Chits before the die.


def test_13_1_combat_chits_attacker_first_and_their_values() -> None:
    for side, name, foe, bonus in ((AXIS, "5/1", "2-Lan", 1), (ALLIED, "10-Hus", "104/1", 2)):
        other = ALLIED if side == AXIS else AXIS
        tail = f'[{side}]\nheld = ["combat"]\n[{other}]\nheld = ["combat"]'
        game = active(name, f"{name} 2018", f"{foe} 2017", tail=tail, dice=[5])
        play(game, f"attack {name} light", "resolve")
        assert isinstance(game.stack[-1], AttackerChits)
        assert game.actor == side
        play(game, "chit combat")
        # The attacker may play no second one, so passes by itself; the defender answers.
        assert isinstance(game.stack[-1], DefenderChits)
        assert game.actor == other
        odds = game.odds(game.parse("chit combat"))
        assert odds is not None
        values = {each.name: each.value for each in odds.modifiers}
        assert values["attacker's Combat chit"] == bonus
        assert values["defender's Combat chit"] == -1


def test_13_1_chits_are_played_after_the_odds_are_known() -> None:
    game = active("5/1", "5/1 2018", "2-Lan 2017", tail='[axis]\nheld = ["combat"]')
    play(game, "attack 5/1 light")
    assert not texts(game, "chit")
    play(game, "resolve")
    assert texts(game) == {"chit combat", "pass"}


def test_13_1_the_defender_is_asked_whenever_chits_lie_face_down() -> None:
    tail = '[allied]\nheld = ["extra-move"]'
    game = active("5/1", "5/1 2018", "2-Lan 2017", tail=tail, dice=[5])
    play(game, "attack 5/1 light", "resolve")
    assert game.actor == ALLIED
    assert texts(game) == {"pass"}
    assert refused(game, "chit combat").rule == "13.1"


def test_13_1_a_standing_order_answers_for_the_defender() -> None:
    tail = '[orders]\n"allied chits" = "never"\n[allied]\nheld = ["combat"]'
    game = active("5/1", "5/1 2018", "2-Lan 2017", tail=tail, dice=[9])
    play(game, "attack 5/1 light", "resolve")
    assert not isinstance(game.stack[-1], DefenderChits)
    assert len(game.players[ALLIED].held) == 1


def test_13_6_anti_tank_needs_allied_armor() -> None:
    tail = '[axis]\nheld = ["anti-tank"]'
    game = active("5/1", "5/1 2018", "2-Lan 2017", tail=tail, dice=[5])
    play(game, "attack 5/1 light", "resolve")
    assert not isinstance(game.stack[-1], AttackerChits)
    game = active("5/1", "5/1 2018", "10-Hus 2017", tail=tail, dice=[5])
    play(game, "attack 5/1 light", "resolve")
    assert texts(game) == {"chit anti-tank", "pass"}


@pytest.mark.parametrize(
    ("name", "may"), [("65/1", False), ("27", False), ("19", False), ("132/8", True)]
)
def test_13_6_not_with_trieste_pavia_or_brescia_alone(name: str, may: bool) -> None:
    tail = '[axis]\nheld = ["anti-tank"]'
    game = active("10-Hus", "10-Hus 2018", f"{name} 2017", tail=tail, dice=[5])
    play(game, "attack 10-Hus light", "resolve")
    assert isinstance(game.stack[-1], DefenderChits)
    assert ("chit anti-tank" in texts(game)) is may
    if not may:
        assert refused(game, "chit anti-tank").rule == "13.6"


def test_13_6_in_defence_the_allied_attacker_loses_a_step_first() -> None:
    tail = '[axis]\nheld = ["anti-tank", "anti-tank"]'
    game = active(
        "10-Hus",
        "10-Hus 2018",
        "Bays 2020",
        "132/8 2017",
        tail=tail,
        dice=[9],
        head='activated = ["Bays"]',
    )
    play(game, "attack 10-Hus light", "resolve", "chit anti-tank", "chit anti-tank")
    assert at(game, "10-Hus") == "eliminated"  # two chits, two steps, before anything else


def test_13_6_no_chit_for_the_allies() -> None:
    with pytest.raises(ValueError, match="no chit"):
        active("10-Hus", "10-Hus 2018", tail='[allied]\nheld = ["anti-tank"]')


# Results.


def fought(
    cell: str,
    *lines: str,
    name: str = "5/1",
    level: str = "light",
    head: str = "",
    tail: str = "",
) -> Game:
    """An attack scripted to give a result; everybody joins, with all points at the start."""
    probe = active(name, *lines, head=head, tail=tail)
    play(probe, f"attack {name} {level}")
    for text in sorted(texts(probe, "join")):
        play(probe, text)
    odds = probe.odds(probe.parse("resolve"))
    assert odds is not None
    chance = next(each for each in odds.outcomes if each.text == cell)
    game = active(name, *lines, head=head, tail=tail, dice=[*chance.faces, 1])
    play(game, f"attack {name} {level}")
    for text in sorted(texts(game, "join")):
        play(game, text)
    play(game, "resolve")
    return game


def test_11_0_the_first_attacker_step_is_the_active_units() -> None:
    game = fought(
        "*/*", "5/1 2018", "10-Hus 2017", "Bays 2017", "5/2 2020", head='activated = ["5/2"]'
    )
    assert game.actor == ALLIED
    assert texts(game) == {"lose 10-Hus", "lose Bays"}
    assert unit(game, "5/1").steps == 3  # the defender applies results first
    play(game, "lose Bays")
    assert unit(game, "5/1").steps == 2
    assert unit(game, "Bays").steps == 1


def test_11_0_a_d_result_disrupts_two_units_of_the_defenders_choice() -> None:
    game = fought(
        "-/D", "5/1 2018 values=[[40,40,9,9]]", "2-Lan 2017", "11-Cav 2118", "18-Cav 1918"
    )
    assert texts(game) == {"disrupt 2-Lan", "disrupt 11-Cav", "disrupt 18-Cav"}
    play(game, "disrupt 11-Cav")
    play(game, "disrupt 2-Lan")
    assert not unit(game, "18-Cav").disrupted
    assert unit(game, "11-Cav").disrupted
    assert unit(game, "2-Lan").disrupted


def test_11_0_disrupted_units_are_passed_over_by_a_d() -> None:
    game = fought(
        "-/D", "5/1 2018 values=[[40,40,9,9]]", "2-Lan 2017 disrupted", "11-Cav 2118", "18-Cav 1918"
    )
    assert unit(game, "11-Cav").disrupted
    assert unit(game, "18-Cav").disrupted


def test_11_0_the_attackers_first_d_is_the_active_units() -> None:
    game = fought("D/-", "5/1 2018", "10-Hus 2017", "5/2 2016", "8/1 1917", "8/2 2117")
    assert unit(game, "5/1").disrupted
    assert game.actor == AXIS
    assert texts(game) == {"disrupt 5/2", "disrupt 8/1", "disrupt 8/2"}


def test_12_0_a_fresh_disruption_cuts_the_active_units_points() -> None:
    game = fought("D/-", "5/1 2018", "10-Hus 2017", "Bays 2017", "9-Lan 1918")
    assert unit(game, "5/1").disrupted
    assert left(game) == "8"  # 24 less a third, less 8 for the attack


def test_11_0_an_attacker_that_must_retreat_stops() -> None:
    game = fought(
        "*DR/-",
        "5/1 2018",
        "10-Hus 2017",
        "Bays 2017",
        "9-Lan 1918",
        "5/2 2022",
        head='activated = ["5/2"]',
    )
    while game.actor == AXIS and texts(game, "retreat-to"):
        game.play(game.actions()[0])
    assert unit(game, "5/1").used
    assert texts(game) == {"select 5/2", "end"}


def test_11_0_going_on_after_a_result_without_advance() -> None:
    """11.0, 11.2 The general rule lets it go on (R1); the strict option does not."""
    lines = ("5/1 2018 values=[[60,60,9,9]]", "10-Hus 2017", "5/2 2022")
    game = fought("-/-", *lines, head='activated = ["5/2"]')
    assert isinstance(game.stack[-1], Move)
    strict = fought(
        "-/-", *lines, head='activated = ["5/2"]', tail="[options]\nstrict_advance = true"
    )
    assert texts(strict) == {"select 5/2", "end"}
    assert unit(strict, "5/1").used


def test_11_2_any_attacker_may_advance_up_to_the_stacking_limit() -> None:
    game = fought(
        "-/**DR",
        "5/1 2018",
        "2-Lan 2017",
        "104/1 2016",
        "104/2 1917",
    )
    assert at(game, "2-Lan") == "eliminated"
    assert texts(game) == {"advance 5/1 2017", "advance 104/1 2017", "advance 104/2 2017", "pass"}
    play(game, "advance 104/1 2017", "advance 104/2 2017")
    # The hex is full: nobody else goes in and the active unit moves on.
    assert left(game) == "16"
    assert not unit(game, "104/1").used


def test_11_2_the_advance_is_free_of_zoc_and_points() -> None:
    # 10 Hus stays: 2018 and 2017 are both in its ZOC.
    game = fought("*/*", "5/1 2018", "2-Lan 2017", "10-Hus 2117")
    play(game, "lose 2-Lan")
    zone = zoc(game, ALLIED)
    assert all(zone >> DATA.board.at(number) & 1 for number in ("2018", "2017"))
    play(game, "advance 5/1 2017")
    assert at(game, "5/1") == "2017"
    assert left(game) == "16"


def test_11_2_strict_option_goes_on_after_an_advance() -> None:
    game = fought(
        "-/**DR",
        "5/1 2018",
        "2-Lan 2017",
        "104/1 2016",
        "104/2 1917",
        tail="[options]\nstrict_advance = true",
    )
    play(game, "advance 104/1 2017", "pass")
    assert isinstance(game.stack[-1], Move)


def test_11_2_strict_option_goes_on_though_others_filled_the_hex() -> None:
    lines = ("5/1 2018", "2-Lan 2017", "104/1 2016", "104/2 1917")
    game = fought("-/**DR", *lines, tail="[options]\nstrict_advance = true")
    play(game, "advance 104/1 2017", "advance 104/2 2017")
    assert isinstance(game.stack[-1], Move)


@pytest.mark.parametrize("strict", [True, False])
def test_11_2_strict_option_stops_a_unit_that_was_not_eligible_to_advance(strict: bool) -> None:
    """11.2, 14.0 Armor does not advance across mines, so it does not go on either."""
    lines = ("5/1 1418 values=[[99,99,9,9]]", "2-Lan 1318", "5/2 2022")
    tail = f"[options]\nstrict_advance = {str(strict).lower()}"
    game = fought("-/DR", *lines, head='activated = ["5/2"]', tail=tail)
    while game.actor == ALLIED:
        play(game, min(texts(game)))
    assert at(game, "2-Lan") != "1318"
    assert at(game, "5/1") == "1418"
    assert isinstance(game.stack[-1], Move) is not strict
    assert unit(game, "5/1").used is strict


def test_14_0_only_axis_infantry_advances_across_unbreached_mines() -> None:
    game = fought(
        "-/**DR", "5/1 1418", "2-Lan 1318", "104/1 1419", "104/2 1419", "5/2 1417", level="heavy"
    )
    assert texts(game, "advance") == {"advance 104/1 1318", "advance 104/2 1318"}
    refusal = refused(game, "advance 5/1 1318")
    assert refusal.rule == "14.0"


def test_8_1_no_advance_into_the_prohibited_zone() -> None:
    game = fought(
        "-/**DR",
        "10-Hus 1220",
        "3-Rec 1120 used disrupted",
        "Bays 1221",
        "5-RTR 1220",
        name="10-Hus",
    )
    assert at(game, "3-Rec") == "eliminated"
    assert not texts(game, "advance")
    assert isinstance(game.stack[-1], Move)


def test_8_2_bracketed_units_do_not_advance_out_of_their_area() -> None:
    game = active("7-GH", "7-GH 0303", "5-EY 0403", "3-Rec 0404 used disrupted", dice=[9, 1])
    play(game, "attack 7-GH heavy", "join 5-EY", "resolve")
    while game.actor == AXIS and not texts(game, "select"):
        game.play(game.actions()[0])
    assert "advance 5-EY 0404" not in texts(game)


def test_11_2_a_unit_next_to_another_vacated_hex_stays() -> None:
    lines = ("5/1 2018 values=[[60,60,9,9]]", "2-Lan 2017", "18-Cav 2118", "104/1 2016")
    game = fought("-/**DR", *lines)
    assert texts(game, "advance") == {"advance 5/1 2017", "advance 5/1 2118", "advance 104/1 2017"}
    refusal = refused(game, "advance 104/1 2118")
    assert (refusal.rule, "next to it" in refusal.text) == ("11.2", True)


# Stacking.


def test_10_0_judged_at_the_moment_of_combat() -> None:
    game = active("5/1", "5/1 2018", "5/2 2020", "8/1 2020", "8/2 2020", "2-Lan 2017", dice=[5])
    play(game, "attack 5/1 light")
    assert texts(game) == {"eliminate 5/2", "eliminate 8/1", "eliminate 8/2"}
    play(game, "eliminate 8/2")
    assert isinstance(game.stack[-1], Assault)


def test_10_0_a_defender_thinned_out_at_the_moment_of_combat_takes_no_part() -> None:
    stack = ("2-Lan 2017", "11-Cav 2017", "18-Cav 2017")
    game = active("5/1", "5/1 2018", *stack, dice=[5])
    play(game, "attack 5/1 light", "eliminate 2-Lan")
    assert "12 to 6" in game.prompt
    assert battle_of(game).defenders == (uid("11-Cav"), uid("18-Cav"))
    events = play(game, "resolve")
    assert any(isinstance(event, Fought) for event in events)


def test_10_0_the_active_unit_may_be_the_one_to_go() -> None:
    game = active(
        "5/1", "5/1 2018", "5/2 2018", "8/1 2018", "2-Lan 2017", head='activated = ["5/2"]'
    )
    play(game, "attack 5/1 light", "eliminate 5/1")
    assert texts(game) == {"select 5/2", "end"}


def test_10_0_pavia_and_brescia_stack_with_nobody() -> None:
    text = on_map("27 0310", "65/1 0310", "5/1 1622", head='activated = ["5/1"]')
    game = position(text, 1)
    play(game, "end")
    assert texts(game) == {"eliminate 27", "eliminate 65/1"}
    assert refused(game, "end").rule == "10.0"


def test_10_0_two_units_are_fine_three_are_not() -> None:
    text = on_map("5/1 1622", "5/2 1622", "8/1 1721", head='activated = ["5/1", "8/1"]')
    game = position(text, 1)
    play(game, "select 8/1", "move 8/1 1622", "done 8/1", "end")
    assert game.stack[-1].rule == "10.0"
    assert game.actor == AXIS


# Odds against simulation.


def test_11_0_odds_are_the_frequencies_of_the_dice() -> None:
    lines = ("5/1 2018", "10-Hus 2017", "2-Lan 2118")
    game = active("5/1", *lines)
    play(game, "attack 5/1 medium")
    odds = game.odds(game.parse("resolve"))
    assert odds is not None
    assert sum(each.probability for each in odds.outcomes) == 1
    seen: Counter[str] = Counter()
    for die in range(10):
        trial = active("5/1", *lines, dice=[die, 1, 1, 1])
        events = play(trial, "attack 5/1 medium", "resolve")
        seen[next(event.outcome for event in events if hasattr(event, "outcome"))] += 1
    assert {each.text: each.probability for each in odds.outcomes} == {
        text: Fraction(count, 10) for text, count in seen.items()
    }


# Several rules at once.


def test_11_1_5_a_defender_off_the_map_leaves_its_hex_to_the_attacker() -> None:
    game = fought("-/DR", "5/1 2002 values=[[60,60,9,9]]", "10-Hus 2001", "5/2 1622")
    assert game.actor == ALLIED
    play(game, "retreat-off")
    assert at(game, "10-Hus") == "off"
    assert "advance 5/1 2001" in texts(game)


def test_13_6_the_result_still_hits_the_infantry_when_the_armor_is_gone() -> None:
    lines = ("5/1 2018 values=[[60,60,9,9]]", "10-Hus 2017 steps=1", "2-Lan 2017", "5/2 2022")
    tail = '[axis]\nheld = ["anti-tank"]'
    game = active("5/1", *lines, tail=tail, dice=[9], head='activated = ["5/2"]')
    play(game, "attack 5/1 heavy", "resolve", "chit anti-tank")
    # 60 to 9 is 5-1; the die of 9 and +2 give -/**DR: both are gone.
    assert (at(game, "10-Hus"), at(game, "2-Lan")) == ("eliminated", "eliminated")
    assert "advance 5/1 2017" in texts(game)


def test_13_6_an_attacker_lost_to_the_chit_still_struck() -> None:
    lines = (
        "10-Hus 2018 steps=1 values=[[9,9,4,4],[90,90,9,9]]",
        "104/1 2017",
        "Bays 2016",
        "9-Lan 2222",
    )
    tail = '[axis]\nheld = ["anti-tank"]'
    game = active("10-Hus", *lines, tail=tail, dice=[9], head='activated = ["9-Lan"]')
    play(game, "attack 10-Hus light", "join Bays", "resolve", "chit anti-tank")
    # The Allied player chooses which armor pays for the chit.
    assert texts(game) == {"lose 10-Hus", "lose Bays"}
    play(game, "lose 10-Hus")
    assert at(game, "10-Hus") == "eliminated"
    assert at(game, "104/1") == "eliminated"
    assert texts(game) == {"advance Bays 2017", "pass"}
    play(game, "advance Bays 2017")
    assert texts(game, "select") == {"select 9-Lan"}


def test_13_6_an_attacker_lost_to_the_chit_leaves_the_step_of_the_result_to_another() -> None:
    """11.0, 13.6 The chit adds a step; it does not pay that of the table (R67)."""
    lines = ("10-Hus 2018 steps=1", "132/8 2017", "Bays 2016", "9-Lan 2222")
    tail = '[axis]\nheld = ["anti-tank"]'
    probe = active("10-Hus", *lines, head='activated = ["9-Lan"]', tail=tail)
    play(probe, "attack 10-Hus light", "join Bays")
    odds = probe.odds(probe.parse("resolve"))
    assert odds is not None
    chance = next(each for each in odds.outcomes if each.text == "*D/-")
    game = active("10-Hus", *lines, head='activated = ["9-Lan"]', tail=tail, dice=chance.faces)
    play(game, "attack 10-Hus light", "join Bays", "resolve", "chit anti-tank")
    assert (game.rule, "Anti-Tank" in game.prompt) == ("13.6", True)
    play(game, "lose 10-Hus")
    assert at(game, "10-Hus") == "eliminated"
    assert unit(game, "Bays").steps == 1


def test_13_6_the_forecast_tells_of_the_anti_tank_step() -> None:
    tail = '[axis]\nheld = ["anti-tank", "combat"]'
    game = active("5/1", "5/1 2018", "10-Hus 2017", tail=tail)
    play(game, "attack 5/1 light", "resolve")
    plain = game.odds(game.parse("pass"))
    with_chit = game.odds(game.parse("chit anti-tank"))
    assert plain is not None and with_chit is not None
    assert plain.assumes == ("neither side plays a tactical chit",)
    assert with_chit.assumes == (
        "no further tactical chit is played",
        "Allied armour first loses a step to Anti-Tank [13.6]",
    )
    assert with_chit.chance_for(AXIS) > plain.chance_for(AXIS)


def test_10_0_judged_after_a_retreat_in_the_enemys_phase() -> None:
    # The only way without ZOC ends in a full hex, and the owner stops there.
    ring = ("5/2 1808", "104/1 2208", "104/2 1811", "8/1 2211", "115/1 2012")
    friends = ("Bays 2009", "9-Lan 2008", "3-RTR 2008", "5-RTR 2007")
    lines = ("5/1 2011 values=[[99,99,9,9]]", "10-Hus 2010", *ring, "115/2 2106", *friends)
    game = active("5/1", *lines, dice=[5, 1])
    play(game, "attack 5/1 light")
    odds = game.odds(game.parse("resolve"))
    assert odds is not None
    chance = next(each for each in odds.outcomes if each.text.endswith("DR"))
    game = active("5/1", *lines, dice=[*chance.faces, 1])
    play(game, "attack 5/1 light", "resolve")
    while game.actor == ALLIED and not texts(game, "eliminate"):
        play(game, "pass" if "pass" in texts(game) else min(texts(game)))
    assert texts(game) == {"eliminate 9-Lan", "eliminate 3-RTR", "eliminate 10-Hus"}
    play(game, "eliminate 3-RTR")
    assert len(game.here(DATA.board.at("2008"))) == 2
