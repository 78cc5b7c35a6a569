"""Notices by e-mail and webhook to players who are not connected when it is their turn."""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import logging
import smtplib
import socket
import ssl
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.message import EmailMessage
from typing import Any
from urllib.parse import unquote, urlsplit

import sqlalchemy as sa
from sqlalchemy.engine import Connection

import sandtable
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.server import models, schema, wire
from sandtable.server.desk import Applied
from sandtable.server.metrics import Metrics
from sandtable.server.rooms import ONLINE, Room
from sandtable.server.settings import Settings
from sandtable.server.store import Conflict, Store, Unsaved, now

log = logging.getLogger("sandtable")
MOST_ADDRESSES = 5
TRIES = 5
TIMEOUT = 10
PORTS = (None, 80, 443, 8080, 8443)


class Notices:
    """Who is told, where, and the queue of what is still to be sent."""

    def __init__(self, store: Store, settings: Settings, metrics: Metrics) -> None:
        self.store, self.settings, self.metrics = store, settings, metrics
        self._tasks: set[asyncio.Task[Any]] = set()
        self._slots = asyncio.Semaphore(8)
        self._threads = ThreadPoolExecutor(8, thread_name_prefix="notice")

    async def _beside(self, work: Callable[..., Any], *args: Any) -> Any:
        """Run something slow in threads of our own."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    # Addresses.

    async def addresses(
        self, account: str | None, game: str | None, sides: Sequence[Side]
    ) -> list[dict[str, Any]]:
        """The addresses of an account or a seat."""
        rows = await self.store.read(lambda db: self._find(db, account, game, sides))
        return [
            {
                "id": row["id"],
                "kind": row["kind"],
                "target": row["target"],
                "confirmed": bool(row["confirmed"]),
            }
            for row in rows
        ]

    @staticmethod
    def _find(
        db: Connection, account: str | None, game: str | None, sides: Sequence[Side]
    ) -> list[Any]:
        table = schema.addresses
        belongs = []
        if account is not None:
            belongs.append(table.c.account == account)
        if game is not None and sides:
            belongs.append((table.c.game == game) & table.c.side.in_(sides))
        if not belongs:
            return []
        return list(db.execute(sa.select(table).where(sa.or_(*belongs))).mappings())

    async def add(
        self,
        account: str | None,
        room: Room | None,
        sides: tuple[Side, ...],
        wish: wire.Address,
        base: str,
    ) -> dict[str, Any]:
        """Add an address; an e-mail address must be confirmed by the link sent to it."""
        game, token = room.id if room else None, models.new_token()
        if wish.kind == "email":
            if not self.settings.smtp:
                raise BadMessage("this server sends no e-mail; use a webhook")
            check_email(wish.target)
        else:
            await self._beside(check_url, wish.target, self.settings.private_webhooks)
        id = models.new_id()

        def work(db: Connection) -> None:
            owner = None if room else account
            if len(self._find(db, owner, game, sides)) >= MOST_ADDRESSES:
                raise BadMessage(f"at most {MOST_ADDRESSES} addresses; remove one first")
            db.execute(
                sa.insert(schema.addresses).values(
                    id=id,
                    account=None if room else account,
                    game=game,
                    side=sides[0] if sides else "",
                    kind=wish.kind,
                    target=wish.target,
                    token=models.fingerprint(token),
                    confirmed=0 if wish.kind == "email" else now(),
                )
            )

        await self.store.write(work)
        if wish.kind == "email":
            text = (
                "Somebody asked Sandtable to tell you by e-mail when it is your turn.\n"
                f"If it was you, open {base}/api/notices/confirm?token={token}\n"
                "If not, do nothing: no further mail will come."
            )
            await self._beside(self._mail, wish.target, "Confirm your address", text)
        return {"id": id, "confirmed": wish.kind != "email"}

    async def remove(
        self, account: str | None, room: Room | None, sides: tuple[Side, ...], id: str
    ) -> dict[str, Any]:
        """Remove an address of the visitor."""

        def work(db: Connection) -> int:
            owner = None if room else account
            mine = self._find(db, owner, room.id if room else None, sides)
            if id not in {row["id"] for row in mine}:
                raise BadMessage("there is no such address; look at the list")
            table = schema.addresses
            return int(db.execute(sa.delete(table).where(table.c.id == id)).rowcount)

        return {"removed": await self.store.write(work)}

    async def confirm(self, token: str) -> dict[str, Any]:
        """Confirm an address."""
        table = schema.addresses
        query = (
            sa.update(table)
            .where(table.c.token == models.fingerprint(token), table.c.confirmed == 0)
            .values(confirmed=now())
        )
        if not await self.store.write(lambda db: db.execute(query).rowcount):
            raise BadMessage("the link was used already, or is not one of ours")
        return {"confirmed": True}

    # The queue.

    def on_turn(self, room: Room, applied: Applied) -> None:
        """After a line: queue a notice for the side that must decide, or for both at the end."""
        game = room.desk.game
        if game.outcome:
            told, kind = [side for side in room.seats if side != applied.by], "over"
        elif game.actor is not None and game.actor != applied.by:
            told, kind = [game.actor], "turn"
        else:
            return
        absent = [
            side for side in told if room.seats[side].kind == "human" and not room.connected(side)
        ]
        if absent and room.row.mode != "hotseat":
            task = asyncio.create_task(self._queue(room, absent, kind, applied.seq))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _queue(self, room: Room, sides: list[Side], kind: str, seq: int) -> None:
        def work(db: Connection) -> None:
            for side in sides:
                account = room.seats[side].account
                if self._find(db, account, room.id, (side,)):
                    table = schema.notices
                    waiting = sa.select(table.c.id).where(
                        table.c.game == room.id, table.c.side == side, table.c.kind == kind
                    )
                    if db.execute(waiting).first() is None:
                        due = now() + int(self.settings.notice_delay * 1000)
                        db.execute(
                            sa.insert(table).values(
                                id=models.new_id(),
                                game=room.id,
                                side=side,
                                kind=kind,
                                seq=seq,
                                due=due,
                                tries=0,
                            )
                        )

        try:
            await self.store.write(work)
        except (Unsaved, Conflict) as error:
            log.warning("a notice was not queued: %s", error)

    async def send_due(self) -> int:
        """Send what is due; the number of notices handled."""
        table = schema.notices
        query = sa.select(table).where(table.c.due <= now()).limit(50)
        rows = await self.store.read(lambda db: list(db.execute(query).mappings()))
        # Side by side, so that one slow webhook keeps nobody else waiting.
        await asyncio.gather(*(self._try(row) for row in rows))
        return len(rows)

    async def _try(self, row: Any) -> None:
        table = schema.notices
        async with self._slots:
            claim = (
                sa.update(table)
                .where(table.c.id == row["id"], table.c.due == row["due"])
                .values(due=now() + 60_000 * 4 ** row["tries"], tries=row["tries"] + 1)
            )
            # Another server process may be faster.
            if await self.store.write(lambda db: db.execute(claim).rowcount):
                await self._send(row)

    async def _send(self, row: Any) -> None:
        def look(db: Connection) -> Any:
            game = models.read_game(db, row["game"])
            seat = models.read_seats(db, row["game"]).get(row["side"])
            if game is None or seat is None:
                return None
            return game, seat, self._find(db, seat.account, game.id, (row["side"],))

        found = await self.store.read(look)
        done = True
        if found is not None:
            game, seat, addresses = found
            wanted = row["kind"] == "over" or game.actor == row["side"]
            if wanted and seat.seen <= now() - ONLINE:
                results = [
                    await self._deliver(address, game, row["side"], row["kind"])
                    for address in addresses
                    if address["confirmed"]
                ]
                done = all(results) or row["tries"] + 1 >= TRIES
        if done:
            gone = sa.delete(schema.notices).where(schema.notices.c.id == row["id"])
            await self.store.write(lambda db: db.execute(gone).rowcount)

    async def _deliver(self, address: Any, game: models.GameRow, side: Side, kind: str) -> bool:
        title = sandtable.title(game.title)
        name = title.side_names[side]
        text = (
            f"It is your turn as {name}." if kind == "turn" else f"The game is over: {game.result}."
        )
        link = f"{self.settings.origin}/#/game/{game.id}" if self.settings.origin else ""
        try:
            if address["kind"] == "email":
                subject = f"{title.name}: {text}"
                await self._beside(self._mail, address["target"], subject, f"{text}\n{link}\n")
            else:
                payload = {
                    "game": game.id,
                    "title": game.title,
                    "side": side,
                    "kind": kind,
                    "seq": game.seq,
                    "text": text,
                    "link": link,
                }
                await self._beside(
                    post, address["target"], wire.encode(payload), self.settings.private_webhooks
                )
        except (OSError, smtplib.SMTPException, http.client.HTTPException, BadMessage) as error:
            self.metrics.notices_failed += 1
            log.warning("a notice about game %s failed: %s", game.id, type(error).__name__)
            return False
        self.metrics.notices += 1
        return True

    def _mail(self, to: str, subject: str, text: str) -> None:
        where = urlsplit(self.settings.smtp)
        message = EmailMessage()
        message["From"], message["To"] = self.settings.mail_from, to
        message["Subject"] = wire.one_line(subject, 200)
        message.set_content(text)
        host, secure = where.hostname or "localhost", where.scheme == "smtps"
        context = ssl.create_default_context()
        server: smtplib.SMTP
        if secure:
            server = smtplib.SMTP_SSL(host, where.port or 465, timeout=TIMEOUT, context=context)
        else:
            server = smtplib.SMTP(host, where.port or 25, timeout=TIMEOUT)
        with server:
            if where.username:
                if not secure:
                    server.starttls(context=context)
                server.login(unquote(where.username), unquote(where.password or ""))
            server.send_message(message)


def check_email(target: str) -> None:
    """Refuse what is not one plain address."""
    name, sign, host = target.rpartition("@")
    plain = target.isascii() and target.isprintable() and not set(target) & set(' ,;<>"()[]\\')
    if not (plain and sign and name and "." in host) or "@" in name or len(target) > 254:
        raise BadMessage("this is not an e-mail address; write name@example.org")


def check_url(target: str, private: bool = False) -> list[str]:
    """The addresses behind a webhook; refuses anything inside our own network."""
    if not target.isascii() or not target.isprintable() or " " in target:
        raise BadMessage("a webhook's address has no spaces and only plain letters")
    try:
        where = urlsplit(target)
        port = where.port
    except ValueError:
        raise BadMessage("the webhook's address cannot be read") from None
    if where.scheme not in ("http", "https") or not where.hostname:
        raise BadMessage("a webhook starts with https:// and names a host")
    if where.username is not None or where.password is not None:
        raise BadMessage("a webhook holds no user name or password")
    if not private and port not in PORTS:
        raise BadMessage("a webhook uses port 80, 443, 8080 or 8443")
    try:
        found = socket.getaddrinfo(
            where.hostname,
            port or (443 if where.scheme == "https" else 80),
            type=socket.SOCK_STREAM,
        )
    except (OSError, UnicodeError):
        raise BadMessage("the webhook's host is not known") from None
    addresses = sorted({str(each[4][0]) for each in found})
    if not private and not all(public(each) for each in addresses):
        raise BadMessage("the webhook points at an internal address; use a public one")
    return addresses


def public(address: str) -> bool:
    """Whether an address is one that anybody on the internet may reach.

    >>> [public(each) for each in ("93.184.216.34", "127.0.0.1", "10.1.2.3", "169.254.169.254")]
    [True, False, False, False]
    >>> [public(each) for each in ("::1", "::ffff:10.0.0.1", "fd00::1", "64:ff9b::a00:1")]
    [False, False, False, False]
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo or (None, None))[1]
        if inner is not None:
            return public(str(inner))
        if ip in ipaddress.ip_network("64:ff9b::/96"):
            return public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _cut(line: socket.socket) -> None:
    """Cut a connection that takes too long."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


def post(target: str, payload: bytes, private: bool) -> None:
    """Send a webhook to the very address that was checked, following no redirects."""
    address = check_url(target, private)[0]
    where = urlsplit(target)
    assert where.hostname
    port = where.port or (443 if where.scheme == "https" else 80)
    raw = socket.create_connection((address, port), timeout=TIMEOUT)
    connection = http.client.HTTPConnection(where.hostname, port, timeout=TIMEOUT)
    # An answer that comes a letter at a time would pass the timeout of each.
    deadline = threading.Timer(TIMEOUT, _cut, (raw,))
    deadline.daemon = True
    deadline.start()
    try:
        if where.scheme == "https":
            context = ssl.create_default_context()
            raw = context.wrap_socket(raw, server_hostname=where.hostname)
        connection.sock = raw
        path = (where.path or "/") + (f"?{where.query}" if where.query else "")
        headers = {"Content-Type": "application/json", "User-Agent": "sandtable"}
        connection.request("POST", path, body=payload, headers=headers)
        status = connection.getresponse().status
    finally:
        deadline.cancel()
        connection.close()
        raw.close()
    if not 200 <= status < 300:
        raise OSError(f"the webhook answered {status}")
