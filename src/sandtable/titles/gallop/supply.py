"""XV Supply phases: who is in supply, truck convoys, aerial resupply, and recovery."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from sandtable.boards import bits, mask_of
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds, dice_sum
from sandtable.kernel.steps import Step
from sandtable.titles.gallop import air
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import Activate, Airlift, Convoy, Done
from sandtable.titles.gallop.flight import runners
from sandtable.titles.gallop.lines import (
    basic_length,
    by_divisions,
    convoy_dice,
    dependants,
    sharers,
    shortfall,
    supplied_units,
)
from sandtable.titles.gallop.state import Game


class Supply(Step["Game"], frozen=True):
    """XV.A Supply is judged before operations, and again for recovery (ruling R16)."""

    rule: ClassVar[str] = "XV.A.4"
    side: Side
    recovery: bool
    unable: tuple[UnitId, ...] = ()
    """Units a convoy has failed to reach in this phase: each may be tried once."""

    def actor(self, game: Game) -> Side:
        """The phasing player."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for convoys."""
        what = "Disrupted units to recover" if self.recovery else "units before they operate"
        return f"Send truck convoys ({game.convoys} left) to unsupplied {what}, or go on."

    def begin(self, game: Game) -> None:
        """XV.A.1, XV.A.2 Mark who is in supply."""
        fed = supplied_units(game, self.side, self.needy(game))
        starved: list[UnitId] = []
        for unit in game.on_map(self.side):
            ok = unit in fed
            if game.pieces[unit].supplied != ok:
                game.put(unit, supplied=ok)
            if not ok and not game.pieces[unit].hidden:
                starved.append(unit)
        if starved:
            game.log(ev.OutOfSupply(tuple(starved), rule="XV.A.2"))
        if len(self.actions(game)) == 1:
            self.finish(game)

    def needy(self, game: Game) -> list[UnitId]:
        """XV.B Those whom supply matters to: Disrupted ones for recovery, others before moving."""
        return [
            unit
            for unit in game.on_map(self.side)
            if game.pieces[unit].disrupted == self.recovery
            and (self.recovery or game.pieces[unit].active)
        ]

    def sleepers(self, game: Game) -> list[UnitId]:
        """XIII.E Units still asleep that the Gallop would wake and send on their way this turn."""
        if self.recovery or self.side == "axis" or game.galloped:
            return []
        return [
            unit
            for unit in runners(game)
            if not (game.pieces[unit].active or game.pieces[unit].disrupted)
        ]

    def hungry(self, game: Game) -> list[UnitId]:
        """The needy that are not in supply, and unsupplied units that would feed one of them."""
        needy = (*self.needy(game), *self.sleepers(game))
        unfed = {unit for unit in needy if not game.pieces[unit].supplied}
        if not unfed:
            return []
        return [
            unit
            for unit in game.on_map(self.side)
            if not game.pieces[unit].supplied
            and (unit in unfed or not unfed.isdisjoint(dependants(game, unit)))
        ]

    def can_convoy(self, game: Game, unit: UnitId) -> bool:
        """XV.A.4 A convoy may be sent where the dice could make the line long enough."""
        return (
            game.convoys > 0
            and unit not in self.unable
            and shortfall(game, unit) <= 6 * convoy_dice(game, unit)
        )

    def actions(self, game: Game) -> Sequence[Action]:
        """XV.A.4, XV.A.5 A convoy for each hungry unit in range, an airlift, or go on."""
        hungry = self.hungry(game)
        found: list[Action] = [Convoy(unit) for unit in hungry if self.can_convoy(game, unit)]
        if self.recovery and self.side == "axis" and air.can_fly(game, "axis"):
            hexes = mask_of(game.pieces[unit].hex for unit in hungry)
            found += [Airlift(Space(hex)) for hex in bits(hexes)]
        found += [Activate(unit) for unit in self.dozing(game)]
        return [*found, Done()]

    def dozing(self, game: Game) -> list[UnitId]:
        """V.B Units that may wake now to be sent a convoy."""
        if game.historical or self.recovery or self.side == "axis":
            return []
        return [
            unit
            for unit in game.on_map("allied")
            if not (piece := game.pieces[unit]).active
            and not (piece.supplied or piece.disrupted)
            and self.can_convoy(game, unit)
        ]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Why a convoy or airlift cannot go."""
        if isinstance(action, Convoy):
            return Refusal(
                "XV.A.4",
                f"No convoy can help {game.name(action.unit)}: it needs none now, was tried "
                f"already, no line is open to it, or no convoy is left.",
            )
        if isinstance(action, Activate):
            return Refusal(
                "V.A" if game.historical else "V.B",
                "Here only sleeping units that a convoy could help can be activated.",
            )
        if isinstance(action, Airlift):
            return Refusal(
                "X.B.2",
                "Luftwaffe Afrika, if it can still fly, resupplies a hex in the Axis recovery "
                "phase that helps unsupplied Disrupted Axis units.",
            )
        return None

    def apply(self, game: Game, action: Action) -> None:
        """Send a convoy or the air unit, or go on."""
        match action:
            case Convoy(unit):
                self.convoy(game, unit)
            case Airlift(hex):
                air.send(game, "axis", hex, "lift")
            case Activate(unit):
                game.activate(unit, "V.B")
            case _:
                self.finish(game)

    def resume(self, game: Game, result: Any) -> None:
        """XV.A.3 Back from an airlift, which feeds the neighbours of a German division too."""
        self.share(game)
        if len(self.actions(game)) == 1:
            self.finish(game)

    def convoy(self, game: Game, unit: UnitId) -> None:
        """XV.A.4 Roll for a convoy: does the extended line reach?"""
        game.convoys -= 1
        dice = (6,) * convoy_dice(game, unit)
        faces = game.roll("convoy", self.side, "XV.A.4", dice=dice, place=game.name(unit))
        hex = game.pieces[unit].hex
        if sum(faces) >= shortfall(game, unit):
            game.conclude("in supply")
            game.put(unit, supplied=True)
            game.log(ev.SupplyFound(unit, hex, "by convoy", rule="XV.A.4"))
            self.share(game, unit if self.side == "allied" else None)
            game.become_step(self)
        else:
            game.conclude("out of supply")
            game.log(ev.SupplyFailed(unit, hex, "by convoy", rule="XV.A.4"))
            game.become_step(Supply(self.side, self.recovery, (*self.unable, unit)))

    def share(self, game: Game, unit: UnitId | None = None) -> None:
        """XV.A.3, XV.A.4 What reaches an Allied unit, or any Axis ones, feeds its dependants."""
        if unit is None:
            fed = {u for u in game.on_map("axis") if game.pieces[u].supplied}
            others = [u for u in by_divisions(game, fed) if not game.pieces[u].supplied]
            how, number = "by its division", "XV.A.3"
        else:
            others = [u for u in sharers(game, unit) if not game.pieces[u].supplied]
            how, number = f"with {game.name(unit)}", "XV.A.4"
        for other in others:
            game.put(other, supplied=True)
            game.log(ev.SupplyFound(other, game.pieces[other].hex, how, rule=number))

    def finish(self, game: Game) -> None:
        """IX.E Supplied units recover in their owner's recovery phase."""
        if self.recovery:
            for unit in game.on_map(self.side):
                piece = game.pieces[unit]
                if piece.disrupted and piece.supplied:
                    game.put(unit, disrupted=False)
                    game.log(ev.Recovered(unit, piece.hex, rule="IX.E"))
        game.pop()

    def odds(self, game: Game, action: Action) -> Odds | None:
        """XV.A.4 The chance that a convoy gets through."""
        if not isinstance(action, Convoy):
            return None
        unit = action.unit
        number, needed = convoy_dice(game, unit), shortfall(game, unit)
        good = sum((p for pips, p in dice_sum(number).items() if pips >= needed), Fraction(0))
        base, worst = basic_length(game), (1,) * number
        chances = [Chance("in supply", good, (6,) * number, self.side)]
        if good < 1:
            chances.append(Chance("out of supply", 1 - good, worst, game.enemy(self.side)))
        return Odds(
            (
                Modifier("length of the line, MF", base + needed, "XV.A.2"),
                Modifier("basic supply line, MF", -base, "XV.A.2"),
                Modifier("dice added", number, "XV.A.3" if number > 1 else "XV.A.4"),
            ),
            tuple(chances),
        )


def begin_player_turn(game: Game, side: Side) -> None:
    """XV.A.2, XV.A.4 Convoys are back; in a sandstorm a die sets the length of lines."""
    game.convoys = game.facts.tables.supply.convoys.of(side)
    if game.weather == "sandstorm":
        (game.storm_die,) = game.roll("supply in the sandstorm", side, "XV.A.2")
        game.log(ev.LineSet(side, basic_length(game), rule="XV.A.2"))
