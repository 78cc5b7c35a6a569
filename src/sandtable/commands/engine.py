"""`sandtable engine`: the rules over standard input and output."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

import sandtable
from sandtable.commands import add_data
from sandtable.engine import Engine


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    parser.add_argument("title")
    add_data(parser)


def run(args: Namespace) -> int:
    """Serve until `quit` or the end of the input."""
    engine = Engine(sandtable.title(args.title), args.data)
    engine.serve(sys.stdin.buffer, sys.stdout.buffer)
    return 0
