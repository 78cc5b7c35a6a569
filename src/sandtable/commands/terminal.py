"""The conversation of a game in the terminal: choices, commands, and what happened."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import IO

from msgspec import Struct

from sandtable.commands import read_record
from sandtable.kernel.actions import Action, UnitId, mentions
from sandtable.kernel.dice import commitment
from sandtable.kernel.errors import BadMessage, Refused
from sandtable.kernel.events import Event, Side
from sandtable.kernel.game import Game
from sandtable.kernel.table import Table, replay
from sandtable.plain import (
    choice_line,
    heading,
    map_lines,
    odds_lines,
    outcome_lines,
    side_name,
    space_lines,
    unit_lines,
)
from sandtable.players import Player, Seat, player
from sandtable.players.advised import Advised
from sandtable.players.outlook import outlook

PERSON = "person"
PAGE = 20
LONG = 20
"""Digits that no number worth typing has."""
PATIENCE = 1.0
"""Seconds after which a line says that an opponent thinks."""
PARTS = re.compile(r"(?<=\.) (?=[A-Z])")
"""Where a reason falls into sentences; chances, which begin with a number, stay with theirs."""

HELP = """\
Type the number of a choice, or part of its words to see only those that hold them.
map: the spaces and what stands there. look SPACE: one space and its neighbours.
units WORD: the counters, or those with that word.
score: the turn, the tracks and the score. odds N: the chances of choice N.
why ACTION: whether an action is legal, and by which rule not. rule NUMBER: a rule in our words.
hint: what an officer would do in your place; hint general:5 asks a general, for five seconds.
chance: your chance to win from here, or that of the side to move where you are not one alone.
undo: take your last action back. log N: the last N things that happened.
order INTERRUPT SETTING: a standing order.
save FILE, load FILE: keep the game, or go on with another. back: all choices again.
quit: leave. An empty line repeats the choices."""


class Item(Struct, frozen=True):
    """A line of the menu: one action, or a group that opens."""

    words: str
    actions: tuple[Action, ...]


def menu(game: Game, actions: Sequence[Action]) -> list[Item]:
    """A few lines to choose from: single actions, or groups by kind, then by unit, then pages."""
    if len(actions) <= PAGE:
        return [Item(choice_line(game, each), (each,)) for each in actions]
    lexicon = game.data.lexicon
    by_kind = _groups(actions, lambda each: each.kind)
    groups = by_kind
    if len(by_kind) == 1:
        groups = _groups(actions, lambda each: (*mentions(each, UnitId, lexicon), "no unit")[0])
    if len(groups) == 1 or len(groups) > 3 * PAGE:
        return [_page(game, actions[at : at + PAGE]) for at in range(0, len(actions), PAGE)]
    return [
        Item(choice_line(game, group[0]), tuple(group))
        if len(group) == 1
        else Item(f"{name}: {len(group)} choices", tuple(group))
        for name, group in groups.items()
    ]


def _groups(actions: Sequence[Action], key: Callable[[Action], str]) -> dict[str, list[Action]]:
    groups: dict[str, list[Action]] = {}
    for action in actions:
        groups.setdefault(key(action), []).append(action)
    return groups


def _page(game: Game, actions: Sequence[Action]) -> Item:
    words = f"from {game.text(actions[0])} to {game.text(actions[-1])}: {len(actions)} choices"
    return Item(choice_line(game, actions[0]) if len(actions) == 1 else words, tuple(actions))


def as_saved(table: Table) -> tuple[dict[Side, str], list[str]]:
    """Who played when a game was saved, if we can seat them, and why we cannot seat others."""
    seated: dict[Side, str] = {}
    wrong: list[str] = []
    for side in table.title.sides:
        level = table.players.get(side, "")
        try:
            if level != PERSON:
                player(level, "")
            seated[side] = level
        except BadMessage as error:
            if level and table.game.outcome is None:
                name = side_name(table.title, side)
                wrong.append(f"{level!r} cannot play {name}: {error}.")
    return seated, wrong


def thinks(article: str, level: str, what: str) -> str:
    """That somebody thinks, and for how long at most if its seconds are counted.

    >>> thinks("The", "general:20x2", "for the Allies")
    'The general thinks for the Allies, up to 20 s.'
    >>> thinks("A", "officer", "about it")
    'An officer thinks about it.'
    """
    name, _, budget = level.partition(":")
    seconds = budget.partition("x")[0]
    if article == "A" and name[0] in "aeiou":
        article = "An"
    return f"{article} {name} thinks {what}{f', up to {seconds} s' if seconds else ''}."


class Left(Exception):
    """The person has left the game."""


class Session:
    """One person, or two at one screen, at a table."""

    def __init__(
        self,
        table: Table,
        players: Mapping[Side, str],
        data: str | None,
        source: IO[str],
        target: IO[str],
    ) -> None:
        self.data = data
        self.source = source
        self.target = target
        self.items: list[Item] = []
        self.sit(table, players)

    def sit(self, table: Table, players: Mapping[Side, str]) -> None:
        """Begin, or go on, with this table and whoever plays at it."""
        seed = table.game.dice.seed
        bots: dict[Side, Player] = {
            side: player(level, f"{seed}|{side}|{len(table.history)}")
            for side, level in players.items()
            if level != PERSON
        }
        self.table, self.players, self.bots = table, players, bots
        if table.game.outcome is None:
            table.players = dict(players)
        self.kept = len(table.history)
        """How much of the game is in a file, or need not be."""
        self.advised: tuple[Advised, Player, str] | None = None
        """The last hint, who gave it and how it was said."""
        self.untold: list[tuple[Event, str]] = []
        self.watched: Side | None = None
        """Whose moves whoever watches two opponents has asked for."""
        self.silent: Side | None = None
        """Which opponent decides things that nobody sees."""
        self.told: set[str] = set()
        """What was said of an opponent's plan."""

    def say(self, *lines: str) -> None:
        """Print lines."""
        for line in lines:
            print(line, file=self.target)
        self.target.flush()

    def ask(self) -> str:
        """What the person types; Ctrl-C and Ctrl-D leave no game by mistake either."""
        print("> ", end="", file=self.target, flush=True)
        try:
            line = self.source.readline()
        except KeyboardInterrupt:
            self.say("")
            return "quit"
        if not line and self.source.isatty():
            self.say("")
            return "quit"
        if not line:
            self.say("", "The input has ended; the game is left as it is.")
            raise Left
        return line.strip()

    def who(self) -> str:
        """Who plays."""
        title = self.table.title
        return ", ".join(f"{side_name(title, side)}: {self.players[side]}" for side in title.sides)

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        title = self.table.title
        self.say(
            f"{title.name}. Type help for the commands.",
            f"Hash of the dice's seed: {commitment(self.table.game.dice.seed)}",
            *heading(self.table.game.view(None), title),
        )
        try:
            while True:
                side = self.table.game.actor
                if side is None:
                    self._end()
                elif side in self.bots:
                    self._opponent(side)
                else:
                    self._person(side)
        except Left:
            pass

    def _opponent(self, side: Side) -> None:
        if len(self.bots) == len(self.players) and side != self.watched:
            self._watch(side)
            return
        game = self.table.game
        told = thinks("The", self.players[side], f"for the {side_name(game.title, side)}")
        try:
            with self._thinking(f"{told} Ctrl-C interrupts."):
                choice = self.bots[side].choose(Seat(game, side, listened=True))
        except KeyboardInterrupt:
            self._pause()
            return
        person = game.title.other(side)
        eye = None if person in self.bots else person
        unseen = self._unseen(game, side, eye, choice.action)
        self._happened(self.table.play(choice.action, side))
        if self._tell(eye):
            self.silent = None
        elif self.silent == side:
            return
        else:
            self.say(unseen)
            self.silent = side
        if choice.telling and choice.heard:
            self._explain(choice.heard)

    @staticmethod
    def _unseen(game: Game, side: Side, eye: Side | None, action: Action) -> str:
        """What to say of a decision that leaves no trace: the question, and the answer to one."""
        name, asked = side_name(game.title, side), game.view(eye).prompt
        if asked != game.prompt:
            return f"{name}: a decision that you do not see."
        # Nothing is kept from whoever only watches.
        answer = f" {game.label(action).rstrip('.')}." if eye is None else ""
        return f"Decided by {name}: {asked}{answer}"

    def _pause(self) -> None:
        """Who interrupts an opponent's thought may save the game, leave it, or let it go on."""
        self.say("")
        while True:
            self.say("Press Enter to go on, or type save FILE or quit.")
            with self._forgiving():
                word, _, rest = self.ask().partition(" ")
                match word.lower():
                    case "":
                        return
                    case "save":
                        self._save(rest.strip())
                    case "quit":
                        self._quit()
                    case _:
                        self.say(f"{word} is not possible while an opponent is to decide.")

    @contextmanager
    def _forgiving(self) -> Iterator[None]:
        """No mistake ends the game, nor does Ctrl-C while something asked for takes long."""
        try:
            yield
        except (Refused, BadMessage) as error:
            self.say(str(error))
        except KeyboardInterrupt:
            self.say("", "It is left off.")

    def _explain(self, reason: str) -> None:
        """Say why, but no part of it twice of one plan, which the last two parts are about."""
        parts = PARTS.split(reason)
        if not self.told.issuperset(parts[-2:]):
            self.told = set()
        if news := [part for part in parts if part not in self.told]:
            self.say(f"Why: {' '.join(news)}")
        self.told.update(parts)

    @contextmanager
    def _thinking(self, told: str) -> Iterator[None]:
        """Say so if it takes long."""
        timer = Timer(PATIENCE, self.say, [told])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _watch(self, side: Side) -> None:
        """Wait for whoever watches, before the other opponent moves."""
        table, name = self.table, side_name(self.table.title, side)
        self.say(f"Next: {name}. Press Enter to go on, or type a command.")
        while self.table is table:
            with self._forgiving():
                word, _, rest = self.ask().partition(" ")
                if not word:
                    self.watched = side
                    return
                if not self._command(word.lower(), rest.strip(), side):
                    self.say("No command is called that. Type help for the commands.")

    def _person(self, side: Side) -> None:
        self.silent = None
        self._tell(side)
        game = self.table.game
        self.say(f"{side_name(game.title, side)}: {game.prompt} [{game.rule}]")
        if game.caution:
            self.say(game.caution)
        self._list(menu(game, game.actions()))
        table, played = self.table, len(self.table.history)
        while self.table is table and len(table.history) == played:
            with self._forgiving():
                self._obey(self.ask(), side)

    def _end(self) -> None:
        self._tell(None)
        game = self.table.game
        assert game.outcome is not None
        self.say("The game is over.", *outcome_lines(game.outcome, game.title))
        self.say(f"Seed of the dice: {game.dice.seed}")
        sides = game.title.sides
        persons = [side for side in sides if side not in self.bots] or sides
        while self.table.game is game:
            self.say("Type save FILE to keep the game, load FILE for another, or quit.")
            with self._forgiving():
                word, _, rest = self.ask().partition(" ")
                self._command(word.lower(), rest.strip(), persons[0])

    def _happened(self, events: Sequence[Event]) -> None:
        self.untold += [(event, self.table.game.sentence(event)) for event in events]

    def _tell(self, side: Side | None) -> bool:
        """Tell what happened, if anything; what only the other may see waits for their turn."""
        seen = [each for each in self.untold if each[0].only in (None, side)]
        self.say(*(f"{sentence} [{event.rule}]" for event, sentence in seen))
        self.untold = [
            each for each in self.untold if each not in seen and each[0].only not in self.bots
        ]
        return bool(seen)

    def _list(self, items: list[Item]) -> None:
        self.items = items
        self.say(*(f"{number}. {item.words}" for number, item in enumerate(items, 1)))

    def _obey(self, line: str, side: Side) -> None:
        """Do what a line asks: a number, a command, an action's text, or a filter."""
        game = self.table.game
        word, _, rest = line.partition(" ")
        if line.isascii() and line.isdigit():
            item = self._item(line)
            if len(item.actions) == 1:
                self._play(item.actions[0], side)
            else:
                self._list(menu(game, item.actions))
        elif line in ("", "back"):
            self._list(menu(game, game.actions()))
        elif not self._command(word.lower(), rest.strip(), side):
            exact = [each for each in game.actions() if game.text(each) == line]
            if exact:
                self._play(exact[0], side)
            else:
                self._filter(line.removeprefix("/").lower())

    def _item(self, number: str) -> Item:
        at = int(number) if len(number) < LONG else 0
        if not 1 <= at <= len(self.items):
            raise BadMessage(f"There is no choice {number[:LONG]}; give 1 to {len(self.items)}.")
        return self.items[at - 1]

    def _play(self, action: Action, side: Side) -> None:
        self._happened(self.table.play(action, side))
        self._tell(side)

    def _filter(self, text: str) -> None:
        game = self.table.game
        words = text.split()
        found = [
            each
            for each in game.actions()
            if all(word in choice_line(game, each).lower() for word in words)
        ]
        if not found:
            raise BadMessage(f"No choice holds {text!r}. Type help for the commands.")
        self._list(menu(game, found))

    def _command(self, word: str, rest: str, side: Side) -> bool:
        """Carry out a command; False if the word is none."""
        game, title = self.table.game, self.table.title
        match word:
            case "help" | "?":
                self.say(HELP)
            case "map":
                self.say(*map_lines(game.view(side), title, game.data))
            case "look":
                self.say(*space_lines(game.view(side), title, game.data, rest))
            case "units":
                lines = unit_lines(game.view(side), title, rest)
                self.say(*(lines or [f"No counter's line holds {rest!r}."]))
            case "score":
                self.say(*heading(game.view(side), title))
            case "odds":
                self._odds(rest)
            case "why":
                refusal = game.why_not(self.table.read(rest))
                self.say(f"{refusal.text} [{refusal.rule}]" if refusal else "That is legal.")
            case "rule":
                if rest not in title.rules:
                    raise BadMessage(f"{title.name} has no rule {rest!r}.")
                self.say(f"{rest} {title.rules[rest].heading}. {title.rules[rest].text}")
            case "hint":
                self._hint(side, rest or "officer")
            case "chance":
                chance = outlook(Seat(game, side))
                name = side_name(title, side)
                alone = [each for each in title.sides if each not in self.bots] == [side]
                whose = f"Your chance to win ({name})" if alone else f"Chance of the {name} to win"
                ended = "as games of opponents from like positions ended"
                self.say(f"{whose}: {chance:.0%}, {ended}.")
            case "undo":
                taken = self.table.history[-1].line.text if self.table.history else ""
                self.table.undo()
                self.say(f"Taken back: {taken}.")
            case "log":
                told = self.table.log(side)[-(int(rest[:LONG]) if rest.isdecimal() else PAGE) :]
                self.say(*(f"{text} [{event.rule}]" for event, text in told))
            case "order" | "orders":
                self._order(rest.split(), side)
            case "save":
                self._save(rest)
            case "load":
                self._load(rest)
            case "quit":
                self._quit()
            case _:
                return False
        return True

    def _odds(self, number: str) -> None:
        game = self.table.game
        if not (number.isascii() and number.isdigit()):
            raise BadMessage("Give the number of a choice: odds 3.")
        item = self._item(number)
        if len(item.actions) > 1:
            raise BadMessage(f"Choice {number} is a group; type {number} to open it first.")
        odds = game.odds(item.actions[0])
        self.say(*(odds_lines(odds, game.title) if odds else ["It rolls no dice."]))

    def _hint(self, side: Side, level: str) -> None:
        game = self.table.game
        if game.actor != side:
            raise BadMessage("There is nothing to decide now.")
        # Nothing of the true game, in which things are hidden, may sway the adviser.
        adviser = player(level, "advice")
        if self.advised:
            last, before, said = self.advised
            if last.stands(side, level, self.table):
                self.say(said)
                return
            if last.followed(side, level, self.table):
                adviser = before
        lines, digest = len(self.table.history), game.digest()
        with self._thinking(f"{thinks('A', level, 'about it')} Ctrl-C leaves it off."):
            choice = adviser.choose(Seat(game, side, listened=True, asked=True))
        name = level.partition(":")[0]
        who = f"{'An' if name[0] in 'aeiou' else 'A'} {name}"
        said = f"{who} would choose: {choice_line(game, choice.action)}. {choice.reason}"
        given = Advised(side, level, lines, digest, game.text(choice.action))
        self.advised = given, adviser, said
        self.say(said)

    def _order(self, words: list[str], side: Side) -> None:
        if len(words) == 2:
            self._happened(self.table.order(side, *words))
            self._tell(side)
            self.say(f"{words[0]} is now {words[1]}.")
            return
        title, given = self.table.title, self.table.game.orders
        self.say(
            *(
                f"{each.id}, {each.name} [{each.rule}]: {given.get(f'{side} {each.id}', 'ask')}; "
                f"it can be {', '.join(('ask', *each.settings))}."
                for each in title.interrupts
            )
        )
        if not title.interrupts:
            self.say("There are none here.")
            return
        self.say("Type order INTERRUPT SETTING.")
        if any(way.endswith("-now") for each in title.interrupts for way in each.settings):
            self.say("One that ends in -now holds until the impulse or activation is over.")

    def _quit(self) -> None:
        """Leave, but not by mistake with a game that is nowhere else."""
        if self._unsaved("quit again to leave"):
            return
        self.say("The game is left as it is.")
        raise Left

    def _unsaved(self, again: str) -> bool:
        """Whether the game would be lost; said once, so that who asks again has their way."""
        if self.kept >= len(self.table.history):
            return False
        self.kept = len(self.table.history)
        self.say(f"The game is not saved: type save FILE to keep it, or {again}.")
        return True

    def _save(self, name: str) -> None:
        if not name:
            raise BadMessage("Give the name of a file: save game.sand.")
        try:
            Path(name).write_text(self.table.record(reveal=True).print(), encoding="utf-8")
        except OSError as error:
            raise BadMessage(f"Cannot write {name}: {error.strerror}.") from None
        self.kept = len(self.table.history)
        self.say(f"Saved in {name}, with the seed of the dice. Go on later with --load {name}.")

    def _load(self, name: str) -> None:
        if not name:
            raise BadMessage("Give the name of a file: load game.sand.")
        title, record = read_record(name)
        if title is not self.table.title:
            raise BadMessage(f"{name} is a game of {title.name}; start it with play {title.id}.")
        table = replay(title, record, data=self.data)
        if self._unsaved("load it again to drop this one"):
            return
        saved, wrong = as_saved(table)
        self.sit(table, saved if len(saved) == len(title.sides) else self.players)
        self.say(*wrong, f"Loaded {name} ({self.who()}).")
