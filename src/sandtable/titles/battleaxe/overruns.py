"""11.4.4 Overrun: the victors activate again, into one adjacent Area."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from sandtable.boards.bits import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.steps import Step
from sandtable.titles.battleaxe.actions import (
    Advance,
    Attack,
    EndImpulse,
)
from sandtable.titles.battleaxe.combat import LeadDefender, Muster, declare, possible_leads
from sandtable.titles.battleaxe.data import SIDES
from sandtable.titles.battleaxe.events import (
    Declared,
    Moved,
)
from sandtable.titles.battleaxe.losses import Finished
from sandtable.titles.battleaxe.state import Game
from sandtable.titles.battleaxe.values import forecast


class Overrun(Step["Game"], frozen=True):
    """11.4.4 Units that overran an Area activate again, into one adjacent Area."""

    rule: ClassVar[str] = "11.4.4"
    shown: ClassVar[bool] = True

    side: int
    home: Space
    units: int
    """The units that may still advance."""
    contested: int
    attacked: int
    waiting: int
    """Other units of the Impulse that may still attack: they join where the advance attacks."""
    target: Space = Space(-1)
    came: tuple[tuple[UnitId, Space], ...] = ()
    air: bool = False
    """10.1.3 Whether the first combat used Air Support, which may then come again."""
    rommel: bool = False

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        if self.target < 0:
            where = game.data.called(self.home)
            return f"The units that overran {where} may go on to one more Area."
        where = game.data.called(self.target)
        if self.must_attack(game):
            return f"Send more units to {where}, or attack there."
        return f"Send more units to {where}, or end the advance."

    def begin(self, game: Game) -> None:
        if self.actions(game) == [EndImpulse()]:
            game.pop(Finished(self.home, 0, 0))

    def fighters(self, game: Game) -> list[UnitId]:
        """Everybody who attacks with the advance: those who came now, and those who waited."""
        came = {unit for unit, _ in self.came if game.units[unit].space == self.target}
        return [
            unit
            for unit in game.units_in(self.side, self.target)
            if self.waiting >> unit & 1 or unit in came
        ]

    def must_attack(self, game: Game) -> bool:
        """11.1 Whether the advance ran into enemies in an Area that was not Contested."""
        entered = self.target >= 0 and game.occupied[1 - self.side] >> self.target & 1
        return bool(entered) and not self.contested >> self.target & 1

    def actions(self, game: Game) -> Sequence[Action]:
        found: list[Action] = [
            Advance(UnitId(at), Space(to))
            for at in bits(self.units)
            if game.mf(UnitId(at)) > 0
            for to in bits(self.targets(game))
        ]
        if self.target >= 0 and game.occupied[1 - self.side] >> self.target & 1:
            before = bool(self.contested >> self.target & 1)
            leads = possible_leads(game, self.fighters(game), before)
            found += [Attack(self.target, lead) for lead in leads]
        if not self.must_attack(game):
            found.append(EndImpulse())
        return found

    def targets(self, game: Game) -> int:
        """9.2.1, 9.3.1 The spaces the advance may enter, Movement Factors aside."""
        near = game.data.near[self.home] & ~self.attacked
        if self.target >= 0:
            near &= 1 << self.target
        return sum(1 << to for to in bits(near) if not game.full(self.side, Space(to)))

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Advance(unit, to):
                game.log(Moved(unit, self.home, to, 0, rule="11.4.4"))
                game.place(unit, to)
                came = (*(each for each in self.came if each[0] != unit), (unit, self.home))
                game.become_step(
                    replace(self, target=to, units=self.units & ~(1 << unit), came=came)
                )
            case Attack(lead=lead):
                game.push(self._battle(game, lead))
            case EndImpulse():
                game.log(Declared(SIDES[self.side], "halt", rule="11.4.4"))
                game.pop(Finished(self.home, 0, 0))

    def _battle(self, game: Game, lead: UnitId) -> Muster | LeadDefender:
        before = bool(self.contested >> self.target & 1)
        return declare(
            game, self.side, self.target, lead, self.fighters(game), before, self.came, after=self
        )

    def resume(self, game: Game, result: Finished) -> None:
        game.pop(Finished(result.space, result.attacked, result.fought))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Advance(unit, to):
                return self._advance_refusal(game, unit, to)
            case EndImpulse():
                return Refusal("11.1", "Units that entered an Area with enemies must attack.")
        return None

    def _advance_refusal(self, game: Game, unit: UnitId, to: Space) -> Refusal:
        name, where = game.data.unit_facts[unit].id, game.data.called(to)
        if not self.units >> unit & 1:
            return Refusal("11.4.4", f"{name} is not free to go on after this Overrun.")
        if not game.mf(unit):
            return Refusal("9.1", f"{name} has no Movement Factor.")
        if game.data.beyond_scarp[self.home] >> to & 1:
            return Refusal("9.3.2", f"{name} cannot cross an Escarpment.")
        if not game.data.near[self.home] >> to & 1:
            return Refusal("3.1", f"{where} is not adjacent to {game.data.called(self.home)}.")
        if self.attacked >> to & 1:
            return Refusal("9.2.1", f"{where} was attacked in this Impulse.")
        if game.full(self.side, to):
            return Refusal("9.3.1", f"{where} holds four units.")
        return Refusal("11.4.4", "An Overrun goes on into one Area, the same for all.")

    def odds(self, game: Game, action: Action) -> Odds | None:
        if not isinstance(action, Attack):
            return None
        return forecast(game, self._battle(game, action.lead).battle)
