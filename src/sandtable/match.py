"""Opponents against each other: many games, sides swapped, the same result for the same seeds."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, nullcontext, redirect_stdout, suppress
from importlib import import_module
from math import log, sqrt
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

import sandtable
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import OptionValue
from sandtable.kernel.title import Title
from sandtable.players import Player, Seat, player
from sandtable.players.guest import Guest, Lost, known_code
from sandtable.players.watch import Absurdity, Watch
from sandtable.processes import end_with_parent
from sandtable.progress import warn

T = TypeVar("T")
U = TypeVar("U")

LONGEST_GAME = 50_000
PATIENCE = 5.0
"""Seconds for a Ray cluster to answer."""
TRIES = 4
"""How often a game is played whose process of another version is ended from outside."""


class Pairing(Struct, frozen=True, omit_defaults=True):
    """Who plays what: game n and n + 1 share their dice with the sides swapped."""

    title: str
    scenario: str
    options: dict[str, OptionValue]
    a: str
    b: str
    seed: str
    data: str | None = None
    par: tuple[Side, int] | None = None
    """A handicap: this side, whose points they are, wins with more, and the other with fewer."""
    watch: bool = False
    """Whether to look for absurd moves."""
    commit: str | None = None
    """The version that `b` plays by, if not this one."""
    code: str | None = None
    """This version, which `a` plays by, where `b` plays by another or games are kept."""

    def command(self, games: int) -> str:
        """What plays the first so many games of it.

        >>> Pairing("toy", "row", {"fog": True}, "recruit", "random", "x").command(3)
        'sandtable match toy --scenario row --a recruit --b random --seed x --games 3 \
--option fog=yes'
        """
        words = ["sandtable", "match", self.title, "--scenario", self.scenario]
        words += ["--a", self.a, "--b", self.b, "--seed", self.seed, "--games", str(games)]
        for name, value in self.options.items():
            words += ["--option", f"{name}={_word(value)}"]
        words += ["--data", self.data] if self.data is not None else []
        words += ["--b-of", self.commit] if self.commit is not None else []
        return shlex.join(words)


def _word(value: OptionValue) -> str:
    """An option's value as it is given on the command line."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


class Result(Struct, frozen=True, omit_defaults=True):
    """One game: which side `a` played, who won, and how."""

    number: int
    side_of_a: Side
    winner: Side | None
    level: str
    decisions: int
    points: int = 0
    """The sum of the score's lines, as the title counts them."""
    absurd: tuple[Absurdity, ...] = ()
    """What the players did absurdly, if somebody watched."""


class BrokenOff(Exception):
    """A match that could not go on: the message names the game, `played` are those before it."""

    def __init__(self, message: str, played: list[Result]) -> None:
        super().__init__(message)
        self.played = played


class BrokenOffClearly(BrokenOff, BadMessage):
    """The same where the message says all, and nobody needs a traceback."""


def play_one(task: tuple[Pairing, int]) -> Result:
    """Play game `number` of a pairing; everything depends on these two alone.

    A game is not lost with a process of another version but played again.
    """
    for _ in range(TRIES - 1):
        try:
            return _play_once(*task)
        except Lost as lost:
            warn(f"{lost} The game is played again")
    return _play_once(*task)


def _play_once(pairing: Pairing, number: int) -> Result:
    title = sandtable.title(pairing.title)
    seed = f"{pairing.seed}-{number // 2}"
    game = title.start(pairing.scenario, pairing.options, seed, data=pairing.data)
    side_of_a = title.sides[number % 2]
    side_of_b = title.other(side_of_a)
    levels = {side_of_a: pairing.a, side_of_b: pairing.b}
    # Luck belongs to the player, not to the side: else two equals would play one game twice.
    names = {side_of_a: "a", side_of_b: "b"}
    # Budgets count processor time, so that a busy machine favours nobody.
    players: dict[Side, Player] = {
        side: player(level, f"{seed}|{names[side]}", time.process_time)
        for side, level in levels.items()
    }
    told: list[str] = []
    guest = pairing.commit and Guest(
        pairing.commit,
        told,
        title=title.id,
        scenario=pairing.scenario,
        options=pairing.options,
        seed=seed,
        data=pairing.data,
        side=side_of_b,
        level=pairing.b,
        luck=f"{seed}|b",
    )
    if guest:
        players[side_of_b] = guest
    watch = Watch(game, levels) if pairing.watch else None
    play = watch.play if watch else type(game).play
    try:
        while game.outcome is None:
            side = game.actor
            assert side is not None
            action = players[side].choose(Seat(game, side)).action
            told.append(game.text(action))
            play(game, action)
            if len(told) > LONGEST_GAME:
                raise BadMessage(f"game {number} does not end after {LONGEST_GAME} decisions")
        if guest:
            guest.compare(game.digest())
    finally:
        if guest:
            guest.end()
    ended = game.outcome
    points = sum(line.value for line in ended.score)
    absurd = tuple(watch.found) if watch else ()
    return Result(number, side_of_a, ended.winner, ended.level, len(told), points, absurd)


def by_par(pairing: Pairing, results: Iterable[Result]) -> list[Result]:
    """Results as the handicap counts them; games are played without a thought of it."""
    if pairing.par is None:
        return list(results)
    side, par = pairing.par
    other = sandtable.title(pairing.title).other(side)

    def judged(each: Result) -> Result:
        if each.level == "automatic":
            return each
        winner = None if each.points == par else side if each.points > par else other
        return replace(each, winner=winner, level="by par")

    return list(map(judged, results))


class Interrupted(BrokenOff, KeyboardInterrupt):
    """The same where somebody pressed Ctrl-C."""


Stop = Callable[[Sequence[Result]], bool]


def play_all(
    pairing: Pairing,
    games: int,
    workers: int,
    tell: Callable[[int], None] = lambda done: None,
    *,
    ray: str | None = None,
    stop: Stop = lambda results: False,
    keep: Path | None = None,
) -> list[Result]:
    """All games of a pairing, in order, on one or more processes; a lost one loses no game.

    `stop` may end the match early. It looks at the results in order, so that the same seeds give
    the same match wherever they are played. `keep` is a file that each game is added to, and from
    which a match that was ended goes on, with the same handicap or another.
    """
    plain = replace(pairing, par=None, code=pairing.code or known_code() if keep else None)
    tasks = [(plain, number) for number in range(games)]

    def enough(results: Sequence[Result]) -> bool:
        return bool(results) and stop(by_par(pairing, results))

    with _alone(keep) if keep else nullcontext():
        done = Record(keep, plain, games)
        if not enough(done):
            rest = tasks[len(done) :]
            played = _on_ray(ray, rest) if ray is not None else spread(play_one, rest, workers)
            with closing(_until_one_breaks_off(pairing, played, done, keep)) as whole:
                try:
                    _gather(whole, done, tell, enough)
                except KeyboardInterrupt:
                    raise Interrupted("stopped", by_par(pairing, done)) from None
    return by_par(pairing, done)


def _until_one_breaks_off(
    pairing: Pairing,
    played: Generator[Result, None, None],
    done: Sequence[Result],
    keep: Path | None,
) -> Generator[Result, None, None]:
    """The games, which come in order, so that the next one is the one that went wrong."""
    before = len(done)
    try:
        yield from played
    except Exception as error:
        number, clear = len(done), isinstance(error, BadMessage)
        if number == before and (clear or isinstance(error, OSError)):
            raise  # It may not even have begun.
        side = sandtable.title(pairing.title).sides[number % 2]
        why = error if clear else repr(error)
        again = f"the same command goes on from {keep}" if keep else pairing.command(number + 1)
        kind = BrokenOffClearly if clear else BrokenOff
        raise kind(
            f"game {number} broke off ({pairing.a} as {side}, seed {pairing.seed}-{number // 2}): "
            f"{why}; to play it again: {again}",
            by_par(pairing, done),
        ) from error


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep a second match off the same file: each game would be written down twice."""
    with path.open("ab") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadMessage(
                f"another match writes to {path}; wait for its end, or give a new file"
            ) from None
        except (ImportError, OSError):
            pass  # Not every system can lock a file.
        yield


def spread(work: Callable[[T], U], tasks: Sequence[T], workers: int) -> Generator[U, None, None]:
    """What comes of each task, in order, on so many processes; a lost one loses nothing."""
    done = 0
    if min(workers, len(tasks)) > 1:
        pool = ProcessPoolExecutor(min(workers, len(tasks)), initializer=_end_at_once)
        try:
            # Not by `map`, which cancels by itself: a thread of the pool may trip over that.
            for each in [pool.submit(work, task) for task in tasks]:
                yield each.result()
                done += 1
        except BrokenProcessPool:
            warn("a worker died; the games go on with one process")
        finally:
            pool.shutdown(cancel_futures=True)
    yield from map(work, tasks[done:])


def _end_at_once() -> None:
    """Who interrupts or ends a match does not wait for the games that its workers play."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Record(list[Result]):
    """The games played so far, in order; with a file they outlive an interruption."""

    def __init__(self, path: Path | None, pairing: Pairing, games: int) -> None:
        self._path = path
        if path is None:
            return
        if not path.exists() or not path.stat().st_size:
            path.write_bytes(msgspec.json.encode(pairing) + b"\n")
        kept = path.read_bytes()
        # The last line may have been cut off in the middle of writing.
        whole = kept[: kept.rfind(b"\n") + 1]
        first, *lines = whole.splitlines() or [b""]
        try:
            head = msgspec.json.decode(first, type=Pairing)
        except msgspec.DecodeError:
            head = None
        if head is None or replace(head, code=None) != replace(pairing, code=None):
            raise BadMessage(f"{path} holds another match; give a new file")
        if None not in (head.code, pairing.code) and head.code != pairing.code:
            raise BadMessage(
                f"{path} holds games by the code of {head.code}, and this is {pairing.code}; "
                "give a new file, or go on with that code"
            )
        title = sandtable.title(pairing.title)
        for line in lines:
            with suppress(msgspec.DecodeError):
                result = msgspec.json.decode(line, type=Result)
                if result.number != len(self):
                    raise BadMessage(
                        f"{path}: game {len(self)} is missing before game {result.number}; "
                        "put it back, or give a new file"
                    )
                if not {result.side_of_a, result.winner} <= {None, *title.sides}:
                    raise BadMessage(
                        f"{path}: game {result.number} names a side that {title.id} does not have; "
                        "mend it, or give a new file"
                    )
                super().append(result)
        os.truncate(path, len(whole))  # In place: the lock is on this very file.
        del self[games:]  # the file keeps what an earlier, longer match played

    def append(self, result: Result) -> None:
        """Add a game, and write it down at once."""
        super().append(result)
        if self._path:
            with self._path.open("ab") as file:
                file.write(msgspec.json.encode(result) + b"\n")


def _gather(
    results: Iterable[Result], done: Record, tell: Callable[[int], None], stop: Stop
) -> None:
    for each in results:
        done.append(each)
        tell(len(done))
        if stop(done):
            return


def _on_ray(address: str, tasks: Sequence[tuple[Pairing, int]]) -> Generator[Result, None, None]:
    """The games on a Ray cluster, in order; "local" starts one on this machine."""
    try:
        ray = import_module("ray")
    except ImportError:
        raise BadMessage(
            f"Ray is not installed; run {sys.executable} -m pip install ray, or use --workers"
        ) from None
    try:
        _knock(address)
        ray.init(address=None if address == "local" else address, log_to_driver=False)
    except Exception as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        first = why.splitlines()[0]
        raise BadMessage(f"no Ray cluster answers at {address}: {first}") from None
    # Ray prints what goes wrong where only the table should stand.
    with redirect_stdout(sys.stderr):
        yield from _remote(ray, tasks)


def _knock(address: str) -> None:
    """Fail at once where nobody listens: Ray itself tries for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()


def _remote(ray: Any, tasks: Sequence[tuple[Pairing, int]]) -> Generator[Result, None, None]:
    """What a cluster that we are connected to makes of the games."""
    try:
        remote = ray.remote(play_one)
        waiting = [remote.remote(task) for task in tasks]
        told = False
        for task, each in zip(tasks, waiting, strict=True):
            try:
                result = ray.get(each)
            except ray.exceptions.RayTaskError:
                raise  # The game itself went wrong, and would here.
            except ray.exceptions.RayError as error:
                if not told:
                    warn(f"Ray loses games ({type(error).__name__}); they are played here")
                told = True
                result = play_one(task)
            yield result
    finally:
        ray.shutdown()


class Sprt(Struct, frozen=True):
    """Wald's sequential test of two shares of points, with 5 % of errors on either side."""

    low: float
    high: float
    error: float = 0.05

    def evidence(self, results: Sequence[Result]) -> float:
        """The logarithm of how much likelier the high share makes these results than the low."""
        total = 0.0
        for each in results:
            won = 0.5 if each.winner is None else float(each.winner == each.side_of_a)
            total += won * log(self.high / self.low)
            total += (1 - won) * log((1 - self.high) / (1 - self.low))
        return total

    @property
    def bound(self) -> float:
        """The evidence that settles it."""
        return log((1 - self.error) / self.error)

    def settled(self, results: Sequence[Result]) -> bool:
        """Whether no more games are needed, of pairs in which both have played both sides."""
        return len(results) % 2 == 0 and abs(self.evidence(results)) >= self.bound

    def verdict(self, results: Sequence[Result]) -> str:
        """The outcome in a sentence."""
        evidence = self.evidence(results)
        if evidence >= self.bound:
            return f"at least {self.high:.0%} rather than {self.low:.0%}"
        if evidence <= -self.bound:
            return f"at most {self.low:.0%} rather than {self.high:.0%}"
        return f"not settled between {self.low:.0%} and {self.high:.0%}"


def handicap(title: Title, text: str) -> tuple[Side, int]:
    """A handicap written as SIDE:POINTS, for the side whose points the title counts."""
    if title.points_of is None:
        raise BadMessage(f"{title.id} counts the points of no one side, so it has no handicap")
    side, _, points = text.partition(":")
    try:
        number = int(points)
    except ValueError:
        side = ""
        number = 0
    if side not in title.sides:
        raise BadMessage(f"{text!r} is no handicap; give {title.points_of}:POINTS")
    if side != title.points_of:
        raise BadMessage(
            f"{title.id} counts the points of {title.points_of!r}, not of {side!r}; "
            f"give {title.points_of}:POINTS"
        )
    return side, number


def sprt(text: str) -> Sprt:
    """A test written as LOW:HIGH.

    >>> sprt("0.5:0.6").bound > 2.9
    True
    """
    try:
        low, high = (float(part) for part in text.split(":"))
    except ValueError:
        low = high = 0.0
    if not 0 < low < high < 1:
        raise BadMessage(f"{text!r} is no test; give two shares such as 0.5:0.55")
    return Sprt(low, high)


class Share(Struct, frozen=True):
    """Wins, draws and losses of one side or player, with the points they make."""

    name: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win counts one, a draw a half, as a share of all games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share of points."""
        return wilson(self.points, self.games)


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval in which the true share lies, after so many games.

    >>> low, high = wilson(0.7, 200)
    >>> round(low, 3), round(high, 3)
    (0.633, 0.759)
    """
    if games == 0:
        return 0.0, 1.0
    z = 1.959964
    middle = share + z * z / (2 * games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    below = 1 + z * z / games
    # The share is never outside, nor an end below zero, whatever the last digit of a division says.
    return max(0.0, min(share, (middle - spread) / below)), max(share, (middle + spread) / below)


def names(pairing: Pairing) -> tuple[str, str]:
    """What the two players are called in the table, apart even if they are the same level."""
    b = by_code(pairing.b, pairing.commit)
    return pairing.a, b if b != pairing.a else f"{b} (b)"


def by_code(level: str, version: str | None) -> str:
    """A level, with the version whose code it plays by if that was named."""
    return f"{level} of {version}" if version else level


def shares(pairing: Pairing, results: list[Result]) -> Iterator[Share]:
    """By player, by side, and by player on each side."""
    title = sandtable.title(pairing.title)
    a, b = names(pairing)
    yield _share(a, results, lambda each: each.side_of_a)
    yield _share(b, results, lambda each: title.other(each.side_of_a))
    for side in title.sides:
        yield _share(title.side_names[side], results, _always(side))
    for side in title.sides:
        mine = [each for each in results if each.side_of_a == side]
        yield _share(f"{a} as {title.side_names[side]}", mine, _always(side))


def _always(side: Side) -> Callable[[Result], Side]:
    return lambda _: side


def _share(name: str, results: list[Result], side: Callable[[Result], Side]) -> Share:
    wins = sum(each.winner == side(each) for each in results)
    draws = sum(each.winner is None for each in results)
    return Share(name, wins, draws, len(results) - wins - draws)
