"""Heavy thinking in processes of its own: opponents, replays, checks of records."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import secrets
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, NamedTuple, TypeVar

import sandtable
from sandtable.kernel import codec
from sandtable.kernel import record as records
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game
from sandtable.kernel.table import replay
from sandtable.players import Player, Seat, player
from sandtable.players.general import General
from sandtable.players.outlook import outlook
from sandtable.processes import end_with_parent
from sandtable.server.report import report

T = TypeVar("T")
PATIENCE = 300.0


class Played(NamedTuple):
    """The lines of a record with their dice and who played them, and where they lead."""

    lines: list[tuple[str, str, str]]
    actor: str
    result: str


class Thought(NamedTuple):
    """An action of an opponent, why, and what else it has in mind."""

    text: str
    reason: str
    told: str
    """The reason where it says something, for the log."""
    heard: str
    """What the enemy may hear of it before the game is over."""
    mind: bytes


class Advice(NamedTuple):
    """What an opponent would do in a person's place, why, and the chance to win as it stands."""

    text: str
    reason: str
    chance: float
    mind: bytes
    """The plan that it goes on with if the advice is followed."""


class Workers:
    """A pool of processes that is made anew when one of them dies."""

    def __init__(self, number: int) -> None:
        self.number = max(1, number)
        self._pool: ProcessPoolExecutor | None = None
        self._checks: ProcessPoolExecutor | None = None
        self._thoughts: list[Future[Any]] = []
        self.deaths = 0

    @property
    def thinking(self) -> int:
        """Thoughts under way, also those that nobody waits for any more: none can be stopped."""
        self._thoughts = [each for each in self._thoughts if not each.done()]
        return len(self._thoughts)

    async def choose(
        self, game: Game, side: Side, level: str, data: str | None, mind: bytes = b""
    ) -> Thought:
        """What an opponent does and why; a general with a budget also thinks on idle cores."""
        return await self._think(choose, game, side, level, data, mind, self._idle())

    async def advise(
        self, game: Game, side: Side, level: str, data: str | None, mind: bytes = b""
    ) -> Advice:
        """What an opponent would do in a side's place, and how that side stands."""
        return await self._think(advise, game, side, level, data, mind, self._idle())

    def _idle(self) -> int:
        """Cores for one more thought."""
        return max(1, self.number - self.thinking)

    async def _think(
        self, work: Callable[..., T], game: Game, side: Side, level: str, *args: object
    ) -> T:
        """Let an opponent work on a sample of what its side sees, and nothing more."""
        raw = codec.dump(game.resample(side, secrets.token_hex(16)))
        return await self._run(work, game.title.id, raw, side, level, *args)

    async def check(self, text: str) -> str:
        """Replay a record; a sentence about it, or BadMessage."""
        return await self._run_check(check, text)

    async def played(self, text: str) -> Played:
        """Replay a record that is to go on here; BadMessage if it does not hold."""
        return await self._run_check(played, text)

    async def report(self, text: str) -> dict[str, Any]:
        """Luck and losses of a finished game."""
        return await self._run_check(report, text)

    async def _run(self, work: Callable[..., T], *args: object) -> T:
        for attempt in (1, 2):
            if self._pool is None:
                self._pool = self._new_pool(self.number)
            pool = self._pool
            try:
                thought = pool.submit(work, *args)
                self._thoughts.append(thought)
                return await asyncio.wrap_future(thought)
            except BrokenProcessPool:
                self.deaths += 1
                if self._pool is pool:
                    self._pool = None
                pool.shutdown(wait=False)
                if attempt == 2:
                    raise
        raise AssertionError

    async def _run_check(self, work: Callable[..., T], *args: object) -> T:
        """Like `_run` in a pool of one, so that a long record never keeps an opponent waiting."""
        if self._checks is None:
            self._checks = self._new_pool(1)
        pool = self._checks
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.wrap_future(pool.submit(work, *args))
        except (BrokenProcessPool, TimeoutError):
            self._checks = None
            end_pool(pool)
            raise BadMessage(
                "the record takes too long to replay here; use `sandtable verify`"
            ) from None

    @staticmethod
    def _new_pool(number: int) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(number, mp_context=context, initializer=quiet)

    async def warm(self) -> None:
        """Start the processes before the first opponent must think."""
        await self._run(ready)

    def stop(self) -> None:
        """End the processes."""
        for pool in (self._pool, self._checks):
            if pool is not None:
                end_pool(pool)
        self._pool = self._checks = None


def end_pool(pool: ProcessPoolExecutor) -> None:
    """End a pool without waiting for what it thinks about."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.kill()
    # Its processes are gone, so this takes no time, and nothing of the pool is left behind.
    pool.shutdown(cancel_futures=True)


# What runs in the processes.


def quiet() -> None:
    """Leave Ctrl-C to the server, which ends its workers itself, and give way to it."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)


def ready() -> bool:
    """Nothing; the process is there."""
    return True


def choose(
    title: str, raw: bytes, side: Side, level: str, data: str | None, mind: bytes, cores: int = 1
) -> Thought:
    """Let an opponent of a level decide for a side, with the plan it has in mind already."""
    game = load_sample(title, raw, data)
    mover: Player = pickle.loads(mind) if mind else player(level, secrets.token_hex(8))
    if isinstance(mover, General):
        mover.cores = cores
    choice = mover.choose(Seat(game, side, listened=True))
    return Thought(
        game.text(choice.action),
        choice.reason,
        choice.reason if choice.telling else "",
        choice.heard if choice.telling else "",
        pickle.dumps(mover),
    )


def advise(
    title: str, raw: bytes, side: Side, level: str, data: str | None, mind: bytes, cores: int = 1
) -> Advice:
    """Let an opponent of a level say what it would do for a side, and what its chances are."""
    game = load_sample(title, raw, data)
    seat = Seat(game, side, listened=True, asked=True)
    # Whoever asks hears the same, where nothing is hidden.
    adviser: Player = pickle.loads(mind) if mind else player(level, "advice")
    if isinstance(adviser, General):
        adviser.cores = cores
    choice = adviser.choose(seat)
    text = game.text(choice.action)
    return Advice(text, choice.reason, outlook(seat), pickle.dumps(adviser))


def load_sample(title: str, raw: bytes, data: str | None) -> Game:
    """The sample that was sent here."""
    game = sandtable.title(title).load(raw, data)
    game.sampled = True
    return game


def played(text: str) -> Played:
    """Replay a record and tell what is to be kept of it."""
    record = records.parse(text)
    table = replay(sandtable.title(record.title), record)
    lines = [(each.line.text, each.line.comment, each.by or "") for each in table.history]
    outcome = table.game.outcome
    result = f"{outcome.winner or 'draw'} {outcome.level}" if outcome else ""
    return Played(lines, table.game.actor or "", result)


def check(text: str) -> str:
    """Replay a record and say what was found."""
    record = records.parse(text)
    table = replay(sandtable.title(record.title), record)
    draws = table.game.dice.count
    return (
        f"{len(record.lines)} lines and {draws} draws replayed: the seed matches its hash, every "
        f"die, the result and the digest {table.game.digest()} are as recorded."
    )
