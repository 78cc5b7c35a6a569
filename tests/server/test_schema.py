"""Databases of earlier releases: brought up to date with all they hold, or left as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from sandtable.server import schema
from sandtable.server.store import open_engine
from tests.server.harness import Cluster, play_on, running

FIRST = Path(__file__).with_name("schema-1.sql")
GAME, SEAT = "zl5a8NUit9wB", "3tiz9mVDSStWZtRa48fVN5Sotyw1Xt2f"


def first_version(engine: Engine) -> None:
    """Make the database that a server of schema version 1 left behind."""
    script = "\n".join(line for line in FIRST.read_text().splitlines() if not line.startswith("--"))
    if engine.dialect.name == "postgresql":
        script = script.replace(" WITHOUT ROWID", "")
    with engine.begin() as connection:
        for statement in script.split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)


def shape(engine: Engine) -> dict[str, Any]:
    """Every table with its columns, keys and indexes."""
    look = sa.inspect(engine)
    return {
        table: (
            {
                each["name"]: (str(each["type"]), each["nullable"], str(each["default"]))
                for each in look.get_columns(table)
            },
            look.get_pk_constraint(table)["constrained_columns"],
            sorted(
                (each["constrained_columns"], each["referred_table"], each["options"])
                for each in look.get_foreign_keys(table)
            ),
            sorted((str(each["name"]), each["column_names"]) for each in look.get_indexes(table)),
        )
        for table in sorted(look.get_table_names())
    }


def rows(engine: Engine) -> dict[str, list[dict[str, Any]]]:
    """All that the tables of the first version hold."""
    found = {}
    with engine.connect() as connection:
        for table in sa.inspect(engine).get_table_names():
            if table not in ("meta", "snapshots"):
                result = connection.execute(sa.text(f"SELECT * FROM {table}")).mappings()
                found[table] = sorted((dict(row) for row in result), key=repr)
    return found


def migrate(old: str, fresh: str) -> None:
    """The old database becomes one like a fresh one, keeps every row, and is played on."""
    engine, new = open_engine(old), open_engine(fresh)
    first_version(engine)
    before = rows(engine)
    assert len(before["actions"]) == 12 and before["games"] and before["accounts"]
    schema.upgrade(engine)
    schema.upgrade(engine)
    schema.upgrade(new)
    assert shape(engine) == shape(new)
    after = rows(engine)
    for table, held in before.items():
        kept = [{name: row[name] for name in held[0]} for row in after[table]] if held else []
        assert sorted(kept, key=repr) == held, table
    assert {row["watch"] for row in after["games"]} == {0}, "nobody was asked"
    engine.dispose()
    new.dispose()
    with running(old, "--no-limits") as server:
        seat = server.sit(GAME, SEAT)
        assert seat.state["seq"] == 12 and seat.state["you"] == "axis"
        assert seat.state["note"] == "hold the pass"
        assert [each["text"] for each in seat.state["chat"]] == ["it's a long way to Tobruk"]
        with server.http() as client:
            anne = {"name": "Anne", "password": "kept in version 1"}
            assert client.post("/api/account/login", json=anne).status_code == 200
            assert client.get(f"/api/games/{GAME}").json()["you"] == "allied"
        assert [each["players"]["axis"]["name"] for each in server.get("/api/games")] == ["Host"]
        assert play_on({"axis": seat}, 1) == 13
        seat.close()


def test_a_database_of_version_1_keeps_everything_on_sqlite(tmp_path: Path) -> None:
    migrate(f"sqlite:///{tmp_path}/old.sqlite", f"sqlite:///{tmp_path}/fresh.sqlite")


@pytest.mark.heavy
def test_a_database_of_version_1_keeps_everything_on_postgresql(cluster: Cluster) -> None:
    migrate(cluster.database("old"), cluster.database("fresh"))


def test_a_step_that_fails_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/old.sqlite")
    first_version(engine)
    before = shape(engine), rows(engine)
    steps = schema.MIGRATIONS

    def broken(connection: Connection) -> None:
        for step in steps:
            step(connection)
        raise OSError("the power went out")

    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (broken,))
        with pytest.raises(OSError):
            schema.upgrade(engine)
    assert (shape(engine), rows(engine)) == before
    schema.upgrade(engine)
    assert shape(engine) != before[0]
    engine.dispose()
