"""Positions as TOML: any counter anywhere in any state, every track, any point of the sequence."""

from __future__ import annotations

from typing import Any

import msgspec
import tomli_w
from msgspec import Struct, field
from msgspec.structs import replace

from sandtable.kernel import codec
from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import BEGIN, OptionValue, Over
from sandtable.kernel.title import Title
from sandtable.titles.gallop.data import WEATHERS, Data
from sandtable.titles.gallop.sequence import NAMES, STAGES, Turn
from sandtable.titles.gallop.state import (
    DEAD,
    FACE_UP,
    OFF_MAP,
    TURNED,
    UNKNOWN,
    Air,
    Game,
    Piece,
    Ratings,
)

PLACES = {"dead": DEAD, "off": OFF_MAP}
FACES = {"up": FACE_UP, "down": UNKNOWN, "turned": TURNED}


class UnitPosition(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A counter: where it is ("dead", "off" or a hex), its state, and factors to use instead."""

    at: str
    disrupted: bool = False
    active: bool = True
    supplied: bool = True
    moved: bool = False
    attacked: bool = False
    trucked: bool = False
    galloping: bool = False
    face: str = "up"
    since: int | None = None
    factors: tuple[int, int, int] | None = None


class AirPosition(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """An air unit: used this turn, over a hex, out for some turns, grounded by rain."""

    used: bool = False
    over: str = ""
    out: int = 0
    grounded: bool = False


class Position(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The shape of a position file."""

    scenario: str = "historical"
    options: dict[str, OptionValue] = field(default_factory=dict)
    turn: int = 1
    stage: str = "axis movement"
    weather: str = "clear"
    storm_die: int = 0
    convoys: int | None = None
    losses: int = 0
    galloped: bool = False
    axis_holds: tuple[str, ...] | None = None
    eliminated: tuple[str, ...] = ()
    held: tuple[str, ...] | None = None
    air: dict[str, AirPosition] = field(default_factory=dict)
    units: dict[str, UnitPosition] = field(default_factory=dict)
    orders: dict[str, str] = field(default_factory=dict)
    clock: int | None = None
    rolls: int = 0
    stack: str = ""


def read(title: Title, text: str, data: Data, dice: Dice) -> Game:
    """The game that a position describes."""
    try:
        position = msgspec.toml.decode(text, type=Position)
    except msgspec.ValidationError as error:
        raise BadMessage(f"position: {error}; see docs/positions.md") from None
    except msgspec.DecodeError as error:
        raise BadMessage(f"the position is not TOML: {error}") from None
    _one_of("scenario", position.scenario, [each.id for each in title.scenarios])
    _one_of("stage", position.stage, NAMES)
    _one_of("weather", position.weather, WEATHERS)
    _range("turn", position.turn, 1, data.tables.turns.last)
    _range("storm_die", position.storm_die, 0, 6)
    _range("losses", position.losses, 0, 99)
    _range("rolls", position.rolls, 0, 1_000_000)
    stage = STAGES[NAMES.index(position.stage)]
    phasing: Side = stage.side or "axis"
    convoys = data.tables.supply.convoys.of(phasing)
    if position.convoys is not None:
        _range("convoys", position.convoys, 0, 99)
        convoys = position.convoys
    game = Game(
        title=title,
        data=data,
        scenario=position.scenario,
        options=title.check_options(position.options),
        dice=replace(dice, count=position.rolls),
        orders=_orders(title, position),
        pieces=[Piece() for _ in data.unit_ids],
        air=(_air(data, position, "axis"), _air(data, position, "allied")),
        turn=position.turn,
        phasing=phasing,
        weather=position.weather,
        storm_die=position.storm_die,
        convoys=convoys,
        losses=position.losses,
        galloped=position.galloped,
        eliminated=_works(data, position),
    )
    for name, one in position.units.items():
        _set(game, name, one)
    _check_ground(game)
    if position.clock is not None:
        game.clock = position.clock
    _control(game, position)
    if position.held is None:
        game.set_held()
    else:
        game.held = tuple(sorted(_hex(data, name) for name in position.held))
    _begin(game, position)
    return game


def _begin(game: Game, position: Position) -> None:
    """Enter the stage, or take up the raw stack where it was left."""
    if position.stack:
        game.stack = codec.read_stack(game.title, position.stack, game.data.lexicon)
        bottom = game.stack[0]
        if isinstance(bottom, Over):
            return
        if not isinstance(bottom, Turn):
            raise BadMessage("position: the stack starts with a Turn; use one that was written")
        _one_of("stage of the stack", bottom.stage, NAMES)
        stage = STAGES[NAMES.index(bottom.stage)]
        game.phasing = stage.side or "axis"
        _try_stack(game)
    else:
        game.stack = (Turn(position.stage),)
        game.pending = BEGIN


def _try_stack(game: Game) -> None:
    """A raw stack may name units and hexes that do not fit; better said now than later."""
    trial = game.copy()
    try:
        trial.settle()
        trial.check()
        _ = trial.prompt, len(trial.actions())
    except BadMessage:
        return  # scripted dice that end early are no fault of the stack
    except Exception as error:
        what = type(error).__name__
        raise BadMessage(f"position: the stack does not fit the units ({what})") from None


def _orders(title: Title, position: Position) -> dict[str, str]:
    """Standing orders, each for a side and an interrupt the title knows."""
    known = {
        f"{side} {each.id}": each.settings for side in title.sides for each in title.interrupts
    }
    for key, way in position.orders.items():
        _one_of("an order", key, known)
        _one_of(f"order {key!r}", way, known[key])
    return position.orders


def _set(game: Game, name: str, one: UnitPosition) -> None:
    """Place one counter."""
    data = game.facts
    if name not in data.index:
        raise BadMessage(f"position: no unit is called {name!r}; see units.toml")
    unit = data.index[name]
    _one_of(f"face of {name}", one.face, FACES)
    hex = PLACES[one.at] if one.at in PLACES else _hex(data, one.at)
    if hex >= 0 and not data.land >> hex & 1:
        raise BadMessage(f"position: {name} is at {one.at}, which is sea; put it on land")
    if FACES[one.face] and (game.side_of(unit) == "axis" or hex < 0):
        raise BadMessage(f"position: {name} cannot be face down; only Allied ones on the map can")
    if game.side_of(unit) == "axis" and (one.galloping or not one.active):
        raise BadMessage(f"position: {name} can neither sleep nor flee; only Allied units do")
    if one.trucked and (unit >= len(data.counters) or data.counters[unit].cls != "infantry"):
        raise BadMessage(f"position: {name} cannot be trucked; only walking infantry can")
    game.clock += 1
    since = game.clock if hex >= 0 and one.since is None else (one.since or 0)
    game.put(
        unit,
        hex=hex,
        since=since,
        disrupted=one.disrupted,
        active=one.active and FACES[one.face] != UNKNOWN,
        supplied=one.supplied,
        moved=one.moved,
        attacked=one.attacked,
        trucked=one.trucked,
        galloping=one.galloping,
        hidden=FACES[one.face],
    )
    if unit >= len(data.counters) and hex >= 0 and not FACES[one.face]:
        raise BadMessage(f"position: dummy {name} on the map needs face = 'down' or 'turned'")
    if one.factors is not None:
        if unit >= len(data.counters):
            raise BadMessage(f"position: {name} is a dummy and has no factors")
        for value, most in zip(one.factors, (99, 99, 9), strict=True):
            _range(f"factors of {name}", value, 1, most)
        game.overrides = {**game.overrides, name: Ratings(*one.factors)}
        game.counters = None


def _check_ground(game: Game) -> None:
    """XII.A.1 Only one side may be in a hex; an air unit flies over a hex of the map."""
    both = game.lay.seen["axis"] & game.lay.seen["allied"]
    if both:
        where = game.facts.board.text(both)[0]
        raise BadMessage(f"position: both sides have units in {where}; only one may [XII.A.1]")


def _control(game: Game, position: Position) -> None:
    """XVI Control as given, or as at the start with whoever stands there now."""
    data = game.facts
    if position.axis_holds is not None:
        hexes = [_hex(data, name) for name in position.axis_holds]
        for hex in hexes:
            if not game.watched() >> hex & 1:
                name = game.hex_name(hex)
                raise BadMessage(f"position: control of {name} is not recorded; see map.toml")
        game.axis_holds = tuple(sorted(set(hexes)))
        return
    game.axis_holds = at_start(data)
    for side in ("axis", "allied"):
        hexes = [game.pieces[unit].hex for unit in game.on_map(side)]
        game.take_control(hexes, side)
    game.events = []


def at_start(data: Data) -> tuple[Space, ...]:
    """XVI What the Axis controls when the game starts."""
    villages = data.board.each(data.villages["axis"])
    return tuple(sorted({Space(hex) for hex in (*villages, *data.axis_sources)}))


def _air(data: Data, position: Position, side: str) -> Air:
    for name in position.air:
        _one_of("air", name, ("axis", "allied"))
    one = position.air.get(side, AirPosition())
    _range(f"out of the {side} air unit", one.out, 0, 2)
    over = _hex(data, one.over) if one.over else OFF_MAP
    return Air(one.used, over, one.out, one.grounded)


def _works(data: Data, position: Position) -> tuple[Space, ...]:
    hexes = [_hex(data, name) for name in position.eliminated]
    for hex, name in zip(hexes, position.eliminated, strict=True):
        if not (data.works["axis"] | data.works["allied"]) >> hex & 1:
            raise BadMessage(f"position: {name} has no box or fort; correct `eliminated`")
    return tuple(sorted(set(hexes)))


def _hex(data: Data, name: str) -> Space:
    if name not in data.board:
        raise BadMessage(f"position: no hex is called {name!r}; use A1 to N17, 'dead' or 'off'")
    return Space(data.board.at(name))


def _one_of(what: str, value: str, known: Any) -> None:
    if value not in known:
        raise BadMessage(f"position: {what} cannot be {value!r}; use {', '.join(known)}")


def _range(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadMessage(f"position: {what} cannot be {value}; use {least} to {most}")


def write(game: Game) -> str:
    """A game as a position file."""
    stage = game.stack[0].stage if game.stack else NAMES[-1]
    units = {
        game.name(UnitId(number)): _unit(game, UnitId(number))
        for number, piece in enumerate(game.pieces)
        if piece != Piece() or game.name(UnitId(number)) in game.overrides
    }
    position = Position(
        scenario=game.scenario,
        options=game.options,
        turn=game.turn,
        stage=stage,
        weather=game.weather,
        storm_die=game.storm_die,
        convoys=game.convoys,
        losses=game.losses,
        galloped=game.galloped,
        axis_holds=tuple(game.hex_name(hex) for hex in game.axis_holds),
        eliminated=tuple(game.hex_name(hex) for hex in game.eliminated),
        held=tuple(game.hex_name(hex) for hex in game.held),
        air={
            side: AirPosition(
                one.used, game.hex_name(one.over) if one.over >= 0 else "", one.out, one.grounded
            )
            for side, one in zip(("axis", "allied"), game.air, strict=True)
            if one != Air()
        },
        units=units,
        orders=game.orders,
        clock=game.clock,
        rolls=game.dice.count,
        stack=codec.stack_text(game),
    )
    plain: dict[str, Any] = _without_none(msgspec.to_builtins(position))
    return tomli_w.dumps(plain)


def _unit(game: Game, unit: UnitId) -> UnitPosition:
    piece, ratings = game.pieces[unit], game.overrides.get(game.name(unit))
    at = {DEAD: "dead", OFF_MAP: "off"}.get(piece.hex) or game.hex_name(piece.hex)
    return UnitPosition(
        at=at,
        disrupted=piece.disrupted,
        active=piece.active,
        supplied=piece.supplied,
        moved=piece.moved,
        attacked=piece.attacked,
        trucked=piece.trucked,
        galloping=piece.galloping,
        face={number: word for word, number in FACES.items()}[piece.hidden],
        since=piece.since,
        factors=(ratings.attack, ratings.defense, ratings.movement) if ratings else None,
    )


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(each) for key, each in value.items() if each is not None}
    return value
