"""A field by split in a terminal, as SMART's Table 1: counts, totals and percentages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console

from readmark.core import numbers
from readmark.core.display import GAP, folded, plain_table, side_by_side

NO_DECIMALS_FROM = 100
"""A target of this size or more is printed without decimals."""
WIDEST = 24
"""The width of the column of values; a longer value is folded."""


def print_crossed(
    console: Console,
    field: str,
    counts: Mapping[str, Mapping[str, int]],
    splits: Sequence[str],
    *,
    wanted: Mapping[str, float] | None = None,
) -> None:
    """Print one row per value and one column per split, in several tables if they do not fit.

    ``wanted`` are the shares of the splits: the counts that they ask for are printed in brackets.
    """
    sums_by_value = {value: sum(row.values()) for value, row in counts.items()}
    total = sum(sums_by_value.values())
    # A question may be of several types, so a column may add up to more than its questions.
    sums_by_split = [sum(row.get(split, 0) for row in counts.values()) for split in splits]
    rows = [
        [_cell(row.get(split, 0), wanted, split, sums_by_value[value]) for split in splits]
        for value, row in counts.items()
    ]
    rows.append(
        [
            _cell(count, wanted, split, total)
            for count, split in zip(sums_by_split, splits, strict=True)
        ]
    )
    rows.append([_share(count, total) for count in sums_by_split])
    last_columns = [[f"{count:,}", _share(count, total)] for count in sums_by_value.values()]
    last_columns += [[f"{total:,}", _share(total, total)], [_share(total, total), ""]]
    labels = [*(folded(value, WIDEST) for value in counts), "all", "share"]

    left = max(cell_len(line) for label in (field, *labels) for line in label.split("\n"))
    right = sum(
        max(cell_len(cell) for cell in (*column, "share")) + GAP
        for column in zip(*last_columns, strict=True)
    )
    widths = [
        max(cell_len(cell) for cell in (*column, folded(split, WIDEST).split("\n")[0]))
        for split, column in zip(splits, zip(*rows, strict=True), strict=True)
    ]
    for indices in side_by_side(widths, console.width - left - right):
        headings = [folded(splits[index], WIDEST) for index in indices]
        table = plain_table(field, *headings, "all", "share")
        for line, (label, row, last) in enumerate(zip(labels, rows, last_columns, strict=True)):
            if line == len(counts):
                table.add_section()
            table.add_row(label, *(row[index] for index in indices), *last)
        console.print(table)


def _cell(count: int, wanted: Mapping[str, float] | None, split: str, whole: int) -> str:
    if wanted is None:
        return f"{count:,}"
    target = wanted[split] * whole
    return f"{count:,} ({target:,.{1 if target < NO_DECIMALS_FROM else 0}f})"


def _share(count: int, total: int) -> str:
    return numbers.percent(count / total) if total else ""
