"""7.3.6, 7.4 Minefield checks and breaches."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sandtable.titles.theseus.minefields import (
    breach_modifiers,
    check_line,
    check_modifiers,
    look_up,
)
from tests.titles.theseus.tables import (
    acting,
    disrupted,
    give,
    goals,
    ids,
    play,
    refused,
    strength,
    texts,
    where,
)

EXAMPLE = (
    "21Pz.104 2623, KG.Hecker 2623 of:21Pz, I/5 2623, 21Pz.3 2721, II/5 2721, 21Pz.HQ 2724,"
    "FF.HQ 2521, FF.1 2521, FF.2 2521, 15Pz.HQ 2025, 15Pz.115 2025"
)


def test_7_3_6_example_minefield_check_of_both_stacks() -> None:
    game = acting("21Pz", EXAMPLE, ap=6, schwerpunkt="15Pz", dice=[8, 8, 3])
    first = ids(game, "I/5", "21Pz.104", "KG.Hecker")
    for unit in first:
        found = {m.name: m.value for m in check_modifiers(game, first, unit)}
        assert found == {"21 Pz engineers": -2, "KG Hecker": -3}
    play(game, "move-stack 2623")
    odds = game.odds(game.parse("to 2622"))
    assert odds is not None
    # 104 and Hecker enter on 1 to 9, I/5 on 1 to 7.
    chances = {each.text: each.probability for each in odds.outcomes}
    assert chances["3 of 3 enter"] == Fraction(9 * 9 * 7, 1000)
    assert sum(chances.values()) == 1
    play(game, "to 2622")
    assert where(game, "21Pz.104") == where(game, "KG.Hecker") == "2622"
    assert where(game, "I/5") == "2623" and disrupted(game, "I/5")
    assert strength(game, "I/5") == 7
    assert game.ap[0] == 5
    give(game, 10, 4)
    second = ids(game, "II/5", "21Pz.3")
    assert sum(m.value for m in check_modifiers(game, second, second[0])) == -2
    play(game, "move-stack 2721", "to 2621")
    assert where(game, "21Pz.3") == "2621" and not disrupted(game, "21Pz.3")
    assert where(game, "II/5") == "2721" and disrupted(game, "II/5")
    assert strength(game, "II/5") == 6
    assert game.ap[0] == 4


def test_7_4_example_breach_of_a_box() -> None:
    units = EXAMPLE.replace("21Pz.104 2623, KG.Hecker 2623", "21Pz.104 2622, KG.Hecker 2622")
    game = acting("21Pz", units, ap=5, dice=[5])
    found = {m.name: m.value for m in breach_modifiers(game, ids(game, "21Pz.104")[0])}
    assert found == {"21 Pz engineers": -2, "KG Hecker": -1, "in an EZOC": 1}
    assert {m.rule for m in breach_modifiers(game, ids(game, "21Pz.104")[0])} == {"7.4"}
    play(game, "breach 21Pz.104")
    assert not game.breached and not disrupted(game, "21Pz.104") and game.ap[0] == 3
    give(game, 3)
    odds = game.odds(game.parse("breach KG.Hecker"))
    assert odds is not None
    assert [(c.text, c.probability.numerator) for c in odds.outcomes] == [
        ("breached", 3),
        ("no effect", 2),
        ("disrupted", 3),
    ]
    play(game, "breach KG.Hecker")
    assert [game.data.board.names[h] for h in game.breached] == ["2622"]


@pytest.mark.parametrize(
    ("unit", "results"),
    [
        ("Pavia.27", "PPPPPDDDD"),
        ("21Pz.104", "PPPDDDDLL"),
        ("18.Flak", "PPPDDDDLL"),
        ("21Pz.3", "PPPDDDDLL"),
        ("KG.Hecker", "PPPDDDDLL"),
        ("I/5", "PDDDDLLLL"),
        ("8.RTR", "PDDDDLLLL"),
    ],
)
def test_7_3_6_check_table_by_type(unit: str, results: str) -> None:
    game = acting("21Pz", EXAMPLE)
    line = check_line(game, ids(game, unit)[0])
    rolls = game.data.tables.minefield_check.rolls
    assert "".join(look_up(rolls, line, roll) for roll in range(2, 11)) == results
    assert look_up(rolls, line, -9) == "P"
    assert look_up(rolls, line, 14) == results[-1]


def test_7_3_6_schwerpunkt_and_command_give_the_modifiers() -> None:
    game = acting("21Pz", EXAMPLE, schwerpunkt="21Pz")
    unit = ids(game, "21Pz.3")
    assert {m.value for m in check_modifiers(game, unit, unit[0])} == {-2}
    assert len(check_modifiers(game, unit, unit[0])) == 2
    far = acting("21Pz", EXAMPLE.replace("21Pz.HQ 2724", "21Pz.HQ 1524"), schwerpunkt="21Pz")
    assert check_modifiers(far, unit, unit[0]) == []


def test_7_3_6_hqs_and_distant_stacks_cannot_enter() -> None:
    game = acting("21Pz", EXAMPLE.replace("21Pz.HQ 2724", "21Pz.HQ 2623"))
    play(game, "move 21Pz.HQ")
    assert "2622" not in goals(game)
    assert refused(game, "to 2622").rule == "7.3.6"
    far = acting("21Pz", EXAMPLE)
    play(far, "move 21Pz.104")
    assert "2622" in goals(far)
    assert "2522" in goals(far)
    assert refused(far, "to 2520").rule == "7.3.6"
    play(far, "to 2723")
    assert refused(far, "to 2622").rule == "7.3.6"


def test_7_3_6_an_hq_in_its_mines_gives_way_to_those_who_pass_only() -> None:
    """7.3.5, 7.3.6 No movement occurs before the check."""
    units = "I/5 2523, 21Pz.HQ 2424"
    french = "FF.HQ 2522, FF.1 2919, FF.2 2919"
    stopped = acting("21Pz", f"{units}, {french}", turn=3, dice=[10])
    play(stopped, "move I/5", "to 2522")
    assert where(stopped, "I/5") == "2523" and where(stopped, "FF.HQ") == "2522"
    through = acting("21Pz", f"{units}, FF.HQ 2522, FF.1 2920, FF.2 2922", turn=3, dice=[1])
    play(through, "move I/5", "to 2522")
    assert through.actor == "commonwealth"
    sample = through.resample("commonwealth", "a sample")
    sample.play(sample.parse("displace FF.HQ 2920"))
    assert sample.actor == "axis", "what the displacement leads to can be tried"
    play(through, "displace FF.HQ 2920")
    assert where(through, "I/5") == "2522" and where(through, "FF.HQ") == "2920"


def test_7_3_6_entering_takes_the_whole_allowance() -> None:
    # No enemy is near: only the mines can stop it with points left.
    game = acting("21Pz", "21Pz.104 2820, 21Pz.HQ 2822, 7.Mot 4820, 7Armd.HQ 4820", dice=[1])
    play(game, "move 21Pz.104", "to 2719")
    assert where(game, "21Pz.104") == "2719"
    assert game.step.rule == "7.2" and game.ap[0] == 6
    assert "move 21Pz.104" in texts(game)


def test_7_4_only_infantry_and_hecker_in_command_breach() -> None:
    units = EXAMPLE.replace("21Pz.3 2721", "21Pz.3 2621").replace("104 2623", "104 2621")
    game = acting("21Pz", units)
    assert "breach 21Pz.104" in texts(game)
    assert refused(game, "breach 21Pz.3").rule == "7.4"
    assert refused(game, "breach I/5").rule == "7.4"
    short = acting("21Pz", units, ap=1)
    assert refused(short, "breach 21Pz.104").rule == "6.3.4"
    lost = acting("21Pz", units.replace("21Pz.HQ 2724", "21Pz.HQ 1524"))
    assert refused(lost, "breach 21Pz.104").rule == "5.8.3"


def test_7_4_plain_minefields_are_easier_and_failure_disrupts() -> None:
    units = EXAMPLE.replace("104 2623", "104 2621").replace("FF.1 2521, FF.2 2521,", "")
    units = units.replace("FF.HQ 2521,", "")
    game = acting("21Pz", units, dice=[5])
    play(game, "breach 21Pz.104")
    assert game.breached
    other = acting("21Pz", units, dice=[9])
    play(other, "breach 21Pz.104")
    assert disrupted(other, "21Pz.104") and not other.breached


def test_3_1_3_a_minefield_keeps_its_owner_and_a_box_is_one() -> None:
    game = acting("21Pz", EXAMPLE)
    box = game.data.hex("2622")
    assert game.data.boxes >> box & 1
    assert game.data.mines[1] >> box & 1
    assert game.mined(1) >> box & 1
    game.breach(box)
    assert not game.mined(1) >> box & 1
    assert game.data.mines[1] >> box & 1
