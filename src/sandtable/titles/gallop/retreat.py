"""XIV.D Tactical retreats: how far the winner says, where the loser chooses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from sandtable.boards import mask_of
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.rules import first_broken, rule
from sandtable.kernel.steps import Step
from sandtable.kernel.words import counted
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import Done, Drive, RetreatTo
from sandtable.titles.gallop.duty import duty
from sandtable.titles.gallop.lines import served
from sandtable.titles.gallop.state import Game
from sandtable.titles.gallop.zoc import zone


class Beaten(Struct, frozen=True):
    """A losing unit: how far it must and may retreat, and from what."""

    unit: UnitId
    kind: str
    """AR, D, R1 or R2."""
    must: int
    may: int
    origin: Space
    """The hex it was attacked in, or attacked from."""
    away: tuple[Space, ...]
    """XIV.D.2.e The hexes it was attacked from, or attacked."""
    fixed: bool = False
    """XI.A.1 A compulsory retreat: the winner has no say in its length."""
    rule: str = "XIV.D"
    """Why it must retreat: the rule that eliminates it if it cannot."""


@rule
def farther(game: Game, beaten: Beaten, here: int, hex: int) -> bool:
    """XIV.D.2.a Every hex of a retreat is farther from the hex left, and open to movement."""
    facts = game.facts
    return facts.passable(here, hex) and (
        facts.distance(hex, beaten.origin) > facts.distance(here, beaten.origin)
    )


@rule
def not_on_the_enemy(game: Game, beaten: Beaten, here: int, hex: int) -> bool:
    """XIV.D.2.b No retreat into a hex with enemy units."""
    return not game.lay.seen[game.enemy(game.side_of(beaten.unit))] >> hex & 1


@rule
def not_into_a_zone(game: Game, beaten: Beaten, here: int, hex: int) -> bool:
    """XIV.D.2.c No retreat into an enemy zone of control, except onto a friendly unit."""
    side = game.side_of(beaten.unit)
    return not zone(game, side) >> hex & 1 or any(
        other != beaten.unit and game.side_of(other) == side for other in game.stack_at(hex)
    )


@rule
def not_under_attack(game: Game, beaten: Beaten, here: int, hex: int) -> bool:
    """XIV.D.2.d No retreat into a hex whose own attack is still to come (ruling R42)."""
    return not still_to_attack(game, game.side_of(beaten.unit)) >> hex & 1


@rule
def not_beside_the_foe(game: Game, beaten: Beaten, here: int, hex: int) -> bool:
    """XIV.D.2.e No retreat to or beside where the attack came from (or went), but to an own box."""
    if game.works(game.side_of(beaten.unit)) >> hex & 1:
        return True
    return not game.facts.board.within(1 << hex, 1) & mask_of(beaten.away)


RETREAT_RULES = (
    farther,
    not_on_the_enemy,
    not_into_a_zone,
    not_under_attack,
    not_beside_the_foe,
)


def still_to_attack(game: Game, side: Side) -> int:
    """XIV.D.2.d Hexes of a side that the phasing enemy must still attack."""
    if game.phasing == side:
        return 0
    from sandtable.titles.gallop.battle import Battle
    from sandtable.titles.gallop.combat import Attacks

    attacks = next((step for step in game.stack if isinstance(step, Attacks)), None)
    battle = next((step for step in game.stack if isinstance(step, Battle)), None)
    if attacks is None or battle is None:
        return 0
    return duty(game, game.phasing, (*attacks.attacked, *battle.targets)).hexes


def open_hexes(game: Game, beaten: Beaten, here: int) -> list[int]:
    """XIV.D.2 The hexes next to `here` that conditions a to e allow."""
    return [
        hex
        for hex in game.facts.board.neighbours[here]
        if first_broken(RETREAT_RULES, game, beaten, here, hex) is None
    ]


def can_retreat(game: Game, beaten: Beaten, here: int, hexes: int) -> bool:
    """XIV.D.3 Whether a unit can retreat so many hexes from here."""
    if hexes == 0:
        return True
    return any(can_retreat(game, beaten, hex, hexes - 1) for hex in open_hexes(game, beaten, here))


def least_stacked(game: Game, beaten: Beaten, hexes: list[int]) -> list[int]:
    """XIV.D.2.f If possible into an empty hex, or one stacked as little as possible."""
    counts = {hex: len(game.stack_at(hex)) for hex in hexes}
    return [hex for hex in hexes if counts[hex] == min(counts.values())]


def in_supply(game: Game, beaten: Beaten, hexes: list[int]) -> list[int]:
    """XIV.D.2.g If possible into a hex that friendly supply reaches."""
    if len(hexes) < 2:
        return hexes
    reached = served(game, game.side_of(beaten.unit))
    return [hex for hex in hexes if reached >> hex & 1] or hexes


def retreats(game: Game, beaten: Beaten, left: int) -> list[int]:
    """XIV.D.2 Where a unit with so many hexes to go may step now; remembered till pieces change."""
    known = game.lay.retreats
    if (beaten, left) not in known:
        known[beaten, left] = find_retreats(game, beaten, left)
    return known[beaten, left]


def find_retreats(game: Game, beaten: Beaten, left: int) -> list[int]:
    """XIV.D.2 The same, worked out."""
    here = game.pieces[beaten.unit].hex
    hexes = open_hexes(game, beaten, here)
    if left > 1:
        onward = [hex for hex in hexes if can_retreat(game, beaten, hex, left - 1)]
        hexes = onward or hexes
    return in_supply(game, beaten, least_stacked(game, beaten, hexes)) if hexes else []


class Rout(Step["Game"], frozen=True):
    """XIV.D.1 The winner says how many hexes the losing units must retreat."""

    rule: ClassVar[str] = "XIV.D.1"
    interrupt: ClassVar[str] = "pursuit"
    winner: Side
    beaten: tuple[Beaten, ...]

    def actor(self, game: Game) -> Side:
        """The winner."""
        return self.winner

    def most(self) -> int:
        """The longest retreat the winner can demand."""
        return max((each.must for each in self.beaten if not each.fixed), default=0)

    def prompt(self, game: Game) -> str:
        """Ask for a number; those who stand or retreat by compulsion are not meant."""
        driven = [each for each in self.beaten if each.must and not each.fixed]
        units = ", ".join(game.name(each.unit) for each in driven)
        return f"How many hexes must {units} retreat?"

    def begin(self, game: Game) -> None:
        """Nothing to choose where all retreats are compulsory or voluntary."""
        if not self.most():
            game.swap(FallBack(game.enemy(self.winner), self.beaten))

    def actions(self, game: Game) -> Sequence[Action]:
        """From none to the most the result allows."""
        return [Drive(hexes) for hexes in range(self.most() + 1)]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """The number is bounded by the result."""
        return Refusal(
            "XIV.D.1", f"The losers retreat {'0 or 1 hex' if self.most() == 1 else '0 to 2 hexes'}."
        )

    def apply(self, game: Game, action: Action) -> None:
        """Fix the number for all of them."""
        assert isinstance(action, Drive)
        game.log(ev.Driven(self.winner, action.hexes, rule="XIV.D.1"))
        beaten = tuple(
            each if each.fixed else replace(each, must=min(each.must, action.hexes))
            for each in self.beaten
        )
        game.swap(FallBack(game.enemy(self.winner), beaten))

    def standing(self, game: Game, setting: str) -> Action | None:
        """Standing orders: as far as possible, or not at all."""
        return Drive(self.most() if setting == "most" else 0)


class FallBack(Step["Game"], frozen=True):
    """XIV.D.1, XIV.D.2 The loser retreats his units hex by hex, then perhaps of his own will."""

    rule: ClassVar[str] = "XIV.D.2"
    interrupt: ClassVar[str] = "withdrawal"
    side: Side
    beaten: tuple[Beaten, ...]
    walked: int = 0
    """Hexes the first of them has retreated; before it has begun any of them may come first."""

    def actor(self, game: Game) -> Side:
        """The loser."""
        return self.side

    def movers(self) -> Sequence[Beaten]:
        """XIV.D.1 The unit on its way, else all that must go, else the first that may."""
        must = () if self.walked else tuple(each for each in self.beaten if each.must)
        return must or self.beaten[:1]

    @property
    def voluntary(self) -> bool:
        """XIV.D.1 Whether the unit has retreated as far as it must."""
        return self.walked >= self.movers()[0].must

    def left(self, beaten: Beaten) -> int:
        """Hexes still to go, of those it must or those it may."""
        return beaten.must - self.walked if not self.voluntary else 1

    def prompt(self, game: Game) -> str:
        """Ask for a hex."""
        movers = self.movers()
        if self.voluntary:
            return f"Retreat {game.name(movers[0].unit)} a hex of its own will, or let it stay."
        ways = (
            f"{game.name(each.unit)} {counted(self.left(each), 'hex', 'hexes')}" for each in movers
        )
        return f"Retreat {' or '.join(ways)}."

    def options(self, game: Game, beaten: Beaten) -> list[int]:
        """Where a unit may go now."""
        return retreats(game, beaten, self.left(beaten))

    def begin(self, game: Game) -> None:
        """Pass over units that are done; a unit that must and cannot suffers for it."""
        if not self.beaten:
            game.pop()
            return
        movers = self.movers()
        for each in movers:
            if game.pieces[each.unit].hex < 0 or self.walked >= each.must + each.may:
                self.leave(game, each)
                return
        if not any(self.options(game, each) for each in movers):
            if not self.voluntary:
                stuck(game, movers[0])
            self.leave(game, movers[0])

    def leave(self, game: Game, done: Beaten) -> None:
        """Go on with the other units."""
        game.swap(FallBack(self.side, tuple(each for each in self.beaten if each != done)))

    def actions(self, game: Game) -> Sequence[Action]:
        """The hexes, and to stay where that is free."""
        found: list[Action] = [
            RetreatTo(each.unit, Space(hex))
            for each in self.movers()
            for hex in self.options(game, each)
        ]
        return [*found, Done()] if self.voluntary else found

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """The first condition of a retreat that a hex does not meet."""
        if isinstance(action, Done):
            return Refusal("XIV.D.1", self.prompt(game))
        if not isinstance(action, RetreatTo):
            return None
        one = next((each for each in self.movers() if each.unit == action.unit), None)
        if one is None:
            return None
        here, hex = game.pieces[one.unit].hex, action.hex
        what = f"{game.name(one.unit)} cannot retreat to {game.hex_name(hex)}"
        if not game.facts.board.spread(1 << here) >> hex & 1:
            return Refusal("XIV.D.2.a", f"{what}: a retreat goes hex by hex.")
        broken = first_broken(RETREAT_RULES, game, one, here, hex)
        if broken:
            return broken.refusal(what)
        hexes = open_hexes(game, one, here)
        if self.left(one) > 1 and not can_retreat(game, one, hex, self.left(one) - 1):
            return Refusal("XIV.D.3", f"{what}: it could not retreat far enough from there.")
        if hex not in least_stacked(game, one, hexes):
            return Refusal("XIV.D.2.f", f"{what}: another hex is stacked less.")
        return Refusal("XIV.D.2.g", f"{what}: another hex is in supply.")

    def apply(self, game: Game, action: Action) -> None:
        """Step back, or stay."""
        if not isinstance(action, RetreatTo):
            self.leave(game, self.beaten[0])
            return
        start = game.pieces[action.unit].hex
        game.place(action.unit, action.hex)
        number = "XIV.D.1" if self.voluntary else "XIV.D.2"
        game.log(ev.Retreated(action.unit, start, action.hex, rule=number))
        game.take_control([action.hex], self.side)
        order = sorted(self.beaten, key=lambda each: each.unit != action.unit)
        game.swap(replace(self, beaten=tuple(order), walked=self.walked + 1))

    def standing(self, game: Game, setting: str) -> Action | None:
        """Standing orders: no voluntary retreats."""
        return Done() if self.voluntary else None


def stuck(game: Game, beaten: Beaten) -> None:
    """XIV.D.3, XIV.D.4, IX.B What becomes of a unit that must retreat and cannot."""
    unit = beaten.unit
    if beaten.kind == "AR":
        game.eliminate(unit, "cannot retreat", beaten.rule)
    elif beaten.kind == "R2":
        game.eliminate(unit, "cannot retreat two hexes", "XIV.D.3")
    elif game.facts.edge >> game.pieces[unit].hex & 1 and not game.in_works(unit):
        game.eliminate(unit, "forced off the map or into the sea", "XIV.D.4")
