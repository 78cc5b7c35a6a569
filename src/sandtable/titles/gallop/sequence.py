"""VI, VII The sequence of play: fourteen game turns of two player-turns each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec import Struct

from sandtable.kernel.actions import Action, UnitId
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.steps import Step
from sandtable.titles.gallop import air, supply, victory
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import Arrive
from sandtable.titles.gallop.combat import Attacks
from sandtable.titles.gallop.flight import end_flight
from sandtable.titles.gallop.movement import Movement
from sandtable.titles.gallop.setup import Activation, SetUp
from sandtable.titles.gallop.siege import Siege, turn_up
from sandtable.titles.gallop.stacking import too_many
from sandtable.titles.gallop.state import OFF_MAP, Game
from sandtable.titles.gallop.supply import Supply
from sandtable.titles.gallop.weather import Weather


class Stage(Struct, frozen=True):
    """One box of the sequence of play."""

    name: str
    rule: str
    side: Side | None = None
    phase: str = ""


STAGES = (
    Stage("allied set-up", "V.B"),
    Stage("axis set-up", "V.A"),
    Stage("weather", "VI.A"),
    Stage("siege", "XIV.B.6"),
    Stage("axis victory", "VI.B.1", "axis", "victory"),
    Stage("axis supply", "XV.A.4", "axis", "supply"),
    Stage("axis airstrike", "VI.B.2.a", "axis", "airstrike"),
    Stage("axis movement", "VI.B.2.b", "axis", "movement"),
    Stage("axis attacks", "VI.B.2.c", "axis", "attacks"),
    Stage("axis recovery", "VI.B.3", "axis", "recovery"),
    Stage("allied victory", "VI.C.1", "allied", "victory"),
    Stage("allied arrival", "VII.B", "allied", "arrival"),
    Stage("allied activation", "V.A", "allied", "activation"),
    Stage("allied supply", "XV.A.4", "allied", "supply"),
    Stage("allied movement", "VI.C.2.a", "allied", "movement"),
    Stage("allied airstrike", "VI.C.2.b", "allied", "airstrike"),
    Stage("allied attacks", "VI.C.2.c", "allied", "attacks"),
    Stage("allied recovery", "VI.C.3", "allied", "recovery"),
)
NAMES = tuple(stage.name for stage in STAGES)
SHOWN_PHASES = ("airstrike", "movement", "attacks", "recovery")


class Turn(Step["Game"], frozen=True):
    """VI The bottom of the stack: which stage of the game turn is being played."""

    rule: ClassVar[str] = "VI"
    stage: str

    def begin(self, game: Game) -> None:
        """VI.B.2.a, VI.B.2.b, VI.B.2.c, VI.B.3, VI.C.2.a, VI.C.2.b, VI.C.2.c, VI.C.3 Enter it."""
        stage = STAGES[NAMES.index(self.stage)]
        if stage.side and stage.phase in SHOWN_PHASES:
            game.log(ev.PhaseBegan(stage.side, stage.phase, rule=stage.rule))
        match stage.phase, stage.side:
            case "victory", str(side):
                begin_player_turn(game, side)
            case "supply", str(side):
                air.roll_for_rain(game)
                supply.begin_player_turn(game, side)
                game.push(Supply(side, False))
            case "airstrike", str(side):
                game.push(air.AirPhase(side))
            case "movement", str(side):
                game.push(Movement(side))
            case "attacks", str(side):
                game.push(Attacks(side))
            case "recovery", str(side):
                game.push(Supply(side, True))
            case "arrival", _:
                game.push(Arrival())
            case "activation", _:
                game.push(Activation(game.facts.tables.turns.activations + game.losses))
            case _:
                self.before(game)

    def before(self, game: Game) -> None:
        """VI.A Set-up, weather and the garrison of Tobruk."""
        match self.stage:
            case "allied set-up":
                game.push(SetUp("allied"))
            case "axis set-up":
                game.push(SetUp("axis"))
            case "weather":
                game.log(ev.TurnBegan(game.turn, rule="VII.A"))
                game.push(Weather())
            case _:
                game.push(Siege())

    def resume(self, game: Game, result: Any) -> None:
        """Go on to the next stage, closing the player-turn that is over."""
        stage = STAGES[NAMES.index(self.stage)]
        if stage.phase == "recovery" and stage.side:
            end_player_turn(game, stage.side)
            if stage.side == "allied":
                end_game_turn(game)
                return
        game.swap(Turn(NAMES[NAMES.index(self.stage) + 1]))


def begin_player_turn(game: Game, side: Side) -> None:
    """VI.B.1, VI.C.1 Victory determination opens a player-turn."""
    game.phasing = side
    game.cache = None
    fresh_turn(game, side)
    if side == "axis":
        game.losses = 0
    game.set_held()
    victory.determine(game, side)
    if game.outcome is None:
        turn = game.step
        assert isinstance(turn, Turn)
        game.swap(Turn(NAMES[NAMES.index(turn.stage) + 1]))


def fresh_turn(game: Game, side: Side) -> None:
    """XIII.A.1, XIV.A.1 Units may move once and attack once in each game turn."""
    for unit in game.facts.of_side[side]:
        end_flight(game, unit)
        piece = game.pieces[unit]
        if piece.hex != OFF_MAP and (piece.moved or piece.attacked or piece.trucked):
            game.put(unit, moved=False, attacked=False, trucked=False)


def end_player_turn(game: Game, side: Side) -> None:
    """X.B.1, XIV.B.6 Aircraft that stayed go home; a hidden garrison turns up."""
    air.go_home(game, game.enemy(side), "X.B.1")
    if side == "axis":
        game.storm_die = 0
        turn_up(game)
    game.expire_orders()


def end_game_turn(game: Game) -> None:
    """VII.A After the last game turn the score is counted."""
    air.repair(game)
    if game.turn == game.facts.tables.turns.last:
        victory.final(game)  # by lines as long as the last player-turn's
        return
    game.storm_die = 0
    game.turn += 1
    game.phasing = "axis"
    game.set_held()
    game.swap(Turn("weather"))


def awaited(game: Game) -> list[UnitId]:
    """VII.B Reinforcements that are due and not on the map yet."""
    plan = game.facts.scenarios[game.scenario].reinforce
    return [
        game.facts.index[name]
        for name, turn in plan.items()
        if turn <= game.turn and game.pieces[game.facts.index[name]].hex == OFF_MAP
    ]


class Arrival(Step["Game"], frozen=True):
    """VII.B Reinforcements come on at an eastern supply source, or wait if all are closed."""

    rule: ClassVar[str] = "VII.B"

    def actor(self, game: Game) -> Side:
        """The Allied player."""
        return "allied"

    def prompt(self, game: Game) -> str:
        """Ask for a hex."""
        return f"{game.name(awaited(game)[0])} arrives: choose an eastern supply source."

    def begin(self, game: Game) -> None:
        """Nothing due, or nowhere to arrive."""
        if not awaited(game) or not self.actions(game):
            game.pop()

    def actions(self, game: Game) -> Sequence[Action]:
        """Sources not in enemy hands, with room (ruling R36)."""
        unit = awaited(game)[0]
        return [
            Arrive(unit, hex)
            for hex in game.eastern_sources()
            if hex not in game.axis_holds and not too_many(game, (*game.stack_at(hex), unit))
        ]

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """Only eastern sources in Allied hands will do."""
        return Refusal("VII.B", self.prompt(game))

    def apply(self, game: Game, action: Action) -> None:
        """Bring the unit on, activated (ruling R19)."""
        assert isinstance(action, Arrive)
        game.place(action.unit, action.hex, active=True)
        game.log(ev.Arrived(action.unit, action.hex, rule="VII.B"))
        game.swap(self)
