"""Servers and clusters shared by the tests of a session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.harness import Cluster, Server, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on SQLite that most tests share."""
    folder = tmp_path_factory.mktemp("server")
    with running(f"sqlite:///{folder}/games.sqlite", "--no-limits") as found:
        yield found


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL cluster of our own."""
    found = Cluster()
    try:
        yield found
    finally:
        found.remove()
