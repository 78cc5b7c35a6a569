"""What keeps strangers in bounds: rates, sizes, origins and the headers of a careful server."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from starlette.datastructures import URL, Headers
from starlette.requests import HTTPConnection, Request

from sandtable.kernel.errors import BadMessage
from sandtable.server.settings import Settings

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "media-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
BODY_SECONDS = 30.0
HTTPS = {"Strict-Transport-Security": "max-age=31536000"}


class Forbidden(Exception):
    """The request comes from where it should not."""


class TooMany(Exception):
    """Too many requests of a kind."""


class TooLarge(Exception):
    """The body is larger than this request may be."""


class TooSlow(Exception):
    """The body does not come."""


class Bucket:
    """A token bucket: `rate` a second on average, `size` at once."""

    __slots__ = ("at", "left", "rate", "size")

    def __init__(self, rate: float, size: float) -> None:
        self.rate, self.size, self.left, self.at = rate, size, size, time.monotonic()

    def take(self) -> bool:
        """Take a token, if there is one."""
        at = time.monotonic()
        self.left = min(self.size, self.left + (at - self.at) * self.rate)
        self.at = at
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Limits:
    """Buckets by kind of request and by who asks."""

    KINDS: ClassVar = {
        "sign-in": (0.1, 10),
        "create": (0.5, 30),
        "upload": (0.05, 5),
        "search": (2, 60),
        "history": (10, 200),
        "think": (0.2, 20),
        "mail": (0.001, 3),
        "any": (50, 400),
    }
    MOST = 20_000
    MOST_CONNECTIONS = 200
    """Websockets and streams of one visitor."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()
        self._connections: Counter[str] = Counter()

    def check(self, kind: str, who: str) -> None:
        """Count one request; TooMany if there were too many lately."""
        if not self.on:
            return
        key = (kind, who)
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(*self.KINDS[kind])
            if len(self._buckets) > self.MOST:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        if not bucket.take():
            raise TooMany("too many requests; wait a moment and try again")

    @contextmanager
    def connected(self, who: str) -> Iterator[None]:
        """Count a connection that stays; TooMany if the visitor has too many."""
        if self.on and self._connections[who] >= self.MOST_CONNECTIONS:
            raise TooMany("too many connections from your address; close some")
        self._connections[who] += 1
        try:
            yield
        finally:
            self._connections[who] -= 1
            if not self._connections[who]:
                del self._connections[who]


def client(connection: HTTPConnection) -> str:
    """Who asks, for rate limits; one IPv6 customer has a whole network of 64 bits."""
    host = connection.client.host if connection.client else "unknown"
    if ":" not in host:
        return host
    try:
        return str(ipaddress.ip_network(f"{host.partition('%')[0]}/64", strict=False))
    except ValueError:
        return host


def same_origin(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether a browser says the request comes from our own page; programs send no origin."""
    headers: Headers = connection.headers
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    if settings.origin and origin == settings.origin:
        return True
    return URL(origin).netloc == headers.get("host", "")


async def body(request: Request, most: int) -> bytes:
    """The body, read only as far as it may be long."""
    length = request.headers.get("content-length", "")
    if length and (not length.isdigit() or int(length[:12]) > most):
        raise TooLarge(f"the body is larger than {most} bytes; send less")
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                size += len(chunk)
                if size > most:
                    raise TooLarge(f"the body is larger than {most} bytes; send less")
                parts.append(chunk)
    except TimeoutError:
        raise TooSlow(f"the body did not come within {BODY_SECONDS:.0f} s; send it again") from None
    return b"".join(parts)


def require_json(request: Request) -> None:
    """Refuse the content types that a foreign page could send without being asked first."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind != "application/json":
        raise BadMessage("the content type must be application/json")
