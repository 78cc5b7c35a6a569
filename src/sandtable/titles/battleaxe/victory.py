"""17.0, 20.0 Victory: the road to Tobruk, the score of each day, and the Extended Game."""

from __future__ import annotations

from sandtable.kernel.actions import Space
from sandtable.kernel.game import Outcome, Rung, ScoreLine
from sandtable.titles.battleaxe.data import ALLIED, AXIS, SIDES
from sandtable.titles.battleaxe.logistics import supplied_spaces, turn_over
from sandtable.titles.battleaxe.refit import tank
from sandtable.titles.battleaxe.state import ELIMINATED, Game

LAST_DAY = 3


def automatic_victory(game: Game) -> bool:
    """17.1 Tobruk is Allied, free of Axis units, and in supply contact with an Allied Buq-Buq."""
    data = game.data
    return bool(
        game.free_for(ALLIED) >> data.tobruk & 1
        and supplied_spaces(game, ALLIED, 1 << data.buq_buq) >> data.tobruk & 1
    )


def area_points(game: Game) -> list[ScoreLine]:
    """17.2, 3.1.5 Victory Points of Allied-held Areas that trace supply to Zones A to D."""
    reached = supplied_spaces(game, ALLIED, game.data.frontier_zones)
    return [
        ScoreLine(game.data.called(Space(space)), game.data.spaces[space].vp, "17.2")
        for space in game.data.board.each(reached)
        if game.data.spaces[space].vp
    ]


def german_losses(game: Game) -> list[ScoreLine]:
    """17.2 A point for each German unit eliminated, and each Reduced German armored unit."""
    lines = []
    for at, unit in enumerate(game.units):
        if not game.data.german[at]:
            continue
        name = game.data.unit_facts[at].id
        if unit.space == ELIMINATED:
            lines.append(ScoreLine(f"{name} eliminated", 1, "17.2"))
        elif unit.space >= 0 and unit.reduced and tank(game, game.data.unit(name)):
            lines.append(ScoreLine(f"{name} reduced", 1, "17.2"))
    return lines


def needed(game: Game) -> int:
    """17.2, 18.1 The Victory Points of an Operational Victory: as printed, or as bid."""
    bid = game.options["bid"]
    assert isinstance(bid, int)
    return bid


def winning(game: Game) -> str:
    """17.2, 20.1 What the Allies win with."""
    goal = needed(game)
    if not game.options["extended"]:
        return f"{goal} win"
    if game.turn > LAST_DAY:
        return "the road to Tobruk alone wins"
    return f"{goal + 1} win, {goal - 1} or {goal} go on"


def end_of_turn(game: Game) -> Outcome | None:
    """6.4, 17.0 Score the day and say whether the game is over."""
    if automatic_victory(game):
        text = "The road from Buq-Buq to Tobruk is open: Automatic Victory of the Allies."
        return Outcome(SIDES[ALLIED], "automatic", text, "17.1", game.scored)
    day = game.data.tables.days[game.turn - 1]
    # June 18 is played for the road to Tobruk alone (20.1).
    if game.turn <= LAST_DAY:
        for line in area_points(game):
            game.score(f"{day}: {line.text}", line.value, line.rule)
    if game.turn < LAST_DAY:
        return None
    if game.turn > LAST_DAY:
        text = "June 18 is over and the road to Tobruk is closed: the Axis wins."
        return Outcome(SIDES[AXIS], "operational", text, "20.1", game.scored)
    for line in german_losses(game):
        game.score(line.text, line.value, line.rule)
    return operational_victory(game)


def operational_victory(game: Game) -> Outcome | None:
    """17.2, 20.1 After June 17: the Allies need the points; the Extended Game may go on."""
    goal = needed(game)
    if game.options["extended"]:
        if goal - 1 <= game.vp <= goal:
            return None
        goal, rule = goal + 1, "20.1"
    else:
        rule = "17.2"
    won = game.vp >= goal
    who = "the Allies win" if won else "the Axis wins"
    text = f"{game.vp} Victory Points, {goal} needed: {who}."
    winner = SIDES[ALLIED if won else AXIS]
    return Outcome(winner, "operational", text, rule, game.scored)


def ladder(game: Game) -> list[Rung]:
    """17.1, 17.2 Who wins with how many Victory Points; June 18 (20.1) knows the road alone."""
    if game.options["extended"]:
        return []
    goal = needed(game)
    return [
        Rung(f"{goal - 1} or less", "operational", SIDES[AXIS]),
        Rung(f"{goal}+", "operational", SIDES[ALLIED]),
        Rung("the road to Tobruk", "automatic", SIDES[ALLIED]),
    ]


def points_now(game: Game) -> list[ScoreLine]:
    """14.2.4, 17.2 What the day would score if it ended now, cut-off Areas turned over first."""
    if game.turn > LAST_DAY:
        return []
    evening = game.copy()
    turn_over(evening)
    return area_points(evening)
