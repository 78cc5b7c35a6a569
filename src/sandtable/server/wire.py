"""The only place that parses input: every body, query and message as a typed value with limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from sandtable.kernel.errors import BadMessage, whole
from sandtable.kernel.record import LONGEST_RECORD
from sandtable.kernel.title import LONGEST_POSITION

T = TypeVar("T")

SMALL_BODY = 64_000
RECORD_BODY = LONGEST_RECORD
GAME_BODY = 4 * LONGEST_POSITION
LONGEST_MESSAGE = 16_000
MOST_LINES = 20_000

Name = Annotated[str, Meta(max_length=40)]
Word = Annotated[str, Meta(max_length=64)]
Token = Annotated[str, Meta(min_length=1, max_length=100)]
GameId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,40}$")]
Words = Annotated[str, Meta(max_length=200)]
Line = Annotated[str, Meta(max_length=500)]
Text = Annotated[str, Meta(max_length=2000)]
Note = Annotated[str, Meta(max_length=10_000)]
Request = Annotated[str, Meta(pattern="^[!-~]{1,64}$")]
"""An id of the client's own making: letters, digits and signs."""
Count = Annotated[int, Meta(ge=0, le=2**53)]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
AccountName = Annotated[str, Meta(min_length=2, max_length=40)]


class Input(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A body or message from outside."""


class SeatWish(Input, frozen=True):
    """Who sits on a side."""

    kind: Literal["human", "opponent"] = "human"
    name: Name = ""
    level: Word = ""


class ClockWish(Input, frozen=True):
    """Time for each side, in seconds."""

    seconds: Annotated[int, Meta(ge=1, le=31_536_000)]
    increment: Annotated[int, Meta(ge=0, le=2_592_000)] = 0
    """Added whenever the decision passes to the other side."""
    out: Literal["neutral", "loss"] = "neutral"
    """When time is up: the neutral action is played, or the game is lost."""


class NewGame(Input, frozen=True):
    """`POST /api/games`."""

    title: Word
    scenario: Word = ""
    options: Annotated[dict[Word, bool | int | Word], Meta(max_length=100)] = {}
    mode: Literal["hotseat", "opponent", "link", "open"] = "hotseat"
    seats: Annotated[dict[Word, SeatWish], Meta(max_length=4)] = {}
    words: Words | None = None
    """The creator's words for the seed; if given, a friend's are awaited too."""
    bid: Annotated[int, Meta(ge=-1000, le=1000)] | None = None
    """The creator's bid for the first side, where the title has bids."""
    clock: ClockWish | None = None
    watch: bool | None = None
    """List the game for anybody to watch; if not given, as an open table is and no other."""
    data: Word = ""
    position: Annotated[str, Meta(max_length=LONGEST_POSITION)] = ""


class Join(Input, frozen=True):
    """`POST /api/games/{id}/join`: take a seat before the start, with words and a bid."""

    seat: Token = ""
    side: Word = ""
    name: Name = ""
    words: Words = ""
    bid: Annotated[int, Meta(ge=-1000, le=1000)] | None = None


class PlayBody(Input, frozen=True):
    """`POST /api/games/{id}/play`, for bots."""

    action: Line
    id: Request
    seq: Count | None = None


class Branch(Input, frozen=True):
    """`POST /api/games/{id}/branch`: a sandbox from any point of a game."""

    at: Count | None = None
    seats: Annotated[dict[Word, SeatWish], Meta(max_length=4)] = {}
    seat: Token = ""


class Credentials(Input, frozen=True):
    """`POST /api/account/register` and `login`."""

    name: AccountName
    password: Password


class Revoke(Input, frozen=True):
    """`POST /api/account/revoke`: one session, or all others."""

    session: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,40}$")] = ""


class Claim(Input, frozen=True):
    """`POST /api/seats/claim`."""

    game: GameId
    seat: Token


class Mine(Input, frozen=True):
    """`POST /api/games/mine`: the seats a guest holds."""

    seats: Annotated[list[Claim], Meta(max_length=100)] = []


class Keys(Input, frozen=True):
    """`POST /api/art/{title}`."""

    keys: Annotated[list[Word], Meta(max_length=1000)]
    game: GameId | None = None
    seat: Annotated[str, Meta(max_length=100)] = ""


class Address(Input, frozen=True):
    """`POST /api/notices`: where to tell that it is your turn."""

    kind: Literal["email", "webhook"]
    target: Annotated[str, Meta(min_length=3, max_length=500)]
    game: GameId | None = None
    seat: Token = ""


class AddressGone(Input, frozen=True):
    """`POST /api/notices/remove`."""

    id: Word
    game: GameId | None = None
    seat: Token = ""


# Messages on the websocket.


class Message(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="type"):
    """Anything a client sends; the answer carries the same id."""

    id: Request


class Play(Message, frozen=True, tag="play"):
    """Play an action."""

    action: Line
    seq: Count | None = None


class Undo(Message, frozen=True, tag="undo"):
    """Take the last action back."""

    seq: Count | None = None


class OddsOf(Message, frozen=True, tag="odds"):
    """Ask for the chances of an action."""

    action: Line


class Way(Message, frozen=True, tag="way"):
    """Ask which way a move takes."""

    action: Line


class Why(Message, frozen=True, tag="why"):
    """Ask whether an action is legal, and if not, why."""

    action: Line


class Order(Message, frozen=True, tag="order"):
    """Give a standing order."""

    interrupt: Word
    setting: Word
    side: Word = ""


class Hint(Message, frozen=True, tag="hint"):
    """Ask an opponent what it would do."""

    level: Word = ""


class Chat(Message, frozen=True, tag="chat"):
    """Say something to everybody at the table."""

    text: Text


class SaveNote(Message, frozen=True, tag="note"):
    """Keep the seat's private notepad."""

    text: Note


class Offer(Message, frozen=True, tag="offer"):
    """Offer something to the other side."""

    what: Literal["draw", "end", "undo", "rematch"]
    side: Word = ""


class Answer(Message, frozen=True, tag="answer"):
    """Answer an offer."""

    what: Literal["draw", "end", "undo", "rematch"]
    yes: bool
    side: Word = ""


class Resign(Message, frozen=True, tag="resign"):
    """Give the game up."""

    side: Word = ""


class Ping(Message, frozen=True, tag="ping"):
    """Ask for an answer."""


Messages = (
    Play
    | Undo
    | OddsOf
    | Way
    | Why
    | Order
    | Hint
    | Chat
    | SaveNote
    | Offer
    | Answer
    | Resign
    | Ping
)

_messages: msgspec.json.Decoder[Messages] = msgspec.json.Decoder(Messages)
_encoder = msgspec.json.Encoder()


def encode(value: Any) -> bytes:
    """Anything of ours as JSON."""
    return _encoder.encode(value)


def read_message(raw: str | bytes) -> Messages:
    """One message from the websocket."""
    if len(raw) > LONGEST_MESSAGE:
        raise BadMessage(f"the message is longer than {LONGEST_MESSAGE} characters; shorten it")
    try:
        return _messages.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"the message cannot be read: {error}; see docs/server.md") from None


def message_id(raw: str | bytes) -> str | None:
    """The id of a message that could not be read, if it has one, so that its error finds home."""
    try:
        found = msgspec.json.decode(raw).get("id")
    except (msgspec.MsgspecError, AttributeError, UnicodeDecodeError, RecursionError):
        return None
    return found if isinstance(found, str) and len(found) <= 64 else None


def read_body(raw: bytes, kind: type[T]) -> T:
    """A JSON body as its type."""
    try:
        return msgspec.json.decode(raw or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"the body cannot be read: {error}; see /api/openapi.json") from None


def read_text(raw: bytes) -> str:
    """A text body."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise BadMessage("the record is not UTF-8 text; upload a .sand file") from None


def number(query: Mapping[str, str], name: str) -> int | None:
    """A whole number from the query, or None if it is not there."""
    word = query.get(name)
    if word is None:
        return None
    found = whole(word)
    if found is None or found < 0:
        raise BadMessage(f"{name}={word[:20]!r} is not a whole number; give 0 or more")
    return found


def choice(query: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str:
    """One of some words from the query; the first if it is not there."""
    word = query.get(name, allowed[0])
    if word not in allowed:
        raise BadMessage(f"{name} cannot be {word[:20]!r}; use {' or '.join(allowed)}")
    return word


def action(text: str) -> str:
    """An action's text; lines that begin with "!" are the server's own, never from outside."""
    if text.lstrip().startswith("!"):
        raise BadMessage(f"{text[:40]!r} is not an action; choose one of the listed actions")
    return text


def one_line(text: str, most: int = 2000) -> str:
    """Text from a person without control characters, as a single line."""
    kept = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(kept.split())[:most]


def paragraphs(text: str) -> str:
    """Text from a person with its line breaks, without other control characters."""
    return "\n".join(
        "".join(sign for sign in row if sign.isprintable()).rstrip() for row in text.splitlines()
    ).strip()
