"""5.2 Dice and the SNAFU marker: any single die may be answered by the enemy who holds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import Keep, Reroll
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.state import Game

D10 = (10,)
LOSES = "loses the initiative"
WEIGHTY = frozenset(["combat", "reaction", "retreat before combat"])
"""What the order `combat-only` still asks about."""


def unit_roll(game: Game, unit: int, purpose: str, why: str, labels: tuple[str, ...]) -> Roll:
    """5.3.4 A die for one unit: named in the open only if the enemy sees the unit."""
    side, place = game.side(unit), game.data.piece_names[unit]
    if game.secret(unit):
        place = game.data.board.names[game.pieces[unit].hex]
        game.log(ev.RolledFor(UnitId(unit), rule=why, only=SIDES[side]))
    return Roll(side, purpose, why, place, labels)


class Roll(Step[Game], frozen=True):
    """5.2 One d10; the enemy may give the SNAFU marker away to have it rolled again."""

    rule: ClassVar[str] = "5.2"
    interrupt: ClassVar[str] = "snafu"

    by: int
    purpose: str
    why: str
    """The rule that asks for the roll."""
    place: str = ""
    labels: tuple[str, ...] = ()
    """What each face brings about, as the odds name it."""
    value: int = 0

    def begin(self, game: Game) -> None:
        """3.9 Roll; a printed zero counts ten."""
        (value,) = game.roll(self.purpose, SIDES[self.by], self.why, dice=D10, place=self.place)
        if self.labels:
            game.conclude(self.labels[value - 1])
        answerable = game.snafu == 1 - self.by and not game.static(1 - self.by)
        if answerable:
            game.become_step(Roll(self.by, self.purpose, self.why, self.place, self.labels, value))
        else:
            game.pop(value)

    def actor(self, game: Game) -> Side:
        return SIDES[1 - self.by]

    def prompt(self, game: Game) -> str:
        in_hex = bool(self.place) and self.place in game.data.board.names
        who = "The enemy" if in_hex or not self.place else self.place
        where = f" in {self.place}" if in_hex else ""
        outcome = f" ({self.labels[self.value - 1]})" if self.labels else ""
        done = "; no die could be worse for it" if self.spoilt() else ""
        return (
            f"{who} rolled {self.value} for {self.purpose}{outcome}{where}{done}. "
            "Let the die stand, or give away SNAFU for a re-roll?"
        )

    def spoilt(self) -> bool:
        """Whether no other face would be worse for who rolled, so that a re-roll wastes SNAFU."""
        if not self.labels or self.purpose == "retreat before combat":
            return False  # A retreat is judged by both sides' dice.
        if self.why == "9.1.5":
            return self.value == len(self.labels)  # Attrition costs what the check fails by.
        if self.purpose == "action points":
            return int(self.labels[self.value - 1].split()[0]) == min(
                int(label.split()[0]) for label in self.labels
            )
        return self.labels[self.value - 1] in ("fails", LOSES)

    def actions(self, game: Game) -> Sequence[Action]:
        return [Keep(), Reroll()]

    def standing(self, game: Game, setting: str) -> Action | None:
        if setting.startswith("when-it-can-hurt"):
            return Keep() if self.spoilt() else None
        if setting.startswith("combat-only"):
            return None if self.purpose in WEIGHTY else Keep()
        return Keep()

    def apply(self, game: Game, action: Action) -> None:
        value = self.value
        if isinstance(action, Reroll):
            game.snafu = self.by
            game.log(ev.SnafuUsed(SIDES[1 - self.by], rule="5.2"))
            (value,) = game.roll(self.purpose, SIDES[self.by], self.why, dice=D10, place=self.place)
            if self.labels:
                game.conclude(self.labels[value - 1])
        game.pop(value)
