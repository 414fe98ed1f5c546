"""Ukkonen's q-gram distance, as a similarity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.stats.similarity.codes import Batch, Indices, each
from readmark.stats.similarity.shared import Floats

Q = 3
Numbers = NDArray[np.integer[Any]]


def qgrams(a: str, b: str) -> float:
    """1 - Σ |a - b| / (Σ a + Σ b) over the counts of the substrings of three characters.

    "Approximate string-matching with q-grams and maximal matches". A text of fewer characters is
    one gram by itself.
    """
    first, second = _grams(a), _grams(b)
    whole = first.total() + second.total()
    return 2 * (first & second).total() / whole if whole else 1.0


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """The same for each pair."""
    return each(a, b, qgrams, _several, shortest=Q)


def _grams(text: str) -> Counter[str]:
    if len(text) < Q:
        return Counter([text] if text else [])
    return Counter(text[at : at + Q] for at in range(len(text) - Q + 1))


def _several(batch: Batch) -> Floats:
    """Sorts each pair's grams, numbered by gram and side: equal ones stand together."""
    number, known = _numbers(batch)
    kind = np.uint32 if 2 * known**Q < 2**32 - 1 else np.uint64
    number = number.astype(kind)
    # Each pair ends in a number of no gram, so that no run goes on into the next pair.
    past = np.full((1, len(batch.at)), np.iinfo(kind).max, dtype=kind)
    a = _keys(number[batch.a], known, batch.size_a, side=0)
    b = _keys(number[batch.b], known, batch.size_b, side=1)
    keys = np.ascontiguousarray(np.concatenate((a, b, past)).T)
    keys.sort(axis=1)
    width = keys.shape[1]
    keys = keys.ravel()
    begins = np.concatenate(([0], np.flatnonzero(keys[1:] != keys[:-1]) + 1))
    counts = np.diff(begins, append=len(keys))
    runs = keys[begins]
    # The same gram on both sides: numbers that differ in the last place only.
    both = np.flatnonzero((runs[1:] - runs[:-1] == 1) & (runs[1:] & 1 == 1))
    shared = np.minimum(counts[both], counts[both + 1])
    common = np.bincount(begins[both] // width, weights=shared, minlength=len(batch.at))
    return np.asarray(2 * common / (batch.size_a + batch.size_b - 2 * (Q - 1)))


def _numbers(batch: Batch) -> tuple[Numbers, int]:
    """A number for each code point of the batch, from 0 up, and how many there are."""
    seen = np.zeros(max(int(batch.a.max()), int(batch.b.max())) + 3, dtype=np.bool_)
    seen[batch.a] = True  # what stands past the ends is below 0, so at the end of the table
    seen[batch.b] = True
    return np.cumsum(seen) - 1, int(np.count_nonzero(seen))


def _keys(numbers: Numbers, known: int, sizes: Indices, *, side: int) -> Numbers:
    """Gram and side as one number (place, pair), the greatest where a text has ended."""
    places = len(numbers) - Q + 1
    found = numbers[:places].copy()
    for at in range(1, Q):
        found *= known
        found += numbers[at : places + at]
    found *= 2
    found += side
    found[np.arange(places)[:, None] + Q > sizes] = np.iinfo(found.dtype).max
    return found
