"""Similarity by substrings of three characters."""

from __future__ import annotations

from collections import Counter

Q = 3


def qgrams(a: str, b: str) -> float:
    """1 - Σ |a - b| / (Σ a + Σ b) over the counts of the substrings of three characters.

    "Approximate string-matching with q-grams and maximal matches". A text of fewer characters is
    one gram by itself.
    """
    first, second = _grams(a), _grams(b)
    whole = first.total() + second.total()
    pairs = 0
    for gram, times in first.items():
        if gram in second:
            pairs += min(times, second[gram])
    return 2 * pairs / whole if whole else 1.0


def _grams(text: str) -> Counter[tuple[str, ...]]:
    if len(text) < Q:
        return Counter([(text,)] if text else [])
    return Counter(zip(text, text[1:], text[2:], strict=False))
