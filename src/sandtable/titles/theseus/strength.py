"""7.5.1.2 to 7.5.1.5 Battle strengths, column shifts, DRMs and the odds that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from sandtable.boards import bits
from sandtable.kernel.odds import Chance, Modifier, Odds, gather
from sandtable.titles.theseus.challenges import hidden_parents
from sandtable.titles.theseus.facts import Result
from sandtable.titles.theseus.forecasts import snafu_note
from sandtable.titles.theseus.schema import AXIS, CARRIED_INFANTRY, INFANTRY, SIDES, Chit, Terrain
from sandtable.titles.theseus.state import Game

HASTY, REGULAR, PREPARED = "hasty", "regular", "prepared"
KINDS = (HASTY, REGULAR, PREPARED)


Helpers = tuple[tuple[int, tuple[int, ...]], ...]
"""Hexes with units that can give Combat Support, each with the formations of these units."""


class Battle(Struct, frozen=True):
    """7.5.1 One combat as far as it has been decided."""

    side: int
    units: tuple[int, ...]
    hex: int
    target: int
    defenders: tuple[int, ...]
    kind: str = HASTY
    failed_retreat: bool = False
    attack_chit: int = -1
    defence_chit: int = -1
    air: int = 0
    lead: int = -1
    """7.5.1.5.A The defenders' Lead Formation."""
    attack_unit: int = -1
    """7.5.1.5.C The unit whose Tank Points the attacker uses, if any."""
    defence_unit: int = -1
    face_value: bool = False
    """A forecast before the attack is declared: enemies count with their printed strength."""
    helpers: tuple[Helpers, Helpers] | None = None
    """7.5.1.5.A Hexes that can support either side, announced when the combat is fought."""

    @property
    def enemy(self) -> int:
        return 1 - self.side


def new_battle(game: Game, side: int, units: Iterable[int], hex: int, target: int) -> Battle:
    """7.5.1.A The battle a declaration begins; all units in the hex defend."""
    return Battle(side, tuple(units), hex, target, game.combat_units(target))


# 7.5.1.2 Strength.


def in_improved_defence(game: Game, battle: Battle) -> bool:
    """7.7 A marker, or an unbreached minefield of the defender's own."""
    own_mines = game.situation.mines[battle.enemy] >> battle.target & 1
    return bool(own_mines) or battle.target in game.improved


def ground(game: Game, battle: Battle) -> Terrain:
    """7.5.1.2, 3.1.1 The line of the Terrain Effects Chart the defenders fight on."""
    data, table = game.data, game.data.tables.terrain
    bit = 1 << battle.target
    mines = game.situation.mines
    if mines[battle.enemy] & bit:
        return table["own_minefield"]
    if mines[battle.side] & bit:
        return table["enemy_minefield"]
    # Ruling R22: a breached box is broken ground, a breached minefield what it was before.
    if battle.target in game.breached and data.boxes & bit:
        return table["breached_box"]
    return table[data.terrain[battle.target]]


def over_ridge(game: Game, battle: Battle) -> bool:
    """3.1.2 Whether the attack crosses a ridge or wadi hexside."""
    return (battle.hex, battle.target) in game.data.ridges


def multiplier(chit: Chit, column: str, effectiveness: int) -> int:
    """7.5.1.2 The chit's figure for a column and an Effectiveness Rating."""
    figures: tuple[int, ...] = getattr(chit, column)
    return figures[max(2, min(effectiveness, 7)) - 2]


def attack_column(kind: str) -> str:
    """7.5.1.2 Red for hasty, plain for regular, green for prepared attacks."""
    return {HASTY: "red", REGULAR: "plain", PREPARED: "green"}[kind]


def defence_column(game: Game, battle: Battle, unit: int) -> str:
    """5.6.3, 7.5.1.2 Green in Improved Defence and own mines, else red if disrupted."""
    if in_improved_defence(game, battle):
        return "green"
    return "red" if game.pieces[unit].disrupted else "plain"


def has_infantry(game: Game, units: Iterable[int]) -> bool:
    """7.5.1.2 Whether any of these is an infantry type unit."""
    return any(game.card[unit].type in INFANTRY for unit in units)


def half_strength(game: Game, battle: Battle, unit: int, attacking: bool) -> int:
    """7.5.1.2 A unit's combat strength in half points: Flak alone counts one (same rule)."""
    strength = game.pieces[unit].strength
    if battle.face_value and not attacking:
        strength = game.card[unit].strength
    if game.card[unit].type == "flak":
        stack = game.combat_units(battle.hex) if attacking else battle.defenders
        if not has_infantry(game, stack):
            strength = min(strength, game.data.tables.combat.flak_alone_strength)
    # 5.7.5: unsupplied units attack with half their strength, but defend with all of it.
    return strength if attacking and game.unsupplied(unit) else 2 * strength


def attack_strength(game: Game, battle: Battle, chit: Chit) -> int:
    """5.1, 7.5.1.2 The attackers' Battle Strength; fractions are rounded up at the end."""
    column = attack_column(battle.kind)
    halves = sum(
        half_strength(game, battle, unit, True) * multiplier(chit, column, game.effectiveness(unit))
        for unit in battle.units
    )
    return -(-halves // 2)


def defence_strength(game: Game, battle: Battle, chit: Chit) -> int:
    """5.1, 7.5.1.2 The defenders' Battle Strength."""
    halves = sum(
        half_strength(game, battle, unit, False)
        * multiplier(chit, defence_column(game, battle, unit), game.effectiveness(unit))
        for unit in battle.defenders
    )
    return -(-halves // 2)


# 7.5.1.3, 7.5.1.4 Column shifts.


def combined_arms(game: Game, units: Sequence[int]) -> bool:
    """7.5.1.3 A tank and carried infantry of one formation, both undisrupted."""
    tanks, carried = set(), set()
    for unit in units:
        card, piece = game.card[unit], game.pieces[unit]
        if piece.disrupted or piece.parent < 0:
            continue
        if card.type in ("tank", "heavy_tank") and not card.no_combined_arms:
            tanks.add(piece.parent)
        elif card.type in CARRIED_INFANTRY:
            carried.add(piece.parent)
    return bool(tanks & carried)


def shifts(game: Game, battle: Battle) -> list[Modifier]:
    """7.5.1.3, 7.5.1.4 Column shifts, right for the attacker."""
    found: list[Modifier] = []
    bonus = game.data.tables.combat.combined_arms
    if combined_arms(game, battle.units):
        found.append(Modifier("Combined Arms of the attacker, column", bonus, "7.5.1.3"))
    if combined_arms(game, followers(game, battle)):
        found.append(Modifier("Combined Arms of the defender, column", -bonus, "7.5.1.3"))
    if battle.air:
        found.append(Modifier("Axis air units, column", battle.air, "7.5.1.4"))
    return found


def air_limit(game: Game, battle: Battle) -> int:
    """3.4, 7.5.1.4 How many air units an Axis attack may use; never in defence."""
    limits = game.data.tables.combat.air
    return min(getattr(limits, battle.kind), game.air) if battle.side == AXIS else 0


# 7.5.1.5 DRMs.


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


def known_units(game: Game, hex: int, viewer: int) -> list[int]:
    """5.3.4, 5.5.2 Enemy units a side can see whose formation it knows."""
    from sandtable.titles.theseus.intelligence import visible

    units = [unit for unit in visible(game, hex, viewer) if unit < game.data.count]
    secret = hidden_parents(game, units)
    return [unit for unit in units if unit not in secret]


def followers(game: Game, battle: Battle) -> tuple[int, ...]:
    """5.5.2 Defenders that count for their formation: a forecast knows no secret assignment."""
    secret = hidden_parents(game, battle.defenders) if battle.face_value else ()
    return tuple(unit for unit in battle.defenders if unit not in secret)


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
    """7.5.1.5.A Support for the defender, not with a disrupted unit or unassigned ones alone."""
    if lead < 0 or any(game.pieces[unit].disrupted for unit in battle.defenders):
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


# 7.5.1.E, 7.5.1.H The table.


def find_column(game: Game, battle: Battle, attack: int, defence: int) -> int:
    """7.5.1.E, 7.5.1.F The column after all shifts, which never leave the table; -1 below it."""
    column = game.data.column(ground(game, battle).row, attack, max(defence, 1))
    if column < 0:
        return -1
    column += sum(each.value for each in shifts(game, battle))
    return max(0, min(column, len(game.data.crt[0]) - 1))


def odds_name(game: Game, battle: Battle, column: int) -> str:
    """7.5.1.E The heading of a column on this ground."""
    if column < 0:
        return "below the table"
    headings: tuple[str, ...] = getattr(game.data.tables.crt, ground(game, battle).row)
    return headings[column]


def result(game: Game, column: int, face: int, drm: int) -> Result:
    """7.5.1.H, 7.5.1.5 The cell for a column and a modified roll between 1 and 20."""
    if column < 0:
        return game.data.below_table
    return game.data.crt[max(1, min(face + drm, 20)) - 1][column]


def cup(game: Game) -> tuple[Chit, ...]:
    """7.5.1.2 The chits in play: the standard set or the linear one."""
    return game.data.cups[game.option("linear_chits")]


def strengths(game: Game, battle: Battle) -> tuple[int, int]:
    """7.5.1.2 Both Battle Strengths with the chits drawn."""
    chits = cup(game)
    return (
        attack_strength(game, battle, chits[battle.attack_chit]),
        defence_strength(game, battle, chits[battle.defence_chit]),
    )


def settle_choices(game: Game, battle: Battle) -> Battle:
    """7.5.1.5 A battle with open choices made for the best DRM, for forecasts."""
    attack = battle.attack_unit
    if attack < 0:
        attack = next(iter(attack_choices(game, battle)), -1)
    defence = battle.defence_unit
    if defence < 0:
        defence = best_defence_unit(game, battle, attack)
    lead = battle.lead if battle.lead >= 0 else next(iter(leads(game, battle)), -1)
    return replace(battle, attack_unit=attack, defence_unit=defence, lead=lead)


def spread(game: Game, battle: Battle) -> tuple[Counter[int], dict[int, tuple[int, ...]]]:
    """7.5.1.D, 7.5.1.E How often each column comes up, and chits that bring it about."""
    weight: Counter[int] = Counter()
    example: dict[int, tuple[int, ...]] = {}
    if battle.attack_chit >= 0:
        chits = cup(game)
        attack = attack_strength(game, battle, chits[battle.attack_chit])
        defence = defence_strength(game, battle, chits[battle.defence_chit])
        column = find_column(game, battle, attack, defence)
        weight[column], example[column] = 1, ()
    else:
        attacks = _spectrum([attack_strength(game, battle, chit) for chit in cup(game)])
        defences = _spectrum([defence_strength(game, battle, chit) for chit in cup(game)])
        for attack, ours in attacks.items():
            for defence, theirs in defences.items():
                # 7.5.1.D: two chits are drawn, never the same.
                pairs = [(one, two) for one in ours for two in theirs if one != two]
                if not pairs:
                    continue
                column = find_column(game, battle, attack, defence)
                weight[column] += len(pairs)
                one, two = pairs[0]
                example.setdefault(column, (one, two - (two > one)))
    return weight, example


def combat_odds(game: Game, battle: Battle, assumes: Sequence[str] = ()) -> Odds:
    """7.5.1 The chances of every result: over the chits not yet drawn and the die."""
    battle = settle_choices(game, battle)
    drms = modifiers(game, battle)
    drm = sum(each.value for each in drms)
    weight, example = spread(game, battle)
    total = sum(weight.values())
    chances: list[Chance] = []
    for column in sorted(weight):
        share = Fraction(weight[column], total)
        if column < 0:
            # Below the table nothing is rolled.
            chances.append(_chance(battle, result(game, -1, 1, 0), share, example[column]))
            continue
        for face in range(1, 11):
            cell = result(game, column, face, drm)
            chances.append(_chance(battle, cell, share / 10, (*example[column], face)))
    named = (*drms, *shifts(game, battle))
    notes = (*assumes, *snafu_note(game, SIDES[battle.side]))
    return Odds(named, gather(chances), notes, battle)


def _spectrum(values: Sequence[int]) -> dict[int, list[int]]:
    """The chits that give each strength."""
    found: dict[int, list[int]] = {}
    for at, value in enumerate(values, 1):
        found.setdefault(value, []).append(at)
    return found


def _chance(battle: Battle, cell: Result, share: Fraction, faces: tuple[int, ...]) -> Chance:
    favours = None
    if cell.attacker != cell.defender:
        favours = SIDES[battle.side if cell.attacker < cell.defender else battle.enemy]
    return Chance(cell.text, share, faces, favours)


def attack_odds(game: Game, battle: Battle) -> Odds:
    """5.3.4 A forecast before declaring, from what the attacker can see and nothing more."""
    from sandtable.titles.theseus.intelligence import visible

    seen = tuple(
        unit for unit in visible(game, battle.target, battle.side) if unit < game.data.count
    )
    assumes = ["a Hasty Attack", "the enemy stands", "enemies seen are at full strength"]
    if len(seen) < len(battle.defenders):
        assumes.append("units hidden beneath are not counted")
    if hidden_parents(game, seen):
        assumes.append("secret assignments are not counted")
    known = replace(battle, defenders=seen, face_value=True)
    return combat_odds(game, known, (*assumes, *open_choices(game, known)))


def open_choices(game: Game, battle: Battle) -> list[str]:
    """7.5.1.5 What a forecast takes for granted about choices still to be made."""
    found = []
    if len(leads(game, battle)) > 1:
        found.append("the defender takes the Lead Formation with most support")
    if len(attack_choices(game, battle)) > 1 or len(defence_choices(game, battle)) > 1:
        found.append("both sides choose the best armour")
    return found
