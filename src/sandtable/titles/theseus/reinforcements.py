"""9.4 Reinforcements: placement at the map edge and a free Movement Action each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import Assign, Done, Enter
from sandtable.titles.theseus.challenges import assignable
from sandtable.titles.theseus.facts import FormationId
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH, SIDES
from sandtable.titles.theseus.stacking import Displacements, lone_hqs_beside
from sandtable.titles.theseus.state import POOL, Game


def waiting(game: Game, side: int) -> list[int]:
    """9.4 Units due by now and not yet on the map, postponed ones included; HQs first."""
    due = [
        piece
        for piece, turn in game.script.arrival.items()
        if turn <= game.turn and game.pieces[piece].hex == POOL and game.side(piece) == side
    ]
    return sorted(due, reverse=True)


def entry_hexes(game: Game, piece: int) -> list[int]:
    """9.4.1 Own unblocked Major sources out of EZOCs; failing those, the nearest map edge."""
    data, here = game.data, game.situation
    side = game.side(piece)
    sources = data.sources[side]
    barred = here.zoc[1 - side] | here.occupied[1 - side]
    free = sources & ~barred
    for hex in game.blocked:
        free &= ~(1 << hex)
    if free:
        return bits(free)
    edge = data.edge & ~sources & ~here.mines[1 - side] & ~here.occupied[1 - side]
    edge &= ~data.board.spread(here.occupied[1 - side])
    parent = game.pieces[piece].parent
    if not data.is_hq(piece) and parent >= 0:
        reach = data.hqs[parent].command
        edge &= here.command_layers(game, parent, reach)[reach]
    if not edge:
        return []
    distance = {
        hex: min(data.distance(hex, source) for source in bits(sources)) for hex in bits(edge)
    }
    nearest = min(distance.values())
    return [hex for hex, steps in distance.items() if steps == nearest]


def begin_formation(game: Game, formation: int) -> None:
    """9.4.3 A new formation begins at its maximum level."""
    game.levels[formation] = game.data.hqs[formation].level


class Reinforcements(Step[Game], frozen=True):
    """9.4, 9.4.1 Bring units on one by one, the Commonwealth first; the rest is postponed."""

    rule: ClassVar[str] = "9.4"

    side: int

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        return "Bring on a reinforcement, or postpone the rest to the next turn."

    def joinable(self, game: Game, unit: int) -> list[int]:
        """5.5.2, 9.4.1 Formations an independent reinforcement may be assigned to beforehand."""
        if not assignable(game, unit) or game.pieces[unit].parent >= 0:
            return []
        return [f for f in sorted(game.data.may_join[unit]) if game.hex_of_hq(f) >= 0]

    def ready(self, game: Game, piece: int) -> bool:
        """5.5.2 An independent unit must be assigned before it enters; units follow their HQ."""
        parent = game.pieces[piece].parent
        if game.data.is_hq(piece):
            return True
        if parent < 0:
            return not assignable(game, piece)
        return game.hex_of_hq(parent) >= 0

    def actions(self, game: Game) -> Sequence[Action]:
        listed: list[Action] = []
        for piece in waiting(game, self.side):
            joinable = self.joinable(game, piece)
            listed += [Assign(UnitId(piece), FormationId(each)) for each in joinable]
            if self.ready(game, piece):
                listed += [Enter(UnitId(piece), Space(h)) for h in entry_hexes(game, piece)]
        listed.append(Done())
        return listed

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        match action:
            case Enter(unit=unit, hex=hex):
                if unit not in waiting(game, self.side):
                    return Refusal("9.4", f"{game.name(unit)} is not due, or not yours.")
                if not self.ready(game, unit):
                    # Ruling R79: its HQ comes before a unit.
                    rule = "5.5.2" if game.pieces[unit].parent < 0 else "9.4"
                    return Refusal(rule, f"{game.name(unit)} needs a formation with an HQ first.")
                return Refusal("9.4.1", f"{game.hexname(hex)} is not open to reinforcements.")
            case Assign(unit=unit):
                return Refusal("5.5.2", f"{game.name(unit)} cannot be assigned there now.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Assign(unit=unit, formation=formation):
                game.alter(unit, parent=formation)
                only = SIDES[self.side]
                game.log(ev.Assigned(unit, formation, rule="9.4.1", only=only))
            case Enter(unit=unit, hex=hex):
                game.place(unit, hex)
                game.entered = (*game.entered, unit)
                game.log(ev.Entered(unit, hex, rule="9.4.1"))
                game.come_to(hex, self.side)
                if game.data.is_hq(unit):
                    begin_formation(game, unit - game.data.count)
                alarmed = lone_hqs_beside(game, hex, self.side)
                game.push(Movement(self.side, (unit,), "reinforcement", reactable=False))
                if alarmed and not game.data.is_hq(unit):
                    game.push(Displacements(alarmed))
            case Done():
                if self.side == COMMONWEALTH:
                    game.swap(Reinforcements(AXIS))
                else:
                    from sandtable.titles.theseus.sequence import Operations

                    game.swap(Operations())

    def resume(self, game: Game, result: Any) -> None:
        """9.4.2 After the free movement the next unit may come."""
