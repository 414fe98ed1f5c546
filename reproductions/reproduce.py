"""Writes docs/reproductions*.md: what the source documents printed, and what Readmark gets.

``python reproductions/reproduce.py`` runs the commands of every file of which the data is here,
stores their results and writes the pages; names, such as ``brcc/table-11`` or ``brcc``, select
files. With ``--check`` it writes nothing, recomputes only what is cheap, and exits 1 when a stored
result or a page is stale. README.md describes the files.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from math import isclose
from pathlib import Path
from statistics import fmean
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DOCS = ROOT / "docs"
FOLDERS = {
    "bundle": ROOT / "src" / "readmark" / "bundle",
    "data": ROOT.parent / "shared" / "data",
    "golden": ROOT.parent / "shared" / "golden",
    "reproductions": HERE,
}
"""What ``{bundle}`` and the others stand for in a command."""
SHOWN = {
    "bundle": "bundle",
    "data": "../shared/data",
    "golden": "../shared/golden",
    "reproductions": "reproductions",
}
UNKNOWN = "–"
WRONG = " ‡"
OUTSIDE = " ≠"
DAGGER = (
    "‡ does not follow from the other printed values. ≠ outside the tolerance of the comparison."
)

Cell = tuple[str, str]
"""A row and a column of a printed table."""
Run = Callable[[list[str], Path], str]
"""Runs ``readmark ARGS`` in a folder and gives what it printed."""


class ReproductionError(Exception):
    """A file that cannot be used, or a command that failed."""


@dataclass(frozen=True)
class Column:
    """A column of Readmark's figures: an expression per row, and what it is compared with."""

    name: str
    each: str | None
    cells: Mapping[str, str]
    compare: str | None
    tolerance: Decimal | str | None
    decimals: int | None

    def expression(self, row: str) -> str | None:
        return self.cells.get(row, self.each)

    def agrees(self, printed: Decimal, value: float) -> bool:
        """Whether a figure is within the tolerance, which is a difference or a percentage."""
        if self.tolerance is None:
            return True
        most = float(str(self.tolerance).removesuffix("%"))
        if str(self.tolerance).endswith("%"):
            most *= abs(float(printed)) / 100
        return abs(value - float(printed)) <= most + 1e-9


@dataclass(frozen=True)
class Finding:
    """A printed value, or a printed claim, with what its own columns give."""

    what: str
    follows: bool
    cell: Cell | None = None
    printed: Decimal | None = None
    computed: float | None = None
    slack: float = 0.0


class Table:
    """One file: what a table or figure printed, and how Readmark gets its figures."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = f"{path.parent.name}/{path.stem}"
        content = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        self.number: str = content["number"]
        self.title: str = content["title"]
        self.note: str = content["note"]
        self.data: str = content.get("data", "")
        self.slow: bool = content.get("slow", False)
        self.runs: dict[str, dict[str, Any]] = content.get("runs", {})
        self.checks: list[dict[str, Any]] = content.get("check", [])
        printed = content.get("printed", {})
        self.head: str = printed.get("head", "")
        self.columns: list[str] = printed.get("columns", [])
        self.rounded: bool = printed.get("rounded", False)
        self.rows: list[str] = [row[0] for row in printed.get("rows", [])]
        self.cells: dict[Cell, Any] = {
            (row[0], column): value
            for row in printed.get("rows", [])
            for column, value in zip(self.columns, row[1:], strict=True)
        }
        if len(self.rows) * len(self.columns) != len(self.cells):
            raise ReproductionError(f"{self.name}: a row or a column is named twice")
        self.readmark = [
            Column(
                name=column["name"],
                each=column.get("each"),
                cells=column.get("cells", {}),
                compare=column.get("compare"),
                tolerance=column.get("tolerance"),
                decimals=column.get("decimals"),
            )
            for column in content.get("readmark", [])
        ]
        for column in self.readmark:
            if column.compare is not None and column.compare not in self.columns:
                raise ReproductionError(f"{self.name}: no printed column {column.compare!r}")
            if unknown := set(column.cells) - set(self.rows):
                raise ReproductionError(f"{self.name}: no printed row {sorted(unknown)}")

    def number_at(self, cell: Cell) -> Decimal | None:
        """The printed number of a cell, None if it is a text."""
        value = self.cells[cell]
        return Decimal(value) if isinstance(value, int | Decimal) else None

    @property
    def numbers(self) -> int:
        """How many numbers were printed."""
        return sum(self.number_at(cell) is not None for cell in self.cells)

    def slack(self, value: Decimal) -> float:
        """Half of the last printed digit; whole numbers are exact unless the table rounds them."""
        exponent = value.as_tuple().exponent
        assert isinstance(exponent, int)
        return 0.5 * 10**exponent if exponent < 0 or self.rounded else 0.0

    @property
    def cheap(self) -> bool:
        """Whether the commands use bundled data only and take seconds."""
        return not self.slow and not any("{data}" in one or "{golden}" in one for one in self.steps)

    @property
    def steps(self) -> list[str]:
        return [step for run in self.runs.values() for step in commands_of(run)]

    @property
    def definition(self) -> str:
        """A hash of everything that decides Readmark's figures."""
        decisive = [
            self.runs,
            [[one.name, one.each, one.cells] for one in self.readmark],
            self.rows,
        ]
        return hashlib.sha256(json.dumps(decisive, default=str).encode()).hexdigest()[:16]

    def missing(self) -> list[str]:
        """Files that the commands need and that are not here."""
        named = re.findall(r"\{(data|golden)\}([\w./-]*)", " ".join(self.steps))
        paths = {SHOWN[folder] + rest: Path(f"{FOLDERS[folder]}{rest}") for folder, rest in named}
        return sorted(shown for shown, path in paths.items() if not path.exists())


@dataclass(frozen=True)
class Document:
    """A source document: the files of one folder, and their stored results."""

    folder: Path

    @cached_property
    def about(self) -> dict[str, Any]:
        return tomllib.loads((self.folder / "document.toml").read_text(encoding="utf-8"))

    @cached_property
    def tables(self) -> dict[str, Table]:
        paths = sorted(self.folder.glob("*.toml"), key=in_order)
        return {path.stem: Table(path) for path in paths if path.stem != "document"}

    @property
    def results_path(self) -> Path:
        return self.folder / "results.json"

    @cached_property
    def results(self) -> dict[str, Any]:
        if not self.results_path.exists():
            return {}
        stored: dict[str, Any] = json.loads(self.results_path.read_text(encoding="utf-8"))
        return {name: result for name, result in stored.items() if name in self.tables}

    @property
    def page(self) -> Path:
        return DOCS / f"reproductions-{self.folder.name}.md"

    @cached_property
    def findings(self) -> dict[str, list[Finding]]:
        return {name: list(findings(table, self)) for name, table in self.tables.items()}


def in_order(path: Path) -> list[tuple[int, str]]:
    """Sections first, then tables, then figures; 2 before 10."""
    first = {"section": "0", "table": "1"}.get(path.stem.split("-")[0], "2")
    parts = re.findall(r"\d+|[^\d]+", f"{first}{path.stem}")
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def documents() -> list[Document]:
    found = [Document(path.parent) for path in HERE.glob("*/document.toml")]
    return sorted(found, key=lambda document: (document.about["year"], document.folder.name))


# Checks: printed values from other printed values.


def evaluate(expression: str, names: Mapping[str, Any], where: str) -> Any:
    """The value of an expression of one of our files."""
    known = {"sum": sum, "mean": fmean, "min": min, "max": max, "abs": abs, "len": len}
    try:
        return eval(expression, {"__builtins__": {}, "round": round, **known, **names})
    except Exception as error:
        raise ReproductionError(f"{where}: {expression}: {error!r}") from error


class Printed:
    """The printed numbers of a document as an expression sees them; notes which were used."""

    def __init__(self, document: Document, table: Table) -> None:
        self.document = document
        self.table = table
        self.used: dict[tuple[str, Cell], float] = {}
        self.shift: dict[tuple[str, Cell], float] = {}

    def value(self, table: Table, cell: Cell) -> float:
        number = table.number_at(cell)
        if number is None:
            raise ReproductionError(f"{cell} is {table.cells[cell]!r}, not a number")
        key = (table.path.stem, cell)
        self.used[key] = table.slack(number)
        return float(number) + self.shift.get(key, 0.0)

    def cell(self, row: str, column: str) -> float:
        return self.value(self.table, (row, column))

    def other(self, name: str, row: str, column: str) -> float:
        return self.value(self.document.tables[name], (row, column))

    def down(self, column: str, *, without: Iterable[str] = ()) -> list[float]:
        return self._numbers((row, column) for row in self.table.rows if row not in without)

    def across(self, row: str, *, without: Iterable[str] = ()) -> list[float]:
        return self._numbers((row, one) for one in self.table.columns if one not in without)

    def _numbers(self, cells: Iterable[Cell]) -> list[float]:
        """The numbers among some cells; texts are left out."""
        numbers = [cell for cell in cells if self.table.number_at(cell) is not None]
        return [self.value(self.table, cell) for cell in numbers]


def findings(table: Table, document: Document) -> Iterator[Finding]:
    """Recomputes printed values; a difference that rounding explains is none."""
    for check in table.checks:
        if "holds" in check:
            names = expression_names(Printed(document, table))
            yield Finding(check["claim"], bool(evaluate(check["holds"], names, table.name)))
        elif "stated" in check:
            yield _recomputed(check, table, document, None, Decimal(check["stated"]))
        else:
            for cell in _cells(check, table):
                number = table.number_at(cell)
                assert number is not None
                yield _recomputed(check, table, document, cell, number)


def expression_names(printed: Printed) -> dict[str, Any]:
    return {name: getattr(printed, name) for name in ("cell", "other", "down", "across")}


def _cells(check: Mapping[str, Any], table: Table) -> list[Cell]:
    """The cells that a check names; ``*`` is every row or column with a number."""
    row, column = check["cell"]
    without = check.get("without", [])
    rows = [one for one in table.rows if one not in without] if row == "*" else [row]
    columns = [one for one in table.columns if one not in without] if column == "*" else [column]
    found = [(one, other) for one in rows for other in columns]
    numbers = [cell for cell in found if table.number_at(cell) is not None]
    if not numbers:
        raise ReproductionError(f"{table.name}: no number at {check['cell']}")
    return numbers


def _recomputed(
    check: Mapping[str, Any], table: Table, document: Document, cell: Cell | None, number: Decimal
) -> Finding:
    printed = Printed(document, table)
    names = expression_names(printed)
    names |= dict(zip(("row", "column"), cell, strict=True)) if cell else {}
    computed = float(evaluate(check["equals"], names, table.name))
    slack = table.slack(number)
    for key, half in dict(printed.used).items():
        if half:
            moved = []
            for sign in (-1, 1):
                printed.shift = {key: sign * half}
                moved.append(abs(evaluate(check["equals"], names, table.name) - computed))
            slack += max(moved)
    follows = abs(float(number) - computed) <= slack + 1e-9
    return Finding(check["what"], follows, cell, number, computed, slack)


# Results: what Readmark's commands print.


def commands_of(run: Mapping[str, Any]) -> list[str]:
    """The commands of a run, of which the last prints its result as JSON."""
    return [run["command"]] if "command" in run else list(run.get("commands", ()))


def run_readmark(arguments: list[str], folder: Path) -> str:
    """``readmark ARGS`` in a process of its own."""
    command = [sys.executable, "-m", "readmark", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise ReproductionError(f"readmark {shlex.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


class Results:
    """Runs commands and functions, each once."""

    def __init__(self, run: Run = run_readmark) -> None:
        self.run = run
        self.known: dict[str, Any] = {}

    def of(self, definition: Mapping[str, Any]) -> Any:
        key = json.dumps(definition, default=str)
        if key not in self.known:
            self.known[key] = self._run(definition)
        return self.known[key]

    def _run(self, definition: Mapping[str, Any]) -> Any:
        if "function" in definition:
            module, _, name = definition["function"].partition(":")
            function = getattr(importlib.import_module(module), name)
            given = {name: filled(one) for name, one in definition.get("arguments", {}).items()}
            return function(**given)
        with tempfile.TemporaryDirectory() as folder:
            for command in commands_of(definition):
                arguments = [filled(one) for one in shlex.split(command)]
                if arguments[0] != "readmark":
                    raise ReproductionError(f"not a command of Readmark: {command}")
                output = self.run(arguments[1:], Path(folder))
        return json.loads(output)

    def figures(self, table: Table) -> dict[str, Any]:
        """Readmark's figures for a table, with the signatures of what printed them."""
        outputs = {name: self.of(run) for name, run in table.runs.items()}
        names = {name: _path(output) for name, output in outputs.items()}
        cells: dict[str, dict[str, Any]] = {}
        for column in table.readmark:
            values = cells.setdefault(column.name, {})
            for row in table.rows:
                if expression := column.expression(row):
                    value = evaluate(expression, {**names, "row": row}, table.name)
                    values[row] = round(value, 6) if isinstance(value, float) else value
        signatures = sorted({one for output in outputs.values() for one in _signatures(output)})
        return {"definition": table.definition, "cells": cells, "signatures": signatures}


def filled(argument: Any) -> Any:
    if not isinstance(argument, str):
        return argument
    for name, folder in FOLDERS.items():
        argument = argument.replace(f"{{{name}}}", str(folder))
    return argument


def _path(output: Any) -> Callable[..., Any]:
    def value(*keys: str | int) -> Any:
        found = output
        for key in keys:
            found = found[key]
        return found

    return value


def _signatures(output: Any) -> Iterator[str]:
    """The signatures and fingerprints in an output, without the version, which is kept apart."""
    if isinstance(output, dict):
        if isinstance(output.get("paper"), str) and isinstance(output.get("name"), str):
            yield f"{output['name']}: paper {output['paper'][:12]}, key {str(output['key'])[:12]}"
        for key, value in output.items():
            if key == "signature" and isinstance(value, str):
                yield re.sub(r"\|readmark:[^|]*", "", value)
            elif key != "error_classes":
                yield from _signatures(value)
    elif isinstance(output, list):
        for value in output:
            yield from _signatures(value)


def same(stored: Any, computed: Any) -> bool:
    """Whether two results are equal, numbers up to the last stored digit."""
    if isinstance(stored, dict) and isinstance(computed, dict):
        return stored.keys() == computed.keys() and all(
            same(stored[key], value) for key, value in computed.items()
        )
    if isinstance(stored, int | float) and isinstance(computed, int | float):
        return isclose(stored, computed, rel_tol=1e-5, abs_tol=2e-6)
    return bool(stored == computed)


def update(document: Document, names: Iterable[str], results: Results) -> list[str]:
    """Runs tables and keeps their results; returns those of which the result changed."""
    from readmark.core.version import __version__

    changed = []
    for name in names:
        table = document.tables[name]
        figures = results.figures(table)
        stored = document.results.get(name, {})
        if not same({key: stored.get(key) for key in figures}, figures):
            about = {"date": datetime.now(UTC).date().isoformat(), "readmark": __version__}
            document.results[name] = about | figures
            changed.append(table.name)
    return changed


# Pages.


def shown(value: Any, decimals: int | None = None) -> str:
    """A value as a page shows it: thousands apart, with its own or a given number of decimals."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: UNKNOWN}[value]
    if isinstance(value, Decimal | int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.{1 if decimals is None else decimals}f}"
    return str(value)


def _decimals(table: Table, column: Column, row: str) -> int | None:
    if column.decimals is not None or column.compare is None:
        return column.decimals
    number = table.number_at((row, column.compare))
    return None if number is None else max(0, -int(number.as_tuple().exponent))


def section(table: Table, found: list[Finding], result: Mapping[str, Any] | None) -> str:
    """What a page says of one table."""
    lines = [f"## {table.number}: {table.title}", ""]
    wrong = {finding.cell for finding in found if not finding.follows}
    columns: list[tuple[str, Callable[[str], str]]] = []

    def add_printed(name: str) -> None:
        columns.append(
            (name, lambda row: shown(table.cells[row, name]) + WRONG * ((row, name) in wrong))
        )

    def add_readmark(column: Column) -> None:
        values = (result or {}).get("cells", {}).get(column.name, {})

        def cell(row: str) -> str:
            if column.expression(row) is None:
                return ""
            value = values.get(row)
            text = shown(value, _decimals(table, column, row))
            number = table.number_at((row, column.compare)) if column.compare else None
            if number is None or not isinstance(value, int | float):
                return text
            return text + OUTSIDE * (not column.agrees(number, value))

        columns.append((f"**{column.name}**", cell))

    for name in table.columns:
        add_printed(name)
        for column in table.readmark:
            if column.compare == name:
                add_readmark(column)
    for column in table.readmark:
        if column.compare is None:
            add_readmark(column)
    if table.rows:
        lines += [
            _line([table.head, *(name for name, _ in columns)]),
            _line(["---"] * (1 + len(columns))),
            *(_line([row, *(cell(row) for _, cell in columns)]) for row in table.rows),
            "",
        ]
    lines += [*_found(found), *_source(table, result), table.note.strip(), ""]
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") or " " for cell in cells) + " |"


def _found(found: list[Finding]) -> Iterator[str]:
    follow = sum(finding.follows for finding in found)
    if found:
        yield f"Recomputed from other printed values: {follow} of {len(found)} agree."
        yield from (f"- {described(finding)}" for finding in found if not finding.follows)
        yield ""


def described(finding: Finding) -> str:
    """A value that does not follow, in words."""
    if finding.printed is None or finding.computed is None:
        return f"{finding.what}: the printed values say otherwise."
    where = f"{', '.join(part for part in finding.cell if part)}: " if finding.cell else ""
    decimals = max(1, -int(finding.printed.as_tuple().exponent))
    computed = f"{finding.computed:,.{decimals}f}".removesuffix(".0")
    about = f", ± {finding.slack:.2g} by rounding" if finding.slack else ""
    return f"{where}{finding.what}: printed {shown(finding.printed)}, computed {computed}{about}."


def _source(table: Table, result: Mapping[str, Any] | None) -> Iterator[str]:
    if table.data:
        yield f"Data: {table.data}"
        yield ""
    if not table.runs:
        return
    for run in table.runs.values():
        for command in commands_of(run):
            for name, folder in SHOWN.items():
                command = command.replace(f"{{{name}}}", folder)
            yield f"- `{command}`"
        if "function" in run:
            yield f"- `{run['function'].replace(':', '.')}`"
    yield ""
    if result is None:
        yield "These figures have not been computed yet."
    else:
        signed = "; ".join(f"`{one}`" for one in result["signatures"])
        signed = f": {signed}" if signed else ""
        yield f"Computed on {result['date']} with Readmark {result['readmark']}{signed}."
    yield ""


def page(document: Document) -> str:
    """The page of a document."""
    about = document.about
    parts = [
        f"# Reproduced: {about['title']}\n\n{about['note'].strip()}\n\nColumns in **bold** are "
        f"Readmark's, the others are printed. {DAGGER} Generated by "
        "`make reproduce`; see [Reproductions](reproductions.md).\n"
    ]
    for name, table in document.tables.items():
        parts.append(section(table, document.findings[name], document.results.get(name)))
    return "\n".join(parts)


def compared(table: Table, result: Mapping[str, Any]) -> Iterator[bool]:
    """For each figure with a tolerance, whether it is within it."""
    for column in table.readmark:
        for row, value in result.get("cells", {}).get(column.name, {}).items():
            number = table.number_at((row, column.compare)) if column.compare else None
            if number is not None and value is not None and column.tolerance is not None:
                yield column.agrees(number, value)


def index(found: list[Document]) -> str:
    """The page that lists the documents, and every printed value that does not follow."""
    head = ("document", "tables and figures", "printed values", "recomputed", "do not follow")
    rows, wrong = [], []
    for document in found:
        tables = document.tables.values()
        all_findings = [one for many in document.findings.values() for one in many]
        close = [
            agrees
            for name, table in document.tables.items()
            for agrees in compared(table, document.results.get(name, {}))
        ]
        rows.append(
            [
                f"[{document.about['title']}]({document.page.name})",
                str(len(tables)),
                f"{sum(table.numbers for table in tables):,}",
                f"{len(all_findings):,}",
                str(sum(not one.follows for one in all_findings)),
                f"{sum(close)} of {len(close)}" if close else UNKNOWN,
            ]
        )
        for name, many in document.findings.items():
            for finding in many:
                if not finding.follows:
                    number = document.tables[name].number
                    wrong.append([document.about["short"], number, described(finding)])
    lines = [INTRODUCTION]
    lines += map(_line, ([*head, "within tolerance"], ["---"] * 6, *rows))
    lines += ["", "## Printed values that do not follow from their own columns", ""]
    lines += map(_line, (["document", "where", "what"], ["---"] * 3, *wrong))
    return "\n".join(lines) + "\n"


INTRODUCTION = """# Reproductions

Each table and figure of the documents that Readmark is built on, next to what Readmark gets on the
nearest data that is bundled or public. `make reproduce` runs the commands of `reproductions/` and
writes these pages. Figures that need public data are kept from the last run that had it, with its
date and signatures.

Printed values are also recomputed from other printed values: sums, means, differences,
percentages. A value counts as *not following* only if rounding of what is printed cannot explain
the difference. A figure is *within tolerance* if it is as close to the printed one as its file
requires; figures on data that is too different have no tolerance.
"""


def pages(found: list[Document]) -> dict[Path, str]:
    """Every page by its path."""
    return {DOCS / "reproductions.md": index(found)} | {one.page: page(one) for one in found}


def stale(found: list[Document], results: Results) -> list[str]:
    """What is out of date: results of cheap tables, definitions that changed, pages."""
    old = []
    for document in found:
        for name, table in document.tables.items():
            stored = document.results.get(name)
            if not table.runs:
                continue
            if stored is None or stored["definition"] != table.definition:
                old.append(f"{table.name}: changed since it was last computed")
            elif table.cheap and not same(
                {key: stored[key] for key in ("definition", "cells", "signatures")},
                results.figures(table),
            ):
                old.append(f"{table.name}: Readmark computes other figures now")
    for path, text in pages(found).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            old.append(f"{path.relative_to(ROOT)}: stale")
    return old


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Reproduces the tables of the source documents.")
    parser.add_argument("names", nargs="*", help="documents or tables, such as brcc/table-11")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    parser.add_argument("--cheap", action="store_true", help="run only what needs bundled data")
    parser.add_argument("--data", type=Path, help="folder of public data [default: ../shared/data]")
    options = parser.parse_args(arguments)
    if options.data:
        FOLDERS["data"] = options.data.resolve()
    found, results = documents(), Results()
    if options.check:
        old = stale(found, results)
        print("\n".join(old) or "The reproductions are up to date.")
        return 1 if old else 0
    known = {table.name for document in found for table in document.tables.values()}
    known |= {document.folder.name for document in found}
    if unknown := set(options.names) - known:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    for document in found:
        chosen = []
        for name, table in document.tables.items():
            wanted = {table.name, document.folder.name} & set(options.names) or not options.names
            if wanted and table.runs and (table.cheap or not options.cheap):
                if missing := table.missing():
                    print(f"{table.name}: skipped, {', '.join(missing)} not found", file=sys.stderr)
                else:
                    chosen.append(name)
        for name in chosen:
            for changed in update(document, [name], results):
                print(f"{changed}: new figures", file=sys.stderr)
            text = json.dumps(document.results, ensure_ascii=False, indent=1, sort_keys=True)
            document.results_path.write_text(f"{text}\n", encoding="utf-8")
    for path, text in pages(found).items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ReproductionError as error:
        sys.exit(f"reproduce: {error}")
