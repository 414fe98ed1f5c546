"""The texts that are searched: passages of a test and of its background, whole or in parts."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import UsageError
from readmark.core.records import Answer, Offsets, Passage
from readmark.core.test import Test
from readmark.series.retrieval.questions import SearchQuestion
from readmark.text.answers.sentences import passage_sentences, sentences_of_answers

UNITS = ("passage", "paragraph", "sentence")


@dataclass(frozen=True)
class SearchedTexts:
    """The texts that are ranked, each a stretch of a passage."""

    unit: str
    passages: Mapping[str, Passage]
    """Those of the test by their ids, then those of the background by theirs."""
    of_test: int
    """How many of them are the test's; the others are the background's."""
    places: Sequence[tuple[str, Offsets]]
    """A passage's id and offsets for every text, in the order of ids and offsets."""

    def texts(self) -> Iterator[str]:
        """Every text that is ranked."""
        for id, (start, end) in self.places:
            yield self.passages[id].text[start:end]

    def grades(self, question: SearchQuestion) -> Floats:
        """How well every text answers a question.

        Of a passage in parts it is those with an answer; all zeros where none has one.
        """
        grades = np.zeros(len(self.places))
        answers = [Answer(text=answer) for answer in question.answers]
        for id, grade in question.grades.items():
            indices = self._indices.get(id, [])
            if self.unit != "passage":
                parts = [self.places[index][1] for index in indices]
                indices = [
                    indices[i] for i in sentences_of_answers(answers, self.passages[id].text, parts)
                ]
            grades[indices] = grade
        return grades

    @functools.cached_property
    def _indices(self) -> Mapping[str, list[int]]:
        """The indices of each passage's texts."""
        indices: dict[str, list[int]] = {}
        for index, (id, _) in enumerate(self.places):
            indices.setdefault(id, []).append(index)
        return indices


def texts_to_search(
    passages: Test, background: Sequence[Test], unit: str
) -> tuple[SearchedTexts, int]:
    """Every text to rank, and how many passages of the background are also in the test.

    They are in the order of ids, so that the order of a file decides nothing.
    """
    if unit not in UNITS:
        raise UsageError(f"unit {unit!r} is not one of {'|'.join(UNITS)}")
    by_id: dict[str, Passage] = {passage.id: passage for passage in _passages(passages)}
    of_test, texts = len(by_id), {passage.text for passage in by_id.values()}
    repeated = 0
    for test in background:
        if test.language != passages.language:
            raise UsageError(
                f"{test.file} is in {test.language}, the passages are in {passages.language}"
            )
        for passage in _passages(test):
            if passage.text in texts:
                repeated += 1
                continue
            texts.add(passage.text)
            by_id[f"{test.file}:{passage.id}"] = passage
    places = [
        (id, offsets)
        for id in sorted(by_id)
        for offsets in _parts(by_id[id], unit, by_id[id].language or passages.language)
    ]
    return SearchedTexts(unit, by_id, of_test, places), repeated


def _passages(test: Test) -> Iterator[Passage]:
    if test.kind.name != "comprehension":
        raise UsageError(
            f"{test.file} is a {test.kind.name} test, expected passages (a comprehension test)"
        )
    return test.records()


def _parts(passage: Passage, unit: str, language: str) -> list[Offsets]:
    if unit == "sentence":
        return passage_sentences(passage, language)
    if unit == "passage":
        return [(0, len(passage.text))]
    paragraphs: list[Offsets] = []
    start = 0
    for line in passage.text.splitlines(keepends=True):
        if line.strip():
            paragraphs.append((start, start + len(line.rstrip())))
        start += len(line)
    return paragraphs
