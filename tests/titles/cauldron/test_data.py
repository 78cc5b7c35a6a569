"""2.0-2.2.3 The printed facts, their provenance, and packs that make no sense."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sandtable.kernel import packs
from sandtable.kernel.errors import BadMessage
from sandtable.titles.cauldron import TITLE
from sandtable.titles.cauldron.data import Data
from sandtable.titles.cauldron.printed import ALLIED, AXIS

from .helpers import DATA, uid


def test_2_0_the_die_reads_zero_as_zero() -> None:
    from sandtable.kernel.dice import D10_FROM_ZERO, Dice

    faces, _ = Dice("x").draw("many", "", (D10_FROM_ZERO,) * 400)
    assert set(faces) == set(range(10))


def test_2_0_map_has_645_hexes_and_the_counters_are_all_there() -> None:
    assert len(DATA.board) == 645
    assert (len(DATA.of_side[AXIS]), len(DATA.of_side[ALLIED])) == (36, 47)
    assert sum(len(DATA.units[unit].steps) for unit in DATA.of_side[AXIS]) == 48
    assert sum(len(DATA.units[unit].steps) for unit in DATA.of_side[ALLIED]) == 61


@pytest.mark.parametrize(
    ("a", "b"),
    [("1215", "1314"), ("1216", "1315"), ("1217", "1316"), ("1316", "1416"), ("1622", "1621")],
)
def test_2_0_hexes_the_book_calls_adjacent_touch(a: str, b: str) -> None:
    assert DATA.board.distance(DATA.board.at(a), DATA.board.at(b)) == 1


def test_2_1_pavia_and_brescia_are_regiments() -> None:
    large = {kind.id for kind in DATA.units if kind.large}
    assert large == {"27", "28", "19", "20"}


def test_2_2_1_action_chits_have_faces_or_are_the_double_move() -> None:
    axis = [DATA.chits[chit] for chit in DATA.action_chits[AXIS]]
    assert [len(chit.faces) for chit in axis] == [2, 2, 2]
    shared = [face for chit in axis for face in chit.faces if len(face) == 2]
    assert [{DATA.formations[each].id for each in face} for face in shared] == [
        {"Brescia", "Pavia"}
    ]
    doubles = [DATA.chits[chit].id for chit in DATA.action_chits[ALLIED] if DATA.chits[chit].double]
    assert doubles == ["Double-Move"]


def test_2_2_2_six_kinds_of_tactical_chits_a_side() -> None:
    for side in (AXIS, ALLIED):
        assert len(set(DATA.tactical_cup[side])) == 6
    assert DATA.tactical["anti-tank"] not in DATA.tactical_cup[ALLIED]
    assert DATA.tactical["withdraw-attack"] not in DATA.tactical_cup[AXIS]


def test_2_2_3_used_side_is_half_and_armor_has_its_steps() -> None:
    for kind in DATA.units:
        steps = {"armor": (2, 3)}.get(kind.type, (1,))
        assert len(kind.steps) in steps
        for hard, soft, used_hard, used_soft in kind.steps:
            assert used_hard == max(1, hard // 2)
            assert used_soft == max(1, soft // 2)
    german = [kind for kind in DATA.units if kind.id in ("5/1", "5/2", "8/1", "8/2")]
    assert all(len(kind.steps) == 3 for kind in german)


def test_8_0_movement_classes_follow_type_and_allowance() -> None:
    assert DATA.units[uid("5/1")].move_class == "tracked"
    assert DATA.units[uid("5-GH")].move_class == "foot"
    assert DATA.units[uid("39-AT")].move_class == "wheeled"
    assert DATA.units[uid("104/1")].move_class == "wheeled"


def test_every_table_says_known_or_reconstructed() -> None:
    pack = packs.built_in("sandtable.titles.cauldron")
    for name, text in pack.files.items():
        assert text.startswith("#"), f"{name} does not explain itself"
        for key, value in tomllib.loads(text).items():
            entries = value if isinstance(value, list) else [value]
            for entry in entries:
                if isinstance(entry, dict) and key not in ("formation", "setup"):
                    inner = [entry, *(each for each in entry.values() if isinstance(each, dict))]
                    assert any(
                        each.get("status") in ("known", "reconstructed") for each in inner
                    ), f"{name}: {key}"


def edited(tmp_path: Path, file: str, old: str, new: str) -> Path:
    pack = packs.built_in("sandtable.titles.cauldron")
    packs.export(pack, tmp_path / "pack")
    target = tmp_path / "pack" / file
    text = target.read_text()
    assert old in text
    target.write_text(text.replace(old, new, 1))
    return tmp_path / "pack"


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("units.toml", 'type = "armor"', 'type = "armour"', "units.toml"),
        ("units.toml", "movement = 24", "movement = 240", "units.toml"),
        ("units.toml", 'name = "5/1"', 'name = "5/1"\nspeed = 3', "speed"),
        ("units.toml", 'formation = "21-PZ"', 'formation = "22-PZ"', "22-PZ"),
        ("map.toml", '["1502", "1503"]', '["1502", "1505"]', "1505"),
        ("map.toml", 'hex = "0907"', 'hex = "9907"', "9907"),
        ("map.toml", '"0206-0222"', '"0206-0322"', "0206-0322"),
        ("tables.toml", '"-/DR"', '"-/DX"', "-/DX"),
        ("tables.toml", 'tracked = "1/2"', 'tracked = "fast"', "fast"),
        ("tables.toml", '"1-3", "1-2"', '"1-2", "1-3"', "rise"),
        ("chits.toml", "cup = [2, 2,", "cup = [2,", "12 numbers"),
        ("chits.toml", "counters = 4", "counters = 1", "counters"),
        ("reinforcements.toml", '"1321"', '"1399"', "1399"),
        ("scenarios/scenario-one.toml", 'formation = "Pavia"', 'formation = "Pavla"', "Pavla"),
        ("scenarios/scenario-one.toml", 'hexes = ["2705"]\nstack', "hexes = []\nstack", "hexes"),
        ("scenarios/campaign.toml", "last_turn = 12", "last_turn = 13", "track"),
        ("scenarios/campaign.toml", '"scenario-one"', '"scenario-two"', "scenario-two"),
    ],
)
def test_a_pack_without_sense_is_refused_in_one_line(
    tmp_path: Path, file: str, old: str, new: str, says: str
) -> None:
    with pytest.raises(BadMessage) as error:
        Data(packs.folder(edited(tmp_path, file, old, new)))
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_an_owner_can_correct_a_value(tmp_path: Path) -> None:
    where = edited(tmp_path, "units.toml", "steps = [[14, 12, 7, 6]", "steps = [[15, 12, 7, 6]")
    game = TITLE.start("campaign", seed="1", data=where)
    assert game.data.units[uid("5/1")].steps[0][0] == 15
    assert game.data.digest != DATA.digest
