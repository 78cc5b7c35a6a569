"""XIII The fast search against a slow one that knows only single steps.

The slow one tries every state (hex, factors spent, zone entered) that single legal steps lead to,
with costs as exact fractions and rules written out anew from the book.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from sandtable.kernel.actions import UnitId
from sandtable.titles.gallop.march import Ground, march
from sandtable.titles.gallop.state import Game
from tests.titles.gallop.tables import position, texts

HEXES_TO_A_FACTOR = {  # XIII.A.2: minor track, major track, road
    "armor": (2, 3, 4),
    "motorized": (3, 4, 5),
    "infantry": (2, 2, 2),
}


class Slow:
    """Where a unit can go, step by step."""

    def __init__(self, game: Game, unit: UnitId) -> None:
        self.game, self.unit = game, unit
        self.facts = game.facts
        counter = game.book[unit]
        self.side = counter.side
        self.enemy = game.enemy(self.side)
        self.cls = "motorized" if game.pieces[unit].trucked else counter.cls
        factors = 3 if game.pieces[unit].trucked else counter.movement
        if game.pieces[unit].disrupted or game.weather != "clear":
            factors = 1
        times = 2 if game.pieces[unit].galloping else 1
        self.short, self.long = factors * times, (factors + 1) * times

    def units(self, hex: int, side: str) -> list[int]:
        """The units of a side in a hex."""
        return [
            u for u in self.facts.of_side[side] if self.game.pieces[u].hex == hex and u != self.unit
        ]

    def foes_beside(self, hex: int) -> set[int]:
        """Enemy hexes whose zone reaches a hex, own shelter apart."""
        return {
            n
            for n in self.facts.board.neighbours[hex]
            if self.units(n, self.enemy) and (n, hex) not in self.facts.cliffs
        }

    def zone(self, hex: int) -> set[int]:
        """Enemy hexes in whose zone a hex lies, as this unit feels it."""
        sheltered = hex in self.game.held and hex not in self.game.eliminated
        return set() if sheltered else self.foes_beside(hex)

    def step(self, here: int, there: int, spent: Fraction, entered: bool) -> Fraction | None:
        """What is spent after a step, or None if it is not allowed."""
        facts, game = self.facts, self.game
        sandstorm = game.weather == "sandstorm"
        if not facts.land >> there & 1 or self.units(there, self.enemy):
            return None
        road = (here, there) in facts.net
        towering = (here, there) in facts.towering_up or (there, here) in facts.towering_up
        if towering and not road:
            return None
        friends = self.units(there, self.side)
        divisions = sum(game.book[UnitId(u)].division for u in friends)
        if len(friends) >= 3 or (game.book[self.unit].division and divisions >= 2):
            return None
        if game.pieces[self.unit].galloping and facts.direction(here, there) > 2:
            return None
        into = self.zone(there)
        if into and not friends:
            if not sandstorm and self.zone(here) & into:
                return None
            works = facts.works[self.enemy]
            boxed = {
                n
                for hex in (here, there)
                for n in facts.board.neighbours[hex]
                if works >> n & 1 and n not in game.eliminated and n in self.foes_beside(hex)
            }
            touch = [boxed & self.foes_beside(hex) for hex in (here, there)]
            if all(touch) and len(boxed) > 1:
                return None
        mine = self.mined(here, there)
        grade = facts.net.get((here, there), 0)
        if game.weather == "rainstorm" and grade in (1, 2):
            grade -= 1
        whole = Fraction(-(-spent.numerator // spent.denominator))
        if grade and not mine and (sandstorm or not into):
            total = spent + Fraction(1, HEXES_TO_A_FACTOR[self.cls][grade - 1])
        else:
            climb = (here, there) in facts.up and not road
            total = whole + 1 + mine + ((1 if self.cls == "infantry" else 2) if climb else 0)
        return total if total <= (self.short if into or entered else self.long) else None

    def mined(self, here: int, there: int) -> bool:
        """Ruling R12 Whether the step crosses a minefield that still counts."""
        inner = self.facts.mined.get((here, there))
        return inner is not None and inner not in self.game.eliminated and self.side == "axis"

    def stops(self, here: int, there: int) -> bool:
        """Whether a move ends with this step."""
        if self.mined(here, there) or (self.zone(there) and self.game.weather != "sandstorm"):
            return True
        if self.units(there, self.side):  # XI.A.4 speaks of empty ones
            return False
        return bool(self.facts.works[self.enemy] >> there & 1 and there not in self.game.eliminated)

    def reach(self) -> dict[int, Fraction]:
        """What a step costs to each neighbour, and the least that other hexes in reach cost."""
        start = self.game.pieces[self.unit].hex
        best: dict[int, Fraction] = {}
        direct: dict[int, Fraction] = {}
        seen = {(start, Fraction(0), False)}
        todo = list(seen)
        while todo:
            here, spent, entered = todo.pop()
            for there in self.facts.board.neighbours[here]:
                total = self.step(here, there, spent, entered)
                if total is None or there == start:
                    continue
                best[there] = min(total, best.get(there, total))
                if here == start:
                    direct[there] = total
                storm = self.game.weather == "sandstorm"
                state = (there, total, entered or bool(storm and self.zone(there)))
                if state not in seen and not self.stops(here, there):
                    seen.add(state)
                    todo.append(state)
        return best | direct


@pytest.mark.parametrize("weather", ["clear", "rainstorm", "sandstorm"])
@pytest.mark.parametrize("seed", range(6))
def test_fast_and_slow_search_agree(seed: int, weather: str) -> None:
    rng = random.Random(f"{seed} {weather}")
    board = position("").facts.board
    land = board.text(position("").facts.land)
    axis = ["15Pz", "21Pz", "90Lt", "Ariete", "Recce", "Brescia", "Hecker"]
    allied = ["4Arm", "22Arm", "1FF", "150", "7Mot", "50", "201Gds", "2SA", "29Ind"]
    side = rng.choice(["axis", "allied"])
    rows = rng.choice(["ABCDEF", "FGHIJ", "EFGH", "HIJKL"])
    local = [hex for hex in land if hex[0] in rows and int(hex[1:]) < 14]
    spots = rng.sample(local, 12)
    words = []
    for name in axis:
        words.append(f"{name} {rng.choice(spots[:5])} {rng.choice(['', '', 'disrupted'])}")
    for name in allied:
        states = ["", "", "disrupted"] + (["galloping"] if side == "allied" else [])
        words.append(f"{name} {rng.choice(spots[5:])} {rng.choice(states)}")
    gone = rng.sample(["H6", "F5", "E5", "G4", "F3"], 2)
    game = position(", ".join(words), f"{side} movement", weather=weather, eliminated=gone)
    ground = Ground(game, side)
    for unit in game.on_map(side):
        fast = march(game, ground, unit, game.pieces[unit].hex).cost
        slow = Slow(game, unit).reach()
        found = {game.hex_name(hex): Fraction(spent, 60) for hex, spent in fast.items()}
        wanted = {game.hex_name(hex): spent for hex, spent in slow.items()}
        assert found == wanted, game.name(unit)


@pytest.mark.parametrize(
    ("units", "move"),
    [("21Pz K6, 1SA E18, 50 E17", "21Pz G8"), ("Trieste K7, 1SA E18", "Trieste I6")],
)
def test_XIII_A_2_a_short_way_through_mines_hides_no_clean_one(units: str, move: str) -> None:
    """XIII.A.1"""
    assert f"move {move}" in texts(position(units))
