"""Edit distances and matches of characters, by rapidfuzz: how alike two texts are, 0 to 1."""

from __future__ import annotations


def levenshtein(a: str, b: str) -> float:
    """1 - d / max(|a|, |b|), where d is the least number of insertions, deletions and changes."""
    from rapidfuzz.distance import Levenshtein

    return float(Levenshtein.normalized_similarity(a, b))


# A match counts 1, a mismatch -1, a gap -1. With n + m = 2 (matches + mismatches) + gaps, the
# score is (n + m - d) / 2 for the least d = 4 mismatches + 3 gaps, an edit distance.
_COSTS = (3, 3, 4)


def needleman_wunsch(a: str, b: str) -> float:
    """(score + l) / 2l for the longer text's length l; a score is at least -l.

    "A general method applicable to the search for similarities in the amino acid sequence of two
    proteins" (1970), with the usual scores of today.
    """
    from rapidfuzz.distance import Levenshtein

    longer = max(len(a), len(b))
    if not longer:
        return 1.0
    score = (len(a) + len(b) - Levenshtein.distance(a, b, weights=_COSTS)) / 2
    return (score + longer) / (2 * longer)


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
    return with_prefix(jaro(a, b), a, b, longest=4)


def with_prefix(similarity: float, a: str, b: str, *, longest: int) -> float:
    """Winkler's: each character of the common prefix takes off a tenth of what is lacking."""
    from rapidfuzz.distance import Prefix

    return similarity + min(Prefix.similarity(a, b), longest) * 0.1 * (1 - similarity)
