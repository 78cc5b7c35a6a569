"""Makes the toy title known beside the real ones, so that every tool can be tested on it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import_module("sandtable.titles").__path__.append(str(Path(__file__).parent / "toys"))
