"""11.4 A combat laid out for the player who weighs it."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.kernel.actions import UnitId
from sandtable.kernel.odds import Odds
from sandtable.kernel.sheets import Effect, Face, Force, Part, Result, Sheet
from sandtable.kernel.words import counted
from sandtable.titles.battleaxe import support, values
from sandtable.titles.battleaxe.combat import Muster, led_by
from sandtable.titles.battleaxe.data import SIDES
from sandtable.titles.battleaxe.movement import Assault
from sandtable.titles.battleaxe.overruns import Overrun
from sandtable.titles.battleaxe.state import Game
from sandtable.titles.battleaxe.support import Battle

DICE = 10
"""Two dice less two others lie between minus ten and ten."""


def lay_out(game: Game, odds: Odds) -> Sheet | None:
    """11.4.4 The combat that these are the odds of."""
    battle = odds.about
    if not isinstance(battle, Battle):
        return None
    attack = values.total(values.attack_value(game, battle))
    defense = values.total(values.defense_value(game, battle))
    labels = {
        dice: _label(game, battle, attack - defense + dice) for dice in range(-DICE, DICE + 1)
    }
    support = " before support still to come" if odds.assumes else ""
    return Sheet(
        attacker=_attacker(game, battle, attack),
        defender=_defender(game, battle, defense),
        dice=f"The attacker's two dice less the defender's two{support}",
        faces=_faces(labels),
        results=tuple(_result(game, battle, each.text) for each in odds.outcomes),
        measure="Attrition Points; a unit that is reduced counts as one",
        later=tuple(_later(game, battle, odds.assumes)),
    )


def _later(game: Game, battle: Battle, assumes: Sequence[str]) -> list[Part]:
    """10.1.4, 10.2.1, 12.1E The support that a forecast counts on, and what it may add."""
    found = []
    if values.AIR in assumes:
        faces = [support.air_value(game, battle, face) for face in (1, 6)]
        least, most = min(faces), max(faces)
        side = SIDES[battle.side]
        found.append(Part("Air Support, one die", f"+{least}–{most}", "", "10.1.4", side))
    if values.ROMMEL in assumes:
        found.append(Part("Rommel, one die", "+1–6", "", "12.1E", SIDES[battle.side]))
    for side_no, call in zip((battle.side, 1 - battle.side), values.CALLS, strict=True):
        if call in assumes:
            least = 4 - support.call_bonus(game, battle, side_no)
            name = f"Guns, if called on {least}–6"
            found.append(Part(name, f"+{support.GUNS}", "", "10.2.1", SIDES[side_no]))
    return found


def _label(game: Game, battle: Battle, margin: int) -> str:
    most = values.absorbable(game, 1 - battle.side, battle.space)
    return values.outcome_label(values.result_of(margin, most, battle.second), margin)


def _faces(labels: dict[int, str]) -> tuple[Face, ...]:
    """Differences that bring the same result in one."""
    runs: list[tuple[int, int, str]] = []
    for dice, label in labels.items():
        if runs and runs[-1][2] == label:
            runs[-1] = (runs[-1][0], dice, label)
        else:
            runs.append((dice, dice, label))
    return tuple(
        Face(_sign(low) if low == high else f"{_sign(low)} to {_sign(high)}", label)
        for low, high, label in runs
    )


def _sign(number: int) -> str:
    return f"{number:+d}".replace("-", "−") if number else "0"


ALL_REDUCED = Effect(
    "every unit reduced",
    "step",
    "has every unit reduced",
    "have every unit reduced",
    "every unit reduced",
    "all",
)
ALL_FLIPPED = Effect(
    "every unit reduced, reduced ones eliminated",
    "step",
    "has every unit reduced or eliminated",
    "have every unit reduced or eliminated",
    "every unit reduced",
    "all",
)
LEAD_REDUCED = Effect(
    "lead unit reduced",
    "step",
    "has the lead unit reduced",
    "have the lead unit reduced",
    "lead unit reduced",
)
LEAD_ELIMINATED = Effect(
    "lead unit eliminated",
    "gone",
    "loses the lead unit",
    "lose the lead unit",
    "lead unit eliminated",
)
ELIMINATED = Effect("all eliminated", "gone", "is eliminated", "are eliminated", "eliminated")
BACK = Effect("retreat", "retreat", "retreats", "retreat", "retreats")
BANDS = {
    values.REPULSE: "Repulse: every attacking unit loses a step",
    values.STALEMATE: "Stalemate: both lead units lose a step",
    values.SUCCESS: "Success: they take the difference in Attrition Points",
    values.OVERRUN: "Overrun: the Area is cleared",
}


def _result(game: Game, battle: Battle, label: str) -> Result:
    """11.4.4 What a result makes either side lose: who is Reduced already is eliminated."""
    assert battle.defending_lead is not None
    most = values.absorbable(game, 1 - battle.side, battle.space)
    band = BANDS[label.split(",")[0]]
    if label == values.REPULSE:
        reduced = [game.units[unit].reduced for unit in battle.units]
        if all(reduced):
            return Result(label, (ELIMINATED,), (), len(reduced), 0, band)
        back = () if battle.contested else (BACK,)
        flipped = ALL_FLIPPED if any(reduced) else ALL_REDUCED
        return Result(label, (flipped, *back), (), len(reduced), 0, band)
    leads = [
        LEAD_ELIMINATED if game.units[lead].reduced else LEAD_REDUCED
        for lead in (battle.lead, battle.defending_lead)
    ]
    if label == values.STALEMATE:
        return Result(label, (leads[0],), (leads[1],), 1, 1, band)
    if label == values.OVERRUN:
        return Result(label, (), (ELIMINATED,), 0, most, band)
    points = int(label.split()[1])
    tired = game.units[battle.lead].reduced and not game.options["reduced_lead_dies"]
    lost = ELIMINATED if points > most else _attrition(points)
    own = () if tired else (leads[0],)
    return Result(label, own, (lost,), 0 if tired else 1, min(points, most), band)


def _attrition(points: int) -> Effect:
    text = counted(points, "Attrition Point")
    takes = ("takes Attrition Points", "take Attrition Points")
    return Effect(text, "hit", *takes, "Attrition Points", str(points))


def _names(game: Game, lead: UnitId, units: Sequence[UnitId]) -> tuple[Part, ...]:
    ordered = (lead, *(unit for unit in units if unit != lead))
    value = values.total(values.lead_value(game, lead, units))
    return tuple(
        Part(game.data.unit_facts[unit].id, f"leads, {value}" if unit == lead else "+1")
        for unit in ordered
    )


def _may_join(game: Game, battle: Battle) -> Sequence[UnitId]:
    """11.2 Units that can still be added when the attack is declared."""
    fighters: Sequence[UnitId]
    match game.step:
        case Muster(others=others):
            fighters = others
        case Assault():
            fighters = game.step.fighters(game, battle.space)
        case Overrun():
            fighters = game.step.fighters(game)
        case _:
            return ()
    return led_by(game, battle.lead, fighters)


def _why_left_out(game: Game, battle: Battle, unit: UnitId) -> Part:
    """10.3, 11.1, 11.2 Why a unit in the attackers' Area takes no part."""
    name = game.data.unit_facts[unit].id
    if unit in _may_join(game, battle):
        return Part(name, "", "May still be added to the attack.", "11.2")
    able: Sequence[UnitId] = ()
    for step in game.stack:
        if isinstance(step, Assault):
            able = step.fighters(game, battle.space)
        elif isinstance(step, Overrun):
            able = step.fighters(game)
    if unit not in able:
        why = "Only units activated in this Impulse that have not fought yet attack."
        return Part(name, "", why, "11.1")
    if unit not in led_by(game, battle.lead, (unit,)):
        return Part(name, "", "AT/FLAK units lead only their own kind.", "10.3")
    return Part(name, "", "Left out: in a Contested Area the attacker chooses.", "11.3")


def _attacker(game: Game, battle: Battle, value: int) -> Force:
    own = game.units_in(battle.side, battle.space)
    left_out = [_why_left_out(game, battle, unit) for unit in own if unit not in battle.units]
    note = "The lead unit counts its Combat Value, each other unit one."
    parts = _names(game, battle.lead, battle.units)
    return Force(SIDES[battle.side], str(value), parts, tuple(left_out), note, "11.4.2")


def _defender(game: Game, battle: Battle, value: int) -> Force:
    assert battle.defending_lead is not None
    units = game.units_in(1 - battle.side, battle.space)
    parts = _names(game, battle.defending_lead, units)
    note = "All units in the Area defend."
    return Force(SIDES[1 - battle.side], str(value), parts, (), note, "11.4.3")
