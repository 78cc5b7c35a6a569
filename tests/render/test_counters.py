"""Counters of every title, in every state."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from sandtable.kernel.errors import BadMessage
from sandtable.kernel.views import Piece
from sandtable.render import art_key, counter_svg
from sandtable.render.badges import BADGES, WORDS
from sandtable.render.counters import label_of, nation_of
from sandtable.render.palette import NATIONS, rgb
from tests.render.conftest import TITLES, needs, pieces_of

SVG = "{http://www.w3.org/2000/svg}"


def words(svg: str) -> list[str]:
    """All lettering of a picture."""
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_all_pieces_draw(title: str) -> None:
    for piece in pieces_of(title):
        svg = counter_svg(title, piece)
        root = ElementTree.fromstring(svg)
        assert root.get("viewBox") == "0 0 100 100"
        assert not [each for each in root.iter() if "id" in each.attrib or "style" in each.attrib]
        assert len(svg) < 6_000


def test_a_counter_shows_its_name_and_every_rating(title: str) -> None:
    for piece in pieces_of(title):
        if piece.name and piece.kind not in ("dummy", "hq"):
            shown = " ".join(words(counter_svg(title, piece)))
            assert label_of(title, piece) in shown
            for value in piece.ratings.values():
                assert value.rstrip("*").strip("[]") in shown or value in ("–", "0"), piece.id


def test_labels_of_a_title_tell_its_units_apart(title: str) -> None:
    looks: dict[tuple[str, str, str], str] = {}
    for piece in pieces_of(title):
        if piece.name and piece.kind != "dummy":
            look = (label_of(title, piece), piece.formation or piece.nation, piece.kind)
            assert looks.setdefault(look, piece.id) == piece.id, look


def test_a_picture_depends_on_looks_alone(title: str) -> None:
    for piece in pieces_of(title):
        moved = replace(piece, space="elsewhere", place="off")
        assert art_key(title, moved) == art_key(title, piece) == art_key(piece)
        assert counter_svg(title, moved) == counter_svg(title, piece)
        hurt = replace(piece, states=(*piece.states, "disrupted"))
        assert art_key(title, hurt) != art_key(title, piece)


def test_pictures_that_differ_have_different_keys() -> None:
    pictures: dict[str, str] = {}
    for title in TITLES:
        for piece in pieces_of(title):
            picture = counter_svg(title, piece)
            assert pictures.setdefault(art_key(title, piece), picture) == picture


def test_a_face_down_counter_tells_only_its_side() -> None:
    one = Piece("?1", "allied", "B6", states=("face down",))
    two = Piece("?7", "allied", "C6", states=("face down",))
    assert art_key("gallop", one) == art_key("gallop", two)
    assert words(counter_svg("gallop", one)) == ["?"]
    axis = Piece("?1", "axis", "B6")
    assert counter_svg("theseus", axis) != counter_svg("theseus", replace(axis, side="allied"))


@pytest.mark.parametrize("title", TITLES)
def test_every_state_changes_the_picture(title: str) -> None:
    plain = next(piece for piece in pieces_of(title) if piece.ratings and piece.kind != "hq")
    plain = replace(plain, states=(), steps=plain.full_steps)
    pictures = {"": counter_svg(title, plain)}
    for state in ("used", "dug in", "improved defence", "moved", *WORDS):
        pictures[state] = counter_svg(title, replace(plain, states=(state,)))
    same_sign = {"held", "held back", "not activated", "dug in", "improved defence"}
    for state, picture in pictures.items():
        twins = [other for other, drawn in pictures.items() if drawn == picture]
        assert twins == [state] or set(twins) <= same_sign


def test_each_sign_has_a_shape_of_its_own() -> None:
    def outline(svg: str) -> str:
        root = ElementTree.fromstring(f"<g>{svg}</g>")
        parts = [f"{e.tag}{e.get('d', '')}{e.get('points', '')}{e.text or ''}" for e in root.iter()]
        return "".join(parts)

    assert len({outline(svg) for svg in BADGES.values()}) == len(BADGES)


def test_a_reduced_unit_has_a_band() -> None:
    tank = next(p for p in pieces_of("battleaxe") if p.kind == "armor")
    assert "M2 70L70 2h22L2 92z" in counter_svg("battleaxe", replace(tank, states=("reduced",)))


@needs("theseus")
def test_a_unit_that_lost_strength_has_a_red_figure() -> None:
    unit = next(p for p in pieces_of("theseus") if p.ratings.get("strength") == "12")
    hurt = replace(unit, steps=9, ratings={**unit.ratings, "strength": "9"}, states=("reduced",))
    assert 'stroke="#8E2A12"' in counter_svg("theseus", hurt)
    assert 'stroke="#8E2A12"' not in counter_svg("theseus", unit)


def test_sides_differ_by_corner_and_by_light_or_dark_figures() -> None:
    for title in TITLES:
        for piece in pieces_of(title):
            nation = nation_of(title, piece)
            axis = piece.side == "axis"
            assert (sum(rgb(nation.figures)) > 382) == axis, piece.id
            corner = 'height="96" rx="3"' if axis else 'height="96" rx="13"'
            assert corner in counter_svg(title, piece), piece.id


def test_figures_stand_out_from_their_ground() -> None:
    def light(colour: str) -> float:
        parts = [each / 255 for each in rgb(colour)]
        r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    for name, nation in NATIONS.items():
        a, b = sorted((light(nation.ground), light(nation.figures)))
        assert (b + 0.05) / (a + 0.05) >= 4.5, name


@needs("gallop")
def test_historical_colours_where_rules_know_fewer_nations() -> None:
    by_id = {piece.id: piece for piece in pieces_of("gallop")}
    assert nation_of("gallop", by_id["1FF"]) is NATIONS["free french"]
    assert nation_of("gallop", by_id["1SA"]) is NATIONS["south african"]


def test_an_unknown_title_has_no_counters() -> None:
    with pytest.raises(BadMessage, match="no counters are drawn for 'chess'"):
        counter_svg("chess", Piece("K", "axis", name="King", ratings={"a": "1"}))
