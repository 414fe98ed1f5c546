"""Rewritten questions of a series, read: each on the passage that it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from readmark.corpus.formats import open_sitting
from readmark.corpus.kinds.comprehension import COMPREHENSION
from readmark.corpus.sitting import Sitting
from readmark.corpus.test import Header, Test, in_memory
from readmark.corpus.values import Answer, Passage, Question, QuestionKey
from readmark.marking.metrics import Floats, Metric
from readmark.marking.tally import tally
from readmark.sitting.runner import Watch
from readmark.workflows import api
from readmark.workflows.series_search import Asked


@dataclass(frozen=True, slots=True)
class Read:
    """What a reader made of questions: vectors a metric, in their order, and the answers."""

    vectors: Mapping[str, Floats]
    answers: Mapping[str, str]
    errors: Sequence[str]


@dataclass
class Desk:
    """Where strategies and readers sit, in a folder that is gone afterwards."""

    folder: Path
    header: Header
    reader: str
    metrics: Mapping[str, Metric]
    passages: Mapping[str, Passage]
    watch: Watch | None = None
    signatures: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Of everybody who sat, by name."""
    _sat: int = 0

    def sit(self, test: Test, candidate: str) -> Sitting:
        """A sitting of its own."""
        self._sat += 1
        path = self.folder / f"{self._sat}.jsonl"
        api.sit(test, candidate, path, watch=self.watch)
        sitting = open_sitting(path, test.kind)
        self.signatures[candidate] = sitting.header.signature
        return sitting

    def read(
        self,
        asked: Sequence[Asked],
        rewrites: Mapping[str, str],
        given: Mapping[str, str],
        right: Mapping[str, str],
    ) -> Read:
        """Every question on the passage it is given, marked; one without gets the worst value."""
        vectors = self._worst(asked, right)
        test = paper_of(asked, rewrites, given, self.passages, self.header)
        if test is None:
            return Read(vectors, {}, [])
        sitting = self.sit(test, self.reader)
        found = tally(test, sitting, self.metrics)
        where = {one.id: at for at, one in enumerate(asked)}
        rows = [where[id] for id in found.ids]
        for name, own in vectors.items():
            own[rows] = found.vectors[name].matrix()
        return Read(vectors, _answers(sitting), found.errors)

    def _worst(self, asked: Sequence[Asked], right: Mapping[str, str]) -> dict[str, Floats]:
        """What every question would get unanswered."""
        texts = {one.id: one.text for one in asked}
        test = paper_of(asked, texts, right, self.passages, self.header)
        units = {} if test is None else {unit.id: unit for unit in test.units()}
        found = {}
        for name, metric in self.metrics.items():
            vectors = [
                metric.statistics(unit, COMPREHENSION.references(unit), None)
                for unit in (units[one.id] for one in asked)
            ]
            found[name] = np.array(vectors, dtype=np.float64)
        return found


def paper_of(
    asked: Sequence[Asked],
    rewrites: Mapping[str, str],
    given: Mapping[str, str],
    passages: Mapping[str, Passage],
    header: Header,
) -> Test | None:
    """The passages that are given, each with the questions that are asked on it."""
    questions: dict[str, list[Question]] = {}
    for one in asked:
        if one.id in given and one.id in rewrites:
            key = QuestionKey(answers=tuple(Answer(text=text) for text in one.answers))
            questions.setdefault(given[one.id], []).append(
                Question(id=one.id, text=rewrites[one.id], key=key)
            )
    records = [
        msgspec.structs.replace(passages[id], id=id, questions=tuple(several))
        for id, several in questions.items()
    ]
    return in_memory(header, records, file="<questions>") if records else None


def _answers(sitting: Sitting) -> dict[str, str]:
    return {id: row.words("text") for id in sitting for row in sitting.of(id) if row.answered}
