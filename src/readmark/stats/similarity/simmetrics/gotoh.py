"""SimMetrics' Smith-Waterman-Gotoh similarity of words, which its Monge-Elkan uses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from readmark.stats.similarity.codes import Batch, Ints, each
from readmark.stats.similarity.shared import Floats

MATCH, NEAR, MISMATCH = 5, 3, -3
OPEN, EXTEND = 5, 1
_ALIKE = ("dt", "gj", "lr", "mn", "bpv", "aeiou", ",.")
_GROUP = {character: at for at, group in enumerate(_ALIKE, 1) for character in group}
_GROUPS = np.zeros(128, dtype=np.int8)
for _character, _at in _GROUP.items():
    _GROUPS[ord(_character)] = _at


def gotoh(a: str, b: str) -> float:
    """The best local alignment with affine gaps, over 5 times the shorter length.

    No gap begins in the first row or column, and there a character counts by itself. A word of
    no characters is wholly like every other.
    """
    shorter = min(len(a), len(b))
    if not shorter:
        return 1.0
    best = 0
    above = [0] * (len(b) + 1)
    down = [0] * len(b)  # the best that ends in a gap, so far down each column
    for i, left in enumerate(a):
        row = [0]
        along = 0  # and along the row
        for j, right in enumerate(b):
            cell = max(0, above[j] + _score(left, right))
            if i > 1:
                down[j] = max(down[j] - EXTEND, above[j + 1] - OPEN)
                cell = max(cell, down[j])
            if j > 1:
                along = max(along - EXTEND, row[j] - OPEN)
                cell = max(cell, along)
            row.append(cell)
        best = max(best, *row)
        above = row
    return best / (MATCH * shorter)


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """The same for each pair."""
    return each(a, b, gotoh, _several)


def _score(left: str, right: str) -> int:
    if left == right:
        return MATCH
    return NEAR if _GROUP.get(left, -1) == _GROUP.get(right, -2) else MISMATCH


def _several(batch: Batch) -> Floats:
    """A cell of every pair's table at a time; ``down`` and ``along`` end in a gap."""
    a, b = batch.a, batch.b
    count = a.shape[1]
    groups_a, groups_b = _groups(a), _groups(b)
    nothing = np.zeros(count, dtype=np.int16)
    best = nothing.copy()
    above = [nothing] * (len(b) + 1)
    down = [nothing] * len(b)
    for i in range(len(a)):
        row = [nothing]
        along = nothing
        for j in range(len(b)):
            near = (groups_a[i] == groups_b[j]) & (groups_a[i] > 0)
            score = np.where(near, np.int16(NEAR), np.int16(MISMATCH))
            score[a[i] == b[j]] = MATCH
            cell = np.maximum(above[j] + score, 0)
            if i > 1:
                down[j] = np.maximum(down[j] - EXTEND, above[j + 1] - OPEN)
                cell = np.maximum(cell, down[j])
            if j > 1:
                along = np.maximum(along - EXTEND, row[j] - OPEN)
                cell = np.maximum(cell, along)
            best = np.maximum(best, cell)
            row.append(cell)
        above = row
    return np.asarray(best / (MATCH * np.minimum(batch.size_a, batch.size_b)))


def _groups(codes: Ints) -> NDArray[np.int8]:
    return np.where((codes >= 0) & (codes < 128), _GROUPS[np.clip(codes, 0, 127)], 0)
