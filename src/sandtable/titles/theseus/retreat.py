"""7.5.2.2, 7.5.2.3 Retreats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import (
    RetreatTo,
)
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.stacking import Overstack, fits
from sandtable.titles.theseus.state import Game


def retreat_hexes(
    game: Game, units: Sequence[int], forced: bool, visited: tuple[int, ...]
) -> list[int]:
    """7.5.2.2, 7.5.2.3 Where units must retreat to next; several where it is the owner's choice."""
    data, here = game.data, game.situation
    at = game.pieces[units[0]].hex
    side = game.side(units[0])
    ways = data.board.spread(1 << at, data.open_exits)
    hqs = 0
    for formation, hq in enumerate(data.hqs):
        if hq.side == SIDES[1 - side] and game.hex_of_hq(formation) >= 0:
            hqs |= 1 << game.hex_of_hq(formation)
    ways &= ~(here.occupied[1 - side] | here.mines[1 - side] | data.board.spread(hqs))
    found = [hex for hex in bits(ways) if hex not in visited]
    ezoc = here.zoc[1 - side]
    if not forced:
        found = [hex for hex in found if not ezoc >> hex & 1]
    if not found:
        return []
    home = data.home[side]

    def rank(hex: int) -> tuple[bool, bool, int]:
        """7.5.2.2 Avoiding losses comes first, then the way home."""
        crowded = not fits(game, (*game.combat_units(hex), *units), side)
        return bool(ezoc >> hex & 1), crowded, home[hex]

    best = min(map(rank, found))
    return [hex for hex in found if rank(hex) == best]


class Retreat(Step[Game], frozen=True):
    """7.5.2.2, 7.5.2.3 Units go back hex by hex. Pops the hexes a voluntary retreat fell short."""

    rule: ClassVar[str] = "7.5.2.2"
    interrupt: ClassVar[str] = "losses"

    units: tuple[int, ...]
    hexes: int
    forced: bool
    visited: tuple[int, ...] = ()

    def actor(self, game: Game) -> Side:
        return SIDES[game.side(self.units[0])]

    def prompt(self, game: Game) -> str:
        hexes = "1 hex" if self.hexes == 1 else f"{self.hexes} hexes"
        return f"Retreat {game.names(self.units)}: {hexes} to go."

    def begin(self, game: Game) -> None:
        if not self.visited and self.units:
            at = game.pieces[self.units[0]].hex
            game.become_step(replace(self, visited=(at,)))
            replace(self, visited=(at,)).go_on(game)
        else:
            self.go_on(game)

    def go_on(self, game: Game) -> None:
        """7.5.2.3 Stop when done; units that cannot make a Forced Retreat lose two points a hex."""
        if not self.hexes or not self.units:
            self.end_here(game)
            game.pop(0)
        elif not retreat_hexes(game, self.units, self.forced, self.visited):
            self.end_here(game)
            if self.forced:
                barred = tuple(UnitId(unit) for unit in self.units)
                game.log(ev.RetreatBarred(barred, rule="7.5.2.3"))
                for unit in self.units:
                    game.lose(unit, 2 * self.hexes, "7.5.2.3")
                game.pop(0)
            else:
                game.pop(self.hexes)

    def end_here(self, game: Game) -> None:
        """7.7 Those who are dug in where a retreat ends are so no longer."""
        if self.units and len(self.visited) > 1:
            game.lapse(self.visited[-1])

    def actions(self, game: Game) -> Sequence[Action]:
        found = retreat_hexes(game, self.units, self.forced, self.visited)
        if game.static(game.side(self.units[0])):
            found = found[:1]
        return [RetreatTo(Space(hex)) for hex in found]

    def standing(self, game: Game, setting: str) -> Action | None:
        return self.actions(game)[0]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, RetreatTo):
            return Refusal(
                "7.5.2.2",
                f"{game.hexname(action.hex)} is not on the way: retreats avoid losses first, then "
                "lead towards the nearest own Major supply source or map edge.",
            )
        return None

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, RetreatTo)
        hex = action.hex
        side = game.side(self.units[0])
        penalty = game.situation.zoc[1 - side] >> hex & 1
        for unit in reversed(
            [p for p in game.at[game.pieces[self.units[0]].hex] if p in self.units]
        ):
            game.place(unit, hex, passing=len(self.visited) > 1)
        if any(game.pieces[unit].disrupted for unit in self.units):
            game.lapse(hex)  # 5.6.3
        moved = tuple(UnitId(unit) for unit in self.units)
        rule = "7.5.2.3" if self.forced else "7.5.2.2"
        game.log(ev.Retreated(moved, hex, rule=rule))
        game.come_to(hex, side)
        if penalty:
            for unit in self.units:
                game.lose(unit, 1, "7.5.2.3")
        units = tuple(unit for unit in self.units if game.pieces[unit].hex == hex)
        step = replace(self, units=units, hexes=self.hexes - 1, visited=(*self.visited, hex))
        if units and not fits(game, game.combat_units(hex), side):
            game.become_step(step)
            game.push(Overstack((hex,), units))
        else:
            game.swap(step)

    def resume(self, game: Game, result: Any) -> None:
        # Ruling R55: a unit displaced on the way has ended its retreat.
        hex = self.visited[-1]
        units = tuple(unit for unit in self.units if game.pieces[unit].hex == hex)
        game.swap(replace(self, units=units))
