"""One server and one browser for all browser tests.

Skipped where there is no Chromium, unless SANDTABLE_REQUIRE_CHROMIUM asks for a failure instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.web.driver import CHROMIUM, FLAGS, Server

QUIET = """if (location.protocol.startsWith("http"))
  localStorage.setItem("sandtable.settings", JSON.stringify({speed: 0}))"""


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server of our own."""
    with Server() as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    if not os.path.exists(CHROMIUM):
        missing = f"{CHROMIUM} is missing: install Chromium, or say where it is in $CHROMIUM"
        if os.environ.get("SANDTABLE_REQUIRE_CHROMIUM"):
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on a laptop."""
    yield from watched(browser.new_context(viewport={"width": 1440, "height": 900}))


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page on a phone held upright."""
    yield from watched(
        browser.new_context(
            viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, bypass_csp=True
        )
    )


def watched(context: BrowserContext) -> Iterator[Page]:
    """A fresh page that fails the test if a script on it fails."""
    context.add_init_script(QUIET)
    context.set_default_timeout(60_000)  # Slow machines are no failure.
    page = context.new_page()
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    yield page
    context.close()
    assert not failures, failures
