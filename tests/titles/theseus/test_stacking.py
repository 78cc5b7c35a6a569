"""5.3 Stacking, displacement and limited intelligence."""

from __future__ import annotations

import pytest

from sandtable.titles.theseus.retreat import Retreat
from sandtable.titles.theseus.stacking import HqDisplacement, Overstack, fits, havens
from sandtable.titles.theseus.state import Game
from tests.titles.theseus.tables import (
    acting,
    disrupted,
    enter,
    ids,
    level,
    play,
    position,
    strength,
    texts,
    where,
)


@pytest.mark.parametrize(
    ("units", "allowed"),
    [
        ("21Pz.104 I/5 II/5 18.Flak 35.Flak KG.Hecker", True),
        ("21Pz.104 15Pz.115", False),
        ("I/5 II/5 21Pz.3", False),
        ("Pavia.27 Ariete.8", False),
        ("50Div.69 42.RTR", True),
        ("50Div.69 50Div.150", False),
        ("7.Mot 3.RTR/4", True),
        ("7.Mot 3.RTR/4 5.RTR/4", False),
        ("FF.1 FF.2 8.RTR", True),
        ("FF.1 FF.2 50Div.69", False),
        ("FF.1 50Div.69", False),
    ],
)
def test_5_3_1_stacking_limits_of_both_sides(units: str, allowed: bool) -> None:
    game = position("")
    pieces = ids(game, *units.split())
    assert fits(game, pieces, game.side(pieces[0])) is allowed


def test_5_3_1_overstacking_disrupts_and_the_enemy_displaces() -> None:
    game = acting("21Pz", "21Pz.104 3018, 21Pz.HQ 3018, 15Pz.115 3020 disrupted 5, 15Pz.HQ 3022")
    play(game, "move 21Pz.104", "to 3020")
    assert game.actor == "axis"
    play(game, "halt")
    assert disrupted(game, "21Pz.104")
    assert strength(game, "15Pz.115") == 4
    assert game.actor == "commonwealth"
    hexes = {"2920", "2919", "3019", "3021", "3119", "3120"}
    assert texts(game) == {
        f"displace {unit} {hex}" for unit in ("21Pz.104", "15Pz.115") for hex in hexes
    }
    play(game, "displace 21Pz.104 3119")
    assert where(game, "21Pz.104") == "3119"
    assert game.actor == "axis"


def test_5_3_3_a_full_hex_is_used_only_if_no_other_is_open() -> None:
    units = (
        "21Pz.104 3020, 15Pz.115 3020, 21Pz.HQ 3022, Trieste.65 3119, Trieste.66 3120,"
        "Trieste.9 3021, Ariete.8 2920, 90Le.155 3019"
    )
    game = acting("21Pz", units)
    enter(game, Overstack((game.data.hex("3020"),)))
    assert {text.split()[2] for text in texts(game)} == {"2919"}


def test_5_3_3_units_that_cannot_be_displaced_are_eliminated_by_their_owner() -> None:
    ring = "3.RTR/4 3119, 5.RTR/4 3120, 8.H/4 3021, QB/2 2920, 9.L/2 2919, 10.H/2 3019"
    game = acting("21Pz", f"21Pz.104 3020, 15Pz.115 3020, 21Pz.HQ 2024, {ring}")
    enter(game, Overstack((game.data.hex("3020"),)))
    assert game.actor == "axis"
    assert texts(game) == {"remove 21Pz.104", "remove 15Pz.115"}
    play(game, "remove 15Pz.115")
    assert where(game, "15Pz.115") == "gone"


def test_5_3_1_two_hqs_lose_support_and_one_is_displaced_by_its_owner() -> None:
    """5.3.2"""
    game = acting("21Pz", "21Pz.HQ 3018, I/5 3016, 15Pz.HQ 3020, 15Pz.115 3022")
    play(game, "move 21Pz.HQ", "to 3020", "halt")
    assert strength(game, "21Pz.HQ") == strength(game, "15Pz.HQ") == 5
    assert game.actor == "axis" and game.prompt == "Displace 21 Pz HQ or 15 Pz HQ."
    assert texts(game) == {"displace 21Pz.HQ 3016", "displace 15Pz.HQ 3022"}
    play(game, "displace 15Pz.HQ 3022")
    assert strength(game, "15Pz.HQ") == 4 and level(game, "15Pz") == 6
    assert level(game, "21Pz") == 7


def names(game: Game, formation: str) -> list[str]:
    return [game.data.board.names[h] for h in havens(game, game.data.formation(formation))]


def test_5_3_2_a_lone_hq_is_displaced_to_the_nearest_unit_of_its_formation() -> None:
    units = "I/5 3018, 21Pz.HQ 2920, 7Armd.HQ 3218, 3.RTR/4 3420, 5.RTR/4 3417, 7.Mot 3419"
    game = acting("21Pz", units)
    play(game, "move I/5", "to 3117")
    # 3417 and 3419 are two hexes away, 3420 three: the owner chooses.
    assert game.actor == "commonwealth"
    assert texts(game) == {"displace 7Armd.HQ 3417", "displace 7Armd.HQ 3419"}
    play(game, "displace 7Armd.HQ 3419")
    assert where(game, "7Armd.HQ") == "3419"
    assert strength(game, "7Armd.HQ") == 4 and level(game, "7Armd") == 5


def test_5_3_2_not_onto_a_hex_with_another_hq_or_in_mines() -> None:
    units = "21Pz.HQ 3018, I/5 3019, 15Pz.HQ 3019, II/5 2621, 21Pz.104 3025"
    assert names(acting("21Pz", units), "21Pz") == ["3025"]
    # Without 104, beside a unit that the owner selects.
    without = acting("21Pz", units.replace(", 21Pz.104 3025", ""))
    assert names(without, "21Pz") == ["2720", "2721", "2918", "2919", "3020", "3118", "3119"]
    # Not even its own side's mines, though they are nearer.
    boxed = "50Div.HQ 2612, 50Div.150 2414, 50Div.69 2808, I/5 2914, 21Pz.HQ 2922"
    assert names(acting("21Pz", boxed), "50Div") == ["2808"]
    breached = acting("21Pz", boxed, breached=["2414"])
    assert names(breached, "50Div") == ["2414"]


def test_5_3_2_next_to_units_that_share_the_crowded_hex() -> None:
    """5.3.2, 3.3 Its own units stand in the very hex: then beside it, not across the map."""
    game = acting("21Pz", "21Pz.HQ 3018, I/5 3010, 15Pz.HQ 3020, 15Pz.115 3020")
    play(game, "move 21Pz.HQ", "to 3020", "halt")
    places = {text.split()[2] for text in texts(game) if text.startswith("displace 15Pz.HQ")}
    assert places == {"2919", "2920", "3019", "3021", "3119", "3120"}
    assert "displace 21Pz.HQ 3010" in texts(game)


def test_5_3_2_an_hq_left_alone_where_others_retreat_is_displaced() -> None:
    """5.3.2, 7.5 The retreat crowds a hex on its way and kills what stood there with an HQ."""
    units = (
        "21Pz.104 2920 disrupted, 15Pz.115 2820 disrupted 1, 15Pz.HQ 2820, I/8 2424,"
        "Trieste.65 2821, Trieste.66 2921, Trieste.HQ 2425, 21Pz.HQ 2422,"
        "3.RTR/4 3020, 5.RTR/4 3020, 7Armd.HQ 3220"
    )
    game = acting("7Armd", units, dice=[1, 8, 7, 1, 1, 1, 1, 1, 1, 1])
    play(game, "attack 3020 2920", "strike hasty", "oppose 3.RTR/4", "fall-back")
    assert where(game, "21Pz.104") == "2720" and where(game, "15Pz.115") == "gone"
    assert where(game, "15Pz.HQ") == "2424"
    alone = acting("7Armd", units.replace("15Pz.115 2820 disrupted 1, ", ""), dice=[1, 8, 7, 1, 1])
    play(alone, "attack 3020 2920", "strike hasty", "oppose 3.RTR/4", "fall-back")
    assert where(alone, "15Pz.HQ") == "2820", "it was alone before"


def test_5_3_2_support_never_falls_below_zero() -> None:
    game = acting("21Pz", "I/5 3018, 21Pz.HQ 2024 0, 15Pz.115 2024")
    formation = game.data.formation("21Pz")
    enter(game, HqDisplacement((formation,)))
    assert strength(game, "21Pz.HQ") == 0
    assert where(game, "21Pz.HQ") == "3018"


def test_5_3_1_units_stack_in_any_order_beneath_an_hq() -> None:
    game = acting("21Pz", "21Pz.104 3018, I/5 3018, II/5 3018, 21Pz.HQ 3020")
    assert "top I/5" in texts(game) and "top 21Pz.104" not in texts(game)
    play(game, "top I/5")
    top = game.at[game.data.hex("3018")][0]
    assert game.name(top) == "I/5"
    assert "top I/5" not in texts(game)
    under = acting("21Pz", "21Pz.104 3018, I/5 3018, 21Pz.HQ 3018")
    assert not any(text.startswith("top") for text in texts(under))
    assert under.at[under.data.hex("3018")][0] == under.data.piece("21Pz.HQ")


def test_5_3_1_retreating_into_a_full_hex_costs_an_extra_point() -> None:
    """7.5.2.2"""
    full = "15Pz.115 2820, Trieste.65 2821, Trieste.66 2921"
    units = f"21Pz.104 2920, {full}, 21Pz.HQ 2422, 15Pz.HQ 2423, 3.RTR/4 3020, 7Armd.HQ 3220"
    for state, loss in (("", 1), (" disrupted", 2)):
        game = acting("7Armd", units.replace("104 2920", f"104 2920{state}"))
        enter(game, Retreat(ids(game, "21Pz.104"), 2, True))
        # A full hex is better than the EZOCs 2919 and 3021, and 2820 is the one nearest home.
        assert where(game, "21Pz.104") == "2820" and strength(game, "21Pz.104") == 11 - loss
        assert disrupted(game, "21Pz.104") and disrupted(game, "15Pz.115")
        assert game.actor == "commonwealth"
        stays = game.copy()
        # A unit displaced has ended its retreat; one left in the hex goes on.
        play(game, "displace 21Pz.104 2720")
        assert where(game, "21Pz.104") == "2720" and game.step.rule == "7.2"
        play(stays, "displace 15Pz.115 2720")
        assert where(stays, "21Pz.104") not in ("2820", "2920")


@pytest.mark.parametrize(
    ("units", "surplus"),
    [
        ("42.RTR of:50Div, 50Div.150, 50Div.69", {"50Div.150", "50Div.69"}),
        ("FF.1, FF.2, 50Div.69", {"50Div.69"}),
        ("7.Mot, 3.RTR/4, 5.RTR/4", {"7.Mot", "3.RTR/4", "5.RTR/4"}),
        ("21Pz.104, 15Pz.115, I/5, 18.Flak of:21Pz", {"21Pz.104", "15Pz.115"}),
    ],
)
def test_5_3_3_only_units_whose_removal_helps_are_displaced(units: str, surplus: set[str]) -> None:
    placed = [f"{name} 3020 {state}" for name, _, state in (u.partition(" ") for u in
              units.split(", "))]  # fmt: skip
    game = acting("21Pz", ", ".join([*placed, "21Pz.HQ 2024"]))
    enter(game, Overstack((game.data.hex("3020"),)))
    assert {text.split()[1] for text in texts(game)} == surplus


def test_5_3_3_a_displaced_unit_that_crowds_a_full_hex_sets_off_the_same_there() -> None:
    ring = "Trieste.65 3119, Trieste.66 3120, Trieste.9 3021, Ariete.8 2920, 90Le.155 3019"
    units = f"21Pz.104 3020, 15Pz.115 3020, 21Pz.HQ 3023, {ring}, 15Schtz.200 2919"
    game = acting("21Pz", units)
    enter(game, Overstack((game.data.hex("3020"),)))
    assert "displace 21Pz.104 3119" in texts(game) and not disrupted(game, "Trieste.65")
    play(game, "displace 21Pz.104 3119")
    assert disrupted(game, "Trieste.65")
    assert strength(game, "21Pz.104") == 10  # disrupted by the first hex, so it pays in the second
    assert {text.split()[1] for text in texts(game)} == {"21Pz.104", "Trieste.65"}
    play(game, "displace Trieste.65 3219")
    assert where(game, "Trieste.65") == "3219" and game.step.rule == "7.2"


def test_5_3_4_what_a_side_sees() -> None:
    units = (
        "21Pz.104 3018 7, I/5 3018, 18.Flak 3018 of:21Pz, 21Pz.HQ 2920, II/5 2920,"
        "7.Mot 3118, 7Armd.HQ 3217"
    )
    game = acting("21Pz", units)
    theirs = game.view("commonwealth")
    hidden = [piece for piece in theirs.pieces if piece.id.startswith("?")]
    assert [piece.space for piece in hidden] == ["3018", "3018"]
    assert all(not piece.name and not piece.ratings for piece in hidden)
    top = next(piece for piece in theirs.pieces if piece.id == "21Pz.104")
    assert "strength" not in top.ratings and not top.steps and "reduced" not in top.states
    assert any(piece.id == "II/5" for piece in theirs.pieces)
    ours = game.view("axis")
    mine = next(piece for piece in ours.pieces if piece.id == "21Pz.104")
    assert mine.steps == 7 and "reduced" in mine.states
    assert not any(piece.id.startswith("?") for piece in ours.pieces if piece.side == "axis")


def test_5_3_4_a_declared_attack_shows_the_defenders() -> None:
    units = "21Pz.104 3018, I/5 3018, 21Pz.HQ 2920, 7.Mot 3118, 3.RTR/4 3118, 7Armd.HQ 3217"
    game = acting("21Pz", units)
    assert not any(piece.id == "3.RTR/4" for piece in game.view("axis").pieces)
    play(game, "attack 3018 3118")
    assert any(piece.id == "3.RTR/4" for piece in game.view("axis").pieces)
    assert any(piece.id == "I/5" for piece in game.view("commonwealth").pieces)


def test_3_3_an_hq_displaced_beside_its_unit_keeps_out_of_enemy_zoc() -> None:
    """5.3.2, ruling R53: unless every hex there is in one."""
    units = "21Pz.104 2513, 21Pz.HQ 2612, 50Div.150 2414, 50Div.HQ 2614, 7.Mot 4020, 7Armd.HQ 4021"
    game = acting("21Pz", units)
    play(game, "move 21Pz.104", "to 2514")
    assert texts(game) == {f"displace 50Div.HQ {hex}" for hex in ("2313", "2314", "2415")}
    around = "I/5 2213, II/5 2216, I/8 2516"
    shut = acting("21Pz", f"{units}, {around}")
    assert set(names(shut, "50Div")) >= {"2313", "2314", "2415"}


def test_5_3_2_an_hq_without_units_stays_with_the_nearest_friend_even_in_enemy_zoc() -> None:
    """Ruling R53"""
    shut = "50Div.150 2014, I/5 1814, II/5 1912, I/8 1915, II/8 2112, 21Pz.104 2115"
    far = "50Div.69 4612, 50Div.HQ 4614, 7.Mot 4620, 7Armd.HQ 4621, 21Pz.HQ 0521"
    game = acting("21Pz", f"1Armd.HQ 1612, {shut}, {far}")
    assert names(game, "1Armd") == ["1913", "1914", "2013", "2015", "2113", "2114"]


def test_5_3_1_units_of_other_formations_are_put_on_top_as_well() -> None:
    """5.3.4 The top unit is what the enemy sees (R95)."""
    units = "I/5 3018, 90Le.288 3018, 21Pz.HQ 2918, 90Le.HQ 2818, 7.Mot 3819, 7Armd.HQ 3821"
    game = acting("21Pz", units)
    play(game, "top 90Le.288")
    assert game.at[game.data.hex("3018")][0] == game.data.piece("90Le.288")
