"""Corpus tables in a terminal, a column a test; then each test's splits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rich.cells import cell_len

from readmark.corpus.labels import in_order
from readmark.reporting.by_split import print_by_split
from readmark.reporting.terminal import ABSENT, counted, make_console, plain_table, plural
from readmark.setting.tables.corpus import CorpusTable

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
    for one in tables:
        if one.types_by_english:
            questions = counted(one.types_by_english, "question")
            console.print(f"{one.name}: types of {questions} by the parallel English ones")
        if one.splits:
            print_by_split(console, one)


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
    records = {one.record_noun for one in tables}
    units = {one.unit_noun for one in tables}
    same = records == units and len(units) == 1  # a passage is what is answered
    rows: list[Row] = [
        ("kind", lambda one: one.kind),
        ("language", lambda one: one.language),
        (_noun(records), lambda one: f"{one.records:,}"),
        *_split_rows(tables),
        *([] if same else [(_noun(units), lambda one: f"{one.units:,}")]),
        ("answers", lambda one: f"{one.answers:,}"),
        ("answers each", lambda one: f"{one.answers_per_unit:.2f}"),
    ]
    if any(one.unanswerable for one in tables):
        rows.append(("unanswerable", lambda one: f"{one.unanswerable:,}"))
    if any(one.unkeyed for one in tables):
        rows.append(("without a key", lambda one: f"{one.unkeyed:,}"))
    rows.append(("lengths in", lambda one: one.unit))
    rows.append(("corpus size", _size))
    for label in dict.fromkeys(label for one in tables for label in one.lengths):
        rows.append((f"longest {label}", partial(_longest, label)))
        rows.append((f"mean {label}", partial(_mean, label)))
    yield rows
    yield from _reading_sections(tables)
    for field in dict.fromkeys(field for one in tables for field in one.distributions):
        values = {value for one in tables for value in one.distributions.get(field, {})}
        yield [
            (f"{field} {value}", partial(_share, field, value))
            for value in sorted(values, key=in_order)
        ]


def _reading_sections(tables: Sequence[CorpusTable]) -> Iterator[list[Row]]:
    """Annotation, overlap and types by rule, for the tests that have any."""
    read = [one.reading for one in tables if one.reading is not None]
    names = dict.fromkeys(name for one in read for name in one.annotations)
    yield [(name if name.isupper() else f"{name}s", partial(_annotated, name)) for name in names]
    measured: list[Row] = []
    if any(one.overlap is not None for one in read):
        measured.append(("question words in answer", _overlap))
    if any(one.grades is not None for one in read):
        measured.append(("Dale-Chall grades", _grades))
    if any(one.index is not None for one in read):
        measured.append(("Chinese index", _index))
    yield measured
    types = sorted({type for one in read for type in one.types})
    yield [(f"type by rule {type}", partial(_type, type)) for type in types]


def _annotated(name: str, one: CorpusTable) -> str:
    count = one.reading.annotations.get(name) if one.reading is not None else None
    return ABSENT if count is None else f"{count:,}"


def _overlap(one: CorpusTable) -> str:
    if one.reading is None or one.reading.overlap is None:
        return ABSENT
    return f"{100 * one.reading.overlap.ratio:.1f}% ({one.reading.overlap.units:,})"


def _grades(one: CorpusTable) -> str:
    ends = one.reading.grades if one.reading is not None else None
    if ends is None:
        return ABSENT
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def _index(one: CorpusTable) -> str:
    ends = one.reading.index if one.reading is not None else None
    return ABSENT if ends is None else f"{ends[0]:.1f} to {ends[1]:.1f}"


def _type(type: str, one: CorpusTable) -> str:
    count = one.reading.types.get(type) if one.reading is not None else None
    return ABSENT if not count else f"{count:,} ({100 * count / one.units:.1f}%)"


def _split_rows(tables: Sequence[CorpusTable]) -> list[Row]:
    """Records of each split, where a test has splits."""
    names = sorted({name for one in tables for name in one.records_by_split})
    return [(f"  in {name}", partial(_in_split, name)) for name in names]


def _in_split(name: str, one: CorpusTable) -> str:
    return f"{one.records_by_split[name]:,}" if name in one.records_by_split else ABSENT


def _size(one: CorpusTable) -> str:
    """How long all the records' texts are together."""
    return f"{one.lengths['passage'].total:,}" if "passage" in one.lengths else ABSENT


def _noun(nouns: set[str]) -> str:
    """What is counted, in the plural; tests of several kinds have several."""
    return " / ".join(sorted(map(plural, nouns)))


def _longest(label: str, one: CorpusTable) -> str:
    return f"{one.lengths[label].longest:,}" if label in one.lengths else ABSENT


def _mean(label: str, one: CorpusTable) -> str:
    return f"{one.lengths[label].mean:.1f}" if label in one.lengths else ABSENT


def _share(field: str, value: str, one: CorpusTable) -> str:
    count = one.distributions.get(field, {}).get(value)
    return ABSENT if count is None else f"{count:,} ({100 * count / one.units:.1f}%)"
