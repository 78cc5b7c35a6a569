"""Gazala: The Cauldron (2nd edition). Battalions, chits and minefields, May and June 1942."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import Event, Rolled, Side
from sandtable.kernel.game import BEGIN, OptionValue
from sandtable.kernel.game import Game as BaseGame
from sandtable.kernel.packs import Pack
from sandtable.kernel.steps import Step
from sandtable.kernel.title import Interrupt, Option, Scenario, Title
from sandtable.titles.cauldron import (
    actions,
    advance,
    aftermath,
    chits,
    combat,
    events,
    initiative,
    losses,
    minefields,
    movement,
    orders,
    positions,
    reinforcements,
    replacements,
    retreat,
    sequence,
    setup,
    sheets,
    stacking,
)
from sandtable.titles.cauldron.data import Data
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import NEVER, OFF_MAP, Game, Player, Unit


class Cauldron(Title):
    """The title: scenarios, options, and how a game is set up (17.0)."""

    id: ClassVar[str] = "cauldron"
    name: ClassVar[str] = "Gazala: The Cauldron (2nd edition)"
    sides: ClassVar[tuple[Side, Side]] = (ALLIED, AXIS)
    side_names: ClassVar[Mapping[Side, str]] = {ALLIED: "Allies", AXIS: "Axis"}
    points_of: ClassVar[Side | None] = AXIS
    scenarios: ClassVar[tuple[Scenario, ...]] = (
        Scenario(
            "scenario-one",
            "Scenario One",
            "May 27 to June 1-2, 1942: Rommel's right hook and the first week in the Cauldron.",
        ),
        Scenario(
            "campaign",
            "Campaign Game",
            "May 27 to June 13-14, 1942: the whole battle, to the end of the Gazala line.",
        ),
    )
    spends: ClassVar[tuple[str, ...]] = ("extra",)
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "strict_advance",
            "Moving on after combat only with an advance",
            "11.2",
            "Reading of an open point (R1): on, the active unit goes on only if the attack "
            "vacated a hex; off, unless it had to retreat.",
        ),
    )
    interrupts: ClassVar[tuple[Interrupt, ...]] = (
        Interrupt("chits", "Play a tactical chit when attacked", "13.1"),
    )
    goes_on: ClassVar[tuple[str, ...]] = ("resolve", "done", "end")
    places: ClassVar[tuple[str, ...]] = ("place",)
    credits: ClassVar[str] = (
        "Gazala: The Cauldron, 2nd edition. Design: Roger Miller. Map and counters of the printed "
        "game: Mark Mahaffey. Rules editing: Gary Miller. Published by Revolution Games. The "
        "combat table, most unit values, chit counts, actions and map details are reconstructed "
        "here; printed values may differ."
    )

    game: ClassVar[type[BaseGame]] = Game
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (
        sequence.Turn,
        setup.SetUp,
        minefields.MinefieldPhase,
        replacements.TankReplacements,
        initiative.Initiative,
        initiative.ActionPhases,
        orders.Pull,
        chits.AirStrike,
        orders.Orders,
        reinforcements.Arrive,
        orders.Operations,
        movement.Move,
        combat.Assault,
        combat.AttackerChits,
        combat.DefenderChits,
        aftermath.Aftermath,
        losses.StepLosses,
        losses.AntiTankLosses,
        losses.RetreatLosses,
        losses.Disruptions,
        retreat.Retreats,
        retreat.Retreat,
        stacking.Overstacked,
        advance.AdvanceAfterCombat,
    )
    actions: ClassVar[tuple[type[Action], ...]] = actions.ALL
    events: ClassVar[tuple[type[Event], ...]] = (Rolled, *events.ALL)

    def read_data(self, pack: Pack) -> Data:
        return Data(pack)

    def meanings(self) -> Mapping[str, str]:
        return sheets.meanings(self.data())

    def new(
        self, scenario: str, options: dict[str, OptionValue], dice: Dice, data: Data
    ) -> BaseGame:
        """17.0, 15.1 An empty map: units to set up, and reinforcements due on their turns."""
        file = data.scenarios[scenario].file
        return Game(
            title=self,
            data=data,
            scenario=scenario,
            options=options,
            dice=dice,
            turn=file.first_turn,
            units=[
                Unit(OFF_MAP, len(kind.steps), due=data.due.get(UnitId(at), NEVER))
                for at, kind in enumerate(data.units)
            ],
            players={AXIS: Player(), ALLIED: Player()},
            points=file.axis_points,
            laid=file.first_turn,
            stack=(sequence.Turn("setup"),),
            pending=BEGIN,
        )

    def read_position(self, text: str, data: Data, dice: Dice) -> BaseGame:
        return positions.read(self, text, data, dice)


TITLE = Cauldron()
