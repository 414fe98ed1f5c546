"""Files of the reproductions: what a document printed, and how Readmark gets its figures."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FOLDERS = {
    "bundle": ROOT / "src" / "readmark" / "bundle",
    "examples": ROOT / "docs" / "examples",
    "reproductions": HERE,
    "data": ROOT.parent / "shared" / "data",
    "golden": ROOT.parent / "shared" / "golden",
}
"""What ``{bundle}`` and the others stand for in commands; the last two are not in the project."""
SHOWN = {name: name for name in FOLDERS} | {
    "examples": "docs/examples",
    "data": "../shared/data",
    "golden": "../shared/golden",
}
"""The same as a page shows them."""

Cell = tuple[str, str]
"""A row and a column of a printed table."""


class ReproductionError(Exception):
    """A file that cannot be used, or a command that failed."""


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

    @property
    def needs(self) -> set[tuple[str, str]]:
        """The files that are not in the project, as folder and path in it."""
        words = " ".join([*self.steps, *map(str, self.arguments.values())])
        return set(re.findall(r"\{(data|golden)\}([\w./-]*)", words))


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
    def cheap(self) -> dict[str, Run]:
        """The runs that use only what is in the project, and take seconds."""
        runs = {} if self.content.slow else self.content.runs
        return {name: run for name, run in runs.items() if not run.needs}

    @property
    def definition(self) -> str:
        """A hash of everything that decides Readmark's figures."""
        columns = [(one.name, one.each, one.cells) for one in self.content.readmark]
        decisive = msgspec.json.encode([self.content.runs, columns, self.rows])
        return hashlib.sha256(decisive).hexdigest()[:16]

    def missing(self) -> list[str]:
        """Files that the runs need and that are not here."""
        needed = {one for run in self.content.runs.values() for one in run.needs}
        absent = [one for one in needed if not Path(f"{FOLDERS[one[0]]}{one[1]}").exists()]
        return sorted(SHOWN[folder] + rest for folder, rest in absent)


def filled(value: Any, folders: Mapping[str, object]) -> Any:
    """A command or an argument, with the folders put in."""
    for name, folder in folders.items() if isinstance(value, str) else ():
        value = value.replace(f"{{{name}}}", str(folder))
    return value


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

    @property
    def page(self) -> str:
        """The name of its page."""
        return f"reproductions-{self.folder.name}.md"


def in_order(path: Path) -> list[tuple[int, str]]:
    """Sections first, then tables, then figures; 2 before 10."""
    first = {"section": "0", "table": "1"}.get(path.stem.split("-")[0], "2")
    parts = re.findall(r"\d+|\D+", f"{first}{path.stem}")
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def documents() -> list[Document]:
    found = [Document(path.parent) for path in HERE.glob("*/document.toml")]
    return sorted(found, key=lambda document: (document.about["year"], document.folder.name))
