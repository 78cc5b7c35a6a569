"""What a finished game tells about luck and losses, from its record alone.

Luck is counted by combat in what the title's table makes each side lose: what the exact odds led
one to expect, against what the dice brought. What a side lost less than expected is its luck.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

import sandtable
from sandtable.kernel import record as records
from sandtable.kernel.events import Rolled, Side
from sandtable.kernel.game import Game
from sandtable.kernel.odds import Odds
from sandtable.kernel.record import Line, Record
from sandtable.kernel.sheets import Effect, Force, Sheet
from sandtable.kernel.table import follow, replay
from sandtable.kernel.views import Piece
from sandtable.kernel.words import listed
from sandtable.players.knowledge import knowledge

GONE = ("elimin", "destroy", "dead", "lost", "surrender")


def report(text: str) -> dict[str, Any]:
    """Luck by combat against the exact odds, its sum for each side, losses and chances by turn."""
    record = records.parse(text)
    table = replay(sandtable.title(record.title), _before(record))
    sides = table.game.title.sides
    first = "axis" if "axis" in sides else sides[0]
    second = next(side for side in sides if side != first)
    luck: list[dict[str, Any]] = []
    losses: dict[str, dict[Side, int]] = {}
    dice: dict[Side, list[int]] = {side: [] for side in sides}
    measure = ""
    outlook = [_stands(table.game, 0, first)]
    standing, names = _strengths(table.game), _names(table.game)
    for at, line in enumerate(record.lines, 1):
        game, turn = table.game, _turn(table.game)
        odds, sheet = _forecast(game, line)
        follow(table, line)
        rolled = [each for each in table.history[-1].events if isinstance(each, Rolled)]
        for roll in rolled:
            # A draw from a cup is no die.
            if "chit" not in roll.purpose:
                dice[roll.by] += roll.faces
        if odds is not None and sheet is not None:
            measure = sheet.measure
            for roll in rolled:
                point = _point(odds, sheet, roll, (first, second), names)
                if point:
                    luck.append({"seq": at, "turn": turn, **point})
        if _turn(table.game) != turn or at == len(record.lines):
            now = _strengths(table.game)
            losses[turn] = _lost(table.game, standing, now)
            standing = now
            outlook.append(_stands(table.game, at, first))
    return {
        "luck": luck,
        "sums": {side: _sum(luck, side) for side in sides},
        "measure": measure,
        "dice": dice,
        "losses": losses,
        "outlook": outlook,
        "first": first,
    }


def _stands(game: Game, seq: int, first: Side) -> dict[str, Any]:
    """The chance of the first side to win, as the title's evaluation sees the position."""
    chance = round(knowledge(game.title.id).outlook(game, first), 3)
    return {"seq": seq, "turn": _turn(game), "chance": chance}


def _before(record: Record) -> Record:
    """The same game before its first line."""
    return replace(record, lines=(), result="", digest="")


def _forecast(game: Game, line: Line) -> tuple[Odds | None, Sheet | None]:
    if line.text.startswith("!") or game.outcome:
        return None, None
    odds = game.odds(game.parse(line.text))
    return odds, game.lay_out(odds) if odds and odds.about is not None else None


def _point(
    odds: Odds, sheet: Sheet, roll: Rolled, sides: tuple[Side, Side], names: dict[str, str]
) -> dict[str, Any] | None:
    """One combat: what each side was to lose and lost, and how far the difference may stray."""
    found = next((each for each in odds.outcomes if each.text == roll.outcome), None)
    if found is None:
        return None
    loss = {
        each.text: {
            sheet.attacker.side: each.attacker_loss,
            sheet.defender.side: each.defender_loss,
        }
        for each in sheet.results
    }
    chances = [(each.text, float(each.probability)) for each in odds.outcomes]
    expected = {side: sum(p * loss[text][side] for text, p in chances) for side in sides}
    first, second = sides
    net = {text: loss[text][second] - loss[text][first] for text, _ in chances}
    mean = sum(p * net[text] for text, p in chances)
    chance = float(found.probability)
    return {
        "by": roll.by,
        "place": roll.place,
        "text": _sentence(sheet, found.text, chance, names),
        "chance": round(chance, 4),
        "expected": {side: round(value, 3) for side, value in expected.items()},
        "lost": loss[found.text],
        "luck": round(net[found.text] - mean, 4),
        "variance": round(sum(p * (net[text] - mean) ** 2 for text, p in chances), 4),
    }


def _sum(luck: list[dict[str, Any]], side: Side) -> dict[str, float]:
    """What a side was to lose in all its combats, what it lost, and the difference."""
    expected = sum(point["expected"][side] for point in luck)
    lost = sum(point["lost"][side] for point in luck)
    return {
        "expected": round(expected, 2),
        "lost": round(lost, 2),
        "luck": round(expected - lost, 2),
    }


def _sentence(sheet: Sheet, outcome: str, chance: float, names: dict[str, str]) -> str:
    """Who attacked whom, what came of it and how likely that was, in a sentence."""
    columns = sheet.columns.columns if sheet.columns else ()
    at = "".join(f" at {each.name}" for each in columns if each.probability == 1)
    result = next(each for each in sheet.results if each.text == outcome)
    ours, theirs = len(sheet.attacker.parts) > 1, len(sheet.defender.parts) > 1
    who, whom = _band(sheet.attacker, names), _band(sheet.defender, names)
    told = f"{who} attack{'' if ours else 's'} {whom}{at}"
    if result.attacker:
        told += f" and {listed(_said(each, ours) for each in result.attacker)}"
    if result.defender:
        met = "the defenders" if theirs else whom
        effects = listed(_said(each, theirs) for each in result.defender)
        told += f"{';' if result.attacker else ':'} {met} {effects}"
    elif not result.attacker:
        told += " in vain"
    return f"{told}, {_likely(chance)}."


def _said(effect: Effect, many: bool) -> str:
    """An effect after its subject, with its figure where effects differ in that alone."""
    if effect.sign == "hit":
        return f"{'take' if many else 'takes'} {effect.text}"
    if effect.sign == "step" and effect.count.isdigit():
        return f"{'lose' if many else 'loses'} {effect.count} steps"
    return effect.many if many else effect.one


NUMBERS = "two three four five six seven eight nine ten eleven twelve".split()


def _likely(chance: float) -> str:
    """A chance as one tells it.

    >>> _likely(1 / 6), _likely(0.004), _likely(0.6)
    ('one chance in six', 'one chance in 250', 'as 60 % of such attacks do')
    """
    if chance >= 0.34:
        return f"as {100 * chance:.0f} % of such attacks do"
    often = round(1 / chance)
    return f"one chance in {NUMBERS[often - 2] if often <= 12 else often}"


def _band(force: Force, names: dict[str, str]) -> str:
    """The first unit of a force, and how many more there are."""
    first, more = names.get(force.parts[0].unit, force.parts[0].unit), len(force.parts) - 1
    return f"{first} and {more} more" if more else first


def _names(game: Game) -> dict[str, str]:
    """What units are called, where that is no longer than fits a sentence."""
    pieces = [piece for side in game.title.sides for piece in game.view(side).pieces]
    return {each.id: each.name for each in pieces if each.name and len(each.name) <= 24}


def _turn(game: Game) -> str:
    """The turn without date and number of turns: what stands before the first comma."""
    return game.when().split(",")[0].split(" of ")[0]


def _strengths(game: Game) -> dict[str, tuple[Side, int]]:
    return {
        piece.id: (piece.side, _strength(piece))
        for side in game.title.sides
        for piece in game.view(side).pieces
        if piece.side == side and (piece.space or any(word in piece.place for word in GONE))
    }


def _strength(piece: Piece) -> int:
    if not piece.space:
        return 0
    if piece.full_steps:
        return piece.steps
    printed = piece.ratings.get("strength", "")
    return int(printed) if printed.isdigit() else 1


def _lost(
    game: Game, before: dict[str, tuple[Side, int]], after: dict[str, tuple[Side, int]]
) -> dict[Side, int]:
    losses = dict.fromkeys(game.title.sides, 0)
    for unit, (side, strength) in before.items():
        losses[side] += max(0, strength - after.get(unit, (side, strength))[1])
    return losses
