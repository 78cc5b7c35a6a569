"""7.3 Movement."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.kernel.rules import first_broken
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.movement import ENTRY, Movement
from sandtable.titles.theseus.reach import allowance, march, screens
from sandtable.titles.theseus.reinforcements import Reinforcements
from sandtable.titles.theseus.schema import COMMONWEALTH
from sandtable.titles.theseus.state import Game
from tests.titles.theseus.tables import (
    TITLE,
    acting,
    disrupted,
    enter,
    goals,
    ids,
    play,
    position,
    refused,
    strength,
    texts,
    where,
)


def costs(units: str, *names: str) -> dict[str, float]:
    game = position(units)
    pieces = ids(game, *names)
    found = march(game, pieces, allowance(game, pieces), True, "action")
    return {game.data.board.names[hex]: cost / 4 for hex, cost in found.cost.items()}


def test_3_1_1_costs_by_class() -> None:
    tank = costs("I/5 2606", "I/5")
    assert tank["2607"] == 2 and tank["2605"] == 1
    leg = costs("Pavia.27 2606", "Pavia.27")
    assert leg["2607"] == 1
    hq = costs("21Pz.HQ 2606", "21Pz.HQ")
    assert hq["2607"] == 2


def test_7_3_3_roads_and_trails() -> None:
    car = costs("21Pz.3 1900", "21Pz.3")
    assert car["2000"] == 0.5 and car["2100"] == 1
    leg = costs("Pavia.27 1900", "Pavia.27")
    assert leg["2000"] == 0.75
    assert costs("I/5 3112", "I/5")["3213"] == 0.75
    hecker = costs("KG.Hecker 3213", "KG.Hecker")
    assert hecker["3312"] == 0.75
    # Not into or out of an EZOC.
    near = costs("21Pz.3 1900, 6.SA 2001", "21Pz.3")
    assert near["2000"] == 1


def test_3_1_2_a_ridge_takes_the_whole_allowance_from_the_start() -> None:
    """7.3.2"""
    start = costs("I/5 2403", "I/5")
    assert start["2404"] == 5
    later = costs("I/5 2402", "I/5")
    assert "2404" not in later
    road = costs("I/5 3303", "I/5")
    assert road["3304"] == 0.5


def test_7_3_1_a_stack_goes_at_the_pace_of_its_slowest_unit() -> None:
    game = acting("21Pz", "I/5 3018, 21Pz.104 3018, 21Pz.3 3018, 21Pz.HQ 3018")
    play(game, "move 21Pz.3")
    assert game.prompt.startswith("Move 21 Pz 3 up to 7 Movement Points, or add units")
    play(game, "join I/5")
    assert "5 Movement Points" in game.prompt
    assert {"join 21Pz.104", "join 21Pz.HQ"} <= texts(game)
    play(game, "to 3023")
    assert where(game, "21Pz.3") == where(game, "I/5") == "3023"
    assert where(game, "21Pz.104") == "3018"
    assert game.ap[0] == 6


def test_7_3_1_nobody_joins_on_the_way() -> None:
    game = acting("21Pz", "I/5 3018, II/5 3019, 21Pz.HQ 3022, 15Pz.115 3018")
    play(game, "move I/5")
    assert refused(game, "join 15Pz.115").rule == "7.3.1"
    play(game, "to 3019")
    assert refused(game, "join II/5").rule == "7.3.1"


def test_7_3_2_one_hex_can_always_be_moved() -> None:
    tired = costs("Ariete.VIII 2606, Ariete.HQ 2406 low", "Ariete.VIII")
    assert tired["2607"] == 2
    weak = costs("Pavia.27 2606, Pavia.HQ 2406 low", "Pavia.27")
    assert max(weak.values()) <= 1.5


def test_7_3_2_stop_in_an_ezoc_and_never_enter_the_enemy() -> None:
    """5.4.1"""
    game = acting("21Pz", "21Pz.104 3016, 21Pz.HQ 2822, 7.Mot 3019, 7Armd.HQ 3222")
    play(game, "move 21Pz.104")
    assert "3018" in goals(game)
    assert refused(game, "to 3019").rule == "7.3.2"
    assert refused(game, "to 3021").rule == "7.3.2"
    play(game, "to 3018")
    assert game.step.rule == "7.2"
    play(game, "move 21Pz.104")
    assert "3017" in goals(game)
    # Not straight from EZOC to EZOC, only round by 3117.
    infantry = ids(game, "21Pz.104")
    assert march(game, infantry, 20, True, "action").cost[game.data.hex("3118")] == 8
    assert march(game, infantry, 4, True, "action").cost.keys().isdisjoint([game.data.hex("3118")])


def test_7_3_4_screen_movement() -> None:
    strong = acting("21Pz", "I/5 3018, II/5 3018, 21Pz.HQ 2822, KDG 3019, 7Armd.HQ 3222")
    assert screens(strong, strong.data.hex("3018"), 0)
    play(strong, "move I/5")
    assert "3118" in goals(strong)
    # With the detour shut by a third EZOC only the screen leads there, for the whole allowance.
    shut = "I/5 3018, II/5 3018, 21Pz.HQ 2822, KDG 3019, 7Armd.HQ 3222, 4.SA 3016, 8.RTR 3217"
    strong = acting("21Pz", shut, dice=[1])
    tank = ids(strong, "I/5")
    found = march(strong, tank, 20, True, "action")
    assert found.cost[strong.data.hex("3118")] == 20
    told = play(strong, "move I/5", "to 3118")
    assert [strong.data.board.names[e.hex] for e in told if isinstance(e, ev.Moved)] == ["3118"]
    assert strong.step.rule == "7.2"
    weak = acting("21Pz", "21Pz.3 3018, 21Pz.HQ 2822, 7.Mot 3019, 7Armd.HQ 3222")
    assert not screens(weak, weak.data.hex("3018"), 0)
    car = ids(weak, "21Pz.3")
    assert march(weak, car, 28, True, "action").cost[weak.data.hex("3118")] == 8  # a detour
    assert weak.data.hex("3118") not in march(weak, car, 28, True, "action").whole
    # Disrupted tanks do not count.
    shaken = acting("21Pz", "I/5 3018 disrupted, 21Pz.3 3018, 21Pz.HQ 2822, KDG 3019, 4.SA 3019")
    assert not screens(shaken, shaken.data.hex("3018"), 0)


def test_7_3_5_moving_next_to_a_lone_hq_displaces_it_and_silences_its_formation() -> None:
    units = "I/5 3015, 21Pz.HQ 2822, 7Armd.HQ 3118, 7.Mot 2918, 3.RTR/4 3318, 1Armd.HQ 3417"
    game = acting("21Pz", units, orders={"axis snafu": "never"})
    told = play(game, "move I/5", "to 3018")
    if game.actor == "commonwealth" and "displace 7Armd.HQ 2918" in texts(game):
        told += play(game, "displace 7Armd.HQ 2918")
    assert any(isinstance(event, ev.Displaced) for event in told)
    assert where(game, "7Armd.HQ") in ("2918", "3318")
    assert game.actor == "axis"


def test_3_3_an_hq_enters_an_ezoc_only_beside_a_friend() -> None:
    """5.4.1"""
    units = "21Pz.HQ 3014, I/5 3018, 7.Mot 3019, 7Armd.HQ 3222"
    game = acting("21Pz", units)
    play(game, "move 21Pz.HQ")
    assert game.situation.zoc[1] >> game.data.hex("3018") & 1
    assert "3018" in goals(game) and "3118" not in goals(game)
    assert refused(game, "to 3118").rule == "3.3"
    alone = acting("21Pz", units.replace("I/5 3018", "I/5 2818"))
    play(alone, "move 21Pz.HQ")
    assert "3018" not in goals(alone)


def test_7_3_the_fast_reach_agrees_with_the_rules() -> None:
    random = Random("reach")
    game = TITLE.start("campaign", seed="reach")
    tried = 0
    for _ in range(1500):
        if game.outcome:
            break
        step = game.step
        if isinstance(step, Movement):
            tried += 1
            inside = step.options(game).cost  # type: ignore[arg-type]
            for hex in game.data.board.spaces:
                broken = first_broken(ENTRY, game, step, hex)  # type: ignore[arg-type]
                if hex in inside:
                    allowed = {None, "5.4.1"}
                    assert (broken.number if broken else None) in allowed
                elif hex != step.here(game):  # type: ignore[arg-type]
                    assert broken is not None
        game.play(random.choice(game.actions()))
    assert tried > 20


def test_7_1_moving_units_may_halt_early() -> None:
    game = acting("21Pz", "I/5 3018, 21Pz.HQ 2822")
    play(game, "move I/5", "to 3019")
    assert "halt" in texts(game)
    play(game, "halt")
    assert where(game, "I/5") == "3019" and game.ap[0] == 6


def test_5_1_movement_points_are_never_rounded() -> None:
    found = costs("I/5 3112", "I/5")
    assert found["3413"] == 2.25


@pytest.mark.parametrize("name", ["I/5", "21Pz.HQ"])
def test_7_7_leaving_or_joining_ends_improved_defence(name: str) -> None:
    units = "I/5 3018, 21Pz.104 3018, 21Pz.HQ 3018, II/5 3020"
    game = acting("21Pz", units, improved=["3018"])
    play(game, f"move {name}", "to 3019", "halt")
    assert not game.improved
    joined = acting("21Pz", units, improved=["3018"])
    play(joined, "move II/5", "to 3018", "halt")
    assert not joined.improved


def test_7_7_improved_defence_is_for_the_whole_hex() -> None:
    units = "I/5 3018, 21Pz.104 3018, 21Pz.HQ 3018, II/5 3020 disrupted, 15Pz.115 3022, 21Pz.3 3022"
    game = acting("21Pz", units, ap=3)
    assert refused(game, "improve 3020").rule == "5.6.3"
    assert refused(game, "improve 3022").rule == "7.7"
    play(game, "improve 3018")
    assert game.ap[0] == 2
    assert refused(game, "improve 3018").rule == "7.7"
    mined = acting("50Div", "50Div.150 2414, 50Div.HQ 2612")
    assert refused(mined, "improve 2414").rule == "7.1"
    open_again = acting("50Div", "50Div.150 2414, 50Div.HQ 2612", breached=["2414"])
    assert "improve 2414" in texts(open_again)


def test_7_7_disruption_ends_improved_defence() -> None:
    game = acting("21Pz", "I/5 3018, 21Pz.104 3018, 21Pz.HQ 3020", improved=["3018"])
    game.disrupt(ids(game, "I/5")[0], "7.7")
    assert not game.improved and disrupted(game, "I/5")
    again = acting("21Pz", "I/5 3018 1, 21Pz.104 3018, 21Pz.HQ 3020", improved=["3018"])
    again.lose(ids(again, "I/5")[0], 1, "7.7")
    assert not again.improved and strength(again, "I/5") == 0


def test_6_5_1_a_way_past_enemies_keeps_its_distance_if_it_costs_no_more() -> None:
    units = "I/5 3020, 21Pz.HQ 2920, 7.Mot 3221 disrupted, 7Armd.HQ 3827"
    game = acting("21Pz", units)
    told = play(game, "move I/5", "to 3223")
    entered = [game.data.board.names[e.hex] for e in told if isinstance(e, ev.Moved)]
    assert entered == ["3021", "3022", "3122", "3223"]


def test_7_7_an_action_ends_improved_defence_even_if_nobody_leaves() -> None:
    game = acting("21Pz", "I/5 3018, 21Pz.HQ 2920", improved=["3018"])
    play(game, "move I/5", "halt")
    assert game.ap[0] == 6 and not game.improved


def dug_in(game: Game) -> list[str]:
    return [game.data.board.names[hex] for hex in game.improved]


def test_7_7_who_passes_through_leaves_those_dug_in_as_they_are() -> None:
    """Ruling R93; who ends the march among them does not."""
    units = "I/5 3018, 21Pz.104 3019, 90Le.155 3020, 21Pz.HQ 3017, 90Le.HQ 3021"
    game = acting("21Pz", units, improved=["3019", "3020"])
    play(game, "move I/5", "to 3021")
    assert where(game, "I/5") == "3021" and dug_in(game) == ["3019", "3020"]
    ended = acting("21Pz", units, improved=["3019", "3020"])
    play(ended, "move I/5", "to 3020", "halt")
    assert dug_in(ended) == ["3019"]


def test_7_7_a_reinforcement_that_goes_on_leaves_those_dug_in_as_they_are() -> None:
    units = "1Armd.HQ 5313, 201.Gds 5413, 12.L 5410, 1.RTR/1 pool, 21Pz.HQ 3017, I/5 3018"
    game = enter(position(units, turn=5, improved=["5413"]), Reinforcements(COMMONWEALTH))
    play(game, "enter 1.RTR/1 5413", "to 5312")
    assert where(game, "1.RTR/1") == "5312" and dug_in(game) == ["5413"]


def test_5_8_4_a_forecast_tells_of_the_checks_of_isolated_units_and_of_reactions() -> None:
    """6.5.1, 7.3.6 For one unit and for a stack."""
    units = "I/5 2320, 21Pz.104 2320, 21Pz.HQ 0101, 50Div.150 2319, 50Div.HQ 2219"
    game = acting("21Pz", units)
    for choice in ("move I/5", "join 21Pz.104"):
        play(game, choice)
        odds = game.odds(game.parse("to 2421"))
        assert odds and {"nobody reacts", "isolated units pass their checks"} <= {*odds.assumes}
    near = acting("21Pz", units.replace("0101", "2220"))
    play(near, "move I/5")
    odds = near.odds(near.parse("to 2421"))
    assert odds and odds.assumes == ("nobody reacts",)
