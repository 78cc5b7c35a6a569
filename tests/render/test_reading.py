"""How to read a counter: parts that are on it, and states that look different."""

from __future__ import annotations

import sandtable
from sandtable.render import reading
from sandtable.render.reading import KNOWN, STATES


def test_every_part_stands_on_the_counter_and_no_two_on_the_same_place(title: str) -> None:
    parts = reading(sandtable.title(title))["parts"]
    assert len(parts) >= 5
    assert all(0 < part["x"] < 100 and 0 < part["y"] < 100 for part in parts)
    assert len({(part["x"], part["y"]) for part in parts}) == len(parts)


def test_every_state_differs_from_the_plain_counter_and_from_the_others(title: str) -> None:
    found = reading(sandtable.title(title))
    pictures = [found["svg"], *(each["svg"] for each in found["states"])]
    assert len(set(pictures)) == len(pictures) > 3
    assert set(KNOWN[title].split(", ")) <= {state for state, _, _ in STATES}


def test_both_sides_show_their_nations(title: str) -> None:
    names = [each["name"] for each in reading(sandtable.title(title))["nations"]]
    assert names[0] == "German" and "British" in names and len(set(names)) == len(names) >= 4
