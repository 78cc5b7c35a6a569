"""16.0 Victory points each turn and at the end."""

from __future__ import annotations

from sandtable.kernel.actions import UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.game import Outcome, Rung, ScoreLine
from sandtable.titles.cauldron.chits import holds
from sandtable.titles.cauldron.events import Scored
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import ELIMINATED, IN_SUPPLY, Game

AXIS_STEP, ALLIED_STEP = 2, 1
"""16.0 What a step lost by each side is worth to the other."""
TOBRUK_ROAD = "2803"


def score(game: Game, points: int, why: str, number: str) -> None:
    """16.0 Move the Axis marker on the track, never beyond its limit."""
    total = min(game.points + points, game.facts.tables.limits.track_points)
    game.log(Scored(total - game.points, total, why, rule=number))
    game.points = total


def victory_phase(game: Game) -> None:
    """16.0, 13.7 The Axis collects points for the north edge, 2803 and an idle Withdraw/Attack."""
    facts = game.facts
    supplied = [
        unit
        for unit in game.on_map(AXIS)
        if game.units[unit].supply == IN_SUPPLY and facts.edge["north"] >> game.units[unit].at & 1
    ]
    if len(supplied) >= facts.tables.limits.north_edge_units:
        score(game, 1, "units on the north edge", "16.0")
    if game.occupied[AXIS] >> facts.board.at(TOBRUK_ROAD) & 1:
        score(game, 1, f"a unit in {TOBRUK_ROAD}", "16.0")
    if holds(game, ALLIED, "withdraw-attack") or game.broken_word:
        score(game, 1, "Withdraw/Attack drawn and not used", "13.7")


def steps_lost(game: Game, side: Side) -> int:
    """16.0 The steps a side has lost and not replaced; withdrawn steps are not lost (13.7)."""
    total = 0
    for unit in game.facts.of_side[side]:
        now, full = game.units[unit], len(game.kind(UnitId(unit)).steps)
        total += full if now.at == ELIMINATED else full - now.steps
    return total


def tally(game: Game) -> list[tuple[Side, ScoreLine]]:
    """16.0, 17.0 The score as it stands, line by line and by side."""
    allied_lost, axis_lost = steps_lost(game, ALLIED), steps_lost(game, AXIS)
    lines = [
        (AXIS, ScoreLine("Axis victory point track", game.points, "16.0")),
        (
            AXIS,
            ScoreLine(f"Allied steps eliminated: {allied_lost}", allied_lost * ALLIED_STEP, "16.0"),
        ),
        (ALLIED, ScoreLine(f"Axis steps eliminated: {axis_lost}", axis_lost * AXIS_STEP, "16.0")),
    ]
    for space, points in game.facts.scenarios[game.scenario].objectives:
        if game.occupied[ALLIED] >> space & 1:
            lines.append((ALLIED, ScoreLine(f"Allied unit in {game.hex(space)}", points, "17.0")))
    return lines


def outcome(game: Game) -> Outcome:
    """16.0 Most points win; equal points are a tie. Axis points count up, Allied down."""
    lines = tally(game)
    total = {
        side: sum(line.value for owner, line in lines if owner == side) for side in (AXIS, ALLIED)
    }
    signed = tuple(
        ScoreLine(line.text, line.value if side == AXIS else -line.value, line.rule)
        for side, line in lines
    )
    figures = f"{total[AXIS]} Axis points to {total[ALLIED]} Allied"
    if total[AXIS] == total[ALLIED]:
        return Outcome(None, "tie", f"The game is a tie: {figures}.", "16.0", signed)
    winner = AXIS if total[AXIS] > total[ALLIED] else ALLIED
    name = "Axis" if winner == AXIS else "Allies"
    verb = "wins" if winner == AXIS else "win"
    text = f"The {name} {verb}: {figures}."
    return Outcome(winner, "victory", text, "16.0", signed)


def ladder() -> list[Rung]:
    """16.0 Most points win, by however little."""
    return [
        Rung("less than 0", "victory", ALLIED),
        Rung("0", "tie", None),
        Rung("more than 0", "victory", AXIS),
    ]
