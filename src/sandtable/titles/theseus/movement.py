"""7.3 The Movement Action: stacks, reach, roads, screen movement and what a march sets off."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.sheets import Leg
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.actions import Halt, Join, To
from sandtable.titles.theseus.challenges import show
from sandtable.titles.theseus.effectiveness import Checks, fail
from sandtable.titles.theseus.forecasts import CHECKED, die_odds, number_odds
from sandtable.titles.theseus.minefields import (
    ENTERS,
    MinefieldChecks,
    check_labels,
    check_modifiers,
)
from sandtable.titles.theseus.reach import Kind, March, allowance, find_march, march, way
from sandtable.titles.theseus.reaction import Reaction, ReactionOffer, reactors
from sandtable.titles.theseus.schema import QUARTERS, SIDES
from sandtable.titles.theseus.stacking import (
    Displacements,
    Overstack,
    fits,
    lone_hqs_beside,
    stacking,
)
from sandtable.titles.theseus.state import Game


def quiet_way(game: Game, step: Movement, to: int) -> tuple[tuple[int, int], ...]:
    """6.5.1 The cheapest way, past enemies at a distance where that costs no more."""
    found = step.options(game)
    path = way(found, to)
    near = game.data.board.spread(game.situation.combat[1 - step.side])
    if any(near >> hex & 1 for hex, _ in path[:-1]):
        points, fresh = step.left(game), not step.moved
        avoid = near & ~(1 << to)
        other = find_march(game, step.units, points, fresh, step.kind, avoid)
        if other.cost.get(to) == found.cost[to]:
            return way(other, to)
    return path


# What may not be entered, for refusals; the reach above is the fast path.


@rule
def enemy_hexes(game: Game, step: Movement, hex: int) -> bool:
    """7.3.2 A unit may never enter a hex that contains an enemy combat unit."""
    return not game.situation.combat[1 - step.side] >> hex & 1


@rule
def hqs_avoid_mines(game: Game, step: Movement, hex: int) -> bool:
    """7.3.6 Headquarters may never enter an unbreached enemy minefield."""
    mined = game.situation.mines[1 - step.side] >> hex & 1
    return not (mined and any(game.data.is_hq(piece) for piece in step.units))


@rule
def mines_from_the_start(game: Game, step: Movement, hex: int) -> bool:
    """7.3.6 An unbreached enemy minefield is entered only by a stack that starts next to it with all its Movement Points."""  # noqa: E501
    if not game.situation.mines[1 - step.side] >> hex & 1:
        return True
    here = step.here(game)
    return not step.moved and bool(game.data.beside[here] >> hex & 1) and step.kind == "action"


@rule
def hqs_need_company(game: Game, step: Movement, hex: int) -> bool:
    """3.3 An HQ alone may not enter an EZOC that holds no friendly combat unit."""
    here = game.situation
    alone = all(game.data.is_hq(piece) for piece in step.units)
    return not (alone and (here.zoc[1 - step.side] & ~here.combat[step.side]) >> hex & 1)


@rule
def reinforcements_avoid_ezoc(game: Game, step: Movement, hex: int) -> bool:
    """9.4.2 The free movement of a reinforcement may not enter an EZOC."""
    return not (step.kind == "reinforcement" and game.situation.zoc[1 - step.side] >> hex & 1)


@rule
def no_ezoc_to_ezoc(game: Game, step: Movement, hex: int) -> bool:
    """5.4.1 Only screen movement leads from one EZOC directly into another."""
    ezoc = game.situation.zoc[1 - step.side]
    here = step.here(game)
    return not (ezoc >> here & 1 and ezoc >> hex & 1 and game.data.around[here] >> hex & 1)


@rule
def within_allowance(game: Game, step: Movement, hex: int) -> bool:
    """7.3.2 A unit cannot exceed its Movement Allowance, and stops in an EZOC."""
    return hex in step.options(game).cost


ENTRY = (
    enemy_hexes,
    hqs_avoid_mines,
    mines_from_the_start,
    hqs_need_company,
    reinforcements_avoid_ezoc,
    no_ezoc_to_ezoc,
    within_allowance,
)


class Movement(Step[Game], frozen=True):
    """7.3, 7.3.1 A stack on the move. AP are spent; it goes hex by hex until it halts."""

    rule: ClassVar[str] = "7.3"
    interrupt: ClassVar[str] = "withdraw"

    side: int
    units: tuple[int, ...]
    kind: Kind = "action"
    reactable: bool = True
    points: int = -1
    """Quarter Movement Points left; -1 before it sets out."""
    launched: bool = False
    moved: bool = False
    path: tuple[tuple[int, int], ...] = ()
    tried: bool = False
    """6.5.1 A Reaction attempt has been made during this Movement Action."""
    silent: tuple[int, ...] = ()
    """7.3.5 Formations whose HQ was displaced by it cannot react."""
    stage: Literal[
        "choose", "check", "leave", "clear", "mines", "passed", "alarm", "enter", "end"
    ] = "choose"
    reactor: int = -1

    def here(self, game: Game) -> int:
        """Where the stack is."""
        return game.pieces[self.units[0]].hex

    def left(self, game: Game) -> int:
        """7.3.2 Quarter points still to spend."""
        return allowance(game, self.units) if self.points < 0 else self.points

    def options(self, game: Game) -> March:
        """7.3 Where it can go from here."""
        return march(game, self.units, self.left(game), not self.moved, self.kind)

    def actor(self, game: Game) -> Side:
        return SIDES[self.side]

    def prompt(self, game: Game) -> str:
        points = self.left(game) / QUARTERS
        joins = not self.launched and self.kind == "action" and self.joiners(game)
        join = ", or add units of its stack" if joins else ""
        left = f"{points:g} Movement Point{'s' * (points != 1)}"
        return f"Move {game.names(self.units)} up to {left}{join}, or halt."

    def actions(self, game: Game) -> Sequence[Action]:
        listed: list[Action] = []
        if not self.launched and self.kind == "action":
            listed += [Join(UnitId(unit)) for unit in self.joiners(game)]
        listed += [To(Space(hex)) for hex in self.options(game).cost]
        if self.moved or self.kind != "withdrawal":
            listed.append(Halt())
        return listed

    def standing(self, game: Game, setting: str) -> Action | None:
        """7.5.1.1 An order to withdraw homewards finds the way too, out of EZOCs and full hexes."""
        if self.kind != "withdrawal" or not setting.endswith("home"):
            return None
        home, ezoc = game.data.home[self.side], game.situation.zoc[1 - self.side]

        def worth(hex: int) -> tuple[bool, bool, int]:
            crowded = not fits(game, {*game.combat_units(hex), *combat}, self.side)
            return bool(ezoc >> hex & 1), crowded, home[hex]

        combat = [unit for unit in self.units if unit < game.data.count]
        goals = sorted(self.options(game).cost, key=worth)
        if self.moved and (not goals or worth(goals[0]) >= worth(self.here(game))):
            return Halt()
        return To(Space(goals[0]))

    def joiners(self, game: Game) -> list[int]:
        """7.3.1 Others of the formation in the hex that can move along."""
        here, parent = self.here(game), game.pieces[self.units[0]].parent
        return [
            piece
            for piece in game.at[here]
            if parent >= 0
            and piece not in self.units
            and game.pieces[piece].parent == parent
            and not game.pieces[piece].disrupted
            and not self.excluded(game, piece)
        ]

    def excluded(self, game: Game, piece: int) -> bool:
        """7.5.3 Bonus points serve only the units that fought."""
        below = game.stack[-2]
        allowed: tuple[int, ...] = getattr(below, "units", ())
        return bool(allowed) and piece not in allowed

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, To):
            broken = first_broken(ENTRY, game, self, action.hex)
            if broken:
                what = f"{game.names(self.units)} cannot move to {game.hexname(action.hex)}"
                return broken.refusal(what)
        if isinstance(action, Join):
            return Refusal(
                "7.3.1",
                f"{game.name(action.unit)} cannot join: only undisrupted units of the same "
                "formation that begin in the same hex move together.",
            )
        return None

    def way(self, game: Game, action: Action) -> Sequence[Leg]:
        """6.5.1, 7.3 The hexes a march leads through."""
        if not isinstance(action, To):
            return ()
        names = game.data.board.names
        legs = ((self.here(game), 0), *quiet_way(game, self, action.hex))
        return [Leg(names[hex], f"{spent / QUARTERS:g}") for hex, spent in legs]

    def odds(self, game: Game, action: Action) -> Odds | None:
        """7.3.6 The Enemy Minefield Check of a stack that tries to enter a minefield."""
        if not isinstance(action, To) or not game.situation.mines[1 - self.side] >> action.hex & 1:
            return None
        assumes = []
        if self.reactable and not self.tried and self.watched(game):
            assumes.append("nobody reacts")
        if not self.launched and self.isolated(game):
            assumes.append(CHECKED)
        labels = [check_labels(game, self.units, unit) for unit in self.units]
        named = check_modifiers(game, self.units, self.units[0])
        by = SIDES[self.side]
        if len(self.units) > 1:
            each = [Fraction(line.count(ENTERS), 10) for line in labels]
            return number_odds(game, each, named, by, "enter", assumes)
        return die_odds(game, labels[0], named, by, assumes)

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Join):
            game.become_step(replace(self, units=(*self.units, action.unit)))
        elif isinstance(action, Halt):
            self.finish(game)
        elif isinstance(action, To):
            path = quiet_way(game, self, action.hex)
            points = self.left(game)
            # Spending is counted from what was left before this leg.
            path = tuple((hex, points - spent) for hex, spent in path)
            step = replace(self, path=path, launched=True, points=points)
            if self.launched:
                step.leave(game)
            else:
                step.launch(game)

    def isolated(self, game: Game) -> tuple[int, ...]:
        """5.8.4 Units that have to pass an Effectiveness Check before they move."""
        return game.situation.isolated(game, self.units) if self.kind == "action" else ()

    def launch(self, game: Game) -> None:
        """5.8.4 Isolated units first pass an Effectiveness Check."""
        isolated = self.isolated(game)
        if isolated:
            game.become_step(replace(self, stage="check"))
            game.push(Checks(isolated, "5.8.4"))
        else:
            self.leave(game)

    def resume(self, game: Game, result: Any) -> None:
        match self.stage:
            case "check":
                self.checked(game, [unit for unit, _ in result])
            case "leave":
                if result is None:
                    self.step_out(game)
                else:
                    replace(self, tried=True).answered(game, result, then_enter=False)
            case "clear":
                self.step_out(game)
            case "mines":
                self.through_mines(game, tuple(result))
            case "passed":
                self.through_mines(game, self.units)
            case "alarm":
                self.offer_on_entry(game)
            case "enter":
                if result is None:
                    self.go_on(game)
                else:
                    replace(self, tried=True).answered(game, result, then_enter=True)
            case "end":
                self.close(game)
            case _:
                game.become_step(self)

    def checked(self, game: Game, failed: list[int]) -> None:
        """5.8.4 Those that fail disrupt and stay; the rest may go elsewhere, or halt."""
        for unit in failed:
            fail(game, unit, "5.8.4")
        left = tuple(unit for unit in self.units if unit not in failed)
        if not left:
            game.log(ev.CalledOff(rule="5.8.4"))
            replace(self, path=()).finish(game)
            return
        if failed:
            points = allowance(game, left)
            game.become_step(replace(self, units=left, points=points, path=(), stage="choose"))
        else:
            self.leave(game)

    # One hex at a time.

    def leave(self, game: Game) -> None:
        """6.5.1 Leaving a hex next to an enemy combat unit may be answered."""
        if self.can_be_answered(game):
            game.become_step(replace(self, stage="leave"))
            game.push(ReactionOffer(1 - self.side, self.here(game), True, self.silent))
        else:
            self.step_out(game)

    def can_be_answered(self, game: Game) -> bool:
        """6.5.1 One attempt a Movement Action, by formations with a unit next to the stack."""
        return (
            self.reactable
            and not self.tried
            and bool(reactors(game, 1 - self.side, self.here(game), self.silent))
        )

    def watched(self, game: Game) -> bool:
        """6.5.1 Whether an enemy combat unit stands next to it, able to react or not."""
        near = game.data.around[self.here(game)]
        return bool(near & game.situation.combat[1 - self.side])

    def answered(self, game: Game, formation: int, then_enter: bool) -> None:
        """6.5.3, 6.5.4 A successful Reaction ends the movement; a failed one does not."""
        if formation >= 0:
            replace(self, reactor=formation, path=()).finish(game)
        elif then_enter:
            self.go_on(game)
        else:
            self.step_out(game)

    def step_out(self, game: Game) -> None:
        """7.3 Enter the next hex of the way; without one (on a sample) it is chosen now."""
        if not self.path:
            game.become_step(replace(self, stage="choose"))
            return
        to, points = self.path[0]
        here = game.situation
        if here.mines[1 - self.side] >> to & 1:
            game.become_step(replace(self, stage="mines"))
            game.push(MinefieldChecks(self.units, to))
            return
        if self.clears(game, to, "clear"):
            return
        if here.combat[1 - self.side] >> to & 1 or (
            here.occupied[1 - self.side] >> to & 1
            and all(game.data.is_hq(unit) for unit in self.units)
        ):
            # Something was displaced into the way meanwhile.
            game.become_step(replace(self, path=(), stage="choose"))
            return
        self.enter(game, self.units, to)
        replace(self, path=self.path[1:], points=points, moved=True).arrive(game)

    def clears(self, game: Game, to: int, stage: Literal["clear", "passed"]) -> bool:
        """7.3.5 Whether an HQ that was alone there from the start has to give way first."""
        here = game.situation
        alone = here.occupied[1 - self.side] & ~here.combat[1 - self.side]
        if not alone >> to & 1 or all(game.data.is_hq(unit) for unit in self.units):
            return False
        lone = tuple(piece - game.data.count for piece in game.at[to])
        game.become_step(replace(self, stage=stage, silent=(*self.silent, *lone)))
        game.push(Displacements(lone))
        return True

    def enter(self, game: Game, units: Sequence[int], to: int) -> None:
        """7.3 Put units into a hex; whoever is seen to act shows its assignment (ruling R61)."""
        enter_hex(game, units, to, passing=self.moved or self.kind == "reinforcement")
        if self.kind != "reinforcement":
            show(game, (unit for unit in units if not game.secret(unit)))

    def arrive(self, game: Game) -> None:
        """7.3.5 Lone enemy HQs next to the stack are displaced at once; then comes Reaction."""
        if any(not game.data.is_hq(unit) for unit in self.units):
            alarmed = lone_hqs_beside(game, self.here(game), self.side)
            if alarmed:
                game.become_step(replace(self, stage="alarm", silent=(*self.silent, *alarmed)))
                game.push(Displacements(alarmed))
                return
        self.offer_on_entry(game)

    def offer_on_entry(self, game: Game) -> None:
        """6.5.1 Entering a hex next to an enemy combat unit may be answered."""
        if self.can_be_answered(game):
            game.become_step(replace(self, stage="enter"))
            game.push(ReactionOffer(1 - self.side, self.here(game), False, self.silent))
        else:
            self.go_on(game)

    def go_on(self, game: Game) -> None:
        """7.3.2 Go on along the way, choose again, or stop with nothing left."""
        if self.path:
            self.leave(game)
            return
        step = replace(self, stage="choose")
        stopped = game.situation.zoc[1 - self.side] >> self.here(game) & 1
        if self.points <= 0 or stopped or not step.options(game).cost:
            step.finish(game)
        else:
            game.become_step(step)

    def through_mines(self, game: Game, passed: tuple[int, ...]) -> None:
        """7.3.6 Units that pass enter together; the others stay where they are.

        On a sample, which knows no way, they stay too.
        """
        if not passed or not self.path:
            replace(self, path=()).finish(game)
            return
        to, _ = self.path[0]
        step = replace(self, units=passed)
        if step.clears(game, to, "passed"):
            return
        step.enter(game, passed, to)
        replace(step, path=(), points=0, moved=True).arrive(game)

    # The end of the action.

    def finish(self, game: Game) -> None:
        """5.3.1, 5.7.3, 7.7 The action ends: sources, Tobruk, cover and stacking are seen to."""
        alive = [unit for unit in self.units if game.pieces[unit].hex >= 0]
        if alive and (self.moved or self.kind == "reinforcement"):
            hex = game.pieces[alive[0]].hex
            if self.moved:
                game.lapse(hex)
                end_in(game, hex, self.side)
            if not stacking(game, hex):
                game.become_step(replace(self, stage="end"))
                game.push(Overstack((hex,)))
                return
        self.close(game)

    def close(self, game: Game) -> None:
        """6.5.3 A formation that reacted acts now, after the moving stack has settled."""
        if self.reactor >= 0:
            game.swap(Reaction(self.reactor))
        else:
            game.pop()


def enter_hex(game: Game, units: Sequence[int], to: int, passing: bool) -> None:
    """7.3 Put a stack into a hex and note what everybody sees of it (5.3.4)."""
    origin = game.pieces[units[0]].hex
    side = game.side(units[0])
    order = [piece for piece in game.at[origin] if piece in units]
    for piece in reversed(order):
        game.place(piece, to, passing)
    top = UnitId(order[0])
    game.log(ev.Moved(top, len(order), Space(origin), Space(to), rule="7.3"))
    if len(order) > 1:
        every = tuple(UnitId(piece) for piece in order)
        game.log(ev.MovedWith(every, Space(to), rule="7.3.1", only=SIDES[side]))
    game.come_to(to, side)


def end_in(game: Game, hex: int, side: int) -> None:
    """5.7.3 A Movement Action that ends in an enemy source blocks it; in Tobruk it captures it."""
    if game.data.sources[1 - side] >> hex & 1 and hex not in game.blocked:
        game.blocked = (*game.blocked, hex)
        game.sit = None
        game.log(ev.SourceBlocked(Space(hex), rule="5.7.3"))
    if hex == game.data.tobruk:
        taker = side if game.tobruk != side else -1
        if game.tobruk_next != taker:
            game.tobruk_next = taker
            game.log(ev.TobrukTaken(SIDES[side], rule="5.7.3"))
