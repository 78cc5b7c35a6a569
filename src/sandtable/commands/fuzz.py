"""`sandtable fuzz`: random play with every promise checked."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

import sandtable
from sandtable.cli import complain
from sandtable.commands import whole_number
from sandtable.fuzz import Counts, Failure, Fuzzer


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    parser.add_argument("title")
    parser.add_argument("--decisions", type=whole_number(1), default=10_000)
    parser.add_argument("--mutations", type=whole_number(0), default=1_000)
    parser.add_argument(
        "--every", type=whole_number(1), default=40, help="all checks one in so many"
    )
    parser.add_argument("--rolls", type=whole_number(0), default=0, help="simulate odds so often")
    parser.add_argument("--scenario", default="", help="this one alone")
    parser.add_argument("--seed", default="fuzz")
    parser.add_argument("--records", metavar="FOLDER", help="keep every game as a .sand file")


def run(args: Namespace) -> int:
    """Play until done; 1 with a record to replay if a promise is broken."""
    title = sandtable.title(args.title)
    if args.scenario:
        title.start(args.scenario)
    keep = Path(args.records) if args.records else None
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    fuzzer = Fuzzer(
        title,
        args.seed,
        mutation_rate=args.mutations / args.decisions,
        every=args.every,
        rolls=args.rolls,
        keep=keep,
    )
    began = time.monotonic()
    try:
        fuzzer.run(args.decisions, args.scenario, tell=_tell)
        if sys.stderr.isatty():
            print(file=sys.stderr)
    except Failure as failure:
        file = Path(f"fuzz-{title.id}-{failure.record.seed}.sand".replace("/", "_"))
        file.write_text(failure.record.print(), encoding="utf-8")
        complain(f"{failure}; replay it with `sandtable replay {file}`")
        return 1
    counts = fuzzer.counts
    seconds = time.monotonic() - began
    print(
        f"{title.id}: {counts.games} games, {counts.decisions} decisions, "
        f"{counts.mutations} mutated actions refused, {counts.thorough} thorough checks, "
        f"{counts.odds} odds, {counts.replays} replays, no fault in {seconds:.0f} s."
    )
    return 0


def _tell(counts: Counts) -> None:
    if sys.stderr.isatty():
        text = f"{counts.games} games, {counts.decisions} decisions"
        print(f"\r{text}", end="", file=sys.stderr, flush=True)
