"""XIV A battle laid out for the player who weighs it."""

from __future__ import annotations

from sandtable.boards import mask_of
from sandtable.kernel.odds import Odds
from sandtable.kernel.sheets import (
    Column,
    Columns,
    Effect,
    Face,
    Force,
    Part,
    Result,
    Sheet,
    after_shifts,
)
from sandtable.titles.gallop.actions import Join
from sandtable.titles.gallop.battle import ATTACKERS, DEFENDERS, fate, whence
from sandtable.titles.gallop.combat import Assault
from sandtable.titles.gallop.reckoning import Reckoning, odds_column
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.terrain import exposed, show

GONE = Effect("eliminated", "gone", "is eliminated", "are eliminated", "eliminated")
EFFECTS = {
    "D": Effect("disrupted", "disrupted", "is disrupted", "are disrupted", "disrupted"),
    "R1": Effect(
        "retreat 1", "retreat", "retreats 1 hex", "retreat 1 hex", "retreats so many hexes", "1"
    ),
    "R2": Effect(
        "retreat 2", "retreat", "retreats 2 hexes", "retreat 2 hexes", "retreats so many hexes", "2"
    ),
    "DE": GONE,
    "AR": Effect("retreat", "retreat", "retreats", "retreat", "retreats"),
    "AE": GONE,
}
MEANINGS = {
    "-": "no effect",
    "D": "Disrupted",
    "R1": "the defenders go back one hex",
    "R2": "the defenders go back two hexes",
    "DE": "the defenders are eliminated",
    "AR": "the attackers go back",
    "DAR": "the defenders are Disrupted and the attackers go back",
    "AE": "the attackers are eliminated",
    "DAE": "the defenders are Disrupted and the attackers eliminated",
    "Int": "the enemy aircraft turn back",
    "EAX": "the enemy aircraft are stopped and knocked out",
    "AA": "the interceptor is knocked out",
}
"""XIV.C, X.B What the tables print, in words."""
WEIGHT = {"DE": 1.0, "R2": 0.5, "R1": 0.25, "D": 0.25, "AR": 0.25, "AE": 1.0}


def lay_out(game: Game, odds: Odds) -> Sheet | None:
    """XIV.B, XIV.C The battle that these are the odds of."""
    reckoning = odds.about
    if not isinstance(reckoning, Reckoning):
        return None
    faces = game.facts.gcrt[reckoning.column]
    return Sheet(
        attacker=_attacker(game, reckoning),
        defender=_defender(game, reckoning),
        dice="One die, 1 to 6",
        faces=tuple(Face(str(face), result) for face, result in enumerate(faces, 1)),
        results=tuple(_result(game, reckoning, each) for each in dict.fromkeys(faces)),
        measure="combat factors; all of a unit eliminated, half of one that retreats two hexes, "
        "a quarter of one that retreats one or is Disrupted",
        columns=_columns(game, reckoning),
    )


def _result(game: Game, reckoning: Reckoning, result: str) -> Result:
    ours, theirs = ATTACKERS.get(result), DEFENDERS.get(result)
    away = whence(game, reckoning.attackers)
    fates = {
        unit: fate(game, unit, theirs, unit in reckoning.ordered, away)[0]
        for unit in reckoning.shares
        if theirs
    }
    used = sum(factors for _, factors in exposed(game, reckoning.attackers, reckoning.targets))
    return Result(
        result,
        (EFFECTS[ours],) if ours and used else (),
        tuple(EFFECTS[kind] for kind in dict.fromkeys(fates.values())),
        used * WEIGHT[ours] if ours else 0,
        sum(game.book[unit].defense * WEIGHT[kind] for unit, kind in fates.items()),
    )


def _columns(game: Game, reckoning: Reckoning) -> Columns:
    names, printed = game.facts.tables.gcrt.columns, game.facts.columns
    basic = odds_column(game.facts, reckoning.attack, reckoning.defense) or 0
    more = "the highest column"
    if basic + 1 < len(names):
        a, d = printed[basic + 1]
        need = -(-reckoning.defense * a // d) - reckoning.attack
        more = f"{show(need)} more make {names[basic + 1]} before shifts"
    return Columns(
        tuple(Column(name, float(at == reckoning.column)) for at, name in enumerate(names)),
        f"{show(reckoning.attack)} to {show(reckoning.defense)}"
        + after_shifts(basic != reckoning.column),
        "XIV.B.3",
        more,
    )


def _attacker(game: Game, reckoning: Reckoning) -> Force:
    book = game.book
    parts = tuple(
        Part(
            game.name(unit),
            str(factors) if factors == book[unit].attack else f"{factors} of {book[unit].attack}",
        )
        for unit, factors in reckoning.attackers
    )
    side = game.side_of(reckoning.attackers[0][0])
    total = show(reckoning.attack)
    note = "Attack factors with what the ground gives and takes."
    return Force(side, total, parts, tuple(_left_out(game, reckoning)), note, "XIV.B.1")


def _defender(game: Game, reckoning: Reckoning) -> Force:
    parts = tuple(Part(game.name(unit), show(share)) for unit, share in reckoning.shares.items())
    side = game.enemy(game.side_of(reckoning.attackers[0][0]))
    note = "Defence factors with terrain."
    return Force(side, show(reckoning.defense), parts, (), note, "XIV.B.2")


def _left_out(game: Game, reckoning: Reckoning) -> list[Part]:
    """XIV.A.4 Units of the attacker next to the battle that take no part, and why."""
    step = game.step
    if not isinstance(step, Assault):
        return []
    near = game.facts.board.spread(mask_of(reckoning.targets))
    joined = {unit for unit, _ in reckoning.attackers}
    pool = set(step.pool(game))
    found = []
    for unit in game.on_map(step.side):
        if unit in joined or not near >> game.pieces[unit].hex & 1 or not game.book[unit].attack:
            continue
        if unit in pool:
            found.append(Part(game.name(unit), "", "May still be added.", "XIV.A.4"))
            continue
        refusal = step.refusal(game, Join(unit, game.book[unit].attack))
        if refusal:
            why = refusal.text.partition(": ")[2]
            found.append(Part(game.name(unit), "", why[:1].upper() + why[1:], refusal.rule))
    return found
