"""Bad luck: lost lines, old tabs, slow opponents, refused messages. The game goes on, once."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute

from tests.web.driver import Server
from tests.web.hands import Hands


class Line:
    """The websocket of a page with a hand on it."""

    def __init__(self, page: Page) -> None:
        self.hold = ""
        """The side whose moves are kept back."""
        self.kept: list[str | bytes] = []
        self.cut = False
        """Whether the line breaks as soon as an action has gone out."""
        self.spoil = False
        """Whether the next action is garbled."""
        self.sent = 0
        self.here: WebSocketRoute | None = None
        page.route_web_socket("**/live?*", self.opened)

    def opened(self, here: WebSocketRoute) -> None:
        """A connection is made; its predecessors are gone."""
        self.here = here
        server = here.connect_to_server()
        here.on_message(lambda message: self.up(here, server, message))
        server.on_message(lambda message: self.down(here, message))

    def up(self, here: WebSocketRoute, server: WebSocketRoute, message: Any) -> None:
        """From the page to the server."""
        said = json.loads(message)
        if said["type"] == "play":
            self.sent += 1
            if self.spoil:
                self.spoil = False
                said["action"] = "nonsense"
            server.send(json.dumps(said))
            if self.cut:
                self.cut = False
                here.close(code=1001)
                server.close(code=1001)
            return
        server.send(message)

    def down(self, here: WebSocketRoute, message: Any) -> None:
        """From the server to the page."""
        said = json.loads(message)
        if self.hold and said["type"] == "update" and said["by"] == self.hold:
            self.kept.append(message)
        else:
            here.send(message)

    def release(self) -> None:
        """Let the news through that were kept back."""
        self.hold = ""
        assert self.here
        for message in self.kept:
            self.here.send(message)
        self.kept = []


def test_action_whose_answer_was_lost_counts_once(page: Page, server: Server) -> None:
    """The line breaks after an action went out: it is sent again and carried out once."""
    line, hands = Line(page), Hands(page)
    made = server.new("battleaxe")
    hands.open(server.seat(made))
    line.cut = True
    page.evaluate("() => { sandtable.commit(sandtable.state.actions[0]); }")
    page.wait_for_function("() => sandtable.state.seq === 1 && !sandtable.sending")
    page.wait_for_selector(".notice", state="hidden")
    assert line.sent == 2
    assert server.ask(f"games/{made['game']}")["seq"] == 1
    hands.mouse(hands.state()["actions"][0])
    assert hands.state()["seq"] == 2
    assert page.locator(".log .entry").count() >= 2


def test_old_tab_is_told_to_reload(page: Page, server: Server) -> None:
    """A new version of any script shows after the line was lost; the button reloads."""
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    page.wait_for_function("() => sandtable.version")

    def newer(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "etag": '"newer"'})

    page.route("**/static/js/sheet.js", newer)
    page.evaluate("() => sandtable.live.drop()")
    page.wait_for_selector(".notice:not([hidden]) .btn:has-text('Reload')")
    page.unroute("**/static/js/sheet.js")
    page.click(".notice .btn:has-text('Reload')")
    page.wait_for_selector(".map[data-ready]", state="attached")
    assert page.locator(".notice").is_hidden()


def test_slow_opponent_shows_progress(page: Page, server: Server) -> None:
    """While an opponent thinks the prompt says so and counts; then its moves arrive."""
    line, hands = Line(page), Hands(page)
    made = server.new("battleaxe", "opponent", seats={"axis": {"kind": "opponent"}})
    hands.open(server.seat(made, "allied"))
    for text in ("setup 11H B", "setup CIH C", "pass"):
        hands.mouse(next(each for each in hands.state()["actions"] if each["text"] == text))
    line.hold = "axis"
    hands.mouse(next(e for e in hands.state()["actions"] if e["text"] == "advantage no"))
    page.wait_for_function(
        "() => /thinking.* \\d+ s/.test(document.querySelector('.say').innerText)"
    )
    # Whoever comes back meanwhile is told as well.
    page.evaluate("() => sandtable.begin(sandtable.state)")
    assert "thinking" in page.inner_text(".say")
    line.release()
    page.wait_for_function("() => sandtable.log.some(line => line.by === 'axis')")


def test_error_is_told_and_the_game_kept(page: Page, server: Server) -> None:
    """A message the server cannot read changes nothing; the next action works."""
    line, hands = Line(page), Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    line.spoil = True
    page.evaluate("() => { sandtable.commit(sandtable.state.actions[0]); }")
    page.wait_for_selector(".toast")
    assert page.inner_text(".toast").strip()
    assert hands.state()["seq"] == 0
    hands.mouse(hands.state()["actions"][0])
    assert hands.state()["seq"] == 1


def test_wrong_link_says_so(page: Page, server: Server) -> None:
    """A game that is not there is told in a sentence, with a way back."""
    page.goto(f"{server.base}/#/game/nothing-here")
    page.wait_for_selector(".prompt .btn:has-text('front page')")
    page.click(".prompt .btn:has-text('front page')")
    page.wait_for_selector(".card")
