"""Chapters 15 to 20: zones, June 15, victory, bids, options."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.kernel.errors import BadMessage
from sandtable.titles.battleaxe.movement import entry_cost
from sandtable.titles.battleaxe.state import Game

from .tables import TITLE, names, play, position, reduced, refused, texts, where

QUIET: dict[str, Any] = {"advantage": "nobody", "allied_artillery": 0, "axis_artillery": 0}
NIGHT: dict[str, Any] = {"phase": "refit", "advantage": "nobody"}
ALL_VP = ["6", "13", "19", "23", "9", "11", "15", "16", "21", "22"]


def test_15_1_enemies_in_zones_do_not_raise_costs() -> None:
    game = position("2RTR D, 1/5 E, 1/8 18")
    assert entry_cost(game, 0, game.data.space("11")) == 1


def test_15_2_zones_hold_any_number() -> None:
    units = "7RTR C, 2RTR C, 6RTR C, 1/KRR C, 2/RB C, 22GDS C, 1/8 18"
    game = position(f"{units}, 3/11 B")
    play(game, "assault B", "move 3/11 C")
    assert where(game, "3/11") == "C"


def test_16_0_held_divisions_do_not_act_but_defend() -> None:
    """16.0, 16.1, 16.2 Unreleased on June 15."""
    game = position("7RTR C, 1/8 18, 1/5 G, 1/62 15", turn=1, side="axis", advantage="nobody")
    assert refused(game, "assault 18").rule == "16.0"
    assert refused(game, "assault G").rule == "16.0"
    assert "assault 15" in texts(game)
    play(game, "regroup")
    assert refused(game, "shift 1/8 14").rule == "16.0"


@pytest.mark.parametrize("area", ["6", "14", "15", "16", "19", "20", "22"])
def test_16_1_halfaya_or_a_neighbour_of_18_releases_15th_panzer(area: str) -> None:
    game = position("7RTR C, 1/8 18", turn=1)
    assert not game.released[0]
    game.place(game.data.unit("7RTR"), game.data.space(area))
    assert game.released == (True, False)


def test_16_1_taking_206_or_208_wakes_nobody() -> None:
    game = position("7RTR C, 1/8 18", turn=1)
    for area in ("9", "13", "11", "12"):
        game.place(game.data.unit("7RTR"), game.data.space(area))
    assert game.released == (False, False)


def test_16_2_western_zones_and_a_sortie_release_5th_light() -> None:
    """16.1, 16.2 Zones E, F and G wake both; a sortie from Tobruk the 5th Light."""
    game = position("2RTR D, 1/5 G, 1/8 18", turn=1)
    play(game, "assault D", "move 2RTR E")
    assert game.released == (True, True)
    sortie = position("9AUS H, XX H, 1/5 G, 1/8 18", turn=1)
    play(sortie, "assault H")
    assert sortie.released == (False, True)
    over = position(
        "7RTR C, 1/8 18", turn=1, side="axis", impulse=9, advantage="nobody", dice=(1, 1)
    )
    play(over, "pass")
    assert over.turn == 2 and over.released == (True, True)


def test_16_3_four_zones_at_once_in_the_first_impulse_only() -> None:
    units = "1/11 A, 3/11 B, 7RTR C, 2RTR D, 1/8 18"
    game = position(units, turn=1)
    play(game, "assault A,B,C,D", "move 7RTR 4", "move 2RTR 4", "move 3/11 3")
    assert where(game, "7RTR") == where(game, "2RTR") == "4"
    later = position(units, turn=1, impulse=2)
    assert refused(later, "assault A,B,C,D").rule == "16.3"


def road_to_tobruk(**fields: Any) -> Any:
    return position(
        "9AUS H, 7RTR 19, 1/8 18", allied_held=[*"ABCDHG", "4", "10", "12", "19"], **NIGHT, **fields
    )


def test_17_1_the_open_road_wins_at_once() -> None:
    game = road_to_tobruk()
    assert game.outcome and game.outcome.winner == "allied" and game.outcome.level == "automatic"
    besieged = position(
        "9AUS H, XX H, 7RTR 19, 1/8 18", allied_held=[*"ABCDHG", "4", "10", "12", "19"], **NIGHT
    )
    assert besieged.outcome is None, "Axis units in Tobruk"
    cut = position("9AUS H, 7RTR 19, 1/8 18", allied_held=[*"ABCDHG", "4", "12", "19"], **NIGHT)
    assert cut.outcome is None, "the line is broken at 10"


def test_17_2_points_of_supplied_areas_each_evening() -> None:
    """17.2, 3.4, 3.1.5 Held and supplied from A to D; cut off, they score nothing."""
    game = position("2RTR 11, 7RTR 19, 1/8 18", allied_held=[*"ABCDH", "11", "19"], **NIGHT)
    assert game.vp == 1 and [line.text for line in game.scored] == ["June 16: Sidi Omar (11)"]
    linked = position("2RTR 11, 7RTR 19, 1/8 18", allied_held=[*"ABCDH", "11", "12", "19"], **NIGHT)
    assert linked.vp == 3


def final(points: int, units: str = "2RTR D, 1/8 18", **fields: Any) -> Any:
    score = [{"text": "earlier", "points": points}]
    return position(units, turn=3, score=score, **NIGHT, **fields)


def test_17_2_ten_points_win_on_june_17_and_nine_lose() -> None:
    won, lost = final(10), final(9)
    assert won.outcome.winner == "allied" and won.outcome.level == "operational"
    assert lost.outcome.winner == "axis" and lost.outcome.rule == "17.2"


def test_17_2_german_losses_count_at_the_end() -> None:
    """17.2 Eliminated German units, and German armor still reduced after the Refit."""
    game = final(7, "2RTR D, 1/8 eliminated, 2/8 18 reduced, 1/5 G reduced, 1/62 eliminated")
    play(game, "rebuild 1/62 G", "end-refit", "recover 2/8")
    lines = {line.text: line.value for line in game.outcome.score}
    assert lines == {"earlier": 7, "1/8 eliminated": 1, "1/5 reduced": 1}


def test_17_2_tanks_only_option() -> None:
    from sandtable.titles.battleaxe.victory import german_losses

    units = "2RTR D, 33 18 reduced, 1/8 18 reduced"
    game = position(units)
    assert {line.text for line in german_losses(game)} == {"33 reduced", "1/8 reduced"}
    tanks = position(units, options={"tanks_only": True})
    assert {line.text for line in german_losses(tanks)} == {"1/8 reduced"}


def test_18_1_bids() -> None:
    """18.1 The higher bid commands the Allies and must reach it."""
    bargain = TITLE.settle_bids({"Anna": 9, "Ben": 12}, "seed")
    assert bargain.players == {"allied": "Ben", "axis": "Anna"} and bargain.options == {"bid": 12}
    equal = {TITLE.settle_bids({"Anna": 9, "Ben": 9}, str(n)).players["allied"] for n in range(20)}
    assert equal == {"Anna", "Ben"}
    with pytest.raises(BadMessage):
        TITLE.settle_bids({"Anna": 99, "Ben": 9}, "seed")
    assert final(11, options={"bid": 12}).outcome.winner == "axis"
    assert final(12, options={"bid": 12}).outcome.winner == "allied"


def test_19_1G_tiger_cubs() -> None:
    """19.1, 19.1G The Advantage restores one Allied armored unit."""
    game = position(
        "7RTR C reduced, 22GDS C reduced, 1/8 18", phase="refit", options={"advantage_uses": True}
    )
    assert refused(game, "tiger-cubs 22GDS").rule == "19.1G"
    play(game, "tiger-cubs 7RTR")
    assert not reduced(game, "7RTR") and game.shift_to == 1
    plain = position("7RTR C reduced, 1/8 18", phase="refit")
    assert refused(plain, "tiger-cubs 7RTR").rule == "19.1G"


def test_19_1H_wireless_intercepts() -> None:
    """19.1H Regroup then Assault, or Assault then Regroup, for the Advantage."""
    options = {"advantage_uses": True}
    game = position(
        "7RTR C, 1/8 18, 33 14", side="axis", advantage="axis", options=options, dice=(6, 6)
    )
    play(game, "regroup", "shift 33 19", "end", "wireless-intercept", "assault 18", "move 1/8 14")
    assert where(game, "1/8") == "14"
    play(game, "end")
    assert game.actor == "allied" and game.advantage == 0
    other = position(
        "7RTR C, 1/8 18, 33 14", side="axis", advantage="axis", options=options, dice=(6, 6)
    )
    play(other, "assault 18", "move 1/8 14", "end", "wireless-intercept", "shift 33 19", "end")
    assert other.actor == "allied"


def test_19_2_greater_luftwaffe_intervention() -> None:
    """19.2 Axis air from Turn 2, not in a shortage; Allied air +1 up to 6."""
    options = {"luftwaffe": True}
    for turn, low, there in ((1, False, False), (2, False, True), (2, True, False)):
        game = position(
            "7RTR 15, 1/62 16", side="axis", turn=turn, fuel_low=low, options=options, **QUIET
        )
        play(game, "assault 16", "move 1/62 15", "attack 15 1/62")
        assert ("air yes" in texts(game)) is there
    allied = position("7RTR 4, 33PAK 9", options=options, dice=(6,), **QUIET)
    play(allied, "assault 4", "move 7RTR 9", "attack 9 7RTR", "air yes")
    assert names(allied, "resolve")["Air Support"] == 6
    three = position("7RTR 4, 33PAK 9", options=options, dice=(3,), **QUIET)
    play(three, "assault 4", "move 7RTR 9", "attack 9 7RTR", "air yes")
    assert names(three, "resolve")["Air Support"] == 4


def test_19_3_consolidated_4rtr() -> None:
    game = TITLE.start(options={"consolidated_4rtr": True, "historical_setup": True}, seed="s")
    assert {game.text(action) for action in game.actions()} == {
        f"setup 4RTR* {zone}" for zone in "ABC"
    }
    present = {piece.id for piece in game.view(None).pieces}
    assert not present & {"4RTR(-)", "SQ-A", "SQ-B"}


def test_19_3_a_position_eliminates_no_counter_that_is_not_in_play() -> None:
    single, parts = ("rebuild 4RTR* A", {"rebuild 4RTR(-) A", "rebuild SQ-A A", "rebuild SQ-B A"})
    for consolidated in (False, True):
        options = {"consolidated_4rtr": consolidated}
        game = position("9AUS H", phase="refit", others="eliminated", options=options)
        assert (single in texts(game)) is consolidated
        assert parts.isdisjoint(texts(game)) is consolidated


def test_19_4_allied_reserves() -> None:
    game = position(
        "1/11 A reduced, 2/11 A reduced, 9AUS H reduced, 7RTR C reduced, XX H, 1/8 18",
        options={"reserves": True},
        **NIGHT,
    )
    play(game, "reserves 1/11")
    assert refused(game, "reserves 2/11").rule == "19.4"
    assert refused(game, "reserves 7RTR").rule == "19.4"
    play(game, "reserves 9AUS")
    assert not reduced(game, "9AUS")


def test_19_5_italian_infantry_reliability() -> None:
    """19.5 +2 for Allied armor against it, and no combined arms with it."""
    options = {"italian_reliability": True}
    game = position("7RTR 4, 1/62 8", options=options, **QUIET)
    play(game, "assault 4", "move 7RTR 8", "attack 8 7RTR", "air no")
    assert names(game, "resolve")["armour against Italian infantry"] == 2
    axis = position("7RTR 15, 1/8 16, 3/62 16, 1/33C 16", side="axis", options=options, **QUIET)
    moves = [f"move {unit} 15" for unit in ("1/8", "3/62", "1/33C")]
    play(axis, "assault 16", *moves, "attack 15 1/8")
    assert "combined arms" not in names(axis, "resolve")
    mixed = position("7RTR 8, XX 15, 1/104 15", options=options, **QUIET)
    play(mixed, "assault 8", "move 7RTR 15")
    odds = mixed.odds(mixed.parse("attack 15 7RTR"))
    assert odds and "1/104 leads the defence" in odds.assumes, "XX counts more, less the two"


def test_19_6_tobruk_bonus_once() -> None:
    options = {"tobruk_bonus": True}
    game = position("9AUS H, XX H, 1/8 18", side="axis", options=options, advantage="nobody")
    play(game, "assault H", "move XX G")
    assert game.vp == 1 and game.tobruk_scored
    game.place(game.data.unit("XX"), game.data.tobruk)
    game.place(game.data.unit("XX"), game.data.space("G"))
    assert game.vp == 1


def _needs(game: Game) -> str:
    return next(each.detail for each in game.view("allied").tracks if each.id == "vp")


def test_20_1_the_extended_game() -> None:
    """20.0, 20.1 11 wins, 8 loses, 9 and 10 play June 18 for the road alone."""
    options = {"extended": True}
    assert final(11, options=options).outcome.winner == "allied"
    assert final(8, options=options).outcome.winner == "axis"
    for points in (9, 10):
        game = final(points, options=options)
        assert game.outcome is None and game.turn == 4
        assert _needs(game) == "the road to Tobruk alone wins"
    assert _needs(position("7RTR C", options=options)) == "11 win, 9 or 10 go on"
    assert _needs(position("7RTR C")) == "10 win"
    last = position("2RTR 11, 1/8 18", turn=4, options=options, **NIGHT)
    assert last.outcome and last.outcome.winner == "axis" and last.outcome.rule == "20.1"
    road = road_to_tobruk(turn=4, options=options)
    assert road.outcome.winner == "allied" and road.outcome.level == "automatic"
