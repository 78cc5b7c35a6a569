"""Everything that whoever runs a server may choose."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from msgspec import Struct


def data_folder() -> Path:
    """Where this user's programs keep their data."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "sandtable"


def default_database() -> str:
    """A SQLite file in the user's data folder."""
    return f"sqlite:///{data_folder() / 'games.sqlite'}"


class Settings(Struct, frozen=True, kw_only=True):
    """One server's choices; the command line fills them in."""

    database: str
    origin: str = ""
    """The address people use, such as https://games.example.org; empty: as the request says."""
    web: str = ""
    """A folder to serve the page from instead of the one in the package."""
    packs: str = ""
    """A folder with edited data packs, each in a folder of its own name."""
    workers: int = 1
    """Processes that think for opponents."""
    idle: float = 600.0
    """Seconds after which a game nobody looks at leaves memory."""
    smtp: str = ""
    """smtp://user:password@host:port or smtps://...; empty: no e-mail."""
    mail_from: str = "sandtable@localhost"
    notice_delay: float = 60.0
    """Seconds between a turn coming up and the notice about it."""
    private_webhooks: bool = False
    """Let webhooks point at internal addresses; only for tests and closed networks."""
    limits: bool = True
    """Rate limits; load generators and tests switch them off."""
    metrics_open: bool = False
    """Let anybody read /metrics, not only this machine."""

    @property
    def secure(self) -> bool:
        """Whether people reach the server over https."""
        return self.origin.startswith("https://")
