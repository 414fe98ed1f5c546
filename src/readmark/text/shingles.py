"""Shingles: the overlapping stretches of a folded text, by which texts are compared.

Resemblance is the Jaccard coefficient of two sets of shingles, after Broder, "On the resemblance
and containment of documents" (1997).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from readmark.text.folding import folded

SHINGLE = 5
"""Characters of a shingle."""
THRESHOLD = 0.8
"""From this resemblance on two texts are near-duplicates, and from this share on one is contained
in the other, where nobody says otherwise."""


def shingles(text: str, size: int = SHINGLE) -> frozenset[str]:
    """The stretches of ``size`` characters of a folded text; a shorter text is one itself."""
    letters = folded(text)
    if len(letters) <= size:
        return frozenset([letters or text])
    return frozenset(map("".join, zip(*(letters[index:] for index in range(size)), strict=False)))


def resemblance(first: frozenset[str], second: frozenset[str]) -> float:
    """How much two texts resemble each other by their shingles, 0 to 1."""
    shared = len(first & second)
    return shared / (len(first) + len(second) - shared)


def shingle_hashes(points: NDArray[np.uint32], size: int) -> NDArray[np.uint64]:
    """A hash of each stretch; a polynomial that numpy makes of whole columns at once."""
    if not len(points):
        return np.empty(0, np.uint64)
    wide = points.astype(np.uint64)
    size = min(size, len(wide))
    count = len(wide) - size + 1
    hashes = np.full(count, size, np.uint64)
    for index in range(size):
        hashes *= np.uint64(0x9E3779B97F4A7C15)
        hashes += wide[index : index + count]
    return mix_bits(hashes)


def mix_bits(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of SplitMix64: every bit of the result depends on every bit given."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
