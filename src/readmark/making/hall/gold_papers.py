"""Series and golds of a project as tests, and golds read back from files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import did_you_mean
from readmark.core.source import Source
from readmark.core.test import Header, Test
from readmark.formats.people_names import folded_name
from readmark.formats.registry import open_test
from readmark.formats.sheets import is_table
from readmark.making.blind.golds import ReturnedGolds, require_same_questions, returned_golds
from readmark.making.blind.returns import is_predictions
from readmark.making.hall.series_items import (
    ENTRY,
    FIELD,
    paper_series,
    questions_to_rewrite,
    record_series,
    series_view,
)
from readmark.series import Series, SeriesQuestion
from readmark.works import ProjectWork, WorkItem
from readmark.works.forms import NOTE
from readmark.works.notes import notes_in
from readmark.works.passages import fixed_id, language_of_item, test_of


def series_header(header: Header) -> Header:
    """The header of a project's test as that of a series test."""
    return msgspec.structs.replace(header, kind="series")


def papers_of(header: Header, items: Iterable[WorkItem]) -> Test:
    """A series test of the papers of some items."""
    return test_of(series_header(header), map(paper_series, items))


def test_without(project: ProjectWork, people: Mapping[str, Sequence[ReturnedGolds]]) -> Test:
    """The project's test without the golds in its key that their authors wrote again here."""
    records = (_without_golds_of(record_series(item), people) for item in project.items)
    return test_of(series_header(project.header), records)


def _without_golds_of(series: Series, people: Mapping[str, Sequence[ReturnedGolds]]) -> Series:
    rewritten = {(folded_name(name), gold.id) for name, golds in people.items() for gold in golds}

    def without_rewritten(question: SeriesQuestion) -> SeriesQuestion:
        if question.key is None:
            return question
        others = tuple(
            gold
            for gold in question.key.rewrites
            if (folded_name(gold.annotator or ""), question.id) not in rewritten
        )
        key = msgspec.structs.replace(question.key, rewrites=others)
        return msgspec.structs.replace(question, key=key)

    return msgspec.structs.replace(
        series, questions=tuple(map(without_rewritten, series.questions))
    )


def read_golds(
    path: Path, items: Mapping[str, WorkItem]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Golds of a file as entries: the person, the item, the id and the entry."""
    header = Header(language=next(map(language_of_item, items.values()), "en"))
    test = papers_of(header, items.values())
    entries = {name: series_view(item, ENTRY).objects for name, item in items.items()}
    places = {
        question.id: (item.name, fixed_id(number))
        for item in items.values()
        for number, question in questions_to_rewrite(paper_series(item))
    }
    notes: dict[tuple[str, str], list[str]] = {}
    for golds in returned_golds(path, test):
        if golds.id not in places:
            hint = did_you_mean(golds.id, places)
            raise golds.fault(f"the project has no question {golds.id!r}; {hint}")
        require_same_questions({golds.annotator: [golds]}, test)
        item, id = places[golds.id]
        if golds.note:
            notes.setdefault((golds.annotator, item), []).append(golds.note)
        if golds.golds:
            fields = {FIELD: "\n".join(golds.golds)}
            yield golds.annotator, item, id, {**entries[item][id], "fields": fields}
    for (person, item), lines in notes.items():
        yield person, item, NOTE, {"type": NOTE, "value": "\n".join(lines)}
    yield from _read_notes(path, items)


def _read_notes(
    path: Path, items: Mapping[str, WorkItem]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """People's notes in the keys of a test."""
    source = Source(path)
    if is_table(source) or source.readmark_file == "sitting" or is_predictions(source):
        return
    names = {paper_series(item).id: name for name, item in items.items()}
    for record in open_test(path).records():
        for person, note in notes_in(record).items():
            if record.id in names:
                yield person, names[record.id], NOTE, note
