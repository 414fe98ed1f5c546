"""Similarity of texts through that of their words."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from readmark.statistics.similarity.edits import jaro_winkler


def monge_elkan(a: Sequence[str], b: Sequence[str]) -> float:
    """The mean of both directions, words being compared by Jaro and Winkler's similarity.

    "The field matching problem: algorithms and applications" looks in one direction; the mean
    does not depend on which text comes first.
    """
    return (
        directed_similarity(a, b, _word_similarity) + directed_similarity(b, a, _word_similarity)
    ) / 2


_word_similarity = functools.lru_cache(maxsize=2**16)(jaro_winkler)


def directed_similarity(
    a: Sequence[str], b: Sequence[str], inner: Callable[[str, str], float]
) -> float:
    """The mean similarity of the first text's words to their nearest words in the other.

    ``inner`` compares two words: 1 for equal ones, and never more.
    """
    if not a or not b:
        return float(len(a) == len(b))
    words = frozenset(b)
    best = [1.0 if word in words else max(inner(word, near) for near in b) for word in a]
    return sum(best) / len(a)
