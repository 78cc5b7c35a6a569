"""The subcommands, one module each, and what several of them share."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import sandtable
from sandtable.kernel import record as records
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.game import Game, OptionValue
from sandtable.kernel.record import LONGEST_RECORD, Record, parse_option
from sandtable.kernel.title import Title

SEED = "the seed of the dice; a secret random one if not given"


def add_game(parser: ArgumentParser, seed: str = SEED) -> None:
    """The arguments that say how a game begins."""
    parser.add_argument("--scenario", default="", help="which scenario; the first if not given")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an optional rule"
    )
    parser.add_argument("--seed", help=seed)
    add_data(parser)


def add_data(parser: ArgumentParser) -> None:
    """The argument that names an edited data pack."""
    parser.add_argument("--data", metavar="FOLDER", help="an edited data pack")


def options_of(args: Namespace) -> dict[str, OptionValue]:
    """The options given as NAME=VALUE."""
    options: dict[str, OptionValue] = {}
    for each in args.option:
        name, sign, value = each.partition("=")
        if not sign or not name:
            raise BadMessage(f"option {each!r} has no value; write --option NAME=VALUE")
        if name in options:
            raise BadMessage(f"option {name!r} is given twice; give it once")
        options[name] = parse_option(value)
    return options


def start(args: Namespace) -> Game:
    """The game that the arguments ask for."""
    title = sandtable.title(args.title)
    return title.start(args.scenario, options_of(args), args.seed, data=args.data)


def read_text(path: str) -> str:
    """A text file, or standard input for "-"."""
    try:
        raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        if len(raw) > LONGEST_RECORD:
            raise BadMessage(f"{path} is larger than {LONGEST_RECORD} bytes; is it the right file?")
        return raw.decode("utf-8-sig")  # some editors put a mark before the text
    except OSError as error:
        raise BadMessage(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadMessage(f"{path} is not UTF-8 text; is it the right file?") from None


def read_record(path: str) -> tuple[Title, Record]:
    """A record file and its title; errors name the file."""
    try:
        record = records.parse(read_text(path))
        return sandtable.title(record.title), record
    except BadMessage as error:
        message = str(error)
        raise BadMessage(message if path in message else f"{path}: {message}") from None


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """A type for arguments that are whole numbers of at least this, and perhaps at most that."""
    wanted = f"of at least {least}" if most is None else f"from {least} to {most}"

    def read(word: str) -> int:
        with suppress(ValueError):
            if (number := int(word)) >= least and (most is None or number <= most):
                return number
        raise ArgumentTypeError(f"{word!r} is no whole number {wanted}")

    return read


def amount(least: float, most: float) -> Callable[[str], float]:
    """A type for arguments that are numbers from this to that."""

    def read(word: str) -> float:
        with suppress(ValueError):
            if least <= (number := float(word)) <= most:
                return number
        raise ArgumentTypeError(f"{word!r} is no number from {least:g} to {most:g}")

    return read


def run_script(parser: ArgumentParser, work: Callable[[], int]) -> int:
    """Run one of scripts/ as `sandtable` runs a command: no mistake and no end is a traceback."""
    try:
        open_streams()
        code = work()
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return nobody_listens()
    except BadMessage as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(of_system(error))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


def open_streams() -> None:
    """Closed streams are empty, but the output must go somewhere."""
    # A stream that was closed is None, whatever its type says.
    if not sys.stdin:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if not sys.stderr:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if not sys.stdout:
        raise BadMessage(f"the output is closed; send it to a file, or to {os.devnull}")


def nobody_listens() -> int:
    """Whoever read our output has gone; nothing is left to say, not even on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def of_system(error: OSError) -> str:
    """What the system says, without its numbers."""
    where = f" {error.filename}" if error.filename else ""
    return f"{error.strerror or error}{where}; check the path"


def try_to_write(path: Path) -> None:
    """Whether a file can be written is known before the games are played, not after."""
    if not path.parent.is_dir():
        raise BadMessage(f"cannot write {path}: there is no such folder")
    new = not path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        raise BadMessage(f"cannot write {path}: {error.strerror}") from None
    if not path.is_file():
        raise BadMessage(f"cannot write {path}: it is no plain file; give another name")
    if new:
        path.unlink()
