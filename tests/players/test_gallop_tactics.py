"""What opponents know of The Gazala Gallop, and how a search varies a player-turn of many units."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import pytest
from tests.titles.gallop.tables import position

import sandtable
from sandtable.kernel.dice import Dice
from sandtable.players import Seat, player
from sandtable.players.effort import NEVER, Effort
from sandtable.players.fitting import Task, one_game
from sandtable.players.knowledge import knowledge
from sandtable.players.knowledge.gallop import Thumb
from sandtable.players.knowledge.gallop_field import field_of, raid
from sandtable.players.knowledge.gallop_muster import BEATEN, suffered
from sandtable.players.planner import Search
from sandtable.players.worlds import Chooser, Worlds
from sandtable.titles.gallop.actions import MoveTo
from sandtable.titles.gallop.battle import DEFENDERS, fate
from sandtable.titles.gallop.lines import basic_length, lines
from sandtable.titles.gallop.movement import Movement
from sandtable.titles.gallop.reckoning import odds_column

KNOW: Any = knowledge("gallop")
LEFT = "abandons a hex that counts and nobody threatens"
UNFED = "leaves supply for nothing"


def on_the_move(seed: str) -> Any:
    """The first Axis movement phase, after what tempts most."""
    game: Any = sandtable.title("gallop").start(seed=seed)
    while not isinstance(game.step, Movement):
        follow_the_nose(game)
    return game


def follow_the_nose(game: Any) -> list[Any]:
    actions = game.actions()
    tempting = KNOW.priors(game, actions)
    return list(game.play(actions[tempting.index(max(tempting))]))


def test_a_hex_beside_the_enemy_called_fed_feeds_the_unit_that_goes_there() -> None:
    game = on_the_move("fed")
    field = field_of(game, "axis")
    length, before = basic_length(game), lines(game, "axis")
    tried = 0
    for action in game.actions():
        if type(action) is not MoveTo or not field.beside[action.hex]:
            continue
        if field.fed(game)[action.hex] <= length < before[action.hex]:
            tried += 1
            after = game.copy()
            after.play(action)
            if after.pieces[action.unit].hex == action.hex:
                assert lines(after, "axis")[action.hex] <= length
    assert tried


def test_the_axis_attacks_sleeping_boxes_in_its_first_turn() -> None:
    game = on_the_move("first")
    seen: list[str] = []
    while game.phasing == "axis":
        seen += [type(event).__name__ for event in follow_the_nose(game)]
    assert "AttackMade" in seen


def test_a_plan_that_swerves_keeps_what_it_can_of_the_rest() -> None:
    game = on_the_move("swerve")
    effort = Effort(plans=8, worlds=1, rounds=0, heat=0.4, swerve=True)
    search = Search(Worlds(Seat(game, "axis"), "1", 1), "axis", KNOW, effort, Chooser("1"))
    search._draw()
    main, *others = [plan.actions for plan in search.plans]
    kept = 0
    for plan in others:
        cut = next(at for at, (a, b) in enumerate(zip(main, plan, strict=False)) if a != b)
        kept = max(kept, len(set(main[cut + 1 :]) & set(plan[cut + 1 :])))
    assert len(others) >= 4
    assert kept >= 2


@pytest.mark.parametrize("level", ["quick", "steady"])
def test_quick_games_give_rows_to_fit_by(level: str) -> None:
    rows, share = one_game(Task("gallop", level, "test", 0, ("axis", 0)))
    assert len(rows) > 14
    assert 0 < share < 1


def test_what_was_looked_at_before_changes_no_temptation() -> None:
    game = on_the_move("memory")
    unit = next(action.unit for action in game.actions() if type(action) is MoveTo)
    tired = game.copy()
    tired.disrupt(unit, "test", "IX.D")
    tired.legal = None
    tired.memory = {}
    fresh = KNOW.priors(tired, tired.actions())
    KNOW.priors(game, game.actions())
    tired.memory = game.memory
    assert KNOW.priors(tired, tired.actions()) == fresh


RING = "90Lt J8, Ariete L8, Trieste L6"
SURROUNDED = "21Pz H10, 90Lt G11, Ariete F10, Trieste F9, Recce G9"


@pytest.mark.parametrize(
    ("line", "unit", "works", "shut"),
    [
        ("15Pz H9, 1Tank G10", "1Tank", False, False),
        (f"15Pz H9, 1Tank G10, {SURROUNDED}", "1Tank", False, True),
        ("15Pz J6, 21Pz K6, 1FF K7 disrupted", "1FF", True, False),
        (f"15Pz J6, 21Pz K6, 1FF K7 disrupted, {RING}", "1FF", True, True),
    ],
)
def test_an_attack_is_weighed_by_what_its_result_does_there(
    line: str, unit: str, works: bool, shut: bool
) -> None:
    """XI.A.1, XIV.D.3 Boxes soften the table, and who has no way out is lost."""
    game = position(line, stage="axis attacks")
    number = game.facts.index[unit]
    hex = game.pieces[number].hex
    target = next(each for each in field_of(game, "axis").targets if each.hex == hex)
    assert (target.works, target.shut) == (works, shut)
    away = tuple(game.pieces[each].hex for each in game.on_map("axis"))
    faces = {face for column in game.facts.gcrt for face in column}
    for face in faces & DEFENDERS.keys():
        expected, _, _ = fate(game, number, DEFENDERS[face], False, away)
        assert suffered(face, works, shut) == expected, face
    against = round(4 * target.defense)
    assert target.stakes(game.facts, 6 * target.defense)[0] == pytest.approx(
        sum(BEATEN[suffered(face, works, shut)] for face in at_odds(game, 6 * against, against)) / 6
    )


def at_odds(game: Any, attack: int, against: int) -> Any:
    """The column of the table for so many factors."""
    return game.facts.gcrt[odds_column(game.facts, attack, against)]


def test_a_stack_that_is_too_high_is_left() -> None:
    game = on_the_move("crowd")
    movable = {action.unit for action in game.actions() if type(action) is MoveTo}
    divisions = [unit for unit in sorted(movable) if game.book[unit].division][:3]
    home = game.pieces[divisions[0]].hex
    for unit in divisions[1:]:
        game.place(unit, home)
    game.legal = None
    game.settle()
    relieved = game.copy()
    relieved.put(divisions[2], hex=-1)
    crowded, roomy = (Thumb(each, each.actions()).stay(divisions[0]) for each in (game, relieved))
    assert crowded < roomy - game.facts.tables.victory.other_axis


def test_the_allies_drive_where_they_win_at_once() -> None:
    game = on_the_move("raid")
    while not (isinstance(game.step, Movement) and game.phasing == "allied"):
        follow_the_nose(game)
    data = game.facts
    goal = data.board.at("G1")
    for unit in game.stack_at(goal):
        game.put(unit, hex=-1)
    raider = data.index["4Arm"]
    game.place(raider, data.board.at("G3"), active=True, moved=False, disrupted=False)
    for unit in game.stack_at(data.board.at("G2")):
        game.put(unit, hex=-1)
    game.legal = None
    game.settle()
    assert raid(game, goal) == 1.0
    best = max(
        zip(KNOW.priors(game, game.actions()), game.actions(), strict=True), key=itemgetter(0)
    )[1]
    assert isinstance(best, MoveTo)
    assert best.hex == goal


def test_standing_beside_an_enemy_excuses_who_could_attack_it() -> None:
    """Hecker alone is too weak for 50 Division, and would only be thrown back unsupplied."""
    before = position("Hecker H3, 15Pz H3, 50 D13")
    index = before.facts.index
    there = before.facts.board.at("D12")
    alone = before.copy()
    alone.place(index["Hecker"], there)
    assert list(KNOW.follies(before, alone, "axis")) == [UNFED]
    alone.place(index["15Pz"], there)
    assert list(KNOW.follies(before, alone, "axis")) == []


def test_an_attack_excuses_who_made_it_and_nobody_else() -> None:
    """Hecker drives into the desert, or a division leaves the dump, while another attacks."""
    before = position("Hecker H3, 15Pz H3, 50 D13")
    index, at = before.facts.index, before.facts.board.at
    after = before.copy()
    after.place(index["Hecker"], at("D12"))
    after.put(index["15Pz"], attacked=True)
    assert list(KNOW.follies(before, after, "axis")) == [UNFED]
    after.put(index["Hecker"], attacked=True)
    assert list(KNOW.follies(before, after, "axis")) == []
    before = position("1SA F14, 2SA E10, 15Pz H9")
    after = before.copy()
    after.place(index["1SA"], at("E13"))
    after.put(index["2SA"], attacked=True)
    assert list(KNOW.follies(before, after, "allied")) == [LEFT]
    after.put(index["1SA"], attacked=True)
    assert list(KNOW.follies(before, after, "allied")) == []
    # An enemy whom somebody holds fast is no danger to what is left.
    after.put(index["1SA"], attacked=False)
    assert list(KNOW.follies(before, after, "allied"))
    held = after.copy()
    held.place(index["2SA"], at("H10"))
    assert list(KNOW.follies(before, held, "allied")) == []
    # Who meets the enemy on his way has a reason, though he does not attack.
    after.place(index["1SA"], at("G11"))
    assert list(KNOW.follies(before, after, "allied")) == []


def test_supply_that_is_cut_behind_a_unit_was_not_left() -> None:
    """XV.A Hecker drove to I9 in supply; that the enemy then came behind it is another matter."""
    before = position("Hecker H3, 50 M17")
    index, at = before.facts.index, before.facts.board.at
    after = before.copy()
    after.place(index["Hecker"], at("I9"))
    after.place(index["50"], at("K6"))
    assert lines(after, "axis")[at("I9")] > basic_length(after) >= lines(before, "axis")[at("I9")]
    assert list(KNOW.follies(before, after, "axis")) == []


def test_an_enemy_driven_towards_a_unit_is_not_whom_it_went_to_meet() -> None:
    """21. Panzer leaves E18 for H8, and others then happen to beat 22 Armoured back to K8."""
    before = position("21Pz E18, 22Arm L6, 150 H13", turn=11)
    index, at = before.facts.index, before.facts.board.at
    after = before.copy()
    after.place(index["21Pz"], at("H8"))
    assert list(KNOW.follies(before, after, "axis")) == [LEFT]
    after.place(index["22Arm"], at("K8"), disrupted=True)
    after.phasing = "allied"
    assert list(KNOW.follies(before, after, "axis")) == [LEFT]
    # From where he stood he was met, wherever he is now.
    after.place(index["21Pz"], at("K4"))
    assert list(KNOW.follies(before, after, "axis")) == []


def test_an_enemy_who_is_beaten_off_threatens_no_hex_that_was_left_before() -> None:
    """1 SA leaves the dump while 2 SA stands beside 15. Panzer, who falls back out of its reach."""
    before = position("1SA F14, 2SA H10, 15Pz H9")
    before.phasing = "allied"
    index, at = before.facts.index, before.facts.board.at
    after = before.copy()
    after.place(index["1SA"], at("E13"))
    assert list(KNOW.follies(before, after, "allied")) == []
    after.place(index["15Pz"], at("H7"), disrupted=True)
    assert list(KNOW.follies(before, after, "allied")) == []
    # If he stood there all the time, he could have come.
    before.place(index["15Pz"], at("H7"))
    assert list(KNOW.follies(before, after, "allied")) == [LEFT]


def test_a_disrupted_unit_leaves_its_hex_to_meet_nobody() -> None:
    before = position("Flak E18 disrupted, 29Ind I18, 151 C13", turn=10)
    index, at = before.facts.index, before.facts.board.at
    after = before.copy()
    after.place(index["Flak"], at("E11"), disrupted=False)
    assert list(KNOW.follies(before, after, "axis")) == [LEFT]
    before.put(index["Flak"], disrupted=False)
    assert list(KNOW.follies(before, after, "axis")) == []


def test_an_enemy_beaten_into_reach_of_a_hex_was_no_reason_to_stay_there() -> None:
    before = position("4Arm F14, 15Mot C6", "allied movement")
    index, at = before.facts.index, before.facts.board.at
    after = before.copy()
    after.place(index["4Arm"], at("L15"))
    after.place(index["15Mot"], at("E7"), disrupted=True)
    assert list(KNOW.follies(before, after, "allied")) == []


def test_to_guard_an_open_hex_that_counts_is_a_reason() -> None:
    """15. Brigade goes to the dump that the Axis took, where 29 Brigade could come."""
    holds = ["A5", "B1", "G1", "E18", "F14"]
    before = position("15Mot H3, 29Ind I18", axis_holds=holds)
    index, at = before.facts.index, before.facts.board.at
    after = before.copy()
    after.place(index["15Mot"], at("F14"))
    assert list(KNOW.follies(before, after, "axis")) == []
    # Where others keep watch, or nobody could come, it is none.
    for game in (before, after):
        game.place(index["Hecker"], at("F14"))
    assert list(KNOW.follies(before, after, "axis")) == [UNFED]
    for game in (before, after):
        game.put(index["Hecker"], hex=-1)
        game.place(index["29Ind"], at("N5"))
    assert list(KNOW.follies(before, after, "axis")) == [UNFED]
    # A source is left for the dump, but not the dump for a source.
    before = position("15Mot E18, 29Ind I18", axis_holds=holds)
    after = before.copy()
    after.place(index["15Mot"], at("F14"))
    assert list(KNOW.follies(before, after, "axis")) == []
    assert list(KNOW.follies(after, before, "axis")) == [LEFT]


def tempting_moves(game: Any, unit: str) -> set[str]:
    """Where a unit may think of going."""
    actions = game.actions()
    return {
        game.hex_name(action.hex)
        for action, much in zip(actions, KNOW.priors(game, actions), strict=True)
        if type(action) is MoveTo and action.unit == game.facts.index[unit] and much > NEVER
    }


@pytest.mark.parametrize(
    ("units", "stage", "guard", "goals"),
    [
        ("21Pz E18 unsupplied, Ariete H8, 150 H13", "axis movement", "21Pz", {"F14", "G18"}),
        ("21Pz E18, 150 E13", "axis movement", "21Pz", {"F14", "G18", "E14", "F13"}),
        ("Flak E18 disrupted unsupplied, 29Ind I18", "axis movement", "Flak", {"F14"}),
        ("2SABde F14, 1SA C13, 4Arm C12, 15Pz B11", "allied movement", "2SABde", {"C12"}),
        ("21Pz F14, 7Mot B6, 29Ind I18", "axis movement", "21Pz", set()),
        ("2SABde E18, 4Arm C13, 15Pz G11", "allied movement", "2SABde", {"F14"}),
    ],
)
def test_a_lone_guard_leaves_only_to_fight_for_a_prize_or_for_a_dearer_post(
    units: str, stage: str, guard: str, goals: set[str]
) -> None:
    game = position(units, stage, turn=10)
    assert tempting_moves(game, guard) == goals
    # With another to keep watch it goes where it likes.
    index = game.facts.index
    other = index["Hecker" if game.phasing == "axis" else "7Mot"]
    game.place(other, game.pieces[index[guard]].hex)
    game.legal = None
    assert tempting_moves(game, guard) > goals


def test_an_officer_keeps_the_sources_it_took() -> None:
    """21. Panzer, unsupplied in E18, used to drive home and leave it to the brigades around."""
    game: Any = position(
        "15Pz C13 disrupted, 21Pz E18, 90Lt H9, Ariete H8, Trieste F14, Recce G1, 15Mot G18, "
        "Hecker F14 disrupted, Sabratha A5, Trento F14 disrupted, Brescia I5, Pavia I5, 151 K13, "
        "150 H13, 1FF F2, 201Gds I14, 22Arm L6, 3IndMot J13, 29Ind K14, 5Ind M18, 32Tank I12, "
        "2SA L11",
        "axis supply",
        turn=11,
    )
    game.dice = Dice("guard")
    before, officer, enemy = game.copy(), player("officer", "guard"), player("random", "guard")
    while game.phasing == "axis":
        chooser = officer if game.actor == "axis" else enemy
        game.play(chooser.choose(Seat(game, game.actor)).action)
    assert list(KNOW.follies(before, game, "axis")) == []
    assert game.stack_at(game.facts.board.at("E18")) == [game.facts.index["21Pz"]]
