"""Chapter 9: movement."""

from __future__ import annotations

import sandtable
from sandtable.boards.bits import bits
from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.rules import first_broken
from sandtable.titles.battleaxe.actions import Move
from sandtable.titles.battleaxe.movement import MOVE_RULES, Asked, Assault, entry_cost
from sandtable.titles.battleaxe.state import Game

from .tables import holder, play, position, refused, texts, where


def cost(game: Game, side: int, space: str) -> int:
    return entry_cost(game, side, game.data.space(space))


def test_9_1_units_move_one_at_a_time() -> None:
    game = position("2RTR D, 6RTR D, 1/8 18")
    play(game, "assault D", "move 2RTR 5", "move 6RTR 5")
    assert refused(game, "move 2RTR 4").rule == "9.1"
    play(game, "move 6RTR 4")
    assert where(game, "6RTR") == "4"


def test_9_1_1_only_units_of_the_active_area_act() -> None:
    game = position("2RTR D, 7RTR C, 1/8 18")
    play(game, "assault D")
    assert refused(game, "move 7RTR 3").rule == "9.1.1"


def test_9_1_2_combined_operations_together() -> None:
    """9.1.2 Two Areas activated at once may join in one attack."""
    game = position(
        "7RTR 15, 1/8 18, 2/8 14",
        side="axis",
        advantage="nobody",
        allied_artillery=0,
        axis_artillery=0,
    )
    play(game, "assault 18", "activate 14", "move 1/8 15", "move 2/8 15")
    assert refused(game, "activate 15").rule == "9.1.2", "two Areas, not more"
    odds = game.odds(game.parse("attack 15 1/8"))
    assert odds and any(line.name == "other attacking units" for line in odds.modifiers)


def test_9_1_2_combined_operations_one_after_the_other() -> None:
    """9.1.2 Sequentially, the first Area has finished; no unit activates twice."""
    game = position("7RTR D, 1/8 18, 2/8 18, 33 14", side="axis", advantage="nobody")
    play(game, "assault 18", "move 1/8 14", "activate 14")
    assert refused(game, "move 2/8 19").rule == "9.1.2"
    assert refused(game, "move 1/8 19").rule == "9.1.2"
    play(game, "move 33 19")
    assert where(game, "33") == "19"


def test_9_1_2_not_for_the_allies_nor_without_fuel() -> None:
    """9.1.2, 14.1.1 Only the Axis, and only with fuel."""
    allied = position("2RTR D, 7RTR C, 1/8 18")
    play(allied, "assault D")
    assert refused(allied, "activate C").rule == "9.1.2"
    dry = position("7RTR D, 1/8 18, 33 14", side="axis", advantage="nobody", fuel_low=True)
    play(dry, "assault 18")
    assert refused(dry, "activate 14").rule == "14.1.1"


def test_9_2_costs() -> None:
    """9.2 One, two beside an enemy, three or four among enemies, all for a Zone."""
    game = position("2RTR D, 1/8 18, 33PAK 9, 206A 9 reduced, 1/62 15 reduced")
    assert cost(game, 0, "5") == 1
    assert cost(game, 0, "4") == 2
    assert cost(game, 0, "15") == 3
    assert cost(game, 0, "9") == 4
    assert cost(game, 0, "E") == 99


def test_9_2_dossier_reach_from_the_start() -> None:
    """9.2 From Zone C, Bir Nuh 1, Sidi Suleiman 2; from Zone D, Sidi Azeiz for an armored car."""
    game = sandtable.title("battleaxe").start(seed="x", options={"historical_setup": True})
    assert isinstance(game, Game)
    assert cost(game, 0, "3") == 1 and cost(game, 0, "4") == 2
    play(game, "assault D", "move 11H 11", "move 11H 12", "move 11H 19")
    assert where(game, "11H") == "19" and holder(game, "19") == "allied"


def test_9_2_a_unit_that_has_not_moved_may_always_enter_one_area() -> None:
    game = position("deFR 17, 7RTR 8", side="axis", advantage="nobody")
    play(game, "assault 17")
    assert "move deFR 8" in texts(game), "four Movement Factors asked of three"
    spent = position("2RTR D, 33PAK 9, 208I 13, 1/8 18")
    play(spent, "assault D", "move 2RTR 5", "move 2RTR 10", "move 2RTR 12")
    assert refused(spent, "move 2RTR 13").rule == "9.2"


def test_9_2_entering_an_enemy_area_ends_movement() -> None:
    game = position("2RTR D, 1/62 5 reduced, 33PAK 9")
    play(game, "assault D", "move 2RTR 5")
    assert refused(game, "move 2RTR 4").rule == "9.2"
    assert refused(game, "end").rule == "11.1"


def test_9_2_zones_take_all_movement() -> None:
    """9.2, 9.3.3 A unit that has spent anything may not enter a Zone."""
    game = position("2RTR 4, 1/8 18")
    play(game, "assault 4", "move 2RTR 5")
    assert refused(game, "move 2RTR D").rule == "9.2"
    fresh = position("2RTR 5, 1/8 18")
    play(fresh, "assault 5", "move 2RTR D")
    assert not any(text.startswith("move 2RTR") for text in texts(fresh))


def test_9_2_1_results_may_be_awaited_and_attacked_areas_are_closed() -> None:
    game = position(
        "2RTR 4, 6RTR 4, 33PAK 9, 1/62 8",
        advantage="nobody",
        allied_artillery=0,
        axis_artillery=0,
        dice=(1, 1, 6, 6),
    )
    play(game, "assault 4", "move 2RTR 8", "attack 8 2RTR", "air no", "resolve", "stand")
    assert where(game, "2RTR") == "4"
    assert refused(game, "move 6RTR 8").rule == "9.2.1"
    assert "move 6RTR 9" in texts(game), "another Area is still open"


def test_9_3_2_no_unit_crosses_an_escarpment() -> None:
    game = position("1/11 1, 7RTR C, 1/8 18")
    play(game, "assault 1")
    assert refused(game, "move 1/11 7").rule == "9.3.2"


def test_9_3_3_zones_are_left_by_their_lines_only() -> None:
    game = position("1/11 A, 1/8 18")
    play(game, "assault A")
    assert refused(game, "move 1/11 6").rule == "9.3.3"
    assert "move 1/11 1" in texts(game)


def test_9_3_4_a_contested_area_is_left_to_a_free_one_first() -> None:
    """9.3.4, 9.2 Besiegers may leave to G; the garrison may not."""
    game = position("9AUS H, XX H, 1/5 G")
    play(game, "assault H")
    assert refused(game, "move 9AUS G").rule == "9.3.4"
    axis = position("9AUS H, XX H, 1/5 G", side="axis", advantage="nobody")
    play(axis, "assault H")
    assert "move XX G" in texts(axis)


def test_9_3_4_then_it_may_go_on_to_enemies() -> None:
    held = [*"ABCDH", "4", "8"]
    game = position("2RTR 8, 1/62 8, 7RTR 4, 33PAK 9", allied_held=held)
    play(game, "assault 8", "move 2RTR 4")
    assert "move 2RTR 9" in texts(game)


def test_9_1_the_fast_moves_agree_with_the_rules() -> None:
    """9.1, 9.2, 9.3.1 Every unit and space: listed exactly when no rule objects."""
    title = sandtable.title("battleaxe")
    compared = 0
    for seed in range(12):
        game = title.start(seed=str(seed))
        assert isinstance(game, Game)
        picks = game.dice
        while game.outcome is None:
            step = game.stack[-1]
            legal = game.actions()
            if isinstance(step, Assault):
                listed = {action for action in legal if isinstance(action, Move)}
                for at, one in enumerate(game.units):
                    if one.space < 0 or game.data.side_of[at] != step.side:
                        continue
                    for to in bits(game.data.board.all):
                        move = Move(UnitId(at), Space(to))
                        ask = Asked(game, step, move.unit, move.space)
                        assert (first_broken(MOVE_RULES, ask) is None) == (move in listed)
                        compared += 1
            (face,), picks = picks.draw("pick", "", (len(legal),))
            game.play(legal[face - 1])
    assert compared > 10_000
