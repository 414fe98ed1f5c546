"""Corpus tables in a terminal, a column a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rich.cells import cell_len

from readmark.corpus.labels import in_order
from readmark.reporting.terminal import ABSENT, make_console, plain_table
from readmark.setting.tables import CorpusTable

GAP = 3
NAME = 20


Row = tuple[str, Callable[[CorpusTable], str]]


def print_tables(tables: Sequence[CorpusTable]) -> None:
    """Sizes, lengths and distributions side by side; what does not fit goes into a next table."""
    console = make_console()
    sections = list(_sections(tables))
    rows = [row for section in sections for row in section]
    labels = min(max(cell_len(label) for label, _ in rows), console.width * 2 // 5)
    for shown in _fitting(tables, rows, console.width - labels - GAP):
        table = plain_table("", *(one.name for one in shown))
        table.columns[0].max_width = labels
        for section in sections:
            for label, cell in section:
                table.add_row(label, *(cell(one) for one in shown))
            table.add_section()
        console.print(table)


def _fitting(
    tables: Sequence[CorpusTable], rows: Sequence[Row], room: int
) -> Iterator[list[CorpusTable]]:
    """The tests in groups whose columns fit into the room; a name may be folded."""
    group: list[CorpusTable] = []
    used = 0
    for one in tables:
        widest = max(cell_len(cell(one)) for _, cell in rows)
        width = max(widest, min(cell_len(one.name), NAME)) + GAP
        if group and used + width > room:
            yield group
            group, used = [], 0
        group.append(one)
        used += width
    yield group


def _sections(tables: Sequence[CorpusTable]) -> Iterator[list[Row]]:
    rows: list[Row] = [
        ("kind", lambda one: one.kind),
        ("language", lambda one: one.language),
        (_noun({one.record_noun for one in tables}), lambda one: f"{one.records:,}"),
        (_noun({one.unit_noun for one in tables}), lambda one: f"{one.units:,}"),
        ("answers", lambda one: f"{one.answers:,}"),
        ("answers each", lambda one: f"{one.answers_per_unit:.2f}"),
    ]
    if any(one.unanswerable for one in tables):
        rows.append(("unanswerable", lambda one: f"{one.unanswerable:,}"))
    if any(one.unkeyed for one in tables):
        rows.append(("without a key", lambda one: f"{one.unkeyed:,}"))
    rows.append(("lengths in", lambda one: one.unit))
    for label in dict.fromkeys(label for one in tables for label in one.lengths):
        rows.append((f"longest {label}", partial(_longest, label)))
        rows.append((f"mean {label}", partial(_mean, label)))
    yield rows
    for field in dict.fromkeys(field for one in tables for field in one.distributions):
        values = {value for one in tables for value in one.distributions.get(field, {})}
        yield [
            (f"{field} {value}", partial(_share, field, value))
            for value in sorted(values, key=in_order)
        ]


def _noun(nouns: set[str]) -> str:
    """What is counted, in the plural; tests of several kinds have several."""
    return " / ".join(sorted(noun if noun.endswith("s") else f"{noun}s" for noun in nouns))


def _longest(label: str, one: CorpusTable) -> str:
    return f"{one.lengths[label].longest:,}" if label in one.lengths else ABSENT


def _mean(label: str, one: CorpusTable) -> str:
    return f"{one.lengths[label].mean:.1f}" if label in one.lengths else ABSENT


def _share(field: str, value: str, one: CorpusTable) -> str:
    count = one.distributions.get(field, {}).get(value)
    return ABSENT if count is None else f"{count:,} ({100 * count / one.units:.1f}%)"
