"""Without eyes or without a mouse: the focus is never lost, and what happens is heard, once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.driver import Server
from tests.web.hands import Hands
from tests.web.test_play import SCENARIOS, TITLES, consider, play_until

LISTEN = """() => { window.said = []; for (const id of ["polite", "results"]) {
  const el = document.getElementById(id);
  new MutationObserver(() => el.textContent && window.said.push(el.textContent))
    .observe(el, {childList: true, characterData: true, subtree: true}); } }"""


def focus(page: Page) -> str:
    """Where the keyboard is."""
    found: str = page.evaluate("() => document.activeElement.tagName")
    return found


def heard(page: Page, words: str) -> None:
    """Wait until something was said."""
    page.wait_for_function("words => said.some(each => each.includes(words))", arg=words)


def test_a_game_says_itself_and_takes_the_keyboard(page: Page, server: Server) -> None:
    """From the front page by keyboard: the map has the focus, the prompt is heard."""
    page.goto(server.base)
    page.evaluate(LISTEN)
    page.locator('[data-play="theseus"]').focus()
    page.keyboard.press("Enter")
    page.locator('dialog input[value="hotseat"]').check()
    page.locator("dialog [data-begin]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".map[data-ready]", state="attached")
    heard(page, "Place the Schwerpunkt")
    assert page.evaluate("() => document.activeElement === sandtable.board.el")


@pytest.mark.parametrize("title", ["theseus", "gallop"])
def test_focus_is_never_lost(page: Page, server: Server, title: str) -> None:
    """A turn by keyboard: after every action the focus is on the map or on what is asked."""
    hands = Hands(page)
    hands.open(server.seat(server.new(title, scenario=SCENARIOS[title])))
    page.evaluate(LISTEN)
    hands.play("keys", 14, 5, 14)
    assert page.evaluate(
        "() => document.activeElement === sandtable.board.el"
        " || sandtable.prompt.contains(document.activeElement)"
    )
    assert page.evaluate("() => said.length") > 5


def test_lists_begin_with_a_choice_and_take_arrows(page: Page, server: Server) -> None:
    """A list of many choices is walked with arrows; leaving it goes back to its button."""
    hands = Hands(page)
    hands.open(server.seat(server.new("theseus", scenario="opening")))
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open] .choice:focus")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("dialog[open] .choice:nth-child(2):focus")
    page.keyboard.press("Escape")
    page.wait_for_selector(".prompt [data-more]:focus")


def test_enter_never_ends_a_phase_by_surprise(page: Page, server: Server) -> None:
    """After a move that was confirmed the keyboard is back on the map, where it was chosen."""
    made = server.new("theseus", scenario="opening")
    play_until(server, made, ("to",))
    hands = Hands(page)
    hands.open(server.seat(made))
    page.locator(".map").focus()
    page.keyboard.press("ArrowUp")
    seq = hands.state()["seq"]
    text = next(each["text"] for each in hands.state()["actions"] if each["kind"] == "to")
    consider(page, text)
    page.wait_for_function("seq => sandtable.armed || sandtable.state.seq > seq", arg=seq)
    if hands.state()["armed"]:
        page.keyboard.press("Enter")
    hands.settled(seq)
    assert page.evaluate("() => document.activeElement === sandtable.board.el")
    assert page.evaluate("() => !!sandtable.board.cursor")


def open_as_text(page: Page, url: str) -> None:
    """A game in the text view."""
    page.add_init_script("localStorage.setItem('sandtable.text', 'true')")
    page.goto(url)
    page.wait_for_selector(".text-left h2")
    page.wait_for_selector(".map[data-ready]", state="attached")


def answer(page: Page, typed: str) -> str:
    """Type a question and wait for its answer."""
    page.fill(".typed", typed)
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelector('.text-answer').textContent")
    return page.inner_text(".text-answer")


def test_the_text_view_speaks_in_sentences(page: Page, server: Server) -> None:
    """Theseus: few choices, formations, neighbours by direction, supply paths with their bends."""
    open_as_text(page, server.seat(server.new("theseus", scenario="opening")))
    assert page.locator(".text-choice").count() < 13
    near = page.inner_text(".text-right")
    assert "German" in near and re.search(r"\b(one|two) hex(es)? (north|south|east|west)", near)
    assert "reconstructed" not in near
    supply = answer(page, "supply")
    assert re.search(r"Supply of 21 Pz, .*: from 1924 .*\d+ (north|west)[a-z-]* to \d{4}", supply)
    assert len(supply) < 3000
    about = answer(page, "? 1924")
    assert "north-east 2024 with" in about
    assert "21 Pz: 21 Pz HQ in 1924" in answer(page, "units")


def test_the_text_view_keeps_the_focus(page: Page, server: Server) -> None:
    """A choice leads to the next choices; a question leaves the typed line where it is."""
    open_as_text(page, server.seat(server.new("theseus", scenario="opening")))
    page.evaluate(LISTEN)
    page.locator('.text-choice:has-text("Schwerpunkt")').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".text-choices button:focus")
    page.keyboard.press("Enter")
    page.wait_for_selector(".text-choices h3:focus")
    heard(page, "The Schwerpunkt is with")
    page.locator(".typed").focus()
    answer(page, "supply")
    page.wait_for_selector(".typed:focus")
    page.locator(".text-prompt .rule").click()
    page.wait_for_function(
        "() => document.querySelector('.text-answer').textContent.startsWith('Rule ')"
    )
    assert page.locator(".text-view").is_visible()


@pytest.mark.parametrize("title", TITLES)
def test_odds_are_heard_in_words(page: Page, server: Server, title: str) -> None:
    """No code of a table is read aloud: who suffers what, and how likely it is."""
    made = server.new(title, scenario=SCENARIOS[title])
    attack: Any = play_until(server, made, ("join",) if title == "gallop" else ("attack",), 3)
    hands = Hands(page)
    hands.open(server.seat(made))
    page.evaluate(LISTEN)
    consider(page, attack["text"])
    heard(page, "Escape leaves it")
    said = next(each for each in page.evaluate("() => said") if "Escape leaves it" in each)
    assert re.search(r"(attacker|defender|no effect).* \d+\s%", said), said
    assert focus(page) == "BUTTON"
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet", state="hidden")
    assert focus(page) != "BODY"


def test_the_text_view_offers_to_place_the_rest(page: Page, server: Server) -> None:
    """Gallop: one division is placed by typing, the others by the computer."""
    open_as_text(page, server.seat(server.new("gallop")))
    page.fill(".typed", "place 15Pz J4")
    page.keyboard.press("Enter")
    page.wait_for_function("() => sandtable.spaceOf('15Pz') === 'J4'")
    page.locator('.text-choice:has-text("Place the rest")').click()
    page.wait_for_function("() => sandtable.state.view.prompt.includes('airstrike')")
    assert focus(page) != "BODY"


def test_the_guide_is_in_the_text_view_too(page: Page, server: Server) -> None:
    """Its steps are read there, go on with Next and with what is played."""
    open_as_text(page, server.seat(server.new("theseus", scenario="opening")))
    page.evaluate("() => sandtable.guide.restart()")
    page.locator('.text-guide .btn:has-text("Next")').click()
    page.wait_for_selector('.text-guide h3:has-text("2 of")')
    page.fill(".typed", "schwerpunkt 21Pz")
    page.keyboard.press("Enter")
    page.wait_for_selector('.text-guide h3:has-text("3 of")')
    page.wait_for_selector(".typed:focus")


def test_a_general_that_thinks_is_told_with_its_seconds(page: Page, server: Server) -> None:
    """In the map and in the text view, to who comes back and to who watches; heard once."""
    made = server.new(
        "battleaxe",
        "opponent",
        seats={"allied": {"kind": "opponent", "level": "general:8"}},
        options={"historical_setup": True},
    )
    page.add_init_script(f"addEventListener('DOMContentLoaded', {LISTEN})")
    page.goto(server.seat(made))
    counts = "() => Number(/general is thinking, (\\d+) of 8 s/.exec(document.body.innerText)?.[1])"
    before = page.wait_for_function(f"() => ({counts})() > 1").evaluate(counts)
    page.reload()
    page.wait_for_selector(".map[data-ready]", state="attached")
    again = page.wait_for_function(counts).evaluate(counts)
    assert again >= before, "thinking began before the page was opened"
    heard(page, "The general is thinking, up to 8 s.")
    page.keyboard.press("t")
    text = page.inner_text(".text-prompt")
    assert re.match(r"The general is thinking, \d of 8 s\. Theirs to answer: June 15, Imp", text)
    page.wait_for_function(
        "text => document.querySelector('.text-prompt').innerText !== text", arg=text
    )
    page.evaluate("() => sandtable.settle()")
    page.wait_for_timeout(200)
    assert page.evaluate("() => said.filter(each => each.includes('thinking')).length") == 1
    page.goto(f"{server.base}/#/game/{made['game']}")
    page.reload()
    page.wait_for_selector(".map[data-ready]", state="attached")
    watched = page.text_content(".text-prompt") or ""
    assert "The general (Allies) is thinking, " in watched and "Allies to answer: June" in watched
