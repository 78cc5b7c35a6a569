"""Positions as TOML: any unit in any state, every track and marker, and the point of the turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
import tomli_w
from msgspec import Struct, field
from msgspec.structs import replace

from sandtable.boards import BoardError
from sandtable.kernel import codec
from sandtable.kernel.actions import Names, Space, UnitId
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import BEGIN, OptionValue
from sandtable.kernel.title import Title
from sandtable.titles.cauldron.chits import fill_cups, without
from sandtable.titles.cauldron.data import Data
from sandtable.titles.cauldron.files import Level, UnitType
from sandtable.titles.cauldron.initiative import ActionPhases
from sandtable.titles.cauldron.movement import Move
from sandtable.titles.cauldron.orders import Operations, Orders, present
from sandtable.titles.cauldron.printed import ALLIED, AXIS, ChitId, FormationId, Kind, Pair
from sandtable.titles.cauldron.sequence import PHASES, Turn
from sandtable.titles.cauldron.state import (
    ELIMINATED,
    NEVER,
    OFF_MAP,
    WITHDRAWN,
    Game,
    Marker,
    Player,
    Unit,
)
from sandtable.titles.cauldron.supply import NAMES, State
from sandtable.titles.cauldron.zoc import enemy

WORDS = {"off": OFF_MAP, "eliminated": ELIMINATED, "withdrawn": WITHDRAWN}
SideName = Literal["axis", "allied"]


class UnitPosition(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A unit: a hex, or a word of WORDS; its state; and printed values to use instead."""

    at: str
    steps: int | None = None
    used: bool = False
    disrupted: bool = False
    supply: State = "in supply"
    due: str | int | None = None
    type: UnitType | None = None
    movement: int | None = None
    values: tuple[Level, ...] | None = None


class ChitsPosition(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One side's chits and actions; what is left out comes from the table of the turn."""

    cup: tuple[str, ...] | None = None
    held: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    actions: int | None = None


class MarkerPosition(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A breach marker: one or two hexsides, and the unit while it is under construction."""

    sides: tuple[tuple[str, str], ...]
    unit: str = ""


class Position(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The shape of a position file; docs/titles/cauldron.md explains it with examples."""

    scenario: str = "campaign"
    options: dict[str, OptionValue] = field(default_factory=dict)
    turn: str | int = 1
    phase: str = "actions"
    side: SideName = "axis"
    chit: str = ""
    storm: bool = False
    activated: tuple[str, ...] | None = None
    active: str = ""
    spent: int | str = 0
    points: int | None = None
    laid: int | None = None
    formations_activated: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    broken_word: bool = False
    others: Literal["absent", "eliminated", "schedule"] = "absent"
    stack: str = ""
    rolls: int = 0
    orders: dict[str, str] = field(default_factory=dict)
    axis: ChitsPosition = field(default_factory=ChitsPosition)
    allied: ChitsPosition = field(default_factory=ChitsPosition)
    breaches: tuple[MarkerPosition, ...] = ()
    units: dict[str, UnitPosition] = field(default_factory=dict)


def read(title: Title, text: str, data: Data, dice: Dice) -> Game:
    """The game that a position describes; anything out of place is refused in one line."""
    try:
        position = msgspec.toml.decode(text, type=Position)
    except msgspec.ValidationError as error:
        raise BadMessage(f"position: {error}; see docs/titles/cauldron.md") from None
    except msgspec.DecodeError as error:
        raise BadMessage(f"the position is not TOML: {error}") from None
    try:
        return Reader(title, position, data).game(dice)
    except BoardError as error:
        raise BadMessage(f"position: {error}") from None


class Reader:
    """Turns a position's names into a game."""

    def __init__(self, title: Title, position: Position, data: Data) -> None:
        self.title, self.position, self.data = title, position, data
        if position.scenario not in data.scenarios:
            known = ", ".join(data.scenarios)
            raise BadMessage(f"position: no scenario {position.scenario!r}; use {known}")
        self.turn = self.turn_number(position.turn)
        last = data.scenarios[position.scenario].file.last_turn
        within("turn", self.turn, 1, last)

    def game(self, dice: Dice) -> Game:
        """The game, with the point of the sequence it stands at."""
        position = self.position
        printed: dict[UnitId, Kind] = {}
        units = [self.other(UnitId(at)) for at in range(len(self.data.units))]
        for name, one in position.units.items():
            at = self.unit(name)
            kind = self.kind(at, one)
            if kind != self.data.units[at]:
                printed[at] = kind
            units[at] = self.place(name, kind, one)
        scenario = self.data.scenarios[position.scenario].file
        points = scenario.axis_points if position.points is None else position.points
        within("points", points, 0, self.data.tables.limits.track_points)
        laid = self.turn if position.laid is None else position.laid
        if position.laid is None and position.phase in ("setup", "chits", "minefields"):
            laid = self.turn - 1
        within("laid", laid, 0, len(self.data.turn_names))
        game = Game(
            title=self.title,
            data=self.data,
            scenario=position.scenario,
            options=self.title.check_options(position.options),
            dice=replace(dice, count=position.rolls),
            orders=position.orders,
            turn=self.turn,
            units=units,
            players={},
            points=points,
            activated=tuple(map(self.formation, position.formations_activated)),
            markers=tuple(map(self.marker, position.breaches)),
            laid=laid,
            withdrawn=tuple(map(self.formation, position.withdrawn)),
            broken_word=position.broken_word,
            printed=printed,
        )
        fill_cups(game)
        for side, chits in ((AXIS, position.axis), (ALLIED, position.allied)):
            game.players[side] = self.player(game, side, chits)
        self.check(game)
        self.point(game)
        game.events = []
        return game

    # Names.

    def turn_number(self, name: str | int) -> int:
        """A turn by its number or its printed name."""
        if isinstance(name, int):
            return name
        names = self.data.turn_names
        if name not in names:
            raise BadMessage(f"position: no turn is called {name!r}; use {', '.join(names)}")
        return names.index(name) + 1

    def find(self, names: Names, name: str) -> int:
        """Something by its id or its printed name."""
        slug = name.replace(" / ", "/").replace(" + ", "+").replace(" ", "-").rstrip(".")
        if slug not in names.index:
            raise BadMessage(f"position: no {names.what} is called {name!r}")
        return names.index[slug]

    def unit(self, name: str) -> UnitId:
        """A unit by its id or printed name."""
        return UnitId(self.find(self.data.lexicon.units(), name))

    def formation(self, name: str) -> FormationId:
        """A formation by its id or printed name."""
        return FormationId(self.find(self.data.lexicon.names[FormationId], name))

    def chit(self, name: str, side: Side) -> ChitId:
        """A chit of a side by its id."""
        chit = ChitId(self.find(self.data.lexicon.names[ChitId], name))
        if chit not in self.data.action_chits[side] and chit not in self.data.tactical_cup[side]:
            raise BadMessage(f"position: the {side} side has no chit {name!r}")
        return chit

    # Parts.

    def other(self, unit: UnitId) -> Unit:
        """A unit that the position does not mention."""
        full = len(self.data.units[unit].steps)
        if self.position.others == "eliminated":
            return Unit(ELIMINATED, 1)
        if self.position.others == "schedule" and unit in self.data.due:
            return Unit(OFF_MAP, full, due=self.data.due[unit])
        return Unit(OFF_MAP, full, due=NEVER)

    def kind(self, unit: UnitId, one: UnitPosition) -> Kind:
        """The printed values, with those the position overrides."""
        kind = self.data.units[unit]
        if one.type is not None:
            kind = replace(kind, type=one.type)
        if one.movement is not None:
            within(f"movement of {kind.id}", one.movement, 0, 99)
            kind = replace(kind, movement=one.movement)
        if one.values is not None:
            if not one.values:
                raise BadMessage(f"position: values of {kind.id} need one entry a step")
            kind = replace(kind, steps=one.values)
        return kind

    def place(self, name: str, kind: Kind, one: UnitPosition) -> Unit:
        """A unit in its hex or box."""
        full = len(kind.steps)
        steps = full if one.steps is None else one.steps
        within(f"steps of {name}", steps, 1, full)
        at = WORDS[one.at] if one.at in WORDS else self.data.board.at(one.at)
        due = 0
        if at == OFF_MAP:
            due = NEVER if one.due is None else self.turn_number(one.due)
            within(f"due of {name}", due, 1, NEVER)
        elif one.due is not None:
            raise BadMessage(f"position: {name} is due only if it is 'off' the map")
        return Unit(at, steps, one.used, one.disrupted, NAMES.index(one.supply), due)

    def marker(self, one: MarkerPosition) -> Marker:
        """A breach marker, its hexsides adjacent pairs."""
        sides: list[Pair] = [self.data.board.side(*pair) for pair in one.sides]
        within("sides of a breach", len(sides), 1, 2)
        if one.unit and len(sides) != 1:
            raise BadMessage("position: a breach under construction has one hexside")
        return Marker(tuple(sides), self.unit(one.unit) if one.unit else None)

    def player(self, game: Game, side: Side, chits: ChitsPosition) -> Player:
        """A side's chits; the cup is what the turn's table gives less what is out of it."""
        held = tuple(sorted(self.chit(name, side) for name in chits.held))
        for chit in held:
            if not self.data.chits[chit].tactical:
                raise BadMessage(f"position: {self.data.chits[chit].name} cannot be held")
        played = tuple(self.chit(name, side) for name in chits.played)
        full = game.players[side]
        drawn = self.position.chit
        if chits.cup is not None:
            cup = tuple(sorted(self.chit(name, side) for name in chits.cup))
        else:
            cup = full.cup
            out = [*held, *played]
            if drawn and side == self.position.side and self.chit(drawn, side) not in played:
                out.append(self.chit(drawn, side))
            for chit in out:
                if chit in cup:
                    cup = without(cup, chit)
        actions = full.actions if chits.actions is None else chits.actions
        within(f"actions of {side}", actions, 0, 99)
        return Player(cup, held, played, actions)

    def check(self, game: Game) -> None:
        """What no position may hold: both sides in a hex, the zones of 8.1 and 8.2 broken."""
        both = game.occupied[AXIS] & game.occupied[ALLIED]
        if both:
            hexes = ", ".join(self.data.board.text(both))
            raise BadMessage(f"position: both sides are in {hexes}; move one")
        for unit, now in enumerate(game.units):
            kind = game.kind(UnitId(unit))
            if now.at < 0:
                continue
            if kind.side == ALLIED and self.data.prohibited >> now.at & 1:
                raise BadMessage(f"position: {kind.id} is in the zone prohibited by 8.1; move it")
            if kind.bracketed and not self.data.brigade_69 >> now.at & 1:
                raise BadMessage(f"position: {kind.id} must stay in the area of 8.2; move it")
        if len(game.markers) > self.data.tables.minefields.breach_markers:
            raise BadMessage("position: more breach markers than the game has [14.1]")
        for marker in game.markers:
            if marker.unit is not None and game.units[marker.unit].at != marker.sides[0][0]:
                name = game.kind(marker.unit).id
                raise BadMessage(f"position: {name} is not in the hex its breach starts from")

    # The point of the sequence.

    def point(self, game: Game) -> None:
        """Set the stack: the beginning of a phase, a chit drawn, units activated, one moving."""
        position = self.position
        if position.stack:
            game.stack = codec.read_stack(self.title, position.stack, game.data.lexicon)
            self.probe(game)
            return
        if position.phase not in PHASES:
            raise BadMessage(f"position: phase is one of {', '.join(PHASES)}")
        deeper = position.chit or position.activated is not None or position.active
        if position.phase != "actions":
            if deeper:
                raise BadMessage("position: chit, activated and active belong to phase 'actions'")
            game.stack = (Turn(position.phase),)
            game.pending = BEGIN
            return
        side = position.side
        if not deeper:
            game.stack = (Turn("actions"), ActionPhases(side))
            game.pending = BEGIN
            return
        base = (Turn("actions"), ActionPhases(enemy(side)))
        if position.activated is None and not position.active:
            game.stack = (*base, Orders(side, self.chit(position.chit, side), position.storm))
            if not game.facts.chits[self.chit(position.chit, side)].cup:
                raise BadMessage(f"position: {position.chit!r} is no action chit")
            return
        ready = tuple(self.own(game, name) for name in position.activated or ())
        for unit in ready:
            if not present(game, unit):
                name = game.kind(unit).id
                raise BadMessage(
                    f"position: {name} is activated and must be in a hex or due to arrive"
                )
        active = self.own(game, position.active) if position.active else None
        waiting = tuple(unit for unit in ready if unit != active)
        stack: tuple[Any, ...] = (*base, Operations(side, position.storm, waiting))
        if active is not None:
            if game.units[active].at < 0:
                raise BadMessage(f"position: {position.active} is active and must be in a hex")
            if game.builder_of(active):
                raise BadMessage(f"position: {position.active} breaches and cannot be active")
            spent = self.spent()
            stack = (*stack, Move(active, position.storm, spent))
        game.stack = stack
        game.pending = BEGIN if active is None else 0

    def own(self, game: Game, name: str) -> UnitId:
        """A unit of the acting side."""
        unit = self.unit(name)
        if game.side_of(unit) != self.position.side:
            raise BadMessage(f"position: {name} is not of the {self.position.side} side")
        return unit

    def spent(self) -> int:
        """Movement points already spent, whole or as a number with half points such as "1.5"."""
        try:
            scaled = float(self.position.spent) * self.data.scale
        except ValueError:
            scaled = -1
        if scaled < 0 or scaled != int(scaled) or scaled > 999:
            raise BadMessage(f"position: spent cannot be {self.position.spent!r}; use points")
        return int(scaled)

    def probe(self, game: Game) -> None:
        """A raw stack that does not fit the rest of the position is refused, not run into."""
        trial = game.copy()
        try:
            trial.settle()
            assert trial.outcome or (trial.prompt and trial.actor)
        except BadMessage:
            raise
        except Exception as error:
            what = type(error).__name__
            raise BadMessage(
                f"position: the stack does not fit the units and markers ({what}); "
                "use what position_text wrote"
            ) from None


def within(what: str, value: int, least: int, most: int) -> None:
    """Refuse a number out of range."""
    if not least <= value <= most:
        raise BadMessage(f"position: {what} cannot be {value}; use {least} to {most}")


def write(game: Game) -> str:
    """A game as a position file."""
    facts = game.facts

    def chits(ids: Iterable[ChitId]) -> tuple[str, ...]:
        return tuple(facts.chits[each].id for each in ids)

    def player(side: Side) -> ChitsPosition:
        one = game.players[side]
        return ChitsPosition(chits(one.cup), chits(one.held), chits(one.played), one.actions)

    position = Position(
        scenario=game.scenario,
        options=game.options,
        turn=facts.turn_names[game.turn - 1],
        stack=codec.stack_text(game),
        points=game.points,
        laid=game.laid,
        formations_activated=tuple(facts.formations[each].id for each in game.activated),
        withdrawn=tuple(facts.formations[each].id for each in game.withdrawn),
        broken_word=game.broken_word,
        rolls=game.dice.count,
        orders=game.orders,
        axis=player(AXIS),
        allied=player(ALLIED),
        breaches=tuple(
            MarkerPosition(
                tuple((game.hex(a), game.hex(b)) for a, b in marker.sides),
                "" if marker.unit is None else facts.units[marker.unit].id,
            )
            for marker in game.markers
        ),
        units={kind.id: unit_position(game, UnitId(at)) for at, kind in enumerate(facts.units)},
    )
    return tomli_w.dumps(without_none(msgspec.to_builtins(position)))


def unit_position(game: Game, unit: UnitId) -> UnitPosition:
    """A unit as a position states it."""
    now, kind, printed = game.units[unit], game.kind(unit), game.facts.units[unit]
    words: dict[Space, str] = {space: word for word, space in WORDS.items()}
    return UnitPosition(
        at=words[now.at] if now.at < 0 else game.hex(now.at),
        steps=now.steps,
        used=now.used,
        disrupted=now.disrupted,
        supply=NAMES[now.supply],
        due=now.due if now.at == OFF_MAP else None,
        type=kind.type if kind.type != printed.type else None,
        movement=kind.movement if kind.movement != printed.movement else None,
        values=kind.steps if kind.steps != printed.steps else None,
    )


def without_none(value: Any) -> Any:
    """TOML has no null: drop it."""
    if isinstance(value, dict):
        return {key: without_none(each) for key, each in value.items() if each is not None}
    return value
