"""`sandtable verify`: every line, every die and the digest of records."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from sandtable.cli import MISTAKE, complain
from sandtable.commands import add_data, read_record
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Rolled
from sandtable.kernel.table import replay


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    parser.add_argument("file", nargs="+", help="a .sand record")
    add_data(parser)


def run(args: Namespace) -> int:
    """Replay each file; 0 only if all are as they should be."""
    code = 0
    for file in args.file:
        try:
            print(f"{file}: {check(file, args.data)}")
        except BadMessage as error:
            message = str(error)
            complain(message if message.startswith(file) else f"{file}: {message}")
            code = MISTAKE
    return code


def check(file: str, data: str | None = None) -> str:
    """Replay a record; a sentence about it, or BadMessage."""
    title, record = read_record(file)
    if not record.digest:
        raise BadMessage("the record has no digest to compare with; add the line 'digest ...'")
    if not record.hash:
        raise BadMessage("the record has no hash of its seed; add the line 'hash ...'")
    table = replay(title, record, data=data)
    rolls = sum(isinstance(event, Rolled) for entry in table.history for event in entry.events)
    result = record.result or "not finished"
    return (
        f"{len(record.lines)} lines, {rolls} rolls, {table.game.dice.count} draws, {result}, "
        f"digest {record.digest}: all as recorded."
    )
