"""How a side stands: the chance to win that a title's evaluation sees in a position."""

from __future__ import annotations

from sandtable.players.knowledge import knowledge
from sandtable.players.seat import Seat

SAMPLES = 8
"""Games that look the same from the seat, over which the chance is the mean."""


def outlook(seat: Seat) -> float:
    """The chance that the seat's side wins, for all that it can see."""
    know = knowledge(seat.title.id)
    games = [seat.sample(f"outlook|{number}") for number in range(SAMPLES)]
    return sum(know.outlook(game, seat.side) for game in games) / SAMPLES
