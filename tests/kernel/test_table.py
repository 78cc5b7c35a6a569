"""Take-back, records and replays, on the toy title."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sandtable
from sandtable.kernel import packs
from sandtable.kernel import record as records
from sandtable.kernel.errors import BadMessage, Refused
from sandtable.kernel.record import Line, Record
from sandtable.kernel.table import Table, replay

TOY = sandtable.title("toy")


def duel(*texts: str, faces: tuple[int, ...] | None = None) -> Table:
    """A duel after these actions; cards are shields."""
    game = TOY.start("duel", {"deal": "shields"}, "table", scripted=faces)
    table = Table(game, {"red": "Anne", "blue": "Bob"}, faces=faces)
    for text in texts:
        table.play(text)
    return table


def test_only_the_side_to_decide_may_play() -> None:
    with pytest.raises(Refused, match="not your decision"):
        duel().play("pass", "blue")


def test_nothing_is_taken_back_once_the_other_side_decides() -> None:
    table = duel("move R2 c")
    assert not table.can_undo
    with pytest.raises(Refused, match="Nothing can be taken back"):
        table.undo()


def test_an_action_that_leaves_the_decision_with_its_side_is_taken_back() -> None:
    table = duel()
    before = table.game.digest()
    table.play("aim R2")
    assert table.can_undo
    table.undo()
    assert table.game.digest() == before
    assert not table.history and not table.can_undo
    table.play("aim R2")
    table.play("move R2 c")
    assert not table.can_undo  # the other side decides


def test_nothing_is_taken_back_after_dice_or_a_card() -> None:
    table = duel("move R2 c", "pass", "aim R2", "attack R2 B1", "card yes")
    assert not table.can_undo
    table.play("pass")
    table.play("aim R2")
    assert table.can_undo
    table.play("attack R2 B1")
    assert not table.can_undo


def test_faces_given_between_an_action_and_its_undo_stay() -> None:
    table = duel("aim R2", faces=())
    table.script((5,))
    table.undo()
    assert table.game.dice.script == (5,)


def test_faces_are_given_to_scripted_games_only() -> None:
    with pytest.raises(BadMessage, match="not scripted"):
        duel().script((6,))


def test_a_resignation_ends_the_game_and_replays() -> None:
    table = duel("move R2 c")
    table.resign("red")
    assert table.game.outcome and table.game.outcome.winner == "blue"
    with pytest.raises(Refused, match="over"):
        table.resign("blue")
    again = replay(TOY, records.parse(table.record().print()))
    assert again.game.digest() == table.game.digest()


def test_a_record_of_a_scripted_game_replays() -> None:
    table = duel("move R2 c", "pass", "attack R2 B1", faces=())
    table.script((6,))
    table.play("card no")
    text = table.record().print()
    assert "faces 6" in text
    assert "card no # attack 6" in text
    assert replay(TOY, records.parse(text)).game.digest() == table.game.digest()


def test_a_record_from_a_position_with_words_replays() -> None:
    text = duel("move R2 c", "pass").game.position_text()
    game = TOY.position(text, seed="p", words=("mine", "yours"))
    table = Table(game, position=text)
    for each in ("attack R2 B1", "card no"):
        table.play(each)
    again = replay(TOY, records.parse(table.record(reveal=True).print()))
    assert again.game.digest() == table.game.digest()


def test_the_seed_is_secret_until_the_end() -> None:
    table = duel("move R2 c")
    assert "seed" not in table.record().print()
    with pytest.raises(BadMessage, match="no seed yet"):
        replay(TOY, table.record())
    table.resign("blue")
    assert "seed table" in table.record().print()


GAME = duel("move R2 c", "pass", "attack R2 B1", "card no", faces=(6,))
TEXT = GAME.record().print()


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("sandtable 1", "sandtable 9", "line 1"),
        ("title toy", "", "no line|unknown|title"),
        ("rules 1", "rules ²", "whole number"),
        ("rules 1", "rules 2", "rules version 2"),
        ("rules 1", "rules " + "9" * 5000, "whole number"),
        ("data ", "data 0", "made with data"),
        ("seed table", "seed other", "does not match the hash"),
        ("seed table", "seed table\nseed table", "2 lines"),
        ("scenario duel", "scenario nowhere", "no scenario"),
        ("option deal shields", "option deal aces", "cannot be 'aces'"),
        ("option deal shields", "option luck yes", "no option 'luck'"),
        ("faces 6", "faces six", "whole numbers"),
        ("faces 6", "faces 5", "the dice fell attack 5"),
        ("faces 6", "faces", "scripted dice end"),
        ("move R2 c", "move R2 e", "action 1 'move R2 e'"),
        ("move R2 c", "fly R2 c", "no action starts with 'fly'"),
        ("move R2 c", "!dance red", "no order starts"),
        ("move R2 c", "!order red card perhaps", "cannot be set"),
        ("card no # attack 6", "card no # attack 5", "the dice fell attack 6"),
        ("pass", "move B1 c", "action 2"),
        ("result red rout", "result blue rout", "ends with red rout"),
        ("digest ", "digest 0", "ends at digest"),
        ("digest ", "pass\ndigest ", "nothing may follow"),
    ],
)
def test_a_changed_record_is_refused_in_one_line(old: str, new: str, match: str) -> None:
    assert old in TEXT
    with pytest.raises(BadMessage, match=match) as caught:
        replay(TOY, records.parse(TEXT.replace(old, new, 1)))
    assert "\n" not in str(caught.value)


def test_comment_lines_and_dropped_comments_do_not_matter() -> None:
    text = TEXT.replace("card no # attack 6", "# here it comes\ncard no")
    assert replay(TOY, records.parse(text)).game.digest() == GAME.game.digest()


line = st.text(st.characters(codec="ascii", exclude_characters="#\n\r", categories=["L", "N"]))


@given(
    st.lists(st.tuples(line.filter(str.strip), line), max_size=5),
    st.dictionaries(line.filter(bool), st.booleans() | st.integers(-99, 99), max_size=3),
    st.none() | st.lists(st.integers(1, 6), max_size=4),
)
def test_a_record_reads_back_as_it_was_written(
    lines: list[tuple[str, str]], options: dict[str, bool | int], faces: list[int] | None
) -> None:
    record = Record(
        title="toy",
        scenario="row",
        options=dict(options),
        version=1,
        data="d",
        hash="",
        seed=None,
        words=(),
        players={"red": "Anne Marie"},
        lines=tuple(Line(text, comment) for text, comment in lines if text != "result"),
        position='[at]\n\nR1 = "a"\n',
        faces=None if faces is None else tuple(faces),
    )
    assert records.parse(record.print()) == record


def test_a_pack_is_checked_with_file_and_field(tmp_path: Path) -> None:
    packs.export(packs.built_in(TOY.package), tmp_path / "pack")
    units = tmp_path / "pack" / "units.toml"
    text = units.read_text()
    for old, new, match in (
        ('space = "a"', 'space = "q"', "no space 'q'"),
        ("strength = 1", 'strength = "one"', "units.toml: Expected `int`"),
        ("strength = 1", "strength = 1\nluck = 3", "luck"),
        ('status = "known"', 'status = "guess"', "Invalid enum value 'guess'"),
        ('id = "R1"', 'id = "R 1"', "no spaces"),
        ('id = "R1"', 'id = "B2"', "listed twice"),
    ):
        units.write_text(text.replace(old, new, 1))
        with pytest.raises(BadMessage, match=match):
            TOY.data(tmp_path / "pack")
    units.write_text(text)
    (tmp_path / "pack" / "unitz.toml").write_text("")
    with pytest.raises(BadMessage, match=r"unitz\.toml: toy has no such file"):
        TOY.data(tmp_path / "pack")
    with pytest.raises(BadMessage, match="not an empty folder"):
        packs.export(packs.built_in(TOY.package), tmp_path / "pack")
    with pytest.raises(BadMessage, match="no data pack"):
        TOY.data(tmp_path / "nowhere")


def test_a_pack_with_other_values_has_another_digest_and_plays(tmp_path: Path) -> None:
    packs.export(packs.built_in(TOY.package), tmp_path / "pack")
    units = tmp_path / "pack" / "units.toml"
    units.write_text(units.read_text().replace("strength = 1", "strength = 4"))
    game = TOY.start(seed="1", data=tmp_path / "pack")
    assert game.view(None).pieces[0].ratings["strength"] == "4"
    record = Table(game).record(reveal=True)
    with pytest.raises(BadMessage, match="--data"):
        replay(TOY, record)
    assert replay(TOY, record, data=tmp_path / "pack").game.digest() == game.digest()
