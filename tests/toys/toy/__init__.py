"""A tiny title that uses every part of the contract, for tests of what surrounds titles.

Two units a side on a row of five spaces. A side's unit moves or attacks; whoever is attacked may
first turn over a hidden card (a shield stops the attack, a feint does nothing).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

import msgspec
import tomli_w
from msgspec import Struct

from sandtable.kernel import game as kernel
from sandtable.kernel import packs
from sandtable.kernel.actions import Action, Lexicon, Names, Space, UnitId
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import BadMessage, Refusal
from sandtable.kernel.events import Event, Rolled, Side
from sandtable.kernel.game import OptionValue, Outcome, ScoreLine
from sandtable.kernel.odds import Chance, Modifier, Odds
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.steps import Step
from sandtable.kernel.title import Interrupt, Option, Scenario, Title
from sandtable.kernel.views import Piece, Points, Track, View

SIDES = ("red", "blue")
OFF = Space(-1)


class UnitFacts(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    side: Side
    space: str
    strength: int
    status: packs.Status


class UnitsFile(Struct, frozen=True, forbid_unknown_fields=True):
    spaces: tuple[str, ...]
    unit: tuple[UnitFacts, ...]


class Data(packs.Data):
    def __init__(self, pack: packs.Pack) -> None:
        file = pack.read("units.toml", UnitsFile)
        self.units = file.unit
        self.spaces = Names("space", file.spaces)
        for each in self.units:
            if each.space not in self.spaces.index:
                raise pack.wrong("units.toml", f"unit {each.id}: no space {each.space!r}")
        names = Names("unit", [each.id for each in self.units])
        super().__init__(pack, Lexicon({UnitId: names, Space: self.spaces}))


class Move(Action, frozen=True):
    verb: ClassVar[str] = "move"
    unit: UnitId
    to: Space


class Attack(Action, frozen=True):
    verb: ClassVar[str] = "attack"
    unit: UnitId
    target: UnitId


class Aim(Action, frozen=True):
    """Prepare an attack in the same impulse; this can be taken back."""

    verb: ClassVar[str] = "aim"
    unit: UnitId


class Pass(Action, frozen=True):
    verb: ClassVar[str] = "pass"


class Turn(Action, frozen=True):
    """Turn the card over, or not."""

    verb: ClassVar[str] = "card"
    show: bool


class Moved(Event, frozen=True):
    unit: UnitId
    to: Space


class Killed(Event, frozen=True):
    unit: UnitId


class Shown(Event, frozen=True):
    reveals: ClassVar[bool] = True
    side: Side
    card: str


class Position(Struct, forbid_unknown_fields=True):
    """The TOML of a position."""

    at: dict[str, str]
    left: int
    cards: dict[str, str]
    spent: list[str]
    scenario: str
    options: dict[str, bool | int | str]
    orders: dict[str, str]
    stack: str
    """The steps as JSON."""


class Game(kernel.Game):
    at: list[Space]
    cards: dict[Side, str]
    spent: tuple[Side, ...] = ()
    left: int = 0
    mutable: ClassVar[tuple[str, ...]] = ("at", "cards")

    def alive(self, side: Side) -> list[UnitId]:
        units = self.data.units
        return [UnitId(n) for n, at in enumerate(self.at) if at != OFF and units[n].side == side]

    def holders(self, space: Space) -> list[UnitId]:
        return [UnitId(n) for n, at in enumerate(self.at) if at == space]

    def view(self, side: Side | None) -> View:
        lexicon = self.data.lexicon
        pieces = tuple(
            Piece(
                id=each.id,
                side=each.side,
                space=lexicon.spaces().names[self.at[n]] if self.at[n] != OFF else None,
                place="" if self.at[n] != OFF else "lost",
                name=each.id,
                kind="infantry",
                ratings={"strength": str(each.strength)},
                status=each.status,
            )
            for n, each in enumerate(self.data.units)
        )
        known = [
            Track(id=f"card-{s}", name=f"Card of {s}", value=self.cards[s])
            for s in SIDES
            if s == side or s in self.spent
        ]
        return View(
            title="toy",
            scenario=self.scenario,
            side=side,
            actor=self.actor,
            prompt=self.prompt,
            rule=self.rule,
            turn=f"{self.left} impulses left",
            options=self.options,
            tracks=tuple(known),
            pieces=pieces,
            score=tuple(Points(line.text, line.value, line.rule) for line in self.score()),
            orders={k: v for k, v in self.orders.items() if k.split()[0] == side},
            over=self.outcome is not None,
        )

    def score(self) -> tuple[ScoreLine, ...]:
        return tuple(ScoreLine(f"Units of {s} alive", len(self.alive(s)), "4.1") for s in SIDES)

    def label(self, action: Action) -> str:
        match action:
            case Turn(show):
                return "Turn the card over." if show else "Keep the card."
            case Pass():
                return "Pass."
        return self.text(action)

    def sentence(self, event: Event) -> str:
        names = self.data.lexicon
        match event:
            case Moved(unit, to):
                return f"{names.units().names[unit]} moves to {names.spaces().names[to]}."
            case Killed(unit):
                return f"{names.units().names[unit]} is lost."
            case Shown(side, card):
                return f"{side} turns over a {card}."
            case Rolled(purpose, faces):
                return f"{purpose}: {faces[0]}."
        raise AssertionError(event)

    def redraw(self, side: Side) -> None:
        for each in SIDES:
            if each != side and each not in self.spent:
                self.cards[each] = ("shield", "feint")[self.draw("deal", (2,), each)[0] - 1]

    def position_text(self) -> str:
        names = self.data.lexicon
        return tomli_w.dumps(
            {
                "at": {
                    each.id: names.spaces().names[self.at[n]] if self.at[n] != OFF else "off"
                    for n, each in enumerate(self.data.units)
                },
                "left": self.left,
                "cards": self.cards,
                "spent": list(self.spent),
                "scenario": self.scenario,
                "options": self.options,
                "orders": self.orders,
                "stack": msgspec.json.encode(self.stack).decode(),
            }
        )

    def check(self) -> None:
        assert set(self.cards) == set(SIDES)
        assert len(self.at) == len(self.data.units)


@rule
def adjacent(game: Game, unit: UnitId, space: Space) -> bool:
    """2.1 Only the next space can be reached."""
    return game.at[unit] != OFF and abs(game.at[unit] - space) == 1


@rule
def own(game: Game, unit: UnitId, space: Space) -> bool:
    """2.2 Only your own units obey."""
    return bool(game.data.units[unit].side == game.actor)


@rule
def free(game: Game, unit: UnitId, space: Space) -> bool:
    """2.3 No unit enters a space that the enemy holds."""
    mine = game.data.units[unit].side
    return all(game.data.units[other].side == mine for other in game.holders(space))


class Impulse(Step["Game"], frozen=True):
    """1.1 A side moves or attacks with one unit."""

    rule: ClassVar[str] = "1.1"
    side: Side
    aimed: UnitId | None = None

    def begin(self, game: Game) -> None:
        for side in SIDES:
            if not game.alive(side):
                winner = game.title.other(side)
                game.finish(Outcome(winner, "rout", f"{winner} wins.", "4.2", game.score()))
                return
        if game.left == 0:
            red, blue = (len(game.alive(side)) for side in SIDES)
            winner2 = None if red == blue else SIDES[0] if red > blue else SIDES[1]
            game.finish(
                Outcome(winner2, "points", f"{winner2 or 'Nobody'} wins.", "4.1", game.score())
            )

    def actor(self, game: Game) -> Side:
        return self.side

    def prompt(self, game: Game) -> str:
        return "Move or attack with one unit, or pass."

    def actions(self, game: Game) -> Sequence[Action]:
        found: list[Action] = [Pass()]
        spaces = range(len(game.data.spaces.names))
        if self.aimed is None:
            found += [Aim(unit) for unit in game.alive(self.side)]
        for unit in game.alive(self.side):
            found += [
                Move(unit, Space(to))
                for to in spaces
                if first_broken((adjacent, own, free), game, unit, Space(to)) is None
            ]
            found += [
                Attack(unit, enemy)
                for enemy in game.alive(game.title.other(self.side))
                if adjacent(game, unit, game.at[enemy])
            ]
        return found

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, Move):
            broken = first_broken((own, adjacent, free), game, action.unit, action.to)
            return broken.refusal(f"{game.text(action)} is not possible") if broken else None
        return Refusal("3.1", "Attack an enemy in the next space.")

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Aim):
            game.become_step(Impulse(self.side, action.unit))
            return
        game.left -= 1
        match action:
            case Move(unit, to):
                game.at[unit] = to
                game.log(Moved(unit, to, rule="2.1"))
            case Attack(unit, target):
                game.push(Assault(unit, target, self.strength(game, unit)))
                return
        game.swap(Impulse(game.title.other(self.side)))

    def strength(self, game: Game, unit: UnitId) -> int:
        return int(game.data.units[unit].strength) + (unit == self.aimed)

    def resume(self, game: Game, result: Any) -> None:
        game.swap(Impulse(game.title.other(self.side)))

    def odds(self, game: Game, action: Action) -> Odds | None:
        if not isinstance(action, Attack):
            return None
        strength = self.strength(game, action.unit)
        hits = Fraction(min(5, 2 + strength), 6)
        enemy = game.title.other(self.side)
        assumes = () if enemy in game.spent else ("the enemy keeps the card",)
        return Odds(
            (Modifier("strength", strength, "3.2"),),
            (
                Chance("hit", hits, (6,), self.side),
                Chance("miss", 1 - hits, (1,), None),
            ),
            assumes,
        )


class Assault(Step["Game"], frozen=True):
    """3.2 The card may answer; then a die of 5 or 6, lowered by strength, hits."""

    rule: ClassVar[str] = "3.2"
    interrupt: ClassVar[str] = "card"
    unit: UnitId
    target: UnitId
    strength: int

    def actor(self, game: Game) -> Side:
        side: Side = game.data.units[self.target].side
        return side

    def prompt(self, game: Game) -> str:
        return "Turn your card over, or keep it."

    def actions(self, game: Game) -> Sequence[Action]:
        return [Turn(False)] if self.actor(game) in game.spent else [Turn(True), Turn(False)]

    def standing(self, game: Game, setting: str) -> Action | None:
        return Turn(False)

    def apply(self, game: Game, action: Action) -> None:
        side = self.actor(game)
        game.pop()
        if action == Turn(True):
            game.spent = (*game.spent, side)
            game.log(Shown(side, game.cards[side], rule="3.3"))
            if game.cards[side] == "shield":
                return
        (face,) = game.roll("attack", game.title.other(side), "3.2", place=str(self.target))
        hit = face > 1 and face + self.strength >= 5
        game.conclude("hit" if hit else "miss")
        if hit:
            game.at[self.target] = OFF
            game.log(Killed(self.target, rule="3.2"))


class Toy(Title):
    id = "toy"
    name = "Toy"
    sides = ("red", "blue")
    side_names: ClassVar[dict[str, str]] = {"red": "Red", "blue": "Blue"}
    scenarios = (Scenario("row", "The row", "Four units."), Scenario("duel", "Duel", "Two units."))
    options = (
        Option("turns", "Impulses", "1.2", "How long.", default=12, least=1, most=99),
        Option("late", "Late start", "1.2", "Blue begins."),
        Option("deal", "Deal", "3.3", "Cards.", default="random", choices=("random", "shields")),
    )
    interrupts = (Interrupt("card", "Turn the card over", "3.3"),)
    credits = "Nobody."
    game = Game
    steps = (Impulse, Assault)
    actions = (Move, Attack, Aim, Pass, Turn)
    events = (Moved, Killed, Shown, Rolled)

    def read_data(self, pack: packs.Pack) -> Data:
        return Data(pack)

    def new(self, scenario: str, options: dict[str, OptionValue], dice: Dice, data: Any) -> Game:
        at = [data.spaces.index[each.space] for each in data.units]
        if scenario == "duel":
            at[0] = at[3] = OFF
        game = Game(
            title=self, data=data, scenario=scenario, options=options, dice=dice, at=at, cards={}
        )
        for side in SIDES:
            face = 1 if options["deal"] == "shields" else game.draw("deal", (2,), side)[0]
            game.cards[side] = ("shield", "feint")[face - 1]
        game.left = int(options["turns"])
        game.push(Impulse(SIDES[1] if options["late"] else SIDES[0]))
        return game

    def read_position(self, text: str, data: Any, dice: Dice) -> Game:
        position = msgspec.toml.decode(text, type=Position)
        names: Names = data.spaces
        if set(position.cards) != set(SIDES):
            raise BadMessage("position: sides are red and blue; correct the cards")
        at = [OFF] * len(data.units)
        for name, space in position.at.items():
            at[data.lexicon.units().find(name)] = Space(
                OFF if space == "off" else names.find(space)
            )
        game = Game(
            title=self,
            data=data,
            scenario=position.scenario,
            options=self.check_options(position.options),
            dice=dice,
            at=at,
            cards=dict(position.cards),
            spent=tuple(position.spent),
            left=position.left,
            orders=position.orders,
            stack=msgspec.json.decode(position.stack, type=tuple[Impulse | Assault, ...]),
        )
        return game


TITLE = Toy()
