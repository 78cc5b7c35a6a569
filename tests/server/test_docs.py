"""The bot in the documentation plays a whole game as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.server.harness import Server

DOCS = Path(__file__).parents[2] / "docs"


def test_the_bot_of_the_documentation_plays_to_the_end(server: Server, tmp_path: Path) -> None:
    found = re.search(r"```python\n(.*?)```", (DOCS / "bots.md").read_text(), re.DOTALL)
    assert found
    bot = tmp_path / "bot.py"
    bot.write_text(found[1])
    made = server.create(mode="link")
    bots = [
        subprocess.Popen(
            [sys.executable, str(bot), server.url, made["game"], token],
            stdout=subprocess.PIPE,
            text=True,
        )
        for token in made["seats"].values()
    ]
    said = [each.communicate(timeout=300)[0].strip() for each in bots]
    assert said[0] == said[1] != ""
    assert server.get(f"/api/games/{made['game']}/verify")["ok"] is True
