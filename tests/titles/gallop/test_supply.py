"""XV Supply and isolation."""

from __future__ import annotations

import pytest

from sandtable.kernel.actions import Space
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.lines import (
    basic_length,
    lines,
    sharers,
    sources,
    supplied_units,
    tobruk_linked,
)
from sandtable.titles.gallop.state import DEAD, Game
from tests.titles.gallop.tables import TITLE, piece, play, position, refused, rules, texts, where


def length(game: Game, side: str, hex: str) -> int:
    """Movement Factors of line to a hex."""
    return lines(game, side)[game.facts.board.at(hex)]


def fed(game: Game, side: str) -> set[str]:
    """Names of the units in supply."""
    return {game.name(unit) for unit in supplied_units(game, side)}


def at_start() -> Game:
    """The historical set-up with the free units out of the way, on the road."""
    game = TITLE.start("historical", seed="x")
    for unit in ("15Pz", "21Pz"):
        game.play(game.parse(f"place {unit} A3"))
    for unit in ("90Lt", "Ariete"):
        game.play(game.parse(f"place {unit} B2"))
    for unit in ("Trieste", "Recce"):
        game.play(game.parse(f"place {unit} C3"))
    assert isinstance(game, Game)
    return game


def test_XV_A_2_example_of_the_sweep_round_bir_hacheim() -> None:
    """XV.A.2 The line for the southern sweep starts at H4, as the book says."""
    game = at_start()
    assert length(game, "axis", "H4") == 0 and length(game, "axis", "I5") == 1
    assert length(game, "axis", "M7") == 6
    assert length(game, "axis", "N7") == 7
    zone = game.facts.zones["axis"]
    shut = game.view("axis").overlays
    allied = next(o for o in shut if o.id == "zoc-allied").spaces
    for hex in game.facts.board.each(zone):
        if game.hex_name(hex) not in allied:
            assert lines(game, "axis")[hex] <= 6


def test_XV_A_2_in_the_zone_of_an_enemy_H4_is_closed() -> None:
    game = position("15Pz K5, 4Arm H5, 150 H6", "axis supply")
    assert length(game, "axis", "H4") > 0


@pytest.mark.parametrize(
    ("weather", "die", "reach"), [("clear", 0, 7), ("sandstorm", 4, 7), ("rainstorm", 0, 5)]
)
def test_XV_A_2_length_by_weather(weather: str, die: int, reach: int) -> None:
    game = position("15Pz K5, 4Arm N16", "axis movement", weather=weather, storm_die=die)
    assert basic_length(game) == reach


def test_XV_A_2_a_sandstorm_rolls_for_the_length_once_a_player_turn() -> None:
    game = position("15Pz K5, 4Arm N16", "axis supply", [6], weather="sandstorm")
    assert game.storm_die == 6 and basic_length(game) == 9


def test_XV_A_2_zones_of_disrupted_units_cost_one_more() -> None:
    game = position("15Pz N3, 4Arm K4 disrupted, 150 H6")
    assert length(game, "axis", "J4") == length(game, "axis", "I4") + 2 == 3
    game = position("15Pz N3, 4Arm K4, 150 H6")
    assert length(game, "axis", "J4") > 30  # closed
    game = position("15Pz N3, 4Arm K4, 150 H6", weather="sandstorm", storm_die=1)
    assert length(game, "axis", "J4") == 3


def test_XV_A_2_friends_open_a_closed_hex() -> None:
    game = position("15Pz J4, 4Arm K4, 150 H6")
    assert length(game, "axis", "J4") == 2


def test_XV_A_2_villages_and_boxes_of_the_enemy_close_a_line() -> None:
    game = position("15Pz M6, 4Arm N16")
    assert length(game, "axis", "K7") > 30
    game = position("15Pz M6, 4Arm N16", eliminated=["K7"], axis_holds=["A5", "B1", "G1", "K7"])
    assert length(game, "axis", "K7") == 0
    game = position("15Pz M6, 4Arm N16", eliminated=["K7"], axis_holds=["A5", "B1", "G1"])
    assert length(game, "axis", "K7") > 30  # the village is still Allied


def test_XV_A_2_no_axis_line_over_mines() -> None:
    game = position("15Pz G8, 4Arm N16")
    assert length(game, "axis", "G6") > 7
    game = position("15Pz G6, 21Pz G5, 4Arm N16")
    assert length(game, "axis", "G6") == 0
    game = position("15Pz H7, 4Arm N16", eliminated=["H6"])
    assert length(game, "axis", "H7") == 0


def test_XV_A_1_a_axis_sources() -> None:
    """XV.A, XV.A.1, XV.A.1.a The Axis draws on its western edge."""
    game = position("15Pz K5, 4Arm N16")
    assert [game.hex_name(hex) for hex in sources(game, "axis")] == ["A5", "B1", "G1"]


def test_XV_A_1_b_allied_sources_and_boxes() -> None:
    game = position("15Pz K5, 4Arm N16")
    names = [game.hex_name(hex) for hex in sources(game, "allied")]
    assert names == ["E18", "G18", "K18", "N17", "C13"]
    game = position("15Pz K5, 4Arm N16", options={"fourth_source": False})
    assert "E18" not in [game.hex_name(hex) for hex in sources(game, "allied")]
    ring = "15Pz J6, 21Pz K6, 90Lt J8, Ariete L8, Trieste L6"
    game = position(f"1FF K7, {ring}", "allied supply")
    assert fed(game, "allied") == {"1FF"}
    game = position(f"1FF K7, {ring}", "allied supply", eliminated=["K7"])
    assert fed(game, "allied") == set()


def test_XV_A_1_b_tobruk_cut_off_feeds_seven() -> None:
    inside = "2SA C13, 11Ind D13, 4AA C13, 1SA D12, 201Gds D12, 151 C12, 150 C12, 2SABde D13"
    inside += ", 50 C13"
    game = position(f"{inside}, 15Pz E14, 21Pz E13, 90Lt C11", "allied supply")
    assert not tobruk_linked(game)
    assert len(fed(game, "allied")) == 7
    game = position(inside, "allied supply")
    assert tobruk_linked(game) and len(fed(game, "allied")) == 9


def test_XV_A_1_b_a_box_before_lost_tobruk_feeds_its_garrison() -> None:
    """Ruling R58"""
    ring = "15Pz C13, 21Pz D12, 90Lt E14, Ariete E13"
    game = position(f"11Ind D13, {ring}", "allied supply", axis_holds=["A5", "B1", "G1", "C13"])
    assert fed(game, "allied") == {"11Ind"}


def test_XV_A_1_b_no_convoy_makes_tobruk_feed_an_eighth() -> None:
    hexes = "C13 C13 C13 D13 D13 D13 D12 D12".split()
    names = "2SA 11Ind 4AA 1SA 50 151 150 29Ind".split()
    inside = ", ".join(f"{n} {h} disrupted" for n, h in zip(names, hexes, strict=True))
    ring = "Trieste E13, Recce E14, Hecker C11, Trento D11, 15Mot E12"
    far = "22Arm M1 disrupted, 15Pz K9, 21Pz N8, 90Lt L8, Ariete H8"
    game = position(f"{inside}, {ring}, {far}", "allied recovery", weather="rainstorm")
    assert texts(game) == {"convoy 22Arm", "done"}
    assert refused(game, "convoy 29Ind").rule == "XV.A.4"
    play(game, "done")
    assert [piece(game, name).disrupted for name in names].count(True) == 1


def test_XV_A_3_german_small_units_live_from_a_division() -> None:
    game = position("Recce N8, 15Pz M8, 1FF K7, 150 H6, 4Arm N16", "axis supply")
    assert fed(game, "axis") == {"Recce", "15Pz"}  # M8 is 7 away, N8 8
    game = position("Recce N8, Ariete M8, 1FF K7, 150 H6, 4Arm N16", "axis movement")
    assert fed(game, "axis") == {"Ariete"}


def test_XV_A_4_convoys_extend_a_line_by_a_die() -> None:
    units = "Ariete N9, 1FF K7, 150 H6, 4Arm N16"
    game = position(units, "axis supply", [2])
    assert texts(game) == {"convoy Ariete", "done"}
    odds = game.odds(game.parse("convoy Ariete"))
    assert odds is not None
    assert {c.text: float(c.probability) for c in odds.outcomes} == {
        "in supply": pytest.approx(5 / 6),
        "out of supply": pytest.approx(1 / 6),
    }
    told = play(game, "convoy Ariete")
    assert rules(told, ev.SupplyFound) == ["XV.A.4"]
    assert piece(game, "Ariete").supplied and game.convoys == 3
    game = position(units, "axis supply", [1])
    told = play(game, "convoy Ariete")
    assert rules(told, ev.SupplyFailed) == ["XV.A.4"] and not piece(game, "Ariete").supplied


def test_XV_A_4_recce_has_another_die() -> None:
    game = position("Recce N9, 1FF K7, 150 H6, 4Arm N16", "axis supply", [1, 1])
    play(game, "convoy Recce")
    assert piece(game, "Recce").supplied


def test_XV_A_4_only_so_many_convoys() -> None:
    game = position("Ariete N9, Trieste M9, 1FF K7, 150 H6, 4Arm N16", "axis supply", [1, 1])
    assert game.convoys == 4
    play(game, "convoy Ariete", "convoy Trieste")
    assert game.convoys == 2
    units = "Ariete N9 disrupted, 1FF K7, 150 H6, 4Arm N16"
    game = position(units, "axis recovery", convoys=1)
    assert texts(game, "convoy") == {"convoy Ariete"}
    game = position(units, "axis recovery", convoys=0)
    assert game.actor == "axis" and not texts(game, "convoy")


def test_XV_A_4_brigades_of_an_armoured_division_share() -> None:
    cut = "15Pz N17, 21Pz K18, 90Lt G18, Ariete E18, Trieste C13"
    game = position(f"4Arm M3, 7Mot M5, 3IndMot M6, {cut}", "allied supply")
    assert {"4Arm", "7Mot", "3IndMot"}.isdisjoint(fed(game, "allied"))
    near = {game.name(unit) for unit in sharers(game, game.facts.index["4Arm"])}
    assert near == {"7Mot"}


def test_XV_A_4_the_recipient_is_chosen_freely() -> None:
    """XV.A.4 2Arm needs nothing itself, but what reaches it feeds 22Arm, farther off."""
    units = "2Arm M2, 22Arm M1 disrupted, 15Pz K9, 21Pz N8, 90Lt L8, Ariete H8"
    game = position(units, "allied recovery", [2], weather="rainstorm")
    assert texts(game) == {"convoy 2Arm", "convoy 22Arm", "done"}
    told = play(game, "convoy 2Arm")
    assert rules(told, ev.SupplyFound) == ["XV.A.4"] * 2 and not piece(game, "22Arm").disrupted
    units = "15Pz N12, Recce N13 disrupted, 4Arm L11, 22Arm L14, 1FF K7, 50 H6"
    assert {"airlift N12", "airlift N13"} <= texts(position(units, "axis recovery"))


def test_V_B_a_sleeping_unit_may_wake_for_a_convoy() -> None:
    units = "4Arm G1 asleep down, 15Pz K9, 21Pz N8, 90Lt L8, Ariete H8"
    storm = {"scenario": "nonhistorical", "weather": "rainstorm"}
    game = position(units, "allied supply", [1, 1, 1], **storm)
    assert texts(game) == {"activate 4Arm", "done"}
    play(game, "activate 4Arm", "convoy 4Arm")
    assert piece(game, "4Arm").supplied


def test_XV_A_5_resupply_by_air() -> None:
    game = position("Ariete N12 disrupted, 1FF K7, 150 H6, 4Arm N16", "axis recovery")
    assert "airlift N12" in texts(game)
    told = play(game, "airlift N12", "done")  # the Allies let it pass
    assert not piece(game, "Ariete").disrupted
    assert rules(told, ev.SupplyFound) == ["X.B.2"] and rules(told, ev.Recovered) == ["IX.E"]


def test_XV_A_3_an_airlifted_division_feeds_its_neighbours() -> None:
    units = "15Pz N12 disrupted, Recce N13 disrupted, 4Arm L11, 22Arm L14, 1FF K7, 50 H6"
    game = position(units, "axis recovery")
    told = play(game, "airlift N12", "done")
    assert rules(told, ev.SupplyFound) == ["X.B.2", "XV.A.3"]
    assert not piece(game, "15Pz").disrupted and not piece(game, "Recce").disrupted


def test_XV_B_moving_more_than_half_unsupplied_disrupts() -> None:
    game = position("15Pz M10 unsupplied, 90Lt N12 unsupplied, 4Arm N17", "axis movement")
    play(game, "move 15Pz M11", "move 15Pz M12")
    play(game, "move 90Lt N13")
    assert not piece(game, "15Pz").disrupted
    told = play(game, "move 90Lt N14", "done")
    assert piece(game, "90Lt").disrupted  # two of three factors
    assert rules(told, ev.BecameDisrupted) == ["XV.B"]


def test_XV_B_an_unsupplied_unit_may_not_do_both() -> None:
    game = position("15Pz J11 unsupplied, 4Arm J15", "axis movement")
    play(game, "move 15Pz J14")
    assert piece(game, "15Pz").disrupted  # three of four factors
    play(game, "done")
    assert game.actor == "allied" and texts(game) == {"drive 0", "drive 1"}  # no attack: IX.B


def test_XV_B_attacking_unsupplied_disrupts() -> None:
    game = position("15Pz J14 unsupplied, 4Arm J15", "axis attacks", [3])
    told = play(game, "attack J15", "join 15Pz 4", "resolve", "done")
    assert "XV.B" in rules(told, ev.BecameDisrupted)
    assert piece(game, "15Pz").disrupted or where(game, "15Pz") == "dead"


def test_XV_B_attacking_dummies_unsupplied_disrupts_too() -> None:
    """XV.B, ruling R44 The unit has attacked, whatever was there."""
    units = "15Pz M4 unsupplied, Dummy1 M5 down, 4Arm J17"
    game = position(units, "axis attacks", scenario="nonhistorical")
    told = play(game, "attack M5", "join 15Pz 7", "resolve")
    assert rules(told, ev.AttackFailed) == ["V.B"]
    assert rules(told, ev.BecameDisrupted) == ["XV.B"]


def test_XV_B_no_recovery_out_of_supply() -> None:
    """XV.B, IX.E A Disrupted unit stays so until its owner's recovery phase finds it supplied."""
    units = "Ariete N12 disrupted, Trieste H3 disrupted, 1FF K7, 150 H6, 4Arm N16"
    game = position(units, "axis recovery")
    play(game, "done")
    assert piece(game, "Ariete").disrupted and not piece(game, "Trieste").disrupted


def test_refusals_of_convoys_and_airlifts() -> None:
    game = position("Ariete N9, 1FF K7, 150 H6, 4Arm N16", "axis supply")
    assert refused(game, "convoy 4Arm").rule == "XV.A.4"
    assert refused(game, "airlift N9").rule == "X.B.2"


def without(game: Game, *units: str) -> Game:
    """The game with some units gone."""
    for name in units:
        game.put(game.facts.index[name], hex=DEAD)
    return game


def test_XV_A_2_the_southern_sweep_outruns_its_supply() -> None:
    """XV.A.2 Lengths round Bir Hacheim, worked out by hand on the map."""
    game = at_start()
    assert [length(game, "axis", hex) for hex in ("M7", "M8", "N7")] == [6, 7, 7]
    without(game, "3IndMot")
    assert [length(game, "axis", hex) for hex in ("L8", "K9")] == [8, 9]
    without(game, "7Mot", "4Arm")
    assert [length(game, "axis", hex) for hex in ("J9", "J10", "I11")] == [10, 11, 12]


def test_XV_A_2_boxes_taken_open_the_way() -> None:
    game = without(at_start(), "3IndMot", "1FF")
    hacheim = Space(game.facts.board.at("K7"))
    game.eliminate_works(hacheim)
    game.take_control([hacheim], "axis")
    assert [length(game, "axis", hex) for hex in ("K7", "K8", "K9")] == [4, 5, 6]
    game = without(at_start(), "150")
    game.eliminate_works(Space(game.facts.board.at("H6")))
    assert length(game, "axis", "H7") == 0


def test_XV_A_4_convoys_reach_units_that_may_yet_flee() -> None:
    """XIII.E, XV.B The Gallop may wake them this turn, and unsupplied movement disrupts."""
    units = "15Pz J9, 21Pz C13, 90Lt G15, Ariete J15, Trieste M16, 151 I7 asleep"
    game = position(units, stage="allied supply", dice=[6, 6, 6])
    play(game, "convoy 151")
    assert piece(game, "151").supplied and not piece(game, "151").active
    gone = position(units, stage="allied supply", galloped=True)
    assert "convoy 151" not in texts(gone)
