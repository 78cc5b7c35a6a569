"""Rule coverage: which docstrings and test names carry a rule number."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandtable
from sandtable.coverage import coverage, numbers_in, strangers

TOY = sandtable.title("toy")


@pytest.mark.parametrize(
    ("docstring", "numbers"),
    [
        ("2.1 Only the next space.", ("2.1",)),
        ("2.1, 3.2 Two rules.", ("2.1", "3.2")),
        ("9.9 Not in the book.", ("9.9",)),
        ("XIV.B.5 Roman.", ("XIV.B.5",)),
        ("11.4.2A A letter.", ("11.4.2A",)),
        ("Nothing here about 2.1.", ()),
        ("I think so.", ()),
        ("A unit moves.", ()),
        ("2 dice fall.", ()),
        ("", ()),
    ],
)
def test_a_docstring_opens_with_its_numbers(docstring: str, numbers: tuple[str, ...]) -> None:
    assert numbers_in(docstring, TOY) == numbers


def test_tests_carry_rules_by_name_and_by_docstring(tmp_path: Path) -> None:
    folder = tmp_path / "titles" / "toy"
    folder.mkdir(parents=True)
    (folder / "test_moves.py").write_text(
        "def test_2_1_the_next_space(): ...\n"
        "def test_2_3(): ...\n"
        "def test_22_1_is_another_number(): ...\n"
        "class TestCards:\n"
        "    def test_cards(self):\n"
        '        """3.3, 3.2 Cards."""\n'
        "def test_stranger():\n"
        '    """8.8 Not in the book."""\n'
    )
    rows = {row.number: row.tests for row in coverage(TOY, tmp_path)}
    assert [place.rsplit("::")[-1] for place in rows["2.1"]] == ["test_2_1_the_next_space"]
    assert [place.rsplit("::")[-1] for place in rows["2.3"]] == ["test_2_3"]
    assert [place.rsplit("::")[-1] for place in rows["3.3"]] == ["test_cards"]
    assert [place.rsplit("::")[-1] for place in rows["3.2"]] == ["test_cards"]
    assert rows["2.2"] == []
    (stranger,) = strangers(TOY, tmp_path)
    assert "test_stranger: 8.8" in stranger


def test_code_carries_rules_by_docstring() -> None:
    rows = {row.number: row for row in coverage(TOY)}
    assert [place.rsplit(" ")[-1] for place in rows["2.2"].code] == ["own"]
    assert not rows["4.1"].code and rows["4.1"].reason
