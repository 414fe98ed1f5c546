"""What tests give to a training: lessons, and questions that are held out to choose an epoch by."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from readmark.comprehension.span.lessons import SpanLesson
from readmark.core.counts import counted
from readmark.core.errors import UsageError
from readmark.core.progress import Tell
from readmark.core.records import Unit
from readmark.core.spans import answer_spans
from readmark.core.test import Test


@dataclass(frozen=True, slots=True)
class SpanTrainingTest:
    """What one test gave to the training."""

    file: str
    weight: float
    questions: int
    skipped: int
    """Questions without an answer that occurs in its passage."""


@dataclass(slots=True)
class TrainingLessons:
    """The lessons of all tests, the units that are held out of each, and what each gave."""

    lessons: list[SpanLesson] = field(default_factory=list)
    held_out: list[tuple[Test, list[Unit]]] = field(default_factory=list)
    tests: list[SpanTrainingTest] = field(default_factory=list)


def training_lessons(
    tests: Iterable[tuple[float, Test]], hold_out: float, progress: Tell
) -> TrainingLessons:
    """Lessons from tests with the weights of their questions, but for a share of the passages."""
    gathered = TrainingLessons()
    for weight, test in tests:
        _add_test(gathered, test, weight, hold_out)
        added = gathered.tests[-1]
        progress(
            f"{test.file}: {counted(added.questions, 'question')}, weight {weight:g}, "
            f"{added.skipped} skipped"
        )
    if hold_out and not any(units for _, units in gathered.held_out):
        raise UsageError(f"a share of {hold_out:g} holds none of the passages out: give more")
    return gathered


def _add_test(gathered: TrainingLessons, test: Test, weight: float, hold_out: float) -> None:
    test.require_kind("comprehension")
    if not 0 < weight < math.inf:
        raise UsageError(f"the weight of {test.file} is {weight:g}, expected more than 0")
    held_out: list[Unit] = []
    questions = skipped = 0
    for unit in test.units():
        key = unit.item.key
        text = unit.record.text
        # Drawn by the text, so that a passage that two tests have is on one side.
        if hashlib.sha256(text.encode("utf-8", "replace")).digest()[0] / 256 < hold_out:
            held_out.append(unit)
            continue
        spans = tuple(answer_spans(text, key.answers if key else ()))
        if spans or (key and key.unanswerable):
            gathered.lessons.append(SpanLesson(text, unit.item.text, spans, weight))
            questions += 1
        else:
            skipped += 1
    gathered.held_out.append((test, held_out))
    gathered.tests.append(SpanTrainingTest(test.file, weight, questions, skipped))
