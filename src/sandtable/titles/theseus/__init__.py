"""Operation Theseus: Gazala 1942."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sandtable.kernel import packs
from sandtable.kernel.actions import Action
from sandtable.kernel.dice import Dice
from sandtable.kernel.events import Event, Side
from sandtable.kernel.game import Game as KernelGame
from sandtable.kernel.game import OptionValue
from sandtable.kernel.steps import Step
from sandtable.kernel.title import Interrupt, Option, Scenario, Title
from sandtable.titles.theseus.acting import Acting, RefitAttempt
from sandtable.titles.theseus.actions import ACTIONS
from sandtable.titles.theseus.activation import FormationActivation, UnitActivation
from sandtable.titles.theseus.challenges import Challenges
from sandtable.titles.theseus.choices import AirSupport, ArmourChoice, Escalation, LeadChoice
from sandtable.titles.theseus.combat import Combat, FormAttack
from sandtable.titles.theseus.effectiveness import Checks
from sandtable.titles.theseus.events import EVENTS
from sandtable.titles.theseus.facts import Data
from sandtable.titles.theseus.minefields import BreachAttempt, MinefieldChecks
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.organisation import Organisation
from sandtable.titles.theseus.positions import read, set_up
from sandtable.titles.theseus.reaction import Reaction, ReactionOffer
from sandtable.titles.theseus.recovery import Attrition, Recovery
from sandtable.titles.theseus.reinforcements import Reinforcements
from sandtable.titles.theseus.replacements import PanzerReplacements, Replacements
from sandtable.titles.theseus.results import Hits
from sandtable.titles.theseus.retreat import Retreat
from sandtable.titles.theseus.schema import AXIS, SIDES
from sandtable.titles.theseus.sequence import (
    EndOfTurn,
    Initiative,
    InitiativeRoll,
    Operations,
    Solitaire,
)
from sandtable.titles.theseus.sheets import meanings
from sandtable.titles.theseus.snafu import Roll
from sandtable.titles.theseus.stacking import Displacements, HqDisplacement, Overstack
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.withdrawal import RetreatBefore

NEVER = ("never", "never-now")


class Theseus(Title):
    """1 Formations, action points and reaction on the Gazala line, May and June 1942."""

    id: ClassVar[str] = "theseus"
    name: ClassVar[str] = "Operation Theseus: Gazala 1942"
    sides: ClassVar[tuple[Side, Side]] = SIDES
    side_names: ClassVar[Mapping[Side, str]] = {"axis": "Axis", "commonwealth": "Commonwealth"}
    points_of: ClassVar[Side | None] = "axis"
    scenarios: ClassVar[tuple[Scenario, ...]] = (
        Scenario("campaign", "The Gazala Battles", "Eight turns, 27 May to 21 June 1942 (10.3)."),
        Scenario("opening", "The Opening Phase", "The first four turns (10.2)."),
        Scenario(
            "bir-hacheim",
            "Assault on Bir Hacheim",
            "Solitaire: the Ariete Division against the Free French (10.1).",
        ),
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "linear_chits",
            "Linear combat chits",
            "7.5.1.2",
            "Replace seven chits so that multipliers rise evenly with Effectiveness.",
        ),
        Option(
            "roster",
            "Roster sheets",
            "8",
            "Losses are announced by number only; which unit took them stays hidden.",
        ),
        Option(
            "at_points_help_defender",
            "Anti-Tank Points can win superiority",
            "7.5.1.5.C",
            "As in the worked example: a defender's Anti-Tank Points give a negative DRM.",
        ),
        Option(
            "level_2_patterned",
            "Even Action Points at level 2",
            "6.3.1",
            "Level 2 follows the pattern of the other levels instead of repeating level 1.",
        ),
    )
    interrupts: ClassVar[tuple[Interrupt, ...]] = (
        Interrupt(
            "reaction",
            "Reaction to movement",
            "6.5.1",
            (*NEVER, "entering-only", "leaving-only", "level-4-up"),
        ),
        Interrupt(
            "snafu",
            "Re-rolls with SNAFU",
            "5.2",
            ("when-it-can-hurt", *NEVER, "combat-only"),
            "when-it-can-hurt",
        ),
        Interrupt(
            "withdraw",
            "Retreat before Combat",
            "7.5.1.1",
            (*NEVER, "always", "even-odds", "always-home", "even-odds-home"),
        ),
        Interrupt("challenge", "Challenging assignments", "5.5.2", (*NEVER, "always")),
        Interrupt("defence", "Lead formation and armour in defence", "7.5.1.5.C", ("best",)),
        Interrupt("losses", "Hits and retreats", "7.5.2", ("even", "hold")),
        Interrupt("bonus", "Bonus points won in defence", "7.5.3", NEVER),
        Interrupt("displacement", "Displacing HQs and crowded units", "5.3.2", ("first",)),
    )
    goes_on: ClassVar[tuple[str, ...]] = ("assault", "end", "done")
    credits: ClassVar[str] = (
        "Operation Theseus: Gazala 1942 was designed by Dirk Blennemann, developed by P. Gebhardt, "
        "with graphics by P. Bazerque, and published by VUCA Simulations in 2021. This is an "
        "independent implementation of its rules. Map, set-up, most unit values and part of the "
        "tables are reconstructed; the printed ones may differ."
    )
    game: ClassVar[type[KernelGame]] = Game
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (
        Operations,
        InitiativeRoll,
        Initiative,
        FormationActivation,
        UnitActivation,
        Acting,
        RefitAttempt,
        Movement,
        MinefieldChecks,
        BreachAttempt,
        ReactionOffer,
        Reaction,
        FormAttack,
        Combat,
        Challenges,
        RetreatBefore,
        Escalation,
        AirSupport,
        LeadChoice,
        ArmourChoice,
        Hits,
        Retreat,
        Overstack,
        Displacements,
        HqDisplacement,
        Checks,
        Roll,
        EndOfTurn,
        Recovery,
        Attrition,
        Organisation,
        PanzerReplacements,
        Replacements,
        Reinforcements,
        Solitaire,
    )
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS

    def read_data(self, pack: packs.Pack) -> Data:
        return Data(pack)

    def meanings(self) -> Mapping[str, str]:
        return meanings(self.data())

    def new(
        self, scenario: str, options: dict[str, OptionValue], dice: Dice, data: Any
    ) -> KernelGame:
        game = set_up(self, scenario, options, dice, data)
        if game.script.solo >= 0:
            game.stack = (Solitaire(),)
        else:
            game.stack = (Operations(first=True), Organisation(AXIS, setup=True))
        game.pending = 1
        return game

    def read_position(self, text: str, data: Any, dice: Dice) -> KernelGame:
        return read(self, text, data, dice)


TITLE = Theseus()
