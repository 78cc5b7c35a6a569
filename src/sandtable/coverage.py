"""Which code and which tests carry each numbered rule of a title, read from their docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from msgspec import Struct

import sandtable
from sandtable.kernel.title import Title

NUMBER = re.compile(r"[0-9IVXLC]+[a-z]?(\.[0-9A-Za-z]+)+")


class Place(Struct, frozen=True):
    """A class, function or module whose docstring opens with rule numbers."""

    where: str
    numbers: tuple[str, ...]


class Coverage(Struct):
    """One rule of the book and what carries it."""

    number: str
    heading: str
    code: list[str]
    tests: list[str]
    reason: str


def coverage(title: Title, tests: Path | None = None) -> list[Coverage]:
    """Every rule of a title in the book's order."""
    rows = {
        entry.number: Coverage(entry.number, entry.heading, [], [], entry.reason)
        for entry in title.rules
    }
    for place in places_in_code(title):
        for number in place.numbers:
            if number in rows:
                rows[number].code.append(place.where)
    for place in places_in_tests(title, tests):
        for number in place.numbers:
            if number in rows:
                rows[number].tests.append(place.where)
    return list(rows.values())


def strangers(title: Title, tests: Path | None = None) -> list[str]:
    """Docstrings that open with a number which is not in rules.toml."""
    return [
        f"{place.where}: {number}"
        for place in (*places_in_code(title), *places_in_tests(title, tests))
        for number in place.numbers
        if number not in title.rules
    ]


def places_in_code(title: Title) -> Iterator[Place]:
    """The numbered docstrings of a title's folder."""
    (folder, *_) = import_module(title.package).__path__
    for file in sorted(Path(folder).rglob("*.py")):
        for name, line, text in _docstrings(file):
            found = numbers_in(text, title)
            if found:
                yield Place(f"{file.relative_to(folder)}:{line} {name}", found)


def places_in_tests(title: Title, tests: Path | None = None) -> Iterator[Place]:
    """The tests of a title that name a rule, in their own name or at the start of the docstring."""
    top = tests or Path(sandtable.__file__).parents[2] / "tests"
    by_length = sorted((entry.number for entry in title.rules), key=len, reverse=True)
    for file in sorted((top / "titles" / title.id).rglob("test_*.py")):
        for name, _, text in _docstrings(file):
            function = name.rsplit(".", 1)[-1]
            if not function.startswith("test_"):
                continue
            named = [each for each in by_length if _names(function, each)][:1]
            found = tuple(dict.fromkeys((*named, *numbers_in(text, title))))
            if found:
                yield Place(f"{file.relative_to(top.parent)}::{function}", found)


def numbers_in(docstring: str, title: Title) -> tuple[str, ...]:
    """The rule numbers that a docstring opens with, separated by commas."""
    found: list[str] = []
    for word in docstring.split():
        number = word.rstrip(",")
        if number not in title.rules and not NUMBER.fullmatch(number):
            break
        found.append(number)
        if not word.endswith(","):
            break
    return tuple(found)


def _names(function: str, number: str) -> bool:
    start = "test_" + re.sub(r"[^0-9A-Za-z]", "_", number)
    return function == start or function.startswith(f"{start}_")


def _docstrings(file: Path) -> Iterator[tuple[str, int, str]]:
    """Name, line and docstring of a module and of everything defined in it."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    yield file.stem, 1, ast.get_docstring(tree) or ""
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, prefix = stack.pop(0)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = f"{prefix}{child.name}"
                yield name, child.lineno, ast.get_docstring(child) or ""
                stack.append((child, f"{name}."))
