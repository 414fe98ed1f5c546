"""Local alignment: the best score of any stretch of one text with one of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class AlignmentScores(NamedTuple):
    """What equal and other characters count, and what a character without partner costs."""

    match: int
    mismatch: int
    gap: int


_SCORES = AlignmentScores(match=1, mismatch=-1, gap=1)
_LARGE = 2**12
"""Cells of a table that are worth a call of NumPy a row."""
_TABLES = 256
"""Tables that are filled at once."""
_LONG = 1024
"""A pair with a text longer than this has a table to itself: padding would fill the others."""


def smith_waterman(a: str, b: str) -> float:
    """The best score of aligning a stretch of each text, over the shorter text's length.

    A match counts 1, a mismatch -1, a gap -1: "Identification of common molecular subsequences",
    with the usual scores of today. A text that occurs in the other is wholly like it.
    """
    shorter = min(len(a), len(b))
    return best_local(a, b, _SCORES) / shorter if shorter else float(a == b)


def smith_waterman_of_each(a: Sequence[str], b: Sequence[str]) -> list[float]:
    """The same of each pair."""
    best = best_local_of_each(a, b, _SCORES)
    return [
        score / min(len(x), len(y)) if x and y else float(x == y)
        for x, y, score in zip(a, b, best, strict=True)
    ]


def best_local(a: str, b: str, scores: AlignmentScores) -> int:
    """The best score of a local alignment with a linear gap, in whole numbers."""
    if len(a) * len(b) > _LARGE:
        return _best_of_tables([a], [b], scores)[0]
    best = 0
    above = [0] * (len(b) + 1)
    for left_character in a:
        row = [0]
        left = 0
        for column, character in enumerate(b):
            score = scores.match if character == left_character else scores.mismatch
            left = max(0, above[column] + score, above[column + 1] - scores.gap, left - scores.gap)
            row.append(left)
        best = max(best, max(row))
        above = row
    return best


def best_local_of_each(a: Sequence[str], b: Sequence[str], scores: AlignmentScores) -> list[int]:
    """The best local score of each pair: tables of about the same size are filled at once."""
    sizes = [max(len(x), len(y)) for x, y in zip(a, b, strict=True)]
    best = [0] * len(a)
    small = []
    for index, size in enumerate(sizes):
        if size > _LONG:
            best[index] = best_local(a[index], b[index], scores)
        else:
            small.append(index)
    small.sort(key=sizes.__getitem__)
    for start in range(0, len(small), _TABLES):
        batch = small[start : start + _TABLES]
        first, second = [a[index] for index in batch], [b[index] for index in batch]
        for index, value in zip(batch, _best_of_tables(first, second, scores), strict=True):
            best[index] = value
    return best


def _best_of_tables(a: Sequence[str], b: Sequence[str], scores: AlignmentScores) -> list[int]:
    """A row of every table at a time. What pads a text equals nothing, so no score grows there."""
    rows, characters = _padded(a, 0), _padded(b, 1)
    # A gap to the right costs the same at every step: the best so far along a row that is
    # tilted by it.
    tilt = np.arange(characters.shape[1], dtype=np.int32) * scores.gap
    above = np.zeros((len(a), characters.shape[1] + 1), dtype=np.int32)
    best = np.zeros(len(a), dtype=np.int32)
    for row_characters in rows.T:
        row = np.where(characters == row_characters[:, None], scores.match, scores.mismatch)
        row = row.astype(np.int32) + above[:, :-1]
        np.maximum(row, above[:, 1:] - scores.gap, out=row)
        np.maximum(row, 0, out=row)
        row += tilt
        np.maximum.accumulate(row, axis=1, out=row)
        np.subtract(row, tilt, out=above[:, 1:])
        np.maximum(best, above.max(axis=1), out=best)
    return [int(value) for value in best]


def _padded(texts: Sequence[str], padding: int) -> NDArray[np.int32]:
    """The characters' numbers, negative so that padding equals none of them."""
    table = np.full((len(texts), max(map(len, texts), default=0)), padding, dtype=np.int32)
    for row, text in zip(table, texts, strict=True):
        row[: len(text)] = [~ord(character) for character in text]
    return table
