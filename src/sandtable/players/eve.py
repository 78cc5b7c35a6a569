"""What an opponent remembers of the planning unit that it is in."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from sandtable.kernel import codec
from sandtable.kernel.dice import Dice
from sandtable.players.knowledge import Knowledge
from sandtable.players.seat import Seat


class Eve:
    """Where the present unit began, written down: an opponent's mind can be put away."""

    def __init__(self) -> None:
        self._unit: Hashable = None
        self._written = b""

    def recall(self, seat: Seat, know: Knowledge, now: Any) -> Any:
        """Where the present unit began, if it is this side's own and not new."""
        unit = know.unit(now)
        if unit == self._unit:
            return codec.load(seat.title, self._written, seat.data) if self._written else None
        began = now.copy()
        began.dice = Dice(count=now.dice.count)
        own = seat.view.phase_side in (None, seat.side)
        self._unit, self._written = unit, codec.dump(began) if own else b""
        return None
