"""`sandtable bench`: how fast random play is, beside python-chess; how much a server bears."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec

import sandtable
from sandtable.bench import measure
from sandtable.commands import amount, whole_number
from sandtable.kernel.errors import BadMessage


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    parser.add_argument("title", nargs="*", help="all titles if not given; or the word server")
    parser.add_argument("--scenario", help="this one alone")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each scenario")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    server = parser.add_argument_group("for `bench server`")
    server.add_argument("--games", type=whole_number(1), default=1000, help="with two seats each")
    server.add_argument("--rate", type=amount(1, 100_000), default=500, help="actions a second")
    server.add_argument("--database", default="", help="a new SQLite file if not given")


def run(args: Namespace) -> int:
    """Measure and print."""
    if args.title == ["server"]:
        return _server(args)
    if find_spec("chess") is None:
        raise BadMessage("python-chess is missing; run scripts/bench, which installs it")
    if not 0 < args.seconds <= 600:
        raise BadMessage(f"--seconds cannot be {args.seconds}; give more than 0, at most 600")
    found = {}
    for name in args.title or sandtable.titles():
        title = sandtable.title(name)
        known = [each.id for each in title.scenarios]
        if args.scenario and args.scenario not in known:
            raise BadMessage(f"{name} has no scenario {args.scenario!r}; use {', '.join(known)}")
        found[name] = measure(title, [args.scenario] if args.scenario else known, args.seconds)
        if not args.json:
            _table(name, found[name]["scenarios"] | {"all": found[name]})
    if args.json:
        print(json.dumps({"titles": found}))
    return 0


def _server(args: Namespace) -> int:
    """A load generator against a real server on this machine."""
    from sandtable.server.bench import run as measure_server

    seconds = max(5.0, args.seconds)
    found = measure_server(args.database, args.games, args.rate, seconds)
    if args.json:
        print(json.dumps({"server": found}))
    else:
        print("\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in found.items()))
    return 0


def _table(name: str, rows: dict[str, dict[str, float]]) -> None:
    for scenario, row in rows.items():
        print(
            f"{name} {scenario}: {row['decisions_per_second']} decisions/s "
            f"({row['decisions_ratio']} of python-chess), "
            f"{row['listed_actions_per_second']} listed/s ({row['listed_actions_ratio']}); "
            f"copy {row['copy_microseconds']} us, record {row['record_bytes_per_decision']} B "
            f"a decision, state {row['state_json_bytes']} B."
        )
