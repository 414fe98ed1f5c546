"""Jaro's and Winkler's similarities of strings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.stats.similarity.shared import Floats

PREFIX, SCALE = 4, 0.1
"""Winkler's: so many first characters count, and each takes off a tenth of what is lacking."""


def jaro(a: str, b: str) -> float:
    """(m/|a| + m/|b| + (m - t)/m) / 3 for m matches at most max(|a|, |b|)/2 - 1 apart.

    t is half the number of matches out of order, rounded down. "Advances in record-linkage
    methodology as applied to matching the 1985 census of Tampa, Florida".
    """
    from rapidfuzz.distance import Jaro

    return float(Jaro.normalized_similarity(a, b))


def jaro_winkler(a: str, b: str) -> float:
    """j + l/10 (1 - j) for the Jaro similarity j and the length l of the common prefix, at most 4.

    "String comparator metrics and enhanced decision rules in the Fellegi-Sunter model of record
    linkage". Some programs add the prefix only where j is over 0.7; the formula does not.
    """
    from rapidfuzz.distance import Prefix

    found = jaro(a, b)
    return found + min(Prefix.similarity(a, b), PREFIX) * SCALE * (1 - found)


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """Jaro's for each pair."""
    from rapidfuzz.distance import Jaro
    from rapidfuzz.process import cpdist

    found = cpdist(a, b, scorer=Jaro.normalized_similarity, dtype=np.float64)
    return np.asarray(found, dtype=np.float64)


def many_winkler(a: Sequence[str], b: Sequence[str]) -> Floats:
    """Winkler's for each pair."""
    return boosted(many(a, b), a, b, PREFIX)


def boosted(found: Floats, a: Sequence[str], b: Sequence[str], longest: int) -> Floats:
    """Similarities with what common prefixes add."""
    from rapidfuzz.distance import Prefix
    from rapidfuzz.process import cpdist

    prefix = cpdist(a, b, scorer=Prefix.similarity, dtype=np.int32)
    return np.asarray(found + np.minimum(prefix, longest) * SCALE * (1 - found))
