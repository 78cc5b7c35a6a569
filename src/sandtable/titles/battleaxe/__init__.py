"""Operation Battleaxe: Wavell vs. Rommel, 1941. Three days on the Egyptian frontier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Event, Rolled, Side
from sandtable.kernel.game import Game as BaseGame
from sandtable.kernel.game import OptionValue
from sandtable.kernel.packs import Pack
from sandtable.kernel.steps import Step
from sandtable.kernel.title import Bargain, Bidding, Interrupt, Option, Scenario, Title
from sandtable.titles.battleaxe import (
    actions,
    combat,
    events,
    impulses,
    losses,
    movement,
    overruns,
    position,
    refit,
    retreats,
)
from sandtable.titles.battleaxe.data import SIDES, Data
from sandtable.titles.battleaxe.state import ABSENT, Game, Unit


class Battleaxe(Title):
    """The title: what may be chosen at the start, and how a game is set up (5.0)."""

    id: ClassVar[str] = "battleaxe"
    name: ClassVar[str] = "Operation Battleaxe: Wavell vs. Rommel, 1941"
    sides: ClassVar[tuple[Side, Side]] = ("allied", "axis")
    side_names: ClassVar[Mapping[Side, str]] = {"allied": "Allies", "axis": "Axis"}
    points_of: ClassVar[Side | None] = "allied"
    scenarios: ClassVar[tuple[Scenario, ...]] = (
        Scenario(
            "june",
            "June 15-17, 1941",
            "Wavell's tanks against the frontier strongpoints, to raise the siege of Tobruk.",
        ),
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "bid",
            "Victory Points needed",
            "18.1",
            "The winning bid for the Allied side: the points an Operational Victory takes.",
            default=10,
            least=0,
            most=60,
        ),
        Option(
            "historical_setup",
            "Historical set-up",
            "5.2.1",
            "11H starts in Zone D and CIH in Zone B instead of where the Allied player likes.",
        ),
        Option(
            "advantage_uses",
            "More uses of the Advantage",
            "19.1",
            "Tiger Cubs for the Allies, Wireless Intercepts for the Axis.",
        ),
        Option(
            "luftwaffe",
            "Greater Luftwaffe Intervention",
            "19.2",
            "The Axis has Air Support from Turn 2; Allied air rolls get +1.",
        ),
        Option(
            "consolidated_4rtr",
            "Consolidated 4th RTR",
            "19.3",
            "One strong 4RTR instead of 4RTR(-) and its two squadrons.",
        ),
        Option(
            "reserves",
            "Allied Reserves",
            "19.4",
            "One unit in Zone A and one in Zone H refit for free each Refit Phase.",
        ),
        Option(
            "italian_reliability",
            "Italian Infantry Reliability",
            "19.5",
            "Allied armour gets +2 against Italian infantry, which does not help combined arms.",
        ),
        Option(
            "tobruk_bonus",
            "Tobruk Bonus VP",
            "19.6",
            "One Victory Point, once, for more Allied than Axis units in Tobruk.",
        ),
        Option(
            "extended",
            "Extended Game",
            "20.1",
            "A close score on June 17 plays June 18 for the road to Tobruk.",
        ),
        Option(
            "reduced_lead_dies",
            "A reduced lead attacker is lost on a Success",
            "11.4.4",
            "Reading of a silent point: off, a lead that is already reduced loses nothing more.",
        ),
        Option(
            "tanks_only",
            "Recovery and losses count tanks only",
            "13.3.5",
            "Reading of a silent point: armoured cars are not armour for 13.3.5, 17.2 and 19.1G.",
        ),
    )
    interrupts: ClassVar[tuple[Interrupt, ...]] = (
        Interrupt("fuel-shortage", "Declare an Axis Fuel Shortage", "12.1D"),
        Interrupt("lead", "Name the Lead Defending Unit", "11.4.3A", ("strongest",)),
        Interrupt("artillery", "Defender's Artillery Call", "10.2.1", ("always", "never")),
        Interrupt(
            "fanatical-defense",
            "Fanatical Defence",
            "12.1A",
            ("never", "never-now", "from-3-ap"),
        ),
        Interrupt("withdraw", "Withdraw after combat", "11.6.3"),
        Interrupt("prolonged-daylight", "Prolonged Daylight", "12.1C"),
    )
    bidding: ClassVar[Bidding | None] = Bidding(
        "18.1",
        "allied",
        "Bid the Victory Points you would need to win as the Allies; the higher bid plays them.",
        least=0,
        most=60,
    )
    goes_on: ClassVar[tuple[str, ...]] = ("begin", "resolve", "end", "end-refit")
    places: ClassVar[tuple[str, ...]] = ("setup",)
    credits: ClassVar[str] = (
        "Operation Battleaxe: Wavell vs. Rommel, 1941. Design: Michael Rinella. Development: Roger "
        "Miller. Graphics of the printed game: Charles Kibler. Published by Revolution Games, 2013 "
        "(copyright Michael Rinella). Combat Values, Movement Factors, terrain modifiers, "
        "boundaries and three garrison units are reconstructed here; printed values may differ."
    )

    game: ClassVar[type[BaseGame]] = Game
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (
        impulses.FreeSetUp,
        impulses.Maneuvers,
        impulses.Impulse,
        impulses.Regroup,
        impulses.WirelessIntercept,
        impulses.ChooseAssault,
        impulses.FuelShortage,
        impulses.EndOfImpulse,
        movement.Assault,
        combat.Muster,
        combat.LeadDefender,
        combat.AirSupport,
        combat.RommelLeads,
        combat.AttackerGuns,
        combat.DefenderGuns,
        combat.RollDice,
        combat.MaximumAttack,
        combat.FanaticalDefense,
        losses.Attrition,
        losses.Aftermath,
        overruns.Overrun,
        retreats.Retreat,
        retreats.Repulsed,
        refit.RefitPhase,
        refit.BattlefieldRecovery,
    )
    actions: ClassVar[tuple[type[Action], ...]] = (
        actions.SetUp,
        actions.DeclareAssault,
        actions.Activate,
        actions.Move,
        actions.Attack,
        actions.Join,
        actions.Begin,
        actions.EndImpulse,
        actions.DeclareRegroup,
        actions.Shift,
        actions.Consolidate,
        actions.Pass,
        actions.LeadDefense,
        actions.UseAir,
        actions.UseRommel,
        actions.CallArtillery,
        actions.Resolve,
        actions.SpendAdvantage,
        actions.Absorb,
        actions.RetreatTo,
        actions.Withdraw,
        actions.Stand,
        actions.Advance,
        actions.Refit,
        actions.Rebuild,
        actions.ExtraReplacement,
        actions.TigerCubs,
        actions.Reserves,
        actions.Recover,
        actions.EndRefit,
        actions.DeclareFuelShortage,
        actions.DeclareRommel,
        actions.Intercept,
    )
    events: ClassVar[tuple[type[Event], ...]] = (
        Rolled,
        events.SetUpIn,
        events.TurnBegan,
        events.ImpulseBegan,
        events.Declared,
        events.Moved,
        events.ControlChanged,
        events.Released,
        events.AttackDeclared,
        events.LeadNamed,
        events.SupportGiven,
        events.Totals,
        events.AdvantageSpent,
        events.AdvantageShifted,
        events.Reduced,
        events.Eliminated,
        events.Restored,
        events.Rebuilt,
        events.Retreated,
        events.FuelChanged,
        events.SunsetRead,
        events.OutOfSupply,
        events.SurrenderChecked,
        events.Scored,
        events.GameEnded,
    )

    def read_data(self, pack: Pack) -> Data:
        return Data(pack)

    def new(
        self, scenario: str, options: dict[str, OptionValue], dice: Dice, data: Data
    ) -> BaseGame:
        """5.0, 5.1, 5.2, 5.2.2, 19.3 Markers and units in place, free units still to come."""
        game = Game(
            title=self,
            data=data,
            scenario=scenario,
            options=options,
            dice=dice,
            units=[Unit(ABSENT) for _ in data.unit_facts],
            allied_held=sum(
                1 << at for at, space in enumerate(data.spaces) if space.control == SIDES[0]
            ),
            artillery=(data.tables.allied_artillery, data.tables.axis_artillery),
        )
        regiment = data.scenario.consolidated_4rtr
        away = set(regiment.remove) if options["consolidated_4rtr"] else set()
        for group in data.scenario.setup:
            for name in group.units:
                if name not in away:
                    game.units[data.unit(name)] = Unit(data.space(group.space))
        waiting: list[tuple[UnitId, tuple[Space, ...]]] = []
        for free in data.scenario.free:
            for name, historical in zip(free.units, free.historical, strict=True):
                spaces = (historical,) if options["historical_setup"] else free.spaces
                waiting.append((data.unit(name), tuple(data.space(each) for each in spaces)))
        if options["consolidated_4rtr"]:
            spaces = regiment.spaces
            waiting.append((data.unit(regiment.add), tuple(data.space(each) for each in spaces)))
        game.derive()
        game.stack = (impulses.FreeSetUp(tuple(waiting)),)
        return game

    def settle_bids(self, bids: Mapping[str, int], seed: str) -> Bargain:
        """18.1 The higher bid commands the Allies and must reach it; dice decide between equals."""
        assert self.bidding is not None
        if len(bids) != 2 or any(
            not self.bidding.least <= bid <= self.bidding.most for bid in bids.values()
        ):
            raise BadMessage(f"two players bid 0 to {self.bidding.most} points each [18.1]")
        first, second = sorted(bids)
        if bids[first] == bids[second]:
            (face,), _ = Dice(seed).draw("equal bids", "", (2,))
            allied = (first, second)[face - 1]
        else:
            allied = max(bids, key=lambda name: bids[name])
        axis = second if allied == first else first
        return Bargain({"allied": allied, "axis": axis}, {"bid": bids[allied]})

    def read_position(self, text: str, data: Data, dice: Dice) -> BaseGame:
        return position.read(self, text, data, dice)


TITLE = Battleaxe()
