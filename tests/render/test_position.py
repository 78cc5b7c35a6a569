"""Positions as pictures, and the command that saves them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import sandtable
from sandtable.cli import main
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.views import Marker
from sandtable.render import position_svg
from sandtable.render.export import FAMILIES, png, write
from sandtable.render.markers import markers
from sandtable.render.palette import DAY
from tests.render.conftest import needs, spec_for

SVG = "{http://www.w3.org/2000/svg}"


def layer(root: ElementTree.Element, name: str) -> ElementTree.Element:
    """A layer by its class."""
    return next((each for each in root if each.get("class") == name), ElementTree.Element("g"))


@pytest.mark.parametrize("theme", ["day", "night"])
def test_a_position_shows_a_stack_for_every_occupied_space(title: str, theme: str) -> None:
    game = sandtable.title(title).start(seed="picture")
    side = game.title.sides[0]
    root = ElementTree.fromstring(position_svg(game, side, theme))
    spaces = {piece.space for piece in game.view(side).pieces if piece.space}
    pieces = [piece for piece in game.view(side).pieces if piece.space]
    drawn = list(layer(root, "counters"))
    assert len(drawn) == (len(pieces) if title == "battleaxe" else len(spaces))
    assert list(layer(root, "caption"))


def test_overlays_are_drawn_on_request_and_unknown_ones_refused(title: str) -> None:
    game = sandtable.title(title).start(seed="picture")
    side = game.title.sides[0]
    for overlay in game.view(side).overlays[:4]:
        root = ElementTree.fromstring(position_svg(game, side, overlays=[overlay.id]))
        (found,) = layer(root, "overlays")
        assert found.get("data-overlay") == overlay.id
        assert bool(list(found)) == bool(overlay.spaces or overlay.lines)
    with pytest.raises(BadMessage, match="no overlay is called 'fog'"):
        position_svg(game, side, overlays=["fog"])


def test_allied_held_areas_are_warm_and_their_identifiers_gold() -> None:
    title = sandtable.title("battleaxe")
    text = title.start(seed="picture").position_text()
    before = ElementTree.fromstring(position_svg(title.position(text)))
    taken = text.replace("allied_held = [\n", 'allied_held = [\n    "2",\n')
    after = ElementTree.fromstring(position_svg(title.position(taken)))
    assert not list(layer(before, "control")) and list(layer(after, "control"))
    gold = [
        ident.get("data-space")
        for ident in layer(after, "idents")
        if ident[0].get("fill") == DAY.gold
    ]
    assert gold == ["2"]


@needs("cauldron")
@pytest.mark.parametrize(
    "marker",
    [
        Marker("breach", "1314", beside="1214", side="axis"),
        Marker("breach-begun", "1314", beside="1214", side="axis"),
        Marker("breached", "1314"),
        Marker("victory", "1314", text="3 (2)"),
        Marker("air", "1314", side="axis", text="Luftwaffe"),
        Marker("supply dump", "1314", side="allied"),
        Marker("supply blocked", "1314"),
        Marker("tobruk control", "1314", side="axis"),
        Marker("contested", "1314"),
        Marker("box eliminated", "1314"),
        Marker("never heard of", "1314", text="<odd & new>"),
    ],
    ids=lambda marker: marker.kind,
)
def test_every_marker_draws(marker: Marker) -> None:
    drawing = markers(spec_for("cauldron"), DAY, (marker,))
    root = ElementTree.fromstring(f"<g>{drawing}</g>")
    assert len(root) == 1 and root[0].get("class") == "marker"


@needs("cauldron")
def test_the_tracks_of_battleaxe_lie_on_the_sea_and_nobody_elses_do(title: str) -> None:
    game = sandtable.title(title).start(seed="picture")
    drawn = position_svg(game)
    assert ("THE CHANCE THAT IT ENDS THE DAY" in drawn) == (title == "battleaxe")
    assert ("SUPPORT" in drawn) == (title == "battleaxe")


def test_fields_not_yet_laid_are_faint() -> None:
    game = sandtable.title("cauldron").start(seed="picture")
    root = ElementTree.fromstring(position_svg(game))
    later = [e for e in root.iter(f"{SVG}g") if e.get("class") == "minefield later"]
    assert later and all(each.get("opacity") == ".35" for each in later)


def test_the_command_writes_svg_png_and_pdf(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    starts = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF"}
    for ending, start in starts.items():
        file = tmp_path / f"turn1{ending}"
        assert main(["render", "battleaxe", "-o", str(file), "--width", "300"]) == 0
        assert file.read_bytes().startswith(start)
    assert "turn1.pdf" in capsys.readouterr().out


def test_mistakes_of_the_caller_get_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", "battleaxe", "-o", str(tmp_path / "map.gif")]) == 2
    assert "use .svg, .png or .pdf" in capsys.readouterr().err
    assert main(["render", "battleaxe", "--side", "navy", "-o", "x.svg"]) == 2
    assert "no side is called 'navy'" in capsys.readouterr().err
    with pytest.raises(BadMessage, match="pixels wide"):
        png("<svg/>", 100_000)


def test_pictures_use_the_vendored_fonts_and_not_those_of_the_machine(tmp_path: Path) -> None:
    blank = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"></svg>'
    empty = png(blank)
    for family in FAMILIES.values():
        quoted = f'font-family="&apos;{family}&apos;"'
        words = f'<text x="5" y="30" font-size="24" {quoted}>Tobruk</text></svg>'
        assert png(blank.replace("</svg>", words)) != empty, family
    write(blank, tmp_path / "blank.svg")
    assert (tmp_path / "blank.svg").read_text() == blank
