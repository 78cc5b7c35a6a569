"""7.3.6, 7.4 Entering and breaching enemy minefields."""

from __future__ import annotations

from typing import Any, ClassVar

from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Modifier
from sandtable.kernel.steps import Step
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.schema import INFANTRY, SIDES
from sandtable.titles.theseus.snafu import unit_roll
from sandtable.titles.theseus.state import Game

ENTERS, DISRUPTED, LOSES = "enters", "disrupted", "disrupted, loses 1"
CHECK_WORDS = {"P": ENTERS, "D": DISRUPTED, "L": LOSES}
BREACH_WORDS = {"S": "breached", "-": "no effect", "D": DISRUPTED}


def shared_modifiers(game: Game, unit: int, schwerpunkt: int, rule: str) -> list[Modifier]:
    """5.9, 7.3.6, 7.4 What an HQ's engineers and the Schwerpunkt give a unit in command."""
    piece = game.pieces[unit]
    found: list[Modifier] = []
    if not game.situation.in_command(game, unit):
        return found
    hq = game.data.hqs[piece.parent]
    if hq.engineer:
        found.append(Modifier(f"{hq.short} engineers", -hq.engineer, rule))
    if game.schwerpunkt == piece.parent:
        found.append(Modifier("Schwerpunkt", schwerpunkt, "5.9"))
    return found


def check_modifiers(game: Game, units: tuple[int, ...], unit: int) -> list[Modifier]:
    """7.3.6 DRMs of the Enemy Minefield Check for a unit moving with these."""
    table = game.data.tables.minefield_check
    found = shared_modifiers(game, unit, table.schwerpunkt, "7.3.6")
    hecker = game.data.hecker
    same = hecker >= 0 and game.pieces[hecker].parent == game.pieces[unit].parent >= 0
    if hecker in units and same:
        found.append(Modifier("KG Hecker", table.hecker, "7.3.6"))
    return found


def check_line(game: Game, unit: int) -> tuple[str, ...]:
    """7.3.6 The unit's line of the Enemy Minefield Check table."""
    table = game.data.tables.minefield_check
    card = game.card[unit]
    if card.type in ("tank", "heavy_tank"):
        return table.tank
    return table.leg if card.type == "infantry" else table.mot


def look_up(rolls: tuple[int, ...], line: tuple[str, ...], value: int) -> str:
    """7.3.6, 7.4 The entry for a modified roll; beyond the ends the last entry counts."""
    return line[max(0, min(value - rolls[0], len(rolls) - 1))]


def check_labels(game: Game, units: tuple[int, ...], unit: int) -> tuple[str, ...]:
    """7.3.6 What each face means for a unit."""
    drm = sum(each.value for each in check_modifiers(game, units, unit))
    rolls, line = game.data.tables.minefield_check.rolls, check_line(game, unit)
    return tuple(CHECK_WORDS[look_up(rolls, line, face + drm)] for face in range(1, 11))


class MinefieldChecks(Step[Game], frozen=True):
    """7.3.6 Roll for each unit that tries to enter; pops those that pass."""

    rule: ClassVar[str] = "7.3.6"

    units: tuple[int, ...]
    hex: int
    labels: tuple[tuple[str, ...], ...] = ()
    passed: tuple[int, ...] = ()
    done: int = 0

    def actor(self, game: Game) -> Side:
        return SIDES[game.side(self.units[0])]

    def begin(self, game: Game) -> None:
        if not self.labels:
            # Command counts as it was when the movement began, before anybody fails.
            labels = tuple(check_labels(game, self.units, unit) for unit in self.units)
            game.swap(MinefieldChecks(self.units, self.hex, labels))
        elif self.done == len(self.units):
            game.pop(self.passed)
        else:
            unit = self.units[self.done]
            line = self.labels[self.done]
            game.push(unit_roll(game, unit, "minefield check", "7.3.6", line))

    def resume(self, game: Game, result: Any) -> None:
        unit = self.units[self.done]
        passed = self.passed
        word = self.labels[self.done][result - 1]
        if word == ENTERS:
            passed = (*passed, unit)
            only = SIDES[game.side(unit)] if game.secret(unit) else None
            game.log(ev.MinefieldEntered(UnitId(unit), Space(self.hex), rule="7.3.6", only=only))
        else:
            game.disrupt(unit, "7.3.6")
            if word == LOSES:
                game.lose(unit, 1, "7.3.6")
        game.swap(MinefieldChecks(self.units, self.hex, self.labels, passed, self.done + 1))


def can_breach(game: Game, unit: int) -> bool:
    """7.4 Infantry types and KG Hecker (ruling R7) in an unbreached enemy minefield."""
    card = game.card[unit]
    hex = game.pieces[unit].hex
    mined = game.situation.mines[1 - game.side(unit)] >> hex & 1
    return bool(mined) and (card.type in INFANTRY or card.type == "engineer")


def breach_modifiers(game: Game, unit: int) -> list[Modifier]:
    """7.4 DRMs of a breach attempt."""
    table = game.data.tables.minefield_breach
    piece = game.pieces[unit]
    found = shared_modifiers(game, unit, table.schwerpunkt, "7.4")
    hecker = game.data.hecker
    if hecker >= 0 and piece.parent >= 0:
        other = game.pieces[hecker]
        if other.hex == piece.hex and other.parent == piece.parent:
            found.append(Modifier("KG Hecker", table.hecker, "7.4"))
    if game.situation.zoc[1 - game.side(unit)] >> piece.hex & 1:
        found.append(Modifier("in an EZOC", table.in_ezoc, "7.4"))
    return found


def breach_labels(game: Game, unit: int) -> tuple[str, ...]:
    """7.4 What each face means."""
    table = game.data.tables.minefield_breach
    drm = sum(each.value for each in breach_modifiers(game, unit))
    box = game.data.boxes >> game.pieces[unit].hex & 1
    line = table.box if box else table.minefield
    return tuple(BREACH_WORDS[look_up(table.rolls, line, face + drm)] for face in range(1, 11))


class BreachAttempt(Step[Game], frozen=True):
    """7.4 One roll to clear a path through the minefield the unit stands in."""

    rule: ClassVar[str] = "7.4"

    unit: int
    labels: tuple[str, ...] = ()

    def actor(self, game: Game) -> Side:
        return SIDES[game.side(self.unit)]

    def begin(self, game: Game) -> None:
        labels = breach_labels(game, self.unit)
        game.become_step(BreachAttempt(self.unit, labels))
        game.push(unit_roll(game, self.unit, "breach", "7.4", labels))

    def resume(self, game: Game, result: Any) -> None:
        word = self.labels[result - 1]
        hex = game.pieces[self.unit].hex
        done = word == BREACH_WORDS["S"]
        tried = ev.BreachTried(UnitId(self.unit), Space(hex), done, rule="7.4")
        game.tell(tried, self.unit, ev.BreachSeen(Space(hex), done, rule="7.4"))
        if done:
            game.breach(hex)
        elif word == DISRUPTED:
            game.disrupt(self.unit, "7.4")
        game.pop()
