"""Measure the page: `python -m tests.web.measure` prints the table that docs/page.md keeps."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.web.conftest import QUIET
from tests.web.driver import CHROMIUM, FLAGS, Server
from tests.web.hands import Hands

PAN = """async () => {
  const board = sandtable.board, frames = [];
  let last = performance.now();
  for (let i = 0; i < 90; i++) {
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
    if (i % 30 === 29) board.zoom(i < 60 ? 1.05 : 0.95);
    else board.pan(i % 60 < 30 ? -6 : 6, i % 40 < 20 ? -4 : 4);
  }
  frames.sort((a, b) => a - b);
  const mean = frames.reduce((a, b) => a + b) / frames.length;
  return {mean: 1000 / mean, slow: frames[Math.floor(frames.length * .95)]};
}"""

GLOW = """async () => {
  const times = [];
  const named = new Set(sandtable.state.actions.flatMap(a => a.units));
  for (const unit of [...named].filter(u => sandtable.spaceOf(u)).slice(0, 8)) {
    sandtable.clear();
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    sandtable.clickUnitCard(unit);
    await new Promise(requestAnimationFrame);
    await new Promise(done => setTimeout(done));
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return times.length ? times[times.length - 1] : 0;
}"""


def measure(server: Server, browser: Browser, title: str) -> dict[str, Any]:
    """One title with a cold cache."""
    made = server.new(title)
    server.stroll(made, 90, 2, until="Move|Choose an action|Select an activated")
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(QUIET)
    page = context.new_page()
    client = context.new_cdp_session(page)
    client.send("Network.enable")
    weight = {"bytes": 0}

    def loaded(event: Any) -> None:
        weight["bytes"] += int(event["encodedDataLength"])

    client.on("Network.loadingFinished", loaded)
    hands = Hands(page)
    hands.open(server.seat(made))
    first = page.evaluate("() => performance.getEntriesByName('board')[0].startTime")
    page.wait_for_timeout(1500)
    pan = page.evaluate(PAN)
    # At rest: right after a pan the whole map is drawn sharp again, whatever is clicked.
    page.wait_for_selector(".stage:not(.moving)", state="attached")
    page.wait_for_timeout(500)
    pieces = page.evaluate("() => sandtable.board.pieces.size")
    glow = page.evaluate(GLOW)
    context.close()
    return {
        "title": title,
        "board": first / 1000,
        "weight": weight["bytes"] / 1024,
        "counters": pieces,
        "fps": pan["mean"],
        "slow": pan["slow"],
        "glow": glow,
    }


def main() -> None:
    """All four, as a table."""
    heads = "Title|First board, s|Weight, kB|Counters|Pan, frames/s|95 % frame, ms|Glow, ms"
    print(f"| {heads.replace('|', ' | ')} |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with Server() as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for title in (each["id"] for each in server.ask("titles")):
            measure(server, browser, title)  # The server draws each map once.
            found = measure(server, browser, title)
            print(
                f"| {found['title']} | {found['board']:.2f} | {found['weight']:.0f} | "
                f"{found['counters']} | {found['fps']:.0f} | {found['slow']:.0f} | "
                f"{found['glow']:.0f} |"
            )
        browser.close()


if __name__ == "__main__":
    main()
