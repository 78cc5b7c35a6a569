"""Opponents of other versions: matches against them, and what happens where rules differ."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.balance import report
from sandtable.cli import main
from sandtable.kernel.errors import BadMessage
from sandtable.match import TRIES, Pairing, names, play_all
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
        (
            "raise ValueError('no such title')",
            "^abc cannot play here: ValueError: no such title; it may be too old: choose a newer",
        ),
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


def test_a_game_whose_other_process_is_killed_is_played_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """On any number of workers; only whoever is killed again and again gives up."""
    dies = f"""
import os
try:
    os.open({str(tmp_path)!r} + "/grave", os.O_CREAT | os.O_EXCL)
    os.kill(os.getpid(), 9)
except FileExistsError:
    pass
"""
    asked = "for line in sys.stdin:\n"
    assert asked in guest.MIRROR
    monkeypatch.setattr(guest, "code_of", lambda commit: SOURCES)
    monkeypatch.setattr(guest, "MIRROR", guest.MIRROR.replace(asked, dies + asked))
    pairing, whole = replace(PAIRING, commit="abc"), play_all(PAIRING, 3, 1)
    for workers in (1, 2):
        assert play_all(pairing, 3, workers) == whole
        told = "signal 9 ended a process of abc; is memory short? The game is played again\n"
        assert capfd.readouterr().err == told
        (tmp_path / "grave").unlink()
    monkeypatch.setattr(guest, "MIRROR", "import os; os.kill(os.getpid(), 9)")
    with pytest.raises(BadMessage, match=r"^signal 9 ended a process of abc"):
        play_all(pairing, 1, 1)
    assert capfd.readouterr().err == told * (TRIES - 1)


def test_a_version_may_print_as_much_as_it_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest, "code_of", lambda commit: SOURCES)
    asked = "for line in sys.stdin:\n"
    loud = f"{asked}    print('x' * 99_999)\n    print('y' * 99_999, file=sys.stderr)\n"
    monkeypatch.setattr(guest, "MIRROR", guest.MIRROR.replace(asked, loud))
    pairing = replace(PAIRING, commit="abc")
    assert play_all(pairing, 1, 1) == play_all(PAIRING, 1, 1)


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
    monkeypatch.setattr(ZipFile, "extractall", interrupted)
    with pytest.raises(KeyboardInterrupt):
        guest.code_of("def")
    assert list(folder.parent.iterdir()) == [folder], "nothing is left behind"


def interrupted(*arguments: object) -> None:
    raise KeyboardInterrupt


def test_a_commit_without_code_leaves_nothing_behind(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    (checkout / "src" / "officer.py").unlink()
    commit(checkout, "src")
    with pytest.raises(BadMessage, match="'src' did not match any files"):
        guest.code_of("HEAD")
    assert not (tmp_path / "prefix").exists()


def test_git_that_dies_without_a_word_is_told_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    git = tmp_path / "git"
    git.write_text("#!/bin/sh\nexit 3\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadMessage, match="git ends with code 3; give a commit"):
        guest.commit_of("HEAD")


@pytest.mark.parametrize("revision", ["no-such-commit", "--all", ""])
def test_a_commit_that_git_does_not_know_is_refused(
    revision: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "battleaxe", f"--b-of={revision}"]) == 2
    assert "no such version" in capsys.readouterr().err


def commit(folder: Path, path: str) -> None:
    """Commit what is new there."""
    name = ["-c", "user.name=Tests", "-c", "user.email=tests@example.org"]
    for words in (["add", path], [*name, "commit", "-q", "-m", f"About {path}"]):
        subprocess.run(["git", "-C", str(folder), *words], check=True)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of its own with one file of code, taken for the one that runs."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "officer.py").write_text("plans = 3\n")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    commit(tmp_path, "src")
    monkeypatch.setattr(guest, "HERE", tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))  # Where its code is unpacked.
    return tmp_path


def test_changed_code_is_a_version_of_its_own(checkout: Path) -> None:
    clean = guest.code_here()
    assert clean == guest.commit_of("HEAD")
    officer = checkout / "src" / "officer.py"
    officer.write_text("plans = 4\n")
    changed = guest.code_here()
    assert changed.startswith(f"{clean}+") and changed == guest.code_here()
    officer.write_text("plans = 3\n")
    (checkout / "notes.txt").write_text("no code")
    assert guest.code_here() == clean
    new = checkout / "src" / "general.py"
    new.write_text("plans = 9\n")
    found = guest.code_here()
    new.write_text("plans = 8\n")
    assert len({clean, changed, found, guest.code_here()}) == 4


@pytest.mark.parametrize("tested", [False, True])
def test_games_of_changed_code_are_not_counted_with_those_before(
    tested: bool,
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(guest, "code_of", lambda commit: SOURCES)
    kept = checkout / "games.jsonl"
    words = ["match", "battleaxe", "--games", "2", "--keep", str(kept)]
    words += ["--b-of", "HEAD"] if tested else []
    assert main(words) == 0
    with (checkout / ".git" / "config").open("a") as file:
        file.write("[color]\nui = always\n[diff]\nexternal = false\n")
    (checkout / "notes.txt").write_text("no code")
    commit(checkout, "notes.txt")
    head = guest.commit_of("HEAD")
    if tested:
        words[-1] = "HEAD^"
    assert main(words) == 0, "a commit without code changes nothing"
    games, old = kept.read_bytes(), guest.code_here()
    assert old != head and f'"code":"{old}"' in kept.read_text()
    (checkout / "src" / "officer.py").write_text("plans = 4\n")
    assert main(words) == 2
    assert (
        f"by the code of {old}, and this is {guest.code_here()}; "
        "give a new file, or go on with that code"
    ) in capsys.readouterr().err
    assert kept.read_bytes() == games
    (checkout / "src" / "officer.py").write_text("plans = 3\n")
    assert main(words) == 0


def test_games_without_a_version_go_on(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of before versions were kept, or where git knows none."""
    kept = checkout / "games.jsonl"
    words = ["match", "battleaxe", "--games", "2", "--keep", str(kept)]
    assert main(words) == 0
    games = kept.read_text()
    (checkout / "src" / "officer.py").write_text("plans = 4\n")
    old = games.replace(f',"code":"{guest.commit_of("HEAD")}"', "", 1)
    assert old != games
    kept.write_text(old)
    assert main(words) == 0 and kept.read_text() == old
    monkeypatch.setenv("PATH", "")
    kept.write_text(games)
    assert main(words) == 0 and kept.read_text() == games
    kept.unlink()
    assert main(words) == 0 and kept.read_text() == old


def test_a_report_names_both_versions(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(guest, "code_of", lambda commit: SOURCES)
    page = checkout / "page.md"
    words = ["match", "battleaxe", "--games", "2", "--b-of", "HEAD", "--report", str(page)]
    monkeypatch.setattr(sys, "argv", ["sandtable", *words])
    assert main(words) == 0
    text, head = page.read_text(), guest.commit_of("HEAD")
    assert f"\nrecruit of {head} against random of {head}, 2 games" in text
    assert f"    sandtable match battleaxe --games 2 --b-of={head} --report" in text
    plain = Pairing("toy", "row", {}, "recruit", "random", "test")
    assert "\nrecruit against random, 2 games" in report(plain, play_all(plain, 2, 1), "", "")
