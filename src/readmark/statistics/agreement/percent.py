"""The share of pairs of labels that are equal: raw agreement, not corrected for chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from readmark.core.arrays import Floats
from readmark.statistics.agreement.label_cells import Label
from readmark.statistics.agreement.sums import Clusters, cluster_codes
from readmark.statistics.agreement.value import Agreement, Resampling, figure, undefined

Panel = Sequence[Sequence[Label | None]]
"""A row for each unit, a label for each annotator; None where one gave none."""


def percent_agreement(
    a: Sequence[Label | None],
    b: Sequence[Label | None],
    *,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """The share of units to which two annotators gave equal labels, 0 to 1."""
    panel = list(zip(a, b, strict=True))
    return panel_agreement(panel, clusters=clusters, resampling=resampling)


def panel_agreement(
    panel: Panel, *, clusters: Clusters | None = None, resampling: Resampling | None = None
) -> Agreement:
    """The share of equal pairs among all pairs of labels of one unit, 0 to 1."""
    pairs_of = [_pairs(row) for row in panel]
    used = [index for index, (_, pairs) in enumerate(pairs_of) if pairs]
    if not used:
        return undefined("percent", "no unit has labels of two annotators")
    groups = [clusters[index] for index in used] if clusters is not None else None
    codes, count = cluster_codes(groups, len(used))
    sums = np.zeros((count, 2))
    np.add.at(sums, codes, np.array([pairs_of[index] for index in used], dtype=np.float64))
    # Every unit that is used has a pair, so that the ratio is defined.
    return figure("percent", sums, ratio, n=len(used), reason="", resampling=resampling)


def ratio(sums: Floats) -> Floats:
    """The first column divided by the second."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def _pairs(row: Sequence[Label | None]) -> tuple[int, int]:
    """Equal pairs of a unit's labels, and all of them."""
    labels = [label for label in row if label is not None]
    equal = sum(count * (count - 1) // 2 for count in Counter(labels).values())
    return equal, len(labels) * (len(labels) - 1) // 2
