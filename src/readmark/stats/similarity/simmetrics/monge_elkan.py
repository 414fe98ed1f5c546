"""SimMetrics' Monge-Elkan: one direction, words compared by its Smith-Waterman-Gotoh."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from readmark.stats.similarity.monge_elkan import many_one_way, one_way
from readmark.stats.similarity.shared import Floats
from readmark.stats.similarity.simmetrics import gotoh

_near = functools.lru_cache(maxsize=2**16)(gotoh.gotoh)


def monge_elkan(a: Sequence[str], b: Sequence[str]) -> float:
    """How well the words of the first text are found in the second, which may have others."""
    return one_way(a, b, _near)


def many(a: Sequence[Sequence[str]], b: Sequence[Sequence[str]]) -> Floats:
    """The same for each pair."""
    return many_one_way(a, b, gotoh.many)
