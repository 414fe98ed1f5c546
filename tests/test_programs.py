"""Programs that few tests run, such as benchmarks, import names that the package has."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ("benchmarks", "training", "reproductions", "docs")


def test_names_that_programs_import_exist() -> None:
    absent = []
    for path in sorted(path for folder in PROGRAMS for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("readmark."):
                names = names_in(node.module or "")
                absent += [
                    f"{path.relative_to(ROOT)}:{node.lineno}: {node.module}.{alias.name}"
                    for alias in node.names
                    if alias.name not in names
                ]
    assert absent == []


@cache
def names_in(module: str) -> frozenset[str]:
    """What can be imported from a module or package, its own modules included."""
    path = (ROOT / "src").joinpath(*module.split("."))
    modules = {file.stem for file in path.iterdir()} if path.is_dir() else set()
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not file.is_file():
        return frozenset(modules)
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = set(top_names(tree.body))
    if "__getattr__" in names:  # a door, which lists as strings what it imports when it is used
        names |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
    return frozenset(names | modules)


def top_names(statements: list[ast.stmt]) -> Iterator[str]:
    """Names that statements of a module define, those below ``if`` and ``try`` too."""
    for statement in statements:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield statement.name
        elif isinstance(statement, ast.ImportFrom | ast.Import):
            yield from (alias.asname or alias.name for alias in statement.names)
        elif isinstance(statement, ast.If | ast.Try):
            yield from top_names(statement.body)
        else:
            targets = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            yield from (node.id for node in targets if isinstance(node.ctx, ast.Store))
