"""Every screen: no serious finding of axe-core, nothing lost on a broken line, sizes that hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.web.conftest import QUIET
from tests.web.driver import Server
from tests.web.hands import Hands
from tests.web.test_play import consider, play_until

AXE = Path(__file__).parent / "vendor/axe.min.js"
RUN = """() => axe.run(document,
  {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
  .then(found => found.violations.filter(each => ["serious", "critical"].includes(each.impact))
    .map(each => `${each.id}: ${each.nodes.length}x ${each.nodes.slice(0, 3)
      .map(node => node.target.join(" ") + " " + (node.any[0]?.message ?? "")).join(" | ")}`))"""


def findings(page: Page) -> Any:
    """What axe-core takes seriously on the screen as it is."""
    page.evaluate(f"() => {{ {AXE.read_text(encoding='utf-8')}; window.axe = axe; }}")
    return page.evaluate(RUN)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_finding_of_axe(browser: Browser, server: Server, scheme: Any) -> None:
    """Front page, new game, map, odds, text view, report; by day and by night."""
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    context.add_init_script(QUIET)
    page = context.new_page()
    found = {}
    page.goto(server.base)
    page.wait_for_selector(".card")
    found["front"] = findings(page)
    page.click('[data-play="battleaxe"]')
    page.wait_for_selector("dialog[open] [data-begin]")
    found["new game"] = findings(page)
    made = server.new("battleaxe")
    server.stroll(made, 300, 7, until="^Roll the attack")
    hands = Hands(page)
    hands.open(server.seat(made))
    found["map"] = findings(page)
    for tab in ("Rules", "Units", "Orders", "Talk", "Notes"):
        page.click(f'.tab:has-text("{tab}")')
        found[tab] = findings(page)
    page.keyboard.press("Escape")
    page.locator(".map").focus()
    page.keyboard.press("o")
    page.wait_for_selector(".sheet:not([hidden])")
    found["odds"] = findings(page)
    page.keyboard.press("Escape")
    page.locator(".map").focus()
    page.keyboard.press("h")
    page.wait_for_selector(".advice")
    found["advice"] = findings(page)
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.wait_for_selector(".text-choices")
    found["text"] = findings(page)
    page.click("text=Map view")
    page.evaluate("() => sandtable.live.ask('resign', {})")
    page.wait_for_selector(".report h1")
    page.wait_for_timeout(300)
    found["report"] = findings(page)
    context.close()
    assert not {screen: each for screen, each in found.items() if each}


def test_phone_has_no_serious_finding(browser: Browser, server: Server) -> None:
    """The same on a phone, with targets big enough for a thumb."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, bypass_csp=True
    )
    context.add_init_script(QUIET)
    page = context.new_page()
    hands = Hands(page)
    hands.open(server.seat(server.new("gallop")))
    found = {"map": findings(page)}
    for tab in ("turn", "log", "rules"):
        page.click(f'.tabs [data-tab="{tab}"]')
        found[tab] = findings(page)
    page.click('.tabs [data-tab="map"]')
    small = page.evaluate(
        "() => [...document.querySelectorAll('.tabs button, .prompt .btn, .rail .tool, .icon')]"
        ".map(el => el.getBoundingClientRect()).filter(box => box.width && "
        "(box.width < 44 || box.height < 44)).length"
    )
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    context.close()
    assert not {screen: each for screen, each in found.items() if each}
    assert small == 0
    assert wide <= 390


def test_resumes_after_a_broken_connection(page: Page, server: Server) -> None:
    """A lost line shows itself; what was sent meanwhile arrives once, and nothing is doubled."""
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    page.context.set_offline(True)
    page.evaluate("() => { sandtable.live.drop(); }")
    page.wait_for_selector(".notice:not([hidden])")
    page.evaluate("() => { sandtable.commit(sandtable.state.actions[0]); }")
    page.context.set_offline(False)
    page.evaluate("() => sandtable.live.connect()")
    page.wait_for_function("() => sandtable.state.seq === 1")
    page.wait_for_selector(".notice", state="hidden")
    page.evaluate("() => sandtable.live.drop()")
    page.wait_for_function("() => sandtable.live.socket?.readyState === 1")
    page.wait_for_timeout(300)
    assert hands.state()["seq"] == 1
    assert page.locator(".log .entry").count() == 1


def test_server_killed_and_started_again(page: Page) -> None:
    """The page waits for a server that went away and goes on where it was."""
    with Server() as server:
        hands = Hands(page)
        hands.open(server.seat(server.new("battleaxe")))
        hands.mouse(hands.state()["actions"][0])
        assert server.process
        server.process.kill()
        server.process.wait()
        page.wait_for_selector(".notice:not([hidden])")
        server.start()
        page.wait_for_selector(".notice", state="hidden")
        hands.mouse(hands.state()["actions"][0])
        assert hands.state()["seq"] == 2


def test_new_game_in_three_clicks(page: Page, server: Server) -> None:
    """Start, whom, begin: the map is there and it is your move."""
    page.goto(server.base)
    page.click('[data-play="battleaxe"]')
    page.click('dialog input[value="hotseat"]')
    page.click("dialog [data-begin]")
    page.wait_for_selector(".map[data-ready]", state="attached")
    assert page.evaluate("() => sandtable.mayAct")


def test_take_back_and_why_not(page: Page, server: Server) -> None:
    """A move is taken back with U; a place that cannot be reached says why, with the rule."""
    made = server.new("battleaxe")
    hands = Hands(page)
    hands.open(server.seat(made))
    for text in ("setup 11H B", "setup CIH C", "assault C"):
        actions = hands.state()["actions"]
        hands.mouse(next(each for each in actions if each["text"] == text))
    move = next(each for each in hands.state()["actions"] if each["text"] == "move 7RTR 4")
    hands.mouse(move)
    assert page.evaluate("() => sandtable.spaceOf('7RTR')") == "4"
    page.keyboard.press("u")
    page.wait_for_function("() => sandtable.spaceOf('7RTR') === 'C'")
    assert not any("7RTR moves" in each for each in page.locator(".log li").all_inner_texts())
    hands.unit("7RTR")
    hands.click("space", "15")
    page.wait_for_selector(".toast .rule")
    assert "7RTR" in page.inner_text(".toast")
    # It covers no button, and the place that is clicked next can be clicked through it.
    assert page.evaluate(
        "() => [...document.querySelectorAll('.prompt, .scrub, .rail')].every((el) =>"
        " { const [a, b] = [el, document.querySelector('.toast')].map((each) =>"
        " each.getBoundingClientRect()); return a.top >= b.bottom || a.right <= b.left; })"
    )
    assert page.evaluate(
        "() => { const box = document.querySelector('.toast').getBoundingClientRect();"
        " return !!document.elementFromPoint(box.left + 4, box.top + 4).closest('.map'); }"
    )
    while page.evaluate("() => sandtable.state.can_undo"):
        seq = hands.state()["seq"]
        page.keyboard.press("u")
        hands.settled(seq)
    page.keyboard.press("u")
    page.wait_for_selector('.toast:has-text("Nothing can be taken back")')


def test_counters_of_an_area_lie_side_by_side(page: Page, server: Server) -> None:
    """Nobody in an area hides behind another, and the impulse track lies on the sea."""
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    spots, on_map = page.evaluate(
        "() => [[...sandtable.board.spots.values()].map(spot => `${spot.x} ${spot.y}`),"
        " [...sandtable.board.stacks.values()].flat().length]"
    )
    assert len(set(spots)) == len(spots) == on_map > 40
    assert page.locator(".layer-water .now").count() == 1
    assert page.locator(".layer-water .support").count() == 6


def test_history_and_sandbox(page: Page, server: Server) -> None:
    """The scrubber shows the past; a sandbox branches off without touching the game."""
    made = server.new("battleaxe")
    server.stroll(made, 20, 3)
    hands = Hands(page)
    hands.open(server.seat(made))
    page.keyboard.press(",")
    page.wait_for_function("() => sandtable.past?.at === 19")
    page.click('.prompt .btn:has-text("Sandbox")')
    page.click("dialog .btn.primary")
    page.wait_for_function(f"() => !location.hash.includes('{made['game']}')")
    page.wait_for_selector(".map[data-ready]", state="attached")
    assert server.ask(f"games/{made['game']}")["seq"] == 20


@pytest.mark.parametrize("width", [320, 480, 720])
def test_reflows_when_zoomed(browser: Browser, server: Server, width: int) -> None:
    """1280 pixels at 400, 267 and 178 percent: nothing scrolls sideways."""
    context = browser.new_context(viewport={"width": width, "height": 640})
    page = context.new_page()
    for address in (server.base, server.seat(server.new("battleaxe"))):
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_timeout(700)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    context.close()


ORDER = """() => axe.run(document,
  {runOnly: ["heading-order", "landmark-no-duplicate-banner", "landmark-unique"]})
  .then(found => found.violations.map(each => `${each.id} ${each.nodes[0].target}`))"""


def test_headings_follow_each_other_and_landmarks_are_unique(page: Page, server: Server) -> None:
    """On the map with counters beside it, and with the report over it."""
    hands = Hands(page)
    hands.open(server.seat(server.new("gallop")))
    findings(page)
    assert page.evaluate(ORDER) == []
    page.evaluate("() => sandtable.live.ask('resign', {})")
    page.wait_for_selector(".report .check-box .mono")
    assert page.evaluate(ORDER) == []


def test_the_panel_shows_all_of_its_upper_parts_while_the_log_is_short(
    page: Page, server: Server
) -> None:
    """Six divisions beside the map, with room below them; nothing of them is cut."""
    hands = Hands(page)
    hands.open(server.seat(server.new("gallop")))
    cut = "() => ['.tracks', '.chosen'].filter((each) => { const el = document.querySelector("
    cut += "`.panel ${each}`); return el.scrollHeight > el.clientHeight + 1; })"
    assert page.evaluate(cut) == []


def test_a_narrow_laptop_keeps_its_buttons_at_the_right(page: Page, server: Server) -> None:
    """1024 pixels: the bar's tools and the main button end at the right edge of their places."""
    page.set_viewport_size({"width": 1024, "height": 768})
    made = server.new("gallop", scenario="historical")
    air = play_until(server, made, ("airstrike",))
    Hands(page).open(server.seat(made))
    edge = "el => el.parentElement.getBoundingClientRect().right - el.getBoundingClientRect().right"
    assert page.locator(".top-tools").evaluate(edge) < 30
    assert page.locator(".prompt .btn").last.evaluate(edge) < 30
    consider(page, air["text"])
    page.wait_for_selector(".sheet:not([hidden])")
    assert page.locator(".prompt .primary").evaluate(edge) < 30
    assert page.locator(".overview").is_hidden()
    assert page.locator(".tab").evaluate_all("all => new Set(all.map(el => el.offsetTop)).size") < 2
