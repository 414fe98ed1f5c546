"""How sure a span reader is: fitting its scores and the threshold of giving no answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from readmark.comprehension.answering import lot
from readmark.comprehension.metrics.f1 import F1
from readmark.comprehension.span.answers import SpanReply, read
from readmark.comprehension.span.reader import load_span
from readmark.comprehension.span.tokens import (
    FILE,
    Odds,
    SpanConfidence,
    log_odds,
    write_shape,
)
from readmark.comprehension.tables.no_answer import best_threshold
from readmark.core.display import plain_table
from readmark.core.errors import DataError
from readmark.core.numbers import mark
from readmark.core.progress import Tell
from readmark.core.records import Answer, Passage, Question, QuestionKey, Unit
from readmark.core.test import Test, in_memory
from readmark.core.version import __version__
from readmark.formats.training_tests import TrainedModel, TrainingTests
from readmark.statistics.calibration import calibration_error, calibration_gaps
from readmark.text.folding import folded
from readmark.text.training_record import FILE as RECORD
from readmark.text.training_record import SCORES, TrainingRecord
from readmark.text.training_record_files import recorded_in

if TYPE_CHECKING:
    from rich.console import Console

Read = Callable[[Sequence[tuple[str, str]]], Sequence[SpanReply]]

LIMIT = 1000
"""How many questions of a test are read, unless another number is asked for."""
_LEAST = 20
"""Fewer questions fit nothing."""
_TRIES = 200
_BATCH = 50
_RIDGE = 1e-3
_STEPS = 50


# Questions without an answer: asked of another passage that does not have theirs.


def moved_questions(test: Test, *, share: float = 0.5, seed: int = 1) -> Test:
    """A test in which a share of the questions is asked of other passages and has no answer.

    The other passage is of the same test and has none of the question's answers, whatever the
    case, width and punctuation. A question for which none is found stays where it is. The draws
    depend on the question's id and the seed alone.
    """
    records: list[Passage] = list(test.records())
    texts = [folded(record.text) for record in records]
    asked: list[list[Question]] = [[] for _ in records]
    for index, record in enumerate(records):
        for question in record.questions:
            drawn = lot(f"{seed} moved {question.id}") % 10**6 < share * 10**6
            place = _elsewhere(question, index, texts, seed) if drawn else None
            if place is None:
                asked[index].append(question)
            else:
                key = QuestionKey(unanswerable=True)
                asked[place].append(msgspec.structs.replace(question, key=key))
    changed = [
        msgspec.structs.replace(record, questions=tuple(questions))
        for record, questions in zip(records, asked, strict=True)
    ]
    return in_memory(test.header, changed, file=test.file)


def _elsewhere(question: Question, own: int, texts: Sequence[str], seed: int) -> int | None:
    """A passage that does not have the answers of a question; None if none is drawn."""
    key = question.key
    answers = [folded(answer.text) for answer in key.answers] if key is not None else []
    for attempt in range(_TRIES if any(answers) else 0):
        place = lot(f"{seed} {attempt} {question.id}") % len(texts)
        text = texts[place]
        if text != texts[own] and not any(answer in text for answer in answers if answer):
            return place
    return None


# What a reader replies to questions, and what that is worth.


class ReadCase(NamedTuple):
    """A reply: what its score is made of, and its F1; 0 where the passage has no answer."""

    probability: float
    none: float
    f1: float
    answerable: bool
    weight: float
    half: bool
    """Which half of the passages it is of: one is fitted, the other measured."""


def read_cases(test: Test, reader: Read, limit: int, progress: Tell) -> list[ReadCase]:
    """Ask each question of its own passage, and of another one that cannot answer it."""
    found: list[ReadCase] = []
    for version in (test, moved_questions(test, share=1.0)):
        f1 = F1().resolve(version)
        for unit, reply in _replies(version, version is test, reader, limit, progress):
            best = reply.answers[0]
            text = unit.record.text[best.start : best.end]
            references = version.kind.references(unit)
            gained, counted = f1.statistics(unit, references, Answer(text=text))[:2]
            if counted:
                half = bool(lot(unit.group) % 2)
                answerable = version is test
                value = gained if answerable else 0.0
                found.append(ReadCase(best.probability, reply.none, value, answerable, 1.0, half))
    for answerable in (True, False):
        if sum(case.answerable is answerable for case in found) < _LEAST:
            what = "with an answer" if answerable else "that another passage cannot answer"
            raise DataError(f"has fewer than {_LEAST} questions {what}", file=test.file)
    # Every test counts alike, and so do questions with and without an answer.
    counts = {kind: sum(case.answerable is kind for case in found) for kind in (True, False)}
    return [case._replace(weight=0.5 / counts[case.answerable]) for case in found]


def _replies(
    test: Test, answerable: bool, reader: Read, limit: int, progress: Tell
) -> Iterator[tuple[Unit, SpanReply]]:
    units = [
        unit
        for unit in test.units()
        if unit.key is not None
        and not unit.item.options
        and unit.key.unanswerable is not answerable
    ]
    units = sorted(units, key=lambda unit: lot(unit.id))[:limit]
    for first in range(0, len(units), _BATCH):
        batch = units[first : first + _BATCH]
        replies = reader([(unit.record.text, unit.item.text) for unit in batch])
        yield from (
            (unit, reply) for unit, reply in zip(batch, replies, strict=True) if reply.answers
        )
        done = min(first + _BATCH, len(units))
        what = "own" if answerable else "other"
        progress(f"{test.file}: {done} of {len(units)} questions read on their {what} passages")


# Fitting: logistic curves of a few parameters, and one threshold.


def fit_confidence(cases: Sequence[ReadCase]) -> SpanConfidence:
    """The scores of answers and of giving none, and the threshold with the greatest F1."""
    own = [case for case in cases if case.answerable]
    gains = [(case.none, case.weight * (case.f1 if case.answerable else -1.0)) for case in cases]
    _, threshold, _ = best_threshold(gains)
    return SpanConfidence(
        answer=_fit(own, [case.f1 for case in own]),
        mixed=_fit(cases, [case.f1 for case in cases]),
        none=_fit(cases, [float(not case.answerable) for case in cases]),
        no_answer=round(threshold, 4) if threshold is not None else min(gains)[0] - 1.0,
    )


def _fit(cases: Sequence[ReadCase], targets: Sequence[float]) -> Odds:
    """Platt's curve by Newton's method, with a small penalty; targets are from 0 to 1."""
    columns = np.array([(log_odds(case.probability), case.none, 1.0) for case in cases])
    weights = np.array([case.weight for case in cases])
    weights, wanted = weights / weights.sum(), np.array(targets)
    penalty = _RIDGE * np.array([1.0, 1.0, 0.0])
    found = np.zeros(3)
    for _ in range(_STEPS):
        predicted = 1 / (1 + np.exp(-(columns @ found)))
        slope = columns.T @ (weights * (predicted - wanted)) + penalty * found
        bend = (columns * (weights * predicted * (1 - predicted))[:, None]).T @ columns
        found = found - np.linalg.solve(bend + np.diag(penalty) + 1e-9 * np.eye(3), slope)
    first, second, constant = (round(float(value), 5) for value in found)
    return first, second, constant


# The step of a training: fit, measure on the halves that were not fitted, and write.


@dataclass(frozen=True, slots=True)
class ConfidenceTest:
    """How one test was read: errors of the raw and fitted scores, F1 with and without threshold.

    All of it is measured on the half of the passages that was not fitted, once for each half.
    """

    file: str
    questions: int
    raw_error: float
    error: float
    always: float
    """F1 where half of the questions have no answer and every one is answered."""
    withheld: float
    """The same with the threshold."""


@dataclass(frozen=True, slots=True)
class FittedConfidence(TrainedModel):
    """What a span reader's confidence was fitted to, and how well it does."""

    no_answer: float
    tests: tuple[ConfidenceTest, ...]
    hidden: tuple[str, ...] = ()

    def show(self, console: Console) -> None:
        """One row per test."""
        heads = ("raw ECE", "ECE", "F1, always answered", "F1, threshold")
        table = plain_table("test, cross-fitted", "questions", *heads)
        for test in self.tests:
            errors = mark(test.raw_error, 1), mark(test.error, 1)
            marks = mark(test.always, 100), mark(test.withheld, 100)
            table.add_row(Path(test.file).name, f"{test.questions:,}", *errors, *marks)
        console.print(table)
        console.print(f"no-answer threshold {self.no_answer:g}")


def train_confidence(
    folder: str | Path,
    tests: Sequence[str | Path],
    *,
    limit: int = LIMIT,
    split: str | None = None,
    progress: Tell = lambda _: None,
) -> FittedConfidence:
    """Fit the confidence of the span reader in a folder to tests, and write it into its span.json.

    The tests should be ones that the reader has not learnt from.
    """
    folder = Path(folder)
    _, shape, tokenizer, scorer, _ = load_span(folder, device="cpu")
    lessons = TrainingTests(progress)
    by_test = {
        str(path): read_cases(
            lessons.open(path, split=split),
            lambda asked: read(asked, shape, tokenizer, scorer, batch=1),
            limit,
            progress,
        )
        for path in tests
    }
    every = [case for cases in by_test.values() for case in cases]
    found = fit_confidence(every)
    halves = {
        half: fit_confidence([case for case in every if case.half is not half])
        for half in (False, True)
    }
    measured = tuple(_measured(file, cases, halves) for file, cases in by_test.items())
    note = {
        "version": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "target": "f1",
        "tests": [
            {"file": Path(test.file).name, "questions": test.questions, "ece": round(test.error, 4)}
            for test in measured
        ],
    }
    found = msgspec.structs.replace(found, note=note)
    write_shape(msgspec.structs.replace(shape, confidence=found), folder)
    record = (recorded_in(folder) or TrainingRecord()).without(SCORES)
    known = {source.paper for source in record.sources}  # an epoch was chosen by it, say
    fitted = lessons.record(use=SCORES).sources
    new = TrainingRecord(sources=tuple(one for one in fitted if one.paper not in known))
    record.plus(new).write(folder / RECORD)
    hidden = tuple(dict.fromkeys(lessons.hidden))
    return FittedConfidence(str(folder / FILE), found.no_answer, measured, hidden)


def _measured(
    file: str, cases: Sequence[ReadCase], fitted: dict[bool, SpanConfidence]
) -> ConfidenceTest:
    own = [case for case in cases if case.answerable]
    f1 = np.array([case.f1 for case in own])
    raw = np.array([case.probability for case in own])
    scores = np.array([fitted[case.half].score(case.probability, case.none) for case in own])
    raw_error, error = (
        float(calibration_error(calibration_gaps(values, f1).sum(axis=0)))
        for values in (raw, scores)
    )
    always = withheld = 0.0
    for case in cases:
        kept = case.none <= fitted[case.half].no_answer
        always += case.weight * case.f1
        withheld += case.weight * (case.f1 if kept else float(not case.answerable))
    return ConfidenceTest(file, len(own), raw_error, error, 100 * always, 100 * withheld)
