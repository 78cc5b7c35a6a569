"""What a newcomer reads: words explained, a log without floods, guides true to the rules."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import sandtable
from tests.web.driver import ROOT, Server
from tests.web.hands import Hands

TITLES = ("battleaxe", "cauldron", "gallop", "theseus")
GUIDES = ROOT / "src/sandtable/web/guides"


@pytest.mark.parametrize("title", TITLES)
def test_guides_and_words_name_rules_that_exist(title: str) -> None:
    guide = json.loads((GUIDES / f"{title}.json").read_text())
    known = {rule.number for rule in sandtable.title(title).rules}
    asked = {each["rule"] for each in guide["steps"] + guide["words"] if "rule" in each}
    assert asked <= known
    said = [
        word.lower() for each in guide["words"] for word in (each["word"], *each.get("also", ()))
    ]
    assert len(said) == len(set(said))


@pytest.mark.parametrize("title", TITLES)
def test_guides_speak_of_what_a_player_does(title: str) -> None:
    """Nobody clicks who taps, and who reads sees no light; the page turns a plain click itself."""
    for step in json.loads((GUIDES / f"{title}.json").read_text())["steps"]:
        assert not re.search(r"click|(?<!\w)press N|\([A-Z]\)", step.get("touch", ""), re.I)
        read = re.sub("click", "choose", step.get("read", step["text"]), flags=re.I)
        assert not re.search(r"\blit\b|\bcolou?r|below the map|at the (left|right)|\bring\b", read)


def moved(seq: int, who: str, start: str, end: str) -> dict[str, Any]:
    """A line of the log that tells of a move."""
    march = {"who": who, "start": start, "end": end}
    text = f"{who}: {start} to {end}."
    return {"seq": seq, "by": "axis", "kind": "Moved", "rule": "7.3", "text": text, "march": march}


LINES = [
    moved(5, "I/5", "2024", "2123"),
    moved(5, "I/5", "2123", "2224 Bir"),
    {"seq": 5, "by": "axis", "kind": "MovedWith", "text": "Not told yet.", "aside": True},
    {"seq": 5, "by": "axis", "kind": "Reason", "text": "The way is free: 40%."},
    {"seq": 6, "by": "axis", "kind": "Reason", "text": "The way is free: 40%."},
    moved(7, "I/5", "2224 Bir", "2324"),
    {"seq": 7, "by": "axis", "kind": "Reason", "text": "The way is free: 40%."},
    moved(8, "II/5", "2324", "2424"),
    {"seq": 9, "by": "allied", "kind": "Rolled", "rule": "6.5", "text": "Allied rolls 3."},
    {"seq": 10, "by": "axis", "kind": "Reason", "text": "Nothing is won by it."},
    {"seq": 11, "by": "axis", "kind": "Rolled", "rule": "6.5", "text": "Axis rolls 2."},
    moved(12, "I/8", "2024", "2123"),
    {"seq": 12, "by": "axis", "kind": "MovedWith", "text": "With II/8.", "aside": True},
    moved(13, "115", "2024", "2123"),
    moved(14, "155", "1203", "1204"),
    moved(15, "155", "1204", "1205"),
]


def test_a_long_move_is_one_line_and_reasons_belong_to_lines(page: Page, server: Server) -> None:
    page.goto(server.base)
    found = page.evaluate(
        "lines => import('/static/js/logbook.js').then(log => log.readable(lines)"
        ".map(line => [line.seq, line.text, line.reason ?? '']))",
        LINES,
    )
    assert found == [
        [7, "I/5: 2024 to 2324.", "The way is free: 40\u00a0%."],
        [8, "II/5: 2324 to 2424.", ""],
        [9, "Allied rolls 3.", ""],
        [11, "Axis rolls 2.", "Nothing is won by it."],
        [15, "3 moves: I/8 2024 to 2123; 115 2024 to 2123; 155 1203 to 1205.", ""],
    ]


def test_every_standing_order_says_what_it_does(page: Page, server: Server) -> None:
    """No setting is left as a code, but for those that are plain words."""
    page.goto(server.base)
    plain = {"When it can hurt", "Most", "None"}
    for name in ("battleaxe", "cauldron", "gallop", "theseus"):
        ways = {way for each in sandtable.title(name).interrupts for way in each.settings}
        for way in sorted(ways):
            said = page.evaluate(
                "way => import('/static/js/panels.js').then(panels => panels.orderWords(way))", way
            )
            code = way.capitalize().replace("-", " ")
            assert said != code or way in ("never", "always") or said in plain, way


@pytest.mark.parametrize("title", ["battleaxe", "cauldron", "gallop", "theseus"])
def test_examples_of_the_text_view_can_be_typed(page: Page, server: Server, title: str) -> None:
    """Each title's own words and places, not those of another."""
    hands = Hands(page)
    hands.open(server.seat(server.new(title)))
    page.keyboard.press("t")
    here, why = (
        page.locator(f'.text-help dt:has-text("{each}")').first.inner_text()
        for each in ("? ", "why not ")
    )
    assert why.removeprefix("why not ") in {each["text"] for each in hands.state()["actions"]}
    for question, answer in ((here, "Around it"), (why, "It is allowed.")):
        page.fill(".typed", question)
        page.keyboard.press("Enter")
        page.wait_for_selector(f'.text-answer:has-text("{answer}")')


def test_a_nation_keeps_its_capitals(page: Page, server: Server) -> None:
    page.goto(server.base)
    said = page.evaluate(
        "() => import('/static/js/words.js').then(words =>"
        " words.pieceWords({id: 'FF2', nation: 'free french', kind: 'infantry'}))"
    )
    assert said == "Free French infantry"


@pytest.mark.parametrize(
    ("title", "text", "words"),
    [
        ("cauldron", "Die 8, modified 6: */*D.", "attackers: step lost; defenders: step lost"),
        ("gallop", "Axis die for the attack on L10: 4: R1.", "the defenders go back one hex"),
        ("theseus", "Combat in 1707 at 2:1, roll 5+0: 2/1*.", "attackers: 2 hits"),
    ],
)
def test_results_of_tables_are_said_in_words(
    page: Page, server: Server, title: str, text: str, words: str
) -> None:
    Hands(page).open(server.seat(server.new(title)))
    said = page.evaluate(
        "text => { const box = document.createElement('p');"
        " box.append(...sandtable.sentence(text)); return box.textContent; }",
        text,
    )
    assert words in said


@pytest.mark.parametrize("title", TITLES)
def test_choices_and_overlays_name_their_rule(page: Page, server: Server, title: str) -> None:
    """Verbs and overlays carry the number of a rule that exists."""
    hands = Hands(page)
    hands.open(server.seat(server.new(title)))
    known = {rule.number for rule in sandtable.title(title).rules}
    overlays = page.evaluate("() => sandtable.state.view.overlays.map(each => each.rule)")
    assert overlays and set(overlays) <= known
    page.keyboard.press("t")
    chip = page.locator(".text-choices li .rule").first
    expect(chip).to_be_visible()


def test_a_word_of_the_trade_tells_what_it_means(page: Page, server: Server) -> None:
    Hands(page).open(server.seat(server.new("theseus", scenario="opening"), "axis"))
    word = page.locator(".prompt .term", has_text="Schwerpunkt")
    word.click()
    card = page.locator(".term-card")
    expect(card).to_contain_text("weight of the attack")
    card.locator(".rule").click()
    expect(page.locator(".panel:not(.second) .rule-card h3")).to_have_text("Schwerpunkt marker")


def test_a_fanned_stack_offers_its_orders_and_one_click_activates(
    page: Page, server: Server
) -> None:
    hands = Hands(page)
    hands.open(server.seat(server.new("theseus", scenario="opening"), "axis"))
    for text in ("schwerpunkt 21Pz", "done"):
        action = next(each for each in hands.state()["actions"] if each["text"] == text)
        hands.mouse(action)
    while hands.state()["actor"] != "axis":
        hands.mouse(hands.state()["actions"][-1])
    top = page.evaluate("() => sandtable.board.stacks.get(sandtable.spaceOf('I/5'))[0].id")
    seq = hands.state()["seq"]
    # All units of the stack mean the same order: the first click asks for it.
    hands.click("unit", top)
    page.wait_for_function("() => sandtable.armed?.action.text === 'activate 21Pz'")
    page.keyboard.press("Enter")
    hands.settled(seq)
    for _ in range(3):  # A die may be contested.
        keep = page.locator('.prompt [data-action="keep"]')
        if keep.count():
            seq = hands.state()["seq"]
            keep.click()
            hands.settled(seq)
    hands.click("unit", top)
    expect(page.locator('.prompt [data-action^="move-stack"]')).to_be_visible()
