"""7.5.1 Combat, with every worked example of the book."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from msgspec.structs import replace

from sandtable.kernel.actions import Space
from sandtable.kernel.odds import Modifier
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import Attack
from sandtable.titles.theseus.combat_odds import settle_choices
from sandtable.titles.theseus.drms import attacking_points, modifiers
from sandtable.titles.theseus.results import Hits
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import (
    HASTY,
    PREPARED,
    REGULAR,
    Battle,
    attack_strength,
    combined_arms,
    cup,
    defence_column,
    defence_strength,
    find_column,
    in_improved_defence,
    new_battle,
    odds_name,
    result,
    shifts,
)
from sandtable.titles.theseus.withdrawal import attack_bonus, can_withdraw, defence_bonus
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

LONG = (
    "7.Mot 2707, 3.RTR/4 2707, 5.RTR/4 2706 disrupted, 7Armd.HQ 2909,"
    "21Pz.104 2607, 21Pz.3 2607, 18.Flak 2607 of:21Pz, I/5 2608, 21Pz.HQ 2506"
)


def battle(game: Game, attackers: str, hex: str, target: str, kind: str = HASTY) -> Battle:
    units = ids(game, *attackers.split())
    data = game.data
    made = new_battle(game, game.side(units[0]), units, data.hex(hex), data.hex(target))
    return settle_choices(game, replace(made, kind=kind))


def named(found: list[Modifier]) -> dict[str, int]:
    return {each.name: each.value for each in found}


def test_7_5_1_example_the_whole_combat_sequence() -> None:
    """7.5.1.A, 7.5.1.B, 7.5.1.C, 7.5.1.D, 7.5.1.E, 7.5.1.F, 7.5.1.G, 7.5.1.H, 7.5.1.I"""
    game = acting(
        "7Armd",
        LONG,
        ap=4,
        schwerpunkt="21Pz",
        snafu="commonwealth",
        options={"at_points_help_defender": True},
        orders={"commonwealth snafu": "never", "axis challenge": "never"},
        dice=[8, 4, 9, 29, 10, 8, 3, 5, 9, 3],
    )
    # A: one point declares; the defenders are shown.
    told = play(game, "attack 2707 2607")
    assert game.ap[1] == 3
    declared = next(e for e in told if isinstance(e, ev.AttackDeclared))
    assert declared.defenders == ids(game, "21Pz.104", "21Pz.3", "18.Flak")
    play(game, "decline")
    # B: half of seven, rounded up, is four; 4 + 4 does not beat 8.
    assert game.actor == "axis"
    assert texts(game) == {"stand", "withdraw"}
    told = play(game, "withdraw")
    tried = next(e for e in told if isinstance(e, ev.RetreatBeforeCombat))
    assert (tried.attacker, tried.defender, tried.succeeded) == (8, 8, False)
    # C, D, E: regular; chits 9 and 30 give 32 to 37, 2:3, shifted to 1:1 by Combined Arms.
    told = play(game, "strike regular")
    assert game.ap[1] == 2
    drawn = next(e for e in told if isinstance(e, ev.ChitsDrawn))
    assert (drawn.attacker, drawn.defender) == ("9", "30")
    assert (drawn.attack, drawn.defence) == (32, 37)
    made = battle(game, "7.Mot 3.RTR/4", "2707", "2607", REGULAR)
    assert game.data.column("broken", 32, 37) == 3
    assert game.data.tables.crt.broken[3] == "2:3"
    assert combined_arms(game, made.units) and not combined_arms(game, made.defenders)
    assert drawn.odds == "1:1" == odds_name(game, made, find_column(game, made, 32, 37))
    # F: no air for a defender. G: the Flak's Anti-Tank Points are chosen.
    assert texts(game) == {"oppose 21Pz.3", "oppose 18.Flak"}
    told = play(game, "oppose 18.Flak")
    fought = next(e for e in told if isinstance(e, ev.CombatResolved))
    assert set(fought.modifiers) == {
        "Combat Support from 2608 -1",
        "7 Armd HQ Attack Support +3",
        "Armour Superiority of the defender -6",
        "Schwerpunkt -2",
        "failed Retreat before Combat +2",
        "Combined Arms of the attacker, column +1",
    }
    assert (fought.drm, fought.roll, fought.odds) == (-4, 10, "1:1")
    # H: a modified six.
    assert fought.result == "2*/1*"
    # I: the Flak and 3 RTR take the first losses; 104 fails, then 3 RTR.
    assert strength(game, "18.Flak") == 1
    assert disrupted(game, "21Pz.104")
    assert not disrupted(game, "21Pz.3") and not disrupted(game, "18.Flak")
    assert strength(game, "3.RTR/4") == 3 and disrupted(game, "3.RTR/4")
    assert not disrupted(game, "7.Mot")
    assert texts(game) == {"hold-with 7.Mot", "follow 7.Mot"}
    play(game, "follow 7.Mot")
    assert texts(game) == {"retreat 2807", "retreat 2808"}
    told = play(game, "retreat 2808")
    assert where(game, "7.Mot") == where(game, "3.RTR/4") == "2808"
    assert strength(game, "7.Mot") == 12 and strength(game, "3.RTR/4") == 3
    # Battle Victory: two bonus points for the Schwerpunkt, spent on a refit and cover.
    won = next(e for e in told if isinstance(e, ev.BattleWon))
    assert (won.side, won.points) == ("axis", 2)
    assert game.actor == "axis"
    give(game, 4)
    play(game, "refit 21Pz.104")
    assert not disrupted(game, "21Pz.104")
    play(game, "improve 2607")
    assert [game.data.board.names[h] for h in game.improved] == ["2607"]
    assert game.actor == "commonwealth" and game.ap[1] == 2


def test_7_5_1_5_C_rule_text_reads_the_example_otherwise() -> None:
    game = acting("7Armd", LONG, schwerpunkt="21Pz")
    made = battle(game, "7.Mot 3.RTR/4", "2707", "2607", REGULAR)
    found = named(modifiers(game, made))
    assert not any(name.startswith("Armour") for name in found)
    failed = replace(made, failed_retreat=True)
    assert sum(m.value for m in modifiers(game, failed)) == 2


def test_7_5_1_2_strengths_by_chit_and_column() -> None:
    game = acting("7Armd", LONG)
    chits = {chit.id: chit for chit in cup(game)}
    made = battle(game, "7.Mot 3.RTR/4", "2707", "2607", REGULAR)
    assert attack_strength(game, made, chits["9"]) == (12 + 4) * 2
    assert defence_strength(game, made, chits["30"]) == 11 * 2 + 3 * 3 + 2 * 3
    hasty = battle(game, "7.Mot 3.RTR/4", "2707", "2607", HASTY)
    assert attack_strength(game, hasty, chits["8"]) == 16
    prepared = battle(game, "7.Mot 3.RTR/4", "2707", "2607", PREPARED)
    assert attack_strength(game, prepared, chits["9"]) == 48
    assert len(cup(game)) == 30
    linear = acting("7Armd", LONG, options={"linear_chits": True})
    assert {chit.id for chit in cup(linear)} >= {"A10", "A14", "A15", "A16", "A17", "A18", "A29"}
    assert len(cup(linear)) == 30


def test_7_5_1_2_defence_columns() -> None:
    units = LONG.replace("21Pz.3 2607", "21Pz.3 2607 disrupted")
    game = acting("7Armd", units)
    made = battle(game, "7.Mot", "2707", "2607")
    columns = [defence_column(game, made, u) for u in ids(game, "21Pz.104", "21Pz.3")]
    assert columns == ["plain", "red"]
    better = acting("7Armd", LONG, improved=["2607"])
    made = battle(better, "7.Mot", "2707", "2607")
    assert {defence_column(better, made, u) for u in made.defenders} == {"green"}
    mined = acting("15Pz", "I/8 2314, 15Pz.HQ 2214, 50Div.150 2414 disrupted, 50Div.HQ 2614")
    made = battle(mined, "I/8", "2314", "2414")
    assert defence_column(mined, made, made.defenders[0]) == "green"


def test_7_5_1_2_flak_without_infantry_and_unsupplied_attackers() -> None:
    game = acting("21Pz", "18.Flak 2607 of:21Pz, 21Pz.HQ 2506 low, I/5 2608, 7.Mot 2707")
    chit = next(chit for chit in cup(game) if chit.id == "8")
    flak = battle(game, "18.Flak", "2607", "2707")
    assert attack_strength(game, flak, chit) == 1  # one point halved, rounded up
    tank = battle(game, "I/5", "2608", "2707")
    assert attack_strength(game, tank, chit) == 4  # seven halved is 3.5
    both = acting("7Armd", "7.Mot 2707, 18.Flak 2607 of:21Pz, 21Pz.HQ 2506 low, 7Armd.HQ 2909")
    defence = battle(both, "7.Mot", "2707", "2607")
    assert defence_strength(both, defence, chit) == 1
    stacked = acting("7Armd", LONG.replace("21Pz.HQ 2506", "21Pz.HQ 2506 low"))
    assert defence_strength(stacked, battle(stacked, "7.Mot", "2707", "2607"), chit) == 16


def test_7_5_1_2_example_A_hasty_attack_on_a_minefield() -> None:
    """7.5.1.5, 7.5.1.5.A, 7.5.1.5.C"""
    units = "I/8 2314, 15Pz.HQ 2114, 50Div.150 2414, 50Div.69 2313, 50Div.HQ 2512"
    game = acting("15Pz", units)
    made = battle(game, "I/8", "2314", "2414")
    assert in_improved_defence(game, made)
    assert defence_column(game, made, made.defenders[0]) == "green"
    assert attacking_points(game, made, made.attack_unit) == 3
    assert named(modifiers(game, made)) == {"Combat Support from 2313": -2}


def test_7_5_1_5_B_example_B_regular_attack() -> None:
    """7.5.1.5.E"""
    units = "3.RTR/4 2908, 7Armd.HQ 3109, Ariete.8 2807, Ariete.IX 2808, Ariete.HQ 2606"
    game = acting("7Armd", units)
    made = battle(game, "3.RTR/4", "2908", "2807", REGULAR)
    made = replace(made, failed_retreat=True)
    found = named(modifiers(game, made))
    assert found == {
        "failed Retreat before Combat": 2,
        "7 Armd HQ Attack Support": 3,
        "Combat Support from 2808": -1,
        "Armour Superiority of the attacker": 4,
    }
    assert sum(found.values()) == 8


def test_7_5_1_5_A_example_C_prepared_attack() -> None:
    """7.5.1.5.B, 7.5.1.5.C"""
    units = (
        "II/5 3018, 21Pz.HQ 2920, 15Pz.115 3119, 15Pz.HQ 3020,"
        "3.RTR/4 3118, 5.RTR/4 3017, 7Armd.HQ 3216"
    )
    game = acting("21Pz", units)
    made = battle(game, "II/5", "3018", "3118", PREPARED)
    assert named(modifiers(game, made)) == {
        "Combat Support from 3119": 1,
        "Combat Support from 3017": -1,
        "21 Pz HQ Attack Support": 6,
        "Armour Superiority of the defender": -1,
    }
    assert sum(m.value for m in modifiers(game, made)) == 5


@pytest.mark.parametrize(
    ("attackers", "defenders", "where_", "drm"),
    [
        ("II/8", "50Div.69", "3118", 3),
        ("15Pz.115", "8.RTR of:1SA", "3118", -4),
        ("I/8", "3.RTR/4", "2719", -3),
        ("II/8 15Pz.115 18.Flak", "6.SA of:1SA", "3118", 4),
    ],
)
def test_7_5_1_5_C_armour_superiority_examples(
    attackers: str, defenders: str, where_: str, drm: int
) -> None:
    start = "3018" if where_ == "3118" else "2620"
    name, *rest = defenders.split()
    placed = ", ".join(
        f"{unit} {start}" + (" of:15Pz" if "Flak" in unit else "") for unit in attackers.split()
    )
    breached = ["2620"] if start == "2620" else []
    units = f"{placed}, 15Pz.HQ 2920, {name} {where_} {' '.join(rest)}"
    game = acting("15Pz", units, breached=breached)
    made = battle(game, attackers, start, where_)
    armour = [m.value for m in modifiers(game, made) if m.rule == "7.5.1.5.C"]
    assert armour == [drm]


def test_7_5_1_5_C_neither_side_with_tanks_and_flak_in_defence() -> None:
    game = acting("15Pz", "15Pz.115 3018, 15Pz.HQ 2920, 7.Mot 3118")
    assert not modifiers(game, battle(game, "15Pz.115", "3018", "3118"))
    flak = acting(
        "7Armd", "3.RTR/4 3118, 7Armd.HQ 3217, 15Pz.115 3018, 18.Flak 3018 of:15Pz, I/8 3018"
    )
    made = battle(flak, "3.RTR/4", "3118", "3018")
    # Tank Points: 6 - (6 + 3); Anti-Tank Points only deny.
    tank = replace(made, defence_unit=ids(flak, "I/8")[0])
    assert [m.value for m in modifiers(flak, tank) if m.rule == "7.5.1.5.C"] == [-3]
    gun = replace(made, defence_unit=ids(flak, "18.Flak")[0])
    assert not [m for m in modifiers(flak, gun) if m.rule == "7.5.1.5.C"]


def test_3_1_2_ridges_halve_attacking_tanks_and_stop_zones() -> None:
    game = acting("7Armd", "3.RTR/4 2809, 7Armd.HQ 2910, Ariete.8 2708")
    made = battle(game, "3.RTR/4", "2809", "2708")
    assert attacking_points(game, made, made.attack_unit) == 3
    axis = game.situation.zoc[0]
    assert not axis >> game.data.hex("2809") & 1
    assert axis >> game.data.hex("2707") & 1


def test_7_5_1_5_D_schwerpunkt_needs_command() -> None:
    units = "II/5 3018, 21Pz.HQ 2920, 3.RTR/4 3118"
    game = acting("21Pz", units, schwerpunkt="21Pz")
    made = battle(game, "II/5", "3018", "3118")
    assert named(modifiers(game, made))["Schwerpunkt"] == 2
    far = acting("21Pz", units.replace("2920", "2024"), schwerpunkt="21Pz")
    assert "Schwerpunkt" not in named(modifiers(far, battle(far, "II/5", "3018", "3118")))


def test_7_5_1_5_the_sum_is_limited_to_twelve() -> None:
    units = (
        "II/5 3018, 21Pz.HQ 2920, 21Pz.104 3119, 21Pz.3 3117, I/5 3219, 15Pz.HQ 2822,"
        "5.RTR/4 3118 disrupted, 7Armd.HQ 3516"
    )
    game = acting("21Pz", units, schwerpunkt="21Pz")
    made = battle(game, "II/5", "3018", "3118", PREPARED)
    made = replace(made, failed_retreat=True)
    found = modifiers(game, made)
    assert sum(m.value for m in found) == 12
    assert found[-1].name == "limit of 12"
    assert result(game, 12, 10, 12).text == game.data.crt[19][12].text
    assert result(game, 0, 1, -12).text == game.data.crt[0][0].text


def test_7_5_1_3_combined_arms_both_ways_and_its_exceptions() -> None:
    game = acting(
        "21Pz",
        "II/5 3018, 21Pz.104 3018, 21Pz.HQ 2920, 3.RTR/4 3118, 7.Mot 3118, Ariete.8 3020,"
        "Ariete.IX 3020, 42.RTR 3320 of:50Div, 50Div.69 3320, 15Pz.115 3024, I/8 3024 disrupted",
    )
    made = battle(game, "II/5 21Pz.104", "3018", "3118")
    assert [m.value for m in shifts(game, made)] == [1, -1]
    assert combined_arms(game, ids(game, "II/5", "21Pz.104"))
    assert not combined_arms(game, ids(game, "II/5", "15Pz.115"))
    assert not combined_arms(game, ids(game, "Ariete.8", "Ariete.IX"))
    assert not combined_arms(game, ids(game, "42.RTR", "50Div.69"))
    assert not combined_arms(game, ids(game, "I/8", "15Pz.115"))


def test_7_5_1_4_air_units_by_kind_of_attack() -> None:
    """3.4, 7.5.1.F"""
    units = "II/5 3018, 21Pz.HQ 2920, 7.Mot 3118"
    game = acting("21Pz", units, dice=[1, 1], snafu="axis")
    play(game, "attack 3018 3118", "strike hasty")
    assert texts(game) == {"air 0", "air 1"}
    assert refused(game, "air 2").rule == "7.5.1.4"
    prepared = acting("21Pz", units, dice=[2, 1, 5, 1, 1, 1])
    play(prepared, "attack 3018 3118", "strike prepared")
    assert texts(prepared) == {f"air {n}" for n in range(4)}
    before = prepared.odds(prepared.parse("air 0"))
    after = prepared.odds(prepared.parse("air 3"))
    assert before is not None and after is not None
    assert after.chance_for("axis") > before.chance_for("axis")
    play(prepared, "air 3")
    assert prepared.air == 2
    none = acting("21Pz", units, dice=[1, 1, 5, 1, 1, 1], air=0)
    told = play(none, "attack 3018 3118", "strike hasty")
    assert any(isinstance(event, ev.CombatResolved) for event in told)


def test_7_5_1_E_below_the_table_everything_is_lost() -> None:
    units = "21Pz.3 2313, I/5 2113, 21Pz.HQ 2113, 50Div.150 2414, 50Div.HQ 2512"
    game = acting("21Pz", units, dice=[8, 7])
    play(game, "attack 2313 2414", "strike hasty")
    assert game.odds(game.parse("air 1")) is None
    told = play(game, "air 1")
    fought = next(e for e in told if isinstance(e, ev.CombatResolved))
    assert fought.result == "5/0" and fought.odds == "below the table"
    assert game.air == 4
    made = battle(game, "21Pz.3", "2313", "2414")
    play(game, "hold")
    assert where(game, "21Pz.3") == "gone"
    assert find_column(game, made, 100, 1) == 12
    assert find_column(game, made, 1, 100) == -1


def test_7_5_1_C_escalation_needs_points_and_command() -> None:
    units = "II/5 3018, 21Pz.HQ 2920, 7.Mot 3118, Kst.Kiehl 3119"
    game = acting("21Pz", units, ap=2)
    play(game, "attack 3018 3118")
    assert texts(game) == {"strike hasty", "strike regular"}
    assert refused(game, "strike prepared").rule == "7.5.1.C"
    far = acting("21Pz", units.replace("2920", "2024"), ap=4, dice=[1, 1, 5, 1, 1, 1], air=0)
    play(far, "attack 3018 3118")
    assert far.ap[0] == 2 and far.outcome is None


def test_7_5_1_A_attack_declaration_is_refused_for_good_reasons() -> None:
    units = "II/5 3018, I/5 3018 disrupted, 21Pz.HQ 3018, 7.Mot 3118, 5.RTR/4 3120"
    game = acting("21Pz", units)
    assert "attack 3018 3118" in texts(game)
    assert refused(game, "attack-with I/5 3118").rule == "5.6.3"
    assert refused(game, "attack-with 21Pz.HQ 3118").rule == "7.5"
    assert refused(game, "attack 3018 3120").rule == "7.5.1.A"
    assert refused(game, "attack 3018 3017").rule == "7.5.1.A"
    assert refused(game, "attack-with 7.Mot 3018").rule == "5.5.1"


def test_7_5_1_A_some_units_of_a_stack_may_attack() -> None:
    units = "II/5 3018, I/5 3018, 21Pz.104 3018, 21Pz.HQ 2920, 7.Mot 3118"
    game = acting("21Pz", units)
    play(game, "attack-with II/5 3118")
    assert texts(game) == {"assault", "join I/5", "join 21Pz.104"}
    told = play(game, "join 21Pz.104", "assault")
    assert any(isinstance(e, ev.AttackDeclared) for e in told)
    assert game.ap[0] == 6


def test_7_5_1_1_who_may_retreat_before_combat() -> None:
    """7.5.1.B"""
    units = "II/5 3018, 21Pz.HQ 2920, 7.Mot 3118, 3.RTR/4 3118, 7Armd.HQ 3217"

    def may(text: str) -> bool:
        game = acting("21Pz", text)
        return can_withdraw(game, battle(game, "II/5", "3018", "3118"))

    assert may(units)
    assert not may(units.replace("7.Mot 3118", "7.Mot 3118 disrupted"))
    assert not may(units.replace("7.Mot 3118", "201.Gds 3118"))
    assert not may("II/5 3018, 21Pz.HQ 2920, 50Div.69 3118, 50Div.HQ 3217")
    assert not may(units.replace("7Armd.HQ 3217", "7Armd.HQ 0217"))
    axis = acting("7Armd", "3.RTR/4 3118, 7Armd.HQ 3217, Kst.Kiehl 3018")
    assert not can_withdraw(axis, battle(axis, "3.RTR/4", "3118", "3018"))


def test_7_5_1_1_modifiers_of_both_sides() -> None:
    units = "21Pz.3 3018, II/5 3018, 21Pz.HQ 2920, KDG 3118, 3.RTR/4 3118, 7Armd.HQ 3217"
    game = acting("21Pz", units)
    made = battle(game, "21Pz.3 II/5", "3018", "3118")
    assert [m.value for m in attack_bonus(game, made.units)] == [4]
    assert [m.value for m in defence_bonus(game, made)] == [3]
    leg = acting("Pavia", "Pavia.27 3018, Pavia.HQ 2920, KDG 3118, 3.RTR/4 3118, 7Armd.HQ 3217")
    made = battle(leg, "Pavia.27", "3018", "3118")
    assert attack_bonus(leg, made.units) == []
    # Either KDG scouts (3) and 3 RTR drives (5), or KDG drives alone (6): 8 is best.
    assert [m.value for m in defence_bonus(leg, made)] == [3, 5]


def test_7_5_1_1_a_successful_withdrawal_is_a_free_move() -> None:
    units = "II/5 3018, 21Pz.HQ 2920, KDG 3118, 7Armd.HQ 3217"
    game = acting("21Pz", units, dice=[1, 9], orders={})
    play(game, "attack 3018 3118", "withdraw")
    # The axis holds SNAFU and may answer the defender's die.
    assert game.actor == "axis" and "reroll" in texts(game)
    play(game, "keep")
    assert game.actor == "commonwealth"
    assert "halt" not in texts(game)
    told = play(game, "to 3217")
    assert where(game, "KDG") == "3217"
    assert not any(isinstance(event, ev.BattleWon) for event in told)
    assert level_of(game) == 6
    assert game.ap[0] == 6


def level_of(game: Game) -> int:
    return game.levels[game.data.formation("7Armd")]


def test_7_5_2_example_hit_distribution() -> None:
    """7.5.2.1"""
    units = "5.RTR/4 3118, 7.Mot 3118, 7Armd.HQ 3217, 21Pz.104 3018, 21Pz.3 3018, 21Pz.HQ 2920"
    game = acting("7Armd", units, dice=[3, 9])
    defenders = ids(game, "21Pz.104", "21Pz.3")
    enter(game, Hits(defenders, 1, True, defenders[0], False))
    assert strength(game, "21Pz.104") == 10 and strength(game, "21Pz.3") == 3
    assert not disrupted(game, "21Pz.104") and disrupted(game, "21Pz.3")
    assert where(game, "21Pz.3") == "3018"
    attackers = ids(game, "5.RTR/4", "7.Mot")
    enter(game, Hits(attackers, 3, False, attackers[0], True))
    assert strength(game, "5.RTR/4") == 3
    assert texts(game) == {"hold", "fall-back"}
    play(game, "fall-back")
    if game.actor == "commonwealth" and any(t.startswith("retreat") for t in texts(game)):
        play(game, min(texts(game)))
    assert strength(game, "7.Mot") == 11 and strength(game, "5.RTR/4") == 3
    assert where(game, "7.Mot") == where(game, "5.RTR/4") != "3118"


def test_5_3_4_forecasts_know_only_what_is_seen() -> None:
    units = "II/5 3018, 21Pz.HQ 2920, 3.RTR/4 3118 2, 7.Mot 3118"
    game = acting("21Pz", units)
    attack = Attack(Space(game.data.hex("3018")), Space(game.data.hex("3118")))
    odds = game.odds(attack)
    assert odds is not None
    assert "units hidden beneath are not counted" in odds.assumes
    full = acting("21Pz", units.replace("3.RTR/4 3118 2", "3.RTR/4 3118"))
    assert full.odds(attack) == odds


def test_7_5_1_G_odds_equal_what_is_rolled() -> None:
    units = "II/5 3018, 21Pz.HQ 2920, 50Div.69 3118, 50Div.HQ 3217"
    game = acting("21Pz", units, air=0, schwerpunkt="21Pz")
    play(game, "attack 3018 3118")
    for kind in ("hasty", "regular", "prepared"):
        odds = game.odds(game.parse(f"strike {kind}"))
        assert odds is not None and not odds.assumes
        assert sum(chance.probability for chance in odds.outcomes) == 1
        sample = game.resample("axis", "x")
        for chance in odds.outcomes:
            told = sample.copy().play(game.parse(f"strike {kind}"), outcome=chance)
            fought = next(e for e in told if isinstance(e, ev.CombatResolved))
            assert fought.result == chance.text


def test_7_5_hqs_take_no_part_and_give_way_when_left_alone() -> None:
    units = "I/5 3018, 21Pz.HQ 2920, 3.RTR/4 3118 1, 7Armd.HQ 3118, 5.RTR/4 3121, 8.H/4 3115"
    game = acting("21Pz", units, dice=[1, 1, 10, 1], air=0)
    play(game, "attack 3018 3118", "strike prepared")
    assert where(game, "3.RTR/4") == "gone"
    assert game.actor == "commonwealth"
    assert texts(game) == {"displace 7Armd.HQ 3121", "displace 7Armd.HQ 3115"}
    play(game, "displace 7Armd.HQ 3121")
    assert strength(game, "7Armd.HQ") == 4 and level_of(game) == 5


def test_7_5_1_5_A_support_needs_zoc_command_supply_and_order() -> None:
    units = "II/5 3018, 21Pz.HQ 2920, 21Pz.104 3119, 7.Mot 3118, 7Armd.HQ 3217"

    def support(text: str, kind: str = REGULAR) -> int:
        game = acting("21Pz", text)
        found = modifiers(game, battle(game, "II/5", "3018", "3118", kind))
        return sum(m.value for m in found if m.rule == "7.5.1.5.A")

    assert support(units) == 1
    assert support(units, PREPARED) == 2
    assert support(units, HASTY) == 0
    assert support(units.replace("104 3119", "104 3119 disrupted")) == 0
    assert support(units.replace("21Pz.HQ 2920", "21Pz.HQ 2920 low")) == 0
    assert support(units.replace("21Pz.104 3119", "18.Flak 3119 of:21Pz")) == 0
    assert support(units.replace("21Pz.104 3119", "Kst.Kiehl 3119"), PREPARED) == 0
    assert support(units.replace("21Pz.104 3119", "Ariete.8 3119, Ariete.HQ 3020"), PREPARED) == 1
    assert support(units.replace("21Pz.104 3119", "Ariete.8 3119, Ariete.HQ 3020")) == 0


def test_5_8_1_defenders_out_of_command_receive_no_support() -> None:
    """5.8.1, 7.5.1.5.A Receiving Combat Support needs Command Range too."""
    found = {}
    for hq in ("3217", "4418"):
        units = f"II/5 3018, 21Pz.HQ 2920, 7.Mot 3118, 7Armd.HQ {hq}, 201.Gds 3019, 1Armd.HQ 3220"
        game = acting("21Pz", units, improved=["3118"])
        here, there = game.data.hex("3018"), game.data.hex("3118")
        battle = settle_choices(game, new_battle(game, 0, ids(game, "II/5"), here, there))
        found[hq] = [each.value for each in modifiers(game, battle) if each.rule == "7.5.1.5.A"]
    assert found == {"3217": [-1], "4418": []}


def test_7_5_1_5_A_the_defender_names_a_lead_formation_when_it_matters() -> None:
    units = (
        "II/5 3018, 21Pz.HQ 2920, 3.RTR/4 3118, 201.Gds 3118, 7Armd.HQ 3217, 1Armd.HQ 3116,"
        "5.RTR/4 3017"
    )
    game = acting("21Pz", units, dice=[1, 1, 5], air=0)
    play(game, "attack 3018 3118", "strike hasty")
    assert game.actor == "commonwealth"
    assert texts(game) == {"lead 7Armd", "lead 1Armd"}
    play(game, "lead 1Armd")
    assert {t.split()[0] for t in texts(game)} == {"oppose"}


DUEL = "II/5 3018, 21Pz.HQ 2920, 50Div.69 3118, 50Div.HQ 3217"


def test_7_5_1_D_two_chits_of_one_cup_that_go_back_afterwards() -> None:
    game = acting("21Pz", DUEL, air=0)
    drawn, unscripted = [], game.dice
    # The second side draws among the 29 that are left: the seventh of them is chit 8.
    for faces in ((7, 7), (7, 29), (30, 1)):
        game.dice = unscripted.scripted((*faces, 5, 1, 1, 1))
        told = play(game, "attack 3018 3118", "strike hasty")
        drawn += [(e.attacker, e.defender) for e in told if isinstance(e, ev.ChitsDrawn)]
        while "hold" in texts(game):
            play(game, "hold")
    assert drawn == [("7", "8"), ("7", "30"), ("30", "1")]


def test_7_5_1_D_forecasts_know_that_no_chit_is_drawn_twice() -> None:
    game = acting("21Pz", DUEL, air=0)
    play(game, "attack 3018 3118")
    odds = game.odds(game.parse("strike prepared"))
    assert odds is not None
    made = battle(game, "II/5", "3018", "3118", PREPARED)
    drm = sum(each.value for each in modifiers(game, made))
    counted: Counter[str] = Counter()
    for one, two in permutations(cup(game), 2):
        sums = attack_strength(game, made, one), defence_strength(game, made, two)
        column = find_column(game, made, *sums)
        counted.update(result(game, column, face, drm).text for face in range(1, 11))
    assert {c.text: c.probability * 8700 for c in odds.outcomes} == counted


def test_7_5_an_hq_left_alone_goes_before_the_attacker_retreats() -> None:
    """5.3.2, 7.5.2.2"""
    units = (
        "3.RTR/4 3118, 7Armd.HQ 3420, 5.RTR/4 3420, Ariete.III 3218 1, Ariete.HQ 3218,Ariete.8 2820"
    )
    game = acting("7Armd", units, dice=[8, 7, 1, 1, 1, 1])
    told = play(game, "attack 3118 3218", "strike hasty")
    assert next(e.result for e in told if isinstance(e, ev.CombatResolved)) == "2*/2"
    assert where(game, "Ariete.III") == "gone" and where(game, "Ariete.HQ") == "2820"
    play(game, "fall-back")
    assert texts(game) == {"retreat 3218", "retreat 3219"}


def test_7_5_2_below_the_table_the_owner_chooses_the_first_loss() -> None:
    """7.5.1.E, 7.5.1.5.C"""
    units = "3.RTR/4 1505 1, 5.RTR/4 1505 1, 7Armd.HQ 1705, 8.H/4 1705"
    game = acting("7Armd", f"{units}, Trento.61 1405, Trento.HQ 1406", dice=[8, 7])
    play(game, "attack 1505 1405", "strike hasty")
    assert texts(game) == {"lose 3.RTR/4", "lose 5.RTR/4"}


@pytest.mark.parametrize(("marker", "tank"), [("21Pz", "3017"), ("90Le", "3019")])
def test_5_5_2_forecasts_keep_assignments_secret(marker: str, tank: str) -> None:
    """5.3.4"""
    secret, shown = [], []
    for parent in ("21Pz", "15Pz"):
        units = f"7.Mot 3118, 7Armd.HQ 3217, 18.Flak 3018 of:{parent}, I/5 {tank}, 21Pz.HQ 2920"
        game = acting("7Armd", f"{units}, 15Pz.HQ 2921, I/8 2822", schwerpunkt=marker)
        action = game.parse("attack 3118 3018")
        secret.append(game.odds(action))
        game.shown = ids(game, "18.Flak")
        shown.append(game.odds(action))
    assert secret[0] is not None and secret[0] == secret[1]
    assert not secret[0].modifiers
    assert "secret assignments are not counted" in secret[0].assumes
    # Once a challenge has shown it, the formation counts.
    assert shown[0] is not None and shown[0].modifiers and shown[0] != shown[1]


def test_7_5_1_5_C_a_vehicle_without_tank_points_has_its_ground() -> None:
    game = acting("7Armd", "3.RTR/4 2707, 7Armd.HQ 2909, Ariete.III 2607 disrupted, Ariete.HQ 2406")
    made = battle(game, "3.RTR/4", "2707", "2607")
    assert made.defence_unit == ids(game, "Ariete.III")[0]
    assert named(modifiers(game, made)) == {"Armour Superiority of the attacker": 5}


def test_7_5_1_1_a_scout_in_the_stack_helps_though_it_does_not_attack() -> None:
    units = "21Pz.3 3018, II/5 3018, 21Pz.HQ 2920, KDG 3118, 7Armd.HQ 3217"
    game = acting("21Pz", units, dice=[5, 7], orders={**QUIET, "commonwealth withdraw": "always"})
    told = play(game, "attack-with II/5 3118", "assault")
    tried = next(e for e in told if isinstance(e, ev.RetreatBeforeCombat))
    assert (tried.attacker, tried.defender, tried.succeeded) == (5 + 4, 7 + 3, True)


@pytest.mark.parametrize("attacker", ["II/5", "21Pz.104"])
def test_7_5_1_1_forecasts_count_the_attackers_seen(attacker: str) -> None:
    """5.3.4"""
    units = "21Pz.104 3018, II/5 3018, 21Pz.HQ 2920, 7.Mot 3118, 7Armd.HQ 3217"
    game = acting("21Pz", units, orders={})
    play(game, f"attack-with {attacker} 3118", "assault")
    odds = game.odds(game.parse("withdraw"))
    assert odds is not None and not odds.modifiers
    assert odds.chance_for("commonwealth") == 0.45
    assert "all attackers seen take part" in odds.assumes


@pytest.mark.parametrize("holder", ["axis", "commonwealth"])
def test_5_2_the_holder_of_snafu_answers_an_opposed_roll_with_both_dice_seen(holder: str) -> None:
    """7.5.1.1"""
    units = "II/5 3018, 21Pz.HQ 2920, KDG 3118, 7Armd.HQ 3217"
    game = acting("21Pz", units, dice=[3, 9], orders={}, snafu=holder)
    play(game, "attack 3018 3118", "withdraw")
    # His own die came first: the Axis 3 to 9 + 3, or the Commonwealth 3 + 3 to 9.
    assert game.actor == holder and texts(game) == {"keep", "reroll"}
    word = "withdraws" if holder == "axis" else "fails"
    assert f"rolled 9 for retreat before combat ({word})" in game.prompt
    give(game, 1)
    told = play(game, "reroll")
    tried = next(e for e in told if isinstance(e, ev.RetreatBeforeCombat))
    assert (tried.attacker, tried.defender) == ((3, 4) if holder == "axis" else (1, 6))


def test_7_5_1_1_an_hq_of_another_formation_is_displaced_by_a_withdrawal() -> None:
    """5.3.2"""
    units = "II/5 3018, 21Pz.HQ 2920, KDG 3118, 7Armd.HQ 3217, 1Armd.HQ 3118, QB/2 3320"
    orders = {**QUIET, "commonwealth withdraw": "always"}
    game = acting("21Pz", units, dice=[1, 9], orders=orders)
    play(game, "attack 3018 3118", "to 3217", "halt")
    assert where(game, "KDG") == "3217" and where(game, "1Armd.HQ") == "3320"
    own = acting("21Pz", units.replace("7Armd.HQ 3217, 1Armd.HQ", "7Armd.HQ"), dice=[1, 9],
                 orders=orders)  # fmt: skip
    play(own, "attack 3018 3118", "to 3217", "halt")
    assert where(own, "KDG") == where(own, "7Armd.HQ") == "3217"


STACK = "I/5 3018, II/5 3018, 21Pz.HQ 0024, 21Pz.3 0024"


def test_5_8_4_an_attack_may_be_called_off_when_some_fail_their_check() -> None:
    units = f"{STACK}, 7.Mot 3117, 3.RTR/4 3119, 5.RTR/4 2919, 8.H/4 2916, QB/2 2819"
    game = acting("21Pz", units, ap=6, air=0, dice=[7, 1])
    play(game, "attack 3018 3117")
    assert disrupted(game, "I/5") and not disrupted(game, "II/5")
    assert texts(game) == {"assault", "call-off"} and "with II/5 alone" in game.prompt
    assert game.odds(game.parse("assault")) is not None
    off = game.copy()
    told = play(off, "call-off")
    assert not any(isinstance(event, ev.AttackDeclared) for event in told)
    assert off.ap[0] == 4 and off.step.rule == "7.2"
    give(game, 1, 1, 5, 1, 1, 1)
    told = play(game, "assault")
    assert any(isinstance(event, ev.AttackDeclared) for event in told)
    both = acting("21Pz", units, ap=6, air=0, dice=[1, 1, 1, 1, 5, 1, 1, 1])
    told = play(both, "attack 3018 3117")
    assert any(isinstance(event, ev.AttackDeclared) for event in told)


def test_5_8_4_a_movement_may_be_called_off_when_some_fail_their_check() -> None:
    units = f"{STACK}, 7.Mot 3116, 3.RTR/4 3220, 5.RTR/4 2820, 8.H/4 2915, QB/2 2819"
    game = acting("21Pz", units, ap=6, dice=[7, 1])
    play(game, "move-stack 3018", "to 3019")
    assert disrupted(game, "I/5") and where(game, "II/5") == "3018"
    assert {"halt", "to 3019"} <= texts(game)
    play(game, "halt")
    assert where(game, "II/5") == "3018" and game.ap[0] == 4


def test_5_8_4_a_forecast_tells_of_the_checks_of_isolated_attackers() -> None:
    units = "I/5 3018, 21Pz.HQ 1017, 7.Mot 3019, 7Armd.HQ 3320"
    for hq, told in (("1017", True), ("2917", False)):
        game = acting("21Pz", units.replace("1017", hq), ap=4)
        odds = game.odds(game.parse("attack 3018 3019"))
        assert odds and ("isolated units pass their checks" in odds.assumes) == told


def test_5_8_4_a_forecast_after_the_checks_takes_none_for_granted() -> None:
    units = "I/5 3018, 21Pz.104 3018, 21Pz.HQ 1017, 7.Mot 3019, 7Armd.HQ 3320"
    game = acting("21Pz", units, ap=4, dice=[1, 10])
    play(game, "attack 3018 3019")
    odds = game.odds(game.parse("assault"))
    assert odds and "isolated units pass their checks" not in odds.assumes


def test_7_5_1_2_the_sheet_counts_what_supply_and_flak_leave() -> None:
    """5.7.5"""
    ours = "I/5 3020, 21Pz.HQ 3018 low spent, 18.Flak 3020 of:21Pz"
    game = acting("21Pz", f"{ours}, 3.Ind.Mot 3021, 7Armd.HQ 3121")
    sheet = game.sheet(game.parse("attack 3020 3021"))
    assert sheet is not None
    values = {part.unit: part.value.partition(",")[0] for part in sheet.attacker.parts}
    assert values == {"I/5": "3½", "18.Flak": "½"}
    assert sheet.attacker.total == "4"
    assert all("halved out of supply" in part.value for part in sheet.attacker.parts)
