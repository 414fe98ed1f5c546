"""Monge and Elkan's similarity of texts through the similarity of their words."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence

from readmark.measures.similarity.jaro import jaro_winkler, many_winkler
from readmark.measures.similarity.shared import Floats

import numpy as np

Inner = Callable[[str, str], float]
"""The similarity of two words, 1 for equal ones and never more."""

_near = functools.lru_cache(maxsize=2**16)(jaro_winkler)


def monge_elkan(a: Sequence[str], b: Sequence[str]) -> float:
    """The mean of both directions, words being compared by Jaro and Winkler's similarity.

    "The field matching problem: algorithms and applications" looks in one direction; the mean
    does not depend on which text comes first.
    """
    return (one_way(a, b, _near) + one_way(b, a, _near)) / 2


def one_way(a: Sequence[str], b: Sequence[str], inner: Inner) -> float:
    """The mean over the words of the first text of how like the likest word of the other is."""
    if not a or not b:
        return float(len(a) == len(b))
    there = frozenset(b)
    return sum(1.0 if word in there else max(inner(word, one) for one in b) for word in a) / len(a)


def many(a: Sequence[Sequence[str]], b: Sequence[Sequence[str]]) -> Floats:
    """The same for each pair: every two words that must be compared are compared once."""
    table = compared(wanted([*a, *b], [*b, *a]), many_winkler)
    return np.array(
        [(one_way(x, y, table) + one_way(y, x, table)) / 2 for x, y in zip(a, b, strict=True)]
    )
