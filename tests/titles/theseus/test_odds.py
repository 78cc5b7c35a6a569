"""5.1 Forecasts against simulation, and counts of legal sequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from sandtable.kernel.actions import Action
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import Air, Oppose
from sandtable.titles.theseus.choices import AirSupport, ArmourChoice
from sandtable.titles.theseus.drms import best_defence_unit
from sandtable.titles.theseus.state import Game
from tests.titles.theseus.tables import TITLE, acting, play

ROLLS = 600


def fight(game: Game, action: Action, air: int) -> str:
    """Play an attack on with the choices a forecast takes for granted; returns the result."""
    told = game.play(action)
    while True:
        for event in told:
            if isinstance(event, ev.CombatResolved):
                return event.result
        step = game.step
        if isinstance(step, AirSupport):
            told = game.play(Air(air))
        elif isinstance(step, ArmourChoice) and not step.attacking:
            unit = best_defence_unit(game, step.battle, step.battle.attack_unit)
            told = game.play(next(a for a in game.actions() if a == Oppose(unit)))  # type: ignore[arg-type]
        else:
            told = game.play(game.actions()[0])


def compare(game: Game, action: Action, again: Callable[[Game], str]) -> None:
    """Chances and frequencies agree within four and a half sigma."""
    odds = game.odds(action)
    assert odds is not None
    assert sum(chance.probability for chance in odds.outcomes) == 1
    side = game.actor
    assert side is not None
    counts = Counter(again(game.resample(side, f"roll {n}")) for n in range(ROLLS))
    assert set(counts) <= {chance.text for chance in odds.outcomes}
    for chance in odds.outcomes:
        p = float(chance.probability)
        sigma = (p * (1 - p) / ROLLS) ** 0.5
        assert abs(counts[chance.text] / ROLLS - p) < 4.5 * sigma + 1 / ROLLS, chance


@pytest.mark.parametrize("kind", ["hasty", "regular", "prepared"])
@pytest.mark.parametrize("air", [0, 1])
def test_7_5_1_chits_escalation_and_air_equal_simulation(kind: str, air: int) -> None:
    units = (
        "I/5 3018, 21Pz.104 3018, 18.Flak 3018 of:21Pz, 21Pz.HQ 2920, 21Pz.3 3119,"
        "3.RTR/4 3118, 7.Mot 3118, 5.RTR/4 3117, 7Armd.HQ 3216"
    )
    game = acting("21Pz", units, schwerpunkt="21Pz", air=air and 3)
    play(game, "attack 3018 3118")
    strike = game.parse(f"strike {kind}")
    if not air:
        compare(game, strike, lambda world: fight(world, strike, 0))
    else:
        game = game.resample("axis", "one world")
        game.play(strike)
        action = Air(1)
        compare(game, action, lambda world: fight(world, action, 1))


def test_5_2_single_dice_equal_simulation() -> None:
    game = acting("21Pz", "I/5 3018 disrupted, 21Pz.104 2621, 21Pz.HQ 2820, FF.1 2521, FF.HQ 2521")
    for text, kind in (("refit I/5", ev.Recovered), ("breach 21Pz.104", ev.BreachTried)):
        action = game.parse(text)
        odds = game.odds(action)
        assert odds is not None
        good = sum(c.probability for c in odds.outcomes if c.favours == "axis")
        hits = 0
        for n in range(ROLLS):
            told = game.resample("axis", f"{text} {n}").play(action)
            hits += any(
                isinstance(event, kind) and getattr(event, "succeeded", True) for event in told
            )
        assert abs(hits / ROLLS - float(good)) < 0.1


def count(game: Game, depth: int) -> int:
    """Legal sequences of so many decisions, each with the dice of this game."""
    if game.outcome or not depth:
        return 1
    if depth == 1:
        return len(game.actions())
    total = 0
    for action in game.actions():
        world = game.copy()
        world.play(action)
        total += count(world, depth - 1)
    return total


def test_counts_of_legal_sequences() -> None:
    game = TITLE.start("campaign", seed="counts")
    assert isinstance(game, Game)
    play(game, "schwerpunkt 21Pz", "done")
    first = [count(game, depth) for depth in (1, 2)]
    solo = TITLE.start("bir-hacheim", seed="counts")
    assert isinstance(solo, Game)
    second = [count(solo, depth) for depth in (1, 2)]
    assert (first, second) == ([11, 97], [14, 629])
