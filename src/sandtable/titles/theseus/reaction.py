"""6.5 Formation Reaction: the other side's answer to movement next to its units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sandtable.boards import bits
from sandtable.kernel.actions import Action
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Modifier, Odds
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import Decline, React
from sandtable.titles.theseus.facts import FormationId
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.snafu import Roll
from sandtable.titles.theseus.state import Game


def reactors(game: Game, side: int, hex: int, silent: tuple[int, ...]) -> list[int]:
    """6.5.1 Formations with an undisrupted unit in command next to a hex and a level above 0."""
    if game.static(side):
        return []
    near = game.situation.combat[side] & game.data.around[hex]
    if not near:
        return []
    found: list[int] = []
    for each in bits(near):
        for unit in game.combat_units(each):
            formation = game.pieces[unit].parent
            # An unassigned unit never reacts (6.4); a formation at level 0 cannot (ruling R38).
            if formation < 0 or formation in found or formation in silent:
                continue
            if not game.levels[formation] or game.pieces[unit].disrupted:
                continue
            if game.situation.in_command(game, unit):
                found.append(formation)
    return sorted(found)


class ReactionOffer(Step[Game], frozen=True):
    """6.5.1, 6.5.2 Offer an attempt. Pops None if declined, the formation if it reacts, else -1."""

    rule: ClassVar[str] = "6.5.1"
    interrupt: ClassVar[str] = "reaction"

    side: int
    hex: int
    leaving: bool
    silent: tuple[int, ...]
    formation: int = -1

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        doing = "wants to leave" if self.leaving else "has entered"
        return f"An enemy {doing} {game.hexname(self.hex)} next to you: react with a formation?"

    def actions(self, game: Game) -> Sequence[Action]:
        able = reactors(game, self.side, self.hex, self.silent)
        return [Decline(), *(React(FormationId(each)) for each in able)]

    def standing(self, game: Game, setting: str) -> Action | None:
        if setting.startswith("entering-only"):
            return Decline() if self.leaving else None
        if setting.startswith("leaving-only"):
            return None if self.leaving else Decline()
        if setting.startswith("level-4-up"):
            able = reactors(game, self.side, self.hex, self.silent)
            return None if any(game.levels[each] >= 4 for each in able) else Decline()
        return Decline()

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, React):
            name = game.data.hqs[action.formation].short
            return Refusal(
                "6.5.1",
                f"{name} cannot react: it needs an undisrupted unit In Command next to the enemy, "
                "an Activation Level above zero, and an HQ not displaced by this movement.",
            )
        return None

    def labels(self, game: Game, formation: int) -> tuple[str, ...]:
        """6.5.2 A roll up to the HQ's Reaction Rating succeeds."""
        rating = game.data.hqs[formation].reaction
        return tuple("reacts" if face <= rating else "fails" for face in range(1, 11))

    def odds(self, game: Game, action: Action) -> Odds | None:
        from sandtable.titles.theseus.forecasts import die_odds

        if not isinstance(action, React):
            return None
        hq = game.data.hqs[action.formation]
        rating = Modifier(f"{hq.short} Reaction Rating", hq.reaction, "6.5.2")
        return die_odds(game, self.labels(game, action.formation), (rating,), SIDES[self.side])

    def apply(self, game: Game, action: Action) -> None:
        if not isinstance(action, React):
            game.pop(None)
            return
        step = ReactionOffer(self.side, self.hex, self.leaving, self.silent, action.formation)
        game.become_step(step)
        hq = game.data.hq_of(action.formation)
        if game.pieces[hq].low and game.situation.in_supply(game, hq):
            game.alter(hq, low=False)  # 5.7.1: supply is checked before the attempt
        place = game.data.hqs[action.formation].id
        labels = self.labels(game, action.formation)
        game.push(Roll(self.side, "reaction", "6.5.2", place, labels))

    def resume(self, game: Game, result: Any) -> None:
        succeeded = result <= game.data.hqs[self.formation].reaction
        formation = FormationId(self.formation)
        rule = "6.5.3" if succeeded else "6.5.4"
        game.log(ev.ReactionTried(formation, succeeded, rule=rule))
        game.pop(self.formation if succeeded else -1)


class Reaction(Step[Game], frozen=True):
    """6.5.2, 6.5.3 A formation reacts: it is activated with the red Action Points."""

    rule: ClassVar[str] = "6.5.3"

    formation: int

    def actor(self, game: Game) -> Side:
        return SIDES[game.side(game.data.hq_of(self.formation))]

    def begin(self, game: Game) -> None:
        # Reaction is an activation, and activations move: the modules need each other.
        from sandtable.titles.theseus.activation import FormationActivation

        if game.hex_of_hq(self.formation) < 0 or not game.levels[self.formation]:
            game.pop()
        else:
            game.swap(FormationActivation(self.formation, reaction=True))
