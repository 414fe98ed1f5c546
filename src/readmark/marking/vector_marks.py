"""Marks and comparisons of vectors that are no sitting's, such as those of rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.hooks import Kind, Metric
from readmark.marking.marks import Mark, make_marks
from readmark.marking.results import UnitVectors
from readmark.marking.settings import MarkSettings
from readmark.marking.significance import Comparison, Paired, adjusted, compare_pair
from readmark.marking.unit_marker import tally_sitting


@dataclass(frozen=True, slots=True)
class ComparedVectors:
    """Everybody's marks, and the differences of all but the first from the first."""

    marks: Mapping[str, Mapping[str, Mark]]
    """By candidate, then metric."""
    differences: Mapping[str, Mapping[str, Comparison]]
    """Holm-adjusted over the candidates."""


def compare_vectors(
    metrics: Mapping[str, Metric],
    vectors: Mapping[str, Mapping[str, Floats]],
    ids: Sequence[str],
    groups: Sequence[str],
    kind: Kind,
    settings: MarkSettings,
) -> ComparedVectors:
    """Marks with intervals, and each candidate against the first, paired by unit.

    ``vectors`` are by candidate, then metric, a row for each unit; ``groups`` are the ids of the
    clusters that the units belong to.
    """
    _, codes = np.unique(np.asarray(groups), return_inverse=True)
    codes = codes.reshape(-1).astype(np.int64)
    first, *rest = vectors
    marks = {
        candidate: make_marks(metrics, by_metric, codes, kind, settings)
        for candidate, by_metric in vectors.items()
    }
    differences: dict[str, dict[str, Comparison]] = {name: {} for name in rest}
    for metric, built in metrics.items():
        paired = {
            candidate: Paired(candidate, ids, codes, by_metric[metric])
            for candidate, by_metric in vectors.items()
        }
        comparisons = [
            compare_pair(metric, built, paired[first], paired[name], kind, settings)
            for name in rest
        ]
        for name, comparison in zip(rest, adjusted(comparisons), strict=True):
            differences[name][metric] = comparison
    return ComparedVectors(marks, differences)


def unit_vectors(test: Test, sitting: Sitting, metrics: Mapping[str, Metric]) -> UnitVectors:
    """Each metric's vector on each unit that a sitting covers."""
    tally = tally_sitting(test, sitting, metrics)
    return UnitVectors(tally.ids, tally.matrices())
