"""`sandtable rules`: the numbered rules of a title with what carries them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

import msgspec

import sandtable
from sandtable.coverage import coverage
from sandtable.kernel.errors import BadMessage


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    parser.add_argument("title")
    parser.add_argument("number", nargs="?", help="one rule, with its text")
    parser.add_argument("--json", action="store_true", help="as a JSON list")
    parser.add_argument("--missing", action="store_true", help="only rules without code or tests")
    parser.add_argument("--tests", metavar="FOLDER", type=Path, help="where the tests are")


def run(args: Namespace) -> int:
    """Print the list."""
    title = sandtable.title(args.title)
    rows = coverage(title, args.tests)
    if args.number is not None:
        rows = [row for row in rows if row.number == args.number]
        if not rows:
            raise BadMessage(f"{title.id} has no rule {args.number!r}; see `rules {title.id}`")
    if args.missing:
        rows = [row for row in rows if not row.tests or not (row.code or row.reason)]
    if args.json:
        print(msgspec.json.encode(rows).decode())
        return 0
    for row in rows:
        print(f"{row.number} {row.heading}")
        if args.number is not None:
            print(f"  {title.rules[row.number].text}")
        print(f"  code: {', '.join(row.code) or row.reason or 'none'}")
        print(f"  tests: {', '.join(row.tests) or 'none'}")
    if args.number is None:
        coded, tested = sum(bool(row.code) for row in rows), sum(bool(row.tests) for row in rows)
        print(f"{len(rows)} rules, {coded} with code, {tested} with tests.")
    return 0
