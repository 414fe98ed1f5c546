"""The notebook runs from top to bottom and shows what it has stored.

``python tests/docs/test_notebook.py`` stores the outputs anew.
"""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "python.ipynb"


def outputs(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What a cell shows when its code has run: the value of its last line, if that has one."""
    *rest, last = ast.parse(source).body
    exec(compile(ast.Module(rest, []), "<cell>", "exec"), names)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), "<cell>", "exec"), names)
        return []
    value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return [{"data": data, "metadata": {}, "output_type": "execute_result"}]


def run(notebook: dict[str, Any]) -> None:
    """Run every cell of code in one namespace and store what it shows."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for count, cell in enumerate(cells, 1):
        shown = outputs("".join(cell["source"]), names)
        cell["outputs"] = [{**one, "execution_count": count} for one in shown]
        cell["execution_count"] = count


def test_the_notebook_shows_what_it_stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    fresh = json.loads(json.dumps(stored))
    run(fresh)
    assert fresh == stored
    assert Path("report.html").stat().st_size > 10_000
    tables = [
        one
        for cell in stored["cells"]
        for one in cell.get("outputs", [])
        if "<table>" in "".join(one["data"].get("text/html", ""))
    ]
    assert len(tables) == 3


def test_the_notebook_imports_only_the_package() -> None:
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    code = "\n".join(
        "".join(one["source"]) for one in stored["cells"] if one["cell_type"] == "code"
    )
    imports = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ImportFrom)]
    assert [node.module for node in imports] == ["importlib.resources"]


if __name__ == "__main__":
    document = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    run(document)
    NOTEBOOK.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")
    Path("report.html").unlink()
