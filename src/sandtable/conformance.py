"""What every title must keep at every moment, as checks that tests and the fuzzer share.

Each check takes a game, leaves it as it was, and raises Fault with one line if a promise is broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from sandtable.kernel import codec
from sandtable.kernel.actions import Action, fields_of
from sandtable.kernel.errors import BadMessage, Refused
from sandtable.kernel.events import Event, Rolled, Side
from sandtable.kernel.game import Game
from sandtable.kernel.odds import Odds

_ENCODER = msgspec.json.Encoder(order="deterministic")


class Fault(AssertionError):
    """A promise of the contract that a title breaks."""


def demand(kept: object, what: str) -> None:
    """Raise Fault unless the promise is kept."""
    if not kept:
        raise Fault(what)


def sentence(text: str) -> bool:
    """Whether a text can be shown as one line."""
    return bool(text.strip()) and "\n" not in text


def decision(game: Game) -> None:
    """There is a side to decide, a prompt with a real rule, and at least one action."""
    rules = game.title.rules
    invariants = getattr(game, "check", None)
    if invariants is not None:
        invariants()
    if game.outcome:
        ending(game)
        return
    demand(game.actor in game.title.sides, f"the actor is {game.actor!r}")
    demand(sentence(game.prompt), f"the prompt is {game.prompt!r}")
    demand(game.rule in rules, f"the prompt's rule {game.rule!r} is not in rules.toml")
    actions = game.actions()
    demand(len(actions) > 0, f"a dead end at {game.step}")
    demand(len(set(actions)) == len(actions), f"an action is listed twice at {game.step}")


def ending(game: Game) -> None:
    """A finished game has a winner, a level, scored lines, and nothing left to do."""
    outcome, rules = game.outcome, game.title.rules
    assert outcome is not None
    demand(outcome.winner in (*game.title.sides, None), f"the winner is {outcome.winner!r}")
    demand(outcome.level and sentence(outcome.text), "the outcome has no level or text")
    for number in (outcome.rule, *(line.rule for line in outcome.score)):
        demand(number in rules, f"rule {number!r} of the outcome is not in rules.toml")
    ladder = {(rung.winner, rung.name) for rung in game.ladder()}
    if outcome.level in {name for _, name in ladder}:
        demand((outcome.winner, outcome.level) in ladder, f"no rung for {outcome.level}")
    demand(game.actor is None and not game.actions(), "a finished game still asks")
    demand(sentence(game.prompt), "a finished game has no prompt")


def happenings(game: Game, events: Sequence[Event]) -> None:
    """Events are known to the title, carry real rules and can be told in a sentence."""
    title = game.title
    for event in events:
        demand(
            type(event) in (*title.events, Rolled), f"{type(event).__name__} is not in TITLE.events"
        )
        demand(event.rule in title.rules, f"rule {event.rule!r} of {event} is not in rules.toml")
        demand(event.only in (*title.sides, None), f"{event} is only for {event.only!r}")
        demand(sentence(game.sentence(event)), f"{event} has no sentence")
        _ENCODER.encode(game.report(event))


def texts(game: Game) -> None:
    """Each action reads back from its text, has its own text and a label, and goes on the wire."""
    seen = set()
    for action in game.actions():
        text = game.text(action)
        demand(game.parse(text) == action, f"{text!r} reads back as another action")
        demand(text not in seen, f"two actions are written {text!r}")
        demand(sentence(game.label(action)), f"{text!r} has no label")
        _ENCODER.encode(game.describe(action))
        seen.add(text)


def codecs(game: Game) -> None:
    """State and position read back to the same game."""
    again = game.title.load(codec.dump(game))
    again.data = game.data
    same_game(game, again, "the state as JSON")
    text = game.position_text()
    placed = game.title.position(text)
    # A position says where everything stands, not which dice are to come or who gave orders.
    placed.dice, placed.orders = game.dice, dict(game.orders)
    same_game(game, placed, "the position text")
    demand(placed.position_text() == text, "the position text reads back as another text")


def same_game(one: Game, other: Game, what: str) -> None:
    """Two games have the same state, prompt and actions."""
    if one.digest() != other.digest():
        left, right = codec.state(one, secret=False), codec.state(other, secret=False)
        names = [
            name for name in left if _ENCODER.encode(left[name]) != _ENCODER.encode(right[name])
        ]
        raise Fault(f"{what} reads back with different {', '.join(names)}")
    demand(one.prompt == other.prompt, f"{what} reads back with another prompt")
    demand(list(one.actions()) == list(other.actions()), f"{what} reads back with other actions")


def isolation(game: Game, random: Random) -> None:
    """A copy is independent, and the same action from the same state gives the same game."""
    before = codec.dump(game)
    copies = [game.copy(), game.copy()]
    for _ in range(3):
        actions = copies[0].actions()
        if not actions:
            break
        action = random.choice(actions)
        behind = copies[0].copy()
        told = [copy.play(action) for copy in copies]
        demand(told[0] == told[1], f"two copies tell {game.text(action)!r} differently")
        demand(copies[0].digest() == copies[1].digest(), "two equal copies went different ways")
        # What a copy remembers must not follow the game it was copied from.
        fresh = game.title.load(codec.dump(behind))
        fresh.data = game.data
        same_game(behind, fresh, "a copy left behind")
    demand(codec.dump(game) == before, "playing on a copy changed the original")


def secrecy(game: Game, seeds: Sequence[str], random: Random) -> None:
    """What a side cannot see makes no difference to anything it is shown or told."""
    for side in game.title.sides:
        shown = sight(game, side)
        guesses = [mutant(game, random) for _ in range(8)] if game.actor == side else []
        told = [game.why_not(each) for each in guesses]
        for seed in seeds:
            other = game.resample(side, seed)
            demand(other.dice.count == game.dice.count, "a sample counts more rolls than the game")
            decision(other)
            for name, value in sight(other, side).items():
                demand(value == shown[name], f"{name} of {side} depends on what it cannot see")
            for guess, answer in zip(guesses, told, strict=True):
                demand(
                    other.why_not(guess) == answer,
                    f"the refusal of {game.text(guess)!r} depends on what {side} cannot see",
                )


def sight(game: Game, side: Side) -> dict[str, bytes]:
    """Everything a side is shown, as bytes: its view and, on its decision, what it may do."""
    seen: dict[str, Any] = {"view": game.view(side), "spectator's view": game.view(None)}
    demand(
        game.views([side, None]) == [*seen.values()],
        "views() of some sides differ from each view()",
    )
    if game.actor == side:
        actions = game.actions()
        seen["prompt"] = [game.prompt, game.rule]
        seen["actions"] = [game.text(each) for each in actions]
        seen["labels"] = [game.label(each) for each in actions]
        seen["odds"] = [_plain(game.odds(each)) for each in actions[:12]]
    return {name: _ENCODER.encode(value) for name, value in seen.items()}


def _plain(odds: Odds | None) -> Any:
    if odds is None:
        return None
    chances = [(each.text, str(each.probability), each.faces) for each in odds.outcomes]
    return [odds.modifiers, chances, odds.assumes]


def refusals(game: Game, random: Random, number: int) -> int:
    """So many illegal actions are refused with a rule and change nothing; returns how many."""
    before = codec.dump(game)
    legal = set(game.actions())
    wrong = 0
    for _ in range(5 * number):
        if wrong == number:
            break
        guess = mutant(game, random)
        refusal = game.why_not(guess)
        text = game.text(guess)
        if guess in legal:
            demand(refusal is None, f"{text!r} is listed, yet refused: {refusal}")
            continue
        wrong += 1
        if refusal is None:
            raise Fault(f"{text!r} is not listed, yet not refused")
        demand(refusal.rule in game.title.rules, f"{text!r} is refused by rule {refusal.rule!r}")
        demand(sentence(refusal.text), f"{text!r} is refused without a sentence")
        try:
            game.play(guess)
        except Refused:
            continue
        raise Fault(f"{text!r} is not listed, yet accepted")
    demand(codec.dump(game) == before, "a refused action changed the game")
    return wrong


def mutant(game: Game, random: Random) -> Action:
    """A legal action with a field changed, or another kind of action with any fields."""
    actions = game.actions()
    words = [
        value
        for action in random.sample(list(actions), min(4, len(actions)))
        for value in (getattr(action, name) for name in action.__struct_fields__)
        if isinstance(value, str)
    ]
    base = random.choice(actions)
    fields = fields_of(type(base))
    if not fields or random.random() < 0.4:
        kind = random.choice(game.title.actions)
        return kind(*(_value(hint, game, random, words) for _, hint in fields_of(kind)))
    name, hint = random.choice(fields)
    return msgspec.structs.replace(base, **{name: _value(hint, game, random, words)})


def _value(hint: Any, game: Game, random: Random, words: list[str]) -> Any:
    """Any value that a text could give to a field of this type."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        arms = get_args(hint)
        return _value(random.choice(arms), game, random, words)
    if hint is NoneType:
        return None
    if origin is tuple:
        inner = get_args(hint)[0]
        return tuple(_value(inner, game, random, words) for _ in range(random.randrange(4)))
    if origin is Literal:
        return random.choice([*get_args(hint), "nonsense"])
    names = game.data.lexicon.names.get(hint)
    if names:
        return random.randrange(len(names.names))
    if hint is bool:
        return random.random() < 0.5
    if hint is int:
        return random.choice([-1, 0, 1, 2, 3, 4, 6, 10, 99, 123456789])
    return random.choice([*words, *game.title.sides, "nonsense"])


def odds(game: Game, action: Action) -> Odds | None:
    """Chances are exact, add up to one, name real rules, and their dice bring them about."""
    found = game.odds(action)
    if found is None:
        return None
    text = game.text(action)
    demand(sum(each.probability for each in found.outcomes) == 1, f"the odds of {text!r} are not 1")
    labels = [each.text for each in found.outcomes]
    demand(len(set(labels)) == len(labels), f"the odds of {text!r} list an outcome twice")
    margins: dict[str, Fraction] = {}
    for margin in found.margins:
        margins[margin.outcome] = margins.get(margin.outcome, Fraction(0)) + margin.probability
    demand(
        not found.margins or margins == {each.text: each.probability for each in found.outcomes},
        f"the margins of {text!r} do not add up to its outcomes",
    )
    for each in found.outcomes:
        demand(each.probability > 0, f"an outcome of {text!r} cannot happen: {each.text}")
        demand(each.favours in (*game.title.sides, None), f"{each.text!r} favours {each.favours!r}")
    for modifier in found.modifiers:
        demand(modifier.rule in game.title.rules, f"modifier {modifier} has no rule in rules.toml")
    if not found.assumes:
        for each in found.outcomes:
            sample = game.resample(game.actor or "", "odds")
            told = outcome_of(sample.play(action, outcome=each), labels)
            demand(
                told == each.text, f"dice {each.faces} of {text!r} bring {told}, not {each.text}"
            )
    return found


def outcome_of(events: Sequence[Event], labels: Sequence[str]) -> str | None:
    """Which of the odds' outcomes these events report, if any."""
    for event in events:
        if isinstance(event, Rolled) and event.outcome in labels:
            return event.outcome
    return None


def frequencies(game: Game, action: Action, found: Odds, rolls: int, seed: str) -> float:
    """Roll an action many times; returns the largest distance from its odds in sigmas."""
    labels = [each.text for each in found.outcomes]
    counts = dict.fromkeys(labels, 0)
    for number in range(rolls):
        sample = game.resample(game.actor or "", f"{seed}-{number}")
        told = outcome_of(sample.play(action), labels)
        if told is None:
            raise Fault(f"{game.text(action)!r} rolled an outcome that its odds do not list")
        counts[told] += 1
    worst = 0.0
    for each in found.outcomes:
        p = float(each.probability)
        sigma = max((p * (1 - p) / rolls) ** 0.5, 1e-9)
        # Half a roll of slack: counts are whole numbers.
        off = max(0.0, abs(counts[each.text] / rolls - p) - 0.5 / rolls)
        worst = max(worst, off / sigma)
    return worst


def nonsense(game: Game, random: Random) -> None:
    """Texts that are no actions are BadMessages, whatever they hold."""
    text = game.text(random.choice(game.actions()))
    for bad in (
        "",
        "zzz",
        text + " zzz",
        "#",
        "-",
        "--1",
        "²",
        text[:1],
        "x" * 600,
        "\0",
        "move " * 9,
    ):
        try:
            action = game.parse(bad)
        except BadMessage:
            continue
        demand(game.text(action), f"{bad!r} was read as an action without a text")
