"""Checks: printed values recomputed from other printed values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean
from typing import Any

from reproductions.tables import Cell, Check, Document, ReproductionError, Table, decimals

FUNCTIONS = {
    one.__name__: one for one in (sum, min, max, abs, round, len, all, any, zip, sorted, range)
} | {"mean": fmean}
"""What an expression may call."""


@dataclass(frozen=True)
class Finding:
    """A printed value, or a claim, and whether other printed values give the same."""

    what: str
    follows: bool
    cell: Cell | None = None
    printed: Decimal | None = None
    computed: float | None = None
    slack: float = 0.0


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
