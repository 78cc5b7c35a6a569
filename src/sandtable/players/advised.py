"""Advice keeps to its plan as long as it is followed."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.kernel.events import Side
from sandtable.kernel.table import Table


class Advised(NamedTuple):
    """Advice as it was given: by whom, to whom, where, and what."""

    side: Side
    level: str
    lines: int
    """How many lines the table had."""
    digest: str
    text: str

    def stands(self, side: Side, level: str, table: Table) -> bool:
        """Whether the same is asked again where nothing has happened."""
        return (self.side, self.level, self.digest) == (side, level, table.game.digest())

    def followed(self, side: Side, level: str, table: Table) -> bool:
        """Whether the next is asked of who advised what was done."""
        done = table.history[self.lines : self.lines + 1]
        return (self.side, self.level) == (side, level) and any(
            entry.line.text == self.text for entry in done
        )
