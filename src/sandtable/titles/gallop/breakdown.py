"""XIII.D British tank breakdown: the Crusaders of 2nd and 22nd Armoured Brigades."""

from __future__ import annotations

from fractions import Fraction

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.data import WHOLE
from sandtable.titles.gallop.march import Ground, costs_along, walk
from sandtable.titles.gallop.state import Game


def breaks_down(game: Game, ground: Ground, unit: UnitId, way: list[int], total: int) -> bool:
    """XIII.D Crusaders risk a breakdown for each factor above the first."""
    factors = -(-total // WHOLE)
    if factors < 2:
        return False
    (face,) = game.roll("breakdown", game.side_of(unit), "XIII.D", place=game.name(unit))
    if face >= factors:
        game.conclude("arrives")
        return False
    stop = breakdown_hex(game, ground, unit, way, face)
    game.conclude(f"breaks down in {game.hex_name(way[stop])}")
    part = way[: stop + 1]
    if len(part) > 1 and not walk(game, ground, unit, part, "XIII.D"):
        return True
    game.log(ev.BrokeDown(unit, Space(part[-1]), rule="XIII.D"))
    game.disrupt(unit, "breakdown", "XIII.D")
    return True


def breakdown_hex(game: Game, ground: Ground, unit: UnitId, way: list[int], face: int) -> int:
    """XIII.D How far along its path a brigade gets: to the end of the movement factor rolled."""
    spent = costs_along(game, ground, unit, way)
    return max(at for at, cost in enumerate(spent) if cost <= face * WHOLE)


def breakdown_odds(
    game: Game, ground: Ground, unit: UnitId, way: list[int], total: int
) -> Odds | None:
    """XIII.D Where a Crusader brigade may break down."""
    factors = -(-total // WHOLE)
    if factors < 2:
        return None
    sixth = Fraction(1, 6)
    enemy = game.enemy(game.side_of(unit))
    chances: dict[str, Chance] = {}
    for face in range(1, 7):
        favours: Side | None = None
        if face < factors:
            stop = way[breakdown_hex(game, ground, unit, way, face)]
            text, favours = f"breaks down in {game.hex_name(stop)}", enemy
        else:
            text = "arrives"
        old = chances.get(text)
        chances[text] = (
            Chance(text, old.probability + sixth, old.faces, favours)
            if old
            else Chance(text, sixth, (face,), favours)
        )
    modifier = Modifier("movement factors above the first", factors - 1, "XIII.D")
    over = game.air_of(enemy).over
    apart = () if over not in way[1:] else (f"the air attack in {game.hex_name(over)} comes apart",)
    return Odds((modifier,), tuple(chances.values()), apart)
