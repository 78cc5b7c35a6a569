"""Chess clocks for wargames: time for each side, an increment, and what happens at zero."""

from __future__ import annotations

from msgspec import Struct

from sandtable.kernel.events import Side
from sandtable.server.wire import ClockWish


class Clock(Struct):
    """How much time each side has left; everything in milliseconds.

    The increment comes when the decision passes to the other side. A side that has run out gets
    the increment (at least ten seconds) for each further decision, so that a player who comes back
    can still play.
    """

    wish: ClockWish
    left: dict[Side, int]
    running: Side | None = None
    since: int = 0

    @classmethod
    def start(cls, wish: ClockWish, sides: tuple[Side, ...], actor: Side | None, at: int) -> Clock:
        """Fresh clocks; the first side to decide has its time running."""
        return cls(wish, {side: wish.seconds * 1000 for side in sides}, actor, at)

    def press(self, actor: Side | None, at: int) -> None:
        """Somebody decided: charge the time, and let that of the next side run."""
        if self.running is not None:
            spent = max(0, at - self.since)
            self.left[self.running] = max(0, self.left[self.running] - spent)
            if actor != self.running:
                self.left[self.running] += self.wish.increment * 1000
            if not self.left[self.running] and self.wish.out == "neutral":
                self.left[self.running] = max(10, self.wish.increment) * 1000
        self.running, self.since = actor, at

    @property
    def deadline(self) -> int:
        """When the running side's time is up; 0 if no clock runs."""
        return 0 if self.running is None else self.since + self.left[self.running]

    def show(self, at: int) -> dict[str, object]:
        """For the page: what was left when the running clock was last pressed, and since when."""
        return {"left": self.left, "running": self.running, "since": self.since, "now": at}
