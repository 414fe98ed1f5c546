"""Training a rater: from readability tests with experts' ratings to a model's file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from readmark.core import numbers
from readmark.core.arrays import Floats
from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.language import primary
from readmark.core.progress import Tell
from readmark.core.test import Test
from readmark.core.version import __version__
from readmark.core.writing import writing
from readmark.formats.training_tests import TrainedModel, TrainingTests, require_model_file
from readmark.readability.raters.features import features_of
from readmark.readability.raters.fit import (
    Lessons,
    calibrate,
    calibration,
    fit,
    measure_lessons,
    predict,
)
from readmark.readability.raters.model import to_json
from readmark.readability.raters.parses import parse_all, signature
from readmark.readability.raters.sentence_vectors import embedder, is_installed
from readmark.readability.raters.spelling import as_read
from readmark.readability.scale import HIGHEST, LOWEST
from readmark.statistics.correlation import spearman
from readmark.text.training_record import MEMBER

LEAST = 20
"""Passages under which nothing is learnt."""
FOLDS, DRAWS = 5, 1_000


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
class Validated:
    """How well passages were rated by raters that had not seen their text."""

    folds: int
    r: float
    low: float
    high: float
    spearman: float
    error: float
    """Root of the mean squared error in points, calibrated by the lines of the other folds."""
    mean_error: float
    """The same of who says the mean of the other folds to everything."""
    slope: float
    """Of the line that calibrates; 1 where nothing has to be done."""


@dataclass(frozen=True, slots=True)
class TrainedRater(TrainedModel):
    """What was learnt from, how well it went, and where the model is."""

    tests: tuple[RatedTest, ...]
    passages: int
    validated: Validated
    doubts: tuple[str, ...] = ()
    """Why the model should not be trusted."""
    hidden: tuple[str, ...] = ()
    """The hidden splits that were not learnt from, a line a test."""

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
class _Passage:
    text: str
    rating: float
    digest: str
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

    ``embeddings`` are learnt where their package is installed, unless told. Hidden splits are not
    learnt from, unless ``split`` selects one.
    """
    require_model_file(out, tests)
    passages: list[_Passage] = []
    taught = []
    opened = TrainingTests(progress)
    for path in tests:
        found, rated_test = _passages(opened.open(path, split=split))
        progress(
            f"{path}: {counted(rated_test.passages, 'rated passage')}, {rated_test.skipped} skipped"
        )
        passages += found
        taught.append(rated_test)
    ratings = [passage.rating for passage in passages]
    if len(passages) < LEAST:
        raise DataError(f"has {counted(len(passages), 'rated passage')}, expected {LEAST} or more")
    if max(ratings) - min(ratings) < 1e-9:
        raise DataError(f"every passage is rated {ratings[0]:g}: there is nothing to learn")
    embed = is_installed() if embeddings is None else embeddings
    if embed:
        embedder()
    progress(f"reading {len(passages)} passages, {'with' if embed else 'without'} embeddings")
    parsed = list(parse_all([passage.text for passage in passages]))
    names = [feature.name for feature in features_of()]
    lessons = measure_lessons(parsed, names, ratings, embed=embed)
    groups = groups_of([(passage.digest, passage.article) for passage in passages])
    folds = folds_of(groups, seed)
    predicted = cross_validated(lessons, names, folds, progress)
    by = calibration(predicted, lessons.ratings)
    validated = _validated(predicted, lessons.ratings, folds, groups, by.slope, seed)
    progress(f"cross-validated by text: r {numbers.mark(validated.r, 1)} ({_interval(validated)})")
    note: dict[str, Any] = {
        "version": __version__,
        "seed": seed,
        "trained_on": [
            {"file": Path(test.file).name, "name": test.name, "licence": test.licence}
            | {"passages": test.passages}
            for test in taught
        ],
        "analyser": signature(),
        "embeddings": embed,
        "cross_validation": asdict(validated),
        MEMBER: opened.record().as_json(),
    }
    rater = msgspec.structs.replace(calibrate(fit(lessons, names), by), note=note)
    with writing(out) as stream:
        stream.write(to_json(rater).encode())
    doubts = tuple(_doubts(validated, bounded=by.bounded))
    return TrainedRater(
        str(out), tuple(taught), len(passages), validated, doubts, tuple(opened.hidden)
    )


def groups_of(keys: Sequence[tuple[str, str | None]]) -> list[str]:
    """A group a passage: those of one text or one article, or linked by others, are one.

    A group is named after the article, else the text, of its first passage.
    """
    above = list(range(len(keys)))

    def top(member: int) -> int:
        while above[member] != member:
            above[member] = member = above[above[member]]
        return member

    first: dict[tuple[int, str], int] = {}
    for index, own in enumerate(keys):
        for place, key in enumerate(own):
            if key is not None:
                one, other = top(index), top(first.setdefault((place, key), index))
                above[max(one, other)] = min(one, other)
    return [keys[top(index)][1] or keys[top(index)][0] for index in range(len(keys))]


def folds_of(groups: Sequence[str], seed: int, folds: int = FOLDS) -> NDArray[np.intp]:
    """A fold a passage; passages of one article, and equal texts, are in one fold."""
    names = sorted(set(groups))
    count = min(folds, len(names))
    if count < 2:
        raise DataError("all passages are of one article: there is nothing to validate with")
    order = np.random.default_rng(seed).permutation(len(names)) % count
    fold = dict(zip(names, order.tolist(), strict=True))
    return np.array([fold[group] for group in groups], np.intp)


def cross_validated(
    lessons: Lessons,
    names: Sequence[str],
    folds: NDArray[np.intp],
    progress: Tell = lambda _: None,
    **options: Any,
) -> Floats:
    """Ratings of every passage by a rater that was fitted to the other folds."""
    said = np.zeros(len(lessons))
    for fold in range(int(folds.max()) + 1):
        unseen = np.flatnonzero(folds == fold)
        rater = fit(lessons.subset(np.flatnonzero(folds != fold)), names, **options)
        said[unseen] = predict(rater, lessons.subset(unseen))
        progress(f"fold {fold + 1} of {int(folds.max()) + 1}")
    return said


def interval(
    predicted: Floats,
    ratings: Floats,
    seed: int,
    draws: int = DRAWS,
    groups: Sequence[str] | None = None,
) -> tuple[float, float, float]:
    """The correlation with its 95% percentile interval; groups are drawn whole, else passages."""
    named = range(len(predicted)) if groups is None else groups
    _, own = np.unique(np.array(list(named)), return_inverse=True)
    members = np.split(np.argsort(own, kind="stable"), np.cumsum(np.bincount(own))[:-1])
    chance = np.random.default_rng(seed)
    drawn = []
    for picks in chance.integers(0, len(members), (draws, len(members))):
        pick = np.concatenate([members[pick] for pick in picks])
        drawn.append(correlation(predicted[pick], ratings[pick]))
    low, high = np.nanquantile(drawn, (0.025, 0.975))
    return correlation(predicted, ratings), float(low), float(high)


def correlation(x: Floats, other: Floats) -> float:
    """Pearson's; not a number where one of them is constant."""
    x, other = x - x.mean(), other - other.mean()
    lengths = float(np.sqrt((x @ x) * (other @ other)))
    return float(x @ other) / lengths if lengths else float("nan")


def _validated(
    predicted: Floats,
    ratings: Floats,
    folds: NDArray[np.intp],
    groups: Sequence[str],
    slope: float,
    seed: int,
) -> Validated:
    r, low, high = interval(predicted, ratings, seed, groups=groups)
    placed, mean = np.zeros(len(predicted)), np.zeros(len(predicted))
    for fold in range(int(folds.max()) + 1):
        seen = folds != fold
        by = calibration(predicted[seen], ratings[seen])
        placed[~seen] = np.clip(by.intercept + by.slope * predicted[~seen], LOWEST, HIGHEST)
        mean[~seen] = ratings[seen].mean()
    return Validated(
        folds=int(folds.max()) + 1,
        r=round(r, 4),
        low=round(low, 4),
        high=round(high, 4),
        spearman=round(spearman(predicted, ratings), 4),
        error=round(float(np.sqrt(np.mean((placed - ratings) ** 2))), 4),
        mean_error=round(float(np.sqrt(np.mean((mean - ratings) ** 2))), 4),
        slope=round(slope, 4),
    )


def _interval(validated: Validated) -> str:
    return numbers.interval(validated.low, validated.high, 1)


def _doubts(found: Validated, *, bounded: bool) -> Iterator[str]:
    if not found.low > 0:
        yield f"the interval of r, {_interval(found)}, does not lie over 0"
    if not found.error < found.mean_error:
        yield (
            f"its error of {numbers.decimal(found.error)} points is not below the "
            f"{numbers.decimal(found.mean_error)} of who says the mean to everything"
        )
    if bounded:
        yield f"the line that calibrates it was kept at a slope of {found.slope:g}, a bound"


def _passages(test: Test) -> tuple[list[_Passage], RatedTest]:
    path = test.file
    test.require_kind("readability")
    if primary(test.language) != "en":
        raise UsageError(f"{path} is in {test.language!r}; a rater is trained on English")
    passages = []
    skipped = 0
    for record in test.records():
        ratings = record.key.ratings if record.key is not None else ()
        if not ratings or not any(map(str.isalpha, record.text)):
            skipped += 1
            continue
        mean = sum(rating.rating for rating in ratings) / len(ratings)
        plain = " ".join(as_read(record.text).casefold().split())
        digest = hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()
        passages.append(_Passage(record.text, mean, digest, record.article))
    header = test.header
    return passages, RatedTest(path, header.name or "", header.licence, len(passages), skipped)
