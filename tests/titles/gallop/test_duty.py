"""XIV.A.2 How much of what must be attacked can be: against a search that tries everything."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

from sandtable.boards import bits
from sandtable.kernel.actions import Space, UnitId
from sandtable.titles.gallop.duty import Duty, feasible
from sandtable.titles.gallop.state import Game
from tests.titles.gallop.tables import play, position, refused, texts


def some(things: list[int]) -> Iterator[tuple[int, ...]]:
    """Every choice of at least one."""
    return (part for size in range(len(things)) for part in combinations(things, size + 1))


def by_trying(game: Game, hexes: list[int], units: list[int]) -> int:
    """The most hexes that can be attacked, over every split of the units among battles."""
    if not hexes:
        return 0
    best = by_trying(game, hexes[1:], units)
    for targets in some(hexes):
        if targets[0] != hexes[0]:
            continue
        for group in some(units):
            origins = {game.pieces[unit].hex for unit in group}
            if any(not game.facts.strike_from[t] >> o & 1 for t in targets for o in origins):
                continue
            if game.weather == "sandstorm" and len(origins) > 1:
                continue
            joined = [(UnitId(unit), game.book[unit].attack) for unit in group]
            if feasible(game, [Space(hex) for hex in targets], joined):
                rest = [hex for hex in hexes if hex not in targets]
                left = [unit for unit in units if unit not in group]
                best = max(best, len(targets) + by_trying(game, rest, left))
    return best


@pytest.mark.parametrize("weather", ["clear", "sandstorm"])
@pytest.mark.parametrize("seed", range(12, 24))
def test_XIV_A_2_the_search_is_exact(seed: int, weather: str) -> None:
    """XIV.A.2, ruling R67 Weak attackers against strong stacks, where every unit counts."""
    rng = random.Random(f"duty {seed}")
    spots = [f"{row}{number}" for row in "HIJK" for number in range(9, 12)]
    rng.shuffle(spots)
    words = []
    for name in rng.sample(["15Pz", "21Pz", "90Lt", "Ariete", "Trieste", "Recce", "15Mot"], 6):
        words.append(f"{name} {rng.choice(spots[:3])} {rng.randint(1, 2)}-3-3")
    for name in rng.sample(["4Arm", "2Arm", "22Arm", "1Tank", "32Tank", "4AA", "7Mot"], 5):
        words.append(f"{name} {rng.choice(spots[4:8])} 3-{rng.randint(6, 12)}-3")
    fields = {"held": [], "weather": weather, "storm_die": 1}
    game = position(", ".join(words), "axis attacks", [3] * 40, **fields)
    task = Duty(game, "axis", ())
    found = task.most(task.hexes, task.units)
    assert found == by_trying(game, list(bits(task.hexes)), list(bits(task.units)))


def test_XIV_A_2_three_helpers_are_enough_where_three_are() -> None:
    """XIV.A.2, ruling R67 Three of four reach 1:4 against J15; the fourth is due at L15."""
    stack = "Recce J14 1-1-4, 15Mot J14 1-2-3, Hecker J14"
    units = f"{stack}, Trieste K15 1-3-3, 4Arm J15 4-12-4, 7Mot L15 1-4-3"
    game = position(units, "axis attacks")
    play(game, "attack J15", "join Recce 1", "join 15Mot 1")
    assert refused(game, "join Trieste 1").rule == "XIV.A.2"
    play(game, "join Hecker 1")
    assert refused(game, "join Trieste 1").rule == "XIV.A.2"
    assert "resolve" in texts(game)


def test_XIV_A_2_one_stack_may_owe_an_attack_on_five_hexes_at_once() -> None:
    """XIV.A.4, XIV.A.2 A lone division amid five brigades attacks them all in one battle."""
    around = "4Arm I14 4-1-4, 2Arm I15 4-1-4, 22Arm J15 4-1-4, 1Tank K15 4-1-4, 7Mot K14 4-1-4"
    game = position(f"15Pz J14, {around}", "axis attacks")
    play(game, "attack I14", "join 15Pz 7")
    for hex in ("I15", "J15", "K15", "K14"):
        assert refused(game, "resolve").rule == "XIV.A.2"
        play(game, f"also {hex}")
    assert "resolve" in texts(game)


def test_XIV_A_2_a_hex_that_can_be_attacked_with_another_only_must_be() -> None:
    """XIV.B.7"""
    units = "7Mot G11, Recce F11, 21Pz H11, 1SA E18, 15Pz G2"
    game = position(units, stage="allied attacks", held=[])
    assert "H11" in game.prompt
