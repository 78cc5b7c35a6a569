"""`sandtable play`: a game in the terminal, in plain lines that a screen reader reads well."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

import sandtable
from sandtable.commands import add_game, read_record, read_text, start
from sandtable.commands.terminal import PERSON, Session, as_saved
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.table import Table, replay
from sandtable.kernel.title import Title
from sandtable.players import LEVELS, player


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    levels = ", ".join(LEVELS)
    parser.add_argument("title")
    parser.add_argument(
        "--side", help="the side you play; the first if not given, or as a loaded game was saved"
    )
    parser.add_argument(
        "--against",
        metavar="OPPONENT",
        help=f"{PERSON} (at the same screen) or one of {levels}; "
        "a recruit if not given, or as a loaded game was saved",
    )
    parser.add_argument(
        "--watch", metavar="OPPONENT", help="let this one play your side too, and watch them both"
    )
    parser.add_argument("--position", metavar="FILE", help="begin from a position, as TOML")
    parser.add_argument("--load", metavar="FILE", help="go on with a saved game")
    add_game(parser)


def run(args: Namespace) -> int:
    """Play until the end, `quit`, or the end of the input."""
    title = sandtable.title(args.title)
    for level in (args.against, args.watch):
        if level is not None and level != PERSON:
            player(level, "")
    if args.watch and args.against == PERSON:
        raise BadMessage("two opponents are watched; give a level with --against")
    if args.side is not None and args.side not in title.sides:
        raise BadMessage(f"no side is called {args.side!r}; use {' or '.join(title.sides)}")
    table = _table(args, title)
    saved, wrong = as_saved(table)
    players = _players(args, title, saved)
    session = Session(table, players, args.data, sys.stdin, sys.stdout)
    if wrong and not args.against:
        session.say(*wrong, f"Instead {session.who()}; choose another with --against.")
    session.run()
    return 0


def _players(args: Namespace, title: Title, saved: Mapping[Side, str]) -> Mapping[Side, str]:
    """Who plays, as the arguments say, or else as the game was saved."""
    if len(saved) == len(title.sides) and not (args.side or args.against or args.watch):
        return saved
    persons = [side for side, level in saved.items() if level == PERSON]
    nobodys = [side for side in title.sides if side not in saved]
    side: Side = args.side or (*persons, *nobodys, *title.sides)[0]
    other = title.other(side)
    levels = [saved[each] for each in (other, side) if saved.get(each, PERSON) != PERSON]
    return {side: args.watch or PERSON, other: args.against or (*levels, "recruit")[0]}


def _table(args: Namespace, title: Title) -> Table:
    if args.load is not None:
        other, record = read_record(args.load)
        if other is not title:
            raise BadMessage(f"{args.load} is a game of {other.id}, not of {title.id}")
        return replay(title, record, data=args.data)
    if args.position is not None:
        text = read_text(args.position)
        game = title.position(text, seed=args.seed, data=args.data)
        return Table(game, position=text)
    return Table(start(args))
