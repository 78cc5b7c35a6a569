"""5.3.4, 5.5.2 Games that look the same to a side, with what it cannot see drawn anew."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.boards import bits
from sandtable.titles.theseus.challenges import assignable
from sandtable.titles.theseus.combat import Combat
from sandtable.titles.theseus.schema import INFANTRY
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.views import exposed, visible


def stacking_class(game: Game, unit: int) -> str:
    """5.3.1 Units that can take each other's place in a stack."""
    card = game.card[unit]
    if card.free_stacking:
        return "free"
    if card.side == "axis":
        return "infantry" if card.type in INFANTRY else "armour"
    return card.counts_as or ("leg" if card.leg_infantry else "carried")


def pinned(game: Game, side: int) -> set[int]:
    """Units that the steps in progress speak of, and enemies next to the side's own units.

    Their zones, points and support show in what that side may do, so they stay what they are.
    """
    found = exposed(game)
    for step in game.stack:
        found |= set(getattr(step, "units", ()))
        found.add(getattr(step, "unit", -1))
        if isinstance(step, Combat):
            found |= set(step.battle.units)
    near = game.data.board.spread(game.situation.occupied[side])
    for hex in bits(near & game.situation.occupied[1 - side]):
        found |= set(game.at[hex])
    return found


def redraw(game: Game, side: int) -> None:
    """5.3.4, 5.5.2 Shuffle hidden enemy units, their losses and their assignments."""
    enemy = 1 - side
    fixed = pinned(game, side)
    hidden: dict[str, list[int]] = {}
    for hex in sorted(game.at):
        stack = game.at[hex]
        if game.side(stack[0]) == side:
            continue
        seen = visible(game, hex, side)
        for piece in stack:
            if piece not in seen and piece not in fixed:
                # A unit in Improved Defence is known to be undisrupted, and what a side's own
                # paths show of enemy zones must stay true: those stay apart.
                kind = stacking_class(game, piece)
                kind += " dug in" if hex in game.improved else ""
                silent = game.card[piece].no_zoc or game.pieces[piece].disrupted
                kind += " without zone" if silent else ""
                hidden.setdefault(kind, []).append(piece)
    for kind in sorted(hidden):
        swap_places(game, kind, hidden[kind])
    game.sit = None
    share_losses(game, enemy, fixed)
    deal_assignments(game, enemy, fixed)
    game.sit = None


def shuffled(game: Game, purpose: str, items: list[int]) -> list[int]:
    """A random order from the game's own dice."""
    if len(items) < 2:
        return items
    faces = game.draw(purpose, [len(items) - at for at in range(len(items))])
    rest, order = list(items), []
    for face in faces:
        order.append(rest.pop(face - 1))
    return order


def swap_places(game: Game, kind: str, units: list[int]) -> None:
    """5.3.4 Exchange hidden units of one stacking class among their stacks."""
    places = {unit: game.pieces[unit].hex for unit in units}
    slots = sorted((hex, game.at[hex].index(unit)) for unit, hex in places.items())
    # Sorted first, so that the draw does not depend on where the units really are.
    order = shuffled(game, f"hidden {kind}", sorted(units))
    for (hex, at), unit in zip(slots, order, strict=True):
        stack = list(game.at[hex])
        stack[at] = unit
        game.at[hex] = tuple(stack)
        game.pieces[unit] = replace(game.pieces[unit], hex=hex, depth=at)


def share_losses(game: Game, side: int, fixed: set[int]) -> None:
    """5.3.4 Strength markers are never seen: deal the same losses out anew."""
    units = [
        unit
        for unit in range(game.data.count)
        if game.side(unit) == side and game.pieces[unit].hex >= 0 and unit not in fixed
    ]
    lost = sum(game.card[unit].strength - game.pieces[unit].strength for unit in units)
    if not lost:
        return
    left = {unit: game.card[unit].strength for unit in units}
    for _ in range(lost):
        able = [unit for unit in units if left[unit] > 1]
        (face,) = game.draw("hidden losses", [len(able)])
        left[able[face - 1]] -= 1
    for unit in units:
        game.alter(unit, strength=left[unit])


def deal_assignments(game: Game, side: int, fixed: set[int]) -> None:
    """5.5.2 Secret assignments: the same formations dealt anew to units that may join them."""
    units = [
        unit
        for unit in range(game.data.count)
        if game.side(unit) == side
        and assignable(game, unit)
        and game.pieces[unit].parent >= 0
        and game.pieces[unit].hex >= 0
        and unit not in game.shown
        and unit not in fixed
    ]
    # Sorted first, so that the deal does not depend on the true assignments.
    parents = shuffled(
        game, "hidden assignments", sorted(game.pieces[unit].parent for unit in units)
    )
    taken: dict[int, int] = {}

    def seat(unit: int, tried: set[int]) -> bool:
        """Give a unit one of the parents, moving others on where they have a choice."""
        for at, parent in enumerate(parents):
            if at not in tried and parent in allowed[unit]:
                tried.add(at)
                if at not in taken or seat(taken[at], tried):
                    taken[at] = unit
                    return True
        return False

    allowed = game.data.may_join
    if all([seat(unit, set()) for unit in units]):
        for at, unit in taken.items():
            game.alter(unit, parent=parents[at])
