"""VIII Weather: two numbers picked by the British player, and the Axis player's die."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from sandtable.kernel.actions import Action
from sandtable.kernel.errors import Refusal
from sandtable.kernel.events import Side
from sandtable.kernel.odds import Chance, Modifier, Odds
from sandtable.kernel.steps import Step
from sandtable.titles.gallop import air
from sandtable.titles.gallop import events as ev
from sandtable.titles.gallop.actions import PickWeather
from sandtable.titles.gallop.state import Game

FACES = range(1, 7)
CALM: Sequence[Action] = tuple(PickWeather(s, r) for s in FACES for r in FACES if s != r)


class Weather(Step["Game"], frozen=True):
    """VIII From the second turn on, the Allied player picks two numbers and the Axis rolls."""

    rule: ClassVar[str] = "VIII"

    def actor(self, game: Game) -> Side:
        """The British player picks."""
        return "allied"

    def prompt(self, game: Game) -> str:
        """Ask for two numbers."""
        return "Pick a number for the sandstorm and another for the rainstorm."

    def begin(self, game: Game) -> None:
        """VIII The first turn has fair weather."""
        if game.turn == 1:
            set_weather(game, "clear")
            game.pop()

    def actions(self, game: Game) -> Sequence[Action]:
        """Two different numbers (ruling R37)."""
        return CALM

    def refusal(self, game: Game, action: Action) -> Refusal | None:
        """The numbers are two different faces of a die."""
        return Refusal("VIII", "Pick two different numbers from 1 to 6.")

    def apply(self, game: Game, action: Action) -> None:
        """VIII.A, VIII.B Roll, and roll again if one of the numbers came up."""
        assert isinstance(action, PickWeather)
        game.log(ev.NumbersPicked(action.sandstorm, action.rainstorm, rule="VIII"))
        (face,) = game.roll("weather", "axis", "VIII")
        found = "clear"
        if face == action.sandstorm:
            (again,) = game.roll("sandstorm", "axis", "VIII.A")
            found = "sandstorm" if again >= 4 else "clear"
        elif face == action.rainstorm:
            (again,) = game.roll("rainstorm", "axis", "VIII.B")
            found = "rainstorm" if again == face else "clear"
        game.conclude(found)
        set_weather(game, found)
        game.pop()

    def odds(self, game: Game, action: Action) -> Odds | None:
        """One turn in twelve is a sandstorm, one in thirty-six a rainstorm."""
        assert isinstance(action, PickWeather)
        sand, rain = action.sandstorm, action.rainstorm
        calm = next(face for face in FACES if face not in (sand, rain))
        return Odds(
            (
                Modifier("sandstorm number", sand, "VIII.A"),
                Modifier("rainstorm number", rain, "VIII.B"),
            ),
            (
                Chance("sandstorm", Fraction(1, 12), (sand, 4)),
                Chance("rainstorm", Fraction(1, 36), (rain, rain)),
                Chance("clear", Fraction(32, 36), (calm,)),
            ),
        )


def set_weather(game: Game, weather: str) -> None:
    """VIII.A.1 The weather of this game turn; a sandstorm sends aircraft home."""
    game.weather = weather
    game.cache = None
    if game.turn > 1:
        number = {"sandstorm": "VIII.A", "rainstorm": "VIII.B"}.get(weather, "VIII")
        game.log(ev.WeatherCame(weather, rule=number))
    if weather == "sandstorm":
        for side in ("axis", "allied"):
            air.go_home(game, side, "VIII.A.1")
