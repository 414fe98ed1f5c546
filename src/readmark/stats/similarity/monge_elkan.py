"""Monge and Elkan's similarity of texts through the similarity of their words."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np

from readmark.stats.similarity.jaro import jaro_winkler, many_winkler
from readmark.stats.similarity.shared import Floats

Inner = Callable[[str, str], float]
"""The similarity of two words: 1 for equal ones, and never more."""

_near = functools.lru_cache(maxsize=2**16)(jaro_winkler)


def monge_elkan(a: Sequence[str], b: Sequence[str]) -> float:
    """The mean of both directions, words being compared by Jaro and Winkler's similarity.

    "The field matching problem: algorithms and applications" looks in one direction; the mean
    does not depend on which text comes first.
    """
    return (one_way(a, b, _near) + one_way(b, a, _near)) / 2


def many(a: Sequence[Sequence[str]], b: Sequence[Sequence[str]]) -> Floats:
    """The same for each pair."""
    return np.asarray((many_one_way(a, b, many_winkler) + many_one_way(b, a, many_winkler)) / 2)


def one_way(a: Sequence[str], b: Sequence[str], inner: Inner) -> float:
    """The mean over the first text's words of how like each is to the likest of the other's."""
    if not a or not b:
        return float(len(a) == len(b))
    there = frozenset(b)
    found = [1.0 if word in there else max(inner(word, one) for one in b) for word in a]
    return sum(found) / len(a)


def many_one_way(
    a: Sequence[Sequence[str]],
    b: Sequence[Sequence[str]],
    inner: Callable[[Sequence[str], Sequence[str]], Floats],
) -> Floats:
    """The same for each pair: any two words that must be compared are compared once."""
    wanted = {
        (word, one)
        for left, right in zip(a, b, strict=True)
        for word in set(left).difference(right)
        for one in right
    }
    listed = list(wanted)
    found = inner([word for word, _ in listed], [one for _, one in listed])
    known: dict[tuple[str, str], float] = dict(zip(listed, found.tolist(), strict=True))

    def look_up(word: str, one: str) -> float:
        return known[word, one]

    pairs = zip(a, b, strict=True)
    return np.fromiter((one_way(x, y, look_up) for x, y in pairs), np.float64, len(a))
