"""7.5.1 The chances of a combat, before and after it is declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.kernel.odds import Chance, Odds, gather
from sandtable.titles.theseus.challenges import hidden_parents
from sandtable.titles.theseus.drms import (
    attack_choices,
    best_defence_unit,
    defence_choices,
    leads,
    modifiers,
)
from sandtable.titles.theseus.facts import Result
from sandtable.titles.theseus.forecasts import CHECKED, snafu_note
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import (
    Battle,
    attack_strength,
    cup,
    defence_strength,
    find_column,
    result,
    shifts,
)


def settle_choices(game: Game, battle: Battle) -> Battle:
    """7.5.1.5 A battle with open choices made for the best DRM, for forecasts."""
    attack = battle.attack_unit
    if attack < 0:
        attack = next(iter(attack_choices(game, battle)), -1)
    defence = battle.defence_unit
    if defence < 0:
        defence = best_defence_unit(game, battle, attack)
    lead = battle.lead if battle.lead >= 0 else next(iter(leads(game, battle)), -1)
    return replace(battle, attack_unit=attack, defence_unit=defence, lead=lead)


def spread(game: Game, battle: Battle) -> tuple[Counter[int], dict[int, tuple[int, ...]]]:
    """7.5.1.D, 7.5.1.E How often each column comes up, and chits that bring it about."""
    weight: Counter[int] = Counter()
    example: dict[int, tuple[int, ...]] = {}
    if battle.attack_chit >= 0:
        chits = cup(game)
        attack = attack_strength(game, battle, chits[battle.attack_chit])
        defence = defence_strength(game, battle, chits[battle.defence_chit])
        column = find_column(game, battle, attack, defence)
        weight[column], example[column] = 1, ()
    else:
        attacks = _spectrum([attack_strength(game, battle, chit) for chit in cup(game)])
        defences = _spectrum([defence_strength(game, battle, chit) for chit in cup(game)])
        for attack, ours in attacks.items():
            for defence, theirs in defences.items():
                # 7.5.1.D: two chits are drawn, never the same.
                pairs = [(one, two) for one in ours for two in theirs if one != two]
                if not pairs:
                    continue
                column = find_column(game, battle, attack, defence)
                weight[column] += len(pairs)
                one, two = pairs[0]
                example.setdefault(column, (one, two - (two > one)))
    return weight, example


def combat_odds(game: Game, battle: Battle, assumes: Sequence[str] = ()) -> Odds:
    """7.5.1 The chances of every result: over the chits not yet drawn and the die."""
    battle = settle_choices(game, battle)
    drms = modifiers(game, battle)
    drm = sum(each.value for each in drms)
    weight, example = spread(game, battle)
    total = sum(weight.values())
    chances: list[Chance] = []
    for column in sorted(weight):
        share = Fraction(weight[column], total)
        if column < 0:
            # Below the table nothing is rolled.
            chances.append(_chance(battle, result(game, -1, 1, 0), share, example[column]))
            continue
        for face in range(1, 11):
            cell = result(game, column, face, drm)
            chances.append(_chance(battle, cell, share / 10, (*example[column], face)))
    named = (*drms, *shifts(game, battle))
    notes = (*assumes, *snafu_note(game, SIDES[battle.side]))
    return Odds(named, gather(chances), notes, battle)


def _spectrum(values: Sequence[int]) -> dict[int, list[int]]:
    """The chits that give each strength."""
    found: dict[int, list[int]] = {}
    for at, value in enumerate(values, 1):
        found.setdefault(value, []).append(at)
    return found


def _chance(battle: Battle, cell: Result, share: Fraction, faces: tuple[int, ...]) -> Chance:
    favours = None
    if cell.attacker != cell.defender:
        favours = SIDES[battle.side if cell.attacker < cell.defender else battle.enemy]
    return Chance(cell.text, share, faces, favours)


def attack_odds(game: Game, battle: Battle, checked: bool = False) -> Odds:
    """5.3.4 A forecast before declaring, from what the attacker can see and nothing more.

    Isolated attackers may have passed their checks already (5.8.4).
    """
    from sandtable.titles.theseus.intelligence import visible

    seen = tuple(
        unit for unit in visible(game, battle.target, battle.side) if unit < game.data.count
    )
    assumes = ["a Hasty Attack", "the enemy stands", "enemies seen are at full strength"]
    if len(seen) < len(battle.defenders):
        assumes.append("units hidden beneath are not counted")
    if hidden_parents(game, seen):
        assumes.append("secret assignments are not counted")
    if not checked and game.situation.isolated(game, battle.units):
        assumes.append(CHECKED)
    known = replace(battle, defenders=seen, face_value=True)
    return combat_odds(game, known, (*assumes, *open_choices(game, known)))


def open_choices(game: Game, battle: Battle) -> list[str]:
    """7.5.1.5 What a forecast takes for granted about choices still to be made."""
    found = []
    if len(leads(game, battle)) > 1:
        found.append("the defender takes the Lead Formation with most support")
    if len(attack_choices(game, battle)) > 1 or len(defence_choices(game, battle)) > 1:
        found.append("both sides choose the best armour")
    return found
