"""Whole games between people in two browsers, and against an opponent, through every misfortune."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as BrowserGone

from sandtable.kernel import record as records
from tests.server.conftest import cluster
from tests.server.harness import PATIENCE, Cluster, Server, running
from tests.web.conftest import QUIET
from tests.web.driver import CHROMIUM, FLAGS
from tests.web.hands import Hands

__all__ = ["cluster"]
MINE = "() => sandtable.mayAct && !sandtable.draining && !sandtable.sending"
OVER = "() => !!sandtable.state?.outcome"
READY = "() => sandtable.mayAct && !sandtable.draining || sandtable.state?.outcome"


class Chromium:
    """A browser in a process of its own, that can be killed and opened again."""

    def __init__(self, some: Browser, folder: Path) -> None:
        self.kind, self.folder = some.browser_type, folder
        self.process: subprocess.Popen[bytes] | None = None

    def open(self) -> Page:
        """Start the browser with nothing remembered, and open a page."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.process = subprocess.Popen(
            [CHROMIUM, *FLAGS, "--headless", "--remote-debugging-port=0",
             f"--user-data-dir={self.folder}", "about:blank"],
            start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        told = self.folder / "DevToolsActivePort"
        until = time.monotonic() + PATIENCE
        while not (told.exists() and told.read_text().count("\n")):
            assert self.process.poll() is None and time.monotonic() < until, "no browser"
            time.sleep(0.05)
        port = told.read_text().split()[0]
        browser = self.kind.connect_over_cdp(f"http://127.0.0.1:{port}", timeout=PATIENCE * 1000)
        context = browser.contexts[0]
        context.add_init_script(QUIET)
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.set_viewport_size({"width": 1280, "height": 800})
        return page

    def kill(self) -> None:
        """kill -9, with all its helpers."""
        assert self.process
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)


@contextmanager
def second(browser: Browser, folder: Path) -> Iterator[Chromium]:
    """Another person's browser."""
    found = Chromium(browser, folder)
    try:
        yield found
    finally:
        if found.process:
            found.kill()


def choose(hands: Hands, lively: bool) -> str:
    """Play something: a move that points at the map now and then, else what ends the phase."""
    actions = hands.state()["actions"]
    free = [each for each in actions if not each["units"] and not each["spaces"]]
    short = [each for each in actions if len(each["units"]) + len(each["spaces"]) <= 2]
    action = short[len(short) // 2] if short and (lively or not free) else free[-1]
    hands.mouse(action)
    return str(action["text"])


def next_player(people: list[Hands]) -> Hands | None:
    """Whoever may act, as soon as somebody may; None when everybody sees the end."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for hands in people:
            if hands.page.evaluate(MINE):
                return hands
        if all(hands.page.evaluate(OVER) for hands in people):
            return None
        people[0].page.wait_for_timeout(20)
    raise AssertionError([hands.state() for hands in people])


def by_link(
    page: Page, chromium: Chromium, here: Server, there: Server, misfortune: Callable[[], None]
) -> None:
    """A game of Battleaxe from the front page to the report, each browser on its server."""
    page.goto(here.url)
    page.click('.way:has-text("Send a friend a link")')
    page.click("dialog [data-begin]")
    link = page.input_value('dialog input[aria-label="Link for your friend"]')
    page.click('dialog .btn:has-text("To the map")')
    page.wait_for_selector(".map[data-ready]", state="attached")
    link = link.replace(here.url, there.url)
    game = link.split("/game/")[1].split("?")[0]
    friend = chromium.open()
    people = [Hands(page), Hands(friend)]
    people[1].open(link)
    played: list[str] = []
    while (hands := next_player(people)) is not None:
        played.append(choose(hands, lively=len(played) < 14))
        if len(played) == 16:
            chromium.kill()
            with pytest.raises(BrowserGone):
                friend.evaluate("1")
            people[1] = Hands(chromium.open())
            people[1].open(link)
        if len(played) == 24:
            misfortune()
        assert len(played) < 400, "no end in sight"
    for hands in people:
        hands.page.wait_for_selector(".report h1")
    for server in (here, there):
        record = records.parse(server.get(f"/api/games/{game}/record"))
        assert [line.text for line in record.lines] == played, "nothing lost, nothing doubled"
        assert server.get(f"/api/games/{game}/verify")["ok"] is True


def against_an_opponent(page: Page, server: Server, misfortune: Callable[[], None]) -> None:
    """A game of Battleaxe from the front page against a recruit, to the report."""
    page.goto(server.url)
    page.click('.way:has-text("Against the computer")')
    page.check('dialog input[name="level"][value="recruit"]')
    page.click("dialog [data-begin]")
    page.wait_for_selector(".map[data-ready]", state="attached")
    hands, played = Hands(page), 0
    while True:
        page.wait_for_function(READY, timeout=PATIENCE * 1000)
        if page.evaluate(OVER):
            break
        choose(hands, lively=played < 4)
        played += 1
        if played == 8:
            misfortune()
        assert played < 400, "no end in sight"
    page.wait_for_selector(".report h1")
    game = page.url.split("/game/")[1].split("?")[0]
    assert server.get(f"/api/games/{game}/verify")["ok"] is True
    assert page.evaluate("() => sandtable.log.some(line => line.by === 'axis')")


def test_two_browsers_play_a_whole_game_by_link_and_one_is_killed_in_the_middle(
    page: Page, browser: Browser, tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    with running(database) as server, second(browser, tmp_path / "profile") as chromium:
        by_link(page, chromium, server, server, lambda: restart(server))


def test_a_person_plays_a_whole_game_against_an_opponent(page: Page, tmp_path: Path) -> None:
    with running(f"sqlite:///{tmp_path}/games.sqlite") as server:
        against_an_opponent(page, server, lambda: None)


@pytest.mark.heavy
def test_the_same_on_postgresql_with_two_server_processes(
    page: Page, browser: Browser, tmp_path: Path, cluster: Cluster
) -> None:
    """Each browser is at its own server; a browser and a server are killed on the way."""
    database = cluster.database("browsers")
    with (
        running(database) as one,
        running(database) as two,
        second(browser, tmp_path / "profile") as chromium,
    ):
        by_link(page, chromium, one, two, lambda: restart(two))
        against_an_opponent(page, one, lambda: restart(one))


def restart(server: Server) -> None:
    """kill -9, and up again at the same address."""
    server.kill()
    server.start()
