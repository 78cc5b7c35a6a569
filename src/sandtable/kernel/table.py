"""A game with its history: take-back within the policy, the log, and the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path

from msgspec import Struct

from sandtable.kernel import record as records
from sandtable.kernel.actions import Action
from sandtable.kernel.dice import commitment
from sandtable.kernel.errors import BadMessage, Refusal, Refused
from sandtable.kernel.events import Event, Rolled, Side
from sandtable.kernel.game import Game, OptionValue, Outcome
from sandtable.kernel.record import Line, Record
from sandtable.kernel.title import Title

AGREEMENTS = {
    "draw": "The players agree on a draw.",
    "end": "The players agree to end the game here.",
}


class Entry(Struct, frozen=True):
    """One line of play and what came of it."""

    line: Line
    by: Side | None
    events: tuple[Event, ...]


class Table:
    """One game being played: what everybody who hosts a game uses."""

    def __init__(
        self,
        game: Game,
        players: Mapping[Side, str] | None = None,
        position: str = "",
        faces: Sequence[int] | None = None,
    ) -> None:
        """`position` and `faces` are the text and the script the game was made from, if any."""
        self.title: Title = game.title
        self.game = game
        self.players = {side: " ".join(name.split()) for side, name in (players or {}).items()}
        self.position = position
        self.faces = None if faces is None else tuple(faces)
        self.history: list[Entry] = []
        self._before: list[tuple[Game, int]] = []

    def copy(self) -> Table:
        """An independent copy, to go back to."""
        new = copy(self)
        new.game, new.history, new._before = self.game.copy(), [*self.history], [*self._before]
        return new

    def play(self, action: Action | str, side: Side | None = None) -> list[Event]:
        """Play an action or its text, for a side if given; nothing changes if it is refused."""
        game = self.game
        if side is not None and side != game.actor and game.outcome is None:
            who = self.title.side_names.get(game.actor or "", "nobody")
            raise Refused(Refusal(game.rule, f"It is not your decision now, but that of {who}."))
        if isinstance(action, str):
            action = self.read(action)
        actor, rolls, before = game.actor, game.dice.count, game.copy()
        text = game.text(action)
        events = game.play(action)
        self._remember(Line(text, _dice(events)), actor, events)
        final = game.dice.count != rolls or any(event.reveals for event in events)
        if final or game.actor != actor or game.outcome:
            self._before.clear()
        else:
            self._before.append((before, len(self.history) - 1))
        return events

    def read(self, text: str) -> Action:
        """The action in a text; one that cannot be read is refused with the rule in force."""
        try:
            return self.game.parse(text)
        except BadMessage as error:
            raise Refused(Refusal(self.game.rule, f"{error}.")) from None

    def order(self, side: Side, interrupt: str, setting: str) -> list[Event]:
        """Give a standing order."""
        events = self.game.order(side, interrupt, setting)
        self._remember(Line(f"!order {side} {interrupt} {setting}", _dice(events)), side, events)
        self._before.clear()
        return events

    def resign(self, side: Side) -> None:
        """Give the game up."""
        if side not in self.title.sides:
            sides = " or ".join(self.title.sides)
            raise BadMessage(f"no side is called {side!r}; use {sides}")
        text = f"{self.title.side_names[side]} resigned."
        self._end(self.title.other(side), "resignation", text, f"!resign {side}", side)

    def agree(self, what: str) -> None:
        """End the game by agreement: as a draw, or without a result."""
        if what not in AGREEMENTS:
            raise BadMessage(f"players cannot agree on {what!r}; use {' or '.join(AGREEMENTS)}")
        self._end(None, f"agreed {what}", AGREEMENTS[what], f"!agree {what}", None)

    def forfeit(self, side: Side) -> None:
        """End the game because a side's time has run out."""
        if side not in self.title.sides:
            raise BadMessage(f"no side is called {side!r}; use {' or '.join(self.title.sides)}")
        text = f"{self.title.side_names[side]} has run out of time."
        self._end(self.title.other(side), "time", text, f"!time {side}", side)

    def _end(self, winner: Side | None, level: str, text: str, line: str, by: Side | None) -> None:
        game = self.game
        if game.outcome:
            raise Refused(Refusal(game.outcome.rule, "The game is over."))
        game.finish(Outcome(winner, level, text, game.rule))
        game.legal = ()
        self._remember(Line(line), by, [])
        self._before.clear()

    def script(self, faces: Sequence[int]) -> None:
        """Give a scripted game the faces of its next rolls."""
        if self.faces is None:
            raise BadMessage("the dice of this game are not scripted; start it with `scripted`")
        self.faces += tuple(faces)
        self.game.dice = self.game.dice.scripted(faces)

    @property
    def can_undo(self) -> bool:
        """Whether the last action may still be taken back."""
        return bool(self._before)

    def undo(self) -> None:
        """Take the last action back: never after dice, a reveal, or the other side's decision."""
        if not self._before:
            raise Refused(
                Refusal(
                    self.game.rule,
                    "Nothing can be taken back: dice were rolled, something hidden was seen, "
                    "or the other side has decided.",
                )
            )
        dice = self.game.dice
        self.game, length = self._before.pop()
        self.game.dice = dice  # nothing was rolled since, but faces may have been added
        del self.history[length:]

    def record(self, *, reveal: bool | None = None) -> Record:
        """The record so far; the seed is in it once the game is over, or if asked for."""
        game = self.game
        show = game.outcome is not None if reveal is None else reveal
        return Record(
            title=self.title.id,
            scenario=game.scenario,
            options=_changed(self.title, game.options),
            version=self.title.version,
            data=game.data.digest,
            hash=commitment(game.dice.seed),
            seed=game.dice.seed if show else None,
            words=game.dice.words,
            players=self.players,
            lines=tuple(entry.line for entry in self.history),
            position=self.position,
            faces=self.faces,
            result=_result(game.outcome),
            digest=game.digest(),
        )

    def log(self, side: Side | None, since: int = 0) -> list[tuple[Event, str]]:
        """The events a side may see, each with its sentence; None is a spectator."""
        return [
            (event, self.game.sentence(event))
            for entry in self.history[since:]
            for event in entry.events
            if event.only is None or event.only == side
        ]

    def _remember(self, line: Line, by: Side | None, events: Sequence[Event]) -> None:
        self.history.append(Entry(line, by, tuple(events)))


def replay(
    title: Title, record: Record, *, data: str | Path | None = None, upto: int | None = None
) -> Table:
    """Play a record again, checking every line, die and the final digest."""
    if record.seed is None:
        raise BadMessage("the record has no seed yet; it can be replayed when the game is over")
    if record.version != title.version:
        raise BadMessage(
            f"the record was made with rules version {record.version} of {title.id}, "
            f"this is version {title.version}; use the matching release"
        )
    facts = title.data(data)
    if record.data != facts.digest:
        raise BadMessage(
            f"the record was made with data {record.data}, this is {facts.digest}; "
            "give its data pack with --data"
        )
    game = _begin(title, record, data)
    table = Table(game, record.players, record.position, record.faces)
    for line in record.lines[:upto]:
        follow(table, line)
    if upto is None:
        compare(table, record)
    return table


def compare(table: Table, record: Record) -> None:
    """Check the result and the digest at the end of a replay."""
    result, digest = _result(table.game.outcome), table.game.digest()
    if record.result and result != record.result:
        raise BadMessage(
            f"the replay ends with {result or 'no result'}, the record says {record.result}"
        )
    if record.digest and digest != record.digest:
        raise BadMessage(f"the replay ends at digest {digest}, the record says {record.digest}")


def follow(table: Table, line: Line) -> None:
    """Carry out the next line of a record and compare its dice."""
    number = len(table.history) + 1
    try:
        _carry_out(table, line)
    except (Refused, BadMessage) as error:
        raise BadMessage(f"action {number} '{line.text}': {error}") from None


def _carry_out(table: Table, line: Line) -> None:
    word, *rest = line.text.split()
    if word == "!order" and len(rest) == 3:
        table.order(*rest)
    elif word == "!resign" and len(rest) == 1:
        table.resign(rest[0])
    elif word == "!agree" and len(rest) == 1:
        table.agree(rest[0])
    elif word == "!time" and len(rest) == 1:
        table.forfeit(rest[0])
    elif word.startswith("!"):
        raise BadMessage(
            f"no order starts with {word!r} and has {len(rest)} words more; write '!order SIDE "
            "INTERRUPT SETTING', '!resign SIDE', '!agree draw', '!agree end' or '!time SIDE'"
        )
    else:
        table.play(line.text)
    rolled = table.history[-1].line.comment
    if line.comment and line.comment != rolled:
        raise BadMessage(f"the dice fell {rolled or 'not at all'}, not {line.comment}")


def _begin(title: Title, record: Record, data: str | Path | None) -> Game:
    assert record.seed is not None
    seed, words, faces = record.seed, record.words, record.faces
    if record.position:
        return title.position(record.position, seed=seed, words=words, scripted=faces, data=data)
    return title.start(
        record.scenario, record.options, seed, words=words, scripted=faces, data=data
    )


def _dice(events: Sequence[Event]) -> str:
    return records.dice_comment(
        [
            (event.purpose, event.faces)
            for event in events
            if isinstance(event, Rolled) and event.only is None
        ]
    )


def _changed(title: Title, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The options that differ from their defaults, which is all a record needs."""
    defaults = {each.id: each.default for each in title.options}
    return {name: value for name, value in options.items() if defaults[name] != value}


def _result(outcome: Outcome | None) -> str:
    return "" if outcome is None else f"{outcome.winner or 'draw'} {outcome.level}"
