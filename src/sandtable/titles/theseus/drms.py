"""7.5.1.5 Combat DRMs: support, Armour Superiority and the Schwerpunkt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.boards import bits
from sandtable.kernel.odds import Modifier
from sandtable.titles.theseus.schema import AXIS, CARRIED_INFANTRY, INFANTRY
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import (
    HASTY,
    REGULAR,
    Battle,
    Helpers,
    followers,
    ground,
    in_improved_defence,
    known_units,
    over_ridge,
)


def supports(game: Game, unit: int, target: int) -> bool:
    """7.5.1.5.A In command, supplied, undisrupted, with a ZOC into the enemy's hex."""
    piece, card = game.pieces[unit], game.card[unit]
    if piece.disrupted or card.no_zoc or piece.parent < 0 or game.unsupplied(unit):
        return False
    if not game.data.zoc_from[piece.hex] >> target & 1:
        return False
    if game.situation.mines[1 - game.side(unit)] >> target & 1:
        return False
    return game.situation.in_command(game, unit)


def helping(game: Game, battle: Battle, side: int) -> Helpers:
    """7.5.1.5.A Hexes beside the enemy's with units of a side that can support."""
    if battle.helpers is not None:
        return battle.helpers[side]
    target, own = (
        (battle.target, battle.hex) if side == battle.side else (battle.hex, battle.target)
    )
    near = game.data.around[target] & game.situation.combat[side] & ~(1 << own)
    found: list[tuple[int, tuple[int, ...]]] = []
    for hex in bits(near):
        units = game.combat_units(hex)
        if battle.face_value and side != battle.side:
            # A forecast knows only what can be seen, and no secret assignment.
            units = tuple(known_units(game, hex, battle.side))
        able = {game.pieces[unit].parent for unit in units if supports(game, unit, target)}
        if able:
            found.append((hex, tuple(sorted(able))))
    return tuple(found)


def support_hexes(
    game: Game, battle: Battle, side: int, formation: int, values: tuple[int, int]
) -> list[Modifier]:
    """7.5.1.5.A One DRM a hex: more for the same formation than for another."""
    found: list[Modifier] = []
    sign = 1 if side == battle.side else -1
    for hex, formations in helping(game, battle, side):
        value = values[0] if formation in formations else values[1]
        if value:
            name = f"Combat Support from {game.data.board.names[hex]}"
            found.append(Modifier(name, sign * value, "7.5.1.5.A"))
    return found


def attack_support(game: Game, battle: Battle) -> list[Modifier]:
    """7.5.1.5.A Support for the attacker, not in a Hasty Attack nor for permanent independents."""
    formation = game.pieces[battle.units[0]].parent
    table = game.data.tables.combat
    if battle.kind == HASTY or formation < 0:
        return []
    values = table.support_regular if battle.kind == REGULAR else table.support_prepared
    return support_hexes(game, battle, battle.side, formation, values)


def defence_support(game: Game, battle: Battle, lead: int) -> list[Modifier]:
    """5.8.1, 7.5.1.5.A Support for defenders In Command, not with a disrupted one among them."""
    if lead < 0 or any(game.pieces[unit].disrupted for unit in battle.defenders):
        return []
    led = next(unit for unit in battle.defenders if game.pieces[unit].parent == lead)
    if not game.situation.in_command(game, led):
        return []
    table = game.data.tables.combat
    improved = in_improved_defence(game, battle)
    values = table.support_improved_defence if improved else table.support_regular_defence
    return support_hexes(game, battle, battle.enemy, lead, values)


def leads(game: Game, battle: Battle) -> list[int]:
    """7.5.1.5.A Formations among the defenders, one of which leads; fewest support last."""
    found = sorted({game.pieces[unit].parent for unit in followers(game, battle)} - {-1})
    return sorted(found, key=lambda f: sum(m.value for m in defence_support(game, battle, f)))


def hq_support(game: Game, battle: Battle) -> list[Modifier]:
    """7.5.1.5.B Half the HQ's points in a regular attack, all in a prepared one, if In Command."""
    unit = battle.units[0]
    parent = game.pieces[unit].parent
    if battle.kind == HASTY or parent < 0 or not game.situation.in_command(game, unit):
        return []
    points = game.pieces[game.data.hq_of(parent)].strength
    if battle.kind == REGULAR:
        points = -(-points // 2)
    name = f"{game.data.hqs[parent].short} HQ Attack Support"
    return [Modifier(name, points, "7.5.1.5.B")] if points else []


def tank_units(game: Game, units: Iterable[int]) -> list[int]:
    """7.5.1.5.C Units with Tank Points on the side they show."""
    return [unit for unit in units if game.card[unit].afv and game.points(unit) > 0]


def strongest(game: Game, battle: Battle, units: Sequence[int]) -> list[int]:
    """7.5.1.5.C The unit with most points, then most strength; equals are the player's choice."""
    if not units:
        return []

    def rank(unit: int) -> tuple[int, int]:
        known = battle.face_value and unit in battle.defenders
        strength = game.card[unit].strength if known else game.pieces[unit].strength
        return game.points(unit), strength

    best = max(map(rank, units))
    return [unit for unit in units if rank(unit) == best]


def attack_choices(game: Game, battle: Battle) -> list[int]:
    """7.5.1.5.C Units the attacker may take for Armour Superiority."""
    return strongest(game, battle, tank_units(game, battle.units))


def defence_choices(game: Game, battle: Battle) -> list[int]:
    """7.5.1.5.C Units the defender may take: his best Tank or his best Anti-Tank Points."""
    tanks = strongest(game, battle, tank_units(game, battle.defenders))
    if not attack_choices(game, battle):
        return tanks
    # Ruling R74: a vehicle without Tank Points has no Anti-Tank Points either, but its ground.
    guns = [u for u in battle.defenders if not game.card[u].afv or not game.points(u)]
    return tanks + strongest(game, battle, guns)


def flak_bonus(game: Game, battle: Battle, attacking: bool) -> int:
    """7.5.1.5.C German Flak adds Tank or Anti-Tank Points against tanks, beside infantry."""
    table = game.data.tables.combat
    ours, theirs = battle.units, battle.defenders
    if not attacking:
        ours, theirs = theirs, ours
    if not any(game.card[unit].type == "flak" for unit in ours) or not tank_units(game, theirs):
        return 0
    # Ruling R51: once a stack, however many Flak units it has.
    kinds = CARRIED_INFANTRY if attacking else INFANTRY
    stack = game.combat_units(battle.hex) if attacking else battle.defenders
    beside = any(game.card[unit].type in kinds for unit in stack)
    return (table.flak_attack if attacking else table.flak_defence) if beside else 0


def attacking_points(game: Game, battle: Battle, unit: int) -> int:
    """7.5.1.5.C, 3.1.2 Tank Points after terrain, rounded up (ruling R41), and Flak."""
    parts = 1
    if ground(game, battle).tank_half:
        parts *= 2
    if over_ridge(game, battle):
        parts *= 2
    return -(-game.points(unit) // parts) + flak_bonus(game, battle, True)


def armour(game: Game, battle: Battle, attack_unit: int, defence_unit: int) -> int:
    """7.5.1.5.C The Armour Superiority DRM, for the attacker if positive."""
    if attack_unit < 0:
        return -game.points(defence_unit) if defence_unit >= 0 else 0
    ours = attacking_points(game, battle, attack_unit)
    if defence_unit < 0:
        return ours
    theirs = game.points(defence_unit) + flak_bonus(game, battle, False)
    if game.card[defence_unit].afv and game.points(defence_unit):
        return ours - theirs
    difference = ours - theirs - ground(game, battle).at
    # Ruling R3: Anti-Tank Points only take superiority away, unless the option says otherwise.
    return difference if game.option("at_points_help_defender") else max(difference, 0)


def best_defence_unit(game: Game, battle: Battle, attack_unit: int) -> int:
    """7.5.1.5.C What a defender who looks only at the DRM takes."""
    choices = defence_choices(game, battle)
    if not choices:
        return -1
    return min(choices, key=lambda unit: armour(game, battle, attack_unit, unit))


def schwerpunkt(game: Game, battle: Battle) -> list[Modifier]:
    """5.9, 7.5.1.5.D Two for the Axis if an In Command unit has the Schwerpunkt."""
    units = battle.units if battle.side == AXIS else followers(game, battle)
    value = game.data.tables.combat.schwerpunkt
    if any(
        game.pieces[unit].parent == game.schwerpunkt >= 0 and game.situation.in_command(game, unit)
        for unit in units
    ):
        sign = 1 if battle.side == AXIS else -1
        return [Modifier("Schwerpunkt", sign * value, "7.5.1.5.D")]
    return []


def modifiers(game: Game, battle: Battle) -> list[Modifier]:
    """7.5.1.5, 7.5.1.5.E All DRMs of a battle, the limit of twelve as a line of its own."""
    found = [
        *attack_support(game, battle),
        *defence_support(game, battle, battle.lead),
        *hq_support(game, battle),
    ]
    value = armour(game, battle, battle.attack_unit, battle.defence_unit)
    if value:
        name = "Armour Superiority of the " + ("attacker" if value > 0 else "defender")
        found.append(Modifier(name, value, "7.5.1.5.C"))
    found += schwerpunkt(game, battle)
    if battle.failed_retreat:
        bonus = game.data.tables.combat.failed_retreat
        found.append(Modifier("failed Retreat before Combat", bonus, "7.5.1.5.E"))
    total = sum(each.value for each in found)
    limit = game.data.tables.combat.drm_limit
    if abs(total) > limit:
        cut = max(-limit, min(total, limit)) - total
        found.append(Modifier(f"limit of {limit}", cut, "7.5.1.5"))
    return found
