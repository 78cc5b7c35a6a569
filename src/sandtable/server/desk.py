"""One game replayed from its lines: the rules, the log, the clocks and the offers.

A desk knows nothing of networks and databases. Lines are the actions and orders of the record, and
a few that only a server needs: `!undo SIDE`, `!offer SIDE WHAT`, `!answer SIDE WHAT yes|no`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

import sandtable
from sandtable.kernel.errors import BadMessage, Refusal, Refused
from sandtable.kernel.events import Event, Side
from sandtable.kernel.game import Game
from sandtable.kernel.record import Line, Record
from sandtable.kernel.table import Entry, Table
from sandtable.kernel.title import Title
from sandtable.server import art
from sandtable.server.clocks import Clock
from sandtable.server.journal import Journal
from sandtable.server.models import GameRow
from sandtable.server.store import Stored
from sandtable.server.wire import encode

BOTH = "both"
Eye = Side | None
"""Who looks: a side, "both" at one screen, or None for a spectator."""

OFFERS = ("draw", "end", "rematch")


class Applied(Struct, frozen=True):
    """What one line did."""

    seq: int
    text: str
    by: Side | None
    dice: str
    events: tuple[Event, ...]
    undone: int = 0
    reason: str = ""
    heard: str = ""
    """What others than its own side may read of the reason before the end."""


class LeanTable(Table):
    """A table that leaves the events of its history to the journal."""

    def _remember(self, line: Line, by: Side | None, events: Sequence[Event]) -> None:
        self.history.append(Entry(line, by, ()))
        self.latest = tuple(events)


class Desk:
    """A running game that lines are applied to."""

    def __init__(self, row: GameRow, players: dict[Side, str], packs: str = "") -> None:
        self.row = row
        self.title: Title = sandtable.title(row.title)
        self.packs = packs
        self.table = LeanTable(self.begin(), players, row.position)
        self.seq = 0
        self.alive: list[int] = []
        """The line that each entry of the table's history came from."""
        self.journal = Journal()
        self.offers: dict[str, Side] = {}
        self.clock = (
            Clock.start(row.clock, self.title.sides, self.game.actor, row.begun)
            if row.clock and row.begun
            else None
        )

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.table.game

    def begin(self) -> Game:
        """The game before its first line."""
        return begin(self.row, self.packs)

    def apply(
        self, text: str, by: Side | None, at: int, reason: str = "", heard: str = ""
    ) -> Applied:
        """Carry out one line; nothing changes if it is refused."""
        seq, undone = self.seq + 1, 0
        self.table.latest = ()
        word, *rest = text.split() or [""]
        if word == "!undo":
            self.table.undo()
            undone = self.alive.pop()
            self.journal.undone.add(undone)
        elif word == "!offer":
            self._offer(*rest)
        elif word == "!answer":
            self._answer(*rest)
        else:
            self._play(text, by)
            self.alive.append(seq)
        self.seq = seq
        applied = Applied(
            seq,
            text if undone or word.startswith("!") else self.table.history[-1].line.text,
            by,
            self.table.history[-1].line.comment if self.alive[-1:] == [seq] else "",
            self.table.latest,
            undone,
            reason,
            heard,
        )
        if self.clock:
            self.clock.press(self.game.actor, at)
        self.journal.add(self._log(applied))
        return applied

    def _play(self, text: str, by: Side | None) -> None:
        table = self.table
        match text.split():
            case ["!order", side, interrupt, setting]:
                table.order(side, interrupt, setting)
            case ["!resign", side]:
                table.resign(side)
            case ["!agree", what]:
                table.agree(what)
            case ["!time", side]:
                table.forfeit(side)
            case _:
                table.play(text, by)
        if self.game.outcome or by != self.offers.get("draw"):
            self.offers.pop("draw", None)
        if self.game.outcome or by != self.offers.get("end"):
            self.offers.pop("end", None)

    def _offer(self, side: str, what: str) -> None:
        if what not in OFFERS:
            raise BadMessage(f"{what!r} cannot be offered; use {', '.join(OFFERS)}")
        if (what == "rematch") != (self.game.outcome is not None):
            when = "when the game is over" if what == "rematch" else "while the game is on"
            raise Refused(Refusal(self.game.rule, f"A {what} can be offered only {when}."))
        if what in self.offers:
            raise Refused(Refusal(self.game.rule, f"A {what} is offered already; answer it."))
        self.offers[what] = side

    def _answer(self, side: str, what: str, yes: str) -> None:
        if self.offers.get(what, side) == side:
            raise Refused(Refusal(self.game.rule, f"The other side has not offered a {what}."))
        del self.offers[what]
        if yes == "yes" and what in ("draw", "end"):
            self.table.agree(what)
            self.alive.append(self.seq + 1)
            self.offers.clear()

    # What is shown.

    def sees(self, eye: Eye, only: Side | None) -> bool:
        """Whether something meant for one side only may be shown to this eye."""
        return only is None or eye in (only, BOTH)

    def views(self, eyes: Sequence[Eye]) -> list[Any]:
        """What each of these eyes sees, with a key to the picture of each counter."""
        game = self.game
        both = game.actor or self.title.sides[0]
        found = game.views([both if eye == BOTH else eye for eye in eyes])
        return art.with_keys(found, self.title.id)

    def actions(self, eye: Eye) -> list[dict[str, Any]]:
        """What an eye may choose from now."""
        game = self.game
        if game.actor is None or eye not in (game.actor, BOTH):
            return []
        return [game.describe(action) for action in game.actions()]

    def now(self, eye: Eye, at: int, view: Any = None) -> dict[str, Any]:
        """Everything about the present moment that an eye may know."""
        outcome = self.game.outcome
        turn = self.game.actor is not None and eye in (self.game.actor, BOTH)
        return {
            "seq": self.seq,
            "view": view or self.views([eye])[0],
            "actions": self.actions(eye),
            "can_undo": turn and self.table.can_undo,
            "offers": self.offers,
            "clocks": self.clock.show(at) if self.clock else None,
            "outcome": outcome,
            **({"ladder": self.game.ladder()} if outcome else {}),
        }

    def update(self, applied: Applied, eye: Eye, at: int) -> bytes:
        """The message about one line for an eye."""
        return self.updates(applied, [eye], at)[0]

    def updates(self, applied: Applied, eyes: Sequence[Eye], at: int) -> list[bytes]:
        """The message about one line for each of these eyes."""
        game = self.game
        reports = [(event.only, game.report(event)) for event in applied.events]
        return [
            encode(self._told(applied, eye, reports) | self.now(eye, at, view))
            for eye, view in zip(eyes, self.views(eyes), strict=True)
        ]

    def _told(
        self, applied: Applied, eye: Eye, reports: Sequence[tuple[Side | None, dict[str, Any]]]
    ) -> dict[str, Any]:
        mine = eye in (applied.by, BOTH)
        visible = mine or not self._private(applied.text)
        return {
            "type": "update",
            "by": applied.by if visible else None,
            # The text of an action may name what the other side must not know; events never do.
            "action": applied.text if mine or (visible and applied.text[:1] == "!") else None,
            "undone": applied.undone or None,
            "reason": self._reason(applied.by, applied.reason, applied.heard, eye) or None,
            "events": [report for only, report in reports if self.sees(eye, only)],
        }

    def log(self, eye: Eye, since: int = 0) -> list[dict[str, Any]]:
        """The log for an eye, after a line."""
        found = []
        for entry in self.journal.entries(since):
            if entry["kind"] == "Reason":
                text = self._reason(entry["by"], entry["text"], entry.pop("heard"), eye)
                if text:
                    found.append(entry | {"text": text})
            elif self.sees(eye, entry.get("only")):
                found.append(entry)
        return found

    def _reason(self, by: Side | None, reason: str, heard: str, eye: Eye) -> str:
        """What an eye may read of a reason: a side may not learn from it what is hidden from it."""
        return reason if self.game.outcome or eye in (by, BOTH) else heard

    def _log(self, applied: Applied) -> bytes:
        game, entries = self.game, []
        for event in applied.events:
            entry: dict[str, Any] = {
                "seq": applied.seq,
                **game.logged(event),
                "rule": event.rule,
                "by": applied.by,
            }
            if event.only is not None:
                entry["only"] = event.only
            entries.append(entry)
        if applied.reason:
            why = {"text": applied.reason, "heard": applied.heard, "rule": None}
            entries.append({"seq": applied.seq, "kind": "Reason", "by": applied.by} | why)
        said = self._announcement(applied)
        if said:
            entries.append({"seq": applied.seq, "text": said, "rule": None, "kind": "Table"})
        return encode(entries)

    def _announcement(self, applied: Applied) -> str:
        """The sentence for a line that is not an action of the rules."""
        word, *rest = applied.text.split() or [""]
        name = self.title.side_names.get(applied.by or "", "")
        if word == "!offer":
            return f"{name} offers {'an' if rest[1] == 'end' else 'a'} {rest[1]}."
        if word == "!answer" and rest[2] == "no":
            return f"{name} declines the {rest[1]}."
        if self.game.outcome and word in ("!resign", "!agree", "!time", "!answer"):
            return self.game.outcome.text
        return ""

    @staticmethod
    def _private(text: str) -> bool:
        return text.startswith("!order")

    def record(self, eye: Eye) -> Record:
        """The record for an eye; until the end, without what only the other side knows."""
        whole = self.table.record()
        if self.game.outcome or eye == BOTH:
            return whole
        lines = []
        for entry in self.table.history:
            if entry.by == eye or entry.by is None:
                lines.append(entry.line)
            else:
                # A comment alone: the dice are public, the choice is shown at the end.
                lines.append(Line("", entry.line.comment or f"{entry.by} plays"))
        return msgspec.structs.replace(whole, lines=tuple(lines), digest="")


def begin(row: GameRow, packs: str = "") -> Game:
    """The game that a row describes, before its first line."""
    title = sandtable.title(row.title)
    data = Path(packs) / row.data if row.data else None
    if row.position:
        return title.position(row.position, seed=row.seed, words=row.words, data=data)
    return title.start(row.scenario, row.options, row.seed, words=row.words, data=data)


def rebuild(
    row: GameRow,
    players: dict[Side, str],
    lines: Sequence[Stored],
    packs: str = "",
    desk: Desk | None = None,
) -> Desk:
    """A desk with all its lines played again, or with those that one still lacks."""
    desk = desk or Desk(row, players, packs)
    for line in lines:
        try:
            desk.apply(line.text, line.by or None, line.at, line.reason, line.heard)
        except (Refused, BadMessage) as error:
            raise BadMessage(
                f"game {row.id} cannot be played again at line {line.seq} '{line.text}': {error}"
            ) from None
        if line.dice and line.dice != desk.table.history[-1].line.comment:
            raise BadMessage(f"game {row.id}, line {line.seq}: the dice fell otherwise before")
    return desk


def verify_rules(row: GameRow) -> None:
    """Refuse a game made with other rules or other data than this server's."""
    title = sandtable.title(row.title)
    if row.version != title.version:
        raise BadMessage(
            f"this game was begun with rules version {row.version} of {title.id}; "
            f"this server has version {title.version}"
        )
