"""The engine protocol: one JSON object a line in, one a line out. See docs/protocol.md."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Annotated, Any, get_args

import msgspec
from msgspec import Meta, Struct

from sandtable.kernel import codec
from sandtable.kernel import record as records
from sandtable.kernel.actions import Action
from sandtable.kernel.errors import BadMessage, Refused
from sandtable.kernel.events import Event
from sandtable.kernel.game import Outcome
from sandtable.kernel.table import Table, replay
from sandtable.kernel.title import Title

LONGEST_LINE = 1_000_000

Answer = dict[str, Any]
Face = Annotated[int, Meta(ge=0, le=1_000_000)]


class Command(Struct, forbid_unknown_fields=True, tag_field="cmd", tag=str.lower, kw_only=True):
    """What a client may say; `id` comes back in the answer."""

    id: int | str | None = None


class Start(Command):
    """A new game; `scripted` lists faces, or is true where `dice` will give them."""

    scenario: str | None = None
    options: dict[str, bool | int | str] | None = None
    seed: str | int | None = None
    words: tuple[str, ...] = ()
    scripted: list[Face] | bool | None = None


class Position(Command):
    """Any position, from TOML."""

    text: str
    seed: str | int | None = None
    scripted: list[Face] | bool | None = None


class Actions(Command):
    """The legal actions."""


class Play(Command):
    """Carry out an action, by its text."""

    action: str
    side: str | None = None


class Why(Command):
    """Whether an action is legal, and if not why."""

    action: str


class Odds(Command):
    """The chances of an action."""

    action: str


class View(Command):
    """What a side sees; a spectator without one."""

    side: str | None = None


class State(Command):
    """The whole truth."""


class Dice(Command):
    """Faces for the next rolls of a scripted game."""

    faces: list[Face]


class Undo(Command):
    """Take the last action back."""


class Record(Command):
    """The game as a record, with its seed."""


class Load(Command):
    """Go on with a recorded game."""

    text: str


class Orders(Command):
    """The interrupts and the standing orders that answer them."""


class Order(Command):
    """Give a standing order."""

    side: str
    interrupt: str
    setting: str


class Resign(Command):
    """Give the game up."""

    side: str


class Rules(Command):
    """The numbered rules in our own words, or one of them."""

    number: str | None = None


class Quit(Command):
    """End the engine."""


Said = (
    Start
    | Position
    | Actions
    | Play
    | Why
    | Odds
    | View
    | State
    | Dice
    | Undo
    | Record
    | Load
    | Orders
    | Order
    | Resign
    | Rules
    | Quit
)
_DECODER = msgspec.json.Decoder(Said)
_ENCODER = msgspec.json.Encoder()


class Engine:
    """One game of one title, driven by commands."""

    def __init__(self, title: Title, data: str | Path | None = None) -> None:
        self.title = title
        self.where = data
        self.data = title.data(data)
        self.over = False
        self._table: Table | None = None

    @property
    def table(self) -> Table:
        """The game in progress."""
        if self._table is None:
            raise BadMessage("no game is in progress; send start, position or load first")
        return self._table

    def serve(self, lines: IO[bytes], out: IO[bytes]) -> None:
        """Answer line by line until `quit` or the end of the input."""
        while not self.over:
            line = lines.readline(LONGEST_LINE + 1)
            if not line:
                break
            if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = lines.readline(LONGEST_LINE)
                answer = _error(BadMessage(f"the line is longer than {LONGEST_LINE} bytes; cut it"))
            elif not line.strip():
                continue
            else:
                answer = self.answer(line)
            out.write(_ENCODER.encode(answer) + b"\n")
            out.flush()

    def answer(self, line: bytes | str) -> Answer:
        """The answer to one line; an error changes nothing."""
        said: Said | None = None
        before = self._table and self._table.copy()
        try:
            said = _DECODER.decode(line)
            added = self.obey(said)
            answer = self.standing() | added
        except (BadMessage, Refused) as error:
            answer = _error(error)
        except msgspec.ValidationError as error:
            answer = _error(BadMessage(f"{_plain(error)}; see docs/protocol.md"))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            answer = _error(BadMessage(f"not a JSON object: {error}; send one object a line"))
        except RecursionError:
            answer = _error(BadMessage("the line is nested too deeply; send a plain object"))
        except Exception as bug:
            # A mistake of ours must not cost a referee the game.
            self._table = before
            what = f"{type(bug).__name__}: {bug}"
            answer = _error(BadMessage(f"a bug in the rules ({what}); report it with the record"))
        return answer if said is None or said.id is None else {"id": said.id} | answer

    def standing(self) -> Answer:
        """What every answer says: who decides what, by which rule, or how the game ended."""
        common: Answer = {"ok": True, "actor": None, "prompt": None, "rule": None, "over": False}
        if self._table is None:
            return common
        game = self._table.game
        common |= {"actor": game.actor, "prompt": game.prompt, "rule": game.rule}
        if game.outcome:
            common |= {"over": True, "outcome": outcome(game.outcome)}
        return common

    def obey(self, said: Said) -> Answer:
        """Carry out a command; the answer is what it adds to the common part."""
        match said:
            case Start():
                faces = _faces(said.scripted)
                game = self.title.start(
                    said.scenario or "",
                    said.options or {},
                    _seed(said.seed, faces),
                    words=said.words,
                    scripted=faces,
                    data=self.where,
                )
                self._table = Table(game, faces=faces)
            case Position(text=text):
                faces = _faces(said.scripted)
                game = self.title.position(
                    text, seed=_seed(said.seed, faces), scripted=faces, data=self.where
                )
                self._table = Table(game, position=text, faces=faces)
            case Load(text=text):
                self._table = self._load(text)
            case Quit():
                self.over = True
            case Rules(number=number):
                return {"rules": self._rules(number)}
            case _:
                return self._in_game(said, self.table)
        return {}

    def _in_game(self, said: Said, table: Table) -> Answer:
        game = table.game
        match said:
            case Actions():
                return {"actions": [game.describe(action) for action in game.actions()]}
            case Play(action=text, side=side):
                return {"events": self._events(table.play(text, side))}
            case Why(action=text):
                return _why(table, text)
            case Odds(action=text):
                return _odds(table, table.read(text))
            case View(side=side):
                if side is not None and side not in self.title.sides:
                    sides = ", ".join(self.title.sides)
                    raise BadMessage(f"no side is called {side!r}; use {sides}, or null")
                return {"view": game.view(side)}
            case State():
                return {"state": codec.state(game), "digest": game.digest()}
            case Dice(faces=faces):
                table.script(faces)
            case Undo():
                table.undo()
            case Record():
                return {"text": table.record(reveal=True).print()}
            case Orders():
                return {"orders": self._orders(table)}
            case Order(side=side, interrupt=interrupt, setting=setting):
                return {"events": self._events(table.order(side, interrupt, setting))}
            case Resign(side=side):
                table.resign(side)
        return {}

    def _events(self, events: list[Event]) -> list[Answer]:
        return [self.table.game.report(event) for event in events]

    def _load(self, text: str) -> Table:
        record = records.parse(text)
        if record.title != self.title.id:
            raise BadMessage(f"the record is of {record.title}; start `sandtable engine` with it")
        return replay(self.title, record, data=self.where)

    def _orders(self, table: Table) -> list[Answer]:
        return [
            {
                "side": side,
                "interrupt": each.id,
                "name": each.name,
                "rule": each.rule,
                "setting": table.game.orders.get(f"{side} {each.id}", "ask"),
                "settings": ["ask", *each.settings],
            }
            for side in self.title.sides
            for each in self.title.interrupts
        ]

    def _rules(self, number: str | None) -> list[Answer]:
        book = self.title.rules
        if number is not None and number not in book:
            raise BadMessage(f"{self.title.id} has no rule {number!r}; send rules for the list")
        entries = book if number is None else [book[number]]
        return [
            {"number": each.number, "heading": each.heading, "text": each.text} for each in entries
        ]


def outcome(ended: Outcome) -> Answer:
    """How a game ended, as it goes over the wire."""
    return {
        "winner": ended.winner,
        "level": ended.level,
        "text": ended.text,
        "rule": ended.rule,
        "score": [
            {"text": line.text, "value": line.value, "rule": line.rule} for line in ended.score
        ],
    }


def _why(table: Table, text: str) -> Answer:
    try:
        refusal = table.game.why_not(table.read(text))
    except Refused as error:
        refusal = error.refusal
    if refusal is None:
        return {"legal": True, "text": ""}
    return {"legal": False, "rule": refusal.rule, "text": refusal.text}


def _odds(table: Table, action: Action) -> Answer:
    game = table.game
    refusal = game.why_not(action)
    if refusal:
        raise Refused(refusal)
    odds = game.odds(action)
    if odds is None:
        return {"modifiers": [], "outcomes": [], "assumes": [], "margins": []}
    return {
        "modifiers": [
            {"name": each.name, "value": each.value, "rule": each.rule} for each in odds.modifiers
        ],
        "outcomes": [
            {
                "text": each.text,
                "probability": float(each.probability),
                "exact": str(each.probability),
                "favours": each.favours,
            }
            for each in odds.outcomes
        ],
        "assumes": list(odds.assumes),
        "margins": [
            {"value": each.value, "exact": str(each.probability), "outcome": each.outcome}
            for each in odds.margins
        ],
    }


def _faces(scripted: list[int] | bool | None) -> tuple[int, ...] | None:
    if isinstance(scripted, list):
        return tuple(scripted)
    return () if scripted else None


def _seed(seed: str | int | None, faces: tuple[int, ...] | None) -> str | None:
    if seed is None:
        # A scripted game draws nothing from its seed, so it need not differ from run to run.
        return None if faces is None else "scripted"
    return str(seed)


def _error(error: BadMessage | Refused) -> Answer:
    if isinstance(error, Refused):
        return {"ok": False, "error": error.refusal.text, "rule": error.refusal.rule}
    return {"ok": False, "error": " ".join(str(error).split()), "rule": None}


def _plain(error: msgspec.ValidationError) -> str:
    if "$.cmd" in str(error) or "`cmd`" in str(error):
        names = ", ".join(each.__name__.lower() for each in get_args(Said))
        return f"the command is missing or unknown; give as 'cmd' one of {names}"
    return str(error).replace("`", "'").replace("$.", "").replace(" - at '$'", "")
