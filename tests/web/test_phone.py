"""On a phone: only taps, nothing hidden, nothing too small, nothing clicked by accident."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.driver import Server
from tests.web.hands import Hands
from tests.web.test_play import GUIDES, SCENARIOS, TITLES, consider, play_until
from tests.web.test_screens import findings

SMALL = """() => [...document.querySelectorAll("button, a, summary, select, input")].filter(el => {
    const box = el.getBoundingClientRect();
    const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return box.width && there && (el === there || el.contains(there)) && !el.closest("label, .term")
      && (box.width < 24 || box.height < 24);
  }).map(el => `${el.className} ${el.textContent}`)"""

FAN = """id => { const p = sandtable, b = p.board, space = b.spaces.get(p.spaceOf(id));
  b.fan(p.spaceOf(id)); b.centre(space.x, space.y, b.scale);
  b.pan(0, b.el.clientHeight / 2 - 60);
  return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
    const box = b.layers.fan.querySelector(`[data-unit="${CSS.escape(id)}"]`)
      .getBoundingClientRect();
    done([box.left + box.width / 2, box.top + box.height / 2]); }))); }"""


def test_a_tap_does_not_click_what_it_opens(phone: Page, server: Server) -> None:
    """A unit low on the map is tapped; its orders come up under the finger and none is given."""
    made = server.new("theseus", scenario="opening")
    play_until(server, made, ("move-stack",))
    hands = Hands(phone)
    hands.open(server.seat(made))
    before = hands.state()
    stack = next(each for each in before["actions"] if each["kind"] == "move-stack")
    unit = phone.evaluate(
        "space => sandtable.board.stacks.get(space).map(each => each.id).find(id =>"
        " sandtable.state.actions.some(each => each.text === `move ${id}`))",
        stack["spaces"][0],
    )
    phone.evaluate(
        "() => { window.clicks = []; addEventListener('click', event =>"
        " clicks.push(event.target.className), true); }"
    )
    phone.touchscreen.tap(*phone.evaluate(FAN, unit))
    phone.wait_for_function("id => sandtable.picks.units.includes(id)", arg=unit)
    phone.wait_for_selector(f'.prompt [data-action="move {unit}"]')
    phone.wait_for_timeout(500)  # The click that would follow the tap.
    assert phone.locator(".menu").is_hidden()
    assert phone.evaluate("() => clicks") == []
    assert hands.state()["seq"] == before["seq"]


def test_counters_beside_the_map_lie_in_the_prompt(phone: Page, server: Server) -> None:
    """Gallop: a division is chosen below the map and placed by two taps."""
    hands = Hands(phone)
    hands.open(server.seat(server.new("gallop")))
    phone.locator('.beside [data-card="15Pz"]').tap()
    phone.wait_for_function("() => sandtable.picks.units.includes('15Pz')")
    assert phone.locator('.beside [data-card="15Pz"]').get_attribute("aria-pressed") == "true"
    phone.touchscreen.tap(*hands.spot("space", "J4"))
    phone.locator('.prompt [data-action="place 15Pz J4"]').tap()
    hands.settled(0)
    assert phone.evaluate("() => sandtable.spaceOf('15Pz')") == "J4"
    assert phone.locator(".beside .unit-card").count() == 5


def test_the_sheet_closes_when_a_unit_joins(phone: Page, server: Server) -> None:
    """While an attack is put together the map is free, shows the fight, and the odds come back."""
    made = server.new("gallop", scenario="historical")
    join = play_until(server, made, ("join",), 3)
    hands = Hands(phone)
    hands.open(server.seat(made))
    consider(phone, join["text"])
    phone.wait_for_selector(".sheet:not([hidden])")
    assert phone.evaluate("() => document.activeElement.closest('.sheet-foot') !== null")
    assert phone.locator(".prompt").get_attribute("inert") is not None
    seq = hands.state()["seq"]
    phone.locator(".sheet-foot .primary").tap()
    hands.settled(seq)
    assert phone.locator(".sheet").is_hidden()
    assert phone.locator(".prompt").get_attribute("inert") is None
    phone.wait_for_selector(".layer-rings .ring.threat", state="attached")
    phone.locator('.prompt [data-action="resolve"]').tap()
    phone.wait_for_selector(".sheet:not([hidden])")


@pytest.mark.parametrize("title", TITLES)
def test_the_combat_sheet_needs_no_sideways_scrolling(
    phone: Page, server: Server, title: str
) -> None:
    """Every face of the die and every column is in sight, and the buttons are."""
    made = server.new(title, scenario=SCENARIOS[title])
    attack = play_until(server, made, ("join",) if title == "gallop" else ("attack",), 3)
    Hands(phone).open(server.seat(made))
    consider(phone, attack["text"])
    phone.wait_for_selector(".sheet:not([hidden]) .die-faces")
    wide = phone.evaluate(
        "() => [...document.querySelectorAll('.sheet, .faces-scroll, .odds-columns ol')]"
        ".filter(el => el.scrollWidth > el.clientWidth + 1).map(el => el.className)"
    )
    assert not wide
    assert phone.locator(".sheet-foot .primary").is_visible()
    assert not findings(phone)


def test_layers_have_words_and_work_without_pinching(phone: Page, server: Server) -> None:
    """One button opens the tools; a tap on the map closes them; the key of overlays folds."""
    hands = Hands(phone)
    hands.open(server.seat(server.new("theseus", scenario="opening")))
    phone.locator(".tool.layers").tap()
    scale = phone.evaluate("() => sandtable.board.scale")
    phone.locator('.tool[aria-label="Closer"]').tap()
    assert phone.evaluate("() => sandtable.board.scale") > scale
    phone.locator('[data-tool="supply"]').tap()
    assert phone.inner_text('[data-tool="supply"]').strip() == "Supply"
    assert not findings(phone)
    phone.touchscreen.tap(60, 400)
    phone.wait_for_selector(".rail:not(.open)")
    fold = phone.locator(".legend .fold")
    assert fold.get_attribute("aria-expanded") == "false"
    fold.tap()
    assert phone.locator(".legend .fold").get_attribute("aria-expanded") == "true"


def test_history_is_looked_at_on_the_map(phone: Page, server: Server) -> None:
    """A line of the log leads to the map as it was, and a button leads back."""
    made = server.new("battleaxe")
    server.stroll(made, 6, 3)
    hands = Hands(phone)
    hands.open(server.seat(made))
    phone.locator('.tabs [data-tab="log"]').tap()
    phone.locator('.log .n:text-is("2")').first.tap()
    phone.wait_for_function("() => sandtable.past?.at === 2")
    assert phone.get_attribute(".game", "data-tab") == "map"
    phone.locator('.scrub [aria-label="One line on"]').tap()
    phone.wait_for_function("() => sandtable.past?.at === 3")
    phone.locator('.prompt .btn:has-text("Back to now")').tap()
    phone.wait_for_function("() => !sandtable.past")
    assert phone.locator(".scrub").is_hidden()


@pytest.mark.parametrize("title", TITLES)
def test_guides_make_room_and_speak_of_fingers(phone: Page, server: Server, title: str) -> None:
    """No step asks for a key; a touch folds the guide away; nothing is too small to hit."""
    guide = json.loads((GUIDES / f"{title}.json").read_text(encoding="utf-8"))
    Hands(phone).open(server.seat(server.new(title, scenario=guide["scenario"])))
    phone.evaluate("() => sandtable.guide.restart()")
    for step in range(len(guide["steps"])):
        phone.evaluate("at => sandtable.guide.go(at)", step)
        text = phone.inner_text(".guide") if phone.locator(".guide").is_visible() else ""
        assert not re.search(r"\b(Click|click|press [A-Z]\b|\([A-Z]\)|lists the keys)", text), text
    phone.evaluate("() => sandtable.guide.go(0)")
    assert phone.evaluate(SMALL) == []
    high = phone.evaluate("() => document.querySelector('.guide').offsetHeight")
    phone.locator(".prompt .say b").first.tap()
    phone.wait_for_selector(".guide.folded")
    assert phone.evaluate("() => document.querySelector('.guide').offsetHeight") < high / 2
    phone.locator(".guide .fold").tap()
    phone.wait_for_selector(".guide:not(.folded)")


def test_a_counter_looked_at_says_what_it_is(phone: Page, server: Server) -> None:
    """A tap on an enemy tells its name in the prompt, which leads to all that is known of it."""
    made = server.new("battleaxe")
    server.stroll(made, 2, 3)
    hands = Hands(phone)
    hands.open(server.seat(made))
    foe: Any = phone.evaluate(
        "() => { const p = sandtable; return p.view.pieces.find(each => each.side !== p.me"
        " && each.space && !p.choices().spaces.has(each.space)).id; }"
    )
    phone.touchscreen.tap(*hands.spot("unit", foe))
    phone.wait_for_selector(".prompt .looked")
    phone.locator(".prompt .looked").tap()
    assert phone.get_attribute(".game", "data-tab") == "turn"
    assert phone.locator(f'.sec.chosen [data-card="{foe}"]').is_visible()


def test_a_fanned_stack_stays_in_sight(phone: Page, server: Server) -> None:
    """The prompt grows when a stack at the lower edge is tapped: the map moves with it."""
    made = server.new("theseus", scenario="opening")
    play_until(server, made, ("move-stack",))
    hands = Hands(phone)
    hands.open(server.seat(made))
    stack = next(each for each in hands.state()["actions"] if each["kind"] == "move-stack")
    at = phone.evaluate(
        "id => { const b = sandtable.board, s = b.spaces.get(id);"
        " b.centre(s.x, s.y, b.scale); b.pan(0, b.el.clientHeight / 2 - 50);"
        " const p = b.toScreen(s.x, s.y), box = b.el.getBoundingClientRect();"
        " return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
        " done([p.x + box.left, p.y + box.top])))); }",
        stack["spaces"][0],
    )
    phone.touchscreen.tap(*at)
    phone.wait_for_function("id => sandtable.board.fanned === id", arg=stack["spaces"][0])
    phone.wait_for_function("() => !sandtable.board.frame")
    covered = phone.evaluate(
        "() => { const top = sandtable.prompt.getBoundingClientRect().top;"
        " return [...sandtable.board.layers.fan.querySelectorAll('.unit')]"
        ".filter(el => el.getBoundingClientRect().bottom > top).length; }"
    )
    assert covered == 0


def test_what_a_question_is_about_is_shown(phone: Page, server: Server) -> None:
    """Where nothing can be tapped, the place that the question names is brought and ringed."""
    hands = Hands(phone)
    made = server.new("gallop")
    server.stroll(made, 200, 2, until="intercept it")
    hands.open(server.seat(made))
    prompt = hands.state()["prompt"]
    named = re.search(r"flies to (\w+)", prompt)
    assert named, prompt
    phone.wait_for_selector(".layer-rings .ring", state="attached")
    assert phone.evaluate(
        "id => { const s = sandtable.board.spaces.get(id);"
        " return !sandtable.board.outOfSight(s.x, s.y, 10); }",
        named[1],
    )


def test_the_log_runs_the_same_way_under_both_tabs(phone: Page, server: Server) -> None:
    """Newest first under Turn and under Log, each turn below its heading."""
    made = server.new("gallop", scenario="historical")
    server.stroll(made, 90, 3)
    Hands(phone).open(server.seat(made))
    seen = []
    for tab in ("turn", "log"):
        phone.locator(f'.tabs [data-tab="{tab}"]').tap()
        assert phone.locator(".panel:not(.second) .log > li").first.get_attribute("class") == "turn"
        seen.append(
            phone.evaluate(
                "() => [...document.querySelectorAll('.panel:not(.second) .log [data-seq]')]"
                ".map((el) => [el.getBoundingClientRect().top, Number(el.dataset.seq)])"
                ".sort(([a], [b]) => a - b).map(([, seq]) => seq)"
            )
        )
    assert seen[0] == seen[1] == sorted(seen[0], reverse=True)
    assert phone.evaluate("() => sandtable.panels.body.scrollTop") == 0


def test_the_map_says_whom_one_plays_against(phone: Page, server: Server) -> None:
    seats = {"axis": {}, "allied": {"kind": "opponent", "level": "recruit"}}
    made = server.new("battleaxe", "opponent", seats=seats)
    Hands(phone).open(server.seat(made, "axis"))
    assert phone.inner_text(".game > .top .players").strip() == "Recruit"


def test_most_choices_are_in_sight_when_the_turn_begins(phone: Page, server: Server) -> None:
    """Battleaxe: the map followed the enemy into a corner; then it is the player's impulse."""
    seats = {"axis": {}, "allied": {"kind": "opponent", "level": "recruit"}}
    made = server.new("battleaxe", "opponent", seats=seats)
    Hands(phone).open(server.seat(made, "axis"))
    phone.wait_for_function("() => sandtable.mayAct && !sandtable.draining")
    phone.evaluate(
        "() => { const p = sandtable; p.board.centre(0, 0); p.queue.push({type: 'update',"
        " by: 'allied', seq: p.state.seq + 1, view: p.state.view, actions: p.state.actions,"
        " events: []}); p.drain(); }"
    )
    phone.wait_for_function("() => !sandtable.draining")
    seen, all_of_them = phone.evaluate(
        "() => { const { board } = sandtable, { spaces } = sandtable.choices();"
        " const lit = [...spaces].map((id) => board.spaces.get(id));"
        " return [lit.filter(({x, y}) => !board.outOfSight(x, y, 0)).length, lit.length]; }"
    )
    assert all_of_them > 4
    assert seen * 3 > all_of_them * 2
