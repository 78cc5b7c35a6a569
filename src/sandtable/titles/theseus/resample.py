"""5.3.4, 5.5.2 Games that look the same to a side, with what it cannot see drawn anew.

Nothing here asks who a hidden unit really is, in what state, or what the enemy has in mind: a
sample follows from what the side is shown and from the seed alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from sandtable.boards import bits
from sandtable.titles.theseus.acting import Acting
from sandtable.titles.theseus.actions import Displace
from sandtable.titles.theseus.challenges import assignable, hidden_parents
from sandtable.titles.theseus.combat import Combat
from sandtable.titles.theseus.intelligence import announced, exerts_zoc, visible
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.organisation import Organisation
from sandtable.titles.theseus.reach import allowance, march, screens
from sandtable.titles.theseus.schema import AXIS, INFANTRY, SIDES
from sandtable.titles.theseus.stacking import Overstack, fits, open_hexes
from sandtable.titles.theseus.state import GONE, POOL, Game
from sandtable.titles.theseus.strength import HASTY
from sandtable.titles.theseus.undeclared import Cast, forget, recast
from sandtable.titles.theseus.withdrawal import RetreatBefore

Filled = dict[int, list[tuple[int, bool]]]
"""By hex: the hidden units put there so far, each with whether it is disrupted."""
PATIENCE = 2_000
"""Placements tried before a demand is given up."""


class Demand(Struct, frozen=True):
    """Something the side is shown that hidden units in these hexes must bring about."""

    hexes: frozenset[int]
    met: Callable[[Filled], bool]


class Slot(Struct, frozen=True):
    """A place for a hidden unit: which hex, how deep in the stack."""

    hex: int
    at: int
    formation: int = -1
    """7.3.1 The formation it must be of, because it was seen to move with it."""


def redraw(game: Game, side: int) -> None:
    """5.3.4, 5.5.2 Draw hidden enemy units, their losses, assignments and plans anew."""
    if game.script.solo >= 0:
        return  # 10.1: alone against static units nothing is hidden
    enemy = 1 - side
    known, boxes = announced(game), markers(game, enemy)
    lost = sum(
        game.card[unit].strength - game.pieces[unit].strength
        for unit in on_map(game, enemy)
        if unit not in known
    )
    casts = forget(game, side)
    forced = shared_formation(game, enemy)
    place_hidden(game, side, casts, boxes, forced)
    for cast in casts.values():
        lend_a_hand(game, cast, boxes, forced)
    share_losses(game, enemy, known, lost)
    deal_assignments(game, enemy, boxes, forced)
    recast(game, casts)
    game.sit = game.before = None


def on_map(game: Game, side: int) -> list[int]:
    """The combat units of a side on the map."""
    return [u for u in range(game.data.count) if game.side(u) == side and game.pieces[u].hex >= 0]


def shuffled(game: Game, purpose: str, items: Sequence[int]) -> list[int]:
    """A random order from the game's own dice."""
    if len(items) < 2:
        return list(items)
    faces = game.draw(purpose, [len(items) - at for at in range(len(items))])
    rest = list(items)
    return [rest.pop(face - 1) for face in faces]


# 5.3.4 Who lies beneath.


def place_hidden(
    game: Game, side: int, casts: dict[int, Cast], boxes: dict[int, int], forced: dict[int, int]
) -> None:
    """5.3.4 Put the hidden units into the places that are known to hold one."""
    slots: list[Slot] = []
    hidden: list[int] = []
    crowded = {cast.hex for cast in casts.values() if cast.slots}
    crowded |= {hex for step in game.stack if isinstance(step, Overstack) for hex in step.hexes}
    moved = {(c.hex, at): c.formation for c in casts.values() for at in c.slots}
    for hex in sorted(game.at):
        stack = game.at[hex]
        seen = visible(game, hex, side)
        if len(seen) < len(stack):
            hidden += [piece for piece in stack if piece not in seen]
            slots += [
                Slot(hex, at, moved.get((hex, at), -1))
                for at, piece in enumerate(stack)
                if piece not in seen
            ]
    if not slots:
        return
    demands = demands_on(game, side, slots, casts, boxes)
    units = shuffled(game, "hidden units", sorted(hidden))
    spread = shuffled(game, "hidden places", sorted({slot.hex for slot in slots}))
    silent = silent_hexes(game, {slot.hex for slot in slots})
    watched = {hex for demand in demands for hex in demand.hexes} | crowded | silent
    # Where least is possible comes first: silent units that cannot be disrupted.
    order = sorted(
        spread, key=lambda hex: (hex not in watched, hex not in silent or hex not in game.improved)
    )
    slots.sort(key=lambda slot: order.index(slot.hex))
    single = [demand for demand in demands if len(demand.hexes) == 1]
    # A position may be written down that keeps no limits: then what can be kept is kept.
    for wanted, quiet, limits in (
        (demands, silent, True),
        (single, silent, True),
        (single, silent, False),
        ([], set[int](), False),
    ):
        found = fill(game, side, slots, units, wanted, quiet, crowded, boxes, limits)
        if found is not None:
            break
    assert found is not None
    for slot, (unit, disrupted) in zip(slots, found, strict=True):
        stack = game.at[slot.hex]
        game.at[slot.hex] = (*stack[: slot.at], unit, *stack[slot.at + 1 :])
        piece = game.pieces[unit]
        game.pieces[unit] = replace(piece, hex=slot.hex, depth=slot.at, disrupted=disrupted)
        if slot.formation >= 0 and unit in hidden_parents(game, (unit,)):
            forced[unit] = slot.formation
    game.sit = game.before = None


def can_be(game: Game, unit: int, formation: int, boxes: dict[int, int]) -> bool:
    """5.5.2 Whether a unit belongs to a formation, or may be assigned to it for all one knows."""
    if unit >= game.data.count or unit not in hidden_parents(game, (unit,)):
        return game.pieces[unit].parent == formation
    return formation in game.data.may_join[unit] and boxes.get(formation, 1) > 0


def lend_a_hand(game: Game, cast: Cast, boxes: dict[int, int], forced: dict[int, int]) -> None:
    """5.5.2 If nobody else can be the one who acts, an independent unit must be."""
    if cast.slots or cast.only:
        return
    able = [p for p in cast.candidates(game) if not game.pieces[p].disrupted]
    able = [p for p in able if can_be(game, p, cast.formation, boxes)]
    if able and all(p in hidden_parents(game, able) for p in able):
        forced[able[0]] = cast.formation


def demands_on(
    game: Game, side: int, slots: list[Slot], casts: dict[int, Cast], boxes: dict[int, int]
) -> list[Demand]:
    """5.3.4 What the side can tell of hidden units without seeing them."""
    holes = {slot.hex for slot in slots}
    silent = silent_hexes(game, holes)
    found = [
        zone_demand(game, hex)
        for hex in sorted(holes - silent)
        if not any(exerts_zoc(game, piece) for piece in visible(game, hex, side))
    ]
    for cast in casts.values():
        if cast.hex in holes and not cast.slots and not cast.only:
            found.append(actor_demand(game, cast, side, boxes))
    found += [screen_demand(game, start, side, holes) for start in screening(game, side)]
    step = game.step if game.stack else None
    if isinstance(step, Overstack) and step.actor(game) == SIDES[side]:
        found += [room_demand(game, step, holes), *full_demands(game, step, holes)]
    return [demand for demand in found if demand.hexes]


def silent_hexes(game: Game, hexes: set[int]) -> set[int]:
    """5.4 Stacks without a zone, which is open (ruling R88)."""
    return {hex for hex in hexes if not any(exerts_zoc(game, piece) for piece in game.at[hex])}


def zone_demand(game: Game, hex: int) -> Demand:
    """5.4 A hidden unit exerts the zone of a stack in which nobody seen does."""

    def met(filled: Filled) -> bool:
        return any(not game.data.no_zoc[unit] and not broken for unit, broken in filled[hex])

    return Demand(frozenset([hex]), met)


def actor_demand(game: Game, cast: Cast, side: int, boxes: dict[int, int]) -> Demand:
    """5.5.1 Somebody in the hex must be able to do what is being done."""
    open_ones = set(visible(game, cast.hex, side)).intersection(cast.candidates(game))
    seen = [piece for piece in open_ones if not game.pieces[piece].disrupted]
    someone = any(can_be(game, piece, cast.formation, boxes) for piece in seen)

    def met(filled: Filled) -> bool:
        return someone or any(
            not broken and can_be(game, unit, cast.formation, boxes)
            for unit, broken in filled[cast.hex]
        )

    return Demand(frozenset([cast.hex]), met)


def screening(game: Game, side: int) -> set[int]:
    """7.3.4 Hexes of the side whose moves show whether they can be screened."""
    step = game.step if game.stack else None
    if not isinstance(step, (Acting, Movement)) or step.side != side:
        return set()
    if isinstance(step, Movement):
        return {step.here(game)} if step.options(game).screened else set()
    return {
        game.pieces[piece].hex
        for piece in step.pieces(game)
        if not step.no_move(game, piece)
        and march(game, (piece,), allowance(game, (piece,)), True, "action").screened
    }


def screen_demand(game: Game, start: int, side: int, holes: set[int]) -> Demand:
    """7.3.4 Enemies around a hex have as many points as its legal moves say."""
    can = screens(game, start, side)
    units = game.combat_units(start)
    ours = sum(game.points(u) for u in units if game.card[u].afv and not game.pieces[u].disrupted)
    near = bits(game.data.zoc_from[start] & game.situation.combat[1 - side])
    seen = sum(
        game.points(piece)
        for hex in near
        for piece in visible(game, hex, side)
        if exerts_zoc(game, piece)
    )
    around = frozenset(hex for hex in near if hex in holes)

    def met(filled: Filled) -> bool:
        theirs = seen + sum(
            game.card[unit].points[0]
            for hex in around
            for unit, broken in filled[hex]
            if not broken and not game.data.no_zoc[unit]
        )
        return can == (ours >= 2 * theirs)

    return Demand(around, met)


def room_demand(game: Game, step: Overstack, holes: set[int]) -> Demand:
    """5.3.3 Enemy stacks have room for a displaced unit where the side may send it."""
    listed = list(step.actions(game))
    around = frozenset(bits(game.data.around[step.hex])) & holes

    def met(filled: Filled) -> bool:
        stacks = {hex: game.at[hex] for hex in around}
        for hex in around:
            seen = [p for p in game.at[hex] if p in keep[hex]]
            game.at[hex] = (*seen, *(unit for unit, _ in filled[hex]))
        same = list(step.actions(game)) == listed
        game.at.update(stacks)
        return same

    side = SIDES.index(step.actor(game))
    keep = {hex: visible(game, hex, side) for hex in around}
    return Demand(around, met)


def full_demands(game: Game, step: Overstack, holes: set[int]) -> list[Demand]:
    """5.3.3 The same hex by hex where the side can tell: with all listed, none may have room."""
    side = SIDES.index(step.actor(game))
    if game.static(side):
        return []
    hexes = open_hexes(game, step.hex, 1 - side)
    listed: dict[int, int] = {}
    for action in step.actions(game):
        if isinstance(action, Displace):
            listed[action.unit] = listed.get(action.unit, 0) | 1 << action.hex
    told = {unit: room for unit, room in listed.items() if room != hexes}

    def demand(hex: int) -> Demand:
        seen = [piece for piece in visible(game, hex, side) if piece < game.data.count]

        def met(filled: Filled) -> bool:
            stack = (*seen, *(unit for unit, _ in filled[hex]))
            return all(
                fits(game, (*stack, unit), 1 - side) == bool(room >> hex & 1)
                for unit, room in told.items()
            )

        return Demand(frozenset([hex]), met)

    return [demand(hex) for hex in bits(hexes) if hex in holes and told]


def stacking_sort(game: Game, unit: int) -> str:
    """5.3.1 Of which sort a stack takes only so many; nothing if it depends or does not matter."""
    card = game.card[unit]
    if card.free_stacking or card.counts_as:
        return ""
    if card.side == SIDES[AXIS]:
        return "foot" if card.type in INFANTRY else "armour"
    return "foot" if card.leg_infantry else ""


def fill(
    game: Game,
    side: int,
    slots: list[Slot],
    units: list[int],
    demands: list[Demand],
    silent: set[int],
    crowded: set[int],
    boxes: dict[int, int],
    limits: bool,
) -> list[tuple[int, bool]] | None:
    """5.3.1 Units for all slots that keep stacking limits and meet the demands; None if none do."""
    seen = {s.hex: [p for p in visible(game, s.hex, side) if p < game.data.count] for s in slots}
    filled: Filled = {slot.hex: [] for slot in slots}
    last = {slot.hex: at for at, slot in enumerate(slots)}
    due: dict[int, list[Demand]] = {}
    for demand in demands:
        due.setdefault(max(last[hex] for hex in demand.hexes), []).append(demand)
    shaky = {hex for demand in demands for hex in demand.hexes} | silent
    shaky -= set(game.improved)
    chosen: list[tuple[int, bool]] = []
    used: set[int] = set()
    tries = 0
    sorts = {unit: stacking_sort(game, unit) for unit in (*units, *chain(*seen.values()))}
    most = {"foot": 1, "armour": 2}
    left = [Counter(slot.hex for slot in slots[at:]) for at in range(len(slots) + 1)]

    def room_left(at: int) -> bool:
        """5.3.1 Whether the slots left can still take all the units left, sort by sort."""
        waiting = [sorts[unit] for unit in units if unit not in used]
        for sort, limit in most.items():
            need = waiting.count(sort)
            for hex, free in left[at].items():
                if need <= 0:
                    break
                if hex in crowded:
                    need -= free
                else:
                    lying = [sorts[unit] for unit in seen[hex]]
                    lying += [sorts[unit] for unit, _ in filled[hex]]
                    need -= max(0, min(free, limit - lying.count(sort)))
            if need > 0:
                return False
        return True

    def put(at: int) -> bool:
        nonlocal tries
        if at == len(slots):
            return True
        slot = slots[at]
        here = filled[slot.hex]
        for broken in (False, True) if slot.hex in shaky and slot.formation < 0 else (False,):
            for unit in units:
                if unit in used:
                    continue
                if slot.hex in silent and not broken and not game.data.no_zoc[unit]:
                    continue
                tries += 1
                if tries > PATIENCE:
                    return False
                if limits and slot.formation >= 0 and not can_be(game, unit, slot.formation, boxes):
                    continue
                if limits and slot.hex not in crowded:
                    stack = (*seen[slot.hex], *(each for each, _ in here), unit)
                    if not fits(game, stack, 1 - side):
                        continue
                here.append((unit, broken))
                chosen.append((unit, broken))
                used.add(unit)
                if (
                    all(demand.met(filled) for demand in due.get(at, ()))
                    and (not limits or room_left(at + 1))
                    and put(at + 1)
                ):
                    return True
                here.pop()
                chosen.pop()
                used.discard(unit)
        return False

    return chosen if put(0) else None


# 5.3.4 Strength markers.


def share_losses(game: Game, side: int, known: set[int], lost: int) -> None:
    """5.3.4 Markers are never looked at: deal out the losses that were announced (ruling R81)."""
    units = [unit for unit in on_map(game, side) if unit not in known]
    left = {unit: game.card[unit].strength for unit in units}
    while lost:
        # A unit that has one point left is passed over, so that some may have to be dealt again.
        for face in game.draw("hidden losses", [len(units)] * lost):
            if left[units[face - 1]] > 1:
                left[units[face - 1]] -= 1
                lost -= 1
    for unit, strength in left.items():
        game.pieces[unit] = replace(game.pieces[unit], strength=strength)
    spoken = supporting_hq(game)
    for formation, hq in enumerate(game.data.hqs):
        piece = game.data.hq_of(formation)
        if hq.side == SIDES[side] and game.pieces[piece].hex >= 0 and piece != spoken:
            game.pieces[piece] = replace(game.pieces[piece], strength=hq.support)


def supporting_hq(game: Game) -> int:
    """7.5.1.5.B The HQ whose Attack Support is announced in a combat under way."""
    for step in reversed(game.stack):
        if isinstance(step, Combat) and step.battle.kind != HASTY:
            parent = game.pieces[step.battle.units[0]].parent
            return game.data.hq_of(parent) if parent >= 0 else -1
    return -1


# 5.5.2 Assignments.


def markers(game: Game, side: int) -> dict[int, int]:
    """5.5.2 Markers in each box that may stand for a unit; nothing while they are being placed."""
    if any(isinstance(step, Organisation) and step.side == side for step in game.stack):
        return {}
    found = dict(enumerate(game.dummies))
    for unit in range(game.data.count):
        piece = game.pieces[unit]
        if assignable(game, unit) and piece.hex != GONE and unit not in game.shown:
            found[piece.parent] = found.get(piece.parent, 0) + 1
    return {f: found[f] for f, hq in enumerate(game.data.hqs) if hq.side == SIDES[side]}


def shared_formation(game: Game, side: int) -> dict[int, int]:
    """7.5.1.1 Defenders who were offered a retreat all belong to one formation."""
    for step in game.stack:
        if isinstance(step, RetreatBefore) and step.battle.enemy == side:
            units = step.battle.defenders
            secret = hidden_parents(game, units)
            open_ones = [unit for unit in units if unit not in secret]
            if open_ones:
                return {unit: game.pieces[open_ones[0]].parent for unit in secret}
            if len(secret) > 1:
                common = frozenset.intersection(*(game.data.may_join[unit] for unit in secret))
                number = markers(game, side)
                fit = [f for f in sorted(common) if number.get(f, len(secret)) >= len(secret)]
                formation = shuffled(game, "hidden formation", fit)[0]
                return {unit: formation for unit in secret}
    return {}


def deal_assignments(game: Game, side: int, boxes: dict[int, int], forced: dict[int, int]) -> None:
    """5.5.2 Give each unit one of the markers in the boxes it may join; the others are dummies."""
    secret = [
        unit
        for unit in range(game.data.count)
        if game.side(unit) == side and unit in hidden_parents(game, (unit,))
    ]
    for unit in secret:
        if game.pieces[unit].hex == POOL:
            game.pieces[unit] = replace(game.pieces[unit], parent=-1)
    units = [unit for unit in secret if game.pieces[unit].hex >= 0]
    hqs = {f for f in range(len(game.data.hqs)) if game.hex_of_hq(f) >= 0}
    numbers = boxes or {f: len(units) for f in sorted(hqs)}
    marks = shuffled(game, "hidden assignments", [f for f, n in numbers.items() for _ in range(n)])
    taken: dict[int, int] = {}

    def seat(unit: int, allowed: dict[int, frozenset[int]], tried: set[int]) -> bool:
        """Give a unit one of the markers, moving others on where they have a choice."""
        for at, formation in enumerate(marks):
            if at not in tried and formation in allowed[unit]:
                tried.add(at)
                if at not in taken or seat(taken[at], allowed, tried):
                    taken[at] = unit
                    return True
        return False

    free = {unit: game.data.may_join[unit] for unit in units}
    bound = {u: frozenset([forced[u]]) if u in forced else free[u] for u in units}
    for allowed in (bound, free):
        taken.clear()
        if all([seat(unit, allowed, set()) for unit in units]):
            break
    for at, unit in taken.items():
        game.pieces[unit] = replace(game.pieces[unit], parent=marks[at])
    for formation in range(len(game.data.hqs)):
        if game.data.hqs[formation].side == SIDES[side]:
            real = sum(marks[at] == formation for at in taken)
            game.dummies[formation] = boxes[formation] - real if boxes else 0
