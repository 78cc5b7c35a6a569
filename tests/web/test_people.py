"""Two people: a link, an open table, talk, spectators, and an opponent that answers."""

from __future__ import annotations

import time

from playwright.sync_api import Browser, Page

from tests.web.conftest import QUIET
from tests.web.driver import Server
from tests.web.hands import Hands
from tests.web.test_ears import LISTEN, heard


def somebody(browser: Browser) -> Page:
    """Another person's browser."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(QUIET)
    return context.new_page()


def test_friend_by_link_with_words(page: Page, browser: Browser, server: Server) -> None:
    """Both put words into the seed; each sees the other's moves and words."""
    made = server.new("battleaxe", "link", seats={"allied": {}, "axis": {}}, words="sand")
    friend = somebody(browser)
    hands, theirs = Hands(page), Hands(friend)
    hands.open(server.seat(made, "allied"))
    theirs.open(server.seat(made, "axis"))
    if friend.locator('.prompt .btn:has-text("Take this seat")').count():
        friend.click('.prompt .btn:has-text("Take this seat")')
        friend.click("dialog [data-join]")
    page.wait_for_function("() => sandtable.mayAct")
    assert not theirs.state()["actions"]
    hands.mouse(hands.state()["actions"][0])
    friend.wait_for_function("() => sandtable.state.seq === 1")
    page.click('.tab:has-text("Talk")')
    page.fill(".panel form input", "Good luck")
    page.keyboard.press("Enter")
    friend.click('.tab:has-text("Talk")')
    friend.wait_for_selector(".chat li:has-text('Good luck')")
    friend.context.close()


def test_the_link_for_a_friend_has_air_around_it(page: Page, server: Server) -> None:
    page.goto(server.base)
    page.click('.way:has-text("Send a friend a link")')
    page.click("dialog [data-begin]")
    link = page.locator('dialog input[aria-label="Link for your friend"]').bounding_box()
    on = page.locator('dialog .btn:has-text("To the map")').bounding_box()
    assert link and on and on["y"] >= link["y"] + link["height"] + 8


def test_refusals_without_a_rule_begin_as_sentences_do(page: Page, server: Server) -> None:
    seats = {"axis": {}, "allied": {"kind": "opponent", "level": "recruit"}}
    Hands(page).open(server.seat(server.new("battleaxe", "opponent", seats=seats), "axis"))
    page.click('button[aria-label="Menu"]')
    page.wait_for_selector('dialog button:has-text("Resign")')
    assert not page.query_selector('dialog button:has-text("Offer a draw")'), "it never agrees"
    page.evaluate(
        "() => sandtable.live.ask('offer', { what: 'draw' }).catch((e) => sandtable.refused(e))"
    )
    page.wait_for_selector('.toast:has-text("An opponent never agrees")')


def test_open_table_and_spectator(page: Page, browser: Browser, server: Server) -> None:
    """An open table stands in the lobby, is joined there, and can be watched."""
    made = server.new("gallop", "open", seats={"axis": {"name": "Host"}, "allied": {}})
    guest = somebody(browser)
    guest.goto(server.base)
    guest.click('.game-row:has-text("Gazala Gallop"):has-text("Join")')
    guest.click('dialog .btn:has-text("Join")')
    guest.wait_for_selector(".map[data-ready]", state="attached")
    watch = somebody(browser)
    Hands(watch).open(f"{server.base}/#/game/{made['game']}")
    assert "watching" in watch.inner_text(".prompt").lower()
    hands = Hands(page)
    token = made["seats"].get("axis") or next(iter(made["seats"].values()))
    hands.open(f"{server.base}/#/game/{made['game']}?seat={token}")
    page.wait_for_function("() => sandtable.mayAct")
    hands.mouse(hands.state()["actions"][0])
    watch.wait_for_function("() => sandtable.state.seq === 1")
    for each in (guest, watch):
        each.context.close()


def test_running_games_left_open_to_watchers_are_found_on_the_front_page(
    page: Page, browser: Browser, server: Server
) -> None:
    """Somebody makes an open table in the page; a third person finds the game and watches it."""
    made = server.new("battleaxe", "open", seats={"axis": {"name": "Host"}, "allied": {}})
    hidden = server.new("battleaxe", "link", seats={"axis": {"name": "Private"}, "allied": {}})
    joined = server.ask(f"games/{made['game']}/join", {"name": "Guest", "side": "allied"})
    page.goto(server.base)
    page.click('.btn:has-text("Watch one")')
    page.wait_for_selector(f'dialog [data-watch="{made["game"]}"]:has-text("Host")')
    assert page.locator(f'[data-watch="{hidden["game"]}"]').count() == 0
    page.click(f'[data-watch="{made["game"]}"]')
    page.wait_for_selector(".map[data-ready]", state="attached")
    assert "watching" in page.inner_text(".prompt").lower()
    seat = joined["seats"]["allied"]
    state = server.ask(f"games/{made['game']}/state?seat={seat}")
    body = {"action": state["actions"][0]["text"], "id": "one"}
    server.ask(f"games/{made['game']}/play?seat={seat}", body)
    page.wait_for_function("() => sandtable.state.seq === 1")
    assert page.evaluate("() => sandtable.state.actions.length") == 0
    # The creator decides it in the dialog: on for an open table, off for a friend.
    page.goto(server.base)
    page.click('.way:has-text("Send a friend a link")')
    page.click("dialog .more-options summary")
    assert not page.is_checked("dialog [data-watch]")
    page.check('dialog input[value="open"]')
    assert page.is_checked("dialog [data-watch]")
    assert page.locator("dialog [data-bid]").count() == 1


def test_names_and_talk_are_text_and_never_markup(page: Page, server: Server) -> None:
    """A name and a sentence that are HTML are shown as they were written, wherever they appear."""
    evil = "<img src=x onerror=hacked=1>"
    made = server.new("battleaxe", "open", seats={"axis": {"name": evil}, "allied": {}})
    joined = server.ask(f"games/{made['game']}/join", {"name": evil, "side": "allied"})

    def harmless() -> None:
        assert page.evaluate("() => 'hacked' in window") is False
        assert page.locator('img[src="x"]').count() == 0

    page.goto(server.base)
    page.click('.btn:has-text("Watch one")')
    assert evil in page.inner_text(f'[data-watch="{made["game"]}"]')
    harmless()
    Hands(page).open(f"{server.base}/#/game/{made['game']}?seat={joined['seats']['allied']}")
    page.click('.tab:has-text("Talk")')
    page.fill(".panel form input", evil)
    page.keyboard.press("Enter")
    page.wait_for_selector(".chat li")
    assert page.inner_text(".chat li").count(evil) >= 1
    harmless()


def test_an_account_says_where_it_is_told_of_its_turns(page: Page, server: Server) -> None:
    """From the front page: an account, an address for notices, and sessions signed out."""
    page.goto(server.base)
    page.click(".account-name")
    page.fill('dialog input[autocomplete="username"]', "Front page")
    page.fill('dialog input[type="password"]', "long enough a word")
    page.click('dialog .btn:has-text("Make an account")')
    page.wait_for_selector('.account-name:has-text("Front page")')
    page.click(".account-name")
    page.click('dialog .btn:has-text("Sign out everywhere else")')
    page.wait_for_selector('.toast:has-text("0 other sessions")')
    page.click('dialog .btn:has-text("Tell me of my turns")')
    where = 'dialog input[aria-label="E-mail address or webhook"]'
    page.fill(where, "http://127.0.0.1/inside")
    page.click('dialog .btn:has-text("Add")')
    page.wait_for_selector('.toast:has-text("internal address")')
    page.fill(where, "https://93.184.216.34/turn")
    page.click('dialog .btn:has-text("Add")')
    page.wait_for_selector('dialog .game-row:has-text("93.184.216.34")')
    page.click('dialog .game-row .btn:has-text("Remove")')
    page.wait_for_selector("dialog .game-row", state="detached")


def test_guided_game_against_a_recruit(page: Page, server: Server) -> None:
    """First orders: the guide goes on by itself as its steps are done; the recruit answers."""
    page.goto(server.base)
    page.click('.way:has-text("First orders")')
    page.click('[data-lesson="battleaxe"]')
    page.wait_for_selector(".guide h2:has-text('Welcome')")
    page.click('.guide .btn:has-text("Next")')
    hands = Hands(page)
    for text in ("setup 11H B", "setup CIH C", "assault C", "move 7RTR 4", "end"):
        actions = hands.state()["actions"]
        hands.mouse(next(each for each in actions if each["text"] == text))
        page.wait_for_function("() => sandtable.mayAct || sandtable.state.view.actor === 'axis'")
    assert page.evaluate("() => sandtable.guide.at") >= 4
    for _ in range(4):
        page.wait_for_function("() => sandtable.mayAct && !sandtable.draining")
        if page.evaluate("() => sandtable.log.some(line => line.by === 'axis')"):
            break
        hands.mouse(hands.state()["actions"][-1])
    assert page.evaluate("() => sandtable.log.some(line => line.by === 'axis')")
    page.click('.guide .btn:has-text("From the start")')
    assert "Welcome" in page.inner_text(".guide h2")


def test_two_opponents_play_before_the_eyes_of_who_watches(page: Page, server: Server) -> None:
    """Chosen in the dialog, shown from the first line on, stopped and let go on."""
    page.goto(server.base)
    page.click('button:has-text("Start a game")')
    page.check('dialog input[value="watch"]')
    for side in ("axis", "allied"):
        page.check(f'dialog input[name="level-{side}"][value="general"]')
    # Each general has a budget of its own.
    page.select_option('dialog [data-thinks="axis"]', "2")
    assert page.input_value('dialog [data-thinks="allied"]') == ""
    page.check('dialog input[name="level-axis"][value="recruit"]')
    assert page.locator('dialog [data-thinks="axis"]').is_hidden()
    page.check('dialog input[name="level-allied"][value="officer"]')
    page.click("dialog [data-begin]")
    page.wait_for_selector(".map[data-ready]", state="attached")
    page.wait_for_function("() => sandtable.log.some((line) => line.seq === 2)")
    assert page.evaluate("sandtable.log[0].seq") == 1
    assert "Recruit (computer)" in page.inner_text("header")
    page.click('.prompt .btn:has-text("Pause")')
    page.wait_for_function("() => sandtable.queue.length > 1")
    at = page.evaluate("sandtable.state.seq")
    # Who looks at a counter meanwhile ends no pause and skips nothing.
    page.evaluate("() => sandtable.board.handlers.unit([...sandtable.board.pieces.keys()][0], {})")
    assert page.evaluate("sandtable.playback.paused && !sandtable.playback.hurried")
    # The count tells how far the game is, although the picture stands still.
    page.wait_for_function(
        "at => document.querySelector('.count-of').textContent === `${at} of ${sandtable.live.seq}`"
        " && sandtable.live.seq > at + 1",
        arg=at,
    )
    page.click('.prompt .btn:has-text("Speed: at once")')
    page.click('.prompt .btn:has-text("Speed: slow")')
    assert page.evaluate("async () => (await import('/static/js/api.js')).settings.speed") == 1
    assert page.locator(".scrub .sandbox").is_hidden()
    page.click('.prompt .btn:has-text("Go on")')
    page.wait_for_function(f"() => sandtable.state.seq > {at + 1}")
    game = page.url
    page.goto(server.base)
    page.wait_for_timeout(1500)  # They play on.
    page.click('.game-row:has-text("two opponents")')
    page.wait_for_selector(".map[data-ready]", state="attached")
    assert page.url == game
    page.wait_for_selector('.since:has-text("Since you were here: ")')


def test_who_finds_nothing_to_watch_lets_two_opponents_play(page: Page) -> None:
    """Where nobody plays in public the same button offers a game to watch, and Begin stays."""
    with Server() as empty:
        page.goto(empty.base)
        page.click('.btn:has-text("Watch one")')
        page.wait_for_selector('dialog input[name="level-allied"]')
        assert page.is_checked('dialog input[value="watch"]')
        assert "Nobody plays in public now" in page.inner_text("dialog")
        left = "() => document.querySelector('dialog [data-begin]').getBoundingClientRect().left"
        at = page.evaluate(left)
        page.check('dialog input[value="opponent"]')
        assert page.evaluate(left) == at


def test_every_game_of_mine_can_be_found_and_says_against_whom(page: Page, server: Server) -> None:
    """The ninth and later games lie under "All games"; each row names the opponent's level."""
    levels = ("recruit", "officer", "general:5")
    kept = []
    for at in range(10):
        seats = {"axis": {}, "allied": {"kind": "opponent", "level": levels[at % 3]}}
        made = server.new("cauldron", "opponent", seats=seats)
        own = {"axis": made["seats"]["axis"]}
        kept.append(
            {
                **{"game": made["game"], "title": "cauldron", "seats": own},
                **{"mode": "opponent", "at": at},
            }
        )
    page.goto(server.base)
    page.evaluate("kept => localStorage.setItem('sandtable.seats', JSON.stringify(kept))", kept)
    page.reload()
    page.click('summary:has-text("All 10 games")')
    rows = page.locator('[aria-labelledby="mine-h"] .game-row')
    assert rows.count() == 10
    assert all(rows.nth(at).is_visible() for at in range(10))
    said = [rows.nth(at).inner_text() for at in range(10)]
    assert sum("against General, 5 s (computer)" in each for each in said) == 3
    assert sum("against Recruit (computer)" in each for each in said) == 4


def test_what_was_chosen_for_a_new_game_stays_while_the_dialog_changes(
    page: Page, server: Server
) -> None:
    page.goto(server.base)
    page.click('[data-play="battleaxe"]')
    page.click("dialog .more-options summary")
    page.fill('dialog input[type="number"]', "13")
    page.check('dialog .choice:has-text("Extended Game") input')
    page.check('dialog input[value="link"]')
    page.select_option('dialog .field:has-text("Time") select', "3600")
    page.fill('dialog .field:has-text("Your words") input', "sand")
    page.check('dialog input[value="open"]')
    assert page.input_value('dialog input[type="number"]') == "13"
    assert page.is_checked('dialog .choice:has-text("Extended Game") input')
    assert page.input_value('dialog .field:has-text("Time") select') == "3600"
    assert page.input_value('dialog .field:has-text("Your words") input') == "sand"
    assert page.is_visible('dialog input[type="number"] >> nth=0'), "the details stay open"


# Deeds of the other side with a reason each, and how long each reason then stands in the page.
REASONS = """async ([speed, reasons, actions]) => {
  (await import('/static/js/api.js')).change({speed});
  const {state} = sandtable, told = [];
  const look = () => {
    const said = document.querySelector(".caption")?.textContent.split(": ")[1] ?? "";
    if (said !== told.at(-1)?.[0]) told.push([said, performance.now()]);
  };
  new MutationObserver(look).observe(sandtable.board.el, {childList: true, subtree: true});
  state.you = state.view.actor;
  const by = sandtable.title.sides.find((side) => side !== state.you);
  for (const [at, reason] of reasons.entries()) sandtable.queue.push({type: "update", by, reason,
    seq: state.seq + 1 + at, view: state.view, actions, events: [{kind: "Told", text: "A deed."}]});
  const began = performance.now();
  sandtable.drain();
  await sandtable.drained;
  told.push(["", performance.now()]);
  window.took = performance.now() - began;
  return told.slice(1).map(([, at], each) => [told[each][0], at - told[each][1]]);
}"""
WHY = ["I hold the track; without it 21 Panzer cannot be supplied.", "Now I strike at the box."]
LONG = [f"{each}. {'I hold the track. ' * 10}" for each in "ABCD"]  # Skimmed in 12 s.
QUICK = 10_000  # On a machine that has other work.


def test_a_reason_stands_long_enough_to_be_read(page: Page, server: Server) -> None:
    """At a normal pace; once for a plan; not for who asked for a fast pace, or is to decide."""
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    actions = hands.state()["actions"]
    stood = dict(page.evaluate(REASONS, [1, [WHY[0], WHY[0], WHY[1], None], []]))
    assert stood[WHY[0]] > 1600
    assert stood[WHY[1]] > 1100
    page.evaluate(REASONS, [0.5, LONG, []])
    assert page.evaluate("() => took") < QUICK
    page.evaluate(REASONS, [1, LONG, actions])
    assert page.evaluate("() => took") < QUICK
    assert "D. I hold" in page.inner_text(".caption")
    page.emulate_media(reduced_motion="reduce")
    stood = dict(page.evaluate(REASONS, [1, WHY, []]))
    assert stood[WHY[1]] > 1100, "who wants less motion wants no less time to read"


def test_a_reason_is_skipped_at_once_and_kept_through_a_pause(page: Page, server: Server) -> None:
    """Esc goes on at once; Pause stops there, and the reason stays for as long as it takes."""
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    begin = f"(args) => void (window.shown = ({REASONS})(args))"
    page.evaluate(begin, [1, LONG, []])
    page.wait_for_selector(".caption")
    page.keyboard.press("Escape")
    page.evaluate("() => shown")
    assert page.evaluate("() => took") < QUICK
    page.evaluate(begin, [1, WHY, []])
    page.wait_for_selector(f'.caption:has-text("{WHY[0]}")')
    page.evaluate("() => sandtable.playback.pause(true)")
    page.wait_for_timeout(6000)
    assert WHY[0] in page.inner_text(".caption")
    page.evaluate("() => sandtable.playback.pause(false)")
    page.wait_for_selector(f'.caption:has-text("{WHY[1]}")')


def test_who_comes_back_is_told_what_happened_meanwhile(page: Page, server: Server) -> None:
    """Not on a first visit; once, aloud too; by keyboard to the first new line; until he acts."""
    seats = {"axis": {}, "allied": {"kind": "opponent", "level": "recruit"}}
    made = server.new("battleaxe", "opponent", seats=seats)
    hands, token = Hands(page), made["seats"]["axis"]
    hands.open(server.seat(made, "axis"))
    page.wait_for_function("() => sandtable.mayAct && !sandtable.draining")
    assert page.evaluate("() => sandtable.log.length") > 0
    assert page.locator(".since").count() == 0
    page.reload()
    page.wait_for_selector(".map[data-ready]", state="attached")
    assert page.locator(".since").count() == 0  # Nothing has happened.
    seen = hands.state()["seq"]
    page.goto("about:blank")
    state = server.ask(f"games/{made['game']}/state?seat={token}")
    for step in range(400):
        theirs = [each for each in state["log"] if each["seq"] > seen and each["by"] == "allied"]
        if state["actions"] and theirs:
            break
        if state["actions"]:
            body = {"action": state["actions"][-1]["text"], "id": f"b{step}"}
            server.ask(f"games/{made['game']}/play?seat={token}", body)
        time.sleep(0.1)
        state = server.ask(f"games/{made['game']}/state?seat={token}")
    page.add_init_script(f"addEventListener('DOMContentLoaded', {LISTEN})")
    hands.open(server.seat(made, "axis"))
    text = page.inner_text(".since span")
    assert text.startswith("Since you were here: ") and text.endswith(" happened.")
    heard(page, text)
    page.keyboard.press("b")
    for _ in range(8):
        if page.evaluate("() => 'since' in document.activeElement.dataset"):
            break
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "seq => document.activeElement.matches('.log .entry')"
        " && Number(document.activeElement.dataset.seq) >= seq",
        arg=theirs[0]["seq"],
    )
    assert page.evaluate("() => document.activeElement.dataset.by") == "allied"
    assert page.evaluate(
        "() => { const box = sandtable.panels.body.getBoundingClientRect(),"
        " line = document.activeElement.getBoundingClientRect();"
        " return line.top >= box.top - 1 && line.bottom <= box.bottom + 1; }"
    )
    assert page.locator(".since").count() == 1
    hands.mouse(hands.state()["actions"][-1])
    assert page.locator(".since").count() == 0
    assert page.evaluate("text => said.filter((each) => each.includes(text)).length", text) == 1
    page.evaluate(
        "() => localStorage.setItem(`sandtable.seen.${sandtable.id}.axis`, '1')"
    )  # As if away since the first line; closed by its cross.
    page.reload()
    page.click('.since [aria-label="Close"]')
    assert page.locator(".since").count() == 0


TOLD = """([text, reason, actions]) => {
  const {state} = sandtable, by = state.view.actor;
  state.you = sandtable.title.sides.find((side) => side !== by);
  sandtable.queue.push({type: "update", by, reason, seq: state.seq + 1, view: state.view, actions,
    events: [{kind: "Told", text}]});
  sandtable.drain();
}"""
HIDDEN = """() => {
  const box = document.querySelector(".caption").getBoundingClientRect();
  return [...sandtable.board.svg.querySelectorAll(".layer-counters [data-unit]")].filter((el) => {
    const {left, right, top, bottom} = el.getBoundingClientRect();
    const over = left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    return over && "ABCD".includes(sandtable.spaceOf(el.dataset.unit));
  }).length;
}"""
ASSAULT = "The Allies begin an Assault from Buq-Buq (A), Sofafi (B), Bir el-Khireigat (C)."
NORMAL = "async () => (await import('/static/js/api.js')).change({speed: 1})"


def test_a_reason_hides_nothing_of_what_it_speaks(page: Page, server: Server) -> None:
    """The units of the zones that attack stay in sight while the attack is explained."""
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    page.evaluate(NORMAL)
    for width, high in ((1440, 900), (1024, 768)):
        page.set_viewport_size({"width": width, "height": high})
        page.evaluate(TOLD, [ASSAULT, f"{width}. {'I take what scores. ' * 9}", []])
        page.wait_for_selector(f'.caption:has-text("{width}.")')
        assert page.evaluate(HIDDEN) == 0
        page.keyboard.press("Escape")
        page.wait_for_function("() => !sandtable.draining")


def test_a_reason_leaves_a_phone_whose_player_decides(phone: Page, server: Server) -> None:
    """While it stands it hides no unit it speaks of; it lies over no place to choose."""
    hands = Hands(phone)
    hands.open(server.seat(server.new("battleaxe")))
    actions = hands.state()["actions"]
    phone.evaluate(NORMAL)
    phone.evaluate(TOLD, [ASSAULT, f"One. {'I take what scores. ' * 9}", []])
    phone.wait_for_selector('.caption:has-text("One.")')
    assert phone.evaluate(HIDDEN) == 0
    phone.wait_for_function("() => !sandtable.draining")
    phone.evaluate(TOLD, [ASSAULT, "Two. Now it is your turn.", actions])
    phone.wait_for_function("() => sandtable.mayAct && !sandtable.draining")
    assert phone.locator(".caption").count() == 0
