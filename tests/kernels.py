"""Cells run in a real kernel, as a notebook runs them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient


def run_notebook(notebook: Any, folder: Path) -> Any:
    """Run every cell in one kernel of this Python, in a folder; an error in a cell is raised."""
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=120, resources=resources, record_timing=False).execute()
    return notebook


def outputs_of(cells: Sequence[str], folder: Path) -> list[list[dict[str, Any]]]:
    """What each cell shows."""
    written = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    return [cell.outputs for cell in run_notebook(written, folder).cells]
