"""4, 6.1, 6.2, 8 The turn: initiative, the choice to act, transfer or pass, and the end of turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Modifier, Odds
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus import victory
from sandtable.titles.theseus.acting import Acting
from sandtable.titles.theseus.actions import Activate, ActivateUnit, End, Pass, Top, Transfer
from sandtable.titles.theseus.activation import FormationActivation, UnitActivation, action_points
from sandtable.titles.theseus.facts import FormationId
from sandtable.titles.theseus.forecasts import die_odds
from sandtable.titles.theseus.recovery import Recovery
from sandtable.titles.theseus.restrictions import restriction
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH, SIDES
from sandtable.titles.theseus.snafu import LOSES, Roll
from sandtable.titles.theseus.state import Game

NO_ACT = 3


def activable(game: Game, side: int) -> list[int]:
    """6.3, 6.3.2 Formations of a side with an HQ, a level above zero and leave to act."""
    data = game.data
    return [
        formation
        for formation, hq in enumerate(data.hqs)
        if hq.side == SIDES[side] and game.levels[formation] and not no_activation(game, formation)
    ]


def no_activation(game: Game, formation: int) -> Refusal | None:
    """6.3, 6.3.2, 3.5 Why a formation cannot be activated."""
    name = game.data.hqs[formation].short
    if game.hex_of_hq(formation) < 0:
        return Refusal("6.3", f"{name} has no HQ on the map.")
    if not game.levels[formation]:
        return Refusal("6.3.2", f"{name} is at Activation Level zero.")
    kind = restriction(game, formation)
    if kind == "no_activation":
        return Refusal(game.script.file.rule, f"{name} may not be activated yet by its orders.")
    if kind and not can_act(game, formation):
        return Refusal("6.3", f"No unit of {name} can do anything that its orders allow.")
    return None


def can_act(game: Game, formation: int) -> bool:
    """6.3 Whether any unit of a formation could conduct an action, given the best roll."""
    side = game.side(game.data.hq_of(formation))
    most = max(action_points(game, formation, face, False) for face in range(1, 11))
    acting = Acting(side, formation, bonus=most)
    return any(not isinstance(action, (Top, End)) for action in acting.each(game))


def lone_units(game: Game, side: int) -> list[int]:
    """6.4 Unassigned units that may still be activated."""
    return [
        unit
        for unit in game.data.loners
        if game.pieces[unit].hex >= 0
        and game.side(unit) == side
        and game.pieces[unit].acts < NO_ACT
    ]


class Operations(Step[Game], frozen=True):
    """6 Ops Cycles until both sides have passed or nobody can activate a formation."""

    rule: ClassVar[str] = "6"

    first: bool = False
    """10: the Axis wins the first initiative of the game without a roll."""

    def actor(self, game: Game) -> Side:
        return SIDES[AXIS]

    def begin(self, game: Game) -> None:
        self.cycle(game)

    def resume(self, game: Game, result: Any) -> None:
        game.expire_orders()
        self.cycle(game)

    def cycle(self, game: Game) -> None:
        """6, 6.2 One more Ops Cycle, or the end of the phase."""
        if not any(activable(game, side) for side in (0, 1) if not game.passed[side]):
            game.swap(EndOfTurn())
            return
        if self.first:
            game.become_step(Operations())
            won(game, AXIS)
            game.push(Initiative(AXIS))
        elif any(game.passed):
            game.push(Initiative(game.passed.index(False), alone=True))
        else:
            game.push(InitiativeRoll())


def won(game: Game, side: int) -> None:
    """6.1 The loser's side of the marker moves on, or starts at the first space."""
    loser = 1 - side
    last = len(game.data.tables.initiative.track) - 1
    if game.drm and game.drm_side == loser:
        game.drm = min(game.drm + 1, last)
    else:
        game.drm, game.drm_side = 1, loser


class InitiativeRoll(Step[Game], frozen=True):
    """6.1 Both roll; the marker helps the side it shows, the Axis wins ties.

    The holder of SNAFU rolls first, so that he knows both dice when he answers (ruling R76).
    """

    rule: ClassVar[str] = "6.1"

    first: int = AXIS
    die: int = 0

    def actor(self, game: Game) -> Side:
        return SIDES[AXIS]

    def begin(self, game: Game) -> None:
        game.become_step(InitiativeRoll(game.snafu))
        game.push(Roll(game.snafu, "initiative", "6.1"))

    def resume(self, game: Game, result: Any) -> None:
        if not self.die:
            step, second = InitiativeRoll(self.first, result), 1 - self.first
            labels = tuple(
                "wins the initiative" if step.winner(game, face) == second else LOSES
                for face in range(1, 11)
            )
            game.become_step(step)
            game.push(Roll(second, "initiative", "6.1", labels=labels))
            return
        side, totals = self.winner(game, result), self.totals(game, result)
        won(game, side)
        game.log(ev.InitiativeWon(SIDES[side], *totals, rule="6.1"))
        game.swap(Initiative(side))

    def totals(self, game: Game, second: int) -> list[int]:
        """6.1 Both sides' dice with their modifiers, the Axis first."""
        table = game.data.tables.initiative
        totals = [second, self.die] if self.first else [self.die, second]
        totals[game.drm_side] += table.track[game.drm]
        if game.turn == 1:
            totals[AXIS] += table.first_turn_axis
        return totals

    def winner(self, game: Game, second: int) -> int:
        """6.1 Who wins if the second die shows this; the Axis wins ties."""
        axis, commonwealth = self.totals(game, second)
        return AXIS if axis >= commonwealth else COMMONWEALTH


class Initiative(Step[Game], frozen=True):
    """6.2 Act, transfer the initiative, or pass."""

    rule: ClassVar[str] = "6.2"

    side: int
    alone: bool = False
    """The other side has passed."""
    given: bool = False
    """The initiative was transferred and cannot be given back."""

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        other = "" if self.alone or self.given else ", transfer the initiative"
        return f"You have the initiative: activate a formation or unit{other}, or pass."

    def actions(self, game: Game) -> Sequence[Action]:
        listed: list[Action] = [Activate(FormationId(each)) for each in activable(game, self.side)]
        listed += [ActivateUnit(UnitId(unit)) for unit in lone_units(game, self.side)]
        if not self.alone and not self.given:
            listed.append(Transfer())
        listed.append(Pass())
        return listed

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Activate(formation=formation):
                hq = game.data.hqs[formation]
                if hq.side != SIDES[self.side]:
                    return Refusal("6.3", f"{hq.short} is not yours.")
                return no_activation(game, formation)
            case ActivateUnit(unit=unit):
                name = game.name(unit)
                if game.side(unit) != self.side or game.pieces[unit].hex < 0:
                    return Refusal("6.4", f"{name} is not yours to activate.")
                if unit not in game.data.loners:
                    return Refusal("6.4", f"{name} acts only with a formation.")
                return Refusal("6.4", f"{name} bears a NO-ACT marker.")
            case Transfer():
                return Refusal(
                    "6.2", "The initiative cannot be given back or to a side that passed."
                )
        return None

    def odds(self, game: Game, action: Action) -> Odds | None:
        if not isinstance(action, Activate):
            return None
        formation = action.formation
        labels = [f"{action_points(game, formation, face, False)} AP" for face in range(1, 11)]
        level = game.levels[formation]
        named = [Modifier("Activation Level", level, "6.3.2")]
        if game.schwerpunkt == formation:
            named.append(Modifier("Schwerpunkt", 1, "5.9"))
        return die_odds(game, labels, named, SIDES[self.side])

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Activate(formation=formation):
                game.swap(FormationActivation(formation))
            case ActivateUnit(unit=unit):
                game.swap(UnitActivation(unit))
            case Transfer():
                game.log(ev.InitiativeTransferred(SIDES[self.side], rule="6.2"))
                game.swap(Initiative(1 - self.side, given=True))
            case Pass():
                passed = list(game.passed)
                passed[self.side] = True
                game.passed = (passed[0], passed[1])
                game.log(ev.Passed(SIDES[self.side], rule="6.2"))
                game.pop()


class EndOfTurn(Step[Game], frozen=True):
    """8 Automatic victory, Victory Points, then the next turn or the end of the game."""

    rule: ClassVar[str] = "8"

    def actor(self, game: Game) -> Side:
        return SIDES[AXIS]

    def begin(self, game: Game) -> None:
        if victory.automatic(game):
            return
        victory.score_turn(game)
        if game.turn >= game.script.file.last_turn:
            victory.final(game)
        else:
            game.turn += 1
            begin_turn(game)
            game.swap(Recovery())


def begin_turn(game: Game) -> None:
    """4, 9, 5.7.3 A new turn: the Initiative marker returns to zero, Tobruk may change hands."""
    dates = game.script.turns[game.turn].dates
    game.log(ev.TurnBegan(game.turn, dates, rule="4"))
    game.drm = 0
    game.passed = (False, False)
    if game.tobruk_next >= 0:
        game.tobruk, game.tobruk_next = game.tobruk_next, -1
        game.sit = None
        game.log(ev.TobrukSupplies(SIDES[game.tobruk], rule="5.7.3"))


class Solitaire(Step[Game], frozen=True):
    """10.1 Activate the one formation until it wins or its track is at zero."""

    rule: ClassVar[str] = "10.1"

    def actor(self, game: Game) -> Side:
        return SIDES[game.script.solo]

    def begin(self, game: Game) -> None:
        formation = game.script.formation
        spent = not game.levels[formation] or game.hex_of_hq(formation) < 0
        if spent or victory.solo_won(game):
            victory.solo_final(game)
        else:
            game.push(FormationActivation(formation))

    def resume(self, game: Game, result: Any) -> None:
        self.begin(game)
