"""The two sides of a bilingual test: every passage, question and key stands on both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from readmark.corpus.problems import Problem, of_owner
from readmark.corpus.test import Place
from readmark.corpus.values import Passage


@dataclass(slots=True)
class Side:
    """The ids that one language of a corpus shares with the other."""

    file: str
    language: str
    passages: dict[str, tuple[Place, str]] = field(default_factory=dict)
    questions: dict[str, tuple[Place, str, bool]] = field(default_factory=dict)

    def add(self, place: Place, passage: Passage) -> None:
        """Note a passage and its questions."""
        self.passages[passage.parallel or passage.id] = place, passage.id
        for question in passage.questions:
            key = question.key
            keyed = key is not None and bool(key.answers or key.published)
            self.questions[question.shared_id] = place, question.id, keyed


def parallel_findings(sides: Sequence[Side], severity: str) -> Iterator[tuple[Side, Problem]]:
    """What one side has and the other has not; sides without a common passage are no pair."""
    for one, other in permutations(sides, 2):
        if one.language == other.language or not one.passages.keys() & other.passages.keys():
            continue
        for place, id, said in _alone(one, other):
            yield one, of_owner(one.file, place, id, "no_parallel", said, severity)


def _alone(one: Side, other: Side) -> Iterator[tuple[Place, str, str]]:
    for shared, (place, id) in one.passages.items():
        if shared not in other.passages:
            yield place, id, f"the {other.language} side has no parallel of this passage"
    for shared, (place, id, keyed) in one.questions.items():
        found = other.questions.get(shared)
        if found is None:
            yield place, id, f"the {other.language} side has no parallel of this question"
        elif keyed and not found[2]:
            yield place, id, f"its parallel on the {other.language} side has no answer key"
