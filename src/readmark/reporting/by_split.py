"""A test's splits beside each other in a terminal: CMRC 2018's Table 1, then SMART's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rich.cells import cell_len
from rich.console import Console

from readmark.reporting.crossed import print_crossed
from readmark.reporting.folding import folded
from readmark.reporting.terminal import ABSENT, GAP, plain_table, plural
from readmark.setting.tables.columns import Column
from readmark.setting.tables.corpus import WHOLE, CorpusTable

WIDEST = 24

Row = tuple[str, Callable[[Column], str]]


def print_by_split(console: Console, table: CorpusTable) -> None:
    """Sizes and lengths, a column a split; then questions by level and type."""
    console.print(f"by split, lengths in {table.unit}: {table.name}")
    rows = _rows(table)
    left = max(cell_len(label) for label, _ in rows)
    for shown in _fitting(table.splits, rows, console.width - left):
        grid = plain_table("", *(folded(one.name, WIDEST) for one in shown))
        for label, cell in rows:
            grid.add_row(label, *(cell(one) for one in shown))
        console.print(grid)
    names = [one.name for one in table.splits if one.name != WHOLE]
    for field, counts in table.crossed.items():
        print_crossed(console, field, counts, names)


def _rows(table: CorpusTable) -> list[Row]:
    """The rows in the document's order: counts, then the longest, then the means."""
    labels = [label for label in table.lengths if label != "title"]
    rows: list[Row] = [
        (plural(table.record_noun), lambda one: f"{one.records:,}"),
        (plural(table.unit_noun), lambda one: f"{one.units:,}"),
        ("answers each", _each),
    ]
    if table.unit_noun == table.record_noun:
        del rows[1]
    rows += [(f"longest {label}", partial(_longest, label)) for label in labels]
    rows += [(f"mean {label}", partial(_mean, label)) for label in labels]
    return rows


def _each(one: Column) -> str:
    return ABSENT if one.answers_each is None else f"{one.answers_each:.2f}"


def _longest(label: str, one: Column) -> str:
    return f"{one.lengths[label].longest:,}" if label in one.lengths else ABSENT


def _mean(label: str, one: Column) -> str:
    return f"{one.lengths[label].mean:.1f}" if label in one.lengths else ABSENT


def _fitting(columns: Sequence[Column], rows: Sequence[Row], room: int) -> Iterator[list[Column]]:
    """Splits in groups that fit side by side."""
    group: list[Column] = []
    used = 0
    for one in columns:
        named = folded(one.name, WIDEST).split("\n")
        width = max(map(cell_len, (*named, *(cell(one) for _, cell in rows)))) + GAP
        if group and used + width > room:
            yield group
            group, used = [], 0
        group.append(one)
        used += width
    if group:
        yield group
