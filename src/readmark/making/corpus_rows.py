"""Rows of corpus statistics, for the table that compares tests and for a data frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from readmark.core import numbers
from readmark.core.display import ABSENT, plural
from readmark.core.labels import in_order
from readmark.making.corpus import CorpusTable
from readmark.making.corpus_sizes import SplitColumn
from readmark.making.split_table import OVERLAP, longest, mean, number_or_absent, overlap_share

MOST_SHOWN = 8
"""A field with more values than this is printed as their number alone, unless with --full."""
ALWAYS_SHOWN = ("split", "level", "type")

CorpusRow = tuple[str, Callable[[CorpusTable], str]]
"""A label, and the cell of each test."""


def number_rows(table: CorpusTable) -> Iterator[dict[str, Any]]:
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
        f"{statistic} {label}": value
        for label, lengths in part.lengths.items()
        for statistic, value in (("longest", lengths.longest), ("mean", lengths.mean))
    }


def row_sections(tables: Sequence[CorpusTable], *, full: bool) -> Iterator[list[CorpusRow]]:
    """Sizes and lengths, what rules measure, and a section of rows for each field."""
    records = {table.record_noun for table in tables}
    units = {table.unit_noun for table in tables}
    rows: list[CorpusRow] = [
        ("kind", lambda table: table.kind),
        ("language", lambda table: table.language),
        (_plurals(records), lambda table: f"{table.records:,}"),
    ]
    for split in sorted({name for table in tables for name in table.records_by_split}):
        rows.append((f"  in {split}", partial(_records_in_split, split)))
    if not (records == units and len(units) == 1):  # if passages are the units, one row is enough
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
    value_counts: list[CorpusRow] = []
    for field in dict.fromkeys(field for table in tables for field in table.distributions):
        values = {value for table in tables for value in table.distributions.get(field, {})}
        if not full and field not in ALWAYS_SHOWN and len(values) > MOST_SHOWN:
            value_counts.append((f"values of {field}", partial(_number_of_values, field)))
            continue
        yield [
            (f"{field} {value}", partial(_units_with, field, value))
            for value in sorted(values, key=in_order)
        ]
    yield value_counts


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


def _reading_sections(tables: Sequence[CorpusTable]) -> Iterator[list[CorpusRow]]:
    """Annotation, readability and types by rule, of comprehension tests."""
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
