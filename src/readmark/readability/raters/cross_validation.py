"""Cross-validation of raters: groups of passages that stay together, folds, and the figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.core.errors import DataError
from readmark.core.progress import Tell
from readmark.readability.raters.calibration import calibration
from readmark.readability.raters.fit import Lessons, fit, predict
from readmark.readability.scale import HIGHEST, LOWEST
from readmark.statistics.correlation import pearson, spearman

FOLDS, DRAWS = 5, 1_000


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
    """The same error for the mean of the other folds as the rating of every passage."""
    slope: float
    """Of the line that calibrates; 1 if predictions are right as they are."""


def groups_of(keys: Sequence[tuple[str, str | None]]) -> list[str]:
    """A group for each passage, from its text and article: what shares either is in one group.

    A group is named after the article, else the text, of its first passage.
    """
    parents = list(range(len(keys)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = index = parents[parents[index]]
        return index

    first_with: dict[tuple[str, str], int] = {}
    for index, (text, article) in enumerate(keys):
        for member, value in (("text", text), ("article", article)):
            if value is not None:
                mine, theirs = root(index), root(first_with.setdefault((member, value), index))
                parents[max(mine, theirs)] = min(mine, theirs)
    return [keys[root(index)][1] or keys[root(index)][0] for index in range(len(keys))]


def folds_of(groups: Sequence[str], seed: int, folds: int = FOLDS) -> NDArray[np.intp]:
    """A fold for each passage, such that every group is in one fold."""
    names = sorted(set(groups))
    count = min(folds, len(names))
    if count < 2:
        raise DataError("all passages are of one article: there is nothing to validate with")
    order = np.random.default_rng(seed).permutation(len(names)) % count
    fold_of = dict(zip(names, order.tolist(), strict=True))
    return np.array([fold_of[group] for group in groups], np.intp)


def cross_validated(
    lessons: Lessons,
    names: Sequence[str],
    folds: NDArray[np.intp],
    progress: Tell = lambda _: None,
    *,
    words: bool | None = None,
) -> Floats:
    """Ratings of every passage by a rater fitted to the other folds; ``words`` as in ``fit``."""
    predicted = np.zeros(len(lessons))
    count = int(folds.max()) + 1
    for fold in range(count):
        unseen = np.flatnonzero(folds == fold)
        rater = fit(lessons.subset(np.flatnonzero(folds != fold)), names, words=words)
        predicted[unseen] = predict(rater, lessons.subset(unseen))
        progress(f"fold {fold + 1} of {count}")
    return predicted


def interval(
    predicted: Floats,
    ratings: Floats,
    seed: int,
    draws: int = DRAWS,
    groups: Sequence[str] | None = None,
) -> tuple[float, float, float]:
    """Pearson's correlation with its 95% percentile interval; draws take whole groups, if any."""
    labels = range(len(predicted)) if groups is None else groups
    _, numbers = np.unique(np.array(list(labels)), return_inverse=True)
    by_group = np.argsort(numbers, kind="stable")
    members = np.split(by_group, np.cumsum(np.bincount(numbers))[:-1])
    rng = np.random.default_rng(seed)
    correlations = []
    for picks in rng.integers(0, len(members), (draws, len(members))):
        rows = np.concatenate([members[pick] for pick in picks])
        correlations.append(pearson(predicted[rows], ratings[rows]))
    low, high = np.nanquantile(correlations, (0.025, 0.975))
    return pearson(predicted, ratings), float(low), float(high)


def validate(
    predicted: Floats,
    ratings: Floats,
    folds: NDArray[np.intp],
    groups: Sequence[str],
    slope: float,
    seed: int,
) -> Validated:
    """The figures of cross-validated predictions; errors are those of calibrated ratings."""
    r, low, high = interval(predicted, ratings, seed, groups=groups)
    calibrated, means = np.zeros(len(predicted)), np.zeros(len(predicted))
    for fold in range(int(folds.max()) + 1):
        seen = folds != fold
        line = calibration(predicted[seen], ratings[seen])
        calibrated[~seen] = np.clip(line.intercept + line.slope * predicted[~seen], LOWEST, HIGHEST)
        means[~seen] = ratings[seen].mean()
    return Validated(
        folds=int(folds.max()) + 1,
        r=round(r, 4),
        low=round(low, 4),
        high=round(high, 4),
        spearman=round(spearman(predicted, ratings), 4),
        error=round(float(np.sqrt(np.mean((calibrated - ratings) ** 2))), 4),
        mean_error=round(float(np.sqrt(np.mean((means - ratings) ** 2))), 4),
        slope=round(slope, 4),
    )
