"""The two sides of a bilingual test: every passage, question and key is on both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from readmark.core.problems import Problem, of_owner
from readmark.core.records import Passage
from readmark.core.test import RecordPlace


@dataclass(slots=True)
class ParallelSide:
    """The ids that one language of a corpus shares with the other."""

    file: str
    language: str
    passages: dict[str, tuple[RecordPlace, str]] = field(default_factory=dict)
    """Place and id by shared id."""
    questions: dict[str, tuple[RecordPlace, str, bool]] = field(default_factory=dict)
    """Place, id and whether there is a key, by shared id."""

    def add(self, place: RecordPlace, passage: Passage) -> None:
        """Note a passage and its questions."""
        self.passages[passage.shared_id] = place, passage.id
        for question in passage.questions:
            key = question.key
            has_key = key is not None and bool(key.answers or key.published)
            self.questions[question.shared_id] = place, question.id, has_key


def parallel_findings(
    sides: Sequence[ParallelSide], severity: str
) -> Iterator[tuple[ParallelSide, Problem]]:
    """What one side has and the other has not; sides without a common passage are no pair."""
    for side, other in permutations(sides, 2):
        if side.language == other.language or not side.passages.keys() & other.passages.keys():
            continue
        for place, id, message in _without_parallel(side, other):
            yield side, of_owner(side.file, place, id, "no_parallel", message, severity)


def _without_parallel(
    side: ParallelSide, other: ParallelSide
) -> Iterator[tuple[RecordPlace, str, str]]:
    for shared_id, (place, id) in side.passages.items():
        if shared_id not in other.passages:
            yield place, id, f"the {other.language} side has no parallel of this passage"
    for shared_id, (place, id, has_key) in side.questions.items():
        parallel = other.questions.get(shared_id)
        if parallel is None:
            yield place, id, f"the {other.language} side has no parallel of this question"
        elif has_key and not parallel[2]:
            yield place, id, f"its parallel on the {other.language} side has no answer key"
