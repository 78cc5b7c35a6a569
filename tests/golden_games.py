"""Makes and refreshes the golden games: `scripts/golden [title ...] [--tries N]`.

Records that still replay keep their place and get a fresh report. Those that do not, and were
played by opponents, are dropped. Then opponents play game after game, and the first of each
scenario and way to end is kept.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import sandtable
import tests.conftest  # noqa: F401  (makes the toy known)
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.record import Record, parse
from sandtable.kernel.table import Table, replay
from sandtable.kernel.title import Title
from sandtable.plain import playthrough
from sandtable.players import Seat, player
from tests import transcript

GOLDEN = Path(__file__).parent / "golden"
PAIRS = (("recruit", "recruit"), ("recruit", "random"), ("random", "recruit"))


def refresh(title: Title, tries: int) -> None:
    """Bring the golden games of a title up to date."""
    folder = GOLDEN / title.id
    folder.mkdir(parents=True, exist_ok=True)
    ends: set[tuple[str, str]] = set()
    for file in sorted(folder.glob("*.sand")):
        record = parse(file.read_text(encoding="utf-8"))
        try:
            replay(title, record)
        except BadMessage as error:
            if not set(record.players.values()) <= {"recruit", "random"}:
                print(f"{file}: {error}; correct it by hand", file=sys.stderr)
                continue
            print(f"{file.name}: {error}; dropped")
            file.unlink()
            file.with_suffix(".txt").unlink(missing_ok=True)
            continue
        ends.add((record.scenario, record.result))
        report(title, record, file)
    for scenario in title.scenarios:
        for number in range(tries):
            record = play(title, scenario.id, number)
            if (scenario.id, record.result) not in ends:
                ends.add((scenario.id, record.result))
                name = re.sub("[^a-z0-9]+", "-", f"{scenario.id} {record.result}".lower())
                report(title, record, folder / f"{name}.sand")
                print(f"{title.id}: {scenario.id} ends with {record.result} (game {number})")


def play(title: Title, scenario: str, number: int) -> Record:
    """Game `number` between opponents."""
    seed = f"golden {number}"
    levels = dict(zip(title.sides, PAIRS[number % len(PAIRS)], strict=True))
    table = Table(title.start(scenario, seed=seed), levels)
    players = {side: player(level, f"{seed}|{side}") for side, level in levels.items()}
    while side := table.game.actor:
        table.play(players[side].choose(Seat(table.game, side)).action, side)
    return table.record()


def report(title: Title, record: Record, file: Path) -> None:
    """Write a record and its report."""
    file.write_text(record.print(), encoding="utf-8")
    text = "\n".join(playthrough(title, record)) + "\n"
    file.with_suffix(".txt").write_text(text, encoding="utf-8")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="scripts/golden", description=__doc__)
    parser.add_argument("title", nargs="*")
    parser.add_argument("--tries", type=int, default=30)
    args = parser.parse_args()
    for name in args.title or sandtable.titles():
        refresh(sandtable.title(name), args.tries)
    transcript.refresh()


if __name__ == "__main__":
    main()
