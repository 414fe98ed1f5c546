"""SimMetrics' Smith-Waterman: a mismatch costs 2, a gap a half."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.stats.similarity.codes import Batch, each
from readmark.stats.similarity.local import Scores, best_local, best_locals
from readmark.stats.similarity.shared import Floats

_DOUBLED = Scores(match=2, mismatch=-4, gap=1)


def smith_waterman(a: str, b: str) -> float:
    """The best score over the shorter length; an empty text is wholly like every other."""
    shorter = min(len(a), len(b))
    return best_local(a, b, _DOUBLED) / (2 * shorter) if shorter else 1.0


def many(a: Sequence[str], b: Sequence[str]) -> Floats:
    """The same for each pair."""
    return each(a, b, smith_waterman, _several)


def _several(batch: Batch) -> Floats:
    return np.asarray(best_locals(batch, _DOUBLED) / (2 * np.minimum(batch.size_a, batch.size_b)))
