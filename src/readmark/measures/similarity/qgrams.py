"""Ukkonen's q-gram distance, as a similarity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from readmark.measures.similarity.codes import Batch, Ints, each
from readmark.measures.similarity.shared import Floats

Q = 3


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
    """Sorts the grams of all pairs, numbered by pair, gram and side: equal ones stand together."""
    known, a, b = _renumbered(batch)
    pairs = np.arange(a.shape[1], dtype=np.uint64)
    keys = np.concatenate(
        [
            _keys(codes, known, pairs, side)[np.arange(len(codes) - Q + 1)[:, None] < sizes - Q + 1]
            for side, (codes, sizes) in enumerate(((a, batch.size_a), (b, batch.size_b)))
        ]
    )
    keys.sort()
    begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    counts = np.diff(begins, append=len(keys))
    runs = keys[begins]
    # The same gram of the same pair on both sides: numbers that differ in the last place only.
    both = np.flatnonzero(runs[1:] == (runs[:-1] | np.uint64(1)))
    both = both[runs[both] & np.uint64(1) == 0]
    shared = np.minimum(counts[both], counts[both + 1])
    pair = (runs[both] // np.uint64(2 * known**Q)).astype(np.int64)
    common = np.bincount(pair, weights=shared, minlength=len(pairs))
    return np.asarray(2 * common / (batch.size_a + batch.size_b - 2 * (Q - 1)))


def _renumbered(batch: Batch) -> tuple[int, Ints, Ints]:
    """How many characters there are, and both sides with those counted off."""
    characters = np.unique(np.concatenate((batch.a.ravel(), batch.b.ravel())))
    a, b = (np.searchsorted(characters, codes) for codes in (batch.a, batch.b))
    return len(characters), a.astype(np.int32), b.astype(np.int32)


def _keys(codes: Ints, known: int, pairs: NDArray[np.uint64], side: int) -> NDArray[np.uint64]:
    """Pair, gram and side as one number (place, pair)."""
    wide = codes.astype(np.uint64)
    size = np.uint64(known)
    found = pairs * size + wide[: len(codes) - Q + 1]
    for at in range(1, Q):
        found = found * size + wide[at : len(codes) - Q + 1 + at]
    return found * np.uint64(2) + np.uint64(side)
