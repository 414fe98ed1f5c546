"""Training the evidence reader: from tests with known answers to a model's file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from readmark.comprehension.evidence.optimisation import EvidenceLesson, EvidencePlan, learn
from readmark.comprehension.evidence.reader import to_json
from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.files import writing
from readmark.core.spans import answer_spans
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.formats.lessons import LessonTests, Progress, TrainedModel, require_model_file
from readmark.formats.registry import open_test
from readmark.text.answers.places import passage_sentences
from readmark.text.word_vectors import simplified

# Runs of characters so long that two passages share them only when one text is behind both.
_RUN = {"en": 40, "zh": 13}
_SHARED_RUNS = 30
_SHARED_PART = 0.1
_LEAST_RUNS = 3


@dataclass(frozen=True, slots=True)
class EvidenceTrainingTest:
    """What one test gave to the training."""

    file: str
    weight: float
    passages: int
    questions: int
    dropped: int
    """Passages that a test to be kept apart has too."""
    skipped: int
    """Questions without an answer that occurs in its passage."""


@dataclass(frozen=True, slots=True)
class EvidenceTraining(TrainedModel):
    """What an evidence reader learnt from, and where the model is."""

    tests: tuple[EvidenceTrainingTest, ...]
    hidden: tuple[str, ...] = ()
    """The hidden splits that were not learnt from, a line a test."""


def train_evidence(
    tests: Sequence[str | Path],
    out: str | Path,
    *,
    also: Sequence[tuple[float, str]] = (),
    apart_from: Sequence[str | Path] = (),
    seeds: int | None = None,
    epochs: int | None = None,
    split: str | None = None,
    progress: Progress = lambda _: None,
) -> EvidenceTraining:
    """Train a model on tests and write it; passages of ``apart_from`` are never learnt from.

    Nor are hidden splits, unless ``split`` selects one; it is a split of ``tests``.
    """
    require_model_file(out, [*tests, *(path for _, path in also), *apart_from])
    known = _known_runs([open_test(path) for path in apart_from])
    lessons: list[EvidenceLesson] = []
    taught: list[EvidenceTrainingTest] = []
    opened = LessonTests(progress)
    chosen = [(1.0, str(path), split) for path in tests]
    for weight, path, name in [*chosen, *((weight, path, None) for weight, path in also)]:
        if weight < 0:
            raise UsageError(f"the weight of {path} is {weight:g}, expected 0 or more")
        evidence_lessons, counts = _lessons(opened.open(path, split=name), weight, known)
        progress(
            f"{path}: {counted(counts.questions, 'question')} on "
            f"{counted(counts.passages, 'passage')}, weight {weight:g}; "
            f"{counted(counts.dropped, 'passage')} excluded, "
            f"{counted(counts.skipped, 'question')} without a span"
        )
        lessons.extend(evidence_lessons)
        taught.append(counts)
    if not any(lesson.weight > 0 and len(lesson.sentences) > 1 for lesson in lessons):
        raise DataError("there is no question with a known answer to learn from")
    plan = EvidencePlan()
    if seeds is not None:
        plan = replace(plan, seeds=tuple(range(1, seeds + 1)))
    if epochs is not None:
        plan = replace(plan, epochs=epochs)
    ranker = learn(lessons, plan, progress)
    note: dict[str, Any] = {
        "version": __version__,
        "seeds": list(plan.seeds),
        "epochs": plan.epochs,
        "tests": [
            {"file": Path(test.file).name, "weight": test.weight, "questions": test.questions}
            for test in taught
        ],
    }
    with writing(out) as stream:
        stream.write(to_json(replace(ranker, note=note)).encode("utf-8"))
    return EvidenceTraining(str(out), tuple(taught), tuple(opened.hidden))


def _lessons(
    test: Test, weight: float, known: dict[str, set[str]]
) -> tuple[list[EvidenceLesson], EvidenceTrainingTest]:
    test.require_kind("comprehension")
    language = test.language
    if language not in _RUN:
        raise UsageError(f"{test.file} is in {language!r}; evidence reads English and Chinese")
    lessons: list[EvidenceLesson] = []
    counts: Counter[str] = Counter()
    for record in test.records():
        if _is_known(record.text, language, known.get(language, set())):
            counts["dropped"] += 1
            continue
        questions = []
        for question in record.questions:
            spans = list(answer_spans(record.text, question.key.answers if question.key else ()))
            if spans:
                questions.append((question.text, spans))
            else:
                counts["skipped"] += 1
        if questions:
            sentences = passage_sentences(record, language)
            lessons.append(EvidenceLesson(record.text, language, sentences, questions, weight))
    asked = sum(len(lesson.questions) for lesson in lessons)
    return lessons, EvidenceTrainingTest(
        test.file, weight, len(lessons), asked, counts["dropped"], counts["skipped"]
    )


def _known_runs(tests: Sequence[Test]) -> dict[str, set[str]]:
    known: dict[str, set[str]] = {}
    for test in tests:
        language = test.language
        for record in test.records():
            known.setdefault(language, set()).update(_runs(record.text, language))
    return known


def _is_known(text: str, language: str, known: set[str]) -> bool:
    if not known:
        return False
    runs = set(_runs(text, language))
    shared = len(runs & known)
    return shared > _SHARED_RUNS or shared >= max(_LEAST_RUNS, _SHARED_PART * len(runs))


def _runs(text: str, language: str) -> Iterator[str]:
    """Every run of letters and digits of a text, without what comes between them."""
    bare = re.sub(r"[\W_]+", "", simplified(text))
    wide = _RUN.get(language, 40)
    return (bare[index : index + wide] for index in range(max(1, len(bare) - wide + 1)))
