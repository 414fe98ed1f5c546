"""Measures of words for many pairs of texts at once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any

import numpy as np

from readmark.series.packed_words import Indices, Numbers, numbered
from readmark.series.words import Cutter, words
from readmark.stats.similarity.memory import keep_freed
from readmark.stats.similarity.orders import Weights, weighted
from readmark.stats.similarity.positions import Pairs, Words
from readmark.stats.similarity.shared import Floats, Grams, Pair

WordMeasure = Callable[[Any], Any]
"""A measure of ``shared``, for one pair or for many."""

LONGEST = 64
"""Texts of more words are compared pair by pair: a table of positions would not pay."""
_PAST = LONGEST + 1
_CUT = 8192
_TABLES = 4096
"""How many pairs are cut at once, and how many have their tables made: what stays in caches."""


def one(measure: WordMeasure, weights: Weights, a: Sequence[str], b: Sequence[str]) -> float:
    """A measure of one pair of texts, given their words."""
    return float(weighted(measure, weights, lambda n: Pair(Grams(a, n), Grams(b, n))))


def many(
    measure: WordMeasure,
    weights: Weights,
    a: Sequence[str],
    b: Sequence[str],
    *,
    cut: Cutter = words,
) -> Floats:
    """The same for each pair of texts; equal ones, which are frequent, have 1 by every measure."""
    keep_freed()
    found = np.ones(len(a))
    for at in range(0, len(a), _CUT):
        some_a, some_b = a[at : at + _CUT], b[at : at + _CUT]
        if all(map(operator.ne, some_a, some_b)):
            found[at : at + _CUT] = _some(measure, weights, some_a, some_b, cut)
            continue
        differ = bytes(map(operator.ne, some_a, some_b))
        if any(differ):
            left_a, left_b = list(compress(some_a, differ)), list(compress(some_b, differ))
            values = _some(measure, weights, left_a, left_b, cut)
            found[at : at + _CUT][np.frombuffer(differ, dtype=np.bool_)] = values
    return found


def _some(
    measure: WordMeasure, weights: Weights, a: Sequence[str], b: Sequence[str], cut: Cutter
) -> Floats:
    both = numbered([*a, *b], cut)
    lengths = both.lengths
    longest = np.maximum(lengths[: len(a)], lengths[len(a) :])
    # Pairs of about the same length have tables of the same size.
    order = np.argsort(np.minimum(longest, _PAST).astype(np.uint16), kind="stable")
    fit = int(np.searchsorted(longest[order], LONGEST, side="right"))
    found = np.empty(len(a))
    orders = [order for order, weight in enumerate(weights, 1) if weight]
    for at in range(0, fit, _TABLES):
        now = order[at : min(at + _TABLES, fit)]
        a_side, b_side = (
            _side(both.numbers, both.starts[rows], lengths[rows]) for rows in (now, now + len(a))
        )
        found[now] = weighted(measure, weights, Pairs(a_side, b_side, orders).at)
    for at in order[fit:].tolist():
        found[at] = one(measure, weights, cut(a[at]), cut(b[at]))
    return found


def _side(numbers: Numbers, starts: Indices, lengths: Indices) -> Words:
    """Numbers (position, text), zeros past the end; three positions at least, for triples."""
    positions = np.arange(max(int(lengths.max()), 3))[:, None]
    there = positions < lengths
    if not there.any():
        return np.zeros(there.shape, dtype=np.uint64)
    return np.asarray(numbers.take(positions + starts, mode="clip") * there)
