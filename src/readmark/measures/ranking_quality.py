"""How well a ranking by scores finds what is relevant, as expected over the orders of ties.

McSherry and Najork, Computing Information Retrieval Performance Measures Efficiently in the
Presence of Tied Scores. What has no score above 0 was not found and has no rank.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_Tie = tuple[int, Floats]
"""How many stand before a group of equal scores, and the grades in it."""


def reciprocal_rank(scores: Floats, grades: Floats) -> float:
    """The expected reciprocal of the rank of the first relevant one; 0 when none is found."""
    for before, tied in _ties(scores, grades):
        relevant = int(np.count_nonzero(tied > 0))
        if relevant:
            return math.fsum(
                _first_at(place, len(tied), relevant) / (before + place)
                for place in range(1, len(tied) - relevant + 2)
            )
    return 0.0


def recall(scores: Floats, grades: Floats, depth: int) -> float:
    """The expected share of what is relevant among the first; NaN when nothing is relevant."""
    whole = int(np.count_nonzero(grades > 0))
    if not whole:
        return math.nan
    found = 0.0
    for before, tied in _ties(scores, grades):
        if before >= depth:
            break
        found += np.count_nonzero(tied > 0) * min(1.0, (depth - before) / len(tied))
    return float(found / whole)


def ndcg(scores: Floats, grades: Floats, depth: int) -> float:
    """Normalised discounted cumulative gain, the grade being the gain, as trec_eval counts it.

    Järvelin and Kekäläinen, Cumulated Gain-Based Evaluation of IR Techniques. NaN when nothing is
    relevant.
    """
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    ideal = np.sort(grades[grades > 0])[::-1][:depth]
    if not len(ideal):
        return math.nan
    best = float(ideal @ discounts[: len(ideal)])
    gained = 0.0
    for before, tied in _ties(scores, grades):
        if before >= depth:
            break
        gained += float(np.maximum(tied, 0).mean() * discounts[before : before + len(tied)].sum())
    return gained / best


def _ties(scores: Floats, grades: Floats) -> Iterator[_Tie]:
    """Groups of equal scores above 0, the highest first."""
    found = np.flatnonzero(scores > 0)
    found = found[np.argsort(-scores[found], kind="stable")]
    ordered = scores[found]
    starts = np.flatnonzero(np.diff(ordered, prepend=np.inf))
    for start, end in pairwise([*starts.tolist(), len(found)]):
        yield start, grades[found[start:end]]


def _first_at(place: int, size: int, relevant: int) -> float:
    """How likely the first relevant one of a shuffled group stands at a place."""
    return math.comb(size - place, relevant - 1) / math.comb(size, relevant)
