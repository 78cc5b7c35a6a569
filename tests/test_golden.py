"""Whole games that must replay exactly, each beside its report that a reviewer can read."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandtable
from sandtable.kernel.record import parse
from sandtable.kernel.table import replay
from sandtable.plain import playthrough

GOLDEN = Path(__file__).parent / "golden"
RECORDS = sorted(GOLDEN.glob("*/*.sand"))


@pytest.mark.parametrize("name", sandtable.titles())
def test_every_scenario_has_a_golden_game(name: str) -> None:
    found = {
        parse(file.read_text(encoding="utf-8")).scenario for file in (GOLDEN / name).glob("*.sand")
    }
    missing = {each.id for each in sandtable.title(name).scenarios} - found
    assert not missing, f"make golden games with scripts/golden {name}"


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_golden_game_replays_to_its_report(file: Path) -> None:
    record = parse(file.read_text(encoding="utf-8"))
    title = sandtable.title(file.parent.name)
    assert record.title == title.id
    assert record.digest and record.result
    replay(title, record)
    report = "\n".join(playthrough(title, record)) + "\n"
    assert report == file.with_suffix(".txt").read_text(encoding="utf-8"), "see scripts/golden"
