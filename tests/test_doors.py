"""Feature rooms are entered by their doors: ``python tests/test_doors.py`` prints them."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "readmark"

DOORS = (
    "client",
    "comprehension",
    "llm",
    "making",
    "marking",
    "readability",
    "series",
    "settling",
    "sitting",
)
"""Rooms of which others use what ``__all__`` lists, and nothing else."""
OPEN = {
    "reporting": 11,
    "tasks": 1,
    "works": 4,
}
"""Rooms with no door, or not all of one, and how many of their modules others enter."""


@cache
def entered() -> dict[str, dict[str, set[str]]]:
    """By room, its modules that other rooms import from, and who does: "making.corpus"."""
    users: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in SOURCE.rglob("*.py"):
        own_room = path.relative_to(SOURCE).parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            package, _, rest = node.module.partition(".")
            room, _, module = rest.partition(".")
            # The package itself says where each public name lives.
            if package == "readmark" and module and room != own_room and own_room != "__init__.py":
                users[room][module].add(".".join(path.relative_to(SOURCE).with_suffix("").parts))
    return users


@pytest.mark.parametrize("room", DOORS)
def test_other_rooms_use_the_door(room: str) -> None:
    assert entered().get(room, {}) == {}


@pytest.mark.parametrize("room", OPEN)
def test_a_room_without_a_door_is_entered_in_no_more_places(room: str) -> None:
    assert len(entered()[room]) <= OPEN[room]


@pytest.mark.parametrize("room", DOORS)
def test_a_door_opens_on_what_it_lists(room: str) -> None:
    module = import_module(f"readmark.{room}")
    assert module.__doc__
    assert sorted(module.__all__) == sorted(set(module.__all__))
    for name in module.__all__:
        assert getattr(module, name) is not None
    # Python sets a module that was imported as an attribute of its package: a name that is both
    # would be the one or the other by what was imported before.
    assert not {each.name for each in iter_modules(module.__path__)} & set(module.__all__)


if __name__ == "__main__":
    for room in DOORS:
        names = import_module(f"readmark.{room}").__all__
        print(f"{room}: {len(names)}\n  {', '.join(names)}")
    for room in OPEN:
        print(f"{room}: no door, {len(entered()[room])} modules are entered")
