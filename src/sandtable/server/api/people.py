"""Accounts, sessions, claimed seats, and where people are told that it is their turn."""

from __future__ import annotations

from typing import Any

from sandtable.kernel.events import Side
from sandtable.server import guard, wire
from sandtable.server.accounts import fold
from sandtable.server.api.asking import Ask, Endpoint, Part, sides_of
from sandtable.server.rooms import Room


class People(Part):
    """Who somebody is."""

    async def register(self, ask: Ask) -> Any:
        """A new account, signed in at once."""
        return await self.accounts.register(ask.request, ask.body)

    async def login(self, ask: Ask) -> Any:
        """Sign in."""
        self.limits.check("sign-in", f"name {fold(ask.body.name)}")
        return await self.accounts.login(ask.request, ask.body)

    async def logout(self, ask: Ask) -> Any:
        """Sign out here."""
        self.rooms.hang_up({ask.session})
        return await self.accounts.logout(ask.visitor)

    async def account(self, ask: Ask) -> Any:
        """Who is signed in."""
        return {"account": None if ask.visitor is None else {"name": ask.visitor.name}}

    async def sessions(self, ask: Ask) -> Any:
        """Where the account is signed in."""
        return await self.accounts.sessions(ask.visitor)

    async def revoke(self, ask: Ask) -> Any:
        """Sign out one session, or all others."""
        gone = await self.accounts.revoke(ask.visitor, ask.body.session)
        self.rooms.hang_up(gone)
        return {"revoked": len(gone)}

    async def claim(self, ask: Ask) -> Any:
        """Tie a guest's seat to the account."""
        room = await self.rooms.get(ask.body.game)
        sides = room.sides_of(ask.body.seat)
        if not sides:
            raise guard.Forbidden("the seat's secret does not fit this game; check the link")
        return await self.accounts.claim(ask.visitor, room, sides)

    # Notices.

    async def notices_list(self, ask: Ask) -> Any:
        """Where the visitor is told that it is their turn."""
        return await self.notices.addresses(ask.account, None, ())

    async def notices_add(self, ask: Ask) -> Any:
        """Add an e-mail address or a webhook."""
        room, sides = await self._notice_seat(ask)
        if ask.body.kind == "email":
            # Nobody's letter box is filled by asking again and again to confirm an address.
            self.limits.check("mail", ask.body.target.casefold())
        return await self.notices.add(ask.account, room, sides, ask.body, self.base(ask))

    async def notices_remove(self, ask: Ask) -> Any:
        """Remove an address."""
        room, sides = await self._notice_seat(ask)
        return await self.notices.remove(ask.account, room, sides, ask.body.id)

    async def notices_confirm(self, ask: Ask) -> Any:
        """Confirm an e-mail address by the link that was sent to it."""
        return await self.notices.confirm(ask.query.get("token", "")[:100])

    async def _notice_seat(self, ask: Ask) -> tuple[Room | None, tuple[Side, ...]]:
        if ask.body.game is None:
            if ask.account is None:
                raise guard.Forbidden("sign in, or give a game and its seat")
            return None, ()
        room = await self.rooms.get(ask.body.game)
        sides = sides_of(room, ask.body.seat, ask.visitor)
        if not sides:
            raise guard.Forbidden("give the seat's secret")
        return room, sides


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/account/register",
        "register",
        "A new account.",
        body=wire.Credentials,
        limit="sign-in",
    ),
    Endpoint(
        "POST", "/api/account/login", "login", "Sign in.", body=wire.Credentials, limit="sign-in"
    ),
    Endpoint("POST", "/api/account/logout", "logout", "Sign out."),
    Endpoint("GET", "/api/account", "account", "Who is signed in."),
    Endpoint("GET", "/api/account/sessions", "sessions", "Where the account is signed in."),
    Endpoint("POST", "/api/account/revoke", "revoke", "Sign out other sessions.", body=wire.Revoke),
    Endpoint("POST", "/api/seats/claim", "claim", "Tie a seat to the account.", body=wire.Claim),
    Endpoint("GET", "/api/notices", "notices_list", "Where you are told of your turn."),
    Endpoint(
        "POST", "/api/notices", "notices_add", "Add an address.", body=wire.Address, limit="create"
    ),
    Endpoint(
        "POST",
        "/api/notices/remove",
        "notices_remove",
        "Remove an address.",
        body=wire.AddressGone,
    ),
    Endpoint(
        "GET",
        "/api/notices/confirm",
        "notices_confirm",
        "Confirm an address.",
        query=("token",),
        limit="sign-in",
    ),
)
