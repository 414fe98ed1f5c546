"""SimMetrics' Needleman-Wunsch: a gap costs 2, but 1 where the alignment begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.stats.similarity.codes import Batch, each
from readmark.stats.similarity.shared import Floats

GAP = 2


def needleman_wunsch(a: str, b: str) -> float:
    """1 - cost / 2l for the longer text's length l; an empty text is half like any other."""
    longer = max(len(a), len(b))
    if not longer:
        return 1.0
    if not a or not b:
        return 1 - longer / (GAP * longer)
    above = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        row = [i]
        for j, right in enumerate(b):
            row.append(min(above[j] + (left != right), above[j + 1] + GAP, row[j] + GAP))
        above = row
    return 1 - above[-1] / (GAP * longer)


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """The same for each pair."""
    return each(a, b, needleman_wunsch, _several)


def _several(batch: Batch) -> Floats:
    """A row of every pair's table at a time; see ``local`` for the tilt."""
    a, b = batch.a, batch.b
    tilt = (np.arange(len(b) + 1, dtype=np.int16) * np.int16(GAP))[:, None]
    table = np.repeat(np.arange(len(b) + 1, dtype=np.int16)[:, None], b.shape[1], axis=1)
    costs = np.empty(b.shape[1])
    found = np.empty_like(table)
    for i, row in enumerate(a, 1):
        found[0] = i
        np.add(table[:-1], row != b, out=found[1:])
        np.minimum(found[1:], table[1:] + np.int16(GAP), out=found[1:])
        found -= tilt
        np.minimum.accumulate(found, axis=0, out=found)
        np.add(found, tilt, out=table)
        ended = np.flatnonzero(batch.size_a == i)
        costs[ended] = table[batch.size_b[ended], ended]
    return np.asarray(1 - costs / (GAP * np.maximum(batch.size_a, batch.size_b)))
