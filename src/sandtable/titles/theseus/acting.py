"""7.1, 7.2 Choosing actions for the units that are activated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import (
    Attack,
    AttackWith,
    Breach,
    DigIn,
    End,
    Move,
    MoveStack,
    Refit,
    Top,
)
from sandtable.titles.theseus.combat import Combat, FormAttack
from sandtable.titles.theseus.combat_odds import attack_odds
from sandtable.titles.theseus.effectiveness import Checks, check_labels
from sandtable.titles.theseus.forecasts import die_odds
from sandtable.titles.theseus.minefields import (
    BreachAttempt,
    breach_labels,
    breach_modifiers,
    can_breach,
)
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.restrictions import restriction
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.situation import IN_COMMAND
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import new_battle
from sandtable.titles.theseus.victory import solo_final, solo_won


class Acting(Step[Game], frozen=True):
    """7.1, 7.2 Choose an action for the activated units, as long as points are left."""

    rule: ClassVar[str] = "7.2"
    interrupt: ClassVar[str] = "bonus"

    side: int
    formation: int
    """-1 for an unassigned unit or a stack of several formations."""
    units: tuple[int, ...] = ()
    """7.5.3 The only units that may act, if not all of the formation."""
    bonus: int = 0
    own_points: bool = True
    reactable: bool = True
    single: bool = False
    """6.4 One action without Action Points."""
    topped: tuple[int, ...] = ()

    @property
    def is_bonus(self) -> bool:
        """7.5.3 Whether these are bonus points for a Battle Victory."""
        return bool(self.units) and not self.single

    def points(self, game: Game) -> int:
        """6.3.4 What can still be spent."""
        if self.single:
            return 99
        return self.bonus + (game.ap[self.side] if self.own_points else 0)

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        if self.single:
            return f"Choose one action for {game.name(self.units[0])}."
        if self.is_bonus:
            also = f" and {game.ap[self.side]} of the formation's own" if self.own_points else ""
            return f"Battle Victory: spend {self.bonus} bonus AP{also} with the victors, or end."
        name = game.data.hqs[self.formation].short
        return f"Choose an action for {name}: {game.ap[self.side]} AP left."

    def begin(self, game: Game) -> None:
        if not self.can_go_on(game):
            self.close(game)

    def resume(self, game: Game, result: Any) -> None:
        if game.script.solo >= 0 and solo_won(game):
            solo_final(game)
        elif self.single or (self.is_bonus and self.bonus <= 0) or not self.can_go_on(game):
            self.close(game)

    def can_go_on(self, game: Game) -> bool:
        """7.2 Whether points and pieces are left."""
        return self.points(game) > 0 and bool(self.pieces(game))

    def close(self, game: Game) -> None:
        """7.2 The activation ends; what is unused is lost."""
        if not self.is_bonus:
            game.set_points(self.side, 0)
        game.pop()

    def pieces(self, game: Game) -> list[int]:
        """5.5.1 The pieces that may act."""
        if self.units:
            return [unit for unit in self.units if not self.not_ours(game, unit)]
        return game.formation_pieces(self.formation)

    def cost(self, game: Game, piece: int) -> int:
        """5.8.3, 7 A move or Hasty Attack costs one point, two while Out of Command."""
        if self.single:
            return 0
        return 1 if game.situation.state(game, piece) == IN_COMMAND else 2

    # What each piece may do. Each test returns the refusal, or None.

    def no_move(self, game: Game, piece: int) -> Refusal | None:
        """5.6.3, 6.3.4 Whether a piece may begin a Movement Action."""
        name = game.name(piece)
        refused = self.not_ours(game, piece)
        if refused:
            return refused
        if game.pieces[piece].disrupted:
            return Refusal("5.6.3", f"{name} is disrupted and cannot conduct a Movement Action.")
        kind = restriction(game, game.pieces[piece].parent)
        if kind in ("stay", "attack_only"):
            return Refusal(game.script.file.rule, f"{name} may not move yet by its orders.")
        if self.points(game) < self.cost(game, piece):
            return Refusal("6.3.4", f"{name} needs {self.cost(game, piece)} AP to move.")
        return None

    def no_attack(self, game: Game, unit: int, target: int) -> Refusal | None:
        """7.5.1.A Whether a unit may attack a hex."""
        name = game.name(unit)
        refused = self.not_ours(game, unit)
        if refused:
            return refused
        if game.data.is_hq(unit):
            return Refusal("7.5", f"{name} cannot attack: an HQ takes no part in combat.")
        if game.pieces[unit].disrupted:
            return Refusal("5.6.3", f"{name} is disrupted and cannot attack.")
        if not game.situation.combat[1 - self.side] >> target & 1:
            return Refusal("7.5.1.A", f"No enemy combat unit is known in {game.hexname(target)}.")
        if not game.data.beside[game.pieces[unit].hex] >> target & 1:
            return Refusal("7.5.1.A", f"{game.hexname(target)} cannot be attacked from there.")
        if self.points(game) < self.cost(game, unit):
            return Refusal("6.3.4", f"{name} needs {self.cost(game, unit)} AP to attack.")
        return None

    def no_refit(self, game: Game, unit: int) -> Refusal | None:
        """7.6 Whether a unit may try to recover."""
        name = game.name(unit)
        refused = self.not_ours(game, unit) or self.ordered_off(game, unit)
        if refused:
            return refused
        if not game.pieces[unit].disrupted:
            return Refusal("7.6", f"{name} is not disrupted.")
        return self.out_of_reach(game, unit, 1)

    def no_breach(self, game: Game, unit: int) -> Refusal | None:
        """7.4 Whether a unit may try to breach."""
        refused = self.not_ours(game, unit) or self.ordered_off(game, unit)
        if refused:
            return refused
        if game.data.is_hq(unit) or not can_breach(game, unit):
            return Refusal(
                "7.4",
                f"{game.name(unit)} cannot breach: only infantry or KG Hecker in an unbreached "
                "enemy minefield can.",
            )
        if game.pieces[unit].disrupted:
            return Refusal("5.6.3", f"{game.name(unit)} is disrupted; it may only refit.")
        return self.out_of_reach(game, unit, game.data.tables.action_costs.breach)

    def no_improvement(self, game: Game, hex: int) -> Refusal | None:
        """7.7 Whether the units of a hex may improve their defence: all of them or none."""
        units = game.combat_units(hex)
        where = game.hexname(hex)
        if not units or game.side(units[0]) != self.side:
            return Refusal("7.7", f"No unit of yours can improve its defence in {where}.")
        if game.situation.mines[self.side] >> hex & 1:
            return Refusal("7.1", f"{where} is an unbreached minefield of yours and needs none.")
        if hex in game.improved:
            return Refusal("7.7", f"The units in {where} are in Improved Defence already.")
        if not self.one_formation(game, units):
            return Refusal("7.7", f"Units of several formations stand in {where}.")
        for unit in units:
            if game.pieces[unit].disrupted:
                return Refusal("5.6.3", f"{game.name(unit)} is disrupted.")
            refused = (
                self.not_ours(game, unit)
                or self.ordered_off(game, unit)
                or self.out_of_reach(game, unit, 1)
            )
            if refused:
                return refused
        return None

    def not_ours(self, game: Game, piece: int) -> Refusal | None:
        """5.5.1 Only units of the activated formation act; after a victory victors In Command."""
        state = game.pieces[piece]
        what = "not of the activated formation"
        if state.hex >= 0 and (
            piece in self.units if self.units else state.parent == self.formation
        ):
            if not self.is_bonus or game.situation.in_command(game, piece):
                return None
            what = "Out of Command"
        elif self.is_bonus:
            what = "not one of the victors"
        rule = "7.5.3" if self.is_bonus else "5.5.1"
        return Refusal(rule, f"{game.name(piece)} cannot act: it is {what}.")

    def ordered_off(self, game: Game, piece: int) -> Refusal | None:
        """3.5 A formation that may act only to attack."""
        if restriction(game, game.pieces[piece].parent) != "attack_only":
            return None
        return Refusal(game.script.file.rule, f"{game.name(piece)} may only attack by its orders.")

    def out_of_reach(self, game: Game, unit: int, cost: int) -> Refusal | None:
        """5.8.3 Out of Command units may only move or attack hastily; others need the points."""
        if game.pieces[unit].parent >= 0 and game.situation.state(game, unit) != IN_COMMAND:
            left = "it may only move or attack hastily"
            if game.pieces[unit].disrupted:
                left = "disrupted as it is, it cannot act"
            return Refusal("5.8.3", f"{game.name(unit)} is not In Command; {left}.")
        if self.points(game) < cost:
            return Refusal("6.3.4", f"That costs {cost} AP.")
        return None

    # Listing.

    def actions(self, game: Game) -> Sequence[Action]:
        return list(self.each(game))

    def each(self, game: Game) -> Iterator[Action]:
        """7.1 Every action the activated units can begin now."""
        pieces = self.pieces(game)
        data, here = game.data, game.situation
        enemies = here.combat[1 - self.side]
        hexes: dict[int, list[int]] = {}
        for piece in pieces:
            hexes.setdefault(game.pieces[piece].hex, []).append(piece)
        for hex, stack in hexes.items():
            movers = [piece for piece in stack if not self.no_move(game, piece)]
            for piece in movers:
                yield Move(UnitId(piece))
            if len(movers) > 1 and self.one_formation(game, movers):
                yield MoveStack(Space(hex))
            targets = bits(data.beside[hex] & enemies)
            if targets:
                yield from self.attacks(game, hex, stack, targets)
            for piece in stack:
                if data.is_hq(piece):
                    continue
                if game.pieces[piece].disrupted:
                    if not self.no_refit(game, piece):
                        yield Refit(UnitId(piece))
                elif here.mines[1 - self.side] >> hex & 1 and not self.no_breach(game, piece):
                    yield Breach(UnitId(piece))
            if not self.no_improvement(game, hex):
                yield DigIn(Space(hex))
            for piece in game.combat_units(hex):
                if self.can_top(game, piece):
                    yield Top(UnitId(piece))
        yield End()

    def attacks(
        self, game: Game, hex: int, stack: list[int], targets: list[int]
    ) -> Iterator[Action]:
        """7.5.1.A Attacks out of a hex: with every able unit, or with some."""
        able = [unit for unit in stack if not self.no_attack(game, unit, targets[0])]
        if not able:
            return
        groups = {game.pieces[unit].parent for unit in able}
        for target in targets:
            if len(groups) == 1:
                yield Attack(Space(hex), Space(target))
            if len(able) > 1:
                for unit in able:
                    yield AttackWith(UnitId(unit), Space(target))

    def one_formation(self, game: Game, pieces: Sequence[int]) -> bool:
        """7.3.1 Only units of one formation move together."""
        return len({game.pieces[piece].parent for piece in pieces}) == 1

    def can_top(self, game: Game, piece: int) -> bool:
        """5.3.1 A side stacks its units in any order; each is offered once an activation (R95)."""
        if game.data.is_hq(piece) or piece in self.topped or self.single:
            return False
        stack = game.at[game.pieces[piece].hex]
        return not game.data.is_hq(stack[0]) and stack[0] != piece

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Move(unit=unit):
                return self.no_move(game, unit)
            case AttackWith(unit=unit, target=target):
                return self.no_attack(game, unit, target)
            case Attack(hex=hex, target=target):
                here = [unit for unit in self.pieces(game) if game.pieces[unit].hex == hex]
                stack = sorted(here, key=lambda unit: self.readiness(game, unit))
                if not stack:
                    where = game.hexname(hex)
                    return Refusal("7.5.1.A", f"No unit of yours can attack from {where}.")
                return self.no_attack(game, stack[0], target)
            case Refit(unit=unit):
                return self.no_refit(game, unit)
            case Breach(unit=unit):
                return self.no_breach(game, unit)
            case DigIn(hex=hex):
                return self.no_improvement(game, hex)
            case Top():
                return Refusal(
                    "5.3.1",
                    "Units are put on top in the hexes of an activated formation, each once in an "
                    "activation, and not over an HQ.",
                )
        return None

    def readiness(self, game: Game, piece: int) -> tuple[bool, bool]:
        """Sorts the units of a stack so that the one fittest to attack explains a refusal."""
        return game.data.is_hq(piece), game.pieces[piece].disrupted

    def odds(self, game: Game, action: Action) -> Odds | None:
        by = SIDES[self.side]
        match action:
            case Refit(unit=unit):
                labels = check_labels(game, unit, "passes", "fails")
                return die_odds(game, labels, (), by)
            case Breach(unit=unit):
                labels = breach_labels(game, unit)
                return die_odds(game, labels, breach_modifiers(game, unit), by)
            case Attack(hex=hex, target=target):
                units = self.attackers(game, hex, target)
                return attack_odds(game, new_battle(game, self.side, units, hex, target))
            case AttackWith(unit=unit, target=target):
                hex = Space(game.pieces[unit].hex)
                return attack_odds(game, new_battle(game, self.side, (unit,), hex, target))
        return None

    def attackers(self, game: Game, hex: int, target: int) -> tuple[int, ...]:
        """7.5.1.A All units in a hex that can attack another."""
        return tuple(
            unit
            for unit in self.pieces(game)
            if game.pieces[unit].hex == hex and not self.no_attack(game, unit, target)
        )

    def standing(self, game: Game, setting: str) -> Action | None:
        """7.5.3 Only a defender's bonus comes in the other side's turn."""
        return End() if self.is_bonus and not self.own_points else None

    def pay(self, game: Game, points: int) -> None:
        """6.3.4, 7.5.3 Spend points, the bonus first."""
        if not self.single:
            from_bonus = min(points, self.bonus)
            game.spend(self.side, points - from_bonus)
            game.become_step(replace(self, bonus=self.bonus - from_bonus))

    def apply(self, game: Game, action: Action) -> None:
        costs = game.data.tables.action_costs
        match action:
            case End():
                self.close(game)
            case Top(unit=unit):
                game.bring_to_top(unit)
                game.become_step(replace(self, topped=(*self.topped, unit)))
            case Move(unit=unit):
                self.pay(game, self.cost(game, unit))
                game.lapse(game.pieces[unit].hex)
                game.push(Movement(self.side, (unit,), reactable=self.reactable))
            case MoveStack(hex=hex):
                units = tuple(
                    piece
                    for piece in self.pieces(game)
                    if game.pieces[piece].hex == hex and not self.no_move(game, piece)
                )
                self.pay(game, max(self.cost(game, unit) for unit in units))
                game.lapse(hex)
                game.push(Movement(self.side, units, reactable=self.reactable))
            case Attack(hex=hex, target=target):
                units = self.attackers(game, hex, target)
                self.pay(game, self.cost(game, units[0]))
                game.push(Combat(new_battle(game, self.side, units, hex, target)))
            case AttackWith(unit=unit, target=target):
                self.pay(game, self.cost(game, unit))
                game.push(FormAttack(self.side, (unit,), target))
            case Breach(unit=unit):
                self.pay(game, costs.breach)
                game.lapse(game.pieces[unit].hex)
                game.push(BreachAttempt(unit))
            case Refit(unit=unit):
                self.pay(game, costs.refit)
                game.push(RefitAttempt(unit))
            case DigIn(hex=hex):
                self.pay(game, costs.improved_defence)
                game.improved = (*game.improved, hex)
                game.log(ev.DefenceImproved(hex, rule="7.7"))
                self.resume_here(game)

    def resume_here(self, game: Game) -> None:
        """7.2 Go on after an action that needs no step of its own."""
        step = game.step
        assert isinstance(step, Acting)
        step.resume(game, None)


class RefitAttempt(Step[Game], frozen=True):
    """7.6 An Effectiveness Check to recover from disruption; failure costs nothing more."""

    rule: ClassVar[str] = "7.6"

    unit: int

    def actor(self, game: Game) -> Side:
        return SIDES[game.side(self.unit)]

    def begin(self, game: Game) -> None:
        game.push(Checks((self.unit,), "7.6"))

    def resume(self, game: Game, result: Any) -> None:
        if not result:
            game.recover(self.unit, "7.6")
        game.pop()
