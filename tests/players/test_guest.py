"""Opponents of other versions: matches against them, and what happens where rules differ."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.cli import main
from sandtable.kernel.errors import BadMessage
from sandtable.match import Pairing, names, play_all
from sandtable.players import guest

PAIRING = Pairing("battleaxe", "june", {}, "recruit", "recruit", "test")
SOURCES = Path(sandtable.__file__).parents[2]


def test_who_plays_by_another_version_plays_as_here_where_that_is_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guest, "code_of", lambda commit: SOURCES)
    pairing = replace(PAIRING, commit="abc")
    assert play_all(pairing, 2, 1) == play_all(PAIRING, 2, 1)
    assert names(pairing) == ("recruit", "recruit of abc")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("raise ValueError('too old')", r"abc plays another game \(ValueError: too old\)"),
        (
            "from types import SimpleNamespace as S\n"
            "def title(id):\n"
            "    game = S(play=str, parse=str, outcome=None, text=str)\n"
            "    return S(start=lambda *a, **b: game)\n",
            r"after \d+ actions abc plays another game",
        ),
    ],
)
def test_a_match_against_a_version_with_other_rules_says_where_they_part(
    code: str, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    package = tmp_path / "src" / "sandtable"
    (package / "players").mkdir(parents=True)
    (package / "__init__.py").write_text(code)
    (package / "players" / "__init__.py").write_text(
        "from types import SimpleNamespace as S\n"
        "def player(*a): return S(choose=lambda seat: S(action='fly'))\n"
        "def Seat(*a): return None\n"
    )
    monkeypatch.setattr(guest, "code_of", lambda commit: tmp_path)
    with pytest.raises(BadMessage, match=told):
        play_all(replace(PAIRING, commit="abc"), 1, 1)


def test_a_game_that_ended_otherwise_over_there_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guest, "code_of", lambda commit: SOURCES)
    monkeypatch.setattr(guest, "MIRROR", guest.MIRROR.replace("game.digest()", "'other'"))
    with pytest.raises(BadMessage, match="plays another game; choose a commit"):
        play_all(replace(PAIRING, commit="abc"), 1, 1)


def test_the_code_of_a_commit_is_unpacked_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as file:
        file.writestr("src/sandtable/__init__.py", "")
    asked: list[tuple[str, ...]] = []

    def git(*words: str) -> bytes:
        asked.append(words)
        return packed.getvalue()

    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(guest, "_git", git)
    folder = guest.code_of("abc")
    assert (folder / "src" / "sandtable" / "__init__.py").is_file()
    assert guest.code_of("abc") == folder and len(asked) == 1


@pytest.mark.parametrize("revision", ["no-such-commit", "--all"])
def test_a_commit_that_git_does_not_know_is_refused(
    revision: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "battleaxe", f"--b-of={revision}"]) == 2
    assert "no such version" in capsys.readouterr().err
