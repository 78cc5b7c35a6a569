"""Counters for Prometheus."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field


class Metrics(Struct):
    """What this process has done since it started."""

    actions: int = 0
    unsaved: int = 0
    rebuilt: int = 0
    failures: int = 0
    websockets: int = 0
    refused: int = 0
    created: int = 0
    notices: int = 0
    notices_failed: int = 0
    requests: Counter[str] = field(default_factory=Counter)
    """HTTP answers by status."""
