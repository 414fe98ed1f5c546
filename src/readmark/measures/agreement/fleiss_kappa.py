"""Fleiss' kappa: agreement of several annotators beyond chance."""

from __future__ import annotations

from collections import Counter

import numpy as np

from readmark.measures.agreement.percent import Panel
from readmark.measures.agreement.value import (
    MOST_CELLS,
    Agreement,
    Clusters,
    Resampling,
    cluster_codes,
    figure,
    in_domain_order,
    only_label,
    undefined,
)
from readmark.measures.grid import to_grid
from readmark.measures.resampling import Floats


def fleiss_kappa(
    panel: Panel, *, clusters: Clusters | None = None, resampling: Resampling | None = None
) -> Agreement:
    """Kappa of a panel ("Measuring nominal scale agreement among many raters").

    Its definition wants as many labels for every unit, so units that some annotator left out are
    left out, and ``n`` counts the others.
    """
    whole = [
        at for at, row in enumerate(panel) if len(row) > 1 and all(one is not None for one in row)
    ]
    if not whole:
        return undefined("fleiss", "no unit has labels of all annotators")
    labels = in_domain_order([label for at in whole for label in panel[at]], None)
    if len(labels) == 1:
        return undefined("fleiss", only_label(labels[0]), n=len(whole))
    groups = [clusters[at] for at in whole] if clusters is not None else None
    codes, count = cluster_codes(groups, len(whole))
    resampled = count * (len(labels) + 1) <= MOST_CELLS
    if not resampled:
        codes, count = np.zeros(len(whole), dtype=np.intp), 1
    place = {label: at + 1 for at, label in enumerate(labels)}
    sums = np.zeros((count, len(labels) + 1))
    for code, at in zip(codes, whole, strict=True):
        row = panel[at]
        times = Counter(row)
        pairs = len(row) * (len(row) - 1)
        sums[code, 0] += to_grid(sum(one * (one - 1) for one in times.values()) / pairs)
        for label, one in times.items():
            sums[code, place[label]] += one
    raters = len(panel[whole[0]])

    def parts(sums: Floats) -> tuple[Floats, Floats]:
        given = sums[..., 1:].sum(axis=-1)
        shares = sums[..., 1:] / given[..., None]
        return 1 - sums[..., 0] * raters / given, 1 - (shares * shares).sum(axis=-1)

    def kappa(sums: Floats) -> Floats:
        observed, expected = parts(sums)
        # A draw in which all labels are one: 1 - 1 may miss 0 by a rounding.
        return np.asarray(1 - observed / np.where(expected < 1e-12, np.nan, expected))

    observed, expected = parts(sums.sum(axis=0, keepdims=True))
    return figure(
        "fleiss",
        sums,
        kappa,
        n=len(whole),
        reason="chance cannot disagree",
        parts=(float(observed[0]), float(expected[0])),
        resampling=resampling if resampled else None,
    )
