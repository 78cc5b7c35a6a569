"""3 Data, positions, views and standing orders."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest

from sandtable.kernel import packs
from sandtable.kernel.errors import BadMessage
from sandtable.titles.theseus.facts import Data
from sandtable.titles.theseus.state import Game
from tests.titles.theseus.tables import TITLE, position, refused, strength, where

DATA: Data = TITLE.data()


def test_3_1_hexes_named_in_the_book() -> None:
    """3.1.4"""
    places = {DATA.board.names[hex]: name for hex, name in DATA.places.items()}
    assert places["4303"] == "Tobruk" and places["3012"] == "Knightsbridge"
    assert places["2521"] == "Bir Hacheim" and places["3305"] == "Acroma"
    assert DATA.terrain[DATA.hex("2607")] == "broken"
    neighbours = [DATA.board.names[h] for h in DATA.board.neighbours[DATA.hex("2521")]]
    assert set(neighbours) == {"2520", "2522", "2421", "2422", "2621", "2622"}
    assert DATA.hex("4404") not in [
        h for h in DATA.board.spaces if DATA.beside[DATA.hex("4303")] >> h & 1
    ]


def test_3_2_known_counters() -> None:
    """3"""
    card = DATA.units[DATA.piece("I/8")]
    assert (card.strength, card.points[0], card.movement) == (7, 6, 5)
    hecker = DATA.units[DATA.piece("KG.Hecker")]
    assert (hecker.effectiveness[0], hecker.strength, hecker.movement) == (7, 2, 6)
    assert hecker.no_zoc and hecker.free_stacking and not hecker.motorised
    total = {
        "cw motorised": sum(
            u.strength for u in DATA.units if u.side == "commonwealth" and u.motorised
        ),
        "axis": sum(u.strength for u in DATA.units if u.side == "axis"),
    }
    assert total == {"cw motorised": 107, "axis": 216}


def test_3_3_known_headquarters() -> None:
    hq = DATA.hqs[DATA.formation("7Armd")]
    assert (hq.reaction, hq.engineer, hq.command, hq.support, hq.movement) == (6, 1, 6, 5, 6)
    assert DATA.hqs[DATA.formation("21Pz")].support == 6
    assert len(DATA.hqs) == 18


def test_7_5_1_2_the_table_of_results() -> None:
    """7.5.1.H"""
    row = [cell.text.replace("*", "") for cell in DATA.crt[4][:5]]
    assert row == ["3/0", "3/0", "3/1", "2/1", "2/1"]
    assert [c.text.replace("*", "") for c in DATA.crt[5][:5]] == ["3/0", "3/1", "2/1", "2/1", "2/1"]
    assert [c.text.replace("*", "") for c in DATA.crt[6][:5]] == ["3/1", "2/1", "2/1", "2/1", "2/1"]
    for column in range(13):
        hits = [(row[column].attacker, -row[column].defender) for row in DATA.crt]
        assert hits == sorted(hits, reverse=True)
    assert DATA.headings["clear"][5] == Fraction(2, 3)


def test_7_5_1_2_linear_chits_rise_evenly() -> None:
    for column in ("red", "plain", "green"):
        means = [
            Fraction(sum(getattr(chit, column)[at] for chit in DATA.cups[1]), 30) for at in range(6)
        ]
        steps = {b - a for a, b in pairwise(means)}
        assert len(steps) == 1


def test_3_7_the_set_up_obeys_the_rules() -> None:
    from sandtable.titles.theseus.stacking import stacking

    game = TITLE.start("campaign", seed="x")
    for hex in game.at:  # type: ignore[attr-defined]
        assert stacking(game, hex)  # type: ignore[arg-type]
    here = game.situation  # type: ignore[attr-defined]
    assert not here.zoc[0] & here.occupied[1]
    for formation in range(len(DATA.hqs)):
        if game.hex_of_hq(formation) >= 0:  # type: ignore[attr-defined]
            assert here.in_supply(game, DATA.hq_of(formation))
    out = [
        game.name(unit)  # type: ignore[attr-defined]
        for unit in range(DATA.count)
        if game.pieces[unit].hex >= 0  # type: ignore[attr-defined]
        and here.state(game, unit) != 0
    ]
    assert out == ["StopCol", "SeaCol"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("turn = 99", "turn is 99"),
        ('schwerpunkt = "7Armd"', "not an Axis"),
        ('[pieces."I/5"]\nhex = "9999"', "9999"),
        ('[pieces."I/5"]\nhex = "3018"\nstrength = 20', "strength"),
        ('[pieces."I/5"]\nhex = "3018"\n[pieces."7.Mot"]\nhex = "3018"', "both sides"),
        ('[pieces."Nobody"]\nhex = "3018"', "Nobody"),
        ('[pieces."Kst.Kiehl"]\nhex = "3018"\nformation = "21Pz"', "cannot belong to 21Pz"),
        ('[pieces."18.Flak"]\nhex = "3018"\nformation = "Ariete"', "cannot belong to Ariete"),
        ('scenario = "nothing"', "nothing"),
        ('[orders]\n"axis tea" = "never"', "tea"),
        ('improved = ["3018"]', "3018"),
        ('breached = ["3018"]', "no minefield"),
        ('blocked = ["3018"]', "no Major supply source"),
        ('[stacks]\n3018 = ["I/5"]\n3019 = ["I/5"]', "put down twice"),
        ('[stacks]\n3018 = ["I/5"]\n[pieces."I/5"]\nhex = "3019"', "put down twice"),
        ('[stacks]\n3018 = ["21Pz.HQ"]\n[pieces."21Pz.HQ"]\ndisrupted = true', "never disrupted"),
        ('[stacks]\n3018 = ["I/5"]\n[pieces."I/5"]\nformation = "15Pz"', "cannot belong"),
        ('[stacks]\n3018 = ["I/5"]\n[pieces."I/5"]\nactivations = 1', "white-striped"),
        ('passed = ["axis"]\n[point]\nphase = "initiative"\nside = "axis"', "has passed"),
        ('[point]\nphase = "acting"\nformation = "21Pz"', "no piece on the map"),
        ('[point]\nphase = "activation"\nformation = "21Pz"', "no HQ on the map"),
        ('[point]\nphase = "activation"\nunit = "I/5"\n[stacks]\n3018 = ["I/5"]', "alone"),
    ],
)
def test_positions_refuse_nonsense_in_one_line(text: str, words: str) -> None:
    try:
        TITLE.position(text, seed="x")
    except BadMessage as error:
        assert words in str(error) and "\n" not in str(error)
    else:
        assert not words


def test_pieces_of_the_set_up_stay_where_they_are_unless_a_hex_is_said() -> None:
    game = cast(Game, TITLE.position('base = "setup"\n[pieces."I/5"]\nstrength = 3\n', seed="x"))
    assert where(game, "I/5") == "2024" and strength(game, "I/5") == 3


def test_positions_override_printed_values() -> None:
    game = TITLE.position(
        '[pieces."I/5"]\nhex = "3018"\nprinted_strength = 9\neffectiveness = [7, 5]\n'
        'points = [8, 4]\nmovement = 6\n[pieces."21Pz.HQ"]\nhex = "3018"\n',
        seed="x",
    )
    unit = DATA.piece("I/5")
    assert game.card[unit].points == (8, 4)  # type: ignore[attr-defined]
    assert game.pieces[unit].strength == 9  # type: ignore[attr-defined]
    again = TITLE.position(game.position_text(), seed="x")
    again.dice = game.dice
    assert again.digest() == game.digest()


def test_data_packs_are_checked_for_sense(tmp_path: Path) -> None:
    pack = packs.built_in(TITLE.package)
    for number, (file, old, new, words) in enumerate(
        [
            ("map.toml", '"1300", "1400"', '"1300", "1500"', "does not touch"),
            ("units.toml", 'formation = "21Pz"', 'formation = "22Pz"', "22Pz"),
            ("chits.toml", "red = [1, 1, 2, 2, 2, 2]", "red = [1]", "six multipliers"),
            ("tables.toml", '"5*/0" ', '"9/x"  ', "not a combat result"),
            ("scenarios/campaign.toml", '"I/5" = "2024"', '"I/6" = "2024"', "I/6"),
        ]
    ):
        folder = tmp_path / str(number)
        packs.export(pack, folder)
        target = folder / file
        text = target.read_text(encoding="utf-8")
        assert old in text
        target.write_text(text.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(BadMessage, match=words.replace("/", ".")):
            TITLE.data(folder)


def test_standing_orders_for_every_interrupt_are_known() -> None:
    interrupts = {step.interrupt for step in TITLE.steps if step.interrupt}
    assert interrupts == {each.id for each in TITLE.interrupts}
    game = position("I/5 3018, 21Pz.HQ 2920")
    with pytest.raises(BadMessage):
        game.order("axis", "snafu", "sometimes")


def test_the_page_names_every_setting_of_a_standing_order() -> None:
    page = Path(__file__).parents[3] / "docs" / "titles" / "theseus.md"
    orders = page.read_text(encoding="utf-8").split("## Standing orders")[1]
    for each in TITLE.interrupts:
        (row,) = [line for line in orders.splitlines() if line.startswith(f"| `{each.id}` |")]
        assert not [setting for setting in each.settings if f"`{setting}`" not in row], each.id


def test_1_both_sides_play_whole_games() -> None:
    for scenario in TITLE.scenarios:
        game = TITLE.start(scenario.id, seed="whole")
        count = 0
        while game.outcome is None:
            game.play(game.actions()[-1 - count % min(3, len(game.actions()))])
            count += 1
            assert count < 20_000
        assert game.outcome.text


def test_5_3_4_resampled_games_look_the_same_and_differ_beneath() -> None:
    units = (
        "21Pz.104 1018, I/5 1018, 15Pz.115 1022 5, II/8 1022 3, 18.Flak 1018 of:21Pz,"
        "35.Flak 1022 of:15Pz, 21Pz.HQ 1019, 15Pz.HQ 1023, 7.Mot 4819, 7Armd.HQ 4820"
    )
    game = position(units, point={"phase": "initiative", "side": "commonwealth"})
    worlds = [game.resample("commonwealth", str(n)) for n in range(8)]
    views = {str(world.view("commonwealth")) for world in worlds}
    assert views == {str(game.view("commonwealth"))}
    assert len({world.digest() for world in worlds}) > 1
    assert refused(game, "activate 21Pz").rule == "6.3"


def test_the_documented_positions_can_be_played() -> None:
    page = Path(__file__).parents[3] / "docs" / "titles" / "theseus.md"
    blocks = page.read_text(encoding="utf-8").split("```toml")[1:]
    texts = [block.split("```")[0] for block in blocks]
    assert len(texts) == 2
    for text in texts:
        assert TITLE.position(text, seed="docs").actor == "axis"


def test_5_3_4_a_resampled_stack_in_improved_defence_stays_undisrupted() -> None:
    units = (
        "21Pz.104 1018, I/5 1018, 15Pz.115 1022, II/8 1022 disrupted, 21Pz.HQ 1019,"
        "15Pz.HQ 1023, 7.Mot 4819, 7Armd.HQ 4820"
    )
    side = {"phase": "initiative", "side": "commonwealth"}
    game = position(units, point=side, improved=["1018"])
    for number in range(20):
        game.resample("commonwealth", str(number)).check()
