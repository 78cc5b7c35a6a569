"""The transcript in docs/protocol.md: read, compared and refreshed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

import sandtable
from sandtable.engine import Engine

DOCUMENT = Path(__file__).parent.parent / "docs" / "protocol.md"
MORE = "..."


def answer(engine: Engine, said: str) -> Any:
    """What the engine answers, as a client reads it."""
    return json.loads(msgspec.json.encode(engine.answer(said)))


def read() -> list[tuple[str, Any]]:
    """What is said and what is answered, in the document."""
    lines = DOCUMENT.read_text(encoding="utf-8").split("\n```\n")[-2].splitlines()
    said = [line[2:] for line in lines if line.startswith("> ")]
    told = [json.loads(line[2:]) for line in lines if line.startswith("< ")]
    return list(zip(said, told, strict=True))


def refresh() -> None:
    """Write the answers anew, cut to a readable length."""
    before, block, after = (
        DOCUMENT.read_text(encoding="utf-8").rpartition("\n```\n")[0].rpartition("```\n")
    )
    engine = Engine(sandtable.title("battleaxe"))
    rows = []
    for line in after.splitlines():
        if line.startswith("> "):
            rows += [line, f"< {json.dumps(cut(answer(engine, line[2:])), ensure_ascii=False)}"]
    DOCUMENT.write_text(f"{before}{block}" + "\n".join(rows) + "\n```\n", encoding="utf-8")


def cut(value: Any, depth: int = 0) -> Any:
    """An answer with long lists, texts and objects cut; random seeds and digests left out."""
    if isinstance(value, dict):
        kept = {key: cut(each, depth + 1) for key, each in value.items() if key != "digest"}
        names = list(kept) if depth == 0 else list(kept)[:10]
        short = {name: kept[name] for name in names}
        return short if len(short) == len(value) else short | {MORE: MORE}
    if isinstance(value, list):
        return [cut(each, depth + 1) for each in value[:2]] + ([MORE] if len(value) > 2 else [])
    if isinstance(value, str) and (len(value) > 200 or "\n" in value):
        return value[:30] + MORE
    return value


def agrees(shown: Any, real: Any) -> bool:
    """Whether an answer is the one shown, as far as it is shown."""
    if isinstance(shown, dict) and isinstance(real, dict):
        named = {key: value for key, value in shown.items() if key != MORE}
        return (MORE in shown or set(named) == set(real)) and all(
            key in real and agrees(value, real[key]) for key, value in named.items()
        )
    if isinstance(shown, list) and isinstance(real, list):
        if shown[-1:] == [MORE]:
            shown, real = shown[:-1], real[: len(shown) - 1]
        return len(shown) == len(real) and all(map(agrees, shown, real))
    if isinstance(shown, str) and isinstance(real, str) and shown.endswith(MORE):
        return real.startswith(shown.removesuffix(MORE))
    return bool(shown == real)
