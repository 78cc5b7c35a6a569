"""7.0 The action phase: the chit drawn, what it activates, and the activated units one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import (
    Activate,
    ActivateUnit,
    Attack,
    Done,
    EndPhase,
    Exit,
    ExtraMove,
    MoveTo,
    Pass,
    PromiseAttack,
    Rebuild,
    Select,
    StepUp,
    Withdraw,
)
from sandtable.titles.cauldron.chits import AirStrike, draw_until_action, holds, spend
from sandtable.titles.cauldron.events import (
    Activated,
    AttackPromised,
    Forgone,
    PhaseEnded,
    PromiseBroken,
    UnitActivated,
)
from sandtable.titles.cauldron.movement import Move, allowance
from sandtable.titles.cauldron.printed import ALLIED, ChitId, FormationId
from sandtable.titles.cauldron.reinforcements import Arrive, can_arrive
from sandtable.titles.cauldron.replacements import no_replacement, rebuild, replacements
from sandtable.titles.cauldron.stacking import Overstacked, crowding
from sandtable.titles.cauldron.state import Game
from sandtable.titles.cauldron.withdrawal import withdraw, withdrawable

FIRST_TURNS = 2
"""May 27 AM and May 27 PM."""


def present(game: Game, unit: UnitId) -> bool:
    """7.0, 15.0 Whether a unit is on the map or can come onto it now."""
    return game.units[unit].at >= 0 or can_arrive(game, unit)


# What the activation of a formation needs, in the book's order.


@rule
def somebody_there(game: Game, formation: FormationId) -> bool:
    """7.0 A formation is activated only with units on the map or able to arrive."""
    return any(present(game, unit) for unit in game.facts.formations[formation].units)


@rule
def not_too_often(game: Game, formation: FormationId) -> bool:
    """7.0 No formation is activated more than twice a turn, 15 and 21 Panzer once on May 27."""
    once = game.turn <= FIRST_TURNS and formation in game.facts.once_at_first
    limit = 1 if once else game.facts.tables.limits.activations
    return game.activated.count(formation) < limit


@rule
def not_barred(game: Game, formation: FormationId) -> bool:
    """7.0 On May 27 seven formations and their units may not be activated."""
    # Nor their units singly (R27).
    return not (game.turn <= FIRST_TURNS and formation in game.facts.barred_at_first)


ACTIVATION_RULES = (somebody_there, not_too_often, not_barred)


def may_activate(game: Game, formation: FormationId) -> bool:
    """7.0 Whether the formation has units to activate and may be activated (again)."""
    return all(each.holds(game, formation) for each in ACTIVATION_RULES)


def may_activate_unit(game: Game, unit: UnitId) -> bool:
    """7.0 Whether a unit may be activated singly; the limit on its formation does not count."""
    return present(game, unit) and not_barred.holds(game, game.kind(unit).formation)


class Pull(Step[Game], frozen=True):
    """7.0 The player draws until an action chit comes; Air interrupts, Sandstorm stays."""

    rule: ClassVar[str] = "7.0"
    side: Side
    storm: bool = False

    def begin(self, game: Game) -> None:
        chit, storm = draw_until_action(game, self.side, self.storm)
        if chit is None:
            game.become_step(replace(self, storm=storm))
            game.push(AirStrike(self.side))
        else:
            player = game.players[self.side]
            game.players[self.side] = replace(player, actions=player.actions - 1)
            game.swap(Orders(self.side, chit, storm))

    def resume(self, game: Game, result: Any) -> None:
        self.begin(game)

    def actor(self, game: Game) -> Side:
        return self.side

    def prompt(self, game: Game) -> str:
        return "Draw a chit."


class Orders(Step[Game], frozen=True):
    """7.0, 13.8 An action chit is drawn: tactical chits may be played, then units activated."""

    rule: ClassVar[str] = "7.0"
    side: Side
    chit: ChitId
    storm: bool = False
    chosen: tuple[UnitId, ...] = ()
    """The first unit of a Double Move."""
    extra: tuple[UnitId, ...] = ()
    promised: bool = False

    def actor(self, game: Game) -> Side:
        return self.side

    def prompt(self, game: Game) -> str:
        chit = game.facts.chits[self.chit]
        if chit.double:
            which = "second" if self.chosen else "first"
            return f"Choose the {which} unit of the Double Move."
        return f"Activate the formation of the {chit.name} chit, or one unit of another."

    def actions(self, game: Game) -> Sequence[Action]:
        found: list[Action] = [Activate(face) for face in self.faces(game)]
        found += map(ActivateUnit, self.singles(game))
        if not found or self.chosen:
            found.append(Pass())
        if holds(game, self.side, "extra-move"):
            found += map(ExtraMove, self.extras(game))
        if self.chosen:
            return found
        # These two come before the player decides which units to activate (13.3, 13.7).
        if holds(game, self.side, "replacement"):
            found += replacements(game, self.side)
        if self.side == ALLIED and holds(game, self.side, "withdraw-attack"):
            found += map(Withdraw, withdrawable(game))
            found.append(PromiseAttack())
        return found

    def faces(self, game: Game) -> list[tuple[FormationId, ...]]:
        """7.0 The faces of the chit that can be used, with the formations that may act."""
        faces = game.facts.chits[self.chit].faces
        usable = [tuple(each for each in face if may_activate(game, each)) for face in faces]
        return [face for face in usable if face]

    def singles(self, game: Game) -> list[UnitId]:
        """7.0 The units that the chit may activate instead: not those of the face given up."""
        chit = game.facts.chits[self.chit]
        taken = (*self.chosen, *self.extra)
        return [
            unit
            for unit in game.facts.of_side[self.side]
            if unit not in taken
            and may_activate_unit(game, unit)
            and (chit.double or any(game.kind(unit).formation not in face for face in chit.faces))
        ]

    def extras(self, game: Game) -> list[UnitId]:
        """13.2 The units an Extra Move chit may add."""
        taken = (*self.chosen, *self.extra)
        units = game.facts.of_side[self.side]
        return [each for each in units if each not in taken and may_activate_unit(game, each)]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Activate(formations):
                return self.no_formation(game, formations)
            case ActivateUnit(unit):
                return self.no_single(game, unit)
            case ExtraMove():
                return Refusal("13.2", "This needs an Extra Move chit and a unit to activate.")
            case Withdraw():
                return Refusal("13.7", "That formation cannot be withdrawn now.")
            case PromiseAttack():
                return Refusal("13.7", "This needs a Withdraw/Attack chit.")
            case Select() | EndPhase():
                return Refusal("7.0", self.prompt(game))
            case StepUp() | Rebuild() if not holds(game, self.side, "replacement"):
                return Refusal("13.3", "This needs a Replacement chit.")
            case StepUp() | Rebuild() if self.chosen:
                return Refusal("13.3", "Replacements come before the choice of units to activate.")
        return no_replacement(action)

    def no_formation(self, game: Game, formations: tuple[FormationId, ...]) -> Refusal:
        """7.0 Why the chit cannot activate these formations."""
        names = ", ".join(game.facts.formations[each].name for each in formations)
        what = f"{names} cannot be activated"
        for formation in formations:
            broken = first_broken(ACTIVATION_RULES, game, formation)
            if broken:
                return broken.refusal(what)
        name = game.facts.chits[self.chit].name
        return Refusal("7.0", f"{what}: that is no face of the {name} chit.")

    def no_single(self, game: Game, unit: UnitId) -> Refusal:
        """7.0 Why the chit cannot activate a unit."""
        what = f"{game.name(unit)} cannot be activated singly"
        if game.side_of(unit) != self.side:
            return Refusal("7.0", f"{what}: it is an enemy unit.")
        if not present(game, unit):
            return Refusal("7.0", f"{what}: it is not on the map and cannot arrive now.")
        if not may_activate_unit(game, unit):
            return not_barred.refusal(what)
        if unit in (*self.chosen, *self.extra):
            return Refusal("7.0", f"{what}: it is activated already.")
        return Refusal("7.0", f"{what}: the chit is that of its own formation.")

    def apply(self, game: Game, action: Action) -> None:
        tactical = game.facts.tactical
        match action:
            case Activate(formations):
                game.activated = (*game.activated, *formations)
                game.log(Activated(self.side, formations, rule="7.0"))
                members = (
                    unit for each in formations for unit in game.facts.formations[each].units
                )
                self.go(game, members)
            case ActivateUnit(unit):
                chosen = (*self.chosen, unit)
                game.log(UnitActivated(unit, rule="7.0"))
                if game.facts.chits[self.chit].double and len(chosen) < 2:
                    game.become_step(replace(self, chosen=chosen))
                else:
                    self.go(game, chosen)
            case StepUp() | Rebuild():
                spend(game, self.side, tactical["replacement"], "13.3")
                rebuild(game, action, "13.3")
            case ExtraMove(unit):
                spend(game, self.side, tactical["extra-move"], "13.2")
                game.log(UnitActivated(unit, rule="13.2"))
                game.become_step(replace(self, extra=(*self.extra, unit)))
            case Withdraw(formation):
                spend(game, self.side, tactical["withdraw-attack"], "13.7")
                withdraw(game, formation)
            case PromiseAttack():
                spend(game, self.side, tactical["withdraw-attack"], "13.7")
                game.log(AttackPromised(self.side, rule="13.7"))
                game.become_step(replace(self, promised=True))
            case _:
                if not self.chosen:
                    game.log(Forgone(self.side, rule="7.0"))
                self.go(game, self.chosen)

    def go(self, game: Game, units: Iterable[UnitId]) -> None:
        """7.0 The activated units, with those of Extra Moves, begin to move and fight."""
        ready = dict.fromkeys((*units, *self.extra))
        active = tuple(unit for unit in ready if present(game, unit))
        game.swap(Operations(self.side, self.storm, active, self.promised))


def can_act(game: Game, unit: UnitId, storm: bool) -> bool:
    """8.0, 14.1 Whether an activated unit has movement points and is not breaching."""
    return (
        game.units[unit].at >= 0 and not game.builder_of(unit) and allowance(game, unit, storm) > 0
    )


class Operations(Step[Game], frozen=True):
    """7.0, 8.0 The activated units move and fight one after another."""

    rule: ClassVar[str] = "7.0"
    side: Side
    storm: bool
    ready: tuple[UnitId, ...]
    promised: bool = False
    fought: bool = False
    begun: bool = False
    ending: bool = False
    declined: tuple[UnitId, ...] = ()
    """Units that were selected and spent nothing: free again when another unit has acted (R63)."""

    def begin(self, game: Game) -> None:
        self.activate(game, self.ready)

    def activate(self, game: Game, units: tuple[UnitId, ...]) -> None:
        """7.0, 15.0 Activated units turn to their unused side; those not on the map arrive."""
        for unit in units:
            if game.units[unit].used:
                game.change(unit, used=False)
        arriving = tuple(unit for unit in units if can_arrive(game, unit))
        if arriving:
            game.push(Arrive(arriving))

    def resume(self, game: Game, result: Any) -> None:
        if self.ending:
            self.close(game)
        elif isinstance(result, Move):
            game.become_step(self.after(result))

    def after(self, move: Move) -> Operations:
        """8.0 A unit that spent points has moved; one that spent none may still do so later."""
        if not move.spent:
            return replace(self, declined=(*self.declined, move.unit))
        ready = (*self.ready, *self.declined)
        fought = self.fought or move.fought
        return replace(self, ready=ready, declined=(), begun=True, fought=fought)

    def actor(self, game: Game) -> Side:
        return self.side

    def prompt(self, game: Game) -> str:
        return "Select an activated unit to move and fight, or end the action phase."

    def caution(self, game: Game) -> str:
        return crowding(game, ": those too many when the phase ends are lost.")

    def actions(self, game: Game) -> Sequence[Action]:
        found: list[Action] = [
            Select(unit) for unit in self.ready if can_act(game, unit, self.storm)
        ]
        if not self.begun and holds(game, self.side, "extra-move"):
            found += [
                ExtraMove(unit)
                for unit in game.facts.of_side[self.side]
                if unit not in (*self.ready, *self.declined) and may_activate_unit(game, unit)
            ]
        return [*found, EndPhase()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Select(unit) if unit in self.declined:
                return Refusal(
                    "8.0", f"{game.name(unit)} was passed over; it may act after another unit has."
                )
            case Select(unit) if unit not in self.ready:
                return Refusal("8.0", f"{game.name(unit)} is not activated, or has moved already.")
            case Select(unit) if game.builder_of(unit):
                return Refusal("14.1", f"{game.name(unit)} is breaching a minefield this turn.")
            case Select(unit) if game.units[unit].at < 0:
                return Refusal("8.0", f"{game.name(unit)} is not on the map.")
            case Select(unit):
                return Refusal("8.0", f"{game.name(unit)} has no movement points.")
            case ExtraMove() if not holds(game, self.side, "extra-move"):
                return Refusal("13.2", "This needs an Extra Move chit.")
            case ExtraMove(unit) if not self.begun:
                return Refusal("13.2", f"{game.name(unit)} cannot be activated by Extra Move now.")
            case ExtraMove():
                return Refusal("13.2", "Extra Move is played before any unit moves or attacks.")
            case MoveTo(unit) | Attack(unit) | Exit(unit) | Done(unit):
                return Refusal("8.0", f"{game.name(unit)} is not the active unit; select it first.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Select(unit):
                left = tuple(each for each in self.ready if each != unit)
                game.become_step(replace(self, ready=left))
                game.push(Move(unit, self.storm))
            case ExtraMove(unit):
                spend(game, self.side, game.facts.tactical["extra-move"], "13.2")
                game.log(UnitActivated(unit, rule="13.2"))
                game.become_step(replace(self, ready=(*self.ready, unit)))
                self.activate(game, (unit,))
            case _:
                game.become_step(replace(self, ending=True))
                game.push(Overstacked())

    def close(self, game: Game) -> None:
        """13.7, 7.0 The phase is over; a promised attack that was not made counts as not played."""
        if self.promised and not self.fought:
            game.broken_word = True
            game.log(PromiseBroken(self.side, rule="13.7"))
        game.log(PhaseEnded(self.side, rule="7.0"))
        game.expire_orders()
        game.pop()
