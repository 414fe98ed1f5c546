"""A field by split in a terminal, as SMART's Table 1: counts, totals and percentages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console

from readmark.reporting.folding import folded
from readmark.reporting.terminal import GAP, plain_table

MANY = 100
"""From here on, what was wanted is told without decimals."""
WIDEST = 24
"""The column of values; a longer one is folded."""


def print_crossed(
    console: Console,
    field: str,
    counts: Mapping[str, Mapping[str, int]],
    splits: Sequence[str],
    *,
    wanted: Mapping[str, float] | None = None,
) -> None:
    """A row a value and a column a split; splits that do not fit go into a next table.

    ``wanted`` are the splits' shares: what they ask for stands in brackets.
    """
    whole = {value: sum(row.values()) for value, row in counts.items()}
    total = sum(whole.values())
    # A question may be of several types, so the column's sum need not be that of its questions.
    rows = [
        [*(_cell(row.get(split, 0), wanted, split, whole[value]) for split in splits)]
        for value, row in counts.items()
    ]
    sums = [sum(row.get(split, 0) for row in counts.values()) for split in splits]
    rows.append(
        [*(_cell(count, wanted, split, total) for count, split in zip(sums, splits, strict=True))]
    )
    rows.append([_share(count, total) for count in sums])
    ends = [[f"{count:,}", _share(count, total)] for count in whole.values()]
    ends += [[f"{total:,}", _share(total, total)], [_share(total, total), ""]]
    labels = [*(folded(value, WIDEST) for value in counts), "all", "share"]
    left = max(cell_len(line) for label in (field, *labels) for line in label.split("\n"))
    right = sum(
        max(cell_len(one) for one in (*column, "share")) + GAP for column in zip(*ends, strict=True)
    )
    widths = [
        max(cell_len(one) for one in (*column, folded(split, WIDEST).split("\n")[0]))
        for split, column in zip(splits, zip(*rows, strict=True), strict=True)
    ]
    for shown in _fitting(widths, console.width - left - right):
        heads = [folded(splits[at], WIDEST) for at in shown]
        table = plain_table(field, *heads, "all", "share")
        for at, (label, row, end) in enumerate(zip(labels, rows, ends, strict=True)):
            if at == len(counts):
                table.add_section()
            table.add_row(label, *(row[one] for one in shown), *end)
        console.print(table)


def _cell(count: int, wanted: Mapping[str, float] | None, split: str, whole: int) -> str:
    if wanted is None:
        return f"{count:,}"
    asked = wanted[split] * whole
    return f"{count:,} ({asked:,.{1 if asked < MANY else 0}f})"


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f}%" if total else ""


def _fitting(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """Columns in groups that fit side by side."""
    group: list[int] = []
    used = 0
    for at, width in enumerate(widths):
        if group and used + width + GAP > room:
            yield group
            group, used = [], 0
        group.append(at)
        used += width + GAP
    if group:
        yield group
