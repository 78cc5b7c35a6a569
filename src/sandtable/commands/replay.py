"""`sandtable replay`: a record told from start to end, or step by step."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from sandtable.commands import add_data, read_record
from sandtable.kernel.table import compare, replay
from sandtable.plain import playthrough


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    parser.add_argument("file", help="a .sand record, or - for standard input")
    parser.add_argument("--step", action="store_true", help="wait for Enter after each decision")
    add_data(parser)


def run(args: Namespace) -> int:
    """Tell the record, checking each line on the way and the digest at the end."""
    title, record = read_record(args.file)
    table = replay(title, record, data=args.data, upto=0)
    for line in playthrough(title, record, table):
        if args.step and not line:
            sys.stdout.flush()
            if not sys.stdin.readline():
                break
        else:
            print(line)
    else:
        compare(table, record)
    return 0
