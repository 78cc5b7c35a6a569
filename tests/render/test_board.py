"""Maps: well formed, complete, small and always the same."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
from importlib import resources
from itertools import combinations
from xml.etree import ElementTree

import msgspec
import pytest

import sandtable
from sandtable.kernel.errors import BadMessage
from sandtable.render import board_data, board_svg, key, relief
from sandtable.render.geometry import inside
from sandtable.render.names import label_box
from sandtable.render.palette import DAY, THEMES
from tests.render.conftest import TITLES, needs, spec_for

SVG = "{http://www.w3.org/2000/svg}"
OPPOSITE = {"N": "S", "NE": "SW", "E": "W", "SE": "NW", "S": "N", "SW": "NE", "W": "E", "NW": "SE"}


def drawn(title: str, theme: str = "day") -> str:
    """The map of a title."""
    return board_svg(title, sandtable.title(title).data(), theme)


def classes(root: ElementTree.Element) -> list[str]:
    """The layers from bottom to top."""
    return [each.get("class", "") for each in root]


@pytest.mark.parametrize("theme", THEMES)
def test_the_map_is_well_formed_and_has_its_layers_in_order(title: str, theme: str) -> None:
    root = ElementTree.fromstring(drawn(title, theme))
    spec = spec_for(title)
    assert root.get("viewBox") == f"0 0 {spec.width:g} {spec.height:g}"
    found = [name for name in classes(root) if name in spec.layers]
    assert found == [name for name in spec.layers if name in found]
    assert {"relief", "grid", "escarpments", "tracks", "roads"} <= set(found)
    assert "lettering" in classes(root)


def test_every_name_a_drawing_points_at_exists_in_it(title: str) -> None:
    root = ElementTree.fromstring(drawn(title))
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    for each in root.iter():
        for value in each.attrib.values():
            if value.startswith("url(#"):
                assert value[5:-1] in ids
        if each.tag == f"{SVG}textPath":
            assert each.attrib["href"][1:] in ids
    assert all(name is not None and name.startswith(f"{title}-") for name in ids)


def test_maps_hold_no_style_attribute_that_a_strict_page_would_refuse(title: str) -> None:
    root = ElementTree.fromstring(drawn(title))
    assert not [each for each in root.iter() if "style" in each.attrib]
    assert not [each for each in root.iter() if each.tag in (f"{SVG}style", f"{SVG}script")]


def test_every_space_has_a_shape_a_place_for_counters_and_a_label(title: str) -> None:
    spec = spec_for(title)
    board = sandtable.title(title).data().board
    spaces = {space.id: space for space in spec.spaces}
    assert set(spaces) == {board.names[each] for each in board.spaces}
    for space in spec.spaces:
        assert len(space.polygon) >= 4, space.id
        assert inside(space.at, space.polygon), space.id
        assert all(-1 <= x <= spec.width + 1 for x, _ in space.polygon), space.id
        assert all(-1 <= y <= spec.height + 1 for _, y in space.polygon), space.id
        assert space.terrain, space.id
    words = {each.text for each in ElementTree.fromstring(drawn(title)).iter() if each.text}
    hidden = [name for name, space in spaces.items() if space.land and name not in words]
    named = {label.at for label in spec.labels}
    assert len(hidden) <= len(named), "a number is only left out below a name"


def test_neighbours_lie_where_the_compass_says_and_see_each_other(title: str) -> None:
    spec = spec_for(title)
    spaces = {space.id: space for space in spec.spaces}
    board = sandtable.title(title).data().board
    for space in spec.spaces:
        near = set(space.neighbours.values())
        assert near == {board.names[each] for each in board.neighbours[board.at(space.id)]}
        for wind, name in space.neighbours.items():
            if spec.kind == "hex":
                assert spaces[name].neighbours[OPPOSITE[wind]] == space.id
                x, y = spaces[name].at[0] - space.at[0], spaces[name].at[1] - space.at[1]
                assert ("N" in wind) == (y < -1) and ("S" in wind) == (y > 1)
                assert ("E" in wind) == (x > 1) and ("W" in wind) == (x < -1)


def test_board_data_is_plain_json(title: str) -> None:
    data = board_data(title, sandtable.title(title).data())
    again = msgspec.json.decode(msgspec.json.encode(data))
    assert {"width", "height", "hex", "counter", "spaces"} <= set(again)
    space = again["spaces"][0]
    assert {"id", "name", "x", "y", "polygon", "terrain", "neighbours", "vp", "status"} <= set(
        space
    )
    assert {each["status"] for each in again["spaces"]} <= {"known", "reconstructed"}
    assert len(gzip.compress(msgspec.json.encode(data))) < 120_000


@needs("theseus")
def test_theseus_names_and_scores_its_places() -> None:
    spaces = {space.id: space for space in spec_for("theseus").spaces}
    assert spaces["4303"].name == "Tobruk" and spaces["4303"].vp == 10
    assert "box" in spaces["3012"].terrain and "trail" in spaces["3012"].sides["N"]


@needs("cauldron")
def test_cauldron_tells_which_way_an_escarpment_falls() -> None:
    spaces = {space.id: space for space in spec_for("cauldron").spaces}
    assert "fortified" in spaces["1318"].terrain and spaces["1318"].status == "known"
    assert spaces["1502"].sides["S"] == ("escarpment up",)
    assert "escarpment down" in spaces["1503"].sides["N"]


@needs("gallop")
def test_gallop_knows_sea_from_land_and_mined_sides() -> None:
    spaces = {space.id: space for space in spec_for("gallop").spaces}
    assert not spaces["A10"].land and spaces["C13"].land
    assert "minefield" in spaces["B6"].sides["W"]


def test_battleaxe_has_strongpoints_and_an_escarpment() -> None:
    spaces = {space.id: space for space in spec_for("battleaxe").spaces}
    assert spaces["6"].terrain == ("stützpunkt",) and spaces["6"].vp == 2
    assert "escarpment" in {word for words in spaces["1"].sides.values() for word in words}


def test_areas_of_battleaxe_tile_without_gaps() -> None:
    spec = spec_for("battleaxe")
    assert spec.frame is not None
    x, y, w, h = spec.frame
    areas = [space.polygon for space in spec.spaces if not space.off_map]
    sea = spec.sea
    for column in range(1, 40):
        for row in range(1, 30):
            spot = (x + w * column / 40 + 0.13, y + h * row / 30 + 0.17)
            owners = sum(inside(spot, ring) for ring in areas)
            assert owners + inside(spot, sea) == 1, spot


def test_no_name_lies_on_another_or_over_the_edge(title: str) -> None:
    spec = spec_for(title)
    boxes = {label.text: label_box(label) for label in spec.labels if not label.along}
    for (one, a), (two, b) in combinations(boxes.items(), 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, f"{one} lies on {two}"
    for name, (left, top, right, bottom) in boxes.items():
        assert left > 0 and top > 0 and right < spec.width and bottom < spec.height, name
    for ident in spec.idents:
        for name, (left, top, right, bottom) in boxes.items():
            x, y = ident.at
            near = (max(left, min(x, right)) - x) ** 2 + (max(top, min(y, bottom)) - y) ** 2
            assert near > 12**2, f"{name} lies on identifier {ident.number}"


def test_ways_stay_in_their_hexes() -> None:
    for title in TITLES:
        spec = spec_for(title)
        if spec.kind == "area":
            continue
        middles = [space.at for space in spec.spaces]
        for way in spec.ways:
            for x, y in way.line[::8]:
                near = min((x - a) ** 2 + (y - b) ** 2 for a, b in middles)
                assert near <= (0.42 * spec.unit) ** 2, way.name


def test_the_largest_page_stays_within_its_weight() -> None:
    fonts = sum(
        len(file.read_bytes())
        for file in resources.files("sandtable.web").joinpath("fonts").iterdir()
        if file.name.endswith(".woff2")
    )
    assert fonts < 430_000
    for title in TITLES:
        for theme in THEMES:
            picture = relief(title, theme)
            assert picture[:4] == b"RIFF" and picture[8:12] == b"WEBP"
            assert len(picture) < 300_000
            assert fonts + len(picture) + len(drawn(title, theme).encode()) < 1_000_000


def test_the_same_data_gives_the_same_map_in_another_process(title: str) -> None:
    code = (
        "import sandtable, hashlib; from sandtable.render import board_svg;"
        f"d = sandtable.title('{title}').data();"
        f"print(hashlib.sha256(board_svg('{title}', d).encode()).hexdigest())"
    )
    ours = hashlib.sha256(drawn(title).encode()).hexdigest()
    other = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "7"},
    ).stdout.strip()
    assert other == ours


def test_an_unknown_theme_or_title_is_refused_in_one_line() -> None:
    data = sandtable.title("battleaxe").data()
    with pytest.raises(BadMessage, match="no theme is called 'dusk'"):
        board_svg("battleaxe", data, "dusk")
    with pytest.raises(BadMessage, match="no map can be drawn of 'chess'"):
        board_svg("chess", data)


def test_without_relief_the_map_still_shows_land_and_sea() -> None:
    data = sandtable.title("battleaxe").data()
    root = ElementTree.fromstring(board_svg("battleaxe", data, relief_url=""))
    assert "relief" not in classes(root) and "base" in classes(root)


def test_the_key_explains_every_sign_of_a_map_once(title: str) -> None:
    spec, whole = spec_for(title), drawn(title)
    kinds = [entry.kind for entry in key.entries(spec)]
    assert len(set(kinds)) == len(kinds) >= 6
    assert {way.kind for way in spec.ways} | {scarp.kind for scarp in spec.scarps} <= set(kinds)
    for kind in kinds:
        assert f'id="{title}-key-{kind}"' in whole
        assert len(key.sample(spec, DAY, kind)) > 40


def test_names_stand_clear_of_the_counter_above_them(title: str) -> None:
    spec = spec_for(title)
    if spec.kind == "area":
        return
    for label in spec.labels:
        if label.along or label.anchor != "middle" or label.style in ("water", "unit"):
            continue
        x, y = label.at
        hexes = [s for s in spec.spaces if s.land and abs(s.at[0] - x) < spec.unit * 0.3]
        above = [s for s in hexes if 0.3 < (y - s.at[1]) / spec.unit < 0.75]
        for space in above:
            foot = space.at[1] + 0.055 * spec.unit + spec.counter / 2
            assert label_box(label)[1] >= foot - 0.02 * spec.unit, label.text
