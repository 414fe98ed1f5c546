"""How well a ranking by scores finds what is relevant, as expected over the orders of ties.

Texts with a score of 0 or less are not found.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from readmark.core.arrays import Floats


def reciprocal_rank(scores: Floats, grades: Floats) -> float:
    """The expected reciprocal of the rank of the first relevant one; 0 when none is found."""
    for rank, tied in _ties(scores, grades):
        size, relevant = len(tied), int(np.count_nonzero(tied > 0))
        if not relevant:
            continue
        # How likely the first relevant one of a shuffled group stands at each place of it.
        return math.fsum(
            math.comb(size - place, relevant - 1) / math.comb(size, relevant) / (rank + place)
            for place in range(1, size - relevant + 2)
        )
    return 0.0


def recall(scores: Floats, grades: Floats, depth: int) -> float:
    """The expected share of what is relevant among the first; NaN when nothing is relevant."""
    relevant = int(np.count_nonzero(grades > 0))
    if not relevant:
        return math.nan
    expected = 0.0
    for rank, tied in _ties(scores, grades):
        if rank >= depth:
            break
        expected += np.count_nonzero(tied > 0) * min(1.0, (depth - rank) / len(tied))
    return float(expected / relevant)


def ndcg(scores: Floats, grades: Floats, depth: int) -> float:
    """Normalised discounted cumulative gain, the grade being the gain, as trec_eval counts it.

    Järvelin and Kekäläinen, Cumulated Gain-Based Evaluation of IR Techniques. NaN when nothing is
    relevant.
    """
    discounts = 1 / np.log2(np.arange(2, depth + 2))
    ideal = np.sort(grades[grades > 0])[::-1][:depth]
    if not len(ideal):
        return math.nan
    gain = 0.0
    for rank, tied in _ties(scores, grades):
        if rank >= depth:
            break
        gain += float(np.maximum(tied, 0).mean() * discounts[rank : rank + len(tied)].sum())
    return gain / float(ideal @ discounts[: len(ideal)])


def _ties(scores: Floats, grades: Floats) -> Iterator[tuple[int, Floats]]:
    """Groups of equal scores above 0, the highest first: how many stand before, and the grades."""
    places = np.flatnonzero(scores > 0)
    places = places[np.argsort(-scores[places], kind="stable")]
    starts = np.flatnonzero(np.diff(scores[places], prepend=np.inf))
    for start, end in pairwise([*starts.tolist(), len(places)]):
        yield start, grades[places[start:end]]
