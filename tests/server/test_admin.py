"""Admin commands, beside a running server."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

import sandtable
from sandtable.cli import main
from sandtable.kernel import record as records
from sandtable.kernel.table import replay
from sandtable.server.schema import SCHEMA_VERSION
from sandtable.server.settings import default_database
from sandtable.server.store import Store
from tests.server.harness import Cluster, Server, play_on, running


def played(server: Server) -> str:
    """A finished game and a running one; the finished one's id."""
    for end in (False, True):
        made = server.create(mode="hotseat")
        seat = server.sit(made["game"], made["seats"]["axis"])
        play_on({"allied": seat, "axis": seat}, 12)
        if end:
            seat.ask("resign", side="axis")
        seat.close()
    return str(made["game"])


def test_lists_backups_exports_and_deletion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with running(database, "--no-limits") as server:
        game = played(server)
        assert main(["admin", "list", "--database", database, "--json"]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert {row["status"] for row in rows} == {"playing", "over"} and "seed" not in rows[0]
        backup = tmp_path / "backup.sqlite"
        assert main(["admin", "backup", "--database", database, str(backup)]) == 0
        assert main(["admin", "backup", "--database", database, str(backup)]) == 2
        archive = tmp_path / "games.zip"
        assert main(["admin", "export", "--database", database, str(archive)]) == 0
        with zipfile.ZipFile(archive) as found:
            texts = {name: found.read(name).decode() for name in found.namelist()}
        record = records.parse(texts[f"battleaxe-{game}.sand"])
        assert replay(sandtable.title("battleaxe"), record).game.outcome
        assert sum("\nseed " in text for text in texts.values()) == 1
        assert main(["admin", "health", server.url]) == 0
        assert main(["admin", "metrics", server.url]) == 0
        assert "sandtable_actions_total 25" in capsys.readouterr().out
        assert main(["admin", "delete", "--database", database, game]) == 0
        assert main(["admin", "delete", "--database", database, game]) == 2
        other = ["--database", f"sqlite:///{tmp_path}/other.sqlite"]
        capsys.readouterr()
        assert main(["admin", "restore", *other, str(archive)]) == 2
        assert capsys.readouterr().err.splitlines()[1:] == []
    assert main(["admin", "health", server.url]) == 2
    with running(f"sqlite:///{backup}", "--no-limits") as again:
        assert again.get(f"/api/games/{game}/verify")["ok"] is True


@pytest.mark.heavy
def test_a_backup_of_one_kind_of_database_is_restored_into_the_other(
    tmp_path: Path, cluster: Cluster
) -> None:
    first, second = f"sqlite:///{tmp_path}/games.sqlite", cluster.database("restored")
    with running(first, "--no-limits") as server:
        game = played(server)
        backup = tmp_path / "backup.sqlite"
        assert main(["admin", "backup", "--database", first, str(backup)]) == 0
    assert main(["admin", "restore", "--database", second, str(backup)]) == 0
    assert main(["admin", "restore", "--database", second, str(backup)]) == 2
    with running(second, "--no-limits") as server:
        assert server.get(f"/api/games/{game}/verify")["ok"] is True
    back = tmp_path / "back.sqlite"
    assert main(["admin", "backup", "--database", second, str(back)]) == 0


def test_without_a_choice_games_are_in_a_file_of_the_user_with_a_write_ahead_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert default_database() == f"sqlite:///{tmp_path}/sandtable/games.sqlite"
    store = Store(default_database())
    modes = [
        store.query(lambda db, name=name: db.exec_driver_sql(f"PRAGMA {name}").scalar_one())  # type: ignore[misc]
        for name in ("journal_mode", "synchronous", "foreign_keys")
    ]
    assert modes == ["wal", 2, 1], "2 is FULL"
    store.close()


def test_two_servers_do_not_share_a_sqlite_file(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with running(database):
        assert main(["serve", "--database", database, "--port", "0"]) == 2


def test_a_database_of_a_later_release_and_bad_addresses_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    store = Store(database)
    store.change(lambda db: db.exec_driver_sql("UPDATE meta SET value='99' WHERE key='schema'"))
    store.close()
    assert SCHEMA_VERSION < 99
    for wrong in (database, "mysql://x/y", "nonsense", "postgresql://127.0.0.1:1/none"):
        assert main(["serve", "--database", wrong, "--port", "0"]) == 2
        assert len(capsys.readouterr().err.strip().splitlines()) == 1
