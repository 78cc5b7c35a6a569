"""`sandtable admin`: backups, exports, lists, deletion and health of a server."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path

from sandtable.commands.serve import add_database
from sandtable.kernel.errors import BadMessage

ADDRESS = "http://127.0.0.1:8741"


def configure(parser: ArgumentParser) -> None:
    """Arguments."""
    below = parser.add_subparsers(dest="task", metavar="task", required=True)
    tasks = {
        "list": "every game, newest first",
        "backup": "copy everything into one SQLite file, while the server runs",
        "restore": "copy a backup into an empty database",
        "export": "all records into one zip file",
        "delete": "delete a game for good",
        "upgrade": "bring the database to this release's schema",
        "health": "ask a running server whether it can save",
        "metrics": "the counters of a running server",
    }
    for name, text in tasks.items():
        task = below.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        if name in ("health", "metrics"):
            task.add_argument("url", nargs="?", default=ADDRESS)
        else:
            add_database(task)
        if name in ("backup", "restore", "export"):
            task.add_argument("file", type=Path)
        if name == "delete":
            task.add_argument("game")
        if name == "list":
            task.add_argument("--status", default="", choices=["waiting", "playing", "over"])
            task.add_argument("--json", action="store_true", help="one JSON object a line")
        if name == "export":
            task.add_argument("--packs", default="", metavar="FOLDER")


def run(args: Namespace) -> int:
    """Do one of the tasks."""
    if args.task in ("health", "metrics"):
        return _ask(args.url.rstrip("/"), args.task)
    from sandtable.server import admin
    from sandtable.server.settings import default_database
    from sandtable.server.store import Store, Unsaved

    try:
        # Commands read and write beside a running server; only servers exclude each other.
        store = Store(args.database or default_database(), exclusive=False)
    except Unsaved as error:
        raise BadMessage(f"the database cannot be used: {error}") from None
    try:
        match args.task:
            case "list":
                for row in admin.games(store, args.status):
                    print(json.dumps(row) if args.json else _line(row))
            case "backup":
                print(f"{admin.backup(store, args.file)} rows in {args.file}.")
            case "restore":
                print(f"{admin.restore(args.file, store)} rows restored.")
            case "export":
                print(f"{admin.export(store, args.file, args.packs)} records in {args.file}.")
            case "delete":
                admin.delete(store, args.game)
                print(f"Game {args.game} is deleted.")
            case "upgrade":
                print("The database is up to date.")
    except Unsaved as error:
        raise BadMessage(f"the database cannot be used: {error}") from None
    finally:
        store.close()
    return 0


def _line(row: dict[str, object]) -> str:
    moved = datetime.fromtimestamp(int(str(row["moved"])) / 1000, UTC)
    stands = row["result"] or f"{row['actor'] or 'nobody'} to decide"
    return (
        f"{row['id']}  {row['title']} {row['scenario']}, {row['mode']}, {row['status']}: "
        f"line {row['seq']}, {stands}, last {moved:%Y-%m-%d %H:%M} UTC"
    )


def _ask(url: str, task: str) -> int:
    try:
        with urllib.request.urlopen(f"{url}/{task}", timeout=10) as answer:
            print(answer.read().decode().strip())
            return 0
    except urllib.error.HTTPError as error:
        print(error.read().decode().strip())
        return 1
    except (OSError, ValueError, HTTPException) as error:
        raise BadMessage(f"no server answers at {url}: {error}") from None
