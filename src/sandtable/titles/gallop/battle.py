"""XIV.B.5, XIV.C A battle: no-retreat orders, the die, and what becomes of both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.steps import Step
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import Done, Stand
from sandtable.titles.gallop.reckoning import battle_odds, reckon
from sandtable.titles.gallop.retreat import Beaten, Rout, can_retreat
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.terrain import Attackers, defense, exposed

DEFENDERS = {"DE": "DE", "R2": "R2", "R1": "R1", "D": "D", "DAR": "D", "DAE": "D"}
ATTACKERS = {"AR": "AR", "DAR": "AR", "AE": "AE", "DAE": "AE"}
SOFTENED = {"R1": "D", "R2": "R1", "DE": "R2"}
"""XI.A.1 Results against a box or fort."""


class NoRetreat(Step["Game"], frozen=True):
    """XIV.B.5 The defender may forbid units with half the factors of a hex to retreat."""

    rule: ClassVar[str] = "XIV.B.5"
    interrupt: ClassVar[str] = "no-retreat"
    shown: ClassVar[bool] = True
    side: Side
    hexes: tuple[Space, ...]
    chosen: tuple[UnitId, ...] = ()

    def actor(self, game: Game) -> Side:
        """The defender."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for orders."""
        return f"Give NO RETREAT orders to units in {game.hex_name(self.hexes[0])}, or go on."

    def begin(self, game: Game) -> None:
        """Done when every hex has had its answer."""
        if not self.hexes:
            if self.chosen:
                game.log(ev.OrderedToStand(self.chosen, rule="XIV.B.5"))
            game.pop(self.chosen)

    def battle(self, game: Game) -> Battle:
        """The battle the orders are for."""
        return next(step for step in reversed(game.stack) if isinstance(step, Battle))

    def here(self, game: Game) -> list[UnitId]:
        """The units that are asked for now."""
        return game.stack_at(self.hexes[0])

    def enough(self, game: Game) -> bool:
        """XIV.B.5 No orders at all, or orders to at least half the terrain-modified factors."""
        units = self.here(game)
        ordered = [unit for unit in units if unit in self.chosen]
        if not ordered or len(ordered) == len(units):
            return True
        shares = defense(game, self.hexes[0], self.battle(game).joined).shares
        return 2 * sum(shares[unit] for unit in ordered) >= sum(shares.values())

    def actions(self, game: Game) -> Sequence[Action]:
        """Units without orders yet; to go on when they are enough."""
        found: list[Action] = [Stand(u) for u in self.here(game) if u not in self.chosen]
        return [*found, Done()] if self.enough(game) else found

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Orders must bind half of the hex."""
        if isinstance(action, Done):
            return Refusal("XIV.B.5", "Orders must go to at least half the factors in the hex.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        """Note an order, or go to the next hex."""
        now = self
        if isinstance(action, Stand):
            now = replace(self, chosen=(*self.chosen, action.unit))
            if not now.chosen_all(game):
                game.become_step(now)
                return
        game.swap(replace(now, hexes=self.hexes[1:]))

    def chosen_all(self, game: Game) -> bool:
        """Whether every unit of the hex has its orders."""
        return all(unit in self.chosen for unit in self.here(game))

    def odds(self, game: Game, action: Action) -> Odds | None:
        """The battle's chances, once the last hex is answered."""
        if not isinstance(action, Done) or len(self.hexes) > 1:
            return None
        battle = self.battle(game)
        reckoning = reckon(game, battle.targets, battle.joined)
        if reckoning is None:
            return None
        return battle_odds(game, replace(reckoning, ordered=self.chosen), battle.side)

    def standing(self, game: Game, setting: str) -> Action | None:
        """Standing orders: never stand, or always."""
        waiting = [unit for unit in self.here(game) if unit not in self.chosen]
        return Stand(waiting[0]) if setting == "always" and waiting else Done()


class Battle(Step["Game"], frozen=True):
    """XIV.C.2 A battle: orders, the die, the defenders' fate, then the attackers'."""

    rule: ClassVar[str] = "XIV.C.2"
    side: Side
    targets: tuple[Space, ...]
    joined: tuple[tuple[UnitId, int], ...]
    result: str = ""
    attackers_done: bool = False

    def begin(self, game: Game) -> None:
        """Ask the defender for orders first."""
        game.push(NoRetreat(game.enemy(self.side), self.targets))

    def resume(self, game: Game, result: Any) -> None:
        """After the orders roll; after the defenders' retreats come the attackers'."""
        if not self.result:
            self.roll(game, tuple(result))
        elif not self.attackers_done:
            game.become_step(replace(self, attackers_done=True))
            self.beat_attackers(game)
        else:
            strain(game, [unit for unit, _ in self.joined])
            game.pop(self.targets)

    def roll(self, game: Game, orders: tuple[UnitId, ...]) -> None:
        """XIV.C.2, GCRT One die under the final odds."""
        reckoning = reckon(game, self.targets, self.joined)
        assert reckoning is not None
        place = game.hex_name(self.targets[0])
        (face,) = game.roll("attack", self.side, "XIV.C.2", place=place)
        result = game.facts.gcrt[reckoning.column][face - 1]
        game.conclude(result)
        game.become_step(replace(self, result=result))
        away = whence(game, self.joined)
        if ATTACKERS.get(result) == "AE":
            for unit in self.exposed(game):
                game.eliminate(unit, result, "GCRT")
        beaten = self.beat_defenders(game, DEFENDERS.get(result, "-"), orders, away)
        game.push(Rout(self.side, beaten))

    def beat_defenders(
        self, game: Game, result: str, orders: tuple[UnitId, ...], away: tuple[Space, ...]
    ) -> tuple[Beaten, ...]:
        """XIV.C.2, XI.A.1, XIV.B.5, XIV.D.3, XIV.D.5 What the result does to each defender."""
        if result == "-":
            return ()
        lost: list[tuple[UnitId, str]] = []
        beaten: list[Beaten] = []
        for hex in self.targets:
            for unit in game.stack_at(hex):
                kind, fixed, number = fate(game, unit, result, unit in orders, away)
                if kind == "DE":
                    lost.append((unit, number))
                    continue
                tired = game.pieces[unit].disrupted
                bound = unit in orders
                must = {"R2": 2, "R1": 1}.get(kind, 0)
                may = 0 if bound else {"R1": 0 if tired else 1, "D": 1 if tired else 2}.get(kind, 0)
                beaten.append(Beaten(unit, kind, must, may, hex, away, fixed))
        for unit, number in lost:
            game.eliminate(unit, result, number)
        for each in beaten:
            game.disrupt(each.unit, result, "GCRT")
        return tuple(beaten)

    def exposed(self, game: Game) -> list[UnitId]:
        """XI.D The attackers still there whom a bad result can harm."""
        return [unit for unit, _ in exposed(game, self.joined, self.targets)]

    def beat_attackers(self, game: Game) -> None:
        """XIV.C.2 Attackers retreat after the defenders; those eliminated have gone before."""
        beaten: tuple[Beaten, ...] = ()
        if ATTACKERS.get(self.result) == "AR":
            beaten = tuple(
                Beaten(unit, "AR", 1, 1, game.pieces[unit].hex, self.targets)
                for unit in self.exposed(game)
            )
        game.push(Rout(game.enemy(self.side), beaten))


def strain(game: Game, units: Sequence[UnitId]) -> None:
    """XV.B, ruling R44 Attacking out of supply Disrupts a unit, even if only dummies were there."""
    for unit in units:
        if game.pieces[unit].hex >= 0 and not game.pieces[unit].supplied:
            game.disrupt(unit, "attacked out of supply", "XV.B")


def whence(game: Game, attackers: Attackers) -> tuple[Space, ...]:
    """XIV.D.2 The hexes that attack, from which defenders retreat."""
    return tuple(sorted({game.pieces[unit].hex for unit, _ in attackers}))


def fate(
    game: Game, unit: UnitId, result: str, ordered: bool, away: tuple[Space, ...]
) -> tuple[str, bool, str]:
    """XI.A.1, XIV.B.5, XIV.D.3, XIV.D.5 A defender's own result, if compulsory, and its rule."""
    kind, fixed, number = result, False, "GCRT"
    if game.in_works(unit) and kind in SOFTENED:
        kind, fixed = SOFTENED[kind], kind != "R1"
    if kind == "DE" and unit in game.facts.survivors and not ordered:
        kind, number = "R2", "XIV.D.5"
    if ordered and kind in ("R1", "R2"):
        kind, number = ("D" if kind == "R1" else "DE"), "XIV.B.5"
    hex = game.pieces[unit].hex
    if kind == "R2" and not can_retreat(game, Beaten(unit, "R2", 2, 0, hex, away), hex, 2):
        kind, number = "DE", "XIV.D.3"
    return kind, fixed and kind in ("R1", "R2"), number
