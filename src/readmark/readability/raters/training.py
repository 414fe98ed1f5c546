"""Training a rater: from readability tests with experts' ratings to a model's file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from readmark.core import numbers
from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.language import primary
from readmark.core.progress import Tell
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.core.writing import writing
from readmark.formats.training_tests import TrainedModel, TrainingTests, require_model_file
from readmark.readability.raters.calibration import calibrate, calibration
from readmark.readability.raters.cross_validation import (
    Validated,
    cross_validated,
    folds_of,
    groups_of,
    validate,
)
from readmark.readability.raters.features.families import features_of
from readmark.readability.raters.fit import fit, measure_lessons
from readmark.readability.raters.parses import parse_all, signature
from readmark.readability.raters.rater_files import to_json
from readmark.readability.raters.sentence_vectors.minilm import is_installed, minilm
from readmark.readability.raters.spelling import as_read
from readmark.text.training_record import MEMBER

LEAST = 20
"""Passages under which nothing is learnt."""


@dataclass(frozen=True, slots=True)
class RatedTest:
    """What one test gave."""

    file: str
    name: str
    licence: str | None
    passages: int
    skipped: int
    """Passages without a rating or without a word."""


@dataclass(frozen=True, slots=True)
class TrainedRater(TrainedModel):
    """What was learnt from, how well it went, and where the model is."""

    tests: tuple[RatedTest, ...]
    passages: int
    validated: Validated
    doubts: tuple[str, ...] = ()
    """Why the model should not be trusted."""
    hidden: tuple[str, ...] = ()
    """The hidden splits that were not learnt from, a line for each test."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Why not to trust the model."""
        return tuple(f"do not trust this model: {doubt}" for doubt in self.doubts)

    def show(self, console: Console) -> None:
        """How well passages were rated that the rater had not seen."""
        validated = self.validated
        console.print(
            f"{self.passages} passages, {validated.folds}-fold cross-validation by text: "
            f"r {numbers.mark(validated.r, 1)} ({_interval(validated)}), "
            f"Spearman {numbers.mark(validated.spearman, 1)}, "
            f"error {numbers.decimal(validated.error)} points "
            f"(saying the mean: {numbers.decimal(validated.mean_error)})",
            soft_wrap=True,
        )


@dataclass(frozen=True, slots=True)
class _RatedText:
    text: str
    rating: float
    digest: str
    """Of the text without regard to case and spaces: equal texts go into one fold."""
    article: str | None


def train_rater(
    tests: Sequence[str | Path],
    out: str | Path,
    *,
    seed: int = 1,
    embeddings: bool | None = None,
    split: str | None = None,
    progress: Tell = lambda _: None,
) -> TrainedRater:
    """Train a rater on the mean ratings of tests and write it with its model card.

    ``embeddings`` are learnt by default if their package is installed. Hidden splits are not learnt
    from, unless ``split`` selects one.
    """
    require_model_file(out, tests)
    texts: list[_RatedText] = []
    rated_tests = []
    opened = TrainingTests(progress)
    for path in tests:
        rated_texts, rated_test = _rated_texts(opened.open(path, split=split))
        progress(
            f"{path}: {counted(rated_test.passages, 'rated passage')}, {rated_test.skipped} skipped"
        )
        texts += rated_texts
        rated_tests.append(rated_test)
    ratings = [text.rating for text in texts]
    if len(texts) < LEAST:
        raise DataError(f"has {counted(len(texts), 'rated passage')}, expected {LEAST} or more")
    if max(ratings) - min(ratings) < 1e-9:
        raise DataError(f"every passage is rated {ratings[0]:g}: there is nothing to learn")
    embed = is_installed() if embeddings is None else embeddings
    if embed:
        minilm()  # refused here if it is not installed, not after minutes of parsing
    progress(f"reading {len(texts)} passages, {'with' if embed else 'without'} embeddings")
    parsed = list(parse_all([text.text for text in texts]))
    names = [feature.name for feature in features_of()]
    lessons = measure_lessons(parsed, names, ratings, embed=embed)
    groups = groups_of([(text.digest, text.article) for text in texts])
    folds = folds_of(groups, seed)
    predicted = cross_validated(lessons, names, folds, progress)
    line = calibration(predicted, lessons.ratings)
    validated = validate(predicted, lessons.ratings, folds, groups, line.slope, seed)
    progress(f"cross-validated by text: r {numbers.mark(validated.r, 1)} ({_interval(validated)})")
    note: dict[str, Any] = {
        "version": __version__,
        "seed": seed,
        "trained_on": [
            {
                "file": Path(test.file).name,
                "name": test.name,
                "licence": test.licence,
                "passages": test.passages,
            }
            for test in rated_tests
        ],
        "analyser": signature(),
        "embeddings": embed,
        "cross_validation": asdict(validated),
        MEMBER: opened.record().as_json(),
    }
    rater = msgspec.structs.replace(calibrate(fit(lessons, names), line), note=note)
    with writing(out) as stream:
        stream.write(to_json(rater).encode())
    return TrainedRater(
        str(out),
        tuple(rated_tests),
        len(texts),
        validated,
        doubts=tuple(doubts(validated, bounded=line.bounded)),
        hidden=tuple(opened.hidden),
    )


def doubts(validated: Validated, *, bounded: bool) -> Iterator[str]:
    """Why a model should not be trusted; ``bounded`` is whether its calibrating line was."""
    if not validated.low > 0:
        yield f"the interval of r, {_interval(validated)}, does not lie over 0"
    if not validated.error < validated.mean_error:
        yield (
            f"its error of {numbers.decimal(validated.error)} points is not below the "
            f"{numbers.decimal(validated.mean_error)} of the mean as the rating of every passage"
        )
    if bounded:
        yield f"the slope of the line that calibrates it is at a bound, {validated.slope:g}"


def _interval(validated: Validated) -> str:
    return numbers.interval(validated.low, validated.high, 1)


def _rated_texts(test: Test) -> tuple[list[_RatedText], RatedTest]:
    path = test.file
    test.require_kind("readability")
    if primary(test.language) != "en":
        raise UsageError(f"{path} is in {test.language!r}; a rater is trained on English")
    texts = []
    skipped = 0
    for record in test.records():
        ratings = record.key.ratings if record.key is not None else ()
        if not ratings or not any(map(str.isalpha, record.text)):
            skipped += 1
            continue
        mean = sum(rating.rating for rating in ratings) / len(ratings)
        plain = " ".join(as_read(record.text).casefold().split())
        digest = hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()
        texts.append(_RatedText(record.text, mean, digest, record.article))
    header = test.header
    return texts, RatedTest(path, header.name or "", header.licence, len(texts), skipped)
