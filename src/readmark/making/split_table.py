"""A test's splits side by side in a terminal: CMRC 2018's Table 1, then SMART's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rich.cells import cell_len
from rich.console import Console

from readmark.core import numbers
from readmark.core.display import ABSENT, folded, plain_table, plural, side_by_side
from readmark.making.corpus import ALL_SPLITS, CorpusTable
from readmark.making.corpus_sizes import SplitColumn
from readmark.making.crossed_table import WIDEST, print_crossed
from readmark.making.reading_table import Overlap

OVERLAP = "question words in answer"
"""The label of the share of questions' words that their answer sentences have."""

SplitRow = tuple[str, Callable[[SplitColumn], str]]


def print_by_split(console: Console, table: CorpusTable, *, full: bool) -> None:
    """Print sizes and lengths, one column per split; with ``full`` also levels and types."""
    console.print(f"by split, lengths in {table.unit}: {table.name}")
    rows = _rows(table)
    left = max(cell_len(label) for label, _ in rows)
    names = [folded(split.name, WIDEST) for split in table.splits]
    widths = [
        max(map(cell_len, (*name.split("\n"), *(cell(split) for _, cell in rows))))
        for name, split in zip(names, table.splits, strict=True)
    ]
    for indices in side_by_side(widths, console.width - left):
        grid = plain_table("", *(names[index] for index in indices))
        for label, cell in rows:
            grid.add_row(label, *(cell(table.splits[index]) for index in indices))
        console.print(grid)
    splits = [split.name for split in table.splits if split.name != ALL_SPLITS]
    if full:
        for field, counts in table.crossed.items():
            print_crossed(console, field, counts, splits)


def _rows(table: CorpusTable) -> list[SplitRow]:
    """The rows in the document's order: counts, then the longest, then the means."""
    labels = [label for label in table.lengths if label != "title"]
    rows: list[SplitRow] = [
        (plural(table.record_noun), lambda split: f"{split.records:,}"),
    ]
    if table.unit_noun != table.record_noun:
        rows.append((plural(table.unit_noun), lambda split: f"{split.units:,}"))
    rows.append(("answers each", lambda split: number_or_absent(split.answers_each, ".2f")))
    rows += [(f"longest {label}", partial(longest, label)) for label in labels]
    rows += [(f"mean {label}", partial(mean, label)) for label in labels]
    if table.reading is not None and table.reading.overlap is not None:
        by_split = {**table.reading.overlap_by_split, ALL_SPLITS: table.reading.overlap}
        rows.append((OVERLAP, lambda split: overlap_share(by_split.get(split.name))))
    return rows


def longest(label: str, part: SplitColumn | CorpusTable) -> str:
    """The longest text of a sort, in a split or a whole test."""
    return number_or_absent(part.lengths[label].longest if label in part.lengths else None)


def mean(label: str, part: SplitColumn | CorpusTable) -> str:
    """The mean length of texts of a sort, in a split or a whole test."""
    return number_or_absent(part.lengths[label].mean if label in part.lengths else None, ".1f")


def number_or_absent(number: float | None, format: str = ",") -> str:
    """A number as a cell, or the mark of an empty cell."""
    return ABSENT if number is None else f"{number:{format}}"


def overlap_share(overlap: Overlap | None) -> str:
    """The mean share of question words in answers, and of how many questions it is."""
    return ABSENT if overlap is None else f"{numbers.percent(overlap.ratio)} ({overlap.units:,})"
