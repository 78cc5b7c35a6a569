"""14.0-14.2 How opponents of The Cauldron open, keep and bar ways through the mines."""

from __future__ import annotations

from tests.titles.cauldron.helpers import DATA, on_map, play, position, uid

from sandtable.kernel.actions import Space
from sandtable.players.knowledge.cauldron import KNOWLEDGE, Thumb
from sandtable.players.knowledge.cauldron_lines import Mines, lanes
from sandtable.players.knowledge.cauldron_reading import to_come
from sandtable.titles.cauldron.actions import MoveTo
from sandtable.titles.cauldron.minefields import line_units
from sandtable.titles.cauldron.printed import ALLIED, AXIS
from sandtable.titles.cauldron.state import Game

EIGHT = [f"{name} 1909" for name in ("5/1", "5/2", "8/1", "8/2")]
EIGHT += [f"{name} 2009" for name in ("104/1", "104/2", "104/3", "115/1")]
BEGUN = '[[breaches]]\nunit = "{}"\nsides = [["{}", "{}"]]\n'


def hexes(*names: str) -> tuple[Space, ...]:
    return tuple(DATA.board.at(name) for name in names)


def turn(name: str, *lines: str, phase: str = "actions", tail: str = "") -> Game:
    head = f'turn = "{name}"\nphase = "{phase}"'
    head += '\nside = "axis"\nactivated = ["65/1"]' if phase == "actions" else ""
    return position(on_map(*EIGHT, *lines, head=head, tail=tail), 3, 5)


def test_every_lane_leads_straight_from_the_axis_side_over_one_mined_hex_and_out() -> None:
    board = DATA.board
    for start, mined, beyond in lanes(DATA):
        assert DATA.prohibited >> start & 1 and not DATA.prohibited >> beyond & 1
        assert mined in DATA.loc_hexes
        assert board.direction_between(start, mined) == board.direction_between(mined, beyond)
    assert {lane.mined for lane in lanes(DATA)} <= set(DATA.loc_hexes)


def test_14_1_infantry_goes_where_the_mines_can_be_breached_and_tanks_do_not() -> None:
    game = turn("May 28", "65/1 0414", "132/8 0414", "10-Hus 2801")
    spot, elsewhere = hexes("0512", "0413")
    mind = Thumb(game)
    assert spot in mind.openings(uid("65/1")) and elsewhere not in mind.openings(uid("65/1"))
    assert not mind.openings(uid("132/8"))
    play(game, "select 65/1")
    moves = [each for each in game.actions() if isinstance(each, MoveTo)]
    worth = dict(zip([each.hex for each in moves], KNOWLEDGE.priors(game, moves), strict=True))
    assert max(worth, key=lambda hex: worth[hex]) in mind.openings(uid("65/1"))
    reason = KNOWLEDGE.tactic(game, next(each for each in moves if each.hex == spot))
    assert reason == "Goes to 0512, where the mines can be breached."


def test_nobody_is_sent_where_parties_enough_stand_ready_or_no_line_will_be_asked_for() -> None:
    ready = turn("May 28", "65/1 0512", "65/2 0816", "66/1 0414", "10-Hus 2801")
    assert set(Thumb(ready).openings(uid("66/1"))) == set(hexes("0512", "0816"))
    late = turn("June 13-14", "65/1 0414", "10-Hus 2801")
    assert not Thumb(late).openings(uid("65/1"))


def test_14_2_a_breach_tempts_more_where_a_line_is_lacking() -> None:
    game = turn("May 28", "65/1 0512", "10-Hus 2801", phase="minefields")
    through = game.parse("breach 65/1 0612")
    lacking = KNOWLEDGE.priors(game, [through])[0]
    assert "that is lacking" in KNOWLEDGE.tactic(game, through)
    served = '[[breaches]]\nsides = [["0816", "0915"], ["0915", "1015"]]\n'
    enough = turn("May 28", "65/1 0512", "10-Hus 2801", phase="minefields", tail=served)
    assert KNOWLEDGE.priors(enough, [through])[0] < lacking - 0.5
    assert "for supply" in KNOWLEDGE.tactic(enough, through)


def test_14_1_a_way_under_way_serves_as_the_rules_say_when_it_is_open() -> None:
    tail = BEGUN.format("65/1", "0816", "0915")
    for blocker, serves in (("2801", True), ("0915", False), ("1015", False)):
        game = turn("May 28", "65/1 0816", f"10-Hus {blocker}", tail=tail)
        (mined,) = hexes("0915")
        assert (Mines(game).ways[mined].serves == 1) is serves
        opened = turn("May 29", "65/1 0816", f"10-Hus {blocker}", phase="minefields", tail=tail)
        assert (len(line_units(opened, mined)) >= 8) is serves


def test_14_2_the_axis_keeps_and_the_allies_bar_the_line_that_an_action_hangs_on() -> None:
    one = '[[breaches]]\nsides = [["0816", "0915"], ["0915", "1015"]]\n'
    two = one + '[[breaches]]\nsides = [["0512", "0612"], ["0612", "0711"]]\n'
    (mined,) = hexes("0915")
    alone = Mines(turn("May 28", "65/1 0414", "10-Hus 2801", tail=one))
    assert set(alone.posts(AXIS)) == set(alone.posts(ALLIED)) == {mined}
    spare = Mines(turn("May 28", "65/1 0414", "10-Hus 2801", tail=two))
    assert not spare.posts(AXIS) and not spare.posts(ALLIED)
    last = Mines(turn("June 13-14", "65/1 0414", "10-Hus 2801", tail=one))
    assert not last.posts(AXIS) and not last.posts(ALLIED)
    begun = Mines(
        turn("May 28", "65/1 0816", "10-Hus 2801", tail=BEGUN.format("65/1", "0816", "0915"))
    )
    assert set(begun.posts(AXIS)) == set(hexes("1015")), "it cannot enter the mines yet"
    assert set(begun.posts(ALLIED)) == {mined}


def test_14_2_a_line_that_saves_an_action_is_worth_points_to_come() -> None:
    line = '[[breaches]]\nsides = [["0816", "0915"], ["0915", "1015"]]\n'
    with_line = turn("May 28", "65/1 0414", "10-Hus 2801", tail=line)
    without = turn("May 28", "65/1 0414", "10-Hus 2801")
    assert to_come(with_line) > to_come(without)
