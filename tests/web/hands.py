"""Hands for a player in the browser: what a mouse, a keyboard or a typed line does, and no more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

from playwright.sync_api import Page, TimeoutError

TRIES = 4  # A person clicks again when nothing happens.

SPOT = """([kind, id]) => {
  const play = window.sandtable, board = play.board, box = board.el.getBoundingClientRect();
  const there = (x, y) => {
    const p = board.toScreen(x, y);
    return [p.x + box.left, p.y + box.top];
  };
  const hit = ([x, y]) => document.elementFromPoint(x, y);
  if (kind === "unit") {
    for (const el of board.svg.querySelectorAll(`[data-unit="${CSS.escape(id)}"] .lift`)) {
      const r = el.getBoundingClientRect();
      for (const fx of [.5, .2, .8, .35, .65]) for (const fy of [.5, .2, .8]) {
        const at = [r.left + r.width * fx, r.top + r.height * fy];
        if (hit(at)?.closest("[data-unit]")?.dataset.unit === id) return at;
      }
    }
    return null;
  }
  const space = board.spaces.get(id);
  board.reveal(space.x, space.y);
  const spots = [[space.x, space.y]];
  for (const by of [.3, .55, .75, .9]) for (const [x, y] of space.polygon)
    spots.push([space.x + (x - space.x) * by, space.y + (y - space.y) * by]);
  let covered = null;
  for (const [x, y] of spots) {
    if (board.at(x, y) !== id) continue;
    const at = there(x, y), el = hit(at);
    if (!el || !el.closest(".map") || el.closest(".on-map, .dice, .toast")) continue;
    if (!el.closest("[data-unit]")) return at;
    covered ??= at;
  }
  return covered;
}"""

STATE = """() => { const p = window.sandtable; return {seq: p.state.seq, actor: p.state.view.actor,
  prompt: p.state.view.prompt, over: !!p.state.outcome, armed: p.armed?.action.text ?? null,
  menu: !p.menu.hidden, actions: p.state.actions,
  sending: p.sending || p.considering, draining: p.draining}; }"""


class Hands:
    """One player at one page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, url: str) -> None:
        """Go to a game and wait for its map."""
        self.page.goto(url)
        self.page.wait_for_selector(".map[data-ready]", state="attached")

    def state(self) -> dict[str, Any]:
        """What the page knows."""
        found: dict[str, Any] = self.page.evaluate(STATE)
        return found

    def settled(self, seq: int) -> None:
        """Wait until something newer than a line is shown."""
        self.page.wait_for_function(
            "seq => sandtable.state.seq > seq && !sandtable.draining && !sandtable.sending", arg=seq
        )

    def spot(self, kind: str, name: str) -> Any:
        """Where a counter or a space can be pointed at, once the map has moved there."""
        self.page.evaluate(
            "([kind, id]) => { const p = sandtable, s = p.board.spaces.get(kind === 'unit' ?"
            " p.spaceOf(id) : id); if (s) p.board.reveal(s.x, s.y); }",
            [kind, name],
        )
        self.page.wait_for_function("() => !sandtable.board.frame")
        return self.page.evaluate(SPOT, [kind, name])

    def click(self, kind: str, name: str) -> bool:
        """Click a counter or a space, if it can be reached."""
        at = self.spot(kind, name)
        if at is None:
            return False
        self.page.mouse.click(*at)
        return True

    def unit(self, name: str) -> None:
        """Pick a unit: its counter, the fanned counter in a stack, or its card beside the map."""
        seq = self.state()["seq"]
        card = self.page.locator(f'[data-card="{name}"]')
        for _ in range(100):
            now = self.state()
            if now["seq"] > seq or now["armed"] or now["sending"] or self.picked(name):
                return
            top = self.page.evaluate(
                "id => sandtable.board.stacks.get(sandtable.spaceOf(id))?.[0]?.id ?? null", name
            )
            # The first click on a stack fans it out.
            if not self.click("unit", name) and not (top and self.click("unit", top)):
                if card.count():
                    card.first.click()
                else:
                    self.page.wait_for_timeout(50)
        raise AssertionError(f"{name} cannot be picked: {self.state()['prompt']}")

    def picked(self, name: str) -> bool:
        """Whether a unit is among the picks."""
        found: bool = self.page.evaluate("id => sandtable.picks.units.includes(id)", name)
        return found

    def button(self, text: str) -> bool:
        """Press the button that plays an action, in the prompt or in a list."""
        page = self.page
        direct = page.locator(f'.prompt [data-action="{text}"]')
        if direct.count():
            with suppress(TimeoutError):  # It may be gone because it worked.
                direct.first.click(timeout=700)
            return True
        kind = text.split(" ")[0]
        for more in (f'.prompt [data-more="{kind}"]', '.prompt [data-more="all"]'):
            if page.locator(more).count():
                page.locator(more).click()
                choice = page.locator(f'dialog [data-action="{text}"]')
                if choice.count():
                    choice.click()
                    return True
                page.keyboard.press("Escape")
        return False

    def mouse(self, action: dict[str, Any]) -> None:
        """Play an action with the mouse alone."""
        page, text = self.page, action["text"]
        seq = self.state()["seq"]
        for _ in range(TRIES):
            if not action["spaces"] and len(action["units"]) != 1:
                if page.evaluate(
                    "() => sandtable.picks.units.length + sandtable.picks.spaces.length"
                ):
                    page.keyboard.press("Escape")
                assert self.button(text), f"no button for {text}"
            else:
                for unit in action["units"]:
                    if not self.picked(unit):
                        self.unit(unit)
                for space in action["spaces"]:
                    if self.state()["seq"] > seq:
                        break
                    self.click("space", space)
                    page.wait_for_timeout(20)
            if self.finish(text, seq):
                self.settled(seq)
                return
        shown = page.inner_text(".prompt"), page.evaluate("() => sandtable.picks")
        raise AssertionError(f"{text} was not played; the page shows {shown}")

    def finish(self, text: str, seq: int) -> bool:
        """Confirm what still asks: a menu, the odds, or the prompt; false if nothing does."""
        page = self.page
        kind = text.split(" ")[0]
        ways = f'.prompt [data-action="{text}"], .prompt [data-more="{kind}"]'
        for now in self.looks(seq):
            menu = page.locator(f'.menu:not([hidden]) [data-action="{text}"]')
            if menu.count():
                menu.first.click()
            elif now["armed"] == text or page.locator(ways).count():
                self.button(text)
        return bool(self.state()["seq"] > seq)

    def looks(self, seq: int) -> Iterator[dict[str, Any]]:
        """Look again and again until the game went on; an answer under way takes what it takes."""
        idle = 0
        while idle < 60 and (now := self.state())["seq"] <= seq:
            if not now["sending"]:
                idle += 1
                yield now
            self.page.wait_for_timeout(25)

    def play(self, how: str, steps: int, seed: int, busy: int) -> dict[str, Any]:
        """Play to the end: some real moves at first, then whatever ends the phase."""
        random = Random(seed)
        for step in range(steps):
            now = self.state()
            if now["over"]:
                return now
            actions = now["actions"]
            free = [each for each in actions if not each["units"] and not each["spaces"]]
            single = [
                each
                for each in actions
                if len(each["units"]) + len(each["spaces"]) <= 2 or not each["spaces"]
            ]
            lively = step < busy and single
            action = random.choice(single) if lively or not free else free[-1]
            getattr(self, how)(action)
        return self.state()

    # The keyboard.

    def keys(self, action: dict[str, Any]) -> None:
        """Play an action with keys alone: N to a unit, arrows over the map, Enter."""
        page, text = self.page, action["text"]
        seq = self.state()["seq"]
        page.keyboard.press("Escape")
        if not action["spaces"] and len(action["units"]) != 1:
            self.keys_to_button(text)
        else:
            for unit in action["units"]:
                if not self.picked(unit):
                    self.keys_to_unit(unit)
            for space in action["spaces"]:
                if self.state()["seq"] > seq:
                    break
                self.keys_to_space(space)
                page.keyboard.press("Enter")
                page.wait_for_timeout(30)
        for now in self.looks(seq):
            if now["menu"]:
                options = page.evaluate("() => sandtable.options.map(each => each.text)")
                page.keyboard.press(str(options.index(text) + 1))
            elif now["armed"] == text:
                page.keyboard.press("Enter")
            elif page.locator(f'.prompt [data-action="{text}"]').count():
                self.keys_to_button(text)
        self.settled(seq)

    def keys_to_button(self, text: str) -> None:
        """B, then arrows to the button, then Enter."""
        page = self.page
        page.keyboard.press("b")
        kind = text.split(" ")[0]
        for _ in range(12):
            here = page.evaluate(
                "() => [document.activeElement.dataset.action, document.activeElement.dataset.more]"
            )
            if here[0] == text:
                page.keyboard.press("Enter")
                return
            if here[1] in (kind, "all"):
                page.keyboard.press("Enter")
                listed = page.evaluate(
                    "() => [...document.querySelectorAll('dialog [data-action]')]"
                    ".map(each => each.dataset.action)"
                )
                if text in listed:
                    for _ in range(listed.index(text) + 2):
                        if page.evaluate("() => document.activeElement.dataset.action") == text:
                            break
                        page.keyboard.press("Tab")
                    page.keyboard.press("Enter")
                    return
                page.keyboard.press("Escape")
            page.keyboard.press("ArrowRight")

    def keys_to_unit(self, unit: str) -> None:
        """N until the unit is the one."""
        for _ in range(80):
            if self.picked(unit):
                return
            self.page.keyboard.press("n")
        raise AssertionError(f"N does not come to {unit}")

    def keys_to_space(self, space: str) -> None:
        """Arrows towards a space; the find box where they do not lead."""
        page = self.page
        for _ in range(30):
            way = page.evaluate(
                "id => { const b = sandtable.board; if (b.cursor === id) return ''; const a ="
                " b.spaces.get(b.cursor), z = b.spaces.get(id); if (!a) return 'ArrowUp';"
                " const [x, y] = [z.x - a.x, z.y - a.y]; return Math.abs(x) > Math.abs(y)"
                " ? (x > 0 ? 'ArrowRight' : 'ArrowLeft') : (y > 0 ? 'ArrowDown' : 'ArrowUp'); }",
                space,
            )
            if not way:
                return
            page.keyboard.press(way)
        page.keyboard.press("f")
        page.keyboard.type(space)
        places = page.locator("dialog .choice").all_inner_texts()
        at = next(
            i for i, each in enumerate(places) if f"({space})" in each or each.startswith(space)
        )
        for _ in range(at + 1):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")

    # The text view.

    def words(self, action: dict[str, Any]) -> None:
        """Play an action by typing it."""
        page, seq = self.page, self.state()["seq"]
        page.fill(".typed", action["text"])
        page.keyboard.press("Enter")
        for now in self.looks(seq):
            if now["armed"] == action["text"]:
                page.fill(".typed", "yes")
                page.keyboard.press("Enter")
        self.settled(seq)
