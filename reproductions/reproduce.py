"""Writes docs/reproductions*.md: what the source documents printed, and what Readmark gets.

``python -m reproductions.reproduce`` runs the commands of every file of which the data is here,
stores their results and writes the pages; names, such as ``brcc/table-11`` or ``brcc``, select
files. With ``--check`` it writes nothing, recomputes only what is cheap, and exits 1 when a stored
result or a page is stale. README.md describes the files.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from math import isclose
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.version import __version__
from reproductions.checks import evaluate
from reproductions.pages import pages
from reproductions.tables import (
    FOLDERS,
    ROOT,
    Document,
    ReproductionError,
    Run,
    Table,
    documents,
    filled,
)

DOCS = ROOT / "docs"

RunCommand = Callable[[list[str], Path, int], str]
"""Runs ``readmark ARGS`` in a folder, which must exit with a status, and gives what it printed."""


def run_readmark(arguments: list[str], folder: Path, status: int) -> str:
    """``readmark ARGS`` in a process of its own."""
    command = [sys.executable, "-m", "readmark", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != status:
        raise ReproductionError(f"readmark {shlex.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


class Results:
    """Runs commands and functions, each once."""

    def __init__(self, run: RunCommand = run_readmark) -> None:
        self.run = run
        self.known: dict[bytes, Any] = {}

    def figures(self, table: Table, runs: Mapping[str, Run] | None = None) -> dict[str, Any]:
        """Readmark's figures for a table, with the signatures of those that were used.

        Of some ``runs``, the figures that need no others.
        """
        runs = table.content.runs if runs is None else runs
        others = table.content.runs.keys() - runs.keys()
        signatures: set[str] = set()
        names = {name: _reader(self._output(run), signatures) for name, run in runs.items()}
        cells: dict[str, dict[str, Any]] = {}
        for column in table.content.readmark:
            values = cells.setdefault(column.name, {})
            for row in table.rows:
                expression = column.cells.get(row, column.each)
                if expression and others.isdisjoint(re.findall(r"\w+", expression)):
                    value = evaluate(expression, {**names, "row": row}, table.name)
                    values[row] = round(value, 6) if isinstance(value, float) else value
        about = {"definition": table.definition, "signatures": sorted(signatures)}
        return about | {"cells": cells}

    def _output(self, run: Run) -> Any:
        key = msgspec.json.encode(run)
        if key not in self.known:
            self.known[key] = self._called(run) if run.function else self._printed(run)
        return self.known[key]

    def _printed(self, run: Run) -> Any:
        output = ""
        with tempfile.TemporaryDirectory() as folder:
            for step in run.steps:
                fails = step.startswith("! ")
                program, *arguments = (
                    filled(word, FOLDERS) for word in shlex.split(step.removeprefix("! "))
                )
                if program != "readmark":
                    raise ReproductionError(f"not a command of Readmark: {step}")
                output = self.run(arguments, Path(folder), int(fails))
        return json.loads(output)

    def _called(self, run: Run) -> Any:
        module, _, name = str(run.function).partition(":")
        function = getattr(importlib.import_module(module), name)
        result = function(**{key: filled(value, FOLDERS) for key, value in run.arguments.items()})
        return result.as_json() if hasattr(result, "as_json") else result


def _reader(output: Any, signatures: set[str]) -> Callable[..., Any]:
    """The function that a run is in expressions: the value at a path in its output.

    Signatures and fingerprints on the way are noted, less the version, which is kept apart.
    """

    def value(*path: str | int) -> Any:
        found = output
        for step in (None, *path):
            found = found if step is None else found[step]
            if isinstance(found, dict):
                test = found["test"] if isinstance(found.get("test"), dict) else found
                if "paper" in test:
                    short = f"paper {test['paper'][:12]}, key {str(test['key'])[:12]}"
                    signatures.add(f"{test['name']}: {short}")
                if isinstance(found.get("signature"), str):
                    signatures.add(re.sub(r"\|readmark:[^|]*", "", found["signature"]))
        return found

    return value


def same(stored: Any, computed: Any) -> bool:
    """Whether two results are equal, numbers up to the last stored digit."""
    if isinstance(stored, dict) and isinstance(computed, dict):
        pairs = ((stored.get(key), value) for key, value in computed.items())
        return len(stored) == len(computed) and all(same(*pair) for pair in pairs)
    if isinstance(stored, int | float) and isinstance(computed, int | float):
        return isclose(stored, computed, rel_tol=1e-5, abs_tol=2e-6)
    return bool(stored == computed)


def update(document: Document, name: str, results: Results) -> bool:
    """Computes a table and stores the result if it changed; whether it did."""
    figures = results.figures(document.tables[name])
    stored = document.results.get(name, {})
    if all(same(stored.get(key), value) for key, value in figures.items()):
        return False
    about = {"date": datetime.now(UTC).date().isoformat(), "readmark": __version__}
    document.results[name] = about | figures
    text = json.dumps(document.results, ensure_ascii=False, indent=1, sort_keys=True)
    document.results_path.write_text(f"{text}\n", encoding="utf-8")
    return True


def stale(found: list[Document], results: Results, docs: Path = DOCS) -> list[str]:
    """What is out of date: definitions that changed, figures of cheap tables, pages."""
    old = []
    for document in found:
        for name, table in document.tables.items():
            stored = document.results.get(name, {})
            if table.content.runs and stored.get("definition") != table.definition:
                old.append(f"{table.name}: changed since it was last computed")
                continue
            for column, cells in results.figures(table, table.cheap)["cells"].items():
                if not all(same(stored["cells"][column][row], cells[row]) for row in cells):
                    old.append(f"{table.name}: Readmark computes other figures now: {column}")
    for name, text in pages(found).items():
        path = docs / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            old.append(f"{name}: stale")
    return old


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Reproduces the tables of the source documents.")
    parser.add_argument("names", nargs="*", help="documents or tables, such as brcc/table-11")
    parser.add_argument("--pages", action="store_true", help="run nothing, only write the pages")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    parser.add_argument("--data", type=Path, help="folder of public data [default: ../shared/data]")
    options = parser.parse_args(arguments)
    if options.data:
        FOLDERS["data"] = options.data.resolve()
    found, results = documents(), Results()
    if options.check:
        old = stale(found, results)
        print("\n".join(old) or "The reproductions are up to date.")
        return 1 if old else 0
    every = [(document, name) for document in found for name in document.tables]
    known = {one.folder.name for one in found} | {one.tables[name].name for one, name in every}
    if unknown := set(options.names) - known:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    for document, name in every:
        table = document.tables[name]
        chosen = not options.names or {table.name, document.folder.name} & set(options.names)
        if not chosen or not table.content.runs or options.pages:
            continue
        if missing := table.missing():
            print(f"{table.name}: skipped, needs {', '.join(missing)}", file=sys.stderr)
        elif update(document, name, results):
            print(f"{table.name}: new figures", file=sys.stderr)
    for name, text in pages(found).items():
        (DOCS / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ReproductionError as error:
        sys.exit(f"reproduce: {error}")
