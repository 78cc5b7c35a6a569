"""XIV.B.6 The siege of Tobruk: a garrison face down, spread anew before each Axis player-turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sandtable.boards import bits, mask_of
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.kernel.words import counted
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import Besiege, Done, Post
from sandtable.titles.gallop.march import Ground, march
from sandtable.titles.gallop.stacking import too_many
from sandtable.titles.gallop.state import FACE_UP, OFF_MAP, TURNED, UNKNOWN, Game


def garrison(game: Game) -> list[UnitId]:
    """XIV.B.6 The Allied units within the perimeter, divisions first, then the free dummies."""
    inside = [u for u in game.on_map("allied") if game.facts.fortress >> game.pieces[u].hex & 1]
    inside.sort(key=lambda unit: not game.book[unit].division)
    return [*inside, *(d for d in game.facts.dummies if game.pieces[d].hex == OFF_MAP)]


def may_be_attacked(game: Game) -> bool:
    """XIV.B.6 Whether an undisrupted Axis unit is or could come next to the perimeter this turn."""
    facts = game.facts
    around = facts.board.spread(facts.fortress) & facts.land
    units = [unit for unit in game.on_map("axis") if not game.pieces[unit].disrupted]
    if any(around >> game.pieces[unit].hex & 1 for unit in units):
        return True
    ground, trial = Ground(game, "axis", hopeful=True), game.copy()
    for unit in units:
        hex, counter = game.pieces[unit].hex, game.book[unit]
        on_foot = counter.cls == "infantry"
        trial.put(unit, trucked=on_foot and counter.attack <= facts.tables.supply.convoys.axis)
        if any(around >> hex & 1 for hex in march(trial, ground, unit, hex).cost):
            return True
    return False


class Siege(Step["Game"], frozen=True):
    """XIV.B.6 Before an Axis player-turn that may bring an attack, Tobruk may redeploy."""

    rule: ClassVar[str] = "XIV.B.6"
    interrupt: ClassVar[str] = "siege"
    posted: tuple[UnitId, ...] = ()
    begun: bool = False

    def actor(self, game: Game) -> Side:
        """The Allied player."""
        return "allied"

    def prompt(self, game: Game) -> str:
        """Ask whether, then where; names no unit, nor how many of those never seen are units."""
        if not self.begun:
            return "Turn the garrison of Tobruk face down and spread it anew?"
        unseen = mask_of(piece.hex for piece in game.pieces if piece.hidden == UNKNOWN)
        if unseen & game.facts.fortress:
            return "Post the garrison of Tobruk, counter by counter."
        return f"Post the garrison of Tobruk: {counted(len(self.waiting(game)), 'counter')} to go."

    def begin(self, game: Game) -> None:
        """Offer it only to a garrison that may be attacked and has no enemy inside."""
        facts = game.facts
        real = [unit for unit in garrison(game) if unit not in facts.dummies]
        inside = facts.fortress & game.lay.real["axis"]
        if not self.begun and (inside or not real or not may_be_attacked(game)):
            game.pop()

    def waiting(self, game: Game) -> list[UnitId]:
        """Counters still to be posted, in order."""
        return [unit for unit in self.all(game) if unit not in self.posted]

    def all(self, game: Game) -> list[UnitId]:
        """The whole garrison with the dummies it was given."""
        facts = game.facts
        dummies = [d for d in facts.dummies if game.pieces[d].hex == OFF_MAP or (d in self.posted)]
        return [*(u for u in garrison(game) if u not in facts.dummies), *dummies]

    def actions(self, game: Game) -> Sequence[Action]:
        """Yes or no; then each unit to a hex of the perimeter with room, dummies if wished."""
        if not self.begun:
            return [Besiege(), Done()]
        waiting = self.waiting(game)
        unit = waiting[0]
        hexes = [Space(hex) for hex in bits(game.facts.fortress)]
        fits = [hex for hex in hexes if not too_many(game, (*self.there(game, hex), unit))]
        found: list[Action] = [Post(unit, hex) for hex in fits or hexes]
        return [*found, Done()] if unit in game.facts.dummies else found

    def there(self, game: Game, hex: Space) -> list[UnitId]:
        """Units posted to a hex so far."""
        return [unit for unit in self.posted if game.pieces[unit].hex == hex]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """The perimeter and the stacking limit bind the garrison."""
        return Refusal("XIV.B.6", "Post each unit of the garrison to a fortress hex with room.")

    def apply(self, game: Game, action: Action) -> None:
        """Turn down, post, or stop."""
        match action:
            case Besiege():
                for unit in garrison(game):
                    if game.pieces[unit].hidden != UNKNOWN and unit not in game.facts.dummies:
                        game.put(unit, hidden=TURNED)
                game.log(ev.GarrisonTurned(rule="XIV.B.6"))
                game.become_step(Siege((), True))
            case Post(unit, hex):
                hidden = game.pieces[unit].hidden or TURNED
                game.place(unit, hex, hidden=hidden)
                game.log(ev.Posted(unit, hex, rule="XIV.B.6", only="allied"))
                now = Siege((*self.posted, unit), True)
                game.become_step(now)
                if not now.waiting(game):
                    game.pop()
            case _:
                game.pop()

    def standing(self, game: Game, setting: str) -> Action | None:
        """Standing orders: never redeploy."""
        return None if self.begun else Done()


def turn_up(game: Game) -> None:
    """XIV.B.6, ruling R43 After the Axis player-turn the garrison turns up again."""
    for unit in (*game.facts.of_side["allied"], *game.facts.dummies):
        piece = game.pieces[unit]
        if piece.hidden == TURNED:
            if unit in game.facts.dummies:
                game.put(unit, hex=OFF_MAP, hidden=FACE_UP)
                game.log(ev.DummyRemoved(piece.hex, rule="XIV.B.6"))
            else:
                game.turn_up(unit, "XIV.B.6")
