"""A request as the endpoints get it, and what they all need: seats and addresses."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from starlette.requests import Request

from sandtable.kernel.events import Side
from sandtable.server import guard
from sandtable.server.accounts import Accounts, Visitor
from sandtable.server.desk import Eye
from sandtable.server.notices import Notices
from sandtable.server.rooms import Room, Rooms, eye_of
from sandtable.server.settings import Settings

GAME = "/api/games/{game}"
TITLE = "/api/titles/{title}"


class Ask:
    """One request with its parsed body and its visitor."""

    def __init__(self, request: Request, body: Any, visitor: Visitor | None) -> None:
        self.request, self.body, self.visitor = request, body, visitor
        self.query = request.query_params
        self.path = request.path_params

    @property
    def token(self) -> str:
        """The seat's token, from the header or the query."""
        header = self.request.headers.get("authorization", "")
        if header.lower().startswith("bearer "):
            return header[7:].strip()[:100]
        return self.query.get("seat", "")[:100]

    @property
    def account(self) -> str | None:
        """The signed-in account's id."""
        return self.visitor.account if self.visitor else None

    @property
    def session(self) -> str:
        """The session of the signed-in account."""
        return self.visitor.session if self.visitor else ""

    @property
    def name(self) -> str:
        """The signed-in account's name."""
        return self.visitor.name if self.visitor else ""


class Endpoint(Struct, frozen=True):
    """One way to ask: for the router, the guard and the description."""

    method: str
    path: str
    name: str
    text: str
    body: Any = None
    """The type of the JSON body; `str` for a text body; None for none."""
    query: tuple[str, ...] = ()
    limit: str = "any"
    returns: str = "application/json"
    seat: bool = False
    """Whether a seat's token may be given."""


class Part:
    """Some endpoints; each method that its table names answers one."""

    def __init__(
        self,
        settings: Settings,
        rooms: Rooms,
        accounts: Accounts,
        notices: Notices,
        limits: guard.Limits,
    ) -> None:
        self.settings, self.rooms, self.accounts = settings, rooms, accounts
        self.notices, self.limits = notices, limits

    async def seat(self, ask: Ask, token: str = "") -> tuple[Room, tuple[Side, ...], Eye]:
        """The game asked about, and the sides the visitor may play there."""
        room = await self.rooms.get(ask.path["game"])
        sides = sides_of(room, token or ask.token, ask.visitor)
        return room, sides, eye_of(sides)

    def base(self, ask: Ask) -> str:
        """The address that people use, for links."""
        return self.settings.origin or str(ask.request.base_url).rstrip("/")


def sides_of(room: Room, token: str, visitor: Visitor | None) -> tuple[Side, ...]:
    """The sides that a token opens, or else that the account has claimed."""
    if token:
        sides = room.sides_of(token)
        if not sides:
            raise guard.Forbidden("the seat's secret does not fit this game; check the link")
        return sides
    return room.claimed(visitor.account if visitor else None)
