"""13.0 The Refit Phase: replacements, recovery, and the Advantage spent on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from sandtable.boards.bits import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.battleaxe.actions import (
    EndRefit,
    ExtraReplacement,
    Rebuild,
    Recover,
    Refit,
    Reserves,
    TigerCubs,
)
from sandtable.titles.battleaxe.data import ALLIED, AXIS, SIDES
from sandtable.titles.battleaxe.events import Rebuilt
from sandtable.titles.battleaxe.logistics import in_supply, supplied_spaces, surrender_checks
from sandtable.titles.battleaxe.state import ELIMINATED, Game, Unit


class RefitPhase(Step["Game"], frozen=True):
    """6.3, 13.1, 13.2, 13.4 One side spends its Replacement Points; what is left is lost."""

    rule: ClassVar[str] = "13.1"
    shown: ClassVar[bool] = True

    side: int
    points: int = 1
    second_flip: bool = False
    """Whether a point half spent still flips a second unit (13.3.2)."""
    reserves: int = 0
    """19.4 Zones whose free refit was used."""
    cubs: bool = False

    def begin(self, game: Game) -> None:
        if self.actions(game) == [EndRefit()]:
            self.apply(game, EndRefit())

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        parts = [f"{self.points} Replacement Point{'' if self.points == 1 else 's'} left"]
        if self.second_flip:
            parts.append("one more unit may be flipped for the point just spent")
        return f"Refit: {', '.join(parts)}."

    def actions(self, game: Game) -> Sequence[Action]:
        supplied = supplied_spaces(game, self.side)
        reduced = self.reduced_in_supply(game, supplied)
        found: list[Action] = []
        if self.points or self.second_flip:
            found += [Refit(unit) for unit in reduced]
        if self.points:
            found += self._rebuilds(game, supplied)
        if game.advantage == self.side:
            found.append(ExtraReplacement())
            if self.side == ALLIED and game.options["advantage_uses"]:
                found += [TigerCubs(unit) for unit in reduced if tank(game, unit) and not self.cubs]
        if self.side == ALLIED and game.options["reserves"]:
            found += [Reserves(unit) for unit in reduced if self.has_reserves(game, unit)]
        return [*found, EndRefit()]

    def reduced_in_supply(self, game: Game, supplied: int) -> list[UnitId]:
        """13.3.1 Reduced-Strength units that can trace supply."""
        return [
            UnitId(at)
            for at, one in enumerate(game.units)
            if one.reduced
            and one.space >= 0
            and game.data.side_of[at] == self.side
            and in_supply(game, UnitId(at), supplied)
        ]

    def has_reserves(self, game: Game, unit: UnitId) -> bool:
        """19.4 One unit in Zone A and one in Zone H may refit for free."""
        space = game.units[unit].space
        return space in (game.data.buq_buq, game.data.tobruk) and not self.reserves >> space & 1

    def _rebuilds(self, game: Game, supplied: int) -> list[Action]:
        return [
            Rebuild(UnitId(at), Space(to))
            for at, one in enumerate(game.units)
            if one.space == ELIMINATED and game.data.side_of[at] == self.side
            for to in bits(rebuild_spaces(game, UnitId(at), supplied))
        ]

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Refit(unit):
                game.restore(unit, "13.3.2")
                if self.second_flip:
                    game.become_step(replace(self, second_flip=False))
                else:
                    game.become_step(replace(self, points=self.points - 1, second_flip=True))
            case Rebuild(unit, space):
                game.units[unit] = Unit(ELIMINATED, reduced=True)
                game.log(Rebuilt(unit, space, rule="13.3.2"))
                game.place(unit, space)
                game.become_step(replace(self, points=self.points - 1))
            case ExtraReplacement():
                game.spend_advantage(self.side, "Increased Replacements", "12.1F")
                game.become_step(replace(self, points=self.points + 1))
            case TigerCubs(unit):
                game.spend_advantage(self.side, "Additional Tiger Cubs", "19.1G")
                game.restore(unit, "19.1G")
                game.become_step(replace(self, cubs=True))
            case Reserves(unit):
                game.restore(unit, "19.4")
                zone = 1 << game.units[unit].space
                game.become_step(replace(self, reserves=self.reserves | zone))
            case EndRefit():
                # 13.4 Points left over are lost.
                game.swap(RefitPhase(AXIS) if self.side == ALLIED else BattlefieldRecovery())

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Rebuild(unit, space):
                return self._rebuild_refusal(game, unit, space)
            case ExtraReplacement():
                return Refusal("12.1F", "You do not hold the Advantage.")
            case Refit(unit) | TigerCubs(unit) | Reserves(unit):
                return self._flip_refusal(game, action, unit)
        return None

    def _flip_refusal(self, game: Game, action: Action, unit: UnitId) -> Refusal:
        name = game.data.unit_facts[unit].id
        one = game.units[unit]
        if game.side_of(unit) != self.side or one.space < 0 or not one.reduced:
            return Refusal("13.3.2", f"{name} is not a Reduced-Strength unit of yours on the map.")
        if not in_supply(game, unit):
            return Refusal("13.3.1", f"{name} cannot trace a supply line.")
        if isinstance(action, TigerCubs):
            return Refusal("19.1G", "Tiger Cubs need the option, the Advantage and a tank unit.")
        if isinstance(action, Reserves):
            return Refusal("19.4", "Reserves need the option: one unit each in Zones A and H.")
        return Refusal("13.2", "No Replacement Point is left.")

    def _rebuild_refusal(self, game: Game, unit: UnitId, space: Space) -> Refusal:
        name = game.data.unit_facts[unit].id
        if game.side_of(unit) != self.side or game.units[unit].space != ELIMINATED:
            return Refusal("13.3.2", f"{name} is not an eliminated unit of yours.")
        if not self.points:
            return Refusal("13.2", "No Replacement Point is left.")
        if game.full(self.side, space):
            return Refusal("7.1", f"{game.data.called(space)} holds four units.")
        number = "13.3.3" if self.side == ALLIED else "13.3.4"
        where = game.data.called(space)
        if game.holder(space) != self.side:
            why = f"{where} is in enemy hands"
        elif unit in game.data.garrison and space != game.data.tobruk:
            why = "the garrison comes back in Tobruk alone"
        elif self.side == ALLIED and space == game.data.tobruk:
            why = "only the garrison comes back in Tobruk"
        elif game.contested() >> space & 1:
            why = f"{where} is contested"
        else:
            why = f"{where} is not in supply"
        return Refusal(number, f"{name} cannot be rebuilt there: {why}.")


def rebuild_spaces(game: Game, unit: UnitId, supplied: int) -> int:
    """13.3.3, 13.3.4 Where an eliminated unit may come back: supplied, ours and uncontested.

    The garrison of Tobruk comes back in Zone H alone, and nobody else does.
    """
    side = game.side_of(unit)
    tobruk = 1 << game.data.tobruk
    if side == ALLIED:
        if unit in game.data.garrison:
            return supplied & tobruk
        supplied &= ~tobruk
    spaces = supplied & ~game.contested()
    return sum(1 << space for space in bits(spaces) if not game.full(side, Space(space)))


def tank(game: Game, unit: UnitId) -> bool:
    """13.3.5, 19.1G, 17.2 Armored units; armored cars too, unless an option says tanks only."""
    facts = game.data.unit_facts[unit]
    return facts.kind == "armor" if game.options["tanks_only"] else facts.armored


class BattlefieldRecovery(Step["Game"], frozen=True):
    """13.3.5 At the end of the Axis Refit one German armored unit recovers for free."""

    rule: ClassVar[str] = "13.3.5"

    def actor(self, game: Game) -> Side:
        return SIDES[AXIS]

    def prompt(self, game: Game) -> str:
        return "Recover one German armoured unit for free."

    def actions(self, game: Game) -> Sequence[Action]:
        supplied = supplied_spaces(game, AXIS)
        units = RefitPhase(AXIS).reduced_in_supply(game, supplied)
        return [
            *(Recover(unit) for unit in units if game.data.german[unit] and tank(game, unit)),
            EndRefit(),
        ]

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Recover):
            game.restore(action.unit, "13.3.5")
        surrender_checks(game)
        game.pop("refit")

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, Recover):
            name = game.data.unit_facts[action.unit].id
            return Refusal("13.3.5", f"{name} is not a Reduced German armoured unit in supply.")
        return None
