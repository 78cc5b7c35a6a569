"""Maps and pieces of every title, built once."""

from __future__ import annotations

from functools import cache

import pytest

import sandtable
from sandtable.kernel.views import Piece
from sandtable.render.adapters import DRAWN
from sandtable.render.board import spec_of
from sandtable.render.spec import MapSpec

TITLES = tuple(name for name in DRAWN if name in sandtable.titles())


@cache
def spec_for(title: str) -> MapSpec:
    """The map of a title."""
    return spec_of(title, sandtable.title(title).data())


@cache
def pieces_of(title: str) -> tuple[Piece, ...]:
    """Every counter of every scenario as either side or a spectator sees it."""
    found = sandtable.title(title)
    pieces: dict[tuple[str, str], Piece] = {}
    for scenario in found.scenarios:
        game = found.start(scenario.id, seed="render")
        for side in (*found.sides, None):
            for piece in game.view(side).pieces:
                pieces[piece.id, str(side)] = piece
    return tuple(pieces.values())


def needs(title: str) -> pytest.MarkDecorator:
    """For a test about one title."""
    return pytest.mark.skipif(title not in TITLES, reason=f"{title} is not here")


@pytest.fixture(params=TITLES)
def title(request: pytest.FixtureRequest) -> str:
    """Each title in turn."""
    name = request.param
    assert isinstance(name, str)
    return name
