"""XIV.D Tactical retreats."""

from __future__ import annotations

from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.state import Game
from tests.titles.gallop.tables import piece, play, position, refused, rules, texts, where

R1, R2 = 5, 6


def beaten(units: str, die: int, factors: int = 7, **fields: object) -> Game:
    """15Pz in J14 has attacked J15 with this die; the defender gave no orders."""
    game = position(f"15Pz J14, {units}", "axis attacks", [die], **fields)
    play(game, "attack J15", f"join 15Pz {factors}", "resolve", "done")
    return game


def test_XIV_D_1_the_winner_sets_the_distance_and_the_loser_the_hexes() -> None:
    game = beaten("4Arm J15 4-6-4", R2)
    assert game.actor == "axis" and texts(game) == {"drive 0", "drive 1", "drive 2"}
    assert refused(game, "drive 3").rule == "XIV.D.1"
    play(game, "drive 2")
    assert game.actor == "allied"
    assert texts(game) <= {"retreat 4Arm J16", "retreat 4Arm I16", "retreat 4Arm K16"}
    assert refused(game, "done").rule == "XIV.D.1"


def test_XIV_D_1_R1_lets_the_loser_go_one_hex_more() -> None:
    game = beaten("4Arm J15 4-6-4", R1)
    assert texts(game) == {"drive 0", "drive 1"}
    play(game, "drive 0")
    assert "done" in texts(game)  # a voluntary hex
    play(game, "done")
    assert where(game, "4Arm") == "J15" and piece(game, "4Arm").disrupted


def test_XIV_D_1_D_allows_one_or_two_voluntary_hexes() -> None:
    game = beaten("4Arm J15 4-6-4", 4)
    assert game.actor == "allied" and "done" in texts(game)
    play(game, sorted(texts(game, "retreat"))[0])
    assert "done" in texts(game)
    play(game, sorted(texts(game, "retreat"))[0])
    board = game.facts.board
    assert game.facts.distance(board.at("J15"), piece(game, "4Arm").hex) == 2


def test_XIV_D_1_a_unit_disrupted_before_goes_one_hex_and_only_on_D() -> None:
    # 4 factors to 6 are 1:2, one column up for Disruption: 1:1, where 4 is D and 5 is R1.
    game = beaten("4Arm J15 4-6-4 disrupted", 4, factors=4)
    play(game, sorted(texts(game, "retreat"))[0])
    assert not texts(game, "retreat 4Arm")
    game = beaten("4Arm J15 4-6-4 disrupted", 5, factors=4)
    play(game, "drive 0")
    assert not texts(game, "retreat 4Arm")


def test_XIV_D_1_losers_may_part() -> None:
    game = beaten("4Arm J15 4-4-4, 7Mot J15 1-2-3", R2)
    play(game, "drive 1")
    first = sorted(texts(game, "retreat"))[0]
    play(game, first)
    unit = {"4Arm", "7Mot"} - {first.split()[1]}
    assert texts(game, f"retreat {unit.pop()}")


def test_XIV_D_2_a_every_hex_is_farther_and_passable() -> None:
    """XIV.D.2, XIV.D.2.a Each step leads away from the hex that was attacked."""
    game = beaten("4Arm J15 4-6-4", R2)
    play(game, "drive 2")
    assert refused(game, "retreat 4Arm J13").rule == "XIV.D.2.a"
    play(game, "retreat 4Arm J16")
    assert refused(game, "retreat 4Arm I16").rule == "XIV.D.2.a"


def test_XIV_D_2_b_not_onto_the_enemy() -> None:
    game = beaten("21Pz J16, 4Arm J15 4-6-4", R1)
    play(game, "drive 1")
    assert where(game, "4Arm") == "J15"  # its zones and its hex close every way
    game = beaten("4Arm J15 4-6-4", R1)
    play(game, "drive 1")
    assert refused(game, "retreat 4Arm J14").rule == "XIV.D.2.b"


def test_XIV_D_2_c_not_into_a_zone_unless_a_friend_is_there() -> None:
    game = beaten("21Pz J17, 4Arm J15 4-6-4", R1)
    play(game, "drive 1")
    assert refused(game, "retreat 4Arm J16").rule == "XIV.D.2.c"
    game = beaten("21Pz J17 disrupted, 4Arm J15 4-6-4, 7Mot J16 asleep", R1)
    play(game, "drive 1")
    # Nobody could still attack 7Mot, so J16 is open, but for the empty hexes beside it.
    assert refused(game, "retreat 4Arm J16").rule == "XIV.D.2.f"


def test_XIV_D_2_d_not_into_a_hex_still_to_be_attacked() -> None:
    game = position("15Pz J14, 21Pz J17, 4Arm J15 4-6-4, 7Mot J16", "axis attacks", [R1])
    play(game, "attack J15", "join 15Pz 7", "resolve", "done", "drive 1")
    assert refused(game, "retreat 4Arm J16").rule == "XIV.D.2.d"


def test_XIV_D_2_d_attacks_that_cannot_be_made_bar_no_retreat() -> None:
    """XIV.D.2.d, ruling R42 21Pz beside 7Mot is Disrupted, or has attacked: J16 stays open."""
    for state in ("disrupted", "attacked"):
        units = f"15Pz J14, 21Pz J17 {state}, 4Arm J15 4-6-4, 7Mot J16"
        game = position(units, "axis attacks", [R1])
        play(game, "attack J15", "join 15Pz 7", "resolve", "done", "drive 1")
        assert refused(game, "retreat 4Arm J16").rule == "XIV.D.2.f"
        more = f"Recce H16 {state}, Ariete L16 {state}"  # their zones close I16 and K16
        game = position(f"{units}, {more}", "axis attacks", [R1])
        play(game, "attack J15", "join 15Pz 7", "resolve", "done", "drive 1")
        assert where(game, "4Arm") == "J16"


def test_XIV_D_2_e_not_beside_a_hex_the_attack_came_from() -> None:
    game = beaten("4Arm J15 4-6-4", R1)
    play(game, "drive 1")
    assert refused(game, "retreat 4Arm I15").rule == "XIV.D.2.c"
    # DAE: the attackers are gone, and with them their zones (ruling R69); e alone bars the way.
    game = position("Recce J14, 4Arm J15 4-6-4", "axis attacks", [2])
    play(game, "attack J15", "join Recce 2", "resolve", "done")
    assert where(game, "Recce") == "dead"
    for hex in ("I15", "K15", "J14"):
        assert refused(game, f"retreat 4Arm {hex}").rule == "XIV.D.2.e"
    assert "retreat 4Arm J16" in texts(game)
    # Zones do not enter a box held by a friend, and a box lifts condition e too.
    ring = "90Lt N12, Ariete K12"
    game = position(f"15Pz M10, 4Arm M11 4-6-4, 7Mot L10 disrupted, {ring}", "axis attacks", [R1])
    play(game, "attack M11", "join 15Pz 7", "resolve", "done", "drive 1")
    assert where(game, "4Arm") == "L10"


def test_XIV_D_2_f_into_the_least_stacked_hex() -> None:
    game = beaten("4Arm J15 4-6-4, 7Mot J16", R1)
    play(game, "drive 1")
    assert refused(game, "retreat 4Arm J16").rule == "XIV.D.2.f"
    assert texts(game) == {"retreat 4Arm I16", "retreat 4Arm K16"}


def test_XIV_D_2_g_into_supply_if_possible() -> None:
    units = "90Lt M6, Pavia M5, 150 H6 asleep, 1FF K7 asleep"
    game = position(f"7Mot M7 9-2-3, {units}", "allied attacks", [R1], weather="rainstorm")
    play(game, "attack M6", "join 7Mot 4", "resolve", "done", "drive 1")
    # Five factors from H4 in rain: L5 lies within them and N5 does not.
    assert where(game, "90Lt") == "L5"


def test_XIV_D_3_a_unit_that_cannot_go_two_hexes_on_R2_is_lost() -> None:
    ring = "21Pz J17, 90Lt I17, Ariete H15, Trieste K17, Pavia L15 3-3-2"
    game = position(f"15Pz J14, 4Arm J15 4-6-4, {ring}", "axis attacks", [R2])
    told = play(game, "attack J15", "join 15Pz 7", "resolve", "done")
    assert where(game, "4Arm") == "dead" and rules(told, ev.Eliminated) == ["XIV.D.3"]


def test_XIV_D_3_without_a_way_back_R1_becomes_D() -> None:
    ring = "21Pz J17, 90Lt I17, Ariete H15, Trieste K17, Pavia L15 3-3-2"
    game = position(f"15Pz J14, 4Arm J15 4-6-4, {ring}", "axis attacks", [R1])
    play(game, "attack J15", "join 15Pz 7", "resolve", "done", "drive 1")
    assert where(game, "4Arm") == "J15" and piece(game, "4Arm").disrupted


def test_XIV_D_4_forced_off_the_map_is_eliminated() -> None:
    game = position("15Pz J16, 21Pz I17, 90Lt K17, 4Arm J17 4-6-4", "axis attacks", [R1])
    told = play(game, "attack J17", "join 15Pz 7")
    told = play(game, "resolve", "done", "drive 1")
    assert where(game, "4Arm") == "dead" and rules(told, ev.Eliminated) == ["XIV.D.4"]


def test_XIV_D_4_works_by_the_sea_hold() -> None:
    """XI.A.1, rulings R8 and R51: a compulsory R1 without a way back is a D in works."""
    ring = "15Pz D12, 21Pz C12, 90Lt D13, Ariete B11"
    game = position(f"2SA C13 3-1-2, {ring}", "axis attacks", [5])
    play(game, "attack C13", "join 15Pz 5", "resolve", "done")
    assert where(game, "2SA") == "C13" and piece(game, "2SA").disrupted


def test_XIV_D_attackers_without_a_way_back() -> None:
    """XIV.D.1, ruling R50 An AR that the winner demands and nobody can carry out eliminates."""
    ring = "7Mot J12, 1Tank I12, 32Tank K12, 22Arm H14 4-3-4, 2Arm L14"
    game = position(f"15Pz J14, 4Arm J15 4-7-4, {ring}", "axis attacks", [1])
    told = play(game, "attack J15", "join 15Pz 7", "resolve", "done", "drive 1")
    assert where(game, "15Pz") == "dead" and rules(told, ev.Eliminated) == ["XIV.D"]


def test_XIV_D_5_survivors_turn_DE_into_R2() -> None:
    game = position("15Pz J14, 7Mot J15", "axis attacks", [6])
    play(game, "attack J15", "join 15Pz 7", "resolve", "done")
    assert texts(game) == {"drive 0", "drive 1", "drive 2"}
    game = position("15Pz J14, 7Mot J15", "axis attacks", [6])
    play(game, "attack J15", "join 15Pz 7", "resolve", "stand 7Mot")
    assert where(game, "7Mot") == "dead"


def test_AR_sends_attackers_back_by_the_defenders_word() -> None:
    """XIV.D.1, GCRT On AR the defender may send the attackers back a hex, and they go on."""
    game = position("15Pz J14, 4Arm J15 4-7-4", "axis attacks", [1])
    play(game, "attack J15", "join 15Pz 7", "resolve", "done")
    assert game.actor == "allied" and texts(game) == {"drive 0", "drive 1"}
    play(game, "drive 1")
    assert game.actor == "axis"
    assert texts(game) <= {"retreat 15Pz J13", "retreat 15Pz I14", "retreat 15Pz K14"}
    play(game, sorted(texts(game))[0])
    assert texts(game, "retreat 15Pz") and "done" in texts(game)  # one more of its own will


def test_XVI_a_retreat_into_a_village_takes_it() -> None:
    """XVI, XIV.D.2 Only L13 is open to 4Arm, and the Axis held it."""
    units = "15Pz L11, 21Pz J12, 90Lt N12, 4Arm L12 4-6-4"
    holds = ["A5", "B1", "G1", "L13"]
    game = position(units, "axis attacks", [R1], axis_holds=holds, eliminated=["L13"])
    told = play(game, "attack L12", "join 15Pz 7", "resolve", "done", "drive 1")
    assert where(game, "4Arm") == "L13" and rules(told, ev.ControlPassed) == ["XVI"]


def test_standing_orders_for_pursuit_and_withdrawal() -> None:
    game = position("15Pz J14, 4Arm J15 4-6-4", "axis attacks", [R1])
    game.order("allied", "no-retreat", "never")
    game.order("allied", "withdrawal", "never")
    game.order("axis", "pursuit", "none")
    play(game, "attack J15", "join 15Pz 7", "resolve")
    assert where(game, "4Arm") == "J15" and piece(game, "4Arm").disrupted


def test_XIV_D_1_the_loser_says_which_unit_retreats_where() -> None:
    """XIV.D.2.f, XIV.D.2.g The first takes the supplied hex, and the loser says who is first."""
    units = "15Mot H9, Trieste H9, 4Arm H8, 22Arm G9, 2Arm G9"
    for first, second in (("15Mot", "Trieste"), ("Trieste", "15Mot")):
        game = position(units, stage="allied attacks", dice=[3])
        play(game, "attack H9", "join 4Arm 5", "join 22Arm 4", "join 2Arm 4", "resolve", "done")
        play(game, "drive 1")
        assert "15Mot 1 hex" in game.prompt and "Trieste 1 hex" in game.prompt
        assert refused(game, f"retreat {first} H10").rule == "XIV.D.2.g"
        play(game, f"retreat {first} I10", "done")
        assert where(game, first) == "I10" and where(game, second) == "H10"
