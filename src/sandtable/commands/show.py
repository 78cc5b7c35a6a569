"""`sandtable show`: a position as text."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import msgspec

import sandtable
from sandtable.commands import add_game, read_record, read_text, start, whole_number
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.game import Game
from sandtable.kernel.table import replay
from sandtable.plain import heading, map_lines, outcome_lines, unit_lines


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    parser.add_argument("what", help="a title, or a .sand record")
    parser.add_argument("--position", metavar="FILE", help="a position of the title, as TOML")
    parser.add_argument("--at", type=whole_number(0), help="after this many lines of the record")
    parser.add_argument("--side", help="as this side sees it; a spectator if not given")
    parser.add_argument("--json", action="store_true", help="the view as JSON")
    parser.add_argument("--toml", action="store_true", help="the position as TOML")
    add_game(parser)


def run(args: Namespace) -> int:
    """Print the position."""
    game = game_of(args)
    title = game.title
    if args.side is not None and args.side not in title.sides:
        raise BadMessage(f"no side is called {args.side!r}; use {' or '.join(title.sides)}")
    view = game.view(args.side)
    if args.toml:
        print(game.position_text(), end="")
    elif args.json:
        print(msgspec.json.encode(view).decode())
    else:
        lines = [
            *heading(view, title),
            "",
            *map_lines(view, title, game.data),
            "",
            *unit_lines(view, title),
        ]
        ended = outcome_lines(game.outcome, title) if game.outcome else []
        print("\n".join([*lines, "", *(ended or [f"{view.prompt} [{view.rule}]"])]))
    return 0


def game_of(args: Namespace) -> Game:
    """The game that a title, position or record on the command line asks for."""
    if args.what in sandtable.titles():
        args.title = args.what
        if args.position is None:
            return start(args)
        title = sandtable.title(args.what)
        return title.position(read_text(args.position), seed=args.seed, data=args.data)
    if not args.what.endswith(".sand"):
        known = ", ".join(sandtable.titles())
        raise BadMessage(f"{args.what!r} is neither a title ({known}) nor a .sand record")
    title, record = read_record(args.what)
    if args.at is not None and args.at > len(record.lines):
        raise BadMessage(f"{args.what} has {len(record.lines)} lines; give --at up to that")
    return replay(title, record, data=args.data, upto=args.at).game
