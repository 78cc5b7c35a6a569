"""Makes the toy title known beside the real ones, so that every tool can be tested on it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from hypothesis import HealthCheck, settings

import_module("sandtable.titles").__path__.append(str(Path(__file__).parent / "toys"))

# Examples are the same on every run, and a busy machine is not a failure.
settings.register_profile(
    "check", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("check")
