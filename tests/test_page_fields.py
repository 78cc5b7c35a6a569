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
def test_boxes_beside_the_map_say_what_they_are_about_and_what_lies_in_them(title: str) -> None:
    signs, cards, standing = set(), 0, set()
    for game, _ in played(title):
        for view in game.views([*game.title.sides, None]):
            for track in view.tracks:
                signs.add(track.sign)
                cards += len(track.cards)
                assert not track.spent or track.maximum is not None
                assert (
                    track.number is None
                    or "-" in track.id
                    or len(track.cards) in (0, 1, track.maximum)
                )
            standing |= {piece.standing.partition(",")[0] for piece in view.pieces if piece.space}
    assert "air" in signs or title == "cauldron"
    assert {"supply", "marker", "points"} & signs and cards
    assert standing & {"in supply", "in command"}


def test_cauldron_s_actions_are_done_now_or_still_to_come() -> None:
    for game, _ in played("cauldron"):
        for side in game.title.sides:
            tracks = {track.id: track for track in game.view(side).tracks}
            actions = tracks[f"{side}-actions"]
            ahead = [card for card in actions.cards if not card.name]
            assert len(ahead) == actions.number
            assert [card.state for card in actions.cards if card.name].count("now") <= 1
            hand = tracks[f"{side}-hand"].cards
            assert len(hand) == tracks[f"{side}-kept"].number and all(card.note for card in hand)


def test_theseus_tells_how_far_a_unit_is_from_its_headquarters() -> None:
    game = sandtable.title("theseus").start(seed="standing")
    told = {piece.id: piece for piece in game.view("axis").pieces}
    assert told["I/5"].standing == "in command, 1 of 6" and told["I/5"].space
    assert not any(piece.standing for piece in told.values() if piece.side != "axis")


@pytest.mark.parametrize("title", TITLES)
def test_moves_tell_who_went_from_where_to_where(title: str) -> None:
    marches = 0
    for game, events in played(title):
        for event in events:
            line, name = game.report(event), type(event).__name__
            assert ("march" in line) == (name == "Moved"), line
            assert bool(line.get("aside")) == (name in ("MovedWith", "Finished")), line
            march = game.march(event)
            if march:
                assert march.who and march.start and march.end
                assert all(word in line["text"] for word in (march.who, march.start, march.end))
                marches += 1
    assert marches


@pytest.mark.parametrize("title", TITLES)
def test_verbs_that_go_on_or_place_are_the_title_s_own(title: str) -> None:
    found = sandtable.title(title)
    verbs = {action.verb for action in found.actions}
    assert found.goes_on and {*found.goes_on, *found.places, *found.spends} <= verbs
    begun = [kind for kind in found.events if kind.opens]
    assert [kind.__name__ for kind in begun] == ["TurnBegan"]


@pytest.mark.parametrize("title", TITLES)
def test_modifiers_say_what_they_are_added_to(title: str) -> None:
    """Strengths make the odds in Gallop alone; in Theseus some shift the column."""
    adds = set()
    for game, _ in played(title):
        for action in game.actions()[:6]:
            odds = game.odds(action)
            adds |= {each.adds for each in odds.modifiers} if odds else set()
    assert adds <= {"die", "strength", "column"}
    assert ("strength" in adds) <= (title == "gallop")
