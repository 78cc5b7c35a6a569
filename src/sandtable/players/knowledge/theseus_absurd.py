"""What no sensible commander does in Operation Theseus; a list to check whole games by."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from sandtable.boards import bits
from sandtable.kernel.actions import Action
from sandtable.kernel.events import Side
from sandtable.players.knowledge.theseus_staff import best_left, mine_chances, objective_now
from sandtable.titles.theseus.actions import Assault, Attack, AttackWith, Strike, To
from sandtable.titles.theseus.activation import Acting
from sandtable.titles.theseus.choices import escalations
from sandtable.titles.theseus.combat_odds import combat_odds
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.schema import COMMONWEALTH, SIDES
from sandtable.titles.theseus.stacking import HqDisplacement, fits
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import PREPARED, REGULAR, Battle

HOPELESS = 0.85
"""The chance that an attack goes badly from which nobody would make it."""
BLIND = 0.15
"""The share of a stack that must at least be expected to get into a minefield."""
CALM = 4
"""An objective with no enemy within so many hexes is not threatened."""
GRASP = 12
"""An enemy so near could walk into an empty one."""


def blunders(game: Game, action: Action) -> Iterator[str]:
    """An attack that cannot go well, a drive into mines that hardly anybody enters, a crowd."""
    if isinstance(action, Attack | AttackWith | Assault | Strike) and hopeless(game, action):
        yield "attacks at hopeless odds"
    step = game.step
    if isinstance(action, To) and isinstance(step, Movement):
        mined = game.situation.mines[1 - step.side] >> action.hex & 1
        if mined and mine_chances(game, step.units)[0] < BLIND:
            yield "drives into a minefield that it cannot enter"
        there = game.combat_units(action.hex)
        if there and game.side(there[0]) == step.side:
            moving = [unit for unit in step.units if unit < game.data.count]
            if not fits(game, {*there, *moving}, step.side):
                yield "overstacks a hex"


def hopeless(game: Game, action: Action) -> bool:
    """7.5.1.C Whether an attack goes badly, also as the best that it can be escalated to."""
    odds, side = game.odds(action), game.actor
    assert side is not None
    foe = game.title.other(side)
    if odds is None or odds.chance_for(foe) <= HOPELESS:
        return False
    battle = odds.about
    if isinstance(action, Strike) or not isinstance(battle, Battle):
        return True
    dearer = (REGULAR, PREPARED)[: escalations(game, battle, action)]
    return all(
        combat_odds(game, replace(battle, kind=kind)).chance_for(foe) > HOPELESS for kind in dearer
    )


def follies(before: Game, after: Game, name: Side) -> Iterator[str]:
    """An activation that left supply, or an objective, and got nothing for it."""
    side = SIDES.index(name)
    if before.turn != after.turn or handed_over(before, after, side):
        return
    undisturbed = before.situation.occupied[1 - side] == after.situation.occupied[1 - side]
    # An HQ goes where its units fight, and one that the enemy drove out of its hex had no choice.
    if undisturbed and not gained(before, after, side):
        if list(leavers(before, after, side)):
            yield "leaves supply for nothing"
        if list(bared(before, after, side)):
            yield "leaves an HQ bare beside the enemy"
    if list(abandoned(before, after, side)):
        yield "abandons an objective that nobody threatens"


def handed_over(before: Game, after: Game, side: int) -> bool:
    """6.2 Whether the side gave the initiative away, and what was done the enemy did."""
    if acting(after) == {1 - side} and not acting(before):
        return True
    spent = [0, 0]
    for formation, hq in enumerate(after.data.hqs):
        spent[SIDES.index(hq.side)] += before.levels[formation] - after.levels[formation]
    return spent[1 - side] > 0 and not spent[side]


def acting(game: Game) -> set[int]:
    """The sides of whom a formation acts or reacts."""
    return {step.side for step in game.stack if isinstance(step, Acting)}


def gained(before: Game, after: Game, side: int) -> bool:
    """Whether the activation fought, breached, took an objective or cut an enemy HQ off.

    An enemy who withdraws before combat leaves no other mark than dice; those for the initiative
    and for Action Points are always rolled. The enemy's units are not compared: two samples of
    one position differ in what is hidden of them.
    """
    if after.dice.count - before.dice.count > 2:
        return True
    if after.breached != before.breached or after.air != before.air:
        return True
    sides = after.data.side_of
    if any(
        sides[unit] == side and changed(before, after, unit) for unit in range(after.data.count)
    ):
        return True
    new = taken(before, after, side)
    if any(new >> hex & 1 for hex, _ in after.script.objectives):
        return True
    return bool(list(cut_off(before, after, 1 - side)))


def cut_off(before: Game, after: Game, side: int) -> Iterator[int]:
    """5.7.4 HQs of a side that were in supply and are no longer."""
    data = after.data
    for formation, hq in enumerate(data.hqs):
        piece = data.hq_of(formation)
        if hq.side != SIDES[side] or min(before.pieces[piece].hex, after.pieces[piece].hex) < 0:
            continue
        if hungry(after, piece) and not hungry(before, piece):
            yield formation


def changed(before: Game, after: Game, unit: int) -> bool:
    """Whether a unit lost strength or its order, or found them again."""
    old, new = before.pieces[unit], after.pieces[unit]
    return old.strength != new.strength or old.disrupted != new.disrupted


def taken(before: Game, after: Game, side: int) -> int:
    """Where combat units of a side stand now, and did not."""
    return after.situation.combat[side] & ~before.situation.combat[side]


def leavers(before: Game, after: Game, side: int) -> Iterator[int]:
    """HQs that moved of their own will to where supply did not reach and does not."""
    data = after.data
    for formation, hq in enumerate(data.hqs):
        piece = data.hq_of(formation)
        old, new = before.pieces[piece].hex, after.pieces[piece].hex
        if hq.side != SIDES[side] or old < 0 or new < 0 or old == new:
            continue
        if hungry(before, piece) or not hungry(after, piece):
            continue
        moved = before.copy()
        moved.place(piece, new)
        if hungry(moved, piece) and not driven_off(before, piece, ill_placed):
            yield formation


def hungry(game: Game, piece: int) -> bool:
    """5.7 Whether an HQ is out of supply."""
    return not game.situation.in_supply(game, piece)


def bare(game: Game, piece: int) -> bool:
    """Whether an HQ stands alone where an enemy combat unit stands beside it."""
    return uncovered(game, game.pieces[piece].hex, game.side(piece))


def ill_placed(game: Game, piece: int) -> bool:
    """Whether an HQ is out of supply or bare: whoever must choose between the two may."""
    return hungry(game, piece) or bare(game, piece)


def uncovered(game: Game, hex: int, side: int) -> bool:
    """Whether an enemy combat unit stands beside a hex that no combat unit of a side holds."""
    beside = game.data.beside[hex] & game.situation.combat[1 - side]
    return bool(beside) and not game.combat_units(hex)


def driven_off(game: Game, piece: int, bad: Callable[[Game, int], bool]) -> bool:
    """5.3.2 Whether an HQ must be placed near its units, and every place is a bad one."""
    if not isinstance(game.step, HqDisplacement):
        return False
    for action in game.actions():
        trial = game.copy()
        trial.play(action)
        if not bad(trial, piece):
            return False
    return True


def bared(before: Game, after: Game, side: int) -> Iterator[int]:
    """HQs that moved, alone, to where an enemy combat unit stands beside them."""
    data = after.data
    for formation, hq in enumerate(data.hqs):
        piece = data.hq_of(formation)
        old, new = before.pieces[piece].hex, after.pieces[piece].hex
        if hq.side != SIDES[side] or new < 0 or old == new or not bare(after, piece):
            continue
        # 6.5 A Reaction came while it was still on its way, or ended its way.
        if on_the_way(after, piece, side):
            continue
        if not driven_off(before, piece, ill_placed):
            yield formation


def on_the_way(game: Game, piece: int, side: int) -> bool:
    """Whether a piece is moving, or the enemy reacts in the midst of its activation."""
    if any(isinstance(step, Movement) and piece in step.units for step in game.stack):
        return True
    acting = [step.side for step in game.stack if isinstance(step, Acting)]
    return len(acting) > 1 and acting[-1] != side


def abandoned(before: Game, after: Game, side: int) -> Iterator[int]:
    """Objectives left for nothing, though they count and nobody was near enough to force it."""
    left = taken(after, before, side)
    for at, (hex, _) in enumerate(after.script.objectives):
        if not left >> hex & 1 or not must_hold(after, side, at):
            continue
        if nearest(before, side, hex) <= CALM:
            continue  # He has gone off since.
        if not any(busy(before, after, unit, side) for unit in before.combat_units(hex)):
            yield hex


def busy(before: Game, after: Game, unit: int, side: int) -> bool:
    """Whether a unit took another objective, was hurt, or stands where something was fought for."""
    there = after.pieces[unit].hex
    if there < 0 or changed(before, after, unit):
        return True
    if any(hex == there for hex, _ in after.script.objectives):
        return True
    beside = after.data.beside[there] | 1 << there
    return bool(beside & before.situation.combat[1 - side]) and gained(before, after, side)


def must_hold(game: Game, side: int, at: int) -> bool:
    """Whether an objective counts, and no enemy is near enough to force anybody out of it."""
    hex, objective = game.script.objectives[at]
    near = nearest(game, side, hex)
    if near <= CALM:
        return False
    if side == COMMONWEALTH:
        return near <= GRASP and best_left(game, at) > 0
    to_come = objective_now(game, objective.values) > game.scored[at]
    return to_come or bool(objective.keep and game.scored[at] and near <= GRASP)


def nearest(game: Game, side: int, hex: int) -> int:
    """How far the nearest enemy of a side is from a hex."""
    far = game.data.board.ring(hex)
    return min((far[foe] for foe in bits(game.situation.combat[1 - side])), default=99)
