"""4.0, 7.0, 13.0 Cups, the draw until an action chit, and the tactical chits kept face down."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from msgspec.structs import replace

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.dice import D10_FROM_ZERO
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds, gather
from sandtable.kernel.steps import Step
from sandtable.titles.cauldron.actions import AirAttack, Pass
from sandtable.titles.cauldron.events import (
    AirGrounded,
    AirMissed,
    ChitPlayed,
    CupFilled,
    Drew,
    DrewUnseen,
    Kept,
)
from sandtable.titles.cauldron.printed import ALLIED, AXIS, ChitId
from sandtable.titles.cauldron.state import Game, Player
from sandtable.titles.cauldron.zoc import enemy

AT_ONCE = ("air", "sandstorm")


def fill_cups(game: Game) -> None:
    """4.0 Each cup gets the action chits of the turn and all tactical chits; actions are reset."""
    facts = game.facts
    turn = facts.tables.turn[game.turn - 1]
    for side in (AXIS, ALLIED):
        cup: list[ChitId] = list(facts.tactical_cup[side])
        for chit in facts.action_chits[side]:
            faces = facts.chits[chit].faces
            gone = bool(faces) and all(each in game.withdrawn for face in faces for each in face)
            if not gone:
                cup += [chit] * facts.chits[chit].cup[game.turn - 1]
        actions = turn.axis if side == AXIS else turn.allied
        game.players[side] = Player(cup=tuple(sorted(cup)), actions=actions)
        game.log(CupFilled(side, len(cup), actions, rule="4.0"))


def holds(game: Game, side: Side, tactical: str) -> bool:
    """13.0 Whether a side keeps a tactical chit of a type."""
    return game.facts.tactical[tactical] in game.players[side].held


def spend(game: Game, side: Side, chit: ChitId, number: str) -> None:
    """13.0 Play a kept tactical chit: it goes face up into the box of played chits."""
    player = game.players[side]
    game.players[side] = replace(
        player, held=without(player.held, chit), played=(*player.played, chit)
    )
    game.log(ChitPlayed(side, chit, rule=number))


def without(chits: tuple[ChitId, ...], chit: ChitId) -> tuple[ChitId, ...]:
    """The chits less one of a kind."""
    at = chits.index(chit)
    return chits[:at] + chits[at + 1 :]


def has_action_chits(game: Game, side: Side) -> bool:
    """13.7 Whether the cup holds an action chit at all; otherwise actions left are wasted."""
    return any(not game.facts.chits[chit].tactical for chit in game.players[side].cup)


def draw(game: Game, side: Side) -> ChitId:
    """7.0 Draw a chit from the cup, blind."""
    player = game.players[side]
    (face,) = game.draw("cup", (len(player.cup),), place=side)
    chit = player.cup[face - 1]
    game.players[side] = replace(player, cup=without(player.cup, chit))
    return chit


def redeal(game: Game, side: Side) -> None:
    """13.0 Shuffle the chits a side keeps with those of its cup that would be kept too."""
    player = game.players[side]
    kinds = game.facts.chits
    keepable = [
        chit
        for chit in (*player.held, *player.cup)
        if kinds[chit].tactical and kinds[chit].tactical not in AT_ONCE
    ]
    rest = [
        chit for chit in player.cup if not kinds[chit].tactical or kinds[chit].tactical in AT_ONCE
    ]
    keepable.sort()
    held: list[ChitId] = []
    for _ in player.held:
        (face,) = game.draw("redeal", (len(keepable),), place=side)
        held.append(keepable.pop(face - 1))
    game.players[side] = replace(
        player, held=tuple(sorted(held)), cup=tuple(sorted((*keepable, *rest)))
    )


class AirStrike(Step[Game], frozen=True):
    """13.4 Air is played the moment it is drawn, against any enemy unit or not at all (R36)."""

    rule: ClassVar[str] = "13.4"
    side: Side

    def actor(self, game: Game) -> Side:
        return self.side

    def prompt(self, game: Game) -> str:
        return "Choose an enemy unit for the air attack, or pass."

    def actions(self, game: Game) -> Sequence[Action]:
        return [*map(AirAttack, game.on_map(enemy(self.side))), Pass()]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        if isinstance(action, AirAttack):
            return Refusal("13.4", f"{game.name(action.unit)} is no enemy unit on the map.")
        return None

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, AirAttack):
            unit = action.unit
            place = game.facts.units[unit].id
            (die,) = game.roll("air", by=self.side, rule="13.4", dice=(D10_FROM_ZERO,), place=place)
            effect = self.effect(game, unit, die)
            game.conclude(effect)
            if effect == "step lost":
                game.lose_step(unit, "13.4")
            elif effect == "disrupted":
                game.disrupt(unit, "13.4")
            else:
                game.log(AirMissed(unit, rule="13.4"))
        game.pop()

    def bonus(self, game: Game, unit: UnitId) -> int:
        """13.4 Allied units in a fortified hex add two to the Axis die."""
        fortified = game.facts.fortified >> game.units[unit].at & 1
        return game.facts.tables.air.axis_fortified if self.side == AXIS and fortified else 0

    def effect(self, game: Game, unit: UnitId, die: int) -> str:
        """13.4 What an air attack does on a die."""
        table = game.facts.tables.air
        total = die + self.bonus(game, unit)
        if self.side == AXIS and total in table.axis_step:
            return "step lost"
        disrupts = table.axis_disrupted if self.side == AXIS else table.allied_disrupted
        if total in disrupts and not game.units[unit].disrupted:
            return "disrupted"
        return "no effect"

    def odds(self, game: Game, action: Action) -> Odds | None:
        if not isinstance(action, AirAttack):
            return None
        bonus = self.bonus(game, action.unit)
        named = (Modifier("fortified hex", bonus, "13.4"),) if bonus else ()
        chances = []
        for die in range(10):
            effect = self.effect(game, action.unit, die)
            favours = self.side if effect != "no effect" else None
            chances.append(Chance(effect, Fraction(1, 10), (die,), favours))
        return Odds(named, gather(chances))


def draw_until_action(game: Game, side: Side, storm: bool) -> tuple[ChitId | None, bool]:
    """7.0, 13.0 Draw until an action chit comes, or until Air must be flown (no chit then).

    Tactical chits go face down into the box; Sandstorm and Air are played at once.
    """
    while True:
        chit = draw(game, side)
        tactical = game.facts.chits[chit].tactical
        player = game.players[side]
        if tactical and tactical not in AT_ONCE:
            held = tuple(sorted((*player.held, chit)))
            game.players[side] = replace(player, held=held)
            game.log(DrewUnseen(side, rule="13.0"))
            game.log(Kept(side, chit, rule="13.0", only=side))
            continue
        played = (*player.played, chit)
        game.players[side] = replace(player, played=played)
        game.log(Drew(side, chit, rule={"air": "13.4", "sandstorm": "13.5"}.get(tactical, "7.0")))
        if tactical == "sandstorm":
            storm = True
        elif tactical == "air" and storm:
            game.log(AirGrounded(side, rule="13.4"))
        elif tactical == "air":
            return None, storm
        else:
            return chit, storm
