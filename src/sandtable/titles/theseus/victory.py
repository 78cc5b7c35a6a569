"""8, 10 Victory Points, automatic victory and the levels of victory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sandtable.boards import bits
from sandtable.kernel.actions import Space
from sandtable.kernel.game import Outcome, Rung, ScoreLine
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.facts import Data
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH, SIDES, Unit
from sandtable.titles.theseus.state import GONE, POOL, Game

AXIS_NAME, COMMONWEALTH_NAME = "The Axis", "The Commonwealth"


def objective_value(game: Game, hex: int, values: tuple[tuple[int, int, int, int], ...]) -> int:
    """10.2 What an objective is worth now: more for a unit In Command than for another."""
    units = game.combat_units(hex)
    if not units or game.side(units[0]) != AXIS:
        return 0
    for first, last, commanded, other in values:
        if first <= game.turn <= last:
            # Ruling R20: a unit without a parent HQ scores the bracketed value.
            inside = any(game.situation.in_command(game, unit) for unit in units)
            return commanded if inside else other
    return 0


def held_sources(game: Game) -> list[int]:
    """10.2 Axis Major sources with a Commonwealth combat unit in them."""
    return bits(game.data.sources[AXIS] & game.situation.combat[COMMONWEALTH])


def score_turn(game: Game) -> None:
    """8, 10.2 Record the points earned this turn; each objective counts once, at its best."""
    for at, (hex, objective) in enumerate(game.script.objectives):
        value = objective_value(game, hex, objective.values)
        if value > game.scored[at]:
            game.scored[at] = value
            game.log(ev.Scored(Space(hex), value, rule=game.script.file.rule))
    for hex in held_sources(game):
        points = game.script.file.source_held
        game.penalty += points
        game.log(ev.SourceHeld(Space(hex), points, rule=game.script.file.rule))


def automatic(game: Game) -> bool:
    """10.3 The Axis wins at once with Tobruk taken and fewer than two Commonwealth HQs supplied."""
    terms = game.script.file.automatic
    if terms is None:
        return False
    hex = game.data.hex(terms.hex)
    if not game.situation.combat[AXIS] >> hex & 1:
        return False
    supplied = sum(
        game.situation.in_supply(game, game.data.hq_of(formation))
        for formation, hq in enumerate(game.data.hqs)
        if hq.side == SIDES[COMMONWEALTH] and game.hex_of_hq(formation) >= 0
    )
    if supplied >= terms.supplied_hqs:
        return False
    text = (
        f"The Axis wins automatically: Tobruk is taken and {supplied} Commonwealth HQs have supply."
    )
    game.finish(Outcome(SIDES[AXIS], "automatic", text, "10.3", tuple(score(game, True))))
    return True


def losses(game: Game, who: str) -> int:
    """10.3 Strength Points lost by a group: printed strength that entered, less what is left."""
    cards, pieces = game.card, game.pieces
    units = counted(game.data, cards, who) if game.overrides else printed_count(game.data, who)
    entered = game.script.pieces
    return sum(
        cards[unit].strength - pieces[unit].strength
        for unit in units
        if pieces[unit].hex != POOL and unit in entered
    )


def counted(data: Data, cards: Sequence[Unit], who: str) -> tuple[int, ...]:
    """10.3 The units whose losses are counted in a group."""
    if who == "commonwealth_motorised":
        return tuple(
            unit
            for unit, card in enumerate(cards)
            if card.side == "commonwealth" and card.motorised
        )
    own = data.own_formation
    return tuple(
        unit
        for unit, card in enumerate(cards)
        if card.corps or (own[unit] >= 0 and data.hqs[own[unit]].corps)
    )


@lru_cache(maxsize=8)
def printed_count(data: Data, who: str) -> tuple[int, ...]:
    """The same for counters as printed."""
    return counted(data, data.units, who)


def lost(game: Game, side: int) -> int:
    """7.5.2.1 All Strength Points a side has lost and not replaced."""
    return sum(
        game.card[unit].strength - piece.strength
        for unit, piece in enumerate(game.pieces[: game.data.count])
        if piece.hex != POOL and game.side(unit) == side
    )


def score(game: Game, final: bool) -> list[ScoreLine]:
    """10.2, 10.3 The Axis score line by line, as it stands or as it ends."""
    file = game.script.file
    lines: list[ScoreLine] = []
    for at, (_, objective) in enumerate(game.script.objectives):
        value = game.scored[at]
        if value and objective.keep and final and game.last_in[at] != AXIS:
            lines.append(ScoreLine(f"{objective.name}, forfeited", 0, file.rule))
        elif value:
            lines.append(ScoreLine(objective.name, value, file.rule))
    if game.penalty:
        lines.append(ScoreLine("Axis supply sources held", game.penalty, file.rule))
    if not final:
        return lines
    for formation, hq in enumerate(game.data.hqs):
        if hq.side != SIDES[AXIS] or not file.hq_out_of_supply:
            continue
        piece = game.pieces[game.data.hq_of(formation)]
        if piece.hex >= 0:
            short = not game.situation.in_supply(game, game.data.hq_of(formation))
        else:
            short = piece.hex == GONE and file.hq_removed_counts
        if short:
            what = "out of supply" if piece.hex >= 0 else "removed from play"
            lines.append(ScoreLine(f"{hq.short} HQ {what}", file.hq_out_of_supply, file.rule))
    for each in file.losses:
        lost = losses(game, each.who)
        value = next((vp for least, vp in reversed(each.steps) if lost >= least), 0)
        if value:
            lines.append(ScoreLine(f"{each.name}: {lost}", value, file.rule))
    return lines


def final(game: Game) -> None:
    """10.2, 10.3 The end of the last turn: add up and find the level of victory."""
    lines = score(game, True)
    conclude(game, lines)


def conclude(game: Game, lines: list[ScoreLine]) -> None:
    """10 The level that the total reaches."""
    total = sum(line.value for line in lines)
    file = game.script.file
    level = next(each for each in file.level if total >= each.at_least)
    winner = level.winner or None
    names = {"axis": AXIS_NAME, "commonwealth": COMMONWEALTH_NAME}
    if winner:
        text = f"{names[winner]} wins: {level.name}, with {total} Victory Points for the Axis."
    else:
        text = f"A draw: {level.name}, with {total} Victory Points for the Axis."
    game.finish(Outcome(winner, level.name, text, file.rule, tuple(lines)))


def ladder(game: Game) -> list[Rung]:
    """10 The levels of victory by the Axis' points, from its worst to its best."""
    levels = game.script.file.level
    rungs, above = [], None
    for level in levels:
        if above is None:
            score = f"{level.at_least}+"
        elif level is levels[-1]:
            score = f"{above - 1} or less"
        else:
            least = level.at_least
            score = f"{least}" if above - 1 == least else f"{least} to {above - 1}"
        rungs.append(Rung(score, level.name, level.winner or None))
        above = level.at_least
    return rungs[::-1]


def solo_won(game: Game) -> bool:
    """10.1 The goal is cleared and entered."""
    goal = 1 << game.script.goal
    return bool(game.situation.occupied[AXIS] & goal)


def solo_score(game: Game) -> list[ScoreLine]:
    """10.1 Breaches, Free French losses and disrupted Free French units."""
    terms = game.script.file.score
    assert terms is not None
    french = [
        unit
        for unit in game.script.pieces
        if unit < game.data.count and game.side(unit) == COMMONWEALTH
    ]
    lost = sum(game.card[unit].strength - game.pieces[unit].strength for unit in french)
    shaken = sum(game.pieces[unit].disrupted for unit in french)
    return [
        ScoreLine("Minefield hexes breached", terms.breach * len(game.breached), "10.1"),
        ScoreLine("Free French strength lost", terms.free_french_loss * lost, "10.1"),
        ScoreLine("Free French units disrupted", terms.free_french_disrupted * shaken, "10.1"),
    ]


def solo_final(game: Game) -> None:
    """10.1 Automatic victory, or the performance in points."""
    lines = solo_score(game)
    if solo_won(game):
        text = "Automatic victory: Bir Hacheim is cleared and entered."
        game.finish(Outcome(SIDES[AXIS], "automatic", text, "10.1", tuple(lines)))
    else:
        conclude(game, lines)
