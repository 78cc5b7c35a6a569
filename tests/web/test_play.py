"""Playing: the combat sheet, the real way of a move, overlays by key, first orders, touch."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import sandtable
from tests.web.conftest import QUIET
from tests.web.driver import ROOT, Server
from tests.web.hands import Hands

TITLES = ("battleaxe", "cauldron", "gallop", "theseus")
SCENARIOS = {
    "battleaxe": "june",
    "cauldron": "scenario-one",
    "gallop": "historical",
    "theseus": "opening",
}
GUIDES = Path(ROOT / "src/sandtable/web/guides")


def play_until(server: Server, made: Any, kinds: tuple[str, ...], seed: int = 1) -> Any:
    """Play at random, moving about, until an action of some kind can be chosen; that action."""
    random, token = Random(seed), next(iter(made["seats"].values()))
    for step in range(600):
        state = server.ask(f"games/{made['game']}/state?seat={token}")
        for action in state["actions"]:
            if action["kind"] in kinds:
                return action
        moves = [each for each in state["actions"] if each["kind"] in ("move", "to", "activate")]
        pool = moves if moves and random.random() < 0.7 else state["actions"]
        body = {"action": random.choice(pool)["text"], "id": f"p{step}"}
        server.ask(f"games/{made['game']}/play?seat={token}", body)
    raise AssertionError(f"no {kinds} in sight")


def consider(page: Page, text: str) -> None:
    """Choose an action as a click on its button or last place does."""
    page.evaluate(
        "text => import('/static/js/choosing.js').then(each => each.consider(sandtable,"
        " sandtable.state.actions.find(action => action.text === text)))",
        text,
    )


@pytest.mark.parametrize("title", TITLES)
def test_combat_sheet_says_everything(page: Page, server: Server, title: str) -> None:
    """Who fights with what, the column and the next one's price, every face of the die."""
    made = server.new(title, scenario=SCENARIOS[title])
    # In the Gallop an attack is named first; its odds come with the first unit that joins.
    attack = play_until(server, made, ("join",) if title == "gallop" else ("attack",), 3)
    hands = Hands(page)
    hands.open(server.seat(made))
    consider(page, attack["text"])
    page.wait_for_selector(".sheet:not([hidden])")
    assert page.locator(".force figure").count() >= 2
    assert all(each.strip() for each in page.locator(".force-total").all_inner_texts())
    assert page.locator(".die-faces tbody tr").count() == 2
    assert page.locator(".die-faces thead th").count() >= 2
    assert page.locator(".bars .bar, .sums").count() >= 1
    # Every effect is a sign that says its words, and no code of the table is left to guess at.
    assert page.locator(".die-faces td.hit .signs[aria-label] .sign").count() >= 1
    assert page.locator(".die-faces td.hit").count() == page.locator(".die-faces .signs").count()
    if title == "cauldron":
        assert all(" MP" in each for each in page.locator(".way-card").all_inner_texts())
    if title == "battleaxe":
        # Dice of both sides are compared: every difference is a bar, in bands of what it means.
        assert page.locator(".histogram rect").count() >= 21
        assert page.locator(".bands li").count() == page.locator(".margins .strip span").count()
    if title != "battleaxe":
        assert page.locator(".odds-columns li.on, .odds-columns li.some").count() >= 1
        assert page.inner_text(".odds-columns .mut").strip()
    before = hands.state()["seq"]
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet", state="hidden")
    assert hands.state()["seq"] == before


@pytest.mark.parametrize("title", TITLES)
def test_pointing_shows_the_way_the_move_takes(page: Page, server: Server, title: str) -> None:
    """The drawn way has the spaces that the log then tells."""
    made = server.new(title, scenario=SCENARIOS[title])
    play_until(server, made, ("to",) if title == "theseus" else ("move",))
    hands = Hands(page)
    hands.open(server.seat(made))
    moves = [each for each in hands.state()["actions"] if each["kind"] in ("move", "to")]
    found: Any = page.evaluate(
        "texts => Promise.all(texts.map(action => sandtable.live.ask('way', {action})))"
        ".then(all => all.map(each => each.way.map(leg => leg.space)))",
        [each["text"] for each in moves],
    )
    way, move = max(zip(found, moves, strict=True), key=lambda each: len(each[0]))
    assert len(way) >= 2
    if move["units"]:
        hands.unit(move["units"][0])
    at = hands.spot("space", way[-1])
    page.mouse.move(*at)
    page.wait_for_selector(".layer-path .way", state="attached")
    beads = page.locator(".layer-path .bead").count()
    assert beads == len(way) - 2
    seq = hands.state()["seq"]
    hands.mouse(move)
    gone = page.evaluate("seq => sandtable.log.filter(each => each.seq > seq)", seq)
    assert any(way[-1] in each["text"] for each in gone), gone


@pytest.mark.parametrize(
    ("title", "tools"),
    [
        ("battleaxe", "supply control"),
        ("cauldron", "supply zones control other"),
        ("gallop", "supply zones control"),
        ("theseus", "supply zones command control"),
    ],
)
def test_overlays_at_one_key_each(page: Page, server: Server, title: str, tools: str) -> None:
    """A key shows the overlay with its legend, and hides it again."""
    keys = {"supply": "s", "zones": "z", "command": "c", "control": "v", "other": "m"}
    made = server.new(title, scenario=SCENARIOS[title])
    if title == "cauldron":
        server.stroll(made, 45)  # Zones of control need units on the map.
    hands = Hands(page)
    hands.open(server.seat(made))
    page.locator(".map").focus()
    for tool in tools.split():
        bare = page.evaluate("() => sandtable.board.layers.overlays.childElementCount")
        page.keyboard.press(keys[tool])
        assert page.get_attribute(f'.rail [data-tool="{tool}"]', "aria-pressed") == "true", tool
        assert page.evaluate("() => sandtable.board.layers.overlays.childElementCount") > bare, tool
        assert page.locator(".legend").is_visible()
        page.keyboard.press(keys[tool])
        assert page.get_attribute(f'.rail [data-tool="{tool}"]', "aria-pressed") == "false"
    assert page.locator(".legend").is_hidden()


@pytest.mark.parametrize("title", TITLES)
def test_guides_name_what_is_there(title: str) -> None:
    """Every step has words; its rule, place and unit exist; what it waits for can be played."""
    guide = json.loads((GUIDES / f"{title}.json").read_text(encoding="utf-8"))
    known = sandtable.title(title)
    assert guide["side"] in known.sides and guide["level"] == "recruit"
    assert guide["scenario"] in {each.id for each in known.scenarios}
    verbs = {kind.verb for kind in known.actions}
    for step in guide["steps"]:
        assert step["title"] and len(step["text"]) > 40
        assert step.get("rule") is None or step["rule"] in known.rules, step["rule"]
        played = step.get("until", {}).get("played")
        assert played is None or any(re.search(played, f"{verb} x") for verb in verbs), played


def test_sandbox_against_an_opponent_from_the_past(page: Page, server: Server) -> None:
    """A line of the past is branched off against a recruit, who answers there and only there."""
    made = server.new("battleaxe")
    server.stroll(made, 12, 3)
    hands = Hands(page)
    hands.open(server.seat(made))
    page.keyboard.press(",")
    page.wait_for_function("() => sandtable.past?.at === 11")
    page.click('.prompt .btn:has-text("Sandbox")')
    page.select_option('dialog select[aria-label="Against"]', "recruit")
    page.click("dialog .btn.primary")
    page.wait_for_function(f"() => !location.hash.includes('{made['game']}')")
    page.wait_for_selector(".map[data-ready]", state="attached")
    page.wait_for_function("old => sandtable.id !== old && sandtable.state", arg=made["game"])
    players = page.evaluate("() => Object.values(sandtable.state.players).map(each => each.kind)")
    assert "opponent" in players
    assert server.ask(f"games/{made['game']}")["seq"] == 12


def test_the_other_side_is_played_back(page: Page, server: Server) -> None:
    """With a speed set, a click completes the motion; dice lie there until the next press."""
    made = server.new("battleaxe")
    attack = play_until(server, made, ("resolve",), 4)
    page.context.add_init_script(
        "localStorage.setItem('sandtable.settings', JSON.stringify({speed: 2}))"
    )
    hands = Hands(page)
    hands.open(server.seat(made))
    before = hands.state()["seq"]
    consider(page, attack["text"])
    page.wait_for_function("() => sandtable.armed?.final === 'dice'")
    page.keyboard.press("Enter")
    page.wait_for_selector(".dice .die")
    assert page.locator(".dice .die").count() == 4
    page.mouse.click(700, 300)
    hands.settled(before)
    page.wait_for_timeout(3000)
    assert page.locator(".dice .die").count() == 4
    page.mouse.click(700, 300)
    assert page.locator(".dice").count() == 0


# Dice for a fight in each area: which of them hide the tracks on the water or that area.
HIDDEN = """() => { const {board, playback, title} = sandtable, hidden = [];
  const map = board.el.getBoundingClientRect();
  for (const space of board.spaces.values()) {
    playback.dice({kind: "Rolled", by: title.sides[0], faces: [4, 4, 2, 4], place: space.id,
      text: `Dice for the attack on ${space.name} (${space.id}): 4 and 4 against 2 and 4.`,
      rule: "11.4.1", outcome: "repulse"}, 0);
    const card = board.el.querySelector(".dice").getBoundingClientRect();
    const over = (left, right, top, bottom) => left < card.right && right > card.left
      && top < card.bottom && bottom > card.top;
    const tracks = board.layers.water.getBoundingClientRect();
    const spots = space.polygon.map(([x, y]) => board.toScreen(x, y));
    const [xs, ys] = [spots.map(at => at.x + map.left), spots.map(at => at.y + map.top)];
    if (over(tracks.left, tracks.right, tracks.top, tracks.bottom)
      || over(Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)))
      hidden.push(space.id);
  }
  return hidden; }"""


def test_dice_hide_neither_tracks_nor_the_fight(page: Page, server: Server) -> None:
    """On a laptop the card lies beside the tracks on the water and the area it was rolled for."""
    page.set_viewport_size({"width": 1366, "height": 768})
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    assert page.evaluate("() => sandtable.board.layers.water.childElementCount") > 0
    assert page.evaluate(HIDDEN) == []


# Dice under a headline as wide as the map allows: how much of it they hide.
COVERED = """() => { const {board, playback, title} = sandtable;
  playback.banner(["50 Northumbrian Div is activated with 4 AP; its level is now 3. ".repeat(3)]);
  playback.dice({kind: "Rolled", by: title.sides[0], faces: [7], rule: "6.3.1",
    text: "Commonwealth rolls 7 for the Action Points of 50 Div.", outcome: "4 AP"}, 0);
  const [card, banner] = [".dice", ".banner"].map(
    each => board.el.querySelector(each).getBoundingClientRect());
  return Math.max(0, banner.right - card.left) * Math.max(0, banner.bottom - card.top); }"""


def test_dice_do_not_hide_a_headline(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1200, "height": 768})
    Hands(page).open(server.seat(server.new("theseus")))
    assert page.evaluate(COVERED) == 0


def test_touch_plays_a_first_turn(browser: Browser, server: Server) -> None:
    """On a phone: a tap picks, a second asks, the button does it; nothing hangs on hover."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    context.add_init_script(QUIET)
    context.set_default_timeout(60_000)
    page = context.new_page()
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    for text in ("setup 11H B", "setup CIH C", "assault C"):
        action = next(each for each in hands.state()["actions"] if each["text"] == text)
        seq = hands.state()["seq"]
        tap(page, action["spaces"][0])
        page.locator(f'.prompt [data-action="{text}"]').tap()
        hands.settled(seq)
    page.locator('.tabs [data-tab="turn"]').tap()
    page.wait_for_selector(".sec.tracks")
    page.locator('.tabs [data-tab="log"]').tap()
    assert page.locator(".log .entry").count() >= 2
    page.locator('.tabs [data-tab="map"]').tap()
    assert "Tap a lit counter" in page.inner_text(".prompt")
    context.close()


def tap(page: Page, space: str) -> None:
    """A finger on a place."""
    at = page.evaluate(
        "id => { const b = sandtable.board, s = b.spaces.get(id); b.centre(s.x, s.y, b.scale);"
        " return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {"
        " const p = b.toScreen(s.x, s.y), r = b.el.getBoundingClientRect();"
        " done([p.x + r.left, p.y + r.top]); }))); }",
        space,
    )
    page.touchscreen.tap(*at)


def test_advice_and_standing_orders(page: Page, server: Server) -> None:
    """H asks an opponent and arms what it says; an order is kept by the server."""
    made = server.new("battleaxe")
    server.stroll(made, 2, 3)
    hands = Hands(page)
    hands.open(server.seat(made))
    page.locator(".map").focus()
    page.keyboard.press("h")
    card = page.get_by_role("dialog", name="A general advises")
    card.get_by_text(re.compile(r"Your chance to win: \d+\s%, by how games")).wait_for()
    heard = page.locator(f"#{card.get_attribute('aria-describedby')}").inner_text()
    assert "Your chance to win" in heard and "plan" in heard, "who listens is read all of it"
    page.wait_for_selector('.advice .btn:has-text("Choose it"):focus')
    assert not page.locator(":modal").count(), "the map can be seen and used meanwhile"
    advised = page.evaluate("() => sandtable.advice.action")
    for unit in advised["units"]:
        assert page.locator(f'.unit.chosen[data-unit="{unit}"]').count(), advised
    if advised["spaces"]:
        assert page.locator(".map .ring.chosen, .map .ring.threat").count(), advised
    page.click('[data-adviser="officer"]')
    officer = page.get_by_role("dialog", name="An officer advises")
    officer.wait_for()
    page.wait_for_selector('[data-adviser="officer"][aria-pressed="true"]')
    page.keyboard.press("Escape")
    assert not officer.count() and page.evaluate("() => !sandtable.armed")
    page.keyboard.press("h")
    page.click('.advice .btn:has-text("Choose it")')
    page.wait_for_function("() => sandtable.armed && !sandtable.advice")
    page.keyboard.press("Escape")
    page.click('.tab:has-text("Orders")')
    choice = page.locator(".orders select").first
    setting = choice.locator("option").nth(1).get_attribute("value")
    assert setting
    choice.select_option(setting)
    page.wait_for_function(
        "way => Object.values(sandtable.state.view.orders ?? {}).includes(way)", arg=setting
    )


def test_reach_marks_where_a_unit_must_stop(page: Page, server: Server) -> None:
    """A red square in each place of the reach that the view names, and the phase in the bar."""
    made = server.new("gallop")
    server.stroll(made, 200, 4, until="Move your units")
    hands = Hands(page)
    hands.open(server.seat(made))
    stops = page.evaluate(
        "() => Object.entries(sandtable.view.stops).filter(([, each]) => Object.keys(each).length)"
    )
    assert stops
    unit, found = stops[0]
    page.evaluate("unit => sandtable.clickUnitCard(unit)", unit)
    page.wait_for_selector(".live .stop", state="attached")
    assert page.locator(".live .stop").count() == len(found)
    assert "movement" in page.inner_text(".when b")


def test_counters_of_crowded_areas_can_be_read(page: Page, server: Server) -> None:
    """At the start every counter shows most of itself, on the map and in the boxes round it."""
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe", options={"historical_setup": True})))
    hidden = page.evaluate(
        """() => { const spots = [...sandtable.board.spots];
        return spots.filter(([id, a]) => spots.some(([other, b]) => other !== id &&
          Math.abs(a.x - b.x) < a.size * .65 && Math.abs(a.y - b.y) < a.size * .65))
          .map(([id]) => id); }"""
    )
    assert not hidden


def test_the_only_unit_to_choose_stays_chosen(page: Page, server: Server) -> None:
    """A click on it brings no list over the map: where it may go is lit already."""
    made = server.new("cauldron", scenario=SCENARIOS["cauldron"])
    play_until(server, made, ("move",), 3)
    hands = Hands(page)
    hands.open(server.seat(made))
    page.wait_for_function("() => sandtable.picks.units.length === 1")
    unit = page.evaluate("() => sandtable.picks.units[0]")
    assert page.locator(".live .cost, .live .cost-bead").count() > 0
    page.evaluate("unit => sandtable.clickUnitCard(unit)", unit)
    assert hands.picked(unit)
    assert page.locator(".live .cost, .live .cost-bead").count() > 0
    assert not hands.state()["menu"]
