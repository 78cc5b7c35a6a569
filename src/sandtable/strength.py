"""How strong the opponents are, measured by one command: `scripts/strength`.

`--keep FOLDER --out docs/strength.md` writes what it measures into that page; each line of a
table is a match with sides swapped.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

import sandtable
from sandtable.commands import (
    nobody_listens,
    read_text,
    run_script,
    try_to_write,
    whole_number,
)
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import OptionValue
from sandtable.match import BrokenOff, Pairing, Result, by_par, play_all, shares
from sandtable.players import MOST_CORES, Seat, player
from sandtable.progress import progress

Par = tuple[Side, int]


class Contest(Struct, frozen=True):
    """One match to play: who, and with which options."""

    title: str
    a: str
    b: str
    options: dict[str, OptionValue] = {}

    def handicap(self, par: Par | None) -> str:
        """What makes it an even match, as `sandtable match` is told it."""
        words = [f"`--option {name}={value}`" for name, value in self.options.items()]
        return " ".join([*words, f"`--par {par[0]}:{par[1]}`"] if par else words)

    def length(self, games: int) -> int:
        """How many games it has when others have so many."""
        if "ismcts" in self.b:
            return min(games, SLOW)
        return min(games, SURE) if (self.a, self.b) == ("general", "random") else games

    def file(self, seed: str) -> str:
        """What its games are kept in."""
        options = "-".join(f"{name}{value}" for name, value in self.options.items())
        names = f"{self.title}-{self.a}-{self.b}-{seed}-{options or 'printed'}"
        return names.replace(":", "_") + ".jsonl"


LADDER = (
    ("recruit", "random"),
    ("officer", "random"),
    ("officer", "recruit"),
    ("general", "random"),
    ("general", "officer"),
    ("general:0.2", "ismcts:0.2"),
)
OPTIONS: dict[str, dict[str, OptionValue]] = {"battleaxe": {"bid": 13}}
"""Options that make officer against officer an even game."""
PARS: dict[str, Par] = {"cauldron": ("axis", 1), "gallop": ("axis", -3)}
"""Where no option does: the points that the side must exceed to count as the winner."""
SEEDS = {
    "battleaxe": "strength3",
    "cauldron": "strength11",
    "gallop": "strength4",
    "theseus": "strength10",
}
"""Where games of earlier seeds were played to steer by."""
SLOW = 20
"""Games against a plain search, which takes its time."""
SURE = 60
"""Games of generals against random play, which hardly ever wins one."""
BUDGETS = {"0.2": None, "1": 40}
"""Seconds for a plan when the keeping of budgets is timed: in a whole game, or so many searches."""


def contests(title: str) -> Iterator[Contest]:
    """The ladder of a title, without and with its options."""
    for a, b in LADDER:
        yield Contest(title, a, b)
        if title in OPTIONS:
            yield Contest(title, a, b, OPTIONS[title])


def pairing_of(contest: Contest, seed: str) -> Pairing:
    """The match in full, with somebody who watches for absurd things."""
    return Pairing(
        title=contest.title,
        scenario=sandtable.title(contest.title).scenarios[0].id,
        options=contest.options,
        a=contest.a,
        b=contest.b,
        seed=seed,
        watch=True,
    )


def pars(title: str) -> tuple[Par | None, ...]:
    """How the games of a match are counted: as printed, and with the title's par if it has one."""
    return (None, PARS[title]) if title in PARS else (None,)


def name(contest: Contest, par: Par | None) -> str:
    """How the line of a match begins, which no other line of its table does."""
    return f"| {contest.a} v {contest.b} | {contest.handicap(par)} |"


def rows(contest: Contest, played: Sequence[Result], seed: str) -> Iterator[str]:
    """A line of the table without the par and one with it."""
    title, pairing = sandtable.title(contest.title), pairing_of(contest, seed)
    for par in pars(contest.title):
        results = by_par(replace(pairing, par=par), played)
        share = {each.name: each for each in shares(pairing, results)}
        low, high = share[contest.a].interval
        sides = [share[f"{contest.a} as {title.side_names[side]}"] for side in title.sides]
        yield (
            f"{name(contest, par)} `{seed}` | {len(results)} "
            f"| {share[contest.a].points:.1%} | {low:.1%} to {high:.1%} | "
            + " | ".join(f"{each.points * each.games:g} of {each.games}" for each in sides)
            + f" | {absurdities(played)} |"
        )


def absurdities(played: Sequence[Result]) -> str:
    """What players did absurdly; random play does not count."""
    found = Counter(
        f"{each.who} {each.what}" for one in played for each in one.absurd if each.who != "random"
    )
    return "; ".join(f"{what}: {number}" for what, number in found.most_common()) or "none"


def heading(title: str) -> str:
    """The head of a title's table."""
    found = sandtable.title(title)
    sides = " | ".join(f"as {found.side_names[side]}" for side in found.sides)
    return (
        f"`sandtable match {title} --a A --b B --games N --seed SEED` with the handicap named; "
        f"scenario `{found.scenarios[0].id}`.\n\n"
        f"| Match | handicap | seed | games | share | 95 % interval | {sides} | absurd moves |\n"
        "| --- | --- | --- | ---: | ---: | --- | --- | --- | --- |"
    )


def pace(title: str, level: str, seed: str = "pace") -> list[float]:
    """Seconds of processor time that the decisions of one game take, the shortest first.

    Budgets count the same time, as in matches: another program's work delays nobody. Where a
    budget is timed in so many searches, only those count.
    """
    looks = 0

    def now() -> float:
        nonlocal looks
        looks += 1
        return time.process_time()

    found, most = sandtable.title(title), BUDGETS.get(level.partition(":")[2])
    game = found.start(seed=seed)
    players = {side: player(level, f"{seed}|{side}", now) for side in found.sides}
    spent: list[float] = []
    while game.outcome is None and (most is None or len(spent) < most):
        side = game.actor
        assert side is not None
        looks, before = 0, time.process_time()
        action = players[side].choose(Seat(game, side)).action
        # Who searches looks at the clock again and again; who need not, once at most.
        if most is None or looks > 1:
            spent.append(time.process_time() - before)
        game.play(action)
    return sorted(spent)


def main(arguments: Sequence[str] | None = None) -> int:
    """`scripts/strength`."""
    parser = ArgumentParser(prog="scripts/strength", description=__doc__)
    parser.add_argument("titles", nargs="*", default=sandtable.titles())
    parser.add_argument("--games", type=whole_number(1), default=200)
    parser.add_argument("--seed", help="instead of the usual one")
    parser.add_argument("--workers", type=whole_number(1, MOST_CORES), default=1)
    parser.add_argument(
        "--match",
        metavar="A,B",
        choices=[f"{a},{b}" for a, b in LADDER],
        help="only this match of the ladder, such as general,officer",
    )
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="where games are written, to go on later"
    )
    parser.add_argument("--pace", action="store_true", help="time decisions instead")
    parser.add_argument(
        "--out", type=Path, metavar="PAGE", help="a page with a place for each title to write to"
    )
    args = parser.parse_args(arguments)
    return run_script(parser, lambda: measure(args))


def table(title: str, args: Namespace) -> Iterator[str]:
    """Play the ladder of a title, or go on with it: a line or two for each match."""
    seed = args.seed or SEEDS.get(title, "strength")
    for contest in contests(title):
        if args.match and args.match != f"{contest.a},{contest.b}":
            continue
        keep = args.keep / contest.file(seed) if args.keep else None
        games = contest.length(args.games)
        try:
            with progress(games) as tell:
                played = play_all(pairing_of(contest, seed), games, args.workers, tell, keep=keep)
        except BrokenOff as end:
            if end.played:
                say("\n".join(rows(contest, end.played, seed)), args.out)
            raise
        yield from rows(contest, played, seed)


def paces(title: str) -> Iterator[str]:
    """How long the levels take to decide, as a list."""
    for level in ("recruit", "officer", "general"):
        spent = pace(title, level)
        mean, most = sum(spent) / len(spent), spent[int(0.99 * len(spent))]
        yield f"- {level}: mean {mean:.4f} s, p99 {most:.4f} s, longest {spent[-1]:.4f} s"
    for budget, few in BUDGETS.items():
        spent = pace(title, f"general:{budget}")
        kept = sum(each <= 1.1 * float(budget) for each in spent) / len(spent)
        which = "answers" if few is None else f"first {len(spent)} searches"
        yield (
            f"- general:{budget}: {kept:.1%} of its {which} within a tenth over the budget, "
            f"longest {spent[-1]:.3f} s"
        )


def measure(args: Namespace) -> int:
    """Play what was asked for, print it, and write it where the page has a place for it."""
    what = "pace" if args.pace else "matches"
    places = {title: f"{what} of {title}" for title in args.titles}
    if args.out:
        try_to_write(args.out)
        for place in places.values():
            open_place(args.out, place)
    if args.keep:
        args.keep.mkdir(exist_ok=True)
    for title, place in places.items():
        head = "" if args.pace else heading(title) + "\n"
        say(f"\n## {title}\n\n{head}".removesuffix("\n"), args.out)
        lines = []
        for line in paces(title) if args.pace else table(title, args):
            lines.append(line)
            if args.out and not args.pace:
                # First of all: whoever reads the table may have gone.
                fill(args.out, place, head, title, lines)
            say(line, args.out)
        if args.out and args.pace:
            fill(args.out, place, head, title, lines)
    return 0


def say(text: str, page: Path | None) -> None:
    """Print it; what goes to a page is measured to the end though nobody reads it here any more."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        if page is None:
            raise
        nobody_listens()


def fill(page: Path, place: str, head: str, title: str, lines: Sequence[str]) -> None:
    """Write what was measured into its place of a page; matches not played again stay there."""
    before, old, after = open_place(page, place)
    if head:
        lines = merged(title, old.splitlines(), lines)
    listed = "\n".join(lines)
    page.write_text(f"{before}\n{head}{listed}\n{after}", encoding="utf-8")


def merged(title: str, old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The lines of a table in the order of the ladder, new ones instead of old ones."""
    names = [name(contest, par) for contest in contests(title) for par in pars(title)]
    found = {begin: line for line in (*old, *new) for begin in names if line.startswith(begin)}
    return [found[begin] for begin in names if begin in found]


def open_place(page: Path, place: str) -> tuple[str, str, str]:
    """What stands before, between and after the comments of a page that mark a place."""
    begin, end = f"<!-- {place} -->\n", f"\n<!-- end of {place} -->"
    before, found, rest = read_text(str(page)).partition(begin)
    between, closed, after = rest.partition(end)
    if not found or not closed:
        raise BadMessage(f"{page} has no place for the {place}: add {begin.strip()}{end} to it")
    return before + begin, between, end + after


if __name__ == "__main__":
    raise SystemExit(main())
