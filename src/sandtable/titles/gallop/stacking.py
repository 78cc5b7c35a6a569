"""XII Stacking: three units in a hex, two of them divisions, and the penalty."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.kernel.words import listed
from sandtable.titles.gallop.actions import Lose
from sandtable.titles.gallop.state import Game


def too_many(game: Game, units: Iterable[UnitId]) -> bool:
    """XII.A.2, XII.A.3 More than three units in a hex, or more than two divisions; no dummies."""
    table, book = game.facts.tables.stacking, game.book
    stack = [unit for unit in units if unit < len(book)]
    divisions = sum(book[unit].division for unit in stack)
    return len(stack) > table.units or divisions > table.divisions


def full_hexes(game: Game, side: Side) -> tuple[int, int]:
    """XII.A.2 Where a side has no room for a brigade, and where it has none for a division."""
    table, book = game.facts.tables.stacking, game.book
    brigades = divisions = 0
    real = game.lay.real[side]
    for hex, stack in game.lay.at.items():
        if not real >> hex & 1:
            continue
        if len(stack) >= table.units:
            brigades |= 1 << hex
        elif len(stack) < table.divisions:
            continue
        elif sum(book[unit].division for unit in stack) >= table.divisions:
            divisions |= 1 << hex
    return brigades, brigades | divisions


def overstacked(game: Game, side: Side) -> list[int]:
    """XII.B The hexes where a side stands too high, in order."""
    return sorted(
        hex
        for hex, stack in game.lay.at.items()
        if game.side_of(stack[0]) == side and too_many(game, stack)
    )


def crowding(game: Game, side: Side) -> str:
    """XII.A, XII.B Where a side stands too high; empty if nowhere."""
    where = listed(game.hex_name(Space(hex)) for hex in overstacked(game, side))
    table = game.facts.tables.stacking
    most = f"At most {table.units} units, {table.divisions} of them divisions, may share a hex"
    return f"Too many units in {where}. {most}" if where else ""


class Overstacked(Step["Game"], frozen=True):
    """XII.B At the end of movement or attacks, units above the limit are eliminated."""

    rule: ClassVar[str] = "XII.B"
    side: Side

    def actor(self, game: Game) -> Side:
        """The owner decides which of his units are lost."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for a unit to lose."""
        first = game.hex_name(Space(overstacked(game, self.side)[0]))
        return f"Too many units in {first}: choose which is lost."

    def caution(self, game: Game) -> str:
        """XII.B Every hex that has to lose a unit."""
        return f"{crowding(game, self.side)}: those too many are lost."

    def begin(self, game: Game) -> None:
        """Leave when every stack is within the limit."""
        if not overstacked(game, self.side):
            game.pop()

    def actions(self, game: Game) -> Sequence[Action]:
        """The units of the stack whose loss brings it nearer the limit."""
        stack = game.stack_at(overstacked(game, self.side)[0])
        book, table = game.book, game.facts.tables.stacking
        if len(stack) <= table.units:
            stack = [unit for unit in stack if book[unit].division]
        return [Lose(unit) for unit in stack]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Only units of the hex that is stacked too high can be given up."""
        return Refusal("XII.B", self.prompt(game))

    def apply(self, game: Game, action: Action) -> None:
        """Lose the unit and look again."""
        assert isinstance(action, Lose)
        game.eliminate(action.unit, "stacked too high", "XII.B")
        game.swap(self)
