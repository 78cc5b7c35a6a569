"""10.0 Support: air, artillery, Rommel's die, and the Sunset roll that an attack shares."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.odds import Chance, Modifier, Odds
from sandtable.titles.battleaxe.data import ALLIED, AXIS, SIDES
from sandtable.titles.battleaxe.events import FuelChanged, SunsetRead, SupportGiven
from sandtable.titles.battleaxe.state import Game

GUNS = 2
"""10.2.3 What an answered Artillery Call adds."""


class Battle(Struct, frozen=True, omit_defaults=True):
    """One combat in progress."""

    space: Space
    side: int
    lead: UnitId
    units: tuple[UnitId, ...]
    contested: bool
    """Whether the Area was contested when the Impulse began: the attack was optional."""
    came: tuple[tuple[UnitId, Space], ...] = ()
    second: bool = False
    """Whether this is the combat that follows an Overrun."""
    defending_lead: UnitId | None = None
    air: int = 0
    rommel: int = 0
    attacker_guns: bool = False
    defender_guns: bool = False
    air_again: bool = False
    rommel_again: bool = False
    """10.1.3, 12.1E Whether the combat before the Overrun used them: they may come again."""


def air_ready(game: Game, battle: Battle) -> bool:
    """10.1.1, 10.1.3, 19.2 Whether the attacker has an Air Support marker to commit here."""
    return air_refusal(game, battle) is None


def air_refusal(game: Game, battle: Battle) -> Refusal | None:
    """10.1.2, 19.2 Why no Air Support can be committed, or None."""
    if battle.side == AXIS:
        if not game.options["luftwaffe"]:
            return Refusal("10.1", "The Axis has no Air Support.")
        if game.turn < 2:
            return Refusal("19.2", "Axis Air Support arrives on Turn 2.")
        if game.fuel_low:
            return Refusal("19.2", "Axis Air Support does not fly during a Fuel Shortage.")
    if game.air_used and not battle.air_again:
        return Refusal("10.1.1", "Air Support was committed in this Impulse already.")
    return None


def air_modifiers(game: Game, battle: Battle) -> list[Modifier]:
    """10.1.4, 19.2 What changes the Air Support die."""
    lines = []
    if battle.contested:
        lines.append(Modifier("Area contested before the Impulse", -1, "10.1.4"))
    if battle.side == ALLIED and game.options["luftwaffe"]:
        lines.append(Modifier("Greater Luftwaffe Intervention", 1, "19.2"))
    return lines


def air_value(game: Game, battle: Battle, face: int) -> int:
    """10.1.4, 19.2 What Air Support adds for a face of its die: 1 to 6."""
    return min(6, max(1, face + sum(line.value for line in air_modifiers(game, battle))))


def rommel_ready(game: Game, battle: Battle) -> bool:
    """12.1E Whether Rommel may lead this attack: declared, or the Advantage is there to do so."""
    if battle.side != AXIS or (game.rommel_used and not battle.rommel_again):
        return False
    return game.rommel or game.advantage == AXIS


def declare_rommel(game: Game) -> None:
    """12.1E Bring Rommel to the front until the Maneuvers Phase ends."""
    game.spend_advantage(AXIS, "Rommel an der Spitze", "12.1E")
    game.rommel = True


def call_bonus(game: Game, battle: Battle, side: int) -> int:
    """10.2.1 What is added to an Artillery Call: Axis Stützpunkte, and the Tobruk garrison."""
    held = game.holder(battle.space) == side
    if side == AXIS:
        return int(held and game.data.spaces[battle.space].stutzpunkt)
    return int(held and battle.space == game.data.tobruk)


def call_chance(game: Game, battle: Battle, side: int) -> Fraction:
    """10.2.1 The chance that an Artillery Call is answered."""
    return Fraction(3 + call_bonus(game, battle, side), 6)


def call(game: Game, battle: Battle, side: int) -> bool:
    """10.2.1, 10.2.3 Make an Artillery Call; a marker that answers is used until the next Turn."""
    (face,) = game.roll("artillery", SIDES[side], "10.2.1")
    answered = face + call_bonus(game, battle, side) >= 4
    game.conclude("artillery answers" if answered else "no answer")
    if answered:
        allied, axis = game.artillery
        game.artillery = (allied - 1, axis) if side == ALLIED else (allied, axis - 1)
    value = GUNS if answered else 0
    game.log(SupportGiven(SIDES[side], "artillery", value, rule="10.2.3"))
    return answered


def call_odds(game: Game, battle: Battle, side: int) -> Odds:
    """10.2.1 The chances of an Artillery Call."""
    bonus = call_bonus(game, battle, side)
    name = "Axis Stützpunkt" if side == AXIS else "Tobruk garrison"
    chance = call_chance(game, battle, side)
    return Odds(
        (Modifier(name, bonus, "10.2.1"),) if bonus else (),
        (
            Chance("artillery answers", chance, (6,), SIDES[side]),
            Chance("no answer", 1 - chance, (1,), SIDES[1 - side]),
        ),
    )


def read_sunset(game: Game, roll: int) -> None:
    """6.2.1, 14.1.2 Read the first Axis roll of two dice in an Axis Impulse as the Sunset roll."""
    if game.sunset:
        return
    game.sunset = roll
    game.log(SunsetRead(roll, game.impulse, roll < game.impulse, rule="6.2.1"))
    if game.fuel_low and roll == game.impulse:
        game.fuel_low = False
        game.log(FuelChanged(False, rule="14.1.2"))
