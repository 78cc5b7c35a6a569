"""How to read a counter of a title: its parts with where they stand, its states and its nations."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.kernel.title import Title
from sandtable.kernel.views import Piece
from sandtable.render.counters import counter_svg, nation_of
from sandtable.render.palette import NATIONS

Part = tuple[str, str, float, float]
"""What it is, more about it, and where it stands on a counter of 100 by 100."""

EXAMPLES: dict[str, str] = {
    "battleaxe": "1/33A",
    "cauldron": "5/1",
    "gallop": "15Pz",
    "theseus": "15Schtz.361",
}
PARTS: dict[str, tuple[Part, ...]] = {
    "battleaxe": (
        ("Type and size", "the box is filled by type", 30, 48),
        ("Combat Value", "reduced units have less", 20, 84),
        ("Star: a gun", "never leads an attack", 42, 80),
        ("Unit", "", 66, 10),
        ("Movement", "a bar: it cannot move", 84, 84),
    ),
    "cauldron": (
        ("Formation", "fills the box with its colour", 14, 12),
        ("Steps", "as many squares as are left", 13, 52),
        ("Hard value", "against tanks; hollow: defends only", 19, 82),
        ("Unit", "", 86, 12),
        ("Type and size", "", 72, 48),
        ("Movement", "pays for attacks too", 86, 84),
        ("Soft value", "against all others; hollow: defends only", 52, 84),
    ),
    "gallop": (
        ("Anti-aircraft", "", 15, 15),
        ("Type", "a gold box is armour", 30, 50),
        ("Attack", "", 22, 84),
        ("Unit", "", 84, 12),
        ("Size", "×× division, × brigade", 58, 24),
        ("Movement", "", 80, 84),
        ("Defence", "", 51, 84),
    ),
    "theseus": (
        ("Effectiveness", "to roll or less in a check", 17, 17),
        ("Formation", "the colour of the box", 28, 50),
        ("Strength", "red on white: it had more", 18, 84),
        ("Unit", "", 86, 12),
        ("Type and size", "", 74, 44),
        ("Movement", "a line below it: on foot", 84, 84),
        ("Tank or anti-tank", "filled: tanks, hollow: anti-tank", 52, 84),
    ),
}
OTHERS: dict[str, tuple[tuple[str, ...], str]] = {
    "battleaxe": (("7RTR", "7RTR-"), "full strength, then reduced: pale band, lower figure"),
    "cauldron": (("104/1", "39-AT"), "hollow: may not attack tanks, or may not attack infantry"),
    "gallop": (("4Arm", "1FF", "1SA"), "whole units: they hold, flip or are lost"),
    "theseus": (
        ("21Pz.HQ", "15Schtz.361-"),
        "headquarters: reaction, engineers; then range, support, movement. "
        "Beside it a unit that has lost strength: red on white",
    ),
}
"""More counters of each title and what they tell; a minus is a unit that has lost strength."""
STATES: tuple[tuple[str, str, str], ...] = (
    ("disrupted", "Disrupted", "hatch and star, lower figures"),
    ("out of supply", "Out of supply", "struck can"),
    ("isolated", "Isolated", "dashed edge, broken chain"),
    ("out of command", "Out of command", "struck aerial"),
    ("improved defence", "Dug in", "parapet below"),
    ("used", "Used", "grey, corner turned"),
    ("held", "Held back", "lock"),
    ("reduced", "Reduced", "pale band"),
    ("schwerpunkt", "Schwerpunkt", "arrow"),
    ("trucked", "With a truck convoy", "lorry"),
    ("galloping", "Galloping", "two chevrons"),
    ("breaching", "Breaching a minefield", "a gap in brackets"),
)
KNOWN: dict[str, str] = {
    "battleaxe": "reduced, out of supply, held",
    "cauldron": "disrupted, out of supply, used, breaching",
    "gallop": "disrupted, used, held, trucked, galloping",
    "theseus": "disrupted, out of supply, isolated, out of command, improved defence, used, "
    "schwerpunkt",
}
"""The states each title has."""


def reading(title: Title) -> dict[str, Any]:
    """The example with its parts, each state on it, a hidden one, and one unit of each nation."""
    game = title.start(seed="reading")
    pieces = {
        piece.id: piece
        for scenario in title.scenarios
        for side in title.sides
        for piece in title.start(scenario.id, seed="reading").view(side).pieces
        if piece.name and piece.side == side
    }
    example = replace(pieces[EXAMPLES[title.id]], states=())
    states = [
        {
            "name": name,
            "note": note,
            "svg": counter_svg(title.id, replace(example, states=(state,))),
        }
        for state, name, note in STATES
        if state in KNOWN[title.id].split(", ")
    ]
    if any(piece.id.startswith("?") for piece in game.view(title.sides[0]).pieces):
        unknown = Piece(id="?1", side=title.other("axis"))
        states.append(
            {
                "name": "Not seen",
                "note": "you know its side alone",
                "svg": counter_svg(title.id, unknown),
            }
        )
    return {
        "svg": counter_svg(title.id, example),
        "name": example.name,
        "parts": [{"name": n, "note": note, "x": x, "y": y} for n, note, x, y in PARTS[title.id]],
        "others": [_other(title, pieces, each) for each in OTHERS[title.id][0]],
        "told": OTHERS[title.id][1],
        "states": states,
        "nations": _nations(title, pieces),
    }


def _other(title: Title, pieces: dict[str, Piece], name: str) -> str:
    """A counter as it is drawn, weakened if its name ends so."""
    piece = replace(pieces[name.removesuffix("-")], states=())
    if name.endswith("-"):
        label = next(each for each in ("CV", "strength") if each in piece.ratings)
        less = {label: str(int(piece.ratings[label]) - 2)}
        ratings = piece.ratings | less
        piece = replace(piece, steps=piece.steps - 1, ratings=ratings, states=("reduced",))
    return counter_svg(title.id, piece)


def _nations(title: Title, pieces: dict[str, Piece]) -> list[dict[str, str]]:
    found: dict[str, str] = {}
    for piece in pieces.values():
        looks = nation_of(title.id, piece)
        name = next(name for name, nation in NATIONS.items() if nation is looks)
        if piece.kind != "hq":
            found.setdefault(name, counter_svg(title.id, replace(piece, states=())))
    return [{"name": name.title(), "svg": found[name]} for name in NATIONS if name in found]
