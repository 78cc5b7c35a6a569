"""`sandtable match`: opponents against each other."""

from __future__ import annotations

import json
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path
from statistics import median

import sandtable
from sandtable.balance import chart, report
from sandtable.commands import add_game, options_of, try_to_write, whole_number
from sandtable.kernel.errors import BadMessage
from sandtable.match import (
    BrokenOff,
    Pairing,
    Result,
    Share,
    handicap,
    names,
    play_all,
    shares,
    sprt,
)
from sandtable.players import LEVELS, MOST_CORES, player
from sandtable.players.guest import code_here, code_of, commit_of
from sandtable.progress import progress


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    parser.add_argument("title")
    parser.add_argument(
        "--a", default="recruit", metavar="LEVEL", help=f"one of {', '.join(LEVELS)}"
    )
    parser.add_argument("--b", default="random", metavar="LEVEL", help="the other one")
    parser.add_argument(
        "--b-of", metavar="COMMIT", help="let --b play by the code of a commit, to test a change"
    )
    parser.add_argument("--games", type=whole_number(1), default=20, help="an even number is fair")
    parser.add_argument("--workers", type=whole_number(1, MOST_CORES), default=1, metavar="N")
    parser.add_argument(
        "--par",
        metavar="SIDE:POINTS",
        help="a handicap: SIDE, whose points are counted, needs more",
    )
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster, or local")
    parser.add_argument(
        "--sprt", metavar="LOW:HIGH", help="stop when the first player's share is settled"
    )
    parser.add_argument(
        "--keep", metavar="FILE.jsonl", help="write each game there, and go on from it next time"
    )
    parser.add_argument("--plot", metavar="FILE.svg", help="draw the shares and the scores")
    parser.add_argument(
        "--report", metavar="FILE.md", help="write a balance report with its picture beside it"
    )
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")
    add_game(parser, seed="the seed of all games; 'match' if not given")


def run(args: Namespace) -> int:
    """Play, write the files and print the table."""
    title = sandtable.title(args.title)
    pairing = Pairing(
        title=title.id,
        scenario=args.scenario or title.scenarios[0].id,
        options=options_of(args),
        a=args.a,
        b=args.b,
        seed=args.seed or "match",
        data=args.data,
        par=handicap(title, args.par) if args.par is not None else None,
        commit=commit_of(args.b_of) if args.b_of is not None else None,
        code=code_here() if args.b_of is not None else None,
    )
    if pairing.commit:
        code_of(pairing.commit)
    for level in (args.a, args.b):
        player(level, "")
    title.start(pairing.scenario, pairing.options, pairing.seed, data=args.data)
    test = sprt(args.sprt) if args.sprt is not None else None
    _check_files(args)
    try:
        with progress(args.games) as tell:
            results = play_all(
                pairing,
                args.games,
                args.workers,
                tell,
                ray=args.ray,
                stop=test.settled if test else lambda results: False,
                keep=Path(args.keep) if args.keep else None,
            )
    except BrokenOff as end:
        if end.played:
            _print_table(pairing, end.played)
        raise
    # First of all: whoever reads the table may have gone.
    if args.plot:
        Path(args.plot).write_text(chart(pairing, results), encoding="utf-8")
    if args.report:
        command = "sandtable " + shlex.join(_repeatable(sys.argv[1:], pairing.commit))
        picture = _picture(args.report)
        picture.write_text(chart(pairing, results), encoding="utf-8")
        text = report(pairing, results, command, picture.name)
        Path(args.report).write_text(text, encoding="utf-8")
    _print_table(pairing, results)
    if test:
        print(f"Test: {names(pairing)[0]} scores {test.verdict(results)}.")
    if args.json:
        a, b = names(pairing)
        rows = list(shares(pairing, results))
        print(
            json.dumps(
                {
                    "title": title.id,
                    "scenario": pairing.scenario,
                    "games": len(results),
                    "seed": pairing.seed,
                    "score": {row.name: row.points for row in rows if row.name in (a, b)},
                    "interval": {row.name: row.interval for row in rows if row.name in (a, b)},
                    "wins_by_side": {
                        side: sum(each.winner == side for each in results) for side in title.sides
                    },
                    "draws": sum(each.winner is None for each in results),
                    "endings": dict(_ends(pairing, results)),
                }
            )
        )
    return 0


def _print_table(pairing: Pairing, results: list[Result]) -> None:
    title = sandtable.title(pairing.title)
    lengths = sorted(each.decisions for each in results)
    print(f"{title.name}, {pairing.scenario}: {len(results)} games, seed {pairing.seed}.")
    print(f"{'':24} wins draws losses  share  95 % interval")
    print("\n".join(_row(each) for each in shares(pairing, results)))
    ends = _ends(pairing, results).most_common()
    print("Endings: " + ", ".join(f"{name} {number}" for name, number in ends) + ".")
    print(f"Decisions a game: {lengths[0]} to {lengths[-1]}, median {median(lengths):g}.")


def _ends(pairing: Pairing, results: list[Result]) -> Counter[str]:
    """How often the games ended which way."""
    who = sandtable.title(pairing.title).side_names
    return Counter(f"{who.get(each.winner or '', 'draw')} {each.level}" for each in results)


def _picture(report: str) -> Path:
    """Where the picture of a report goes."""
    page = Path(report)
    return page.parent / f"{page.stem}.svg"


def _check_files(args: Namespace) -> None:
    """Whether each file can be written, and none over another."""
    if args.report and Path(args.report).suffix == ".svg":
        raise BadMessage(f"{args.report} would be its own picture; give a name such as report.md")
    files = {
        "--keep": args.keep,
        "--plot": args.plot,
        "--report": args.report,
        "the picture of --report": args.report and _picture(args.report),
    }
    given = {what: Path(path) for what, path in files.items() if path is not None}
    taken: dict[Path, str] = {}
    for what, path in given.items():
        other = taken.setdefault(path.resolve(), what)
        if other != what:
            raise BadMessage(f"{other} and {what} are both {path}; give another name")
    for path in given.values():
        try_to_write(path)


def _repeatable(words: list[str], commit: str | None = None) -> list[str]:
    """A command that plays the same games, wherever they were kept and whatever HEAD is by then.

    >>> _repeatable(["match", "toy", "--keep", "games.jsonl", "--games", "2"])
    ['match', 'toy', '--games', '2']
    >>> _repeatable(["match", "toy", "--keep=games.jsonl", "--ke", "more.jsonl"])
    ['match', 'toy']
    >>> _repeatable(["match", "toy", "--b", "officer", "--b-of", "HEAD"], "2a6109614e52")
    ['match', 'toy', '--b', 'officer', '--b-of=2a6109614e52']
    """
    told: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, _ = word.partition("=")
        keep = len(name) > 2 and "--keep".startswith(name)
        of = len(name) > 3 and "--b-of".startswith(name)
        if not keep and not of:
            told.append(word)
        elif not equals:
            next(rest, "")
        if of:
            told.append(f"--b-of={commit}")
    return told


def _row(share: Share) -> str:
    low, high = share.interval
    return (
        f"{share.name:24} {share.wins:4} {share.draws:5} {share.losses:6} "
        f"{share.points:6.1%}  {low:.1%} to {high:.1%}"
    )
