"""Data packs: the printed facts of a title as TOML files, loaded strictly and fingerprinted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from sandtable.kernel.actions import Lexicon, Space
from sandtable.kernel.errors import BadMessage

T = TypeVar("T")
Status = Literal["known", "reconstructed"]
LARGEST_FILE = 4_000_000


class Data:
    """The static facts of a title, shared by all its games; each title adds its own."""

    def __init__(self, pack: Pack, lexicon: Lexicon) -> None:
        self.digest = pack.digest
        self.lexicon = lexicon

    def called(self, space: Space) -> str:
        """How a space is spoken of."""
        return self.lexicon.spaces().names[space]


class Pack:
    """The TOML files of a title, from the package or from a folder a player edited."""

    def __init__(self, files: Mapping[str, str], where: str) -> None:
        self.files = dict(files)
        self.where = where
        joined = "\0".join(f"{name}\0{text}" for name, text in sorted(self.files.items()))
        self.digest = hashlib.sha256(joined.encode()).hexdigest()[:16]

    def read(self, name: str, kind: type[T]) -> T:
        """One file as a typed value; errors name the file and the field."""
        try:
            text = self.files[name]
        except KeyError:
            raise BadMessage(f"{self.where} has no {name}; export the data pack again") from None
        try:
            return msgspec.toml.decode(text, type=kind)
        except msgspec.ValidationError as error:
            raise BadMessage(f"{self.where}/{name}: {error}; correct this value") from None
        except msgspec.DecodeError as error:
            raise BadMessage(f"{self.where}/{name} is not TOML: {error}") from None

    def names(self, folder: str) -> list[str]:
        """The files below a folder of the pack, in order."""
        return sorted(name for name in self.files if name.startswith(f"{folder}/"))

    def wrong(self, name: str, what: str) -> BadMessage:
        """An error about the sense of a file that is well formed."""
        return BadMessage(f"{self.where}/{name}: {what}")


def built_in(package: str) -> Pack:
    """The pack that comes with a title."""
    return Pack(_collect(resources.files(package)), f"data of {package.rsplit('.', 1)[-1]}")


def folder(path: Path) -> Pack:
    """A pack that somebody exported and edited."""
    if not path.is_dir():
        raise BadMessage(f"no data pack at {path}; make one with `sandtable data export`")
    return Pack(_collect(path), str(path))


def export(pack: Pack, to: Path) -> list[Path]:
    """Write a pack's files into a new or empty folder."""
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise BadMessage(f"{to} is not an empty folder; choose another name")
    written = []
    for name, text in sorted(pack.files.items()):
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        written.append(target)
    return written


def _collect(top: Traversable | Path, prefix: str = "") -> dict[str, str]:
    files: dict[str, str] = {}
    for entry in sorted(top.iterdir(), key=lambda each: each.name):
        if entry.is_dir() and entry.name == "scenarios":
            files |= _collect(entry, f"{entry.name}/")
        elif entry.name.endswith(".toml") and entry.name != "rules.toml":
            try:
                text = entry.read_text(encoding="utf-8").removeprefix("\ufeff")
            except UnicodeDecodeError:
                raise BadMessage(f"{entry} is not UTF-8 text; save it as UTF-8") from None
            if len(text) > LARGEST_FILE:
                raise BadMessage(f"{entry} is larger than {LARGEST_FILE} bytes")
            files[prefix + entry.name] = text
    return files
