"""Random legal play with every promise checked on the way; a failure leaves a record to replay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from sandtable import conformance
from sandtable.conformance import Fault, demand
from sandtable.kernel import record as records
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.game import OptionValue
from sandtable.kernel.record import Line, Record
from sandtable.kernel.table import Table, replay
from sandtable.kernel.title import Title

LONGEST_GAME = 50_000
SIGMAS = 5.0


class Counts(Struct):
    """What a run has done so far."""

    games: int = 0
    decisions: int = 0
    mutations: int = 0
    thorough: int = 0
    odds: int = 0
    replays: int = 0


class Failure(Exception):
    """A broken promise, with the game that shows it."""

    def __init__(self, what: str, record: Record) -> None:
        super().__init__(what)
        self.record = record


class Fuzzer:
    """Plays random games of a title and checks them."""

    def __init__(
        self,
        title: Title,
        seed: str,
        *,
        mutation_rate: float = 0.1,
        every: int = 40,
        most: int | None = None,
        rolls: int = 0,
        orders: bool = True,
        keep: Path | None = None,
    ) -> None:
        """Once in `every` decisions, and `most` times in all, every check is made.

        `rolls` tries each odds found that often; `keep` is a folder for all records.
        """
        self.title = title
        self.seed = seed
        self.mutation_rate = mutation_rate
        self.every = every
        self.most = most
        self.rolls = rolls
        self.orders = orders and bool(title.interrupts)
        self.keep = keep
        self.counts = Counts()
        self._owed = 0.0

    def options(self, random: Random) -> dict[str, OptionValue]:
        """Every option at its default or anything else it may be."""
        chosen: dict[str, OptionValue] = {}
        for each in self.title.options:
            if random.random() < 0.5:
                continue
            if each.choices:
                chosen[each.id] = random.choice(each.choices)
            elif isinstance(each.default, bool):
                chosen[each.id] = random.random() < 0.5
            else:
                chosen[each.id] = random.randint(each.least, each.most)
        return chosen

    def run(self, decisions: int, scenario: str = "", *, tell: Callable[[Counts], None]) -> None:
        """Play games, all scenarios in turn, until so many decisions are made."""
        names = [scenario] if scenario else [each.id for each in self.title.scenarios]
        while self.counts.decisions < decisions:
            number = self.counts.games
            random = Random(f"{self.seed}-{number}")
            # The first games of each scenario are played by the book, later ones with any options.
            options = self.options(random) if number >= len(names) else {}
            self.game(names[number % len(names)], options, f"{self.seed}-{number}", random)
            tell(self.counts)

    def game(
        self, scenario: str, options: dict[str, OptionValue], seed: str, random: Random
    ) -> Table:
        """One game from start to end."""
        table = Table(self.title.start(scenario, options, seed))
        line = Line("")
        try:
            conformance.decision(table.game)
            length = 0
            while table.game.outcome is None:
                self._checks(table, random)
                if table.game.outcome:  # a standing order can end the game
                    break
                action = random.choice(table.game.actions())
                line = Line(table.game.text(action))
                events = table.play(action, table.game.actor)
                line = Line("")
                conformance.happenings(table.game, events)
                conformance.decision(table.game)
                self.counts.decisions += 1
                length += 1
                demand(length < LONGEST_GAME, f"no end after {LONGEST_GAME} decisions")
            self._ended(table)
        except Exception as error:
            what = str(error) if isinstance(error, Fault) else f"{type(error).__name__}: {error}"
            raise Failure(" ".join(what.split()), _evidence(table, line)) from error
        self.counts.games += 1
        return table

    def _checks(self, table: Table, random: Random) -> None:
        game = table.game
        self._owed += self.mutation_rate
        if self._owed >= 1:
            refused = conformance.refusals(game, random, int(self._owed))
            self.counts.mutations += refused
            self._owed -= refused
        if random.random() * self.every >= 1 or self.counts.thorough == self.most:
            return
        self.counts.thorough += 1
        conformance.texts(game)
        conformance.codecs(game)
        conformance.isolation(game, random)
        conformance.secrecy(game, ("one", "two"), random)
        conformance.nonsense(game, random)
        actions = game.actions()
        for action in random.sample(list(actions), min(3, len(actions))):
            odds = conformance.odds(game, action)
            self.counts.odds += odds is not None
            if odds and not odds.assumes and self.rolls:
                off = conformance.frequencies(game, action, odds, self.rolls, "roll")
                demand(off < SIGMAS, f"{game.text(action)!r} is {off:.1f} sigma from its odds")
        if self.orders:
            interrupt = random.choice(self.title.interrupts)
            setting = random.choice(("ask", *interrupt.settings))
            events = table.order(random.choice(self.title.sides), interrupt.id, setting)
            conformance.happenings(table.game, events)
            conformance.decision(table.game)

    def _ended(self, table: Table) -> None:
        """The record of a finished game reads back and replays to the same digest."""
        record = table.record()
        text = record.print()
        demand(records.parse(text) == record, "the record reads back as another one")
        if self.keep:
            name = f"{self.title.id}-{self.seed}-{self.counts.games}.sand".replace("/", "_")
            (self.keep / name).write_text(text, encoding="utf-8")
        elif self.counts.games % 20 == 0:
            replay(self.title, record)
            self.counts.replays += 1


def _evidence(table: Table, last: Line) -> Record:
    """The record so far, with the action that broke the game as its last line."""
    try:
        record = table.record(reveal=True)
    except Exception as error:  # a game that broke half-way may not even have a digest
        raise BadMessage(f"no record could be made: {error}") from error
    return replace(
        record, lines=record.lines + ((last,) if last.text else ()), digest="", result=""
    )
