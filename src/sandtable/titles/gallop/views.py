"""What each side may see, and how a sample of the rest is drawn (V.B, XIV.B.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sandtable.boards import bits
from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.views import Card, Marker, Overlay, Points, Track, View
from sandtable.kernel.views import Piece as Shown
from sandtable.kernel.words import counted
from sandtable.titles.gallop import victory
from sandtable.titles.gallop.lines import basic_length, served
from sandtable.titles.gallop.march import Ground
from sandtable.titles.gallop.movement import Movement, stop_rule
from sandtable.titles.gallop.sequence import NAMES, STAGES, Stage
from sandtable.titles.gallop.setup import SetUp, to_place
from sandtable.titles.gallop.siege import Siege
from sandtable.titles.gallop.stacking import too_many
from sandtable.titles.gallop.state import (
    DEAD,
    FACE_UP,
    OFF_MAP,
    TURNED,
    UNKNOWN,
    Air,
    Game,
    Lay,
    Piece,
)
from sandtable.titles.gallop.zoc import zone

SIZES = {"division": "XX", "subdivisional": "X"}


def view(game: Game, side: Side | None) -> View:
    """What a side may see; None is a spectator, who sees what the Axis sees of counters."""
    foggy = bool(game.lay.hidden or in_secret(game)) and side != "allied"
    stage = STAGES[NAMES.index(game.stack[0].stage)] if game.stack else None
    where = ""
    if stage:
        where = stage.name.replace("axis", "Axis").replace("allied", "Allied")
    return View(
        title=game.title.id,
        scenario=game.scenario,
        side=side,
        actor=game.actor,
        prompt=game.prompt,
        caution=game.caution if side is not None and side == game.actor else "",
        rule=game.rule,
        turn=game.when(),
        phase=where[:1].upper() + where[1:],
        phase_side=_phase_side(game, stage),
        options=game.options,
        tracks=tuple(_tracks(game)),
        pieces=tuple(_pieces(game, side)),
        control={
            game.hex_name(hex): "axis" if hex in game.axis_holds else "allied"
            for hex in bits(game.watched())
        },
        markers=tuple(_markers(game)),
        overlays=tuple(_overlays(game, side, foggy)),
        reach=_reach(game, side),
        stops=_stops(game, side),
        score=tuple(_score(game, foggy)),
        orders={key: way for key, way in game.orders.items() if key.split()[0] == side},
        over=game.outcome is not None,
    )


def _phase_side(game: Game, stage: Stage | None) -> Side | None:
    """VI Whose set-up or player-turn it is."""
    set_up = (step.side for step in game.stack if isinstance(step, SetUp))
    return next(set_up, stage.side if stage else None)


def in_secret(game: Game) -> bool:
    """V.B Whether the Allied player is setting up face down."""
    return any(isinstance(step, SetUp) and step.side == "allied" for step in game.stack)


def unwatched(game: Game) -> int:
    """V.B, XIV.B.6 Hexes where the Allied player is placing counters: the order would tell which.

    He sets up dummies last, and posts the garrison in a known order.
    """
    if in_secret(game):
        return game.facts.land
    posting = any(isinstance(step, Siege) and step.begun for step in game.stack)
    return game.facts.fortress if posting else 0


def _tracks(game: Game) -> Iterable[Track]:
    turns = game.facts.tables.turns.last
    yield Track("turn", "Game turn", str(game.turn), game.turn, turns)
    storms = "sandstorm 1 in 12, rain 1 in 36"
    yield Track("weather", "Weather", game.weather, detail=storms, sign="weather")
    yield Track(
        "convoys",
        "Truck convoys left",
        str(game.convoys),
        game.convoys,
        detail="each may feed one unit",
        sign="supply",
    )
    yield Track(
        "supply",
        "Basic supply line",
        f"{basic_length(game)} MF",
        basic_length(game),
        detail="from a road or track",
        sign="supply",
    )
    waking = game.facts.tables.turns.activations + game.losses
    wake = f"{counted(waking, 'Allied unit')} will wake" if game.historical else ""
    yield Track(
        "losses",
        "Allied units lost in the Axis player-turn",
        str(game.losses),
        detail=wake,
        sign="losses",
    )
    line = "its units are on the run" if game.galloped else "the Allies may give it up once"
    yield Track(
        "gallop",
        "Gazala line",
        "abandoned" if game.galloped else "held",
        detail=line,
        sign="points",
    )
    for side, air in zip(("axis", "allied"), game.air, strict=True):
        name = game.facts.air[0 if side == "axis" else 1].name
        state, detail = _air(game, air)
        card = Card(
            name, f"{state}, {detail}" if detail else state, "" if state == "ready" else "done"
        )
        yield Track(f"air-{side}", name, state, detail=detail, sign="air", cards=(card,))


def _air(game: Game, air: Air) -> tuple[str, str]:
    """X, VIII.A.1 What an air unit does, and when it can fly again."""
    stage = game.stack[0].stage if game.stack else ""
    storm = game.weather == "sandstorm" and stage != "weather"  # there it is the last turn's
    if air.out:
        return "knocked out", f"back on turn {game.turn + air.out + storm}"
    if storm:
        return "grounded", "by the sandstorm"
    if air.over >= 0:
        return f"over {game.hex_name(air.over)}", "who moves there is attacked"
    if air.grounded:
        return "grounded", "by rain"
    if air.used:
        return "flown", f"back on turn {game.turn + 1}"
    return "ready", "for one mission"


def _pieces(game: Game, side: Side | None) -> Iterable[Shown]:
    secret = set(to_place(game, "allied")) if in_secret(game) and side != "allied" else set()
    face_down: list[tuple[int, int]] = []
    screened = unwatched(game)
    for number, piece in enumerate(game.pieces):
        unit = UnitId(number)
        if unit in secret or (piece.hex == OFF_MAP and unit in game.facts.dummies):
            continue
        if piece.hidden and side != "allied":
            if not screened >> piece.hex & 1:
                face_down.append((piece.hex, piece.since))
            continue
        yield _shown(game, unit, piece)
    for shown, (hex, _) in enumerate(sorted(face_down), 1):
        yield Shown(f"?{shown}", "allied", space=game.hex_name(hex), states=("face down",))


def _shown(game: Game, unit: UnitId, piece: Piece) -> Shown:
    facts = game.facts
    space = game.hex_name(piece.hex) if piece.hex >= 0 else None
    place = {DEAD: "eliminated", OFF_MAP: "off map"}.get(piece.hex, "")
    states = tuple(
        word
        for word, true in (
            ("disrupted", piece.disrupted),
            ("not activated", not piece.active and piece.hex >= 0),
            ("out of supply", not piece.supplied and piece.hex >= 0),
            ("moved", piece.moved),
            ("attacked", piece.attacked),
            ("trucked", piece.trucked),
            ("galloping", piece.galloping),
            ("face down", piece.hidden != FACE_UP),
        )
        if true
    )
    if unit in facts.dummies:
        return Shown(facts.unit_ids[unit], "allied", space, place, "Dummy", "dummy", states=states)
    counter = game.book[unit]
    return Shown(
        counter.id,
        counter.side,
        space,
        place,
        counter.name,
        counter.cls,
        SIZES[counter.level],
        counter.nation,
        counter.formation,
        ratings={
            "attack": str(counter.attack),
            "defence": str(counter.defense),
            "movement": str(counter.movement),
        },
        states=states,
        status=counter.status["factors"],
        standing=("in supply" if piece.supplied else "out of supply") if piece.hex >= 0 else "",
    )


def _markers(game: Game) -> Iterable[Marker]:
    facts = game.facts
    for side, kind in (("allied", "box"), ("axis", "fort")):
        for hex in bits(facts.works[side]):
            gone = hex in game.eliminated
            yield Marker(f"{kind} eliminated" if gone else kind, game.hex_name(hex), side=side)
    for side, air in zip(("axis", "allied"), game.air, strict=True):
        if air.over >= 0:
            name = facts.air[0 if side == "axis" else 1].name
            yield Marker("air", game.hex_name(air.over), side=side, text=name)
    yield Marker("supply dump", game.hex_name(facts.dump), side="allied")


def _overlays(game: Game, side: Side | None, foggy: bool) -> Iterable[Overlay]:
    text = game.facts.board.text
    if side != "allied" and unwatched(game):
        return
    for each in ("axis", "allied"):
        if each == "allied" and foggy:
            continue
        yield Overlay(
            f"supply-{each}",
            f"Hexes in {each.capitalize()} supply",
            each,
            tuple(text(served(game, each))),
            text=f"Within {basic_length(game)} MF of a road or track joined to a source",
            rule="XV.A.2",
        )
        feared = game.enemy(each)
        yield Overlay(
            f"zoc-{feared}",
            f"{feared.capitalize()} zones of control",
            feared,
            tuple(text(zone(game, each))),
            rule="XIII.B",
        )


def _reach(game: Game, side: Side | None) -> dict[str, dict[str, str]]:
    """XIII Where the units of the side to act may move, and the factors it takes."""
    step = game.step if game.stack else None
    if not isinstance(step, Movement) or step.side != side:
        return {}
    ground = Ground(game, step.side)
    units = [step.unit] if step.via else step.movable(game)
    return {
        game.name(unit): {
            game.hex_name(hex): factors(spent)
            for hex, spent in step.march(game, ground, unit).cost.items()
        }
        for unit in units
    }


def _stops(game: Game, side: Side | None) -> dict[str, dict[str, str]]:
    """XIII.B.1, XI.A.4, VIII.A.4 Where a move must end, and the rule that ends it there."""
    step = game.step if game.stack else None
    if not isinstance(step, Movement) or step.side != side:
        return {}
    ground = Ground(game, step.side)
    found: dict[str, dict[str, str]] = {}
    for unit in [step.unit] if step.via else step.movable(game):
        reach = step.march(game, ground, unit)
        stops = {hex: stop_rule(game, ground, unit, reach.last_step(hex)) for hex in reach.cost}
        found[game.name(unit)] = {game.hex_name(hex): why for hex, why in stops.items() if why}
    return found


def factors(sixtieths: int) -> str:
    """Movement Factors as a decimal number.

    >>> factors(60), factors(135), factors(12)
    ('1', '2.25', '0.2')
    """
    return f"{sixtieths / 60:.2f}".rstrip("0").rstrip(".")


def _score(game: Game, foggy: bool) -> Iterable[Points]:
    """IV Points as they stand; what hangs on unseen units is left out."""
    found = (
        game.outcome.score
        if game.outcome
        else victory.ledger(victory.allied_lines(game, foggy), victory.axis_lines(game, foggy))
    )
    return [Points(line.text, line.value, line.rule) for line in found]


DEALS = 50
"""How often a lawful deal of the face-down counters is tried for."""


def redraw(game: Game, side: Side) -> None:
    """V.B, XIV.B.6 Deal the face-down counters anew, unless they are one's own.

    The deal follows from what everybody sees and from luck, not from where they really lie.
    """
    if side == "allied":
        return
    # Dummies are set up last: while one waits, everybody knows it.
    secret = to_place(game, "allied") if in_secret(game) else []
    waiting = set(secret).difference(game.facts.dummies)
    pool = {
        UnitId(number): piece
        for number, piece in enumerate(game.pieces)
        if piece.hidden or number in waiting
    }
    if len(pool) < 2:
        return
    for _ in range(DEALS):
        dealt, lawful = _deal(game, pool)
        if lawful:
            break
    off_map = [piece for piece in pool.values() if piece.hex < 0]
    for unit, (hex, since) in dealt.items():
        if pool[unit].hidden == TURNED:
            game.put(unit, hex=hex, since=since)
        elif hex < 0:
            hidden, active = off_map[0].hidden, off_map[0].active
            game.put(unit, hex=hex, since=since, hidden=hidden, active=active)
        else:
            game.put(unit, hex=hex, since=since, hidden=UNKNOWN, active=False)


def _deal(game: Game, pool: Mapping[UnitId, Piece]) -> tuple[dict[UnitId, tuple[Space, int]], bool]:
    """A place for each counter, and whether they may lie so.

    The besieged lie in the fortress (XIV.B.6), no stack is too high (XII.A.2), and no dummy lies
    alone outside a box (V.B).
    """
    facts, book = game.facts, game.book
    dummies, works = facts.dummies, facts.works["allied"]
    free = sorted((piece.hex, piece.since) for piece in pool.values())
    stacks = {hex: [u for u in game.stack_at(hex) if u not in pool] for hex, _ in free if hex >= 0}
    bare = {
        hex
        for hex, stack in stacks.items()
        if not works >> hex & 1 and not any(unit not in dummies for unit in stack)
    }
    dealt: dict[UnitId, tuple[Space, int]] = {}
    lawful = True
    real = [unit for unit in pool if unit not in dummies]
    # Who has least to choose from comes first, dummies last.
    real.sort(key=lambda each: (pool[each].hidden != TURNED, not book[each].division))
    for number, unit in enumerate([*real, *(each for each in pool if each in dummies)]):
        fits = free
        if pool[unit].hidden == TURNED:
            fits = [each for each in free if each[0] >= 0 and facts.fortress >> each[0] & 1]
        elif unit not in dummies and len(real) - number <= len(bare):
            fits = [each for each in free if each[0] in bare]
        roomy = [
            each for each in fits if each[0] < 0 or not too_many(game, [*stacks[each[0]], unit])
        ]
        lawful = lawful and bool(roomy)
        places = roomy or fits or free
        (face,) = game.draw("face down", (len(places),))
        hex, _ = dealt[unit] = places[face - 1]
        free.remove(dealt[unit])
        if hex >= 0:
            stacks[hex].append(unit)
            if unit not in dummies:
                bare.discard(hex)
    return dealt, lawful and not bare


def check(game: Game) -> None:
    """Invariants after every action: sides apart, all on land, derived sets true, lines sane."""
    fresh = Lay(game)
    cached = game.cache
    if cached is not None:
        assert cached.at == fresh.at and cached.real == fresh.real and cached.seen == fresh.seen
        assert cached.fresh == fresh.fresh and cached.hidden == fresh.hidden
    assert not fresh.seen["axis"] & fresh.seen["allied"], "both sides in one hex"
    assert not (fresh.seen["axis"] | fresh.seen["allied"]) & ~game.facts.land, "units at sea"
    assert len(game.pieces) == len(game.facts.unit_ids)
    assert 0 <= game.convoys <= 99 and 1 <= game.turn <= game.facts.tables.turns.last
    assert all(piece.hex >= 0 or not piece.hidden for piece in game.pieces)
    assert all(game.pieces[dummy].hex != DEAD for dummy in game.facts.dummies)
    assert all(0 <= air.out <= 2 for air in game.air)
