"""Who should attack whom in The Gazala Gallop: a few good attacks instead of many poor ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from msgspec import Struct

from sandtable.kernel.actions import UnitId
from sandtable.kernel.events import Side
from sandtable.titles.gallop.battle import DEFENDERS, SOFTENED
from sandtable.titles.gallop.data import Data
from sandtable.titles.gallop.reckoning import odds_column
from sandtable.titles.gallop.state import Game

BEATEN = {"DE": 1.0, "R2": 0.45, "R1": 0.3, "D": 0.2, "-": 0.0}
"""What a result takes from the defender, as a share of his worth."""
REPULSED = {"AR": 0.15, "DAR": 0.15, "DAE": 1.0, "AE": 1.0}
"""What it takes from the attacker."""
IDLE = 0.3
"""What it takes to stand beside enemies too strong to be attacked at all."""
BROKEN = 0.12
"""What it adds to the defender's loss that he is Disrupted already."""
PROMISING = 0.29
"""The defender's loss from which an attack is worth beginning: that of 2:1."""
URGENT = 1.0
"""Points that an attack takes on average from which it is made at any odds."""
PER_HEX = 2
"""Attackers that can be counted on to find room in each hex beside the enemy."""


@lru_cache(maxsize=1 << 16)
def stakes(data: Data, attack: int, against: int, works: bool, shut: bool) -> tuple[float, float]:
    """The shares that defender and attacker can expect to lose, by quarter factors."""
    column = odds_column(data, attack, against)
    if column is None:
        return 0.0, IDLE
    faces = data.gcrt[column]
    return (
        sum(BEATEN[suffered(face, works, shut)] for face in faces) / len(faces),
        sum(REPULSED.get(face, 0.0) for face in faces) / len(faces),
    )


def suffered(face: str, works: bool, shut: bool) -> str:
    """XI.A.1, XIV.D.3 What a face of the table does to who is in works, or has no way out."""
    result = DEFENDERS.get(face, "-")
    if works:
        result = SOFTENED.get(result, result)
    return "DE" if shut and result == "R2" else result


class Target(Struct, frozen=True):
    """An enemy stack."""

    hex: int
    defense: float
    worth: float
    broken: bool
    works: bool
    shut: bool
    """Whether there is nowhere to retreat to."""

    def stakes(self, data: Data, attack: float) -> tuple[float, float]:
        """The shares that both sides can expect to lose if so many factors attack."""
        return stakes(data, round(attack * 4), round(self.defense * 4), self.works, self.shut)

    def profit(self, data: Data, attack: float, price: float) -> float:
        """What an attack brings with so many factors, of units of this worth."""
        gain, loss = self.stakes(data, attack)
        return (gain + BROKEN * self.broken * (attack > 0)) * self.worth - loss * price


class Moves(Protocol):
    """The moves open to one unit, with the hexes beside each target that they lead to."""

    unit: UnitId
    rooms: dict[int, set[int]]


class Muster:
    """The attacks that a side can make from where it stands and may still go."""

    def __init__(
        self,
        game: Game,
        side: Side,
        targets: Sequence[Target],
        beside: Sequence[Sequence[int]],
        worth: Sequence[float],
        groups: Mapping[int, Moves],
        sentries: Collection[UnitId],
    ) -> None:
        self._data = game.facts
        self.targets = targets
        self.attack = [0.0] * len(targets)
        """Attack factors that stand beside each target for good, or are sent there."""
        self.price = [0.0] * len(targets)
        """The worth of those units."""
        self.aim: dict[UnitId, int] = {}
        """The target that a unit is sent to."""
        rooms: list[set[int]] = [set() for _ in targets]
        ways: dict[UnitId, set[int]] = {}
        for group in groups.values():
            ways.setdefault(group.unit, set()).update(group.rooms)
            for at, hexes in group.rooms.items():
                rooms[at] |= hexes
        free: dict[UnitId, int] = {}
        for unit in game.on_map(side):
            piece = game.pieces[unit]
            if piece.disrupted or not piece.active or piece.attacked:
                continue
            power = game.book[unit].attack
            if unit not in ways:
                for at in beside[piece.hex]:
                    self.attack[at] += power
                    self.price[at] += worth[unit]
            else:
                ways[unit].update(beside[piece.hex])
                for at in beside[piece.hex]:
                    rooms[at].add(piece.hex)
                if ways[unit] and unit not in sentries:
                    free[unit] = power
        self._send(free, ways, rooms, worth)

    def _send(
        self,
        free: dict[UnitId, int],
        ways: dict[UnitId, set[int]],
        rooms: Sequence[set[int]],
        worth: Sequence[float],
    ) -> None:
        """Send everybody needed to the best target, then to the next one."""
        order = sorted(free, key=lambda unit: -free[unit])
        open_targets = {at for unit in free for at in ways[unit]}
        while open_targets:
            teams = {
                at: [unit for unit in order if unit in free and at in ways[unit]][
                    : PER_HEX * len(rooms[at])
                ]
                for at in open_targets
            }
            best = max(open_targets, key=lambda at: self._profit(at, teams[at], free, worth))
            if self._profit(best, teams[best], free, worth) <= 0:
                return
            open_targets.discard(best)
            team = teams[best]
            if not self.attack[best] and not self._promising(best, team, free):
                continue
            most = self._gain(best, team, free)
            while team and self._gain(best, team[:-1], free) >= most:
                team = team[:-1]
            for unit in team:
                self.aim[unit] = best
                self.attack[best] += free.pop(unit)
                self.price[best] += worth[unit]

    def _profit(
        self,
        at: int,
        team: Sequence[UnitId],
        free: dict[UnitId, int],
        worth: Sequence[float],
    ) -> float:
        """What it brings to send a team, and to save those who stand there already."""
        if not team:
            return 0.0
        attack = self.attack[at] + sum(free[unit] for unit in team)
        price = self.price[at] + sum(worth[unit] for unit in team)
        alone = min(0.0, self.profit(at)) if self.attack[at] else 0.0
        return self.targets[at].profit(self._data, attack, price) - alone

    def _promising(self, at: int, team: Sequence[UnitId], free: dict[UnitId, int]) -> bool:
        """Whether an attack is good enough to be begun at all."""
        attack = sum(free[unit] for unit in team)
        target = self.targets[at]
        gain, _ = target.stakes(self._data, attack)
        return gain + BROKEN * target.broken >= PROMISING or gain * target.worth >= URGENT

    def _gain(self, at: int, team: Sequence[UnitId], free: dict[UnitId, int]) -> float:
        attack = self.attack[at] + sum(free[unit] for unit in team)
        return self.targets[at].profit(self._data, attack, self.targets[at].worth)

    def profit(self, at: int, more: float = 0.0, price: float = 0.0) -> float:
        """What the attack on a target brings, with so much more joining it."""
        return self.targets[at].profit(self._data, self.attack[at] + more, self.price[at] + price)
