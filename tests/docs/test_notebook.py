"""The notebook runs from top to bottom in a real kernel and shows what it has stored.

``PYTHONPATH=tests python tests/docs/test_notebook.py`` stores the outputs anew.
"""

import ast
from pathlib import Path
from typing import Any

import nbformat
import pytest

from kernels import run_notebook

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "python.ipynb"


def fresh_outputs(folder: Path) -> Any:
    """The notebook with what its cells show now."""
    notebook = nbformat.read(NOTEBOOK, 4)
    language = notebook.metadata.language_info
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    run_notebook(notebook, folder)
    notebook.metadata.language_info = language  # a kernel adds its version, which would differ
    return notebook


@pytest.mark.process
def test_the_notebook_shows_what_it_stores(tmp_path: Path) -> None:
    stored = nbformat.read(NOTEBOOK, 4)
    fresh = fresh_outputs(tmp_path)
    assert fresh == stored
    assert (tmp_path / "report.html").stat().st_size > 10_000
    outputs = [output for cell in stored.cells for output in cell.get("outputs", [])]
    assert {output.output_type for output in outputs} == {"execute_result"}
    assert sum("<table" in output.data.get("text/html", "") for output in outputs) == 3
    assert sum("image/svg+xml" in output.data for output in outputs) == 1


def test_the_notebook_imports_only_the_package() -> None:
    cells = nbformat.read(NOTEBOOK, 4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    imports = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ImportFrom)]
    assert [node.module for node in imports] == ["importlib.resources"]


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        nbformat.write(fresh_outputs(Path(folder)), NOTEBOOK)
