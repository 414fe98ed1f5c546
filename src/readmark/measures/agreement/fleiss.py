"""Fleiss' kappa: agreement of several annotators beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from readmark.measures.agreement.percent import Panel
from readmark.measures.agreement.sums import Clusters, Entry, Sums
from readmark.measures.agreement.value import (
    Agreement,
    Label,
    Resampling,
    beyond_chance,
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
    place = {label: at + 1 for at, label in enumerate(labels)}
    entries = [entry for at, unit in enumerate(whole) for entry in _entries(at, panel[unit], place)]
    groups = [clusters[at] for at in whole] if clusters is not None else None
    raters = len(panel[whole[0]])

    def parts(sums: Floats) -> tuple[Floats, Floats]:
        given = sums[..., 1:].sum(axis=-1)
        shares = sums[..., 1:] / given[..., None]
        expected = 1 - (shares * shares).sum(axis=-1)
        # A draw in which all labels are one: 1 - 1 may miss 0 by a rounding.
        return 1 - sums[..., 0] * raters / given, np.where(expected < 1e-12, np.nan, expected)

    return beyond_chance(
        "fleiss",
        Sums.of_entries(entries, groups, len(labels) + 1),
        parts,
        n=len(whole),
        resampling=resampling,
    )


def _entries(at: int, row: Sequence[Label | None], place: Mapping[Label, int]) -> Iterator[Entry]:
    """A unit's share of equal pairs, and how often each label was given to it."""
    times = Counter(row)
    equal = sum(one * (one - 1) for one in times.values())
    yield at, 0, to_grid(equal / (len(row) * (len(row) - 1)))
    for label, one in times.items():
        yield at, place[label], one
