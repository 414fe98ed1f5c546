"""What a series asks of passages, and the texts that are searched for it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.test import Test
from readmark.corpus.values import Answer, Offsets, Passage, Series, SeriesQuestion
from readmark.marking.series.antecedents import answers_meant
from readmark.text.answer_sentences import holding, passage_sentences

UNITS = ("passage", "paragraph", "sentence")
PASSAGES, ANSWERS = "passages", "answers"
"""The members of ``fields`` that tell where a question is answered, and how."""


@dataclass(frozen=True, slots=True)
class Asked:
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


@dataclass(frozen=True)
class Searched:
    """The texts that are ranked, each a stretch of a passage."""

    unit: str
    passages: Mapping[str, Passage]
    """Those of the test by their ids, then those of the background by theirs."""
    own: int
    """How many of them are the test's."""
    places: Sequence[tuple[str, Offsets]]
    """A passage's id and offsets for every text, in the order of ids and offsets."""

    def texts(self) -> Iterator[str]:
        """Every text that is ranked."""
        for id, (start, end) in self.places:
            yield self.passages[id].text[start:end]

    def grades(self, asked: Asked) -> NDArray[np.float64]:
        """How well every text answers a question.

        Of a passage in parts it is those with an answer; all zeros where none has one.
        """
        found = np.zeros(len(self.places))
        for id, grade in asked.grades.items():
            at = self._where.get(id, [])
            if self.unit != "passage":
                among = [self.places[one][1] for one in at]
                answers = [Answer(text=one) for one in asked.answers]
                at = [at[one] for one in holding(answers, self.passages[id].text, among)]
            found[at] = grade
        return found

    @functools.cached_property
    def _where(self) -> Mapping[str, list[int]]:
        where: dict[str, list[int]] = {}
        for at, (id, _) in enumerate(self.places):
            where.setdefault(id, []).append(at)
        return where


def asked_of(series: Test, passages: Test) -> tuple[list[Asked], int]:
    """The questions that have answers in known passages, and how many have not."""
    known = {record.id for record in passages.records()}
    found: list[Asked] = []
    left_out = 0
    for record in series.records():
        for question in record.questions:
            one = _asked(question, record, series)
            missing = [id for id in one.grades if id not in known]
            if missing:
                raise DataError(
                    f"names the passage {missing[0]!r}, which {passages.file} does not have",
                    file=series.file,
                    where=question.id,
                )
            if any(one.grades.values()) and one.answers:
                found.append(one)
            else:
                left_out += 1
    if not found:
        raise DataError(
            "no question has known passages (fields.passages of the series, or of the question's "
            "key) and answers in them (fields.answers of the question's key)",
            file=series.file,
        )
    return found, left_out


def _asked(question: SeriesQuestion, series: Series, test: Test) -> Asked:
    fields: Mapping[str, Any] = question.key.fields if question.key is not None else {}
    said = fields.get(PASSAGES, series.fields.get(PASSAGES))
    answers = fields.get(ANSWERS, ())
    if not isinstance(answers, (list, tuple)) or not all(isinstance(one, str) for one in answers):
        raise DataError(
            f"fields.answers is {answers!r}, expected a list of texts",
            file=test.file,
            where=question.id,
        )
    return Asked(
        id=question.id,
        series=series.id,
        text=question.text,
        known=answers_meant(series, question),
        answers=tuple(one for one in answers if one.strip()),
        grades=_grades(said, test, question.id),
        graded=isinstance(said, dict),
    )


def _grades(said: Any, test: Test, where: str) -> dict[str, float]:
    """Passages that were named in a list, or with a grade each."""
    if said is None:
        return {}
    graded = dict.fromkeys(said, 1) if isinstance(said, (list, tuple)) else said
    if not isinstance(graded, dict) or not all(map(_is_grade, graded.values())):
        raise DataError(
            f"fields.passages is {said!r}, expected a list of ids, or grades of 0 or more by id",
            file=test.file,
            where=where,
        )
    return {str(id): float(grade) for id, grade in graded.items()}


def _is_grade(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def searched_for(passages: Test, background: Sequence[Test], unit: str) -> tuple[Searched, int]:
    """Every text to rank, and how many passages of the background are the test's own.

    They are in the order of ids, so that the order of a file decides nothing.
    """
    if unit not in UNITS:
        raise UsageError(f"unit {unit!r} is not one of {'|'.join(UNITS)}")
    found: dict[str, Passage] = {one.id: one for one in _passages(passages)}
    own, texts = len(found), {one.text for one in found.values()}
    same = 0
    for test in background:
        if test.language != passages.language:
            raise UsageError(
                f"{test.file} is in {test.language}, the passages are in {passages.language}"
            )
        for record in _passages(test):
            if record.text in texts:
                same += 1
                continue
            texts.add(record.text)
            found[f"{test.file}:{record.id}"] = record
    places = [
        (id, at)
        for id in sorted(found)
        for at in _cut(found[id], unit, found[id].language or passages.language)
    ]
    return Searched(unit, found, own, places), same


def _passages(test: Test) -> Iterator[Passage]:
    if test.kind.name != "comprehension":
        raise UsageError(
            f"{test.file} is a {test.kind.name} test, expected passages (a comprehension test)"
        )
    return test.records()


def _cut(passage: Passage, unit: str, language: str) -> list[Offsets]:
    if unit == "sentence":
        return passage_sentences(passage, language)
    if unit == "passage":
        return [(0, len(passage.text))]
    found: list[Offsets] = []
    start = 0
    for line in passage.text.splitlines(keepends=True):
        if line.strip():
            found.append((start, start + len(line.rstrip())))
        start += len(line)
    return found
