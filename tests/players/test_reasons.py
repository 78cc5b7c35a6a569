"""Opponents name the tactic that an action serves, as a wargamer would."""

from __future__ import annotations

import re
from collections import Counter
from copy import copy
from typing import Any, cast

import pytest
from tests.players.test_hex_tactics import duel
from tests.titles.gallop import tables as gallop
from tests.titles.theseus import tables as theseus

import sandtable
from sandtable.kernel.game import Game
from sandtable.kernel.sheets import Column, Columns
from sandtable.players import Seat, player
from sandtable.players.knowledge import Knowledge, knowledge
from sandtable.players.knowledge.reasons import in_the_middle, refusal
from sandtable.players.officer import Officer
from sandtable.titles.cauldron.actions import ActivateUnit
from sandtable.titles.cauldron.state import Game as Cauldron
from sandtable.titles.theseus import actions as th

TITLES = ("battleaxe", "gallop", "cauldron", "theseus")
NAMED = {
    "battleaxe": {"Attacks", "Concentrates", "Exploits:", "Guards", "Refuses", "Takes"},
    "gallop": {"Attacks", "Concentrates", "Guards", "Holds", "Makes", "Sends"},
    "cauldron": {"Attacks", "Concentrates", "Exploits:", "Holds", "Opens", "Takes"},
    "theseus": {"Activates", "Attacks", "Concentrates", "Guards", "Holds", "Keeps", "Opens"},
}
"""Tactics that every wargamer knows, by the word that their sentence begins with."""
PLANNED = {
    "battleaxe": {"assault", "move"},
    "gallop": {"move"},
    "cauldron": {"activate-unit", "select"},
    "theseus": {"attack", "attack-with"},
}
"""Actions whose tactic is what their plan comes to."""


@pytest.mark.parametrize("name", TITLES)
def test_tactics_are_named(name: str) -> None:
    """Hold what counts, guard supply, open a breach, concentrate, exploit, refuse bad odds."""
    title, know = sandtable.title(name), knowledge(name)
    said: Counter[str] = Counter()
    for seed in range(8):
        if set(said) >= NAMED[name]:
            break
        game = title.start(seed=f"reasons-{seed}")
        players = {side: player("recruit", f"{seed}|{side}") for side in title.sides}
        for _ in range(700):
            if game.outcome:
                break
            side = game.actor
            assert side is not None
            action = players[side].choose(Seat(game, side)).action
            if len(game.actions()) > 1:
                text = know.tactic(game.resample(side, "why"), action)
                assert not text or re.fullmatch(r"[A-Z][^{}]*[^ ]\.", text), text
                said[text.split(" ")[0]] += 1
            game.play(action)
    assert NAMED[name] <= set(said), said
    assert said[""] < 0.1 * said.total()


def test_an_attack_is_told_with_its_odds_and_what_it_is_for() -> None:
    game = duel(1, '"I/5"', '"KDG"')
    attack = game.parse("attack 3018 3118")
    below, middle = 0.0, ""
    for column in game.sheet(attack).columns.columns:
        if below < 0.5:
            middle = column.name
        below += column.probability
    said = knowledge("theseus").tactic(game, attack)
    assert said == f"Attacks 3118, at about {middle} if hasty."


def test_odds_not_known_yet_are_told_by_their_middle() -> None:
    """Not by the likeliest column, which may be the worst or the best of all."""
    names, shares = ("below", "1:1", "2:1", "3:1"), (0.4, 0.15, 0.15, 0.3)
    columns = tuple(map(Column, names, shares))
    assert in_the_middle(Columns(columns, "", "")) == " at about 1:1"
    assert in_the_middle(Columns(columns[1:], "", "")) == " at about 3:1"
    assert in_the_middle(Columns((Column("2:1", 1), Column("3:1")), "", "")) == " at 2:1"


def test_a_unit_is_activated_for_what_it_is_going_to_do() -> None:
    """Cauldron: to go somewhere, to come onto the map, or for nothing."""
    know, game = knowledge("cauldron"), sandtable.title("cauldron").start(seed="calls")
    who = player("officer", "calls")
    said: set[str] = set()
    for _ in range(400):
        side = game.actor
        assert side is not None
        choice = who.choose(Seat(game, side))
        if isinstance(choice.action, ActivateUnit) and len(game.actions()) > 1:
            unit = game.text(choice.action).split(" ")[1]
            mind = game.resample(side, "calls")
            assert isinstance(mind, Cauldron)
            assert know.tactic(mind, choice.action) == "Uses who can do most just now."
            stays = [game.parse(f"select {unit}"), game.parse(f"done {unit}")]
            idle = know.tactic(mind, choice.action, stays)
            assert idle == "Lets the activation go by: nobody has anything better to do."
            goes = know.tactic(mind, choice.action, [game.parse(f"move {unit} 2803")])
            said.add(goes)
            assert (
                goes == "Brings up a fresh unit."
                if mind.units[choice.action.unit].at < 0
                else "2803" in goes
            )
        game.play(choice.action)
    assert len(said) > 1


@pytest.mark.parametrize("name", ("cauldron", "theseus"))
def test_an_attack_is_called_the_best_at_hand_only_if_it_is(name: str) -> None:
    """By its exact odds, and among several.

    In Battleaxe something else always speaks for an attack; Gallop tells its odds only when made.
    """
    title, know = sandtable.title(name), knowledge(name)
    game = title.start(seed="attacks")
    players = {side: player("recruit", f"attacks|{side}") for side in title.sides}
    called = {True: 0, False: 0}
    while not all(called.values()):
        side = game.actor
        assert side is not None
        edges = {
            each: odds.chance_for(side) - odds.chance_for(title.other(side))
            for each in game.actions()
            if type(each).__name__ in ("Attack", "AttackWith") and (odds := game.odds(each))
        }
        for attack, edge in edges.items():
            best = "no attack at hand has better odds" in know.tactic(game, attack)
            called[best] += len(edges) > 1
            assert not best or (len(edges) > 1 and 0 < edge == max(edges.values()))
        game.play(players[side].choose(Seat(game, side)).action)


def test_the_best_of_bad_attacks_is_not_recommended_by_its_odds() -> None:
    game = duel(1, '"21Pz.3", "21Pz.104"', '"3.RTR/4", "5.RTR/4", "8.H/4"')
    attacks = [each for each in game.actions() if isinstance(each, th.Attack | th.AttackWith)]
    assert len(attacks) > 1 and all(game.odds(each).edge_for("axis") < 0 for each in attacks)
    assert not any("because" in knowledge("theseus").tactic(game, each) for each in attacks)


def test_bad_odds_are_refused_in_so_many_words() -> None:
    game = duel(1, '"21Pz.3"', '"3.RTR/4", "5.RTR/4", "8.H/4"')
    said = knowledge("theseus").tactic(game, game.parse("end"))
    assert re.fullmatch(r"Refuses bad odds: the best attack would be at (about )?\S+\.", said)


def test_good_odds_are_not_called_bad() -> None:
    """An attack that is left may still be likelier to go well than badly."""
    game = duel(4, '"I/5"', '"KDG"')
    said = refusal(game, lambda _: -1.0, th.Attack, "")
    assert re.fullmatch(r"The best attack, at (about )?\S+, is not worth its price\.", said)
    assert refusal(game, lambda _: 1.0, th.Attack, "") == "Leaves it at that."


def test_an_assault_is_told_by_where_its_plan_leads() -> None:
    """Not by the target that tempts most, and without any if no unit is to stir."""
    game = sandtable.title("battleaxe").start(seed="assault")
    while not any(each.verb == "assault" for each in game.actions()):
        game.play(game.actions()[0])
    assault = game.parse("assault D")
    begun = game.copy()
    begun.play(assault)
    move, end = begun.parse("move 6RTR 11"), begun.parse("end")
    tactic = knowledge("battleaxe").tactic
    assert tactic(game, assault, (move, end)) == "Moves to take Sidi Omar (11), which scores."
    assert tactic(game, assault, (end,)).startswith("Marks time")
    assert tactic(game, assault) != tactic(game, assault, (end,))


@pytest.mark.parametrize("name", TITLES)
def test_advice_names_a_tactic(name: str) -> None:
    """Whoever asks for a hint hears the tactic first."""
    game = sandtable.title(name).start(seed="advice")
    heard = 0
    for _ in range(60):
        side = game.actor
        assert side is not None
        choice = player("officer", "advice").choose(Seat(game, side))
        if len(game.actions()) > 1:
            know = Officer("advice").knowledge(name, side)
            told = know.tactic(game.resample(side, "advice|why"), choice.action)
            # Where the sentence follows the plan.
            planned = choice.action.verb in PLANNED.get(name, ())
            assert planned or choice.reason.startswith(told)
            heard += bool(told)
        game.play(choice.action)
    assert heard > 10


@pytest.mark.parametrize("name", TITLES)
def test_recruits_say_why_too(name: str) -> None:
    """Whoever plays against one reads the tactic, if the enemy could tell it as well."""
    game = sandtable.title(name).start(seed="recruit")
    players = {side: player("recruit", f"why|{side}") for side in game.title.sides}
    heard = 0
    for _ in range(60):
        side = game.actor
        assert side is not None
        choice = players[side].choose(Seat(game, side, listened=True))
        assert choice.heard in choice.reason
        heard += bool(choice.heard)
        game.play(choice.action)
    assert heard > 5


def said(game: Game, text: str, *plan: str) -> str:
    """What is said of an action, with the plan that it begins."""
    following = tuple(map(game.parse, plan))
    return knowledge(game.title.id).tactic(game, game.parse(text), following)


def after(game: Game, *texts: str) -> Game:
    """The game that comes of some actions."""
    new = game.copy()
    for text in texts:
        new.play(new.parse(text))
    return new


# Theseus.

SIGHT = "8.RTR 3118 of:1SA, 1.SA 3118, 1SA.HQ 3217, I/5 3018, 21Pz.HQ 2920"
ASKED = {key: way for key, way in theseus.QUIET.items() if "challenge" not in key}


# The Gazala Gallop.


# Cauldron, and all.


class Blank(Officer):
    """One that has no sentence for anything."""

    def knowledge(self, title: str, side: str) -> Knowledge:
        known: Any = copy(super().knowledge(title, side))
        known.tactic = lambda *_: ""
        return cast(Knowledge, known)


def test_no_figures_are_heard_alone() -> None:
    """Without what is done, nobody knows what goes well or badly."""
    begun = gallop.position("15Pz J14, 4Arm J15", "axis attacks")
    game = after(begun, "attack J15", "join 15Pz 7")
    seat = Seat(game, "axis", listened=True)
    assert "to go well" in Officer("figures").choose(seat).heard
    assert "to go well" in Blank("figures").choose(seat).reason
    assert "to go well" not in Blank("figures").choose(seat).heard
