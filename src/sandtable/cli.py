"""The command line: a table of subcommands, each a module of `sandtable.commands`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from sandtable.commands import nobody_listens, of_system, open_streams
from sandtable.kernel.errors import BadMessage, Refused

COMMANDS = {
    "play": "a game in the terminal, against a person or an opponent",
    "match": "opponents against each other, many games, sides swapped",
    "show": "a position as text",
    "render": "a position as a picture: SVG, PNG or PDF",
    "replay": "a record told from start to end, or step by step",
    "verify": "records checked: every line, every die, the digest",
    "engine": "the rules over standard input and output, one JSON object a line",
    "data": "data packs: export the printed facts, check an edited pack",
    "rules": "the numbered rules of a title with the code and tests that carry them",
    "bench": "how fast random play is, beside python-chess",
    "fuzz": "random play with every promise checked",
    "serve": "the server: games in the browser, over the net or at one screen",
    "admin": "backups, exports, lists, deletion and health of a server",
}
"""Each has a module `sandtable.commands.<name>` with `configure(parser)` and `run(args)`."""

MISTAKE = 2


class Parser(argparse.ArgumentParser):
    """A parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and stop."""
        complain(f"{message}; see `{self.prog} --help`")
        sys.exit(MISTAKE)


def complain(message: str) -> None:
    """One line to the person at the keyboard."""
    print(f"sandtable: {' '.join(message.split())}", file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; mistakes of the caller give one line and exit code 2."""
    args = list(sys.argv[1:] if argv is None else argv)
    top = Parser(prog="sandtable", description="Board wargames on the desert war, rules enforced.")
    below = top.add_subparsers(dest="command", metavar="command", required=True)
    for name, text in COMMANDS.items():
        parser = below.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        if name in args[:1]:
            import_module(f"sandtable.commands.{name}").configure(parser)
    chosen = top.parse_args(args)
    try:
        open_streams()
        code: int = import_module(f"sandtable.commands.{chosen.command}").run(chosen)
        sys.stdout.flush()
        return code
    except (BadMessage, Refused) as error:
        complain(str(error))
    except BrokenPipeError:
        return nobody_listens()
    except OSError as error:
        complain(of_system(error))
    except RecursionError:
        complain("the input is nested too deeply; make it plainer")
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    return MISTAKE
