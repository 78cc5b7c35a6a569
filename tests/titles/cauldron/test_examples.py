"""The rulebook's own worked examples, every number in them asserted."""

from __future__ import annotations

from fractions import Fraction

from sandtable.kernel.actions import Space
from sandtable.titles.cauldron.battle import attack_strength, column, defence_strength, modifiers
from sandtable.titles.cauldron.combat import Assault, DefenderChits
from sandtable.titles.cauldron.movement import Move
from sandtable.titles.cauldron.state import Marker

from .helpers import DATA, active, at, on_map, play, position, refused, sentences, texts, uid, unit

EXAMPLE_1 = on_map(
    "5/1 1622",
    "5/2 1422 used",
    "104/1 1519 used",
    "104/2 1421 used",
    "132/8 1320",
    "2-Lan eliminated",
    "11-Cav 1520",
    "18-Cav 1420",
    head='turn = "May 27 AM"\nside = "axis"\nactivated = ["5/1"]',
)


def test_11_0_first_example_21_panzer_against_3_indian() -> None:
    game = position(EXAMPLE_1, 6)
    show = DATA.show_points
    play(game, "select 5/1")
    step = game.stack[-1]
    assert isinstance(step, Move)
    assert show(step.left(game)) == "24"  # being placed as a reinforcement cost nothing
    play(game, "move 5/1 1621")
    step = game.stack[-1]
    assert isinstance(step, Move)
    assert show(step.left(game)) == "23"
    assert texts(game, "attack") == {"attack 5/1 light", "attack 5/1 medium"}
    assert "24 movement points and 23 are left" in refused(game, "attack 5/1 heavy").text
    play(game, "attack 5/1 medium")
    assault = game.stack[-1]
    assert isinstance(assault, Assault)
    assert assault.battle.defenders == (uid("11-Cav"),)
    assert {game.soft(uid("104/1")), game.soft(uid("104/2"))} == {4}
    assert game.soft(uid("5/1")) == 12
    assert texts(game, "join") == {"join 104/1", "join 104/2"}
    play(game, "join 104/1", "join 104/2")
    assault = game.stack[-1]
    assert isinstance(assault, Assault)
    battle = assault.battle
    assert attack_strength(game, battle) == 20
    assert defence_strength(game, battle) == 3  # the hard value, because armor attacks
    assert DATA.tables.crt.columns[column(game, 20, 3)] == "5-1"
    assert sum(each.value for each in modifiers(game, battle)) == 0
    odds = game.odds(game.parse("resolve"))
    assert odds is not None
    assert not odds.assumes
    assert next(c.probability for c in odds.outcomes if c.text == "-/DR") == Fraction(2, 10)
    events = play(game, "resolve")
    told = sentences(game, events)
    assert "20 to 3: 5-1, die +0." in told
    assert "Die 6, modified 6: -/DR." in told
    assert "11 Cav is Disrupted." in told


def test_11_0_first_example_the_retreat_ends_the_unit() -> None:
    game = position(EXAMPLE_1, 6)
    play(game, "select 5/1", "move 5/1 1621", "attack 5/1 medium", "join 104/1", "join 104/2")
    play(game, "resolve")
    # One neighbour holds the last Indian unit; all ways two hexes out lead through enemy ZOC.
    assert game.actor == "allied"
    assert "retreat-to 1420" in texts(game)
    for first in game.actions():
        trial = game.copy()
        trial.play(first)
        while trial.actor == "allied":
            trial.play(trial.actions()[0])
        assert at(trial, "11-Cav") == "eliminated"
    while game.actor == "allied":
        game.play(game.actions()[0])
    assert at(game, "11-Cav") == "eliminated"
    assert at(game, "18-Cav") == "1420"
    assert texts(game, "advance") == {
        "advance 5/1 1520",
        "advance 104/1 1520",
        "advance 104/2 1520",
    }
    play(game, "pass")
    step = game.stack[-1]
    assert isinstance(step, Move)
    assert DATA.show_points(step.left(game)) == "7"
    assert texts(game, "move")


EXAMPLE_2 = on_map(
    "132/8 1418",
    "132/9 1419",
    "12-Ber 1419",
    "132/10 1321",
    "10-Hus 1318",
    "Marine 1318",
    head='turn = "May 29"\nside = "axis"\nactivated = ["132/8", "132/10"]',
    tail='[axis]\nheld = ["combat", "anti-tank"]',
)


def test_11_0_second_example_ariete_at_bir_hacheim() -> None:
    game = position(EXAMPLE_2, 7)
    play(game, "select 132/8", "attack 132/8 heavy")
    step = game.stack[-2]
    assert isinstance(step, Move)
    assert step.left(game) == 0  # all 24 points
    assault = game.stack[-1]
    assert isinstance(assault, Assault)
    assert set(assault.battle.defenders) == {uid("10-Hus"), uid("Marine")}
    assert texts(game) == {"join 132/9", "resolve"}
    refusal = refused(game, "join 12-Ber")
    assert refusal.rule == "11.0"
    assert "nfantry" in refusal.text
    play(game, "join 132/9")
    assault = game.stack[-1]
    assert isinstance(assault, Assault)
    battle = assault.battle
    assert attack_strength(game, battle) == 16
    assert defence_strength(game, battle) == 17
    assert DATA.tables.crt.columns[column(game, 16, 17)] == "1-2"
    named = {each.name: each.value for each in modifiers(game, battle)}
    assert named == {"heavy attack": 2, "fortified hex": -2, "minefield": -2}
    play(game, "resolve", "chit combat", "chit anti-tank")
    chits = game.stack[-1]
    if isinstance(chits, DefenderChits):
        raise AssertionError("the Allies hold no chit and are not asked")
    assert game.actor == "allied"
    assert unit(game, "132/8").steps == 2
    # The Anti-Tank step came first and could fall on the only armor; now the ordinary one.
    assert unit(game, "10-Hus").steps == 1
    assert texts(game) == {"lose 10-Hus", "lose Marine"}
    events = play(game, "lose 10-Hus")
    assert at(game, "10-Hus") == "eliminated"
    assert at(game, "Marine") == "1318"
    assert unit(game, "132/8").steps == 1
    assert unit(game, "132/9").steps == 2
    assert "132/8 loses a step and has 1 left." in sentences(game, events)


def test_13_1_second_example_final_modifier_is_minus_one() -> None:
    game = position(EXAMPLE_2, 7)
    play(game, "select 132/8", "attack 132/8 heavy", "join 132/9", "resolve", "chit combat")
    odds = game.odds(game.parse("chit anti-tank"))
    assert odds is not None
    assert sum(each.value for each in odds.modifiers) == -1
    assert {each.name: each.value for each in odds.modifiers} == {
        "heavy attack": 2,
        "fortified hex": -2,
        "minefield": -2,
        "attacker's Combat chit": 1,
    }
    told = sentences(game, play(game, "chit anti-tank"))
    assert "Die 7, modified 6: */*." in told


FIRST_ILLUSTRATION = on_map(
    "65/1 1215",
    "65/2 1216",
    "66/1 1217",
    "2-Leg 1316",
    "3-Leg 1415",
    head='turn = "May 28"\nphase = "minefields"',
)


def test_14_1_first_illustration_markers_go_down() -> None:
    game = position(FIRST_ILLUSTRATION, 3, 5)
    offered = texts(game, "breach")
    assert {"breach 65/1 1314", "breach 65/2 1315", "breach 66/1 1316"} <= offered
    play(game, "breach 65/1 1314")
    # An enemy unit in 1316 does not prevent the attempt.
    play(game, "breach 66/1 1316")
    assert len(game.markers) == 2  # only two a turn
    assert not texts(game, "breach")


def test_14_1_second_illustration_three_outcomes() -> None:
    """14.1 Blocked at 1314, into 1315 only, and straight through 1316 to 1416."""
    text = on_map(
        "65/1 1215",
        "65/2 1216",
        "66/1 1217",
        "2-Leg 1314",
        "3-Leg 1415",
        head='turn = "May 29"\nphase = "minefields"',
        tail="""
[[breaches]]
sides = [["1215", "1314"]]
unit = "65/1"
[[breaches]]
sides = [["1216", "1315"]]
unit = "65/2"
[[breaches]]
sides = [["1217", "1316"]]
unit = "66/1"
""",
    )
    game = position(text)
    here = DATA.board.at

    def side(a: str, b: str) -> tuple[Space, Space]:
        return here(a), here(b)

    assert set(game.markers) == {
        Marker((side("1216", "1315"),)),
        Marker((side("1217", "1316"), side("1316", "1416"))),
    }
    mined = game.terrain.mined
    assert side("1215", "1314") in mined
    assert side("1216", "1315") not in mined
    assert side("1315", "1415") in mined
    assert side("1217", "1316") not in mined
    assert side("1316", "1416") not in mined
    # The first hexside may be tried again at once.
    assert "breach 65/1 1314" in texts(game)


def test_8_0_example_unit_in_position_is_free_to_move() -> None:
    """8.0 The helper used throughout starts a unit with its full allowance."""
    game = active("5/1", "5/1 1622")
    assert DATA.show_points(game.stack[-1].left(game)) == "24"
