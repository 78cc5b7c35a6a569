"""The weakest opponent: any legal action is as good as another."""

from __future__ import annotations

from sandtable.players.seat import Choice, Luck, Seat


class Random:
    """Plays any legal action."""

    def __init__(self, seed: str) -> None:
        self._luck = Luck(seed)

    def choose(self, seat: Seat) -> Choice:
        """One of the legal actions, all equally likely."""
        actions = seat.actions()
        action = actions[self._luck.below(len(actions))]
        return Choice(action, "Any legal action will do.", telling=False)
