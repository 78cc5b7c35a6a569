"""Edited data packs are checked before anybody plays with them."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandtable
from sandtable.kernel import packs
from sandtable.kernel.errors import BadMessage


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('historical = ["D", "B"]', 'historical = ["D"]'),
        ('spaces = ["A", "B", "C", "D"]', "spaces = []"),
    ],
)
def test_free_units_have_somewhere_to_go(tmp_path: Path, old: str, new: str) -> None:
    packs.export(packs.built_in("sandtable.titles.battleaxe"), tmp_path / "pack")
    path = tmp_path / "pack" / "scenarios" / "june.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadMessage, match="free units need spaces"):
        sandtable.title("battleaxe").data(tmp_path / "pack")
