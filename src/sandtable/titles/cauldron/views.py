"""13.0 What a side may see: everything but the other side's cup and the chits it keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sandtable.kernel import words
from sandtable.kernel.actions import UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.views import Card, Marker, Overlay, Piece, Points, Track, View
from sandtable.titles.cauldron.minefields import line_units, lines_needed
from sandtable.titles.cauldron.movement import Move, allowance, reach
from sandtable.titles.cauldron.orders import Operations, Orders, Pull
from sandtable.titles.cauldron.printed import ALLIED, AXIS, ChitId
from sandtable.titles.cauldron.sequence import Turn
from sandtable.titles.cauldron.setup import SetUp
from sandtable.titles.cauldron.state import ELIMINATED, NEVER, WITHDRAWN, Game
from sandtable.titles.cauldron.supply import NAMES, supplied
from sandtable.titles.cauldron.victory import tally
from sandtable.titles.cauldron.zoc import zoc


def view(game: Game, side: Side | None) -> View:
    """Everything a side may see; chits it may not see are only counted."""
    return View(
        title=game.title.id,
        scenario=game.scenario,
        side=side,
        actor=game.actor,
        prompt=game.prompt,
        caution=game.caution if side is not None and side == game.actor else "",
        rule=game.rule,
        turn=game.when(),
        phase=phase(game),
        phase_side=phase_side(game),
        options=game.options,
        tracks=tuple(tracks(game, side)),
        pieces=tuple(piece(game, UnitId(unit)) for unit in range(len(game.units))),
        control={},
        markers=tuple(markers(game)),
        overlays=tuple(overlays(game)),
        reach=reach_now(game) if side is not None and side == game.actor else {},
        score=tuple(
            Points(line.text, line.value if owner == AXIS else -line.value, line.rule)
            for owner, line in tally(game)
        ),
        orders={key: way for key, way in game.orders.items() if key.split()[0] == side},
        over=game.outcome is not None,
    )


def phase(game: Game) -> str:
    """3.0, 7.0 The phase of the turn, or whose action it is, the how many'th, and by whom."""
    for step in game.stack:
        if isinstance(step, (Orders, Operations, Pull)):
            # A chit that is drawn has been paid for; while one is drawn it has not.
            done = len(_action_chits(game, step.side)) + isinstance(step, Pull)
            name = "Axis" if step.side == AXIS else "Allied"
            return f"{name} action {done} of {_count(game, step.side)}{_who_acts(game, step)}"
        if isinstance(step, Turn) and step.phase != "actions":
            return PHASE_NAMES[step.phase]
    return "Actions" if game.stack else ""


def phase_side(game: Game) -> Side | None:
    """7.0 Whose action it is."""
    acts = (step.side for step in game.stack if isinstance(step, (Orders, Operations, Pull)))
    return next(acts, None)


def _who_acts(game: Game, step: Orders | Operations | Pull) -> str:
    """7.0 The formations of the chit that was drawn, or of the units it has activated."""
    if isinstance(step, Orders):
        return f": {game.facts.chits[step.chit].name}"
    if isinstance(step, Operations):
        names = {game.facts.formations[game.kind(unit).formation].name for unit in step.ready}
        return f": {names.pop()}" if len(names) == 1 else ""
    return ""


PHASE_NAMES = {
    "setup": "Set-up",
    "chits": "Chits",
    "minefields": "Minefields",
    "supply": "Supply",
    "initiative": "Initiative",
    "recovery": "Recovery",
    "victory": "Victory",
}


def tracks(game: Game, side: Side | None) -> Iterable[Track]:
    """Turn, points, actions and chits; the owner alone sees which chits are kept or left."""
    turn = game.facts.tables.turn[game.turn - 1]
    limits = game.facts.tables.limits
    yield Track("turn", "Turn", turn.name, game.turn, game.last_turn)
    yield Track(
        "points",
        "Axis victory points",
        str(game.points),
        game.points,
        limits.track_points,
        sign="points",
    )
    markers_left = game.facts.tables.minefields.breach_markers - len(game.markers)
    yield Track(
        "breaches",
        "Breach markers left",
        str(markers_left),
        markers_left,
        detail=f"of {game.facts.tables.minefields.breach_markers}",
        sign="marker",
    )
    for owner, name in ((AXIS, "Axis"), (ALLIED, "Allied")):
        player = game.players[owner]
        yield Track(
            f"{owner}-actions",
            f"{name} actions",
            str(player.actions),
            player.actions,
            _count(game, owner),
            spent=True,
            cards=_actions(game, owner),
        )
        left = len(player.cup)
        yield Track(f"{owner}-cup", f"{name} cup", words.counted(left, "chit"), left)
        yield Track(
            f"{owner}-kept", f"{name} chits face down", str(len(player.held)), len(player.held)
        )
        tactical = [chit for chit in player.played if game.facts.chits[chit].tactical]
        yield Track(
            f"{owner}-played",
            f"{name} tactical chits played",
            counted(game, tactical),
            cards=tuple(Card(game.facts.chits[chit].name, state="done") for chit in tactical),
        )
        if owner == side:
            hand = tuple(
                Card(game.facts.chits[chit].name, NOTES[owner][game.facts.chits[chit].tactical])
                for chit in player.held
            )
            yield Track(
                f"{owner}-hand", "Your tactical chits", counted(game, player.held), cards=hand
            )
            names = Counter(game.facts.chits[chit].name for chit in player.cup)
            cup = tuple(Card(name, f"× {n}" if n > 1 else "") for name, n in names.items())
            yield Track(f"{owner}-left", "Left in your cup", counted(game, player.cup), cards=cup)
    used = Counter(game.facts.formations[each].name for each in game.activated)
    text = ", ".join(f"{name} x{n}" if n > 1 else name for name, n in used.items())
    yield Track("activated", "Formations activated", text or "none")


NOTES = {
    owner: {
        "combat": f"+{attack} or −1",
        "extra-move": "one more unit",
        "replacement": "a step back",
        "air": "when drawn",
        "sandstorm": "when drawn",
        "anti-tank": "one more step",
        "withdraw-attack": "withdraw or attack",
    }
    for owner, attack in ((AXIS, 1), (ALLIED, 2))
}
"""13.1 to 13.7 What a tactical chit does, in a word or two."""


def _action_chits(game: Game, owner: Side) -> list[str]:
    """7.0 The action chits of the turn that have been drawn."""
    drawn = (game.facts.chits[chit] for chit in game.players[owner].played)
    return [chit.name for chit in drawn if not chit.tactical]


def _count(game: Game, owner: Side) -> int:
    """7.0, 14.2 How many actions the turn has, less one lost for want of a line."""
    return len(_action_chits(game, owner)) + game.players[owner].actions


def _actions(game: Game, owner: Side) -> tuple[Card, ...]:
    """7.0 The actions of the turn: those done, the one that goes on, and those still to come."""
    player = game.players[owner]
    names = _action_chits(game, owner)
    cards = [Card(name, "done", "done") for name in names]
    acts = [step for step in game.stack if isinstance(step, (Orders, Operations))]
    if cards and acts and acts[0].side == owner:
        cards[-1] = Card(_who_acts(game, acts[0])[2:] or names[-1], "now", "now")
    return (*cards, *[Card()] * player.actions)


def counted(game: Game, chits: Sequence[ChitId]) -> str:
    """Chits by name, with how many of each."""
    names = Counter(game.facts.chits[chit].name for chit in chits)
    return ", ".join(f"{name} x{n}" if n > 1 else name for name, n in names.items()) or "none"


def piece(game: Game, unit: UnitId) -> Piece:
    """A counter as everybody sees it."""
    kind, now = game.kind(unit), game.units[unit]
    formation = game.facts.formations[kind.formation]
    alive = now.at >= 0
    place = ""
    if now.at == ELIMINATED:
        place = "eliminated"
    elif now.at == WITHDRAWN:
        place = "withdrawn"
    elif not alive:
        due = game.turn_name(now.due)
        place = f"due {due}" if due else "out of play"
        if any(isinstance(step, SetUp) for step in game.stack) and now.due == NEVER:
            place = "to be set up"
    states = []
    if now.steps < len(kind.steps):
        states.append("reduced")
    if now.used:
        states.append("used")
    if now.disrupted:
        states.append("disrupted")
    if now.supply:
        states.append(NAMES[now.supply])
    if game.builder_of(unit):
        states.append("breaching")
    points = 0 if now.used else allowance(game, unit, False)
    movement = game.facts.show_points(points)
    return Piece(
        id=kind.id,
        side=kind.side,
        space=game.hex(now.at) if alive else None,
        place=place,
        name=kind.long_name,
        kind=kind.type,
        size="III" if kind.large else "II",
        nation=formation.nation.lower(),
        formation=formation.name,
        steps=now.steps if now.at != ELIMINATED else 0,
        full_steps=len(kind.steps),
        ratings={
            "hard": str(game.hard(unit)),
            "soft": str(game.soft(unit)),
            "movement": f"[{movement}]" if kind.bracketed else movement,
        },
        states=tuple(states),
        status=kind.status,
        standing=NAMES[now.supply] if alive else "",
    )


def markers(game: Game) -> Iterable[Marker]:
    """14.1 Breaches begun and made, each on its hexside; minefields laid in the battle."""
    for marker in game.markers:
        kind = "breach" if marker.unit is None else "breach-begun"
        for here, there in marker.sides:
            yield Marker(kind, game.hex(here), beside=game.hex(there), side=AXIS)
    for field in game.facts.map.minefield:
        if 1 < field.from_turn <= game.laid:
            for box in field.boxes:
                yield Marker("minefield", box, text=field.name)


def overlays(game: Game) -> Iterable[Overlay]:
    """5.0, 9.0, 14.2 Supply, zones of control, mines in force and lines of communication."""
    board = game.facts.board
    for owner, name in ((AXIS, "Axis"), (ALLIED, "Allied")):
        yield Overlay(
            f"supply-{owner}",
            f"{name} supply",
            owner,
            tuple(board.text(supplied(game, owner))),
            rule="5.0",
        )
        yield Overlay(
            f"zoc-{owner}",
            f"{name} zones of control",
            owner,
            tuple(board.text(zoc(game, owner))),
            rule="9.0",
        )
    yield Overlay(
        "minefields",
        "Unbreached minefield hexsides",
        lines=tuple((game.hex(a), game.hex(b)) for a, b in sorted(game.terrain.mined) if a < b),
        rule="14.0",
    )
    lines = {space: len(line_units(game, space)) for space in game.facts.loc_hexes}
    open_lines = {space: units for space, units in lines.items() if units}
    yield Overlay(
        "lines",
        "Axis lines of communication",
        AXIS,
        tuple(game.hex(space) for space in open_lines),
        text=f"{lines_needed(game, game.turn)} needed this turn; units reached: "
        + (", ".join(f"{game.hex(space)} {n}" for space, n in open_lines.items()) or "none"),
        rule="14.2",
    )
    zone = board.text(game.facts.prohibited)
    yield Overlay("prohibited", "Prohibited to the Allies", ALLIED, tuple(zone), rule="8.1")


def reach_now(game: Game) -> dict[str, dict[str, str]]:
    """8.0 Where the active unit may go and what it costs."""
    step = game.stack[-1] if game.stack else None
    if not isinstance(step, Move):
        return {}
    found = reach(game, step.unit, step.left(game))
    return {
        game.kind(step.unit).id: {
            game.hex(space): game.facts.show_points(cost)
            for space, cost in found.cost.items()
            if cost
        }
    }
