"""Officer and general: they plan, obey fog, explain themselves, and are never absurd."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest
from msgspec.structs import replace
from tests.titles.theseus.tables import acting, play, position

import sandtable
from sandtable.kernel.actions import Action
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.game import Game, OptionValue
from sandtable.match import Pairing, play_all
from sandtable.players import Choice, Seat, planner, player
from sandtable.players.cores import best_of_all
from sandtable.players.effort import NEVER, Effort
from sandtable.players.general import General
from sandtable.players.knowledge import knowledge
from sandtable.players.officer import Officer
from sandtable.players.planner import Search
from sandtable.players.recruit import is_absurd
from sandtable.players.worlds import Chooser, SpreadDice, Worlds
from sandtable.titles.battleaxe.actions import Attack
from sandtable.titles.battleaxe.state import Game as BattleaxeGame
from sandtable.titles.gallop.actions import Done, MoveTo
from sandtable.titles.theseus.actions import Attack as TheseusAttack
from sandtable.titles.theseus.actions import AttackWith
from sandtable.titles.theseus.choices import escalations
from sandtable.titles.theseus.combat_odds import combat_odds
from sandtable.titles.theseus.state import Game as TheseusGame
from sandtable.titles.theseus.strength import Battle

TOY = sandtable.title("toy")
AXE = sandtable.title("battleaxe")
CAULDRON = sandtable.title("cauldron")
TITLES = ("battleaxe", "cauldron", "gallop", "theseus")
PLANNERS = ("officer", "general")


def play_out(game: Game, levels: dict[str, str], seed: str) -> list[tuple[Action, str]]:
    """Play a game to its end; every choice with its reason."""
    players = {side: player(level, f"{seed}|{side}") for side, level in levels.items()}
    choices = []
    while game.outcome is None:
        side = game.actor
        assert side is not None
        choice = players[side].choose(Seat(game, side))
        assert choice.action in game.actions()
        choices.append((choice.action, choice.reason))
        game.play(choice.action)
    return choices


@pytest.mark.parametrize("level", PLANNERS)
def test_planners_finish_games_of_a_title_they_know_nothing_of(level: str) -> None:
    game = TOY.start(seed="1")
    choices = play_out(game, {"red": level, "blue": "recruit"}, "1")
    assert all(reason.endswith(".") for _, reason in choices)


def test_an_officer_beats_a_recruit_in_battleaxe() -> None:
    results = play_all(Pairing("battleaxe", "june", {}, "officer", "recruit", "tests"), 4, 1)
    assert sum(each.winner == each.side_of_a for each in results) >= 3


def test_the_same_seed_plays_the_same_game() -> None:
    games = []
    for _ in range(2):
        game = TOY.start(seed="same")
        play_out(game, {"red": "general", "blue": "officer"}, "same")
        games.append(game.digest())
    assert games[0] == games[1]


@pytest.mark.parametrize("level", PLANNERS)
def test_what_is_hidden_changes_no_answer(level: str) -> None:
    game = TOY.start(seed="fog")
    assert game.actor is not None
    side = game.actor
    worlds = [game.resample(side, str(n)) for n in range(6)]
    assert len({world.digest() for world in worlds}) > 1
    chosen = [player(level, "x").choose(Seat(world, side)) for world in worlds]
    assert len({game.text(choice.action) for choice in chosen}) == 1
    assert len({choice.reason for choice in chosen}) == 1


@pytest.mark.parametrize("name", TITLES)
def test_chances_in_a_sentence_are_those_of_the_odds(name: str) -> None:
    """Every percentage that an officer names, and none is left out."""
    title = sandtable.title(name)
    game = title.start(seed="words")
    players = {side: player("officer", f"words|{side}") for side in title.sides}
    seen = 0
    for _ in range(200):
        side = game.actor
        assert side is not None
        choice = players[side].choose(Seat(game, side))
        chances = chances_of(game, choice) if len(game.actions()) > 1 else ""
        # The dice of units that join an attack later are told with the first.
        if not isinstance(choice.action, AttackWith):
            assert re.findall(r"\d+%[^.]*\.", choice.reason) == [chances] * bool(chances)
            seen += bool(chances)
        game.play(choice.action)
    assert seen > 5


def chances_of(game: Game, choice: Choice) -> str:
    """What the odds of an action say, in the words of a reason."""
    odds, side = game.odds(choice.action), game.actor
    assert side is not None
    # An answer to an attack rolls no dice of its own.
    if odds is None or isinstance(choice.action, Done):
        return ""
    if isinstance(choice.action, MoveTo):
        hazards = {"breaks down": "break down", "Disrupted": "be Disrupted from the air"}
        for text, word in hazards.items():
            hazard = sum(each.probability for each in odds.outcomes if each.text.startswith(text))
            if hazard:
                return f"{float(hazard):.0%} to {word}."
    if isinstance(choice.action, TheseusAttack):
        battle = odds.about
        assert isinstance(game, TheseusGame) and isinstance(battle, Battle)
        # An attack is declared as a hasty one, and meant to become what its sentence says.
        kind = re.search(r", at [^,]* if (regular|prepared)", choice.reason)
        if kind:
            odds = combat_odds(game, replace(battle, kind=kind[1]))
        elif " to go well" not in choice.reason and escalations(game, battle, choice.action):
            return ""
    well, badly = odds.chance_for(side), odds.chance_for(game.title.other(side))
    # Air Support only says how much it adds: that goes neither well nor badly.
    return f"{well:.0%} to go well and {badly:.0%} to go badly." if well or badly else ""


def test_the_enemy_hears_no_chances_that_hang_on_what_it_cannot_see() -> None:
    """Operation Theseus hides strengths: what is heard holds for any that the enemy may imagine."""
    title = sandtable.title("theseus")
    game = title.start(seed="heard")
    players = {side: player("officer", f"s|{side}") for side in title.sides}
    kept = told = 0
    for _ in range(200):
        side = game.actor
        assert side is not None
        choice = players[side].choose(Seat(game, side, listened=True))
        said = re.search(r"(\d+%) to go well and (\d+%) to go badly\.", choice.heard)
        for number in range(3) if said else ():
            odds = game.resample(title.other(side), f"other {number}").odds(choice.action)
            assert odds is not None
            assert said is not None and f"{odds.chance_for(side):.0%}" == said[1]
        told += said is not None
        kept += "to go well" in choice.reason and said is None
        game.play(choice.action)
    assert told > 2 and kept > 2
    assert not Seat(game, title.sides[0]).in_the_open(len), "nobody listens"


def test_an_officer_refuses_hopeless_attacks() -> None:
    """No attack that is thrown back in more than 7 of 10 cases, where there is a choice.

    Units may still join an attack in a contested Area, and the Allies' last day is for points.
    """
    choices = attacks = 0
    for seed in ("never-1", "never-2"):
        game = AXE.start("june", {}, seed)
        assert isinstance(game, BattleaxeGame)
        players = {side: player("officer", f"{seed}|{side}") for side in AXE.sides}
        while game.outcome is None:
            side = game.actor
            assert side is not None
            action = players[side].choose(Seat(game, side)).action
            settled = isinstance(action, Attack) and not game.contested_before >> action.space & 1
            if settled and len(game.actions()) > 1 and (side, game.turn) != ("allied", 3):
                odds = game.odds(action)
                assert odds is not None
                back = sum(float(c.probability) for c in odds.outcomes if c.text == "repulse")
                attacks += back > 0.7
                choices += 1
            game.play(action)
    assert choices > 5
    assert attacks == 0


def test_absurd_actions_are_never_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    game = TOY.start(seed="1")
    know = knowledge("toy")
    assert game.actor is not None

    def only_passing(game: Game, actions: list[Action]) -> list[float]:
        return [0.0 if action.kind == "pass" else NEVER for action in actions]

    monkeypatch.setattr(know, "priors", only_passing)
    effort = Effort(plans=12, worlds=2)
    worlds = Worlds(Seat(game, game.actor), "1", 2)
    search = Search(worlds, game.actor, know, effort, Chooser("1"))
    assert game.text(search.best().actions[0]) == "pass"


def test_a_search_keeps_to_its_count_of_tries() -> None:
    game = AXE.start("june", {}, "count")
    assert game.actor is not None
    effort = Effort(plans=12, worlds=4, rounds=1)
    worlds = Worlds(Seat(game, game.actor), "1", 4)
    search = Search(worlds, game.actor, knowledge("battleaxe"), effort, Chooser("1"))
    search.best()
    assert 8 <= search.trials <= 12 * 4 * 2


@pytest.mark.parametrize("level", ["recruit", "officer", "general"])
def test_an_absurd_action_is_left_alone_while_there_is_another(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever looked best is called absurd: something else is done instead."""
    game = AXE.start("june", {"historical_setup": True}, "absurd")
    side = game.actor
    assert side is not None
    best = player(level, "1").choose(Seat(game, side)).action
    know = knowledge("battleaxe")
    know = (know.keener or know) if level == "general" else know
    monkeypatch.setattr(know, "blunders", lambda _, each: ["no"] if each == best else [])
    assert player(level, "1").choose(Seat(game, side)).action != best
    monkeypatch.setattr(know, "blunders", lambda *_: ["no"])
    assert player(level, "1").choose(Seat(game, side)).action in game.actions()


def test_a_recruit_gives_up_a_kind_of_action_that_is_absurd_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However many moves there are, staying is found."""
    game = CAULDRON.start(seed="kinds")
    while len(game.actions()) < 200:
        side = game.actor
        assert side is not None
        game.play(player("recruit", "kinds").choose(Seat(game, side)).action)
    side = game.actor
    assert side is not None
    few = next(each.kind for each in game.actions() if each.kind != "move")
    assert sum(each.kind == "move" for each in game.actions()) > 100
    monkeypatch.setattr(
        knowledge("cauldron"), "blunders", lambda _, each: ["no"] if each.kind != few else []
    )
    for seed in range(10):
        assert player("recruit", str(seed)).choose(Seat(game, side)).action.kind == few


def test_a_recruit_sees_a_folly_in_several_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the planning unit comes to is judged from where it began, not from the last action."""
    game = AXE.start("june", {"historical_setup": True}, "steps")
    know, recruit = knowledge("battleaxe"), player("recruit", "steps")
    side, unit, began = game.actor, know.unit(game), game.digest()
    assert side is not None
    eves: list[str] = []

    def follies(eve: Game, *_: object) -> list[str]:
        eves.append(eve.digest())
        return []

    monkeypatch.setattr(know, "follies", follies)
    game.play(recruit.choose(Seat(game, side)).action)
    assert game.actor == side and know.unit(game) == unit and len(game.actions()) > 1
    eves.clear()
    recruit.choose(Seat(game, side))
    assert began in eves and game.digest() in eves
    # Once it is done, it is no use to shy from everything.
    monkeypatch.setattr(know, "follies", lambda eve, *_: ["no"] if eve.digest() == began else [])
    assert recruit.choose(Seat(game, side)).action in game.actions()


def test_a_plan_that_leaves_things_absurdly_is_played_only_if_all_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = AXE.start("june", {"historical_setup": True}, "folly")
    side = game.actor
    assert side is not None
    know = knowledge("battleaxe")
    seen = []

    def follies(before: Game, after: Game, who: str) -> list[str]:
        seen.append((before.digest() == game.digest(), who))
        return ["no"] if len(seen) < 4 else []

    monkeypatch.setattr(know, "follies", follies)
    search = Search(
        Worlds(Seat(game, side), "1", 1), side, know, Effort(4, 1, rounds=0), Chooser("1")
    )
    best = search.best()
    assert not best.absurd
    assert set(seen) == {(True, side)}


def test_where_everything_is_absurd_the_search_ends_and_letting_be_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = AXE.start("june", {"historical_setup": True}, "folly")
    side = game.actor
    assert side is not None
    know = knowledge("battleaxe")
    monkeypatch.setattr(know, "follies", lambda *_: ["no"])
    monkeypatch.setattr(planner, "PATIENCE", 1)
    effort = Effort(2, 1, rounds=0)
    search = Search(Worlds(Seat(game, side), "1", 1), side, know, effort, Chooser("1"))
    assert search.best().absurd
    letting_be = [each for each in game.actions() if not any(game.about(each))]
    assert letting_be
    assert search.drawn <= 2 + len(letting_be) < len(game.actions())


def test_a_plan_that_leads_to_a_folly_is_thought_over(monkeypatch: pytest.MonkeyPatch) -> None:
    game = AXE.start("june", {"historical_setup": True}, "plan")
    side = game.actor
    assert side is not None
    officer = Officer("plan")
    monkeypatch.setattr(knowledge("battleaxe"), "follies", lambda *_: ["no"])
    game.play(officer.choose(Seat(game, side)).action)
    assert officer._plan is None


def test_a_brief_budget_is_spent_as_an_officer_would() -> None:
    """Where trials take long, a few plans to the end of the unit tell more than one beyond it."""
    know = knowledge("cauldron")
    assert General("1", 0.2).effort(know, "axis").units == know.look.units == 1
    assert General("1", 5.0).effort(know, "axis").units == know.search_of["axis"].units == 2


def test_a_unit_that_is_planned_anew_is_judged_from_where_it_began(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a side did before dice upset its plan still counts against it."""
    game = AXE.start("june", {"historical_setup": True}, "eve")
    know = knowledge("battleaxe")
    eves: list[str] = []

    def follies(eve: Game, *_: object) -> list[str]:
        eves.append(eve.digest())
        return []

    monkeypatch.setattr(know, "follies", follies)
    side, unit, began = game.actor, know.unit(game), game.digest()
    assert side is not None
    officer = Officer("eve")
    again = 0
    while know.unit(game) == unit:
        if game.actor == side:
            officer._plan = None
            eves.clear()
            action = officer.choose(Seat(game, side)).action
            again += game.digest() != began and bool(eves)
            assert not eves or began in eves
        else:
            action = game.actions()[0]
        game.play(action)
    assert again


def test_a_plan_is_followed_until_something_comes_in_between() -> None:
    game = AXE.start("june", {"historical_setup": True}, "plan")
    side = game.actor
    assert side is not None
    officer = player("officer", "plan")
    first = officer.choose(Seat(game, side))
    game.play(first.action)
    assert game.actor == side
    second = officer.choose(Seat(game, side))
    assert first.reason.endswith(second.reason) and second.reason


def test_dice_of_worlds_are_spread_evenly() -> None:
    for spot in ("a", "b", "c"):
        faces = [
            SpreadDice(tally={}, key=7, which=which, worlds=4).draw("die", spot, (4,))[0][0]
            for which in range(4)
        ]
        assert sorted(faces) == [1, 2, 3, 4]


def test_plans_tried_in_one_world_share_their_luck() -> None:
    dice = SpreadDice(tally={}, key=7, which=1, worlds=4)
    one, after = dice.draw("attack", "6", (6, 6))
    other, _ = dice.draw("sunset", "", (6, 6))[1].draw("attack", "6", (6, 6))
    assert one == other
    assert len({after.draw("attack", "6", (6,) * 8)[0], dice.draw("attack", "6", (6,) * 8)[0]}) == 2


def test_a_value_is_a_chance_and_sides_share_it() -> None:
    game = AXE.start("june", {}, "value").resample("allied", "value")
    know = knowledge("battleaxe")
    allied, axis = know.value(game, "allied"), know.value(game, "axis")
    assert 0 < allied < 1
    assert allied + axis == pytest.approx(1)


def test_more_points_are_better() -> None:
    game = AXE.start("june", {}, "value").resample("allied", "value")
    know = knowledge("battleaxe")
    before = know.value(game, "allied")
    game.vp += 3  # type: ignore[attr-defined]
    assert know.value(game, "allied") > before


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("general:soon", "'soon' is no budget"),
        ("general:0", "'0' is no budget"),
        ("general:0.1", "'0.1' is no budget; give seconds from 0.2 to 3600"),
        (f"general:{'9' * 5000}", f"'{'9' * 20}' is no budget"),
        (f"general:5x{'9' * 5000}", f"'{'9' * 20}' is no number of cores"),
        (f"general:{'0' * 5000}5", f"'{'0' * 20}' is no budget"),
        ("general:nan", "'nan' is no budget"),
        ("general:inf", "'inf' is no budget"),
        ("general:-5", "'-5' is no budget"),
        ("general:5\n", "'5\\n' is no budget"),
        ("general:5xtwo", "'two' is no number of cores"),
        ("general:5x0", "'0' is no number of cores"),
        ("ismcts:5x2", "only a general takes more"),
        ("officer:3", "only a general takes a budget"),
        ("colonel", "no opponent is called 'colonel'"),
    ],
)
def test_bad_levels_and_budgets_get_a_clear_answer(level: str, message: str) -> None:
    with pytest.raises(BadMessage, match=re.escape(message)):
        player(level, "1")


@pytest.fixture
def work() -> Iterator[Callable[[], float]]:
    """A clock that goes on a millionth of a second with every call of a function, whoever calls.

    So all that is done counts, before a search and after it, on a machine of any speed.
    """
    calls = 0

    def count(frame: FrameType, event: str, what: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    yield lambda: calls / 1_000_000
    sys.setprofile(before)


@pytest.mark.parametrize("name", TITLES)
def test_a_general_uses_its_budget_and_keeps_it(name: str, work: Callable[[], float]) -> None:
    """With all that it says of its plan; with time enough it looks farther afield and uses it."""
    options: dict[str, OptionValue] = {"historical_setup": True} if name == "battleaxe" else {}
    game = sandtable.title(name).start(options=options, seed="clock")
    recruits = {side: player("recruit", side) for side in game.title.sides}
    for least, seconds in ((0.0, 0.2), (0.7, 1.0), (0.8, 2.0)):
        while len(game.actions()) < 9:
            assert game.actor is not None
            game.play(recruits[game.actor].choose(Seat(game, game.actor)).action)
        assert game.actor is not None
        before = work()
        choice = General("1", seconds, now=work).choose(Seat(game, game.actor))
        assert least * seconds <= work() - before <= 1.1 * seconds
        game.play(choice.action)


def test_a_trial_that_time_runs_out_on_is_not_played_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One long trial would overrun the budget; the plans found before it stand."""
    game = AXE.start("june", {"historical_setup": True}, "long")
    side = game.actor
    assert side is not None
    enough, decisions = 60, 0
    general = General("long", 0.5, now=lambda: 9.0 if decisions > enough else 0.0)
    know = general.knowledge("battleaxe", side)
    unit = know.unit

    def count(game: Game) -> Any:
        nonlocal decisions
        decisions += 1
        return unit(game)

    monkeypatch.setattr(know, "unit", count)
    choice = general.choose(Seat(game, side))
    assert choice.action in game.actions() and decisions == enough + 1


def test_two_cores_search_more_than_one() -> None:
    """Plans of both are compared in the same worlds, and a lost twin loses nothing."""
    game = AXE.start("june", {"historical_setup": True}, "cores")
    side = game.actor
    assert side is not None
    know = knowledge("battleaxe")

    def search() -> Search:
        worlds = Worlds(Seat(game, side), "cores", know.look.worlds)
        return Search(worlds, side, know, know.look, Chooser("cores"))

    alone, both = search(), search()
    alone.best()
    two = best_of_all(both, 2)
    assert both.trials > 1.5 * alone.trials
    assert two.actions[0] in game.actions()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sandtable.players.cores._think", lambda *args: None)
        lost = best_of_all(search(), 2)
    assert lost.actions[0] in game.actions()


def test_more_cores_than_first_actions_find_plans_all_the_same() -> None:
    """In the set-up, where nothing can be let be."""
    game = AXE.start("june", {}, "many")
    side = game.actor
    assert side is not None
    know = knowledge("battleaxe")
    many = len(game.actions()) + 1
    effort = Effort(plans=6, worlds=1, rounds=0, swerve=True)
    search = Search(Worlds(Seat(game, side), "many", 1), side, know, effort, Chooser("many"))
    search.part = (many - 1, many)
    assert search.best().actions[0] in game.actions()


def test_a_general_on_two_cores_plays_a_legal_action() -> None:
    game = AXE.start("june", {}, "budget")
    assert game.actor is not None
    choice = player("general:0.2x2", "1").choose(Seat(game, game.actor))
    assert choice.action in game.actions()


@pytest.mark.parametrize("cores", [1, 3])
def test_a_general_of_a_bigger_machine_plays_on_the_cores_there_are(
    cores: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandtable.players.cores_here", lambda: cores)
    for level, used in (("general:1x64", cores), ("general:1x2", min(cores, 2)), ("general:1", 1)):
        general = player(level, "1")
        assert isinstance(general, General) and general.cores == used


@pytest.mark.parametrize("budget", ["5.", ".5", "1e1", "0.2000001", "+5x2"])
def test_a_budget_is_any_number_of_seconds(budget: str) -> None:
    assert isinstance(player(f"general:{budget}", "1"), General)


def test_plain_tree_search_plays_legally() -> None:
    game = TOY.start(seed="tree")
    play_out(game, {"red": "ismcts:0.2", "blue": "random"}, "tree")


def test_plain_tree_search_ends_its_last_try_when_time_is_up() -> None:
    """Random play to the end of a long game would take many times the budget."""
    game = AXE.start("june", {}, "tree")
    assert game.actor is not None
    asked = 0

    def now() -> float:
        nonlocal asked
        asked += 1
        return asked / 100

    choice = player("ismcts:0.5", "tree", now).choose(Seat(game, game.actor))
    assert choice.action in game.actions() and asked == 52


def test_a_recruit_follows_its_nose_where_a_title_says_what_tempts() -> None:
    """Better actions are likelier, none is absurd, and the same seed chooses the same."""
    game = AXE.start("june", {"historical_setup": True}, "nose")
    side = game.actor
    assert side is not None
    tempting = knowledge("battleaxe").priors(game.resample(side, "1"), game.actions())
    worth = dict(zip(game.actions(), tempting, strict=True))
    chosen = [player("recruit", str(n)).choose(Seat(game, side)) for n in range(30)]
    again = [player("recruit", str(n)).choose(Seat(game, side)) for n in range(30)]
    assert chosen == again
    mean = sum(worth[each.action] for each in chosen) / len(chosen)
    assert mean > sum(tempting) / len(tempting)
    assert all(worth[each.action] > NEVER and each.reason.endswith(".") for each in chosen)
    assert len({each.action for each in chosen}) > 1


def test_a_recruit_sees_a_folly_that_the_enemy_is_asked_about_first() -> None:
    """Infantry must not march off and leave the HQ bare that has just come to it."""
    units = "I/5 3018, II/5 2820, 21Pz.HQ 2820, 7.Mot 3118, 7Armd.HQ 3417"
    eve = acting("21Pz", units, orders={})
    game = eve.copy()
    play(game, "move 21Pz.HQ", "to 3018", "decline", "move I/5")
    march = game.parse("to 2715")
    trial = game.copy()
    trial.play(march)
    assert trial.actor == "commonwealth", "it is asked whether it reacts"
    assert is_absurd(knowledge("theseus"), game, march, eve)


def test_a_recruit_looks_no_farther_than_the_question_it_answers() -> None:
    """An HQ that is driven off must not stay bare, whatever the enemy does afterwards."""
    units = "Kst.Kiehl 2719, FF.HQ 2721, FF.1 2622, FF.2 2521, 21Pz.HQ 2024, I/5 2024"
    game = position(units, turn=3, levels={"FF": 0}, passed=["commonwealth"])
    play(game, "activate-unit Kst.Kiehl", "move Kst.Kiehl", "to 2720")
    know = knowledge("theseus")
    assert is_absurd(know, game, game.parse("displace FF.HQ 2621"))
    assert not is_absurd(know, game, game.parse("displace FF.HQ 2622"))


def test_who_can_do_nothing_sensible_does_what_tempts_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit that can only drive back to where it was or attack in vain drives back."""
    game = sandtable.title("battleaxe").start("june", seed="least bad")
    while len(game.actions()) < 3:
        game.play(game.actions()[0])
    know, side = knowledge("battleaxe"), game.actor
    assert side is not None
    best = len(game.actions()) // 2
    monkeypatch.setattr(
        type(know),
        "priors",
        lambda self, game, actions: [float(at == best) for at in range(len(actions))],
    )
    monkeypatch.setattr("sandtable.players.recruit.is_absurd", lambda *arguments: True)
    for seed in range(4):
        choice = player("recruit", f"least {seed}").choose(Seat(game, side))
        assert choice.action == game.actions()[best]
