"""The command that fits evaluations: what it refuses before any game is played."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from sandtable.players import fitting, netfit
from sandtable.players.fitting import main as fit
from sandtable.players.knowledge.net import Net


@pytest.fixture(autouse=True)
def no_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever plays games here was not refused in time."""

    def played(*arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(fitting, "spread", played)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--net --games 1", "a net learns from some games and is tested by others; give --games 2"),
        ("--net --chance", "argument --chance: not allowed with argument --net"),
        ("--net --level officer", "--level is for weights and chance; leave it out with --net"),
        ("--net --par allied:10", "--par is for weights; leave it out with --net"),
        ("--chance --par allied:10", "--par is for weights; leave it out with --chance"),
        ("--chance --against 400", "--against is for weights; leave it out with --chance"),
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
    assert "fitting a net needs NumPy; run pip" in capsys.readouterr().err.splitlines()[-1]


def test_a_net_is_written_so_that_it_can_be_read_whatever_its_seed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = tmp_path / "net.toml"
    monkeypatch.setattr(fitting, "spread", lambda work, tasks, workers: map(work, tasks))
    assert fit(["battleaxe", "--net", "--games", "2", "--seed", 'a"b', "--out", str(out)]) == 0
    found = msgspec.toml.decode(out.read_text(), type=Net)
    assert ' --seed a"b; ' in found.recipe
    assert netfit.net_text(found) == out.read_text()
