"""What every title must pass, whatever it is: the contract, tried on each scenario."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import pytest

import sandtable
from sandtable import conformance
from sandtable.coverage import coverage, strangers
from sandtable.engine import Engine
from sandtable.fuzz import Failure, Fuzzer
from sandtable.kernel import packs
from sandtable.kernel.actions import Space, UnitId
from sandtable.kernel.errors import BadMessage
from sandtable.kernel.game import Game
from sandtable.kernel.record import parse, parse_option
from sandtable.kernel.table import Table, replay
from sandtable.kernel.title import Title
from sandtable.players import LEVELS, Seat, player
from sandtable.players.outlook import outlook

TITLES = sandtable.titles()
SCENARIOS = [(name, each.id) for name in TITLES for each in sandtable.title(name).scenarios]
ROOT = Path(__file__).parent.parent

every_title = pytest.mark.parametrize("name", TITLES)
every_scenario = pytest.mark.parametrize(("name", "scenario"), SCENARIOS)


def random_position(title: Title, scenario: str, seed: str, length: int) -> Game:
    """A game some random decisions after its start, or one before its end."""
    random = Random(seed)
    game = title.start(scenario, seed=seed)
    for _ in range(length):
        before = game.copy()
        game.play(random.choice(game.actions()))
        if game.outcome:
            return before
    return game


@every_title
def test_a_title_describes_itself(name: str) -> None:
    title = sandtable.title(name)
    assert title.id == name
    assert len(title.sides) == 2
    assert set(title.side_names) == set(title.sides)
    assert title.points_of in (None, *title.sides)
    assert all(side.isalnum() and side.islower() for side in title.sides)
    assert title.name and title.credits and title.scenarios
    for group in (title.scenarios, title.options, title.interrupts):
        ids = [each.id for each in group]
        assert len(set(ids)) == len(ids)
        assert all(each and " " not in each for each in ids)
    for option in title.options:
        assert option.rule in title.rules, option
        assert all(parse_option(choice) == choice for choice in option.choices), option
    for interrupt in title.interrupts:
        assert interrupt.rule in title.rules, interrupt
    for step in title.steps:
        assert step.rule in title.rules, step
    verbs = {action.verb for action in title.actions}
    assert set(title.spends) <= verbs
    assert set(title.action_rules) <= verbs
    assert title.action_rules or name == "toy"
    assert all(rule in title.rules for rule in title.action_rules.values())
    assert all(code and words[:1].isalpha() for code, words in title.meanings().items())
    title.check_options({})


@every_title
def test_verbs_fit_into_a_record(name: str) -> None:
    title = sandtable.title(name)
    for action in title.actions:
        assert action.verb not in ("result", "digest")
        assert not action.verb.startswith(("!", "#"))
        assert len(action.verb.split()) == 1


@every_title
def test_units_and_spaces_have_names(name: str) -> None:
    lexicon = sandtable.title(name).data().lexicon
    assert lexicon.names[UnitId].names
    assert lexicon.names[Space].names


@every_title
def test_every_rule_has_code_or_a_reason(name: str) -> None:
    bare = [
        row.number for row in coverage(sandtable.title(name)) if not row.code and not row.reason
    ]
    assert not bare, f"rules of {name} with neither code nor reason: {', '.join(bare)}"


@every_title
def test_no_docstring_opens_with_a_number_that_is_not_in_the_book(name: str) -> None:
    assert not strangers(sandtable.title(name))


@every_scenario
@pytest.mark.parametrize("seed", ["one", "two"])
def test_random_play_keeps_every_promise_to_the_end(name: str, scenario: str, seed: str) -> None:
    fuzzer = Fuzzer(sandtable.title(name), seed, mutation_rate=0.3, every=15, most=12)
    random = Random(seed)
    options = fuzzer.options(random) if seed == "two" else {}
    try:
        fuzzer.game(scenario, options, f"suite {seed}", random)
    except Failure as failure:
        pytest.fail(f"{failure}\n{failure.record.print()}")


@every_scenario
def test_the_same_seed_and_actions_give_the_same_game(name: str, scenario: str) -> None:
    title = sandtable.title(name)
    games = [random_position(title, scenario, "same", 30) for _ in range(2)]
    assert games[0].digest() == games[1].digest()
    assert games[0].prompt == games[1].prompt


@every_scenario
def test_odds_match_simulated_rolls(name: str, scenario: str) -> None:
    title = sandtable.title(name)
    random = Random("odds")
    game = title.start(scenario, seed="odds")
    tried: set[tuple[object, ...]] = set()
    for _ in range(400):
        if game.outcome or len(tried) == 6:
            break
        actions = game.actions()
        for action in random.sample(list(actions), min(4, len(actions))):
            odds = conformance.odds(game, action)
            if odds is None or odds.assumes or len(tried) == 6:
                continue
            chances = tuple((each.text, each.probability) for each in odds.outcomes)
            if chances not in tried:
                tried.add(chances)
                off = conformance.frequencies(game, action, odds, 250, "suite")
                assert off < 5, f"{game.text(action)} is {off:.1f} sigma from {chances}"
        game.play(random.choice(actions))


@every_scenario
@pytest.mark.parametrize("level", LEVELS)
def test_a_player_answers_the_same_when_hidden_facts_differ(
    name: str, scenario: str, level: str
) -> None:
    title = sandtable.title(name)
    for length in (0, 7, 20, 30, 45, 70):
        game = random_position(title, scenario, f"hidden {length}", length)
        side = game.actor
        assert side is not None
        answers = {
            player(level, "luck").choose(Seat(world, side)).action
            for world in (game, game.resample(side, "one"), game.resample(side, "two"))
        }
        assert len(answers) == 1
        assert answers.pop() in game.actions()


@every_title
def test_a_recruit_finishes_a_game_against_random(name: str) -> None:
    title = sandtable.title(name)
    game = title.start(seed="recruit")
    players = dict(zip(title.sides, (player("recruit", "a"), player("random", "b")), strict=True))
    for _ in range(50_000):
        if game.outcome:
            break
        side = game.actor
        assert side is not None
        game.play(players[side].choose(Seat(game, side)).action)
    assert game.outcome
    chances = [outlook(Seat(game, side)) for side in title.sides]
    assert sum(chances) == pytest.approx(1), "who asks after the end hears who won"


@every_title
def test_a_seat_offers_nothing_while_the_other_side_decides(name: str) -> None:
    game = sandtable.title(name).start(seed="seat")
    assert game.actor is not None
    other = Seat(game, game.title.other(game.actor))
    assert not other.actions()
    assert other.odds(game.actions()[0]) is None


@every_title
def test_a_record_replays_in_another_process(name: str, tmp_path: Path) -> None:
    title = sandtable.title(name)
    random = Random("record")
    table = Table(title.start(seed="record", words=("desert fox", "jerboa")))
    for _ in range(60):
        if table.game.outcome:
            break
        table.play(random.choice(table.game.actions()))
    text = table.record(reveal=True).print()
    assert replay(title, parse(text)).game.digest() == table.game.digest()
    file = tmp_path / "game.sand"
    file.write_text(text, encoding="utf-8")
    code = (
        "import sys; from importlib import import_module; "
        "import_module('sandtable.titles').__path__.append(sys.argv[1]); "
        "from sandtable.cli import main; sys.exit(main(['verify', sys.argv[2]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(ROOT / "tests" / "toys"), str(file)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "7"},
    )
    assert done.returncode == 0, done.stderr
    assert table.game.digest() in done.stdout


@every_title
def test_a_changed_line_of_a_record_is_caught(name: str) -> None:
    title = sandtable.title(name)
    random = Random("changed")
    table = Table(title.start(seed="changed"))
    for _ in range(25):
        table.play(random.choice(table.game.actions()))
        if table.game.outcome:
            break
    record = table.record(reveal=True).print()
    rows = record.splitlines()
    first = rows.index("") + 1
    for at in range(first, first + len(table.history), 5):
        changed = [*rows[:at], "nonsense 1 2 3", *rows[at + 1 :]]
        with pytest.raises(BadMessage, match=f"action {at - first + 1} "):
            replay(title, parse("\n".join(changed)))
    with pytest.raises(BadMessage):
        replay(title, parse("\n".join([*rows[:first], *rows[first + 1 :]])))


@every_title
def test_bad_starts_are_refused_in_one_line(name: str) -> None:
    title = sandtable.title(name)
    bad = [
        partial(title.start, "no-such-scenario"),
        partial(title.start, options={"no-such-option": True}),
        partial(title.start, seed="two\nlines"),
        partial(title.start, words=("x" * 300,)),
        partial(title.start, data="/no/such/folder"),
        partial(title.position, "not = [toml"),
        partial(title.position, "no_such_field = 1"),
    ]
    bad += [partial(title.start, options={each.id: "zz"}) for each in title.options]
    bad += [partial(title.start, options={each.id: 10**8}) for each in title.options]
    for attempt in bad:
        with pytest.raises(BadMessage) as caught:
            attempt()
        assert "\n" not in str(caught.value)


@every_title
def test_an_exported_pack_is_the_same_and_unknown_fields_are_refused(
    name: str, tmp_path: Path
) -> None:
    title = sandtable.title(name)
    pack = packs.built_in(title.package)
    packs.export(pack, tmp_path / "same")
    assert title.data(tmp_path / "same").digest == title.data().digest
    for number, file in enumerate(pack.files):
        folder = tmp_path / f"changed-{number}"
        packs.export(pack, folder)
        target = folder / file
        target.write_text("no_such_field = 1\n" + target.read_text(encoding="utf-8"))
        with pytest.raises(BadMessage, match="no_such_field"):
            title.data(folder)
        target.write_text("this is not TOML")
        with pytest.raises(BadMessage, match=Path(file).name):
            title.data(folder)
        target.unlink()
        with pytest.raises(BadMessage, match=Path(file).name):
            title.data(folder)


@every_title
def test_a_spoilt_position_is_refused_or_played_but_never_breaks(name: str) -> None:
    title = sandtable.title(name)
    random = Random("spoilt")
    text = random_position(title, "", "spoilt", 25).position_text()
    rows = text.splitlines()
    for _ in range(40):
        at = random.randrange(len(rows))
        key, sign, _value = rows[at].partition("=")
        changed = random.choice(
            [f"{key}= 'zzz'", f"{key}= -77", f"{key}= []", f"zzz{key}{sign}{_value}", "", "[", "é"]
        )
        try:
            title.position("\n".join([*rows[:at], changed, *rows[at + 1 :]]))
        except BadMessage as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize("name", [each for each in TITLES if each != "toy"])
def test_the_examples_in_a_titles_document_are_true(name: str) -> None:
    document = (ROOT / "docs" / "titles" / f"{name}.md").read_text(encoding="utf-8")
    assert f"titles/{name}.md" in (ROOT / "docs" / "positions.md").read_text(encoding="utf-8")
    title = sandtable.title(name)
    positions = re.findall(r"^```toml\n(.*?)^```", document, re.DOTALL | re.MULTILINE)
    assert positions
    for text in positions:
        conformance.decision(title.position(text))
    for block in re.findall(r"^```json\n(.*?)^```", document, re.DOTALL | re.MULTILINE):
        engine = Engine(title)
        for line in block.splitlines():
            assert engine.answer(line)["ok"], line


@every_title
def test_the_engine_drives_the_title(name: str) -> None:
    engine = Engine(sandtable.title(name))

    def say(**command: object) -> dict[str, object]:
        answer: dict[str, object] = engine.answer(json.dumps(command))
        json.dumps(answer, default=str)
        return answer

    assert not say(cmd="actions")["ok"]
    first = say(cmd="start", seed="engine")
    assert {"ok", "actor", "prompt", "rule", "over"} <= set(first)
    random = Random("engine")
    for _ in range(12):
        answer = say(cmd="actions")
        if answer["over"]:
            break
        listed = answer["actions"]
        assert isinstance(listed, list)
        assert all({"text", "kind", "units", "spaces", "label"} <= set(each) for each in listed)
        action = random.choice(listed)["text"]
        assert say(cmd="why", action=action)["legal"] is True
        assert say(cmd="odds", action=action)["ok"]
        other = engine.title.other(str(answer["actor"]))
        refused = say(cmd="play", action=action, side=other)
        assert refused["ok"] is False and refused["rule"] in engine.title.rules
        played = say(cmd="play", action=action, side=answer["actor"])
        assert played["ok"], played
    digest = say(cmd="state")["digest"]
    text = say(cmd="record")["text"]
    assert say(cmd="start", seed="another")["ok"]
    assert say(cmd="load", text=text)["ok"]
    assert say(cmd="state")["digest"] == digest
    for side in (*engine.title.sides, None):
        assert say(cmd="view", side=side)["ok"]
