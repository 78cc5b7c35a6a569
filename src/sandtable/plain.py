"""Views, odds, outcomes and whole games as plain lines, for terminals and screen readers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from sandtable.kernel.actions import Action
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game, Outcome
from sandtable.kernel.odds import Odds
from sandtable.kernel.packs import Data
from sandtable.kernel.record import Record
from sandtable.kernel.table import Table, follow, replay
from sandtable.kernel.title import Title
from sandtable.kernel.views import Piece, View
from sandtable.render import board_data


def side_name(title: Title, side: Side | None) -> str:
    """The name of a side as players say it."""
    return title.side_names.get(side or "", side or "nobody")


def heading(view: View, title: Title) -> list[str]:
    """Title, turn, tracks and the score as it stands."""
    lines = [f"{title.name}, {view.scenario}. {view.turn}."]
    for track in view.tracks:
        counted = track.maximum is not None and track.value == str(track.number)
        limit = f" of {track.maximum}" if counted else ""
        lines.append(f"{track.name}: {track.value}{limit}.")
    lines += [f"Score, {line.text}: {line.value} [{line.rule}]." for line in view.score]
    return lines


def map_lines(view: View, title: Title, data: Data, only: str = "") -> list[str]:
    """Each space where something stands or is held, or one of them, with what is there."""
    spaces: dict[str, list[str]] = {space: [] for space in view.control}
    for piece in view.pieces:
        if piece.space is not None:
            states = f" ({', '.join(piece.states)})" if piece.states else ""
            spaces.setdefault(piece.space, []).append(f"{piece.id}{states}")
    for marker in view.markers:
        beside = f" toward {marker.beside}" if marker.beside else ""
        spaces.setdefault(marker.space, []).append(f"{marker.text or marker.kind}{beside}")
    lines = []
    for space, things in spaces.items():
        held = f", held by {side_name(title, view.control[space])}" if space in view.control else ""
        if (things or held) and only in ("", space):
            lines.append(f"{place_name(title, data, space)}{held}: {', '.join(things) or 'empty'}.")
    return lines


@cache
def places(title: Title, data: Data) -> dict[str, dict[str, Any]]:
    """What the map shows of each space, by its number: name, terrain, neighbours and sides."""
    try:
        return {space["id"]: space for space in board_data(title, data)["spaces"]}
    except BadMessage:
        # A title that nobody has drawn yet.
        bare = {"name": "", "terrain": (), "neighbours": {}, "sides": {}, "vp": 0}
        return {name: bare for name in data.lexicon.spaces().index}


def place_name(title: Title, data: Data, space: str) -> str:
    """The number of a space, and its name if it has one."""
    name = places(title, data)[space]["name"]
    return f"{name} ({space})" if name else space


def space_lines(view: View, title: Title, data: Data, name: str) -> list[str]:
    """One space: what stands there, what is printed there, and what lies around it."""
    data.lexicon.spaces().find(name)
    place = places(title, data)[name]
    lines = map_lines(view, title, data, name) or [f"{place_name(title, data, name)}: empty."]
    worth = f" Victory points: {place['vp']}." if place["vp"] else ""
    if place["terrain"]:
        lines.append(f"Terrain: {', '.join(place['terrain'])}.{worth}")
    for way, other in place["neighbours"].items():
        between = f", {', '.join(place['sides'][way])}" if way in place["sides"] else ""
        lines.append(f"{COMPASS.get(way, way)}: {place_name(title, data, other)}{between}.")
    return lines


COMPASS = {
    "N": "North",
    "NE": "North-east",
    "E": "East",
    "SE": "South-east",
    "S": "South",
    "SW": "South-west",
    "W": "West",
    "NW": "North-west",
}


def unit_lines(view: View, title: Title, word: str = "") -> list[str]:
    """Each counter in view with its values, or those whose line holds a word."""
    lines = [piece_line(piece, title) for piece in view.pieces]
    return [line for line in lines if word.lower() in line.lower()]


def piece_line(piece: Piece, title: Title) -> str:
    """One counter as a sentence; its id first, since actions use it."""
    sort = " ".join(word for word in (piece.nation.title(), piece.size, piece.kind) if word)
    parts = [f"{side_name(title, piece.side)}{f', {sort}' if sort else ''}"]
    if piece.formation:
        parts.append(f"of {piece.formation}")
    parts.append(f"in {piece.space}" if piece.space is not None else piece.place or "off the map")
    parts += [f"{label} {value}" for label, value in piece.ratings.items()]
    if piece.full_steps:
        # How many are left of an enemy may be hidden.
        left, full = piece.steps, f"{piece.full_steps} steps"
        parts.append(f"{left} of {full}" if left else f"{full} at full strength")
    parts += piece.states
    if piece.status == "reconstructed":
        parts.append("values reconstructed")
    name = f" ({piece.name})" if piece.name not in ("", piece.id) else ""
    return f"{piece.id}{name}: {', '.join(parts)}."


def odds_lines(odds: Odds, title: Title) -> list[str]:
    """Every modifier and every outcome with its chance."""
    lines = [f"{each.name}: {each.value:+d} [{each.rule}]." for each in odds.modifiers]
    for each in odds.outcomes:
        favours = f", good for {side_name(title, each.favours)}" if each.favours else ""
        percent = f"{float(each.probability):.1%} ({each.probability})"
        lines.append(f"{each.text}: {percent}{favours}.")
    return lines + [f"Taking for granted that {each}." for each in odds.assumes]


def outcome_lines(outcome: Outcome, title: Title) -> list[str]:
    """How a game ended, line by line."""
    won = f"Winner: {side_name(title, outcome.winner)}" if outcome.winner else "A draw"
    lines = [f"{outcome.text} [{outcome.rule}]"]
    lines += [f"{line.text}: {line.value} [{line.rule}]." for line in outcome.score]
    return [*lines, f"{won}, {outcome.level}."]


def choice_line(game: Game, action: Action) -> str:
    """An action in a menu: its sentence, and its text where that says something else."""
    label, text = game.label(action), game.text(action)
    return label if label.rstrip(".").lower() == text.lower() else f"{label} ({text})"


def playthrough(title: Title, record: Record, table: Table | None = None) -> Iterator[str]:
    """A recorded game as a report: prompts, actions, events, outcome and digest."""
    table = table or replay(title, record, upto=0)
    yield from heading(table.game.view(None), title)
    yield from (f"Option {name}: {value}." for name, value in record.options.items())
    for number, line in enumerate(record.lines, 1):
        game = table.game
        yield ""
        yield f"{number}. {side_name(title, game.actor)}: {game.prompt} [{game.rule}]"
        yield f"> {line.text}"
        follow(table, line)
        for event in table.history[-1].events:
            only = f" ({side_name(title, event.only)} only)" if event.only else ""
            yield f"{table.game.sentence(event)} [{event.rule}]{only}"
    yield ""
    if table.game.outcome:
        yield from outcome_lines(table.game.outcome, title)
    yield f"Digest {table.game.digest()}"
