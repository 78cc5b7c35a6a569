"""The net that generals judge by, the games it learns from, and the list of absurdities."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import sandtable
from sandtable.absurd import main as absurd
from sandtable.kernel.errors import BadMessage
from sandtable.match import Pairing, play_all
from sandtable.players import netfit
from sandtable.players.fitting import main as fit
from sandtable.players.knowledge import knowledge, weights
from sandtable.players.knowledge.battleaxe import Battleaxe
from sandtable.players.knowledge.cauldron import Cauldron
from sandtable.players.knowledge.net import Foresight, Net
from sandtable.players.knowledge.weights import (
    ChanceFile,
    Fitted,
    Lesson,
    WeightsFile,
    logistic,
    logit,
)
from sandtable.players.watch import CIRCLE, Watch
from sandtable.strength import main as strength
from sandtable.titles.battleaxe.data import AXIS
from sandtable.titles.battleaxe.impulses import Impulse
from sandtable.titles.battleaxe.state import Game as BattleaxeGame
from sandtable.titles.battleaxe.state import Unit

AXE = sandtable.title("battleaxe")


def known() -> Foresight:
    found = knowledge("battleaxe")
    assert isinstance(found, Foresight)
    return found


def test_a_judgement_is_a_chance_and_sides_share_it() -> None:
    game = AXE.start("june", {}, "net")
    know = known()
    allied, axis = know.judge(game, "allied"), know.judge(game, "axis")
    assert 0 < allied < 1
    assert allied + axis == pytest.approx(1)
    assert len(know.read(game)) == len(know.inputs) == len(set(know.inputs))


def test_a_higher_bid_makes_the_allies_less_likely_to_win() -> None:
    know = known()
    games = (AXE.start("june", {"bid": bid}, "net") for bid in (6, 12, 18))
    easy, fair, hard = (know.judge(game, "allied") for game in games)
    assert easy > fair > hard


def test_a_net_for_other_inputs_is_refused() -> None:
    class Other(type(known())):  # type: ignore[misc]
        inputs = ("moonlight",)

    with pytest.raises(BadMessage, match="scripts/fit battleaxe --net"):
        _ = Other().net


def test_quick_games_are_the_same_for_the_same_seed() -> None:
    rows, points, won = netfit.quick_game(("battleaxe", "tests", 0))
    assert (rows, points, won) == netfit.quick_game(("battleaxe", "tests", 0))
    assert len(rows) > 10
    assert won == float(points >= rows[0][3])


def test_a_net_survives_its_file() -> None:
    net = Net("by hand", ("x", "y"), (1.0, 2.0, -1.0), ((0.0, 1.0, 0.5),), (3.0,), (1.5, 2.0))
    assert msgspec.toml.decode(netfit.net_text(net), type=Net) == net
    assert net.expect([0.0, 1.0]) == pytest.approx(3.0 * 0.46211716)


def test_a_net_is_fitted_from_a_few_games() -> None:
    games = [netfit.quick_game(("battleaxe", "tests", number)) for number in range(6)]
    net = netfit.fit_net(known(), games, "a test")
    assert net == netfit.fit_net(known(), games, "a test")
    assert len(net.hidden) == netfit.BENDS
    assert net.recipe.startswith("a test; unseen log-loss ")


def test_fitting_a_net_without_numpy_gets_a_clear_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(BadMessage, match="needs NumPy"):
        netfit.fit_net(known(), [], "")


def test_a_recipe_is_written_without_git_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "weights.toml"
    words = ["gallop", "--games", "2", "--level", "steady", "--out", str(out)]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fit(words) == 0
    assert "; code of no known commit; log-loss" in out.read_text()


@pytest.mark.parametrize("kind", [[], ["--net"], ["--chance"]])
def test_a_fit_that_cannot_be_written_is_told_before_any_game(
    kind: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        fit(["battleaxe", *kind, "--games", "1000000", "--out", "/nowhere/weights.toml"])
    assert "cannot write /nowhere/weights.toml: there is no such folder" in capsys.readouterr().err


@pytest.mark.parametrize("name", sandtable.titles())
def test_every_scenario_has_its_lessons(name: str) -> None:
    know = knowledge(name)
    if isinstance(know, Fitted) and know.lessons:
        assert set(know.lessons) == {each.id for each in sandtable.title(name).scenarios}


def test_a_lesson_shifts_the_chance_of_both_sides() -> None:
    game = AXE.start("june", {}, "lesson")
    know = Battleaxe()
    know.lessons = {"june": (Lesson(0.5, 1.0),)}
    raw = know.forecast(game, "allied")
    assert know.outlook(game, "allied") == pytest.approx(logistic(0.5 * logit(raw) + 1.0))
    assert know.outlook(game, "axis") == pytest.approx(1 - know.outlook(game, "allied"))
    know.lessons = {}
    assert know.outlook(game, "axis") == know.forecast(game, "axis")


@pytest.mark.parametrize("name", ["gallop", "cauldron"])
def test_weights_are_fitted_with_and_without_some_set_by_hand(name: str, tmp_path: Path) -> None:
    out, know = tmp_path / "weights.toml", knowledge(name)
    words = [name, "--games", "2", "--level", "steady", "--against", "1", "--out", str(out)]
    assert fit(words) == 0
    found = msgspec.toml.decode(out.read_text(), type=WeightsFile)
    assert isinstance(know, Fitted) and set(found.phase[0]) == set(know.names)
    assert " --against 1 --out " in found.recipe
    freely = tmp_path / "freely.toml"
    assert fit([*words[:5], "--against", "9999", "--out", str(freely)]) == 0
    assert msgspec.toml.decode(freely.read_text(), type=WeightsFile).phase != found.phase
    for hand in know.prior[:1]:
        kept = zip(hand, found.phase[0].values(), strict=True)
        assert all(fitted * by_hand > 0 for by_hand, fitted in kept if by_hand)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("phase = [", "cauldron.hand.toml: .*; mend it by hand"),
        ('recipe = ""\nphase = []', "cauldron.hand.toml has no phase; mend it by hand"),
        ('recipe = ""\n[[phase]]\none = "1"', "cauldron.hand.toml: Expected `float`"),
        ('recipe = ""\n[[phase]]\none = 1', "phase 1: 'actions' is missing or unknown"),
    ],
)
def test_bad_weights_are_told_with_their_file(
    text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cauldron.hand.toml").write_text(text)
    monkeypatch.setattr(weights, "files", lambda _: tmp_path)
    with pytest.raises(BadMessage, match=told):
        assert Cauldron().prior


@pytest.mark.parametrize("kind", ["--net", "--chance"])
def test_only_weights_are_drawn_to_anything(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        fit(["battleaxe", kind, "--against", "5"])
    assert "--against is for weights; leave it out" in capsys.readouterr().err


def test_lessons_are_fitted_from_watched_games(tmp_path: Path) -> None:
    out = tmp_path / "chance.toml"
    words = ["battleaxe", "--chance", "--games", "6", "--level", "recruit", "--out", str(out)]
    assert fit(words) == 0
    found = msgspec.toml.decode(out.read_text(), type=ChanceFile)
    assert found.recipe.startswith("scripts/fit battleaxe --chance --games 6 --level recruit")
    assert len(found.scenario["june"]) == 4 and all(e.slope >= 0 for e in found.scenario["june"])


def test_absurdities_are_found_where_there_are_some() -> None:
    pairing = Pairing("battleaxe", "june", {}, "random", "random", "absurd", watch=True)
    games = play_all(pairing, 4, 1)
    found = {each.what for one in games for each in one.absurd if each.who == "random"}
    assert {"attacks at hopeless odds", "abandons a safe scoring Area"} <= found


def test_leaving_supply_for_nothing_is_noticed() -> None:
    """A unit drives to an Area beyond the enemy that is its side's own already."""
    before = AXE.start("june", {"historical_setup": True}, "supply")
    assert isinstance(before, BattleaxeGame)
    far = before.data.space("23")
    before.allied_held |= 1 << far
    after = before.copy()
    after.place(before.data.unit("2RTR"), far)
    assert list(known().follies(before, after, "allied")) == ["leaves supply for nothing"]
    assert list(known().follies(before, before.copy(), "allied")) == []
    after.place(before.data.unit("7RTR"), before.data.space("6"))
    found = list(known().follies(before, after, "allied"))
    assert found == ["leaves supply for nothing"], "a fight elsewhere excuses nobody"
    before.allied_held &= ~(1 << far)
    assert list(known().follies(before, after, "allied")) == [], "it takes the Area"
    before.allied_held |= 1 << far
    before.stack = tuple(
        replace(step, side=AXIS) if isinstance(step, Impulse) else step for step in before.stack
    )
    assert list(known().follies(before, after, "allied")) == [], "the enemy drove it there"


def test_whom_an_attack_was_to_open_the_road_for_left_supply_for_something() -> None:
    """14.2.1 2RTR drives to Bir Wair, which Halfaya cuts off while the enemy stands there."""
    before = AXE.start("june", {"historical_setup": True}, "supply")
    assert isinstance(before, BattleaxeGame)
    space, scout, tanks = before.data.space, before.data.unit("2RTR"), before.data.unit("7RTR")
    before.allied_held |= 1 << space("1") | 1 << space("8")
    before.place(tanks, space("1"))
    after = before.copy()
    after.place(scout, space("8"))
    assert list(known().follies(before, after, "allied")) == ["leaves supply for nothing"]
    locked, thrown_back, elsewhere = after.copy(), after.copy(), after.copy()
    locked.place(tanks, space("6"))
    assert list(known().follies(before, locked, "allied")) == []
    thrown_back.units[tanks] = Unit(space("1"), reduced=True)
    assert list(known().follies(before, thrown_back, "allied")) == []
    elsewhere.place(tanks, space("18"))
    assert list(known().follies(before, elsewhere, "allied")) == ["leaves supply for nothing"]


def test_an_officer_does_nothing_absurd(capsys: pytest.CaptureFixture[str]) -> None:
    assert absurd(["battleaxe", "--games", "2", "--seed", "tests"]) == 0
    assert "2 games, 0 absurd things" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("script", "wrong", "said"),
    [
        (absurd, ["battleaxe", "--games", "-3"], "at least 1"),
        (strength, ["nosuch"], "no title is called 'nosuch'"),
        (strength, ["toy", "--games", "1", "--keep", "/nowhere/at/all"], "/nowhere/at/all"),
        (fit, ["battleaxe", "--level", "colonel"], "no opponent is called 'colonel'"),
        (fit, ["gallop", "--par", "x"], "is no handicap"),
    ],
)
def test_scripts_answer_bad_input_in_a_line(
    script: Callable[[list[str]], int],
    wrong: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit, match="2"):
        script(wrong)
    assert said in capsys.readouterr().err.splitlines()[-1]


def test_moves_in_a_circle_are_noticed() -> None:
    game = AXE.start("june", {"historical_setup": True}, "circle")
    watch = Watch(game, dict.fromkeys(AXE.sides, "somebody"))
    again = game.copy()
    watch.play(game, game.actions()[0])
    assert watch.found == []
    watch.play(again, again.actions()[0])
    assert [each.what for each in watch.found] == [CIRCLE]


def test_a_blunder_is_one_only_where_there_was_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    game = AXE.start("june", {"historical_setup": True}, "choice")
    first, *others = game.actions()
    for blunders, found in (([first], ["no"]), ([first, *others], [])):
        monkeypatch.setattr(known(), "blunders", lambda _, it, bad=blunders: ["no"] * (it in bad))
        watch = Watch(game.copy(), dict.fromkeys(AXE.sides, "somebody"))
        watch.play(game.copy(), first)
        assert [each.what for each in watch.found] == found
