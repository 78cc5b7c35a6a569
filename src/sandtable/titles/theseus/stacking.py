"""5.3 Stacking limits, overstacking and displacement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, ClassVar

from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.rules import rule
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import Displace, Remove
from sandtable.titles.theseus.schema import AXIS, INFANTRY, SIDES
from sandtable.titles.theseus.state import Game


def fits(game: Game, units: Iterable[int], side: int) -> bool:
    """5.3.1 Whether combat units are within the side's stacking limit."""
    cards = game.card
    if side == AXIS:
        infantry = armour = 0
        for unit in units:
            card = cards[unit]
            if card.free_stacking:
                continue
            if card.type in INFANTRY:
                infantry += 1
            else:
                armour += 1
        return infantry <= 1 and armour <= 2
    halves: set[str] = set()
    leg = every = 0
    for unit in units:
        card = cards[unit]
        if card.free_stacking:
            continue
        if card.counts_as:
            if card.counts_as in halves:
                continue
            halves.add(card.counts_as)
        every += 1
        leg += card.leg_infantry
    return every <= 2 and leg <= 1


@rule
def stacking(game: Game, hex: int) -> bool:
    """5.3.1 Axis: one infantry, two tank or recce, any Flak and engineers; Commonwealth: two units, one of them leg infantry; one HQ."""  # noqa: E501
    stack = game.at.get(hex, ())
    if len(stack) < 2:
        return True
    hqs = sum(piece >= game.data.count for piece in stack)
    units = game.combat_units(hex)
    return hqs <= 1 and fits(game, units, game.side(stack[0]))


def excess(game: Game, units: Sequence[int], side: int) -> int:
    """5.3.1 How many units must go before the others fit."""
    for going in range(len(units)):
        if any(fits(game, rest, side) for rest in combinations(units, len(units) - going)):
            return going
    return len(units)


def surplus(game: Game, hex: int) -> list[int]:
    """5.3.3 The units whose removal brings the stack nearer to its limit."""
    units = game.combat_units(hex)
    side = game.side(units[0])
    many = excess(game, units, side)
    return [u for u in units if excess(game, [o for o in units if o != u], side) < many]


def open_hexes(game: Game, hex: int, side: int) -> int:
    """5.3.3 Adjacent hexes a unit can be displaced into: no enemy, no unbreached enemy mines."""
    here = game.situation
    return game.data.beside[hex] & ~here.occupied[1 - side] & ~here.mines[1 - side]


class Overstack(Step[Game], frozen=True):
    """5.3.1, 5.3.3 Settle an overstacked hex: disruption, losses, displacement by the enemy."""

    rule: ClassVar[str] = "5.3.1"
    interrupt: ClassVar[str] = "displacement"

    hexes: tuple[int, ...]
    retreating: tuple[int, ...] = ()
    """7.5.2.2 Units that came here in a retreat and lose a Strength Point each."""
    struck: bool = False

    @property
    def hex(self) -> int:
        return self.hexes[0]

    def begin(self, game: Game) -> None:
        if not self.hexes:
            game.pop()
        elif self.hex not in game.at or stacking(game, self.hex):
            game.swap(Overstack(self.hexes[1:]))
        elif not self.struck:
            self.strike(game)
            game.swap(Overstack(self.hexes, (), True))
        else:
            self.displace_hq(game)

    def resume(self, game: Game, result: Any) -> None:
        game.swap(self)

    def strike(self, game: Game) -> None:
        """5.3.1, 7.5.2.2 All units disrupt, disrupted ones lose strength, crowded HQs support."""
        game.log(ev.Overstacked(Space(self.hex), rule="5.3.1"))
        stack = game.at[self.hex]
        hqs = [piece for piece in stack if game.data.is_hq(piece)]
        units = game.combat_units(self.hex)
        if units and not fits(game, units, game.side(units[0])):
            for unit in units:
                if game.pieces[unit].disrupted:
                    game.lose(unit, 1, "5.3.1")
                else:
                    game.disrupt(unit, "5.3.1")
            for unit in self.retreating:
                if game.pieces[unit].hex == self.hex:
                    game.lose(unit, 1, "7.5.2.2")
        if len(hqs) > 1:
            for hq in hqs:
                if game.pieces[hq].hex == self.hex:
                    game.reduce_support(hq, "5.3.1")

    def displace_hq(self, game: Game) -> None:
        """5.3.1 Surplus HQs go first; their owner displaces them."""
        if self.hex not in game.at:
            game.swap(Overstack(self.hexes[1:]))
            return
        hqs = [piece for piece in game.at[self.hex] if game.data.is_hq(piece)]
        if len(hqs) > 1:
            game.push(HqDisplacement(tuple(hq - game.data.count for hq in hqs)))

    def actor(self, game: Game) -> Side:
        side = game.side(game.at[self.hex][0])
        return SIDES[1 - side if open_hexes(game, self.hex, side) else side]

    def prompt(self, game: Game) -> str:
        where = game.hexname(self.hex)
        if open_hexes(game, self.hex, game.side(game.at[self.hex][0])):
            return f"Displace an enemy unit from {where}, which holds too many."
        return f"Remove a unit from {where}, which holds too many."

    def actions(self, game: Game) -> Sequence[Action]:
        units = surplus(game, self.hex)
        side = game.side(units[0])
        hexes = bits(open_hexes(game, self.hex, side))
        listed: list[Action] = []
        for unit in units:
            room = [hex for hex in hexes if fits(game, (*game.combat_units(hex), unit), side)]
            # 5.3.3: a full hex only if no other is to be had.
            listed += [Displace(UnitId(unit), Space(hex)) for hex in room or hexes]
        if not listed:
            listed = [Remove(UnitId(unit)) for unit in units]
        return listed[:1] if game.static(SIDES.index(self.actor(game))) else listed

    def standing(self, game: Game, setting: str) -> Action | None:
        return self.actions(game)[0]

    def apply(self, game: Game, action: Action) -> None:
        more = self.hexes
        if isinstance(action, Remove):
            game.eliminate(action.unit, "5.3.3")
        elif isinstance(action, Displace):
            game.place(action.unit, action.hex)
            game.lapse(action.hex)  # Ruling R94.
            game.log(ev.Displaced(action.unit, action.hex, rule="5.3.3"))
            game.come_to(action.hex, game.side(action.unit))
            more = (*more, action.hex)
            push_alarm(game, action.hex, game.side(action.unit), Overstack(more, (), True))
            return
        game.swap(Overstack(more, (), True))


def push_alarm(game: Game, hex: int, side: int, then: Step[Game]) -> None:
    """5.3.2 Go on with a step, but first displace lone enemy HQs beside a hex just entered."""
    alarmed = lone_hqs_beside(game, hex, side)
    game.swap(then)
    if alarmed:
        game.push(Displacements(alarmed))


def lone_hqs_beside(game: Game, hex: int, side: int) -> tuple[int, ...]:
    """5.3.2, 7.3.5 Enemy formations whose HQ is alone next to a hex, not beyond a sea hexside."""
    here = game.situation
    alone = here.occupied[1 - side] & ~here.combat[1 - side] & game.data.beside[hex]
    if not alone:
        return ()
    return tuple(piece - game.data.count for each in bits(alone) for piece in game.at[each])


class Displacements(Step[Game], frozen=True):
    """5.3.2 Displace several HQs one after the other."""

    rule: ClassVar[str] = "5.3.2"

    formations: tuple[int, ...]

    def actor(self, game: Game) -> Side:
        return SIDES[0]

    def begin(self, game: Game) -> None:
        if not self.formations:
            game.pop()
            return
        game.swap(Displacements(self.formations[1:]))
        game.push(HqDisplacement(self.formations[:1]))

    def resume(self, game: Game, result: Any) -> None:
        game.swap(self)


class HqDisplacement(Step[Game], frozen=True):
    """5.3.2 Place an HQ on the nearest combat unit of its formation; its owner chooses in a tie."""

    rule: ClassVar[str] = "5.3.2"
    interrupt: ClassVar[str] = "displacement"

    formations: tuple[int, ...]
    """One HQ, or those of an overcrowded hex, one of which must go."""

    def begin(self, game: Game) -> None:
        if not self.actions(game):
            # Ruling R53: with nowhere to go the HQ is removed.
            hq = game.data.hq_of(self.formations[-1])
            if game.pieces[hq].hex >= 0:
                game.retire(self.formations[-1], "5.3.2")
            game.pop()

    def actor(self, game: Game) -> Side:
        return SIDES[game.side(game.data.hq_of(self.formations[0]))]

    def prompt(self, game: Game) -> str:
        return f"Displace {' or '.join(game.name(game.data.hq_of(f)) for f in self.formations)}."

    def actions(self, game: Game) -> Sequence[Action]:
        listed = [
            Displace(UnitId(game.data.hq_of(formation)), Space(hex))
            for formation in self.formations
            for hex in havens(game, formation)
        ]
        return listed[:1] if game.static(SIDES.index(self.actor(game))) else listed

    def standing(self, game: Game, setting: str) -> Action | None:
        return self.actions(game)[0]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Displace)
        game.place(action.unit, action.hex)
        game.log(ev.Displaced(action.unit, action.hex, rule="5.3.2"))
        game.come_to(action.hex, game.side(action.unit))
        game.reduce_support(action.unit, "5.3.2")
        game.lower_level(action.unit - game.data.count)
        game.pop()


def havens(game: Game, formation: int) -> list[int]:
    """5.3.2 The nearest hexes an HQ can be displaced to."""
    data = game.data
    hq = data.hq_of(formation)
    here, side = game.pieces[hq].hex, game.side(hq)
    if here < 0:
        return []
    mines = game.situation.mines

    def without_hq(hexes: Iterable[int]) -> list[int]:
        return [h for h in hexes if not any(data.is_hq(p) for p in game.at.get(h, ()))]

    def nearest(hexes: Sequence[int]) -> list[int]:
        least = min((data.distance(here, hex) for hex in hexes), default=0)
        return sorted(hex for hex in hexes if data.distance(here, hex) == least)

    units = {game.pieces[p].hex for p in game.formation_pieces(formation) if p < data.count}
    free = without_hq(hex for hex in units if not (mines[0] | mines[1]) >> hex & 1)
    if free:
        return nearest(free)
    # Ruling R53: beside one of its units; without any, beside the nearest friendly combat unit.
    barred = game.situation.occupied[1 - side] | mines[1 - side] | 1 << here
    beside = {
        hex: without_hq(bits(data.beside[hex] & ~barred))
        for hex in units or bits(game.situation.combat[side] & ~(1 << here))
    }
    friends = [hex for hex, free in beside.items() if free]
    free = [hex for friend in (friends if units else nearest(friends)) for hex in beside[friend]]
    # 3.3 An HQ keeps out of enemy ZOC where no combat unit of its own side covers it.
    exposed = game.situation.zoc[1 - side] & ~game.situation.combat[side]
    return sorted({hex for hex in free if not exposed >> hex & 1} or set(free))
