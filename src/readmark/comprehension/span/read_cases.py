"""What a span reader replies to questions with and without an answer, and what that is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from readmark.comprehension.draws import draw
from readmark.comprehension.metrics.f1 import F1
from readmark.comprehension.span.moved_questions import moved_questions
from readmark.comprehension.span.replies import SpanReply
from readmark.core.errors import DataError
from readmark.core.progress import Tell
from readmark.core.records import Answer, Unit
from readmark.core.test import Test

ReplyToPairs = Callable[[Sequence[tuple[str, str]]], Sequence[SpanReply]]
"""Pairs of passage and question to replies."""

_LEAST = 20
"""Fewer questions fit nothing."""
_BATCH = 50  # questions between two lines of progress


class ReadCase(NamedTuple):
    """A reply: what its score is made of, and its F1; 0 where the passage has no answer."""

    probability: float
    none: float
    f1: float
    answerable: bool
    weight: float
    half: bool
    """Which half of the passages it is of: one is fitted, the other measured."""


def read_cases(test: Test, read: ReplyToPairs, limit: int, progress: Tell) -> list[ReadCase]:
    """Ask each question of its own passage, and of another one that cannot answer it."""
    cases: list[ReadCase] = []
    for version, answerable in ((test, True), (moved_questions(test, share=1.0), False)):
        f1 = F1().resolve(version)
        for unit, reply in _replies(version, answerable, read, limit, progress):
            best = reply.answers[0]
            text = unit.record.text[best.start : best.end]
            references = version.kind.references(unit)
            gained, possible = f1.statistics(unit, references, Answer(text=text))[:2]
            if possible:
                value = gained if answerable else 0.0
                half = bool(draw(unit.group) % 2)
                cases.append(ReadCase(best.probability, reply.none, value, answerable, 1.0, half))
    counts = {kind: sum(case.answerable is kind for case in cases) for kind in (True, False)}
    for answerable, what in (
        (True, "with an answer"),
        (False, "that another passage cannot answer"),
    ):
        if counts[answerable] < _LEAST:
            raise DataError(f"has fewer than {_LEAST} questions {what}", file=test.file)
    # Every test counts alike, and so do questions with and without an answer.
    return [case._replace(weight=0.5 / counts[case.answerable]) for case in cases]


def _replies(
    test: Test, answerable: bool, read: ReplyToPairs, limit: int, progress: Tell
) -> Iterator[tuple[Unit, SpanReply]]:
    units = [
        unit
        for unit in test.units()
        if unit.key is not None
        and not unit.item.options
        and unit.key.unanswerable is not answerable
    ]
    units = sorted(units, key=lambda unit: draw(unit.id))[:limit]
    for first in range(0, len(units), _BATCH):
        batch = units[first : first + _BATCH]
        replies = read([(unit.record.text, unit.item.text) for unit in batch])
        yield from (
            (unit, reply) for unit, reply in zip(batch, replies, strict=True) if reply.answers
        )
        done = min(first + _BATCH, len(units))
        passages = "own" if answerable else "other"
        progress(f"{test.file}: {done} of {len(units)} questions read on their {passages} passages")
