"""Absurd moves, looked for in whole games: `scripts/absurd TITLE --level officer --games 500`.

The level plays against itself; the games take the title's scenarios in turn. What is absurd
`sandtable.players.watch` and each title's knowledge say; a game without end stops the search.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence

import sandtable
from sandtable.commands import run_script, whole_number
from sandtable.match import BrokenOff, Pairing, Result, play_all
from sandtable.players import MOST_CORES, player
from sandtable.progress import progress


def main(arguments: Sequence[str] | None = None) -> int:
    """`scripts/absurd`."""
    parser = ArgumentParser(prog="scripts/absurd", description=__doc__)
    parser.add_argument("title")
    parser.add_argument("--level", default="officer")
    parser.add_argument("--games", type=whole_number(1), default=500)
    parser.add_argument("--seed", default="absurd")
    parser.add_argument("--workers", type=whole_number(1, MOST_CORES), default=1)
    args = parser.parse_args(arguments)
    return run_script(parser, lambda: _look(args))


def _look(args: Namespace) -> int:
    """Play, and tell what is absurd; 1 if anything is."""
    found: Counter[str] = Counter()
    player(args.level, "")
    scenarios = [each.id for each in sandtable.title(args.title).scenarios]
    for at, scenario in enumerate(scenarios):
        pairing = Pairing(args.title, scenario, {}, args.level, args.level, args.seed, watch=True)
        games = len(range(at, args.games, len(scenarios)))
        try:
            with progress(games) as tell:
                played = play_all(pairing, games, args.workers, tell)
        except BrokenOff as end:
            _tell(scenario, end.played)
            raise
        found += _tell(scenario, played)
    print(f"{args.title}, {args.level}: {args.games} games, {sum(found.values())} absurd things.")
    for what, number in found.most_common():
        print(f"  {what}: {number}")
    return 1 if found else 0


def _tell(scenario: str, played: Sequence[Result]) -> Counter[str]:
    """Tell what is absurd in some games, and how often."""
    found: Counter[str] = Counter()
    for result in played:
        for each in result.absurd:
            found[each.what] += 1
            print(f"{scenario}, game {result.number}: {each}", flush=True)
    return found


if __name__ == "__main__":
    raise SystemExit(main())
