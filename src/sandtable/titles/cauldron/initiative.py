"""6.0, 3.0 Initiative, and the action phases in turn until both sides have spent their actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action
from sandtable.kernel.dice import D10_FROM_ZERO
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import GoFirst
from sandtable.titles.cauldron.chits import has_action_chits
from sandtable.titles.cauldron.events import ActionsWasted, FirstPlayer, InitiativeWon
from sandtable.titles.cauldron.orders import Pull
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.zoc import enemy

FIRST_TURN = 1
"""May 27 AM, when the Axis takes the first two action phases without a roll."""


class Initiative(Step[Game], frozen=True):
    """6.0 Both roll, ties again; the winner decides who acts first."""

    rule: ClassVar[str] = "6.0"
    winner: Side = AXIS

    def begin(self, game: Game) -> None:
        if game.turn == FIRST_TURN:
            game.log(FirstPlayer(AXIS, rule="6.0"))
            game.pop(AXIS)
            return
        axis = allied = 0
        while axis == allied:
            (axis,) = game.roll("initiative axis", AXIS, "6.0", dice=(D10_FROM_ZERO,))
            (allied,) = game.roll("initiative allied", ALLIED, "6.0", dice=(D10_FROM_ZERO,))
        winner = AXIS if axis > allied else ALLIED
        game.log(InitiativeWon(winner, rule="6.0"))
        game.become_step(Initiative(winner))

    def actor(self, game: Game) -> Side:
        return self.winner

    def prompt(self, game: Game) -> str:
        return "You have the initiative: decide who performs the first action phase."

    def actions(self, game: Game) -> Sequence[Action]:
        return [GoFirst(AXIS), GoFirst(ALLIED)]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, GoFirst)
        game.log(FirstPlayer(action.side, rule="6.0"))
        game.pop(action.side)


class ActionPhases(Step[Game], frozen=True):
    """3.0, 7.0 The sides act in turn; one with no action left waits while the other goes on."""

    rule: ClassVar[str] = "7.0"
    next: Side
    again: int = 0
    """Phases the same side performs in a row before the turns begin to alternate."""

    def begin(self, game: Game) -> None:
        self.go_on(game)

    def resume(self, game: Game, result: Any) -> None:
        self.go_on(game)

    def actor(self, game: Game) -> Side:
        return self.next

    def prompt(self, game: Game) -> str:
        return "Perform an action phase."

    def go_on(self, game: Game) -> None:
        """7.0, 13.7 Give the next side its phase; actions without an action chit are wasted."""
        for side in (AXIS, ALLIED):
            player = game.players[side]
            if player.actions and not has_action_chits(game, side):
                game.log(ActionsWasted(side, player.actions, rule="13.7"))
                game.players[side] = replace(player, actions=0)
        side = self.next if game.players[self.next].actions else enemy(self.next)
        if not game.players[side].actions:
            game.pop()
            return
        following = side if self.again else enemy(side)
        game.become_step(ActionPhases(following, max(0, self.again - 1)))
        game.push(Pull(side))
