"""Corpus tables in a terminal, a column a test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rich.markup import escape

from readmark.reporting.terminal import ABSENT, make_console, plain_table
from readmark.setting.tables import CorpusTable


def print_tables(tables: Sequence[CorpusTable]) -> None:
    """Sizes, lengths and distributions of several tests side by side."""
    table = plain_table("", *(one.name for one in tables))

    def row(label: str, cell: Callable[[CorpusTable], str]) -> None:
        table.add_row(escape(label), *(escape(cell(one)) for one in tables))

    row("kind", lambda one: one.kind)
    row("language", lambda one: one.language)
    row(_noun({one.record_noun for one in tables}), lambda one: f"{one.records:,}")
    row(_noun({one.unit_noun for one in tables}), lambda one: f"{one.units:,}")
    row("answers", lambda one: f"{one.answers:,}")
    row("answers each", lambda one: f"{one.answers_per_unit:.2f}")
    if any(one.unanswerable for one in tables):
        row("unanswerable", lambda one: f"{one.unanswerable:,}")
    if any(one.unkeyed for one in tables):
        row("without a key", lambda one: f"{one.unkeyed:,}")
    row("lengths in", lambda one: one.unit)
    for label in dict.fromkeys(label for one in tables for label in one.lengths):
        row(f"longest {label}", partial(_longest, label))
        row(f"mean {label}", partial(_mean, label))
    for field in dict.fromkeys(field for one in tables for field in one.distributions):
        table.add_section()
        values = {value for one in tables for value in one.distributions.get(field, {})}
        for value in sorted(values):
            row(f"{field} {value}", partial(_share, field, value))
    make_console().print(table)


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
