"""``readmark stats``: corpus tables of tests side by side, then each test's splits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.cells import cell_len
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.core import numbers
from readmark.core.display import (
    ABSENT,
    GAP,
    Result,
    counted,
    folded,
    plain_table,
    plural,
    side_by_side,
)
from readmark.core.distinct_files import require_distinct_files
from readmark.core.labels import in_order
from readmark.core.pictures import require_picture
from readmark.core.test import Test
from readmark.formats.registry import TestInput, open_languages
from readmark.making.corpus import (
    ALL_SPLITS,
    CorpusTable,
    Overlap,
    SplitColumn,
    corpus_table,
    english_questions,
)


@click.command("stats")
@click.argument("tests", nargs=-1, required=True, metavar="TEST...")
@click.option(
    "--unit",
    type=click.Choice(["characters", "words", "tokens"]),
    help="Unit of lengths  [default: characters for Chinese, otherwise words]",
)
@click.option(
    "--plot",
    metavar="FILE",
    help="Plot types and levels to this file, .svg or .png.",
    type=OUTPUT_FILE,
)
@click.option(
    "--overlap",
    "show_overlap",
    is_flag=True,
    help="List each question with the share of its words in its answer sentence, highest first.",
)
@options.split_option
@options.from_option
@options.full_option
@options.format_option
@options.json_option
def stats_command(
    tests: tuple[str, ...],
    unit: str | None,
    plot: str | None,
    show_overlap: bool,
    split: str | None,
    from_format: str | None,
    **shown: Any,
) -> None:
    """Print corpus statistics of TESTs side by side: sizes, lengths, levels, types, splits.

    A test with splits also gets a table by split. --full adds its levels and types by split,
    and every value of fields that have many. A token is a run of Latin letters and digits, or
    any other single character.
    """
    statistics = stats(*tests, unit=unit, plot=plot, format=from_format, split=split)
    options.notify(statistics.notes)
    options.print_result(replace(statistics, lists_overlap=show_overlap), **shown)


def stats(
    *tests: TestInput,
    unit: str | None = None,
    plot: str | Path | None = None,
    format: str | None = None,
    split: str | None = None,
) -> Statistics:
    """Corpus tables of tests or their files; a file with two languages is two tests.

    Lengths are in ``unit``: characters, words or tokens. ``plot`` is a picture to write, ``split``
    selects a split of each test.
    """
    paths = [str(test) for test in tests if not isinstance(test, Test)]
    if plot is not None:
        require_picture(plot)
        require_distinct_files([plot], paths)
    loaded: list[Test] = []
    for test in tests:
        if isinstance(test, Test):
            loaded.append(test if split is None else test.split(split))
        else:
            loaded += open_languages(str(test), format=format, split=split)
    english = english_questions(loaded)
    tables = tuple(corpus_table(test, english, unit=unit) for test in loaded)
    if plot is None:
        return Statistics(tables)
    from readmark.making.corpus_picture import write_plot

    write_plot(tables, plot)
    return Statistics(tables, (f"{plot} written",))


# A field by split in a terminal, as SMART's Table 1: counts, totals and percentages.


NO_DECIMALS_FROM = 100
"""From here on, what was wanted is shown without decimals."""
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
    """One row per value and one column per split; splits that do not fit go into a next table.

    ``wanted`` are the splits' shares: what they ask for is shown in brackets.
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
    for shown in side_by_side(widths, console.width - left - right):
        heads = [folded(splits[at], WIDEST) for at in shown]
        table = plain_table(field, *heads, "all", "share")
        for index, (label, row, end) in enumerate(zip(labels, rows, ends, strict=True)):
            if index == len(counts):
                table.add_section()
            table.add_row(label, *(row[one] for one in shown), *end)
        console.print(table)


def _cell(count: int, wanted: Mapping[str, float] | None, split: str, whole: int) -> str:
    if wanted is None:
        return f"{count:,}"
    asked = wanted[split] * whole
    return f"{count:,} ({asked:,.{1 if asked < NO_DECIMALS_FROM else 0}f})"


def _share(count: int, total: int) -> str:
    return numbers.percent(count / total) if total else ""


# A test's splits side by side in a terminal: CMRC 2018's Table 1, then SMART's.


SplitRow = tuple[str, Callable[[SplitColumn], str]]


def print_by_split(console: Console, table: CorpusTable, *, full: bool) -> None:
    """Sizes and lengths, one column per split; in full also questions by level and type."""
    console.print(f"by split, lengths in {table.unit}: {table.name}")
    rows = _rows(table)
    left = max(cell_len(label) for label, _ in rows)
    names = [folded(split.name, WIDEST) for split in table.splits]
    widths = [
        max(map(cell_len, (*name.split("\n"), *(cell(split) for _, cell in rows))))
        for name, split in zip(names, table.splits, strict=True)
    ]
    for shown in side_by_side(widths, console.width - left):
        grid = plain_table("", *(names[index] for index in shown))
        for label, cell in rows:
            grid.add_row(label, *(cell(table.splits[index]) for index in shown))
        console.print(grid)
    splits = [split.name for split in table.splits if split.name != ALL_SPLITS]
    for field, counts in table.crossed.items() if full else ():
        print_crossed(console, field, counts, splits)


def _rows(table: CorpusTable) -> list[SplitRow]:
    """The rows in the document's order: counts, then the longest, then the means."""
    labels = [label for label in table.lengths if label != "title"]
    rows: list[SplitRow] = [
        (plural(table.record_noun), lambda split: f"{split.records:,}"),
        (plural(table.unit_noun), lambda split: f"{split.units:,}"),
        ("answers each", lambda split: _spelt(split.answers_each, ".2f")),
    ]
    if table.unit_noun == table.record_noun:
        del rows[1]
    rows += [(f"longest {label}", partial(_longest, label)) for label in labels]
    rows += [(f"mean {label}", partial(_mean, label)) for label in labels]
    if table.reading is not None and table.reading.overlap is not None:
        by_split = {**table.reading.overlap_by_split, ALL_SPLITS: table.reading.overlap}
        rows.append((OVERLAP, lambda split: _share_of(by_split.get(split.name))))
    return rows


def _longest(label: str, part: SplitColumn | CorpusTable) -> str:
    return _spelt(part.lengths[label].longest if label in part.lengths else None)


def _mean(label: str, part: SplitColumn | CorpusTable) -> str:
    return _spelt(part.lengths[label].mean if label in part.lengths else None, ".1f")


def _spelt(number: float | None, format: str = ",") -> str:
    """A number, or that there is none."""
    return ABSENT if number is None else f"{number:{format}}"


def _with_share(count: int | None, table: CorpusTable) -> str:
    """A count with its share of the units."""
    return ABSENT if count is None else f"{count:,} ({numbers.percent(count / table.units)})"


# Tests side by side.


OVERLAP = "question words in answer"
NAME = 20
"""Columns of a test's name; a longer one is folded."""

Row = tuple[str, Callable[[CorpusTable], str]]


@dataclass(frozen=True, slots=True)
class Statistics(Result):
    """The corpus tables of some tests."""

    tables: tuple[CorpusTable, ...]
    notes: tuple[str, ...] = ()
    lists_overlap: bool = False
    """Whether the overlap of each question is shown."""

    def as_json(self) -> dict[str, Any]:
        return {"tests": [asdict(table) for table in self.tables]}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per test, then one per split of it, with the columns that they have."""
        return [row for table in self.tables for row in _number_rows(table)]

    def show_full(self, console: Console) -> None:
        """Print also the fields with many values, and levels and types by split."""
        self.show(console, full=True)

    def show(self, console: Console, *, full: bool = False) -> None:
        """Sizes, lengths and distributions side by side, as many tests a table as fit."""
        tables = self.tables
        sections = list(_sections(tables, full=full))
        rows = [row for section in sections for row in section]
        labels = min(max(cell_len(label) for label, _ in rows), console.width * 2 // 5)
        widths = [
            max(min(cell_len(table.name), NAME), *(cell_len(cell(table)) for _, cell in rows))
            for table in tables
        ]
        for shown in side_by_side(widths, console.width - labels - GAP):
            table = plain_table("", *(tables[index].name for index in shown))
            table.columns[0].max_width = labels
            for section in sections:
                for label, cell in section:
                    table.add_row(label, *(cell(tables[index]) for index in shown))
                table.add_section()
            console.print(table)
        for corpus in tables:
            if corpus.types_by_english:
                questions = counted(corpus.types_by_english, "question")
                console.print(f"{corpus.name}: types of {questions} by the parallel English ones")
            if corpus.splits:
                print_by_split(console, corpus, full=full)
            if self.lists_overlap and corpus.reading is not None:
                grid = plain_table(corpus.unit_noun, OVERLAP)
                shares = corpus.reading.overlap_by_question
                for id in sorted(shares, key=lambda id: (-shares[id], id)):
                    grid.add_row(id, numbers.percent(shares[id]))
                console.print(grid)


MOST_SHOWN = 8
"""A field with more values than this is counted only, unless everything is to be shown."""
ALWAYS_SHOWN = ("split", "level", "type")


def _number_rows(table: CorpusTable) -> Iterator[dict[str, Any]]:
    """A test's numbers, then each split's."""
    yield {
        "test": table.name,
        "split": None,
        "kind": table.kind,
        "language": table.language,
        "unit of length": table.unit,
        plural(table.record_noun): table.records,
        plural(table.unit_noun): table.units,
        "answers": table.answers,
        "answers each": table.answers_per_unit,
        **_length_columns(table),
        **{
            f"{field} {value}": count
            for field, values in table.distributions.items()
            for value, count in values.items()
        },
    }
    for split in table.splits:
        if split.name in table.records_by_split:
            yield {
                "test": table.name,
                "split": split.name,
                plural(table.record_noun): split.records,
                plural(table.unit_noun): split.units,
                "answers each": split.answers_each,
                **_length_columns(split),
                **{
                    f"{field} {value}": row.get(split.name, 0)
                    for field, counts in table.crossed.items()
                    for value, row in counts.items()
                },
            }


def _length_columns(part: SplitColumn | CorpusTable) -> dict[str, float]:
    return {
        f"{which} {label}": value
        for label, lengths in part.lengths.items()
        for which, value in (("longest", lengths.longest), ("mean", lengths.mean))
    }


def _sections(tables: Sequence[CorpusTable], *, full: bool) -> Iterator[list[Row]]:
    records = {table.record_noun for table in tables}
    units = {table.unit_noun for table in tables}
    same = records == units and len(units) == 1  # a passage is what is answered
    rows: list[Row] = [
        ("kind", lambda one: one.kind),
        ("language", lambda one: one.language),
        (_noun(records), lambda one: f"{one.records:,}"),
        *_split_rows(tables),
        *([] if same else [(_noun(units), lambda one: f"{one.units:,}")]),
        ("answers", lambda one: f"{one.answers:,}"),
        ("answers each", lambda one: numbers.decimal(one.answers_per_unit)),
    ]
    if any(table.kind == "series" for table in tables):
        rows.append(("most answers", lambda one: f"{one.most_answers:,}"))
    if any(table.unanswerable for table in tables):
        rows.append(("unanswerable", lambda one: f"{one.unanswerable:,}"))
    if any(table.unkeyed for table in tables):
        rows.append(("without a key", lambda one: f"{one.unkeyed:,}"))
    rows.append(("lengths in", lambda one: one.unit))
    rows.append(
        (
            "corpus size",
            lambda one: _spelt(one.lengths["passage"].total if "passage" in one.lengths else None),
        )
    )
    for label in dict.fromkeys(label for table in tables for label in table.lengths):
        rows.append((f"longest {label}", partial(_longest, label)))
        rows.append((f"mean {label}", partial(_mean, label)))
    yield rows
    yield from _reading_sections(tables)
    counted_only: list[Row] = []
    for field in dict.fromkeys(field for table in tables for field in table.distributions):
        values = {value for table in tables for value in table.distributions.get(field, {})}
        if not full and field not in ALWAYS_SHOWN and len(values) > MOST_SHOWN:
            counted_only.append((f"values of {field}", partial(_values, field)))
            continue
        yield [
            (f"{field} {value}", partial(_value, field, value))
            for value in sorted(values, key=in_order)
        ]
    yield counted_only


def _values(field: str, one: CorpusTable) -> str:
    return _spelt(len(one.distributions[field]) if field in one.distributions else None)


def _value(field: str, value: str, one: CorpusTable) -> str:
    return _with_share(one.distributions.get(field, {}).get(value), one)


def _reading_sections(tables: Sequence[CorpusTable]) -> Iterator[list[Row]]:
    """Annotation, overlap and types by rule, for the tests that have any."""
    read = [table.reading for table in tables if table.reading is not None]
    names = dict.fromkeys(name for reading in read for name in reading.annotations)
    yield [
        (
            name if name.isupper() else f"{name}s",
            _of_reading(lambda reading, _, name=name: _spelt(reading.annotations.get(name))),
        )
        for name in names
    ]
    measured = {
        "overlap": (OVERLAP, lambda reading, _: _share_of(reading.overlap)),
        "grades": ("Dale-Chall grades", lambda reading, _: _grades(reading.grades)),
        "index": ("Chinese index", lambda reading, _: _index(reading.index)),
        "not_measured": ("readability", lambda reading, _: reading.not_measured or ABSENT),
    }
    yield [
        (label, _of_reading(cell))
        for name, (label, cell) in measured.items()
        if any(getattr(reading, name) is not None for reading in read)
    ]
    types = sorted({type for reading in read for type in reading.types})
    yield [
        (
            f"type by rule {type}",
            _of_reading(
                lambda reading, table, type=type: _with_share(reading.types.get(type), table)
            ),
        )
        for type in types
    ]


def _of_reading(cell: Callable[..., str]) -> Callable[[CorpusTable], str]:
    """A cell of what only comprehension tests have."""
    return lambda table: ABSENT if table.reading is None else cell(table.reading, table)


def _share_of(overlap: Overlap | None) -> str:
    return ABSENT if overlap is None else f"{numbers.percent(overlap.ratio)} ({overlap.units:,})"


def _grades(ends: tuple[str, str] | None) -> str:
    return ABSENT if ends is None else " to ".join(dict.fromkeys(ends))


def _index(ends: tuple[float, float] | None) -> str:
    return ABSENT if ends is None else " to ".join(numbers.decimal(end, 1) for end in ends)


def _split_rows(tables: Sequence[CorpusTable]) -> list[Row]:
    """Records of each split, where a test has splits."""
    names = sorted({name for table in tables for name in table.records_by_split})
    return [(f"  in {name}", partial(_in_split, name)) for name in names]


def _in_split(name: str, one: CorpusTable) -> str:
    return _spelt(one.records_by_split.get(name))


def _noun(nouns: set[str]) -> str:
    """What is counted, in the plural; tests of several kinds have several."""
    return " / ".join(sorted(map(plural, nouns)))
