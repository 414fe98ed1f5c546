"""Needleman and Wunsch's global alignment, as a similarity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.stats.similarity.shared import Floats

# A match counts 1, a mismatch -1, a gap -1. With n + m = 2 (matches + mismatches) + gaps, the
# score is (n + m - d) / 2 for the least d = 4 mismatches + 3 gaps, an edit distance.
_COSTS = {"weights": (3, 3, 4)}


def needleman_wunsch(a: str, b: str) -> float:
    """(score + l) / 2l for the longer text's length l; a score is at least -l.

    "A general method applicable to the search for similarities in the amino acid sequence of two
    proteins" (1970), with the usual scores of today.
    """
    from rapidfuzz.distance import Levenshtein

    longer = max(len(a), len(b))
    if not longer:
        return 1.0
    score = (len(a) + len(b) - Levenshtein.distance(a, b, weights=_COSTS["weights"])) / 2
    return (score + longer) / (2 * longer)


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """The same for each pair."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    distance = cpdist(a, b, scorer=Levenshtein.distance, scorer_kwargs=_COSTS, dtype=np.int32)
    n, m = (np.fromiter(map(len, side), np.int64, len(side)) for side in (a, b))
    longer = np.maximum(n, m)
    score = (n + m - distance) / 2 + longer
    found: Floats = np.divide(score, 2 * longer, out=np.ones(len(n)), where=longer > 0)
    return found
