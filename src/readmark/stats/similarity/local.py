"""Local alignment with a linear gap: the best score of any stretch of one text with one of another.

Scores are whole numbers; what counts halves is doubled by the caller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from readmark.stats.similarity.codes import Batch
from readmark.stats.similarity.shared import Floats

LARGE = 2**12
"""Cells of a table that are worth a call of NumPy a row."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What equal and other characters count, and what a character without partner costs."""

    match: int
    mismatch: int
    gap: int


def best_local(a: str, b: str, scores: Scores) -> int:
    """The best score of one pair."""
    if len(a) * len(b) > LARGE:
        return _by_rows(a, b, scores)
    best = 0
    above = [0] * (len(b) + 1)
    for left_character in a:
        row = [0]
        left = 0
        for at, character in enumerate(b):
            score = scores.match if character == left_character else scores.mismatch
            left = max(0, above[at] + score, above[at + 1] - scores.gap, left - scores.gap)
            row.append(left)
        best = max(best, max(row))
        above = row
    return best


def _by_rows(a: str, b: str, scores: Scores) -> int:
    """The same, a row of a large table at a time."""
    characters = np.fromiter(map(ord, b), dtype=np.int64, count=len(b))
    tilt = np.arange(len(b), dtype=np.int64) * scores.gap
    above = np.zeros(len(b) + 1, dtype=np.int64)
    best = 0
    for character in a:
        row = np.where(characters == ord(character), scores.match, scores.mismatch) + above[:-1]
        np.maximum(row, above[1:] - scores.gap, out=row)
        np.maximum(row, 0, out=row)
        above[1:] = np.maximum.accumulate(row + tilt) - tilt
        best = max(best, int(above.max()))
    return best


def best_locals(batch: Batch, scores: Scores) -> Floats:
    """The best score of each pair; a row of every pair's table at a time."""
    a, b = batch.a, batch.b
    gap = np.int16(scores.gap)
    # A gap to the right costs the same at every step: the best so far along a row that is
    # tilted by it.
    tilt = (np.arange(len(b), dtype=np.int16) * gap)[:, None]
    table = np.zeros((len(b) + 1, b.shape[1]), dtype=np.int16)
    best = np.zeros(b.shape, dtype=np.int16)
    for row in a:
        found = np.where(row == b, np.int16(scores.match), np.int16(scores.mismatch))
        found += table[:-1]
        np.maximum(found, table[1:] - gap, out=found)
        np.maximum(found, 0, out=found)
        found += tilt
        np.maximum.accumulate(found, axis=0, out=found)
        np.subtract(found, tilt, out=table[1:])
        np.maximum(best, table[1:], out=best)
    return np.asarray(best.max(axis=0), dtype=np.float64)
