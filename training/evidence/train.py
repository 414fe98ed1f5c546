"""Training the evidence reader: from tests with known answers to a model's file.

The ranker is trained first. How it is pooled with an encoder is learnt afterwards, from tests that
neither was trained on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from readmark.comprehension.evidence.pooling import Pooling
from readmark.comprehension.evidence.ranker import SentenceRanker
from readmark.comprehension.evidence.ranker_files import load_ranker, shipped_ranker, to_json
from readmark.comprehension.evidence.readings import read_passage, read_question
from readmark.comprehension.span.model import SpanModel, load_span, shipped_model
from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.progress import Tell
from readmark.core.spans import answer_spans
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.core.writing import writing
from readmark.formats.registry import open_test
from readmark.formats.training_tests import TrainedModel, TrainingTests, require_model_file
from readmark.text.answers.sentences import passage_sentences
from readmark.text.training_record import MEMBER, POOLING
from readmark.text.training_record_files import recorded_in
from readmark.text.word_vectors import lexicon, small_simplified
from training.evidence.optimisation import (
    EvidenceLesson,
    EvidencePlan,
    holding_sentences,
    learn,
)
from training.evidence.pooling import PoolingExample, learn_pooling

# Runs of characters so long that two passages share them only when one text is behind both.
_RUN = {"en": 40, "zh": 13}
_SHARED_RUNS = 30
_SHARED_PART = 0.1
_LEAST_RUNS = 3


@dataclass(frozen=True, slots=True)
class EvidenceTrainingTest:
    """What one test gave to the training."""

    file: str
    language: str
    weight: float
    passages: int
    questions: int
    dropped: int
    """Passages that a test to be kept apart has too."""
    skipped: int
    """Questions without an answer that occurs in its passage."""


@dataclass(frozen=True, slots=True)
class PoolingMarks:
    """Percentages of questions with the right sentence; pooled by exponents of other passages."""

    language: str
    questions: int
    features: float
    encoder: float
    pooled: float
    exponents: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class EvidenceTraining(TrainedModel):
    """What an evidence reader learnt from, and where the model is."""

    tests: tuple[EvidenceTrainingTest, ...]
    hidden: tuple[str, ...] = ()
    """The hidden splits that were not learnt from, a line a test."""
    pooled: tuple[PoolingMarks, ...] = ()
    """What pooling with an encoder brought in each language, where that was learnt."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Where the model is, after what pooling brought."""
        return (
            *(
                f"{one.language}: right sentence by features {one.features:.1f}%, by the encoder "
                f"{one.encoder:.1f}%, pooled {one.pooled:.1f}% of {one.questions} questions"
                for one in self.pooled
            ),
            f"{self.model} written",
        )


def train_evidence(
    tests: Sequence[str | Path],
    out: str | Path,
    *,
    also: Sequence[tuple[float, str]] = (),
    apart_from: Sequence[str | Path] = (),
    seeds: int | None = None,
    epochs: int | None = None,
    split: str | None = None,
    progress: Tell = lambda _: None,
) -> EvidenceTraining:
    """Train a model on tests and write it; passages of ``apart_from`` are never learnt from.

    Nor are hidden splits, unless ``split`` selects one; it is a split of ``tests``.
    """
    lessons, taught, opened = _all_lessons(tests, out, also, apart_from, split, progress)
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
        "tests": _noted(taught),
        MEMBER: opened.record(skip=_known_to(apart_from)).as_json(),
    }
    with writing(out) as stream:
        stream.write(to_json(replace(ranker, note=note)).encode("utf-8"))
    return EvidenceTraining(str(out), tuple(taught), tuple(opened.hidden))


def train_pooling(
    tests: Sequence[str | Path],
    out: str | Path,
    *,
    model: str | Path = "",
    span: str | Path = "",
    also: Sequence[tuple[float, str]] = (),
    apart_from: Sequence[str | Path] = (),
    split: str | None = None,
    progress: Tell = lambda _: None,
) -> EvidenceTraining:
    """Complete a model: learn how it is pooled with the encoder of a span reader.

    Neither should have been trained on ``tests``, since it would be too sure of them. The default
    ``model`` and ``span`` are those that ship.
    """
    ranker = load_ranker(str(model) or None)
    lessons, taught, opened = _all_lessons(tests, out, also, apart_from, split, progress)
    networks = {
        language: _span_network(span, language, ranker)
        for language in sorted({lesson.language for lesson in lessons})
    }
    examples: dict[str, list[tuple[int, PoolingExample]]] = {}
    for number, lesson in enumerate(lessons, 1):
        for example in _pooling_examples(lesson, ranker, networks[lesson.language]):
            examples.setdefault(lesson.language, []).append((lesson.digest[1] & 1, example))
        if number % 100 == 0:
            progress(f"read: {number} of {counted(len(lessons), 'passage')}")
    if not examples:
        raise DataError("there is no question with a known answer to learn from")
    learnt = {name: learn_pooling([one for _, one in some]) for name, some in examples.items()}
    notes = {
        name: {
            "version": __version__,
            "encoder": networks[name].fingerprint(),
            "tests": _noted([test for test in taught if test.language == name]),
        }
        for name in learnt
    }
    # Languages that no test is in keep theirs.
    pooling = {**ranker.pooling, **{n: replace(one, note=notes[n]) for n, one in learnt.items()}}
    record = opened.record(use=POOLING, skip=_known_to(apart_from))
    if (before := recorded_in(model or shipped_ranker())) is not None:
        record = before.plus(record)
    note = {**ranker.note, MEMBER: record.as_json()}
    with writing(out) as stream:
        stream.write(to_json(replace(ranker, pooling=pooling, note=note)).encode("utf-8"))
    marks = tuple(_pooling_marks(name, examples[name], one) for name, one in learnt.items())
    return EvidenceTraining(str(out), tuple(taught), tuple(opened.hidden), marks)


def _span_network(span: str | Path, language: str, ranker: SentenceRanker) -> SpanModel:
    if language not in ranker.fitting:
        raise UsageError(f"the model was not trained on {language!r}")
    network = load_span(Path(span) if span else shipped_model(language))
    if network.shape.language != language:
        raise UsageError(f"{span} reads {network.shape.language!r}, a test is in {language!r}")
    return network


def _pooling_examples(
    lesson: EvidenceLesson, ranker: SentenceRanker, network: SpanModel
) -> Iterator[PoolingExample]:
    """What both sides find likely for each question of which some sentence is not right."""
    if not lesson.weight or len(lesson.sentences) < 2:
        return
    known = lexicon(lesson.language)
    passage = read_passage(lesson.text, lesson.sentences, known)
    asked = [text for text, _ in lesson.questions]
    rankings = ranker.rank_all(passage, [read_question(text, known) for text in asked])
    scored = network.score([(lesson.text, text) for text in asked])
    for (_, gold), ranking, scores in zip(lesson.questions, rankings, scored, strict=True):
        right = np.zeros(len(lesson.sentences))
        right[holding_sentences(lesson, gold)] = 1.0
        shares = scores.shares(lesson.sentences)
        if 0 < right.sum() < len(right) and shares.any():
            yield PoolingExample(ranking.probabilities, shares, right, lesson.weight)


def _pooling_marks(
    language: str, examples: Sequence[tuple[int, PoolingExample]], pooling: Pooling
) -> PoolingMarks:
    """Each half of the passages by the exponents of the other, if that has questions."""
    halves = [[one for side, one in examples if side == half] for half in (0, 1)]
    learnt = [learn_pooling(halves[1 - half]) if halves[1 - half] else pooling for half in (0, 1)]
    right = np.zeros(3)
    for half, poolings in enumerate(learnt):
        for one in halves[half]:
            chosen = (one.features, one.encoder, poolings.pooled(one.features, one.encoder))
            right += [one.weight * one.right[int(np.argmax(side))] for side in chosen]
    shares = 100 * right / sum(one.weight for _, one in examples)
    features, encoder, pooled = (round(float(share), 2) for share in shares)
    exponents = {"features": round(pooling.features, 4), "encoder": round(pooling.encoder, 4)}
    return PoolingMarks(language, len(examples), features, encoder, pooled, exponents)


def _noted(taught: Sequence[EvidenceTrainingTest]) -> list[dict[str, Any]]:
    return [
        {"file": Path(test.file).name, "weight": test.weight, "questions": test.questions}
        for test in taught
    ]


def _all_lessons(
    tests: Sequence[str | Path],
    out: str | Path,
    also: Sequence[tuple[float, str]],
    apart_from: Sequence[str | Path],
    split: str | None,
    progress: Tell,
) -> tuple[list[EvidenceLesson], list[EvidenceTrainingTest], TrainingTests]:
    require_model_file(out, [*tests, *(path for _, path in also), *apart_from])
    known = known_runs([open_test(path) for path in apart_from])
    lessons: list[EvidenceLesson] = []
    taught: list[EvidenceTrainingTest] = []
    opened = TrainingTests(progress)
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
    return lessons, taught, opened


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
        if is_known(record.text, language, known.get(language, set())):
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
        test.file, language, weight, len(lessons), asked, counts["dropped"], counts["skipped"]
    )


def _known_to(apart_from: Sequence[str | Path]) -> Callable[[Test, Any], bool]:
    """Whether a passage was dropped, since a test to be kept apart has it too."""
    known = known_runs([open_test(path) for path in apart_from])

    def is_dropped(test: Test, passage: Any) -> bool:
        return is_known(passage.text, test.language, known.get(test.language, set()))

    return is_dropped


def known_runs(tests: Sequence[Test]) -> dict[str, set[str]]:
    """The runs of characters that the passages of tests have, by language."""
    known: dict[str, set[str]] = {}
    for test in tests:
        language = test.language
        for record in test.records():
            known.setdefault(language, set()).update(_runs(record.text, language))
    return known


def is_known(text: str, language: str, known: set[str]) -> bool:
    """Whether a text shares so many runs with others that one text is behind both."""
    if not known:
        return False
    runs = set(_runs(text, language))
    shared = len(runs & known)
    return shared > _SHARED_RUNS or shared >= max(_LEAST_RUNS, _SHARED_PART * len(runs))


def _runs(text: str, language: str) -> Iterator[str]:
    """Every run of letters and digits of a text, without what comes between them."""
    bare = re.sub(r"[\W_]+", "", small_simplified(text))
    wide = _RUN.get(language, 40)
    return (bare[index : index + wide] for index in range(max(1, len(bare) - wide + 1)))
