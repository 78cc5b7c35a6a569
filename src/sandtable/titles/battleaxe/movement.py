"""9.0 Movement in an Assault Impulse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from sandtable.boards.bits import spots
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.sheets import Leg
from sandtable.kernel.steps import Step
from sandtable.titles.battleaxe import combat, losses, overruns, values
from sandtable.titles.battleaxe.actions import Activate, Attack, EndImpulse, Move
from sandtable.titles.battleaxe.data import ALLIED, AXIS, SIDES
from sandtable.titles.battleaxe.events import Declared, Moved
from sandtable.titles.battleaxe.state import Game

ALL_MF = 99


def entry_cost(game: Game, side: int, to: Space) -> int:
    """9.2, 15.1 The Movement Factors it takes to enter a space; `ALL_MF` for a Zone."""
    if game.is_zone(to):
        return ALL_MF
    enemies = game.units_in(1 - side, to)
    if enemies:
        return 3 if all(game.units[enemy].reduced for enemy in enemies) else 4
    threatened = game.data.near[to] & game.data.areas & game.occupied[1 - side]
    return 2 if threatened else 1


def price(game: Game, side: int, unit: UnitId, spent: int, to: Space) -> int | None:
    """9.2 What a unit pays to enter a space, or None if it cannot afford it.

    A unit that has spent nothing may always enter by spending everything; a Zone takes everything.
    """
    left = game.mf(unit) - spent
    cost = entry_cost(game, side, to)
    if spent == 0 and left > 0:
        return min(cost, left)
    return cost if cost <= left else None


class Asked(NamedTuple):
    """A move that somebody asks for."""

    game: Game
    step: Assault
    unit: UnitId
    to: Space

    @property
    def start(self) -> Space:
        return self.game.units[self.unit].space


@rule
def not_held_back(ask: Asked) -> bool:
    """16.0 This division may not move or attack until it is released."""
    return not ask.game.held_back(ask.unit)


@rule
def activated(ask: Asked) -> bool:
    """9.1.1 Only units that began the Impulse in an Active Area may move."""
    return bool(ask.step.activated >> ask.unit & 1)


@rule
def not_of_the_first_area(ask: Asked) -> bool:
    """9.1.2 Units of the first Area have finished once a second is activated after them."""
    return not ask.step.finished >> ask.unit & 1


@rule
def not_fought(ask: Asked) -> bool:
    """11.0 A unit that has attacked may not move afterwards."""
    return not ask.step.fought >> ask.unit & 1


@rule
def stops_among_enemies(ask: Asked) -> bool:
    """9.2 A unit that entered an Area with enemies must stop there."""
    return all(unit != ask.unit for unit, _ in ask.step.came)


@rule
def one_at_a_time(ask: Asked) -> bool:
    """9.1 Units move one at a time, and this one has finished its move."""
    return not ask.step.done >> ask.unit & 1


@rule
def has_movement(ask: Asked) -> bool:
    """9.1 A unit moves by its Movement Factor, and this one has none."""
    return ask.game.mf(ask.unit) > 0


@rule
def no_escarpment(ask: Asked) -> bool:
    """9.3.2 Units may never cross an Escarpment."""
    return not ask.game.data.beyond_scarp[ask.start] >> ask.to & 1


@rule
def connected(ask: Asked) -> bool:
    """9.3.3 Movement into and out of Zones follows the connection lines only."""
    zones = ask.game.is_zone(ask.start) or ask.game.is_zone(ask.to)
    return not zones or bool(ask.game.data.near[ask.start] >> ask.to & 1)


@rule
def adjacent(ask: Asked) -> bool:
    """3.1 A unit may move only to an adjacent Area."""
    return bool(ask.game.data.near[ask.start] >> ask.to & 1)


@rule
def not_yet_attacked(ask: Asked) -> bool:
    """9.2.1 Once an Area was attacked, no more units may enter it in the same Impulse."""
    return not ask.step.attacked >> ask.to & 1


@rule
def room(ask: Asked) -> bool:
    """9.3.1 No unit may enter an Area that holds four friendly units."""
    return not ask.game.full(ask.step.side, ask.to)


@rule
def leaves_to_free(ask: Asked) -> bool:
    """9.3.4 A unit in a Contested Area must first move to a Free Area."""
    contested = ask.game.contested() >> ask.start & 1
    return not contested or bool(ask.game.free_for(ask.step.side) >> ask.to & 1)


@rule
def whole_movement_for_a_zone(ask: Asked) -> bool:
    """9.2 A Zone takes the whole Movement Factor, and the unit has spent some of it."""
    spent = ask.unit == ask.step.mover and ask.step.spent > 0
    return not (spent and ask.game.is_zone(ask.to))


@rule
def affordable(ask: Asked) -> bool:
    """9.2 The unit does not have enough Movement Factors left."""
    spent = ask.step.spent if ask.unit == ask.step.mover else 0
    return price(ask.game, ask.step.side, ask.unit, spent, ask.to) is not None


MOVE_RULES = (
    not_held_back,
    activated,
    not_of_the_first_area,
    not_fought,
    stops_among_enemies,
    one_at_a_time,
    has_movement,
    no_escarpment,
    connected,
    adjacent,
    not_yet_attacked,
    room,
    leaves_to_free,
    whole_movement_for_a_zone,
    affordable,
)


class Assault(Step["Game"], frozen=True):
    """8.1.1, 9.1 The Assault Impulse: units of the Active Areas move and attack.

    Sets of units and of spaces are whole numbers with one bit each.
    """

    rule: ClassVar[str] = "8.1.1"
    shown: ClassVar[bool] = True

    side: int
    active: int
    activated: int
    """Units activated in this Impulse; none activates twice (9.1.2)."""
    contested: int
    """Spaces that were contested when the Impulse began (11.1, 11.3, 10.1.4)."""
    second: bool = False
    """Whether a second Area may still be activated (9.1.2)."""
    acted: bool = False
    """Whether a unit has acted since the latest activation, so that a second is sequential."""
    finished: int = 0
    """Units of a first Area after a second was activated sequentially."""
    done: int = 0
    fought: int = 0
    attacked: int = 0
    mover: UnitId = UnitId(-1)
    spent: int = 0
    came: tuple[tuple[UnitId, Space], ...] = ()
    """Where the units came from that entered an Area with enemies (11.6)."""

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        must = self.must_attack(game)
        if must:
            return f"Attack {game.data.called(must[0])}, or move more units there first."
        active = ", ".join(game.data.called(Space(at)) for at in spots(self.active))
        return f"Move and attack with the units from {active}, or end the Impulse."

    def actions(self, game: Game) -> Sequence[Action]:
        found: list[Action] = [*self._moves(game), *self._attacks(game)]
        if self.second and not game.fuel_low:
            found += [Activate(space) for space in self.activatable(game)]
        if not self.must_attack(game):
            found.append(EndImpulse())
        return found

    def _moves(self, game: Game) -> list[Action]:
        """The fast way to the moves that keep all MOVE_RULES."""
        side, data = self.side, game.data
        closed = self.attacked | game.full_areas(side)
        enemies = game.occupied[1 - side]
        free = game.free_for(side)
        found: list[Action] = []
        costs: dict[int, int] = {}
        for at in spots(self.activated & ~(self.done | self.fought | self.finished)):
            unit = UnitId(at)
            spent = self.spent if unit == self.mover else 0
            left = game.mf(unit) - spent
            if left <= 0:
                continue
            start = game.units[unit].space
            targets = data.near[start] & ~closed
            if enemies >> start & 1:
                targets &= free
            for to in spots(targets):
                if spent:
                    cost = costs.get(to)
                    if cost is None:
                        cost = costs[to] = entry_cost(game, side, Space(to))
                    if cost > left:
                        continue
                found.append(Move(unit, Space(to)))
        return found

    def _attacks(self, game: Game) -> list[Action]:
        """11.0, 11.2 Every Area that may be attacked, with every unit that may lead."""
        enemies = game.occupied[1 - self.side]
        targets: dict[Space, list[UnitId]] = {}
        for at in spots(self.activated & ~(self.fought | self.finished)):
            space = game.units[at].space
            if space >= 0 and enemies >> space & 1 and not self.attacked >> space & 1:
                targets.setdefault(space, []).append(UnitId(at))
        return [
            Attack(space, lead)
            for space, units in targets.items()
            for lead in combat.possible_leads(game, units, bool(self.contested >> space & 1))
        ]

    def must_attack(self, game: Game) -> list[Space]:
        """11.1 Areas that were entered, hold enemies and were not Contested before."""
        found: list[Space] = []
        for unit, _ in self.came:
            space = game.units[unit].space
            if space >= 0 and game.occupied[1 - self.side] >> space & 1:
                settled = (self.attacked | self.contested) >> space & 1
                if not settled and space not in found:
                    found.append(space)
        return found

    def activatable(self, game: Game) -> list[Space]:
        """9.1.2 Areas that Combined Operations may activate as well."""
        if self.must_attack(game):
            return []
        return [
            space
            for space in spaces_to_activate(game, self.side)
            if not self.active >> space & 1 and fresh_units(game, self.side, space, self.activated)
        ]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Move(unit, to):
                if game.side_of(unit) != self.side or game.units[unit].space < 0:
                    return Refusal("9.1", "This unit is not yours to move, or not on the map.")
                broken = first_broken(MOVE_RULES, Asked(game, self, unit, to))
                name = game.data.unit_facts[unit].id
                where = game.data.called(to)
                return broken.refusal(f"{name} cannot move to {where}") if broken else None
            case Attack(space, lead):
                return self._attack_refusal(game, space, lead)
            case Activate():
                return self._activation_refusal(game, action.space)
            case EndImpulse():
                where = game.data.called(self.must_attack(game)[0])
                return Refusal("11.1", f"Units that entered {where} must attack there first.")
        return None

    def _attack_refusal(self, game: Game, space: Space, lead: UnitId) -> Refusal | None:
        where = game.data.called(space)
        name = game.data.unit_facts[lead].id
        if not game.occupied[1 - self.side] >> space & 1:
            return Refusal("11.0", f"There are no enemies in {where} to attack.")
        if self.attacked >> space & 1:
            return Refusal("11.0", f"{where} was attacked in this Impulse already (ruling R59).")
        if game.side_of(lead) != self.side or game.units[lead].space != space:
            return Refusal("11.0", f"{name} is not one of your units in {where}.")
        if game.held_back(lead):
            return not_held_back.refusal(f"{name} cannot attack")
        if not self.activated >> lead & 1:
            return Refusal("11.0", f"{name} did not begin the Impulse in an Active Area.")
        if self.finished >> lead & 1:
            return Refusal("9.1.2", f"{name} belongs to the Area that has finished.")
        if self.fought >> lead & 1:
            return Refusal("11.0", f"{name} has attacked in this Impulse.")
        return Refusal("10.3", f"{name} cannot lead an attack while other units could.")

    def _activation_refusal(self, game: Game, space: Space) -> Refusal | None:
        where = game.data.called(space)
        if self.side == ALLIED:
            return Refusal("9.1.2", "Only the Axis conducts Combined Operations.")
        if game.fuel_low:
            return Refusal("14.1.1", "No Combined Operations during a Fuel Shortage.")
        if not self.second:
            return Refusal("9.1.2", "Combined Operations activate two Areas, not more.")
        if self.must_attack(game):
            return Refusal("11.1", "Units that entered an Area with enemies must attack first.")
        return Refusal("9.1.2", f"{where} has no units that could be activated.")

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Move(unit, to):
                self._move(game, unit, to)
            case Attack(space, lead):
                game.become_step(replace(self, acted=True))
                game.push(self._battle(game, space, lead))
            case Activate(space):
                game.log(Declared(SIDES[self.side], "activate", (space,), rule="9.1.2"))
                # Combined at once, both Areas act together; later, the first has finished.
                game.become_step(
                    replace(
                        self,
                        active=1 << space if self.acted else self.active | 1 << space,
                        activated=self.activated | fresh_units(game, AXIS, space, self.activated),
                        finished=self.activated if self.acted else 0,
                        second=False,
                        acted=False,
                    )
                )
            case EndImpulse():
                game.log(Declared(SIDES[self.side], "end", rule="8.0"))
                game.pop("assault")

    def _move(self, game: Game, unit: UnitId, to: Space) -> None:
        spent = self.spent if unit == self.mover else 0
        start = game.units[unit].space
        cost = price(game, self.side, unit, spent, to)
        assert cost is not None
        game.log(Moved(unit, start, to, cost, rule="9.1"))
        game.place(unit, to)
        done = self.done
        if self.mover >= 0 and self.mover != unit:
            done |= 1 << self.mover
        came = self.came
        if game.occupied[1 - self.side] >> to & 1:
            done |= 1 << unit
            came = (*came, (unit, start))
        game.become_step(
            replace(self, mover=unit, spent=spent + cost, done=done, came=came, acted=True)
        )

    def fighters(self, game: Game, space: Space) -> list[UnitId]:
        """11.1 Who can still attack in an Area: activated in this Impulse, and not fought yet."""
        return [
            unit
            for unit in game.units_in(self.side, space)
            if (self.activated & ~(self.fought | self.finished)) >> unit & 1
        ]

    def _battle(self, game: Game, space: Space, lead: UnitId) -> Step[Game]:
        fighters = self.fighters(game, space)
        before = bool(self.contested >> space & 1)
        return combat.declare(game, self.side, space, lead, fighters, before, self.came)

    def resume(self, game: Game, result: losses.Finished) -> None:
        """11.4.4 After a combat, and after what an Overrun brought."""
        step = replace(
            self,
            attacked=self.attacked | result.attacked,
            fought=self.fought | result.fought,
        )
        game.become_step(step)
        if result.overran:
            game.push(
                overruns.Overrun(
                    side=self.side,
                    home=result.space,
                    units=result.overran,
                    contested=step.contested,
                    attacked=step.attacked,
                    waiting=step.activated & ~(step.fought | step.finished),
                    came=step.came,
                    air=result.air,
                    rommel=result.rommel,
                )
            )

    def way(self, game: Game, action: Action) -> Sequence[Leg]:
        if not isinstance(action, Move):
            return ()
        spent = self.spent if action.unit == self.mover else 0
        cost = price(game, self.side, action.unit, spent, action.space)
        here, there = game.units[action.unit].space, action.space
        names = game.data.spaces
        return (Leg(names[here].id, "0"), Leg(names[there].id, f"{cost} MF"))

    def odds(self, game: Game, action: Action) -> Odds | None:
        if not isinstance(action, Attack):
            return None
        step = self._battle(game, action.space, action.lead)
        assert isinstance(step, combat.Muster | combat.LeadDefender)
        return values.forecast(game, step.battle)


def spaces_to_activate(game: Game, side: int) -> list[Space]:
    """8.1.1 Areas and Zones with units that may act."""
    return [Space(at) for at in spots(game.occupied[side]) if fresh_units(game, side, Space(at), 0)]


def fresh_units(game: Game, side: int, space: Space, activated: int) -> int:
    """9.1.2, 16.0 The units in a space that may be activated: once, and not held back."""
    found = 0
    for unit in game.units_in(side, space):
        if not activated >> unit & 1 and not game.held_back(unit):
            found |= 1 << unit
    return found
