"""Random play that picks the kind of action first, so that units fight more than they wander."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from sandtable import conformance
from sandtable.kernel.actions import Action
from sandtable.titles.cauldron import TITLE
from sandtable.titles.cauldron.state import Game

RARE = {"end": 0.03, "done": 0.1, "pass": 0.2, "exit": 0.05, "activate-unit": 0.2, "move": 0.5}


def choose(game: Game, random: Random) -> Action:
    """A verb by its weight, then any of its actions."""
    by_verb: dict[str, list[Action]] = {}
    for action in game.actions():
        by_verb.setdefault(action.kind, []).append(action)
    verbs = list(by_verb)
    (verb,) = random.choices(verbs, [RARE.get(each, 1.0) for each in verbs])
    found = by_verb[verb]
    if verb == "move" and random.random() < 0.7:
        near = [each for each in found if beside_enemies(game, each)]
        found = near or found
    return random.choice(found)


def beside_enemies(game: Game, action: Action) -> bool:
    """Whether a move ends next to the enemy."""
    space = getattr(action, "hex", -1)
    side = "axis" if game.actor == "allied" else "allied"
    return bool(game.facts.board.spread(1 << space) & game.occupied[side])


def play(seed: str, scenario: str, every: int = 60) -> tuple[Game, Counter[str]]:
    """A whole game with the checks of the conformance suite now and then."""
    random = Random(seed)
    options = {"strict_advance": random.random() < 0.3}
    game = TITLE.start(scenario, options, seed=seed)
    assert isinstance(game, Game)
    seen: Counter[str] = Counter()
    while game.outcome is None:
        if random.random() * every < 1:
            conformance.texts(game)
            conformance.codecs(game)
            conformance.isolation(game, random)
            conformance.secrecy(game, ("one",), random)
            conformance.refusals(game, random, 5)
        action = choose(game, random)
        if random.random() < 0.1:
            conformance.odds(game, action)
        seen[action.kind] += 1
        conformance.happenings(game, game.play(action))
        conformance.decision(game)
        assert sum(seen.values()) < 20_000
    return game, seen


@pytest.mark.parametrize("scenario", ["scenario-one", "campaign"])
@pytest.mark.parametrize("seed", ["fight 1", "fight 2"])
def test_fighting_games_reach_their_end(scenario: str, seed: str) -> None:
    game, seen = play(seed, scenario)
    assert game.outcome is not None
    assert seen["attack"] > 10
