"""Tactics of the hex titles that a wargamer would recognise, and the follies they rule out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from tests.titles.theseus.tables import acting, play

import sandtable
from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space
from sandtable.players import Seat, player
from sandtable.players.effort import NEVER, Effort
from sandtable.players.general import General
from sandtable.players.knowledge import knowledge, theseus_absurd
from sandtable.players.knowledge.theseus import Field, Thumb, field_of
from sandtable.players.knowledge.theseus_absurd import bare, driven_off
from sandtable.players.knowledge.theseus_reasons import tactic
from sandtable.players.knowledge.theseus_staff import (
    Orders,
    fed_hexes,
    lanes,
    march,
    mean_hits,
    mine_chances,
    orders_of,
)
from sandtable.players.knowledge.theseus_supply import trails_of
from sandtable.players.officer import Officer
from sandtable.players.planner import Plan, Search
from sandtable.players.recruit import is_absurd
from sandtable.players.worlds import Chooser, Worlds
from sandtable.titles.gallop.lines import basic_length, lines
from sandtable.titles.theseus.acting import Acting
from sandtable.titles.theseus.actions import (
    Activate,
    Attack,
    Breach,
    DigIn,
    End,
    Keep,
    Move,
    Pass,
    React,
    Reroll,
    To,
    Transfer,
)
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH
from sandtable.titles.theseus.sequence import Initiative
from sandtable.titles.theseus.snafu import Roll

DUEL = """
scenario = "campaign"
turn = 2
air = 2
[point]
phase = "acting"
formation = "21Pz"
[action_points]
axis = {points}
[stacks]
3018 = [{attackers}]
2920 = ["21Pz.HQ"]
3118 = [{enemies}]
3217 = ["7Armd.HQ"]
"""

GUARDED = """
scenario = "campaign"
[point]
phase = "acting"
formation = "1Armd"
[action_points]
commonwealth = 4
[stacks]
3012 = ["201.Gds"]
3112 = ["1Armd.HQ"]
2416 = ["21Pz.104"]
2316 = ["21Pz.HQ"]
"""
"""The Guards in Knightsbridge, which counts, and panzers within a march of it."""

OUTRUN = """
scenario = "campaign"
turn = 4
[point]
phase = "acting"
formation = "21Pz"
[action_points]
axis = 4
[stacks]
2911 = ["I/5", "II/5", "21Pz.104"]
2316 = ["21Pz.HQ"]
2315 = ["90Le.HQ"]
2317 = ["15Pz.HQ"]
2510 = ["90Le.155"]
1712 = ["50Div.150"]
3012 = ["201.Gds"]
2516 = ["KDG"]
3904 = ["4.SA.Bde"]
"""
"""A division beyond its HQ's orders, other HQs beside that one."""


def duel(points: int, attackers: str, enemies: str) -> Any:
    """Units of 21. Panzer beside an enemy, with so many Action Points."""
    text = DUEL.format(points=points, attackers=attackers, enemies=enemies)
    return sandtable.title("theseus").position(text)


def tempting(game: Any, action: Any) -> float:
    """How an action tempts the officer of the game's title."""
    actions = game.actions()
    found = knowledge(game.title.id).priors(game, actions)
    return found[list(actions).index(action)]


def test_the_axis_opens_the_lane_that_no_enemy_covers() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="lane")
    found = lanes(game)
    assert game.hexname(max(found, key=lambda hex: found[hex])) == "2416"
    orders = Orders(game, AXIS)
    assert orders.lane in orders.goal.values()


def test_hexes_called_fed_really_feed_an_hq() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="fed")
    formation = next(at for at, hq in enumerate(game.data.hqs) if hq.id == "21Pz")
    piece = game.data.hq_of(formation)
    fed = fed_hexes(game, AXIS, game.data.hqs[formation].command)
    empty = [h for h in range(game.data.board.size) if fed >> h & 1 and h not in game.at]
    for hex in empty[::25]:
        moved = game.copy()
        moved.place(piece, hex)
        assert moved.situation.in_supply(moved, piece), game.hexname(hex)


def test_more_hits_are_given_the_further_right_the_column() -> None:
    data: Any = sandtable.title("theseus").start("campaign", seed="crt").data
    balance = [mean_hits(data, column, 0) for column in range(-1, 13)]
    given = [theirs for _, theirs in balance]
    taken = [ours for ours, _ in balance]
    assert given == sorted(given)
    assert taken == sorted(taken, reverse=True)


def test_a_good_attack_tempts_and_a_hopeless_one_never_does() -> None:
    weak = duel(4, '"II/5", "21Pz.104"', '"KDG"')
    attack = Attack(Space(weak.data.hex("3018")), Space(weak.data.hex("3118")))
    assert tempting(weak, attack) > 0.3
    strong = duel(1, '"21Pz.3"', '"7.Mot", "3.RTR/4"')
    assert tempting(strong, attack) <= NEVER
    know: Any = knowledge("theseus")
    assert list(know.blunders(strong, attack)) == ["attacks at hopeless odds"]
    assert not list(know.blunders(weak, attack))


def test_an_attack_is_hopeless_only_if_no_points_can_mend_it() -> None:
    """7.5.1.C A hasty attack may be escalated, and should be where it cannot go well."""
    know: Any = knowledge("theseus")
    units = "90Le.288 3020 1, 90Le.HQ 3018, 3.Ind.Mot 3021, 7Armd.HQ 3121"
    for points, hopeless in ((1, True), (3, False)):
        game = acting("90Le", units, ap=points)
        assert bool(list(know.blunders(game, game.parse("attack 3020 3021")))) == hopeless
    play(game, "attack 3020 3021")
    assert list(know.blunders(game, game.parse("strike hasty")))
    assert not list(know.blunders(game, game.parse("strike prepared")))


def test_tanks_alone_do_not_enter_mines_and_engineers_help() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="mines")
    tanks, foot = (game.data.piece(name) for name in ("I/5", "Pavia.28"))
    assert mine_chances(game, (tanks,))[0] < mine_chances(game, (foot,))[0]
    assert mine_chances(game, (tanks,))[1] > 0


def test_an_officer_never_moves_into_an_overstacked_hex() -> None:
    text = """
scenario = "campaign"
[point]
phase = "acting"
formation = "21Pz"
[action_points]
axis = 4
[stacks]
2018 = ["I/5", "II/5", "21Pz.104"]
2019 = ["21Pz.3"]
2020 = ["21Pz.HQ"]
"""
    game: Any = sandtable.title("theseus").position(text)
    car = game.data.piece("21Pz.3")
    game.play(Move(car))
    assert isinstance(game.step, Movement)
    full = To(Space(game.data.hex("2018")))
    assert full in game.actions()
    assert tempting(game, full) <= NEVER
    know: Any = knowledge("theseus")
    assert "overstacks a hex" in list(know.blunders(game, full))


def test_sappers_in_the_lane_breach_it() -> None:
    text = """
scenario = "campaign"
[point]
phase = "acting"
formation = "Trieste"
[action_points]
axis = 4
[stacks]
2416 = ["Trieste.65"]
2216 = ["Trieste.HQ"]
"""
    game: Any = sandtable.title("theseus").position(text)
    breach = Breach(game.data.piece("Trieste.65"))
    actions = game.actions()
    know: Any = knowledge("theseus")
    found = know.priors(game, actions)
    assert actions[found.index(max(found))] == breach


def test_leaving_an_objective_that_nobody_threatens_is_a_folly() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="folly")
    left = game.copy()
    gone = left.data.piece("201.Gds")
    left.place(gone, left.data.hex("3212"))
    know: Any = knowledge("theseus")
    assert list(know.follies(game, left, "commonwealth")) == [
        "abandons an objective that nobody threatens"
    ]
    assert not list(know.follies(game, game.copy(), "commonwealth"))


def test_who_makes_way_for_an_enemy_nearby_abandons_nothing_though_he_goes_off_later() -> None:
    """6.5 A guard left in reaction, and the enemy's activation then led elsewhere."""
    game: Any = sandtable.title("theseus").start("campaign", seed="folly")
    tank, guard = (game.data.piece(name) for name in ("I/5", "201.Gds"))
    near, far = game.copy(), game.copy()
    near.place(tank, near.data.hex("3010"))
    far.place(guard, far.data.hex("3212"))
    know: Any = knowledge("theseus")
    assert not list(know.follies(near, far, "commonwealth"))
    assert list(know.follies(game, far, "commonwealth"))


def test_an_hq_that_leaves_supply_for_nothing_is_a_folly() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="folly")
    gone = game.copy()
    gone.place(gone.data.piece("21Pz.HQ"), gone.data.hex("3826"))
    know: Any = knowledge("theseus")
    assert "leaves supply for nothing" in list(know.follies(game, gone, "axis"))
    # Two samples may differ in the strength of a hidden enemy, which is no gain.
    foe = gone.data.piece("4.RTR")
    gone.pieces[foe] = replace(gone.pieces[foe], strength=1)
    assert "leaves supply for nothing" in list(know.follies(game, gone, "axis"))


def test_what_the_enemy_does_with_the_initiative_is_no_folly_of_who_gave_it() -> None:
    """6.2 His activation may drive an HQ off; its own would cost one of its side's levels."""
    game: Any = sandtable.title("theseus").start("campaign", seed="folly")
    gone = game.copy()
    gone.place(gone.data.piece("21Pz.HQ"), gone.data.hex("3826"))
    know: Any = knowledge("theseus")
    gone.levels[gone.data.formation("1Armd")] -= 1
    assert not list(know.follies(game, gone, "axis"))
    gone.levels[gone.data.formation("21Pz")] -= 1
    assert "leaves supply for nothing" in list(know.follies(game, gone, "axis"))


def test_to_cut_an_enemy_hq_off_is_worth_leaving_supply() -> None:
    """5.7.4 A column on the enemy's trail is out of supply there, as he is then."""
    game: Any = sandtable.title("theseus").start("campaign", seed="folly")
    know: Any = knowledge("theseus")
    column = [game.data.piece(each) for each in ("1Armd.HQ", "QB/2")]
    for there, found in (("1421", []), ("1424", ["leaves supply for nothing"])):
        after = game.copy()
        for piece in column:
            after.place(piece, after.data.hex(there))
        assert not after.situation.in_supply(after, column[0])
        assert list(know.follies(game, after, "commonwealth")) == found
    # Who was hungry before is not cut off again.
    hungry = game.copy()
    for name in ("21Pz", "15Pz", "90Le", "Ariete"):
        hungry.place(hungry.data.piece(f"{name}.HQ"), hungry.data.hex("3826"))
    after = hungry.copy()
    for piece in column:
        after.place(piece, after.data.hex("1421"))
    assert list(know.follies(hungry, after, "commonwealth")) == ["leaves supply for nothing"]


def test_supply_that_is_cut_behind_an_hq_was_not_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own stack may have kept the way open: the place it went to was in supply."""
    game: Any = sandtable.title("theseus").start("campaign", seed="folly")
    after = game.copy()
    after.place(after.data.piece("21Pz.HQ"), after.data.hex("3826"))
    for starved, found in ((lambda each: each is not game, 1), (lambda each: each is after, 0)):
        monkeypatch.setattr(
            theseus_absurd, "hungry", lambda each, _, starved=starved: starved(each)
        )
        assert len(list(theseus_absurd.leavers(game, after, AXIS))) == found


def test_a_general_finds_an_hq_its_place_beyond_its_neighbours() -> None:
    """5.8 Where no hex beside it is better and none a whole march away, one between may be."""
    game: Any = sandtable.title("theseus").position(OUTRUN)
    hq = game.data.piece("21Pz.HQ")
    know: Any = knowledge("theseus")
    move, end = Move(hq), End()
    officer, general = know.schooled["axis"].mind(game), know.keener.mind(game)
    assert officer.tempts(move) < officer.tempts(end)
    assert general.tempts(move) > general.tempts(end)
    for _ in range(4):
        game.play(game.actions()[know.keener.favourite(game, game.actions())])
    far = game.data.board.ring(game.data.hex("2316"))[game.pieces[hq].hex]
    assert 1 < far <= 4 and game.situation.in_supply(game, hq)


def test_the_next_turns_weather_makes_no_folly() -> None:
    """XV.A.2 Supply lines are shorter in a storm that nobody foresaw."""
    game: Any = sandtable.title("gallop").start("historical", seed="folly")
    after = game.copy()
    unit = next(
        each
        for each in game.on_map("axis")
        if lines(game, "axis")[game.pieces[each].hex] <= basic_length(game)
    )
    far = [hex for hex, length in enumerate(lines(game, "axis")) if length == basic_length(game)]
    foes = game.lay.seen["allied"]
    there = next(hex for hex in far if not (1 << hex | game.facts.strike_from[hex]) & foes)
    after.pieces[unit] = replace(after.pieces[unit], hex=there)
    after.weather, after.storm_die = "sandstorm", 0
    assert basic_length(after) < basic_length(game)
    know: Any = knowledge("gallop")
    assert not list(know.follies(game, after, "axis"))


def test_a_fight_excuses_who_fought_and_nobody_else() -> None:
    """One guard walks off from 3012 for nothing, whatever another unit does meanwhile."""
    game: Any = sandtable.title("theseus").position(GUARDED + '2519 = ["4.RTR"]\n')
    left = game.copy()
    guard, other = (left.data.piece(name) for name in ("201.Gds", "4.RTR"))
    left.place(guard, left.data.hex("3212"))
    left.pieces[other] = replace(left.pieces[other], disrupted=True)
    know: Any = knowledge("theseus")
    folly = ["abandons an objective that nobody threatens"]
    assert list(know.follies(game, left, "commonwealth")) == folly
    left.pieces[guard] = replace(left.pieces[guard], disrupted=True)
    assert not list(know.follies(game, left, "commonwealth"))
    fought = game.copy()
    fought.place(guard, fought.data.hex("2516"))
    assert list(know.follies(game, fought, "commonwealth")) == folly
    fought.pieces[other] = replace(fought.pieces[other], disrupted=True)
    assert not list(know.follies(game, fought, "commonwealth"))


@pytest.mark.parametrize("name", ["cauldron", "gallop", "theseus"])
def test_officers_do_nothing_absurd_for_a_while(name: str) -> None:
    title = sandtable.title(name)
    game = title.start(seed="sane")
    know: Any = knowledge(name)
    players = {side: player("officer", f"sane|{side}") for side in title.sides}
    unit, before, who = know.unit(game), game.copy(), game.actor
    for _ in range(40):
        side = game.actor
        if side is None:
            break
        if know.unit(game) != unit:
            assert who is None or not list(know.follies(before, game, who))
            unit, before, who = know.unit(game), game.copy(), side
        action = players[side].choose(Seat(game, side)).action
        if len(game.actions()) > 1:
            assert not list(know.blunders(game, action))
        game.play(action)


def test_commonwealth_armour_covers_what_the_axis_is_near() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="cover")
    orders = Orders(game, COMMONWEALTH)
    goals = {hex for hex, _ in game.script.objectives}
    assert orders.goal and set(orders.goal.values()) <= goals


def test_the_garrison_of_an_objective_within_the_enemys_grasp_stays() -> None:
    game: Any = sandtable.title("theseus").position(GUARDED)
    move = Move(game.data.piece("201.Gds"))
    assert move in game.actions()
    assert tempting(game, move) <= NEVER


@pytest.mark.parametrize(
    ("turn", "tobruk", "eased"),
    [(4, [], False), (5, [], True), (8, [], True), (8, ["201.Gds"], False)],
)
def test_late_in_a_game_the_axis_breaks_ranks_for_a_prize_that_lies_open(
    turn: int, tobruk: list[str], eased: bool
) -> None:
    text = f"""
scenario = "campaign"
turn = {turn}
[point]
phase = "acting"
formation = "21Pz"
[action_points]
axis = 6
[stacks]
3012 = ["21Pz.104"]
2918 = ["21Pz.HQ"]
4303 = {tobruk}
"""
    game: Any = sandtable.title("theseus").position(text)
    assert (Thumb(game).ease < 1) == eased
    there = game.data.hex("4004")
    orderly, unit = Thumb(game), game.data.piece("21Pz.104")
    orderly.__dict__["ease"] = 1.0
    assert (Thumb(game)._place(there, unit) > orderly._place(there, unit)) == eased


def test_marches_go_round_the_enemy() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="round")
    goal, start = (game.data.hex(name) for name in ("3012", "3018"))
    free = march(game.data, goal, 0)
    wall = sum(1 << hex for hex, far in enumerate(free) if far == 3)
    assert march(game.data, goal, 0, wall)[start] > free[start] == 6
    assert march(game.data, goal, 0, 0, wall)[start] == free[start] + 1


def test_infantry_enters_the_minefield_before_its_objective_and_opens_it() -> None:
    text = """
scenario = "campaign"
[point]
phase = "acting"
formation = "21Pz"
[action_points]
axis = 6
[stacks]
3806 = ["21Pz.104"]
3705 = ["21Pz.HQ"]
"""
    game: Any = sandtable.title("theseus").position(text)
    know: Any = knowledge("theseus")
    unit = game.data.piece("21Pz.104")
    assert tempting(game, Move(unit)) > 0
    game.play(Move(unit))
    actions = game.actions()
    found = know.priors(game, actions)
    best = actions[found.index(max(found))]
    assert isinstance(best, To)
    assert game.situation.mines[COMMONWEALTH] >> best.hex & 1


def test_a_plan_that_activates_a_formation_is_followed_to_the_end_of_the_activation() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="unit")
    know: Any = knowledge("theseus")
    players = {side: player("recruit", side) for side in game.title.sides}
    seen = 0
    while seen < 3:
        side = game.actor
        choice = players[side].choose(Seat(game, side)).action
        chosen, unit, levels = isinstance(choice, Activate), know.unit(game), sum(game.levels)
        game.play(choice)
        if chosen and sum(game.levels) == levels - 1:
            assert know.unit(game) == unit
            seen += 1


def test_snafu_waits_for_a_die_that_matters() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="snafu")
    know: Any = knowledge("theseus")
    for purpose, value, answer in (
        ("combat", 10, Reroll()),
        ("combat", 5, Keep()),
        ("initiative", 10, Keep()),
    ):
        asked = game.copy()
        asked.push(Roll(COMMONWEALTH, purpose, "5.2"))
        asked.become_step(Roll(COMMONWEALTH, purpose, "5.2", value=value))
        assert know.obvious(asked, [Keep(), Reroll()]) == answer


def test_who_cuts_the_trail_is_found_and_the_army_sent_against_him() -> None:
    text = """
scenario = "campaign"
turn = 3
breached = ["2416"]
[stacks]
2315 = ["Ariete.8"]
2216 = ["Ariete.HQ"]
2515 = ["50Div.150"]
2911 = ["21Pz.104"]
2912 = ["21Pz.HQ"]
"""
    game: Any = sandtable.title("theseus").position(text)
    hungry = game.data.hq_of(next(at for at, hq in enumerate(game.data.hqs) if hq.id == "21Pz"))
    assert not game.situation.in_supply(game, hungry)
    trails, orders = trails_of(game, AXIS), Orders(game, AXIS)
    assert game.data.hex("2515") in trails.block
    urgent = {hex for hex, worth in orders.posts.items() if worth >= 1}
    assert urgent <= trails.block.keys()
    assert urgent & set(orders.goal.values())


def test_officers_do_not_dig_a_lane_to_one_that_starves_beyond_the_minefields() -> None:
    """5.7.4 Half an army that opens mine after mine to one division takes nothing elsewhere."""
    text = """
scenario = "campaign"
turn = 2
[stacks]
2216 = ["Ariete.HQ", "Ariete.8"]
2911 = ["21Pz.104"]
2912 = ["21Pz.HQ"]
"""
    game: Any = sandtable.title("theseus").position(text)
    mines = game.situation.mines[COMMONWEALTH]
    starving = game.data.hq_of(next(at for at, hq in enumerate(game.data.hqs) if hq.id == "21Pz"))
    assert not game.situation.in_supply(game, starving)

    def dug(digs: bool) -> list[int]:
        posts = Orders(game, AXIS, keen=True, digs=digs).posts.items()
        return [hex for hex, worth in posts if worth >= 1 and mines >> hex & 1]

    assert dug(digs=True) and not dug(digs=False)
    assert game.actor == "axis"
    recruits: Any = knowledge("theseus")
    officers: Any = Officer("school").knowledge("theseus", "axis")
    orders = [each.mind(game).orders for each in (recruits, officers, recruits.keener)]
    assert [each.keen for each in orders] == [False, True, True]
    assert [each.digs for each in orders] == [True, False, True]
    assert Officer("school").knowledge("theseus", "commonwealth") is recruits


def played(decisions: int) -> Any:
    """A campaign of Theseus after so many tempting decisions."""
    game: Any = sandtable.title("theseus").start("campaign", seed="remembered")
    know = knowledge("theseus")
    for _ in range(decisions):
        actions = game.actions()
        game.play(actions[know.favourite(game, actions)])
    return game


def test_the_favourite_is_the_most_tempting_action() -> None:
    game = played(0)
    know: Any = knowledge("theseus")
    for _ in range(120):
        actions = game.actions()
        tempting = know.priors(game, actions)
        favourite = know.favourite(game, actions)
        assert favourite == tempting.index(max(tempting))
        game.play(actions[favourite])


def test_what_is_remembered_is_true_while_a_game_goes_on() -> None:
    game = played(0).resample("axis", "remembered")
    know: Any = knowledge("theseus")
    for _ in range(250):
        for side in (AXIS, COMMONWEALTH):
            for keen in (False, True):
                assert vars(orders_of(game, side, keen)) == vars(Orders(game, side, keen))
            assert vars(field_of(game, side)) == vars(Field(game, side))
        actions = game.actions()
        game.play(actions[know.favourite(game, actions)])
    assert len({key for key in game.memory if key[0] == "orders"}) > 8


def test_the_trail_is_cut_where_most_hqs_live_by_it() -> None:
    """5.7.4 The Commonwealth's generals stand where supply must pass and no Axis unit does."""
    text = """
scenario = "campaign"
turn = 3
breached = ["2416"]
[stacks]
2416 = ["Ariete.8"]
2216 = ["Ariete.HQ"]
2913 = ["21Pz.HQ", "21Pz.104"]
2814 = ["15Pz.HQ", "15Pz.115"]
3218 = ["7Armd.HQ", "3.RTR/4"]
"""
    game: Any = sandtable.title("theseus").position(text)
    data = game.data
    assert all(
        game.situation.in_supply(game, data.piece(f"{each}.HQ")) for each in ("21Pz", "15Pz")
    )
    assert not Orders(game, COMMONWEALTH).posts
    orders = Orders(game, COMMONWEALTH, keen=True)
    best = max(orders.posts, key=lambda hex: orders.posts[hex])
    assert not game.situation.occupied[AXIS] >> best & 1
    seventh = next(at for at, hq in enumerate(data.hqs) if hq.id == "7Armd")
    assert orders.goal[seventh] == best
    game.place(data.piece("3.RTR/4"), best)
    game.sit = game.before = None
    assert not all(
        game.situation.in_supply(game, data.piece(f"{each}.HQ")) for each in ("21Pz", "15Pz")
    )


def test_a_lane_that_is_watched_is_opened_where_there_is_no_other() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="lane")
    (lane,) = lanes(game)
    game.place(game.data.piece("201.Gds"), game.data.hex("2516"))
    game.sit = game.before = None
    assert game.situation.zoc[COMMONWEALTH] >> lane & 1
    assert lane in lanes(game)


def test_officers_judge_by_hand_and_say_so_and_generals_by_what_was_fitted() -> None:
    know: Any = knowledge("theseus")
    by_hand = dict(zip(know.names, know.prior[0], strict=True))
    for side, foe in (("axis", "cw"), ("commonwealth", "axis")):
        (used,) = know.weighs(side)
        known = dict(zip(know.names, used, strict=True))
        assert not any(known.pop(each) for each in ("prospects", "risk", "trails"))
        assert not known.pop(f"{foe}_unfed") and not known.pop(f"{foe}_levels")
        assert known == {each: by_hand[each] for each in known}
        assert know.keener.weighs(side) == know.weights


def looks(game: Any) -> dict[str, int]:
    """How many plans officers and generals of the side that decides try at first."""
    know: Any = knowledge("theseus")
    return {
        level.__name__: known.measure(
            game, game.actor, level("look").effort(known, game.actor)
        ).plans
        for level, known in ((Officer, know), (General, know.keener))
    }


def test_officers_of_the_commonwealth_weigh_answers_alone_and_those_of_the_axis_all() -> None:
    know: Any = knowledge("theseus")
    both = {"Officer": know.look.plans, "General": know.search.plans}
    alone = {**both, "Officer": 1}
    assert know.look.plans > 1
    title = sandtable.title("theseus")
    # Its own activation; a Reaction is offered, and made; an attack that it could evade.
    assert looks(title.position(DRIVEN_OFF.format(here=1622))) == alone
    offered: Any = title.position(LEFT_ALONE)
    assert offered.actor == "axis" and looks(offered) == both
    for text in ("move Trieste.9", "to 2811"):
        offered.play(offered.parse(text))
    assert offered.actor == "commonwealth" and looks(offered) == both
    offered.push(Acting(COMMONWEALTH, offered.pieces[offered.data.piece("10.H/2")].parent))
    assert offered.actor == "commonwealth" and looks(offered) == alone
    attacked: Any = title.position(DUEL.format(points=2, attackers='"II/5"', enemies='"KDG"'))
    attacked.play(attacked.parse("attack 3018 3118"))
    assert attacked.actor == "commonwealth" and looks(attacked) == both


def test_who_has_nothing_to_do_is_not_activated() -> None:
    """6.2, 6.3.2 It would cost a level; the initiative is handed over instead, or the turn ends."""
    know: Any = knowledge("theseus")
    game: Any = sandtable.title("theseus").start("campaign", seed="lane")
    found: set[bool] = set()
    while len(found) < 2:
        actions = game.actions()
        if isinstance(game.step, Initiative):
            mind = know.mind(game)
            for action in actions:
                if not isinstance(action, Activate):
                    continue
                acting = game.copy()
                acting.play(action)
                while not isinstance(acting.step, Acting):
                    answers = acting.actions()
                    acting.play(answers[know.favourite(acting, answers)])
                acting.set_points(mind.side, 4)
                choices = acting.actions()
                busy = not isinstance(choices[know.favourite(acting, choices)], End)
                assert mind.busy(action.formation) == busy
                assert (mind.tempts(action) > NEVER) == busy
                found.add(busy)
            assert NEVER < mind.tempts(Pass()) < mind.tempts(Transfer())
        game.play(actions[know.favourite(game, actions)])


def test_who_tries_one_plan_plays_what_tempts_most() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="look")
    know = knowledge("theseus")
    worlds = Worlds(Seat(game, game.actor), "look", 1)
    alone = Search(worlds, game.actor, know, Effort(1, 1, rounds=0), Chooser("look"))
    plan = alone.best()
    actions = game.actions()
    assert alone.drawn == 1 and plan.actions[0] == actions[know.favourite(worlds[0], actions)]


LEFT_ALONE = """
scenario = "campaign"
turn = 2
breached = ["2416"]
[point]
phase = "acting"
formation = "Trieste"
[action_points]
axis = 1
[stacks]
2416 = ["Ariete.8"]
2216 = ["Ariete.HQ"]
2915 = ["Trieste.9", "Trieste.HQ"]
3016 = ["10.H/2"]
3217 = ["1Armd.HQ"]
"""
"""A battalion and its HQ went up to the enemy, and the last Action Point is left."""


def test_recruits_do_not_leave_an_hq_alone_though_the_enemy_is_asked_first() -> None:
    """6.5 Nobody has left yet when he is asked, and his answer ends the activation."""
    game: Any = sandtable.title("theseus").position(LEFT_ALONE)
    eve, know = game.copy(), knowledge("theseus")
    eve.place(eve.data.piece("Trieste.HQ"), eve.data.hex("2316"))
    game.play(game.parse("move Trieste.9"))
    march = To(Space(game.data.hex("2811")))
    asked = game.copy()
    asked.play(march)
    assert asked.actor == "commonwealth" and not list(know.follies(eve, asked, "axis"))
    assert is_absurd(know, game, march, eve)
    assert not is_absurd(know, game, game.parse("halt"), eve)


def test_what_only_an_interruption_would_excuse_is_absurd(monkeypatch: pytest.MonkeyPatch) -> None:
    """6.5 The enemy may let an HQ be that was driven up to him and left there alone."""
    game: Any = sandtable.title("theseus").position(LEFT_ALONE)
    eve, know = game.copy(), knowledge("theseus")
    eve.place(eve.data.piece("Trieste.HQ"), eve.data.hex("2316"))

    def reacts(game: Any, actions: Sequence[Action]) -> int:
        return next((at for at, each in enumerate(actions) if isinstance(each, React)), 0)

    monkeypatch.setattr(type(know), "favourite", lambda _, game, actions: reacts(game, actions))
    march = [game.parse("move Trieste.9"), To(Space(game.data.hex("3015")))]
    worlds = Worlds(Seat(game, "axis"), "react", 1)
    search = Search(worlds, "axis", know, Effort(1, 1, rounds=0), Chooser("react"), eve=eve)
    plan = search._add(march, 0.0)
    assert plan and plan.actions[:2] == march
    assert plan.game.dice.count > game.dice.count, "the enemy was asked, and rolled"
    assert not list(know.follies(eve, plan.game, "axis")) and plan.absurd


@pytest.mark.parametrize(("elsewhere", "goes"), [("2416", False), ("3019", True)])
def test_a_plan_is_dropped_when_the_enemy_made_nonsense_of_it(elsewhere: str, goes: bool) -> None:
    """5.3.1 A unit that the enemy displaced to the goal of a march would be stacked too high."""
    game: Any = sandtable.title("theseus").position(
        f"""
scenario = "campaign"
turn = 3
[point]
phase = "acting"
formation = "7Armd"
[action_points]
commonwealth = 3
[stacks]
2417 = ["7.Mot", "4.SA"]
2617 = ["7Armd.HQ"]
{elsewhere} = ["5.RTR/4"]
2315 = ["15Pz.115"]
2216 = ["15Pz.HQ"]
"""
    )
    officer, march = Officer("stale"), To(Space(game.data.hex("2416")))
    game.play(game.parse("move-stack 2417"))
    officer._plan = Plan(None)
    officer._plan.actions, officer._plan.offers = [march], [game.actions()]
    assert officer._next(Seat(game, "commonwealth")) == (march if goes else None)


def test_generals_play_the_last_turn_for_points() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="last")
    know: Any = knowledge("theseus")
    game.turn = game.script.file.last_turn
    weights = dict(zip(know.names, know.weights[know.phase(game)], strict=True))
    points, others = weights.pop("score"), [weights[f"axis_{each}"] for each in ("levels", "unfed")]
    assert points > 5 > 0.5 > max(map(abs, others))
    game.turn -= 1
    assert know.weights[know.phase(game)][know.names.index("axis_unfed")] < 0


def test_a_draw_is_worth_no_points() -> None:
    """10.2, 10.3 Ten points of the campaign are as many as five of its opening."""
    know: Any = knowledge("theseus")
    for scenario, draw in (("campaign", 10), ("opening", 5)):
        game: Any = sandtable.title("theseus").start(scenario, seed="even")
        early, late = know.features(game)[:2]
        assert early == -draw / 10 and late == 0


def test_an_hq_follows_its_units() -> None:
    """5.8 Hardly anything tempts it more than a place where its orders reach who went ahead."""
    text = """
scenario = "campaign"
turn = 2
breached = ["2416"]
[point]
phase = "acting"
formation = "21Pz"
[action_points]
axis = 2
[stacks]
2016 = ["21Pz.HQ"]
2716 = ["21Pz.104"]
3313 = ["10.H/2"]
"""
    game: Any = sandtable.title("theseus").position(text)
    hq, unit = (game.data.piece(f"21Pz.{name}") for name in ("HQ", "104"))
    assert not game.situation.in_command(game, unit)
    assert tempting(game, Move(hq)) > 1


def test_one_lane_is_enough_for_those_who_fight_behind_it() -> None:
    game: Any = sandtable.title("theseus").start("campaign", seed="lane")
    hqs = game.data.hqs
    first = Orders(game, AXIS)
    assert any(hqs[each].kind == "mot" for each, to in first.goal.items() if to == first.lane)
    game.place(game.data.piece("Trieste.65"), first.lane)
    game.breached = (first.lane,)
    game.sit = game.before = None
    assert game.situation.connected(game, AXIS, False) >> first.lane & 1
    then = Orders(game, AXIS)
    assert all(hqs[each].kind == "leg" for each, to in then.goal.items() if to == then.lane)
    assert any(to == game.data.hex("3012") for to in then.goal.values())


def test_who_was_last_in_a_place_that_must_be_kept_stays_there() -> None:
    text = """
scenario = "campaign"
turn = 4
[point]
phase = "acting"
formation = "21Pz"
[action_points]
axis = 3
[scored]
3012 = 3
[stacks]
3012 = ["21Pz.104"]
2913 = ["21Pz.HQ"]
3310 = ["201.Gds"]
3609 = ["1Armd.HQ"]
"""
    game: Any = sandtable.title("theseus").position(text)
    unit = game.data.piece("21Pz.104")
    assert tempting(game, Move(unit)) <= NEVER
    game.scored = [0] * len(game.scored)
    assert tempting(game, Move(unit)) > NEVER


CORRIDOR = """
scenario = "campaign"
turn = 3
breached = ["2416"]
[stacks]
2416 = ["Ariete.8"]
2216 = ["Ariete.HQ"]
{panzers} = ["21Pz.104"]
{post} = ["21Pz.HQ"]
2315 = ["15Pz.115"]
2215 = ["15Pz.HQ"]
2415 = ["50Div.150"]
2212 = ["50Div.HQ"]
"""
"""A lane at 2416, and a brigade in the box beside it."""
ACTING = """
[point]
phase = "acting"
formation = "15Pz"
[action_points]
axis = 3
[stacks]
"""


def test_generals_drive_off_who_stands_by_the_trail_before_they_march_on() -> None:
    """5.7.4 The box beside the lane cuts the trail sooner or later: it falls first."""
    text = CORRIDOR.format(panzers="2515", post="3015")
    game: Any = sandtable.title("theseus").position(text)
    box = game.data.hex("2415")
    plain, keen = Orders(game, AXIS), Orders(game, AXIS, keen=True)
    assert not plain.menaces
    assert keen.menaces == {box}
    assert keen.goal[game.data.formation("15Pz")] == box
    assert plain.goal[game.data.formation("15Pz")] != box
    mind: Any = Thumb(game, keen=True)
    assert tactic(mind, Activate(game.data.formation("15Pz"))).endswith(
        "threatens the supply line."
    )
    game.place(game.data.piece("50Div.150"), game.data.hex("1910"))
    game.sit = game.before = None
    assert not Orders(game, AXIS, keen=True).menaces


@pytest.mark.parametrize(("brigade", "menace"), [("2814", True), ("2214", False)])
def test_who_stands_by_the_trail_before_the_lane_is_left_alone(brigade: str, menace: bool) -> None:
    """5.7.4 Nobody turns back for him, as long as HQs beyond the lane are fed."""
    text = CORRIDOR.format(panzers="2515", post="3313").replace("2415", brigade)
    game: Any = sandtable.title("theseus").position(text)
    assert game.situation.in_supply(game, game.data.piece("21Pz.HQ"))
    enemy, keen = game.data.hex(brigade), Orders(game, AXIS, keen=True)
    assert keen.menaces == ({enemy} if menace else set())
    assert (enemy in keen.goal.values()) == menace


def test_no_more_are_sent_against_a_menace_than_it_takes_and_can_act() -> None:
    text = CORRIDOR.format(panzers="2515", post="3015")
    game: Any = sandtable.title("theseus").position(text)
    data, box = game.data, game.data.hex("2415")
    sent = [each for each, goal in Orders(game, AXIS, keen=True).goal.items() if goal == box]
    assert sent == [data.formation("15Pz")]
    game.levels[sent[0]] = 0
    game.memory.clear()
    assert Orders(game, AXIS, keen=True).goal[data.formation("Ariete")] == box


def test_an_attack_on_who_threatens_the_trail_tempts_more_and_says_why() -> None:
    text = CORRIDOR.format(panzers="2515", post="3015").replace("[stacks]", ACTING)
    game: Any = sandtable.title("theseus").position(text)
    attack = Attack(Space(game.data.hex("2315")), Space(game.data.hex("2415")))
    assert attack in game.actions()
    mind: Any = Thumb(game, keen=True)
    assert "threatens the supply line" in tactic(mind, attack)
    much = mind.tempts(attack)
    mind.orders.menaces.clear()
    assert mind.tempts(attack) < much


def test_no_trail_is_cleared_that_leads_into_mines() -> None:
    """At the start the trails to all objectives are mined: a lane must be opened first."""
    game: Any = sandtable.title("theseus").start("campaign", seed="lane")
    plain, keen = Orders(game, AXIS), Orders(game, AXIS, keen=True)
    assert keen.posts == plain.posts
    assert keen.lane in keen.goal.values()


def test_generals_keep_a_lane_as_strong_as_what_is_near_it() -> None:
    text = CORRIDOR.format(panzers="2515", post="3015").replace("Ariete.8", "KG.Hecker")
    game: Any = sandtable.title("theseus").position(text)
    lane, one = game.data.hex("2416"), game.data.piece("15Pz.115")
    assert Thumb(game)._guarded(lane, one)
    assert not Thumb(game, keen=True)._guarded(lane, one)
    game.place(game.data.piece("50Div.150"), game.data.hex("4722"))
    game.sit = game.before = None
    game.memory.clear()
    assert Thumb(game, keen=True)._guarded(lane, one)


def test_generals_dig_in_only_where_they_stay() -> None:
    text = CORRIDOR.format(panzers="2515", post="3015").replace("[stacks]", ACTING)
    game: Any = sandtable.title("theseus").position(text)
    here = game.data.hex("2315")
    for restless in (-1.0, 1.0):
        minds: list[Any] = [Thumb(game, keen) for keen in (False, True)]
        for mind in minds:
            mind._stacks[here] = restless
        plain, keen = (mind.tempts(DigIn(here)) for mind in minds)
        assert keen == (plain if restless < 0 else -0.5)
        assert plain > -0.5


def test_generals_open_the_trail_ahead_though_nobody_is_hungry() -> None:
    """5.7.4 HQs that wait before the lane are fed, but the trail to the objectives is cut."""
    text = CORRIDOR.format(panzers="2316", post="2116")
    game: Any = sandtable.title("theseus").position(text)
    data = game.data
    assert all(
        game.situation.in_supply(game, data.piece(f"{each}.HQ"))
        for each in ("21Pz", "15Pz", "Ariete")
    )
    assert all(worth < 1 for worth in Orders(game, AXIS).posts.values())
    keen = Orders(game, AXIS, keen=True)
    (gate,) = (hex for hex, worth in keen.posts.items() if worth >= 1)
    assert gate in trails_of(game, AXIS).block
    assert gate in keen.goal.values()


@pytest.mark.parametrize(
    ("place", "last", "opened"),
    [("3012", "commonwealth", True), ("3012", "axis", False), ("4112", "commonwealth", False)],
)
def test_generals_open_the_trail_to_what_was_lost_again(
    place: str, last: str, opened: bool
) -> None:
    """10.2 Knightsbridge counts for who comes in last; what El Adem scored is never lost."""
    points = f'[scored]\n{place} = 2\n[last_in]\n{place} = "{last}"\n[stacks]'
    text = CORRIDOR.format(panzers="2316", post="2116").replace("[stacks]", points)
    game: Any = sandtable.title("theseus").position(text.replace("turn = 3", "turn = 6"))
    posts = Orders(game, AXIS, keen=True).posts
    assert (game.data.hex("2515") in posts) == opened


TAKEN = """
scenario = "campaign"
turn = 6
[scored]
4303 = 7
[last_in]
4303 = "{last}"
[stacks]
{post} = [{guards}]
4109 = ["15Pz.115"]
4110 = ["15Pz.HQ"]
{enemy} = ["4.RTR"]
"""
"""Tobruk has scored all it can, and 15. Panzer is near it."""
WEAK = '"KG.Hecker"'
FAIR = '"21Pz.104"'
STRONG = '"I/5", "II/5", "21Pz.104", "KG.Hecker"'


@pytest.mark.parametrize(
    ("post", "guards", "last", "enemy", "sent"),
    [
        ("4303", WEAK, "axis", "4405", True),
        ("4303", FAIR, "axis", "4405", True),
        ("4303", STRONG, "axis", "4405", False),
        ("4303", WEAK, "axis", "4407", False),
        ("4303", WEAK, "axis", "4722", False),
        ("3912", WEAK, "commonwealth", "4722", True),
    ],
)
def test_generals_keep_or_fetch_back_what_they_took(
    post: str, guards: str, last: str, enemy: str, sent: bool
) -> None:
    """10.2 Tobruk counts for who comes in last: its guard must match an enemy who is near."""
    text = TAKEN.format(post=post, guards=guards, last=last, enemy=enemy)
    game: Any = sandtable.title("theseus").position(text)
    tobruk = game.data.hex("4303")
    goal = game.data.formation("15Pz")
    assert Orders(game, AXIS).goal.get(goal, -1) != tobruk
    assert (Orders(game, AXIS, keen=True).goal.get(goal, -1) == tobruk) == sent


BESIDE_THE_TRAIL = """
scenario = "campaign"
turn = 3
breached = ["2416"]
[stacks]
2416 = ["Ariete.8"]
2216 = ["Ariete.HQ"]
3012 = ["21Pz.104", "21Pz.HQ"]
3216 = ["3.RTR/4", "7Armd.HQ"]
"""
STEPS_ON_IT = '3216 = ["3.RTR/4"]\n3116 = ["7Armd.HQ"]\n'
COMES_UP = '1712 = ["3.RTR/4"]\n3216 = ["7Armd.HQ"]\n'
DRIVES_ON = '3012 = ["21Pz.104"]\n4006 = ["21Pz.HQ"]\n'
BEHIND_IT = CORRIDOR.format(panzers=3012, post=3313).partition("2415 =")[0]
BEHIND_IT += '2515 = ["3.RTR/4", "7Armd.HQ"]\n2810 = ["10.H/2"]\n'
STEPS_BACK = '2515 = ["3.RTR/4"]\n2616 = ["7Armd.HQ"]\n'
GUARDS = TAKEN.format(post=4303, guards=STRONG, last="axis", enemy=4405)
SPENT = "[levels]\n15Pz = 0\n[stacks]"


@pytest.mark.parametrize(
    ("text", "old", "new", "side", "keen"),
    [
        (GUARDS, "4303 = [", "4203 = [", AXIS, True),
        (CORRIDOR.format(panzers=2515, post=3015), "[stacks]", SPENT, AXIS, True),
        (BESIDE_THE_TRAIL, '3216 = ["3.RTR/4", "7Armd.HQ"]\n', STEPS_ON_IT, AXIS, True),
        (BEHIND_IT, '2515 = ["3.RTR/4", "7Armd.HQ"]\n', STEPS_BACK, AXIS, False),
        (BESIDE_THE_TRAIL, '3012 = ["21Pz.104", "21Pz.HQ"]\n', DRIVES_ON, COMMONWEALTH, False),
        (BESIDE_THE_TRAIL, '3216 = ["3.RTR/4", "7Armd.HQ"]\n', COMES_UP, COMMONWEALTH, True),
    ],
    ids=["guards leave", "a formation is exhausted", "an HQ blocks the trail", "so for officers",
         "an enemy HQ comes nearer", "the trail is cut already"],
)  # fmt: skip
def test_new_orders_are_given_when_what_they_rest_on_changes(
    text: str, old: str, new: str, side: int, keen: bool
) -> None:
    before: Any = sandtable.title("theseus").position(text)
    after: Any = sandtable.title("theseus").position(text.replace(old, new))
    first = orders_of(before, side, keen)
    after.memory = before.memory
    assert vars(orders_of(after, side, keen)) == vars(Orders(after, side, keen)) != vars(first)


HELD = """
scenario = "campaign"
turn = 4
[point]
phase = "acting"
formation = "{formation}"
[action_points]
{side} = 2
[stacks]
3012 = ["{guard}"]
2812 = ["{unit}"]
2712 = ["{formation}.HQ"]
{away} = ["{enemy}"]
"""
"""A guard in Knightsbridge, a friend two hexes from it, and an enemy."""
PANZERS = {"side": "axis", "formation": "21Pz", "unit": "21Pz.104", "enemy": "201.Gds"}
ARMOUR = {"side": "commonwealth", "formation": "1Armd", "unit": "201.Gds", "enemy": "21Pz.104"}


@pytest.mark.parametrize(
    ("who", "guard", "away", "officer", "general"),
    [
        (PANZERS, "KG.Hecker", "4722", True, True),
        (PANZERS, "Trieste.65", "4722", False, False),
        (PANZERS, "Trieste.65", "3112", False, True),
        (PANZERS, "15Pz.115", "3112", False, False),
        (ARMOUR, "KDG", "3112", True, True),
        (ARMOUR, "3.Ind.Mot", "3112", False, False),
    ],
)
def test_generals_of_the_axis_keep_an_objective_as_strong_as_what_is_near_it(
    who: dict[str, str], guard: str, away: str, officer: bool, general: bool
) -> None:
    """One strong guard is enough for all others; he himself is always wanted there."""
    game: Any = sandtable.title("theseus").position(HELD.format(guard=guard, away=away, **who))
    there, friend, itself = game.data.hex("3012"), *map(game.data.piece, (who["unit"], guard))
    for keen, more in ((False, officer), (True, general)):
        for unit, wanted in ((friend, more), (itself, True)):
            mind: Any = Thumb(game, keen)
            prize = mind.field.prizes[there]
            drawn = mind._place(there, unit)
            mind.__dict__["field"] = Field(game, mind.side)
            mind.field.prizes.clear()
            assert (drawn - mind._place(there, unit) > prize) == wanted


def test_points_that_were_lost_again_are_still_to_come() -> None:
    text = """
scenario = "campaign"
turn = 6
[scored]
4303 = 7
[stacks]
4109 = ["15Pz.115"]
4110 = ["15Pz.HQ"]
4722 = ["4.RTR"]
"""
    game: Any = sandtable.title("theseus").position(text)
    know: Any = knowledge("theseus")
    at = know.names.index("prospects")
    lost = know.features(game)[at]
    game.last_in = [AXIS for _ in game.last_in]
    assert know.features(game)[at] < lost


RACE = """
scenario = "campaign"
turn = 2
[point]
phase = "acting"
formation = "{formation}"
[action_points]
{side} = 2
[stacks]
4005 = ["{unit}"]
4104 = ["{formation}.HQ"]
4407 = ["{other}"]
"""


@pytest.mark.parametrize(
    ("side", "formation", "unit", "other"),
    [("axis", "21Pz", "21Pz.3", "4.RTR"), ("commonwealth", "7Armd", "KDG", "21Pz.3")],
)
def test_generals_see_an_objective_that_nobody_holds(
    side: str, formation: str, unit: str, other: str
) -> None:
    """10.3 Tobruk is empty at first: a unit near it drives in, to win its points or to guard it."""
    text = RACE.format(side=side, formation=formation, unit=unit, other=other)
    game: Any = sandtable.title("theseus").position(text)
    tobruk = game.data.hex("4303")
    know: Any = knowledge("theseus")
    drive = next(
        each for each in game.actions() if isinstance(each, Move) and each.unit < game.data.count
    )
    plain = know.priors(game, game.actions())[list(game.actions()).index(drive)]
    game.play(drive)
    at = [getattr(each, "hex", -1) for each in game.actions()].index(tobruk)
    mind = know.keener
    assert mind.favourite(game, game.actions()) == at
    assert mind.priors(game, game.actions())[at] > know.priors(game, game.actions())[at]
    assert plain < mind.priors(game, game.actions())[at]


def test_generals_send_more_for_more_points() -> None:
    """10.2 A division alone before an empty Tobruk is cut off, while the next fetches one point."""
    text = """
scenario = "campaign"
turn = 3
breached = ["2416"]
[stacks]
3908 = ["I/5", "II/5", "21Pz.104"]
3907 = ["21Pz.HQ"]
2911 = ["I/8"]
2912 = ["15Pz.HQ"]
"""
    game: Any = sandtable.title("theseus").position(text)
    game.scored, game.last_in = [0, 3, 3, 2, 1, 0], [AXIS] * 6
    names = [hq.id for hq in game.data.hqs]
    for keen, second in ((False, "2100"), (True, "4303")):
        goals = {names[at]: hex for at, hex in Orders(game, AXIS, keen).goal.items()}
        assert goals == {"21Pz": game.data.hex("4303"), "15Pz": game.data.hex(second)}


def test_a_lane_is_opened_though_an_enemy_stands_behind_it() -> None:
    """7.4 The trail that feeds the panzers is worth a fight, if no other lane is left."""
    game: Any = sandtable.title("theseus").start("campaign", seed="lane")
    data = game.data
    (lane,) = lanes(game)
    mines = game.situation.mines[COMMONWEALTH]
    roads = game.situation.connected(game, AXIS, False)
    behind = data.board.flood(1 << lane, ~mines & ~roads, data.road_exits)
    tanks = data.piece("44.RTR")
    game.place(tanks, next(hex for hex in bits(behind) if data.board.ring(lane)[hex] == 2))
    game.sit = game.before = None
    assert set(lanes(game)) == {lane}


DRIVEN_OFF = """
scenario = "campaign"
turn = 2
[point]
phase = "acting"
formation = "7Armd"
[action_points]
commonwealth = 2
[stacks]
{here} = ["21Pz.104"]
1625 = ["21Pz.HQ"]
1628 = ["21Pz.3"]
2025 = ["7Armd.HQ"]
1925 = ["7.Mot"]
"""


@pytest.mark.parametrize(("here", "feeds"), [("1622", True), ("1727", False)])
def test_an_hq_that_is_driven_off_goes_where_it_is_fed(here: str, feeds: bool) -> None:
    """5.3.2 It must go to the nearest of its units: a folly only where it had the choice."""
    game: Any = sandtable.title("theseus").position(DRIVEN_OFF.format(here=here))
    for text in ("move 7.Mot", "to 1725"):
        game.play(game.parse(text))
    fed, hungry = (game.parse(f"displace 21Pz.HQ {hex}") for hex in (here, "1628"))
    assert set(game.actions()) == {fed, hungry}
    assert (tempting(game, fed) > tempting(game, hungry) + 1) == feeds
    know: Any = knowledge("theseus")
    unfed = game.copy()
    unfed.play(hungry)
    assert list(know.follies(game, unfed, "axis")) == feeds * ["leaves supply for nothing"]
    hq = game.data.piece("21Pz.HQ")
    assert driven_off(game, hq, lambda *_: True) and not driven_off(unfed, hq, lambda *_: True)
    assert not driven_off(game, hq, lambda after, _: after.pieces[hq].hex == fed.hex)
    assert bare(game, hq) and not bare(unfed, hq)


def test_an_hq_that_is_driven_off_may_choose_between_hunger_and_the_enemy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """5.3.2 Where it would be fed an enemy stands beside it, and elsewhere no supply reaches."""
    game: Any = sandtable.title("theseus").position(DRIVEN_OFF.format(here="1622"))
    for text in ("move 7.Mot", "to 1725"):
        game.play(game.parse(text))
    fed, unfed = (game.parse(f"displace 21Pz.HQ {hex}") for hex in ("1622", "1628"))
    know: Any = knowledge("theseus")

    def told(action: Action) -> list[str]:
        after = game.copy()
        after.play(action)
        return list(know.follies(game, after, "axis"))

    assert [told(fed), told(unfed)] == [[], ["leaves supply for nothing"]]
    monkeypatch.setattr(
        theseus_absurd, "bare", lambda after, piece: after.pieces[piece].hex == fed.hex
    )
    assert [told(fed), told(unfed)] == [[], []]


@pytest.mark.parametrize(
    ("actors", "bare"),
    [((AXIS,), True), ((AXIS, COMMONWEALTH), False), ((COMMONWEALTH, AXIS), True)],
)
def test_an_hq_that_a_reaction_stopped_on_its_way_was_not_left_bare(
    actors: tuple[int, ...], bare: bool
) -> None:
    """6.5 The enemy's Reaction ends its move, wherever it is; in one's own it had a choice."""
    game: Any = sandtable.title("theseus").start("campaign", seed="bare")
    foe = next(iter(bits(game.situation.combat[COMMONWEALTH])))
    there = next(hex for hex in bits(game.data.beside[foe]) if hex not in game.at)
    after = game.copy()
    after.place(after.data.piece("21Pz.HQ"), there)
    after.stack = [*game.stack[:1], *(Acting(side, 0) for side in actors)]
    know: Any = knowledge("theseus")
    assert ("leaves an HQ bare beside the enemy" in list(know.follies(game, after, "axis"))) == bare


def test_recruits_of_theseus_stray_farther_with_the_commonwealth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The printed rule favours it, and a newcomer with the Axis needs somebody to beat."""
    heats: list[float] = []

    def first(chooser: object, worth: object, heat: float) -> int:
        heats.append(heat)
        return 0

    monkeypatch.setattr("sandtable.players.recruit.pick", first)
    title = sandtable.title("theseus")
    for game in (
        title.start("campaign", seed="whim"),
        title.position(DRIVEN_OFF.format(here=1622)),
    ):
        assert game.actor is not None
        player("recruit", "whim").choose(Seat(game, game.actor))
    know = knowledge("theseus")
    assert list(dict.fromkeys(heats)) == [know.whim, know.whim_of["commonwealth"]]
    assert know.whim is not None and know.whim < know.whim_of["commonwealth"]
