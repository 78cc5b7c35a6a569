"""Opponents name the tactic that an action serves, as a wargamer would."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from importlib import import_module
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace
from tests.players.test_hex_tactics import duel
from tests.titles.battleaxe import tables as battleaxe
from tests.titles.cauldron import helpers as cauldron
from tests.titles.gallop import tables as gallop
from tests.titles.theseus import tables as theseus

import sandtable
from sandtable.kernel.actions import Action, Space, UnitId
from sandtable.kernel.game import Game
from sandtable.kernel.sheets import Column, Columns
from sandtable.players import Seat, player
from sandtable.players.knowledge import Knowledge, knowledge
from sandtable.players.knowledge.battleaxe import Thumb as BattleaxeThumb
from sandtable.players.knowledge.cauldron import Field as CauldronField
from sandtable.players.knowledge.cauldron import Thumb as CauldronThumb
from sandtable.players.knowledge.cauldron_reasons import tactic as cauldron_tactic
from sandtable.players.knowledge.gallop_field import field_of
from sandtable.players.knowledge.reasons import figures, in_the_middle, refusal
from sandtable.players.knowledge.theseus import Thumb
from sandtable.players.knowledge.theseus_reasons import goes, purpose
from sandtable.players.officer import Officer
from sandtable.titles.battleaxe import actions as bd
from sandtable.titles.battleaxe.state import Game as Battleaxe
from sandtable.titles.cauldron import actions as kd
from sandtable.titles.cauldron.actions import ActivateUnit
from sandtable.titles.cauldron.retreat import Retreats
from sandtable.titles.cauldron.state import Game as Cauldron
from sandtable.titles.gallop import actions as gd
from sandtable.titles.gallop.actions import Done, MoveTo
from sandtable.titles.gallop.state import Game as Gallop
from sandtable.titles.theseus import actions as th
from sandtable.titles.theseus.activation import Acting
from sandtable.titles.theseus.choices import Escalation
from sandtable.titles.theseus.facts import FormationId
from sandtable.titles.theseus.schema import AXIS
from sandtable.titles.theseus.snafu import Roll

TITLES = ("battleaxe", "gallop", "cauldron", "theseus")
NAMED = {
    "battleaxe": (
        "Attacks",
        "Concentrates before attacking",
        "Exploits: goes on",
        "Guards",
        "Holds the place",
        "Refuses bad odds",
        "Takes",
    ),
    "gallop": (
        "Attacks",
        "Concentrates before attacking",
        "Exploits: nobody bars the way",
        "Guards",
        "Holds the works",
    ),
    "cauldron": (
        "Attacks",
        "Concentrates",
        "Exploits: goes after the enemy",
        "Holds",
        "Opens a breach",
        "Refuses bad odds",
        "Takes",
    ),
    "theseus": (
        "Attacks",
        "Concentrates",
        "Exploits its victory",
        "Guards the supply line",
        "Holds",
        "Opens a breach",
        "Refuses bad odds",
    ),
}
"""Tactics that every wargamer knows, by what their sentence begins with."""
SILENT: set[type[Action]] = {th.Done, th.Dummy}
"""What needs no reason: nothing is done, or a bluff that nobody is to hear of."""
PLANNED = {
    "battleaxe": {"activate", "assault", "move"},
    "gallop": {"move"},
    "cauldron": {"activate-unit", "select"},
    "theseus": {"attack", "attack-with", "move", "move-stack", "to"},
}
"""Actions whose tactic is what their plan comes to."""


@pytest.mark.parametrize(
    "name", ("battleaxe", "gallop", "cauldron", pytest.param("theseus", marks=pytest.mark.heavy))
)
def test_officers_name_their_tactics(name: str) -> None:
    """They concentrate, hold and exploit; they guard, breach and refuse where a title asks for it.

    Gallop tells the odds of an attack only when it is made, and so of no bad ones refused.
    """
    title, missing = sandtable.title(name), set(NAMED[name])
    for seed in range(4):
        if not missing:
            break
        game = title.start(seed=f"reasons-{seed}")
        players = {side: player("officer", f"{seed}|{side}") for side in title.sides}
        while not game.outcome:
            side = game.actor
            assert side is not None
            action = players[side].choose(Seat(game, side)).action
            if len(game.actions()) > 1:
                know = Officer("").knowledge(name, side)
                text = know.tactic(game.resample(side, "why"), action)
                assert bool(text) != (type(action) in SILENT), action
                assert not text or re.fullmatch(r"[A-Z][^{}]*[^ ]\.", text), text
                missing -= {each for each in missing if text.startswith(each)}
            game.play(action)
    assert not missing


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


def test_an_attack_is_told_with_the_chances_of_the_kind_it_is_to_be() -> None:
    """Theseus 7.5.1.C It is declared as a hasty one; without a plan its kind is open."""
    game, know = duel(4, '"I/5"', '"KDG"'), knowledge("theseus")
    attack = game.parse("attack 3018 3118")
    after = game.copy()
    after.play(attack)
    while not isinstance(after.step, Escalation):
        after.play(after.actions()[0])
    strike = after.parse("strike prepared")
    assert know.chances(game, attack) == ""
    told = know.chances(game, attack, (strike,))
    assert told == know.chances(after, strike) != know.chances(after, after.parse("strike hasty"))
    assert " if prepared" in know.tactic(game, attack, (strike,))
    poor = duel(1, '"I/5"', '"KDG"')
    assert know.chances(poor, attack) == figures(poor.odds(attack), poor.actor) != ""


def test_the_units_that_join_count_in_what_is_told_of_an_attack() -> None:
    game, know = duel(4, '"I/5", "II/5"', '"KDG"'), knowledge("theseus")
    alone, both = game.parse("attack-with I/5 3118"), game.parse("attack 3018 3118")
    joined = game.copy()
    joined.play(alone)
    plan = (joined.parse("join II/5"), joined.parse("assault"))
    told = know.tactic(game, both).partition(" if ")[0]
    assert know.tactic(game, alone, plan).startswith(told)
    assert not know.tactic(game, alone).startswith(told)
    assert know.tactic(joined, joined.parse("assault")) == "Goes in with these alone."


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
            alone = know.tactic(mind, choice.action)
            assert alone == "Brings up a fresh unit." or alone.startswith("Uses ")
            stays = [game.parse(f"select {unit}"), game.parse(f"done {unit}")]
            select = stays[0]
            assert know.tactic(mind, select) == "Turns to the next unit that may act."
            assert know.tactic(mind, select, stays[1:]) == know.tactic(mind, choice.action, stays)
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
    # A first leg says where it leads, lest it seems to be the way itself.
    first, on = begun.parse("move 2RTR 5"), begun.parse("move 2RTR 10")
    by = "Takes Gabr el-Gerrari (10), by way of Bir el-Hurush (5)."
    assert tactic(begun, first, (on, end)) == by
    assert tactic(begun, first, (move, end)) == "Takes Bir el-Hurush (5)."
    assert tactic(game, assault, (end,)).startswith("Marks time")
    # Nor if another Area is activated in which nobody stirs either.
    idle = (game.parse("activate 11"), end)
    assert tactic(game, assault, idle).startswith("Marks time")
    # A Regroup in which nobody moves closes nothing up.
    regroup = game.parse("regroup")
    closing = game.copy()
    closing.play(regroup)
    shift = next(each for each in closing.actions() if each.verb == "shift")
    assert tactic(game, regroup, (shift, end)) == "Closes up rather than attack."
    assert tactic(game, regroup, (end,)).startswith("Marks time")
    assert tactic(game, assault).startswith("Has an eye on ")
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


def choices(name: str, level: str, count: int) -> Iterator[Game]:
    """The positions of a game in which several actions are open."""
    game = sandtable.title(name).start(seed="choices")
    players = {side: player(level, f"choices|{side}") for side in game.title.sides}
    for _ in range(count):
        side = game.actor
        if side is None:
            return
        if len(game.actions()) > 1:
            yield game
        game.play(players[side].choose(Seat(game, side)).action)


# Battleaxe.


def test_who_sets_up_names_what_scores_before_him_if_anything_does() -> None:
    game = sandtable.title("battleaxe").start(seed="setup")
    assert said(game, "setup 11H D") == "Starts beside Sidi Omar (11), which scores."
    assert said(game, "setup 11H B") == "Starts from Sofafi (B)."


def test_losses_and_refits_are_told_with_what_else_was_open() -> None:
    told: Counter[str] = Counter()
    for game in choices("battleaxe", "officer", 400):
        offers = game.actions()
        assert isinstance(game, Battleaxe)
        tempts = BattleaxeThumb(game).tempts
        best = max((tempts(each) for each in offers if isinstance(each, bd.Refit)), default=0)
        for action in offers:
            text = knowledge("battleaxe").tactic(game, action)
            if isinstance(action, bd.Absorb):
                others = [each for each in offers if isinstance(each, bd.Absorb)]
                back = any(each.how == "retreat" for each in others)
                assert (" rather than give ground" in text) == (back and action.how != "retreat")
                another = any(each.unit != action.unit for each in others)
                assert " rather than another" not in text or (another and not back)
                told[text.split(" ")[0]] += 1
            elif isinstance(action, bd.Refit):
                whole = tempts(action) == best
                assert (text == "Brings back what is worth most.") == whole
                told["best" if whole else "other"] += 1
            elif isinstance(action, bd.Rebuild):
                cv = game.data.unit_facts[action.unit].cv[1]
                most = max(
                    game.data.unit_facts[each.unit].cv[1]
                    for each in offers
                    if isinstance(each, bd.Rebuild)
                )
                assert ("the strongest" in text) == (cv == most)
                told["strongest" if cv == most else "weaker"] += 1
    assert {"Gives", "Reduces", "best", "other", "strongest", "weaker"} <= set(told)


def test_the_last_night_is_the_last() -> None:
    for turn, extended, last in ((2, False, False), (3, False, True), (3, True, False)):
        game = battleaxe.position("7RTR C, 1/8 18", turn=turn)
        game.options = {**game.options, "extended": extended}
        told = knowledge("battleaxe").tactic(game, bd.ExtraReplacement())
        assert ("the last night" in told) == last


def test_every_use_of_the_advantage_has_a_sentence() -> None:
    game, know = battleaxe.position("7RTR C, 1/8 18"), knowledge("battleaxe")
    unit = UnitId(game.data.unit("7RTR"))
    for action in (
        bd.TigerCubs(unit),
        bd.Reserves(unit),
        bd.Recover(unit),
        bd.Intercept(),
        bd.DeclareRommel(),
        bd.DeclareFuelShortage(),
    ):
        assert know.tactic(game, action)


# Theseus.

SIGHT = "8.RTR 3118 of:1SA, 1.SA 3118, 1SA.HQ 3217, I/5 3018, 21Pz.HQ 2920"
ASKED = {key: way for key, way in theseus.QUIET.items() if "challenge" not in key}


def test_an_assignment_is_not_doubted_for_the_sake_of_levels() -> None:
    game = after(theseus.acting("21Pz", SIGHT, orders=ASKED), "attack 3018 3118")
    assert said(game, "decline") == "Does not doubt it."
    ask = {key: way for key, way in theseus.QUIET.items() if "reaction" not in key}
    units = "I/5 2918, 21Pz.HQ 2920, 1.SA 3118, 1SA.HQ 3217"
    game = after(theseus.acting("21Pz", units, orders=ask), "move I/5", "to 3018")
    assert said(game, "decline") == "Keeps its levels for activations of its own."
    assert said(game, "react 1SA").startswith("Tries to react")


def test_snafu_is_kept_where_no_die_could_be_worse() -> None:
    game: Any = theseus.acting("21Pz", SIGHT)
    labels = ("passes",) * 5 + ("fails",) * 5
    for value, reason in (
        (9, "No die could be worse for the enemy."),
        (2, "Keeps SNAFU for a die that matters more."),
    ):
        game.stack = (*game.stack, Roll(1 - AXIS, "refit", "7.6", labels=labels, value=value))
        assert knowledge("theseus").tactic(game, th.Keep()) == reason
        # Nothing comes of it, so nobody who watches is kept waiting to read it.
        choice = player("officer", "snafu").choose(Seat(game, game.actor))
        assert choice.action == th.Keep() and not choice.telling


def test_an_enemy_is_not_displaced_for_his_own_good() -> None:
    game = theseus.acting("21Pz", SIGHT)
    know, hex = knowledge("theseus"), Space(theseus.TITLE.data().hex("3217"))
    ours, theirs = theseus.ids(game, "21Pz.HQ", "1.SA")
    covered = Space(theseus.TITLE.data().hex("3018"))
    assert " covered " in know.tactic(game, th.Displace(UnitId(ours), covered))
    told = know.tactic(game, th.Displace(UnitId(theirs), hex))
    assert told == "Sends it where it does least harm."


def test_the_enemy_is_near_who_digs_in_only_if_he_is() -> None:
    for at, reason in (("3118", "the enemy is near"), ("3126", "the enemy is 9 hexes off")):
        game = theseus.acting("21Pz", f"I/5 3018, 21Pz.HQ 2920, 1.SA {at}, 1SA.HQ {at}")
        assert said(game, "improve 3018") == f"Digs in at 3018: {reason}."


def test_units_keep_within_command_only_where_orders_reach() -> None:
    units = "I/5 2923, 21Pz.HQ 2920, 1.SA 4026, 1SA.HQ 4026"
    begun = theseus.acting("21Pz", units)
    begun.play(begun.parse("move I/5"))
    mind, (unit,) = Thumb(begun), theseus.ids(begun, "I/5")
    mind.orders.goal.clear()
    told = {True: "", False: ""}
    for each in begun.actions():
        if isinstance(each, th.To) and begun.odds(each) is None:
            gone = begun.copy()
            gone.play(each)
            if gone.pieces[unit].hex == each.hex:
                told[gone.situation.in_command(gone, unit)] += goes(mind, each.hex)
    assert "within command" in told[True] and "out of its HQ's reach" not in told[True]
    assert "out of its HQ's reach" in told[False] and "within command" not in told[False]


def test_the_weight_of_the_attack_goes_to_whom_it_goes() -> None:
    units = "21Pz.HQ 1020, I/5 1020, II/5 1021, 15Pz.HQ 1022, I/8 1022 1, 7Armd.HQ 3417"
    game = theseus.position(units, point={"phase": "organisation"}, schwerpunkt="Ariete")
    assert said(game, "schwerpunkt 21Pz").endswith("to the strongest.")
    assert said(game, "schwerpunkt 15Pz").endswith("to 15. Panzer-Division.")


def test_nobody_guards_what_the_enemy_holds() -> None:
    """Nor covers it: who is sent there has to fight for it."""
    data = theseus.TITLE.data()
    formation, goal = data.formation("21Pz"), data.hex("2816")
    for at, verb in (("3012", "guard"), ("2816", "open")):
        units = f"I/5 2612, 21Pz.HQ 2613, 1.SA {at}, 1SA.HQ 3013"
        mind = Thumb(theseus.acting("21Pz", units))
        mind.orders.goal[formation] = goal
        mind.orders.posts = {goal: 0.5}
        mind.orders.menaces = set()
        assert purpose(mind, formation) == f"to {verb} the supply line at 2816"
    formation, goal = data.formation("1Armd"), data.hex("3012")
    for at, verb in (("2612", "cover"), ("3012", "win back")):
        units = f"21Pz.104 {at}, 21Pz.HQ 2613, 201.Gds 3212, 1Armd.HQ 3213"
        mind = Thumb(theseus.acting("1Armd", units))
        mind.orders.goal[formation] = goal
        assert purpose(mind, formation) == f"to {verb} 3012 Knightsbridge"


def test_a_retreat_before_combat_closes_up_to_nobody() -> None:
    orders = {key: way for key, way in theseus.QUIET.items() if "withdraw" not in key}
    units = "I/5 3018, 21Pz.HQ 2920, KDG 3118, 7Armd.HQ 3217"
    begun = theseus.acting("21Pz", units, orders=orders, dice=[1, 10])
    game = after(begun, "attack 3018 3118", "withdraw")
    told = {said(game, text) for text in map(game.text, game.actions()) if text[:3] == "to "}
    assert told and all(each.startswith("Falls back to ") for each in told)


def test_an_hq_is_fed_covered_and_in_reach_only_if_it_is() -> None:
    """Of every hex it may go to, as it stands when it has gone there."""
    units = "I/5 2923, II/5 2924, 21Pz.104 2824, 21Pz.HQ 2923, 1.SA 3118, 1SA.HQ 3118"
    begun: Any = after(theseus.acting("21Pz", units), "move 21Pz.HQ")
    (hq, *others) = theseus.ids(begun, "21Pz.HQ", "I/5", "II/5", "21Pz.104")
    seen: set[tuple[str, bool]] = set()
    for action in begun.actions():
        gone = begun.copy()
        gone.play(action)
        if not isinstance(action, th.To) or gone.pieces[hq].hex != action.hex:
            continue
        text = knowledge("theseus").tactic(begun, action)
        heed = sum(gone.situation.in_command(gone, unit) for unit in others)
        for word, true in (
            ("HQ fed", gone.situation.in_supply(gone, hq)),
            ("covered", bool(gone.combat_units(action.hex))),
            ("in reach of its units", heed == len(others)),
            (f"in reach of {heed} of its 3 units", 0 < heed < len(others)),
        ):
            assert (word in text) == true, text
            seen.add((word.replace(str(heed), "some"), true))
        assert ("out of supply" in text) == (heed > 0 and not gone.situation.in_supply(gone, hq))
    assert len(seen) >= 7


def test_an_hq_is_told_by_where_its_plan_leads() -> None:
    units = "I/5 2923, II/5 2924, 21Pz.HQ 2923, 1.SA 3118, 1SA.HQ 3118"
    game = theseus.acting("21Pz", units)
    begun = after(game, "move 21Pz.HQ")
    know, move, to = knowledge("theseus"), game.parse("move 21Pz.HQ"), begun.parse("to 2924")
    assert know.tactic(game, move, (to,)) == know.tactic(begun, to)
    assert " covered " in know.tactic(begun, to)
    assert know.tactic(game, move) == "Looks for a better place for the HQ."


def test_a_victory_is_exploited_by_the_victors_who_go_on() -> None:
    units = "I/5 2923, 21Pz.HQ 2923, 1.SA 4026, 1SA.HQ 4026"
    plain = after(theseus.acting("21Pz", units), "move I/5")
    won: Any = plain.copy()
    (unit,) = theseus.ids(won, "I/5")
    won.stack = tuple(
        replace(each, units=(unit,), bonus=1) if isinstance(each, Acting) else each
        for each in won.stack
    )
    mind = Thumb(won)
    goal = mind.orders.goal[mind.game.pieces[unit].parent]
    way = mind.way(goal)
    told = {True: 0, False: 0}
    for action in plain.actions():
        if isinstance(action, th.To):
            assert "Exploits" not in knowledge("theseus").tactic(plain, action)
            exploits = "Exploits" in goes(mind, action.hex)
            told[exploits] += 1
            assert not exploits or way[action.hex] < way[won.pieces[unit].hex]
    assert all(told.values())


def test_who_falls_back_in_theseus_is_out_of_reach_only_if_he_is() -> None:
    game: Any = theseus.acting("21Pz", SIGHT)
    mind, know = Thumb(game), knowledge("theseus")
    far = [hex for hex, fire in enumerate(mind.field.fire) if not fire]
    for hex, out in ((far[0], True), (game.data.hex("3018"), False)):
        told = know.tactic(game, th.RetreatTo(Space(hex)))
        assert (told == "Gets out of the enemy's reach.") == out


# The Gazala Gallop.


def test_who_is_woken_is_the_nearest_or_the_strongest_only_if_he_is() -> None:
    told: Counter[str] = Counter()
    for game in choices("gallop", "recruit", 250):
        assert isinstance(game, Gallop)
        wake = [each.unit for each in game.actions() if isinstance(each, gd.Activate)]
        foes = [game.pieces[foe].hex for foe in game.on_map("axis")]
        far = {
            unit: min(game.facts.board.ring(game.pieces[unit].hex)[foe] for foe in foes)
            for unit in wake
        }
        for unit in wake:
            text = knowledge("gallop").tactic(game, gd.Activate(unit))
            told[re.sub(r"\d+", "some", text)] += 1
            assert ("nearest" in text) == (far[unit] == min(far.values()))
            assert "hexes from" not in text or f" {far[unit]} hexes" in text
            most = max(game.book[each].attack for each in wake)
            assert "strongest" not in text or game.book[unit].attack == most
    assert set(told) == {
        "Wakes who is nearest to the enemy.",
        "Wakes the strongest who is still asleep.",
        "Wakes who is some hexes from the enemy.",
    }


def test_the_strength_of_who_lies_face_down_is_not_told() -> None:
    units = "2SA C13 asleep{0}, 150 H6 asleep{0}, 1FF N16 asleep{0}, 15Pz H5"
    told = set()
    for face in ("", " down"):
        game = gallop.position(units.format(face), "allied activation")
        for unit in ("2SA", "150", "1FF"):
            told.add((face, said(game, f"activate {unit}")))
    assert ("", "Wakes the strongest who is still asleep.") in told
    assert not any(face and "strongest" in text for face, text in told)


@pytest.mark.parametrize(
    ("units", "stage", "move", "reason"),
    [
        ("15Pz B4, 1SA N17", "axis", "15Pz A5", "where the Allies would win at once"),
        ("1SA F12, 15Pz B4", "allied", "1SA F14", "the supply dump"),
        ("4Arm K16, 15Pz B4", "allied", "4Arm K18", "a source of supply"),
        ("4Arm D10, 15Pz B4", "allied", "4Arm C13", "which counts"),
    ],
)
def test_a_guard_is_told_what_it_guards(units: str, stage: str, move: str, reason: str) -> None:
    game = gallop.position(units, f"{stage} movement")
    text = said(game, f"move {move}")
    assert text.startswith("Guards ") and text.endswith(f", {reason}, so that nobody walks in.")


def test_an_open_way_to_an_objective_is_exploited_not_guarded() -> None:
    """Unless the enemy stands beside it."""
    for units, stage, move, start in (
        ("15Pz F12, 1SA N17", "axis", "15Pz F14", "Exploits: nobody bars the way into Belhamed"),
        ("15Pz F12, 1SA F15", "axis", "15Pz F14", "Makes for Belhamed"),
        ("2Arm C10, 15Pz N17", "allied", "2Arm A5", "Exploits: nobody bars the way into A5"),
    ):
        assert said(gallop.position(units, f"{stage} movement"), f"move {move}").startswith(start)


def test_who_falls_back_in_gallop_is_told_to_be_safest_only_if_he_is() -> None:
    told = {True: 0, False: 0}
    for game in choices("gallop", "recruit", 600):
        assert isinstance(game, Gallop) and game.actor is not None
        back = [each for each in game.actions() if isinstance(each, gd.RetreatTo)]
        fire = field_of(game, game.actor).fire
        for action in back:
            least = min(fire[each.hex] for each in back if each.unit == action.unit)
            text = knowledge("gallop").tactic(game, action)
            safest = text.endswith(("can do least.", "the enemy's reach."))
            assert safest == (fire[action.hex] == least)
            told[fire[action.hex] == least] += 1
    assert all(told.values())


def test_only_who_comes_no_nearer_keeps_away_from_the_enemy() -> None:
    game = sandtable.title("gallop").start(seed="away")
    assert isinstance(game, Gallop)
    players = {side: player("recruit", f"away|{side}") for side in game.title.sides}
    told: Counter[str] = Counter()
    for _ in range(150):
        side = game.actor
        assert side is not None
        action = players[side].choose(Seat(game, side)).action
        if isinstance(action, MoveTo):
            foes = game.on_map(game.title.other(side))
            far = game.facts.board.ring
            then, now = (
                min(far(hex)[game.pieces[foe].hex] for foe in foes)
                for hex in (game.pieces[action.unit].hex, action.hex)
            )
            text = knowledge("gallop").tactic(game, action)
            assert not text.startswith("Keeps away") or now >= then
            assert not text.endswith("hexes from the enemy.") or (str(now) in text and now < then)
            told[text.rpartition(" ")[0].split(" ")[0]] += 1
        game.play(action)
    assert {"Keeps", "Goes"} <= set(told)


def test_an_airstrike_is_near_our_attackers_only_if_they_are() -> None:
    near = gallop.position("15Pz I8, 4Arm I10", "axis airstrike")
    assert said(near, "airstrike I10") == (
        "Strikes I10 from the air, fresh troops near our attackers."
    )
    far = gallop.position("15Pz I2, 4Arm I12", "axis airstrike")
    assert said(far, "airstrike I12") == "Strikes I12 from the air, fresh troops."


def test_only_a_plan_that_attacks_concentrates_before_attacking() -> None:
    game = gallop.position("15Pz K12, 21Pz K13, 90Lt L12, 4Arm I14, 1FF N16", "axis movement")
    end = after(game, "move 15Pz J14", "done")
    attack = end.parse("attack I14")
    told = knowledge("gallop").tactic(game, game.parse("move 15Pz J14"), (attack,))
    assert told == "Concentrates before attacking I14."
    assert "before attacking" not in said(game, "move 15Pz J14", "done")
    assert "before attacking" not in said(game, "move 15Pz J14")


def test_a_convoy_is_sent_to_disrupted_units_so_that_they_recover() -> None:
    hungry = "Ariete N9 disrupted, 1FF K7, 150 H6, 4Arm N16"
    game = gallop.position(hungry, "axis recovery")
    assert gallop.texts(game, "convoy") == {"convoy Ariete"}
    assert said(game, "convoy Ariete").endswith("so that it may recover.")
    game = gallop.position(hungry.replace(" disrupted", ""), "axis supply")
    assert said(game, "convoy Ariete").endswith("so that it does not starve.")


def test_a_move_is_told_with_its_risk_and_no_chance_to_go_well() -> None:
    game, know = gallop.position("2Arm N10", "allied movement"), knowledge("gallop")
    assert know.chances(game, game.parse("move 2Arm N14")) == "50% to break down."
    over = gallop.position("2Arm N10, 15Pz B5", "allied movement")
    assert know.chances(over, over.parse("move 2Arm N11")) == ""


def test_who_gives_no_order_to_stand_is_told_no_chances() -> None:
    """They are the enemy's dice, which lie there when it is read."""
    begun = gallop.position("15Pz J14, 4Arm J15", "axis attacks")
    game = after(begun, "attack J15", "join 15Pz 7", "resolve")
    assert game.odds(game.parse("done")) and not knowledge("gallop").chances(game, Done())
    assert said(game, "done") == "Gives no order to stand, which would bar a retreat."


def test_a_garrison_is_hidden_anew_or_stays() -> None:
    game = gallop.position("2SA C13, 11Ind D13, 15Pz E13", "siege")
    assert said(game, "redeploy") == "Hides anew who stands where in Tobruk."
    assert said(game, "done") == "Leaves the garrison of Tobruk as it stands."


# Cauldron, and all.

AIR = """
turn = "May 28"
phase = "actions"
side = "axis"
[axis]
cup = ["15-PZ/21-PZ", "air"]
actions = 1
[units]
"5/1" = { at = "1622" }
"10-Hus" = { at = "1318" }
"1-RB" = { at = "1901" }
"Bays" = { at = "1902", disrupted = true }
"""


def test_aircraft_strike_the_strongest_only_if_they_do() -> None:
    game = cauldron.position(AIR, 2, 1, 1)
    assert said(game, "air 10-Hus") == "Strikes the strongest enemy who is not shaken yet."
    assert said(game, "air 1-RB") == "Strikes 1 RB, which is not shaken yet."
    assert said(game, "air Bays") == "Strikes Bays, which is shaken already."


def test_who_is_used_in_cauldron_can_do_most_only_if_nobody_can_do_more() -> None:
    told = {True: 0, False: 0}
    for game in choices("cauldron", "recruit", 500):
        kinds = (kd.Activate, kd.ActivateUnit, kd.StepUp)
        mind: Any = None
        for action in game.actions():
            if not isinstance(action, kinds):
                continue
            mind = mind or CauldronThumb(cast(Cauldron, game))
            best = max(mind.tempts(each) for each in game.actions() if type(each) is type(action))
            text = knowledge("cauldron").tactic(game, action)
            if text == "Brings up a fresh unit.":
                continue
            most = mind.tempts(action) == best
            assert ("can do most" in text or "the strongest" in text) == most, text
            told[most] += 1
    assert all(told.values())


def test_who_falls_back_in_cauldron_is_out_of_reach_only_if_he_is() -> None:
    told: Counter[str] = Counter()
    for foe in ("5/1 1911", "5/1 1920"):
        units = cauldron.on_map("10-Hus 1910", "8/2 0118", foe, head='activated = ["8/2"]')
        game = cauldron.position(units)
        game.push(Retreats((cauldron.uid("10-Hus"),)))
        game.settle()
        mind = CauldronThumb(game)
        fire = mind.field.fire
        back = [each for each in game.actions() if isinstance(each, kd.RetreatTo)]
        for action in back:
            text = knowledge("cauldron").tactic(game, action)
            assert ("reach" in text) == (not fire[action.hex])
            least = min(fire[each.hex] for each in back)
            assert not text.endswith("can do least.") or fire[action.hex] == least
            told[text.split(" ")[0]] += 1
    assert {"Falls", "Gets"} <= set(told)


@pytest.mark.parametrize(
    ("name", "actions"),
    [
        ("cauldron", (kd.Eliminate,)),
        ("theseus", (th.HoldWith, th.Follow, th.Enter, th.Replace)),
    ],
)
def test_losses_and_arrivals_have_a_sentence(name: str, actions: Sequence[type[Action]]) -> None:
    module: Any = import_module(f"sandtable.players.knowledge.{name}_reasons")
    assert all(module.SAYINGS.get(each) for each in actions)


def test_who_is_placed_says_how_near_the_enemy_is_if_he_is_there() -> None:
    start = sandtable.title("cauldron").start(seed="place")
    assert knowledge("cauldron").tactic(start, start.actions()[0]).endswith("the enemy comes.")
    for foe, told in (("8/2 0118", "2 hexes from"), ("8/2 0119", "beside")):
        units = cauldron.on_map("10-Hus 1910", foe, head='activated = ["8/2"]')
        game = cauldron.position(units)
        mind = CauldronThumb(game)
        mind.field = CauldronField(game, "allied")
        action = kd.Place(cauldron.uid("10-Hus"), Space(game.facts.board.at("0120")))
        assert cauldron_tactic(mind, action) == f"Stands at 0120, {told} the enemy."


def test_a_loss_is_borne_rather_than_by_another_where_there_is_another() -> None:
    one, other = (kd.Lose(UnitId(unit)) for unit in (1, 2))
    for choices, rather in (([one], ""), ([one, other], " rather than another")):
        mind: Any = SimpleNamespace(game=SimpleNamespace(actions=lambda told=choices: told))
        assert cauldron_tactic(mind, one) == f"Lets this unit bear the loss{rather}."


def test_choices_in_a_theseus_battle_have_a_sentence() -> None:
    game, know = theseus.acting("21Pz", SIGHT), knowledge("theseus")
    (unit,) = theseus.ids(game, "I/5")
    formation = FormationId(theseus.TITLE.data().formation("21Pz"))
    assert know.tactic(game, th.Lead(formation)) == "Lets 21. Panzer-Division lead the defence."
    assert know.tactic(game, th.Oppose(UnitId(unit))) == "Lets I/5 meet the attack."
    assert know.tactic(game, th.Air(0)) == "Keeps its aircraft back."
    assert know.tactic(game, th.Air(2)) == "Commits aircraft to better the odds."
    assign = th.Assign(UnitId(unit), formation)
    assert know.tactic(game, assign) == "Lets I/5 act with 21. Panzer-Division."


def test_who_passes_in_cauldron_says_what_is_passed_over() -> None:
    know, game = knowledge("cauldron"), sandtable.title("cauldron").start(seed="pass")
    players = {side: player("recruit", f"pass|{side}") for side in game.title.sides}
    told = set()
    for _ in range(600):
        side = game.actor
        if side is None:
            break
        for action in game.actions():
            if isinstance(action, kd.Pass | kd.GoFirst):
                told.add(know.tactic(game, action))
        game.play(players[side].choose(Seat(game, side)).action)
    assert "" not in told and {"Begins no breach.", "Lets the enemy begin."} < told


@pytest.mark.parametrize(
    ("name", "verbs"),
    [
        ("battleaxe", {"setup"}),
        ("cauldron", {"place"}),
        ("gallop", {"place", "arrive", "post"}),
    ],
)
def test_counters_that_come_on_are_no_merit(name: str, verbs: set[str]) -> None:
    """That a side is stronger on the map is not what the choice of a hex brings."""
    game, met = sandtable.title(name).start(seed="on"), set()
    players = {side: player("recruit", f"on|{side}") for side in game.title.sides}
    for _ in range(600):
        if game.outcome or game.actor is None:
            break
        choice = players[game.actor].choose(Seat(game, game.actor))
        verb = choice.action.verb
        if verb in verbs and verb not in met and len(game.actions()) > 1:
            met.add(verb)
            assert "lead to" not in player("officer", "on").choose(Seat(game, game.actor)).reason
        assert verb == "end" or knowledge(name).idle([choice.action]) == (verb in verbs)
        game.play(choice.action)
    assert met
    assert knowledge("theseus").idle([th.Enter(UnitId(0), Space(0))])


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
