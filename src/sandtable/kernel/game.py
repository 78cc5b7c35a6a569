"""A game in progress: plain typed state, and the contract everything outside a title relies on."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, final

from msgspec import Struct, field
from msgspec.structs import replace

from sandtable.kernel import codec
from sandtable.kernel.actions import Action, Space, UnitId, mentions, parse, plain, text_of
from sandtable.kernel.dice import Dice
from sandtable.kernel.errors import BadMessage, Refusal, Refused
from sandtable.kernel.events import Event, March, Rolled, Side
from sandtable.kernel.odds import Chance, Odds
from sandtable.kernel.sheets import Leg, Sheet
from sandtable.kernel.steps import Step
from sandtable.kernel.views import View

if TYPE_CHECKING:
    from sandtable.kernel.title import Title

Self = TypeVar("Self", bound="Game")
OptionValue = bool | int | str

NOTHING, BEGIN, RESUME = 0, 1, 2


class ScoreLine(Struct, frozen=True):
    """One line of a score: what counted, how much, and by which rule."""

    text: str
    value: int
    rule: str


class Outcome(Struct, frozen=True):
    """How a game ended; `winner` is None for a draw."""

    winner: Side | None
    level: str
    text: str
    rule: str
    score: tuple[ScoreLine, ...] = ()


class Over(Step["Game"], frozen=True):
    """The end of a game, as a point of the sequence of play at which a position is written."""

    rule: ClassVar[str] = ""
    outcome: Outcome


class Rung(Struct, frozen=True):
    """One level of victory: the score that earns it, its name, and whose it is."""

    score: str
    name: str
    winner: Side | None


class Game(Struct, kw_only=True):
    """The kernel's part of a game; each title adds its pieces and tracks.

    A title names its mutable fields in `mutable`, so that a copy shares nothing that changes.
    """

    title: Title
    data: Any
    scenario: str
    options: dict[str, OptionValue]
    dice: Dice
    stack: tuple[Any, ...] = ()
    outcome: Outcome | None = None
    orders: dict[str, str] = field(default_factory=dict)
    """Standing orders, by "side interrupt"."""

    sampled: bool = False
    events: list[Event] = field(default_factory=list)
    legal: Sequence[Action] | None = None
    pending: int = NOTHING
    result: Any = None
    memory: dict[Any, Any] = field(default_factory=dict)
    """What opponents worked out, shared with copies of a sample but never with another one."""

    mutable: ClassVar[tuple[str, ...]] = ()
    transient: ClassVar[frozenset[str]] = frozenset(
        ["title", "data", "sampled", "events", "legal", "pending", "result", "memory"]
    )

    # The contract: what everything outside a title uses.

    @property
    def actor(self) -> Side | None:
        """The side that decides now, or None at the end."""
        return None if self.outcome else self.step.actor(self)

    @property
    def prompt(self) -> str:
        """One sentence: what to do now."""
        return self.outcome.text if self.outcome else self.step.prompt(self)

    @property
    def caution(self) -> str:
        """What the side to act would lose by going on as things stand; empty if nothing."""
        return "" if self.outcome else self.step.caution(self)

    @property
    def rule(self) -> str:
        """The rule number that goes with the prompt."""
        return self.outcome.rule if self.outcome else self.step.rule

    def actions(self) -> Sequence[Action]:
        """Every legal action."""
        if self.legal is None:
            self.legal = () if self.outcome else self.step.actions(self)
        return self.legal

    def why_not(self, action: Action) -> Refusal | None:
        """None if the action is legal, otherwise the rule it breaks and a sentence."""
        if self.outcome:
            return Refusal(self.outcome.rule, "The game is over.")
        if action in self.actions():
            return None
        found = self.step.refusal(self, action)
        return found or Refusal(
            self.step.rule, f"'{self.text(action)}' is not possible now. {self.prompt}"
        )

    def play(self, action: Action, *, outcome: Chance | None = None) -> list[Event]:
        """Carry out a legal action and everything that follows without a choice.

        On copies made by `resample`, and only there, `outcome` chooses how the dice fall.
        """
        refusal = self.why_not(action)
        if refusal:
            raise Refused(refusal)
        if outcome is not None and not self.sampled:
            raise BadMessage("outcomes can be chosen only on copies made by resample()")
        scripted = outcome is not None or self.dice.script is not None
        before = self.copy() if scripted else None
        if outcome is not None and outcome.faces:
            self.dice = self.dice.scripted(outcome.faces)
        self.events = []
        try:
            self.legal = None
            self.step.apply(self, action)
            self.settle()
        except BadMessage:
            # Only scripted faces can be wrong: too few, or not on the die.
            if before is not None:
                self.become(before)
            raise
        return self.events

    def view(self, side: Side | None) -> View:
        """What a side may see; None is a spectator."""
        raise NotImplementedError

    def views(self, sides: Sequence[Side | None]) -> list[View]:
        """What each of these sides may see; a title overrides it to share what is the same."""
        return [self.view(side) for side in sides]

    def ladder(self) -> Sequence[Rung]:
        """The levels of victory by score, from the worst total to the best."""
        return ()

    def odds(self, action: Action) -> Odds | None:
        """The exact distribution of a legal action's dice, or None if it rolls none."""
        if self.outcome or action not in self.actions():
            return None
        found: Odds | None = self.step.odds(self, action)
        return found

    def sheet(self, action: Action) -> Sheet | None:
        """The combat that a legal action's odds are of, laid out; None if it is no combat."""
        found = self.odds(action)
        return self.lay_out(found) if found and found.about is not None else None

    def way(self, action: Action) -> Sequence[Leg]:
        """The way a legal move takes with what it has cost by then, the start first."""
        if self.outcome or action not in self.actions():
            return ()
        found: Sequence[Leg] = self.step.way(self, action)
        return found

    def copy(self: Self) -> Self:
        """An independent copy."""
        new = copy(self)
        for name in self.mutable:
            setattr(new, name, getattr(self, name).copy())
        new.events = []
        return new

    def resample(self: Self, side: Side, seed: str) -> Self:
        """A game that looks the same to this side, with everything hidden drawn anew."""
        new = self.copy()
        new.sampled = True
        # Hidden things and later dice must not share their luck, nor remember the truth's actions.
        new.dice = self.dice.sample(f"{seed}|redraw")
        new.legal = None
        new.memory = {}
        new.orders = {key: way for key, way in self.orders.items() if key.split()[0] == side}
        new.redraw(side)
        # What was drawn anew is no roll of the game: two samples can be compared by their count.
        new.dice = self.dice.sample(seed)
        return new

    def digest(self) -> str:
        """A fingerprint of the whole state without the seed."""
        return codec.digest(self)

    def position_text(self) -> str:
        """This position as TOML that `title.position` reads back."""
        raise NotImplementedError

    # Words for actions and events.

    @final
    def text(self, action: Action) -> str:
        """The stable one-line form of an action."""
        return text_of(action, self.data.lexicon)

    @final
    def parse(self, text: str) -> Action:
        """The action that a line of text names, legal or not."""
        return parse(text, self.title.actions, self.data.lexicon)

    def label(self, action: Action) -> str:
        """An action as a short sentence for a menu."""
        return self.text(action)

    def when(self) -> str:
        """The turn as views say it; a title may tell it without building a view."""
        return self.view(None).turn

    def price(self, action: Action) -> str:
        """What a legal action costs, brings along or gives up, in a few words; often nothing."""
        return ""

    def sentence(self, event: Event) -> str:
        """An event as a sentence for the log."""
        raise NotImplementedError

    def about(self, action: Action) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The units an action concerns and the spaces it points at, by name.

        A title adds what the fields do not name, such as the units of a formation.
        """
        lexicon = self.data.lexicon
        return mentions(action, UnitId, lexicon), mentions(action, Space, lexicon)

    @final
    def describe(self, action: Action) -> dict[str, Any]:
        """An action as it goes over the wire."""
        units, spaces = self.about(action)
        found: dict[str, Any] = {
            "text": self.text(action),
            "kind": action.kind,
            "label": self.label(action),
            "units": list(units),
            "spaces": list(spaces),
        }
        if price := self.price(action):
            found["price"] = price
        return found

    @final
    def report(self, event: Event) -> dict[str, Any]:
        """An event as it goes over the wire."""
        told = plain(event, self.data.lexicon) | self.logged(event)
        return told | {"headline": True} if event.headline else told

    @final
    def logged(self, event: Event) -> dict[str, Any]:
        """An event as a log keeps it: its sentence, and what helps to gather moves in one line."""
        told: dict[str, Any] = {"text": self.sentence(event), "kind": type(event).__name__}
        if march := self.march(event):
            told["march"] = march
        told |= {flag: True for flag in ("aside", "opens") if getattr(event, flag)}
        return told

    def rolled_for(self, roll: Rolled) -> str:
        """What dice are for, as it follows "dice are rolled for"."""
        return f"{roll.purpose} ({roll.place})" if roll.place else roll.purpose

    def march(self, event: Event) -> March | None:
        """The move that an event tells of, if it tells of one."""
        return None

    def lay_out(self, odds: Odds) -> Sheet | None:
        """The battle that odds are about as a sheet; a title with combats says how."""
        return None

    def neutral(self) -> Action:
        """The action that stands in for a player whose time has run out.

        One that names no unit and no space, since those end, pass or decline; the first if none.
        """
        lexicon = self.data.lexicon
        for action in self.actions():
            if not mentions(action, UnitId, lexicon) and not mentions(action, Space, lexicon):
                return action
        return self.actions()[0]

    # Standing orders.

    def order(self, side: Side, interrupt: str, setting: str) -> list[Event]:
        """Let a standing order answer an interrupt for a side, from now on."""
        known = {each.id: each for each in self.title.interrupts}
        if side not in self.title.sides:
            raise BadMessage(f"no side is called {side!r}; use {' or '.join(self.title.sides)}")
        if interrupt not in known:
            raise BadMessage(f"no interrupt is called {interrupt!r}; use {', '.join(known)}")
        settings = ("ask", *known[interrupt].settings)
        if setting not in settings:
            raise BadMessage(f"{interrupt} cannot be set to {setting!r}; use {', '.join(settings)}")
        before = self.copy()
        key = f"{side} {interrupt}"
        self.orders = {name: way for name, way in self.orders.items() if name != key}
        if setting != "ask":
            self.orders[key] = setting
        self.events = []
        try:
            self.settle()
        except BadMessage:
            self.become(before)
            raise
        return self.events

    def expire_orders(self) -> None:
        """Drop the orders given for this activation or impulse only."""
        self.orders = {key: way for key, way in self.orders.items() if not way.endswith("-now")}

    # The machinery that steps use.

    @property
    def step(self) -> Step[Any]:
        """The top of the stack."""
        top: Step[Any] = self.stack[-1]
        return top

    @property
    def point(self) -> tuple[Step[Any], ...]:
        """Where the sequence of play stands: the stack, or the end."""
        return (Over(self.outcome),) if self.outcome else self.stack

    def push(self, step: Step[Any]) -> None:
        """Go into a step; the one below is resumed when it is popped."""
        self.stack = (*self.stack, step)
        self.pending = BEGIN

    def swap(self, step: Step[Any]) -> None:
        """Replace the top step by one that begins."""
        self.stack = (*self.stack[:-1], step)
        self.pending = BEGIN

    def become_step(self, step: Step[Any]) -> None:
        """Replace the top step by a changed version of itself that goes on waiting."""
        self.stack = (*self.stack[:-1], step)

    def pop(self, result: Any = None) -> None:
        """Leave the top step; the one below resumes with the result."""
        self.stack = self.stack[:-1]
        self.pending = RESUME
        self.result = result

    def finish(self, outcome: Outcome) -> None:
        """End the game."""
        self.outcome = outcome
        self.stack = ()
        self.pending = NOTHING

    def settle(self) -> None:
        """Run on until a side has a real choice or the game is over."""
        for _ in range(100_000):
            if self.outcome:
                self.legal = ()
                return
            step = self.step
            if isinstance(step, Over):
                self.finish(step.outcome)
            elif self.pending == BEGIN:
                self.pending = NOTHING
                step.begin(self)
            elif self.pending == RESUME:
                self.pending, result, self.result = NOTHING, self.result, None
                step.resume(self, result)
            elif not self._answer(step):
                return
        raise AssertionError(f"no choice in sight from {self.stack}")

    def _answer(self, step: Step[Any]) -> bool:
        """Play a forced or ordered answer; False if the side must be asked."""
        legal = self.legal = step.actions(self)
        if len(legal) == 1 and not step.shown:
            self.legal = None
            step.apply(self, legal[0])
            return True
        if step.interrupt and self.orders:
            setting = self.orders.get(f"{step.actor(self)} {step.interrupt}")
            action = step.standing(self, setting) if setting else None
            if action is not None and action in legal:
                self.legal = None
                step.apply(self, action)
                return True
        assert legal, f"a dead end at {step}"
        return False

    def log(self, event: Event) -> None:
        """Note that something happened."""
        self.events.append(event)

    def roll(
        self,
        purpose: str,
        by: Side,
        rule: str,
        *,
        dice: Sequence[int] = (6,),
        place: str = "",
        only: Side | None = None,
    ) -> tuple[int, ...]:
        """Roll dice of these sides and note it."""
        faces, self.dice = self.dice.draw(purpose, place, dice)
        self.log(Rolled(purpose, faces, by, place, rule=rule, only=only))
        return faces

    def conclude(self, outcome: str) -> None:
        """Say which of the odds' outcomes the latest roll brought about."""
        for at in range(len(self.events) - 1, -1, -1):
            event = self.events[at]
            if isinstance(event, Rolled):
                self.events[at] = replace(event, outcome=outcome)
                return

    def draw(self, purpose: str, sides: Sequence[int], place: str = "") -> tuple[int, ...]:
        """Faces for a hidden draw (a cup, a shuffle), noted nowhere."""
        faces, self.dice = self.dice.draw(purpose, place, sides)
        return faces

    def derive(self) -> None:
        """Recompute the fields that are not saved, after the others were loaded."""

    def redraw(self, side: Side) -> None:
        """Draw anew, with this copy's dice, what the side may not know."""

    def become(self, other: Game) -> None:
        """Take over another game's state (to restore an earlier copy)."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(other, name))


def state_fields(kind: type[Game]) -> tuple[str, ...]:
    """The fields that make up the state: saved, compared and digested."""
    return tuple(name for name in kind.__struct_fields__ if name not in kind.transient)
