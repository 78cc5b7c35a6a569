"""What a general of Operation Battleaxe knows beyond an officer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.titles.battleaxe.tables import play, position

import sandtable
from sandtable.kernel.actions import UnitId
from sandtable.players import Seat, player
from sandtable.players.knowledge import knowledge
from sandtable.players.knowledge.battleaxe import Thumb
from sandtable.players.planner import Search
from sandtable.players.recruit import is_absurd
from sandtable.players.watch import CIRCLE, Watch
from sandtable.players.worlds import Chooser, Worlds
from sandtable.titles.battleaxe.actions import Advance, Attack, Move
from sandtable.titles.battleaxe.data import ALLIED
from sandtable.titles.battleaxe.movement import Assault

OFFICER: Any = knowledge("battleaxe")
GENERAL: Any = OFFICER.keener
ROAD = [*"ABCDHG", "4", "10", "12", "19"]


def test_a_general_lets_the_panzers_sleep() -> None:
    """16.1 A lone unit beside 15th Panzer wakes it; Halfaya is worth that, and so is dusk."""
    before = position("2RTR D, 1/8 18", turn=1)
    after = before.copy()
    after.place(after.data.unit("2RTR"), after.data.space("19"))
    assert list(GENERAL.follies(before, after, "allied")) == ["wakes the panzers early"]
    assert not list(OFFICER.follies(before, after, "allied"))
    late = after.copy()
    late.impulse = 6
    assert not list(GENERAL.follies(before, late, "allied"))
    halfaya = before.copy()
    halfaya.place(halfaya.data.unit("2RTR"), halfaya.data.space("6"))
    assert halfaya.released[0]
    assert not list(GENERAL.follies(before, halfaya, "allied"))


def test_panzers_that_are_awake_are_no_reason_against_what_follows() -> None:
    """16.1 Else every plan of the Impulse is absurd, and the worst of them as good as any."""
    eve = position("2RTR D, 7RTR 8, 1/8 18", turn=1)
    now = eve.copy()
    now.place(now.data.unit("2RTR"), now.data.space("19"))
    end = now.copy()
    end.place(end.data.unit("7RTR"), end.data.space("11"))
    assert list(GENERAL.follies(eve, end, "allied"))
    worlds, luck = Worlds(Seat(now, "allied"), "1", 1), Chooser("1")
    search = Search(worlds, "allied", GENERAL, GENERAL.search, luck, eve=eve)
    assert not search._foolish(now, end)
    assert search._foolish(eve, end)


def test_nobody_drives_back_to_where_the_impulse_found_him() -> None:
    """9.1 To march out and back again is absurd, but for who took something on the way."""
    eve = position("15MC(-) 15, 33PAK 13, 2RTR D", side="axis", advantage="axis")
    game = eve.copy()
    play(game, "assault 15", "move 15MC(-) 13")
    back: Any = game.parse("move 15MC(-) 15")
    assert back in game.actions()
    assert OFFICER.circles(eve, game, back) and is_absurd(OFFICER, game, back, eve)
    assert not OFFICER.circles(eve, game, game.parse("move 15MC(-) 14"))
    watch = Watch(eve.copy(), {"axis": "officer", "allied": "officer"})
    watched = eve.copy()
    for line in ("assault 15", "move 15MC(-) 13", "move 15MC(-) 15"):
        watch.play(watched, watched.parse(line))
    assert [each.what for each in watch.found] == [CIRCLE]
    raid = position("15MC(-) 15, 2RTR D", side="axis", advantage="axis", allied_held=[*ROAD, "14"])
    taken = raid.copy()
    play(taken, "assault 15", "move 15MC(-) 14")
    assert not OFFICER.circles(raid, taken, taken.parse("move 15MC(-) 15"))


@pytest.mark.heavy
def test_the_first_impulse_moves_everybody_and_wakes_nobody() -> None:
    game: Any = sandtable.title("battleaxe").start(seed="first")
    general = player("general", "first")
    while game.actor == "allied" and game.impulse == 1:
        game.play(general.choose(Seat(game, "allied")).action)
    assert game.released == (False, False)
    left = [game.units_in(ALLIED, game.data.space(zone)) for zone in "ABCD"]
    assert sum(map(len, left)) <= 2


def test_a_general_gathers_before_it_strikes() -> None:
    """Who can still join an attack comes first; officers attack with whom they have."""
    game = position("2RTR 5, 6RTR 5, 12AT 5, 208I 11", turn=2)
    play(game, "assault 5", "move 2RTR 11")
    attack = game.parse("attack 11 2RTR")
    alone, massed = (know.priors(game, [attack])[0] for know in (OFFICER, GENERAL))
    assert massed == alone - 2
    assert GENERAL.favourite(game, game.actions()) != list(game.actions()).index(attack)
    play(game, "move 6RTR 11", "move 12AT 11")
    alone, massed = (know.priors(game, [attack])[0] for know in (OFFICER, GENERAL))
    assert massed == alone


def test_a_general_keeps_the_prize_that_it_overran() -> None:
    """11.4.4 The last unit does not go on while an enemy could walk in behind it."""
    game = position("22GDS 15, 206B 17", turn=2)
    on, back = (Advance(game.data.unit("22GDS"), game.data.space(to)) for to in ("18", "13"))
    assert list(GENERAL.blunders(game, on)) == ["leaves a prize behind"]
    assert not list(OFFICER.blunders(game, on))
    assert not list(GENERAL.blunders(game, back)), "another prize is worth it"
    for others in ("22GDS 15, 7RTR 15, 206B 17", "22GDS 15, 206B 22", "22GDS 15, 206B 18"):
        free = position(others, turn=2)
        assert not list(GENERAL.blunders(free, on)), others


def test_a_plan_that_stirs_nobody_has_no_merits() -> None:
    """What the enemy does meanwhile is not to its credit."""
    game = position("2RTR 5, 208I 11", turn=2)
    idle = [game.parse("assault 5"), game.parse("end")]
    assert GENERAL.idle(idle) and OFFICER.idle(idle)
    assert GENERAL.tactic(game, idle[0], idle[1:]).startswith("Marks time")
    assert not OFFICER.idle([idle[0], Move(game.data.unit("2RTR"), game.data.space("4")), idle[1]])


def test_a_general_of_the_axis_keeps_the_road_closed() -> None:
    """17.1 Neither the last unit on the road nor the last in Tobruk goes away."""
    cut = [space for space in ROAD if space != "12"]
    before = position("9AUS H, XX H, 7RTR 19, 1/5 12", side="axis", allied_held=cut)
    left = before.copy()
    left.place(left.data.unit("XX"), left.data.space("I"))
    assert list(GENERAL.follies(before, left, "axis")) == ["leaves Tobruk"]
    before = position("9AUS H, 7RTR 19, 1/5 12", side="axis", allied_held=cut)
    opened = position("9AUS H, 7RTR 19, 1/5 18", side="axis", allied_held=ROAD)
    assert "opens the road to Tobruk" in GENERAL.follies(before, opened, "axis")
    # With the road open night would end the game, and it may fall any time.
    sure, plain = (know.judge(opened, "allied") for know in (GENERAL, OFFICER))
    assert sure > plain
    assert GENERAL.judge(opened, "axis") == pytest.approx(1 - sure)


def test_support_that_comes_back_is_used() -> None:
    """10.1.1, 10.2.1 Air Support and guns cost nothing that is not lost otherwise."""
    game = position("2RTR 11, 6RTR 11, 208I 11", turn=2)
    play(game, "assault 11", "attack 11 2RTR")
    while "air yes" not in {game.text(each) for each in game.actions()}:
        game.play(game.actions()[-1])
    assert GENERAL.obvious(game, game.actions()) == game.parse("air yes")
    assert OFFICER.obvious(game, game.actions()) is None


def test_an_attack_is_weighed_by_its_exact_chances() -> None:
    """11.4.4 Those that the game tells, if the strongest leads and all are in supply."""
    game: Any = sandtable.title("battleaxe").start(seed="exact")
    recruits = {side: player("recruit", f"exact {side}") for side in ("allied", "axis")}
    compared = 0
    while game.outcome is None:
        first = isinstance(game.step, Assault)
        for action in game.actions():
            if not first or not isinstance(action, Attack):
                continue
            told = game.odds(action)
            units = told.about.units
            lead = best_lead(game, units)
            foes = game.units_in(1 - told.about.side, action.space)
            if game.cv(action.lead) == lead and not any(
                game.units[unit].out_of_supply for unit in (*units, *foes)
            ):
                found = Thumb(game).prospect(action.space, units)
                assert found.win == pytest.approx(told.chance_for(game.actor))
                assert found.repulse == pytest.approx(
                    float(sum(each.probability for each in told.margins if each.value < 0))
                )
                compared += 1
        game.play(recruits[game.actor].choose(Seat(game, game.actor)).action)
    assert compared > 20


def best_lead(game: Any, units: Sequence[UnitId]) -> int:
    """10.3 The most that a unit can lead an attack with; AT/FLAK units lead only their own kind."""
    kinds = {unit: game.data.unit_facts[unit].kind for unit in units}
    return max((game.cv(unit) for unit in units if kinds[unit] != "at"), default=0)
