"""What a finished game tells about luck and losses, from its record alone."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

import sandtable
from sandtable.kernel import record as records
from sandtable.kernel.events import Rolled, Side
from sandtable.kernel.game import Game
from sandtable.kernel.odds import Odds
from sandtable.kernel.record import Line, Record
from sandtable.kernel.table import follow, replay
from sandtable.kernel.views import Piece

GONE = ("elimin", "destroy", "dead", "lost", "surrender")


def report(text: str) -> dict[str, Any]:
    """Luck by roll against the exact odds, and what each side lost by turn."""
    record = records.parse(text)
    table = replay(sandtable.title(record.title), _before(record))
    first = "axis" if "axis" in table.game.title.sides else table.game.title.sides[0]
    luck: list[dict[str, Any]] = []
    losses: dict[str, dict[Side, int]] = {}
    standing = _strengths(table.game)
    for at, line in enumerate(record.lines, 1):
        game, turn = table.game, _turn(table.game)
        odds = _odds(game, line)
        follow(table, line)
        if odds is not None:
            rolled = [each for each in table.history[-1].events if isinstance(each, Rolled)]
            points = (_point(odds, roll, first, at, turn) for roll in rolled if roll.outcome)
            luck.extend(point for point in points if point)
        if _turn(table.game) != turn or at == len(record.lines):
            now = _strengths(table.game)
            losses[turn] = _lost(table.game, standing, now)
            standing = now
    return {"luck": luck, "losses": losses, "first": first}


def _before(record: Record) -> Record:
    """The same game before its first line."""
    return replace(record, lines=(), result="", digest="")


def _odds(game: Game, line: Line) -> Odds | None:
    if line.text.startswith("!") or game.outcome:
        return None
    return game.odds(game.parse(line.text))


def _point(odds: Odds, roll: Rolled, first: Side, at: int, turn: str) -> dict[str, Any] | None:
    found = next((each for each in odds.outcomes if each.text == roll.outcome), None)
    if found is None:
        return None
    worth = {each.text: _worth(each.favours, first) for each in odds.outcomes}
    mean = sum(worth[each.text] * float(each.probability) for each in odds.outcomes)
    square = sum(worth[each.text] ** 2 * float(each.probability) for each in odds.outcomes)
    chance = float(found.probability)
    return {
        "seq": at,
        "turn": turn,
        "luck": round(worth[found.text] - mean, 4),
        "variance": round(square - mean * mean, 4),
        "chance": round(chance, 4),
        "by": roll.by,
        "text": _sentence(roll, found.text, chance),
    }


def _sentence(roll: Rolled, outcome: str, chance: float) -> str:
    where = f", {roll.place}" if roll.place else ""
    odds = f"one chance in {round(1 / chance)}" if chance < 0.34 else f"{chance:.0%}"
    return f"{roll.purpose.capitalize()}{where}: {outcome}, {odds}."


def _worth(favours: Side | None, first: Side) -> int:
    return 0 if favours is None else 1 if favours == first else -1


def _turn(game: Game) -> str:
    """The turn without its phases: what stands before the first comma."""
    return game.view(None).turn.split(",")[0]


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
