"""The Gazala Gallop: divisions and brigades at Gazala and Tobruk, May and June 1942."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sandtable.kernel.actions import Action, Space
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import Event, Side
from sandtable.kernel.game import BEGIN, OptionValue
from sandtable.kernel.game import Game as KernelGame
from sandtable.kernel.packs import Pack
from sandtable.kernel.steps import Step
from sandtable.kernel.title import Interrupt, Option, Scenario, Title
from sandtable.titles.gallop import position
from sandtable.titles.gallop.actions import ACTIONS
from sandtable.titles.gallop.air import AirPhase, Interception, Mission, Station
from sandtable.titles.gallop.battle import Battle, NoRetreat
from sandtable.titles.gallop.combat import Assault, Attacks
from sandtable.titles.gallop.data import Data
from sandtable.titles.gallop.disruption import Forced
from sandtable.titles.gallop.events import EVENTS
from sandtable.titles.gallop.movement import Movement
from sandtable.titles.gallop.retreat import FallBack, Rout
from sandtable.titles.gallop.sequence import Arrival, Turn
from sandtable.titles.gallop.setup import Activation, SetUp
from sandtable.titles.gallop.sheets import MEANINGS
from sandtable.titles.gallop.siege import Siege
from sandtable.titles.gallop.stacking import Overstacked
from sandtable.titles.gallop.state import Game, Piece
from sandtable.titles.gallop.supply import Supply
from sandtable.titles.gallop.weather import Weather


class Gallop(Title):
    """The Gazala Gallop, basic game."""

    id: ClassVar[str] = "gallop"
    name: ClassVar[str] = "The Gazala Gallop"
    sides: ClassVar[tuple[Side, Side]] = ("axis", "allied")
    side_names: ClassVar[Mapping[Side, str]] = {"axis": "Axis", "allied": "Allies"}
    points_of: ClassVar[Side | None] = "axis"
    scenarios: ClassVar[tuple[Scenario, ...]] = (
        Scenario(
            "historical",
            "May-June 1942",
            "The Allies stand where they stood and wake two units a turn; Rommel's mobile "
            "divisions start where he likes.",
        ),
        Scenario(
            "nonhistorical",
            "Free set-up",
            "Both sides deploy as they like, the Allies face down with two dummies; the margin "
            "counts half for them and double for the Axis.",
        ),
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "flak_gruppe",
            "Use the Flak Gruppe",
            "XV.A.3",
            "The Axis has its Flak Gruppe, which the rules call optional.",
            default=True,
        ),
        Option(
            "fourth_source",
            "Fourth eastern supply source",
            "IV.B.3",
            "E18 on the coast road is an Allied supply source: the rules count four, name three.",
            default=True,
        ),
    )
    interrupts: ClassVar[tuple[Interrupt, ...]] = (
        Interrupt(
            "interception",
            "Intercept enemy air missions",
            "X.B.3",
            ("never", "never-now", "always"),
        ),
        Interrupt(
            "no-retreat", "Give NO RETREAT orders", "XIV.B.5", ("never", "never-now", "always")
        ),
        Interrupt("pursuit", "Length of enemy retreats", "XIV.D.1", ("most", "none")),
        Interrupt("withdrawal", "Retreat further than demanded", "XIV.D.1"),
        Interrupt("siege", "Redeploy the garrison of Tobruk", "XIV.B.6"),
    )
    goes_on: ClassVar[tuple[str, ...]] = ("resolve",)
    places: ClassVar[tuple[str, ...]] = ("place", "post")
    credits: ClassVar[str] = (
        "The Gazala Gallop was designed by Louis R. Coatney, who keeps all rights in it. "
        "Rule texts here are our own words; the map and the factors of the units are our "
        "reconstruction, and printed values may differ."
    )
    game: ClassVar[type[KernelGame]] = Game
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (
        Turn,
        SetUp,
        Weather,
        Siege,
        Supply,
        AirPhase,
        Mission,
        Interception,
        Station,
        Movement,
        Overstacked,
        Attacks,
        Assault,
        NoRetreat,
        Battle,
        Rout,
        FallBack,
        Forced,
        Arrival,
        Activation,
    )
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS

    def read_data(self, pack: Pack) -> Data:
        """Load and check a data pack."""
        return Data(pack)

    def meanings(self) -> Mapping[str, str]:
        """What the results of the combat and air tables mean."""
        return MEANINGS

    def new(
        self, scenario: str, options: dict[str, OptionValue], dice: Dice, data: Data
    ) -> KernelGame:
        """V.A, V.B Units on their printed hexes; the rest wait to be set up."""
        plan = data.scenarios[scenario]
        pieces = [Piece() for _ in data.unit_ids]
        game = Game(
            title=self, data=data, scenario=scenario, options=options, dice=dice, pieces=pieces
        )
        for name, hex in plan.place.items():
            if name == "Flak" and not options["flak_gruppe"]:
                continue
            unit = data.index[name]
            asleep = data.counters[unit].side == "allied"
            game.place(unit, Space(data.board.at(hex)), active=not asleep)
        game.axis_holds = position.at_start(data)
        game.stack = (Turn("allied set-up" if plan.free_allied_setup else "axis set-up"),)
        game.pending = BEGIN
        return game

    def read_position(self, text: str, data: Data, dice: Dice) -> KernelGame:
        """The game that a TOML position describes."""
        return position.read(self, text, data, dice)


TITLE = Gallop()
