"""What a series asks of passages: its questions, and where each is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readmark.core.errors import DataError
from readmark.core.test import Test
from readmark.series.metrics.golds import answers_meant
from readmark.series.records import Series, SeriesQuestion

PASSAGES, ANSWERS = "passages", "answers"
"""The members of ``fields`` that tell where a question is answered, and how."""


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    """A question of a series whose answer stands in known passages."""

    id: str
    series: str
    text: str
    known: tuple[str, ...]
    """Answers to earlier questions that the series tells."""
    answers: tuple[str, ...]
    grades: Mapping[str, float]
    """Its passages, and how well each answers it."""
    graded: bool = False
    """Whether the series grades them, so that they differ."""


def search_questions(series: Test, passages: Test) -> tuple[list[SearchQuestion], int]:
    """The questions that have answers in known passages, and how many have not."""
    passage_ids = {record.id for record in passages.records()}
    questions: list[SearchQuestion] = []
    left_out = 0
    for record in series.records():
        for item in record.questions:
            question = _search_question(item, record, series)
            missing = [id for id in question.grades if id not in passage_ids]
            if missing:
                raise DataError(
                    f"names the passage {missing[0]!r}, which {passages.file} does not have",
                    file=series.file,
                    where=item.id,
                )
            if any(question.grades.values()) and question.answers:
                questions.append(question)
            else:
                left_out += 1
    if not questions:
        raise DataError(
            "no question has known passages (fields.passages of the series, or of the question's "
            "key) and answers in them (fields.answers of the question's key)",
            file=series.file,
        )
    return questions, left_out


def _search_question(question: SeriesQuestion, series: Series, test: Test) -> SearchQuestion:
    fields: Mapping[str, Any] = question.key.fields if question.key is not None else {}
    passages = fields.get(PASSAGES, series.fields.get(PASSAGES))
    answers = fields.get(ANSWERS, ())
    if not isinstance(answers, (list, tuple)) or not all(
        isinstance(answer, str) for answer in answers
    ):
        raise DataError(
            f"fields.answers is {answers!r}, expected a list of texts",
            file=test.file,
            where=question.id,
        )
    return SearchQuestion(
        id=question.id,
        series=series.id,
        text=question.text,
        known=answers_meant(series, question),
        answers=tuple(answer for answer in answers if answer.strip()),
        grades=_grades(passages, test, question.id),
        graded=isinstance(passages, dict),
    )


def _grades(passages: Any, test: Test, where: str) -> dict[str, float]:
    """The grades of passages; those in a plain list have 1 each."""
    if passages is None:
        return {}
    grades = dict.fromkeys(passages, 1) if isinstance(passages, (list, tuple)) else passages
    if not isinstance(grades, dict) or not all(map(_is_grade, grades.values())):
        raise DataError(
            f"fields.passages is {passages!r}, "
            "expected a list of ids, or grades of 0 or more by id",
            file=test.file,
            where=where,
        )
    return {str(id): float(grade) for id, grade in grades.items()}


def _is_grade(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
