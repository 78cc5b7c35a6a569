"""X Air units: ground attack, interception, resupply, anti-aircraft fire and repair."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, Literal

from sandtable.boards import bits
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds, gather
from sandtable.kernel.steps import Step
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import Airstrike, Done, Intercept, Loiter
from sandtable.titles.gallop.state import OFF_MAP, Game

REPAIR = 2
"""X, EAX and AA: the rest of this game turn and the whole of the next."""
INTERCEPTED = {
    "-": "no effect",
    "AA": "the interceptor is knocked out",
    "EAX": "the enemy aircraft are knocked out",
    "Int": "the enemy aircraft turn back",
}
"""X.B.3 What the results of an interception mean."""


def can_fly(game: Game, side: Side) -> bool:
    """X.A, VIII.A.1, VIII.B.1 Used once a game turn, not while out, and not in a sandstorm."""
    unit = game.air_of(side)
    return not (
        unit.used or unit.out or unit.over >= 0 or unit.grounded or game.weather == "sandstorm"
    )


def roll_for_rain(game: Game) -> None:
    """VIII.B.1 In rain each player's aircraft fly, or stay, in a player-turn on an even chance."""
    for side in ("axis", "allied"):
        grounded = False
        air = game.air_of(side)
        idle = air.out or (air.used and air.over < 0)
        if game.weather == "rainstorm" and not idle:
            (face,) = game.roll("flying in rain", side, "VIII.B.1")
            grounded = face > 3
            if grounded:
                game.log(ev.Grounded(game.air_id(side), rule="VIII.B.1"))
                go_home(game, side, "VIII.B.1")
        if game.air_of(side).grounded != grounded:
            game.set_air(side, grounded=grounded)


def knock_out(game: Game, side: Side) -> None:
    """X.B.1 An air unit is out for the rest of this game turn and the next."""
    game.set_air(side, out=REPAIR, over=OFF_MAP, used=True)
    game.log(ev.AirKnockedOut(game.air_id(side), rule="X.B.1"))


def go_home(game: Game, side: Side, rule: str) -> None:
    """X.B.1 An air unit over the map returns to its airfields."""
    if game.air_of(side).over >= 0:
        game.set_air(side, over=OFF_MAP)
        game.log(ev.AirWentHome(game.air_id(side), rule=rule))


def repair(game: Game) -> None:
    """X.B.1, VIII.A.1 At the end of a game turn repairs go on, but not in a sandstorm."""
    for side in ("axis", "allied"):
        unit = game.air_of(side)
        if unit.out and game.weather != "sandstorm":
            game.set_air(side, out=unit.out - 1)
            if unit.out == 1:
                game.log(ev.AirRepaired(game.air_id(side), rule="X.B.1"))
        game.set_air(side, used=False, grounded=False)


# Ground attack.


def has_aa(game: Game, unit: UnitId) -> bool:
    """X.B.1 German divisions anywhere, British divisions in boxes, 4th AA and Flak anywhere."""
    kind = game.book[unit].aa
    return kind in ("division", "special") or (kind == "box" and game.in_works(unit))


def targets(game: Game, hex: int) -> list[UnitId]:
    """X.B.1 Undisrupted units in the order of attack: AA units, AA-capable ones, then the rest."""
    units = [unit for unit in game.stack_at(hex) if not game.pieces[unit].disrupted]
    return sorted(units, key=lambda u: (game.book[u].aa != "special", not has_aa(game, u)))


def strike_result(game: Game, unit: UnitId, face: int) -> str:
    """X.B.1, AIR Disrupted (D), shot down (AA) or nothing (-), for one unit (rulings R10, R28)."""
    table, counter = game.facts.tables.air, game.book[unit]
    if game.in_works(unit):
        found = table.box[face - 1]
        if found == "4AA/Flak":
            crew = game.stack_at(game.pieces[unit].hex)
            return "AA" if any(has_aa(game, each) for each in crew) else "-"
    elif counter.side == "allied":
        found = table.allied[face - 1]
        if found == "4AA":
            return "AA" if counter.aa == "special" else "-"
    else:
        found = table.axis[face - 1]
        if found == "AAg":
            return "AA" if counter.aa in ("division", "special") else "-"
        if found == "Flak":
            return "AA" if counter.aa == "special" else "-"
    return found


def strike(game: Game, side: Side, unit: UnitId) -> str:
    """X.B.1 One roll of an air unit against one ground unit."""
    (face,) = game.roll("air attack", side, "X.B.1", place=game.hex_name(game.pieces[unit].hex))
    result = strike_result(game, unit, face)
    game.log(ev.AirStruck(game.air_id(side), unit, result, rule="X.B.1"))
    if result == "D":
        game.disrupt(unit, "air attack", "X.B.1")
    elif result == "AA":
        knock_out(game, side)
    return result


def strike_label(game: Game, hit: Sequence[UnitId], shot_down: bool) -> str:
    """What came of an air attack, as a label."""
    parts = [f"Disrupted: {', '.join(game.name(unit) for unit in hit)}"] if hit else []
    if shot_down:
        parts.append("shot down")
    return "; ".join(parts) or "no effect"


def strike_odds(game: Game, side: Side, units: Sequence[UnitId], assumes: str = "") -> Odds:
    """X.B.1 The chances of an air attack on these units, one after the other."""
    enemy = game.enemy(side)

    def rest(
        at: int, hit: tuple[UnitId, ...], chance: Fraction, faces: tuple[int, ...]
    ) -> list[Chance]:
        if at == len(units):
            favours = side if hit else None
            return [Chance(strike_label(game, hit, False), chance, faces, favours)]
        found: dict[str, list[int]] = {}
        for face in range(1, 7):
            found.setdefault(strike_result(game, units[at], face), []).append(face)
        chances: list[Chance] = []
        for result, shown in found.items():
            here, dice = chance * Fraction(len(shown), 6), (*faces, shown[0])
            if result == "AA":
                chances.append(Chance(strike_label(game, hit, True), here, dice, enemy))
            else:
                chances += rest(at + 1, (*hit, units[at]) if result == "D" else hit, here, dice)
        return chances

    in_works = bool(units) and game.in_works(units[0])
    modifiers = [
        Modifier(
            "in a box or fort two faces of six Disrupt"
            if in_works
            else "outside boxes and forts most faces Disrupt",
            0,
            "AIR",
        )
    ]
    modifiers += [
        Modifier(f"anti-aircraft fire of {game.name(u)}", 1, "X.B.1")
        for u in units
        if has_aa(game, u)
    ]
    return Odds(
        tuple(modifiers),
        gather(rest(0, (), Fraction(1), ())),
        (assumes,) if assumes else (),
    )


class AirPhase(Step["Game"], frozen=True):
    """X.A The airstrike phase: one target, or none."""

    rule: ClassVar[str] = "X.A"
    side: Side

    def actor(self, game: Game) -> Side:
        """The phasing player."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask for a target."""
        return "Choose a hex for your airstrike, or keep the air unit back."

    def begin(self, game: Game) -> None:
        """Skip the phase when the air unit cannot fly."""
        if not can_fly(game, self.side):
            game.pop()

    def actions(self, game: Game) -> Sequence[Action]:
        """X.B.1 Any hex with undisrupted enemy units."""
        fresh = game.lay.fresh[game.enemy(self.side)]
        return [*(Airstrike(Space(hex)) for hex in bits(fresh)), Done()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Airstrikes need an undisrupted enemy."""
        if isinstance(action, Airstrike):
            return Refusal(
                "X.B.1", f"No undisrupted enemy unit stands in {game.hex_name(action.hex)}."
            )
        return None

    def apply(self, game: Game, action: Action) -> None:
        """Fly, or not."""
        if not isinstance(action, Airstrike):
            game.pop()
            return
        send(game, self.side, action.hex, "strike")

    def resume(self, game: Game, result: Any) -> None:
        """One mission and the phase is over."""
        game.pop()

    def odds(self, game: Game, action: Action) -> Odds | None:
        """The chances against each unit in the hex, unknown while they are face down."""
        if not isinstance(action, Airstrike):
            return None
        if game.lay.hidden >> action.hex & 1:
            return None
        free = can_fly(game, game.enemy(self.side))
        assumes = "the enemy does not intercept" if free else ""
        return strike_odds(game, self.side, targets(game, action.hex), assumes)


def send(game: Game, side: Side, hex: Space, kind: Literal["strike", "lift"]) -> None:
    """X.A An air unit takes off for its one mission of the game turn."""
    game.set_air(side, used=True)
    number = "X.B.1" if kind == "strike" else "X.B.2"
    game.log(ev.AirSent(game.air_id(side), hex, kind, rule=number))
    game.push(Mission(side, hex, kind))


class Mission(Step["Game"], frozen=True):
    """X.B.1, X.B.2 A mission: the enemy may intercept, then it is carried out."""

    rule: ClassVar[str] = "X.B.1"
    side: Side
    hex: Space
    kind: Literal["strike", "lift"]

    def begin(self, game: Game) -> None:
        """Ask the enemy first if he can intercept."""
        enemy = game.enemy(self.side)
        if can_fly(game, enemy):
            game.push(Interception(enemy, self.hex))
        else:
            self.carry_out(game)

    def resume(self, game: Game, result: Any) -> None:
        """Go on unless the air unit was stopped."""
        if result in ("EAX", "Int"):
            game.pop("stopped")
        elif result in ("stayed", "home"):
            game.pop("flown")
        else:
            self.carry_out(game)

    def carry_out(self, game: Game) -> None:
        """X.B.1, X.B.2 Attack each unit in turn, or drop supplies."""
        if self.kind == "lift":
            for unit in game.stack_at(self.hex):
                if not game.pieces[unit].supplied:
                    game.put(unit, supplied=True)
                    game.log(ev.SupplyFound(unit, self.hex, "by air", rule="X.B.2"))
            game.pop("flown")
            return
        game.reveal([self.hex])
        hit: list[UnitId] = []
        result = ""
        for unit in targets(game, self.hex):
            game.activate(unit, "V.A")
            result = strike(game, self.side, unit)
            if result == "D":
                hit.append(unit)
            elif result == "AA":
                break
        if result:
            game.conclude(strike_label(game, hit, result == "AA"))
        if result == "AA":
            game.pop("shot down")
        else:
            game.push(Station(self.side, self.hex))


class Station(Step["Game"], frozen=True):
    """X.B.1 After its attack an air unit may stay over the hex for the enemy's player-turn."""

    rule: ClassVar[str] = "X.B.1"
    side: Side
    hex: Space

    def actor(self, game: Game) -> Side:
        """The owner of the air unit."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask whether to stay."""
        return f"Keep the air unit over {game.hex_name(self.hex)} for the enemy's player-turn?"

    def actions(self, game: Game) -> Sequence[Action]:
        """Stay or go."""
        return [Loiter(), Done()]

    def apply(self, game: Game, action: Action) -> None:
        """Stay or go."""
        if isinstance(action, Loiter):
            game.set_air(self.side, over=self.hex)
            game.log(ev.AirStayed(game.air_id(self.side), self.hex, rule="X.B.1"))
            game.pop("stayed")
        else:
            game.log(ev.AirWentHome(game.air_id(self.side), rule="X.B.1"))
            game.pop("home")


class Interception(Step["Game"], frozen=True):
    """X.B.3 The other side may intercept a mission."""

    rule: ClassVar[str] = "X.B.3"
    interrupt: ClassVar[str] = "interception"
    side: Side
    hex: Space

    def actor(self, game: Game) -> Side:
        """The side whose air unit may intercept."""
        return self.side

    def prompt(self, game: Game) -> str:
        """Ask whether to intercept."""
        return f"An enemy air unit flies to {game.hex_name(self.hex)}: intercept it?"

    def actions(self, game: Game) -> Sequence[Action]:
        """Intercept or not."""
        return [Intercept(), Done()]

    def apply(self, game: Game, action: Action) -> None:
        """Fight it out, or let it pass."""
        game.pop(intercept(game, self.side) if isinstance(action, Intercept) else "")

    def odds(self, game: Game, action: Action) -> Odds | None:
        """The chances of the interceptor."""
        return interception_odds(game, self.side) if isinstance(action, Intercept) else None

    def standing(self, game: Game, setting: str) -> Action | None:
        """Standing orders: never, or always."""
        return Intercept() if setting == "always" else Done()


def interception_table(game: Game, side: Side) -> list[str]:
    """X.B.3, AIR The column for a side's interceptor, by the nation of its target."""
    table = game.facts.tables.air
    return table.intercept_british if side == "axis" else table.intercept_german


def intercept(game: Game, side: Side) -> str:
    """X.B.3 Roll for an interceptor: EAX, Int, nothing, or AA against itself."""
    enemy = game.enemy(side)
    game.set_air(side, used=True)
    (face,) = game.roll("interception", side, "X.B.3")
    result = interception_table(game, side)[face - 1]
    game.conclude(INTERCEPTED[result])
    game.log(ev.Intercepted(game.air_id(side), game.air_id(enemy), result, rule="X.B.3"))
    if result == "EAX":
        knock_out(game, enemy)
    elif result == "AA":
        knock_out(game, side)
    return result


def interception_odds(game: Game, side: Side) -> Odds:
    """X.B.3 The chances of an interceptor."""
    good = {"EAX": side, "Int": side, "AA": game.enemy(side)}
    chances = [
        Chance(INTERCEPTED[result], Fraction(1, 6), (face,), good.get(result))
        for face, result in enumerate(interception_table(game, side), 1)
    ]
    nation = "British" if side == "axis" else "German"
    return Odds((Modifier(f"against the {nation} air unit", 0, "AIR"),), gather(chances))


# Air units over a hex in the enemy's player-turn.


def can_intercept_interdictor(game: Game, side: Side) -> bool:
    """X.B.3 In one's own player-turn an enemy air unit that stayed may be intercepted."""
    return game.air_of(game.enemy(side)).over >= 0 and can_fly(game, side)


def intercept_interdictor(game: Game, side: Side) -> None:
    """X.B.3 Intercept the enemy air unit that stayed over a hex."""
    if intercept(game, side) in ("EAX", "Int"):
        go_home(game, game.enemy(side), "X.B.3")


def interdict(game: Game, unit: UnitId) -> bool:
    """X.B.1, ruling R14 A unit that moves under an enemy air unit is attacked once.

    True if it was Disrupted, which ends its move.
    """
    side = game.side_of(unit)
    piece = game.pieces[unit]
    if game.air_of(game.enemy(side)).over != piece.hex or piece.disrupted:
        return False
    result = strike(game, game.enemy(side), unit)
    game.conclude(strike_label(game, [unit] if result == "D" else [], result == "AA"))
    return result == "D"


def interdiction_odds(game: Game, unit: UnitId, hex: Space) -> Odds | None:
    """X.B.1 The chances of moving under an enemy air unit."""
    side = game.side_of(unit)
    if game.air_of(game.enemy(side)).over != hex or game.pieces[unit].disrupted:
        return None
    trial = game.copy()
    trial.put(unit, hex=hex)
    return strike_odds(trial, game.enemy(side), [unit])
