"""``train span --scores``: fit a reader's confidence to tests, measure it and write it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from readmark.comprehension.span.confidence import SpanConfidence
from readmark.comprehension.span.confidence_fitting import fit_confidence
from readmark.comprehension.span.model import load_span
from readmark.comprehension.span.read_cases import ReadCase, read_cases
from readmark.comprehension.span.replies import read
from readmark.comprehension.span.shape import FILE, write_shape
from readmark.core.display import plain_table
from readmark.core.numbers import mark
from readmark.core.progress import Tell
from readmark.core.version import __version__
from readmark.formats.training_tests import TrainedModel, TrainingTests
from readmark.statistics.calibration import calibration_error, calibration_gaps
from readmark.text.training_record import FILE as RECORD
from readmark.text.training_record import SCORES, TrainingRecord
from readmark.text.training_record_files import recorded_in

if TYPE_CHECKING:
    from rich.console import Console

LIMIT = 1000
"""How many questions of a test are read, unless another number is asked for."""


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
            lambda pairs: read(pairs, shape, tokenizer, scorer, batch=1),
            limit,
            progress,
        )
        for path in tests
    }
    all_cases = [case for cases in by_test.values() for case in cases]
    # Each half is measured with what was fitted to the other, and all of it is written.
    halves = {
        half: fit_confidence([case for case in all_cases if case.half is not half])
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
    confidence = msgspec.structs.replace(fit_confidence(all_cases), note=note)
    write_shape(msgspec.structs.replace(shape, confidence=confidence), folder)
    record = (recorded_in(folder) or TrainingRecord()).without(SCORES)
    # A test may be in the record already: the best epoch was chosen by it, say.
    papers = {source.paper for source in record.sources}
    sources = lessons.record(use=SCORES).sources
    added = TrainingRecord(sources=tuple(each for each in sources if each.paper not in papers))
    record.plus(added).write(folder / RECORD)
    hidden = tuple(dict.fromkeys(lessons.hidden))
    return FittedConfidence(str(folder / FILE), confidence.no_answer, measured, hidden)


def _measured(
    file: str, cases: Sequence[ReadCase], fitted: dict[bool, SpanConfidence]
) -> ConfidenceTest:
    answerable = [case for case in cases if case.answerable]
    f1 = np.array([case.f1 for case in answerable])
    raw = np.array([case.probability for case in answerable])
    scores = np.array([fitted[case.half].score(case.probability, case.none) for case in answerable])
    raw_error, error = (
        float(calibration_error(calibration_gaps(values, f1).sum(axis=0)))
        for values in (raw, scores)
    )
    always = withheld = 0.0
    for case in cases:
        is_answered = case.none <= fitted[case.half].no_answer
        always += case.weight * case.f1
        withheld += case.weight * (case.f1 if is_answered else float(not case.answerable))
    return ConfidenceTest(file, len(answerable), raw_error, error, 100 * always, 100 * withheld)
