"""5.3.4, 5.5.2 Limited intelligence: nothing hidden is told, shown or sampled from."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable import conformance
from sandtable.kernel import codec
from sandtable.kernel.actions import UnitId, mentions
from sandtable.kernel.events import Event, Rolled
from sandtable.plain import unit_lines
from sandtable.titles.theseus import events as ev
from sandtable.titles.theseus.combat import Combat
from sandtable.titles.theseus.intelligence import visible
from sandtable.titles.theseus.movement import Movement
from sandtable.titles.theseus.state import Game
from sandtable.titles.theseus.withdrawal import RetreatBefore
from tests.titles.theseus.tables import (
    TITLE,
    acting,
    disrupted,
    ids,
    play,
    position,
    strength,
    texts,
)

OPENS = (ev.AttackDeclared, ev.AttackersShown)
"""These show units by their very nature (5.3.4, 7.5.1.1)."""


def state(game: Game) -> dict[str, Any]:
    """Everything but the dice."""
    found = codec.state(game, secret=False)
    del found["dice"]
    return found


def random_game(seed: int, options: dict[str, bool]) -> tuple[Game, Random]:
    """A game of the campaign or its opening, and the luck to play it with."""
    game = TITLE.start("opening" if seed % 2 else "campaign", options, f"random {seed}")
    assert isinstance(game, Game)
    return game, Random(seed)


def step_on(game: Game, luck: Random) -> list[Event]:
    """One random legal decision."""
    actions = game.actions()
    return game.play(actions[luck.randrange(len(actions))])


@pytest.mark.parametrize("seed", range(4))
def test_5_3_4_samples_of_a_sample_are_samples_of_the_truth(seed: int) -> None:
    """A sample differs from the truth in hidden things alone, so it must lead to the same ones."""
    game, luck = random_game(seed, {"roster": seed == 3})
    compared = 0
    for _ in range(1500):
        if game.outcome:
            break
        if not luck.randrange(12):
            for side in TITLE.sides:
                other = game.resample(side, "other")
                assert state(other.resample(side, "s")) == state(game.resample(side, "s"))
                compared += 1
            conformance.secrecy(game, ["x"], luck)
        step_on(game, luck)
    assert compared > 50


NEAR = (
    "21Pz.104 3018, {first}, 21Pz.HQ 2921, 15Pz.115 2822, {second}, 15Pz.HQ 2823,"
    "7.Mot 3118, 3.RTR/4 3218, 7Armd.HQ 3318"
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("II/5 3018", "I/5 2822"),
        ("I/8 3018", "II/5 2822"),
        ("I/5 3018 disrupted", "II/5 2822"),
        ("II/5 3018 disrupted", "I/5 2822 disrupted"),
    ],
)
def test_5_3_4_hidden_units_next_to_ones_own_are_drawn_anew(first: str, second: str) -> None:
    base = {"I/5", "II/5", "I/8"}
    spare = (base - {first.split()[0], second.split()[0]}).pop()
    point = {"phase": "acting", "formation": "7Armd"}

    def world(first: str, second: str, spare: str) -> Game:
        units = NEAR.format(first=first, second=second) + f", 15Pz.33 2126, {spare} 2126"
        return position(units, point=point, action_points={"commonwealth": 5})

    one, other = world("I/5 3018", "II/5 2822", "I/8"), world(first, second, spare)
    assert one.view("commonwealth") == other.view("commonwealth")
    assert set(one.actions()) == set(other.actions())
    samples = [one.resample("commonwealth", str(n)) for n in range(12)]
    twins = [other.resample("commonwealth", str(n)) for n in range(12)]
    assert [state(each) for each in samples] == [state(each) for each in twins]
    beneath = {each.at[each.data.hex("3018")][1] for each in samples}
    assert len(beneath) > 1
    for each in samples:
        each.check()
        assert each.view("commonwealth") == one.view("commonwealth")


def test_5_3_4_strengths_and_assignments_are_drawn_from_what_is_announced() -> None:
    units = (
        "21Pz.104 3018 {a}, I/5 2921 {b}, 18.Flak 2921 of:{c}, 21Pz.HQ 2921, 15Pz.HQ 2823 {d},"
        "35.Flak 2822 of:{e}, 15Pz.115 2822, 7.Mot 3118, 7Armd.HQ 3318"
    )
    point = {"phase": "acting", "formation": "7Armd"}
    worlds = [
        position(
            units.format(a=a, b=b, c=c, d=d, e=e),
            point=point,
            action_points={"commonwealth": 5},
            dummies=dummies,
        )
        for a, b, c, d, e, dummies in (
            (9, 6, "21Pz", 6, "15Pz", {"21Pz": 1, "15Pz": 1}),
            (11, 4, "15Pz", 5, "15Pz", {"21Pz": 2}),
        )
    ]
    assert worlds[0].view("commonwealth") == worlds[1].view("commonwealth")
    for n in range(8):
        one, other = (world.resample("commonwealth", str(n)) for world in worlds)
        assert state(one) == state(other)
        lost = 11 - strength(one, "21Pz.104") + 7 - strength(one, "I/5") + 11
        assert (
            lost
            - strength(one, "15Pz.115")
            + 4
            - sum(strength(one, flak) for flak in ("18.Flak", "35.Flak"))
            == 3
        )
        assert sum(one.dummies) == 2


def test_6_5_1_samples_do_not_know_where_a_stack_is_going_nor_who_goes() -> None:
    units = "I/5 3018, II/5 3018, 21Pz.HQ 2920, 7.Mot 3118, 7Armd.HQ 3318"
    games = []
    for order, to in (("move I/5", "to 3017"), ("move-stack 3018", "to 2917")):
        game = acting("21Pz", units, orders={})
        play(game, order, to)
        assert game.actor == "commonwealth"  # a reaction is offered
        games.append(game)
    one, other = (game.resample("commonwealth", "s") for game in games)
    assert state(one) == state(other)
    moving = one.stack[-2]
    assert isinstance(moving, Movement) and not moving.path
    play(one, "decline")
    assert one.actor == "axis" and {"to 3017", "to 2917"} <= {
        one.text(action) for action in one.actions()
    }


def test_7_5_1_1_samples_do_not_know_who_attacks_before_it_is_shown() -> None:
    units = "I/5 3018, II/5 3018, 21Pz.104 3018, 21Pz.HQ 2920, 7.Mot 3118, 7Armd.HQ 3318"
    games = []
    for first in ("attack 3018 3118", "attack-with I/5 3118"):
        game = acting("21Pz", units, orders={})
        play(game, first)
        if "assault" in {game.text(action) for action in game.actions()}:
            play(game, "assault")
        assert game.actor == "commonwealth"
        games.append(game)
    one, other = (game.resample("commonwealth", "s") for game in games)
    assert state(one) == state(other)
    combat = next(step for step in one.stack if isinstance(step, Combat))
    assert len(combat.battle.units) == 3


def test_5_3_4_dice_for_hidden_units_name_them_to_their_owner_only() -> None:
    units = "I/5 2623, II/5 2623, 21Pz.HQ 2724, FF.1 2521, FF.HQ 2521"
    game = acting("21Pz", units, dice=[2, 10])
    told = play(game, "move-stack 2623", "to 2622")
    rolls = [event for event in told if isinstance(event, Rolled)]
    assert [roll.place for roll in rolls] == ["I/5", "2623"]
    assert disrupted(game, "II/5") and strength(game, "II/5") == 6
    open_words = [game.sentence(event) for event in told if event.only is None]
    assert not any("II/5" in words for words in open_words)
    assert "A unit in 2623 is disrupted." in open_words
    assert "Axis loses 1 Strength Point." in open_words
    own = [game.sentence(event) for event in told if event.only == "axis"]
    assert "The die is for II/5." in own and "II/5 is disrupted." in own


def test_5_3_4_refits_and_breaches_of_hidden_units_are_told_without_a_name() -> None:
    units = "3.RTR/4 3018, 7.Mot 3018 disrupted, 7Armd.HQ 3118, I/5 1018, 21Pz.HQ 1018"
    game = acting("7Armd", units, dice=[1])
    told = play(game, "refit 7.Mot")
    assert [type(event) for event in told if event.only is None] == [Rolled, ev.Rallied]
    units = "I/5 2622, 21Pz.104 2622, 21Pz.HQ 2724, FF.1 2521, FF.HQ 2521"
    game = acting("21Pz", units, dice=[1])
    told = play(game, "breach 21Pz.104")
    (seen,) = [event for event in told if isinstance(event, ev.BreachSeen)]
    assert seen.only is None and seen.succeeded
    (tried,) = [event for event in told if isinstance(event, ev.BreachTried)]
    assert tried.only == "axis"


@pytest.mark.parametrize("seed", range(6))
def test_5_3_4_no_event_names_a_unit_to_a_side_that_cannot_see_it(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = 0
    log = Game.log

    def spy(game: Game, event: Event) -> None:
        nonlocal named
        log(game, event)
        if isinstance(event, OPENS):
            return
        units = {game.data.piece(name) for name in mentions(event, UnitId, game.data.lexicon)}
        if isinstance(event, Rolled) and event.place in game.data.piece_names:
            units.add(game.data.piece(event.place))
        leaving = isinstance(event, (ev.Eliminated, ev.BrokenUp))
        for unit in units:
            hex = game.pieces[unit].hex
            eyes = [side for side, name in enumerate(TITLE.sides) if event.only in (None, name)]
            for side in eyes:
                named += 1
                assert leaving or hex < 0 or unit in visible(game, hex, side), (event, side)

    monkeypatch.setattr(Game, "log", spy)
    game, luck = random_game(seed, {"roster": seed == 5})
    for _ in range(1500):
        if game.outcome:
            break
        step_on(game, luck)
    assert named > 100


def test_6_4_an_activated_independent_unit_lies_on_top() -> None:
    units = "I/5 3018, Kst.Kiehl 3018, 21Pz.HQ 2920, 7.Mot 3318, 7Armd.HQ 3417"
    game = position(units)
    assert visible(game, game.data.hex("3018"), 1) == ids(game, "I/5")
    play(game, "activate-unit Kst.Kiehl")
    assert visible(game, game.data.hex("3018"), 1) == ids(game, "Kst.Kiehl")


def test_5_3_4_the_sheet_of_a_combat_names_no_hidden_bystander_to_the_defender() -> None:
    units = (
        "3.RTR/4 2707, 7.Mot 2707, 7Armd.HQ 2909,"
        "21Pz.104 2607, 21Pz.3 2607, 18.Flak 2607 of:21Pz, 21Pz.HQ 2506"
    )
    game = acting("7Armd", units, dice=[7, 29])
    play(game, "attack-with 3.RTR/4 2607", "assault")
    own = game.odds(game.parse("strike prepared"))
    assert own is not None
    sheet = game.lay_out(own)
    assert sheet is not None and [part.unit for part in sheet.attacker.left_out] == ["7.Mot"]
    play(game, "strike prepared")
    assert game.actor == "axis"
    told = game.odds(game.actions()[0])
    assert told is not None
    sheet = game.lay_out(told)
    assert sheet is not None and not sheet.attacker.left_out
    assert [part.unit for part in sheet.attacker.parts] == ["3.RTR/4"]


def test_5_3_3_samples_keep_the_hexes_that_have_no_room_for_a_displaced_unit() -> None:
    game = TITLE.start("opening", {"linear_chits": True}, "last-1-367")
    assert isinstance(game, Game)
    course = """dummy 15Pz, dummy Trento, dummy Ariete, schwerpunkt 15Schtz, assign 18.Flak 15Pz,
        assign Kpf.Flak 15Pz, assign KG.Hecker 15Pz, done, activate Trieste, move Trieste.HQ,
        to 2216, to 2115, keep, activate Ariete, move Ariete.III, to 2323, to 2523, to 2424,
        improve 2424, move Ariete.8, to 2123, to 2025, displace Ariete.8 2124, end, reroll,
        transfer, activate 90Le, keep, move 90Le.155, to 1427, improve 1927, move 90Le.580,
        to 2124, to 2225, to 1926, improve 1427, move 90Le.288, to 1727, to 1725, halt,
        move 90Le.155, to 1924"""
    play(game, *(" ".join(each.split()) for each in course.split(",")))
    assert game.actor == "commonwealth" and "displace 90Le.155 2025" not in texts(game)
    for seed in range(20):
        assert texts(game.resample("commonwealth", str(seed))) == texts(game)


@pytest.mark.parametrize("post", ["", "2SA.HQ 3118, "])
def test_7_5_1_1_samples_have_somebody_who_attacks_even_beneath_an_hq(post: str) -> None:
    """5.5.2 An HQ does not fight, so the unit with a hidden assignment must be of its formation."""
    units = post + "9.Ind 3118 of:2SA, 5Ind.HQ 3319, 90Le.580 3018, 90Le.HQ 2920"
    units += "" if post else ", 2SA.HQ 3218"
    game = acting("2SA", units, dummies={"5Ind": 3}, orders={})
    play(game, "attack 3118 3018")
    assert game.actor == "axis" and "withdraw" in {text.split()[0] for text in texts(game)}
    for seed in range(12):
        sample = game.resample("axis", str(seed))
        battles = [step.battle for step in sample.stack if isinstance(step, Combat | RetreatBefore)]
        assert [battle.units for battle in battles] == [ids(game, "9.Ind")] * 2
        assert sample.pieces[battles[0].units[0]].parent == game.data.formation("2SA")
        play(sample, "stand")


def test_dice_name_their_unit_as_its_counter_does() -> None:
    game = position("FF.1 2521, FF.HQ 2521")
    roll = Rolled("effectiveness", (3,), "commonwealth", "FF.1", rule="7.5.2")
    assert game.rolled_for(roll) == "the Effectiveness Check of FF 1"


def test_hidden_strength_is_not_called_nothing() -> None:
    game = position("I/5 2623, FF.1 2521, FF.HQ 2521")
    said = "\n".join(unit_lines(game.view("axis"), TITLE))
    assert "7 of 7 steps" in said and "0 of" not in said
    assert any(
        "steps at full strength" in line for line in unit_lines(game.view("axis"), TITLE, "FF.1")
    )
