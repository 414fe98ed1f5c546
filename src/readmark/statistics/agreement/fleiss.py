"""Fleiss' kappa: agreement of several annotators beyond chance."""

from __future__ import annotations

import numpy as np

from readmark.core.arrays import Floats
from readmark.statistics.agreement.label_cells import in_domain_order, label_cells, only_label
from readmark.statistics.agreement.percent import Panel
from readmark.statistics.agreement.sums import Clusters, Sums
from readmark.statistics.agreement.value import Agreement, Resampling, beyond_chance, undefined


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
    (unit, label, counts), _ = label_cells(rows, labels)
    equal = np.bincount(unit, weights=counts * (counts - 1))  # pairs, both ways: whole numbers
    groups = [clusters[index] for index in whole] if clusters is not None else None
    raters = len(panel[whole[0]])

    def parts(sums: Floats) -> tuple[Floats, Floats]:
        total = sums[..., 1:].sum(axis=-1)
        shares = sums[..., 1:] / total[..., None]
        expected = 1 - (shares * shares).sum(axis=-1)
        # A draw in which all labels are one: 1 - 1 may miss 0 by a rounding.
        observed = 1 - sums[..., 0] / ((raters - 1) * total)
        return observed, np.where(expected < 1e-12, np.nan, expected)

    return beyond_chance(
        "fleiss",
        Sums.of_cells(
            np.concatenate([np.arange(len(rows)), unit]),
            np.concatenate([np.zeros(len(rows), dtype=np.intp), label + 1]),
            np.concatenate([equal, counts]),
            groups,
            len(labels) + 1,
        ),
        parts,
        n=len(whole),
        resampling=resampling,
    )
