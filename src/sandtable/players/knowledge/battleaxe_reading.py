"""A position of Operation Battleaxe in numbers: strengths, threats, and what officers count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import exp
from typing import NamedTuple

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.odds import Pmf, convolve, dice_sum
from sandtable.players.knowledge.weights import logistic
from sandtable.titles.battleaxe import impulses, refit, support
from sandtable.titles.battleaxe.data import ALLIED, AXIS
from sandtable.titles.battleaxe.logistics import supplied_spaces
from sandtable.titles.battleaxe.refit import tank
from sandtable.titles.battleaxe.state import ELIMINATED, Game
from sandtable.titles.battleaxe.support import Battle
from sandtable.titles.battleaxe.victory import LAST_DAY, needed

IMPULSES_LEFT = (7.0, 6.0, 5.0, 4.1, 3.3, 2.6, 2.1, 1.7, 1.5, 1.3, 1.2, 1.1, 1.0)
"""How many Impulses the day still has, this one included, by the number of Impulses gone."""

AIR, GUNS = 3.0, 1.0
"""What Air Support and an Artillery Call add on average."""


def strength(game: Game, units: Sequence[UnitId], *, attacking: bool) -> int:
    """The value of units that fight together: the lead, one for each other, combined arms.

    10.3 AT/FLAK units on their own count one at full strength.
    """
    if not units:
        return 0
    facts = game.data.unit_facts
    lead = 0
    kinds = set()
    for unit in units:
        kind = facts[unit].kind
        kinds.add("armor" if kind == "armored_car" else kind)
        if not (attacking and kind == "at"):
            lead = max(lead, game.cv(unit))
    if kinds == {"at"}:
        lead = int(any(not game.units[unit].reduced for unit in units))
    return lead + len(units) - 1 + (attacking and len(kinds) == 3)


def stand(game: Game, side: int, space: Space) -> int:
    """The Defense Value of a side's units in a space before support."""
    units = game.units_in(side, space)
    return strength(game, units, attacking=False) + game.tem(space) if units else 0


def defense(game: Game, side: int, space: Space) -> float:
    """The same, guns on average included."""
    value = stand(game, side, space)
    return value + GUNS if value and game.artillery[side] else value


class Prospect(NamedTuple):
    """What an attack comes to."""

    win: float
    """The chance of a success."""
    repulse: float
    """The chance to be thrown back."""
    hits: float
    """The Attrition Points that the enemy takes on average."""


class Support(NamedTuple):
    """What may be added to the values of an attack."""

    air: tuple[int, ...]
    """What each face of the Air Support die adds; a single 0 if there is none."""
    rommel: bool
    guns: Fraction
    """The chance that the attacker's artillery answers."""
    answer: Fraction
    """The chance that the defender's does."""


def support_of(game: Game, battle: Battle) -> Support:
    """10.0 All support that is there for an attack."""
    flies = support.air_ready(game, battle)
    guns, answer = (
        support.call_chance(game, battle, side) if game.artillery[side] else Fraction(0)
        for side in (battle.side, 1 - battle.side)
    )
    return Support(
        tuple(support.air_value(game, battle, face) for face in range(1, 7)) if flies else (0,),
        game.rommel and support.rommel_ready(game, battle),
        guns,
        answer,
    )


@cache
def prospect(edge: int, helped: Support) -> Prospect:
    """11.4.4 Exactly what an attack comes to whose values differ by so much before support.

    >>> alone = Support((0,), False, Fraction(0), Fraction(0))
    >>> prospect(0, alone).win == prospect(0, alone).repulse
    True
    """
    margins: Pmf = {edge: Fraction(1)}
    for part in (
        dice_sum(2 + helped.rommel),
        {-total: chance for total, chance in dice_sum(2).items()},
        {support.GUNS: helped.guns, 0: 1 - helped.guns},
        {-support.GUNS: helped.answer, 0: 1 - helped.answer},
        {value: Fraction(count, len(helped.air)) for value, count in Counter(helped.air).items()},
    ):
        margins = convolve(margins, part)
    win = sum(chance for margin, chance in margins.items() if margin > 0)
    repulse = sum(chance for margin, chance in margins.items() if margin < 0)
    hits = sum(margin * chance for margin, chance in margins.items() if margin > 0)
    return Prospect(float(win), float(repulse), float(hits))


def help_for(game: Game, side: int) -> float:
    """What support adds on average to an attack of a side in an Impulse to come, unused as yet.

    `Thumb._help` counts only what this Impulse has not used up.
    """
    value = GUNS if game.artillery[side] else 0.0
    if side == ALLIED:
        return value + AIR
    if game.rommel:
        value += AIR
    return value - 2 * game.fuel_low


class Reading:
    """A position read once: what stacks are worth, and what they can do to each Area."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.ready: tuple[dict[int, tuple[UnitId, ...]], ...] = ({}, {})
        for side in (ALLIED, AXIS):
            for at in spots(game.occupied[side]):
                units = tuple(
                    unit
                    for unit in game.units_in(side, Space(at))
                    if game.mf(unit) and not game.held_back(unit)
                )
                if units:
                    self.ready[side][at] = units
        self.power = tuple(
            {at: strength(game, units[:4], attacking=True) for at, units in ready.items()}
            for ready in self.ready
        )
        self.help = (help_for(game, ALLIED), help_for(game, AXIS))
        self.linked = supplied_spaces(game, ALLIED, game.data.frontier_zones)
        self._threats: dict[tuple[int, int], float] = {}

    def threat(self, side: int, space: int) -> float:
        """The best Attack Value that a side can bring against a space next Impulse."""
        found = self._threats.get((side, space))
        if found is None:
            found = self._threats[side, space] = self._threat(side, space)
        return found

    def _threat(self, side: int, space: int) -> float:
        game, power = self.game, self.power[side]
        best = 0
        for at in spots(game.data.near[space] | 1 << space):
            if power.get(at, 0) > best:
                best = power[at]
        return best + self.help[side] if best else 0.0


def evenings(game: Game) -> int:
    """How many evenings still score."""
    return max(0, LAST_DAY + 1 - game.turn)


def impulses_left(game: Game) -> float:
    """How many Impulses are left today, on average."""
    return IMPULSES_LEFT[min(game.impulse, len(IMPULSES_LEFT)) - 1]


def time_left(game: Game) -> float:
    """Days still to play."""
    return LAST_DAY - game.turn + impulses_left(game) / 7


FEATURES = (
    "points",
    "held",
    "in_danger",
    "in_reach",
    "contested",
    "losses",
    "wrecks",
    "allied_armor",
    "allied_foot",
    "german_armor",
    "axis_foot",
    "advantage",
    "guns",
    "fifteenth",
    "fifth",
    "tobruk",
    "road",
    "unfed",
    "one",
)


def features(game: Game, reading: Reading | None = None) -> list[float]:
    """The position in numbers, good for the Allies when positive, each about one in size."""
    data = game.data
    left, today = time_left(game), impulses_left(game) / 7
    nights = evenings(game)
    reading = reading or Reading(game)
    linked = reading.linked
    contested = game.contested()
    held = danger = reach = mixed = 0.0
    for at in valuable(game):
        worth = data.spaces[at].vp * nights
        space = Space(at)
        if linked >> at & 1:
            held += worth
            edge = reading.threat(AXIS, at) - defense(game, ALLIED, space)
            if reading.power[AXIS] and edge > -20:
                danger += worth * logistic((edge - 1) / 2)
        else:
            edge = reading.threat(ALLIED, at)
            if edge:
                edge -= defense(game, AXIS, space)
                reach += worth * logistic((edge - 1) / 2)
        if contested >> at & 1:
            mixed += worth
    steps = [[0.0, 0.0], [0.0, 0.0]]
    losses = wrecks = unfed = 0
    for unit, one in enumerate(game.units):
        side, facts = data.side_of[unit], data.unit_facts[unit]
        german = data.german[unit]
        if one.space < 0:
            losses += german and one.space == ELIMINATED
            continue
        if side == ALLIED or facts.mf:
            steps[side][facts.kind == "armor"] += game.cv(UnitId(unit)) + 1
        if german and one.reduced and tank(game, UnitId(unit)):
            wrecks += 1
        if one.out_of_supply:
            unfed += 1 if side == AXIS else -1
    sign = {ALLIED: 1.0, AXIS: -1.0}.get(game.advantage, 0.0)
    if game.advantage not in (ALLIED, AXIS) and game.shift_to in (ALLIED, AXIS):
        sign = 1.0 if game.shift_to == ALLIED else -1.0
    return [
        (game.vp - needed(game)) / 5,
        held / 5,
        danger / 5,
        reach / 5,
        mixed / 5,
        losses / 5,
        wrecks / 5,
        steps[ALLIED][1] * left / 60,
        steps[ALLIED][0] * left / 60,
        steps[AXIS][1] * left / 60,
        steps[AXIS][0] * left / 60,
        sign * min(1.0, left),
        (game.artillery[ALLIED] - game.artillery[AXIS]) * today / 2,
        game.released[0] * (game.turn == 1) * today,
        game.released[1] * (game.turn == 1) * today,
        tobruk_balance(game) / 10,
        road(game),
        unfed / 5,
        1.0,
    ]


def valuable(game: Game) -> list[int]:
    """The spaces that score."""
    return [at for at, space in enumerate(game.data.spaces) if space.vp]


def tobruk_balance(game: Game) -> float:
    """How much stronger the Allies are in Tobruk; the road opens only when they are alone."""
    here = [game.units_in(side, game.data.tobruk) for side in (ALLIED, AXIS)]
    mine, theirs = (sum(game.cv(unit) + 1 for unit in units) for units in here)
    return mine - theirs


def road(game: Game) -> float:
    """17.1 How near the road from Buq-Buq to Tobruk is to being open, from 0 to 1.

    Counts the Areas still to be taken on the easiest way, those with enemies threefold.
    """
    data = game.data
    free, enemies = game.free_for(ALLIED), game.occupied[AXIS]
    tobruk = 1 << data.tobruk
    reached, front, cost = 1 << data.buq_buq, 1 << data.buq_buq, 0
    waiting: dict[int, int] = {}
    near = data.near
    while cost < 12:
        while front:
            step = 0
            for at in spots(front):
                step |= near[at]
            step &= ~reached
            cheap = step & free
            for at in spots(step & ~free):
                price = cost + (3 if enemies >> at & 1 else 1)
                waiting[price] = waiting.get(price, 0) | 1 << at
            reached |= cheap
            front = cheap
        if reached & tobruk:
            return exp(-cost / 2)
        cost += 1
        front = waiting.pop(cost, 0) & ~reached
        reached |= front
        if reached & tobruk:
            return exp(-cost / 2)
    return 0.0


def unit_of(game: Game) -> tuple[int | str, ...]:
    """An Impulse of one side, or its part of the Refit Phase."""
    for step in game.stack:
        if isinstance(step, impulses.ImpulseStep):
            return game.turn, game.impulse, step.side
        if isinstance(step, refit.RefitPhase):
            return game.turn, "refit", step.side
    return game.turn, type(game.stack[-1]).__name__ if game.stack else ""
