"""The end report: luck in what was lost against what was to be lost, from the record alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import sandtable
from sandtable.kernel.table import Table
from sandtable.server.report import report

GOLDEN = Path(__file__).parents[1] / "golden"
RECORDS = [
    *GOLDEN.glob("battleaxe/june-*.sand"),
    *GOLDEN.glob("cauldron/campaign-a*.sand"),
    *GOLDEN.glob("gallop/historical-allied-*.sand"),
]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_luck_is_what_was_expected_less_what_was_lost(path: Path) -> None:
    found = report(path.read_text(encoding="utf-8"))
    sides = sandtable.title(path.parent.name).sides
    assert set(found["sums"]) == set(sides)
    second = next(side for side in sides if side != found["first"])
    for point in found["luck"]:
        first = {key: point[key][found["first"]] for key in ("expected", "lost")}
        other = {key: point[key][second] for key in ("expected", "lost")}
        net = (first["expected"] - first["lost"]) - (other["expected"] - other["lost"])
        assert point["luck"] == pytest.approx(net, abs=0.01)
        assert point["variance"] >= 0 and 0 < point["chance"] <= 1
        assert " attack" in point["text"] and found["measure"]
    for side in sides:
        whole = found["sums"][side]
        assert whole["luck"] == pytest.approx(whole["expected"] - whole["lost"], abs=0.02)
        assert whole["lost"] == pytest.approx(lost(found, side), abs=0.02)
    assert sum(map(len, found["dice"].values())) >= len(found["luck"])
    start, *turns, end = found["outlook"]
    assert start["seq"] == 0 and len(turns) + 1 == len(found["losses"])
    assert 0 < start["chance"] < 1 and end["chance"] in (0, 0.5, 1)


def lost(found: dict[str, Any], side: str) -> float:
    """What a side lost, combat by combat."""
    return float(sum(each["lost"][side] for each in found["luck"]))


def test_every_title_has_luck_to_tell_of() -> None:
    counted: Counter[str] = Counter()
    for path in RECORDS:
        counted[path.parent.name] += len(report(path.read_text(encoding="utf-8"))["luck"])
    counted["theseus"] += len(report(some_fights("theseus", "opening"))["luck"])
    assert all(counted[each] for each in ("battleaxe", "cauldron", "gallop", "theseus")), counted


def some_fights(title: str, scenario: str) -> str:
    """The record of a game that was given up after some fighting."""
    random = Random(4)
    table = Table(sandtable.title(title).start(scenario, {}, seed="report"))
    for _ in range(400):
        actions = list(table.game.actions())
        fights = [each for each in actions if each.kind in ("attack", "assault", "strike")]
        table.play(table.game.text(random.choice(fights or actions)))
    table.resign("axis")
    return table.record().print()
