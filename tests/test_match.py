"""Matches: the sequential test, Ray, pictures and reports."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import ClassVar
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

import sandtable
from sandtable import absurd, match, strength
from sandtable.balance import chart, report
from sandtable.cli import main
from sandtable.kernel.errors import BadMessage
from sandtable.match import (
    BrokenOff,
    Pairing,
    Result,
    Sprt,
    by_par,
    handicap,
    play_all,
    spread,
    sprt,
)
from sandtable.players import fitting
from sandtable.players.watch import Absurdity
from sandtable.progress import progress
from tests.server.harness import children
from tests.streams import Terminal, no_room, nobody_reads

PAIRING = Pairing("toy", "row", {}, "recruit", "random", "test")


def results(wins: int, losses: int) -> list[Result]:
    """So many wins of the first player, then so many losses."""
    return [
        Result(at, "red", "red" if at < wins else "blue", "win", 10, at)
        for at in range(wins + losses)
    ]


def test_a_sequential_test_settles_when_the_evidence_is_clear() -> None:
    test = Sprt(0.5, 0.6)
    assert not test.settled(results(6, 4))
    assert test.settled(results(40, 10))
    assert "at least 60%" in test.verdict(results(40, 10))
    assert test.settled(results(20, 40))
    assert "at most 50%" in test.verdict(results(20, 40))
    assert "not settled" in test.verdict(results(6, 4))
    assert not test.settled(results(41, 10)), "half a pair is only one side's"


@pytest.mark.parametrize("text", ["0.6:0.5", "half", "0:1", "0.5"])
def test_a_test_needs_two_shares(text: str) -> None:
    with pytest.raises(BadMessage, match="is no test"):
        sprt(text)


def test_a_match_stops_early_and_alike_on_any_number_of_workers() -> None:
    test = Sprt(0.3, 0.6)
    alone = play_all(PAIRING, 60, 1, stop=test.settled)
    assert len(alone) < 60 and len(alone) % 2 == 0
    assert play_all(PAIRING, 60, 2, stop=test.settled) == alone


def test_without_ray_there_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadMessage, match=f"run {re.escape(sys.executable)} -m pip install ray"):
        play_all(PAIRING, 2, 1, ray="local")


def test_ray_plays_the_same_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stand-in that answers like Ray: tasks by name, results fetched in order."""

    class Remote:
        def __init__(self, function: object) -> None:
            self.function = function

        def remote(self, task: object) -> object:
            return lambda: self.function(task)  # type: ignore[operator]

    class Ray:
        class exceptions:
            class RayError(Exception):
                pass

            class RayTaskError(RayError):
                pass

            class NodeDiedError(RayError):
                pass

        wrong: ClassVar[list[type[Exception]]] = []

        @staticmethod
        def init(address: str | None, log_to_driver: bool) -> None:
            if address == "nowhere":
                raise ConnectionError("no answer")

        remote = staticmethod(Remote)

        @classmethod
        def get(cls, waiting: object) -> object:
            if cls.wrong:
                print("(raylet) A worker died")
                raise cls.wrong.pop()
            return waiting()  # type: ignore[operator]

        @staticmethod
        def shutdown() -> None:
            pass

    monkeypatch.setitem(sys.modules, "ray", Ray)
    Ray.wrong = [Ray.exceptions.RayError, Ray.exceptions.NodeDiedError]
    assert play_all(PAIRING, 4, 1, ray="local") == play_all(PAIRING, 4, 1)
    noise = "(raylet) A worker died\n"
    told = f"{noise}Ray loses games (NodeDiedError); they are played here\n{noise}"
    assert capsys.readouterr() == ("", told), "only the table stands in the output"
    Ray.wrong = [Ray.exceptions.RayTaskError]
    with pytest.raises(BrokenOff) as broken:
        play_all(PAIRING, 4, 1, ray="local")
    assert isinstance(broken.value.__cause__, Ray.exceptions.RayTaskError)
    with pytest.raises(BadMessage, match="no Ray cluster answers at nowhere: no answer"):
        play_all(PAIRING, 2, 1, ray="nowhere")


@pytest.mark.parametrize("before", ["", "ray://"])
def test_a_ray_cluster_where_nobody_listens_is_not_waited_for(
    before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray would try for minutes."""
    monkeypatch.setitem(sys.modules, "ray", ModuleType("ray"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadMessage, match="has no attribute 'init'"):
            play_all(PAIRING, 2, 1, ray=f"{before}127.0.0.1:{port}")
    with pytest.raises(
        BadMessage, match=f"answers at {before}127.0.0.1:{port}: Connection refused"
    ):
        play_all(PAIRING, 2, 1, ray=f"{before}127.0.0.1:{port}")


def test_a_report_has_its_command_its_table_and_its_picture() -> None:
    played = play_all(PAIRING, 6, 1)
    text = report(PAIRING, played, "sandtable match toy", "toy.svg")
    assert "    sandtable match toy" in text
    assert "![Shares and scores](toy.svg)" in text
    assert "(toy%20of%20June%20%281%29.svg)" in report(PAIRING, played, "", "toy of June (1).svg")
    assert "| recruit |" in text
    picture = ElementTree.fromstring(chart(PAIRING, played))
    assert picture.tag.endswith("svg")


def test_the_median_of_an_even_number_lies_between_the_two_in_the_middle() -> None:
    played = [replace(each, decisions=10 + 2 * each.points) for each in results(2, 2)]
    told = "0 to 3, median 1.5. Decisions a game: 10 to 16, median 13."
    assert told in report(PAIRING, played, "", "")


def test_the_command_writes_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "toy.md"
    assert main(["match", "toy", "--games", "4", "--sprt", "0.4:0.6", "--report", str(page)]) == 0
    assert "Test: recruit scores" in capsys.readouterr().out
    assert page.read_text().startswith("# ")
    assert (tmp_path / "toy.svg").exists()


def test_a_report_is_written_before_the_table_that_nobody_reads(tmp_path: Path) -> None:
    page, plot = tmp_path / "toy.md", tmp_path / "plot.svg"
    words = ["match", "toy", "--games", "2", "--report", str(page), "--plot", str(plot)]
    with nobody_reads():
        assert main(words) == 0
    assert page.read_text().startswith("# ") and plot.read_text().startswith("<svg")


def test_a_folder_that_is_not_there_is_told_before_any_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["match", "toy", "--plot", "/nowhere/at/all.svg"]) != 0
    assert "there is no such folder" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_told_before_any_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "toy", "--report", str(tmp_path)]) != 0
    told = capsys.readouterr()
    assert f"cannot write {tmp_path}: Is a directory" in told.err and not told.out
    assert main(["match", "toy", "--keep", os.devnull]) != 0
    told = capsys.readouterr()
    assert f"cannot write {os.devnull}: it is no plain file" in told.err and not told.out
    assert main(["match", "toy", "--report", "."]) != 0
    assert "cannot write .: Is a directory" in capsys.readouterr().err
    assert main(["match", "toy", "--report", str(tmp_path / "toy.svg")]) != 0
    assert "give a name such as report.md" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--keep k --plot k", "--keep and --plot are both"),
        ("--keep k --report k", "--keep and --report are both"),
        ("--keep k.svg --report k.md", "--keep and the picture of --report are both"),
        ("--plot ../here/k.svg --report k.md", "--plot and the picture of --report are both"),
    ],
)
def test_no_file_is_written_over_another(
    words: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert main(["match", "toy", "--games", "2", *words.split()]) == 2
    assert told in capsys.readouterr().err
    assert not list(Path().iterdir())


def test_a_picture_that_cannot_be_written_is_told_before_any_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "toy.svg").mkdir()
    assert main(["match", "toy", "--report", str(tmp_path / "toy.md")]) == 2
    told = capsys.readouterr()
    assert f"cannot write {tmp_path / 'toy.svg'}: Is a directory" in told.err and not told.out


def test_two_equals_do_not_play_one_game_twice() -> None:
    """Luck belongs to the player, so that a pair of equals is two games, wherever it is played."""
    pairing = Pairing("battleaxe", "june", {}, "recruit", "recruit", "equals")
    found = play_all(pairing, 8, 1)
    pairs = list(zip(found[::2], found[1::2], strict=True))
    assert any(one.decisions != two.decisions for one, two in pairs)
    assert play_all(pairing, 8, 2) == found


@pytest.mark.skipif(sys.platform == "win32", reason="signals to a group of processes")
def test_who_interrupts_a_match_does_not_wait_for_its_games(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    page = tmp_path / "report.md"
    words = "-m sandtable match battleaxe --a general:30 --b general:30 --workers 2 --keep"
    match = subprocess.Popen(
        [sys.executable, *words.split(), str(kept), "--report", str(page)],
        start_new_session=True,
        stderr=subprocess.PIPE,
        # Tests that run in the background may have been told to ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not kept.exists() or not kept.stat().st_size:
        assert match.poll() is None
        time.sleep(0.1)
    time.sleep(1)  # The workers think of their first moves now, for half a minute each.
    os.killpg(match.pid, signal.SIGINT)
    _, told = match.communicate(timeout=20)
    assert match.returncode == 130 and b"Traceback" not in told
    assert not page.exists(), "no empty report stays behind"


def test_the_workers_of_a_match_that_is_killed_end_with_it() -> None:
    words = "-m sandtable match battleaxe --a general:30 --b general:30 --workers 2".split()
    match = subprocess.Popen([sys.executable, *words], start_new_session=True)
    while len(workers := children(match.pid)) < 2:
        assert match.poll() is None
        time.sleep(0.05)
    time.sleep(1)
    match.kill()
    match.wait()
    until = time.monotonic() + 20
    while any(Path(f"/proc/{each}").exists() for each in workers):
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.fixture
def breaks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The third game of a match goes wrong: by a bug, or for a reason that a sentence says."""
    play = match._play_once

    def played(pairing: Pairing, number: int) -> Result:
        if number == 2:
            raise BadMessage("it never ends") if pairing.seed == "bad" else ZeroDivisionError("oh")
        return play(pairing, number)

    monkeypatch.setattr(match, "_play_once", played)


@pytest.mark.usefixtures("breaks_off")
def test_a_game_that_breaks_off_loses_none_of_those_before_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Their table is told, and which game it was and how to play it again."""
    words = ["match", "toy", "--games", "9"]
    page = tmp_path / "toy.md"
    with pytest.raises(BrokenOff) as broken:
        main([*words, "--seed", "test", "--report", str(page)])
    again = "sandtable match toy --scenario row --a recruit --b random --seed test --games 3"
    assert str(broken.value) == (
        "game 2 broke off (recruit as red, seed test-1): "
        f"ZeroDivisionError('oh'); to play it again: {again}"
    )
    assert "2 games, seed test.\n" in capsys.readouterr().out
    with pytest.raises(BrokenOff, match="game 2 broke off"):
        main(shlex.split(again)[1:])
    assert not page.exists(), "no report of half a match"
    capsys.readouterr()
    assert main([*words, "--seed", "bad"]) == 2
    told = capsys.readouterr()
    assert "2 games, seed bad.\n" in told.out
    assert "seed bad-1): it never ends; to play it again: sandtable match" in told.err


@pytest.mark.usefixtures("breaks_off")
def test_a_kept_match_that_breaks_off_goes_on_with_the_same_command(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for _ in range(2):
        with pytest.raises(BrokenOff, match=r"the same command goes on from .*games\.jsonl$"):
            play_all(PAIRING, 4, 1, keep=path)
        assert len(path.read_text().splitlines()) == 3


def test_nobody_asks_for_more_workers_than_any_machine_has(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for run, words in (
        (main, ["match", "toy"]),
        (strength.main, ["toy"]),
        (absurd.main, ["toy"]),
        (fitting.main, ["battleaxe"]),
    ):
        with pytest.raises(SystemExit, match="2"):
            run([*words, "--workers", "65"])
        assert "--workers: '65' is no whole number from 1 to 64" in capsys.readouterr().err


def double(task: tuple[int, Path]) -> int:
    """Twice a number; whoever comes to five first dies of it."""
    number, grave = task
    if number == 5 and not grave.exists():
        grave.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def test_a_worker_that_dies_loses_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = [(number, tmp_path / "grave") for number in range(9)]
    assert list(spread(double, tasks, 2)) == [2 * number for number in range(9)]
    assert capsys.readouterr().err == "a worker died; the games go on with one process\n"
    assert list(spread(double, tasks, 2)) == [2 * number for number in range(9)]
    assert not list(spread(double, [], 2)) and not capsys.readouterr().err


def test_fewer_games_than_scenarios_are_looked_through_on_any_number_of_workers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert absurd.main(["gallop", "--games", "1", "--level", "random", "--workers", "2"]) in (0, 1)
    assert "gallop, random: 1 games" in capsys.readouterr().out


def bar(done: int, games: int) -> str:
    """What stands at a terminal after so many games."""
    return f"[{'#' * (40 * done // games):40}] {done} of {games}"


def test_the_line_that_grows_ends_with_the_match_however_early(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    words = ["match", "toy", "--games", "60", "--seed", "test", "--sprt", "0.3:0.6", "--workers"]
    assert main([*words, "2"]) == 0
    assert re.fullmatch(r"(\r\[#* *\] \d+ of 60)+\n", terminal.getvalue())
    assert "60 of 60" not in terminal.getvalue()
    assert main(["match", "toy", "--games", "2"]) == 0
    assert terminal.getvalue().endswith(f"\r{bar(1, 2)}\r{bar(2, 2)}\n")


def test_what_goes_wrong_is_told_on_a_line_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    tasks = [(number, tmp_path / "grave") for number in range(9)]
    with progress(9) as tell:
        for done, _ in enumerate(spread(double, tasks, 2), 1):
            tell(done)
    told = "\r\033[Ka worker died; the games go on with one process\n"
    assert told in terminal.getvalue()
    assert terminal.getvalue().endswith(f"\r{bar(9, 9)}\n")


@pytest.mark.parametrize(
    ("script", "words", "games"),
    [
        (absurd, "gallop --games 2 --level random", 1),
        (strength, "toy --games 2 --match recruit,random", 2),
        (fitting, "battleaxe --games 2 --level quick --out weights.toml", 2),
    ],
)
def test_who_watches_a_script_sees_how_far_it_is(
    script: ModuleType,
    words: str,
    games: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert script.main(words.split()) in (0, 1)
    assert terminal.getvalue().endswith(f"\r{bar(games, games)}\n")


def test_absurd_moves_that_nobody_reads_about_are_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor is a full disk to be taken for an absurd move."""
    seen = Absurdity("in a circle", "officer", 3, "red", "march")
    found = [replace(each, absurd=(seen,)) for each in results(1, 1)]
    monkeypatch.setattr(absurd, "play_all", lambda *words, **named: found)
    assert absurd.main(["battleaxe"]) == 1
    with nobody_reads():
        assert absurd.main(["battleaxe"]) == 0
    with no_room(), pytest.raises(SystemExit, match="2"):
        absurd.main(["battleaxe"])
    assert capsys.readouterr().err.endswith("error: No space left on device; check the path\n")


def test_an_interrupted_match_goes_on_from_its_file(tmp_path: Path) -> None:
    whole = play_all(PAIRING, 8, 1)
    path = tmp_path / "games.jsonl"
    assert play_all(PAIRING, 5, 1, keep=path) == whole[:5]
    path.write_bytes(path.read_bytes()[:-7])
    told: list[int] = []
    assert play_all(PAIRING, 8, 1, told.append, keep=path) == whole
    assert told == [5, 6, 7, 8]
    assert play_all(PAIRING, 8, 2, told.append, keep=path) == whole
    kept = path.read_bytes()
    assert play_all(PAIRING, 2, 1, keep=path) == whole[:2]
    assert path.read_bytes() == kept, "a shorter match forgets nothing"
    path.write_bytes(b"")
    assert play_all(PAIRING, 2, 1, keep=path) == whole[:2], "an empty file is a new one"
    path.write_bytes(kept)
    assert len(told) == 4
    with pytest.raises(BadMessage, match="holds another match"):
        play_all(Pairing("toy", "row", {}, "random", "random", "x"), 2, 1, keep=path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2] + lines[3:]))
    with pytest.raises(BadMessage, match="game 1 is missing before game 2"):
        play_all(PAIRING, 8, 1, keep=path)
    assert path.read_text() == "".join(lines[:2] + lines[3:])


@pytest.mark.parametrize(
    ("old", "new"), [('"red"', '"foo"'), ('"winner":"blue"', '"winner":"zzz"')]
)
def test_games_of_sides_that_a_title_does_not_have_are_refused(
    old: str, new: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    play_all(PAIRING, 4, 1, keep=path)
    wrong = path.read_text().replace(old, new)
    assert new in wrong
    path.write_text(wrong)
    with pytest.raises(BadMessage, match="names a side that toy does not have; mend it"):
        play_all(PAIRING, 4, 1, keep=path)
    assert path.read_text() == wrong


def test_a_file_that_holds_something_else_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("no line ends here")
    with pytest.raises(BadMessage, match="holds another match"):
        play_all(PAIRING, 2, 1, keep=path)
    assert path.read_text() == "no line ends here"


@pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")
@pytest.mark.parametrize("workers", [1, 2])
def test_two_matches_do_not_write_to_one_file(workers: int, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    refused = 0

    def meanwhile(done: int) -> None:
        nonlocal refused
        with pytest.raises(BadMessage, match=r"another match writes to .*games\.jsonl; wait"):
            play_all(PAIRING, 4, 1, keep=path)
        refused += 1

    whole = play_all(PAIRING, 4, workers, meanwhile, keep=path)
    assert refused == 4
    assert len(path.read_text().splitlines()) == 5
    assert play_all(PAIRING, 4, 1, keep=path) == whole, "the next one may"


@pytest.mark.parametrize(
    ("empty", "told"),
    [
        ("--b-of", "no such version"),
        ("--sprt", "'' is no test"),
        ("--par", "'' is no handicap"),
        ("--keep", "cannot write ."),
    ],
)
def test_what_is_given_empty_is_not_passed_over(
    empty: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "battleaxe", "--games", "2", empty, ""]) == 2
    found = capsys.readouterr()
    assert told in found.err and not found.out


@pytest.mark.parametrize(
    ("script", "told"), [(absurd, "in a circle"), (strength, "| recruit v random | ")]
)
def test_a_script_that_breaks_off_tells_the_games_before(
    script: ModuleType,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    seen = Absurdity("in a circle", "recruit", 3, "red", "march")
    played = [replace(each, absurd=(seen,)) for each in results(1, 1)]

    def breaks_off(*arguments: object, **named: object) -> None:
        raise BrokenOff("game 3 broke off", played)

    monkeypatch.setattr(script, "play_all", breaks_off)
    with pytest.raises(BrokenOff):
        script.main(["toy"])
    assert told in capsys.readouterr().out


class ReadsTheHeading(StringIO):
    """Somebody who goes before the first match is told."""

    def write(self, text: str) -> int:
        if " v " in text:
            raise BrokenPipeError
        return super().write(text)


def test_what_strength_measured_is_on_its_page_though_nobody_reads_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(strength, "LADDER", (("recruit", "random"),))
    monkeypatch.setattr(strength, "nobody_listens", lambda: 0)
    monkeypatch.setattr(sys, "stdout", ReadsTheHeading())
    page = a_page(tmp_path, "matches of toy")
    assert strength.main(["toy", "--games", "2", "--out", str(page)]) == 0
    assert "| recruit v random |" in page.read_text()


@pytest.mark.parametrize("what", [["--games", "2"], ["--pace"]])
def test_strength_fills_its_page_to_the_end_though_its_reader_goes(
    what: list[str], tmp_path: Path
) -> None:
    page = a_page(tmp_path, "pace of toy" if what == ["--pace"] else "matches of toy")
    words = [sys.executable, "-c", PLAYS_THE_TOY, "toy", *what, "--out", str(page)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as script:
        assert script.stdout and script.stderr
        script.stdout.close()  # as `| head` does
        assert script.stderr.read() == b""
    assert script.returncode == 0
    text = page.read_text()
    last = "- general:1:" if what == ["--pace"] else "| random v recruit |"
    assert last in text


PLAYS_THE_TOY = """
import sys
import tests.conftest
from sandtable import strength
strength.LADDER = (("recruit", "random"), ("random", "recruit"))
strength.pace = lambda title, level: [0.1, 0.2]
raise SystemExit(strength.main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("script", "plays"), [(absurd, "play_all"), (strength, "play_all"), (fitting, "spread")]
)
def test_who_interrupts_a_script_reads_no_traceback(
    script: ModuleType,
    plays: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(script, plays, interrupted)
    assert script.main(["battleaxe", "--games", "2"]) == 130
    assert capsys.readouterr().err == "\n"


def test_a_handicap_counts_the_same_games_anew(tmp_path: Path) -> None:
    """By points, but for automatic victories, which no points undo; a file serves any handicap."""
    path = tmp_path / "games.jsonl"
    plain = play_all(PAIRING, 8, 1, keep=path)
    told: list[int] = []
    par = replace(PAIRING, par=("blue", min(each.points for each in plain)))
    counted = play_all(par, 8, 1, told.append, keep=path)
    assert not told
    assert [each.points for each in counted] == [each.points for each in plain]
    assert {each.winner for each in counted} <= {None, "blue"}
    assert {each.level for each in counted} == {"by par"}, "the printed levels are not for it"
    sure = Result(0, "red", "red", "automatic", 10, 3)
    assert by_par(replace(PAIRING, par=("red", 5)), [sure]) == [sure]


@pytest.mark.parametrize(
    ("title", "text", "told"),
    [
        (
            "battleaxe",
            "axis:10",
            "counts the points of 'allied', not of 'axis'; give allied:POINTS",
        ),
        ("gallop", "allied:2", "counts the points of 'axis'"),
        ("theseus", "commonwealth:9", "counts the points of 'axis'"),
        ("cauldron", "allied:1", "counts the points of 'axis'"),
        ("toy", "red:1", "toy counts the points of no one side"),
        ("gallop", "red:1", "'red:1' is no handicap; give axis:POINTS"),
        ("battleaxe", "allied", "'allied' is no handicap; give allied:POINTS"),
    ],
)
def test_a_handicap_is_for_the_side_whose_points_are_counted(
    title: str, text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", title, "--par", text]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(("title", "par"), [("battleaxe", ("allied", 10)), *strength.PARS.items()])
def test_the_usual_handicaps_are_taken(title: str, par: tuple[str, int]) -> None:
    assert handicap(sandtable.title(title), f"{par[0]}:{par[1]}") == par


def test_a_match_that_is_not_of_the_ladder_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        strength.main(["toy", "--match", "general,recruit"])
    assert "invalid choice: 'general,recruit'" in capsys.readouterr().err


def a_page(folder: Path, *places: str) -> Path:
    """A page with such places to write to."""
    page = folder / "page.md"
    marks = "".join(f"<!-- {each} -->\nold\n<!-- end of {each} -->\n" for each in places)
    page.write_text(f"# How strong\n\n{marks}The end.\n")
    return page


def test_strength_tells_each_match_without_and_with_its_handicap(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It fills its place of a page and nothing else; a match played again takes its own lines."""
    monkeypatch.setitem(strength.PARS, "toy", ("red", 1))
    monkeypatch.setattr(strength, "LADDER", (("recruit", "random"), ("officer", "ismcts")))
    monkeypatch.setattr(strength, "SLOW", 2)
    page = a_page(tmp_path, "matches of battleaxe", "matches of toy")
    games = ["toy", "--games", "4", "--keep", str(tmp_path / "new"), "--out", str(page)]
    assert strength.main(games) == 0
    told, whole = capsys.readouterr().out, page.read_text()
    lines = [line for line in told.splitlines() if " v random |" in line or " v ismcts |" in line]
    assert [line.split(" | ")[:4] for line in lines] == [
        ["| recruit v random", "", "`strength`", "4"],
        ["| recruit v random", "`--par red:1`", "`strength`", "4"],
        ["| officer v ismcts", "", "`strength`", "2"],
        ["| officer v ismcts", "`--par red:1`", "`strength`", "2"],
    ]
    assert "| ---: | ---: | --- | --- | --- | --- |\n" + "\n".join(lines) + "\n\n<!-- end" in whole
    assert whole.startswith("# How strong\n\n<!-- matches of battleaxe -->\nold\n")
    assert whole.endswith("\n\n<!-- end of matches of toy -->\nThe end.\n")
    assert whole.count("old") == 1
    assert len(list(tmp_path.glob("new/*.jsonl"))) == 2
    assert strength.main(games) == 0
    assert page.read_text() == whole
    assert strength.main([*games, "--match", "recruit,random", "--seed", "other"]) == 0
    again = page.read_text()
    assert [line for line in again.splitlines() if "`other`" in line] == [
        line for line in again.splitlines() if "recruit v random" in line
    ]
    assert "\n".join(lines[2:]) in again


def test_strength_plays_nothing_that_a_page_cannot_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = a_page(tmp_path, "pace of toy")
    words = ["toy", "--keep", str(tmp_path / "new"), "--out", str(page)]
    with pytest.raises(SystemExit):
        strength.main(words)
    told = "has no place for the matches of toy: add <!-- matches of toy -->"
    assert told in capsys.readouterr().err
    page.write_bytes(b"\xff")
    with pytest.raises(SystemExit, match="2"):
        strength.main(words)
    assert f"{page} is not UTF-8 text" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [page]


def test_strength_writes_the_pace_as_a_list_without_a_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strength, "pace", lambda title, level: [0.1] * 197 + [0.2, 0.22, 0.3])
    page = a_page(tmp_path, "pace of toy")
    assert strength.main(["toy", "--pace", "--out", str(page)]) == 0
    told = capsys.readouterr().out
    assert "|" not in told
    assert "## toy\n\n- recruit: mean 0.1021 s, p99 0.2200 s, longest 0.3000 s\n" in told
    kept = "- general:0.2: 99.5% of its answers within a tenth over the budget, longest 0.300 s\n"
    assert kept in told
    kept = "- general:1: 100.0% of its first 200 searches within a tenth over the budget, longest "
    assert f"{kept}0.300 s\n" in told
    listed = told.removeprefix("\n## toy\n\n")
    assert f"<!-- pace of toy -->\n\n{listed}\n<!-- end of pace of toy -->" in page.read_text()


def test_a_long_budget_is_timed_in_so_many_searches_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock that goes on with every look at it: an answer without a search takes two looks."""
    looks = 0

    def look() -> float:
        nonlocal looks
        looks += 1
        return looks / 1000

    monkeypatch.setattr(time, "process_time", look)
    monkeypatch.setattr(strength, "BUDGETS", {"0.2": None, "1": 3})
    spent = strength.pace("battleaxe", "general:1")
    assert len(spent) == 3 and 0.3 < spent[0] <= spent[-1] <= 1.1
    monkeypatch.setattr(strength, "BUDGETS", {"1": None})
    assert strength.pace("toy", "random")[-1] == pytest.approx(0.001)


def test_who_stops_a_match_reads_what_was_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play = match.play_one

    def tired(task: tuple[Pairing, int]) -> Result:
        if task[1] == 2:
            raise KeyboardInterrupt
        return play(task)

    monkeypatch.setattr(match, "play_one", tired)
    words = ["match", "battleaxe", "--a", "random", "--b", "random", "--games", "9", "--seed", "c"]
    assert main(words) == 130
    assert "2 games, seed c" in capsys.readouterr().out
