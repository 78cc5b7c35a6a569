"""The printed facts: map, counters, tables, packs."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandtable
from sandtable.kernel import packs
from sandtable.kernel.errors import BadMessage
from sandtable.titles.gallop.data import Data

TITLE = sandtable.title("gallop")


def facts() -> Data:
    """The built-in pack."""
    data: Data = TITLE.data()
    return data


def test_the_map_has_the_hexes_the_book_names() -> None:
    board = facts().board
    assert len(board) == 245
    assert [board.names[h] for h in board.around[board.at("C13")]] == [
        "B13",
        "C14",
        "D13",
        "D12",
        "C12",
        "B12",
    ]
    assert {board.names[h] for h in board.neighbours[board.at("H4")]} == set(
        "H3 H5 G4 G5 I4 I5".split()
    )


def test_roads_and_tracks_are_one_net() -> None:
    data = facts()
    assert data.net_hexes.bit_count() == 101
    found = {data.board.at("A5")}
    todo = list(found)
    while todo:
        here = todo.pop()
        for there in data.board.neighbours[here]:
            if (here, there) in data.net and there not in found:
                found.add(there)
                todo.append(there)
    assert len(found) == 101
    ends = [h for h in found if sum((h, n) in data.net for n in data.board.neighbours[h]) == 1]
    assert set(data.board.names[h] for h in ends) == {"B1", "G1", "E18", "G18", "K18", "N17"}


def test_mines_close_the_border_of_the_zones() -> None:
    data = facts()
    for here in data.board.each(data.zones["axis"]):
        for there in data.board.neighbours[here]:
            row = data.board.names[here][0]
            if data.zones["allied"] >> there & 1 and row < "L":
                assert (here, there) in data.mined


def test_every_unit_and_table_says_where_it_comes_from() -> None:
    for counter in facts().counters:
        assert {"name", "class", "factors", "movement"} <= set(counter.status)
    assert facts().tables.gcrt.status == "known"
    assert facts().map.roads["status"] == "reconstructed"


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("units.toml", 'class = "armor"', 'class = "cavalry"', "Invalid enum value"),
        ("units.toml", "movement = 4", "movement = 40", "MF 1 to 9"),
        ("units.toml", 'id = "21Pz"', 'id = "15Pz"', "twice"),
        ("units.toml", 'nation = "german"', 'nation = "german"\ncolour = "grey"', "unknown field"),
        ("units.toml", 'factors = "reconstructed", ', "", "status needs an entry factors"),
        ("scenarios/nonhistorical.toml", 'id = "nonhistorical"', 'id = "x"', "name of the file"),
        ("map.toml", '["B6", "B5"]', '["B6", "B9"]', "does not touch"),
        ("map.toml", 'hills = ["D5"]', 'hills = ["Z5"]', "no hex 'Z5'"),
        ("map.toml", 'boxes = ["B6"', 'boxes = ["A9"', "in the sea"),
        ("tables.toml", '6 = ["D", "D",', '6 = ["D",', "gcrt row 6 needs 11"),
        ("tables.toml", '"1:4", "1:3"', '"1:3", "1:4"', "must rise"),
        ("tables.toml", 'box = ["4AA/Flak"', 'box = ["Boom"', "air.box"),
        ("scenarios/historical.toml", 'Pavia = "G4"', 'Pavia = "A9"', "no land hex"),
        ("scenarios/historical.toml", 'Pavia = "G4"\n', "", "has no place"),
        ("scenarios/historical.toml", 'Pavia = "G4"', 'Pavia = "G4"\nPanda = "G4"', "Panda"),
    ],
)
def test_edited_packs_are_checked(tmp_path: Path, file: str, old: str, new: str, says: str) -> None:
    packs.export(packs.built_in("sandtable.titles.gallop"), tmp_path / "pack")
    path = tmp_path / "pack" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadMessage) as error:
        TITLE.data(tmp_path / "pack")
    assert says in str(error.value) and "\n" not in str(error.value)


def test_an_edited_pack_plays(tmp_path: Path) -> None:
    packs.export(packs.built_in("sandtable.titles.gallop"), tmp_path / "pack")
    path = tmp_path / "pack" / "units.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("attack = 7", "attack = 8"), encoding="utf-8")
    game = TITLE.start("historical", seed="x", data=tmp_path / "pack")
    piece = next(p for p in game.view("axis").pieces if p.id == "15Pz")
    assert piece.ratings["attack"] == "8"
    assert game.data.digest != facts().digest
