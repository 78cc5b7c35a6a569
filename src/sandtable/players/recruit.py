"""An opponent that follows its nose: tempting or sensible actions, and no look ahead."""

from __future__ import annotations

from sandtable.kernel.actions import Action
from sandtable.kernel.events import Side
from sandtable.kernel.game import Game
from sandtable.kernel.odds import Odds
from sandtable.players.effort import NEVER
from sandtable.players.eve import Eve
from sandtable.players.knowledge import Knowledge, knowledge
from sandtable.players.planner import pick, undisturbed
from sandtable.players.seat import Choice, Luck, Seat
from sandtable.players.worlds import Chooser

TRIES = 12


class Recruit:
    """Takes good odds, refuses bad ones, and does something rather than nothing."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._luck = Luck(seed)
        self._whim = Chooser(seed)
        self._choices = 0
        self._eve = Eve()

    def choose(self, seat: Seat) -> Choice:
        """What looks tempting at a glance, or where a title knows no such thing, good odds."""
        know = knowledge(seat.title.id)
        heat = know.whim_of.get(seat.side, know.whim)
        return self._by_odds(seat) if heat is None else self._by_whim(seat, heat)

    def _by_whim(self, seat: Seat, heat: float) -> Choice:
        """One of the actions, the more tempting the likelier, and nothing absurd."""
        self._choices += 1
        game = seat.sample(f"{self._seed}|{self._choices}")
        actions = seat.actions()
        if len(actions) == 1:
            return Choice(actions[0], "There is no other choice.", telling=False)
        know = knowledge(seat.title.id)
        tempting = know.priors(game, actions)
        doubtful = list(tempting)
        eve = self._eve.recall(seat, know, game)
        if eve is not None and any(know.follies(eve, game, seat.side)):
            eve = None  # What is done is done.
        at = pick(self._whim, doubtful, heat)
        for tried in range(1, TRIES + 1):
            if not is_absurd(know, game, actions[at], eve):
                break
            # Where one move after the other is absurd, something else than a move is not.
            given_up = actions[at].kind if tried % 3 == 0 else None
            for other, action in enumerate(actions):
                if other == at or action.kind == given_up:
                    doubtful[other] = NEVER
            if max(doubtful) <= NEVER:
                at = tempting.index(max(tempting))  # Nothing makes sense: then the least bad.
                break
            at = pick(self._whim, doubtful, heat)
        better = sum(each > tempting[at] for each in tempting)
        rank = f"{better} of {len(actions)} looked better" if better else "nothing looked better"
        said = know.tactic(game, actions[at]) if seat.listened else ""
        if not said:
            return Choice(actions[at], f"At a glance {rank}.", telling=False)
        heard = seat.in_the_open(lambda each: know.tactic(each, actions[at]), game)
        return Choice(actions[at], f"{said} At a glance {rank}.", heard=said if heard else "")

    def _by_odds(self, seat: Seat) -> Choice:
        """Look at a few actions: the first with good odds, else a harmless one, else the least bad.

        Kinds come before actions, so that a hundred moves do not drown one attack, and actions
        that name neither unit nor space (they end, pass or decline) come last.
        """
        kinds = self._kinds(seat)
        harmless: Action | None = None
        least: tuple[float, Action] | None = None
        for _ in range(TRIES):
            if not kinds:
                break
            name = list(kinds)[self._luck.below(len(kinds))]
            action = kinds[name].pop(self._luck.below(len(kinds[name])))
            if not kinds[name]:
                del kinds[name]
            gain = self._gain(seat, action)
            if not gain:
                harmless = harmless or action
            elif gain > 0:
                return self._spoken(seat, action, f"The odds favour it by {gain:.0%}.")
            elif least is None or gain > least[0]:
                least = gain, action
        if harmless:
            return Choice(harmless, "It costs nothing to try.", telling=False)
        rest = [each for each in seat.actions() if not seat.points_at_something(each)]
        calm = [each for each in rest if self._gain(seat, each) is None]
        if calm:
            action = calm[self._luck.below(len(calm))]
            return Choice(action, "Nothing better is at hand.", telling=False)
        if least is None:
            least = max(
                ((self._gain(seat, each) or 0, each) for each in rest), key=lambda it: it[0]
            )
        return self._spoken(seat, least[1], "Every choice is bad, and this one is the least so.")

    def _spoken(self, seat: Seat, action: Action, reason: str) -> Choice:
        """A choice by its odds, which the enemy hears of where it could work them out."""
        known = seat.in_the_open(lambda game: edge(game.odds(action), seat.side))
        return Choice(action, reason, heard=reason if known else "")

    def _kinds(self, seat: Seat) -> dict[str, list[Action]]:
        """The actions that point at something or have good odds, by kind."""
        kinds: dict[str, list[Action]] = {}
        for action in seat.actions():
            if seat.points_at_something(action) or (self._gain(seat, action) or 0) > 0:
                kinds.setdefault(action.kind, []).append(action)
        return kinds

    def _gain(self, seat: Seat, action: Action) -> float | None:
        """How much likelier its dice help than hurt, or None if it rolls none."""
        return edge(seat.odds(action), seat.side)


def edge(odds: Odds | None, side: Side) -> float | None:
    """How much likelier dice help a side than hurt it, or None if there are none."""
    return None if odds is None else odds.edge_for(side)


def is_absurd(know: Knowledge, game: Game, action: Action, eve: Game | None = None) -> bool:
    """Whether an action alone is a blunder, or leaves things as no sensible commander would.

    `eve` is where the planning unit began, so that a folly in several steps is seen too.
    """
    side = game.actor
    assert side is not None
    if any(know.blunders(game, action)) or (eve and know.circles(eve, game, action)):
        return True
    after = game.copy()
    after.play(action)
    after = undisturbed(know, game, after, side)
    if after.outcome:
        return False
    return any(any(know.follies(each, after, side)) for each in (game, eve) if each is not None)
