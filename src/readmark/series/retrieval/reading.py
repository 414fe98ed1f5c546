"""Rewritten questions of a series, read: each on the passage that it is asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from readmark.core.arrays import Floats
from readmark.core.kinds import kind_named
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.sitting import Sitting
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_sitting
from readmark.hooks import Metric
from readmark.marking import unit_vectors
from readmark.series.retrieval.questions import SearchQuestion
from readmark.sitting import Watch, sit


@dataclass(frozen=True, slots=True)
class ReadAnswers:
    """A reader's answers, and their vectors by metric in the order of the questions."""

    vectors: Mapping[str, Floats]
    answers: Mapping[str, str]
    errors: Sequence[str]


@dataclass
class Desk:
    """Where rewriters and readers sit: their journals are in a folder that its owner deletes."""

    folder: Path
    header: Header
    reader: str
    metrics: Mapping[str, Metric]
    passages: Mapping[str, Passage]
    watch: Watch | None = None
    signatures: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """The signature of each candidate that sat, by name."""
    _count: int = 0

    def sit(self, test: Test, candidate: str) -> Sitting:
        """Let a candidate sit a test, in a journal of its own."""
        self._count += 1
        path = self.folder / f"{self._count}.jsonl"
        sit(test, candidate, path, watch=self.watch)
        sitting = open_sitting(path, test.kind)
        self.signatures[candidate] = sitting.header.signature
        return sitting

    def read(
        self,
        questions: Sequence[SearchQuestion],
        rewrites: Mapping[str, str],
        passages: Mapping[str, str],
        right: Mapping[str, str],
    ) -> ReadAnswers:
        """Marks of every question's answer from its passage in ``passages``.

        A question without a passage gets the worst value that it can have on its ``right`` one.
        """
        vectors = self._unanswered(questions, right)
        test = self._paper(questions, rewrites, passages)
        if test is None:
            return ReadAnswers(vectors, {}, [])
        sitting = self.sit(test, self.reader)
        marked = unit_vectors(test, sitting, self.metrics)
        row_of = {question.id: row for row, question in enumerate(questions)}
        rows = [row_of[id] for id in marked.ids]
        for name, matrix in vectors.items():
            matrix[rows] = marked.by_metric[name]
        answers = {id: row.text for id in sitting for row in sitting.of(id) if row.answered}
        failed = [id for id in marked.ids if any(row.error is not None for row in sitting.of(id))]
        return ReadAnswers(vectors, answers, failed)

    def _unanswered(
        self, questions: Sequence[SearchQuestion], right: Mapping[str, str]
    ) -> dict[str, Floats]:
        """The vectors of questions that nobody answered."""
        texts = {question.id: question.text for question in questions}
        test = self._paper(questions, texts, right)
        units = {} if test is None else {unit.id: unit for unit in test.units()}
        references = kind_named("comprehension").references
        vectors = {}
        for name, metric in self.metrics.items():
            rows = [
                metric.statistics(units[question.id], references(units[question.id]), None)
                for question in questions
            ]
            vectors[name] = np.array(rows, dtype=np.float64)
        return vectors

    def _paper(
        self,
        questions: Sequence[SearchQuestion],
        rewrites: Mapping[str, str],
        passages: Mapping[str, str],
    ) -> Test | None:
        """A test of the passages, each with the questions that are asked about it."""
        questions_of: dict[str, list[Question]] = {}
        for question in questions:
            if question.id in passages and question.id in rewrites:
                key = QuestionKey(answers=tuple(Answer(text=text) for text in question.answers))
                questions_of.setdefault(passages[question.id], []).append(
                    Question(id=question.id, text=rewrites[question.id], key=key)
                )
        records = [
            msgspec.structs.replace(self.passages[id], id=id, questions=tuple(on_passage))
            for id, on_passage in questions_of.items()
        ]
        return in_memory(self.header, records, file="<questions>") if records else None
