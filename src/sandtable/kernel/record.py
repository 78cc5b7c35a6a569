"""The record of a game: a text that a person can read and a forum can hold.

    sandtable 1
    title battleaxe
    scenario june
    option bid 12
    player allied Anne
    rules 1
    data 9f3c2a1b4d5e6f70
    hash 5feceb66...
    seed 41c7...
    word a player's own words, mixed into the seed
    faces 6 3 4          (only in scripted games: every face given, in order)

    assault C
    move 7RTR 4
    resolve              # attack 4 5, defense 2 3
    !order axis advantage never

    result allied
    digest 0f1e2d...

A line is an action in its text form; `#` opens a comment that holds the dice. Lines that start
with `!` are standing orders and resignations, which can come at any time.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from sandtable.kernel.dice import commitment
from sandtable.kernel.errors import BadMessage, whole
from sandtable.kernel.events import Side
from sandtable.kernel.game import OptionValue

FORMAT = "sandtable 1"
LONGEST_RECORD = 4_000_000


class Line(Struct, frozen=True):
    """One action or order, with the dice it rolled as a comment."""

    text: str
    comment: str = ""


class Record(Struct, frozen=True):
    """Everything needed to play a game again."""

    title: str
    scenario: str
    options: dict[str, OptionValue]
    version: int
    data: str
    hash: str
    seed: str | None
    words: tuple[str, ...]
    players: dict[Side, str]
    lines: tuple[Line, ...]
    position: str = ""
    faces: tuple[int, ...] | None = None
    """Every face given to a scripted game; None when the dice are real."""
    result: str = ""
    digest: str = ""

    def print(self) -> str:
        """The record as text."""
        out = [FORMAT, f"title {self.title}", f"scenario {self.scenario}"]
        out += [f"option {name} {_option_text(value)}" for name, value in self.options.items()]
        out += [f"player {side} {name}" for side, name in self.players.items()]
        out += [f"rules {self.version}", f"data {self.data}", f"hash {self.hash}"]
        out += [f"seed {self.seed}"] if self.seed is not None else []
        out += [f"word {word}" for word in self.words]
        if self.faces is not None:
            out.append(f"faces {' '.join(map(str, self.faces))}".rstrip())
        out += [f"position {line}" for line in self.position.splitlines()]
        out.append("")
        out += [
            f"{line.text} # {line.comment}" if line.comment else line.text for line in self.lines
        ]
        out.append("")
        out += [f"result {self.result}"] if self.result else []
        out += [f"digest {self.digest}"] if self.digest else []
        return "\n".join(out) + "\n"


def parse(text: str) -> Record:
    """The record in a text; BadMessage names the line that is wrong."""
    if len(text) > LONGEST_RECORD:
        raise BadMessage(f"the record is longer than {LONGEST_RECORD} characters")
    rows = text.splitlines()
    if not rows or rows[0].strip() != FORMAT:
        raise BadMessage(f"line 1: not a Sandtable record; it must start with {FORMAT!r}")
    fields: dict[str, list[str]] = {}
    at = 1
    while at < len(rows) and rows[at].strip():
        word, _, rest = rows[at].lstrip().partition(" ")
        if word not in _HEADER:
            raise BadMessage(f"line {at + 1}: unknown header {word!r}; use {', '.join(_HEADER)}")
        fields.setdefault(word, []).append(rest)
        at += 1
    lines: list[Line] = []
    end: dict[str, str] = {}
    for number, row in enumerate(rows[at:], at + 1):
        word, _, rest = row.strip().partition(" ")
        if not word:
            continue
        if word in ("result", "digest"):
            end[word] = rest
        elif end:
            raise BadMessage(f"line {number}: nothing may follow the result and digest")
        else:
            action, _, comment = row.partition("#")
            if action.strip():
                lines.append(Line(action.strip(), comment.strip()))
    seed = _one(fields, "seed", None)
    promised = _one(fields, "hash", "")
    if seed is not None and promised and commitment(seed) != promised:
        raise BadMessage("the seed does not match the hash shown at the start of the game")
    return Record(
        title=_need(fields, "title"),
        scenario=_need(fields, "scenario"),
        options=dict(_option(each) for each in fields.get("option", [])),
        version=_whole(_need(fields, "rules")),
        data=_need(fields, "data"),
        hash=promised or "",
        seed=seed,
        words=tuple(fields.get("word", [])),
        players=dict(_pair(each) for each in fields.get("player", [])),
        lines=tuple(lines),
        position="".join(f"{each}\n" for each in fields.get("position", [])),
        faces=_faces(_one(fields, "faces", None)),
        result=end.get("result", ""),
        digest=end.get("digest", ""),
    )


_HEADER = tuple("title scenario option player rules data hash seed word faces position".split())


def _one(fields: dict[str, list[str]], name: str, default: str | None) -> str | None:
    found = fields.get(name, [])
    if len(found) > 1:
        raise BadMessage(f"the header has {len(found)} lines {name!r}; keep one")
    return found[0].strip() if found else default


def _need(fields: dict[str, list[str]], name: str) -> str:
    found = _one(fields, name, None)
    if not found:
        raise BadMessage(f"the header has no line {name!r}; add it")
    return found


def _whole(text: str) -> int:
    number = whole(text)
    if number is None:
        raise BadMessage(f"header line 'rules {text}': give a whole number")
    return number


def _faces(text: str | None) -> tuple[int, ...] | None:
    faces = [] if text is None else [whole(word) for word in text.split()]
    if None in faces:
        raise BadMessage("header line 'faces': give whole numbers separated by spaces")
    return None if text is None else tuple(face for face in faces if face is not None)


def _pair(text: str) -> tuple[str, str]:
    name, _, rest = text.strip().partition(" ")
    return name, rest


def _option(text: str) -> tuple[str, OptionValue]:
    name, word = _pair(text)
    return name, parse_option(word)


def parse_option(word: str) -> OptionValue:
    """An option's value from its word: yes, no, a whole number, or itself."""
    if word in ("yes", "true", "on"):
        return True
    if word in ("no", "false", "off"):
        return False
    number = whole(word)
    return word if number is None else number


def _option_text(value: OptionValue) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def dice_comment(rolls: Sequence[tuple[str, tuple[int, ...]]]) -> str:
    """The dice of one action, for its comment."""
    return ", ".join(f"{purpose} {' '.join(map(str, faces))}" for purpose, faces in rolls)
