"""``readmark stats``: corpus tables of tests side by side, then each test's splits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
    plain_table,
    plural,
    side_by_side,
)
from readmark.core.distinct_files import require_distinct_files
from readmark.core.labels import in_order
from readmark.core.pictures import require_picture
from readmark.core.test import Test
from readmark.formats.inputs import TestInput
from readmark.formats.registry import open_languages
from readmark.making.corpus import CorpusTable, corpus_table
from readmark.making.corpus_sizes import SplitColumn
from readmark.making.reading_table import english_questions
from readmark.making.split_table import (
    OVERLAP,
    longest,
    mean,
    number_or_absent,
    overlap_share,
    print_by_split,
)

NAME = 20
"""The width of a test's name in a heading; a longer one is folded."""

MOST_SHOWN = 8
"""A field with more values than this is printed as their number alone, unless with --full."""
ALWAYS_SHOWN = ("split", "level", "type")

Row = tuple[str, Callable[[CorpusTable], str]]
"""A label, and the cell of each test."""


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
    help="Plot types and levels to this file, .svg, .png or .pdf.",
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
    **output_options: Any,
) -> None:
    """Print corpus statistics of TESTs side by side: sizes, lengths, levels, types, splits.

    A test with splits also gets a table by split. --full adds its levels and types by split,
    and every value of fields that have many. A token is a run of Latin letters and digits, or
    any other single character.
    """
    statistics = stats(*tests, unit=unit, plot=plot, format=from_format, split=split)
    options.notify(statistics.notes)
    options.print_result(replace(statistics, lists_overlap=show_overlap), **output_options)


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


@dataclass(frozen=True, slots=True)
class Statistics(Result):
    """The corpus tables of tests."""

    tables: tuple[CorpusTable, ...]
    notes: tuple[str, ...] = ()
    lists_overlap: bool = False
    """Whether the overlap of each question is shown."""

    def __repr__(self) -> str:
        sizes = (
            f"{table.name}, {counted(table.records, table.record_noun)}, "
            f"{counted(table.units, table.unit_noun)}"
            for table in self.tables
        )
        return f"<Statistics of {'; '.join(sizes)}>"

    def as_json(self) -> dict[str, Any]:
        return {"tests": [asdict(table) for table in self.tables]}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per test, each followed by one row per split."""
        return [row for table in self.tables for row in _number_rows(table)]

    def show_full(self, console: Console) -> None:
        """Print also the fields with many values, and levels and types by split."""
        self.show(console, full=True)

    def show(self, console: Console, *, full: bool = False) -> None:
        """Print sizes, lengths and distributions side by side, as many tests per table as fit."""
        tables = self.tables
        sections = list(_sections(tables, full=full))
        rows = [row for section in sections for row in section]
        labels = min(max(cell_len(label) for label, _ in rows), console.width * 2 // 5)
        widths = [
            max(min(cell_len(table.name), NAME), *(cell_len(cell(table)) for _, cell in rows))
            for table in tables
        ]
        for indices in side_by_side(widths, console.width - labels - GAP):
            table = plain_table("", *(tables[index].name for index in indices))
            table.columns[0].max_width = labels
            for section in sections:
                for label, cell in section:
                    table.add_row(label, *(cell(tables[index]) for index in indices))
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


def _number_rows(table: CorpusTable) -> Iterator[dict[str, Any]]:
    """The numbers of a test, then those of each split."""
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
    rows: list[Row] = [
        ("kind", lambda table: table.kind),
        ("language", lambda table: table.language),
        (_plurals(records), lambda table: f"{table.records:,}"),
    ]
    for split in sorted({name for table in tables for name in table.records_by_split}):
        rows.append((f"  in {split}", partial(_records_in_split, split)))
    if not (records == units and len(units) == 1):  # where passages are the units, once is enough
        rows.append((_plurals(units), lambda table: f"{table.units:,}"))
    rows.append(("answers", lambda table: f"{table.answers:,}"))
    rows.append(("answers each", lambda table: numbers.decimal(table.answers_per_unit)))
    if any(table.kind == "series" for table in tables):
        rows.append(("most answers", lambda table: f"{table.most_answers:,}"))
    if any(table.unanswerable for table in tables):
        rows.append(("unanswerable", lambda table: f"{table.unanswerable:,}"))
    if any(table.unkeyed for table in tables):
        rows.append(("without a key", lambda table: f"{table.unkeyed:,}"))
    rows.append(("lengths in", lambda table: table.unit))
    rows.append(("corpus size", _corpus_size))
    for label in dict.fromkeys(label for table in tables for label in table.lengths):
        rows.append((f"longest {label}", partial(longest, label)))
        rows.append((f"mean {label}", partial(mean, label)))
    yield rows
    yield from _reading_sections(tables)
    counted_only: list[Row] = []
    for field in dict.fromkeys(field for table in tables for field in table.distributions):
        values = {value for table in tables for value in table.distributions.get(field, {})}
        if not full and field not in ALWAYS_SHOWN and len(values) > MOST_SHOWN:
            counted_only.append((f"values of {field}", partial(_number_of_values, field)))
            continue
        yield [
            (f"{field} {value}", partial(_units_with, field, value))
            for value in sorted(values, key=in_order)
        ]
    yield counted_only


def _records_in_split(split: str, table: CorpusTable) -> str:
    return number_or_absent(table.records_by_split.get(split))


def _corpus_size(table: CorpusTable) -> str:
    return number_or_absent(table.lengths["passage"].total if "passage" in table.lengths else None)


def _number_of_values(field: str, table: CorpusTable) -> str:
    values = table.distributions.get(field)
    return number_or_absent(None if values is None else len(values))


def _units_with(field: str, value: str, table: CorpusTable) -> str:
    return _with_share(table.distributions.get(field, {}).get(value), table)


def _with_share(count: int | None, table: CorpusTable) -> str:
    """A count with its share of the units."""
    return ABSENT if count is None else f"{count:,} ({numbers.percent(count / table.units)})"


def _reading_sections(tables: Sequence[CorpusTable]) -> Iterator[list[Row]]:
    """Annotation, overlap and types by rule, for the tests that have any."""
    readings = [table.reading for table in tables if table.reading is not None]
    names = dict.fromkeys(name for reading in readings for name in reading.annotations)
    yield [
        (
            name if name.isupper() else f"{name}s",
            _of_reading(
                lambda reading, _, name=name: number_or_absent(reading.annotations.get(name))
            ),
        )
        for name in names
    ]
    measured = {
        "overlap": (OVERLAP, lambda reading, _: overlap_share(reading.overlap)),
        "grades": ("Dale-Chall grades", lambda reading, _: _grades(reading.grades)),
        "index": ("Chinese index", lambda reading, _: _index(reading.index)),
        "not_measured": ("readability", lambda reading, _: reading.not_measured or ABSENT),
    }
    yield [
        (label, _of_reading(cell))
        for name, (label, cell) in measured.items()
        if any(getattr(reading, name) is not None for reading in readings)
    ]
    types = sorted({type for reading in readings for type in reading.types})
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
    """A cell that only comprehension tests fill."""
    return lambda table: ABSENT if table.reading is None else cell(table.reading, table)


def _grades(extremes: tuple[str, str] | None) -> str:
    return ABSENT if extremes is None else " to ".join(dict.fromkeys(extremes))


def _index(extremes: tuple[float, float] | None) -> str:
    if extremes is None:
        return ABSENT
    return " to ".join(numbers.decimal(index, 1) for index in extremes)


def _plurals(nouns: set[str]) -> str:
    """The plural of a noun; tests of several kinds have several nouns."""
    return " / ".join(sorted(map(plural, nouns)))
