"""Passages as rows of a table, a question each, in the columns that SQuAD has on the hub."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.fingerprint import text_id
from readmark.core.problems import Problem, ReportProblem
from readmark.core.records import PUBLISHER, Answer, Passage, Phrase, Question, QuestionKey
from readmark.core.test import Placed
from readmark.formats.losses import Losses, answer_losses, layer_losses
from readmark.formats.members import Fault
from readmark.formats.tables.columns import PASSAGE_COLUMNS, UNPLACED, Column
from readmark.formats.tables.option_keys import Habit
from readmark.formats.tables.recast import is_choices, is_ours, recast
from readmark.formats.tables.rows import PlacedRow, field_losses, read_rows, record_losses


class PassageRows:
    """A question a row; the passage is repeated in each of its questions."""

    columns = PASSAGE_COLUMNS

    def is_row(self, row: Mapping[str, Any]) -> bool:
        """What people fill in has a column "answer" and no options, or neither."""
        return is_choices(row) or ({"id", "question"} <= row.keys() and is_ours(row))

    def read(
        self, rows: Iterable[PlacedRow], report: ReportProblem, habit: Habit
    ) -> Iterator[Placed]:
        return passages(rows, report, habit)

    def losses(self, losses: Losses, record: Passage, columns: Sequence[Column]) -> None:
        columns_of_fields = record_losses(
            losses, record, columns, noun="passage", plural="passages", unheld=("language",)
        )
        has_levels_in_words = any(
            column.name == "level" and column.type == "string" for column in columns
        )
        for question in record.questions:
            _question_losses(losses, question, has_levels_in_words, columns_of_fields)


class _Answers(msgspec.Struct):
    text: list[str] = []
    answer_start: list[int | None] | None = None
    annotator: list[str | None] | None = None


class _PassageRow(msgspec.Struct):
    context: str
    question: str
    id: str | int = ""
    passage_id: str | int | None = None
    title: str | None = None
    article: str | None = None
    dateline: str | None = None
    genre: str | None = None
    topic: str | None = None
    parallel: str | None = None
    split: str | None = None
    options: list[str] | None = None
    answers: _Answers | None = None
    unanswerable: bool | None = None
    type: str | None = None
    level: int | str | None = None
    difficulty: str | None = None


_SHARED = ("id", "text", "title", "article", "dateline", "genre", "topic", "parallel", "split")


def passages(rows: Iterable[PlacedRow], report: ReportProblem, habit: Habit) -> Iterator[Placed]:
    """The passages, each at its first line; one without an id has one made of its text.

    A question without an id is numbered among those of its passage.
    """
    by_shared: dict[tuple[Any, ...], tuple[int, Passage, list[Question]]] = {}
    for placed, row, fields in read_rows(_recast(rows, report, habit), _PassageRow, report):
        try:
            key = _key(row, fields)
        except Fault as fault:
            message = f"{fault.where}: {fault.message}"
            report(Problem(placed.file, placed.number, fault.code, message))
            continue
        passage = Passage(
            id=text_id(row.context) if row.passage_id is None else str(row.passage_id),
            text=row.context,
            title=row.title or None,
            article=row.article,
            dateline=row.dateline,
            genre=row.genre,
            topic=row.topic,
            parallel=row.parallel,
            split=row.split or placed.split,
        )
        # Lines of one id that differ in any of these are two passages, and reported as such.
        shared = tuple(getattr(passage, name) for name in _SHARED)
        questions = by_shared.setdefault(shared, (placed.number, passage, []))[2]
        id = str(row.id) or f"{passage.id}-{len(questions) + 1}"
        questions.append(
            Question(id=id, text=row.question, options=tuple(row.options or ()), key=key)
        )
    for number, passage, questions in by_shared.values():
        yield number, msgspec.structs.replace(passage, questions=tuple(questions))


def _recast(rows: Iterable[PlacedRow], report: ReportProblem, habit: Habit) -> Iterator[PlacedRow]:
    for placed in rows:
        try:
            yield placed._replace(row=recast(placed.row, habit))
        except Fault as fault:
            report(Problem(placed.file, placed.number, fault.code, fault.message))


def _key(row: _PassageRow, fields: Mapping[str, Any]) -> QuestionKey | None:
    """The key of a question; None if nothing at all is said of its answer: it was withheld."""
    columns = row.answers or _Answers()
    texts = columns.text
    starts = columns.answer_start or [None] * len(texts)
    annotators = columns.annotator or [None] * len(texts)
    if not len(starts) == len(annotators) == len(texts):
        raise Fault(str(row.id), "the lists in answers differ in length")
    labels = (row.unanswerable, row.type, row.level, row.difficulty)
    if not texts and not fields and all(label is None for label in labels):
        return None
    answers = [
        Answer(text=text, start=None if start == UNPLACED else start, annotator=annotator or None)
        for text, start, annotator in zip(texts, starts, annotators, strict=True)
    ]
    return QuestionKey(
        answers=tuple(answer for answer in answers if answer.annotator != PUBLISHER),
        published=tuple(
            Phrase(text=answer.text) for answer in answers if answer.annotator == PUBLISHER
        ),
        unanswerable=bool(row.unanswerable),
        type=row.type,
        level=row.level,
        difficulty=row.difficulty,
        fields=dict(fields),
    )


def _question_losses(
    losses: Losses,
    question: Question,
    has_levels_in_words: bool,
    columns_of_fields: Container[str],
) -> None:
    for name in ("language", "series", "turn", "parallel"):
        if getattr(question, name) is not None:
            losses.cannot_store(f"the question's {name}", question.id)
    field_losses(losses, "fields ()", question.id, question.fields)
    layer_losses(losses, question)
    if question.key is not None:
        field_losses(losses, "fields ()", question.id, question.key.fields, columns_of_fields)
        _key_losses(losses, question.id, question.key, has_levels_in_words)


def _key_losses(losses: Losses, id: str, key: QuestionKey, has_levels_in_words: bool) -> None:
    if key.sentences or any(answer.sentence for answer in key.answers):
        losses.cannot_store("answer sentences", id)
    if key.plausible:
        losses.cannot_store("plausible answers", id)
    if any(phrase.layers for phrase in key.published):
        losses.cannot_store("layers of published keys", id)
    if key.unanswerable and (key.answers or key.published):
        losses.cannot_store("answers of questions that are marked unanswerable", id)
        return
    if has_levels_in_words and isinstance(key.level, int):
        losses.add("levels that are numbers are read back as words", id)
    for answer in key.answers:
        answer_losses(losses, id, answer, offsets=True)
        if answer.annotator in ("", PUBLISHER):
            losses.cannot_store(f"an annotator called {answer.annotator!r}", id)


ROWS = PassageRows()
