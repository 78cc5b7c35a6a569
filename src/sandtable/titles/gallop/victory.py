"""IV Victory: at once, and at the end, line by line."""

from __future__ import annotations

from sandtable.boards import bits
from sandtable.kernel.actions import Space
from sandtable.kernel.events import Side
from sandtable.kernel.game import Outcome, Rung, ScoreLine
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.lines import supplied_units, tobruk_linked
from sandtable.titles.gallop.state import DEAD, Game

AHEAD = {"axis": "the Axis is", "allied": "the Allies are"}


def determine(game: Game, side: Side) -> None:
    """VI.B.1, VI.C.1, XI.A.5 Boxes fall to undisrupted divisions; the Allies may win at once."""
    enemy = game.enemy(side)
    for hex in bits(game.works(enemy) & game.lay.real[side]):
        if any(
            game.book[unit].division and not game.pieces[unit].disrupted
            for unit in game.stack_at(hex)
        ):
            game.eliminate_works(Space(hex))
    if side == "allied":
        immediate(game)


def immediate(game: Game) -> None:
    """IV.A.1 An Allied unit on A5 or G1 at the end of the Allied victory phase wins the game."""
    taken = game.lay.real["allied"] & game.facts.allied_win
    if taken:
        where = " and ".join(game.facts.board.text(taken))
        points = game.facts.tables.victory.immediate
        finish(game, [ScoreLine(f"Allied unit on {where}", points, "IV.A.1")], [])


def allied_lines(game: Game, foggy: bool = False) -> list[ScoreLine]:
    """IV.A.2, IV.A.3 What the Allies have earned; in fog without what unseen units decide."""
    table, found = game.facts.tables.victory, []
    for unit in game.facts.of_side["axis"]:
        if game.pieces[unit].hex != DEAD:
            continue
        counter = game.book[unit]
        value = table.other_axis
        if counter.nation == "german" and counter.division:
            value = table.german_division
        elif unit == game.facts.ariete:
            value = table.ariete
        found.append(ScoreLine(f"{counter.name} destroyed", value, "IV.A.2"))
    if foggy:
        return found
    stack = game.stack_at(game.facts.gazala_position)
    fed = supplied_units(game, "allied")
    if any(unit in fed for unit in stack):
        found.append(ScoreLine("Gazala position held in supply", table.gazala_position, "IV.A.3"))
    if tobruk_in_allied_hands(game) and tobruk_linked(game):
        found.append(ScoreLine("Supply line into Tobruk", table.tobruk_line, "IV.A.3"))
    return found


def tobruk_in_allied_hands(game: Game) -> bool:
    """IV.B.2, ruling R33 Whether the Axis has not taken Tobruk."""
    return game.facts.tobruk not in game.axis_holds


def axis_lines(game: Game, foggy: bool = False) -> list[ScoreLine]:
    """IV.B, IV.B.1, IV.B.3, IV.B.4, IV.B.5 What the Axis has earned.

    In fog without what unseen units decide.
    """
    table, found = game.facts.tables.victory, []
    if not tobruk_in_allied_hands(game):
        found.append(ScoreLine("Tobruk taken", table.tobruk_taken, "IV.B.2"))
    elif not foggy and not tobruk_linked(game):
        found.append(ScoreLine("Tobruk surrounded", table.tobruk_surrounded, "IV.B.1"))
    for hex in game.eastern_sources():
        if hex in game.axis_holds:
            name = f"Supply source {game.hex_name(hex)} taken"
            found.append(ScoreLine(name, table.eastern_source, "IV.B.3"))
    if game.facts.dump in game.axis_holds:
        found.append(ScoreLine("Supply dump taken", table.supply_dump, "IV.B.4"))
    for unit in game.facts.of_side["allied"]:
        if game.pieces[unit].hex == DEAD:
            counter = game.book[unit]
            value = table.allied_division if counter.division else table.allied_brigade
            found.append(ScoreLine(f"{counter.name} destroyed", value, "IV.B.5"))
    return found


def final(game: Game) -> None:
    """IV.A.2, IV.B Count both sides at the end of the game."""
    finish(game, allied_lines(game), axis_lines(game))


def finish(game: Game, allied: list[ScoreLine], axis: list[ScoreLine]) -> None:
    """IV.C, IV.D The margin, changed by the nonhistorical set-up, decides winner and level."""
    margin = sum(line.value for line in axis) - sum(line.value for line in allied)
    winner: Side | None = "axis" if margin > 0 else "allied" if margin < 0 else None
    halves = 2 * abs(margin)
    lines = ledger(allied, axis)
    if not game.historical and winner:
        halves = halves * 2 if winner == "axis" else halves // 2
        word = "doubled" if winner == "axis" else "halved"
        lines.append(ScoreLine(f"Nonhistorical set-up: the margin is {word}", 0, "IV.D"))
    level = level_of(game, halves)
    points = f"{halves // 2}{'½' if halves % 2 else ''}"
    text = (
        f"{level}: {AHEAD[winner]} ahead by {points} GVP."
        if winner
        else "A draw: neither side is ahead."
    )
    game.log(ev.GameOver(text, rule="IV.C"))
    game.finish(Outcome(winner, level, text, "IV.C" if game.historical else "IV.D", tuple(lines)))


def ledger(allied: list[ScoreLine], axis: list[ScoreLine]) -> list[ScoreLine]:
    """IV.C Both sides' points in one list; the Allied ones are taken off the margin."""
    return [ScoreLine(f"Axis: {line.text}", line.value, line.rule) for line in axis] + [
        ScoreLine(f"Allied: {line.text}", -line.value, line.rule) for line in allied
    ]


def ladder(game: Game) -> list[Rung]:
    """IV.C The levels by how far a side is ahead, from the Allies' best to the Axis'."""
    above, bounds = None, []
    for name, least in sorted(game.facts.tables.victory.levels.items(), key=lambda item: -item[1]):
        bounds.append((f"{least + 1} to {above}" if above else f"{least + 1}+", name))
        above = least
    bounds.append((f"1 to {above}", "No victory level"))
    allied = [Rung(score, name, "allied") for score, name in bounds]
    axis = [Rung(score, name, "axis") for score, name in bounds]
    return [*allied, Rung("0", "Draw", None), *reversed(axis)]


def level_of(game: Game, halves: int) -> str:
    """IV.C The level a margin earns, in half points; none at four or less."""
    for name, above in sorted(game.facts.tables.victory.levels.items(), key=lambda item: -item[1]):
        if halves > 2 * above:
            return name
    return "No victory level" if halves else "Draw"
