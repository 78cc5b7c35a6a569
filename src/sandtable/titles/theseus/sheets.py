"""7.5.1 A combat laid out for the player who weighs it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from sandtable.kernel.odds import Odds
from sandtable.kernel.sheets import (
    Column,
    Columns,
    Effect,
    Face,
    Force,
    Part,
    Sheet,
    after_shifts,
    told,
)
from sandtable.kernel.sheets import Result as Shown
from sandtable.kernel.words import counted
from sandtable.titles.theseus.combat_odds import spread
from sandtable.titles.theseus.drms import modifiers
from sandtable.titles.theseus.facts import Data, read_result
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import (
    Battle,
    attack_strength,
    cup,
    defence_strength,
    find_column,
    full_strength,
    ground,
    half_strength,
    result,
    shifts,
)

CHECK = Effect(
    "Effectiveness Check",
    "check",
    "must check Effectiveness",
    "must check Effectiveness",
    "checks its Effectiveness",
)


def lay_out(game: Game, odds: Odds) -> Sheet | None:
    """7.5.1 The combat that these are the odds of."""
    battle = odds.about
    if not isinstance(battle, Battle):
        return None
    weight = spread(game, battle)[0]
    likely = max(weight, key=lambda column: (weight[column], column))
    drm = sum(each.value for each in modifiers(game, battle))
    heading = _headings(game, battle)[likely] if likely >= 0 else "below the table"
    sure = "" if len(weight) == 1 else f" at {heading}, the likeliest column"
    faces = [result(game, likely, face, drm).text for face in range(1, 11)]
    return Sheet(
        attacker=_attacker(game, battle),
        defender=_defender(game, battle),
        dice=f"One die from 1 to 10{sure}",
        faces=tuple(Face(str(face), text) for face, text in enumerate(faces, 1)),
        results=tuple(_shown(each.text) for each in odds.outcomes),
        measure="hits",
        columns=_columns(game, battle, weight),
    )


def meanings(data: Data) -> dict[str, str]:
    """7.5.2 Every result of the table in words."""
    cells = [data.below_table, *(cell for row in data.crt for cell in row)]
    return {
        each.text: f"attackers: {told(each.attacker)}; defenders: {told(each.defender)}"
        for each in (_shown(cell.text) for cell in cells)
    }


def _shown(text: str) -> Shown:
    cell = read_result(text)
    ours = _words(cell.attacker, cell.attacker_red)
    theirs = _words(cell.defender, cell.defender_red)
    return Shown(text, ours, theirs, cell.attacker, cell.defender)


def _words(hits: int, red: bool) -> tuple[Effect, ...]:
    found = []
    if hits:
        text = counted(hits, "hit")
        found.append(Effect(text, "hit", "takes hits", "take hits", "hits", str(hits)))
    return (*found, CHECK) if red else tuple(found)


def _headings(game: Game, battle: Battle) -> tuple[str, ...]:
    found: tuple[str, ...] = getattr(game.data.tables.crt, ground(game, battle).row)
    return found


def _range(values: list[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low}–{high}"


def _battle_strengths(game: Game, battle: Battle) -> tuple[list[int], list[int]]:
    """7.5.1.2 Both Battle Strengths: one each with the chits drawn, else for every chit."""
    chits = cup(game)
    if battle.attack_chit < 0:
        ours, theirs = chits, chits
    else:
        ours, theirs = (chits[battle.attack_chit],), (chits[battle.defence_chit],)
    return (
        [attack_strength(game, battle, chit) for chit in ours],
        [defence_strength(game, battle, chit) for chit in theirs],
    )


def _columns(game: Game, battle: Battle, weight: dict[int, int]) -> Columns:
    ours, theirs = _battle_strengths(game, battle)
    names, total = _headings(game, battle), sum(weight.values())
    more = "chits are drawn first" if battle.attack_chit < 0 else ""
    if not more:
        attack, defence = ours[0], max(theirs[0], 1)
        before = game.data.column(ground(game, battle).row, attack, defence)
        after = find_column(game, battle, attack, defence)
        more = "the highest column"
        if before + 1 < len(names) and after + 1 < len(names):
            points = ceil(game.data.headings[ground(game, battle).row][before + 1] * defence)
            shift = " before shifts" if shifts(game, battle) else ""
            more = f"{points - attack} more Battle Strength make {names[before + 1]}{shift}"
    columns = [Column(name, weight.get(at, 0) / total) for at, name in enumerate(names)]
    if weight.get(-1):
        columns.insert(0, Column("below", weight[-1] / total))
    ratio = f"{_range(ours)} to {_range(theirs)}" + after_shifts(bool(shifts(game, battle)))
    return Columns(tuple(columns), ratio, "7.5.1.E", more)


def _attacker(game: Game, battle: Battle) -> Force:
    note = "Strength times the figure of the chit drawn makes the Battle Strength."
    left_out = tuple(_left_out(game, battle))
    total, parts = _strengths(game, battle, battle.units, True)
    return Force(SIDES[battle.side], total, parts, left_out, note, "7.5.1.2")


def _defender(game: Game, battle: Battle) -> Force:
    total, parts = _strengths(game, battle, battle.defenders, False)
    note = "Printed strengths: what is left of them shows when the attack is declared."
    if not battle.face_value:
        note = "All units in the hex defend."
    return Force(SIDES[battle.enemy], total, parts, (), note, "7.5.1.2")


def _strengths(
    game: Game, battle: Battle, units: Sequence[int], attacking: bool
) -> tuple[str, tuple[Part, ...]]:
    """5.7.5, 7.5.1.2 What units count for together, and each of them."""
    total, parts = 0, []
    for unit in units:
        halves = half_strength(game, battle, unit, attacking)
        why = ""
        if attacking and game.unsupplied(unit):
            why = ", halved out of supply"
        elif halves < 2 * full_strength(game, battle, unit, attacking):
            why = ", Flak without infantry"
        value = f"{_in_halves(halves)}, Eff {game.effectiveness(unit)}{why}"
        parts.append(Part(game.data.piece_names[unit], value))
        total += halves
    return _in_halves(total), tuple(parts)


def _in_halves(halves: int) -> str:
    """A number of halves: 7 is 3½."""
    return f"{halves // 2 or ''}½" if halves % 2 else str(halves // 2)


def _left_out(game: Game, battle: Battle) -> list[Part]:
    """7.5.1.A Units in the attackers' hex that take no part, and why."""
    found, parent = [], game.pieces[battle.units[0]].parent
    for unit in game.combat_units(battle.hex):
        if unit in battle.units:
            continue
        if game.actor != SIDES[battle.side] and game.secret(unit):
            continue  # 5.3.4: the defender is not told who else is there
        if game.pieces[unit].disrupted:
            why = "A disrupted unit does not attack."
        elif parent < 0 or game.pieces[unit].parent != parent:
            why = "Only units of one formation attack together."
        elif battle.face_value:
            why = "May still join before the attack is declared."
        else:
            why = "It did not join the attack."
        found.append(Part(game.data.piece_names[unit], "", why, "7.5.1.A"))
    return found
