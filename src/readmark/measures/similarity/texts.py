"""Measures of words for many pairs of texts at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from readmark.measures.similarity.codes import Indices, grouped, sizes
from readmark.measures.similarity.orders import Weights, weighted
from readmark.measures.similarity.packed import numbered
from readmark.measures.similarity.positions import Keys, Tables
from readmark.measures.similarity.shared import Floats, Grams, Pair
from readmark.measures.similarity.words import Cutter, words

WordMeasure = Callable[[Any], Any]
"""A measure of ``shared``, for one pair or for many."""


def many(
    measure: WordMeasure,
    weights: Weights,
    a: Sequence[str],
    b: Sequence[str],
    *,
    cut: Cutter = words,
) -> Floats:
    """A measure of every pair, as ``one`` gives it."""
    found = np.empty(len(a))
    left = np.ones(len(a), dtype=np.bool_)
    for now in grouped(sizes(a), sizes(b), 0):
        at = now.tolist()
        tables = _tables([a[one] for one in at], [b[one] for one in at], cut)
        found[now] = weighted(measure, weights, tables.at)
        left[now] = False
    for at in np.flatnonzero(left).tolist():
        found[at] = one(measure, weights, cut(a[at]), cut(b[at]))
    return found


def one(measure: WordMeasure, weights: Weights, a: Sequence[str], b: Sequence[str]) -> float:
    """A measure of one pair of texts, given their words."""
    return float(weighted(measure, weights, lambda n: Pair(Grams(a, n), Grams(b, n))))


def _tables(a: Sequence[str], b: Sequence[str], cut: Cutter) -> Tables:
    numbers, lengths = numbered([*a, *b], cut)
    half = int(lengths[: len(a)].sum())
    return Tables(
        _padded(tuple(one[:half] for one in numbers), lengths[: len(a)]),
        _padded(tuple(one[half:] for one in numbers), lengths[len(a) :]),
    )


def _padded(numbers: Keys, lengths: Indices) -> Keys:
    """Numbers (position, text), zeros past the end; three positions at least, for triples."""
    width = max(int(lengths.max(initial=0)), 3)
    filled = np.arange(width) < lengths[:, None]
    padded = []
    for one in numbers:
        rows = np.zeros(filled.shape, dtype=np.uint64)
        rows[filled] = one
        padded.append(np.ascontiguousarray(rows.T))
    return tuple(padded)
