"""A player of another version of Sandtable, in a process of its own that mirrors the game.

Both versions start the same game from the same seed and tell each other what is played as text.
Where their rules differ the game cannot go on, and the error says so.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from sandtable.kernel.errors import BadMessage
from sandtable.players.seat import Choice, Seat

HERE = Path(__file__).resolve().parents[3]
"""The checkout that this code is of."""

MIRROR = """
import json, sys, time
out, sys.stdout = sys.stdout, sys.stderr
import sandtable
from sandtable.players import Seat, player

begin = json.loads(sys.stdin.readline())
title, side = sandtable.title(begin["title"]), begin["side"]
game = title.start(begin["scenario"], begin["options"], begin["seed"], data=begin["data"])
who = player(begin["level"], begin["luck"], time.process_time)
for line in sys.stdin:
    for text in json.loads(line):
        game.play(game.parse(text))
    over = game.outcome is not None
    answer = game.digest() if over else game.text(who.choose(Seat(game, side)).action)
    print(json.dumps(answer), file=out, flush=True)
"""
"""What the other version runs: it uses only what has long been the same, and whatever that version
prints is no answer."""


class Lost(BadMessage):
    """The process of a guest was ended from outside, which says nothing about its version."""


class Guest:
    """Asks the other version; `told` is what has been played, which the match adds to."""

    def __init__(self, commit: str, told: Sequence[str], **begin: Any) -> None:
        self._commit, self._told, self._said = commit, told, 0
        # A pipe would be full before anybody reads it.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", MIRROR],
            env={**os.environ, "PYTHONPATH": str(code_of(commit) / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        self._say(begin)

    def choose(self, seat: Seat) -> Choice:
        """What the other version would do here."""
        text = self._ask()
        for action in seat.actions():
            if seat.text(action) == text:
                return Choice(action, f"So plays {self._commit}.")
        raise self._strange()

    def compare(self, digest: str) -> None:
        """Make sure that the game, now over, was the same over there."""
        if self._ask() != digest:
            raise self._strange()

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def _ask(self) -> object:
        """Tell what has been played since, and hear what follows from it."""
        self._say(self._told[self._said :])
        self._said = len(self._told)
        assert self._process.stdout
        answer = self._process.stdout.readline()
        if not answer.endswith("\n"):
            raise self._ended()
        return json.loads(answer)

    def _say(self, what: object) -> None:
        assert self._process.stdin
        with suppress(BrokenPipeError):  # A process that has ended says why when it is asked.
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()

    def _ended(self) -> BadMessage:
        """Why the process is gone: its own error, or somebody who ended it."""
        self._process.communicate()
        self._errors.seek(0)
        told = self._errors.read().decode(errors="replace")
        code = self._process.returncode
        if code < 0:
            return Lost(f"signal {-code} ended a process of {self._commit}; is memory short?")
        why = told.strip().rpartition("\n")[2] or f"it ends with code {code}"
        return BadMessage(
            f"{self._commit} cannot play here: {why}; it may be too old: "
            "choose a newer commit, with the same rules"
        )

    def _strange(self) -> BadMessage:
        """Where the versions part."""
        return BadMessage(
            f"after {self._said} actions {self._commit} plays another game; "
            "choose a commit with the same rules"
        )


def commit_of(revision: str) -> str:
    """The commit that a name such as HEAD stands for."""
    found = _git("rev-parse", "--short=12", "--end-of-options", f"{revision}^{{commit}}")
    return found.decode().split()[-1]


def code_here() -> str:
    """The version of this very code: the commit it is from, and a digest of what was changed."""
    commit = _git("rev-list", "-1", "--abbrev-commit", "--abbrev=12", "HEAD", "--", "src")
    if not commit:
        raise BadMessage(f"git does not know the code in {HERE}; use a clone")
    # Names alone: how git shows a change is everybody's own business.
    names = _git("diff", "HEAD", "--name-only", "--relative", "--no-renames", "-z", "--", "src")
    names += _git("ls-files", "--others", "--exclude-standard", "-z", "--", "src")
    changed = b""
    for name in names.split(b"\0")[:-1]:
        file = HERE / os.fsdecode(name)
        changed += name + (file.read_bytes() if file.is_file() else b"")
    return commit.decode().strip() + (f"+{sha256(changed).hexdigest()[:12]}" if changed else "")


def known_code() -> str | None:
    """The same, or nothing where no git knows it."""
    try:
        return code_here()
    except BadMessage:
        return None


def code_of(commit: str) -> Path:
    """Where the code of a commit lies, unpacked beside the packages of this environment."""
    folder = Path(sys.prefix) / "code" / commit
    if not folder.is_dir():
        archive = io.BytesIO(_git("archive", "--format=zip", commit, "src"))
        folder.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
            with ZipFile(archive) as packed:
                packed.extractall(f"{fresh}/code")
            with suppress(OSError):  # Somebody else was quicker.
                os.rename(f"{fresh}/code", folder)
    return folder


def _git(*words: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(HERE), *words], capture_output=True, check=True)
    except OSError:
        raise BadMessage("other versions are found by git; install it") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").splitlines()
        why = said[0] if said else f"git ends with code {error.returncode}"
        raise BadMessage(f"no such version in {HERE}: {why}; give a commit of git log") from None
    return done.stdout
