"""6.5.1, 7.5.1.1 What the enemy has begun but not shown: taken back or left open on a sample."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from sandtable.titles.theseus.acting import Acting, RefitAttempt
from sandtable.titles.theseus.combat import Combat, FormAttack
from sandtable.titles.theseus.effectiveness import Checks
from sandtable.titles.theseus.intelligence import UNDECLARED, UNFOUGHT
from sandtable.titles.theseus.minefields import BreachAttempt, MinefieldChecks
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.organisation import Organisation, dummy_markers
from sandtable.titles.theseus.recovery import Attrition
from sandtable.titles.theseus.snafu import Roll
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.withdrawal import RetreatBefore


class Cast(Struct, frozen=True):
    """Enemies in a hex who are seen to act, though not which of them."""

    hex: int
    formation: int
    only: tuple[int, ...] = ()
    """7.5.3 Units known to act, if not all of the formation may."""
    slots: tuple[int, ...] = ()
    """7.3.1 Where in the stack those lie that have moved; none if nobody has moved yet."""
    fights: bool = False
    """7.5.1 Whether they attack, which an HQ cannot."""

    def candidates(self, game: Game) -> tuple[int, ...]:
        """The pieces of the hex that are of a kind to do it."""
        stack = game.at[self.hex]
        return tuple(p for p in stack if p < game.data.count) if self.fights else stack

    def pieces(self, game: Game) -> tuple[int, ...]:
        """5.5.1 The pieces that may be those who act."""
        if self.slots:
            return tuple(game.at[self.hex][at] for at in self.slots)
        able = [
            piece
            for piece in self.candidates(game)
            if not game.pieces[piece].disrupted
            and (piece in self.only if self.only else game.pieces[piece].parent == self.formation)
        ]
        return tuple(p for p in able if game.pieces[p].parent == game.pieces[able[0]].parent)


def forget(game: Game, side: int) -> dict[int, Cast]:
    """Take the enemy's steps back to what the side was told; returns who acts, by step."""
    steps: tuple[Any, ...] = game.stack
    kept: list[Any] = []
    casts: dict[int, Cast] = {}
    acting = Acting(1 - side, -1)
    for at, step in enumerate(steps):
        if private(game, step, steps[at + 1 :], side):
            # What it was for is unknown: only the die on the table is left, if there is one.
            if isinstance(steps[-1], Roll):
                kept.append(blurred(steps[-1]))
            break
        match step:
            case Acting(side=owner) if owner != side:
                step = acting = replace(step, topped=())
            case Organisation(side=owner) if owner != side:
                step = replace(step, moved=(), dummies=dummy_markers(game, owner))
            case Movement(side=owner, stage="end") if owner != side:
                step = replace(step, units=(), path=())  # over, but for its overstacking
            case Movement(side=owner, kind="action") if owner != side:
                hex = step.here(game)
                slots = tuple(game.at[hex].index(unit) for unit in step.units) if step.moved else ()
                casts[len(kept)] = Cast(hex, acting.formation, acting.units, slots)
                step = replace(step, path=(), points=0 if step.moved else -1)
            case Movement(side=owner) if owner != side:
                step = replace(step, path=())
            case Combat() | RetreatBefore() if step.battle.side != side:
                if isinstance(step, RetreatBefore) or step.stage in UNFOUGHT:
                    hex = step.battle.hex
                    casts[len(kept)] = Cast(hex, acting.formation, acting.units, fights=True)
            case Attrition(units=units):
                step = Attrition(own(game, units, side))
            case Checks(units=units, why="9.1.5"):
                failed = tuple(pair for pair in step.failed if game.side(pair[0]) == side)
                done = len(own(game, units[: step.done], side))
                step = replace(step, units=own(game, units, side), failed=failed, done=done)
            case Roll() if kept and isinstance(kept[-1], RetreatBefore):
                step = blurred(step) if kept[-1].battle.side != side else step
        kept.append(step)
    game.stack = tuple(kept)
    return casts


def private(game: Game, step: Any, above: tuple[Any, ...], side: int) -> bool:
    """Whether this step of the enemy, and what it has led to, is not shown to the side."""
    match step:
        case FormAttack(side=owner):
            return bool(owner != side)
        case Combat(battle=battle, stage=stage):
            return battle.side != side and stage in UNDECLARED
        case RefitAttempt(unit=unit) | BreachAttempt(unit=unit):
            return game.side(unit) != side
        case Movement(side=owner, kind="action"):
            unseen = not above or isinstance(above[0], (Checks, MinefieldChecks))
            return owner != side and unseen and not step.moved
        case Attrition():
            return isinstance(above[-1], Roll) and above[-1].by != side
    return False


def own(game: Game, units: tuple[int, ...], side: int) -> tuple[int, ...]:
    return tuple(unit for unit in units if game.side(unit) == side)


def blurred(roll: Roll) -> Roll:
    """5.2 A die whose outcome is told, though not what another face would bring."""
    if not roll.labels or not roll.value:
        return roll
    return replace(roll, labels=(roll.labels[roll.value - 1],) * len(roll.labels))


def recast(game: Game, casts: dict[int, Cast]) -> None:
    """7.3.1, 7.5.1.A Let the units that now lie in those hexes be the ones that act."""
    steps = list(game.stack)
    for at, cast in casts.items():
        pieces = cast.pieces(game) or cast.candidates(game)[:1]
        step = steps[at]
        if isinstance(step, Movement):
            steps[at] = replace(step, units=pieces)
        else:
            steps[at] = replace(step, battle=replace(step.battle, units=pieces))
    game.stack = tuple(steps)
