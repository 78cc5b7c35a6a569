"""13.3, 15.0 Replacement steps for armor, from a chit or from the Allied schedule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sandtable.kernel.actions import Action
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.kernel.words import counted
from sandtable.titles.cauldron.actions import Pass, Rebuild, StepUp
from sandtable.titles.cauldron.events import Rebuilt
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.stacking import fits
from sandtable.titles.cauldron.state import ELIMINATED, Game
from sandtable.titles.cauldron.supply import supplied
from sandtable.titles.cauldron.zoc import enemy, zoc


def sound(game: Game, side: Side) -> int:
    """13.3 The hexes where replacements may go: in supply, no enemy, no enemy ZOC."""
    return supplied(game, side) & ~zoc(game, enemy(side))


def replacements(game: Game, side: Side) -> list[Action]:
    """13.3 Every way to spend one replacement: only armor that has lost steps takes it."""
    good = sound(game, side)
    home = game.facts.prohibited if side == AXIS else game.facts.allied_supply
    found: list[Action] = []
    for unit in game.facts.of_side[side]:
        kind, now = game.kind(unit), game.units[unit]
        if kind.type != "armor":
            continue
        if now.at >= 0 and now.steps < len(kind.steps) and good >> now.at & 1:
            found.append(StepUp(unit))
        elif now.at == ELIMINATED and kind.formation not in game.withdrawn:
            found += [
                Rebuild(unit, space)
                for space in game.facts.board.each(good & home)
                if fits(game, (*game.here(space), unit))
            ]
    return found


def rebuild(game: Game, action: Action, number: str) -> None:
    """13.3 Carry out a replacement: a step more, or a lost unit back with one step."""
    match action:
        case StepUp(unit):
            steps = game.units[unit].steps + 1
            game.change(unit, steps=steps)
            game.log(Rebuilt(unit, steps, game.units[unit].at, rule=number))
        case Rebuild(unit, space):
            game.change(unit, at=space, steps=1)
            game.log(Rebuilt(unit, 1, space, rule=number))


def no_replacement(action: Action) -> Refusal | None:
    """13.3 Why a replacement cannot be spent so."""
    if isinstance(action, StepUp | Rebuild):
        return Refusal(
            "13.3",
            "A replacement goes to armour that lost a step, in a supplied hex of its own, "
            "outside enemy ZOC and with room to stack.",
        )
    return None


class TankReplacements(Step[Game], frozen=True):
    """15.0 Allied tank replacements of the schedule are spent on arrival or lost."""

    rule: ClassVar[str] = "15.0"
    left: int

    def begin(self, game: Game) -> None:
        if not self.left or not replacements(game, ALLIED):
            game.pop()

    def actor(self, game: Game) -> Side:
        return ALLIED

    def prompt(self, game: Game) -> str:
        spare = counted(self.left, "tank replacement")
        return f"Spend {spare} on Allied armour, or pass."

    def actions(self, game: Game) -> Sequence[Action]:
        return [*replacements(game, ALLIED), Pass()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        return no_replacement(action)

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Pass):
            game.pop()
        else:
            rebuild(game, action, "15.0")
            game.swap(TankReplacements(self.left - 1))

    def resume(self, game: Game, result: Any) -> None:
        game.pop()
