"""What a player sees before the dice and before a move: every title, wherever random play leads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any, get_args, get_type_hints

import pytest

import sandtable
from sandtable.kernel.actions import Action
from sandtable.kernel.game import Game
from sandtable.kernel.odds import Odds
from sandtable.kernel.sheets import Effect, Force, Sheet
from sandtable.kernel.views import View

TITLES = ("battleaxe", "cauldron", "gallop", "theseus")
SEEDS = range(3)


def moments(title: str, seed: int, steps: int = 300) -> Iterator[Game]:
    """Positions that random play leads to, fighting wherever it can."""
    random, chosen = Random(seed), sandtable.title(title)
    game = chosen.start(random.choice(chosen.scenarios).id, {}, seed=f"sheets-{seed}")
    for _ in range(steps):
        if game.outcome:
            return
        yield game
        actions = list(game.actions())
        fights = [each for each in actions if each.kind in ("attack", "assault", "strike", "join")]
        game.play(random.choice(fights if fights and random.random() < 0.6 else actions))


def some(game: Game, random: Random) -> list[Action]:
    """A few of the legal actions."""
    actions = list(game.actions())
    return random.sample(actions, min(len(actions), 6))


@pytest.mark.parametrize("title", TITLES)
def test_a_sheet_says_what_the_odds_say(title: str) -> None:
    """Every combat's sheet names the same outcomes, real rules and units that can be seen."""
    sheets = 0
    for seed in SEEDS:
        random = Random(seed)
        for game in moments(title, seed):
            for action in some(game, random):
                sheet = game.sheet(action)
                if sheet is not None:
                    odds = game.odds(action)
                    assert odds is not None
                    check(game, sheet, odds)
                    sheets += 1
    assert sheets > 10


def check(game: Game, sheet: Sheet, odds: Odds) -> None:
    """One sheet."""
    outcomes = {each.text: each.probability for each in odds.outcomes}
    assert {each.text for each in sheet.results} == set(outcomes)
    assert sheet.measure and sheet.dice and sheet.faces
    for effect in (each for r in sheet.results for each in (*r.attacker, *r.defender)):
        assert effect.text and effect.one and effect.many and effect.key
        assert effect.sign in get_args(get_type_hints(Effect)["sign"])
    seen = {piece.id for piece in game.view(game.actor).pieces}
    forces: tuple[Force, Force] = (sheet.attacker, sheet.defender)
    assert {force.side for force in forces} == set(game.title.sides)
    for force in forces:
        assert force.total and force.parts and force.rule in game.title.rules
        assert {part.unit for part in (*force.parts, *force.left_out)} <= seen
        for part in force.left_out:
            assert part.why and part.rule in game.title.rules
    for part in sheet.later:
        assert part.value and part.rule in game.title.rules
    if odds.margins:
        bands = {each.text: each.band for each in sheet.results}
        assert all(bands[each.outcome] for each in odds.margins)
        assert {each.side for each in odds.modifiers} <= set(game.title.sides)
    if sheet.columns is None:
        return
    assert sheet.columns.rule in game.title.rules and sheet.columns.next
    chances = [each.probability for each in sheet.columns.columns]
    assert sum(chances) == pytest.approx(1)
    shift = sum(each.value for each in odds.modifiers if each.adds == "column")
    if sheet.columns.ratio.endswith(" after shifts"):
        assert any(each.adds == "column" for each in odds.modifiers)
    elif max(chances[1:-1]) == 1:
        assert shift == 0
    if max(chances) == 1:
        # One column and one die: the faces are the odds.
        counted: dict[str, Fraction] = {}
        for face in sheet.faces:
            before = counted.get(face.result, Fraction(0))
            counted[face.result] = before + Fraction(1, len(sheet.faces))
        assert counted == outcomes


@pytest.mark.parametrize("title", TITLES)
def test_a_move_takes_the_way_that_was_shown(title: str) -> None:
    """The way begins where the unit stands, and what is then gone is that way or a part of it."""
    ways = whole = 0
    for seed in SEEDS:
        random = Random(seed)
        for game in moments(title, seed):
            for action in some(game, random):
                way = [leg.space for leg in game.way(action)]
                if not way:
                    continue
                ways += 1
                gone = walked(game, action)
                assert gone == way[: len(gone)], (game.text(action), way, gone)
                whole += gone == way
    assert ways > 30
    assert whole > ways * 0.6


def walked(game: Game, action: Action) -> list[str]:
    """The spaces that the events of a move name, one after the other."""
    sample, path = game.copy(), list[str]()
    for event in sample.play(action):
        told: dict[str, Any] = game.report(event)
        if told["kind"] != "Moved":
            continue
        start = told.get("start") or told.get("origin") or told.get("from_")
        leg = told.get("path") or [start, told.get("space") or told.get("hex") or told.get("to")]
        path += leg if not path else leg[1:] if leg[0] == path[-1] else leg
    return path


@pytest.mark.parametrize(
    ("title", "rungs"),
    [
        ("battleaxe", "9 or less operational axis, 10+ operational allied, "
         "the road to Tobruk automatic allied"),
        ("cauldron", "less than 0 victory allied, 0 tie None, more than 0 victory axis"),
        ("theseus", "7 or less decisive commonwealth, 8 substantial commonwealth, "
         "9 minor commonwealth, 10 draw None, 11 to 12 minor axis, 13 to 14 substantial axis, "
         "15+ decisive axis"),
    ],
)  # fmt: skip
def test_the_levels_of_victory_stand_in_order(title: str, rungs: str) -> None:
    """The report shows which score would have earned what."""
    scenario = "campaign" if title == "theseus" else ""
    game = sandtable.title(title).start(scenario, {}, seed="ladder")
    assert ", ".join(f"{each.score} {each.name} {each.winner}" for each in game.ladder()) == rungs


def test_the_gallops_levels_mirror_each_other() -> None:
    """IV.C Each level can be either side's, with a draw between."""
    ladder = sandtable.title("gallop").start("", {}, seed="ladder").ladder()
    scores = [each.score for each in ladder]
    assert scores == scores[::-1] and scores[5:] == [
        *("0", "1 to 4", "5 to 9", "10 to 14", "15 to 20", "21+")
    ]
    assert [each.winner for each in ladder] == ["allied"] * 5 + [None] + ["axis"] * 5


@pytest.mark.parametrize("title", ["battleaxe", "gallop", "theseus"])
def test_who_must_stop_goes_no_further(title: str) -> None:
    """Where a view says that a unit must stop it can go, and from there it cannot go on."""
    marked = stopped = 0
    for seed in SEEDS:
        for game in moments(title, seed):
            assert game.actor
            view = game.view(game.actor)
            for unit, stops in view.stops.items():
                marked += len(stops)
                assert set(stops) <= set(view.reach[unit])
                assert all(rule in game.title.rules for rule in stops.values())
            moves = [
                (action, unit, space)
                for action in game.actions()
                for unit in _movers(game, view, action)
                for space in _goals(game, action)
                if space in view.stops.get(unit, {})
            ]
            for action, unit, space in moves[:3]:
                sample = game.copy()
                sample.play(action)
                if sample.outcome or sample.actor != game.actor:
                    continue
                after = sample.view(sample.actor)
                here = next((each.space for each in after.pieces if each.id == unit), None)
                if here != space:
                    continue
                stopped += 1
                # Where its move has ended a formation may begin another with the same unit.
                if type(sample.step) is type(game.step):
                    assert not after.reach.get(unit), (game.text(action), after.reach[unit])
    assert marked > 20 and stopped > 3


def _movers(game: Game, view: View, action: Action) -> Sequence[str]:
    """Whom an action moves: those it names, or the group that is on the move."""
    named: Sequence[str] = game.describe(action)["units"]
    return named or (list(view.reach)[:1] if action.kind == "to" else ())


def _goals(game: Game, action: Action) -> Sequence[str]:
    found: Sequence[str] = game.describe(action)["spaces"]
    return found if action.kind in ("move", "to", "go") and len(found) == 1 else ()
