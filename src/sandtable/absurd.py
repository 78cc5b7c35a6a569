"""Absurd moves, looked for in whole games: `scripts/absurd TITLE --level officer --games 500`.

The games take the title's scenarios in turn.

What is absurd a title's knowledge says (`blunders` of an action, `follies` of a planning unit);
moves that lead back to where the unit began, and games without end, are absurd in every title.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

import sandtable
from sandtable.kernel.actions import Action
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game, OptionValue
from sandtable.match import LONGEST_GAME
from sandtable.players import Seat, player
from sandtable.players.knowledge import knowledge

CIRCLE = "moves in a circle"
ENDLESS = "a game without end"


class Absurdity(Struct, frozen=True):
    """One absurd thing, and where to find it."""

    what: str
    seed: str
    decision: int
    side: Side
    action: str

    def __str__(self) -> str:
        where = f"seed {self.seed}, decision {self.decision}"
        return f"{self.what}: {self.side} at {where}: {self.action}"


def absurdities(
    title: str,
    level: str,
    seed: str,
    options: dict[str, OptionValue] | None = None,
    scenario: str = "",
) -> Iterator[Absurdity]:
    """Play one game of a level against itself, and tell every absurd thing in it."""
    found = sandtable.title(title)
    game = found.start(scenario, options, seed)
    players = {side: player(level, f"{seed}|{side}") for side in found.sides}
    watch = Watch(title, game)
    decisions = 0
    while game.outcome is None:
        side = game.actor
        assert side is not None
        action = players[side].choose(Seat(game, side)).action
        said = game.text(action)
        for what in watch.action(game, action):
            yield Absurdity(what, seed, decisions, side, said)
        game.play(action)
        for what in watch.after(game):
            yield Absurdity(what, seed, decisions, side, said)
        decisions += 1
        if decisions > LONGEST_GAME:
            yield Absurdity(ENDLESS, seed, decisions, side, said)
            return


class Watch:
    """Looks over the shoulder of whoever plays: each action, and each planning unit as a whole."""

    def __init__(self, title: str, game: Game) -> None:
        self._know = knowledge(title)
        self._begin(game)

    def _begin(self, game: Game) -> None:
        self._unit = self._know.unit(game)
        self._before = game.copy()
        self._side: Side | None = None
        self._rolls = game.dice.count
        self._seen = {game.digest()}

    def action(self, game: Game, action: Action) -> Iterator[str]:
        """What is absurd about an action, where there is a choice."""
        self._side = self._side or game.actor
        if len(game.actions()) > 1:
            yield from self._know.blunders(game, action)

    def after(self, game: Game) -> Iterator[str]:
        """What is absurd about what has been done in this planning unit."""
        if game.outcome or self._know.unit(game) != self._unit:
            if self._side and not game.outcome:
                yield from self._know.follies(self._before, game, self._side)
            if not game.outcome:
                self._begin(game)
            return
        if game.dice.count != self._rolls:
            self._rolls = game.dice.count
            self._seen = set()
        digest = game.digest()
        if digest in self._seen:
            yield CIRCLE
        self._seen.add(digest)


def main(arguments: Sequence[str] | None = None) -> int:
    """`scripts/absurd`."""
    parser = ArgumentParser(prog="scripts/absurd", description=__doc__)
    parser.add_argument("title")
    parser.add_argument("--level", default="officer")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", default="absurd")
    args = parser.parse_args(arguments)
    try:
        player(args.level, "")
        scenarios = [each.id for each in sandtable.title(args.title).scenarios]
        found: Counter[str] = Counter()
        for number in range(args.games):
            seed, scenario = f"{args.seed}-{number}", scenarios[number % len(scenarios)]
            for each in absurdities(args.title, args.level, seed, scenario=scenario):
                found[each.what] += 1
                print(each, flush=True)
    except BadMessage as error:
        parser.error(str(error))
    print(f"{args.title}, {args.level}: {args.games} games, {sum(found.values())} absurd things.")
    for what, number in found.most_common():
        print(f"  {what}: {number}")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
