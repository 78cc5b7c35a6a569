"""Whole games in a real browser: by mouse, by keyboard, through the text view."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.web.driver import Server
from tests.web.hands import Hands


@pytest.mark.parametrize(
    ("title", "scenario", "busy"),
    [
        ("battleaxe", "june", 25),
        ("gallop", "historical", 14),
        ("cauldron", "scenario-one", 0),
        ("theseus", "opening", 16),
    ],
)
def test_whole_game_by_mouse(
    page: Page, server: Server, title: str, scenario: str, busy: int
) -> None:
    """Set-up to score with nothing but clicks on counters, places and buttons."""
    hands = Hands(page)
    hands.open(server.seat(server.new(title, scenario=scenario)))
    end = hands.play("mouse", 400, seed=5, busy=busy)
    assert end["over"], end["prompt"]
    page.wait_for_selector(".report h1")
    page.wait_for_selector('.outlook svg[aria-label*="to win: at the start"]')
    assert "victory" in page.inner_text(".report h1").lower() or "draw" in page.inner_text("h1")


def test_whole_game_by_keyboard(page: Page, server: Server) -> None:
    """Battleaxe from set-up to score without touching the mouse."""
    hands = Hands(page)
    hands.open(server.seat(server.new("battleaxe")))
    page.locator(".map").focus()
    end = hands.play("keys", 300, seed=8, busy=14)
    assert end["over"], end["prompt"]


def test_whole_game_in_the_text_view(page: Page, server: Server) -> None:
    """A scenario of Theseus through the text view, from the numbered list and by typing."""
    hands = Hands(page)
    hands.open(server.seat(server.new("theseus", scenario="opening")))
    page.keyboard.press("t")
    page.wait_for_selector(".text-view .text-choices")
    assert page.locator(".text-choices li").count() > 0
    page.fill(".typed", "units")
    page.keyboard.press("Enter")
    assert "21 Pz" in page.inner_text(".text-answer")
    end = hands.play("words", 300, seed=4, busy=20)
    assert end["over"], end["prompt"]
    assert page.locator(".text-log li").count() > 10
