"""Accounts for those who want one: names, passwords, sessions, and seats that belong to them."""

from __future__ import annotations

import asyncio
import unicodedata
from typing import Any

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct
from sqlalchemy.engine import Connection
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.server import models, schema, wire
from sandtable.server.guard import Forbidden
from sandtable.server.rooms import Room
from sandtable.server.settings import Settings
from sandtable.server.store import Conflict, Store, now

DAYS = 60
LIFE = DAYS * 86_400_000
FRESH = 3_600_000


class Visitor(Struct, frozen=True):
    """Somebody signed in."""

    account: str
    name: str
    session: str


class Accounts:
    """Registration, sign-in and sessions."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store, self.settings = store, settings
        self._hasher = PasswordHasher()
        # Checked when the name is unknown, so that the time taken does not tell.
        self._nobody = self._hasher.hash(models.new_token())
        self._slots = asyncio.Semaphore(2)  # argon2 is meant to be costly

    @property
    def cookie(self) -> str:
        """The session cookie's name; the prefix makes browsers insist on https and our host."""
        return "__Host-sandtable" if self.settings.secure else "sandtable"

    async def visitor(self, connection: HTTPConnection) -> Visitor | None:
        """Who is signed in, if anybody."""
        token = connection.cookies.get(self.cookie)
        if not token or len(token) > 100:
            return None
        print_ = models.fingerprint(token)
        sessions, accounts = schema.sessions, schema.accounts

        def work(db: Connection) -> Any:
            query = (
                sa.select(accounts.c.id, accounts.c.name, sessions.c.id, sessions.c.seen)
                .join(accounts, sessions.c.account == accounts.c.id)
                .where(sessions.c.token == print_, sessions.c.seen > now() - LIFE)
            )
            return db.execute(query).one_or_none()

        found = await self.store.read(work)
        if found is None:
            return None
        account, name, session, seen = found
        if seen < now() - FRESH:
            await self.store.write(
                lambda db: db.execute(
                    sa.update(sessions).where(sessions.c.id == session).values(seen=now())
                )
            )
        return Visitor(account, name, session)

    async def register(self, request: Request, given: wire.Credentials) -> Response:
        """A new account, signed in at once."""
        name = wire.one_line(given.name, 40)
        if len(name) < 2:
            raise BadMessage("the name is too short; use two letters or more")
        hashed = await self._hash(given.password)
        account = models.new_id()
        try:
            await self.store.write(
                lambda db: db.execute(
                    sa.insert(schema.accounts).values(
                        id=account, name=name, folded=fold(name), password=hashed, created=now()
                    )
                )
            )
        except Conflict:
            raise BadMessage(f"the name {name!r} is taken; choose another") from None
        return await self._sign_in(request, account, name)

    async def login(self, request: Request, given: wire.Credentials) -> Response:
        """Sign in with name and password."""
        accounts = schema.accounts
        query = sa.select(accounts.c.id, accounts.c.name, accounts.c.password).where(
            accounts.c.folded == fold(given.name)
        )
        found = await self.store.read(lambda db: db.execute(query).one_or_none())
        hashed = found[2] if found else self._nobody
        fits = await self._verify(hashed, given.password)
        if found is None or not fits:
            raise Forbidden("name and password do not fit; try again")
        account, name, _ = found
        if self._hasher.check_needs_rehash(hashed):
            better = await self._hash(given.password)
            await self.store.write(
                lambda db: db.execute(
                    sa.update(accounts).where(accounts.c.id == account).values(password=better)
                )
            )
        return await self._sign_in(request, account, name)

    async def _hash(self, password: str) -> str:
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _verify(self, hashed: str, password: str) -> bool:
        async with self._slots:
            try:
                return await asyncio.to_thread(self._hasher.verify, hashed, password)
            except (VerificationError, InvalidHashError):
                return False

    async def _sign_in(self, request: Request, account: str, name: str) -> Response:
        token = models.new_token()
        agent = wire.one_line(request.headers.get("user-agent", ""), 200)

        def work(db: Connection) -> None:
            sessions = schema.sessions
            db.execute(sa.delete(sessions).where(sessions.c.seen < now() - LIFE))
            db.execute(
                sa.insert(sessions).values(
                    id=models.new_id(),
                    token=models.fingerprint(token),
                    account=account,
                    created=now(),
                    seen=now(),
                    agent=agent,
                )
            )

        await self.store.write(work)
        response = Response(wire.encode({"name": name}), media_type="application/json")
        response.set_cookie(
            self.cookie,
            token,
            max_age=DAYS * 86_400,
            httponly=True,
            secure=self.settings.secure,
            samesite="lax",
        )
        return response

    async def logout(self, visitor: Visitor | None) -> Response:
        """Sign out here."""
        if visitor is not None:
            sessions = schema.sessions

            def work(db: Connection) -> None:
                db.execute(sa.delete(sessions).where(sessions.c.id == visitor.session))
                self.store.notify(db, f"revoked {visitor.session}")

            await self.store.write(work)
        response = Response(wire.encode({"name": None}), media_type="application/json")
        response.delete_cookie(
            self.cookie, httponly=True, secure=self.settings.secure, samesite="lax"
        )
        return response

    async def sessions(self, visitor: Visitor | None) -> list[dict[str, Any]]:
        """Where the account is signed in."""
        visitor = signed_in(visitor)
        sessions = schema.sessions
        query = (
            sa.select(sessions.c.id, sessions.c.created, sessions.c.seen, sessions.c.agent)
            .where(sessions.c.account == visitor.account)
            .order_by(sessions.c.seen.desc())
        )
        rows = await self.store.read(lambda db: db.execute(query).mappings().all())
        return [dict(row) | {"here": row["id"] == visitor.session} for row in rows]

    async def revoke(self, visitor: Visitor | None, session: str) -> set[str]:
        """Sign out one session, or all but this one; those that are gone."""
        visitor = signed_in(visitor)
        sessions = schema.sessions
        which = sessions.c.id == session if session else sessions.c.id != visitor.session
        mine = (sessions.c.account == visitor.account) & which

        def work(db: Connection) -> set[str]:
            gone = {row[0] for row in db.execute(sa.select(sessions.c.id).where(mine))}
            db.execute(sa.delete(sessions).where(mine))
            for one in gone:
                self.store.notify(db, f"revoked {one}")
            return gone

        return await self.store.write(work)

    async def claim(
        self, visitor: Visitor | None, room: Room, sides: tuple[Side, ...]
    ) -> dict[str, Any]:
        """Tie seats to the account; a claimed one stays with who claimed it."""
        visitor = signed_in(visitor)
        for side in sides:
            if room.seats[side].account not in (None, visitor.account):
                raise Forbidden("this seat belongs to another account")

        def work(db: Connection) -> None:
            for side in sides:
                name = room.seats[side].name or visitor.name
                models.update_seat(db, room.id, side, account=visitor.account, name=name)
            self.store.notify(db, f"begun {room.id}:0")

        await self.store.write(work)
        for side in sides:
            room.seats[side].account = visitor.account
            room.seats[side].name = room.seats[side].name or visitor.name
        room.reseat()
        return {"game": room.id, "sides": sides}


def signed_in(visitor: Visitor | None) -> Visitor:
    """The visitor, who must be signed in."""
    if visitor is None:
        raise Forbidden("sign in first")
    return visitor


def fold(name: str) -> str:
    """Names that look alike are one name."""
    return unicodedata.normalize("NFKC", wire.one_line(name, 40)).casefold()
