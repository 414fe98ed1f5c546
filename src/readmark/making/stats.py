"""``readmark stats``: corpus tables of tests side by side, then each test's splits."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.cells import cell_len
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.core import numbers
from readmark.core.display import GAP, Result, counted, plain_table, side_by_side
from readmark.core.distinct_files import require_distinct_files
from readmark.core.pictures import require_picture
from readmark.core.test import Test
from readmark.formats.inputs import TestInput
from readmark.formats.registry import open_languages
from readmark.making.corpus import CorpusTable, corpus_table
from readmark.making.corpus_rows import number_rows, row_sections
from readmark.making.reading_table import english_questions
from readmark.making.split_table import OVERLAP, print_by_split

NAME = 20
"""The width of a test's name in a heading; a longer one is folded."""


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
        return [row for table in self.tables for row in number_rows(table)]

    def show_full(self, console: Console) -> None:
        """Print also the fields with many values, and levels and types by split."""
        self.show(console, full=True)

    def show(self, console: Console, *, full: bool = False) -> None:
        """Print sizes, lengths and distributions side by side, as many tests per table as fit."""
        tables = self.tables
        sections = list(row_sections(tables, full=full))
        rows = [row for section in sections for row in section]
        label_width = min(max(cell_len(label) for label, _ in rows), console.width * 2 // 5)
        widths = [
            max(min(cell_len(table.name), NAME), *(cell_len(cell(table)) for _, cell in rows))
            for table in tables
        ]
        for indices in side_by_side(widths, console.width - label_width - GAP):
            table = plain_table("", *(tables[index].name for index in indices))
            table.columns[0].max_width = label_width
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
