"""Cohen's kappa, plain and weighted: agreement of two annotators beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from readmark.measures.agreement.value import (
    Agreement,
    Clusters,
    Label,
    Resampling,
    figure,
    in_domain_order,
    only_label,
    table,
    undefined,
)
from readmark.measures.resampling import Floats

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

    Weights count how far two labels stand apart in the ``order`` (by size without one): "Weighted
    kappa". Units that only one labelled are left out. Undefined when chance cannot disagree.
    """
    name = "kappa" if weights is None else f"kappa({weights})"
    both = [at for at, pair in enumerate(zip(a, b, strict=True)) if None not in pair]
    if not both:
        return undefined(name, "no unit has labels of both annotators")
    pairs = [(a[at], b[at]) for at in both]
    domain = in_domain_order([label for pair in pairs for label in pair], order)
    if len(domain) == 1:
        return undefined(name, only_label(domain[0]), n=len(both))
    place = {label: at for at, label in enumerate(domain)}
    coded = [(place[one], place[other]) for one, other in pairs]
    cells = list(dict.fromkeys(coded))
    column = {cell: at for at, cell in enumerate(cells)}
    sums, resampled = table(
        [(column[cell], 1.0) for cell in coded],
        [clusters[at] for at in both] if clusters is not None else None,
        len(cells),
    )
    apart = _apart(len(domain), weights)
    rows, columns = np.array(cells, dtype=np.intp).T
    ones = np.eye(len(domain))

    def parts(sums: Floats) -> tuple[Floats, Floats]:
        n = sums.sum(axis=-1)
        observed = sums @ apart[rows, columns] / n
        first, second = sums @ ones[rows], sums @ ones[columns]
        expected = ((first @ apart) * second).sum(axis=-1) / (n * n)
        return observed, expected

    def kappa(sums: Floats) -> Floats:
        observed, expected = parts(sums)
        return np.asarray(1 - observed / expected)

    observed, expected = parts(sums.sum(axis=0, keepdims=True))
    return figure(
        name,
        sums,
        kappa,
        n=len(both),
        reason="chance cannot disagree",
        parts=(float(observed[0]), float(expected[0])),
        resampling=resampling if resampled else None,
    )


def _apart(size: int, weights: Weights | None) -> Floats:
    """How far two labels disagree: at all, by places in their order, or by places squared."""
    steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    if weights is None:
        return np.minimum(steps, 1)
    return steps if weights == "linear" else steps * steps
