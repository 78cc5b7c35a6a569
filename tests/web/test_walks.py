"""What a newcomer stumbled over on a first walk: each stays mended."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.web.driver import Server
from tests.web.hands import Hands

OTHER_UNITS_MOVE = """() => import('/static/js/choices.js').then(({pickSpace}) => {
  const move = (unit, space) => ({text: `move ${unit} ${space}`, kind: "move", label: "",
    units: [unit], spaces: [space]});
  const actions = [move("A", "1"), move("B", "2"),
    {text: "assault 3", kind: "assault", label: "", units: [], spaces: ["3"]}];
  const picks = {units: ["A"], spaces: []};
  return ["1", "2", "3"].map((space) => pickSpace(actions, picks, space, () => null));
})"""

# The other side's deed, played back so slowly that it waits for who skips it.
HAPPENS = """async (text) => {
  (await import('/static/js/api.js')).change({speed: 1e5});
  const {state} = sandtable;
  state.you = state.view.actor;
  const by = sandtable.title.sides.find((side) => side !== state.you);
  const event = {kind: "TurnBegan", text, rule: state.view.rule, headline: true};
  sandtable.queue.push({type: "update", seq: state.seq + 1, by, view: state.view,
    actions: state.actions, events: [event]});
  sandtable.drain();
  const all = (what) => document.querySelectorAll(what);
  while (!all(".prompt [data-skip]").length) await new Promise(requestAnimationFrame);
  return {banner: all(".banner")[0]?.textContent, say: all(".prompt .say")[0].textContent,
    buttons: all(".prompt .btn").length, lit: all(".map .lit, .map .edge-line").length};
}"""


def test_a_chosen_unit_is_not_offered_the_move_of_another(page: Page, server: Server) -> None:
    page.goto(server.base)
    found: list[Any] = page.evaluate(OTHER_UNITS_MOVE)
    assert found == [
        {"units": ["A"], "spaces": ["1"]},
        None,  # B could go there, A cannot: "why not?" is answered for A.
        {"units": [], "spaces": ["3"]},
    ]


def test_nothing_old_looks_live_while_something_is_played_back(page: Page, server: Server) -> None:
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    page.wait_for_selector(".prompt .btn")
    asked, night = page.inner_text(".prompt .say"), "Night falls on June 15."
    found = page.evaluate(HAPPENS, night)
    assert found == {"banner": night, "say": night, "buttons": 1, "lit": 0}
    page.click(".prompt [data-skip]")
    page.wait_for_function("() => !sandtable.draining")
    assert page.inner_text(".prompt .say") == asked
    page.wait_for_function(
        "text => document.querySelector('#results').textContent.includes(text)", arg=night
    )


def test_what_would_be_lost_is_said_ringed_and_asked_about(page: Page, server: Server) -> None:
    made = server.new("cauldron")
    server.stroll(made, 400, until="Select an activated unit")
    hands = Hands(page)
    hands.open(server.seat(made))
    page.evaluate(
        "() => { sandtable.state.view.caution = 'Over-stacked: 1320 and 1622. Units are lost.';"
        " sandtable.render(); }"
    )
    assert page.inner_text(".prompt .warned") == "Over-stacked: 1320 and 1622. Units are lost."
    assert page.locator(".ring.warned:not(.soft)").count() == 2
    page.click('.prompt [data-action="end"]')
    page.wait_for_function("() => sandtable.armed?.action.text === 'end'")
    assert page.locator(".prompt .warned").count() == 1
    page.keyboard.press("Escape")
    assert hands.state()["armed"] is None


def test_a_stack_on_the_move_says_once_who_is_in_it(page: Page, server: Server) -> None:
    page.goto(server.base)
    lines = []
    for start, end in (("2024", "2123"), ("2123", "2224")):
        march = {"who": "18 Flak and 3 more", "start": start, "end": end}
        text = f"18 Flak and 3 more: {start} to {end}."
        lines.append({"seq": 5, "by": "axis", "rule": "7.3", "text": text, "march": march})
        text = f"In {end} are now 18 Flak and I/5."
        lines.append({"seq": 5, "by": "axis", "rule": "7.3.1", "text": text, "aside": True})
    told = page.evaluate(
        "lines => import('/static/js/logbook.js').then(log => log.readable(lines)"
        ".map(line => line.text))",
        lines,
    )
    assert told == ["18 Flak and 3 more: 2024 to 2224.", "In 2224 are now 18 Flak and I/5."]


def test_the_keyboard_walks_straight_and_takes_the_only_order(page: Page, server: Server) -> None:
    hands = Hands(page)
    hands.open(server.seat(server.new("theseus", scenario="opening")))
    page.evaluate("() => { sandtable.board.setCursor('2024'); sandtable.board.el.focus(); }")
    rows = []
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        rows.append(page.evaluate("() => sandtable.board.cursor"))
    assert rows == ["2123", "2224", "2323", "2424", "2523", "2624"]
    token = page.evaluate("() => sandtable.seat")
    game = page.evaluate("() => sandtable.id")
    for number, text in enumerate(("schwerpunkt 21Pz", "done")):
        body = {"action": text, "id": f"k{number}"}
        server.ask(f"games/{game}/play?seat={token}", body)
    page.wait_for_function("() => sandtable.view.prompt.startsWith('You have the initiative')")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.wait_for_function("() => sandtable.armed?.action.text === 'activate 21Pz'")


def test_the_text_view_gives_standing_orders_and_begins_with_the_guide(
    page: Page, server: Server
) -> None:
    hands = Hands(page)
    made = server.new("theseus", scenario="opening")
    page.goto(server.base)
    page.evaluate(
        "game => { localStorage.setItem('sandtable.text', 'true');"
        " localStorage.setItem(`sandtable.guide.${game}`, '0'); }",
        made["game"],
    )
    hands.open(server.seat(made))
    page.wait_for_selector(".text-guide h3")
    for typed, answer in (
        ("orders", "Re-rolls with SNAFU: Ask me."),
        ("order snafu when-it-can-hurt", "Order given."),
        ("orders", "Re-rolls with SNAFU: When it can hurt."),
    ):
        page.fill(".typed", typed)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "text => document.querySelector('.text-answer').textContent.includes(text)", arg=answer
        )


def test_who_lets_the_rest_be_placed_gets_what_an_officer_advises(
    page: Page, server: Server
) -> None:
    hands = Hands(page)
    hands.open(server.seat(server.new("gallop", scenario="nonhistorical")))
    page.click('.prompt [data-place="rest"]')
    page.wait_for_function("() => !sandtable.placing && sandtable.view.actor === 'axis'")
    boxes = page.evaluate(
        "() => ['B6', 'C13', 'D13', 'D5', 'E5', 'F5'].map("
        " space => (sandtable.board.stacks.get(space) ?? []).length)"
    )
    assert all(boxes), "the boxes and Tobruk are held, not a row of hexes in the order of the map"


def test_the_guide_does_not_run_ahead_of_the_game(page: Page, server: Server) -> None:
    """The air unit comes home by the word that also ends the movement phase."""
    hands = Hands(page)
    made = server.new("gallop", scenario="historical")
    server.stroll(made, 100, until="airstrike")
    hands.open(server.seat(made))
    page.evaluate("() => sandtable.guide.restart().then(() => sandtable.guide.go(2))")
    page.click('.prompt [data-action="done"]')
    page.wait_for_function("() => sandtable.view.prompt.startsWith('Move your units')")
    page.wait_for_selector(".guide h2:has-text('Move')")
    assert page.evaluate("() => sandtable.guide.at") == 3


def test_the_guide_knows_bonus_points_from_the_end_of_an_activation(
    page: Page, server: Server
) -> None:
    """One word lets bonus points go and ends an activation: what is asked next tells which."""
    Hands(page).open(server.seat(server.new("theseus", scenario="opening")))
    titles = page.evaluate(
        """async () => {
          const { guide } = sandtable;
          await guide.restart();
          guide.go(guide.steps.findIndex((step) => step.title === "Attack"));
          const asked = ["Choose an action for 21 Pz: 3 AP left.", "Commonwealth decides."];
          return asked.map((prompt) => {
            guide.happened({ action: "end", view: { prompt } });
            return guide.steps[guide.at].title;
          });
        }"""
    )
    assert titles == ["Attack", "So it goes on"]


def test_a_question_that_comes_often_offers_its_order_once(page: Page, server: Server) -> None:
    made = server.new("theseus", scenario="opening")
    server.stroll(made, 200, until="give away SNAFU")
    Hands(page).open(server.seat(made))
    page.click(".prompt .often button:has-text('Each time')")
    page.wait_for_selector(".prompt .btn:has-text('Standing order')")
    page.reload()
    page.wait_for_selector(".prompt .btn:has-text('Standing order')")
    assert not page.locator(".prompt .often").count()


def test_a_march_is_one_line_of_the_log_as_it_happens(page: Page, server: Server) -> None:
    """The line is the same whether the page saw the move or loads it later."""
    made = server.new("theseus", scenario="opening")
    hands = Hands(page)
    hands.open(server.seat(made))
    token = next(iter(made["seats"].values()))
    moves = ("schwerpunkt 21Pz", "done", "activate 21Pz", "keep", "move-stack 2024", "to 2324")
    for number, text in enumerate(moves):
        state = server.ask(f"games/{made['game']}/state?seat={token}")
        if text in [action["text"] for action in state["actions"]]:
            body = {"action": text, "id": f"m{number}"}
            server.ask(f"games/{made['game']}/play?seat={token}", body)
    march = "() => [...document.querySelectorAll('.log li')].map(li => li.innerText)"
    line = ".log li:has-text('18 Flak and 3 more: 2024 to 2324.')"
    page.wait_for_selector(line)
    lived = [text for text in page.evaluate(march) if "3 more" in text]
    page.reload()
    page.wait_for_selector(line)
    assert [text for text in page.evaluate(march) if "3 more" in text] == lived
    assert len(lived) == 1
