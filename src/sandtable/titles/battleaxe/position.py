"""Positions as TOML: any unit anywhere in any state, every track, and the point of the sequence."""

from __future__ import annotations

from typing import Any

import msgspec
import tomli_w
from msgspec import Struct, field
from msgspec.structs import replace

from sandtable.kernel import codec
from sandtable.kernel.actions import Space
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.game import BEGIN, OptionValue, ScoreLine
from sandtable.kernel.title import Title
from sandtable.titles.battleaxe.data import ALLIED, AXIS, NOBODY, SIDES, Data, SideName
from sandtable.titles.battleaxe.impulses import EndOfImpulse, Impulse, Maneuvers
from sandtable.titles.battleaxe.refit import RefitPhase
from sandtable.titles.battleaxe.state import ABSENT, ELIMINATED, Game, Printed, Unit

WORDS = {"eliminated": ELIMINATED, "absent": ABSENT}


class UnitPosition(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A unit: a space, "eliminated" or "absent", its state, and values to use instead."""

    at: str
    reduced: bool = False
    out_of_supply: bool = False
    cv: tuple[int, int] | None = None
    mf: int | None = None


class ScorePosition(Struct, forbid_unknown_fields=True):
    """Victory Points scored so far."""

    text: str
    points: int
    rule: str = "17.2"


class Position(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The shape of a position file."""

    scenario: str = "june"
    options: dict[str, OptionValue] = field(default_factory=dict)
    turn: int = 1
    impulse: int = 1
    phase: str = "maneuvers"
    side: SideName = "allied"
    stack: str = ""
    advantage: str = "allied"
    advantage_goes_to: str = "nobody"
    fuel_low: bool = False
    rommel: bool = False
    rommel_used: bool = False
    air_used: bool = False
    allied_artillery: int | None = None
    axis_artillery: int | None = None
    released: tuple[bool, bool] | None = None
    just_released: int = 0
    contested_before: tuple[str, ...] = ()
    sunset: int = 0
    tobruk_scored: bool = False
    rolls: int = 0
    others: str = "absent"
    allied_held: tuple[str, ...] | None = None
    tem: dict[str, int] = field(default_factory=dict)
    orders: dict[str, str] = field(default_factory=dict)
    units: dict[str, UnitPosition] = field(default_factory=dict)
    score: list[ScorePosition] = field(default_factory=list)


def read(title: Title, text: str, data: Data, dice: Dice) -> Game:
    """The game that a position describes."""
    try:
        position = msgspec.toml.decode(text, type=Position)
    except msgspec.ValidationError as error:
        raise BadMessage(f"position: {error}; see docs/titles/battleaxe.md") from None
    except msgspec.DecodeError as error:
        raise BadMessage(f"the position is not TOML: {error}") from None
    if position.scenario not in {each.id for each in title.scenarios}:
        raise BadMessage(f"position: no scenario is called {position.scenario!r}")
    tables = data.tables
    _range("turn", position.turn, 1, len(tables.days))
    _range("impulse", position.impulse, 1, tables.impulses)
    _range("sunset", position.sunset, 0, 12)
    if position.others not in ("absent", "eliminated"):
        raise BadMessage("position: others is 'absent' or 'eliminated'")
    options = title.check_options(position.options)
    regiment = data.scenario.consolidated_4rtr
    unused = regiment.remove if options["consolidated_4rtr"] else (regiment.add,)
    units = [
        Unit(ABSENT if facts.id in unused else WORDS[position.others]) for facts in data.unit_facts
    ]
    printed: dict[int, Printed] = {}
    for name, one in position.units.items():
        at = data.unit(name)
        units[at] = Unit(_where(data, one.at), one.reduced, one.out_of_supply)
        if one.cv is not None or one.mf is not None:
            facts = data.unit_facts[at]
            cv = facts.cv if one.cv is None else one.cv
            mf = facts.mf if one.mf is None else one.mf
            for value in (*cv, mf):
                _range(f"cv and mf of {name}", value, -9, 99)
            printed[at] = Printed(cv, mf)
    guns = (position.allied_artillery, position.axis_artillery)
    full = (tables.allied_artillery, tables.axis_artillery)
    for number in guns:
        if number is not None:
            _range("artillery", number, 0, 9)
    game = Game(
        title=title,
        data=data,
        scenario=position.scenario,
        options=options,
        dice=replace(dice, count=position.rolls),
        orders=position.orders,
        units=units,
        allied_held=_held(data, position),
        turn=position.turn,
        impulse=position.impulse,
        advantage=_side(position.advantage),
        shift_to=_side(position.advantage_goes_to),
        fuel_low=position.fuel_low,
        rommel=position.rommel,
        rommel_used=position.rommel_used,
        air_used=position.air_used,
        artillery=(
            full[0] if guns[0] is None else guns[0],
            full[1] if guns[1] is None else guns[1],
        ),
        released=position.released or (position.turn > 1, position.turn > 1),
        just_released=position.just_released,
        contested_before=data.mask(*position.contested_before),
        sunset=position.sunset,
        vp=sum(line.points for line in position.score),
        scored=tuple(ScoreLine(line.text, line.points, line.rule) for line in position.score),
        tobruk_scored=position.tobruk_scored,
        printed=printed,
        tems={data.space(name): value for name, value in position.tem.items()},
    )
    game.derive()
    _settle_presence(game, position.allied_held is not None)
    game.stack = _stack(title, position, data)
    if not position.stack:
        game.pending = BEGIN
    return game


def _settle_presence(game: Game, given: bool) -> None:
    """7.1, 7.2 A side alone in a space controls it, and no Area is overstacked."""
    for space in map(Space, game.data.board.spaces):
        allied, axis = (bool(game.units_in(side, space)) for side in (ALLIED, AXIS))
        alone = ALLIED if allied else AXIS
        if allied != axis and game.holder(space) != alone:
            if given:
                raise BadMessage(
                    f"position: {SIDES[alone]} units are alone in {game.data.called(space)}, "
                    "so they control it; correct allied_held"
                )
            game.allied_held ^= 1 << space
        for side in (ALLIED, AXIS):
            number = len(game.units_in(side, space))
            if number > game.data.tables.stacking and not game.is_zone(space):
                raise BadMessage(
                    f"position: {number} {SIDES[side]} units in {game.data.called(space)}; "
                    f"at most {game.data.tables.stacking} may stack there [7.1]"
                )


def _held(data: Data, position: Position) -> int:
    if position.allied_held is not None:
        return data.mask(*position.allied_held)
    return sum(1 << at for at, space in enumerate(data.spaces) if space.control == "allied")


def _where(data: Data, name: str) -> Space:
    return WORDS[name] if name in WORDS else data.space(name)


def _side(name: str) -> int:
    if name == "nobody":
        return NOBODY
    if name not in SIDES:
        raise BadMessage(f"position: {name!r} is not allied, axis or nobody")
    return SIDES.index(name)


def _range(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise BadMessage(f"position: {what} cannot be {value}; use {least} to {most}")


def _stack(title: Title, position: Position, data: Data) -> tuple[Any, ...]:
    if position.stack:
        return codec.read_stack(title, position.stack, data.lexicon)
    side = SIDES.index(position.side)
    phases: dict[str, Any] = {
        "maneuvers": Impulse(side),
        "end of impulse": EndOfImpulse(side),
        "refit": RefitPhase(side),
    }
    if position.phase not in phases:
        raise BadMessage(f"position: phase is one of {', '.join(phases)}")
    return (Maneuvers(), phases[position.phase])


def position_text(game: Game) -> str:
    """A game as a position file."""
    data = game.data
    position = Position(
        scenario=game.scenario,
        options=game.options,
        turn=game.turn,
        impulse=game.impulse,
        stack=codec.stack_text(game),
        advantage=_side_text(game.advantage),
        advantage_goes_to=_side_text(game.shift_to),
        fuel_low=game.fuel_low,
        rommel=game.rommel,
        rommel_used=game.rommel_used,
        air_used=game.air_used,
        allied_artillery=game.artillery[ALLIED],
        axis_artillery=game.artillery[AXIS],
        released=game.released,
        just_released=game.just_released,
        contested_before=tuple(data.board.text(game.contested_before)),
        sunset=game.sunset,
        tobruk_scored=game.tobruk_scored,
        rolls=game.dice.count,
        allied_held=tuple(data.board.text(game.allied_held)),
        tem={data.spaces[space].id: value for space, value in game.tems.items()},
        orders=game.orders,
        units={
            facts.id: _unit_position(game, at)
            for at, facts in enumerate(data.unit_facts)
            if game.units[at].space != ABSENT
        },
        score=[ScorePosition(line.text, line.value, line.rule) for line in game.scored],
    )
    return tomli_w.dumps(_without_none(msgspec.to_builtins(position)))


def _unit_position(game: Game, at: int) -> UnitPosition:
    one, values = game.units[at], game.printed.get(at)
    where = "eliminated" if one.space == ELIMINATED else game.data.spaces[one.space].id
    return UnitPosition(
        at=where,
        reduced=one.reduced,
        out_of_supply=one.out_of_supply,
        cv=values.cv if values else None,
        mf=values.mf if values else None,
    )


def _side_text(side: int) -> str:
    return "nobody" if side == NOBODY else SIDES[side]


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(each) for key, each in value.items() if each is not None}
    return value
