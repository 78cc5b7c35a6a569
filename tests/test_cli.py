"""The command line: what it prints, and one clear line for every mistake."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sandtable
from sandtable.cli import COMMANDS, main
from sandtable.commands.terminal import Session
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.table import Table
from sandtable.players import Player
from sandtable.players.officer import Officer
from sandtable.players.seat import Choice, Seat

TOY = sandtable.title("toy")
Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def finished() -> Table:
    """A short game that is over."""
    table = Table(TOY.start("duel", {"deal": "shields"}, "cli", scripted=[6]), faces=[6])
    for text in ("move R2 c", "pass", "attack R2 B1", "card no"):
        table.play(text)
    return table


@pytest.fixture
def sand(tmp_path: Path) -> Path:
    file = tmp_path / "game.sand"
    file.write_text(finished().record().print(), encoding="utf-8")
    return file


def run(capsys: Capture, *args: str) -> str:
    """What a command prints when it works."""
    assert main(args) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_help_lists_every_command(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    assert name in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "required"),
        (["dance"], "invalid choice"),
        (["play"], "required: title"),
        (["play", "chess"], "no title is called 'chess'"),
        (["play", "toy", "--scenario", "mars"], "no scenario 'mars'"),
        (["play", "toy", "--option", "turns"], "--option NAME=VALUE"),
        (["play", "toy", "--option", "turns=many"], "whole number"),
        (["play", "toy", "--option", "turns=1000"], "1 to 99"),
        (["play", "toy", "--option", "late=no", "--option", "late=yes"], "given twice"),
        (["play", "toy", "--option", "tea=yes"], "no option 'tea'"),
        (["play", "toy", "--side", "green"], "no side is called 'green'"),
        (["play", "toy", "--against", "colonel"], "no opponent is called 'colonel'"),
        (["play", "toy", "--watch", "colonel"], "no opponent is called 'colonel'"),
        (["play", "toy", "--against", ""], "no opponent is called ''"),
        (["play", "toy", "--watch", ""], "no opponent is called ''"),
        (["play", "toy", "--side", ""], "no side is called ''"),
        (["play", "toy", "--load", ""], "cannot read"),
        (["play", "toy", "--position", ""], "cannot read"),
        (["play", "toy", "--watch", "officer", "--against", "person"], "give a level"),
        (["play", "toy", "--seed", "a\nb"], "single lines"),
        (["play", "toy", "--data", "/no/where"], "no data pack at /no/where"),
        (["play", "toy", "--load", "/no/where.sand"], "cannot read /no/where.sand"),
        (["play", "toy", "--position", "/no/where.toml"], "cannot read /no/where.toml"),
        (["play", "toy", "--frob"], "unrecognized arguments: --frob"),
        (["match", "toy", "--a", "colonel"], "no opponent is called 'colonel'"),
        (["match", "toy", "--games", "0"], "--games: '0' is no whole number of at least 1;"),
        (["match", "toy", "--workers", "-3"], "no whole number from 1 to 64"),
        (["show", "chess"], "neither a title"),
        (["show", "toy", "--side", "green"], "no side is called 'green'"),
        (["replay", "/no/where.sand"], "cannot read"),
        (["verify", "/no/where.sand"], "cannot read"),
        (["engine", "chess"], "no title is called 'chess'"),
        (["data", "export", "chess", "x"], "no title is called 'chess'"),
        (["data", "check", "toy", "/no/where"], "no data pack"),
        (["data"], "required"),
        (["rules", "toy", "99.9"], "no rule '99.9'"),
        (["bench", "toy", "--scenario", "mars"], "no scenario 'mars'"),
        (["bench", "toy", "--seconds", "-1"], "--seconds"),
        (["bench", "server", "--rate", "0"], "--rate: '0' is no number from 1 to 100000;"),
        (["bench", "server", "--rate", "nan"], "--rate: 'nan' is no number from 1 to 100000;"),
        (["serve", "--port", "65536"], "--port: '65536' is no whole number from 0 to 65535;"),
        (["serve", "--workers", "99999"], "no whole number from 1 to 64"),
        (["serve", "--idle", "nan"], "--idle: 'nan' is no number from 0"),
        (["serve", "--notice-delay", "-1"], "--notice-delay: '-1' is no number from 0"),
        (["serve", "--web", "/no/where"], "there is no folder /no/where"),
        (["serve", "--packs", "/no/where"], "there is no folder /no/where"),
        (["admin", "health", "http://a b"], "no server answers at http://a b"),
        (["fuzz", "toy", "--decisions", "x"], "--decisions"),
        (["fuzz", "toy", "--scenario", "mars"], "no scenario 'mars'"),
    ],
)
def test_a_mistake_gets_one_line_and_exit_code_two(
    args: list[str], says: str, capsys: Capture
) -> None:
    try:
        code: object = main(args)
    except SystemExit as left:
        code = left.code
    told = capsys.readouterr()
    assert code == 2
    assert len(told.err.splitlines()) == 1
    assert says in told.err
    assert told.out == ""


@pytest.mark.parametrize("command", ["replay", "verify", "show"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sandtable 1", "hello"),
        ("title toy", "title chess"),
        ("move R2 c", "move R2 e"),
        ("move R2 c", "aim R2\nmove R2 c"),
        ("result red rout", "result blue rout"),
        ("digest ", "digest 0"),
        ("hash ", "hash 0"),
        ("faces 6", "faces 5"),
    ],
)
def test_a_changed_record_gets_one_line(
    command: str, old: str, new: str, sand: Path, capsys: Capture
) -> None:
    text = sand.read_text()
    assert old in text
    changed = text.replace(old, new, 1)
    if new.startswith("aim"):
        changed = changed.replace("card no # attack 6", "card no")
    sand.write_text(changed)
    code = main([command, str(sand)])
    if new.startswith("aim"):
        assert code == 0  # aiming first is another game that ends the same way
        return
    assert code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_files_that_are_not_text_get_one_line(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "x.sand"
    file.write_bytes(b"\xff\xfe\x00")
    assert main(["verify", str(file)]) == 2
    assert "UTF-8" in capsys.readouterr().err
    assert main(["replay", str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_mark_before_the_text_and_spaces_before_the_header_do_no_harm(
    sand: Path, tmp_path: Path, capsys: Capture
) -> None:
    text = sand.read_text()
    sand.write_bytes(b"\xef\xbb\xbf" + text.replace("title toy", "  title toy").encode())
    assert main(["verify", str(sand)]) == 0
    pack = tmp_path / "pack"
    assert main(["data", "export", "battleaxe", str(pack)]) == 0
    for file in pack.rglob("*.toml"):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert main(["data", "check", "battleaxe", str(pack)]) == 0
    assert "unchanged" in capsys.readouterr().out


def test_verify_checks_every_file(sand: Path, tmp_path: Path, capsys: Capture) -> None:
    bad = tmp_path / "bad.sand"
    bad.write_text(sand.read_text().replace("pass", "move B1 c"))
    assert main(["verify", str(bad), str(sand)]) == 2
    told = capsys.readouterr()
    assert "game.sand: 4 lines, 1 rolls, 1 draws, red rout" in told.out
    assert "bad.sand: action 3" in told.err or "bad.sand: action" in told.err


def test_replay_tells_the_game(sand: Path, capsys: Capture) -> None:
    told = run(capsys, "replay", str(sand))
    assert "3. Red: Move or attack with one unit, or pass. [1.1]\n> attack R2 B1" in told
    assert "B1 is lost. [3.2]" in told
    assert "Winner: Red, rout." in told


def test_replay_steps(sand: Path, capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n"))
    told = run(capsys, "replay", str(sand), "--step")
    assert "2. Blue" in told and "3. Red" not in told


@pytest.mark.skipif(sys.platform == "win32", reason="shells close streams otherwise there")
@pytest.mark.parametrize(
    ("words", "told", "code"),
    [
        ("-m sandtable show battleaxe >&-", "sandtable: the output is closed; send it", 2),
        ("-m sandtable.absurd battleaxe >&-", "scripts/absurd: error: the output is closed", 2),
        ("-m sandtable play battleaxe <&- >&2", "The input has ended; the game is left as", 0),
        ("-m sandtable show chess 2>&-", "", 2),
    ],
)
def test_a_closed_stream_is_told_in_a_line(words: str, told: str, code: int) -> None:
    done = subprocess.run(
        f"{shlex.quote(sys.executable)} {words}", shell=True, capture_output=True, text=True
    )
    *_, last = done.stderr.splitlines() or [""]
    assert last.startswith(told) and "Traceback" not in done.stderr
    assert (done.stdout, done.returncode) == ("", code)


def test_show_draws_a_position(sand: Path, capsys: Capture) -> None:
    assert "b: R2." in run(capsys, "show", "toy", "--seed", "1")
    assert "c: R2." in run(capsys, "show", str(sand), "--at", "1")
    assert "Winner: Red, rout." in run(capsys, "show", str(sand))
    seen = json.loads(run(capsys, "show", "toy", "--seed", "1", "--json", "--side", "red"))
    assert seen["side"] == "red"
    assert main(["show", str(sand), "--at", "99"]) == 2


def test_show_writes_a_position_that_it_reads(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "position.toml"
    file.write_text(run(capsys, "show", "toy", "--toml"))
    assert "b: R2." in run(capsys, "show", "toy", "--position", str(file))


def test_rules_list_code_and_tests(capsys: Capture) -> None:
    rows = json.loads(run(capsys, "rules", "toy", "--json"))
    assert set(rows[0]) == {"number", "heading", "code", "tests", "reason"}
    by_number = {row["number"]: row for row in rows}
    assert any("adjacent" in place for place in by_number["2.1"]["code"])
    assert by_number["1.2"]["reason"]
    assert "The next space." in run(capsys, "rules", "toy", "3.1")


def test_data_packs_are_exported_and_checked(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "pack"
    run(capsys, "data", "export", "toy", str(folder))
    assert "unchanged" in run(capsys, "data", "check", "toy", str(folder))
    units = folder / "units.toml"
    units.write_text(units.read_text().replace('space = "a"', 'space = "zz"'))
    assert main(["data", "check", "toy", str(folder)]) == 2
    assert "units.toml: unit R1: no space 'zz'" in capsys.readouterr().err
    assert main(["data", "export", "toy", str(folder)]) == 2


def test_a_match_is_the_same_with_any_number_of_workers(capsys: Capture) -> None:
    told = [
        run(capsys, "match", "toy", "--games", "12", "--json", *more)
        for more in ([], ["--workers", "2"], ["--seed", "other"])
    ]
    assert told[0] == told[1]
    assert told[0] != told[2]
    last = json.loads(told[0].splitlines()[-1])
    assert set(last["score"]) == {"recruit", "random"}
    assert sum(last["score"].values()) == pytest.approx(1)


def test_a_level_can_play_itself(capsys: Capture) -> None:
    told = run(capsys, "match", "toy", "--games", "2", "--a", "random", "--b", "random", "--json")
    assert set(json.loads(told.splitlines()[-1])["score"]) == {"random", "random (b)"}


def test_bench_reports_every_figure(capsys: Capture) -> None:
    told = json.loads(run(capsys, "bench", "toy", "--seconds", "0.1", "--json"))
    figures = told["titles"]["toy"]
    assert {
        "decisions_per_second",
        "listed_actions_per_second",
        "ratio_to_python_chess",
        "copy_microseconds",
        "record_bytes_per_decision",
        "state_json_bytes",
    } <= set(figures)
    assert set(figures["scenarios"]) == {"row", "duel"}
    ratios = (figures["decisions_ratio"], figures["listed_actions_ratio"])
    assert figures["ratio_to_python_chess"] == max(ratios)


def test_fuzz_keeps_records_that_verify(tmp_path: Path, capsys: Capture) -> None:
    told = run(capsys, "fuzz", "toy", "--decisions", "200", "--records", str(tmp_path / "kept"))
    assert "no fault" in told
    files = sorted(str(file) for file in (tmp_path / "kept").glob("*.sand"))
    assert len(files) > 5
    run(capsys, "verify", *files)


def test_a_pack_that_no_game_can_be_set_up_from_is_told_in_one_line(
    tmp_path: Path, capsys: Capture
) -> None:
    pack = tmp_path / "pack"
    assert main(["data", "export", "theseus", str(pack)]) == 0
    scenario = pack / "scenarios" / "bir-hacheim.toml"
    text = scenario.read_text()
    assert '\ngoal = "2521"' in text
    scenario.write_text(text.replace('\ngoal = "2521"', '\ngoal = ""'))
    capsys.readouterr()
    play = ["play", "theseus", "--scenario", "bir-hacheim", "--data", str(pack)]
    for words in (["data", "check", "theseus", str(pack)], play):
        assert main(words) == 2
        told = capsys.readouterr().err
        assert "cannot be set up" in told and told.count("\n") == 1


def test_fuzz_keeps_records_whatever_its_seed_is(tmp_path: Path) -> None:
    words = ["fuzz", "toy", "--decisions", "20", "--records", str(tmp_path), "--seed", "a/../b"]
    assert main(words) == 0
    assert {each.parent for each in tmp_path.rglob("*.sand")} == {tmp_path}


def test_fuzz_leaves_a_record_of_a_failure(
    tmp_path: Path, capsys: Capture, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(TOY.steps[0], "prompt", lambda *args: "")
    assert main(["fuzz", "toy", "--decisions", "50"]) == 1
    assert "the prompt is ''; replay it" in capsys.readouterr().err
    monkeypatch.undo()
    (file,) = tmp_path.glob("*.sand")
    assert main(["replay", str(file)]) == 0


def test_engine_serves_standard_input(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: Patch
) -> None:
    class Source:
        buffer = io.BytesIO(b'{"cmd": "start", "seed": "1"}\nnonsense\n')

    monkeypatch.setattr("sys.stdin", Source())
    assert main(["engine", "toy"]) == 0
    first, second = map(json.loads, capsysbinary.readouterr().out.splitlines())
    assert first["ok"] and not second["ok"]


# Terminal play


def talk(capsys: Capture, monkeypatch: Patch, typed: str, *args: str) -> str:
    """A conversation in the terminal."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return run(capsys, "play", "toy", "--seed", "1", *args)


def test_a_whole_game_is_played_by_numbers(capsys: Capture, monkeypatch: Patch) -> None:
    told = talk(capsys, monkeypatch, "1\n" * 100, "--against", "person")
    assert "Red: Move or attack with one unit, or pass. [1.1]" in told
    assert "The game is over." in told
    assert "Units of red alive: 2 [4.1]." in told
    assert "A draw, points." in told
    assert "Seed of the dice: 1" in told


@pytest.mark.parametrize("level", ["random", "recruit"])
@pytest.mark.parametrize("side", ["red", "blue"])
def test_a_game_against_an_opponent_ends(
    level: str, side: str, capsys: Capture, monkeypatch: Patch
) -> None:
    told = talk(capsys, monkeypatch, "1\n" * 100, "--against", level, "--side", side)
    assert "The game is over." in told


def test_two_opponents_are_watched(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    """Enter lets the next side move; commands answer in between; the game can be kept."""
    file = tmp_path / "watched.sand"
    typed = f"score\nhint\nchance\ndance\nsave {file}\n" + "\n" * 200
    told = talk(capsys, monkeypatch, typed, "--watch", "recruit", "--against", "officer")
    assert "Chance of the Red to win: " in told
    assert "Next: Red. Press Enter to go on, or type a command." in told
    assert "An officer would choose:" in told and "No command is called that." in told
    assert "Why: " in told and "The game is over." in told
    back = talk(capsys, monkeypatch, f"load {file}\nquit\n", "--watch", "random")
    assert "Loaded" in back and back.rstrip().endswith("The game is left as it is.")


def test_an_unsaved_game_is_not_left_by_mistake(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    warning = "The game is not saved: type save FILE to keep it, or quit again to leave."
    told = talk(capsys, monkeypatch, "1\nquit\nquit\n1\n", "--against", "person")
    assert told.count(warning) == 1
    assert told.rstrip().endswith("The game is left as it is.")
    saved = f"1\nsave {tmp_path / 'kept.sand'}\nquit\n"
    for typed in ("quit\n", saved):
        assert warning not in talk(capsys, monkeypatch, typed, "--against", "person")


class Keyboard:
    """A terminal, at which Ctrl-C and Ctrl-D are typed too; what goes on asking fails."""

    def __init__(self, typed: str) -> None:
        self._typed = io.StringIO(typed)

    def readline(self) -> str:
        match line := self._typed.readline():
            case "^C\n":
                raise KeyboardInterrupt
            case "^D\n":
                return ""
            case "":
                pytest.fail("The game goes on asking.")
        return line

    def isatty(self) -> bool:
        return True


def test_an_interrupt_loses_no_game(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    """At the prompt, while an opponent thinks, and while a hint is thought about."""

    def stopped(self: Officer, seat: Seat) -> Choice:
        if stops.pop():
            raise KeyboardInterrupt
        return Choice(seat.actions()[0], "It is slow.")

    kept = tmp_path / "kept.sand"
    stops = [False] * 9 + [True] * 3
    monkeypatch.setattr(Officer, "choose", stopped)
    typed = f"hint\n1\n^C\nsave /nowhere/x\nscore\nsave {kept}\n\n\n1\n^C\n^C\n"
    monkeypatch.setattr("sys.stdin", Keyboard(typed))
    told = run(capsys, "play", "toy", "--seed", "1", "--against", "officer")
    assert "It is left off." in told and "Cannot write /nowhere/x" in told
    assert told.count("Press Enter to go on, or type save FILE or quit.") == 6
    assert "score is not possible while an opponent is to decide." in told
    assert told.count("The game is not saved: type save FILE to keep it") == 2
    assert told.rstrip().endswith("The game is left as it is.")
    assert told.index("Saved in") < told.index("Decided by Blue")
    assert kept.read_text()


def test_a_watched_game_is_not_lost_by_an_interrupted_hint(
    capsys: Capture, monkeypatch: Patch
) -> None:
    def stopped(self: Officer, seat: Seat) -> Choice:
        raise KeyboardInterrupt

    monkeypatch.setattr(Officer, "choose", stopped)
    monkeypatch.setattr("sys.stdin", Keyboard("\nhint\nscore\nquit\nquit\n"))
    told = run(capsys, "play", "toy", "--watch", "random", "--against", "random")
    _, _, after = told.partition("It is left off.")
    assert "The game is not saved" in after
    assert after.rstrip().endswith("The game is left as it is.")


def test_ctrl_d_asks_as_quit_does(capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setattr("sys.stdin", Keyboard("1\n^D\n1\n^D\n^D\n"))
    told = run(capsys, "play", "toy", "--seed", "1", "--against", "person")
    assert told.count("The game is not saved: type save FILE to keep it") == 2
    assert told.rstrip().endswith("The game is left as it is.")
    piped = talk(capsys, monkeypatch, "1\n", "--against", "person")
    assert piped.rstrip().endswith("The input has ended; the game is left as it is.")


def test_empty_lines_leave_no_game_that_is_over(capsys: Capture, monkeypatch: Patch) -> None:
    told = talk(capsys, monkeypatch, "\n" * 100, "--watch", "random", "--against", "random")
    asked = "Type save FILE to keep the game, load FILE for another, or quit."
    assert told.count(asked) > 3
    assert "The game is not saved" not in told
    assert told.rstrip().endswith("The input has ended; the game is left as it is.")


def test_thinking_long_is_told(capsys: Capture, monkeypatch: Patch) -> None:
    quick = talk(capsys, monkeypatch, "hint general:0.2\nhint colonel\n", "--against", "random")
    assert "A general would choose: " in quick and "'colonel'" in quick
    assert "thinks" not in quick

    def slow(self: Officer, seat: Seat) -> Choice:
        time.sleep(0.2)
        return Choice(seat.actions()[0], "It is slow.")

    monkeypatch.setattr("sandtable.commands.terminal.PATIENCE", 0.01)
    monkeypatch.setattr(Officer, "choose", slow)
    told = talk(capsys, monkeypatch, "hint\n1\n", "--against", "officer")
    assert "An officer thinks about it. Ctrl-C leaves it off.\nAn officer would choose: " in told
    assert "The officer thinks for the Blue. Ctrl-C interrupts." in told


def test_an_opponent_says_a_thing_once(capsys: Capture, monkeypatch: Patch) -> None:
    """What nobody sees is told once in a row, and a plan's reason once for all its actions."""
    plan = "What weighs most: the ridge. It is the best of 2 plans."
    script = [
        ("aim B1", f"Takes aim. 50% to go well. {plan}"),
        ("pass", f"Waits. {plan}"),
        ("aim B1", f"Takes aim. 67% to go well. {plan}"),
        ("move B1 c", plan),
        ("move B1 d", "Falls back. No other plan was tried."),
    ]

    def scripted(self: Officer, seat: Seat) -> Choice:
        text, heard = script.pop(0)
        action = next(each for each in seat.actions() if seat.text(each) == text)
        return Choice(action, heard, heard=heard)

    monkeypatch.setattr(Officer, "choose", scripted)
    told = talk(
        capsys, monkeypatch, "pass\npass\nquit\n", "--against", "officer", "--option", "late=yes"
    )
    lines = [line.removeprefix("> ") for line in told.splitlines()]
    heard = [line for line in lines if line.startswith(("Decided", "Why", "B1"))]
    assert heard == [
        "Decided by Blue: Move or attack with one unit, or pass.",
        f"Why: Takes aim. 50% to go well. {plan}",
        "Decided by Blue: Move or attack with one unit, or pass.",
        "Why: Takes aim. 67% to go well.",
        "B1 moves to c. [2.1]",
        "B1 moves to d. [2.1]",
        "Why: Falls back. No other plan was tried.",
    ]


def test_who_watches_reads_what_was_asked_and_answered(capsys: Capture, monkeypatch: Patch) -> None:
    """Also where nothing is seen to happen, as when a side keeps what it might have spent."""

    def aims(self: Officer, seat: Seat) -> Choice:
        return Choice(next(each for each in seat.actions() if seat.text(each) == "aim B1"), "")

    monkeypatch.setattr(Officer, "choose", aims)
    told = talk(
        capsys,
        monkeypatch,
        "\n",
        "--watch",
        "officer",
        "--against",
        "random",
        "--option",
        "late=yes",
    )
    assert "Decided by Blue: Move or attack with one unit, or pass. aim B1." in told


def test_commands_answer_in_words(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    file = tmp_path / "saved.sand"
    typed = [
        "help",
        "map",
        "units B2",
        "units zzz",
        "score",
        "odds 1",
        "odds x",
        "odds 77",
        "odds",
        "why move R1 e",
        "why move R1 b",
        "why",
        "why fly",
        "rule 2.1",
        "rule 9",
        "hint",
        "chance",
        "undo",
        "log",
        "log x",
        "order",
        "order card never",
        "order tea never",
        "save",
        f"save {file}",
        "save /no/where/x",
        "load",
        "load /no/where",
        f"load {file}",
        "aim R1",
        "undo",
        "²",
        "99999999999",
        "0" * 8 + "1" * 5000,
        "log " + "9" * 5000,
        "/r2",
        "move r2",
        "zzz",
        "back",
        "",
        "move R2 c",
        "quit",
        "quit",
    ]
    told = talk(capsys, monkeypatch, "\n".join(typed) + "\n")
    for words in (
        "b: R2.",
        "B2: Blue, infantry, in e, strength 2, values reconstructed.",
        "No counter's line holds 'zzz'.",
        "It rolls no dice.",
        "There is no choice 77",
        "only the next space can be reached. [2.1]",
        "That is legal.",
        "2.1 Moving. One space.",
        "has no rule '9'",
        "An officer would choose:",
        "%, as games of opponents",
        "Nothing can be taken back",
        "card, Turn the card over [3.3]: ask",
        "One that ends in -now holds until",
        "card is now never.",
        "no interrupt is called 'tea'",
        "Saved in",
        "Cannot write /no/where/x",
        "cannot read /no/where",
        "Loaded",
        "Taken back: aim R1.",
        "There is no choice 99999999999",
        "No choice holds 'zzz'",
        "R2 moves to c. [2.1]",
        "The game is not saved",
        "The game is left as it is.",
    ):
        assert words in told, words


def test_secrets_of_one_person_wait_for_their_turn(capsys: Capture, monkeypatch: Patch) -> None:
    told = talk(capsys, monkeypatch, "score\npass\nscore\nquit\n", "--against", "person")
    red, _, blue = told.partition("Blue: Move or attack")
    assert "Card of red" in red and "Card of blue" not in red
    assert "Card of blue" in blue and "Card of red" not in blue


def test_a_saved_game_goes_on(capsys: Capture, monkeypatch: Patch, sand: Path) -> None:
    told = talk(capsys, monkeypatch, "quit\n", "--load", str(sand))
    assert "Winner: Red, rout." in told


def test_a_saved_game_goes_on_with_who_played_it(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    """The record knows the side and the opponent; arguments say otherwise."""
    file = tmp_path / "mine.sand"
    typed = f"save {file}\nquit\n"
    talk(capsys, monkeypatch, typed, "--side", "blue", "--against", "officer")
    assert "player red officer" in file.read_text()
    assert "\nBlue: " in talk(capsys, monkeypatch, "quit\n", "--load", str(file))
    told = talk(capsys, monkeypatch, f"load {file}\nquit\n", "--against", "person")
    assert f"Loaded {file} (Red: officer, Blue: person)." in told
    told = talk(capsys, monkeypatch, "quit\n", "--load", str(file), "--against", "person")
    assert "\nBlue: " in told


def saved_as(file: Path, red: str, blue: str) -> Path:
    """A game that has just begun, saved with these players."""
    table = Table(TOY.start(seed="saved"), {"red": red, "blue": blue})
    file.write_text(table.record(reveal=True).print(), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("who", "why"),
    [
        ("general:0", "'0' is no budget"),
        ("general:5x0", "'0' is no number of cores"),
        ("colonel", "no opponent is called 'colonel'"),
        ("Anna", "no opponent is called 'Anna'"),
    ],
)
def test_a_game_of_players_we_cannot_seat_is_loaded_with_ours(
    who: str, why: str, capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    """It is said why, and who plays instead, unless the arguments name another."""
    file = saved_as(tmp_path / "theirs.sand", who, "person")
    why = f"{who!r} cannot play Red: {why}"
    told = talk(capsys, monkeypatch, f"load {file}\nquit\n", "--against", "officer")
    assert why in told
    assert f"Loaded {file} (Red: person, Blue: officer)." in told
    told = talk(capsys, monkeypatch, "quit\n", "--load", str(file))
    assert told.startswith(why)
    assert "\nInstead Red: recruit, Blue: person; choose another with --against.\n" in told
    assert "\nBlue: " in told
    told = talk(capsys, monkeypatch, "quit\n", "--load", str(file), "--against", "officer")
    assert "cannot play" not in told and "\nBlue: " in told


def test_an_opponent_we_can_seat_stays_when_the_person_has_a_name(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    file = saved_as(tmp_path / "named.sand", "officer", "Anna")
    told = talk(capsys, monkeypatch, "quit\n", "--load", str(file))
    assert "Instead Red: officer, Blue: person; choose another with --against." in told


def test_a_game_against_a_tree_search_goes_on_against_it(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    file = saved_as(tmp_path / "tree.sand", "person", "ismcts:0.2")
    told = talk(capsys, monkeypatch, f"load {file}\nquit\n", "--against", "person")
    assert f"Loaded {file} (Red: person, Blue: ismcts:0.2)." in told


def test_who_loads_with_an_error_plays_on(monkeypatch: Patch, tmp_path: Path) -> None:
    """Whatever goes wrong, the game, the opponents and what is not saved stay as they are."""
    table, target = Table(TOY.start(seed="1")), io.StringIO()
    session = Session(table, {"red": "person", "blue": "officer"}, None, io.StringIO(), target)
    table.play("pass")
    before = dict(vars(session))
    file = saved_as(tmp_path / "other.sand", "person", "recruit")

    def wrong(level: str, seed: str) -> Player:
        raise BadMessage("no such opponent")

    file.write_text(file.read_text().replace("digest ", "digest 0"), encoding="utf-8")
    with pytest.raises(BadMessage, match="digest"):
        session._load(str(file))
    assert vars(session) == before
    saved_as(file, "person", "recruit")
    session.kept = before["kept"] = len(table.history)
    monkeypatch.setattr("sandtable.commands.terminal.player", wrong)
    with pytest.raises(BadMessage, match="no such opponent"):
        session._load(str(file))
    assert vars(session) == before


def test_an_unsaved_game_is_not_dropped_for_another(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    file = saved_as(tmp_path / "other.sand", "person", "person")
    typed = f"pass\nload {file}\nmap\nload {file}\nquit\n"
    told = talk(capsys, monkeypatch, typed, "--against", "person")
    asked, _, loaded = told.partition(f"Loaded {file}")
    warning = "type save FILE to keep it, or load it again to drop this one."
    assert asked.count(warning) == 1 and loaded
    assert warning not in talk(capsys, monkeypatch, f"load {file}\nquit\n", "--against", "person")


@pytest.mark.parametrize(
    ("words", "red", "blue"),
    [
        ("--against officer", "officer", "person"),
        ("--against general:5", "general:5", "person"),
        ("--side red", "person", "recruit"),
        ("--side red --against officer", "person", "officer"),
        ("--watch officer", "recruit", "officer"),
    ],
)
def test_a_loaded_game_keeps_its_side_and_names_who_plays_on(
    words: str, red: str, blue: str, capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    table = Table(TOY.start(seed="saved", options={"late": True}))
    table.players = {"red": "recruit", "blue": "person"}
    file = tmp_path / "mine.sand"
    file.write_text(table.record(reveal=True).print(), encoding="utf-8")
    again = tmp_path / "again.sand"
    typed = f"save {again}\nquit\n"
    talk(capsys, monkeypatch, typed, "--load", str(file), *words.split())
    assert f"\nplayer red {red}\n" in again.read_text()
    assert f"\nplayer blue {blue}\n" in again.read_text()


def test_a_hint_depends_on_nothing_hidden(capsys: Capture, monkeypatch: Patch) -> None:
    hints = set()
    for seed in "12345678":
        told = talk(capsys, monkeypatch, "hint random\nquit\n", "--seed", seed)
        hints.add(told.partition("would choose: ")[2].splitlines()[0])
    assert len(hints) == 1


def test_a_recruit_gives_a_reason_for_its_hint(capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hint recruit\nquit\n"))
    told = run(capsys, "play", "gallop", "--seed", "1")
    assert re.search(r"A recruit would choose: .*\. \S.* At a glance ", told)


def test_long_lists_are_grouped(capsys: Capture, monkeypatch: Patch) -> None:
    monkeypatch.setattr("sandtable.commands.terminal.PAGE", 2)
    told = talk(capsys, monkeypatch, "3\n1\nquit\n")
    assert "2. aim: 2 choices\n3. move: 3 choices" in told
    assert "2. R2: 2 choices" in told
    assert "R1 moves to b. [2.1]" in told
