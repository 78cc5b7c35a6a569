"""7.5.1.C, 7.5.1.F, 7.5.1.G What both sides choose while a combat is worked out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Odds
from sandtable.kernel.steps import Step
from sandtable.titles.theseus.actions import (
    Air,
    Attack,
    AttackWith,
    Lead,
    Oppose,
    Strike,
)
from sandtable.titles.theseus.combat_odds import combat_odds, open_choices
from sandtable.titles.theseus.drms import attack_choices, best_defence_unit, defence_choices, leads
from sandtable.titles.theseus.facts import FormationId
from sandtable.titles.theseus.schema import SIDES
from sandtable.titles.theseus.situation import IN_COMMAND
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.strength import (
    KINDS,
    PREPARED,
    REGULAR,
    Battle,
    air_limit,
    find_column,
    odds_name,
    strengths,
)


def payer(game: Game) -> int:
    """7.5.1.C Where in the stack the activation stands that pays for the attack."""
    from sandtable.titles.theseus.acting import Acting

    for at in range(len(game.stack) - 1, -1, -1):
        if isinstance(game.stack[at], Acting):
            return at
    raise AssertionError("no activation pays for this attack")


def pay_escalation(game: Game, kind: str) -> None:
    """7.5.1.C A Regular Attack costs one point more, a Prepared one two."""
    extra = KINDS.index(kind)
    if not extra:
        return
    at = payer(game)
    acting = game.stack[at]
    from_bonus = min(extra, acting.bonus)
    game.spend(acting.side, extra - from_bonus)
    changed = replace(acting, bonus=acting.bonus - from_bonus)
    game.stack = (*game.stack[:at], changed, *game.stack[at + 1 :])


def escalations(game: Game, battle: Battle, declared_by: Action | None = None) -> int:
    """7.5.1.C, 5.8.3, 6.4 How far an attack can escalate, once the action that declares it is paid.

    Nothing is to be paid any more for an attack that stands.
    """
    unit = battle.units[0]
    if game.pieces[unit].parent < 0 or game.situation.state(game, unit) != IN_COMMAND:
        return 0
    acting = game.stack[payer(game)]
    points: int = acting.points(game)
    if isinstance(declared_by, Attack | AttackWith):
        points -= acting.cost(game, unit)
    return max(0, min(len(STRIKES) - 1, points))


STRIKES = (Strike("hasty"), Strike("regular"), Strike("prepared"))


class Escalation(Step[Game], frozen=True):
    """7.5.1.C Stay with the Hasty Attack, or escalate it if the points allow."""

    rule: ClassVar[str] = "7.5.1.C"

    battle: Battle

    def actor(self, game: Game) -> Side:
        return SIDES[self.battle.side]

    def prompt(self, game: Game) -> str:
        left = game.stack[payer(game)].points(game)
        return (
            f"Strike at {game.hexname(self.battle.target)}: hasty, regular or prepared? "
            f"Each step up costs an Action Point of {left} left."
        )

    def actions(self, game: Game) -> Sequence[Action]:
        return STRIKES[: 1 + escalations(game, self.battle)]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, Strike) and action.kind_of_attack in (REGULAR, PREPARED):
            unit = self.battle.units[0]
            if game.pieces[unit].parent < 0:
                return Refusal("6.4", f"{game.name(unit)} is limited to Hasty Attacks.")
            if game.situation.state(game, unit) != IN_COMMAND:
                return Refusal("5.8.3", f"{game.name(unit)} is not In Command.")
            return Refusal("7.5.1.C", f"There are too few AP for a {action.kind_of_attack} attack.")
        return None

    def odds(self, game: Game, action: Action) -> Odds | None:
        if not isinstance(action, Strike):
            return None
        battle = replace(self.battle, kind=action.kind_of_attack)
        assumes = ["no air units"] if air_limit(game, battle) else []
        return combat_odds(game, battle, (*assumes, *open_choices(game, battle)))

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Strike)
        game.pop(action.kind_of_attack)


class AirSupport(Step[Game], frozen=True):
    """7.5.1.4, 7.5.1.F The Axis attacker commits air units, a column each."""

    rule: ClassVar[str] = "7.5.1.4"

    battle: Battle

    def actor(self, game: Game) -> Side:
        return SIDES[self.battle.side]

    def prompt(self, game: Game) -> str:
        column = find_column(game, self.battle, *strengths(game, self.battle))
        odds = odds_name(game, self.battle, column)
        return f"Odds are {odds}. Commit how many of {game.air} air units?"

    def actions(self, game: Game) -> Sequence[Action]:
        return [Air(number) for number in range(air_limit(game, self.battle) + 1)]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, Air):
            most = air_limit(game, self.battle)
            kind = self.battle.kind
            return Refusal("7.5.1.4", f"At most {most} air units can support this {kind} attack.")
        return None

    def odds(self, game: Game, action: Action) -> Odds | None:
        battle = self.battle
        if not isinstance(action, Air) or find_column(game, battle, *strengths(game, battle)) < 0:
            return None  # below the table nothing is rolled
        battle = replace(battle, air=action.number)
        return combat_odds(game, battle, open_choices(game, battle))

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Air)
        game.pop(action.number)


class LeadChoice(Step[Game], frozen=True):
    """7.5.1.5.A Defenders of several formations follow one Lead Formation."""

    rule: ClassVar[str] = "7.5.1.5.A"
    interrupt: ClassVar[str] = "defence"

    battle: Battle

    def actor(self, game: Game) -> Side:
        return SIDES[self.battle.enemy]

    def prompt(self, game: Game) -> str:
        return f"Choose the Lead Formation in {game.hexname(self.battle.target)}."

    def actions(self, game: Game) -> Sequence[Action]:
        return [Lead(FormationId(each)) for each in leads(game, self.battle)]

    def standing(self, game: Game, setting: str) -> Action | None:
        return self.actions(game)[0]

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Lead)
        game.pop(action.formation)


class ArmourChoice(Step[Game], frozen=True):
    """7.5.1.5.C Choose the unit that stands for the side in Armour Superiority."""

    rule: ClassVar[str] = "7.5.1.5.C"
    interrupt: ClassVar[str] = "defence"

    battle: Battle
    attacking: bool

    def actor(self, game: Game) -> Side:
        return SIDES[self.battle.side if self.attacking else self.battle.enemy]

    def prompt(self, game: Game) -> str:
        if self.attacking:
            return "Choose the tank unit that leads the attack; it takes the first loss."
        return "Choose the unit whose Tank or Anti-Tank Points meet the attack."

    def choices(self, game: Game) -> list[int]:
        """7.5.1.5.C The units allowed."""
        if self.attacking:
            return attack_choices(game, self.battle)
        return defence_choices(game, self.battle)

    def actions(self, game: Game) -> Sequence[Action]:
        units = self.choices(game)
        if game.static(SIDES.index(self.actor(game))):
            units = [best_defence_unit(game, self.battle, self.battle.attack_unit)]
        return [Oppose(UnitId(unit)) for unit in units]

    def standing(self, game: Game, setting: str) -> Action | None:
        if self.attacking:
            return None
        return Oppose(UnitId(best_defence_unit(game, self.battle, self.battle.attack_unit)))

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, Oppose):
            return Refusal(
                "7.5.1.5.C",
                f"{game.name(action.unit)} does not have the most points of its sort here.",
            )
        return None

    def odds(self, game: Game, action: Action) -> Odds | None:
        if not isinstance(action, Oppose):
            return None
        if self.attacking:
            later = replace(self.battle, attack_unit=action.unit)
            assumes = ["the defender chooses the best armour"]
            return combat_odds(
                game, later, assumes if len(defence_choices(game, later)) > 1 else []
            )
        return combat_odds(game, replace(self.battle, defence_unit=action.unit))

    def apply(self, game: Game, action: Action) -> None:
        assert isinstance(action, Oppose)
        game.pop((self.attacking, action.unit))
