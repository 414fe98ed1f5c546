"""Labels as numbers: their domain in order, and how often each was given to each unit."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from readmark.statistics.agreement.sums import DENSE

Label = Hashable
LabelCells = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]
"""Units, their labels' places in the domain, and how often each label was given to its unit."""


def label_cells(
    rows: Sequence[Sequence[Label]], domain: Sequence[Label]
) -> tuple[LabelCells, NDArray[np.intp]]:
    """How often each label was given to each unit, in the order of units, and labels per unit."""
    place = {label: index for index, label in enumerate(domain)}
    per_unit = np.fromiter(map(len, rows), dtype=np.intp, count=len(rows))
    labels = np.fromiter(
        (place[label] for row in rows for label in row), dtype=np.intp, count=int(per_unit.sum())
    )
    units = np.repeat(np.arange(len(rows)), per_unit)
    cells = units * len(domain) + labels
    if len(rows) * len(domain) <= DENSE * len(labels):  # counting beats sorting
        counts = np.bincount(cells)
        cells = np.flatnonzero(counts)
        times = counts[cells]
    else:
        cells, times = np.unique(cells, return_counts=True)
    unit, label = np.divmod(cells, len(domain))
    return (unit, label, times), per_unit


def in_domain_order(labels: Sequence[Label], order: Sequence[Label] | None) -> list[Label]:
    """The labels that occur, in the order given, or by size; mixed ones as they come."""
    domain = dict.fromkeys(labels)
    if order is not None:
        unknown = [label for label in domain if label not in order]
        if unknown:
            raise ValueError(f"the order does not have {unknown[0]!r}")
        return [label for label in order if label in domain]
    try:
        return sorted(domain)  # type: ignore[type-var]
    except TypeError:
        return list(domain)


def only_label(label: Label) -> str:
    """Why nothing can be said beyond chance."""
    text = f"{label:g}" if isinstance(label, float) else repr(label)
    return f"every label is {text}, so chance would agree as well"
