"""Series: a unit is a question in a series, the answer the question rewritten to stand alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.corpus.kinds import Finding
from readmark.corpus.series_findings import series_findings
from readmark.corpus.series_notation import OTHER
from readmark.corpus.spans import layer_findings, misplaced_layers
from readmark.corpus.values import (
    Answer,
    Labelled,
    Series,
    SeriesQuestion,
    SeriesQuestionKey,
    Unit,
    without_key,
    without_questions,
)

if TYPE_CHECKING:
    from readmark.corpus.sitting import Row
    from readmark.corpus.test import Facts, Header


class SeriesKind:
    """Questions in a series with a target."""

    name = "series"
    record = Series
    record_noun = "series"
    unit_noun = "question"
    answer = "rewrite"
    parts = ("target", "question")
    people_from_key = True
    main_metric = "jaccard"

    def metrics(self, header: Header, facts: Facts) -> Sequence[str]:
        """The question series document's choice, and equality with a gold rewrite."""
        return ("jaccard", "exact")

    def paper(self, record: Series) -> Series:
        """The series as a candidate may see it."""
        return without_key(record)

    def leave_out(self, record: Series, part: str) -> Series:
        """The target, or every question, left blank."""
        if part == "target":
            return msgspec.structs.replace(record, target="", layers={})
        return without_questions(record)

    def units(self, record: Series) -> Iterator[Unit]:
        """A unit a question; the cluster is the series."""
        for question in record.questions:
            yield Unit(question.id, record.id, record, question)

    def references(self, unit: Unit) -> Sequence[Sequence[Answer]]:
        """A list a person; unnamed golds are alternatives of one."""
        key: SeriesQuestionKey | None = unit.key
        if key is None:
            return ()
        people: dict[str | None, list[Answer]] = {}
        for rewrite in key.rewrites:
            people.setdefault(rewrite.annotator, []).append(rewrite)
        return tuple(map(tuple, people.values()))

    def read_answer(self, row: Row) -> Answer:
        """The rewrite of a row."""
        return Answer(text=row.words(self.answer), score=row.score)

    def paper_part(self, record: Series) -> Any:
        """Ids, target and questions."""
        questions: list[tuple[Any, ...]] = [
            (q.id, q.text, q.previous, *_of(q)) for q in record.questions
        ]
        return record.id, record.target, sorted(questions)

    def key_part(self, record: Series) -> Any:
        """Every question's key, in the order of ids."""
        keyed = [(q.id, q.key) for q in record.questions if q.key is not None]
        return record.id, sorted(keyed, key=lambda part: part[0])

    def texts(self, record: Series) -> Iterator[str]:
        """Target and questions."""
        yield record.target
        for question in record.questions:
            yield question.text

    def findings(self, record: Series) -> Iterator[Finding]:
        """Empty texts, keys that say nothing, golds that the guidelines do not allow."""
        if not record.target.strip():
            yield record.id, "empty_text", "the series has no target"
        yield from misplaced_layers(record.id, record.layers)
        yield from layer_findings(record.id, record.target, record.layers)
        for question in record.questions:
            if not question.text.strip():
                yield question.id, "empty_text", "the question has no text"
            yield from misplaced_layers(question.id, question.layers)
            yield from layer_findings(question.id, question.text, question.layers)
            key = question.key
            bare = key is not None and not key.rewrites and not key.fields
            if bare and question.category != OTHER:
                yield question.id, "no_answer", "has a key without rewrites"
            if key is not None and any(not one.text.strip() for one in key.rewrites):
                yield question.id, "empty_answer", "a gold rewrite has no text"
        yield from series_findings(record)

    def show_record(self, record: Series) -> Sequence[Labelled]:
        """The target."""
        return (Labelled("target", record.target),)

    def show(self, unit: Unit) -> Sequence[Labelled]:
        """The question as it was asked."""
        return (Labelled("question", unit.item.text),)


def _of(question: SeriesQuestion) -> tuple[str, ...]:
    """Whose answers are known; nothing where it is not told, as in files of before."""
    return () if question.previous_of is None else (question.previous_of,)


SERIES = SeriesKind()
