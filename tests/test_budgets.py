"""Rules that keep the house easy to learn: names, reachability, hooks, what pages import."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from readmark.builtin import BUILTIN

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "readmark"

BANNED = {
    *("utils", "helpers", "common", "misc", "told", "whose", "let_out", "leaving", "owing"),
    *("together", "ahead", "spared", "beside", "mending", "likeness", "nearness"),
}
# Written by docs/generate.py or by make reproduce: not pages that somebody wrote.
GENERATED = {"cli.md", "reference.md", *(path.name for path in ROOT.glob("docs/reproductions*.md"))}


@cache
def modules() -> dict[str, Path]:
    """Every module by its dotted name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# To parse all of the source takes seconds, to look for these in its text a tenth of one.
IMPORT = re.compile(r"^ *((?:from [\w.]+ )?import (?:\([^)]*\)|\w[\w., ]*))(?: *#.*)?$", re.M)
NAMED = re.compile(r"""["'](readmark\.[\w.]+)""")
CLASS = re.compile(r"^class ([A-Za-z]\w*)", re.M)


def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(text(path))))


@cache
def imports() -> dict[str, frozenset[str]]:
    """The modules that each module imports, wherever in it the import is."""
    return {name: frozenset(_imported(path) & modules().keys()) for name, path in modules().items()}


def _imported(path: Path) -> set[str]:
    found = set()
    for node in ast.parse("\n".join(IMPORT.findall(text(path)))).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@cache
def named_in_strings() -> frozenset[str]:
    """Modules that the table of built-ins, or a string in the source, names."""
    found = {
        entry.target.partition(":")[0] for group in BUILTIN.values() for entry in group.values()
    }
    for path in modules().values():
        found.update(NAMED.findall(text(path)))
    return frozenset(found & modules().keys())


def test_public_class_names_are_unique() -> None:
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for name, path in modules().items():
        for owned in CLASS.findall(text(path)):
            owners[owned].append(name)
    assert {name: found for name, found in owners.items() if len(found) > 1} == {}


def test_no_module_has_a_banned_name() -> None:
    assert [name for name in modules() if name.rpartition(".")[2].strip("_") in BANNED] == []


def test_everything_is_reached_from_the_product() -> None:
    """From the public names, the command line and the table of what ships; not only from tests."""
    waiting = ["readmark", "readmark.__main__", "readmark.hooks", "readmark.builtin"]
    waiting += named_in_strings()
    reached = set()
    while waiting:
        name = waiting.pop()
        if name in reached or name not in modules():
            continue
        reached.add(name)
        waiting += imports()[name]
        waiting.append(name.rpartition(".")[0])
    data = {"readmark.bundle", "readmark.tasks.domains"}  # folders of data alone
    left = modules().keys() - reached - data
    # Alembic finds the migrations by their folder.
    assert sorted(name for name in left if ".migrations." not in name) == []


PATH = ("core", "sitting", "marking", "reporting")
KINDS = set(BUILTIN["readmark.kinds"])


def test_the_path_names_no_kind() -> None:
    """Kinds are found through registries; only files that name none have a default."""
    defaults = {"readmark.core.test", "readmark.core.marksheet"}
    named = [
        f"{name}:{node.lineno}"
        for name, path in modules().items()
        if name.split(".")[1:2] and name.split(".")[1] in PATH
        if any(f'"{kind}"' in text(path) for kind in KINDS)
        for node in nodes(path)
        if isinstance(node, ast.Constant) and node.value in KINDS - {"task"}  # also a job
        if name not in defaults
    ]
    assert named == []


def test_plug_ins_are_looked_at_through_their_declared_hooks() -> None:
    """No hasattr on a plug-in, and no getattr with a name that hooks.py does not declare."""
    odd = []
    for name, path in modules().items():
        if name.split(".")[1:2] and name.split(".")[1] in (*PATH[1:], "formats"):
            for node in nodes(path) if "attr(" in text(path) else ():
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in ("hasattr", "getattr")
                    and isinstance(node.args[0], ast.Name | ast.Attribute)
                    and isinstance(node.args[1], ast.Constant)
                ):
                    owner = ast.unparse(node.args[0])
                    if re.search(r"metric|candidate|format|kind|writer|reader|transform", owner):
                        odd.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    assert odd == []


def pages() -> list[Path]:
    written = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path for path in written if path.name not in GENERATED]


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_pages_import_nothing_deeper_than_the_public_names(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.S))
    deep = re.findall(r"^\s*(?:from|import) (readmark\.(?!hooks\b)\S+)", code, re.M)
    assert deep == []
