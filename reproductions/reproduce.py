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
from itertools import groupby
from math import isclose
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from readmark.core.version import __version__

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DOCS = ROOT / "docs"
FOLDERS = {
    "bundle": ROOT / "src" / "readmark" / "bundle",
    "examples": DOCS / "examples",
    "reproductions": HERE,
    "data": ROOT.parent / "shared" / "data",
    "golden": ROOT.parent / "shared" / "golden",
}
"""What ``{bundle}`` and the others stand for in commands; the last two are not in the project."""
SHOWN = {"examples": "docs/examples", "data": "../shared/data", "golden": "../shared/golden"}
FUNCTIONS = {
    one.__name__: one for one in (sum, min, max, abs, round, len, all, any, zip, sorted, range)
} | {"mean": fmean}

Cell = tuple[str, str]
"""A row and a column of a printed table."""
RunCommand = Callable[[list[str], Path, int], str]
"""Runs ``readmark ARGS`` in a folder, which must exit with a status, and gives what it printed."""


class ReproductionError(Exception):
    """A file that cannot be used, or a command that failed."""


# What a file holds.


class Struct(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A part of a file; a key that is not declared is an error."""


class Printed(Struct):
    """What the document printed. A row is its name and its cells; short rows are Readmark's."""

    head: str = ""
    columns: list[str] = []
    rounded: bool = False
    rows: list[list[Any]] = []


class Run(Struct):
    """Commands of which the last prints JSON, or a Python function with keyword arguments."""

    command: str | None = None
    commands: list[str] = []
    function: str | None = None
    arguments: dict[str, Any] = {}

    @property
    def steps(self) -> list[str]:
        return [self.command] if self.command else self.commands


class Column(Struct):
    """A column of Readmark's figures: an expression per row, and what it is compared with.

    The tolerance is a difference, a percentage, or either by row, with ``*`` for the others.
    """

    name: str
    each: str | None = None
    cells: dict[str, str] = {}
    compare: str | None = None
    tolerance: Any = None
    decimals: int | None = None


class Check(Struct):
    """A printed value from other printed values: equal to, a percentage of, or a claim."""

    what: str = ""
    cell: Cell | None = None
    without: list[str] = []
    stated: Any = None
    equals: str | None = None
    share_of: str | None = None
    claim: str = ""
    holds: str | None = None


class Content(Struct):
    """A file: one table, figure or section of a document."""

    number: str
    title: str
    note: str
    data: str = ""
    slow: bool = False
    printed: Printed = msgspec.field(default_factory=Printed)
    runs: dict[str, Run] = {}
    readmark: list[Column] = []
    check: list[Check] = []


@dataclass(frozen=True)
class Finding:
    """A printed value, or a claim, and whether other printed values give the same."""

    what: str
    follows: bool
    cell: Cell | None = None
    printed: Decimal | None = None
    computed: float | None = None
    slack: float = 0.0


class Table:
    """A file that was read, with its printed cells by row and column."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = f"{path.parent.name}/{path.stem}"
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
            self.content = msgspec.convert(content, Content)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise ReproductionError(f"{self.name}: {error}") from error
        printed = self.content.printed
        self.columns = printed.columns
        self.rows = [str(row[0]) for row in printed.rows]
        padded = [[*row, *[""] * (1 + len(self.columns) - len(row))] for row in printed.rows]
        self.cells = {
            (str(row[0]), column): value
            for row in padded
            for column, value in zip(self.columns, row[1:], strict=True)
        }
        if len(self.cells) < len(self.rows) * len(self.columns):
            raise ReproductionError(f"{self.name}: two rows or columns have one name")
        for column in self.content.readmark:
            unknown = {column.compare} - {None, *self.columns} | set(column.cells) - set(self.rows)
            if unknown:
                raise ReproductionError(f"{self.name}: {column.name}: not printed: {unknown}")

    def number(self, cell: Cell) -> Decimal | None:
        """The printed number of a cell, None if it is a text."""
        value = self.cells[cell]
        return None if isinstance(value, str) else Decimal(value)

    def slack(self, value: Decimal) -> float:
        """Half of the last printed digit; whole numbers are exact unless the table rounds them."""
        places = decimals(value)
        return 0.5 * 10**-places if places or self.content.printed.rounded else 0.0

    @property
    def steps(self) -> list[str]:
        return [step for run in self.content.runs.values() for step in run.steps]

    @property
    def cheap(self) -> dict[str, Run]:
        """The runs that use only what is in the project, and take seconds."""
        runs = {} if self.content.slow else self.content.runs
        absent = re.compile(r"\{(data|golden)\}")
        return {name: run for name, run in runs.items() if not absent.search(" ".join(run.steps))}

    @property
    def definition(self) -> str:
        """A hash of everything that decides Readmark's figures."""
        columns = [(one.name, one.each, one.cells) for one in self.content.readmark]
        decisive = msgspec.json.encode([self.content.runs, columns, self.rows])
        return hashlib.sha256(decisive).hexdigest()[:16]

    def missing(self) -> list[str]:
        """Files that the commands need and that are not here."""
        named = set(re.findall(r"\{(data|golden)\}([\w./-]*)", " ".join(self.steps)))
        absent = [one for one in named if not Path(f"{FOLDERS[one[0]]}{one[1]}").exists()]
        return sorted(SHOWN[folder] + rest for folder, rest in absent)


def decimals(value: Decimal) -> int:
    return max(0, -int(value.as_tuple().exponent))


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
        stored = json.loads(self.results_path.read_text(encoding="utf-8"))
        return {name: result for name, result in stored.items() if name in self.tables}

    @cached_property
    def findings(self) -> dict[str, list[Finding]]:
        return {name: list(findings(table, self)) for name, table in self.tables.items()}

    @property
    def page(self) -> Path:
        return DOCS / f"reproductions-{self.folder.name}.md"


def in_order(path: Path) -> list[tuple[int, str]]:
    """Sections first, then tables, then figures; 2 before 10."""
    first = {"section": "0", "table": "1"}.get(path.stem.split("-")[0], "2")
    parts = re.findall(r"\d+|\D+", f"{first}{path.stem}")
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def documents() -> list[Document]:
    found = [Document(path.parent) for path in HERE.glob("*/document.toml")]
    return sorted(found, key=lambda document: (document.about["year"], document.folder.name))


# Checks: printed values from other printed values.


def evaluate(expression: str, names: Mapping[str, Any], where: str) -> Any:
    """The value of an expression in one of our files."""
    try:
        return eval(expression, {"__builtins__": {}, **FUNCTIONS, **names})
    except Exception as error:
        raise ReproductionError(f"{where}: {expression}: {error!r}") from error


class Numbers:
    """The printed numbers as an expression sees them; records which it used."""

    def __init__(self, document: Document, table: Table) -> None:
        self.document = document
        self.table = table
        self.used: dict[tuple[str, Cell], float] = {}
        self.shift: dict[tuple[str, Cell], float] = {}

    def names(self, cell: Cell | None = None) -> dict[str, Any]:
        row, column = cell or (None, None)
        methods = (self.cell, self.other, self.down, self.across, self.size)
        return {one.__name__: one for one in methods} | {"row": row, "column": column}

    def cell(self, row: str, column: str) -> float:
        return self._value(self.table, (row, column))

    def other(self, name: str, row: str, column: str) -> float:
        return self._value(self.document.tables[name], (row, column))

    def down(self, column: str, *, without: Iterable[str] = ()) -> list[float]:
        return self._values((row, column) for row in self.table.rows if row not in without)

    def across(self, row: str, *, without: Iterable[str] = ()) -> list[float]:
        return self._values((row, one) for one in self.table.columns if one not in without)

    def size(self, name: str, column: str, *, without: Iterable[str] = ()) -> int:
        """The least number of units of which every percentage in a column can be a share."""
        table = self.document.tables[name]
        cells = [(row, column) for row in table.rows if row not in without]
        shares = [number for cell in cells if (number := table.number(cell)) is not None]
        return next(size for size in range(1, 10**6) if all(is_share(one, size) for one in shares))

    def _value(self, table: Table, cell: Cell) -> float:
        number = table.number(cell)
        if number is None:
            raise ValueError(f"{cell} is {table.cells[cell]!r}, not a number")
        self.used[table.name, cell] = table.slack(number)
        return float(number) + self.shift.get((table.name, cell), 0.0)

    def _values(self, cells: Iterable[Cell]) -> list[float]:
        """The numbers among some cells; texts are left out."""
        numbers = [cell for cell in cells if self.table.number(cell) is not None]
        return [self._value(self.table, cell) for cell in numbers]


def is_share(printed: Decimal, size: float) -> bool:
    """Whether some whole number of units of a test gives this percentage, as it is rounded."""
    nearest = 100 * round(float(printed) * size / 100) / size
    return abs(float(printed) - nearest) <= 0.5 * 10.0 ** -decimals(printed) + 1e-9


def findings(table: Table, document: Document) -> Iterator[Finding]:
    """Recomputes printed values; a difference that rounding explains is none."""
    for check in table.content.check:
        if check.holds:
            names = Numbers(document, table).names()
            yield Finding(check.claim, bool(evaluate(check.holds, names, table.name)))
        elif check.stated is not None:
            yield _recomputed(check, Numbers(document, table), None, Decimal(check.stated))
        else:
            for cell, number in _checked(check, table):
                yield _recomputed(check, Numbers(document, table), cell, number)


def _checked(check: Check, table: Table) -> list[tuple[Cell, Decimal]]:
    """The cells that a check names; ``*`` is every row or column with a number."""
    row, column = check.cell or ("*", "*")
    rows = [one for one in table.rows if one not in check.without] if row == "*" else [row]
    columns = [one for one in table.columns if one not in check.without]
    cells = [(one, other) for one in rows for other in (columns if column == "*" else [column])]
    numbers = [(cell, number) for cell in cells if (number := table.number(cell)) is not None]
    if not numbers:
        raise ReproductionError(f"{table.name}: no number at {check.cell}")
    return numbers


def _recomputed(check: Check, numbers: Numbers, cell: Cell | None, printed: Decimal) -> Finding:
    table = numbers.table
    names = numbers.names(cell)
    if check.share_of:
        size = evaluate(check.share_of, names, table.name)
        nearest = 100 * round(float(printed) * size / 100) / size
        return Finding(check.what, is_share(printed, size), cell, printed, nearest)
    if not check.equals:
        raise ReproductionError(f"{table.name}: a check without equals, share_of or holds")
    computed = float(evaluate(check.equals, names, table.name))
    slack = table.slack(printed)
    for key, half in dict(numbers.used).items():
        moved = [0.0]
        for sign in (-1, 1) if half else ():
            numbers.shift = {key: sign * half}
            moved.append(abs(evaluate(check.equals, names, table.name) - computed))
        slack += max(moved)
    follows = abs(float(printed) - computed) <= slack + 1e-9
    return Finding(check.what, follows, cell, printed, computed, slack)


# Results: what Readmark's commands print.


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
                    filled(word) for word in shlex.split(step.removeprefix("! "))
                )
                if program != "readmark":
                    raise ReproductionError(f"not a command of Readmark: {step}")
                output = self.run(arguments, Path(folder), int(fails))
        return json.loads(output)

    def _called(self, run: Run) -> Any:
        module, _, name = str(run.function).partition(":")
        function = getattr(importlib.import_module(module), name)
        given = {key: filled(value) for key, value in run.arguments.items()}
        return function(**given)


def filled(value: Any) -> Any:
    """A word of a command, or an argument, with the folders put in."""
    for name, folder in FOLDERS.items() if isinstance(value, str) else ():
        value = value.replace(f"{{{name}}}", str(folder))
    return value


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


# Pages.

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
LEGEND = """Columns in **bold** are Readmark's, the others are printed. ‡ does not follow from other
printed values. ≠ outside the tolerance of the comparison. Generated by `make reproduce`; see
[Reproductions](reproductions.md).
"""


def shown(value: Any, places: int | None = None) -> str:
    """A value as a page shows it: thousands apart, with its own or a given number of decimals."""
    if value is None:
        return "–"
    if isinstance(value, Decimal | int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.{1 if places is None else places}f}"
    return str(value)


def line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") or " " for cell in cells) + " |"


def section(table: Table, found: list[Finding], result: Mapping[str, Any] | None) -> str:
    """What a page says of one table."""
    content, columns = table.content, table.content.readmark
    placed = [
        *((name, one) for name in table.columns for one in (None, *columns)),
        *((None, one) for one in columns),
    ]
    placed = [(name, one) for name, one in placed if one is None or one.compare == name]
    lines = [f"## {content.number}: {content.title}", ""]
    if table.rows:
        head = [str(name) if one is None else f"**{one.name}**" for name, one in placed]
        lines += [line([content.printed.head, *head]), line(["---"] * (1 + len(head)))]
        wrong = {finding.cell for finding in found if not finding.follows}
        for row in table.rows:
            cells = [
                shown(table.cells[row, str(name)]) + " ‡" * ((row, name) in wrong)
                if one is None
                else _figure(table, one, row, result or {})
                for name, one in placed
            ]
            lines.append(line([row, *cells]))
        lines.append("")
    lines += [*_found(found), f"{content.note.strip()}\n", *_source(table, result)]
    return "\n".join(lines)


def _figure(table: Table, column: Column, row: str, result: Mapping[str, Any]) -> str:
    """A figure of Readmark with as many decimals as the printed one, and a sign if it is far."""
    if row not in column.cells and column.each is None:
        return ""
    value = result.get("cells", {}).get(column.name, {}).get(row)
    number = table.number((row, column.compare)) if column.compare else None
    places = decimals(number) if number is not None and column.decimals is None else column.decimals
    far = agreement(table, column, row, value) is False
    return shown(value, places) + " ≠" * far


def agreement(table: Table, column: Column, row: str, value: Any) -> bool | None:
    """Whether a figure is within its tolerance; None if there is nothing to compare it with."""
    number = table.number((row, column.compare)) if column.compare else None
    by_row = column.tolerance if isinstance(column.tolerance, dict) else {"*": column.tolerance}
    tolerance = by_row.get(row, by_row.get("*"))
    if number is None or tolerance is None or not isinstance(value, int | float):
        return None
    most = float(str(tolerance).removesuffix("%"))
    if str(tolerance).endswith("%"):
        most *= abs(float(number)) / 100
    return abs(value - float(number)) <= most + 1e-9


def _found(found: list[Finding]) -> Iterator[str]:
    if found:
        follow = sum(finding.follows for finding in found)
        yield f"Recomputed from other printed values: {follow} of {len(found)} agree.\n"
    if wrong := "\n".join(f"- {one}" for one in described(found)):
        yield f"{wrong}\n"


def described(found: Iterable[Finding]) -> Iterator[str]:
    """What does not follow, in words, a line for each check."""
    wrong = [finding for finding in found if not finding.follows]
    for what, group in groupby(wrong, key=lambda finding: finding.what):
        cases = [case for finding in group if (case := _case(finding))]
        yield f"{what}: {'; '.join(cases)}." if cases else f"{what}: not so."


def _case(finding: Finding) -> str:
    if finding.printed is None or finding.computed is None:
        return ""
    where = f"{', '.join(finding.cell)}: " if finding.cell else ""
    computed = f"{finding.computed:,.{max(1, decimals(finding.printed))}f}".removesuffix(".0")
    about = f" ± {finding.slack:.2g} by rounding" if finding.slack else ""
    return f"{where}printed {shown(finding.printed)}, computed {computed}{about}"


def _source(table: Table, result: Mapping[str, Any] | None) -> Iterator[str]:
    """The data, the commands, and when they ran."""
    if table.content.data:
        yield f"Data: {table.content.data.strip()}.\n"
    if table.content.runs:
        shown_folders = {name: name for name in FOLDERS} | SHOWN
        yield "```bash"
        for position, run in enumerate(table.content.runs.values()):
            if position and len(run.steps) > 1:
                yield ""
            yield from (step.format(**shown_folders) for step in run.steps)
            if run.function:
                yield f"# {run.function.replace(':', '.')}"
        if result:
            yield f"# {result['date']}, Readmark {result['readmark']}"
            yield from (f"# {one}" for one in result["signatures"])
        yield "```\n"


def page(document: Document) -> str:
    """The page of a document."""
    parts = [f"# {document.about['title']}\n\n{document.about['note'].strip()}\n\n{LEGEND}"]
    for name, table in document.tables.items():
        parts.append(section(table, document.findings[name], document.results.get(name)))
    return "\n".join(parts)


def index(found: list[Document]) -> str:
    """The page that lists the documents, and every printed value that does not follow."""
    head = ["document", "tables and figures", "printed values", "recomputed", "do not follow"]
    lines = [INTRODUCTION, line([*head, "within tolerance"]), line(["---"] * 6)]
    wrong = []
    for document in found:
        tables = document.tables.values()
        everything = [finding for many in document.findings.values() for finding in many]
        close = [one for table in tables for one in _agreements(table, document)]
        cells = [
            f"[{document.about['title']}]({document.page.name})",
            shown(len(tables)),
            shown(sum(table.number(cell) is not None for table in tables for cell in table.cells)),
            shown(len(everything)),
            shown(sum(not finding.follows for finding in everything)),
            f"{sum(close)} of {len(close)}" if close else "–",
        ]
        lines.append(line(cells))
        for name, many in document.findings.items():
            where = [document.about["short"], document.tables[name].content.number]
            wrong += [line([*where, text]) for text in described(many)]
    lines += ["", "## Printed values that do not follow from other printed values", ""]
    return "\n".join([*lines, line(["document", "where", "what"]), line(["---"] * 3), *wrong, ""])


def _agreements(table: Table, document: Document) -> Iterator[bool]:
    cells = document.results.get(table.path.stem, {}).get("cells", {})
    for column in table.content.readmark:
        for row, value in cells.get(column.name, {}).items():
            agrees = agreement(table, column, row, value)
            if agrees is not None:
                yield agrees


def pages(found: list[Document]) -> dict[Path, str]:
    """Every page by its path."""
    return {DOCS / "reproductions.md": index(found)} | {one.page: page(one) for one in found}


def stale(found: list[Document], results: Results) -> list[str]:
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
    for path, text in pages(found).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            old.append(f"{path.relative_to(ROOT)}: stale")
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
    for path, text in pages(found).items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ReproductionError as error:
        sys.exit(f"reproduce: {error}")
