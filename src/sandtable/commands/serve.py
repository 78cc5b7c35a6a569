"""`sandtable serve`: the server."""

from __future__ import annotations

import faulthandler
import os
import socket
import webbrowser
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sandtable.commands import amount, whole_number
from sandtable.kernel.errors import BadMessage
from sandtable.players import MOST_CORES

A_MONTH = 30 * 86_400


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    add_database(parser)
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 to be reached from elsewhere")
    parser.add_argument("--port", type=whole_number(0, 65_535), default=8741)
    parser.add_argument("--origin", default="", metavar="URL", help="the address people use")
    parser.add_argument("--web", default="", metavar="FOLDER", help="another page than ours")
    parser.add_argument("--packs", default="", metavar="FOLDER", help="edited data packs to offer")
    parser.add_argument(
        "--workers",
        type=whole_number(1, MOST_CORES),
        default=min(os.cpu_count() or 1, MOST_CORES),
        metavar="N",
        help="processes that think for opponents",
    )
    parser.add_argument(
        "--idle",
        type=amount(0, A_MONTH),
        default=600,
        metavar="SECONDS",
        help="before a game leaves memory",
    )
    parser.add_argument(
        "--mail-from", default="sandtable@localhost", metavar="ADDRESS", help="sender of notices"
    )
    parser.add_argument(
        "--notice-delay",
        type=amount(0, A_MONTH),
        default=60,
        metavar="SECONDS",
        help="before a notice is sent",
    )
    parser.add_argument("--metrics", action="store_true", help="let anybody read /metrics")
    parser.add_argument("--proxy", default="127.0.0.1", metavar="IP", help="proxies to believe")
    parser.add_argument("--compress", action="store_true", help="compress websocket messages")
    parser.add_argument("--no-limits", action="store_true", help="no rate limits (load tests)")
    parser.add_argument(
        "--private-webhooks", action="store_true", help="let webhooks point inside your network"
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")


def add_database(parser: ArgumentParser) -> None:
    """The argument that names the database."""
    parser.add_argument(
        "--database",
        default=os.environ.get("SANDTABLE_DATABASE", ""),
        metavar="URL",
        help="sqlite:///file or postgresql://user@host/name; a file of your own if not given",
    )


def more_files() -> None:
    """Let this process hold as many connections as it is allowed to."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def http_protocol() -> Any:
    """Our front door; where its parser is not to be had, uvicorn's slower one, which has limits."""
    if find_spec("httptools") is None:
        return "h11"
    from sandtable.server.door import Door

    return Door


def run(args: Namespace) -> int:
    """Serve until stopped."""
    for name in ("starlette", "uvicorn", "sqlalchemy", "argon2", "websockets"):
        if find_spec(name) is None:
            raise BadMessage(f"{name} is missing; install it with `pip install sandtable[server]`")
    for folder in (args.web, args.packs):
        if folder and not Path(folder).is_dir():
            raise BadMessage(f"there is no folder {folder}; check the path")
    import uvicorn

    from sandtable.server.app import Server
    from sandtable.server.settings import Settings, default_database
    from sandtable.server.store import Unsaved
    from sandtable.server.wire import LONGEST_MESSAGE

    settings = Settings(
        database=args.database or default_database(),
        origin=args.origin.rstrip("/"),
        web=args.web,
        packs=args.packs,
        workers=args.workers,
        idle=args.idle,
        smtp=os.environ.get("SANDTABLE_SMTP", ""),
        mail_from=args.mail_from,
        notice_delay=args.notice_delay,
        private_webhooks=args.private_webhooks,
        limits=not args.no_limits,
        metrics_open=args.metrics,
    )
    more_files()
    faulthandler.enable()  # a crash in somebody else's C code should leave a trace
    try:
        server = Server(settings)
    except Unsaved as error:
        raise BadMessage(f"the database cannot be used: {error}") from None
    config = uvicorn.Config(
        server.app(),
        host=args.host,
        port=args.port,
        http=http_protocol(),
        ws="websockets-sansio",
        ws_max_size=LONGEST_MESSAGE * 4,
        ws_per_message_deflate=args.compress,
        ws_ping_interval=30,
        ws_ping_timeout=30,
        # Addresses of requests hold the secrets of seats: they are never written down.
        access_log=False,
        log_level="warning",
        server_header=False,
        forwarded_allow_ips=args.proxy,
        timeout_graceful_shutdown=3,
        backlog=4096,
    )

    class Announced(uvicorn.Server):
        """Says where it listens, once it does."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                port = self.servers[0].sockets[0].getsockname()[1]
                host = "127.0.0.1" if args.host in ("0.0.0.0", "::") else args.host
                address = settings.origin or f"http://{host}:{port}"
                print(f"Sandtable is at {address}", flush=True)
                if args.open:
                    webbrowser.open(address)

    serving = Announced(config)
    serving.run()
    return 0 if serving.started else 1
