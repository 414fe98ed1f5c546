"""Feature rooms are entered by their doors: ``python tests/test_doors.py`` prints them, and what
the hall imports."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from readmark.builtin import entries

SOURCE = Path(__file__).resolve().parents[1] / "src" / "readmark"

DOORS = (
    "client",
    "comprehension",
    "console",
    "llm",
    "making",
    "marking",
    "readability",
    "reporting",
    "series",
    "settling",
    "sitting",
    "tasks",
    "works",
)
"""Rooms of which others use what ``__all__`` lists, and nothing else."""
LIBRARIES = {
    "reporting": ("sections",),
    "works": (
        "decisions",
        "disputed_places",
        "field_values",
        "forms",
        "notes",
        "passages",
        "people_files",
    ),
}
"""Modules with which other rooms build what a room takes; docs/architecture.md says why."""
PATH = ("console", "core", "marking", "reporting", "settling", "sitting", "works")
NAMED_ON_THE_PATH = {
    ("core/test.py", "comprehension"),  # of headers that name no kind
    ("core/marksheet.py", "comprehension"),
    ("works/passages.py", "comprehension"),  # a library for works on passages
    ("core/confinement.py", "task"),  # what a process is given to do
    ("sitting/messages.py", "task"),
}
"""Where a string is a kind's name, and why."""
HALL_IMPORTS = 210
"""Names that the hall imports. What it computes of others' belongs to them: offer one function."""
WORD = re.compile(r"\w+")


@cache
def imported() -> list[tuple[str, str, str, str]]:
    """What rooms import of each other: who, the other room, its module there, and the name."""
    found = []
    for path in SOURCE.rglob("*.py"):
        importer = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            package, _, rest = node.module.partition(".")
            room, _, module = rest.partition(".")
            # The package itself says where each public name lives.
            if package == "readmark" and room != importer.split(".")[0] != "__init__":
                found += [(importer, room, module, alias.name) for alias in node.names]
    return found


def attributes(room: str) -> set[str]:
    """What modules use of a room under a name: `from readmark import console as options`."""
    uses: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(rf"^from readmark import {room} as (\w+)$", text, re.M):
            uses |= {*re.findall(rf"\b{name}\.(\w+)", text)}
    return uses


def entered(room: str) -> dict[str, set[str]]:
    """The modules of a room that other rooms import from, and who does."""
    users: defaultdict[str, set[str]] = defaultdict(set)
    for importer, other, module, _ in imported():
        if other == room and module and module not in LIBRARIES.get(room, ()):
            users[module].add(importer)
    return users


def hall_imports() -> dict[str, set[tuple[str, str]]]:
    """What the hall imports: by room, modules and names."""
    names: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for importer, room, module, name in imported():
        if importer.startswith("server."):
            names[room].add((module, name))
    return names


@pytest.mark.parametrize("room", DOORS)
def test_other_rooms_use_the_door(room: str) -> None:
    assert entered(room) == {}


def test_the_hall_imports_few_names() -> None:
    assert sum(map(len, hall_imports().values())) <= HALL_IMPORTS


def test_the_hall_asks_nothing_by_the_name_of_a_kind_or_a_work() -> None:
    """Works say what they have with hooks. Its own work, shared tasks, the hall may name."""
    names = {*entries("readmark.kinds"), *entries("readmark.works")} - {"shared_task"}
    asked = []
    for path in (SOURCE / "server").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
            else:
                sides = list(node.keys) if isinstance(node, ast.Dict) else []
            if any(ast.unparse(side).endswith("role") for side in sides if side):
                continue  # roles of a project's files are called task and sitting, too
            values = [side.value for side in sides if isinstance(side, ast.Constant)]
            # A page or a document may have a member that is called so.
            is_asked = not isinstance(node, ast.Dict) or sum(value in names for value in values) > 1
            if is_asked and names & {value for value in values if isinstance(value, str)}:
                asked.append(f"{path.relative_to(SOURCE)}:{node.lineno}")
    for path in (SOURCE / "server" / "assets").rglob("*.html"):
        compared = re.findall(r'(\w+) [!=]= "(\w+)"', path.read_text(encoding="utf-8"))
        asked += [f"{path.name}: {name}" for of, name in compared if name in names and of != "tab"]
    assert asked == []


def test_the_path_names_no_kind() -> None:
    """Whatever is particular to a kind of test is asked of the kind."""
    kinds, named = set(entries("readmark.kinds")), set()
    for room in PATH:
        for path in (SOURCE / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and node.value in kinds:
                    named.add((path.relative_to(SOURCE).as_posix(), node.value))
    assert named == NAMED_ON_THE_PATH


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


@pytest.mark.parametrize("room", DOORS)
def test_everything_on_a_door_is_used(room: str) -> None:
    used = {name for _, other, module, name in imported() if other == room and not module}
    used |= attributes(room)
    # Python users and authors of plug-ins are others, too.
    pages = (
        SOURCE / "__init__.py",
        SOURCE.parents[1] / "docs" / "extending.md",
        SOURCE / "hooks.py",
    )
    outside = {word for page in pages for word in WORD.findall(page.read_text(encoding="utf-8"))}
    assert set(import_module(f"readmark.{room}").__all__) - used - outside == set()


@pytest.mark.parametrize(
    ("room", "module"), [(room, each) for room, modules in LIBRARIES.items() for each in modules]
)
def test_a_library_lists_what_others_use(room: str, module: str) -> None:
    uses = [use for use in imported() if use[1:3] == (room, module)]
    assert {name for *_, name in uses} == set(import_module(f"readmark.{room}.{module}").__all__)
    assert [importer for importer, *_ in uses if importer.startswith("server.")] == []


def test_completion_offers_what_is_on_a_door() -> None:
    for room in DOORS:
        package = import_module(f"readmark.{room}")
        assert set(package.__all__) <= set(dir(package)), room


if __name__ == "__main__":
    for room in DOORS:
        names = import_module(f"readmark.{room}").__all__
        print(f"{room}: {len(names)}\n  {', '.join(names)}")
        for library in LIBRARIES.get(room, ()):
            listed = import_module(f"readmark.{room}.{library}").__all__
            print(f"  {library}, for whoever builds one: {len(listed)}\n    {', '.join(listed)}")
    halls = hall_imports()
    print(f"server imports {sum(map(len, halls.values()))} names from {len(halls)} rooms")
    for room in sorted(halls, key=lambda room: -len(halls[room])):
        modules = {module for module, _ in halls[room]} - {""}
        inside = f", from {len(modules)} modules" if modules else ""
        print(f"  {room or 'readmark'}: {len(halls[room])}{inside}")
