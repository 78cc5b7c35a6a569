"""7.5.2, 7.5.3 Hits, step losses and Battle Victory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import (
    FallBack,
    Follow,
    Hold,
    HoldWith,
    Lose,
)
from sandtable.titles.theseus.effectiveness import Checks, fail
from sandtable.titles.theseus.facts import read_result
from sandtable.titles.theseus.retreat import Retreat, retreat_hexes
from sandtable.titles.theseus.schema import AXIS, SIDES
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import Battle

Stage = Literal["first", "check", "choose", "split", "retreat", "lose", "late"]


class Hits(Step[Game], frozen=True):
    """7.5.2 Distribute the hits of one side, in the order the rule lays down."""

    rule: ClassVar[str] = "7.5.2"
    interrupt: ClassVar[str] = "losses"

    units: tuple[int, ...]
    hits: int
    red: bool
    armour_unit: int
    attacking: bool
    stage: Stage = "first"
    left: int = 0
    """Hits still to be taken."""
    tally: tuple[int, ...] = ()
    """Units that took step losses, one entry a loss (7.5.2.1)."""
    before: tuple[int, ...] = ()
    """Units disrupted before the combat."""
    failed: tuple[int, ...] = ()
    holders: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()
    owed: int = 0
    """Step losses to take once a retreat is over."""
    payers: tuple[int, ...] = ()
    """The units that must take them."""
    held: bool = False

    def alive(self, game: Game, units: Sequence[int] | None = None) -> tuple[int, ...]:
        """Those of the units still on the map."""
        return tuple(u for u in (self.units if units is None else units) if game.pieces[u].hex >= 0)

    def actor(self, game: Game) -> Side:
        return SIDES[game.side(self.units[0])]

    def prompt(self, game: Game) -> str:
        match self.stage:
            case "first":
                where = game.hexname(game.pieces[self.alive(game)[0]].hex)
                return f"Choose the unit in {where} that takes the first Strength Point loss."
            case "choose":
                hits = "1 hit" if self.left == 1 else f"{self.left} hits"
                units = self.alive(game)
                where = game.hexname(game.pieces[units[0]].hex)
                return (
                    f"{game.names(units)} in {where}, {hits} left: "
                    "hold and lose strength, or fall back?"
                )
            case "split":
                unit = self.undecided(game)[0]
                return f"Does {game.name(unit)} hold, or follow the disrupted units?"
            case _:
                return f"Choose a unit to take a Strength Point loss: {self.owed} left."

    def begin(self, game: Game) -> None:
        before = tuple(u for u in self.units if game.pieces[u].disrupted)
        step = replace(self, before=before)
        game.become_step(step)
        if not self.hits:
            step.check(game)
        elif len(step.first_choices(game)) == 1:
            step.take(game, step.first_choices(game)[0])

    # Step 1: the first loss.

    def first_choices(self, game: Game) -> tuple[int, ...]:
        """7.5.2 The unit used for Armour Superiority; without any, the owner's choice."""
        if self.armour_unit >= 0 and game.pieces[self.armour_unit].hex >= 0:
            return (self.armour_unit,)
        return self.alive(game)

    def take(self, game: Game, unit: int) -> None:
        """7.5.2.1 One loss for one hit, remembered for equal distribution."""
        game.lose(unit, 1, "7.5.2.1")
        step = replace(self, tally=(*self.tally, unit))
        if self.stage == "first":
            replace(step, left=self.hits - 1).check(game)
        else:
            replace(step, owed=self.owed - 1).pay(game)

    # Step 2 or 3: checks after a red result.

    def check(self, game: Game) -> None:
        """7.5.2 A red result makes every unit check its Effectiveness."""
        units = self.alive(game)
        game.become_step(replace(self, stage="check"))
        if self.red and units:
            game.push(Checks(units, "7.5.2"))
        else:
            replace(self, stage="check").checked(game, ())

    def checked(self, game: Game, failed: tuple[int, ...]) -> None:
        """7.5.2 Cases A, B and C by who failed."""
        for unit in failed:
            fail(game, unit, "7.5.2", in_combat=True)
        step = replace(self, failed=failed, stage="choose")
        units = step.alive(game)
        if self.left <= 0 or not units:
            game.become_step(step)
            game.pop()
            return
        sound = [unit for unit in units if not game.pieces[unit].disrupted]
        if not step.alive(game, failed):
            # Ruling R71: all that are left passed.
            game.become_step(step)
        elif not sound:
            step.all_retreat(game)
        else:
            game.become_step(replace(step, stage="split"))

    # Case A: hold or fall back.

    def can_fall_back(self, game: Game) -> bool:
        """7.5.2.2 A voluntary retreat needs a first hex to go to."""
        if game.static(game.side(self.units[0])):
            return False
        units = self.alive(game)
        return bool(retreat_hexes(game, units, False, (game.pieces[units[0]].hex,)))

    def hold(self, game: Game) -> None:
        """7.5.2 Every remaining hit is a loss; disrupted defenders retreat one hex (forced)."""
        replace(self, owed=self.left, payers=self.units, stage="lose", held=True).pay(game)

    def fall_back(self, game: Game) -> None:
        """7.5.2 The defender turns all hits into hexes, the attacker only the first."""
        hexes = 1 if self.attacking else self.left
        owed = self.left - hexes
        game.become_step(replace(self, stage="retreat", owed=owed, payers=self.units))
        game.push(Retreat(self.alive(game), hexes, False))

    # Case B: everybody goes.

    def all_retreat(self, game: Game) -> None:
        """7.5.2 All disrupted: the first hit is a Forced Retreat; more hexes or losses follow."""
        hexes = 1 if self.attacking else self.left
        owed = self.left - hexes
        game.become_step(replace(self, stage="retreat", owed=owed, payers=self.units))
        game.push(Retreat(self.alive(game), hexes, True))

    # Case C: some go, some may hold.

    def undecided(self, game: Game) -> list[int]:
        """7.5.2 Units that passed and have not yet chosen."""
        return [
            unit
            for unit in self.alive(game)
            if not game.pieces[unit].disrupted and unit not in self.asked
        ]

    def choose(self, game: Game, unit: int, holds: bool) -> None:
        """7.5.2 Holding units take all remaining hits; if all follow, the retreat counts as one."""
        holders = (*self.holders, unit) if holds else self.holders
        step = replace(self, asked=(*self.asked, unit), holders=holders)
        if step.undecided(game):
            game.become_step(step)
            return
        if not holders:
            step.all_retreat(game)
            return
        going = tuple(each for each in step.alive(game) if each not in holders)
        step = replace(step, stage="retreat", owed=self.left, payers=holders)
        game.become_step(step)
        game.push(Retreat(going, 1, True))

    # Losses after that.

    def pay(self, game: Game) -> None:
        """7.5.2.1 Take what is owed, one point after the other."""
        game.become_step(self)
        choices = self.loss_choices(game)
        if self.owed <= 0 or not choices:
            self.finish(game)
        elif len(choices) == 1:
            self.take(game, choices[0])

    def loss_choices(self, game: Game) -> tuple[int, ...]:
        """7.5.2.1 No unit takes a second loss before all others have taken a first."""
        units = self.alive(game, self.payers)
        if not units:
            return ()
        least = min(self.tally.count(unit) for unit in units)
        return tuple(unit for unit in units if self.tally.count(unit) == least)

    def finish(self, game: Game) -> None:
        """7.5.2 After a hold, defenders that were disrupted before must still go back one hex."""
        going = self.alive(game, self.before) if self.held and not self.attacking else ()
        if going:
            game.become_step(replace(self, stage="late", owed=0))
            game.push(Retreat(going, 1, True))
        else:
            game.pop()

    def resume(self, game: Game, result: Any) -> None:
        match self.stage:
            case "check":
                self.checked(game, tuple(unit for unit, _ in result))
            case "retreat":
                # A voluntary retreat that was cut short leaves hits to be lost.
                replace(self, owed=self.owed + result, stage="lose").pay(game)
            case "late":
                game.pop()

    # The player's part.

    def actions(self, game: Game) -> Sequence[Action]:
        match self.stage:
            case "first":
                listed: list[Action] = [Lose(UnitId(u)) for u in self.first_choices(game)]
            case "choose":
                listed = [Hold()]
                if self.can_fall_back(game):
                    listed.append(FallBack())
            case "split":
                unit = UnitId(self.undecided(game)[0])
                listed = [HoldWith(unit), Follow(unit)]
            case _:
                listed = [Lose(UnitId(u)) for u in self.loss_choices(game)]
        if len(listed) > 1 and game.static(game.side(self.units[0])):
            listed = [self.steady(game, listed)]
        return listed

    def steady(self, game: Game, listed: list[Action]) -> Action:
        """10.1 Static defenders hold; the strongest unit takes the loss."""

        def strength(action: Action) -> int:
            return game.pieces[action.unit].strength if isinstance(action, Lose) else 0

        return max(listed, key=strength)

    def standing(self, game: Game, setting: str) -> Action | None:
        listed = list(self.actions(game))
        if self.stage in ("first", "lose", "late"):
            return self.steady(game, listed)
        if setting.startswith("hold"):
            return listed[0]
        return None

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, Lose):
            if self.stage == "first":
                return Refusal("7.5.2", f"{game.name(action.unit)} does not take the first loss.")
            return Refusal("7.5.2.1", "Losses are spread equally over the units that hold.")
        if isinstance(action, FallBack):
            return Refusal("7.5.2.2", "Every way back is barred or leads into an EZOC.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        match action:
            case Lose(unit=unit):
                self.take(game, unit)
            case Hold():
                self.hold(game)
            case FallBack():
                self.fall_back(game)
            case HoldWith(unit=unit):
                self.choose(game, unit, True)
            case Follow(unit=unit):
                self.choose(game, unit, False)


def bonus_points(game: Game, battle: Battle, outcome: str) -> Step[Game] | None:
    """7.5.3 What the winner of a battle may do at once, or None."""
    from sandtable.titles.theseus.acting import Acting

    cell = read_result(outcome)
    if cell.attacker == cell.defender:
        return None
    attacker_wins = cell.attacker < cell.defender
    side = battle.side if attacker_wins else battle.enemy
    if game.static(side):
        return None
    units = battle.units if attacker_wins else battle.defenders
    alive = [unit for unit in units if game.pieces[unit].hex >= 0]
    able = tuple(unit for unit in alive if game.situation.in_command(game, unit))
    if not able:
        if alive:
            game.log(ev.BattleWon(SIDES[side], 0, rule="7.5.3"))
        return None
    favoured = side == AXIS and any(
        game.pieces[unit].parent == game.schwerpunkt >= 0 for unit in able
    )
    points = 2 if favoured else 1
    game.log(ev.BattleWon(SIDES[side], points, rule="7.5.3"))
    if not attacker_wins:
        return Acting(side, -1, able, points, own_points=False, reactable=False)
    at = max(at for at, step in enumerate(game.stack) if isinstance(step, Acting))
    below = game.stack[at]
    if below.bonus:
        # A new victory before the second bonus point is spent: that one is lost.
        game.stack = (*game.stack[:at], replace(below, bonus=0), *game.stack[at + 1 :])
    parent = game.pieces[able[0]].parent
    return Acting(side, parent, able, points, below.own_points, below.reactable)
