"""What a page needs to know without reading a title's words: fields that every title fills."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import sandtable
from sandtable.kernel.events import Event
from sandtable.kernel.game import Game

TITLES = ("battleaxe", "cauldron", "gallop", "theseus")
STEPS = 160


def played(title: str) -> Iterator[tuple[Game, list[Event]]]:
    """A game after each of its first actions, with what each brought about."""
    random, game = Random(7), sandtable.title(title).start(seed="fields")
    for _ in range(STEPS):
        events = game.play(random.choice(game.actions()))
        if game.outcome:
            return
        yield game, events


@pytest.mark.parametrize("title", TITLES)
def test_a_phase_that_names_a_side_says_which(title: str) -> None:
    told = set()
    for game, _ in played(title):
        view = game.view(None)
        named = [each for each in game.title.sides if _adjective(game, each) in view.phase]
        assert view.phase_side == (named[0] if named else None), view.phase
        told.add(view.phase_side)
    assert told & set(game.title.sides)


def _adjective(game: Game, side: str) -> str:
    """The Allies act in an Allied phase."""
    return game.title.side_names[side][:4]


@pytest.mark.parametrize("title", TITLES)
def test_a_supply_line_says_whether_it_is_cut_and_a_formation_s_overlay_whose_it_is(
    title: str,
) -> None:
    for game, _ in played(title):
        for side in game.title.sides:
            view = game.view(side)
            formations = {piece.formation for piece in view.pieces}
            for each in view.overlays:
                bad = each.text.startswith(("no path", "too long"))
                assert each.cut == (bad and each.id.startswith("supply")), each
                assert not each.formation or each.formation in formations
                assert bool(each.formation) == (
                    " of " in each.name
                    and title == "theseus"
                    and (each.id.startswith(("command-", "supply-")))
                ), each
                assert each.length is None or each.length < len(each.lines[0])


@pytest.mark.parametrize("title", TITLES)
def test_moves_tell_who_went_from_where_to_where(title: str) -> None:
    marches = 0
    for game, events in played(title):
        for event in events:
            line, name = game.report(event), type(event).__name__
            assert ("march" in line) == (name == "Moved"), line
            assert bool(line.get("aside")) == (name == "MovedWith"), line
            march = game.march(event)
            if march:
                assert march.who and march.start and march.end
                assert all(word in line["text"] for word in (march.who, march.start, march.end))
                marches += 1
    assert marches
