"""Levenshtein's edit distance, as a similarity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.stats.similarity.shared import Floats


def levenshtein(a: str, b: str) -> float:
    """1 - d / max(|a|, |b|), where d is the least number of insertions, deletions and changes."""
    from rapidfuzz.distance import Levenshtein

    return float(Levenshtein.normalized_similarity(a, b))


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """The same for each pair."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    found = cpdist(a, b, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    return np.asarray(found, dtype=np.float64)
