"""3.0 The sequence of play: nine phases a turn, from the set-up to the last victory phase."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.chits import fill_cups
from sandtable.titles.cauldron.events import ActionsLost, LineTraced, Recovered, TurnBegan
from sandtable.titles.cauldron.initiative import FIRST_TURN, ActionPhases, Initiative
from sandtable.titles.cauldron.minefields import (
    MinefieldPhase,
    finish_breaches,
    lay_fields,
    lines_needed,
    lines_traced,
)
from sandtable.titles.cauldron.printed import AXIS
from sandtable.titles.cauldron.replacements import TankReplacements
from sandtable.titles.cauldron.setup import SetUp
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.supply import check_supply
from sandtable.titles.cauldron.victory import outcome, victory_phase

PHASES = ("setup", "chits", "minefields", "supply", "initiative", "actions", "recovery", "victory")


class Turn(Step[Game], frozen=True):
    """3.0 The phase the turn is in; the steps above it are what the phase asks."""

    rule: ClassVar[str] = "3.0"
    phase: str = "setup"

    def begin(self, game: Game) -> None:
        self.enter(game, AXIS)

    def resume(self, game: Game, result: Any) -> None:
        at = (PHASES.index(self.phase) + 1) % len(PHASES) or 1
        following = Turn(PHASES[at])
        game.become_step(following)
        following.enter(game, result)

    def actor(self, game: Game) -> Side:
        return AXIS

    def prompt(self, game: Game) -> str:
        return f"Phase: {self.phase}."

    def enter(self, game: Game, result: Any) -> None:
        """Begin a phase; one that asks nothing leads straight to the next."""
        match self.phase:
            case "setup":
                game.push(SetUp())
            case "chits":
                game.log(TurnBegan(game.facts.turn_names[game.turn - 1], rule="3.0"))
                fill_cups(game)
                self.resume(game, None)
            case "minefields":
                finish_breaches(game)
                lay_fields(game)
                game.push(MinefieldPhase(game.facts.tables.minefields.attempts_a_turn))
            case "supply":
                check_supply(game)
                check_lines(game)
                game.push(TankReplacements(game.facts.tables.turn[game.turn - 1].replacements))
            case "initiative":
                game.push(Initiative())
            case "actions":
                game.push(ActionPhases(result, 1 if game.turn == FIRST_TURN else 0))
            case "recovery":
                recover(game)
                self.resume(game, None)
            case _:
                self.end_turn(game)

    def end_turn(self, game: Game) -> None:
        """16.0 Score the turn; after the last one the game is over."""
        victory_phase(game)
        if game.turn >= game.last_turn:
            game.finish(outcome(game))
            return
        game.turn += 1
        game.activated = ()
        game.broken_word = False
        self.resume(game, None)


def check_lines(game: Game) -> None:
    """14.2 Without its lines of communication the Axis has one action fewer this turn."""
    needed = lines_needed(game, game.turn)
    if not needed:
        return
    traced = lines_traced(game)
    if traced is not None:
        game.log(LineTraced(traced, rule="14.2"))
        return
    player = game.players[AXIS]
    game.players[AXIS] = replace(player, actions=max(0, player.actions - 1))
    game.log(ActionsLost(AXIS, needed, rule="14.2"))


def recover(game: Game) -> None:
    """3.0, 12.0 Disruption ends and every unit turns to its unused side."""
    for unit, now in enumerate(tuple(game.units)):
        if now.used or now.disrupted:
            game.put(UnitId(unit), replace(now, used=False, disrupted=False))
    game.log(Recovered(game.facts.turn_names[game.turn - 1], rule="3.0"))
