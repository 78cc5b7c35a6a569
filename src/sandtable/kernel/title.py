"""The contract of a title: one object that starts games, reads positions and names its rules."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from sandtable.kernel import codec, packs
from sandtable.kernel.actions import Action
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Event, Side
from sandtable.kernel.game import Game, OptionValue, Outcome, Over
from sandtable.kernel.rules import RuleBook, RulesFile
from sandtable.kernel.steps import Step

LONGEST_POSITION = 50_000
DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){20}""")
"""A dotted key of many parts: Python's reader of TOML takes minutes over a long one."""


class Scenario(Struct, frozen=True):
    """A way to begin a title."""

    id: str
    name: str
    text: str


class Option(Struct, frozen=True):
    """An optional rule or a choice of reading: off or on, one of some words, or a number."""

    id: str
    name: str
    rule: str
    text: str
    default: OptionValue = False
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0


class Interrupt(Struct, frozen=True):
    """A question that may come in the other side's turn, and the orders that can answer it.

    Settings that end in "-now" lapse with the impulse or activation they were given in.
    """

    id: str
    name: str
    rule: str
    settings: tuple[str, ...] = ("never", "never-now")
    suggested: str = ""
    """The setting that the question itself offers, where it would often be asked in vain."""


class Bidding(Struct, frozen=True):
    """How two players who want the same side settle it."""

    rule: str
    side: Side
    text: str
    least: int
    most: int


class Bargain(Struct, frozen=True):
    """What the bids came to: who plays which side, with which options."""

    players: dict[Side, str]
    options: dict[str, OptionValue]


class Title:
    """A board game. Subclasses fill in the attributes and four methods."""

    id: ClassVar[str]
    name: ClassVar[str]
    sides: ClassVar[tuple[Side, Side]]
    side_names: ClassVar[Mapping[Side, str]]
    scenarios: ClassVar[tuple[Scenario, ...]]
    options: ClassVar[tuple[Option, ...]] = ()
    interrupts: ClassVar[tuple[Interrupt, ...]] = ()
    bidding: ClassVar[Bidding | None] = None
    points_of: ClassVar[Side | None] = None
    """Whose points the score adds up to, the enemy's counting below zero; of neither, no par."""
    spends: ClassVar[tuple[str, ...]] = ()
    """Verbs that use up something scarce: a page asks before a single click carries one out."""
    goes_on: ClassVar[tuple[str, ...]] = ()
    """Verbs that carry on with the game, of which a page makes the one that invites."""
    places: ClassVar[tuple[str, ...]] = ()
    """Verbs that place counters before the game or as they arrive; a page can do the rest."""
    credits: ClassVar[str]
    version: ClassVar[int] = 1
    """The rules version; a fix that changes old games raises it, knowingly."""

    game: ClassVar[type[Game]]
    steps: ClassVar[tuple[type[Step[Any]], ...]]
    end: ClassVar[type[Step[Any]]] = Over
    actions: ClassVar[tuple[type[Action], ...]]
    events: ClassVar[tuple[type[Event], ...]]

    def __init__(self) -> None:
        self._data: dict[str, Any] = {}

    # What a title writes.

    def read_data(self, pack: packs.Pack) -> packs.Data:
        """Load and check a data pack."""
        raise NotImplementedError

    def new(self, scenario: str, options: dict[str, OptionValue], dice: Dice, data: Any) -> Game:
        """A game set up for its first decision, not yet settled."""
        raise NotImplementedError

    def read_position(self, text: str, data: Any, dice: Dice) -> Game:
        """The game that a TOML position describes, not yet settled."""
        raise NotImplementedError

    def settle_bids(self, bids: Mapping[str, int], seed: str) -> Bargain:
        """Who plays which side after secret bids by player name; for titles with `bidding`."""
        raise BadMessage(f"{self.id} has no bids for sides; choose sides freely")

    # What everybody uses.

    def start(
        self,
        scenario: str = "",
        options: Mapping[str, OptionValue] | None = None,
        seed: str | None = None,
        *,
        words: Sequence[str] = (),
        scripted: Sequence[int] | None = None,
        data: str | Path | None = None,
    ) -> Game:
        """A new game. Without a seed it gets 32 random bytes; `scripted` lists faces for tests."""
        chosen = scenario or self.scenarios[0].id
        if chosen not in {each.id for each in self.scenarios}:
            known = ", ".join(each.id for each in self.scenarios)
            raise BadMessage(f"{self.id} has no scenario {chosen!r}; use {known}")
        dice = self._dice(seed, words, scripted)
        facts, options = self.data(data), self.check_options(options or {})
        try:
            game = self.new(chosen, options, dice, facts)
            game.settle()
        except BadMessage:
            raise
        except Exception as error:
            if data is None:
                raise
            raise BadMessage(
                f"{data}: {chosen} cannot be set up ({type(error).__name__}: {error}); "
                "take back what was edited, part by part"
            ) from error
        game.events = []
        return game

    def position(
        self,
        text: str,
        *,
        seed: str | None = None,
        words: Sequence[str] = (),
        scripted: Sequence[int] | None = None,
        data: str | Path | None = None,
    ) -> Game:
        """Any position, from TOML; `docs/titles/<id>.md` has the shape."""
        dice, facts = self._dice(seed, words, scripted), self.data(data)
        if len(text) > LONGEST_POSITION or DEEP_KEY.search(text):
            raise BadMessage(
                f"the position is longer than {LONGEST_POSITION} characters or has keys of more "
                "than 20 parts; shorten it"
            )
        if any(len(row.splitlines()) > 1 for row in text.split("\n")):
            # A record holds the position line by line, and must read back the same.
            raise BadMessage("position: a text holds a line end such as U+2028; leave it out")
        try:
            game = self.read_position(text, facts, dice)
            self._check_orders(game.orders)
            game.settle()
            if game.outcome:
                self._check_outcome(game.outcome)
            game.events = []
            self._try_out(game)
        except RecursionError:
            raise BadMessage("the position is nested too deeply; see docs/positions.md") from None
        except msgspec.MsgspecError as error:
            raise BadMessage(f"position: {error}; see docs/titles/{self.id}.md") from None
        except BadMessage:
            raise
        except Exception as error:
            raise BadMessage(
                f"position: its steps do not fit the rest ({type(error).__name__}: {error}); "
                f"correct one or the other, see docs/titles/{self.id}.md"
            ) from error
        return game

    def _check_orders(self, orders: Mapping[str, str]) -> None:
        known = {
            f"{side} {each.id}": each.settings for side in self.sides for each in self.interrupts
        }
        for name, setting in orders.items():
            if setting not in known.get(name, ()):
                raise BadMessage(
                    f"position: no standing order is {name!r} = {setting!r}; write SIDE INTERRUPT "
                    f"with one of its settings, see docs/titles/{self.id}.md"
                )

    def _check_outcome(self, outcome: Outcome) -> None:
        numbers = {outcome.rule, *(line.rule for line in outcome.score)}
        possible = all(each in self.rules for each in numbers)
        if outcome.winner not in (*self.sides, None) or not possible:
            raise BadMessage("position: no game ends so; use what position_text wrote")

    def _try_out(self, game: Game) -> None:
        """What every host asks of a game must have an answer, or a position is worth nothing."""
        game.actions()
        for side in (None, *self.sides):
            game.view(side)
        game.position_text()
        game.digest()

    def load(self, raw: bytes, data: str | Path | None = None) -> Game:
        """A game from the state that `codec.dump` wrote."""
        return codec.load(self, raw, self.data(data))

    def data(self, where: str | Path | None = None) -> Any:
        """The printed facts, built in or from an edited pack; each pack is made sense of once."""
        if where is None:
            if "" not in self._data:
                self._data[""] = self.read_data(packs.built_in(self.package))
            return self._data[""]
        pack, own = packs.folder(Path(where)), packs.built_in(self.package)
        if pack.digest not in self._data:
            for name in sorted(pack.files.keys() - own.files.keys()):
                raise pack.wrong(name, f"{self.id} has no such file; remove it or correct its name")
            self._data[pack.digest] = self.read_data(pack)
        return self._data[pack.digest]

    @property
    def package(self) -> str:
        """The Python package that holds the title's rules and data."""
        return f"sandtable.titles.{self.id}"

    @cached_property
    def rules(self) -> RuleBook:
        """Every numbered rule with its heading and our own words."""
        text = resources.files(self.package).joinpath("rules.toml").read_text(encoding="utf-8")
        return RuleBook(msgspec.toml.decode(text, type=RulesFile).rule)

    @cached_property
    def action_rules(self) -> dict[str, str]:
        """The rule that allows each verb: the first word of what its action says of itself."""
        found: dict[str, str] = {}
        known = {rule.number for rule in self.rules}
        for action in self.actions:
            number = (action.__doc__ or "").partition(" ")[0].rstrip(",")
            if number in known:
                found.setdefault(action.verb, number)
        return found

    def meanings(self) -> Mapping[str, str]:
        """What the short results of the title's tables mean, in words."""
        return {}

    def other(self, side: Side) -> Side:
        """The enemy of a side."""
        first, second = self.sides
        return second if side == first else first

    def check_options(self, given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        """All options with their values; refuses unknown names and values."""
        known = {each.id: each for each in self.options}
        for name in given:
            if name not in known:
                names = ", ".join(known) or "none exist"
                raise BadMessage(f"{self.id} has no option {name!r}; use {names}")
        return {
            each.id: _option_value(self.id, each, given.get(each.id, each.default))
            for each in self.options
        }

    def _dice(self, seed: str | None, words: Sequence[str], scripted: Sequence[int] | None) -> Dice:
        for word in (*words, *([] if seed is None else [seed])):
            # The record holds them as lines that must read back unchanged.
            if len(word) > 200 or word != word.strip() or len(word.splitlines()) > 1:
                raise BadMessage(
                    "a seed, and words added to it, are single lines of at most 200 characters "
                    "without spaces at either end"
                )
        script = None if scripted is None else tuple(scripted)
        return Dice(secrets.token_hex(32) if seed is None else seed, tuple(words), script=script)


def _option_value(title: str, option: Option, value: OptionValue) -> OptionValue:
    where = f"{option.name} (option {option.id} of {title})"
    if option.choices:
        if value not in option.choices:
            raise BadMessage(f"{where} cannot be {value!r}; use {', '.join(option.choices)}")
    elif isinstance(option.default, bool):
        if not isinstance(value, bool):
            raise BadMessage(f"{where} cannot be {value!r}; use true or false")
    elif isinstance(value, bool) or not isinstance(value, int):
        raise BadMessage(f"{where} cannot be {value!r}; use a whole number")
    elif not option.least <= value <= option.most:
        raise BadMessage(f"{where} cannot be {value}; use {option.least} to {option.most}")
    return value
