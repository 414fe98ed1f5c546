"""The share of pairs of labels that are equal: raw agreement, not corrected for chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.statistics.agreement.value import (
    Agreement,
    Clusters,
    Label,
    Resampling,
    Sums,
    beyond_chance,
    cluster_codes,
    figure,
    in_domain_order,
    label_cells,
    only_label,
    undefined,
)

# Cohen's kappa, plain and weighted: agreement of two annotators beyond chance.


Weights = Literal["linear", "quadratic"]


def cohen_kappa(
    a: Sequence[Label | None],
    b: Sequence[Label | None],
    *,
    weights: Weights | None = None,
    order: Sequence[Label] | None = None,
    clusters: Clusters | None = None,
    resampling: Resampling | None = None,
) -> Agreement:
    """1 − observed / expected disagreement ("A coefficient of agreement for nominal scales").

    Weights count how far two labels are apart in the ``order``, labels that nobody used included,
    or by size among the labels that occur: "Weighted kappa". Units that only one labelled are left
    out. Undefined when chance cannot disagree.
    """
    name = "kappa" if weights is None else f"kappa({weights})"
    both = [index for index, pair in enumerate(zip(a, b, strict=True)) if None not in pair]
    if not both:
        return undefined(name, "no unit has labels of both annotators")
    pairs = [(a[index], b[index]) for index in both]
    domain = in_domain_order([label for pair in pairs for label in pair], order)
    if len(domain) == 1:
        return undefined(name, only_label(domain[0]), n=len(both))
    if weights is not None and order is not None:
        domain = list(order)  # a step that nobody used still lies between its neighbours
    place = {label: index for index, label in enumerate(domain)}
    size = len(domain)
    n = len(pairs)
    first, second = (
        np.fromiter((place[label] for label in side), dtype=np.intp, count=n)
        for side in zip(*pairs, strict=True)
    )
    columns = np.concatenate([first, size + second, np.full(n, 2 * size)])
    added = np.concatenate([np.ones(2 * n), _distances(first, second, weights)])

    def parts(sums: Floats) -> tuple[Floats, Floats]:
        given, also = sums[..., :size], sums[..., size : 2 * size]
        total = given.sum(axis=-1)
        return sums[..., 2 * size] / total, _expected(given, also, total, weights)

    groups = [clusters[index] for index in both] if clusters is not None else None
    sums = Sums.of_cells(np.tile(np.arange(n), 3), columns, added, groups, 2 * size + 1)
    return beyond_chance(name, sums, parts, n=n, resampling=resampling)


def _distances(
    first: NDArray[np.intp], second: NDArray[np.intp], weights: Weights | None
) -> NDArray[np.intp]:
    """How far two labels disagree: at all, by places in their order, or by places squared."""
    steps: NDArray[np.intp] = np.abs(first - second)
    if weights is None:
        steps = np.minimum(steps, 1)
    elif weights == "quadratic":
        steps = steps * steps
    return steps


def _expected(first: Floats, second: Floats, n: Floats, weights: Weights | None) -> Floats:
    """The mean of what is apart over every pair of one annotator's label and the other's.

    Without going through the pairs: there are as many as labels squared.
    """
    if weights is None:
        return np.asarray(1 - (first * second).sum(axis=-1) / (n * n))
    if weights == "linear":
        # Each step between neighbours is gone by every pair with one label on either side of it.
        before, also = first.cumsum(axis=-1), second.cumsum(axis=-1)
        crossing = before * (n[..., None] - also) + also * (n[..., None] - before)
        return np.asarray(crossing.sum(axis=-1) / (n * n))
    places = np.arange(first.shape[-1], dtype=np.float64)
    mean, other = (side @ places / n for side in (first, second))
    spread = sum(
        (side * (places - middle[..., None]) ** 2).sum(axis=-1)
        for side, middle in ((first, mean), (second, other))
    )
    return np.asarray(spread / n + (mean - other) ** 2)


Panel = Sequence[Sequence[Label | None]]
"""A row a unit, a label an annotator; None where an annotator gave none."""


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
    counted = [_pairs(row) for row in panel]
    used = [index for index, (_, pairs) in enumerate(counted) if pairs]
    if not used:
        return undefined("percent", "no unit has labels of two annotators")
    groups = [clusters[index] for index in used] if clusters is not None else None
    codes, count = cluster_codes(groups, len(used))
    sums = np.zeros((count, 2))
    np.add.at(sums, codes, np.array([counted[index] for index in used], dtype=np.float64))
    return figure("percent", sums, ratio, n=len(used), reason="no pairs", resampling=resampling)


def ratio(sums: Floats) -> Floats:
    """The first column by the second."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def _pairs(row: Sequence[Label | None]) -> tuple[int, int]:
    """Equal pairs of a unit's labels, and all of them."""
    given = [label for label in row if label is not None]
    equal = sum(times * (times - 1) // 2 for times in Counter(given).values())
    return equal, len(given) * (len(given) - 1) // 2


# Fleiss' kappa: agreement of several annotators beyond chance.


def fleiss_kappa(
    panel: Panel, *, clusters: Clusters | None = None, resampling: Resampling | None = None
) -> Agreement:
    """Kappa of a panel ("Measuring nominal scale agreement among many raters").

    Its definition wants as many labels for every unit, so units that some annotator left out are
    left out, and ``n`` counts the others.
    """
    whole = [index for index, row in enumerate(panel) if len(row) > 1 and None not in tuple(row)]
    if not whole:
        return undefined("fleiss", "no unit has labels of all annotators")
    rows = [panel[index] for index in whole]
    labels = in_domain_order([label for row in rows for label in row], None)
    if len(labels) == 1:
        return undefined("fleiss", only_label(labels[0]), n=len(whole))
    (unit, label, times), _ = label_cells(rows, labels)
    equal = np.bincount(unit, weights=times * (times - 1))  # pairs, both ways: whole numbers
    groups = [clusters[index] for index in whole] if clusters is not None else None
    raters = len(panel[whole[0]])

    def parts(sums: Floats) -> tuple[Floats, Floats]:
        given = sums[..., 1:].sum(axis=-1)
        shares = sums[..., 1:] / given[..., None]
        expected = 1 - (shares * shares).sum(axis=-1)
        # A draw in which all labels are one: 1 - 1 may miss 0 by a rounding.
        observed = 1 - sums[..., 0] / ((raters - 1) * given)
        return observed, np.where(expected < 1e-12, np.nan, expected)

    return beyond_chance(
        "fleiss",
        Sums.of_cells(
            np.concatenate([np.arange(len(rows)), unit]),
            np.concatenate([np.zeros(len(rows), dtype=np.intp), label + 1]),
            np.concatenate([equal, times]),
            groups,
            len(labels) + 1,
        ),
        parts,
        n=len(whole),
        resampling=resampling,
    )
