"""Positions as TOML: any piece anywhere in any state, every track, and where the game stands."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import tomli_w
from msgspec import Struct, field

from sandtable.boards import BoardError
from sandtable.kernel import codec
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.steps import Step
from sandtable.titles.theseus.acting import Acting
from sandtable.titles.theseus.activation import FormationActivation, UnitActivation
from sandtable.titles.theseus.challenges import assignable
from sandtable.titles.theseus.facts import Data
from sandtable.titles.theseus.organisation import Organisation
from sandtable.titles.theseus.recovery import Recovery
from sandtable.titles.theseus.schema import AXIS, COMMONWEALTH, SIDES, SideName
from sandtable.titles.theseus.sequence import (
    EndOfTurn,
    Initiative,
    Operations,
    Solitaire,
    lone_units,
)
from sandtable.titles.theseus.state import GONE, POOL, Game, Overrides, Piece

MOST_STEPS = 200_000


class PiecePosition(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One counter: a hex, or "pool" or "gone", and what differs from its printed front.

    Without a hex it stays where the base puts it.
    """

    hex: str = ""
    strength: int | None = None
    disrupted: bool = False
    formation: str = ""
    emergency_spent: bool = False
    unsupplied: bool = False
    activations: int = 0
    printed_strength: int | None = None
    effectiveness: tuple[int, int] | None = None
    points: tuple[int, int] | None = None
    movement: int | None = None
    type: str | None = None


class Point(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where in the sequence of play the game stands."""

    phase: Literal[
        "setup", "operations", "initiative", "activation", "acting", "organisation", "admin",
        "end of turn", "solitaire", "stack",
    ] = "operations"  # fmt: skip
    side: SideName | Literal[""] = ""
    formation: str = ""
    unit: str = ""
    reaction: bool = False
    first: bool = False
    steps: str = ""


class Position(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A whole position."""

    title: Literal["theseus"] = "theseus"
    scenario: str = "campaign"
    base: Literal["setup", "empty"] = "empty"
    turn: int = 1
    options: dict[str, bool | int | str] = field(default_factory=dict)
    point: Point = field(default_factory=Point)
    initiative_space: int = 0
    initiative_side: SideName = "axis"
    passed: tuple[SideName, ...] = ()
    action_points: dict[SideName, int] = field(default_factory=dict)
    snafu: SideName = "axis"
    air: int | None = None
    schwerpunkt: str = ""
    breached: tuple[str, ...] = ()
    improved: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    tobruk: SideName = "commonwealth"
    tobruk_next: SideName | Literal[""] = ""
    released: tuple[str, ...] = ()
    last_in: dict[str, SideName] = field(default_factory=dict)
    scored: dict[str, int] = field(default_factory=dict)
    penalty: int = 0
    dummies: dict[str, int] = field(default_factory=dict)
    shown: tuple[str, ...] = ()
    entered: tuple[str, ...] = ()
    orders: dict[str, str] = field(default_factory=dict)
    levels: dict[str, int] = field(default_factory=dict)
    stacks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Hex = pieces, top first: a short way to place full-strength pieces, and their order."""
    pieces: dict[str, PiecePosition] = field(default_factory=dict)


def set_up(
    title: Any, scenario: str, options: dict[str, bool | int | str], dice: Dice, data: Data
) -> Game:
    """3.7, 10 The pieces of a scenario on their starting hexes, with all tracks as printed."""
    script = data.scenarios[scenario]
    game = blank(title, scenario, options, dice, data)
    for piece, hex in script.start.items():
        game.place(piece, hex)
    for unit, joined in script.assigned.items():
        game.alter(unit, parent=joined)
    for formation, hq in enumerate(data.hqs):
        if data.hq_of(formation) in script.start:
            level = hq.level if script.solo >= 0 else hq.start_level
            game.levels[formation] = level
    for objective, _ in script.objectives:
        stack = game.at.get(objective, ())
        at = script.objective_at[objective]
        game.last_in[at] = game.side(stack[0]) if stack else COMMONWEALTH
    return game


def blank(
    title: Any, scenario: str, options: dict[str, bool | int | str], dice: Dice, data: Data
) -> Game:
    """A game with every piece off the map."""
    pieces = [
        Piece(strength=unit.strength, parent=data.own_formation[at])
        for at, unit in enumerate(data.units)
    ] + [Piece(strength=hq.support, parent=at) for at, hq in enumerate(data.hqs)]
    script = data.scenarios[scenario]
    return Game(
        title=title,
        data=data,
        scenario=scenario,
        options=options,
        dice=dice,
        pieces=pieces,
        levels=[0] * len(data.hqs),
        last_in=[COMMONWEALTH] * len(script.objectives),
        scored=[0] * len(script.objectives),
        dummies=[0] * len(data.hqs),
        overrides={},
        air=len(script.air),
    )


def read(title: Any, text: str, data: Data, dice: Dice) -> Game:
    """The game a TOML text describes; anything wrong is named with its place."""
    if len(text) > MOST_STEPS:
        raise BadMessage("the position is longer than 200,000 characters; shorten it")
    try:
        position = msgspec.toml.decode(text, type=Position)
    except msgspec.ValidationError as error:
        raise BadMessage(f"position: {error}; correct this value") from None
    except msgspec.DecodeError as error:
        raise BadMessage(f"position is not TOML: {error}") from None
    if position.scenario not in data.scenarios:
        known = ", ".join(data.scenarios)
        raise BadMessage(f"position: no scenario {position.scenario!r}; use {known}")
    options = title.check_options(position.options)
    make = set_up if position.base == "setup" else blank
    game = make(title, position.scenario, options, dice, data)
    try:
        fill(game, position)
        game.stack = stack(game, position)
    except (ValueError, BoardError) as error:
        raise BadMessage(f"position: {error}") from None
    game.orders = orders(title, position)
    game.pending = 0 if position.point.phase == "stack" else 1
    rehearse(game)
    return game


def rehearse(game: Game) -> None:
    """See on a copy that the steps fit the pieces, so that a bad position says so at once."""
    copy = game.copy()
    copy.pending = game.pending
    try:
        copy.settle()
        copy.check()
    except BadMessage:
        return
    except (
        AssertionError,
        ArithmeticError,
        AttributeError,
        LookupError,
        StopIteration,
        TypeError,
        ValueError,
    ) as error:
        raise BadMessage(
            "position: the point of the sequence does not fit the pieces "
            f"({type(error).__name__}); correct one or the other"
        ) from None


def orders(title: Any, position: Position) -> dict[str, str]:
    """Standing orders, checked by name."""
    known = {
        f"{side} {each.id}": each.settings for side in title.sides for each in title.interrupts
    }
    for key, setting in position.orders.items():
        if setting not in known.get(key, ()):
            raise BadMessage(f"position: no standing order {key} = {setting}; see the title")
    return dict(position.orders)


def ranged(what: str, value: int, least: int, most: int) -> int:
    """A number within its track."""
    if not least <= value <= most:
        raise ValueError(f"{what} is {value}; use {least} to {most}")
    return value


def fill(game: Game, position: Position) -> None:
    """Put every piece, track and marker of a position into a game."""
    data, script = game.data, game.script
    last = script.file.last_turn
    game.turn = ranged("turn", position.turn, script.file.first_turn, last)
    track = len(data.tables.initiative.track) - 1
    game.drm = ranged("initiative_space", position.initiative_space, 0, track)
    game.drm_side = SIDES.index(position.initiative_side)
    game.passed = ("axis" in position.passed, "commonwealth" in position.passed)
    ap = [ranged("action_points", position.action_points.get(side, 0), 0, 30) for side in SIDES]  # type: ignore[call-overload]
    game.ap = (ap[0], ap[1])
    game.snafu = SIDES.index(position.snafu)
    if position.air is not None:
        game.air = ranged("air", position.air, 0, len(script.air))
    if position.schwerpunkt:
        game.schwerpunkt = data.formation(position.schwerpunkt)
        if data.hqs[game.schwerpunkt].side != "axis":
            raise ValueError("schwerpunkt is not an Axis formation")
    game.breached = tuple(sorted(data.hex(name) for name in position.breached))
    for hex in game.breached:
        if not (data.mines[AXIS] | data.mines[COMMONWEALTH]) >> hex & 1:
            raise ValueError(f"breached: {data.board.names[hex]} is no minefield")
    game.blocked = tuple(data.hex(name) for name in position.blocked)
    for hex in game.blocked:
        if not (data.sources[AXIS] | data.sources[COMMONWEALTH]) >> hex & 1:
            raise ValueError(f"blocked: {data.board.names[hex]} is no Major supply source")
    game.tobruk = SIDES.index(position.tobruk)
    game.tobruk_next = SIDES.index(position.tobruk_next) if position.tobruk_next else -1
    game.released = tuple(sorted(data.formation(name) for name in position.released))
    for name, side in position.last_in.items():
        game.last_in[objective(game, name)] = SIDES.index(side)
    for name, value in position.scored.items():
        game.scored[objective(game, name)] = ranged(f"scored.{name}", value, 0, 20)
    game.penalty = ranged("penalty", position.penalty, -200, 0)
    for name, value in position.dummies.items():
        game.dummies[data.formation(name)] = ranged(f"dummies.{name}", value, 0, 20)
    game.shown = tuple(sorted(data.piece(name) for name in position.shown))
    game.entered = tuple(data.piece(name) for name in position.entered)
    for name, state in position.pieces.items():
        put(game, data.piece(name), state)
    listed: set[int] = set()
    for number, names in position.stacks.items():
        at = data.hex(number)
        for name in reversed(names):
            piece = data.piece(name)
            said = position.pieces[name].hex if name in position.pieces else ""
            if piece in listed or said not in ("", number):
                raise ValueError(f"stacks: {name} is put down twice, once in {number}")
            listed.add(piece)
            if game.pieces[piece].hex != at:
                game.place(piece, at)
            else:
                game.bring_to_top(piece)
    for formation, hq in enumerate(data.hqs):
        default = game.levels[formation]
        if position.base == "empty" and game.hex_of_hq(formation) >= 0:
            default = hq.level
        game.levels[formation] = ranged(
            f"levels.{hq.id}", position.levels.get(hq.id, default), 0, hq.level
        )
    for name in position.levels:
        data.formation(name)
    check_stacks(game)
    game.improved = tuple(data.hex(name) for name in position.improved)
    for hex in game.improved:
        if not game.combat_units(hex):
            raise ValueError(f"improved: no unit stands in {data.board.names[hex]}")
        if any(game.pieces[unit].disrupted for unit in game.combat_units(hex)):
            raise ValueError(f"improved: a unit in {data.board.names[hex]} is disrupted (5.6.3)")


def objective(game: Game, name: str) -> int:
    """The objective in a hex of the scenario, by its place in the list."""
    hex = game.data.hex(name)
    if hex not in game.script.objective_at:
        raise ValueError(f"{name} is no objective of {game.scenario}")
    return game.script.objective_at[hex]


def check_stacks(game: Game) -> None:
    """One side a hex; units in Improved Defence undisrupted; HQs not in enemy mines."""
    for hex, stack in game.at.items():
        if len({game.side(piece) for piece in stack}) > 1:
            raise ValueError(f"{game.data.board.names[hex]} holds units of both sides")


def put(game: Game, piece: int, state: PiecePosition) -> None:
    """One piece as described."""
    data, name = game.data, game.data.piece_names[piece]
    over = Overrides(
        effectiveness=state.effectiveness,
        strength=state.printed_strength,
        points=state.points,
        movement=state.movement,
        type=state.type,
    )
    if over != Overrides():
        if data.is_hq(piece):
            raise ValueError(f"pieces.{name}: printed values of HQs are set in a data pack")
        if over.effectiveness and any(not 2 <= each <= 7 for each in over.effectiveness):
            raise ValueError(f"pieces.{name}: effectiveness runs from 2 to 7")
        known_types = {unit.type for unit in data.units}
        if over.type is not None and over.type not in known_types:
            raise ValueError(f"pieces.{name}: no type {over.type!r}")
        if over.movement is not None:
            ranged(f"pieces.{name}.movement", over.movement, 1, 12)
        if over.strength is not None:
            ranged(f"pieces.{name}.printed_strength", over.strength, 1, 15)
        game.overrides[name] = over
        game.cards = None
    if data.is_hq(piece):
        full = data.hqs[piece - data.count].support
        strength = full if state.strength is None else state.strength
        ranged(f"pieces.{name}.strength", strength, 0, full)
    else:
        full = game.card[piece].strength
        gone = state.hex == "gone"
        strength = (0 if gone else full) if state.strength is None else state.strength
        ranged(f"pieces.{name}.strength", strength, 0 if gone else 1, 0 if gone else full)
    if state.hex in ("pool", "gone"):
        game.place(piece, POOL if state.hex == "pool" else GONE)
    elif state.hex:
        game.place(piece, data.hex(state.hex))
    parent = game.pieces[piece].parent
    if state.formation:
        parent = data.formation(state.formation)
        if parent != data.own_formation[piece] and (
            not assignable(game, piece) or parent not in data.may_join[piece]
        ):
            raise ValueError(f"pieces.{name}: cannot belong to {state.formation} (5.5.2)")
    if state.disrupted and data.is_hq(piece):
        raise ValueError(f"pieces.{name}: an HQ is never disrupted (5.6)")
    if state.activations and piece not in data.loners:
        raise ValueError(f"pieces.{name}: only white-striped units bear activations (6.4)")
    game.alter(
        piece,
        strength=strength,
        disrupted=state.disrupted,
        parent=parent,
        spent=state.emergency_spent,
        low=state.unsupplied,
        acts=ranged(f"pieces.{name}.activations", state.activations, 0, 3),
    )


def stack(game: Game, position: Position) -> tuple[Step[Game], ...]:
    """The steps that stand for the point in the sequence of play."""
    point = position.point
    side = SIDES.index(point.side) if point.side else AXIS
    base: Step[Game] = Solitaire() if game.script.solo >= 0 else Operations(point.first)
    match point.phase:
        case "stack":
            return codec.read_stack(game.title, point.steps, game.data.lexicon)
        case "setup":
            return (base, Organisation(AXIS, True))
        case "operations" | "solitaire":
            return (base,)
        case "initiative":
            if game.passed[side]:
                raise ValueError(f"point.side: the {SIDES[side]} side has passed")
            alone = game.passed[1 - side]
            return (base, Initiative(side, alone))
        case "activation":
            if point.unit:
                unit = game.data.piece(point.unit)
                if unit not in lone_units(game, game.side(unit)):
                    raise ValueError(f"point.unit: {point.unit} cannot be activated alone (6.4)")
                return (base, UnitActivation(unit))
            formation = game.data.formation(point.formation)
            if game.hex_of_hq(formation) < 0 or not game.levels[formation]:
                raise ValueError(
                    f"point.formation: {point.formation} has no HQ on the map, or is at level zero"
                )
            return (base, FormationActivation(formation, point.reaction))
        case "acting":
            formation = game.data.formation(point.formation)
            if not game.formation_pieces(formation):
                raise ValueError(f"point.formation: {point.formation} has no piece on the map")
            owner = game.side(game.data.hq_of(formation))
            return (base, Acting(owner, formation, reactable=not point.reaction))
        case "organisation":
            return (Organisation(side),)
        case "admin":
            return (Recovery(),)
        case _:
            return (EndOfTurn(),)


def write(game: Game) -> str:
    """The position as TOML that `read` takes back to the same state."""
    data = game.data
    names = data.board.names
    full: dict[str, Any] = {
        "title": "theseus",
        "scenario": game.scenario,
        "base": "empty",
        "turn": game.turn,
        "options": dict(game.options),
        "initiative_space": game.drm,
        "initiative_side": SIDES[game.drm_side],
        "passed": [SIDES[side] for side in (AXIS, COMMONWEALTH) if game.passed[side]],
        "action_points": {SIDES[side]: game.ap[side] for side in (AXIS, COMMONWEALTH)},
        "snafu": SIDES[game.snafu],
        "air": game.air,
        "breached": [names[hex] for hex in game.breached],
        "improved": [names[hex] for hex in game.improved],
        "blocked": [names[hex] for hex in game.blocked],
        "tobruk": SIDES[game.tobruk],
        "released": [data.hqs[each].id for each in game.released],
        "penalty": game.penalty,
        "shown": [data.piece_names[each] for each in game.shown],
        "entered": [data.piece_names[each] for each in game.entered],
    }
    if game.schwerpunkt >= 0:
        full["schwerpunkt"] = data.hqs[game.schwerpunkt].id
    if game.tobruk_next >= 0:
        full["tobruk_next"] = SIDES[game.tobruk_next]
    hexes = [names[hex] for hex, _ in game.script.objectives]
    full["last_in"] = {hex: SIDES[side] for hex, side in zip(hexes, game.last_in, strict=True)}
    full["scored"] = dict(zip(hexes, game.scored, strict=True))
    full["dummies"] = {data.hqs[at].id: number for at, number in enumerate(game.dummies) if number}
    full["orders"] = dict(sorted(game.orders.items()))
    full["levels"] = {hq.id: game.levels[at] for at, hq in enumerate(data.hqs)}
    full["stacks"] = {
        names[hex]: [data.piece_names[piece] for piece in game.at[hex]] for hex in sorted(game.at)
    }
    full["pieces"] = {data.piece_names[at]: described(game, at) for at in range(data.pieces)}
    full["point"] = {"phase": "stack", "steps": codec.stack_text(game)}
    return tomli_w.dumps(full)


def described(game: Game, at: int) -> dict[str, Any]:
    """One piece with what differs from its printed front."""
    piece, data = game.pieces[at], game.data
    where = {POOL: "pool", GONE: "gone"}.get(piece.hex) or data.board.names[piece.hex]
    own = data.own_formation[at]
    over = game.overrides.get(data.piece_names[at], Overrides())
    state = PiecePosition(
        hex=where,
        strength=piece.strength,
        disrupted=piece.disrupted,
        formation=data.hqs[piece.parent].id if piece.parent != own else "",
        emergency_spent=piece.spent,
        unsupplied=piece.low,
        activations=piece.acts,
        printed_strength=over.strength,
        effectiveness=over.effectiveness,
        points=over.points,
        movement=over.movement,
        type=over.type,
    )
    described: dict[str, Any] = msgspec.to_builtins(state)
    return described
