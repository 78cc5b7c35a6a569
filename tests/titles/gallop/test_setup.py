"""V Set-up and activation, VI and VII the sequence of play."""

from __future__ import annotations

from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.state import UNKNOWN, Game
from tests.titles.gallop.tables import TITLE, piece, play, position, refused, rules, texts, where

FREE = ("15Pz", "21Pz", "90Lt", "Ariete", "Trieste", "Recce")


def start(scenario: str = "historical", **options: bool) -> Game:
    """A new game."""
    game = TITLE.start(scenario, options, seed="set-up")
    assert isinstance(game, Game)
    return game


def test_V_A_the_axis_places_six_units_behind_the_line() -> None:
    game = start()
    assert game.actor == "axis"
    assert {text.split()[1] for text in texts(game)} == set(FREE)
    assert refused(game, "place 15Pz K7").rule == "V.A"
    assert refused(game, "place 15Pz M7").rule == "V.A"
    assert refused(game, "place Brescia M6").rule == "V.A"
    assert where(game, "1SA") == "B6" and not piece(game, "1SA").active
    for unit in FREE[:4]:
        play(game, f"place {unit} {'M6' if unit in FREE[:2] else 'M5'}")
    assert refused(game, "place Trieste M6").rule == "XII.A.2"
    assert "place Recce M6" in texts(game)
    play(game, "place Trieste M4", "place Recce M6")
    assert game.turn == 1 and game.actor == "axis"


def test_V_A_start_positions_touch_no_enemy() -> None:
    game = start()
    board = game.facts.board
    assert not board.spread(game.lay.real["allied"]) & game.lay.real["axis"]
    assert sum(game.book[unit].attack for unit in game.facts.of_side["axis"]) == 44
    assert sum(game.book[unit].defense for unit in game.facts.of_side["allied"]) == 57


def test_V_A_two_activations_and_one_for_each_loss() -> None:
    units = "15Pz C2, 4Arm N16 asleep, 7Mot N15 asleep, 150 H6 asleep, 1FF K7 asleep"
    game = position(units, "allied activation", losses=1)
    play(game, "activate 4Arm", "activate 7Mot")
    assert "activate 150" in texts(game)
    told = play(game, "activate 150")
    assert rules(told, ev.Activated) == ["V.A"]
    assert not texts(game, "activate") and not piece(game, "1FF").active


def test_V_A_sleeping_units_neither_move_nor_attack() -> None:
    game = position("15Pz C2, 4Arm N16 asleep, 7Mot N15", "allied movement")
    assert refused(game, "move 4Arm N15").rule == "V.A"
    game = position("15Pz J14, 4Arm J15 asleep, 22Arm I15", "allied attacks")
    play(game, "attack J14")
    assert refused(game, "join 4Arm 5").rule == "V.A"


def test_V_A_losses_are_counted_in_the_axis_player_turn() -> None:
    game = position("15Pz J14, 3IndMot J15, 4Arm N16", "axis attacks", [6])
    play(game, "attack J15", "join 15Pz 7", "resolve", "done")
    assert game.losses == 1
    # Lost in one's own player-turn, a unit wakes nobody; and each Axis player-turn counts anew.
    game = position("15Pz J14 7-9-4, 3IndMot J15 3-1-3, 4Arm N16", "allied attacks", [1, 3])
    play(game, "attack J14", "join 3IndMot 3", "resolve", "done")
    assert where(game, "3IndMot") == "dead" and game.losses == 0
    game = position("15Pz C2, 4Arm N16", "axis victory", losses=2)
    assert game.losses == 0


def test_V_B_the_allies_deploy_face_down_with_dummies() -> None:
    game = start("nonhistorical")
    assert game.actor == "allied"
    assert not texts(game, "place Dummy1")
    assert refused(game, "place 1SA B5").rule == "V.B"
    assert refused(game, "place Dummy1 J15").rule == "V.B"
    names = [game.name(unit) for unit in game.facts.of_side["allied"]]
    spots = [f"{row}{number}" for row in "EFGHIJ" for number in range(8, 14)]
    for name, spot in zip([n for n in names if n != "1Arm"], spots, strict=False):
        play(game, f"place {name} {spot}")
    assert "place Dummy1 E8" in texts(game)  # with a unit
    assert "place Dummy1 K7" in texts(game)  # in a box
    assert refused(game, "place Dummy1 M12").rule == "V.B"
    play(game, "place Dummy1 E8", "place Dummy2 K7")
    assert game.actor == "axis"
    assert piece(game, "1SA").hidden == UNKNOWN and not piece(game, "1SA").active
    assert "place Brescia M6" in texts(game)


def test_V_B_units_wake_at_any_time_and_turn_up() -> None:
    units = "15Pz C2, 4Arm N16 asleep down, 7Mot N15 asleep down"
    game = position(units, "allied movement", scenario="nonhistorical")
    assert refused(game, "move 4Arm N15").rule == "V.A"
    told = play(game, "activate 4Arm", "activate 7Mot", "move 4Arm N14")
    assert len(rules(told, ev.Revealed)) == 2 and not piece(game, "4Arm").hidden
    assert refused(game, "activate 4Arm").rule == "V.B"
    game = position("4Arm J15, 7Mot N15, 15Pz J14", "allied attacks", scenario="nonhistorical")
    assert refused(game, "activate 7Mot").rule == "V.B"


def test_V_B_an_attack_turns_counters_up_and_removes_dummies() -> None:
    units = "15Pz J14, 4Arm J15 asleep down, Dummy1 J15 down, 7Mot N16"
    game = position(units, "axis attacks", [3], scenario="nonhistorical")
    play(game, "attack J15", "join 15Pz 7")
    assert game.odds(game.parse("resolve")) is None  # unknown strength
    told = play(game, "resolve")
    assert rules(told, ev.Revealed) == ["V.B"] and rules(told, ev.DummyRemoved) == ["V.B"]
    assert piece(game, "4Arm").active and where(game, "Dummy1") == "off"


def test_V_B_an_attack_on_dummies_alone_is_none() -> None:
    units = "15Pz L9, Dummy1 L10 down, 7Mot N16"
    game = position(units, "axis attacks", scenario="nonhistorical")
    assert refused(game, "done").rule == "XIV.A.2"
    told = play(game, "attack L10", "join 15Pz 7", "resolve")
    assert rules(told, ev.AttackFailed) == ["V.B"]
    assert where(game, "15Pz") == "L9"


def test_R44_an_attack_that_turns_out_too_weak() -> None:
    units = "Hecker J14, 4Arm J15 9-9-4 asleep down, 7Mot N16"
    game = position(units, "axis attacks", scenario="nonhistorical")
    told = play(game, "attack J15", "join Hecker 1", "resolve")
    assert rules(told, ev.AttackFailed) == ["XIV.B.4"]
    assert rules(told, ev.MustRetreat) == ["XIV.A.2"] and game.actor == "allied"


def test_VI_the_two_player_turns_have_different_orders() -> None:
    """VI, VI.B, VI.C The Axis strikes from the air before moving, the Allies after."""
    game = start()
    for unit, hex in zip(FREE, ("M6", "M6", "M5", "M5", "M4", "M4"), strict=True):
        play(game, f"place {unit} {hex}")
    phases = []
    while game.turn == 1:
        told = play(game, "done")
        phases += [(e.side, e.phase) for e in told if isinstance(e, ev.PhaseBegan)]
    assert phases == [
        ("axis", "movement"),
        ("axis", "attacks"),
        ("axis", "recovery"),
        ("allied", "movement"),
        ("allied", "airstrike"),
        ("allied", "attacks"),
        ("allied", "recovery"),
    ]


def test_VI_A_weather_opens_the_turn() -> None:
    game = position("15Pz C2, 4Arm N16", "allied recovery")
    assert game.turn == 3 and game.rule == "VIII"


def test_VI_B_1_VI_C_1_victory_determination_opens_a_player_turn() -> None:
    """VI.B.1, VI.C.1 Works fall and moves are renewed when a player-turn starts."""
    game = position("15Pz L10 moved attacked, 4Arm N16", "axis victory")
    assert not piece(game, "15Pz").moved and not piece(game, "15Pz").attacked
    assert game.phasing == "axis"


def test_VI_B_2_a_to_c_axis_operations() -> None:
    """VI.B.2.a, VI.B.2.b, VI.B.2.c Airstrike, movement, attacks."""
    game = position("15Pz J13, 4Arm J15", "axis airstrike", [3])
    play(game, "done", "move 15Pz J14", "done")
    assert texts(game) == {"attack J15"}


def test_VI_C_2_a_to_c_allied_operations() -> None:
    """VI.C.2.a, VI.C.2.b, VI.C.2.c Movement, airstrike, attacks."""
    game = position("15Pz J13, 4Arm J15", "allied movement")
    play(game, "move 4Arm J14", "done")
    assert "airstrike J13" in texts(game)
    play(game, "done")
    assert texts(game) == {"attack J13"}


def test_VI_B_3_VI_C_3_recovery_closes_a_player_turn() -> None:
    """VI.B.3, VI.C.3 Supplied Disrupted units recover at the end."""
    game = position("15Pz G2 disrupted, 4Arm N16 disrupted", "axis recovery")
    assert not piece(game, "15Pz").disrupted and piece(game, "4Arm").disrupted
    game = position("15Pz G2 disrupted, 4Arm N16 disrupted", "allied recovery")
    assert piece(game, "15Pz").disrupted and not piece(game, "4Arm").disrupted


def test_VII_A_the_game_lasts_fourteen_turns() -> None:
    """VII, VII.A After turn 14 the score is counted."""
    game = position("15Pz C2, 4Arm N16", "allied recovery", turn=14)
    assert game.outcome is not None and game.actor is None and list(game.actions()) == []
    game = position("15Pz C2, 4Arm N16", "allied recovery", turn=13)
    assert game.outcome is None and game.turn == 14


def test_VII_B_first_armoured_arrives_on_turn_seven() -> None:
    game = position("15Pz C2, 4Arm N16", "allied arrival", turn=7)
    assert texts(game) == {f"arrive 1Arm {hex}" for hex in ("E18", "G18", "K18", "N17")}
    assert refused(game, "arrive 1Arm C13").rule == "VII.B"
    told = play(game, "arrive 1Arm K18")
    assert rules(told, ev.Arrived) == ["VII.B"] and piece(game, "1Arm").active
    assert texts(game, "move 1Arm")
    game = position("15Pz C2, 4Arm N16", "allied arrival", turn=6)
    assert where(game, "1Arm") == "off" and game.rule != "VII.B"


def test_VII_B_the_brigade_waits_while_the_edge_is_closed() -> None:
    closed = "15Pz E18, 21Pz G18, 90Lt K18, Ariete N17, 4Arm M12"
    game = position(closed, "allied arrival", turn=7)
    assert where(game, "1Arm") == "off"
    game = position("15Pz E18, 21Pz G18, 90Lt K18, 4Arm M12", "allied arrival", turn=9)
    assert where(game, "1Arm") == "N17"  # the only one left


def test_flak_gruppe_is_optional() -> None:
    """XV.A.3 The Flak Gruppe takes part only if used."""
    assert where(start(), "Flak") == "G3"
    assert where(start(flak_gruppe=False), "Flak") == "off"
