"""The command that fits evaluations: what it refuses before any game is played."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import msgspec
import pytest
from tests.streams import no_room, nobody_reads

from sandtable.players import fitting, netfit
from sandtable.players.fitting import main as fit
from sandtable.players.knowledge import knowledge, weights
from sandtable.players.knowledge.net import Net
from sandtable.players.knowledge.weights import ChanceFile, Fitted, WeightsFile, logit


@pytest.fixture(autouse=True)
def no_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever plays games here was not refused in time."""

    def played(*arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(fitting, "spread", played)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--net --games 1", "a fit learns from some games and is tested by others; give --games 2"),
        ("--chance --games 1", "a fit learns from some games"),
        ("--games 1", "a fit learns from some games"),
        ("--net --chance", "argument --chance: not allowed with argument --net"),
        ("--net --level officer", "--level is for weights and chance; leave it out with --net"),
        ("--net --par allied:10", "--par is for weights; leave it out with --net"),
        ("--chance --par allied:10", "--par is for weights; leave it out with --chance"),
        ("--chance --against 400", "--against is for weights; leave it out with --chance"),
        ("--without guns,luck", "--without: battleaxe has no feature 'luck'; it has points,"),
        ("--net --without guns", "--without is for weights; leave it out with --net"),
        ("--par=", "'' is no handicap"),
        ("--level=", "no opponent is called ''"),
    ],
)
def test_what_has_no_effect_or_no_sense_is_refused(
    words: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        fit(["battleaxe", *words.split()])
    assert told in capsys.readouterr().err.splitlines()[-1]


def test_a_net_without_numpy_is_refused_before_its_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(SystemExit, match="2"):
        fit(["battleaxe", "--net"])
    assert (
        f"fitting a net needs NumPy; run {sys.executable} -m pip install numpy"
        in capsys.readouterr().err.splitlines()[-1]
    )


def know_of(title: str) -> Fitted:
    """What is known of a title, with weights."""
    know = knowledge(title)
    assert isinstance(know, Fitted)
    return know


def played(work: object, tasks: list[object], workers: int) -> list[fitting.Fit]:
    """Games of one position each, which the first side wins in turn."""
    row = [0.0] * (len(know_of("battleaxe").names) - 1) + [1.0]
    return [([(0, row)], float(at % 2)) for at, _ in enumerate(tasks)]


def test_a_fit_is_written_before_it_is_told_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever reads that may have gone, or have no room for it."""
    out = tmp_path / "weights.toml"
    monkeypatch.setattr(fitting, "spread", played)
    words = ["battleaxe", "--games", "10", "--out", str(out)]
    with nobody_reads():
        assert fit(words) == 0
    written = out.read_text()
    assert "log-loss on unseen games" in written
    out.unlink()
    with no_room(), pytest.raises(SystemExit, match="2"):
        fit(words)
    assert out.read_text() == written
    assert capsys.readouterr().err.endswith("error: No space left on device; check the path\n")


def test_what_a_fit_goes_without_counts_for_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not even what a title's prior makes of it: Cauldron's is made of these two."""
    out = tmp_path / "weights.toml"
    row = [1.0] * len(know_of("cauldron").names)
    monkeypatch.setattr(
        fitting, "spread", lambda work, tasks, workers: [([(0, row)], 1.0) for _ in tasks]
    )
    without = "ahead,to_come"
    words = ["cauldron", "--games", "10", "--without", without, "--out", str(out)]
    assert fit(words) == 0
    found = msgspec.toml.decode(out.read_text(), type=WeightsFile)
    assert f" --without {without} " in found.recipe
    assert all(phase["ahead"] == phase["to_come"] == 0 for phase in found.phase)
    assert found.phase[0]["allied_blows"] > 0


def test_a_forecast_is_corrected_only_where_that_foretells_unseen_games_better(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Chapter by chapter: 90 % and then 50 % are foretold, and eleven of twenty games won.

    Each fifth of the games is like itself and unlike the others, which teach nothing of it.
    """
    won = map(float, "10101101011010110100")
    rows = [(0, [logit(0.9), 1.0]), (1, [logit(0.5), 1.0])]
    games = [(rows, each) for each in won]
    out = tmp_path / "chance.toml"
    monkeypatch.setattr(fitting, "spread", lambda work, tasks, workers: games)
    assert fit(["battleaxe", "--chance", "--games", "2", "--out", str(out)]) == 0
    wrong, right = msgspec.toml.decode(out.read_text(), type=ChanceFile).scenario["june"]
    assert wrong.slope < 0.9 and (right.slope, right.shift) == (1.0, 0.0)
    before, after = map(float, re.findall(r"june (\S+) to (\S+)", capsys.readouterr().out)[0])
    assert after < before


RECIPES = sorted(Path(weights.__file__).parent.glob("*.toml"))


@pytest.mark.parametrize("path", RECIPES, ids=[each.name for each in RECIPES])
def test_a_recipe_names_the_code_that_made_it(path: Path) -> None:
    """Else nobody can make the file again; what was made before its code was kept says so."""
    recipe = msgspec.toml.decode(path.read_text())["recipe"]
    code = r"; code of (no known commit, near )?[0-9a-f]{7,}; "
    assert recipe.startswith("set by hand") or re.search(code, recipe)


def test_a_net_is_written_so_that_it_can_be_read_whatever_its_seed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = tmp_path / "net.toml"
    monkeypatch.setattr(fitting, "spread", lambda work, tasks, workers: map(work, tasks))
    assert fit(["battleaxe", "--net", "--games", "2", "--seed", 'a"b', "--out", str(out)]) == 0
    found = msgspec.toml.decode(out.read_text(), type=Net)
    assert ' --seed a"b; ' in found.recipe
    assert netfit.net_text(found) == out.read_text()
