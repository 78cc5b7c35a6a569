"""3.2, 3.3, 3.4, 3.5 What a player sees: in this game nothing on the map is hidden (7.1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.views import Card, Marker, Overlay, Piece, Points, Track, View
from sandtable.titles.battleaxe.actions import Move
from sandtable.titles.battleaxe.data import ALLIED, AXIS, NOBODY, SIDES
from sandtable.titles.battleaxe.impulses import EndOfImpulse, FreeSetUp, Impulse, Regroup
from sandtable.titles.battleaxe.logistics import in_supply, supplied_spaces
from sandtable.titles.battleaxe.movement import Assault, price
from sandtable.titles.battleaxe.refit import BattlefieldRecovery, RefitPhase
from sandtable.titles.battleaxe.state import ABSENT, Game
from sandtable.titles.battleaxe.victory import needed, points_now, winning

ADJECTIVES = ("Allied", "Axis")
SIZES = {
    "battery": "I",
    "company": "I",
    "battalion": "II",
    "regiment": "III",
    "brigade": "X",
    "division": "XX",
    "corps": "XXX",
}


def view(game: Game, side: Side | None) -> View:
    """Everything a side may see; only standing orders are private."""
    return views(game, (side,))[0]


def views(game: Game, sides: Sequence[Side | None]) -> list[View]:
    """What each of these sides may see: the same map, with its own reach and orders."""
    map = _map(game)
    return [
        replace(
            map,
            side=side,
            reach=_reach(game) if side is not None and side == game.actor else {},
            stops=_stops(game) if side is not None and side == game.actor else {},
            orders={key: way for key, way in game.orders.items() if key.split()[0] == side},
        )
        for side in sides
    ]


def _map(game: Game) -> View:
    names = game.data.lexicon.spaces().names
    score = [Points(line.text, line.value, line.rule) for line in game.scored]
    return View(
        title=game.title.id,
        scenario=game.scenario,
        side=None,
        actor=game.actor,
        prompt=game.prompt,
        rule=game.rule,
        turn=game.when(),
        phase=_phase(game),
        phase_side=_phase_side(game),
        options=game.options,
        tracks=_tracks(game),
        pieces=_pieces(game),
        control={names[at]: SIDES[game.holder(Space(at))] for at in game.data.board.spaces},
        markers=tuple(
            Marker("contested", names[at]) for at in game.data.board.each(game.contested())
        ),
        overlays=tuple(_supply(game, who) for who in (ALLIED, AXIS)),
        score=tuple(score),
        over=game.outcome is not None,
    )


def _tracks(game: Game) -> tuple[Track, ...]:
    tables = game.data.tables
    holder = "nobody" if game.advantage == NOBODY else SIDES[game.advantage]
    days = 4 if game.options["extended"] else 3
    evening = sum(line.value for line in points_now(game))
    held = [
        name
        for name, free in zip(("15th Panzer", "5th Light"), game.released, strict=True)
        if not free
    ]
    tracks = [
        Track("turn", "Turn", tables.days[game.turn - 1], game.turn, days),
        Track(
            "impulse",
            "Impulse",
            str(game.impulse),
            game.impulse,
            tables.impulses,
            _nightfall(tables.impulses),
            "the chance that it ends the day",
        ),
        Track(
            "vp",
            "Allied Victory Points",
            str(game.vp),
            game.vp,
            needed(game),
            detail=winning(game),
            sign="points",
        ),
        Track(
            "evening",
            "If the day ended now",
            str(evening),
            evening,
            detail="points for what is held",
            sign="points",
        ),
        Track("advantage", "Advantage", holder, detail="once used it goes over", sign="marker"),
        Track(
            "fuel",
            "Axis fuel",
            "low" if game.fuel_low else "enough",
            detail="until dice or night end it"
            if game.fuel_low
            else "the Advantage can make it low",
            sign="supply",
        ),
        Track(
            "rommel",
            "Rommel",
            "at the front" if game.rommel else "away",
            detail="a die in an attack" if game.rommel else "the Advantage brings him",
            sign="marker",
        ),
        Track(
            "held",
            "Held back",
            ", ".join(held) or "nobody",
            detail="until released" if held else "",
            sign="marker",
        ),
        Track(
            "air",
            "Air Support",
            "used" if game.air_used else "ready",
            detail="back in the next Impulse" if game.air_used else "one die in one attack",
            sign="air",
            cards=(Card("Air Support", state="done" if game.air_used else ""),),
        ),
    ]
    for side, most in ((ALLIED, tables.allied_artillery), (AXIS, tables.axis_artillery)):
        number = game.artillery[side]
        name = f"{SIDES[side].capitalize()} artillery"
        key = f"{SIDES[side]}-artillery"
        tracks.append(Track(key, name, str(number), number, most, spent=True))
    return tuple(tracks)


@cache
def _nightfall(impulses: int) -> tuple[str, ...]:
    """6.2.1 How likely a Sunset DR below each Impulse is; the last one leaves the track."""
    below = [sum(a + b < at for a in range(1, 7) for b in range(1, 7)) for at in range(1, impulses)]
    return (*(f"{round(each * 100 / 36)} %" for each in below), "100 %")


def _pieces(game: Game) -> tuple[Piece, ...]:
    """All counters; a counter that looks as it once did is the same object, made once."""
    known, pieces = game.data.pieces, list[Piece]()
    for at, unit in enumerate(game.units):
        if unit.space == ABSENT:
            continue
        key = (at, unit, game.released, game.just_released)
        piece = None if at in game.printed else known.get(key)
        if piece is None:
            piece = _piece(game, UnitId(at))
            if at not in game.printed:
                known[key] = piece
        pieces.append(piece)
    return tuple(pieces)


def _piece(game: Game, unit: UnitId) -> Piece:
    facts, one = game.data.unit_facts[unit], game.units[unit]
    states = [
        state
        for state, true in (
            ("reduced", one.reduced),
            ("out of supply", one.out_of_supply),
            ("held", one.space >= 0 and game.held_back(unit)),
        )
        if true
    ]
    alive = one.space >= 0
    star = "*" if facts.kind == "at" else ""
    return Piece(
        id=facts.id,
        side=facts.side,
        space=game.data.spaces[one.space].id if alive else None,
        place="" if alive else "eliminated",
        name=facts.name,
        kind={"armored_car": "recon", "at": "at"}.get(facts.kind, facts.kind),
        size=SIZES.get(facts.size, ""),
        nation=facts.nation,
        formation=facts.formation,
        steps=(1 if one.reduced else 2) if alive else 0,
        full_steps=2,
        ratings={
            "CV": f"{game.cv(unit)}{star}",
            "MF": str(game.mf(unit)) if game.mf(unit) else "–",
        },
        states=tuple(states),
        status=facts.values,
        standing=_standing(game, unit) if alive else "",
    )


def _standing(game: Game, unit: UnitId) -> str:
    """14.2, 14.2.1 Units are marked when the day ends, but a line may be cut before."""
    if game.units[unit].out_of_supply:
        return "out of supply"
    return "in supply" if in_supply(game, unit) else "cut off: no supply line now"


def _supply(game: Game, side: int) -> Overlay:
    reached = supplied_spaces(game, side)
    return Overlay(
        id=f"supply-{SIDES[side]}",
        name=f"{SIDES[side].capitalize()} supply",
        side=SIDES[side],
        spaces=tuple(game.data.board.text(reached)),
        rule="14.2.1",
    )


def _reach(game: Game) -> dict[str, dict[str, str]]:
    """For each unit that may move now, where to and for how much."""
    step = game.stack[-1] if game.stack else None
    if not isinstance(step, Assault):
        return {}
    reach: dict[str, dict[str, str]] = {}
    for action in game.actions():
        if isinstance(action, Move):
            spent = step.spent if action.unit == step.mover else 0
            cost = price(game, step.side, action.unit, spent, action.space)
            unit = game.data.unit_facts[action.unit].id
            reach.setdefault(unit, {})[game.data.spaces[action.space].id] = f"{cost} MF"
    return reach


def _stops(game: Game) -> dict[str, dict[str, str]]:
    """9.2 Where a unit that may move now must stop: in Areas with enemies."""
    side = game.stack[-1].side if game.stack and isinstance(game.stack[-1], Assault) else 0
    stops: dict[str, dict[str, str]] = {}
    for action in game.actions():
        if isinstance(action, Move) and game.units_in(1 - side, action.space):
            unit = game.data.unit_facts[action.unit].id
            stops.setdefault(unit, {})[game.data.spaces[action.space].id] = "9.2"
    return stops


def _phase_side(game: Game) -> Side | None:
    """8.0 Whose Impulse it is, while one is being played."""
    for step in reversed(game.stack):
        if isinstance(step, (Assault, Regroup, Impulse)):
            return SIDES[step.side]
        if isinstance(step, (RefitPhase, BattlefieldRecovery, EndOfImpulse, FreeSetUp)):
            return None
    return None


def _phase(game: Game) -> str:
    """6.0 What is being done, and whose Impulse it is."""
    for step in reversed(game.stack):
        match step:
            case Assault():
                return f"{ADJECTIVES[step.side]} assault"
            case Regroup():
                return f"{ADJECTIVES[step.side]} regroup"
            case Impulse():
                return f"{ADJECTIVES[step.side]} move"
            case RefitPhase() | BattlefieldRecovery():
                return "Refit"
            case EndOfImpulse():
                return "Nightfall"
            case FreeSetUp():
                return "Set-up"
    return ""
