"""XIV.B.6 The siege of Tobruk."""

from __future__ import annotations

from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.state import TURNED
from tests.titles.gallop.tables import piece, play, position, refused, rules, texts, where

GARRISON = "2SA C13, 11Ind D13, 4AA C13"


def test_XIV_B_6_the_garrison_turns_down_and_spreads_with_dummies() -> None:
    game = position(f"{GARRISON}, 15Pz E13", "siege", [2])
    assert game.actor == "allied" and texts(game) == {"redeploy", "done"}
    told = play(game, "redeploy")
    assert rules(told, ev.GarrisonTurned) == ["XIV.B.6"]
    assert refused(game, "post 2SA E14").rule == "XIV.B.6"
    play(game, "post 2SA D12", "post 11Ind D12", "post 4AA D12")
    assert texts(game, "post Dummy1") == {f"post Dummy1 {h}" for h in ("C12", "C13", "D12", "D13")}
    play(game, "post Dummy1 C12")
    assert "1 counter to go" in game.prompt
    play(game, "post Dummy2 D13")
    assert piece(game, "2SA").hidden == TURNED
    shown = [p for p in game.view("axis").pieces if p.id.startswith("?")]
    assert sorted(p.space or "" for p in shown) == ["C12", "D12", "D12", "D12", "D13"]
    assert not any(p.id == "2SA" for p in game.view("axis").pieces)
    assert any(p.id == "2SA" for p in game.view("allied").pieces)


def test_XIV_B_6_an_attack_turns_the_defenders_up() -> None:
    game = position(
        "2SA D12 turned, Dummy1 D13 turned, 11Ind C13, 15Pz E13, 21Pz E14", "axis attacks", [2]
    )
    play(game, "attack D13", "join 21Pz 7")
    told = play(game, "resolve")
    assert rules(told, ev.DummyRemoved) == ["XIV.B.6"]
    assert rules(told, ev.AttackFailed) == ["XIV.B.6"]
    play(game, "attack D12", "join 15Pz 7")
    told = play(game, "resolve")
    assert rules(told, ev.Revealed) == ["XIV.B.6"]


def test_XIV_B_6_ends_with_an_enemy_inside_or_nobody_near() -> None:
    game = position(f"{GARRISON}, 15Pz D12", "siege")
    assert game.actor == "axis"
    game = position(f"{GARRISON}, 15Pz C2", "siege")
    assert game.actor == "axis"
    assert position("2SA C13, 15Pz E13 disrupted", "siege").actor == "axis"  # no threat


def test_XIV_B_6_comes_back_when_the_enemy_is_driven_out() -> None:
    """XIV.B.6, ruling R43 While Trieste is inside nobody is asked; once it is out, Tobruk is."""
    units = f"{GARRISON}, Trieste D12, 15Pz F13"
    assert position(units, "siege").actor == "axis"  # 15Pz alone would be threat enough
    assert position(units.replace("Trieste D12, ", ""), "siege").actor == "allied"
    for die, inside in ((3, True), (6, False)):  # D, and it stays; R2, and it goes
        game = position(units, "allied attacks", [die, 3])
        play(game, "attack D12", "join 2SA 3", "join 11Ind 2", "resolve", "done")
        if inside:
            play(game, "done")  # no retreat of its own will
        else:
            play(game, "drive 2")
            while texts(game, "retreat Trieste"):
                play(game, sorted(texts(game))[0])
        while game.turn == 2:
            play(game, "done")
        assert (where(game, "Trieste") == "D12") == inside
        told = play(game, "weather 1 2")
        assert not rules(told, ev.GarrisonTurned)
        assert (texts(game) == {"redeploy", "done"}) == (not inside)
        assert game.actor == ("axis" if inside else "allied")


def test_XVI_a_garrison_posted_to_a_village_takes_it_when_it_is_seen() -> None:
    """XVI, XIV.B.6 Tobruk, taken and lost again, is Allied once its garrison turns up there."""
    for dummies in (False, True):
        game = position("2SA D12, 15Pz E14", "siege", axis_holds=["A5", "B1", "G1", "C13"])
        play(game, "redeploy", "post 2SA D12" if dummies else "post 2SA C13")
        play(game, "post Dummy1 C13", "done")
        assert game.view("axis").control["C13"] == "axis"  # who is there, the enemy cannot see
        while game.phasing == "axis":
            play(game, "done")
        assert game.view("axis").control["C13"] == ("axis" if dummies else "allied")


def test_XIV_B_6_infantry_may_come_by_truck() -> None:
    """XIII.A.2.c Brescia walks too slowly, but four convoys carry it; old trucks carry nobody."""
    assert position("2SA C13, Brescia D8", "siege").actor == "allied"
    assert position("2SA C13, Brescia D8 5-3-2", "siege").actor == "axis"
    assert position("2SA C13, Brescia D8 5-3-2 trucked", "siege").actor == "axis"


def test_XIV_B_6_the_garrison_turns_up_after_the_axis_player_turn() -> None:
    game = position("2SA D12 turned, Dummy1 D13 turned, 15Pz C2", "axis movement")
    play(game, "done")
    assert piece(game, "2SA").hidden == 0 and where(game, "Dummy1") == "off"


def test_XIV_B_6_standing_order() -> None:
    game = position(f"{GARRISON}, 15Pz E13", "weather", [4])
    game.order("allied", "siege", "never")
    play(game, "weather 1 2")
    assert game.actor == "axis"


def test_XIV_B_6_neither_aircraft_nor_friends_in_the_way_rule_an_attack_out() -> None:
    """A unit may survive the aircraft and go on (R14), and others may move out of a full hex."""
    watched = position("15Pz B7, 2SA C13", "siege", air={"allied": {"over": "B8"}})
    assert watched.rule == "XIV.B.6"
    full = "Recce B8 disrupted, 15Mot B8 disrupted, Hecker B8 disrupted"
    assert position(f"15Pz B7, {full}, 2SA C13", "siege").rule == "XIV.B.6"
