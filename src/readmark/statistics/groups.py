"""Which units belong together: those of a cluster, and those with a label."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Ints
from readmark.core.labels import in_order


@dataclass(frozen=True, slots=True)
class UnitClusters:
    """The clusters of some units, renumbered from 0: passages, series or documents."""

    codes: Ints
    """Each unit's."""
    count: int

    @classmethod
    def of(cls, groups: Ints) -> UnitClusters:
        """Number the groups in the order of their codes."""
        members = distinct(groups)
        ranks = np.zeros(int(members[-1]) + 1 if len(members) else 0, dtype=np.int64)
        ranks[members] = np.arange(len(members))
        return cls(ranks[groups], len(members))


def distinct(codes: Ints) -> Ints:
    """The different codes, in order."""
    return np.flatnonzero(np.bincount(codes))  # np.unique would import all of numpy.ma


def units_by_label(labels: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, Ints]]:
    """The values of a field in order (numbers by size), each with the units that have it."""
    members: defaultdict[str, array[int]] = defaultdict(lambda: array("q"))
    for unit, unit_labels in enumerate(labels):
        for label in unit_labels:
            members[label].append(unit)
    for label in sorted(members, key=in_order):
        yield label, np.frombuffer(members[label], dtype=np.int64)
